"""What `observe` and `conceal` of every game promise, put to the test in games played at random."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from playmill import Game, State
from playmill.engine.config.model import RuleConfig
from playmill.engine.lang.record import plain
from playmill.engine.lang.rng import GameRng
from playmill.engine.lang.rule import SPECTATOR, interpreted

#: Changes, in place, what no rule reads any more and no player sees.
Spoil = Callable[[np.void, random.Random], None]


@dataclass
class Seen:
    """What the games came across."""

    decisions: int = 0
    guesses: int = 0
    changed: int = 0  # guesses that are not the truth
    repeats: int = 0  # decisions in which somebody saw exactly what somebody had seen before
    options: dict[bytes, tuple[str, list[int]]] = field(default_factory=dict)


def play(
    game: Game,
    games: int,
    *,
    players: int | None = None,
    config: RuleConfig | Mapping[str, Any] | None = None,
    spoil: Spoil = lambda record, dice: None,
    every: int = 50,
    deals: int | None = None,
) -> Seen:
    """Plays games at random; checks `observe` at every decision, `conceal` at one in `every` and at the end.

    With fewer `deals` than games the same ones are played again and again, so that the same things are seen again.
    """
    found = Seen()
    for number in range(games):
        dice = random.Random(number)
        state = State(game, players=players, config=config, seed=7, number=number % (deals or games))
        while not state.is_terminal():
            check_options(state, found)
            if dice.randrange(every) == 0:
                check_guesses(state, dice, spoil, found)
            state.apply_action(dice.choice(state.legal_actions()))
        check_guesses(state, dice, spoil, found)
    return found


def check_options(state: State, found: Seen) -> None:
    """The same observation means the same kind of decision and the same options."""
    found.decisions += 1
    seen = state.observation_tensor().tobytes()
    offered = (state.game.words.decision_kind(state.record), state.legal_actions())
    found.repeats += seen in found.options
    assert found.options.setdefault(seen, offered) == offered


def check_guesses(state: State, dice: random.Random, spoil: Spoil, found: Seen) -> None:
    """For every player: a guess keeps what she sees and may do, and does not depend on what she cannot know."""
    words = state.game.words
    check_looking_on(state, dice.getrandbits(64))
    for player in range(state.players):
        luck = dice.getrandbits(64)
        guess = state.clone()
        guess.conceal(player, luck)
        assert np.array_equal(guess.observation_tensor(player), state.observation_tensor(player))
        assert words.seen(state.config, guess.record, player, "en") == words.seen(
            state.config, state.record, player, "en"
        )
        assert guess.current_player() == state.current_player()
        assert guess.returns() == state.returns()
        if player == state.current_player():
            assert guess.legal_actions() == state.legal_actions()
        other = state.clone()
        other.conceal(player, dice.getrandbits(64))
        found.guesses += 1
        found.changed += bool(other.record != state.record)
        spoil(other.record, dice)
        other.conceal(player, luck)
        assert guess.record == other.record
        assert bytes_of(guess.record) == bytes_of(other.record)
        assert guess.record == interpreted_guess(state, player, luck)


def check_looking_on(state: State, luck: int) -> None:
    """A spectator's guess depends on nothing that only a player knows, and leaves whose turn it is and who has won."""
    guess, other = state.clone(), state.clone()
    guess.conceal(SPECTATOR, luck)
    assert guess.current_player() == state.current_player()
    assert guess.returns() == state.returns()
    for player in range(state.players):
        other.conceal(player, luck + player)
        twin = other.clone()
        twin.conceal(SPECTATOR, luck)
        assert bytes_of(guess.record) == bytes_of(twin.record)


def interpreted_guess(state: State, player: int, luck: int) -> np.void:
    """What the interpreter deals with the same luck."""
    source, chance = np.array([state.record], state.game.state), plain(np.zeros(1, GameRng))[0]
    chance.stream[0] = luck
    interpreted(state.game.rules["conceal"])(plain(state.workspace["cfg"])[0], plain(source)[0], player, chance)
    record: np.void = source[0]
    return record


def bytes_of(record: np.void) -> bytes:
    """A record without the padding between its fields."""
    return b"".join(np.ascontiguousarray(record[name]).tobytes() for name in record.dtype.names or ())
