"""Acts of Dice: short forms, phrases and fields of all that a player can do."""

from __future__ import annotations

from playmill.author import Text
from playmill.author.words import Act, Action, Acts, Argument
from playmill.games.dice.actions import CHOOSE, CONTINUE, EVERY_DIE, FACE, PASS, USE
from playmill.games.dice.config import Config
from playmill.games.dice.constants import DICE
from playmill.games.dice.words.names import dice_name, dice_set, entry_name, match_names, positions

#: Faces and sets of dice have their own numbers, and none of them is 0.
_SETS, _FACES = range(EVERY_DIE + 1), range(DICE + 1)


def _read_dice(config: Config, text: str) -> int | Text:
    """The set of dice at these positions, in any order."""
    numbers = [int(digit) for digit in text if digit != ","]
    wrong = next((number for number in numbers if not 1 <= number <= DICE), None)
    if wrong is not None:
        return Text("there is no die {0}; dice are 1 … {1}", "кости {0} нет; кости: 1 … {1}").format(wrong, DICE)
    twice = next((number for place, number in enumerate(numbers) if number in numbers[:place]), None)
    if twice is not None:
        return Text("die {} is named twice", "кость {} названа дважды").format(twice)
    return dice_set(numbers)


def _items(config: Config) -> range:
    """The places of the longer list of items."""
    return range(max(map(len, match_names(config).usable)))


def _read_item(config: Config, text: str) -> int | Text:
    if not _items(config):
        return Text("no item of this match can be used", "в этом матче нет предметов, которые можно использовать")
    return int(text) - 1 if len(text) <= 3 else -1


def _item_name(config: Config, place: int) -> Text:
    """An item by its name; where the players' items differ, which it is depends on who uses it."""
    names = [
        entry_name(config, entries[place]) if place < len(entries) else None for entries in match_names(config).usable
    ]
    found = [name for name in names if name is not None]
    if len(set(found)) == 1:
        return Text(found[0].en, f"«{found[0].ru}»")
    owned = Text("player {}: {}", "игрок {}: {}")
    listed = Text.join(owned.format(seat + 1, name) for seat, name in enumerate(names) if name)
    return Text("item {} ({})", "предмет {} ({})").format(place + 1, listed)


def _item_fields(config: Config, place: int) -> dict[str, object]:
    """The place of an item, and the ids of what lies there for player 1 and for player 2."""
    made = match_names(config)
    ids = [made.entries[entries[place]].content.id if place < len(entries) else None for entries in made.usable]
    return {"item": place + 1, "ids": ids}


def _item_kinds(config: Config, action: Action) -> dict[str, Text]:
    """That an item is used, and which it is or may be."""
    made = match_names(config)
    entries = [entries[action.item] for entries in made.usable if action.item < len(entries)]
    items = {f"item {made.entries[entry].content.id}": entry_name(config, entry) for entry in entries}
    return {"use": Text("use an item", "использовать предмет"), **items}


def _too_many(config: Config, action: Action) -> Text | None:
    made = match_names(config)
    most = max((made.cfg.chooses[entry] for entries in made.usable for entry in entries), default=0)
    if action.dice.bit_count() <= most:
        return None
    if not most:
        return Text("no item of this match lets one choose dice", "ни один предмет матча не даёт выбора")
    return Text("at most {} dice can be chosen for an item", "для предмета выбирают не больше костей, чем {}").format(
        most
    )


def _no_face(config: Config, action: Action) -> Text | None:
    made = match_names(config)
    if any(made.cfg.asks_face[entry] for entries in made.usable for entry in entries):
        return None
    return Text("no item of this match lets one choose a face", "ни один предмет матча не даёт выбрать грань")


def _continue(config: Config, action: Action) -> Text:
    if action.dice == EVERY_DIE:
        return Text("saves {dice} and throws them again", "сохраняет {dice} и бросает их снова")
    return Text("saves {dice} and throws the rest", "сохраняет {dice} и бросает остальные")


def _continue_kinds(config: Config, action: Action) -> dict[str, Text]:
    if action.dice == EVERY_DIE:
        return {"hot dice": Text("save all and throw all again", "сохранить все и бросить снова")}
    return {"continue": Text("save and throw the rest", "сохранить и бросить остальные")}


_DICE = {
    "dice": Argument(
        len(_SETS),
        lambda config, dice: "".join(map(str, positions(dice))),
        name=lambda config, dice: dice_name(dice),
        field=lambda config, dice: positions(dice),
        among=lambda config: _SETS[1:],
        read=_read_dice,
        pattern=",*[0-9][0-9,]*",
    )
}
_ITEM = Argument(
    CHOOSE - USE,
    plural=Text("the items that can be used", "предметы, которые можно использовать"),
    name=_item_name,
    field=_item_fields,
    among=_items,
    read=_read_item,
    pattern="[0-9]+",
)
_FACE = Argument(
    len(_FACES), [*map(str, _FACES)], Text("faces", "грани"), field=_FACES, among=lambda config: _FACES[1:]
)

ACTS = Acts(
    Act(CONTINUE, "c{dice}", _continue, _DICE, key="continue", kind=_continue_kinds),
    Act(
        PASS,
        "p{dice}",
        Text("saves {dice} and passes", "сохраняет {dice} и пасует"),
        _DICE,
        key="pass",
        kind=Text("save and pass", "сохранить и спасовать"),
    ),
    Act(USE, "u{item}", Text("uses {item}", "использует {item}"), {"item": _ITEM}, key="use", kind=_item_kinds),
    Act(
        CHOOSE,
        "d{dice}",
        Text("chooses {dice}", "выбирает {dice}"),
        _DICE,
        key="choose",
        why_not=_too_many,
        kind=Text("choose dice for an item", "выбрать кости для предмета"),
    ),
    Act(
        FACE,
        "f{face}",
        Text("chooses the face {face}", "выбирает грань {face}"),
        {"face": _FACE},
        key="face",
        why_not=_no_face,
        kind=Text("choose a face for an item", "выбрать грань для предмета"),
    ),
    examples=Text(
        "'c134' (save dice 1, 3, 4 and continue), 'p134' (and pass), 'u2' (use item 2), "
        "'d12' (choose dice 1 and 2), 'f6' (choose the face 6)",
        "'c134' (сохранить кости 1, 3, 4 и бросать дальше), 'p134' (и пас), "
        "'u2' (использовать предмет 2), 'd12' (выбрать кости 1 и 2), 'f6' (выбрать грань 6)",
    ),
)
describe, to_text, parse, fields = ACTS.describe, ACTS.to_text, ACTS.parse, ACTS.fields
