"""Positions of Influence for tests: games played by the interpreter, and fields set up by hand.

A field by hand is written like a map, but with owners: `A2` is a weak cell of player 1 with influence 2, `A2!` a strong
one, `-` and `-!` are empty cells, `.` is a hole.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any

import numpy as np

from common import interpreter
from common.found import game_of
from common.interpreter import Played, Step
from playmill.engine.lang.record import plain
from playmill.engine.lang.rule import interpreted
from playmill.games.influence import constants, rules
from playmill.games.influence.actions import END_ATTACK
from playmill.games.influence.config import Config
from playmill.games.influence.constants import SIDES
from playmill.games.influence.rules import turns
from playmill.games.influence.rules.attack_lists import list_attacks
from playmill.games.influence.words import names

GAME = game_of("influence")


def config_of(rows: Sequence[str], **changes: Any) -> Config:
    """A config with a map of these rows."""
    name = changes.pop("name", "hand-made")
    return Config.read({"map": {"name": name, "rows": list(rows)}, **changes})


SMALL = config_of(["wSww", "w.wS", "SwwS", "wwww"], round_limit=12, result_rounds=3)
#: What a designer may switch, all of it.
SWITCHED = config_of(
    ["wSww", "w.wS", "SwwS", "wwww"],
    round_limit=12,
    start_influence=[2, 3, 4, 4, 5, 6],
    min_start_distance=2,
    first_turn_attacks=False,
    turn_order="drawn",
    failure="one",
)
DUEL = config_of(["wSw", "www"], round_limit=40)
LARGE = config_of(["wwSw" * 4] * 16)
WIDE = config_of(["wwSw" * 16] * 4)
TALL = config_of(["wwSw"] * 64)


def set_up(text: str, players: int = 2, *, to_move: int = 0, points: int = 0, **changes: Any) -> tuple[Config, np.void]:
    """A config and a state of a field written by hand; with points to place it is the defence."""
    rows = [row.split() for row in text.strip().splitlines()]
    drawn = ["".join("." if cell == "." else "S" if cell.endswith("!") else "w" for cell in row) for row in rows]
    settings = {key: changes.pop(key) for key in list(changes) if key in Config.model_fields or key == "name"}
    config = config_of(drawn, **settings)
    cfg, state = plain(config.pack(players))[0], np.zeros(1, rules.State)
    s, board = plain(state)[0], names.board_of(config)
    s.winner = s.first_blood = constants.NOBODY
    s.rounds, s.player, s.players = 1, to_move, players
    for (row, column), cell in board.numbers.items():
        found = rows[row][column].rstrip("!")
        if found != "-":
            interpreted(turns._settle)(cfg, s, names.LETTERS.index(found[0]), cell, int(found[1:]))
    for cell, beside in enumerate(board.neighbours):
        for side in range(SIDES):
            if beside[side] >= 0 and s.owner[cell] not in (0, s.owner[beside[side]]):
                s.front[cell] |= 1 << side
    for player in range(players):
        s.turns[player] = 1
        s.result[player] = s.total[player]
        s.living += s.cells[player] > 0
    interpreted(list_attacks)(cfg, s)
    if points:
        interpreted(turns._begin_defence)(cfg, s, None)
        s.points = points
    made = state[0].copy()
    for name, value in changes.items():
        made[name] = value
    return config, made


def options(config: Config, s: np.void) -> list[int]:
    """The legal actions of a position."""
    return interpreter.options(GAME, config, names.players_of(s), s)


def after(config: Config, s: np.void, action: int, number: int = 0) -> np.void:
    """What an action makes of a position, with the random numbers of game `number`."""
    return interpreter.after(GAME, config, names.players_of(s), s, action, number)


def fierce(s: Any, listed: list[int], choice: random.Random) -> int:
    """Mostly attacks while it can, then places point by point for a while."""
    attacks = [option for option in listed if option < END_ATTACK]
    ends = s.phase == constants.ATTACKING and (not attacks or choice.random() < 0.1)
    return listed[-1] if ends else choice.choice(attacks or [*listed, listed[-1], listed[-1]])


@cache
def _played(config_text: str, players: int, seed: int, most: int) -> Played:
    return interpreter.play(GAME, Config.read(json.loads(config_text)), players, seed, fierce, most)


def played(config: Config, players: int, seed: int, most: int = 400) -> Played:
    """A game run by the interpreter."""
    return _played(config.model_dump_json(), players, seed, most)


def game(config: Config, players: int, seed: int, most: int = 400) -> list[Step]:
    """Its steps: each decision, its options, the choice, what came of it."""
    return played(config, players, seed, most).steps


#: Games on fields of different sizes: the map and how many play.
GAMES = ((SMALL, 2), (SMALL, 6), (DUEL, 2), (DUEL, 3), (LARGE, 4), (WIDE, 5))


def games() -> Iterator[tuple[Config, Step]]:
    """All steps of these games."""
    for seed, (config, players) in enumerate(GAMES):
        for step in game(config, players, seed):
            yield config, step
