"""What holds at every moment of every match, whatever the content: the rules against the page in plain Python."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations_with_replacement, product
from typing import Any

import pytest
from dice_naive import NaiveMatch, followed, selections
from dice_position import EVIL, FAIR, LETTERS, ONES, Position, match
from dice_random_content import set_up
from hypothesis import given, settings
from hypothesis import strategies as st

from common.effort import share
from playmill import Game, load_game, simulate
from playmill.games.dice.actions import MAX_ACTIONS, MAX_LEGAL
from playmill.games.dice.config.program import throw_prospects
from playmill.games.dice.content import library

SETTINGS: dict[str, Any] = {"deadline": None, "derandomize": True, "database": None}


def check(game: Position, model: NaiveMatch) -> None:
    """The match and the model of it are the same in everything that can be seen."""
    s = game.s
    assert (s.player < 0) == model.over
    assert s.winner == (-1 if model.winner is None else model.winner)
    assert (s.turns, list(s.seat_turns)) == (model.turns, model.seat_turns)
    assert (list(s.seat_rolls), list(s.seat_hot)) == (model.seat_rolls, model.seat_hot)
    assert (list(s.throws), list(s.busts)) == (model.whole_throws, model.whole_busts)
    assert game.totals == model.totals
    assert [set(game.flags(seat)) for seat in (0, 1)] == [set(flags) for flags in model.flags]
    assert [flag_turns(game, seat) for seat in (0, 1)] == model.left
    assert game.cooldowns() == [piece.cooldown for piece in model.pieces]
    counted = [(s.fired[place], s.moved[place]) for place in range(len(model.pieces))]
    assert counted == [(piece.fired, piece.moved) for piece in model.pieces]
    assert min(game.totals) >= 0
    if not model.over:
        assert (s.player, s.rolls, bool(s.hot), game.points) == (model.player, model.rolls, model.hot, model.points)
        assert (game.roll, set(game.locked)) == (model.roll, model.locked)
        check_options(game, model)
    else:
        check_end(game)


def flag_turns(game: Position, seat: int) -> dict[str, int]:
    """The turns that a player's flags have left, of those set for a time."""
    turns = zip(game.flag_names, game.s.flag_turns[seat], strict=False)
    return {flag: left for flag, left in turns if left}


def check_options(game: Position, model: NaiveMatch) -> None:
    legal = game.legal_ids()
    assert legal == sorted(set(legal))
    assert 0 < len(legal) <= MAX_LEGAL and legal[-1] < MAX_ACTIONS
    assert sorted(game.legal()) == sorted(model.options())
    assert game.counted_ids() == legal
    assert selections(game.roll), "a player is asked after a scoring roll only"


def check_end(game: Position) -> None:
    """Nothing is left to do, one has won by reaching the target, or the turns are used up."""
    s, row, won = game.s, game.outcome(), game.won
    assert game.legal_ids() == game.counted_ids() == []
    assert game.returns() == ([0.5, 0.5] if won == -1 else [float(won == seat) for seat in (0, 1)])
    assert [total >= game.config.target_score for total in game.totals] == [won == seat for seat in (0, 1)]
    assert s.turns == game.config.max_turns or won != -1
    assert (row["turns"], row["winner"], row["total"].tolist()) == (s.turns, won, game.totals)
    assert (row["throws"].tolist(), row["busts"].tolist()) == (list(s.throws)[1:], list(s.busts)[1:])
    assert (row["fired"].tolist(), row["moved"].tolist()) == (list(s.fired), list(s.moved))


@settings(max_examples=share(200), **SETTINGS)
@given(st.integers(0, 2**32))
def test_every_moment_of_every_match_is_as_the_page_says(seed: int) -> None:
    for game, model in followed(set_up(random.Random(seed)), seed):
        check(game, model)


@pytest.mark.parametrize("name", [name for name, kind in library().ids().items() if kind != "dice"])
@pytest.mark.parametrize("owner", ["table", "theirs"])
def test_shipped_content_does_what_its_data_say(owner: str, name: str) -> None:
    for game, model in followed(match(**{owner: [name]}, target=2500, max_turns=40), 1):
        check(game, model)


