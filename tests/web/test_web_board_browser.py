"""Whole games in a real browser with what lies on the table: by mouse, by keys alone, by touch."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from browser_helpers import LINES, READY, TURN, press, table_of, wait
from web_server import Site

from common.pages import needs_chromium

pytestmark = needs_chromium
#: It is this browser's turn, or the game is over.
_TURN = """document.getElementById('end')?.hidden === false ||
    (document.querySelector('#now.yours') !== null && !document.querySelector('#picture.busy')
     && document.querySelector('#options button:not([disabled])') !== null)"""
_LINES = "document.querySelectorAll('#log > li').length"
_PHONE = {"viewport": {"width": 360, "height": 740}, "has_touch": True, "locale": "ru-RU"}
#: What moves has to be met by a click all the same.
_MOVING = {"reduced_motion": "no-preference"}
#: Notices go away after some seconds: all that there were are remembered.
_NOTICED = """() => { window.noticed = []; const place = document.getElementById('notices');
    new MutationObserver(() => noticed.push(place.innerText)).observe(place, { childList: true, subtree: true }); }"""
#: How a thing is reached: by its name.
Hand = Callable[[str], None]


@pytest.fixture
def sit(browser: Any, site: Site) -> Iterator[Callable[..., Any]]:
    """Sits somebody down at a table against a random player; her page must not complain of anything."""
    opened = []

    def sit(game: str, changes: list[str], *, seed: int = 1, speed: str = "once", **how: Any) -> Any:
        table, owner = site.make(game, ["me", "random"], changes=changes, seed=seed)
        context = browser.new_context(**{"viewport": {"width": 1100, "height": 900}, "locale": "en-US", **how})
        context.add_init_script(f"localStorage.setItem('playmill:speed', '{speed}')")
        page = context.new_page()
        trouble: list[str] = []
        page.on("console", lambda message: trouble.append(message.text))
        page.on("pageerror", lambda error: trouble.append(str(error)))
        opened.append((context, trouble))
        page.goto(f"{site.url}/t/{table}#{owner}")
        wait(page, _TURN)
        return page

    yield sit
    for context, trouble in opened:
        context.close()
        assert trouble == []


def clicking(page: Any) -> Hand:
    return lambda name: page.locator(f'#picture [data-thing="{name}"]').click()


def tapping(page: Any) -> Hand:
    return lambda name: page.locator(f'#picture [data-thing="{name}"]').tap()


def typing(page: Any) -> Hand:
    """Tab to a thing and Enter: nothing but keys."""
    return lambda name: press(page, page.locator(f'#picture [data-thing="{name}"]'))


def play(page: Any, turn: Callable[[Hand, list[str]], None], hand: Hand, most: int = 60) -> int:
    """Plays until the game is over; `turn` makes one decision out of the names of the things that can be had."""
    for decisions in range(most):
        wait(page, _TURN)
        if page.locator("#end").is_visible():
            return decisions
        lines = page.evaluate(_LINES)
        turn(hand, names(page))
        wait(page, f"{_LINES} > {lines} || document.getElementById('end')?.hidden === false")
    raise AssertionError("the game does not end")


def names(page: Any) -> list[str]:
    """The things that can be had now."""
    found: list[str] = page.evaluate(
        "[...document.querySelectorAll('#picture :is([data-a], [data-in])[data-thing]')].map(one => one.dataset.thing)"
    )
    return found


def a_die_or_more(page: Any) -> Callable[[Hand, list[str]], None]:
    """Chooses dice one by one until they score, then throws the rest early in a turn and passes later."""

    def turn(hand: Hand, found: list[str]) -> None:
        for die in (name for name in found if name.startswith("die-")):
            if page.locator("[data-thing=pass]:not([data-off])").count():
                break
            hand(die)
        hand("on" if page.locator("text=Roll 1").count() + page.locator("text=Бросок 1").count() else "pass")

    return turn


_MOUSE, _KEYS, _FINGER = ((_MOVING, clicking), ({}, typing), (_PHONE, tapping))


def _long(hand: tuple[Any, Any]) -> Any:
    """A way to play that another game shows as well."""
    return pytest.param(*hand, marks=pytest.mark.long)


@pytest.mark.parametrize(("how", "hands"), [_MOUSE, _long(_KEYS), _FINGER], ids=["mouse", "keys", "phone"])
def test_dice_is_played_with_the_dice_alone(sit: Any, how: dict[str, Any], hands: Callable[[Any], Hand]) -> None:
    page = sit("dice", ["target_score=400"], **how)
    assert play(page, a_die_or_more(page), hands(page)) > 1
    assert page.locator("#verdict").inner_text()
    assert page.evaluate("document.documentElement.scrollWidth") <= page.viewport_size["width"]


def test_dice_chosen_say_on_the_buttons_what_they_bring(sit: Any) -> None:
    page = sit("dice", [], seed=1)  # 6 2 4 4 4 1
    hand = clicking(page)
    hand("die-3")
    assert page.locator("[data-thing=on][data-off]").count() == 1, "one four is nothing"
    page.locator("[data-thing=on]").hover()
    page.wait_for_selector("#tip:not([hidden])")
    assert "every one of them has to count" in page.inner_text("#tip")
    for die in ("die-4", "die-5"):
        hand(die)
    said = "[...document.querySelectorAll('[data-thing=pass] [data-on] text')].map(line => line.textContent)"
    assert page.evaluate(said) == ["+400", "total 400"]
    hand("die-6")
    assert page.evaluate(said) == ["+500", "total 500"]
    page.locator("#picture [data-pick]").last.click()
    assert page.evaluate(said) == ["+100", "total 100"], "a short cut to its dice"
    page.keyboard.press("Escape")
    assert page.evaluate(said) == [] and page.locator("[data-mark]").count() == 0
    page.locator("[data-thing=die-2]").hover()
    page.wait_for_selector("#tip:has-text('three alike')")


def test_everything_that_fires_is_noticed_beside_the_picture_and_in_the_log(sit: Any) -> None:
    page = sit("dice", ["kit=drinking_bout"])
    page.evaluate(_NOTICED)
    hand = clicking(page)
    hand(next(name for name in names(page) if name.startswith("item-")))
    wait(page, "noticed.some(line => line.includes('Player 1 – Mulled Wine'))")
    wait(page, _TURN)
    assert "Mulled Wine" in page.inner_text("#log")
    hand("die-6")
    hand("pass")
    wait(page, "noticed.some(line => line.includes('Player 1 banks'))")
    assert page.locator("#notices").get_attribute("aria-hidden") == "true", "the log is read out"


def test_thrown_dice_tumble_unless_motion_is_unwanted(sit: Any) -> None:
    for how, moving in ((_MOVING, True), ({"reduced_motion": "reduce"}, False)):
        page = sit("dice", [], speed="usual", **how)
        page.evaluate(
            """() => { const was = Element.prototype.animate; window.moved = 0;
            Element.prototype.animate = function (...how) { moved += 1; return was.apply(this, how); }; }"""
        )
        hand = clicking(page)
        hand("die-6")
        hand("on")
        wait(page, f"{_LINES} > 0")
        wait(page, _TURN)
        assert (page.evaluate("moved") > 0) == moving


def a_source_and_its_target(page: Any) -> Callable[[Hand, list[str]], None]:
    """Attacks once, ends the attack, puts a point somewhere, and lets the rest be placed."""

    def turn(hand: Hand, found: list[str]) -> None:
        if "auto" in found:
            hand("auto")
        elif "end" in found and len(page.locator("#log > li").all()) % 2:
            hand("end")
        else:
            source = page.locator("#picture [data-in]:not(:has(.aim))").first.get_attribute("data-thing")
            hand(source)
            hand(page.locator("#picture [data-next]").first.get_attribute("data-thing"))

    return turn


@pytest.mark.parametrize(("how", "hands"), [_long(_MOUSE), _KEYS, _long(_FINGER)], ids=["mouse", "keys", "phone"])
def test_influence_is_played_with_the_field_alone(sit: Any, how: dict[str, Any], hands: Callable[[Any], Hand]) -> None:
    page = sit("influence", ["map=small", "round_limit=2"], **how)
    assert play(page, a_source_and_its_target(page), hands(page)) > 2
    assert page.locator("#verdict").inner_text()


def test_an_attack_shows_its_chance_before_the_second_click(sit: Any) -> None:
    page = sit("influence", ["map=small"])
    source = page.locator("#picture [data-in]:not(:has(.aim))").first
    assert page.locator("#picture [data-on]").count() == 0
    source.click()
    aims = page.locator("#picture [data-next]")
    assert aims.count() > 1 and page.locator("#picture [data-on]").count() == aims.count()
    aims.first.hover()
    page.wait_for_selector("#tip:has-text('to an empty cell, 100 %')")
    assert "100 %" in aims.first.get_attribute("aria-description")
    source.click()
    assert page.locator("#picture [data-on]").count() == 0, "a second click takes it back"


def test_points_are_given_and_taken_back_by_the_wheel(sit: Any) -> None:
    page = sit("influence", ["map=small"])
    turn = a_source_and_its_target(page)
    turn(clicking(page), names(page))
    wait(page, "document.querySelector('[data-thing=auto]') !== null")
    wait(page, _TURN)
    points = "document.querySelector('#picture').textContent.match(/Points left: (\\d+)/)?.[1]"
    assert page.evaluate(points) == "2"
    page.locator("#picture [data-more]").first.hover()
    page.mouse.wheel(0, -100)
    wait(page, f"{points} === '1'")
    wait(page, _TURN)
    page.mouse.wheel(0, 100)
    wait(page, f"{points} === '2'")
    assert "takes the last decision back" in page.inner_text("#log")
    wait(page, _TURN)
    page.locator("#picture [data-more]").last.hover()
    page.mouse.wheel(0, 100)
    wait(page, "document.getElementById('tip').textContent.includes('Only the last decision')")


def test_a_wide_map_is_looked_at_closer_without_breaking_clicks(sit: Any) -> None:
    rows = ["w" * 64] * 4
    page = sit("influence", ["map=" + json.dumps({"name": "wide", "rows": rows})])
    shown = "document.querySelector('[data-zoom]').getAttribute('viewBox')"
    whole = page.evaluate(shown)
    source = page.locator("#picture [data-in]:not(:has(.aim)) .hit").first
    source.hover()
    page.keyboard.down("Control")
    page.mouse.wheel(0, -400)
    page.keyboard.up("Control")
    wait(page, f"{shown} !== '{whole}'")
    box = source.bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    near = page.evaluate(shown)
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x - 60, y, steps=3)
    page.mouse.up()
    assert page.evaluate(shown) != near and page.locator("[data-mark]").count() == 0, "dragged, not clicked"
    source.click()
    assert page.locator("#picture [data-mark]").count() == 1
    page.locator("#picture [data-next] .hit").first.click()
    wait(page, f"{_LINES} > 0")
    assert page.evaluate(shown) not in (whole, near), "the next picture is looked at from as near"
    page.locator("#whole").click()
    assert page.evaluate(shown) == whole
    page.locator("#closer").click()
    assert page.evaluate(shown) != whole


def test_on_a_phone_small_cells_come_near_and_two_fingers_zoom(sit: Any) -> None:
    rows = ["w" * 64] * 4
    page = sit("influence", ["map=" + json.dumps({"name": "wide", "rows": rows})], **_PHONE)
    hit = page.locator("#picture [data-in] .hit").first
    assert hit.bounding_box()["width"] > 30, "a finger can meet it"
    pinched = page.evaluate(
        """() => {
            const lens = document.querySelector('[data-zoom]'), target = lens.querySelector('.hit');
            const box = lens.parentNode.getBoundingClientRect(), y = box.top + 40;
            const touch = (identifier, clientX) => new Touch({ identifier, target, clientX, clientY: y });
            const say = (kind, ...touches) => target.dispatchEvent(
                new TouchEvent(kind, { touches, bubbles: true, cancelable: true }));
            const before = Number(lens.getAttribute('viewBox').split(' ')[2]);
            say('touchstart', touch(1, 120), touch(2, 220));
            const kept = say('touchmove', touch(1, 145), touch(2, 195));
            say('touchend');
            return [before, Number(lens.getAttribute('viewBox').split(' ')[2]), kept];
        }"""
    )
    assert pinched[1] == pytest.approx(2 * pinched[0], rel=0.02) and not pinched[2], "the page itself is not zoomed"


def test_the_boards_of_grid_are_seen_without_scrolling(sit: Any) -> None:
    page = sit("grid", [], locale="ru-RU")
    board = "document.querySelectorAll('#picture .part')[4].getBoundingClientRect()"
    for width, height in ((1366, 768), (1280, 720), (1920, 1000)):
        page.set_viewport_size({"width": width, "height": height})
        assert page.evaluate(f"{board}.height") > height / 3, "it is the board, and not small"
        assert page.evaluate(f"{board}.bottom") <= height
    page.set_viewport_size({"width": 1366, "height": 400})
    assert page.evaluate("document.querySelector('#picture > svg').clientWidth") == 680, "words can still be read"
    page.set_viewport_size({"width": 390, "height": 844})
    assert page.evaluate("document.querySelector('#picture > svg').clientWidth") == 374, "a phone is scrolled"


def test_the_ship_slides_for_half_a_second_while_its_phase_is_lit(visit, site):
    page = visit(table_of(site.make("save_oneself", ["me"], seed=19247)), reduced_motion="no-preference")
    moving = """() => document.getAnimations().map(one => {
        const { duration, delay } = one.effect.getTiming(), thing = one.effect.target.closest('[data-thing]');
        return [thing?.dataset.thing ?? '', one.animationName ?? '', duration, delay]; })"""
    for _ in range(60):
        wait(page, TURN)
        lines = page.evaluate(LINES)
        page.locator(READY).first.click()
        wait(page, f"{LINES} > {lines}")
        found = page.evaluate(moving)
        ship = [one for one in found if one[0] == "ship" and one[2] == 500]
        if ship:
            lit = [one for one in found if one[0] == "phase-3" and one[1].startswith("playmill-lit-words")]
            assert [one[2:] for one in lit] == [ship[-1][2:]], "as long as the ship's phase is lit, and then"
            return
    raise AssertionError("no ship has sailed")
