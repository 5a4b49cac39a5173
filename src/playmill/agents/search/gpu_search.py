"""Plays matches with `search` on the GPU, thousands of games at a time, with the same results as on the CPU."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from functools import cache
from importlib import import_module
from itertools import count as count_from
from types import FunctionType
from typing import Any

import numpy as np

from playmill.agents.agent_specs import Seat
from playmill.agents.mixed_match import MixedMatch
from playmill.agents.search.search_agent import PARAMETERS as PARAMETERS_OF_SEARCH
from playmill.agents.search.search_agent import Thinker, search_specialiser, searcher_type
from playmill.agents.search.tree import TreeEntry
from playmill.engine.compile.game_kernels import PARAMETERS, played_part
from playmill.engine.contract.game import Game
from playmill.engine.cuda.backend import NOTHING_NOTED, Cuda, brought, gpu_kernels, numba_cuda, wipe
from playmill.engine.kernels.network_cuda import ON_DEVICE
from playmill.engine.lang.record import RecordArray
from playmill.engine.lang.rng import SEATS, STREAMS, AgentRng, GameRng
from playmill.engine.run.match import Chunk, Grouping, Match, Sizes
from playmill.engine.run.preflight import preflight
from playmill.interrupts import Stop
from playmill.texts import PlaymillError

#: What a searcher is given, and where its tree begins and ends in the part of a thread.
Searcher = np.dtype(
    [
        ("iterations", np.int64),  # 0: the seat does not search
        ("planned", np.int64),
        ("begin", np.int64),
        ("end", np.int64),
        ("horizon", np.int64),
        ("every", np.int64),
        ("explore", np.float64),
        ("trust", np.float64),
        ("together", np.float64),
        ("params", np.float64, (PARAMETERS,)),
    ],
    align=True,
)
#: What a searcher knows about its tree.
_MIND = ("places", "branches", "thoughts", "low", "high", "firsts", "mean", "squares")
#: Fields of a searcher that only players who mix have.
_OF_MIXERS = {"start", "past_place", "past_action"}
#: Threads of a block of each kernel. Threads of a warp wait for each other wherever they do different things: of few
#: games each gets a warp of its own.
_SEARCHERS, _HEURISTICS, _SORTERS, _WARP = 32, 128, 128, 32
#: Registers of a thread that plays on by the heuristic: with so many, three of its blocks fit on a multiprocessor.
_REGISTERS = 168
#: Games for each multiprocessor: the more there are, the more alike are those that are sorted side by side.
_GAMES = 2048
#: How often all kernels run before it is asked whether all games are over.
_ROUNDS = 64
#: The part of the free memory of a GPU that the games of one worker may take: there may be two workers.
_MEMORY = 0.45


def kept_type(game: Game) -> np.dtype[np.void]:
    """The record type of what is kept of a game while it waits, and while a decision is searched."""
    searcher = searcher_type(game)
    progress = ("key", "rank", "game", "seat", "decisions", "left", "hint", "options", "hash", "place")
    mind = np.dtype([(name, searcher[name]) for name in _MIND], align=True)
    return np.dtype(
        [
            *((name, np.int64) for name in progress),
            ("states", game.state, (1,)),
            ("rng", np.dtype([("stream", np.uint64, (STREAMS,))], align=True)),
            ("agent_rng", AgentRng),
            ("minds", mind, (SEATS,)),
        ],
        align=True,
    )


def searching_part(game: Game) -> np.dtype[np.void]:
    """The record type of what changes while a game is played and searched: a workspace that is a searcher, too."""
    played, searcher = played_part(game), searcher_type(game)
    fields = {name: played[name] for name in played.names or ()}
    fields |= {name: searcher[name] for name in searcher.names or () if name not in {*fields, *_OF_MIXERS}}
    return np.dtype([*fields.items()], align=True)


def _loops() -> Any:
    """The functions that kernels are made of; the module needs numba-cuda."""
    numba_cuda()
    return import_module("playmill.agents.search.search_cuda")


def search_loops(
    game: Game, agents: Sequence[str], *, learned: bool, strict: bool = False
) -> tuple[FunctionType, FunctionType, FunctionType]:
    """The kernels of a game in which `search`, with a network or without, and these agents play."""
    loops = _loops()
    made = search_specialiser(game, agents, learned=learned, mixes=False, strict=strict, instead=ON_DEVICE)
    own = np.dtype([("seen", searcher_type(game)["seen"]), ("rng", GameRng)], align=True)
    made.replace(loops.OWN, own)
    return made.function(loops.search_on_device), made.function(loops.roll_out_on_device), loops.sort_on_device


@cache
def _kernels(game: Game, agents: tuple[str, ...], learned: bool, strict: bool) -> Any:
    functions = search_loops(game, agents, learned=learned, strict=strict)
    return gpu_kernels(game, "search-cuda", functions, agents, {"roll_out_on_device": _REGISTERS})


class SearchOnGpu(Cuda):
    """Plays chunks of games in which `search` sits at the table, on the GPU (see `search_cuda.py`)."""

    def __init__(
        self,
        match: Match,
        seats: Sequence[Seat],
        *,
        rows: bool = True,
        edge: int = 0,
        grouping: Grouping | None = None,
        strict: bool = False,
        rotation: int = 0,
        rotations: int = 1,
        stop: Callable[[], int] | None = None,
    ) -> None:
        check_searchers(match.game, seats)
        super().__init__(
            match, rows=rows, edge=edge, grouping=grouping, strict=strict, rotation=rotation, rotations=rotations
        )
        cuda, game = numba_cuda(), match.game
        self._seats, self._stop, self._stopped, self._starting = seats, stop or Stop(), False, False
        self._beside = _first_stream()
        #: How far each game has got (see `kept_type`).
        self.kepts: Any = None
        judge = next(seat.network for seat in seats if seat.thinks)
        searchers = searchers_of(game, seats, strict=strict)
        self._search = _kernels(game, self._agents, judge is not None, strict)
        self._net = cuda.to_device(np.zeros(1) if judge is None else judge.values)
        self._searchers = cuda.to_device(searchers)
        self._types = searching_part(game), kept_type(game), np.dtype((TreeEntry, int(searchers["end"][-1])))
        free, _ = cuda.current_context().get_memory_info()
        room = int(free * _MEMORY) // sum(one.itemsize for one in self._types)
        self._slots = max(1, min(_GAMES * self._processors, room))
        # The first games are a few that are over soon: then it is known how long the rest will take.
        self.sizes = Sizes(max(1, self._slots // _WARP), 4 * self._slots, least=self._slots)

    def _launch(self, first: int, rows: Any) -> None:
        cuda, queue, beside = numba_cuda(), self._queue, self._beside
        if self._starting:
            rows = cuda.device_array(0, rows.dtype)
        count = min(self._slots, max(1, len(rows)))
        lanes = max(1, min(_WARP, self._slots // count))
        searching, kept, tree = self._types
        slots, kepts = _room("slots", count, searching), _room("kepts", count, kept)
        self.kepts = kepts
        trees, jobs = _room("trees", count * tree.shape[0], tree.base), _room("jobs", count, np.dtype(np.int64))
        counts, ends = _room("counts", _loops().KEYS, np.dtype(np.int64)), _room("ends", 2, np.dtype(np.int64))
        search = self._search.search_on_device[-(-count * lanes // _SEARCHERS), _SEARCHERS, beside]
        roll_out = self._search.roll_out_on_device[-(-count * lanes // _HEURISTICS), _HEURISTICS, queue]
        sort = self._search.sort_on_device[-(-count // _SORTERS), _SORTERS, queue]
        match, searchers, net = self._on_device, self._searchers, self._net
        played = match, self._lookup, self._match.seed, first, rows, self._notes, searchers, slots, kepts, trees, net
        sorted_, searched = cuda.event(timing=False), cuda.event(timing=False)
        self._notes.copy_to_device(NOTHING_NOTED, stream=queue)
        wipe(ends, queue)
        for turn in count_from():
            wipe(counts, queue)
            sorted_.record(queue)
            sorted_.wait(beside)
            search(*played, jobs, ends, counts, lanes, int(turn == 0))
            searched.record(beside)
            roll_out(match, searchers, slots, kepts, net, jobs, ends, counts, lanes)
            searched.wait(queue)
            sort(kepts, counts, jobs, ends)
            if turn % _ROUNDS == 0:
                self._stopped = bool(self._stop())
                if self._stopped or not brought(ends, queue).any():
                    return

    def play(self, first: int, count: int) -> Chunk:
        """Plays these games, and of none not even one: alone it would take long. On a stop it gives up all of them."""
        self._starting = count == 0
        chunk = super().play(first, count)
        if not self._stopped:
            return chunk
        return Chunk(first, 0, np.zeros(0, self._match.game.outcome), np.zeros(1, self._match.game.tally))

    def _invalid(self, number: int) -> PlaymillError:
        return invalid_game(self._match, self._seats, number, rotation=self._rotation, rotations=self._rotations)


def invalid_game(
    match: Match, seats: Sequence[Seat], number: int, *, rotation: int = 0, rotations: int = 1
) -> PlaymillError:
    """The error for a game that a GPU could not finish, as the CPU gives it, which plays this game again."""
    try:
        MixedMatch(match, seats, strict=True, rotation=rotation, rotations=rotations).play(number, 1)
    except PlaymillError as error:
        return error
    return PlaymillError(
        f"game {number} goes on here and not on the GPU; play --on threads",
        f"партия {number} продолжается здесь, а на видеокарте нет; играйте с --on threads",
    )


def search_maker(
    seats: Sequence[Seat], match: Match, *, rotation: int = 0, rotations: int = 1, **options: Any
) -> Callable[[], SearchOnGpu]:
    """Returns the constructor of workers for a match; before that, the interpreter plays a preflight."""
    preflight(match, rotation=rotation, rotations=rotations)
    return lambda: SearchOnGpu(match, seats, rotation=rotation, rotations=rotations, **options)


def searchers_of(game: Game, seats: Sequence[Seat], *, strict: bool) -> RecordArray:
    """What each seat searches with; nothing where somebody else sits."""
    searchers: RecordArray = np.zeros(SEATS, Searcher)
    end = 0
    for place in range(SEATS):
        searchers[place]["begin"] = searchers[place]["end"] = end
        if place >= len(seats) or not seats[place].thinks:
            continue
        thinker = Thinker(game, seats[place].params, judge=seats[place].network, strict=strict)
        mind, tree = thinker.searcher
        for name in ("horizon", "every", "explore", "trust", "together"):
            searchers[place][name] = mind[name][0]
        searchers["params"] = mind["params"]["value"][0, 0]
        searchers[place]["iterations"], searchers[place]["planned"] = thinker.iterations, thinker.planned()
        end += len(tree)
        searchers[place]["end"] = end
    return searchers


#: What each worker has on its GPU: players of one worker play one after the other, and may use the same.
_OF_WORKER = threading.local()


def _room(name: str, many: int, kind: np.dtype[Any]) -> Any:
    """An array of at least so many records on the GPU, with anything in it."""
    name = f"{name} {numba_cuda().get_current_device().id}"
    found = getattr(_OF_WORKER, name, None)
    if found is None or found.dtype != kind or len(found) < many:
        found = None
        setattr(_OF_WORKER, name, None)  # frees the old one first
        found = numba_cuda().device_array(many, kind)
        setattr(_OF_WORKER, name, found)
    return found[:many]


def _first_stream() -> Any:
    """A CUDA stream whose kernels go first wherever a multiprocessor has room for another block."""
    driver: Any = import_module("numba.cuda.cudadrv.driver")
    calls, waste = driver.driver, numba_cuda().current_context().deallocations
    handle = calls.cuStreamCreateWithPriority(driver.binding.CUstream_flags.CU_STREAM_DEFAULT.value, -1)
    return driver.Stream(handle, finalizer=lambda: waste.add_item(calls.cuStreamDestroy, handle))


def check_searchers(game: Game, seats: Sequence[Seat]) -> None:
    """Raises unless a GPU plays these searchers as the CPU does."""
    thinking = [seat for seat in seats if seat.thinks]
    for seat in thinking:
        thinker = Thinker(game, seat.params, judge=seat.network)
        given = dict(zip(PARAMETERS_OF_SEARCH, seat.params, strict=False))
        for name in ("ms", "adapt"):
            if given.get(name):
                raise PlaymillError(
                    f"{seat.name}: a GPU searches by iterations alone; leave out {name}, or play --on threads",
                    f"{seat.name}: видеокарта ищет только по числу партий; уберите {name} или играйте с --on threads",
                )
        if given.get("threads", 1) > 1:
            raise PlaymillError(
                f"{seat.name}: on a GPU one thread searches a decision; leave out threads, or play --on threads",
                f"{seat.name}: на видеокарте над решением думает один поток; уберите threads или играйте с --on"
                " threads",
            )
        if thinker.mixes:
            raise PlaymillError(
                f"search mixes its choices in {game.name} from 200 iterations on, and does so on the CPU alone; play"
                " --on threads",
                f"в {game.name} search с 200 партий смешивает решения, и это умеет только процессор; играйте с --on"
                " threads",
            )
    if len({seat.code for seat in thinking}) > 1:
        raise PlaymillError(
            "on a GPU all searchers of a match think with one network, or none; play --on threads",
            "на видеокарте все search одного матча думают с одной сетью или без неё; играйте с --on threads",
        )
