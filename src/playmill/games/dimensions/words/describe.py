"""Title and actions of Battle of Dimensions in words: phrases, short texts (formatted and parsed), fields."""

from __future__ import annotations

from functools import cache

import numpy as np

from playmill.author import PlaymillError, Text
from playmill.games.dimensions.actions import ACTIONS, AURA, BLUE, FIRST_VALUE_KIND, PURPLE, Action, take_apart
from playmill.games.dimensions.config import FACTION_KEYS, Config
from playmill.games.dimensions.constants import NOBODY
from playmill.games.dimensions.words.event_text import events
from playmill.games.dimensions.words.names import (
    FACTION_LETTERS,
    FACTION_NAMES,
    blue_kinds,
    card_phrase,
    colour_of,
    key_of,
    kind_key,
)

TITLE = Text("Battle of Dimensions", "Битва Измерений")
ABOUT = Text(
    "five factions fight for the Dimensions by cards, the Spiral of Forces and one anomaly",
    "пять фракций сражаются за Измерения картами, Спиралью Сил и одной аномалией",
)

_FACE_DOWN = Text("lays a card face down for the battle", "кладёт карту в битву рубашкой вверх")
_SQUAD_RU = ("красный", "зелёный", "жёлтый", "синий", "фиолетовый")
_SQUAD_RU_BY = ("красным", "зелёным", "жёлтым", "синим", "фиолетовым")

#: An action as a phrase: {card} is one card, {squad} the faction named first, {target} the second, {here} the source.
_PHRASES = {
    "play": Text("plays {card} into the battle", "выкладывает в битву {card}"),
    "put": Text("puts {card} into Dimension {there}", "кладёт {card} в Измерение {there}"),
    "put_captain": Text("places the Captain in Dimension {there}", "выкладывает Капитана Силу в Измерение {there}"),
    "skip": Text("places nothing", "ничего не выкладывает"),
    "stay": Text("does nothing", "ничего не делает"),
    "move": Text(
        "moves {card} from Dimension {here} to Dimension {there}",
        "перемещает {card} из Измерения {here} в Измерение {there}",
    ),
    "move_captain": Text("moves the Captain to Dimension {there}", "перемещает Капитана Силу в Измерение {there}"),
    "entanglement": Text(
        "plays Quantum Entanglement: {squad} and {target} swap places in the Spiral",
        "играет Квантовую запутанность: {one} и {other} меняются местами в Спирали Сил",
    ),
    "wormhole": Text(
        "plays Wormhole: the {squad} squad goes from Dimension {here} to Dimension {there}",
        "играет Кротовую Нору: {squad} отряд уходит из Измерения {here} в Измерение {there}",
    ),
    "black_hole": Text(
        "plays Black Hole: it swallows the {squad} squad in Dimension {here}",
        "играет Чёрную Дыру: она поглощает {squad} отряд в Измерении {here}",
    ),
    "black_hole aura": Text(
        "plays Black Hole: it swallows the Auras in Dimension {here}",
        "играет Чёрную Дыру: она поглощает Ауры Тьмы в Измерении {here}",
    ),
    "big_bang": Text(
        "plays Big Bang: the Black Hole pile returns to the deck",
        "играет Большой Взрыв: все карты из Чёрной Дыры возвращаются в колоду",
    ),
    "time_loop": Text(
        "plays Time Loop: one more turn right after this one",
        "играет Временную Петлю: сразу после этого хода будет ещё один",
    ),
    "hold": Text("does not attack", "не атакует"),
    "attack": Text("attacks the {target} squad with the {squad} one", "атакует {target} отряд {by}"),
    "attack aura": Text("attacks the Auras with the {squad} squad", "атакует Ауры Тьмы {by} отрядом"),
}


def describe(config: Config, action: int) -> Text:
    """An action as a phrase that follows the name of its player."""
    act, kind, faction, source, target = _known(config, action)
    aura = AURA in (faction, target if act == "attack" else NOBODY)
    phrase = _PHRASES[f"{act} aura" if aura else act]
    card = card_phrase(config, kind, accusative=True) if kind >= 0 else Text("", "")
    first, second = min(faction, PURPLE), min(target, PURPLE)
    numbers = {"here": source + 1, "there": target + 1}
    return Text(
        phrase.en.format(card=card.en, squad=FACTION_KEYS[first], target=FACTION_KEYS[second], **numbers),
        phrase.ru.format(
            card=card.ru,
            squad=_SQUAD_RU[first],
            target=_SQUAD_RU[second],
            by=_SQUAD_RU_BY[first],
            one=FACTION_NAMES[first].ru,
            other=FACTION_NAMES[second].ru,
            **numbers,
        ),
    )


