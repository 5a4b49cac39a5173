"""Hooks for an audit of Dice: kinds of actions, with the items that are used, and the unit of its length."""

from __future__ import annotations

from playmill.author import Text
from playmill.games.dice.words import ACTS

LENGTH = ("turns", Text("turns", "ходы"))
kinds, kind_name = ACTS.kinds, ACTS.kind_name
