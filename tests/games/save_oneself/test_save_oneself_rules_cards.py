"""What cards do when they are revealed and entered: lives, mirage, pig and storm, the tornado; and the step of life."""

from __future__ import annotations

from typing import Any

import pytest
from save_oneself_position import CARDS, Position, position

from common.positions import assert_even, tried
from playmill.games.save_oneself.constants import STREAM_MIRAGE

#: Twelve cards; the thirteenth is revealed to the south of the player.
TWELVE = "vines hook water flint / coconuts sticks bottle higher-ground / telescope* rocks storm rum"
BUILT = TWELVE.replace("vines", "shelter").replace("higher-ground", "lit-beacon")


def thirteenth(card: str, field: str = TWELVE, **fields: Any) -> Position:
    """The thirteenth card is revealed; moves are left, so that no life was paid yet."""
    return position(field, deck=card, **{"moves": 5, **fields}).do("south")


def under_the_player(game: Position) -> str:
    """The side on which the player stands."""
    return next(side.rstrip("*") for side in game.field().split() if side.endswith("*"))


# Lives of backs


def test_water_gives_2_lives_when_revealed() -> None:
    assert position("flint* rocks", moves=2, deck="water").do("south").lives == 12
    assert position("flint* rocks", moves=1, deck="water").do("south").lives == 11, "a round costs one"


@pytest.mark.parametrize(("lives", "after"), [(1, 3), (13, 15), (14, 16), (15, 16), (16, 16)])
def test_lives_never_go_over_16(lives: int, after: int) -> None:
    assert position("flint* rocks", moves=2, deck="water", lives=lives).do("south").lives == after


def test_maximum_is_the_number_of_lives_at_the_start() -> None:
    game = position("flint* rocks", moves=2, deck="water", lives=19, changes=["lives=20"])
    assert game.do("south").lives == 20


def test_water_gives_lives_once() -> None:
    assert position("flint* rocks", moves=4, deck="water").do("south", "north", "south").lives == 12
    assert position("flint* water", moves=2).do("east").lives == 10


@pytest.mark.parametrize("card", [card for card in CARDS if card not in ("water", "pig", "storm")])
def test_other_cards_neither_give_nor_take_lives(card: str) -> None:
    game = position("torch*" if card == "map-r" else "rum*", moves=4, deck=card).do("south")
    assert game.lives == 10
    assert game.do("north", "south").lives == 10


def test_lives_of_any_card_can_be_set() -> None:
    gains = position("flint*", moves=4, deck="rocks", changes=["cards.rocks.lives=3"]).do("south")
    assert gains.lives == 13
    assert gains.do("north", "south").lives == 13, "once"
    costs = position("flint*", moves=4, deck="rocks", changes=["cards.rocks.lives=-3"]).do("south")
    assert costs.lives == 7
    assert costs.do("north", "south").lives == 4, "every time"
    assert position("flint* sos", moves=2, changes=["cards.rocks.lives=-3"]).do("east").lives == 10


# Mirage


def test_mirage_swaps_places_with_the_farthest_card_and_turns_into_sea_serpent_there() -> None:
    game = position("bottle rocks flint*", moves=2, deck="mirage").do("east")
    assert game.field() == "sea-serpent rocks flint bottle*"
    assert (game.here, game.lives, game.overturned()) == ((0, 3), 10, {"mirage"})


def test_distance_is_counted_along_rows_and_columns() -> None:
    """To telescope it is 3 cells in a line; to pig it is 2 and 2, which is farther on foot alone."""
    game = position("- water bottle telescope / flint* hook sticks - / - - pig -", moves=2, deck="mirage").do("north")
    assert game.field() == "pig* water bottle telescope / flint hook sticks - / - - sea-serpent -"
    assert game.lives == 8


