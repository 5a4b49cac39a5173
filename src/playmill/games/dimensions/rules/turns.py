"""The turns of Battle of Dimensions, phase by phase: the state, set-up, and what an action does."""

from __future__ import annotations

from typing import Any

import numpy as np

from playmill.author import add_to_shuffle_buffer, below, drain_shuffle_buffer, rule
from playmill.games.dimensions.actions import (
    ACTIONS,
    ANOMALIES,
    BANG,
    ENTANGLE,
    FACTIONS,
    HOLD,
    KINDS,
    MOVE,
    MOVE_CAPTAIN,
    PLAY,
    PLAYERS,
    PUT,
    PUT_CAPTAIN,
    RED,
    SKIP,
    STAY,
    STRIKE,
    TARGETS,
    divided,
)
from playmill.games.dimensions.constants import (
    BATTLE,
    CAPTAIN_ABSENT,
    CAPTAIN_AVAILABLE,
    MOVEMENT,
    NOBODY,
    RECOVER,
    REINFORCE,
    STREAM_ANOMALY,
    STREAM_DECK,
    STREAM_FACTIONS,
    STREAM_FIRST,
    TURN_OVER,
)
from playmill.games.dimensions.rules.anomalies import play_anomaly
from playmill.games.dimensions.rules.attack import attack
from playmill.games.dimensions.rules.cards import (
    ANOMALY_CARD,
    draw,
    lay,
    lift,
    show_card,
    show_empty_handed,
    take_from_hand,
)
from playmill.games.dimensions.rules.ending import count_up, instant_winner
from playmill.games.dimensions.rules.options import has_captain
from playmill.games.dimensions.rules.spiral import battle_winner, lay_spiral

VERSION = 1
MIN_PLAYERS = 3
MAX_PLAYERS = PLAYERS
STAKES = (0, 1, 1)
MAX_ACTIONS = ACTIONS
#: Most options one decision can have: every kind in every Dimension to every other, and every anomaly.
MAX_LEGAL = ACTIONS

MAX_DECK = FACTIONS * (KINDS - FACTIONS) + ANOMALIES
MAX_AURAS = (FACTIONS - 1) * (KINDS - FACTIONS)

#: What is a place in a list or a set, and never negative, is unsigned: the compiler need not ask whether to count from
#: the end.
State = np.dtype(
    [
        ("player", np.int8),  # whose decision it is; -1 = the game is over
        ("phase", np.int8),
        ("active", np.uint8),  # whose turn it is
        ("first", np.int8),
        ("final", np.int8),  # this is the final turn
        ("loop", np.int8),  # the active player takes another turn after this one
        ("last_taker", np.int8),  # who took the last card of the deck, or -1
        ("captain_at", np.int8),
        ("winner", np.int8),  # the winning faction
        ("end", np.int8),
        ("tie", np.int8),
        ("tied", np.int8),  # the factions that tied at the count, as bits
        ("deck_size", np.int8),
        ("auras", np.int8),  # Auras in all Dimensions
        ("hole_anomalies", np.int8),  # anomalies in the Black Hole pile, as bits
        ("shown_anomalies", np.int8),  # anomalies that everybody has seen, as bits
        ("stirred", np.int8),  # colours that came, went or moved in this phase, as bits
        ("turns", np.int16),
        # For the report alone: Auras laid and those a Black Hole took; the turn in which the Captain was placed, and
        # that of his first move (0: never); where he was placed, and how often he was moved into each Dimension.
        ("auras_made", np.int16),
        ("auras_swallowed", np.int16),
        ("captain_placed", np.int16),
        ("captain_moved", np.int16),
        ("captain_placed_in", np.int8),
        ("captain_moves", np.int16, (PLAYERS,)),
        ("faction", np.int8, (PLAYERS,)),  # each player's Entity
        ("owner", np.int8, (FACTIONS,)),  # the player of each faction, or -1
        ("spiral", np.int8, (FACTIONS,)),
        ("prey", np.uint8, (FACTIONS,)),  # whom each faction beats
        ("committed", np.uint8, (PLAYERS,)),  # the hidden battle card + 1
        ("hand_size", np.int8, (PLAYERS,)),
        ("hand_anomalies", np.int8, (PLAYERS,)),  # as bits
        ("known_anomalies", np.int8, (PLAYERS,)),  # cards in hand that everybody knows to be anomalies
        ("laid", np.int8, (PLAYERS,)),  # faction cards played since everybody last knew which cards were anomalies
        ("hand_kinds", np.uint32, (PLAYERS,)),  # kinds of faction card held, as bits
        ("hand", np.int8, (PLAYERS, KINDS)),
        ("table_kinds", np.uint32, (PLAYERS,)),  # kinds lying in each Dimension, as bits
        ("blue_sum", np.int16, (PLAYERS,)),
        ("squad", np.int8, (PLAYERS, FACTIONS)),  # ordinary cards of each colour in each Dimension
        ("aura", np.int8, (PLAYERS,)),
        ("table", np.int8, (PLAYERS, KINDS)),
        ("hole", np.int8, (KINDS,)),  # the Black Hole pile
        ("anomaly_plays", np.int8, (ANOMALIES,)),
        ("anomaly_players", np.int8, (ANOMALIES,)),  # who played each anomaly, as bits
        # What everybody can tell after Big Bang: the cards that came back, and of those that were in hands and in the
        # deck before the ones not played since; how many cards of each hand must be such older ones. And what each
        # player alone can tell: which of the older ones were in their own hand, less those apparently played.
        ("returned", np.int8, (KINDS,)),
        ("older", np.int8, (KINDS,)),
        ("kept", np.int8, (PLAYERS,)),
        ("own_older", np.int8, (PLAYERS, KINDS)),
        ("aura_cards", np.int16, (MAX_AURAS,)),  # kind * 8 + Dimension, in the order they were laid
        ("deck", np.uint8, (MAX_DECK,)),  # the top is the last one
    ],
    align=True,
)


