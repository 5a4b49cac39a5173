"""The record of numbers that the rules of Save Oneself read: the config and its cards, packed."""

from __future__ import annotations

import numpy as np

from playmill.games.save_oneself.constants import CARDS, EIGHTS, SIDES

Numbers = np.dtype(
    [
        ("lives", np.int8),
        ("moves", np.int8),
        ("compass_moves", np.int8),
        ("tornado_at", np.int8),
        ("cards_per_point", np.int8),
        ("lose_on_empty_deck", np.int8),
        ("back_lives", np.int8, (CARDS,)),
        ("corner", np.int8, (CARDS,)),
        ("front_lives", np.int8, (CARDS,)),
        ("points", np.int8, (CARDS,)),
        ("needs", np.int64, (CARDS,)),  # sides that must be up, SHIP_WAITING, MAPS_CROSS, NEVER
        ("stands_on", np.int64, (CARDS,)),  # the side the player must stand on; 0 = anywhere
        ("choosable", np.int64),  # the cards a player can turn over at all
        # The same the other way round, as sets of cards: those that lack something, by which of eight sides are up, for
        # all eights; those that need the player elsewhere, by the side they stand on.
        ("lacking", np.uint16, (EIGHTS, 256)),
        ("elsewhere", np.uint16, (SIDES,)),
    ],
    align=True,
)
