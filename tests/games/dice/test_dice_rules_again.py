"""Passive items that throw dice again, points that only a pass brings, cooldowns of 0, fractions in content."""

from __future__ import annotations

from pathlib import Path

import pytest
from dice_position import DOUBLE, Data, active, match, modifier, passive, position

from playmill.games.dice.config import Config
from playmill.games.dice.content import content_of, library, warnings
from playmill.games.dice.content.weights import error_of, scaled

NOTHING: Data = {"not": {"scores": True}}
LOWEST: Data = {"reroll": {"dice": "lowest"}}


# Passive items that throw dice again


def test_a_passive_reroll_saves_a_roll_that_would_bust() -> None:
    """2 3 score nothing: the 2 is thrown again and falls on 5."""
    config = match(mine=[passive("it", "on_roll", LOWEST, NOTHING)])
    game = position("1...22", config, then=["....23", "....5."]).do("save a")
    assert (game.player, game.roll, game.points, game.s.rolls) == (0, "....53", 100, 3)
    assert game.throws() == [(0, "ef", "....23"), (0, "e", "....53")]


def test_a_passive_reroll_can_bust() -> None:
    config = match(mine=[passive("it", "on_roll", LOWEST)])
    game = position("1...22", config, then=["....13", "....2.", "122346"]).do("save a")
    assert (game.player, game.totals) == (1, [0, 0])


def test_a_passive_item_throws_once_after_each_throw_that_the_player_decides_on() -> None:
    """Its condition holds after its own throw too; but it does not throw for ever."""
    config = match(mine=[passive("it", "on_roll", LOWEST)])
    game = position("1..222", config, then=["...234", "...1..", "....56", "....1."]).do("save a")
    assert (game.roll, len(game.throws()), game.fired("it")) == ("...134", 2, (1, 0))
    game.do("save d")
    assert (game.roll, len(game.throws()), game.fired("it")) == ("....16", 2, (2, 0)), "after the next decision again"


def test_a_passive_reroll_comes_when_all_others_have_spoken_and_wakes_them_again() -> None:
    fives = modifier("fives", "on_roll", {"add_per_die": {"face": 5, "points": 25}})
    late = passive("late", "on_roll", {"add": 1})
    config = match(mine=[fives, passive("it", "on_roll", LOWEST, {"count": {"face": 2, "at_least": 1}}), late])
    game = position("1...22", config, then=["....25", "....5."]).do("save a")
    assert (game.roll, game.points) == ("....55", 100 + 25 + 1 + 25 + 1), "the five that lay there does not pay again"


def test_passive_rerolls_of_several_items_are_one_throw_and_spare_locked_dice() -> None:
    high = passive("high", "on_roll", {"reroll": {"dice": "highest"}})
    wax = passive("wax", "on_roll", {"lock": {"dice": "showing", "face": 6}})
    config = match(mine=[passive("low", "on_roll", LOWEST), high])
    game = position("1..222", config, then=["...246", "...1.5"]).do("save a")
    assert [throw.dice for throw in game.throws()] == ["def", "df"] and game.roll == "...145"
    config = match(mine=[passive("low", "on_roll", LOWEST), high, wax])
    game = position("1..222", config, then=["...246", "...1.."]).do("save a")
    assert [throw.dice for throw in game.throws()] == ["def", "d"] and game.locked == "f"


def test_a_passive_reroll_of_hot_dice_is_a_roll_of_hot_dice_no_more() -> None:
    heat = modifier("heat", "on_roll", {"add": 7}, {"hot_dice": True})
    config = match(mine=[heat, passive("it", "on_roll", LOWEST)])
    game = position("111222", config, then=["122346", "5....."]).do("save abcdef")
    assert (game.roll, game.points, game.fired("heat")) == ("522346", 1207, (1, 7))


def test_a_passive_reroll_goes_before_the_shield() -> None:
    config = match(mine=[passive("it", "on_roll", LOWEST, NOTHING)])
    game = position("1...22", config, then=["....23", "....4.", "....15"], flags=["bust_shield"]).do("save a")
    assert [throw.dice for throw in game.throws()] == ["ef", "e", "e"] and game.flags() == []


# Points for passing


@pytest.mark.parametrize("trigger", ["on_roll", "on_save", "on_pass"])
def test_add_to_pass_moves_what_passing_brings_from_any_event(trigger: str) -> None:
    config = match(mine=[passive("it", trigger, {"add_to_pass": 50}, {"roll_number": {"exactly": 2}})])
    game = position("112346", config, then=["..2316"]).do("save ab")
    assert game.points == 200, "no turn points"
    assert game.do("pass e").totals == [350, 0]
    assert game.fired("it") == (1, 50)


def test_add_to_pass_of_an_active_item_and_of_a_modifier() -> None:
    config = match(mine=[active("it", {"add_to_pass": -30}), modifier("m", "on_pass", {"add_to_pass": 5})])
    assert position("1.....", config).do("use it", "pass a").totals == [75, 0]


def test_what_is_promised_for_passing_is_lost_with_a_bust_and_with_the_turn() -> None:
    config = match(table=[modifier("it", "on_roll", {"add_to_pass": 50}, {"roll_number": {"at_least": 2}})])
    game = position("1....2", config, then=[".....2", "122346", "122346"]).do("save a")
    assert (game.player, game.s.pass_delta) == (1, 0)
    assert game.do("pass a").totals == [0, 100]


