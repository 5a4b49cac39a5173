"""Rules in words: how a text is filled in, what is marked, and what a mistake in it is told like."""

from __future__ import annotations

import dataclasses
import re
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from rich.console import Console

from playmill import Game, PlaymillError, load_game
from playmill.cli import main
from playmill.engine.check.check_game import CheckError, check_game
from playmill.engine.contract.modules import MODULES
from playmill.engine.contract.rulebook import Entry, Figure, Position, Words, render_rulebook
from playmill.lab.replays.rulebook import rulebook, rulebook_html, rulebook_page
from playmill.report.commands.rulebook import Picture, print_book
from playmill.texts import LANGUAGES

PIG = str(Path(__file__).parents[2] / "examples" / "pig")


@pytest.fixture
def made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Makes Pig with other rules in words, the same text in both languages unless two are given."""
    monkeypatch.syspath_prepend(tmp_path)

    def make(text: str, russian: str | None = None, **room: Any) -> Game:
        package = tmp_path / "told"
        package.mkdir(exist_ok=True)
        (package / "__init__.py").write_text("")
        sys.modules.pop("told", None)
        for lang, words in (("en", text), ("ru", text if russian is None else russian)):
            (package / f"rules.{lang}.md").write_text(words, encoding="utf-8")
        module = ModuleType("told.rulebook")
        module.__dict__.update({"PICTURES": {}, **room})
        module.__dict__.update(dict(MODULES["rulebook"].defaults(module)))
        return dataclasses.replace(load_game(PIG), rulebook=module, package="told")

    return make


def told(game: Game, *changes: str, lang: Any = "en") -> str:
    """The Markdown of the first part of some rules."""
    config = game.config().changed(changes) if changes else game.config()
    first = render_rulebook(game, config, lang)[0]
    assert isinstance(first, Words)
    return first.markdown


def test_numbers_come_from_the_config_and_say_what_they_normally_are(made: Any) -> None:
    game = made("First to {target} of {faces}.")
    assert told(game) == "First to 100 of 6."
    assert told(game, "target=50") == "First to **50** (normally 100) of 6."
    assert told(game, "target=50", lang="ru") == "First to **50** (обычно 100) of 6."


@pytest.mark.parametrize(
    ("number", "english", "russian"),
    [
        (1, "point", "очко"),
        (2, "points", "очка"),
        (5, "points", "очков"),
        (11, "points", "очков"),
        (21, "points", "очко"),
        (100, "points", "очков"),
        (112, "points", "очков"),
        (123, "points", "очка"),
    ],
)
def test_a_noun_has_the_form_its_number_needs(made: Any, number: int, english: str, russian: str) -> None:
    game = made("{target|point|points}", "{target|очко|очка|очков}")
    assert told(game, f"target={number}").strip("*").startswith(f"{number}\N{NO-BREAK SPACE}{english}")
    words = told(game, f"target={number}", lang="ru").strip("*").partition("\N{NO-BREAK SPACE}")[2]
    assert re.match(r"\w+", words)[0] == russian


def test_conditions_keep_what_holds_and_mark_what_is_not_the_standard(made: Any) -> None:
    text = "{if faces=6}\n- Six.\n{else}\n- Others.\n{end}\n{if not large}\nSmall.\n{end}\nAlways."
    game = made(text, terms=lambda config, lang: {"large": config.target > 500})
    assert told(game) == "- Six.\nSmall.\nAlways."
    assert told(game, "faces=8", "target=900") == "- **Changed:** Others.\nAlways."


def test_conditions_stand_within_each_other(made: Any) -> None:
    game = made("{if faces=6}\n{if target=100}\nA\n{else}\nB\n{end}\n{else}\nC\n{end}")
    assert told(game) == "A"
    assert told(game, "target=7").endswith("B")
    assert told(game, "faces=7").endswith("C")


def test_tables_and_lists_mark_the_cells_and_facts_that_changed(made: Any) -> None:
    game = made(
        "{table worth}\n{list things}",
        tables=lambda config, lang: {"worth": [["what", "worth"], ["win", str(config.target)], ["a|b", "1"]]},
        lists=lambda config, lang: {"things": [Entry("Die", [f"It has {config.faces} faces.", "It rolls."])]},
    )
    assert told(game).splitlines() == [
        "| what | worth |",
        "| --- | --- |",
        "| win | 100 |",
        r"| a\|b | 1 |",
        "- **Die** It has 6 faces. It rolls.",
    ]
    changed = told(game, "target=9", "faces=4")
    assert "| win | **9** (normally 100) |" in changed
    assert "- **Die** **It has 4 faces.** (normally It has 6 faces.) It rolls." in changed


def test_facts_that_come_and_go_are_marked(made: Any) -> None:
    def lists(config: Any, lang: str) -> dict[str, list[Entry]]:
        facts = ["It is large." if config.faces > 6 else "", "It is small." if config.faces < 7 else ""]
        return {"things": [Entry("Die", facts, [Entry("Face", [f"One of {config.faces}."])])]}

    game = made("{list things}", lists=lists)
    assert told(game) == "- **Die** It is small.\n  - **Face** One of 6."
    changed = told(game, "faces=8").splitlines()
    assert changed[0] == "- **Die** **Changed: It is large.** (normally It is small.)"
    assert changed[1] == "  - **Face** **One of 8.** (normally One of 6.)"


def test_the_head_lists_what_is_changed_and_what_it_normally_is(made: Any) -> None:
    game = made("Text.")
    first = rulebook(game, {"target": 50}, "en").parts[0]
    assert isinstance(first, Words) and "- `target`: 50 (normally 100)" in first.markdown
    first = rulebook(game, None, "en").parts[0]
    assert isinstance(first, Words) and "normally" not in first.markdown


def test_names_are_never_markup(made: Any) -> None:
    game = made("A {name}.", terms=lambda config, lang: {"name": "*b* [x](http://example.org) <i> ![y](z)"})
    html = rulebook_html(game)
    assert "*b* [x](http://example.org) &lt;i&gt; ![y](z)." in html
    assert "<em>" not in html and "<a " not in html and "<img" not in html


@pytest.mark.parametrize(
    ("text", "english", "russian"),
    [
        ("fine\n{nothing}", "rules.en.md, line 2: 'nothing' is neither", "rules.ru.md, строка 2: 'nothing'"),
        ("{table none}", "line 1: there is no table 'none'", "строка 1: table 'none' нет"),
        ("{if faces=6}\nx", "{if …} without {end}", "{if …} без {end}"),
        ("x\n{end}", "line 2: {end} without {if …}", "строка 2: {end} без {if …}"),
        ("![caption](nowhere)", "show the position 'nowhere'; PICTURES has: –", "показывают позицию 'nowhere'"),
    ],
)
def test_a_mistake_in_a_text_is_one_sentence(made: Any, text: str, english: str, russian: str) -> None:
    game = made(text)
    for lang, sentence in zip(LANGUAGES, (english, russian), strict=True):
        with pytest.raises(PlaymillError) as raised:
            rulebook(game, None, lang)
        assert sentence in raised.value.text.of(lang)


def test_two_texts_are_enough_without_a_module(made: Any) -> None:
    game = dataclasses.replace(made("First to {target}."), rulebook=None)
    assert told(game, "target=50") == "First to **50** (normally 100)."
    assert "First to" in rulebook_html(game)
    with pytest.raises(PlaymillError, match=r"rules\.en\.md, line 1: 'aim' is neither a name of terms nor a path"):
        told(dataclasses.replace(made("{aim}"), rulebook=None))
    one = dataclasses.replace(made("text"), rulebook=None)
    (Path(sys.path[0]) / "told" / "rules.ru.md").unlink()
    with pytest.raises(PlaymillError, match=r"has no rules\.ru\.md"):
        check_game(one)


def test_check_game_compares_both_languages(made: Any) -> None:
    with pytest.raises(CheckError, match="the same headings and pictures"):
        check_game(made("## One\n", "## Один\n### Ещё\n"), games=1)
    with pytest.raises(CheckError, match=r"missing in PICTURES of rulebook\.py: nowhere"):
        check_game(made("![x](nowhere)"), games=1)


def test_pictures_are_drawn_only_when_shown(made: Any) -> None:
    asked: list[int] = []

    def shows(config: Any, s: Any) -> bool:
        asked.append(1)
        return bool(s["total"].max() > 0)

    game = made("A\n\n![A **pot**.](pot)\n\nB", PICTURES={"pot": Position(shows)})
    assert render_rulebook(game, game.config(), "en")[1] == Figure("pot", "A **pot**.")
    book = rulebook(game)
    print_book(Console(width=60, quiet=True), book.title, book.about, book.parts, "en")
    assert not asked
    html = rulebook_html(game)
    assert asked and "<figcaption>A <strong>pot</strong>.</figcaption>" in html


def test_a_picture_that_a_config_never_comes_to_is_left_out(made: Any) -> None:
    game = made("![Never.](never)", PICTURES={"never": Position(lambda config, s: False)})
    picture = rulebook(game).parts[1]
    assert isinstance(picture, Picture) and picture.draw() is None
    assert "<figure" not in rulebook_html(game)


def test_names_in_pictures_clash_with_nothing_on_the_page() -> None:
    ids = re.findall(r'\bid="([^"]+)"', rulebook_page(PIG, None, "en"))
    assert len(ids) == len(set(ids)) and all(name.startswith("rules-") for name in ids)


def test_headings_begin_where_they_are_told() -> None:
    assert "<h4 id=" in rulebook_html(PIG, level=4) and "<h2" not in rulebook_html(PIG, level=4)


def test_a_game_without_a_text_says_so_and_tells_its_options(capsys: pytest.CaptureFixture[str]) -> None:
    bare = load_game(str(Path(PIG).with_name("leduc")))
    assert "no rules in words yet" in rulebook_html(bare)
    assert "Правил словами у этой игры пока нет" in rulebook_html(bare, lang="ru")
    for name, field in bare.config.model_fields.items():
        assert f"<code>{name}</code>" in rulebook_html(bare) and str(field.description) in rulebook_html(bare)


def test_the_command_prints_and_writes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rules", PIG, "--set", "target=50", "--lang", "en"]) == 0
    assert "50\N{NO-BREAK SPACE}points (normally 100)" in capsys.readouterr().out
    page = tmp_path / "pig.html"
    assert main(["rules", PIG, "--html", str(page), "--lang", "ru"]) == 0
    text = page.read_text(encoding="utf-8")
    assert 'lang="ru"' in text and text.count("<svg") == 3 and "Конец игры" in text
    assert "<script" not in text and "http" not in text.replace("http://www.w3.org/2000/svg", "")


def test_the_command_tells_mistakes_in_one_sentence(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for words, sentence in (
        (["rules", "chess"], "there is no game 'chess'"),
        (["rules", PIG, "--set", "goal=3"], "config has no 'goal'"),
        (["rules", PIG, "--html", "/dev/null/x.html"], "x.html"),
    ):
        assert main([*words, "--lang", "en"]) == 2
        err = capsys.readouterr().err
        assert sentence in err and err.count("\n") == 1
