"""Set-up of a table in a real browser: settings changed and invalid on purpose, dice chosen; then a hint."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from browser_helpers import READY, table_of, wait
from web_server import LONGEST, Site, until

from common.pages import needs_chromium
from playmill.agents import levels
from playmill.web.agents import hints
from playmill.web.agents.hints import HintService, search_hint
from playmill.web.agents.precompile import Precompiler

pytestmark = needs_chromium
Visit = Callable[..., Any]


@pytest.fixture(autouse=True)
def quick_hints(site: Site, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Hints of few thoughts, for which nothing is compiled."""
    monkeypatch.setattr(hints, "SLICES", (10, 10))
    monkeypatch.setattr(hints, "COLD_SLICES", (10, 10))
    monkeypatch.setattr(hints, "LONGEST", 600.0)
    before, site.tables.hints = site.tables.hints, HintService(Precompiler(makes=False))
    yield
    site.tables.hints.close()
    site.tables.hints = before


def setting(page: Any, path: str) -> Any:
    return page.locator(f'.setting[data-path="{path}"]')


def test_settings_are_changed_in_the_form_and_mistakes_are_told_at_the_field(visit: Visit) -> None:
    page = visit("/games/pig", complaints=False)  # the browser remarks on the answer 400
    page.locator("#settings > summary").click()
    target, faces = setting(page, "target"), setting(page, "faces")
    target.locator("input").fill("30")
    assert "differs" in target.get_attribute("class") and page.locator("#changed").inner_text() == "changed: 1"
    faces.locator("input").fill("1")
    assert "off" in faces.get_attribute("class"), "out of its range, seen at once"
    page.locator("#lay > button.main").click()
    page.wait_for_selector(".trouble")
    page.wait_for_load_state()
    assert faces.locator(".mistake").inner_text() == "1; expected at least 2"
    assert target.locator("input").input_value() == "30" and faces.locator("input").input_value() == "1"
    page.locator("#language").click()
    target.locator(".name", has_text="Цель").wait_for()
    page.wait_for_load_state()
    assert target.locator("input").input_value() == "30", "another language loses nothing"
    faces.locator(".usually").click()
    assert faces.locator("input").input_value() == "6" and "differs" not in faces.get_attribute("class")
    page.locator("#lay > button.main").click()
    page.wait_for_selector("#picture svg")
    wait(page, "document.getElementById('settings').textContent === 'Не как обычно: Цель: 30'")


def test_another_number_of_players_keeps_what_was_typed(visit: Visit) -> None:
    page = visit("/games/grid")
    page.locator("#settings > summary").click()
    page.locator("#settings > .group").nth(1).locator("> summary").click()
    page.locator("#settings > .group").nth(1).locator(".group summary").first.click()
    setting(page, "patterns.A.vp").locator("input").fill("77")
    page.locator("select[name=seat]").nth(1).select_option("greedy")
    page.locator(".choice span", has_text="4").click()
    wait(page, "document.querySelectorAll('select[name=seat]').length === 4")
    assert setting(page, "patterns.A.vp").locator("input").input_value() == "77"
    assert page.locator("select[name=seat]").nth(1).input_value() == "greedy"


def test_dice_are_chosen_before_the_match_and_say_what_they_do(visit: Visit, site: Site) -> None:
    page = visit("/games/dice")
    mine = setting(page, "players.0.dice")
    mine.locator("select").nth(3).select_option("heavy_fives")
    assert "Fives fall often" in mine.locator(".chosen-about").inner_text()
    modifiers = setting(page, "players.1.modifiers")
    modifiers.locator("summary").click()
    modifiers.get_by_role("checkbox", name="Town Tax").check()
    assert modifiers.locator("summary").inner_text().startswith("1 of ")
    page.locator("select[name=seat]").nth(1).select_option("random")
    page.locator("#lay > button.main").click()
    page.wait_for_selector("#picture svg")
    found = site.tables.store.find(page.url.rpartition("/")[2])
    assert found is not None and found[0].config["players"][0]["dice"] == [*["fair"] * 3, "heavy_fives", "fair", "fair"]
    assert found[0].config["players"][1]["modifiers"] == ["town_tax"]


