"""Positions of Influence in words: as text for people, and as data for one seat."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from playmill.author import Lang, Text
from playmill.games.influence.config import Config
from playmill.games.influence.constants import NOBODY
from playmill.games.influence.words.names import (
    DEFENCE,
    LETTERS,
    after_rounds,
    board_of,
    capacities,
    cells_word,
    chances,
    decision_kind,
    join,
    player_name,
    players_of,
    points_word,
)

_OUT = Text("out", "вне игры")
_KEY = Text("· empty, [ ] strong; a cell is row.column", "· пусто, [ ] сильная; клетка – ряд.столбец")


def seen(config: Config, s: np.void, player: int, lang: Lang) -> dict[str, object]:
    """What a player sees, and that is everything, as JSON-able data; players are counted from 1, cells from 0.

    `owners` (0 for nobody), `influence` and `capacity` are lists by row and column, with None for holes, and so is
    `neighbours`: the cells beside a cell, each as (direction, row, column). `chances` are percent, by how much
    stronger an attacker is: −2 or less, −1, 0, +1, +2 or more.
    """
    over = bool(s["player"] == NOBODY)
    board = board_of(config)
    cells, total, result, turns = (s[name].tolist() for name in ("cells", "total", "result", "turns"))
    return {
        "player": player + 1,
        "decision": None if over else decision_kind(s),
        "to_move": None if over else int(s["player"]) + 1,
        "points": int(s["points"]),
        "round": int(s["rounds"]),
        "round_limit": config.round_limit,
        "result_rounds": config.result_rounds,
        "map": config.map.name,
        "owners": _by_place(board.grid, s["owner"].tolist()),
        "influence": _by_place(board.grid, s["influence"].tolist()),
        "capacity": _by_place(board.grid, capacities(config)),
        "neighbours": board.around,
        "chances": chances(config),
        "players": [
            {
                "player": seat + 1,
                "on_field": cells[seat] > 0,
                "cells": cells[seat],
                "influence": total[seat],
                "result": result[seat],
                "turns": turns[seat],
            }
            for seat in range(players_of(s))
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
    for player in range(players_of(s)):
        star = "*" if player == s["player"] else " "
        lines.append(f"{star} {LETTERS[player]} {player_name(player).of(lang)}: {standing(s, player).of(lang)}")
    return "\n".join(lines)


def _field(config: Config, s: np.void) -> list[str]:
    """The field row by row with its coordinates, odd rows shifted by half a cell."""
    board, owners, influence = board_of(config), s["owner"].tolist(), s["influence"].tolist()
    inner = 1 + len(str(max(config.weak_capacity, config.strong_capacity)))
    wide = inner + 2 + inner % 2
    label = len(str(len(board.grid) - 1))

    def drawn(cell: int) -> str:
        if cell < 0:
            return " " * wide
        face = f"{LETTERS[owners[cell] - 1]}{influence[cell]}" if owners[cell] else "·"
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
    cells, total, result = cells_word(int(s["cells"][player])), int(s["total"][player]), int(s["result"][player])
    return Text(f"{cells.en}, influence {total}, result {result}", f"{cells.ru}, влияние {total}, результат {result}")


def headline(config: Config, s: np.void) -> Text:
    """Where the game stands, in one line: the round, and who does what; or how it ended."""
    if s["player"] == NOBODY:
        return ending(s)
    number, limit, doing = int(s["rounds"]), config.round_limit, activity(s)
    parts = [Text(f"round {number} of {limit}", f"раунд {number} из {limit}"), doing]
    if decision_kind(s) == DEFENCE:
        points = points_word(int(s["points"]))
        parts.append(Text(f"{points.en} left", f"осталось {points.ru}"))
    return join(parts, " · ")


def activity(s: np.void) -> Text:
    """Who does what: "player 2 attacks"."""
    who = player_name(s["player"])
    if decision_kind(s) == DEFENCE:
        return Text(f"{who.en} defends", f"{who.ru} обороняется")
    return Text(f"{who.en} attacks", f"{who.ru} атакует")


def ending(s: np.void) -> Text:
    """Who has won a finished game, and why."""
    result, why = verdict(s), reason(s)
    return Text(f"{result.en}: {why.en}", f"{result.ru}: {why.ru}")


def verdict(s: np.void) -> Text:
    """Who has won a finished game."""
    if s["winner"] == NOBODY:
        return Text("a draw", "ничья")
    who = player_name(s["winner"])
    return Text(f"{who.en} wins", f"побеждает {who.ru}")


def reason(s: np.void) -> Text:
    """Why a finished game ended as it did, with the results where these decided."""
    rounds = int(s["rounds"])
    if not s["ended_by_limit"]:
        return Text(f"the last one on the field, in round {rounds}", f"на поле больше никого нет, раунд {rounds}")
    living = [player for player in range(players_of(s)) if s["cells"][player] > 0]
    results = join(
        Text(f"{who.en} {result}", f"{who.ru} – {result}")
        for who, result in ((player_name(player), int(s["result"][player])) for player in living)
    )
    when = after_rounds(rounds)
    if s["winner"] == NOBODY:
        return Text(
            f"the best results {when.en} are equal ({results.en})",
            f"лучшие результаты {when.ru} равны ({results.ru})",
        )
    return Text(f"the best result {when.en} ({results.en})", f"лучший результат {when.ru} ({results.ru})")
