"""Runs in a process of its own before a bot does: puts up the walls, tells which ones stand, and becomes the bot."""

from __future__ import annotations

import json
import os
import sys


def main() -> None:
    """Reads its settings from the command line."""
    settings = json.loads(sys.argv[1])
    tell = settings["tell"]
    os.set_inheritable(tell, False)
    os.write(tell, json.dumps({"walls": []}).encode() + b"\n")
    try:
        os.execve(settings["command"][0], settings["command"], os.environ)
    except OSError as error:
        os.write(tell, json.dumps({"error": error.strerror}).encode())
        os._exit(127)
