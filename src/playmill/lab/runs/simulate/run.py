"""`simulate`, `resume` and `report_of`: resolve a plan, play its games on an executor, add up, report."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack
from dataclasses import dataclass, replace
from itertools import groupby, pairwise
from typing import Any

from playmill.agents.fallbacks import Fallbacks, FallbackSink
from playmill.engine.config.input_files import same_folder
from playmill.engine.config.model import Changes, RuleConfig
from playmill.engine.contract.agent import Preparing
from playmill.engine.contract.game import Game
from playmill.engine.lang.record import RecordArray
from playmill.engine.run.match import check_seed
from playmill.interrupts import interrupt
from playmill.lab.runs.executors import Where, where_of
from playmill.lab.runs.executors.base import LostExecutorError, RequestedOutput
from playmill.lab.runs.finished_games import FinishedGames, RunTotal
from playmill.lab.runs.resolved_plan import ExecutionOptions, ResolvedPlan, resolve_plan
from playmill.lab.runs.simulate.simulation import KEEP_GAMES, Simulation, simulation
from playmill.lab.runs.store.reader import KeptRun
from playmill.lab.runs.store.recorder import RunRecorder
from playmill.lab.runs.store.writer import RunWriter, reopen_writer
from playmill.stdio import doing
from playmill.texts import PlaymillError, Text

_TRYING = Text("trying the invariants after every action", "проверяю инварианты после каждого действия")

Progress = Callable[[int], None]
#: Callback that receives finished games, in order.
PartSink = Callable[[FinishedGames], None]


@dataclass(frozen=True)
class How:
    """How a run is played and who is called back; none of this changes the results."""

    workers: int | None = None
    backend: str = "cpu"
    strict: bool = False
    #: True or a name: the run is kept; False: it is not; None: if it takes long.
    keep: bool | str | None = False
    rows: bool = False
    #: A run that is there and goes on.
    kept: AbstractContextManager[RunWriter] | None = None
    keep_games: bool | None = None
    progress: Progress | None = None
    preparing: Preparing | None = None
    on_part: PartSink | None = None
    on_fallback: FallbackSink | None = None
    #: The first games at once, run by the interpreter; the rules are compiled if there are many.
    at_once: bool = False
    #: Where: `threads` of this machine, its GPU (`cuda`), or a cluster (`ray`, or its address).
    on: str | None = None
    #: Whether the invariants of the game are tried after every action.
    check_invariants: bool = False

    @property
    def where(self) -> Where:
        """Where the games are played."""
        return where_of(self.on, self.workers, backend=self.backend)

    def check(self) -> None:
        """Raises unless a run can be played so."""
        _ = self.where
        if self.rows and not self.keep and self.kept is None:
            raise PlaymillError(
                "--rows keeps single games with a kept run; add --keep",
                "--rows сохраняет отдельные партии вместе с прогоном; добавьте --keep",
            )
        if self.check_invariants and (self.where.cluster is not None or self.where.backend == "cuda"):
            raise PlaymillError(
                "invariants are tried on the processor of this machine; play --on threads",
                "инварианты проверяет процессор этой машины; играйте с --on threads",
            )


@same_folder()
def simulate(
    game: str | Game,
    *,
    players: int | None = None,
    agents: Any = "random",
    config: RuleConfig | Mapping[str, Any] | None = None,
    set: Changes = (),
    seed: int = 0,
    games: int = 10_000,
    first: int = 0,
    rotate: bool = False,
    workers: int | None = None,
    backend: str = "cpu",
    on: str | None = None,
    strict: bool = False,
    keep: bool | str | None = False,
    rows: bool = False,
    keep_games: bool | None = None,
    at_once: bool = False,
    progress: Progress | None = None,
    preparing: Preparing | None = None,
    on_part: PartSink | None = None,
    on_fallback: FallbackSink | None = None,
    check_invariants: bool = False,
) -> Simulation:
    """Plays games first … games-1 of a run and returns estimates with their intervals.

    `agents` is one for all seats, or one for each; `set` changes the config: `{"target": 50}`, or `["target=50"]`; with
    `rotate` every deal is played from every seat. Equal game, config, players, agents, games and seed give equal
    results on any number of `workers` and any `backend` ("cpu", "cuda", "interpreted"). `strict` makes an answer of an
    agent that cannot be used an error. `keep` writes the run to disk as it goes, under its usual name or the one given,
    and goes on with one that is there; `rows` keeps single games with it, `keep_games` in memory. `progress` receives
    the games played, `preparing` how far an agent is with what it has to know before the first game, `on_part` finished
    games in order, `on_fallback` every answer that could not be used. `at_once` lets the interpreter play the first
    games, and all of them if they are few, before anything is compiled.
    `on` is where the games are played: "threads" of this machine, its GPU ("cuda"), "ray", or the address of a Ray
    cluster; without it, what PLAYMILL_ON says. Ctrl-C ends the run with the games finished so far, marked incomplete;
    before the first is finished it is a KeyboardInterrupt. `check_invariants` tries the invariants of the game after
    every action, which takes longer; the first that does not hold is an error.
    """
    how = How(
        workers=workers,
        backend=backend,
        strict=strict,
        keep=keep,
        rows=rows,
        keep_games=keep_games,
        progress=progress,
        preparing=preparing,
        on_part=on_part,
        on_fallback=on_fallback,
        at_once=at_once,
        on=on,
        check_invariants=check_invariants,
    )
    how.check()
    resolved = resolve_plan(game, players=players, agents=agents, config=config, set=set, seed=seed, rotate=rotate)
    return play_resolved(resolved, game_range(resolved, first, games), how)


def game_range(resolved: ResolvedPlan, first: int, end: int) -> range:
    """Returns games first … end-1 of a run; raises unless they are whole blocks of deals."""
    if end <= first or first < 0:
        count = end - first
        raise PlaymillError(f"cannot play {count} games; at least 1", f"нельзя сыграть {count} игр; нужна хотя бы 1")
    check_seed(resolved.plan.seed, end)
    block = resolved.plan.rotations
    if first % resolved.plan.chunk:
        near = first - first % resolved.plan.chunk
        raise PlaymillError(
            f"this run can be taken up at multiples of {resolved.plan.chunk} games, such as {near}, not at {first}",
            f"этот прогон можно начать с партии, кратной {resolved.plan.chunk}, например {near}, а не с {first}",
        )
    # A deal is played from every seat or not at all.
    return range(first, -(-end // block) * block)


@same_folder()
def play_resolved(resolved: ResolvedPlan, games: range, how: How) -> Simulation:
    """Plays the games of a resolved plan that are not stored yet, and reports all of them."""
    begun = time.perf_counter()
    where = how.where
    if how.check_invariants:
        if not resolved.game.invariants:
            raise PlaymillError(
                f"{resolved.game.name} has no invariants to try; they are written in invariants.py",
                f"у {resolved.game.name} нет инвариантов; их пишут в invariants.py",
            )
        doing(_TRYING)
    resolved.learn(how.preparing)
    fallbacks = Fallbacks(sink=how.on_fallback)
    total = RunTotal(resolved.plan, resolved.game)
    # Of a kept run only what is missing is played: its single games are on disk, if anywhere.
    unkept = not how.keep and how.kept is None
    keeps_rows = how.keep_games if how.keep_games is not None else unkept and len(games) <= KEEP_GAMES
    rows: list[RecordArray] | None = [] if keeps_rows else None
    listens = rows is not None or how.on_part is not None
    recorder: RunRecorder | None = None
    try:
        with interrupt() as stop, ExitStack() as stack:
            stack.enter_context(where.joined())
            work = ExecutionOptions(
                where.backend,
                how.strict,
                fallbacks,
                stop,
                rows=listens,
                at_once=how.at_once,
                invariants=how.check_invariants,
            )
            executor = where.executor(resolved, work)
            stack.callback(executor.leave)
            about = {"command": resolved.command(games), "workers": executor.workers, **_played_on(where)}
            recorder = stack.enter_context(
                RunRecorder(
                    resolved,
                    games,
                    keep=how.keep,
                    rows=how.rows,
                    about=about,
                    kept=how.kept,
                    at_once=where.cluster is not None,
                )
            )
            ranges = _ranges(games, recorder.missing(), again=listens or how.check_invariants)
            if ranges:
                words = how.on_fallback is not None
                executor.prepare(RequestedOutput(recorder.edge, listens, words, recorder.folder, recorder.keeps_rows))
            start = time.perf_counter()
            recorder.start()
            # What was finished before is added up from disk.
            total.games += len(games) - sum(map(len, ranges))
            waited = 0.0
            for part in executor.play(ranges):
                stop.keep()
                recorder.wait(executor.waited - waited)
                waited = executor.waited
                total.add(part)
                recorder.add(part, tells=not executor.warming)
                if rows is not None and part.rows is not None:
                    rows.append(part.rows)
                if how.on_part is not None:
                    how.on_part(part)
                if how.progress is not None:
                    how.progress(total.games)
            elapsed = time.perf_counter() - start - executor.waited
    except LostExecutorError as error:
        raise error if recorder is None or recorder.writer is None else recorder.writer.safe(error) from None
    writer = recorder.writer
    if writer is not None:
        total = writer.total
        elapsed = sum(session["seconds"] for session in writer.run.manifest.sessions)
    if not total.games:
        raise KeyboardInterrupt
    found = simulation(
        resolved,
        total,
        requested=len(games),
        backend=where.backend,
        workers=executor.workers,
        strict=how.strict,
        elapsed_s=elapsed,
        prepared_s=start - begun + executor.waited,
        rows=rows,
        kept=writer.run.name if writer is not None else None,
        played=writer.run.played if writer is not None else range(games.start, games.start + total.games),
    )
    found.not_kept = recorder.trouble
    found.again = sum(chunk.games for chunk in writer.lost) if writer is not None else 0
    return found


def _played_on(where: Where) -> dict[str, str]:
    """Returns where games are played, as a kept run tells of it."""
    return {"backend": where.backend, **({"on": where.cluster} if where.cluster else {})}


def _ranges(games: range, missing: Sequence[range], *, again: bool) -> list[range]:
    """Returns the ranges to be played in order: missing ones, or all, never mixing both kinds in one range."""
    edges = sorted({games.start, games.stop, *(edge for chunk in missing for edge in (chunk.start, chunk.stop))})
    wanted = {chunk.start for chunk in missing}
    found: list[range] = []
    for lacks, pieces in groupby(pairwise(edges), lambda piece: piece[0] in wanted):
        some = list(pieces)
        if lacks or again:
            found.append(range(some[0][0], some[-1][1]))
    return found


def resume(run: KeptRun, how: How, *, end: int | None = None) -> Simulation:
    """Plays what is missing of a kept run, up to its games or a later end; raises if it would become another run."""
    how.check()
    resolved = run.resolved()
    end = end if end is not None else run.manifest.end
    end = -(-end // run.plan.rotations) * run.plan.rotations
    games = range(run.manifest.first, end)
    about = {"command": resolved.command(games), **_played_on(how.where)}
    return play_resolved(
        resolved, games, replace(how, keep=None, kept=reopen_writer(run, resolved, end=end, about=about))
    )


def report_of(run: KeptRun) -> Simulation:
    """Reports a kept run from its stored counts, without playing."""
    resolved, changed = run.resolved_to_read()
    sessions = run.manifest.sessions
    found = simulation(
        resolved,
        run.total(),
        requested=run.requested,
        backend=sessions[-1]["backend"] if sessions else "cpu",
        workers=sessions[-1].get("workers", 1) if sessions else 1,
        strict=False,
        elapsed_s=sum(session["seconds"] for session in sessions),
        prepared_s=0.0,
        kept=run.name,
        played=run.played,
    )
    found.changed = changed
    return found
