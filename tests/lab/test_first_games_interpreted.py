"""The first games are played at once, by the interpreter; compiling is told of, and is no part of playing."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest

from common.fresh import fresh_pig
from playmill import Game, simulate, stdio
from playmill.agents.agent_specs import seats_for
from playmill.agents.mixed_match import MixedMatch
from playmill.agents.search.search_agent import is_compiled
from playmill.engine.lang import compiler
from playmill.lab.runs.executors import threads
from playmill.lab.runs.resolved_plan import resolve_plan

compiles = pytest.mark.skipif(compiler.is_off(), reason="nothing is compiled")


@pytest.fixture
def fresh(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Game:
    monkeypatch.setenv("PLAYMILL_CACHE", str(tmp_path / "cache"))
    return fresh_pig(tmp_path)


@compiles
def test_few_games_need_no_compiler_and_many_begin_without_it(fresh: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(threads, "_FEW", 1e9)
    few = simulate(fresh, games=60, agents="threshold", at_once=True)
    assert resolve_plan(fresh, agents="threshold").would_compile()
    monkeypatch.setattr(threads, "_AT_ONCE", 0.0)
    monkeypatch.setattr(threads, "_FEW", 0.0)
    told: list[int] = []
    many = simulate(fresh, games=60, agents="threshold", at_once=True, progress=told.append)
    assert not resolve_plan(fresh, agents="threshold").would_compile()
    assert told[0] < 60 == told[-1]
    assert few.results == many.results == simulate(fresh, games=60, agents="threshold").results
    assert few.games.equals(many.games)


@compiles
def test_who_watches_hears_what_the_interpreter_and_the_compiler_do(
    fresh: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(threads, "_FEW", 1e9)
    heard: list[str] = []
    with stdio.watching(lambda told: heard.append(told.en)):
        simulate(fresh, games=1, at_once=True)
    assert heard == ["trying the first games, interpreted", "playing the first games"]
    simulate(fresh, games=1, at_once=True)
    assert len(heard) == 2


def test_what_is_left_of_ranges() -> None:
    ranges = [range(4), range(8, 10)]
    left = [threads.without_first(ranges, played) for played in range(7)]
    assert left[0] == ranges
    assert left[3] == [range(3, 4), range(8, 10)]
    assert left[4] == [range(8, 10)]
    assert left[5] == [range(9, 10)]
    assert left[6] == []


def test_compiling_is_no_part_of_how_long_a_run_takes(pig: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    played = threads.Threads.play

    def waiting(self, ranges):
        for part in played(self, ranges):
            self.waited = 1e6
            yield part

    monkeypatch.setattr(threads.Threads, "play", waiting)
    found = simulate(pig, games=100)
    assert found.info.elapsed_s < 0


@compiles
def test_search_is_compiled_before_the_first_game(pig: Game) -> None:
    resolved = resolve_plan(pig, agents=["search:iterations=20", "threshold"])
    first, second = (
        MixedMatch(resolved.match(), seats_for(pig, 2, ["search:iterations=20", "threshold"])) for _ in range(2)
    )
    first.play(0, 0)
    assert is_compiled(pig)
    assert first.play(0, 2).rows.tobytes() == second.play(0, 2).rows.tobytes()


def test_who_waits_is_told_once_and_only_at_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    told, heard = threading.Event(), []
    monkeypatch.setattr(stdio, "_PATIENCE", 0.0)
    monkeypatch.setattr(stdio, "complain", lambda sentence: (heard.append(sentence), told.set()))
    with stdio.report_if_long("compiling"):
        pass
    monkeypatch.setattr(stdio._Waiting, "there", True)
    monkeypatch.setattr(stdio._Waiting, "shown_already", set())
    for _ in range(2):
        with stdio.report_if_long("compiling"):
            assert told.wait(60)
    assert heard == ["compiling"]
