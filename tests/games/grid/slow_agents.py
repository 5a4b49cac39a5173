"""`greedy` and `disruptor` of Grid as they are defined: every window looked at anew for every card in every cell.

The agents that play keep notes instead (`promises.py`); they must choose what these choose.
"""

from __future__ import annotations

from typing import Any

from playmill.engine.contract.agent import CompiledAgent
from playmill.engine.lang.rng import below
from playmill.engine.lang.rule import bit_count, lowest_bit, rule
from playmill.games.grid import actions as act
from playmill.games.grid import constants
from playmill.games.grid.constants import FROM_HAND
from playmill.games.grid.patterns.matching import matching_patterns
from playmill.games.grid.rules.cards import free_cells, next_player
from playmill.games.grid.rules.rewards import ends_the_game, is_possible, reachable_cards, reachable_cells
from playmill.texts import Text

#: What a point is worth that needs no more cards.
CERTAIN = 1 << 16
#: Where an agent notes the promise of each window.
NOTES = act.MAX_OPTIONS - constants.WINDOWS


@rule
def note_promises(cfg: Any, s: Any, legal: Any, player: int) -> None:
    """Notes what every window of a board promises, for `gain` to compare with."""
    for window in range(cfg.windows):
        legal.ids[NOTES + window] = promise(cfg, s, player, window)


@rule
def promise(cfg: Any, s: Any, player: int, window: int) -> int:
    """What a window may still bring: points of its possible patterns, divided by 5 for every missing card."""
    shape = cfg.window_shape[window]
    if cfg.shape_used[shape] == 0:
        return 0
    # Inside a reward the cards of the pattern are as good as gone: nothing should be built on them.
    if player == s.active and cfg.window_bits[window] & s.pattern_cells != 0:
        return 0
    size = 9 if shape == constants.SQUARE else (5 if shape == constants.LINE_5 else 4)
    missing = size - bit_count(cfg.window_bits[window] & s.filled[player])
    if missing == size:
        return 0
    weight = CERTAIN
    for _ in range(min(missing, 8)):
        weight //= 5
    found = matching_patterns(cfg, s, player, window)
    points = 0
    while found != 0:
        points += cfg.pattern_vp[lowest_bit(found)] + 1
        found &= found - 1
    return points * weight


@rule
def gain(cfg: Any, s: Any, legal: Any, player: int, cell: int, card: int) -> int:
    """How much more the noted board promises with a card in a free cell."""
    lay(s, player, cell, card)
    change = 0
    for i in range(cfg.cell_windows[cell]):
        window = cfg.cell_window[cell, i]
        change += promise(cfg, s, player, window) - legal.ids[NOTES + window]
    lift(s, player, cell)
    return change


@rule
def change_without(cfg: Any, s: Any, player: int, cell: int) -> int:
    """How a board's promise changes when the card in a cell leaves it."""
    card = s.board[player, cell]
    change = -promise_around(cfg, s, player, cell)
    lift(s, player, cell)
    change += promise_around(cfg, s, player, cell)
    lay(s, player, cell, card)
    return change


@rule
def change_with(cfg: Any, s: Any, player: int, cell: int, card: int) -> int:
    """How a board's promise changes when a card comes to a free cell."""
    change = -promise_around(cfg, s, player, cell)
    lay(s, player, cell, card)
    change += promise_around(cfg, s, player, cell)
    lift(s, player, cell)
    return change


@rule
def best_change(cfg: Any, s: Any, player: int, card: int) -> int:
    """The most a card can change a board's promise, which need not be for the better."""
    cells = free_cells(cfg, s, player)
    best = -(1 << 60)
    while cells != 0:
        best = max(best, change_with(cfg, s, player, lowest_bit(cells), card))
        cells &= cells - 1
    return best


@rule
def promise_around(cfg: Any, s: Any, player: int, cell: int) -> int:
    """What all windows with a cell promise."""
    total = 0
    for i in range(cfg.cell_windows[cell]):
        total += promise(cfg, s, player, cfg.cell_window[cell, i])
    return total


@rule
def lay(s: Any, player: int, cell: int, card: int) -> None:
    """Tries a card out in a free cell."""
    s.board[player, cell] = card
    s.filled[player] |= 1 << cell


@rule
def lift(s: Any, player: int, cell: int) -> None:
    """Takes a card off a cell."""
    s.board[player, cell] = constants.EMPTY
    s.filled[player] &= ~(1 << cell)


@rule
def best_gain(cfg: Any, s: Any, legal: Any, player: int, card: int) -> int:
    """The most a card can bring to the noted board."""
    cells = free_cells(cfg, s, player)
    best = -(1 << 40)
    while cells != 0:
        best = max(best, gain(cfg, s, legal, player, lowest_bit(cells), card))
        cells &= cells - 1
    return best


@rule
def hopes(cfg: Any, s: Any, player: int, card: int) -> int:
    """The most a card can bring to any player's board: what its windows promise with it, not what they did before."""
    cells = free_cells(cfg, s, player)
    best = 0
    while cells != 0:
        cell = lowest_bit(cells)
        lay(s, player, cell, card)
        best = max(best, promise_around(cfg, s, player, cell))
        lift(s, player, cell)
        cells &= cells - 1
    return best


