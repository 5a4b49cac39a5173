"""The row saved of a finished match of Dice, and the tally over many matches."""

from __future__ import annotations

from typing import Any

import numpy as np

from playmill.author import count_in, rare, rule
from playmill.games.dice.constants import DICE, EFFECTS, MAX_TURNS, PLAYERS

#: What is measured of a side in a match.
TURNS, POINTS, ROLLS, HOT_DICE = range(4)
MEASURES = 4
#: The sides measured: each agent alone (by its number), and both seats together.
BOTH = PLAYERS
SIDES = PLAYERS + 1
#: What content and dice are measured by.
FIRED, MOVED = range(2)
#: Squares and products of many long matches outgrow 64 bits, so their sums are kept in two halves.
HALVES = 2
_HALF, _LOW_HALF = 32, 0xFFFFFFFF
#: The square of a larger number leaves 64 bits; such numbers are counted, and no report is made of them.
LARGEST = 3_000_000_000
_POSITIONS = tuple("123456")

Outcome = np.dtype(
    [
        ("decisions", np.int32),
        ("turns", np.int32),
        ("winner", np.int32),  # the seat; -1 in a draw
        ("total", np.int32, (PLAYERS,)),
        ("seat_turns", np.int32, (PLAYERS,)),
        ("rolls", np.int32, (PLAYERS,)),
        ("hot_dice", np.int32, (PLAYERS,)),
        ("throws", np.int32, (DICE,)),  # by number of dice thrown, one first
        ("busts", np.int32, (DICE,)),
        ("fired", np.int32, (EFFECTS,)),
        ("moved", np.int64, (EFFECTS,)),
        ("die_throws", np.int32, (PLAYERS, DICE)),
        ("die_points", np.int64, (PLAYERS, DICE)),  # in sixtieths
    ],
    align=True,
    metadata={
        "seats": ("total", "seat_turns", "rolls", "hot_dice", "die_throws", "die_points"),
        "places": dict.fromkeys(("throws", "busts", "die_throws", "die_points"), _POSITIONS),
    },
)
Tally = np.dtype(
    [
        ("games", np.int64),
        ("decisions", np.int64),
        ("decisions_squared", np.int64),
        ("draws", np.int64),
        ("wins", np.int64, (PLAYERS,)),  # by seat
        ("agent_wins", np.int64, (PLAYERS,)),
        ("beyond", np.int64),  # numbers larger than LARGEST, whose squares are wrong
        # By value, from 0; the last place is for any other (see `count_in`).
        ("turns", np.int64, (MAX_TURNS + 2,)),
        ("winner_turns", np.int64, (MAX_TURNS + 2,)),
        ("sums", np.int64, (PLAYERS, MEASURES)),  # by agent
        ("squares", np.int64, (SIDES, MEASURES, HALVES)),
        ("with_turns", np.int64, (SIDES, MEASURES, HALVES)),  # products with the turns of the side; of these none
        ("throws", np.int64, (DICE,)),
        ("busts", np.int64, (DICE,)),
        ("fired", np.int64, (EFFECTS,)),
        ("moved", np.int64, (EFFECTS,)),
        ("effect_squares", np.int64, (2, EFFECTS, HALVES)),  # of FIRED and MOVED
        ("die_throws", np.int64, (PLAYERS, DICE)),
        ("die_points", np.int64, (PLAYERS, DICE)),
        # By player and pair of positions, the first one not behind the second: dice of a kind are told together.
        ("die_throw_products", np.int64, (PLAYERS, DICE * DICE, HALVES)),
        ("die_point_products", np.int64, (PLAYERS, DICE * DICE, HALVES)),
    ],
    align=True,
)


@rule
def outcome(cfg: Any, s: Any, row: Any) -> None:
    """Writes the row of a finished match."""
    row.turns = s.turns
    row.winner = s.winner
    for player in range(PLAYERS):
        row.total[player] = s.total[player]
        row.seat_turns[player] = s.seat_turns[player]
        row.rolls[player] = s.seat_rolls[player]
        row.hot_dice[player] = s.seat_hot[player]
        if cfg.content != 0 or cfg.loaded[player] != 0:
            for position in range(DICE):
                row.die_throws[player, position] = s.die_throws[player, position]
                row.die_points[player, position] = s.die_points[player, position]
    for count in range(DICE):
        row.throws[count] = s.throws[count + 1]
        row.busts[count] = s.busts[count + 1]
    if cfg.content != 0:
        for entry in range(EFFECTS):
            row.fired[entry] = s.fired[entry]
            row.moved[entry] = s.moved[entry]


