"""The row saved of a finished game of Influence, and the tally over many games."""

from __future__ import annotations

from typing import Any

import numpy as np

from playmill.author import count_in, rule
from playmill.games.influence.constants import CLASSES, MAX_ROUNDS, PLAYERS
from playmill.games.influence.rules import CHECKPOINTS

#: The longest game that the config allows.
LOOKS = len(CHECKPOINTS)
#: The last look at the field: when the game is over.
END = LOOKS
ELIMINATION, LIMIT = range(2)
ENDINGS = ("elimination", "limit")
CLASS_NAMES = ("le_minus2", "minus1", "zero", "plus1", "ge_plus2", "empty")
_ROUNDS = tuple(str(checkpoint) for checkpoint in CHECKPOINTS)

Outcome = np.dtype(
    [
        ("decisions", np.int32),
        ("rounds", np.int32),
        ("winner", np.int8),  # the seat; -1 in a draw
        ("ended_by", np.int8),
        ("first_blood", np.int8),  # the seat; -1 if nobody lost a cell
        ("players", np.int8),
        ("autos", np.int32),
        ("made", np.int32, (CLASSES,)),
        ("won", np.int32, (CLASSES,)),
        ("cells", np.int16, (PLAYERS,)),
        ("influence", np.int16, (PLAYERS,)),
        ("result", np.int32, (PLAYERS,)),
        # As some rounds begin; 0 if the game did not come so far.
        ("cells_at", np.int16, (PLAYERS, LOOKS)),
        ("influence_at", np.int16, (PLAYERS, LOOKS)),
    ],
    align=True,
    metadata={
        "seats": ("cells", "influence", "result", "cells_at", "influence_at"),
        "values": {"ended_by": ENDINGS},
        "places": {"made": CLASS_NAMES, "won": CLASS_NAMES, "cells_at": _ROUNDS, "influence_at": _ROUNDS},
    },
)

Tally = np.dtype(
    [
        ("games", np.int64),
        ("decisions", np.int64),
        ("decisions_squared", np.int64),
        ("draws", np.int64),
        ("ended_by", np.int64, (len(ENDINGS),)),
        ("autos", np.int64),
        ("autos_squared", np.int64),
        ("rounds", np.int64, (MAX_ROUNDS + 2,)),  # from 0; the last place is for any other (see `count_in`)
        ("wins", np.int64, (PLAYERS,)),  # by seat
        ("agent_wins", np.int64, (PLAYERS,)),
        ("first_blood", np.int64, (PLAYERS,)),
        ("first_blood_wins", np.int64, (PLAYERS,)),
        ("made", np.int64, (CLASSES,)),
        ("won", np.int64, (CLASSES,)),
        # By look: the games that came so far, and by seat what was there, added up.
        ("looks", np.int64, (LOOKS + 1,)),
        ("cells", np.int64, (LOOKS + 1, PLAYERS)),
        ("cells_squared", np.int64, (LOOKS + 1, PLAYERS)),
        ("influence", np.int64, (LOOKS + 1, PLAYERS)),
        ("influence_squared", np.int64, (LOOKS + 1, PLAYERS)),
    ],
    align=True,
)


@rule
def outcome(cfg: Any, s: Any, row: Any) -> None:
    """Writes the row of a finished game, all of it: on a GPU it holds anything before."""
    row.rounds = s.rounds
    row.winner = s.winner
    row.ended_by = LIMIT if s.ended_by_limit != 0 else ELIMINATION
    row.first_blood = s.first_blood
    row.players = cfg.players
    row.autos = s.autos
    for kind in range(CLASSES):
        row.made[kind] = s.made[kind]
        row.won[kind] = s.won[kind]
    for player in range(PLAYERS):
        row.cells[player] = s.cells[player]
        row.influence[player] = s.total[player]
        row.result[player] = s.result[player]
        for look in range(LOOKS):
            row.cells_at[player, look] = s.cells_at[look, player]
            row.influence_at[player, look] = s.total_at[look, player]


@rule
def tally(row: Any, agents: Any, counts: Any) -> None:
    """Adds one game to the counts."""
    counts.games += 1
    counts.decisions += row.decisions
    counts.decisions_squared += int(row.decisions) * row.decisions
    counts.ended_by[row.ended_by] += 1
    counts.autos += row.autos
    counts.autos_squared += row.autos * row.autos
    count_in(counts.rounds, row.rounds)
    if row.winner < 0:
        counts.draws += 1
    else:
        counts.wins[row.winner] += 1
        counts.agent_wins[agents[row.winner]] += 1
    if row.first_blood >= 0:
        counts.first_blood[row.first_blood] += 1
        if row.first_blood == row.winner:
            counts.first_blood_wins[row.first_blood] += 1
    for kind in range(CLASSES):
        counts.made[kind] += row.made[kind]
        counts.won[kind] += row.won[kind]
    look = 0
    while look < LOOKS and CHECKPOINTS[look] <= row.rounds:
        counts.looks[look] += 1
        for player in range(row.players):
            _look(counts, look, player, row.cells_at[player, look], row.influence_at[player, look])
        look += 1
    counts.looks[END] += 1
    for player in range(row.players):
        _look(counts, END, player, row.cells[player], row.influence[player])


@rule
def _look(counts: Any, look: int, player: int, cells: int, influence: int) -> None:
    """Adds what a player had at one look."""
    counts.cells[look, player] += cells
    counts.cells_squared[look, player] += cells * cells
    counts.influence[look, player] += influence
    counts.influence_squared[look, player] += influence * influence
