"""Proves that every command finds the same wherever it is played, and goes on after kill -9 to the same bytes.

python tools/places.py                                 each command on each executor there is here, as a table
python tools/places.py --commands tune 'compare*'      some of them
python tools/places.py --places threads-1 ray          some executors; the first is what the others are held against
python tools/places.py --address 127.0.0.1:6379        on a Ray cluster that is there, not on one begun for it
python tools/places.py --kills 5 --json table.json     each killed so often at random moments, and given again

Commands are real processes. What is compared is what they write with --out, without times and names of machines.
Ray has to be there (pip install 'playmill[ray]') for the column `ray`, and a GPU for the column `cuda`.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from importlib.util import find_spec
from pathlib import Path
from typing import Any

#: What differs from run to run though nothing else does: times, machines, and where it was played.
VOLATILE = {
    "backend",
    "command",
    "created",
    "elapsed_s",
    "games_per_second",
    "host",
    "kept",
    "last",
    "on",
    "prepared_s",
    "seconds",
    "speed",
    "when",
    "workers",
}
_LONGEST = 900.0
_PIG = "examples/pig --seed 5"
_DIMENSIONS = "dimensions --players 3 --seed 5"


@dataclass(frozen=True)
class Case:
    """A command with words that make it take some seconds; `few` is what an interpreter can play, too."""

    name: str
    words: str
    few: str = ""

    def given(self, place: Place, *, few: bool) -> list[str]:
        """Returns the words of the command line."""
        return [*(self.few if few else self.words).split(), *place.words]


@dataclass(frozen=True)
class Place:
    """An executor: the words that choose it, and the environment it needs."""

    name: str
    words: tuple[str, ...]
    env: Mapping[str, str] = field(default_factory=dict)

    @property
    def interprets(self) -> bool:
        """Whether it is slow: few games are played there."""
        return "interpreted" in self.words


@dataclass
class Outcome:
    """What a process wrote, or the sentence with which it refused; and how long it took."""

    data: Any
    sentence: str
    seconds: float


CASES = [
    Case(
        "simulate",
        f"simulate {_DIMENSIONS} --agents dealer random random --rotate --games 2e6 --keep",
        f"simulate {_PIG} --games 400 --keep",
    ),
    Case("simulate --rows", f"simulate {_DIMENSIONS} --agents dealer --games 3e5 --keep --rows"),
    Case(
        "simulate --among",
        f"simulate {_DIMENSIONS} --among dealer random --games 1e6 --keep",
        f"simulate {_PIG} --among threshold random --games 200 --keep",
    ),
    Case(
        "simulate --until-sure",
        f"simulate {_PIG} --until-sure seats.1.win_rate --within 0.0012 --games 4e6 --keep",
    ),
    Case("compare", f"compare {_DIMENSIONS} --b yellow_goal=6 --games 400000 --keep"),
    Case("compare --among", f"compare {_DIMENSIONS} --among dealer random --b yellow_goal=6 --games 150000 --keep"),
    Case("compare --until-sure", f"compare {_PIG} --b target=101 --until-sure turns --games 1e6 --within 0.002 --keep"),
    Case("sweep", f"sweep {_DIMENSIONS} --over yellow_goal=4..7 --show turns --games 120000 --keep"),
    Case(
        "sweep --among",
        f"sweep {_PIG} --among threshold random --over target=60..100/20 --show turns --games 150000 --keep",
    ),
    Case("worth", "worth dice --games 60000 --only coin ladder trinity --seed 5 --keep"),
    Case(
        "tune",
        f"tune {_DIMENSIONS} --free yellow_goal:3..8 --goal equal:factions.*.win_rate --trials 8 --games 30000",
    ),
    Case("audit", f"audit {_PIG} --quick --keep"),
    Case("audit --among", f"audit {_PIG} --quick --among threshold random --keep"),
    Case(
        "tournament",
        "tournament examples/pig --entrants random threshold threshold:n=15 threshold:n=25 --deals 60000 --seed 5",
    ),
    Case("contest", "contest"),
]


def main() -> int:
    """Prints a line for each command and executor; 1 if anything differs."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--commands", nargs="+", metavar="NAME", default=["*"], help="with * for anything")
    parser.add_argument("--places", nargs="+", metavar="NAME")
    parser.add_argument("--address", help="of a Ray cluster that is there")
    parser.add_argument("--kills", type=int, default=3)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    cases = [case for case in CASES if any(fnmatchcase(case.name, name) for name in options.commands)]
    with places(options.places, options.address) as found:
        table = compared(
            cases, found, kills=options.kills, seed=options.seed, tell=lambda line: print(line, flush=True)
        )
    if options.json is not None:
        options.json.write_text(json.dumps(table, indent=2) + "\n", encoding="utf-8")
    return int(any(line["same"] is False or line["killed_same"] is False for line in table))


