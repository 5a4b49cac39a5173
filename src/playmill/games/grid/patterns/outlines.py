"""Summarises in three small numbers what the cards of a window leave possible, for agents.

`matching.py` says what a pattern is, looking at all cards of a window; here each card is looked at once. The rule of
ranks: a way to fill a window (up, down, all equal; a square in eight directions) gives its first cell a rank, its
*start*. A card asks for one start of each way, four bits each; as long as all cards ask for the same, the way is open.
The rule of colours: the colours seen in each row and in each column, and whether they may still go together.

A window's two rules of ranks (R1 and R2 of a line, R3 and R4 of a square) and its two of colours are bits of the set of
rules that it may still keep.
"""

from __future__ import annotations

from typing import Any

from playmill.author import rare, rule
from playmill.games.grid import constants
from playmill.games.grid.patterns.matching import is_latin

#: The rules that a window may keep, as bits: two of ranks, two of colours.
FIRST_RANKS, SECOND_RANKS, FIRST_COLOURS, SECOND_COLOURS = 1, 2, 4, 8
#: Ways to keep the rules of ranks, four for each: none has a start yet, none is open any more.
NO_START, ALL_SHUT = 0, 0xFFFFFFFF
#: A way that the deck has no ranks for, and one on which two cards do not agree.
IMPOSSIBLE, ALL_IMPOSSIBLE, _SHUT = 0xE, 0xEEEEEEEE, 0xF
#: The lowest bit of each way, of those of the first rule, and where those of the second begin.
_WAYS, _FIRST, _SECOND = 0x11111111, 0x1111, 16
#: Behind the colours of three rows or columns: whether the first and the second rule of colours may still be kept.
_FIRST_OPEN, _SECOND_OPEN = 1 << 24, 1 << 25
#: With fewer colours a square may have no room left for a Latin one even though nothing clashes.
_ENOUGH_COLOURS = 5


@rule
def outline(cfg: Any, s: Any, player: int, window: int) -> tuple[int, int, int, int]:
    """The starts of the ways to fill a window, colours by row, colours by column, and the free places as bits.

    When no way is open any more the others do not matter.
    """
    shape = cfg.window_shape[window]
    size = constants.SHAPE_SIZES[shape]
    starts, rows, free = NO_START, _open_colours(cfg, shape), (1 << size) - 1
    columns = rows & _FIRST_OPEN
    if cfg.window_bits[window] & s.filled[player] == 0:
        return starts, rows, columns, free
    jokers = 0
    for place in range(size):
        card = s.board[player, cfg.window_cell[window, place]]
        free ^= (card != constants.EMPTY) << place
        if card == constants.JOKER:
            jokers += 1
        elif card != constants.EMPTY:
            starts = _agree(starts, cfg.starts[shape, place, cfg.rank[card]])
            if starts == ALL_SHUT:
                return starts, rows, columns, free
            rows, columns = _with_colour(shape, rows, columns, place, 1 << cfg.colour[card])
    if jokers > 0 and cfg.joker_any_rank == 0:
        starts = ALL_SHUT
    if jokers > 0 and cfg.joker_any_colour == 0:
        rows &= ~(_FIRST_OPEN | _SECOND_OPEN)
        columns &= ~_FIRST_OPEN
    return starts, rows, columns, free


@rule
def rules_open(cfg: Any, s: Any, player: int, window: int, starts: int, rows: int, columns: int) -> int:
    """The rules that a window may still keep."""
    if starts == NO_START:
        found = _rank_rules(~_places_equal(cfg.starts[cfg.window_shape[window], 0, 0], ALL_IMPOSSIBLE))
    else:
        found = _rank_rules(~_places_equal(starts, ALL_SHUT))
    return found | _colour_rules(cfg, s, player, window, 0, constants.EMPTY, rows, columns)


@rule
def rules_open_with_joker(cfg: Any, s: Any, player: int, window: int, starts: int, rows: int, columns: int) -> int:
    """The rules that a window may still keep with one more joker."""
    found = rules_open(cfg, s, player, window, starts, rows, columns)
    if cfg.joker_any_rank == 0:
        found &= ~(FIRST_RANKS | SECOND_RANKS)
    return found if cfg.joker_any_colour == 1 else found & ~(FIRST_COLOURS | SECOND_COLOURS)


# Ranks


@rule
def ranks_with(cfg: Any, shape: int, starts: int, place: int, rank: int) -> int:
    """The rules of ranks that a window may still keep with one more card, in a free place."""
    asked = cfg.starts[shape, place, rank]
    if starts == NO_START:
        return _rank_rules(~_places_equal(asked, ALL_IMPOSSIBLE))
    return _rank_rules(_places_equal(asked, starts))


