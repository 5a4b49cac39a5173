"""The options of a decision in Save Oneself: listed in ascending order, counted, or picked by number."""

from __future__ import annotations

from typing import Any

import numpy as np

from playmill.author import bit_count, lowest_bit, rule
from playmill.games.save_oneself.actions import TURN

#: How many moves there are, and the k-th of them, by their bits: a loop that the processor cannot foresee costs as much
#: as a move, and to count bits takes longer than to look.
_MOVES = np.array([mask.bit_count() for mask in range(1 << TURN)], np.uint8)
_NTH_MOVE = np.array(
    [([bit for bit in range(TURN) if mask >> bit & 1] + [0] * 8)[:8] for mask in range(1 << TURN)], np.uint8
)


# Options and actions


@rule
def legal_actions(cfg: Any, s: Any, out: Any) -> int:
    """Writes the options of the present decision."""
    n = 0
    options = s.options
    while options != 0:
        out.ids[n] = lowest_bit(options)
        options &= options - 1
        n += 1
    return n


@rule
def count_actions(cfg: Any, s: Any, out: Any) -> int:
    """The number of options."""
    options = s.options
    return int(_MOVES[options]) if options < 1 << TURN else bit_count(options)


@rule
def nth_action(cfg: Any, s: Any, out: Any, k: int) -> int:
    """Option number k, ascending."""
    options = s.options
    if options < 1 << TURN:
        return int(_NTH_MOVE[options, k])
    for _ in range(k):
        options &= options - 1
    return lowest_bit(options)
