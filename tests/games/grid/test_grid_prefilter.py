"""The quick look at a board: it may see a pattern where there is none, but never misses one."""

from __future__ import annotations

import json
import random

import pytest
from grid_position import Position, deck_of, matching, rules_of

from playmill.engine.lang.rule import interpreted
from playmill.games.grid.constants import JOKER, LINE_4, SQUARE
from playmill.games.grid.patterns.prefilter import COLUMNS, JOKER_MARK, LINES, LOOKED_UP, MARK, TOLD, pattern_is_likely
from playmill.games.grid.rules.cards import lay, take

is_likely = interpreted(pattern_is_likely)
lay_card, take_card = interpreted(lay), interpreted(take)
TWELVE = deck_of(range(1, 13), 5, 2)
SEVEN = deck_of(range(2, 9), 5, 3)
WIDE, TALL = ("game.grid.width=7", "game.grid.height=5"), ("game.grid.width=5", "game.grid.height=7")


def filled_at_random(made: Position, chance: random.Random) -> None:
    """A board on which ranks and colours change little from cell to cell, with some gaps and now and then a joker."""
    low, colours = chance.randint(1, 4), chance.randint(1, 3)
    across, down = chance.randint(-1, 1), chance.randint(-1, 1)
    gaps, jokers = chance.choice((0.0, 0.1, 0.4)), chance.choice((0.0, 0.0, 0.2))
    for cell in range(made.cfg.cells):
        y, x = divmod(cell, made.cfg.width)
        rank = low + across * x + down * y + (chance.random() < 0.2)
        wanted = [card for card in range(1, made.cfg.cards + 1) if made.cfg.rank[card] == rank]
        if wanted and chance.random() >= gaps:
            lay_card(
                made.cfg, made.s, 0, cell, JOKER if chance.random() < jokers else chance.choice(wanted[: 3 * colours])
            )
            made.s.dirty[0] |= (chance.random() < 0.5) << cell


@pytest.mark.parametrize("changes", [(), WIDE, TWELVE])
def test_a_quick_look_misses_no_pattern(changes: tuple[str, ...]) -> None:
    found = looks = 0
    for seed in range(200):
        made = Position(changes, 2)
        filled_at_random(made, random.Random(seed))
        dirty = made.s.dirty[0]
        there = [
            window
            for window in range(made.cfg.windows)
            if made.cfg.window_bits[window] & dirty
            and made.cfg.window_bits[window] & made.s.filled[0] == made.cfg.window_bits[window]
            and matching(made.cfg, made.s, 0, window)
        ]
        looks += is_likely(made.cfg, made.s, 0)
        found += bool(there)
        assert is_likely(made.cfg, made.s, 0) or not there, seed
    assert 10 < found < looks < 200


@pytest.mark.parametrize("changes", [(), WIDE, TALL, SEVEN, TWELVE])
def test_a_look_at_row_and_column_misses_no_pattern_with_a_card(changes: tuple[str, ...]) -> None:
    found = looks = cards = 0
    for seed in range(60):
        made = Position(changes, 2)
        cfg, s = made.cfg, made.s
        filled_at_random(made, random.Random(seed))
        whole = [window for window in range(cfg.windows) if cfg.window_bits[window] & ~s.filled[0] == 0]
        lying = [cell for cell in range(cfg.cells) if s.filled[0] >> cell & 1]
        kept = 0
        for window in whole:
            kept |= cfg.window_bits[window] if matching(cfg, s, 0, window) else 0
        for cell in lying:
            looked = lay_card(cfg, s, 0, cell, take_card(cfg, s, 0, cell)) != 0
            assert looked or not kept >> cell & 1, (seed, cell)
            found, looks, cards = found + (kept >> cell & 1), looks + looked, cards + 1
    assert 100 < found < looks < cards


def test_the_table_knows_lines_of_three_and_of_four() -> None:
    def could_be(cards: list[int]) -> bool:
        ways = (all(card in (JOKER_MARK, first + step * i) for i, card in enumerate(cards)) for first, step in steps)
        return 0 not in cards and any(ways)

    steps = [(first, step) for first in range(-20, 20) for step in (-1, 0, 1)]
    for marks in random.Random(1).sample(range(len(TOLD)), 1500):
        line = [marks >> MARK * place & JOKER_MARK for place in range(LOOKED_UP)]
        three, four = (any(could_be(line[i : i + n]) for i in range(LOOKED_UP - n + 1)) for n in (3, 4))
        assert TOLD[marks] == three + 2 * four, line


def test_a_card_that_leaves_takes_its_mark_along() -> None:
    made = Position((), 2)
    filled_at_random(made, random.Random(1))
    assert any(made.s.lines[0, y] and made.s.lines[0, COLUMNS + y] for y in range(5))
    for cell in range(made.cfg.cells):
        if made.s.filled[0] >> cell & 1:
            take_card(made.cfg, made.s, 0, cell)
    assert not any(made.s.lines[0, line] for line in range(LINES))


def test_where_rows_columns_and_squares_can_begin() -> None:
    made = Position(WIDE, 2)
    starts: dict[str, list[int]] = {"row_starts": [], "column_starts": [], "square_starts": []}
    for window in range(made.cfg.windows):
        first, second = made.cfg.window_cell[window, 0], made.cfg.window_cell[window, 1]
        if made.cfg.window_shape[window] == SQUARE:
            starts["square_starts"].append(first)
        elif made.cfg.window_shape[window] == LINE_4:
            starts["row_starts" if second == first + 1 else "column_starts"].append(first)
    for name, cells in starts.items():
        assert getattr(made.cfg, name) == sum(1 << cell for cell in cells)


def test_shapes_that_no_pattern_has_are_not_looked_for() -> None:
    kept = [pattern.model_dump(mode="json") for pattern in rules_of().patterns if pattern.id in "AB"]
    squares = Position((f"patterns={json.dumps(kept)}",), 2).cfg
    assert (squares.row_starts, squares.column_starts) == (0, 0)
    assert squares.square_starts == 0b111_00111_00111
