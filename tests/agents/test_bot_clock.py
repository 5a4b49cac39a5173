"""How long a bot took: the clock, less what the machine made it wait, but never less than the work it did."""

from __future__ import annotations

import os

import pytest

from playmill.agents.programs import clock
from playmill.agents.programs.clock import PATIENCE, Stopwatch


class Told(Stopwatch):
    """A stopwatch that is told how long was waited and worked since the question."""

    waited = worked = 0.0

    def _waited(self) -> float:
        return self.waited

    def _worked(self) -> float:
        return self.worked


@pytest.mark.parametrize(
    ("passed", "waited", "worked", "taken"),
    [
        (4.0, 0.0, 4.0, 4.0),
        (4.0, 3.0, 1.0, 1.0),  # there was no core for it
        (4.0, 0.0, 0.0, 4.0),  # it slept
        (4.0, 3.0, 3.5, 3.5),  # its own threads waited for each other
        (4.0, 3.0, 9.0, 4.0),  # so many threads that they worked longer than the clock
        (4.0, 4.0, 0.0, 4.0 / PATIENCE),  # nobody waits for ever
        (0.001, 0.0009, 0.0, 0.001),  # not worth a look
    ],
)
def test_a_bot_does_not_pay_for_a_busy_machine(
    monkeypatch: pytest.MonkeyPatch, passed: float, waited: float, worked: float, taken: float
) -> None:
    now = [100.0]
    monkeypatch.setattr(clock.time, "monotonic", lambda: now[0])
    watch = Told(os.getpid())
    watch.start()
    now[0] += passed
    watch.waited, watch.worked = waited, worked
    assert watch.taken() == pytest.approx(taken)
    watch.close()


def test_a_stopwatch_reads_what_the_system_counts_and_lets_go_of_it() -> None:
    watch = Stopwatch(os.getpid())
    before = watch._worked()
    sum(range(200_000))
    assert watch._worked() >= before
    assert watch._waited() >= 0
    watch.close()
    assert watch._waited() == 0


def test_of_a_process_that_is_gone_the_clock_alone_counts() -> None:
    """Its number may be that of nobody."""
    watch = Stopwatch(2**22 + 1)
    assert watch._worked() == 0
    watch.close()
