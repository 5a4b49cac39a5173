"""Hooks for an audit of Influence: kinds of actions, and the unit of its length."""

from __future__ import annotations

from playmill.author import Text
from playmill.games.influence.words import ACTS

LENGTH = ("rounds", Text("rounds", "раунды"))
kinds, kind_name = ACTS.kinds, ACTS.kind_name
