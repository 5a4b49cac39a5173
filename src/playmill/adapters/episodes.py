"""Shared by the adapters: the sequence of games of a seed, action masks, render modes, missing libraries."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import cache, partial
from importlib import import_module
from operator import index
from typing import Any

import numpy as np

from playmill.engine.config.model import RuleConfig
from playmill.engine.contract.game import Game, as_config, as_game
from playmill.engine.contract.observed_range import observed_ranges
from playmill.engine.run.state import State
from playmill.lab.replays.animation import painter
from playmill.stdio import complain, watching
from playmill.texts import PlaymillError, Text, user_language

Mask = np.ndarray[Any, np.dtype[np.int8]]
#: How a game can be shown: in words, as a picture, as an array of pixels.
RENDER_MODES = ("ansi", "svg", "rgb_array")
#: The width of a picture of pixels.
_WIDTH = 640
_PIXELS = Text("a picture of pixels", "картинка из точек")


def neighbour(module: str, extra: str) -> Any:
    """Imports the library of an adapter; without it, raises how to install it."""
    try:
        return import_module(module)
    except ImportError as error:
        if error.name is None or error.name.partition(".")[0] != module.partition(".")[0]:
            raise
        raise PlaymillError(
            f"this adapter needs {module}: pip install 'playmill[{extra}]'",
            f"этому адаптеру нужна библиотека {module}: pip install 'playmill[{extra}]'",
        ) from None


class Episodes:
    """The games of a run, one after the other; a seed begins a run, and its first game is number 0."""

    def __init__(
        self,
        game: Game | str,
        *,
        players: int | None = None,
        config: RuleConfig | Mapping[str, Any] | None = None,
        seed: int = 0,
        interpreted: bool = False,
    ) -> None:
        self.game = as_game(game)
        self.players = players if players is not None else self.game.players[0]
        self.game.check_players(self.players)
        self.config = as_config(self.game, config)
        self._seed, self._next, self._interpreted = seed, 0, interpreted
        #: The least and the largest value of each number of an observation.
        self.low, self.high = observed_ranges(self.game, self.config, self.players)

    def next(self, seed: int | None, plays: Callable[[State], object] = lambda state: None) -> State:
        """The next game with a decision, or the first one of a seed, after `plays` has led to its first decision."""
        if seed is not None:
            self._seed, self._next = seed, 0
        for _ in range(1000):
            state = State(
                self.game,
                players=self.players,
                config=self.config,
                seed=self._seed,
                number=self._next,
                interpreted=self._interpreted,
            )
            self._next += 1
            plays(state)
            if not state.is_terminal():
                return state
        raise PlaymillError(
            f"{self.game.name}: nobody was asked anything in 1000 games in a row",
            f"{self.game.name}: за 1000 партий подряд никого ни о чём не спросили",
        )


def whole(action: Any) -> int:
    """An action as a whole number, whatever library it comes from."""
    try:
        return index(action.item() if isinstance(action, np.ndarray) and action.size == 1 else action)
    except TypeError:
        raise PlaymillError(
            f"an action is a whole number, not {action!r}", f"действие — целое число, а не {action!r}"
        ) from None


def render_mode_of(mode: str | None) -> str | None:
    """Validates a render mode."""
    if mode not in (None, *RENDER_MODES):
        raise PlaymillError(
            f"there is no render mode {mode!r}; expected 'ansi', 'svg', 'rgb_array' or None",
            f"режима {mode!r} нет; есть 'ansi', 'svg', 'rgb_array' и None",
        )
    if mode == "rgb_array":
        painter(_PIXELS)
    return mode


def rendered(state: State, mode: str | None, player: int | None) -> Any:
    """The position in words, as an SVG picture for a player (None: a spectator), or the same as an array of pixels."""
    if mode is None or mode == "ansi":
        return None if mode is None else str(state)
    svg = state.view(player)
    return svg if mode == "svg" else np.asarray(painter(_PIXELS)(svg, _WIDTH))


@contextmanager
def telling(game: Game) -> Iterator[None]:
    """Says on standard error, once a game, that its rules are being compiled: what takes long and why."""
    with watching(partial(_tell, game.name)):
        yield


@cache
def _tell(game: str, what: Text) -> None:
    complain(f"{game}: {what.of(user_language())}")


def not_dealt() -> PlaymillError:
    """The error for a game before `reset`."""
    return PlaymillError("no game is dealt yet: call reset first", "игра ещё не сдана: сначала вызовите reset")


def mask_of(state: State, player: int) -> Mask:
    """1 at the options of a player who is to move, else 0."""
    mask: Mask = np.zeros(state.game.actions, np.int8)
    if state.current_player() == player:
        mask[state.legal_actions()] = 1
    return mask