@contextmanager
def places(wanted: Sequence[str] | None, address: str | None) -> Iterator[list[Place]]:
    """Yields the executors there are here, or those that are wanted; a cluster of two nodes if none is there."""
    every = [
        Place("threads-1", ("--workers", "1")),
        Place("threads-2", ("--workers", "2")),
        Place("interpreted", ("--backend", "interpreted")),
    ]
    if Path("/dev/nvidiactl").exists():
        every.append(Place("cuda", ("--on", "cuda")))
    with_ray = find_spec("ray") is not None and (not wanted or "ray" in wanted)
    every = [place for place in every if not wanted or place.name in wanted]
    if not with_ray:
        yield every
        return
    if address is not None:
        yield [*every, Place("ray", ("--on", address))]
        return
    from nodes import Nodes

    with Nodes(1, 1) as nodes:
        yield [*every, Place("ray", ("--on", nodes.address), nodes.env)]


def compared(
    cases: Sequence[Case], found: Sequence[Place], *, kills: int, seed: int, tell: Any = lambda _line: None
) -> list[dict[str, Any]]:
    """Plays each case on each executor, undisturbed and killed, and returns a row for each pair."""
    tell("| command | on | the same | seconds | killed | the same after it | a kill costs, s |\n" + "|---" * 7 + "|")
    luck = random.Random(seed)
    table = []
    for case in cases:
        first: dict[bool, Any] = {}
        for place in found:
            if place.interprets and not case.few:
                continue
            row = _row(case, place, first, kills, luck)
            table.append(row)
            cells = [case.name, place.name, _word(row["same"], row["sentence"]), f"{row['seconds']:.0f}"]
            cells += [f"{row['kills']} times", _word(row["killed_same"], row["killed_sentence"])]
            tell(f"| {' | '.join([*cells, str(row.get('kill_cost_s', '—'))])} |")
    return table


def _row(case: Case, place: Place, first: dict[bool, Any], kills: int, luck: random.Random) -> dict[str, Any]:
    with tempfile.TemporaryDirectory(prefix="places-") as folder:
        if place.interprets and True not in first:
            plain = Place("threads", ("--workers", "2"))
            first[True] = finish(start(case, plain, Path(folder) / "few", few=True), Path(folder) / "few").data
        whole = finish(start(case, place, Path(folder) / "whole"), Path(folder) / "whole")
        row = {"command": case.name, "place": place.name, "same": None, "sentence": whole.sentence}
        row |= {"kills": 0, "killed_same": None, "killed_sentence": "", "seconds": round(whole.seconds, 1)}
        if whole.data is None:
            return row
        expected = first.setdefault(place.interprets, whole.data)
        row["same"] = whole.data == expected
        begun = time.monotonic()
        done = kill(case, place, Path(folder) / "killed", kills, whole.seconds, luck)
        again = finish(start(case, place, Path(folder) / "killed"), Path(folder) / "killed")
        # Beside what was played and lost, the start of each process.
        cost = (time.monotonic() - begun - whole.seconds) / done if done else 0.0
        left = _left_running(Path(folder))
        row |= {
            "kills": done,
            "kill_cost_s": round(cost, 1),
            "killed_same": again.data == expected,
            "killed_sentence": again.sentence,
        }
        if left:
            row |= {"killed_same": False, "killed_sentence": f"still running: {', '.join(left)}"}
        if not row["same"] or not row["killed_same"]:
            row["difference"] = differing(expected, again.data if row["same"] else whole.data)
        return row


def _word(same: bool | None, sentence: str) -> str:
    return sentence or "—" if same is None else "equal" if same else f"DIFFERS {sentence}".strip()


def start(case: Case, place: Place, folder: Path, *, few: bool = False) -> subprocess.Popen[str]:
    """Starts the command in a folder of its own, or goes on with what is there."""
    folder.mkdir(parents=True, exist_ok=True)
    words = case.given(place, few=few or place.interprets)
    env = {**os.environ, **place.env, "PLAYMILL_HOME": str(folder / "home"), "PLAYMILL_ON": ""}
    env["PLAYMILL_PLACES"] = str(folder.parent)
    command = [sys.executable, "-m", "playmill"]
    if case.name == "contest":
        _contest(folder / "contest", command, env)
        words = ["contest", str(folder / "contest"), "--quiet", *place.words]
    else:
        words += ["--quiet"] if case.name.split()[0] != "worth" else []
        words += ["--out", str(folder / "out.json")]
    return subprocess.Popen([*command, *words], env=env, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)


