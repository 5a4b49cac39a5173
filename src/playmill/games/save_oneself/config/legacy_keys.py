"""Reads cards in the keys of the game's first description: `direction`, `requirements`, `type`, `backId`.

A back has `id`, `lives`, `direction`, `requirements`, `type` ("back") and `emoji`, a front `id`, `lives`, `score`,
`backId`, `type` ("front") and `emoji`. A requirement is a text: `_ship-set-sail`, `_map`, `higher-ground` (the player
stands there), or a side that has to lie on the field. What is drawn on a card is ours: an `emoji` is left out.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from playmill.author import RUSSIAN, ConfigError, Text
from playmill.games.save_oneself.constants import CARD_IDS, FIXED_NEEDS, FRONT_IDS

#: Their name for a field, and ours.
RENAMED = {"direction": "corner", "requirements": "needs"}
_STANDS = "higher-ground"
_KINDS = {"_ship-set-sail": "ship_waiting", "_map": "maps_cross"}


_WHAT = Text("Says what the card is; it may be left out.", "Говорит, что это за карта; можно не писать.")
_FRONT_KEYS: Mapping[str, tuple[dict[str, Any], Text]] = {
    "type": ({"type": "string", "enum": ["front"]}, _WHAT),
    "id": ({"type": "string", "enum": list(FRONT_IDS)}, _WHAT),
    "backId": ({"type": "string", "enum": list(CARD_IDS)}, Text("The back it belongs to.", "Её тыльная сторона.")),
    "emoji": ({"type": "string"}, Text("Read and left out.", "Читается и не используется.")),
}
_BACK_KEYS: Mapping[str, tuple[dict[str, Any], Text]] = {
    "type": ({"type": "string", "enum": ["back"]}, _WHAT),
    "id": ({"type": "string", "enum": list(CARD_IDS)}, _WHAT),
    "emoji": _FRONT_KEYS["emoji"],
    "direction": ({"enum": ["NE", "SE", "SW", "NW", None]}, Text("Another name of corner.", "Другое имя corner.")),
    "requirements": (
        {"type": "array", "maxItems": 4, "items": {"anyOf": [{"type": "string"}, {"type": "object"}]}},
        Text(
            "Another name of needs: a side that lies on the field, higher-ground on which the player stands, "
            "_ship-set-sail or _map.",
            "Другое имя needs: сторона, лежащая на поле, higher-ground, на которой стоит игрок, _ship-set-sail или "
            "_map.",
        ),
    ),
}


def add_back_names(schema: dict[str, Any]) -> None:
    """Puts the seed's names of a back into the schema of a card, all of which may be left out."""
    _add(schema, _BACK_KEYS)


def add_front_names(schema: dict[str, Any]) -> None:
    """The same for a front."""
    _add(schema, _FRONT_KEYS)


def _add(schema: dict[str, Any], keys: Mapping[str, tuple[dict[str, Any], Text]]) -> None:
    schema.pop("required", None)
    for key, (node, about) in keys.items():
        message = {"title": key, "description": about.en, RUSSIAN: {"description": about.ru}}
        schema["properties"][key] = {**message, **node}


def as_ours(given: Any) -> Any:
    """Cards in our form, whichever they are written in; what is neither stays, and the config says what is wrong."""
    cards = _together(given) if isinstance(given, list) and given else given
    if not isinstance(cards, Mapping):
        return cards
    return {name: _back(str(name), card) if isinstance(card, Mapping) else card for name, card in cards.items()}


def _together(decks: list[Any]) -> dict[str, Any]:
    """The cards of a list of backs and fronts, each front with its back."""
    cards: dict[str, Any] = {}
    for place, card in enumerate(decks):
        path = f"cards.{place}"
        if not isinstance(card, Mapping):
            raise ConfigError(path, "expected an object with a card", "ожидается объект с картой")
        is_front = card.get("type") == "front" or "backId" in card
        key = "backId" if is_front else "id"
        name = card.get(key)
        if not isinstance(name, str) or name not in CARD_IDS:
            listed = ", ".join(CARD_IDS)
            raise ConfigError(
                f"{path}.{key}",
                f"there is no card {name!r}; the cards are {listed}",
                f"карты {name!r} нет; есть {listed}",
            )
        made = cards.setdefault(name, {})
        twice = ("front" in made) if is_front else any(other != "front" for other in made)
        if twice:
            raise ConfigError(path, f"{name} is there twice; expected once", f"{name} повторяется; ожидается один раз")
        made |= {"front": dict(card)} if is_front else dict(card)
    return cards


def _back(name: str, card: Mapping[str, Any]) -> dict[str, Any]:
    made = dict(card)
    path = f"cards.{name}"
    _drop(made, path, {"type": "back", "id": name})
    for theirs, ours in RENAMED.items():
        if theirs in made:
            value = made.pop(theirs)
            if ours in made:
                raise ConfigError(
                    f"{path}.{theirs}",
                    f"{ours} is given too; expected one of the two, they mean the same",
                    f"дано и {ours}; ожидается одно из двух, это одно и то же",
                )
            made[ours] = _needs(name, value) if ours == "needs" else value
    if isinstance(made.get("front"), Mapping):
        front = dict(made["front"])
        wanted = {"type": "front", "backId": name}
        if name in CARD_IDS:
            wanted["id"] = FRONT_IDS[CARD_IDS.index(name)]
        _drop(front, f"{path}.front", wanted)
        made["front"] = front
    return made


def _drop(card: dict[str, Any], path: str, wanted: Mapping[str, str]) -> None:
    """Takes out what only says what a card is; it has to say that."""
    for key, value in wanted.items():
        found = card.pop(key, value)
        if found != value:
            raise ConfigError(f"{path}.{key}", f"{found!r}; expected {value!r}", f"{found!r}; ожидается {value!r}")
    card.pop("emoji", None)


def _needs(name: str, requirements: Any) -> Any:
    """Requirements as needs; what turns by the rules has the need it always has."""
    if not isinstance(requirements, list):
        return requirements
    if name in FIXED_NEEDS and (not requirements or requirements == ["_map"]):
        return [{"kind": FIXED_NEEDS[name]}]
    return [_need(one) if isinstance(one, str) else one for one in requirements]


def _need(requirement: str) -> dict[str, str]:
    if requirement in _KINDS:
        return {"kind": _KINDS[requirement]}
    return {"kind": "stand" if requirement == _STANDS else "up", "side": requirement}
