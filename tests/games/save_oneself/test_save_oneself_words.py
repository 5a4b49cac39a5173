"""Save Oneself in words: text forms round-trip, both languages speak, wrong forms are told what is wrong."""

from __future__ import annotations

import pytest
from save_oneself_scenes import DEFAULT, set_up
from save_oneself_stock import STOCK

from common.language import both, kept_to
from playmill import load_game
from playmill.games.save_oneself import words
from playmill.games.save_oneself.actions import SKIP, TURN, WAIVE
from playmill.games.save_oneself.config import Config
from playmill.games.save_oneself.constants import CARD_IDS, FRONT, MAP_C, MAP_R, MIRAGE, PIRATES, SIDE_IDS, STORM
from playmill.games.save_oneself.words import names
from playmill.texts import PlaymillError, Text

#: The sides as the rules page names them.
PAGE = {
    "vines": ("🌿", "Лианы", "shelter", "🏠", "Убежище"),
    "hook": ("🎣", "Крючок", "fish", "🐟", "Рыба"),
    "water": ("💧", "Вода", "waterfall", "🌊", "Водопад"),
    "flint": ("⚡", "Кремень", "torch", "🕯️", "Факел"),
    "palm-trees": ("🌴", "Пальмы", "coconuts", "🥥", "Кокосы"),
    "sticks": ("🥢", "Ветки", "spear", "🗡️", "Копьё"),
    "bottle": ("🍾", "Бутылка", "message", "📜", "Сообщение"),
    "higher-ground": ("⛰️", "Возвышенность", "lit-beacon", "🔥", "Костёр"),
    "telescope": ("🔭", "Подзорная труба", "ship-sighted", "🚢", "Корабль замечен"),
    "rocks": ("🧱", "Камни", "sos", "🆘", "SOS"),
    "pig": ("🐷", "Кабан", "meat", "🍽️", "Мясо"),
    "storm": ("🌧️", "Шторм", "tornado", "🌪️", "Торнадо"),
    "mirage": ("🌫️", "Мираж", "sea-serpent", "🐍", "Морской змей"),
    "pirates": ("🏴‍☠️", "Пираты", "compass", "🧭", "Компас"),
    "map-r": ("👈🗺️👉", "Карта сокровищ 1/2", "rum", "🥃", "Ром"),
    "map-c": ("👇🗺️☝️", "Карта сокровищ 2/2", "treasure", "💎", "Сокровище"),
}


def spoken(text: Text) -> None:
    """Fails unless a text speaks both languages, each in its letters; SOS is the same in all."""
    both(Text(text.en, text.ru.replace("SOS", "ЗОВ")))
    kept_to(text.ru, "ru", "SOS")


def meaningful() -> list[int]:
    """All actions there are."""
    return STOCK.meaningful(DEFAULT)


# Actions


def test_there_are_eighteen_actions() -> None:
    assert len(meaningful()) == 18
    assert not {TURN + STORM, TURN + MIRAGE, TURN + PIRATES, TURN + MAP_C} & set(meaningful())


@pytest.mark.parametrize(
    ("short", "en", "ru"),
    [
        ("n", "goes north", "идёт на север"),
        ("e", "goes east", "идёт на восток"),
        ("s", "goes south", "идёт на юг"),
        ("w", "goes west", "идёт на запад"),
        ("waive", "waives the rest of the moves", "отказывается от оставшихся ходов"),
        ("turn rocks", "turns Rocks into SOS", "переворачивает «Камни»: теперь это «SOS»"),
        (
            "turn higher-ground",
            "turns Higher ground into Lit beacon",
            "переворачивает «Возвышенность»: теперь это «Костёр»",
        ),
        (
            "turn map-r",
            "turns Row map and Column map into Rum and Treasure",
            "переворачивает «Карта сокровищ 1/2» и «Карта сокровищ 2/2»: теперь это «Ром» и «Сокровище»",
        ),
        ("skip", "turns nothing over", "ничего не переворачивает"),
    ],
)
def test_actions_look_as_documented(short: str, en: str, ru: str) -> None:
    action = words.parse(DEFAULT, short)
    assert words.to_text(DEFAULT, action) == short and words.describe(DEFAULT, action) == Text(en, ru)


