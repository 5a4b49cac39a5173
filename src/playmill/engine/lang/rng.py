"""Luck: independent 64-bit streams that are the same on every machine, and nothing else.

A generator is a small record. `stream[k]` is the state of stream k, a SplitMix64 sequence: one for each purpose a game
draws luck for, so that a change of rules that uses one purpose differently leaves the luck of the others as it was.
`Luck` also has room to sort a shuffled deck in; agents have streams only, one for each seat.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from playmill.engine.lang.rule import as_int, as_word, rare, rule

STREAMS = 16
SEATS = 6
#: Most cards one shuffle can take.
HAT_CARDS = 128
_BUCKET_BITS = 7
_BUCKETS = 1 << _BUCKET_BITS

Luck = np.dtype(
    [
        ("stream", np.uint64, (STREAMS,)),
        ("hat", np.uint64, (HAT_CARDS,)),
        ("sorted", np.uint64, (1 + HAT_CARDS,)),  # the first one is 0, below every card
        ("bucket", np.uint8, (_BUCKETS,)),  # all 0 while the hat is empty
    ],
    align=True,
)
Whims = np.dtype([("stream", np.uint64, (SEATS,))], align=True)
#: A stream whose next word is there before it is wanted.
Foreseen = np.dtype([("place", np.uint64), ("word", np.uint64)], align=True)

_ALL_BITS = 0xFFFFFFFFFFFFFFFF
_GOLDEN = 0x9E3779B97F4A7C15
_MIX_1 = 0xBF58476D1CE4E5B9
_MIX_2 = 0x94D049BB133111EB
#: Kept apart from the sequence itself: keys of cards and seeds of games must not repeat a stream's own numbers.
_KEY_STEP = 0xD1342543DE82EF95
_WHIM = 0xA0761D6478BD642F


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
    """A number from 0 to n-1, each exactly equally likely (Lemire's method with rejection); n below 2**31."""
    word = next_word(rng, stream)
    while _favours(word, n):
        word = next_word(rng, stream)
    return as_int(word >> 32) * n >> 32


@rule
def _favours(word: Any, n: int) -> bool:
    """Whether a word is one too many for some of n numbers."""
    low = as_int(word >> 32) * n & 0xFFFFFFFF
    return low < n and low < (0x100000000 - n) % n


@rule
def foresee(ahead: Any, rng: Any, stream: int) -> None:
    """Notes a stream, which itself stays where it is, and its next word (see `foreseen_below`)."""
    ahead.place = rng.stream[stream]
    _foreseen_word(ahead)


@rule
def _foreseen_word(ahead: Any) -> Any:
    """The next word; the one after it is foreseen."""
    word = ahead.word
    place = (ahead.place + _GOLDEN) & _ALL_BITS
    ahead.place = place
    ahead.word = mix(place)
    return word


@rule
def foreseen_below(ahead: Any, n: int) -> int:
    """The same number as `below`, of a stream whose next word is foreseen: a processor need not wait for it.

    The word after that is made while all is done that follows from the number.
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
def seed_luck(rng: Any, seed: int, game: int) -> None:
    """Opens the chance streams of game number `game` of a run; they depend on (seed, game) alone."""
    word = mix((mix(as_word(seed)) + as_word(game) * _KEY_STEP) & _ALL_BITS)
    for stream in range(STREAMS):
        word = (word + _GOLDEN) & _ALL_BITS
        rng.stream[stream] = mix(word)


@rule
def seed_whims(rng: Any, seed: int, game: int) -> None:
    """Opens one stream for the agent of each seat, apart from all chance streams of the same game."""
    word = mix((mix(as_word(seed) ^ _WHIM) + as_word(game) * _KEY_STEP) & _ALL_BITS)
    for seat in range(SEATS):
        word = (word + _GOLDEN) & _ALL_BITS
        rng.stream[seat] = mix(word)


@rule
def empty_hat(rng: Any) -> None:
    """Makes a hat of memory that held something else before; a record of zeros has an empty one."""
    for bucket in range(_BUCKETS):
        rng.bucket[bucket] = 0


@rule
def into_hat(rng: Any, stream: int, place: int, card: int, identity: int) -> None:
    """Puts a card (0 … 255) into the hat, as number `place` of those in it, under a random key of its own.

    The key depends on the stream and on `identity` (a number of this very card), not on what else is in the hat:
    taking one card out of the game leaves the order of the others as it was. Cards leave by `out_of_hat`.
    """
    key = mix((rng.stream[stream] + as_word(identity + 1) * _KEY_STEP) & _ALL_BITS)
    rng.hat[place] = (key & 0xFFFFFFFFFFFFFF00) | as_word(card)
    rng.bucket[as_int(key >> (64 - _BUCKET_BITS))] += 1


@rule
def out_of_hat(rng: Any, stream: int, cards: Any, count: int) -> None:
    """Takes the `count` cards out of the hat in the order of their keys: a fair shuffle."""
    rng.stream[stream] = mix((rng.stream[stream] + _GOLDEN) & _ALL_BITS)
    start = 1
    for bucket in range(_BUCKETS):
        size = rng.bucket[bucket]
        rng.bucket[bucket] = start
        start += size
    for i in range(count):
        word = rng.hat[i]
        bucket = as_int(word >> (64 - _BUCKET_BITS))
        hole = rng.bucket[bucket]
        rng.bucket[bucket] = hole + 1
        rng.sorted[hole] = word
    for bucket in range(_BUCKETS):
        rng.bucket[bucket] = 0
    _put_in_order(rng, count)
    for i in range(count):
        cards[i] = as_int(rng.sorted[i + 1] & as_word(255))


@rule
def _put_in_order(rng: Any, count: int) -> None:
    """Sorts cards that lie in their buckets.

    Going up, the higher one of two neighbours is carried on, without a branch that a processor would have to guess:
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
    """A card goes below all that are higher."""
    while rng.sorted[place - 1] > word:
        rng.sorted[place] = rng.sorted[place - 1]
        place -= 1
    rng.sorted[place] = word


@rule
def shuffle(rng: Any, stream: int, cards: Any, count: int) -> None:
    """Shuffles the first `count` cards (at most 128, values up to 255) in place."""
    for i in range(count):
        into_hat(rng, stream, i, cards[i], i)
    out_of_hat(rng, stream, cards, count)
