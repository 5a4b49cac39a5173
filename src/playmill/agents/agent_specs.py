"""Parses agent specs such as `greedy:depth=2`, `search`, `bot.py` or `program:FOLDER` into seats of a match."""

from __future__ import annotations

import hashlib
import importlib.util
import os
import sys
import zlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from importlib.machinery import SourceFileLoader
from pathlib import Path
from types import CodeType, FunctionType
from typing import TYPE_CHECKING, Any

from playmill.agents import experts, networks
from playmill.agents.programs.spec import Program, is_program, read_program
from playmill.agents.python.agent_thread import AgentCall, AgentThread, Work, never
from playmill.agents.python.reply import PythonAgent, printable, why
from playmill.agents.search import search_agent
from playmill.engine.compile.game_kernels import agent_numbers, compiled_agents
from playmill.engine.config.input_files import note_file, note_folder, same_folder
from playmill.engine.config.model import RuleConfig
from playmill.engine.contract.agent import NetworkTable, Parameter
from playmill.engine.contract.game import Game
from playmill.texts import PlaymillError, Text, near_to

if TYPE_CHECKING:
    from playmill.agents.programs.program_agent import ProgramAgent

#: Before the file of a network that `search` thinks with.
_NET = "net="


@dataclass(frozen=True)
class Seat:
    """One seat: the agent's name as it appears in reports, and the agent.

    That is a compiled agent, `search`, one written in Python, or a program.
    """

    name: str
    number: int = -1
    params: tuple[float, ...] = ()
    player: PythonAgent | None = None
    host: AgentThread | None = None
    thinks: bool = False
    #: The network that plays, or that `search` thinks with.
    network: networks.Network | None = field(default=None, compare=False, repr=False)
    #: What finds the agent again, from any folder; nothing does if it was given as an object.
    spec: str | None = None
    #: A hash of the file of an agent written in Python, of a network, or of a program's files.
    code: str | None = None

    @property
    def compiled(self) -> bool:
        """Whether the agent plays inside the compiled loops."""
        return self.number >= 0

    @property
    def table(self) -> NetworkTable | None:
        """The table of a network that plays inside the compiled loops."""
        return self.network.table if self.network is not None and not self.thinks else None

    @property
    def program(self) -> ProgramAgent | None:
        """The program that sits here, if one does."""
        if self.player is None:
            return None
        from playmill.agents.programs.program_agent import ProgramAgent

        player = self.player.player
        return player if isinstance(player, ProgramAgent) else None


def seats_for(game: Game, players: int, agents: Sequence[Any], config: RuleConfig | None = None) -> tuple[Seat, ...]:
    """One seat for each player; a single agent takes all of them. Rules decide who is `expert`, and what is paid."""
    game.check_players(players)
    if len(agents) not in (1, players):
        raise PlaymillError(
            f"{len(agents)} agents for {players} players: name one for all seats, or one for each",
            f"агентов {len(agents)}, а игроков {players}: назовите одного на все места или по одному на каждое",
        )
    host = AgentThread() if not all(isinstance(agent, str) and _is_compiled(agent) for agent in agents) else None
    # A process sees what its seat sees: two seats of one program are two processes.
    if len(agents) == 1 and _is_program(agents[0]):
        agents = list(agents) * players
    made = [_seat(game, players, agent, host, config) for agent in agents]
    return tuple(made * players if len(made) == 1 else made)


def seats_by_rules(game: Game, players: int, seats: Sequence[Seat], config: RuleConfig) -> tuple[Seat, ...]:
    """The same seats by other rules: each `expert` is the one for these, and a network judges what these pay."""

    def by_rules(seat: Seat) -> Seat:
        judged = seat.thinks and seat.network is not None
        if not judged and not _is_expert(game, seat.spec):
            return seat
        return replace(_seat(game, players, seat.spec, None, config), name=seat.name)

    return tuple(map(by_rules, seats))


def _is_expert(game: Game, spec: str | None) -> bool:
    return spec is not None and spec.partition(":")[0] == experts.NAME and experts.NAME not in game.agents


def _is_program(agent: Any) -> bool:
    return isinstance(agent, Program) or is_program(agent)


def _is_compiled(agent: str) -> bool:
    return not is_program(agent) and (agent.startswith(networks.PREFIX) or agent_file(agent) is None)


