"""Agents written in plain Python: what they are asked, how their answers are read, and what if they are wrong."""

from __future__ import annotations

import hashlib
import logging
import random
from collections import Counter
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from playmill.agents.seats import Seat
from playmill.engine.config import RuleConfig
from playmill.engine.game import Game
from playmill.engine.kernels import kernels_of
from playmill.engine.loops import LIVE
from playmill.engine.record import RecordArray
from playmill.texts import PlaymillError, Text

log = logging.getLogger("playmill.fallback")

#: Fallbacks kept word for word; all are counted.
KEPT = 100


@dataclass(frozen=True)
class Option:
    """One thing the player may do: its id, its words, its fields."""

    action: int
    _game: Game = field(repr=False)
    _config: RuleConfig = field(repr=False)

    @property
    def text(self) -> str:
        """The short text form, the same in every language."""
        text: str = self._game.words.to_text(self._config, self.action)
        return text

    @property
    def words(self) -> Text:
        """The option in words, in both languages."""
        words: Text = self._game.words.describe(self._config, self.action)
        return words

    @property
    def fields(self) -> dict[str, Any]:
        """The option taken apart, for programs."""
        fields: dict[str, Any] = self._game.words.fields(self._config, self.action)
        return fields


class Decision:
    """What an agent is asked: the kind of decision, who decides, the options, and what that player may see."""

    def __init__(
        self, game: Game, config: RuleConfig, players: int, desk: RecordArray, count: int, number: tuple[int, int, int]
    ) -> None:
        """`number`: the run's seed, the game's number, and how many decisions were made in the game before."""
        self._game = game
        self._desk = desk.copy()
        self._number = number
        self._record: np.void = self._desk["states"][0, LIVE]
        self.game = game.name
        self.config = config
        self.players = players
        self.number = number[1]
        self.player = int(self._record["player"])
        self.kind: str = game.words.decision_kind(self._record)
        self.actions: list[int] = self._desk["legal"]["ids"][0, :count].tolist()

    @cached_property
    def options(self) -> list[Option]:
        """The options, in the order of their ids."""
        return [Option(action, self._game, self.config) for action in self.actions]

    @cached_property
    def seen(self) -> dict[str, Any]:
        """What the player may see, in words and numbers."""
        seen: dict[str, Any] = self._game.words.seen(self.config, self._record, self.player, "en")
        return seen

    @cached_property
    def observation(self) -> np.ndarray[Any, np.dtype[np.int32]]:
        """What the player may see, as one vector of numbers."""
        out = np.zeros(self._game.observation, np.int32)
        kernels_of(self._game).see(self._desk, self.player, out)
        return out

    @cached_property
    def random(self) -> random.Random:
        """A source of chance for the agent that makes its play repeatable."""
        text = ",".join(map(str, self._number))
        return random.Random(int.from_bytes(hashlib.sha256(text.encode()).digest()[:8]))


@dataclass
class Fallbacks:
    """Answers that could not be used, counted by agent and by kind of decision, the first ones word for word."""

    by_agent: Counter[str] = field(default_factory=Counter)
    by_decision: Counter[str] = field(default_factory=Counter)
    entries: list[dict[str, Any]] = field(default_factory=list)

    def add(self, game: int, agent: str, decision: str, reason: str) -> None:
        """Logs and counts one."""
        self.by_agent[agent] += 1
        self.by_decision[decision] += 1
        if len(self.entries) < KEPT:
            self.entries.append({"game": game, "agent": agent, "decision": decision, "reason": reason})
        log.debug("game %d: %s, %s: %s", game, agent, decision, reason)

    def json(self) -> dict[str, Any]:
        """The `fallbacks` part of results."""
        return {
            "total": self.by_agent.total(),
            "by_agent": dict(sorted(self.by_agent.items())),
            "by_decision": dict(sorted(self.by_decision.items())),
        }


def ask(game: Game, config: RuleConfig, seat: Seat, decision: Decision) -> tuple[int | None, str]:
    """The action an agent answers with, or None and the reason why the answer cannot be used."""
    try:
        answer = seat.player.choose(decision)
        action = _read(game, config, answer)
    except PlaymillError as error:
        return None, str(error)
    except Exception as error:
        return None, f"{type(error).__name__}: {error}"
    if action is None:
        return None, f"answered {_short(answer)}, not one of the options"
    if action not in decision.actions:
        return None, f"answered {_short(answer)}, which is not legal now"
    return action, ""


def _read(game: Game, config: RuleConfig, answer: Any) -> int | None:
    """An option, an action id or a short text form as an action id; None for anything else."""
    if isinstance(answer, Option):
        return answer.action
    if isinstance(answer, bool):
        return None
    if isinstance(answer, (int, np.integer)):
        return int(answer)
    if isinstance(answer, str):
        action: int = game.words.parse(config, answer)
        return action
    return None


def _short(answer: Any) -> str:
    text = repr(answer)
    return text if len(text) <= 60 else text[:57] + "…"
