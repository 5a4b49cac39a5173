"""The modules of a game, its own and the default ones for those it does not have."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property, partial, wraps
from types import ModuleType
from typing import Any

from playmill.defaults import hidden, outcome, report, words
from playmill.defaults.secrets import derived_module
from playmill.texts import PlaymillError


class DefaultModules:
    """The modules of a game that every game needs, defaults filled in."""

    def __init__(self, name: str, own: Mapping[str, ModuleType]) -> None:
        self._name, self._own, self._rules = name, own, own["rules"]

    @cached_property
    def hidden(self) -> Any:
        """The observation; by default everything, or what a declaration lets a seat see."""
        own = self._own.get("hidden")
        if own is None:
            return hidden.default_module(self._name, self._rules.State)
        return own if own.HIDDEN is None else derived_module(self._name, own, self._rules)

    @property
    def outcome(self) -> Any:
        """What is counted of a game."""
        return self._own.get("outcome") or outcome.default_module(self._name, self._rules, self._own["config"].Config)

    @property
    def report(self) -> ModuleType:
        """The figures and tables of a report; the default one needs the default outcome."""
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
        """The texts."""
        return words.default_module(self._own["words"], self._rules, self.hidden, secret="hidden" in self._own)

    @cached_property
    def view(self) -> Callable[..., str]:
        """The picture: the game's own, of its table, of its board, or of its words."""
        # Pictures need much that is only needed for pictures.
        from playmill.defaults.table_model import guessed_table, has_board
        from playmill.defaults.text_view import plain_view
        from playmill.defaults.view import drawn

        own = self._own.get("view")
        if own is not None and own.view is not None:
            return self._masked(own.view)
        if own is not None:
            return partial(drawn, self._rules, self.words, self._masked(own.table))
        if "hidden" not in self._own and has_board(self._rules.State):
            return partial(drawn, self._rules, self.words, partial(guessed_table, self._rules, self.words))
        return partial(plain_view, self.words)

    def _masked(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """A function of config, state and seat that sees no more of the state than the seat, where that is declared."""
        secrets = getattr(self.hidden, "secrets", None)
        if secrets is None:
            return function

        @wraps(function)
        def of_masked(config: Any, s: Any, player: int | None, *more: Any) -> Any:
            return function(config, secrets.masked(config, s, player), player, *more)

        return of_masked
