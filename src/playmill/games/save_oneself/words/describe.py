"""Title and actions of Save Oneself in words: phrases, short texts (formatted and parsed), fields."""

from __future__ import annotations

import numpy as np

from playmill.author import PlaymillError, Text
from playmill.games.save_oneself.actions import DIRECTIONS, MAX_ACTIONS, MOVE, SKIP, TURN, WAIVE
from playmill.games.save_oneself.config import Config
from playmill.games.save_oneself.constants import CARD_IDS, CARDS, FIXED_NEEDS, FRONT, FRONT_IDS, MAP_C, MAP_R, SIDE_IDS
from playmill.games.save_oneself.words.event_text import events
from playmill.games.save_oneself.words.names import (
    DIRECTION_NAMES,
    MOVE_LETTERS,
    side_name,
)

TITLE = Text("Save Oneself", "Спаси себя сам")
ABOUT = Text(
    "alone on an island: explore it card by card, stay alive and light a signal where the passing ship will see it",
    "одиночка на острове: открывай его карта за картой, выживай и подай сигнал там, где его увидят с корабля",
)

_WAIVE, _SKIP, _TURN = "waive", "skip", "turn"
#: Letters of a Russian keyboard that look like ours, after capitals are gone.
_LOOKALIKES = str.maketrans("авекмнорстух", "abekmhopctyx")
#: What is written with or without: spaces are gone already.
_JOINTS = str.maketrans("", "", "-_")
_SIDES = {side.translate(_JOINTS): number for number, side in enumerate(SIDE_IDS)}


def describe(config: Config, action: int) -> Text:
    """An action as a phrase that follows the name of its player."""
    _known(action)
    if action == WAIVE:
        return Text("waives the rest of the moves", "отказывается от оставшихся ходов")
    if action == SKIP:
        return Text("turns nothing over", "ничего не переворачивает")
    if action < WAIVE:
        there = DIRECTION_NAMES[action - MOVE]
        return Text(f"goes {there.en}", f"идёт на {there.ru}")
    card = action - TURN
    back, front = side_name(card), side_name(card + FRONT)
    if card == MAP_R:
        other, found = side_name(MAP_C), side_name(MAP_C + FRONT)
        back = Text(f"{back.en} and {other.en}", f"{back.ru} и {other.ru}")
        front = Text(f"{front.en} and {found.en}", f"{front.ru} и {found.ru}")
    return Text(f"turns {back.en} into {front.en}", f"переворачивает {back.ru}: теперь это {front.ru}")


def witnessed(config: Config, before: np.void, after: np.void, action: int, player: int | None) -> list[Text]:
    """What anybody is told of an action: a phrase for it, then what it brought about.

    Only the order of the deck is hidden, and no words tell it.
    """
    return [describe(config, action), *events(config, before, after, action)]


def to_text(config: Config, action: int) -> str:
    """The short text form of an action, the same in all languages; `parse` reads it."""
    _known(action)
    if action == WAIVE:
        return _WAIVE
    if action == SKIP:
        return _SKIP
    return MOVE_LETTERS[action - MOVE] if action < WAIVE else f"{_TURN} {CARD_IDS[action - TURN]}"


def parse(config: Config, text: str) -> int:
    """The action of a text form; spaces, hyphens and capitals do not matter, anything else is an error that says why.

    A card that is turned over may be called by either side, and either map stands for both. Whether the action is
    legal now is not asked.
    """
    plain = "".join(text.lower().split()).translate(_LOOKALIKES)
    if plain in MOVE_LETTERS:
        return MOVE + MOVE_LETTERS.index(plain)
    if plain in (_WAIVE, _SKIP):
        return WAIVE if plain == _WAIVE else SKIP
    if not plain.startswith(_TURN):
        raise _mistake(
            text,
            "actions look like 'n', 'e', 's', 'w' (a step north, east, south, west), 'waive' (no more moves), "
            "'turn rocks' (turn a card over), 'skip' (turn nothing over)",
            "действия выглядят так: 'n', 'e', 's', 'w' (шаг на север, восток, юг, запад), 'waive' (больше не ходить), "
            "'turn rocks' (перевернуть карту), 'skip' (ничего не переворачивать)",
        )
    return TURN + _parsed_card(text, plain.removeprefix(_TURN).translate(_JOINTS))


def _parsed_card(text: str, name: str) -> int:
    """The card that is turned over, by the name of a side without joints."""
    if name not in _SIDES:
        listed = ", ".join(CARD_IDS[card] for card in range(CARDS) if _can_turn(card))
        raise _mistake(text, f"the cards that can be turned over are {listed}", f"перевернуть можно карты {listed}")
    card = _SIDES[name] % CARDS
    card = MAP_R if card == MAP_C else card
    if not _can_turn(card):
        side = side_name(card)
        raise _mistake(text, f"{side.en} turns over by itself only", f"{side.ru} переворачивается только сама собой")
    return card


def fields(config: Config, action: int) -> dict[str, object]:
    """An action as JSON-able fields: `act`; a step has its `direction`; a card that is turned over, what it becomes.

    Both are named by their ids, and `card` map-r stands for both maps.
    """
    _known(action)
    if action in (WAIVE, SKIP):
        return {"act": _WAIVE if action == WAIVE else _SKIP}
    if action < WAIVE:
        return {"act": "move", "direction": DIRECTIONS[action - MOVE]}
    return {"act": _TURN, "card": CARD_IDS[action - TURN], "into": FRONT_IDS[action - TURN]}


def _known(action: int) -> None:
    """Raises unless a number stands for an action."""
    known = 0 <= action < MAX_ACTIONS
    if not known or (TURN <= action < SKIP and not _can_turn(action - TURN)):
        raise PlaymillError(f"no action has the number {action}", f"действия с номером {action} нет")


def _can_turn(card: int) -> bool:
    """Whether a player can ever choose to turn a card over."""
    return CARD_IDS[card] not in FIXED_NEEDS


def _mistake(text: str, en: str, ru: str) -> PlaymillError:
    quoted = repr(text if len(text) <= 80 else text[:79] + "…")
    return PlaymillError(f"there is no action {quoted}: {en}", f"действия {quoted} нет: {ru}")
