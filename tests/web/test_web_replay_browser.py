"""Replays in a real browser: upload, slider, keys, links to a move, autoplay, viewpoints, a live table."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from browser_helpers import wait
from test_web_replay import played
from web_server import Site

from common.pages import needs_chromium
from playmill.lab.replays.replay_file import text_of
from playmill.web.replay.replay_table import written
from playmill.web.replay.win_chances import WinChanceService
from playmill.web.table.state import GameTable

pytestmark = needs_chromium
#: Drops a file of this name and text on the page.
_DROP = """([name, text]) => {
    const data = new DataTransfer();
    data.items.add(new File([text], name));
    document.dispatchEvent(new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true }));
}"""


@pytest.fixture(scope="module")
def finished(site: Site) -> GameTable:
    """A finished game of Dice, and nobody who works out chances that no test asks for."""
    return played(site, "dice", seed=3)


@pytest.fixture
def visit(browser: Any, site: Site) -> Iterator[Callable[..., Any]]:
    """Opens pages that must not complain of anything nor ask anybody else."""
    opened = []

    def visit(path: str, **how: Any) -> Any:
        context = browser.new_context(**{"viewport": {"width": 1100, "height": 800}, "locale": "en-US", **how})
        page = context.new_page()
        trouble: list[str] = []
        page.on("console", lambda message: trouble.append(message.text))
        page.on("pageerror", lambda error: trouble.append(str(error)))
        page.on(
            "request", lambda asked: asked.url.startswith((site.url, "ws://127.0.0.1")) or trouble.append(asked.url)
        )
        opened.append((context, trouble))
        page.goto(site.url + path)
        return page

    yield visit
    for context, trouble in opened:
        context.close()
        # A file that is refused is answered by 400, which a browser notes; nothing else is excused.
        assert [line for line in trouble if "status of 400" not in line] == []


@pytest.fixture(scope="module", autouse=True)
def forecasts(site: Site) -> None:
    """Chances by few play-outs that need no compiler."""
    site.replays.forecasts.close()
    site.replays.forecasts = WinChanceService(playouts=4, interpreted=True)


def at(page: Any, place: int) -> None:
    """Waits until the page stands at a move, its picture drawn."""
    wait(page, f"document.getElementById('place').textContent.startsWith('{place} /')")
    page.wait_for_selector("#picture > svg")


def test_a_replay_is_dropped_and_watched_with_slider_buttons_keys_and_link(visit, site, finished):
    last = finished.version
    page = visit("/watch")
    page.evaluate(_DROP, ["game.json", text_of(written(finished))])
    page.wait_for_url("**/watch/*")
    at(page, 0)
    for key, place in (
        ("ArrowRight", 1),
        ("ArrowRight", 2),
        ("ArrowLeft", 1),
        ("End", last),
        ("Home", 0),
        ("5", round(last / 2)),
    ):
        page.keyboard.press(key)
        at(page, place)
    assert page.url.endswith(f"#{round(last / 2)}")
    page.locator("#slider").fill("7")
    at(page, 7)
    page.keyboard.press("ArrowRight")  # with the slider in focus: one step, not two
    at(page, 8)
    page.keyboard.press("ArrowDown")
    wait(page, "!document.getElementById('place').textContent.startsWith('8 /')")
    turn = int(page.inner_text("#place").split(" ")[0])
    seats = [moment.seat for moment in finished.moments]
    assert turn > 8 and (turn == last or seats[turn + 1] != seats[turn]) and len(set(seats[9 : turn + 1])) == 1
    page.get_by_label("To the start").click()
    at(page, 0)
    lines = page.locator("#log button")
    wanted = int(lines.nth(4).get_attribute("data-version"))
    lines.nth(4).click()
    at(page, wanted)
    assert page.locator("#log [aria-current]").get_attribute("data-version") == str(wanted)
    page.keyboard.press("f")
    assert page.locator("#eyes").input_value() == "0"
    page.keyboard.press("?")
    assert page.locator("#keys").is_visible() and "to the start, to the end" in page.inner_text("#keys")
    page.keyboard.press("Escape")
    page.keyboard.press("End")
    at(page, last)
    assert page.locator("#verdict").is_visible()
    other = visit(page.url.removeprefix(site.url).split("#")[0] + "#12")
    at(other, 12)


def test_autoplay_goes_on_to_the_end_and_stops(visit, finished):
    page = visit(f"/t/{finished.facts.id}/watch#{finished.version - 6}")
    at(page, finished.version - 6)
    page.locator("#speed").select_option("once")
    page.locator("#player").click(position={"x": 5, "y": 5})
    page.evaluate(
        """() => { window.pressed = []; const play = document.getElementById('play');
        new MutationObserver(() => pressed.push(play.getAttribute('aria-pressed')))
            .observe(play, { attributes: true }); }"""
    )
    page.keyboard.press("Space")
    at(page, finished.version)
    wait(page, "pressed.at(-1) === 'false'")
    assert page.evaluate("pressed") == ["true", "false"]


def test_the_chances_stand_under_the_slider_and_their_moments_lead_to_them(visit, finished):
    page = visit(f"/t/{finished.facts.id}/watch")
    page.wait_for_selector("#chart path.line")
    assert page.locator("#chart path.band").count() == 2
    page.wait_for_selector("#moments li")
    page.keyboard.press("End")
    at(page, finished.version)
    assert "100 %" in page.inner_text("#sides") and "0 %" in page.inner_text("#sides")
    middle = round(finished.version / 2)
    while not page.inner_text("#place").startswith(f"{middle} "):
        # While more becomes known the chart is drawn anew, and a click may meet the old one.
        chart = page.locator("#chart svg")
        chart.click(position={"x": chart.bounding_box()["width"] / 2, "y": 30})
        page.wait_for_timeout(100)
    at(page, middle)


@pytest.mark.parametrize(
    ("name", "text", "told"),
    [
        ("cat.txt", "miaow", "this file"),
        ("empty.json", "", "is empty"),
        ("other.json", json.dumps({"replay": 1}), "form 1"),
        ("script.json", json.dumps({"replay": 2, "game": "<img src=x onerror=alert(1)>"}), "<img src=x"),
    ],
)
def test_a_bad_file_gets_one_sentence_and_the_page_stays(visit, name, text, told):
    page = visit("/watch")
    page.evaluate(_DROP, [name, text])
    page.wait_for_selector(f"#notice:has-text('{told}')")
    assert page.url.endswith("/watch") and page.locator("#notice img").count() == 0
    page.locator("#file").set_input_files({"name": "x.json", "mimeType": "application/json", "buffer": b"[]"})
    page.wait_for_selector("#notice:has-text('not a replay')")


def test_a_live_table_between_agents_is_followed_and_can_be_looked_back_at(visit, site):
    name, _ = site.make("pig", ["random", "random"], seed=4)
    page = visit(f"/t/{name}/watch")
    wait(page, "Number(document.getElementById('slider').max) >= 3")
    assert "live" in page.inner_text("#place") and page.locator("#seen-by").is_hidden()
    page.keyboard.press("Home")
    at(page, 0)
    here = page.evaluate("Number(document.getElementById('slider').max)")
    wait(page, f"Number(document.getElementById('slider').max) > {here}")
    at(page, 0)  # who looks back is left in peace


def test_on_a_phone_in_russian_everything_fits(visit, finished):
    phone = {"viewport": {"width": 360, "height": 740}, "locale": "ru-RU", "has_touch": True, "color_scheme": "dark"}
    page = visit(f"/t/{finished.facts.id}/watch#3", reduced_motion="reduce", **phone)
    at(page, 3)
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    page.get_by_label("На шаг вперёд").tap()
    at(page, 4)
    assert page.evaluate("document.getElementById('picture').getAnimations({ subtree: true }).length") == 0
    assert "Что произошло" in page.inner_text("main")


def test_what_happened_is_told_in_letters_that_this_machine_has(visit: Any, site: Site) -> None:
    page = visit(f"/t/{played(site, 'save_oneself', seats=['random'], seed=3).facts.id}/watch#5")
    at(page, 5)
    told = page.locator("#log, #turn, #asks").all_inner_texts()
    assert "«" in "".join(told) or "→" in "".join(told), told
    found = page.evaluate(
        """async lines => {
            const { legible } = await import('/static/signs.js');
            return lines.map(line => legible(line));
        }""",
        told,
    )
    assert found == told