@pytest.mark.parametrize(
    ("field", "farthest"),
    [
        ("- flint / rocks*", ["flint", "rocks"]),
        ("- vines / rocks*", ["vines", "rocks"]),
        ("- flint rocks / telescope* bottle - / map-r", ["rocks", "bottle", "map-r"]),
        (
            "- flint - telescope / bottle* map-c spear - / meat fish - - / water",
            ["telescope", "spear", "fish", "water"],
        ),
    ],
)
def test_ties_are_broken_by_lot_with_equal_chances(field: str, farthest: list[str]) -> None:
    game = position(field, moves=2, deck="mirage")
    assert_even(tried(game, 800, under_the_player, "north"), farthest)


def test_single_farthest_card_is_always_the_one() -> None:
    game = position("- flint - telescope / bottle* map-c spear pig / hook", moves=2, deck="mirage")
    assert tried(game, 30, under_the_player, "north") == {"pig": 30}


def test_lot_is_drawn_from_the_luck_of_mirages() -> None:
    game = position("- flint / rocks*", deck="mirage")
    before = game.streams()
    after = game.do("north").streams()
    assert [stream for stream in range(16) if before[stream] != after[stream]] == [STREAM_MIRAGE]


def test_ship_is_no_card() -> None:
    game = position("rocks flint*", ship="SW 0,-1", moves=2, deck="mirage").do("east")
    assert (game.field(), game.ship) == ("sea-serpent flint rocks*", "SW 0,-1")


def test_card_next_to_it_may_be_the_farthest() -> None:
    game = position("pig*", moves=2, deck="mirage").do("west")
    assert (game.field(), game.here, game.lives) == ("pig* sea-serpent", (0, -1), 8)


@pytest.mark.parametrize(
    ("far", "near", "lives"),
    [
        ("pig", "flint", 8),
        ("pig", "spear", 10),
        ("pig", "shelter", 8),
        ("meat", "flint", 10),
        ("storm", "flint", 8),
        ("storm", "shelter", 10),
        ("storm", "spear", 8),
        ("water", "flint", 10),
    ],
)
def test_card_that_came_to_the_player_acts_as_entered(far: str, near: str, lives: int) -> None:
    game = position(f"{far} rocks {near}*", moves=2, deck="mirage").do("east")
    assert (under_the_player(game), game.lives) == (far, lives)


@pytest.mark.parametrize("card", ["hook", "palm-trees", "vines", "sticks"])
def test_card_that_came_to_the_player_brings_no_ship(card: str) -> None:
    game = position(f"{card} rocks telescope*", moves=2, deck="mirage").do("east")
    assert (under_the_player(game), game.ship) == (card, "")


def test_pirates_that_came_to_the_player_drive_no_ship_off_before_it_would_sail() -> None:
    game = position("pirates rocks flint*", ship="NW -1,1", moves=2, deck="mirage").do("east")
    assert (game.field(), game.ship) == ("sea-serpent rocks flint pirates*", "NW -1,1")
    game.do("west")
    assert (game.field(), game.ship) == ("sea-serpent rocks flint* compass", "")


def test_player_stands_on_the_card_that_came() -> None:
    game = position("higher-ground telescope flint*", deck="mirage").do("east")
    assert game.legal() == ["turn telescope", "skip"]


def test_card_that_came_may_be_the_last_one() -> None:
    game = position("pig rocks flint*", lives=2, deck="mirage").do("east")
    assert (game.asked, game.lives) == ("lost: lives", 0)


# Pig and storm


@pytest.mark.parametrize("card", ["pig", "storm"])
def test_pig_and_storm_cost_2_when_revealed_and_every_time_they_are_entered(card: str) -> None:
    game = position("flint* rocks", moves=6, deck=card).do("south")
    assert game.lives == 8
    assert game.do("north").lives == 8, "leaving costs nothing"
    assert game.do("south").lives == 6
    assert game.do("north", "south").lives == 4


@pytest.mark.parametrize(
    ("card", "other", "lives"),
    [
        ("pig", "spear", 10),
        ("pig", "sticks", 8),
        ("pig", "shelter", 8),
        ("storm", "shelter", 10),
        ("storm", "vines", 8),
        ("storm", "spear", 8),
        ("meat", "rocks", 10),
    ],
)
def test_spear_protects_from_pig_and_shelter_from_storm(card: str, other: str, lives: int) -> None:
    assert position(f"{other} flint* {card}", moves=2).do("east").lives == lives
    if card != "meat":
        assert position(f"{other} flint*", moves=2, deck=card).do("east").lives == lives


