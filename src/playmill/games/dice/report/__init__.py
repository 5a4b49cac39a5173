"""The report on many games of Dice."""

from __future__ import annotations

from playmill.games.dice.report.figures import FIGURES, results
from playmill.games.dice.report.tables import sections

__all__ = ["FIGURES", "results", "sections"]
