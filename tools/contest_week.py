"""A contest's week in fast motion: entrants hand in by HTTP, the server is killed again and again, nothing is lost.

    python tools/contest_week.py [--entrants N] [--submissions N] [--kills N] [--deals N] [--opponents N] [--keep DIR]

A third of the entrants are hostile or broken: archives that unpack to gigabytes, paths that leave the folder, links,
bots that crash, loop, flood, fork, take all memory, read whatever there is. The server is killed by SIGKILL while they
hand in and while their bots play, half of the times its player with it. Whatever was acknowledged has to be there in
the end; then the same is handed in to a server that nobody kills, and both ladders have to be equal, bit for bit.
"""

from __future__ import annotations

import argparse
import http.client
import io
import json
import os
import random
import shlex
import signal
import socket
import stat
import subprocess
import sys
import tempfile
import threading
import time
import zipfile
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from urllib.parse import urlencode

import misbehaving
from hostile_class import HOG, READER

RULES = """
opponents = {opponents}
versions = 40
replays = 1

[server]
per_hour = 10000
waiting = 1000
megabytes = 1

[forfeits]
check = 1
"""
#: What cannot even be unpacked, by how an entrant packs it.
BAD_ARCHIVES = ("bomb", "path", "link", "damaged", "crowd", "no-kind")
#: What a bot of an entrant does that is hostile or broken.
BAD_BOTS: Mapping[str, str] = {
    **misbehaving.BAD,
    "hog": HOG,
    "reader": "",
    "no-bot": "",
    "wrong": misbehaving.ALWAYS.format("answer(m, 99)"),
}
_MORE_BOTS = [*BAD_BOTS][len(BAD_ARCHIVES) :]
#: Seconds after which something is taken for never.
LONGEST = 3600.0


def zipped(files: Mapping[str, bytes], *, links: Sequence[str] = ()) -> bytes:
    """Returns an archive of files; those named as links are marked so."""
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            entry = zipfile.ZipInfo(name)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = (stat.S_IFLNK | 0o777 if name in links else stat.S_IFREG | 0o644) << 16
            archive.writestr(entry, content)
    return made.getvalue()


def bot(text: str) -> bytes:
    """Returns the archive of a bot in Python."""
    run = f"run = '{shlex.quote(sys.executable)} -I -S bot.py'\n"
    return zipped({"bot.py": (misbehaving.HEAD + text).encode(), "bot.toml": run.encode()})


def archive_of(kind: str, number: int) -> tuple[str, bytes]:
    """Returns the name and the bytes of what an entrant hands in; no two numbers give the same."""
    mark = f"# {number}\n".encode()
    if kind == "good":
        return "bot.zip", bot(f"{misbehaving.GOOD.format(3 + number % 23)}\n# {number}\n")
    if kind == "bomb":
        return "bomb.zip", zipped({"bot.py": bytes(40 << 20), "mark": mark})
    if kind == "path":
        return "path.zip", zipped({"../../../contest.toml": mark})
    if kind == "link":
        return "link.zip", zipped({"bot.py": b"../../registry.sqlite3", "mark": mark}, links=["bot.py"])
    if kind == "damaged":
        return "damaged.zip", bot(misbehaving.GOOD.format(7))[:-30] + mark
    if kind == "crowd":
        return "crowd.zip", zipped({f"{name}.txt": mark for name in range(1000)})
    if kind == "no-kind":
        return "bot.exe", b"MZ" + mark
    if kind == "reader":
        targets = {"home": str(Path.home()), "other": "/etc/passwd"}
        run = f"run = '{shlex.quote(sys.executable)} -I -S bot.py'\n"
        files = {"bot.py": READER.read_bytes(), "targets.json": json.dumps(targets).encode(), "bot.toml": run.encode()}
        return "reader.zip", zipped({**files, "mark": mark})
    if kind == "no-bot":
        return "none.zip", zipped({"readme.txt": mark})
    return "bad.zip", bot(f"{BAD_BOTS[kind]}\n# {number}\n")


