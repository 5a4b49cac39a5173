"""Grid: the rules, in the order of play. Patterns are recognised in `patterns.py`; words and pictures elsewhere."""

from __future__ import annotations

from typing import Any

import numpy as np

from playmill.engine.rng import into_hat, out_of_hat
from playmill.engine.rule import lowest_bit, rule
from playmill.games.grid import actions as _a
from playmill.games.grid.actions import (
    ACCEPT,
    APPLY,
    CELLS,
    DECK,
    DISCARD,
    DRAFT_PASS,
    DRAFT_PICK,
    EMPTY,
    EXTRA_TURN,
    FROM_DISCARD,
    HAND,
    JOKER,
    MATCH,
    MOVE_OTHERS,
    MOVE_OWN,
    NO_MATCH,
    OPPONENT,
    OPPONENT_CARD,
    OPPONENT_EMPTY,
    PASS,
    PATTERNS,
    PICK,
    PICKS,
    PLACE,
    PLACEMENT,
    PLAYERS,
    PUT_OTHER,
    PUT_SELF,
    REF,
    REFUSE,
    REMOVE_OWN,
    RESOLVE,
    REVEAL,
    REWARDS,
    SELF_CARD,
    SELF_EMPTY,
    SKIP_TURN,
    SPAWN_JOKER,
    STEAL,
    TAKE_ANY,
    TAKE_OTHER,
    TAKE_SELF,
    TAKE_TOP,
    TARGET,
)
from playmill.games.grid.cards import discard, from_discard, from_hand, from_picked, put, receive, take
from playmill.games.grid.patterns import matching_patterns

VERSION = 1
MIN_PLAYERS = 2
MAX_PLAYERS = PLAYERS
MAX_ACTIONS = _a.ACTIONS
MAX_LEGAL = _a.MAX_OPTIONS

LUCK_DECK = 0
NOBODY = -1

#: The two phases of a turn.
FROM_HAND, FROM_DRAFT = range(2)

NOT_ENDED, END1, END2 = range(3)