def test_percents_and_conditions_do_not_see_what_is_promised_for_passing() -> None:
    tax = modifier("tax", "on_pass", {"percent": -10})
    rich = modifier("rich", "on_pass", {"add": 1}, {"turn_points": {"at_least": 150}})
    config = match(mine=[passive("it", "on_save", {"add_to_pass": 50}), tax, rich])
    assert position("1.....", config).do("pass a").totals == [140, 0]


def test_agents_count_what_is_promised_for_passing() -> None:
    config = match(mine=[passive("it", "on_save", {"add_to_pass": 300})], target=400)
    assert position("122346", config).advice("greedy") == "pass a", "it wins at once"


# A cooldown of 0


def test_cooldown_zero_is_once_before_every_save() -> None:
    nudge = active("nudge", {"set_face": {"dice": "chosen", "to": "+1"}}, cooldown=0)
    game = position("145234", match(mine=[nudge]), then=["..1234", "122346"]).do("use nudge", "choose b")
    assert (game.roll, game.usable()) == ("155234", [])
    game.do("save ab")
    assert (game.roll, game.usable()) == ("..1234", ["nudge"])
    game.do("use nudge", "choose d")
    assert game.do("pass c").player == 1


def test_cooldown_zero_a_reroll_does_not_make_it_ready() -> None:
    again = active("again", {"reroll": {"dice": "lowest"}}, cooldown=0)
    game = position("122346", match(mine=[again]), then=["5....."]).do("use again")
    assert (game.roll, game.usable()) == ("522346", [])


def test_cooldown_zero_is_ready_in_the_next_turn_after_a_bust_too() -> None:
    again = active("again", {"reroll": {"dice": "all"}}, cooldown=0)
    game = position("122346", match(table=[again]), then=["223346", "122346"]).do("use again")
    assert (game.player, game.usable()) == (1, ["again"])


def test_other_cooldowns_are_left_alone_by_a_save() -> None:
    game = position("112346", match(mine=[DOUBLE]), then=[".12346"]).do("use double", "save a")
    assert (game.usable(), game.cooldowns()) == ([], [4])


# Percents and weights in parts


@pytest.mark.parametrize(
    ("percent", "points", "expected"),
    [(12.5, 1000, 125), (12.5, 999, 124), (-12.5, 999, -124), (0.5, 199, 0), (0.5, 200, 1), (33.3, 1000, 333)],
)
def test_percent_with_a_decimal_is_exact_and_rounds_toward_zero(percent: float, points: int, expected: int) -> None:
    config = match(mine=[modifier("it", "on_pass", {"percent": percent})])
    assert position("1.....", config, points=points - 100).do("pass a").totals[0] == points + expected


@pytest.mark.parametrize(
    ("written", "whole"),
    [
        ([1, 1, 1, 1, 1, 1], (1, 1, 1, 1, 1, 1)),
        ([2, 2, 2, 2, 2, 4], (2, 2, 2, 2, 2, 4)),
        ([0.5, 1, 1, 1, 1, 1.5], (1, 2, 2, 2, 2, 3)),
        ([0.1, 0.2, 0.3, 0, 0, 0.4], (1, 2, 3, 0, 0, 4)),
        ([2_000_000, 1_000_000, 0, 0, 0, 0], (2, 1, 0, 0, 0, 0)),
        ([16.67, 16.67, 16.67, 16.67, 16.66, 16.66], (1667, 1667, 1667, 1667, 1666, 1666)),
        ([1e-7, 1, 1, 1, 1, 1], (0, 1_000_000, 1_000_000, 1_000_000, 1_000_000, 1_000_000)),
    ],
)
def test_weights_are_any_numbers_in_their_proportion(written: list[float], whole: tuple[int, ...]) -> None:
    assert scaled(written) == whole
    assert error_of(written) <= 1e-6


def test_weights_that_cannot_be_kept_to_a_millionth_are_told(tmp_path: Path) -> None:
    weights = [1, 5.01e-7, 5.01e-7, 5.01e-7, 5.01e-7, 5.01e-7]
    assert error_of(weights) > 1e-6
    file = tmp_path / "mine.json"
    file.write_text(f'{{"dice": [{{"code": "x", "name": "X", "weights": {weights}}}]}}', encoding="utf-8")
    [told] = warnings(file)
    assert told.en.startswith(f"{file}: warning: dice.0.weights is taken as 1000000:1:1:1:1:1: the chance of a face")


def test_a_die_needs_no_more_than_a_code_a_name_and_weights() -> None:
    [die] = content_of({"dice": [{"code": "x", "name": "Bent", "weights": [0.5, 1, 1, 1, 1, 0.5]}]}, "").dice
    assert (die.id, die.weights) == ("bent", (1, 2, 2, 2, 2, 1))
    assert (
        die.desc.en.replace("\u00a0", " ")
        == "How often the faces fall: 1: 10 %, 2: 20 %, 3: 20 %, 4: 20 %, 5: 20 %, 6: 10 %."
    )
    config = {"content": {"dice": [{"code": "x", "name": "Bent", "weights": [1, 2, 2, 2, 2, 1]}]}}
    assert Config.read(config | {"players": [{"dice": "bent"}, {}]}).resolved().dice[0][0].id == "bent"


def test_rarity_is_any_word() -> None:
    [die] = content_of({"dice": [{"code": "x", "name": "X", "weights": [1] * 6, "rarity": "mythical"}]}, "").dice
    assert die.rarity == "mythical"
    assert {one.rarity for one in library().dice} == {"common", "uncommon", "rare", "legendary"}