#: How much more a disruptor cares for what a drafted card brings itself than for what it denies the leader.
_OWN_GAIN = 16


@rule
def greedy(cfg: Any, s: Any, legal: Any, n: int, rng: Any, params: Any) -> int:
    """Scores as soon as it can and keeps its windows promising; rewards where they help itself most."""
    return _best(cfg, s, legal, n, rng, False)


@rule
def disruptor(cfg: Any, s: Any, legal: Any, n: int, rng: Any, params: Any) -> int:
    """Places like greedy, but drafts and spends its rewards against whoever leads."""
    return _best(cfg, s, legal, n, rng, True)


@rule
def _best(cfg: Any, s: Any, legal: Any, n: int, rng: Any, disrupt: bool) -> int:
    """The option of the highest value; equal ones by lot."""
    moving = s.kind == constants.OPPONENT_EMPTY or (s.kind == constants.SELF_EMPTY and s.reward == constants.MOVE_OWN)
    board = _board_in_question(s)
    card = s.board[board, s.source]
    if moving:
        lift(s, board, s.source)
    note_promises(cfg, s, legal, board)
    best = -(1 << 60)
    chosen = 0
    ties = 1
    for i in range(n):
        value = _value(cfg, s, legal, legal.ids[i], disrupt) if not moving else _landing(cfg, s, legal, i, card)
        if value > best:
            best = value
            chosen = i
            ties = 1
        elif value == best:
            ties += 1
            if below(rng, s.player, ties) == 0:
                chosen = i
    if moving:
        lay(s, board, s.source, card)
    return legal.ids[chosen]


@rule
def _landing(cfg: Any, s: Any, legal: Any, i: int, card: int) -> int:
    """What it is worth that a card lifted from its cell lands on another: on the own board, or on an opponent's."""
    if s.kind == constants.SELF_EMPTY:
        return gain(cfg, s, legal, s.active, legal.ids[i] - act.PUT_SELF, card)
    return -gain(cfg, s, legal, s.target, legal.ids[i] - act.PUT_OTHER, card)


@rule
def _board_in_question(s: Any) -> int:
    """Whose board the present decision changes."""
    return s.target if s.kind in (constants.OPPONENT_CARD, constants.OPPONENT_EMPTY) else s.active


@rule
def _value(cfg: Any, s: Any, legal: Any, action: int, disrupt: bool) -> int:
    """What an option is worth."""
    me = s.active
    if s.kind == constants.PLACEMENT:
        return gain(cfg, s, legal, me, action - act.PLACE, s.card)
    if s.kind == constants.DRAFT_PICK:
        card = s.revealed[action - act.PICK]
        value = _OWN_GAIN * best_gain(cfg, s, legal, me, card)
        if disrupt:
            value += _harm_denied(cfg, s, card)
        return value
    if s.kind == constants.DRAFT_PASS:
        return -hopes(cfg, s, next_player(cfg, me), s.revealed[action - act.PASS])
    if s.kind == constants.RESOLVE:
        return _match_value(cfg, action, disrupt)
    if s.kind == constants.APPLY:
        return _reward_value(cfg, s, legal, disrupt) if action == act.ACCEPT else 0
    return _parameter_value(cfg, s, legal, action, disrupt)


@rule
def _match_value(cfg: Any, action: int, disrupt: bool) -> int:
    """The points of a match; a disruptor likes rewards that hurt, among equal points and a little beyond."""
    if action == act.NO_MATCH:
        return -1
    pattern = (action - act.MATCH) % constants.PATTERNS
    reward = cfg.pattern_reward[pattern]
    hurts = reward in (constants.SKIP_TURN, constants.REMOVE_OTHERS, constants.MOVE_OTHERS, constants.STEAL)
    return 4 * cfg.pattern_vp[pattern] + (6 if disrupt and hurts else 0)


@rule
def _parameter_value(cfg: Any, s: Any, legal: Any, action: int, disrupt: bool) -> int:
    """What a choice inside a reward is worth."""
    me = s.active
    if s.kind == constants.SELF_CARD:
        return _own_card_value(cfg, s, action - act.TAKE_SELF)
    if s.kind == constants.SELF_EMPTY:
        return gain(cfg, s, legal, me, action - act.PUT_SELF, _reward_card(s))
    if s.kind == constants.REF:
        return best_gain(cfg, s, legal, me, s.discard[action - act.FROM_DISCARD])
    if s.kind == constants.OPPONENT:
        return _target_value(cfg, s, action - act.TARGET, disrupt)
    return _harm(cfg, s, s.target, action - act.TAKE_OTHER, disrupt)


@rule
def _reward_card(s: Any) -> int:
    """The card that a reward is about to bring to the own board."""
    if s.reward == constants.SPAWN_JOKER:
        return constants.JOKER
    if s.reward == constants.TAKE_TOP:
        return s.discard[s.discard_size - 1]
    if s.reward == constants.TAKE_ANY:
        return s.discard[s.ref]
    return s.board[s.target, s.source]


