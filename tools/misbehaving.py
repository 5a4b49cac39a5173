"""A contest of twelve, half of whom misbehave: it ends, nothing is left running, and the others stand as without them.

    python tools/misbehaving.py [--deals N] [--keep FOLDER]

Plays Pig with six decent bots and six that crash at the start, crash in the middle, loop for ever, flood, answer
nonsense, and start processes without end, three of them only now and then, so that they meet others before they are
refused; kills the contest by SIGKILL on the way, and goes on. Then the six decent ones play alone. Their ladder, who
met whom, and every table must be the same to the last bit.
"""

from __future__ import annotations

import argparse
import json
import os
import shlex
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
HEAD = """\
import json, os, sys, time
def say(**message):
    print(json.dumps(message), flush=True)
def asked():
    for line in sys.stdin:
        m = json.loads(line)
        if m["type"] == "hello":
            say(type="ready")
        elif m["type"] == "act":
            yield m
        elif m["type"] == "quit":
            break
def answer(m, index):
    say(type="answer", number=m["number"], index=index)
"""
#: What comes behind that.
GOOD = "for m in asked():\n    answer(m, int(m['seen']['pot'] >= {0}))\n"
#: Goes wrong in every third game or so, by the chance that Playmill hands out.
NOW_AND_THEN = """\
for m in asked():
    if m["number"] == 2 and m["random"] % 3 == 0:
        {0}
    answer(m, int(m["seen"]["pot"] >= 20))
"""
ALWAYS = "for m in asked():\n    {0}\n"
BAD: Mapping[str, str] = {
    "crash-at-start": "raise SystemExit('no licence found')\n",
    "crash-in-the-middle": NOW_AND_THEN.format("os.abort()"),
    "endless-loop": NOW_AND_THEN.format("while True: pass"),
    "flood": ALWAYS.format("while True: sys.stdout.write('x' * 65536)"),
    "nonsense": NOW_AND_THEN.format("m['number'] = 77"),
    "fork-bomb": ALWAYS.format("while True: os.fork()"),
}
RULES = """\
game = {game}
deals = {deals}
seed = 2026
set = ["target={target}"]

[limits]
start = 60
move = {move}
game = 300
memory = 128
output = 256
"""


def build(
    folder: Path,
    good: Sequence[int],
    bad: Sequence[str],
    *,
    deals: int,
    target: int = 50,
    move: float = 1.0,
    house: str = "",
) -> None:
    """Writes a contest: bots that hold at so many points, and bad ones by name."""
    rules = RULES.format(
        game=json.dumps(str(ROOT / "examples" / "pig")), deals=deals, target=target, move=move, house=house
    )
    (folder / "contest.toml").parent.mkdir(parents=True, exist_ok=True)
    (folder / "contest.toml").write_text(rules, encoding="utf-8")
    texts = {f"hold-{points}": GOOD.format(points) for points in good} | {name: BAD[name] for name in bad}
    for name, text in texts.items():
        write_bot(folder, name, text)


def write_bot(folder: Path, name: str, text: str) -> None:
    """Writes one bot into its folder."""
    place = folder / "entrants" / name
    place.mkdir(parents=True, exist_ok=True)
    (place / "bot.py").write_text(HEAD + text, encoding="utf-8")
    (place / "bot.toml").write_text(f"run = '{shlex.quote(sys.executable)} -I -S bot.py'\n", encoding="utf-8")


def playing(folder: Path) -> subprocess.Popen[bytes]:
    """The contest, played by a process of its own."""
    words = [sys.executable, "-m", "playmill", "contest", str(folder), "--quiet"]
    return subprocess.Popen(words, env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)})


def left_running(folder: Path) -> list[str]:
    """Command lines of processes that have to do with the folder."""
    found = []
    for place in Path("/proc").glob("[0-9]*"):
        try:
            words = (place / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
        except OSError:
            continue
        if str(folder) in words and int(place.name) != os.getpid():
            found.append(words)
    return found


def results(folder: Path) -> dict[str, Any]:
    """What stands in the ladder of a contest, but for who was refused."""
    found: dict[str, Any] = json.loads((folder / "ladder.json").read_text(encoding="utf-8"))["contest"]["results"]
    found = {key: value for key, value in found.items() if key != "unrated"}
    # The files lie in other folders, and so do the bots.
    for rung in found["ladder"]:
        del rung["agent"]
    for pairing in found["pairings"]:
        del pairing["replays"], pairing["report"]
    return found


def submissions(folder: Path) -> dict[str, dict[str, Any]]:
    """What became of every submission, by name."""
    told = json.loads((folder / "ladder.json").read_text(encoding="utf-8"))["submissions"]
    return {one["name"]: one for one in told}


def main(words: Sequence[str] | None = None) -> SimpleNamespace:
    """Plays both contests and compares them."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--deals", type=int, default=10)
    parser.add_argument("--keep", type=Path)
    options = parser.parse_args(words)
    with tempfile.TemporaryDirectory() as made:
        place = options.keep or Path(made)
        everybody, decent = place / "everybody", place / "decent"
        good = (5, 10, 15, 20, 25, 30)
        build(everybody, good, list(BAD), deals=options.deals)
        build(decent, good, [], deals=options.deals)
        begun = time.monotonic()
        first = playing(everybody)
        pieces = everybody / "state" / "sittings"
        while first.poll() is None and len(list(pieces.glob("*/pieces.jsonl"))) < 12:
            time.sleep(0.2)
        first.send_signal(signal.SIGKILL)
        first.wait()
        time.sleep(2)
        told = left_running(everybody) or "nothing"
        print(f"killed after {time.monotonic() - begun:.0f} s; still running: {told}", flush=True)
        assert playing(everybody).wait() == 0
        told = left_running(everybody) or "nothing"
        print(f"twelve entrants: {time.monotonic() - begun:.0f} s; still running: {told}")
        for one in submissions(everybody).values():
            print(f"  {one['name']:22s} {one['state']:8s} {one.get('why', {}).get('en', '')}")
        begun = time.monotonic()
        assert playing(decent).wait() == 0
        print(f"six entrants: {time.monotonic() - begun:.0f} s", flush=True)
        same = results(everybody) == results(decent)
        print("the six stand as without the others, bit for bit" if same else "THE SIX STAND DIFFERENTLY")
        found = results(everybody)
        for rung in found["ladder"]:
            rating = rung["rating"]
            told = f"{rating['value']:7.1f} [{rating['low']:.1f}, {rating['high']:.1f}]"
            print(f"  {rung['name']:10s} {told}  {rung['games']} games")
        return SimpleNamespace(same=same, left=left_running(everybody) + left_running(decent))


if __name__ == "__main__":
    outcome = main()
    sys.exit(0 if outcome.same and not outcome.left else 1)
