"""Save Oneself in words: text forms round-trip, both languages speak, wrong forms are told what is wrong."""

from __future__ import annotations

import json
import re
from types import ModuleType

import pytest
from hypothesis import given
from hypothesis import strategies as st
from save_oneself_scenes import DEFAULT, games, set_up

from playmill import load_game
from playmill.games.save_oneself import board, drawing, names, panels, story, tale, view, words
from playmill.games.save_oneself.actions import MAX_ACTIONS, SKIP, TURN, WAIVE
from playmill.games.save_oneself.config import Config
from playmill.games.save_oneself.sides import NOBODY
from playmill.games.save_oneself.tables import CARD_IDS, FRONT, MAP_C, MAP_R, MIRAGE, PIRATES, SIDE_IDS, STORM
from playmill.texts import PlaymillError, Text

CYRILLIC, LATIN = "[А-Яа-яЁё]", "[A-Za-z]"
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


def both(text: Text) -> None:
    """Fails unless a text speaks both languages, each in its letters; SOS is the same in all."""
    assert re.search(LATIN, text.en) and not re.search(CYRILLIC, text.en), text
    russian = text.ru.replace("SOS", "ЗОВ")
    assert re.search(CYRILLIC, russian) and not re.search(LATIN, russian), text
    assert "{" not in text.en + text.ru, text


def meaningful() -> list[int]:
    """All actions there are."""
    found = []
    for action in range(MAX_ACTIONS):
        try:
            words.describe(DEFAULT, action)
        except PlaymillError:
            continue
        found.append(action)
    return found


# Actions


def test_text_form_of_every_action_is_read_back() -> None:
    actions = meaningful()
    assert len({words.to_text(DEFAULT, action) for action in actions}) == len(actions) == 18
    for action in actions:
        short = words.to_text(DEFAULT, action)
        assert words.parse(DEFAULT, short) == action
        assert words.parse(DEFAULT, f"  {' '.join(short.upper())}\n") == action
        assert words.parse(DEFAULT, short.replace("-", " ")) == words.parse(DEFAULT, short.replace("-", "_")) == action
        both(words.describe(DEFAULT, action))


def test_every_option_of_many_games_has_words() -> None:
    assert {option for _, (_, legal, _, _) in games() for option in legal} <= set(meaningful())


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


def test_letters_of_a_russian_keyboard_are_accepted() -> None:
    assert words.parse(DEFAULT, "Е") == words.parse(DEFAULT, "e")
    assert words.parse(DEFAULT, "Тurn rосks") == words.parse(DEFAULT, "turn rocks")
    assert words.parse(DEFAULT, "turn Воttlе") == words.parse(DEFAULT, "turn bottle")
    assert words.parse(DEFAULT, "wаivе") == WAIVE and words.parse(DEFAULT, "SКIР") == SKIP


@given(st.one_of(st.text(max_size=70), st.sampled_from(SIDE_IDS).map(lambda side: f"turn {side[1:]}")))
def test_nonsense_raises_one_sentence_that_quotes_it(text: str) -> None:
    try:
        action = words.parse(DEFAULT, text)
    except PlaymillError as error:
        assert repr(text) in error.text.en and repr(text) in error.text.ru
        assert "\n" not in error.text.en.replace(repr(text), "") and re.search(CYRILLIC, error.text.ru)
    else:
        assert action in meaningful()


@pytest.mark.parametrize(
    ("text", "en", "ru"),
    [
        ("", "actions look like 'n', 'e', 's', 'w'", "действия выглядят так: 'n', 'e', 's', 'w'"),
        ("north", "actions look like", "действия выглядят так"),
        ("rocks", "'turn rocks' (turn a card over)", "'turn rocks' (перевернуть карту)"),
        ("turn", "the cards that can be turned over are vines, hook,", "перевернуть можно карты vines, hook,"),
        ("turn stone", "the cards that can be turned over are vines, hook,", "перевернуть можно карты vines,"),
        ("turn storm", "Storm turns over by itself only", "«Шторм» переворачивается только сама собой"),
        ("turn compass", "Pirates turns over by itself only", "«Пираты» переворачивается только сама собой"),
    ],
)
def test_a_wrong_action_is_told_what_is_wrong(text: str, en: str, ru: str) -> None:
    with pytest.raises(PlaymillError) as raised:
        words.parse(DEFAULT, text)
    assert repr(text) in raised.value.text.en and en in raised.value.text.en and ru in raised.value.text.ru


def test_the_cards_that_are_listed_can_all_be_turned() -> None:
    with pytest.raises(PlaymillError) as raised:
        words.parse(DEFAULT, "turn over")
    listed = raised.value.text.en.partition(" are ")[2].split(", ")
    assert [words.parse(DEFAULT, f"turn {name}") for name in listed] == [a for a in meaningful() if TURN <= a < SKIP]


def test_a_very_long_text_is_quoted_in_part() -> None:
    for text in ("x" * 1_000_000, "turn " + "1" * 1_000_000):
        with pytest.raises(PlaymillError) as raised:
            words.parse(DEFAULT, text)
        assert len(str(raised.value)) < 350


