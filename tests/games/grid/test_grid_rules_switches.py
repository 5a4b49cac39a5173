"""Every live switch of the config, off: what the table of the page says, and nothing else."""

from __future__ import annotations

from typing import Any

import pytest
from grid_position import Position, off, position, reward_of

ROW = "1a 2a 3a . ."
FULL = "x x x x x / x x x x x / x x x x x / x x x x x / x x x x x"
FULL_WITH_ROW = "1a 2a 3a . x / x x x x x / x x x x x / x x x x x / x x x x x"
ZONE = {f"{x},{y}" for y in range(1, 4) for x in range(1, 4)}
CELLS = {f"{x},{y}" for y in range(5) for x in range(5)}
OUTSIDE = CELLS - ZONE

TOUCH = "game.rewards.opponent_actions_forbid_touch_protected_zone"
CROSS = "game.rewards.opponent_actions_forbid_move_into_or_out_of_protected_zone"
HARMLESS = "game.rewards.reward_placement_failure_does_not_end_game"
IGNORED = "game.rewards.extra_turn_ignored_if_deck_empty"
PHASE_1 = "termination.deck_empty_allows_phase1_for_next_players"
JOKER = "game.joker.enabled"
BY_DEFAULT = "game.rewards.optional_by_default"


def resolved(number: int, boards: list[str], changes: tuple[str, ...] = (), **more: Any) -> Position:
    """Player 0 has completed a row of four that is rewarded with RWDn, and resolves it."""
    game = position(boards, place="4a", changes=(*reward_of(H=number), *changes), **more)
    return game.do("place 3,0", "resolve H row 0,0")


def accepted(number: int, boards: list[str], changes: tuple[str, ...] = (), **more: Any) -> Position:
    return resolved(number, boards, changes, **more).do("accept")


def constraint(number: int, name: str, value: str = "false") -> str:
    long = {
        "cell": "requires_free_cell_on_self_board",
        "source": "forbid_opponent_protected_zone_as_source",
        "target": "forbid_opponent_protected_zone_as_destination",
    }
    return f"rewards.RWD{number}.constraints.{long[name]}={value}"


def cells(game: Position) -> set[str]:
    """The cells on offer."""
    return {option.split()[-1] for option in game.legal()}


# Optional rewards


def optional(pattern: str, reward: str, default: str) -> tuple[str, ...]:
    return (
        f"patterns.H.reward.optional={pattern}",
        f"rewards.RWD5.optional={reward}",
        f"{BY_DEFAULT}={default}",
    )


@pytest.mark.parametrize(
    ("pattern", "reward", "default", "asks"),
    [
        ("true", "true", "true", True),
        ("false", "true", "true", False),
        ("true", "false", "false", True),
        ("null", "false", "true", False),
        ("null", "true", "false", True),
        ("null", "null", "true", True),
        ("null", "null", "false", False),
        ("false", "null", "true", False),
    ],
)
def test_first_that_is_given_of_pattern_reward_and_default_says_if_there_is_a_question(
    pattern: str, reward: str, default: str, asks: bool
) -> None:
    game = resolved(5, [ROW], optional(pattern, reward, default))
    if asks:
        assert game.legal() == ["refuse", "accept"]
    else:
        assert game.counts(5) == (1, 0, 0)
        assert (game.asked, game.s.skip[1], game.board(0)) == ("pick", 1, "")


NO_QUESTION = ("patterns.H.reward.optional=false",)


def test_reward_that_is_not_optional_still_asks_for_its_parameters() -> None:
    game = resolved(1, [ROW + " / 6e"], NO_QUESTION)
    assert game.legal() == ["card 0,0", "card 1,0", "card 2,0", "card 3,0", "card 0,1"]


def test_reward_that_is_not_optional_and_not_possible_is_left_out() -> None:
    game = resolved(2, [ROW], NO_QUESTION)
    assert (game.asked, game.pile(), game.vp()) == ("pick", ["1a", "2a", "3a", "4a"], [7, 0])
    assert game.counts(2)[:2] == (0, 0)


# Jokers


def test_without_jokers_rwd9_is_impossible() -> None:
    game = accepted(9, [ROW], off(JOKER))
    assert (game.counts(9), game.asked, game.board(0)) == ((0, 0, 1), "pick", "")


# The extra turn


