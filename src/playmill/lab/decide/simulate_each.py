"""`simulate_each`: runs of one game for several player counts or agents, reported side by side."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from playmill.agents.fallbacks import FallbackSink
from playmill.engine.config.model import Changes, RuleConfig
from playmill.engine.contract.agent import Preparing
from playmill.engine.contract.game import Game, as_game
from playmill.interrupts import interrupt
from playmill.lab.decide.each_agent.agents import (
    AmongWhom,
    check_among,
    file_names,
    games_each,
    sizes_text,
    together,
)
from playmill.lab.runs.figures import relabelled
from playmill.lab.runs.finished_games import FinishedGames
from playmill.lab.runs.resolved_plan import ResolvedPlan, resolve_plan
from playmill.lab.runs.simulate import (
    PartSink,
    Progress,
    Simulation,
    game_range,
    play_resolved,
)
from playmill.lab.runs.simulate.run import How
from playmill.report.commands.side_by_side import Series, Which, compared, levels_table, listed, without_agent
from playmill.report.model.among import Among
from playmill.report.model.tables import Table
from playmill.report.terminal.row_layout import SPACE
from playmill.texts import LANGUAGES, Lang, PlaymillError, Text, user_language

if TYPE_CHECKING:
    from playmill.report.commands.each_agent import ReversedFigure

#: What is told of finished games: by how many players or among whom, and the games.
EachSink = Callable[[Which, FinishedGames], None]


@dataclass(frozen=True, repr=False)
class SideBySide:
    """Results of runs of one game by different numbers of players, or among different agents, in order."""

    series: Series
    runs: tuple[Simulation, ...]

    def __repr__(self) -> str:
        first = self.series.runs[0]
        return f"<SideBySide of {first.game}: {_listed(self.series.each, 'en')}, {first.requested} games each>"

    def _repr_html_(self) -> str:
        from playmill.report.html.page import in_notebook

        return in_notebook(self.page(user_language()))

    def __getitem__(self, which: Which) -> Simulation:
        """Returns the run by n players, or among this agent."""
        for run in self.runs:
            if self.series.which(run.info) == which:
                return run
        raise KeyError(which)

    @property
    def turned(self) -> list[ReversedFigure]:
        """What lies on one side of fair among some agents, and on the other among others."""
        from playmill.report.commands.each_agent import turned_sides

        return turned_sides(self._who, self._alike()) if self.series.by_agents else []

    @property
    def _agents(self) -> tuple[str, ...]:
        return tuple(run.info.agents[0] for run in self.runs)

    @property
    def _who(self) -> tuple[Among, ...]:
        return self.series.among[: len(self.runs)]

    def tables(self) -> list[Table]:
        """Returns every figure that the runs share, side by side; before them what turns over between agents."""
        if not self.series.by_agents:
            return compared(self.series.heads, self.reports())
        from playmill.report.commands.each_agent import turned_table

        turned, shared = turned_table(self.turned, self._who), compared(self.series.heads, self._alike())
        if not self.series.levels:
            return [turned, *shared]
        # Over every column stands who plays: another one that says so is in the way.
        common = together(self._agents)
        return [levels_table(self.series), turned, *(without_agent(table, common) for table in shared)]

    @property
    def verdicts(self) -> list[Text]:
        """What turns over between levels of play, and what is unfair at all of them, in words."""
        from playmill.report.commands.each_agent import level_verdicts

        return level_verdicts(self._who, self._alike()) if self.series.levels and len(self.runs) > 1 else []

    def _alike(self) -> list[list[Table]]:
        """Returns the tables of each run, in which all agents have one name, so that rows are found by it."""
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
        """Returns the tables of each run."""
        return [run.tables() for run in self.runs]

    def page(self, lang: Lang) -> str:
        """Returns a page that opens without a network."""
        from playmill.report.html.page import side_by_side_page

        return side_by_side_page(self.series, self.tables(), self.reports(), lang, verdicts=self.verdicts)

    def json(self) -> dict[str, Any]:
        """The form in which the runs are saved together: each in its own form, under what they have in common."""
        first = self.series.runs[0]
        return {
            "meta": {
                "game": first.game,
                "playmill": first.playmill,
                **(
                    {
                        "players": first.players,
                        "among": list(self.series.each),
                        **({"levels": [one.key for one in self.series.levels]} if self.series.levels else {}),
                    }
                    if self.series.by_agents
                    else {"players": list(self.series.each)}
                ),
                "requested": first.requested,
                "seed": first.seed,
                "complete": self.series.complete,
                "elapsed_s": self.series.elapsed_s,
                "command": self.series.command,
            },
            **({"turned": [one.json(self._who) for one in self.turned]} if self.series.by_agents else {}),
            "runs": [{"meta": run.info.json(), "results": run.results} for run in self.runs],
        }


def simulate_each(
    game: str | Game,
    *,
    players: int | Sequence[int] | None = None,
    among: Sequence[Any] = (),
    agents: Any = None,
    config: RuleConfig | Mapping[str, Any] | None = None,
    set: Changes = (),
    seed: int = 0,
    games: int | Sequence[int] = 10_000,
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
    on_part: EachSink | None = None,
    on_fallback: FallbackSink | None = None,
    check_invariants: bool = False,
) -> SideBySide:
    """Plays the run for each number of players or agent; each equals the run that `simulate` plays alone.

    Arguments are those of `simulate`. `among` are agents who take all seats, by one number of `players`, or levels of
    play; `games` may be a number for each. With several
    numbers of players `agents` is one for all seats, or one for each seat of the largest table: with fewer players the
    last ones are left out. Kept under a name, each run has the number of its players, or the agent, behind it. Ctrl-C
    ends it with the games finished so far; runs that were not begun are missing.
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
        on_fallback=on_fallback,
        at_once=at_once,
        on=on,
        check_invariants=check_invariants,
    )
    how.check()
    resolved_plans = resolve_each(
        game, players=players, among=among, agents=agents, config=config, set=set, seed=seed, rotate=rotate
    )
    whom = _whom(game, players, among)
    each = games_each(games, whom.names if whom is not None else [*map(str, resolved_plans)])
    runs: list[Simulation] = []
    done = 0
    with interrupt() as stopped, how.where.joined():
        names = kept_names(how.keep, resolved_plans)
        for (which, resolved), name, end in zip(resolved_plans.items(), names, each, strict=True):
            if stopped():
                break
            mine = replace(
                how,
                keep=name,
                progress=_later(how.progress, done),
                preparing=how.preparing if not runs else None,
                on_part=_of_one(on_part, which),
            )
            wanted = game_range(resolved, first, end)
            try:
                runs.append(play_resolved(resolved, wanted, mine))
            except KeyboardInterrupt:
                # Stopped before its first game was finished, it tells nothing.
                if not runs:
                    raise
                break
            done += len(wanted)
    largest = max(resolved_plans.values(), key=lambda resolved: resolved.plan.players)
    command = largest.command(
        range(first, max(each)),
        players=() if among else [resolved.plan.players for resolved in resolved_plans.values()],
        among=[resolved.found[0] for resolved in resolved_plans.values()] if among else (),
        backend=how.backend,
        strict=how.strict,
    )
    if whom is not None and (whom.levels or len({*each}) > 1):
        command = _command_of_levels(command, whom, each)
    levels = whom.levels if whom is not None else ()
    return SideBySide(Series(tuple(resolved_plans), tuple(run.info for run in runs), command, levels), tuple(runs))


