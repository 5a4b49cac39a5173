"""Tables played in a real browser: by clicking, by keys, on a phone, through cuts and kills."""

from __future__ import annotations

import re
from typing import Any

import pytest
from browser_helpers import LINES, READY, TURN, play, table_of, wait
from web_server import Cable, Site, until

from common.pages import needs_chromium

pytestmark = needs_chromium
_READY = READY
_LINES = LINES


@pytest.mark.parametrize("game", ["pig", "dice", "save_oneself"])
def test_a_game_is_played_to_its_end_by_clicking_options(visit: Any, site: Site, game: str) -> None:
    changes = {"pig": ["target=30"], "dice": ["target_score=400"]}.get(game, [])
    seats = ["me"] if game == "save_oneself" else ["me", "random"]
    made = site.make(game, seats, changes=changes)
    page = visit(table_of(made))
    assert play(page, 300) < 300
    assert page.locator("#verdict").inner_text()
    assert page.locator("#why").is_visible() == (len(seats) > 1), "whoever plays alone is told it all in one"
    assert page.locator("#log > li").count() > 1
    assert page.locator("#counting .total td").count() == len(seats)
    assert page.locator("#again a").get_attribute("href").endswith("/watch")
    page.locator("#again button").click()
    page.wait_for_url(lambda url: made[0] not in url)
    wait(page, TURN)  # or it has been won in the first turn
    again = page.url.rpartition("/")[2].partition("#")[0]
    (was, sat, _), (now, sits, _) = (site.tables.store.find(table) for table in (made[0], again))
    assert (now.game, now.config, now.players) == (was.game, was.config, was.players) and now.seed != was.seed
    assert [chair.agent for chair in sits] == [chair.agent for chair in sat]


def test_influence_is_played_by_clicking_the_picture(visit: Any, site: Site) -> None:
    page = visit(table_of(site.make("influence", ["me", "random"], changes=["map=small", "round_limit=3"])))
    assert play(page, 200, by="#picture [data-a]") < 200
    assert page.locator("#verdict").inner_text() in ("You win!", "You have lost", "Nobody wins")
    names = page.locator("#counting tbody th").all_inner_texts()
    if "Result" in names:  # the limit has ended it: the count is told turn by turn
        assert names[names.index("Result") - 1] == "Last turn"
        rows = [list(map(int, row.locator("td").all_inner_texts())) for row in page.locator("#counting tr").all()[1:]]
        turns, result = rows[: names.index("Result")], rows[names.index("Result")]
        assert [sum(row[seat] for row in turns) for seat in range(2)] == result


def test_a_game_without_a_view_is_played_by_clicking_its_board(visit: Any, site: Site) -> None:
    page = visit(table_of(site.make("connect4", ["me", "random"], changes=["line=3"])))
    assert play(page, 30, by="#picture [data-a]") < 30
    assert page.locator("#why").inner_text() in ("Player 1 has won", "Player 2 has won")


def test_from_the_first_page_to_the_first_move_are_two_clicks(visit: Any, site: Site) -> None:
    page = visit("/")
    page.locator(".card", has_text="Save Oneself").get_by_role("button", name="Play").click()
    page.wait_for_selector("#picture [data-a]")
    page.locator("#picture [data-a] .hit").first.click()
    page.wait_for_selector("#log > li")
    assert "#" not in page.url, "the token has left the address"
    page.goto(site.url)
    assert page.locator("#tables a").count() == 1
    page.locator("#tables a").click()
    page.wait_for_selector(_READY)


def test_a_click_is_not_lost_because_somebody_came_between_press_and_release(visit: Any, site: Site) -> None:
    table, owner = site.make("pig", ["me", "random"])
    page = visit(table_of((table, owner)))
    page.wait_for_selector(_READY)
    lines = page.evaluate(_LINES)
    page.locator(_READY).first.hover()
    page.mouse.down()
    with site.at(table):  # somebody looks on, which everybody is told
        page.get_by_text("look on: 1").wait_for()
        page.mouse.up()
        wait(page, f"{_LINES} > {lines}")


