"""A real Ray cluster of several nodes on this one machine: `ray start` processes that can be killed one by one."""

from __future__ import annotations

import os
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from pathlib import Path
from types import TracebackType

#: The name of a variable by which all processes of a node are known, whoever started them.
_MARK = "PLAYMILL_NODE"
_STORE = 80_000_000
_PATIENCE = 120.0


class Nodes:
    """A head and other nodes, with so many cores each, that share a token of their own."""

    def __init__(self, *cores: int, env: dict[str, str] | None = None) -> None:
        self._folder = Path(tempfile.mkdtemp(prefix="pm"))
        self.port, self.client_port = _free_port(), _free_port()
        self.address = f"127.0.0.1:{self.port}"
        self.cores = cores
        self._mark = secrets.token_hex(8)
        self.env = {
            **os.environ,
            "RAY_AUTH_MODE": "token",
            "RAY_AUTH_TOKEN": secrets.token_hex(16),
            "RAY_USAGE_STATS_ENABLED": "0",
            **(env or {}),
        }
        self._processes: list[subprocess.Popen[bytes]] = []

    def __enter__(self) -> Nodes:
        try:
            for cores in self.cores:
                self.add(cores)
        except BaseException:
            self.stop()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    def add(self, cores: int) -> int:
        """Starts another node; returns its number."""
        number = len(self._processes)
        words = [sys.executable, "-m", "ray.scripts.scripts", "start", "--block", f"--num-cpus={cores}"]
        words += [f"--object-store-memory={_STORE}", "--node-ip-address=127.0.0.1", "--disable-usage-stats"]
        words += ["--min-worker-port=0", "--max-worker-port=0", "--dashboard-agent-listen-port=0"]
        if number == 0:
            words += ["--head", f"--port={self.port}", f"--temp-dir={self._folder}", "--include-dashboard=false"]
            words += [f"--ray-client-server-port={self.client_port}"]
        else:
            words += [f"--address={self.address}"]
        log = self._folder / f"node-{number}.log"
        with log.open("wb") as file:
            process = subprocess.Popen(
                words,
                env={**self.env, _MARK: f"{self._mark}-{number}"},
                stdin=subprocess.DEVNULL,
                stdout=file,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        self._processes.append(process)
        begun = time.monotonic()
        while b"Ray runtime started" not in log.read_bytes():
            if process.poll() is not None or time.monotonic() - begun > _PATIENCE:
                raise RuntimeError(f"node {number} did not start: {log.read_text(errors='replace')[-2000:]}")
            time.sleep(0.1)
        return number

    def pids(self, number: int) -> dict[int, str]:
        """All processes of a node and their command lines."""
        mark = f"{_MARK}={self._mark}-{number}".encode()
        found = {}
        for place in Path("/proc").iterdir():
            if place.name.isdigit():
                with suppress(OSError):
                    if mark in (place / "environ").read_bytes().split(b"\0"):
                        found[int(place.name)] = (place / "cmdline").read_bytes().replace(b"\0", b" ").decode()
        return found

    def kill(self, number: int) -> int:
        """Kills a node as if its plug were pulled; returns how many processes that were."""
        killed = 0
        while pids := self.pids(number):
            for pid in pids:
                with suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
                    killed += 1
            self._processes[number].wait()
            time.sleep(0.05)
        return killed

    def stop(self) -> None:
        """Ends all nodes and what they have left."""
        for number in reversed(range(len(self._processes))):
            self.kill(number)
        shutil.rmtree(self._folder, ignore_errors=True)


def _free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        port: int = found.getsockname()[1]
        return port
