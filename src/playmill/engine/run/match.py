"""Data types that all backends share: a match, chunks of finished games, counts; and the workspace of a match."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

import numpy as np

from playmill.engine.compile.game_kernels import PARAMETERS, workspace_type
from playmill.engine.config.model import RuleConfig
from playmill.engine.contract.game import Game
from playmill.engine.lang.record import RecordArray
from playmill.engine.lang.rng import SEATS
from playmill.engine.run.lookup_tables import NO_LOOKUP_TABLES, LookupTables
from playmill.texts import PlaymillError

Whole = np.ndarray[Any, np.dtype[np.int64]]
Numbers = np.ndarray[Any, np.dtype[np.float64]]


@dataclass(frozen=True)
class Match:
    """A game, its config, and for each seat a compiled agent (its number, or -1 for none)."""

    game: Game
    config: RuleConfig
    players: int
    seed: int
    seats: tuple[int, ...]
    agents: tuple[int, ...]
    params: tuple[tuple[float, ...], ...]
    lookup_tables: LookupTables = NO_LOOKUP_TABLES


@dataclass(frozen=True)
class GroupCounts:
    """Counts of games by group, without the zeros: the group, the place in its tally, and the number there."""

    groups: Whole
    places: Whole
    values: Whole


@dataclass(frozen=True)
class Grouping:
    """Assigns deals to groups: first in turn, then in long stretches, so that counts stay small.

    It depends on the deal alone, so that runs of any plans have the same deals in a group.
    """

    groups: int
    stretch: int = 1 << 12  # deals in a row

    def of(self, deals: Whole) -> Whole:
        """Returns the group of each deal."""
        stretches = deals // self.stretch
        found: Whole = np.where(stretches < self.groups, deals, stretches) % self.groups
        return found

    def sizes(self, first: int, deals: int) -> Whole:
        """Returns how many of the deals first … first+deals-1 are in each group."""
        return self._before(first + deals) - self._before(first)

    def _before(self, deal: int) -> Whole:
        """Returns how many of the deals 0 … deal-1 are in each group."""
        in_turn = min(deal, self.groups * self.stretch)
        stretches, rest = divmod(deal - in_turn, self.stretch)
        # Of n things that are handed out in turn, group g has as many as there are g, g+groups, … below n.
        last = self.groups - 1 - np.arange(self.groups)
        found: Whole = (in_turn + last) // self.groups + (stretches + last) // self.groups * self.stretch
        found[stretches % self.groups] += rest
        return found


@dataclass(frozen=True)
class Chunk:
    """Consecutive finished games: a row each, or none at all if nobody wants them, and their counts.

    With an `edge`, each stretch of games between two multiples of it has a tally of its own.
    """

    first: int
    games: int
    rows: RecordArray
    counts: RecordArray | GroupCounts
    #: What each game paid every seat, where whoever played them knows.
    paid: Numbers | None = None
    edge: int = 0


class Sizes(NamedTuple):
    """How many games to play at a time: at first, at most, and at least."""

    first: int
    most: int
    least: int = 1


class Backend(Protocol):
    """Something that plays games first … first+count-1 of a match; each worker thread has its own.

    A chunk may have fewer games than were asked for: then somebody asked to stop.
    """

    sizes: Sizes

    def play(self, first: int, count: int) -> Chunk:
        """Plays these games."""


def check_seed(seed: int, number: int = 0) -> None:
    """Raises unless a seed fits in 64 bits and the number of a game is not negative."""
    if not isinstance(seed, (int, np.integer)) or not -(2**63) <= seed < 2**63:
        shown = _shown(seed)
        raise PlaymillError(f"seed {shown} does not fit in 64 bits", f"сид {shown} не помещается в 64 бита")
    if not isinstance(number, (int, np.integer)) or not 0 <= number < 2**63:
        shown = _shown(number)
        raise PlaymillError(
            f"there is no game number {shown}; expected 0 … {2**63 - 1}",
            f"партии номер {shown} нет; нужно 0 … {2**63 - 1}",
        )


def _shown(number: object) -> str:
    """A number as text; in hexadecimal where Python refuses to print it in decimal."""
    return hex(number) if isinstance(number, int) and number.bit_length() > 1000 else str(number)


def new_workspace(match: Match, count: int = 1) -> RecordArray:
    """Allocates workspaces for a match (see `play.py`)."""
    workspaces: RecordArray = np.zeros(count, workspace_type(match.game))
    workspaces["cfg"] = match.config.pack(match.players)[0]
    workspaces["seats"] = -1
    workspaces["seats"][:, : match.players] = match.seats
    workspaces["agents"][:, : match.players] = match.agents
    workspaces["starts"][:, : len(match.lookup_tables.starts)] = match.lookup_tables.starts
    params = np.zeros((SEATS, PARAMETERS))
    for seat, values in enumerate(match.params):
        params[seat, : len(values)] = values
    workspaces["params"]["value"] = params
    return workspaces
