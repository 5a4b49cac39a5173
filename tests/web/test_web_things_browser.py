"""Clickable things of a picture in a real browser, whatever the game: by clicks, keys and the wheel."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from browser_helpers import wait
from web_server import Site

from common.pages import needs_chromium
from playmill.drawing.things import part, refused, shown_for, whole

pytestmark = needs_chromium
#: Two dice, two last words with what they bring, a cell for the wheel, and one that is not to be had.
_PICTURE = "".join(
    (
        '<svg xmlns="http://www.w3.org/2000/svg" class="x" viewBox="0 0 400 200" width="400" height="200">',
        part("die-1", (1, 3, 11, 13), "one", '<rect class="face" x="0" y="0" width="40" height="40"/>'),
        part("die-3", (2, 3, 12, 13), "five", '<rect class="face" x="60" y="0" width="40" height="40"/>'),
        part("old", (4,), "another source", '<rect x="120" y="0" width="40" height="40"/>'),
        part("aim", (4,), "its target", '<rect x="180" y="0" width="40" height="40"/>'),
        refused("die-2", "a two scores nothing", '<rect x="240" y="0" width="40" height="40"/>', title="die 2"),
        part(
            "on",
            (1, 2, 3),
            "go on",
            shown_for((3,), '<text x="4" y="80">150</text>') + '<rect y="60" width="40" height="40"/>',
            go=True,
        ),
        part("pass", (11, 12, 13), "pass", '<rect x="60" y="60" width="40" height="40"/>', go=True),
        whole(20, "one more", '<rect x="120" y="60" width="40" height="40"/>', thing="cell", more=True),
        "</svg>",
    )
)
_SET_UP = """async text => {
    const [{ show }, { Things }, { Tips }] = await Promise.all(
        ['morph', 'things', 'tips'].map(name => import(`/static/${name}.js`)));
    const place = document.createElement('div'), tip = document.createElement('p');
    place.id = 'picture'; tip.id = 'tip'; tip.hidden = true;
    document.body.replaceChildren(place, tip);
    show(place, text);
    Object.assign(window, { decided: [], back: [], busy: false, left: null, more: null });
    window.things = new Things(place, {
        may: () => !busy, decide: action => { if (!busy) decided.push(action); busy = true; },
        takeBack: action => back.push(action) === 1, narrowed: (found, further) => { left = found; more = further; },
        tips: new Tips(place, tip), words: { not_with: 'not with', choose_first: 'first', not_last: 'not last' } });
    things.fresh();
}"""


@pytest.fixture(scope="module")
def opened(browser: Any, site: Site) -> Iterator[Any]:
    page = browser.new_page(viewport={"width": 800, "height": 600})
    page.goto(site.url)
    yield page
    page.close()


@pytest.fixture
def page(opened: Any) -> Any:
    """The picture laid anew."""
    opened.mouse.move(700, 500)
    opened.evaluate(_SET_UP, _PICTURE)
    return opened


@pytest.fixture
def click(page: Any) -> Callable[[str], None]:
    return lambda name: page.locator(f'[data-thing="{name}"]').click()


def state(page: Any, mark: str) -> list[str]:
    found: list[str] = page.evaluate(f"[...document.querySelectorAll('[{mark}]')].map(one => one.dataset.thing)")
    return found


def test_things_are_chosen_one_by_one_and_the_last_word_decides(page: Any, click: Callable[[str], None]) -> None:
    assert state(page, "data-off") == ["on", "pass"], "nothing is chosen yet"
    click("die-1")
    assert state(page, "data-mark") == ["die-1"] and page.evaluate("decided") == []
    assert state(page, "data-off") == ["old", "aim"] and page.locator("[data-on]").count() == 0
    click("die-3")
    assert page.locator("[data-on]").text_content() == "150", "what the next click would bring"
    assert page.evaluate("left.sort((a, b) => a - b)") == [3, 13]
    click("on")
    assert page.evaluate("decided") == [3]


def test_a_second_click_takes_the_first_back_and_escape_all(page: Any, click: Callable[[str], None]) -> None:
    click("die-1")
    click("die-3")
    click("die-1")
    assert state(page, "data-mark") == ["die-3"]
    page.evaluate("things.forget()")
    assert state(page, "data-mark") == [] and page.evaluate("left") is None
    page.locator("[data-thing=pass]").click(force=True)
    assert page.evaluate("decided") == [] and page.inner_text("#tip").splitlines() == ["Pass", "first"]


def test_source_and_target_in_either_order(page: Any, click: Callable[[str], None]) -> None:
    for order in (("old", "aim"), ("aim", "old")):
        page.evaluate("things.forget(); busy = false; decided.length = 0")
        for name in order:
            assert page.evaluate("decided") == [], "one thing is not enough, even where only one option is left"
            click(name)
        assert page.evaluate("decided") == [4]


def test_a_clicked_thing_that_is_no_part_of_the_next_decision_is_not_marked(
    page: Any, click: Callable[[str], None]
) -> None:
    click("die-1")
    assert state(page, "data-mark") == ["die-1"]
    laid = (
        '<svg xmlns="http://www.w3.org/2000/svg" class="x" viewBox="0 0 10 10"><g data-thing="die-1"><rect/></g></svg>'
    )
    page.evaluate(
        "async text => { (await import('/static/morph.js')).show(document.getElementById('picture'), text);"
        " things.fresh(); }",
        laid,
    )
    assert page.locator('[data-thing="die-1"]').count() == 1 and state(page, "data-mark") == []


def test_whether_there_is_more_to_click_is_told(page: Any, click: Callable[[str], None]) -> None:
    click("die-1")
    assert page.evaluate("more") is True
    click("old")
    click("aim")
    assert page.evaluate("more") is False


def test_what_does_not_go_together_begins_anew(page: Any, click: Callable[[str], None]) -> None:
    click("die-1")
    click("old")
    assert state(page, "data-mark") == ["old"] and state(page, "data-next") == ["aim"]


def test_what_cannot_be_had_says_why_on_hover_tap_and_focus(page: Any, click: Callable[[str], None]) -> None:
    page.locator('[data-thing="die-2"]').hover()
    page.wait_for_selector("#tip:not([hidden])")
    assert page.inner_text("#tip").splitlines() == ["Die 2", "A two scores nothing"]
    page.mouse.move(700, 500)
    page.wait_for_selector("#tip", state="hidden")
    click("die-2")
    assert "A two scores nothing" in page.inner_text("#tip") and page.evaluate("decided") == []
    page.mouse.click(700, 500)
    page.locator('[data-thing="aim"]').focus()
    page.keyboard.press("ArrowRight")
    assert page.evaluate("document.activeElement.dataset.thing") == "die-2" and page.is_visible("#tip")
    assert page.locator('[data-thing="die-2"]').get_attribute("aria-description") == "A two scores nothing"


def test_by_arrows_and_enter_alone(page: Any) -> None:
    page.locator('[data-thing="die-1"]').focus()
    for key in ("Enter", "ArrowRight", "Space", "ArrowDown"):
        page.keyboard.press(key)
    assert state(page, "data-mark") == ["die-1", "die-3"]
    assert page.evaluate("document.activeElement.dataset.thing") == "pass"
    page.keyboard.press("Enter")
    assert page.evaluate("decided") == [13]


#: Turns of a wheel over something, each so many milliseconds after the start by the page's clock.
_TURNS = """([place, turns]) => turns.forEach(([deltaY, at]) => {
    const event = new WheelEvent('wheel', { deltaY, bubbles: true, cancelable: true });
    Object.defineProperty(event, 'timeStamp', { value: at });
    document.querySelector(place).dispatchEvent(event); })"""
_CELL = '[data-thing="cell"]'


def test_the_wheel_gives_one_more_and_takes_it_back(page: Any) -> None:
    page.evaluate(_TURNS, [_CELL, [[-100, 0], [-100, 10], [-100, 20]]])
    assert page.evaluate("[decided, things.turns.count]") == [[20], 2], "what comes too fast waits"
    for _ in range(2):
        page.evaluate("busy = false; things.settled()")
    assert page.evaluate("decided") == [20, 20, 20]
    page.evaluate("busy = false")
    page.evaluate(_TURNS, [_CELL, [[100, 1000]]])
    assert page.evaluate("back") == [20]


def test_a_real_wheel_is_heard(page: Any) -> None:
    page.locator(_CELL).hover()
    page.mouse.wheel(0, -100)
    wait(page, "decided.length === 1 && decided[0] === 20")


def test_a_touch_pad_counts_by_the_way_it_goes_and_quick_clicks_wait_their_turn(page: Any) -> None:
    page.evaluate(_TURNS, [_CELL, [[-10, 15 * place] for place in range(9)]])
    assert page.evaluate("[decided, things.turns.count]") == [[20], 0], "nine small turns are one"
    page.evaluate("busy = false; decided.length = 0")
    page.locator(_CELL).dblclick()
    assert page.evaluate("[decided, things.turns.count]") == [[20], 1]


def test_a_page_being_scrolled_is_scrolled_on(page: Any) -> None:
    page.evaluate(_TURNS, ["#picture svg", [[-100, 0]]])
    page.evaluate(_TURNS, [_CELL, [[-100, 200]]])
    assert page.evaluate("decided") == []
    page.evaluate(_TURNS, [_CELL, [[-100, 500]]])
    assert page.evaluate("decided") == [20], "after a rest it counts"


def test_a_finger_that_stays_asks_what_a_thing_is(page: Any) -> None:
    press = """kind => document.querySelector('[data-thing="die-1"] rect').dispatchEvent(new PointerEvent(kind,
        { pointerType: 'touch', bubbles: true, clientX: 10, clientY: 10 }))"""
    page.evaluate(press, "pointerdown")
    page.wait_for_selector("#tip:not([hidden])")
    assert page.inner_text("#tip") == "One"
    page.evaluate(press, "pointerup")
    page.evaluate(
        "document.querySelector('[data-thing=\"die-1\"] rect').dispatchEvent(new Event('click', {bubbles: true}))"
    )
    assert state(page, "data-mark") == [], "that was no click"
