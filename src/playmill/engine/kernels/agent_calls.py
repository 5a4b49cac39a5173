"""How compiled agents are asked: rules made for the agents of a game, written against `slots.py`.

Each is made by a function from smaller ones: an agent's answer from what it is shown, and the choice of whoever is to
move from the answers of all.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from playmill.engine.contract.agent import CompiledAgent, RuleFunction
from playmill.engine.contract.random_agent import RANDOM
from playmill.engine.kernels.slots import conceal, legal_actions, nth_action
from playmill.engine.lang.rng import below, foreseen_below, next_word
from playmill.engine.lang.rule import rule

#: The states of a desk (see `play.py`): the game being played, and a copy with the hidden things dealt anew.
_LIVE, _SHADOW = range(2)


@rule
def random_answer(match: Any, desk: Any, pages: Any, n: int) -> int:
    """Any of the n options."""
    s = desk.states[_LIVE]
    return nth_action(match.cfg, s, desk.legal, below(desk.whims, s.player, n))


@rule
def foreseen_answer(match: Any, desk: Any, pages: Any, n: int) -> int:
    """The same, by words that are foreseen (see `foreseen_below`)."""
    s = desk.states[_LIVE]
    return nth_action(match.cfg, s, desk.legal, foreseen_below(desk.ahead[s.player], n))


@rule
def show_nothing(match: Any, desk: Any) -> None:
    """An agent that looks at the game as it is, and lists no options."""


@rule
def list_options(match: Any, desk: Any) -> None:
    """The options, counted only so far, are listed."""
    legal_actions(match.cfg, desk.states[_LIVE], desk.legal)


@rule
def deal_hidden(match: Any, desk: Any) -> None:
    """What the player to move cannot know is dealt anew in the other state."""
    player = desk.states[_LIVE].player
    desk.states[_SHADOW] = desk.states[_LIVE]
    desk.guess.stream[0] = next_word(desk.whims, player)
    conceal(match.cfg, desk.states[_SHADOW], player, desk.guess)


def answer_of(agent: CompiledAgent, *, counts: bool, foresees: bool = False) -> RuleFunction:
    """The rule `answer(match, desk, pages, n)` of an agent, in a game that counts its options or lists them anyway."""
    if agent is RANDOM:
        return foreseen_answer if foresees else random_answer
    choose = agent.choose
    lists = list_options if counts and agent.lists else show_nothing
    hides = show_nothing if agent.honest else deal_hidden
    shown = _LIVE if agent.honest else _SHADOW

    @rule
    def answer(match: Any, desk: Any, pages: Any, n: int) -> int:
        lists(match, desk)
        hides(match, desk)
        return choose(match.cfg, desk.states[shown], desk.legal, n, desk.whims, match.params)

    @rule
    def answer_by_table(match: Any, desk: Any, pages: Any, n: int) -> int:
        lists(match, desk)
        hides(match, desk)
        known = pages[match.starts[desk.states[_LIVE].player] :]
        return choose(match.cfg, desk.states[shown], desk.legal, n, desk.whims, match.params, known)

    return answer_by_table if agent.knows else answer


def accepts_actions(actions: int) -> RuleFunction:
    """A rule that returns an answer, or notes one that is no action of the game and returns -1."""

    @rule
    def accepted(match: Any, desk: Any, action: int) -> int:
        if 0 <= action < actions:
            return action
        desk.slip = action
        return -1

    return accepted


@rule
def accepts_options(match: Any, desk: Any, action: int) -> int:
    """The answer, or -1 where it is not among the options."""
    n = legal_actions(match.cfg, desk.states[_LIVE], desk.legal)
    for k in range(n):
        if desk.legal.ids[k] == action:
            return action
    desk.slip = action
    return -1


@rule
def first_option(agent: int, match: Any, desk: Any, pages: Any, n: int) -> int:
    """The choice of an agent nobody knows."""
    return desk.legal.ids[0]


def by_address(ask_at: Any, accepted: RuleFunction) -> RuleFunction:
    """The rule `choose` for agents that are called by the address of their machine code (see `play_kernels.py`)."""

    @rule
    def choose(agent: int, match: Any, desk: Any, pages: Any, n: int) -> int:
        entry = match.entries[desk.states[_LIVE].player]
        return accepted(match, desk, ask_at(entry, desk, pages.ctypes.data, pages.shape[0], n))

    return choose


@rule
def accepts_all(match: Any, desk: Any, action: int) -> int:
    """The answer as it is: `random` knows nothing but options."""
    return action


def or_answer(number: int, answer: RuleFunction, accepted: RuleFunction, otherwise: RuleFunction) -> RuleFunction:
    """The rule `choose` that knows one agent more: if it is not the one with this number, `otherwise` chooses."""

    @rule
    def choose(agent: int, match: Any, desk: Any, pages: Any, n: int) -> int:
        if agent == number:
            return accepted(match, desk, answer(match, desk, pages, n))
        return otherwise(agent, match, desk, pages, n)

    return choose


def is_one_of(numbers: Sequence[int]) -> RuleFunction:
    """The rule that says whether an agent has one of these numbers."""
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
def desk_at(address: int) -> Any:
    """The desk at an address; replaced for each game."""


@rule
def numbers_at(address: int, shape: Any) -> Any:
    """The numbers at an address; replaced."""


@rule
def answer_here(match: Any, desk: Any, pages: Any, n: int) -> int:
    """The answer of an agent; replaced for each agent."""
    return 0


@rule
def answer_at(address: int, book: int, size: int, n: int) -> int:
    """What an agent chooses at the desk at an address, with so many pages at another."""
    desk = desk_at(address)
    answer: Any = np.int64(answer_here(desk, desk, numbers_at(book, (size,)), n))
    return answer