def test_by_keys_alone(visit: Any, site: Site) -> None:
    page = visit(table_of(site.make("save_oneself")))
    page.wait_for_selector(_READY)
    page.keyboard.press("?")
    assert page.locator("#keys").is_visible()
    page.keyboard.press("Escape")
    page.keyboard.press("1")
    page.wait_for_selector("#log > li")
    page.wait_for_selector(_READY)
    before = page.locator("#log > li").count()
    page.locator("#picture [role=button]").first.focus()
    page.keyboard.press("Enter")
    wait(page, f"{_LINES} > {before}")
    page.keyboard.press("u")
    assert page.locator("#undo-why").inner_text() or page.locator("#undo").get_attribute("aria-disabled") == "true"


_FOCUSED = "document.activeElement.closest('{}') !== null"


def test_whoever_plays_by_keys_goes_on_where_she_was(visit: Any, site: Site) -> None:
    page = visit(table_of(site.make("pig", ["me", "random"], changes=["target=4"], seed=2)))
    page.wait_for_selector(_READY)
    page.keyboard.press("Tab")  # from now on the focus is shown
    page.locator(_READY).last.focus()
    for _ in range(40):
        wait(page, TURN)
        if page.locator("#end").is_visible():
            break
        wait(page, _FOCUSED.format("#options"))
        lines = page.evaluate(_LINES)
        page.keyboard.press("Enter")
        wait(page, f"{_LINES} > {lines}")
    wait(page, _FOCUSED.format("#verdict"))
    page.goto(site.url + table_of(site.make("connect4", ["me", "random"], seed=2)))
    page.wait_for_selector(_READY)
    page.keyboard.press("Tab")
    page.locator("#picture [data-a]").first.focus()
    page.keyboard.press("Enter")
    wait(page, f"{_LINES} > 1 && {TURN} && {_FOCUSED.format('#picture [data-a]')}")


def test_a_browser_that_keeps_nothing_has_its_seat_in_the_address(visit: Any, site: Site) -> None:
    page = visit("/")
    page.context.add_init_script("Object.defineProperty(window, 'localStorage', { get() { throw new Error('no'); } })")
    page.goto(site.url + table_of(site.make("pig", ["me", "random"], seed=2)))
    page.wait_for_selector(_READY)
    page.reload()
    page.wait_for_selector(_READY)


def test_the_end_tells_who_has_won_once_and_by_name(visit: Any) -> None:
    told = visit("/").evaluate(
        """async () => {
            const { verdictOf } = await import('/static/ending.js');
            const { called } = await import('/static/naming.js');
            const words = { player: 'Player {}', wins: '{} wins', draw: 'Nobody wins', you_win: 'You win!',
                            you_lose: 'You have lost' };
            const of = (why, winners, you, names = []) => Object.values(verdictOf({ words: why, winners, alone: false },
                { nameOf: seat => called(names[seat], seat, { players: 2, words }), you, words }));
            return [of('Player 2 wins: 40 to 0', [1], 0), of('Player 2 wins: 40 to 0', [1], 1, ['', 'Anna']),
                    of('The game is over', [1], 0, ['', 'Anna']), of('Player 2 wins', [1], null),
                    of('All equal', [], 0),
                    called('\u0634', 0, { players: 2, words })];
        }"""
    )
    assert told == [
        ["You have lost", "Player 2 wins: 40 to 0"], ["You win!", "Anna (2) wins: 40 to 0"],
        ["You have lost", "Anna (2) wins. The game is over"], ["Player 2 wins", ""], ["Nobody wins", "All equal"],
        "\u2068\u0634\u2069 (1)",
    ]  # fmt: skip


def whose_turn(one: Any, other: Any) -> tuple[Any, Any]:
    """Waits until one of two players may choose, and tells who, then the other."""
    until(lambda: one.locator(_READY).count() + other.locator(_READY).count())
    return (one, other) if one.locator(_READY).count() else (other, one)