def _whom(game: str | Game, players: int | Sequence[int] | None, among: Sequence[Any]) -> AmongWhom | None:
    """Returns those among whom runs are played, if they differ in the agent."""
    if not among:
        return None
    (size,) = _sizes(as_game(game), players)
    return check_among(game, among, size)


def _command_of_levels(command: str, whom: AmongWhom, games: Sequence[int]) -> str:
    """Returns the command of runs among levels of play, or of runs with numbers of games of their own."""
    words = shlex.split(command)
    if whom.levels:
        at = words.index("--among")
        words[at : at + 1 + len(whom.names)] = whom.options(())
    if "--games" in words:
        at = words.index("--games")
        words[at + 1] = sizes_text(games, exact=bool(whom.levels))
    return shlex.join(words)


def resolve_each(
    game: str | Game,
    *,
    players: int | Sequence[int] | None = None,
    among: Sequence[Any] = (),
    agents: Any = None,
    **played: Any,
) -> dict[Which, ResolvedPlan]:
    """Resolves the plan of each run, by number of players or agent; raises unless all can be played."""
    chosen = as_game(game)
    sizes = check_sizes(chosen, _sizes(chosen, players))
    if not among:
        agents = ("random",) if agents is None else agents
        names = tuple(agents) if isinstance(agents, (list, tuple)) else (agents,)
        return {
            size: resolve_plan(game, players=size, agents=agents_of(names, size, sizes), **played) for size in sizes
        }
    if len(sizes) > 1:
        raise PlaymillError(
            "--among sets agents side by side; name one number of players",
            "--among ставит рядом агентов; назовите одно число игроков",
        )
    whom = check_among(chosen, among, sizes[0], agents)
    resolved_plans = (resolve_plan(game, players=sizes[0], agents=(agent,), **played) for agent in whom.agents)
    return dict(zip(whom.names, resolved_plans, strict=True))


def _sizes(game: Game, players: int | Sequence[int] | None) -> Sequence[int]:
    if players is None:
        return (game.players[0],)
    return (players,) if isinstance(players, int) else players


def kept_names(keep: bool | str | None, resolved_plans: Mapping[Which, ResolvedPlan]) -> list[bool | str | None]:
    """Returns the name of each kept run: where there are several, each has a suffix of its own."""
    if not isinstance(keep, str) or len(resolved_plans) == 1:
        return [keep] * len(resolved_plans)
    return [f"{keep}-{name}" for name in file_names([str(which) for which in resolved_plans])]


def check_sizes(game: Game, players: Sequence[int]) -> tuple[int, ...]:
    """Returns the numbers of players asked for; raises unless the game supports each, and none is repeated."""
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
    """Returns the agents of a table of one size: one for all seats, or the first of those of the largest table."""
    if len(agents) == 1 or len(sizes) == 1:
        return tuple(agents)
    most = max(sizes)
    if len(agents) != most:
        message = Text(*(_listed(tuple(sizes), lang) for lang in LANGUAGES))
        raise PlaymillError(
            f"{len(agents)} agents for {message.en}: name one for all seats, or {most}, one for each seat "
            "(with fewer players the last ones are left out)",
            f"агентов {len(agents)}, а за столом {message.ru}: назовите одного на все места или {most}, по одному на "
            "место (если игроков меньше, последние не играют)",
        )
    return tuple(agents[:size])


def _listed(each: Sequence[Which], lang: Lang) -> str:
    """Returns numbers of players or agents as messages write them."""
    return listed(each, lang).replace(SPACE, " ")


def _later(progress: Progress | None, before: int) -> Progress | None:
    """Returns a progress callback that adds the games played before."""
    return (lambda done: progress(before + done)) if progress is not None else None


def _of_one(sink: EachSink | None, which: Which) -> PartSink | None:
    return (lambda part: sink(which, part)) if sink is not None else None
