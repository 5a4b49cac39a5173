"""Preflight: interprets a few games of an author's rules before compiled code plays any.

Compiled rules notice no index beyond the end of an array, nor a number that outgrows its field. So before compiled
code plays an author's game, with a config, n players and these agents, a few games go through the interpreter, which
does, whatever command it is. What was checked is remembered by the fingerprint of the rules and invariants, also on
disk: it costs its moment once.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from enum import Enum
from functools import cache
from threading import Lock
from time import process_time

import numpy as np

from playmill.engine.compile.disk_cache import DiskCache
from playmill.engine.compile.fingerprint import checked_fingerprint
from playmill.engine.compile.game_kernels import compiled_agents
from playmill.engine.compile.play_kernels import interpreted_kernels, interpreted_strict_kernels
from playmill.engine.contract.game import Game, is_shipped
from playmill.engine.contract.random_agent import RANDOM
from playmill.engine.lang import compiler
from playmill.engine.lang.record import RecordArray, places_from_front
from playmill.engine.lint.lint_rules import lint_game
from playmill.engine.run.invalid_actions import invalid_action, stuck
from playmill.engine.run.invariant_checks import BrokenInvariantError, InvariantCheck, show_command
from playmill.engine.run.match import Match
from playmill.engine.run.stepper import Steps
from playmill.stdio import doing
from playmill.texts import Text

#: So many games are looked at, unless they have many actions: then it is enough after so many, and after the first few
#: of them when this many seconds of work are over.
_GAMES, _MOST, _FEW, _SECONDS = 3, 2_000, 60, 0.5

_TRYING = Text("trying the first games, interpreted", "пробую первые партии в интерпретаторе")

_looked: set[str] = set()
_looking = Lock()


def preflight(match: Match, *, rotation: int = 0, rotations: int = 1) -> None:
    """Interprets the first games of a match, once, and raises what goes wrong.

    The match may be one of the rotations of a run: then errors tell the number of the game there.
    """
    game = match.game
    if is_shipped(game) or compiler.is_off():
        return
    disk_cache, name = _disk_cache(game), _name(match)
    with _looking:
        if f"{disk_cache.name}/{name}" in _looked:
            return
        if not disk_cache.holds(name):
            lint_game(game)
            doing(_TRYING)
            _look(match, rotation, rotations)
            disk_cache.write(name)
        _looked.add(f"{disk_cache.name}/{name}")


@cache
def _disk_cache(game: Game) -> DiskCache:
    return DiskCache(f"{game.name}-looked", checked_fingerprint(game))


def _name(match: Match) -> str:
    """Cache name: the values of the config, how many play, and who, wherever they sit."""
    who = sorted({*zip(match.seats, match.params or [()] * match.players, strict=False)})
    packed = match.config.pack(match.players)
    return hashlib.sha256(repr((match.players, who)).encode() + packed.tobytes()).hexdigest()[:32]


def _look(match: Match, rotation: int, rotations: int) -> None:
    begun, made = process_time(), 0

    def enough() -> bool:
        nonlocal made
        made += 1
        return made > _MOST or (made > _FEW and process_time() - begun > _SECONDS)

    with places_from_front():
        steps = Steps(match, interpreted=True)
        for number in range(_GAMES):
            try:
                came_to = play_through(steps, number, enough)
            except BrokenInvariantError as error:
                shown = show_command(match.game, match.config, match.players, match.seed, number, _agents(match))
                raise error.at(number * rotations + rotation, match.seed, shown) from None
            if came_to is PreflightEnd.STUCK:
                raise stuck(match, steps.record, number * rotations + rotation, made)
            if came_to is PreflightEnd.INVALID_ACTION:
                raise invalid_action(match, number, rotation=rotation, rotations=rotations)
            if came_to is PreflightEnd.ENOUGH:
                return


def _agents(match: Match) -> list[str]:
    """The agents of a match as a user writes them."""
    known = list(compiled_agents(match.game).items())
    names = []
    for seat, number in enumerate(match.seats):
        name, agent = known[number] if number >= 0 else ("random", RANDOM)
        params = match.params[seat] if seat < len(match.params) else ()
        given = [f"{key}={value:g}" for key, value in zip(agent.parameters, params, strict=False)]
        names.append(":".join([name, *([",".join(given)] if given else [])]))
    return names


class PreflightEnd(Enum):
    """How a preflight game ended: finished, long enough, without options, or at an invalid action."""

    END = 0
    ENOUGH = 1
    STUCK = 2
    INVALID_ACTION = 3


#: What is shown every action: the state before, the options, the action, the state after.
StepObserver = Callable[[np.void, Sequence[int], int, np.void], None]


def play_through(
    steps: Steps, number: int, enough: Callable[[], bool], observer: StepObserver | None = None
) -> PreflightEnd:
    """Plays a game with every function of its rules, up to its outcome; stops early if `enough()` before an action.

    Its invariants are tried in every position.
    """
    match = steps.match
    invariants = InvariantCheck(match.game, match.config)
    agents = list(compiled_agents(match.game).values())
    decisions, options = 0, steps.begin(match.seed, number)
    state = steps.record
    invariants.begin(state)
    while steps.mover[0] >= 0:
        seat = steps.mover[0]
        if options < 1:
            return PreflightEnd.STUCK
        if enough():
            return PreflightEnd.ENOUGH
        action = steps.ids[0]
        if options > 1:
            decisions += 1
            steps.see(seat)
            agent = match.seats[seat]
            if agent < 0 or agents[agent] is RANDOM:
                action = steps.chance(options)
            else:
                choose = interpreted_strict_kernels(match.game).agent_choice
                action = int(choose(steps.workspace, match.lookup_tables.values, agent, options))
                if action < 0:
                    return PreflightEnd.INVALID_ACTION
        before = state.copy() if invariants.wanted or observer is not None else state
        offered = steps.ids[:options].tolist() if observer is not None else ()
        options = steps.step(action)
        invariants.step(before, action, state)
        if observer is not None:
            observer(before, offered, action, state)
    for seat in range(match.players):
        steps.see(seat)
    steps.pay()
    counts: RecordArray = np.zeros(1, match.game.tally)
    interpreted_kernels(match.game).tally_rows(steps.workspace, steps.finish(decisions), counts)
    return PreflightEnd.END
