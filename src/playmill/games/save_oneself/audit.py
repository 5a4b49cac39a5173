"""Hooks for an audit of Save Oneself: kinds of actions, with the cards turned over, and the unit of its length."""

from __future__ import annotations

from playmill.author import Text
from playmill.games.save_oneself.words import ACTS

LENGTH = ("rounds", Text("rounds", "раунды"))
kinds, kind_name = ACTS.kinds, ACTS.kind_name
