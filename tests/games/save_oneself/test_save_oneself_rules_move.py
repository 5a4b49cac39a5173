"""The set-up, the start of a round, and moves: where the player may go, how often, and when a card is revealed."""

from __future__ import annotations

from collections import Counter

import pytest
from save_oneself_position import CARDS, FACES, Position, begin, cell_of, deal, new_rng, position

from common.positions import assert_even
from playmill.games.save_oneself.constants import STREAM_DECK, STREAM_MIRAGE

ANYWHERE = ["north", "east", "south", "west"]
FOUR_BY_FOUR = (
    "vines hook water flint / palm-trees sticks bottle higher-ground / telescope rocks* pig storm / "
    "sea-serpent compass map-r map-c"
)

# Set-up


def test_game_begins_with_16_lives_and_the_16_cards() -> None:
    game = begin("flint")
    assert (game.lives, game.config.lives) == (16, 16)
    assert sorted([*game.cards(), *game.deck()]) == sorted(CARDS)
    assert (len(game.cards()), len(game.deck())) == (1, 15)


@pytest.mark.parametrize("card", CARDS)
def test_first_card_is_revealed_where_the_player_stands_and_costs_no_move(card: str) -> None:
    game = begin(card)
    assert game.here == (0, 0)
    assert game.places() == {card: (0, 0)}
    assert game.cards() == {card: "sea-serpent" if card == "mirage" else card}
    assert (game.asked, game.s.moves, game.s.rounds) == ("move", 1, 1)
    assert "waive" not in game.legal()
    assert not game.s.moved and not game.s.revealed, "another card may be placed in the first round"


@pytest.mark.parametrize(("card", "lives"), [("pig", 14), ("storm", 14), ("water", 16), ("flint", 16), ("mirage", 16)])
def test_first_card_takes_lives_and_gives_none_beyond_the_maximum(card: str, lives: int) -> None:
    assert begin(card).lives == lives


@pytest.mark.parametrize(
    ("card", "ship", "island", "ways"),
    [
        ("hook", "NE -1,1 waiting", (0, -3), ["south", "west"]),
        ("palm-trees", "SE 1,1 waiting", (-3, -3), ["north", "west"]),
        ("vines", "SW 1,-1 waiting", (-3, 0), ["north", "east"]),
        ("sticks", "NW -1,-1 waiting", (0, 0), ["east", "south"]),
    ],
)
def test_first_card_with_a_corner_brings_the_ship(
    card: str, ship: str, island: tuple[int, int], ways: list[str]
) -> None:
    game = begin(card, "telescope")
    assert (game.ship, game.island) == (ship, island)
    assert game.legal() == ways
    game.do(ways[0])
    assert game.ship == ship.removesuffix(" waiting"), "it stays in the first round and is under way from then on"


@pytest.mark.parametrize("card", [card for card in CARDS if card not in ("hook", "palm-trees", "vines", "sticks")])
def test_first_card_without_a_corner_brings_no_ship(card: str) -> None:
    game = begin(card)
    assert game.ship == ""
    assert game.legal() == ANYWHERE


def test_first_card_mirage_turns_where_it_lies() -> None:
    game = begin("mirage")
    assert game.field() == "sea-serpent*"
    assert game.overturned() == {"mirage"}


def test_first_card_pirates_waits_for_a_ship() -> None:
    game = begin("pirates")
    assert game.field() == "pirates*"
    assert game.s.moves == 1


@pytest.mark.parametrize(("card", "lives"), [("pig", 2), ("pig", 1), ("storm", 2)])
def test_first_card_may_end_the_game(card: str, lives: int) -> None:
    game = begin(card, changes=[f"lives={lives}"])
    assert (game.asked, game.lives, game.legal(), game.s.rounds) == ("lost: lives", 0, [], 0)
    assert game.outcome()["lives_at"].tolist() == [0] * 40


def test_first_card_may_be_the_one_of_the_tornado() -> None:
    assert begin("storm", changes=["tornado_at=1"]).lives == 16 - 2 - 3
    assert begin("flint", "storm", changes=["tornado_at=1"]).do("east").lives == 16 - 2 - 1


