"""Clauses of the rules page: switches for designers, which all leave the game of the seed as it is by default."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from typing import Any

import pytest
from influence_position import LETTERS, Position, config_of, deal, pass_turn, position

from common.positions import assert_even
from playmill import PlaymillError
from playmill.engine.config.settings import SettingKind, settings_of
from playmill.engine.contract.rulebook import Words
from playmill.games.influence.config import Config
from playmill.games.influence.config.start_search import far_apart, steps_from
from playmill.lab.replays.rulebook import rulebook
from playmill.texts import Text


def refused(**changes: Any) -> Text:
    """The sentence with which a config is refused."""
    with pytest.raises(PlaymillError) as caught:
        Config.read(changes)
    return caught.value.text


def order_of(game: Position, turns: int) -> str:
    """Who has the next turns, when nothing happens in them; `|` where a round begins."""
    told, rounds = "", game.s.rounds
    for _ in range(turns):
        told += "" if game.s.rounds == rounds else "|"
        told, rounds = told + LETTERS[game.s.player], game.s.rounds
        pass_turn(game)
    return told


def test_defaults_are_the_rules_of_the_seed() -> None:
    made = Config()
    assert (made.failure, made.min_start_distance, made.first_turn_attacks) == ("difference", 1, True)
    assert (made.start_influence, made.turn_order) == (2, "fixed")


@pytest.mark.parametrize(
    ("change", "en", "ru"),
    [
        ("failure=one", "The defender loses 1,", "Защитник теряет 1,"),
        ("failure=nothing", "The defender loses nothing", "Защитник не теряет ничего"),
        ("turn_order=snake", "in the opposite order in the second", "во втором — в обратном порядке"),
        ("turn_order=drawn", "drawn by lot, turn by turn", "каждый раз решает жребий"),
        ("start_influence=[2, 5]", "with this much influence: **2, 5**", "с влиянием по своему месту"),
        ("min_start_distance=4", "at least **4\N{NO-BREAK SPACE}steps** (normally 1) apart", "не меньше **4"),
        ("first_turn_attacks=false", "In **your first turn**", "В **свой первый ход**"),
    ],
)
def test_the_rules_in_words_tell_a_switch_and_mark_it(change: str, en: str, ru: str) -> None:
    for lang, told, mark in (("en", en, "Changed:"), ("ru", ru, "Изменено:")):
        words = [
            part.markdown
            for part in rulebook("influence", Config().changed([change]), lang).parts[1:]
            if isinstance(part, Words)
        ]
        (paragraph,) = (one for one in "\n".join(words).split("\n\n") if told in one)
        assert f"**{mark}**" in paragraph


# What a failed attack costs the defender


@pytest.mark.parametrize(
    ("failure", "before", "after"),
    [
        ("difference", "A2 B3", "A1 B1"),
        ("difference", "A3 B8", "A1 B5"),
        ("one", "A2 B2", "A1 B1"),
        ("one", "A3 B8", "A1 B7"),
        ("one", "A2 B3", "A1 B2"),
        ("nothing", "A3 B8", "A1 B8"),
        ("nothing", "A2 B2", "A1 B2"),
    ],
)
def test_failure_costs_the_defender_the_difference_one_or_nothing(failure: str, before: str, after: str) -> None:
    assert position(before, failure=failure).fight("attack 0,0 0,1", won=False).field() == after


def test_failure_never_takes_the_defenders_last_point() -> None:
    assert position("A2 B1", failure="one", chance_plus1=0).do("attack 0,0 0,1").field() == "A1 B1"


# Starts


def test_min_start_distance_keeps_random_starts_so_many_steps_apart() -> None:
    rows = ["wwwww.", "w...ww", "wwwwww"]
    for distance in (1, 2, 4, 6):
        nearest = 99
        for number in range(60):
            game = deal(rows, 3 if distance < 6 else 2, number, min_start_distance=distance)
            beside = [[game.cfg.neighbour[cell, side] for side in range(6)] for cell in range(len(game.places))]
            cells = [game.numbers[place] for player in range(game.players) for place in game.owned(player)]
            assert len(cells) == game.players and not any(
                game.s.front[cell] for cell in range(256) if cell not in cells
            ), "no mark is left"
            for one, other in combinations(cells, 2):
                nearest = min(nearest, steps_from(beside, one)[other])
        assert nearest == distance, "as near as allowed, and no nearer"


def test_starts_at_the_greatest_distance_are_found_where_luck_hardly_would() -> None:
    """Six of 61 cells in a row, twelve steps apart and no step to spare: one of 55 million sets of six."""
    rows = ["w" * 61]
    for number in range(3):
        game = deal(rows, 6, number, min_start_distance=12)
        columns = sorted(column for player in range(6) for _, column in game.owned(player))
        assert columns == [0, 12, 24, 36, 48, 60]
    assert len({deal(rows, 6, number, min_start_distance=12).field() for number in range(20)}) > 3, "seats take turns"


def test_starts_two_steps_apart_are_equally_likely_for_two_players() -> None:
    seen = Counter(deal(["wwww"], 2, number, min_start_distance=3).field() for number in range(300))
    assert_even(dict(seen), ["A2 - - B2", "B2 - - A2"])


def test_a_distance_that_no_starts_have_is_refused() -> None:
    with pytest.raises(PlaymillError, match=r"min_start_distance is 3; on the map .* no 3 cells so far apart"):
        deal(["wwww"], 3, min_start_distance=3)
    assert far_apart([[1], [0, 2], [1]], 2, 3) is None and far_apart([[1], [0, 2], [1]], 2, 2) == [0, 2]


def test_starts_of_a_map_that_are_nearer_are_refused() -> None:
    starts = {"2": [[0, 0], [0, 2]]}
    with pytest.raises(PlaymillError, match=r"the starts of the map .* for 2 players are 2 apart") as caught:
        deal(["wwww"], 2, starts=starts, min_start_distance=3)
    assert "стоят в 2 шагах" in caught.value.text.ru
    assert deal(["wwww"], 2, starts=starts, min_start_distance=2).field() == "A2 - B2 -"


def test_start_influence_may_be_one_for_each_seat() -> None:
    assert deal(["wwww"], 3, start_influence=[2, 3, 5]).totals() == [2, 3, 5]
    assert deal(["wwww"], 2, start_influence=[2, 3, 5]).totals() == [2, 3]
    assert deal(["www"], 2, start_influence=[1, 8], weak_capacity=4).totals() == [1, 4]


def test_start_influence_that_does_not_fit_is_refused() -> None:
    with pytest.raises(PlaymillError, match="start_influence has 2 numbers; expected one for each of 3 players"):
        deal(["wwww"], 3, start_influence=[2, 3])
    assert refused(start_influence=[2, 101]).en == "config: start_influence is [2, 101]; expected at most 100"
    assert refused(start_influence=[2]).en == "config: start_influence is [2]; expected at least 2 entries"
    assert refused(start_influence=["2", 3]).ru == 'config: start_influence равно ["2", 3]; ожидается: целое число'
    assert refused(start_influence=101).en == "config: start_influence is 101; expected at most 100"


def test_start_influence_of_a_seat_can_be_changed_and_asked_for_by_its_path() -> None:
    made = Config().changed(["start_influence=[2, 2]"]).changed(["start_influence.1=5"])
    assert made.start_influence == [2, 5]
    for config, kind in ((Config(), SettingKind.NUMBER), (made, SettingKind.NUMBERS)):
        (found,) = (one for one in settings_of(config).parts if one.path == "start_influence")
        assert (found.kind, found.listed) == (kind, True)


# The first turn


def test_first_turn_without_attacks_takes_empty_cells_only() -> None:
    game = position("- A4 B1 / - - .", first_turn_attacks=False)
    assert game.legal() == ["attack 0,1 1,1", "attack 0,1 1,0", "attack 0,1 0,0", "end"]
    game.do("attack 0,1 1,1")
    assert "attack 1,1 0,2" not in game.legal()


def test_second_turn_attacks_whatever_the_switch_says() -> None:
    game = position("A1 B2 - . C1", players=3, first_turn_attacks=False)
    pass_turn(game)
    assert game.asked == "B attacks" and game.legal() == ["attack 0,1 0,2", "end"], "it is B's first turn as well"
    pass_turn(game)
    pass_turn(game)
    assert game.asked == "A attacks" and "attack 0,0 0,1" in game.legal()


# The order of turns


@pytest.mark.parametrize(
    ("order", "told"),
    [("fixed", "ABC|ABC|ABC|ABC"), ("snake", "ABC|CBA|ABC|CBA")],
)
def test_snake_reverses_every_other_round(order: str, told: str) -> None:
    assert order_of(position("A1 . B1 . C1", turn_order=order), 12) == told


def test_snake_skips_the_dead_in_both_directions() -> None:
    assert order_of(position("A1 . C1 . D1 . - . -", players=5, turn_order="snake"), 9) == "ACD|DCA|ACD"


def test_drawn_order_gives_everybody_one_turn_a_round() -> None:
    for number in range(20):
        rounds = order_of(deal(["w.w.w.w"], 4, number, turn_order="drawn", start_influence=1), 20).split("|")
        assert [sorted(one) for one in rounds] == [list("ABCD")] * 5


def test_drawn_orders_are_equally_likely_in_every_round() -> None:
    games = [
        order_of(deal(["w.w.w"], 3, number, turn_order="drawn", start_influence=1), 6).split("|")
        for number in range(300)
    ]
    orders = ("ABC", "ACB", "BAC", "BCA", "CAB", "CBA")
    for number in range(2):
        assert_even(dict(Counter(game[number] for game in games)), orders)
    assert len({tuple(game) for game in games}) > 30, "a round's order says nothing of the next one's"


def test_drawing_turns_leaves_the_luck_of_starts_and_fights_as_it_is() -> None:
    rows = ["wSww", "wwww", "Swww"]
    for number in range(5):
        assert deal(rows, 3, number, turn_order="drawn").field() == deal(rows, 3, number).field()


def test_a_switch_that_is_misspelt_is_refused() -> None:
    assert refused(turn_order="snakes").en.startswith('config: turn_order is "snakes"; expected one of ')
    assert refused(failure="all").ru.startswith('config: failure равно "all"; ожидается: одно из ')
    assert config_of(["ww"], failure="one").failure == "one"
