"""Several people in real browsers: a table that begins when all agree, and one screen with a curtain."""

from __future__ import annotations

from typing import Any

from browser_helpers import READY, table_of, wait
from web_server import Site

from common.pages import needs_chromium

pytestmark = needs_chromium
_TOP = "document.querySelector('{}').getBoundingClientRect().top"


def test_two_browsers_begin_when_both_are_ready_and_names_are_text(visit: Any, site: Site) -> None:
    table, owner = site.make("dimensions", ["me", "anybody", "random"], seed=3, waits=True)
    anna, boris = visit(f"/t/{table}#{owner}"), visit(f"/t/{table}", locale="ru-RU")
    assert anna.locator("#ready").is_hidden(), "a seat is free"
    anna.locator("#turn", has_text="Waiting for players: give them the link").wait_for()
    boris.locator("#turn", has_text="Есть свободное место: садитесь или смотрите").wait_for()
    opened = "document.getElementById('links').open"
    assert anna.evaluate(opened) and not boris.evaluate(opened), "whoever waits for others has the link at hand"
    boris.set_viewport_size({"width": 360, "height": 740})
    assert boris.evaluate(f"{_TOP.format('#seats button')} < {_TOP.format('#picture')}"), "a seat is at hand on a phone"
    boris.locator("#seats input").first.fill("<b>Борис</b>")
    boris.get_by_role("button", name="Сесть").first.click()
    anna.wait_for_selector("#ready:not([hidden])")
    assert anna.inner_text("#turn") == "Everybody is here. Shall we begin?"
    assert anna.title().startswith("● Everybody"), "the title calls whoever is asked"
    assert "<b>Борис</b>" in anna.inner_text("#seats") and anna.locator("#seats b").count() == 0
    anna.keyboard.press("Tab")
    anna.locator("#ready").focus()
    anna.keyboard.press("Enter")
    wait(boris, "document.getElementById('seats').innerText.includes('готов(а)')")
    wait(anna, "document.getElementById('turn').innerText === 'Waiting until everybody is ready'")
    assert "Your hand" not in anna.inner_text("#picture")
    boris.get_by_role("button", name="Я готов(а)").click()
    anna.wait_for_selector("#picture:has-text('Your hand')")
    wait(boris, "document.getElementById('log').innerText.includes('<b>Борис</b> (2) садится за стол')")
    wait(anna, f"document.title.startsWith('● Your turn') === Boolean(document.querySelector('{READY}'))")
    wait(boris, f"document.title.startsWith('● Ваш ход') === Boolean(document.querySelector('{READY}'))")


def test_the_curtain_hides_everything_until_the_next_one_says_it_is_her(visit: Any, site: Site) -> None:
    page = visit(table_of(site.make("dimensions", ["me", "here", "random"], seed=3, name="Anna")))
    page.wait_for_selector("#curtain:not([hidden])")
    assert page.evaluate("document.querySelectorAll('#picture *').length") == 0
    assert page.evaluate("document.activeElement.closest('#curtain') !== null"), "by keys alone"
    first = page.inner_text("#curtain h2")
    assert page.title().startswith("● "), "the title calls whoever is next"
    page.keyboard.press("Enter")
    page.wait_for_selector(READY)
    assert "Your hand" in page.inner_text("#picture") and page.locator("#curtain").is_hidden()
    page.keyboard.press("1")
    page.wait_for_selector("#curtain:not([hidden])")
    assert page.inner_text("#curtain h2") != first
    hidden = "document.body.innerText.includes('Your hand') || document.querySelectorAll('#log li, #options li').length"
    assert not page.evaluate(hidden)
    page.reload()
    page.wait_for_selector("#curtain:not([hidden])")
    page.get_by_role("button", name="It is me").click()
    page.wait_for_selector(READY)
    assert page.locator("#seats .you").count() == 2


def test_who_moved_may_take_it_back_while_the_curtain_is_down(visit: Any, site: Site) -> None:
    page = visit(table_of(site.make("kuhn", ["me", "here"], seed=3, name="Anna")))
    page.wait_for_selector("#curtain:not([hidden])")
    page.keyboard.press("Enter")
    page.wait_for_selector(READY)
    page.keyboard.press("1")
    page.wait_for_selector("#curtain:not([hidden])")
    page.keyboard.press("u")
    page.wait_for_selector("#curtain", state="hidden")
    page.wait_for_selector(READY)
    assert "takes the last decision back" in page.inner_text("#log")


def test_two_people_at_one_screen_play_a_game_without_secrets_without_a_curtain(visit: Any, site: Site) -> None:
    page = visit(table_of(site.make("pig", ["me", "here"], changes=["target=12"])))
    for _ in range(60):
        wait(page, f"Boolean(document.querySelector('{READY}')) || !document.getElementById('end').hidden")
        if page.locator("#end").is_visible():
            break
        assert page.locator("#curtain").is_hidden()
        lines = page.locator("#log > li").count()
        page.locator(READY).last.click()
        wait(page, f"document.querySelectorAll('#log > li').length > {lines}")
    assert page.locator("#verdict").inner_text()


def test_whoever_is_still_there_is_led_to_the_table_where_it_is_played_again(visit: Any, site: Site) -> None:
    table, owner = site.make("pig", ["me", "anybody"], changes=["target=1"], seed=2)
    with site.at(table) as boris:
        token = boris.ask(kind="sit", seat=1)["token"]
    anna, boris_page = visit(f"/t/{table}#{owner}"), visit(f"/t/{table}#{token}", locale="ru-RU")
    while anna.locator("#end").is_hidden() or boris_page.locator("#end").is_hidden():
        for page in (anna, boris_page):
            page.evaluate(f"[...document.querySelectorAll('{READY}')].at(-1)?.click()")
        anna.wait_for_timeout(30)
    assert boris_page.locator("#next").is_hidden()
    site.ask("/tables", {"like": table, "mine": "0", "token": "x" * 24})
    anna.locator("#again button").click()
    anna.wait_for_selector("#seats .you")
    boris_page.locator("#next a").click()
    boris_page.get_by_role("button", name="Сесть").click()
    anna.wait_for_selector("#ready:not([hidden])")
    assert boris_page.url.partition("#")[0] == anna.url.partition("#")[0], "a stranger's table is not offered"


def test_a_seat_left_and_taken_on_another_device_by_its_link(visit: Any, site: Site) -> None:
    page = visit(table_of(site.make("pig", ["me", "random"], seed=1)))
    page.wait_for_selector(READY)
    page.locator("#links summary").click()
    link = page.input_value("#seat-link")
    phone = visit(link.removeprefix(site.url), viewport={"width": 360, "height": 740})
    phone.wait_for_selector(READY)
    phone.locator(READY).first.click()
    wait(page, "document.querySelectorAll('#log > li').length > 1")
    assert "#" not in phone.url
