"""Entrants: parses agents as a user writes them, each with the name it has on the ladder."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from playmill.agents.agent_specs import agent_file, agent_name
from playmill.agents.programs.spec import PREFIX, Program, is_program, read_program
from playmill.engine.contract.game import Game
from playmill.texts import PlaymillError

#: `NAME=AGENT`: a name holds no colon, so that the numbers of an agent are not taken for one.
_NAMED = re.compile(r"([^\s:=/\\]+)=(.+)", re.DOTALL)
_LONGEST = 60


@dataclass(frozen=True)
class Entrant:
    """One who takes part: its name, and its agent, as a user writes it or as an object."""

    name: str
    agent: Any
    #: A hash of what it is made of, where somebody else knows it better than its files do.
    code: str | None = None
    #: Changes its seed from that of the same content before.
    seed_salt: str | None = None

    @property
    def written(self) -> str:
        """The agent as a command line says it."""
        return agent_name(self.agent)

    @property
    def found(self) -> str:
        """The same so that a file or a program is found from any folder."""
        if not isinstance(self.agent, str):
            return self.written
        if is_program(self.agent):
            return read_program(self.agent).spec
        file = agent_file(self.agent)
        return self.agent if file is None else ":".join(filter(None, (str(file[0].resolve()), file[1])))

    @property
    def kept(self) -> bool:
        """Whether its results can be kept: an object is gone with its process."""
        return isinstance(self.agent, (str, Program))


def read_entrants(game: Game, given: Sequence[Any], players: int, *, least: int = 2) -> list[Entrant]:
    """Parses entrants: `AGENT`, `NAME=AGENT` or a folder of them; raises unless they can meet."""
    found: list[Entrant] = []
    for one in given:
        if isinstance(one, Entrant):
            found.append(one)
        elif isinstance(one, str):
            found += _read(one)
        else:
            found.append(Entrant(agent_name(one), one))
    seen: set[str] = set()
    for entrant in found:
        if entrant.name in seen:
            raise PlaymillError(
                f"two entrants are called {entrant.name!r}; give one a name of its own: NAME=AGENT",
                f"двух участников зовут {entrant.name!r}; дайте одному своё имя: ИМЯ=АГЕНТ",
            )
        seen.add(entrant.name)
    least = max(least, players) if least else 0
    if len(found) < least:
        raise PlaymillError(
            f"at a table of {players} at least {least} entrants are needed, and there are {len(found)}",
            f"для стола на {players} нужно участников не меньше {least}, а их {len(found)}",
        )
    return found


def _read(text: str) -> list[Entrant]:
    if Path(text).is_dir():
        return _folder(Path(text))
    named = _NAMED.fullmatch(text)
    name, agent = (named[1], named[2]) if named else (_usual_name(text), text)
    return [Entrant(_checked_name(name), agent)]


def _checked_name(name: str) -> str:
    """Returns a name that a ladder can show; raises for any other."""
    if len(name) > _LONGEST or not name.isprintable():
        raise PlaymillError(
            f"an entrant cannot be called {name!r}: at most {_LONGEST} printable characters; NAME=AGENT names it",
            f"участника нельзя назвать {name!r}: не больше {_LONGEST} печатных знаков; ИМЯ=АГЕНТ даёт имя",
        )
    return name


def _usual_name(agent: str) -> str:
    """Returns the default name of an agent: a file or a program by its name, without the folders."""
    if is_program(agent):
        return Path(read_program(agent).folder).name
    return Path(agent).stem if agent.endswith(".py") else agent


def _folder(folder: Path) -> list[Entrant]:
    """Returns an entrant for each Python file of a folder and each bot in a folder of its own, by its name."""
    files = [path for path in sorted(folder.glob("*.py")) if not path.name.startswith("_")]
    found = [Entrant(_checked_name(path.stem), str(path)) for path in files]
    bots = [path for path in sorted(folder.iterdir()) if holds_bot(path)]
    found += [Entrant(_checked_name(path.name), f"{PREFIX}{path}") for path in bots]
    if not found:
        raise PlaymillError(f"there are no entrants in {folder}", f"в папке {folder} нет участников")
    return found


def holds_bot(folder: Path) -> bool:
    """Returns whether a folder is that of a bot."""
    return folder.is_dir() and any((folder / name).is_file() for name in ("bot.toml", "bot", "bot.py", "bot.js"))
