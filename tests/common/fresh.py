"""A game that nobody has compiled yet."""

from __future__ import annotations

import shutil
from itertools import count
from pathlib import Path

from common.found import ROOT
from playmill import Game, load_game

_NUMBERS = count()


def fresh_pig(folder: Path) -> Game:
    """Pig, under a name that no game has had before in this process."""
    place = folder / f"pig_{next(_NUMBERS)}"
    shutil.copytree(ROOT / "examples" / "pig", place, ignore=shutil.ignore_patterns("__pycache__"))
    return load_game(str(place))
