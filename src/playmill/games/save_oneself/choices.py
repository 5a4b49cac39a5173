"""Choices for settings of Save Oneself: corners of the ship, conditions, sides of cards."""

from __future__ import annotations

from collections.abc import Mapping

from playmill.author import Text
from playmill.author.words import Choices, named
from playmill.games.save_oneself.config import Config
from playmill.games.save_oneself.constants import CARD_IDS, SIDE_IDS
from playmill.games.save_oneself.words.names import side_name

_NONE = Text("none", "нет")
_CORNERS = {
    None: _NONE,
    "NE": Text("north-east", "северо-восток"),
    "SE": Text("south-east", "юго-восток"),
    "SW": Text("south-west", "юго-запад"),
    "NW": Text("north-west", "северо-запад"),
}
_KINDS = {
    "up": Text("the side lies on the field", "сторона лежит на поле"),
    "stand": Text("the player stands on the side", "игрок стоит на этой стороне"),
    "ship_waiting": Text("the ship waits at its corner", "корабль ждёт в своём углу"),
    "maps_cross": Text("where both maps cross", "где сходятся обе карты сокровищ"),
    "by_itself": Text("turns by itself", "переворачивается сама"),
    "with_map_r": Text("together with the other map", "вместе с другой картой сокровищ"),
}


def choices(config: Config) -> Mapping[str, Choices]:
    """Names for what the cards name by keys."""
    sides: dict[str | None, Text] = {None: _NONE, **{name: side_name(side) for side, name in enumerate(SIDE_IDS)}}
    return {
        "cards.*.corner": Choices(named(_CORNERS)),
        "cards.*.needs.*.kind": Choices(named(_KINDS)),
        "cards.*.needs.*.side": Choices(named(sides)),
    }


def labels(config: Config) -> Mapping[str, Text]:
    """Cards by the name of their back, conditions by their number."""
    cards = {f"cards.{name}": side_name(card) for card, name in enumerate(CARD_IDS)}
    needs = {
        f"cards.{name}.needs.{place}": Text(f"Condition {place + 1}", f"Условие {place + 1}")
        for name, card in config.cards.items()
        for place in range(len(card.needs))
    }
    return {**cards, **needs}
