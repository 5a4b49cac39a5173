"""Hand-made positions of Influence in letters, played by the interpreter.

A field is written row by row, `A3 - B2 / . -!`: `A3` is a weak cell of the first player with influence 3, `A3!` a
strong one, `-` and `-!` are empty cells, `.` is a hole. Rows may also stand on lines of their own, shifted as on the
field. A cell is `row,column`, the top left one `0,0`. Actions are `attack 0,0 0,1` (from, to), `end`, `place 0,1` and
`auto`.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

import numpy as np

from common import positions
from playmill.engine.lang.record import plain
from playmill.games.influence import constants
from playmill.games.influence.actions import ATTACK, AUTO, END_ATTACK, PLACE
from playmill.games.influence.config import Config
from playmill.games.influence.constants import CELLS, PLAYERS, WORDS

LETTERS = "ABCDEF"
SEED = 5
#: How the middle of a cell lies to that of its neighbour, in half cells and rows: clockwise from the right.
DIRECTIONS = ((2, 0), (1, 1), (-1, 1), (-2, 0), (-1, -1), (1, -1))
Place = tuple[int, int]


def map_of(rows: Sequence[str], starts: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """A map as it stands in a config."""
    made: dict[str, Any] = {"name": "hand-made", "rows": list(rows)}
    return {**made, "starts": dict(starts)} if starts else made


def config_of(rows: Sequence[str], starts: Mapping[str, Any] | None = None, **changes: Any) -> Config:
    """The rules on a field of these rows, with other numbers for what is named."""
    return Config.read({"map": map_of(rows, starts), **changes})


@cache
def _packed(text: str, players: int) -> tuple[Config, Any]:
    config = Config.read(json.loads(text))
    return config, plain(config.pack(players))[0]


# Hexagons, by where their middles lie


def middle(place: Place) -> Place:
    """Where the middle of a cell lies, in half cells and rows: odd rows are shifted right by half a cell."""
    row, column = place
    return 2 * column + row % 2, row


def step(place: Place, direction: int) -> Place:
    """The place next to one."""
    across, down = middle(place)
    across, row = across + DIRECTIONS[direction][0], down + DIRECTIONS[direction][1]
    return row, (across - row % 2) // 2


@cache
def _hexagons(rows: tuple[str, ...]) -> tuple[list[Place], dict[Place, int], dict[Place, dict[int, Place]]]:
    """The cells of a map in their order, the number of each, and for each its neighbours by direction."""
    places = [(r, c) for r, row in enumerate(rows) for c, cell in enumerate(row) if cell != "."]
    numbers = {place: cell for cell, place in enumerate(places)}
    sides = {place: {side: step(place, side) for side in range(len(DIRECTIONS))} for place in places}
    around = {place: {side: other for side, other in sides[place].items() if other in numbers} for place in places}
    return places, numbers, around


def at(text: str) -> Place:
    """A place from its text."""
    row, column = map(int, text.split(","))
    return row, column


def name(place: Place) -> str:
    """The text of a place."""
    return f"{place[0]},{place[1]}"


class Position(positions.Position, game="influence", seed=SEED):
    """A position of Influence."""

    def __init__(self, rows: Sequence[str], players: int, number: int = 0, **changes: Any) -> None:
        starts = changes.pop("starts", None)
        config, cfg = _packed(json.dumps({"map": map_of(rows, starts), **changes}, sort_keys=True), players)
        super().__init__(config, players, number, cfg=cfg)
        self._capacities = config.weak_capacity, config.strong_capacity
        self.rows = tuple(rows)
        self.number = number
        self.places, self.numbers, self._around = _hexagons(self.rows)

    def fight(self, text: str, *, won: bool) -> Position:
        """An attack on an enemy that ends as wished, with the random numbers of the first game in which it does."""
        target = at(text.split()[2])
        for number in range(1000):
            twin = self.again(number).do(text)
            if (twin.owner(target) == self.s.player) == won:
                return twin
        raise AssertionError(f"{text!r} is never {'won' if won else 'lost'}")

    # What there is

    @property
    def asked(self) -> str:
        """What is asked for, and of whom; or who has won and why."""
        s = self.s
        if s.player >= 0:
            return f"{LETTERS[s.player]} {'attacks' if s.phase == constants.ATTACKING else f'places {s.points}'}"
        winner = f"{LETTERS[s.winner]} wins" if s.winner >= 0 else "draw"
        return f"{winner} {'by result' if s.ended_by_limit else 'alone'}"

    def owner(self, place: Place) -> int:
        """Who owns a cell, -1 for nobody."""
        return self.s.owner[self.numbers[place]] - 1

    def influence(self, place: Place) -> int:
        """What a cell holds."""
        return self.s.influence[self.numbers[place]]

    def capacity(self, place: Place) -> int:
        """What a cell can hold, by the map and the config."""
        return self._capacities[self.rows[place[0]][place[1]] == "S"]

    def owned(self, player: int) -> list[Place]:
        """A player's cells, found by looking at all."""
        return [place for place in self.places if self.owner(place) == player]

    def around(self, place: Place) -> dict[int, Place]:
        """The cells that border on one, by direction."""
        return self._around[place]

    def field(self) -> str:
        """The field in letters."""
        return " / ".join(" ".join(self._cell((r, c)) for c in range(len(row))) for r, row in enumerate(self.rows))

    def totals(self) -> list[int]:
        """Everybody's influence, added up over the cells."""
        return [sum(map(self.influence, self.owned(player))) for player in range(self.players)]

    def results(self) -> list[int]:
        """Everybody's result."""
        return list(self.s.result)[: self.players]

    # Letters and numbers

    def _cell(self, place: Place) -> str:
        if place not in self.numbers:
            return "."
        held = f"{LETTERS[self.owner(place)]}{self.influence(place)}" if self.owner(place) >= 0 else "-"
        return held + ("!" if self.rows[place[0]][place[1]] == "S" else "")

    def text(self, action: int) -> str:
        """An action in words."""
        if action < END_ATTACK:
            cell, direction = divmod(action - ATTACK, len(DIRECTIONS))
            return f"attack {name(self.places[cell])} {name(step(self.places[cell], direction))}"
        if action in (END_ATTACK, AUTO):
            return "end" if action == END_ATTACK else "auto"
        return f"place {name(self.places[action - PLACE])}"

    def action(self, text: str) -> int:
        """The id of an action in words."""
        act, *where = text.split()
        if act == "attack":
            source, target = map(at, where)
            direction = next(side for side in range(len(DIRECTIONS)) if step(source, side) == target)
            return ATTACK + len(DIRECTIONS) * self.numbers[source] + direction
        return PLACE + self.numbers[at(where[0])] if act == "place" else {"end": END_ATTACK, "auto": AUTO}[act]


