"""Who finishes before whom."""

from __future__ import annotations

import numpy as np
import pytest

from playmill.stats.differences import holm
from playmill.stats.head_to_head import HeadToHead, circles


def test_a_draw_is_half_a_point_and_a_shared_last_place_says_nothing() -> None:
    ranks = np.array([[[0, 1, 1], [0, 0, 2], [1, 1, 0], [0, 0, 0], [1, 0, 2]]])
    first = HeadToHead.of(ranks, 0, 1)
    assert (first.wins, first.draws, first.losses) == (1, 2, 1)
    assert first.taken.tolist() == [2.0]
    assert first.played.tolist() == [4.0]
    last = HeadToHead.of(ranks, 1, 2)
    assert (last.wins, last.draws, last.losses) == (2, 1, 1)


def test_shares_have_intervals_over_deals() -> None:
    alike = np.tile([[[0, 1], [0, 1]], [[1, 0], [1, 0]]], (50, 1, 1))
    crossed = np.tile([[[0, 1], [1, 0]]], (100, 1, 1))
    wide, narrow = HeadToHead.of(alike, 0, 1).share, HeadToHead.of(crossed, 0, 1).share
    assert wide.value == narrow.value == 0.5
    assert wide.high - wide.low > 3 * (narrow.high - narrow.low)
    assert HeadToHead.of(crossed[:0], 0, 1).share.n == 0


def test_few_deals_that_all_went_one_way_are_no_certainty() -> None:
    swept = np.tile([[[0, 1], [0, 1]]], (3, 1, 1))
    assert HeadToHead.of(swept, 0, 1).chance > 0.05
    assert HeadToHead.of(np.tile(swept, (20, 1, 1)), 0, 1).chance < 1e-6
    assert HeadToHead.of(swept[:1], 0, 1).chance == 1.0


@pytest.mark.parametrize(("deals", "alike"), [(8, 0.8), (16, 0.8), (30, 0.0), (50, 0.8)])
def test_equal_players_are_told_apart_in_five_percent_of_contests(deals: int, alike: float) -> None:
    """Of four equals, whose two games of a deal often end alike."""
    luck = np.random.Generator(np.random.PCG64(1))
    wrong = 0
    for _ in range(400):
        first = luck.integers(0, 2, (6, deals, 2))
        first[..., 1] = np.where(luck.random((6, deals)) < alike, first[..., 0], first[..., 1])
        wrong += min(holm([HeadToHead.of(np.stack([one, 1 - one], axis=2), 0, 1).chance for one in first])) < 0.05
    assert wrong <= 33  # 20 are expected, more than 33 in one of a thousand such tests


@pytest.mark.parametrize(
    ("edges", "found"),
    [
        ([(0, 1), (1, 2), (0, 2)], []),
        ([(0, 1), (1, 2), (2, 0)], [(0, 1, 2)]),
        ([(0, 1), (1, 2), (2, 0), (2, 3), (3, 1)], [(0, 1, 2), (1, 2, 3)]),
        ([(0, 1), (1, 2), (2, 3), (3, 0)], [(0, 1, 2, 3)]),
    ],
)
def test_circles_are_named_once(edges: list[tuple[int, int]], found: list[tuple[int, ...]]) -> None:
    beats = np.zeros((4, 4), np.bool_)
    for one, other in edges:
        beats[one, other] = True
    assert circles(beats) == found
