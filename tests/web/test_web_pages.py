"""Pages: security headers, access, and error messages."""

from __future__ import annotations

from pathlib import Path

import pytest
from web_server import Site, running

from playmill import Game
from playmill.engine.contract.game import hides_nothing
from playmill.web.access.security import POLICY, RateLimit
from playmill.web.page.phrases import CLIENT, KEYS, PAGE


def test_every_game_has_a_card_with_its_own_picture(site: Site, games: dict[str, Game]) -> None:
    status, headers, text = site.ask("/", Accept_Language="ru-RU,ru;q=0.9,en;q=0.8")
    assert status == 200 and '<html lang="ru">' in text
    for name, game in games.items():
        assert game.title.ru in text and f'value="{name}"' in text
        status, headers, svg = site.ask(f"/games/{name}/cover.svg?lang=ru")
        assert status == 200 and headers["content-type"].startswith("image/svg+xml") and svg.startswith("<svg ")
        assert "@media (max-width" not in svg and "sandbox" in headers["content-security-policy"]


def test_language_comes_from_the_browser_and_can_be_chosen(site: Site) -> None:
    assert '<html lang="en">' in site.ask("/")[2]
    assert '<html lang="en">' in site.ask("/", Accept_Language="de,fr")[2]
    status, headers, _ = site.ask("/lang/ru?to=/games/pig")
    assert (status, headers["location"]) == (303, "/games/pig")
    cookie = headers["set-cookie"].split(";")[0]
    assert '<html lang="ru">' in site.ask("/games/pig", Accept_Language="en", Cookie=cookie)[2]


def test_rules_in_words_bring_style_but_nothing_that_acts(site: Site) -> None:
    status, headers, text = site.ask("/games/pig/rules", Accept_Language="ru")
    assert status == 200 and '<html lang="ru">' in text and "<script" not in text
    assert (
        "script" not in headers["content-security-policy"]
        and "default-src 'none'" in headers["content-security-policy"]
    )
    assert site.ask("/games/nothing/rules")[0] == site.ask("/t/nothing/rules")[0] == 404


@pytest.mark.parametrize("to", ["//evil.example", "https://evil.example", "/\\evil.example", "", "/a%0d%0ab"])
def test_a_change_of_language_leads_nowhere_else(site: Site, to: str) -> None:
    assert site.ask(f"/lang/en?to={to}")[1]["location"] == "/"


def test_play_is_one_click_from_the_first_page(site: Site) -> None:
    status, headers, _ = site.ask("/tables", {"game": "pig"})
    assert status == 303
    path, _, token = headers["location"].partition("#")
    assert path.startswith("/t/") and len(path) >= 25 and len(token) >= 22
    assert token not in site.ask(path)[2]
    with site.at(path.removeprefix("/t/"), token) as anna:
        assert anna.seen["you"] == 0 and anna.seen["seats"][1]["agent"] == "search"


def test_players_seats_and_settings_can_be_chosen(site: Site) -> None:
    form = {"game": "grid", "players": "3", "seat": ["greedy", "me", "anybody"], "name": "Анна", "changes": ""}
    form["changes"] = "game.grid.width=7\ngame.grid.height=7\n"
    status, headers, text = site.ask("/tables", form)
    assert status == 303, text
    table, _, token = headers["location"].removeprefix("/t/").partition("#")
    with site.at(table, token) as anna:
        assert anna.seen["you"] == 1 and anna.seen["seats"][1]["name"] == "Анна"
        assert anna.seen["settings"]["game.grid.width"] == 7 and anna.seen["seats"][2]["open"]


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"changes": "target=0"}, "0; expected at least 1"),
        ({"changes": "goal=7"}, "has no &#39;goal&#39;"),
        ({"changes": "target"}, "expected path=value"),
        ({"players": "7"}, "is played by 2 players, not 7"),
        ({"players": "2", "seat": ["me", "me"]}, "sit in one at most"),
        ({"players": "2", "seat": ["me", "agent.py"]}, "nobody called &#39;agent.py&#39; can sit here"),
        ({"players": "2", "seat": ["me", "search:ms=600000"]}, "&#39;ms=600000&#39; cannot be"),
        ({"players": "2", "seat": ["me", "search-strong:ms=9"]}, "can sit here"),
        ({"players": "2", "seat": ["me", "threshold"], "p:1:threshold:n": "many"}, "&#39;n=many&#39; cannot be"),
    ],
)
def test_a_mistake_in_a_form_gets_one_sentence_and_the_form_back(
    site: Site, change: dict[str, object], told: str
) -> None:
    status, _, text = site.ask("/tables", {"game": "pig", **change})
    assert status == 400 and told in text and "<textarea" in text


def test_a_setting_cannot_name_a_file_of_the_server(site: Site, tmp_path: Path) -> None:
    secret = tmp_path / "secret.json"
    secret.write_text('{"secret": 1}')
    for path in (secret, tmp_path / "missing.json"):
        status, _, text = site.ask("/tables", {"game": "influence", "changes": f"map={path}"})
        assert status == 400 and "files cannot be named here" in text and "there is no such file" not in text


