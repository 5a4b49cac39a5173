"""Solves the plain game of Dice exactly, by dynamic programming; the lookup table of `optimal`.

A state is (player to move, own total, other's total, turn points, dice to throw); totals and turn points are counted in
*levels* of 50 points, since every score is a multiple of 50. Its value is the chance that the player to move wins in
the end when both play as well as they can; a match is never called off.

- A throw matters only by the best score of a valid selection of exactly k of its dice, for each k: more turn points
  are never worse. Nothing can be said of selections of different size, whatever the weights.
- A pass raises the sum of both totals, so positions are solved in order of falling sum. A bust does not: (a, b) with
  one player to move and (b, a) with the other to move depend on each other, two equations with two unknowns. With the
  first player's value x taken as known the other's follows, and from that x again: what comes out rises with x, with
  slope below 1, in straight pieces. Newton's steps, kept inside the bracket known to hold the answer, end on the right
  piece after a few turns computed anew; the slope is carried along with the value.
- The answer is the only one: six dice can always score (six equal faces do) and whoever scores may pass, so that both
  slopes are 1 only where both would bust on purpose, and being ahead is never a reason to.

`Solution.table` holds V[p, a, b, t, n] for players p (0, 1), own level a, other's level b (both below `levels`), t
levels of turn points (0 … levels-a-1; with more the player passes and wins) and n dice about to be thrown (1 … 6), in
this order, without gaps. The value before a turn begins is V[p, a, b, 0, 6]; so a save of k dice that makes t levels of
turn points is worth 1 - V[1-p, b, a+t, 0, 6] with a pass (1 if a+t reaches `levels`) and V[p, a, b, t, n-k], or
V[p, a, b, t, 6] if k = n, without. With equal weights both halves of the table are equal.

Where hot dice have to be thrown, a save of all dice cannot be passed, not even at the target: all six are thrown with
the points there are. From the target on that throw wins unless it busts, since six dice that score never have to be
saved all at once.
"""

from __future__ import annotations

import hashlib
import math
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from itertools import combinations_with_replacement
from typing import Any, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from playmill.author import PlaymillError, interpreted, rule
from playmill.author.computed import DiskCache, EntryPoint, entry_point, fingerprint
from playmill.games.dice.scoring import savable, score

Weights: TypeAlias = tuple[tuple[int, ...], tuple[int, ...]]
Progress: TypeAlias = Callable[[int, int], None]
Floats: TypeAlias = npt.NDArray[np.float64]

#: Points in a level.
LEVEL = 50
#: The table grows with the third power of the target: 25 MB for 4000, 400 MB for this.
MAX_TARGET = 10000
#: Levels of the highest score of one selection: six ones.
_TOP = 8000 // LEVEL
#: A step of Newton's below this one is rounding noise.
_EXACT = 2e-15
#: Never reached: four have always done, and halving the bracket each time would need 50.
_STEPS = 200


@dataclass(frozen=True, eq=False)
class Solution:
    """The value of every state of the plain game; see `throw_index` for the order of the table."""

    levels: int
    first_wins: float
    table: Floats


class _Throws(NamedTuple):
    """What can come of a throw, for both players; rows are 8 · player + dice."""

    lost: Floats  # by row: the chance to bust
    outcomes: npt.NDArray[np.int64]  # by row: where its outcomes begin; they end where those of the next row do
    chance: Floats  # by outcome
    options: npt.NDArray[np.int64]  # by outcome: where its options begin
    ahead: npt.NDArray[np.int64]  # by option: how far ahead in a list of (turn points, dice) it leads


@rule
def turn_index(levels: int, p: int, a: int, b: int) -> int:
    """Where the table holds the value for player p before a turn at own level a, other's level b."""
    return throw_index(levels, p, a, b, 0, 6)


