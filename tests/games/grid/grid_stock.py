"""What Grid lends to the tests of every game."""

from __future__ import annotations

from grid_games import ONE_EACH, RUN, counts
from grid_scenes import LARGE, SHIPPED, SMALL, all_played
from hypothesis import strategies as st

from common.reports import Counted
from common.stock import Stock

#: Texts that are no actions, with what is said of them.
WRONG = (
    ("", "actions look like 'place 2,3'", "действия выглядят так: 'place 2,3'"),
    ("attack 1", "actions look like 'place 2,3'", "действия выглядят так"),
    ("place 5,0", "cells are 0,0 … 4,4", "клетки: 0,0 … 4,4"),
    ("pick 4", "open cards are 1 … 3", "открытые карты: 1 … 3"),
    ("resolve Z row 0,2", "patterns are A, B, C", "паттерны: A, B, C"),
    ("resolve A row 0,2", "pattern A has another shape", "у паттерна A другая форма"),
    ("resolve none", "a pattern that is there must be resolved", "найденный паттерн нужно разыграть"),
)

STOCK = Stock(
    "grid",
    wrong=WRONG,
    configs=(LARGE, SMALL, SHIPPED),
    games=all_played,
    nearly=st.from_regex(r"(place|pick|resolve|take|at|discard) [A-Ja-z0-9, -]{0,9}", fullmatch=True),
    same=frozenset({"", "P90"}),
    latin=r"RWD\d+|END\d|\b[A-J]\b",
    secret=True,
    drawn=".tile",
    words_over=lambda name, width: 11,
    drawn_over=lambda name, width: 9 if width == 1100 else 6.5,
    runs=lambda: [Counted(run, counts()) for run in (RUN, ONE_EACH)],
    table_widths=(80, 120),
)
