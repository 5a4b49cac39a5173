"""WebSocket protocol: messages are validated, moves are applied once, missed ones are sent again."""

from __future__ import annotations

import json
import time
from pathlib import Path
from types import SimpleNamespace

import pytest
from web_server import LONGEST, Guest, Site, running, until
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import connect

from playmill import Game, PlaymillError
from playmill.web.live import registry, websocket
from playmill.web.live.registry import MOST_NEW
from playmill.web.table import protocol


def test_two_people_play_pig_to_its_end(site: Site) -> None:
    table, owner = site.make("pig", ["me", "anybody"], changes=["target=20"])
    with site.at(table, owner) as anna, site.at(table) as boris, site.at(table) as eve:
        assert not anna.seen["started"] and anna.seen["you"] == 0 and anna.seen["owner"]
        token = boris.ask(kind="sit", seat=1, name="  Борис\u202e\n <b> ")["token"]
        assert len(token) >= 22
        boris.until(lambda seen: seen["you"] == 1)
        anna.until(lambda seen: seen["started"] and seen["seats"][1]["here"])
        assert anna.seen["seats"][1]["name"] == "Борис <b>"
        for _ in range(400):
            guests = (anna, boris)
            versions = [guest.seen["version"] for guest in guests]
            for guest in guests:
                guest.until(lambda seen, versions=versions: seen["version"] >= max(versions))
            if anna.seen["over"]:
                break
            mover = guests[anna.seen["turn"]]
            assert mover.move(mover.seen["options"][-1]["action"])["kind"] == "done"
            version = mover.seen["version"]
            for guest in guests:
                guest.until(lambda seen, version=version: seen["version"] > version)
        eve.until(lambda seen: seen["over"])
        assert eve.seen["you"] is None and eve.seen["options"] == []
        assert anna.seen["end"] == boris.seen["end"] == eve.seen["end"]
        assert not any(owner in text or token in text for guest in (anna, boris, eve) for text in guest.texts[3:])


def test_a_move_sent_twice_is_made_once(site: Site) -> None:
    table, owner = site.make("influence", ["me", "random"])
    with site.at(table, owner) as anna:
        anna.until(lambda seen: seen["yours"])
        message = {"kind": "move", "id": "the-same-id", "version": anna.seen["version"], "action": 0}
        message["action"] = anna.seen["options"][0]["action"]
        anna.say(**message)
        anna.say(**message)
        answers: list[str] = []
        while len(answers) < 2:
            heard = anna.hear()
            answers += [heard["kind"]] if "id" in heard else []
        assert answers == ["done", "done"]
    found = site.tables.store.find(table)
    assert found is not None and [entry.move for entry in found[2]].count("the-same-id") == 1


def test_a_move_repeated_after_the_line_was_cut_is_made_once(site: Site) -> None:
    table, owner = site.make("pig", ["me", "anybody"], seed=1)
    with site.at(table) as boris:
        boris.ask(kind="sit", seat=1)
    with site.at(table, owner) as anna:
        version = anna.until(lambda seen: seen["yours"])["version"]
        anna.say(kind="move", id="cut-in-the-middle", version=version, action=0)
    with site.at(table, owner, have=version) as anna:
        assert anna.ask(kind="move", id="cut-in-the-middle", version=version, action=0)["kind"] == "done"
        anna.until(lambda seen: seen["version"] > version)
    found = site.tables.store.find(table)
    assert found is not None and [entry.move for entry in found[2]] == ["cut-in-the-middle"]


def test_what_was_missed_is_shown_on_coming_back(site: Site) -> None:
    table, owner = site.make("influence", ["me", "random"])
    with site.at(table, owner) as anna:
        anna.until(lambda seen: seen["yours"])
        have = anna.seen["version"]
        end = next(option for option in anna.seen["options"] if option["text"] == "end")
        anna.move(end["action"])
        now = anna.until(lambda seen: seen["version"] > have)["version"]
    with site.at(table, owner, have=have) as anna:
        versions = [step["version"] for step in anna.seen["steps"]]
        assert versions == list(range(have + 1, anna.seen["version"] + 1)) and versions[-1] >= now
        assert all("picture" in step for step in anna.seen["steps"])


