"""The agent `search`: searches by games or by time on several cores (`Thinker`), over `mcts.py`."""

from __future__ import annotations

import time
from bisect import bisect_right
from collections.abc import Callable, Collection, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache, partial
from itertools import accumulate
from types import SimpleNamespace
from typing import Any

import numpy as np

from playmill.agents.networks import Network
from playmill.agents.search import mcts
from playmill.agents.search.tree import TreeEntry
from playmill.engine.compile.game_kernels import PARAMETERS as MOST_PARAMETERS
from playmill.engine.compile.game_kernels import (
    by_interpreter,
    cache_entry_points,
    entry_points_of,
    reads_list,
    specialiser,
)
from playmill.engine.compile.specialise import Specialiser
from playmill.engine.contract.agent import Parameter, RuleFunction
from playmill.engine.contract.game import Game
from playmill.engine.contract.random_agent import RANDOM
from playmill.engine.kernels import placeholders
from playmill.engine.kernels.network import POLICY
from playmill.engine.kernels.placeholders import legal_actions, nth_action
from playmill.engine.kernels.play import LIVE
from playmill.engine.lang import compiler
from playmill.engine.lang.record import RecordArray
from playmill.engine.lang.rng import SEATS, AgentRng, GameRng, below
from playmill.engine.lang.rule import rule
from playmill.engine.run.invalid_actions import invalid_rollout_action
from playmill.interrupts import WORKERS, Stop
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
    "threads": Parameter(
        1, 1, 64, Text("cores that think about one decision", "сколько ядер думает над одним решением")
    ),
    "adapt": Parameter(
        0,
        0,
        1,
        Text(
            "1: stops where the choice is clear, and spends what that saves where it is close; 0: always as many",
            "1: не раздумывает, когда выбор ясен, и тратит сбережённое там, где он труден; 0: всегда поровну",
        ),
    ),
}

#: What `net=FILE` does, which is no number.
NET = Text(
    "net=FILE: a network that judges positions; one with a value for each seat in games for three and more",
    "net=ФАЙЛ: сеть, которая оценивает позиции; от трёх игроков такая, где у каждого места своя оценка",
)

_ENTRY_POINTS = (mcts.forget, mcts.begin, mcts.think, mcts.weigh)
#: A tree holds this many decisions before it is emptied, and never has more entries than this.
_KEPT_DECISIONS = 4
_MOST_ENTRIES = 1 << 21
_ENTRIES_WITH_CLOCK = 1 << 18
#: Thoughts are thought in slices of about this many seconds, with a clock and without: between two of them it may stop.
_SLICE, _LONG_SLICE = 0.002, 0.05
#: Whoever adapts looks so often at how close the options are.
_LOOKS = 8
#: It stops if the runner-up, given all thoughts that are left, would lack so large a part of what it lags behind.
_CLEAR = 0.5
#: A runner-up with so large a part of the favourite's tries makes a decision close. Thoughts saved elsewhere are spent
#: on it, as many as it was given at first; no more are ever saved up than these many decisions are given.
_CLOSE, _SAVED = 0.7, 4
#: One of so many answers of the heuristic is looked for among the options (to list them takes time): often enough that
#: a wrong one is found among hundreds of thoughts, too seldom to be felt. Whoever is strict looks for all.
_LOOKED_AT = 61
#: Whoever mixes leaves out what was tried less than so large a part of the favourite's tries.
_SHY = 0.3
#: Its taste for what was tried little, as part of what is usual: what it tries is what it will do.
_MIXED = 0.3
#: Means that differ by less are the same, rounded differently.
_SAME_MEAN = 1e-9
#: With fewer thoughts nobody learns enough to mix well.
_LEAST_MIXED = 200


