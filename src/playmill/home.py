"""Where Playmill keeps what is to last: runs, tables."""

from __future__ import annotations

import os
from pathlib import Path


def home() -> Path:
    """The folder PLAYMILL_HOME, else one among the user's data; it need not be there yet."""
    if named := os.environ.get("PLAYMILL_HOME"):
        return Path(named).expanduser().absolute()
    from platformdirs import user_data_path

    return user_data_path("playmill", appauthor=False)
