"""Every sentence of Grid, in English and Russian."""

from __future__ import annotations

from playmill.author import Text
from playmill.games.grid.words.acts import ACTS, describe, fields, parse, to_text
from playmill.games.grid.words.consequences import brings
from playmill.games.grid.words.event_text import events
from playmill.games.grid.words.names import DECISION_NAMES, decision_kind
from playmill.games.grid.words.position_text import boards, position, seen
from playmill.games.grid.words.score_lines import counting

__all__ = [
    "ABOUT",
    "ACTS",
    "ALOUD",
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
]

TITLE = Text("Grid", "Сетка")
ABOUT = Text(
    "cards are drafted onto boards of one's own; patterns of ranks and colours score and give rewards",
    "карты из драфта ложатся на личные поля, паттерны из рангов и цветов дают очки и награды",
)
#: Only the order of the deck is hidden, and no words tell it.
ALOUD = True