@cache
def searcher_type(game: Game) -> np.dtype[np.void]:
    """The record type of one searcher: its simulated game, random streams, and the size of its tree."""
    return np.dtype(
        [
            ("states", game.state, (1,)),
            ("start", game.state, (1,)),  # the deal of the game, if it was seen
            ("rng", GameRng),
            ("agent_rng", AgentRng),
            ("params", np.dtype([("value", np.float64, (SEATS, MOST_PARAMETERS))])),
            ("legal", game.options),
            ("seen", np.int32, (-(-(game.observation + 1) // mcts.AT_A_TIME) * mcts.AT_A_TIME,)),
            ("returns", np.float64, (SEATS,)),
            ("way_place", np.int32, (mcts.DEPTH,)),
            ("way_branch", np.int32, (mcts.DEPTH,)),
            ("way_player", np.int32, (mcts.DEPTH,)),
            ("horizon", np.int64),  # decisions played on; -1 = to the end
            ("depth", np.int64),
            ("gone", np.int64),  # who has left their tree, a bit each
            ("left", np.int64),  # decisions until the position is evaluated
            ("places", np.int64),
            ("branches", np.int64),
            ("thoughts", np.int64),
            ("low", np.float64),
            ("high", np.float64),
            ("firsts", np.int64),  # first tries of branches, what they brought
            ("mean", np.float64),
            ("squares", np.float64),  # and how far off that, squared, in all
            ("scale", np.float64),
            ("answers", np.int64),  # of the heuristic; the last of every this many is looked for among the options
            ("every", np.int64),
            ("rollout_failed", np.int64),  # 1: the heuristic has answered with what is no option
            ("invalid_action", np.int64),
            ("together", np.float64),  # what both players get, if a network judges
            ("explore", np.float64),
            ("trust", np.float64),
            # Where players mix:
            ("players", np.int64),  # 0 = nobody does
            ("started", np.int64),
            ("aims", np.int64),  # who learns in this thought
            ("aimed", np.int64),
            ("hits", np.int64),
            ("target", np.int64),  # the place that is thought about
            ("pasts", np.int64),
            ("past_place", np.int64, (mcts.DEPTH,)),
            ("past_action", np.int32, (mcts.DEPTH,)),
        ],
        align=True,
    )


@cache
def search_kernels(game: Game, learned: bool = False) -> Any:
    """The compiled tree search of a game, with or without a network."""
    if compiler.is_off():
        return interpreted_search_kernels(game, learned)
    entry_points = _entry_points(game, learned)
    cache_entry_points(game, "search", entry_points)
    return entry_points


def is_compiled(game: Game, learned: bool = False) -> bool:
    """Whether the tree search of a game is compiled or cached; that with a network, if it has `learned`."""
    return compiler.is_off() or all(one.is_kept for one in vars(search_kernels(game, learned)).values())


@cache
def interpreted_search_kernels(game: Game, learned: bool = False) -> Any:
    """The same tree search run by the Python interpreter."""
    return by_interpreter(game, _entry_points(game, learned))


@cache
def _entry_points(game: Game, learned: bool) -> SimpleNamespace:
    return entry_points_of(search_specialiser(game, learned=learned), *_ENTRY_POINTS)


def search_specialiser(
    game: Game,
    agents: Collection[str] = (),
    *,
    learned: bool,
    mixes: bool = True,
    strict: bool = False,
    instead: Mapping[RuleFunction, RuleFunction] | None = None,
) -> Specialiser:
    """Specialises rules of `mcts.py`, and others that call them, for a game; with or without a network.

    `choose` knows these agents, and others stand `instead` of some rules (see `specialiser`). Players mix where the
    game says so, if `mixes`.
    """
    constants = {
        "MIXES": game.search.mixes and mixes,
        "ACTIONS": game.actions,
        "LEARNED": learned,
        "OBSERVATION": game.observation,
    }
    made = specialiser(game, agents, strict=strict, template=mcts, constants=constants, instead=instead)
    made.replace(placeholders.standing, game.search.standing or placeholders.standing)
    made.replace(placeholders.suggest, _suggestion(game))
    return made


def _suggestion(game: Game) -> RuleFunction:
    """The rule `suggest`: the choice of the agent that plays rollouts."""
    agent = game.agents[game.search.rollout]
    if agent is RANDOM:
        return _any_option
    return _after_listing(agent.choose) if reads_list(game, game.search.rollout) else agent.choose


@rule
def _any_option(cfg: Any, s: Any, legal: Any, n: int, rng: Any, params: Any) -> int:
    return nth_action(cfg, s, legal, below(rng, s.player, n))


def _after_listing(choose: RuleFunction) -> RuleFunction:
    @rule
    def suggest(cfg: Any, s: Any, legal: Any, n: int, rng: Any, params: Any) -> Any:
        legal_actions(cfg, s, legal)
        return choose(cfg, s, legal, n, rng, params)

    return suggest


@dataclass(frozen=True)
class RatedOption:
    """The search's rating of one option: how often it was tried, and its average return."""

    action: int
    tries: int
    mean: float


class Thinker:
    """The searcher of one player during one game: reads a workspace only through `conceal` and `observe`.

    It may use several cores: each has a tree of its own and its share of the iterations, and all are counted together.
    The result depends on its parameters, never on which core was faster. An invalid action of the heuristic in a
    rollout raises: `strict`, every one; else what is found by samples.
    """

    def __init__(
        self,
        game: Game,
        params: Sequence[float] = (),
        *,
        judge: Network | None = None,
        interpreted: bool = False,
        strict: bool = False,
        stop: Stop | None = None,
    ) -> None:
        self._stop = stop or Stop()
        self._game = game
        given = dict(zip(PARAMETERS, params, strict=False))
        numbers = {name: given.get(name, parameter.default) for name, parameter in PARAMETERS.items()}
        self.iterations = int(numbers["iterations"])
        self.seconds = numbers["ms"] / 1000
        self._threads = int(numbers["threads"])
        self._adapts = bool(numbers["adapt"])
        self._saved = 0
        self._slices = [1] * self._threads
        self._kernels = (interpreted_search_kernels if interpreted else search_kernels)(game, judge is not None)
        self._most = game.max_legal
        enough = bool(self.seconds) or self.iterations >= _LEAST_MIXED
        #: Whether its player mixes.
        self.mixes = enough and game.search.mixes and game.players[0] == game.players[1]
        #: Nodes that one iteration may open: where others play, too, one of theirs beside its own.
        self._opened = min(2, game.players[1])
        self._trees: list[RecordArray] = [np.zeros(self._room(), TreeEntry) for _ in range(self._threads)]
        self._minds: list[RecordArray] = [np.zeros(1, searcher_type(game)) for _ in range(self._threads)]
        horizon = int(numbers["horizon"]) or game.search.horizon
        heuristic = game.agents[game.search.rollout]
        for mind in self._minds:
            mind["players"] = game.players[1] if self.mixes else 0
            mind["every"] = 1 if strict else _LOOKED_AT
            mind["horizon"] = horizon if game.search.standing and horizon else -1
            mind["explore"] = numbers["explore"] * (_MIXED if self.mixes else 1)
            mind["trust"] = 0.0 if game.search.rollout == "random" else numbers["trust"]
            for place, parameter in enumerate(heuristic.parameters.values()):
                mind["params"]["value"][0, :, place] = parameter.default
            if judge is not None:
                mind["horizon"] = numbers["horizon"]
                # Nobody trusts a random choice: without a policy it is the heuristic that says what to try first.
                mind["trust"] = numbers["trust"] if judge.values[POLICY] else mind["trust"]
                mind["together"] = judge.together
        self._net = np.zeros(1) if judge is None else judge.values
        self._pool = ThreadPoolExecutor(self._threads, f"{WORKERS} search") if self._threads > 1 else None

    def _room(self) -> int:
        """Entries of a tree: a power of two."""
        if self.seconds:
            return _ENTRIES_WITH_CLOCK
        wanted = 2 * _KEPT_DECISIONS * self._opened * self._share(self.iterations, 0)
        return min(1 << (wanted - 1).bit_length(), _MOST_ENTRIES)

    def planned(self, number: int = 0) -> int:
        """Nodes for which there must be room in one of the trees when a decision begins."""
        most = len(self._trees[number]) // 4
        return most if self.seconds else min(self._opened * self._share(self.iterations, number), most)

    def _share(self, thoughts: int, number: int) -> int:
        """How many of some iterations one of the trees gets."""
        return thoughts // self._threads + (number < thoughts % self._threads)

    def new_game(self, dealt: RecordArray | None = None) -> None:
        """Forgets the last game; a workspace in which the next is just dealt shows where it begins."""
        self._saved = 0
        for mind, tree in zip(self._minds, self._trees, strict=True):
            self._kernels.forget(mind, tree)
            mind["pasts"] = 0
            mind["started"] = dealt is not None
            if dealt is not None:
                mind["start"][0, 0] = dealt["states"][0, LIVE]

    def prepare(self, dealt: RecordArray) -> None:
        """Compiles the search, or reads it from the cache; the workspace with a dealt game is not changed."""
        workspace = dealt.copy()
        for mind, tree in zip(self._minds[:1], self._trees, strict=False):
            self._kernels.begin(workspace, mind, tree, 0)
            self._kernels.think(workspace, mind, tree, self._net, 0)
            self.weighed(workspace)
            self._kernels.forget(mind, tree)

    def choose(self, workspace: RecordArray) -> int:
        """Searches, and returns its favourite; where it mixes, an option drawn by its chances."""
        self.think(workspace)
        if not self.mixes:
            return self.favourite(workspace)
        chances = self.chances(workspace)
        sums = list(accumulate(chances.values()))
        word = int(self._minds[0]["agent_rng"]["stream"][0, 0]) / 2**64
        action = list(chances)[min(bisect_right(sums, word * sums[-1]), len(sums) - 1)]
        self.remember(action)
        return action

    def choose_evenly(self, workspace: RecordArray) -> int:
        """Like `choose`, but equally rated options are equally likely."""
        chosen = self.choose(workspace)
        if self.mixes:
            return chosen
        alike = equals(self.weighed(workspace))
        word = int(self._minds[0]["agent_rng"]["stream"][0, 0])
        return alike[word * len(alike) >> 64].action

    def chances(self, workspace: RecordArray) -> dict[int, float]:
        """The probability of each option: where it mixes, in proportion to its tries, if those are not too few."""
        options = self.weighed(workspace)
        first = max(options, key=_liked)
        if not self.mixes:
            return {option.action: float(option is first) for option in options}
        tries = {option.action: option.tries if option.tries >= _SHY * first.tries else 0 for option in options}
        return {action: count / max(1, sum(tries.values())) for action, count in tries.items()}

    def remember(self, action: int) -> None:
        """Notes what its player did at the decision it has searched."""
        for mind in self._minds:
            past = int(mind["pasts"][0])
            if past < mcts.DEPTH:
                mind["past_place"][0, past] = mind["target"][0]
                mind["past_action"][0, past] = action
                mind["pasts"] += 1

    def favourite(self, workspace: RecordArray) -> int:
        """The option tried most often; of equals the one that brought most, then the first."""
        return max(self.weighed(workspace), key=_liked).action

    def think(self, workspace: RecordArray) -> int:
        """Searches the decision in a workspace until it is time to stop; returns the number of iterations."""
        for number, (mind, tree) in enumerate(zip(self._minds, self._trees, strict=True)):
            self._kernels.begin(workspace, mind, tree, self.planned(number))
        if self.mixes:
            self.weighed(workspace)  # finds the place that is thought about
        return self._by_clock(workspace) if self.seconds else self._by_count(workspace)

    def _by_count(self, workspace: RecordArray) -> int:
        """Searches for the given iterations; if it adapts, fewer where that changes nothing, and more where it may."""
        if not self._adapts:
            return self._together(partial(self._counted, workspace, self.iterations))
        done, end, longer = 0, self.iterations, False
        while done < end and not self._stop():
            size = min(-(-self.iterations // _LOOKS), end - done)
            done += self._together(partial(self._counted, workspace, size))
            first, second = self._leaders(workspace)
            if (first.tries - second.tries) > _CLEAR * (end - done):
                break
            if done == end and not longer and second.tries > _CLOSE * first.tries:
                longer, end = True, end + min(self._saved, self.iterations)
        self._saved = max(0, min(self._saved + self.iterations - done, _SAVED * self.iterations))
        return done

    def _by_clock(self, workspace: RecordArray) -> int:
        """Searches for the given time; if it adapts, no longer than until the choice is clear."""
        begun, done = time.perf_counter(), 0
        looks = _LOOKS if self._adapts else 1
        for look in range(1, looks + 1):
            end = begun + self.seconds * look / looks
            done += self._together(partial(self._timed, workspace, end))
            if self._stop():
                break
            first, second = self._leaders(workspace) if self._adapts else (None, None)
            if first and second and first.tries - second.tries > _CLEAR * done * (looks - look) / look:
                break
        return done

    def _together(self, think: Callable[[int], int]) -> int:
        """Runs all trees at once, each by its number; returns the number of iterations."""
        return sum((self._pool.map if self._pool else map)(think, range(self._threads)))

    def _counted(self, workspace: RecordArray, thoughts: int, number: int) -> int:
        done, thoughts = 0, self._share(thoughts, number)
        while done < thoughts and not self._stop():
            done += self._slice(workspace, number, thoughts - done, _LONG_SLICE)
        return done

    def _timed(self, workspace: RecordArray, end: float, number: int) -> int:
        done = 0
        while (not done or time.perf_counter() < end) and not self._stop():
            done += self._slice(workspace, number, self._slices[number], min(_SLICE, self.seconds / 10))
        return done

    def _slice(self, workspace: RecordArray, number: int, most: int, seconds: float) -> int:
        """Runs some iterations of one tree, about as many as take this many seconds."""
        size = min(self._slices[number], most)
        before = time.perf_counter()
        self._kernels.think(workspace, self._minds[number], self._trees[number], self._net, size)
        if self._minds[number]["rollout_failed"][0]:
            raise invalid_rollout_action(self._game, int(self._minds[number]["invalid_action"][0]))
        took = max(time.perf_counter() - before, 1e-6)
        self._slices[number] = max(1, min(2 * self._slices[number], int(size * seconds / took)))
        return size

    def _leaders(self, workspace: RecordArray) -> tuple[RatedOption, RatedOption]:
        """The favourite and the runner-up."""
        first, second = sorted(self.weighed(workspace), key=_liked, reverse=True)[:2]
        return first, second

    @property
    def searcher(self) -> tuple[RecordArray, RecordArray]:
        """Its record and its tree, as kernels that play whole games by search take them."""
        return self._minds[0], self._trees[0]

    @property
    def span(self) -> tuple[float, float]:
        """The least and the largest return of an iteration so far."""
        known = [mind for mind in self._minds if mind["thoughts"][0]] or self._minds[:1]
        return min(float(mind["low"][0]) for mind in known), max(float(mind["high"][0]) for mind in known)

    def weighed(self, workspace: RecordArray) -> list[RatedOption]:
        """Its rating of every option of the decision in a workspace."""
        actions, tries = np.zeros(self._most, np.int64), np.zeros(self._most, np.int64)
        means = np.zeros(self._most)
        counts, sums = np.zeros(self._most, np.int64), np.zeros(self._most)
        n = 0
        for mind, tree in zip(self._minds, self._trees, strict=True):
            n = self._kernels.weigh(workspace, mind, tree, actions, tries, means)
            counts += tries
            sums += tries * means
        brought = means if self._threads == 1 else sums / np.maximum(counts, 1)
        found = zip(actions[:n].tolist(), counts[:n].tolist(), brought[:n].tolist(), strict=True)
        return [RatedOption(*option) for option in found]


def equals(options: Sequence[RatedOption]) -> list[RatedOption]:
    """The favourite of some options, and those with exactly the same average that were tried at least half as often."""
    first = max(options, key=_liked)
    return [
        option for option in options if 2 * option.tries >= first.tries and abs(option.mean - first.mean) < _SAME_MEAN
    ]


def _liked(option: RatedOption) -> tuple[int, float, int]:
    """The order in which options are preferred."""
    return option.tries, option.mean, -option.action
