"""How an audit divides its time, by a clock that the tests turn."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from playmill.interrupts import Stop
from playmill.lab.audit import clock as room
from playmill.lab.audit.budget import AuditBudget
from playmill.report.commands.audit import DEALS, thin

Clock = list[float]


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    now = [0.0]
    monkeypatch.setattr(room.time, "perf_counter", lambda: now[0])
    return now


def a_budget(seconds: float = 100.0, **shares: float) -> AuditBudget:
    made = AuditBudget(seconds, {}, Stop())
    made.plan(shares)
    return made


def costing(clock: Clock, each: float) -> Callable[[range], None]:
    """Something of which each takes so many seconds."""

    def play(numbers: range) -> None:
        clock[0] += each * len(numbers)

    return play


def test_each_has_its_share_of_the_time(clock: Clock) -> None:
    budget = a_budget(one=0.25, other=0.75)
    assert budget.play("one", costing(clock, 1.0), least=1, most=1000) == 25
    assert budget.play("other", costing(clock, 1.0), least=1, most=1000) == 75


def test_what_is_left_of_a_share_goes_to_what_comes_after(clock: Clock) -> None:
    budget = a_budget(cheap=0.5, dear=0.25, last=0.25)
    assert budget.play("cheap", costing(clock, 0.1), least=1, most=40) == 40  # 4 seconds of 50
    assert budget.play("dear", costing(clock, 2.0), least=1, most=1000) == 24  # half of 96
    assert budget.play("last", costing(clock, 2.0), least=1, most=1000) == 24


def test_until_there_is_enough_something_may_take_more_of_its_share_but_not_of_others(clock: Clock) -> None:
    budget = a_budget(ladder=0.5, last=0.5)
    assert budget.play("ladder.1", costing(clock, 1.0), part=0.1, at_most=1.0, enough=30, least=2, most=400) == 30
    assert budget.left_of("ladder") == pytest.approx(0.4)
    assert budget.play("ladder.2", costing(clock, 2.0), part=0.1, at_most=0.4, enough=30, least=2, most=400) == 10
    budget.leave("ladder")
    assert budget.seconds("last") == pytest.approx(50)


def test_it_tells_how_many_minutes_would_bring_enough(clock: Clock) -> None:
    budget = a_budget(300.0, one=0.5, other=0.5)
    budget.play("one", costing(clock, 30.0), least=1, most=1000)
    assert budget.sizes == {"one": 5}
    assert budget.minutes_for("one", 30) == 30  # six times as many as in five minutes
    assert budget.minutes_with("one", 150.0) == 10
    told = thin(5, 30, budget.minutes_for("one", 30), DEALS)
    assert told is not None and "--minutes 30 there would be about 30" in told.en and "--minutes 30" in told.ru
    assert thin(30, 30, None) is None


def test_where_sizes_are_given_no_clock_is_looked_at(clock: Clock) -> None:
    budget = AuditBudget(None, {"one": 7}, Stop())
    budget.plan({"one": 1.0})
    assert budget.play("one", costing(clock, 1e6), least=2, most=1000) == 7
    assert budget.minutes_for("one", 30) is None
