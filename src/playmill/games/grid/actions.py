"""Integer ids of the actions of Grid: where those of each act begin (`words/acts.py` has the table)."""

from __future__ import annotations

import numpy as np

from playmill.games.grid.constants import CELLS, DISCARD, PATTERNS, PLAYERS, REVEAL, WINDOWS

PLACE = 0
PICK = PLACE + CELLS
PASS = PICK + REVEAL
MATCH = PASS + REVEAL
NO_MATCH = MATCH + WINDOWS * PATTERNS
REFUSE = NO_MATCH + 1
ACCEPT = REFUSE + 1
TAKE_SELF = ACCEPT + 1
PUT_SELF = TAKE_SELF + CELLS
TARGET = PUT_SELF + CELLS
TAKE_OTHER = TARGET + PLAYERS
PUT_OTHER = TAKE_OTHER + CELLS
FROM_DISCARD = PUT_OTHER + CELLS
ACTIONS = FROM_DISCARD + DISCARD
#: The option that stands for place 0 in each kind of decision; those that choose no place have none.
FIRST_OPTION = np.array([PLACE, PICK, PASS, 0, 0, TAKE_SELF, PUT_SELF, TARGET, TAKE_OTHER, PUT_OTHER, 0])
#: Most options of one decision: every card of the discard pile, or every match.
MAX_OPTIONS = WINDOWS * PATTERNS + 1
