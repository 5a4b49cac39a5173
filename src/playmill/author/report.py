"""For the module `report`: estimates, tables and charts; in `common` the columns and tables that most games have."""

from __future__ import annotations

from playmill.report.model import common_tables as common
from playmill.report.model.columns import Column, figure_cell, table_of
from playmill.report.model.common_figures import decisions_per_game, figure_titles, share_of, shares_of, wins_of
from playmill.report.model.histogram import QUANTILES, counted, quantile_estimate, saved_estimate
from playmill.report.model.tables import IN_TURN, Cell, Chart, Estimate, RunInfo, Table, mean, rate, ratio, seat_note
from playmill.report.number_format import FEW, TOO_FEW, percentage

__all__ = [
    "FEW",
    "IN_TURN",
    "QUANTILES",
    "TOO_FEW",
    "Cell",
    "Chart",
    "Column",
    "Estimate",
    "RunInfo",
    "Table",
    "common",
    "counted",
    "decisions_per_game",
    "figure_cell",
    "figure_titles",
    "mean",
    "percentage",
    "quantile_estimate",
    "rate",
    "ratio",
    "saved_estimate",
    "seat_note",
    "share_of",
    "shares_of",
    "table_of",
    "wins_of",
]
