"""Compiled agents of Grid: they weigh what every window of a board may still become.

The *promise* of a window is the victory points of each pattern that can still come to lie in it, worth less for every
card that is missing. The agents are handed a copy of the state with the deck shuffled anew, so they may try a card out
on it; the room behind the list of options is theirs to note the promise of each window in.
"""

from __future__ import annotations

from typing import Any

from playmill.engine.agent import CompiledAgent, SearchPlan
from playmill.engine.rng import below
from playmill.engine.rule import lowest_bit, rule
from playmill.games.grid.actions import (
    ACCEPT,
    APPLY,
    DRAFT_PASS,
    DRAFT_PICK,
    EMPTY,
    FROM_DISCARD,
    JOKER,
    LINE_5,
    MATCH,
    MAX_OPTIONS,
    MOVE_OTHERS,
    MOVE_OWN,
    NO_MATCH,
    OPPONENT,
    OPPONENT_CARD,
    OPPONENT_EMPTY,
    PASS,
    PATTERNS,
    PICK,
    PLACE,
    PLACEMENT,
    PUT_OTHER,
    PUT_SELF,
    REF,
    REMOVE_OTHERS,
    RESOLVE,
    SELF_CARD,
    SELF_EMPTY,
    SKIP_TURN,
    SPAWN_JOKER,
    SQUARE,
    STEAL,
    TAKE_ANY,
    TAKE_OTHER,
    TAKE_SELF,
    TAKE_TOP,
    TARGET,
    WINDOWS,
)
from playmill.games.grid.cards import free_cells, next_player
from playmill.games.grid.patterns import matching_patterns
from playmill.texts import Text

#: How much more a disruptor cares for what a drafted card brings itself than for what it denies the leader.
_OWN_GAIN = 16
#: What a point is worth that needs no more cards.
_CERTAIN = 1 << 16
#: Points added to everybody's before they are compared: a lead of a few points is not half of the game.
_HEAD_START = 10
#: Where an agent notes the promise of each window.
_NOTES = MAX_OPTIONS - WINDOWS


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
    _note_promises(cfg, s, legal, _board_in_question(s))
    best = -(1 << 60)
    chosen = 0
    ties = 1
    for i in range(n):
        value = _value(cfg, s, legal, legal.ids[i], disrupt)
        if value > best:
            best = value
            chosen = i
            ties = 1
        elif value == best:
            ties += 1
            if below(rng, s.player, ties) == 0:
                chosen = i
    return legal.ids[chosen]


@rule
def _board_in_question(s: Any) -> int:
    """Whose board the present decision changes."""
    return s.target if s.kind == OPPONENT_CARD or s.kind == OPPONENT_EMPTY else s.active


@rule
def _value(cfg: Any, s: Any, legal: Any, action: int, disrupt: bool) -> int:
    """What an option is worth."""
    me = s.active
    if s.kind == PLACEMENT:
        return _gain(cfg, s, legal, me, action - PLACE, s.card)
    if s.kind == DRAFT_PICK:
        card = s.revealed[action - PICK]
        value = _OWN_GAIN * _best_gain(cfg, s, legal, me, card)
        if disrupt:
            value += _harm_denied(cfg, s, card)
        return value
    if s.kind == DRAFT_PASS:
        return -_hopes(cfg, s, next_player(cfg, me), s.revealed[action - PASS])
    if s.kind == RESOLVE:
        return _match_value(cfg, action, disrupt)
    if s.kind == APPLY:
        return 1 if action == ACCEPT else 0
    return _parameter_value(cfg, s, legal, action, disrupt)


@rule
def _match_value(cfg: Any, action: int, disrupt: bool) -> int:
    """The points of a match; a disruptor likes rewards that hurt, among equal points and a little beyond."""
    if action == NO_MATCH:
        return -1
    pattern = (action - MATCH) % PATTERNS
    reward = cfg.pattern_reward[pattern]
    hurts = reward == SKIP_TURN or reward == REMOVE_OTHERS or reward == MOVE_OTHERS or reward == STEAL
    return 4 * cfg.pattern_vp[pattern] + (6 if disrupt and hurts else 0)


@rule
def _parameter_value(cfg: Any, s: Any, legal: Any, action: int, disrupt: bool) -> int:
    """What a choice inside a reward is worth."""
    me = s.active
    if s.kind == SELF_CARD:
        return _own_card_value(cfg, s, legal, action - TAKE_SELF)
    if s.kind == SELF_EMPTY:
        return _gain(cfg, s, legal, me, action - PUT_SELF, _reward_card(s))
    if s.kind == REF:
        return _best_gain(cfg, s, legal, me, s.discard[action - FROM_DISCARD])
    if s.kind == OPPONENT:
        return s.vp[action - TARGET] if disrupt else _total_promise(cfg, s, action - TARGET)
    if s.kind == OPPONENT_CARD:
        cell = action - TAKE_OTHER
        loss = _loss(cfg, s, legal, s.target, cell)
        if s.reward == STEAL and not disrupt:
            return loss + 2 * _hopes(cfg, s, me, s.board[s.target, cell])
        return loss
    return -_gain(cfg, s, legal, s.target, action - PUT_OTHER, s.board[s.target, s.source])


@rule
def _reward_card(s: Any) -> int:
    """The card a reward is about to put on the own board."""
    if s.reward == SPAWN_JOKER:
        return JOKER
    if s.reward == TAKE_TOP:
        return s.discard[s.discard_size - 1]
    if s.reward == TAKE_ANY:
        return s.discard[s.ref]
    if s.reward == STEAL:
        return s.board[s.target, s.source]
    return s.board[s.active, s.source]


