"""Default `outcome`: winner, returns of each player, and length of a game."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType, SimpleNamespace
from typing import Any

import numpy as np

from playmill.defaults.players import counted_by_rules
from playmill.engine.config.model import RuleConfig
from playmill.engine.lang.histogram import count_in
from playmill.engine.lang.rule import rule

#: Counts are whole numbers: returns are counted in such parts of 1, exactly so for halves, quarters and the like.
PARTS = 1 << 20
#: What a return may be at most, up or down: its square has to fit.
MOST_RETURNED = 2_000
#: Sums of squares are kept in two words, the lower of this many bits.
LOW_BITS = 32
_LOW = (1 << LOW_BITS) - 1
#: Games of up to this many decisions are counted one length at a time.
_LENGTHS = 2_000
_NOBODY = -1


@rule
def in_parts(value: float) -> int:
    """A return as a fixed-point number, halves rounded away from 0."""
    return int(value * PARTS + 0.5) if value >= 0 else -int(0.5 - value * PARTS)


@rule
def add_square(high: Any, low: Any, place: int, value: int) -> None:
    """Adds a square to a sum in two words."""
    squared = value * value
    high[place] += squared >> LOW_BITS
    low[place] += squared & _LOW


@rule
def tally(row: Any, agents: Any, counts: Any) -> None:
    """Adds one game to the counts, by seats and by agents."""
    counts.games += 1
    counts.decisions += row.decisions
    counts.decision_squares += row.decisions * row.decisions
    count_in(counts.lengths, row.decisions)
    if row.winner == _NOBODY:
        counts.draws += 1
    else:
        counts.seat_wins[row.winner] += 1
        counts.agent_wins[agents[row.winner]] += 1
    for seat in range(row.players):
        if -MOST_RETURNED <= row.returned[seat] <= MOST_RETURNED:
            parts = in_parts(row.returned[seat])
            counts.seat_sums[seat] += parts
            add_square(counts.seat_high, counts.seat_low, seat, parts)
            counts.agent_sums[agents[seat]] += parts
            add_square(counts.agent_high, counts.agent_low, agents[seat], parts)
        else:
            counts.beyond += 1


def default_module(name: str, rules: ModuleType, config: type[RuleConfig]) -> Any:
    """The module `outcome` of a game that has none."""
    seats = (rules.MAX_PLAYERS,)
    return SimpleNamespace(
        Outcome=np.dtype(
            [("decisions", np.int32), ("players", np.int32), ("winner", np.int32), ("returned", np.float64, seats)],
            align=True,
            metadata={"seats": ("returned",)},
        ),
        Tally=np.dtype(
            [
                *((key, np.int64) for key in ("games", "decisions", "decision_squares", "draws", "beyond")),
                ("lengths", np.int64, (_LENGTHS + 2,)),  # from 0; the last place is for any other
                *((f"{whose}_{key}", np.int64, seats) for whose in ("seat", "agent") for key in _SUMS),
            ],
            align=True,
        ),
        outcome=_outcome(rules.returns, counted_by_rules(name, rules, config)),
        tally=tally,
    )


_SUMS = ("wins", "sums", "high", "low")


def _outcome(returns: Callable[..., None], players_of: Callable[[Any, Any], int]) -> Callable[..., None]:
    """The winner: the only one with the largest return, or a single player with a return of at least 1."""

    @rule
    def outcome(cfg: Any, s: Any, row: Any) -> None:
        """Writes the row of a finished game."""
        returns(cfg, s, row.returned)
        row.players = players_of(cfg, s)
        best = 0
        ties = 0
        for seat in range(1, row.players):
            if row.returned[seat] > row.returned[best]:
                best = seat
                ties = 0
            elif row.returned[seat] == row.returned[best]:
                ties += 1
        lost = row.players == 1 and row.returned[0] < 1
        row.winner = _NOBODY if ties > 0 or lost else best

    return outcome
