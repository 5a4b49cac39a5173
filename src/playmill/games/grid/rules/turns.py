"""The turns of Grid: the state, set-up, placing, drafting, resolving patterns and their rewards."""

from __future__ import annotations

from typing import Any

import numpy as np

from playmill.author import (
    add_to_shuffle_buffer,
    drain_shuffle_buffer,
    lowest_bit,
    rare,
    rule,
)
from playmill.games.grid import actions as act
from playmill.games.grid import constants
from playmill.games.grid.constants import END1, END2, FROM_DRAFT, FROM_HAND, NOBODY, STREAM_DECK
from playmill.games.grid.patterns.prefilter import LINES, has_pattern
from playmill.games.grid.rules.cards import (
    NO_PLACES,
    ask,
    count_free_cells,
    discard,
    from_hand,
    from_picked,
    lay,
    next_player,
    receive,
    take,
)
from playmill.games.grid.rules.rewards import ASKS, ENDS, choose_parameter, use_reward

VERSION = 3
MIN_PLAYERS = 2
MAX_PLAYERS = constants.PLAYERS
STAKES = (0, 1, 1)
MAX_ACTIONS = act.ACTIONS
MAX_LEGAL = act.MAX_OPTIONS

State = np.dtype(
    [
        ("filled", np.int64, (constants.PLAYERS,)),  # occupied cells of each board, as bits
        (
            "dirty",
            np.int64,
            (constants.PLAYERS,),
        ),  # cells that changed since the board was last searched in vain, as bits
        ("free", np.uint8, (constants.PLAYERS, constants.CELLS)),  # the free cells in a list (see `nth_free_cell`)
        ("entry", np.uint8, (constants.PLAYERS, constants.CELLS)),  # where in that list each of them stands
        (
            "lines",
            np.uint32,
            (constants.PLAYERS, LINES),
        ),  # the marks of the cards in each row and column (see `prefilter.py`)
        ("laid", np.uint8, (constants.PLAYERS,)),  # the number of occupied cells
        ("options", np.uint8),  # how many places the decision chooses from; 0 if it chooses something else
        ("places", np.int64),  # these places, as bits: open cards, seats, or cells for a reward, but not for placement
        ("pattern_cells", np.int64),  # where the cards of the pattern being resolved lie, as bits
        ("vp", np.int32, (constants.PLAYERS,)),
        ("turns", np.uint16),
        ("window", np.uint16),
        ("ref", np.uint16),  # the place in the discard pile that a reward takes from
        ("deck_size", np.uint16),
        ("discard_size", np.uint16),
        ("player", np.int8),  # whose decision it is; -1 = the game is over
        ("players", np.uint8),
        ("kind", np.uint8),  # what kind of decision
        ("active", np.uint8),
        ("phase", np.uint8),
        ("end", np.uint8),
        ("winner", np.int8),  # -1: nobody, or the game goes on
        ("extra", np.uint8),  # the active player has earned another turn
        ("card", np.uint8),  # the card to be placed
        ("pattern", np.uint8),
        ("reward", np.uint8),
        ("target", np.uint8),  # the opponent a reward is aimed at
        ("source", np.uint8),  # the cell a reward takes from
        ("picked", np.uint8, (constants.PICKS,)),  # drafted cards not yet placed
        ("picked_size", np.uint8),
        ("revealed", np.uint8, (constants.REVEAL,)),  # the draft's open cards; 0 where one was taken
        ("passes", np.uint8),  # cards still to be passed on
        ("skip", np.uint8, (constants.PLAYERS,)),
        ("hand_size", np.uint8, (constants.PLAYERS,)),
        ("hand", np.uint8, (constants.PLAYERS, constants.HAND)),  # in the order received
        ("board", np.uint8, (constants.PLAYERS, constants.CELLS)),
        ("patterns", np.uint8, (constants.PLAYERS, constants.PATTERNS)),  # resolved, by pattern
        ("applied", np.uint8, (constants.PLAYERS, constants.REWARDS)),
        ("refused", np.uint8, (constants.PLAYERS, constants.REWARDS)),
        ("impossible", np.uint8, (constants.PLAYERS, constants.REWARDS)),
        ("deck", np.uint8, (constants.DECK,)),  # the top is the last one
        ("discard", np.uint8, (constants.DISCARD,)),  # the top is the last one
    ],
    align=True,
)


