"""Luck that cannot be is refused wherever rules are interpreted, and the sentence says what was asked for."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from playmill.engine.errors.rng_misuse import RngMisuseError
from playmill.engine.lang.record import plain
from playmill.engine.lang.rng import SHUFFLE_BUFFER_SIZE, GameRng, below, happens, shuffle
from playmill.engine.lang.rule import interpreted, rule


@rule
def draw(rng: Any, n: Any) -> Any:
    return below(rng, 0, n)


@rule
def chance(rng: Any, share: Any) -> Any:
    return happens(rng, 0, share)


@rule
def deal(rng: Any, cards: Any, count: int) -> None:
    shuffle(rng, 0, cards, count)


@pytest.fixture
def rng() -> Any:
    return plain(np.zeros(1, GameRng))[0]


@pytest.mark.parametrize("n", [0, -3, 1 << 31])
def test_nothing_is_drawn_below_a_bound_that_leaves_nothing(rng: Any, n: int) -> None:
    with pytest.raises(RngMisuseError, match=f"and here n is {n}; it must be 1 or more") as caught:
        interpreted(draw)(rng, n)
    assert f"а здесь n равно {n}; нужно число от 1" in caught.value.message.ru
    assert interpreted(draw)(rng, 1) == 0


@pytest.mark.parametrize("share", [30, -0.1, float("nan")])
def test_a_probability_lies_between_0_and_1(rng: Any, share: float) -> None:
    with pytest.raises(RngMisuseError, match="a probability lies between 0 and 1"):
        interpreted(chance)(rng, share)
    assert interpreted(chance)(rng, 1.0) and not interpreted(chance)(rng, 0.0)


def test_no_more_cards_are_shuffled_than_fit_and_none_too_large() -> None:
    def shuffled(first: int, count: int) -> list[int]:
        cards = np.arange(first, 300, dtype=np.int32)
        interpreted(deal)(plain(np.zeros(1, GameRng))[0], plain(cards), count)
        return sorted(cards[:count].tolist())

    with pytest.raises(
        RngMisuseError, match=f"at most {SHUFFLE_BUFFER_SIZE} cards, each a number from 0 to 255; here card number 129"
    ):
        shuffled(0, SHUFFLE_BUFFER_SIZE + 1)
    with pytest.raises(RngMisuseError, match="here card number 2 is 256"):
        shuffled(255, 5)
    assert shuffled(0, SHUFFLE_BUFFER_SIZE) == [*range(SHUFFLE_BUFFER_SIZE)]
