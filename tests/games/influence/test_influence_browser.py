"""The picture of Influence, looked at in a real browser, on a wide page and on a phone."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from influence_scenes import LARGE, SMALL, TALL, WIDE, game, options, set_up

from playmill.games.influence.config import Config
from playmill.games.influence.rules import DEFENDING, NOBODY
from playmill.games.influence.view import view
from playmill.texts import LANGUAGES, Lang

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="no Chromium is installed")


def busiest(config: Config, players: int, phase: int, most: int = 700) -> tuple[Config, np.void]:
    """The position of a game with the most to click."""
    steps = [step for step in game(config, players, 2, most) if step[0]["phase"] == phase]
    return config, max(steps, key=lambda step: len(step[1]))[0]


@cache
def positions() -> dict[str, tuple[Config, np.void]]:
    results = (99_999, 88_888, 77_777, 66_666, 55_555, 44_444)
    return {
        "two": set_up("A3 - B2!\n- A2 -"),
        "defence": busiest(SMALL, 2, DEFENDING),
        "six": busiest(SMALL, 6, 0),
        "large": busiest(LARGE, 6, 0),
        "large defence": busiest(LARGE, 4, DEFENDING),
        "wide": busiest(WIDE, 5, 0),
        "tall": busiest(TALL, 3, 0),
        "won": set_up("A3 A2 -", player=NOBODY, winner=0),
        "limit": set_up("A3 B2 C1 D1\nE2 F2 - -", 6, player=NOBODY, winner=0, ended_by_limit=1, result=results),
        "hostile": set_up("A3 B2", name="</text><script>" + "W" * 40),
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
        const cell = node.closest('.field') && node.parentNode.getAttribute('font-weight') === '700';
        return {line: node.textContent, left: box.left, right: box.right, bottom: box.bottom, cell,
                panel: !node.closest('.field'), middle: (box.top + box.bottom) / 2, size};});
    const outside = texts.filter(t => t.left < svg.left || t.right > svg.right || t.bottom > svg.bottom);
    const words = texts.filter(t => t.panel), clashes = [];
    words.forEach((a, i) => words.slice(i + 1).forEach(b => {
        const level = Math.abs(a.middle - b.middle) < Math.min(a.size, b.size) * 0.8;
        if (level && a.left < b.right - 1 && b.left < a.right - 1)
            clashes.push(a.line + ' | ' + b.line);}));
    const beyond = [...document.querySelectorAll('svg .part')].filter(part => part.querySelector(':scope > rect'))
        .flatMap(part => {
            const panel = part.querySelector(':scope > rect').getBoundingClientRect();
            return [...part.querySelectorAll('text')].filter(node => {
                const box = node.getBoundingClientRect();
                return box.left < panel.left || box.right > panel.right;}).map(node => node.textContent);});
    const sizes = wanted => Math.min(...texts.filter(wanted).map(t => t.size));
    return {outside: outside.map(t => t.line), clashes, beyond, cell: sizes(t => t.cell), panel: sizes(t => t.panel),
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
        assert seen["panel"] > 11, name
        assert seen["cell"] > (8 if width == 1100 else 3 if name == "wide" else 10), name
        assert seen["wide"] <= width and seen["width"] > width * 0.9, name
        ids = page.evaluate("[...document.querySelectorAll('[data-a]')].map(node => +node.dataset.a)")
        assert sorted(ids) == legal, name
        assert page.evaluate(HIDDEN) == [], f"{name}: something lies over these"
    assert trouble == []
    page.close()
