"""Sets as bits, picked from by number."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from playmill.engine.compile.entry_points import entry_point
from playmill.engine.lang.bits import nth_bit
from playmill.engine.lang.rule import interpreted

_plain = interpreted(nth_bit)


@entry_point
def _compiled(mask, k):
    return nth_bit(mask, k)


@pytest.mark.parametrize("nth", [_plain, _compiled])
@given(
    mask=st.integers(1, 2**63 - 1)
    | st.integers(1, 2**8 - 1)
    | st.sets(st.integers(0, 62), min_size=1).map(lambda places: sum(1 << place for place in places))
)
def test_bits_are_counted_from_the_lowest(nth, mask):
    places = [place for place in range(63) if mask >> place & 1]
    assert [nth(mask, k) for k in range(len(places))] == places
