"""Keeps how fast compiled rules are beside C, by kind of machine and commit, and names the commit that made one slower.

    python tools/c_ratios.py                       # as `make bench` does; needs gcc and git; some minutes
    python tools/c_ratios.py dice --seconds 3
    python tools/c_ratios.py --accept              # what is slower now is so on purpose

Rules and C play by turns (see `against_c.py`): of a busy machine little is left in their ratio. Each ratio is compared
with the best one saved for such a machine, since the last that was accepted and with the same C. What is lower beyond
noise is tried again without C: the rules of then and now play by turns. If they are slower, the commits between are
halved, each by turns with the rules of then, until one is left. Ratios of a checkout without changes are saved under
its commit, in `against_c/ratios.json`.
"""

from __future__ import annotations

import argparse
import hashlib
import io
import json
import math
import platform
import shutil
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from statistics import quantiles
from typing import Any

from against_c import CASES, Program, case_name, measure

from playmill.lab.bench.baseline import SpeedChange, processor
from playmill.lab.bench.checkouts import CheckoutProcess, play_by_turns, source_of
from playmill.texts import PlaymillError

_ROOT = Path(__file__).resolve().parents[1]
_PROGRAMS = _ROOT / "tools" / "against_c"
_FILE = _PROGRAMS / "ratios.json"
#: What a ratio depends on.
_SOURCES = ("src", "tools/against_c/*.c", "tools/against_c/*.h")
#: Two measurements of the same code differ by so much, whatever their turns say.
_LEAST_NOISE = 0.03
#: In place of a commit: what is not committed.
CHANGES = ""

Case = tuple[str, int, str]
Entry = dict[str, Any]


@dataclass(frozen=True)
class Ratio:
    """How many times as fast as C the rules are, how much of that may be noise, and the hash of the C."""

    value: float
    noise: float
    program: str


@dataclass(frozen=True)
class Before:
    """The best ratio saved so far, and its commit."""

    commit: str
    ratio: Ratio


class Repository:
    """What has to be known of the checkout: its commits, and their files."""

    def __init__(self, root: Path) -> None:
        self._root = root

    def _git(self, *words: str) -> bytes:
        return subprocess.run(["git", *words], cwd=self._root, check=True, capture_output=True).stdout

    def _line(self, *words: str) -> str:
        return self._git(*words).decode().strip()

    @property
    def head(self) -> str:
        """The commit that is checked out."""
        return self._line("rev-parse", "HEAD")

    @property
    def is_changed(self) -> bool:
        """Whether something that ratios depend on is not committed."""
        return self._line("status", "--porcelain", "--", *_SOURCES) != ""

    def has(self, commit: str) -> bool:
        """Whether a commit is the one checked out or came before it."""
        words = ["git", "merge-base", "--is-ancestor", commit, "HEAD"]
        return subprocess.run(words, cwd=self._root, check=False, capture_output=True).returncode == 0

    def since(self, commit: str) -> list[str]:
        """The commits after one that changed the package, oldest first; last what is not committed, if anything is."""
        commits = self._line("rev-list", "--reverse", "--first-parent", f"{commit}..HEAD", "--", "src").split()
        return [*commits, CHANGES] if self.is_changed else commits

    def title(self, commit: str) -> str:
        """A commit in one line."""
        return self._line("log", "-1", "--format=%h %s", commit) if commit else "what is not committed"

    def package(self, commit: str, folder: Path) -> Path:
        """The folder to import the package of a commit from; it is written into another folder."""
        if not commit:
            return self._root / "src"
        target = folder / commit
        if not target.exists():
            with tarfile.open(fileobj=io.BytesIO(self._git("archive", commit, "src"))) as archive:
                archive.extractall(target, filter="data")
        return source_of(target)