def test_a_config_file_fills_in_the_form(visit: Visit, tmp_path: Path) -> None:
    file = tmp_path / "my.json"
    file.write_text('{"target": 44}')
    page = visit("/games/pig")
    page.locator("#settings > summary").click()
    page.locator("#settings > .group").last.locator("> summary").click()
    page.set_input_files("#upload", str(file))
    page.wait_for_selector(".setting.differs[data-path=target]")
    assert setting(page, "target").locator("input").input_value() == "44"


def test_everything_can_be_laid_without_scripts(visit: Visit) -> None:
    page = visit("/games/influence", java_script_enabled=False)
    page.locator(".picks label").first.click()
    page.locator("#settings > summary").click()
    setting(page, "round_limit").locator("input").fill("3")
    page.locator(".choice span", has_text="3").click()
    page.get_by_role("button", name="OK").click()
    page.wait_for_load_state()
    assert page.locator("select[name=seat]").count() == 3
    assert setting(page, "round_limit").locator("input").input_value() == "3"
    assert page.locator(".picks input").first.is_checked()
    setting(page, "round_limit").locator(".usually").click()
    assert setting(page, "round_limit").locator("input").input_value() == "100"


def test_a_hint_is_shown_beside_the_options_and_in_the_picture(visit: Visit, site: Site) -> None:
    page = visit(table_of(site.make("pig", ["me", "random"], changes=["target=20"])))
    page.wait_for_selector(READY)
    page.keyboard.press("h")
    wait(page, "document.querySelectorAll('#options .weighed').length === 2")
    wait(page, "document.getElementById('hinted').textContent.startsWith('search would choose: ')")
    assert "(20 games" in page.locator("#hinted").inner_text()
    assert page.locator("#options .advised").count() == 1 and page.locator("#picture [data-hint]").count() == 1
    page.locator("#options button").first.click()
    wait(page, "document.getElementById('hinted').hidden")
    assert page.locator("#picture [data-hint]").count() == 0


@pytest.mark.parametrize(("spec", "told"), [("threshold:n=1", "Holds"), ("threshold:n=99", "Rolls the die")])
def test_where_there_is_an_expert_its_choice_stands_beside_the_hint(
    visit: Visit, site: Site, monkeypatch: pytest.MonkeyPatch, spec: str, told: str
) -> None:
    monkeypatch.setattr(levels, "strongest", lambda game, config: spec)
    page = visit(table_of(site.make("pig", ["me", "random"], seed=1)))
    page.locator(READY).first.click()  # something is at stake now, and there is a choice
    wait(page, f"document.querySelectorAll('{READY}').length === 2")
    page.keyboard.press("h")
    wait(page, "document.getElementById('hinted').textContent.includes('The expert')")
    wait(page, "document.getElementById('hinted').textContent.includes('(20 games')")
    said = page.locator("#hinted").inner_text()
    same = f"search would choose: {told}" in said
    assert ("The expert says the same." if same else f"The expert, at a glance: {told}.") in said


def test_a_hint_that_was_told_while_the_line_was_lost_is_asked_for_again(
    visit: Visit, site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked, lost = threading.Event(), threading.Event()

    def slowly(*args: Any, **how: Any) -> dict[str, Any]:
        asked.set()
        assert lost.wait(LONGEST)
        return search_hint(*args, **how)

    monkeypatch.setattr(hints, "search_hint", slowly)
    table, owner = site.make("pig", ["me", "random"])
    page = visit(table_of((table, owner)))
    page.wait_for_selector(READY)
    page.keyboard.press("h")
    assert asked.wait(LONGEST)
    page.locator("#hinted", has_text="search is thinking").wait_for()
    watchers = site.tables.open_actors[table].browsers
    before = set(watchers)
    for watcher in before:
        site.loop.call_soon_threadsafe(watcher.close)
    until(lambda: not watchers & before)
    lost.set()
    wait(page, "document.querySelectorAll('#options .weighed').length === 2")


def test_a_table_without_hints_has_no_button_for_them(visit: Visit) -> None:
    page = visit("/games/pig")
    page.get_by_label("Hints may be asked for").uncheck()
    page.locator("select[name=seat]").nth(1).select_option("random")
    page.locator("#lay > button.main").click()
    page.wait_for_selector(READY)
    assert page.locator("#hint").is_hidden()
