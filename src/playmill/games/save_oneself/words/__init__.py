"""Every sentence of Save Oneself, in English and Russian."""

from __future__ import annotations

from playmill.games.save_oneself.words.consequences import brings
from playmill.games.save_oneself.words.describe import ABOUT, TITLE, describe, fields, parse, to_text, witnessed
from playmill.games.save_oneself.words.event_text import events
from playmill.games.save_oneself.words.names import DECISION_NAMES, decision_kind
from playmill.games.save_oneself.words.position_text import chronicle, position, seen
from playmill.games.save_oneself.words.score_lines import counting

__all__ = [
    "ABOUT",
    "DECISION_NAMES",
    "TITLE",
    "brings",
    "chronicle",
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