def test_two_browsers_with_hidden_cards_and_a_spectator(visit: Any, site: Site) -> None:
    table, owner = site.make("dimensions", ["me", "anybody", "random"])
    anna, boris, eve = visit(f"/t/{table}#{owner}"), visit(f"/t/{table}", locale="ru-RU"), visit(f"/t/{table}")
    boris.get_by_role("button", name="Сесть").first.click()
    boris.get_by_role("button", name="Я готов(а)").click()
    boris.wait_for_selector("#seats .you")
    for _ in range(10):
        mover, other = whose_turn(anna, boris)
        assert other.locator(_READY).count() == 0
        before = mover.evaluate(_LINES)
        mover.locator(_READY).first.click()
        wait(mover, f"{_LINES} > {before}")
        wait(other, f"{_LINES} >= {mover.evaluate(_LINES)}")
    wait(eve, f"{_LINES} >= {anna.evaluate(_LINES)}")
    assert "face down" in eve.locator("#log").inner_text() and "рубашкой вверх" in boris.locator("#log").inner_text()
    assert eve.locator("#options button").count() == 0 and eve.locator("#picture [data-a]").count() == 0
    assert (
        "Your hand" in anna.locator("#picture").inner_text() and "Your hand" not in eve.locator("#picture").inner_text()
    )
    assert "Ваша рука" in boris.locator("#picture").inner_text()


def test_on_a_phone_the_end_comes_into_sight(visit: Any, site: Site) -> None:
    made = site.make("dice", ["me", "random"], changes=["target_score=400"])
    page = visit(table_of(made), viewport={"width": 360, "height": 740}, has_touch=True)
    assert play(page, 300) < 300
    wait(page, "document.getElementById('verdict').getBoundingClientRect().top >= 0")
    assert page.locator("#verdict").bounding_box()["y"] < 740


def test_on_a_phone_in_russian_by_touch(visit: Any, site: Site) -> None:
    phone = {"viewport": {"width": 360, "height": 740}, "has_touch": True, "locale": "ru-RU", "color_scheme": "dark"}
    page = visit("/", **phone)
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    page.goto(site.url + "/games/grid")
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    for game in ("save_oneself", "dice"):
        page.goto(site.url + table_of(site.make(game, ["me", "random"][: 2 if game == "dice" else 1])))
        page.wait_for_selector(_READY)
        if game == "dice":
            page.locator("#picture [data-pick]").first.tap()
            page.locator("#picture [data-thing=pass]").tap()
        else:
            page.locator("#picture [data-a]").first.tap()
        page.wait_for_selector("#log > li")
        assert page.evaluate("document.documentElement.scrollWidth") <= 360
        assert not re.search("undefined|null|\\{\\}", page.inner_text("body"))


def test_language_and_light_are_switched_at_any_time(visit: Any, site: Site) -> None:
    page = visit(table_of(site.make("save_oneself")))
    page.wait_for_selector(_READY)
    page.locator(_READY).first.click()
    page.wait_for_selector("#log > li")
    ground = page.evaluate("getComputedStyle(document.body).backgroundColor")
    page.locator("#theme").click()
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") != ground
    page.locator("#language").click()
    page.wait_for_selector("html[lang=ru]")
    page.wait_for_selector(_READY)
    assert "идёт на" in page.locator("#log").inner_text() and "Ваш ход" in page.inner_text("#turn")
    drawn = page.locator("#picture").inner_text()
    assert re.search("[а-яё]{4}", drawn) and not re.search("[a-z]{4}", drawn), drawn
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") != ground, "the choice is kept"


def test_undo_is_offered_done_and_refused_with_its_reason(visit: Any, site: Site) -> None:
    page = visit(table_of(site.make("influence", ["me", "anybody"], changes=["map=small"], seed=1)))
    with site.at(page.url.rpartition("/")[2]) as boris:
        boris.ask(kind="sit", seat=1)
        page.wait_for_selector(_READY)
        assert page.locator("#undo").get_attribute("aria-disabled") == "true"
        page.locator("#undo").click(force=True)
        assert page.locator("#undo-why").inner_text() == "there is nothing to take back"
        page.locator("#options button", has_text="Ends the attack").click()
        page.wait_for_selector("#undo[aria-disabled=false]")
        page.locator("#undo").click()
        page.wait_for_selector("#log > li:has-text('takes the last decision back')")
        page.wait_for_selector("#options button:has-text('Ends the attack')")