def test_a_stale_an_illegal_and_a_strange_move_are_refused_with_a_sentence(site: Site) -> None:
    table, owner = site.make("influence", ["me", "anybody"])
    with site.at(table) as boris:
        boris.ask(kind="sit", seat=1)
        with site.at(table, owner, lang="ru") as anna:
            version = anna.seen["version"]
            assert anna.ask(kind="move", version=version - 1, action=0)["why"] == "на столе уже другая позиция"
            assert anna.ask(kind="move", version=version, action=99999)["why"] == "варианта 99999 сейчас нет"
            assert boris.ask(kind="move", version=version, action=0)["why"] == "it is not your turn"
        with site.at(table) as eve:
            assert eve.ask(kind="move", version=version, action=0)["why"] == "you only look on here"
            assert eve.ask(kind="undo", version=version)["why"] == "you only look on here"
            assert eve.ask(kind="appoint", seat=1, agent="random")["why"] == "only who made the table can do this"
            assert eve.ask(kind="sit", seat=0)["why"] == "this seat is taken"


def test_a_wrong_token_is_a_spectator(site: Site) -> None:
    table, _ = site.make("pig")
    with site.at(table, "A" * 24) as eve:
        assert (eve.seen["you"], eve.seen["owner"], eve.seen["options"]) == (None, False, [])


def test_a_seat_can_be_left_taken_by_another_and_given_to_an_agent(site: Site) -> None:
    table, owner = site.make("pig", ["me", "anybody"])
    with site.at(table, owner) as anna, site.at(table) as boris:
        boris.ask(kind="sit", seat=1, name="Boris")
        assert boris.ask(kind="leave")["kind"] == "done"
        boris.until(lambda seen: seen["you"] is None and seen["seats"][1]["open"])
        assert anna.ask(kind="appoint", seat=1, agent="no such")["why"] == "there is no agent 'no such'"
        assert anna.ask(kind="appoint", seat=1, agent="random")["kind"] == "done"
        anna.until(lambda seen: seen["seats"][1]["agent"] == "random" and seen["started"])
        assert anna.ask(kind="appoint", seat=1, agent="")["kind"] == "done"
        assert boris.ask(kind="sit", seat=1)["kind"] == "done"


def test_an_undo_in_time_is_done_and_one_too_late_refused(site: Site) -> None:
    table, owner = site.make("kuhn", ["me", "anybody"], seed=3)
    with site.at(table, owner) as first, site.at(table) as second:
        second.ask(kind="sit", seat=1)
        first.until(lambda seen: seen["yours"])
        first.move()
        version = first.until(lambda seen: not seen["yours"])["version"]
        assert first.seen["undo"] == {"may": True, "why": None}
        assert second.ask(kind="undo", version=version)["why"] == "the last decision was not yours"
        assert first.ask(kind="undo", version=version - 1)["why"] == "the table has moved on"
        assert first.ask(kind="undo", version=version)["kind"] == "done"
        first.until(lambda seen: seen["version"] == version + 1)
        assert first.seen["yours"] and first.seen["steps"][0]["lines"] == ["takes the last decision back"]
        first.move()
        second.until(lambda seen: seen["yours"] and seen["version"] > version + 1)
        assert second.move(1)["kind"] == "done", "a bet"
        now = first.until(lambda seen: seen["version"] >= version + 3)["version"]
        assert first.ask(kind="undo", version=now)["why"] == "the last decision was not yours"


def test_nobody_looks_into_a_hand_before_the_game_begins(site: Site) -> None:
    table, owner = site.make("dimensions", ["me", "anybody", "random"], seed=3)
    with site.at(table, owner) as anna, site.at(table) as boris:
        assert "Your hand" not in anna.seen["steps"][-1]["picture"]
        boris.ask(kind="sit", seat=1)
        anna.until(lambda seen: seen["started"] and seen["steps"])
        assert anna.seen["steps"][0]["version"] == 0 and "Your hand" in anna.seen["steps"][-1]["picture"]


def test_an_agent_answers(site: Site) -> None:
    table, owner = site.make("pig", ["me", "random"], seed=1)
    with site.at(table, owner) as anna:
        anna.until(lambda seen: seen["yours"])
        anna.move(1)
        anna.until(lambda seen: any(step["seat"] == 1 for step in seen["steps"]))


