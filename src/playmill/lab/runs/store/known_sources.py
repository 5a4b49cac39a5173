"""Remembers where the user found games and agents, by fingerprint, so that no path from a run's files is followed.

A run may have come from anybody. What it was played with is looked for among the installed games, the agents of its
game, and the folders and files that the user of this machine has named in commands before.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from playmill.agents.agent_specs import names_a_file
from playmill.engine.contract.game import Game, game_names, load_game
from playmill.engine.lang.game_folder import holds_game
from playmill.home import home
from playmill.lab.io.untrusted import read_regular
from playmill.lab.runs.plan import Plan, PlannedAgent
from playmill.lab.runs.store.manifest import make_folder, write_aside
from playmill.texts import PlaymillError

#: The longest path that is remembered.
_LONGEST = 2**16


def remember(plan: Plan, reference: str, specs: Sequence[str]) -> None:
    """Records where the user found the game and the agents of a run."""
    if reference != plan.game:
        _write(_of_game(plan), reference)
    for agent, spec in zip(plan.agents, specs, strict=True):
        if names_a_file(spec):
            _write(_of_agent(agent), spec)


def find_game(plan: Plan, source: str, named: str | None = None) -> tuple[Game, str]:
    """Finds the game of a plan: named by the user now or before, or installed; raises if there is none."""
    if named is not None:
        game = load_game(named)
        if game.name != plan.game:
            raise PlaymillError(
                f"run {source} is one of {plan.game}, and --game {named!r} is {game.name}",
                f"прогон {source} — игры {plan.game}, а --game {named!r} — это {game.name}",
            )
        return game, named
    reference = _read(_of_game(plan))
    if reference is not None and holds_game(Path(reference)):
        return load_game(reference), reference
    if plan.game in game_names():
        return load_game(plan.game), plan.game
    raise PlaymillError(
        f"run {source} was played with the game {plan.game!r}, which is not known here; name its folder: --game PATH",
        f"прогон {source} сыгран в игру {plan.game!r}, здесь она неизвестна; назовите её папку: --game PATH",
    )


def find_agents(plan: Plan, specs: Sequence[str], source: str, named: Sequence[str] = ()) -> Sequence[str]:
    """Finds the agents of a plan: named by the user now or before, or agents of the game; raises for others."""
    if named:
        return named
    found: list[str] = []
    for agent, spec in zip(plan.agents, specs, strict=True):
        known = _read(_of_agent(agent)) if names_a_file(spec) else spec
        if known is None:
            raise PlaymillError(
                f"run {source}: the agent {agent.name} is a file that is not known here; name all agents: --agents …",
                f"прогон {source}: агент {agent.name} — файл, который здесь неизвестен; назовите агентов: --agents …",
            )
        found.append(known)
    return found


def _of_game(plan: Plan) -> Path:
    return _place(["game", plan.game, plan.rules])


def _of_agent(agent: PlannedAgent) -> Path:
    return _place(["agent", agent.json()])


def _place(key: object) -> Path:
    text = json.dumps(key, sort_keys=True, allow_nan=False)
    return home() / "sources" / hashlib.sha256(text.encode()).hexdigest()


def _write(place: Path, reference: str) -> None:
    make_folder(place.parent)
    write_aside(place, reference.encode("utf-8", "surrogateescape"))


def _read(place: Path) -> str | None:
    with suppress(OSError):
        return read_regular(place, _LONGEST).decode("utf-8", "surrogateescape")
    return None
