"""Every sentence of Battle of Dimensions, in English and Russian."""

from __future__ import annotations

from playmill.games.dimensions.words.describe import ABOUT, TITLE, describe, fields, parse, to_text, witnessed
from playmill.games.dimensions.words.event_text import events
from playmill.games.dimensions.words.names import DECISION_NAMES, decision_kind
from playmill.games.dimensions.words.position_text import position, seen
from playmill.games.dimensions.words.score_lines import counting

__all__ = [
    "ABOUT",
    "DECISION_NAMES",
    "TITLE",
    "counting",
    "decision_kind",
    "describe",
    "events",
    "fields",
    "parse",
    "position",
    "seen",
    "to_text",
    "witnessed",
]