class History:
    """The ratios that were saved for one kind of machine, oldest first."""

    def __init__(self, entries: Sequence[Entry]) -> None:
        self.entries = list(entries)

    def best(self, name: str, program: str, has: Callable[[str], bool]) -> Before | None:
        """The best ratio of a case with the same C, of the commits that came before; what was accepted is the first."""
        found: Before | None = None
        for entry in reversed(self.entries):
            saved = entry["cases"].get(name)
            if saved is None or saved["program"] != program or not has(entry["commit"]):
                continue
            ratio = Ratio(saved["ratio"], saved["noise"], program)
            if found is None or ratio.value > found.ratio.value:
                found = Before(entry["commit"], ratio)
            if entry["accepted"]:
                break
        return found

    def add(self, commit: str, ratios: Mapping[str, Ratio], *, accepted: bool) -> None:
        """Adds what was measured of a commit, in place of what was measured of it before."""
        cases = {
            name: {"ratio": round(one.value, 4), "noise": round(one.noise, 4), "program": one.program}
            for name, one in ratios.items()
        }
        last = self.entries[-1] if self.entries else None
        when = datetime.now(UTC).date().isoformat()
        if last is not None and last["commit"] == commit and last["accepted"] == accepted:
            last["cases"] |= cases
            last["when"] = when
        else:
            self.entries.append({"commit": commit, "when": when, "accepted": accepted, "cases": cases})


def change_of(now: Ratio, before: Ratio) -> SpeedChange:
    """A ratio beside an earlier one."""
    return SpeedChange(now.value / before.value, max(_LEAST_NOISE, math.hypot(now.noise, before.noise)))


def noise_of(ratios: Sequence[float]) -> float:
    """Twice the standard error of the median of some ratios, as a share of it.

    It follows from the middle half of them: somebody else's moment of work falls into a turn or two.
    """
    low, _, high = quantiles(map(math.log, ratios), n=4, method="inclusive")
    return 2 * 1.25 * (high - low) / 1.35 / math.sqrt(len(ratios))


def first_slower(commits: Sequence[str], is_slower: Callable[[str], bool]) -> str:
    """The first of some commits that is slower, where the last one is: they are halved until one is left."""
    low, high = 0, len(commits) - 1
    while low < high:
        middle = (low + high) // 2
        if is_slower(commits[middle]):
            high = middle
        else:
            low = middle + 1
    return commits[low]


def culprit(case: Case, before: str, repository: Repository, seconds: float) -> tuple[str, float] | None:
    """The commit since another that made a case slower, and how fast the rules are beside those of then; None if noise.

    The rules of then take part in every comparison. A commit is slower if it is nearer to the rules of now than to
    those; one that cannot play is not.
    """
    game, players, agent = case
    what = {"game": game, "players": players, "agents": agent, "seed": 1}
    commits = repository.since(before)
    if not commits:
        return None
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        then = stack.enter_context(CheckoutProcess(repository.package(before, folder)))

        def beside_then(commit: str) -> SpeedChange:
            with CheckoutProcess(repository.package(commit, folder)) as one:
                change = play_by_turns(what, one, then, seconds).change
            print(
                f"  {change.ratio:.2f} times as fast as then: {repository.title(commit)}", file=sys.stderr, flush=True
            )
            return change

        now = beside_then(commits[-1])
        if now.is_noise or now.ratio > 1:
            return None

        def is_slower(commit: str) -> bool:
            try:
                return beside_then(commit).ratio < math.sqrt(now.ratio)
            except PlaymillError as error:
                print(f"  left out: {error}", file=sys.stderr, flush=True)
                return False

        return first_slower(commits, is_slower), now.ratio


def machine_kind() -> str:
    """The kind of machine, as far as a ratio to C depends on it: processor, system and C compiler."""
    gcc = subprocess.run(["gcc", "-dumpfullversion"], check=True, capture_output=True, text=True).stdout.strip()
    return f"{platform.machine()}, {processor()}, {platform.system()}, gcc {gcc}"


def read_machines(path: Path) -> dict[str, list[Entry]]:
    """The saved ratios by kind of machine; none if there is no file."""
    return dict(json.loads(path.read_text(encoding="utf-8"))["machines"]) if path.exists() else {}


