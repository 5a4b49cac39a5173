"""Intervals over blocks against variances worked out block by block, and by how often they hold the truth."""

from __future__ import annotations

from math import sqrt
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from intervals import CASES, GROUPS, Tally, coverage, grouped, report
from scipy.stats import t

from playmill.stats.block_jackknife import figures, jackknife, moved, over_blocks, share_interval
from playmill.stats.critical_values import t95
from playmill.stats.estimates import Z95, mean, rate, ratio

Numbers = np.ndarray[Any, np.dtype[np.int64]]


def tallies(hits: Numbers, numbers: Numbers | None = None, groups: int = GROUPS) -> tuple[Any, list[int]]:
    """The counts of games by block and rotation, and the blocks of each group."""
    values = numbers if numbers is not None else np.zeros_like(hits)
    sizes = np.bincount(np.arange(len(hits)) % groups, minlength=groups).tolist()
    return grouped((hits, values, np.ones_like(hits)), groups), sizes


def halves(found: dict[str, float]) -> tuple[float, float]:
    return found["value"] - found["low"], found["high"] - found["value"]


@pytest.mark.parametrize("degrees", [1, 2, 5, 15, 30, 63])
def test_t95_is_students(degrees: int) -> None:
    assert t95(degrees) == pytest.approx(t.ppf(0.975, degrees), rel=1e-10)


@given(st.integers(2, GROUPS), st.integers(0, 10**6), st.sampled_from((1, 9, 1000)))
def test_the_error_of_a_mean_is_that_of_the_means_of_blocks(deals: int, seed: int, most: int) -> None:
    numbers = np.random.default_rng(seed).integers(-most, most, (deals, 3))
    counts, sizes = tallies(np.zeros_like(numbers), numbers)
    found = over_blocks(report, counts, sizes)["mean"]
    blocks = numbers.mean(axis=1)
    half = t.ppf(0.975, len(blocks) - 1) * blocks.std(ddof=1) / sqrt(len(blocks))
    assert found["value"] == pytest.approx(blocks.mean())
    variance = jackknife(blocks.mean(), [np.delete(blocks, one).mean() for one in range(deals)], [1] * deals)
    assert variance == pytest.approx(blocks.var(ddof=1) / deals, rel=1e-6, abs=1e-9)
    if half < 1e-9:
        assert found["low"] is found["high"] is None
    else:
        assert min(halves(found)) >= half


@given(st.data())
def test_the_jackknife_of_a_weighted_mean_weighs_groups_by_their_sizes(data: st.DataObject) -> None:
    sizes = data.draw(st.lists(st.integers(1, 9), min_size=2, max_size=8))
    means = data.draw(st.lists(st.floats(-9, 9), min_size=len(sizes), max_size=len(sizes)))
    total = sum(sizes)
    whole = sum(size * value for size, value in zip(sizes, means, strict=True)) / total
    without = [(total * whole - size * value) / (total - size) for size, value in zip(sizes, means, strict=True)]
    # Of a linear figure, what a group moves is its own distance from the whole.
    squares = sum(((value - whole) * size / total) ** 2 for size, value in zip(sizes, means, strict=True))
    expected = squares / (1 - sum((size / total) ** 2 for size in sizes))
    assert jackknife(whole, without, sizes) == pytest.approx(expected, rel=1e-6, abs=1e-12)


def test_a_single_event_says_the_same_in_a_small_group_and_in_a_large_one() -> None:
    sizes = [1] * 28 + [2] * 36
    whole = 1 / sum(sizes)
    small, large = (
        moved(whole, [0.0 if one == group else 1 / (sum(sizes) - size) for one, size in enumerate(sizes)], sizes)
        for group in (0, 63)
    )
    assert small.variance == pytest.approx(large.variance, rel=0.05)
    assert small.third / small.variance**1.5 == pytest.approx(large.third / large.variance**1.5, rel=0.05)
    assert small.third / small.variance**1.5 == pytest.approx(1, rel=0.06)  # as of a Poisson distribution of mean 1


def test_one_group_has_no_error() -> None:
    with pytest.raises(ValueError, match="one group"):
        jackknife(1.0, [1.0], [3])