def test_extra_turn_without_a_deck_is_granted_and_ends_with_end1() -> None:
    game = accepted(4, [ROW], off(IGNORED), phase="draft", deck=0, hands=["", "6e"])
    assert game.counts(4) == (1, 0, 0)
    assert (game.asked, game.s.active, game.s.turns, game.hand(1)) == ("END1", 0, 2, ["6e"])


def last_draft(*switches: str) -> Position:
    """Player 0 earns an extra turn in phase 1, then drafts the last three cards and places hers."""
    game = accepted(4, [ROW], off(*switches), deck="6b 6c 6d", hands=["", "6e"])
    assert (game.counts(4), game.s.extra) == ((1, 0, 0), 1)
    return game.do("pick 6b", "pass 6c", "place 4,4")


def test_extra_turn_granted_before_the_deck_was_empty_begins_and_ends_with_end1() -> None:
    game = last_draft(IGNORED)
    assert (game.asked, game.s.active, game.s.turns, game.hand(1)) == ("END1", 0, 2, ["6e", "6c"])


@pytest.mark.parametrize("switches", [(PHASE_1,), (PHASE_1, IGNORED)])
def test_without_phase_1_on_an_empty_deck_no_extra_turn_follows_either(switches: tuple[str, ...]) -> None:
    game = last_draft(*switches)
    assert (game.asked, game.s.active, game.s.turns, game.hand(1)) == ("END1", 0, 1, ["6e", "6c"])


# The protected zone, each ban alone


def reach(number: int, changes: tuple[str, ...]) -> set[str]:
    """The cells of an opponent's full board that a reward may take from."""
    game = accepted(number, [ROW, FULL], changes)
    return cells(game.do("opponent 1")) if game.asked == "opponent" else set()


@pytest.mark.parametrize("number", [6, 10])
@pytest.mark.parametrize("touch", [True, False])
@pytest.mark.parametrize("source", [True, False])
@pytest.mark.parametrize("cross", [True, False])
def test_zone_is_open_to_taking_when_no_ban_is_left(number: int, touch: bool, source: bool, cross: bool) -> None:
    """Removing is touching; stealing is moving out as well."""
    changes = () if touch else off(TOUCH)
    changes += () if cross else off(CROSS)
    changes += () if source else (constraint(number, "source"),)
    closed = touch or source or (cross and number == 10)
    assert reach(number, changes) == (OUTSIDE if closed else CELLS)


INSIDE_AND_OUTSIDE = "1b . 2c . 5d / . 6d . 5e . / . . 4e"


@pytest.mark.parametrize("touch", [True, False])
@pytest.mark.parametrize("cross", [True, False])
@pytest.mark.parametrize("source", [True, False])
@pytest.mark.parametrize("target", [True, False])
def test_moves_of_an_opponents_card_that_each_set_of_bans_leaves(
    touch: bool, cross: bool, source: bool, target: bool
) -> None:
    changes = () if touch else off(TOUCH)
    changes += () if cross else off(CROSS)
    changes += () if source else (constraint(7, "source"),)
    changes += () if target else (constraint(7, "target"),)
    taken = {"0,0", "2,0", "4,0", "1,1", "3,1", "2,2"}
    wanted = {
        (start, end)
        for start in taken
        for end in CELLS - taken
        if not (touch and (start in ZONE or end in ZONE))
        and not (cross and (start in ZONE) != (end in ZONE))
        and not (source and start in ZONE)
        and not (target and end in ZONE)
    }
    game = accepted(7, [ROW, INSIDE_AND_OUTSIDE], changes).do("opponent 1")
    found = set()
    for card in game.legal():
        there = game.again().do(card)
        assert there.legal(), "a card that cannot be moved anywhere is no option"
        found |= {(card.split()[-1], end) for end in cells(there)}
    assert found == wanted


RIM = "x x x x x / x . . . x / x . . . x / x . . . x / x x x x x"


def test_card_that_could_only_cross_the_border_is_no_option() -> None:
    bans = (*off(TOUCH), constraint(7, "source"), constraint(7, "target"))
    assert accepted(7, [ROW, RIM], bans).counts(7) == (0, 0, 1)
    one_inside = RIM.replace("x . . . x", "x 6e . . x", 1)
    game = accepted(7, [ROW, one_inside], bans).do("opponent 1")
    assert game.legal() == ["their card 1,1"]
    assert cells(game.do("their card 1,1")) == ZONE - {"1,1"}
    assert len(cells(accepted(7, [ROW, RIM], (*bans, *off(CROSS))).do("opponent 1"))) == 16


