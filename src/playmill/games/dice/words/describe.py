"""Title and actions of Dice in words: phrases, short texts (formatted and parsed), fields."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from playmill.author import PlaymillError, Text
from playmill.games.dice.actions import CHOOSE, CONTINUE, EVERY_DIE, FACE, MAX_ACTIONS, PASS, USE
from playmill.games.dice.config import Config
from playmill.games.dice.constants import DICE, PLAYERS
from playmill.games.dice.words.names import (
    dice_name,
    dice_set,
    entry_name,
    match_names,
    positions,
)

TITLE = Text("Dice", "Кости")
ABOUT = Text(
    "save what scores and dare to throw the rest, or pass before a bust takes the points of the turn",
    "сохраняй очковые кости и рискуй остальными или пасуй, пока провал не сжёг очки хода",
)

_FIRSTS = {"continue": CONTINUE, "pass": PASS, "use": USE, "choose": CHOOSE, "face": FACE}
_LETTERS = {"continue": "c", "pass": "p", "use": "u", "choose": "d", "face": "f"}
#: Letters of other keyboards that look like ours.
_LOOKALIKES = str.maketrans("ср", "cp")


class Action(NamedTuple):
    """An action taken apart: what is done, and with which dice, the item at which place, or to which face."""

    act: str
    number: int


def describe(config: Config, action: int) -> Text:
    """An action as a phrase that follows the name of its player."""
    act, number = _known(config, action)
    if act == "use":
        return _use(config, number)
    if act == "face":
        return Text(f"chooses the face {number}", f"выбирает грань {number}")
    dice = dice_name(number)
    if act == "choose":
        return Text(f"chooses {dice.en}", f"выбирает {dice.ru}")
    if act == "pass":
        return Text(f"saves {dice.en} and passes", f"сохраняет {dice.ru} и пасует")
    if number == EVERY_DIE:
        return Text(f"saves {dice.en} and throws them again", f"сохраняет {dice.ru} и бросает их снова")
    return Text(f"saves {dice.en} and throws the rest", f"сохраняет {dice.ru} и бросает остальные")


def _use(config: Config, place: int) -> Text:
    """The use of an item; where the players' items differ, which it is depends on who uses it."""
    names = [
        entry_name(config, entries[place]) if place < len(entries) else None for entries in match_names(config).usable
    ]
    found = [name for name in names if name is not None]
    if len(set(found)) == 1:
        return Text(f"uses {found[0].en}", f"использует {_quoted(found[0].ru)}")
    en = ", ".join(f"player {seat + 1}: {name.en}" for seat, name in enumerate(names) if name)
    ru = ", ".join(f"игрок {seat + 1}: {name.ru}" for seat, name in enumerate(names) if name)
    return Text(f"uses item {place + 1} ({en})", f"использует предмет {place + 1} ({ru})")


def _quoted(name: str) -> str:
    """A Russian name in quotes, which need no case."""
    return f"«{name}»"


def to_text(config: Config, action: int) -> str:
    """The short text form of an action, the same in all languages; `parse` reads it."""
    act, number = _known(config, action)
    numbers = {"use": [number + 1], "face": [number]}.get(act) or positions(number)
    return _LETTERS[act] + "".join(map(str, numbers))


def parse(config: Config, text: str) -> int:
    """The action of a text form; spaces, commas, capitals and the order of dice do not matter."""
    plain = "".join(text.replace(",", " ").lower().split()).translate(_LOOKALIKES)
    act = next((act for act, letter in _LETTERS.items() if plain[:1] == letter), None)
    digits = plain[1:]
    if act is None or not digits or not (digits.isascii() and digits.isdigit()):
        raise _no_action(text)
    if act == "use":
        return _parsed_use(config, text, digits)
    numbers = [int(digit) for digit in digits[: DICE + 1]]
    wrong = next((number for number in numbers if not 1 <= number <= DICE), None)
    if wrong is not None:
        raise _mistake(text, f"there is no die {wrong}; dice are 1 … {DICE}", f"кости {wrong} нет; кости: 1 … {DICE}")
    if act == "face":
        return _parsed_face(config, text, numbers)
    twice = next((number for place, number in enumerate(numbers) if number in numbers[:place]), None)
    if twice is not None:
        raise _mistake(text, f"die {twice} is named twice", f"кость {twice} названа дважды")
    action = _FIRSTS[act] + dice_set(numbers)
    if _taken_apart(config, action) is None:
        most = _most_chosen(config)
        raise _mistake(
            text,
            f"at most {most} dice can be chosen for an item" if most else "no item of this match lets one choose dice",
            f"для предмета выбирают не больше костей, чем {most}" if most else "ни один предмет матча не даёт выбора",
        )
    return action


