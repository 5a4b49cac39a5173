"""Validates and names the agents of `--among`, and runs a question once for each."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from playmill.agents.agent_specs import seats_for
from playmill.engine.contract.game import Game, as_game
from playmill.engine.contract.levels import Level
from playmill.interrupts import interrupt
from playmill.texts import PlaymillError, Text

Found = TypeVar("Found")
#: Plays among one agent; it is told how many have come before.
Asking = Callable[[Any, int], Found]


@dataclass(frozen=True)
class AmongWhom:
    """Those a question is repeated for: the agents' names in reports, the agents, and the levels they stand for."""

    names: tuple[str, ...]
    agents: tuple[Any, ...]
    levels: tuple[Level, ...] = ()

    def options(self, specs: Sequence[str]) -> list[str]:
        """Returns the words of a command line that ask among them."""
        return ["--levels"] if self.levels else ["--among", *specs]


def check_among(game: str | Game, among: Sequence[Any], players: int | None, agents: Any = None) -> AmongWhom:
    """Returns those named by agent or by level; raises unless there are some, each once, and no others are to play."""
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
    levels = tuple(one for one in among if isinstance(one, Level))
    specs = tuple(one.agent if isinstance(one, Level) else one for one in among)
    names = [seats_for(chosen, seats, (agent,))[0].name for agent in specs]
    for place, name in enumerate(names):
        if name in names[:place]:
            raise PlaymillError(f"--among: {name} is named twice", f"--among: {name} назван дважды")
    return AmongWhom(tuple(names), specs, levels if len(levels) == len(among) else ())


def games_each(games: int | Sequence[int], names: Sequence[str]) -> tuple[int, ...]:
    """Returns how many games each of some runs has; raises unless that is one number, or one for each."""
    each = (games,) * len(names) if isinstance(games, int) else tuple(games)
    if len(each) != len(names):
        listed = ", ".join(names)
        raise PlaymillError(
            *Text(
                "{given} numbers of games for {n} {n:run|runs} ({listed}): name one for all, or one for each",
                "чисел партий {given}, а прогонов {n} ({listed}): назовите одно на всех или по одному на каждый",
            ).format(given=len(each), n=len(names), listed=listed)
        )
    return each


def sizes_text(games: Sequence[int], *, exact: bool = False) -> str:
    """Returns numbers of games as `--games` takes them: once if they are the same, unless time could change that."""
    return ",".join(map(str, games if exact or len({*games}) > 1 else games[:1]))


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
