"""For the modules `words`, `rulebook` and `choices`: lines of the final score, rulebook entries, named choices."""

from __future__ import annotations

from playmill.engine.contract.choices import Choice, Choices, named
from playmill.engine.contract.rulebook import Drawing, Entry, Position
from playmill.engine.contract.score_lines import Line, fact, part, total

__all__ = [
    "Choice",
    "Choices",
    "Drawing",
    "Entry",
    "Line",
    "Position",
    "fact",
    "named",
    "part",
    "total",
]
