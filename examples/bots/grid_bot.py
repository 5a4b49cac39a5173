"""A first bot for Grid: the six methods of the game's specification, each a few lines.

It drafts the card that continues a line it has begun, lays it there, and never refuses a reward.
"""

from __future__ import annotations


def _neighbours(state, x, y):
    board = state.boards[state.me]
    for dx, dy in ((1, 0), (-1, 0), (0, 1), (0, -1)):
        if 0 <= x + dx < state.width and 0 <= y + dy < state.height:
            card = board[y + dy][x + dx]
            if card is not None and not card.is_joker:
                yield card


def _free_cells(state):
    board = state.boards[state.me]
    return [(x, y) for y in range(state.height) for x in range(state.width) if board[y][x] is None]


def _liking(state, card, cell):
    """How well a card fits its neighbours: a step in rank with another colour is what most patterns are made of."""
    if card.is_joker:
        return 0
    fits = 0
    for other in _neighbours(state, *cell):
        fits += abs(other.rank - card.rank) <= 1
        fits += other.color != card.color
    return fits


def choose_placement_cell(state, card):
    return max(_free_cells(state), key=lambda cell: _liking(state, card, cell))


def choose_draft_pick(state, revealed_cards):
    cells = _free_cells(state)
    return max(revealed_cards, key=lambda card: max((_liking(state, card, cell) for cell in cells), default=0))


def choose_draft_pass(state, remaining_cards):
    return remaining_cards[0]


def choose_pattern_to_resolve(state, found_patterns):
    return max(found_patterns, key=lambda found: found.vp)


def choose_apply_reward(state, reward, context):
    return reward.id != "RWD1"


def choose_reward_params(state, reward, context):
    params = {context.step: context.options[0]}
    if _free_cells(state):
        params.setdefault("self_empty_cell_coord", _free_cells(state)[0])
    return params
