"""Hand-made positions of Battle of Dimensions in letters, played by the interpreter.

Cards are `R G Y P`, `B` (plain blue, Baseline), `B17` (blue of a value, Epic) and the names of the anomalies.
Actions are `play R`, `put B17 2`, `put captain 1`, `skip`, `stay`, `move G 0 1`, `move captain 2`,
`entanglement R G`, `wormhole R 0 1`, `black_hole aura 2`, `big_bang`, `time_loop`, `attack R aura`, `hold`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from dimensions_steps import a

from common import positions
from playmill.games.dimensions import constants
from playmill.games.dimensions.actions import AURA
from playmill.games.dimensions.config import ANOMALY_NAMES, Config
from playmill.games.dimensions.rules.cards import ANOMALY_CARD
from playmill.games.dimensions.words.acts import ACTS, PAIRED

LETTERS = "RGYBP"
PHASES = ("battle", "reinforce", "move", "attack")
#: The Captain before he is placed.
AVAILABLE = "available"
SEED = 5


class Position(positions.Position, game="dimensions", seed=SEED):
    """A position of Battle of Dimensions."""

    def battle(self, *cards: str) -> Position:
        """Everybody's battle card, by seat; "" for a player who has none."""
        order = [cards[(self.s.active + steps) % self.players] for steps in range(self.players)]
        assert self.phase == "battle"
        return self.do(*(f"play {card}" for card in order if card))

    # What there is

    @property
    def phase(self) -> str:
        """The phase a decision is asked for in, or "over"."""
        return PHASES[self.s.phase] if self.s.player >= 0 else "over"

    @property
    def winner(self) -> str:
        """The letter of the faction that has won."""
        assert self.s.player < 0
        return LETTERS[self.s.winner]

    def hand(self, player: int) -> list[str]:
        """The cards of a hand, in the order of kinds, anomalies last."""
        return self._cards(self.s.hand[player]) + self._anomalies(self.s.hand_anomalies[player])

    def dimension(self, number: int) -> list[str]:
        """The ordinary cards lying in a Dimension."""
        return self._cards(self.s.table[number])

    def table(self) -> list[list[str]]:
        """The ordinary cards of every Dimension."""
        return [self.dimension(number) for number in range(self.players)]

    def pile(self) -> list[str]:
        """The Black Hole pile."""
        return self._cards(self.s.hole) + self._anomalies(self.s.hole_anomalies)

    def deck(self) -> list[str]:
        """The deck, the top card first."""
        return [self._deck_card(self.s.deck[place]) for place in reversed(range(self.s.deck_size))]

    def auras(self, dimension: int) -> list[str]:
        """The cards of an Aura stack, the lowest first."""
        laid = [self.s.aura_cards[place] for place in range(self.s.auras)]
        cards = [self.card(card >> 3) for card in laid if card & 7 == dimension]
        assert len(cards) == self.s.aura[dimension]
        return cards

    def spiral(self) -> str:
        """The Spiral, written from red on."""
        text = "".join(LETTERS[faction] for faction in self.s.spiral)
        start = text.index("R")
        return text[start:] + text[:start]

    # Letters and numbers

    def card(self, kind: int) -> str:
        """The text of a kind of faction card."""
        return f"B{self.cfg.value[kind]}" if kind >= len(LETTERS) else LETTERS[kind]

    def kind(self, card: str) -> int:
        """The kind of faction card a text stands for."""
        return next(kind for kind in range(self.cfg.kinds) if self.cfg.copies[kind] and self.card(kind) == card)

    def text(self, action: int) -> str:
        """An action in words."""
        done = ACTS.decode(action)
        act, kind, faction, source, target = done.act, done.kind, done.faction, done.source, done.target
        if act == "entanglement":
            faction, target = PAIRED[done.pair]
        colour = _colour(faction)
        words: dict[str, list[Any]] = {
            "play": ["play", self.card(kind)],
            "put": ["put", self.card(kind), target],
            "put_captain": ["put captain", target],
            "move": ["move", self.card(kind), source, target],
            "move_captain": ["move captain", target],
            "entanglement": [act, colour, _colour(target)],
            "wormhole": [act, colour, source, target],
            "black_hole": [act, colour, source],
            "attack": [act, colour, _colour(target)],
        }
        return " ".join(map(str, words.get(act, [act])))

    def id(self, text: str) -> int:
        """The id of an action in words."""
        act, *rest = text.split()
        if act in ("put", "move") and rest[0] == "captain":
            return a(f"{act}_captain", target=int(rest[1]))
        if act == "play":
            return a(act, kind=self.kind(rest[0]))
        if act == "put":
            return a(act, kind=self.kind(rest[0]), target=int(rest[1]))
        if act == "move":
            return a(act, kind=self.kind(rest[0]), source=int(rest[1]), target=int(rest[2]))
        if act in ("entanglement", "attack"):
            return a(act, faction=_faction(rest[0]), target=_faction(rest[1]))
        if act == "wormhole":
            return a(act, faction=_faction(rest[0]), source=int(rest[1]), target=int(rest[2]))
        if act == "black_hole":
            return a(act, faction=_faction(rest[0]), source=int(rest[1]))
        return a(act)

    def _cards(self, counts: Any) -> list[str]:
        return [self.card(kind) for kind in range(self.cfg.kinds) for _ in range(counts[kind])]

    def _anomalies(self, bits: int) -> list[str]:
        return [name for number, name in enumerate(ANOMALY_NAMES) if bits >> number & 1]

    def _deck_card(self, card: int) -> str:
        if card >= ANOMALY_CARD:
            return ANOMALY_NAMES[card - ANOMALY_CARD]
        return self.card(card)


