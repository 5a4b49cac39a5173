"""The documentation as a site: every page is there in both languages, links lead somewhere, nothing is loaded."""

from __future__ import annotations

import random
import re
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from docsite import games, prose, reference
from docsite.build import settings
from docsite.seen import seen_page
from docsite.sources import navigation

import playmill
from common.pages import needs_chromium
from playmill import Game, State, check_game, game_names, load_game
from playmill.engine.check.check_game import CheckError
from playmill.engine.contract.game import folder_of
from playmill.engine.contract.observation_docs import group, unexplained, whole, word
from playmill.texts import LANGUAGES, Lang, Text

ROOT = Path(__file__).parent.parent
#: Games are short with these settings, and have something in every list.
SHORT = {
    "dice": {
        "target_score": 1500,
        "players": [{"items": ["bust_shield", "double_next_save"]}, {"modifiers": ["town_tax"]}],
        "global_modifiers": ["town_tax"],
        "global_items": ["double_next_save"],
    },
    "influence": {"map": "small", "round_limit": 4},
}


@pytest.mark.parametrize("lang", LANGUAGES)
def test_links_of_all_pages_lead_to_pages_headings_and_files(lang: Lang) -> None:
    files: dict[str, Path] = {}
    names = {"index" if name == "README" else name for name in prose.pages(ROOT)}
    written = {"index" if name == "README" else name: prose.page(ROOT, name, lang, files) for name in prose.pages(ROOT)}
    headings = {name: set(re.findall(r"\{#([\w-]+)\}$", text, re.MULTILINE)) for name, text in written.items()}
    for name, text in written.items():
        for link in re.findall(r"\]\(([^)\s]+)\)", "".join(part for part, fenced in prose.split(text) if not fenced)):
            place, _, anchor = link.partition("#")
            if place.startswith("files/"):
                assert place.removeprefix("files/") in files, f"{name}: {link}"
            elif "://" not in place:
                assert not place or place.removesuffix(".md") in names, f"{name}: {link}"
                assert not anchor or anchor in headings[place.removesuffix(".md") or name], f"{name}: {link}"
    assert all(path.is_file() for path in files.values())


@pytest.mark.parametrize("lang", LANGUAGES)
def test_links_with_an_anchor_lead_to_a_heading_where_pages_are_read_as_files(lang: Lang) -> None:
    """Whoever shows the repository makes an anchor of a heading's own words, Russian ones of Russian pages."""
    pages = [path for name in prose.pages(ROOT) if (path := prose.file_of(ROOT, name, lang)).exists()]
    wrong, met = [], 0
    for path in pages:
        told = path.read_text(encoding="utf-8")
        for link in re.findall(
            r"\]\(([^)\s]*#[^)\s]+)\)", "".join(part for part, fenced in prose.split(told) if not fenced)
        ):
            place, _, anchor = link.partition("#")
            if "://" not in place:
                met += 1
                there = (path.parent / place).read_text(encoding="utf-8") if place else told
                if anchor not in prose.anchors(there):
                    wrong.append(f"{path.relative_to(ROOT)}: {link}")
    assert wrong == []
    assert met > 20


def test_an_anchor_is_made_of_the_words_of_a_heading() -> None:
    page = "# Чего правилам нельзя\n## `results` в `dice`\n```text\n# none\n```\n## rules.py: ещё — раз\n## A\n## A\n"
    assert prose.anchors(page) == ["чего-правилам-нельзя", "results-в-dice", "rulespy-ещё--раз", "a", "a-1"]


def test_every_page_stands_in_the_contents_once(tmp_path: Path) -> None:
    for name in (*prose.pages(ROOT), "brand_new"):
        (tmp_path / "en").mkdir(exist_ok=True)
        (tmp_path / "en" / f"{'index' if name == 'README' else name}.md").write_text(f"# {name}")
    shown = re.findall(r"'([\w/]+)\.md'", str(navigation(tmp_path, "en")))
    assert len(shown) == len(set(shown))
    assert {"index" if name == "README" else name for name in prose.pages(ROOT)} | {"brand_new"} <= set(shown)


