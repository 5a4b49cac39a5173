"""The agents `greedy`, `disruptor` and `specialist`: the best option by points and the value of boards."""

from __future__ import annotations

from typing import Any

from playmill.author import below, bit_count, lowest_bit, rule
from playmill.games.grid import actions as act
from playmill.games.grid import constants
from playmill.games.grid.agents.board_notes import best_gain, change_without, gain, hopes, note_board
from playmill.games.grid.agents.board_value import CERTAIN, NO_AIM, lay, lift, total_promise
from playmill.games.grid.constants import FROM_HAND
from playmill.games.grid.rules.cards import free_cells, next_player
from playmill.games.grid.rules.rewards import ends_the_game, is_possible, reachable_cards, reachable_cells

#: How much more a disruptor cares for what a drafted card brings itself than for what it denies the leader.
_OWN_GAIN = 16
#: Points added to everybody's before they are compared: a lead of a few points is not half of the game.
_HEAD_START = 10


@rule
def greedy(cfg: Any, s: Any, legal: Any, n: int, rng: Any, params: Any) -> int:
    """Scores as soon as it can and keeps its windows promising; rewards where they help itself most."""
    return _best(cfg, s, legal, n, rng, False, NO_AIM)


@rule
def disruptor(cfg: Any, s: Any, legal: Any, n: int, rng: Any, params: Any) -> int:
    """Places like greedy, but drafts and spends its rewards against whoever leads."""
    return _best(cfg, s, legal, n, rng, True, NO_AIM)


@rule
def specialist(cfg: Any, s: Any, legal: Any, n: int, rng: Any, params: Any) -> int:
    """Builds for one pattern alone; where the rules do not have it, it plays like greedy."""
    letter = int(params.value[s.player, 0])
    aim = NO_AIM
    for pattern in range(cfg.patterns):
        if cfg.pattern_letter[pattern] == letter:
            aim = pattern
    return _best(cfg, s, legal, n, rng, False, aim)


@rule
def _best(cfg: Any, s: Any, legal: Any, n: int, rng: Any, disrupt: bool, aim: int) -> int:
    """The option of the highest value; equal ones by lot."""
    moving = s.kind == constants.OPPONENT_EMPTY or (s.kind == constants.SELF_EMPTY and s.reward == constants.MOVE_OWN)
    board = _board_in_question(cfg, s)
    card = s.board[board, s.source]
    if moving:
        lift(s, board, s.source)
    if disrupt and s.kind == constants.DRAFT_PICK:
        _note_harm(cfg, s, legal, n)
    if s.kind != constants.RESOLVE:
        note_board(cfg, s, legal.notes, board, aim if board == s.active else NO_AIM)
    best = -(1 << 60)
    chosen = 0
    ties = 1
    for i in range(n):
        value = _landing(cfg, s, legal, i, card, aim) if moving else _value(cfg, s, legal, i, disrupt, aim)
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
def _landing(cfg: Any, s: Any, legal: Any, i: int, card: int, aim: int) -> int:
    """What it is worth that a card lifted from its cell lands on another: on the own board, or on an opponent's."""
    if s.kind == constants.SELF_EMPTY:
        return gain(cfg, s, legal.notes, s.active, legal.ids[i] - act.PUT_SELF, card)
    return -gain(cfg, s, legal.notes, s.target, legal.ids[i] - act.PUT_OTHER, card)


@rule
def _board_in_question(cfg: Any, s: Any) -> int:
    """Whose board the present decision is about."""
    if s.kind == constants.DRAFT_PASS:
        return next_player(cfg, s.active)
    return s.target if s.kind == constants.OPPONENT_EMPTY else s.active


@rule
def _value(cfg: Any, s: Any, legal: Any, i: int, disrupt: bool, aim: int) -> int:
    """What option i is worth."""
    me, action = s.active, legal.ids[i]
    if s.kind == constants.PLACEMENT:
        return gain(cfg, s, legal.notes, me, action - act.PLACE, s.card)
    if s.kind == constants.DRAFT_PICK:
        value = _OWN_GAIN * best_gain(cfg, s, legal.notes, me, s.revealed[action - act.PICK])
        return value + legal.notes.harm[i] if disrupt else value
    if s.kind == constants.DRAFT_PASS:
        return -hopes(cfg, s, legal.notes, next_player(cfg, me), s.revealed[action - act.PASS])
    if s.kind == constants.RESOLVE:
        return _match_value(cfg, action, disrupt, aim)
    if s.kind == constants.APPLY:
        return _reward_value(cfg, s, legal, disrupt, aim) if action == act.ACCEPT else 0
    return _parameter_value(cfg, s, legal, action, disrupt, aim)


@rule
def _match_value(cfg: Any, action: int, disrupt: bool, aim: int) -> int:
    """The points of a match; a disruptor likes rewards that hurt, among equal points and a little beyond."""
    if action == act.NO_MATCH:
        return -1
    pattern = (action - act.MATCH) % constants.PATTERNS
    if pattern == aim:
        return 8 * constants.POINTS
    reward = cfg.pattern_reward[pattern]
    hurts = (
        reward == constants.SKIP_TURN
        or reward == constants.REMOVE_OTHERS
        or reward == constants.MOVE_OTHERS
        or reward == constants.STEAL
    )
    return 4 * cfg.pattern_vp[pattern] + (6 if disrupt and hurts else 0)


