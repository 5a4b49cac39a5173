"""Random number streams for rules and agents: SplitMix64, the same numbers on every machine and backend.

A generator is a small record. `stream[k]` is the state of stream k: one for each purpose a game draws numbers for, so
that a change of rules that uses one purpose differently leaves the draws of the others as they were. `GameRng` also
has a shuffle buffer, in which a deck is sorted by random keys; agents have streams only, one for each seat.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from playmill.engine.lang.rule import as_int, as_word, rare, rule

STREAMS = 16
SEATS = 6
#: Most cards of one shuffle.
SHUFFLE_BUFFER_SIZE = 128
_BUCKET_BITS = 7
_BUCKETS = 1 << _BUCKET_BITS

GameRng = np.dtype(
    [
        ("stream", np.uint64, (STREAMS,)),
        ("shuffle_buffer", np.uint64, (SHUFFLE_BUFFER_SIZE,)),
        ("sorted", np.uint64, (1 + SHUFFLE_BUFFER_SIZE,)),  # the first one is 0, below every card
        ("bucket", np.uint8, (_BUCKETS,)),  # all 0 but while cards are put in order
        ("rank", np.uint8, (SHUFFLE_BUFFER_SIZE,)),  # of each card in its bucket, as they came
    ],
    align=True,
)
AgentRng = np.dtype([("stream", np.uint64, (SEATS,))], align=True)
#: A stream whose next word is computed ahead of time.
Foreseen = np.dtype([("place", np.uint64), ("word", np.uint64)], align=True)

_ALL_BITS = 0xFFFFFFFFFFFFFFFF
_GOLDEN = 0x9E3779B97F4A7C15
_MIX_1 = 0xBF58476D1CE4E5B9
_MIX_2 = 0x94D049BB133111EB
#: Kept apart from the sequence itself: keys of cards and seeds of games must not repeat a stream's own numbers.
_KEY_STEP = 0xD1342543DE82EF95
_AGENT_RNG = 0xA0761D6478BD642F


@rule
def mix(word: Any) -> Any:
    """Scrambles 64 bits one-to-one."""
    word = ((word ^ (word >> 30)) * _MIX_1) & _ALL_BITS
    word = ((word ^ (word >> 27)) * _MIX_2) & _ALL_BITS
    return word ^ (word >> 31)


@rule
def next_word(rng: Any, stream: int) -> Any:
    """The next 64 bits of a stream."""
    word = (rng.stream[stream] + _GOLDEN) & _ALL_BITS
    rng.stream[stream] = word
    return mix(word)


@rule
def below(rng: Any, stream: int, n: int) -> int:
    """A uniform integer from 0 to n-1, exactly unbiased (Lemire's method with rejection); n below 2**31."""
    word = next_word(rng, stream)
    while _favours(word, n):
        word = next_word(rng, stream)
    return as_int(word >> 32) * n >> 32


@rule
def _favours(word: Any, n: int) -> bool:
    """Whether a word must be rejected so that all n numbers are equally likely."""
    low = as_int(word >> 32) * n & 0xFFFFFFFF
    return low < n and low < (0x100000000 - n) % n


@rule
def foresee(ahead: Any, rng: Any, stream: int) -> None:
    """Copies a stream and computes its next word ahead (see `foreseen_below`); the stream itself does not move."""
    ahead.place = rng.stream[stream]
    _foreseen_word(ahead)


@rule
def _foreseen_word(ahead: Any) -> Any:
    """Returns the next word and computes the one after it."""
    word = ahead.word
    place = (ahead.place + _GOLDEN) & _ALL_BITS
    ahead.place = place
    ahead.word = mix(place)
    return word


@rule
def foreseen_below(ahead: Any, n: int) -> int:
    """The same number as `below`, from a stream whose next word is computed ahead, so that a processor need not wait.

    The word after that is computed while the caller works with the number.
    """
    word = _foreseen_word(ahead)
    while _favours(word, n):
        word = _foreseen_word(ahead)
    return as_int(word >> 32) * n >> 32


@rule
def happens(rng: Any, stream: int, probability: float) -> bool:
    """True with the given probability."""
    return as_int(next_word(rng, stream) >> 11) < probability * 9007199254740992.0


@rule
def seed_game_rng(rng: Any, seed: int, game: int) -> None:
    """Seeds the streams of game number `game` of a run; they depend on (seed, game) alone."""
    word = mix((mix(as_word(seed)) + as_word(game) * _KEY_STEP) & _ALL_BITS)
    for stream in range(STREAMS):
        word = (word + _GOLDEN) & _ALL_BITS
        rng.stream[stream] = mix(word)


@rule
def seed_agent_rng(rng: Any, seed: int, game: int) -> None:
    """Seeds one stream for the agent of each seat, independent of the streams of the rules."""
    word = mix((mix(as_word(seed) ^ _AGENT_RNG) + as_word(game) * _KEY_STEP) & _ALL_BITS)
    for seat in range(SEATS):
        word = (word + _GOLDEN) & _ALL_BITS
        rng.stream[seat] = mix(word)


@rule
def clear_shuffle_buffer(rng: Any) -> None:
    """Empties the shuffle buffer of uninitialised memory; a record of zeros has an empty one."""
    rng.sorted[0] = 0
    for bucket in range(_BUCKETS):
        rng.bucket[bucket] = 0


@rule
def add_to_shuffle_buffer(rng: Any, stream: int, place: int, card: int, identity: int) -> None:
    """Puts a card (0 … 255) into the shuffle buffer, at index `place`, under a random key of its own.

    The key depends on the stream and on `identity` (a number of this very card), not on the other cards: taking one
    card out of the game leaves the order of the others as it was. `drain_shuffle_buffer` then takes all of them out.
    """
    key = mix((rng.stream[stream] + as_word(identity + 1) * _KEY_STEP) & _ALL_BITS)
    rng.shuffle_buffer[place] = (key & 0xFFFFFFFFFFFFFF00) | as_word(card)


@rule
def drain_shuffle_buffer(rng: Any, stream: int, cards: Any, count: int) -> None:
    """Takes the `count` cards out of the shuffle buffer in the order of their keys: a fair shuffle."""
    rng.stream[stream] = mix((rng.stream[stream] + _GOLDEN) & _ALL_BITS)
    for i in range(count):
        bucket = as_int(rng.shuffle_buffer[i] >> (64 - _BUCKET_BITS))
        rank = rng.bucket[bucket]
        rng.bucket[bucket] = rank + 1
        rng.rank[i] = rank
    start = 1
    for bucket in range(_BUCKETS):
        size = rng.bucket[bucket]
        rng.bucket[bucket] = start
        start += size
    for i in range(count):
        word = rng.shuffle_buffer[i]
        rng.sorted[rng.bucket[as_int(word >> (64 - _BUCKET_BITS))] + rng.rank[i]] = word
    for bucket in range(_BUCKETS):
        rng.bucket[bucket] = 0
    _put_in_order(rng, count)
    for i in range(count):
        cards[i] = as_int(rng.sorted[i + 1] & as_word(255))


@rule
def _put_in_order(rng: Any, count: int) -> None:
    """Sorts cards that lie in their buckets.

    Going up, the higher one of two neighbours is carried on, without a branch that a processor would have to predict:
    that sorts two cards of a bucket. Only where there are more may one have further to go.
    """
    last = rng.sorted[0]
    high = last
    for i in range(1, count + 1):
        word = rng.sorted[i]
        low = min(word, high)
        high = max(word, high)
        rng.sorted[i - 1] = low
        if low < last:
            _move_down(rng, i - 1, low)
            low = last
        last = low
    rng.sorted[count] = high


@rare
def _move_down(rng: Any, place: int, word: Any) -> None:
    """Moves a card below all that are higher."""
    while rng.sorted[place - 1] > word:
        rng.sorted[place] = rng.sorted[place - 1]
        place -= 1
    rng.sorted[place] = word


@rule
def shuffle(rng: Any, stream: int, cards: Any, count: int) -> None:
    """Shuffles the first `count` cards (at most 128, values up to 255) in place."""
    for i in range(count):
        add_to_shuffle_buffer(rng, stream, i, cards[i], i)
    drain_shuffle_buffer(rng, stream, cards, count)
