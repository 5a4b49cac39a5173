"""The record of numbers that the rules of Influence read: the config and its map, packed."""

from __future__ import annotations

import numpy as np

from playmill.games.influence.constants import CELLS, CLASSES, PLAYERS, SIDES

Numbers = np.dtype(
    [
        ("players", np.int32),
        ("cells", np.int32),
        ("round_limit", np.int32),
        ("result_rounds", np.int32),
        ("start_influence", np.int32, (PLAYERS,)),
        ("min_start_distance", np.int32),
        ("failure", np.int32),
        ("first_turn_attacks", np.int32),
        ("turn_order", np.int32),
        ("chance", np.int32, (CLASSES,)),  # in percent, by class
        ("fixed", np.int32),  # whether the map says where everybody starts
        ("starts", np.int16, (PLAYERS,)),  # that, or cells far enough from each other, if luck finds none
        ("capacity", np.int16, (CELLS,)),
        ("neighbour", np.int16, (CELLS, SIDES)),  # -1 where there is none
    ],
    align=True,
)
