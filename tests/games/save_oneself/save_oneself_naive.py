"""Save Oneself once more, as the page tells it, in places and names: what the rules are measured by.

Luck is not drawn here but read from what has really happened, as far as the page allows it: the order of the deck, and
with which of the farthest cards a mirage has swapped places.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from save_oneself_position import FACES, STEPS, Place, Position, at

from playmill.games.save_oneself.config import Config
from playmill.games.save_oneself.constants import ROUNDS

NEXT_TO: dict[str, Place] = {"north": (-1, 0), "east": (0, 1), "south": (1, 0), "west": (0, -1)}
COURSE = {"NE": "south", "SE": "west", "SW": "north", "NW": "east"}
TURNS_TO = {"NE": "SE", "SE": "SW", "SW": "NW", "NW": "NE"}
BACKS = {front: back for back, front in FACES.items()}


class GameOverError(Exception):
    """The game has ended, at once."""


def beside(place: Place, way: str) -> Place:
    """The place next to one."""
    return place[0] + NEXT_TO[way][0], place[1] + NEXT_TO[way][1]


def distance(one: Place, other: Place) -> int:
    """The Manhattan distance of two places."""
    return abs(one[0] - other[0]) + abs(one[1] - other[1])


@dataclass
class Ship:
    """A ship in play: its course, where it is, and the rows and columns of the island it has fixed."""

    course: str
    place: Place
    rows: range
    columns: range
    waiting: bool = True
    turned: bool = False

    def corner(self, corner: str) -> Place:
        """The place diagonally outside a corner of the island."""
        row = self.rows[0] - 1 if corner in ("NE", "NW") else self.rows[-1] + 1
        column = self.columns[0] - 1 if corner in ("SW", "NW") else self.columns[-1] + 1
        return row, column

    def sail(self) -> None:
        """One cell on."""
        self.place = beside(self.place, COURSE[self.course])

    def is_next_to(self, place: Place | None) -> bool:
        """Whether the ship is orthogonally adjacent to a place."""
        return place is not None and distance(self.place, place) == 1


class Page:
    """A game by the page."""

    def __init__(self, config: Config, deck: list[str]) -> None:
        self.config = config
        self.deck = deck
        self.up: dict[str, Place] = {}  # the sides that are up, and where
        self.here: Place = (0, 0)
        self.lives = config.lives
        self.ship: Ship | None = None
        self.phase = "move"
        self.moves = self.rounds = self.ships = 0
        self.moved = self.placed_now = False
        self.overturned: set[str] = set()
        self.lives_at: list[int] = []
        self.asked = ""
        self.lot = ""

    # The phases

    def begin(self, lot: str) -> None:
        """The set-up; a mirage would swap with the card `lot`."""
        self._until_asked(self.reveal, lot, start=True)

    def do(self, text: str, lot: str) -> None:
        """Does an action; a mirage swaps with the card `lot`."""
        self._until_asked(lambda: self.act(text), lot)

    def _until_asked(self, what: Any, lot: str, *, start: bool = False) -> None:
        self.lot = lot
        try:
            what()
            if start:
                self.start()
            self.go_on()
        except GameOverError as end:
            self.asked = str(end)

    def act(self, text: str) -> None:
        """A move, `waive`, a card turned over or `skip`."""
        if text in STEPS:
            self.moves -= 1
            self.moved = True
            self.here = beside(self.here, text)
            if self.here in self.up.values():
                self.enter()
            elif not self.deck:
                raise GameOverError("lost: deck")
            else:
                self.reveal()
            self.look_out()
            if not self.deck and self.config.lose_on_empty_deck:
                raise GameOverError("lost: deck")
        elif text == "waive":
            self.moves = 0
        elif text != "skip":
            self.turn_over(text.removeprefix("turn "))

    def go_on(self) -> None:
        """On to the next decision."""
        while True:
            if self.phase == "move":
                if self.moves > 0 and self.ways():
                    break
                self.lose(1)
                self.phase = "turn"
                if self.turnable():
                    break
            self.ship_phase()
            self.start()
        self.asked = self.phase

    def start(self) -> None:
        """A new round."""
        self.lives_at.append(self.lives)
        self.rounds += 1
        self.phase = "move"
        self.moves = self.config.compass_moves if "compass" in self.up else self.config.moves
        self.moved = self.placed_now = False

    # Moves

    def ways(self) -> list[str]:
        """Where the player may go."""
        return [way for way in STEPS if self.may_enter(beside(self.here, way))]

    def may_enter(self, place: Place) -> bool:
        """Four rows, four columns, inside the ship's rectangle, and one card a round."""
        places = {*self.up.values(), place}
        if len({row for row, _ in places}) > 4 or len({column for _, column in places}) > 4:
            return False
        if self.ship and (place[0] not in self.ship.rows or place[1] not in self.ship.columns):
            return False
        return place in self.up.values() or not self.placed_now

    def reveal(self) -> None:
        """The top card, where the player stands."""
        card = self.deck.pop(0)
        self.placed_now = True
        self.up[card] = self.here
        self.gain(max(0, self.config.cards[card].lives))
        if card == "mirage":
            self.mirage()
        corner = self.config.cards[card].corner
        if corner and not self.ship:
            self.ship_comes(corner)
        if card == "pirates" and self.ship and not self.ship.waiting:
            self.drive_off()
        self.enter()
        if len(self.up) == self.config.tornado_at and "storm" in self.up:
            self.tornado()

    def mirage(self) -> None:
        """Swaps places with the farthest card, if there is another."""
        others = {side: distance(self.here, place) for side, place in self.up.items() if side != "mirage"}
        if others:
            farthest = [side for side in others if others[side] == max(others.values())]
            assert self.lot in farthest, f"a mirage swapped with {self.lot}, the farthest are {farthest}"
            self.up["mirage"] = self.up[self.lot]
            self.up[self.lot] = self.here
        self.show_front("mirage")

    def enter(self) -> None:
        """What it costs to enter the player's cell."""
        side = next(side for side, place in self.up.items() if place == self.here)
        safe = (side == "pig" and "spear" in self.up) or (side == "storm" and "shelter" in self.up)
        if side in FACES and not safe:
            self.lose(max(0, -self.config.cards[side].lives))

    def tornado(self) -> None:
        """Takes lives, shelter and beacon; then it is a storm again."""
        self.show_front("storm")
        for front in ("shelter", "lit-beacon", "tornado"):
            if front in self.up:
                self.up[BACKS[front]] = self.up.pop(front)

    # Lives

    def gain(self, lives: int) -> None:
        self.lives = min(self.config.lives, self.lives + lives)

    def lose(self, lives: int) -> None:
        self.lives = max(0, self.lives - lives)
        if self.lives == 0:
            raise GameOverError("lost: lives")

    # Turning over

    def turnable(self) -> list[str]:
        """The cards that may be turned over; the maps are one."""
        return [card for card in FACES if card in self.up and self.may_turn(card)]

    def may_turn(self, card: str) -> bool:
        """Whether all that a card needs is given."""
        if card == "map-r" and "map-c" not in self.up:
            return False
        return all(self.given(need.kind, need.side) for need in self.config.cards[card].needs)

    def given(self, kind: str, side: str | None) -> bool:
        """Whether one condition holds."""
        if kind == "up":
            return side in self.up
        if kind == "stand":
            return side in self.up and self.up[side] == self.here
        if kind == "ship_waiting":
            return self.ship is not None and self.ship.waiting
        if kind == "maps_cross":
            both = "map-r" in self.up and "map-c" in self.up
            return both and self.here == (self.up["map-r"][0], self.up["map-c"][1])
        return False

    def turn_over(self, card: str) -> None:
        """A card shows its front; the maps turn together."""
        self.show_front(card)
        if card == "map-r":
            self.show_front("map-c")

    def show_front(self, card: str) -> None:
        """A card shows its front, with its lives."""
        self.up[FACES[card]] = self.up.pop(card)
        self.overturned.add(card)
        lives = self.config.cards[card].front.lives
        if lives < 0:
            self.lose(-lives)
        self.gain(max(0, lives))

    # The ship

    def ship_comes(self, corner: str) -> None:
        """Diagonally outside a corner of the box; the island has that corner of it."""
        rows, columns = ([place[line] for place in self.up.values()] for line in (0, 1))
        north = min(rows) if corner in ("NE", "NW") else max(rows) - 3
        west = min(columns) if corner in ("NW", "SW") else max(columns) - 3
        self.ship = Ship(corner, (0, 0), range(north, north + 4), range(west, west + 4))
        self.ship.place = self.ship.corner(corner)
        self.ships += 1

    def drive_off(self) -> None:
        """The ship leaves the game, and pirates turns to compass."""
        self.ship = None
        self.show_front("pirates")

    def ship_phase(self) -> None:
        """The ship stays, is driven off or sails; then signals are looked for, and it may be gone."""
        ship = self.ship
        if not ship:
            return
        if ship.waiting:
            ship.waiting = False
            return
        if "pirates" in self.up:
            self.drive_off()
            return
        onward = TURNS_TO[ship.course]
        if "ship-sighted" in self.up and not ship.turned and ship.place == ship.corner(onward):
            ship.course, ship.turned = onward, True
        ship.sail()
        if ship.is_next_to(self.up.get("sea-serpent")):
            ship.sail()
        self.look_out()
        row, column = ship.place
        outside = max(ship.rows[0] - row, row - ship.rows[-1], ship.columns[0] - column, column - ship.columns[-1])
        if outside > 1:
            raise GameOverError("lost: ship")

    def look_out(self) -> None:
        """Whether a signal is seen from the ship."""
        ship = self.ship
        if not ship:
            return
        row, column = ship.place
        if "sos" in self.up and self.up["sos"][0] == row:
            raise GameOverError("won: sos")
        if "lit-beacon" in self.up and self.up["lit-beacon"][1] == column:
            raise GameOverError("won: beacon")
        message = self.up.get("message")
        corners = [(r, c) for r in (ship.rows[0], ship.rows[-1]) for c in (ship.columns[0], ship.columns[-1])]
        if ship.is_next_to(message) and message not in corners:
            raise GameOverError("won: message")

    # What there is

    def legal(self) -> list[str]:
        """The options, in the order of the actions."""
        if self.asked == "move":
            return self.ways() + ["waive"] * self.moved
        return [f"turn {card}" for card in self.turnable()] + ["skip"] if self.asked == "turn" else []

    def score(self) -> int:
        """The score as it stands."""
        points = sum(self.config.cards[BACKS[side]].front.score for side in self.up if side in BACKS)
        return points + self.lives + len(self.up) // self.config.cards_per_point

    def seen(self) -> dict[str, Any]:
        """Everything that can be seen, and what the statistics are told."""
        ship = self.ship
        return {
            "asked": self.asked,
            "up": self.up,
            "here": self.here,
            "lives": self.lives,
            "moves": self.moves,
            "moved": self.moved,
            "placed now": self.placed_now,
            "rounds": self.rounds,
            "deck": self.deck,
            "ships": self.ships,
            "ship": ship and (ship.course, ship.place, ship.waiting, ship.turned),
            "island": ship and (ship.rows[0], ship.columns[0]),
            "overturned": self.overturned,
            "lives at": self.lives_at[:ROUNDS],
            "score": self.score(),
            "legal": self.legal(),
        }


