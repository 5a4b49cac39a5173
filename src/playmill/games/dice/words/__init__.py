"""Every sentence of Dice, in English and Russian."""

from __future__ import annotations

from playmill.author import Text
from playmill.games.dice.words.acts import ACTS, describe, fields, parse, to_text
from playmill.games.dice.words.consequences import brings
from playmill.games.dice.words.event_text import events, notices
from playmill.games.dice.words.names import DECISION_NAMES, decision_kind
from playmill.games.dice.words.position_text import position, seen
from playmill.games.dice.words.score_lines import counting

__all__ = [
    "ABOUT",
    "ACTS",
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

TITLE = Text("Dice", "Кости")
ABOUT = Text(
    "save what scores and dare to throw the rest, or pass before a bust takes the points of the turn",
    "сохраняй очковые кости и рискуй остальными или пасуй, пока провал не сжёг очки хода",
)
