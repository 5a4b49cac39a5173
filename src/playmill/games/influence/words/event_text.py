"""Events of Influence in words: what an action brought about, notices, and a chronicle of turns."""

from __future__ import annotations

import numpy as np

from playmill.author import Text
from playmill.games.influence.actions import AUTO, END_ATTACK, PLACE
from playmill.games.influence.config import Config
from playmill.games.influence.constants import DEFENDING, NOBODY, SIDES
from playmill.games.influence.words import names
from playmill.games.influence.words.position_text import ending

#: Most cells that a sentence about `auto` lists by name.
_LISTED = 6
_REPELLED = Text("{}: repelled; {} left at {}, {} at {}", "{}: атака отбита; осталось {} на {} и {} на {}")


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
        turn = Text("round {}: the turn of {}", "раунд {}: ходит {}")
        sentences.append(turn.format(after["rounds"], names.player_name(after["player"])))
    return sentences


def notices(config: Config, before: np.void, after: np.void, action: int, player: int | None) -> list[Text]:
    """What came of an attack on somebody, and who has won; everybody sees it."""
    sentences = [ending(after)] if after["player"] == NOBODY else []
    if action >= END_ATTACK:
        return sentences
    source, target = action // SIDES, names.target_of(config, action)
    mine, theirs, defender = before["influence"][source], before["influence"][target], int(before["owner"][target]) - 1
    if defender == NOBODY:
        return sentences
    won, chance = (
        after["owner"][target] == before["player"] + 1,
        names.chance_of(config, int(mine), int(theirs), defender),
    )
    came = Text("taken", "захват") if won else Text("repelled", "отбито")
    fight = Text("{}: {} against {} of {}, {} % – {}", "{}: {} против {} ({}), {} % – {}").format(
        names.player_name(int(before["player"])), mine, theirs, names.player_name(defender), chance, came
    )
    out = [_out(defender)] if after["cells"][defender] == 0 else []
    return [fight, *out, *sentences]


def _out(player: int) -> Text:
    return Text("{} is out", "{} выбывает").format(names.player_name(player))


def flights(
    config: Config, before: np.void, after: np.void, action: int, player: int | None
) -> list[tuple[str, str, str]]:
    """Influence that goes from cell to cell, or grows where it is: the numbers' names, and how much."""
    if action < END_ATTACK:
        source, target = action // SIDES, names.target_of(config, action)
        taken = after["owner"][target] == before["player"] + 1
        moved = int(after["influence"][target]) if taken else 1 - int(before["influence"][source])
        return [(names.number_of(source), names.number_of(target), str(moved).replace("-", "−"))]
    gains = after["influence"] - before["influence"]
    return [
        (names.number_of(int(cell)), names.number_of(int(cell)), f"+{gains[cell]}")
        for cell in np.flatnonzero(gains > 0)
    ]


def _attacked(config: Config, before: np.void, after: np.void, action: int) -> list[Text]:
    """How an attack went, with the numbers and the chance, and who is out."""
    source, target = action // SIDES, names.target_of(config, action)
    mine, theirs = int(before["influence"][source]), int(before["influence"][target])
    left, there = int(after["influence"][source]), int(after["influence"][target])
    here, aim = names.cell_name(config, source), names.cell_name(config, target)
    defender = int(before["owner"][target]) - 1
    taken = Text(f"{there} there now, {left} left at {here}", f"теперь на ней {there}, на {here} осталось {left}")
    if defender == NOBODY:
        return [Text("the empty cell is taken: {}", "пустая клетка занята: {}").format(taken)]
    fight = Text("{} against {} ({}), chance {} %", "{} против {} ({}), шанс {} %").format(
        mine, theirs, names.player_name(defender), names.chance_of(config, mine, theirs, defender)
    )
    if after["owner"][target] != before["player"] + 1:
        return [_REPELLED.format(fight, left, here, there, aim)]
    sentences = [Text("{}: taken; {}", "{}: клетка захвачена; {}").format(fight, taken)]
    if after["cells"][defender] == 0:
        sentences.append(_out(defender))
    return sentences


def _to_place(before: np.void, after: np.void) -> Text:
    """How many points the defence begins with."""
    if after["phase"] != DEFENDING or after["player"] != before["player"]:
        return Text("all cells are full: no points to place", "все клетки заполнены: распределять нечего")
    points = names.points_word(int(after["points"]))
    if after["points"] < after["cells"][after["player"]]:
        return Text("there is room for {} only", "места хватает только на {}").format(points)
    return Text("{} to place", "нужно распределить {}").format(points)


def _placed(config: Config, after: np.void, cell: int, left: int) -> Text:
    """What a cell holds after a point, and how many points are left."""
    rest = Text("; {} left", "; осталось {}").format(names.points_word(left)) if left else ""
    holds = Text("{} now holds {} of {}{}", "на {} теперь {} из {}{}")
    return holds.format(names.cell_name(config, cell), after["influence"][cell], names.capacities(config)[cell], rest)


def _scattered(config: Config, before: np.void, after: np.void) -> Text:
    """Where `auto` put the points, summed up: by how many points came to how many cells."""
    gains = after["influence"] - before["influence"]
    parts = []
    for gain in sorted({int(gain) for gain in gains if gain > 0}, reverse=True):
        cells = np.flatnonzero(gains == gain)
        where: Text | str = ", ".join(names.cell_name(config, int(cell)) for cell in cells)
        if len(cells) > _LISTED:
            where = Text("{n} cells", "{n} {n:клетке|клетках|клетках}").format(n=len(cells))
        parts.append(Text("+{} on {}", "+{} на {}").format(gain, where))
    return Text.join((names.points_word(before["points"]), Text.join(parts, "; ")), ": ")


def chronicle(config: Config, before: np.void, after: np.void) -> dict[str, object] | None:
    """The field at the end of each round, for replays: cells, influence and result of every player."""
    over = after["player"] == NOBODY and before["player"] != NOBODY
    if after["rounds"] == before["rounds"] and not over:
        return None
    players = names.players_of(after)
    return {
        "round": int(before["rounds"]),
        "cells": after["cells"][:players].tolist(),
        "influence": after["total"][:players].tolist(),
        "result": after["result"][:players].tolist(),
    }
