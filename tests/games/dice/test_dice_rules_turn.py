"""The turn: throwing, busting, shields, hot dice, passing, winning, cooldowns, flags, and how dice fall."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest
from dice_position import (
    DOUBLE,
    EVIL,
    FAIR,
    LETTERS,
    ONES,
    SHIELD,
    Position,
    Throw,
    active,
    deal,
    match,
    modifier,
    new_rng,
    passive,
    position,
)
from scipy import stats

from playmill.games.dice import actions
from playmill.games.dice.rules import throws

#: Six dice that score nothing.
BUST = "223346"
EVERY_ROLL = modifier("every_roll", "on_roll", {"add": 10})
AGAIN = active("again", {"reroll": {"dice": "all"}})


def certain(face: int) -> tuple[int, ...]:
    """The weights of a die that always falls on a face."""
    return tuple(int(face == other) for other in range(1, 7))


# The start


def test_seat_0_starts_with_six_dice_and_no_points() -> None:
    game = deal(then=["152346"])
    assert (game.player, game.s.turns, game.s.rolls, game.points, game.totals) == (0, 1, 1, 0, [0, 0])
    assert game.roll == "152346"
    assert (game.flags(0), game.flags(1), game.won) == ([], [], None)


def test_a_first_throw_that_busts_hands_the_turn_on() -> None:
    game = deal(then=[BUST, BUST, BUST, "152346"])
    assert (game.player, game.s.turns, game.totals) == (1, 4, [0, 0])
    assert [throw.player for throw in game.throws()] == [0, 1, 0, 1]


# Save and continue


def test_continue_throws_the_dice_that_are_left_and_keeps_the_points() -> None:
    game = position("152346", then=["..5634"], points=200).do("save ab")
    assert (game.player, game.points, game.roll, game.s.rolls) == (0, 350, "..5634", 2)
    assert game.throws() == [(0, "cdef", "..5634")]


def test_saved_dice_are_not_thrown_again_in_this_turn() -> None:
    game = position("152346", then=["2.5634", "2..634"], points=400).do("save b", "save c")
    assert [throw.dice for throw in game.throws()] == ["adef", LETTERS]
    assert (game.player, game.points) == (1, 0)


def test_dice_not_chosen_are_thrown_even_if_they_score() -> None:
    game = position("112346", then=[".52346"]).do("save a")
    assert (game.points, game.roll) == (100, ".52346")


# Bust


def test_bust_loses_the_points_of_the_turn_and_no_others() -> None:
    game = position("152346", then=[".22346"], points=300, totals=[500, 700]).do("save a")
    assert (game.player, game.points, game.totals, game.s.turns) == (1, 0, [500, 700], 2)


def test_after_a_bust_the_other_player_throws_six_dice() -> None:
    game = position("152346", then=[".22346", "512346"]).do("save a")
    assert [throw.dice for throw in game.throws()] == ["bcdef", LETTERS]
    assert (game.player, game.roll, game.s.rolls) == (1, "512346", 1)


def test_banked_dice_do_not_save_from_a_bust() -> None:
    game = position("11....", then=[".2...."], points=50).do("save a")
    assert (game.player, game.points) == (1, 0)


@pytest.mark.parametrize(("throw", "busts"), [(".22234", False), (".22334", True), (".23456", False), (".26346", True)])
def test_a_throw_busts_only_if_nothing_in_it_scores(throw: str, busts: bool) -> None:
    game = position("122346", then=[throw]).do("save a")
    assert (game.player, game.points) == ((1, 0) if busts else (0, 100))


# The shield


def test_shield_cancels_a_bust_and_the_same_dice_are_thrown_again() -> None:
    game = position("152346", then=[".22346", ".53346"], points=300, flags=["bust_shield"]).do("save a")
    assert [throw.dice for throw in game.throws()] == ["bcdef", "bcdef"]
    assert (game.player, game.points, game.roll, game.flags()) == (0, 400, ".53346", [])
    assert game.s.turns == 1


def test_shield_is_used_up_by_one_bust() -> None:
    game = position("152346", then=[".22346", ".22346"], points=300, flags=["bust_shield"]).do("save a")
    assert (game.player, game.points, game.totals, game.flags()) == (1, 0, [0, 0], [])


def test_shield_is_not_used_up_by_a_roll_that_scores() -> None:
    game = position("152346", then=[".52346", "..1346"], flags=["bust_shield"]).do("save a", "save b")
    assert (game.player, game.flags()) == (0, ["bust_shield"])


def test_shield_protects_only_its_owner() -> None:
    game = position("152346", then=[".22346", BUST, "512346"], flags={1: ["bust_shield"]}).do("save a")
    assert [throw.player for throw in game.throws()] == [0, 1, 1]
    assert (game.player, game.roll, game.flags(0), game.flags(1)) == (1, "512346", [], [])


def test_hot_dice_thrown_again_behind_a_shield_are_hot_no_more() -> None:
    heat = modifier("heat", "on_roll", {"add": 7}, {"hot_dice": True})
    game = position("....15", match(mine=[heat]), then=[BUST, "152346"], points=900, flags=["bust_shield"])
    game.do("save ef")
    assert (game.player, game.points, bool(game.s.hot)) == (0, 1057, False)
    assert (game.s.seat_hot[0], game.fired("heat")) == (1, (1, 7))


# On-roll effects fire after every completed roll, before the check for a bust

TWOS = modifier("twos", "on_roll", {"add_per_die": {"face": 2, "points": 7}})


def test_on_roll_effects_fire_after_a_roll_that_busts() -> None:
    game = position("152346", match(table=[EVERY_ROLL]), then=[".22346", BUST, "512346"]).do("save a")
    assert (game.player, game.points, game.totals) == (0, 10, [0, 0]), "what they moved is lost with the turn"
    assert game.fired("every_roll") == (3, 30)


def test_on_roll_effects_fire_for_the_roll_that_a_shield_cancels_and_for_the_new_one() -> None:
    game = position("152346", match(mine=[TWOS, EVERY_ROLL]), then=[".22346", ".52346"], flags=["bust_shield"])
    game.do("save a")
    assert game.points == 100 + (14 + 10) + (7 + 10)
    assert (game.fired("twos"), game.fired("every_roll")) == ((2, 21), (2, 20))


def test_a_roll_behind_a_shield_is_a_new_roll_of_the_turn() -> None:
    second = modifier("second", "on_roll", {"add": 9}, {"roll_number": {"exactly": 2}})
    first = modifier("first", "on_roll", {"add": 1}, {"first_roll": True})
    config = match(theirs=[first, second])
    game = position("122346", config, then=[BUST, "122346"], flags={1: ["bust_shield"]}).do("pass a")
    assert (game.player, game.points, game.s.rolls, game.s.seat_rolls[1]) == (1, 10, 2, 2)


def test_a_shield_set_by_this_very_roll_saves_it() -> None:
    angel = passive("angel", "on_roll", {"set_flag": "bust_shield"}, {"count": {"face": 2, "at_least": 2}})
    game = position("152346", match(mine=[angel]), then=[".22346", ".52346"], points=300).do("save a")
    assert (game.player, game.points, game.flags(), game.fired("angel")) == (0, 400, [], (1, 0))
    game = position("152346", match(mine=[angel]), then=[".22346", ".23346"], points=300).do("save a")
    assert (game.player, game.s.turns) == (1, 2), "the new roll has one two only, so nothing saves it"


def test_an_effect_that_turns_dice_can_save_a_roll_from_busting() -> None:
    cap = passive("cap", "on_roll", {"set_face": {"dice": "showing", "face": 2, "to": 5}})
    game = position("152346", match(mine=[cap]), then=[".22346"]).do("save a")
    assert (game.player, game.points, game.roll, game.sets()) == (0, 100, ".55346", ["b", "bc", "c"])
    assert game.s.busts[5] == 0


def test_effects_of_one_roll_work_on_what_those_before_them_left() -> None:
    """Twos become threes, which do not score; three threes become ones, which do."""
    first = passive("first", "on_roll", {"set_face": {"dice": "showing", "face": 2, "to": 3}})
    second = passive("second", "on_roll", {"set_face": {"dice": "highest", "to": 1}}, {"not": {"scores": True}})
    game = position("152346", match(mine=[first, second]), then=[".24346"]).do("save a")
    assert (game.player, game.roll) == (0, ".34341")


def test_scores_asks_whether_the_roll_scores_as_it_lies_now() -> None:
    brave = modifier("brave", "on_roll", {"add": 50}, {"scores": True})
    mourning = passive("mourning", "on_roll", {"set_flag": "double_next_save"}, {"not": {"scores": True}})
    game = position("152346", match(mine=[brave, mourning]), then=[".52346", "..2346"]).do("save a")
    assert (game.points, game.flags(), game.fired("mourning")) == (150, [], (0, 0))
    game.do("save b")
    assert (game.player, game.flags(0), game.fired("brave")) == (1, ["double_next_save"], (1, 50))


def test_a_shield_that_every_roll_raises_ends_after_1000_throws() -> None:
    """Dice that never score, and a shield from every roll: the turn busts at the limit, the match goes on."""
    nothing = [certain(face) for face in (2, 2, 3, 3, 4, 6)]
    config = match(mine=[passive("it", "on_roll", {"set_flag": "bust_shield"})], dice=(nothing, nothing), max_turns=2)
    game = deal(config)
    assert (game.won, game.s.turns, list(game.s.seat_rolls)) == (-1, 2, [1000, 1])
    assert game.flags(0) == ["bust_shield"], "the last one cancelled nothing"


# Hot dice


def test_hot_dice_all_six_are_thrown_again_and_the_points_kept() -> None:
    game = position("111222", then=["342256"], points=50).do("save abcdef")
    assert (game.player, game.points, game.roll, bool(game.s.hot)) == (0, 1250, "342256", True)
    assert game.throws() == [(0, LETTERS, "342256")]


def test_hot_dice_come_about_over_several_saves() -> None:
    game = position("152346", then=["..5155", "123346"]).do("save ab", "save cdef")
    assert (game.points, game.roll, bool(game.s.hot)) == (150 + 600, "123346", True)


def test_hot_dice_are_over_with_the_next_throw() -> None:
    game = position("111222", then=["152346", ".52346"]).do("save abcdef", "save a")
    assert not game.s.hot
    assert game.s.seat_hot[0] == 1


def test_a_bust_of_hot_dice_loses_everything() -> None:
    game = position("111222", then=[BUST], points=2000, totals=[100, 0]).do("save abcdef")
    assert (game.player, game.points, game.totals, bool(game.s.hot)) == (1, 0, [100, 0], False)


def test_save_and_pass_with_all_six_banked_passes() -> None:
    game = position("111222", points=50).do("pass abcdef")
    assert (game.player, game.totals, game.s.seat_hot[0]) == (1, [1250, 0], 0)


# Hot dice that must be thrown

MUST = match(must_roll=True)


def test_by_default_hot_dice_may_be_passed() -> None:
    assert not match().hot_dice_must_roll
    assert "pass abcdef" in position("111222").legal()


def test_hot_dice_must_roll_leaves_no_pass_with_all_six_banked() -> None:
    game = position("111222", MUST, then=["152346"], points=50)
    assert ("pass abcdef" in game.legal(), "save abcdef" in game.legal(), "pass abc" in game.legal()) == (0, 1, 1)
    assert game.counted_ids() == game.legal_ids()
    assert game.do("save abcdef").points == 1250
    assert position(".....1", MUST).legal() == ["save f"], "the last die, and no way out"
    assert position("....15", MUST).legal() == ["save e", "save f", "save ef", "pass e", "pass f"]


def test_hot_dice_must_roll_even_at_the_target() -> None:
    game = position("....15", MUST, then=[BUST], totals=[3900, 0]).do("save ef")
    assert (game.won, game.player, game.totals) == (None, 1, [3900, 0])


def test_hot_dice_need_not_roll_when_nothing_may_be_thrown_any_more() -> None:
    game = position(".....1", MUST, rolls=1000)
    assert (game.legal(), game.counted_ids()) == (["pass f"], game.legal_ids())
    assert game.do("pass f").totals == [100, 0]


# Pass


def test_pass_adds_the_points_of_the_turn_to_the_total() -> None:
    game = position("152346", points=300, totals=[500, 700]).do("pass ab")
    assert (game.player, game.totals, game.points, game.s.turns) == (1, [950, 700], 0, 2)


def test_after_a_pass_the_other_player_throws_six_dice() -> None:
    game = position("....15", then=["234561"], player=1).do("pass e")
    assert game.throws() == [(0, LETTERS, "234561")]
    assert (game.player, game.roll, game.s.rolls, game.s.table) == (0, "234561", 1, 63)


def pass_with(*effects: dict[str, Any], points: int) -> int:
    """What a turn of so many points brings when it is passed with these effects waiting for that."""
    config = match(table=[modifier(f"m{place}", "on_pass", effect) for place, effect in enumerate(effects)])
    return position("1.....", config, points=points - 100).do("pass a").totals[0]


@pytest.mark.parametrize(
    ("percent", "points", "banked"),
    [
        (-10, 100, 90),
        (-10, 105, 95),  # −10.5 is −10
        (-10, 109, 99),  # −10.9 is −10
        (-10, 110, 99),
        (10, 109, 119),  # 10.9 is 10
        (10, 110, 121),
        (-33, 100, 67),
        (33, 101, 134),  # 33.33 is 33
        (-1, 99, 99),  # −0.99 is 0
        (1, 99, 99),
        (-100, 350, 0),
        (-150, 350, 0),  # never below 0
        (1000, 350, 3850),
    ],
)
def test_percent_of_the_turn_points_is_rounded_toward_zero(percent: int, points: int, banked: int) -> None:
    assert pass_with({"percent": percent}, points=points) == banked


@pytest.mark.parametrize(
    ("percent", "points", "banked"),
    [
        (-10, -105, 500 - 105 + 10),  # 10.5 is 10
        (10, -105, 500 - 105 - 10),  # −10.5 is −10
        (10, -109, 500 - 109 - 10),
        (-1, -99, 500 - 99),
    ],
)
def test_percent_of_negative_turn_points_is_rounded_toward_zero_too(percent: int, points: int, banked: int) -> None:
    assert pass_with({"add": 500}, {"percent": percent}, points=points) == banked


def test_percent_on_pass_is_of_the_turn_points_and_not_of_what_other_effects_add() -> None:
    assert pass_with({"add": 1000}, {"percent": 10}, {"percent": 10}, points=200) == 200 + 1000 + 20 + 20


@pytest.mark.parametrize(("add", "banked"), [(-299, 1), (-300, 0), (-301, 0), (-5000, 0)])
def test_a_pass_never_takes_from_the_total(add: int, banked: int) -> None:
    config = match(mine=[modifier("toll", "on_pass", {"add": add})])
    game = position("1.....", config, points=200, totals=[750, 0]).do("pass a")
    assert game.totals == [750 + banked, 0]


def test_turn_points_may_go_below_zero_and_come_back() -> None:
    config = match(mine=[modifier("priest", "on_roll", {"add": -300}, {"count": {"face": 6, "at_least": 3}})])
    game = position("152346", config, then=[".56666", ".1...."]).do("save a")
    assert game.points == -200
    assert game.again().do("pass b").totals == [0, 0]
    assert game.do("save cdef").points == 1000, "four sixes are 1200"


def test_negative_turn_points_bring_nothing_on_pass() -> None:
    game = position("1.....", points=-450, totals=[600, 0]).do("pass a")
    assert game.totals == [600, 0]
    assert game.player == 1


# Winning


@pytest.mark.parametrize(("total", "over"), [(3849, False), (3850, True), (3851, True)])
def test_reaching_the_target_by_passing_wins_at_once(total: int, over: bool) -> None:
    game = position("152346", totals=[total, 3999], turns=9).do("pass ab")
    assert (game.won, game.s.turns) == ((0, 9) if over else (None, 10))
    assert game.returns() == ([1, 0] if over else [0, 0])
    assert (game.legal() == []) == over


def test_the_second_player_wins_without_an_answer() -> None:
    game = position("152346", player=1, totals=[3950, 3900], turns=20).do("pass ab")
    assert (game.won, game.returns(), game.totals) == (1, [0, 1], [3950, 4050])
    assert game.s.turns == 20


def test_turn_points_do_not_win_before_they_are_passed() -> None:
    game = position("152346", then=[".52346", "..2346"], points=5000).do("save a")
    assert (game.won, game.player, game.points) == (None, 0, 5100)
    game.do("save b")
    assert (game.won, game.player, game.totals) == (None, 1, [0, 0])


def test_pass_effects_count_toward_the_target() -> None:
    taxed = match(table=[modifier("tax", "on_pass", {"percent": -10})])
    assert position("1.....", taxed, points=3900).do("pass a").won is None
    tipped = match(mine=[modifier("tip", "on_pass", {"add": 50})])
    assert position("1.....", tipped, points=3850).do("pass a").won == 0


def test_other_targets() -> None:
    assert position("1.....", match(target=100)).do("pass a").won == 0
    assert position("1.....", match(target=101)).do("pass a").won is None


# The last turn


def test_a_match_that_reaches_max_turns_is_a_draw() -> None:
    game = position("152346", match(max_turns=7), totals=[3000, 100], turns=7, player=0).do("pass ab")
    assert (game.won, game.returns(), game.totals, game.s.turns) == (-1, [0.5, 0.5], [3150, 100], 7)
    assert game.legal() == []


def test_turns_of_both_players_count_together() -> None:
    game = deal(match(max_turns=3), then=["122346"] * 3)
    for turn in range(3):
        assert (game.won, game.player) == (None, turn % 2)
        game.do("pass a")
    assert (game.won, game.totals, list(game.s.seat_turns)) == (-1, [200, 100], [2, 1])


def test_a_bust_in_the_last_turn_ends_the_match() -> None:
    game = position("122346", match(max_turns=7), then=[".22346"], turns=7).do("save a")
    assert (game.won, game.returns(), game.s.turns) == (-1, [0.5, 0.5], 7)


def test_the_last_turn_can_still_be_won() -> None:
    game = position("122346", match(max_turns=7), totals=[3900, 0], turns=7).do("pass a")
    assert (game.won, game.returns()) == (0, [1, 0])


def test_a_match_of_dice_that_never_score_is_a_draw_before_any_decision() -> None:
    nothing = [certain(face) for face in (2, 2, 3, 3, 4, 6)]
    game = deal(match(dice=(nothing, nothing), max_turns=5))
    assert (game.won, game.s.turns, list(game.s.seat_turns)) == (-1, 5, [3, 2])


# A turn has an end


def test_after_1000_throws_a_turn_can_only_be_passed() -> None:
    game = position("122346", then=[".12346"], rolls=998).do("save a")
    assert (game.s.rolls, game.legal()) == (999, ["save b", "pass b"])
    game = position("122346", then=[".12346"], rolls=999).do("save a")
    assert (game.s.rolls, game.legal(), game.counted_ids()) == (1000, ["pass b"], game.legal_ids())
    assert game.do("pass b").totals == [200, 0]


def test_items_can_still_be_used_after_1000_throws() -> None:
    game = position("122346", match(mine=[DOUBLE]), rolls=1000)
    assert game.legal() == ["pass a", "use double"]
    assert game.counted_ids() == game.legal_ids()
    assert game.do("use double", "pass a").totals == [200, 0]


# Cooldowns

TWO_SIDES = match(table=[SHIELD], mine=[DOUBLE, AGAIN], theirs=[active("coin", {"add": 5})])
WAITING = {"shield": 6, "double": 4, "again": 1, "coin": 2}


def test_using_an_item_starts_its_cooldown() -> None:
    game = position("122346", TWO_SIDES).do("use shield")
    assert game.cooldowns() == [6, 0, 0, 0]
    assert game.usable() == ["double", "again"]


@pytest.mark.parametrize("player", [0, 1])
def test_all_cooldowns_drop_at_the_start_of_every_turn_whosoever_it_is(player: int) -> None:
    game = position("122346", TWO_SIDES, player=player, cooldowns=WAITING).do("pass a")
    assert game.cooldowns() == [5, 3, 0, 1]
    game.do("pass a")
    assert game.cooldowns() == [4, 2, 0, 0], "and not below 0"


def test_cooldowns_drop_after_a_bust_too() -> None:
    game = position("122346", TWO_SIDES, then=[".22346", BUST, "122346"], cooldowns=WAITING).do("save a")
    assert (game.player, game.cooldowns()) == (0, [4, 2, 0, 0])


def test_cooldowns_do_not_drop_inside_a_turn() -> None:
    game = position("111222", TWO_SIDES, then=["152346", ".52346"], cooldowns=WAITING).do("save abcdef", "save a")
    assert game.cooldowns() == [6, 4, 1, 2]


def test_an_item_of_cooldown_1_is_ready_in_the_next_turn_and_not_in_this_one() -> None:
    config = match(table=[active("once", {"add": 5}, cooldown=1)])
    game = position("122346", config, then=[".52346"]).do("use once")
    assert game.usable() == []
    assert game.do("save a").usable() == []
    assert (game.do("pass b").player, game.usable()) == (1, ["once"])


def test_an_item_is_ready_again_after_so_many_turns_of_both_players() -> None:
    game = position("122346", match(mine=[DOUBLE])).do("use double", "pass a")
    ready = []
    for turn in range(2, 8):
        assert game.s.turns == turn
        ready.append(game.usable() == ["double"])
        game.do("pass a")
    assert ready == [False, False, False, True, False, True], "in the player's own turns, from four turns later on"


def test_an_item_on_the_table_is_shared_and_rests_for_both() -> None:
    game = position("122346", match(table=[SHIELD])).do("use shield", "pass a")
    assert (game.player, game.usable(), game.cooldowns()) == (1, [], [5])


def test_the_same_item_of_both_players_rests_for_each_alone() -> None:
    game = position("122346", match(mine=[SHIELD], theirs=[SHIELD])).do("use shield", "pass a")
    assert (game.player, game.usable(), game.cooldowns()) == (1, ["shield"], [5, 0])


def test_a_player_cannot_use_the_items_of_the_other() -> None:
    game = position("122346", match(mine=[SHIELD], theirs=[DOUBLE]))
    assert game.usable() == ["shield"]
    assert game.do("pass a").usable() == ["double"]


# Flags


def test_double_next_save_doubles_the_base_and_is_used_up() -> None:
    game = position("152346", match(theirs=[DOUBLE]), then=[".52346"], points=200, flags=["double_next_save"])
    game.do("save a")
    assert (game.points, game.flags()) == (400, [])
    assert game.do("pass b").totals == [450, 0]


def test_an_unused_double_survives_the_turn_and_belongs_to_who_set_it() -> None:
    game = position("122346", match(mine=[AGAIN]), then=[BUST, "122346", "122346"], flags=["double_next_save"])
    game.do("use again")
    assert (game.player, game.flags(0), game.flags(1)) == (1, ["double_next_save"], [])
    assert game.do("pass a").totals == [0, 100]
    assert game.do("pass a").totals == [200, 100]
    assert game.flags(0) == []


def test_an_unused_shield_survives_the_turn() -> None:
    game = position("122346", match(mine=[SHIELD]), then=["122346", BUST, "512346"]).do("use shield", "pass a")
    assert (game.player, game.flags(0)) == (1, ["bust_shield"])
    game.do("pass a")
    assert (game.player, game.roll, game.flags(0)) == (0, "512346", [])


def test_double_is_used_up_by_a_save_that_passes_too() -> None:
    game = position("122346", match(theirs=[DOUBLE]), flags=["double_next_save", "bust_shield"]).do("pass a")
    assert (game.totals, game.flags(0)) == ([200, 0], ["bust_shield"])


def test_the_other_players_double_does_nothing() -> None:
    game = position("122346", match(theirs=[DOUBLE]), flags={1: ["double_next_save"]}).do("pass a")
    assert (game.totals, game.flags(1)) == ([100, 0], ["double_next_save"])


# How dice fall


def first_throws(config: Any, player: int, count: int) -> Any:
    """The first throws of a player's turns, one row each, also those that bust."""
    game = position("1.....", config, player=1 - player)
    start = game.source.copy()
    found = []
    for number in range(count):
        game.source[:] = start
        game.rng = new_rng(number)
        game.do_id(actions.PASS + 1)
        throw = game.throws()[0]
        assert throw.player == player
        found.append([int(face) for face in throw.roll])
    return np.array(found)


