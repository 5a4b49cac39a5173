"""Gymnasium adapter: one seat of any game as an environment; agents of Playmill play the others.

    import playmill.adapters.gymnasium  # makes the names known
    gymnasium.make("playmill/dice-v0", agents="greedy")  # a game that is installed
    gymnasium.make("playmill/game-v0", game="examples/pig")  # one in a folder

What is seen are whole numbers (`names` says what they are); the options are in `info["action_mask"]`, and by
`action_masks()`. The reward comes with the end of the game. `reset(seed=s)` deals game 0 of the run with that seed,
every `reset()` after it the next one; a game that never asks this seat is passed over.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from typing import Any, ClassVar

import numpy as np

from playmill.adapters.episodes import (
    RENDER_MODES,
    Episodes,
    mask_of,
    neighbour,
    not_dealt,
    render_mode_of,
    rendered,
    telling,
    whole,
)
from playmill.adapters.learner_batch import (
    Illegal,
    LearnerBatch,
    LearnerSeat,
    known_illegal,
    learner_seats,
    seated,
)
from playmill.engine.config.model import RuleConfig
from playmill.engine.contract.game import Game, game_names
from playmill.engine.contract.observed_range import check_within
from playmill.engine.run.batch import Flags
from playmill.engine.run.state import State
from playmill.engine.run.stepper import Seen
from playmill.lab.replays.narration import choice
from playmill.texts import PlaymillError

_gymnasium: Any = neighbour("gymnasium", "gymnasium")
_vector: Any = neighbour("gymnasium.vector", "gymnasium")


class GameEnv(_gymnasium.Env):
    """One seat against agents of any kind; with the seat "rotate" the next one in every game."""

    metadata: ClassVar[dict[str, Any]] = {"render_modes": list(RENDER_MODES), "render_fps": 4}

    def __init__(
        self,
        game: Game | str,
        *,
        seat: LearnerSeat = 0,
        agents: Any = "random",
        players: int | None = None,
        config: RuleConfig | Mapping[str, Any] | None = None,
        seed: int = 0,
        illegal: Illegal = "lose",
        render_mode: str | None = None,
        interpreted: bool = False,
    ) -> None:
        """`agents` is one for all other seats, or a list with one for each of them; `reset` deals the first game."""
        self._deals = deals = Episodes(game, players=players, config=config, seed=seed, interpreted=interpreted)
        self.game, self.illegal, self.render_mode = deals.game, known_illegal(illegal), render_mode_of(render_mode)
        self._tables = {
            one: seated(deals.game, deals.players, one, agents, deals.config)
            for one in learner_seats(seat, deals.players)
        }
        #: The seat of the learner in the game being played.
        self.seat = next(iter(self._tables))
        self._least = deals.game.stakes(deals.config, deals.players).least
        self._forfeited, self._compiled = False, interpreted
        self._dealt: State | None = None
        #: What each number of an observation is.
        self.names = deals.game.names
        self.action_space = _gymnasium.spaces.Discrete(deals.game.actions)
        self.observation_space = _gymnasium.spaces.Box(deals.low, deals.high, dtype=np.int32)

    @property
    def state(self) -> State:
        """The game being played."""
        if self._dealt is None:
            raise not_dealt()
        return self._dealt

    def reset(self, *, seed: int | None = None, options: Any = None) -> tuple[Seen, dict[str, Any]]:
        """Deals the next game, or the first one of a seed, up to the first decision of this seat."""
        super().reset(seed=seed)
        with telling(self.game):
            self._dealt = self._deals.next(seed, self._begin)
        self._forfeited = False
        return self._seen(), self._info()

    def step(self, action: Any) -> tuple[Seen, float, bool, bool, dict[str, Any]]:
        """Does an action of this seat, and lets the others act up to its next decision or the end."""
        if self._forfeited or self.state.is_terminal():
            raise PlaymillError("the game is over: reset deals the next one", "партия окончена: reset сдаст следующую")
        wanted = whole(action)
        if self.illegal == "lose" and wanted not in self.state.legal_actions():
            self._forfeited = True
            return self._seen(), self._least, True, False, {**self._info(), "illegal_action": wanted}
        with nullcontext() if self._compiled else telling(self.game):
            self.state.apply_action(wanted)
            self._let_others_act(self.state)
        self._compiled = True
        over = self.state.is_terminal()
        return self._seen(), self.state.returns()[self.seat] if over else 0.0, over, False, self._info()

    def action_masks(self) -> Flags:
        """Which actions are legal now, as learners with masks ask for it."""
        return mask_of(self.state, self.seat).astype(np.bool_)

    def render(self) -> Any:
        """The position in words, as an SVG picture for this seat, or as an array of its pixels."""
        return rendered(self.state, self.render_mode, self.seat) if self.render_mode is not None else None

    def _begin(self, state: State) -> None:
        seats = list(self._tables)
        self.seat = seats[state.number % len(seats)]
        self._let_others_act(state)

    def _let_others_act(self, state: State) -> None:
        seats = self._tables[self.seat]
        while not state.is_terminal() and state.current_player() != self.seat:
            state.apply_action(choice(state, seats[state.current_player()])[0])

    def _seen(self) -> Seen:
        seen = self.state.observation_tensor(self.seat)
        check_within(self.game, seen, self._deals.low, self._deals.high)
        return seen

    def _info(self) -> dict[str, Any]:
        return {
            "action_mask": mask_of(self.state, self.seat),
            "number": self.state.number,
            "seat": self.seat,
        }


class GameVectorEnv(_vector.VectorEnv):
    """Many games at once: one seat against compiled agents, or with "rotate" every seat in some of the places.

    A game that has ended is dealt anew in the next step, whose action is not looked at (Gymnasium's `NEXT_STEP`).
    Place i of n plays games i, i+n, … of the run with the seed.
    """

    metadata: ClassVar[dict[str, Any]] = {"render_modes": [], "autoreset_mode": _vector.AutoresetMode.NEXT_STEP}

    def __init__(
        self,
        game: Game | str,
        num_envs: int,
        *,
        seat: LearnerSeat = 0,
        agents: Any = "random",
        players: int | None = None,
        config: RuleConfig | Mapping[str, Any] | None = None,
        seed: int = 0,
        illegal: Illegal = "lose",
        interpreted: bool = False,
    ) -> None:
        """`agents` are compiled ones: one for all other seats, or a list with one for each of them."""
        self.games = games = LearnerBatch(
            game,
            num_envs,
            seat=seat,
            agents=agents,
            players=players,
            config=config,
            seed=seed,
            illegal=illegal,
            interpreted=interpreted,
        )
        self.num_envs = num_envs
        self._over: Flags = np.zeros(num_envs, np.bool_)
        self._begun = False
        self.game, self.names = games.game, games.game.names
        self.single_action_space = _gymnasium.spaces.Discrete(games.game.actions)
        self.single_observation_space = _gymnasium.spaces.Box(games.low, games.high, dtype=np.int32)
        self.action_space = _vector.utils.batch_space(self.single_action_space, num_envs)
        self.observation_space = _vector.utils.batch_space(self.single_observation_space, num_envs)

    def reset(self, *, seed: int | None = None, options: Any = None) -> tuple[Seen, dict[str, Any]]:
        """Deals the next game in every place, or the first games of a seed."""
        if isinstance(seed, Sequence):
            raise PlaymillError(
                "one seed is enough for all places: each plays games of its own",
                "на все места хватит одного сида: у каждого свои партии",
            )
        super().reset(seed=seed)
        if seed is not None or self._begun:
            self.games.deal(seed)
        self._begun = True
        self._over[:] = False
        return self.games.seen.copy(), self._info()

    def step(self, actions: Any) -> tuple[Seen, Any, Flags, Flags, dict[str, Any]]:
        """One action for each place that is not over; those that were over are dealt the next game."""
        before = self._over.copy()
        rewards, self._over, _ = self.games.step(actions, before)
        if before.any():
            seen = self.games.seen.copy()
            self.games.deal_anew(before)
            # What a forfeited game showed last is not what the batch shows of it now.
            self.games.seen[~before] = seen[~before]
        return self.games.seen.copy(), rewards, self._over.copy(), np.zeros(self.num_envs, np.bool_), self._info()

    def _info(self) -> dict[str, Any]:
        everywhere = np.ones(self.num_envs, np.bool_)
        info = {
            "action_mask": self.games.mask.astype(np.int8),
            "number": self.games.numbers.copy(),
            "seat": self.games.seats.copy(),
        }
        return {**info, **{f"_{key}": everywhere for key in info}}


def _register(name: str, **given: Any) -> None:
    """Makes a game known to Gymnasium, for `make` and `make_vec`."""
    if f"playmill/{name}-v0" not in _gymnasium.registry:
        _gymnasium.register(
            id=f"playmill/{name}-v0",
            entry_point=f"{__name__}:GameEnv",
            vector_entry_point=f"{__name__}:GameVectorEnv",
            kwargs=given,
        )


_register("game")
for _name in game_names():
    _register(_name, game=_name)