def write_machines(path: Path, machines: Mapping[str, Sequence[Entry]]) -> None:
    """Saves ratios by kind of machine."""
    path.write_text(json.dumps({"machines": machines}, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def measured(games: Sequence[str], *, seconds: float, turns: int) -> Iterator[tuple[Case, Ratio, Sequence[str]]]:
    """Plays the cases of some games by turns with C: each with its ratio, and the names of counts that differ."""
    for game in games:
        source = b"".join((_PROGRAMS / name).read_bytes() for name in (f"{game}.c", "playing.h"))
        with tempfile.TemporaryDirectory() as folder:
            program = Program(game, Path(folder))
            for players, agent in CASES[game]:
                found = measure(game, players, agent, program, seconds=seconds, turns=turns)
                ratio = Ratio(found.ratio, noise_of(found.ratios), hashlib.sha256(source).hexdigest()[:12])
                yield (game, players, agent), ratio, found.different


def main() -> int:
    """Prints a table in Markdown, and what became slower by which commit."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("games_of", metavar="GAME", nargs="*", help=f"of {', '.join(CASES)}; all if none is named")
    parser.add_argument("--seconds", type=float, default=1.0, help="what the rules may take for each turn")
    parser.add_argument("--turns", type=int, default=7, help="how often each side plays")
    parser.add_argument("--accept", action="store_true", help="compare later ones with these, however slow they are")
    parser.add_argument("--no-save", action="store_true", help="compare only")
    options = parser.parse_args()
    if unknown := set(options.games_of) - set(CASES):
        parser.error(f"there is no program for {', '.join(sorted(unknown))}")
    if options.turns < 2 or not options.seconds > 0:
        parser.error("each side plays at least twice, and for some time")
    if missing := [name for name in ("gcc", "git") if shutil.which(name) is None]:
        parser.error(f"{missing[0]} is not installed")
    if not (_ROOT / ".git").exists():
        parser.error("this is no checkout: ratios are kept by commit")
    repository, kind, machines = Repository(_ROOT), machine_kind(), read_machines(_FILE)
    history = History(machines.get(kind, ()))
    ratios: dict[str, Ratio] = {}
    slower: list[tuple[Case, Before]] = []
    wrong = False
    print(f"{kind}\n\n| game | ratio to C | best before (! differs beyond noise) | commit |\n|---|---|---|---|")
    for case, ratio, different in measured(
        options.games_of or list(CASES), seconds=options.seconds, turns=options.turns
    ):
        name = case_name(*case)
        ratios[name] = ratio
        before = history.best(name, ratio.program, repository.has)
        told = "| | |"
        if before is not None:
            change = change_of(ratio, before.ratio)
            told = f"| {before.ratio.value:.2f}{'' if change.is_noise else ' !'} | {before.commit[:7]} |"
            if change.ratio < 1 and not change.is_noise and not options.accept:
                slower.append((case, before))
        print(f"| {name} | {ratio.value:.2f} {told}", flush=True)
        if different:
            wrong = True
            print(f"{name}: counted otherwise than by C: {', '.join(different)}", file=sys.stderr)
    for case, before in slower:
        print(f"{case_name(*case)}: slower than then; by turns:", file=sys.stderr, flush=True)
        found = culprit(case, before.commit, repository, 8 * options.seconds)
        if found is None:
            print(f"{case_name(*case)}: the rules of then and now are equally fast by turns")
        else:
            wrong = True
            print(
                f"{case_name(*case)}: {found[1]:.2f} times as fast as then; made slower by {repository.title(found[0])}"
            )
    if options.no_save or repository.is_changed:
        print("not saved" if options.no_save else "not saved: something is not committed", file=sys.stderr)
    else:
        history.add(repository.head, ratios, accepted=options.accept)
        write_machines(_FILE, {**machines, kind: history.entries})
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
