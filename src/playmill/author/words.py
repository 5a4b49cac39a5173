"""What a game's words are made of: lines of the final count, the rulebook, and choices with names."""

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
