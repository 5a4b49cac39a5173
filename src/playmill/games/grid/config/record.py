"""The record of numbers and tables that the rules of Grid read: the config, packed."""

from __future__ import annotations

import numpy as np

from playmill.games.grid.constants import (
    CELL_WINDOWS,
    CELLS,
    DECK,
    PATTERNS,
    PLAYERS,
    RANKS,
    REWARDS,
    SHAPES,
    WINDOW_CELLS,
    WINDOWS,
)

#: Where a cell lies.
Spot = np.dtype([("x", np.int64), ("y", np.int64)], align=True)

Numbers = np.dtype(
    [
        ("players", np.int32),
        ("width", np.int32),
        ("height", np.int32),
        ("cells", np.int32),
        ("long_lines", np.int32),  # 1: a row or a column has more cells than are looked up at once (see `prefilter.py`)
        ("zone", np.int64),  # cells of the protected zone, as bits
        ("board", np.int64),  # all cells, as bits
        ("next_seat", np.uint8, (PLAYERS,)),
        ("step", np.int32),  # +1: the next player is the next seat; -1: the one before
        ("cards", np.int32),  # cards are 1 … cards
        ("rank", np.int8, (DECK + 8,)),  # by card; ranks are subtracted, and unsigned numbers must not be
        ("colour", np.int8, (DECK + 8,)),  # by card, 0 … colours-1
        ("shape", np.int8, (DECK + 8,)),
        ("mark", np.uint8, (DECK + 8,)),  # how a card is marked in its row and its column (see `prefilter.py`)
        ("rank_bits", np.int32),  # bit r: the deck has rank r
        ("low_rank", np.int32),
        ("high_rank", np.int32),
        ("colours", np.int32),
        ("reveal", np.int32),
        ("pick_self", np.int32),
        ("pass_next", np.int32),
        ("joker", np.int32),
        ("joker_any_rank", np.int32),
        ("joker_any_colour", np.int32),
        ("auto_trigger", np.int32),
        ("touch_ban", np.int32),
        ("cross_ban", np.int32),
        ("failure_is_harmless", np.int32),
        ("extra_needs_deck", np.int32),
        ("end_without_hand_cell", np.int32),
        ("end_without_draft_cell", np.int32),
        ("play_on_without_deck", np.int32),
        ("patterns", np.int32),
        ("pattern_letter", np.uint8, (PATTERNS,)),  # 0 = A … 11 = L
        ("pattern_shape", np.uint8, (PATTERNS,)),
        ("pattern_rank", np.uint8, (PATTERNS,)),
        ("pattern_colour", np.uint8, (PATTERNS,)),
        ("pattern_vp", np.int32, (PATTERNS,)),
        ("pattern_reward", np.uint8, (PATTERNS,)),
        ("pattern_optional", np.int32, (PATTERNS,)),
        ("needs_cell", np.int32, (REWARDS,)),
        ("ban_source", np.int32, (REWARDS,)),
        ("ban_target", np.int32, (REWARDS,)),
        ("shape_used", np.int32, (SHAPES,)),
        ("windows", np.int32),
        ("window_shape", np.uint8, (WINDOWS,)),
        ("window_bits", np.int64, (WINDOWS,)),
        ("window_cell", np.uint8, (WINDOWS, WINDOW_CELLS)),  # squares row by row, lines along
        # The first cells of rows and columns of four and of squares, as bits; none where no pattern is of that kind.
        ("row_starts", np.int64),
        ("column_starts", np.int64),
        ("square_starts", np.int64),
        ("spot", Spot, (CELLS,)),
        ("cell_windows", np.uint8, (CELLS,)),
        ("cell_window", np.uint8, (CELLS, CELL_WINDOWS)),
        # What agents know of windows (see `outlines.py`).
        ("starts", np.uint32, (SHAPES, WINDOW_CELLS, RANKS + 1)),  # what a card asks for, by its place and rank
        ("points", np.int32, (SHAPES, 16)),  # of all patterns that a set of rules makes, and one more for each of them
        ("pattern_rules", np.uint8, (PATTERNS,)),
    ],
    align=True,
)
