"""The solver of the plain game against value iteration over every roll and every set of positions, and against play."""

from __future__ import annotations

import math
import random
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from itertools import product
from pathlib import Path

import numpy as np
import pytest

from playmill.games.dice.agents import solver as optimal
from playmill.games.dice.agents.solver import Solution, Weights, load, solve, table_size, throw_index, turn_index
from playmill.texts import PlaymillError

FAIR = (1, 1, 1, 1, 1, 1)
ONES = (5, 1, 1, 1, 1, 1)
EVIL = (1, 3, 3, 3, 1, 3)
TWOS = (0, 1, 0, 0, 0, 0)
DULL = (0, 1, 1, 1, 0, 1)
SETS: list[Weights] = [(FAIR, FAIR), (FAIR, ONES), (EVIL, FAIR), (DULL, DULL), (DULL, TWOS), ((0, 3, 2, 1, 0, 0), DULL)]

Option = tuple[int, int]


@pytest.fixture(autouse=True, scope="module")
def _own_cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Tables of its own, for these tests alone: whatever comes after them finds what was compiled before."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PLAYMILL_CACHE", str(tmp_path_factory.mktemp("cache")))
        yield


@cache
def points(faces: tuple[int, ...]) -> int:
    """What a selection brings by the words of the rules; 0 if it is not valid."""
    shown = sorted(faces)
    if shown == [1, 2, 3, 4, 5, 6]:
        return 1500
    if shown == [1, 2, 3, 4, 5]:
        return 500
    if shown == [2, 3, 4, 5, 6]:
        return 750
    total = 0
    for face in set(shown):
        count = shown.count(face)
        if count >= 3:
            total += (1000 if face == 1 else 100 * face) * 2 ** (count - 3)
        elif face == 1:
            total += 100 * count
        elif face == 5:
            total += 50 * count
        else:
            return 0
    return total


