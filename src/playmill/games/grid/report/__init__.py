"""The report on many games of Grid."""

from __future__ import annotations

from playmill.games.grid.report.figures import FIGURES, results, with_fallbacks
from playmill.games.grid.report.tables import sections

__all__ = ["FIGURES", "results", "sections", "with_fallbacks"]
