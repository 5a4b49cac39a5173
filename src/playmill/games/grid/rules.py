"""Grid: the rules, in the order of play. Patterns are recognised in `patterns.py`, rewards done in `rewards.py`."""

from __future__ import annotations

from typing import Any

import numpy as np

from playmill.engine.rng import into_hat, out_of_hat
from playmill.engine.rule import lowest_bit, rule
from playmill.games.grid import actions as act
from playmill.games.grid.cards import discard, free_cells, from_hand, from_picked, next_player, put, receive, take
from playmill.games.grid.patterns import matching_patterns
from playmill.games.grid.rewards import ASKS, ENDS, choose_parameter, reachable_cards, reachable_cells, use_reward

VERSION = 2
MIN_PLAYERS = 2
MAX_PLAYERS = act.PLAYERS
MAX_ACTIONS = act.ACTIONS
MAX_LEGAL = act.MAX_OPTIONS

LUCK_DECK = 0
NOBODY = -1

#: The two phases of a turn.
FROM_HAND, FROM_DRAFT = range(2)

NOT_ENDED, END1, END2 = range(3)

State = np.dtype(
    [
        ("filled", np.int64, (act.PLAYERS,)),  # occupied cells of each board, as bits
        ("dirty", np.int64, (act.PLAYERS,)),  # cells that changed since the board was last searched in vain, as bits
        ("pattern_cells", np.int64),  # where the cards of the pattern being resolved lie, as bits
        ("vp", np.int32, (act.PLAYERS,)),
        ("turns", np.int16),
        ("window", np.int16),
        ("ref", np.int16),  # the place in the discard pile that a reward takes from
        ("deck_size", np.int16),
        ("discard_size", np.int16),
        ("player", np.int8),  # whose decision it is; -1 = the game is over
        ("players", np.int8),
        ("kind", np.int8),  # what kind of decision
        ("active", np.int8),
        ("phase", np.int8),
        ("end", np.int8),
        ("winner", np.int8),  # -1: nobody, or the game goes on
        ("extra", np.int8),  # the active player has earned another turn
        ("card", np.int8),  # the card to be placed
        ("pattern", np.int8),
        ("reward", np.int8),
        ("target", np.int8),  # the opponent a reward is aimed at
        ("source", np.int8),  # the cell a reward takes from
        ("picked", np.int8, (act.PICKS,)),  # drafted cards not yet placed
        ("picked_size", np.int8),
        ("revealed", np.int8, (act.REVEAL,)),  # the draft's open cards; 0 where one was taken
        ("passes", np.int8),  # cards still to be passed on
        ("skip", np.int8, (act.PLAYERS,)),
        ("hand_size", np.int8, (act.PLAYERS,)),
        ("hand", np.int8, (act.PLAYERS, act.HAND)),  # in the order received
        ("board", np.int8, (act.PLAYERS, act.CELLS)),
        ("patterns", np.int8, (act.PLAYERS, act.PATTERNS)),  # resolved, by pattern
        ("applied", np.int8, (act.PLAYERS, act.REWARDS)),
        ("refused", np.int8, (act.PLAYERS, act.REWARDS)),
        ("impossible", np.int8, (act.PLAYERS, act.REWARDS)),
        ("deck", np.int8, (act.DECK,)),  # the top is the last one
        ("discard", np.int8, (act.DISCARD,)),  # the top is the last one
    ],
    align=True,
)


@rule
def setup(cfg: Any, s: Any, rng: Any) -> None:
    """Shuffles the deck; hands are empty, seat 0 begins."""
    for card in range(1, cfg.cards + 1):
        into_hat(rng, LUCK_DECK, card - 1, card, card)
    out_of_hat(rng, LUCK_DECK, s.deck, cfg.cards)
    s.deck_size = cfg.cards
    s.players = cfg.players
    s.winner = NOBODY
    s.turns = 1
    _go_on(cfg, s)


