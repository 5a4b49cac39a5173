"""Battle of Dimensions: the rules, in the order of play. Baseline and Epic; words and pictures live elsewhere."""

from __future__ import annotations

from typing import Any

import numpy as np

from playmill.engine.rng import below, into_hat, out_of_hat
from playmill.engine.rule import lowest_bit, rule
from playmill.games.dimensions.actions import (
    ACTIONS,
    ANOMALIES,
    AURA,
    BANG,
    BIG_BANG,
    BLACK_HOLE,
    BLUE,
    ENTANGLE,
    ENTANGLEMENT,
    FACTIONS,
    GREEN,
    HOLD,
    KINDS,
    LOOP,
    MOVE,
    MOVE_CAPTAIN,
    PAIRS,
    PLAY,
    PLAYERS,
    PURPLE,
    PUT,
    PUT_CAPTAIN,
    RED,
    SKIP,
    STAY,
    STRIKE,
    SWALLOW,
    TARGETS,
    TIME_LOOP,
    TUNNEL,
    WORMHOLE,
    YELLOW,
    pair_of,
)
from playmill.games.dimensions.cards import (
    ANOMALY_CARD,
    draw,
    lay,
    lift,
    remember,
    show_card,
    show_empty_handed,
    take_from_hand,
)

VERSION = 1
MIN_PLAYERS = 3
MAX_PLAYERS = PLAYERS
MAX_ACTIONS = ACTIONS
#: Most options one decision can have: every kind in every Dimension to every other, and every anomaly.
MAX_LEGAL = ACTIONS

BATTLE, REINFORCE, MOVEMENT, ATTACK, RECOVER, TURN_OVER = range(6)

#: What luck is drawn for; each purpose has a stream of its own.
LUCK_FACTIONS, LUCK_ANOMALY, LUCK_SPIRAL, LUCK_FIRST, LUCK_DECK, LUCK_LOSS, LUCK_BIG_BANG, LUCK_LOT = range(8)

MAX_DECK = FACTIONS * (KINDS - FACTIONS) + ANOMALIES
MAX_AURAS = (FACTIONS - 1) * (KINDS - FACTIONS)

NOBODY = -1
#: Where the Captain can be besides a Dimension.
CAPTAIN_ABSENT = -2
CAPTAIN_AVAILABLE = -1

#: How a game ends: by the instant win of a faction (its number), or by counting.
BY_COUNT = 5
NO_TIE, TIE_BY_SPIRAL, TIE_BY_LOT = range(3)

