"""Runs a sweep: plays every setting on the same deals, and tests how each differs from the rules."""

from __future__ import annotations

import re
import shlex
import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import product
from typing import Any

import numpy as np

from playmill.engine.config.input_files import same_folder
from playmill.engine.config.model import Changes, RuleConfig, change_texts
from playmill.engine.contract.agent import Preparing
from playmill.engine.contract.game import Game, as_config, as_game
from playmill.interrupts import Stop, interrupt
from playmill.lab.decide.changeable import Changeable
from playmill.lab.decide.sweep.axes import SweepAxis, read_axes
from playmill.lab.decide.sweep.report import Sweep
from playmill.lab.decide.sweep.result import ShownFigures, SweptSetting
from playmill.lab.decide.tune.meters import info_of
from playmill.lab.runs.executors import Where, where_of
from playmill.lab.runs.figures import ReportFigure, described, described_figures, find, name_of
from playmill.lab.runs.paired_play import PairedSetting, check_deals, turns
from playmill.lab.runs.resolved_plan import ResolvedPlan, resolve_plan, with_setting
from playmill.lab.runs.saved_progress import Keep, Kept, SavedParts, played_before, played_so_far
from playmill.lab.runs.simulate import Progress
from playmill.report.model.tables import Estimate, RunInfo
from playmill.stats.block_jackknife import Jackknifed, Path, figures, value_of, with_intervals
from playmill.stats.differences import Difference, holm, paired
from playmill.texts import PlaymillError

#: Deals of each setting if nobody says how many.
DEALS = 2000


@same_folder()
def sweep(
    game: str | Game,
    *,
    over: str | Sequence[str],
    show: str | Sequence[str],
    players: int | None = None,
    agents: Any = "random",
    config: RuleConfig | Mapping[str, Any] | None = None,
    set: Changes = (),
    seed: int = 0,
    games: int = DEALS,
    rotate: bool = True,
    keep: Keep = False,
    on: str | None = None,
    workers: int | None = None,
    progress: Progress | None = None,
    preparing: Preparing | None = None,
) -> Sweep:
    """Plays the same deals with every value of each path in `over`, and returns the figures in `show` for each.

    `over` is `path=1..9`, `path=10..50/5` or `path=1,2,5`, or several of them; a path leads to a number of the config,
    or is `agent.NAME.KEY`, a number of an agent that plays. `show` names figures of the report, in which `*` is any
    step. With `keep` what was played is on disk, in a folder if it is one, and asking the same again
    goes on from there. Ctrl-C ends it with the settings that are finished; the rules as they are come first.
    """
    check_deals(games)
    where = where_of(on, workers)
    chosen = as_game(game)
    usual = as_config(chosen, config)
    usual = usual.changed(change_texts(set)) if set else usual
    rules = resolve_plan(game, players=players, agents=agents, config=usual, seed=seed, rotate=rotate, grouped=True)
    numbers = Changeable(usual, chosen, rules.seats)
    overs = read_axes([over] if isinstance(over, str) else over, numbers)
    words = [show] if isinstance(show, str) else list(show)
    if not words:
        known = ", ".join(figure.name for figure in report_figures(rules))
        raise PlaymillError(
            f"no figure is named; say what to show: {known}", f"не назван показатель; что показать: {known}"
        )

    def resolved(values: Sequence[Any]) -> ResolvedPlan:
        setting = {one.path: value for one, value in zip(overs, values, strict=True)}
        config = numbers.configured(setting, "--over")
        config.pack(rules.plan.players)
        return with_setting(rules, config, seats=numbers.seated(setting, rules.seats))

    # All of them before the first game: a value that cannot be is told at once.
    settings = list(product(*(one.values for one in overs)))
    resolved_plans = [resolved(values) for values in settings]
    start = time.perf_counter()
    command = _command(rules, overs, words, games, rotate)
    as_rules = [all(over.is_rules(value) for over, value in zip(overs, values, strict=True)) for values in settings]
    listed = Kept("sweep", command, games * (1 + as_rules.count(False)))
    plans = [one.plan.json() for one in (rules, *resolved_plans)]
    with interrupt() as stop, where.joined(), SavedParts(plans, keep=keep, listed=listed) as memory:
        player = _Player(games, words, where, progress, preparing, memory)
        base = player.play(rules, stop)
        found: list[Jackknifed | None] = []
        for same, one in zip(as_rules, resolved_plans, strict=True):
            found.append(base if same else None if stop() else player.play(one, stop))
    if base is None or player.info is None:
        raise KeyboardInterrupt
    differences = _differences(base, found)
    return Sweep(
        game=chosen,
        info=replace(player.info, elapsed_s=round(time.perf_counter() - start, 3)),
        overs=overs,
        shown=player.shown,
        base=_estimates(base, player.shown),
        settings=tuple(
            SweptSetting(values, _estimates(left, player.shown), moved)
            for values, left, moved in zip(settings, found, differences, strict=True)
        ),
        deals=games,
        command=command,
        remembered=memory.kept,
    )


