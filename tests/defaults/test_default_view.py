"""The picture that comes by itself: boards, hands and facts, each option somewhere to be clicked."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np
import pytest

from common.found import game_of
from common.pictures import acts, composed, offered, readable, titles
from playmill import Game
from playmill.author.table import Board, Facts, Hand, Row
from playmill.defaults.view import drawn


@pytest.fixture(scope="module")
def game() -> Game:
    return game_of("connect4")


def picture(game: Game, things: Sequence[Row], legal: Sequence[int], *, player: int | None = 0) -> str:
    from connect4 import rules

    def table(config: Any, s: Any, player: Any, lang: Any) -> Sequence[Row]:
        return things

    return partial(drawn, rules, game.words, table)(game.config(), np.zeros(1, game.state)[0], player, legal, "en")


def test_as_many_actions_as_columns_are_clicks_on_columns(game: Game) -> None:
    s = np.zeros(1, game.state)[0]
    s["winner"] = -1
    svg = game.view(game.config(), s, 0, [0, 2, 6], "en")
    assert offered(svg) == [0, 2, 6]
    assert titles(svg)[2] == "Drops a disc into column 3"
    assert all(
        len([one for one in group.iter() if "face" in (one.get("class") or "").split()]) == 6 for group in acts(svg)
    )


def test_cells_of_one_option_are_clicked_together_and_others_by_themselves(game: Game) -> None:
    svg = picture(game, [Board([[None, 1, "x"]], [[4, 4, 5]])], [4, 5])
    assert offered(svg) == [4, 5] and len(acts(svg)) == 2


def test_an_option_of_several_things_is_put_together(game: Game) -> None:
    """From the first cell to either of the others."""
    svg = picture(game, [Board([[0, None, None]], [[(1, 2), (1,), (2,)]])], [1, 2])
    assert {action: len(things) for action, things in composed(svg).items()} == {1: 2, 2: 2}


def test_what_lies_nowhere_gets_a_button(game: Game) -> None:
    svg = picture(game, [Hand("mine", ["K", None], [3, None])], [3, 5, 6])
    assert offered(svg) == [3, 5, 6]
    assert "Drops a disc into column 6" in readable(svg)


def test_a_card_face_down_shows_nothing_but_its_back(game: Game) -> None:
    svg = picture(game, [Hand("theirs", [None]), Facts([("pot", 3)])], [], player=1)
    assert "Face down" in svg and "Pot" in readable(svg)
    assert offered(svg) == []


def test_nobody_but_the_player_to_move_can_click(game: Game) -> None:
    things = [Board([[None]], [[0]])]
    assert offered(picture(game, things, [0], player=1)) == offered(picture(game, things, [0], player=None)) == []