@rule
def legal_actions(cfg: Any, s: Any, out: Any) -> int:
    """Writes the options of the player to move, ascending; returns how many there are."""
    if s.player == NOBODY:
        return 0
    me = s.active
    if s.kind == act.PLACEMENT:
        return _cells(out, act.PLACE, free_cells(cfg, s, me))
    if s.kind == act.DRAFT_PICK or s.kind == act.DRAFT_PASS:
        return _revealed_options(cfg, s, out)
    if s.kind == act.RESOLVE:
        return _match_options(cfg, s, out)
    if s.kind == act.APPLY:
        out.ids[0] = act.REFUSE
        out.ids[1] = act.ACCEPT
        return 2
    if s.kind == act.SELF_CARD:
        return _cells(out, act.TAKE_SELF, s.filled[me])
    if s.kind == act.SELF_EMPTY:
        return _cells(out, act.PUT_SELF, free_cells(cfg, s, me))
    if s.kind == act.OPPONENT:
        n = 0
        for player in range(cfg.players):
            if player != me and reachable_cards(cfg, s, player) != 0:
                out.ids[n] = act.TARGET + player
                n += 1
        return n
    if s.kind == act.OPPONENT_CARD:
        return _cells(out, act.TAKE_OTHER, reachable_cards(cfg, s, s.target))
    if s.kind == act.OPPONENT_EMPTY:
        return _cells(out, act.PUT_OTHER, reachable_cells(cfg, s, s.target, s.source))
    for place in range(s.discard_size):
        out.ids[place] = act.FROM_DISCARD + place
    return s.discard_size


@rule
def _cells(out: Any, first: int, cells: int) -> int:
    """One option for each cell of a set."""
    n = 0
    while cells != 0:
        out.ids[n] = first + lowest_bit(cells)
        n += 1
        cells &= cells - 1
    return n


