"""Every sentence of Dice, in English and Russian."""

from __future__ import annotations

from playmill.games.dice.words.consequences import brings
from playmill.games.dice.words.describe import ABOUT, TITLE, describe, fields, parse, to_text
from playmill.games.dice.words.event_text import events, notices
from playmill.games.dice.words.names import DECISION_NAMES, decision_kind
from playmill.games.dice.words.position_text import position, seen
from playmill.games.dice.words.score_lines import counting

__all__ = [
    "ABOUT",
    "DECISION_NAMES",
    "TITLE",
    "brings",
    "counting",
    "decision_kind",
    "describe",
    "events",
    "fields",
    "notices",
    "parse",
    "position",
    "seen",
    "to_text",
]
