"""Until sure: how often `--until-sure` contradicts what is true of the pool, on questions near the edge."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import sqrt

import numpy as np

from calibration.lines import Line, errs_too_often
from calibration.pool import Pool, figures
from playmill.interrupts import Stop
from playmill.lab.decide.until_sure import SequentialQuestion, settle
from playmill.lab.runs.finished_games import FinishedGames, RunTotal
from playmill.lab.runs.paired_play import PairedSetting
from playmill.report.commands.until_sure import Verdict
from playmill.texts import PlaymillError

#: A limit lies so many standard errors of a whole budget from what is asked about, and the truth a little beyond it.
_AWAY, _BEYOND = 4.0, 1.1
_PARTS = 64


class Drawn(PairedSetting):
    """A side whose deals are drawn from a pool instead of played."""

    def __init__(self, pool: Pool, rng: np.random.Generator) -> None:
        self.resolved, self.labels, self.rotations = pool.resolved, {}, pool.rotations
        self.total = RunTotal(pool.resolved.plan, pool.resolved.game)
        self._pool, self._rng = pool, rng

    def play(self, first: int, deals: int) -> list[FinishedGames]:
        """Draws these deals."""
        return [self._pool.part(self._rng.integers(0, self._pool.deals, deals), first)]


@dataclass(frozen=True)
class Asked:
    """A question, of one side or two, and which verdicts contradict the truth."""

    name: str
    question: SequentialQuestion
    sides: int
    wrong: frozenset[Verdict]


def questions(pool: Pool, figure: str, budget: int) -> Iterator[Asked]:
    """Questions about a figure whose answers are at the edge, or a little beyond it."""
    truth = pool.known(figure)
    d = _AWAY * _spread(pool, figure) / sqrt(budget)
    either = frozenset({Verdict.HIGHER, Verdict.LOWER})
    yield Asked("near the truth itself", SequentialQuestion(figure, None, truth), 1, either)
    yield Asked("the same on two sides", SequentialQuestion(figure), 2, either)
    for sign, wrong in ((-1, Verdict.LOWER), (1, Verdict.HIGHER)):
        near = truth + sign * _BEYOND * d
        told = f"truth just {'above' if sign < 0 else 'below'} {near:.4g} ± {d:.2g}"
        yield Asked(told, SequentialQuestion(figure, d, near), 1, frozenset({Verdict.SAME, wrong}))


def verdicts(
    pool: Pool, figure: str, asked: Asked, budget: int, repetitions: int, rng: np.random.Generator
) -> Iterator[int | Line]:
    """Asks again and again; yields how often, and the line at last."""
    found: Counter[str] = Counter()
    for number in range(repetitions):
        found[_verdict(pool, asked, budget, rng)] += 1
        yield number + 1
    errors = sum(found[verdict.name] for verdict in asked.wrong)
    share, told = errors / repetitions, ", ".join(f"{verdict} {n}" for verdict, n in sorted(found.items()))
    told = f"{figure}, {asked.name}: {100 * share:.1f} % wrong ({told})"
    details = {"figure": figure, "question": asked.name, "errors": errors, "verdicts": dict(found)}
    fails = errs_too_often(errors, repetitions)
    yield Line("sure", pool.setting.name, budget, repetitions, told, share, fails, details)


def _verdict(pool: Pool, asked: Asked, budget: int, rng: np.random.Generator) -> str:
    """The verdict about one history; a question that is refused has none."""
    sides: Sequence[PairedSetting] = [Drawn(pool, rng) for _ in range(asked.sides)]
    memory = asked.question.memory([side.resolved for side in sides], keep=False)
    try:
        sure = settle(asked.question, sides, budget, Stop(), memory=memory)
    except PlaymillError:
        return "refused"
    return (sure.verdict if sure is not None else Verdict.OPEN).name


def _spread(pool: Pool, figure: str) -> float:
    """The standard deviation that a figure would have if it were of one deal, from parts of the pool."""
    parts = np.array_split(np.arange(pool.deals), _PARTS)
    shown = [figures(pool.results(pool.run(part))).get(figure) for part in parts]
    values = [one.value for one in shown if one is not None and one.value is not None]
    return float(np.std(values, ddof=1)) * sqrt(pool.deals / _PARTS)
