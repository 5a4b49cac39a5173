"""An agent that does not declare itself honest never meets the true hidden cards."""

from __future__ import annotations

import dataclasses

from playmill import CompiledAgent, State, Text, rule
from playmill.engine.compile.game_kernels import agent_numbers
from playmill.engine.compile.play_kernels import interpreted_kernels
from playmill.engine.contract.game import load_game
from playmill.engine.run.lookup_tables import NO_LOOKUP_TABLES
from playmill.games.dimensions.rules import ANOMALY_CARD


@rule
def peek(cfg, s, legal, n, rng, params):
    """Tells by its choice whether the top card of the deck is a blue one."""
    card = s.deck[s.deck_size - 1]
    return legal.ids[0] if 5 <= card < ANOMALY_CARD else legal.ids[n - 1]


def game_with(honest: bool):
    agent = CompiledAgent(peek, Text("peeks", "подглядывает"), honest=honest)
    game = load_game("dimensions")
    return dataclasses.replace(game, agents={**game.agents, "peek": agent})


def choices(honest: bool) -> list[int]:
    """What the agent chooses in one position, again and again."""
    game = game_with(honest)
    state = State(load_game("dimensions"), players=3, seed=5)
    number = agent_numbers(game)["peek"]
    kernels = interpreted_kernels(game)
    before = state.to_text()
    chosen = [
        kernels.agent_choice(state.workspace, NO_LOOKUP_TABLES.values, number, len(state.legal_actions()))
        for _ in range(60)
    ]
    assert state.to_text() == before
    return chosen


def test_an_honest_agent_is_trusted_with_the_state():
    assert len(set(choices(honest=True))) == 1


def test_any_other_agent_sees_a_fair_guess_instead():
    chosen = choices(honest=False)
    shares = [chosen.count(action) / len(chosen) for action in sorted(set(chosen))]
    assert len(shares) == 2
    assert 0.05 < shares[0] < 0.45