def test_every_card_is_equally_likely_on_every_place_of_the_deck() -> None:
    games = [deal(number) for number in range(1600)]
    for place in (0, 1, 7, 15):
        assert_even(Counter(game.s.deck[place] for game in games), range(16))
    assert_even(Counter(game.s.deck[3] < game.s.deck[12] for game in games), [False, True])


def test_deck_and_mirage_have_luck_of_their_own() -> None:
    for number in range(20):
        before, after = [new_rng(number).stream[stream] for stream in range(16)], deal(number).streams()
        assert [stream for stream in range(16) if before[stream] != after[stream]] == [STREAM_DECK]
    assert STREAM_DECK != STREAM_MIRAGE


# Start of a round


def test_round_has_one_move() -> None:
    game = begin("flint", "rocks pig").do("east")
    assert (game.s.rounds, game.s.moves, game.asked) == (2, 1, "move")
    assert game.legal() == ANYWHERE


def test_round_has_two_moves_while_compass_is_up() -> None:
    game = position("compass* flint", moves=2).do("east")
    assert (game.s.rounds, game.s.moves) == (1, 1)
    game.do("west")
    assert (game.s.rounds, game.s.moves) == (2, 2), "from the start of the round"


def test_pirates_are_no_compass() -> None:
    assert position("pirates* flint").do("east").s.moves == 1


def test_other_numbers_of_moves() -> None:
    changes = ["moves=3", "compass_moves=5"]
    assert begin("flint", changes=changes).s.moves == 3
    assert position("compass* flint", changes=changes).do("east").s.moves == 5
    assert position("compass* flint", changes=["compass_moves=1"]).do("east").s.moves == 1


def test_each_round_a_card_may_be_placed_again() -> None:
    game = begin("flint", "rocks telescope").do("east", "east")
    assert game.field() == "flint rocks telescope*"
    assert game.lives == 14


# Where to


def test_moves_are_orthogonal() -> None:
    for way, place in zip(ANYWHERE, [(-1, 0), (0, 1), (1, 0), (0, -1)], strict=True):
        assert begin("flint", "rocks").do(way).here == place


@pytest.mark.parametrize(
    ("field", "ways"),
    [
        ("rocks / flint / pig*", ANYWHERE),
        ("rocks* / flint / pig", ANYWHERE),
        ("rocks / flint / pig / telescope*", ["north", "east", "west"]),
        ("rocks* / flint / pig / telescope", ["east", "south", "west"]),
        ("rocks / flint / pig* / telescope", ANYWHERE),
        ("rocks flint pig*", ANYWHERE),
        ("rocks* flint pig", ANYWHERE),
        ("rocks flint pig telescope*", ["north", "south", "west"]),
        ("rocks* flint pig telescope", ["north", "east", "south"]),
        ("rocks flint* pig telescope", ANYWHERE),
        ("rocks flint pig telescope / - - - water / - - - bottle / - - - map-c*", ["north", "west"]),
        ("rocks* flint pig telescope / - - - water / - - - bottle / - - - map-c", ["east", "south"]),
        ("rocks flint pig telescope* / - - - water / - - - bottle / - - - map-c", ["south", "west"]),
        (FOUR_BY_FOUR, ANYWHERE),
    ],
)
def test_field_has_at_most_4_rows_and_4_columns(field: str, ways: list[str]) -> None:
    rows = [line.split() for line in field.split("/")]
    for row, line in enumerate(rows):
        for column in range(len(line)):
            game = position(field, origin=f"{-row},{-column}")
            assert game.legal() == ways, "wherever the first card lay"


def test_field_may_grow_on_each_side_of_the_first_card() -> None:
    north = begin("flint", "rocks telescope bottle").do("north", "north", "north")
    assert (north.here, north.legal()) == ((-3, 0), ["east", "south", "west"])
    west = begin("flint", "rocks telescope bottle").do("west", "west", "west")
    assert (west.here, west.legal()) == ((0, -3), ["north", "east", "south"])
    both = begin("flint", "rocks telescope bottle").do("west", "east", "east", "east")
    assert (both.here, both.legal()) == ((0, 2), ["north", "south", "west"])