# A plain search of the whole field


def front_of(game: Position, place: Place) -> int:
    """The directions from an owned cell to cells that its owner does not own, as bits."""
    owner = game.owner(place)
    if owner < 0:
        return 0
    return sum(1 << side for side, other in game.around(place).items() if game.owner(other) != owner)


def options_of(game: Position) -> list[int]:
    """The options of the player to move but for ending and `auto`, ascending: what the page lists under Decisions."""
    s = game.s
    found = []
    peaceful = not game.config.first_turn_attacks and s.player >= 0 and s.turns[s.player] == 1
    for place in game.owned(s.player) if s.player >= 0 else ():
        if s.phase == constants.DEFENDING:
            if game.influence(place) < game.capacity(place):
                found.append(game.action(f"place {name(place)}"))
        elif game.influence(place) >= 2:
            for other in game.around(place).values():
                if game.owner(other) != s.player and not (peaceful and game.owner(other) >= 0):
                    found.append(game.action(f"attack {name(place)} {name(other)}"))
    return sorted(found)


def scanned(game: Position) -> dict[str, Any]:
    """What the state keeps about the field, found anew by looking at every cell."""
    own = np.zeros((PLAYERS, WORDS), np.int64)
    front = np.zeros(CELLS, np.int8)
    cells, capacity, total = (np.zeros(PLAYERS, np.int64) for _ in range(3))
    for cell, place in enumerate(game.places):
        front[cell] = front_of(game, place)
        owner = game.owner(place)
        if owner >= 0:
            own[owner, cell // 32] |= 1 << cell % 32
            cells[owner] += 1
            capacity[owner] += game.capacity(place)
            total[owner] += game.influence(place)
    living = int((cells > 0).sum())
    return {"own": own, "front": front, "cells": cells, "capacity": capacity, "total": total, "living": living}


# Making positions


def position(
    field: str,
    *,
    to_move: str = "A",
    points: int = 0,
    players: int = 0,
    rounds: int = 1,
    turns: Sequence[Sequence[int]] = (),
    number: int = 0,
    **changes: Any,
) -> Position:
    """A position in which a player attacks or, with points left, places them.

    `turns` is for each player the influence at the start of her turns so far; without it the player to move has had
    one turn, this one, and those before her too. `changes` are numbers of the config.
    """
    rows = [row.split() for row in field.replace("/", "\n").splitlines() if row.strip()]
    drawn = ["".join("." if cell == "." else "S" if cell[-1] == "!" else "w" for cell in row) for row in rows]
    seen = [LETTERS.index(cell[0]) for row in rows for cell in row if cell[0] not in ".-"]
    made = Position(drawn, players or max(2, *(1 + player for player in seen)), number, **changes)
    s = made.s
    s.players = made.players
    s.player = LETTERS.index(to_move)
    s.winner = s.first_blood = constants.NOBODY
    s.rounds, s.points = rounds, points
    s.phase = constants.DEFENDING if points else constants.ATTACKING
    for (row, column), cell in made.numbers.items():
        held = rows[row][column].rstrip("!")
        if held != "-":
            s.owner[cell] = 1 + LETTERS.index(held[0])
            s.influence[cell] = int(held[1:])
            assert 1 <= s.influence[cell] <= made.capacity((row, column)), held
    for key, value in scanned(made).items():
        made.source[key] = value
    assert s.cells[s.player] > 0, "the player to move is on the field"
    for player in range(made.players):
        told = turns[player] if turns else [s.total[player]] * (s.cells[player] > 0 and player <= s.player)
        _remember(made, player, told)
    for place, option in enumerate(options_of(made)):
        s.moves[place], s.place[option] = option, place + 1
        s.options += 1
    return made


def _remember(made: Position, player: int, told: Sequence[int]) -> None:
    most = made.cfg.result_rounds
    made.s.turns[player] = len(told)
    made.s.result[player] = sum(told[-most:])
    for turn, total in enumerate(told):
        made.s.history[player, turn % most] = total


def deal(rows: Sequence[str], players: int = 2, number: int = 0, **changes: Any) -> Position:
    """The start of game `number` of a run."""
    return Position(rows, players, number, **changes).deal()


def pass_turn(game: Position) -> str:
    """Ends the attack and lets all be placed; returns who did it."""
    player = LETTERS[game.s.player]
    assert game.asked == f"{player} attacks"
    game.do("end")
    if game.asked.startswith(f"{player} places"):
        game.do("auto")
    return player
