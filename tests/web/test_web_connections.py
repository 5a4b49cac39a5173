"""Connection limits: half-open connections, floods, aborted requests, bad frames, full logs."""

from __future__ import annotations

import logging
import os
import socket
import struct
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from web_server import LONGEST, Site, running, until
from websockets.exceptions import ConnectionClosed

from playmill import Game
from playmill.cli import main
from playmill.texts import PlaymillError
from playmill.web.access import connections
from playmill.web.access.connections import Connections, LogLimit
from playmill.web.access.owner import OWNER_COOKIE
from playmill.web.live import registry
from playmill.web.live.registry import store_path
from playmill.web.live.setup import TableSetup
from playmill.web.table.store import TableStore

HALF = b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: "
#: As small a server as one of a system that lets a process have few files.
FEW = 90


@pytest.fixture
def small(games: dict[str, Game], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Site]:
    """A server that takes few connections."""
    monkeypatch.setattr(connections, "_most", lambda: FEW)
    with running(tmp_path / "t.sqlite3", {"pig": games["pig"]}, owner="o" * 24) as site:
        yield site


def half_open(site: Site, number: int, sent: bytes = HALF) -> list[socket.socket]:
    lines = []
    for _ in range(number):
        line = socket.create_connection(("127.0.0.1", site.port), timeout=LONGEST)
        line.sendall(sent)
        lines.append(line)
    return lines


def is_closed(line: socket.socket) -> bool:
    try:
        return line.recv(1) == b""
    except ConnectionError:
        return True


def test_half_sent_requests_silence_nobody(small: Site) -> None:
    """Five times as many as the server takes, beside somebody who plays, somebody who comes, and the owner."""
    table, owner = small.make("pig", ["me", "random"])
    with small.at(table, owner) as anna:
        lines = half_open(small, 5 * FEW)
        for _ in range(5):
            anna.until(lambda seen: seen["yours"])
            version = anna.seen["version"]
            assert anna.move()["kind"] == "done"
            anna.until(lambda seen, version=version: seen["version"] > version)
        assert small.ask("/")[0] == 200
        assert small.ask("/lab", Cookie=f"{OWNER_COOKIE}={'o' * 24}")[0] == 200
        with small.at(table) as eve:
            assert eve.seen["you"] is None
        let_go = sum(is_closed(line) for line in lines[: 4 * FEW])
        assert let_go == 4 * FEW, "the oldest that waited made room"
        for line in lines:
            line.close()


def test_heads_and_bodies_have_a_deadline(small: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "HEAD_SECONDS", 0.2)
    monkeypatch.setattr(connections, "BODY_SECONDS", 0.2)
    body = b"POST /tables HTTP/1.1\r\nHost: 127.0.0.1\r\nSec-Fetch-Site: same-origin\r\nContent-Length: 50\r\n\r\ngame="
    for sent in (HALF, b"", body):
        for line in half_open(small, 3, sent):
            assert is_closed(line)
            line.close()
    # Whoever says something now and then, a byte at a time, is late all the same.
    (line,) = half_open(small, 1)
    line.settimeout(0.05)
    end = time.monotonic() + LONGEST
    while True:
        assert time.monotonic() < end
        try:
            line.sendall(b"x")
            if not line.recv(1):
                break
        except TimeoutError:
            continue
        except ConnectionError:
            break
    line.close()


class Fake:
    """A connection from some address."""

    has_head = False

    def __init__(self, address: str) -> None:
        self.client = (address, 1)
        self.transport = self
        self.aborted = False

    def abort(self) -> None:
        self.aborted = True


def test_one_address_takes_no_more_than_its_share() -> None:
    import asyncio

    async def crowd() -> tuple[list[Fake], list[Fake], list[Fake]]:
        known = Connections(most=4000)
        honest = [Fake(f"10.0.1.{number}") for number in range(100)]
        for one in honest:
            known.opened(one)
        flood = [Fake("10.0.0.1") for _ in range(3000)]
        for one in flood:
            known.opened(one)
            if one.aborted:
                known.closed(one)
        near = [Fake("127.0.0.1") for _ in range(connections.MOST_OF_ONE + 10)]
        for one in near:
            known.opened(one)
            known.stop_waiting(one)
        assert known._timer is not None
        known._timer.cancel()
        return honest, flood, near

    honest, flood, near = asyncio.run(crowd())
    assert not any(one.aborted for one in honest)
    assert sum(not one.aborted for one in flood) <= connections.WAITING_OF_ONE
    assert not any(one.aborted for one in near), "a server in front of this one brings everybody from one address"


