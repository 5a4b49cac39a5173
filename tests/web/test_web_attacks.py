"""Attacks by a hostile browser; the table in docs/play.md names what stops each, and these tests try it."""

from __future__ import annotations

import base64
import json
import os
import re
import secrets
import socket
import struct
import threading
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from web_server import LONGEST, Site, running
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import connect

from common.found import ROOT
from playmill import Game, PlaymillError
from playmill.web.agents import file_agents
from playmill.web.agents.file_agents import PLACES, FileAgents
from playmill.web.live import registry
from playmill.web.live import websocket as sockets
from playmill.web.live.browsers import MOST_WAITING, Browser
from playmill.web.table import store
from playmill.web.table.observation import Viewer
from playmill.web.table.store import Chair, LoggedDecision, TableFacts, TableStore

TESTS = "\n".join(path.read_text(encoding="utf-8") for path in Path(__file__).parent.glob("test_*.py"))


def test_every_attack_on_the_page_has_its_test() -> None:
    page = (ROOT / "docs" / "play.md").read_text(encoding="utf-8")
    named = re.findall(r"`(test_\w+)`", page)
    assert len(named) >= 15
    assert [name for name in named if f"def {name}(" not in TESTS] == []


def raw_line(site: Site, table: str) -> socket.socket:
    """A connection to a table without a library that would keep to the rules."""
    line = socket.create_connection(("127.0.0.1", site.port), timeout=LONGEST)
    key = base64.b64encode(os.urandom(16)).decode()
    line.sendall(
        f"GET /t/{table}/socket HTTP/1.1\r\nHost: 127.0.0.1:{site.port}\r\nOrigin: {site.url}\r\nUpgrade: websocket\r\n"
        f"Connection: Upgrade\r\nSec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n".encode()
    )
    head = b""
    while not head.endswith(b"\r\n\r\n"):
        head += line.recv(1)
    assert b" 101 " in head
    return line


def frame(kind: int, data: bytes) -> bytes:
    """A whole frame as a client sends it."""
    mask = b"\x01\x02\x03\x04"
    size = bytes([0x80 | len(data)]) if len(data) < 126 else bytes([0xFE]) + struct.pack(">H", len(data))
    return bytes([0x80 | kind]) + size + mask + bytes(sign ^ mask[place % 4] for place, sign in enumerate(data))


def drained(line: socket.socket, until: bytes = b"") -> bytes:
    """All that comes, to the end of the line or to these bytes: a server waits some seconds for a farewell."""
    heard = b""
    while not (until and until in heard) and (data := line.recv(65536)):
        heard += data
    return heard


def test_a_text_that_is_not_utf8_ends_the_connection_and_no_other(site: Site) -> None:
    table, owner = site.make("pig", ["me", "random"])
    with site.at(table, owner) as anna, raw_line(site, table) as line:
        line.sendall(frame(1, b'{"kind":"hello"}') + frame(1, b'{"kind":"\xff\xfe"}'))
        assert struct.pack(">H", 1007) in drained(line), "invalid data"
        anna.until(lambda seen: seen["yours"])
        assert anna.move()["kind"] == "done"


@pytest.mark.parametrize(
    "text", ['{"kind":"move","id":' + "[" * 900 + "]" * 900 + "}", '{"a":' * 300 + "1" + "}" * 300]
)
def test_deep_messages_are_refused_without_recursion(site: Site, text: str) -> None:
    table, _ = site.make("pig")
    with site.at(table) as eve:
        eve.line.send(text)
        with pytest.raises(ConnectionClosed) as end:
            while True:
                eve.hear()
    assert end.value.rcvd is not None and end.value.rcvd.code == 4400


def test_a_socket_by_another_name_of_this_machine_is_refused(site: Site) -> None:
    """DNS rebinding: a page elsewhere whose name leads here sends its own name as host and origin."""
    table, _ = site.make("pig")
    for host in ("evil.example", f"evil.example:{site.port}", "127.0.0.1.evil.example", "localhost.evil.example"):
        with (
            pytest.raises(InvalidStatus) as refused,
            connect(
                f"ws://127.0.0.1:{site.port}/t/{table}/socket",
                additional_headers={"Host": host},
                origin=f"http://{host}",
                open_timeout=LONGEST,
            ),
        ):
            pass
        assert refused.value.response.status_code in (403, 400)
        assert site.ask(f"/t/{table}", Host=host)[0] == 421