def names_a_file(agent: str) -> bool:
    """Whether a spec names a file, a network or a program, rather than an agent of the game."""
    return is_program(agent) or ".py" in agent or networks.PREFIX in agent or _NET in agent


def agent_name(agent: Any) -> str:
    """The name of an agent: its spec, its own name, or its class."""
    if isinstance(agent, str):
        return agent
    if isinstance(agent, Program):
        return agent.spec
    try:
        named = getattr(agent, "name", None) or getattr(agent, "__name__", None)
    except Exception:  # a property of the agent that fails
        named = None
    return printable(named if isinstance(named, str) else type(agent).__name__)


@same_folder()
def _seat(game: Game, players: int, agent: Any, host: AgentThread | None, config: RuleConfig | None) -> Seat:
    if _is_program(agent):
        from playmill.agents.programs.program_agent import ProgramAgent

        program = agent if isinstance(agent, Program) else read_program(agent)
        for used in program.only or (program.folder,):
            note_folder(used) if used.is_dir() else note_file(used)
        player = PythonAgent(ProgramAgent(game, program))
        return Seat(printable(program.name), player=player, host=host, spec=program.spec, code=program.code)
    if not isinstance(agent, str):
        name = agent_name(agent)
        return _hosted(game, host, name, name, lambda: agent)
    if agent.startswith(networks.PREFIX):
        path = Path(agent.removeprefix(networks.PREFIX))
        place = path.absolute()
        note_file(place)
        read = networks.read_network(game, players, place, printable(str(path)))
        seat = network_seat(game, read, printable(agent))
        return replace(seat, spec=networks.PREFIX + str(place), code=_code_hash(place))
    if (found := agent_file(agent)) is not None:
        path, part = found
        place = path.absolute()
        note_file(place)
        # The command of a report names the whole path: where it was played, the agent is called as it was then.
        path = place.relative_to(Path.cwd()) if path.is_absolute() and place.is_relative_to(Path.cwd()) else path
        name = printable(str(path.with_suffix("")) + (f":{part}" if part else ""))
        seat = _hosted(game, host, name, printable(str(path)), partial(_from_file, game, path, place, part))
        return replace(seat, spec=str(place) + (f":{part}" if part else ""), code=_code_hash(place))
    name, colon, rest = agent.partition(":")
    if _is_expert(game, agent):
        seat = _seat(game, players, experts.expert_spec(game, players, config), host, config)
        declared = declared_parameters(game, seat)
        given = _parameters(name, {key: one for key, (one, _) in declared.items()}, rest) if colon else {}
        params = tuple(given.get(key, value) for key, (_, value) in declared.items())
        return replace(seat, name=agent, spec=agent, params=params)
    if name == search_agent.NAME:
        return _searching(game, players, agent, rest if colon else None, config)
    if name not in game.agents:
        names = (*game.agents, search_agent.NAME, experts.NAME)
        known, near = ", ".join(names), near_to(name, names)
        raise PlaymillError(
            f"{game.name} has no agent {name!r}{near.en or ';'} it has {known}, or name a file: my_agent.py,"
            " net:my.npz, or program:./my_bot",
            f"в {game.name} нет агента {name!r}{near.ru or ';'} есть {known}, или назовите файл: my_agent.py,"
            " net:my.npz, или program:./my_bot",
        )
    params = _numbers(name, game.agents[name].parameters, rest if colon else None)
    return Seat(agent, agent_numbers(game)[name], params, spec=agent)


def network_seat(game: Game, network: networks.Network, name: str) -> Seat:
    """The seat of a network; the heuristic that hints to it plays with its default numbers."""
    numbers = compiled_agents(game)[networks.PREFIX].parameters
    params = tuple(parameter.default for parameter in numbers.values())
    return Seat(name, agent_numbers(game)[networks.PREFIX], params, network=network)


def _searching(game: Game, players: int, agent: str, numbers: str | None, config: RuleConfig | None) -> Seat:
    """The seat of `search`; `net=FILE` among its parameters is the network it uses."""
    file, parts = _net_file(numbers.split(",") if numbers is not None else [])
    if file is None:
        return Seat(
            agent, params=_numbers(search_agent.NAME, search_agent.PARAMETERS, numbers), thinks=True, spec=agent
        )
    place = Path(file).absolute()
    note_file(place)
    params = _numbers(search_agent.NAME, search_agent.PARAMETERS, ",".join(parts) if parts else None)
    judge = networks.read_judge(game, players, place, printable(str(Path(file))), config)
    spec = f"{search_agent.NAME}:" + ",".join([_NET + str(place), *parts])
    return Seat(printable(agent), params=params, thinks=True, network=judge, spec=spec, code=_code_hash(place))


