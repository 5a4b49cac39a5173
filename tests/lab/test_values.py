"""Values learned from what games of fast agents brought."""

from __future__ import annotations

import numpy as np
import pytest

from common.found import game_of
from playmill import PlaymillError, State, simulate
from playmill.agents.agent_specs import seats_for
from playmill.engine.run.rollouts import RolloutAgent
from playmill.lab.learn.self_play import Job, SelfPlay
from playmill.lab.learn.values import learn_values


def _played(game, count, *, workers, until=0, lapse=0.0):
    seats = [seats_for(game, 2, [name])[0] for name in (game.search.rollout, "random")]
    cast = [RolloutAgent(one.number, one.params) for one in seats]
    jobs = np.zeros(count, Job)
    jobs["seed"], jobs["game"], jobs["until"], jobs["lapse"] = 5, np.arange(count), until, lapse
    return SelfPlay(game, game.config(), 2, cast, workers).positions(jobs, 3)


def test_positions_depend_on_their_games_alone(pig):
    one, two = _played(pig, 200, workers=1), _played(pig, 200, workers=3)
    assert (one.seen == two.seen).all() and (one.paid == two.paid).all()
    assert one.decisions == two.decisions > 2


def test_what_a_game_brought_stands_beside_its_positions(pig):
    """Without lapses the games are those of a run: the same deals, the same agents."""
    found = _played(pig, 30, workers=1)
    run = simulate(pig, games=30, seed=5, agents=[pig.search.rollout])
    assert found.decisions == pytest.approx(run.games["decisions"].mean())
    assert set(np.unique(found.seen[:, -1])) == {0, 1}
    assert (found.paid.sum(axis=1) == found.paid[0].sum()).all()
    first = State(pig, seed=5, number=0, interpreted=True)
    assert found.seen.shape[1] == len(first.observation_tensor()) + 1


def test_positions_come_after_the_lapses(pig):
    """Where everybody chooses at random for 1000 decisions no game is left to keep positions of."""
    assert len(_played(pig, 20, workers=1, until=1000, lapse=1.0).seen) == 0


def test_values_of_pig_explain_who_wins(pig, tmp_path):
    told = []
    left = learn_values(pig, save=tmp_path / "values.npz", minutes=0.1, size=16, workers=1, told=told.append)
    assert left < 0.85, "who is ahead by a hundred points wins more often"
    assert len(told) == 4 and told[-1].startswith("4/4: ")
    run = simulate(pig, games=4, agents=[f"search:net={tmp_path / 'values.npz'},iterations=10", "random"])
    assert len(run.games) == 4


def test_only_compiled_agents_are_asked(tmp_path):
    with pytest.raises(PlaymillError, match="games of compiled agents; search:iterations=5 is none"):
        learn_values(game_of("pig"), save=tmp_path / "values.npz", agents=["search:iterations=5"])