@rule
def _places_equal(one: int, other: int) -> int:
    """The ways that have the same start, by their lowest bits."""
    differ = one ^ other
    differ |= differ >> 1
    return ~(differ | differ >> 2) & _WAYS


@rule
def _rank_rules(ways: int) -> int:
    """The rules of ranks that open ways keep."""
    ways &= _WAYS
    return FIRST_RANKS * (ways & _FIRST != 0) | SECOND_RANKS * (ways >> _SECOND != 0)


@rule
def _agree(starts: int, asked: int) -> int:
    """The starts of all ways after one more card that asks for its own."""
    if starts == NO_START:
        return asked | _places_equal(asked, ALL_IMPOSSIBLE)
    return starts | (_places_equal(starts, asked) ^ _WAYS) * _SHUT


# Colours


@rule
def line_colours_with(rows: int, bit: int) -> int:
    """The rules of colours that a line may still keep with one more card, in whatever place."""
    seen = rows & 255
    one = rows & _FIRST_OPEN != 0 and seen & ~bit == 0
    different = rows & _SECOND_OPEN != 0 and seen & bit == 0
    return FIRST_COLOURS * one | SECOND_COLOURS * different


@rule
def square_colours_with(
    cfg: Any, s: Any, player: int, window: int, rows: int, columns: int, place: int, card: int
) -> int:
    """The rules of colours that a square may still keep with one more card, in a free place."""
    rows, columns = _with_colour(constants.SQUARE, rows, columns, place, 1 << cfg.colour[card])
    return _colour_rules(cfg, s, player, window, place, card, rows, columns)


@rule
def _open_colours(cfg: Any, shape: int) -> int:
    """The rules of colours that an empty window may keep."""
    if shape == constants.SQUARE:
        return _FIRST_OPEN | _SECOND_OPEN if cfg.colours >= 3 else 0
    return _FIRST_OPEN | (_SECOND_OPEN if cfg.colours >= constants.SHAPE_SIZES[shape] else 0)


@rule
def _colour_rules(cfg: Any, s: Any, player: int, window: int, place: int, card: int, rows: int, columns: int) -> int:
    """The rules of colours that a window may still keep, a card in a place included."""
    found = FIRST_COLOURS * ((rows | columns) & _FIRST_OPEN != 0)
    if rows & _SECOND_OPEN and _has_room(cfg, s, player, window, place, card):
        found |= SECOND_COLOURS
    return found


@rule
def _with_colour(shape: int, rows: int, columns: int, place: int, bit: int) -> tuple[int, int]:
    """Colours by row and by column after one more card.

    A line is a single row: of one colour, or without a colour twice. A square is a flag of rows, or of columns, of one
    colour each, all different; or no row and no column has a colour twice.
    """
    if shape != constants.SQUARE:
        seen = rows & 255
        if seen & ~bit:
            rows &= ~_FIRST_OPEN
        if seen & bit:
            rows &= ~_SECOND_OPEN
        return rows | bit, columns & ~_FIRST_OPEN
    down, right = place // 3 * 8, place % 3 * 8
    row, column = rows >> down & 255, columns >> right & 255
    if (row | column) & bit:
        rows &= ~_SECOND_OPEN
    if not _is_flag_with(rows, row, bit):
        rows &= ~_FIRST_OPEN
    if not _is_flag_with(columns, column, bit):
        columns &= ~_FIRST_OPEN
    return rows | bit << down, columns | bit << right


@rule
def _is_flag_with(stripes: int, stripe: int, bit: int) -> bool:
    """Whether one more colour in a stripe leaves stripes of one colour each: its own colour, or one no stripe has."""
    return stripe == bit or (stripe == 0 and (stripes | stripes >> 8 | stripes >> 16) & bit == 0)


@rule
def _has_room(cfg: Any, s: Any, player: int, window: int, place: int, card: int) -> bool:
    """Whether colours that do not clash leave colours for the rest of a window."""
    if cfg.colours >= _ENOUGH_COLOURS or cfg.window_shape[window] != constants.SQUARE:
        return True
    return _has_room_in_square(cfg, s, player, window, cfg.window_cell[window, place], card)


@rare
def _has_room_in_square(cfg: Any, s: Any, player: int, window: int, cell: int, card: int) -> bool:
    """Whether a square with one more card can become a Latin one: tried out on the board, which is left as it was."""
    before = s.board[player, cell]
    if card != constants.EMPTY:
        s.board[player, cell] = card
    found = is_latin(cfg, s, player, window)
    s.board[player, cell] = before
    return found
