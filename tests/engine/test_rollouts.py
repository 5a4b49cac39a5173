"""Rollouts: jobs are the games of a run, with game rng and agent rng apart, from positions that are known or not."""

from __future__ import annotations

import threading
from types import SimpleNamespace

import numpy as np
import pytest

from playmill import Game, State, simulate
from playmill.engine.compile.game_kernels import agent_numbers
from playmill.engine.run.rollouts import NONE, PUBLIC, RolloutAgent, Rollouts, Tags, jobs_of


@pytest.fixture(scope="module")
def rollouts() -> Rollouts:
    from common.found import game_of

    game = game_of("pig")
    members = [RolloutAgent(agent_numbers(game)["threshold"], (20.0,)), RolloutAgent(agent_numbers(game)["random"])]
    return Rollouts(game, game.config(), 2, members, interpreted=True)


def test_jobs_from_their_deals_are_the_games_of_a_run(pig: Game, rollouts: Rollouts) -> None:
    parts = []
    simulate(pig, games=20, seed=7, agents="threshold", backend="interpreted", on_part=parts.append)
    found = rollouts.play(jobs_of(20, 2, seed=7))
    assert found.rows.tobytes() == b"".join(part.rows.tobytes() for part in parts)
    assert found.paid[:, 0].tolist() == (found.rows["winner"] == 0).tolist()
    assert (found.notes["options"] == 2 * found.notes["decisions"]).all()  # roll or hold
    assert (found.notes["forced"] >= found.rows["turns"] - 1).all()  # each turn begins with a throw


def test_game_rng_and_agent_rng_are_taken_apart(rollouts: Rollouts) -> None:
    jobs = jobs_of(8, 2, seed=3)
    jobs["rng_game"] = 5
    alike = rollouts.play(jobs)
    assert len(np.unique(alike.rows.view(np.uint8).reshape(8, -1), axis=0)) == 1  # no agent draws
    jobs["who"] = 1
    assert len(np.unique(rollouts.play(jobs).rows.view(np.uint8).reshape(8, -1), axis=0)) > 1


def test_a_game_goes_on_from_a_position_after_the_action_asked_for(pig: Game, rollouts: Rollouts) -> None:
    state = State(pig, seed=1, interpreted=True)
    record = np.zeros(1, pig.state)
    record[0] = state.record
    record["total"] = (90, 99)
    record["pot"] = 12
    jobs = jobs_of(30, 2, seed=9)
    jobs["position"], jobs["known"], jobs["action"] = 0, PUBLIC, 1
    assert rollouts.play(jobs, positions=record).paid[:, 0].tolist() == [1.0] * 30  # held: 102
    jobs["action"] = 0
    assert 0 < rollouts.play(jobs, positions=record).paid[:, 0].mean() < 1  # thrown once more


def test_decisions_are_counted_by_what_they_offered_and_what_was_chosen(pig: Game, rollouts: Rollouts) -> None:
    tags = Tags(np.array([[0, 2, NONE, NONE], [1, 2, NONE, NONE]]), 3)
    found = rollouts.play(jobs_of(60, 2, seed=2), tags=tags)  # in several portions
    decisions = int(found.notes["decisions"].sum())
    forced = int(found.notes["forced"].sum())  # the first throw of a turn
    assert found.counts["met"].tolist() == [decisions + forced, decisions, decisions + forced]
    assert found.counts["used"][:2].sum() == found.counts["used"][2] == decisions + forced
    assert found.counts["offered"].tolist() == [decisions, decisions, 0]  # the third is all there is
    assert found.counts["chosen"].tolist() == [found.counts["used"][0] - forced, found.counts["used"][1], 0]


def test_a_lapse_is_a_choice_at_random(rollouts: Rollouts) -> None:
    jobs = jobs_of(30, 2, seed=2)
    sure = rollouts.play(jobs)
    jobs["lapse"] = 1.0
    wild = rollouts.play(jobs)
    assert wild.notes["decisions"].sum() != sure.notes["decisions"].sum()
    jobs["lapse"] = 0.0
    assert rollouts.play(jobs).rows.tobytes() == sure.rows.tobytes()


@pytest.mark.parametrize("interpreted", [False, True])
def test_compiled_games_of_an_author_leave_the_main_thread_to_ctrl_c(
    interpreted: bool, rollouts: Rollouts, monkeypatch: pytest.MonkeyPatch
) -> None:
    threads: list[threading.Thread] = []
    kernels = SimpleNamespace(play_rollouts=lambda *_: threads.append(threading.current_thread()))
    monkeypatch.setattr(rollouts, "_kernels", kernels)
    monkeypatch.setattr(rollouts, "interpreted", interpreted)
    rollouts.play(jobs_of(1, 2, seed=1))
    assert [thread is threading.current_thread() for thread in threads] == [interpreted]
