"""Labels for learning: games are played by fast agents, and some of their decisions are searched.

Games are played by the network that learns, by its past selves and by the game's own agents; what is learned at a
decision is what `search` would choose there and what it expects, not what was played (dataset aggregation: the learner
is taught in the positions it comes to itself). A label depends on the number of its game and on what plays, never on
which thread was faster.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from playmill.agents.agent_specs import Seat
from playmill.agents.search.search_agent import Thinker
from playmill.engine.config.model import RuleConfig
from playmill.engine.contract.game import Game
from playmill.engine.run.state import State
from playmill.interrupts import Stop

Array = np.ndarray[Any, np.dtype[Any]]
Floats = np.ndarray[Any, np.dtype[np.float32]]
#: How often anybody who plays chooses at random instead, so that learners see what comes of it.
_LAPSE = 0.05
#: In so large a part of the games the learner sits in every seat.
_ALONE = 0.6


class Labels(NamedTuple):
    """What was seen at decisions, and what search found there.

    Options of decision i are those from `starts[i]` to `starts[i + 1]`, by action and by the chance search gives it.
    """

    seen: Array
    starts: Array
    actions: Array
    chances: Floats
    #: What the player to move can expect.
    values: Floats
    #: What the game's own heuristic would do; -1 where there is none.
    hints: Array

    def __len__(self) -> int:
        return len(self.seen)


def joined(parts: Sequence[Labels]) -> Labels:
    """Labels one after the other."""
    counts = np.concatenate([np.diff(part.starts) for part in parts])
    made = {
        name: np.concatenate([getattr(part, name) for part in parts]) for name in Labels._fields if name != "starts"
    }
    return Labels(starts=np.concatenate([[0], np.cumsum(counts)]), **made)


@dataclass(frozen=True)
class Lesson:
    """What is played and how it is taught: the rules, who plays, and who searches."""

    game: Game
    config: RuleConfig
    players: int
    seed: int
    #: Who may sit down, with how often each does; the first is the learner.
    seats: tuple[tuple[Seat, float], ...]
    teacher: Seat
    #: The part of all decisions that is searched.
    searched: float
    #: Who hints, if anybody does.
    heuristic: Seat | None = None


class _Made:
    """Labels as they are collected."""

    def __init__(self, observation: int) -> None:
        self._observation = observation
        self._seen: list[Any] = []
        self._counts: list[int] = []
        self._options: list[tuple[int, float]] = []
        self._hints: list[int] = []
        self.values: list[float] = []

    def add(self, seen: Any, options: Sequence[tuple[int, float]], value: float, hint: int) -> None:
        self._seen.append(seen.copy())
        self._counts.append(len(options))
        self._options += options
        self._hints.append(hint)
        self.values.append(value)

    def labels(self) -> Labels:
        options = np.array(self._options, np.float64).reshape(-1, 2)
        return Labels(
            np.array(self._seen, np.int32).reshape(-1, self._observation),
            np.concatenate([[0], np.cumsum(self._counts)]).astype(np.int64),
            options[:, 0].astype(np.int32),
            options[:, 1].astype(np.float32),
            np.array(self.values, np.float32),
            np.array(self._hints, np.int32),
        )


def label_games(lesson: Lesson, numbers: range, stop: Stop) -> Labels | None:
    """Plays games and searches some of their decisions; None if it was stopped."""
    made = _Made(lesson.game.observation)
    thinker = Thinker(lesson.game, lesson.teacher.params, judge=lesson.teacher.network, stop=stop)
    for number in numbers:
        _label_game(lesson, number, thinker, made)
        if stop():
            return None
    return made.labels()


def _label_game(lesson: Lesson, number: int, thinker: Thinker, made: _Made) -> None:
    rng = np.random.default_rng([lesson.seed % 2**63, number])
    state = State(lesson.game, players=lesson.players, config=lesson.config, seed=lesson.seed, number=number)
    seats, weights = zip(*lesson.seats, strict=True)
    alone = rng.random() < _ALONE
    chances = np.array(weights) / sum(weights)
    who = [seats[0] if alone else seats[rng.choice(len(seats), p=chances)] for _ in range(lesson.players)]
    searched: list[tuple[int, int]] = []
    while not state.is_terminal():
        player = state.current_player()
        if rng.random() < lesson.searched:
            searched.append((len(made.values), player))
            _search(lesson, state, thinker, made)
        if rng.random() < _LAPSE:
            legal = state.legal_actions()
            action = legal[int(rng.integers(len(legal)))]
        else:
            seat = who[player]
            action = state.choice_of(seat.number, seat.params, seat.table)
        state.apply_action(action)
    if alone:
        # What the learner's own play brought is as true as what search expected, and surer of what is far away.
        returns = state.returns()
        for place, player in searched:
            made.values[place] = 0.5 * (made.values[place] + returns[player])


def _search(lesson: Lesson, state: State, thinker: Thinker, made: _Made) -> None:
    """Adds the label of the decision that a game has come to."""
    thinker.new_game()
    thinker.think(state.workspace)
    options = thinker.weighed(state.workspace)
    chances = thinker.chances(state.workspace) if lesson.game.search.mixes else {}
    total = sum(option.tries for option in options)
    weighed = [(option.action, chances.get(option.action, option.tries / max(1, total))) for option in options]
    best = max(options, key=lambda option: (option.tries, option.mean))
    expected = sum(chances[one.action] * one.mean for one in options) if chances else best.mean
    heuristic = lesson.heuristic
    hint = -1 if heuristic is None else state.clone().choice_of(heuristic.number, heuristic.params)
    made.add(state.observation_tensor(), weighed, expected, hint)
