"""The picture of Save Oneself, looked at in a real browser, on a wide page and on a phone."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from save_oneself_scenes import DEFAULT, LONG, games, options, set_up

from playmill.games.save_oneself import sides
from playmill.games.save_oneself.config import Config
from playmill.games.save_oneself.sides import NOBODY
from playmill.games.save_oneself.view import view
from playmill.texts import LANGUAGES, Lang

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="no Chromium is installed")

FULL = """
vines hook water flint
palm-trees sticks bottle higher-ground*
telescope rocks pig storm
sea-serpent pirates map-r map-c
"""
TURNED = """
shelter fish waterfall torch
coconuts spear message lit-beacon*
ship-sighted sos meat storm
sea-serpent compass rum treasure
"""


@cache
def positions() -> dict[str, tuple[Config, np.void]]:
    kept = [(config, step[0]) for config, step in games()]
    made = {
        "first": (DEFAULT, set_up("higher-ground*")),
        "full": (DEFAULT, set_up(FULL, ship="NE")),
        "turning": (DEFAULT, set_up(FULL, ship="SW", waiting=True, turning=True)),
        "turned": (DEFAULT, set_up(TURNED, ship="NW", ship_at=(2, 4))),
        "corner": (DEFAULT, set_up(TURNED, ship="SE", ship_at=(7, 2))),
        "many lives": (LONG, set_up("rocks telescope*", config=LONG, lives=33)),
        "most to click": max(kept, key=lambda found: len(options(*found))),
    }
    for corner, at in (("NE", (8, 7)), ("SE", (7, 1)), ("SW", (1, 2)), ("NW", (2, 8))):
        made[f"gone {corner}"] = (
            DEFAULT,
            set_up(TURNED, ship=corner, ship_at=at, player=NOBODY, ending=sides.SHIP_GONE),
        )
    made["won"] = (DEFAULT, set_up(TURNED, ship="SW", ship_at=(5, 2), player=NOBODY, ending=sides.BY_BEACON))
    return made


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
                board: !!node.closest('.board'), middle: (box.top + box.bottom) / 2, size};});
    const outside = texts.filter(t => t.left < svg.left || t.right > svg.right || t.bottom > svg.bottom);
    const words = texts.filter(t => !t.board), clashes = [];
    words.forEach((a, i) => words.slice(i + 1).forEach(b => {
        const level = Math.abs(a.middle - b.middle) < Math.min(a.size, b.size) * 0.8;
        if (level && a.left < b.right - 1 && b.left < a.right - 1)
            clashes.push(a.line + ' | ' + b.line);}));
    const beyond = [...document.querySelectorAll('svg .part')].filter(part => part.querySelector(':scope > rect'))
        .flatMap(part => {
            const panel = part.querySelector(':scope > rect').getBoundingClientRect();
            return part.querySelector('.board') ? [] : [...part.querySelectorAll('text')].filter(node => {
                const box = node.getBoundingClientRect();
                return box.left < panel.left || box.right > panel.right || box.bottom > panel.bottom;})
                .map(node => node.textContent);});
    const sea = document.querySelector('.board').getBoundingClientRect();
    const water = document.querySelector('.board > rect').getBoundingClientRect();
    const sizes = wanted => Math.min(...texts.filter(wanted).map(t => t.size));
    return {outside: outside.map(t => t.line), clashes, beyond, board: sizes(t => t.board), panel: sizes(t => !t.board),
            spills: sea.left < water.left - 2 || sea.right > water.right + 2 || sea.bottom > water.bottom + 2,
            wide: document.documentElement.scrollWidth, width: svg.width};}"""
HIDDEN = """() => [...document.querySelectorAll('[data-a]')].filter(node => {
    node.scrollIntoView({block: 'center'});
    const box = (node.querySelector('.hit') || node).getBoundingClientRect();
    const hit = document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2);
    return !hit || hit.closest('[data-a]') !== node;}).map(node => node.dataset.a)"""


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("width", [1100, 420])
def test_everything_can_be_read_and_clicked(browser: Any, tmp_path: Path, lang: Lang, width: int) -> None:
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
        assert seen["outside"] == seen["clashes"] == seen["beyond"] == [], name
        assert not seen["spills"], f"{name}: something leaves the sea"
        assert seen["panel"] > 11 and seen["board"] > (11 if width == 1100 else 7.5), name
        assert seen["wide"] <= width and seen["width"] > width * 0.9, name
        ids = page.evaluate("[...document.querySelectorAll('[data-a]')].map(node => +node.dataset.a)")
        assert sorted(ids) == legal, name
        assert page.evaluate(HIDDEN) == [], f"{name}: something lies over these"
    assert trouble == []
    page.close()
