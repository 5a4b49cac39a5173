"""Compares two kept runs of a game without playing: every figure with its difference, as far as they tell it.

Runs of the same deals, whose counts were kept by groups of deals, are taken deal by deal; any others as runs that share
no luck.
"""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from typing import Any

from playmill.lab.decide.compare import Comparison, labels_of
from playmill.lab.runs.figures import name_of, relabelled
from playmill.lab.runs.finished_games import RunTotal
from playmill.lab.runs.simulate import Simulation, report_of
from playmill.lab.runs.store import KeptRun
from playmill.stats.block_jackknife import Jackknifed, leave_out
from playmill.stats.differences import paired
from playmill.stats.unpaired_differences import unpaired
from playmill.texts import PlaymillError


def compare_kept(a: KeptRun, b: KeptRun) -> Comparison:
    """Compares two kept runs; raises unless they are different runs of one game, with games."""
    _check(a, b)
    runs = [report_of(run) for run in (a, b)]
    labels = labels_of(*(tuple(dict.fromkeys(run.plan.names)) for run in (a, b)))
    totals = [run.total() for run in (a, b)]
    same_deals = _are_same_deals(a, b, totals)
    if same_deals:
        one, other = (_left_out(*side) for side in zip(runs, totals, labels, strict=True))
        differences = paired(one, other)
        deals = int(totals[0].blocks.sum())
    else:
        before, after = (relabelled(run.results, names) for run, names in zip(runs, labels, strict=True))
        differences = unpaired(before, after)
        deals = min(run.games for run in (a, b))
    return Comparison(
        a=runs[0],
        b=runs[1],
        differences={name_of(path): one for path, one in differences.items()},
        labels=labels,
        deals=deals,
        requested=deals,
        elapsed_s=round(sum(run.info.elapsed_s for run in runs), 3),
        command=shlex.join(["playmill", "report", a.source, "--against", b.source]),
        kept=(a.name, b.name),
        same_luck=same_deals,
    )


def _check(a: KeptRun, b: KeptRun) -> None:
    if a.plan.game != b.plan.game:
        raise PlaymillError(
            f"{a.source} is a run of {a.plan.game}, {b.source} one of {b.plan.game}; runs of one game can be compared",
            f"{a.source} — прогон {a.plan.game}, {b.source} — прогон {b.plan.game}; сравнить можно прогоны одной игры",
        )
    if a.plan == b.plan:
        raise PlaymillError(
            f"{a.source} and {b.source} play the same games: nothing can differ; playmill merge puts them together",
            f"в {a.source} и {b.source} одни и те же партии: отличаться нечему; playmill merge соединит их",
        )
    for run in (a, b):
        if not run.games:
            raise PlaymillError(
                f"run {run.source} has no finished games yet", f"в прогоне {run.source} ещё нет сыгранных партий"
            )


def _are_same_deals(a: KeptRun, b: KeptRun, totals: list[RunTotal]) -> bool:
    """Returns whether both played the same deals with the same seed, counted in the same groups."""
    if (a.plan.seed, a.plan.players, a.manifest.first) != (b.plan.seed, b.plan.players, b.manifest.first):
        return False
    one, other = (total.blocks.tolist() for total in totals)
    return len(one) > 1 and one == other


def _left_out(run: Simulation, total: RunTotal, names: Mapping[str, str]) -> Jackknifed:
    def report(counts: Any) -> Any:
        return relabelled(run.game.report.results(counts, run.info), names)

    return leave_out(report, total.counts.groups, total.blocks.tolist())
