"""Positions of Save Oneself in letters, and the interpreter's rules applied to them.

A field is written row by row, with `/` between rows, and the ids of the sides that are up, `-` for no card; a star
marks where the player stands. Its first cell is 0,0, where every game begins, unless `origin` says otherwise: rows grow
to the south, columns to the east. A ship is written as its course, its cell and what else is true of it:
`NE -1,3 waiting`, `SE 4,2 turned`. Actions are `north`, `waive`, `turn vines`, `skip`.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache, partial
from typing import Any

import numpy as np

from common import interpreter, positions
from playmill.engine.lang.record import plain
from playmill.engine.lang.rule import interpreted
from playmill.games.save_oneself import constants, rules
from playmill.games.save_oneself.actions import SKIP, TURN, WAIVE
from playmill.games.save_oneself.config import Config
from playmill.games.save_oneself.outcome import ENDINGS
from playmill.games.save_oneself.rules import turns

SEED = 1
#: The fronts of the cards, by their backs.
FACES = {
    "vines": "shelter",
    "hook": "fish",
    "water": "waterfall",
    "flint": "torch",
    "palm-trees": "coconuts",
    "sticks": "spear",
    "bottle": "message",
    "higher-ground": "lit-beacon",
    "telescope": "ship-sighted",
    "rocks": "sos",
    "pig": "meat",
    "storm": "tornado",
    "mirage": "sea-serpent",
    "pirates": "compass",
    "map-r": "rum",
    "map-c": "treasure",
}
CARDS, SIDES = list(FACES), [*FACES, *FACES.values()]
CORNERS = ("NE", "SE", "SW", "NW")
STEPS = ("north", "east", "south", "west")
#: Cells are numbered in rows of eight; every game begins in the fourth row and column.
WIDTH, MIDDLE = 8, 3

Place = tuple[int, int]
_offer_moves = interpreted(turns._offer_moves)
_offer_turns = interpreted(turns._offer_turns)
_score = interpreted(rules.score)
new_rng = partial(interpreter.new_rng, seed=SEED)


@cache
def config_of(*changes: str) -> Config:
    """The rules with some changes, such as `lives=20`."""
    return Config().changed(changes)


def at(text: str) -> Place:
    """A place from its text."""
    row, column = map(int, text.split(","))
    return row, column


def cell_of(place: Place) -> int:
    """The number of a cell."""
    return WIDTH * (MIDDLE + place[0]) + MIDDLE + place[1]


def place_of(cell: int) -> Place:
    """The place of a cell."""
    return cell // WIDTH - MIDDLE, cell % WIDTH - MIDDLE


def text_of(action: int) -> str:
    """An action in words."""
    if action >= TURN:
        return "skip" if action == SKIP else f"turn {CARDS[action - TURN]}"
    return "waive" if action == WAIVE else STEPS[action]


def action_of(text: str) -> int:
    """The id of an action in words."""
    if text.startswith("turn "):
        return TURN + CARDS.index(text.removeprefix("turn "))
    return {"waive": WAIVE, "skip": SKIP}[text] if text in ("waive", "skip") else STEPS.index(text)


class Position(positions.Position, game="save_oneself", seed=SEED):
    """A position of Save Oneself."""

    def __init__(self, config: Config, number: int = 0) -> None:
        super().__init__(config, 1, number)

    def text(self, action: int) -> str:
        """An action in words."""
        return text_of(action)

    # What there is

    @property
    def asked(self) -> str:
        """What is to be decided, `move` or `turn`; or what has ended the game, such as `won: sos` or `lost: lives`."""
        s = self.s
        if s.player < 0:
            won = s.ending in (constants.BY_SOS, constants.BY_BEACON, constants.BY_MESSAGE)
            return f"{'won' if won else 'lost'}: {ENDINGS[s.ending - 1]}"
        return "move" if s.phase == constants.MOVING else "turn"

    @property
    def lives(self) -> int:
        return self.s.lives

    @property
    def here(self) -> Place:
        return place_of(self.s.here)

    def cards(self) -> dict[str, str]:
        """The side that is up, of each card on the field."""
        for card, (back, front) in enumerate(FACES.items()):
            assert not (self.s.sides >> card & 1 and self.s.sides >> card + len(CARDS) & 1), f"both {back} and {front}"
        return {SIDES[side % len(CARDS)]: SIDES[side] for side in range(len(SIDES)) if self.s.sides >> side & 1}

    def up(self, *sides: str) -> bool:
        """Whether all these sides are up."""
        return set(sides) <= set(self.cards().values())

    def places(self) -> dict[str, Place]:
        """Where each card lies."""
        return {card: place_of(self.s.cell[CARDS.index(card)]) for card in self.cards()}

    def field(self) -> str:
        """The field in letters, within the box around the cards."""
        cards, places = self.cards(), self.places()
        lies = {place: cards[card] + "*" * (place == self.here) for card, place in places.items()}
        rows, columns = zip(*lies, strict=True)
        return " / ".join(
            " ".join(lies.get((row, column), "-") for column in range(min(columns), max(columns) + 1))
            for row in range(min(rows), max(rows) + 1)
        )

    @property
    def ship(self) -> str:
        """The ship in letters; nothing without one."""
        s = self.s
        if s.ship < 0:
            return ""
        where = f"{CORNERS[s.ship]} {s.ship_row - MIDDLE},{s.ship_column - MIDDLE}"
        return where + " waiting" * (s.waiting != 0) + " turned" * (s.turned != 0)

    @property
    def island(self) -> Place:
        """The north-western cell of the island that the ship has fixed."""
        return self.s.island_north - MIDDLE, self.s.island_west - MIDDLE

    def deck(self) -> list[str]:
        """The cards still to come, in their order."""
        return [CARDS[self.s.deck[place]] for place in range(self.s.placed, len(CARDS))]

    def overturned(self) -> set[str]:
        """The cards that showed their front at some time."""
        return {card for number, card in enumerate(CARDS) if self.s.overturned >> number & 1}

    def score(self) -> int:
        """The score as it stands."""
        return _score(self.cfg, self.s)

    def returns(self) -> float:
        """What the game has brought."""
        (brought,) = super().returns()
        return float(brought)

    def observation(self, player: int = 0) -> list[int]:
        """What the player sees, written over what was there before."""
        out = np.full(self.game.observation, 99, np.int32)
        self._rules["observe"](self.cfg, self.s, player, plain(out))
        return out.tolist()


# What the state keeps about the field, found anew by looking at every card


def scanned(game: Position) -> dict[str, Any]:
    """The cells with cards, the smallest box around them, and the cells where cards lie or may be laid."""
    places = game.places()
    lying = set(places.values())
    assert len(lying) == len(places), "one card on a cell"
    cards = np.zeros(WIDTH * (2 * MIDDLE + 1), np.int8)
    for card, place in places.items():
        cards[cell_of(place)] = CARDS.index(card)
    rows, columns = (sorted(line) for line in zip(*lying, strict=True))
    return {
        "field": sum(1 << cell_of(place) for place in lying),
        "card": cards,
        "north": MIDDLE + rows[0],
        "south": MIDDLE + rows[-1],
        "west": MIDDLE + columns[0],
        "east": MIDDLE + columns[-1],
        "room": sum(1 << cell_of(place) for place in room(game, rows, columns)),
    }


def room(game: Position, rows: list[int], columns: list[int]) -> Iterable[Place]:
    """The island of the ship, or every cell with which the cards span four rows and columns at most."""
    if game.s.ship >= 0:
        north, west = game.island
        return [(north + row, west + column) for row in range(4) for column in range(4)]
    reach = range(-MIDDLE, MIDDLE + 1)
    fit_rows = [row for row in reach if max(row, rows[-1]) - min(row, rows[0]) < 4]
    fit_columns = [column for column in reach if max(column, columns[-1]) - min(column, columns[0]) < 4]
    return [(row, column) for row in fit_rows for column in fit_columns]


# Making positions


def position(
    field: str,
    *,
    lives: int = 10,
    moves: int = 1,
    moved: bool = False,
    revealed: bool = False,
    turning: bool = False,
    ship: str = "",
    island: str = "",
    deck: str = "",
    origin: str = "0,0",
    rounds: int = 1,
    changes: Iterable[str] | Config = (),
    number: int = 0,
) -> Position:
    """A position in which the player has so many moves left or, `turning`, may turn a card over.

    Without an `island` (its north-western cell) the ship's is the one it would fix now; the cards of `deck` come next.
    """
    config = changes if isinstance(changes, Config) else config_of(*changes)
    game = Position(config, number)
    s, (north, west) = game.s, at(origin)
    laid = []
    for row, line in enumerate(field.split("/"), north):
        for column, found in enumerate(line.split(), west):
            if found == "-":
                continue
            side, cell = SIDES.index(found.rstrip("*")), cell_of((row, column))
            s.sides |= 1 << side
            s.cell[side % len(CARDS)] = cell
            s.overturned |= (1 << side) >> len(CARDS)
            laid.append(CARDS[side % len(CARDS)])
            if found.endswith("*"):
                s.here = cell
    top = deck.split()
    rest = [card for card in CARDS if card not in (*laid, *top)]
    assert len({*laid, *top}) == len(laid) + len(top), "every card once"
    for place, card in enumerate([*laid, *top, *rest]):
        s.deck[place] = CARDS.index(card)
    s.placed = len(laid)
    s.lives, s.rounds, s.moves, s.moved, s.revealed = lives, rounds, moves, int(moved), int(revealed)
    _put_ship(game, ship, island)
    for name, value in scanned(game).items():
        game.source[name] = value
    assert s.field >> s.here & 1, "the player stands on a card"
    s.phase = constants.TURNING if turning else constants.MOVING
    assert _offer_turns(game.cfg, s) if turning else _offer_moves(s) or moves == 0
    return game


def _put_ship(game: Position, ship: str, island: str) -> None:
    s = game.s
    s.ship = -1
    if not ship:
        return
    course, where, *rest = ship.split()
    s.ship, s.ships = CORNERS.index(course), 1
    s.waiting, s.turned = int("waiting" in rest), int("turned" in rest)
    s.ship_row, s.ship_column = (MIDDLE + line for line in at(where))
    rows, columns = zip(*game.places().values(), strict=True)
    north = min(rows) if course[0] == "N" else max(rows) - 3
    west = min(columns) if course[1] == "W" else max(columns) - 3
    s.island_north, s.island_west = (MIDDLE + line for line in (at(island) if island else (north, west)))


def deal(number: int = 0, changes: Iterable[str] | Config = ()) -> Position:
    """The start of game `number` of a run."""
    return Position(changes if isinstance(changes, Config) else config_of(*changes), number).deal()


def begin(first: str, deck: str = "", changes: Iterable[str] = ()) -> Position:
    """A new game, the first of a run whose first card is the one given; then come the cards of `deck`."""
    game = next(game for game in (deal(number, changes) for number in range(1000)) if first in game.cards())
    top = deck.split()
    rest = [card for card in CARDS if card not in (first, *top)]
    for place, card in enumerate([first, *top, *rest]):
        game.s.deck[place] = CARDS.index(card)
    return game
