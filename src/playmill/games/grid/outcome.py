"""The row saved of a finished game of Grid, and the tally over many games."""

from __future__ import annotations

from typing import Any

import numpy as np

from playmill.author import count_in, rare, rule
from playmill.games.grid.constants import NOBODY, PATTERNS, PLAYERS, POINTS, RESOLVED, REWARDS, TURNS

#: The highest score that a config can lead to.
MAX_VP = RESOLVED * POINTS
_LETTERS = tuple("ABCDEFGHIJKL")
_REWARDS = tuple(f"RWD{number}" for number in range(1, REWARDS + 1))

Outcome = np.dtype(
    [
        ("decisions", np.int32),
        ("turns", np.int16),
        ("ended_by", np.int8),
        ("winner", np.int8),  # the seat; -1 for a tie
        ("players", np.int8),
        ("vp", np.int32, (PLAYERS,)),
        ("patterns", np.int8, (PLAYERS, PATTERNS)),
        ("applied", np.int8, (PLAYERS, REWARDS)),
        ("refused", np.int8, (PLAYERS, REWARDS)),
        ("impossible", np.int8, (PLAYERS, REWARDS)),
    ],
    align=True,
    metadata={
        "seats": ("vp", "patterns", "applied", "refused", "impossible"),
        "values": {"ended_by": ("", "END1", "END2")},
        "places": {"patterns": _LETTERS, "applied": _REWARDS, "refused": _REWARDS, "impossible": _REWARDS},
    },
)

Tally = np.dtype(
    [
        ("games", np.int64),
        ("decisions", np.int64),
        ("decisions_squared", np.int64),
        ("ties", np.int64),
        # By value, from 0; the last place is for any other (see `count_in`).
        ("turns", np.int64, (TURNS + 2,)),
        ("resolved", np.int64, (RESOLVED + 2,)),  # patterns of all players in a game
        ("vp", np.int64, (PLAYERS, MAX_VP + 2)),  # by agent
        ("seat_vp", np.int64, (PLAYERS,)),
        ("seat_vp_squared", np.int64, (PLAYERS,)),
        ("ends", np.int64, (3,)),
        ("seat_wins", np.int64, (PLAYERS,)),
        ("agent_wins", np.int64, (PLAYERS,)),
        ("patterns", np.int64, (PLAYERS, PATTERNS)),  # by agent
        ("pattern_squares", np.int64, (PATTERNS,)),  # of how often a pattern is resolved in a game
        ("winner_patterns", np.int64, (PATTERNS,)),
        ("winner_pattern_squares", np.int64, (PATTERNS,)),
        ("winner_pattern_vp", np.int64, (PATTERNS,)),  # times the VP of the winner
        ("winner_vp_squared", np.int64),
        ("applied", np.int64, (PLAYERS, REWARDS)),  # by agent
        ("refused", np.int64, (PLAYERS, REWARDS)),
        ("impossible", np.int64, (PLAYERS, REWARDS)),
        ("winner_applied", np.int64, (REWARDS,)),
        ("winner_refused", np.int64, (REWARDS,)),
        ("winner_impossible", np.int64, (REWARDS,)),
    ],
    align=True,
)


@rule
def outcome(cfg: Any, s: Any, row: Any) -> None:
    """Writes the row of a finished game, blank before; patterns by their letters."""
    row.turns = s.turns
    row.ended_by = s.end
    row.winner = s.winner
    row.players = cfg.players
    for player in range(cfg.players):
        row.vp[player] = s.vp[player]
        if _sum(s.patterns[player]) > 0:
            _write_patterns(cfg, s, row, player)


@rare
def _write_patterns(cfg: Any, s: Any, row: Any, player: int) -> None:
    """What a player who has resolved patterns has done."""
    for pattern in range(cfg.patterns):
        row.patterns[player, cfg.pattern_letter[pattern]] = s.patterns[player, pattern]
    for reward in range(REWARDS):
        row.applied[player, reward] = s.applied[player, reward]
        row.refused[player, reward] = s.refused[player, reward]
        row.impossible[player, reward] = s.impossible[player, reward]


@rule
def _sum(numbers: Any) -> int:
    """Patterns of all kinds together."""
    total = 0
    for pattern in range(PATTERNS):
        total += numbers[pattern]
    return total


@rule
def tally(row: Any, agents: Any, counts: Any) -> None:
    """Adds one game to the counts."""
    counts.games += 1
    counts.decisions += row.decisions
    counts.decisions_squared += int(row.decisions) * row.decisions
    count_in(counts.turns, row.turns)
    counts.ends[row.ended_by] += 1
    resolved = 0
    for seat in range(row.players):
        agent = agents[seat]
        vp = row.vp[seat]
        count_in(counts.vp[agent], vp)
        counts.seat_vp[seat] += vp
        counts.seat_vp_squared[seat] += vp * vp
        made = _sum(row.patterns[seat])
        if made > 0:
            resolved += made
            _tally_patterns(row, seat, agent, counts)
    count_in(counts.resolved, resolved)
    if resolved > 0:
        _tally_squares(row, counts)
    if row.winner == NOBODY:
        counts.ties += 1
        return
    counts.seat_wins[row.winner] += 1
    counts.agent_wins[agents[row.winner]] += 1
    vp = int(row.vp[row.winner])
    counts.winner_vp_squared += vp * vp
    for i in range(PATTERNS):
        times = int(row.patterns[row.winner, i])
        counts.winner_patterns[i] += times
        counts.winner_pattern_squares[i] += times * times
        counts.winner_pattern_vp[i] += times * vp
    for i in range(REWARDS):
        counts.winner_applied[i] += row.applied[row.winner, i]
        counts.winner_refused[i] += row.refused[row.winner, i]
        counts.winner_impossible[i] += row.impossible[row.winner, i]


@rule
def _tally_squares(row: Any, counts: Any) -> None:
    """Adds the squares of how often each pattern was resolved in a game."""
    for i in range(PATTERNS):
        times = 0
        for seat in range(row.players):
            times += row.patterns[seat, i]
        counts.pattern_squares[i] += times * times


@rule
def _tally_patterns(row: Any, seat: int, agent: int, counts: Any) -> None:
    """Adds what a player did who has resolved patterns."""
    for i in range(PATTERNS):
        counts.patterns[agent, i] += row.patterns[seat, i]
    for i in range(REWARDS):
        counts.applied[agent, i] += row.applied[seat, i]
        counts.refused[agent, i] += row.refused[seat, i]
        counts.impossible[agent, i] += row.impossible[seat, i]
