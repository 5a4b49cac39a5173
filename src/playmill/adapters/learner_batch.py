"""Many games in step in which one seat is a learner's, for the vector environments of Gymnasium and SB3.

All other seats belong to compiled agents, so that a step is one compiled call for each seat that the learner takes.
With the seat "rotate" place i sits in seat i modulo the number of players, and each deal comes up in every seat.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

import numpy as np

from playmill.adapters.episodes import telling
from playmill.agents.agent_specs import Seat, seats_for
from playmill.engine.config.model import RuleConfig
from playmill.engine.contract.game import Game, as_config, as_game
from playmill.engine.contract.observed_range import check_within, observed_ranges
from playmill.engine.run.batch import Batch, Flags, Integers
from playmill.engine.run.stepper import Seen
from playmill.texts import PlaymillError

#: What becomes of an action that is not legal: the game is lost (it ends with the least it can bring), or it raises.
Illegal = Literal["lose", "raise"]
#: A seat, or all of them in turn.
LearnerSeat = int | Literal["rotate"]
#: Games in a row that ask the learner nothing; after this many there may be none that does.
_SILENT = 1000
Paid = np.ndarray[Any, np.dtype[np.float64]]


class LearnerBatch:
    """n games at once; place i plays games i, i+n, … of the run with the seed, counted apart for each seat."""

    def __init__(
        self,
        game: Game | str,
        size: int,
        *,
        seat: LearnerSeat = 0,
        agents: Any = "random",
        players: int | None = None,
        config: RuleConfig | Mapping[str, Any] | None = None,
        seed: int = 0,
        illegal: Illegal = "lose",
        interpreted: bool = False,
    ) -> None:
        self.game = game = as_game(game)
        self.players = players if players is not None else game.players[0]
        self.config = as_config(game, config)
        self.illegal = known_illegal(illegal)
        self.least = game.stakes(self.config, self.players).least
        self.low, self.high = observed_ranges(game, self.config, self.players)
        self._interpreted = interpreted
        seats = learner_seats(seat, self.players)
        if size < len(seats):
            raise PlaymillError(
                f"{size} games for {len(seats)} seats in turn: take at least as many games as seats",
                f"партий {size}, а мест по очереди {len(seats)}: партий нужно не меньше, чем мест",
            )
        #: The seat of the learner in each place.
        self.seats: Integers = np.array([seats[place % len(seats)] for place in range(size)], np.int64)
        self._places = [np.flatnonzero(self.seats == one) for one in seats]
        self._tables = [self._compiled(one, agents) for one in seats]
        self._batches: list[Batch] = []
        self.seen: Seen = np.zeros((size, game.observation), np.int32)
        self.mask: Flags = np.zeros((size, game.actions), np.bool_)
        self.numbers: Integers = np.zeros(size, np.int64)
        self.deal(seed)

    def __len__(self) -> int:
        return len(self.seats)

    def _compiled(self, seat: int, agents: Any) -> list[Seat | None]:
        seats = seated(self.game, self.players, seat, agents, self.config)
        for place, sits in enumerate(seats):
            if place != seat and not sits.compiled:
                raise PlaymillError(
                    f"{sits.name} is no compiled agent, and only those play many games in one call;"
                    " gymnasium.vector.SyncVectorEnv takes any GameEnv",
                    f"{sits.name} — не скомпилированный агент, а много партий одним вызовом играют только такие;"
                    " gymnasium.vector.SyncVectorEnv принимает любые GameEnv",
                )
        return [None if place == seat else sits for place, sits in enumerate(seats)]

    def deal(self, seed: int | None = None) -> None:
        """Deals the first games of a seed, or the next game in every place."""
        with telling(self.game):
            if seed is not None:
                self._batches = [
                    Batch(
                        self.game,
                        len(places),
                        players=self.players,
                        config=self.config,
                        seed=seed,
                        seats=table,
                        interpreted=self._interpreted,
                    )
                    for places, table in zip(self._places, self._tables, strict=True)
                ]
                silent = np.zeros(len(self), np.bool_)
                for places, batch in zip(self._places, self._batches, strict=True):
                    silent[places] = batch.terminated
                self.deal_anew(silent)
            else:
                self.deal_anew(np.ones(len(self), np.bool_))

    def deal_anew(self, where: Flags) -> None:
        """Deals the next game in these places; one that asks nothing is passed over."""
        for places, batch in zip(self._places, self._batches, strict=True):
            left = where[places]
            for _ in range(_SILENT):
                if not left.any():
                    break
                batch.reset_done(left)
                left = left & batch.terminated
        self._read_all()

    def step(self, actions: Any, idle: Flags) -> tuple[Paid, Flags, dict[int, int]]:
        """Does an action in each place that is not idle; returns rewards, what is over, illegal actions by place."""
        wanted = self._whole(actions)
        known = (wanted >= 0) & (wanted < self.game.actions)
        illegal = ~idle & ~(known & self.mask[np.arange(len(self)), np.where(known, wanted, 0)])
        refused = {int(place): int(wanted[place]) for place in np.flatnonzero(illegal)}
        if refused and self.illegal == "raise":
            place, action = next(iter(refused.items()))
            raise PlaymillError(
                f"illegal action {action} in game {place} of the batch",
                f"недопустимое действие {action} в партии {place} набора",
            )
        kept = self.seen[illegal].copy()
        rewards, over = np.zeros(len(self)), np.zeros(len(self), np.bool_)
        for places, batch in zip(self._places, self._batches, strict=True):
            passed = (idle | illegal)[places]
            batch.step(np.where(passed, batch.legal_action(0), wanted[places]))
            rewards[places] = batch.rewards[np.arange(len(places)), self.seats[places]]
            over[places] = batch.terminated
        self._read_all()
        self.seen[illegal], rewards[illegal], rewards[idle] = kept, self.least, 0.0
        over[illegal], over[idle] = True, False
        return rewards, over, refused

    def _whole(self, actions: Any) -> Integers:
        given = np.asarray(actions)
        if given.shape != (len(self),):
            raise PlaymillError(
                f"expected {len(self)} actions, got an array of shape {given.shape}",
                f"нужно действий: {len(self)}, получен массив формы {given.shape}",
            )
        if given.dtype.kind not in "biu":
            raise PlaymillError(
                f"actions are whole numbers, not {given.dtype}", f"действия — целые числа, а не {given.dtype}"
            )
        return given.astype(np.int64)

    def _read_all(self) -> None:
        for places, batch in zip(self._places, self._batches, strict=True):
            self.seen[places] = batch.observations
            self.mask[places] = batch.legal_action_mask
            self.numbers[places] = batch.game_ids
        check_within(self.game, self.seen, self.low, self.high)


def learner_seats(seat: LearnerSeat, players: int) -> list[int]:
    """The seats that a learner takes; raises if there is none such."""
    if seat == "rotate":
        return list(range(players))
    if not isinstance(seat, int) or not 0 <= seat < players:
        raise PlaymillError(
            f"there is no seat {seat}; seats are 0 … {players - 1}, or 'rotate'",
            f"места {seat} нет; места: 0 … {players - 1} или 'rotate'",
        )
    return [seat]


def seated(game: Game, players: int, seat: int, agents: Any, config: RuleConfig) -> tuple[Seat, ...]:
    """The agents of all seats; the learner's is never asked."""
    others = list(agents) if isinstance(agents, Sequence) and not isinstance(agents, str) else [agents] * (players - 1)
    if len(others) != players - 1:
        raise PlaymillError(
            f"{len(others)} agents for {players - 1} other seats: name one for all, or one for each",
            f"агентов {len(others)}, а других мест {players - 1}: назовите одного на все или по одному на каждое",
        )
    return seats_for(game, players, [*others[:seat], "random", *others[seat:]], config)


def known_illegal(illegal: str) -> Illegal:
    """Validates what becomes of an illegal action."""
    if illegal not in ("lose", "raise"):
        raise PlaymillError(
            f"illegal is {illegal!r}; expected 'lose' or 'raise'",
            f"illegal равно {illegal!r}; нужно 'lose' или 'raise'",
        )
    return "lose" if illegal == "lose" else "raise"
