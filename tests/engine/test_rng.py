"""Luck: known values, fairness, independence, the same numbers interpreted and compiled."""

from __future__ import annotations

from collections import Counter
from itertools import permutations

import numpy as np
import pytest
from scipy import stats

from playmill.engine.lang import rng
from playmill.engine.lang.record import plain
from playmill.engine.lang.rule import interpreted


def luck(seed: int = 1, game: int = 0):
    array = np.zeros(1, rng.GameRng)
    record = plain(array)[0]
    interpreted(rng.seed_game_rng)(record, seed, game)
    return array, record


def test_a_stream_is_the_published_splitmix64_sequence():
    _, record = luck()
    record.stream[0] = 1234567
    draw = interpreted(rng.next_word)
    assert [draw(record, 0) for _ in range(3)] == [6457827717110365317, 3203168211198807973, 9817491932198370423]


@pytest.mark.parametrize("n", [1, 2, 3, 5, 6, 7, 10, 56, 100])
def test_below_is_uniform(n):
    _, record = luck(n)
    below = interpreted(rng.below)
    counts = Counter(below(record, 3, n) for _ in range(200 * n + 200))
    assert set(counts) == set(range(n))
    if n > 1:
        assert stats.chisquare([counts[i] for i in range(n)]).pvalue > 1e-4


def test_below_rejects_what_would_be_unfair():
    """With n = 3·2^29 a third of the values would come up twice as often without rejection."""
    _, record = luck(4)
    below = interpreted(rng.below)
    n = 3 << 29
    thirds = Counter(below(record, 0, n) * 3 // n for _ in range(6000))
    assert stats.chisquare([thirds[i] for i in range(3)]).pvalue > 1e-4


def test_happens_with_its_probability():
    _, record = luck(9)
    happens = interpreted(rng.happens)
    for probability in (0.0, 0.3, 0.5, 1.0):
        hits = sum(happens(record, 0, probability) for _ in range(3000))
        assert stats.binomtest(hits, 3000, probability).pvalue > 1e-4


def test_every_order_of_a_shuffle_is_equally_likely():
    _array, record = luck(2)
    cards = np.zeros(4, np.int8)
    seen: Counter[tuple[int, ...]] = Counter()
    for _ in range(4800):
        cards[:] = range(4)
        interpreted(rng.shuffle)(record, 1, plain(cards), 4)
        seen[tuple(cards.tolist())] += 1
    orders = list(permutations(range(4)))
    assert set(seen) == set(orders)
    assert stats.chisquare([seen[order] for order in orders]).pvalue > 1e-4


@pytest.mark.parametrize("n", [2, 3, 25, 2**31 - 1, 3 * 2**29])
def test_numbers_of_a_foreseen_stream_are_those_of_the_stream(n):
    agent_rng = plain(np.zeros(1, rng.AgentRng))[0]
    interpreted(rng.seed_agent_rng)(agent_rng, 4, 9)
    ahead = plain(np.zeros(1, rng.Foreseen))[0]
    interpreted(rng.foresee)(ahead, agent_rng, 3)
    foreseen = [interpreted(rng.foreseen_below)(ahead, n) for _ in range(200)]
    assert foreseen == [interpreted(rng.below)(agent_rng, 3, n) for _ in range(200)]
    assert ahead.place - rng._GOLDEN & rng._ALL_BITS == agent_rng.stream[3], "one word ahead, whatever was rejected"


@pytest.mark.parametrize("count", [1, 2, 63, 64, 65, 128])
def test_a_shuffle_keeps_all_cards(count):
    _, record = luck(3)
    cards = np.arange(count, dtype=np.int16)
    interpreted(rng.shuffle)(record, 0, plain(cards), count)
    assert sorted(cards.tolist()) == list(range(count))


def test_a_shuffle_in_memory_that_others_have_used_is_the_same():
    orders = []
    for left_over in (0, 0xFF):  # as a GPU hands it out
        array = np.full(rng.GameRng.itemsize, left_over, np.uint8).view(rng.GameRng)
        record, cards = plain(array)[0], np.arange(60, dtype=np.int16)
        interpreted(rng.clear_shuffle_buffer)(record)
        interpreted(rng.seed_game_rng)(record, 4, 0)
        for _ in range(2):
            interpreted(rng.shuffle)(record, 0, plain(cards), 60)
        orders.append(cards.tolist())
    assert orders[0] == orders[1]


def test_taking_one_card_out_leaves_the_order_of_the_others():
    orders = []
    for missing in (-1, 17):
        _, record = luck(5)
        place = 0
        for card in range(40):
            if card != missing:
                interpreted(rng.add_to_shuffle_buffer)(record, 2, place, card, card)
                place += 1
        cards = np.zeros(40, np.int16)
        interpreted(rng.drain_shuffle_buffer)(record, 2, plain(cards), place)
        orders.append(cards[:place].tolist())
    assert [card for card in orders[0] if card != 17] == orders[1]


def test_a_shuffle_orders_cards_by_their_keys_however_many_share_a_bucket():
    _, record = luck()
    into, out = interpreted(rng.add_to_shuffle_buffer), interpreted(rng.drain_shuffle_buffer)
    cards = plain(np.zeros(rng.SHUFFLE_BUFFER_SIZE, np.uint8))
    out(record, 2, cards, 0)
    crowds = 0
    for seed in range(40):
        interpreted(rng.seed_game_rng)(record, seed, 0)
        for place in range(rng.SHUFFLE_BUFFER_SIZE):
            into(record, 2, place, place, place)
        words = [record.shuffle_buffer[place] for place in range(rng.SHUFFLE_BUFFER_SIZE)]
        crowds += max(Counter(word >> 57 for word in words).values()) > 3
        out(record, 2, cards, rng.SHUFFLE_BUFFER_SIZE)
        assert [cards[place] for place in range(rng.SHUFFLE_BUFFER_SIZE)] == [word & 255 for word in sorted(words)]
    assert crowds > 30, "few buckets with many cards"


def test_two_shuffles_of_one_stream_differ():
    _, record = luck(6)
    orders = []
    for _ in range(2):
        cards = np.arange(30, dtype=np.int16)
        interpreted(rng.shuffle)(record, 0, plain(cards), 30)
        orders.append(cards.tolist())
    assert orders[0] != orders[1]


def test_streams_games_seeds_and_whims_are_all_different():
    words = set()
    for seed in (-1, 0, 1, 2**62):
        for game in (0, 1, 2**40):
            array, _ = luck(seed, game)
            agent_rng = np.zeros(1, rng.AgentRng)
            interpreted(rng.seed_agent_rng)(plain(agent_rng)[0], seed, game)
            words |= set(array["stream"][0].tolist()) | set(agent_rng["stream"][0].tolist())
    assert len(words) == 4 * 3 * (rng.STREAMS + rng.SEATS)


def test_interpreted_and_compiled_luck_are_the_same():
    arrays = []
    for run in (lambda f: f, interpreted):
        array = np.zeros(1, rng.GameRng)
        cards = np.arange(60, dtype=np.int16)
        record = plain(array)[0] if run is interpreted else array[0]
        run(rng.seed_game_rng)(record, -77, 12345)
        run(rng.shuffle)(record, 3, plain(cards) if run is interpreted else cards, 60)
        drawn = [int(run(rng.below)(record, 2, 1000)) for _ in range(50)]
        arrays.append((array["stream"].tolist(), cards.tolist(), drawn))
    assert arrays[0] == arrays[1]
