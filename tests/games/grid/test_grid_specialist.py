"""The agent `specialist`: one pattern is all it builds for."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest
from grid_position import Position, position, rules_of
from test_grid_agents import agent_rng
from test_grid_agents import choose as choose_plainly

from playmill import PlaymillError, load_game
from playmill.agents.agent_specs import parameters_of, seats_for
from playmill.engine.lang.record import plain
from playmill.engine.lang.rng import SEATS
from playmill.engine.lang.rule import interpreted
from playmill.games.grid.agents import AGENTS

_specialist = interpreted(AGENTS["specialist"].choose)


def choice(letter: str, game: Position, seed: int = 5) -> str:
    """What the specialist of a pattern chooses; the state must be as it was."""
    params: Any = plain(np.zeros(1, np.dtype([("value", np.float64, (SEATS, 8))])))[0]
    for seat in range(SEATS):
        params.value[seat, 0] = "ABCDEFGHIJ".index(letter)
    before = game.source.tobytes()
    action = _specialist(game.cfg, game.s, game.options, len(game.legal_ids()), agent_rng(seed), params)
    assert game.source.tobytes() == before
    return game.text(action)


LINES = "4b 4c . 4d . / . . . . . / 1a 2a 3a . ."


@pytest.mark.parametrize(("letter", "wanted"), [("H", "place 3,2"), ("J", "place 2,0")])
def test_specialist_places_a_card_where_its_own_pattern_wants_it(letter: str, wanted: str) -> None:
    assert choice(letter, position([LINES], place="4a")) == wanted


@pytest.mark.parametrize(("letter", "wanted"), [("A", "pick 1a"), ("J", "pick 6d")])
def test_specialist_drafts_for_its_own_pattern(letter: str, wanted: str) -> None:
    board = "1a 1a . . . / 2b 2b 2b . . / 3c 3c 3c . . / . . . . . / 6a 6b 6c . ."
    assert choice(letter, position([board], draft="1a 6d 4e")) == wanted


def test_specialist_passes_the_card_that_helps_the_neighbour_less() -> None:
    game = position([". . . . .", "1a 2a 3a . ."], draft="6e 4a 3d")
    assert game.do("pick 6e").asked == "pass"
    assert choice("A", game) == "pass 3d"


def test_specialist_resolves_its_own_pattern_first() -> None:
    game = position(["1a 2a 3a . 5a"], place="4a")
    assert game.do("place 3,0").asked == "resolve"
    assert choice("H", game) in ("resolve H row 0,0", "resolve H row 1,0")
    assert choice("E", game) == "resolve E row 0,0"


def test_where_the_rules_do_not_have_its_pattern_it_plays_like_greedy() -> None:
    kept = [pattern.model_dump(mode="json") for pattern in rules_of().patterns if pattern.id != "J"]
    game = position([LINES], place="4a", changes=(f"patterns={json.dumps(kept)}",))
    for seed in range(3):
        assert choice("J", game, seed) == game.text(choose_plainly("greedy", game, agent_rng(seed)))


def test_its_pattern_is_given_by_its_letter() -> None:
    game = load_game("grid")
    first, second = seats_for(game, 2, ["specialist:pattern=C", "specialist"])
    assert parameters_of(game, first) == {"pattern": 2.0}
    assert parameters_of(game, second) == {"pattern": 0.0}
    with pytest.raises(PlaymillError) as caught:
        seats_for(game, 2, ["specialist:pattern=M"])
    letters = ", ".join("ABCDEFGHIJKL")
    assert caught.value.text.en == f"agent specialist: pattern is 'M'; expected one of {letters}"
    assert caught.value.text.ru == f"агент specialist: pattern равно 'M'; нужно одно из: {letters}"
    assert (AGENTS["specialist"].parameters["pattern"].format(9), AGENTS["specialist"].parameters["pattern"].range) == (
        "J",
        letters,
    )