def _net_file(parts: list[str]) -> tuple[str | None, list[str]]:
    """The file of a network among the parameters of an agent, which may have commas in its name, and the others."""
    begin = next((place for place, part in enumerate(parts) if part.startswith(_NET)), None)
    if begin is None:
        return None, parts
    files = {end: ",".join(parts[begin:end]).removeprefix(_NET) for end in range(begin + 1, len(parts) + 1)}
    end = max((end for end, file in files.items() if Path(file).is_file()), default=begin + 1)
    return files[end], parts[:begin] + parts[end:]


def parameters_of(game: Game, seat: Seat) -> dict[str, float]:
    """The parameters of the agent in a seat, by name."""
    if seat.program is not None:
        return seat.program.limits.numbers()
    return {key: value for key, (_, value) in declared_parameters(game, seat).items()}


def declared_parameters(game: Game, seat: Seat) -> dict[str, tuple[Parameter, float]]:
    """The parameters of the agent in a seat with their values; what is written in Python declares none."""
    if seat.player is not None:
        return {}
    known = search_agent.PARAMETERS if seat.thinks else list(compiled_agents(game).values())[seat.number].parameters
    return {key: (parameter, value) for (key, parameter), value in zip(known.items(), seat.params, strict=True)}


def with_parameters(game: Game, seat: Seat, values: Mapping[str, str]) -> Seat:
    """The same agent, called as before, with other values of some of its parameters."""
    known = declared_parameters(game, seat)
    name, colon, rest = (seat.spec or seat.name).partition(":")
    read = _parameters(
        name,
        {key: parameter for key, (parameter, _) in known.items()},
        ",".join(f"{key}={value}" for key, value in values.items()),
    )
    kept = [part for part in rest.split(",") if colon and part.partition("=")[0] not in values]
    spec = f"{name}:" + ",".join([*kept, *(f"{key}={value}" for key, value in values.items())])
    return replace(seat, params=tuple(read.get(key, value) for key, (_, value) in known.items()), spec=spec)


def _code_hash(place: Path) -> str | None:
    """A hash of an agent's file; None if it is gone since it was read."""
    try:
        return hashlib.sha256(place.read_bytes().replace(b"\r\n", b"\n")).hexdigest()
    except OSError:
        return None


def _numbers(name: str, known: Mapping[str, Parameter], text: str | None) -> tuple[float, ...]:
    """The parameters of an agent, in order: as given, else the default ones."""
    values = _parameters(name, known, text) if text is not None else {}
    return tuple(values.get(key, parameter.default) for key, parameter in known.items())


def _parameters(name: str, parameters: Mapping[str, Parameter], text: str) -> dict[str, float]:
    """Reads `key=value,key=value`."""
    if not parameters:
        raise PlaymillError(
            f"agent {name} takes no numbers; write {name} alone, without {':' + text!r}",
            f"у агента {name} нет чисел; пишите просто {name}, без {':' + text!r}",
        )
    values: dict[str, float] = {}
    known = ", ".join((*parameters, *([_NET.rstrip("=")] if name == search_agent.NAME else [])))
    for part in text.split(","):
        key, equals, number = part.partition("=")
        if not equals or key not in parameters or key in values:
            raise PlaymillError(
                f"agent {name}: cannot read {part!r}; expected key=value with one of: {known}",
                f"агент {name}: непонятно {part!r}; нужно ключ=значение, ключи: {known}",
            )
        value = parameters[key].read(number)
        if value is None:
            expected = _expected(parameters[key])
            raise PlaymillError(
                f"agent {name}: {key} is {number!r}; expected {expected.en}",
                f"агент {name}: {key} равно {number!r}; нужно {expected.ru}",
            )
        values[key] = value
    return values


def _expected(parameter: Parameter) -> Text:
    """The allowed values of a parameter, for an error message."""
    if parameter.words:
        return Text(f"one of {parameter.range}", f"одно из: {parameter.range}")
    low, high = parameter.format(parameter.low), parameter.format(parameter.high)
    return Text(f"a number from {low} to {high}", f"число от {low} до {high}")


