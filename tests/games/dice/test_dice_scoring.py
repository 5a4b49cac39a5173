"""Which selections are valid and what they bring: hand-worked cases, then every roll of every set of dice."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import numpy as np
import pytest
from dice_naive import selections, worth
from dice_position import LETTERS, bits, letters, packed_roll, position

from playmill.engine.lang.rule import interpreted
from playmill.games.dice import scoring
from playmill.games.dice.agents.save_value import comes_first

_savable = interpreted(scoring.savable)
_score = interpreted(scoring.score)
_best = interpreted(scoring.best_plain)
_comes_first = interpreted(comes_first)


def score(faces: str) -> int:
    """What all these dice bring as one selection, wherever they lie; 0 if it is not valid."""
    found = set()
    for start in range(7 - len(faces)):
        roll = ("." * start + faces).ljust(6, ".")
        table = bits("".join(letter for letter, face in zip(LETTERS, roll, strict=True) if face != "."))
        valid = _savable(packed_roll(roll), table) >> (table - 1) & 1
        found.add(int(_score(packed_roll(roll), table)) if valid else 0)
    assert len(found) == 1
    return found.pop()


# Single dice


def test_a_one_brings_100_and_a_five_50() -> None:
    assert [score(face) for face in "123456"] == [100, 0, 0, 0, 50, 0]


@pytest.mark.parametrize(("faces", "points"), [("11", 200), ("55", 100), ("15", 150), ("115", 250), ("1155", 300)])
def test_ones_and_fives_add_up(faces: str, points: int) -> None:
    assert score(faces) == points


@pytest.mark.parametrize("face", "2346")
def test_2_3_4_and_6_are_nothing_below_three_of_a_kind(face: str) -> None:
    assert score(face) == score(2 * face) == 0
    assert score("1" + face) == score("5" + 2 * face) == score("111" + face) == 0


# Three of a kind and more


@pytest.mark.parametrize(("face", "points"), [("1", 1000), ("2", 200), ("3", 300), ("4", 400), ("5", 500), ("6", 600)])
def test_three_of_a_kind_doubled_for_every_die_beyond_three(face: str, points: int) -> None:
    assert [score(face * count) for count in (3, 4, 5, 6)] == [points, 2 * points, 4 * points, 8 * points]


@pytest.mark.parametrize(
    ("faces", "points"),
    [
        ("222333", 500),  # 200 + 300
        ("111555", 1500),  # 1000 + 500
        ("222215", 550),  # 400 + 100 + 50
        ("333311", 800),  # 600 + 200
        ("66651", 750),  # 600 + 50 + 100
        ("555511", 1200),  # 1000 + 200
        ("111155", 2100),  # 2000 + 100
        ("44441", 900),  # 800 + 100
        ("166666", 2500),  # 100 + 600 · 4
    ],
)
def test_elements_of_a_selection_add_up(faces: str, points: int) -> None:
    assert score(faces) == points
    assert score(faces[::-1]) == points


@pytest.mark.parametrize(
    "faces", ["2223", "222334", "111124", "22", "223355", "1234", "2345", "3456", "13456", "12346"]
)
def test_one_die_that_does_not_score_spoils_a_selection(faces: str) -> None:
    assert score(faces) == 0


# Straights


@pytest.mark.parametrize(("faces", "points"), [("123456", 1500), ("12345", 500), ("23456", 750)])
def test_straights_in_any_order(faces: str, points: int) -> None:
    assert {score(order) for order in (faces, faces[::-1], faces[2:] + faces[:2], faces[::2] + faces[1::2])} == {points}


@pytest.mark.parametrize("faces", ["112345", "123455", "122345", "234566", "223456", "234556"])
def test_a_straight_plus_other_dice_is_not_valid_as_one_selection(faces: str) -> None:
    assert score(faces) == 0


def test_a_straight_with_a_twin_can_be_saved_with_either_of_the_two() -> None:
    game = position("134525")
    assert [dice for dice in game.sets() if len(dice) == 5] == ["abcde", "abcef"]
    assert game.do("pass abcef").totals == [500, 0]


def test_a_full_straight_holds_both_short_ones_and_the_singles() -> None:
    game = position("123456")
    assert game.sets() == sorted(["abcdef", "abcde", "bcdef", "a", "e", "ae"])
    assert {dice: position("123456").do(f"pass {dice}").totals[0] for dice in game.sets()} == {
        "a": 100,
        "e": 50,
        "ae": 150,
        "abcde": 500,
        "bcdef": 750,
        "abcdef": 1500,
    }


# Selections are sets of positions


def test_equal_faces_on_different_positions_are_different_choices() -> None:
    assert position("151634").sets() == ["a", "ab", "abc", "ac", "b", "bc", "c"]


def test_three_of_four_equal_dice_are_four_choices_and_all_four_one_more() -> None:
    assert position("222234").sets() == ["abc", "abcd", "abd", "acd", "bcd"]


def test_banked_dice_are_no_part_of_a_selection() -> None:
    assert position("1..15.").sets() == ["a", "ad", "ade", "ae", "d", "de", "e"]
    assert position("22.2..").sets() == ["abd"]


def test_each_selection_can_be_saved_to_continue_or_to_pass() -> None:
    assert position("152346").legal() == [
        *("save a", "save b", "save ab", "save abcde", "save bcdef", "save abcdef"),
        *("pass a", "pass b", "pass ab", "pass abcde", "pass bcdef", "pass abcdef"),
    ]


# Every roll of every set of dice: a die shows 1 to 6, or 0 where it is banked.


@pytest.fixture(scope="module")
def rolls() -> Any:
    return np.indices((7,) * 6).reshape(6, -1).T


@pytest.fixture(scope="module")
def points(rolls: Any) -> Any:
    """By the page: what each set of dice would bring from each roll, 0 where it is not valid."""
    triple = np.array([0, 1000, 200, 300, 400, 500, 600])
    single = np.array([0, 100, 0, 0, 0, 50, 0])
    shown = (rolls[:, :, None] == np.arange(7)).astype(np.int64)
    found = np.zeros((64, len(rolls)), np.int64)
    for dice in range(1, 64):
        counts = shown[:, [place for place in range(6) if dice >> place & 1]].sum(axis=1)
        kinds = np.where(counts >= 3, triple << np.maximum(counts - 3, 0), single * counts)
        useless = ((counts > 0) & (kinds == 0)).any(axis=1)
        found[dice] = np.where(useless, 0, kinds.sum(axis=1))
        for straight, worth_of_it in (((1, 6), 1500), ((1, 5), 500), ((2, 6), 750)):
            exactly = [int(straight[0] <= face <= straight[1]) for face in range(7)]
            found[dice][(counts == exactly).all(axis=1)] = worth_of_it
    return found


@pytest.fixture(scope="module")
def packed(rolls: Any) -> list[int]:
    bit = np.where(rolls > 0, 1 << (6 * np.maximum(rolls - 1, 0) + np.arange(6)), 0)
    return bit.sum(axis=1).tolist()


@pytest.fixture(scope="module")
def tables(rolls: Any) -> list[int]:
    return ((rolls > 0) << np.arange(6)).sum(axis=1).tolist()


def test_the_two_models_of_the_page_agree(rolls: Any, points: Any) -> None:
    for roll in np.random.default_rng(1).integers(1, len(rolls), 2000):
        text = "".join(str(face) if face else "." for face in rolls[roll])
        expected = {letters(dice): int(points[dice, roll]) for dice in range(1, 64) if points[dice, roll]}
        assert selections(text) == expected


def test_every_selection_of_every_roll_is_valid_or_not_as_the_page_says(
    points: Any, packed: list[int], tables: list[int]
) -> None:
    places = 1 << np.arange(63)
    expected = ((points[1:] > 0) * places[:, None]).sum(axis=0).tolist()
    for roll, table, sets in zip(packed, tables, expected, strict=True):
        assert _savable(roll, table) == sets, f"{roll:o}"


def test_every_valid_selection_of_every_roll_brings_what_the_page_says(points: Any, packed: list[int]) -> None:
    for dice in range(1, 64):
        where = np.flatnonzero(points[dice])
        for roll, worth_of_it in zip(where.tolist(), points[dice, where].tolist(), strict=True):
            assert _score(packed[roll], dice) == worth_of_it


def test_best_selection_has_the_highest_score_then_fewer_dice_then_the_first_positions(
    points: Any, packed: list[int], tables: list[int]
) -> None:
    ordered = ["".join(dice) for size in range(1, 7) for dice in combinations(LETTERS, size)]
    order = np.array([bits(dice) for dice in ordered])
    best = order[points[order].argmax(axis=0)]
    scoring_rolls = np.flatnonzero(points.max(axis=0)).tolist()
    for roll in scoring_rolls:
        assert _best(packed[roll], tables[roll]) == (best[roll], points[best[roll], roll])


def test_fewer_dice_come_first_then_the_sorted_list_of_positions() -> None:
    ordered = ["".join(dice) for size in range(1, 7) for dice in combinations(LETTERS, size)]
    for place, dice in enumerate(ordered):
        for other in ordered[place + 1 :]:
            assert _comes_first(bits(dice), bits(other))
            assert not _comes_first(bits(other), bits(dice))


def test_all_scores_are_multiples_of_50_and_8000_is_the_highest(points: Any) -> None:
    assert (points % 50 == 0).all()
    assert points.max() == 8000 == worth("111111")
