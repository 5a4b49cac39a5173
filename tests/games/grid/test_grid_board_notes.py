"""Notes of boards: whatever was noted before, they tell what notes made from nothing would."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest
from grid_position import Position, deck_of, free, position
from hypothesis import given, settings
from hypothesis import strategies as st
from test_grid_board_value import a_board

from common.effort import share
from playmill.engine.lang.record import plain
from playmill.engine.lang.rule import Interpreter, interpreted
from playmill.games.grid.agents import NOTES
from playmill.games.grid.agents.board_notes import best_gain, change_without, gain, hopes, note_board
from playmill.games.grid.agents.board_value import NO_AIM
from playmill.games.grid.constants import JOKER, PLAYERS
from playmill.games.grid.patterns.outlines import outline, ranks_with

_note, _gain, _best, _hopes, _without = map(interpreted, (note_board, gain, best_gain, hopes, change_without))
RULES = [(), (*deck_of([1, 2, 3, 4], 4, 4), "game.grid.width=7", "game.grid.height=3")]


def room(chance: random.Random) -> Any:
    """Room for notes in which anything may lie, and nothing is noted."""
    notes = plain(np.frombuffer(bytearray(chance.randbytes(NOTES.itemsize)), NOTES))[0]
    notes.kept = 0
    return notes


def told(made: Position, notes: Any, player: int, aim: int, chance: random.Random) -> list[int]:
    """What notes of a board tell of all its cells, and of some cards."""
    cfg, s = made.cfg, made.s
    _note(cfg, s, notes, player, aim)
    answers = [notes.around[player, cell] for cell in range(cfg.cells)]
    cells = [cell for cell in range(cfg.cells) if free(cfg, s, player) >> cell & 1]
    for card in (*chance.sample(range(1, cfg.cards + 1), 2), JOKER):
        answers += [_hopes(cfg, s, notes, player, card), _best(cfg, s, notes, player, card)]
        answers += [_gain(cfg, s, notes, player, cell, card) for cell in chance.sample(cells, min(4, len(cells)))]
    filled = [cell for cell in range(cfg.cells) if cell not in cells]
    return answers + [_without(cfg, s, notes, player, cell) for cell in chance.sample(filled, min(1, len(filled)))]


def change_something(made: Position, what: str, player: int, chance: random.Random) -> None:
    """What may be otherwise when a board is noted again."""
    s, cell = made.s, chance.randrange(made.cfg.cells)
    if what == "another board":
        for place in range(made.cfg.cells):
            s.board[player, place] = 0
        s.filled[player] = 0
        a_board(made, chance, player)
    elif what == "a card":
        s.board[player, cell] = chance.choice([0, JOKER, chance.randint(1, made.cfg.cards)])
        s.filled[player] = s.filled[player] & ~(1 << cell) | (s.board[player, cell] != 0) << cell
    elif what == "a pattern":
        s.pattern_cells = chance.choice([0, made.cfg.window_bits[chance.randrange(made.cfg.windows)]])
    elif what == "who is active":
        s.active = chance.randrange(PLAYERS)


CHANGES = ["nothing", "a card", "a card", "a card", "another board", "a pattern", "who is active", "the rules"]


@settings(max_examples=share(20))
@given(st.lists(st.sampled_from(CHANGES), min_size=3, max_size=8), st.integers(0, 2**32))
def test_notes_tell_whatever_was_noted_before_what_new_ones_would(changes: list[str], seed: int) -> None:
    chance = random.Random(seed)
    tables = [Position(rules, PLAYERS) for rules in RULES]
    for made in tables:
        for player in range(PLAYERS):
            a_board(made, chance, player)
    made, kept = tables[0], room(chance)
    for what in changes:
        player, aim = chance.randrange(2), chance.choice([NO_AIM, NO_AIM, NO_AIM, 1, 8])
        change_something(made, what, player, chance)
        if what == "the rules":  # whoever lays other rules on a workspace tells that the notes hold no more
            made = tables[made is tables[0]]
            kept.kept = 0
        cards = chance.random()
        answers = told(made, kept, player, aim, random.Random(cards))
        assert answers == told(made, room(chance), player, aim, random.Random(cards)), (what, player, aim)


def broken_off(rule: Any, inside: Any, calls: int) -> Any:
    """A rule for the interpreter that is broken off when another one in it is called for so many times."""
    twin, left = interpreted(inside), iter(range(calls))

    def until_then(*args: Any) -> Any:
        if next(left, None) is None:
            raise KeyboardInterrupt
        return twin(*args)

    return Interpreter({inside: until_then}).twin(rule)


@pytest.mark.parametrize("calls", [0, 3])
def test_notes_that_were_broken_off_hold_no_more(calls: int) -> None:
    made = position(["1a 2a 3a / 2b 2c / . . 4d 5e 6a"], place="6e")
    kept, other = room(random.Random(1)), room(random.Random(4))
    for notes in (kept, other):
        _note(made.cfg, made.s, notes, 0, NO_AIM)
    with pytest.raises(KeyboardInterrupt):
        broken_off(gain, ranks_with, calls)(made.cfg, made.s, kept, 0, 3, made.s.card)
    wanted = _hopes(made.cfg, made.s, other, 0, made.s.card)
    assert _hopes(made.cfg, made.s, kept, 0, made.s.card) == wanted > 0
    made.s.board[0, 3] = made.s.board[0, 0]
    made.s.filled[0] |= 1 << 3
    with pytest.raises(KeyboardInterrupt):
        broken_off(note_board, outline, calls)(made.cfg, made.s, kept, 0, NO_AIM)
    again, anew = (told(made, notes, 0, NO_AIM, random.Random(2)) for notes in (kept, room(random.Random(3))))
    assert again == anew


@pytest.mark.parametrize(("changed", "looks"), [((), 0), (((0, 3),), 5), (((0, 3), (24, 7)), 10), (((0, 0),), 5)])
def test_only_windows_with_a_changed_cell_are_looked_at_again(changed: tuple[tuple[int, int], ...], looks: int) -> None:
    """A corner lies in one square, two lines of five and two of four."""
    seen: list[int] = []
    look = interpreted(outline)

    def watched(cfg: Any, s: Any, player: int, window: int) -> Any:
        seen.append(window)
        return look(cfg, s, player, window)

    note = Interpreter({outline: watched}).twin(note_board)
    made, notes = position(["1a 2a 3a / 2b 2c / . . 4d 5e 6a"], place="6e"), room(random.Random(1))
    note(made.cfg, made.s, notes, 0, NO_AIM)
    assert len(seen) == made.cfg.windows
    seen.clear()
    for cell, card in changed:
        made.s.board[0, cell] = card
        made.s.filled[0] = made.s.filled[0] & ~(1 << cell) | (card != 0) << cell
    note(made.cfg, made.s, notes, 0, NO_AIM)
    assert len(seen) == len(set(seen)) == looks