@rule
def _own_card_value(cfg: Any, s: Any, cell: int) -> int:
    """What removing or moving an own card brings; one of the pattern leaves anyway, so that it brings nothing."""
    if s.pattern_cells >> cell & 1 == 1:
        return 0
    if s.reward == constants.REMOVE_OWN:
        return change_without(cfg, s, s.active, cell)
    return _best_move(cfg, s, s.active, cell, 1)


# Whether a reward is worth having


@rule
def _reward_value(cfg: Any, s: Any, legal: Any, disrupt: bool) -> int:
    """Whether accepting a reward is better than refusing it (more than 0), as good, or worse.

    It is no more than that: the first good use that is found is enough, the best one is looked for when it is asked.
    """
    me, reward = s.active, s.reward
    if ends_the_game(cfg, s, reward):
        return 1 if _leads(cfg, s, me) else -1
    if not is_possible(cfg, s, reward):
        return 0
    if reward == constants.EXTRA_TURN:
        return 1 if _can_play_again(cfg, s) or _leads(cfg, s, me) else -1
    if reward == constants.SKIP_TURN:
        return 1 if cfg.players > 2 or _can_play_again(cfg, s) or _leads(cfg, s, me) else -1
    if reward in (constants.SPAWN_JOKER, constants.TAKE_TOP):
        return best_gain(cfg, s, legal, me, _reward_card(s))
    best = -(1 << 60)
    if reward == constants.TAKE_ANY:
        place = 0
        while place < s.discard_size and best <= 0:
            best = max(best, best_gain(cfg, s, legal, me, s.discard[place]))
            place += 1
        return best
    if reward in (constants.REMOVE_OWN, constants.MOVE_OWN):
        cells = s.filled[me]
        while cells != 0 and best <= 0:
            best = max(best, _own_card_value(cfg, s, lowest_bit(cells)))
            cells &= cells - 1
        return best
    for player in range(cfg.players):
        cells = reachable_cards(cfg, s, player) if player != me else 0
        while cells != 0 and best <= 0:
            best = max(best, _harm(cfg, s, player, lowest_bit(cells), disrupt))
            cells &= cells - 1
    return best


@rule
def _leads(cfg: Any, s: Any, player: int) -> bool:
    """Whether a player would win if the game ended now."""
    best = -1
    for other in range(cfg.players):
        if other != player:
            best = max(best, s.vp[other])
    return s.vp[player] > best


@rule
def _can_play_again(cfg: Any, s: Any) -> bool:
    """Whether one more turn after this one could be played to its end: cards to draft, and cells for them."""
    drafts = 2 if s.phase == FROM_HAND else 1
    to_place = s.hand_size[s.active] + s.picked_size + cfg.pick_self * drafts
    room = bit_count(free_cells(cfg, s, s.active) | s.pattern_cells)
    return s.deck_size >= cfg.reveal * drafts and room >= to_place


@rule
def _target_value(cfg: Any, s: Any, player: int, disrupt: bool) -> int:
    """The best that a reward can do to an opponent; a disruptor aims at the leader as long as it does any good."""
    best = -(1 << 60)
    cells = reachable_cards(cfg, s, player)
    while cells != 0:
        cell = lowest_bit(cells)
        best = max(best, _harm(cfg, s, player, cell, disrupt))
        cells &= cells - 1
    return (s.vp[player] << 32) + best if disrupt and best > 0 else best


@rule
def _harm(cfg: Any, s: Any, player: int, cell: int, disrupt: bool) -> int:
    """What an opponent loses by a card removed, moved or stolen; of a stolen one, what it brings here as well."""
    if s.reward == constants.MOVE_OTHERS:
        return _best_move(cfg, s, player, cell, -1)
    loss = -change_without(cfg, s, player, cell)
    if s.reward == constants.STEAL:
        brings = best_change(cfg, s, s.active, s.board[player, cell])
        return loss + (brings if disrupt else 2 * brings)
    return loss


@rule
def _best_move(cfg: Any, s: Any, player: int, cell: int, sign: int) -> int:
    """The most that moving a card changes a board's promise: for the better (sign 1), or for the worse (-1)."""
    card = s.board[player, cell]
    cells = free_cells(cfg, s, player) if player == s.active else reachable_cells(cfg, s, player, cell)
    change = change_without(cfg, s, player, cell)
    lift(s, player, cell)
    best = -(1 << 60)
    while cells != 0:
        best = max(best, sign * (change + change_with(cfg, s, player, lowest_bit(cells), card)))
        cells &= cells - 1
    lay(s, player, cell, card)
    return best


@rule
def _harm_denied(cfg: Any, s: Any, card: int) -> int:
    """What a card would bring to the leading opponent."""
    leader = -1
    for player in range(cfg.players):
        if player != s.active and (leader == -1 or s.vp[player] > s.vp[leader]):
            leader = player
    return hopes(cfg, s, leader, card)


_ABOUT = Text("slow", "медленный")
SLOW = {
    "slow_greedy": CompiledAgent(greedy, _ABOUT, honest=True),
    "slow_disruptor": CompiledAgent(disruptor, _ABOUT, honest=True),
}