def test_a_card_may_be_called_by_its_front_and_the_maps_by_either() -> None:
    for card, name in enumerate(CARD_IDS):
        front = SIDE_IDS[card + FRONT]
        if card not in (STORM, MIRAGE, PIRATES, MAP_C):
            assert words.parse(DEFAULT, f"turn {name}") == words.parse(DEFAULT, f"Turn {front}") == TURN + card
    for name in ("map-r", "map-c", "rum", "treasure", "MAP C"):
        assert words.parse(DEFAULT, f"turn {name}") == TURN + MAP_R


def test_the_cards_that_are_listed_can_all_be_turned() -> None:
    with pytest.raises(PlaymillError) as raised:
        words.parse(DEFAULT, "turn over")
    listed = raised.value.text.en.partition(" are ")[2].split(", ")
    assert [words.parse(DEFAULT, f"turn {name}") for name in listed] == [a for a in meaningful() if TURN <= a < SKIP]


def test_fields_of_actions() -> None:
    assert words.fields(DEFAULT, words.parse(DEFAULT, "s")) == {"act": "move", "direction": "south"}
    assert words.fields(DEFAULT, words.parse(DEFAULT, "turn rocks")) == {"act": "turn", "card": "rocks", "into": "sos"}
    assert words.fields(DEFAULT, WAIVE) == {"act": "waive"} and words.fields(DEFAULT, SKIP) == {"act": "skip"}


# Words


def test_the_title_is_that_of_the_page() -> None:
    game = load_game("save_oneself")
    assert game.title == Text("Save Oneself", "Спаси себя сам")
    spoken(game.about)


def test_every_side_has_the_names_of_the_page() -> None:
    assert len(names.SIDE_NAMES) == len(names.EMOJI) == len(set(names.SIDE_NAMES)) == len(set(names.EMOJI)) == 32
    for card, back in enumerate(CARD_IDS):
        emoji, russian, front, front_emoji, front_russian = PAGE[back]
        assert SIDE_IDS[card + FRONT] == front
        assert (names.EMOJI[card], names.SIDE_NAMES[card].ru) == (emoji, russian)
        assert (names.EMOJI[card + FRONT], names.SIDE_NAMES[card + FRONT].ru) == (front_emoji, front_russian)
    for side, name in zip(SIDE_IDS, names.SIDE_NAMES, strict=True):
        spoken(name)
        if not side.startswith("map"):
            assert name.en.lower().replace(" ", "-") == side


def test_all_that_is_said_of_a_card_speaks_both_languages() -> None:
    for config in (DEFAULT, Config.read({"cards": {"vines": {"lives": -1, "needs": [{"kind": "ship_waiting"}]}}})):
        for side in range(2 * FRONT):
            spoken(names.side_text(config, side))
        for card in range(FRONT):
            spoken(names.need_of(config, card))
            for text in (names.lives_text(config, card), *names.effects_of(config, card)):
                if text is not None:
                    spoken(text)


@pytest.mark.parametrize(
    ("card", "en", "ru"),
    [
        ("vines", "with Palm trees on the field", "при карте «Пальмы» на поле"),
        ("bottle", "while the ship waits at its corner", "пока корабль ждёт у своего угла"),
        (
            "higher-ground",
            "with Torch on the field, standing on Higher ground",
            "при карте «Факел» на поле, стоя на карте «Возвышенность»",
        ),
        ("storm", "by itself, at card 13", "сама, на 13-й карте"),
        ("map-r", "standing where the maps cross", "стоя на пересечении карт сокровищ"),
        ("map-c", "together with Row map", "вместе с картой «Карта сокровищ 1/2»"),
    ],
)
def test_when_a_card_turns_over_is_told_from_the_config(card: str, en: str, ru: str) -> None:
    assert names.need_of(DEFAULT, CARD_IDS.index(card)) == Text(en, ru)


def test_a_cell_has_the_letter_of_its_column_and_the_number_of_its_row() -> None:
    assert names.cell_name(27) == Text("D4", "Г4"), "where the first card lies"
    assert names.cell_name(0) == Text("A1", "А1") and names.cell_name(54) == Text("G7", "Ж7")
    assert names.row_name(-1) == names.row_name(7) == "" and names.column_name(7) == Text("", "")


def test_a_decision_is_a_move_or_a_turn() -> None:
    s = set_up("rocks higher-ground*")
    assert words.decision_kind(s) == "move"
    s = set_up("rocks higher-ground*", turning=True)
    assert words.decision_kind(s) == "turn" and list(words.DECISION_NAMES) == ["move", "turn"]
