"""Specialises the loops for a game (its functions in place of the placeholders) and caches their code on disk."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from functools import cache, partial
from importlib import import_module
from types import ModuleType, SimpleNamespace
from typing import Any

import numpy as np

from playmill.engine.compile.disk_cache import DiskCache
from playmill.engine.compile.entry_points import INLINING, EntryPoint, entry_point
from playmill.engine.compile.fingerprint import fingerprint
from playmill.engine.compile.specialise import Specialiser
from playmill.engine.contract.agent import CompiledAgent, RuleFunction
from playmill.engine.contract.game import Game, folder_of, is_shipped
from playmill.engine.contract.random_agent import RANDOM
from playmill.engine.errors.located import compiler_error, interpreter_error
from playmill.engine.kernels import network, placeholders
from playmill.engine.kernels import play as loops
from playmill.engine.kernels.agent_calls import (
    accepts_actions,
    accepts_all,
    accepts_options,
    answer_of,
    by_address,
    first_option,
    is_one_of,
    or_answer,
)
from playmill.engine.lang.record import plain
from playmill.engine.lang.rng import SEATS, AgentRng, Foreseen, GameRng
from playmill.engine.lang.rule import interpreted
from playmill.engine.lint.endless_loops import watched
from playmill.stdio import doing, report_if_long
from playmill.texts import PlaymillError, Text, user_language

_COMPILING = Text(
    "compiling {} for the first time; this takes up to half a minute, once",
    "компилирую «{}» в первый раз: до полуминуты, и больше не понадобится",
)
_COMPILES = Text("compiling the rules (once)", "компилирую правила (один раз)")
#: Most numbers an agent can be given.
PARAMETERS = 8


@cache
def workspace_type(game: Game) -> np.dtype[np.void]:
    """The record type of a workspace (see `play.py`).

    The game being played comes first: what is near the beginning is addressed with one instruction.
    """
    return np.dtype(
        [
            ("states", game.state, (3,)),
            ("cfg", game.config().pack(game.players[1]).dtype),
            ("rng", GameRng),
            ("conceal_rng", GameRng),
            ("agent_rng", AgentRng),
            ("ahead", Foreseen, (SEATS,)),  # the same for `random`, whose next words are foreseen
            ("seats", np.int32, (SEATS,)),
            ("agents", np.int32, (SEATS,)),
            ("starts", np.int64, (SEATS,)),
            (
                "entries",
                np.int64,
                (SEATS,),
            ),  # where the machine code of each seat's agent begins (see `play_kernels.py`)
            ("params", np.dtype([("value", np.float64, (SEATS, PARAMETERS))])),
            ("invalid_actions", np.int64),  # answers of agents that cannot be
            ("invalid_action", np.int64),  # the last of them
            ("legal", game.options),
        ],
        align=True,
    )


@cache
def played_part(game: Game) -> np.dtype[np.void]:
    """The part of a workspace that changes while a game is played; the rest is shared by a match."""
    workspace = workspace_type(game)
    kept = [
        (name, workspace[name])
        for name in ("rng", "conceal_rng", "agent_rng", "legal", "invalid_action", "invalid_actions")
    ]
    return np.dtype([("states", game.state, (loops.BLANK,)), *kept], align=True)


def as_played(game: Game, agents: Collection[str]) -> Game:
    """The game without room for notes if all these agents are `random`, which takes none; saves GPU memory."""
    return game if any(compiled_agents(game)[name] is not RANDOM for name in agents) else _without_notes(game)


@cache
def _without_notes(game: Game) -> Game:
    return replace(game, notes=None)


@cache
def compiled_agents(game: Game) -> Mapping[str, CompiledAgent]:
    """Who can play inside the compiled loops of a game: its own agents, and last any network (see `network.py`)."""
    return {**game.agents, network.NAME: network.network_agent(game)}


def agent_numbers(game: Game) -> dict[str, int]:
    """The number under which each compiled agent of a game is known to its loops."""
    return {name: number for number, name in enumerate(compiled_agents(game))}


def by_interpreter(game: Game, entry_points: SimpleNamespace) -> Any:
    """Entry points of a game as the Python interpreter runs them.

    Exceptions in the game's own files become one sentence, with its place.
    """
    return SimpleNamespace(**{name: _on_plain_records(game, one) for name, one in vars(entry_points).items()})


def _on_plain_records(game: Game, function: Callable[..., Any]) -> Callable[..., Any]:
    twin = interpreted(function)
    if not is_shipped(game):
        twin = watched(twin, folder_of(game))

    def run_or_tell(*args: Any) -> Any:
        try:
            return twin(*(plain(arg) if isinstance(arg, np.ndarray) else arg for arg in args))
        except PlaymillError:
            raise
        except Exception as error:
            mistake = interpreter_error(error, folder_of(game))
            if mistake is None:
                raise
            raise mistake from error

    return run_or_tell


def specialiser(
    game: Game,
    agents: Collection[str] = (),
    *,
    strict: bool = False,
    apart: Any = None,
    foresees: bool = False,
    template: ModuleType | None = None,
    constants: Mapping[str, object] | None = None,
    instead: Mapping[RuleFunction, RuleFunction] | None = None,
) -> Specialiser:
    """Specialises rules such as those of `play.py` for a game: its own functions stand in place of the placeholders.

    `choose` knows these agents, and answers with -1 for an invalid action; a `strict` one does for every answer that is
    not among the options. If there are others, `apart` calls them by their addresses (see `play_kernels.py`). With
    `foresees`, `random` reads streams computed ahead (see `foreseen_below`). Rules of the engine may have others
    `instead` of them.
    """
    made = Specialiser([*functions_of(game).items(), *(instead or {}).items()], template, constants)
    numbers, counts = agent_numbers(game), "count_actions" in game.rules
    accepted = accepts_options if strict else accepts_actions(game.actions)
    choose = first_option if apart is None else by_address(apart, accepted)
    for name in reversed([*agents]):
        agent = compiled_agents(game)[name]
        answer = answer_of(agent, counts=counts, foresees=foresees)
        choose = or_answer(numbers[name], answer, accepts_all if agent is RANDOM else accepted, choose)
    made.replace(placeholders.choose, choose)
    foreseeing = [numbers[name] for name in agents if foresees and compiled_agents(game)[name] is RANDOM]
    made.replace(placeholders.foresees, is_one_of(foreseeing))
    return made


def functions_of(game: Game) -> dict[RuleFunction, RuleFunction]:
    """The game's own functions by the placeholders they replace."""
    # A game that does not count its options lists them, and they are picked from the list.
    given = {"count_actions": game.rules["legal_actions"], **game.rules}
    given["lose_notes"] = placeholders.lose_no_notes if game.notes is None else placeholders.lose_notes
    return {getattr(placeholders, name): function for name, function in given.items() if hasattr(placeholders, name)}


