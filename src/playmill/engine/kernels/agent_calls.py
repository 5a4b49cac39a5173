"""Builds the rules by which loops call compiled agents, from the agents of a game (written against `placeholders.py`).

Each is made by a function from smaller ones: an agent's answer from what it is shown, and the choice of whoever is to
move from the answers of all.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from playmill.engine.contract.agent import CompiledAgent, RuleFunction
from playmill.engine.contract.random_agent import RANDOM
from playmill.engine.kernels.placeholders import conceal, legal_actions, nth_action
from playmill.engine.lang.rng import below, foreseen_below, next_word
from playmill.engine.lang.rule import rule

#: The states of a workspace (see `play.py`): the game being played, and a copy with the hidden things dealt anew.
_LIVE, _SHADOW = range(2)


@rule
def random_answer(match: Any, workspace: Any, lookup: Any, n: int) -> int:
    """A uniform one of the n options."""
    s = workspace.states[_LIVE]
    return nth_action(match.cfg, s, workspace.legal, below(workspace.agent_rng, s.player, n))


@rule
def foreseen_answer(match: Any, workspace: Any, lookup: Any, n: int) -> int:
    """The same from a stream computed ahead (see `foreseen_below`)."""
    s = workspace.states[_LIVE]
    return nth_action(match.cfg, s, workspace.legal, foreseen_below(workspace.ahead[s.player], n))


@rule
def show_nothing(match: Any, workspace: Any) -> None:
    """Does nothing: for agents that read the true state and no list of options."""


@rule
def list_options(match: Any, workspace: Any) -> None:
    """Lists the options, which were only counted so far."""
    legal_actions(match.cfg, workspace.states[_LIVE], workspace.legal)


@rule
def deal_hidden(match: Any, workspace: Any) -> None:
    """Copies the state and deals anew what the player to move cannot know."""
    player = workspace.states[_LIVE].player
    workspace.states[_SHADOW] = workspace.states[_LIVE]
    workspace.conceal_rng.stream[0] = next_word(workspace.agent_rng, player)
    conceal(match.cfg, workspace.states[_SHADOW], player, workspace.conceal_rng)


def answer_of(agent: CompiledAgent, *, counts: bool, foresees: bool = False) -> RuleFunction:
    """Builds `answer(match, workspace, lookup, n)` of an agent, for a game that counts or lists its options."""
    if agent is RANDOM:
        return foreseen_answer if foresees else random_answer
    choose = agent.choose
    lists = list_options if counts and agent.lists else show_nothing
    hides = show_nothing if agent.honest else deal_hidden
    shown = _LIVE if agent.honest else _SHADOW

    @rule
    def answer(match: Any, workspace: Any, lookup: Any, n: int) -> int:
        lists(match, workspace)
        hides(match, workspace)
        return choose(match.cfg, workspace.states[shown], workspace.legal, n, workspace.agent_rng, match.params)

    @rule
    def answer_by_table(match: Any, workspace: Any, lookup: Any, n: int) -> int:
        lists(match, workspace)
        hides(match, workspace)
        known = lookup[match.starts[workspace.states[_LIVE].player] :]
        return choose(match.cfg, workspace.states[shown], workspace.legal, n, workspace.agent_rng, match.params, known)

    return answer_by_table if agent.knows else answer


def accepts_actions(actions: int) -> RuleFunction:
    """Builds a rule that returns an action, or notes an invalid one and returns -1."""

    @rule
    def accepted(match: Any, workspace: Any, action: int) -> int:
        if 0 <= action < actions:
            return action
        workspace.invalid_action = action
        return -1

    return accepted


@rule
def accepts_options(match: Any, workspace: Any, action: int) -> int:
    """Returns the action, or -1 if it is not among the options."""
    n = legal_actions(match.cfg, workspace.states[_LIVE], workspace.legal)
    for k in range(n):
        if workspace.legal.ids[k] == action:
            return action
    workspace.invalid_action = action
    return -1


@rule
def first_option(agent: int, match: Any, workspace: Any, lookup: Any, n: int) -> int:
    """The choice of an agent of unknown number."""
    return workspace.legal.ids[0]


def by_address(ask_at: Any, accepted: RuleFunction) -> RuleFunction:
    """Builds `choose` for agents called by the address of their machine code (see `play_kernels.py`)."""

    @rule
    def choose(agent: int, match: Any, workspace: Any, lookup: Any, n: int) -> int:
        entry = match.entries[workspace.states[_LIVE].player]
        return accepted(match, workspace, ask_at(entry, workspace, lookup.ctypes.data, lookup.shape[0], n))

    return choose


@rule
def accepts_all(match: Any, workspace: Any, action: int) -> int:
    """Returns the action unchecked: `random` takes nothing but options."""
    return action


def or_answer(number: int, answer: RuleFunction, accepted: RuleFunction, otherwise: RuleFunction) -> RuleFunction:
    """Builds `choose` with one agent more: the agent of this number, else `otherwise` chooses."""

    @rule
    def choose(agent: int, match: Any, workspace: Any, lookup: Any, n: int) -> int:
        if agent == number:
            return accepted(match, workspace, answer(match, workspace, lookup, n))
        return otherwise(agent, match, workspace, lookup, n)

    return choose


def is_one_of(numbers: Sequence[int]) -> RuleFunction:
    """Builds the rule that says whether an agent has one of these numbers."""
    if not numbers:
        return is_none
    first, others = numbers[0], is_one_of(numbers[1:])

    @rule
    def found(agent: int) -> bool:
        return agent == first or others(agent)

    return found


@rule
def is_none(agent: int) -> bool:
    """Whether an agent is one of none."""
    return False


@rule
def workspace_at(address: int) -> Any:
    """The workspace at an address; replaced for each game."""


@rule
def numbers_at(address: int, shape: Any) -> Any:
    """The numbers at an address; replaced."""


@rule
def answer_here(match: Any, workspace: Any, lookup: Any, n: int) -> int:
    """The answer of an agent; replaced for each agent."""
    return 0


@rule
def answer_at(address: int, lookup: int, size: int, n: int) -> int:
    """The choice of an agent for the workspace at one address, with the lookup table of this size at another."""
    workspace = workspace_at(address)
    answer: Any = np.int64(answer_here(workspace, workspace, numbers_at(lookup, (size,)), n))
    return answer