def fits(faces: Any, weights: tuple[int, ...]) -> bool:
    """Whether faces fall as by these weights: none of weight 0, the others within what chance allows."""
    counts = np.array([(faces == face).sum() for face in range(1, 7)])
    chances = np.array(weights) / sum(weights)
    if counts[chances == 0].any():
        return False
    possible = chances > 0
    if possible.sum() == 1:
        return True
    return stats.chisquare(counts[possible], len(faces) * chances[possible]).pvalue > 1e-4


LOADED = ([ONES, FAIR, EVIL, (0, 1, 0, 0, 1, 2), certain(4), FAIR], [FAIR, (1, 2, 3, 4, 5, 6), FAIR, EVIL, ONES, ONES])


@pytest.mark.parametrize("player", [0, 1])
def test_each_die_falls_by_the_weights_of_its_position_and_its_player(player: int) -> None:
    faces = first_throws(match(dice=LOADED), player, 3000)
    for place, weights in enumerate(LOADED[player]):
        assert fits(faces[:, place], weights), (place, weights)
        others = {other for other in LOADED[0] + LOADED[1] if other != weights}
        assert not any(fits(faces[:, place], other) for other in others), "the test could not tell them apart"


def test_fair_dice_fall_independently_of_each_other() -> None:
    faces = first_throws(match(), 0, 4000)
    for place in range(6):
        assert fits(faces[:, place], FAIR)
        for other in range(place):
            together = np.zeros((6, 6))
            np.add.at(together, (faces[:, place] - 1, faces[:, other] - 1), 1)
            assert stats.chisquare(together.ravel()).pvalue > 1e-4


