"""Checks arguments of random draws in interpreted rules (bounds, probabilities, cards); compiled code has no checks."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

from playmill.engine.errors.python_messages import ExplainedError
from playmill.engine.lang.rng import SHUFFLE_BUFFER_SIZE, add_to_shuffle_buffer, below, happens
from playmill.engine.lang.rule import interpreted, stand_in
from playmill.texts import Text

#: The largest number of a card.
_ANY_CARD = 255


class RngMisuseError(ExplainedError):
    """Arguments of a random draw out of range; compiled rules would go on with any number."""


def _demand_bound(rng: Any, stream: int, n: int) -> None:
    if not 1 <= n < 1 << 31:
        raise RngMisuseError(
            Text(
                f"below(rng, stream, n) draws one of 0 … n - 1, and here n is {n}; it must be 1 or more, and less than"
                " 2**31",
                f"below(rng, stream, n) выбирает из 0 … n - 1, а здесь n равно {n}; нужно число от 1 и меньше 2**31",
            )
        )


def _demand_share(rng: Any, stream: int, probability: float) -> None:
    if not 0 <= probability <= 1:
        raise RngMisuseError(
            Text(
                f"happens(rng, stream, probability): a probability lies between 0 and 1, and here it is {probability};"
                " write 0.3 for 30 percent",
                f"happens(rng, stream, probability): вероятность — от 0 до 1, а здесь она {probability}; 30 процентов —"
                " это 0.3",
            )
        )


def _demand_card(rng: Any, stream: int, place: int, card: int, identity: int) -> None:
    if not 0 <= card <= _ANY_CARD or not 0 <= place < SHUFFLE_BUFFER_SIZE:
        raise RngMisuseError(
            Text(
                f"one shuffle takes at most {SHUFFLE_BUFFER_SIZE} cards, each a number from 0 to {_ANY_CARD}; here card"
                f" number {place + 1} is {card}",
                f"за раз тасуют не больше {SHUFFLE_BUFFER_SIZE} карт, каждая — число от 0 до {_ANY_CARD}; здесь карта"
                f" номер {place + 1} — это {card}",
            )
        )


def _asked(function: Callable[..., Any], demand: Callable[..., None]) -> None:
    """Makes the interpreter check the arguments of a function of `rng.py`."""
    twin = cache(lambda: interpreted(function))  # not before all of them are asked for: one calls another

    def asked(*args: Any, **named: Any) -> Any:
        demand(*args, **named)
        return twin()(*args, **named)

    stand_in(function, asked)


_asked(below, _demand_bound)
_asked(happens, _demand_share)
_asked(add_to_shuffle_buffer, _demand_card)
