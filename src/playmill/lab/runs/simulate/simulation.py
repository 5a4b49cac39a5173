"""`Simulation`, the result of a run: info, estimates, counts, rows, and its report as tables or a page."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

from playmill.agents.fallbacks import Fallbacks
from playmill.engine.config.model import differences
from playmill.engine.contract.game import Game
from playmill.engine.lang.record import RecordArray
from playmill.lab.runs.figures import find
from playmill.lab.runs.finished_games import RunTotal, joined_rows
from playmill.lab.runs.resolved_plan import ResolvedPlan
from playmill.lab.runs.simulate.report_tables import report_tables
from playmill.report.model.histogram import saved_estimate
from playmill.report.model.summary_csv import figures_of
from playmill.report.model.tables import RunInfo, Table
from playmill.report.terminal.as_text import as_text
from playmill.report.terminal.report_printer import print_report
from playmill.stats.block_jackknife import over_blocks
from playmill.stats.estimates import Estimate
from playmill.texts import Lang, PlaymillError, user_language
from playmill.version import __version__

if TYPE_CHECKING:
    import polars

    from playmill.report.commands.until_sure import Sure

#: Rows of single games are kept for the table of games up to this many, unless asked for.
KEEP_GAMES = 1_000_000


@dataclass(repr=False)
class Simulation:
    """Result of a run: estimates, the counts behind them, and single games where they were kept."""

    game: Game
    info: RunInfo
    results: dict[str, Any]
    counts: RecordArray
    fallbacks: Fallbacks
    #: The name of the run on disk, if it is kept there.
    kept: str | None = None
    #: Why it is not, though it took so long that it should be.
    not_kept: PlaymillError | None = None
    #: What has changed since a kept run was played, so that it could not go on.
    changed: PlaymillError | None = None
    #: Games of a kept run that were played again, since their files were missing or damaged.
    again: int = 0
    #: What was to be settled, and how sure that is, if it was played for that.
    sure: Sure | None = None
    _rows: list[RecordArray] | None = field(default=None, repr=False)

    def __repr__(self) -> str:
        agents = ", ".join(self.info.agent_names)
        return f"<Simulation of {self.info.game}: {self.info.games} games, {self.info.players} players, {agents}>"

    def __str__(self) -> str:
        lang = user_language()
        verdict = f"{self.sure.text(lang)}\n\n" if self.sure is not None else ""
        return verdict + as_text(lambda console: print_report(console, self.info, self.tables(), lang))

    def _repr_html_(self) -> str:
        from playmill.report.html.page import in_notebook

        return in_notebook(self.page(user_language()))

    def __getitem__(self, name: str) -> Estimate:
        """A figure by its name, or the last words of it: value, low, high, n."""
        found: Any = self.results
        for step in find(name, self.results, "run[…]"):
            found = found[step]
        return saved_estimate(found)

    def metrics(self) -> polars.DataFrame:
        """One row a figure: name, value, ends of its 95 % interval, observations."""
        import polars

        rows = [row for row in figures_of(self.results) if not isinstance(row.value, str)]
        kinds = {"name": polars.String, "value": polars.Float64, "low": polars.Float64, "high": polars.Float64}
        return polars.DataFrame(rows, {**kinds, "n": polars.Int64}, orient="row", strict=False)

    def tables(self) -> list[Table]:
        """Returns the report's tables, ready for the terminal or a page."""
        return report_tables(self.game, self.results, self.info)

    def page(self, lang: Lang) -> str:
        """Returns a page that opens without a network; a question that was settled comes first."""
        from playmill.report.commands.until_sure import sure_parts
        from playmill.report.html.page import html_page

        verdict = sure_parts(self.sure, lang) if self.sure is not None else ()
        return html_page(self.info, self.tables(), lang, first=verdict)

    @cached_property
    def games(self) -> polars.DataFrame:
        """One row a game."""
        from playmill.lab.runs.game_frames import games_frame

        return games_frame(self._kept(), 0, self.info.rotations, players=self.info.players)

    @cached_property
    def seats(self) -> polars.DataFrame:
        """One row a game and seat, with the agent's name."""
        from playmill.lab.runs.game_frames import seats_frame

        return seats_frame(self._kept(), 0, self.info.agents, self.info.rotations)

    def _kept(self) -> RecordArray:
        if self._rows is None:
            raise PlaymillError(
                f"single games were not kept (more than {KEEP_GAMES} of them); pass keep_games=True",
                f"отдельные игры не сохранены (их больше {KEEP_GAMES}); передайте keep_games=True",
            )
        return joined_rows(self._rows, self.game.outcome)


def simulation(
    resolved: ResolvedPlan,
    total: RunTotal,
    *,
    requested: int,
    backend: str,
    workers: int,
    strict: bool,
    elapsed_s: float,
    prepared_s: float,
    rows: list[RecordArray] | None = None,
    kept: str | None = None,
    played: range | None = None,
    figures: Callable[[ResolvedPlan, RunTotal, RunInfo], dict[str, Any]] | None = None,
) -> Simulation:
    """Builds the result of a run from its totals; `figures` overrides the game's own report."""
    game = resolved.game
    info = run_info(
        resolved,
        games=total.games,
        requested=requested,
        backend=backend,
        workers=workers,
        strict=strict,
        elapsed_s=elapsed_s,
        prepared_s=prepared_s,
        fallbacks=total.fallbacks,
        played=played,
    )
    counts = total.counts.total()
    results = {**(figures or own_figures)(resolved, total, info), "fallbacks": total.fallbacks.json()}
    results = game.report.with_fallbacks(results)
    return Simulation(game, info, results, counts, total.fallbacks, kept, _rows=rows)


def run_info(
    resolved: ResolvedPlan,
    *,
    games: int,
    requested: int,
    fallbacks: Fallbacks,
    backend: str = "cpu",
    workers: int = 1,
    strict: bool = False,
    elapsed_s: float = 0.0,
    prepared_s: float = 0.0,
    played: range | None = None,
) -> RunInfo:
    """Collects everything about a run that is not its results."""
    plan, game = resolved.plan, resolved.game
    facts = resolved.learn()
    return RunInfo(
        game=game.name,
        title=game.title,
        playmill=__version__,
        players=plan.players,
        games=games,
        requested=requested,
        seed=plan.seed,
        agents=plan.names,
        config=resolved.config.model_dump(mode="json"),
        changes=differences(resolved.config),
        backend=backend,
        workers=workers,
        complete=games == requested,
        elapsed_s=round(elapsed_s, 3),
        command=resolved.command(played or range(games), backend=backend, strict=strict),
        extra={
            "prepared_s": round(prepared_s, 3),
            **({"known": facts} if facts else {}),
            **({"fallbacks": fallbacks.by_agent.total()} if any(seat.player for seat in resolved.seats) else {}),
            **({"fallback_log": fallbacks.entries} if fallbacks.entries else {}),
            **({"walls": resolved.guarantees} if resolved.guarantees else {}),
        },
        rotations=plan.rotations,
    )


def own_figures(resolved: ResolvedPlan, total: RunTotal, info: RunInfo) -> dict[str, Any]:
    """Computes the game's own report; intervals are over deals where every deal was played from every seat."""
    report, plan = resolved.game.report, resolved.plan
    if plan.rotations == 1:
        results: dict[str, Any] = report.results(total.counts.total()[0], info)
        return results
    return over_blocks(lambda counts: report.results(counts, info), total.counts.groups, total.blocks.tolist())
