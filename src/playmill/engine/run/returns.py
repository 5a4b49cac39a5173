"""What a game brought its players is a number for each; where it is none, the line that wrote it is told."""

from __future__ import annotations

from math import isfinite
from typing import Any

from playmill.engine.contract.game import Game, folder_of
from playmill.engine.errors.located import at_code, of_interpreter
from playmill.engine.errors.python_messages import ToldError, said
from playmill.engine.kernels.play import LIVE
from playmill.engine.lang.record import RecordArray, plain
from playmill.engine.lang.rng import SEATS
from playmill.engine.lang.rule import interpreted, python_function
from playmill.texts import PlaymillError, Text


class NoNumberError(ToldError):
    """Something was paid that is no number."""


class Paid(list[float]):
    """Room for what each player gets, in which nothing but numbers can be put."""

    def __setitem__(self, seat: Any, value: Any) -> None:
        super().__setitem__(seat, value)
        if not isfinite(value):
            raise NoNumberError(_told(f"{value:g}"))


def no_number(game: Game, desk: RecordArray) -> PlaymillError:
    """The sentence about a finished game whose `returns` pay what is no number, at the line that does."""
    table, function = plain(desk)[0], game.rules["returns"]
    try:
        interpreted(function)(table.cfg, table.states[LIVE], Paid([0.0] * SEATS))
    except Exception as error:  # compiled rules may get such a thing where the interpreter stops, at a division by 0
        return of_interpreter(error, folder_of(game)) or PlaymillError(*said(error))
    return at_code(python_function(function).__code__, _told("NaN"))


def _told(paid: str) -> Text:
    return Text(
        f"`returns` pays {paid}, and no result can be counted with that: what a game brings is a finite number",
        f"`returns` платит {paid}, а такой итог не сосчитать: выигрыш — конечное число",
    )