# The exact chances of a throw


def outcomes(weights: Sequence[int], count: int) -> list[tuple[str, Fraction]]:
    """The rolls of so many equal dice, in any order of the dice, each with its chance."""
    found = []
    for faces in combinations_with_replacement(range(6), count):
        ways = Fraction(math.factorial(count))
        for face in range(6):
            ways *= Fraction(weights[face], sum(weights)) ** faces.count(face) / math.factorial(faces.count(face))
        found.append(("".join(str(face + 1) for face in faces), ways))
    assert sum(chance for _, chance in found) == 1
    return found


def bust_chance(weights: Sequence[int], count: int) -> Fraction:
    """The chance that so many equal dice show nothing that scores."""
    return sum((chance for roll, chance in outcomes(weights, count) if not selections(roll)), Fraction())


def test_bust_chances_of_fair_dice_are_the_known_ones() -> None:
    known = [(2, 3), (4, 9), (5, 18), (17, 108), (25, 324), (5, 162)]
    assert [bust_chance(FAIR, count) for count in range(1, 7)] == [Fraction(*pair) for pair in known]


@pytest.mark.parametrize("weights", [FAIR, ONES, EVIL, (0, 3, 1, 1, 0, 1), (1, 0, 0, 0, 0, 0)])
def test_prospects_of_a_throw_are_exact(weights: tuple[int, ...]) -> None:
    bust, best = throw_prospects((weights,) * 6)
    for count in range(1, 7):
        expected = bust_chance(weights, count)
        points = sum(max(selections(roll).values(), default=0) * chance for roll, chance in outcomes(weights, count))
        mean = points / (1 - expected) if expected < 1 else 0
        for dice in (dice for dice in range(64) if dice.bit_count() == count):
            assert bust[dice] == pytest.approx(float(expected), abs=1e-12)
            assert best[dice] == pytest.approx(float(mean))


def test_prospects_of_different_dice_are_those_of_the_dice_thrown() -> None:
    each = (ONES, EVIL, FAIR, (0, 0, 0, 1, 1, 0), (1, 2, 3, 4, 5, 6), (0, 1, 0, 0, 0, 0))
    bust, _ = throw_prospects(each)
    for dice in ("a", "f", "bd", "ace", "cdef", "bcdef"):
        places = [LETTERS.index(letter) for letter in dice]
        expected = Fraction()
        for faces in product(range(6), repeat=len(dice)):
            if not selections("".join(str(face + 1) for face in faces)):
                chance = Fraction(1)
                for place, face in zip(places, faces, strict=True):
                    chance *= Fraction(each[place][face], sum(each[place]))
                expected += chance
        assert bust[sum(1 << place for place in places)] == pytest.approx(float(expected), abs=1e-12)


# The compiled rules


@pytest.fixture(scope="module")
def dice() -> Game:
    return load_game("dice")


@pytest.mark.parametrize("weights", [FAIR, ONES])
def test_compiled_matches_bust_as_often_as_the_exact_chances_say(dice: Game, weights: tuple[int, ...]) -> None:
    config = match(dice=(weights, weights), target=500)
    run = simulate(dice, config=config, agents=["random"] * 2, games=200_000, seed=11, workers=1, keep_games=False)
    for count in range(1, 7):
        throws, busts = (int(run.counts[0][name][count - 1]) for name in ("throws", "busts"))
        expected = float(bust_chance(weights, count))
        assert throws > 50_000
        error = math.sqrt(expected * (1 - expected) / throws)
        assert abs(busts / throws - expected) < 4.5 * error, f"{count} dice"


def test_compiled_and_interpreted_matches_are_the_same_with_any_content(dice: Game) -> None:
    for seed in range(6):
        config = set_up(random.Random(seed))
        for agents in (["random", "greedy"], ["threshold", "random"]):
            rows = [
                simulate(dice, config=config, agents=agents, games=4, seed=seed, workers=1, backend=backend)._kept()
                for backend in ("cpu", "interpreted")
            ]
            assert rows[0].tobytes() == rows[1].tobytes()
