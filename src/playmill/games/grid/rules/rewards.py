"""The rewards of Grid: whether one is possible, what it may touch, and what it does.

They know nothing of turns: each step says whether it asks for more, is done, or ends the game.
"""

from __future__ import annotations

from typing import Any

from playmill.author import bit_count, rule
from playmill.games.grid import actions as act
from playmill.games.grid import constants
from playmill.games.grid.rules.cards import NO_PLACES, ask, discard, free_cells, from_discard, next_player, put, take

#: What a step of a reward leads to.
ASKS, DONE, ENDS = range(3)


@rule
def use_reward(cfg: Any, s: Any) -> int:
    """Applies a reward that needs no choice, asks for the first choice of any other, or finds it impossible."""
    me, reward = s.active, s.reward
    if not is_possible(cfg, s, reward):
        s.impossible[me, reward] += 1
        return ENDS if ends_the_game(cfg, s, reward) else DONE
    s.applied[me, reward] += 1
    if reward == constants.EXTRA_TURN:
        s.extra = 1
        return DONE
    if reward == constants.SKIP_TURN:
        s.skip[next_player(cfg, me)] = 1
        return DONE
    if reward == constants.REMOVE_OWN or reward == constants.MOVE_OWN:
        _ask(s, constants.SELF_CARD, s.filled[me])
    elif reward == constants.TAKE_TOP or reward == constants.SPAWN_JOKER:
        _ask(s, constants.SELF_EMPTY, free_cells(cfg, s, me))
    elif reward == constants.TAKE_ANY:
        _ask(s, constants.REF, NO_PLACES)
    else:
        _ask(s, constants.OPPONENT, _reachable_opponents(cfg, s))
    return ASKS


@rule
def _ask(s: Any, kind: int, places: int) -> None:
    """The next choice of a reward's list, of one of these places."""
    ask(s, kind, places, bit_count(places))


@rule
def ends_the_game(cfg: Any, s: Any, reward: int) -> bool:
    """Whether to accept a reward now ends the game: it needs a free own cell, there is none, and that does harm."""
    return cfg.failure_is_harmless == 0 and cfg.needs_cell[reward] == 1 and free_cells(cfg, s, s.active) == 0


@rule
def is_possible(cfg: Any, s: Any, reward: int) -> bool:
    """Whether a reward has legal parameters now, with the pattern still on the board."""
    has_cell = free_cells(cfg, s, s.active) != 0
    fills_cell = (
        reward == constants.TAKE_TOP
        or reward == constants.TAKE_ANY
        or reward == constants.SPAWN_JOKER
        or reward == constants.STEAL
    )
    if not has_cell and (fills_cell or reward == constants.MOVE_OWN or cfg.needs_cell[reward] == 1):
        return False
    return _has_target(cfg, s, reward)


@rule
def _has_target(cfg: Any, s: Any, reward: int) -> bool:
    """Whether there is something for a reward to act on, own free cells left aside."""
    me = s.active
    if reward == constants.EXTRA_TURN:
        return s.deck_size > 0 or cfg.extra_needs_deck == 0
    if reward == constants.SKIP_TURN:
        return True
    if reward == constants.REMOVE_OWN or reward == constants.MOVE_OWN:
        return s.filled[me] != 0
    if reward == constants.TAKE_TOP or reward == constants.TAKE_ANY:
        return s.discard_size > 0
    if reward == constants.SPAWN_JOKER:
        return cfg.joker == 1
    return _reachable_opponents(cfg, s) != 0


@rule
def _reachable_opponents(cfg: Any, s: Any) -> int:
    """The opponents with a card that the reward being applied may take, as bits of seats."""
    seats = 0
    for player in range(cfg.players):
        if player != s.active and reachable_cards(cfg, s, player) != 0:
            seats |= 1 << player
    return seats


@rule
def reachable_cards(cfg: Any, s: Any, player: int) -> int:
    """The cards of an opponent that the reward being applied may take, as bits of cells."""
    reward = s.reward
    cells = s.filled[player]
    if cfg.touch_ban == 1 or cfg.ban_source[reward] == 1 or (reward == constants.STEAL and cfg.cross_ban == 1):
        cells &= ~cfg.zone
    if reward == constants.MOVE_OTHERS:
        if _cells_to_move_to(cfg, s, player, True) == 0:
            cells &= ~cfg.zone
        if _cells_to_move_to(cfg, s, player, False) == 0:
            cells &= cfg.zone
    return cells


@rule
def reachable_cells(cfg: Any, s: Any, player: int, source: int) -> int:
    """The free cells of an opponent's board that a card of theirs may be moved to, as bits."""
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
def choose_parameter(cfg: Any, s: Any, action: int) -> int:
    """Takes one choice of the reward's list; the last one carries it out."""
    me, reward = s.active, s.reward
    if s.kind == constants.SELF_CARD:
        s.source = action - act.TAKE_SELF
        if reward == constants.MOVE_OWN:
            _ask(s, constants.SELF_EMPTY, free_cells(cfg, s, me))
            return ASKS
        discard(s, take(cfg, s, me, s.source))
        s.pattern_cells &= ~(1 << s.source)
    elif s.kind == constants.SELF_EMPTY:
        _fill_own_cell(cfg, s, action - act.PUT_SELF)
    elif s.kind == constants.OPPONENT:
        s.target = action - act.TARGET
        _ask(s, constants.OPPONENT_CARD, reachable_cards(cfg, s, s.target))
        return ASKS
    elif s.kind == constants.OPPONENT_CARD:
        s.source = action - act.TAKE_OTHER
        if reward == constants.MOVE_OTHERS:
            _ask(s, constants.OPPONENT_EMPTY, reachable_cells(cfg, s, s.target, s.source))
            return ASKS
        if reward == constants.STEAL:
            _ask(s, constants.SELF_EMPTY, free_cells(cfg, s, me))
            return ASKS
        discard(s, take(cfg, s, s.target, s.source))
    elif s.kind == constants.OPPONENT_EMPTY:
        put(cfg, s, s.target, action - act.PUT_OTHER, take(cfg, s, s.target, s.source))
    else:
        s.ref = action - act.FROM_DISCARD
        _ask(s, constants.SELF_EMPTY, free_cells(cfg, s, me))
        return ASKS
    return DONE


@rule
def _fill_own_cell(cfg: Any, s: Any, cell: int) -> None:
    """Puts what the reward brings into a cell of the own board."""
    me, reward = s.active, s.reward
    if reward == constants.SPAWN_JOKER:
        put(cfg, s, me, cell, constants.JOKER)
    elif reward == constants.TAKE_TOP:
        put(cfg, s, me, cell, from_discard(s, s.discard_size - 1))
    elif reward == constants.TAKE_ANY:
        put(cfg, s, me, cell, from_discard(s, s.ref))
    elif reward == constants.STEAL:
        put(cfg, s, me, cell, take(cfg, s, s.target, s.source))
    else:
        put(cfg, s, me, cell, take(cfg, s, me, s.source))
        if s.pattern_cells >> s.source & 1 == 1:
            s.pattern_cells ^= 1 << s.source | 1 << cell
