"""Recognises the patterns of Grid: whether a window keeps a rank rule and a colour rule.

A joker stands for any rank and any colour of the deck, chosen anew for each check; several jokers may differ. An empty
cell is taken as any card: the rules only ask about full windows, agents also ask what a window may still become.
"""

from __future__ import annotations

from typing import Any

from playmill.author import rule
from playmill.games.grid.constants import (
    C1_MONOCHROME,
    C2_DISTINCT,
    C3_FLAG,
    C4_LATIN,
    EMPTY,
    JOKER,
    LINE_5,
    R1_SEQUENCE,
    R2_EQUAL,
    R3_STRIPES,
    R4_TWO_AXES,
    SQUARE,
)


@rule
def matching_patterns(cfg: Any, s: Any, player: int, window: int) -> int:
    """The patterns that lie in a window of a player's board, or may still come to lie there, as bits."""
    shape = cfg.window_shape[window]
    if shape == SQUARE:
        ranks = _square_rank_rules(cfg, s, player, window)
        colours = _square_colour_rules(cfg, s, player, window) if ranks != 0 else 0
    else:
        length = 5 if shape == LINE_5 else 4
        ranks = _line_rank_rules(cfg, s, player, window, length)
        colours = _line_colour_rules(cfg, s, player, window, length) if ranks != 0 else 0
    found = 0
    if ranks != 0 and colours != 0:
        for pattern in range(cfg.patterns):
            if cfg.pattern_shape[pattern] == shape:
                kept = ranks >> cfg.pattern_rank[pattern] & colours >> cfg.pattern_colour[pattern] & 1
                found |= kept << pattern
    return found


@rule
def _line_rank_rules(cfg: Any, s: Any, player: int, window: int, length: int) -> int:
    """R1 (a run up or down) and R2 (all equal) kept by a line, as bits."""
    jokers = 0
    first = -1
    up = 0
    down = 0
    rising = True
    falling = True
    equal = True
    for i in range(length):
        card = s.board[player, cfg.window_cell[window, i]]
        if card == JOKER or card == EMPTY:
            jokers += card == JOKER
            continue
        rank = cfg.rank[card]
        if first < 0:
            first = rank
            up = rank - i
            down = rank + i
        else:
            rising = rising and rank - i == up
            falling = falling and rank + i == down
            equal = equal and rank == first
            if not (rising or falling or equal):
                return 0
    if jokers > 0 and cfg.joker_any_rank == 0:
        return 0
    kept = (1 << R2_EQUAL) if equal else 0
    if first < 0:
        for start in range(cfg.low_rank, cfg.high_rank + 1):
            if _has_ranks(cfg, start, 1, length):
                return kept | 1 << R1_SEQUENCE
        return kept
    run = (rising and _has_ranks(cfg, up, 1, length)) or (falling and _has_ranks(cfg, down, -1, length))
    return kept | ((1 << R1_SEQUENCE) if run else 0)


@rule
def _has_ranks(cfg: Any, start: int, step: int, length: int) -> bool:
    """Whether the deck has all the ranks of a run."""
    for i in range(length):
        rank = start + step * i
        if rank < cfg.low_rank or rank > cfg.high_rank or cfg.rank_bits >> rank & 1 == 0:
            return False
    return True


@rule
def _line_colour_rules(cfg: Any, s: Any, player: int, window: int, length: int) -> int:
    """C1 (one colour) and C2 (all different) kept by a line, as bits."""
    jokers = 0
    seen = 0
    distinct = True
    for i in range(length):
        card = s.board[player, cfg.window_cell[window, i]]
        if card == JOKER or card == EMPTY:
            jokers += card == JOKER
            continue
        bit = 1 << cfg.colour[card]
        distinct = distinct and seen & bit == 0
        seen |= bit
    if jokers > 0 and cfg.joker_any_colour == 0:
        return 0
    kept = (1 << C1_MONOCHROME) if seen & (seen - 1) == 0 else 0
    return kept | ((1 << C2_DISTINCT) if distinct and cfg.colours >= length else 0)


@rule
def _square_rank_rules(cfg: Any, s: Any, player: int, window: int) -> int:
    """R3 (stripes) and R4 (steps along both axes) kept by a square, as bits."""
    jokers = 0
    for i in range(9):
        if s.board[player, cfg.window_cell[window, i]] == JOKER:
            jokers += 1
    if jokers > 0 and cfg.joker_any_rank == 0:
        return 0
    corner = s.board[player, cfg.window_cell[window, 0]]
    right = s.board[player, cfg.window_cell[window, 1]]
    below = s.board[player, cfg.window_cell[window, 3]]
    if _has_rank(corner) and _has_rank(right) and _has_rank(below):
        # Three cards leave one way to climb.
        across = cfg.rank[right] - cfg.rank[corner]
        down = cfg.rank[below] - cfg.rank[corner]
        return _climb_rule(cfg, s, player, window, across, down) if abs(across) < 2 and abs(down) < 2 else 0
    kept = 0
    for across in range(-1, 2):
        for down in range(-1, 2):
            kept |= _climb_rule(cfg, s, player, window, across, down)
    return kept


