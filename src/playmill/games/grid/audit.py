"""Hooks for an audit of Grid: kinds of actions, with the rewards of matches, and the unit of its length."""

from __future__ import annotations

from playmill.author import Text
from playmill.games.grid.words import ACTS

LENGTH = ("turns", Text("turns", "ходы"))
kinds, kind_name = ACTS.kinds, ACTS.kind_name
