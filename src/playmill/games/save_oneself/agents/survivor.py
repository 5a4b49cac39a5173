"""The agent `survivor`: takes the option with the best outlook (see `outlook.py`)."""

from __future__ import annotations

from typing import Any

from playmill.author import bit_count, lowest_bit, rule
from playmill.games.save_oneself.actions import MOVE, SKIP, TURN, WAIVE
from playmill.games.save_oneself.agents.outlook import (
    FLINT,
    NONE,
    SURE,
    around,
    camp_of,
    chance,
    harm,
    one_day,
    present_ship,
    way_to_any,
    way_up,
)
from playmill.games.save_oneself.constants import (
    ALL_BACKS,
    BOTTLE,
    CARDS,
    FRONT,
    HIGHER_GROUND,
    LIT_BEACON,
    MIRAGE,
    MOVING,
    NO_CORNER,
    NO_SHIP,
    PIRATES,
    ROCKS,
    STORM,
    TELESCOPE,
    VINES,
)
from playmill.games.save_oneself.rules import neighbour

#: All in thousandths of a win, as the outlook. A life; and one that comes when there is no room for it.
LIFE = 10
WASTED_LIFE = 4
#: Pirates: they drive a ship off, give time and leave a compass.
PIRATES_COME = 200
#: What a mirage leaves of each thousandth: it may carry a signal off.
AFTER_MIRAGE = 750
#: To lay a card now where nothing is promised yet, and how much less it is to do so for each move that it takes before.
LAY = 80
LAY_LATER = 20
#: To turn over a card while another on the field needs its back.
BROKEN_CHAIN = 40
#: To lay no card before a ship has come is better than death only.
IDLENESS = -SURE
DEATH = -1000 * SURE
NEVER = DEATH - 1


@rule
def survivor(cfg: Any, s: Any, legal: Any, n: int, rng: Any, params: Any) -> int:
    """Lays cards until a ship comes; then does what makes it likeliest that the ship sees a signal."""
    ships = _ships_to_come(cfg, s)
    return _best_move(cfg, s, ships) if s.phase == MOVING else _best_turn(cfg, s, ships)


@rule
def _ships_to_come(cfg: Any, s: Any) -> int:
    """The cards still to come that would bring a ship."""
    cards = 0
    for card in range(CARDS):
        if cfg.corner[card] != NO_CORNER:
            cards |= 1 << card
    return cards & ~(s.sides | s.sides >> FRONT)


@rule
def _outlook(cfg: Any, s: Any, ships: int, here: int, camp: Any) -> int:
    """The chance to be saved from where the player then stands."""
    if s.ship == NO_SHIP:
        return one_day(cfg, s, ships, camp, here)
    return PIRATES_COME if camp.sides >> PIRATES & 1 else chance(present_ship(s), camp)


# Moves


