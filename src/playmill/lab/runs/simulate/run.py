"""Playing a plan: make it, play its games somewhere, add up, report."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack
from dataclasses import dataclass, replace
from itertools import groupby, pairwise
from typing import Any, TypedDict, Unpack

from playmill.agents.fallbacks import Fallbacks, FallbackSink
from playmill.engine.config.model import RuleConfig
from playmill.engine.config.paths import same_folder
from playmill.engine.contract.agent import Preparing
from playmill.engine.contract.game import Game
from playmill.engine.lang.record import RecordArray
from playmill.engine.run.match import check_luck
from playmill.lab.runs.executors import check_place, place_for
from playmill.lab.runs.executors.place import LostPlaceError, Wanted
from playmill.lab.runs.parts import Part, Total
from playmill.lab.runs.resolved_plan import Cast, Work, gather
from playmill.lab.runs.simulate.simulation import KEEP_GAMES, Simulation, simulation
from playmill.lab.runs.store.archive import Archive
from playmill.lab.runs.store.keeper import Keeper
from playmill.stopping import interrupt
from playmill.texts import PlaymillError

BACKENDS = ("cpu", "cuda", "interpreted")

Progress = Callable[[int], None]
#: Is told finished games, in order.
PartSink = Callable[[Part], None]


@dataclass(frozen=True)
class How:
    """How a run is played and who is told of it: nothing of this changes what comes out."""

    workers: int | None = None
    backend: str = "cpu"
    strict: bool = False
    #: True or a name: the run is kept; False: it is not; None: if it takes long.
    keep: bool | str | None = False
    rows: bool = False
    #: A run that is there and goes on.
    kept: AbstractContextManager[Keeper] | None = None
    keep_games: bool | None = None
    progress: Progress | None = None
    preparing: Preparing | None = None
    on_part: PartSink | None = None
    on_fallback: FallbackSink | None = None
    #: The first games at once, run by the interpreter; the rules are compiled if there are many.
    at_once: bool = False
    #: Where: None is this machine, `ray` or an address a cluster.
    on: str | None = None

    def check(self) -> None:
        """Raises unless a run can be played so."""
        if self.workers is not None and not 1 <= self.workers <= 1024:
            raise PlaymillError(
                f"workers is {self.workers}; expected 1 … 1024", f"workers равно {self.workers}; нужно 1 … 1024"
            )
        if self.backend not in BACKENDS:
            known = ", ".join(BACKENDS)
            raise PlaymillError(
                f"there is no backend {self.backend!r}; known: {known}", f"нет {self.backend!r}; есть: {known}"
            )
        check_place(self.on, self.backend)
        if self.rows and not self.keep and self.kept is None:
            raise PlaymillError(
                "--rows keeps single games with a kept run; add --keep",
                "--rows сохраняет отдельные партии вместе с прогоном; добавьте --keep",
            )


class Options(TypedDict, total=False):
    """What runs take besides the game, its players and the number of games: what is played, and then how."""

    seed: int
    agents: Any
    config: RuleConfig | Mapping[str, Any] | None
    set: Sequence[str]
    rotate: bool
    workers: int | None
    backend: str
    strict: bool
    keep: bool | str | None
    rows: bool
    keep_games: bool | None
    progress: Progress | None
    preparing: Preparing | None
    on_fallback: FallbackSink | None
    at_once: bool
    on: str | None


_PLAYED = ("seed", "agents", "config", "set", "rotate")


def taken_apart(options: Options) -> tuple[dict[str, Any], How]:
    """What is played, as `gather` takes it, and how; raises unless a run can be played so."""
    given: dict[str, Any] = {**options}
    for name in given:
        if name not in Options.__annotations__:
            raise TypeError(f"a run has no option {name!r}; there are: {', '.join(Options.__annotations__)}")
    played = {name: given.pop(name) for name in _PLAYED if name in given}
    how = How(**given)
    how.check()
    return played, how


@same_folder()
def simulate(
    game: str | Game,
    *,
    players: int | None = None,
    games: int = 10_000,
    first: int = 0,
    on_part: PartSink | None = None,
    **options: Unpack[Options],
) -> Simulation:
    """Plays games first … games-1 of a run and returns estimates with their intervals.

    What is played: `seed` (0), `agents` ("random"; one for all seats, or one for each), `config` and `set`, and with
    `rotate` every deal from every seat. Equal game, config, players, agents, games and seed give equal results on any
    number of `workers` and any `backend` ("cpu", "cuda", "interpreted"). `strict` makes an answer of an agent that
    cannot be used an error. `keep` writes the run to disk as it goes, under its usual name or the one given, and goes
    on with one that is there; `rows` keeps single games with it, `keep_games` in memory. `progress` is told the games
    played, `preparing` how far an agent is with what it has to know before the first game, `on_part` finished games in
    order, `on_fallback` every answer that could not be used. `at_once` lets the interpreter play the first games, and
    all of them if they are few, before anything is compiled. `on` is where the games are played if not here: "ray", or
    the address of a Ray cluster. Ctrl-C ends the run with the games finished so far, marked incomplete; before the
    first is finished it is a KeyboardInterrupt.
    """
    played, how = taken_apart(options)
    cast = gather(game, players=players, **played)
    return play_cast(cast, wanted_games(cast, first, games), replace(how, on_part=on_part))


def wanted_games(cast: Cast, first: int, end: int) -> range:
    """Games first … end-1 of a run; raises unless there are any, and they are whole blocks."""
    if end <= first or first < 0:
        count = end - first
        raise PlaymillError(f"cannot play {count} games; at least 1", f"нельзя сыграть {count} игр; нужна хотя бы 1")
    check_luck(cast.plan.seed, end)
    block = cast.plan.rotations
    if first % cast.plan.chunk:
        near = first - first % cast.plan.chunk
        raise PlaymillError(
            f"this run can be taken up at multiples of {cast.plan.chunk} games, such as {near}, not at {first}",
            f"этот прогон можно начать с партии, кратной {cast.plan.chunk}, например {near}, а не с {first}",
        )
    # A deal is played from every seat or not at all.
    return range(first, -(-end // block) * block)


@same_folder()
def play_cast(cast: Cast, games: range, how: How) -> Simulation:
    """Plays games of a run, those that are not kept yet, and reports all of them."""
    begun = time.perf_counter()
    cast.learn(how.preparing)
    fallbacks = Fallbacks(sink=how.on_fallback)
    total = Total(cast.plan, cast.game)
    # Of a kept run only what is missing is played: its single games are on disk, if anywhere.
    unkept = not how.keep and how.kept is None
    keeps_rows = how.keep_games if how.keep_games is not None else unkept and len(games) <= KEEP_GAMES
    rows: list[RecordArray] | None = [] if keeps_rows else None
    listens = rows is not None or how.on_part is not None
    archive: Archive | None = None
    try:
        with interrupt() as stop, ExitStack() as stack:
            work = Work(how.backend, how.strict, fallbacks, stop, rows=listens, at_once=how.at_once)
            place = place_for(how.on, cast, work, how.workers)
            stack.callback(place.leave)
            about = {"command": cast.command(games), "backend": how.backend, "workers": place.workers}
            about |= {"on": how.on} if how.on else {}
            archive = stack.enter_context(
                Archive(
                    cast,
                    games,
                    keep=how.keep,
                    rows=how.rows,
                    about=about,
                    kept=how.kept,
                    at_once=how.on is not None,
                )
            )
            ranges = _ranges(games, archive.missing(), again=listens)
            if ranges:
                words = how.on_fallback is not None
                place.prepare(Wanted(archive.edge, listens, words, archive.folder, archive.keeps_rows))
            start = time.perf_counter()
            archive.start()
            # What was finished before is added up from disk.
            total.games += len(games) - sum(map(len, ranges))
            waited = 0.0
            for part in place.play(ranges):
                stop.keep()
                archive.wait(place.waited - waited)
                waited = place.waited
                total.add(part)
                archive.add(part, tells=not place.warming)
                if rows is not None and part.rows is not None:
                    rows.append(part.rows)
                if how.on_part is not None:
                    how.on_part(part)
                if how.progress is not None:
                    how.progress(total.games)
            elapsed = time.perf_counter() - start - place.waited
    except LostPlaceError as error:
        raise error if archive is None or archive.keeper is None else archive.keeper.safe(error) from None
    keeper = archive.keeper
    if keeper is not None:
        total = keeper.total
        elapsed = sum(session["seconds"] for session in keeper.run.manifest.sessions)
    if not total.games:
        raise KeyboardInterrupt
    found = simulation(
        cast,
        total,
        requested=len(games),
        backend=how.backend,
        workers=place.workers,
        strict=how.strict,
        elapsed_s=elapsed,
        prepared_s=start - begun + place.waited,
        rows=rows,
        kept=keeper.run.name if keeper is not None else None,
        played=keeper.run.played if keeper is not None else range(games.start, games.start + total.games),
    )
    found.not_kept = archive.trouble
    found.again = sum(chunk.games for chunk in keeper.lost) if keeper is not None else 0
    return found


def _ranges(games: range, missing: Sequence[range], *, again: bool) -> list[range]:
    """The games to be played, in order: those that are missing, or all, and none of both kinds in one range."""
    edges = sorted({games.start, games.stop, *(edge for chunk in missing for edge in (chunk.start, chunk.stop))})
    wanted = {chunk.start for chunk in missing}
    found: list[range] = []
    for lacks, pieces in groupby(pairwise(edges), lambda piece: piece[0] in wanted):
        some = list(pieces)
        if lacks or again:
            found.append(range(some[0][0], some[-1][1]))
    return found
