"""The ship: where it comes, how it sails, turns, skips and is driven off; what it sees, and how the game ends."""

from __future__ import annotations

from typing import Any

import pytest
from save_oneself_position import Position, position

#: The way of each ship around an island at 0,0, from its start to the cell where it is out of sight.
TRACKS = {
    "NE": ["-1,4", "0,4", "1,4", "2,4", "3,4", "4,4", "5,4"],
    "SE": ["4,4", "4,3", "4,2", "4,1", "4,0", "4,-1", "4,-2"],
    "SW": ["4,-1", "3,-1", "2,-1", "1,-1", "0,-1", "-1,-1", "-2,-1"],
    "NW": ["-1,-1", "-1,0", "-1,1", "-1,2", "-1,3", "-1,4", "-1,5"],
}
NEXT = {"NE": "SE", "SE": "SW", "SW": "NW", "NW": "NE"}


def island(cards: str = "", **fields: Any) -> Position:
    """Rum and torch in the middle of an island at 0,0, and other cards at places: `sos 1,0 message 2,3`."""
    rows = [["-"] * 4 for _ in range(4)]
    rows[1][1:3] = ["rum*", "torch"]
    words = cards.split()
    for side, place in zip(words[::2], words[1::2], strict=True):
        row, column = map(int, place.split(","))
        assert rows[row][column] == "-"
        rows[row][column] = side
    field = " / ".join(" ".join(row) for row in rows)
    return position(field, island="0,0", **{"lives": 16, **fields})


def rounds(game: Position, number: int = 1) -> Position:
    """So many rounds in which the player walks from rum to torch or back and turns nothing."""
    for _ in range(number):
        if game.s.player >= 0:
            game.do("east" if game.here == (1, 1) else "west")
        while game.asked == "turn" or (game.s.player >= 0 and game.s.moved):
            game.do("skip" if game.asked == "turn" else "waive")
    return game


# Coming


@pytest.mark.parametrize(
    ("card", "ship", "corner"),
    [
        ("hook", "NE -1,3", (0, -1)),
        ("palm-trees", "SE 2,3", (-2, -1)),
        ("vines", "SW 2,-1", (-2, 0)),
        ("sticks", "NW -1,-1", (0, 0)),
    ],
)
def test_ship_lies_diagonally_outside_its_corner_of_the_box_and_fixes_the_island(
    card: str, ship: str, corner: tuple[int, int]
) -> None:
    """Three columns and, with the new card, two rows."""
    game = position("pig bottle telescope*", moves=2, deck=card).do("south")
    assert (game.ship, game.island, game.s.ships) == (f"{ship} waiting", corner, 1)
    game.do("waive", "skip")
    assert (game.ship, game.island) == (ship, corner), "it stays this once, and is under way from now on"


@pytest.mark.parametrize("card", ["flint", "water", "rocks", "higher-ground", "map-r", "storm", "mirage", "pirates"])
def test_other_cards_bring_no_ship(card: str) -> None:
    assert position("pig bottle telescope*", moves=2, deck=card).do("south").ship == ""


@pytest.mark.parametrize("before", ["NW -1,1", "NW -1,-1 waiting"])
def test_second_corner_card_changes_nothing_while_there_is_a_ship(before: str) -> None:
    game = position("pig bottle telescope*", moves=2, ship=before, deck="hook").do("south")
    assert (game.ship, game.island, game.s.ships) == (before, (0, 0), 1)


def test_box_is_that_of_the_moment() -> None:
    game = position("bottle telescope*", moves=2, deck="sticks").do("north")
    assert (game.ship, game.island) == ("NW -2,-1 waiting", (-1, 0))


def test_corners_can_be_set() -> None:
    changes = ["cards.rocks.corner=SE", "cards.hook.corner=null"]
    assert position("pig bottle*", moves=2, deck="rocks", changes=changes).do("east").ship == "SE 1,3 waiting"
    assert position("pig bottle*", moves=2, deck="hook", changes=changes).do("east").ship == ""


# Sailing


@pytest.mark.parametrize("corner", TRACKS)
def test_ship_stays_once_and_sails_along_its_shore_until_it_is_more_than_one_cell_outside(corner: str) -> None:
    track = TRACKS[corner]
    game = island(ship=f"{corner} {track[0]} waiting")
    assert rounds(game).ship == f"{corner} {track[0]}"
    for place in track[1:-1]:
        assert rounds(game).ship == f"{corner} {place}"
        assert game.asked == "move"
    rounds(game)
    assert (game.ship, game.asked) == (f"{corner} {track[-1]}", "lost: ship")
    assert (game.lives, game.legal()) == (16 - 7, [])


