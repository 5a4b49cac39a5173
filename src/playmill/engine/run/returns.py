"""Validates returns: each player's must be a finite number; an error names the line that wrote another value."""

from __future__ import annotations

from math import isfinite
from typing import Any

from playmill.engine.contract.game import Game, folder_of
from playmill.engine.errors.located import at_code, interpreter_error
from playmill.engine.errors.python_messages import ExplainedError, python_message
from playmill.engine.kernels.play import LIVE
from playmill.engine.lang.record import RecordArray, plain
from playmill.engine.lang.rng import SEATS
from playmill.engine.lang.rule import interpreted, python_function
from playmill.texts import PlaymillError, Text


class NoNumberError(ExplainedError):
    """A return that is no finite number."""


class Paid(list[float]):
    """A list of returns into which nothing but finite numbers can be put."""

    def __setitem__(self, seat: Any, value: Any) -> None:
        super().__setitem__(seat, value)
        if not isfinite(value):
            raise NoNumberError(_message(f"{value:g}"))


def no_number(game: Game, workspace: RecordArray) -> PlaymillError:
    """The error for a finished game whose `returns` are no numbers, at the line that wrote them."""
    table, function = plain(workspace)[0], game.rules["returns"]
    try:
        interpreted(function)(table.cfg, table.states[LIVE], Paid([0.0] * SEATS))
    except Exception as error:  # compiled rules may get such a thing where the interpreter stops, at a division by 0
        return interpreter_error(error, folder_of(game)) or PlaymillError(*python_message(error))
    return at_code(python_function(function).__code__, _message("NaN"))


def _message(paid: str) -> Text:
    return Text(
        f"`returns` pays {paid}, and no result can be counted with that: what a game brings is a finite number",
        f"`returns` платит {paid}, а такой итог не сосчитать: выигрыш — конечное число",
    )
