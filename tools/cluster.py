"""Proves that a Ray cluster finds what one machine finds, whoever dies; and what playing there costs.

python tools/cluster.py --games 4e6              three nodes; one node killed; the driver killed and resumed: same bytes
python tools/cluster.py --cost --games 8e6       the same run on threads and on a cluster of as many cores, by turns

Ray has to be there (pip install 'playmill[ray]'). All nodes are `ray start` processes on this machine.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import resource
import subprocess
import sys
import tempfile
import threading
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

from nodes import Nodes

_PLAY = """
import hashlib, json, sys
from playmill.lab.runs.simulate import simulate
from playmill.report.files.writing import results_text
game, name, games, on, told, players, agents = sys.argv[1:]
out = open(told, "ab", buffering=0)
found = simulate(game, games=int(games), seed=1, players=int(players), agents=agents.split(","), keep=name,
    on=on or None, workers=None if on else 2, progress=lambda done: out.write(b"%d\\n" % done))
print(json.dumps({"results": hashlib.sha256(results_text(found.results).encode()).hexdigest(),
    "seconds": found.info.elapsed_s, "workers": found.info.workers}))
"""


def main() -> int:
    """Does what was asked for; 1 if anything differs."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", default="dimensions")
    parser.add_argument("--players", type=int, default=3)
    parser.add_argument("--agents", default="random")
    parser.add_argument("--games", type=float, default=4e6)
    parser.add_argument("--cost", action="store_true")
    parser.add_argument("--turns", type=int, default=2)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="cluster-") as folder:
        os.environ["PLAYMILL_HOME"] = folder
        work = Work(options, Path(folder))
        return 0 if (work.cost(options.turns) if options.cost else work.same()) else 1


