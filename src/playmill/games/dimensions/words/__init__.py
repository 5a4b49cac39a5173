"""Every sentence of Battle of Dimensions, in English and Russian."""

from __future__ import annotations

from playmill.author import Text
from playmill.games.dimensions.words.acts import ACTS, describe, fields, parse, to_text
from playmill.games.dimensions.words.event_text import events, witnessed
from playmill.games.dimensions.words.names import DECISION_NAMES, decision_kind
from playmill.games.dimensions.words.position_text import position, seen
from playmill.games.dimensions.words.score_lines import counting

__all__ = [
    "ABOUT",
    "ACTS",
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

TITLE = Text("Battle of Dimensions", "Битва Измерений")
ABOUT = Text(
    "five factions fight for the Dimensions by cards, the Spiral of Forces and one anomaly",
    "пять фракций сражаются за Измерения картами, Спиралью Сил и одной аномалией",
)
