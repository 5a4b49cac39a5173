"""The rooms of a game, its own and the usual ones in place of those it does not have."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property, partial
from types import ModuleType
from typing import Any

from playmill.texts import PlaymillError
from playmill.usual import hidden, outcome, report, words
from playmill.usual.table import guessed_table, has_board
from playmill.usual.view import drawn


class Rooms:
    """What a game has in each room that no game can do without."""

    def __init__(self, name: str, own: Mapping[str, ModuleType]) -> None:
        self._name, self._own, self._rules = name, own, own["rules"]

    @cached_property
    def hidden(self) -> Any:
        """What is seen: everything, if nothing is said."""
        return self._own.get("hidden") or hidden.room(self._name, self._rules.State)

    @property
    def outcome(self) -> Any:
        """What is kept of a game."""
        return self._own.get("outcome") or outcome.room(self._name, self._rules, self._own["config"].Config)

    @property
    def report(self) -> ModuleType:
        """The figures and tables of a report; the usual one belongs to the usual outcome."""
        if "outcome" in self._own and "report" not in self._own:
            raise PlaymillError(
                f"the game {self._name!r} has outcome.py and no report.py: the usual report reads the usual outcome"
                " alone; write the one or leave out the other",
                f"у игры {self._name!r} есть outcome.py, но нет report.py: обычный отчёт понимает только обычный итог;"
                " напишите первый или уберите второй",
            )
        return self._own.get("report", report)

    @cached_property
    def words(self) -> ModuleType:
        """Every sentence."""
        return words.room(self._own["words"], self._rules, self.hidden, secret="hidden" in self._own)

    @property
    def view(self) -> Callable[..., str] | None:
        """The picture: the game's own, of what lies on its table, or of its board; None if there is but the words."""
        own = self._own.get("view")
        if own is not None and hasattr(own, "view"):
            view: Callable[..., str] = own.view
            return view
        if own is not None:
            return partial(drawn, self._rules, self.words, own.table)
        if "hidden" not in self._own and has_board(self._rules.State):
            return partial(drawn, self._rules, self.words, partial(guessed_table, self._rules, self.words))
        return None