def _parsed_face(config: Config, text: str, numbers: Sequence[int]) -> int:
    if len(numbers) == 1 and _asks_face(config):
        return FACE + numbers[0]
    raise _mistake(
        text,
        "one face is chosen, 'f1' … 'f6'" if _asks_face(config) else "no item of this match lets one choose a face",
        "выбирают одну грань, 'f1' … 'f6'" if _asks_face(config) else "ни один предмет матча не даёт выбрать грань",
    )


def _parsed_use(config: Config, text: str, digits: str) -> int:
    most = max(map(len, match_names(config).usable))
    place = int(digits) if len(digits) <= 3 else most + 1
    if 1 <= place <= most:
        return USE + place - 1
    raise _mistake(
        text,
        f"the items that can be used are 1 … {most}" if most else "no item of this match can be used",
        f"использовать можно предметы 1 … {most}" if most else "в этом матче нет предметов, которые можно использовать",
    )


def fields(config: Config, action: int) -> dict[str, object]:
    """An action as JSON-able fields: `act`, and the `dice` saved or chosen by position, the `face`, or the `item` used.

    `ids` are the ids of what lies at the item's place for player 1 and for player 2.
    """
    act, number = _known(config, action)
    if act == "face":
        return {"act": act, "face": number}
    if act != "use":
        return {"act": act, "dice": positions(number)}
    made = match_names(config)
    ids = [made.entries[entries[number]].content.id if number < len(entries) else None for entries in made.usable]
    return {"act": act, "item": number + 1, "ids": ids}


def _known(config: Config, action: int) -> Action:
    """An action taken apart; a number that stands for none under this config is an error."""
    found = _taken_apart(config, action)
    if found is None:
        raise PlaymillError(f"no action has the number {action}", f"действия с номером {action} нет")
    return found


def _taken_apart(config: Config, action: int) -> Action | None:
    if not 0 <= action < MAX_ACTIONS:
        return None
    if USE <= action < CHOOSE:
        place = action - USE
        return Action("use", place) if any(place < len(entries) for entries in match_names(config).usable) else None
    if action >= FACE:
        return Action("face", action - FACE) if action > FACE and _asks_face(config) else None
    dice = action & EVERY_DIE
    if dice == 0:
        return None
    if action >= CHOOSE:
        return Action("choose", dice) if dice.bit_count() <= _most_chosen(config) else None
    return Action("continue" if action < PASS else "pass", dice)


def _most_chosen(config: Config) -> int:
    """The most dice that can be chosen for any item of a match."""
    made = match_names(config)
    return max((made.cfg.chooses[entry] for player in range(PLAYERS) for entry in made.usable[player]), default=0)


def _asks_face(config: Config) -> bool:
    """Whether any item of a match lets its player choose a face."""
    made = match_names(config)
    return any(made.cfg.asks_face[entry] for player in range(PLAYERS) for entry in made.usable[player])


def _no_action(text: str) -> PlaymillError:
    return _mistake(
        text,
        "actions look like 'c134' (save dice 1, 3, 4 and continue), 'p134' (and pass), 'u2' (use item 2), "
        "'d12' (choose dice 1 and 2), 'f6' (choose the face 6)",
        "действия выглядят так: 'c134' (сохранить кости 1, 3, 4 и бросать дальше), 'p134' (и пас), "
        "'u2' (использовать предмет 2), 'd12' (выбрать кости 1 и 2), 'f6' (выбрать грань 6)",
    )


def _mistake(text: str, en: str, ru: str) -> PlaymillError:
    quoted = repr(text if len(text) <= 80 else text[:79] + "…")
    return PlaymillError(f"there is no action {quoted}: {en}", f"действия {quoted} нет: {ru}")
