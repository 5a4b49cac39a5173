"""Nothing is hidden in Dice, and what is seen tells what can be done."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from dice_random_content import set_up

import hidden_promises
from playmill import load_game

CONTENT: dict[str, Any] = {
    "target_score": 1500,
    "global_modifiers": ["five_groats", "town_tax"],
    "players": [
        {"items": ["bust_shield", "double_next_save", "sleight_of_hand"]},
        {
            "dice": ["loaded_ones", "fair", "fair", "evil", "fair", "fair"],
            "items": ["nimble_fingers", "jesters_cap"],
        },
    ],
}
CONFIGS: dict[str, dict[str, Any]] = {"plain": {"target_score": 1500}, "content": CONTENT}


@pytest.mark.parametrize("config", CONFIGS)
def test_conceal_changes_nothing(config: str) -> None:
    found = hidden_promises.play(load_game("dice"), 12, config=CONFIGS[config], every=2)
    assert found.guesses > 200
    assert found.changed == 0


@pytest.mark.parametrize("config", CONFIGS)
def test_same_observation_means_the_same_options(config: str) -> None:
    found = hidden_promises.play(load_game("dice"), 40, config={**CONFIGS[config], "target_score": 300}, deals=1)
    assert found.repeats > 50


@pytest.mark.parametrize("seed", range(6))
def test_promises_with_random_content(seed: int) -> None:
    found = hidden_promises.play(load_game("dice"), 4, config=set_up(Random(seed)), deals=1, every=20)
    assert found.changed == 0