@rule
def _has_rank(card: int) -> bool:
    return card != JOKER and card != EMPTY


@rule
def _climb_rule(cfg: Any, s: Any, player: int, window: int, across: int, down: int) -> int:
    """The rule that a square keeps by climbing so, as a bit; 0 if it does not, or stands still."""
    if (across == 0 and down == 0) or not _ranks_climb(cfg, s, player, window, across, down):
        return 0
    return 1 << (R4_TWO_AXES if across != 0 and down != 0 else R3_STRIPES)


@rule
def _ranks_climb(cfg: Any, s: Any, player: int, window: int, across: int, down: int) -> bool:
    """Whether rank(x, y) = r0 + across·x + down·y for some r0 within the deck's ranks."""
    start = -100
    for i in range(9):
        card = s.board[player, cfg.window_cell[window, i]]
        if card != JOKER and card != EMPTY:
            here = cfg.rank[card] - across * (i % 3) - down * (i // 3)
            if start == -100:
                start = here
            elif start != here:
                return False
    if start != -100:
        return _has_climb(cfg, start, across, down)
    for rank in range(cfg.low_rank, cfg.high_rank + 1):
        if _has_climb(cfg, rank, across, down):
            return True
    return False


@rule
def _has_climb(cfg: Any, start: int, across: int, down: int) -> bool:
    """Whether the deck has all the ranks of a square that climbs so."""
    for y in range(3):
        if not _has_ranks(cfg, start + down * y, across, 3):
            return False
    return True


@rule
def _square_colour_rules(cfg: Any, s: Any, player: int, window: int) -> int:
    """C3 (a flag of three stripes) and C4 (a Latin square) kept by a square, as bits."""
    if cfg.colours < 3:
        return 0
    jokers = 0
    for i in range(9):
        if s.board[player, cfg.window_cell[window, i]] == JOKER:
            jokers += 1
    if jokers > 0 and cfg.joker_any_colour == 0:
        return 0
    flag = _is_flag(cfg, s, player, window, 3, 1) or _is_flag(cfg, s, player, window, 1, 3)
    latin = is_latin(cfg, s, player, window)
    return ((1 << C3_FLAG) if flag else 0) | ((1 << C4_LATIN) if latin else 0)


@rule
def _is_flag(cfg: Any, s: Any, player: int, window: int, stripe_step: int, cell_step: int) -> bool:
    """Whether three parallel stripes have one colour each, all different; a stripe of jokers takes a free colour."""
    seen = 0
    for stripe in range(3):
        colour = -1
        for i in range(3):
            card = s.board[player, cfg.window_cell[window, stripe * stripe_step + i * cell_step]]
            if card != JOKER and card != EMPTY:
                if colour == -1:
                    colour = cfg.colour[card]
                elif colour != cfg.colour[card]:
                    return False
        if colour != -1:
            if seen >> colour & 1 == 1:
                return False
            seen |= 1 << colour
    return True


@rule
def is_latin(cfg: Any, s: Any, player: int, window: int) -> bool:
    """Whether each row and each column has three different colours, for some colours of the jokers."""
    colours = 0  # four bits a cell: its colour + 1, or 0
    fixed = 0
    for i in range(9):
        card = s.board[player, cfg.window_cell[window, i]]
        if card != JOKER and card != EMPTY:
            if _clashes(colours, i, cfg.colour[card] + 1):
                return False
            colours |= (cfg.colour[card] + 1) << (4 * i)
            fixed |= 1 << i
    # A cell has four neighbours in its row and column: with five colours one is always free.
    if fixed == 511 or cfg.colours >= 5:
        return True
    cell = 0
    while cell < 9:
        if fixed >> cell & 1 == 1:
            cell += 1
            continue
        colour = (colours >> (4 * cell) & 15) + 1
        colours &= ~(15 << (4 * cell))
        while colour <= cfg.colours and _clashes(colours, cell, colour):
            colour += 1
        if colour <= cfg.colours:
            colours |= colour << (4 * cell)
            cell += 1
        else:
            cell -= 1
            while cell >= 0 and fixed >> cell & 1 == 1:
                cell -= 1
            if cell < 0:
                return False
    return True


@rule
def _clashes(colours: int, cell: int, colour: int) -> bool:
    """Whether another cell of the same row or column has this colour."""
    for other in range(9):
        if other != cell and (other // 3 == cell // 3 or other % 3 == cell % 3):
            if colours >> (4 * other) & 15 == colour:
                return True
    return False
