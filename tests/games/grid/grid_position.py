"""Hand-made positions of Grid in letters, played by the interpreter.

A card is its rank and the letter of its colour, `3a`; `J` is a joker, `.` a free cell and `x` some card that makes no
pattern with its neighbours. A board is written row by row, `1a 2a . x / 3b`; what is left out is free. A cell is `x,y`,
the top left one `0,0`. Actions are `place 3,0`, `pick 3a`, `pass 4b`, `resolve H row 0,0`, `resolve A square 1,1`,
`resolve none`, `refuse`, `accept`, `card 0,0`, `cell 4,4`, `opponent 1`, `their card 0,0`, `their cell 4,4` and
`ref 2` (a place in the discard pile, counted from the bottom).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import cache
from typing import Any

from common import positions
from playmill.engine.lang.record import plain
from playmill.engine.lang.rule import interpreted
from playmill.games.grid import constants
from playmill.games.grid.actions import MATCH
from playmill.games.grid.config import Config
from playmill.games.grid.constants import DRAFT_PICK, EMPTY, JOKER, PATTERNS, PLACEMENT, SQUARE
from playmill.games.grid.patterns.matching import matching_patterns
from playmill.games.grid.rules.cards import free_cells, put
from playmill.games.grid.words.acts import ACTS

COLOURS = "abcdefgh"
SEED = 5
KINDS = (
    "placement",
    "pick",
    "pass",
    "resolve",
    "apply",
    "card",
    "cell",
    "opponent",
    "their card",
    "their cell",
    "ref",
)
ENDS = ("", "END1", "END2")
_ACTS = {
    "place": "place",
    "self_card": "card",
    "self_empty": "cell",
    "opponent_card": "their card",
    "opponent_empty": "their cell",
}

matching = interpreted(matching_patterns)
free = interpreted(free_cells)
_put = interpreted(put)


@cache
def rules_of(*changes: str) -> Config:
    """The shipped rules with `path=value` changes."""
    return Config().changed(changes)


@cache
def _packed(config_changes: tuple[str, ...], players: int) -> Any:
    return plain(rules_of(*config_changes).pack(players))[0]


def reward_of(**rewards: int) -> tuple[str, ...]:
    """Changes that give patterns other rewards: `reward_of(H=3)`."""
    return tuple(f"patterns.{letter}.reward.id=RWD{number}" for letter, number in rewards.items())


def deck_of(ranks: Sequence[int], colours: int, shapes: int) -> tuple[str, ...]:
    """Changes that make another deck."""
    return (
        f"game.deck.ranks={list(ranks)}",
        f"game.deck.colors={list(range(1, colours + 1))}",
        f"game.deck.shapes={list(range(1, shapes + 1))}",
        f"game.deck.total_cards={len(ranks) * colours * shapes}",
    )


def off(*paths: str) -> tuple[str, ...]:
    """Changes that switch things off."""
    return tuple(f"{path}=false" for path in paths)


class Position(positions.Position, game="grid", seed=SEED):
    """A position of Grid."""

    def __init__(self, changes: Sequence[str], players: int, number: int = 0) -> None:
        super().__init__(rules_of(*changes), players, number, cfg=_packed(tuple(changes), players))

    # What there is

    @property
    def asked(self) -> str:
        """What kind of decision is asked for, or how the game has ended."""
        return KINDS[self.s.kind] if self.s.player >= 0 else ENDS[self.s.end]

    @property
    def placing(self) -> str:
        """The card to be placed."""
        assert self.asked == "placement"
        return self.card(self.s.card)

    def board(self, player: int) -> str:
        """The rows of a board down to the last card."""
        width = self.cfg.width
        rows = [[self.cell(player, f"{x},{y}") for x in range(width)] for y in range(self.cfg.height)]
        while rows and set(rows[-1]) == {"."}:
            rows.pop()
        return " / ".join(" ".join(row) for row in rows)

    def cell(self, player: int, at: str) -> str:
        """The card in a cell, or `.`."""
        card = self.s.board[player, self.place(at)]
        return self.card(card) if card else "."

    def hand(self, player: int) -> list[str]:
        """The cards of a hand, in the order received."""
        return [self.card(self.s.hand[player, place]) for place in range(self.s.hand_size[player])]

    def pile(self) -> list[str]:
        """The discard pile, the card laid first first."""
        return [self.card(self.s.discard[place]) for place in range(self.s.discard_size)]

    def deck(self) -> list[str]:
        """The deck, the top card first."""
        return [self.card(self.s.deck[place]) for place in reversed(range(self.s.deck_size))]

    def revealed(self) -> list[str]:
        """The open cards of the draft that are still to be had."""
        return [self.card(card) for card in self.s.revealed if card]

    def vp(self) -> list[int]:
        """Everybody's victory points."""
        return list(self.s.vp)[: self.players]

    def counts(self, reward: int, player: int = 0) -> tuple[int, int, int]:
        """How often a player has applied, refused and found impossible the reward RWDn."""
        found = [grid[player, reward - 1] for grid in (self.s.applied, self.s.refused, self.s.impossible)]
        return found[0], found[1], found[2]

    def plain_search(self, player: int) -> list[str]:
        """All patterns on a board, found by looking at every window."""
        found = []
        for window in range(self.cfg.windows):
            bits = self.cfg.window_bits[window]
            if bits & self.s.filled[player] == bits:
                patterns = matching(self.cfg, self.s, player, window)
                found += [MATCH + window * PATTERNS + place for place in range(PATTERNS) if patterns >> place & 1]
        return [self.text(action) for action in found]

    # Letters and numbers

    def card(self, card: int) -> str:
        """The text of a card."""
        return "J" if card == JOKER else f"{self.cfg.rank[card]}{COLOURS[self.cfg.colour[card]]}"

    def place(self, at: str) -> int:
        """The number of a cell."""
        x, y = map(int, at.split(","))
        assert x < self.cfg.width and y < self.cfg.height, at
        return y * self.cfg.width + x

    def at(self, cell: int) -> str:
        """A cell as `x,y`."""
        return f"{cell % self.cfg.width},{cell // self.cfg.width}"

    def text(self, action: int) -> str:
        """An action in words."""
        done = ACTS.decode(action)
        act = done.act
        if act in _ACTS:
            return f"{_ACTS[act]} {self.at(done.cell)}"
        if act in ("pick", "pass"):
            return f"{act} {self.card(self.s.revealed[done.card])}"
        if act == "resolve":
            return f"resolve {self.config.patterns[done.pattern].id} {self._window(done.window)}"
        if act == "resolve_none":
            return "resolve none"
        return {"opponent": f"opponent {done.player}", "discard_ref": f"ref {done.place}"}.get(act, act)

    def _window(self, window: int) -> str:
        cells = self.cfg.window_cell[window]
        if self.cfg.window_shape[window] == SQUARE:
            return f"square {self.at(cells[0])}"
        return f"{'row' if cells[1] == cells[0] + 1 else 'column'} {self.at(cells[0])}"


