"""For the modules `words`, `rulebook`, `choices`: the table of acts, lines of the score, rulebook entries, choices."""

from __future__ import annotations

from playmill.engine.contract.acts import Act, Action, Acts, Argument
from playmill.engine.contract.choices import Choice, Choices, named
from playmill.engine.contract.rulebook import Drawing, Entry, Position
from playmill.engine.contract.score_lines import Line, fact, part, total

__all__ = [
    "Act",
    "Action",
    "Acts",
    "Argument",
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
