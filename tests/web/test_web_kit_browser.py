"""Pieces of the drawing kit in a real browser: they slide from where they lay, on a wide page and on a phone."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from web_server import Site

from common.pages import needs_chromium
from playmill.author import Text
from playmill.author.table import Area, Card, Die, Hand, Pile, Player, Row, Token, Track
from playmill.drawing.kit import TableScene, table_picture

pytestmark = needs_chromium
_SET_UP = """async text => {
    const { show } = await import('/static/morph.js');
    const place = document.createElement('div');
    place.id = 'picture';
    document.body.replaceChildren(place);
    window.next = text => show(place, text);
    next(text);
}"""
#: Shows the next picture; of each thing that moves: its name, and how far from where the `before` one lay it begins.
_MOVED = """async ([text, names]) => {
    const box = name => document.querySelector(`[data-thing="${name}"]`)?.getBoundingClientRect();
    const before = Object.fromEntries(names.map(([name, origin]) => [name, box(name) ?? box(origin)]));
    next(text);
    const moving = document.getAnimations().filter(one => one.effect.target.dataset.thing);
    for (const one of moving) { one.pause(); one.currentTime = 0; }
    const names_moving = moving.map(one => one.effect.target.dataset.thing).filter(name => before[name]);
    return Object.fromEntries(names_moving.map(name => {
        const now = box(name);
        return [name, Math.hypot(now.x - before[name].x, now.y - before[name].y)];
    }));
}"""


def picture(rows: list[Row]) -> str:
    scene = TableScene(
        None,
        np.zeros(1, np.dtype([("player", np.int8)]))[0],
        0,
        dict.fromkeys(range(9)).keys(),
        "en",
        title="Kit",
        players=(Text("player 1", "игрок 1"), Text("player 2", "игрок 2")),
        status=Text("player 1 to move", "ходит игрок 1"),
        describe=str,
    )
    return table_picture(scene, rows)


def rows(*, later: bool) -> list[Row]:
    deck, played = Pile("deck", 5, key="deck"), Card("7", key=7)
    hand = [Card(str(n), key=n, action=n) for n in (5, 6, *([] if later else [7]))]
    hand += [Card("8", key=8, origin="deck", action=8)] if later else []
    cells = [[Token(0, shape="pawn", key="pawn")] if place == (9 if later else 2) else None for place in range(12)]
    table = [deck, *([played] if later else []), Die(3, throw=2 if later else 1)]
    return [Hand("mine", hand), Area("table", table, surface="felt"), Track("way", cells, across=6)]


def test_a_picture_is_printed_in_light_colours_whatever_the_page_is(browser: Any, site: Site) -> None:
    page = browser.new_page(viewport={"width": 1100, "height": 900}, color_scheme="dark")
    page.goto(site.url)
    page.evaluate(_SET_UP, picture(rows(later=False)))
    ground = "getComputedStyle(document.querySelector('#picture .ground rect')).fill"
    assert page.evaluate(ground) == "rgb(23, 22, 29)"
    page.emulate_media(media="print", color_scheme="dark")
    assert page.evaluate(ground) == "rgb(241, 237, 228)"
    page.close()


_WEIGHED = """words => {
    document.body.className = 'table in-words';
    document.body.innerHTML = '<main><div></div><aside><section id="choosing"><ol id="options"></ol></section></aside>';
    const row = `<li><button><kbd>1</kbd><span>${words[0]}</span><code>${words[1]}</code>`
        + '<span class="weighed"><i></i><b>100 %</b></span></button></li>';
    document.getElementById('options').innerHTML = row;
    const right = name => document.querySelector(name).getBoundingClientRect().right;
    return right('#choosing') - right('.weighed b');
}"""


@pytest.mark.parametrize("width", [1100, 360])
@pytest.mark.parametrize("short", ["b3", "attack c4 from d5 with 12 of 14", "x" * 60])
def test_the_figures_of_a_hint_stay_within_their_panel_in_words(
    browser: Any, site: Site, width: int, short: str
) -> None:
    page = browser.new_page(viewport={"width": width, "height": 900})
    page.goto(site.url)
    said = "Ставит фишку на поле и забирает у соперника пять золотых монет"
    assert page.evaluate(_WEIGHED, [said, short]) > 5
    page.close()


@pytest.mark.parametrize("width", [1100, 380])
def test_a_piece_slides_from_where_it_lay_and_a_new_one_out_of_its_origin(browser: Any, site: Site, width: int) -> None:
    page = browser.new_page(viewport={"width": width, "height": 900}, reduced_motion="no-preference")
    page.goto(site.url)
    page.evaluate(_SET_UP, picture(rows(later=False)))
    names = [["card-7", "card-7"], ["pawn", "pawn"], ["card-8", "deck"]]
    moved = page.evaluate(_MOVED, [picture(rows(later=True)), names])
    assert set(moved) == {"card-7", "pawn", "card-8"}
    assert max(moved.values()) < 6, "each begins where it was, however large its part of the picture is drawn"
    tumbled = "document.getAnimations().filter(one => one.effect.target.dataset.stir).length"
    assert page.evaluate(tumbled) == 1, "the die was thrown again"
    page.close()


_CLICKING = """async text => {
    const { show } = await import('/static/morph.js');
    const { Things } = await import('/static/things.js');
    const place = document.createElement('div');
    document.body.replaceChildren(place);
    show(place, text);
    window.done = [];
    const tips = { show() {}, renew() {}, say() {} }, words = { not_with: 'no', choose_first: 'no' };
    window.things = new Things(place, { may: () => true, decide: one => done.push(one), takeBack: () => false,
                                        narrowed: (left, more) => { window.more = more; }, tips, words });
    things.fresh();
}"""


def test_of_two_equal_cards_either_is_the_part_of_an_option(browser: Any, site: Site) -> None:
    """Two guards can be played on either player, and a prince on one: a card and a player are clicked, in any order."""
    page = browser.new_page(viewport={"width": 1100, "height": 900})
    page.goto(site.url)
    guards, prince = [Card("Guard", key=f"guard-{n}", action=[1, 2]) for n in range(2)], Card("Prince", action=[3])
    players = [Player(0, [*guards, prince]), Player(1, action=[1, 3]), Player(2, action=[2])]
    page.evaluate(_CLICKING, picture(players))
    for first, second, done in (("guard-0", "player-1", 1), ("guard-1", "player-2", 2), ("player-1", "guard-1", 1)):
        page.evaluate("done.length = 0; things.forget()")
        page.click(f'[data-thing="{first}"] rect >> nth=0')
        assert page.evaluate("done") == [] and page.evaluate("more")
        page.click(f'[data-thing="{second}"] rect >> nth=0', force=True)
        assert page.evaluate("done") == [done]
    page.evaluate("things.forget()")
    page.click('[data-thing="guard-0"] rect >> nth=0')
    twin = page.locator('[data-thing="guard-1"]')
    assert twin.get_attribute("data-off") is None and twin.get_attribute("data-next") is None
    twin.locator("rect").first.click()
    assert page.evaluate("[...things.clicked]") == ["guard-1"], "the other of the two takes its place"
    page.close()