@pytest.mark.parametrize("lives", [1, 2])
@pytest.mark.parametrize("card", ["pig", "storm"])
def test_lives_at_0_lose_at_once(card: str, lives: int) -> None:
    for game in (position(f"flint* {card}", moves=2, lives=lives), position("flint*", deck=card, lives=lives)):
        game.do("east")
        assert (game.asked, game.lives, game.legal(), game.s.rounds) == ("lost: lives", 0, [], 1)


def test_one_life_left_is_enough_to_move_on() -> None:
    assert position("flint* pig", moves=2, lives=3).do("east").asked == "move"


# The tornado


def test_thirteenth_card_turns_storm_to_tornado_and_back() -> None:
    game = thirteenth("map-c")
    assert game.lives == 7
    assert game.up("storm") and not game.up("tornado")
    assert "storm" in game.overturned()
    assert game.do("north", "east", "east").lives == 5, "a storm again, that costs 2"


def test_tornado_turns_shelter_and_beacon_back_and_shelter_does_not_stop_it() -> None:
    game = thirteenth("map-c", BUILT)
    assert game.lives == 7
    assert game.up("vines", "higher-ground") and not game.up("shelter") and not game.up("lit-beacon")
    assert {"vines", "higher-ground"} <= game.overturned(), "they were turned, all the same"
    assert game.do("north", "east", "east").lives == 5, "no shelter is left"
    only = thirteenth("map-c", TWELVE.replace("higher-ground", "lit-beacon"))
    assert only.up("vines", "higher-ground")


@pytest.mark.parametrize(("card", "lives"), [("map-c", 7), ("pig", 5), ("mirage", 7), ("pirates", 7)])
def test_thirteenth_card_does_what_it_does_and_then_the_tornado_comes(card: str, lives: int) -> None:
    assert thirteenth(card).lives == lives


@pytest.mark.parametrize(("before", "after"), [(10, 9), (16, 13), (15, 13), (2, 1), (1, 0)])
def test_water_as_the_thirteenth_gives_2_first(before: int, after: int) -> None:
    assert thirteenth("water", TWELVE.replace("water", "meat"), lives=before).lives == after


@pytest.mark.parametrize(("vines", "lives"), [("vines", 5), ("shelter", 7)])
def test_storm_as_the_thirteenth_costs_2_then_3(vines: str, lives: int) -> None:
    game = thirteenth("storm", TWELVE.replace("storm", "meat").replace("vines", vines))
    assert game.lives == lives
    assert game.up("storm", "vines")


@pytest.mark.parametrize(("vines", "lives"), [("vines", 5), ("shelter", 7)])
def test_mirage_as_the_thirteenth_may_bring_the_storm(vines: str, lives: int) -> None:
    field = f"{vines} hook water storm / coconuts sticks bottle higher-ground / telescope* rocks flint rum"
    game = thirteenth("mirage", field)
    assert (under_the_player(game), game.lives) == ("storm", lives)
    assert game.up("vines", "sea-serpent")


def test_pirates_as_the_thirteenth_drive_the_ship_off_too() -> None:
    game = thirteenth("pirates", ship="NW -1,1")
    assert (game.ship, game.lives, game.up("compass", "storm")) == ("", 7, True)


def test_corner_card_as_the_thirteenth_brings_the_ship_too() -> None:
    game = thirteenth("sticks", TWELVE.replace("sticks", "meat"))
    assert (game.ship, game.lives) == ("NW -1,-1 waiting", 7)


def test_without_storm_on_the_field_there_is_no_tornado() -> None:
    game = thirteenth("map-c", BUILT.replace("storm", "meat"))
    assert (game.lives, game.up("shelter", "lit-beacon")) == (10, True)


