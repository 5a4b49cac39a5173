"""`simulate`: play a game many times and count what happens."""

from __future__ import annotations

import json
import shlex
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from playmill.agents.fallbacks import Fallbacks, FallbackSink
from playmill.agents.seats import Seat, seats_for
from playmill.agents.table import Table as AnyTable
from playmill.agents.table import one_by_one
from playmill.engine.agent import Preparing
from playmill.engine.books import Book, open_book
from playmill.engine.config import RuleConfig, differences
from playmill.engine.game import Game, as_config, as_game
from playmill.engine.match import Backend, Chunk, Match, check_luck
from playmill.engine.play import add_counts, backend_maker, backend_workers, default_workers, play_in_order
from playmill.engine.record import RecordArray
from playmill.engine.workplace import same_folder
from playmill.report.model import RunInfo, Table
from playmill.stopping import Stop, interrupt
from playmill.texts import PlaymillError, Text
from playmill.version import __version__

if TYPE_CHECKING:
    import polars

BACKENDS = ("cpu", "cuda", "interpreted")
#: Rows of single games are kept for the table of games up to this many, unless asked for.
KEEP_GAMES = 1_000_000
#: Fallbacks that the report tells word for word.
_TOLD_FALLBACKS = 5

Progress = Callable[[int], None]
RowSink = Callable[[Chunk], None]


@dataclass(repr=False)
class Simulation:
    """What a run found: the estimates, the counts behind them, and the single games where they were kept."""

    game: Game
    info: RunInfo
    results: dict[str, Any]
    counts: RecordArray
    fallbacks: Fallbacks
    _rows: list[RecordArray] | None = field(default=None, repr=False)

    def __repr__(self) -> str:
        agents = ", ".join(self.info.agent_names)
        return f"<Simulation of {self.info.game}: {self.info.games} games, {self.info.players} players, {agents}>"

    def tables(self) -> list[Table]:
        """The report's tables, ready for the terminal or a page."""
        return report_tables(self.game, self.results, self.info)

    @cached_property
    def games(self) -> polars.DataFrame:
        """One row a game."""
        from playmill.lab.frames import games_frame

        return games_frame(self._kept(), 0)

    @cached_property
    def seats(self) -> polars.DataFrame:
        """One row a game and seat, with the agent's name."""
        from playmill.lab.frames import seats_frame

        return seats_frame(self._kept(), 0, self.info.agents)

    def _kept(self) -> RecordArray:
        if self._rows is None:
            raise PlaymillError(
                f"single games were not kept (more than {KEEP_GAMES} of them); pass keep_games=True",
                f"отдельные игры не сохранены (их больше {KEEP_GAMES}); передайте keep_games=True",
            )
        if not self._rows:
            return np.zeros(0, self.game.outcome)
        # Joined as bytes: joined as records, what lies between two fields would be left to chance.
        rows: RecordArray = np.concatenate([chunk.view(np.uint8) for chunk in self._rows]).view(self.game.outcome)
        return rows


@same_folder()
def simulate(
    game: str | Game,
    *,
    players: int | None = None,
    games: int = 10_000,
    seed: int = 0,
    agents: Any = ("random",),
    config: RuleConfig | Mapping[str, Any] | None = None,
    set: Sequence[str] = (),
    workers: int | None = None,
    backend: str = "cpu",
    strict: bool = False,
    keep_games: bool | None = None,
    progress: Progress | None = None,
    preparing: Preparing | None = None,
    on_chunk: RowSink | None = None,
    on_fallback: FallbackSink | None = None,
) -> Simulation:
    """Plays games 0 … games-1 of the run with this seed and returns estimates with their intervals.

    Equal game, config, players, agents, games and seed give equal results on any number of workers and any backend.
    Ctrl-C ends the run with the games finished so far, marked incomplete; before the first is finished it is a
    KeyboardInterrupt. `preparing` is told how far an agent is with what it has to know before the first game,
    `on_fallback` every answer of an agent that could not be used.
    """
    chosen = as_game(game)
    players = players if players is not None else chosen.players[0]
    names = tuple(agents) if isinstance(agents, (list, tuple)) else (agents,)
    _check_numbers(games, seed, workers, backend)
    settings = as_config(chosen, config)
    settings = settings.changed(set) if set else settings
    seats = seats_for(chosen, players, names)
    settings.pack(players)
    threads = all(seat.compiled or seat.thinks for seat in seats)
    _check_seats(seats, backend)
    workers = backend_workers(backend, workers or default_workers()) if threads else 1
    book = open_book(chosen, settings, [seat.number for seat in seats], preparing)
    match = _match(chosen, settings, players, seed, seats, book)
    fallbacks = Fallbacks(sink=on_fallback)
    keep = keep_games if keep_games is not None else games <= KEEP_GAMES
    rows: list[RecordArray] | None = [] if keep else None
    counts: RecordArray = np.zeros(1, chosen.tally)
    done = 0
    begun = time.perf_counter()
    with interrupt() as stop:
        make = _table_maker(backend, match, seats, strict, fallbacks, stop)
        table = make()
        table.play(0, 0)
        start = time.perf_counter()
        for chunk in play_in_order(make, games, workers, stop) if threads else one_by_one(table, games):
            stop.keep()
            add_counts(counts, chunk.counts)
            if rows is not None:
                rows.append(chunk.rows)
            if on_chunk is not None:
                on_chunk(chunk)
            done += len(chunk.rows)
            if progress is not None:
                progress(done)
    if not done:
        raise KeyboardInterrupt
    info = RunInfo(
        game=chosen.name,
        title=chosen.title,
        playmill=__version__,
        players=players,
        games=done,
        requested=games,
        seed=seed,
        agents=tuple(seat.name for seat in seats),
        config=settings.model_dump(mode="json"),
        changes=differences(settings),
        backend=backend,
        workers=workers,
        complete=done == games,
        elapsed_s=round(time.perf_counter() - start, 3),
        command="",
        extra={
            "prepared_s": round(start - begun, 3),
            **({"known": book.facts} if book.facts else {}),
            **({"fallback_log": fallbacks.entries} if fallbacks.entries else {}),
        },
    )
    named = game if isinstance(game, str) else chosen.name
    written = [name if isinstance(name, str) else seat.name for name, seat in zip(names, seats, strict=False)]
    info = replace(info, command=run_command(info, named, written, strict, (players,), done))
    results = {**chosen.report.results(counts[0], info), "fallbacks": fallbacks.json()}
    if hasattr(chosen.report, "with_fallbacks"):
        results = chosen.report.with_fallbacks(results)
    return Simulation(chosen, info, results, counts, fallbacks, rows)


