"""Turning cards over: what each card needs, what its front gives, one a round; and the score."""

from __future__ import annotations

from typing import Any

import pytest
from save_oneself_position import CARDS, FACES, position

#: The fronts' lives and points, by the page.
LIVES = {"vines": 2, "hook": 3, "water": 2, "palm-trees": 2, "pig": 3}
POINTS = {
    "shelter": 2,
    "torch": 2,
    "spear": 2,
    "message": 3,
    "lit-beacon": 7,
    "ship-sighted": 1,
    "sos": 5,
    "treasure": 10,
}


def offered(field: str, **fields: Any) -> list[str]:
    """The cards that may be turned over at the end of a round in which the player ends up where the star is."""
    game = position(field, moved=True, **fields).do("waive")
    if game.asked != "turn":
        assert (game.asked, game.s.rounds) == ("move", 2), "the phase was skipped"
        return []
    *cards, skip = game.legal()
    assert skip == "skip"
    return [card.removeprefix("turn ") for card in cards]


# What each card needs

#: For each card fields on which it is the only one that may be turned over, and fields on which it may not.
NEEDS = {
    "vines": (["vines* palm-trees", "vines rum* palm-trees"], ["vines* coconuts", "vines* pig", "shelter* palm-trees"]),
    "hook": (["hook* water", "hook rum* water"], ["hook* waterfall", "hook* pig", "fish* water"]),
    "water": (["water* telescope", "water rum* telescope"], ["water* ship-sighted", "waterfall* telescope"]),
    "flint": (["flint* vines", "flint rum* vines"], ["flint* shelter", "flint* pig", "torch* vines"]),
    "palm-trees": (["palm-trees* rocks", "palm-trees rum* rocks"], ["palm-trees* sos", "coconuts* rocks"]),
    "sticks": (["sticks* flint", "sticks rum* flint"], ["sticks* torch", "sticks* pig", "spear* flint"]),
    "higher-ground": (
        ["higher-ground* torch", "torch rum higher-ground*"],
        ["higher-ground torch*", "higher-ground* flint", "higher-ground* pig", "lit-beacon* torch"],
    ),
    "telescope": (
        ["telescope higher-ground*", "telescope rum higher-ground*"],
        ["telescope* higher-ground", "telescope lit-beacon*", "telescope* rum", "ship-sighted higher-ground*"],
    ),
    "rocks": (
        ["rocks higher-ground*", "rocks rum higher-ground*"],
        ["rocks* higher-ground", "rocks lit-beacon*", "rocks* rum", "sos higher-ground*"],
    ),
    "pig": (["pig* spear", "pig rum* spear"], ["pig* sticks", "pig* rum", "meat* spear"]),
}


@pytest.mark.parametrize("card", NEEDS)
def test_card_may_be_turned_over_when_its_condition_holds(card: str) -> None:
    holds, fails = NEEDS[card]
    for field in holds:
        assert offered(field) == [card]
    for field in fails:
        assert offered(field) == [], field


@pytest.mark.parametrize("card", NEEDS)
def test_card_still_in_the_deck_is_neither_turned_nor_a_condition(card: str) -> None:
    for field in NEEDS[card][0]:
        sides = field.split()
        for absent in (side for side in sides if "rum" not in side and not side.endswith("*")):
            assert offered(field.replace(absent, "treasure")) == []


def test_higher_ground_that_has_become_a_beacon_is_no_higher_ground() -> None:
    assert offered("lit-beacon* rocks telescope torch") == []
    assert offered("higher-ground* rocks telescope torch") == ["higher-ground", "telescope", "rocks"]


@pytest.mark.parametrize(
    ("field", "first", "second"),
    [
        ("hook* water telescope", "water", "hook"),
        ("water higher-ground* telescope", "telescope", "water"),
        ("flint* vines palm-trees", "vines", "flint"),
        ("vines* palm-trees rocks", "palm-trees", "vines"),
        ("palm-trees higher-ground* rocks", "rocks", "palm-trees"),
        ("sticks* flint vines", "flint", "sticks"),
        ("rocks higher-ground* torch", "higher-ground", "rocks"),
    ],
)
def test_side_that_is_turned_away_is_no_condition_any_more(field: str, first: str, second: str) -> None:
    game = position(field, turning=True)
    assert {f"turn {first}", f"turn {second}"} <= set(game.legal())
    assert second not in offered(game.do(f"turn {first}").field())


# The ship's card


def test_bottle_needs_a_ship_at_its_start_not_yet_under_way() -> None:
    assert offered("bottle* rum", ship="NE -1,2 waiting") == ["bottle"]
    assert offered("bottle rum*", ship="SW 1,-1 waiting") == ["bottle"]
    assert offered("bottle* rum", ship="NE -1,2") == [], "under way, though still there"
    assert offered("bottle* rum", ship="NE 0,2") == []
    assert offered("bottle* rum") == []
    assert offered("message* rum", ship="NE -1,2 waiting") == []