def test_tornado_comes_neither_before_nor_after_nor_again() -> None:
    game = position(BUILT.replace(" rum", ""), lives=16, deck="map-c pirates pig mirage").do("south")
    assert (len(game.cards()), game.lives, game.up("shelter")) == (12, 15, True)
    game.do("skip", "east")
    assert (len(game.cards()), game.lives, game.up("shelter")) == (13, 15 - 3 - 1, False)
    game.do("skip", "east")
    assert (len(game.cards()), game.lives) == (14, 11 - 2 - 1)


def test_storm_after_the_thirteenth_card_is_only_a_storm() -> None:
    field = BUILT.replace("storm", "meat")
    game = position(f"{field} / map-c - - -".replace("*", "").replace("map-c", "map-c*"), moves=2, deck="storm")
    game.do("east")
    assert (len(game.cards()), game.lives, game.up("shelter", "lit-beacon")) == (14, 10, True)


def test_deadly_tornado_ends_the_game_at_once() -> None:
    for lives in (1, 2, 3):
        game = thirteenth("map-c", BUILT, lives=lives)
        assert (game.asked, game.lives, game.legal()) == ("lost: lives", 0, [])
        assert game.up("tornado", "shelter", "lit-beacon"), "nothing was blown away any more"
        assert game.score() == 0 + 13 // 4 + 2 + 7
    assert thirteenth("map-c", BUILT, lives=4).asked == "move"


def test_deadly_thirteenth_card_leaves_no_tornado() -> None:
    game = thirteenth("pig", BUILT, lives=2)
    assert game.asked == "lost: lives"
    assert game.up("storm", "shelter") and "storm" not in game.overturned()


def test_shelter_may_be_built_again_and_gives_lives_again() -> None:
    game = thirteenth("map-c", BUILT.replace("coconuts", "palm-trees").replace("rocks", "sos")).do("waive")
    assert (game.lives, game.legal()) == (
        6,
        ["turn vines", "turn hook", "turn water", "turn flint", "turn sticks", "skip"],
    )
    game.do("turn vines")
    assert (game.lives, game.up("shelter")) == (8, True)


def test_beacon_may_be_lit_again() -> None:
    field = "vines hook water torch / coconuts sticks bottle telescope / lit-beacon* rocks storm rum"
    game = thirteenth("map-c", field, moves=2).do("north")
    assert "turn higher-ground" in game.legal()
    game.do("turn higher-ground")
    assert game.up("lit-beacon")


def test_other_number_of_cards_and_other_lives() -> None:
    changes = ["tornado_at=3", "cards.storm.front.lives=0"]
    game = position("storm shelter*", moves=2, deck="rocks", changes=changes).do("east")
    assert (game.lives, game.field(), game.overturned()) == (10, "storm vines rocks*", {"vines", "storm"})
    assert position("storm shelter*", moves=2, deck="rocks", changes=["tornado_at=4"]).do("east").up("shelter")


# Life


def test_round_costs_1_life_whatever_is_done() -> None:
    assert position("flint* rocks").do("east").lives == 9
    assert position("flint* rocks", moves=2).do("east", "west").lives == 9
    assert position("flint* rocks", moves=2).do("east", "waive").lives == 9
    assert position("sticks* flint").do("east").lives == 9
    assert position("sticks* flint", turning=True).do("skip").lives == 10, "it was paid before"


def test_last_life_is_lost_before_cards_turn_and_ships_sail() -> None:
    game = position("hook* water / sos", lives=1, ship="NE 0,4", island="0,0").do("east")
    assert (game.asked, game.lives, game.legal()) == ("lost: lives", 0, [])
    assert game.ship == "NE 0,4", "one cell from the row of sos"
    alive = position("hook* water / sos", lives=2, ship="NE 0,4", island="0,0").do("east")
    assert alive.asked == "turn"
    assert alive.do("skip").asked == "won: sos"


def test_life_is_paid_after_the_moves() -> None:
    assert position("flint* rocks", lives=1, deck="water").do("south").lives == 2