@rule
def setup(cfg: Any, s: Any, rng: Any) -> None:
    """Deals a new game into an empty record, up to the first decision."""
    s.captain_at = CAPTAIN_ABSENT
    s.last_taker = NOBODY
    s.winner = NOBODY
    _draw_factions(cfg, s, rng)
    lay_spiral(cfg, s, rng)
    _shuffle_deck(cfg, s, rng)
    for player in range(cfg.players):
        draw(cfg, s, player, cfg.hand_size)
    s.first = below(rng, STREAM_FIRST, cfg.players)
    s.active = s.first
    s.turns = 1
    s.phase = BATTLE
    s.player = _first_to_battle(cfg, s, s.active)


@rule
def _draw_factions(cfg: Any, s: Any, rng: Any) -> None:
    for faction in range(FACTIONS):
        s.owner[faction] = faction
    for player in range(cfg.players):
        other = player + below(rng, STREAM_FACTIONS, FACTIONS - player)
        if player < cfg.named:
            # Drawn all the same: the luck of the other seats does not depend on who was named.
            other = player
            while s.owner[other] != cfg.named_faction[player]:
                other += 1
        faction = s.owner[other]
        s.owner[other] = s.owner[player]
        s.owner[player] = faction
        s.faction[player] = faction
    for faction in range(FACTIONS):
        s.owner[faction] = NOBODY
    for player in range(cfg.players):
        s.owner[s.faction[player]] = player
    if cfg.epic == 1 and s.owner[RED] != NOBODY:
        s.captain_at = CAPTAIN_AVAILABLE


@rule
def _shuffle_deck(cfg: Any, s: Any, rng: Any) -> None:
    size = 0
    for kind in range(cfg.kinds):
        for copy in range(cfg.copies[kind]):
            add_to_shuffle_buffer(rng, STREAM_DECK, size, kind, kind * KINDS + copy)
            size += 1
    chosen = 0
    for drawn in range(cfg.anomalies_in_deck):
        pick = below(rng, STREAM_ANOMALY, cfg.pool_size - drawn)
        for i in range(cfg.pool_size):
            anomaly = cfg.pool[i]
            if chosen >> anomaly & 1 == 0:
                if pick == 0:
                    chosen |= 1 << anomaly
                    add_to_shuffle_buffer(rng, STREAM_DECK, size, ANOMALY_CARD + anomaly, KINDS * KINDS + anomaly)
                    size += 1
                pick -= 1
    drain_shuffle_buffer(rng, STREAM_DECK, s.deck, size)
    s.deck_size = size


@rule
def apply_action(cfg: Any, s: Any, action: int, rng: Any) -> None:
    """Does a legal action and runs the game on to the next decision or the end; unchecked."""
    if s.phase == BATTLE:
        commit(s, s.player, action - PLAY)
        following = clockwise(cfg, s.player, 1)
        s.player = NOBODY if following == s.active else _first_to_battle(cfg, s, following)
        if s.player != NOBODY:
            return
        _reveal(cfg, s)
    elif s.phase == REINFORCE:
        _reinforce(cfg, s, action)
    elif s.phase == MOVEMENT:
        _move_or_anomaly(cfg, s, action, rng)
    elif action != HOLD:
        attacker = divided(action - STRIKE, TARGETS)
        attack(cfg, s, attacker, action - STRIKE - attacker * TARGETS, rng)
    _go_on(cfg, s, rng)


@rule
def takes_long(cfg: Any, s: Any, action: int) -> int:
    """Big Bang shuffles a deck, as dealing does."""
    return 1 if action == BANG else 0


