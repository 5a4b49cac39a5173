"""Rules run by the interpreter on single positions: nothing is compiled for them."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from playmill import Game
from playmill.engine.config.model import RuleConfig
from playmill.engine.lang.record import plain
from playmill.engine.lang.rng import GameRng, seed_game_rng
from playmill.engine.lang.rule import interpreted

#: A decision, its options, the choice, and what came of it.
Step = tuple[np.void, list[int], int, np.void]
#: Chooses among the options of a position.
Pick = Callable[[Any, list[int], random.Random], int]

_seed_game_rng = interpreted(seed_game_rng)


class Played(NamedTuple):
    """A game that was played, decision by decision; also those with one option."""

    config: RuleConfig
    players: int
    steps: list[Step]


def new_rng(number: int = 0, seed: int = 5) -> Any:
    """The random numbers of game `number` of a run."""
    rng = plain(np.zeros(1, GameRng))[0]
    _seed_game_rng(rng, seed, number)
    return rng


def rule_of(game: Game, name: str) -> Callable[..., Any]:
    """One of a game's rules, for the interpreter."""
    made: Callable[..., Any] = interpreted(game.rules[name])
    return made


def new_legal(game: Game) -> Any:
    """An empty list of options."""
    return plain(np.zeros(1, game.options))[0]


def opened(game: Game, s: np.void) -> tuple[Any, Any]:
    """A copy of a state: the array and the record in it that the interpreter changes."""
    state = np.zeros(1, game.state)
    state[0] = s
    return state, plain(state)[0]


def closed(state: Any) -> np.void:
    """The state in an array, by itself."""
    found: np.void = state[0].copy()
    return found


def options(game: Game, config: RuleConfig, players: int, s: np.void) -> list[int]:
    """The legal actions of a position."""
    legal = new_legal(game)
    count = rule_of(game, "legal_actions")(plain(config.pack(players))[0], opened(game, s)[1], legal)
    return [legal.ids[place] for place in range(count)]


def after(game: Game, config: RuleConfig, players: int, s: np.void, action: int, number: int = 0) -> np.void:
    """What an action makes of a position, with the random numbers of game `number`."""
    state, record = opened(game, s)
    rule_of(game, "apply_action")(plain(config.pack(players))[0], record, action, new_rng(number, 1))
    return closed(state)


def concealed(game: Game, config: RuleConfig, players: int, s: np.void, player: int, number: int = 0) -> np.void:
    """A position in which what a player cannot know was dealt anew."""
    state, record = opened(game, s)
    rule_of(game, "conceal")(plain(config.pack(players))[0], record, player, new_rng(number, 1))
    return closed(state)


def any_option(s: Any, options: list[int], choice: random.Random) -> int:
    """Plays at random."""
    return choice.choice(options)


def begun(game: Game, config: RuleConfig, players: int, seed: int) -> tuple[Any, Any, Any]:
    """A game that was dealt: its numbers, its random numbers, and an array with its state."""
    cfg, rng, state = plain(config.pack(players))[0], new_rng(0, seed), np.zeros(1, game.state)
    rule_of(game, "setup")(cfg, plain(state)[0], rng)
    return cfg, rng, state


def play(
    game: Game, config: RuleConfig, players: int, seed: int, pick: Pick = any_option, most: int = 10_000
) -> Played:
    """A game, or its first decisions."""
    cfg, rng, state = begun(game, config, players, seed)
    s, legal, choice = plain(state)[0], new_legal(game), random.Random(seed)
    list_options, apply = rule_of(game, "legal_actions"), rule_of(game, "apply_action")
    steps: list[Step] = []
    while s.player >= 0 and len(steps) < most:
        listed = [legal.ids[place] for place in range(list_options(cfg, s, legal))]
        action = pick(s, listed, choice)
        before = closed(state)
        apply(cfg, s, action, rng)
        steps.append((before, listed, action, closed(state)))
    return Played(config, players, steps)
