"""The list of options of the player to move, updated step by step instead of made anew.

One that comes is added at the end, one that goes is replaced by the last.
"""

from __future__ import annotations

from typing import Any

from playmill.author import lowest_bit, rule
from playmill.games.influence.actions import ATTACK
from playmill.games.influence.constants import SIDES, WORDS


@rule
def ways(cfg: Any, s: Any, cell: int) -> int:
    """The directions in which a cell of the player to move may go: where first turns are peaceful, to empty cells."""
    front = s.front[cell]
    if cfg.first_turn_attacks == 0 and s.turns[s.player] == 1:
        for side in range(SIDES):
            other = cfg.neighbour[cell, side]
            if other >= 0 and s.owner[other] != 0:
                front &= ~(1 << side)
    return front


@rule
def list_attacks(cfg: Any, s: Any) -> None:
    """The attacks of the player whose turn begins."""
    n = 0
    for word in range(WORDS):
        cells = s.own[s.player, word]
        while cells != 0:
            cell = 32 * word + lowest_bit(cells)
            cells &= cells - 1
            n = list_front(s, cell, ways(cfg, s, cell) if s.influence[cell] >= 2 else 0, n)
    s.options = n


@rule
def list_front(s: Any, cell: int, front: int, n: int) -> int:
    """Adds the attacks from a cell to a list of n options; returns the new length."""
    while front != 0:
        option = ATTACK + SIDES * cell + lowest_bit(front)
        front &= front - 1
        s.moves[n] = option
        n += 1
        s.place[option] = n
    return n


@rule
def unlist_front(cfg: Any, s: Any, cell: int) -> None:
    """The attacks from a cell, which were possible, are so no more."""
    front = ways(cfg, s, cell)
    while front != 0:
        take_off(s, s.place[ATTACK + SIDES * cell + lowest_bit(front)])
        front &= front - 1


@rule
def take_off(s: Any, place: int) -> None:
    """Takes the option at a place off the list: the last one goes there."""
    n = s.options - 1
    last = s.moves[n]
    s.moves[place - 1] = last
    s.place[last] = place
    s.options = n
