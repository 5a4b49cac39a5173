"""`simulate_each`: one game by different numbers of players, with all else alike."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Unpack

from playmill.engine.game import Game, as_game
from playmill.lab.cast import gather
from playmill.lab.parts import Part
from playmill.lab.simulate import (
    Options,
    PartSink,
    Progress,
    Simulation,
    play_cast,
    taken_apart,
    wanted_games,
)
from playmill.report.html import in_notebook, side_by_side_page
from playmill.report.model import Table
from playmill.report.rows import SPACE
from playmill.report.side_by_side import Series, compared, listed_players
from playmill.stopping import interrupt
from playmill.texts import LANGUAGES, Lang, PlaymillError, Text, user_language

#: What is told of finished games: by how many players, and the games.
PlayersSink = Callable[[int, Part], None]


@dataclass(frozen=True, repr=False)
class SideBySide:
    """What the runs of one game by different numbers of players found, in the order asked for."""

    series: Series
    runs: tuple[Simulation, ...]

    def __repr__(self) -> str:
        first = self.series.runs[0]
        return f"<SideBySide of {first.game}: {_listed(self.series.players, 'en')}, {first.requested} games each>"

    def _repr_html_(self) -> str:
        return in_notebook(self.page(user_language()))

    def __getitem__(self, players: int) -> Simulation:
        """The run by so many players."""
        for run in self.runs:
            if run.info.players == players:
                return run
        raise KeyError(players)

    def tables(self) -> list[Table]:
        """Every figure that the runs share, side by side."""
        return compared(self.series.runs, self.reports())

    def reports(self) -> list[list[Table]]:
        """The tables of each run."""
        return [run.tables() for run in self.runs]

    def page(self, lang: Lang) -> str:
        """A page that opens without a network."""
        return side_by_side_page(self.series, self.tables(), self.reports(), lang)

    def json(self) -> dict[str, Any]:
        """The form in which the runs are saved together: each in its own form, under what they have in common."""
        first = self.series.runs[0]
        return {
            "meta": {
                "game": first.game,
                "playmill": first.playmill,
                "players": list(self.series.players),
                "requested": first.requested,
                "seed": first.seed,
                "complete": self.series.complete,
                "elapsed_s": self.series.elapsed_s,
                "command": self.series.command,
            },
            "runs": [{"meta": run.info.json(), "results": run.results} for run in self.runs],
        }


def simulate_each(
    game: str | Game,
    *,
    players: Sequence[int],
    games: int = 10_000,
    first: int = 0,
    on_part: PlayersSink | None = None,
    **options: Unpack[Options],
) -> SideBySide:
    """Plays the same run by each number of players; each is the run that `simulate` plays with that number.

    `options` are those of `simulate`. `agents` is one for all seats, or one for each seat of the largest table: with
    fewer players the last ones are left out. Kept under a name, each run has the number of its players behind it.
    Ctrl-C ends it with the games finished so far; runs that were not begun are missing.
    """
    played, how = taken_apart(options)
    agents = played.pop("agents", ("random",))
    names = tuple(agents) if isinstance(agents, (list, tuple)) else (agents,)
    sizes = check_sizes(as_game(game), players)
    casts = [gather(game, players=size, agents=agents_of(names, size, sizes), **played) for size in sizes]
    runs: list[Simulation] = []
    done = 0
    with interrupt() as stopped:
        for cast in casts:
            if stopped():
                break
            size = cast.plan.players
            mine = replace(
                how,
                keep=f"{how.keep}-{size}" if isinstance(how.keep, str) and len(sizes) > 1 else how.keep,
                progress=_later(how.progress, done),
                preparing=how.preparing if not runs else None,
                on_part=_of_players(on_part, size),
            )
            wanted = wanted_games(cast, first, games)
            try:
                runs.append(play_cast(cast, wanted, mine))
            except KeyboardInterrupt:
                # Stopped before its first game was finished, it tells nothing.
                if not runs:
                    raise
                break
            done += len(wanted)
    largest = max(casts, key=lambda cast: cast.plan.players)
    command = largest.command(range(first, games), players=sizes, backend=how.backend, strict=how.strict)
    return SideBySide(Series(sizes, tuple(run.info for run in runs), command), tuple(runs))


def check_sizes(game: Game, players: Sequence[int]) -> tuple[int, ...]:
    """The numbers of players asked for; raises unless the game can be played by each, and none is named twice."""
    if not players:
        raise PlaymillError("no number of players is named", "не названо ни одного числа игроков")
    for place, size in enumerate(players):
        game.check_players(size)
        if size in players[:place]:
            listed = " ".join(map(str, players))
            raise PlaymillError(
                f"players {listed}: {size} is named twice", f"игроки {listed}: число {size} названо дважды"
            )
    return tuple(players)


def agents_of(agents: Sequence[Any], size: int, sizes: Sequence[int]) -> tuple[Any, ...]:
    """The agents of a table of one size: one for all seats, or the first of those named for the largest table."""
    if len(agents) == 1 or len(sizes) == 1:
        return tuple(agents)
    most = max(sizes)
    if len(agents) != most:
        told = Text(*(_listed(sizes, lang) for lang in LANGUAGES))
        raise PlaymillError(
            f"{len(agents)} agents for {told.en}: name one for all seats, or {most}, one for each seat "
            "(with fewer players the last ones are left out)",
            f"агентов {len(agents)}, а за столом {told.ru}: назовите одного на все места или {most}, по одному на "
            "место (если игроков меньше, последние не играют)",
        )
    return tuple(agents[:size])


def _listed(players: Sequence[int], lang: Lang) -> str:
    """Some numbers of players, as errors write them."""
    return listed_players(players, lang).replace(SPACE, " ")


def _later(progress: Progress | None, before: int) -> Progress | None:
    """Tells of games after so many others."""
    return (lambda done: progress(before + done)) if progress is not None else None


def _of_players(sink: PlayersSink | None, players: int) -> PartSink | None:
    return (lambda part: sink(players, part)) if sink is not None else None