@rule
def _best_move(cfg: Any, s: Any, ships: int) -> int:
    """Without a ship every round that lays no card is lost; with one, cards are laid for want of a promise."""
    empty = s.room & ~s.field
    must_lay = s.ship == NO_SHIP and s.revealed == 0 and around(1 << s.here) & empty != 0
    choice, best = WAIVE, NEVER
    options = s.options
    while options != 0:
        action = lowest_bit(options)
        options &= options - 1
        cell = s.here if action == WAIVE else neighbour(s.here, action - MOVE)
        if empty >> cell & 1:
            worth = _laying(cfg, s, ships, cell)
            if worth != DEATH:
                worth += LAY * (SURE - worth) // SURE
        elif must_lay:
            worth = IDLENESS
        else:
            worth = _entering(cfg, s, ships, cell)
            if worth != DEATH:
                wanting = SURE if s.ship == NO_SHIP else SURE - worth
                worth += (LAY - LAY_LATER * way_to_any(empty, cell, s.field, LAY // LAY_LATER)) * wanting // SURE
        if worth > best:
            choice, best = action, worth
    return choice


@rule
def _entering(cfg: Any, s: Any, ships: int, cell: int) -> int:
    """What it is worth to move to a card, or to waive the moves left and stay on one."""
    lost, left = 0, 0
    if cell != s.here:
        lost, left = harm(cfg, s.sides, s.card[cell]), s.moves - 1
        if lost >= s.lives:
            return DEATH
    camp = camp_of(s, s.sides, NONE, cell, way_up(s, cell, left), 1, s.lives - lost)
    return _outlook(cfg, s, ships, cell, camp) - LIFE * lost


@rule
def _laying(cfg: Any, s: Any, ships: int, cell: int) -> int:
    """What it is worth to move to an empty cell, on average over the cards that may come."""
    unseen = ALL_BACKS & ~(s.sides | s.sides >> FRONT)
    if unseen == 0 or (cfg.lose_on_empty_deck != 0 and bit_count(unseen) == 1):
        return DEATH
    sides, lives = s.sides, s.lives
    tornado = s.placed + 1 == cfg.tornado_at
    if tornado and sides >> STORM & 1:
        lives += cfg.front_lives[STORM]
        if lives <= 0:
            return DEATH
        if sides >> LIT_BEACON & 1:
            sides ^= 1 << LIT_BEACON | 1 << HIGHER_GROUND
    moves = way_up(s, cell, s.moves - 1)
    as_before = _outlook(cfg, s, ships, cell, camp_of(s, sides, NONE, cell, moves, 1, lives))
    if s.ship == NO_SHIP:
        return as_before
    telling = _telling(s)
    cards = bit_count(unseen)
    total = 0
    while unseen != 0:
        card = lowest_bit(unseen)
        unseen &= unseen - 1
        if telling >> card & 1:
            camp = camp_of(s, sides | 1 << card, card, cell, moves, 1, lives)
            total += _outlook(cfg, s, ships, cell, camp)
        elif card == PIRATES:
            total += PIRATES_COME
        elif card == MIRAGE:
            total += as_before * AFTER_MIRAGE // SURE
        else:
            lost = harm(cfg, sides | 1 << card, card)
            if tornado and card == STORM:
                lost -= cfg.front_lives[STORM]
            total += as_before - LIFE * lost if lives > lost else 0
    return total // cards


@rule
def _telling(s: Any) -> int:
    """The cards that may change the outlook of the ship in play; of the others it is enough to know the harm."""
    cards = 1 << HIGHER_GROUND
    if s.waiting != 0:
        cards |= 1 << BOTTLE
    if s.sides >> HIGHER_GROUND & 1:
        cards |= 1 << ROCKS | 1 << TELESCOPE
        if s.sides >> VINES & 1:
            cards |= 1 << FLINT
        elif s.sides >> FLINT & 1:
            cards |= 1 << VINES
    return cards


# Turning over


@rule
def _best_turn(cfg: Any, s: Any, ships: int) -> int:
    """What brings a signal first; then lives that are not wasted, in an order that breaks no chain; then points."""
    moves = way_up(s, s.here, 0)
    choice, best, most_points = SKIP, NEVER, 0
    options = s.options
    while options != 0:
        action = lowest_bit(options)
        options &= options - 1
        sides, gained, broken, points = s.sides, 0, 0, 0
        if action != SKIP:
            card = action - TURN
            sides ^= 1 << card | 1 << card + FRONT
            gained = min(cfg.front_lives[card], cfg.lives - s.lives)
            broken = WASTED_LIFE * (cfg.front_lives[card] - gained) + BROKEN_CHAIN * _needed_by(cfg, s, card)
            points = cfg.points[card]
        # The life of this round is paid already.
        camp = camp_of(s, sides, NONE, s.here, moves, 0, s.lives + gained + 1)
        worth = _outlook(cfg, s, ships, s.here, camp) + LIFE * gained - broken
        if worth > best or (worth == best and points > most_points):
            choice, best, most_points = action, worth, points
    return choice


@rule
def _needed_by(cfg: Any, s: Any, card: int) -> int:
    """How many other cards on the field need the back of a card to be turned over themselves."""
    count = 0
    cards = s.sides & cfg.choosable & ~(1 << card)
    while cards != 0:
        other = lowest_bit(cards)
        cards &= cards - 1
        if (cfg.needs[other] | cfg.stands_on[other]) >> card & 1:
            count += 1
    return count
