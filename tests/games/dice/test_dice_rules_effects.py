"""Content at work: what effects do, which dice they mean, and items that a player uses."""

from __future__ import annotations

from typing import Any

import pytest
from dice_position import (
    DOUBLE,
    FLAGS,
    LETTERS,
    SHIELD,
    Data,
    Position,
    active,
    match,
    modifier,
    passive,
    position,
)

#: Six dice that score nothing.
BUST = "223346"


def only(face: int) -> list[int]:
    """The weights of a die that always falls on a face."""
    return [int(face == other) for other in range(1, 7)]


def after_roll(effect: Any, roll: str, **where: Any) -> Position:
    """The position after a throw with a passive item waiting for it; a one was saved before."""
    config = match(mine=[passive("it", "on_roll", effect)])
    return position("1" + 5 * "2", config, then=["." + roll], **where).do("save a")


def after_save(effect: Any, dice: str = "a", roll: str = "115...", **where: Any) -> Position:
    """The position after a save with a passive item waiting for it."""
    return position(roll, match(mine=[passive("it", "on_save", effect)]), then=["......"], **where).do(f"save {dice}")


def used(effect: Any, roll: str, *choice: str, then: Any = (), more: Any = (), **where: Any) -> Position:
    """The position after an item was used, for some dice or for none."""
    config = match(mine=[active("it", effect), *more])
    return position(roll, config, then=then, **where).do("use it", *choice)


def test_add_gives_and_takes() -> None:
    assert after_roll({"add": 25}, "52346").points == 125
    assert after_roll({"add": -300}, "52346").points == -200
    assert after_save({"add": 25}).points == 125
    assert used({"add": 25}, "122346", points=50).points == 75


def test_add_per_die_of_the_roll() -> None:
    assert after_roll({"add_per_die": {"face": 5, "points": 25}}, "55346").points == 150
    assert after_roll({"add_per_die": {"face": 6, "points": -10}}, "56666").points == 60
    assert after_roll({"add_per_die": {"face": 1, "points": 25}}, "55346").points == 100, "banked dice do not count"
    assert used({"add_per_die": {"face": 2, "points": 25}}, "122346").points == 50


def test_percent_is_of_the_turn_points_so_far() -> None:
    assert after_roll({"percent": 10}, "52346", points=205).points == 305 + 30
    assert after_roll({"percent": -10}, "52346", points=205).points == 305 - 30
    assert after_roll({"percent": -10}, "52346", points=-405).points == -305 + 30
    assert after_save({"percent": 10}, points=205).points == 305 + 30
    assert used({"percent": 50}, "122346", points=205).points == 205 + 102


def test_multiply_save_multiplies_the_base_of_this_save_alone() -> None:
    assert after_save({"multiply_save": 3}, points=500).points == 800
    assert after_save({"multiply_save": 2}, "ab", points=500).points == 900


def test_multiply_save_multiplies_a_doubled_base() -> None:
    assert after_save({"multiply_save": 3}, flags=["double_next_save"]).points == 600


def test_multiply_save_leaves_what_other_items_added() -> None:
    config = match(mine=[passive("a", "on_save", {"add": 7}), passive("b", "on_save", {"multiply_save": 2})])
    assert position("1.....", config).do("pass a").totals[0] == 207


def test_two_multiplications_of_a_save_multiply() -> None:
    config = match(
        table=[passive("a", "on_save", {"multiply_save": 2})], mine=[passive("b", "on_save", {"multiply_save": 3})]
    )
    assert position("1.....", config).do("pass a").totals[0] == 600


@pytest.mark.parametrize("flag", FLAGS)
def test_set_flag_and_clear_flag_are_the_players_own(flag: str) -> None:
    other = {1: [flag]}
    assert used({"set_flag": flag}, "122346").flags() == [flag]
    game = used({"clear_flag": flag}, "122346", flags={0: FLAGS, **other})
    assert (game.flags(0), game.flags(1)) == ([name for name in FLAGS if name != flag], [flag])


def test_a_flag_set_on_save_waits_for_the_next_save() -> None:
    config = match(mine=[passive("it", "on_save", {"set_flag": "double_next_save"})])
    game = position("152346", config, then=[".52346"]).do("save a")
    assert game.points == 100
    assert game.do("pass b").totals == [200, 0]


def test_a_shield_raised_on_save_helps_at_once() -> None:
    config = match(mine=[passive("it", "on_save", {"set_flag": "bust_shield"})])
    game = position("152346", config, then=[".22346", ".52346"]).do("save a")
    assert (game.player, game.points, game.flags()) == (0, 100, [])


