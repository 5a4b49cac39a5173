"""Tables for `outlines.py`, packed with the config: the ways to keep a rank rule, and points of patterns."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from playmill.games.grid.constants import LINE_4, LINE_5, RANKS, SHAPE_SIZES, SHAPES, SQUARE, WINDOW_CELLS
from playmill.games.grid.patterns.outlines import FIRST_COLOURS, FIRST_RANKS, IMPOSSIBLE


class Way(NamedTuple):
    """How ranks change from cell to cell: to the right, or along a line, and down."""

    across: int
    down: int


_UP, _DOWN, _EQUAL = Way(1, 0), Way(-1, 0), Way(0, 0)
_STRIPES = (Way(1, 0), Way(-1, 0), Way(0, 1), Way(0, -1))
_TWO_AXES = tuple(Way(across, down) for across in (1, -1) for down in (1, -1))
#: The ways to keep the two rules of ranks of each shape.
WAYS = {SQUARE: (_STRIPES, _TWO_AXES), LINE_5: ((_UP, _DOWN), (_EQUAL,)), LINE_4: ((_UP, _DOWN), (_EQUAL,))}


def pack_outlines(numbers: Any, ranks: Iterable[int]) -> None:
    """Fills the tables, once the patterns are there."""
    numbers["starts"] = _starts(frozenset(ranks))
    for pattern in range(numbers["patterns"]):
        shape = numbers["pattern_shape"][pattern]
        rules = FIRST_RANKS << (numbers["pattern_rank"][pattern] & 1)
        rules |= FIRST_COLOURS << (numbers["pattern_colour"][pattern] & 1)
        numbers["pattern_rules"][pattern] = rules
        for kept in range(16):
            if kept & rules == rules:
                numbers["points"][shape, kept] += numbers["pattern_vp"][pattern] + 1


@cache
def _starts(ranks: frozenset[int]) -> np.ndarray[Any, np.dtype[np.uint32]]:
    """By shape, place and rank what a card asks for; rank 0 of place 0 says which ways there are at all."""
    starts = np.zeros((SHAPES, WINDOW_CELLS, RANKS + 1), np.uint32)
    for shape in range(SHAPES):
        for place in range(SHAPE_SIZES[shape]):
            for rank in range(1, RANKS + 1):
                starts[shape, place, rank] = _asked(
                    [[_start(way, shape, place, rank, ranks) for way in ways] for ways in WAYS[shape]]
                )
        starts[shape, 0, 0] = _asked([[_some_start(way, shape, ranks) for way in ways] for ways in WAYS[shape]])
    return starts


def _asked(rules: Iterable[Sequence[int]]) -> int:
    """Starts in a row, four bits for each of four ways of either rule."""
    flat = [start for starts in rules for start in (*starts, *[IMPOSSIBLE] * (4 - len(starts)))]
    return sum(start << 4 * number for number, start in enumerate(flat))


def _some_start(way: Way, shape: int, ranks: Collection[int]) -> int:
    """Any start of a way that the deck has the ranks for."""
    starts = (_start(way, shape, 0, rank, ranks) for rank in ranks)
    return next((start for start in starts if start != IMPOSSIBLE), IMPOSSIBLE)


def _start(way: Way, shape: int, place: int, rank: int, ranks: Collection[int]) -> int:
    """The rank of the first cell of a window, if the deck has all ranks of a window filled so."""
    cells = [divmod(cell, 3) if shape == SQUARE else (0, cell) for cell in range(SHAPE_SIZES[shape])]
    down, across = cells[place]
    start = rank - way.across * across - way.down * down
    return start if all(start + way.across * x + way.down * y in ranks for y, x in cells) else IMPOSSIBLE
