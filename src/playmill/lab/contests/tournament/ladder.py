"""Computes the ladder from the records of an event: ratings, ranges of places, who beats whom, and circles."""

from __future__ import annotations

import shlex
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import combinations
from pathlib import Path
from typing import Protocol

import numpy as np

from playmill.agents.programs.sandbox.guarantees import HEAD, TITLE, guarantee_rows
from playmill.lab.contests.tournament.event import ContestEvent
from playmill.lab.contests.tournament.pairing import Pairing
from playmill.lab.contests.tournament.store import PairingRecord
from playmill.report.commands.ladder import Ladder, LadderRung, Meeting, PairingSummary, Unrated
from playmill.report.model.tables import Estimate, RunInfo, Table
from playmill.stats.confidence_sequences import SequenceLook
from playmill.stats.critical_values import LEVEL, Z95, AtAnyTime
from playmill.stats.differences import holm
from playmill.stats.head_to_head import HeadToHead, circles, head_to_head
from playmill.stats.ratings import Ratings, ratings
from playmill.texts import Text

#: Games of a table that are told of.
_SHOWN = 8


class SequentialVerdicts(Protocol):
    """Verdicts on pairs of an event that looked as it went (see `schedule.Settling`)."""

    def look(self, one: int, other: int) -> SequenceLook:
        """Returns the share of points that one takes from another."""

    def verdict(self, one: int, other: int) -> int | None:
        """1 if one surely beats another, -1 if the other does, 0 if they are equal; None if that is open."""


def ladder_of(
    event: ContestEvent,
    run: RunInfo,
    *,
    looked: SequentialVerdicts | None = None,
    unrated: Sequence[Unrated] = (),
    notes: Sequence[Text] = (),
) -> Ladder:
    """Computes the ladder; `looked` gives the verdicts of an event that looked as it went."""
    count = len(event.entrants)
    tables = event.tables()
    rated = ratings(count, tables)
    wider = None if looked is None else _at_any_time(sum(deals for *_, deals in event.played()))
    if wider is not None:
        low, high = (rated.values + wider * (end - rated.values) for end in (rated.low, rated.high))
        rated = replace(rated, low=low, high=high)
    met = head_to_head(tables)
    verdicts = _verdicts(met, looked)
    order = sorted(range(count), key=lambda place: (-rated.values[place], place))
    spans = _blocks(order, looked) if looked is not None else _spans(order, rated)
    played = event.played()
    sat, taken = defaultdict[int, list[tuple[PairingRecord, int]]](list), defaultdict[int, list[HeadToHead]](list)
    for _, group, record, deals in played:
        for place in group:
            sat[place].append((record, deals))
    for (one, other), points in met.items():
        taken[one].append(points)
        taken[other].append(HeadToHead(points.played - points.taken, points.played, 0, 0, 0))
    rungs = tuple(_rung(event, place, rated, spans[place], sat[place], taken[place]) for place in order)
    if wider is not None:
        rungs = tuple(replace(rung, points=_widened(rung.points, wider)) for rung in rungs)
    names = [entrant.name for entrant in event.entrants]
    ranked = {place: number for number, place in enumerate(order)}
    meetings = [_meeting(names, pair, points, verdicts.get(pair), looked) for pair, points in met.items()]
    found = circles(_beats(len(names), verdicts))
    turned_circles = sorted(
        (_turned(circle, ranked) for circle in found), key=lambda circle: [ranked[one] for one in circle]
    )
    guarantees = next((record.guarantees for _, _, record, _ in played if record.guarantees), {})
    return Ladder(
        run=run,
        size=1 if event.game.players[1] == 1 else event.size,
        settings=tuple(setting.name for setting in event.settings),
        rungs=rungs,
        unrated=tuple(unrated),
        meetings=tuple(meetings),
        pairings=tuple(_pairing(event, setting, record, deals) for setting, _, record, deals in played),
        circles=tuple(tuple(names[place] for place in circle) for circle in turned_circles),
        looked=looked is not None,
        guarantees=guarantees,
        more=(Table("walls", TITLE, HEAD, tuple(guarantee_rows(guarantees))),) if guarantees else (),
        notes=tuple(notes),
    )


def _verdicts(
    met: Mapping[tuple[int, int], HeadToHead], looked: SequentialVerdicts | None
) -> dict[tuple[int, int], int | None]:
    """Returns who surely beats whom, corrected for all pairs; nobody does whose interval says otherwise."""
    if looked is not None:
        return {pair: looked.verdict(*pair) for pair in met}
    adjusted = holm([points.chance for points in met.values()])
    return {
        pair: _side_of_half(points.share) if chance < LEVEL else None
        for (pair, points), chance in zip(met.items(), adjusted, strict=True)
    }


def _side_of_half(share: Estimate) -> int | None:
    """1 if the interval lies above a half, -1 if below; None if it does not say."""
    return 1 if share.low > 0.5 else -1 if share.high < 0.5 else None


def _spans(order: Sequence[int], rated: Ratings) -> dict[int, tuple[int, int]]:
    """Returns the places everybody may have: below those surely higher, above those surely lower; corrected."""
    pairs = list(combinations(range(len(order)), 2))
    chances = [rated.chance(one, other) for one, other in pairs]
    higher, lower = [0] * len(order), [0] * len(order)
    for (one, other), chance in zip(pairs, holm(chances), strict=True):
        if chance < LEVEL:
            top, bottom = (one, other) if rated.values[one] > rated.values[other] else (other, one)
            lower[top] += 1
            higher[bottom] += 1
    return {place: (1 + higher[place], len(order) - lower[place]) for place in order}


