"""Validates and names the agents of `--among`, and runs a question once for each."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeVar

from playmill.agents.agent_specs import seats_for
from playmill.engine.contract.game import Game, as_game
from playmill.interrupts import interrupt
from playmill.texts import PlaymillError

Found = TypeVar("Found")
#: Plays among one agent; it is told how many have come before.
Asking = Callable[[Any, int], Found]


def check_among(game: str | Game, among: Sequence[Any], players: int | None, agents: Any = None) -> list[str]:
    """Returns the names of the agents; raises unless there are some, each once, and no others are to play."""
    if isinstance(among, str) or not isinstance(among, Sequence) or not among:
        raise PlaymillError(
            "among whom? name the agents: --among dealer tactical", "среди кого? назовите агентов: --among …"
        )
    if agents is not None:
        raise PlaymillError(
            "--among and --agents both say who plays; leave out --agents",
            "и --among, и --agents говорят, кто играет; уберите --agents",
        )
    chosen = as_game(game)
    seats = chosen.players[0] if players is None else players
    chosen.check_players(seats)
    names = [seats_for(chosen, seats, (agent,))[0].name for agent in among]
    for place, name in enumerate(names):
        if name in names[:place]:
            raise PlaymillError(f"--among: {name} is named twice", f"--among: {name} назван дважды")
    return names


def ask_each(among: Sequence[Any], ask: Asking[Found]) -> list[Found]:
    """Runs a question for each agent; Ctrl-C ends it with the finished ones."""
    found: list[Found] = []
    with interrupt() as stop:
        for place, agent in enumerate(among):
            if stop():
                break
            try:
                found.append(ask(agent, place))
            except KeyboardInterrupt:
                # Stopped before anything was finished, it tells nothing.
                if not found:
                    raise
                break
    return found


def together(agents: Sequence[str]) -> str:
    """Returns the one name that stands for each of the agents where their figures stand side by side."""
    return " / ".join(agents)


def renamed(name: str, agent: str, other: str) -> str:
    """Returns the name of a figure with one agent's name replaced by another."""
    return re.sub(rf"(?<![^.]){re.escape(agent)}(?![^.])", lambda _: other, name)


def file_names(agents: Sequence[str]) -> Iterator[str]:
    """Returns each agent as a part of a file name."""
    made = [re.sub(r"[^\w.-]+", "-", agent).strip("-.") for agent in agents]
    unique = len({*made}) == len(made) and all(made)
    yield from made if unique else map(str, range(1, len(made) + 1))
