"""Runs a case where it can do no harm: in a forked worker, or in a process of its own, with a watch over its time."""

from __future__ import annotations

import gc
import io
import json
import os
import resource
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from fuzzing.case import Case
from fuzzing.judge import Done, told, verdict
from fuzzing.sources import GAMES, PIG

#: A case that takes more of the processor's time hangs, or one that waits as long as a busy machine may let it wait.
SECONDS, WAITED = 60, 600.0
_MOST_MEMORY, _MOST_WRITTEN = 16 * 2**30, 64 * 2**20
_MOST_DECISIONS = 400


def warm() -> None:
    """Compiles, or reads from the cache, all that cases need, so that forked workers find it ready."""
    from playmill.engine.contract.game import load_game
    from playmill.lab.replays.replay import record
    from playmill.lab.runs.simulate import simulate

    for name in (*GAMES, PIG):
        game = load_game(name)
        players = game.players[0]
        for agent in ("random",) if name in GAMES else ("random", "search:iterations=2"):
            simulate(game, games=1, agents=[agent])
        simulate(game, games=1, agents=[lambda decision: decision.actions[0]] + ["random"] * (players - 1))
        record(game, players=players, config=game.config())
    _import_all()


def _import_all() -> None:
    """Runs each command once, so that workers need not import what it needs; what they inherit is left alone."""
    before = Path.cwd()
    with tempfile.TemporaryDirectory(prefix="playmill-fuzz-") as folder:
        os.chdir(folder)
        for line in (
            "games", "config dice", "agents dice", "content dice", "map influence", "bench x", "worth dice --only x",
            "record PIG --out a.json", "replay a.json --game PIG --svg a.svg", "show PIG",
            "simulate PIG --games 2 --out b.json --html b.html --trace 1",  # no CSV: its threads would not be inherited
        ):  # fmt: skip
            _called(Case("line", tuple(PIG if word == "PIG" else word for word in line.split())))
        os.chdir(before)
    gc.collect()
    gc.freeze()


class Tried(NamedTuple):
    """What came of a case: what is wrong, if anything, its status if it has one, and how long it took."""

    said: str
    status: int | None = None
    seconds: float = 0.0


def tried(case: Case) -> Tried:
    """Runs a case in a folder of its own."""
    with tempfile.TemporaryDirectory(prefix="playmill-fuzz-") as name:
        folder = Path(name)
        case.lay(folder)
        start = time.monotonic()
        found = _forked(case, folder) if case.way == "inside" else _process(case, folder)
        for path in folder.rglob("*"):
            if not path.is_symlink():
                path.chmod(0o700)
        return found._replace(seconds=time.monotonic() - start)


# In a forked worker


def _forked(case: Case, folder: Path) -> Tried:
    reader, writer = os.pipe()
    child = os.fork()
    if not child:
        os.close(reader)
        _be_worker(case, folder, writer)
    os.close(writer)
    found = bytearray()
    end = time.monotonic() + WAITED
    while (left := end - time.monotonic()) > 0:
        if not select.select([reader], [], [], left)[0]:
            break
        piece = os.read(reader, 65536)
        if not piece:
            break
        found += piece
    os.close(reader)
    hung = time.monotonic() >= end
    if hung:
        os.kill(child, signal.SIGKILL)
    _, status = os.waitpid(child, 0)
    if hung:
        return Tried(f"hang more than {WAITED:g} seconds")
    if os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGXCPU:
        return Tried(f"hang more than {SECONDS} seconds of the processor")
    if os.WIFSIGNALED(status):
        return Tried(f"crash signal {os.WTERMSIG(status)}")
    if os.WEXITSTATUS(status) != 0 or not found:
        return Tried(f"crash status {os.WEXITSTATUS(status)} of the worker")
    ended, _, said = found.decode().partition(" ")
    return Tried(said, int(ended))


def _be_worker(case: Case, folder: Path, writer: int) -> None:
    """Does the case, tells what is wrong, and ends without a word more."""
    said, status = "crash of the fuzzer itself", -1
    try:
        resource.setrlimit(resource.RLIMIT_AS, (_MOST_MEMORY, _MOST_MEMORY))
        resource.setrlimit(resource.RLIMIT_FSIZE, (_MOST_WRITTEN, _MOST_WRITTEN))
        resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, 2 * SECONDS))
        os.chdir(folder)
        os.environ["PLAYMILL_HOME"] = str(folder / "home")
        done = _called(case)
        os.chdir(folder)
        said, status = verdict(case, done, folder), done.status
        if not said and case.check == "backends" and done.status == 0:
            said = _compared(folder)
    except BaseException as error:
        said = f"fuzzer {told(error, error.__traceback__)}"
    finally:
        with suppress(OSError):
            os.write(writer, f"{status} {said}".encode(errors="backslashreplace")[:60_000])
        os._exit(0)


