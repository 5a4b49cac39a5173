"""All games there are: those of the package, and those in folders beside it."""

from __future__ import annotations

from pathlib import Path

import pytest

import playmill
from playmill import Game, game_names, load_game

ROOT = Path(__file__).parent.parent.parent
#: The package that is tested: in a checkout its sources, after a release what was installed.
PACKAGE = Path(playmill.__file__).parent
needs_sources = pytest.mark.skipif(not (ROOT / "src").exists(), reason="there are no sources to build from")
#: Games of the package.
SHIPPED = game_names()
#: Games that are nothing but a folder, by name: the examples, and those that tests have made for themselves.
FOLDERS = {
    path.parent.name: path.parent
    for place in ("examples", "tests")
    for path in sorted((ROOT / place).rglob("rules.py"))
}
#: Games that show how one is made: they speak both languages, as those of the package do.
EXAMPLES = [name for name, folder in FOLDERS.items() if folder.parent.name == "examples"]
#: The names of all games.
GAMES = [*SHIPPED, *FOLDERS]


def game_of(name: str) -> Game:
    """The game of a name, of the package or of a folder."""
    return load_game(str(FOLDERS[name]) if name in FOLDERS else name)