def position(
    boards: Sequence[str] = (),
    *,
    place: str = "",
    draft: str = "",
    phase: str = "hand",
    active: int = 0,
    players: int = 0,
    hands: Sequence[str] = (),
    pile: str = "",
    deck: int | str = 12,
    vp: Sequence[int] = (),
    skips: Sequence[int] = (),
    changes: Sequence[str] = (),
    number: int = 0,
) -> Position:
    """A position in which a card is to be placed, or one of a draft's open cards to be picked.

    `phase` says whether the card to be placed comes from the hand or the draft; `deck` names its cards, the top one
    first, or says how many there are; `pile` names the card laid first first; `skips` are the seats that will skip.
    """
    made = Position(changes, players or max(2, len(boards), len(hands), len(vp)), number)
    s = made.s
    s.active = s.player = active
    s.winner = constants.NOBODY
    s.turns = 1
    cards = _Cards(made)
    assert bool(place) != bool(draft), "a card to place or a draft"
    if draft:
        phase = "draft"
        s.kind = DRAFT_PICK
        for slot, card in enumerate(draft.split()):
            s.revealed[slot] = cards.take(card)
            s.places |= 1 << slot
            s.options += 1
    else:
        s.kind = PLACEMENT
        s.card = cards.take(place)
    s.phase = ("hand", "draft").index(phase)
    for player, hand in enumerate(hands):
        for slot, card in enumerate(hand.split()):
            s.hand[player, slot] = cards.take(card)
            s.hand_size[player] += 1
    for slot, card in enumerate(pile.split()):
        s.discard[slot] = cards.take(card)
        s.discard_size += 1
    if isinstance(deck, str):
        s.deck_size = len(deck.split())
        for slot, card in enumerate(reversed(deck.split())):
            s.deck[slot] = cards.take(card)
    lay(made, cards, boards)
    if place:
        s.options = free(made.cfg, s, active).bit_count()
    if isinstance(deck, int):
        s.deck_size = deck
        for slot in range(deck):
            s.deck[slot] = cards.any(made.cfg.cards)
    for player, points in enumerate(vp):
        s.vp[player] = points
    for player in skips:
        s.skip[player] = 1
    return made


def lay(made: Position, cards: _Cards, boards: Sequence[str]) -> None:
    """Lays cards out on boards nobody has searched yet; the unimportant ones last."""
    for filler in (False, True):
        for player, board in enumerate(boards):
            for y, row in enumerate(board.split("/")):
                for x, card in enumerate(row.split()):
                    if card != "." and (card == "x") == filler:
                        cell = made.place(f"{x},{y}")
                        _put(made.cfg, made.s, player, cell, cards.filler(x + y) if filler else cards.take(card))


class _Cards:
    """The cards of a deck that are nowhere yet."""

    def __init__(self, made: Position) -> None:
        self.made = made
        self.left = list(range(1, made.cfg.cards + 1))

    def take(self, text: str) -> int:
        """A card of a rank and colour."""
        if text == "J":
            return JOKER
        found = [card for card in self.left if self.made.card(card) == text]
        assert found, f"no card {text} is left"
        return self.any(found[0])

    def any(self, most: int) -> int:
        """The card of the highest number up to `most`."""
        card = max(card for card in self.left if card <= most)
        self.left.remove(card)
        return card

    def filler(self, parity: int) -> int:
        """A card whose rank is far from its neighbours': low and high ones lie like the squares of a chessboard."""
        card = min(self.left) if parity % 2 == 0 else max(self.left)
        self.left.remove(card)
        return card


def deal(number: int = 0, *, players: int = 2, changes: Sequence[str] = ()) -> Position:
    """A game dealt by the rules themselves, with the random numbers of game `number`."""
    return Position(changes, players, number).deal()


def cards_anywhere(made: Position) -> Counter[int]:
    """How many of each card, and of jokers, there are in all the places a card can be."""
    s, record = made.s, made.source[0]
    found: Counter[int] = Counter(record["deck"][: s.deck_size].tolist())
    found.update(record["discard"][: s.discard_size].tolist())
    found.update(s.revealed)
    found.update(s.picked)
    for seat in range(made.players):
        found.update(record["hand"][seat, : s.hand_size[seat]].tolist())
        found.update(record["board"][seat, : made.cfg.cells].tolist())
    if made.asked == "placement":
        found[s.card] += 1
    del found[EMPTY]
    return found
