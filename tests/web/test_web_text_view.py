"""Text view of a table: by keys alone, with nothing in it that its reader cannot know."""

from __future__ import annotations

import random
from typing import Any

import pytest
from browser_helpers import READY, table_of, wait
from test_web_observation import SECRET, in_world, other_world
from test_web_table import laid, play
from web_server import Site

from common.pages import needs_chromium
from playmill.web.table.text_view import common_text, text_view


def test_what_tellings_have_in_common_stays_and_the_rest_is_a_gap() -> None:
    assert common_text(["a b", "a b"]) == "a b"
    assert common_text(["deck 3: x y z", "deck 3: y z x"]) == "deck 3: …"
    assert common_text(["he: 2 | hand: x x | end", "he: 2 | hand: y | end"]) == "he: 2 | hand: … | end"
    assert common_text(["one\nx\ntwo", "one\ntwo"]) == "one\n…\ntwo"
    assert common_text(["a a", "a a a"]) == "a a …", "nothing is counted twice"


@pytest.mark.parametrize("name", SECRET)
def test_worlds_that_a_seat_cannot_tell_apart_are_told_in_the_same_words(name: str) -> None:
    table, dice = laid(name, seed=1), random.Random(1)
    for number in range(3):
        for seat in (*range(table.facts.players), None):
            world = other_world(table, seat or 0, 7 + number)
            here, there = in_world(table, table.state.clone()), in_world(table, world)
            assert text_view(here, seat, "en") == text_view(there, seat, "en")
        play(table, 2, dice)


def test_a_reader_knows_her_own_hand_and_no_other() -> None:
    table = laid("dimensions", seed=3)
    lines = text_view(table, 1, "en").splitlines()
    hands = [line.rpartition("Hand:")[2].strip() for line in lines if "Hand:" in line]
    assert [hand == "…" for hand in hands] == [True, False, True]
    assert next(line for line in lines if line.startswith("Deck")).endswith(": …")
    assert text_view(table, None, "en").count("Hand: …") == 3, "a spectator knows none"


@needs_chromium
def test_a_game_is_played_in_words_by_keys_alone(visit: Any, site: Site) -> None:
    page = visit(table_of(site.make("pig", ["me", "random"], seed=1, changes=["target=15"])))
    page.wait_for_selector(READY)
    page.keyboard.press("x")
    page.wait_for_selector("#words:not([hidden])")
    wait(page, "document.getElementById('words').textContent.length > 10")
    assert page.locator("#picture").is_hidden() and page.locator("#log").get_attribute("aria-live") == "polite"
    page.keyboard.type("//ho")  # whoever is there already is led there all the same
    page.click("#in-words")
    page.click("#in-words")
    page.wait_for_timeout(300)
    assert page.locator("#filter").input_value() == "ho", (
        "the same options come again, and nothing that was typed is lost"
    )
    page.locator("#filter").fill("")
    page.keyboard.press("Escape")
    for _ in range(60):
        wait(page, f"Boolean(document.querySelector('{READY}')) || !document.getElementById('end').hidden")
        if page.locator("#end").is_visible():
            break
        assert page.evaluate("document.activeElement.id") != "filter", "whoever has left it is not led back"
        lines = page.evaluate("document.querySelectorAll('#log > li').length")
        page.keyboard.press("/")
        page.keyboard.type("hold")
        page.keyboard.press("Enter")
        wait(page, f"document.querySelectorAll('#log > li').length > {lines}")
        page.keyboard.press("Escape")
    assert page.locator("#verdict").is_visible()
    page.reload()
    page.wait_for_selector("#words:not([hidden])")
    page.keyboard.press("x")
    page.wait_for_selector("#words", state="hidden")


@needs_chromium
def test_words_hide_behind_the_curtain(visit: Any, site: Site) -> None:
    page = visit(table_of(site.make("dimensions", ["me", "here", "random"], seed=3)))
    page.wait_for_selector("#curtain:not([hidden])")
    page.keyboard.press("x")
    page.get_by_role("button", name="It is me").click()
    wait(page, "document.getElementById('words').textContent.includes('Hand:')")
    page.keyboard.press("1")
    page.wait_for_selector("#curtain:not([hidden])")
    assert page.evaluate("document.getElementById('words').textContent") == ""
