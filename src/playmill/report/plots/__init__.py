"""Plots for reports: SVG made of numbers and words, in both languages and both colour schemes, that needs nothing."""

from playmill.report.plots.base import STYLE, Plot, Scale
from playmill.report.plots.heat import HeatMap
from playmill.report.plots.lines import Curve, LinePlot, Point
from playmill.report.plots.rows import Row, RowPlot

__all__ = ["STYLE", "Curve", "HeatMap", "LinePlot", "Plot", "Point", "Row", "RowPlot", "Scale"]
