"""A line of the log leads back to its moment, as its reader saw it then."""

from __future__ import annotations

import random
from typing import Any

import pytest
from browser_helpers import READY, table_of, wait
from test_web_observation import SECRET
from test_web_table import laid, play
from web_server import Site

from common.pages import needs_chromium
from playmill.texts import PlaymillError
from playmill.web.table.observation import Viewer, observe_past, observe_table


@pytest.mark.parametrize("name", SECRET)
def test_the_past_is_what_was_seen_then(name: str) -> None:
    table, dice = laid(name, seed=2), random.Random(2)
    viewers = [Viewer(seat) for seat in (*range(table.facts.players), None)]
    then = []
    for _ in range(4):
        for viewer in viewers:
            if viewer.seat != table.turn:  # whoever moves is offered something, and what is over offers nothing
                picture = observe_table(table, viewer, "en")["steps"][-1]["picture"]
                then.append((viewer, table.version, picture))
        play(table, 1, dice)
    table.drawn.clear()
    for viewer, version, picture in then:
        assert observe_past(table, viewer, "en", version) == {"version": version, "picture": picture}


@pytest.mark.parametrize("version", [-1, 1000])
def test_there_is_nothing_before_the_start_and_after_the_present(version: int) -> None:
    with pytest.raises(PlaymillError, match="there was no such moment"):
        observe_past(laid("pig"), Viewer(0), "en", version)


def test_nobody_looks_into_a_hand_of_the_past_before_the_game_begins(site: Site) -> None:
    table, owner = site.make("dimensions", ["me", "anybody", "anybody"])
    with site.at(table, owner) as anna, site.at(table) as guest:
        for who in (anna, guest):
            assert who.ask(kind="look", version=0)["kind"] == "done"
        told = [next(text for text in who.texts if '"past"' in text) for who in (anna, guest)]
        assert told[0] == told[1]
        refused = guest.ask(kind="look", version=99)
        assert refused["kind"] == "refused" and refused["why"] == "there was no such moment"


@needs_chromium
def test_a_line_of_the_log_shows_its_moment_and_the_present_comes_back(visit: Any, site: Site) -> None:
    page = visit(table_of(site.make("influence", ["me", "random"], seed=1)))
    page.wait_for_selector(READY)
    for _ in range(2):
        page.locator(READY).first.click()
        page.wait_for_selector(READY)
    now = page.inner_html("#picture")
    lines = page.locator("#log .then")
    lines.first.click()
    page.wait_for_selector("#past:not([hidden])")
    assert page.inner_html("#picture") != now
    assert page.locator("#log > li[aria-current]").count() == 1
    assert page.locator("#picture [data-a], #picture [data-in]").count() == 0, "nothing of the past can be done"
    page.keyboard.press("Escape")
    page.wait_for_selector("#past", state="hidden")
    assert page.locator("#picture [data-a], #picture [data-in]").count() > 0
    lines.first.focus()
    page.keyboard.press("Enter")
    page.wait_for_selector("#past:not([hidden])")
    page.locator(READY).first.click()
    wait(page, "document.getElementById('past').hidden")
    assert page.locator("#log > li[aria-current]").count() == 0
