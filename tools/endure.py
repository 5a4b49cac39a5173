"""Proves that kept runs outlive whatever happens: kills, a full disk, damaged files; and what keeping them costs.

python tools/endure.py --games 20e6 --kills 20          killed again and again: the same bytes as a run never killed
python tools/endure.py --games 20e6 --full /mnt/small   a disk of a few megabytes that fills up (a small tmpfs)
python tools/endure.py --games 20e6 --cut               files cut in half
python tools/endure.py --cost --games 5e6               kept against not kept, by turns in one process
python tools/endure.py --memory 1e6 10e6 100e6          the most memory a kept run takes
"""

from __future__ import annotations

import argparse
import hashlib
import os
import random
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

_PLAY = """
import sys
from playmill.lab.runs.simulate import simulate
game, name, games, seed, told = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4]), sys.argv[5]
out = open(told, "wb", buffering=0)
simulate(game, games=games, seed=seed, keep=name, progress=lambda done: out.write(done.to_bytes(8, "little")))
"""


def main() -> int:
    """Runs what was asked for; 1 if anything differs."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", default="dimensions")
    parser.add_argument("--games", type=float, default=2e6)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--kills", type=int, default=0)
    parser.add_argument("--full", type=Path)
    parser.add_argument("--cut", action="store_true")
    parser.add_argument("--cost", action="store_true")
    parser.add_argument("--memory", type=float, nargs="+", default=[])
    options = parser.parse_args()
    sound = True
    with tempfile.TemporaryDirectory(prefix="endure-") as folder:
        os.environ["PLAYMILL_HOME"] = folder
        work = Work(options.game, int(options.games), options.seed, Path(folder))
        if options.cost:
            work.cost()
        for games in options.memory:
            work.memory(int(games))
        if options.kills or options.full or options.cut:
            whole = work.whole()
            if options.kills:
                sound &= work.killed(options.kills, whole)
            if options.cut:
                sound &= work.cut(whole)
            if options.full:
                sound &= work.full(options.full, whole)
    return 0 if sound else 1


class Work:
    """Runs of one game, each in a process of its own."""

    def __init__(self, game: str, games: int, seed: int, folder: Path) -> None:
        self.game, self.games, self.seed, self.folder = game, games, seed, folder
        self.told = folder / "told"

    def start(self, name: str, games: int | None = None) -> subprocess.Popen[bytes]:
        """A process that plays, or goes on with, a kept run."""
        self.told.write_bytes(b"")
        words = [self.game, name, str(games or self.games), str(self.seed), str(self.told)]
        return subprocess.Popen([sys.executable, "-c", _PLAY, *words], stderr=subprocess.PIPE)

    def played(self) -> int:
        """How far the process was when it was last heard of."""
        data = self.told.read_bytes()
        return int.from_bytes(data[len(data) - 8 :], "little") if len(data) >= 8 else 0

    def whole(self) -> dict[str, str]:
        """A run that nobody disturbs."""
        begun = time.perf_counter()
        process = self.start("whole")
        assert process.wait() == 0, process.communicate()[1].decode()
        found = hashes("whole")
        print(f"never killed: {self.games} games, {time.perf_counter() - begun:.1f} s, {found}")
        return found

    def killed(self, kills: int, whole: dict[str, str]) -> bool:
        """A run killed at random moments, and resumed each time."""
        luck = random.Random(self.seed)
        twice = done = 0
        for number in range(kills):
            process = self.start("killed")
            # Somewhere on the way, also in the middle of starting and of writing.
            goal = done + luck.random() * 2 * (self.games - done) / (kills - number + 1)
            while process.poll() is None and (self.played() or done) < goal:
                time.sleep(0.005)
            time.sleep(luck.random() * 0.3)
            process.kill()
            process.wait()
            kept, reached = kept_games("killed"), max(self.played(), done)
            twice += max(0, reached - kept)
            done = kept
            print(f"  kill {number + 1}: reached {reached}, kept {kept}")
        process = self.start("killed")
        assert process.wait() == 0, process.communicate()[1].decode()
        found = hashes("killed")
        print(f"killed {kills} times: {found}; games played twice: {twice} ({twice / self.games:.2%})")
        return told_equal(found, whole)

    def cut(self, whole: dict[str, str]) -> bool:
        """Files of a finished run cut in half, then resumed."""
        from playmill.lab.runs.store import find_run
        from playmill.texts import PlaymillError

        run = find_run("whole")
        for path in random.Random(self.seed).sample(run.files("counts"), 3):
            os.truncate(path, path.stat().st_size // 2)
        try:
            run.total()
        except PlaymillError as error:
            print(f"cut in half: {error}")
        assert self.start("whole").wait() == 0
        found = hashes("whole")
        print(f"3 chunks cut in half and resumed: {found}")
        return told_equal(found, whole)

    def full(self, disk: Path, whole: dict[str, str]) -> bool:
        """A run on a small disk that is full half way, then resumed with more room."""
        ballast = disk / "ballast"
        os.environ["PLAYMILL_HOME"] = str(disk / "home")
        room = os.statvfs(disk)
        counts = sum(path.stat().st_size for path in (self.folder / "runs/whole/counts").iterdir())
        ballast.write_bytes(bytes(max(0, room.f_bavail * room.f_frsize - counts)))
        process = self.start("full")
        told = process.communicate()[1].decode().strip().splitlines()
        kept = kept_games("full")
        print(f"disk full: status {process.returncode}, {kept} games kept, {told[-1] if told else ''}")
        ballast.unlink()
        process = self.start("full")
        assert process.wait() == 0, process.communicate()[1].decode()
        found = hashes("full")
        print(f"resumed with room: {found}")
        os.environ["PLAYMILL_HOME"] = str(self.folder)
        return 0 < kept < self.games and told_equal(found, whole)

    def cost(self) -> None:
        """Kept against not kept, by turns."""
        from playmill.lab.runs.simulate import simulate

        seconds: dict[bool, list[float]] = {False: [], True: []}
        simulate(self.game, games=100_000, keep_games=False)
        for turn in range(10):
            keep = turn % 2 == 1
            begun = time.process_time(), time.perf_counter()
            name = f"cost{turn}" if keep else False
            simulate(self.game, games=self.games, seed=self.seed, keep=name, keep_games=False)
            seconds[keep].append(time.perf_counter() - begun[1])
        ratio = sorted(seconds[True])[2] / sorted(seconds[False])[2]
        print(f"kept / not kept, medians of 5 by turns: {ratio:.3f} ({seconds})")

    def memory(self, games: int) -> None:
        """The most memory that a process takes which keeps so many games."""
        before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
        process = self.start(f"memory{games}", games)
        pid, status, usage = os.wait4(process.pid, 0)
        size = sum(path.stat().st_size for path in (self.folder / f"runs/memory{games}").rglob("*") if path.is_file())
        print(f"{games} games kept: {usage.ru_maxrss / 1024:.0f} MiB at most (status {status}, {size} bytes on disk)")
        del pid, before


def kept_games(name: str) -> int:
    """How many games are safe on disk."""
    from playmill.lab.runs.store import find_run
    from playmill.texts import PlaymillError

    try:
        return find_run(name).games
    except PlaymillError:
        return 0


def hashes(name: str) -> dict[str, str]:
    """What two runs of one plan must have in common: results, and chunks with their files."""
    from playmill.lab.runs.simulate import report_of
    from playmill.lab.runs.store import find_run
    from playmill.report.files.writing import results_text

    run = find_run(name)
    chunks: Any = [chunk.json() for chunk in run.chunks]
    return {
        "results": hashlib.sha256(results_text(report_of(run).results).encode()).hexdigest()[:16],
        "chunks": hashlib.sha256(repr(chunks).encode()).hexdigest()[:16],
    }


def told_equal(found: dict[str, str], whole: dict[str, str]) -> bool:
    """Says whether two runs are the same to the byte."""
    print("  the same bytes" if found == whole else "  NOT THE SAME")
    return found == whole


if __name__ == "__main__":
    sys.exit(main())
