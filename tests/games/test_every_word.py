"""Every game in words: text forms round-trip, both languages speak, nothing hidden is told."""

from __future__ import annotations

import importlib
import json
import pkgutil
import re
from collections.abc import Iterator
from types import ModuleType

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from common.effort import share
from common.interpreter import concealed
from common.language import CYRILLIC, LATIN, both, kept_to
from common.stock import Stock
from playmill.texts import LANGUAGES, Lang, PlaymillError, Text

# Actions


def test_text_form_of_every_action_is_read_back(stock: Stock) -> None:
    words = stock.game.words
    for config in stock.settings:
        actions = stock.meaningful(config)
        assert len({words.to_text(config, action) for action in actions}) == len(actions)
        for action in actions:
            assert words.parse(config, words.to_text(config, action)) == action
            both(words.describe(config, action))
            kept_to(words.describe(config, action).ru, "ru", stock.latin)


def test_short_forms_may_be_written_in_other_ways(shipped: Stock) -> None:
    words = shipped.game.words
    for config in shipped.settings:
        for action in shipped.meaningful(config):
            for text in shipped.respelt(words.to_text(config, action)):
                assert words.parse(config, text) == action, text


def test_every_option_of_many_games_has_words(stock: Stock) -> None:
    known = {id(config): set(stock.meaningful(config)) for config, _, _ in stock.played}
    for config, _, (_, legal, _, _) in stock.steps():
        assert set(legal) <= known[id(config)]
        assert all(stock.game.words.to_text(config, action) for action in legal)


@given(data=st.data())
@settings(deadline=None)
def test_nonsense_raises_one_sentence_that_quotes_it(stock: Stock, data: st.DataObject) -> None:
    text = data.draw(st.text(max_size=70) | stock.nearly)
    config, words = stock.settings[-1], stock.game.words
    try:
        action = words.parse(config, text)
    except PlaymillError as error:
        assert repr(text) in error.text.en and repr(text) in error.text.ru
        rest = Text(*(line.replace(repr(text), "") for line in error.text))
        both(rest)
        assert "\n" not in rest.en + rest.ru
    else:
        assert stock.means(text, words.to_text(config, action)), words.to_text(config, action)


def test_a_wrong_action_is_told_what_is_wrong(stock: Stock) -> None:
    for text, en, ru in stock.wrong:
        with pytest.raises(PlaymillError) as raised:
            stock.game.words.parse(stock.settings[-1], text)
        said = raised.value.text
        assert repr(text) in said.en and repr(text) in said.ru
        assert en in said.en and ru in said.ru


def test_a_very_long_text_is_quoted_in_part(shipped: Stock) -> None:
    for config in shipped.settings:
        with pytest.raises(PlaymillError) as raised:
            shipped.game.words.parse(config, "")
        usual = len(str(raised.value))
        for text in shipped.endless:
            with pytest.raises(PlaymillError) as raised:
                shipped.game.words.parse(config, text)
            assert len(str(raised.value)) < min(350, usual + 100)


def test_a_number_that_is_no_action_is_quoted(shipped: Stock) -> None:
    words = shipped.game.words
    for config in shipped.settings:
        known = set(shipped.meaningful(config))
        for action in range(-1, shipped.game.actions + 1):
            if action not in known:
                for function in (words.describe, words.to_text, words.fields):
                    with pytest.raises(PlaymillError, match=str(action)):
                        function(config, action)


def test_the_table_of_acts_has_every_id_of_the_rules(shipped: Stock) -> None:
    acts = shipped.game.words.ACTS
    assert len({repr(acts.decode(action)) for action in range(shipped.game.actions)}) == shipped.game.actions
    with pytest.raises(PlaymillError):
        acts.decode(shipped.game.actions)


def test_fields_are_plain_data_that_tell_actions_apart(stock: Stock) -> None:
    for config in stock.settings:
        actions = stock.meaningful(config)
        fields = [stock.game.words.fields(config, action) for action in actions]
        assert [json.loads(json.dumps(found)) for found in fields] == fields
        assert len({json.dumps(found) for found in fields}) == len(actions)


# Words


def rooms(stock: Stock) -> Iterator[ModuleType]:
    """All modules of a game."""
    package = importlib.import_module(stock.game.package)
    for found in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
        yield importlib.import_module(found.name)


def texts_in(room: ModuleType) -> Iterator[Text]:
    """The texts that stand in a module by themselves, in a tuple or in a dictionary."""
    for value in [value for name, value in vars(room).items() if name[:2] != "__"]:
        held = value.values() if isinstance(value, dict) else value if isinstance(value, tuple | list) else ()
        yield from (text for text in (value, *held) if isinstance(text, Text))


def test_every_text_speaks_both_languages(stock: Stock) -> None:
    found = 0
    for room in rooms(stock):
        for text in texts_in(room):
            if text.en not in stock.same and not text.en.isdecimal():  # a number is the same to everybody
                filled = Text(*(re.sub(r"\{[^{}]*\}", "", line) for line in text))
                assert re.search(LATIN, filled.en) and not re.search(CYRILLIC, filled.en), (room.__name__, text)
                assert re.search(CYRILLIC, filled.ru), (room.__name__, text)
                if room.__name__.rpartition(".")[2] in stock.spoken:
                    kept_to(filled.ru, "ru", stock.latin)
                found += 1
    assert found > 1


def test_the_game_has_a_title_and_a_sentence_about_it(stock: Stock) -> None:
    both(stock.game.title)
    both(stock.game.about)


def test_every_kind_of_decision_has_a_name_and_a_finished_game_has_none(shipped: Stock) -> None:
    words = shipped.game.words
    for _, _, (before, _, _, now) in shipped.steps():
        assert words.decision_kind(before) in words.DECISION_NAMES
        if now["player"] < 0:
            with pytest.raises(PlaymillError):
                words.decision_kind(now)
    for name in words.DECISION_NAMES.values():
        both(name)


# What a player sees


@pytest.mark.parametrize("lang", LANGUAGES)
def test_what_is_seen_is_plain_data_in_one_language(stock: Stock, lang: Lang) -> None:
    for config, players, (before, _, _, now) in stock.steps(60):
        for s in (before, now):
            for player in range(players):
                json.dumps(stock.game.words.seen(config, s, player, lang), allow_nan=False)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_what_is_seen_does_not_change_when_only_hidden_things_change(stock: Stock, lang: Lang) -> None:
    seen, changed = stock.game.words.seen, 0
    for number, (config, players, (before, _, _, _)) in enumerate(stock.steps(60)):
        for player in range(players):
            other = concealed(stock.game, config, players, before, player, number)
            changed += bool(other != before)
            assert seen(config, before, player, lang) == seen(config, other, player, lang)
    assert changed > share(20) or not stock.secret


# Events and positions


def test_every_step_of_many_games_is_told_in_both_languages(stock: Stock) -> None:
    words = stock.game.words
    for config, _, (before, _, action, now) in stock.steps():
        for event in words.events(config, before, now, action):
            if event.en not in stock.same:
                both(event)
                kept_to(event.ru, "ru", stock.latin)


def test_every_position_is_told_in_each_language(stock: Stock) -> None:
    for config, _, (before, _, _, now) in stock.steps(100):
        for s in (before, now):
            assert all(stock.game.words.position(config, s, lang).strip() for lang in LANGUAGES)