def test_a_token_is_not_found_by_trying(site: Site) -> None:
    table, owner = site.make("pig", ["me", "anybody"])
    near = owner[:-1] + ("A" if owner[-1] != "A" else "B")
    for tokens in ([near], [owner[:20]], [owner.lower()], [store.hashed(owner)], [secrets.token_urlsafe(18)] * 8):
        with site.at(table, *tokens) as eve:
            assert (eve.seen["you"], eve.seen["owner"]) == (None, False)
    with pytest.raises(ConnectionClosed), site.at(table, *["A" * 24] * 9):
        pass


def test_a_move_id_of_another_seat_is_neither_confirmed_nor_done(site: Site) -> None:
    table, owner = site.make("pig", ["me", "anybody"], seed=1)
    with site.at(table, owner) as anna, site.at(table) as boris:
        boris.ask(kind="sit", seat=1)
        anna.until(lambda seen: seen["yours"])
        message = {"kind": "move", "id": "annas-own-move", "version": anna.seen["version"], "action": 0}
        assert anna.ask(**message)["kind"] == "done"
        assert boris.ask(**message)["why"] == "this move was made by somebody else"
        assert boris.ask(kind="undo", id="annas-own-move", version=0)["why"] == "this move was made by somebody else"
        with site.at(table) as eve:
            assert eve.ask(**message)["why"] == "you only look on here"
    found = site.tables.store.find(table)
    assert found is not None and len(found[2]) == 1


def test_two_undos_at_once_take_one_decision_back(site: Site) -> None:
    table, owner = site.make("influence", ["me", "random"], seed=1, changes=["map=small"])
    with site.at(table, owner) as anna, site.at(table, owner) as phone:
        anna.until(lambda seen: seen["yours"])
        for _ in range(30):
            if anna.seen["undo"]["may"] and anna.seen["yours"]:
                break
            version = anna.seen["version"]
            choice = next((one for one in anna.seen["options"] if one["text"] == "end"), anna.seen["options"][0])
            anna.move(choice["action"])
            anna.until(lambda seen, version=version: seen["version"] > version and seen["yours"])
        assert anna.seen["undo"]["may"]
        before = len((site.tables.store.find(table) or pytest.fail("gone"))[2])
        version = anna.seen["version"]
        for guest, name in ((anna, "first-undo"), (phone, "second-undo")):
            guest.say(kind="undo", id=name, version=version)
        answers = []
        for guest, name in ((anna, "first-undo"), (phone, "second-undo")):
            while name not in guest.answers:
                guest.hear()
            answers.append(guest.answers[name]["kind"])
        assert sorted(answers) == ["done", "refused"]
    assert len((site.tables.store.find(table) or pytest.fail("gone"))[2]) == before + 1