@pytest.mark.parametrize(
    ("ship", "island", "ways"),
    [
        ("NE -1,1", "0,-3", ["south", "west"]),
        ("SE 1,1", "-3,-3", ["north", "west"]),
        ("SW 1,-1", "-3,0", ["north", "east"]),
        ("NW -1,-1", "0,0", ["east", "south"]),
        ("NW -1,-1", "-1,0", ["north", "east", "south"]),
        ("NW -1,-1", "-1,-2", ANYWHERE),
        ("SE 4,3 turned", "-3,-2", ["north", "east", "west"]),
    ],
)
def test_ship_keeps_the_player_inside_its_rectangle(ship: str, island: str, ways: list[str]) -> None:
    for waiting in ("", " waiting"):
        assert position("flint*", ship=ship + waiting, island=island).legal() == ways


def test_rectangle_reaches_4_cells_from_the_corner() -> None:
    field = "flint rocks pig telescope* / bottle"
    game = position(field, ship="NW -1,-1", deck="water")
    assert game.legal() == ["south", "west"]
    assert position(field.replace("*", "").replace("bottle", "bottle*"), ship="NW -1,-1").legal() == [
        "north",
        "east",
        "south",
    ]


def test_occupied_cells_are_entered_as_often_as_wished() -> None:
    game = position("flint* rocks", ship="NW -1,-1")
    assert game.do("east", "west", "east").deck() == position("flint* rocks").deck()
    assert game.here == (0, 1)


# One card a round


def test_after_a_card_was_placed_only_occupied_cells_are_entered() -> None:
    game = position("compass flint*", moves=2, deck="rocks").do("east")
    assert (game.asked, game.s.moves) == ("move", 1)
    assert game.legal() == ["west", "waive"]
    assert game.do("west").s.rounds == 2


def test_occupied_cells_first_leave_the_card_for_the_second_move() -> None:
    game = position("compass flint*", moves=2, deck="rocks telescope").do("west")
    assert game.legal() == ["north", "east", "south", "west", "waive"]
    game.do("west")
    assert (game.field(), game.s.rounds) == ("rocks* compass flint", 2)


def test_with_one_card_placed_there_may_be_other_cards_around() -> None:
    game = position("compass flint* / telescope - / bottle pig", moves=2, deck="rocks").do("south")
    assert game.legal() == ["north", "south", "west", "waive"]


# Waiving


def test_rest_of_the_moves_is_waived_only_after_a_move() -> None:
    game = position("compass* flint", moves=2)
    assert game.legal() == ANYWHERE
    game.do("east")
    assert game.legal()[-1] == "waive"
    game.do("waive")
    assert (game.s.rounds, game.lives, game.here) == (2, 9, (0, 1))
    assert game.legal() == ANYWHERE


def test_waiving_leads_to_the_turning_over() -> None:
    game = position("compass* flint sticks", moves=2).do("east", "waive")
    assert (game.asked, game.legal()) == ("turn", ["turn sticks", "skip"])


def test_last_move_ends_the_phase_by_itself() -> None:
    game = position("flint* sticks").do("east")
    assert game.asked == "turn"
    assert position("compass* flint", moves=2).do("east", "west").s.rounds == 2


# Compass in the middle of a round


def test_compass_gives_no_moves_in_the_round_it_turns_up() -> None:
    game = position("flint* rocks", ship="NE -1,2", deck="pirates").do("south")
    assert (game.up("compass"), game.s.rounds, game.s.moves) == (True, 2, 2), "that round was over after one move"
    assert game.do("north").s.rounds == 2


def test_moves_left_are_still_those_of_the_rounds_start() -> None:
    changes = ["moves=3", "compass_moves=2"]
    game = position("flint* rocks", ship="NE -1,2", deck="pirates", moves=3, changes=changes).do("south")
    assert (game.up("compass"), game.s.rounds, game.s.moves) == (True, 1, 2)
    assert game.legal() == ["north", "waive"], "a card was placed"
    assert game.do("north", "east").s.moves == 2, "the next round's"


def test_compass_won_in_the_ship_phase_counts_from_the_round_that_follows() -> None:
    game = position("pirates* rocks", ship="NE 0,2").do("east")
    assert (game.up("compass"), game.s.rounds, game.s.moves) == (True, 2, 2)


def test_pirates_stepped_on_while_the_ship_sails_drive_it_off_in_the_ships_phase_and_not_before() -> None:
    """The rules page: pirates act when revealed under way or when the ship would sail; entering has no such effect."""
    game = position("flint* pirates rocks", ship="NW -1,1", moves=2).do("east")
    assert (game.field(), game.ship, game.up("compass")) == ("flint pirates* rocks", "NW -1,1", False)
    assert game.do("east").up("compass") and not game.ship


