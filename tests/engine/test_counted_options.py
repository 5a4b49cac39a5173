"""Options counted and picked by number, without a list of them."""

from __future__ import annotations

import dataclasses
import shutil

import pytest

from playmill import CompiledAgent, PlaymillError, State, Text, check_game, rule, simulate
from playmill.engine.check.check_game import CheckError
from playmill.engine.contract.game import game_from_package

ROLL, HOLD = 0, 1


@rule
def _count(cfg, s, out):
    return 2 if s.pot > 0 else 1


@rule
def _nth(cfg, s, out, k):
    return k


@rule
def _nth_backwards(cfg, s, out, k):
    return 1 - k if s.pot > 0 else ROLL


@rule
def _count_too_few(cfg, s, out):
    return 1


@rule
def _count_too_many(cfg, s, out):
    return 3


@rule
def _count_as_if_there_was_always_a_choice(cfg, s, out):
    return 2


@rule
def _nth_always_the_same(cfg, s, out, k):
    return HOLD


@rule
def last_of_the_list(cfg, s, legal, n, rng, params):
    return legal.ids[n - 1] if s.pot >= 20 else legal.ids[0]


@rule
def without_a_list(cfg, s, legal, n, rng, params):
    return HOLD if s.pot >= 20 else ROLL


def counting(game, count=_count, nth=_nth):
    return dataclasses.replace(game, rules={**game.rules, "count_actions": count, "nth_action": nth})


@pytest.mark.parametrize("nth", [_nth, _nth_backwards])
def test_a_game_may_count_its_options_in_any_order(pig, nth):
    game = counting(pig, nth=nth)
    check_game(game, games=2)
    state = State(game, seed=1)
    assert state.count_actions() == len(state.legal_actions()) == 2
    assert sorted(state.nth_action(k) for k in range(2)) == state.legal_actions()


@pytest.mark.parametrize(
    ("count", "nth"),
    [
        (_count_too_few, _nth),
        (_count_too_many, _nth),
        (_count_as_if_there_was_always_a_choice, _nth),
        (_count, _nth_always_the_same),
    ],
)
def test_a_game_that_miscounts_is_caught(pig, count, nth):
    with pytest.raises(CheckError, match="options counted and picked by number are not the listed ones"):
        check_game(counting(pig, count, nth), games=1)


@pytest.mark.parametrize("backend", ["cpu", "interpreted"])
def test_counted_in_the_order_of_the_list_the_games_are_the_same(pig, backend):
    agents = ["random", "threshold"]
    counted = simulate(counting(pig), games=60, seed=4, agents=agents, backend=backend)
    assert counted.games.equals(simulate(pig, games=60, seed=4, agents=agents).games)


def test_a_game_that_does_not_count_lists(pig):
    state = State(pig, seed=1)
    assert [state.nth_action(k) for k in range(state.count_actions())] == state.legal_actions()


@pytest.mark.parametrize("backend", ["cpu", "interpreted"])
def test_an_agent_gets_the_list_unless_it_does_without(pig, backend):
    about = Text("toy", "игрушка")
    agents = {
        "reads": CompiledAgent(last_of_the_list, about, honest=True),
        "does_without": CompiledAgent(without_a_list, about, honest=True, lists=False),
    }
    game = counting(dataclasses.replace(pig, agents={**pig.agents, **agents}))
    wanted = simulate(pig, games=60, seed=5, agents="threshold:n=20", set=["target=1000"])
    for name in agents:
        found = simulate(game, games=60, seed=5, agents=name, set=["target=1000"], backend=backend)
        assert found.games["turns"].mean() == pytest.approx(wanted.games["turns"].mean(), rel=0.02)


def test_both_are_needed_or_none(tmp_path, monkeypatch, pig):
    folder = tmp_path / "halfcount"
    shutil.copytree(pytest.importorskip("pig").__path__[0], folder)
    with (folder / "rules.py").open("a") as rules:
        rules.write("\n\n@rule\ndef count_actions(cfg, s, out):\n    return 2 if s.player >= 0 else 0\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    with pytest.raises(PlaymillError, match=r"halfcount\.rules of the game 'halfcount' lacks nth_action"):
        game_from_package("halfcount", "halfcount")
