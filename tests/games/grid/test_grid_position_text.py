"""The boards of Grid as an action changes them: new cards, and the cells of a pattern, marked."""

from __future__ import annotations

import numpy as np
from grid_position import Position, position, reward_of

from playmill.games.grid.actions import ACCEPT, REFUSE
from playmill.games.grid.words.position_text import boards
from playmill.texts import Lang


def after(game: Position, text: str, lang: Lang = "en") -> list[str]:
    """The lines of the boards after an action."""
    before = _record(game)
    action = next(one for one in game.legal_ids() if game.text(one) == text)
    game.do(text)
    return boards(game.config, before, _record(game), action, lang).splitlines()


def _record(game: Position) -> np.void:
    game.s.players = game.players
    record: np.void = game.source.copy()[0]
    return record


def test_a_new_card_is_marked() -> None:
    game = position(["1a 2a . . 6e"], place="3b")
    assert after(game, "place 1,1") == [
        "* player 1: 0 VP           player 2: 0 VP",
        "    0   1   2   3   4        0   1   2   3   4",
        "  0 1R  2R  ·   ·   6P     0 ·   ·   ·   ·   ·",
        "  1 ·  [3B] +   +   ·      1 ·   +   +   +   ·",
        "  2 ·   +   +   +   ·      2 ·   +   +   +   ·",
        "  3 ·   +   +   +   ·      3 ·   +   +   +   ·",
        "  4 ·   ·   ·   ·   ·      4 ·   ·   ·   ·   ·",
        "[ ] changed now, ( ) the pattern",
    ]


def test_the_cells_of_the_pattern_are_marked_while_it_lies_and_when_it_has_left() -> None:
    game = position(["1a 2a 3a . 6e"], place="4a", changes=reward_of(H=5)).do("place 3,0")
    assert after(game, "resolve H row 0,0", "ru")[0].startswith("* игрок 1: 7 ПО")
    game = position(["1a 2a 3a . 6e"], place="4a", changes=reward_of(H=5)).do("place 3,0")
    assert after(game, "resolve H row 0,0")[2].startswith("  0(1R)(2R)(3R)(4R) 6P")
    assert after(game, "accept")[2].startswith("  0(·) (·) (·) (·)  6P")


def test_a_card_that_a_reward_brings_is_marked_beside_the_pattern() -> None:
    game = position(["1a 2a 3a . ."], place="4a", changes=reward_of(H=9)).do("place 3,0", "resolve H row 0,0", "accept")
    shown = after(game, "cell 2,2")
    assert shown[2].startswith("  0(·) (·) (·) (·)  ·") and shown[4].startswith("  2 ·   +  [★]  +   ·")


def test_a_card_taken_from_an_opponent_is_marked_on_both_boards() -> None:
    game = position(["1a 2a 3a . .", "6e"], place="4a", changes=reward_of(H=10))
    game.do("place 3,0", "resolve H row 0,0", "accept", "opponent 1", "their card 0,0")
    shown = after(game, "cell 4,4")
    assert "[·]" in shown[2] and shown[6].startswith("  4 ·   ·   ·   ·  [6P]")


def test_nothing_is_drawn_when_no_board_has_changed() -> None:
    game = position(["1a"], draft="2b 3c 4d")
    assert after(game, "pick 2b") == []
    game = position(["1a 2a 3a . .", "6e"], place="4a", changes=reward_of(H=10)).do("place 3,0", "resolve H row 0,0")
    before = _record(game)
    assert boards(game.config, before, before, ACCEPT, "en") == boards(game.config, before, before, REFUSE, "en") == ""
