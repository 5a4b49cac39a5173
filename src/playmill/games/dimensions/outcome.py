"""The row saved of a finished game of Battle of Dimensions, and the tally over many games."""

from __future__ import annotations

from typing import Any

import numpy as np

from playmill.author import count_in, rule
from playmill.games.dimensions.actions import ANOMALIES, FACTIONS, PLAYERS
from playmill.games.dimensions.config import ANOMALY_NAMES, FACTION_KEYS
from playmill.games.dimensions.constants import BY_COUNT, NOBODY, TURN_OVER
from playmill.games.dimensions.rules.ending import faction_count

#: No game is longer: each turn takes a card of the deck at least, and 85 cards come back to it once.
MAX_TURNS = 254
ENDS = BY_COUNT + 1

#: What happens to Auras: laid by a won attack, lost to an attack, taken by a Black Hole.
MADE, LOST, SWALLOWED = range(3)
#: Sets of factions, as bits.
SETS = 1 << FACTIONS

_ENDS = (*FACTION_KEYS, "count")
_PHASES = ("battle", "reinforce", "move", "attack", "recover", "count")
_TIES = ("", "spiral", "lot")

Outcome = np.dtype(
    [
        ("decisions", np.int32),
        ("turns", np.int16),
        ("winner", np.int8),  # the seat
        ("winner_faction", np.int8),
        ("ended_by", np.int8),
        ("end_phase", np.int8),  # after which phase it was won at once
        ("tie", np.int8),
        ("first", np.int8),
        ("players", np.int8),
        ("faction", np.int8, (PLAYERS,)),
        ("cards", np.int8, (PLAYERS,)),  # cards on the table that count for each player's faction
        ("plain_cards", np.int8, (PLAYERS,)),  # the same without the Captain and the Auras
        ("tied", np.int8, (PLAYERS,)),  # whether the faction was one of those that tied at the count
        ("anomaly_plays", np.int8, (ANOMALIES,)),
        ("anomaly_players", np.int8, (ANOMALIES,)),
        ("auras", np.int16, (3,)),
        ("captain_placed", np.int16),  # the turn; 0: never
        ("captain_placed_in", np.int8),  # in the Dimension of this faction
        ("captain_moved", np.int16),  # the turn of his first move; 0: never
        ("captain_moves", np.int16, (FACTIONS,)),  # moves into the Dimension of each faction
    ],
    align=True,
    metadata={
        "seats": ("faction", "cards", "plain_cards", "tied"),
        "values": {
            "faction": FACTION_KEYS,
            "winner_faction": FACTION_KEYS,
            "ended_by": _ENDS,
            "end_phase": _PHASES,
            "tie": _TIES,
            "captain_placed_in": FACTION_KEYS,
        },
        "places": {
            "anomaly_plays": ANOMALY_NAMES,
            "anomaly_players": ANOMALY_NAMES,
            "auras": ("made", "lost_to_attacks", "lost_to_black_hole"),
            "captain_moves": FACTION_KEYS,
        },
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
        ("tied", np.int64, (SETS,)),  # games by the factions that tied
        ("tied_wins", np.int64, (SETS, FACTIONS)),
        ("instant_wins", np.int64, (FACTIONS, TURN_OVER)),  # by faction and phase
        ("plain_cards", np.int64, (FACTIONS,)),
        ("plain_cards_squared", np.int64, (FACTIONS,)),
        ("count_wins", np.int64, (FACTIONS,)),  # wins at the count
        ("owed_wins", np.int64, (FACTIONS,)),  # those that Captain and Auras made
        ("auras", np.int64, (3,)),
        ("auras_squared", np.int64, (3,)),
        ("aura_games", np.int64, (3,)),
        ("captain_placed", np.int64, (MAX_TURNS + 2,)),  # games by the turn in which he was placed
        ("captain_moved", np.int64, (MAX_TURNS + 2,)),  # and by that of his first move
        ("captain_with", np.int64, (FACTIONS,)),  # games in which he was placed and the faction plays
        ("captain_placed_in", np.int64, (FACTIONS,)),
        ("captain_moves", np.int64, (FACTIONS,)),
        ("captain_moves_squared", np.int64, (FACTIONS,)),
        ("all_captain_moves_squared", np.int64),
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
    row.end_phase = s.phase
    row.tie = s.tie
    row.first = s.first
    row.players = cfg.players
    for player in range(PLAYERS):
        seated = player < cfg.players
        row.faction[player] = s.faction[player] if seated else -1
        row.cards[player] = faction_count(cfg, s, s.faction[player]) if seated else 0
        row.plain_cards[player] = _ordinary_cards(s, s.faction[player]) if seated else 0
        row.tied[player] = s.tied >> s.faction[player] & 1 if seated else 0
    for anomaly in range(ANOMALIES):
        row.anomaly_plays[anomaly] = s.anomaly_plays[anomaly]
        row.anomaly_players[anomaly] = s.anomaly_players[anomaly]
    row.auras[MADE] = s.auras_made
    row.auras[LOST] = s.auras_made - s.auras - s.auras_swallowed
    row.auras[SWALLOWED] = s.auras_swallowed
    row.captain_placed = s.captain_placed
    row.captain_placed_in = s.faction[s.captain_placed_in] if s.captain_placed > 0 else NOBODY
    row.captain_moved = s.captain_moved
    for faction in range(FACTIONS):
        row.captain_moves[faction] = 0
    for player in range(cfg.players):
        row.captain_moves[s.faction[player]] = s.captain_moves[player]


@rule
def _ordinary_cards(s: Any, faction: int) -> int:
    """Cards of a faction on the table, without the Captain and the Auras."""
    cards = 0
    for dimension in range(PLAYERS):
        cards += s.squad[dimension, faction]
    return cards


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
        plain = row.plain_cards[seat]
        counts.plain_cards[faction] += plain
        counts.plain_cards_squared[faction] += plain * plain
    for anomaly in range(ANOMALIES):
        if row.anomaly_plays[anomaly] > 0:
            counts.anomaly_plays[anomaly] += row.anomaly_plays[anomaly]
            counts.anomaly_games[anomaly] += 1
            counts.anomaly_wins[anomaly] += row.anomaly_players[anomaly] >> row.winner & 1
    if row.ended_by == BY_COUNT:
        _tally_count(row, counts)
    else:
        counts.instant_wins[row.winner_faction, row.end_phase] += 1
    for fate in range(3):
        auras = int(row.auras[fate])
        counts.auras[fate] += auras
        counts.auras_squared[fate] += auras * auras
        counts.aura_games[fate] += auras > 0
    if row.captain_placed > 0:
        _tally_captain(row, counts)


@rule
def _tally_count(row: Any, counts: Any) -> None:
    """A game that was counted: who tied, and whether the winner would have had most without Captain and Auras."""
    tied = 0
    owed = 0
    for seat in range(row.players):
        tied |= row.tied[seat] << row.faction[seat]
        if seat != row.winner and row.plain_cards[seat] >= row.plain_cards[row.winner]:
            owed = 1
    counts.count_wins[row.winner_faction] += 1
    if row.cards[row.winner] > row.plain_cards[row.winner]:
        counts.owed_wins[row.winner_faction] += owed
    if tied != 0:
        counts.tied[tied] += 1
        counts.tied_wins[tied, row.winner_faction] += 1


@rule
def _tally_captain(row: Any, counts: Any) -> None:
    """A game in which the Captain was placed: when, where, and where he was moved."""
    count_in(counts.captain_placed, row.captain_placed)
    counts.captain_placed_in[row.captain_placed_in] += 1
    if row.captain_moved > 0:
        count_in(counts.captain_moved, row.captain_moved)
    every = 0
    for seat in range(row.players):
        faction = row.faction[seat]
        moves = int(row.captain_moves[faction])
        every += moves
        counts.captain_with[faction] += 1
        counts.captain_moves[faction] += moves
        counts.captain_moves_squared[faction] += moves * moves
    counts.all_captain_moves_squared += every * every