def test_without_a_ship_nothing_sails() -> None:
    assert rounds(island(), 5).ship == ""


@pytest.mark.parametrize("corner", TRACKS)
def test_ship_sighted_turns_the_ship_at_the_far_corner(corner: str) -> None:
    track, onward = TRACKS[corner], NEXT[corner]
    game = island("ship-sighted 2,2", ship=f"{corner} {track[4]}")
    assert rounds(game).ship == f"{corner} {track[5]}", "not before the corner"
    for place in TRACKS[onward][1:-1]:
        assert rounds(game).ship == f"{onward} {place} turned"
    rounds(game)
    assert (game.ship, game.asked) == (f"{onward} {TRACKS[onward][-1]} turned", "lost: ship"), "only once"


@pytest.mark.parametrize("corner", TRACKS)
def test_ship_does_not_turn_at_its_start_nor_with_telescope_alone(corner: str) -> None:
    track = TRACKS[corner]
    assert rounds(island("ship-sighted 2,2", ship=f"{corner} {track[0]}")).ship == f"{corner} {track[1]}"
    assert rounds(island("telescope 2,2", ship=f"{corner} {track[5]}")).asked == "lost: ship"


def test_ship_sighted_is_in_time_while_the_ship_is_at_the_corner() -> None:
    field = "- - - - / - rum higher-ground* - / - - telescope -"
    game = position(field, ship="NE 4,4", island="0,0", turning=True)
    assert game.again().do("turn telescope").ship == "SE 4,3 turned"
    assert game.do("skip").asked == "lost: ship", "too late"


def test_ship_turned_once_does_not_turn_again() -> None:
    game = island("ship-sighted 2,2", ship="SE 4,-1 turned")
    assert rounds(game).asked == "lost: ship"


# Sea-serpent


@pytest.mark.parametrize("corner", TRACKS)
@pytest.mark.parametrize("cell", range(4))
def test_ship_skips_the_cell_beside_sea_serpent(corner: str, cell: int) -> None:
    track = TRACKS[corner]
    serpent = {"NE": (cell, 3), "SE": (3, 3 - cell), "SW": (3 - cell, 0), "NW": (0, cell)}[corner]
    game = island(f"sea-serpent {serpent[0]},{serpent[1]}", ship=f"{corner} {track[cell]}")
    assert rounds(game).ship == f"{corner} {track[cell + 2]}"
    if cell < 3:
        assert rounds(game).ship == f"{corner} {track[cell + 3]}", "from there it goes on cell by cell"


def test_ship_does_not_skip_before_it_comes_beside_nor_for_a_serpent_inland() -> None:
    for place in ("2,3", "1,0", "2,2", "0,3"):
        game = island(f"sea-serpent {place}", ship="NE 0,4")
        assert rounds(game).ship == "NE 1,4", place


def test_ship_that_turns_may_skip_too() -> None:
    assert rounds(island("sea-serpent 3,3 ship-sighted 0,0", ship="NE 4,4")).ship == "SE 4,2 turned"


def test_skipped_cell_sees_nothing() -> None:
    game = island("sea-serpent 1,3 sos 1,0", ship="NE 0,4")
    assert (rounds(game).ship, game.asked) == ("NE 2,4", "move")
    game = island("sea-serpent 1,3 sos 2,0", ship="NE 0,4")
    assert rounds(game).asked == "won: sos"


# Pirates


def test_pirates_revealed_while_the_ship_is_under_way_drive_it_off_at_once() -> None:
    game = island(ship="NE 1,4", deck="pirates", moves=2).do("north")
    assert (game.ship, game.up("compass"), game.asked) == ("", True, "move")
    assert "pirates" in game.overturned()
    assert game.lives == 16


def test_pirates_on_the_field_drive_the_ship_off_when_it_would_sail() -> None:
    game = rounds(island("pirates 0,2 sos 1,0", ship="NE 0,4"))
    assert (game.ship, game.up("compass"), game.asked) == ("", True, "move"), "it did not come to the row of sos"
    assert rounds(island("pirates 0,2 bottle 1,0", ship="NE 4,4")).asked == "move", "nor out of sight"


