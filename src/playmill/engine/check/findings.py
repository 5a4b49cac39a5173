"""Errors of a check: a broken promise of the contract, with game, decision, and the command that shows it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from types import FunctionType
from typing import TYPE_CHECKING, Any

from playmill.engine.config.model import RuleConfig
from playmill.engine.contract.game import Game, folder_of
from playmill.engine.errors.located import RuleMistakeError, at_code, explain_error, interpreter_error
from playmill.engine.lang.record import places_from_front
from playmill.engine.lang.rule import python_function
from playmill.engine.lint.argument_types import is_ours
from playmill.engine.run.invariant_checks import BrokenInvariantError, show_command
from playmill.texts import PlaymillError, Text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playmill.engine.run.state import State

#: The seed of the games that are looked at one by one.
SEED = 1


class CheckError(AssertionError):
    """A promise of the contract that a game breaks; `text` says which and where in both languages."""

    def __init__(self, text: Text) -> None:
        self.text = text
        super().__init__(text.en)


def demand(holds: bool, en: str, ru: str) -> None:
    """Raises unless a promise holds that is not about one position."""
    if not holds:
        raise CheckError(Text(en, ru))


@dataclass
class CheckedGame:
    """One game being checked: which one it is, and how far it has come."""

    game: Game
    config: RuleConfig
    players: int
    number: int
    decision: int = 0
    state: State | None = None
    seed: int = SEED
    #: The agent in all seats.
    agent: str = "random"

    def demand(self, holds: bool, en: str, ru: str, *, by: Callable[..., Any] | str = "") -> None:
        """Raises unless a promise holds here; whose it is, `by` tells: a function, or a rule by its name."""
        if not holds:
            raise self.broken(Text(en, ru), by=by)

    def broken(self, promise: Text, *, by: Callable[..., Any] | str = "") -> CheckError:
        """The error for a broken promise, with its place."""
        function = self.game.rules[by] if isinstance(by, str) and by else by
        if callable(function):
            promise = _at_head(function, promise)
        where = Text(f"game {self.number}, decision {self.decision}", f"партия {self.number}, решение {self.decision}")
        at = f" ({self.state.to_text()})" if self.state is not None else ""
        shown = self.command()
        return CheckError(
            Text(
                f"{promise.en}; {where.en}{at}; see it: {shown}",
                f"{promise.ru}; {where.ru}{at}; посмотреть: {shown}",
            )
        )

    def command(self) -> str:
        """The command that shows the same game, move by move."""
        return show_command(self.game, self.config, self.players, self.seed, self.number, (self.agent,))

    @contextmanager
    def located_errors(self) -> Iterator[None]:
        """Context that turns exceptions in the game's own files into one sentence with its place.

        Negative indices are errors, too: compiled rules would access other memory.
        """
        try:
            with places_from_front():
                yield
        except (RuleMistakeError, BrokenInvariantError) as mistake:
            raise self.broken(mistake.text) from None
        except (CheckError, PlaymillError):
            raise
        except Exception as error:
            here = interpreter_error(error, folder_of(self.game))
            if here is None:
                raise self.broken(explain_error(error)) from error
            raise self.broken(here.text) from None


def _at_head(function: Callable[..., Any], message: Text) -> Text:
    """A sentence with the line at which the author's function begins that it is about."""
    plain = python_function(function)
    return message if not isinstance(plain, FunctionType) or is_ours(plain) else at_code(plain.__code__, message).text


def listed(actions: Sequence[int], most: int = 12) -> str:
    """Actions in a sentence."""
    shown = ", ".join(map(str, actions[:most]))
    return shown + ("…" if len(actions) > most else "") or "–"
