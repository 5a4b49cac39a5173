"""Losses: gaps without their noise, paired differences, and errors that hold where a gap is nearly closed."""

from __future__ import annotations

import json

import numpy as np
import pytest

from playmill.stats.goal_loss import (
    Aim,
    Reading,
    difference,
    gap,
    judged,
    lost_share,
    shortfall,
    student,
    together,
    weigh,
)

GROUPS, SIZE = 16, 8


def reading(means, luck, *, noise=1.0, common=None, most=None):
    """Figures that are means over deals: each deal has its own noise, and what it shares with other settings."""
    deals = np.asarray(means) + luck.normal(0, noise, (GROUPS, SIZE, len(means)))
    deals = deals if common is None else deals + common
    groups = deals.mean(axis=1)
    whole = groups.mean(axis=0)
    without = (groups.sum(axis=0) - groups) / (GROUPS - 1)
    names = tuple(f"f{number}" for number in range(len(means)))
    return Reading(names, whole, without, (most,) * len(means), (SIZE,) * GROUPS)


def test_the_square_of_a_gap_is_right_on_average():
    luck = np.random.default_rng(1)
    for means in ([0.0] * 5, [0.3, 0, 0, 0, -0.3]):
        aim = Aim("equal", tuple(f"f{number}" for number in range(5)), 1.0)
        losses = [judged(reading(means, luck), [aim]).loss for _ in range(3000)]
        truth = float(np.mean((np.array(means) - np.mean(means)) ** 2))
        assert np.mean(losses) == pytest.approx(truth, abs=4 * np.std(losses) / len(losses) ** 0.5)


def test_noise_alone_is_no_gap_but_looks_like_one():
    luck = np.random.default_rng(2)
    aim = Aim("equal", ("f0", "f1", "f2"), 1.0)
    found = [judged(reading([0, 0, 0], luck), [aim]) for _ in range(400)]
    assert np.mean([one.raw for one in found]) > 0.004
    assert abs(np.mean([one.loss for one in found])) < 0.001


@pytest.mark.parametrize("means", [(0.0, 0.0), (0.0, 0.05), (0.2, 0.25)])
def test_differences_of_losses_are_rarely_missed(means):
    """Two settings on common luck, both near the target or further away: 95 % intervals hold in 95 % of cases."""
    luck = np.random.default_rng(3)
    aim = Aim("at", ("f0",), 1.0, target=0.0)
    held = 0
    for _ in range(1000):
        common = luck.normal(0, 1, (GROUPS, SIZE, 1))
        one, other = (judged(reading([mean], luck, noise=0.5, common=common), [aim]) for mean in means)
        low, high = difference(other, one).interval()
        held += low <= means[1] ** 2 - means[0] ** 2 <= high
    assert held >= 930


def test_common_luck_falls_out_of_a_difference():
    luck = np.random.default_rng(4)
    aim = Aim("high", ("f0",), 1.0)
    common = luck.normal(0, 3, (GROUPS, SIZE, 1))
    one, other = (judged(reading([mean], luck, noise=0.1, common=common), [aim]) for mean in (0.0, 0.5))
    assert difference(other, one).error < 0.1 * weigh([(1.0, one)]).error
    assert difference(other, one).below(0.001)


def test_a_setting_is_no_different_from_itself():
    one = judged(reading([0.2, 0.4], np.random.default_rng(5)), [Aim("equal", ("f0", "f1"), 0.01)])
    found = difference(one, one)
    assert (found.value, found.error) == (0.0, 0.0)
    assert not found.above(0.025) and not found.below(0.025)


def test_figures_that_are_no_shares_are_equal_if_they_are_the_same_part_of_their_mean():
    luck = np.random.default_rng(6)
    aim = Aim("equal", ("f0", "f1"), 0.01, relative=True)
    large, small = (judged(reading([8.0 * by, 12.0 * by], luck, noise=0.01 * by), [aim]).loss for by in (10, 1))
    assert large == pytest.approx(small, rel=0.02) == pytest.approx(400, rel=0.02)


def test_a_gap_is_never_less_than_nothing():
    one = judged(reading([0.0, 0.0], np.random.default_rng(11)), [Aim("equal", ("f0", "f1"), 1.0)])
    found = gap(one, 1.0)
    assert 0 <= found.low <= found.value <= found.high


def test_a_reading_comes_back_bit_for_bit():
    found = reading([0.1, 0.2], np.random.default_rng(8), most=1.0)
    again = Reading.from_json(json.loads(json.dumps(found.json())))
    assert again.names == found.names and again.sizes == found.sizes and again.most == found.most
    assert np.array_equal(again.values, found.values) and np.array_equal(again.without, found.without)


def test_only_settings_that_played_the_same_deals_are_compared():
    found = reading([0.1], np.random.default_rng(9))
    other = Reading(found.names, found.values, found.without[:8], found.most, (SIZE,) * 8)
    with pytest.raises(ValueError, match="same deals"):
        together([("a", found), ("b", other)])
    aims = [Aim("at", ("f0",), 1.0)]
    with pytest.raises(ValueError, match="same deals"):
        difference(judged(found, aims), judged(other, aims))


@pytest.mark.parametrize("share", [0.9, 0.95, 0.975, 0.9999])
@pytest.mark.parametrize("degrees", [1, 7, 63])
def test_points_of_student_are_scipys(share, degrees):
    from scipy.stats import t

    assert student(share, degrees) == pytest.approx(t.ppf(share, degrees), rel=1e-9)


@pytest.mark.parametrize(
    ("loss", "best", "rules", "squared", "share"),
    [(4.0, 1.0, 9.0, True, 0.5), (1.0, 1.0, 9.0, True, 0.0), (5.0, 1.0, 9.0, False, 0.5), (2.0, 3.0, 3.0, False, 0.0)],
)
def test_what_is_lost_of_a_gain_is_told_of_gaps_not_of_their_squares(loss, best, rules, squared, share):
    assert lost_share(loss, best, rules, squared=squared) == pytest.approx(share)


def exactly(value, kind):
    """A figure without any noise, in the eyes of an aim."""
    found = reading([value], np.random.default_rng(0), noise=0.0)
    return judged(found, [Aim(kind, ("f0",), 1.0, target=0.0) if kind == "at" else Aim(kind, ("f0",), 1.0)])


@pytest.mark.parametrize(("kind", "squared"), [("at", True), ("low", False)])
def test_a_setting_falls_short_as_soon_as_it_loses_more_than_its_share(kind, squared):
    best, rules = exactly(1.0, kind), exactly(3.0, kind)
    for value, short in ((1.0, -1), (1.19, -1), (1.2, 0), (1.21, 1), (3.0, 1)):  # a tenth of the gain is at 1.2
        found = shortfall(exactly(value, kind), best, rules, 0.1, squared=squared).value
        assert np.sign(round(found, 9)) == short, value
