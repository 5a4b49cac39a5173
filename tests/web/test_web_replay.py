"""Replays from anywhere, finished tables, live ones, and what may be seen of each."""

from __future__ import annotations

import http.client
import json
import random
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from web_server import LONGEST, Site, until

from common.found import FOLDERS
from playmill import PlaymillError
from playmill.lab.replays.replay import play_again
from playmill.lab.replays.replay_file import load
from playmill.web.access.security import LONGEST_BODY
from playmill.web.replay import pages
from playmill.web.replay.positions import OPEN, pictures, story
from playmill.web.replay.replay_table import id_of, read_replay, table_of, written
from playmill.web.replay.win_chances import MOST_OF_ONE, WinChanceService
from playmill.web.table.state import GameTable, open_table, rules_fingerprint_of
from playmill.web.table.store import UNDO, Chair, LoggedDecision, TableFacts


def played(
    site: Site, game: str, *, seats: Any = ("random", "random"), seed: int = 5, moves: int = 10_000
) -> GameTable:
    """A table at which somebody decides at random: until it is over, or so often."""
    name, _ = site.make(game, seats, seed)
    store = site.tables.store
    table, dice = open_table(site.tables.games, *store.find(name)), random.Random(seed)
    while not table.over and len(table.entries) < moves:
        entry = LoggedDecision(f"move-{len(table.entries):06d}", table.turn, dice.choice(table.state.legal_actions()))
        store.append(name, len(table.entries), entry)
        table.record(entry)
    return table


def post(site: Site, body: bytes, **headers: str) -> tuple[int, dict[str, Any]]:
    """Drops a file."""
    line = http.client.HTTPConnection("127.0.0.1", site.port, timeout=LONGEST)
    line.request("POST", "/watch", body, {"Origin": site.url, **headers})
    answer = line.getresponse()
    text = answer.read().decode()
    return answer.status, json.loads(text) if text.startswith("{") else {"error": text}


def asked(site: Site, path: str) -> tuple[int, Any]:
    status, _, text = site.ask(path)
    return status, json.loads(text)


@pytest.fixture(scope="module")
def finished(site: Site) -> GameTable:
    return played(site, "pig")


@pytest.fixture(scope="module")
def file(site: Site, finished: GameTable) -> str:
    """The file that the page of a finished table offers."""
    status, headers, text = site.ask(f"/t/{finished.facts.id}/watch/replay.json")
    assert status == 200 and 'filename="pig.json"' in headers["content-disposition"]
    return text


def test_a_finished_table_is_saved_as_a_replay_that_comes_back(file, finished, tmp_path):
    path = tmp_path / "pig.json"
    path.write_text(file, encoding="utf-8")
    states = list(play_again(load(path, str(FOLDERS["pig"])), "file", interpreted=True))
    assert states[-1].returns() == finished.state.returns()


def test_what_was_taken_back_is_no_part_of_the_replay(games):
    game = games["influence"]
    config = game.config().changed(["map=small"]).model_dump(mode="json")
    facts = TableFacts("x", game.name, game.version, rules_fingerprint_of(game), config, 2, 4, "")
    table = GameTable(facts, game, [Chair(agent="random")] * 2)
    table.begin()
    dice = random.Random(1)
    table.record(LoggedDecision("first-one", table.turn, table.state.legal_actions()[0]))
    table.record(LoggedDecision("taken-back", table.turn, UNDO))
    while not table.over:
        table.record(LoggedDecision(f"m{len(table.entries):07d}", table.turn, dice.choice(table.state.legal_actions())))
    replay = written(table)
    assert len(replay.moves) == len(table.entries) - 2
    assert table_of(replay, "replay").state.returns() == table.state.returns()


def test_people_keep_their_names_in_the_replay_of_their_table(finished):
    chairs = [Chair(name="Анна", token="t" * 20), Chair(agent="random")]
    table = GameTable(finished.facts, finished.game, chairs)
    table.begin()
    for entry in finished.entries:
        table.record(entry)
    replay = written(table)
    assert (replay.agents, replay.names) == (("player", "random"), ("Анна", ""))
    told = story(table_of(replace(replay, folder=str(FOLDERS["pig"])), "replay"), None, "en")
    assert [(seat["name"], seat["agent"]) for seat in told["seats"]] == [("Анна", None), ("", "random")]
    assert written(finished).names == ()


