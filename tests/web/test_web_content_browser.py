"""Content editor in a real browser: a piece made in a form, live mistakes, worth, a table."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest
from browser_helpers import wait
from web_server import Site, running, until

from playmill.lab.jobs import JobState

KEY = "the-owner-has-this-key"
AT = "/lab/games/dice/content"
#: Where the cursor is.
_FOCUS = "document.activeElement.id"


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory, games: dict[str, Any]) -> Iterator[Site]:
    with running(tmp_path_factory.mktemp("making") / "tables.sqlite3", {"dice": games["dice"]}, owner=KEY) as found:
        yield found


def _told(page: Any, text: str) -> None:
    """Waits until a player would read this."""
    page.locator("#told", has_text=text).wait_for()


def test_a_designer_makes_an_item_learns_what_it_is_worth_and_plays_with_it(visit, site, tmp_path, monkeypatch):
    queue = site.laboratory.queue
    monkeypatch.setattr("playmill.web.lab.job_queue.AT_ONCE", 0)  # nothing is found out while she edits
    page = visit(f"{AT}?owner={KEY}")
    page.wait_for_selector("#worth[data-state=waiting]")
    page.get_by_role("link", name="item", exact=True).click()
    page.locator("input[name=deals]").fill("20")
    _told(page, "Passive, on a save: +100 points.")
    points = page.get_by_label("points")
    points.fill("30")
    _told(page, "+30 points")
    page.get_by_label("What it does 1").focus()
    page.get_by_label("What it does 1").select_option(label="points for every die showing a face")
    _told(page, "+25 points for every five among the saved dice")
    assert page.evaluate(_FOCUS) == "c-effect-0-s", "the cursor stays where it was"
    page.get_by_role("combobox", name="Only if", exact=True).select_option(label="dice saved")
    _told(page, "exactly one die saved")
    page.get_by_role("combobox", name="Only if", exact=True).select_option(label="all of these hold")
    page.get_by_role("group", name="Only if").get_by_role("button", name="+ one more").click()
    _told(page, "exactly one die saved and three or more sixes among the saved dice")
    assert page.evaluate(_FOCUS) == "c-condition-all-1-s", "one goes on with what was added"
    page.get_by_role("button", name="Take out").nth(1).click()
    _told(page, "(exactly one die saved)")

    each = page.get_by_label("points each")
    each.fill("a lot")
    page.locator("#c-effect-0-add_per_die-points-wrong", has_text="“a lot” is none").wait_for()
    assert each.get_attribute("aria-invalid") == "true" and each.input_value() == "a lot"
    assert page.locator("#told").inner_text().startswith("Something is not right yet")
    each.press("ControlOrMeta+A")
    each.press_sequentially("400")
    _told(page, "+400 points for every five")
    assert page.locator(".mistake").count() == 0
    assert page.evaluate(_FOCUS) == "c-effect-0-add_per_die-points-n"

    page.get_by_label("in English").first.fill("Golden Five")
    page.wait_for_selector("#worth[data-state=waiting]")
    monkeypatch.undo()
    queue._wake_up()
    page.wait_for_selector("#worth[data-state=done]")
    worth = page.locator("#worth").inner_text()
    assert re.search(r"[+−]?\d+\.\d percentage points\n95 %: [+−]?\d+\.\d to [+−]?\d+\.\d", worth), worth
    assert "deals in every seat: 20 of 20" in worth
    assert [job.state for job in queue.jobs()].count(JobState.DONE) == 1, "nobody waits for former versions and kinds"

    page.get_by_role("button", name="Keep", exact=True).click()
    assert page.locator(".said").inner_text() == "Kept as “Golden Five”."
    with page.expect_download() as given:
        page.get_by_role("link", name="take the file").click()
    given.value.save_as(tmp_path / "content.json")
    kept = json.loads((tmp_path / "content.json").read_text(encoding="utf-8"))
    assert kept["items"][0]["effect"] == [{"add_per_die": {"face": 5, "points": 400}}]

    page.get_by_role("link", name="play with it").click()
    page.get_by_role("button", name="Sit down and play").click()
    page.wait_for_url(re.compile(r"/t/"))
    page.wait_for_selector("#picture svg")
    wait(page, "document.body.textContent.includes('Golden Five')")


def test_an_edit_while_it_is_weighed_gives_up_what_nobody_waits_for(visit, site):
    queue = site.laboratory.queue
    page = visit(f"{AT}?from=town_tax&owner={KEY}")
    page.locator("input[name=deals]").fill("9000000")
    page.wait_for_selector("#worth[data-state=running]")
    job = queue.find(page.locator("#former").input_value())
    page.get_by_label("percent", exact=True).fill("x")
    until(lambda: job.state is JobState.STOPPED)
    page.locator("#worth", has_text="It comes when nothing is wrong.").wait_for()
    until(lambda: not queue.is_running(job))


def test_a_browser_that_keeps_nothing_edits_all_the_same(visit):
    page = visit(f"{AT}?owner={KEY}")
    denied = "Object.defineProperty(window, 'sessionStorage', { get() { throw new Error('no'); } })"
    page.context.add_init_script(denied)
    page.get_by_role("link", name="item", exact=True).click()
    _told(page, "Passive, on a save: +100 points.")
    page.get_by_label("points").fill("30")
    _told(page, "+30 points")


def test_on_a_phone_in_russian_nothing_is_wider_than_the_screen(visit, site):
    how = {"viewport": {"width": 360, "height": 740}, "locale": "ru-RU", "color_scheme": "dark"}
    page = visit(AT, **how)
    for start in ("from=spilled_ale", "kind=dice"):
        page.goto(f"{site.url}{AT}?{start}")
        page.locator("#aside > summary").click()
        assert page.evaluate("document.documentElement.scrollWidth") <= 360, start
    assert page.get_by_text("Начинать работу здесь может только владелец").is_visible()
    assert page.locator("button[value=keep]").is_disabled()
    page.get_by_label("4", exact=True).fill("5")
    page.locator("#language").click()
    page.wait_for_selector("html[lang=en]")
    assert page.locator('a[aria-current="page"]').inner_text() == "Die"
    assert page.get_by_label("4", exact=True).input_value() == "5", "another language keeps what was typed"
