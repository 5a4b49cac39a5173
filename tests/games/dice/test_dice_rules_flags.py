"""Flags of content's own: how long they last and what uses them up; and content that is switched off."""

from __future__ import annotations

from typing import Any

import pytest
from dice_position import OWN_FLAGS, active, match, modifier, off, passive, position

#: Six dice that score nothing.
BUST = "223346"


def test_flags_are_set_cleared_and_asked_for_by_their_names() -> None:
    config = match(
        mine=[
            active("light", {"set_flag": "spark"}),
            active("blow", {"clear_flag": "spark"}),
            active("warm", {"add": 5}, {"not": {"flag": "spark"}}),
        ]
    )
    game = position("122346", config)
    assert game.usable() == ["light", "warm"]
    assert (game.do("use light").flags(), game.usable()) == (["spark"], ["blow"])
    assert (game.do("use blow").flags(), game.usable()) == ([], ["warm"])


def test_flags_belong_to_the_player_who_set_them() -> None:
    config = match(
        table=[active("light", {"set_flag": "spark"}), modifier("glow", "on_pass", {"add": 7}, {"flag": "spark"})]
    )
    game = position("122346", config, then=["122346", "122346"]).do("use light", "pass a", "pass a")
    assert (game.totals, game.flags(0), game.flags(1)) == ([107, 100], [], [])


# Until used


def test_a_flag_until_used_outlives_turns_and_busts() -> None:
    config = match(mine=[active("light", {"set_flag": "spark"})])
    game = position("122346", config, then=[".22346", "122346", "122346"]).do("use light", "save a")
    assert (game.player, game.flags(0)) == (1, ["spark"])
    assert game.do("pass a").flags(0) == ["spark"]


def test_a_flag_is_used_when_what_asks_for_it_does_something() -> None:
    config = match(mine=[passive("glow", "on_roll", {"add": 50}, {"flag": "spark"})])
    game = position("152346", config, then=[".12346", "..1346"], flags=["spark"]).do("save a")
    assert (game.points, game.flags(), game.fired("glow")) == (150, [], (1, 50))
    assert game.do("save b").points == 250, "it was used once"


def test_a_flag_is_not_used_by_what_finds_nothing_to_do() -> None:
    fives = {"set_face": {"dice": "showing", "face": 2, "to": 5}}
    config = match(mine=[passive("glow", "on_roll", fives, {"flag": "spark"})])
    game = position("152346", config, then=[".13346", "..2346"], flags=["spark"]).do("save a")
    assert (game.flags(), game.fired("glow")) == (["spark"], (0, 0))
    assert (game.do("save b").flags(), game.roll) == ([], "..5346")


def test_a_flag_is_not_used_by_a_condition_that_does_not_hold() -> None:
    both = {"all": [{"flag": "spark"}, {"of_a_kind": 3}]}
    config = match(mine=[passive("glow", "on_roll", {"add": 50}, both)])
    assert position("152346", config, then=[".12346"], flags=["spark"]).do("save a").flags() == ["spark"]


def test_a_flag_is_used_also_where_another_part_of_the_condition_would_have_done() -> None:
    either = {"any": [{"first_roll": True}, {"flag": "spark"}]}
    config = match(mine=[active("glow", {"add": 50}, either)])
    assert position("122346", config, flags=["spark"]).do("use glow").flags() == []


@pytest.mark.parametrize(
    ("condition", "flags", "left"),
    [
        ({"not": {"flag": "spark"}}, ["ember"], ["ember"]),
        ({"any": [{"not": {"flag": "spark"}}, {"first_roll": True}]}, ["spark"], ["spark"]),
        ({"not": {"not": {"flag": "spark"}}}, ["spark"], []),
        ({"not": {"all": [{"flag": "spark"}, {"not": {"flag": "ember"}}]}}, ["spark", "ember"], ["spark"]),
    ],
)
def test_a_flag_is_not_used_by_asking_that_it_is_not_there(condition: Any, flags: list[str], left: list[str]) -> None:
    config = match(
        mine=[active("glow", {"add": 50}, condition), active("light", [{"set_flag": "spark"}, {"set_flag": "ember"}])]
    )
    assert position("122346", config, flags=flags).do("use glow").flags() == left


def test_a_flag_is_used_before_the_effects_so_that_they_can_set_it_anew() -> None:
    config = match(mine=[passive("glow", "on_roll", [{"add": 50}, {"set_flag": "spark"}], {"flag": "spark"})])
    game = position("152346", config, then=[".12346", "..1346"], flags=["spark"]).do("save a", "save b")
    assert (game.points, game.flags()) == (300, ["spark"])


