"""Batches of games for a learner, in NumPy: against itself, its past and other agents, with targets to learn from."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple

import numpy as np

from playmill import Batch, Game, PlaymillError
from playmill.agents.agent_specs import seats_for
from playmill.engine.config.model import RuleConfig

Array = np.ndarray[Any, np.dtype[Any]]
#: Of whoever decides for every seat, there is no seat it learns in.
EVERY = -1
#: A number that is seen gets so many marks at most: input 1 where it is at least as large as the mark.
MOST_MARKS = 24


class Decisions(NamedTuple):
    """One decision a row: what is seen, what may be done, who decides, and whether that is a past self."""

    seen: Array
    may: Array
    player: Array
    past: Array


class Tables:
    """Games in step: some that the learner plays against itself, some against its past, some against agents.

    Half of the games are against agents, if there are any, the learner in every seat as often; of the rest, half are
    against past selves. A game for one is played alone.
    """

    def __init__(
        self,
        game: Game,
        size: int,
        *,
        players: int,
        config: RuleConfig | None = None,
        seed: int = 1,
        against: Sequence[str] = (),
        interpreted: bool = False,
    ) -> None:
        self.game = game
        alone = players == 1
        if alone and against:
            raise PlaymillError(
                f"{game.name} is played alone: there is nobody to play against",
                f"в {game.name} играют в одиночку: соперников нет",
            )
        others = [seats_for(game, players, [name])[0] for name in against]
        share = size // 2 if others else 0
        past = 0 if alone else (size - share) // 2
        made = [(None, EVERY, size - share - past)]
        made += [(None, seat, past // players) for seat in range(players) if past]
        made += [(other, seat, share // (players * len(others))) for other in others for seat in range(players)]
        self._batches, learns, fights = [], [], []
        for number, (other, seat, games) in enumerate(made):
            seats = None if other is None else [None if at == seat else other for at in range(players)]
            batch = Batch(
                game,
                max(1, games),
                players=players,
                config=config,
                seed=seed + number,
                auto_reset=True,
                seats=seats,
                interpreted=interpreted,
            )
            self._batches.append(batch)
            learns.append(np.full(len(batch), seat))
            fights.append(np.full(len(batch), other is not None or alone))
        self._ends = np.cumsum([len(batch) for batch in self._batches])[:-1]
        self._learns = np.concatenate(learns)
        #: In which games agents of the game sit, or nobody else.
        self.fights: Array = np.concatenate(fights)
        self._pool = ThreadPoolExecutor(len(self._batches))

    def __len__(self) -> int:
        return len(self._learns)

    def look(self) -> Decisions:
        """The decisions that wait, one in each game."""
        player = self._together(lambda batch: batch.current_player)
        return Decisions(
            self._together(lambda batch: batch.observations),
            self._together(lambda batch: batch.legal_action_mask),
            player,
            ~self.fights & (self._learns != EVERY) & (player != self._learns),
        )

    def step(self, actions: Array) -> tuple[Array, Array]:
        """One action in each game; what that brought each seat, and which games it ended."""
        parts = np.split(actions, self._ends)
        list(self._pool.map(lambda batch, part: batch.step(part), self._batches, parts))
        return self._together(lambda batch: batch.rewards), self._together(lambda batch: batch.terminated)

    def won(self, rewards: Array, ended: Array) -> Array:
        """What the learner got in games that ended, where it plays against agents of the game, or alone."""
        rows = np.flatnonzero(ended & self.fights)
        return rewards[rows, self._learns[rows]]

    def _together(self, part: Callable[[Batch], Array]) -> Array:
        return np.concatenate([part(batch) for batch in self._batches])


class Survey(NamedTuple):
    """What a few games at random teach about the numbers of a game, so that a network sees them all on one scale."""

    shift: Array
    scale: Array
    marks: Array
    usual: float
    spread: float


def survey(tables: Tables, steps: int, luck: np.random.Generator) -> Survey:
    """Plays at random: which values are seen, and what games bring."""
    looks, brought = [], []
    for _ in range(steps):
        seen, may, _, _ = tables.look()
        looks.append(seen[:: max(1, len(seen) // 256)].copy())
        rewards, ended = tables.step(np.where(may, luck.random(may.shape), -1).argmax(axis=1))
        brought.append(rewards[ended].ravel())
    seen, returns = np.concatenate(looks), np.concatenate(brought)
    marks = [(place, value) for place, column in enumerate(seen.T) for value in _marks(np.unique(column))]
    spread = seen.std(axis=0)
    return Survey(
        seen.mean(axis=0).astype(np.float32),
        np.where(spread > 0, 1 / np.maximum(spread, 1e-3), 0).astype(np.float32),
        np.array(marks, np.int32).reshape(-1, 2),
        float(returns.mean()) if returns.size else 0.0,
        max(float(returns.std()), 1e-3) if returns.size else 1.0,
    )


def _marks(values: Array) -> Array:
    """Each value above the least, or some of them evenly spread."""
    places = np.linspace(1, len(values) - 1, min(MOST_MARKS, len(values) - 1)).round().astype(np.int64)
    return values[places]


def targets(
    player: Array, values: Array, rewards: Array, ended: Array, *, last: tuple[Array, Array], trust: float
) -> tuple[Array, Array]:
    """What each decision should have expected, and whether that is known, for steps × games of decisions.

    That is what its player expected at its next decision or got at the end, and, as far as `trust` goes, what came
    after it (in the books: the λ-return). `last` says who decides after the last step, and what it expects.
    """
    games = np.arange(player.shape[1])
    ahead, found = np.zeros(rewards.shape[1:], np.float32), np.zeros(rewards.shape[1:], np.float32)
    known = np.zeros(rewards.shape[1:], np.bool_)
    ahead[games, last[0]] = found[games, last[0]] = last[1]
    known[games, last[0]] = True
    aims, sure = np.zeros(values.shape, np.float32), np.zeros(values.shape, np.bool_)
    for step in reversed(range(len(player))):
        over, who = ended[step], player[step]
        ahead[over] = found[over] = rewards[step][over]
        known[over] = True
        sure[step] = known[games, who]
        aim = (1 - trust) * ahead[games, who] + trust * found[games, who]
        aims[step] = np.where(sure[step], aim, values[step])
        ahead[games, who], found[games, who] = values[step], aims[step]
        known[games, who] = True
    return aims, sure
