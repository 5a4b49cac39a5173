"""The record of numbers that the rules of Battle of Dimensions read: the config, packed."""

from __future__ import annotations

import numpy as np

from playmill.games.dimensions.actions import ANOMALIES, FACTIONS, KINDS, PLAYERS

Numbers = np.dtype(
    [
        ("players", np.int32),
        ("epic", np.int32),
        ("hand_size", np.int32),
        ("kinds", np.int32),  # kinds in this game's deck are 0 … kinds-1
        ("copies", np.int32, (KINDS,)),
        ("value", np.int32, (KINDS,)),
        ("colour", np.uint8, (KINDS,)),
        ("anomalies_in_deck", np.int32),
        ("pool_size", np.int32),
        ("pool", np.uint8, (ANOMALIES,)),
        ("green_goal", np.int32),
        ("yellow_goal", np.int32),
        ("blue_goal", np.int32),
        ("named", np.int32),  # seats whose faction is given, from the first
        ("named_faction", np.uint8, (PLAYERS,)),
        ("spiral_given", np.int32),
        ("spiral", np.uint8, (FACTIONS,)),
        ("tie_break", np.int32),
    ],
    align=True,
)