def test_moments_of_others_are_played_out_one_after_the_other(visit: Any, site: Site) -> None:
    page = visit(table_of(site.make("pig", ["me", "threshold"], seed=1, changes=["faces=100"])))
    page.wait_for_selector(_READY)
    page.locator("#speed").select_option("fast")
    page.evaluate(
        "window.shown = 0; new MutationObserver(() => { shown += 1; })"
        ".observe(document.getElementById('log'), {childList: true})"
    )
    page.locator("#options button", has_text="Holds").click()
    wait(page, "shown >= 3")


def test_there_is_time_to_see_each_moment(visit: Any) -> None:
    """How long is asked for, not how long it takes: that depends on the machine."""
    page = visit("/")
    played = page.evaluate(
        """async () => {
            const { Playing } = await import('/static/playing.js');
            const wait = window.setTimeout, all = {};
            for (const speed of ['slow', 'usual', 'fast', 'once']) {
                all[speed] = await new Promise(done => {
                    const met = [];
                    window.setTimeout = (go, pause) => { met.push(pause); wait(go); };
                    const draw = step => met.push(`moment ${step.version}`);
                    const playing = new Playing({ draw, settled: () => done(met), speed: () => speed });
                    playing.add([1, 2, 3].map(version => ({ version, picture: '<svg/>' })));
                });
            }
            window.setTimeout = wait;
            return all;
        }"""
    )
    assert played["once"] == ["moment 1", "moment 2", "moment 3"]
    pauses = [played[speed][1] for speed in ("slow", "usual", "fast")]
    assert pauses == sorted(pauses, reverse=True) and pauses[-1] > 100, "there is time to see each"
    for pause, speed in zip(pauses, ("slow", "usual", "fast"), strict=True):
        assert played[speed] == ["moment 1", pause, "moment 2", pause, "moment 3"]


def test_what_is_morphed_keeps_its_focus_and_identity(visit: Any, site: Site) -> None:
    page = visit("/")
    found = page.evaluate(
        """async () => {
            const { show } = await import('/static/morph.js');
            const place = document.createElement('div');
            document.body.append(place);
            const head = '<svg xmlns="http://www.w3.org/2000/svg" class="x"><style>.x{--y:1}</style>';
            const svg = inner => `${head}${inner}</svg>`;
            show(place, svg('<g data-a="1" tabindex="0"><rect x="1"/></g><g data-a="2" tabindex="0"/><text>a</text>'));
            const [one, two] = place.querySelectorAll('[data-a]'), text = place.querySelector('text');
            two.focus();
            show(place, svg('<text style="--k:3">b</text><g data-a="2" tabindex="0"><rect x="7"/></g><g data-a="3"/>'));
            return [two === place.querySelector('[data-a="2"]'), document.activeElement === two, one.isConnected,
                    text === place.querySelector('text'), text.textContent, text.style.getPropertyValue('--k'),
                    two.firstChild.getAttribute('x'), place.querySelectorAll('style').length,
                    getComputedStyle(place.firstChild).getPropertyValue('--y')];
        }"""
    )
    assert found == [True, True, False, True, "b", "3", "7", 0, "1"]


def test_a_picture_cannot_bring_anything_that_acts(visit: Any) -> None:
    page = visit("/", complaints=False)  # the browser's own policy complains as well
    left = page.evaluate(
        """async () => {
            const { show } = await import('/static/morph.js');
            const place = document.createElement('div');
            document.body.append(place);
            const bad = '<g onclick="1" id="a"><script>1</' + 'script><a href="/x"><rect onload="1"/></a></g>';
            for (const more of ['', '<foreignObject/>']) {
                show(place, `<svg xmlns="http://www.w3.org/2000/svg">${bad}${more}</svg>`);
            }
            return place.innerHTML;
        }"""
    )
    assert left == '<svg><g id="a"><a><rect></rect></a></g></svg>'


def test_the_rules_of_a_table_are_one_click_away(visit: Any, site: Site) -> None:
    page = visit(table_of(site.make("pig", ["me", "random"], changes=["target=30"])), locale="ru-RU")
    page.wait_for_selector("#picture svg")
    with page.context.expect_page() as opened:
        page.locator("#rules").click()
    rules = opened.value
    assert "30" in rules.inner_text("main") and rules.evaluate("document.documentElement.lang") == "ru"


