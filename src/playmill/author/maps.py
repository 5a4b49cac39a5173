"""What a setting that is drawn on a map editor is made of."""

from __future__ import annotations

from playmill.engine.contract.map_editor import Canvas, Cell, Drawing, Easel, Fact, Kind, Pins, Place, Step, Symmetry

__all__ = [
    "Canvas",
    "Cell",
    "Drawing",
    "Easel",
    "Fact",
    "Kind",
    "Pins",
    "Place",
    "Step",
    "Symmetry",
]