def test_only_the_owner_removes_a_table_and_then_it_is_gone(site: Site) -> None:
    table, owner = site.make("pig", ["me", "anybody"])
    with site.at(table, owner) as anna, site.at(table) as eve:
        assert eve.ask(kind="remove")["why"] == "only who made the table can do this"
        anna.say(kind="remove", id="remove-it")
        with pytest.raises(ConnectionClosed):
            while True:
                eve.hear()
    assert site.tables.store.find(table) is None
    assert site.ask(f"/t/{table}")[0] == 404


def test_an_answer_that_cannot_be_used_is_told_as_such(games: dict[str, Game], tmp_path: Path) -> None:
    agent = tmp_path / "wrong.py"
    agent.write_text("def choose(decision):\n    return 99\n")
    with running(tmp_path / "tables.sqlite3", {"pig": games["pig"]}, files=[str(agent)]) as site:
        table, owner = site.make("pig", ["me", f"file:{agent}"], seed=1)
        with site.at(table, owner) as anna:
            anna.until(lambda seen: seen["yours"])
            anna.move(1)
            told = "its agent gave no answer that could be used: a random choice instead"
            anna.until(lambda seen: any(told in step["lines"] for step in seen["steps"]))


def test_a_program_plays_if_the_owner_named_it_and_a_visitors_wish_starts_none(
    games: dict[str, Game], tmp_path: Path
) -> None:
    mark = tmp_path / "started"
    spec = "program:python3 examples/bots/pig_python/bot.py"
    with running(tmp_path / "tables.sqlite3", {"pig": games["pig"]}, files=[spec]) as site:
        for wish in (f"program:touch {mark}", f"file:program:touch {mark}", f"{spec} {mark}"):
            with pytest.raises(PlaymillError, match=r"nobody called .* can sit here"):
                site.make("pig", ["me", wish], seed=1)
        table, owner = site.make("pig", ["me", f"file:{spec}"], seed=1)
        with site.at(table, owner) as anna:
            anna.until(lambda seen: seen["yours"])
            anna.move(1)
            seen = anna.until(lambda seen: seen["yours"])
            assert not any("a random choice instead" in line for step in seen["steps"] for line in step["lines"])
    assert not mark.exists()


def ended(site: Site, table: str, *texts: str | bytes) -> tuple[int, str]:
    """How a connection ends on which these were said after a hello."""
    with site.at(table) as guest, pytest.raises(ConnectionClosed) as end:
        for text in texts:
            guest.line.send(text)
        while True:
            guest.hear()
    close = end.value.rcvd
    assert close is not None
    return close.code, close.reason


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("{}", "Unable to extract tag"),
        ("nonsense", "Invalid JSON"),
        ('{"kind":"move","id":"12345678","version":1,"action":1,"seat":0}', "Extra inputs"),
        ('{"kind":"move","id":"12345678","version":1,"action":"1"}', "valid integer"),
        ('{"kind":"move","id":"12345678","version":1,"action":-1}', "greater than or equal"),
        ('{"kind":"move","id":"1","version":1,"action":1}', "at least 8 characters"),
        ('{"kind":"move","id":"<script>alert(1)</script>","version":1,"action":1}', "match pattern"),
        ('{"kind":"eval","code":"1"}', "does not match any of the expected tags"),
        ("[" * 1500, "Invalid JSON"),
        ('{"kind":"ping","x":"' + "y" * 3000 + '"}', "too long"),
        (b"\x00\xff", "a text was expected"),
    ],
)
def test_a_message_that_is_none_ends_the_connection_with_a_sentence(site: Site, text: str | bytes, why: str) -> None:
    table, _ = site.make("pig")
    code, reason = ended(site, table, text)
    assert code == 4400 and why in reason


