"""Every sentence of Grid, in English and Russian."""

from __future__ import annotations

from playmill.games.grid.words.consequences import brings
from playmill.games.grid.words.describe import ABOUT, TITLE, describe, fields, parse, to_text, witnessed
from playmill.games.grid.words.event_text import events
from playmill.games.grid.words.names import DECISION_NAMES, decision_kind
from playmill.games.grid.words.position_text import boards, position, seen
from playmill.games.grid.words.score_lines import counting

__all__ = [
    "ABOUT",
    "DECISION_NAMES",
    "TITLE",
    "boards",
    "brings",
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