def test_all_ways_of_three_fair_dice_are_made_of_equally_many_words() -> None:
    assert throws.WAYS == 216
    least, most = throws._UNFAIR, 1 << 32
    # The products word · 216 that make way i and are not thrown away lie in [i · 2³² + least, (i + 1) · 2³²).
    words = Counter(((way + 1) * most - 1) // 216 - (way * most + least - 1) // 216 for way in range(throws.WAYS))
    assert list(words.values()) == [216]


def test_a_die_of_the_greatest_weights_falls() -> None:
    faces = first_throws(match(dice=((10**6,) * 5 + (0,), FAIR)), 0, 300)
    assert set(faces.ravel().tolist()) == {1, 2, 3, 4, 5}


def test_a_players_dice_are_put_on_the_table_when_the_turn_begins() -> None:
    game = deal(match(dice=([certain(face) for face in (1, 2, 3, 4, 6, 6)], certain(5)), target=10_000))
    assert game.roll == "123466"
    assert game.do("pass a").roll == "555555"
    assert game.do("pass abcdef").roll == "123466"
    assert game.totals == [100, 4000]


def test_statistics_of_loaded_dice_share_a_save_among_its_dice() -> None:
    config = match(dice=([ONES, *[FAIR] * 5], FAIR))
    game = position("115346", config, then=["...115"], flags=["double_next_save"]).do("save abc")
    assert list(game.s.die_points[0]) == [5000, 5000, 5000, 0, 0, 0], "250 points in sixtieths, before doubling"
    assert list(game.s.die_throws[0]) == [0] * 6, "the loaded die was not thrown"
    game.do("save def")
    assert list(game.s.die_throws[0]) == [1, 0, 0, 0, 0, 0]
    assert list(game.s.die_points[1]) == list(game.s.die_throws[1]) == [0] * 6


# Each turn has luck of its own

ENDLESS: dict[str, Any] = {"target": 1_000_000, "max_turns": 80}


def throws_of(config: Any, player: int, choose: Any) -> list[Throw]:
    """What a player throws in a match."""
    game = deal(config, number=3)
    found = game.throws()
    while game.won is None:
        found += game.do(choose(game)).throws()
    return [throw for throw in found if throw.player == player]


def by_the_roll(game: Position) -> str:
    """Uses what it can and chooses the last dice offered; else saves its first set, and passes after three throws."""
    for option in reversed(game.legal()):
        if option.startswith(("use", "choose")):
            return option
    return f"{'save' if game.s.rolls < 3 else 'pass'} {game.sets()[0]}"


@pytest.mark.parametrize("theirs", [FAIR, ONES])
@pytest.mark.parametrize(
    ("content", "dice"),
    [
        ([AGAIN], FAIR),
        ([passive("loading", "on_roll", {"set_weights": {"dice": "all", "weights": [3, 1, 1, 1, 1, 1]}})], FAIR),
        ([], ONES),
        ([], [*[EVIL] * 3, *[FAIR] * 3]),
    ],
)
def test_one_sides_content_leaves_the_other_sides_luck_as_it_was(content: Any, dice: Any, theirs: Any) -> None:
    without = match(**ENDLESS, dice=(FAIR, theirs))
    with_it = match(**ENDLESS, dice=(dice, theirs), mine=content)
    assert throws_of(without, 1, by_the_roll) == throws_of(with_it, 1, by_the_roll)
    assert throws_of(without, 0, by_the_roll) != throws_of(with_it, 0, by_the_roll), "the content changes something"


def test_a_longer_turn_leaves_the_later_ones_as_they_were() -> None:
    def patient(game: Position) -> str:
        return by_the_roll(game) if game.player == 1 else f"pass {game.sets()[0]}"

    for dice in (FAIR, ONES):
        config = match(**ENDLESS, dice=(dice, dice))
        assert throws_of(config, 1, by_the_roll) == throws_of(config, 1, patient)


def test_loaded_dice_leave_the_luck_of_the_fair_ones_beside_them() -> None:
    fair = first_throws(match(), 0, 50)
    mixed = first_throws(match(dice=([EVIL, FAIR, ONES, FAIR, FAIR, EVIL], FAIR)), 0, 50)
    assert (fair[:, [1, 3, 4]] == mixed[:, [1, 3, 4]]).all()
    assert (fair[:, [0, 2, 5]] != mixed[:, [0, 2, 5]]).any(axis=0).all()
