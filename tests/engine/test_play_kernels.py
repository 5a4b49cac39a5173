"""Only what plays is compiled: the loops once for a game, an agent when it first sits down, one game not at all."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from common.fresh import fresh_pig
from playmill import Game, State
from playmill.engine.compile.game_kernels import agent_numbers
from playmill.engine.compile.play_kernels import compiled, kernels_of, strict_kernels
from playmill.engine.lang import compiler
from playmill.engine.run.backends import Cpu, Interpreted
from playmill.engine.run.lookup_tables import NO_LOOKUP_TABLES
from playmill.engine.run.match import Match, new_workspace
from playmill.lab.replays.narration import narrate

pytestmark = pytest.mark.skipif(compiler.is_off(), reason="nothing is compiled")


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty cache."""
    monkeypatch.setenv("PLAYMILL_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


@pytest.fixture
def fresh(tmp_path: Path, cache: Path) -> Game:
    return fresh_pig(tmp_path)


def match_of(game: Game, *agents: str, seed: int = 5) -> Match:
    numbers = tuple(agent_numbers(game)[name] for name in agents)
    params = tuple(tuple(one.default for one in game.agents[name].parameters.values()) for name in agents)
    return Match(game, game.config(), len(agents), seed, numbers, (0,) * len(agents), params)


def kept(cache: Path) -> list[str]:
    return sorted(path.name.partition("-")[0] for path in cache.rglob("*") if path.is_file())


def test_only_agents_that_play_are_compiled_and_the_loops_once(fresh: Game, cache: Path) -> None:
    Cpu(match_of(fresh, "random", "random")).play(0, 10)
    assert kept(cache) == ["play_games"]
    assert not kernels_of(fresh).can_play([1])
    found = Cpu(match_of(fresh, "random", "threshold")).play(0, 200)
    assert kept(cache) == ["answer_at", "play_games"]
    assert kernels_of(fresh).can_play([0, 1])
    again = Interpreted(match_of(fresh, "random", "threshold")).play(0, 200)
    assert found.rows.tobytes() == again.rows.tobytes()
    assert found.counts.tobytes() == again.counts.tobytes()


def test_the_loops_of_a_game_are_looked_for_once(fresh: Game) -> None:
    assert kernels_of(fresh) is compiled(fresh, strict=False), "its rules are hashed for it, which takes a while"


def test_one_game_is_told_without_the_compiler(fresh: Game, cache: Path) -> None:
    config = fresh.config()
    told = [*narrate(fresh, players=2, seed=3, agents=["threshold"], config=config, lang="en")]
    assert kept(cache) == []
    compiled = [*narrate(fresh, players=2, seed=3, agents=["threshold"], config=config, lang="en", interpreted=False)]
    assert told == compiled
    assert kept(cache) == ["answer_at", "ask"]
    assert not State(fresh, interpreted=None).interpreted


def test_an_answer_that_is_no_action_is_a_slip_however_it_is_asked_for(
    pig: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    workspace = new_workspace(match_of(pig, "threshold", "threshold"))
    for kernels in (kernels_of(pig), strict_kernels(pig)):
        monkeypatch.setattr(f"{kernels.__module__}._Agent.answer", lambda self, workspaces, lookup, n: pig.actions + 7)
        assert kernels.agent_choice(workspace, NO_LOOKUP_TABLES.values, 1, 2) == -1
        assert np.all(workspace["invalid_action"] == pig.actions + 7)