def translated() -> list[str]:
    return [name for name in prose.pages(ROOT) if prose.file_of(ROOT, name, "ru").exists()]


@pytest.mark.parametrize("name", translated())
def test_a_russian_page_has_the_commands_and_headings_of_the_english_one(name: str) -> None:
    """So that what is run for the English page (`test_docs.py`) holds for the Russian one."""
    english, russian = (prose.file_of(ROOT, name, lang).read_text(encoding="utf-8") for lang in LANGUAGES)
    blocks = [[part for part, fenced in prose.split(text) if fenced] for text in (english, russian)]
    assert len(blocks[0]) == len(blocks[1])
    for pair in zip(*blocks, strict=True):
        assert prose.same_block(*pair), f"tools/docs.py --blocks copies them from the English page: {pair}"
    levels = [[level for level, _ in prose.headings(text)] for text in (english, russian)]
    assert levels[0] == levels[1]
    rows = [len(re.findall(r"^\|", text, re.MULTILINE)) for text in (english, russian)]
    assert rows[0] == rows[1]
    assert len(re.findall(r"[а-яё]", russian)) > len(english) / 5


def test_only_comments_and_outputs_of_a_block_are_translated() -> None:
    for english, russian, same in (
        ("```sh\nmake   # it all\n```", "```sh\nmake   # всё\n```", True),
        ("```sh\nmake   # it all\n```", "```sh\nmake test   # всё\n```", False),
        ("```text\nWho wins\n```", "```text\nКто побеждает\n```", True),
        ("```text\nWho wins\n```", "```text\nWho won\n```", False),
        ("```text\n0.5\n```", "```text\n0,5\n```", True),
        ("```python\nx = 1\n```", "```python\nя = 1\n```", False),
        ("```python\nx = 1  # one\n```", "```python\nx = 1  # один\n```", True),
        ("```python\n# one.py\nx = 1\n```", "```python\n# один.py\nx = 1\n```", False),
        ("```python\nx = 1  # one\n```", "```sh\nx = 1  # один\n```", False),
    ):
        assert prose.same_block(english, russian) == same, russian


def test_no_russian_page_is_of_a_page_that_is_gone() -> None:
    assert {path.stem for path in (ROOT / "docs" / "ru").glob("*.md")} <= set(prose.pages(ROOT))


@pytest.mark.parametrize("name", game_names())
def test_what_an_agent_sees_is_explained_key_by_key(name: str) -> None:
    game = load_game(name)
    assert game.legend is not None
    chance, met = random.Random(name), set[str]()
    for number in range(3):
        state = State(game, config=SHORT.get(name), seed=1, number=number, interpreted=True)
        while True:
            if state.is_terminal() or state.decisions % 5 == number:
                for player in range(state.players):
                    seen = game.words.seen(state.config, state.record, player, "en")
                    assert list(unexplained(game.legend.SEEN, seen, state.config, met)) == []
            if state.is_terminal():
                break
            state.apply_action(chance.choice(state.legal_actions()))
    # What these few games have not shown is at least told by the game.
    told = "".join(path.read_text(encoding="utf-8") for path in folder_of(game).rglob("*.py") if path.stem != "legend")
    for path in set(game.legend.SEEN) - met:
        assert f'"{re.split(r"[.]", path)[-1].strip("[]{}")}"' in told, path
    for lang in LANGUAGES:
        page = seen_page(game, lang)
        assert page is not None
        assert game.legend.NUMBERING.of(lang) in page
        assert all(f"| `{path}` |" in page and one.about.of(lang) in page for path, one in game.legend.SEEN.items())


