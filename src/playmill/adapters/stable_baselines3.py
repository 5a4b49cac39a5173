"""Stable-Baselines3 adapter: many games in one `VecEnv`, with the legal actions for MaskablePPO of sb3-contrib.

    env = GameVecEnv("dice", 256, agents="greedy", seat="rotate")
    MaskablePPO("MlpPolicy", env).learn(1_000_000)

What is seen is handed over as float32, divided by `scale` so that each number with a known range lies in -1 … 1:
networks learn from that, and `export_policy` of `network_export.py` writes a file that plays with it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from playmill.adapters.episodes import neighbour
from playmill.adapters.learner_batch import Illegal, LearnerBatch, LearnerSeat
from playmill.engine.config.model import RuleConfig
from playmill.engine.contract.game import Game
from playmill.texts import PlaymillError

neighbour("stable_baselines3", "sb3")
_spaces: Any = neighbour("gymnasium.spaces", "sb3")
_vec_env: Any = neighbour("stable_baselines3.common.vec_env", "sb3")

Floats = np.ndarray[Any, np.dtype[np.float32]]
#: A number with a wider range than this is as good as unbounded, and not divided.
_WIDEST = 4096


class GameVecEnv(_vec_env.VecEnv):
    """Many games at once: one seat against compiled agents, or with "rotate" every seat in some of the places.

    The next game is dealt in the step that ends one, as SB3 wants it; what was seen of the end is in
    `infos[i]["terminal_observation"]`, and what the game brought in `infos[i]["episode"]`.
    """

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
        self.game, self.render_mode = games.game, None
        #: What each number that is seen is divided by.
        widest = np.maximum(-games.low.astype(np.float64), games.high)
        self.scale: Floats = np.where(widest > _WIDEST, 1.0, np.maximum(widest, 1.0)).astype(np.float32)
        low, high = games.low / self.scale, games.high / self.scale
        self._actions: Any = None
        self._steps = np.zeros(num_envs, np.int64)
        self._begun = False
        space = _spaces.Box(low.astype(np.float32), high.astype(np.float32), dtype=np.float32)
        super().__init__(num_envs, space, _spaces.Discrete(games.game.actions))

    def reset(self) -> Floats:
        """Deals the next game in every place, or the first games of the seed that was set."""
        seed = self._seeds[0]
        if seed is not None or self._begun:
            self.games.deal(seed)
        self._begun = True
        self._reset_seeds()
        self._reset_options()
        self._steps[:] = 0
        return self._seen()

    def step_async(self, actions: Any) -> None:
        """Notes one action for each place."""
        self._actions = actions

    def step_wait(self) -> tuple[Floats, Floats, Any, list[dict[str, Any]]]:
        """Does the actions; a game that has ended is followed by the next one."""
        rewards, over, refused = self.games.step(self._actions, np.zeros(self.num_envs, np.bool_))
        self._steps += 1
        infos: list[dict[str, Any]] = [{} for _ in range(self.num_envs)]
        if over.any():
            ends = self._seen()
            for place in np.flatnonzero(over).tolist():
                infos[place] = {
                    "terminal_observation": ends[place],
                    "TimeLimit.truncated": False,
                    "episode": {"r": float(rewards[place]), "l": int(self._steps[place]), "t": 0.0},
                    **({"illegal_action": refused[place]} if place in refused else {}),
                }
            self._steps[over] = 0
            self.games.deal_anew(over)
        return self._seen(), rewards.astype(np.float32), over, infos

    def action_masks(self) -> Any:
        """Which actions are legal now, a row a place."""
        return self.games.mask.copy()

    def env_method(self, method_name: str, *method_args: Any, indices: Any = None, **method_kwargs: Any) -> list[Any]:
        """The legal actions of some places: the one thing that learners ask single environments for."""
        if method_name != "action_masks":
            raise _no_single(method_name)
        mask = self.action_masks()
        return [mask[place] for place in self._get_indices(indices)]

    def has_attr(self, attr_name: str) -> bool:
        """Whether all places have something: this environment's own."""
        return hasattr(self, attr_name)

    def get_attr(self, attr_name: str, indices: Any = None) -> list[Any]:
        """The same attribute for every place."""
        return [getattr(self, attr_name) for _ in self._get_indices(indices)]

    def set_attr(self, attr_name: str, value: Any, indices: Any = None) -> None:
        """Refused: places have nothing of their own."""
        raise _no_single(attr_name)

    def env_is_wrapped(self, wrapper_class: Any, indices: Any = None) -> list[bool]:
        """None is: a `Monitor` is not needed, since ends of games are told."""
        return [False for _ in self._get_indices(indices)]

    def seed(self, seed: int | None = None) -> Sequence[int | None]:
        """The next reset deals the games of this seed."""
        self._seeds = [seed] * self.num_envs
        return self._seeds

    def close(self) -> None:
        """Nothing is left open."""

    def _seen(self) -> Floats:
        return (self.games.seen / self.scale).astype(np.float32)


def _no_single(name: str) -> PlaymillError:
    return PlaymillError(
        f"{name}: all games are one environment here, and have nothing of their own but action_masks",
        f"{name}: здесь все партии — одна среда, своего у них — только action_masks",
    )
