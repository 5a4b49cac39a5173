"""The picture of the table of Dice, looked at in a real browser, on a wide page and on a phone."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from dice_scenes import PLAIN, RICH, entry, logged, options, roll_of, table
from test_dice_view import full, hostile

from playmill.games.dice.config import Config
from playmill.games.dice.effects import BUSTED, NOTED, SHIELDED, THREW
from playmill.games.dice.rules import NOBODY
from playmill.games.dice.view import view
from playmill.texts import LANGUAGES, Lang

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="no Chromium is installed")


MERRY = Config.read(
    {"kit": "drinking_bout", "global_modifiers": ["merry_company", {"id": "town_tax", "enabled": False}]}
)


def positions() -> dict[str, tuple[Config, np.void]]:
    busy = table([1, 0, 5, 5, 0, 3], points=350, total=(1250, 3100), flags=(3, 1))
    busy = logged(
        busy,
        (THREW, 1 << 6 | 63, roll_of([2, 2, 3, 4, 6, 6])),
        (SHIELDED, 1, 0),
        (THREW, 1 << 6 | 63, roll_of([2, 2, 3, 4, 6, 3])),
        (BUSTED, 1, 450),
        (THREW, 0b101101, int(busy["roll"])),
        (NOTED, entry(RICH, "five_groats"), 50),
    )
    return {
        "plain": (PLAIN, table([1, 5, 2, 2, 3, 6])),
        "six ones": (PLAIN, table([1] * 6, points=350, total=(1250, 3100))),
        "ones and fives": (PLAIN, table([1, 5, 1, 5, 1, 5], points=350)),
        "busy": (RICH, busy),
        "locked": (MERRY, table([1, 3, 5, 5, 2, 2], locked=0b000101, flags=(7, 4), points=-50)),
        "two dice": (RICH, table([1, 3, 5, 5, 2, 2], player=1, choosing=1 + entry(RICH, "nimble_fingers"))),
        "one die": (RICH, table([1, 3, 5, 5, 2, 2], choosing=1 + entry(RICH, "sleight_of_hand"))),
        "over": (RICH, table([1, 3, 5, 5, 2, 2], player=NOBODY, winner=0, saved=1, total=(4100, 2000))),
        "hostile": (hostile(), table([1, 3, 5, 5, 2, 2], rolls=1)),
        "full": full(),
    }


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    from playwright.sync_api import sync_playwright

    flags = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--disable-background-networking", "--disable-sync"]
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=CHROMIUM, args=flags)
        yield chromium
        chromium.close()


LOOK = """() => {
    const svg = document.querySelector('svg').getBoundingClientRect();
    const texts = [...document.querySelectorAll('svg text')].map(node => {
        const box = node.getBoundingClientRect();
        const size = parseFloat(getComputedStyle(node).fontSize) * node.getScreenCTM().a;
        return {line: node.textContent, left: box.left, right: box.right, bottom: box.bottom,
                middle: (box.top + box.bottom) / 2, size};});
    const outside = texts.filter(t => t.left < svg.left || t.right > svg.right || t.bottom > svg.bottom);
    const clashes = [];
    texts.forEach((a, i) => texts.slice(i + 1).forEach(b => {
        const level = Math.abs(a.middle - b.middle) < Math.min(a.size, b.size) * 0.8;
        if (level && a.left < b.right - 1 && b.left < a.right - 1)
            clashes.push(a.line + ' | ' + b.line);}));
    return {outside: outside.map(t => t.line), clashes, smallest: Math.min(...texts.map(t => t.size)),
            wide: document.documentElement.scrollWidth, width: svg.width};}"""


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("width", [1100, 420])
def test_every_word_can_be_read(browser: Any, tmp_path: Path, lang: Lang, width: int) -> None:
    page = browser.new_page(viewport={"width": width, "height": 900})
    trouble: list[str] = []
    page.on("console", lambda message: trouble.append(message.text))
    page.on("pageerror", lambda error: trouble.append(str(error)))
    path = tmp_path / "page.html"
    page.on("request", lambda request: trouble.append(request.url) if request.url != path.as_uri() else None)
    for name, (config, s) in positions().items():
        legal = options(config, s)
        svg = view(config, s, max(0, int(s["player"])), legal, lang)
        path.write_text(f'<!doctype html><meta charset="utf-8"><body>{svg}', encoding="utf-8")
        page.goto(path.as_uri())
        seen = page.evaluate(LOOK)
        assert seen["outside"] == [] and seen["clashes"] == [], name
        assert seen["smallest"] > (8.5 if name == "full" else 9.5), name
        assert seen["wide"] <= width and seen["width"] > width * 0.9, name
        ids = page.evaluate("[...document.querySelectorAll('[data-a]')].map(node => +node.dataset.a)")
        assert sorted(ids) == legal, name
        hidden = page.evaluate(
            """() => [...document.querySelectorAll('[data-a]')].filter(node => {
                node.scrollIntoView({block: 'center'});
                const box = node.getBoundingClientRect();
                const hit = document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2);
                return !hit || hit.closest('[data-a]') !== node;}).map(node => node.dataset.a)"""
        )
        assert hidden == [], f"{name}: something lies over these"
    assert trouble == []
    page.close()