@rule
def setup(cfg: Any, s: Any, rng: Any) -> None:
    """Shuffles the deck; hands are empty, seat 0 begins."""
    for card in range(1, cfg.cards + 1):
        add_to_shuffle_buffer(rng, STREAM_DECK, card - 1, card, card)
    drain_shuffle_buffer(rng, STREAM_DECK, s.deck, cfg.cards)
    s.deck_size = cfg.cards
    s.players = cfg.players
    s.winner = NOBODY
    s.turns = 1
    _go_on_from_hand(cfg, s, s.active)


@rule
def apply_action(cfg: Any, s: Any, action: int, rng: Any) -> None:
    """Does a legal action and runs the game on to the next decision or the end; unchecked."""
    if s.kind == constants.PLACEMENT:
        _place(cfg, s, s.active, action - act.PLACE)
    elif s.kind == constants.DRAFT_PICK:
        picked = s.picked_size
        s.picked_size = picked + 1
        s.picked[picked] = _take_open(s, action - act.PICK)
        if picked + 1 == cfg.pick_self:
            s.kind = constants.DRAFT_PASS
            s.passes = cfg.pass_next
            if s.passes == 0:
                _end_draft(cfg, s)
    elif s.kind == constants.DRAFT_PASS:
        receive(s, next_player(cfg, s.active), _take_open(s, action - act.PASS))
        s.passes -= 1
        if s.passes == 0:
            _end_draft(cfg, s)
    else:
        _decide_on_pattern(cfg, s, action)


