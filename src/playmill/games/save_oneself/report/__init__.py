"""The report on many games of Save Oneself."""

from __future__ import annotations

from playmill.games.save_oneself.report.figures import FIGURES, results
from playmill.games.save_oneself.report.tables import sections

__all__ = ["FIGURES", "results", "sections"]