@rule
def _parameter_value(cfg: Any, s: Any, legal: Any, action: int, disrupt: bool, aim: int) -> int:
    """What a choice inside a reward is worth."""
    me = s.active
    if s.kind == constants.SELF_CARD:
        return _own_card_value(cfg, s, legal, action - act.TAKE_SELF, aim)
    if s.kind == constants.SELF_EMPTY:
        return gain(cfg, s, legal.notes, me, action - act.PUT_SELF, _reward_card(s))
    if s.kind == constants.REF:
        return best_gain(cfg, s, legal.notes, me, s.discard[action - act.FROM_DISCARD])
    if s.kind == constants.OPPONENT:
        return _target_value(cfg, s, legal, action - act.TARGET, disrupt, aim)
    return _harm(cfg, s, legal, s.target, action - act.TAKE_OTHER, disrupt, aim)


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
def _own_card_value(cfg: Any, s: Any, legal: Any, cell: int, aim: int) -> int:
    """What removing or moving an own card brings; one of the pattern leaves anyway, so that it brings nothing."""
    if s.pattern_cells >> cell & 1 == 1:
        return 0
    if s.reward == constants.REMOVE_OWN:
        return change_without(cfg, s, legal.notes, s.active, cell)
    return _best_move(cfg, s, legal, s.active, cell, 1, aim)


# Whether a reward is worth having


@rule
def _reward_value(cfg: Any, s: Any, legal: Any, disrupt: bool, aim: int) -> int:
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
    if reward == constants.SPAWN_JOKER or reward == constants.TAKE_TOP:
        return best_gain(cfg, s, legal.notes, me, _reward_card(s))
    best = -(1 << 60)
    if reward == constants.TAKE_ANY:
        place = 0
        while place < s.discard_size and best <= 0:
            best = max(best, best_gain(cfg, s, legal.notes, me, s.discard[place]))
            place += 1
        return best
    if reward == constants.REMOVE_OWN or reward == constants.MOVE_OWN:
        cells = s.filled[me]
        while cells != 0 and best <= 0:
            best = max(best, _own_card_value(cfg, s, legal, lowest_bit(cells), aim))
            cells &= cells - 1
        return best
    for player in range(cfg.players):
        cells = reachable_cards(cfg, s, player) if player != me else 0
        while cells != 0 and best <= 0:
            best = max(best, _harm(cfg, s, legal, player, lowest_bit(cells), disrupt, aim))
            cells &= cells - 1
    return best


@rule
def _leads(cfg: Any, s: Any, player: int) -> bool:
    """Whether a player would win if the game ended now."""
    for other in range(cfg.players):
        if other != player and s.vp[other] >= s.vp[player]:
            return False
    return True


@rule
def _can_play_again(cfg: Any, s: Any) -> bool:
    """Whether one more turn after this one could be played to its end: cards to draft, and cells for them."""
    drafts = 2 if s.phase == FROM_HAND else 1
    to_place = cfg.pick_self * drafts + s.hand_size[s.active] + s.picked_size
    room = bit_count(free_cells(cfg, s, s.active) | s.pattern_cells)
    return s.deck_size >= cfg.reveal * drafts and room >= to_place


@rule
def _target_value(cfg: Any, s: Any, legal: Any, player: int, disrupt: bool, aim: int) -> int:
    """The best that a reward can do to an opponent; a disruptor aims at the leader as long as it does any good."""
    best = -(1 << 60)
    cells = reachable_cards(cfg, s, player)
    while cells != 0:
        cell = lowest_bit(cells)
        best = max(best, _harm(cfg, s, legal, player, cell, disrupt, aim))
        cells &= cells - 1
    return (s.vp[player] << 32) + best if disrupt and best > 0 else best


@rule
def _harm(cfg: Any, s: Any, legal: Any, player: int, cell: int, disrupt: bool, aim: int) -> int:
    """What an opponent loses by a card removed, moved or stolen; of a stolen one, what it brings here as well."""
    if s.reward == constants.MOVE_OTHERS:
        return _best_move(cfg, s, legal, player, cell, -1, NO_AIM)
    note_board(cfg, s, legal.notes, player, NO_AIM)
    loss = -change_without(cfg, s, legal.notes, player, cell)
    if s.reward == constants.STEAL:
        brings = best_gain(cfg, s, legal.notes, s.active, s.board[player, cell])
        return loss + (brings if disrupt else 2 * brings)
    return loss


@rule
def _best_move(cfg: Any, s: Any, legal: Any, player: int, cell: int, sign: int, aim: int) -> int:
    """The most that moving a card changes a board's promise: for the better (sign 1), or for the worse (-1)."""
    card = s.board[player, cell]
    cells = free_cells(cfg, s, player) if player == s.active else reachable_cells(cfg, s, player, cell)
    notes = legal.notes
    note_board(cfg, s, notes, player, aim)
    change = -notes.around[player, cell]
    lift(s, player, cell)
    note_board(cfg, s, notes, player, aim)
    change += notes.around[player, cell]
    best = -(1 << 60)
    while cells != 0:
        best = max(best, sign * (change + gain(cfg, s, notes, player, lowest_bit(cells), card)))
        cells &= cells - 1
    lay(s, player, cell, card)
    return best


@rule
def _note_harm(cfg: Any, s: Any, legal: Any, n: int) -> None:
    """Notes what each open card would bring to the leading opponent."""
    leader = -1
    for player in range(cfg.players):
        if player != s.active and (leader == -1 or s.vp[player] > s.vp[leader]):
            leader = player
    note_board(cfg, s, legal.notes, leader, NO_AIM)
    for i in range(n):
        legal.notes.harm[i] = hopes(cfg, s, legal.notes, leader, s.revealed[legal.ids[i] - act.PICK])


@rule
def standing(cfg: Any, s: Any, out: Any) -> None:
    """Points, and what the boards promise: a lead is likely to last."""
    whole = 0.0
    for player in range(cfg.players):
        weight = _HEAD_START + s.vp[player] + total_promise(cfg, s, player) / CERTAIN
        out[player] = weight * weight * weight
        whole += out[player]
    for player in range(cfg.players):
        out[player] /= whole
