"""A designer's whole path in a real browser: a setting changed, compared, saved, played, shared."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from browser_helpers import wait
from web_server import Site, running

from playmill import compare
from playmill.web.lab.job_form import usual_agent

#: The numbers of a column.
_COLUMN = "(table, column) => [...table.tBodies[0].rows].map(row => row.cells[column].dataset.value)"
KEY = "the-owner-has-this-key"
#: The report is shown as a whole.
_WHOLE = "(page => page.scrollHeight <= report.clientHeight)(report.contentDocument.documentElement)"


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory, games: dict[str, Any]) -> Iterator[Site]:
    with running(tmp_path_factory.mktemp("lab") / "tables.sqlite3", games, owner=KEY) as found:
        yield found


def _number(page: Any, path: str) -> Any:
    return page.locator(f'.setting[data-path="{path}"] input.field')


def test_a_designer_changes_one_number_learns_what_it_does_and_plays_by_it(visit, tmp_path, dimensions):
    # Jobs give way to everybody else: what one would have to compile is compiled beforehand.
    compare(dimensions, games=300, agents=usual_agent(dimensions), b={"set": ["hand_size=5"]})
    page = visit(f"/lab?owner={KEY}")
    page.get_by_role("link", name="Battle of Dimensions").click()
    assert page.get_by_text("changed:").is_hidden()
    _number(page, "hand_size").fill("5")
    page.get_by_text("changed: 1").wait_for()  # the script may come after what is typed
    page.locator('input[name="deals"]').fill("300")
    page.locator('button[value="compare"]').click()
    page.wait_for_selector("#work[data-state=done]")
    report = page.frame_locator("#report").locator("body", has_text="the rules as they are")
    report.wait_for()
    assert "hand_size = 5" in report.inner_text()
    wait(page, _WHOLE)
    page.get_by_role("link", name="Change something").click()
    assert _number(page, "hand_size").input_value() == "5", "one goes on from there"
    page.get_by_label("Keep these rules as").fill("Five in hand")
    page.get_by_role("button", name="Keep", exact=True).click()
    assert page.get_by_role("status").inner_text() == "Kept as “Five in hand”."
    with page.expect_download() as given:
        page.get_by_role("link", name="take the file").click()
    given.value.save_as(tmp_path / "config.json")
    assert json.loads((tmp_path / "config.json").read_text(encoding="utf-8"))["hand_size"] == 5
    page.get_by_role("link", name="play by them").click()
    assert _number(page, "hand_size").input_value() == "5"
    page.get_by_role("button", name="Sit down and play").click()
    page.wait_for_url(re.compile(r"/t/"))
    page.wait_for_selector("#picture svg")
    wait(page, "document.getElementById('settings').textContent === 'Not as usual: Hand: 5'")


def _simulate(page: Any, games: int) -> None:
    page.locator("summary", has_text="How does it play?").click()
    page.locator('input[name="games"]').fill(str(games))
    page.locator('button[value="simulate"]').click()


def test_figures_narrow_while_one_looks(visit):
    page = visit(f"/lab/games/pig?owner={KEY}")
    _simulate(page, 100_000)
    page.wait_for_selector("#work[data-state=done]")
    page.wait_for_load_state()  # with what has tables sorted and cells clicked
    assert int(page.locator("#work").get_attribute("data-pages")) == 4, "16384, 32768, 65536 and 100000 games"
    assert page.locator("#interim").is_hidden()
    report = page.frame_locator("#report")
    table = report.locator("section table").first
    cells = table.locator("tbody td[data-value]")
    assert re.fullmatch(r"0\.\d+ \[0\.\d+; 0\.\d+\], n\s=\s100\s000", cells.first.get_attribute("title")), "pointed at"
    cells.first.click()
    assert cells.first.locator(".exact").inner_text() == cells.first.get_attribute("title"), "a finger gets it, too"
    for order, best in (("descending", max), ("ascending", min)):
        head = table.locator("thead th.number").first
        head.click()
        assert head.get_attribute("aria-sort") == order
        column = head.evaluate("head => head.cellIndex")
        values = [float(one) for one in table.evaluate(_COLUMN, column)]
        assert values[0] == best(values) and len(set(values)) > 1
    with page.expect_download() as taken:
        report.get_by_text("This table as CSV").first.click()
    text = Path(taken.value.path()).read_text(encoding="utf-8-sig")
    assert str(values[0]) in text and ": low" in text.splitlines()[0]


def test_a_question_is_played_until_it_is_settled_and_no_longer(visit):
    page = visit(f"/lab/games/pig?owner={KEY}", locale="ru-RU")
    page.locator("summary", has_text="Так ли это?").click()
    assert page.locator('input[name="near"]').is_hidden(), "what the question does not need is not asked"
    page.locator('select[name="held"]').select_option("number")
    page.locator('input[name="near"]').fill("54,5")
    page.locator('input[name="within"]').fill("10 %")
    page.locator('button[value="sure"]').click()
    page.wait_for_selector("#work[data-state=done]")
    assert page.locator(".verdict").inner_text().startswith("Не дальше ±10")
    report = page.frame_locator("#report")
    report.locator("#sequence svg.pm-wide").wait_for()
    assert "54,5" in report.locator("#verdict").inner_text()


def test_what_is_stopped_keeps_its_report_until_it_is_removed(visit, site):
    page = visit(f"/lab/games/pig?owner={KEY}")
    _simulate(page, 1_000_000_000)
    page.wait_for_selector("#report:not([hidden])")
    page.wait_for_selector("#interim")
    assert page.locator("#away").is_hidden()
    wait(page, "document.getElementById('bar').position > 0")
    prepares = {"state": "running", "label": "compiling", "done": 0, "total": 0, "pages": 0}
    page.route("**/state", lambda route: route.fulfill(json=prepares))
    page.get_by_text("compiling", exact=True).wait_for()
    assert page.locator("#counted").inner_text() and page.evaluate("document.getElementById('bar').position") > 0
    page.route("**/state", lambda route: route.fulfill(body=""))  # a refused one would be complained of
    page.get_by_text("The server does not answer.").wait_for()
    assert page.get_by_role("button", name="Stop").is_disabled(), "no click leads to nowhere"
    page.unroute("**/state")
    page.wait_for_selector("#away", state="hidden")
    page.get_by_role("button", name="Stop").click()
    page.wait_for_selector("#work[data-state=stopped]")
    page.frame_locator("#report").locator("body", has_text="Playmill report").wait_for()
    page.locator("summary", has_text="Remove").click()
    page.get_by_role("button", name="Remove").click()
    page.wait_for_url(re.compile(r"/lab$"))
    assert not any(job.arguments["games"] == 1_000_000_000 for job in site.laboratory.queue.jobs())


def test_on_a_phone_in_russian_nothing_is_wider_than_the_screen(visit, site):
    how = {"viewport": {"width": 360, "height": 740}, "locale": "ru-RU", "color_scheme": "dark"}
    page = visit(f"/lab?owner={KEY}", **how)
    for path in ("/lab", "/lab/games/dimensions", "/lab/games/dice"):
        page.goto(site.url + path)
        for question in page.locator("details.question > summary").all():
            question.click()
            assert page.evaluate("document.documentElement.scrollWidth") <= 360, path
        assert page.evaluate("document.documentElement.scrollWidth") <= 360, path


def test_every_question_can_be_asked_without_scrolling_past_all_rules(visit):
    page = visit(f"/lab/games/dice?owner={KEY}", locale="ru-RU", viewport={"width": 1280, "height": 620})
    for question in page.locator("details.question > summary").all():
        question.click()
        assert page.locator(".questions").bounding_box()["height"] <= 604, "it scrolls by itself"
    page.set_viewport_size({"width": 390, "height": 844})
    assert page.locator(".questions").evaluate("box => box.clientHeight == box.scrollHeight"), (
        "a phone scrolls the page"
    )


def test_by_keys_enter_asks_what_stands_beside_and_nothing_is_removed_by_a_slip(visit, site):
    page = visit(f"/lab/games/pig?owner={KEY}", locale="ru-RU", complaints=False)  # of the answer to a wrong number
    page.locator('input[name="called"]').fill("Пробная")
    page.locator('input[name="called"]').press("Enter")
    page.get_by_text("Сохранено под именем «Пробная».").wait_for()
    page.wait_for_load_state()
    for opened in (True, False, True):
        assert page.locator('button[name="forget"]').is_visible() != opened
        page.locator(".saved summary").press("Enter")
    page.get_by_text("Удалить «Пробная»?").press("Tab")
    page.locator('button[name="forget"]').press("Enter")
    page.wait_for_selector(".saved", state="detached")
    page.wait_for_load_state()  # what is opened before the answer is there is closed by it
    page.locator("summary", has_text="Кто играет лучше?").press("Enter")
    page.locator('input[name="table_deals"]').wait_for()
    page.locator('input[name="v:target"]').fill("30")
    with page.expect_navigation():
        page.locator('input[name="v:target"]').press("Enter")  # no question: the form is looked at, and stays as it is
    page.wait_for_selector(".setting.differs")
    page.locator('input[name="table_deals"]').fill("0")
    page.locator('input[name="table_deals"]').press("Enter")
    alert = page.locator(".question[open] [role=alert]")
    alert.wait_for()
    page.wait_for_load_state()
    assert alert.inner_text().startswith("сколько раздач? '0': нужно целое число")
    assert alert.evaluate("it => it.getBoundingClientRect().bottom") < page.viewport_size["height"], "and it is seen"
    assert page.locator("[role=alert]:visible").count() == 1
    page.locator('input[name="table_deals"]').fill("3")
    page.locator('input[name="table_deals"]').press("Enter")
    page.wait_for_selector("#work[data-state=done]")
    assert site.laboratory.queue.jobs()[0].arguments["deals"] == 3


def test_who_is_not_the_owner_is_told_so_and_may_look(visit):
    page = visit("/lab/games/pig")
    assert page.get_by_text("Only the owner of this server").is_visible()
    assert page.locator('button[value="compare"]').is_disabled()


def test_without_scripts_it_works_too(visit):
    page = visit(f"/lab/games/pig?owner={KEY}", java_script_enabled=False)
    _number(page, "target").fill("60")
    page.locator('input[name="deals"]').fill("50")
    page.locator('button[value="compare"]').click()
    page.wait_for_selector("#work[data-state=done]")
    assert page.get_by_role("link", name="All figures (JSON)").is_visible()


def test_a_question_is_asked_among_beginners_good_players_and_experts(visit):
    page = visit(f"/lab?owner={KEY}")
    page.get_by_role("link", name="Dice", exact=True).click()
    page.locator('select[name="seat"]').first.wait_for()
    assert page.get_by_text("minutes in all, about").is_hidden()
    page.get_by_text("beginners, good players and experts").click()
    assert page.locator('select[name="seat"]').first.is_hidden(), "who sits where is no question then"
    assert page.locator(".at-levels li").all_inner_texts() == [
        "beginners: random",
        "good players: greedy",
        "experts: optimal",
    ]
    page.locator('details[data-kind="simulate"] summary').click()
    page.locator('input[name="games"]').fill("20000")
    page.locator('button[value="simulate"]').click()
    page.wait_for_selector("#work[data-state=done]")
    assert "Seat 1 is too strong at every level: measured " in page.locator(".verdict").inner_text()
    assert page.get_by_text("players: 2 · among beginners, good players and experts").is_visible()
    report = page.frame_locator("#report").locator("body", has_text="good players (greedy)")
    report.wait_for()
    assert "experts (optimal)" in report.inner_text()
    page.get_by_role("link", name="Change something").click()
    page.wait_for_selector("#among-whom")


def test_what_cannot_be_asked_at_levels_says_so(visit):
    page = visit(f"/lab?owner={KEY}", complaints=False)
    page.get_by_role("link", name="Dice", exact=True).click()
    page.get_by_text("beginners, good players and experts").click()
    page.locator('details[data-kind="sure"] summary').click()
    page.locator('button[value="sure"]').click()
    page.get_by_text("one question is settled among one kind of players").wait_for()
    assert page.locator('input[name="among"][value="levels"]').is_checked(), "what was chosen stays"
