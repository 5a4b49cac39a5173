"""Win chances along a recorded game at every position, and the moments that changed them most.

Positions are played on to the end many times (see `playouts.py`). A long game is looked at in points evenly spread,
then closer where much changes. The largest of many measured changes are the luckiest too: so candidates are found by
one set of play-outs, and measured by another that they were not chosen on. What is called a moment there is corrected
for the number of candidates: if nothing ever changed, a course would name any moment in one game of twenty at most.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from playmill.lab.audit.playouts import LAPSE, PUBLIC, PlayOuts, Shares, estimated
from playmill.lab.replays.replay import Replay, play_again
from playmill.lab.runs.evenly_spaced import evenly_spaced
from playmill.stats.critical_values import LEVEL
from playmill.stats.estimates import Estimate, value_and_ends

#: Points at which a game is looked at in the first pass, and at most in all.
POINTS, MOST_POINTS = 80, 240
#: This many of the largest changes are measured once more, with this many times the play-outs.
CANDIDATES, _AGAIN = 12, 4
#: This many positions are played on at a time: between two lots somebody may ask to stop, or be shown something.
_LOT = 20
#: The first pass has this share of the play-outs, so that something is seen soon.
_FIRST = 8
#: What has changed by less than this is not looked at more closely.
_SMALL = 0.03


@dataclass(frozen=True)
class ChancePoint:
    """A position by the number of actions before it, and the chance of each side."""

    at: int
    sides: tuple[Estimate, ...]


@dataclass(frozen=True)
class ChanceChange:
    """Change of one side's chance from one position to a later one, mostly the next.

    The interval holds for all changes of a course together.
    """

    since: int
    to: int
    side: int
    change: Estimate


@dataclass(frozen=True)
class WinChances:
    """What is known so far of the chances along a game; `share` says how much of the work is done."""

    points: tuple[ChancePoint, ...]
    moments: tuple[ChanceChange, ...]
    playouts: int
    agent: str
    share: float

    @property
    def done(self) -> bool:
        """Whether nothing is to come."""
        return self.share >= 1

    def json(self) -> dict[str, Any]:
        """Returns the JSON form, as it is saved and sent."""
        return {
            "agent": self.agent,
            "playouts": self.playouts,
            "share": self.share,
            "points": [
                {"at": point.at, "sides": [value_and_ends(side) for side in point.sides]} for point in self.points
            ],
            "moments": [
                {"since": one.since, "to": one.to, "side": one.side, "change": value_and_ends(one.change)}
                for one in self.moments
            ],
        }


def chances(
    replay: Replay,
    source: str = "replay",
    *,
    playouts: int = 1000,
    agent: str | None = None,
    known: int = PUBLIC,
    lapse: float = LAPSE,
    workers: int | None = None,
    stopped: Callable[[], int] = lambda: 0,
    progress: Callable[[int, int], None] | None = None,
) -> WinChances:
    """Computes the win chances along a recorded game, by n play-outs of each position."""
    game = replay.rules_of(source)
    positions = positions_of(replay, source)
    playing = PlayOuts(
        game, players=replay.players, config=replay.config, agent=agent, known=known, lapse=lapse, workers=workers
    )
    found = WinChances((), (), 0, playing.agent, 0.0)
    for found in follow(positions, playing, playouts=playouts, stopped=stopped):
        if progress is not None:
            progress(round(100 * found.share), 100)
    return found


def positions_of(replay: Replay, source: str = "replay") -> list[np.void]:
    """Returns every position of a recorded game, after chosen and forced actions alike."""
    return course_of(replay, source)[0]


def course_of(replay: Replay, source: str = "replay") -> tuple[list[np.void], list[int]]:
    """Returns every position of a recorded game, and the action that led to each; to the first none did (-1)."""
    positions: list[np.void] = []
    actions = [-1]

    def observe(before: np.void, action: int, after: np.void) -> None:
        if not positions:
            positions.append(before.copy())
        positions.append(after.copy())
        actions.append(action)

    for state in play_again(replay, source, observe, interpreted=True):
        if not positions:
            positions.append(state.record.copy())
    return positions, actions


def follow(
    positions: Sequence[np.void],
    playing: PlayOuts,
    *,
    playouts: int = 1000,
    stopped: Callable[[], int] = lambda: 0,
) -> Iterator[WinChances]:
    """Yields what is known of the chances along a game while more becomes known; the last one is complete.

    Told to stop, it ends with what is known.
    """
    survey = _Survey(positions, playing, stopped)
    rough = max(1, playouts // _FIRST)
    passes = (range(rough), range(rough, playouts))
    looks = [(lot, games) for games in passes for lot in _lots(evenly_spaced(len(positions), POINTS))]
    for done, (lot, games) in enumerate(looks, 1):
        if not survey.look(lot, games):
            return
        yield survey.course(0.6 * done / len(looks))
    while len(survey.known) < MOST_POINTS and (closer := survey.closer()):
        if not all(survey.look(closer, games) for games in passes):
            return
        yield survey.course(0.6 + 0.3 * len(survey.known) / MOST_POINTS)
    moments = survey.moments(range(playouts, (1 + _AGAIN) * playouts))
    if moments is not None:
        yield survey.course(1.0, moments)


def _lots(points: Sequence[int]) -> list[list[int]]:
    """Yields points in batches, so that something can be shown between two of them."""
    return [list(points[first : first + _LOT]) for first in range(0, len(points), _LOT)]


class _Survey:
    """The play-outs of some positions of a game."""

    def __init__(self, positions: Sequence[np.void], playing: PlayOuts, stopped: Callable[[], int]) -> None:
        self._positions = positions
        self._playing = playing
        self._stopped = stopped
        #: What the play-outs of each position that was looked at have brought.
        self.known: dict[int, Shares] = {}

    def _play(self, places: Sequence[int], games: range) -> dict[int, Shares]:
        """These play-outs of some positions; of fewer if it was stopped."""
        found: dict[int, Shares] = {}
        for first in range(0, len(places), _LOT):
            if self._stopped():
                break
            lot = places[first : first + _LOT]
            found |= zip(lot, self._playing.shares([self._positions[place] for place in lot], games), strict=True)
        return found

    def look(self, places: Sequence[int], games: range) -> bool:
        """Plays these play-outs of some positions; False if it was stopped."""
        found = self._play(places, games)
        for place, shares in found.items():
            before = self.known.get(place)
            self.known[place] = shares if before is None else np.concatenate([before, shares])
        return len(found) == len(places)

    def course(self, share: float, moments: Sequence[ChanceChange] = ()) -> WinChances:
        """Returns what is known; it says how many play-outs every position has had at least."""
        points = tuple(
            ChancePoint(place, estimated(self.known[place], over=int(self._positions[place]["player"]) < 0))
            for place in sorted(self.known)
        )
        playouts = min(len(shares) for shares in self.known.values())
        return WinChances(points, tuple(moments), playouts, self._playing.agent, share)

    def _steps(self) -> list[tuple[float, int, int]]:
        """From each point to the next: the largest change of any side, if it is more than noise, else 0."""
        places = sorted(self.known)
        steps = []
        for since, to in pairwise(places):
            values, errors = paired(self.known[to] - self.known[since])
            beyond = np.where(np.abs(values) > 2 * errors, np.abs(values), 0.0)
            steps.append((float(beyond.max()), since, to))
        return steps

    def closer(self) -> list[int]:
        """Returns where to look more closely: in the middle of the stretches that changed most."""
        wide = sorted((step for step in self._steps() if step[2] - step[1] > 1 and step[0] > _SMALL), reverse=True)
        room = min(2 * CANDIDATES, MOST_POINTS - len(self.known))
        return sorted((since + to) // 2 for _, since, to in wide[:room])

    def moments(self, games: range) -> list[ChanceChange] | None:
        """Returns the largest changes, measured anew by these play-outs, that are real; None if it was stopped."""
        steps = sorted((step for step in self._steps() if step[0] > 0), reverse=True)[:CANDIDATES]
        places = sorted({place for _, since, to in steps for place in (since, to)})
        shares = self._play(places, games)
        if len(shares) < len(places):
            return None
        found = [_change(since, to, shares[to] - shares[since], len(steps)) for _, since, to in steps]
        real = [one for one in found if one.change.low > 0 or one.change.high < 0]
        return sorted(real, key=lambda one: (-abs(one.change.value), one.since))


def paired(differences: Shares) -> tuple[Shares, Shares]:
    """Returns the mean of each column of differences between -1 and 1, and its standard error.

    One more difference of 1 and of -1 are thought to be there (Agresti and Min, 2005): where nothing differed in n
    play-outs, that is no proof that nothing ever does.
    """
    n = len(differences) + 2
    values = differences.sum(axis=0) / n
    spread_ = (np.square(differences).sum(axis=0) + 2) / n - np.square(values)
    return values, np.sqrt(np.maximum(spread_, 0) / n)


def _change(since: int, to: int, differences: Shares, tests: int) -> ChanceChange:
    """Returns the largest change of any side, with an interval corrected for all sides and tests."""
    from scipy.special import ndtri

    values, errors = paired(differences)
    sides = len(values)
    side = int(np.abs(values).argmax())
    # Of two sides one loses what the other wins: that is one test.
    z = -float(ndtri(LEVEL / 2 / (tests * (sides if sides > 2 else 1))))
    value, half = float(values[side]), z * float(errors[side])
    return ChanceChange(
        since, to, side, Estimate(value, max(-1.0, value - half), min(1.0, value + half), len(differences))
    )
