"""How games are handed out: every one once, chunks whole, tasks of some seconds."""

from __future__ import annotations

import random

import pytest

from playmill.lab.runs.executors.span_queue import LONGEST, SHORTEST, SpanQueue


@pytest.mark.parametrize("seed", range(20))
def test_every_game_is_handed_out_once_in_whole_chunks(seed):
    chance = random.Random(seed)
    chunk = chance.choice([16, 256, 1000])
    ranges = [range(0, 7 * chunk), range(9 * chunk, 10 * chunk), range(20 * chunk, 300 * chunk + 5)]
    spans = SpanQueue(ranges, chunk, workers=chance.randint(1, 9))
    played: list[int] = []
    while spans.games:
        span = spans.take(chance.randint(0, 50 * chunk), chance.random() * 10 * chunk)
        assert any(games.start <= span.start and span.stop <= games.stop for games in ranges)
        assert span.start % chunk == 0
        assert span.stop % chunk == 0 or span.stop == ranges[-1].stop
        played += span
    assert spans.take() is None
    assert played == [game for games in ranges for game in games]


@pytest.mark.parametrize(("workers", "seconds"), [(1, SHORTEST), (250, SHORTEST), (1000, 20.0), (10_000, LONGEST)])
def test_a_task_takes_longer_the_more_workers_there_are(workers, seconds):
    spans = SpanQueue([range(0, 10**12)], 1 << 14, workers)
    assert spans.seconds == seconds
    rate = 200_000.0
    assert len(spans.take(last=10**9, rate=rate)) == pytest.approx(seconds * rate, abs=1 << 14)


def test_the_first_task_is_one_chunk_and_the_next_ones_grow():
    spans = SpanQueue([range(0, 10**12)], 1 << 14, workers=2)
    sizes = [len(spans.take())]
    for _ in range(3):
        sizes.append(len(spans.take(last=sizes[-1], rate=1e9)))
    assert sizes == [(1 << 14) * 8**step for step in range(4)]


def test_the_last_tasks_are_small_so_that_workers_end_together():
    spans = SpanQueue([range(0, 80_000)], 1000, workers=4)
    sizes = []
    while (span := spans.take(last=10**9, rate=1e9)) is not None:
        sizes.append(len(span))
    assert sizes[0] == 10_000
    assert sizes == sorted(sizes, reverse=True)
    assert sizes[-8:] == [1000] * 8


def test_long_spans_end_at_the_edges_of_blocks():
    chunk = 1 << 14
    blocks = [chunk, 16 * chunk, 256 * chunk]
    spans = SpanQueue([range(5 * chunk, 10**12)], chunk, 2, blocks)
    first = spans.take(10**7, 40 * chunk / SHORTEST)
    assert first == range(5 * chunk, 32 * chunk)
    second = spans.take(10**7, 40 * chunk / SHORTEST)
    assert second == range(32 * chunk, 64 * chunk)
    third = spans.take(10**9, 600 * chunk / SHORTEST)
    assert third == range(64 * chunk, 512 * chunk)
    assert len(spans.take(chunk, 3 * chunk / SHORTEST)) == 3 * chunk
