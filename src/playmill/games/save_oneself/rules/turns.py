"""The rounds of Save Oneself: the state, set-up, moving, revealing cards and turning them over."""

from __future__ import annotations

from typing import Any

import numpy as np

from playmill.author import below, bit_count, lowest_bit, rare, rule
from playmill.games.save_oneself.actions import EAST, MOVE, SKIP, SOUTH, TURN, WAIVE, WEST
from playmill.games.save_oneself.constants import (
    BY_MESSAGE,
    BY_SOS,
    CARDS,
    CELLS,
    COMPASS,
    EIGHTS,
    FRONT,
    HIGHER_GROUND,
    LIT_BEACON,
    MAP_C,
    MAP_R,
    MAPS_CROSS,
    MIRAGE,
    MOVING,
    NO_CARDS,
    NO_CORNER,
    NO_SHIP,
    NOBODY,
    PIG,
    PIRATES,
    ROUNDS,
    SHELTER,
    SHIP_WAITING,
    SPEAR,
    START,
    STORM,
    STREAM_DECK,
    STREAM_MIRAGE,
    STRIDE,
    TURNING,
    VINES,
    column_of,
    row_of,
)
from playmill.games.save_oneself.rules.ship import drive_off, look_out, open_room, sail, ship_comes
from playmill.games.save_oneself.rules.sides import cards_on_field, end, flip, gain_lives, is_up, lose_lives, show_front

VERSION = 2
MIN_PLAYERS = MAX_PLAYERS = 1
_MAPS = 1 << MAP_R | 1 << MAP_C
#: From a cell to the next one, by direction.
_STEPS = np.array([-STRIDE, 1, STRIDE, -1])

State = np.dtype(
    [
        ("player", np.int8),  # 0, or NOBODY when the game is over
        ("ending", np.int8),
        ("phase", np.int8),
        ("lives", np.int8),
        ("moves", np.int8),  # left in this round
        ("moved", np.int8),  # whether the player has moved in this round
        ("revealed", np.int8),  # whether a card was placed in this round
        ("here", np.int8),  # the cell of the player
        ("placed", np.int8),  # cards on the field: the next one is deck[placed]
        ("ships", np.int8),  # that came so far
        ("ship", np.int8),  # the course of the ship in play, or NO_SHIP
        ("waiting", np.int8),  # whether it has only just been placed
        ("turned", np.int8),  # whether it has turned a corner
        ("ship_row", np.int8),
        ("ship_column", np.int8),
        ("island_north", np.int8),  # the island that the ship has fixed
        ("island_west", np.int8),
        ("north", np.int8),  # the smallest box around the cards
        ("south", np.int8),
        ("west", np.int8),
        ("east", np.int8),
        ("rounds", np.int16),
        ("options", np.int32),  # a bit for each legal action
        ("overturned", np.int32),  # a bit for each card that was turned over, even if it turned back
        ("sides", np.int64),  # the sides that are up
        ("field", np.int64),  # the cells with cards
        ("room", np.int64),  # the cells where cards lie or may be laid
        ("deck", np.int8, (CARDS,)),
        ("cell", np.int8, (CARDS,)),  # of each card on the field
        ("card", np.int8, (CELLS,)),  # on each cell of the field
        ("lives_at", np.int8, (ROUNDS,)),  # as each round began
    ],
    align=True,
)


# Set-up


@rule
def setup(cfg: Any, s: Any, rng: Any) -> None:
    """Shuffles the deck and reveals the first card where the player stands; this costs no move."""
    for card in range(CARDS):
        place = below(rng, STREAM_DECK, card + 1)
        s.deck[card] = s.deck[place]
        s.deck[place] = card
    s.lives = cfg.lives
    s.ship = NO_SHIP
    s.here = START
    s.north = s.south = row_of(START)
    s.west = s.east = column_of(START)
    _reveal(cfg, s, rng)
    if s.player != NOBODY:
        _start_round(cfg, s)
        _go_on(cfg, s)