@dataclass
class Plan:
    """Who hands in what, in which order."""

    entrants: int
    submissions: int
    #: Archives and bots in turn, so that few submissions have some of both.
    bad: list[str] = field(default_factory=lambda: [*chain(*zip(BAD_BOTS, BAD_ARCHIVES, strict=False)), *_MORE_BOTS])

    def all(self) -> list[tuple[str, str, bytes]]:
        """Returns the entrant, the file's name and the bytes of every submission."""
        found = []
        for number in range(self.submissions):
            who = number % self.entrants
            hostile = who % 3 == 2
            kind = self.bad[(number // 3) % len(self.bad)] if hostile else "good"
            found.append((f"{'rogue' if hostile else 'bot'}-{who:02d}", *archive_of(kind, number)))
        return found


class ContestServer:
    """A server in a process of its own, which can be killed and started again."""

    def __init__(self, folder: Path, on: str | None = None) -> None:
        self.folder, self._on = folder, on
        with socket.create_server(("127.0.0.1", 0)) as free:
            self.port = free.getsockname()[1]
        self.kills = 0
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Starts it."""
        words = [sys.executable, "-m", "playmill", "contest", str(self.folder), "--serve", "--no-open"]
        words += ["--on", self._on] if self._on is not None else []
        with (self.folder / "server.log").open("ab") as log:
            self._process = subprocess.Popen(
                [*words, "--port", str(self.port)],
                stdout=log,
                stderr=log,
                env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
            )

    def kill(self, *, player: bool = False) -> None:
        """Kills it by SIGKILL, its player first if that is asked for."""
        assert self._process is not None
        if player:
            for number in self._children():
                os.kill(number, signal.SIGKILL)
        self._process.send_signal(signal.SIGKILL)
        self._process.wait()
        self.kills += 1

    def _children(self) -> list[int]:
        """Returns the player of this contest, by its command line."""
        found = []
        for place in Path("/proc").glob("[0-9]*"):
            try:
                words = (place / "cmdline").read_bytes()
            except OSError:
                continue
            if b"hosted.player" in words and str(self.folder).encode() in words:
                found.append(int(place.name))
        return found

    def stop(self) -> None:
        """Ends it as Ctrl-C does."""
        assert self._process is not None
        self._process.send_signal(signal.SIGINT)
        self._process.wait(60)

    def ask(
        self, path: str, body: bytes | None = None, *, form: Mapping[str, str] | None = None, **headers: str
    ) -> tuple[int, Any]:
        """A request, sent again until somebody answers it."""
        until = time.monotonic() + LONGEST
        sent = {"Origin": f"http://127.0.0.1:{self.port}", "Accept": "application/json", **headers}
        if form is not None:
            body, sent["Content-Type"] = urlencode(form).encode(), "application/x-www-form-urlencoded"
        while True:
            try:
                line = http.client.HTTPConnection("127.0.0.1", self.port, timeout=120)
                line.request("GET" if body is None else "POST", path, body, sent)
                answer = line.getresponse()
                text = answer.read()
                line.close()
                is_json = "json" in (answer.getheader("content-type") or "")
                return answer.status, json.loads(text) if is_json else text.decode(errors="replace")
            except (OSError, http.client.HTTPException):
                assert time.monotonic() < until, "nobody answers"
                assert self._process is None or self._process.poll() in (None, -signal.SIGKILL), (
                    f"it has ended by itself: {(self.folder / 'server.log').read_text(errors='replace')[-2000:]}"
                )
                time.sleep(0.2)

    def register(self, name: str) -> str:
        """Registers an entrant; where the answer was lost with the server, the organiser gives a new token."""
        status, found = self.ask("/register", form={"name": name})
        if status == 200:
            return str(found["token"])
        key = (self.folder / "state" / "owner.key").read_text(encoding="ascii").strip()
        status, page = self.ask(
            "/organiser/token", form={"name": name}, Cookie=f"playmill_owner={key}", Accept="text/html"
        )
        assert status == 200, page
        return str(page).partition('<code class="token">')[2].partition("<")[0]

    def states(self) -> dict[tuple[str, int], dict[str, Any]]:
        """Returns what became of everything, as the organiser takes it away."""
        key = (self.folder / "state" / "owner.key").read_text(encoding="ascii").strip()
        status, found = self.ask("/organiser/contest.json", Cookie=f"playmill_owner={key}")
        assert status == 200, found
        return {(one["name"], one["version"]): one for one in found["versions"]}

    def wait(self) -> None:
        """Waits until everything is played and written."""
        until = time.monotonic() + LONGEST
        while True:
            states = self.states()
            written = (self.folder / "state" / "progress.json").exists() and not _doing(self.folder)
            if written and all(one["state"] in ("done", "refused") for one in states.values()):
                return
            assert time.monotonic() < until, "it does not end"
            time.sleep(0.5)


def _doing(folder: Path) -> bool:
    try:
        return json.loads((folder / "state" / "progress.json").read_text())["doing"] is not None
    except (OSError, ValueError):
        return True


@dataclass
class Week:
    """What came of a week: acknowledged uploads, refusals at the door, seconds."""

    acknowledged: dict[tuple[str, int], int] = field(default_factory=dict)
    tokens: dict[str, str] = field(default_factory=dict)
    refused: Counter[str] = field(default_factory=Counter)
    seconds: float = 0.0
    handed_in: int = 0


def hand_in(server: ContestServer, plan: Plan, week: Week) -> None:
    """Registers everybody and hands in everything, in its order."""
    for name, file, data in plan.all():
        if name not in week.tokens:
            week.tokens[name] = server.register(name)
        bearer = f"Bearer {week.tokens[name]}"
        status, found = server.ask(f"/submit?name={file}", data, Authorization=bearer)
        if status == 200:
            week.acknowledged[name, found["version"]] = found["upload"]
        else:
            week.refused[f"{status} {found['error']}"] += 1
        week.handed_in += 1


def run_week(
    folder: Path, plan: Plan, kills: int, say: Callable[[str], None] = print, *, on: str | None = None
) -> tuple[ContestServer, Week]:
    """Has a week go by, with the server killed so often; returns the server, which still runs, and what came of it."""
    server, week = ContestServer(folder, on), Week()
    begun = time.monotonic()
    server.start()
    sender = threading.Thread(target=hand_in, args=(server, plan, week), daemon=True)
    sender.start()
    luck = random.Random(1)
    for number in range(kills):
        # The first half while they hand in, the others while what they handed in is played.
        share = 2 * (number + 0.5) / kills
        while share < 1 and week.handed_in < share * plan.submissions:
            time.sleep(0.02)
        if share >= 1:
            sender.join()
            while _through(folder) < (share - 1) * len(week.acknowledged):
                time.sleep(0.05)
        time.sleep(luck.random() * 1.5)
        server.kill(player=number % 2 == 1)
        say(f"  killed after {time.monotonic() - begun:.0f} s: {week.handed_in} handed in, {_through(folder)} through")
        server.start()
    sender.join()
    server.wait()
    week.seconds = time.monotonic() - begun
    return server, week


def _through(folder: Path) -> int:
    """Returns how many submissions are through, by the contest's journal."""
    try:
        lines = (folder / "state" / "submissions.jsonl").read_bytes().splitlines()
    except OSError:
        return 0
    return sum(b'"done"' in line or b'"refused"' in line for line in lines)


def outcome(folder: Path, server: ContestServer) -> dict[str, Any]:
    """Returns what has to be equal: the ladder with all its tables, and what became of every version."""
    states = {
        f"{name}-{version}": (one["state"], one["why"] and one["why"]["en"], one["sha256"])
        for (name, version), one in server.states().items()
    }
    return {"ladder": misbehaving.results(folder), "versions": states}


def build(folder: Path, *, deals: int, opponents: int) -> None:
    """Writes the contest's rules."""
    misbehaving.build(folder, (), (), deals=deals, target=20, move=1.0)
    with (folder / "contest.toml").open("r+", encoding="utf-8") as rules:
        text = rules.read()
        head, _, limits = text.partition("[limits]")
        tables = RULES.format(opponents=opponents).partition("[server]")
        rules.seek(0)
        rules.write(f'{head}house = ["random", "threshold"]\n{tables[0]}[limits]{limits}\n[server]{tables[2]}')


def main(words: Sequence[str] | None = None) -> SimpleNamespace:
    """Has both weeks go by and compares them."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--entrants", type=int, default=60)
    parser.add_argument("--submissions", type=int, default=300)
    parser.add_argument("--kills", type=int, default=10)
    parser.add_argument("--deals", type=int, default=2)
    parser.add_argument("--opponents", type=int, default=8)
    parser.add_argument("--keep", type=Path)
    options = parser.parse_args(words)
    plan = Plan(options.entrants, options.submissions)
    with tempfile.TemporaryDirectory() as made:
        place = options.keep or Path(made)
        killed, calm = place / "killed", place / "calm"
        found = {}
        for folder, kills in ((killed, options.kills), (calm, 0)):
            build(folder, deals=options.deals, opponents=options.opponents)
            print(f"{folder.name}: {options.entrants} entrants, {options.submissions} submissions", flush=True)
            server, week = run_week(folder, plan, kills)
            states = server.states()
            found[folder] = outcome(folder, server)
            lost = [one for one in week.acknowledged if one not in states]
            strangers = [name for name, token in week.tokens.items() if not _knows(server, token)]
            counted = Counter(one["state"] for one in states.values())
            games = sum(one["games"] for one in found[folder]["ladder"]["pairings"])
            print(
                f"  {week.seconds:.0f} s, killed {server.kills} times: {len(week.acknowledged)} acknowledged, "
                f"{sum(week.refused.values())} refused at the door; {counted['done']} done, "
                f"{counted['refused']} refused; {len(found[folder]['ladder']['ladder'])} on the ladder, "
                f"{games} games count; lost: {lost or 'nothing'}; tokens lost: {strangers or 'none'}",
                flush=True,
            )
            server.stop()
            time.sleep(1)
            left = misbehaving.left_running(folder)
            print(f"  still running: {left or 'nothing'}", flush=True)
            found[folder] |= {"lost": lost, "strangers": strangers, "left": left, "kills": server.kills, "week": week}
        same = all(found[killed][key] == found[calm][key] for key in ("ladder", "versions"))
        print("both ladders are equal, bit for bit" if same else "THE LADDERS DIFFER", flush=True)
        return SimpleNamespace(
            same=same, lost=found[killed]["lost"], strangers=found[killed]["strangers"], kills=found[killed]["kills"],
            left=[*found[killed]["left"], *found[calm]["left"]], week=found[killed]["week"], found=found,
        )  # fmt: skip


def _knows(server: ContestServer, token: str) -> bool:
    return server.ask("/me.json", Authorization=f"Bearer {token}")[0] == 200


if __name__ == "__main__":
    week = main()
    sys.exit(0 if week.same and not week.lost and not week.strangers and not week.left else 1)
