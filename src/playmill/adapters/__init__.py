"""Every game as an environment of the tools people already have; each module needs its own library, and only it."""
