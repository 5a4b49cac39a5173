"""What a run needs is compiled by a second process while the interpreter plays: one at a time, killed or not."""

from __future__ import annotations

import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from common.fresh import fresh_pig
from playmill import Game, PlaymillError, simulate
from playmill.agents.fallbacks import Fallbacks
from playmill.engine.compile.play_kernels import compiled
from playmill.engine.lang import compiler
from playmill.interrupts import Stop
from playmill.lab.runs.executors import background_compile, threads
from playmill.lab.runs.resolved_plan import ExecutionOptions, ResolvedPlan, resolve_plan

pytestmark = pytest.mark.skipif(
    compiler.is_off() or background_compile.fcntl is None, reason="nothing is compiled, or not here"
)
_LONG = 600


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """An empty cache, for which processes may be started; they end with the test."""
    folder = tmp_path / "cache"
    folder.mkdir(mode=0o700)
    monkeypatch.setenv("PLAYMILL_CACHE", str(folder))
    monkeypatch.setenv(background_compile.VARIABLE, "1")
    monkeypatch.delenv("CI", raising=False)
    monkeypatch.setattr(background_compile, "_started", [])
    yield folder
    for process in background_compile._started:
        process.kill()
        process.wait()


@pytest.fixture
def fresh(cache: Path, tmp_path: Path) -> Game:
    return fresh_pig(tmp_path)


def planned(game: Game, agents: str = "threshold") -> ResolvedPlan:
    return resolve_plan(game, agents=agents)


def started() -> subprocess.Popen[bytes]:
    return background_compile._started[-1]


def until(holds: Callable[[], object]) -> None:
    end = time.monotonic() + _LONG
    while not holds():
        assert time.monotonic() < end
        time.sleep(0.02)


def kept_code(cache: Path) -> set[str]:
    return {path.name.partition("-")[0] for path in cache.glob("*-cpu-*/*")}


def test_few_games_are_interpreted_and_the_next_run_is_compiled(fresh: Game, cache: Path) -> None:
    few = simulate(fresh, games=20, agents="threshold", at_once=True)
    assert started().wait(_LONG) == 0
    assert kept_code(cache) == {"play_games"}
    assert not planned(fresh).would_compile(), "the agent was compiled, too"
    again = simulate(fresh, games=20, agents="threshold", at_once=True)
    assert again.results == few.results and again.games.equals(few.games)
    assert len(background_compile._started) == 1, "what is compiled is not compiled again"
    assert compiled(fresh, strict=False)._loops.play_games.compiled == 0, "and here it was only loaded"