def test_a_shield_raised_by_a_roll_that_scores_waits_for_the_next_bust() -> None:
    config = match(mine=[passive("it", "on_roll", {"set_flag": "bust_shield"}, {"scores": True})])
    game = position("152346", config, then=[".52346", "..2346", "..5346"]).do("save a")
    assert game.flags() == ["bust_shield"]
    assert (game.do("save b").player, game.points, game.s.rolls) == (0, 150, 4)


# Dice that effects mean


@pytest.mark.parametrize(
    ("which", "dice"),
    [
        ({"dice": "all"}, "abdef"),
        ({"dice": "lowest"}, "e"),
        ({"dice": "lowest", "count": 2}, "be"),
        ({"dice": "lowest", "count": 3}, "bde"),
        ({"dice": "lowest", "count": 6}, "abdef"),
        ({"dice": "highest"}, "a"),
        ({"dice": "highest", "count": 2}, "af"),
        ({"dice": "highest", "count": 3}, "abf"),
        ({"dice": "showing", "face": 3}, "bd"),
        ({"dice": "showing", "face": 1}, "e"),
    ],
)
def test_dice_thrown_again(which: Data, dice: str) -> None:
    """Of equal faces those whose positions come first; the dice show 6 3 (banked) 3 1 5."""
    game = position("63.315", match(mine=[active("it", {"reroll": which})]), then=["11.111"])
    game.do("use it")
    assert game.throws() == [(0, dice, "".join("1" if place in dice else face for place, face in lying("63.315")))]
    assert (game.player, game.s.rolls) == (0, 2)


def lying(roll: str) -> Any:
    return zip(LETTERS, roll, strict=True)


def test_dice_that_do_not_show_the_face_are_not_thrown() -> None:
    effect = [{"reroll": {"dice": "showing", "face": 5}}, {"add": 5}]
    game = used(effect, "122346", more=[modifier("m", "on_roll", {"add": 10})])
    assert (game.roll, game.s.rolls, game.points, game.throws()) == ("122346", 1, 5, [])


@pytest.mark.parametrize(("count", "options"), [(1, 3), (2, 6), (3, 7), (6, 7)])
def test_chosen_dice_are_up_to_so_many_of_those_on_the_table(count: int, options: int) -> None:
    game = used({"reroll": {"dice": "chosen", "count": count}}, "1..24.")
    assert len(game.legal()) == options
    assert game.legal()[:3] == ["choose a", "choose d", "choose ad"][: 3 - (count == 1)] + ["choose e"] * (count == 1)
    assert all(set(option.removeprefix("choose ")) <= set("ade") for option in game.legal())
    assert game.counted_ids() == game.legal_ids()


def test_chosen_dice_are_thrown_again_and_the_others_lie_still() -> None:
    game = used({"reroll": {"dice": "chosen", "count": 2}}, "122346", "choose bd", then=["151515"])
    assert game.throws() == [(0, "bd", "152546")]
    assert (game.player, game.s.choosing, game.cooldowns()) == (0, 0, [4])


def test_dice_are_chosen_once_for_all_effects() -> None:
    both = [
        {"set_weights": {"dice": "chosen", "count": 2, "weights": only(5)}},
        {"reroll": {"dice": "chosen", "count": 2}},
    ]
    game = used(both, "122346", "choose bd")
    assert (game.roll, game.player) == ("152546", 0)


# Throwing again is a roll


def test_a_reroll_can_bust() -> None:
    game = used({"reroll": {"dice": "all"}}, "122346", then=[BUST], points=400, totals=[100, 0])
    assert (game.player, game.points, game.totals, game.s.turns) == (1, 0, [100, 0], 2)


def test_a_reroll_busts_only_if_nothing_on_the_table_scores() -> None:
    lowest = {"reroll": {"dice": "highest", "count": 2}}
    game = used(lowest, "122346", then=["....24"], points=400)
    assert (game.player, game.points, game.roll) == (0, 400, "122324")
    one = {"reroll": {"dice": "lowest"}}
    assert used(one, "122346", then=["2....."]).player == 0, "three twos now"
    assert used(one, "122346", then=["4....."]).player == 1


def test_a_shield_throws_the_same_dice_again_after_a_reroll() -> None:
    game = used({"reroll": {"dice": "lowest"}}, "122346", then=["3.....", "5....."], points=400, flags=["bust_shield"])
    assert game.throws() == [(0, "a", "322346"), (0, "a", "522346")]
    assert (game.player, game.points, game.flags(), game.s.rolls) == (0, 400, [], 3)