# What cannot happen, and what the rules say then


def test_card_due_with_an_empty_deck_loses() -> None:
    game = position("flint* rocks", deck="pig", lives=7)
    game.s.placed = 16
    assert game.legal() == ANYWHERE
    on_card = game.again().do("east")
    assert on_card.asked == "move", "no card is due on an occupied cell"
    game.do("south")
    assert (game.asked, game.lives, game.legal()) == ("lost: deck", 7, [])
    assert (game.field(), game.here) == ("flint rocks", (1, 0))
    assert game.score() == 7 + 4
    assert game.returns() == pytest.approx(0.011)


def test_last_card_is_still_revealed() -> None:
    field = FOUR_BY_FOUR.replace("map-c", "-").replace("map-r", "map-r*").replace("rocks*", "rocks")
    game = position(field).do("east")
    assert (game.asked, game.here, game.deck()) == ("turn", (3, 3), [])
    assert game.up("map-c")
    assert game.do("skip").asked == "move", "the game goes on without a deck"


# An empty deck, if it loses

FIFTEEN = FOUR_BY_FOUR.replace("rocks*", "rocks").replace("map-r map-c", "map-r* -")
LOSING = ["lose_on_empty_deck=true"]


@pytest.mark.parametrize("moves", [1, 2])
def test_move_that_takes_the_last_card_loses_if_the_config_says_so(moves: int) -> None:
    game = position(FIFTEEN, changes=LOSING, lives=7, moves=moves).do("east")
    assert (game.asked, game.legal(), game.deck()) == ("lost: deck", [], [])
    assert (game.lives, game.up("map-c"), game.here) == (7, True, (3, 3)), "revealed, and no life paid"
    assert game.score() == 7 + 4
    assert game.returns() == pytest.approx(0.011)


def test_move_that_takes_no_last_card_loses_nothing() -> None:
    assert position(FIFTEEN, changes=LOSING).do("west").asked == "turn", "the deck has a card left"
    fourteen = FIFTEEN.replace("vines ", "- ")
    assert position(fourteen, changes=LOSING, deck="map-c").do("east").asked == "turn"


def test_last_card_wins_though_it_empties_the_deck() -> None:
    """A mirage carries sos to the row of the ship."""
    field = FIFTEEN.replace("sea-serpent", "map-c").replace("vines", "sos").replace(" rocks", " vines")
    game = position(field, changes=LOSING, ship="NE 3,4", island="0,0").do("east")
    assert (game.deck(), game.asked) == ([], "won: sos")
    passed = position(field, changes=LOSING, ship="NE 4,4", island="0,0").do("east")
    assert passed.asked == "lost: deck"


def test_last_card_may_take_the_last_lives() -> None:
    field = FIFTEEN.replace(" pig", " map-c")
    assert position(field, changes=LOSING, lives=2).do("east").asked == "lost: lives"
    assert position(field, changes=LOSING, lives=3).do("east").asked == "lost: deck"


def wall_in(game: Position) -> Position:
    """No cell may be entered, as it were."""
    game.s.room = game.s.field = 1 << cell_of(game.here)
    return game


def test_player_without_a_move_skips_the_phase() -> None:
    game = wall_in(position("sticks* flint", turning=True)).do("skip")
    assert (game.s.rounds, game.lives, game.asked) == (2, 9, "turn"), "life and turning over go on"
    game.do("skip", "skip")
    assert (game.s.rounds, game.lives) == (4, 7)


def test_player_without_a_second_move_is_not_asked_to_waive() -> None:
    game = position("rocks* flint", moves=2)
    game.s.room = game.s.field = 1 << cell_of((0, 1))
    game.do("east")
    assert game.asked.startswith("lost"), "no move in this round or in any other"
    assert game.lives == 0


@pytest.mark.parametrize("card", CARDS)
def test_every_card_enters_play_with_its_back_up(card: str) -> None:
    game = position("compass* flint" if card not in ("pirates", "flint") else "rum* treasure", moves=2, deck=card)
    game.do("south")
    assert game.cards()[card] == (FACES[card] if card == "mirage" else card)
