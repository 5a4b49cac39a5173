"""Self-contained replay page, opened from a disk in a real browser."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterator
from dataclasses import replace
from html import unescape
from pathlib import Path
from typing import Any

import pytest

from common.found import FOLDERS
from common.pages import needs_chromium
from playmill import Game
from playmill.cli import main
from playmill.lab.replays.replay import record
from playmill.lab.replays.replay_file import save
from playmill.web.replay.replay_table import table_of
from playmill.web.replay.script_bundle import bundle
from playmill.web.replay.single_page import PieceTable, single_page_replay


def put_together(frames: list[list[int]], pieces: list[str]) -> Iterator[str]:
    before: list[int] = []
    for start, end, *between in frames:
        before = [*before[:start], *between, *(before[-end:] if end else [])]
        yield "".join(pieces[piece] for piece in before)


def test_pictures_come_back_from_their_pieces():
    dice, table = random.Random(3), PieceTable()
    shown = ["".join(f"<a{dice.randrange(4)}>" for _ in range(dice.randrange(1, 12))) for _ in range(200)]
    frames = table.put(shown)
    assert list(put_together(frames, table.pieces)) == shown
    assert len(set(table.pieces)) == len(table.pieces)


def test_scripts_become_one_without_imports():
    text = bundle("album")
    assert not re.search(r"^\s*(import|export)\b", text, re.MULTILINE)
    assert text.count("const module_morph =") == 1
    assert "</script" not in text


@pytest.fixture(scope="module")
def page_file(tmp_path_factory: pytest.TempPathFactory, games: dict[str, Game]) -> Path:
    """The page of a game of Pig, with its chances."""
    game = games["pig"]
    folder = tmp_path_factory.mktemp("album")
    save(folder / "pig.json", record(game, players=2, config=game.config(), seed=4, agents=["threshold"]))
    words = [str(folder / "pig.json"), "--game", str(FOLDERS["pig"]), "--html", str(folder / "pig.html")]
    assert main(["replay", *words, "--chances", "--mistakes"]) == 0
    return folder / "pig.html"


def test_the_page_names_no_other_place(page_file):
    text = unescape(page_file.read_text(encoding="utf-8"))
    assert re.findall(r"https?://[^\s\"'<]+", text) == ["http://www.w3.org/2000/svg"] * text.count("http://")
    assert "default-src 'none'" in text and "unsafe" not in text
    assert not re.search(r"<(link|img|iframe)\b", text)


def test_the_same_game_makes_the_same_page(games):
    game = games["pig"]
    made = record(game, players=2, config=game.config(), seed=9, agents=["threshold"])
    replay = replace(made, folder=str(FOLDERS["pig"]))
    assert single_page_replay(table_of(replay, "x"), "en") == single_page_replay(table_of(replay, "x"), "en")


@needs_chromium
def test_the_page_works_from_a_disk(browser: Any, page_file: Path):
    context = browser.new_context(viewport={"width": 1100, "height": 800}, offline=True)
    page = context.new_page()
    trouble: list[str] = []
    page.on("console", lambda message: trouble.append(message.text))
    page.on("pageerror", lambda error: trouble.append(str(error)))
    page.on("request", lambda asked: asked.url.startswith("file:") or trouble.append(asked.url))
    page.goto(f"{page_file.as_uri()}#7")
    page.wait_for_selector("#picture > svg")
    assert page.inner_text("#place").startswith("7 /")
    last = int(page.inner_text("#place").split("/")[1])
    page.keyboard.press("ArrowRight")
    assert page.inner_text("#place").startswith("8 /") and page.url.endswith("#8")
    before = page.inner_text("#turn")
    page.click("#language")
    page.wait_for_selector("html[lang=ru]")
    page.wait_for_selector("#picture > svg")
    assert page.inner_text("#place").startswith("8 /") and page.inner_text("#turn") != before
    assert "Шансы на победу" in page.inner_text("#chances") and page.locator("#chart path.line").count() == 2
    assert "Что сделал бы мастер" in page.inner_text("#analysis") and page.locator("#analysed tbody tr").count() == 2
    assert page.inner_text("#expert").startswith("Мастер")
    page.locator("#slider").fill(str(last - 3))
    page.locator("#speed").select_option("once")
    page.locator("#player").click(position={"x": 5, "y": 5})
    page.keyboard.press("Space")
    page.wait_for_selector("#verdict:visible")
    assert page.inner_text("#place").startswith(f"{last} /") and "Побеждает" in page.inner_text("#verdict")
    page.keyboard.press("t")
    assert page.evaluate("document.documentElement.dataset.theme") == "dark"
    context.close()
    assert trouble == []


@pytest.mark.parametrize("lang", ["en", "ru"])
@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["watch", "nothing.json"], {"en": "there is no such file", "ru": "такого файла нет"}),
        (["watch", "bad.json"], {"en": "it is not a replay", "ru": "это не запись партии"}),
        (["watch", "pig.json"], {"en": "--game FOLDER", "ru": "--game ПАПКА"}),
        (["replay", "pig.json", "--chances"], {"en": "--chances needs --html", "ru": "--chances требует --html"}),
        (["replay", "pig.json", "--html", "pig.json"], {"en": "pig.json", "ru": "pig.json"}),
    ],
)
def test_a_mistake_gets_one_sentence(page_file, monkeypatch, capsys, words, told, lang):
    monkeypatch.chdir(page_file.parent)
    (page_file.parent / "bad.json").write_text(json.dumps({"a": 1}), encoding="utf-8")
    assert main([*words, *(["--no-open", "--port", "0"] if words[0] == "watch" else []), "--lang", lang]) == 2
    said = capsys.readouterr().err
    assert told[lang] in said and said.count("\n") == 1