@rule
def apply_action(cfg: Any, s: Any, action: int, rng: Any) -> None:
    """Moves, waives, turns a card over or skips, and goes on to the next choice."""
    if s.phase == MOVING:
        _move(cfg, s, action, rng)
    elif action != SKIP:
        _turn_over(cfg, s, action - TURN)
    _go_on(cfg, s)


@rule
def _go_on(cfg: Any, s: Any) -> None:
    """Runs through the phases, round after round, until there is something to decide or the game is over."""
    while s.player != NOBODY:
        if s.phase == MOVING:
            if s.moves > 0 and _offer_moves(s):
                return
            s.phase = TURNING
            lose_lives(s, 1)  # step 3
            if s.player == NOBODY or _offer_turns(cfg, s):
                return
        sail(cfg, s)  # step 5
        if s.player != NOBODY:
            _start_round(cfg, s)


# 1. Start


@rule
def _start_round(cfg: Any, s: Any) -> None:
    if s.rounds < ROUNDS:
        s.lives_at[s.rounds] = s.lives
    s.rounds += 1
    s.phase = MOVING
    s.moves = cfg.compass_moves if is_up(s, COMPASS) else cfg.moves
    s.moved = 0
    s.revealed = 0


# 2. Move


@rule
def _offer_moves(s: Any) -> bool:
    """Lists the neighbouring cells that may be entered, and waiving after a move; whether there are any."""
    cells = s.room if s.revealed == 0 else s.field
    around = (cells << STRIDE) >> s.here  # bit 0: the cell to the north
    options = around & 1
    options |= (around >> STRIDE + 1 & 1) << EAST
    options |= (around >> 2 * STRIDE & 1) << SOUTH
    options |= (around >> STRIDE - 1 & 1) << WEST
    if options != 0 and s.moved != 0:
        options |= 1 << WAIVE
    s.options = options
    return options != 0


@rule
def _move(cfg: Any, s: Any, action: int, rng: Any) -> None:
    if action == WAIVE:
        s.moves = 0
        return
    s.moves -= 1
    s.moved = 1
    s.here = neighbour(s.here, action - MOVE)
    if s.field >> s.here & 1:
        _enter(cfg, s)
    elif s.placed == CARDS:
        end(s, NO_CARDS)
    else:
        _reveal(cfg, s, rng)
    if s.player != NOBODY:
        look_out(s)  # a mirage may have carried a signal to the ship
    if s.placed == CARDS and cfg.lose_on_empty_deck != 0 and s.player != NOBODY:
        end(s, NO_CARDS)


@rule
def neighbour(cell: int, direction: int) -> int:
    """The cell next to one in a direction."""
    return cell + _STEPS[direction]


@rule
def _reveal(cfg: Any, s: Any, rng: Any) -> None:
    """The top card is placed, back up, where the player stands, and does what it does when revealed."""
    card = s.deck[s.placed]
    s.placed += 1
    s.revealed = 1
    s.field |= 1 << s.here
    s.sides |= 1 << card
    _lay(s, card, s.here)
    _grow_box(s)
    if cfg.back_lives[card] > 0:
        gain_lives(cfg, s, cfg.back_lives[card])
    if card == MIRAGE:
        _mirage(cfg, s, rng)
    if (cfg.corner[card] != NO_CORNER) & (s.ship == NO_SHIP):
        ship_comes(s, cfg.corner[card])
    if card == PIRATES and s.ship != NO_SHIP and s.waiting == 0:
        drive_off(cfg, s)
    _enter(cfg, s)
    if s.placed == cfg.tornado_at and is_up(s, STORM) and s.player != NOBODY:
        _tornado(cfg, s)


@rule
def _lay(s: Any, card: int, cell: int) -> None:
    s.cell[card] = cell
    s.card[cell] = card


@rule
def _grow_box(s: Any) -> None:
    """The box around the cards takes in the player's cell; cards may lie in four rows and four columns."""
    s.north = min(s.north, row_of(s.here))
    s.south = max(s.south, row_of(s.here))
    s.west = min(s.west, column_of(s.here))
    s.east = max(s.east, column_of(s.here))
    if s.ship == NO_SHIP:
        open_room(s)