def test_games_that_are_all_the_same_in_a_block_count_as_one() -> None:
    deals = np.random.default_rng(1).random((50, 1)) < 0.3
    many, one = (over_blocks(report, *tallies(np.repeat(deals, r, axis=1).astype(np.int64)))["rate"] for r in (5, 1))
    assert (many.pop("n"), one.pop("n")) == (250, 50)
    assert many == pytest.approx(one)


def test_a_share_over_many_alike_groups_is_nearly_wilsons() -> None:
    hits = (np.random.default_rng(2).random((64 * 200, 1)) < 0.2).astype(np.int64)
    found = over_blocks(report, *tallies(hits))["rate"]
    plain = rate(int(hits.sum()), len(hits))
    assert found["value"] == plain.value
    # The variance is estimated with 63 degrees of freedom: within 30 % of the true one nearly always.
    assert found["high"] - found["low"] == pytest.approx(plain.high - plain.low, rel=0.3)


@pytest.mark.parametrize("blocks", [2, 7, 64, 1000])
def test_no_hit_is_as_uncertain_as_no_hit_in_so_many_blocks(blocks: int) -> None:
    none, every = (over_blocks(report, *tallies(np.full((blocks, 3), hit)))["rate"] for hit in (0, 1))
    assert (none["low"], none["high"]) == pytest.approx((0, rate(0, blocks).high), rel=1e-5)
    assert (every["low"], every["high"]) == pytest.approx((rate(blocks, blocks).low, 1), rel=1e-5)


def test_a_share_that_is_the_same_in_every_block_leaves_room_for_other_blocks() -> None:
    hits = np.tile([1, 0, 0], (100, 1))
    found = over_blocks(report, *tallies(hits))["rate"]
    others = Z95**2 / (100 + Z95**2)
    assert found["low"] == pytest.approx((1 - others) / 3)
    assert found["high"] == pytest.approx((1 - others) / 3 + others)


def test_one_block_says_nothing_of_a_share_and_is_one_observation_of_a_mean() -> None:
    counts, sizes = tallies(np.array([[1, 0, 1]]), np.array([[4, 6, 8]]))
    found = over_blocks(report, counts, sizes)
    assert (found["rate"]["low"], found["rate"]["high"]) == (0, 1)
    assert found["mean"]["low"] is found["mean"]["high"] is None


def test_what_only_one_group_has_is_not_made_certain_by_the_others() -> None:
    def of_hits(counts: np.void) -> dict[str, Any]:
        return {"given": rate(0, counts["hits"]).json()}

    one, two = np.zeros((64, 3), np.int64), np.zeros((64, 3), np.int64)
    one[5] = 1
    two[5] = two[40] = 1
    alone, both = (over_blocks(of_hits, *tallies(hits))["given"] for hits in (one, two))
    assert (alone["low"], alone["high"]) == (0, 1)
    assert (both["low"], both["high"]) == pytest.approx((0, rate(0, 2).high), rel=1e-5)
    none = over_blocks(of_hits, *tallies(np.zeros((64, 3), np.int64)))["given"]
    assert none == {"value": None, "low": None, "high": None, "n": 0}


def test_a_divided_share_stays_within_its_part() -> None:
    def halved(counts: np.void) -> dict[str, Any]:
        return {"seats": [rate(counts["hits"], counts["games"]).over(2).json()], "all": report(counts)["rate"]}

    for hits in (np.ones((9, 2), np.int64), (np.random.default_rng(3).random((9, 2)) < 0.9).astype(np.int64)):
        found = over_blocks(halved, *tallies(hits))
        (half,), whole = found["seats"], found["all"]
        assert {key: end if key == "n" else 2 * end for key, end in half.items()} == pytest.approx(whole)


