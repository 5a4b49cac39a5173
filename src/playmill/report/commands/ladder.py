"""Data of a ladder: rungs, unrated entrants, who beats whom, and every pairing; with their JSON forms."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

from playmill.report.model.tables import Estimate, RunInfo, Table
from playmill.texts import Text


@dataclass(frozen=True)
class LadderRung:
    """One entrant of the ladder: the places it may have, its rating, and its share of the points."""

    name: str
    agent: str
    first: int
    last: int
    rating: Estimate
    #: Whether its rating may as well be lower or higher than any number: it lost, or won, all that could tell.
    open_low: bool
    open_high: bool
    #: Whether no games tell how far it is from most of the others.
    apart: bool
    points: Estimate
    games: int
    #: Answers that could not be used.
    unused: int = 0

    def json(self) -> dict[str, Any]:
        """Returns the JSON form, as it is saved."""
        ends = [name for name, is_open in (("low", self.open_low), ("high", self.open_high)) if is_open]
        return {
            "name": self.name,
            "agent": self.agent,
            "places": [self.first, self.last],
            "settled": self.first == self.last,
            "rating": {**self.rating.json(), **({"open": ends} if ends else {})},
            "points": self.points.json(),
            "games": self.games,
            **({"unused_answers": self.unused} if self.unused else {}),
        }


@dataclass(frozen=True)
class Unrated:
    """An entrant who is not on the ladder, and why."""

    name: str
    why: Text

    def json(self) -> dict[str, Any]:
        """Returns the JSON form, as it is saved."""
        return {"name": self.name, "why": self.why._asdict()}


@dataclass(frozen=True)
class Meeting:
    """What one takes from another: the share of points, and whether it is real that one beats the other."""

    one: str
    other: str
    share: Estimate
    wins: int
    draws: int
    losses: int
    #: 1: one surely beats the other, -1: the other does, 0: they are surely equal, within what matters; None: open.
    verdict: int | None

    def json(self) -> dict[str, Any]:
        """Returns the JSON form, as it is saved."""
        winner = {1: self.one, -1: self.other, 0: "equal", None: None}[self.verdict]
        return {
            "one": self.one,
            "other": self.other,
            "share": self.share.json(),
            "wins": self.wins,
            "draws": self.draws,
            "losses": self.losses,
            "deals": self.share.n,
            "better": winner,
        }


@dataclass(frozen=True)
class PairingSummary:
    """One pairing: who sat there, under which setting, results, and how to see its games."""

    names: tuple[str, ...]
    setting: str
    deals: int
    games: int
    shares: tuple[Estimate, ...]
    seed: int
    #: What one may want to look at: what it is, and the command that writes that game to a file.
    replays: tuple[tuple[Text, str], ...]
    #: The command for the game's own report of this table.
    report: str
    unused: Mapping[str, int]

    def json(self) -> dict[str, Any]:
        """Returns the JSON form, as it is saved."""
        return {
            "names": list(self.names),
            "setting": self.setting,
            "deals": self.deals,
            "games": self.games,
            "shares": {name: share.json() for name, share in zip(self.names, self.shares, strict=True)},
            "seed": self.seed,
            "replays": [{"what": what._asdict(), "command": command} for what, command in self.replays],
            "report": self.report,
            **({"unused_answers": dict(self.unused)} if self.unused else {}),
        }


@dataclass(frozen=True)
class Ladder:
    """The ladder of an event."""

    run: RunInfo
    #: Players at a table; 1 where everybody plays alone.
    size: int
    settings: tuple[str, ...]
    rungs: tuple[LadderRung, ...]
    unrated: tuple[Unrated, ...]
    meetings: tuple[Meeting, ...]
    pairings: tuple[PairingSummary, ...]
    #: Each beats the next, and the last the first.
    circles: tuple[tuple[str, ...], ...]
    #: Whether it was played until the places were settled, looking as it went.
    looked: bool
    #: What held each guarantee of the sandbox, if any took part.
    guarantees: Mapping[str, str] = field(default_factory=dict)
    #: Tables that the page has beside.
    more: tuple[Table, ...] = ()
    #: What is to be known beside.
    notes: tuple[Text, ...] = ()

    @property
    def settled(self) -> bool:
        """Whether every place is, but for those of equals."""
        return all(map(self.are_equal, self.groups()))

    def groups(self) -> list[list[str]]:
        """Returns groups of neighbours whose places are not told apart."""
        found: list[list[str]] = []
        reach = 0
        for place, rung in enumerate(self.rungs, 1):
            if rung.first == rung.last:
                continue
            if place > reach:
                found.append([])
            found[-1].append(rung.name)
            reach = max(reach, rung.last)
        return found

    def are_equal(self, names: Sequence[str]) -> bool:
        """Returns whether each of a group was found to be equal to the next, as nearly as was asked."""
        equal = {frozenset((met.one, met.other)) for met in self.meetings if met.verdict == 0}
        return len(names) > 1 and all(frozenset(pair) in equal for pair in pairwise(names))

    def json(self) -> dict[str, Any]:
        """Returns the JSON form, as it is saved."""
        return {
            "meta": {
                **self.run.json(),
                "settings": list(self.settings),
                **({"walls": dict(self.guarantees)} if self.guarantees else {}),
            },
            "results": {
                "ladder": [rung.json() for rung in self.rungs],
                "unrated": [one.json() for one in self.unrated],
                "settled": self.settled,
                "meetings": [meeting.json() for meeting in self.meetings],
                "cycles": [list(circle) for circle in self.circles],
                "pairings": [pairing.json() for pairing in self.pairings],
            },
        }
