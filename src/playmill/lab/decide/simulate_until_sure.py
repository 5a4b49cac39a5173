"""`simulate_until_sure`: plays one setting until a figure of its report is known well enough."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from playmill.engine.config.input_files import same_folder
from playmill.engine.config.model import Changes, RuleConfig
from playmill.engine.contract.agent import Preparing
from playmill.engine.contract.game import Game
from playmill.interrupts import interrupt
from playmill.lab.decide.until_sure import BUDGET, SequentialQuestion, Telling, settle
from playmill.lab.runs.executors import where_of
from playmill.lab.runs.figures import with_numbers
from playmill.lab.runs.finished_games import RunTotal
from playmill.lab.runs.paired_play import PairedSetting, check_deals
from playmill.lab.runs.resolved_plan import ResolvedPlan, resolve_plan
from playmill.lab.runs.simulate import Progress, Simulation
from playmill.lab.runs.simulate.simulation import simulation
from playmill.report.model.tables import RunInfo
from playmill.stats.block_jackknife import with_intervals
from playmill.stats.critical_values import AtAnyTime


@same_folder()
def simulate_until_sure(
    game: str | Game,
    figure: str,
    *,
    near: float | str | None = None,
    within: float | None = None,
    players: int | None = None,
    agents: Any = "random",
    config: RuleConfig | Mapping[str, Any] | None = None,
    set: Changes = (),
    seed: int = 0,
    rotate: bool = False,
    games: int = BUDGET,
    seconds: float | None = None,
    keep: bool | None = False,
    on: str | None = None,
    workers: int | None = None,
    progress: Progress | None = None,
    telling: Telling | None = None,
    preparing: Preparing | None = None,
) -> Simulation:
    """Plays until it is settled whether a figure is `near` a number, or "fair", within a distance.

    Without `near` it plays until the figure is known `within` so much. At most so many deals, or seconds, are played.
    With `keep` what was seen is on disk, and asking the same again goes on from there; None keeps what takes long.
    All intervals of the results hold although the run was stopped by looking. Ctrl-C ends it with the deals finished
    so far.
    """
    question = SequentialQuestion(figure, within, near, seconds)
    question.check(compared=False)
    where = where_of(on, workers)
    check_deals(games)
    resolved = resolve_plan(
        game, players=players, agents=agents, config=config, set=set, seed=seed, rotate=rotate, grouped=True
    )
    command = resolved.command(range(games), more=question.words())
    memory = question.memory([resolved], keep=keep, command=command, deals=games)
    begun = time.perf_counter()
    with interrupt() as stop, where.joined(), memory:
        side = PairedSetting(resolved, where, preparing, stop, rows=True)
        start = time.perf_counter()
        sure = settle(question, [side], games, stop, memory=memory, progress=progress, telling=telling)
    if sure is None:
        raise KeyboardInterrupt
    sure = replace(sure, kept=memory.kept)
    deals = sure.last.n
    errors = AtAnyTime(deals)

    def figures(resolved: ResolvedPlan, total: RunTotal, info: RunInfo) -> dict[str, Any]:
        results = with_intervals(side.left_out(), errors)
        decided: dict[str, Any] = with_numbers(results, {sure.name: (sure.last.value, sure.last.low, sure.last.high)})
        return decided

    found = simulation(
        resolved,
        side.total,
        # Whoever is sure, or out of time, has played all that was wanted.
        requested=(games if stop() and not sure.settled else deals) * side.rotations,
        backend=side.backend,
        workers=side.executor.workers,
        strict=False,
        elapsed_s=time.perf_counter() - start + memory.seconds,
        prepared_s=start - begun,
        figures=figures,
    )
    found.info = replace(found.info, command=command, looked=True)
    found.sure = sure
    return found