def _blocks(order: Sequence[int], looked: SequentialVerdicts) -> dict[int, tuple[int, int]]:
    """Returns the places everybody may have where neighbours are settled by their own games."""
    begins = [0]
    for number in range(1, len(order)):
        if looked.verdict(order[number - 1], order[number]):  # equals share their places
            begins.append(number)
    ends = [*begins[1:], len(order)]
    return {
        order[number]: (begin + 1, end) for begin, end in zip(begins, ends, strict=True) for number in range(begin, end)
    }


def _rung(
    event: ContestEvent,
    place: int,
    rated: Ratings,
    span: tuple[int, int],
    sat: Sequence[tuple[PairingRecord, int]],
    taken: Sequence[HeadToHead],
) -> LadderRung:
    entrant = event.entrants[place]
    value, low, high = (round(float(numbers[place]), 6) for numbers in (rated.values, rated.low, rated.high))
    return LadderRung(
        name=entrant.name,
        agent=entrant.written,
        first=span[0],
        last=span[1],
        rating=Estimate(value, low, high, sum(deals for _, deals in sat)),
        open_low=rated.open_low[place],
        open_high=rated.open_high[place],
        apart=rated.circle[place] > 0,
        points=HeadToHead.together(taken).share,
        # At a solo table each game is one of two.
        games=sum(deals if record.pairing.solo else deals * record.pairing.games for record, deals in sat),
        unused=sum(record.unused.get(entrant.name, 0) for record, _ in sat),
    )


def _at_any_time(deals: int) -> float:
    """Returns how much wider intervals are that hold although it was looked at all the time."""
    return AtAnyTime(deals).point(max(1, deals - 1)) / Z95


def _widened(share: Estimate, wider: float) -> Estimate:
    """Returns a share with a wider interval."""
    low, high = (share.value + wider * (end - share.value) for end in (share.low, share.high))
    return replace(share, low=max(0.0, low), high=min(1.0, high))


def _meeting(
    names: Sequence[str],
    pair: tuple[int, int],
    points: HeadToHead,
    verdict: int | None,
    looked: SequentialVerdicts | None,
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
    """Returns a circle rotated to begin with whoever stands highest."""
    first = min(range(len(circle)), key=lambda number: ranked[circle[number]])
    return (*circle[first:], *circle[:first])


def _pairing(event: ContestEvent, setting: int, record: PairingRecord, deals: int) -> PairingSummary:
    pairing, ranks = record.pairing, record.ranks[:deals]
    shares = []
    for one in range(pairing.size):
        others = [HeadToHead.of(ranks, one, other) for other in range(pairing.size) if other != one]
        taken = np.sum([points.taken for points in others], axis=0)
        played = np.sum([points.played for points in others], axis=0)
        shares.append(HeadToHead(taken, played, 0, 0, 0).share)
    return PairingSummary(
        names=pairing.names,
        setting=event.settings[setting].name,
        deals=deals,
        games=deals * pairing.games,
        shares=tuple(shares),
        seed=pairing.seed,
        replays=tuple(_replays(record, deals)),
        report=pairing.simulate_command(deals),
        unused=dict(record.unused),
    )


def _replays(record: PairingRecord, deals: int) -> list[tuple[Text, str]]:
    """Returns games worth a look: the first that each of them won alone, and the first that was drawn by all."""
    pairing, ranks = record.pairing, record.ranks[:deals]
    if kept := record.shown():
        return [(_game(record, deal, turn), watch_command(pairing, path)) for deal, turn, path in kept[:_SHOWN]]
    found = []
    if pairing.solo:
        return [
            (Text(f"{name}, deal 0", f"{name}, раздача 0"), pairing.record_command(0, place))
            for place, name in enumerate(pairing.names)
        ]
    alone = (ranks == 0).sum(axis=2) == 1
    for member, name in enumerate(pairing.names):
        for deal, turn in np.argwhere(alone & (ranks[:, :, member] == 0))[:1].tolist():
            found.append((Text(f"{name} wins", f"побеждает {name}"), pairing.record_command(deal, turn)))
    for deal, turn in np.argwhere((ranks == 0).all(axis=2))[:1].tolist():
        found.append((Text("a draw", "ничья"), pairing.record_command(deal, turn)))
    return found


def watch_command(pairing: Pairing, path: Path) -> str:
    """Returns the command that shows a saved game."""
    own = ["--game", pairing.named] if "/" in pairing.named else []
    return shlex.join(["playmill", "watch", str(path), *own])


def _game(record: PairingRecord, deal: int, turn: int) -> Text:
    """Returns a game in a few words: who won it."""
    pairing = record.pairing
    ranks = record.ranks[deal, 0 if pairing.solo else turn] if deal < record.deals else ()
    first = [name for name, rank in zip(pairing.names, ranks, strict=False) if rank == 0]
    failed = [one for one in record.mishaps if (one.deal, one.rotation) == (deal, turn)]
    en, ru = f"deal {deal}, game {turn + 1}", f"раздача {deal}, партия {turn + 1}"
    if len(first) == 1:
        en, ru = f"{en}: {first[0]} wins", f"{ru}: побеждает {first[0]}"
    elif first:
        en, ru = f"{en}: a draw", f"{ru}: ничья"
    for one in failed:
        en, ru = f"{en}; {one.entrant} {one.why.en}", f"{ru}; {one.entrant}: {one.why.ru}"
    return Text(en, ru)
