"""The GPU helper with the CPU in place of a GPU: the same process and messages; it is killed, changed, refused."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import stat
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest

from common.found import FOLDERS
from playmill import PlaymillError, compare, load_game, simulate, sweep
from playmill.lab.runs.executors.gpu_helper import executor, serve, start, wire
from playmill.report.files.writing import results_text

GAMES = 20_000


@pytest.fixture
def helper(monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Has a helper play on the CPU, in a folder of its own; it ends with the test."""
    folder = tmp_path_factory.mktemp("h")
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(folder))
    monkeypatch.setenv(start.VARIABLE, "1")
    monkeypatch.setattr("playmill.lab.runs.executors.where._HELPED", ("cpu",))
    monkeypatch.setattr("playmill.lab.runs.executors.where._DEVICE", Path("/"))
    monkeypatch.setattr(start, "_started", {})
    yield folder
    for process in start._started.values():
        process.kill()
        process.wait()


def process_of(path: Path | None = None) -> subprocess.Popen[bytes]:
    return start._started[path or start.address()]


@pytest.fixture
def alone(monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """Notes every executor of a helper's that has to play by itself."""
    found: list[object] = []
    before = executor.Helped._go_alone
    monkeypatch.setattr(executor.Helped, "_go_alone", lambda self: [found.append(self), before(self)][1])
    return found


def without_helper(monkeypatch: pytest.MonkeyPatch, play: Callable[[], object]) -> object:
    with monkeypatch.context() as patch:
        patch.setenv(start.VARIABLE, "0")
        return play()


def test_every_question_comes_to_the_same_through_the_helper(pig, helper, alone, monkeypatch):
    questions = {
        "simulate": lambda: simulate(pig, games=GAMES, seed=3).results,
        "rotated": lambda: simulate(pig, games=GAMES, agents=("random", "threshold"), rotate=True).results,
        "compare": lambda: compare(pig, b={"set": {"target": 50}}, games=500).json()["results"],
        "until sure": lambda: compare(pig, b={"set": {"target": 50}}, until_sure="turns", games=900).json()["results"],
        "sweep": lambda: sweep(pig, over=["target=50,60"], show=["turns"], games=300).json()["results"],
    }
    for name, question in questions.items():
        here = without_helper(monkeypatch, question)
        assert name != "simulate" or not start._started
        assert results_text(question()) == results_text(here), name
    assert len(start._started) == 1
    assert process_of().poll() is None
    assert alone == []


def test_rows_and_kept_runs_are_the_same_bytes(pig, helper, alone, monkeypatch):
    there = simulate(pig, games=GAMES, seed=3)
    here = without_helper(monkeypatch, lambda: simulate(pig, games=GAMES, seed=3))
    assert there.games.equals(here.games)
    simulate(pig, games=5 * 2**14 + 100, keep="there", rows=False)
    without_helper(monkeypatch, lambda: simulate(pig, games=5 * 2**14 + 100, keep="here", rows=False))
    home = Path(os.environ["PLAYMILL_HOME"]) / "runs"
    files = [
        {str(path.relative_to(home / name)): path.read_bytes() for path in (home / name).glob("*/*") if path.is_file()}
        for name in ("there", "here")
    ]
    assert files[0] == files[1]
    assert files[0]
    assert alone == []


@pytest.mark.parametrize("name", [signal.SIGKILL, signal.SIGTERM])
def test_a_helper_that_dies_in_the_middle_changes_nothing(pig, helper, alone, monkeypatch, name):
    here = without_helper(monkeypatch, lambda: simulate(pig, games=40 * GAMES, seed=9, keep_games=False))
    heard: list[int] = []

    def progress(done: int) -> None:
        if not heard:
            process_of().send_signal(name)
            process_of().wait()
        heard.append(done)

    there = simulate(pig, games=40 * GAMES, seed=9, keep_games=False, progress=progress)
    assert results_text(there.results) == results_text(here.results)
    assert len(alone) == 1
    assert heard[0] < 40 * GAMES
    assert heard == sorted(heard)


def test_one_that_dies_while_a_comparison_prepares_is_not_missed(pig, helper, alone, monkeypatch):
    here = without_helper(monkeypatch, lambda: compare(pig, b={"set": {"target": 50}}, games=300))
    sent = wire.send

    def send(connection: socket.socket, message: dict) -> None:
        sent(connection, message)
        if "plan" in message:
            process_of().kill()

    monkeypatch.setattr(executor, "send", send)
    there = compare(pig, b={"set": {"target": 50}}, games=300)
    assert results_text(there.json()["results"]) == results_text(here.json()["results"])
    assert alone


def test_the_second_question_finds_the_helper_of_the_first(pig, helper):
    simulate(pig, games=100)
    first = process_of().pid
    simulate(pig, games=100, seed=1)
    assert [process.pid for process in start._started.values()] == [first]
    # A program of its own, too.
    monkey = (
        "import playmill.lab.runs.executors.where as where; from pathlib import Path; from playmill import simulate;"
    )
    monkey += "where._HELPED, where._DEVICE = ('cpu',), Path('/');"
    code = f"{monkey} simulate({str(FOLDERS['pig'])!r}, games=100);"
    code += "from playmill.lab.runs.executors.gpu_helper.start import _started; print(len(_started))"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout == "0\n"


def test_nobody_else_can_enter_its_folder_and_its_socket_is_private(pig, helper):
    simulate(pig, games=100)
    path = start.address()
    assert path is not None
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    assert stat.S_IMODE(path.stat().st_mode) & 0o077 == 0
    path.parent.chmod(0o755)
    assert start.address() is None
    assert not start.is_possible()
    assert simulate(pig, games=100).info.games == 100


def test_a_folder_that_is_a_link_is_not_trusted(pig, helper, tmp_path):
    (helper / f"playmill-gpu-{os.getuid()}").symlink_to(tmp_path)
    tmp_path.chmod(0o700)
    assert start.address() is None


def test_whoever_listens_there_as_somebody_else_is_not_asked(pig, helper, alone, monkeypatch):
    simulate(pig, games=100)
    path, real = start.address(), os.getuid()
    monkeypatch.setattr(start, "address", lambda: path)
    monkeypatch.setattr(start, "_STARTING", 0.2)
    # The other end is now, for this process, another user's.
    monkeypatch.setattr(os, "getuid", lambda: real + 1)
    with pytest.raises(wire.LostHelperError, match="somebody else's"):
        start.connect()


def test_another_source_or_environment_is_another_helper(pig, helper, monkeypatch):
    mine = start.address()
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "1")
    assert start.address() != mine
    monkeypatch.delenv("CUDA_VISIBLE_DEVICES")
    assert start.address() == mine
    monkeypatch.setattr(start, "_source", lambda: ["another"])
    assert start.address() != mine