@rule
def apply_action(cfg: Any, s: Any, action: int, rng: Any) -> None:
    """Does a legal action and runs the game on to the next decision or the end; unchecked."""
    if s.kind == act.PLACEMENT:
        put(s, s.active, action - act.PLACE, s.card)
        s.card = act.EMPTY
        _search(cfg, s)
    elif s.kind == act.DRAFT_PICK:
        s.picked[s.picked_size] = s.revealed[action - act.PICK]
        s.picked_size += 1
        s.revealed[action - act.PICK] = act.EMPTY
        if s.picked_size == cfg.pick_self:
            s.kind = act.DRAFT_PASS
            s.passes = cfg.pass_next
            if s.passes == 0:
                _end_draft(cfg, s)
    elif s.kind == act.DRAFT_PASS:
        receive(s, next_player(cfg, s.active), s.revealed[action - act.PASS])
        s.revealed[action - act.PASS] = act.EMPTY
        s.passes -= 1
        if s.passes == 0:
            _end_draft(cfg, s)
    elif s.kind == act.RESOLVE:
        if action == act.NO_MATCH:
            _go_on(cfg, s)
        else:
            _resolve(cfg, s, (action - act.MATCH) // act.PATTERNS, (action - act.MATCH) % act.PATTERNS)
    elif s.kind == act.APPLY:
        if action == act.ACCEPT:
            _take_reward(cfg, s)
        else:
            s.refused[s.active, s.reward] += 1
            _clear_pattern(cfg, s)
    elif choose_parameter(cfg, s, action) != ASKS:
        _clear_pattern(cfg, s)


# A turn


@rule
def _go_on(cfg: Any, s: Any) -> None:
    """Runs on, from a board without patterns to resolve, to the next decision or the end."""
    while True:
        s.player = s.active
        if s.phase == FROM_HAND:
            if s.hand_size[s.active] == 0:
                if s.deck_size < cfg.reveal:
                    _finish(cfg, s, END1)
                else:
                    _open_draft(cfg, s)
                return
            if free_cells(cfg, s, s.active) != 0:
                s.card = from_hand(s, s.active)
                s.kind = act.PLACEMENT
                return
            if cfg.end_without_hand_cell == 1:
                _finish(cfg, s, END2)
                return
            discard(s, from_hand(s, s.active))
        elif s.picked_size > 0:
            if free_cells(cfg, s, s.active) != 0:
                s.card = from_picked(s)
                s.kind = act.PLACEMENT
                return
            if cfg.end_without_draft_cell == 1:
                while s.picked_size > 0:
                    receive(s, s.active, from_picked(s))
                _finish(cfg, s, END2)
                return
            discard(s, from_picked(s))
        else:
            if s.deck_size == 0 and cfg.play_on_without_deck == 0:
                _finish(cfg, s, END1)
                return
            _pass_the_turn(cfg, s)


@rule
def _pass_the_turn(cfg: Any, s: Any) -> None:
    """An extra turn comes first, unless there is no deck left for it; then the next player's, if she need not skip."""
    s.phase = FROM_HAND
    s.turns += 1
    if s.extra == 0 or (s.deck_size == 0 and cfg.extra_needs_deck == 1):
        s.active = next_player(cfg, s.active)
    s.extra = 0
    while s.skip[s.active] == 1:
        s.skip[s.active] = 0
        s.turns += 1
        s.active = next_player(cfg, s.active)


@rule
def _open_draft(cfg: Any, s: Any) -> None:
    """Opens the top cards of the deck."""
    for place in range(cfg.reveal):
        s.deck_size -= 1
        s.revealed[place] = s.deck[s.deck_size]
    s.phase = FROM_DRAFT
    s.kind = act.DRAFT_PICK


@rule
def _revealed_options(cfg: Any, s: Any, out: Any) -> int:
    first = act.PICK if s.kind == act.DRAFT_PICK else act.PASS
    n = 0
    for place in range(cfg.reveal):
        if s.revealed[place] != act.EMPTY:
            out.ids[n] = first + place
            n += 1
    return n


@rule
def _end_draft(cfg: Any, s: Any) -> None:
    """What was neither picked nor passed goes to the discard pile; then the picked cards are placed."""
    for place in range(cfg.reveal):
        if s.revealed[place] != act.EMPTY:
            discard(s, s.revealed[place])
            s.revealed[place] = act.EMPTY
    _go_on(cfg, s)


# Patterns


@rule
def _search(cfg: Any, s: Any) -> None:
    """Looks for patterns on the active player's board; with one or more the agent picks, else the turn goes on.

    A pattern can only have come about in a window with a changed cell; a board searched in vain is clean again.
    """
    if has_pattern(cfg, s, s.active):
        s.kind = act.RESOLVE
        s.player = s.active
    else:
        s.dirty[s.active] = 0
        _go_on(cfg, s)


@rule
def has_pattern(cfg: Any, s: Any, player: int) -> bool:
    """Whether a window with a changed cell is full and keeps a pattern."""
    filled = s.filled[player]
    dirty = s.dirty[player] & filled
    while dirty != 0:
        cell = lowest_bit(dirty)
        for i in range(cfg.cell_windows[cell]):
            window = cfg.cell_window[cell, i]
            bits = cfg.window_bits[window]
            if bits & filled == bits and matching_patterns(cfg, s, player, window) != 0:
                return True
        dirty &= dirty - 1
    return False


@rule
def _match_options(cfg: Any, s: Any, out: Any) -> int:
    """Every pattern in every window that was found, and none of them where the rules leave it to the player."""
    n = 0
    filled = s.filled[s.active]
    dirty = s.dirty[s.active]
    for window in range(cfg.windows):
        bits = cfg.window_bits[window]
        if bits & filled == bits and bits & dirty != 0:
            found = matching_patterns(cfg, s, s.active, window)
            while found != 0:
                out.ids[n] = act.MATCH + window * act.PATTERNS + lowest_bit(found)
                n += 1
                found &= found - 1
    if cfg.auto_trigger == 0:
        out.ids[n] = act.NO_MATCH
        n += 1
    return n


@rule
def _resolve(cfg: Any, s: Any, window: int, pattern: int) -> None:
    """Victory points first, then the reward, then the cards leave the board."""
    s.window = window
    s.pattern = pattern
    s.pattern_cells = cfg.window_bits[window]
    s.vp[s.active] += cfg.pattern_vp[pattern]
    s.patterns[s.active, pattern] += 1
    s.reward = cfg.pattern_reward[pattern]
    if cfg.pattern_optional[pattern] == 1:
        s.kind = act.APPLY
    else:
        _take_reward(cfg, s)


@rule
def _take_reward(cfg: Any, s: Any) -> None:
    """The reward is asked for, done with, or the end of the game."""
    fate = use_reward(cfg, s)
    if fate == ENDS:
        _finish(cfg, s, END2)
    elif fate != ASKS:
        _clear_pattern(cfg, s)


@rule
def _clear_pattern(cfg: Any, s: Any) -> None:
    """The cards of the pattern go to the discard pile in reading order, wherever a reward has moved them."""
    cells = s.pattern_cells
    while cells != 0:
        cell = lowest_bit(cells)
        discard(s, take(s, s.active, cell))
        cells &= cells - 1
    s.pattern_cells = 0
    _search(cfg, s)


# The end


@rule
def _finish(cfg: Any, s: Any, end: int) -> None:
    """The unique highest score wins; an equal one is nobody's win."""
    s.player = NOBODY
    s.end = end
    best = -1
    for player in range(cfg.players):
        if s.vp[player] > best:
            best = s.vp[player]
            s.winner = player
        elif s.vp[player] == best:
            s.winner = NOBODY


@rule
def returns(cfg: Any, s: Any, out: Any) -> None:
    """1 for the winner; a tie is shared by all who have the highest score."""
    best = -1
    count = 0
    for player in range(cfg.players):
        if s.vp[player] > best:
            best = s.vp[player]
            count = 0
        if s.vp[player] == best:
            count += 1
    for player in range(cfg.players):
        out[player] = 1.0 / count if s.vp[player] == best and s.player == NOBODY else 0.0
