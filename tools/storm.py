"""Sends signals at random moments to real runs and looks at what they leave: files whole or absent, every count right.

python tools/storm.py --signals 200 --seed 1
"""

from __future__ import annotations

import argparse
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from playmill import simulate
from playmill.interrupts import SIGNALS

PIG = Path(__file__).resolve().parents[1] / "examples" / "pig"
BOT = "def choose(decision):\n    return decision.random.choice(decision.actions) if decision.number % 7 else None\n"
#: What is played: agents, and games asked for: more than can be finished, or so few that a run ends by itself.
RUNS: dict[str, tuple[tuple[str, ...], tuple[int, ...]]] = {
    "compiled": (("random",), (300_000, 3_000_000)),
    "python": (("bot.py", "random"), (300, 100_000)),
    "search": (("search:iterations=20", "random"), (40, 100_000)),
}
#: What is sent: one signal, or several shortly after each other.
VOLLEYS = ("INT", "TERM", "KILL", "INT INT", "INT TERM", "TERM TERM", "INT INT INT", "INT KILL")
FILES = ("out.json", "rows.csv", "page.html")
DRAFTS = ".playmill-*.part"


@dataclass
class Found:
    """What came out of the storm."""

    runs: Counter[str] = field(default_factory=Counter)
    ends: Counter[str] = field(default_factory=Counter)
    files: Counter[str] = field(default_factory=Counter)
    answers: list[float] = field(default_factory=list)
    mistakes: list[str] = field(default_factory=list)


#: Told how many runs were disturbed so far, and what was found.
Told = Callable[[int, Found], None]


