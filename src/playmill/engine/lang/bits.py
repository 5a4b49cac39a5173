"""Bit sets: picks the n-th set bit of a mask without visiting the ones below it."""

from __future__ import annotations

from typing import Any

import numpy as np

from playmill.engine.lang.rule import lowest_bit, rule

#: The same in every byte.
_ONE = 0x0101010101010101
_HALF_BYTE = 0x0F0F0F0F0F0F0F0F
_TWO_OF_FOUR = 0x3333333333333333
_ONE_OF_TWO = 0x5555555555555555
_WORD = 0x7FFFFFFFFFFFFFFF


def _places_in_byte() -> np.ndarray[Any, np.dtype[np.uint8]]:
    """Where set bit k of a byte is, for all bytes and k, one byte after the other; 0 where there is none."""
    table = np.zeros((256, 8), np.uint8)
    for byte in range(256):
        places = [place for place in range(8) if byte >> place & 1]
        table[byte, : len(places)] = places
    return table.ravel()


_PLACE = _places_in_byte()
#: How many bits of a byte are set.
_COUNT = np.array([byte.bit_count() for byte in range(256)], np.int8)


@rule
def nth_bit_of_byte(byte: int, k: int) -> int:
    """The number of set bit k, counted from the lowest as 0, of a byte that has this many."""
    return int(_PLACE[byte << 3 | k])


@rule
def _nth_bit_of_three_bytes(mask: int, k: int) -> int:
    """The same for a mask of 24 bits."""
    one = _COUNT[mask & 255]
    two = one + _COUNT[mask >> 8 & 255]
    start = (8 if k >= one else 0) + (8 if k >= two else 0)
    before = two if k >= two else one if k >= one else 0
    return start + nth_bit_of_byte(mask >> start & 255, k - before)


@rule
def nth_bit(mask: int, k: int) -> int:
    """The number of set bit k, counted from the lowest as 0, of a mask that is not negative and has this many.

    No branch depends on k: a machine guesses a random one wrong every time. The byte is the first up to which more
    than k bits are set; these sums of all bytes come from one multiplication.
    """
    if mask < 1 << 24:
        return _nth_bit_of_three_bytes(mask, k)
    pairs = mask - (mask >> 1 & _ONE_OF_TWO)
    fours = (pairs & _TWO_OF_FOUR) + (pairs >> 2 & _TWO_OF_FOUR)
    sums = ((fours + (fours >> 4) & _HALF_BYTE) * _ONE) & _WORD
    start: int = lowest_bit((sums + (127 - k) * _ONE) >> 7 & _ONE)
    byte = mask >> start & 255
    before = sums << 8 >> start & 255
    return start + nth_bit_of_byte(byte, k - before)
