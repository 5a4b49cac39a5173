"""What is told of a run beside its results."""

from __future__ import annotations

from common.found import game_of
from common.reports import run_of


def test_agents_are_named_once_in_the_order_of_seats() -> None:
    run = run_of(game_of("pig"), ("b", "a", "b", "c"), 1, {}, playmill="0", seed=0, extra={"resumed": 1})
    assert run.agent_names == ("b", "a", "c")
    assert run.json()["agents"] == ["b", "a", "b", "c"]
    assert run.json()["resumed"] == 1