def test_what_asks_for_a_flag_may_only_take_it_away() -> None:
    config = match(mine=[active("blow", {"clear_flag": "spark"}, {"flag": "spark"})])
    game = position("122346", config, flags=["spark"])
    assert (game.usable(), game.do("use blow").flags(), game.fired("blow")) == (["blow"], [], (1, 0))


def test_the_flags_with_rules_of_their_own_are_not_used_by_asking() -> None:
    config = match(mine=[active("look", {"add": 50}, {"flag": "bust_shield"})])
    assert position("122346", config, flags=["bust_shield"]).do("use look").flags() == ["bust_shield"]


# For a time


def test_a_flag_for_the_turn_ends_with_it() -> None:
    config = match(
        mine=[active("light", {"set_flag": "brief"}), modifier("glow", "on_roll", {"add": 5}, {"flag": "brief"})]
    )
    game = position("152346", config, then=[".12346", "..1346", "122346"]).do("use light", "save a", "save b")
    assert (game.points, game.flags()) == (210, ["brief"]), "asking does not use it"
    assert game.do("pass c").flags(0) == []


def test_a_flag_for_the_turn_ends_with_a_bust_too() -> None:
    config = match(mine=[active("light", {"set_flag": "brief"})])
    game = position("152346", config, then=[".22346"]).do("use light", "save a")
    assert (game.player, game.flags(0)) == (1, [])


def test_a_flag_for_n_turns_counts_those_of_both_players_and_the_one_it_is_set_in() -> None:
    """Set for three turns it is there in the player's next turn, and not in the other's after that."""
    assert OWN_FLAGS["long"] == 3
    config = match(mine=[active("light", {"set_flag": "long"}, cooldown=9)])
    game = position("122346", config).do("use light")
    found = [game.flags(0)]
    for _ in range(3):
        found.append(game.do("pass a").flags(0))
    assert found == [["long"], ["long"], ["long"], []]


def test_a_flag_set_again_lasts_as_long_as_if_it_were_set_now() -> None:
    config = match(mine=[active("light", {"set_flag": "long"}, cooldown=1)])
    game = position("122346", config).do("use light", "pass a", "pass a")
    assert game.usable() == ["light"], "one turn is left, three would be"
    game.do("use light", "pass a", "pass a")
    assert (game.player, game.flags(0)) == (0, ["long"])
    game.s.flag_turns[0, 2], game.s.cooldown[0] = 3, 0
    assert game.usable() == [], "it would last no longer"


def test_a_flag_for_a_time_can_be_cleared_and_set_anew() -> None:
    config = match(mine=[active("light", {"set_flag": "long"}, cooldown=1), active("blow", {"clear_flag": "long"})])
    game = position("122346", config, flags=["long"]).do("use blow")
    assert (game.flags(), list(game.s.flag_turns[0])[:3]) == ([], [0, 0, 0])
    assert (game.do("use light").flags(), list(game.s.flag_turns[0])[:3]) == (["long"], [0, 0, 3])


# Switched off


@pytest.mark.parametrize("by_file", [True, False])
def test_what_is_switched_off_does_nothing(by_file: bool) -> None:
    def turned_off(entry: Any) -> Any:
        return {**entry, "enabled": False} if by_file else off(entry)

    config = match(
        table=[turned_off(modifier("tax", "on_pass", {"add": -50}))],
        mine=[turned_off(active("gift", {"add": 50})), turned_off(passive("tip", "on_save", {"add": 9}))],
    )
    game = position("122346", config)
    assert game.legal() == ["save a", "pass a"]
    assert game.do("pass a").totals == [100, 0]
    assert [game.fired(name) for name in ("tax", "gift", "tip")] == [(0, 0)] * 3


def test_what_a_file_switches_off_a_match_can_switch_on() -> None:
    gift = {**active("gift", {"add": 50}), "enabled": False}
    config = match(mine=[gift])
    assert position("122346", config).usable() == []
    data = config.model_dump(mode="json")
    data["players"][0]["items"] = [{"id": "own_gift", "enabled": True}]
    assert position("122346", type(config).read(data)).usable() == ["gift"]


def test_what_is_switched_off_for_one_player_works_for_the_other() -> None:
    gift = active("gift", {"add": 50})
    config = match(mine=[off(gift)], theirs=[gift])
    assert position("122346", config).usable() == []
    assert position("122346", config, player=1).usable() == ["gift"]