def _contest(folder: Path, command: Sequence[str], env: Mapping[str, str]) -> None:
    """Makes a contest of three programs, once."""
    if (folder / "entrants" / "last").exists():
        return
    shutil.rmtree(folder, ignore_errors=True)
    subprocess.run(
        [*command, "contest", str(folder), "--new", "examples/pig"], env=env, check=True, capture_output=True
    )
    rules = folder / "contest.toml"
    rules.write_text(f"seed = 5\n{rules.read_text(encoding='utf-8')}", encoding="utf-8")
    bot = (folder / "entrants" / "first" / "bot.py").read_text(encoding="utf-8")
    for name, index in (("second", "0"), ("last", 'len(message["options"]) - 1')):
        (folder / "entrants" / name).mkdir()
        text = bot.replace('message["random"] % len(message["options"])', index)
        (folder / "entrants" / name / "bot.py").write_text(text, encoding="utf-8")


def finish(process: subprocess.Popen[str], folder: Path) -> Outcome:
    """Waits for a command, and returns what it wrote."""
    begun = time.monotonic()
    try:
        _, errors = process.communicate(timeout=_LONGEST)
    finally:
        process.kill()
    seconds = time.monotonic() - begun
    if process.returncode not in (0, 1) or "Traceback" in errors:
        lines = [line for line in errors.strip().splitlines() if not line.startswith("usage:")]
        return Outcome(None, (lines or ["?"])[-1].removeprefix("playmill: "), seconds)
    return Outcome(_written(folder), errors.strip(), seconds)


def _written(folder: Path) -> Any:
    """Returns what a command wrote and kept, the name of its folder left out."""
    if (folder / "contest").is_dir():
        status = [sys.executable, "-m", "playmill", "contest", str(folder / "contest"), "--status", "--json"]
        text = subprocess.run(status, check=True, capture_output=True, text=True).stdout
    else:
        text = (folder / "out.json").read_text(encoding="utf-8")
    data = json.loads(text.replace(str(folder), ""))
    kept = {path.relative_to(folder).as_posix(): _hash(path) for path in sorted(folder.glob("home/runs/*/counts/*"))}
    kept |= {path.relative_to(folder).as_posix(): _hash(path) for path in sorted(folder.glob("home/runs/*/rows/*"))}
    return [_steady(data), kept]


def _hash(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def _steady(data: Any) -> Any:
    """Returns results without what differs from run to run."""
    if isinstance(data, dict):
        return {key: _steady(value) for key, value in data.items() if key not in VOLATILE}
    return [_steady(value) for value in data] if isinstance(data, list) else data


def differing(one: Any, other: Any, path: str = "") -> list[str]:
    """Returns the first places at which two results differ."""
    if isinstance(one, dict) and isinstance(other, dict):
        keys = dict.fromkeys([*one, *other])
        found = [at for key in keys for at in differing(one.get(key), other.get(key), f"{path}.{key}")]
    elif isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        found = [at for n, pair in enumerate(zip(one, other, strict=True)) for at in differing(*pair, f"{path}[{n}]")]
    else:
        found = [] if one == other else [f"{path}: {str(one)[:60]} / {str(other)[:60]}"]
    return found[:5]


def kill(case: Case, place: Place, folder: Path, kills: int, seconds: float, luck: random.Random) -> int:
    """Kills the command as soon as it has kept something, then at random moments; returns how often it was there."""
    done = 0
    for number in range(kills):
        process = start(case, place, folder)
        deadline = time.monotonic() + (seconds if not number else luck.uniform(0.2, 1.0) * seconds)
        before = _kept(folder)
        while process.poll() is None and time.monotonic() < deadline and (number or _kept(folder) == before):
            time.sleep(0.02)
        done += process.poll() is None
        process.send_signal(signal.SIGKILL)
        process.communicate()
    return done


def _kept(folder: Path) -> int:
    """Returns how many bytes are kept of what was played."""
    found = 0
    for path in folder.rglob("*"):
        try:
            if path.is_file() and path.name not in ("lock", "plan.json", "run.json", "about.json", "bot.py"):
                found += path.stat().st_size
        except OSError:
            continue
    return found


def _left_running(folder: Path) -> list[str]:
    """Returns the command lines of processes that a killed command has left behind, after some seconds."""
    mark = f"PLAYMILL_PLACES={folder}".encode()
    for _ in range(100):
        found = []
        for path in Path("/proc").glob("[0-9]*"):
            try:
                if mark in (path / "environ").read_bytes().split(b"\0"):
                    found.append((path / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")[:80])
            except OSError:
                continue
        if not found:
            return []
        time.sleep(0.2)
    return found


if __name__ == "__main__":
    sys.exit(main())
