"""Probing: jobs are the games of a run, luck and whims taken apart, positions known by all, by one or by everybody."""

from __future__ import annotations

import threading
from types import SimpleNamespace

import numpy as np
import pytest

from playmill import Game, State, simulate
from playmill.engine.compile.game_kernels import agent_numbers
from playmill.engine.run.probes import NONE, PUBLIC, Member, Probe, Tags, jobs_of


@pytest.fixture(scope="module")
def probe() -> Probe:
    from common.found import game_of

    game = game_of("pig")
    members = [Member(agent_numbers(game)["threshold"], (20.0,)), Member(agent_numbers(game)["random"])]
    return Probe(game, game.config(), 2, members, interpreted=True)


def test_jobs_from_their_deals_are_the_games_of_a_run(pig: Game, probe: Probe) -> None:
    parts = []
    simulate(pig, games=20, seed=7, agents="threshold", backend="interpreted", on_part=parts.append)
    found = probe.play(jobs_of(20, 2, seed=7))
    assert found.rows.tobytes() == b"".join(part.rows.tobytes() for part in parts)
    assert found.paid[:, 0].tolist() == (found.rows["winner"] == 0).tolist()
    assert (found.notes["options"] == 2 * found.notes["decisions"]).all()  # roll or hold
    assert (found.notes["forced"] >= found.rows["turns"] - 1).all()  # each turn begins with a throw


def test_luck_and_whims_are_taken_apart(probe: Probe) -> None:
    jobs = jobs_of(8, 2, seed=3)
    jobs["luck"] = 5
    alike = probe.play(jobs)
    assert len(np.unique(alike.rows.view(np.uint8).reshape(8, -1), axis=0)) == 1  # nobody has whims
    jobs["who"] = 1
    assert len(np.unique(probe.play(jobs).rows.view(np.uint8).reshape(8, -1), axis=0)) > 1


def test_a_game_goes_on_from_a_position_after_the_action_asked_for(pig: Game, probe: Probe) -> None:
    state = State(pig, seed=1, interpreted=True)
    record = np.zeros(1, pig.state)
    record[0] = state.record
    record["total"] = (90, 99)
    record["pot"] = 12
    jobs = jobs_of(30, 2, seed=9)
    jobs["position"], jobs["known"], jobs["action"] = 0, PUBLIC, 1
    assert probe.play(jobs, positions=record).paid[:, 0].tolist() == [1.0] * 30  # held: 102
    jobs["action"] = 0
    assert 0 < probe.play(jobs, positions=record).paid[:, 0].mean() < 1  # thrown once more


def test_decisions_are_counted_by_what_they_offered_and_what_was_chosen(pig: Game, probe: Probe) -> None:
    tags = Tags(np.array([[0, 2, NONE, NONE], [1, 2, NONE, NONE]]), 3)
    found = probe.play(jobs_of(60, 2, seed=2), tags=tags)  # in several portions
    decisions = int(found.notes["decisions"].sum())
    forced = int(found.notes["forced"].sum())  # the first throw of a turn
    assert found.counts["met"].tolist() == [decisions + forced, decisions, decisions + forced]
    assert found.counts["used"][:2].sum() == found.counts["used"][2] == decisions + forced
    assert found.counts["offered"].tolist() == [decisions, decisions, 0]  # the third is all there is
    assert found.counts["chosen"].tolist() == [found.counts["used"][0] - forced, found.counts["used"][1], 0]


def test_a_lapse_is_a_choice_at_random(probe: Probe) -> None:
    jobs = jobs_of(30, 2, seed=2)
    sure = probe.play(jobs)
    jobs["lapse"] = 1.0
    wild = probe.play(jobs)
    assert wild.notes["decisions"].sum() != sure.notes["decisions"].sum()
    jobs["lapse"] = 0.0
    assert probe.play(jobs).rows.tobytes() == sure.rows.tobytes()


@pytest.mark.parametrize("interpreted", [False, True])
def test_compiled_games_of_an_author_leave_the_main_thread_to_ctrl_c(
    interpreted: bool, probe: Probe, monkeypatch: pytest.MonkeyPatch
) -> None:
    threads: list[threading.Thread] = []
    kernels = SimpleNamespace(probe=lambda *_: threads.append(threading.current_thread()))
    monkeypatch.setattr(probe, "_kernels", kernels)
    monkeypatch.setattr(probe, "interpreted", interpreted)
    probe.play(jobs_of(1, 2, seed=1))
    assert [thread is threading.current_thread() for thread in threads] == [interpreted]
