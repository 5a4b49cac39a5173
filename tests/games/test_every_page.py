"""The picture and the rules of every game, looked at in a real browser, on a wide page and on a phone."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from common.found import GAMES, game_of
from common.pages import Page, needs_chromium
from common.stock import Stock
from playmill.defaults.text_view import draws_text
from playmill.lab.replays.rulebook import rulebook_page
from playmill.texts import Lang

pytestmark = needs_chromium


@pytest.mark.parametrize(
    ("kind", "lang", "light"),
    [
        ("wide", "en", "light"),
        ("phone", "ru", "dark"),
        *(pytest.param(*one, marks=pytest.mark.long) for one in (("wide", "ru", "dark"), ("phone", "en", "light"))),
    ],
)
def test_everything_can_be_read_and_clicked(
    stock: Stock, browser: Any, tmp_path: Path, kind: str, lang: Lang, light: str
) -> None:
    width = 1100 if kind == "wide" else stock.phone
    page = Page(browser, tmp_path, width, light)
    for name, scene in stock.scenes.items():
        legal = stock.options(scene)
        page.open_picture(stock.view(scene, max(0, int(scene.s["player"])), legal, lang))
        seen = page.look(stock.drawn, stock.sized or stock.drawn)
        assert seen["outside"] == seen["clashes"] == seen["beyond"] == [], name
        assert stock.stays_within is None or not page.spills(*stock.stays_within), name
        assert seen["words"] > stock.words_over(name, width), name
        assert seen["drawn"] > stock.drawn_over(name, width), name
        assert seen["wide"] <= width and seen["width"] > (min(width, 440) if draws_text(stock.game) else width) * 0.9, (
            name
        )
        assert (sorted(set(page.actions())) if stock.twice else sorted(page.actions())) == legal, name
        assert page.hidden() == [], f"{name}: something lies over these"
        assert page.weak() == [], f"{name}: words that stand out too little"
    assert page.trouble == []
    page.close()


def ground_of(page: Any) -> str:
    """The colour that the picture's ground is painted in."""
    found: str = page.evaluate("getComputedStyle(document.querySelector('svg .ground rect, svg > rect')).fill")
    return found


def test_a_picture_is_as_dark_as_the_page_around_it(shipped: Stock, browser: Any, tmp_path: Path) -> None:
    scene = next(iter(shipped.scenes.values()))
    svg = shipped.view(scene, None, [], "en")
    light, dark = "rgb(241, 237, 228)", "rgb(23, 22, 29)"
    alone = tmp_path / "alone.svg"
    alone.write_text(svg, encoding="utf-8")
    for system, by_itself in (("light", light), ("dark", dark)):
        page = Page(browser, tmp_path, 1100, system)
        for chosen in ("light", "dark"):
            page.open(f'<!doctype html><html data-theme="{chosen}"><style>:root{{color-scheme:{chosen}}}</style>{svg}')
            assert ground_of(page.page) == (dark if chosen == "dark" else light), "the page decides"
        page.open(f"<!doctype html>{svg}")
        assert ground_of(page.page) == light, "a page that knows nothing of the dark is paper"
        page.page.goto(alone.as_uri())
        assert ground_of(page.page) == by_itself, "by itself it is as the system is"
        page.close()


@pytest.mark.parametrize("stock", [name for name in GAMES if game_of(name).rulebook is not None], indirect=True)
@pytest.mark.parametrize("lang", ["ru", pytest.param("en", marks=pytest.mark.long)])
def test_the_rules_in_words_fit_every_screen(stock: Stock, browser: Any, tmp_path: Path, lang: Lang) -> None:
    html = rulebook_page(stock.game, None, lang)
    for width in (1100, 360):
        page = Page(browser, tmp_path, width)
        opened = page.open(html)
        assert opened.evaluate("document.documentElement.scrollWidth") <= width
        assert opened.evaluate("document.querySelectorAll('figure svg').length") >= 3
        assert page.trouble == []
        page.close()
