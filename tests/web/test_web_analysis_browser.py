"""What an expert would have done, on the page of a finished game, in a real browser: costs, links, signs, languages."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from browser_helpers import wait
from test_web_replay import asked, played, until
from web_server import Site

from common.pages import needs_chromium
from playmill.lab.replays.decision_analysis import NONE
from playmill.web.replay.win_chances import WinChanceService
from playmill.web.table.state import GameTable

pytestmark = needs_chromium


@pytest.fixture(scope="module")
def finished(site: Site) -> GameTable:
    """A finished game of Dice by people who throw dice to decide, too."""
    return played(site, "dice", seed=3)


@pytest.fixture(scope="module", autouse=True)
def analysed(site: Site, finished: GameTable) -> Iterator[dict[str, Any]]:
    """What is said of it, by few play-outs."""
    site.replays.forecasts.close()
    forecasts = site.replays.forecasts = WinChanceService(playouts=80, thoughts=60)
    path = f"/t/{finished.facts.id}/watch/chances"
    until(lambda: asked(site, path)[1]["state"] in ("done", "failed"))
    state, course = asked(site, path)[1].values()
    assert state == "done"
    yield course["analysis"]
    forecasts.close()


@pytest.fixture
def opened(browser: Any, site: Site, finished: GameTable) -> Iterator[Any]:
    """Opens the page; it must not complain of anything."""
    contexts, trouble = [], list[str]()

    def opened(**how: Any) -> Any:
        context = browser.new_context(**{"viewport": {"width": 1200, "height": 900}, "locale": "en-US", **how})
        contexts.append(context)
        page = context.new_page()
        page.on("console", lambda message: trouble.append(message.text))
        page.on("pageerror", lambda error: trouble.append(str(error)))
        page.goto(f"{site.url}/t/{finished.facts.id}/watch")
        page.wait_for_selector("#mistakes li")
        return page

    yield opened
    for context in contexts:
        context.close()
    assert trouble == []


def test_mistakes_lead_to_their_moves_and_the_expert_speaks_there(opened, finished, analysed):
    page = opened()
    mistakes = analysed["mistakes"]
    assert mistakes, "whoever decides at random makes some"
    rows = page.locator("#mistakes button")
    assert rows.count() == len(mistakes)
    worst = mistakes[0]
    assert analysed["words"][str(worst["best"])][0] in rows.first.inner_text()
    rows.first.click()
    wait(page, f"document.getElementById('place').textContent.startsWith('{worst['at'] + 1} /')")
    said = page.inner_text("#expert")
    assert said.startswith(f"The expert: {analysed['words'][str(worst['best'])][0]} (") and "pp (" in said
    page.keyboard.press("Home")
    moves = sorted(one["at"] + 1 for one in mistakes)
    for move in [*moves, moves[0]]:
        page.keyboard.press("e")
        wait(page, f"document.getElementById('place').textContent.startsWith('{move} /')")
    assert page.locator("#log .sign").count() == len(mistakes)


def test_each_player_has_an_average_and_agreement_is_said(opened, analysed):
    page = opened()
    rows = page.locator("#analysed tbody tr")
    assert rows.count() == 2
    for row, one in zip(rows.all(), analysed["players"], strict=True):
        assert f"{100 * one['cost']['value']:.1f} pp" in row.inner_text().replace("−", "-")
        assert str(one["decisions"]) in row.inner_text()
    same = next(one for one in analysed["decisions"] if one["best"] == one["action"])
    page.locator("#slider").fill(str(same["at"] + 1))
    wait(page, "document.getElementById('expert').textContent.startsWith('The expert would have done the same.')")


def test_in_russian_on_a_phone_it_fits(opened, analysed):
    page = opened(viewport={"width": 360, "height": 740}, locale="ru-RU", color_scheme="dark")
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    assert "Что обошлось дороже всего" in page.inner_text("#analysis")
    page.locator("#mistakes button").first.click()
    wait(page, "document.getElementById('expert').textContent.startsWith('Мастер: ')")
    assert analysed["words"][str(analysed["mistakes"][0]["best"])][1] in page.inner_text("#expert")


def test_while_a_game_goes_on_no_expert_tells_what_players_know(site):
    table = played(site, "dice", seed=3, moves=6)
    assert not table.over
    forecasts = WinChanceService(playouts=4)
    try:
        assert json.loads(forecasts._question(table))["actions"] == []
    finally:
        forecasts.close()


def test_what_nobody_decided_is_not_analysed(site, finished):
    forecasts = WinChanceService(playouts=4)
    try:
        actions = json.loads(forecasts._question(finished))["actions"]
    finally:
        forecasts.close()
    assert len(actions) == finished.version + 1 and actions[0] == NONE and min(actions[1:]) >= 0
