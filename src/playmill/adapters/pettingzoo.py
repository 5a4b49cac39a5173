"""PettingZoo adapter: any game as a turn-based (AEC) environment.

An agent observes `{"observation": whole numbers, "action_mask": 1 at each option}`; what the numbers are, `names` says.
Rewards come with the end of the game. `reset(seed=s)` deals game 0 of the run with that seed, every `reset()` after it
the next one.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

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
from playmill.engine.config.model import RuleConfig
from playmill.engine.contract.game import Game
from playmill.engine.contract.observed_range import check_within
from playmill.engine.run.state import State
from playmill.texts import PlaymillError

_pettingzoo: Any = neighbour("pettingzoo", "pettingzoo")
_spaces: Any = neighbour("gymnasium.spaces", "pettingzoo")


def parallel_env(game: Game | str, **options: Any) -> Any:
    """The same by PettingZoo's own conversion of turn-based games: all agents are asked, whose turn it is moves."""
    return neighbour("pettingzoo.utils.conversions", "pettingzoo").turn_based_aec_to_parallel(GameEnv(game, **options))


class GameEnv(_pettingzoo.AECEnv):
    """One game whose players, `player_0` …, are all outside."""

    def __init__(
        self,
        game: Game | str,
        *,
        players: int | None = None,
        config: RuleConfig | Mapping[str, Any] | None = None,
        seed: int = 0,
        render_mode: str | None = None,
        interpreted: bool = False,
    ) -> None:
        """The next `reset` deals the first game.

        `render_mode` is None, "ansi" (words), "svg" (a picture) or "rgb_array" (its pixels).
        """
        super().__init__()
        self._deals = deals = Episodes(game, players=players, config=config, seed=seed, interpreted=interpreted)
        self.game = deals.game
        #: What each number of an observation is.
        self.names = deals.game.names
        self.metadata = {
            "name": f"playmill_{deals.game.name}_v{deals.game.version}",
            "render_modes": list(RENDER_MODES),
            "render_fps": 4,
            "is_parallelizable": True,
        }
        self.render_mode = render_mode_of(render_mode)
        self.possible_agents = [f"player_{seat}" for seat in range(deals.players)]
        self.game_state: State | None = None
        self._actions = {agent: _spaces.Discrete(deals.game.actions) for agent in self.possible_agents}
        self._observations = {agent: _observation_space(deals) for agent in self.possible_agents}
        ends = [np.iinfo(kind) for _, kind in _places(deals.game.state)]
        #: Every number of a state, hidden ones too, as `state` tells them.
        self.state_names = tuple(name for name, _ in _places(deals.game.state))
        self.state_space = _spaces.Box(
            np.array([end.min for end in ends], np.int64), np.array([end.max for end in ends], np.int64), dtype=np.int64
        )

    def action_space(self, agent: str) -> Any:
        """All actions of the game, by its own numbering."""
        return self._actions[agent]

    def observation_space(self, agent: str) -> Any:
        """What an agent sees."""
        return self._observations[agent]

    def reset(self, seed: int | None = None, options: Any = None) -> None:
        """Deals the next game, or the first one of a seed."""
        with telling(self.game):
            self.game_state = state = self._deals.next(seed)
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self.possible_agents[state.current_player()]

    def observe(self, agent: str) -> dict[str, Any]:
        """What an agent sees now; it has options only if it is to move."""
        if agent not in self.possible_agents:
            listed = ", ".join(self.possible_agents)
            raise PlaymillError(
                f"there is no agent {agent!r}; agents are {listed}", f"агента {agent!r} нет; есть {listed}"
            )
        seat, state = self.possible_agents.index(agent), self._state()
        seen = state.observation_tensor(seat)
        check_within(self.game, seen, self._deals.low, self._deals.high)
        return {"observation": seen, "action_mask": mask_of(state, seat)}

    def state(self) -> np.ndarray[Any, np.dtype[np.int64]]:
        """Every number of the state of the game, hidden ones too: for critics that learn with the whole truth."""
        record = self._state().record
        return np.concatenate([np.ravel(value).astype(np.int64) for value in _values(record)])

    def _state(self) -> State:
        if self.game_state is None:
            raise not_dealt()
        return self.game_state

    def step(self, action: Any) -> None:
        """Does an action for the agent to move; an illegal one raises, and nothing has happened."""
        state, agent = self._state(), self.agent_selection
        if self.terminations[agent]:
            self._was_dead_step(action)
            return
        state.apply_action(whole(action))
        self._cumulative_rewards[agent] = 0.0
        if state.is_terminal():
            self.rewards = dict(zip(self.agents, state.returns(), strict=True))
            self.terminations = dict.fromkeys(self.agents, True)
            self.agent_selection = self.agents[0]
        else:
            self._clear_rewards()
            self.agent_selection = self.possible_agents[state.current_player()]
        self._accumulate_rewards()

    def render(self) -> Any:
        """The position in words, as an SVG picture for whoever is to move, or as an array of its pixels."""
        if self.render_mode is None:
            return None
        state = self._state()
        return rendered(state, self.render_mode, None if state.is_terminal() else state.current_player())

    def close(self) -> None:
        """Nothing is left open."""

    def __str__(self) -> str:
        return str(self.metadata["name"])


def _observation_space(deals: Episodes) -> Any:
    """The space of what is seen of a game, and of its options."""
    return _spaces.Dict(
        {
            "observation": _spaces.Box(deals.low, deals.high, dtype=np.int32),
            "action_mask": _spaces.Box(0, 1, (deals.game.actions,), np.int8),
        }
    )


def _places(kind: np.dtype[Any], name: str = "") -> list[tuple[str, np.dtype[Any]]]:
    """The name and the type of every number of a record, in its order."""
    if kind.names is not None:
        return [one for field in kind.names for one in _places(kind[field], f"{name}.{field}" if name else field)]
    if kind.shape:
        return [one for place in np.ndindex(kind.shape) for one in _places(kind.base, f"{name}{list(place)}")]
    return [(name, kind)]


def _values(record: Any) -> list[Any]:
    """The numbers of a record, in its order."""
    if record.dtype.names is None:
        return [record]
    if record.ndim:
        return [value for one in record.reshape(-1) for value in _values(one)]
    return [value for field in record.dtype.names for value in _values(record[field])]
