"""Golden playthroughs: every game has them, and plays them to this day. `make golden` writes them anew."""

from __future__ import annotations

import pytest
from golden import FOLDER, playthroughs

from playmill import game_names


@pytest.mark.parametrize("name", game_names())
def test_the_game_plays_as_it_did(name):
    made = playthroughs(name)
    assert {path.name for path in FOLDER.glob(f"{name}-*.txt")} == set(made), "run: make golden"
    for file, text in made.items():
        assert (FOLDER / file).read_text(encoding="utf-8") == text, f"{file} has changed"


def test_no_playthrough_belongs_to_no_game():
    assert {path.name.split("-")[0] for path in FOLDER.glob("*.txt")} == set(game_names())
