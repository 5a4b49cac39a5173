"""Plays the deals of a pairing: compiled agents in one batch, all others decision by decision."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from math import inf

import numpy as np

from playmill.agents.agent_specs import Seat
from playmill.agents.fallbacks import Fallbacks
from playmill.agents.mixed_match import MixedMatch
from playmill.agents.programs.program_agent import ProgramAgent
from playmill.engine.run.backends import default_workers
from playmill.engine.run.lookup_tables import load_lookup_tables
from playmill.engine.run.match import Match
from playmill.engine.run.rollouts import RolloutAgent, Rollouts, jobs_of
from playmill.interrupts import WORKERS, Stop
from playmill.lab.contests.tournament.deal_results import DealResults, Mishap, ProgramLog, ProgramUse
from playmill.lab.contests.tournament.pairing import Pairing
from playmill.lab.replays.replay import record_by
from playmill.lab.replays.replay_file import text_of
from playmill.stats.ratings import Numbers, Ranks

#: Games whose payments are within this are a tie.
_TIE = 1e-9
#: Games in which something went wrong that are kept as they were played.
_SHOWN = 20


def play_deals(
    pairing: Pairing, deals: range, stop: Stop, workers: int | None = None, progress: Callable[[], None] | None = None
) -> DealResults | None:
    """Plays deals of a pairing; None if it was stopped before all were played.

    Where agents are asked one decision after the other, `progress` is called after every game that is over.
    """
    seats = pairing.seated()
    try:
        if all(seat.compiled for seat in seats):
            paid = _compiled(pairing, seats, deals, stop, workers)
            return None if paid is None else DealResults(ranks_of(paid))
        asking = _Asking(pairing, seats, stop, progress)
        paid = asking.play(deals, workers)
        return None if paid is None else asking.piece(ranks_of(paid))
    finally:
        for seat in seats:
            if seat.program is not None:
                seat.program.close()


def prepare(pairing: Pairing) -> None:
    """Compiles what a pairing needs; no program is started."""
    seats = pairing.seated()
    if all(seat.compiled for seat in seats):
        _compiled(pairing, seats, range(1), Stop(), 1)
    else:
        _Asking(pairing, seats, Stop()).prepare()


def _compiled(pairing: Pairing, seats: Sequence[Seat], deals: range, stop: Stop, workers: int | None) -> Numbers | None:
    members = [RolloutAgent(seat.number, seat.params, seat.table) for seat in seats]
    rollouts = Rollouts(
        pairing.game, pairing.setting.config, pairing.players, members, interpreted=pairing.interpreted, workers=workers
    )
    jobs = jobs_of(len(deals) * pairing.games, pairing.players, seed=pairing.seed)
    jobs["rng_game"] = jobs["agent_rng_game"] = np.repeat(np.arange(deals.start, deals.stop), pairing.games)
    seated = pairing.orders(deals)
    jobs["who"][:, : pairing.players] = seated.reshape(len(jobs), pairing.players)
    paid = rollouts.play(jobs, stop=stop).paid
    return None if stop() else pairing.by_entrant(seated, paid.reshape(seated.shape))


class _Asking:
    """Plays deals decision by decision: searches use all cores, programs are asked one at a time."""

    def __init__(
        self, pairing: Pairing, seats: Sequence[Seat], stop: Stop, progress: Callable[[], None] | None = None
    ) -> None:
        self._pairing, self._seats, self._stop, self._progress = pairing, seats, stop, progress
        self._fallbacks = Fallbacks()
        self._failed: Counter[str] = Counter()
        self._idle: Counter[str] = Counter()
        self._mishaps: list[Mishap] = []
        self._heard: defaultdict[str, ProgramLog] = defaultdict(ProgramLog)
        self._games: dict[tuple[int, int], str] = {}
        numbers, tables = [seat.number for seat in seats], [seat.table for seat in seats]
        self._lookup_tables = load_lookup_tables(pairing.game, pairing.setting.config, numbers, tables)

    def prepare(self) -> None:
        """Compiles what the games need."""
        self._table(self._pairing.order(0, 0)).play(0, 0)

    def play(self, deals: range, workers: int | None) -> Numbers | None:
        """What the games of these deals paid everybody; None if somebody asked to stop before all were played."""
        alone = any(not seat.compiled and not seat.thinks for seat in self._seats) or self._pairing.interpreted
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
        pairing = self._pairing
        return pairing.by_entrant(pairing.orders(deals), np.array([found[deal] for deal in deals]))

    def piece(self, ranks: Ranks) -> DealResults:
        """Returns what came of it, with what went wrong."""
        programs = {seat.name: seat.program for seat in self._seats if seat.program is not None}
        return DealResults(
            ranks,
            unused=dict(sorted(self._fallbacks.by_agent.items())),
            failed={name: games for name, games in sorted(self._failed.items()) if games},
            idle={name: games for name, games in sorted(self._idle.items()) if games},
            mishaps=tuple(self._mishaps),
            guarantees=next((program.guarantees for program in programs.values() if program.guarantees), {}),
            games=self._games,
            complaints={name: _complaints(program) for name, program in programs.items()},
            heard=dict(self._heard),
            used={name: ProgramUse.of(heard) for name, heard in sorted(self._heard.items())},
        )

    def _one_by_one(self, deals: Sequence[int]) -> dict[int, Numbers]:
        """Returns what the games of each deal paid by seat, up to the first that was given up."""
        pairing = self._pairing
        tables: dict[tuple[int, ...], MixedMatch] = {}
        found: dict[int, Numbers] = {}
        for deal in deals:
            paid = np.zeros((pairing.games, pairing.players))
            for rotation in range(pairing.games):
                order = pairing.order(deal, rotation)
                if order not in tables:
                    tables[order] = self._table(order)
                chunk = tables[order].play(deal, 1)
                if self._stop() or not chunk.games or chunk.paid is None:
                    return found
                paid[rotation] = chunk.paid[0]
                self._judge(deal, rotation, order, paid[rotation], tables[order].chosen)
                if self._progress is not None:
                    self._progress()
            found[deal] = paid
        return found

    def _table(self, order: tuple[int, ...]) -> MixedMatch:
        pairing, lookup_tables = self._pairing, self._lookup_tables
        seated = [self._seats[place] for place in order]
        match = Match(
            game=pairing.game,
            config=pairing.setting.config,
            players=pairing.players,
            seed=pairing.seed,
            seats=tuple(seat.number for seat in seated),
            agents=tuple(range(len(order))),
            params=tuple(seat.params for seat in seated),
            lookup_tables=replace(
                lookup_tables,
                starts=tuple(lookup_tables.starts[place] for place in order) if lookup_tables.starts else (),
            ),
        )
        return MixedMatch(match, seated, fallbacks=self._fallbacks, interpreted=pairing.interpreted, stop=self._stop)

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
        pairing = self._pairing
        has_programs = any(player.program is not None for player in self._seats)
        if has_programs and (deal < pairing.shown or (failed and len(self._games) < _SHOWN and pairing.shown)):
            actions = iter(chosen)
            self._games[deal, rotation] = text_of(
                record_by(
                    lambda _: next(actions),
                    pairing.game,
                    players=pairing.players,
                    config=pairing.setting.config,
                    seed=pairing.seed,
                    names=tuple(pairing.names[place] for place in order),
                    number=deal,
                )
            )


def _complaints(program: ProgramAgent) -> bytes:
    """Returns what a program wrote to stderr."""
    try:
        return program.stderr.read_bytes()
    except OSError:
        return b""


def ranks_of(paid: Numbers) -> Ranks:
    """Returns everybody's rank by payoff, along the last axis: how many were paid more."""
    found: Ranks = (paid[..., None, :] > paid[..., :, None] + _TIE).sum(axis=-1).astype(np.uint8)
    return found