def test_on_roll_effects_fire_again_after_a_reroll() -> None:
    count = modifier("count", "on_roll", {"add_per_die": {"face": 5, "points": 25}})
    game = used({"reroll": {"dice": "highest"}}, "152346", then=[".....5"], more=[count])
    assert (game.points, game.fired("count")) == (25, (1, 25)), "the five that was thrown; the other lay there"
    game = used(
        {"reroll": {"dice": "lowest"}}, "122346", then=["3.....", "5....."], more=[count], flags=["bust_shield"]
    )
    assert (game.points, game.fired("count")) == (25, (1, 25)), "the roll behind the shield has a five"


def test_all_dice_an_item_throws_again_are_one_throw() -> None:
    both = [{"reroll": {"dice": "lowest"}}, {"reroll": {"dice": "highest", "count": 2}}]
    assert used(both, "122346", then=["5...12"]).throws() == [(0, "aef", "522312")]


def test_points_of_an_item_come_before_its_throw() -> None:
    effect = [{"reroll": {"dice": "all"}}, {"add": 50}]
    assert used(effect, "122346", then=["152346"], more=[modifier("m", "on_roll", {"percent": 100})]).points == 100
    assert used(effect, "122346", then=[BUST]).points == 0


def test_a_reroll_of_hot_dice_does_not_come_from_hot_dice() -> None:
    heat = modifier("heat", "on_roll", {"add": 7}, {"hot_dice": True})
    game = used({"reroll": {"dice": "all"}}, "122346", then=["152346"], more=[heat], hot=True)
    assert (game.points, bool(game.s.hot)) == (0, False)


# Setting a face


def test_set_face_turns_dice_and_wakes_nothing() -> None:
    game = used({"set_face": {"dice": "lowest", "to": 5}}, "122336", more=[modifier("m", "on_roll", {"add": 9})])
    assert (game.roll, game.sets(), game.points, game.s.rolls) == ("522336", ["a"], 0, 1)


def test_set_face_of_the_dice_showing_a_face() -> None:
    assert after_roll({"set_face": {"dice": "showing", "face": 2, "to": 5}}, "22516").roll == ".55516"


def test_set_face_of_the_highest_dice() -> None:
    game = used({"set_face": {"dice": "highest", "count": 2, "to": 1}}, "122346")
    assert (game.roll, "aef" in game.sets()) == ("122311", True)


def test_set_face_cannot_bust_so_it_is_not_made_if_nothing_would_score() -> None:
    game = used([{"set_face": {"dice": "lowest", "to": 3}}, {"add": 5}], "122346")
    assert (game.roll, game.player, game.fired("it")) == ("122346", 0, (1, 5))
    assert after_roll({"set_face": {"dice": "showing", "face": 5, "to": 4}}, "52346").roll == ".52346"
    assert after_roll({"set_face": {"dice": "showing", "face": 5, "to": 4}}, "51346").roll == ".41346"


def test_set_face_is_made_where_nothing_scores_anyway() -> None:
    game = after_roll({"set_face": {"dice": "showing", "face": 2, "to": 3}}, "22446")
    assert (game.player, game.fired("it")) == (1, (1, 0))


def test_set_face_of_chosen_dice_is_not_offered_where_nothing_would_score() -> None:
    effect = {"set_face": {"dice": "chosen", "count": 2, "to": 3}}
    game = used(effect, "1..346")
    assert [option.removeprefix("choose ") for option in game.legal()] == ["e", "ae", "de", "f", "af", "df", "ef"]
    assert game.do("choose af").roll == "3..343"
    assert used(effect, "1...46").legal() == ["choose e", "choose f", "choose ef"]


def test_set_face_of_chosen_dice_is_not_usable_if_no_choice_is_left() -> None:
    game = position("1.....", match(mine=[active("it", {"set_face": {"dice": "chosen", "to": 4}})]))
    assert game.usable() == []
    assert position("14.4..", game.config).usable() == ["it"]


# Changing weights


def test_set_weights_lasts_for_the_turn() -> None:
    effect = {"set_weights": {"dice": "all", "weights": only(5)}}
    game = used(effect, "122346", then=6 * ["122346"])
    assert game.roll == "122346", "what lies on the table stays"
    assert game.do("save a").roll == ".55555"
    assert game.do("save bcdef").roll == "555555", "hot dice too"
    assert game.do("pass a").roll == "122346", "the other player's dice are as they were"
    assert game.do("pass a").roll == "122346", "and so are the player's own in the next turn"


