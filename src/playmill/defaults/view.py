"""Default `view`: the picture of a game's table, composed of the kit of `playmill.drawing`."""

from __future__ import annotations

from collections.abc import Sequence
from traceback import walk_tb
from types import ModuleType
from typing import Any

import numpy as np

from playmill.defaults.players import PLAYER, players_in, verdict
from playmill.drawing.kit import Board, Hand, Row, Table, TableScene, Thing, Track, table_picture
from playmill.drawing.scene import Scene
from playmill.engine.config.model import RuleConfig
from playmill.engine.errors.located import RuleMistakeError, at_code
from playmill.texts import Lang, PlaymillError, Text

_TURN = Text("{} to move", "ходит {}")
_YOUR_TURN = Text("{}: your move", "{}: ваш ход")


def drawn(
    rules: ModuleType,
    words: ModuleType,
    table: Table,
    config: RuleConfig,
    s: np.void,
    player: int | None,
    legal: Sequence[int],
    lang: Lang,
) -> str:
    """Draws a position as somebody sees it."""
    mover, many = int(s["player"]), players_in(rules, s)
    offered = Scene.seen(config, s, player, legal, lang).legal
    turn = _YOUR_TURN if mover == player else _TURN
    scene = TableScene(
        config,
        s,
        player,
        offered,
        lang,
        title=words.TITLE,
        players=PLAYER[: many or 0],
        status=verdict(rules, config, s) if mover < 0 else turn.format(PLAYER[mover]),
        describe=lambda action: words.describe(config, action),
    )
    rows = _laid_out(table, config, s, player, lang)
    if not isinstance(rows, (list, tuple)):
        raise _no_things(table, rows)
    for one in _things(table, rows):
        if not _fits(one):
            raise _at_table(
                table,
                Text(
                    "as many clicks are needed as there are cards, or cells, each None where a click does nothing:"
                    f" {type(one).__name__} has others",
                    "щелчков нужно столько же, сколько карт или клеток (None, где щелчок ничего не делает), а в"
                    f" {type(one).__name__} не так",
                ),
            )
    return table_picture(scene, rows)


def _laid_out(table: Table, config: RuleConfig, s: np.void, player: int | None, lang: Lang) -> Sequence[Row]:
    """What lies on a table; a part that cannot be is told with the line that makes it."""
    try:
        return table(config, s, player, lang)
    except RuleMistakeError:
        raise
    except PlaymillError as error:
        file = getattr(getattr(table, "__code__", None), "co_filename", None)
        lines = [line for frame, line in walk_tb(error.__traceback__) if frame.f_code.co_filename == file]
        if file is None or not lines:
            raise
        raise RuleMistakeError(file, lines[-1], error.text) from error


def _things(table: Table, rows: Sequence[Row], deep: int = 0) -> list[Thing]:
    """All things of a table, in rows and columns; raises if something else is among them."""
    found: list[Thing] = []
    for one in rows:
        if isinstance(one, Thing):
            found.append(one)
        elif isinstance(one, (list, tuple)) and deep < 2:
            found += _things(table, one, deep + 1)
        else:
            raise _no_things(table, one)
    return found


def _no_things(table: Any, found: object) -> PlaymillError:
    """The error for a `table` that does not return things."""
    message = Text(
        "table must return a list of things (Board, Hand, Player, …, from playmill.author.table) or of lists of them,"
        f" and there was {found!r}",
        "table должна вернуть список вещей (Board, Hand, Player, … из playmill.author.table) или списков из них, а в"
        f" нём {found!r}",
    )
    return _at_table(table, message)


def _at_table(table: Any, message: Text) -> PlaymillError:
    code = getattr(table, "__code__", None)
    return at_code(code, message) if code is not None else PlaymillError(*message)


def _fits(one: Thing) -> bool:
    """Whether there is a click, or none, for every card or cell, where there are clicks at all."""
    if isinstance(one, Hand):
        return not one.clicks or len(one.clicks) == len(one.cards)
    if isinstance(one, Track):
        return not one.clicks or len(one.clicks) == len(one.cells)
    return not isinstance(one, Board) or not one.clicks or [*map(len, one.clicks)] == [*map(len, one.cells)]