def test_play_again_is_the_same_table_anew(site: Site) -> None:
    table, _ = site.make("pig", ["random", "me"], changes=["target=30"], name="Anna")
    status, headers, _ = site.ask("/tables", {"like": table, "mine": "1"})
    assert status == 303
    again, _, token = headers["location"].removeprefix("/t/").partition("#")
    with site.at(again, token) as anna:
        assert anna.seen["you"] == 1 and anna.seen["settings"] == {"target": 30}
        assert [seat["agent"] for seat in anna.seen["seats"]] == ["random", None]
    assert site.ask("/tables", {"like": "nothing", "mine": "0"})[0] == 404


@pytest.mark.parametrize(
    "path", ["/nothing", "/t/nothing", "/games/nothing", "/games/nothing/cover.svg", "/static/../app.py"]
)
def test_what_is_not_there_is_said_so_on_a_page(site: Site, path: str) -> None:
    status, _, text = site.ask(path)
    assert status == 404 and "<html" in text and "Traceback" not in text


def test_nothing_from_elsewhere_and_nothing_inline(site: Site) -> None:
    table, _ = site.make("pig")
    for path in ("/", "/games/pig", f"/t/{table}"):
        _, headers, text = site.ask(path)
        assert headers["content-security-policy"] == POLICY and "unsafe" not in POLICY
        assert headers["x-content-type-options"] == "nosniff" and "server" not in headers
        assert "http://" not in text and "https://" not in text and "style=" not in text and "onclick" not in text
        assert "<script>" not in text and "<style" not in text


@pytest.mark.parametrize("headers", [{"Origin": "http://evil.example"}, {"Origin": "null"}, {"Origin": ""}])
def test_a_form_from_elsewhere_is_refused(site: Site, headers: dict[str, str]) -> None:
    assert site.ask("/tables", {"game": "pig"}, **headers)[0] == 403


def test_a_name_that_is_not_this_machine_s_is_refused(site: Site) -> None:
    assert site.ask("/", Host="evil.example", Origin="http://evil.example")[0] == 421
    assert site.ask("/", Host=f"localhost:{site.port}")[0] == 200
    assert site.ask("/", Host="[::1]:80")[0] == 200


def test_a_form_that_is_too_long_is_refused(site: Site) -> None:
    assert site.ask("/tables", {"game": "pig", "changes": "x" * 210_000})[0] == 413
    assert site.ask("/tables", {f"f{n}": "x" for n in range(500)})[0] == 404


def test_names_are_escaped_wherever_they_stand(site: Site) -> None:
    status, _, text = site.ask("/tables", {"game": "pig", "name": "<b>&\"'", "changes": "x", "players": "2"})
    assert status == 400 and "<b>&" not in text and "&lt;b&gt;&amp;" in text


def test_with_a_key_nobody_gets_in_without_it(tmp_path: Path, pig: Game) -> None:
    with running(tmp_path / "tables.sqlite3", {"pig": pig}, key="k" * 24) as site:
        assert site.ask("/")[0] == 401 and site.ask("/?key=wrong")[0] == 401
        assert site.ask("/tables", {"game": "pig"})[0] == 401
        status, headers, _ = site.ask("/games/pig?players=2&key=" + "k" * 24, Host="table.example:80", Origin="")
        assert (status, headers["location"]) == (303, "/games/pig?players=2")
        cookie = headers["set-cookie"]
        assert "HttpOnly" in cookie and "samesite=lax" in cookie.lower()
        assert site.ask("/", Cookie=cookie.split(";")[0])[0] == 200
        table, owner = site.make("pig")
        assert '"key": "kkkk' in site.ask(f"/t/{table}", Cookie=cookie.split(";")[0])[2], "for the link to others"
        with pytest.raises(Exception, match="403"), site.at(table, owner):
            pass


def test_every_phrase_is_there_in_both_languages() -> None:
    for text in (*PAGE.values(), *CLIENT.values(), *(what for _, what in KEYS)):
        assert text.en and text.ru and text.en != text.ru
        assert text.en.count("{}") == text.ru.count("{}")


def test_a_pace_allows_a_burst_and_then_so_many_a_second() -> None:
    now = [0.0]
    pace = RateLimit(3, 2, lambda: now[0])
    assert [pace.allows() for _ in range(4)] == [True, True, True, False]
    now[0] = 0.5
    assert [pace.allows() for _ in range(2)] == [True, False]


def test_whether_a_game_hides_something_is_read_off_its_rules(games: dict[str, Game]) -> None:
    told = {name: hides_nothing(games[name]) for name in ("dice", "influence", "pig", "dimensions", "grid", "coin")}
    assert [name for name, nothing in told.items() if nothing] == ["dice", "influence", "pig"]