def test_a_dropped_replay_is_shown_like_a_table_that_is_over(site, file, finished):
    status, answer = post(site, file.encode())
    assert status == 200 and answer["to"] == f"/watch/{id_of(file)}"
    status, told = asked(site, answer["to"] + "/story")
    assert status == 200 and told["over"] and told["version"] == finished.version
    assert told["steps"][1]["lines"] and told["end"]["winners"]
    status, shown = asked(site, answer["to"] + "/pictures?from=3&count=2&lang=ru")
    assert status == 200 and len(shown) == 2 and all(one["picture"].startswith("<svg") for one in shown)
    assert len(asked(site, answer["to"] + f"/pictures?from={finished.version}&count=9999")[1]) == 1
    assert site.ask(answer["to"] + "/replay.json")[2] == file
    assert 'id="slider"' in site.ask(answer["to"])[2]


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (lambda data: {**data, "rules": 99}, "recorded with version 99"),
        (lambda data: {**data, "game": "chess"}, "the game 'chess' is not on offer here; there are dice"),
        (lambda data: {**data, "moves": data["moves"][:-1]}, "something was cut off"),
        (lambda data: {**data, "moves": [[0, "x", "0000"]] * 10_001}, "10001 moves; at most 10000"),
        (lambda data: {**data, "replay": 7}, "form 7"),
        (lambda data: [data], "not a replay"),
        (lambda data: {"replay": 2, "game": {"a": 1}}, "it lacks"),
    ],
)
def test_a_file_that_cannot_be_shown_gets_one_sentence(site, file, change, told):
    status, answer = post(site, json.dumps(change(json.loads(file))).encode())
    assert status == 400 and told in answer["error"] and "\n" not in answer["error"]


@pytest.mark.parametrize(
    ("body", "told"),
    [
        (b"\xff\xfe\x00", "not UTF-8"),
        (b"", "is empty"),
        (b"{", "this file"),
        (b"[" * 5000, "nested"),
        (b'{"replay": 2, "game": "pig", "config": ' + b'{"a":' * 3000, "this file"),
    ],
)
def test_what_is_no_replay_at_all_gets_one_sentence(site, body, told):
    status, answer = post(site, body)
    assert status == 400 and told in answer["error"]
    assert "этот файл" in post(site, b"{", **{"Accept-Language": "ru"})[1]["error"]


def test_a_file_may_be_large_but_not_too_large_and_no_other_page_takes_as_much(site):
    assert post(site, b" " * 3_999_999)[0] == 400
    assert post(site, b"", **{"Content-Length": "4000001"})[0] == 413
    assert site.ask("/tables", {"game": "x" * (LONGEST_BODY + 1)})[0] == 413
    assert LONGEST_BODY < 1_000_000


def test_a_config_in_a_replay_may_name_no_file(games, file, tmp_path):
    data = json.loads(file)
    replay = {**data, "game": "influence", "config": {"map": str(tmp_path / "map.json")}}
    with pytest.raises(PlaymillError):
        table_of(read_replay(json.dumps(replay), "this file", games), "this file")


def test_a_live_table_shows_no_more_than_a_spectator_sees(site):
    table = played(site, "dimensions", seats=["random"] * 3, moves=6, seed=987_654_321)
    place = f"/t/{table.facts.id}/watch"
    for eyes in ("0", "open"):
        for what in ("story", "pictures?from=0&count=3"):
            mark = "&" if "?" in what else "?"
            status, answer = asked(site, f"{place}/{what}{mark}as={eyes}")
            assert status == 403 and "as everybody sees it" in answer["error"]
    assert asked(site, f"{place}/replay.json") == (403, {"error": "the game is not over yet"})
    status, told = asked(site, f"{place}/story")
    assert status == 200 and not told["over"] and told["end"] is None
    text = json.dumps([told, asked(site, f"{place}/pictures?from=0&count=40")[1]])
    assert str(table.facts.seed) not in text