def test_one_with_another_identity_is_not_used(pig, helper, alone, monkeypatch):
    simulate(pig, games=100)
    monkeypatch.setattr(executor, "identity", lambda: "another")
    assert simulate(pig, games=100).info.games == 100
    assert len(alone) == 1


def test_rules_that_were_changed_are_played_as_they_are_now(helper, alone, tmp_path):
    folder = tmp_path / "mypig"
    shutil.copytree(FOLDERS["pig"], folder)
    simulate(load_game(str(folder)), games=100)
    helper_process = process_of()
    rules = folder / "rules.py"
    rules.write_text(rules.read_text(encoding="utf-8") + "\n# changed\n", encoding="utf-8")
    simulate(load_game(str(folder)), games=100)
    assert len(alone) == 1
    assert helper_process.wait(10) == 0, "it holds rules that are no more, and so it ends"


def test_an_error_of_the_games_is_the_same_sentence(helper, monkeypatch, tmp_path):
    folder = tmp_path / "badpig"
    shutil.copytree(FOLDERS["pig"], folder)
    game = load_game(str(folder))
    with pytest.raises(PlaymillError, match="random, threshold"):
        simulate(game, games=100, agents=("nobody",))


def test_it_ends_when_nobody_has_asked_for_a_while(pig, helper, monkeypatch):
    monkeypatch.setenv(start.VARIABLE, "0.02")
    simulate(pig, games=100)
    path, process = start.address(), process_of()
    assert process.wait(20) == 0
    assert path is not None
    assert not path.exists()


