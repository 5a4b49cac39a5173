"""Confidence sequences: they hold at every look, and grow narrow."""

from __future__ import annotations

from itertools import pairwise
from math import log1p, sqrt

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from playmill.stats.confidence_sequences import _BOLDEST, _STAKES, ConfidenceSequence


def looks(values, *, every=100, **how):
    sequence = ConfidenceSequence(**how)
    for first in range(0, len(values), every):
        sequence.add(values[first : first + every])
    return sequence.looks


def test_it_errs_at_any_look_of_a_history_less_often_than_it_says():
    """A fixed interval looked at thirty times errs in about three of ten."""
    luck = np.random.default_rng(1)
    wrong = 0
    for _ in range(40):
        found = looks((luck.random(3000) < 0.3).astype(float))
        wrong += any(not look.low <= 0.3 <= look.high for look in found)
    assert wrong <= 2


def test_after_many_observations_it_is_less_than_twice_as_wide_as_an_interval_of_fixed_size():
    values = (np.random.default_rng(2).random(20_000) < 0.4).astype(float)
    last = looks(values, every=1000)[-1]
    fixed = 2 * 1.96 * sqrt(0.4 * 0.6 / 20_000)
    assert fixed < last.high - last.low < 2 * fixed


def test_it_never_grows_wider():
    found = looks((np.random.default_rng(3).random(5000) < 0.5).astype(float))
    for before, after in pairwise(found):
        assert after.low >= before.low
        assert after.high <= before.high


def test_little_spread_makes_it_narrow():
    luck = np.random.default_rng(4)
    coin = looks((luck.random(4000) < 0.5).astype(float))[-1]
    calm = looks(0.5 + (luck.random(4000) - 0.5) / 10)[-1]
    assert (calm.high - calm.low) < (coin.high - coin.low) / 4
    assert calm.low < 0.5 < calm.high


def test_other_bounds_are_only_another_scale():
    values = np.random.default_rng(5).random(1000)
    one = looks(values)[-1]
    other = looks(values * 20 - 10, low=-10, high=10)[-1]
    scaled = [end * 20 - 10 for end in (one.value, one.low, one.high)]
    assert [other.value, other.low, other.high] == pytest.approx(scaled)


def test_a_share_of_some_games_only_is_that_of_numerator_and_denominator():
    luck = np.random.default_rng(6)
    there = (luck.random(20_000) < 0.6).astype(float)
    won = there * (luck.random(20_000) < 0.25)
    sequence = ConfidenceSequence()
    last = sequence.add(won, there)
    assert last.value == pytest.approx(won.sum() / there.sum())
    assert last.low < 0.25 < last.high < 0.3


@settings(deadline=None)
@given(st.lists(st.booleans(), min_size=1, max_size=60), st.integers(1, 60))
def test_what_is_believed_does_not_depend_on_how_observations_come(hits, every):
    values = np.array(hits, float)
    at_once, by_and_by = ConfidenceSequence(), ConfidenceSequence()
    at_once.add(values)
    for first in range(0, len(values), every):
        by_and_by.add(values[first : first + every])
    # Looks in between may only rule out more.
    assert by_and_by.look().low >= at_once.look().low
    assert by_and_by.look().high <= at_once.look().high


@settings(deadline=None)
@given(st.lists(st.floats(0, 1), min_size=1, max_size=40), st.floats(0.05, 0.95))
def test_wealth_is_never_overstated(values, mean):
    """What the sums say was won is at most what the bets won, stake by stake."""
    rests = np.array(values) - mean
    for share in _BOLDEST * _STAKES:
        stake = share / mean
        price = (-log1p(-share) - share) / share**2
        said = stake * rests.sum() - price * stake**2 * np.square(rests).sum()
        assert said <= np.log1p(stake * rests).sum() + 1e-9


@pytest.mark.parametrize("values", [[1.5], [-0.1], [float("nan")]])
def test_what_leaves_the_bounds_is_refused(values):
    with pytest.raises(ValueError, match="bounds"):
        ConfidenceSequence().add(values)


@pytest.mark.parametrize("how", [{"low": 1.0, "high": 1.0}, {"alpha": 0.0}, {"alpha": 1.0}])
def test_there_is_no_sequence_of_nothing(how):
    with pytest.raises(ValueError, match="no sequence"):
        ConfidenceSequence(**how)
