"""Positions of Influence in words: as text for people, and as data for one seat."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from playmill.author import Lang, Text
from playmill.games.influence.config import Config
from playmill.games.influence.constants import NOBODY
from playmill.games.influence.words import names

_OUT = Text("out", "вне игры")
_KEY = Text("· empty, [ ] strong; a cell is row.column", "· пусто, [ ] сильная; клетка – ряд.столбец")
_STANDING = Text(
    "{n} {n:cell|cells}, influence {}, result {}", "{n} {n:клетка|клетки|клеток}, влияние {}, результат {}"
)
_BEST = Text(
    "the best result after {n} {n:round|rounds} ({})", "лучший результат после {n} {n:раунда|раундов|раундов} ({})"
)
_EQUAL = Text(
    "the best results after {n} {n:round|rounds} are equal ({})",
    "лучшие результаты после {n} {n:раунда|раундов|раундов} равны ({})",
)


def seen(config: Config, s: np.void, player: int, lang: Lang) -> dict[str, object]:
    """What a player sees, and that is everything, as JSON-able data; players are counted from 1, cells from 0.

    `owners` (0 for nobody), `influence` and `capacity` are lists by row and column, with None for holes, and so is
    `neighbours`: the cells beside a cell, each as (direction, row, column). `chances` are percent, by how much
    stronger an attacker is: −2 or less, −1, 0, +1, +2 or more.
    """
    over = bool(s["player"] == NOBODY)
    board = names.board_of(config)
    cells, total, result, turns = (s[name].tolist() for name in ("cells", "total", "result", "turns"))
    return {
        "player": player + 1,
        "decision": None if over else names.decision_kind(s),
        "to_move": None if over else int(s["player"]) + 1,
        "points": int(s["points"]),
        "round": int(s["rounds"]),
        "round_limit": config.round_limit,
        "result_rounds": config.result_rounds,
        "map": config.map.name,
        "owners": _by_place(board.grid, s["owner"].tolist()),
        "influence": _by_place(board.grid, s["influence"].tolist()),
        "capacity": _by_place(board.grid, names.capacities(config)),
        "neighbours": board.around,
        "chances": names.chances(config),
        "players": [
            {
                "player": seat + 1,
                "on_field": cells[seat] > 0,
                "cells": cells[seat],
                "influence": total[seat],
                "result": result[seat],
                "turns": turns[seat],
            }
            for seat in range(names.players_of(s))
        ],
        "ended_by": ("limit" if s["ended_by_limit"] else "elimination") if over else None,
        "winner": int(s["winner"]) + 1 if over and s["winner"] != NOBODY else None,
    }


def _by_place(grid: Sequence[Sequence[int]], values: Sequence[int]) -> list[list[int | None]]:
    """Values of cells as rows, None for holes."""
    return [[values[cell] if cell >= 0 else None for cell in row] for row in grid]


def position(config: Config, s: np.void, lang: Lang) -> str:
    """The field in letters and a line for each player; the one to move has a star.

    A cell is the letter of its owner and its influence, a dot if it is empty; strong cells stand in brackets.
    """
    lines = [headline(config, s).of(lang), *_field(config, s), _KEY.of(lang)]
    for player in range(names.players_of(s)):
        star = "*" if player == s["player"] else " "
        lines.append(
            f"{star} {names.LETTERS[player]} {names.player_name(player).of(lang)}: {standing(s, player).of(lang)}"
        )
    return "\n".join(lines)


def _field(config: Config, s: np.void) -> list[str]:
    """The field row by row with its coordinates, odd rows shifted by half a cell."""
    board, owners, influence = names.board_of(config), s["owner"].tolist(), s["influence"].tolist()
    inner = 1 + len(str(max(config.weak_capacity, config.strong_capacity)))
    wide = inner + 2 + inner % 2
    label = len(str(len(board.grid) - 1))

    def drawn(cell: int) -> str:
        if cell < 0:
            return " " * wide
        face = f"{names.LETTERS[owners[cell] - 1]}{influence[cell]}" if owners[cell] else "·"
        left, right = "[]" if board.strong[cell] else "  "
        return f"{left}{face:^{inner}}{right}".ljust(wide)

    head = " " * (label + 1) + "".join(f"{column:^{wide}}" for column in range(len(board.grid[0])))
    lines = [head.rstrip()]
    for number, row in enumerate(board.grid):
        shift = " " * (wide // 2 if number % 2 else 0)
        lines.append(f"{number:>{label}} {shift}{''.join(map(drawn, row))}".rstrip())
    return lines


def standing(s: np.void, player: int) -> Text:
    """What a player has: cells, influence, result."""
    if s["cells"][player] == 0:
        return _OUT
    return _STANDING.format(s["total"][player], s["result"][player], n=s["cells"][player])


def headline(config: Config, s: np.void) -> Text:
    """Where the game stands, in one line: the round, and who does what; or how it ended."""
    if s["player"] == NOBODY:
        return ending(s)
    parts = [Text("round {} of {}", "раунд {} из {}").format(s["rounds"], config.round_limit), activity(s)]
    if names.decision_kind(s) == names.DEFENCE:
        parts.append(Text("{} left", "осталось {}").format(names.points_word(s["points"])))
    return Text.join(parts, " · ")


def activity(s: np.void) -> Text:
    """Who does what: "player 2 attacks"."""
    defends = names.decision_kind(s) == names.DEFENCE
    what = Text("{} defends", "{} обороняется") if defends else Text("{} attacks", "{} атакует")
    return what.format(names.player_name(s["player"]))


def ending(s: np.void) -> Text:
    """Who has won a finished game, and why."""
    return Text.join((verdict(s), reason(s)), ": ")


def verdict(s: np.void) -> Text:
    """Who has won a finished game."""
    if s["winner"] == NOBODY:
        return Text("a draw", "ничья")
    return Text("{} wins", "побеждает {}").format(names.player_name(s["winner"]))


def reason(s: np.void) -> Text:
    """Why a finished game ended as it did, with the results where these decided."""
    if not s["ended_by_limit"]:
        return Text("the last one on the field, in round {}", "на поле больше никого нет, раунд {}").format(s["rounds"])
    living = [player for player in range(names.players_of(s)) if s["cells"][player] > 0]
    one = Text("{} {}", "{} – {}")
    results = Text.join(one.format(names.player_name(player), s["result"][player]) for player in living)
    return (_EQUAL if s["winner"] == NOBODY else _BEST).format(results, n=s["rounds"])
