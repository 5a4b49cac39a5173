"""Agents with parameters at a table: given by number, or by name where the values have names."""

from __future__ import annotations

import os
import sys
import threading
from functools import partial

import pytest

from common.found import game_of
from playmill import PlaymillError, State, load_game
from playmill.agents.agent_specs import seats_for
from playmill.agents.search.search_agent import Thinker
from playmill.web.agents.offered import SeatedAgent, find_agent, offered_agents
from playmill.web.agents.precompile import Precompiler
from playmill.web.agents.threads import NICE, low_priority_threads


def test_a_value_with_a_name_is_given_by_it() -> None:
    game = load_game("grid")
    agents = offered_agents(game)
    agent = find_agent(agents, game, "specialist:pattern=C")
    assert agent is not None
    assert agent.name.en == agent.name.ru == "specialist, pattern C"
    with pytest.raises(PlaymillError) as caught:
        find_agent(agents, game, "specialist:pattern=2")
    letters = ", ".join("ABCDEFGHIJKL")
    assert caught.value.text.en == f"agent specialist: 'pattern=2' cannot be; its numbers are pattern {letters}"
    assert caught.value.text.ru == f"агент specialist: 'pattern=2' не годится; его числа: pattern {letters}"


def test_a_value_without_a_name_is_a_number_within_its_range() -> None:
    game = load_game("dice")
    agents = offered_agents(game)
    agent = find_agent(agents, game, "threshold:points=350")
    assert agent is not None
    assert agent.name.en == "threshold, points 350"
    with pytest.raises(PlaymillError, match="its numbers are points 0 … 1000000"):
        find_agent(agents, game, "threshold:points=-1")


def test_the_named_strengths_use_what_makes_them_stronger() -> None:
    game = load_game("examples/pig")
    agents = offered_agents(game)
    numbers = {}
    for key in ("search-light", "search", "search-strong"):
        thinker = Thinker(game, seats_for(game, 2, [agents[key].spec])[0].params)
        numbers[key] = (thinker._adapts, thinker._threads)
    cores = min(2, os.cpu_count() or 1)
    assert numbers == {"search-light": (False, 1), "search": (True, 1), "search-strong": (True, cores)}


class Warm(Precompiler):
    """Where everything can think at once."""

    def ready(self, *_: object) -> bool:
        return True


def test_a_bluffer_at_a_table_is_told_its_deal_and_remembers_what_it_did(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("playmill.lab.replays.narration.Thinker", partial(Thinker, interpreted=True))
    monkeypatch.setattr("playmill.agents.search.search_agent._LEAST_MIXED", 20)
    game = game_of("kuhn")
    agent = find_agent(offered_agents(game), game, "search:iterations=20")
    assert agent is not None
    player = SeatedAgent(game, 2, agent, Warm(makes=False))
    table = State(game, seed=7, interpreted=True)
    start = table.record.tobytes()
    answer = player.choose(table.clone())
    assert answer.trouble is None and not answer.cold
    thinker = player._memory[0]
    assert thinker._minds[0]["started"][0]
    assert thinker._minds[0]["start"][0].tobytes() == start
    assert thinker._minds[0]["past_action"][0, 0] == answer.action


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere a thread cannot step back by itself")
def test_threads_that_think_step_back_and_so_do_those_they_start() -> None:
    def manners() -> int:
        return os.getpriority(os.PRIO_PROCESS, threading.get_native_id())

    def started() -> int:
        with low_priority_threads(1, "inner") as inner:
            inner._initializer = lambda: None  # what a thread has by birth alone
            return inner.submit(manners).result()

    with low_priority_threads(2, "tests") as pool:
        found = pool.submit(manners).result(), pool.submit(started).result()
    assert found == (min(19, manners() + NICE),) * 2, "and this thread is as it was"
