"""From what a user writes for an agent to who sits in each seat."""

from __future__ import annotations

import importlib.util
import sys
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import FunctionType
from typing import Any

from playmill.agents import search
from playmill.engine.agent import Parameter
from playmill.engine.game import Game
from playmill.engine.kernels import agent_numbers
from playmill.engine.workplace import same_folder
from playmill.texts import PlaymillError


@dataclass(frozen=True)
class Seat:
    """One seat: the agent's name as it appears in reports, and a compiled agent, `search` or a Python object."""

    name: str
    number: int = -1
    params: tuple[float, ...] = ()
    player: Any = None
    thinks: bool = False

    @property
    def compiled(self) -> bool:
        """Whether the agent plays inside the compiled loops."""
        return self.number >= 0


def seats_for(game: Game, players: int, agents: Sequence[Any]) -> tuple[Seat, ...]:
    """One seat for each player; a single agent takes all of them."""
    game.check_players(players)
    if len(agents) not in (1, players):
        raise PlaymillError(
            f"{len(agents)} agents for {players} players: name one for all seats, or one for each",
            f"агентов {len(agents)}, а игроков {players}: назовите одного на все места или по одному на каждое",
        )
    made = [_seat(game, agent) for agent in agents]
    return tuple(made * players if len(made) == 1 else made)


def agent_name(agent: Any) -> str:
    """What an agent is called: as it was written, by its own name, or by its class."""
    if isinstance(agent, str):
        return agent
    return str(getattr(agent, "name", None) or getattr(agent, "__name__", None) or type(agent).__name__)


@same_folder()
def _seat(game: Game, agent: Any) -> Seat:
    if not isinstance(agent, str):
        return python_seat(game, agent_name(agent), agent)
    if ".py" in agent:
        return _seat_from_file(game, agent)
    name, colon, rest = agent.partition(":")
    if name == search.NAME:
        return Seat(agent, params=_numbers(name, search.PARAMETERS, rest if colon else None), thinks=True)
    if name not in game.agents:
        known = ", ".join((*game.agents, search.NAME))
        raise PlaymillError(
            f"{game.name} has no agent {name!r}; it has {known}, or name a file: my_agent.py",
            f"в {game.name} нет агента {name!r}; есть {known}, или назовите файл: my_agent.py",
        )
    params = _numbers(name, game.agents[name].parameters, rest if colon else None)
    return Seat(agent, agent_numbers(game)[name], params)


def _numbers(name: str, known: Mapping[str, Parameter], text: str | None) -> tuple[float, ...]:
    """The numbers of an agent, in order: as given, else the default ones."""
    values = _parameters(name, known, text) if text is not None else {}
    return tuple(values.get(key, parameter.default) for key, parameter in known.items())


def _parameters(name: str, parameters: Mapping[str, Parameter], text: str) -> dict[str, float]:
    """Reads `key=value,key=value`."""
    values: dict[str, float] = {}
    known = ", ".join(parameters) or "–"
    for part in text.split(","):
        key, equals, number = part.partition("=")
        if not equals or key not in parameters or key in values:
            raise PlaymillError(
                f"agent {name}: cannot read {part!r}; expected key=value with one of: {known}",
                f"агент {name}: непонятно {part!r}; нужно ключ=значение, ключи: {known}",
            )
        parameter = parameters[key]
        try:
            value = float(number)
        except ValueError:
            value = float("nan")
        if not parameter.low <= value <= parameter.high:
            raise PlaymillError(
                f"agent {name}: {key} is {number!r}; expected a number from {parameter.low:g} to {parameter.high:g}",
                f"агент {name}: {key} равно {number!r}; нужно число от {parameter.low:g} до {parameter.high:g}",
            )
        values[key] = value
    return values


def python_seat(game: Game, name: str, player: Any) -> Seat:
    """A seat for a plain Python agent: anything with `choose(decision)`, or with the methods a game names."""
    if isinstance(player, type):
        player = player()
    elif isinstance(player, FunctionType):
        player = _Function(player)
    if callable(getattr(player, "choose", None)):
        return Seat(name, player=player)
    if game.methods is not None and _has_methods(game, player):
        return Seat(name, player=game.methods.Adapter(player))
    raise PlaymillError(f"agent {name} has no method choose(decision)", f"у агента {name} нет метода choose(decision)")


def _has_methods(game: Game, player: Any) -> bool:
    return game.methods is not None and any(callable(getattr(player, name, None)) for name in game.methods.METHODS)


class _Function:
    """A plain function as an agent."""

    def __init__(self, choose: Any) -> None:
        self.choose = choose


def _seat_from_file(game: Game, spec: str) -> Seat:
    """`FILE.py` with `choose`, a game's methods or a class `Agent`, or `FILE.py:NAME` with a class or an object."""
    end = spec.index(".py") + 3
    path, name = Path(spec[:end]), spec[end:].removeprefix(":")
    module = _load_file(path)
    if name:
        found = getattr(module, name, None)
    elif callable(getattr(module, "choose", None)):
        found = module.choose
    elif _has_methods(game, module):
        found = module
    else:
        found = getattr(module, "Agent", None)
    if found is None:
        if name:
            raise PlaymillError(f"{path} defines no {name}", f"в {path} нет {name}")
        raise PlaymillError(
            f"{path} defines neither a function choose nor a class Agent",
            f"в {path} нет ни функции choose, ни класса Agent",
        )
    try:
        return python_seat(game, str(path.with_suffix("")) + (f":{name}" if name else ""), found)
    except PlaymillError:
        raise
    except Exception as error:
        raise _cannot_load(path, error) from None


def _load_file(path: Path) -> Any:
    if not path.is_file():
        raise PlaymillError(f"there is no agent file {path}", f"файла агента {path} нет")
    name = f"playmill_agent_{path.stem}_{zlib.crc32(str(path.resolve()).encode()):08x}"
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except Exception as error:
        raise _cannot_load(path, error) from None
    return module


def _cannot_load(path: Path, error: Exception) -> PlaymillError:
    reason = f"{type(error).__name__}: {error}"
    return PlaymillError(f"cannot load the agent {path}: {reason}", f"агент {path} не загружается: {reason}")
