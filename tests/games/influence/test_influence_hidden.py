"""Nothing is hidden in Influence, and what is seen tells what can be done."""

from __future__ import annotations

import pytest
from influence_position import config_of

import hidden_promises
from playmill import Game


@pytest.mark.parametrize("players", range(2, 7))
def test_conceal_changes_nothing(influence: Game, players: int) -> None:
    config = config_of(["wSww.w", "w.wSww", "SwwSww"], round_limit=6)
    found = hidden_promises.play(influence, 4, players=players, config=config, every=10)
    assert found.guesses > 40
    assert found.changed == 0


def test_same_observation_means_the_same_options(influence: Game) -> None:
    config = config_of(["wSw"], round_limit=4)
    found = hidden_promises.play(influence, 120, config=config, deals=4)
    assert found.repeats > 400
