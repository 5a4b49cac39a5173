"""Set-up of a new table: game, players, seats, agents and settings, parsed from a form."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from starlette.requests import Request
from starlette.responses import Response

from playmill.engine.contract.game import Game
from playmill.web.agents.offered import OfferedAgent, spec_of
from playmill.web.page.requests import small_number
from playmill.web.page.settings_form import PREFIX
from playmill.web.table.protocol import clean_name
from playmill.web.table.store import GRACE

#: A seat for whoever makes the table, one for somebody else at the same screen, and one for anybody who comes.
ME, HERE, ANYBODY = "me", "here", "anybody"
#: How long somebody may be away, in seconds, that a page offers; 0 is for ever.
GRACES = (30, 60, 300, 0)
#: A parameter of an agent: its seat, the agent, what it is called.
_PARAMETER = re.compile(r"p:(\d{1,2}):([\w-]{1,60}):(\w{1,60})")


@dataclass(frozen=True)
class TableSetup:
    """What somebody wants to play: a game, by how many, who sits where, and with which settings changed."""

    game: str
    players: int | None = None
    seats: Sequence[str] = ()
    changes: Sequence[str] = ()
    #: What was typed into the form of settings, by path, and a whole config that was pasted there.
    typed: Mapping[str, Sequence[str]] = field(default_factory=dict)
    file: str = ""
    name: str = ""
    grace: int = GRACE
    hints: bool = True


#: Shows the page on which a table is set up, with a set-up filled in.
SetupPage = Callable[[Request, Game, TableSetup], Response]


def setup_of(form: Mapping[str, list[str]], agents: Mapping[str, OfferedAgent]) -> TableSetup:
    """The set-up that a form asks for; fields it does not have are as usual."""
    given: dict[tuple[int, str], dict[str, str]] = {}
    for name, texts in form.items():
        if (found := _PARAMETER.fullmatch(name)) is not None:
            given.setdefault((int(found[1]), found[2]), {})[found[3]] = texts[0]
    seats = [
        spec_of(agents[key], given.get((seat, key), {})) if key in agents else key
        for seat, key in enumerate(form.get("seat", []))
    ]
    typed = {name.removeprefix(PREFIX): texts for name, texts in form.items() if name.startswith(PREFIX)}
    for path in form.get("usual", []):
        typed.pop(path, None)
    grace = small_number(form.get("grace", [""])[0])
    return TableSetup(
        game=form.get("game", [""])[0],
        players=small_number(form.get("players", [""])[0]),
        seats=seats,
        changes=[line.strip() for line in form.get("changes", [""])[0].splitlines() if line.strip()],
        typed=typed,
        file=form.get("file", [""])[0],
        name=clean_name(form.get("name", [""])[0]),
        grace=grace if grace in GRACES else GRACE,
        hints=form.get("hints", ["on"])[-1] == "on",
    )


def agent_parameters(seats: Sequence[str]) -> dict[tuple[int, str], dict[str, str]]:
    """The parameters of agents that were given, as they were typed, by seat and agent."""
    found = {}
    for seat, spec in enumerate(seats):
        name, colon, rest = spec.partition(":")
        if colon:
            found[seat, name] = {key: value for key, _, value in (part.partition("=") for part in rest.split(","))}
    return found