class _Player:
    """Plays settings one after another, and collects the shown figures."""

    def __init__(
        self,
        deals: int,
        words: Sequence[str],
        where: Where,
        progress: Progress | None,
        preparing: Preparing | None,
        memory: SavedParts,
    ) -> None:
        self._memory = memory
        self._deals, self._words, self._where = deals, words, where
        self._progress, self._preparing = progress, preparing
        self._played = 0
        self.shown: tuple[ShownFigures, ...] = ()
        self.info: RunInfo | None = None

    def play(self, resolved: ResolvedPlan, stop: Stop) -> Jackknifed | None:
        """Plays one setting; None if somebody asked to stop before its end."""
        side = PairedSetting(resolved, self._where, self._preparing if not self._played else None, stop)
        with self._memory.part(resolved.plan.json()) as memory:
            before = played_before(memory, [side], self._deals)
            self._tell(side)
            for _ in turns([side], self._deals, stop, first=before):
                memory.note(lambda: played_so_far([side]))
                self._memory.note(memory, self._played + int(side.total.blocks.sum()))
                self._tell(side)
            if side.total.blocks.sum() > before:
                memory.note(lambda: played_so_far([side]), at_once=True)
                self._memory.note(memory, self._played + int(side.total.blocks.sum()), at_once=True)
        if side.total.blocks.sum() < self._deals:
            return None
        self._played += self._deals
        if self.info is None:
            self.info = side.info()
        wanted = {figure.path for shown in self.shown for figure in shown.figures}
        left = side.left_out()
        results = with_intervals(left)
        return Jackknifed(
            {},
            {path: figure for path, figure in figures(results).items() if path in wanted},
            tuple({path: figure for path, figure in one.items() if path in wanted} for one in left.without),
            left.sizes,
        )

    def _tell(self, side: PairedSetting) -> None:
        """Hears of deals that are played."""
        deals = int(side.total.blocks.sum())
        if deals and not self.shown:
            # After the first deals already: whoever misspelt a figure need not wait.
            self.shown = tuple(_shown(word, side) for word in self._words)
        if deals and self._progress is not None:
            self._progress(self._played + deals)


def report_figures(resolved: ResolvedPlan) -> list[ReportFigure]:
    """Returns all figures that a report of this plan has; nothing is played for that."""
    info = info_of(resolved, 0)
    results = resolved.game.report.results(np.zeros(1, resolved.game.tally)[0], info)
    return list(described_figures(resolved.game, results, info).values())


def _shown(word: str, side: PairedSetting) -> ShownFigures:
    """Returns the figures that one word of `--show` means."""
    results = side.results()
    if "*" in word:
        pattern = re.compile(re.escape(word).replace(r"\*", "[^.]+"))
        paths = [path for path in figures(results) if pattern.fullmatch(name_of(path))]
        if not paths:
            find(word, results, "--show")
    else:
        paths = [find(word, results, "--show")]
    return ShownFigures(word, tuple(_figure(side, results, path) for path in paths))


def _figure(side: PairedSetting, results: Mapping[str, Any], path: Path) -> ReportFigure:
    return described(side.resolved.game, results, side.info(), path)


def _estimates(left: Jackknifed | None, shown: Sequence[ShownFigures]) -> dict[str, Estimate]:
    """Returns the shown figures of a setting by name; those missing in its report are left out."""
    made: dict[str, Estimate] = {}
    for figure in (figure for one in shown for figure in one.figures):
        if left is not None and figure.path in left.figures:
            found = left.figures[figure.path]
            value = value_of(found)
            made[figure.name] = Estimate(float(value), found["low"], found["high"], value.n, value.most)
    return made


def _differences(base: Jackknifed, found: Sequence[Jackknifed | None]) -> list[dict[str, Difference]]:
    """Returns how each setting differs from the rules, corrected for all of them."""
    every = {
        (place, path): one
        for place, left in enumerate(found)
        if left is not None and left is not base
        for path, one in paired(base, left).items()
    }
    tested = {key: one.p for key, one in every.items() if one.p is not None}
    adjusted = dict(zip(tested, holm(list(tested.values())), strict=True))
    made: list[dict[str, Difference]] = [{} for _ in found]
    for (place, path), one in every.items():
        made[place][name_of(path)] = replace(one, adjusted=adjusted.get((place, path)))
    return made


def _command(rules: ResolvedPlan, overs: Sequence[SweepAxis], show: Sequence[str], games: int, rotate: bool) -> str:
    words = ["playmill", "sweep", rules.reference, "--players", str(rules.plan.players), "--games", str(games)]
    words += ["--seed", str(rules.plan.seed), "--agents", *rules.found]
    for change in rules.changes():
        words += ["--set", change]
    for one in overs:
        separator = "|" if any(isinstance(value, (list, dict)) for value in one.values) else ","
        words += ["--over", f"{one.path}={separator.join(map(one.name, one.values))}"]
    words += [] if rotate else ["--fixed-seats"]
    return shlex.join([*words, "--show", *show])
