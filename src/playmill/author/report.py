"""For the module `report`: estimates, tables and charts."""

from __future__ import annotations

from playmill.report.files.writing import saved_estimate
from playmill.report.model.histogram import QUANTILES, counted, quantile_estimate
from playmill.report.model.tables import (
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
from playmill.report.number_format import FEW, TOO_FEW, percentage

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
