"""Every sentence of Influence, in English and Russian."""

from __future__ import annotations

from playmill.author import Text
from playmill.games.influence.words.acts import ACTS, describe, fields, parse, to_text
from playmill.games.influence.words.consequences import brings
from playmill.games.influence.words.distribution import parse_list
from playmill.games.influence.words.event_text import chronicle, events, flights, notices
from playmill.games.influence.words.names import DECISION_NAMES, decision_kind
from playmill.games.influence.words.position_text import position, seen
from playmill.games.influence.words.score_lines import counting

__all__ = [
    "ABOUT",
    "ACTS",
    "DECISION_NAMES",
    "TITLE",
    "brings",
    "chronicle",
    "counting",
    "decision_kind",
    "describe",
    "events",
    "fields",
    "flights",
    "notices",
    "parse",
    "parse_list",
    "position",
    "seen",
    "to_text",
]

TITLE = Text("Influence", "Влияние")
ABOUT = Text(
    "spread over a field of hexagons, attack where you are stronger, and share out new influence in defence",
    "занимай поле из шестиугольников, атакуй там, где ты сильнее, и распределяй новое влияние в обороне",
)