def test_set_weights_ends_with_a_bust_too() -> None:
    game = used({"set_weights": {"dice": "all", "weights": only(2)}}, "1.3...", then=["......", "122346", "152346"])
    assert (game.do("save a").player, game.roll) == (1, "122346")
    assert (game.do("pass a").player, game.roll) == (0, "152346")


def test_set_weights_is_for_dice_on_the_table_only() -> None:
    game = used({"set_weights": {"dice": "all", "weights": only(5)}}, "1..2..", then=["222266", "122266"])
    assert game.do("save a").roll == "...5.."
    assert game.do("save d").roll == "522566", "the banked ones come back as they were"


@pytest.mark.parametrize(
    ("which", "roll"),
    [
        ({"dice": "lowest", "count": 2}, "522256"),
        ({"dice": "highest"}, "152236"),
        ({"dice": "showing", "face": 3}, "122536"),
        ({"dice": "all"}, "555555"),
    ],
)
def test_set_weights_of_some_dice(which: Data, roll: str) -> None:
    """The dice lie 2 6 4 3 1 5; those not meant fall on 1 2 2 2 3 6."""
    effect = [{"set_weights": {**which, "weights": only(5)}}, {"reroll": {"dice": "all"}}]
    assert used(effect, "264315", then=["122236"]).roll == roll


def test_weights_of_several_dice_are_changed_one_after_another() -> None:
    effect = [
        {"set_weights": {"dice": which, "weights": only(face)}} for which, face in (("lowest", 5), ("highest", 6))
    ]
    assert used([*effect, {"reroll": {"dice": "all"}}], "264315", then=["122233"]).roll == "162253"


def test_the_last_weights_count() -> None:
    effect = [{"set_weights": {"dice": "all", "weights": only(face)}} for face in (4, 5)]
    assert used([*effect, {"reroll": {"dice": "all"}}], "122346").roll == "555555"


def test_set_weights_on_save_is_for_the_throw_that_follows() -> None:
    config = match(
        mine=[passive("it", "on_save", {"set_weights": {"dice": "highest", "count": 2, "weights": only(5)}})]
    )
    game = position("122346", config, then=[".33333"]).do("save a")
    assert game.roll == ".33355"


def test_on_save_the_dice_just_saved_lie_on_the_table_no_more() -> None:
    """Of 6 6 6 5 2 3 the sixes are saved; the highest die that is left is the five."""
    load = {"set_weights": {"dice": "highest", "weights": only(1)}}
    config = match(mine=[passive("it", "on_save", load)])
    assert position("666523", config, then=["...333"]).do("save abc").roll == "...133"
    every = match(mine=[passive("it", "on_save", {"set_weights": {"dice": "all", "weights": only(5)}})])
    game = position("111222", every, then=["122346"]).do("save abcdef")
    assert (game.roll, game.fired("it")) == ("122346", (0, 0)), "nothing was left to load"


# Items that a player uses


def test_an_item_is_used_after_a_roll_that_scores_and_before_saving() -> None:
    game = position("152346", match(mine=[DOUBLE]), then=[".52346"])
    assert game.usable() == ["double"]
    assert game.do("save a").usable() == ["double"]
    assert game.do("use double").usable() == []
    assert (game.player, game.roll, game.s.rolls) == (0, ".52346", 2)


def test_an_item_that_rests_cannot_be_used() -> None:
    config = match(mine=[DOUBLE, SHIELD])
    assert position("122346", config, cooldowns={"double": 1}).usable() == ["shield"]


@pytest.mark.parametrize(
    ("effect", "where", "offered"),
    [
        ({"reroll": {"dice": "showing", "face": 5}}, {}, False),
        ({"reroll": {"dice": "showing", "face": 2}}, {}, True),
        ({"set_flag": "bust_shield"}, {}, True),
        ({"set_flag": "bust_shield"}, {"flags": ["bust_shield"]}, False),
        ({"clear_flag": "bust_shield"}, {}, False),
        ({"clear_flag": "bust_shield"}, {"flags": ["bust_shield"]}, True),
        ({"percent": 10}, {}, False),
        ({"percent": 10}, {"points": 9}, False),
        ({"percent": 10}, {"points": 10}, True),
        ({"add_per_die": {"face": 5, "points": 10}}, {}, False),
        ({"add_per_die": {"face": 2, "points": 10}}, {}, True),
        ({"set_face": {"dice": "lowest", "to": 1}}, {}, False),
        ({"set_face": {"dice": "lowest", "to": 3}}, {}, False),
        ({"set_face": {"dice": "lowest", "to": 5}}, {}, True),
        ({"set_face": {"dice": "lowest", "to": 5}}, {"locked": "a"}, True),
        ({"lock": {"dice": "lowest"}}, {"locked": "abcdef"}, False),
        ({"reroll": {"dice": "all"}}, {"locked": "abcdef"}, False),
        ({"reroll": {"dice": "chosen"}}, {"locked": "abcdef"}, False),
        ([{"percent": 10}, {"add": 1}], {}, True),
    ],
)
def test_an_item_that_would_do_nothing_is_not_offered(effect: Any, where: Any, offered: bool) -> None:
    game = position("122346", match(mine=[active("it", effect)]), **where)
    assert (game.usable() == ["it"]) == offered
    assert game.counted_ids() == game.legal_ids()