@rule
def throw_index(levels: int, p: int, a: int, b: int, t: int, n: int) -> int:
    """Where the table holds the value for player p about to throw n dice with t levels of turn points."""
    before = p * (levels * (levels + 1) // 2) + a * levels - a * (a - 1) // 2
    return 6 * (levels * before + (levels - a) * b + t) + n - 1


def table_size(levels: int) -> int:
    """How many values the table of a game to so many levels has."""
    return 6 * levels * levels * (levels + 1)


def load(weights: Weights, target: int, progress: Progress | None = None, *, must_roll: bool = False) -> Solution:
    """The solution kept on disk, else solved now and kept; a damaged file counts as none."""
    sides, levels = _checked(weights, target)
    content = (fingerprint(savable, score, _solve_slice), sides, levels, must_roll)
    disk_cache = DiskCache("optimal", hashlib.sha256(repr(content).encode()).hexdigest())
    mirrored = sides[0] == sides[1]  # of two equal halves only one is kept
    kept = disk_cache.read("table")
    if kept is not None and len(kept) == 8 * table_size(levels) // (1 + mirrored):
        table = np.frombuffer(kept, "<f8").astype(np.float64)
        table = np.concatenate((table, table)) if mirrored else table
        return Solution(levels, float(table[interpreted(turn_index)(levels, 0, 0, 0)]), table)
    known = solve(weights, target, progress, must_roll=must_roll)
    disk_cache.write("table", known.table[: known.table.size // (1 + mirrored)].astype("<f8").data)
    return known


def solve(weights: Weights, target: int, progress: Progress | None = None, *, must_roll: bool = False) -> Solution:
    """Solves the plain game with each player's die weights; `progress(done, total)` is called as work proceeds.

    `must_roll` is whether hot dice have to be thrown.
    """
    sides, levels = _checked(weights, target)
    mirrored = sides[0] == sides[1]
    throws = _throws(sides)
    table = np.zeros(table_size(levels))
    turns = np.zeros(2 * levels * levels)
    worth = np.ones(6 * (levels + _TOP + 1))
    slope = np.zeros(6 * (levels + _TOP + 1))
    solve_slice = _compiled()
    total = levels * levels * (levels + 1) // 2
    done = 0
    for both in range(2 * levels - 2, -1, -1):
        solve_slice(levels, both, mirrored, must_roll, throws, table, turns, worth, slope)
        low = max(0, both - levels + 1)
        done += sum(levels - a for a in range(low, both - low + 1))
        if progress is not None:
            progress(done, total)
    if mirrored:
        half = table.size // 2
        table[half:] = table[:half]
    return Solution(levels, float(turns[0]), table)


def _checked(weights: Weights, target: int) -> tuple[Weights, int]:
    """The weights in lowest terms and the levels to win, or an error that says what is wrong."""
    if not 1 <= target <= MAX_TARGET:
        raise PlaymillError(
            f"optimal can be computed for targets from 1 to {MAX_TARGET}; found {target}",
            f"optimal вычисляется для целей от 1 до {MAX_TARGET}; получено {target}",
        )
    for side in weights:
        if len(side) != 6 or min(side) < 0 or max(side) <= 0:
            raise PlaymillError(
                f"a die needs six weights, none negative and not all zero; found {list(side)}",
                f"кости нужны шесть весов, неотрицательных и не всех нулевых; получено {list(side)}",
            )
    first, second = (tuple(int(weight) // math.gcd(*side) for weight in side) for side in weights)
    return (first, second), -(-target // LEVEL)


def _throws(sides: Weights) -> _Throws:
    lost = np.zeros(16)
    outcomes = np.zeros(17, np.int64)
    chance: list[float] = []
    options = [0]
    ahead: list[int] = []
    for player, side in enumerate(sides):
        for dice in range(1, 7):
            whole = sum(side) ** dice
            row = 8 * player + dice
            outcomes[row] = len(chance)
            for best, ways in _merged(side, dice).items():
                if not any(best):
                    lost[row] = ways / whole
                    continue
                chance.append(ways / whole)
                ahead += [
                    6 * (score // LEVEL) + (dice - kept - 1) % 6 for kept, score in enumerate(best, 1) if score > 0
                ]
                options.append(len(ahead))
            outcomes[row + 1 :] = len(chance)
    return _Throws(lost, outcomes, np.array(chance), np.array(options), np.array(ahead))


def _merged(side: tuple[int, ...], dice: int) -> dict[tuple[int, ...], int]:
    """For each list of the best scores of exactly 1, 2, … dice of a throw: the weighted number of throws that have it.

    Whole numbers, so that the chances made of them are exact to the last digit.
    """
    ways: defaultdict[tuple[int, ...], int] = defaultdict(int)
    for faces in combinations_with_replacement(range(6), dice):
        number = math.factorial(dice)
        for face, weight in enumerate(side):
            count = faces.count(face)
            number = number // math.factorial(count) * weight**count
        if number > 0:
            ways[_best(faces)] += number
    return dict(ways)


@cache
def _best(faces: tuple[int, ...]) -> tuple[int, ...]:
    """The highest score of a set of exactly 1, 2, … of dice that show these faces (0 … 5); 0 where there is none."""
    roll = sum(1 << (6 * face + position) for position, face in enumerate(faces))
    sets = int(interpreted(savable)(roll, (1 << len(faces)) - 1))
    points = interpreted(score)
    best = [0] * len(faces)
    for dice in range(1, 1 << len(faces)):
        if sets >> (dice - 1) & 1:
            kept = dice.bit_count()
            best[kept - 1] = max(best[kept - 1], int(points(roll, dice)))
    return tuple(best)


@rule
def _play_turn(
    levels: int,
    a: int,
    must_roll: bool,
    throws: Any,
    row: int,
    bust: float,
    passed: Any,
    block: Any,
    worth: Any,
    slope: Any,
) -> float:
    """Fills a block of the table by what a bust and a pass at each level are worth; returns the slope by the bust.

    `worth` is by level (own total and turn points) and dice what a player has who may pass or throw, `slope` how
    it changes with the worth of a bust; from the target on they stay 1 and 0, but for hot dice that have to be thrown.
    """
    rate = 0.0
    if must_roll:
        lost = throws.lost[row + 6]
        for level in range(levels, levels + _TOP + 1):
            worth[6 * level + 5] = 1.0 - lost + lost * bust
            slope[6 * level + 5] = lost
    for level in range(levels - 1, a - 1, -1):
        for n in range(1, 7):
            value = throws.lost[row + n] * bust
            rate = throws.lost[row + n]
            for outcome in range(throws.outcomes[row + n], throws.outcomes[row + n + 1]):
                at = 6 * level + throws.ahead[throws.options[outcome]]
                best = worth[at]
                its_slope = slope[at]
                for option in range(throws.options[outcome] + 1, throws.options[outcome + 1]):
                    at = 6 * level + throws.ahead[option]
                    if worth[at] > best:
                        best = worth[at]
                        its_slope = slope[at]
                value += throws.chance[outcome] * best
                rate += throws.chance[outcome] * its_slope
            # Rounding must not make anything more than certain.
            value = min(value, 1.0)
            block[6 * (level - a) + n - 1] = value
            to_pass = 1.0 - passed[level]
            if to_pass >= value and not (must_roll and n == 6):
                worth[6 * level + n - 1] = to_pass
                slope[6 * level + n - 1] = 0.0
            else:
                worth[6 * level + n - 1] = value
                slope[6 * level + n - 1] = rate
    return rate


def _solve_slice(
    levels: int, both: int, mirrored: bool, must_roll: bool, throws: Any, table: Any, turns: Any, worth: Any, slope: Any
) -> None:
    """Solves all positions whose totals sum up to `both` levels; `turns` is the values before a turn, by (p, a, b)."""
    second = 0 if mirrored else 1
    for a in range(max(0, both - levels + 1), min(both, levels - 1) + 1):
        b = both - a
        if mirrored and a > b:
            break
        mine = throw_index(levels, 0, a, b, 0, 1)
        theirs = throw_index(levels, second, b, a, 0, 1)
        my_block = table[mine : mine + 6 * (levels - a)]
        their_block = table[theirs : theirs + 6 * (levels - b)]
        my_turns = turns[levels * a : levels * (a + 1)]
        their_turns = turns[levels * (levels * second + b) : levels * (levels * second + b + 1)]
        low = 0.0
        high = 1.0
        x = turns[levels * (a + 1) + b] if a + 1 < levels else 0.75
        for _ in range(_STEPS):
            bust = 1.0 - x
            their_slope = _play_turn(
                levels, b, must_roll, throws, 8 * second, bust, my_turns, their_block, worth, slope
            )
            bust = 1.0 - their_block[5]
            my_slope = _play_turn(levels, a, must_roll, throws, 0, bust, their_turns, my_block, worth, slope)
            over = x - my_block[5]
            if over < 0.0:
                low = x
            else:
                high = x
            step = over / (1.0 - my_slope * their_slope)
            if abs(step) <= _EXACT or high - low <= _EXACT:
                break
            x -= step
            # Also where both would bust on purpose, and the step is no number.
            if not low <= x <= high:
                x = (low + high) / 2
        their_turns[a] = their_block[5]
        my_turns[b] = my_block[5]


@cache
def _compiled() -> Callable[..., None]:
    """The solver's loop, its machine code kept like that of the games."""
    made = entry_point(_solve_slice)
    if isinstance(made, EntryPoint):
        made.keep(DiskCache("optimal-cpu", fingerprint(made)))
    return made
