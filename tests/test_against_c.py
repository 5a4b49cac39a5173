"""Games written a second time, by hand in C, come out as the rules play them (see `tools/against_c.py`)."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from against_c import CASES, Program, play_rules, unlike

pytestmark = pytest.mark.long

GAMES = 3_000


@pytest.mark.skipif(shutil.which("gcc") is None, reason="needs gcc")
@pytest.mark.parametrize("game", CASES)
def test_the_same_games_in_c(game: str, tmp_path: Path) -> None:
    program = Program(game, tmp_path, trained=False)
    for players, agent in CASES[game]:
        counted, rules = program.play(players, agent, GAMES), play_rules(game, players, agent, GAMES)
        assert unlike(counted, rules) == []
        assert counted.counts["games"] == GAMES
        fewer = play_rules(game, players, agent, GAMES - 1)
        assert "games" in unlike(counted, fewer)
