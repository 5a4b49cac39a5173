"""Agents at a table: those a page may offer, by name, and how one chooses without holding anybody up."""

from __future__ import annotations

import os
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

from playmill.agents import search
from playmill.agents.programs.spec import is_program
from playmill.agents.python import Questions
from playmill.agents.seats import Seat, seats_for
from playmill.engine.contract.agent import Parameter
from playmill.engine.contract.game import Game
from playmill.engine.lang.rng import SEATS
from playmill.engine.run.state import State
from playmill.lab.replays.show import choice
from playmill.texts import PlaymillError, Text
from playmill.web.warming import Warming

#: At a table `search` thinks no longer than this, and on no more cores, however it is asked.
_LIMITS = {"iterations": 20_000, "ms": 10_000, "threads": 2}
#: Cores that think about one decision by the clock: those threads step back for everybody else (`polite.py`).
_CORES = min(_LIMITS["threads"], os.cpu_count() or 1)
#: `search` by the name of its strength: counted in games in the head, or by the clock where it may take its time.
_STRENGTHS: Mapping[str, tuple[str, Text]] = {
    "search-light": ("search:iterations=40", Text("light", "слабее")),
    "search": ("search:iterations=1000,adapt=1", Text("steady", "уверенно")),
    "search-strong": (
        f"search:ms=3000,adapt=1,threads={_CORES}",
        Text("strong, thinks up to 3 s", "сильно, думает до 3 с"),
    ),
}
#: Who sits opposite unless somebody else is wanted.
USUAL = "search"


@dataclass(frozen=True)
class Mind:
    """An agent that can be seated: its key in a form and in the ledger, its name for people, and what it is."""

    key: str
    name: Text
    about: Text
    spec: Any
    parameters: Mapping[str, Parameter] = field(default_factory=dict)
    #: The file it is in, if it is in one: somebody else's code.
    file: str = ""


def minds_for(game: Game, files: Sequence[str] = ()) -> dict[str, Mind]:
    """The agents that may sit at a table of a game: `search`, the game's own, and files named by the server's owner."""
    found = [
        Mind(key, Text(f"search, {name.en}", f"search, {name.ru}"), search.ABOUT, spec, _numbers(key))
        for key, (spec, name) in _STRENGTHS.items()
    ]
    found += [Mind(name, Text(name, name), agent.about, name, agent.parameters) for name, agent in game.agents.items()]
    for file in files:
        about = Text("a program", "программа") if is_program(file) else Text("a Python file", "файл Python")
        found.append(Mind(file_key(file), Text(file, file), about, file, file=file))
    return {mind.key: mind for mind in found}


def _numbers(key: str) -> Mapping[str, Parameter]:
    """The numbers of `search` that a table may change; how long it thinks is limited here."""
    if key != search.NAME:
        return {}
    return {
        name: replace(one, high=min(one.high, _LIMITS[name])) if name in _LIMITS else one
        for name, one in search.PARAMETERS.items()
    }


def spec_of(mind: Mind, given: Mapping[str, str]) -> str:
    """What finds an agent again whose numbers were given, as in `search:iterations=300`; what is empty is as usual."""
    changed = [f"{name}={value.strip()}" for name, value in given.items() if value.strip()]
    return f"{mind.key}:{','.join(changed)}" if changed else mind.key


def mind_of(minds: Mapping[str, Mind], game: Game, key: str) -> Mind | None:
    """The agent of a key, with the numbers that follow it, if such a one may sit here; wrong numbers are an error."""
    if key in minds:
        return minds[key]
    name, colon, rest = key.partition(":")
    found = minds.get(name)
    if found is None or not colon or not found.parameters:
        return None
    values = {}
    for part in rest.split(","):
        number, _, text = part.partition("=")
        known = found.parameters.get(number)
        value = known.read(text) if known else None
        if known is None or value is None:
            limits = ", ".join(f"{one} {p.range}" for one, p in found.parameters.items())
            raise PlaymillError(
                f"agent {name}: {part!r} cannot be; its numbers are {limits}",
                f"агент {name}: {part!r} не годится; его числа: {limits}",
            )
        values[number] = known.told(value)
    told = ", ".join(f"{number} {value}" for number, value in values.items())
    return Mind(key, Text(f"{name}, {told}", f"{name}, {told}"), found.about, key)


def file_key(file: str) -> str:
    """The key of an agent that is a file."""
    return f"file:{file}"


@dataclass(frozen=True)
class Answer:
    """What an agent does, why that is a random choice if its answer could not be used, and whether it is `cold`.

    One that is cold has played by the rule of thumb of its game, because it cannot think yet.
    """

    action: int
    trouble: Text | None = None
    cold: bool = False


class Player:
    """One agent at one table; it remembers during the game."""

    def __init__(self, game: Game, players: int, mind: Mind, warming: Warming) -> None:
        self.file = mind.file
        self._game = game
        self._arrive = partial(seats_for, game, players, [mind.spec])
        self._warming = warming
        self._seat: Seat | None = None
        self._memory: dict[int, Any] = {}

    def choose(self, state: State) -> Answer:
        """What it does in a copy of the game.

        Nothing is compiled for it: agents run in the interpreter, as the table itself does, except for `search`. Until
        that is compiled elsewhere, the agent sits in by which it would play games on in its head. What an agent draws
        lots with is no part of the game's luck: the log remembers what came of it.
        """
        if self._seat is None:
            self._seat = self._arrive()[0]
        twin = state.clone(interpreted=True)
        twin.observer = None
        twin.minds = self._memory
        twin.desk["whims"]["stream"][0] = [secrets.randbits(64) for _ in range(SEATS)]
        if not self._warming.ready(self._game, self._seat, state.config):
            return Answer(*choice(twin, self._rule_of_thumb()), cold=True)
        player = state.current_player()
        if self._seat.player is not None and player not in self._memory:
            self._memory[player] = Questions(
                self._game, state.config, players=state.players, seed=state.seed, interpreted=True
            )
        return Answer(*choice(twin, self._seat))

    def _rule_of_thumb(self) -> Seat:
        return seats_for(self._game, self._game.players[0], [self._game.search.rollout])[0]