def entry_points_of(made: Specialiser, *functions: RuleFunction) -> SimpleNamespace:
    """These rules specialised, as entry points."""
    return SimpleNamespace(**{one.__name__: entry_point(made.function(one)) for one in functions})


def reads_list(game: Game, agent: str) -> bool:
    """Whether the options, only counted so far, must be listed for an agent."""
    return "count_actions" in game.rules and game.agents[agent].lists


def cache_entry_points(
    game: Game,
    flavour: str,
    entry_points: SimpleNamespace,
    flags: tuple[Any, ...] = (),
    keep: Callable[[Any, DiskCache], None] | None = None,
) -> None:
    """Caches the entry points of a game on disk, under a fingerprint of its rules: old rules never run.

    Entry points of other kinds than those of the processor get their disk cache by `keep`.
    """
    disk_cache = DiskCache(
        f"{game.name}-{flavour}", fingerprint(*vars(entry_points).values(), flags=(INLINING, *flags))
    )
    for one in vars(entry_points).values():
        if keep is not None:
            keep(one, disk_cache)
        else:
            assert isinstance(one, EntryPoint)
            one.keep(disk_cache, partial(_compiling, game))


@contextmanager
def _compiling(game: Game) -> Iterator[None]:
    """Context of a compilation: tells the user who waits, and turns compiler errors into one located sentence."""
    doing(_COMPILES)
    try:
        with report_if_long(_COMPILING.of(user_language()).format(game.title.of(user_language()))):
            yield
    except (import_module("numba.core.errors").NumbaError, NotImplementedError) as error:
        raise compiler_error(error, folder_of(game)) from None
    except (ValueError, TypeError) as error:  # of an author's rules the compiler may also say so what it cannot do
        if isinstance(error, PlaymillError) or is_shipped(game):
            raise
        raise compiler_error(error, folder_of(game)) from error
