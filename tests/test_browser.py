"""The report of a run in a real browser."""

from __future__ import annotations

import pytest

from common.pages import Page, needs_chromium
from playmill import simulate
from playmill.report.html.page import html_page

pytestmark = needs_chromium


@pytest.fixture
def look(browser, tmp_path):
    """Opens a page from disk; returns it with everything it complained of or tried to load."""
    pages = []

    def look(html, width=1100):
        pages.append(Page(browser, tmp_path, width))
        return pages[-1].open(html), pages[-1].trouble

    yield look
    for page in pages:
        page.close()


@pytest.mark.parametrize(("lang", "width"), [("en", 1100), ("ru", 420)])
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