def test_a_flood_of_messages_ends_the_connection_and_no_other(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    table, owner = site.make("pig")
    with site.at(table, owner) as anna:
        monkeypatch.setattr(websocket, "_RATE", 0.0)  # a machine may be too slow to send too many a second
        code, reason = ended(site, table, *['{"kind":"ping"}'] * 100)
        assert (code, reason) == (4400, "too many messages")
        anna.say(kind="ping")
        while anna.hear()["kind"] != "pong":
            pass


def test_a_message_larger_than_the_line_takes_ends_it(site: Site) -> None:
    table, _ = site.make("pig")
    assert ended(site, table, "x" * 100_000)[0] == 1009


def test_there_is_no_such_table(site: Site) -> None:
    address = f"ws://127.0.0.1:{site.port}/t/nothing/socket"
    with connect(address, origin=site.url, open_timeout=LONGEST) as line, pytest.raises(ConnectionClosed) as end:
        line.recv(LONGEST)
    assert end.value.rcvd is not None and end.value.rcvd.code == 4404


@pytest.mark.parametrize("origin", ["http://evil.example", "null", None, "http://127.0.0.1:1"])
def test_a_page_from_elsewhere_cannot_sit_at_a_table(site: Site, origin: str | None) -> None:
    table, _ = site.make("pig")
    with pytest.raises(InvalidStatus) as refused:
        connect(f"ws://127.0.0.1:{site.port}/t/{table}/socket", origin=origin, open_timeout=LONGEST)
    assert refused.value.response.status_code == 403


def test_one_hello_is_needed_and_first(site: Site) -> None:
    table, _ = site.make("pig")
    address = f"ws://127.0.0.1:{site.port}/t/{table}/socket"
    with connect(address, origin=site.url, open_timeout=LONGEST) as line:
        line.send(json.dumps({"kind": "ping"}))
        with pytest.raises(ConnectionClosed) as end:
            line.recv(LONGEST)
    assert end.value.rcvd is not None and end.value.rcvd.reason == "a hello comes first"


def test_names_are_short_and_hold_nothing_that_cannot_be_seen() -> None:
    assert protocol.clean_name("  А\u0000\u202eн\u200bна \n\t  Каренина  ") == "Анна Каренина"
    assert protocol.clean_name("x" * 200) == "x" * protocol.LONGEST_NAME
    assert protocol.clean_name("日本 👍") == "日本 👍"


def test_presence_is_told(site: Site) -> None:
    table, owner = site.make("pig", ["me", "anybody"])
    with site.at(table, owner) as anna:
        with site.at(table):
            anna.until(lambda seen: seen["spectators"] == 1)
        anna.until(lambda seen: seen["spectators"] == 0)
        assert anna.seen["seats"][0]["here"]


def test_a_table_of_agents_plays_by_itself_while_somebody_looks_on(site: Site) -> None:
    table, _ = site.make("pig", ["random", "threshold"], changes=["target=8"])
    time.sleep(0.2)
    room = site.tables.open_actors.get(table)
    assert room is None or room.table.entries == []
    with site.at(table) as eve:
        eve.until(lambda seen: seen["version"] > 2)


def test_too_many_new_tables_are_refused_for_a_while(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    now = time.monotonic()
    monkeypatch.setattr(registry, "time", SimpleNamespace(monotonic=lambda: now))  # however long it takes to make them
    for _ in range(MOST_NEW):
        try:
            site.make("pig")
        except PlaymillError as error:
            assert "wait a minute" in str(error)
            break
    else:
        pytest.fail("nobody stopped it")
    site.tables._made.clear()


def test_a_table_nobody_is_at_leaves_the_memory_and_comes_back(site: Site) -> None:
    table, owner = site.make("pig", ["me", "random"])
    with site.at(table, owner) as anna:
        version = anna.until(lambda seen: seen["yours"])["version"]

    def put_away() -> bool:
        site.loop.call_soon_threadsafe(site.tables.close_idle, time.monotonic() + 10_000)
        return table not in site.tables.open_actors

    until(put_away)
    with site.at(table, owner) as anna:
        assert anna.seen["version"] >= version


def guests_of(site: Site, table: str) -> int:
    """How many are at a table."""
    room = site.tables.open_actors.get(table)
    return len(room.browsers) if room else 0


def test_whoever_goes_away_is_forgotten(site: Site) -> None:
    table, _ = site.make("pig")
    with site.at(table) as guest:
        assert isinstance(guest, Guest) and guests_of(site, table) == 1
    until(lambda: guests_of(site, table) == 0)