def test_clicks_compose_options_out_of_things(visit: Any) -> None:
    page = visit("/")
    narrowed = page.evaluate(
        """async () => {
            const { click, narrow } = await import('/static/choosing.js');
            const made = ([name, options, go]) => ({ name, options: new Set(options), go });
            const dice = [['die 1', [1, 3, 11, 13]], ['die 3', [2, 3, 12, 13]], ['go on', [1, 2, 3], true],
                          ['pass', [11, 12, 13], true]].map(made);
            const left = (...clicked) => narrow(dice, new Set(clicked));
            const map = [['from a', [1, 2]], ['to b', [1, 3]], ['to c', [2]], ['from d', [3]]].map(made);
            const after = (before, name) => [...click(map, new Set(before), name)];
            return [left('die 1').left.sort((a, b) => a - b), left('die 1').next, left('die 1').chosen,
                    left('die 1', 'pass').chosen, left('die 1', 'die 3', 'go on').chosen,
                    narrow(map, new Set(['from a'])).chosen, narrow(map, new Set(['from a', 'to b'])).chosen,
                    narrow(map, new Set(['to c'])).chosen, after(['from a'], 'to b'), after(['from a'], 'from d'),
                    after(['from a', 'to b'], 'from d'), after(['from a'], 'from a')];
        }"""
    )
    assert narrowed == [
        [1, 3, 11, 13], [1, 11], None, 11, 3, None, 1, None,
        ["from a", "to b"], ["from d"], ["to b", "from d"], [],
    ]  # fmt: skip


def entries_of(site: Site, table: str) -> int:
    """How many decisions of a table are kept."""
    found = site.tables.store.find(table)
    assert found is not None
    return len(found[2])


def test_a_double_click_and_a_click_sent_twice_are_one_move(visit: Any, site: Site) -> None:
    table, owner = site.make("pig", ["me", "anybody"], seed=1)
    page = visit(f"/t/{table}#{owner}")
    with site.at(table) as boris:
        boris.ask(kind="sit", seat=1)
        page.wait_for_selector(_READY)
        page.evaluate(f"() => {{ const roll = document.querySelector('{_READY}'); roll.click(); roll.click(); }}")
        until(lambda: entries_of(site, table) > 0)
        page.wait_for_selector(_READY)
        page.wait_for_timeout(300)
    assert entries_of(site, table) == 1


def test_ten_seconds_offline_between_click_and_answer(visit: Any, site: Site) -> None:
    table, owner = site.make("pig", ["me", "anybody"], seed=1)
    cable = Cable(site.port)
    page = visit(f"/t/{table}#{owner}", url=cable.url, complaints=False)
    with site.at(table) as boris:
        boris.ask(kind="sit", seat=1)
        page.wait_for_selector(_READY)
        picture = page.inner_text("#picture")
        page.evaluate("window.stayed = true")
        page.clock.install()
        cable.cut()
        page.locator("#options button", has_text="Rolls").click()
        page.clock.fast_forward(10_000)
        wait(page, "document.getElementById('link').innerText === 'Connection lost: reconnecting…'")
        assert page.inner_text("#picture") == picture, "the picture stays"
        cable.mend()
        wait(page, f"{_LINES} > 1")
        page.wait_for_selector("#link", state="hidden")
        assert page.evaluate("stayed"), "the page was not loaded again"
    assert entries_of(site, table) == 1


def test_a_printed_game_is_printed_whole(visit: Any, site: Site) -> None:
    page = visit(table_of(site.make("pig", ["me", "random"], changes=["target=60"], seed=4)))
    play(page, 12)
    page.emulate_media(media="print")
    lowest = "document.querySelector('#log > li:last-child').getBoundingClientRect().bottom"
    assert page.evaluate(f"{lowest} <= document.querySelector('section:has(> #seats)').getBoundingClientRect().top")
    assert page.locator("#options").is_hidden() and page.locator("#log > li").first.is_visible()
