"""Guards the text and pictures of an author's game: an error in them becomes a message, and the game goes on.

Paths on the server's machine are for whoever runs it: they stand in the log, never in a page.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar

from playmill.engine.contract.game import Game, folder_of, is_shipped
from playmill.engine.errors.located import RuleMistakeError, interpreter_error
from playmill.engine.errors.python_messages import python_message
from playmill.texts import PlaymillError, Text
from playmill.web.table.state import GameTable

_log = logging.getLogger("playmill.web")
T = TypeVar("T")


def guarded(table: GameTable, ask: Callable[[], T], otherwise: T) -> T:
    """Calls what an author wrote; where that fails, records the error at the table and returns `otherwise`."""
    assert table.game is not None
    try:
        with author_errors(table.game):
            return ask()
    except PlaymillError as error:
        if is_shipped(table.game):
            raise
        _note(table, error)
        return otherwise


def _note(table: GameTable, error: PlaymillError) -> None:
    """Records the first error for those at the table, and logs each once."""
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
def author_errors(game: Game) -> Iterator[None]:
    """Turns any exception of an author's code into one message; games of Playmill itself raise as they are."""
    try:
        yield
    except PlaymillError:
        raise
    except Exception as error:
        if is_shipped(game):
            raise
        mistake = interpreter_error(error, folder_of(game))
        message = python_message(error)
        raise mistake or PlaymillError(f"{game.name}: {message.en}", f"{game.name}: {message.ru}") from error
