"""What windows promise, by notes: the same as looking at every window anew, on any board; so are the choices."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from grid_position import Position, deck_of, matching, off
from slow_agents import SLOW
from slow_agents import promise as slow_promise

from playmill import load_game, simulate
from playmill.engine.lang.record import plain
from playmill.engine.lang.rule import interpreted
from playmill.games.grid.agents import NOTES
from playmill.games.grid.agents.board_notes import gain, note_board
from playmill.games.grid.agents.board_value import NO_AIM, promise
from playmill.games.grid.constants import JOKER

_promise, _slow, _gain, _note = (interpreted(rule) for rule in (promise, slow_promise, gain, note_board))
DECKS = [
    (),
    deck_of(range(1, 13), 5, 2),
    deck_of([1, 2, 3, 4, 5], 4, 4),
    deck_of([1, 2, 3, 4, 6], 3, 3),
    off("game.joker.matches_any_rank"),
    off("game.joker.matches_any_color"),
    ("game.grid.width=7", "game.grid.height=3", "patterns.B.vp=0"),
]


def a_board(made: Position, chance: random.Random, player: int = 0) -> None:
    """A board of few ranks and colours, so that much is possible still."""
    low = chance.randint(1, 5)
    cards = [card for card in range(1, made.cfg.cards + 1) if low <= made.cfg.rank[card] <= low + chance.randint(0, 4)]
    chosen = chance.sample(cards, min(len(cards), chance.randint(2, 12)))
    for cell in chance.sample(range(made.cfg.cells), min(made.cfg.cells, chance.randint(1, 16))):
        made.s.board[player, cell] = JOKER if chance.random() < 0.15 or not chosen else chance.choice(chosen)
        made.s.filled[player] |= 1 << cell
    if chance.random() < 0.3:
        made.s.pattern_cells = made.cfg.window_bits[chance.randrange(made.cfg.windows)] & made.s.filled[player]


def as_defined_for(made: Position, window: int, aim: int) -> int:
    """What a window promises whoever builds for one pattern: 20 points, worth half for every missing card."""
    cfg, s, bits = made.cfg, made.s, made.cfg.window_bits[window]
    size, missing = bits.bit_count(), (bits & ~s.filled[0]).bit_count()
    wanted = cfg.pattern_shape[aim] == cfg.window_shape[window] and bits & s.pattern_cells == 0 and missing < size
    return 20 * ((1 << 16) >> missing) if wanted and matching(cfg, s, 0, window) >> aim & 1 else 0


def around(made: Position, cell: int) -> int:
    """What all windows with a cell promise, each looked at anew."""
    windows = (made.cfg.cell_window[cell, i] for i in range(made.cfg.cell_windows[cell]))
    return sum(_slow(made.cfg, made.s, 0, window) for window in windows)


@pytest.mark.parametrize("changes", DECKS, ids=" ".join)
def test_notes_tell_what_looking_at_every_window_anew_would(changes: tuple[str, ...]) -> None:
    something = 0
    notes: Any = plain(np.zeros(1, NOTES))[0]
    for seed in range(16):
        chance = random.Random(seed)
        made = Position(changes, 2)
        a_board(made, chance)
        cfg, s = made.cfg, made.s
        for window in range(cfg.windows):
            told = _promise(cfg, s, 0, window, NO_AIM)
            something += told > 0
            assert told == _slow(cfg, s, 0, window), (seed, window)
            aim = chance.randrange(cfg.patterns)
            assert _promise(cfg, s, 0, window, aim) == as_defined_for(made, window, aim), (seed, window, aim)
        _note(cfg, s, notes, 0, NO_AIM)
        free = [cell for cell in range(cfg.cells) if not s.filled[0] >> cell & 1]
        for card in (*chance.sample(range(1, cfg.cards + 1), 2), JOKER):
            for cell in chance.sample(free, min(3, len(free))):
                told, before = _gain(cfg, s, notes, 0, cell, card), around(made, cell)
                s.board[0, cell] = card
                s.filled[0] |= 1 << cell
                assert told == around(made, cell) - before, (seed, cell, card)
                s.board[0, cell] = 0
                s.filled[0] ^= 1 << cell
    assert something > 10


@pytest.mark.parametrize(
    ("players", "changes"),
    [
        (2, (*deck_of([1, 2], 5, 3), "patterns.J.reward.id=RWD10")),
        (3, (*deck_of([1, 2, 3], 3, 4), "patterns.H.reward.id=RWD7", "patterns.E.reward.id=RWD9")),
    ],
)
def test_agents_choose_as_if_they_looked_at_every_window_anew(players: int, changes: tuple[str, ...]) -> None:
    shipped = load_game("grid")
    game = replace(shipped, agents={**shipped.agents, **SLOW})
    names = ["greedy", "disruptor", "greedy"][:players]
    settings: dict[str, Any] = {"games": 1, "seed": 3, "players": players, "set": changes, "backend": "interpreted"}
    played = simulate(game, agents=names, **settings)
    slow = simulate(game, agents=[f"slow_{name}" for name in names], **settings)
    assert played.games["decisions"].sum() > 30
    assert played.games.equals(slow.games)