def test_pirates_revealed_while_the_ship_waits_let_it_stay_once() -> None:
    game = island(ship="NE -1,4 waiting", deck="pirates", moves=2).do("north")
    assert (game.ship, game.up("pirates")) == ("NE -1,4 waiting", True)
    game.do("waive")
    assert (game.ship, game.up("pirates")) == ("NE -1,4", True)
    game.do("south")
    assert (game.ship, game.up("compass")) == ("", True)


def test_pirates_wait_for_a_ship_to_be_under_way() -> None:
    game = position("pirates* rum", deck="hook", moves=1).do("south")
    assert (game.ship, game.up("pirates")) == ("NE -1,2", True), "it stays in the round it came"
    game.do("north")
    assert (game.ship, game.up("compass")) == ("", True)


def test_rectangle_leaves_with_the_ship() -> None:
    game = position("pirates* rum", ship="NW -1,0")
    assert game.legal() == ["east", "south"]
    game.do("east")
    assert game.legal() == ["north", "east", "south", "west"]
    at_once = position("bottle* rum", ship="NW -1,0", deck="pirates", moves=1).do("south")
    assert at_once.legal() == ["north", "east", "south", "west"]


def test_compass_drives_nobody_off() -> None:
    game = rounds(island("compass 2,2", ship="NE 0,4"))
    assert game.ship == "NE 1,4"


def test_next_corner_card_brings_a_second_ship_from_the_box_at_that_time() -> None:
    game = position("flint compass pig* / bottle telescope", moves=2, deck="hook vines").do("north")
    assert (game.ship, game.island) == ("NE -2,3 waiting", (-1, -1))
    driven = position("pirates rum*", ship="NW -1,0", deck="map-c palm-trees", lives=16).do("south")
    assert driven.ship == ""
    driven.do("south")
    assert (driven.ship, driven.island, driven.s.ships) == ("SE 3,2 waiting", (-1, -2), 2)
    assert driven.legal() == ["north", "waive"]


def test_second_ship_may_turn_as_the_first_did() -> None:
    game = position("ship-sighted* pirates", ship="SE 1,-1 turned", island="-3,0", deck="sticks", lives=16)
    game.do("east")
    assert game.ship == ""
    game.do("south", "north")
    assert game.ship == "NW -1,-1", "a new one, that has not turned"
    for _ in range(5):
        game.do("west" if game.here == (0, 1) else "east", "waive")
    assert game.ship == "NW -1,4"
    game.do("west" if game.here == (0, 1) else "east", "waive")
    assert game.ship == "NE 0,4 turned"


# Won


@pytest.mark.parametrize(
    ("ship", "won"),
    [("NE 0,4", True), ("NE 2,4", False), ("NE -1,4", False), ("SW 2,-1", True), ("SW 0,-1", False)],
)
def test_sos_wins_with_the_ship_in_its_row(ship: str, won: bool) -> None:
    for column in (0, 3):
        assert (rounds(island(f"sos 1,{column}", ship=ship)).asked == "won: sos") == won


@pytest.mark.parametrize(
    ("ship", "won"),
    [("NW -1,1", True), ("NW -1,3", False), ("NW -1,0", False), ("SE 4,3", True), ("SE 4,1", False)],
)
def test_lit_beacon_wins_with_the_ship_in_its_column(ship: str, won: bool) -> None:
    for row in (0, 3):
        assert (rounds(island(f"lit-beacon {row},2", ship=ship)).asked == "won: beacon") == won


@pytest.mark.parametrize(
    ("ship", "message", "won"),
    [
        ("NE 0,4", "1,3", True),
        ("NE 2,4", "1,3", False),
        ("NE -1,4", "1,3", False),
        ("NE 0,4", "2,2", False),
        ("NE 0,4", "1,0", False),
        ("SE 4,3", "3,2", True),
        ("SE 4,3", "3,1", False),
        ("SE 4,3", "0,2", False),
        ("SW 2,-1", "1,0", True),
        ("NW -1,0", "0,1", True),
        ("NW -1,0", "0,2", False),
    ],
)
def test_message_wins_with_the_ship_next_to_it(ship: str, message: str, won: bool) -> None:
    assert (rounds(island(f"message {message}", ship=ship)).asked == "won: message") == won


