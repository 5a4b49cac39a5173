"""Contest pages: submissions, who beats whom, and from there to a game."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from typing import Any

import misbehaving as tool
import pytest
from web_server import Site, running

from common.found import game_of
from common.pages import needs_chromium
from playmill.lab.contests.contest import Contest
from playmill.web.access.owner import OWNER_COOKIE

KEY = "the-owner-has-this-key"


@pytest.fixture(scope="module")
def contest(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    folder = tmp_path_factory.mktemp("contests") / "Осень"
    tool.build(folder, (5, 15), (), deals=1, target=12, move=600.0)
    Contest(folder, interpreted=True).run()
    games: dict[str, Any] = {"pig": game_of("pig")}
    where = tmp_path_factory.mktemp("site") / "tables.sqlite3"
    with running(where, games, owner=KEY, contests={"Осень": folder}) as site:
        yield site


pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="bots are held by walls that Windows does not have")
PLACE = "/contests/%D0%9E%D1%81%D0%B5%D0%BD%D1%8C"


def test_from_the_matrix_to_a_game_that_is_watched(contest):
    status, _, page = contest.ask(PLACE)
    assert status == 200
    [found] = re.findall(rf'href="({PLACE}/of/hold-5\?against=hold-15)"', page)
    status, _, page = contest.ask(found)
    assert status == 200 and "Against hold-15" in page
    assert re.search(r"points: [\d.]+.% \[[\d.]+.%,\s[\d.]+.%\], deals: 1", page), "how it stands between the two"
    assert re.search(r"очки: [\d,]+.% \[[\d,]+.%;\s[\d,]+.%\], раздач: 1", contest.ask(found, Accept_Language="ru")[2])
    game = re.findall(rf'href="({PLACE}/of/hold-5/\d+/\d+)"', page)[0]
    status, headers, _ = contest.ask(game)
    assert status == 303 and headers["location"].startswith("/watch/")
    status, _, page = contest.ask(headers["location"])
    assert status == 200 and "Pig" in page


def test_submissions_are_told_with_their_states_in_both_languages(contest):
    assert re.search(
        r"<b>hold-5</b></a> <span[^>]*>version 1 · [^<]*</span><span class=\"badge\">done", contest.ask(PLACE)[2]
    )
    assert "готово" in contest.ask(PLACE, Accept_Language="ru")[2]


def test_the_ladder_with_its_seeds_is_for_the_owner(contest):
    assert contest.ask(f"{PLACE}/ladder")[0] == 404
    assert "<iframe" not in contest.ask(PLACE)[2]
    mine = {"Cookie": f"{OWNER_COOKIE}={KEY}"}
    assert contest.ask(f"{PLACE}/ladder", **mine)[0] == 200
    assert "<iframe" in contest.ask(PLACE, **mine)[2] and "/contests/" in contest.ask("/lab", **mine)[2]


@pytest.mark.parametrize(
    "path", ["/x", "/of/nobody", "/of/hold-5/9/0", "/of/hold-5/0/99", "/of/hold-5/0/-1", "/of/hold-5/a/b"]
)
def test_what_is_not_there_is_not_there(contest, path):
    assert contest.ask(PLACE + path)[0] == 404
    assert contest.ask("/contests/other" + path)[0] == 404


@pytest.mark.parametrize(
    ("path", "en", "ru"),
    [
        (
            "/of/nobody",
            "the contest has no entrant &#39;nobody&#39;; it has ",
            "в соревновании нет участника &#39;nobody&#39;; есть ",
        ),
        ("/of/hold-5?against=nobody", "There is no table of hold-5 and nobody.", "Стола hold-5 и nobody нет."),
    ],
)
def test_who_is_not_there_is_told_by_name_with_a_way_back(contest, path, en, ru):
    for lang, told in (("en", en), ("ru", ru)):
        status, _, text = contest.ask(PLACE + path, **{"Accept-Language": lang})
        assert status == 404 and told in text and 'class="main" href="/lab"' in text


@pytest.fixture
def site(contest: Site) -> Site:
    """Where `visit` goes."""
    return contest


@needs_chromium
def test_on_a_phone_from_the_ladder_by_a_cell_to_a_game_that_is_watched(visit):
    how = {"viewport": {"width": 360, "height": 740}, "locale": "ru-RU", "color_scheme": "dark"}
    page = visit(f"{PLACE}?owner={KEY}", **how)
    assert page.locator(".ladder tbody tr").count() == 2
    cell = page.locator(".matrix tbody a[title]").first
    assert re.search(r"% \[\S+.%;\s\S+.%\], раздач: 1", cell.get_attribute("title")), "all that is known of it"
    for where in ("", ".matrix tbody a[title]"):
        if where:
            page.locator(where).first.click()
        assert page.evaluate("document.documentElement.scrollWidth") <= 360, page.url
    assert page.get_by_text("~1").count() == 0, "who sat at the table of the check has no name"
    page.locator(".chips a").first.click()
    page.wait_for_url(re.compile("/watch/"))
    page.wait_for_selector("#picture svg")
    assert page.evaluate("document.documentElement.scrollWidth") <= 360


@needs_chromium
def test_a_page_that_is_looked_at_shows_what_has_become_of_the_contest(visit):
    page = visit(f"{PLACE}?owner={KEY}")
    page.locator(".works a").first.focus()
    here = page.evaluate("document.activeElement.getAttribute('href')")
    page.evaluate("window.stayed = true")

    def later(route: Any) -> None:
        answer = route.fetch()
        route.fulfill(response=answer, body=answer.text().replace('class="badge">done', 'class="badge">is playing'))

    page.route(f"**{PLACE}", later)
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    page.locator(".badge", has_text="is playing").first.wait_for()
    assert page.evaluate("document.activeElement.getAttribute('href')") == here, "whoever uses keys stays where she is"
    assert page.evaluate("window.stayed"), "nothing is loaded anew"
