"""How the deals of a sitting are played: compiled agents all at once, everybody else decision by decision."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from math import inf
from pathlib import Path
from typing import Any

import numpy as np

from playmill.agents.fallbacks import Fallbacks
from playmill.agents.programs.player import ProgramPlayer
from playmill.agents.seats import Seat
from playmill.agents.table import Table
from playmill.engine.run.backends import default_workers
from playmill.engine.run.lookup_tables import open_book
from playmill.engine.run.match import Match
from playmill.engine.run.probes import Member, Probe, jobs_of
from playmill.lab.contests.tournament.sitting import Sitting
from playmill.lab.replays.replay import Replay, record_by
from playmill.stats.ratings import Numbers, Ranks
from playmill.stopping import WORKERS, Stop
from playmill.texts import Text

#: Games whose payments are within this are a tie.
_TIE = 1e-9
#: Games in which something went wrong that are kept as they were played.
_TOLD = 20


@dataclass(frozen=True)
class Mishap:
    """What went wrong with a program in one game: in words, and whether it lost the game by it."""

    entrant: str
    deal: int
    rotation: int
    fault: str
    why: Text
    lost: bool
    #: Where it sat, and at which of its decisions (0 = before the first).
    seat: int = 0
    decision: int = 0

    def json(self) -> dict[str, Any]:
        """The form in which it is kept."""
        return {**vars(self), "why": self.why._asdict()}

    @classmethod
    def from_json(cls, told: Mapping[str, Any]) -> Mishap:
        """One that was kept."""
        return cls(**{**told, "why": Text(**told["why"])})


@dataclass
class Heard:
    """What was heard of a program: the name it gives itself, and the seconds of each answer and of each start."""

    name: str = ""
    #: Where what it wrote to stderr is kept.
    stderr: Path | None = None
    seconds: list[float] = field(default_factory=list)
    starts: list[float] = field(default_factory=list)

    def listen(self, program: ProgramPlayer) -> None:
        """One more game of it is over."""
        self.name, self.stderr = program.said_name or self.name, program.stderr
        self.seconds += program.seconds
        if program.started is not None:
            self.starts.append(program.started)
            program.started = None


@dataclass
class Piece:
    """What came of some deals: of each deal and game everybody's rank, and what went wrong, by entrant."""

    ranks: Ranks
    #: Answers that could not be used.
    unused: Mapping[str, int] = field(default_factory=dict)
    #: Games that a program was out of, since it failed.
    failed: Mapping[str, int] = field(default_factory=dict)
    #: Games in which a program was never asked anything.
    idle: Mapping[str, int] = field(default_factory=dict)
    #: All that went wrong.
    mishaps: Sequence[Mishap] = ()
    #: What held each wall around programs.
    walls: Mapping[str, str] = field(default_factory=dict)
    #: Some games as they were played, by deal and rotation.
    games: Mapping[tuple[int, int], Replay] = field(default_factory=dict)
    #: What programs wrote to stderr, and what was heard of them beside.
    complaints: Mapping[str, bytes] = field(default_factory=dict)
    heard: Mapping[str, Heard] = field(default_factory=dict)


def play_deals(
    sitting: Sitting, deals: range, stop: Stop, workers: int | None = None, told: Callable[[], None] | None = None
) -> Piece | None:
    """Plays deals of a sitting; None if somebody asked to stop before all were played.

    Where agents are asked one decision after the other, `told` hears of every game that is over.
    """
    seats = sitting.seated()
    try:
        if all(seat.compiled for seat in seats):
            paid = _compiled(sitting, seats, deals, stop, workers)
            return None if paid is None else Piece(ranks_of(paid))
        asking = _Asking(sitting, seats, stop, told)
        paid = asking.play(deals, workers)
        return None if paid is None else asking.piece(ranks_of(paid))
    finally:
        for seat in seats:
            if seat.program is not None:
                seat.program.close()


def _compiled(sitting: Sitting, seats: Sequence[Seat], deals: range, stop: Stop, workers: int | None) -> Numbers | None:
    cast = [Member(seat.number, seat.params) for seat in seats]
    probe = Probe(
        sitting.game, sitting.setting.config, sitting.players, cast, interpreted=sitting.interpreted, workers=workers
    )
    jobs = jobs_of(len(deals) * sitting.games, sitting.players, seed=sitting.seed)
    jobs["luck"] = jobs["whim"] = np.repeat(np.arange(deals.start, deals.stop), sitting.games)
    seated = sitting.orders(deals)
    jobs["who"][:, : sitting.players] = seated.reshape(len(jobs), sitting.players)
    paid = probe.play(jobs, stop=stop).paid
    return None if stop() else sitting.by_entrant(seated, paid.reshape(seated.shape))