def test_it_gives_way_when_nobody_waits_any_more(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    done: list[tuple[int, int, int]] = []
    parents = iter([7, 7, 1])
    fake = SimpleNamespace(
        getppid=lambda: next(parents), getpid=lambda: 8, PRIO_PROCESS=0, setpriority=lambda *how: done.append(how)
    )
    monkeypatch.setattr(background_compile, "os", fake)
    monkeypatch.setattr(background_compile, "default_workers", lambda: 2)
    background_compile._give_way(7)
    assert done == [(0, 8, background_compile._NICE)] and not [*parents]
    monkeypatch.setattr(background_compile, "default_workers", lambda: 1)
    parents = iter([7])
    background_compile._give_way(7)
    assert len(done) == 2, "on an only core it always does"


def test_who_is_killed_leaves_nothing_broken(fresh: Game, cache: Path) -> None:
    compiling = background_compile.start(planned(fresh), strict=False)
    assert compiling is not None
    until(lambda: background_compile._compiled_now(cache))
    second = background_compile.start(planned(fresh), strict=False)
    assert second is not None and second.is_running() and len(background_compile._started) == 1
    started().kill()
    started().wait()
    assert not compiling.is_running() and not second.is_running()
    assert planned(fresh).would_compile() and kept_code(cache) == set()
    assert simulate(fresh, games=20, agents="threshold").info.games == 20
    assert not planned(fresh).would_compile()


def test_one_compiles_one_waits_and_others_go(fresh: Game, cache: Path, tmp_path: Path) -> None:
    lock = background_compile._locked(cache / background_compile._NOW)
    assert lock is not None and background_compile._locked(cache / background_compile._NOW) is None
    background_compile.start(planned(fresh), strict=False)
    first = started()
    until(lambda: _is_locked(cache / background_compile._NEXT))
    background_compile.start(planned(fresh_pig(tmp_path)), strict=False)
    assert started() is not first and started().wait(_LONG) == 0
    assert first.poll() is None and kept_code(cache) == set()
    rules = tmp_path / fresh.name / "rules.py"
    rules.write_text(rules.read_text(encoding="utf-8") + "\n_CHANGED = 1\n", encoding="utf-8")
    lock.close()
    assert first.wait(_LONG) == 0
    assert kept_code(cache) == set(), "it was asked to compile rules that are no more"


def _is_locked(path: Path) -> bool:
    if not path.exists():
        return False
    lock = background_compile._locked(path)
    if lock is not None:
        lock.close()
    return lock is None


@pytest.mark.parametrize(
    ("variable", "word", "wanted"),
    [
        (background_compile.VARIABLE, "0", False),
        (background_compile.VARIABLE, "off", False),
        ("CI", "true", False),
        (background_compile.VARIABLE, "1", True),
        (background_compile.VARIABLE, "", True),
    ],
)
def test_it_can_be_switched_off(
    cache: Path, monkeypatch: pytest.MonkeyPatch, variable: str, word: str, wanted: bool
) -> None:
    monkeypatch.setenv(variable, word)
    assert background_compile.is_wanted() == wanted


def test_switched_off_it_starts_nothing(fresh: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(background_compile.VARIABLE, "0")
    simulate(fresh, games=2, at_once=True)
    assert background_compile._started == []


def test_what_cannot_be_compiled_is_tried_once(fresh: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuses(self: ResolvedPlan, work: object) -> Any:
        raise PlaymillError("a rule cannot be compiled", "правило не компилируется")

    with monkeypatch.context() as patch:
        patch.setattr(ResolvedPlan, "player_maker", refuses)
        background_compile.compile_for(planned(fresh), strict=False)
    assert background_compile.start(planned(fresh), strict=False) is None
    assert background_compile._started == []
    other = background_compile.start(planned(fresh), strict=True)
    assert other is not None and other.is_running(), "another one is tried"


def test_many_games_are_interpreted_until_they_are_compiled(fresh: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    plan, looks, told = planned(fresh), [], []
    alone = simulate(fresh, games=300, agents="threshold", backend="interpreted")

    def is_running() -> bool:
        looks.append(plan.would_compile())
        if len(looks) == 4:
            simulate(fresh, games=1, agents="threshold")  # in place of the other process
        return len(looks) < 5

    monkeypatch.setattr(background_compile, "start", lambda *_, **__: SimpleNamespace(is_running=is_running))
    monkeypatch.setattr(threads, "default_workers", lambda: 2)
    monkeypatch.setattr(threads, "_AT_ONCE", 0.0)
    monkeypatch.setattr(threads, "_FEW", 0.0)
    monkeypatch.setattr(threads, "_LOADED", 0.0)
    many = simulate(fresh, games=300, agents="threshold", at_once=True, progress=told.append)
    assert looks == [True] * 4 + [False]
    assert len({*told}) > 4 and told[-1] == 300
    assert many.results == alone.results and many.games.equals(alone.games)


def test_the_only_core_is_left_to_the_compiler(fresh: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    executor: Any = threads.Threads(planned(fresh), ExecutionOptions("cpu", False, Fallbacks(), Stop()))
    monkeypatch.setattr(threads, "default_workers", lambda: 1)
    monkeypatch.setattr(threads, "_LOADED", 0.0)
    looks = iter([True, True, False])
    executor._compiling = SimpleNamespace(is_running=lambda: next(looks))
    assert executor._is_slow(threads._FEW + 1) and not [*looks], "waited for, and then better played compiled"
    executor._compiling = SimpleNamespace(is_running=lambda: True)
    assert not executor._is_slow(threads._FEW), "but few games are played meanwhile"