class _RefusedError(PlaymillError):
    """An agent that cannot be used, for a reason of ours."""


def _hosted(game: Game, host: AgentThread | None, name: str, source: str, find: Callable[[], Any]) -> Seat:
    """The seat of an agent written in Python: loaded and made in the thread it will run in."""
    assert host is not None

    def work() -> Work[PythonAgent | Text | None]:
        question = AgentCall(partial(_arrive, game, name, source, find))
        yield question
        reply: PythonAgent | Text | None = question.reply
        return reply

    arrived = host.do(work(), never)
    if isinstance(arrived, PythonAgent):
        return Seat(name, player=arrived, host=host)
    raise PlaymillError(*(arrived or Text(f"cannot load the agent {source}", f"агент {source} не загружается")))


def _arrive(game: Game, name: str, source: str, find: Callable[[], Any]) -> PythonAgent | Text:
    """Makes an agent of what was found, to be asked by `choose` or by a game's own methods.

    Returns the reason if that cannot be.
    """
    try:
        agent = find()
        if isinstance(agent, type):
            agent = agent()
        elif isinstance(agent, FunctionType):
            agent = _Function(agent)
        if callable(getattr(agent, "choose", None)):
            return PythonAgent(agent)
        if game.methods is not None and _has_methods(game, agent):
            return PythonAgent(game.methods.Adapter(agent), by_methods=True)
    except _RefusedError as error:
        return error.text
    except BaseException as error:
        reason = why(error)
        return Text(f"cannot load the agent {source}: {reason.en}", f"агент {source} не загружается: {reason.ru}")
    return Text(f"agent {name} has no method choose(decision)", f"у агента {name} нет метода choose(decision)")


def _has_methods(game: Game, player: Any) -> bool:
    return game.methods is not None and any(callable(getattr(player, name, None)) for name in game.methods.METHODS)


class _Function:
    """A plain function as an agent."""

    def __init__(self, choose: Any) -> None:
        self.choose = choose


def agent_file(spec: str) -> tuple[Path, str] | None:
    """The file of `FILE.py` or `FILE.py:NAME`, and the name; None if an agent is not given by a file.

    What ends with `.py` is a file, colons and all; else what stands before the last colon may be one.
    """
    file, _, name = spec.rpartition(":")
    if spec.endswith(".py"):
        return Path(spec), ""
    if not file.endswith(".py"):
        return None
    if not name.isidentifier():
        raise PlaymillError(
            f"agent {printable(spec)}: after the file comes the name of a class or an object, FILE.py:NAME;"
            " a file takes no parameters",
            f"агент {printable(spec)}: после файла идёт имя класса или объекта, ФАЙЛ.py:ИМЯ; параметров у файла нет",
        )
    return Path(file), name


def _from_file(game: Game, path: Path, place: Path, name: str) -> Any:
    """`FILE.py` with `choose`, a game's methods or a class `Agent`, or `FILE.py:NAME` with a class or an object."""
    shown = printable(str(path))
    if not place.is_file():
        raise _RefusedError(f"there is no agent file {shown}", f"файла агента {shown} нет")
    module = _load(path.stem, place)
    if name:
        found = getattr(module, name, None)
    elif callable(getattr(module, "choose", None)):
        found = module.choose
    elif _has_methods(game, module):
        found = module
    else:
        found = getattr(module, "Agent", None)
    if found is None and name:
        raise _RefusedError(f"{shown} defines no {name}", f"в {shown} нет {name}")
    if found is None:
        raise _RefusedError(
            f"{shown} defines neither a function choose nor a class Agent",
            f"в {shown} нет ни функции choose, ни класса Agent",
        )
    return found


def _load(stem: str, place: Path) -> Any:
    name = f"playmill_agent_{stem}_{zlib.crc32(os.fsencode(place)):08x}"
    spec = importlib.util.spec_from_loader(name, _Source(name, str(place)))
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except BaseException:
        sys.modules.pop(name, None)
        raise
    return module


class _Source(SourceFileLoader):
    """Compiles a file each time: what Python keeps beside it may be as old as a second and run an old agent."""

    def get_code(self, fullname: str) -> CodeType | None:
        """The code of the file as it is now."""
        code: CodeType = self.source_to_code(self.get_data(self.path), self.path)
        return code
