"""Positions of Influence for tests: games played by the interpreter, and fields set up by hand.

A field by hand is written like a map, but with owners: `A2` is a weak cell of player 1 with influence 2, `A2!` a strong
one, `-` and `-!` are empty cells, `.` is a hole.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any

import numpy as np

from playmill.engine.record import plain
from playmill.engine.rng import Luck, seed_luck
from playmill.engine.rule import interpreted
from playmill.games.influence import names, rules
from playmill.games.influence.actions import END_ATTACK
from playmill.games.influence.config import Config
from playmill.games.influence.tables import SIDES

LEGAL = np.dtype([("ids", np.int32, (rules.MAX_LEGAL,))])
Step = tuple[np.void, list[int], int, np.void]


def config_of(rows: Sequence[str], **changes: Any) -> Config:
    """A config with a map of these rows."""
    name = changes.pop("name", "hand-made")
    return Config.read({"map": {"name": name, "rows": list(rows)}, **changes})


SMALL = config_of(["wSww", "w.wS", "SwwS", "wwww"], round_limit=12, result_rounds=3)
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
    s.winner = s.first_blood = rules.NOBODY
    s.rounds, s.player, s.players = 1, to_move, players
    for (row, column), cell in board.numbers.items():
        found = rows[row][column].rstrip("!")
        if found != "-":
            interpreted(rules._settle)(cfg, s, names.LETTERS.index(found[0]), cell, int(found[1:]))
    for cell, beside in enumerate(board.neighbours):
        for side in range(SIDES):
            if beside[side] >= 0 and s.owner[cell] not in (0, s.owner[beside[side]]):
                s.front[cell] |= 1 << side
    for player in range(players):
        s.turns[player] = 1
        s.result[player] = s.total[player]
        s.living += s.cells[player] > 0
    interpreted(rules._list_attacks)(s)
    if points:
        interpreted(rules._begin_defence)(cfg, s)
        s.points = points
    made = state[0].copy()
    for name, value in changes.items():
        made[name] = value
    return config, made


def options(config: Config, s: np.void) -> list[int]:
    """The legal actions of a position."""
    made, legal = np.zeros(1, rules.State), plain(np.zeros(1, LEGAL))[0]
    made[0] = s
    cfg = plain(config.pack(names.players_of(s)))[0]
    count = interpreted(rules.legal_actions)(cfg, plain(made)[0], legal)
    return [legal.ids[i] for i in range(count)]


def after(config: Config, s: np.void, action: int, number: int = 0) -> np.void:
    """What an action makes of a position, with the luck of game `number`."""
    made, luck = np.zeros(1, rules.State), plain(np.zeros(1, Luck))[0]
    made[0] = s
    interpreted(seed_luck)(luck, 1, number)
    cfg = plain(config.pack(names.players_of(s)))[0]
    interpreted(rules.apply_action)(cfg, plain(made)[0], action, luck)
    found: np.void = made[0].copy()
    return found


def game(config: Config, players: int, seed: int, most: int = 400) -> list[Step]:
    """A game run by the interpreter: each decision, its options, the choice, what came of it."""
    cfg, luck, state = plain(config.pack(players))[0], plain(np.zeros(1, Luck))[0], np.zeros(1, rules.State)
    s, legal, choice = plain(state)[0], plain(np.zeros(1, LEGAL))[0], random.Random(seed)
    interpreted(seed_luck)(luck, seed, 0)
    interpreted(rules.setup)(cfg, s, luck)
    steps: list[Step] = []
    while s.player >= 0 and len(steps) < most:
        listed = [legal.ids[i] for i in range(interpreted(rules.legal_actions)(cfg, s, legal))]
        attacks = [option for option in listed if option < END_ATTACK]
        ends = s.phase == rules.ATTACKING and (not attacks or choice.random() < 0.1)
        action = listed[-1] if ends else choice.choice(attacks or [*listed, listed[-1], listed[-1]])
        before = state[0].copy()
        interpreted(rules.apply_action)(cfg, s, action, luck)
        steps.append((before, listed, action, state[0].copy()))
    return steps


@cache
def _kept() -> list[tuple[Config, Step]]:
    runs = ((SMALL, 2), (SMALL, 6), (DUEL, 2), (DUEL, 3), (LARGE, 4), (WIDE, 5))
    return [(config, step) for seed, (config, players) in enumerate(runs) for step in game(config, players, seed)]


def games() -> Iterator[tuple[Config, Step]]:
    """All steps of some games on fields of different sizes."""
    return iter(_kept())