def test_a_stop_is_heard_at_once_and_what_is_done_counts(pig, helper, alone, ctrl_c):
    begun: list[float] = []

    def progress(done: int) -> None:
        if not begun:
            begun.append(time.monotonic())
            os.kill(os.getpid(), signal.SIGINT)

    found = simulate(pig, games=10**9, progress=progress, keep_games=False, keep=False)
    assert time.monotonic() - begun[0] < 5
    assert 0 < found.info.games < 10**9
    assert not found.info.complete
    assert alone == []
    assert process_of().poll() is None


def test_one_that_cannot_be_started_or_ends_at_once_is_not_waited_for(pig, helper, alone, monkeypatch):
    monkeypatch.setattr(start.sys, "executable", "/bin/false")
    begun = time.monotonic()
    assert simulate(pig, games=100).info.games == 100
    monkeypatch.setattr(start.sys, "executable", str(helper / "nothing"))
    start._source.cache_clear()
    assert simulate(pig, games=100).info.games == 100
    start._source.cache_clear()
    assert len(alone) == 2
    assert time.monotonic() - begun < 20


def test_a_stop_is_heard_where_the_next_part_is_always_there(pig, helper, alone, ctrl_c, monkeypatch):
    monkeypatch.setattr(executor.select, "select", lambda read, *rest: (read, [], []))
    stopped: list[int] = []

    def progress(done: int) -> None:
        if not stopped:
            os.kill(os.getpid(), signal.SIGINT)
        stopped.append(done)

    found = simulate(pig, games=10**9, progress=progress, keep_games=False, keep=False)
    assert 0 < found.info.games < 10**8
    assert alone == []


def test_many_plans_take_turns_on_few_connections(pig, helper, alone, monkeypatch):
    def question() -> object:
        return sweep(pig, over=["target=50..58"], show=["turns"], games=100).json()["results"]

    here = without_helper(monkeypatch, question)
    monkeypatch.setattr(executor, "_MOST_CONNECTED", 2)
    assert results_text(question()) == results_text(here)
    assert len(executor._connected) <= 2
    assert alone == []


def test_two_questions_at_once_are_both_answered(pig, helper, alone):
    found: dict[int, str] = {}

    def ask(seed: int) -> None:
        found[seed] = results_text(simulate(pig, games=GAMES, seed=seed).results)

    simulate(pig, games=100)
    threads = [threading.Thread(target=ask, args=(seed,)) for seed in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(set(found.values())) == 3
    assert alone == []


@pytest.mark.parametrize("said", ["x", "-1", "nan"])
def test_a_wrong_number_of_minutes_is_one_sentence(pig, helper, monkeypatch, said):
    monkeypatch.setenv(start.VARIABLE, said)
    with pytest.raises(PlaymillError, match=f"PLAYMILL_GPU_HELPER is '{said}'; expected minutes"):
        simulate(pig, games=10)


def test_what_is_sent_is_json_and_bytes_and_nothing_else_is_taken():
    here, there = socket.socketpair()
    with here, there:
        wire.send(here, {"a": [1, "two"], "b": b"\x00\xff"})
        assert wire.receive(there) == {"a": [1, "two"], "b": b"\x00\xff"}
        for bad in (b"\xff\xff\xff\xff", b"\x00\x00\x00\x02{}", b"\x00\x00\x00\x05[1,2]"):
            here.sendall(bad)
            with pytest.raises(wire.LostHelperError):
                wire.receive(there)
    with pytest.raises(wire.LostHelperError):
        wire.part_of({"first": 0, "games": 1, "cells": b"x"}, np.dtype([("a", np.int64)]))


def test_memory_is_freed_once_when_the_last_of_many_connections_is_closed(monkeypatch, tmp_path):
    freed = []
    monkeypatch.setattr(serve, "_free_memory", lambda: freed.append(threading.active_count()))
    busy = serve.GpuHelper(tmp_path / "socket", "identity", 1.0)
    busy._uses_gpu = True
    before = threading.active_count()
    pairs = [socket.socketpair() for _ in range(5)]
    for _, there in pairs:
        busy._accept(there)
    for here, _ in pairs:
        assert wire.receive(here) == {"identity": "identity"}
        assert freed == []
        here.close()
    deadline = time.monotonic() + 10
    while threading.active_count() > before and time.monotonic() < deadline:
        time.sleep(0.01)
    assert len(freed) == 1
