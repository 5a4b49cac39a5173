"""Words and pictures of a game that fail at a table: the game goes on, and one sentence says what could not be shown.

Paths on the server's machine are for whoever runs it: they stand in the log, never in a page.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar

from playmill.engine.contract.game import Game, folder_of, is_shipped
from playmill.engine.errors.located import RuleMistakeError, of_interpreter
from playmill.engine.errors.python_messages import said
from playmill.texts import PlaymillError, Text
from playmill.web.table import Table

_log = logging.getLogger("playmill.web")
T = TypeVar("T")


def carefully(table: Table, ask: Callable[[], T], otherwise: T) -> T:
    """What a game says or draws; where that fails, something else, and the table has a flaw."""
    assert table.game is not None
    try:
        with told_by_author(table.game):
            return ask()
    except PlaymillError as error:
        if is_shipped(table.game):
            raise
        _note(table, error)
        return otherwise


def _note(table: Table, error: PlaymillError) -> None:
    """Remembers the first flaw for those at the table, and has each in the log once."""
    if error.text not in table.flaws:
        _log.warning("table %s: %s", table.facts.id[:6], error.text.en)
    # No more than the place: what exactly failed may tell of things that are hidden here.
    place = isinstance(error, RuleMistakeError) and (Path(error.file).name, error.line)
    where = Text(f" ({place[0]}, line {place[1]})", f" ({place[0]}, строка {place[1]})") if place else Text("", "")
    table.flaws.setdefault(
        error.text,
        Text(
            f"something of this game could not be shown{where.en}; the log of the server says why",
            f"что-то в этой игре не удалось показать{where.ru}; почему — в журнале сервера",
        ),
    )


@contextmanager
def told_by_author(game: Game) -> Iterator[None]:
    """Turns whatever goes wrong in what an author wrote into one sentence; games of Playmill have no such excuse."""
    try:
        yield
    except PlaymillError:
        raise
    except Exception as error:
        if is_shipped(game):
            raise
        mistake = of_interpreter(error, folder_of(game))
        told = said(error)
        raise mistake or PlaymillError(f"{game.name}: {told.en}", f"{game.name}: {told.ru}") from error
