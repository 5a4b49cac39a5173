"""Games of Save Oneself at random: other numbers and other cards, and positions with a ship anywhere on its way."""

from __future__ import annotations

import random
from typing import Any

from hypothesis import strategies as st
from save_oneself_position import CARDS, CORNERS, FACES, SIDES, Place, Position, at, position

from playmill.games.save_oneself.config import Config

DEFAULT = Config()
BY_THE_RULES = ("storm", "mirage", "pirates", "map-c")


def ships() -> list[str]:
    """Ships of the island at 0,0: none, waiting, on the way, and on the next shore after they have turned."""
    tracks = {
        "NE": [(row, 4) for row in range(-1, 5)],
        "SE": [(4, column) for column in range(4, -2, -1)],
        "SW": [(row, -1) for row in range(4, -2, -1)],
        "NW": [(-1, column) for column in range(-1, 5)],
    }
    found = [""]
    for course, track in tracks.items():
        found += [f"{course} {row},{column}" for row, column in track]
        found += [f"{course} {row},{column} turned" for row, column in track[1:]]
        found.append(f"{course} {track[0][0]},{track[0][1]} waiting")
    return found


SHIPS = ships()


@st.composite
def card_changes(draw: st.DrawFn, card: str) -> dict[str, Any]:
    """Another card in place of one."""
    least, most = (0 if card == "mirage" else -3), 4
    front = st.integers(-4, 0) if card == "storm" else st.integers(0, 5)
    made: dict[str, Any] = {
        "lives": draw(st.integers(least, most)),
        "corner": draw(st.sampled_from([None, *CORNERS])),
        "front": {"lives": draw(front), "score": draw(st.integers(0, 20))},
    }
    if card not in BY_THE_RULES:
        up = st.builds(lambda side: {"kind": "up", "side": side}, st.sampled_from(SIDES))
        other = st.sampled_from([{"kind": "ship_waiting"}, {"kind": "maps_cross"}])
        made["needs"] = draw(st.lists(up | other, min_size=1, max_size=2))
        if draw(st.booleans()):
            made["needs"][0] = {"kind": "stand", "side": draw(st.sampled_from(SIDES))}
    return made


@st.composite
def configs(draw: st.DrawFn) -> Config:
    """Other numbers and other cards."""
    changed = draw(st.lists(st.sampled_from(CARDS), max_size=6, unique=True))
    return Config.read(
        {
            "lives": draw(st.sampled_from([1, 3, 5, 16, 30, 60])),
            "moves": draw(st.integers(1, 3)),
            "compass_moves": draw(st.integers(1, 4)),
            "tornado_at": draw(st.integers(1, 16)),
            "cards_per_point": draw(st.integers(1, 16)),
            "lose_on_empty_deck": draw(st.booleans()),
            "cards": {card: draw(card_changes(card)) for card in changed},
        }
    )


def shown(dice: random.Random, card: str, turned_maps: bool) -> str:
    """A side with which a card may lie on the field."""
    if card in ("mirage", "storm"):
        return FACES[card] if card == "mirage" else card
    turned = turned_maps if card.startswith("map") else dice.random() < 0.4
    return FACES[card] if turned else card


def scene(seed: int, ship: str, cards: int, config: Config) -> Position:
    """So many cards on an island, in any places and in any order in the deck, and a ship.

    The ship is told as if the island lay at 0,0; in truth any of the cards does, for there a game begins.
    """
    dice = random.Random(seed)
    island = [(row, column) for row in range(4) for column in range(4)]
    lies = [dice.choice(island)]
    for _ in range(cards - 1):
        near = [place for place in island if place not in lies and any(touches(place, other) for other in lies)]
        lies.append(dice.choice(near))
    turned_maps = dice.random() < 0.3
    sides = [shown(dice, card, turned_maps) for card in dice.sample(CARDS, len(lies))]
    here, first = dice.choice(lies), dice.choice(lies)
    text = {place: side + "*" * (place == here) for place, side in zip(lies, sides, strict=True)}
    field = " / ".join(" ".join(text.get((row, column), "-") for column in range(4)) for row in range(4))
    game = position(
        field,
        lives=dice.randint(1, min(16, config.lives)),
        ship=moved(ship, first),
        island=f"{-first[0]},{-first[1]}",
        origin=f"{-first[0]},{-first[1]}",
        rounds=2,
        moves=dice.randint(1, 2),
        changes=config,
    )
    tail = game.deck()
    dice.shuffle(tail)
    for place, card in enumerate(tail, game.s.placed):
        game.s.deck[place] = CARDS.index(card)
    return game


def moved(ship: str, first: Place) -> str:
    """A ship seen from another cell than the north-western one."""
    course, where, *rest = ship.split() or ("", "0,0")
    row, column = at(where)
    return " ".join([course, f"{row - first[0]},{column - first[1]}", *rest]) if course else ""


@st.composite
def scenes(draw: st.DrawFn, config: Config = DEFAULT) -> Position:
    """Some cards on an island, and mostly a ship somewhere on its way along a shore."""
    return scene(draw(st.integers(0, 2**32)), draw(st.sampled_from(SHIPS)), draw(st.integers(2, 15)), config)


def touches(one: Place, other: Place) -> bool:
    return abs(one[0] - other[0]) + abs(one[1] - other[1]) == 1
