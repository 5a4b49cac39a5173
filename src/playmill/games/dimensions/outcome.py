"""What is kept of a finished game of Battle of Dimensions, and how many games are added up."""

from __future__ import annotations

from typing import Any

import numpy as np

from playmill.engine.counting import count_in
from playmill.engine.rule import rule
from playmill.games.dimensions.actions import ANOMALIES, FACTIONS, PLAYERS
from playmill.games.dimensions.config import ANOMALY_NAMES
from playmill.games.dimensions.ending import faction_count
from playmill.games.dimensions.tables import BY_COUNT

#: No game is longer: each turn takes a card of the deck at least, and 85 cards come back to it once.
MAX_TURNS = 254
ENDS = BY_COUNT + 1

_FACTIONS = ("red", "green", "yellow", "blue", "purple")
_ENDS = (*_FACTIONS, "count")
_TIES = ("", "spiral", "lot")

Outcome = np.dtype(
    [
        ("decisions", np.int32),
        ("turns", np.int16),
        ("winner", np.int8),  # the seat
        ("winner_faction", np.int8),
        ("ended_by", np.int8),
        ("tie", np.int8),
        ("first", np.int8),
        ("players", np.int8),
        ("faction", np.int8, (PLAYERS,)),
        ("cards", np.int8, (PLAYERS,)),  # cards on the table that count for each player's faction
        ("anomaly_plays", np.int8, (ANOMALIES,)),
        ("anomaly_players", np.int8, (ANOMALIES,)),
    ],
    align=True,
    metadata={
        "seats": ("faction", "cards"),
        "values": {"faction": _FACTIONS, "winner_faction": _FACTIONS, "ended_by": _ENDS, "tie": _TIES},
        "places": {"anomaly_plays": ANOMALY_NAMES, "anomaly_players": ANOMALY_NAMES},
    },
)

Tally = np.dtype(
    [
        ("games", np.int64),
        ("decisions", np.int64),
        ("decisions_squared", np.int64),
        ("turns", np.int64, (MAX_TURNS + 2,)),  # from 0; the last place is for any other (see `count_in`)
        ("ends", np.int64, (ENDS,)),
        ("ties", np.int64, (3,)),
        ("first_wins", np.int64),
        ("seat_wins", np.int64, (PLAYERS,)),
        ("participates", np.int64, (PLAYERS, FACTIONS)),  # by agent and faction
        ("wins", np.int64, (PLAYERS, FACTIONS)),
        ("cards", np.int64, (FACTIONS,)),
        ("cards_squared", np.int64, (FACTIONS,)),
        ("anomaly_plays", np.int64, (ANOMALIES,)),
        ("anomaly_games", np.int64, (ANOMALIES,)),
        ("anomaly_wins", np.int64, (ANOMALIES,)),
    ],
    align=True,
)


@rule
def outcome(cfg: Any, s: Any, row: Any) -> None:
    """Writes the row of a finished game."""
    row.turns = s.turns
    row.winner_faction = s.winner
    row.winner = s.owner[s.winner]
    row.ended_by = s.end
    row.tie = s.tie
    row.first = s.first
    row.players = cfg.players
    for player in range(PLAYERS):
        seated = player < cfg.players
        row.faction[player] = s.faction[player] if seated else -1
        row.cards[player] = faction_count(cfg, s, s.faction[player]) if seated else 0
    for anomaly in range(ANOMALIES):
        row.anomaly_plays[anomaly] = s.anomaly_plays[anomaly]
        row.anomaly_players[anomaly] = s.anomaly_players[anomaly]


@rule
def tally(row: Any, agents: Any, counts: Any) -> None:
    """Adds one game to the counts."""
    counts.games += 1
    counts.decisions += row.decisions
    counts.decisions_squared += int(row.decisions) * row.decisions
    count_in(counts.turns, row.turns)
    counts.ends[row.ended_by] += 1
    counts.ties[row.tie] += 1
    counts.first_wins += row.first == row.winner
    counts.seat_wins[row.winner] += 1
    counts.wins[agents[row.winner], row.winner_faction] += 1
    for seat in range(row.players):
        faction = row.faction[seat]
        cards = row.cards[seat]
        counts.participates[agents[seat], faction] += 1
        counts.cards[faction] += cards
        counts.cards_squared[faction] += cards * cards
    for anomaly in range(ANOMALIES):
        if row.anomaly_plays[anomaly] > 0:
            counts.anomaly_plays[anomaly] += row.anomaly_plays[anomaly]
            counts.anomaly_games[anomaly] += 1
            counts.anomaly_wins[anomaly] += row.anomaly_players[anomaly] >> row.winner & 1