def test_a_part_is_kept_for_the_owner(small: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    table, _ = small.make("pig", ["anybody", "random"])
    monkeypatch.setattr(Connections, "crowded", property(lambda known: True))
    assert small.ask("/")[0] == 503
    assert small.ask("/", Cookie=f"{OWNER_COOKIE}={'o' * 24}")[0] == 200
    with pytest.raises(Exception, match=r"403|503"), small.at(table):
        pass


def frame(first: int, data: bytes, *, masked: bool = True, length: int | None = None) -> bytes:
    size = len(data) if length is None else length
    head = bytes([first, (0x80 if masked else 0) | (size if size < 126 else 127)])
    long = b"" if size < 126 else struct.pack("!Q", size)
    return head + long + (b"\0\0\0\0" if masked else b"") + data


BAD_FRAMES = (
    frame(0x81, b"\xff\xfe"),  # no UTF-8
    frame(0xF1, b"{}"),  # reserved bits
    frame(0x83, b"{}"),  # a kind that is none
    frame(0x81, b"{}", masked=False),
    frame(0x81, b"", length=1 << 40),
    frame(0x09, b"x" * 10),  # a ping in pieces
    frame(0x80, b"x"),  # a piece of nothing
    frame(0x88, b"\x00"),  # an end of one byte
    frame(0x88, struct.pack("!H", 5)),  # an end for a reason that is none
    b"\x81",  # cut off
    b"\x81\xfe",
    b"GET / HTTP/1.1\r\n\r\n",
)


def test_bad_frames_and_aborted_requests_leave_no_traceback(
    small: Site, caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]
) -> None:
    table, _ = small.make("pig", ["anybody", "random"])
    path, port = f"/t/{table}/socket", small.port
    upgrade = (
        f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nOrigin: http://127.0.0.1:{port}\r\nUpgrade: websocket\r\n"
        "Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n"
    ).encode()
    post = f"POST /tables HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nOrigin: http://127.0.0.1:{port}\r\n".encode()
    cut = (
        b"\x16\x03\x01\x02\x00\x01\x00",  # somebody takes it for HTTPS
        b"GET / HTTP/9.9\r\n\r\n",
        b"GET \xff HTTP/1.1\r\n\r\n",
        post + b"Content-Length: 99\r\n\r\ngame=",
        post + b"Content-Length: -1\r\n\r\n",
        post + b"Transfer-Encoding: chunked\r\n\r\nzz\r\n",
        upgrade[:60],
        upgrade,
    )
    tried = 0
    for linger in (False, True):
        for sent in (*cut, *(upgrade + bad for bad in BAD_FRAMES)):
            (line,) = half_open(small, 1, sent)
            if linger:  # reset in place of an orderly end
                line.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            else:
                line.settimeout(0.05)
                with pytest.raises((TimeoutError, ConnectionError)):
                    while line.recv(4096):
                        pass
                    raise ConnectionError
            line.close()
            tried += 1
    assert tried == 2 * (len(cut) + len(BAD_FRAMES))
    assert small.ask("/")[0] == 200
    until(lambda: not small.tables.open_actors[table].browsers if table in small.tables.open_actors else True)
    assert not [record for record in caplog.records if record.exc_info]
    assert "Traceback" not in caplog.text + "".join(capfd.readouterr())


def test_a_log_cannot_be_filled() -> None:
    now = [0.0]
    brief = LogLimit(clock=lambda: now[0])

    def lines() -> int:
        record = logging.LogRecord("uvicorn.error", logging.WARNING, "", 0, "Invalid HTTP request received.", (), None)
        return sum(brief.filter(logging.makeLogRecord(vars(record))) for _ in range(100_000))

    assert lines() == connections._MOST_LINES
    assert lines() == 0
    now[0] = 61.0
    assert lines() == connections._MOST_LINES


def test_somebodys_sit_sent_again_does_not_tell_her_token(small: Site) -> None:
    table, _ = small.make("pig", ["anybody", "anybody"])
    with small.at(table) as anna, small.at(table) as eve:
        mine = anna.ask(kind="sit", id="annas-wish", seat=0)
        assert anna.ask(kind="sit", id="annas-wish", seat=0)["token"] == mine["token"], "her own line is answered again"
        for wish in ({}, {"token": "x" * 24}, {"seat": 1}):
            again = eve.ask(**{"kind": "sit", "id": "annas-wish", "seat": 0, **wish})
            assert again["kind"] == "refused" and "token" not in again
        assert mine["token"] not in "".join(eve.texts)
        assert eve.seen["you"] is None


