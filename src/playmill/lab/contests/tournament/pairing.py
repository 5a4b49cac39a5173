"""A pairing: some entrants at one table under one rule setting, its seed, identity and order of seats.

Every deal is played from every seat. Of three players and more that is not enough to be fair: if B always sat behind A,
B would always live on what A leaves. So from deal to deal the order round the table changes, too, until all orders have
been there.

The seed of a pairing comes from those who sit there, the rules and the seed: who else is in the contest changes nothing
of it. An entrant is its name, and where its content is known by a hash (in a contest's folder) that content as well: a
new version meets new deals, whatever its author has seen of the old ones. What comes of a deal depends on the pairing
and the number of the deal alone.
"""

from __future__ import annotations

import hashlib
import json
import shlex
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import permutations
from typing import Any

import numpy as np

from playmill.agents.agent_specs import Seat, seats_for
from playmill.engine.config.model import RuleConfig, differences
from playmill.engine.contract.game import Game
from playmill.lab.contests.tournament.entrants import Entrant
from playmill.lab.runs.plan import PlannedAgent, make_plan
from playmill.stats.ratings import Numbers, Ranks

#: Deals that are played and kept at a time, by the slowest of those who sit there.
_PIECE = {"compiled": 8192, "python": 64, "program": 16}
_SLOW = 8
#: Version of how the seed of a pairing is made.
_FORM = 1


@dataclass(frozen=True)
class RuleSetting:
    """Rules that an event is played under, and their name where there are several."""

    name: str
    config: RuleConfig
    #: How a command line says it.
    words: tuple[str, ...] = ()


@dataclass(frozen=True)
class Pairing:
    """Some entrants, sorted by name, at one table under one setting. Alone, each plays the deal on their own."""

    game: Game
    #: The game as a user writes it.
    named: str
    setting: RuleSetting
    entrants: tuple[Entrant, ...]
    #: Of any size: it is only ever hashed.
    contest_seed: int
    interpreted: bool = False
    #: Of this many deals the games are kept as they were played, where programs play: nobody else can play them again.
    shown: int = 0
    #: The seed of its deals, where it is given and not made: a bot's author plays the games of a seed they name.
    dealt_from: int | None = None

    @property
    def solo(self) -> bool:
        """Whether one plays alone, and two are compared by what they made of the same deals."""
        return self.game.players[1] == 1

    @property
    def size(self) -> int:
        """How many entrants there are."""
        return len(self.entrants)

    @property
    def players(self) -> int:
        """How many sit at the table in one game."""
        return 1 if self.solo else self.size

    @property
    def games(self) -> int:
        """Games that a deal takes: as many as there are entrants."""
        return self.size

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the entrants."""
        return tuple(entrant.name for entrant in self.entrants)

    @cached_property
    def seed(self) -> int:
        """The seed of its deals."""
        if self.dealt_from is not None:
            return self.dealt_from
        config = self.setting.config.model_dump(mode="json")
        who = [
            one.name if one.code is None else [one.name, one.code, *([one.seed_salt] if one.seed_salt else [])]
            for one in self.entrants
        ]
        identity = json.dumps([_FORM, self.contest_seed, self.game.name, config, who], sort_keys=True)
        return int.from_bytes(hashlib.sha256(identity.encode("utf-8", "backslashreplace")).digest()[:8], "big") >> 1

    @cached_property
    def _planned(self) -> tuple[dict[str, Any], tuple[str | None, ...]]:
        seats = self.seated()
        plan = make_plan(self.game, self.setting.config, self.players, seats, rotated=True, seed=self.seed).json()
        del plan["groups"], plan["chunk"]
        return {"sitting": _FORM, **plan}, tuple(seat.spec for seat in seats)

    @property
    def identity(self) -> dict[str, Any]:
        """All that it is; equal ones have equal deals, games and results."""
        return self._planned[0]

    @property
    def specs(self) -> tuple[str | None, ...]:
        """What finds each agent again, from any folder; nothing does if it was given as an object."""
        return self._planned[1]

    @cached_property
    def digest(self) -> str:
        """A hash of all that it is."""
        text = json.dumps(self.identity, ensure_ascii=True, sort_keys=True, separators=(",", ":"), allow_nan=False)
        return hashlib.sha256(text.encode()).hexdigest()

    @cached_property
    def kinds(self) -> tuple[str, ...]:
        """What kind of agent each entrant is."""
        return tuple(PlannedAgent(**{**one, "parameters": ()}).kind for one in self.identity["agents"])

    @cached_property
    def piece(self) -> int:
        """How many deals are played and kept at a time."""
        sizes = [_PIECE.get(kind, _SLOW) for kind in self.kinds]
        return max(1, min(sizes))

    def seated(self) -> tuple[Seat, ...]:
        """Everybody as somebody who can sit down, made anew: nobody remembers what was before."""
        seats = [
            seat
            for group in ([[entrant] for entrant in self.entrants] if self.solo else [self.entrants])
            for seat in seats_for(self.game, self.players, [entrant.agent for entrant in group], self.setting.config)
        ]
        return tuple(
            replace(seat, name=entrant.name, code=entrant.code or seat.code)
            for seat, entrant in zip(seats, self.entrants, strict=True)
        )

    def order(self, deal: int, rotation: int) -> tuple[int, ...]:
        """Returns who sits where in one game of a deal, by place among the entrants."""
        if self.solo:
            return (rotation,)
        circle = self._circles[deal % len(self._circles)]
        return (*circle[rotation:], *circle[:rotation])

    @cached_property
    def _circles(self) -> list[tuple[int, ...]]:
        """All orders round the table."""
        return [(0, *rest) for rest in permutations(range(1, self.size))]

    def orders(self, deals: range) -> Ranks:
        """Returns who sits where in every game of these deals."""
        turns = 1 if self.solo else len(self._circles)
        each = np.array([[self.order(deal, turn) for turn in range(self.games)] for deal in range(turns)])
        found: Ranks = each[np.arange(deals.start, deals.stop) % turns]
        return found

    def by_entrant(self, seated: Ranks, paid: Numbers) -> Numbers:
        """What was paid in each game by entrant, from what was paid by seat; alone all games of a deal are one."""
        if self.solo:
            return paid.reshape(len(paid), 1, self.size)
        found: Numbers = np.zeros(seated.shape)
        np.put_along_axis(found, seated, paid, axis=2)
        return found

    def record_command(self, deal: int, rotation: int) -> str:
        """Returns the command that writes one of its games to a file, to be watched."""
        return self._command("record", self.order(deal, rotation), "--number", str(deal))

    def simulate_command(self, deals: int) -> str:
        """Returns the command that has the game's own report about these entrants."""
        agents = (0,) if self.solo else tuple(range(self.size))
        rotate = () if self.solo else ("--rotate",)
        return self._command("simulate", agents, "--games", str(deals * len(agents)), *rotate)

    def _command(self, name: str, who: Sequence[int], *more: str) -> str:
        words = ["playmill", name, self.named, "--players", str(self.players), "--seed", str(self.seed)]
        words += ["--agents", *(self.entrants[place].found for place in who), *more]
        changes = differences(self.setting.config)
        words_typed = [
            f"{path}={value if isinstance(value, str) else json.dumps(value)}" for path, value in changes.items()
        ]
        return shlex.join([*words, *(["--set", *words_typed] if words_typed else [])])