def test_bottle_may_be_turned_in_the_round_the_ship_comes_and_not_in_the_next() -> None:
    game = position("bottle* rum", deck="hook").do("south")
    assert (game.asked, game.legal()) == ("turn", ["turn bottle", "skip"])
    late = game.again().do("skip", "north")
    assert late.asked == "move" and late.up("bottle")
    game.do("turn bottle")
    assert game.up("message") and game.ship == "NE -1,2"


def test_bottle_may_be_turned_at_the_second_ship() -> None:
    game = position("bottle* compass", deck="hook", moves=2).do("south", "waive")
    assert game.legal() == ["turn bottle", "skip"]


# The maps


@pytest.mark.parametrize(
    ("field", "crossed"),
    [
        ("map-r flint* / pig map-c", True),
        ("map-r flint / pig* map-c", False),
        ("map-r* flint / pig map-c", False),
        ("map-r flint / pig map-c*", False),
        ("map-c flint / pig* map-r", True),
        ("map-c flint* / pig map-r", False),
        ("flint map-r / map-c pig*", False),
        ("flint* map-r / map-c pig", True),
        ("map-r map-c*", True),
        ("map-r* map-c", False),
        ("map-r* / map-c", True),
        ("map-r / map-c*", False),
        ("map-r flint pig* bottle / - - - map-c", False),
        ("map-r flint pig bottle* / - - - rocks / - - - map-c", True),
        ("map-r flint pig bottle / - - - rocks* / - - - map-c", False),
        ("map-r flint*", False),
        ("map-c flint*", False),
        ("map-r* flint", False),
        ("map-c* flint", False),
        ("rum flint* / pig treasure", False),
    ],
)
def test_maps_need_the_row_of_map_r_and_the_column_of_map_c(field: str, crossed: bool) -> None:
    assert offered(field) == ["map-r"] * crossed


def test_maps_turn_together_for_1_life_in_all() -> None:
    game = position("map-r flint* / pig map-c", turning=True).do("turn map-r")
    assert game.field() == "rum flint* / pig treasure"
    assert (game.lives, game.overturned()) == (11, {"map-r", "map-c"})


def test_maps_are_one_option_whatever_they_need() -> None:
    change = ['cards.map-r.needs=[{"kind":"up","side":"pig"}]']
    assert offered("map-r* pig / map-c -", changes=change) == ["map-r"]
    assert offered("map-r* pig", changes=change) == [], "one map does not turn alone"
    assert offered("map-c* pig", changes=change) == []


# Cards that turn by themselves


def test_storm_and_pirates_are_never_turned_by_the_player() -> None:
    field = (
        "storm pirates shelter fish / waterfall torch coconuts spear / message lit-beacon ship-sighted sos* / "
        "meat sea-serpent rum treasure"
    )
    assert offered(field, ship="NE -1,4 waiting") == []
    assert offered(field.replace("sos*", "sos").replace("storm", "storm*")) == []


# All at once


def test_all_cards_that_may_be_turned_are_offered_with_skip() -> None:
    field = "vines hook water flint / palm-trees sticks bottle higher-ground* / telescope rocks spear pig / map-r map-c"
    game = position(field.replace("sticks", "-"), moved=True, ship="NE -1,4 waiting").do("waive")
    wanted = "vines hook water flint palm-trees bottle telescope rocks pig"
    assert game.legal() == [*(f"turn {card}" for card in wanted.split()), "skip"]


def test_twelve_cards_are_the_most() -> None:
    """Three turn by themselves, and the maps are one."""
    free = [card for card in CARDS if card not in ("storm", "mirage", "pirates", "map-c", "rocks")]
    changes = [f'cards.{card}.needs=[{{"kind":"up","side":"rocks"}}]' for card in free]
    field = "vines hook water flint / palm-trees sticks bottle higher-ground* / telescope rocks pig map-r / map-c"
    assert offered(field, changes=changes) == [card for card in CARDS if card in (*free, "rocks")]


# What turning over brings


@pytest.mark.parametrize("card", NEEDS)
@pytest.mark.parametrize(("lives", "room"), [(5, 11), (13, 3), (14, 2), (15, 1), (16, 0)])
def test_front_gives_its_lives_up_to_16(card: str, lives: int, room: int) -> None:
    game = position(NEEDS[card][0][0], turning=True, lives=lives).do(f"turn {card}")
    assert game.lives == lives + min(LIVES.get(card, 0), room)


