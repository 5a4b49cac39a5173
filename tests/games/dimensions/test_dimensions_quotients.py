"""Quotients by one multiplication are those of a division, for all numbers that actions have."""

from __future__ import annotations

from playmill.games.dimensions.actions import ACTIONS, KINDS, divided


def test_quotients_of_numbers_of_actions_are_exact():
    for divisor in range(1, KINDS + 1):
        assert [divided(number, divisor) for number in range(ACTIONS + 1)] == [
            number // divisor for number in range(ACTIONS + 1)
        ]