@cache
def options_of(faces: tuple[int, ...]) -> frozenset[Option]:
    """(dice, levels) of every valid set of positions of a roll."""
    found = set()
    for mask in range(1, 1 << len(faces)):
        chosen = tuple(face for i, face in enumerate(faces) if mask >> i & 1)
        if points(chosen) > 0:
            found.add((len(chosen), points(chosen) // 50))
    return frozenset(found)


@cache
def outcomes_of(weights: tuple[int, ...], dice: int) -> list[tuple[float, frozenset[Option]]]:
    """Every roll of so many dice, position by position, collected by all that may be saved from it."""
    ways: defaultdict[frozenset[Option], int] = defaultdict(int)
    for faces in product(range(1, 7), repeat=dice):
        number = math.prod(weights[face - 1] for face in faces)
        if number > 0:
            ways[options_of(tuple(sorted(faces)))] += number  # in whatever order they lie
    return [(number / sum(weights) ** dice, options) for options, number in ways.items()]


def value_iteration(
    weights: Weights, levels: int, must_roll: bool = False, *, guess: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """W[p, a, b] and V[p, a, b, t, n] by sweeps over all states until nothing changes, all options tried.

    Whatever is chosen, a turn may reach the target in one go, so every match ends, and there is but one W that no sweep
    changes: a good guess saves sweeps, and a wrong one is swept away. With more turn points than any total needs,
    whoever has to throw hot dice wins unless they bust.
    """
    before = guess
    thrown = np.zeros((2, levels, levels, levels, 7))
    totals = np.arange(levels)
    while True:
        after = np.empty_like(before)
        for p in (0, 1):
            other = 1 - before[1 - p].T  # by (a, b): what it is worth that the other is to move
            worth: dict[Option, np.ndarray] = {}

            lost = sum(chance for chance, options in outcomes_of(weights[p], 6) if not options)
            sure = 1 - lost * (1 - other) if must_roll else np.ones((levels, levels))

            def saved(t: int, n: int, worth: dict[Option, np.ndarray] = worth, sure: np.ndarray = sure) -> np.ndarray:
                if n == 0:
                    return worth[t, 6] if t < levels else sure
                return worth[t, n] if t < levels else np.ones((levels, levels))

            for t in range(levels - 1, -1, -1):
                passed = np.ones((levels, levels))
                passed[totals + t < levels] = other[t:]
                for n in range(1, 7):
                    value = np.zeros((levels, levels))
                    for chance, options in outcomes_of(weights[p], n):
                        if options:
                            value += chance * np.max([saved(t + s, n - k) for k, s in options], axis=0)
                        else:
                            value += chance * other
                    # Six dice are left only when all were saved: those are hot.
                    worth[t, n] = value if must_roll and n == 6 else np.maximum(passed, value)
                    thrown[p, :, :, t, n] = value
            after[p] = thrown[p, :, :, 0, 6]
        change = np.abs(after - before).max()
        before = after
        if change < 1e-14:
            return before, thrown


@pytest.mark.parametrize("weights", SETS)
@pytest.mark.parametrize(("target", "must_roll"), [(300, False), (550, False), (400, True)])
def test_values_agree_with_value_iteration_over_all_options(weights: Weights, target: int, must_roll: bool) -> None:
    levels = -(-target // 50)
    solution = solve(weights, target, must_roll=must_roll)
    assert solution.levels == levels
    guess = np.array([[[solution.table[turn_index(levels, p, a, b)] for b in range(levels)] for a in range(levels)]
                      for p in (0, 1)])  # fmt: skip
    before, thrown = value_iteration(weights, levels, must_roll, guess=guess)
    assert solution.first_wins == pytest.approx(before[0, 0, 0], abs=1e-12)
    for p, a, b in product((0, 1), range(levels), range(levels)):
        assert solution.table[turn_index(levels, p, a, b)] == pytest.approx(before[p, a, b], abs=1e-12)
        for t, n in product(range(levels - a), range(1, 7)):
            found = solution.table[throw_index(levels, p, a, b, t, n)]
            assert found == pytest.approx(thrown[p, a, b, t, n], abs=1e-12)


def test_a_wrong_guess_is_swept_away() -> None:
    nothing, all_of_it = (
        value_iteration((FAIR, ONES), 3, guess=np.full((2, 3, 3), chance))[0] for chance in (0.0, 1.0)
    )
    assert np.abs(nothing - all_of_it).max() < 1e-13


def test_hot_dice_that_must_be_thrown_are_solved_and_kept_apart(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PLAYMILL_CACHE", str(tmp_path))
    free, bound = load((FAIR, FAIR), 500), load((FAIR, FAIR), 500, must_roll=True)
    assert load((FAIR, FAIR), 500, must_roll=True).first_wins == bound.first_wins != free.first_wins
    assert load((FAIR, FAIR), 500).first_wins == free.first_wins
    assert bound.table.mean() < free.table.mean(), "whoever is to throw has fewer ways out"


@pytest.mark.parametrize("weights", SETS)
def test_more_points_are_never_worse(weights: Weights) -> None:
    levels, table = 30, solve(weights, 1500).table
    for p, a, b in product((0, 1), range(levels), range(levels)):
        block = table[throw_index(levels, p, a, b, 0, 1) :][: 6 * (levels - a)].reshape(-1, 6)
        assert (np.diff(block, axis=0) >= -1e-14).all()
        if a + 1 < levels:
            assert table[turn_index(levels, p, a + 1, b)] >= table[turn_index(levels, p, a, b)] - 1e-14
        if b + 1 < levels:
            assert table[turn_index(levels, p, a, b + 1)] <= table[turn_index(levels, p, a, b)] + 1e-14


@pytest.mark.parametrize("weights", SETS)
def test_outcomes_of_a_throw_are_certain_to_come(weights: Weights) -> None:
    throws = optimal._throws(weights)
    for p, n in product((0, 1), range(1, 7)):
        row = 8 * p + n
        chances = throws.chance[throws.outcomes[row] : throws.outcomes[row + 1]]
        assert throws.lost[row] + chances.sum() == pytest.approx(1, abs=1e-14)
        bust = sum(chance for chance, options in outcomes_of(weights[p], n) if not options)
        assert throws.lost[row] == pytest.approx(bust, abs=1e-14)


@pytest.mark.parametrize("levels", [1, 2, 7, 12])
def test_indices_cover_the_table_once(levels: int) -> None:
    found = [
        throw_index(levels, p, a, b, t, n)
        for p, a, b in product((0, 1), range(levels), range(levels))
        for t, n in product(range(levels - a), range(1, 7))
    ]
    assert found == list(range(table_size(levels)))
    assert solve((FAIR, ONES), 50 * levels).table.shape == (table_size(levels),)


def test_every_value_is_a_chance() -> None:
    for weights in SETS:
        table = solve(weights, 1000).table
        assert np.isfinite(table).all() and table.min() >= 0 and table.max() <= 1


def test_the_chance_of_one_throw_decides_a_game_to_50_points() -> None:
    # Six fair dice bust in 1440 of 46656 throws, and then the other is where the first one was.
    assert solve((FAIR, FAIR), 50).first_wins == pytest.approx(1 / (1 + 1440 / 46656), abs=1e-14)


def test_dice_that_cannot_fail_win_at_once() -> None:
    only = [tuple(int(face == i) for i in range(6)) for face in range(6)]
    for mine, theirs in product(only, repeat=2):
        assert solve((mine, theirs), 4000).first_wins == 1


def test_equal_weights_give_equal_halves() -> None:
    table = solve((EVIL, (2, 6, 6, 6, 2, 6)), 1000).table
    assert (table[: table.size // 2] == table[table.size // 2 :]).all()
    # The same game with weights that differ by nothing that matters, solved as if the players were unequal.
    close = solve((EVIL, (10**6, 3 * 10**6, 3 * 10**6, 3 * 10**6, 10**6, 3 * 10**6 - 1)), 1000).table
    assert np.abs(close - table).max() < 1e-5


def test_exchanged_players_have_exchanged_values() -> None:
    one, other = solve((FAIR, ONES), 1000).table, solve((ONES, FAIR), 1000).table
    half = one.size // 2
    assert np.abs(one - np.concatenate((other[half:], other[:half]))).max() < 1e-13


def play(solution: Solution, weights: Weights, rng: random.Random, threshold: tuple[int, int]) -> int:
    """The winner of one game; a player with a threshold passes there, else she plays by the table."""
    levels, table = solution.levels, solution.table
    totals = [0, 0]
    p = 0
    while True:
        a, b, t, n = totals[p], totals[1 - p], 0, 6
        while True:
            options = options_of(tuple(sorted(rng.choices(range(1, 7), weights[p], k=n))))
            if not options:
                break
            if threshold[p]:
                k, s = max(options, key=lambda option: (option[1], -option[0]))
                to_pass = t + s >= threshold[p] or a + t + s >= levels or n - k in (1, 2)
            else:
                choices = []
                for k, s in options:
                    if a + t + s >= levels:
                        choices.append((1.0, True, k, s))
                        continue
                    choices.append((1 - table[turn_index(levels, 1 - p, b, a + t + s)], True, k, s))
                    choices.append((table[throw_index(levels, p, a, b, t + s, n - k or 6)], False, k, s))
                _, to_pass, k, s = max(choices)
            t, n = t + s, n - k or 6
            if to_pass:
                totals[p] += t
                break
        if totals[p] >= levels:
            return p
        p = 1 - p


@pytest.mark.parametrize("weights", SETS[:4])
def test_games_played_by_the_table_are_won_as_often_as_it_says(weights: Weights) -> None:
    games, solution, rng = 10_000, solve(weights, 1000), random.Random(7)
    wins = sum(play(solution, weights, rng, (0, 0)) == 0 for _ in range(games))
    expected = solution.first_wins
    assert abs(wins / games - expected) < 4 * math.sqrt(expected * (1 - expected) / games)


@pytest.mark.parametrize("threshold", [6, 10, 20])
@pytest.mark.parametrize("seat", [0, 1])
def test_nobody_does_better_against_the_table(threshold: int, seat: int) -> None:
    games, solution, rng = 5_000, solve((FAIR, FAIR), 1000), random.Random(threshold)
    kinds = (threshold, 0) if seat == 0 else (0, threshold)
    wins = sum(play(solution, (FAIR, FAIR), rng, kinds) == seat for _ in range(games))
    best = solution.first_wins if seat == 0 else 1 - solution.first_wins
    assert wins / games < best + 4 * math.sqrt(best * (1 - best) / games)


def test_progress_rises_to_its_total() -> None:
    calls: list[tuple[int, int]] = []
    solve((FAIR, FAIR), 500, lambda done, total: calls.append((done, total)))
    assert len(calls) == 19 and calls == sorted(calls) and calls[-1][0] == calls[-1][1]


def test_a_run_can_be_interrupted_between_slices() -> None:
    def stop(done: int, total: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        solve((FAIR, FAIR), 500, stop)


@pytest.mark.parametrize("weights", [(FAIR, FAIR), (FAIR, ONES)])
def test_a_kept_solution_is_read_again(weights: Weights, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PLAYMILL_CACHE", str(tmp_path))
    first = load(weights, 500)
    (path,) = tmp_path.glob("optimal-*/table")
    assert [entry.name for entry in path.parent.iterdir()] == ["table"]

    def unwanted(done: int, total: int) -> None:
        raise AssertionError("the solution is solved again")

    tripled = tuple(tuple(3 * weight for weight in side) for side in weights)
    for same in (load(weights, 500, unwanted), load(tripled, 451, unwanted)):
        assert same.levels == first.levels and same.first_wins == first.first_wins
        assert same.table.tobytes() == first.table.tobytes()
    load(weights[::-1], 550)
    assert len(list(tmp_path.glob("optimal-*/table"))) == 2


def test_a_damaged_file_is_solved_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PLAYMILL_CACHE", str(tmp_path))
    solved: list[int] = []
    first = load((FAIR, FAIR), 150)
    (path,) = tmp_path.glob("optimal-*/table")
    whole = path.read_bytes()
    rng = random.Random(1)
    damaged = [b"", b"nonsense", whole[:100], whole[: len(whole) // 2], whole[:-1]]
    for _ in range(60):
        place = rng.randrange(len(whole))
        damaged.append(whole[:place] + bytes([whole[place] ^ 1 << rng.randrange(8)]) + whole[place + 1 :])
    for content in damaged:
        path.write_bytes(content)
        again = load((FAIR, FAIR), 150, lambda done, total: solved.append(done))
        assert again.table.tobytes() == first.table.tobytes()
        assert path.read_bytes() == whole
    assert solved


def test_a_table_of_another_match_is_not_taken_for_this_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PLAYMILL_CACHE", str(tmp_path))
    load((FAIR, FAIR), 150)
    (path,) = tmp_path.glob("optimal-*/table")
    load((FAIR, FAIR), 200)
    (other,) = set(tmp_path.glob("optimal-*/table")) - {path}
    other.replace(path)
    assert load((FAIR, FAIR), 150).table.size == table_size(3)


@pytest.mark.parametrize("target", [0, -50, 10001])
def test_a_target_out_of_range_is_refused(target: int) -> None:
    with pytest.raises(PlaymillError, match=f"targets from 1 to 10000; found {target}"):
        load((FAIR, FAIR), target)


@pytest.mark.parametrize("side", [(0,) * 6, (1,) * 5, (1, 1, 1, 1, 1, -1)])
def test_weights_that_make_no_die_are_refused(side: tuple[int, ...]) -> None:
    with pytest.raises(PlaymillError, match="six weights"):
        solve((FAIR, side), 500)