def test_an_item_that_has_loaded_all_dice_is_not_offered_again() -> None:
    game = used({"set_weights": {"dice": "all", "weights": only(5)}}, "122346", cooldowns={})
    game.s.cooldown[0] = 0
    assert game.usable() == []


def test_choices_that_would_do_nothing_are_not_offered() -> None:
    game = used({"set_face": {"dice": "chosen", "to": 1}}, "15....")
    assert game.legal() == ["choose b"], "the other shows a one already"


def test_the_condition_of_use_is_asked_at_every_decision() -> None:
    config = match(mine=[active("it", {"add": 1}, {"turn_points": {"at_least": 100}})])
    game = position("152346", config, then=[".52346"])
    assert game.usable() == []
    assert game.do("save a").usable() == ["it"]


def test_several_items_can_be_used_in_one_turn_each_once() -> None:
    game = position("122346", match(table=[SHIELD], mine=[DOUBLE, active("coin", {"add": 5}, cooldown=1)]))
    game.do("use coin", "use shield", "use double")
    assert (game.usable(), game.points, game.flags()) == ([], 5, ["bust_shield", "double_next_save"])


def test_items_are_offered_in_their_order_with_the_tables_first() -> None:
    game = position("122346", match(table=[SHIELD], mine=[DOUBLE, active("coin", {"add": 5})]))
    assert game.legal() == ["save a", "pass a", "use shield", "use double", "use coin"]
    assert game.counted_ids() == game.legal_ids()


def test_the_two_items_of_the_page_are_in_the_library() -> None:
    config = match(mine=["bust_shield", "double_next_save"])
    game = position("152346", config, then=[".22346", ".52346"]).do("use bust_shield", "use double_next_save", "save a")
    assert (game.player, game.points, game.flags()) == (0, 200, [])


def test_content_carries_points_no_further_than_a_million() -> None:
    tenfold = match(mine=[modifier("m", "on_roll", {"percent": 1000})])
    assert position("152346", tenfold, then=[".52346"], points=200_000).do("save a").points == 1_000_000
    assert position("152346", tenfold, then=[".52346"], points=-200_000).do("save a").points == -1_000_000


def test_statistics_count_what_fired_and_what_it_moved() -> None:
    config = match(
        table=[modifier("tax", "on_pass", {"percent": -10})],
        mine=[modifier("fives", "on_roll", {"add_per_die": {"face": 5, "points": 25}}), SHIELD],
    )
    game = position("152346", config, then=[".52346", "..2251", "152346"]).do("save a")
    assert (game.fired("fives"), game.fired("tax")) == ((1, 25), (0, 0))
    game.do("use shield", "save b", "pass e")
    assert game.fired("fives") == (2, 50)
    assert game.fired("shield") == (1, 0)
    assert game.fired("tax") == (1, -25), "−10 % of 250"
    assert game.totals == [225, 0]


def test_what_finds_nothing_to_do_has_not_fired() -> None:
    fives, share = {"add_per_die": {"face": 5, "points": 25}}, {"percent": 1}
    config = match(mine=[modifier("fives", "on_roll", fives), modifier("share", "on_roll", share)])
    game = position("122346", config, then=[".12346"], points=-1).do("save a")
    assert (game.fired("fives"), game.fired("share")) == ((0, 0), (0, 0))


def test_a_doubled_save_is_put_down_to_what_set_the_flag() -> None:
    game = position("152346", match(mine=[SHIELD, DOUBLE]), then=[".52346"]).do("use double", "use shield")
    assert (game.fired("shield"), game.fired("double")) == ((1, 0), (1, 0))
    game.do("save a")
    assert (game.fired("shield"), game.fired("double")) == ((1, 0), (1, 100))