def _faction(letter: str) -> int:
    return AURA if letter == "aura" else LETTERS.index(letter)


def _colour(faction: int) -> str:
    return "aura" if faction == AURA else LETTERS[faction]


def position(
    phase: str,
    *,
    entities: str = "GYP",
    active: int = 0,
    hands: Sequence[str] = (),
    table: Sequence[str] = (),
    captain: int | str | None = None,
    auras: str = "",
    spiral: str = "RGYBP",
    pile: str = "",
    deck: str = "",
    committed: Mapping[int, str] | None = None,
    known: Mapping[int, int] | None = None,
    laid: Mapping[int, int] | None = None,
    shown: str = "",
    final: bool = False,
    last_taker: int = constants.NOBODY,
    loop: bool = False,
    turns: int = 1,
    first: int | None = None,
    number: int = 0,
    **numbers: Any,
) -> Position:
    """A position with everything that follows from it; `entities` are the players' factions, by seat.

    `deck` names the top card first, `auras` the cards in the order they were laid, as `R@0`; `known` says how many
    cards of a hand everybody knows to be anomalies, `laid` how many faction cards were played from it; `shown` names
    anomalies seen before besides those in the pile.
    """
    players = len(entities)
    if "blue_values" in numbers:
        numbers.setdefault("cards_per_faction", len(numbers["blue_values"]))
    made = Position(Config(**numbers), players, number)
    cfg, s = made.cfg, made.s
    s.active = active
    s.first = active if first is None else first
    s.final = final
    s.loop = loop
    s.last_taker = last_taker
    s.winner = constants.NOBODY
    s.turns = turns
    for faction in range(len(LETTERS)):
        s.owner[faction] = entities.find(LETTERS[faction])
    for player, letter in enumerate(entities):
        s.faction[player] = LETTERS.index(letter)
    s.captain_at = _captain(captain, bool(cfg.epic) and "R" in entities)
    for place, letter in enumerate(spiral):
        s.spiral[place] = LETTERS.index(letter)
        s.prey[LETTERS.index(letter)] = LETTERS.index(spiral[(place + 1) % len(spiral)])
    for player, cards in enumerate(hands):
        _fill_hand(made, player, cards.split())
    for player, card in (committed or {}).items():
        s.committed[player] = made.kind(card) + 1
    for player, count in (known or {}).items():
        s.known_anomalies[player] = count
    for player, count in (laid or {}).items():
        s.laid[player] = count
    for dimension, cards in enumerate(table):
        _fill_dimension(made, dimension, cards.split())
    for place, aura in enumerate(auras.split()):
        card, _, dimension = aura.partition("@")
        s.aura_cards[place] = made.kind(card) * 8 + int(dimension)
        s.aura[int(dimension)] += 1
        s.auras += 1
    for card in pile.split():
        if card in ANOMALY_NAMES:
            s.hole_anomalies |= 1 << ANOMALY_NAMES.index(card)
        else:
            s.hole[made.kind(card)] += 1
    s.shown_anomalies = s.hole_anomalies
    for name in shown.split():
        s.shown_anomalies |= 1 << ANOMALY_NAMES.index(name)
    for place, card in enumerate(reversed(deck.split())):
        anomaly = card in ANOMALY_NAMES
        s.deck[place] = ANOMALY_CARD + ANOMALY_NAMES.index(card) if anomaly else made.kind(card)
        s.deck_size += 1
    s.phase = PHASES.index(phase)
    s.player = active
    while phase == "battle" and (s.hand_kinds[s.player] == 0 or s.committed[s.player] != 0):
        s.player = (s.player + 1) % players
    _check_copies(made)
    return made


def _captain(wanted: int | str | None, exists: bool) -> int:
    if not exists:
        assert wanted is None, "the Captain plays in Epic, when red is a player"
        return constants.CAPTAIN_ABSENT
    return wanted if isinstance(wanted, int) else constants.CAPTAIN_AVAILABLE


def _fill_hand(made: Position, player: int, cards: Sequence[str]) -> None:
    for card in cards:
        if card in ANOMALY_NAMES:
            made.s.hand_anomalies[player] |= 1 << ANOMALY_NAMES.index(card)
        else:
            made.s.hand[player, made.kind(card)] += 1
            made.s.hand_kinds[player] |= 1 << made.kind(card)
    made.s.hand_size[player] = len(cards)


def _fill_dimension(made: Position, dimension: int, cards: Sequence[str]) -> None:
    for card in cards:
        kind = made.kind(card)
        made.s.table[dimension, kind] += 1
        made.s.table_kinds[dimension] |= 1 << kind
        made.s.squad[dimension, LETTERS.index(card[0])] += 1
        made.s.blue_sum[dimension] += made.cfg.value[kind]


def _check_copies(made: Position) -> None:
    """A hand-made position must not hold more cards of a kind than there are."""
    for card, count in count_cards(made).items():
        if card not in ANOMALY_NAMES:
            assert count <= made.cfg.copies[made.kind(card)], f"{count} cards {card}"
        else:
            assert count == 1, f"{count} cards {card}"


def count_cards(made: Position) -> Counter[str]:
    """How many of each card there are in all the places a card can be."""
    found = Counter(made.pile()) + Counter(made.deck())
    for seat in range(made.players):
        found.update(made.hand(seat))
        found.update(made.dimension(seat))
        found.update(made.auras(seat))
        if made.s.committed[seat]:
            found[made.card(made.s.committed[seat] - 1)] += 1
    return found


def deal(number: int = 0, *, players: int = 3, **numbers: Any) -> Position:
    """A game dealt by the rules themselves, with the random numbers of game `number`."""
    return Position(Config(**numbers), players, number).deal()
