"""Numbers that a sweep or a tuning may change: those of the rules by their path, those of agents as `agent.NAME.KEY`.

An agent keeps its name when its numbers change, so that a report calls it the same in every setting.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from playmill.agents.agent_specs import Seat, declared_parameters, with_parameters
from playmill.engine.config.model import RuleConfig, changed_by, value_at
from playmill.engine.contract.agent import Parameter
from playmill.engine.contract.game import Game
from playmill.texts import PlaymillError

#: The first step of a path that leads to a number of an agent.
AGENT = "agent"
#: Values by path, in the order in which the paths were named: what differs from how it is now.
Setting = Mapping[str, Any]
#: This many paths are told to whoever misspelt one.
_SHOWN = 24


@dataclass(frozen=True)
class _AgentNumber:
    """A number of an agent: the agent's name in reports, the key, what it may be, and what it is."""

    name: str
    key: str
    parameter: Parameter
    value: Any


class Changeable:
    """The numbers of a config, and those of the agents at a table."""

    def __init__(self, config: RuleConfig, game: Game | None = None, seats: Sequence[Seat] = ()) -> None:
        """`seats` are those of the agents in the order in which they were named."""
        self.config = config
        self._data = config.model_dump(mode="json")
        # A game whose config has this name itself keeps it.
        self._agents = {} if game is None or AGENT in self._data else _agent_numbers(game, seats)
        self._game = game

    def of_agent(self, path: str) -> bool:
        """Returns whether a path leads to a number of an agent."""
        return path in self._agents

    def value(self, path: str, asked: str) -> Any:
        """Returns what a number is now; raises, quoting what was asked, if there is none."""
        if path in self._agents:
            return self._agents[path].value
        try:
            return value_at(self._data, path)
        except KeyError:
            raise self._unknown(path, asked) from None

    def _unknown(self, path: str, asked: str) -> PlaymillError:
        if path.partition(".")[0] != AGENT:
            return PlaymillError(f"{asked}: the config has no {path!r}", f"{asked}: в настройках нет {path!r}")
        known = ", ".join([*self._agents][:_SHOWN])
        if not known:
            return PlaymillError(
                f"{asked}: none of these agents has numbers", f"{asked}: ни у одного из этих агентов нет чисел"
            )
        return PlaymillError(
            f"{asked}: these agents have no {path!r}; they have {known}",
            f"{asked}: у этих агентов нет {path!r}; есть {known}",
        )

    def check(self, path: str, value: Any, asked: str) -> None:
        """Raises, quoting what was asked, if a number of an agent cannot be this; of rules the config says so."""
        if path in self._agents and self._agents[path].parameter.read(written(value)) is None:
            allowed = self._agents[path].parameter.range
            raise PlaymillError(
                f"{asked}: {path} cannot be {written(value)}; it may be {allowed}",
                f"{asked}: {path} не может быть {written(value)}; допустимо {allowed}",
            )

    def configured(self, setting: Setting, option: str) -> RuleConfig:
        """Returns the config of a setting; raises, naming the option by which it came, if there is no such one."""
        changes = [f"{path}={written(value)}" for path, value in setting.items() if not self.of_agent(path)]
        return changed_by(option, self.config, changes)

    def seated(self, setting: Setting, seats: Sequence[Seat]) -> tuple[Seat, ...]:
        """Returns the seats of any table with the agents' numbers of a setting."""
        wanted: dict[str, dict[str, str]] = {}
        for path, value in setting.items():
            if self.of_agent(path):
                number = self._agents[path]
                wanted.setdefault(number.name, {})[number.key] = written(value)
        if not wanted or self._game is None:
            return tuple(seats)
        game = self._game
        return tuple(with_parameters(game, seat, wanted[seat.name]) if seat.name in wanted else seat for seat in seats)


def same(one: Any, other: Any) -> bool:
    """Returns whether two values of a setting are the same; true is not 1."""
    return json.dumps(one, sort_keys=True) == json.dumps(other, sort_keys=True) or (
        all(isinstance(value, (int, float)) and not isinstance(value, bool) for value in (one, other)) and one == other
    )


def value_of(text: str) -> Any:
    """Returns the value that people mean by a text: JSON where it can be read as such, else the words."""
    try:
        return json.loads(text)
    except ValueError:
        return text


def written(value: Any) -> str:
    """Returns a value of a setting as people type it."""
    if isinstance(value, str):
        return value
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)


def _agent_numbers(game: Game, seats: Sequence[Seat]) -> dict[str, _AgentNumber]:
    """Returns all numbers of agents by path: by the agent's name if that is clear, and by its place, from 1 on."""
    first: dict[str, Seat] = {}
    for seat in seats:
        first.setdefault(seat.name, seat)
    kinds = [name.partition(":")[0] for name in first]
    found: dict[str, _AgentNumber] = {}
    for name, seat in first.items():
        kind = name.partition(":")[0]
        # As it was named it is meant, also beside another one with numbers of its own.
        titles = [kind] if kinds.count(kind) == 1 or name == kind else []
        titles += [str(place) for place, other in enumerate(seats, 1) if other.name == name]
        for title in titles:
            for key, (parameter, value) in declared_parameters(game, seat).items():
                now = parameter.format(value) if parameter.words else int(value) if value == int(value) else value
                found[f"{AGENT}.{title}.{key}"] = _AgentNumber(name, key, parameter, now)
    return found
