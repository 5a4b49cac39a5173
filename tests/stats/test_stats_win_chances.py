"""Chances along a game: what moves by more than the noise of play-outs, against courses whose truth is known."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import norm

from playmill.stats.win_chances import decided_at, lead_changes, lowest_surely, share_behind

PLAYOUTS = 200


def course(own: list[float]) -> np.ndarray:
    """Two players: the first wins in the end."""
    first = np.array([*own, 1.0])
    return np.stack([first, 1 - first], axis=1)


def noisy(truth: np.ndarray, luck: np.random.Generator) -> np.ndarray:
    """The same course as play-outs see it; how it ended is known."""
    seen = np.stack([luck.multinomial(PLAYOUTS, row) for row in truth[:-1]]) / PLAYOUTS
    return np.concatenate([seen, truth[-1:]])


def test_a_lead_that_changes_is_counted_and_one_that_wavers_is_not() -> None:
    assert lead_changes(course([0.5, 0.8, 0.2, 0.9]), PLAYOUTS) == 2
    assert lead_changes(course([0.5, 0.52, 0.48, 0.51]), PLAYOUTS) == 0  # within the noise; the end is the first lead
    assert lead_changes(course([0.2, 0.5, 0.3]), PLAYOUTS) == 1  # at the end


def test_noise_alone_makes_next_to_no_lead_changes() -> None:
    luck, level = np.random.default_rng(1), course([0.5] * 20)
    assert np.mean([lead_changes(noisy(level, luck), PLAYOUTS) for _ in range(200)]) < 0.35  # seen one by one: about 10
    raw = [np.sign(noisy(level, luck)[:-1, 0] - 0.5) for _ in range(50)]
    assert np.mean([np.abs(np.diff(signs)).sum() / 2 for signs in raw]) > 5


def test_the_share_behind_counts_equals_half() -> None:
    assert share_behind(course([0.2, 0.5, 0.8, 0.9]), 0) == pytest.approx(1.5 / 4)
    three = np.array([[0.3, 0.4, 0.3], [0.5, 0.2, 0.3], [1.0, 0.0, 0.0]])
    assert share_behind(three, 0) == 0.5


def test_a_comeback_is_one_only_beyond_the_noise() -> None:
    assert lowest_surely(course([0.5, 0.1, 0.7]), 0, PLAYOUTS) < 0.25
    assert lowest_surely(course([0.5, 0.22, 0.7]), 0, PLAYOUTS) > 0.25


def test_a_game_is_decided_when_the_mark_is_passed_for_good() -> None:
    at = np.array([0.0, 0.25, 0.5, 0.75, 1.0])
    assert decided_at(at, course([0.5, 0.95, 0.6, 0.97]), 0, PLAYOUTS, 0.9) == 0.75
    assert decided_at(at, course([0.5, 0.95, 0.89, 0.97]), 0, PLAYOUTS, 0.9) == 0.25  # a slip that may be noise
    assert decided_at(at, course([0.5, 0.6, 0.7, 0.8]), 0, PLAYOUTS, 0.9) == 1.0


def test_when_games_are_decided_is_found_nearly_as_early_as_it_is_true() -> None:
    luck = np.random.default_rng(3)
    at = np.linspace(0, 1, 21)
    true, found = [], []
    for _ in range(150):
        # A walk that ends at a win: a normal one of which the chance to be above 0 at the end is known at each step.
        steps = luck.standard_normal(20)
        if steps.sum() < 0:
            steps = -steps
        left = np.arange(20, 0, -1)
        own = norm.cdf((np.concatenate([[0], np.cumsum(steps)])[:-1]) / np.sqrt(left))
        truth = course(own.tolist())
        exact = next(place for place in range(21) if (truth[place:, 0] >= 0.9).all())
        true.append(at[exact])
        found.append(decided_at(at, noisy(truth, luck), 0, PLAYOUTS, 0.9))
    assert np.mean(found) == pytest.approx(np.mean(true), abs=0.06)
