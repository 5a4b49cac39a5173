"""Lines of the table: what was repeated, what came of it, and whether that is within what is promised."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

#: What is promised: intervals hold the truth, and nothing is called real that is not.
COVERED, ERRORS = 0.92, 0.05
#: What chance makes so bad no more often than this is not put down to chance.
_CHANCE = 0.01


@dataclass(frozen=True)
class Line:
    """What came of one experiment at one size; `bad` sorts the worst first within a kind."""

    kind: str
    setting: str
    size: int
    repetitions: int
    told: str
    bad: float
    fails: bool = False
    #: All there is to know, as it is saved.
    details: Any = field(default=None, repr=False)

    def json(self) -> dict[str, Any]:
        """The form in which it is saved."""
        return asdict(self)


def covers_too_rarely(held: int, given: int) -> bool:
    """Whether intervals of which so many held the truth cover less than is promised, beyond noise."""
    from scipy.stats import binom

    return given > 0 and float(binom.cdf(held, given, COVERED)) < _CHANCE


def errs_too_often(errors: int, repetitions: int) -> bool:
    """Whether so many errors are more than is promised, beyond noise."""
    from scipy.stats import binom

    return errors > 0 and float(binom.sf(errors - 1, repetitions, ERRORS)) < _CHANCE


def table(lines: Iterable[Line]) -> str:
    """The lines as Markdown, a table for each kind, the worst first."""
    kinds: dict[str, list[Line]] = {}
    for line in lines:
        kinds.setdefault(line.kind, []).append(line)
    return "\n\n".join(_table(kind, some) for kind, some in kinds.items())


def _table(kind: str, lines: Sequence[Line]) -> str:
    failed = sum(line.fails for line in lines)
    rows = [
        f"| {'FAILS' if line.fails else 'holds'} | {line.setting} | {line.size} | {line.repetitions} | {line.told} |"
        for line in sorted(lines, key=lambda line: (not line.fails, -line.bad))
    ]
    head = ["| | setting | n | repetitions | worst first |", "|---|---|---|---|---|"]
    return "\n".join([f"## {kind}: {failed} of {len(lines)} lines fail", "", *head, *rows])
