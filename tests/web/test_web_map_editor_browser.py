"""Map editor in a real browser: symmetry, a mistake shown and mended, saving, playing."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from browser_helpers import READY, wait
from web_server import Site, running

KEY = "the-owner-has-this-key"
DRAW = "/lab/games/influence/draw"
PHONE = {"viewport": {"width": 360, "height": 740}, "has_touch": True, "locale": "ru-RU", "color_scheme": "dark"}


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory, games: dict[str, Any]) -> Iterator[Site]:
    chosen = {"influence": games["influence"]}
    with running(tmp_path_factory.mktemp("drawing") / "tables.sqlite3", chosen, owner=KEY) as found:
        yield found


def _middle(page: Any, row: int, column: int) -> tuple[float, float]:
    """Where a place of the canvas is on the screen."""
    at = page.locator("#canvas .spot").nth(row * int(page.locator("[name=cols]").input_value()) + column)
    box = at.locator(".ground").bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def _click(page: Any, row: int, column: int) -> None:
    page.mouse.click(*_middle(page, row, column))


def _drag(page: Any, *cells: tuple[int, int]) -> None:
    page.mouse.move(*_middle(page, *cells[0]))
    page.mouse.down()
    for cell in cells[1:]:
        page.mouse.move(*_middle(page, *cell))
    page.mouse.up()


def _choose(page: Any, tool: str) -> None:
    page.locator(".tools-of label", has_text=tool).click()


def _rows(page: Any, wanted: list[str]) -> None:
    """Waits until the server has answered with the rows that were drawn."""
    wait(
        page, f"JSON.stringify(JSON.parse(text.value).rows) === {json.dumps(json.dumps(wanted, separators=(',', ':')))}"
    )


def test_a_designer_draws_a_map_keeps_it_and_plays_on_it(visit, site):
    page = visit(f"/games/influence?owner={KEY}")
    page.get_by_role("button", name="Draw your own, beginning here").click()
    page.wait_for_url(re.compile("/draw$"))
    assert page.locator("#called").input_value() == "middle", "one begins with what is chosen"
    page.locator("[name=rows]").fill("5")
    page.locator("[name=cols]").fill("5")
    page.get_by_role("button", name="Empty canvas").click()
    wait(page, "document.querySelectorAll('#canvas .spot').length === 25")
    page.locator("#begin", has_text="Nothing is drawn yet").wait_for()
    assert page.locator("#mistakes").is_hidden(), "nobody has made a mistake yet"
    page.get_by_role("button", name="Play on it").click()
    page.locator("#mistakes", has_text="rows: holes only, no cell; expected 2 to 256").wait_for()
    assert page.url.endswith(DRAW) and page.locator("#begin").is_hidden()
    page.evaluate("scrollTo(0, 0)")
    page.locator("#symmetry").select_option(label="half a turn, 2 players")
    _drag(page, (0, 0), (0, 4), (1, 3))
    _rows(page, ["wwwww", "...w.", ".....", "w....", "wwwww"])
    assert page.locator("#notes").inner_text().startswith("the field falls into 2 parts")
    _choose(page, "strong")
    _drag(page, (1, 3), (2, 3), (2, 2))
    _rows(page, ["wwwww", "...S.", ".SSS.", "S....", "wwwww"])
    _choose(page, "weak")
    _drag(page, (1, 0), (1, 2))
    _rows(page, ["wwwww", "wwwS.", ".SSS.", "Swww.", "wwwww"])
    assert page.locator("#notes").inner_text() == "", "one field"
    _choose(page, "Starts of 2 players")
    _click(page, 0, 0)
    wait(page, "JSON.parse(text.value).starts?.['2']?.length === 2")
    assert json.loads(page.locator("#text").input_value())["starts"]["2"] == [[0, 0], [4, 4]], "both by one click"
    assert "steps apart" in page.locator("#facts").inner_text()
    page.locator("#symmetry").select_option(label="none")
    _click(page, 4, 4)
    wait(page, "document.getElementById('mistakes').textContent === 'starts.2: 1 place; expected 2'")
    page.get_by_role("button", name="Play on it").click()
    wait(page, "document.getElementById('told').textContent === 'starts.2: 1 place; expected 2'")
    assert page.url.endswith(DRAW), "it cannot be played on"
    _choose(page, "Starts of 2 players")
    _click(page, 4, 4)
    wait(page, "!document.getElementById('right').hidden")
    page.locator("#called").fill("Two sides")
    page.get_by_role("button", name="Keep", exact=True).click()
    assert page.locator(".said").inner_text() == "Kept as “Two sides”."
    with page.expect_download() as given:
        page.get_by_role("link", name="take the file").click()
    text = Path(given.value.path()).read_text(encoding="utf-8")
    kept = json.loads(text)
    assert kept == {
        "name": "Two sides",
        "rows": ["wwwww", "wwwS.", ".SSS.", "Swww.", "wwwww"],
        "starts": {"2": [[0, 0], [4, 4]]},
    }
    page.get_by_role("button", name="Clear").click()
    _rows(page, ["....."] * 5)
    page.locator("#file").set_input_files({"name": "m.json", "mimeType": "application/json", "buffer": text.encode()})
    _rows(page, kept["rows"])
    assert page.locator("#symmetry").input_value() == "half", "what is alike is seen"
    page.get_by_role("button", name="Play on it").click()
    page.wait_for_url(re.compile("/t/"))
    page.wait_for_selector(READY)
    table = page.url.rpartition("/t/")[2].partition("#")[0]
    assert site.tables.store.find(table)[0].config["map"] == kept
    page.locator(READY, has_text="attacks").or_(page.locator(READY)).first.click()
    wait(page, "document.querySelectorAll('#log > li').length > 0")
    assert len(site.tables.store.find(table)[2]) >= 1, "the first move on that map"


def test_all_by_keys_and_back_again(visit):
    page = visit(f"{DRAW}?owner={KEY}")
    page.locator("#symmetry").select_option("across")
    page.locator("#canvas .spot").first.focus()
    page.keyboard.press("Space")
    assert page.locator("#told").inner_text() == "row 0, column 0: weak; places changed: 2"
    for key in ("ArrowDown", "ArrowRight", "Space"):
        page.keyboard.press(key)
    first, second = ["w.......w", *["........."] * 8], ["w.......w", ".w....w..", *["........."] * 7]
    _rows(page, second)
    page.keyboard.press("Control+z")
    _rows(page, first)
    page.keyboard.press("Control+y")
    _rows(page, second)
    page.keyboard.press("Space")
    _rows(page, first)
    page.get_by_role("button", name="Clear").click()
    page.get_by_role("button", name="Undo").click()
    _rows(page, first)
    focused = page.evaluate("document.querySelector('#canvas [tabindex=\"0\"]').getAttribute('aria-label')")
    assert focused == "row 1, column 1: a hole"
    assert page.locator("#in-words li").first.text_content() == "Row 0: weak 0, a hole 1–7, weak 8"
    page.locator('input[name="rows"]').fill("5")
    page.locator('input[name="rows"]').press("Enter")
    _rows(page, first[:5])
    page.locator("#language").click()
    page.wait_for_selector("html[lang=ru]")
    _rows(page, first[:5])


def test_what_has_no_counterpart_is_not_drawn_and_a_whole_drawing_is_made_alike(visit):
    page = visit(f"{DRAW}?owner={KEY}&from=library:small")
    page.locator("#symmetry").select_option("down")
    lone = page.locator("#canvas .lone")
    assert lone.count() == 5, "of four rows three have one that is alike"
    before = page.locator("#text").input_value()
    _choose(page, "strong")
    page.mouse.click(*_middle(page, 3, 0))
    assert "no counterpart" in page.locator("#told").inner_text() and page.locator("#text").input_value() == before
    assert page.get_by_role("button", name="Undo").is_disabled(), "nothing was done"
    page.locator("#canvas .spot").nth(11).focus()
    page.keyboard.press("ArrowLeft")
    assert page.evaluate("document.activeElement.dataset.at") == "10", "from where the focus is"
    page.get_by_role("button", name="Make all of it symmetric").click()
    wait(page, f"text.value !== {json.dumps(before)}")
    rows = json.loads(page.locator("#text").input_value())["rows"]
    assert rows[0] == rows[2] and rows[3] == "....."


def test_on_a_phone_a_finger_paints_and_the_page_stays(visit):
    page = visit(f"{DRAW}?owner={KEY}", **PHONE)
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    assert page.locator("#canvas").evaluate("node => getComputedStyle(node).touchAction") == "pinch-zoom"
    page.locator("#paper").evaluate("node => node.scrollIntoView({ block: 'center' })")
    before = page.evaluate("scrollY")
    touch = page.context.new_cdp_session(page)
    for kind, cell in (("touchStart", (2, 2)), ("touchMove", (4, 2)), ("touchMove", (6, 2))):
        x, y = _middle(page, *cell)
        touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": x, "y": y}]})
    touch.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    wait(page, "JSON.parse(text.value).rows.filter(row => row.includes('w')).length === 5")
    assert page.evaluate("scrollY") == before
    page.evaluate("document.querySelectorAll('details').forEach(one => { one.open = true; })")
    assert page.evaluate("document.documentElement.scrollWidth") <= 360


def test_a_text_that_cannot_be_drawn_stays_and_one_goes_on(visit):
    page = visit(f"{DRAW}?owner={KEY}", complaints=False)
    page.locator("summary", has_text="As text").click()
    page.locator("#text").fill('{"name": "torn", "rows": ["ww", "w"]}')
    page.get_by_role("button", name="Keep", exact=True).click()
    page.locator("#mistakes", has_text="rows.1: 1 cell; expected 2").wait_for()
    assert '"torn"' in page.locator("#text").input_value() and page.locator("#canvas").count() == 0
    page.get_by_role("button", name="Clear").click()
    page.locator("#text").fill('{"name": "torn", "rows": ["ww", "wS"]}')
    page.get_by_role("button", name="Check and draw").click()
    page.locator("#canvas .spot").nth(3).wait_for()
    _click(page, 0, 0)
    _rows(page, [".w", "wS"])
    page.get_by_role("button", name="Undo").click()
    _rows(page, ["ww", "wS"])


def test_without_scripts_it_is_written_checked_and_played_on(visit):
    page = visit(DRAW, java_script_enabled=False)
    field = page.locator("#text")
    page.locator("summary", has_text="As text").click()
    field.fill('{"name": "tiny", "rows": ["wSw", "w.x"]}')
    page.get_by_role("button", name="Check and draw").click()
    assert page.locator("#mistakes").inner_text().startswith('rows.1: "x" at column 2, counted from 0; expected w')
    assert page.locator("#canvas").count() == 0 and '"w.x"' in field.input_value()
    field.fill('{"name": "tiny", "rows": ["wSw", "w.w"]}')
    page.get_by_role("button", name="Check and draw").click()
    page.wait_for_load_state()
    assert page.locator("#canvas .spot").count() == 6 and page.locator("#mistakes").inner_text() == ""
    page.get_by_role("button", name="Play on it").click()
    page.wait_for_url(re.compile("/t/"))