State = np.dtype(
    [
        ("player", np.int8),  # whose decision it is; -1 = the game is over
        ("phase", np.int8),
        ("active", np.int8),  # whose turn it is
        ("first", np.int8),
        ("final", np.int8),  # this is the final turn
        ("loop", np.int8),  # the active player takes another turn after this one
        ("last_taker", np.int8),  # who took the last card of the deck, or -1
        ("captain_at", np.int8),
        ("winner", np.int8),  # the winning faction
        ("end", np.int8),
        ("tie", np.int8),
        ("deck_size", np.int8),
        ("auras", np.int8),  # Auras in all Dimensions
        ("hole_anomalies", np.int8),  # anomalies in the Black Hole pile, as bits
        ("shown_anomalies", np.int8),  # anomalies that everybody has seen, as bits
        ("stirred", np.int8),  # colours that came, went or moved in this phase, as bits
        ("turns", np.int16),
        ("faction", np.int8, (PLAYERS,)),  # each player's Entity
        ("owner", np.int8, (FACTIONS,)),  # the player of each faction, or -1
        ("spiral", np.int8, (FACTIONS,)),
        ("prey", np.int8, (FACTIONS,)),  # whom each faction beats
        ("committed", np.int8, (PLAYERS,)),  # the hidden battle card + 1
        ("hand_size", np.int8, (PLAYERS,)),
        ("hand_anomalies", np.int8, (PLAYERS,)),  # as bits
        ("known_anomalies", np.int8, (PLAYERS,)),  # cards in hand that everybody knows to be anomalies
        ("laid", np.int8, (PLAYERS,)),  # faction cards played since everybody last knew which cards were anomalies
        ("hand_kinds", np.int32, (PLAYERS,)),  # kinds of faction card held, as bits
        ("hand", np.int8, (PLAYERS, KINDS)),
        ("table_kinds", np.int32, (PLAYERS,)),  # kinds lying in each Dimension, as bits
        ("blue_sum", np.int16, (PLAYERS,)),
        ("squad", np.int8, (PLAYERS, FACTIONS)),  # ordinary cards of each colour in each Dimension
        ("aura", np.int8, (PLAYERS,)),
        ("table", np.int8, (PLAYERS, KINDS)),
        ("hole", np.int8, (KINDS,)),  # the Black Hole pile
        ("anomaly_plays", np.int8, (ANOMALIES,)),
        ("anomaly_players", np.int8, (ANOMALIES,)),  # who played each anomaly, as bits
        # What everybody can tell after Big Bang: the cards that came back, and of those that were in hands and in the
        # deck before the ones not played since; how many cards of each hand must be such older ones. And what each
        # player alone can tell: which of the older ones were in her own hand, less those that she seems to have played.
        ("returned", np.int8, (KINDS,)),
        ("older", np.int8, (KINDS,)),
        ("kept", np.int8, (PLAYERS,)),
        ("own_older", np.int8, (PLAYERS, KINDS)),
        ("aura_cards", np.int16, (MAX_AURAS,)),  # kind * 8 + Dimension, in the order they were laid
        ("deck", np.int8, (MAX_DECK,)),  # the top is the last one
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
    _lay_spiral(s, rng)
    _shuffle_deck(cfg, s, rng)
    for player in range(cfg.players):
        draw(cfg, s, player, cfg.hand_size)
    s.first = below(rng, LUCK_FIRST, cfg.players)
    s.active = s.first
    s.turns = 1
    s.phase = BATTLE
    s.player = _first_to_battle(cfg, s, s.active)


@rule
def _draw_factions(cfg: Any, s: Any, rng: Any) -> None:
    for faction in range(FACTIONS):
        s.owner[faction] = faction
    for player in range(cfg.players):
        other = player + below(rng, LUCK_FACTIONS, FACTIONS - player)
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
def _lay_spiral(s: Any, rng: Any) -> None:
    for place in range(FACTIONS):
        other = below(rng, LUCK_SPIRAL, place + 1)
        s.spiral[place] = s.spiral[other]
        s.spiral[other] = place
    _read_spiral(s)


@rule
def _read_spiral(s: Any) -> None:
    """A faction beats the one that stands right after it."""
    for place in range(FACTIONS):
        s.prey[s.spiral[place]] = s.spiral[(place + 1) % FACTIONS]


@rule
def _shuffle_deck(cfg: Any, s: Any, rng: Any) -> None:
    size = 0
    for kind in range(cfg.kinds):
        for copy in range(cfg.copies[kind]):
            into_hat(rng, LUCK_DECK, size, kind, kind * KINDS + copy)
            size += 1
    chosen = 0
    for drawn in range(cfg.anomalies_in_deck):
        pick = below(rng, LUCK_ANOMALY, cfg.pool_size - drawn)
        for i in range(cfg.pool_size):
            anomaly = cfg.pool[i]
            if chosen >> anomaly & 1 == 0:
                if pick == 0:
                    chosen |= 1 << anomaly
                    into_hat(rng, LUCK_DECK, size, ANOMALY_CARD + anomaly, KINDS * KINDS + anomaly)
                    size += 1
                pick -= 1
    out_of_hat(rng, LUCK_DECK, s.deck, size)
    s.deck_size = size


@rule
def legal_actions(cfg: Any, s: Any, out: Any) -> int:
    """Writes the options of the player to move, ascending; returns how many there are."""
    if s.player == NOBODY:
        return 0
    if s.phase == BATTLE:
        return _battle_options(s, out)
    if s.phase == REINFORCE:
        return _reinforce_options(cfg, s, out)
    if s.phase == MOVEMENT:
        return _movement_options(cfg, s, out)
    return _attack_options(s, out)


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
        _attack(cfg, s, (action - STRIKE) // TARGETS, (action - STRIKE) % TARGETS, rng)
    _go_on(cfg, s, rng)


@rule
def _go_on(cfg: Any, s: Any, rng: Any) -> None:
    """Ends the phase just played, then runs on until a phase needs a decision or the game is over."""
    s.player = NOBODY
    while s.player == NOBODY:
        faction = _instant_winner(cfg, s)
        if faction != NOBODY:
            s.winner = faction
            s.end = faction
            return
        s.phase += 1
        if s.phase == TURN_OVER:
            if s.final == 1 and s.deck_size == 0:
                _count_up(cfg, s, rng)
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


@rule
def has_captain(s: Any, player: int) -> bool:
    """Whether a player may still place the Captain."""
    return s.captain_at == CAPTAIN_AVAILABLE and s.faction[player] == RED


@rule
def strength(s: Any, dimension: int, colour: int) -> int:
    """The size of a squad, the Captain counted."""
    captain = colour == RED and s.captain_at == dimension
    return s.squad[dimension, colour] + (1 if captain else 0)


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
def _battle_options(s: Any, out: Any) -> int:
    n = 0
    kinds = s.hand_kinds[s.player]
    while kinds != 0:
        out.ids[n] = PLAY + lowest_bit(kinds)
        n += 1
        kinds &= kinds - 1
    return n


@rule
def commit(s: Any, player: int, kind: int) -> None:
    """Lays a battle card face down. Nobody sees it, nor whether there is one, before the reveal."""
    take_from_hand(s, player, kind)
    s.committed[player] = kind + 1


@rule
def _reveal(cfg: Any, s: Any) -> None:
    """The cards of the winning colour go to their players' own Dimensions, all others to the Black Hole.

    Who lays none shows by it that she holds none.
    """
    players = cfg.players
    colours = 0
    for player in range(players):
        if s.committed[player] != 0:
            colours |= 1 << cfg.colour[s.committed[player] - 1]
    winner = battle_winner(s, colours)
    for player in range(players):
        if s.committed[player] != 0:
            kind = s.committed[player] - 1
            s.committed[player] = 0
            if cfg.colour[kind] == winner:
                lay(cfg, s, player, kind)
            else:
                s.hole[kind] += 1
            show_card(s, player, kind)
        else:
            show_empty_handed(s, player)


@rule
def battle_winner(s: Any, colours: int) -> int:
    """The colour that wins among the revealed ones (as bits), or -1.

    A single colour wins. Else it is one that beats a revealed colour and that no revealed colour beats.
    """
    if colours & (colours - 1) == 0:
        return lowest_bit(colours) if colours != 0 else NOBODY
    beaten = 0
    rest = colours
    while rest != 0:
        beaten |= 1 << s.prey[lowest_bit(rest)]
        rest &= rest - 1
    rest = colours & ~beaten
    while rest != 0:
        colour = lowest_bit(rest)
        if colours >> s.prey[colour] & 1 == 1:
            return colour
        rest &= rest - 1
    return NOBODY


# Phase 2: reinforce


@rule
def _reinforce_options(cfg: Any, s: Any, out: Any) -> int:
    n = 0
    players = cfg.players
    kinds = s.hand_kinds[s.player]
    while kinds != 0:
        first = PUT + lowest_bit(kinds) * PLAYERS
        for dimension in range(players):
            out.ids[n] = first + dimension
            n += 1
        kinds &= kinds - 1
    if has_captain(s, s.player):
        for dimension in range(players):
            out.ids[n] = PUT_CAPTAIN + dimension
            n += 1
        if s.hand_kinds[s.player] == 0:
            out.ids[n] = SKIP
            n += 1
    return n


@rule
def _reinforce(cfg: Any, s: Any, action: int) -> None:
    if action < PUT_CAPTAIN:
        kind = (action - PUT) // PLAYERS
        take_from_hand(s, s.active, kind)
        lay(cfg, s, (action - PUT) % PLAYERS, kind)
        show_card(s, s.active, kind)
    elif action < SKIP:
        s.captain_at = action - PUT_CAPTAIN
    else:
        show_empty_handed(s, s.active)


# Phase 3: move or anomaly


@rule
def _movement_options(cfg: Any, s: Any, out: Any) -> int:
    players = cfg.players
    out.ids[0] = STAY
    n = 1
    for source in range(players):
        kinds = s.table_kinds[source]
        while kinds != 0:
            first = MOVE + (source * KINDS + lowest_bit(kinds)) * PLAYERS
            for target in range(players):
                out.ids[n] = first + target
                n += target != source
            kinds &= kinds - 1
    if s.captain_at >= 0 and s.faction[s.player] == RED:
        for target in range(players):
            if target != s.captain_at:
                out.ids[n] = MOVE_CAPTAIN + target
                n += 1
    anomalies = s.hand_anomalies[s.player]
    while anomalies != 0:
        n = _anomaly_options(cfg, s, lowest_bit(anomalies), out, n)
        anomalies &= anomalies - 1
    return n


@rule
def _anomaly_options(cfg: Any, s: Any, anomaly: int, out: Any, n: int) -> int:
    """Adds every target of one anomaly to a list of n actions; returns the new length."""
    if anomaly == ENTANGLEMENT:
        for pair in range(PAIRS):
            out.ids[n] = ENTANGLE + pair
            n += 1
    elif anomaly == WORMHOLE:
        for source in range(cfg.players):
            for colour in range(FACTIONS):
                if s.squad[source, colour] > 0:
                    for target in range(cfg.players):
                        if target != source:
                            out.ids[n] = TUNNEL + (source * FACTIONS + colour) * PLAYERS + target
                            n += 1
    elif anomaly == BLACK_HOLE:
        for source in range(cfg.players):
            for colour in range(FACTIONS):
                if s.squad[source, colour] > 0:
                    out.ids[n] = SWALLOW + source * TARGETS + colour
                    n += 1
            if s.aura[source] > 0:
                out.ids[n] = SWALLOW + source * TARGETS + AURA
                n += 1
    elif anomaly == BIG_BANG:
        out.ids[n] = BANG
        n += 1
    else:
        out.ids[n] = LOOP
        n += 1
    return n


@rule
def _move_or_anomaly(cfg: Any, s: Any, action: int, rng: Any) -> None:
    if action == STAY:
        return
    if action < MOVE_CAPTAIN:
        place = (action - MOVE) // PLAYERS
        kind = place % KINDS
        lift(cfg, s, place // KINDS, kind)
        lay(cfg, s, (action - MOVE) % PLAYERS, kind)
    elif action < ENTANGLE:
        s.captain_at = action - MOVE_CAPTAIN
    elif action < TUNNEL:
        _entangle(s, action - ENTANGLE)
        _spend(s, ENTANGLEMENT)
    elif action < SWALLOW:
        place = (action - TUNNEL) // PLAYERS
        _tunnel(cfg, s, place // FACTIONS, place % FACTIONS, (action - TUNNEL) % PLAYERS)
        _spend(s, WORMHOLE)
    elif action < BANG:
        _swallow(cfg, s, (action - SWALLOW) // TARGETS, (action - SWALLOW) % TARGETS)
        _spend(s, BLACK_HOLE)
    elif action == BANG:
        _big_bang(cfg, s, rng)
        _spend(s, BIG_BANG)
        if s.last_taker != NOBODY and s.deck_size > 0:
            # The final turn was assigned: this turn's recovery decides whether it is called off or the game is scored.
            s.final = 1
    else:
        if s.final == 0:
            s.loop = 1
        _spend(s, TIME_LOOP)


@rule
def _spend(s: Any, anomaly: int) -> None:
    """The anomaly just played goes to the Black Hole pile."""
    s.hand_anomalies[s.active] ^= 1 << anomaly
    s.hand_size[s.active] -= 1
    if s.known_anomalies[s.active] > 0:
        s.known_anomalies[s.active] -= 1
    if s.hand_size[s.active] == 0:
        s.laid[s.active] = 0
    if s.kept[s.active] > 0 and s.shown_anomalies >> anomaly & 1 == 0:
        s.kept[s.active] -= 1
    s.hole_anomalies |= 1 << anomaly
    s.shown_anomalies |= 1 << anomaly
    s.anomaly_plays[anomaly] += 1
    s.anomaly_players[anomaly] |= 1 << s.active


@rule
def _entangle(s: Any, pair: int) -> None:
    """Two factions change places in the Spiral."""
    one, other = pair_of(pair)
    for place in range(FACTIONS):
        if s.spiral[place] == one:
            s.spiral[place] = other
        elif s.spiral[place] == other:
            s.spiral[place] = one
    _read_spiral(s)


@rule
def _tunnel(cfg: Any, s: Any, source: int, colour: int, target: int) -> None:
    """A whole squad goes to another Dimension; the Captain stays."""
    for kind in range(cfg.kinds):
        if cfg.colour[kind] == colour:
            while s.table[source, kind] > 0:
                lift(cfg, s, source, kind)
                lay(cfg, s, target, kind)


@rule
def _swallow(cfg: Any, s: Any, source: int, target: int) -> None:
    """A whole squad or Aura stack goes to the Black Hole; the Captain stays."""
    if target == AURA:
        while s.aura[source] > 0:
            s.hole[_pop_aura(s, source)] += 1
        return
    for kind in range(cfg.kinds):
        if cfg.colour[kind] == target:
            while s.table[source, kind] > 0:
                lift(cfg, s, source, kind)
                s.hole[kind] += 1


@rule
def _big_bang(cfg: Any, s: Any, rng: Any) -> None:
    """The whole Black Hole pile goes back into the deck, which is shuffled."""
    remember(cfg, s)
    size = 0
    for i in range(s.deck_size):
        into_hat(rng, LUCK_BIG_BANG, size, s.deck[i], size)
        size += 1
    for kind in range(cfg.kinds):
        for _ in range(s.hole[kind]):
            into_hat(rng, LUCK_BIG_BANG, size, kind, size)
            size += 1
        s.hole[kind] = 0
    for anomaly in range(ANOMALIES):
        if s.hole_anomalies >> anomaly & 1 == 1:
            into_hat(rng, LUCK_BIG_BANG, size, ANOMALY_CARD + anomaly, size)
            size += 1
    s.hole_anomalies = 0
    out_of_hat(rng, LUCK_BIG_BANG, s.deck, size)
    s.deck_size = size


# Phase 4: attack


@rule
def colours_in(s: Any, dimension: int) -> int:
    """The colours of the ordinary cards in a Dimension, as bits."""
    kinds = s.table_kinds[dimension]
    return kinds & 31 | (1 << BLUE if kinds > 31 else 0)


@rule
def attack_wins(s: Any, dimension: int, attacker: int, target: int) -> bool:
    """Whether there are such a squad and such a target with a card to lose, and the attack wins."""
    if attacker == target or strength(s, dimension, attacker) == 0:
        return False
    cards = s.aura[dimension] if target == AURA else s.squad[dimension, target]
    return cards > 0 and _overcomes(s, dimension, attacker, target)


@rule
def _overcomes(s: Any, dimension: int, attacker: int, target: int) -> bool:
    """The larger squad wins, and the one whose colour beats the other's. Auras have no colour; purple spares them."""
    mine = strength(s, dimension, attacker)
    if target == AURA:
        return attacker != PURPLE and mine > s.aura[dimension]
    return mine > strength(s, dimension, target) or s.prey[attacker] == target


@rule
def _attack_options(s: Any, out: Any) -> int:
    out.ids[0] = HOLD
    n = 1
    dimension = s.player
    attackers = colours_in(s, dimension)
    targets = attackers | (1 << AURA if s.aura[dimension] > 0 else 0)
    if s.captain_at == dimension:
        attackers |= 1 << RED
    while attackers != 0:
        attacker = lowest_bit(attackers)
        others = targets & ~(1 << attacker)
        while others != 0:
            target = lowest_bit(others)
            if _overcomes(s, dimension, attacker, target):
                out.ids[n] = STRIKE + attacker * TARGETS + target
                n += 1
            others &= others - 1
        attackers &= attackers - 1
    return n


@rule
def _attack(cfg: Any, s: Any, attacker: int, target: int, rng: Any) -> None:
    """A won attack takes one card: to the Black Hole, or, when a purple squad wins it in Epic, to the Auras."""
    dimension = s.active
    if target == AURA:
        s.hole[_pop_aura(s, dimension)] += 1
        return
    kind = target
    if target == BLUE and cfg.epic == 1:
        kind = _random_blue(cfg, s, dimension, rng)
    lift(cfg, s, dimension, kind)
    if attacker == PURPLE and cfg.epic == 1:
        s.aura_cards[s.auras] = kind * 8 + dimension
        s.auras += 1
        s.aura[dimension] += 1
    else:
        s.hole[kind] += 1


@rule
def _random_blue(cfg: Any, s: Any, dimension: int, rng: Any) -> int:
    """The kind of a card drawn at random from a blue squad."""
    number = below(rng, LUCK_LOSS, s.squad[dimension, BLUE])
    kind = FACTIONS
    while number >= s.table[dimension, kind]:
        number -= s.table[dimension, kind]
        kind += 1
    return kind


@rule
def _pop_aura(s: Any, dimension: int) -> int:
    """Takes the top card of an Aura stack; it is again the ordinary card it was."""
    place = s.auras - 1
    while s.aura_cards[place] & 7 != dimension:
        place -= 1
    kind = s.aura_cards[place] >> 3
    for later in range(place, s.auras - 1):
        s.aura_cards[later] = s.aura_cards[later + 1]
    s.auras -= 1
    s.aura_cards[s.auras] = 0
    s.aura[dimension] -= 1
    return kind


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
def _instant_winner(cfg: Any, s: Any) -> int:
    """The faction whose instant win this phase has brought about (Epic), or -1.

    A colour none of whose cards moved cannot have come to its goal, so only the stirred ones are looked at.
    """
    stirred = s.stirred
    s.stirred = 0
    if cfg.epic == 0:
        return NOBODY
    if stirred >> GREEN & 1 == 1 and s.owner[GREEN] != NOBODY:
        for dimension in range(cfg.players):
            if s.squad[dimension, GREEN] >= cfg.green_goal:
                return GREEN
    if stirred >> YELLOW & 1 == 1 and s.owner[YELLOW] != NOBODY:
        total = 0
        everywhere = True
        for dimension in range(cfg.players):
            total += s.squad[dimension, YELLOW]
            everywhere = everywhere and s.squad[dimension, YELLOW] > 0
        if everywhere and total >= cfg.yellow_goal:
            return YELLOW
    if stirred >> BLUE & 1 == 1 and s.owner[BLUE] != NOBODY:
        for dimension in range(cfg.players):
            if s.blue_sum[dimension] == cfg.blue_goal:
                return BLUE
    return NOBODY


@rule
def faction_count(cfg: Any, s: Any, faction: int) -> int:
    """Cards on the table that count for a faction: the Captain for red, every Aura for purple."""
    total = 0
    for dimension in range(cfg.players):
        total += strength(s, dimension, faction)
    return total + (s.auras if faction == PURPLE else 0)


@rule
def _count_up(cfg: Any, s: Any, rng: Any) -> None:
    """The players' faction with most cards wins; a tie goes by the Spiral, else by lot."""
    best = -1
    tied = 0
    count = 0
    for faction in range(FACTIONS):
        if s.owner[faction] != NOBODY:
            cards = faction_count(cfg, s, faction)
            if cards > best:
                best = cards
                tied = 0
                count = 0
            if cards == best:
                tied |= 1 << faction
                count += 1
    s.end = BY_COUNT
    s.winner = lowest_bit(tied)
    if count == 1:
        return
    if count == 2:
        other = lowest_bit(tied & (tied - 1))
        if s.prey[s.winner] == other or s.prey[other] == s.winner:
            s.tie = TIE_BY_SPIRAL
            if s.prey[other] == s.winner:
                s.winner = other
            return
    s.tie = TIE_BY_LOT
    for _ in range(below(rng, LUCK_LOT, count)):
        tied &= tied - 1
    s.winner = lowest_bit(tied)


@rule
def returns(cfg: Any, s: Any, out: Any) -> None:
    """1 for the winner, 0 for the others; all 0 while the game goes on."""
    for player in range(cfg.players):
        out[player] = 1.0 if s.faction[player] == s.winner else 0.0
