"""The report on many games of Influence."""

from __future__ import annotations

from playmill.games.influence.report.figures import FIGURES, results
from playmill.games.influence.report.tables import sections

__all__ = ["FIGURES", "results", "sections"]
