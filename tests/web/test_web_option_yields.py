"""What an option yields in a position, shown behind its words in the list of moves."""

from __future__ import annotations

import random

import pytest

from playmill import Game
from playmill.engine.run.state import State
from playmill.texts import Text

TELLING = ("dice", "grid", "influence", "save_oneself")


def told_in_play(game: Game, decisions: int) -> dict[str, Text | None]:
    """Actions of a game played at random, as words with the position's numbers: the last thing told of each."""
    state, dice, found = State(game, players=game.players[0], seed=5, interpreted=True), random.Random(5), {}
    for _ in range(decisions):
        if state.is_terminal():
            break
        legal = state.legal_actions()
        brings = game.words.brings(state.config, state.record, legal)
        assert set(brings) <= set(legal) and all(one.en and one.ru for one in brings.values())
        found |= {game.words.describe(state.config, action).en: brings.get(action) for action in legal}
        state.apply_action(dice.choice(legal))
    return found


@pytest.mark.parametrize("name", TELLING)
def test_options_tell_what_they_come_to_in_both_languages(games: dict[str, Game], name: str) -> None:
    found = told_in_play(games[name], 60)
    assert sum(one is not None for one in found.values()) > 3
    silent = {words for words, one in found.items() if one is None}
    assert all(words.startswith(("places", "ends", "uses", "turns", "waives", "refuses")) for words in silent), silent


def test_a_save_tells_its_faces_its_points_and_the_risk(games: dict[str, Game]) -> None:
    game = games["dice"]
    state = State(game, players=2, seed=1, interpreted=True)
    state.record["first"], state.record["last"] = 0 * 36 + 4 * 6 + 1, 1 * 36 + 2 * 6 + 3
    state.record["roll"] = sum(1 << 6 * (face - 1) + place for place, face in enumerate((1, 5, 2, 2, 3, 4)))
    legal = [game.words.parse(state.config, text) for text in ("c12", "p1")]
    brings = game.words.brings(state.config, state.record, legal)
    assert [brings[action].en for action in legal] == ["1 5: +150 · throw 4 · bust 16 %", "1: +100 · total 100"]
    assert brings[legal[0]].ru == "1 5: +150 · бросить 4 · провал 16 %"
