"""From what was played in a hall to the ladder: ratings, places, who beats whom, and in which circles."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import combinations
from pathlib import Path
from typing import Protocol

import numpy as np

from playmill.agents.programs.walls import HEAD, TITLE, wall_rows
from playmill.lab.contests.tournament.hall import Group, Hall
from playmill.lab.contests.tournament.sitting import Sitting
from playmill.lab.contests.tournament.vault import Shelf
from playmill.report.ladder import Ladder, Meeting, Pairing, Rung, Unrated
from playmill.report.model import Estimate, RunInfo, Table
from playmill.stats.differences import holm
from playmill.stats.errors import LEVEL, Z95, AtAnyTime
from playmill.stats.meetings import Points, circles
from playmill.stats.ratings import Ratings, ratings
from playmill.stats.sequences import Look
from playmill.texts import Text

#: Games of a table that are told of.
_SHOWN = 8


class Looked(Protocol):
    """What a contest that looked as it went believes of two (see `schedule.Settling`)."""

    def look(self, one: int, other: int) -> Look:
        """The share of points that one takes from another."""

    def verdict(self, one: int, other: int) -> int | None:
        """1 if one surely beats another, -1 if the other does, 0 if they are equal; None if that is open."""


def ladder_of(
    hall: Hall,
    run: RunInfo,
    *,
    looked: Looked | None = None,
    unrated: Sequence[Unrated] = (),
    notes: Sequence[Text] = (),
) -> Ladder:
    """The ladder of what was played; `looked` is what one believes that looked as it went."""
    count = len(hall.entrants)
    rated = ratings(count, hall.tables())
    rated = rated if looked is None else _at_any_time(rated, sum(deals for *_, deals in hall.played()))
    met = hall.meetings()
    verdicts = _verdicts(met, looked)
    order = sorted(range(count), key=lambda place: (-rated.values[place], place))
    spans = _blocks(order, looked) if looked is not None else _spans(order, rated)
    rungs = tuple(_rung(hall, place, rated, spans[place], met) for place in order)
    names = [entrant.name for entrant in hall.entrants]
    ranked = {place: number for number, place in enumerate(order)}
    meetings = [_meeting(names, pair, points, verdicts.get(pair), looked) for pair, points in met.items()]
    found = circles(_beats(len(names), verdicts))
    told = sorted((_turned(circle, ranked) for circle in found), key=lambda circle: [ranked[one] for one in circle])
    walls = next((shelf.walls for _, _, shelf, _ in hall.played() if shelf.walls), {})
    return Ladder(
        run=run,
        size=1 if hall.game.players[1] == 1 else hall.size,
        settings=tuple(setting.name for setting in hall.settings),
        rungs=rungs,
        unrated=tuple(unrated),
        meetings=tuple(meetings),
        pairings=tuple(_pairing(hall, *one) for one in hall.played()),
        circles=tuple(tuple(names[place] for place in circle) for circle in told),
        looked=looked is not None,
        walls=walls,
        more=(Table("walls", TITLE, HEAD, tuple(wall_rows(walls))),) if walls else (),
        notes=tuple(notes),
    )


def _verdicts(met: Mapping[tuple[int, int], Points], looked: Looked | None) -> dict[tuple[int, int], int | None]:
    """Who surely beats whom, among all that were looked at."""
    if looked is not None:
        return {pair: looked.verdict(*pair) for pair in met}
    adjusted = holm([points.chance for points in met.values()])
    return {
        pair: (1 if points.share.value > 0.5 else -1) if chance < LEVEL else None
        for (pair, points), chance in zip(met.items(), adjusted, strict=True)
    }


def _spans(order: Sequence[int], rated: Ratings) -> dict[int, tuple[int, int]]:
    """The places everybody may have: below those surely higher, above those surely lower; corrected for all pairs."""
    from scipy.special import ndtr

    pairs = list(combinations(range(len(order)), 2))
    chances = []
    for one, other in pairs:
        apart, error = rated.difference(one, other)
        chances.append(float(f"{2 * float(ndtr(-abs(apart) / error)):.9e}") if error > 0 else 1.0)
    higher, lower = [0] * len(order), [0] * len(order)
    for (one, other), chance in zip(pairs, holm(chances), strict=True):
        if chance < LEVEL:
            top, bottom = (one, other) if rated.values[one] > rated.values[other] else (other, one)
            lower[top] += 1
            higher[bottom] += 1
    return {place: (1 + higher[place], len(order) - lower[place]) for place in order}


def _blocks(order: Sequence[int], looked: Looked) -> dict[int, tuple[int, int]]:
    """The places everybody may have, where neighbours are settled by their own games: those between settled ones."""
    begins = [0]
    for number in range(1, len(order)):
        if looked.verdict(order[number - 1], order[number]) is not None:
            begins.append(number)
    ends = [*begins[1:], len(order)]
    return {
        order[number]: (begin + 1, end) for begin, end in zip(begins, ends, strict=True) for number in range(begin, end)
    }


def _rung(
    hall: Hall,
    place: int,
    rated: Ratings,
    span: tuple[int, int],
    met: Mapping[tuple[int, int], Points],
) -> Rung:
    parts = [
        points if pair[0] == place else Points(points.played - points.taken, points.played, 0, 0, 0)
        for pair, points in met.items()
        if place in pair
    ]
    entrant = hall.entrants[place]
    value, low, high = (round(float(numbers[place]), 6) for numbers in (rated.values, rated.low, rated.high))
    deals = sum(deals for _, group, _, deals in hall.played() if place in group)
    return Rung(
        name=entrant.name,
        agent=entrant.written,
        first=span[0],
        last=span[1],
        rating=Estimate(value, low, high, deals),
        open_low=rated.open_low[place],
        open_high=rated.open_high[place],
        apart=rated.circle[place] > 0,
        points=Points.together(parts).share,
        games=_games(hall, place),
        unused=sum(shelf.unused.get(entrant.name, 0) for _, group, shelf, _ in hall.played() if place in group),
    )


def _games(hall: Hall, place: int) -> int:
    """How many games an entrant played; of those at a table alone each is one of two."""
    return sum(
        deals if shelf.sitting.solo else deals * shelf.sitting.games
        for _, group, shelf, deals in hall.played()
        if place in group
    )


def _at_any_time(rated: Ratings, deals: int) -> Ratings:
    """The same with intervals that hold although it was looked at all the time."""
    wider = AtAnyTime(deals).point(max(1, deals - 1)) / Z95
    low, high = (rated.values + wider * (end - rated.values) for end in (rated.low, rated.high))
    return replace(rated, low=low, high=high)


def _meeting(
    names: Sequence[str], pair: tuple[int, int], points: Points, verdict: int | None, looked: Looked | None
) -> Meeting:
    one, other = (names[place] for place in pair)
    share = points.share
    if looked is not None:
        look = looked.look(*pair)
        share = Estimate(share.value, min(look.low, share.value), max(look.high, share.value), share.n, 1.0)
    return Meeting(one, other, share, points.wins, points.draws, points.losses, verdict)


def _beats(
    count: int, verdicts: Mapping[tuple[int, int], int | None]
) -> np.ndarray[tuple[int, int], np.dtype[np.bool_]]:
    beats = np.zeros((count, count), np.bool_)
    for (one, other), verdict in verdicts.items():
        beats[one, other] |= verdict == 1
        beats[other, one] |= verdict == -1
    return beats


def _turned(circle: tuple[int, ...], ranked: Mapping[int, int]) -> tuple[int, ...]:
    """A circle that begins with whoever stands highest."""
    first = min(range(len(circle)), key=lambda number: ranked[circle[number]])
    return (*circle[first:], *circle[:first])


def _pairing(hall: Hall, setting: int, group: Group, shelf: Shelf, deals: int) -> Pairing:
    sitting, ranks = shelf.sitting, shelf.ranks[:deals]
    shares = []
    for one in range(sitting.size):
        others = [Points.of(ranks, one, other) for other in range(sitting.size) if other != one]
        taken = np.sum([points.taken for points in others], axis=0)
        played = np.sum([points.played for points in others], axis=0)
        shares.append(Points(taken, played, 0, 0, 0).share)
    return Pairing(
        names=sitting.names,
        setting=hall.settings[setting].name,
        deals=deals,
        games=deals * sitting.games,
        shares=tuple(shares),
        seed=sitting.seed,
        replays=tuple(_replays(shelf, deals)),
        report=sitting.simulate_command(deals),
        unused=dict(shelf.unused),
    )


def _replays(shelf: Shelf, deals: int) -> list[tuple[Text, str]]:
    """Games worth a look: the first that each of them won alone, and the first that was drawn by all."""
    sitting, ranks = shelf.sitting, shelf.ranks[:deals]
    if kept := shelf.shown():
        return [(_game(shelf, deal, turn), watch_command(sitting, path)) for deal, turn, path in kept[:_SHOWN]]
    found = []
    if sitting.solo:
        return [
            (Text(f"{name}, deal 0", f"{name}, раздача 0"), sitting.record_command(0, place))
            for place, name in enumerate(sitting.names)
        ]
    alone = (ranks == 0).sum(axis=2) == 1
    for member, name in enumerate(sitting.names):
        for deal, turn in np.argwhere(alone & (ranks[:, :, member] == 0))[:1].tolist():
            found.append((Text(f"{name} wins", f"побеждает {name}"), sitting.record_command(deal, turn)))
    for deal, turn in np.argwhere((ranks == 0).all(axis=2))[:1].tolist():
        found.append((Text("a draw", "ничья"), sitting.record_command(deal, turn)))
    return found


def watch_command(sitting: Sitting, path: Path) -> str:
    """The command that shows a game that was kept as it was played."""
    own = ["--game", sitting.named] if "/" in sitting.named else []
    return shlex.join(["playmill", "watch", str(path), *own])


def _game(shelf: Shelf, deal: int, turn: int) -> Text:
    """A game in a few words: who won it."""
    sitting = shelf.sitting
    ranks = shelf.ranks[deal, 0 if sitting.solo else turn] if deal < shelf.deals else ()
    first = [name for name, rank in zip(sitting.names, ranks, strict=False) if rank == 0]
    failed = [one for one in shelf.mishaps if (one.deal, one.rotation) == (deal, turn)]
    en, ru = f"deal {deal}, game {turn + 1}", f"раздача {deal}, партия {turn + 1}"
    if len(first) == 1:
        en, ru = f"{en}: {first[0]} wins", f"{ru}: побеждает {first[0]}"
    elif first:
        en, ru = f"{en}: a draw", f"{ru}: ничья"
    for one in failed:
        en, ru = f"{en}; {one.entrant} {one.why.en}", f"{ru}; {one.entrant}: {one.why.ru}"
    return Text(en, ru)
