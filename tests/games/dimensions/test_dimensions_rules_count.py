"""The end of the game: counting, ties, and what is kept for the statistics."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest
from dimensions_position import Position, position

from common.positions import assert_fits, uniform
from playmill.engine.lang.record import plain
from playmill.engine.lang.rule import interpreted
from playmill.games.dimensions import constants
from playmill.games.dimensions.outcome import Outcome, Tally, tally

_tally = interpreted(tally)


def scored(**more: Any) -> Position:
    """A game whose final turn ends."""
    return position("attack", final=True, last_taker=more.get("active", 0), **more).do("hold")


def test_largest_count_over_all_dimensions_wins() -> None:
    game = scored(entities="GYB", table=["G G G", "Y Y", "Y Y B2"])
    assert (game.winner, game.s.end, game.s.tie) == ("Y", constants.BY_COUNT, constants.NO_TIE)
    assert game.returns() == [0.0, 1.0, 0.0]


def test_only_players_factions_are_counted() -> None:
    assert scored(entities="GYB", table=["R R R R R R", "G G", "P P P Y"]).winner == "G"


def test_blue_values_do_not_matter_for_the_count() -> None:
    assert scored(entities="GYB", table=["B29 B23", "G G G", ""]).winner == "G"


def test_captain_counts_one_for_red() -> None:
    game = scored(entities="RYB", captain=2, table=["R R", "Y Y", ""], spiral="YRGBP")
    assert (game.winner, game.s.tie) == ("R", constants.NO_TIE)


def test_captain_never_placed_counts_nothing() -> None:
    assert scored(entities="RYB", table=["R R", "Y Y", ""], spiral="YRGBP").winner == "Y"


def test_every_aura_counts_one_for_purple() -> None:
    game = scored(entities="YPG", table=["Y Y Y", "P P", ""], auras="Y@0 Y@2")
    assert (game.winner, game.s.tie) == ("P", constants.NO_TIE)


def test_auras_do_not_count_for_the_colour_of_their_faces() -> None:
    assert scored(entities="YBG", table=["Y", "B2 B3", ""], auras="Y@0 Y@0 Y@2").winner == "B"


def test_auras_count_for_nobody_when_purple_is_nobodys_entity() -> None:
    assert scored(entities="YBG", table=["Y", "", ""], auras="R@0 R@1 R@2").winner == "Y"


def test_cards_in_hands_and_in_the_pile_do_not_count() -> None:
    assert scored(hands=["Y Y Y", "Y", ""], pile="Y Y Y Y", table=["G", "", ""]).winner == "G"


def test_baseline_is_counted_the_same_way() -> None:
    assert scored(mode="baseline", entities="RBG", table=["R R B B", "B", "G"]).winner == "B"


@pytest.mark.parametrize(("spiral", "winner"), [("RGYBP", "G"), ("RYGBP", "Y"), ("GRBPY", "Y")])
def test_tie_goes_to_the_tied_faction_that_beats_the_other_by_the_spiral(spiral: str, winner: str) -> None:
    for number in range(8):
        game = scored(entities="GYB", spiral=spiral, table=["G G", "Y", "Y B2"], number=number)
        assert (game.winner, game.s.tie) == (winner, constants.TIE_BY_SPIRAL)


def test_tie_with_a_faction_nobody_plays_is_none() -> None:
    game = scored(entities="GYB", table=["G G R R", "", ""], spiral="RGYBP")
    assert (game.winner, game.s.tie) == ("G", constants.NO_TIE)


def lots(games: int, **more: Any) -> Counter[str]:
    """Who wins a tie that goes by lot, over many games."""
    start = position("attack", final=True, last_taker=0, **more)
    winners = Counter()
    for number in range(games):
        game = start.again(number).do("hold")
        assert (game.s.end, game.s.tie) == (constants.BY_COUNT, constants.TIE_BY_LOT)
        winners[game.winner] += 1
    return winners


def test_tie_of_two_that_do_not_beat_each_other_goes_by_lot() -> None:
    assert_fits(lots(800, entities="GBR", table=["G G", "B2 B3", "R"], captain=None), uniform("GB"))


def test_three_way_tie_goes_by_lot_though_one_beats_another() -> None:
    """Nobody can beat both others: each faction beats exactly one."""
    assert_fits(lots(900, entities="GYP", table=["G Y P", "", ""]), uniform("GYP"))


def test_five_way_tie_goes_by_lot() -> None:
    assert_fits(lots(1000, entities="GYPBR", captain=0, table=["G", "Y", "P", "B2", ""]), uniform("RGYBP"))


def test_tie_at_nothing_goes_by_lot_among_all_players() -> None:
    assert_fits(lots(900, entities="GYP", table=["R", "", ""]), uniform("GYP"))


# Other ways to break a tie


@pytest.mark.parametrize(
    ("tied", "spiral", "winner"), [("GY", "RGYBP", "G"), ("GYB", "RGYBP", "G"), ("PRGY", "RGYBP", "P")]
)
def test_unbeaten_gives_a_tie_to_the_only_tied_faction_no_other_tied_one_beats(
    tied: str, spiral: str, winner: str
) -> None:
    """A chain in the Spiral has one faction nobody beats; with `spiral` three that tie go by lot."""
    entities = tied + "".join(letter for letter in "RGYBP" if letter not in tied)[: max(0, 3 - len(tied))]
    table = ["".join(f"{'B2' if letter == 'B' else letter} " for letter in tied)]
    for number in range(8):
        game = scored(entities=entities, spiral=spiral, table=table, tie_break="unbeaten", number=number)
        assert (game.winner, game.s.tie) == (winner, constants.TIE_BY_SPIRAL)


def test_unbeaten_draws_lots_among_all_tied_where_nobody_or_several_are_unbeaten() -> None:
    apart = lots(600, entities="GBR", table=["G G", "B2 B3", "R"], captain=None, tie_break="unbeaten")
    assert_fits(apart, uniform("GB"))
    beaten_too = lots(900, entities="GYP", table=["G Y P", "", ""], tie_break="unbeaten")
    assert_fits(beaten_too, uniform("GYP"))
    ring = lots(1000, entities="GYPBR", captain=0, table=["G", "Y", "P", "B2", ""], tie_break="unbeaten")
    assert_fits(ring, uniform("RGYBP"))


def test_lot_draws_lots_even_among_neighbours_of_the_spiral() -> None:
    assert_fits(lots(800, entities="GYB", table=["G G", "Y", "Y B2"], tie_break="lot"), uniform("GY"))


# What is kept of a game


def test_outcome_tells_who_won_why_and_with_how_many_cards() -> None:
    """Red has a card and the Captain, purple a card and two Auras, blue three cards: blue beats purple."""
    game = scored(entities="RPB", active=2, first=1, captain=1, table=["R P", "B2", "B3 B5"], auras="G@0 Y@0", turns=17)
    row = game.outcome()
    assert (row["winner"], row["winner_faction"]) == (2, 3)
    assert (row["ended_by"], row["tie"]) == (constants.BY_COUNT, constants.TIE_BY_SPIRAL)
    assert (row["first"], row["players"], row["turns"]) == (1, 3, 17)
    assert row["faction"].tolist() == [0, 4, 3, -1, -1]
    assert row["cards"].tolist() == [2, 3, 3, 0, 0]
    assert row["plain_cards"].tolist() == [1, 1, 3, 0, 0]
    assert row["tied"].tolist() == [0, 1, 1, 0, 0]
    assert row["end_phase"] == constants.TURN_OVER
    assert row["anomaly_plays"].tolist() == [0] * 5


def test_outcome_of_an_instant_win_counts_the_turn_it_cut_short() -> None:
    game = position("reinforce", active=1, first=2, hands=["", "G"], table=["G G G G", "", ""], deck="P", turns=6)
    row = game.do("put G 0").outcome()
    assert (row["winner"], row["winner_faction"], row["ended_by"], row["tie"]) == (0, 1, 1, constants.NO_TIE)
    assert (row["turns"], row["first"]) == (6, 2)
    assert row["end_phase"] == constants.REINFORCE


def test_outcome_tells_when_and_where_the_captain_was_placed_and_moved() -> None:
    """Red, at seat 1, places him in Yellow's Dimension in turn 4 and moves him home and back to Yellow's."""
    game = position(
        "reinforce", entities="GRY", active=1, hands=["", "R", ""], deck="P " * 11 + "G " * 11 + "Y " * 11, turns=4
    )
    game.do("put captain 2", "stay", "hold")
    assert (game.s.captain_placed, game.s.captain_placed_in) == (4, 2)
    for turn, target in ((7, 1), (10, 2), (11, 1)):
        game.s.turns, game.s.active, game.s.player, game.s.phase = turn, 1, 1, constants.MOVEMENT
        game.do(f"move captain {target}")
    row = game.outcome()
    assert (row["captain_placed"], row["captain_placed_in"], row["captain_moved"]) == (4, 2, 7)
    assert row["captain_moves"].tolist() == [2, 0, 1, 0, 0]


def test_a_captain_never_placed_has_no_turn_and_no_dimension() -> None:
    row = scored(entities="RYB", table=["R R", "Y Y", ""]).outcome()
    assert (row["captain_placed"], row["captain_placed_in"], row["captain_moved"]) == (0, constants.NOBODY, 0)


def test_outcome_tells_auras_made_and_lost_to_attacks_and_to_a_black_hole() -> None:
    made = position("attack", entities="GPY", active=1, table=["", "P P G Y", ""], deck="R " * 8 + "Y " * 10)
    assert made.do("attack P G").outcome()["auras"].tolist() == [1, 0, 0]
    made.s.active, made.s.player, made.s.phase = 1, 1, constants.ATTACK
    made.do("attack P Y")
    assert made.outcome()["auras"].tolist() == [2, 0, 0]
    _give_red(made, 1, 3)
    made.s.active, made.s.player, made.s.phase = 1, 1, constants.ATTACK
    made.do("attack R aura")
    assert made.outcome()["auras"].tolist() == [2, 1, 0]
    made.s.hand_anomalies[1] = 0b100
    made.s.hand_size[1] += 1
    made.s.active, made.s.player, made.s.phase = 1, 1, constants.MOVEMENT
    made.do("black_hole aura 1")
    assert made.outcome()["auras"].tolist() == [2, 1, 1]


def _give_red(game: Position, dimension: int, cards: int) -> None:
    game.s.table[dimension, 0] += cards
    game.s.squad[dimension, 0] += cards
    game.s.table_kinds[dimension] |= 1


def test_loop_turn_and_final_turn_count_as_turns() -> None:
    """The turn in which the loop is played, the loop turn, the final turn."""
    game = position("move", hands=["time_loop R", "G G G G", "Y Y Y"], deck="P P P P")
    game.do("time_loop", "hold")
    while game.phase != "over":
        game.do(game.legal()[0])
    row = game.outcome()
    assert row["turns"] == 3
    assert row["anomaly_plays"].tolist() == [0, 0, 0, 0, 1]
    assert row["anomaly_players"].tolist() == [0, 0, 0, 0, 0b001]


def test_outcome_tells_which_anomalies_were_played_and_by_whom() -> None:
    """Player 0 plays the Wormhole, player 1 brings it back by Big Bang, draws it and plays it again later."""
    hands = ["wormhole R R R", "big_bang G G G", "Y Y Y Y"]
    game = position("move", entities="GPY", hands=hands, table=["P", "", ""], deck="P P P P P P P P P P")
    game.do("wormhole P 0 1", "hold").battle("R", "G", "Y").do("put G 0", "big_bang")
    assert list(game.s.anomaly_plays) == [0, 1, 0, 1, 0]
    assert list(game.s.anomaly_players) == [0, 0b001, 0, 0b010, 0]
    place = game.deck().index("wormhole")
    top = game.s.deck_size - 1
    game.s.deck[top - place], game.s.deck[top] = game.s.deck[top], game.s.deck[top - place]
    game.do("hold")
    assert "wormhole" in game.hand(1)
    game.s.active = game.s.player = 1
    game.s.phase = constants.MOVEMENT
    game.do("wormhole P 1 2")
    assert list(game.s.anomaly_plays) == [0, 2, 0, 1, 0]
    assert list(game.s.anomaly_players) == [0, 0b011, 0, 0b010, 0]


def test_tally_adds_up_wins_ends_ties_seats_first_players_turns_and_anomalies() -> None:
    first = scored(
        entities="RPB", active=2, first=2, captain=1, table=["R P", "B2", "B3 B5"], auras="G@0 Y@0", turns=17
    )
    second = position("reinforce", active=1, first=2, hands=["", "G"], table=["G G G G", "", ""], deck="P", turns=6)
    second.do("put G 0")
    rows = np.array([first.outcome(), second.outcome()], Outcome)
    rows["decisions"] = [40, 2]
    rows["anomaly_plays"][0] = [0, 2, 0, 0, 1]
    rows["anomaly_players"][0] = [0, 0b101, 0, 0, 0b001]
    counts = np.zeros(1, Tally)
    for row in (0, 1):
        _tally(plain(rows)[row], plain(np.array([0, 0, 1, 0, 0], np.int32)), plain(counts)[0])
    total = counts[0]
    assert (total["games"], total["decisions"], total["first_wins"]) == (2, 42, 1)
    assert {turns: n for turns, n in enumerate(total["turns"].tolist()) if n} == {17: 1, 6: 1}
    assert total["ends"].tolist() == [0, 1, 0, 0, 0, 1]
    assert total["ties"].tolist() == [1, 1, 0]
    assert total["seat_wins"].tolist() == [1, 0, 1, 0, 0]
    assert total["participates"][:2].tolist() == [[1, 1, 1, 0, 1], [0, 0, 0, 1, 1]]
    assert total["wins"][:2].tolist() == [[0, 1, 0, 0, 0], [0, 0, 0, 1, 0]]
    assert total["cards"].tolist() == [2, 5, 0, 3, 3]
    assert total["anomaly_plays"].tolist() == [0, 2, 0, 0, 1]
    assert total["anomaly_games"].tolist() == [0, 1, 0, 0, 1]
    assert total["anomaly_wins"].tolist() == [0, 1, 0, 0, 0]
    assert total["plain_cards"].tolist() == [1, 5, 0, 3, 1]
    assert {tied: n for tied, n in enumerate(total["tied"].tolist()) if n} == {0b11000: 1}
    assert total["tied_wins"][0b11000].tolist() == [0, 0, 0, 1, 0]
    assert total["instant_wins"][1].tolist() == [0, 1, 0, 0, 0]
    assert (total["instant_wins"].sum(), total["count_wins"].tolist()) == (1, [0, 0, 0, 1, 0])


@pytest.mark.parametrize(
    ("table", "captain", "auras", "winner", "owed"),
    [
        (["R R R", "Y Y", ""], 0, "", "R", 0),
        (["R R", "Y Y", ""], 0, "", "R", 1),
        (["P", "Y Y", ""], None, "G@0 G@1", "P", 1),
        (["P P P", "Y Y", ""], None, "G@0", "P", 0),
    ],
)
def test_a_win_is_owed_to_captain_or_auras_if_another_had_as_many_without(
    table: list[str], captain: int | None, auras: str, winner: str, owed: int
) -> None:
    entities = f"{winner}YB"
    game = scored(entities=entities, captain=captain, table=table, auras=auras)
    assert game.winner == winner
    rows = np.array([game.outcome()], Outcome)
    counts = np.zeros(1, Tally)
    _tally(plain(rows)[0], plain(np.zeros(5, np.int32)), plain(counts)[0])
    faction = "RGYBP".index(winner)
    assert counts["count_wins"][0].tolist() == [int(place == faction) for place in range(5)]
    assert counts["owed_wins"][0, faction] == owed


def test_tally_of_the_captain() -> None:
    """Placed twice: in turns 4 and 9, at home and at Yellow's; moved in one of the games, twice home."""
    rows = np.zeros(3, Outcome)
    rows["players"], rows["ended_by"] = 3, constants.BY_COUNT
    rows["faction"] = [[0, 2, 3, -1, -1], [1, 0, 2, -1, -1], [1, 0, 4, -1, -1]]
    rows["captain_placed"], rows["captain_placed_in"] = (4, 9, 0), (0, 2, -1)
    rows["captain_moved"] = (0, 12, 0)
    rows["captain_moves"][1, 0] = 2
    counts = np.zeros(1, Tally)
    for place in range(3):
        _tally(plain(rows)[place], plain(np.zeros(5, np.int32)), plain(counts)[0])
    total = counts[0]
    assert {turn: n for turn, n in enumerate(total["captain_placed"].tolist()) if n} == {4: 1, 9: 1}
    assert {turn: n for turn, n in enumerate(total["captain_moved"].tolist()) if n} == {12: 1}
    assert total["captain_with"].tolist() == [2, 1, 2, 1, 0]
    assert total["captain_placed_in"].tolist() == [1, 0, 1, 0, 0]
    assert (total["captain_moves"].tolist(), total["captain_moves_squared"][0]) == ([2, 0, 0, 0, 0], 4)
    assert total["all_captain_moves_squared"] == 4
