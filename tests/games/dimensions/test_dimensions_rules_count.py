"""The end of the game: counting, ties, and what is kept for the statistics."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest
from dimensions_position import Position, position

from common.positions import assert_fits, uniform
from playmill.engine.record import plain
from playmill.engine.rule import interpreted
from playmill.games.dimensions import tables
from playmill.games.dimensions.outcome import Outcome, Tally, tally

_tally = interpreted(tally)


def scored(**more: Any) -> Position:
    """A game whose final turn ends."""
    return position("attack", final=True, last_taker=more.get("active", 0), **more).do("hold")


def test_largest_count_over_all_dimensions_wins() -> None:
    game = scored(entities="GYB", table=["G G G", "Y Y", "Y Y B2"])
    assert (game.winner, game.s.end, game.s.tie) == ("Y", tables.BY_COUNT, tables.NO_TIE)
    assert game.returns() == [0.0, 1.0, 0.0]


def test_only_players_factions_are_counted() -> None:
    assert scored(entities="GYB", table=["R R R R R R", "G G", "P P P Y"]).winner == "G"


def test_blue_values_do_not_matter_for_the_count() -> None:
    assert scored(entities="GYB", table=["B29 B23", "G G G", ""]).winner == "G"


def test_captain_counts_one_for_red() -> None:
    game = scored(entities="RYB", captain=2, table=["R R", "Y Y", ""], spiral="YRGBP")
    assert (game.winner, game.s.tie) == ("R", tables.NO_TIE)


def test_captain_never_placed_counts_nothing() -> None:
    assert scored(entities="RYB", table=["R R", "Y Y", ""], spiral="YRGBP").winner == "Y"


def test_every_aura_counts_one_for_purple() -> None:
    game = scored(entities="YPG", table=["Y Y Y", "P P", ""], auras="Y@0 Y@2")
    assert (game.winner, game.s.tie) == ("P", tables.NO_TIE)


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
        assert (game.winner, game.s.tie) == (winner, tables.TIE_BY_SPIRAL)


def test_tie_with_a_faction_nobody_plays_is_none() -> None:
    game = scored(entities="GYB", table=["G G R R", "", ""], spiral="RGYBP")
    assert (game.winner, game.s.tie) == ("G", tables.NO_TIE)


def lots(games: int, **more: Any) -> Counter[str]:
    """Who wins a tie that goes by lot, over many games."""
    start = position("attack", final=True, last_taker=0, **more)
    winners = Counter()
    for number in range(games):
        game = start.again(number).do("hold")
        assert (game.s.end, game.s.tie) == (tables.BY_COUNT, tables.TIE_BY_LOT)
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


# What is kept of a game


def test_outcome_tells_who_won_why_and_with_how_many_cards() -> None:
    """Red has a card and the Captain, purple a card and two Auras, blue three cards: blue beats purple."""
    game = scored(entities="RPB", active=2, first=1, captain=1, table=["R P", "B2", "B3 B5"], auras="G@0 Y@0", turns=17)
    row = game.outcome()
    assert (row["winner"], row["winner_faction"]) == (2, 3)
    assert (row["ended_by"], row["tie"]) == (tables.BY_COUNT, tables.TIE_BY_SPIRAL)
    assert (row["first"], row["players"], row["turns"]) == (1, 3, 17)
    assert row["faction"].tolist() == [0, 4, 3, -1, -1]
    assert row["cards"].tolist() == [2, 3, 3, 0, 0]
    assert row["anomaly_plays"].tolist() == [0] * 5


def test_outcome_of_an_instant_win_counts_the_turn_it_cut_short() -> None:
    game = position("reinforce", active=1, first=2, hands=["", "G"], table=["G G G G", "", ""], deck="P", turns=6)
    row = game.do("put G 0").outcome()
    assert (row["winner"], row["winner_faction"], row["ended_by"], row["tie"]) == (0, 1, 1, tables.NO_TIE)
    assert (row["turns"], row["first"]) == (6, 2)


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
    game.s.phase = tables.MOVEMENT
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