@pytest.mark.parametrize("card", NEEDS)
def test_turning_over_turns_that_card_alone_and_skipping_none(card: str) -> None:
    field = NEEDS[card][0][1]
    start = position(field, turning=True)
    turned = start.again().do(f"turn {card}")
    assert turned.field() == field.replace(card, FACES[card])
    assert turned.overturned() - start.overturned() == {card}
    assert (turned.asked, turned.s.rounds) == ("move", 2)
    skipped = start.again().do("skip")
    assert (skipped.field(), skipped.lives, skipped.overturned()) == (field, 10, start.overturned())
    assert (skipped.asked, skipped.s.rounds) == ("move", 2)


def test_one_card_a_round() -> None:
    game = position("hook* water telescope", turning=True)
    assert game.legal() == ["turn hook", "turn water", "skip"]
    game.do("turn hook")
    assert (game.asked, game.s.rounds, game.up("fish", "water")) == ("move", 2, True)
    game.do("east")
    assert game.legal() == ["turn water", "skip"], "the other one a round later"


def test_turning_over_is_no_entering() -> None:
    assert position("pig* spear", turning=True).do("turn pig").lives == 13
    assert position("pig* rocks", moved=True).do("waive").lives == 9


def test_spear_turned_now_protects_from_the_next_round_on() -> None:
    game = position("sticks flint* pig", turning=True).do("turn sticks", "east")
    assert game.lives == 9
    assert game.legal() == ["turn pig", "skip"]


def test_phase_without_options_is_skipped() -> None:
    game = position("flint* rocks").do("east")
    assert (game.asked, game.s.rounds) == ("move", 2)


def test_card_is_turned_before_the_ship_sails() -> None:
    game = position("rocks higher-ground*", ship="NE -1,2", turning=True).do("turn rocks")
    assert game.asked == "won: sos"
    assert position("rocks higher-ground*", ship="NE -1,2", turning=True).do("skip").asked == "move"


# Score


@pytest.mark.parametrize("back", CARDS)
def test_front_scores_its_points_and_back_none(back: str) -> None:
    other = "flint" if back != "flint" else "pig"
    front = FACES[back]
    assert position(f"{front}* {other}", lives=7).score() == 7 + POINTS.get(front, 0)
    if back != "mirage":
        assert position(f"{back}* {other}", lives=7).score() == 7


@pytest.mark.parametrize(
    ("cards", "points"), [(1, 0), (3, 0), (4, 1), (7, 1), (8, 2), (11, 2), (12, 3), (15, 3), (16, 4)]
)
def test_every_4_cards_placed_score_a_point(cards: int, points: int) -> None:
    names = ["vines*", *(card for card in CARDS[1:cards])]
    rows = [" ".join(names[row : row + 4]) for row in range(0, cards, 4)]
    game = position(" / ".join(rows), lives=3, moves=0)
    assert game.score() == 3 + points
    assert position(" / ".join(rows), lives=3, moves=0, changes=["cards_per_point=3"]).score() == 3 + cards // 3


def test_score_adds_up() -> None:
    game = position("shelter torch spear message / lit-beacon ship-sighted sos treasure* / rum pig storm", lives=5)
    assert game.score() == 5 + 11 // 4 + 2 + 2 + 2 + 3 + 7 + 1 + 5 + 10


def test_points_can_be_set() -> None:
    assert position("fish* flint", lives=1, changes=["cards.hook.front.score=20"]).score() == 21


# Other needs, by the config


def test_a_front_may_be_what_the_player_has_to_stand_on() -> None:
    changes = ['cards.rocks.needs=[{"kind":"stand","side":"torch"}]']
    assert offered("rocks torch*", changes=changes) == ["rocks"]
    assert offered("rocks flint*", changes=changes) == []
    assert offered("rocks* torch", changes=changes) == []


@pytest.mark.parametrize(
    ("field", "found"),
    [
        ("map-r hook* / - map-c", ["flint", "map-r"]),
        ("map-r hook* / - treasure", []),
        ("rum hook* / - map-c", []),
        ("map-r hook*", []),
        ("- hook* / - map-c", []),
        ("map-r - / hook* map-c", []),
    ],
)
def test_maps_cross_for_another_card_only_if_both_lie_there(field: str, found: list[str]) -> None:
    changes = ['cards.flint.needs=[{"kind":"maps_cross"}]']
    assert offered(f"{field} / - flint", changes=changes) == found


def test_maps_turn_only_together_whatever_they_need() -> None:
    changes = ['cards.map-r.needs=[{"kind":"up","side":"water"}]']
    assert offered("map-r* water", changes=changes) == []
    game = position("map-r* water / map-c", moved=True, changes=changes).do("waive", "turn map-r")
    assert {"map-r", "map-c"} <= game.overturned()
