"""Rules compiled whole: what rules call is left a draft, what Python calls is machine code."""

from __future__ import annotations

import os
import sys
from typing import Any

import numpy as np
import pytest
from numba.core.errors import LoweringError, TypingError

from playmill.engine.compile import forked_lowering
from playmill.engine.compile import whole_program as drafts
from playmill.engine.compile.entry_points import entry_point
from playmill.engine.lang import compiler
from playmill.engine.lang import rule as rules
from playmill.engine.lang.rule import Word, rare, rule

pytestmark = pytest.mark.skipif(not compiler.is_known(), reason="not tried with this version of Numba")


def family() -> tuple[Any, Any, Any, Any]:
    """A root, a rule it calls, one that calls in turn, and a rare one: made anew for each test."""

    @rule
    def leaf(x: int) -> int:
        return x * 3 + 1

    @rare
    def seldom(x: int) -> int:
        return leaf(x) - 7

    @rule
    def middle(x: int) -> int:
        return leaf(x) + (seldom(x) if x > 5 else 0)

    @entry_point
    def top(n: int) -> int:
        total = 0
        for i in range(n):
            total += middle(i) + leaf(i)
        return total

    return top, middle, seldom, leaf


def by_hand(n: int) -> int:
    leaf = [3 * i + 1 for i in range(n)]
    return sum(2 * one + (one - 7 if i > 5 else 0) for i, one in enumerate(leaf))


def entry(made: Any) -> Any:
    (compiled,) = made.overloads.values()
    return compiled.entry_point


def entry_library(made: Any) -> Any:
    (compiled,) = made.overloads.values()
    return compiled.library


def test_what_only_rules_call_stays_a_draft() -> None:
    top, *called = family()
    assert top(20) == by_hand(20)
    assert not isinstance(entry(top), drafts._Entry)
    assert all(isinstance(entry(one), drafts._Entry) for one in called)


def test_a_draft_that_python_calls_becomes_a_root() -> None:
    top, middle, seldom, leaf = family()
    top(3)
    assert [leaf(2), middle(9), seldom(4), middle(1)] == [7, 49, 6, 4]
    assert not any(isinstance(entry(one), drafts._Entry) for one in (leaf, middle, seldom))
    assert top(20) == by_hand(20)


def test_a_rule_called_first_by_python_serves_roots_as_well() -> None:
    top, middle, _, leaf = family()
    assert (leaf(2), middle(9)) == (7, 49)
    assert top(20) == by_hand(20)


def test_numbas_ordinary_way_gives_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rules, "is_known", lambda: False)
    top, middle, *_ = family()
    assert top(20) == by_hand(20)
    assert not isinstance(entry(middle), drafts._Entry)


@pytest.fixture
def forking(monkeypatch: pytest.MonkeyPatch) -> forked_lowering.Lowering:
    """Lowering of this test's rules alone, in a second process for each as soon as one is free."""
    lowering = forked_lowering.Lowering()
    lowering.forks = True
    monkeypatch.setattr(drafts, "lowering", lowering)
    monkeypatch.setattr(forked_lowering, "_BATCH", 1)
    return lowering


@pytest.mark.skipif(sys.platform != "linux", reason="nothing is forked elsewhere")
def test_what_a_second_process_has_lowered_gives_the_same(forking: forked_lowering.Lowering) -> None:
    top, middle, seldom, _ = family()
    assert top(20) == by_hand(20)
    assert forking.forked > 0
    assert (middle(9), seldom(4)) == (49, 6), "and so it is where Python calls what it has lowered"
    names = [function.name for function in entry_library(top).get_defined_functions()]
    assert any("seldom" in name for name in names), "a rare rule is still called"


@pytest.mark.skipif(sys.platform != "linux", reason="nothing is forked elsewhere")
def test_what_a_second_process_has_not_lowered_is_lowered_here(
    forking: forked_lowering.Lowering, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(forked_lowering, "_made", lambda draft, places: os._exit(3))
    top, *_ = family()
    assert top(20) == by_hand(20)
    assert forking.forked == 0


def test_what_cannot_be_lowered_is_told_of_where_it_is_called_and_nowhere_else() -> None:
    @rule
    def wrong(x: int) -> Any:
        return unknown_code(x)

    @entry_point
    def top(x: int) -> Any:
        return wrong(x)

    for _ in range(2):
        with pytest.raises(LoweringError, match="no code for it"):
            top(1)
    other, *_ = family()
    assert other(20) == by_hand(20)


@Word
def unknown_code(typingctx: Any, x: Any) -> Any:
    """Can be typed, and not be lowered."""

    def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        raise LoweringError("no code for it")

    return x(x), code


def test_a_root_shows_nothing_of_what_it_is_made_of() -> None:
    top, *_ = family()
    top(3)
    (compiled,) = top.overloads.values()
    functions = compiled.library.get_defined_functions()
    shown = {one.name for one in functions if one.linkage.name == "external"}
    assert shown == {compiled.fndesc.mangled_name, *(name for name in shown if "cpython" in name or "cfunc" in name)}


def test_a_rare_rule_is_called_and_not_copied() -> None:
    top, *_ = family()
    top(3)
    names = [function.name for function in entry_library(top).get_defined_functions()]
    assert any("seldom" in name for name in names) and not any("middle" in name for name in names)


def test_a_mistake_in_a_called_rule_is_told() -> None:
    @rule
    def wrong(x: int) -> Any:
        return x.nothing

    @entry_point
    def top(x: int) -> Any:
        return wrong(x)

    for _ in range(2):
        with pytest.raises(TypingError, match="nothing"):
            top(1)


def test_what_is_also_called_where_nobody_comes_is_there() -> None:
    """Found by its dead caller first, `leaf` was left out as nobody's: the machine jumped to address 0."""

    @rule
    def never(x: int) -> bool:
        return False

    @rule
    def leaf(x: int) -> int:
        return x * 3 + 1

    @rule
    def dead(x: int) -> int:
        return leaf(x) + 1

    @rare
    def live(x: int) -> int:
        return leaf(x) * 2

    @rule
    def middle(x: int) -> int:
        return live(x) + 1

    @entry_point
    def top(n: int) -> int:
        total = 0
        for i in range(n):
            total += middle(i)
            if never(i):
                total += dead(i)
        return total

    assert top(5) == sum(2 * (3 * i + 1) + 1 for i in range(5))


def test_places_are_not_asked_whether_they_are_below_0() -> None:
    """Compiled, place -1 is the one before the first: seen where there is one, in the middle of a larger array."""

    @rule
    def at(cells: Any, i: int) -> int:
        return cells[i]

    @entry_point
    def top(cells: Any, grid: Any, i: int) -> int:
        grid[i, 1] = at(cells, i)
        return grid[i, 1] * 100 + grid[i][0] * 10 + cells[1:][0]

    cells, grid = np.arange(5), np.arange(6).reshape(3, 2)
    assert top(cells[2:], grid[1:], 1) == 343 and grid[2, 1] == 3
    assert top(cells[2:], grid[1:], -1) == 103 and grid[0, 1] == 1