def _check_seats(seats: Sequence[Seat], backend: str) -> None:
    """Raises unless the backend can play these agents."""
    if backend == "cuda" and any(seat.thinks for seat in seats):
        raise PlaymillError(
            "search plays on the CPU; leave out --backend cuda", "search играет на процессоре; уберите --backend cuda"
        )
    if backend != "cpu" and not all(seat.compiled or seat.thinks for seat in seats):
        raise PlaymillError(
            f"agents written in Python play on the cpu backend only, not on {backend}",
            f"агенты на Python играют только на cpu, а не на {backend}",
        )


def _table_maker(
    backend: str, match: Match, seats: Sequence[Seat], strict: bool, fallbacks: Fallbacks, stop: Stop
) -> Callable[[], Backend]:
    """What plays the games: the compiled loops, or a table where each decision is asked for."""
    if all(seat.compiled for seat in seats):
        return backend_maker(backend, match)
    interpreted = backend == "interpreted"
    return lambda: AnyTable(match, seats, strict=strict, fallbacks=fallbacks, interpreted=interpreted, stop=stop)


def report_tables(game: Game, results: dict[str, Any], info: RunInfo) -> list[Table]:
    """The tables of a game's report, and one of the fallbacks if there were any."""
    tables: list[Table] = list(game.report.sections(results, info))
    fallbacks = results["fallbacks"]
    if fallbacks["total"]:
        names = getattr(game.words, "DECISION_NAMES", {})
        rows: list[tuple[str | Text, int]] = list(fallbacks["by_agent"].items())
        rows += [(names.get(kind, kind), count) for kind, count in fallbacks["by_decision"].items()]
        tables.append(
            Table(
                "fallbacks",
                Text("Answers replaced by a random valid choice", "Ответы, заменённые случайным допустимым выбором"),
                (Text("agent / decision", "агент / решение"), Text("times", "раз")),
                tuple(rows),
            )
        )
        tables.append(_first_fallbacks(info.extra.get("fallback_log", ()), names))
    return tables


def _first_fallbacks(log: Sequence[Mapping[str, Any]], names: Mapping[str, Text]) -> Table:
    """The first fallbacks word for word."""
    rows = []
    for entry in log[:_TOLD_FALLBACKS]:
        game, turn, player = entry["game"], entry["turn"], entry["seat"] + 1
        where = Text(
            f"game {game}, " + (f"turn {turn}, " if turn is not None else "") + f"player {player}",
            f"игра {game}, " + (f"ход {turn}, " if turn is not None else "") + f"игрок {player}",
        )
        what = Text(f"{entry['reason']} → {entry['replacement']}", f"{entry['reason_ru']} → {entry['replacement_ru']}")
        rows.append((where, names.get(entry["decision"], entry["decision"]), what))
    return Table(
        "fallback_log",
        Text("The first of these answers", "Первые из этих ответов"),
        (Text("where", "где"), Text("decision", "решение"), Text("why → instead", "почему → вместо этого")),
        tuple(rows),
    )


def _check_numbers(games: int, seed: int, workers: int | None, backend: str) -> None:
    if games < 1:
        raise PlaymillError(f"cannot play {games} games; at least 1", f"нельзя сыграть {games} игр; нужна хотя бы 1")
    check_luck(seed, games)
    if workers is not None and not 1 <= workers <= 1024:
        raise PlaymillError(f"workers is {workers}; expected 1 … 1024", f"workers равно {workers}; нужно 1 … 1024")
    if backend not in BACKENDS:
        known = ", ".join(BACKENDS)
        raise PlaymillError(f"there is no backend {backend!r}; known: {known}", f"нет {backend!r}; есть: {known}")


def _match(game: Game, settings: RuleConfig, players: int, seed: int, seats: Sequence[Seat], book: Book) -> Match:
    names = list(dict.fromkeys(seat.name for seat in seats))
    return Match(
        game=game,
        config=settings,
        players=players,
        seed=seed,
        seats=tuple(seat.number for seat in seats),
        agents=tuple(names.index(seat.name) for seat in seats),
        params=tuple(seat.params for seat in seats),
        book=book,
    )


def run_command(
    info: RunInfo, game: str, agents: Sequence[str], strict: bool, players: Sequence[int], games: int
) -> str:
    """The command line that plays so many games again with the settings of a run, by so many players."""
    words = ["playmill", "simulate", game, "--players", *map(str, players), "--games", str(games)]
    words += ["--seed", str(info.seed), "--agents", *agents]
    for path, value in info.changes.items():
        text = value if isinstance(value, str) else json.dumps(value, separators=(",", ":"))
        words += ["--set", f"{path}={text}"]
    if info.backend != "cpu":
        words += ["--backend", info.backend]
    if strict:
        words.append("--strict")
    return shlex.join(words)
