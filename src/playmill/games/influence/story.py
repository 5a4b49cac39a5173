"""The story of a game of Influence: what a player sees, what an action brought about, the field in letters."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from playmill.author import Lang, Text
from playmill.games.influence.actions import AUTO, END_ATTACK, PLACE
from playmill.games.influence.config import Config
from playmill.games.influence.names import (
    DEFENCE,
    LETTERS,
    after_rounds,
    board_of,
    capacities,
    cell_name,
    cells_word,
    chance_of,
    chances,
    decision_kind,
    join,
    number_of,
    player_name,
    players_of,
    points_word,
    russian_form,
    target_of,
)
from playmill.games.influence.rules import DEFENDING, NOBODY
from playmill.games.influence.tables import SIDES

#: Most cells that a sentence about `auto` lists by name.
_LISTED = 6
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


def events(config: Config, before: np.void, after: np.void, action: int) -> list[Text]:
    """What an action brought about, in order: a fight, points, the next turn, the end."""
    if action < END_ATTACK:
        told = _attacked(config, before, after, action)
    elif action == END_ATTACK:
        told = [_to_place(before, after)]
    elif action == AUTO:
        told = [_scattered(config, before, after)]
    else:
        told = [_placed(config, after, action - PLACE, int(before["points"]) - 1)]
    if after["player"] == NOBODY:
        return [*told, ending(after)]
    if after["turns"].sum() > before["turns"].sum():
        who, number = player_name(after["player"]), int(after["rounds"])
        told.append(Text(f"round {number}: the turn of {who.en}", f"раунд {number}: ходит {who.ru}"))
    return told


def notices(config: Config, before: np.void, after: np.void, action: int, player: int | None) -> list[Text]:
    """What came of an attack on somebody, and who has won; everybody sees it."""
    told = [ending(after)] if after["player"] == NOBODY else []
    if action >= END_ATTACK:
        return told
    source, target = action // SIDES, target_of(config, action)
    mine, theirs, defender = before["influence"][source], before["influence"][target], int(before["owner"][target]) - 1
    if defender == NOBODY:
        return told
    who, whose = player_name(int(before["player"])), player_name(defender)
    won, chance = after["owner"][target] == before["player"] + 1, chance_of(config, int(mine), int(theirs), defender)
    came = Text("taken", "захват") if won else Text("repelled", "отбито")
    fight = Text(
        f"{who.en}: {mine} against {theirs} of {whose.en}, {chance} % – {came.en}",
        f"{who.ru}: {mine} против {theirs} ({whose.ru}), {chance} % – {came.ru}",
    )
    out = [_out(defender)] if after["cells"][defender] == 0 else []
    return [fight, *out, *told]


def _out(player: int) -> Text:
    who = player_name(player)
    return Text(f"{who.en} is out", f"{who.ru} выбывает")


def flights(
    config: Config, before: np.void, after: np.void, action: int, player: int | None
) -> list[tuple[str, str, str]]:
    """Influence that goes from cell to cell, or grows where it is: the numbers' names, and how much."""
    if action < END_ATTACK:
        source, target = action // SIDES, target_of(config, action)
        taken = after["owner"][target] == before["player"] + 1
        moved = int(after["influence"][target]) if taken else 1 - int(before["influence"][source])
        return [(number_of(source), number_of(target), str(moved).replace("-", "−"))]
    gains = after["influence"] - before["influence"]
    return [(number_of(int(cell)), number_of(int(cell)), f"+{gains[cell]}") for cell in np.flatnonzero(gains > 0)]


def _attacked(config: Config, before: np.void, after: np.void, action: int) -> list[Text]:
    """How an attack went, with the numbers and the chance, and who is out."""
    source, target = action // SIDES, target_of(config, action)
    mine, theirs = int(before["influence"][source]), int(before["influence"][target])
    left, there = int(after["influence"][source]), int(after["influence"][target])
    here, aim = cell_name(config, source), cell_name(config, target)
    defender = int(before["owner"][target]) - 1
    taken = Text(f"{there} there now, {left} left at {here}", f"теперь на ней {there}, на {here} осталось {left}")
    if defender == NOBODY:
        return [Text(f"the empty cell is taken: {taken.en}", f"пустая клетка занята: {taken.ru}")]
    who, chance = player_name(defender), chance_of(config, mine, theirs, defender)
    fight = Text(
        f"{mine} against {theirs} ({who.en}), chance {chance} %",
        f"{mine} против {theirs} ({who.ru}), шанс {chance} %",
    )
    if after["owner"][target] != before["player"] + 1:
        return [
            Text(
                f"{fight.en}: repelled; {left} left at {here}, {there} at {aim}",
                f"{fight.ru}: атака отбита; осталось {left} на {here} и {there} на {aim}",
            )
        ]
    told = [Text(f"{fight.en}: taken; {taken.en}", f"{fight.ru}: клетка захвачена; {taken.ru}")]
    if after["cells"][defender] == 0:
        told.append(_out(defender))
    return told


def _to_place(before: np.void, after: np.void) -> Text:
    """How many points the defence begins with."""
    if after["phase"] != DEFENDING or after["player"] != before["player"]:
        return Text("all cells are full: no points to place", "все клетки заполнены: распределять нечего")
    points = points_word(int(after["points"]))
    if after["points"] < after["cells"][after["player"]]:
        return Text(f"there is room for {points.en} only", f"места хватает только на {points.ru}")
    return Text(f"{points.en} to place", f"нужно распределить {points.ru}")


def _placed(config: Config, after: np.void, cell: int, left: int) -> Text:
    """What a cell holds after a point, and how many points are left."""
    name, now, most = cell_name(config, cell), int(after["influence"][cell]), capacities(config)[cell]
    rest = points_word(left)
    en, ru = (f"; {rest.en} left", f"; осталось {rest.ru}") if left else ("", "")
    return Text(f"{name} now holds {now} of {most}{en}", f"на {name} теперь {now} из {most}{ru}")


def _scattered(config: Config, before: np.void, after: np.void) -> Text:
    """Where `auto` put the points, summed up: by how many points came to how many cells."""
    gains = after["influence"] - before["influence"]
    parts = []
    for gain in sorted({int(gain) for gain in gains if gain > 0}, reverse=True):
        cells = np.flatnonzero(gains == gain)
        count = len(cells)
        listed = ", ".join(cell_name(config, int(cell)) for cell in cells)
        names = Text(listed, listed)
        if count > _LISTED:
            names = Text(f"{count} cells", f"{count} {russian_form(count, 'клетке', 'клетках', 'клетках')}")
        parts.append(Text(f"+{gain} on {names.en}", f"+{gain} на {names.ru}"))
    points, where = points_word(int(before["points"])), join(parts, "; ")
    return Text(f"{points.en}: {where.en}", f"{points.ru}: {where.ru}")


def chronicle(config: Config, before: np.void, after: np.void) -> dict[str, object] | None:
    """The field at the end of each round, for replays: cells, influence and result of every player."""
    over = after["player"] == NOBODY and before["player"] != NOBODY
    if after["rounds"] == before["rounds"] and not over:
        return None
    players = players_of(after)
    return {
        "round": int(before["rounds"]),
        "cells": after["cells"][:players].tolist(),
        "influence": after["total"][:players].tolist(),
        "result": after["result"][:players].tolist(),
    }


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
    """What a player has: her cells, her influence, her result."""
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