class _Asking:
    """Plays deals decision by decision: who thinks does so on all cores, who is asked answers one at a time."""

    def __init__(
        self, sitting: Sitting, seats: Sequence[Seat], stop: Stop, told: Callable[[], None] | None = None
    ) -> None:
        self._sitting, self._seats, self._stop, self._told = sitting, seats, stop, told
        self._fallbacks = Fallbacks()
        self._failed: Counter[str] = Counter()
        self._idle: Counter[str] = Counter()
        self._mishaps: list[Mishap] = []
        self._heard: defaultdict[str, Heard] = defaultdict(Heard)
        self._games: dict[tuple[int, int], Replay] = {}
        self._book = open_book(sitting.game, sitting.setting.config, [seat.number for seat in seats])

    def play(self, deals: range, workers: int | None) -> Numbers | None:
        """What the games of these deals paid everybody; None if somebody asked to stop before all were played."""
        alone = any(not seat.compiled and not seat.thinks for seat in self._seats) or self._sitting.interpreted
        count = 1 if alone else min(workers or default_workers(), len(deals))
        found: dict[int, Numbers] = {}
        if count == 1:
            found = self._one_by_one(deals)
        else:
            with ThreadPoolExecutor(count, thread_name_prefix=WORKERS) as pool:
                for part in pool.map(self._one_by_one, [deals[first::count] for first in range(count)]):
                    found |= part
        if len(found) < len(deals) or self._stop():
            return None
        sitting = self._sitting
        return sitting.by_entrant(sitting.orders(deals), np.array([found[deal] for deal in deals]))

    def piece(self, ranks: Ranks) -> Piece:
        """What came of it, with what went wrong."""
        programs = {seat.name: seat.program for seat in self._seats if seat.program is not None}
        return Piece(
            ranks,
            unused=dict(sorted(self._fallbacks.by_agent.items())),
            failed={name: games for name, games in sorted(self._failed.items()) if games},
            idle={name: games for name, games in sorted(self._idle.items()) if games},
            mishaps=tuple(self._mishaps),
            walls=next((program.walls for program in programs.values() if program.walls), {}),
            games=self._games,
            complaints={name: _complaints(program) for name, program in programs.items()},
            heard=dict(self._heard),
        )

    def _one_by_one(self, deals: Sequence[int]) -> dict[int, Numbers]:
        """What the games of each deal paid by seat, up to the first that was given up."""
        sitting = self._sitting
        tables: dict[tuple[int, ...], Table] = {}
        found: dict[int, Numbers] = {}
        for deal in deals:
            paid = np.zeros((sitting.games, sitting.players))
            for rotation in range(sitting.games):
                order = sitting.order(deal, rotation)
                if order not in tables:
                    tables[order] = self._table(order)
                chunk = tables[order].play(deal, 1)
                if self._stop() or not chunk.games or chunk.paid is None:
                    return found
                paid[rotation] = chunk.paid[0]
                self._judge(deal, rotation, order, paid[rotation], tables[order].chosen)
                if self._told is not None:
                    self._told()
            found[deal] = paid
        return found

    def _table(self, order: tuple[int, ...]) -> Table:
        sitting, book = self._sitting, self._book
        seated = [self._seats[place] for place in order]
        match = Match(
            game=sitting.game,
            config=sitting.setting.config,
            players=sitting.players,
            seed=sitting.seed,
            seats=tuple(seat.number for seat in seated),
            agents=tuple(range(len(order))),
            params=tuple(seat.params for seat in seated),
            book=replace(book, starts=tuple(book.starts[place] for place in order) if book.starts else ()),
        )
        return Table(match, seated, fallbacks=self._fallbacks, interpreted=sitting.interpreted, stop=self._stop)

    def _judge(self, deal: int, rotation: int, order: tuple[int, ...], paid: Numbers, chosen: Sequence[int]) -> None:
        """A program that failed is behind everybody else, if that is the rule; games to be shown are kept."""
        failed = False
        for seat, place in enumerate(order):
            player = self._seats[place]
            if player.program is None:
                continue
            out = any(trouble.lost for trouble in player.program.troubles)
            lost = out and player.program.limits.forfeit
            self._heard[player.name].listen(player.program)
            for one in player.program.troubles:
                self._mishaps.append(
                    Mishap(player.name, deal, rotation, one.fault, one.reason, lost, one.seat, one.decision)
                )
            self._failed[player.name] += out
            self._idle[player.name] += not player.program.troubles and not player.program.seconds
            failed |= out
            if lost:
                paid[seat] = -inf
        sitting = self._sitting
        has_programs = any(player.program is not None for player in self._seats)
        if has_programs and (deal < sitting.shown or (failed and len(self._games) < _TOLD and sitting.shown)):
            actions = iter(chosen)
            self._games[deal, rotation] = record_by(
                lambda _: next(actions),
                sitting.game,
                players=sitting.players,
                config=sitting.setting.config,
                seed=sitting.seed,
                names=tuple(sitting.names[place] for place in order),
                number=deal,
            )


def _complaints(program: ProgramPlayer) -> bytes:
    """What a program wrote to stderr."""
    try:
        return program.stderr.read_bytes()
    except OSError:
        return b""


def ranks_of(paid: Numbers) -> Ranks:
    """Everybody's rank by what was paid, along the last axis: how many were paid more."""
    found: Ranks = (paid[..., None, :] > paid[..., :, None] + _TIE).sum(axis=-1).astype(np.uint8)
    return found
