"""The commands: a folder for each group of the help, a module for each command, which defines a `COMMAND`."""
