"""Rules specialised for a game: the same code, other things under some of its names, and nothing shared is copied."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np

from playmill import rule
from playmill.engine.compile.specialise import Specialiser
from playmill.engine.lang.rule import interpreted, python_function, rare

FACTOR = 2


@rule
def slot(x: int) -> int:
    return x


@rule
def apart(x: int) -> int:
    return x * FACTOR


@rare
def seldom(x: int) -> int:
    return slot(x) + 1


@rule
def whole(x: int) -> int:
    """Calls a slot, a rule that does, and one that does not."""
    return slot(x) + seldom(x) + apart(x)


@rule
def ten(x: int) -> int:
    return 10


def adding(amount: int) -> Any:
    @rule
    def added(x: int) -> int:
        return slot(x) + amount

    return added


def test_what_is_replaced_is_replaced_wherever_it_is_named() -> None:
    made = Specialiser([(slot, ten)]).rule(whole)
    assert [made(3), interpreted(made)(3)] == [10 + 11 + 6] * 2
    assert [whole(3), interpreted(whole)(3)] == [3 + 4 + 6] * 2  # the rule itself stays as it is


def test_what_reaches_nothing_replaced_is_shared() -> None:
    made = Specialiser([(slot, ten)])
    assert made.rule(apart) is apart and made.function(apart) is python_function(apart)
    assert made.rule(whole) is made.rule(whole) is not whole
    assert python_function(made.rule(whole)).__globals__["apart"] is apart


def test_a_copy_is_what_the_rule_was() -> None:
    made = Specialiser([(slot, ten)])
    assert made.rule(seldom).is_rare and not made.rule(whole).is_rare
    copy = made.function(whole)
    assert (copy.__doc__, copy.__annotations__, copy.__qualname__) == (
        whole.__doc__,
        {"x": "int", "return": "int"},
        "whole",
    )
    assert copy.__code__ is python_function(whole).__code__


def test_variables_of_a_function_that_makes_rules_are_replaced_too() -> None:
    made = Specialiser([(slot, adding(5))])  # its own slot stays: what replaces is taken as it is
    assert made.rule(adding(7))(1) == 1 + 5 + 7
    made = Specialiser([(slot, ten)])
    made.replace(apart, adding(5))  # but here it is specialised itself
    assert made.rule(whole)(3) == 10 + 11 + 15


def test_constants_are_replaced_by_name_in_their_own_module_alone() -> None:
    made = Specialiser([], sys.modules[__name__], {"FACTOR": np.int64(7), "np": None})
    assert made.rule(whole)(3) == 3 + 4 + 21
    assert Specialiser([], np, {"FACTOR": 7}).rule(whole) is whole
