"""For a setting drawn in the map editor."""

from __future__ import annotations

from playmill.engine.contract.map_editor import (
    Canvas,
    Cell,
    Drawing,
    Easel,
    Fact,
    Pins,
    Place,
    PlaceKind,
    Step,
    Symmetry,
)

__all__ = [
    "Canvas",
    "Cell",
    "Drawing",
    "Easel",
    "Fact",
    "Pins",
    "Place",
    "PlaceKind",
    "Step",
    "Symmetry",
]
