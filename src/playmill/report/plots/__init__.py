"""SVG plots for reports: pure data that draw themselves, in both languages and colour schemes."""

from playmill.report.plots.base import STYLE, Plot, Scale
from playmill.report.plots.heat_map import HeatMap
from playmill.report.plots.line_plot import Curve, LinePlot, LinePoint
from playmill.report.plots.row_plot import PlotRow, RowPlot

__all__ = ["STYLE", "Curve", "HeatMap", "LinePlot", "LinePoint", "Plot", "PlotRow", "RowPlot", "Scale"]
