"""The web application and the server process."""
