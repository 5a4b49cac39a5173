"""Differences over blocks, against known answers."""

from __future__ import annotations

from math import sqrt

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from playmill.stats.block_jackknife import leave_out
from playmill.stats.critical_values import two_sided
from playmill.stats.differences import holm, paired
from playmill.stats.estimates import mean, rate

TALLY = np.dtype([("n", np.int64), ("sum", np.int64), ("squares", np.int64), ("hits", np.int64)])


def report(counts):
    return {
        "points": mean(counts["n"], counts["sum"], counts["squares"]).json(),
        "won": rate(counts["hits"], counts["n"]).json(),
    }


def groups_of(points, hits):
    """One block a group."""
    made = np.zeros(len(points), TALLY)
    made["n"], made["sum"], made["squares"], made["hits"] = 1, points, np.square(points), hits
    return leave_out(report, made, [1] * len(points))


def test_of_a_mean_it_is_the_paired_test_of_student():
    luck = np.random.default_rng(1)
    deal = luck.integers(0, 1000, 40)
    a, b = deal + luck.integers(0, 20, 40), deal + luck.integers(5, 25, 40)
    found = paired(groups_of(a, a % 2), groups_of(b, b % 2))[("points",)]
    known = stats.ttest_rel(b, a)
    interval = known.confidence_interval(0.95)
    assert found.value == pytest.approx((b - a).mean())
    # A little wider, and a little less sure: it reckons with one more deal.
    assert found.low < interval.low < found.value < interval.high < found.high
    assert found.high - found.low == pytest.approx(interval.high - interval.low, rel=0.45)
    assert known.pvalue < found.p < 10 * known.pvalue


def test_what_the_common_luck_removes_is_told():
    luck = np.random.default_rng(2)
    deal = luck.integers(0, 1000, 64)
    noise = luck.integers(0, 10, (2, 64))
    found = paired(groups_of(deal + noise[0], deal % 2), groups_of(deal + noise[1], deal % 2))[("points",)]
    apart = np.var(deal + noise[0], ddof=1) + np.var(deal + noise[1], ddof=1)
    assert found.removed == pytest.approx(1 - np.var(noise[1] - noise[0], ddof=1) / apart)
    assert found.removed > 0.99


def test_nothing_differs_of_runs_that_are_the_same():
    points = np.arange(30)
    found = paired(groups_of(points, points % 3 == 0), groups_of(points, points % 3 == 0))
    assert not any(one.real for one in found.values())
    # As many deals as were not seen may still differ.
    for one in found.values():
        assert one.low < 0 < one.high and one.p == 1


def test_a_difference_that_all_deals_have_is_real():
    points = np.zeros(30, np.int64)
    found = paired(groups_of(points, points), groups_of(points + 1, points))
    assert found[("points",)].real
    assert 0 < found[("points",)].low < 1 < found[("points",)].high < 1.5
    # All deals alike is as unlikely as so many coins that fall alike, not impossible.
    assert found[("points",)].p > 0


def test_one_group_says_nothing():
    found = paired(groups_of([5], [0]), groups_of([9], [1]))
    assert not any(one.tested or one.real for one in found.values())
    assert found[("won",)].json()["difference"] == {"value": 1.0, "low": None, "high": None}


def offered_report(counts):
    """A share of the games that have something, which may be none."""
    return {"given": rate(counts["hits"], counts["n"]).json()}


def side_of(offered, applied):
    made = np.zeros(len(offered), TALLY)
    made["n"], made["hits"] = offered, applied
    return leave_out(offered_report, made, [1] * len(offered))


def test_a_figure_that_one_side_does_not_have_is_undefined_and_never_tested():
    nothing, something = np.zeros(40, np.int64), np.ones(40, np.int64)
    found = paired(side_of(nothing, nothing), side_of(something, something))[("given",)]
    assert not found.tested and not found.real
    assert found.json()["a"] is None and found.json()["difference"]["value"] is None
    assert found.json()["n"] == [0, 40]
    assert paired(side_of(nothing, nothing), side_of(nothing, nothing)) == {}


@pytest.mark.parametrize(("seen", "tested"), [(1, False), (3, False), (9, False), (10, True)])
def test_a_figure_that_few_games_have_is_not_called_different(seen, tested):
    """Offered one to nine times and never moved by any group: it was called different with p = 2^-deals."""
    few = (np.arange(100) < seen).astype(np.int64)
    found = paired(side_of(few, 0 * few), side_of(few, few))[("given",)]
    assert found.value == 1.0
    assert found.tested is tested
    assert found.real is tested


def test_what_is_not_tested_is_not_counted_by_holm():
    points, few = np.arange(40) % 7, (np.arange(40) < 3).astype(np.int64)

    def both(counts):
        return {**report(counts), "given": rate(counts["squares"], counts["hits"]).json()}

    def side(hits):
        made = np.zeros(40, TALLY)
        made["n"], made["sum"], made["squares"], made["hits"] = 1, points, hits, few
        return leave_out(both, made, [1] * 40)

    found = paired(side(0 * few), side(few))
    assert found[("given",)].adjusted is None
    assert found[("won",)].adjusted is not None


def test_runs_of_other_deals_are_refused():
    with pytest.raises(ValueError, match="same deals"):
        paired(groups_of([1, 2], [0, 0]), groups_of([1, 2, 3], [0, 0, 0]))


def test_holm_by_hand():
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert holm([]) == []


@settings(deadline=None)
@given(st.lists(st.floats(0, 1), min_size=1, max_size=30))
def test_holm_never_makes_a_chance_smaller_and_keeps_their_order(chances):
    found = holm(chances)
    assert all(p <= corrected <= 1 for p, corrected in zip(chances, found, strict=True))
    order = np.argsort(chances, kind="stable")
    assert (np.diff(np.array(found)[order]) >= 0).all()
    assert min(found) == pytest.approx(min(1, len(chances) * min(chances)))


@pytest.mark.parametrize(("t", "degrees"), [(0.0, 5), (1.5, 1), (-3.2, 63), (40.0, 10)])
def test_chances_of_student(t, degrees):
    assert two_sided(t, degrees) == pytest.approx(2 * stats.t.sf(abs(t), degrees), rel=1e-6)


def test_with_nothing_to_find_something_is_called_real_in_five_of_a_hundred_at_most():
    """Twenty figures of correlated games, no difference: a small version of tools/comparisons.py."""
    luck = np.random.default_rng(3)
    wrong = 0
    for _ in range(60):
        deal = luck.integers(0, 50, 64)
        sides = [deal + luck.integers(0, 50, 64) for _ in range(2)]
        found = paired(*(groups_of(side, side > 60) for side in sides))
        wrong += any(one.real for one in found.values())
    assert wrong <= 3 + 3 * sqrt(60 * 0.05)
