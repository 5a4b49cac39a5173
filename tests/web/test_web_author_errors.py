"""A table of a game whose rules fail: a message for people, a line in the log, and the server goes on."""

from __future__ import annotations

import logging
from collections.abc import Iterator

import pytest
from web_server import Site, running

from playmill import Game, load_game
from playmill.engine.contract.game import folder_of
from playmill.starters import begin

PUT, FAILS = "    s.board[row, column] = s.player + 1\n", "    s.board[row + action // 4, column] = s.player + 1\n"


@pytest.fixture(scope="module")
def games(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Game]:
    """Games whose rules fail, one as soon as it is dealt, one at some decisions; and ones whose words or picture do."""
    made = {}
    for name, room, was, now in (
        ("undealt", "rules", "s.winner = -1", "s.winner = -1000"),
        ("failing", "rules", PUT, FAILS),
        ("stuck", "rules", "if s.player >= 0 and", "if s.player >= 0 and action < 2 and"),
        ("wordless", "words", "{'abc'[action % COLUMNS]}", "{'ab'[action % COLUMNS]}"),
        ("pictureless", "view", "", "def view(config, s, player, legal, lang):\n    return s['bord']\n"),
    ):
        folder = tmp_path_factory.mktemp("mistakes")
        begin(name, "board", "en", folder)
        file = folder / name / f"{room}.py"
        file.touch()
        text = file.read_text(encoding="utf-8")
        assert was in text
        file.write_text(text.replace(was, now, 1), encoding="utf-8")
        made[name] = load_game(str(folder / name))
    return made


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory, games: dict[str, Game]) -> Iterator[Site]:
    with running(tmp_path_factory.mktemp("site") / "tables.sqlite3", games) as found:
        yield found


def test_a_decision_at_which_the_rules_fail_is_told_to_everybody(
    site: Site, games: dict[str, Game], caplog: pytest.LogCaptureFixture
) -> None:
    table, owner = site.make("failing", ["me", "here"])
    with caplog.at_level(logging.WARNING), site.at(table, owner) as anna, site.at(table, lang="ru") as looking:
        assert anna.move(0)["kind"] == "done"
        anna.until(lambda seen: seen["version"] == 1)
        anna.move(8)
        told = anna.until(lambda seen: seen["trouble"])
        assert "rules.py, line" in told["trouble"] and "a place beyond the end of an array" in told["trouble"]
        assert told["options"] == [] and told["turn"] == -1 and not told["over"]
        assert "место за концом массива" in looking.until(lambda seen: seen["trouble"])["trouble"]
        folder = str(folder_of(games["failing"]))
        assert folder not in told["trouble"], "strangers are not told where it lies"
    lines = [one for one in caplog.records if one.name == "playmill.web"]
    assert len(lines) == 1 and lines[0].exc_info is None and "a place beyond" in lines[0].getMessage()
    assert f"{folder}/rules.py, line" in lines[0].getMessage(), "whoever runs the server is"


def test_a_table_at_which_nobody_can_go_on_says_so(site: Site) -> None:
    table, owner = site.make("stuck", ["me", "here"])
    with site.at(table, owner) as anna, site.at(table, lang="ru") as looking:
        anna.move(0)
        told = anna.until(lambda seen: seen["trouble"])["trouble"]
        assert told.startswith("rules.py, line ") and "`player` is 0, and legal_actions offers nothing" in told
        assert "legal_actions ничего не предлагает" in looking.until(lambda seen: seen["trouble"])["trouble"]


def test_such_a_table_is_in_the_same_trouble_when_it_is_opened_again(site: Site) -> None:
    table, owner = site.make("failing", ["me", "here"])
    with site.at(table, owner) as anna:
        anna.move(8)
        told = anna.until(lambda seen: seen["trouble"])["trouble"]
    again = site.tables._open(table)
    assert again is not None and again.trouble is not None and again.trouble.en == told


@pytest.mark.parametrize("path", ["/", "/games/undealt", "/games/failing"])
def test_the_pages_of_such_games_are_there(site: Site, path: str) -> None:
    assert site.ask(path)[0] == 200


def test_a_picture_that_cannot_be_dealt_is_a_sentence(site: Site) -> None:
    status, _, text = site.ask("/games/undealt/cover.svg")
    assert status == 503 and "a number does not fit where it is kept" in text and "/undealt/rules.py" not in text


@pytest.mark.parametrize(("name", "room"), [("wordless", "words"), ("pictureless", "view")])
def test_words_and_pictures_that_fail_are_one_sentence_and_the_game_goes_on(
    site: Site, games: dict[str, Game], name: str, room: str, caplog: pytest.LogCaptureFixture
) -> None:
    table, owner = site.make(name, ["me", "here"])
    with caplog.at_level(logging.WARNING), site.at(table, owner) as anna, site.at(table, lang="ru") as looking:
        seen = anna.until(lambda seen: seen["flaw"])
        assert f"could not be shown ({room}.py, line " in seen["flaw"] and seen["trouble"] is None
        assert [one["action"] for one in seen["options"]] == [*range(9)] and "<svg" in seen["steps"][-1]["picture"]
        assert anna.move(2)["kind"] == "done"
        anna.until(lambda seen: seen["version"] == 1 and seen["turn"] == 1)
        told = looking.until(lambda seen: seen["version"] == 1)
        assert f"не удалось показать ({room}.py, строка " in told["flaw"]
        assert str(folder_of(games[name])) not in str(told)
    lines = {one.getMessage() for one in caplog.records if one.name == "playmill.web"}
    assert len(lines) == 1 and f"{folder_of(games[name])}/{room}.py, line" in lines.pop()


def test_the_cover_of_a_game_whose_picture_fails_is_a_sentence(site: Site) -> None:
    status, _, text = site.ask("/games/pictureless/cover.svg")
    assert status == 503 and "view.py, line 2" in text and "/pictureless/view.py" not in text