def test_a_legend_knows_what_is_missing_and_what_is_out_of_range() -> None:
    some = Text("x", "x")
    legend = {"turn": whole(some, 1, lambda config: config), "who[]": group(some), "who[].kind": word(some, "a", "b")}
    assert list(unexplained(legend, {"turn": 3, "who": [{"kind": "a"}]}, 5)) == []
    wrong = {"turn": 6, "who": [{"kind": "c", "new": 1}], "extra": None}
    told = ["turn is 6", "who[].kind is 'c'", "who[].new is not explained", "extra is not explained"]
    assert [text.en for text in unexplained(legend, wrong, 5)] == told
    assert [text.en for text in unexplained(legend, {"turn": True}, 5)] == ["turn is True"]


def test_check_says_which_key_of_seen_nobody_explains(pig: Game) -> None:
    legend = SimpleNamespace(SEEN={"pot": whole(Text("x", "x"))}, NUMBERING=Text("x", "x"))
    with pytest.raises(CheckError, match=r"SEEN of legend\.py must explain what `seen` tells") as told:
        check_game(replace(pig, legend=legend), games=1)
    assert "is not explained" in str(told.value)
    assert "не объяснён" in told.value.text.ru


@pytest.mark.parametrize("name", game_names())
def test_the_page_of_a_config_has_every_setting(name: str) -> None:
    game = load_game(name)
    english, russian = (games.config_page(game, lang) for lang in LANGUAGES)
    assert english.count("| `") == russian.count("| `") >= len(game.config.model_fields) // 2
    assert "e+0" not in english


def test_the_reference_has_every_public_name_with_its_docstring() -> None:
    pages = reference.pages("en")
    told = "\n".join(pages.values())
    for name in set(playmill.__all__) - {"__version__"}:
        assert f"## `{name}` " in told, name
    assert "Plays games first … games-1 of a run and returns estimates with their intervals." in told
    assert "### `State.apply_action`" in told
    assert "- `results: dict[str, Any]`" in told


def test_the_site_is_told_to_load_nothing_from_elsewhere(tmp_path: Path) -> None:
    for lang in LANGUAGES:
        made = settings(lang, tmp_path, tmp_path)
        assert made["theme"]["font"] is False
        assert "offline" in made["plugins"]
        own = {one["lang"]: one["link"] for one in made["extra"]["alternate"]}[lang]
        assert own == "./", "the other language lies elsewhere, not this one"
        assert "://" not in str({key: value for key, value in made.items() if not key.endswith("_dir")})
    for path in (ROOT / "tools" / "docsite").rglob("*"):
        if path.suffix in (".js", ".css", ".html"):
            assert "://" not in path.read_text(encoding="utf-8"), path.name


#: What is typed into the search of the site, and what it is asked for.
QUESTIONS = {
    "keep": "keep keep^1",
    "--keep": "text:keep text:keep^1",
    "прогоны --keep": "прогоны прогоны^1 text:keep text:keep^1",
    "--until-sure": "text:until text:until^1 text:sure text:sure^1",
    "--set hand_size=3": "text:set hand_size=3",
    "dice -grid": "dice -grid",
}


@needs_chromium
def test_the_search_is_asked_for_the_words_of_an_option(browser: Any) -> None:
    page = browser.new_page()
    page.evaluate("() => { Worker.prototype.postMessage = message => { window.asked = message.data } }")
    page.add_script_tag(path=ROOT / "tools" / "docsite" / "assets" / "iframe-worker.js")
    ask = "data => (Object.create(Worker.prototype).postMessage({ type: 2, data }), window.asked)"
    assert {typed: page.evaluate(ask, typed) for typed in QUESTIONS} == QUESTIONS
    page.close()


@pytest.mark.skipif(find_spec("material") is None, reason="the site is built by MkDocs Material: make docs")
def test_the_site_builds_without_a_warning(tmp_path: Path) -> None:
    import docs

    assert docs.main(["--out", str(tmp_path / "site")]) == 0
    assert (tmp_path / "site" / "search" / "search_index.js").exists()
    page = (tmp_path / "site" / "ru" / "play.html").read_text(encoding="utf-8")
    assert 'href="./../play.html"' in page
    assert "https://" not in "".join(re.findall(r'<(?:script|link|img)[^>]+(?:src|href)="([^"]+)"', page))
