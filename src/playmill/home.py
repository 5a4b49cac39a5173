"""PLAYMILL_HOME: the folder for saved runs and tables, readable by its user alone."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path


def home() -> Path:
    """The folder PLAYMILL_HOME, else one among the user's data; it need not be there yet."""
    if named := os.environ.get("PLAYMILL_HOME"):
        return Path(named).expanduser().absolute()
    from platformdirs import user_data_path

    return user_data_path("playmill", appauthor=False)


def make_private(folder: Path) -> None:
    """Makes a folder, and the home it lies in, that nobody else can look into; raises OSError if that cannot be.

    A home of before that others could look into is closed to them, unless PLAYMILL_HOME names it: then it may be shared
    on purpose, and each secret in it is a file of its owner's.
    """
    place = home() if folder.is_relative_to(home()) else folder
    if place.is_dir():
        if "PLAYMILL_HOME" not in os.environ and place == home() and place.stat().st_mode & 0o077:
            with suppress(OSError):  # somebody else's
                place.chmod(0o700)
    else:
        place.parent.mkdir(parents=True, exist_ok=True)
        place.mkdir(mode=0o700, exist_ok=True)
    folder.mkdir(parents=True, exist_ok=True)


def open_private(path: Path, flags: int) -> int:
    """A handle of a file that only its owner can read: made so, or closed to others if it is there."""
    handle = os.open(path, flags | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0), 0o600)
    if hasattr(os, "fchmod") and os.fstat(handle).st_mode & 0o077:
        os.fchmod(handle, 0o600)
    return handle