def test_whoever_chose_her_token_can_ask_again_over_another_line(small: Site) -> None:
    table, _ = small.make("pig", ["anybody", "random"])
    wish: dict[str, Any] = {"kind": "sit", "id": "annas-wish", "seat": 0, "token": "t" * 24}
    with small.at(table) as anna:
        assert anna.ask(**wish)["token"] == "t" * 24
    with small.at(table) as anna:
        assert anna.ask(**wish)["token"] == "t" * 24
        anna.until(lambda seen: seen["you"] == 0)
    with small.at(table) as eve, pytest.raises(ConnectionClosed):
        eve.ask(**{**wish, "token": "too short"})


def test_a_guest_makes_so_many_tables_and_the_owner_more(small: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "MOST_OF_ONE", 3)
    form = {"game": "pig", "players": "2", "seat": ["me", "random"]}
    assert [small.ask("/tables", form)[0] for _ in range(3)] == [303] * 3
    status, _, text = small.ask("/tables", form)
    assert status == 400 and "3 tables were made within an hour" in text
    assert small.ask("/tables", form, Cookie=f"{OWNER_COOKIE}={'o' * 24}")[0] == 303
    assert small.tables.make(TableSetup("pig"), "10.0.0.9"), "another guest may"


def test_empty_tables_expire_and_no_others(small: Site) -> None:
    empty, _ = small.make("pig", ["anybody", "random"])
    played, owner = small.make("pig", ["me", "random"])
    new, _ = small.make("pig", ["anybody", "random"])
    with small.at(played, owner) as anna:
        anna.until(lambda seen: seen["yours"])
        anna.move()
    old = time.time() - registry.EXPIRY - 1
    for table in (empty, played):
        small.tables.store._do(("UPDATE tables SET made = ? WHERE id = ?", (old, table)))
    small.tables.expire()
    assert {one.id for one in small.tables.store.listed()} == {played, new}


def test_the_owner_lists_and_removes_tables(small: Site) -> None:
    cookie = f"{OWNER_COOKIE}={'o' * 24}"
    table, owner = small.make("pig", ["me", "random"], name="<b>Anna</b>")
    assert small.ask("/tables/all")[0] == 403
    assert small.ask("/tables/all", {"table": table})[0] == 403
    small.make("pig", ["me", "random"])
    for lang, told, game in (("en", "All tables", "Pig"), ("ru", "Все столы", "Свинья")):
        status, _, text = small.ask("/tables/all", Cookie=f"{cookie}; playmill_lang={lang}")
        assert status == 200 and told in text and f"/t/{table}" in text and "<b>Anna" not in text
        assert f">{game}</a>" in text and "<td>–, random</td>" in text
    with small.at(table, owner) as anna:
        assert small.ask("/tables/all", {"table": table}, Cookie=cookie)[0] == 303
        with pytest.raises(ConnectionClosed):
            while True:
                anna.hear()
    assert small.ask(f"/t/{table}")[0] == 404


def test_tables_on_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str], games: dict[str, Game]) -> None:
    words = ["tables", "--home", str(tmp_path)]
    assert main(words) == 0 and "no tables are kept" in capsys.readouterr().out
    made = registry.TableRegistry(TableStore(store_path(tmp_path)), {"pig": games["pig"]}, compiles=False)
    first, second = (made.make(TableSetup("pig"))[0] for _ in range(2))
    made.close()
    assert main(words) == 0 and first[:10] in capsys.readouterr().out
    assert main([*words, "--remove", "xyz"]) == 2 and "0 tables begin with 'xyz'" in capsys.readouterr().err
    assert main([*words, "--remove", first[:10]]) == 0
    assert main([*words, "--json"]) == 0
    told = capsys.readouterr().out
    assert second in told and first not in told


def test_no_message_has_a_path_of_the_server() -> None:
    error = PlaymillError(
        "the tables in /home/her/my.data/tables.sqlite3 cannot be kept: full", "C:\\Users\\her\\x: нет"
    )
    assert error.public.en == "the tables in tables.sqlite3 cannot be kept: full"
    assert error.public.ru == "x: нет"
    assert (
        PlaymillError("1/2 of it, and/or http://127.0.0.1/t/x", "").public.en
        == "1/2 of it, and/or http://127.0.0.1/t/x"
    )


@pytest.mark.skipif(not hasattr(os, "geteuid"), reason="needs limits of a process")
def test_a_disk_that_fails_is_told_without_its_path(small: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    table, owner = small.make("pig", ["me", "random"])
    with small.at(table, owner) as anna:
        anna.until(lambda seen: seen["yours"])
        small.tables.store._do(("DROP TABLE entries", ()))
        refused = anna.move()
        assert refused["kind"] == "refused" and "cannot be kept" in refused["why"]
        assert "/" not in refused["why"]