@pytest.mark.parametrize(
    ("ship", "corner"),
    [
        ("NE -1,4", "0,3"),
        ("NE 2,4", "3,3"),
        ("SE 4,4", "3,3"),
        ("SE 4,1", "3,0"),
        ("SW 4,-1", "3,0"),
        ("SW 1,-1", "0,0"),
        ("NW -1,-1", "0,0"),
        ("NW -1,2", "0,3"),
    ],
)
def test_message_on_a_corner_of_the_island_does_not_count(ship: str, corner: str) -> None:
    assert rounds(island(f"message {corner}", ship=ship)).asked == "move"


def test_corner_of_the_box_is_no_corner_of_the_island() -> None:
    game = position("flint* rum / pig message", ship="SE 2,2", island="-2,-1").do("east")
    assert game.asked == "won: message"


def test_backs_are_no_signals() -> None:
    assert rounds(island("rocks 1,0", ship="NE 0,4")).asked == "move"
    assert rounds(island("higher-ground 0,2", ship="NW -1,1")).asked == "move"
    assert rounds(island("bottle 1,3", ship="NE 0,4")).asked == "move"


@pytest.mark.parametrize(
    ("cards", "ship", "reason"),
    [
        ("sos 1,0 message 1,3", "NE 0,4", "sos"),
        ("lit-beacon 3,2 message 0,2", "NW -1,1", "beacon"),
        ("lit-beacon 3,3 sos 2,0 message 2,2", "NE 2,3", "sos"),
        ("lit-beacon 3,3 message 2,2", "NE 2,3", "beacon"),
    ],
)
def test_first_of_sos_beacon_and_message_is_the_reason(cards: str, ship: str, reason: str) -> None:
    """For sos and beacon at once the ship is put where none can sail."""
    game = rounds(island(cards, ship=ship))
    assert game.asked == f"won: {reason}"
    assert game.returns() == pytest.approx(1 + game.score() / 1000)


@pytest.mark.parametrize("corner", TRACKS)
@pytest.mark.parametrize("signal", ["sos", "lit-beacon", "message"])
def test_ship_that_waits_at_its_corner_sees_a_signal_nowhere(corner: str, signal: str) -> None:
    shore = [(row, column) for row in range(4) for column in range(4) if (row, column) not in ((1, 1), (1, 2))]
    for row, column in shore:
        game = island(f"{signal} {row},{column}", ship=f"{corner} {TRACKS[corner][0]} waiting")
        assert rounds(game).ship == f"{corner} {TRACKS[corner][0]}"
        assert game.asked == "move"


def test_no_one_is_saved_without_a_ship() -> None:
    game = rounds(island("sos 1,0 lit-beacon 0,0 message 1,3"), 3)
    assert (game.asked, game.lives) == ("move", 13)


def test_signal_is_seen_before_the_ship_is_gone() -> None:
    """No card can lie in such a row; this one is put there."""
    game = position("rum* torch / - / sos", ship="NE 1,3", island="-3,-1").do("east")
    assert (game.ship, game.asked) == ("NE 2,3", "won: sos")
    assert position("rum* torch / - / pig", ship="NE 1,3", island="-3,-1").do("east").asked == "lost: ship"


# Won by a move

FAR_SOUTH_EAST = "- - - - / - rum* torch - / - - - - / - - - "
FAR_NORTH_EAST = "- - - {} / - map-c torch - / - rum* - -"


@pytest.mark.parametrize(
    ("field", "way", "ship", "reason"),
    [
        (FAR_SOUTH_EAST + "sos", "north", "NE 0,4", "sos"),
        (FAR_SOUTH_EAST + "sos", "north", "SW 0,-1", "sos"),
        (FAR_SOUTH_EAST + "lit-beacon", "north", "NW -1,1", "beacon"),
        (FAR_SOUTH_EAST + "message", "north", "NW -1,1", "message"),
        (FAR_SOUTH_EAST + "message", "west", "SW 1,-1", "message"),
        (FAR_NORTH_EAST.format("lit-beacon"), "south", "SE 4,1", "beacon"),
        (FAR_NORTH_EAST.format("sos"), "south", "NE 3,4", "sos"),
    ],
)
@pytest.mark.parametrize("moves", [1, 2])
def test_mirage_carries_a_signal_to_the_ship(field: str, way: str, ship: str, reason: str, moves: int) -> None:
    game = position(field, island="0,0", ship=ship, deck="mirage", moves=moves, lives=16).do(way)
    assert game.asked == f"won: {reason}"
    assert (game.lives, game.ship) == (16, ship), "at once: no life is paid, and the ship does not sail"
    assert game.s.moves == moves - 1, "and no other move is made"
    assert (game.legal(), game.returns()) == ([], pytest.approx(1 + game.score() / 1000))