def test_intervals_are_found_at_any_depth_and_nothing_else_is_touched() -> None:
    def deep(counts: np.void) -> dict[str, Any]:
        centre = mean(counts["games"], counts["total"], counts["squares"]).json()
        return {
            "games": int(counts["games"]),
            "by_seat": [{"hits": int(counts["hits"]), **rate(counts["hits"], counts["games"]).json()}],
            "turns": {"mean": centre["value"], "low": centre["low"], "high": centre["high"], "median": 3.0},
            "added": {end: 2 * value for end, value in centre.items()},
            "bounds": {"low": 1, "high": 2},
            "name": {"en": "a", "ru": "б"},
        }

    rng = np.random.default_rng(4)
    hits, numbers = (rng.integers(0, most, (40, 3)) for most in (2, 9))
    counts, sizes = tallies(hits, numbers)
    found = over_blocks(deep, counts, sizes)
    plain = deep(counts.view(np.int64).reshape(GROUPS, -1).sum(axis=0).view(Tally)[0])
    assert list(figures(found)) == [("by_seat", 0), ("turns",), ("added",)]
    for key in ("games", "bounds", "name"):
        assert found[key] == plain[key]
    assert found["by_seat"][0]["hits"] == plain["by_seat"][0]["hits"]
    assert found["turns"]["median"] == 3.0
    assert found["turns"]["low"] != plain["turns"]["low"]
    # A number that was worked out from others forgets how it was measured: it gets the interval of a mean.
    assert halves(found["added"]) == pytest.approx(
        tuple(2 * half for half in halves({**found["turns"], "value": found["turns"]["mean"]}))
    )
    assert list(found) == list(plain)


@given(st.integers(1, 150), st.integers(0, 10**6), st.floats(0, 1), st.sampled_from((2, 3, 16, GROUPS)))
def test_intervals_hold_their_value_and_those_of_shares_stay_within_0_and_1(
    deals: int, seed: int, share: float, groups: int
) -> None:
    rng = np.random.default_rng(seed)
    hits = (rng.random((deals, 3)) < share * rng.random((deals, 1))).astype(np.int64)
    numbers = rng.integers(0, 40, (deals, 3))
    found = over_blocks(report, *tallies(hits, numbers, groups))
    for one in figures(found).values():
        if one["low"] is not None:
            assert one["low"] <= one["value"] + 1e-12 and one["value"] <= one["high"] + 1e-12
    assert 0 <= found["rate"]["low"] < found["rate"]["high"] <= 1


@given(st.integers(2, 40), st.integers(0, 100), st.randoms(use_true_random=False))
def test_the_order_of_groups_does_not_matter(blocks: int, seed: int, random: Any) -> None:
    rng = np.random.default_rng(seed)
    counts, sizes = tallies(rng.integers(0, 2, (blocks, 3)), rng.integers(0, 9, (blocks, 3)), 8)
    order = list(range(8))
    random.shuffle(order)
    found, other = over_blocks(report, counts, sizes), over_blocks(report, counts[order], [sizes[i] for i in order])
    for key, one in found.items():
        assert one == pytest.approx(other[key], abs=1e-12)


@given(st.floats(0.001, 0.999), st.floats(1e-9, 0.2), st.integers(1, 63), st.integers(2, 10**6))
def test_a_share_with_a_larger_error_has_a_wider_interval(share: float, variance: float, degrees: int, n: int) -> None:
    assume(variance < share * (1 - share))
    low, high = share_interval(share, variance, degrees, n)
    wider = share_interval(share, 1.5 * variance, degrees, n)
    assert 0 <= wider[0] <= low < share < high <= wider[1] <= 1
    if degrees >= 9:
        assert wider[1] - wider[0] > high - low


def test_a_ratio_over_many_blocks_of_one_game_is_that_of_the_delta_method() -> None:
    rng = np.random.default_rng(6)
    turns = rng.integers(3, 20, (6400, 1))
    points = 30 * turns + rng.integers(0, 200, (6400, 1))
    counts = grouped((np.zeros_like(turns), points, turns))
    found = over_blocks(report, counts, [100] * GROUPS)["ratio"]
    plain = ratio(
        6400,
        (int(points.sum()), int((points**2).sum())),
        (int(turns.sum()), int((turns**2).sum())),
        int((points * turns).sum()),
    )
    assert found["value"] == plain.value
    assert found["high"] - found["low"] == pytest.approx(plain.high - plain.low, rel=0.3)


@pytest.mark.parametrize("blocks", [5, pytest.param(64, marks=pytest.mark.long)])
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_the_truth_is_held_as_often_as_promised(case: Any, blocks: int) -> None:
    for one in coverage(case, blocks, 200, seed=blocks):
        # 95 % of 200, less three standard errors.
        assert one.held >= 0.904, one


def test_intervals_over_single_games_would_not_hold_it() -> None:
    leans = coverage(CASES[0], 64, 200, seed=1)
    assert max(one.held_by_games for one in leans if one.figure != "rate") < 0.85
