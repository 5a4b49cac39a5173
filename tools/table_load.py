"""What the table in the browser stands: many tables with agents, one person who clicks, a crowd that looks on.

python tools/table_load.py                            100 tables, 200 clicks, then 2,000 spectators at one table
python tools/table_load.py --tables 20 --clicks 50 --spectators 200
python tools/table_load.py --tables 0 --spectators 0 --tuning    while the laboratory uses all cores
python tools/table_load.py --spectators 0 --half-open 10000      while as many connections send half a request

The server is a process of its own; so is the crowd, here. Reported: seconds from a click to the picture that follows,
bytes a move before and after compression, memory a table and a spectator, decisions of agents a second, and how long
one move takes to reach the whole crowd.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import multiprocessing
import os
import resource
import secrets
import socket
import statistics
import subprocess
import sys
import tempfile
import time
import zlib
from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from websockets.asyncio.client import ClientConnection, connect

from playmill.engine.contract.game import game_names, load_game
from playmill.lab.jobs import JobState, new_job
from playmill.web.live.registry import TableRegistry, store_path
from playmill.web.live.setup import TableSetup
from playmill.web.table.store import TableStore

#: A person thinks for so many seconds before she clicks.
_THINKS = 0.15
#: A tuning that does not come to an end here.
_TUNING = {
    "free": ["hand_size:2..8", "green_goal:3..9", "yellow_goal:2..8", "blue_goal:20..60"],
    "goal": ["factions"],
    "games": 5_000_000,
    "trials": 2000,
}
#: So many connections are opened at the same time.
_AT_ONCE = 50


class Counting(ClientConnection):
    """A connection that counts the bytes it is sent, as they come over the line."""

    bytes_heard = 0

    def data_received(self, data: bytes) -> None:
        """Counts, then reads."""
        self.bytes_heard += len(data)
        super().data_received(data)


@dataclass
class Guest:
    """Somebody at a table."""

    line: Counting
    seen: dict[str, Any] = field(default_factory=dict)
    plain: int = 0
    moments: int = 0
    #: When it first saw each version.
    at: dict[int, float] = field(default_factory=dict)

    async def say(self, **message: Any) -> None:
        """Sends a message."""
        await self.line.send(json.dumps(message))

    async def hear(self) -> dict[str, Any]:
        """The next message."""
        data = await self.line.recv()
        text = zlib.decompress(data, -zlib.MAX_WBITS).decode() if isinstance(data, bytes) else data
        message: dict[str, Any] = json.loads(text)
        if message["kind"] == "seen":
            self.plain += len(text.encode())
            self.moments += len(message["steps"])
            self.seen = message
            self.at.setdefault(message["version"], time.perf_counter())
        return message

    async def look_on(self) -> None:
        """Hears whatever comes, and says now and then that it is there."""
        with suppress(Exception):
            said = time.monotonic()
            while True:
                with suppress(TimeoutError):
                    await asyncio.wait_for(self.hear(), 20)
                if time.monotonic() - said > 15:
                    said = time.monotonic()
                    await self.say(kind="ping")


async def enter(url: str, table: str, *tokens: str) -> Guest:
    """Comes to a table."""
    address = f"ws{url.removeprefix('http')}/t/{table}/socket"
    line = await connect(address, origin=url, create_connection=Counting, max_size=None, ping_interval=None)  # type: ignore[arg-type]
    assert isinstance(line, Counting)
    guest = Guest(line)
    await guest.say(kind="hello", tokens=list(tokens), packed=True)
    while not guest.seen:
        await guest.hear()
    return guest


def lay(home: Path, tables: int) -> tuple[list[str], dict[str, tuple[str, str]]]:
    """Tables at which agents play, of all games in turn, and one for the person in each game of two."""
    games = {name: load_game(name) for name in game_names()}
    made = TableRegistry(TableStore(store_path(home)), games, compiles=False)
    names = list(games)
    crowd = []
    for number in range(tables):
        game = games[names[number % len(names)]]
        agents = [name for name, agent in game.agents.items() if not agent.knows]
        made._made.clear()
        seats = [agents[(number + seat) % len(agents)] for seat in range(game.players[0])]
        crowd.append(made.make(TableSetup(game.name, game.players[0], seats))[0])
    hers = {}
    for name, game in games.items():
        made._made.clear()
        hers[name] = made.make(TableSetup(name, game.players[0], ["me", *["random"] * (game.players[0] - 1)]))
    made.close()
    return crowd, hers


@contextmanager
def serving(home: Path) -> Iterator[tuple[int, str]]:
    """A server: the number of its process, and its address."""
    command = [sys.executable, "-m", "playmill", "serve", "--no-open", "--port", "0", "--home", str(home)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env={**os.environ, "PLAYMILL_LANG": "en"})
    try:
        assert process.stdout is not None
        yield process.pid, process.stdout.readline().split()[-1].partition("?")[0].rstrip("/")
    finally:
        process.kill()
        process.wait()


def memory_of(pid: int) -> float:
    """Megabytes that a process has in memory."""
    pages = int(Path(f"/proc/{pid}/statm").read_text(encoding="ascii").split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


def processor_of(pid: int) -> float:
    """Seconds of processor time that a process has used."""
    found = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    return (int(found[11]) + int(found[12])) / os.sysconf("SC_CLK_TCK")


async def click(guest: Guest) -> float | None:
    """One decision of the person: seconds until she sees what came of it; None if it is not her turn any more."""
    while not guest.seen["yours"]:
        if guest.seen["over"]:
            return None
        await guest.hear()
    version, options = guest.seen["version"], guest.seen["options"]
    begun = time.perf_counter()
    action = options[secrets.randbelow(len(options))]["action"]
    await guest.say(kind="move", id=secrets.token_urlsafe(9), version=version, action=action)
    while guest.seen["version"] <= version:
        await guest.hear()
    return time.perf_counter() - begun


async def clicks(url: str, hers: dict[str, tuple[str, str]], wanted: int) -> dict[str, list[float]]:
    """So many clicks, spread over the games: the seconds that each took."""
    took: dict[str, list[float]] = {}
    for name, (table, token) in hers.items():
        guest = await enter(url, table, token)
        took[name] = []
        while len(took[name]) < wanted / len(hers):
            seconds = await click(guest)
            if seconds is None:
                break
            took[name].append(seconds)
            await asyncio.sleep(_THINKS)
        size, line = guest.plain / max(guest.moments, 1), guest.line.bytes_heard / max(guest.moments, 1)
        print(
            f"  {name}: {told(took[name])}; a moment {size / 1e3:.1f} kB, {line / 1e3:.2f} kB on the line", flush=True
        )
        await guest.line.close()
    return took


def told(took: Sequence[float]) -> str:
    """Median and 95th percentile in milliseconds."""
    if len(took) < 2:
        return "too few clicks"
    cuts = statistics.quantiles(took, n=20, method="inclusive")
    return f"median {1e3 * statistics.median(took):.0f} ms, 95 % {1e3 * cuts[-1]:.0f} ms of {len(took)} clicks"


async def many(url: str, tables: Sequence[str]) -> list[Guest]:
    """A spectator at each of these tables, or many at one; they have to be listened to soon."""
    guests: list[Guest] = []
    for start in range(0, len(tables), _AT_ONCE):
        guests += await asyncio.gather(*(enter(url, table) for table in tables[start : start + _AT_ONCE]))
    return guests


async def crowd_at(url: str, hers: tuple[str, str], size: int, pid: int) -> None:
    """A crowd at one table: what it weighs, and how long a move takes to reach all of it."""
    before, begun = memory_of(pid), time.perf_counter()
    guests = await many(url, [hers[0]] * size)
    listening = [asyncio.ensure_future(guest.look_on()) for guest in guests]
    print(f"{size} spectators at one table came within {time.perf_counter() - begun:.1f} s", flush=True)
    await asyncio.sleep(3)
    used = processor_of(pid)
    await asyncio.sleep(5)
    idle = (processor_of(pid) - used) / 5
    weight = (memory_of(pid) - before) / size * 1e3
    print(f"  {weight:.0f} kB of memory each; idle they take {idle:.1%} of a core")
    person = await enter(url, *hers)
    while not person.seen["yours"]:
        await person.hear()
    begun = time.perf_counter()
    own = await click(person)
    version = person.seen["version"]
    while any(guest.seen["version"] < version for guest in guests):
        if any(task.done() for task in listening):
            print("  somebody of them was let go")
            break
        await asyncio.sleep(0.02)
    took = sorted(guest.at[version] - begun for guest in guests if version in guest.at)
    print(
        f"  a move: {1e3 * (own or 0):.0f} ms to whoever made it, {took[len(took) // 2]:.2f} s to half of them,", end=""
    )
    print(f" {took[-1]:.2f} s to the last")
    for task in listening:
        task.cancel()
    await asyncio.gather(*(guest.line.close() for guest in guests), return_exceptions=True)


def flood(port: int, wanted: int) -> None:
    """Holds so many connections of this machine that never send more than half a request, until it is ended."""
    resource.setrlimit(resource.RLIMIT_NOFILE, (resource.getrlimit(resource.RLIMIT_NOFILE)[1],) * 2)
    lines: deque[socket.socket] = deque()
    while True:
        if len(lines) >= wanted:
            lines.popleft().close()
        with suppress(OSError):
            line = socket.socket()
            line.settimeout(5)
            line.connect(("127.0.0.1", port))
            line.sendall(b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: ")
            lines.append(line)
        if len(lines) >= wanted:
            time.sleep(0.002)


@contextmanager
def half_open(url: str, wanted: int, pid: int) -> Iterator[None]:
    """Such a flood beside whatever is done meanwhile; ends by telling what the server had open."""
    sender = multiprocessing.Process(target=flood, args=(int(url.rpartition(":")[2]), wanted), daemon=True)
    sender.start()
    try:
        while sum(1 for _ in Path(f"/proc/{sender.pid}/fd").iterdir()) < wanted:
            time.sleep(0.2)
        print(f"with {wanted} connections that have sent half a request:", flush=True)
        yield
        print(f"  the server had {sum(1 for _ in Path(f'/proc/{pid}/fd').iterdir())} files open")
    finally:
        sender.terminate()
        sender.join()


async def run(options: argparse.Namespace) -> None:
    """All of it, one after the other."""
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        crowd, hers = lay(home, options.tables)
        tuning = new_job(home / "jobs", "tune", "dimensions", _TUNING) if options.tuning else None
        with serving(home) as (pid, url):
            print(f"the server begins with {memory_of(pid):.0f} MB; load of the machine {os.getloadavg()[0]:.1f}")
            print("nobody else is there:")
            await clicks(url, hers, options.clicks // 4)
            before = memory_of(pid)
            guests = await many(url, crowd)
            listening = [asyncio.ensure_future(guest.look_on()) for guest in guests]
            await asyncio.sleep(options.seconds / 2)
            seen, used, begun = sum(guest.moments for guest in guests), processor_of(pid), time.perf_counter()
            print(f"with {len(guests)} tables of agents:")
            fresh = dict(zip(hers, (lay_one(home, name) for name in hers), strict=True))
            took = await clicks(url, fresh, options.clicks)
            await asyncio.sleep(max(0, options.seconds / 2 - (time.perf_counter() - begun)))
            seconds = time.perf_counter() - begun
            moments = sum(guest.moments for guest in guests) - seen
            print(f"  all: {told([one for each in took.values() for one in each])}")
            if tuning is not None:
                left = (
                    "went on all the while" if tuning.state is JobState.WAITING else f"was {tuning.state.value} before"
                )
                print(f"  the tuning {left}; load of the machine {os.getloadavg()[0]:.1f}")
            print(f"  agents: {moments / seconds:.0f} moments a second at all tables together")
            print(f"  the server used {(processor_of(pid) - used) / seconds:.0%} of a core")
            print(f"  {(memory_of(pid) - before) / max(len(guests), 1):.2f} MB of memory a table")
            if options.half_open:
                fresh = dict(zip(hers, (lay_one(home, name) for name in hers), strict=True))
                flooding = half_open(url, options.half_open, pid)
                await asyncio.to_thread(flooding.__enter__)
                took = await clicks(url, fresh, options.clicks)
                print(f"  all: {told([one for each in took.values() for one in each])}")
                gone = sum(task.done() for task in listening)
                print(f"  of {len(guests)} who looked on at tables of agents {gone} were let go")
                flooding.__exit__(None, None, None)
            for task in listening:
                task.cancel()
            await asyncio.gather(*(guest.line.close() for guest in guests), return_exceptions=True)
            await asyncio.sleep(1)
            if options.spectators:
                await crowd_at(url, lay_one(home, options.crowd), options.spectators, pid)


def lay_one(home: Path, name: str) -> tuple[str, str]:
    """One more table for the person, while the server runs."""
    game = load_game(name)
    made = TableRegistry(TableStore(store_path(home)), {name: game}, compiles=False)
    found = made.make(TableSetup(name, game.players[0], ["me", *["random"] * (game.players[0] - 1)]))
    made.close()
    return found


def main() -> int:
    """Reads what is wanted and does it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tables", type=int, default=100)
    parser.add_argument("--clicks", type=int, default=200)
    parser.add_argument("--spectators", type=int, default=2000)
    parser.add_argument("--seconds", type=float, default=20, help="how long agents play at least")
    parser.add_argument("--crowd", default="influence", help="the game that the crowd looks at")
    parser.add_argument("--half-open", type=int, default=0, help="connections that send half a request meanwhile")
    parser.add_argument("--tuning", action="store_true", help="the laboratory tunes dimensions all the while")
    options = parser.parse_args()
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    asyncio.run(run(options))
    return 0


if __name__ == "__main__":
    sys.exit(main())
