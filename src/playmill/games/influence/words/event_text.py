"""Events of Influence in words: what an action brought about, notices, and a chronicle of turns."""

from __future__ import annotations

import numpy as np

from playmill.author import Text
from playmill.games.influence.actions import AUTO, END_ATTACK, PLACE
from playmill.games.influence.config import Config
from playmill.games.influence.constants import DEFENDING, NOBODY, SIDES
from playmill.games.influence.words.names import (
    capacities,
    cell_name,
    chance_of,
    join,
    number_of,
    player_name,
    players_of,
    points_word,
    russian_form,
    target_of,
)
from playmill.games.influence.words.position_text import ending

#: Most cells that a sentence about `auto` lists by name.
_LISTED = 6


def events(config: Config, before: np.void, after: np.void, action: int) -> list[Text]:
    """What an action brought about, in order: a fight, points, the next turn, the end."""
    if action < END_ATTACK:
        sentences = _attacked(config, before, after, action)
    elif action == END_ATTACK:
        sentences = [_to_place(before, after)]
    elif action == AUTO:
        sentences = [_scattered(config, before, after)]
    else:
        sentences = [_placed(config, after, action - PLACE, int(before["points"]) - 1)]
    if after["player"] == NOBODY:
        return [*sentences, ending(after)]
    if after["turns"].sum() > before["turns"].sum():
        who, number = player_name(after["player"]), int(after["rounds"])
        sentences.append(Text(f"round {number}: the turn of {who.en}", f"раунд {number}: ходит {who.ru}"))
    return sentences


def notices(config: Config, before: np.void, after: np.void, action: int, player: int | None) -> list[Text]:
    """What came of an attack on somebody, and who has won; everybody sees it."""
    sentences = [ending(after)] if after["player"] == NOBODY else []
    if action >= END_ATTACK:
        return sentences
    source, target = action // SIDES, target_of(config, action)
    mine, theirs, defender = before["influence"][source], before["influence"][target], int(before["owner"][target]) - 1
    if defender == NOBODY:
        return sentences
    who, whose = player_name(int(before["player"])), player_name(defender)
    won, chance = after["owner"][target] == before["player"] + 1, chance_of(config, int(mine), int(theirs), defender)
    came = Text("taken", "захват") if won else Text("repelled", "отбито")
    fight = Text(
        f"{who.en}: {mine} against {theirs} of {whose.en}, {chance} % – {came.en}",
        f"{who.ru}: {mine} против {theirs} ({whose.ru}), {chance} % – {came.ru}",
    )
    out = [_out(defender)] if after["cells"][defender] == 0 else []
    return [fight, *out, *sentences]


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
    sentences = [Text(f"{fight.en}: taken; {taken.en}", f"{fight.ru}: клетка захвачена; {taken.ru}")]
    if after["cells"][defender] == 0:
        sentences.append(_out(defender))
    return sentences


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
