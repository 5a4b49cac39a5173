"""The row saved of a finished game of Save Oneself, and the tally over many games."""

from __future__ import annotations

from typing import Any

import numpy as np

from playmill.author import count_in, rule
from playmill.games.save_oneself.constants import BY_SOS, CARDS, FRONT_IDS, MAX_LIVES, MAX_POINTS, ROUNDS
from playmill.games.save_oneself.rules import is_won, score

#: In the order of the endings in the rules.
ENDINGS = ("sos", "beacon", "message", "lives", "ship", "deck")
WINS = 3
#: The longest game the config allows: a round costs a life, and lives are full again at most as often as a card is
#: revealed or turned over; two of the cards can turn back once.
MAX_ROUNDS = MAX_LIVES * (1 + CARDS + CARDS + 2)
MAX_SCORE = CARDS * MAX_POINTS + MAX_LIVES + CARDS
MAX_SHIPS = 2
_ROUND_NAMES = tuple(str(number) for number in range(1, ROUNDS + 1))

Outcome = np.dtype(
    [
        ("decisions", np.int32),
        ("ended_by", np.int8),
        ("won", np.int8),
        ("lives", np.int8),
        ("cards_placed", np.int8),
        ("ships", np.int8),
        ("score", np.int16),
        ("rounds", np.int16),
        ("turned", np.int8, (CARDS,)),  # whether each card showed its front at some time
        ("lives_at", np.int8, (ROUNDS,)),  # as each round began; 0 if the game did not come so far
    ],
    align=True,
    metadata={
        "seats": (),
        "values": {"ended_by": ENDINGS},
        "places": {"turned": FRONT_IDS, "lives_at": _ROUND_NAMES},
    },
)

Tally = np.dtype(
    [
        ("games", np.int64),
        ("decisions", np.int64),
        ("decisions_squared", np.int64),
        ("ended_by", np.int64, (len(ENDINGS),)),
        # By value, from 0; the last place is for any other (see `count_in`).
        ("score", np.int64, (MAX_SCORE + 2,)),
        ("rounds", np.int64, (MAX_ROUNDS + 2,)),
        ("cards_placed", np.int64, (CARDS + 2,)),
        ("ships", np.int64, (MAX_SHIPS + 2,)),
        ("turned", np.int64, (CARDS,)),
        ("turned_and_won", np.int64, (CARDS,)),
        # By round: the games that came so far, and the lives as it began, added up.
        ("reached", np.int64, (ROUNDS,)),
        ("lives", np.int64, (ROUNDS,)),
        ("lives_squared", np.int64, (ROUNDS,)),
    ],
    align=True,
)


@rule
def outcome(cfg: Any, s: Any, row: Any) -> None:
    """Writes the row of a finished game, all of it: on a GPU it holds anything before."""
    row.ended_by = s.ending - BY_SOS
    row.won = 1 if is_won(s) else 0
    row.lives = s.lives
    row.cards_placed = s.placed
    row.ships = s.ships
    row.score = score(cfg, s)
    row.rounds = s.rounds
    for card in range(CARDS):
        row.turned[card] = s.overturned >> card & 1
    for number in range(ROUNDS):
        row.lives_at[number] = s.lives_at[number]


@rule
def tally(row: Any, agents: Any, counts: Any) -> None:
    """Adds one game to the counts."""
    counts.games += 1
    counts.decisions += row.decisions
    counts.decisions_squared += int(row.decisions) * row.decisions
    counts.ended_by[row.ended_by] += 1
    count_in(counts.score, row.score)
    count_in(counts.rounds, row.rounds)
    count_in(counts.cards_placed, row.cards_placed)
    count_in(counts.ships, row.ships)
    for card in range(CARDS):
        counts.turned[card] += row.turned[card]
    if row.won != 0:
        for card in range(CARDS):
            counts.turned_and_won[card] += row.turned[card]
    for number in range(min(row.rounds, ROUNDS)):
        lives = row.lives_at[number]
        counts.reached[number] += 1
        counts.lives[number] += lives
        counts.lives_squared[number] += lives * lives