@pytest.mark.parametrize(
    "path",
    ["/static/../serve.py", "/static/..%2fserve.py", "/static/%2e%2e/%2e%2e/version.py", "/fonts/..\\version.py",
     "/static//etc/passwd", "/t/..%2f..%2ftables.sqlite3", "/games/..%2fdice/rules", "/static/%00"],
)  # fmt: skip
def test_no_path_leads_out_of_the_folders(site: Site, path: str) -> None:
    line = socket.create_connection(("127.0.0.1", site.port), timeout=LONGEST)
    line.sendall(f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{site.port}\r\nConnection: close\r\n\r\n".encode())
    answer = drained(line)
    line.close()
    assert answer.split(b" ")[1] in (b"404", b"400", b"405") and b"import" not in answer and b"root:" not in answer


def test_whoever_does_not_read_is_let_go_and_holds_nobody_up() -> None:
    slow = Browser(Viewer(), "en", 0)
    assert all(slow.send("a picture") for _ in range(MOST_WAITING)) and not slow.send("one more")
    slow.close()
    assert slow.outbox.qsize() <= MOST_WAITING, "what waits for it is bounded"


def test_whoever_says_nothing_is_let_go(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    table, owner = site.make("pig", ["me", "random"])
    with site.at(table, owner) as anna:
        monkeypatch.setattr(sockets, "_HELLO", 0.3)
        lines = [raw_line(site, table) for _ in range(60)]
        anna.until(lambda seen: seen["yours"])
        assert anna.move()["kind"] == "done", "a storm of sockets holds nobody up"
        for line in lines:
            drained(line)  # to its end, which nobody but the server has made
            line.close()


def test_agents_that_never_answer_hold_up_nobody_else(
    games: dict[str, Game], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "endless.py").write_text("import time\n\ndef choose(decision):\n    time.sleep(1_000_000)\n")
    (tmp_path / "good.py").write_text("def choose(decision):\n    return decision.options[-1]\n")
    endless, good = str(tmp_path / "endless.py"), str(tmp_path / "good.py")
    ask = FileAgents.ask

    def asked(self: FileAgents, file: str, think: Any, patience: float) -> Any:
        """Nobody but the endless one is hurried: a machine may be slow."""
        return ask(self, file, think, 1.0 if file == endless else patience)

    monkeypatch.setattr(FileAgents, "ask", asked)
    with running(tmp_path / "t.sqlite3", {"pig": games["pig"]}, files=[endless, good]) as site, ExitStack() as held:
        guests = []
        for _ in range(2 * PLACES):
            table, owner = site.make("pig", ["me", f"file:{endless}"], seed=1)
            guests.append(held.enter_context(site.at(table, owner)))
        for guest in guests:
            guest.until(lambda seen: seen["yours"])
            guest.move(1)
        for opponent in (f"file:{good}", "random"):
            table, owner = site.make("pig", ["me", opponent], seed=1)
            with site.at(table, owner) as anna:
                anna.until(lambda seen: seen["yours"])
                assert anna.move(1)["kind"] == "done"
                anna.until(lambda seen: seen["steps"] and seen["steps"][-1]["seat"] == 1)
                assert not any(file_agents.LATE.en in step["lines"] for step in anna.seen["steps"])
        for guest in guests:  # whoever plays against one that does not answer plays on as well
            guest.until(lambda seen: any(file_agents.LATE.en in step["lines"] for step in seen["steps"]))
        assert sum(endless in thread.name for thread in threading.enumerate()) <= PLACES


def test_a_table_takes_so_many_and_no_more(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sockets, "MOST_BROWSERS", 3)
    table, _ = site.make("pig")
    with site.at(table), site.at(table), site.at(table), raw_line(site, table) as line:
        full = struct.pack(">H", 4429)
        assert full in drained(line, until=full)
    other, owner = site.make("pig", ["me", "random"])
    with site.at(other, owner) as anna:
        assert anna.seen["you"] == 0


def test_so_many_tables_are_open_and_idle_ones_make_room(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    first, _ = site.make("pig", ["me", "random"])
    assert site.ask(f"/t/{first}")[0] == 200
    monkeypatch.setattr(registry, "MOST_OPEN", len(site.tables.open_actors))
    second, owner = site.make("pig", ["me", "random"])
    with site.at(second, owner) as anna:
        assert anna.seen["you"] == 0, "an idle table made room"
        monkeypatch.setattr(registry, "MOST_OPEN", 0)
        monkeypatch.setattr("playmill.web.live.actor.TableActor.idle", False)
        third, _ = site.make("pig", ["me", "random"])
        status, _, text = site.ask(f"/t/{third}")
        assert status == 503 and "too many tables are open here" in text
        anna.until(lambda seen: seen["yours"])
        assert anna.move()["kind"] == "done"


def test_a_log_and_a_ledger_have_an_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    kept = TableStore(tmp_path / "tables.sqlite3")
    facts = TableFacts("t", "pig", 1, "r", {}, 2, 1, "o")
    kept.begin(facts, [Chair()])
    monkeypatch.setattr(store, "MOST_ENTRIES", 2)
    kept.append("t", 1, LoggedDecision("m1", 0, 0))
    with pytest.raises(PlaymillError, match="2 decisions at most"):
        kept.append("t", 2, LoggedDecision("m2", 0, 0))
    monkeypatch.setattr(store, "MOST_TABLES", 1)
    with pytest.raises(PlaymillError, match="1 tables already"):
        kept.begin(facts, [Chair()])


def test_names_with_markup_and_turning_signs_are_plain_text_everywhere(site: Site) -> None:
    name = "\u202egpj.<img src=x onerror=alert(1)>\u2066"
    table, owner = site.make("pig", ["me", "anybody"])
    with site.at(table, owner) as anna, site.at(table) as boris:
        anna.ask(kind="name", name=name)
        boris.ask(kind="sit", seat=1, name="</script><script>alert(1)</script>")
        anna.until(lambda seen: not seen["seats"][1]["open"])
        names = [seat["name"] for seat in anna.seen["seats"]]
        assert not any("\u202e" in one or "\u2066" in one or len(one) > 24 for one in names)
        assert "<script>" not in site.ask(f"/t/{table}")[2].replace('<script type="module"', "").replace(
            '<script src="/static', ""
        ).replace('<script type="application/json"', "")
        for text in (*anna.texts, *boris.texts):
            for step in json.loads(text).get("steps", []):
                assert "<img" not in step.get("picture", "") and "<script" not in step.get("picture", "")