@rare
def _decide_on_pattern(cfg: Any, s: Any, action: int) -> None:
    """Does what a player decides about a pattern they have made and its reward."""
    if s.kind == constants.RESOLVE:
        if action == act.NO_MATCH:
            _go_on(cfg, s, s.active)
        else:
            _resolve(cfg, s, (action - act.MATCH) // constants.PATTERNS, (action - act.MATCH) % constants.PATTERNS)
    elif s.kind == constants.APPLY:
        if action == act.ACCEPT:
            _take_reward(cfg, s)
        else:
            s.refused[s.active, s.reward] += 1
            _clear_pattern(cfg, s)
    elif choose_parameter(cfg, s, action) != ASKS:
        _clear_pattern(cfg, s)


@rule
def _place(cfg: Any, s: Any, player: int, cell: int) -> None:
    """The card is laid on a cell; a look at its row and its column tells nearly always that it has made no pattern."""
    signs = lay(cfg, s, player, cell, s.card)
    s.card = constants.EMPTY
    if s.dirty[player] | signs == 0:
        _go_on(cfg, s, player)
    else:
        _search_with(cfg, s, player, cell)


@rare
def _search_with(cfg: Any, s: Any, player: int, cell: int) -> None:
    """Looks for patterns on the active player's board, a cell of which has changed."""
    s.dirty[player] |= 1 << cell
    _search(cfg, s)


# A turn


@rule
def _go_on(cfg: Any, s: Any, player: int) -> None:
    """Runs on, from a board of the active player without patterns to resolve, to the next decision or the end."""
    if s.phase == FROM_HAND:
        _go_on_from_hand(cfg, s, player)
    else:
        _go_on_from_draft(cfg, s, player)


@rule
def _go_on_from_hand(cfg: Any, s: Any, player: int) -> None:
    """The next card of the hand is to be placed; after the last one the draft begins."""
    while s.hand_size[player] > 0:
        cells = count_free_cells(cfg, s, player)
        if cells > 0:
            _ask_for_cell(s, player, from_hand(s, player), cells)
            return
        if cfg.end_without_hand_cell == 1:
            _finish(cfg, s, END2)
            return
        discard(s, from_hand(s, player))
    if s.deck_size < cfg.reveal:
        _finish(cfg, s, END1)
    else:
        _open_draft(cfg, s, player)


@rule
def _go_on_from_draft(cfg: Any, s: Any, player: int) -> None:
    """The next picked card is to be placed; after the last one it is the next player's turn."""
    while s.picked_size > 0:
        cells = count_free_cells(cfg, s, player)
        if cells > 0:
            _ask_for_cell(s, player, from_picked(s), cells)
            return
        if cfg.end_without_draft_cell == 1:
            while s.picked_size > 0:
                receive(s, player, from_picked(s))
            _finish(cfg, s, END2)
            return
        discard(s, from_picked(s))
    if s.deck_size == 0 and cfg.play_on_without_deck == 0:
        _finish(cfg, s, END1)
    else:
        _go_on_from_hand(cfg, s, _pass_the_turn(cfg, s, player))


@rule
def _ask_for_cell(s: Any, player: int, card: int, cells: int) -> None:
    """The active player is to place a card on one of so many free cells of theirs."""
    s.card = card
    s.player = player
    ask(s, constants.PLACEMENT, NO_PLACES, cells)


@rule
def _pass_the_turn(cfg: Any, s: Any, player: int) -> int:
    """An extra turn comes first, unless there is no deck left for it; then the next player's, if they need not skip."""
    s.phase = FROM_HAND
    s.turns += 1
    if s.extra == 0 or (s.deck_size == 0 and cfg.extra_needs_deck == 1):
        player = next_player(cfg, player)
    s.extra = 0
    while s.skip[player] == 1:
        s.skip[player] = 0
        s.turns += 1
        player = next_player(cfg, player)
    s.active = player
    return player


@rule
def _open_draft(cfg: Any, s: Any, player: int) -> None:
    """Opens the top cards of the deck."""
    s.player = player
    left = s.deck_size
    place = 0
    while place < cfg.reveal:  # of a few cards the compiler makes a long way round where it knows how many there are
        left -= 1
        s.revealed[place] = s.deck[left]
        place += 1
    s.deck_size = left
    s.phase = FROM_DRAFT
    ask(s, constants.DRAFT_PICK, (1 << cfg.reveal) - 1, cfg.reveal)


@rule
def _take_open(s: Any, place: int) -> int:
    """One of the draft's open cards is taken."""
    card = s.revealed[place]
    s.revealed[place] = constants.EMPTY
    s.places &= ~(1 << place)
    s.options -= 1
    return card


@rule
def _end_draft(cfg: Any, s: Any) -> None:
    """What was neither picked nor passed goes to the discard pile; then the picked cards are placed."""
    left = s.places
    while left != 0:
        place = lowest_bit(left)
        left &= left - 1
        discard(s, s.revealed[place])
        s.revealed[place] = constants.EMPTY
    _go_on_from_draft(cfg, s, s.active)


# Patterns


@rule
def _search(cfg: Any, s: Any) -> None:
    """Looks for patterns on the active player's board; with one or more the agent picks, else the turn goes on.

    A pattern can only have come about in a window with a changed cell; a board searched in vain is clean again.
    """
    if has_pattern(cfg, s, s.active):
        ask(s, constants.RESOLVE, NO_PLACES, 0)
        s.player = s.active
    else:
        s.dirty[s.active] = 0
        _go_on(cfg, s, s.active)


@rule
def _resolve(cfg: Any, s: Any, window: int, pattern: int) -> None:
    """Victory points first, then the reward, then the cards leave the board."""
    s.window = window
    s.pattern = pattern
    s.pattern_cells = cfg.window_bits[window]
    s.vp[s.active] += cfg.pattern_vp[pattern]
    s.patterns[s.active, pattern] += 1
    s.reward = cfg.pattern_reward[pattern]
    if s.reward == constants.NO_REWARD:
        _clear_pattern(cfg, s)
    elif cfg.pattern_optional[pattern] == 1:
        ask(s, constants.APPLY, NO_PLACES, 0)
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


@rare
def _clear_pattern(cfg: Any, s: Any) -> None:
    """The cards of the pattern go to the discard pile in reading order, wherever a reward has moved them."""
    cells = s.pattern_cells
    while cells != 0:
        cell = lowest_bit(cells)
        discard(s, take(cfg, s, s.active, cell))
        cells &= cells - 1
    s.pattern_cells = 0
    _search(cfg, s)


# The end


@rare
def _finish(cfg: Any, s: Any, end: int) -> None:
    """The unique highest score wins; an equal one is nobody's win."""
    s.player = NOBODY
    s.places = NO_PLACES
    s.options = 0
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