@pytest.mark.parametrize(
    ("signal", "way", "ship"),
    [
        ("sos", "north", "NE 1,4"),
        ("sos", "north", "NW -1,1"),
        ("lit-beacon", "north", "NW -1,0"),
        ("lit-beacon", "west", "SW 1,-1"),
        ("message", "north", "NW -1,2"),
        ("message", "north", "NE 0,4"),
        ("rocks", "north", "NE 0,4"),
        ("sos", "north", ""),
    ],
)
def test_mirage_wins_nothing_where_no_ship_sees_the_signal(signal: str, way: str, ship: str) -> None:
    game = position(FAR_SOUTH_EAST + signal, island="0,0", ship=ship, deck="mirage", moves=2).do(way)
    assert (game.asked, game.up("sea-serpent")) == ("move", True)


def test_message_carried_to_a_corner_of_the_island_does_not_count() -> None:
    field = "- rum* torch - / - - - - / - - - - / - - - message"
    for ship in ("NW -1,0", "SW 0,-1"):
        game = position(field, island="0,0", ship=ship, deck="mirage", moves=2).do("west")
        assert (game.asked, game.places()["bottle"]) == ("move", (0, 0))


def test_signal_lies_in_the_way_of_the_ship_after_any_move() -> None:
    """Only a mirage brings one there while a ship is in play; here it lies there already."""
    for way in ("east", "north"):
        game = position("- - - - / - rum* torch sos", island="0,0", ship="NE 1,4", deck="bottle", moves=2)
        assert game.again().do(way).asked == "won: sos"
    waived = position("- - - - / - rum* torch sos", island="0,0", ship="NE 1,4", moves=2, moved=True).do("waive")
    assert waived.asked == "move", "to waive is no move"


def test_signal_turned_over_is_looked_for_only_after_the_ship_has_sailed() -> None:
    field = "- - - - / - higher-ground* rocks -"
    game = position(field, island="0,0", ship="NE 1,4", turning=True).do("turn rocks")
    assert (game.asked, game.ship) == ("move", "NE 2,4")


#: Twelve cards, the storm among them: with the next one the tornado comes.
TWELVE = "storm hook water {} / palm-trees sticks bottle pig / map-r* compass vines telescope"


@pytest.mark.parametrize(("lives", "asked"), [(4, "won: sos"), (3, "lost: lives")])
def test_tornado_takes_its_lives_before_a_carried_signal_is_seen(lives: int, asked: str) -> None:
    game = position(TWELVE.format("sos"), island="0,0", ship="NE 3,4", deck="mirage", lives=lives).do("south")
    assert (game.asked, game.lives) == (asked, lives - 3)


def test_tornado_blows_a_carried_beacon_away_before_it_is_seen() -> None:
    game = position(TWELVE.format("lit-beacon"), island="0,0", ship="SE 4,0", deck="mirage", moves=2).do("south")
    assert (game.asked, game.up("higher-ground"), game.places()["higher-ground"]) == ("move", True, (3, 0))
    calm = position(TWELVE.format("lit-beacon").replace("storm", "rocks"), island="0,0", ship="SE 4,0", deck="mirage")
    assert calm.do("south").asked == "won: beacon"


# The end


def test_won_game_counts_1_and_a_thousandth_of_the_score() -> None:
    game = rounds(island("sos 1,0", ship="NE 0,4"))
    assert game.score() == 15 + 0 + 5 + 2
    assert game.returns() == pytest.approx(1.022)
    assert game.legal() == []
    row = game.outcome()
    assert (row["won"], row["score"], row["lives"], row["cards_placed"], row["ships"]) == (1, 22, 15, 3, 1)


def test_lost_game_counts_a_thousandth_of_the_score() -> None:
    game = rounds(island("sos 1,0 treasure 3,3", ship="NE 4,4"))
    assert (game.asked, game.score()) == ("lost: ship", 15 + 1 + 5 + 10 + 2)
    assert game.returns() == pytest.approx(0.033)


def test_game_under_way_has_brought_nothing() -> None:
    assert island("sos 1,0", ship="NE 0,4").returns() == 0