class Work:
    """Runs of one plan, each in a process of its own."""

    def __init__(self, options: argparse.Namespace, folder: Path) -> None:
        self.options, self.folder = options, folder
        self.games = int(options.games)
        self.told = folder / "told"

    def start(self, name: str, nodes: Nodes | None) -> subprocess.Popen[bytes]:
        """A process that plays a kept run, or goes on with it."""
        self.told.write_bytes(b"")
        options = self.options
        words = [options.game, name, str(self.games), nodes.address if nodes else "", str(self.told)]
        words += [str(options.players), options.agents]
        env = {**os.environ, **(nodes.env if nodes else {})}
        return subprocess.Popen([sys.executable, "-c", _PLAY, *words], env=env, stdout=subprocess.PIPE)

    def progress(self) -> int:
        """How far the process was when it was last heard of."""
        lines = self.told.read_bytes().split(b"\n")
        return int(lines[-2].split()[0]) if len(lines) > 1 else 0

    def wait_for(self, process: subprocess.Popen[bytes], share: float) -> None:
        """Waits until a part of the games is played."""
        while self.progress() < share * self.games and process.poll() is None:
            time.sleep(0.02)

    def end(self, name: str, process: subprocess.Popen[bytes], begun: float) -> str:
        """Waits for the end of a run; prints what it took, and returns a hash of all that it found and wrote."""
        out, _ = process.communicate()
        assert process.returncode == 0, (name, process.returncode)
        found, took = json.loads(out), time.time() - begun
        manifest = self.manifest(name)
        chunks = manifest["chunks"]
        for file in (file for chunk in chunks for file in chunk["files"].values()):
            data = (self.folder / "runs" / name / file["path"]).read_bytes()
            assert hashlib.sha256(data).hexdigest() == file["sha256"], file
        whole = hashlib.sha256(json.dumps([found["results"], chunks]).encode()).hexdigest()
        sessions = ", ".join(f"{session['games']} games" for session in manifest["sessions"])
        seconds = manifest["sessions"][-1]["seconds"]
        rate = manifest["sessions"][-1]["games"] / seconds
        print(
            f"{name}: {whole[:16]}, {len(chunks)} chunks, sessions of {sessions}; {took:.1f} s in all, the last session"
            f" played {seconds:.1f} s on {found['workers']} workers, {rate:.0f} games/s",
            flush=True,
        )
        return whole

    def manifest(self, name: str) -> dict[str, Any]:
        """What a run says of itself."""
        data: dict[str, Any] = json.loads((self.folder / "runs" / name / "manifest.json").read_bytes())["manifest"]
        return data

    def same(self) -> bool:
        """Threads; three nodes; a node killed; the driver killed: whether all come to the same bytes."""
        begun = time.time()
        found = [self.end("threads", self.start("threads", None), begun)]
        begun = time.time()
        with Nodes(1, 1, 1) as nodes:
            print(f"three nodes are up after {time.time() - begun:.1f} s", flush=True)
            begun = time.time()
            found.append(self.end("cluster", self.start("cluster", nodes), begun))
            begun = time.time()
            process = self.start("driver-killed", nodes)
            self.wait_for(process, 0.5)
            done = self.progress()
            process.kill()
            process.wait()
            kept = sum(chunk["games"] for chunk in self.manifest("driver-killed")["chunks"])
            files = (self.folder / "runs" / "driver-killed" / "counts").glob("0*.json")
            edges = [[int(edge) for edge in path.stem.split("-")] for path in files]
            written = sum(end - first for first, end in edges)
            print(
                f"driver killed: {done} games had come back, {written} were written, {kept} were safe;"
                f" {written - kept} played twice, beside what was half way",
                flush=True,
            )
            found.append(self.end("driver-killed", self.start("driver-killed", nodes), begun))
            begun = time.time()
            process = self.start("node-killed", nodes)
            self.wait_for(process, 0.3)
            victim = next(
                number for number in (1, 2) if any("ray::Worker" in line for line in nodes.pids(number).values())
            )
            print(f"node {victim} killed at {self.progress()} games: {nodes.kill(victim)} processes", flush=True)
            found.append(self.end("node-killed", process, begun))
        print("same bytes" if len(set(found)) == 1 else "DIFFERENT", flush=True)
        return len(set(found)) == 1

    def cost(self, turns: int) -> bool:
        """Threads against a cluster of as many cores, by turns, a short run and a long one: what the second costs.

        Besides the time by the clock, which is worth little on a machine that has other work, the time of processors.
        """
        long, short = self.games, 1
        with Nodes(2) as nodes:
            for turn in range(turns):
                for where in (None, nodes):
                    took = {}
                    for games in (short, long):
                        self.games = games
                        name = f"{'cluster' if where else 'threads'}-{turn}-{games}"
                        begun = time.time()
                        with Meter(where) as meter:
                            self.end(name, self.start(name, where), begun)
                        took[games] = meter.seconds
                    each = (took[long] - took[short]) / (long - short)
                    print(f"  processors: {took[short]:.1f} s to start, then {each * 1e6:.2f} us a game", flush=True)
        return True


class Meter:
    """Seconds that processors have worked meanwhile, for our children and for all processes of the nodes.

    Workers are killed when a run is over, and nobody waits for them: so one looks at them now and then.
    """

    def __init__(self, nodes: Nodes | None) -> None:
        self._nodes = nodes
        self._done = threading.Event()
        self._before: dict[int, float] = {}
        self._last: dict[int, float] = {}
        self._thread = threading.Thread(target=self._look, daemon=True)

    def __enter__(self) -> Meter:
        self._children = _children()
        self._before = self._now()
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._done.set()
        self._thread.join()

    @property
    def seconds(self) -> float:
        """What has been measured."""
        nodes = sum(last - self._before.get(pid, 0.0) for pid, last in self._last.items())
        return _children() - self._children + nodes

    def _look(self) -> None:
        while True:
            self._last |= self._now()
            if self._done.wait(0.5):
                return

    def _now(self) -> dict[int, float]:
        found = {}
        for number in range(len(self._nodes.cores) if self._nodes else 0):
            for pid in self._nodes.pids(number) if self._nodes else ():
                with suppress(OSError):
                    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
                    found[pid] = (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
        return found


def _children() -> float:
    times = resource.getrusage(resource.RUSAGE_CHILDREN)
    return times.ru_utime + times.ru_stime


if __name__ == "__main__":
    sys.exit(main())