@rule
def tally(row: Any, agents: Any, counts: Any) -> None:
    """Adds one match to the counts."""
    counts.games += 1
    counts.decisions += row.decisions
    counts.decisions_squared += int(row.decisions) * row.decisions
    count_in(counts.turns, row.turns)
    if row.winner < 0:
        counts.draws += 1
    else:
        counts.wins[row.winner] += 1
        counts.agent_wins[agents[row.winner]] += 1
        count_in(counts.winner_turns, row.seat_turns[row.winner])
    for player in range(PLAYERS):
        agent = agents[player]
        counts.sums[agent, TURNS] += row.seat_turns[player]
        counts.sums[agent, POINTS] += row.total[player]
        counts.sums[agent, ROLLS] += row.rolls[player]
        counts.sums[agent, HOT_DICE] += row.hot_dice[player]
        _measure(counts, agent, row.seat_turns[player], row.total[player], row.rolls[player], row.hot_dice[player])
    _measure(
        counts,
        BOTH,
        row.seat_turns[0] + row.seat_turns[1],
        row.total[0] + row.total[1],
        row.rolls[0] + row.rolls[1],
        row.hot_dice[0] + row.hot_dice[1],
    )
    for count in range(DICE):
        counts.throws[count] += row.throws[count]
        counts.busts[count] += row.busts[count]
    fired = 0
    for entry in range(EFFECTS):
        fired |= row.fired[entry]
    if fired != 0:
        _tally_effects(row, counts)
    for player in range(PLAYERS):
        thrown = 0
        for position in range(DICE):
            thrown |= row.die_throws[player, position]
        if thrown != 0:
            _tally_dice(row, player, counts)


@rule
def _measure(counts: Any, side: int, turns: int, points: int, rolls: int, hot_dice: int) -> None:
    """Adds the squares of one side's numbers in a match, and their products with its turns."""
    _add(counts.squares, side, TURNS, turns * turns)
    _add(counts.squares, side, POINTS, points * points)
    _add(counts.squares, side, ROLLS, rolls * rolls)
    _add(counts.squares, side, HOT_DICE, hot_dice * hot_dice)
    _add(counts.with_turns, side, POINTS, points * turns)
    _add(counts.with_turns, side, ROLLS, rolls * turns)
    _add(counts.with_turns, side, HOT_DICE, hot_dice * turns)


@rule
def _add(sums: Any, i: int, j: int, value: int) -> None:
    """Adds to a sum that is kept in two halves."""
    sums[i, j, 0] += value >> _HALF
    sums[i, j, 1] += value & _LOW_HALF


@rare
def _tally_effects(row: Any, counts: Any) -> None:
    """Adds what modifiers and items did in a match."""
    for entry in range(EFFECTS):
        fired = row.fired[entry]
        if fired != 0:
            moved = row.moved[entry]
            counts.fired[entry] += fired
            counts.moved[entry] += moved
            counts.beyond += abs(moved) > LARGEST
            _add(counts.effect_squares, FIRED, entry, fired * fired)
            _add(counts.effect_squares, MOVED, entry, moved * moved)


@rare
def _tally_dice(row: Any, player: int, counts: Any) -> None:
    """Adds what a player's loaded dice did in a match."""
    for first in range(DICE):
        throws, points = row.die_throws[player, first], row.die_points[player, first]
        counts.die_throws[player, first] += throws
        counts.die_points[player, first] += points
        counts.beyond += points > LARGEST
        for second in range(first, DICE):
            pair = first * DICE + second
            _add(counts.die_throw_products, player, pair, throws * row.die_throws[player, second])
            _add(counts.die_point_products, player, pair, points * row.die_points[player, second])