def main(words: Sequence[str] | None = None) -> int:
    """Raises the storm, tells what was found, and returns 1 if anything was broken."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--signals", type=int, default=200, help="runs that are disturbed")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--longest", type=float, default=3.0, help="seconds of playing until the first signal, at most")
    options = parser.parse_args(words)
    with tempfile.TemporaryDirectory() as folder:
        found = storm(Path(folder), options.signals, options.seed, options.longest, _progress)
    for title, counted in (("what was played", found.runs), ("how it ended", found.ends), ("files", found.files)):
        print(f"{title}: " + ", ".join(f"{name} {count}" for name, count in sorted(counted.items())))
    answers = sorted(found.answers)
    if answers:
        middle, late = answers[len(answers) // 2], answers[int(len(answers) * 0.95)]
        print(f"seconds until the end: median {middle:.2f}, 95 % {late:.2f}, longest {answers[-1]:.2f}")
    for mistake in found.mistakes:
        print(f"BROKEN: {mistake}")
    print(f"{options.signals} runs disturbed, {len(found.mistakes)} broken")
    return 1 if found.mistakes else 0


def _progress(done: int, found: Found) -> None:
    if done % 10 == 0:
        print(f"{done} runs disturbed, {len(found.mistakes)} broken", file=sys.stderr, flush=True)


def storm(folder: Path, count: int, seed: int, longest: float, told: Told = lambda done, found: None) -> Found:
    """Disturbs so many runs, all in one folder, so that what one leaves lies in the way of the next."""
    chance = random.Random(seed)
    found = Found()
    (folder / "bot.py").write_text(BOT, encoding="utf-8")
    kept: dict[tuple[str, int], object] = {}
    for number in range(count):
        name = chance.choice(list(RUNS))
        agents, sizes = RUNS[name]
        volley, games = chance.choice(VOLLEYS), chance.choice(sizes)
        playing, gap = chance.random() < 0.7, chance.choice((0.0, 0.01, 0.1, 0.5))
        moment = chance.uniform(0, longest if playing else _start_up(folder))
        for file in FILES:
            (folder / file).unlink(missing_ok=True)
        status, errors, answer, born = disturbed(folder, agents, games, volley, moment, gap, playing=playing)
        since = "of playing" if playing else "of starting"
        story = f"run {number} ({name}, {games} games, {volley} after {moment:.2f} s {since}, gap {gap}): "
        found.runs[name] += 1
        found.ends["by itself" if answer is None else _end(status)] += 1
        if answer is not None and "KILL" not in volley:
            found.answers.append(answer)
        found.mistakes += [story + mistake for mistake in _said(status, errors, volley, unborn=not born)]
        known = f"{FILES[1]} is not written: " in errors  # stopped while games kept by a run before were played again
        found.mistakes += [story + mistake for mistake in _left(folder, agents, volley, found.files, kept, known)]
        told(number + 1, found)
    found.mistakes += _swept(folder)
    return found


def disturbed(
    folder: Path, agents: Sequence[str], games: int, volley: str, moment: float, gap: float, *, playing: bool
) -> tuple[int, str, float | None, bool]:
    """The status of a run, what it said, the seconds from the first signal to its end, and whether it heard signals.

    The seconds are None if it was over. The moment of the first signal counts from the first rows that are written, or
    from the start.
    """
    command = [sys.executable, "-m", "playmill", "simulate", str(PIG), "--games", str(games), "--agents", *agents]
    command += ["--out", FILES[0], "--csv", FILES[1], "--html", FILES[2], "--quiet", "--no-keep", "--workers", "2"]
    # A child hears a signal as its parent does, and this program may have been started in the background.
    before = {number: signal.signal(number, signal.SIG_DFL) for number in SIGNALS}
    try:
        process = subprocess.Popen(command, cwd=folder, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True)
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
    old = set(folder.glob(DRAFTS))
    while playing and process.poll() is None and not set(folder.glob(DRAFTS)) - old:
        time.sleep(0.01)
    with suppress(subprocess.TimeoutExpired):
        process.wait(moment)
    born = playing or _hears(process.pid)
    begun = None if process.poll() is not None else time.monotonic()
    for name in volley.split():
        if process.poll() is None:
            process.send_signal(signal.Signals[f"SIG{name}"])
            time.sleep(gap)
    try:
        _, errors = process.communicate(timeout=120)
    except subprocess.TimeoutExpired:
        process.kill()
        return 124, process.communicate()[1], 120.0, born
    return process.returncode, errors, None if begun is None else time.monotonic() - begun, born


def _hears(process: int) -> bool:
    """Whether a program has read our first lines: before that a signal ends any Python as it likes."""
    try:
        status = Path(f"/proc/{process}/status").read_text(encoding="ascii")
    except OSError:  # it is over, or this system has no such files
        return False
    caught = int(next(line.split()[1] for line in status.splitlines() if line.startswith("SigCgt:")), 16)
    return bool(caught >> (signal.SIGTERM - 1) & 1)


@cache
def _start_up(folder: Path) -> float:
    """Seconds that a short run takes here from its start to its end."""
    begun = time.monotonic()
    disturbed(folder, ("random",), 10, "", 0, 0, playing=False)
    return time.monotonic() - begun


def _end(status: int) -> str:
    return {0: "finished", 1: "stopped", 124: "hung"}.get(status, f"killed by {-status}" if status < 0 else str(status))


def _said(status: int, errors: str, volley: str, *, unborn: bool) -> list[str]:
    """What is wrong with how a run ended."""
    allowed = {0, 1} | ({-signal.SIGKILL} if "KILL" in volley else set())
    if unborn and f"{os.sep}playmill{os.sep}" not in errors:
        allowed |= {-signal.SIGINT, -signal.SIGTERM}
        errors = ""
    wrong = [] if status in allowed else [f"status {status}: {errors[-300:]}"]
    return wrong + (["a traceback: " + errors[-300:]] if "Traceback" in errors else [])


def _left(
    folder: Path,
    agents: Sequence[str],
    volley: str,
    files: Counter[str],
    kept: dict[tuple[str, int], object],
    without_rows: bool,
) -> list[str]:
    """What is wrong with the files that a run left; it may have said that there are no rows."""
    there = [name for name in FILES if (folder / name).exists()]
    if without_rows and FILES[1] in there:
        return ["rows that are said not to be written"]
    files["all" if len(there) == 3 else "some" if there else "none"] += 1
    if there and len(there) < 3 - without_rows and "KILL" not in volley:
        return [f"only {there}"]
    mistakes = []
    if "page.html" in there and not (folder / "page.html").read_text(encoding="utf-8").rstrip().endswith("</html>"):
        mistakes.append("the page is not whole")
    lines = (folder / "rows.csv").read_bytes().count(b"\n") if "rows.csv" in there else 0
    if lines % 2 == 0 and lines:
        mistakes.append(f"{lines} lines of rows: not two for each game and one for the titles")
    if "out.json" in there:
        saved = json.loads((folder / "out.json").read_text(encoding="utf-8"))
        games = saved["meta"]["games"]
        if "rows.csv" in there and lines != 2 * games + 1:
            mistakes.append(f"{games} games in JSON, {lines} lines of rows")
        if saved["meta"]["complete"] != (games == saved["meta"]["requested"]):
            mistakes.append("it says that it is complete, and is not")
        if _again(folder, agents, games, kept) != saved["results"]:
            mistakes.append(f"{games} games have other results when nobody disturbs them")
    return mistakes


def _again(folder: Path, agents: Sequence[str], games: int, kept: dict[tuple[str, int], object]) -> object:
    """The results of as many games undisturbed, in the form in which they are saved."""
    if (agents[0], games) not in kept:
        named = [str(folder / agent) if agent.endswith(".py") else agent for agent in agents]
        results = json.dumps(simulate(str(PIG), games=games, agents=named, keep_games=False).results)
        kept[agents[0], games] = json.loads(results.replace(str(folder / "bot"), "bot"))
    return kept[agents[0], games]


def _swept(folder: Path) -> list[str]:
    """What is wrong with the drafts of killed runs: the next run is to remove them, once they are not fresh."""
    drafts = list(folder.glob(DRAFTS))
    for draft in drafts:
        os.utime(draft, (0, 0))
    status, errors, _, _ = disturbed(folder, ("random",), 10, "TERM", 600, 0, playing=False)
    left = list(folder.glob(DRAFTS))
    wrong = [f"after {len(drafts)} drafts of killed runs, {len(left)} are left"] if left else []
    return wrong + ([f"the run after the storm: status {status}: {errors[-300:]}"] if status else [])


if __name__ == "__main__":
    sys.exit(main())