def test_two_worlds_that_nobody_can_tell_apart_give_the_same_pictures(site):
    table = played(site, "dimensions", seats=["random"] * 3, moves=6)
    true = pictures(table, None, "en", [4])
    moment, other = table.moments[4], table.state.clone()
    put = np.zeros(1, table.game.state)
    put[0] = moment.after
    other.put_record(put)
    for player in range(3):
        other.conceal(player, 77)
    assert other.record.tobytes() != moment.after.tobytes()
    table.moments[4] = replace(moment, after=other.record.copy())
    assert pictures(table, None, "en", [4]) == true


def test_a_finished_table_can_be_seen_with_any_eyes(site):
    table = played(site, "dimensions", seats=["random"] * 3)
    seen = {eyes: pictures(table, eyes, "en", [4])[0] for eyes in (None, 0, 1, OPEN)}
    assert len({one["picture"] for one in seen.values()}) >= 3
    assert seen[OPEN]["text"] == table.game.words.position(table.config, table.moments[4].after, "en")
    lines = [sum(len(step["lines"]) for step in story(table, eyes, "en")["steps"]) for eyes in (None, OPEN)]
    assert lines[0] <= lines[1]
    with pytest.raises(PlaymillError, match="no seat 4"):
        story(table, 3, "en")


def test_what_is_not_there_is_said(site):
    assert site.ask("/watch/" + "0" * 32)[0] == 404
    assert "drop its file once more" in site.ask("/watch/" + "0" * 32)[2]
    assert site.ask("/watch/..%2f..%2fetc%2fpasswd")[0] == 404
    assert site.ask("/t/nothing/watch")[0] == 404
    assert asked(site, "/t/nothing/watch/story")[0] == 404


def test_chances_are_nobodys_business_while_people_play(site):
    table = played(site, "pig", seats=["me", "random"], moves=2)
    assert asked(site, f"/t/{table.facts.id}/watch/chances") == (200, {"state": "later", "course": None})


def test_chances_are_worked_out_in_the_background(site, games, finished):
    forecasts = WinChanceService(playouts=4, interpreted=True)
    try:
        assert forecasts.ask(finished)["state"] == "waiting"
        until(lambda: forecasts.ask(finished)["state"] in ("done", "failed"))
        found = forecasts.ask(finished)
        assert found["state"] == "done"
        points = found["course"]["points"]
        assert points[-1]["at"] == finished.version
        assert [side["value"] for side in points[-1]["sides"]] == finished.state.returns()
    finally:
        forecasts.close()
    assert forecasts.ask(played(site, "pig", moves=2))["state"] == "busy"


def test_who_works_too_long_is_ended_and_does_not_hold_up_the_next(site, finished):
    forecasts = WinChanceService(playouts=1_000_000, interpreted=True, longest=0.2)
    try:
        until(lambda: forecasts.ask(finished)["state"] == "failed")
    finally:
        forecasts.close()


def test_the_chances_of_so_many_games_are_worked_out_for_one_address(site, monkeypatch):
    forecasts = WinChanceService(playouts=1, interpreted=True)
    monkeypatch.setattr(forecasts, "_work", lambda found, question: None)  # nothing is ever finished
    try:
        opened = [played(site, "pig", moves=2) for _ in range(MOST_OF_ONE + 1)]
        states = [forecasts.ask(table, "here")["state"] for table in opened]
        assert states == ["waiting"] * MOST_OF_ONE + ["enough"]
        assert forecasts.ask(opened[-1], "elsewhere")["state"] == "waiting", "others do not wait for that"
    finally:
        forecasts.close()


def test_who_asks_for_too_much_at_once_is_told_to_wait(site, finished, monkeypatch):
    path = f"/t/{finished.facts.id}/watch/story"
    assert asked(site, path)[0] == 200
    monkeypatch.setattr(pages, "MOST_ASKED", 0)
    status, told = asked(site, path)
    assert status == 429 and "wait a little" in told["error"]
    assert not site.replays._asked, "nobody is remembered who waits for nothing"
