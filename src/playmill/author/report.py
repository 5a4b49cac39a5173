"""What a report is made of: estimates, tables and charts."""

from __future__ import annotations

from playmill.report.files import saved_estimate
from playmill.report.histogram import QUANTILES, counted, quantile_estimate
from playmill.report.model import (
    IN_TURN,
    Cell,
    Chart,
    Estimate,
    RunInfo,
    Table,
    decisions_per_game,
    mean,
    rate,
    ratio,
    seat_note,
)
from playmill.report.terminal import FEW, TOO_FEW, percentage

__all__ = [
    "FEW",
    "IN_TURN",
    "QUANTILES",
    "TOO_FEW",
    "Cell",
    "Chart",
    "Estimate",
    "RunInfo",
    "Table",
    "counted",
    "decisions_per_game",
    "mean",
    "percentage",
    "quantile_estimate",
    "rate",
    "ratio",
    "saved_estimate",
    "seat_note",
]