def seen(game: Position) -> dict[str, Any]:
    """The same, of a position under the rules."""
    s, cards = game.s, game.cards()
    course, where, *rest = game.ship.split() or ("", "0,0")
    return {
        "asked": game.asked,
        "up": {cards[card]: place for card, place in game.places().items()},
        "here": game.here,
        "lives": s.lives,
        "moves": s.moves,
        "moved": bool(s.moved),
        "placed now": bool(s.revealed),
        "rounds": s.rounds,
        "deck": game.deck(),
        "ships": s.ships,
        "ship": (course, at(where), "waiting" in rest, "turned" in rest) if course else None,
        "island": game.island if game.ship else None,
        "overturned": game.overturned(),
        "lives at": list(s.lives_at)[: s.rounds],
        "score": game.score(),
        "legal": game.legal(),
    }


def page_of(game: Position) -> Page:
    """The page at a position, as if the game had been played to it."""
    page, found = Page(game.config, game.deck()), seen(game)
    page.up, page.here, page.lives, page.asked = found["up"], found["here"], found["lives"], found["asked"]
    page.phase, page.moves, page.moved, page.placed_now = (
        page.asked,
        found["moves"],
        found["moved"],
        found["placed now"],
    )
    page.rounds, page.ships, page.overturned = found["rounds"], found["ships"], found["overturned"]
    page.lives_at = found["lives at"]
    if found["ship"]:
        course, place, waiting, turned = found["ship"]
        north, west = found["island"]
        page.ship = Ship(course, place, range(north, north + 4), range(west, west + 4), waiting, turned)
    return page


def lot_of(game: Position) -> str:
    """The side that came to the player's cell, if a mirage was just revealed there."""
    cards = game.cards()
    return next(cards[card] for card, place in game.places().items() if place == game.here)