def test_bans_do_not_bind_the_owner_of_the_board() -> None:
    game = accepted(3, [ROW + " / . 6e"]).do("card 1,1")
    assert ZONE - {"1,1"} <= cells(game)


def test_constraint_of_one_reward_leaves_the_others_alone() -> None:
    changes = (*off(TOUCH, CROSS), constraint(6, "source"))
    assert reach(6, changes) == CELLS
    assert reach(10, changes) == OUTSIDE
    assert reach(7, changes) == set(), "nothing is free there"


# A reward without room


@pytest.mark.parametrize("number", [2, 8, 9, 10])
def test_accepting_a_placing_reward_without_a_cell_ends_the_game(number: int) -> None:
    game = accepted(number, [FULL_WITH_ROW, "6e"], off(HARMLESS), pile="5d", vp=[0, 6])
    assert (game.asked, game.vp(), game.s.winner, game.legal()) == ("END2", [7, 6], 0, [])
    assert game.counts(number)[:2] == (0, 0)


@pytest.mark.parametrize("number", [2, 8, 9, 10])
def test_refusing_it_does_not(number: int) -> None:
    game = resolved(number, [FULL_WITH_ROW, "6e"], off(HARMLESS), pile="5d").do("refuse")
    assert (game.asked, game.counts(number)) == ("pick", (0, 1, 0))


@pytest.mark.parametrize("number", [2, 8, 9, 10])
def test_mandatory_reward_without_a_cell_ends_the_game_too(number: int) -> None:
    game = resolved(number, [FULL_WITH_ROW, "6e"], (*off(HARMLESS), *NO_QUESTION), pile="5d", vp=[0, 6])
    assert (game.asked, game.vp(), game.s.winner) == ("END2", [7, 6], 0)
    assert game.counts(number) == (0, 0, 1)


@pytest.mark.parametrize("number", [2, 8, 9, 10])
@pytest.mark.parametrize("asked", [True, False])
def test_without_a_cell_the_game_ends_whatever_else_is_missing(number: int, asked: bool) -> None:
    """No discard pile, no jokers, no opponent's card: want of a cell comes first."""
    changes = (*off(HARMLESS, JOKER), *(() if asked else NO_QUESTION))
    game = resolved(number, [FULL_WITH_ROW, ""], changes)
    if asked:
        game.do("accept")
    assert (game.asked, game.counts(number)) == ("END2", (0, 0, 1))


@pytest.mark.parametrize("number", [1, 3, 4, 5, 6, 7])
def test_rewards_that_need_no_cell_do_not_end_the_game(number: int) -> None:
    game = accepted(number, [FULL_WITH_ROW, "6e . . . 5d"], off(HARMLESS))
    while game.asked not in ("pick", "placement"):
        game.do(game.legal()[0])
    assert sum(game.counts(number)) == 1


@pytest.mark.parametrize("number", [2, 8, 10])
def test_reward_that_is_impossible_for_another_reason_does_not_end_the_game(number: int) -> None:
    game = accepted(number, [ROW, ""], off(HARMLESS))
    assert (game.asked, game.counts(number)) == ("pick", (0, 0, 1))


@pytest.mark.parametrize("number", [2, 8, 9, 10])
def test_reward_that_the_file_says_needs_no_cell_fails_without_harm(number: int) -> None:
    changes = (*off(HARMLESS), constraint(number, "cell"))
    game = accepted(number, [FULL_WITH_ROW, "6e"], changes, pile="5d")
    assert (game.asked, game.counts(number)) == ("pick", (0, 0, 1))


@pytest.mark.parametrize("number", [1, 4, 5, 6, 7])
def test_reward_that_the_file_says_needs_a_cell_is_impossible_without_one(number: int) -> None:
    game = accepted(number, [FULL_WITH_ROW, "6e . . . 5d"], (constraint(number, "cell", "true"),))
    assert (game.asked, game.counts(number)) == ("pick", (0, 0, 1))


@pytest.mark.parametrize("number", [1, 3, 4, 5, 6, 7])
def test_reward_that_the_file_says_needs_a_cell_ends_the_game_where_that_is_so(number: int) -> None:
    changes = (*off(HARMLESS), constraint(number, "cell", "true"))
    assert accepted(number, [FULL_WITH_ROW, "6e . . . 5d"], changes).asked == "END2"
