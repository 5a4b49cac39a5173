"""The report on many games of Battle of Dimensions."""

from __future__ import annotations

from playmill.games.dimensions.report.figures import FIGURES, results
from playmill.games.dimensions.report.tables import sections

__all__ = ["FIGURES", "results", "sections"]