@rule
def _go_on(cfg: Any, s: Any, rng: Any) -> None:
    """Ends the phase just played, then runs on until a phase needs a decision or the game is over."""
    s.player = NOBODY
    while s.player == NOBODY:
        faction = instant_winner(cfg, s)
        if faction != NOBODY:
            s.winner = faction
            s.end = faction
            return
        s.phase += 1
        if s.phase == TURN_OVER:
            if s.final == 1 and s.deck_size == 0:
                count_up(cfg, s, rng)
                return
            _pass_the_turn(cfg, s)
            s.phase = BATTLE
        if s.phase == BATTLE:
            s.player = _first_to_battle(cfg, s, s.active)
            if s.player == NOBODY:
                for player in range(cfg.players):
                    show_empty_handed(s, player)
        elif s.phase == REINFORCE:
            if s.hand_kinds[s.active] != 0 or has_captain(s, s.active):
                s.player = s.active
            else:
                show_empty_handed(s, s.active)
        elif s.phase == RECOVER:
            _recover(cfg, s)
        else:
            s.player = s.active


@rule
def clockwise(cfg: Any, player: int, steps: int) -> int:
    """The player so many seats on (at most once round)."""
    seat = player + steps
    return seat - cfg.players if seat >= cfg.players else seat


# Phase 1: battle


@rule
def _first_to_battle(cfg: Any, s: Any, player: int) -> int:
    """The first player from a given one on, before it comes round to the active one, who holds a faction card."""
    while s.hand_kinds[player] == 0:
        player = clockwise(cfg, player, 1)
        if player == s.active:
            return NOBODY
    return player


@rule
def commit(s: Any, player: int, kind: int) -> None:
    """Lays a battle card face down. Nobody sees it, nor whether there is one, before the reveal."""
    take_from_hand(s, player, kind)
    s.committed[player] = kind + 1


@rule
def _reveal(cfg: Any, s: Any) -> None:
    """The cards of the winning colour go to their players' own Dimensions, all others to the Black Hole.

    Who lays none shows by it that they hold none.
    """
    players = cfg.players
    colours = 0
    for player in range(players):
        if s.committed[player] != 0:
            colours |= 1 << cfg.colour[s.committed[player] - 1]
    winner = battle_winner(s, colours)
    winning = 0 if winner == NOBODY else 1 << winner
    for player in range(players):
        if s.committed[player] != 0:
            kind = s.committed[player] - 1
            s.committed[player] = 0
            won = winning >> cfg.colour[kind] & 1
            lay(cfg, s, player, kind, won)
            s.hole[kind] += 1 - won
            show_card(s, player, kind)
        else:
            show_empty_handed(s, player)


# Phase 2: reinforce


@rule
def _reinforce(cfg: Any, s: Any, action: int) -> None:
    if action < PUT_CAPTAIN:
        kind = divided(action - PUT, PLAYERS)
        take_from_hand(s, s.active, kind)
        lay(cfg, s, action - PUT - kind * PLAYERS, kind, 1)
        show_card(s, s.active, kind)
    elif action < SKIP:
        s.captain_at = action - PUT_CAPTAIN
        s.captain_placed_in = s.captain_at
        s.captain_placed = s.turns
    else:
        show_empty_handed(s, s.active)


# Phase 3: move or anomaly


@rule
def _move_or_anomaly(cfg: Any, s: Any, action: int, rng: Any) -> None:
    if action == STAY:
        return
    if action < MOVE_CAPTAIN:
        place = divided(action - MOVE, PLAYERS)
        source = divided(place, KINDS)
        kind = place - source * KINDS
        lift(cfg, s, source, kind, 1)
        lay(cfg, s, action - MOVE - place * PLAYERS, kind, 1)
    elif action < ENTANGLE:
        s.captain_at = action - MOVE_CAPTAIN
        s.captain_moves[s.captain_at] += 1
        if s.captain_moved == 0:
            s.captain_moved = s.turns
    else:
        play_anomaly(cfg, s, action, rng)


# Phase 5: recover, and whose turn is next


@rule
def _recover(cfg: Any, s: Any) -> None:
    """From the active player on everybody draws up to a full hand; who takes the last card is remembered."""
    player = s.active
    for _ in range(cfg.players):
        if s.deck_size == 0:
            return
        draw(cfg, s, player, min(cfg.hand_size - s.hand_size[player], s.deck_size))
        if s.deck_size == 0:
            s.last_taker = player
        player = clockwise(cfg, player, 1)


@rule
def _pass_the_turn(cfg: Any, s: Any) -> None:
    """The next turn: after a called-off final turn, by Time Loop, the final one, or simply the next seat's."""
    if s.last_taker != NOBODY and s.deck_size > 0:
        s.active = clockwise(cfg, s.last_taker, 1)
        s.last_taker = NOBODY
        s.final = 0
    elif s.loop == 1:
        s.loop = 0
    elif s.last_taker != NOBODY:
        s.active = s.last_taker
        s.final = 1
    else:
        s.active = clockwise(cfg, s.active, 1)
    s.turns += 1


# The end


@rule
def returns(cfg: Any, s: Any, out: Any) -> None:
    """1 for the winner, 0 for the others; all 0 while the game goes on."""
    for player in range(cfg.players):
        out[player] = 1.0 if s.faction[player] == s.winner else 0.0
