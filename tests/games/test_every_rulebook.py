"""The rules in words of every game: complete, in both languages, and with no number that the config does not say."""

from __future__ import annotations

import re
from collections.abc import Iterator
from io import StringIO
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from rich.cells import cell_len
from rich.console import Console

from common.found import GAMES, game_of
from common.rulebooks import Checklist, checklist_of
from playmill import Game, PlaymillError, game_names
from playmill.engine.config.model import RuleConfig, value_at
from playmill.engine.contract.rulebook import Words, render_rulebook
from playmill.lab.replays.rulebook import rulebook
from playmill.report.commands.rulebook import Picture, print_book
from playmill.texts import LANGUAGES, Lang

TOLD = [name for name in GAMES if game_of(name).rulebook is not None]
SWITCH = re.compile(r"\{(if|else|end|table|list)\b[^{}]*\}")


@pytest.fixture(params=TOLD)
def game(request: pytest.FixtureRequest) -> Game:
    return game_of(request.param)


@pytest.fixture
def checklist(game: Game) -> Checklist:
    return checklist_of(game.name)


def text_of(game: Game, lang: Lang, config: RuleConfig | None = None) -> str:
    """All words of the rules, captions too, on one line."""
    parts = render_rulebook(game, config or game.config(), lang)
    words = " ".join(part.markdown if isinstance(part, Words) else part.caption for part in parts)
    return re.sub(r"\\(\W)", r"\1", " ".join(words.replace("\N{NO-BREAK SPACE}", " ").split()))