@rare
def _mirage(cfg: Any, s: Any, rng: Any) -> None:
    """Swaps places with the card farthest from it, one of them at random, and turns into the sea-serpent there."""
    farthest = 0
    most = 1  # so that it is never the mirage itself
    others = cards_on_field(s)
    while others != 0:
        other = lowest_bit(others)
        others &= others - 1
        distance = _distance(s.here, s.cell[other])
        if distance > most:
            most = distance
            farthest = 0
        if distance == most:
            farthest |= 1 << other
    if farthest != 0:
        for _ in range(below(rng, STREAM_MIRAGE, bit_count(farthest))):
            farthest &= farthest - 1
        card = lowest_bit(farthest)
        _lay(s, MIRAGE, s.cell[card])
        _lay(s, card, s.here)
    show_front(cfg, s, MIRAGE)


@rule
def _distance(cell: int, other: int) -> int:
    return abs(row_of(cell) - row_of(other)) + abs(column_of(cell) - column_of(other))


@rule
def _enter(cfg: Any, s: Any) -> None:
    """The card the player stands on takes lives, every time, unless there is protection from it."""
    card = s.card[s.here]
    if cfg.back_lives[card] < 0 and is_up(s, card):
        if not (card == PIG and is_up(s, SPEAR)) and not (card == STORM and is_up(s, SHELTER)):
            lose_lives(s, -cfg.back_lives[card])


@rare
def _tornado(cfg: Any, s: Any) -> None:
    """The storm blows shelter and beacon away, and is a storm again."""
    show_front(cfg, s, STORM)
    if s.player == NOBODY:
        return
    if is_up(s, SHELTER):
        flip(s, VINES)
    if is_up(s, LIT_BEACON):
        flip(s, HIGHER_GROUND)
    flip(s, STORM)


# 4. Turn over


@rule
def _offer_turns(cfg: Any, s: Any) -> bool:
    """Lists the cards that may be turned over, and skipping; whether there are any."""
    holds = s.sides
    if s.waiting != 0:
        holds |= SHIP_WAITING
    crossing = STRIDE * row_of(s.cell[MAP_R]) + column_of(s.cell[MAP_C])
    if s.sides & _MAPS == _MAPS and s.here == crossing:
        holds |= MAPS_CROSS
    under = s.card[s.here]
    lacking = cfg.elsewhere[under if is_up(s, under) else under + FRONT]
    for eight in range(EIGHTS):  # no branch that a processor would have to predict, as a loop over the cards has
        lacking |= cfg.lacking[eight, holds >> 8 * eight & 255]
    cards = s.sides & cfg.choosable & ~lacking
    s.options = cards << TURN | 1 << SKIP if cards != 0 else 0
    return cards != 0


@rule
def _turn_over(cfg: Any, s: Any, card: int) -> None:
    """A card shows its front and gives its lives; the two maps turn together."""
    show_front(cfg, s, card)
    if card == MAP_R:
        show_front(cfg, s, MAP_C)


# The end


@rule
def is_won(s: Any) -> bool:
    """Whether a signal was seen."""
    return BY_SOS <= s.ending <= BY_MESSAGE


@rule
def score(cfg: Any, s: Any) -> int:
    """Points of the fronts that are up, lives left, and one for every four cards placed."""
    points = s.lives + s.placed // cfg.cards_per_point
    fronts = s.sides >> FRONT
    while fronts != 0:
        points += cfg.points[lowest_bit(fronts)]
        fronts &= fronts - 1
    return points


@rule
def returns(cfg: Any, s: Any, out: Any) -> None:
    """1 for a win, and a thousandth of the score in any case: to be saved comes first."""
    out[0] = 0.0
    if s.player == NOBODY:
        out[0] = (1.0 if is_won(s) else 0.0) + 0.001 * score(cfg, s)


def stakes(config: Any, players: int) -> tuple[float, float]:
    """A win with all lives, all cards and every front up, to nothing."""
    points = config.lives + CARDS // config.cards_per_point + sum(card.front.score for card in config.cards.values())
    return 0, 1 + 0.001 * points


STAKES = stakes
