"""The report and the picture of a game, looked at in a real browser."""

from __future__ import annotations

import shutil

import pytest

from playmill import State, simulate
from playmill.report.html import html_page

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="no Chromium is installed")


@pytest.fixture(scope="module")
def browser():
    from playwright.sync_api import sync_playwright

    flags = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--disable-background-networking", "--disable-sync"]
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=CHROMIUM, args=flags)
        yield chromium
        chromium.close()


@pytest.fixture
def look(browser, tmp_path):
    """Opens a page from disk; returns it with everything it complained of or tried to load."""
    pages = []

    def look(html, width=1100):
        path = tmp_path / "page.html"
        path.write_text(html, encoding="utf-8")
        page = browser.new_page(viewport={"width": width, "height": 900})
        trouble = []
        page.on("console", lambda message: trouble.append(message.text))
        page.on("pageerror", lambda error: trouble.append(str(error)))
        page.on("request", lambda request: trouble.append(request.url) if request.url != path.as_uri() else None)
        page.goto(path.as_uri())
        pages.append(page)
        return page, trouble

    yield look
    for page in pages:
        page.close()


@pytest.mark.parametrize("lang", ["en", "ru"])
@pytest.mark.parametrize("width", [1100, 420])
def test_the_report_opens_from_disk(look, dimensions, lang, width):
    run = simulate(dimensions, players=4, games=2000, seed=1, agents="dealer", set=["blue_goal=40"])
    page, trouble = look(html_page(run.info, run.tables(), lang), width)
    assert trouble == []
    assert page.evaluate("document.documentElement.lang") == lang
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    text = page.inner_text("body")
    red = run.results["factions"]["red"]["win_rate"]["value"] * 100
    assert f"{red:.1f}".replace(".", "," if lang == "ru" else ".") in text
    assert run.info.command in text
    assert "blue_goal" in text
    assert page.locator("svg circle").count() >= 5


@pytest.mark.parametrize("lang", ["en", "ru"])
@pytest.mark.parametrize("players", [3, 5])
def test_the_table_can_be_clicked(look, dimensions, lang, players):
    state = State(dimensions, players=players, seed=3)
    for _ in range(25):
        state.apply_action(state.legal_actions()[-1])
    page, trouble = look(f"<!doctype html><body>{state.view(state.current_player(), lang)}")
    assert trouble == []
    ids = page.evaluate("[...document.querySelectorAll('[data-a]')].map(node => +node.dataset.a)")
    assert set(ids) == set(state.legal_actions())
    box = page.locator("svg").first.bounding_box()
    assert box["width"] > 600
    inside = page.evaluate(
        """() => {const svg = document.querySelector('svg').getBoundingClientRect();
        return [...document.querySelectorAll('svg text')].every(node => {
            const box = node.getBoundingClientRect();
            return box.left >= svg.left - 1 && box.right <= svg.right + 1 && box.bottom <= svg.bottom + 1;});}"""
    )
    assert inside, "a text leaves the picture"