def witnessed(config: Config, before: np.void, after: np.void, action: int, player: int | None) -> list[Text]:
    """What a player, or a spectator (None), is told of an action: a phrase for it, then what it brought about.

    A card laid for the battle is its player's secret until the reveal, which tells them all.
    """
    secret = take_apart(action).act == "play" and player != before["player"]
    return [_FACE_DOWN if secret else describe(config, action), *events(config, before, after, action)]


def to_text(config: Config, action: int) -> str:
    """The short text form of an action, the same in all languages; `parse` reads it."""
    return _text_form(_known(config, action), blue_kinds(config))


def parse(config: Config, text: str) -> int:
    """The action of a text form; spaces and capitals do not matter, anything else is an error that quotes it."""
    action = _table(blue_kinds(config))[1].get(_plain(text))
    if action is None:
        quoted = repr(text if len(text) <= 80 else text[:79] + "…")
        raise PlaymillError(
            f"there is no action {quoted}; actions look like 'put G 2', 'move R 1>3' or 'attack Y>R'",
            f"действия {quoted} нет; действия выглядят так: 'put G 2', 'move R 1>3' или 'attack Y>R'",
        )
    return action


def fields(config: Config, action: int) -> dict[str, object]:
    """An action as JSON-able fields: `act` and those of card, faction, value, from, to, target that it has."""
    act, kind, faction, source, target = _known(config, action)
    names = (*FACTION_KEYS, "auras")
    made: dict[str, object] = {"act": act}
    if kind >= 0:
        made |= {"card": kind_key(config, kind), "faction": FACTION_KEYS[colour_of(kind)]}
        if kind >= FIRST_VALUE_KIND:
            made["value"] = blue_kinds(config)[kind - FIRST_VALUE_KIND]
    if faction >= 0:
        made["target" if act == "black_hole" else "faction"] = names[faction]
    if source >= 0:
        made["from"] = source + 1
    if act in ("entanglement", "attack"):
        made["target"] = names[target]
    elif target >= 0:
        made["to"] = target + 1
    return made


def _plain(text: str) -> str:
    return " ".join(text.lower().split())


def _text_form(part: Action, blues: tuple[int, ...]) -> str:
    act, kind, faction, source, target = part
    names = (*(letter.en for letter in FACTION_LETTERS), "aura")
    card = key_of(blues, kind, "en") if kind >= 0 else ""
    here, there = source + 1, target + 1
    forms = {
        "play": f"play {card}",
        "put": f"put {card} {there}",
        "put_captain": f"captain {there}",
        "move": f"move {card} {here}>{there}",
        "move_captain": f"captain>{there}",
        "entanglement": f"entangle {names[faction]}-{names[target]}",
        "wormhole": f"wormhole {names[faction]} {here}>{there}",
        "black_hole": f"blackhole {names[faction]}@{here}",
        "attack": f"attack {names[faction]}>{names[target]}",
    }
    return forms.get(act, act.replace("_", ""))


@cache
def _table(blues: tuple[int, ...]) -> tuple[dict[int, Action], dict[str, int]]:
    """The actions there are with these blue kinds: by number, taken apart, and by text form."""
    parts = {action: take_apart(action) for action in range(ACTIONS)}
    parts = {action: part for action, part in parts.items() if _exists(part, blues)}
    return parts, {_plain(_text_form(part, blues)): action for action, part in parts.items()}


def _exists(part: Action, blues: tuple[int, ...]) -> bool:
    act, kind, faction, source, target = part
    if kind >= FIRST_VALUE_KIND + len(blues) or (kind == BLUE and blues):
        return False
    if act in ("move", "wormhole"):
        return source != target
    if act == "attack" and target != AURA:
        return faction != target
    epic = act in ("put_captain", "skip", "move_captain", "attack") or faction == AURA
    return not epic or (bool(blues) and (faction, target) != (PURPLE, AURA))


def _known(config: Config, action: int) -> Action:
    """An action taken apart; a number that stands for none under this config is an error."""
    parts = _table(blue_kinds(config))[0]
    if action not in parts:
        raise PlaymillError(f"no action has the number {action}", f"действия с номером {action} нет")
    return parts[action]
