"""Agents with numbers of their own at a table: given by number, or by name where the values have names."""

from __future__ import annotations

import pytest

from playmill import PlaymillError, load_game
from playmill.web.minds import mind_of, minds_for


def test_a_value_with_a_name_is_given_by_it() -> None:
    game = load_game("grid")
    minds = minds_for(game)
    mind = mind_of(minds, game, "specialist:pattern=C")
    assert mind is not None
    assert mind.name.en == mind.name.ru == "specialist, pattern C"
    with pytest.raises(PlaymillError) as caught:
        mind_of(minds, game, "specialist:pattern=2")
    letters = ", ".join("ABCDEFGHIJ")
    assert caught.value.text.en == f"agent specialist: 'pattern=2' cannot be; its numbers are pattern {letters}"
    assert caught.value.text.ru == f"агент specialist: 'pattern=2' не годится; его числа: pattern {letters}"


def test_a_value_without_a_name_is_a_number_within_its_range() -> None:
    game = load_game("dice")
    minds = minds_for(game)
    mind = mind_of(minds, game, "threshold:points=350")
    assert mind is not None
    assert mind.name.en == "threshold, points 350"
    with pytest.raises(PlaymillError, match="its numbers are points 0 … 1e\\+06"):
        mind_of(minds, game, "threshold:points=-1")