@rule
def _own_card_value(cfg: Any, s: Any, legal: Any, cell: int) -> int:
    """Moving a card of the pattern saves it from nothing; removing one loses nothing: it leaves anyway."""
    of_pattern = s.pattern_cells >> cell & 1 == 1
    if s.reward == MOVE_OWN:
        return -(1 << 40) if of_pattern else -_loss(cfg, s, legal, s.active, cell)
    loss = 0 if of_pattern else _loss(cfg, s, legal, s.active, cell)
    return -loss


# What boards promise


@rule
def _note_promises(cfg: Any, s: Any, legal: Any, player: int) -> None:
    for window in range(cfg.windows):
        legal.ids[_NOTES + window] = _promise(cfg, s, player, window)


@rule
def _promise(cfg: Any, s: Any, player: int, window: int) -> int:
    """What a window may still bring: points of its possible patterns, divided by 5 for every missing card."""
    shape = cfg.window_shape[window]
    if cfg.shape_used[shape] == 0:
        return 0
    # Inside a reward the cards of the pattern are as good as gone: nothing should be built on them.
    if player == s.active and cfg.window_bits[window] & s.pattern_cells != 0:
        return 0
    size = 9 if shape == SQUARE else (5 if shape == LINE_5 else 4)
    missing = size - _count(cfg.window_bits[window] & s.filled[player])
    if missing == size:
        return 0
    weight = _CERTAIN
    for _ in range(min(missing, 8)):
        weight //= 5
    found = matching_patterns(cfg, s, player, window)
    points = 0
    while found != 0:
        points += cfg.pattern_vp[lowest_bit(found)] + 1
        found &= found - 1
    return points * weight


@rule
def _count(bits: int) -> int:
    count = 0
    while bits != 0:
        count += 1
        bits &= bits - 1
    return count


@rule
def _gain(cfg: Any, s: Any, legal: Any, player: int, cell: int, card: int) -> int:
    """How much more the noted board promises with a card in a free cell."""
    there = s.board[player, cell]
    was_filled = s.filled[player]
    s.board[player, cell] = card
    s.filled[player] |= 1 << cell
    gain = 0
    for i in range(cfg.cell_windows[cell]):
        window = cfg.cell_window[cell, i]
        gain += _promise(cfg, s, player, window) - legal.ids[_NOTES + window]
    s.board[player, cell] = there
    s.filled[player] = was_filled
    return gain


@rule
def _loss(cfg: Any, s: Any, legal: Any, player: int, cell: int) -> int:
    """How much less the noted board promises without the card in a cell."""
    return -_gain_empty(cfg, s, legal, player, cell)


@rule
def _gain_empty(cfg: Any, s: Any, legal: Any, player: int, cell: int) -> int:
    card = s.board[player, cell]
    s.board[player, cell] = EMPTY
    s.filled[player] ^= 1 << cell
    gain = 0
    for i in range(cfg.cell_windows[cell]):
        window = cfg.cell_window[cell, i]
        gain += _promise(cfg, s, player, window) - legal.ids[_NOTES + window]
    s.board[player, cell] = card
    s.filled[player] ^= 1 << cell
    return gain


@rule
def _best_gain(cfg: Any, s: Any, legal: Any, player: int, card: int) -> int:
    """The most a card can bring to the noted board."""
    cells = free_cells(cfg, s, player)
    best = -(1 << 40)
    while cells != 0:
        best = max(best, _gain(cfg, s, legal, player, lowest_bit(cells), card))
        cells &= cells - 1
    return best


@rule
def _hopes(cfg: Any, s: Any, player: int, card: int) -> int:
    """The most a card can bring to any player's board: what its windows promise with it, not what they did before."""
    cells = free_cells(cfg, s, player)
    best = 0
    while cells != 0:
        cell = lowest_bit(cells)
        s.board[player, cell] = card
        s.filled[player] |= 1 << cell
        total = 0
        for i in range(cfg.cell_windows[cell]):
            total += _promise(cfg, s, player, cfg.cell_window[cell, i])
        s.board[player, cell] = EMPTY
        s.filled[player] ^= 1 << cell
        best = max(best, total)
        cells &= cells - 1
    return best


@rule
def _harm_denied(cfg: Any, s: Any, card: int) -> int:
    """What a card would bring to the leading opponent."""
    leader = -1
    for player in range(cfg.players):
        if player != s.active and (leader == -1 or s.vp[player] > s.vp[leader]):
            leader = player
    return _hopes(cfg, s, leader, card)


@rule
def _total_promise(cfg: Any, s: Any, player: int) -> int:
    total = 0
    for window in range(cfg.windows):
        total += _promise(cfg, s, player, window)
    return total


@rule
def standing(cfg: Any, s: Any, out: Any) -> None:
    """Points, and what the boards promise: a lead is likely to last."""
    whole = 0.0
    for player in range(cfg.players):
        weight = _HEAD_START + s.vp[player] + _total_promise(cfg, s, player) / _CERTAIN
        out[player] = weight * weight * weight
        whole += out[player]
    for player in range(cfg.players):
        out[player] /= whole


#: How `search` plays on in its head.
SEARCH = SearchPlan("greedy", standing, 8)

AGENTS = {
    "greedy": CompiledAgent(
        greedy,
        Text(
            "places and drafts for the most points now and within a card or two",
            "кладёт и берёт карты ради наибольших очков сейчас и через карту-другую",
        ),
    ),
    "disruptor": CompiledAgent(
        disruptor,
        Text(
            "plays like greedy, but drafts and spends rewards against the leader",
            "играет как greedy, но драфт и награды направляет против лидера",
        ),
    ),
}
