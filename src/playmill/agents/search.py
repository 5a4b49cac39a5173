"""`search`: an opponent for every game. Plays games in its head and chooses what they taught (see `thinking.py`)."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from playmill.agents import thinking
from playmill.engine import slots
from playmill.engine.agent import Parameter
from playmill.engine.game import Game
from playmill.engine.kernels import PARAMETERS as MOST_PARAMETERS
from playmill.engine.kernels import (
    by_interpreter,
    fill_slots,
    functions_of,
    keep_roots,
    load_generated,
    reads_list,
    with_roots,
)
from playmill.engine.machine_code import is_kept
from playmill.engine.random_agent import RANDOM
from playmill.engine.record import RecordArray
from playmill.engine.rng import SEATS, Luck, Whims
from playmill.engine.rule import numba_config
from playmill.stopping import Stop
from playmill.texts import Text

NAME = "search"
ABOUT = Text(
    "plays games in its head, deals anew what it cannot see, and chooses what worked best: stronger with every thought",
    "играет партии в уме, наугад раскладывая скрытое, и выбирает лучшее: чем больше думает, тем сильнее",
)
PARAMETERS: Mapping[str, Parameter] = {
    "iterations": Parameter(1000, 1, 1_000_000, Text("games in the head for one decision", "партий в уме на решение")),
    "ms": Parameter(
        0,
        0,
        600_000,
        Text(
            "think so many milliseconds instead (0 = count iterations); not repeatable",
            "думать столько миллисекунд (0 = по числу партий); повторить нельзя",
        ),
    ),
    "horizon": Parameter(
        0,
        0,
        10_000,
        Text(
            "decisions played on before a position is judged, in games that can (0 = as the game says)",
            "через сколько решений оценивать позицию там, где игра это умеет (0 = как решила игра)",
        ),
    ),
    "explore": Parameter(1.0, 0, 100, Text("taste for what was tried little", "тяга к мало испробованному")),
    "trust": Parameter(0.5, 0, 1, Text("trust in the game's own heuristic", "доверие к эвристике самой игры")),
}

_ROOTS = ("forget", "begin", "think", "weigh")
#: A tree holds so many decisions before it is emptied, and never has more entries than this.
_KEPT_DECISIONS = 4
_MOST_ENTRIES = 1 << 21
_ENTRIES_WITH_CLOCK = 1 << 18
#: Thoughts are thought in slices of about so many seconds, with a clock and without: between two of them it may stop.
_SLICE, _LONG_SLICE = 0.002, 0.05

Entry = np.dtype(
    [
        ("hash", np.int64),  # of the place kept here; 0 = none
        ("sum", np.float64),  # what it brought to the one whose turn it is
        ("visits", np.int32),
        ("first", np.int32),  # of its branches
        ("hint", np.int32),  # what the heuristic does there
        ("action", np.int32),  # of the branch kept here
        ("total", np.float64),  # what it brought
        ("tries", np.int32),
        ("next", np.int32),
    ],
    align=True,
)


@cache
def mind_type(game: Game) -> np.dtype[np.void]:
    """The record a thinker thinks on: the game in her head, its luck, and how far the tree has grown."""
    return np.dtype(
        [
            ("states", game.state, (1,)),
            ("luck", Luck),
            ("whims", Whims),
            ("params", np.dtype([("value", np.float64, (SEATS, MOST_PARAMETERS))])),
            ("legal", np.dtype([("ids", np.int32, (game.max_legal,))])),
            ("seen", np.int32, (game.observation,)),
            ("returns", np.float64, (SEATS,)),
            ("way_place", np.int32, (thinking.DEPTH,)),
            ("way_branch", np.int32, (thinking.DEPTH,)),
            ("way_player", np.int32, (thinking.DEPTH,)),
            ("horizon", np.int64),  # decisions played on; -1 = to the end
            ("depth", np.int64),
            ("places", np.int64),
            ("branches", np.int64),
            ("thoughts", np.int64),
            ("low", np.float64),
            ("high", np.float64),
            ("explore", np.float64),
            ("trust", np.float64),
        ],
        align=True,
    )


@cache
def thoughts_of(game: Game) -> Any:
    """The compiled thinking of a game."""
    if numba_config.DISABLE_JIT:
        return interpreted_thoughts(game)
    module = _module(game)
    keep_roots(game, "search", module, _ROOTS)
    return module


def is_compiled(game: Game) -> bool:
    """Whether thinking about a game needs no compiler any more: here, or in an earlier process that kept its code."""
    module = thoughts_of(game)
    return bool(numba_config.DISABLE_JIT) or all(is_kept(getattr(module, name)) for name in _ROOTS)


@cache
def interpreted_thoughts(game: Game) -> Any:
    """The same thinking run by the Python interpreter."""
    return by_interpreter(_module(game), _ROOTS)


@cache
def _module(game: Game) -> Any:
    names = {"standing": game.search.standing or slots.standing, "_heuristic": game.agents[game.search.rollout].choose}
    text = with_roots(fill_slots(thinking, _suggest_lines(game)), _ROOTS)
    return load_generated(game, "search", text, {**functions_of(game), **names})


def _suggest_lines(game: Game) -> list[str]:
    """The rule `suggest`: what the agent chooses that plays on in the head."""
    lines = ["", "", "@rule", "def suggest(cfg, s, legal, n, rng, params):"]
    if game.agents[game.search.rollout] is RANDOM:
        return [*lines, "    return nth_action(cfg, s, legal, below(rng, s.player, n))", ""]
    listing = ["    legal_actions(cfg, s, legal)"] if reads_list(game, game.search.rollout) else []
    return [*lines, *listing, "    return _heuristic(cfg, s, legal, n, rng, params)", ""]


@dataclass(frozen=True)
class Weighed:
    """What a thinker thinks of one option: how often it was tried, and what it brought on average."""

    action: int
    tries: int
    mean: float


class Thinker:
    """One player's mind during one game: it looks at a desk only through `conceal` and `observe`."""

    def __init__(
        self, game: Game, params: Sequence[float] = (), *, interpreted: bool = False, stop: Stop | None = None
    ) -> None:
        self._stop = stop or Stop()
        given = [parameter.default for parameter in PARAMETERS.values()]
        given[: len(params)] = params
        self.iterations = int(given[0])
        self.seconds = given[1] / 1000
        self._slice = 1
        self._kernels = interpreted_thoughts(game) if interpreted else thoughts_of(game)
        self._most = game.max_legal
        self._tree: RecordArray = np.zeros(self._room(), Entry)
        self._mind: RecordArray = np.zeros(1, mind_type(game))
        horizon = int(given[2]) or game.search.horizon
        self._mind["horizon"] = horizon if game.search.standing and horizon else -1
        self._mind["explore"] = given[3]
        self._mind["trust"] = 0.0 if game.search.rollout == "random" else given[4]
        heuristic = game.agents[game.search.rollout]
        for place, parameter in enumerate(heuristic.parameters.values()):
            self._mind["params"]["value"][0, :, place] = parameter.default

    def _room(self) -> int:
        """Entries of the tree: a power of two."""
        if self.seconds:
            return _ENTRIES_WITH_CLOCK
        return min(1 << (2 * _KEPT_DECISIONS * self.iterations - 1).bit_length(), _MOST_ENTRIES)

    def new_game(self) -> None:
        """Forgets the last game."""
        self._kernels.forget(self._mind, self._tree)

    def choose(self, desk: RecordArray) -> int:
        """Thinks, and answers with its favourite."""
        self.think(desk)
        return self.favourite(desk)

    def favourite(self, desk: RecordArray) -> int:
        """The option tried most often; of equals the one that brought most, then the first."""
        return max(self.weighed(desk), key=lambda option: (option.tries, option.mean, -option.action)).action

    def think(self, desk: RecordArray) -> int:
        """Thinks about the decision on a desk until it is time to stop; returns the number of thoughts."""
        begun = time.perf_counter()
        planned = len(self._tree) // 4 if self.seconds else self.iterations
        self._kernels.begin(desk, self._mind, self._tree, planned)
        done = 0
        while not self._enough(done, begun):
            before = time.perf_counter()
            size = self._slice if self.seconds else min(self._slice, self.iterations - done)
            self._kernels.think(desk, self._mind, self._tree, size)
            done += size
            took = max(time.perf_counter() - before, 1e-6)
            wanted = min(_SLICE, self.seconds / 10) if self.seconds else _LONG_SLICE
            self._slice = max(1, min(2 * self._slice, int(size * wanted / took)))
        return done

    def _enough(self, done: int, begun: float) -> bool:
        if self._stop():
            return True
        return done > 0 and time.perf_counter() - begun >= self.seconds if self.seconds else done >= self.iterations

    @property
    def span(self) -> tuple[float, float]:
        """The least and the most that a thought has brought so far."""
        return float(self._mind["low"][0]), float(self._mind["high"][0])

    def weighed(self, desk: RecordArray) -> list[Weighed]:
        """What it thinks of every option of the decision on a desk."""
        actions, tries = np.zeros(self._most, np.int64), np.zeros(self._most, np.int64)
        means = np.zeros(self._most)
        n = self._kernels.weigh(desk, self._mind, self._tree, actions, tries, means)
        found = zip(actions[:n].tolist(), tries[:n].tolist(), means[:n].tolist(), strict=True)
        return [Weighed(*option) for option in found]
