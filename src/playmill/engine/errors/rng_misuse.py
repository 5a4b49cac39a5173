"""Luck that cannot be: what rules ask of `rng.py`, looked at where they are interpreted; compiled code is spared."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

from playmill.engine.errors.python_messages import ToldError
from playmill.engine.lang.rng import HAT_CARDS, below, happens, into_hat
from playmill.engine.lang.rule import interpreted, stand_in
from playmill.texts import Text

#: The largest number of a card.
_ANY_CARD = 255


class LuckError(ToldError):
    """Luck that cannot be, asked for by rules; compiled ones would go on with any number."""


def _demand_bound(rng: Any, stream: int, n: int) -> None:
    if not 1 <= n < 1 << 31:
        raise LuckError(
            Text(
                f"below(rng, stream, n) draws one of 0 … n - 1, and here n is {n}; it must be 1 or more, and less than"
                " 2**31",
                f"below(rng, stream, n) выбирает из 0 … n - 1, а здесь n равно {n}; нужно число от 1 и меньше 2**31",
            )
        )


def _demand_share(rng: Any, stream: int, probability: float) -> None:
    if not 0 <= probability <= 1:
        raise LuckError(
            Text(
                f"happens(rng, stream, probability): a probability lies between 0 and 1, and here it is {probability};"
                " write 0.3 for 30 percent",
                f"happens(rng, stream, probability): вероятность — от 0 до 1, а здесь она {probability}; 30 процентов —"
                " это 0.3",
            )
        )


def _demand_card(rng: Any, stream: int, place: int, card: int, identity: int) -> None:
    if not 0 <= card <= _ANY_CARD or not 0 <= place < HAT_CARDS:
        raise LuckError(
            Text(
                f"one shuffle takes at most {HAT_CARDS} cards, each a number from 0 to {_ANY_CARD}; here card number"
                f" {place + 1} is {card}",
                f"за раз тасуют не больше {HAT_CARDS} карт, каждая — число от 0 до {_ANY_CARD}; здесь карта номер"
                f" {place + 1} — это {card}",
            )
        )


def _asked(function: Callable[..., Any], demand: Callable[..., None]) -> None:
    """Has the interpreter look at the arguments of a rule of luck wherever rules call it."""
    twin = cache(lambda: interpreted(function))  # not before all of them are asked for: one calls another

    def asked(*args: Any, **named: Any) -> Any:
        demand(*args, **named)
        return twin()(*args, **named)

    stand_in(function, asked)


_asked(below, _demand_bound)
_asked(happens, _demand_share)
_asked(into_hat, _demand_card)