@pytest.mark.parametrize("action", [-1, MAX_ACTIONS, TURN + STORM, TURN + MIRAGE, TURN + PIRATES, TURN + MAP_C])
def test_a_number_that_is_no_action_is_quoted(action: int) -> None:
    for function in (words.describe, words.to_text, words.fields):
        with pytest.raises(PlaymillError, match=str(action)):
            function(DEFAULT, action)


def test_fields_are_plain_data_that_tell_actions_apart() -> None:
    assert len({json.dumps(words.fields(DEFAULT, action)) for action in meaningful()}) == 18
    assert words.fields(DEFAULT, words.parse(DEFAULT, "s")) == {"act": "move", "direction": "south"}
    assert words.fields(DEFAULT, words.parse(DEFAULT, "turn rocks")) == {"act": "turn", "card": "rocks", "into": "sos"}
    assert words.fields(DEFAULT, WAIVE) == {"act": "waive"} and words.fields(DEFAULT, SKIP) == {"act": "skip"}


# Words


def test_the_title_is_that_of_the_page() -> None:
    game = load_game("save_oneself")
    assert game.title == Text("Save Oneself", "Спаси себя сам")
    both(game.about)


def test_every_side_has_the_names_of_the_page() -> None:
    assert len(names.SIDE_NAMES) == len(names.EMOJI) == len(set(names.SIDE_NAMES)) == len(set(names.EMOJI)) == 32
    for card, back in enumerate(CARD_IDS):
        emoji, russian, front, front_emoji, front_russian = PAGE[back]
        assert SIDE_IDS[card + FRONT] == front
        assert (names.EMOJI[card], names.SIDE_NAMES[card].ru) == (emoji, russian)
        assert (names.EMOJI[card + FRONT], names.SIDE_NAMES[card + FRONT].ru) == (front_emoji, front_russian)
    for side, name in zip(SIDE_IDS, names.SIDE_NAMES, strict=True):
        both(name)
        if not side.startswith("map"):
            assert name.en.lower().replace(" ", "-") == side


@pytest.mark.parametrize("room", [names, words, story, tale, board, panels, drawing, view])
def test_every_text_speaks_both_languages(room: ModuleType) -> None:
    for value in [value for name, value in vars(room).items() if name[:2] != "__"]:
        texts = value.values() if isinstance(value, dict) else value if isinstance(value, tuple) else (value,)
        for text in texts:
            if isinstance(text, Text):
                both(Text(*(re.sub("[{}]", "", line) for line in text)))


def test_all_that_is_said_of_a_card_speaks_both_languages() -> None:
    for config in (DEFAULT, Config.read({"cards": {"vines": {"lives": -1, "needs": [{"kind": "ship_waiting"}]}}})):
        for side in range(2 * FRONT):
            both(names.side_told(config, side))
        for card in range(FRONT):
            both(names.need_of(config, card))
            for text in (names.lives_told(config, card), *names.effects_of(config, card)):
                if text is not None:
                    both(text)


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


@pytest.mark.parametrize(
    ("count", "lives", "points", "cards", "moves"),
    [
        (1, "1 жизнь", "1 очко", "1 карта", "1 ход"),
        (2, "2 жизни", "2 очка", "2 карты", "2 хода"),
        (5, "5 жизней", "5 очков", "5 карт", "5 ходов"),
        (11, "11 жизней", "11 очков", "11 карт", "11 ходов"),
        (21, "21 жизнь", "21 очко", "21 карта", "21 ход"),
    ],
)
def test_numbers_and_nouns_agree(count: int, lives: str, points: str, cards: str, moves: str) -> None:
    plural = "" if count == 1 else "s"
    assert names.lives_word(count) == Text(f"{count} {'life' if count == 1 else 'lives'}", lives)
    assert names.points_word(count) == Text(f"{count} point{plural}", points)
    assert names.cards_word(count) == Text(f"{count} card{plural}", cards)
    assert names.moves_word(count) == Text(f"{count} move{plural}", moves)


def test_a_cell_has_the_letter_of_its_column_and_the_number_of_its_row() -> None:
    assert names.cell_name(27) == Text("D4", "Г4"), "where the first card lies"
    assert names.cell_name(0) == Text("A1", "А1") and names.cell_name(54) == Text("G7", "Ж7")
    assert names.row_name(-1) == names.row_name(7) == "" and names.column_name(7) == Text("", "")


def test_a_decision_is_named_by_its_kind_and_a_finished_game_has_none() -> None:
    s = set_up("rocks higher-ground*")
    assert words.decision_kind(s) == "move"
    s = set_up("rocks higher-ground*", turning=True)
    assert words.decision_kind(s) == "turn" and list(words.DECISION_NAMES) == ["move", "turn"]
    s["player"] = NOBODY
    with pytest.raises(PlaymillError):
        words.decision_kind(s)
