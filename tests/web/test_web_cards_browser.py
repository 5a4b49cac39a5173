"""Card games in a real browser, to their end, by what lies on the table: clicks, touch on a phone, keys alone."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pytest
from browser_helpers import READY, press, table_of, wait
from web_server import Site

from common.pages import needs_chromium

pytestmark = needs_chromium
#: The things that can be chosen now, as a hand finds them: whole options, and parts that go with what is chosen.
_THINGS = "#picture :is([data-a], [data-in]:not([data-off], [data-mark]))"
#: How many lines the log has; and whether it is this browser's turn, or the game is over.
_LINES = "document.querySelectorAll('#log > li').length"
_OVER = "document.getElementById('end')?.hidden === false"
_TURN = f"{_OVER} || (!document.querySelector('#picture.busy') && document.querySelector('{READY}') !== null)"
#: A game of dimensions, and one of grid, that are soon over.
_FEW_CARDS = ["cards_per_faction=3", "blue_values=[5,7,11]", "hand_size=3"]
_SMALL_DECK = ["game.deck.ranks=[1,2]", "game.deck.colors=[1,2]", "game.deck.total_cards=12"]
#: How a thing is reached for.
Reach = Callable[[Any, Any], None]
_PHONE = {"viewport": {"width": 360, "height": 740}, "has_touch": True, "locale": "ru-RU", "color_scheme": "dark"}


def play(page: Any, reach: Reach, *, most: int = 200, seed: int = 1) -> int:
    """Reaches for things until the game is over; returns how many decisions were put together of several."""
    dice, composed = random.Random(seed), 0
    for _ in range(most):
        wait(page, _TURN)
        if page.evaluate(_OVER):
            return composed
        lines = page.evaluate(_LINES)
        reached = 0
        while reached < 9 and page.evaluate(_LINES) == lines and not page.locator("#picture.busy").count():
            things = page.locator(_THINGS)
            if not (found := things.count()):
                break
            reach(page, things.nth(dice.randrange(found)))
            reached += 1
        composed += reached > 1
        wait(page, f"{_LINES} > {lines} || {_OVER}")
    raise AssertionError(f"not over after {most} decisions: {page.inner_text('#turn')}")


def click(page: Any, thing: Any) -> None:
    """A click on the part of a thing that is meant for it."""
    spot = thing.locator(".hit")
    (spot if spot.count() else thing).first.click(force=True)


def tap(page: Any, thing: Any) -> None:
    """A finger on it."""
    spot = thing.locator(".hit")
    (spot if spot.count() else thing).first.tap(force=True)


@pytest.mark.parametrize("reach", [click, pytest.param(press, marks=pytest.mark.long)], ids=["mouse", "keys"])
def test_dimensions_is_played_by_cards_and_places_alone(visit: Any, site: Site, reach: Reach) -> None:
    how = {"reduced_motion": "no-preference"} if reach is click else {}  # a card that slides is met all the same
    page = visit(table_of(site.make("dimensions", ["me", "random", "random"], changes=_FEW_CARDS, seed=2)), **how)
    assert play(page, reach) > 0, "a card, then where it goes"
    assert page.locator("#verdict").inner_text()
    columns = page.locator("#counting thead th")
    assert columns.count() == 4
    assert all(box["x"] + box["width"] <= 1280 for box in (one.bounding_box() for one in columns.all()))


@pytest.mark.long
def test_grid_is_played_by_keys_alone(visit: Any, site: Site) -> None:
    page = visit(table_of(site.make("grid", ["me", "random"], changes=_SMALL_DECK, seed=2)))
    play(page, press)
    assert page.locator("#verdict").inner_text()


def test_grid_is_played_by_touch_on_a_phone(visit: Any, site: Site) -> None:
    page = visit(table_of(site.make("grid", ["me", "random"], changes=_SMALL_DECK, seed=1)), **_PHONE)
    play(page, tap)
    assert page.locator("#verdict").inner_text()
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    assert page.evaluate("document.getElementById('picture').scrollWidth") <= 360, "nothing is to be scrolled sideways"


def test_save_oneself_is_played_by_keys_alone(visit: Any, site: Site) -> None:
    page = visit(table_of(site.make("save_oneself", ["me"], changes=["lives=4"], seed=4)))
    page.wait_for_selector(READY)
    play(page, press)
    assert page.locator("#verdict").inner_text()
    assert page.locator("[data-thing=lives-0], [data-thing=ship]").count(), "no life is left, or the ship has gone"


def test_signs_that_no_font_has_are_left_out(visit: Any) -> None:
    page = visit("/")
    found = page.evaluate(
        """async () => {
            const { legible } = await import('/static/signs.js');
            const line = 'открывает: \\u{1F334} «Пальмы» → \\u{1F3F4}\\u200D\\u2620\\uFE0F «Пираты», −2';
            return [legible(line, true) === line, legible(line, false)];
        }"""
    )
    assert found == [True, "открывает: «Пальмы» → «Пираты», −2"]