def _called(case: Case) -> Done:
    from playmill.cli import main

    streams = sys.stdout, sys.stderr
    printed = io.BytesIO(), io.BytesIO()
    kept = [io.TextIOWrapper(part, encoding="utf-8", write_through=True) for part in printed]
    sys.stdout, sys.stderr = kept
    status, raised = 0, ""
    try:
        status = main(list(case.argv))
    except SystemExit as error:  # as argparse ends with --help
        status = error.code if isinstance(error.code, int) else 1
        raised = (
            "" if status == 0 and {"--help", "-h", "--version"} & set(case.argv) else told(error, error.__traceback__)
        )
    except BaseException as error:
        raised = told(error, error.__traceback__)
    finally:
        sys.stdout, sys.stderr = streams
    return Done(
        status, printed[0].getvalue().decode(errors="replace"), printed[1].getvalue().decode(errors="replace"), raised
    )


def _compared(folder: Path) -> str:
    """Whether the interpreter plays the same games as compiled code; long games are left alone."""
    from playmill.engine.contract.game import load_game
    from playmill.lab.runs.simulate import simulate
    from playmill.report.files.writing import results_text

    saved = json.loads((folder / "out.json").read_text(encoding="utf-8"))
    meta, results = saved["meta"], saved["results"]
    game = load_game(meta["game"])
    if results["decisions"] > _MOST_DECISIONS:
        return ""
    settings: dict[str, Any] = {
        "players": meta["players"],
        "games": meta["games"],
        "seed": meta["seed"],
        "agents": meta["agents"],
    }
    twin = simulate(game, **settings, config=meta["config"], backend="interpreted")
    mine = results_text(json.loads(results_text(twin.results)))
    return "" if mine == results_text(results) else "backends the interpreter and compiled code differ"


# In a process of its own


def _process(case: Case, folder: Path) -> Tried:
    env = {**os.environ, "PLAYMILL_LANG": "en", "PLAYMILL_HOME": str(folder / "home")}
    settings: dict[str, Any] = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    if case.way == "ascii":
        env |= {"PYTHONIOENCODING": "ascii", "LC_ALL": "C", "PYTHONUTF8": "0"}
    if case.way == "size":
        settings["preexec_fn"] = _limit_size
    if case.way == "closed":
        settings["preexec_fn"] = _close_output
    if case.way == "cache":
        env["PLAYMILL_CACHE"] = str(_damaged(case, folder))
    words = (sys.executable, "-m", "playmill", *case.argv)
    command = [os.fsencode(word) for word in words if "\0" not in word]
    with Path("/dev/full").open("wb") as full:
        if case.way == "full":
            settings["stdout"] = full
        try:
            ended = subprocess.run(command, cwd=folder, env=env, timeout=3 * WAITED, check=False, **settings)
        except subprocess.TimeoutExpired:
            return Tried(f"hang more than {3 * WAITED:g} seconds")
    out, err = (bytes(text or b"").decode(errors="replace") for text in (ended.stdout, ended.stderr))
    done = Done(ended.returncode, out, err)
    judge = _healed if case.way == "cache" else verdict
    return Tried(judge(case, done, folder), done.status)


def _limit_size() -> None:
    resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))


def _close_output() -> None:
    os.close(1)
    os.close(2)


@cache
def _whole_cache() -> tuple[Path, str]:
    """A compile cache with one small game in it, and what that game's run gives."""
    folder = Path(tempfile.mkdtemp(prefix="playmill-fuzz-cache-"))
    out = folder / "out.json"
    command = [sys.executable, "-m", "playmill", "simulate", PIG, "--games", "50", "--seed", "1", "--out", str(out)]
    env = {**os.environ, "PLAYMILL_CACHE": str(folder / "cache")}
    subprocess.run(command, env=env, check=True, capture_output=True)
    return folder / "cache", json.dumps(json.loads(out.read_text(encoding="utf-8"))["results"])


def forget() -> None:
    """Removes what was kept for damaged caches."""
    if _whole_cache.cache_info().currsize:
        shutil.rmtree(_whole_cache()[0].parent, ignore_errors=True)


def _damaged(case: Case, folder: Path) -> Path:
    """A copy of that cache in which one file was damaged."""
    copied = folder / "cache"
    shutil.copytree(_whole_cache()[0], copied)
    number, deed, place = case.damage
    files = sorted(path for path in copied.rglob("*") if path.is_file())
    path = files[number % len(files)]
    data = bytearray(path.read_bytes())
    if deed == "flip" and data:
        data[place % len(data)] ^= 1 << place % 8
    elif deed == "cut":
        del data[place % (len(data) + 1) :]
    elif deed == "empty":
        data.clear()
    elif deed == "garbage":
        data[:] = bytes(place >> 8 * step % 24 & 255 for step in range(1000))
    elif deed == "swap":
        data[:] = files[place % len(files)].read_bytes()
    elif deed == "grow":
        data += bytes(1000)
    path.write_bytes(data)
    if deed == "folder":
        path.unlink()
        path.mkdir()
    elif deed == "unreadable":
        path.chmod(0)
    return copied


def _healed(case: Case, done: Done, folder: Path) -> str:
    """Whether a run with a damaged cache gave what it gives with a whole one; a word on standard error is welcome."""
    if done.status != 0 or "Traceback" in done.err:
        return verdict(case, done, folder) or f"cache status {done.status}: {done.err[:200]!r}"
    saved = json.loads((folder / "out.json").read_text(encoding="utf-8"))
    return "" if json.dumps(saved["results"]) == _whole_cache()[1] else "cache other results"
