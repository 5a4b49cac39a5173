"""Gymnasium adapter: one seat of any game as an environment; agents of Playmill play the others.

What is seen are whole numbers (`names` says what they are); the options are in `info["action_mask"]`, and by
`action_masks()`. The reward comes with the end of the game. `reset(seed=s)` deals game 0 of the run with that seed,
every `reset()` after it the next one; a game that never asks this seat is passed over.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Literal

import numpy as np

from playmill.adapters.episodes import (
    LEAST,
    MOST,
    RENDER_MODES,
    Episodes,
    mask_of,
    neighbour,
    not_dealt,
    render_mode_of,
    whole,
)
from playmill.agents.agent_specs import Seat, seats_for
from playmill.engine.config.model import RuleConfig
from playmill.engine.contract.game import Game, as_config, as_game
from playmill.engine.run.batch import Batch, Flags
from playmill.engine.run.state import State
from playmill.engine.run.stepper import Seen
from playmill.lab.replays.narration import choice
from playmill.texts import PlaymillError

_gymnasium: Any = neighbour("gymnasium", "gymnasium")
_vector: Any = neighbour("gymnasium.vector", "gymnasium")

#: What becomes of an action that is not legal: the game is lost (it ends with the least it can bring), or it raises.
Illegal = Literal["lose", "raise"]


class GameEnv(_gymnasium.Env):
    """One seat against agents of any kind."""

    metadata: ClassVar[dict[str, Any]] = {"render_modes": list(RENDER_MODES)}

    def __init__(
        self,
        game: Game | str,
        *,
        seat: int = 0,
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
        self.game, self.seat, self.illegal, self.render_mode = (
            deals.game,
            seat,
            _known(illegal),
            render_mode_of(render_mode),
        )
        self._seats = _seated(deals.game, deals.players, seat, agents)
        self._least = deals.game.stakes(deals.config, deals.players).least
        self._forfeited = False
        self._dealt: State | None = None
        #: What each number of an observation is.
        self.names = deals.game.names
        self.action_space = _gymnasium.spaces.Discrete(deals.game.actions)
        self.observation_space = _gymnasium.spaces.Box(LEAST, MOST, (deals.game.observation,), np.int32)

    @property
    def state(self) -> State:
        """The game being played."""
        if self._dealt is None:
            raise not_dealt()
        return self._dealt

    def reset(self, *, seed: int | None = None, options: Any = None) -> tuple[Seen, dict[str, Any]]:
        """Deals the next game, or the first one of a seed, up to the first decision of this seat."""
        super().reset(seed=seed)
        self._dealt = self._deals.next(seed, self._let_others_act)
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
        self.state.apply_action(wanted)
        self._let_others_act(self.state)
        over = self.state.is_terminal()
        return self._seen(), self.state.returns()[self.seat] if over else 0.0, over, False, self._info()

    def action_masks(self) -> Flags:
        """Which actions are legal now, as learners with masks ask for it."""
        return mask_of(self.state, self.seat).astype(np.bool_)

    def render(self) -> str | None:
        """The position in words, or as an SVG picture for this seat."""
        if self.render_mode is None:
            return None
        return str(self.state) if self.render_mode == "ansi" else self.state.view(self.seat)

    def _let_others_act(self, state: State) -> None:
        while not state.is_terminal() and state.current_player() != self.seat:
            state.apply_action(choice(state, self._seats[state.current_player()])[0])

    def _seen(self) -> Seen:
        return self.state.observation_tensor(self.seat)

    def _info(self) -> dict[str, Any]:
        return {"action_mask": mask_of(self.state, self.seat), "number": self.state.number}


class GameVectorEnv(_vector.VectorEnv):
    """Many games at once, in one compiled call a step: one seat against compiled agents.

    A game that has ended is dealt anew in the next step, whose action is not looked at (Gymnasium's `NEXT_STEP`).
    Place i of n plays games i, i+n, … of the run with the seed.
    """

    metadata: ClassVar[dict[str, Any]] = {"render_modes": [], "autoreset_mode": _vector.AutoresetMode.NEXT_STEP}

    def __init__(
        self,
        game: Game | str,
        num_envs: int,
        *,
        seat: int = 0,
        agents: Any = "random",
        players: int | None = None,
        config: RuleConfig | Mapping[str, Any] | None = None,
        seed: int = 0,
        illegal: Illegal = "lose",
        interpreted: bool = False,
    ) -> None:
        """`agents` are compiled ones: one for all other seats, or a list with one for each of them."""
        found = as_game(game)
        count = players if players is not None else found.players[0]
        seats = _seated(found, count, seat, agents)
        for place, sits in enumerate(seats):
            if place != seat and not sits.compiled:
                raise PlaymillError(
                    f"{sits.name} is no compiled agent, and only those play many games in one call;"
                    " gymnasium.vector.SyncVectorEnv takes any GameEnv",
                    f"{sits.name} — не скомпилированный агент, а много партий одним вызовом играют только такие;"
                    " gymnasium.vector.SyncVectorEnv принимает любые GameEnv",
                )
        self.num_envs, self.illegal = num_envs, _known(illegal)
        self._seat, self._least = seat, found.stakes(as_config(found, config), count).least
        self._options: dict[str, Any] = {
            "players": players,
            "config": config,
            "seats": [None if place == seat else sits for place, sits in enumerate(seats)],
            "interpreted": interpreted,
        }
        self.batch = Batch(found, num_envs, seed=seed, **self._options)
        self._over: Flags = np.zeros(num_envs, np.bool_)
        self._begun = False
        self.game, self.names = found, found.names
        self.single_action_space = _gymnasium.spaces.Discrete(found.actions)
        self.single_observation_space = _gymnasium.spaces.Box(LEAST, MOST, (found.observation,), np.int32)
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
        if seed is not None:
            self.batch = Batch(self.game, self.num_envs, seed=seed, **self._options)
        elif self._begun:
            self.batch.reset_done(np.ones(self.num_envs, np.bool_))
        self.batch.reset_done()  # games that ask nothing
        self._begun = True
        self._over[:] = False
        return self.batch.observations.copy(), self._info()

    def step(self, actions: Any) -> tuple[Seen, Any, Flags, Flags, dict[str, Any]]:
        """One action for each place that is not over; those that were over are dealt the next game."""
        wanted = self.batch.whole_numbers(actions)
        before, mask = self._over.copy(), self.batch.legal_action_mask
        known = (wanted >= 0) & (wanted < self.game.actions)
        forfeits = ~before & ~(known & mask[np.arange(self.num_envs), np.where(known, wanted, 0)])
        if self.illegal == "lose" or before.any():
            wanted = np.where(before | (forfeits & (self.illegal == "lose")), self.batch.legal_action(0), wanted)
        kept = self.batch.observations[forfeits].copy()
        self.batch.step(wanted)
        rewards, self._over = self.batch.rewards[:, self._seat].copy(), self.batch.terminated
        if before.any():
            self.batch.reset_done(before)
        seen = self.batch.observations.copy()
        seen[forfeits], rewards[forfeits], rewards[before] = kept, self._least, 0.0
        self._over[forfeits], self._over[before] = True, False
        return seen, rewards, self._over.copy(), np.zeros(self.num_envs, np.bool_), self._info()

    def _info(self) -> dict[str, Any]:
        everywhere = np.ones(self.num_envs, np.bool_)
        info = {"action_mask": self.batch.legal_action_mask.astype(np.int8), "number": self.batch.game_ids.copy()}
        return {**info, **{f"_{key}": everywhere for key in info}}


def _seated(game: Game, players: int, seat: int, agents: Any) -> tuple[Seat, ...]:
    """The agents of all seats; the learner's is never asked."""
    game.check_players(players)
    if not 0 <= seat < players:
        raise PlaymillError(
            f"there is no seat {seat}; seats are 0 … {players - 1}", f"места {seat} нет; места: 0 … {players - 1}"
        )
    others = list(agents) if isinstance(agents, Sequence) and not isinstance(agents, str) else [agents] * (players - 1)
    if len(others) != players - 1:
        raise PlaymillError(
            f"{len(others)} agents for {players - 1} other seats: name one for all, or one for each",
            f"агентов {len(others)}, а других мест {players - 1}: назовите одного на все или по одному на каждое",
        )
    return seats_for(game, players, [*others[:seat], "random", *others[seat:]])


def _known(illegal: str) -> str:
    if illegal not in ("lose", "raise"):
        raise PlaymillError(
            f"illegal is {illegal!r}; expected 'lose' or 'raise'",
            f"illegal равно {illegal!r}; нужно 'lose' или 'raise'",
        )
    return illegal
