"""The plan of a run: everything that decides its results (game, rules, config, agents, seed), and its digest."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property
from importlib import import_module
from itertools import pairwise
from pathlib import Path
from typing import Any

from playmill.agents.agent_specs import Seat, parameters_of
from playmill.engine.compile.fingerprint import rules_fingerprint
from playmill.engine.config.model import RuleConfig
from playmill.engine.contract.game import Game
from playmill.engine.run.match import Grouping, check_seed
from playmill.lab.io.untrusted import expect, expect_text
from playmill.lab.runs.rotation import period
from playmill.texts import PlaymillError, Text

#: The form in which plans are written; another one cannot be read.
FORM = 1
#: Games in a chunk, by the slowest kind of agent in it: some seconds of play, so that little is lost when a run dies.
_COMPILED, _WRITTEN, _THINKING = 1 << 14, 1 << 8, 1 << 4
#: Groups of blocks whose counts are kept apart where intervals are taken over blocks.
GROUPS = 64
#: Modules of agents that are not part of any game.
_OF_NETWORKS = ("playmill.agents.networks", "playmill.engine.kernels.network")
_OF_SEARCH = ("playmill.agents.search.search_agent", "playmill.agents.search.mcts", "playmill.agents.search.tree")
_FIXED, _ROTATED = "fixed", "rotated"


@dataclass(frozen=True)
class PlannedAgent:
    """An agent of a plan: name in reports, parameters, and a hash of code that is not part of the game."""

    name: str
    kind: str
    parameters: tuple[tuple[str, float], ...] = ()
    code: str | None = None

    def json(self) -> dict[str, Any]:
        """Returns the JSON form, as it is written."""
        return {"name": self.name, "kind": self.kind, "parameters": dict(self.parameters), "code": self.code}


@dataclass(frozen=True)
class Plan:
    """What a run is. How many games of it are played, where and how fast, is not part of it.

    Game i of a run depends on the plan and i alone. In a rotated run it is deal i // rotations, with the agents moved
    on by i % rotations seats; the rotations of one deal are one *block*.
    """

    game: str
    version: int
    rules: str
    config: Mapping[str, Any]
    players: int
    agents: tuple[PlannedAgent, ...]
    rotated: bool
    seed: int
    #: Whether counts are kept by groups of deals though nobody changes seats: to set them beside those of another run.
    grouped: bool = False

    def json(self) -> dict[str, Any]:
        """Returns the JSON form, as it is written, printed and hashed."""
        return {
            "form": FORM,
            "game": self.game,
            "version": self.version,
            "rules": self.rules,
            "config": self.config,
            "players": self.players,
            "agents": [agent.json() for agent in self.agents],
            "seats": _ROTATED if self.rotated else _FIXED,
            "seed": self.seed,
            "groups": self.groups,
            "chunk": self.chunk,
        }

    @classmethod
    def from_json(cls, data: Any, source: str) -> Plan:
        """Returns the plan in a file; raises unless it is one, whole."""
        if isinstance(data, dict) and data.get("form") != FORM:
            form = repr(data.get("form"))[:20]
            raise PlaymillError(
                f"{source} has form {form}; this Playmill reads form {FORM}",
                f"{source}: форма {form}, а эта версия Playmill читает форму {FORM}",
            )
        try:
            plan = cls(
                game=expect_text(data["game"]),
                version=expect(int, data["version"]),
                rules=expect_text(data["rules"]),
                config=expect(dict, data["config"]),
                players=expect(int, data["players"]),
                agents=tuple(_agent(agent) for agent in expect(list, data["agents"])),
                rotated={_FIXED: False, _ROTATED: True}[data["seats"]],
                seed=expect(int, data["seed"]),
            )
            plan = replace(plan, grouped=data["groups"] > 1 and plan.groups == 1)
            check_seed(plan.seed)
            numbers = (plan.players, plan.groups, plan.chunk)
            if numbers != (len(plan.agents), data["groups"], data["chunk"]):
                raise ValueError
        except (AttributeError, KeyError, TypeError, ValueError):
            raise PlaymillError(f"{source} is not the plan of a run", f"{source} — не план прогона") from None
        return plan

    @cached_property
    def digest(self) -> str:
        """A hash of all that it is."""
        text = json.dumps(self.json(), ensure_ascii=True, sort_keys=True, separators=(",", ":"), allow_nan=False)
        return hashlib.sha256(text.encode()).hexdigest()

    @property
    def name(self) -> str:
        """What a run of it is called unless somebody names it."""
        return f"{re.sub(r'[^A-Za-z0-9_]+', '_', self.game)}-{self.digest[:10]}"

    @cached_property
    def rotations(self) -> int:
        """Games in a block: after n steps around the table every seat has the agent it began with."""
        if not self.rotated:
            return 1
        return period(self.agents)

    @property
    def names(self) -> tuple[str, ...]:
        """The agents' names by seat, as they sit in the first game."""
        return tuple(agent.name for agent in self.agents)

    @cached_property
    def chunk(self) -> int:
        """How many games a chunk has: whole blocks, the same on every machine."""
        kinds = {agent.kind for agent in self.agents}
        games = _THINKING if "search" in kinds else _WRITTEN if kinds & {"python", "program"} else _COMPILED
        return max(1, games // self.rotations) * self.rotations

    @property
    def groups(self) -> int:
        """In how many groups of blocks the counts are kept."""
        return GROUPS if self.grouped or self.rotations > 1 else 1

    @property
    def grouping(self) -> Grouping:
        """Which group each deal is counted in."""
        return Grouping(self.groups)

    def chunks(self, games: range) -> list[range]:
        """Returns the chunks that hold these games; the last one may be cut short by the end of the range."""
        edges = [*range(games.start - games.start % self.chunk, games.stop, self.chunk), games.stop]
        edges[0] = games.start
        return [range(first, end) for first, end in pairwise(edges)]


def make_plan(
    game: Game,
    config: RuleConfig,
    players: int,
    seats: Sequence[Seat],
    *,
    rotated: bool = False,
    seed: int = 0,
    grouped: bool = False,
) -> Plan:
    """Makes the plan of a run from a game, a config and seats."""
    plan = Plan(
        game=game.name,
        version=game.version,
        rules=_rules(game),
        config=config.model_dump(mode="json"),
        players=players,
        agents=tuple(_planned(game, seat) for seat in seats),
        rotated=rotated,
        seed=int(seed),
    )
    return replace(plan, grouped=grouped and plan.groups == 1)


def changes(kept: Plan, now: Plan) -> list[Text]:
    """Lists what differs between two plans, each in a few words; empty if they are the same."""
    found: list[Text] = []
    if kept.game != now.game:
        found.append(Text(f"the game was {kept.game}, it is {now.game}", f"игра была {kept.game}, стала {now.game}"))
    if kept.version != now.version:
        found.append(
            Text(
                f"the rules were of version {kept.version}, they are of version {now.version}",
                f"правила были версии {kept.version}, стали версии {now.version}",
            )
        )
    elif kept.rules != now.rules:
        found.append(
            Text(f"the rules or agents of {now.game} have changed", f"правила или агенты {now.game} изменились")
        )
    for path in _unequal(kept.config, now.config):
        found.append(Text(f"the config differs at {path}", f"настройки отличаются: {path}"))
    if kept.players != now.players:
        found.append(
            Text(f"players were {kept.players}, are {now.players}", f"игроков было {kept.players}, стало {now.players}")
        )
    elif kept.names != now.names:
        before, after = ", ".join(kept.names), ", ".join(now.names)
        found.append(Text(f"the agents were {before}, are {after}", f"агенты были {before}, стали {after}"))
    else:
        found += [
            Text(f"the agent {old.name} has changed", f"агент {old.name} изменился")
            for old, new in dict(zip(kept.agents, now.agents, strict=True)).items()
            if old != new
        ]
    if kept.rotated != now.rotated:
        found.append(
            Text("seats are rotated in one and fixed in the other", "в одном места меняются по кругу, в другом нет")
        )
    if kept.seed != now.seed:
        found.append(Text(f"the seed was {kept.seed}, is {now.seed}", f"сид был {kept.seed}, стал {now.seed}"))
    return found


def _unequal(one: Any, other: Any, path: str = "") -> list[str]:
    """Yields the paths at which two configs differ."""
    if isinstance(one, Mapping) and isinstance(other, Mapping):
        keys = dict.fromkeys((*one, *other))
        return [
            found for key in keys for found in _unequal(one.get(key), other.get(key), f"{path}.{key}" if path else key)
        ]
    return [] if one == other else [path]


@cache
def _rules(game: Game) -> str:
    return rules_fingerprint(game)


def _planned(game: Game, seat: Seat) -> PlannedAgent:
    parameters = tuple((key, float(value)) for key, value in parameters_of(game, seat).items())
    modules = (*(_OF_SEARCH if seat.thinks else ()), *(_OF_NETWORKS if seat.network is not None else ()))
    if modules:
        code = _code_of(*modules) + (f"+{seat.code}" if seat.network is not None else "")
        return PlannedAgent(seat.name, "search" if seat.thinks else "compiled", parameters, code)
    if seat.compiled:
        return PlannedAgent(seat.name, "compiled", parameters)
    return PlannedAgent(seat.name, "python" if seat.program is None else "program", parameters, seat.code)


@cache
def _code_of(*modules: str) -> str:
    """Returns a hash of the code of agents that are not part of any game."""
    digest = hashlib.sha256()
    for name in modules:
        file = import_module(name).__file__
        assert file
        digest.update(Path(file).read_bytes().replace(b"\r\n", b"\n"))
    return digest.hexdigest()


def _agent(data: Any) -> PlannedAgent:
    code = data["code"]
    return PlannedAgent(
        expect_text(data["name"]),
        expect_text(data["kind"]),
        tuple((str(key), float(value)) for key, value in data["parameters"].items()),
        None if code is None else expect_text(code),
    )