State = np.dtype(
    [
        ("filled", np.int64, (PLAYERS,)),  # occupied cells of each board, as bits
        ("dirty", np.int64, (PLAYERS,)),  # cells that changed since the board was last searched in vain, as bits
        ("pattern_cells", np.int64),  # where the cards of the pattern being resolved lie, as bits
        ("vp", np.int32, (PLAYERS,)),
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
        ("picked", np.int8, (PICKS,)),  # drafted cards not yet placed
        ("picked_size", np.int8),
        ("revealed", np.int8, (REVEAL,)),  # the draft's open cards; 0 where one was taken
        ("passes", np.int8),  # cards still to be passed on
        ("skip", np.int8, (PLAYERS,)),
        ("hand_size", np.int8, (PLAYERS,)),
        ("hand", np.int8, (PLAYERS, HAND)),  # in the order received
        ("board", np.int8, (PLAYERS, CELLS)),
        ("patterns", np.int8, (PLAYERS, PATTERNS)),  # resolved, by pattern
        ("applied", np.int8, (PLAYERS, REWARDS)),
        ("refused", np.int8, (PLAYERS, REWARDS)),
        ("impossible", np.int8, (PLAYERS, REWARDS)),
        ("deck", np.int8, (DECK,)),  # the top is the last one
        ("discard", np.int8, (DISCARD,)),  # the top is the last one
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
    if s.kind == PLACEMENT:
        return _cells(out, PLACE, free_cells(cfg, s, me))
    if s.kind == DRAFT_PICK or s.kind == DRAFT_PASS:
        return _revealed_options(cfg, s, out)
    if s.kind == RESOLVE:
        return _match_options(cfg, s, out)
    if s.kind == APPLY:
        out.ids[0] = REFUSE
        out.ids[1] = ACCEPT
        return 2
    if s.kind == SELF_CARD:
        return _cells(out, TAKE_SELF, s.filled[me])
    if s.kind == SELF_EMPTY:
        return _cells(out, PUT_SELF, free_cells(cfg, s, me))
    if s.kind == OPPONENT:
        n = 0
        for player in range(cfg.players):
            if player != me and reachable_cards(cfg, s, player) != 0:
                out.ids[n] = TARGET + player
                n += 1
        return n
    if s.kind == OPPONENT_CARD:
        return _cells(out, TAKE_OTHER, reachable_cards(cfg, s, s.target))
    if s.kind == OPPONENT_EMPTY:
        return _cells(out, PUT_OTHER, reachable_cells(cfg, s, s.target, s.source))
    for place in range(s.discard_size):
        out.ids[place] = FROM_DISCARD + place
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
def free_cells(cfg: Any, s: Any, player: int) -> int:
    """The empty cells of a player's board, as bits."""
    return ((1 << cfg.cells) - 1) & ~s.filled[player]


@rule
def apply_action(cfg: Any, s: Any, action: int, rng: Any) -> None:
    """Does a legal action and runs the game on to the next decision or the end; unchecked."""
    if s.kind == PLACEMENT:
        put(s, s.active, action - PLACE, s.card)
        s.card = EMPTY
        _search(cfg, s)
    elif s.kind == DRAFT_PICK:
        s.picked[s.picked_size] = s.revealed[action - PICK]
        s.picked_size += 1
        s.revealed[action - PICK] = EMPTY
        if s.picked_size == cfg.pick_self:
            s.kind = DRAFT_PASS
            s.passes = cfg.pass_next
            if s.passes == 0:
                _end_draft(cfg, s)
    elif s.kind == DRAFT_PASS:
        receive(s, next_player(cfg, s.active), s.revealed[action - PASS])
        s.revealed[action - PASS] = EMPTY
        s.passes -= 1
        if s.passes == 0:
            _end_draft(cfg, s)
    elif s.kind == RESOLVE:
        if action == NO_MATCH:
            _go_on(cfg, s)
        else:
            _resolve(cfg, s, (action - MATCH) // PATTERNS, (action - MATCH) % PATTERNS)
    elif s.kind == APPLY:
        if action == ACCEPT:
            _use_reward(cfg, s)
        else:
            s.refused[s.active, s.reward] += 1
            _clear_pattern(cfg, s)
    else:
        _choose_parameter(cfg, s, action)


# A turn


@rule
def next_player(cfg: Any, player: int) -> int:
    """The neighbour who is next in turn."""
    seat = player + cfg.step
    if seat >= cfg.players:
        return 0
    return cfg.players - 1 if seat < 0 else seat


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
                s.kind = PLACEMENT
                return
            if cfg.end_without_hand_cell == 1:
                _finish(cfg, s, END2)
                return
            discard(s, from_hand(s, s.active))
        elif s.picked_size > 0:
            if free_cells(cfg, s, s.active) != 0:
                s.card = from_picked(s)
                s.kind = PLACEMENT
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
    """An extra turn comes first; then the next player's, unless she must skip the whole of it."""
    s.phase = FROM_HAND
    s.turns += 1
    if s.extra == 1:
        s.extra = 0
    else:
        s.active = next_player(cfg, s.active)
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
    s.kind = DRAFT_PICK


@rule
def _revealed_options(cfg: Any, s: Any, out: Any) -> int:
    first = PICK if s.kind == DRAFT_PICK else PASS
    n = 0
    for place in range(cfg.reveal):
        if s.revealed[place] != EMPTY:
            out.ids[n] = first + place
            n += 1
    return n


@rule
def _end_draft(cfg: Any, s: Any) -> None:
    """What was neither picked nor passed goes to the discard pile; then the picked cards are placed."""
    for place in range(cfg.reveal):
        if s.revealed[place] != EMPTY:
            discard(s, s.revealed[place])
            s.revealed[place] = EMPTY
    _go_on(cfg, s)


# Patterns


@rule
def _search(cfg: Any, s: Any) -> None:
    """Looks for patterns on the active player's board; with one or more the agent picks, else the turn goes on.

    A pattern can only have come about in a window with a changed cell; a board searched in vain is clean again.
    """
    if has_pattern(cfg, s, s.active):
        s.kind = RESOLVE
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
                out.ids[n] = MATCH + window * PATTERNS + lowest_bit(found)
                n += 1
                found &= found - 1
    if cfg.auto_trigger == 0:
        out.ids[n] = NO_MATCH
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
        s.kind = APPLY
    else:
        _use_reward(cfg, s)


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


# Rewards


@rule
def _use_reward(cfg: Any, s: Any) -> None:
    """Applies a reward that needs no choice, asks for the first choice of any other, or finds it impossible."""
    me, reward = s.active, s.reward
    if not is_possible(cfg, s, reward):
        s.impossible[me, reward] += 1
        accepted = cfg.pattern_optional[s.pattern] == 1
        if cfg.failure_is_harmless == 0 and accepted and lacks_only_a_cell(cfg, s, reward):
            _finish(cfg, s, END2)
        else:
            _clear_pattern(cfg, s)
        return
    s.applied[me, reward] += 1
    if reward == EXTRA_TURN:
        s.extra = 1
        _clear_pattern(cfg, s)
    elif reward == SKIP_TURN:
        s.skip[next_player(cfg, me)] = 1
        _clear_pattern(cfg, s)
    elif reward == REMOVE_OWN or reward == MOVE_OWN:
        s.kind = SELF_CARD
    elif reward == TAKE_TOP or reward == SPAWN_JOKER:
        s.kind = SELF_EMPTY
    elif reward == TAKE_ANY:
        s.kind = REF
    else:
        s.kind = OPPONENT


@rule
def is_possible(cfg: Any, s: Any, reward: int) -> bool:
    """Whether a reward has legal parameters now, with the pattern still on the board."""
    has_cell = free_cells(cfg, s, s.active) != 0
    fills_cell = reward == TAKE_TOP or reward == TAKE_ANY or reward == SPAWN_JOKER or reward == STEAL
    if not has_cell and (fills_cell or reward == MOVE_OWN or cfg.needs_cell[reward] == 1):
        return False
    return _has_target(cfg, s, reward)


@rule
def lacks_only_a_cell(cfg: Any, s: Any, reward: int) -> bool:
    """Whether a reward is impossible for want of the free own cell it needs, and for nothing else."""
    return cfg.needs_cell[reward] == 1 and free_cells(cfg, s, s.active) == 0 and _has_target(cfg, s, reward)


@rule
def _has_target(cfg: Any, s: Any, reward: int) -> bool:
    """Whether there is something for a reward to act on, own free cells left aside."""
    me = s.active
    if reward == EXTRA_TURN:
        return s.deck_size > 0 or cfg.extra_needs_deck == 0
    if reward == SKIP_TURN:
        return True
    if reward == REMOVE_OWN or reward == MOVE_OWN:
        return s.filled[me] != 0
    if reward == TAKE_TOP or reward == TAKE_ANY:
        return s.discard_size > 0
    if reward == SPAWN_JOKER:
        return cfg.joker == 1
    for player in range(cfg.players):
        if player != me and reachable_cards(cfg, s, player) != 0:
            return True
    return False


@rule
def reachable_cards(cfg: Any, s: Any, player: int) -> int:
    """The cards of an opponent that the reward being applied may take, as bits of cells."""
    reward = s.reward
    cells = s.filled[player]
    if cfg.touch_ban == 1 or cfg.ban_source[reward] == 1 or (reward == STEAL and cfg.cross_ban == 1):
        cells &= ~cfg.zone
    if reward == MOVE_OTHERS:
        if _cells_to_move_to(cfg, s, player, True) == 0:
            cells &= ~cfg.zone
        if _cells_to_move_to(cfg, s, player, False) == 0:
            cells &= cfg.zone
    return cells


@rule
def reachable_cells(cfg: Any, s: Any, player: int, source: int) -> int:
    """The free cells of an opponent's board that a card of his may be moved to, as bits."""
    return _cells_to_move_to(cfg, s, player, cfg.zone >> source & 1 == 1)


@rule
def _cells_to_move_to(cfg: Any, s: Any, player: int, inside: bool) -> int:
    """The same for a card inside the protected zone, or outside."""
    cells = free_cells(cfg, s, player)
    if cfg.touch_ban == 1 or cfg.ban_target[s.reward] == 1:
        cells &= ~cfg.zone
    if cfg.cross_ban == 1:
        cells &= cfg.zone if inside else ~cfg.zone
    return cells


@rule
def _choose_parameter(cfg: Any, s: Any, action: int) -> None:
    """Takes one choice of the reward's list; the last one carries it out."""
    me, reward = s.active, s.reward
    if s.kind == SELF_CARD:
        s.source = action - TAKE_SELF
        if reward == MOVE_OWN:
            s.kind = SELF_EMPTY
        else:
            discard(s, take(s, me, s.source))
            s.pattern_cells &= ~(1 << s.source)
            _clear_pattern(cfg, s)
    elif s.kind == SELF_EMPTY:
        _fill_own_cell(cfg, s, action - PUT_SELF)
        _clear_pattern(cfg, s)
    elif s.kind == OPPONENT:
        s.target = action - TARGET
        s.kind = OPPONENT_CARD
    elif s.kind == OPPONENT_CARD:
        s.source = action - TAKE_OTHER
        if reward == MOVE_OTHERS:
            s.kind = OPPONENT_EMPTY
        elif reward == STEAL:
            s.kind = SELF_EMPTY
        else:
            discard(s, take(s, s.target, s.source))
            _clear_pattern(cfg, s)
    elif s.kind == OPPONENT_EMPTY:
        put(s, s.target, action - PUT_OTHER, take(s, s.target, s.source))
        _clear_pattern(cfg, s)
    else:
        s.ref = action - FROM_DISCARD
        s.kind = SELF_EMPTY


@rule
def _fill_own_cell(cfg: Any, s: Any, cell: int) -> None:
    """Puts what the reward brings into a cell of the own board."""
    me, reward = s.active, s.reward
    if reward == SPAWN_JOKER:
        put(s, me, cell, JOKER)
    elif reward == TAKE_TOP:
        put(s, me, cell, from_discard(s, s.discard_size - 1))
    elif reward == TAKE_ANY:
        put(s, me, cell, from_discard(s, s.ref))
    elif reward == STEAL:
        put(s, me, cell, take(s, s.target, s.source))
    else:
        put(s, me, cell, take(s, me, s.source))
        if s.pattern_cells >> s.source & 1 == 1:
            s.pattern_cells ^= 1 << s.source | 1 << cell


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
