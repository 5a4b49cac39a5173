"""Every sentence of Save Oneself, in English and Russian."""

from __future__ import annotations

from playmill.author import Text
from playmill.games.save_oneself.words.acts import ACTS, describe, fields, parse, to_text
from playmill.games.save_oneself.words.consequences import brings
from playmill.games.save_oneself.words.event_text import events
from playmill.games.save_oneself.words.names import DECISION_NAMES, decision_kind
from playmill.games.save_oneself.words.position_text import chronicle, position, seen
from playmill.games.save_oneself.words.score_lines import counting

__all__ = [
    "ABOUT",
    "ACTS",
    "ALOUD",
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
]

TITLE = Text("Save Oneself", "Спаси себя сам")
ABOUT = Text(
    "alone on an island: explore it card by card, stay alive and light a signal where the passing ship will see it",
    "одиночка на острове: открывай его карта за картой, выживай и подай сигнал там, где его увидят с корабля",
)
#: Only the order of the deck is hidden, and no words tell it.
ALOUD = True
