"""What agents know by heart: a table computed before the match and read while it is played."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from playmill import CompiledAgent, PlaymillError, State, Text, check_game, rule, simulate
from playmill.engine.compile.game_kernels import agent_numbers
from playmill.engine.contract.agent import Known
from playmill.engine.run.lookup_tables import NO_LOOKUP_TABLES, load_lookup_tables

ROLL, HOLD = 0, 1


@rule
def by_heart(cfg, s, legal, n, rng, params, lookup_tables):
    """Holds at the number of points that the table has for its total."""
    return HOLD if s.pot >= lookup_tables[s.total[s.player]] else ROLL


def table_of(points):
    """A table with which `by_heart` plays like `threshold`; and the list of configs it was asked for."""
    asked = []

    def knows(config, preparing):
        asked.append(config)
        if preparing is not None:
            preparing(config.target, config.target)
        holds = [min(points, config.target - total) for total in range(config.target)]
        return Known(np.array(holds, np.float64), {"sum": float(sum(holds))})

    return knows, asked


def agent_of(knows):
    return CompiledAgent(by_heart, Text("by heart", "наизусть"), honest=True, knows=knows)


@pytest.fixture
def game(pig):
    """Pig with two agents that know a table each."""
    agents = {"early": agent_of(table_of(20)[0]), "late": agent_of(table_of(25)[0])}
    return dataclasses.replace(pig, agents={**pig.agents, **agents})


@pytest.mark.parametrize("backend", ["cpu", "interpreted"])
@pytest.mark.parametrize(
    ("agents", "twins"),
    [
        (["early", "early"], ["threshold:n=20", "threshold:n=20"]),
        (["early", "late"], ["threshold:n=20", "threshold:n=25"]),
        (["late", "early"], ["threshold:n=25", "threshold:n=20"]),
        (["threshold:n=30", "late"], ["threshold:n=30", "threshold:n=25"]),
    ],
)
def test_each_seat_reads_its_own_table(game, backend, agents, twins):
    told = simulate(game, games=40, seed=2, agents=agents, backend=backend)
    wanted = simulate(game, games=40, seed=2, agents=twins)
    assert told.games.equals(wanted.games)


def test_step_by_step_the_same_table_is_read(game):
    run = simulate(game, games=5, seed=3, agents=["late", "early"])
    seats = [agent_numbers(game)[name] for name in ("late", "early")]
    for number in range(5):
        state = State(game, seed=3, number=number)
        while not state.is_terminal():
            state.apply_action(state.choice_of(seats[state.current_player()]))
        row = state.outcome()
        assert (int(row["winner"]), int(row["decisions"])) == run.games.select("winner", "decisions").row(number)


def test_an_agent_that_knows_keeps_the_contract(game):
    check_game(game, games=1)


def test_facts_are_told_with_the_run(game):
    run = simulate(game, games=10, agents=["early", "random"])
    assert run.info.json()["known"] == {"early": {"sum": float(sum(min(20, 100 - total) for total in range(100)))}}
    assert "known" not in simulate(game, games=10, agents="random").info.json()


def test_a_table_is_computed_once_for_a_config(pig):
    knows, asked = table_of(20)
    game = dataclasses.replace(pig, agents={**pig.agents, "early": agent_of(knows)})
    steps = []
    for _ in range(2):
        simulate(game, games=5, agents="early", preparing=lambda *step: steps.append(step))
    assert len(asked) == 1
    assert steps == [(100, 100)]
    simulate(game, games=5, agents="early", set=["target=50"])
    assert [config.target for config in asked] == [100, 50]
    for target in (60, 70, 80, 90):
        simulate(game, games=5, agents="early", set=[f"target={target}"])
    simulate(game, games=5, agents="early")
    assert len(asked) == 7, "only the last few tables are kept in memory"


def test_what_an_agent_cannot_play_is_one_sentence(pig):
    def knows(config, preparing):
        raise PlaymillError("early plays to 100 only", "early играет только до 100")

    game = dataclasses.replace(pig, agents={**pig.agents, "early": agent_of(knows)})
    with pytest.raises(PlaymillError, match="early plays to 100 only"):
        simulate(game, games=5, agents=["random", "early"])
    assert simulate(game, games=5, agents="random").info.complete


def test_without_such_agents_there_is_no_book(game):
    numbers = agent_numbers(game)
    assert load_lookup_tables(game, game.config(), (numbers["random"], numbers["threshold"], -1)) is NO_LOOKUP_TABLES
    lookup_tables = load_lookup_tables(
        game, game.config(), (numbers["random"], numbers["late"], numbers["early"], numbers["late"])
    )
    assert lookup_tables.starts == (0, 0, 100, 0)
    assert len(lookup_tables.values) == 200
