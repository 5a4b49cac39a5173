"""The content that comes with the game: what must be there, in both languages, and that it uses all there is."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, get_args

import pytest

from playmill.games.dice.content import ActiveItem, Modifier, PassiveItem, entries, library
from playmill.games.dice.content.conditions import AllOf, AnyOf, Condition, Not
from playmill.games.dice.content.effects import EFFECT_KINDS, SELECTORS

LIBRARY = library()
BY_ID: dict[str, Any] = {entry.id: entry for entry in (*LIBRARY.modifiers, *LIBRARY.items, *LIBRARY.dice)}
KITS = {kit.id: kit for kit in LIBRARY.kits}


def conditions(entry: Any) -> Iterator[Any]:
    condition = entry.activate_condition if isinstance(entry, ActiveItem) else entry.condition
    if condition is not None:
        yield from condition.nodes()


def test_there_is_enough() -> None:
    active = [item for item in LIBRARY.items if isinstance(item, ActiveItem)]
    assert len(LIBRARY.modifiers) >= 14
    assert len(LIBRARY.items) >= 14 and len(active) >= 7 and len(LIBRARY.items) - len(active) >= 5
    assert len(LIBRARY.dice) >= 12
    assert library() is LIBRARY


def test_the_two_items_of_the_page() -> None:
    shield, double = BY_ID["bust_shield"], BY_ID["double_next_save"]
    assert (shield.type, shield.cooldown_turns, shield.activate_condition) == ("active", 6, None)
    assert shield.model_dump(mode="json")["effect"] == [{"set_flag": "bust_shield"}]
    assert (double.type, double.cooldown_turns, double.activate_condition) == ("active", 4, None)
    assert double.model_dump(mode="json")["effect"] == [{"set_flag": "double_next_save"}]


def test_the_three_dice_of_the_page() -> None:
    assert BY_ID["fair"].weights == (1, 1, 1, 1, 1, 1)
    assert BY_ID["loaded_ones"].weights == (5, 1, 1, 1, 1, 1)
    assert BY_ID["evil"].weights == (1, 3, 3, 3, 1, 3)


@pytest.mark.parametrize(
    ("trigger", "condition", "effect"),
    [
        ("on_roll", {"count": {"face": 6, "at_least": 3}}, [{"add": -300}]),
        ("on_roll", None, [{"add_per_die": {"face": 5, "points": 25}}]),
        ("on_pass", None, [{"percent": -10}]),
        ("on_pass", {"turn_points": {"at_least": 300}}, [{"add": 50}]),
    ],
)
def test_the_modifiers_of_the_page(trigger: str, condition: Any, effect: Any) -> None:
    dumps = [modifier.model_dump(mode="json") for modifier in LIBRARY.modifiers]
    assert any(
        (data["trigger"], data.get("condition"), data["effect"]) == (trigger, condition, effect) for data in dumps
    )


def test_every_condition_is_used() -> None:
    used = {node.kind for entry in (*LIBRARY.modifiers, *LIBRARY.items) for node in conditions(entry)}
    union = get_args(Condition.__value__)[0]
    kinds = {next(iter(get_args(model)[0].model_fields)).rstrip("_") for model in get_args(union)}
    assert used == kinds and {"all", "any", "not"} <= kinds and len(kinds) == 20


def test_every_effect_and_selector_is_used() -> None:
    effects = [effect for entry in (*LIBRARY.modifiers, *LIBRARY.items) for effect in entry.effect]
    assert {effect.kind for effect in effects} == set(EFFECT_KINDS)
    assert {effect.value.dice for effect in effects if hasattr(effect.value, "dice")} == set(SELECTORS)
    assert {modifier.trigger for modifier in LIBRARY.modifiers} == {"on_roll", "on_pass"}
    triggers = {trigger for item in LIBRARY.items if isinstance(item, PassiveItem) for trigger in item.triggers}
    assert triggers == {"on_roll", "on_save", "on_pass"}
    assert {die.rarity for die in LIBRARY.dice} == {"common", "uncommon", "rare", "legendary"}


def test_marks_and_names_tell_entries_apart() -> None:
    assert len({die.code for die in LIBRARY.dice}) == len(LIBRARY.dice)
    for lang in ("en", "ru"):
        assert len({entry.name.of(lang) for entry in BY_ID.values()}) == len(BY_ID)


@pytest.mark.parametrize("name", [*BY_ID, *KITS])
def test_texts_are_in_their_languages(name: str) -> None:
    entry = BY_ID.get(name) or KITS[name]
    for field in ("name", "desc", "note", "notification", "theme"):
        phrase = getattr(entry, field, None)
        if phrase is None:
            continue
        assert not re.search("[а-яёА-ЯЁ]", phrase.en), phrase
        assert re.search("[а-яё]", phrase.ru) and not re.search("[a-zA-Z]", phrase.ru), phrase
    assert entry.desc.en.endswith(".") and entry.desc.ru.endswith(".")
    assert not entry.name.en.endswith(".")


def test_the_list_for_people() -> None:
    listed = {entry.id: entry for entry in entries(LIBRARY)}
    assert list(listed) == [*BY_ID, *(flag.id for flag in LIBRARY.flags), *KITS]
    assert [listed[flag.id].detail.en for flag in LIBRARY.flags] == [
        "for 5 turns, this one counted",
        "for 3 turns, this one counted",
        "until used",
    ]
    assert listed["merry_company"].detail == (
        "on a roll (the flag “merry” and a roll that scores): +40 points",
        "при броске (есть «навеселе» и бросок с очками): +40 очков",
    )
    assert listed["tavern"].detail == (
        "for both: Five Groats, Town Tax, Innkeeper's Tip; each player: Bust Shield",
        "для обоих: Пять грошей, Городской налог, Чаевые трактирщика; каждому игроку: Щит от провала",
    )
    assert listed["bust_shield"].detail == (
        "active, cooldown 6 turns: the next bust is cancelled",
        "активный, перезарядка 6 ходов: следующий провал отменяется",
    )
    assert listed["mark_of_the_beast"].detail == (
        "on a roll (three or more sixes in the roll): −300 points",
        "при броске (не меньше трёх шестёрок в броске): −300 очков",
    )
    assert listed["guild_ledger"].detail.en == "passive, on a save, on passing (three or more dice saved): +10 points"
    assert listed["loaded_ones"].detail.en.startswith("5:1:1:1:1:1, legendary; ")
    assert listed["fair"].kind == "dice" and listed["fair"].name == ("Fair Die", "Честная кость")
    for entry in listed.values():
        assert re.search("[а-я]", entry.detail.ru) and not re.search("[a-z]", entry.detail.ru), entry
        assert "\n" not in entry.detail.en


def test_conditions_hold_their_parts() -> None:
    for entry in LIBRARY.modifiers:
        assert isinstance(entry, Modifier)
        for node in conditions(entry):
            assert isinstance(node, AllOf | AnyOf | Not) == (node.kind in ("all", "any", "not"))
