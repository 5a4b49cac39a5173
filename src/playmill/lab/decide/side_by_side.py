"""`simulate_each`: one game by different numbers of players, or among different agents, with all else alike."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Unpack

from playmill.engine.contract.game import Game, as_game
from playmill.lab.decide.among.agents import check_among, file_names, together
from playmill.lab.runs.figures import relabelled
from playmill.lab.runs.parts import Part
from playmill.lab.runs.resolved_plan import Cast, gather
from playmill.lab.runs.simulate import (
    Options,
    PartSink,
    Progress,
    Simulation,
    play_cast,
    taken_apart,
    wanted_games,
)
from playmill.report.among import Turned, turned_sides, turned_table
from playmill.report.html import in_notebook, side_by_side_page
from playmill.report.model import Table
from playmill.report.rows import SPACE
from playmill.report.side_by_side import Series, Which, compared, listed
from playmill.stopping import interrupt
from playmill.texts import LANGUAGES, Lang, PlaymillError, Text, user_language

#: What is told of finished games: by how many players or among whom, and the games.
EachSink = Callable[[Which, Part], None]


@dataclass(frozen=True, repr=False)
class SideBySide:
    """What the runs of one game by different numbers of players, or among different agents, found, in order."""

    series: Series
    runs: tuple[Simulation, ...]

    def __repr__(self) -> str:
        first = self.series.runs[0]
        return f"<SideBySide of {first.game}: {_listed(self.series.each, 'en')}, {first.requested} games each>"

    def _repr_html_(self) -> str:
        return in_notebook(self.page(user_language()))

    def __getitem__(self, which: Which) -> Simulation:
        """The run by so many players, or among this agent."""
        for run in self.runs:
            if self.series.which(run.info) == which:
                return run
        raise KeyError(which)

    @property
    def turned(self) -> list[Turned]:
        """What lies on one side of fair among some agents, and on the other among others."""
        return turned_sides(self._agents, self._alike()) if self.series.by_agents else []

    @property
    def _agents(self) -> tuple[str, ...]:
        return tuple(run.info.agents[0] for run in self.runs)

    def tables(self) -> list[Table]:
        """Every figure that the runs share, side by side; before them what turns over between agents."""
        if not self.series.by_agents:
            return compared(self.series.heads, self.reports())
        return [turned_table(self.turned, self._agents), *compared(self.series.heads, self._alike())]

    def _alike(self) -> list[list[Table]]:
        """The tables of each run, in which all agents have one name, so that rows are found by it."""
        common = together(self._agents)
        return [
            replace(
                run,
                info=replace(run.info, agents=(common,) * run.info.players),
                results=relabelled(run.results, {run.info.agents[0]: common}),
            ).tables()
            for run in self.runs
        ]

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
                **(
                    {"players": first.players, "among": list(self.series.each)}
                    if self.series.by_agents
                    else {"players": list(self.series.each)}
                ),
                "requested": first.requested,
                "seed": first.seed,
                "complete": self.series.complete,
                "elapsed_s": self.series.elapsed_s,
                "command": self.series.command,
            },
            **({"turned": [one.json(self._agents) for one in self.turned]} if self.series.by_agents else {}),
            "runs": [{"meta": run.info.json(), "results": run.results} for run in self.runs],
        }


def simulate_each(
    game: str | Game,
    *,
    players: int | Sequence[int] | None = None,
    among: Sequence[Any] = (),
    games: int = 10_000,
    first: int = 0,
    on_part: EachSink | None = None,
    **options: Unpack[Options],
) -> SideBySide:
    """Plays the same run by each number of players, or among each agent; each is the run that `simulate` plays alone.

    `options` are those of `simulate`. `among` are agents who take all seats, by one number of `players`. With several
    numbers of players `agents` is one for all seats, or one for each seat of the largest table: with fewer players the
    last ones are left out. Kept under a name, each run has the number of its players, or the agent, behind it. Ctrl-C
    ends it with the games finished so far; runs that were not begun are missing.
    """
    played, how = taken_apart(options)
    casts = each_cast(game, players=players, among=among, **played)
    runs: list[Simulation] = []
    done = 0
    with interrupt() as stopped:
        for (which, cast), name in zip(casts.items(), kept_names(how.keep, casts), strict=True):
            if stopped():
                break
            mine = replace(
                how,
                keep=name,
                progress=_later(how.progress, done),
                preparing=how.preparing if not runs else None,
                on_part=_of_one(on_part, which),
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
    largest = max(casts.values(), key=lambda cast: cast.plan.players)
    command = largest.command(
        range(first, games),
        players=() if among else [cast.plan.players for cast in casts.values()],
        among=[cast.found[0] for cast in casts.values()] if among else (),
        backend=how.backend,
        strict=how.strict,
    )
    return SideBySide(Series(tuple(casts), tuple(run.info for run in runs), command), tuple(runs))


def each_cast(
    game: str | Game, *, players: int | Sequence[int] | None = None, among: Sequence[Any] = (), **played: Any
) -> dict[Which, Cast]:
    """The cast of each run, by the number of its players or by its agent; raises unless all can be played."""
    chosen = as_game(game)
    sizes = check_sizes(chosen, _sizes(chosen, players))
    if not among:
        agents = played.pop("agents", ("random",))
        names = tuple(agents) if isinstance(agents, (list, tuple)) else (agents,)
        return {size: gather(game, players=size, agents=agents_of(names, size, sizes), **played) for size in sizes}
    if len(sizes) > 1:
        raise PlaymillError(
            "--among sets agents side by side; name one number of players",
            "--among ставит рядом агентов; назовите одно число игроков",
        )
    found = check_among(chosen, among, sizes[0], played)
    casts = (gather(game, players=sizes[0], agents=(agent,), **played) for agent in among)
    return dict(zip(found, casts, strict=True))


def _sizes(game: Game, players: int | Sequence[int] | None) -> Sequence[int]:
    if players is None:
        return (game.players[0],)
    return (players,) if isinstance(players, int) else players


def kept_names(keep: bool | str | None, casts: Mapping[Which, Cast]) -> list[bool | str | None]:
    """Under which name each run is kept: where there are several, each has behind it what no other has."""
    if not isinstance(keep, str) or len(casts) == 1:
        return [keep] * len(casts)
    return [f"{keep}-{name}" for name in file_names([str(which) for which in casts])]


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
        told = Text(*(_listed(tuple(sizes), lang) for lang in LANGUAGES))
        raise PlaymillError(
            f"{len(agents)} agents for {told.en}: name one for all seats, or {most}, one for each seat "
            "(with fewer players the last ones are left out)",
            f"агентов {len(agents)}, а за столом {told.ru}: назовите одного на все места или {most}, по одному на "
            "место (если игроков меньше, последние не играют)",
        )
    return tuple(agents[:size])


def _listed(each: Sequence[Which], lang: Lang) -> str:
    """Some numbers of players, or agents, as errors write them."""
    return listed(each, lang).replace(SPACE, " ")


def _later(progress: Progress | None, before: int) -> Progress | None:
    """Tells of games after so many others."""
    return (lambda done: progress(before + done)) if progress is not None else None


def _of_one(sink: EachSink | None, which: Which) -> PartSink | None:
    return (lambda part: sink(which, part)) if sink is not None else None