def source_of(game: Game, lang: Lang) -> str:
    assert game.rulebook and game.rulebook.__file__
    return (Path(game.rulebook.__file__).parent / f"rules.{lang}.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_clause_of_the_rules_has_its_counterpart(game: Game, checklist: Checklist, lang: Lang) -> None:
    text = text_of(game, lang)
    missing = [
        clause
        for clause, patterns in checklist.clauses.items()
        if not re.search(patterns[LANGUAGES.index(lang)], text, re.IGNORECASE)
    ]
    assert missing == []


@pytest.mark.parametrize("lang", LANGUAGES)
def test_no_number_is_typed_that_a_config_decides(game: Game, checklist: Checklist, lang: Lang) -> None:
    typed = re.sub(r"\{[^{}]*\}|^\d+\. |^### \d+\.|`[^`]*`", "", source_of(game, lang), flags=re.MULTILINE)
    assert set(re.findall(r"\d+", typed)) <= checklist.typed


def leaves(data: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    """Every number and switch of a config, by its path."""
    if isinstance(data, dict):
        for key, value in data.items():
            yield from leaves(value, f"{path}.{key}" if path else key)
    elif isinstance(data, list) and data and all(isinstance(one, dict) and "id" in one for one in data):
        for one in data:
            yield from leaves({key: value for key, value in one.items() if key != "id"}, f"{path}.{one['id']}")
    elif isinstance(data, list):
        for place, one in enumerate(data):
            yield from leaves(one, f"{path}.{place}")
    elif isinstance(data, int):
        yield path, data


def changed(config: RuleConfig, path: str, value: int) -> RuleConfig | None:
    """The config with another value there; None where no other one is allowed by itself."""
    tries = ["false" if value else "true"] if isinstance(value, bool) else [value + 1, value - 1, value + 2, value - 2]
    for one in tries:
        try:
            return config.changed([f"{path}={one}"])
        except PlaymillError:
            continue
    return None


def test_every_number_and_switch_of_the_config_is_told(game: Game, checklist: Checklist) -> None:
    """Whatever is changed, both texts change with it and say what it normally is, or it is known to be untold."""
    config = game.config()
    normal = {lang: text_of(game, lang) for lang in LANGUAGES}
    silent = []
    for path, value in leaves(config.model_dump(mode="json")):
        other = changed(config, path, value)
        if other is None or any(re.fullmatch(pattern, path) for pattern in checklist.untold):
            continue
        for lang, marks in (("en", ("normally", "Changed:")), ("ru", ("обычно", "Изменено:"))):
            text = text_of(game, lang, other)
            if text == normal[lang] or not any(mark in text for mark in marks):
                silent.append(f"{path} ({lang})")
            assert "****" not in text, path
    assert silent == []


def test_nothing_is_said_to_be_untold_that_is_not_there(game: Game, checklist: Checklist) -> None:
    paths = [path for path, _ in leaves(game.config().model_dump(mode="json"))]
    assert [one for one in checklist.untold if not any(re.fullmatch(one, path) for path in paths)] == []


def test_both_languages_have_the_same_slots_and_headings(game: Game) -> None:
    def outline(lang: Lang) -> list[str]:
        text = source_of(game, lang)
        return re.findall(r"^#+(?= )|\{(?:if|else|end|table|list)\b[^{}]*\}|(?<=\]\()\w+(?=\))", text, re.MULTILINE)

    def told(lang: Lang) -> set[str]:
        """The values of the config that a text speaks of."""
        slots = re.findall(r"\{([^{}|]+)", SWITCH.sub("", source_of(game, lang)))
        return {slot for slot in slots if slot.split(".")[0] in type(game.config()).model_fields}

    assert outline("en") == outline("ru")
    assert told("en") == told("ru")


#: The last section of the rules of our own games, with how it names a setting.
DECIDED: dict[Lang, tuple[str, str]] = {
    "en": ("## What this edition decides", r"Settings?\s+"),
    "ru": ("## Что решает это издание", r"Настройк[аи]\s+"),
}


@pytest.mark.parametrize("name", game_names())
def test_the_rules_end_with_what_this_edition_decides_and_its_settings(name: str) -> None:
    game = game_of(name)
    settings = {}
    for lang, (heading, names) in DECIDED.items():
        text = source_of(game, lang)
        assert re.findall(r"^## .*", text, re.MULTILINE)[-1] == heading
        section = text.partition(heading)[2]
        entries = re.split(r"^- ", SWITCH.sub("", section), flags=re.MULTILINE)[1:]
        assert len(entries) >= 3 and all(entry.startswith("**") for entry in entries)
        settings[lang] = [re.findall("`([^`]+)`", entry) for entry in entries]
        for entry, paths in zip(entries, settings[lang], strict=True):
            assert bool(paths) == bool(re.search(names + "`", entry)), entry
            for path in paths:
                value_at(game.config().model_dump(mode="json"), path)
    assert settings["en"] == settings["ru"]


def test_english_has_no_russian_letters_and_russian_no_english_words(game: Game, checklist: Checklist) -> None:
    assert not re.search("[А-Яа-яЁё]", text_of(game, "en"))
    plain = re.sub(r"`[^`]*`|RWD\d+|END\d", "", text_of(game, "ru"))
    assert set(re.findall(r"[A-Za-z]{2,}", plain)) <= checklist.latin


@pytest.mark.parametrize("lang", LANGUAGES)
def test_it_is_readable_in_sixty_columns(game: Game, lang: Lang) -> None:
    book = rulebook(game, None, lang)
    console = Console(width=60, record=True, file=StringIO(), highlight=False)
    print_book(console, book.title, book.about, book.parts, lang)
    lines = console.export_text().splitlines()
    assert max(cell_len(line.rstrip()) for line in lines) <= 60
    assert not [line for line in lines if "**" in line or "{" in line or re.search(r"\\[*_|]", line)]


def test_every_picture_is_drawn_from_a_real_position(game: Game) -> None:
    pictures = [part for part in rulebook(game, None, "en").parts if isinstance(part, Picture)]
    assert len(pictures) >= 3
    drawn = [picture.draw() for picture in pictures]
    assert None not in drawn
    assert len(set(drawn)) == len(drawn)
    for svg in drawn:
        assert svg is not None and "data-a=" not in svg
        ElementTree.fromstring(svg)
