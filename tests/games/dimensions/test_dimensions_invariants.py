"""What holds at every moment of every game, whatever the config and whoever plays."""

from __future__ import annotations

import random
from collections import Counter
from itertools import combinations
from typing import Any

from dimensions_position import LETTERS, Position, count_cards, deal
from hypothesis import given, settings
from hypothesis import strategies as st

from common.effort import share
from playmill.games.dimensions import constants
from playmill.games.dimensions.actions import ENTANGLE, LOOP
from playmill.games.dimensions.config import ANOMALY_NAMES

#: More decisions than any of these games has.
ENDLESS = 20_000


@st.composite
def numbers(draw: st.DrawFn) -> dict[str, Any]:
    """Numbers of a config within the ranges, and the number of players; small goals, so that they are reached."""
    players = draw(st.integers(3, 5))
    cards = draw(st.integers(1, 16))
    pool = draw(st.lists(st.sampled_from(ANOMALY_NAMES), unique=True, max_size=5))
    anomalies = draw(st.integers(0, len(pool)))
    most = min(8, (5 * cards + anomalies - 1) // players)
    least = anomalies // players + 1
    if least > most:
        least, anomalies = 1, 0
        most = min(8, (5 * cards - 1) // players)
    if most < 1:
        players, most = 3, min(8, (5 * cards - 1) // 3)
    return {
        "players": players,
        "mode": draw(st.sampled_from(["baseline", "epic", "epic"])),
        "cards_per_faction": cards,
        "blue_values": draw(st.lists(st.integers(1, 30), min_size=cards, max_size=cards)),
        "hand_size": draw(st.integers(least, most)),
        "anomalies_in_deck": anomalies,
        "anomaly_pool": pool,
        "green_goal": draw(st.integers(2, 9)),
        "yellow_goal": draw(st.integers(2, 9)),
        "blue_goal": draw(st.integers(2, 99)),
    }


def all_cards(game: Position) -> Counter[str]:
    """The faction cards of the config."""
    config = game.config
    cards = Counter(dict.fromkeys(LETTERS, config.cards_per_faction))
    if config.mode == "epic":
        del cards["B"]
        cards.update(f"B{value}" for value in config.blue_values)
    return cards


def check_cards(game: Position, anomalies: frozenset[str]) -> None:
    """Every card is in exactly one place."""
    found = count_cards(game)
    assert {card: found.pop(card) for card in ANOMALY_NAMES if card in found} == dict.fromkeys(anomalies, 1)
    assert found == all_cards(game)
    assert min(game.s.hole) >= 0
    hand_bits = [game.s.hand_anomalies[player] for player in range(game.players)]
    assert sum(bits.bit_count() for bits in hand_bits) + game.s.hole_anomalies.bit_count() <= len(anomalies)


def check_captain(game: Position) -> None:
    """The Captain is absent, available or in a Dimension: nowhere else."""
    plays = game.config.mode == "epic" and game.s.owner[0] != constants.NOBODY
    places = range(constants.CAPTAIN_AVAILABLE, game.players) if plays else [constants.CAPTAIN_ABSENT]
    assert game.s.captain_at in places


def check_derived(game: Position) -> None:
    """What follows from the cards agrees with a recount."""
    s, cfg = game.s, game.cfg
    for seat in range(5):
        hand = [s.hand[seat, kind] for kind in range(21)]
        table = [s.table[seat, kind] for kind in range(21)]
        assert s.hand_kinds[seat] == sum(1 << kind for kind in range(21) if hand[kind])
        assert s.hand_size[seat] == sum(hand) + s.hand_anomalies[seat].bit_count() <= cfg.hand_size
        assert s.table_kinds[seat] == sum(1 << kind for kind in range(21) if table[kind])
        assert s.blue_sum[seat] == sum(cfg.value[kind] * table[kind] for kind in range(21))
        assert 0 <= s.known_anomalies[seat] <= s.hand_anomalies[seat].bit_count()
        assert 0 <= s.kept[seat] <= s.hand_size[seat] + (s.committed[seat] != 0)
        assert s.laid[seat] >= 0
        for colour in range(5):
            assert s.squad[seat, colour] == sum(table[kind] for kind in range(21) if cfg.colour[kind] == colour)
        if seat >= game.players:
            assert s.hand_size[seat] == s.table_kinds[seat] == s.aura[seat] == s.committed[seat] == 0
    assert s.auras == sum(len(game.auras(dimension)) for dimension in range(game.players))
    assert not any(s.aura_cards[s.auras :])
    assert sorted(s.spiral) == [0, 1, 2, 3, 4]
    for place in range(5):
        assert s.prey[s.spiral[place]] == s.spiral[(place + 1) % 5]
    factions = [s.faction[player] for player in range(game.players)]
    assert len(set(factions)) == game.players
    assert list(s.owner) == [factions.index(faction) if faction in factions else -1 for faction in range(5)]
    assert s.hole_anomalies & ~s.shown_anomalies == 0
    assert min(s.older) >= 0
    if game.config.mode == "baseline":
        assert s.auras == 0


def check_decision(game: Position, legal: list[int]) -> None:
    """The player to move may do something, in the phase it is; battle cards lie hidden in the battle only."""
    s = game.s
    assert legal
    assert legal == sorted(set(legal))
    assert {game.text(action) for action in legal} == page_options(game)
    assert 0 <= s.player < game.players
    if game.phase == "battle":
        assert s.hand_kinds[s.player]
        assert s.committed[s.player] == 0
    else:
        assert s.player == s.active
        assert not any(s.committed)
    if s.final:
        assert s.last_taker == s.active
    if s.deck_size == 0 and game.phase == "battle" and not any(s.committed):
        assert s.last_taker != constants.NOBODY


def check_end(game: Position) -> None:
    """A game ends with a winner who takes part, by counting or by an instant win of Epic."""
    s = game.s
    assert game.legal() == []
    assert s.owner[s.winner] != constants.NOBODY
    assert sum(game.returns()) == 1
    assert s.end in ((constants.BY_COUNT,) if game.config.mode == "baseline" else (1, 2, 3, constants.BY_COUNT))
    assert s.tie == constants.NO_TIE or s.end == constants.BY_COUNT
    if s.end == constants.BY_COUNT:
        assert s.final
        assert s.deck_size == 0
    else:
        assert s.end == s.winner
        assert page_winner(game) == game.winner
    row = game.outcome()
    assert row["turns"] == s.turns
    if s.end == constants.BY_COUNT:
        assert row["cards"][row["winner"]] == max(row["cards"][: game.players])
        leaders = (row["cards"][: game.players] == max(row["cards"][: game.players])).sum()
        assert (s.tie == constants.NO_TIE) == (leaders == 1)


def page_winner(game: Position) -> str | None:
    """The faction that has won at once, by the words of the page."""
    config = game.config
    if config.mode == "baseline":
        return None
    table = game.table()
    counts = {letter: [sum(card[0] == letter for card in cards) for cards in table] for letter in LETTERS}
    sums = [sum(int(card[1:]) for card in cards if card[0] == "B") for cards in table]
    wins = {
        "G": max(counts["G"]) >= config.green_goal,
        "Y": min(counts["Y"]) >= 1 and sum(counts["Y"]) >= config.yellow_goal,
        "B": config.blue_goal in sums,
    }
    return next((letter for letter in "GYB" if wins[letter] and game.s.owner[LETTERS.index(letter)] >= 0), None)


def page_options(game: Position) -> set[str]:
    """The options of the player to move, by the table of decisions of the page."""
    s = game.s
    seats = range(game.players)
    me = s.player
    hand = set(game.hand(me))
    cards = hand - set(ANOMALY_NAMES)
    red = game.config.mode == "epic" and LETTERS[s.faction[me]] == "R"
    if game.phase == "battle":
        return {f"play {card}" for card in cards}
    if game.phase == "reinforce":
        options = {f"put {card} {to}" for card in cards for to in seats}
        if red and s.captain_at == constants.CAPTAIN_AVAILABLE:
            options |= {f"put captain {to}" for to in seats} | (set() if cards else {"skip"})
        return options
    if game.phase == "attack":
        return {"hold"} | page_attacks(game, me)
    options = {"stay"} | (hand & {"big_bang", "time_loop"})
    squads = {(card[0], place) for place in seats for card in game.dimension(place)}
    options |= {f"move {card} {a} {b}" for a in seats for card in game.dimension(a) for b in seats if a != b}
    if red and s.captain_at >= 0:
        options |= {f"move captain {to}" for to in seats if to != s.captain_at}
    if "entanglement" in hand:
        options |= {f"entanglement {one} {other}" for one, other in combinations(LETTERS, 2)}
    if "wormhole" in hand:
        options |= {f"wormhole {colour} {a} {b}" for colour, a in squads for b in seats if a != b}
    if "black_hole" in hand:
        options |= {f"black_hole {colour} {place}" for colour, place in squads}
        options |= {f"black_hole aura {place}" for place in seats if game.auras(place)}
    return options


def page_attacks(game: Position, place: int) -> set[str]:
    """The attacks in a Dimension that win and change something."""
    ordinary = Counter(card[0] for card in game.dimension(place))
    size = ordinary + Counter({"R": int(game.s.captain_at == place)})
    cycle = game.spiral()
    prey = {letter: cycle[(number + 1) % 5] for number, letter in enumerate(cycle)}
    auras = len(game.auras(place))
    won = {
        f"attack {one} {other}"
        for one in size
        for other in ordinary
        if one != other and (size[one] > size[other] or prey[one] == other)
    }
    return won | {f"attack {one} aura" for one in size if one != "P" and 0 < auras < size[one]}


def choice_of(chooser: str, choose: random.Random, legal: list[int]) -> int:
    """An option at random, or always the first or last, or an anomaly whenever there is one."""
    if chooser == "anomalies":
        legal = [action for action in legal if ENTANGLE <= action <= LOOP] or legal
    return {"first": legal[0], "last": legal[-1]}.get(chooser, choose.choice(legal))


@settings(max_examples=share(250), deadline=None, derandomize=True, database=None)
@given(numbers(), st.integers(0, 2**32), st.sampled_from(["any", "anomalies", "first", "last"]))
def test_every_moment_of_every_game(given_numbers: dict[str, Any], seed: int, chooser: str) -> None:
    game = deal(seed, **given_numbers)
    choose = random.Random(seed)
    anomalies = frozenset(card for card in count_cards(game) if card in ANOMALY_NAMES)
    assert len(anomalies) == game.config.anomalies_in_deck
    for _ in range(ENDLESS):
        check_cards(game, anomalies)
        check_captain(game)
        check_derived(game)
        if game.phase == "over":
            break
        legal = game.legal_ids()
        check_decision(game, legal)
        assert page_winner(game) is None, "the game should have ended"
        game.do_id(choice_of(chooser, choose, legal))
    check_end(game)
