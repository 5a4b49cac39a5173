"""Plays, prints and writes a question repeated for each agent (`--among`) or level of play (`--levels`)."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from playmill.texts import Lang, PlaymillError, Text

if TYPE_CHECKING:
    from playmill.engine.config.model import RuleConfig
    from playmill.engine.contract.agent import Preparing
    from playmill.lab.decide.each_agent.compare_each import ComparisonEach
    from playmill.lab.decide.each_agent.sweep_each import SweepEach
    from playmill.lab.decide.levels import LevelSizes
    from playmill.lab.runs.resolved_plan import ResolvedPlan
    from playmill.lab.runs.simulate import How
    from playmill.report.commands.side_by_side import Which

#: Games of a run, unless somebody says otherwise.
_USUAL = 10_000
_PLAYING = Text("playing", "играю")


def among_whom(
    options: argparse.Namespace, config: RuleConfig | None = None, *, changing: bool = False
) -> Sequence[Any]:
    """Returns the agents of `--among`, or the levels of `--levels`; raises if what is for levels stands alone.

    Rules that are `changing` may have other experts.
    """
    from playmill.agents.levels import levels_of
    from playmill.engine.contract.game import load_game

    if options.levels:
        return levels_of(load_game(options.game), config, changing=changing)
    if options.minutes is not None:
        raise PlaymillError(
            "--minutes is about how long the levels of --levels play; add --levels",
            "--minutes — сколько играют уровни --levels; добавьте --levels",
        )
    among: Sequence[str] = options.among
    return among


def deals_of_each(
    options: argparse.Namespace, among: Sequence[Any], config: RuleConfig, usual: int, *, each: int
) -> LevelSizes:
    """Returns how many deals of `each` games are played among each: as asked for, or at levels as time allows."""
    from playmill.lab.decide.simulate_each import resolve_each
    from playmill.lab.runs.simulate import How

    plans = resolve_each(options.game, players=options.players, among=among, config=config, seed=options.seed)
    how = How(workers=options.workers, on=options.on, keep=False)
    return games_of_each(options, plans, options.games or (usual,), how, each=each)


def games_of_each(
    options: argparse.Namespace, plans: Mapping[Which, ResolvedPlan], asked: Sequence[int], how: How, *, each: int = 1
) -> LevelSizes:
    """Returns how many games each run has: as asked for, or at levels of play as time allows."""
    from playmill.lab.decide.each_agent.agents import games_each
    from playmill.lab.decide.levels import GAMES, MINUTES, LevelSizes, level_sizes

    if not options.levels:
        games = games_each(_one_or_all(asked or (_USUAL,)), [*map(str, plans)])
        return LevelSizes(games, (1.0,) * len(games))
    minutes = options.minutes if options.minutes is not None else MINUTES
    return level_sizes([*plans.values()], _one_or_all(asked or (GAMES,)), minutes, how, each=each)


@contextmanager
def each_bar(
    sizes: LevelSizes, lang: Lang, *, levels: bool, quiet: bool
) -> Iterator[tuple[Callable[[int], None], Preparing] | None]:
    """Yields callbacks for what was played and what agents prepare; at levels of play the bar goes by time."""
    from playmill.lab.io.progress import bar, games_bar

    if not levels:
        with games_bar(sum(sizes.games), lang, quiet=quiet) as bars:
            yield bars
        return
    with bar(_PLAYING.of(lang), quiet=quiet) as moved:
        if moved is None:
            yield None
        else:
            yield (lambda done: moved(round(1000 * sizes.share(done)), 1000)), (lambda done, total: None)


def one_number(options: argparse.Namespace, usual: int) -> int:
    """Returns the number of games of one question; raises if there are several numbers."""
    if not options.games:
        return usual
    if len(options.games) > 1:
        written = ",".join(map(str, options.games))
        raise PlaymillError(
            f"--games {written}: several numbers are for --among or --levels; name one",
            f"--games {written}: несколько чисел — для --among или --levels; назовите одно",
        )
    found: int = options.games[0]
    return found


def _one_or_all(games: Sequence[int]) -> int | Sequence[int]:
    return games[0] if len(games) == 1 else games


def show_each(
    options: argparse.Namespace,
    lang: Lang,
    sizes: LevelSizes,
    ask: Callable[[dict[str, Any]], ComparisonEach | SweepEach],
) -> int:
    """Runs a question under a bar, prints and writes the result; returns 1 if it was interrupted, else 0."""
    from rich.console import Console

    from playmill.cli.shared.kept_runs import tell_written
    from playmill.interrupts import interrupt
    from playmill.lab.decide.each_agent.sweep_each import SweepEach
    from playmill.lab.decide.report_outputs import write_each
    from playmill.report.files.writing import claim, write_saved, write_text

    wanted = {f"--{name}": getattr(options, name) for name in ("out", "csv", "html") if hasattr(options, name)}
    places = claim(wanted)
    with interrupt():
        with each_bar(sizes, lang, levels=options.levels, quiet=options.quiet) as bars:
            found = ask({"progress": bars[0], "preparing": bars[1]} if bars else {})
        writers: dict[str, Callable[[Path], None]] = {
            "--out": lambda path: write_saved(path, found.json()),
            "--html": lambda path: write_text(path, found.page(lang)),
        }
        if isinstance(found, SweepEach):
            writers["--csv"] = lambda path: write_text(path, found.csv())
        written, troubles = write_each(places, writers)
        if not options.quiet:
            console = Console(highlight=False)
            found.show(console, lang)
            tell_written(console, written, wanted, lang)
    if troubles:
        raise troubles[0]
    return 0 if found.complete else 1
