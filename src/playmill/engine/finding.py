"""What a check finds: a promise that a game breaks, in which game, at which decision, and how to see it."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from playmill.engine.config import RuleConfig, differences
from playmill.engine.game import Game, folder_of, reference_of
from playmill.engine.mistakes import RuleMistakeError, last_place, said, shown_path
from playmill.engine.record import BelowZeroError, places_from_front
from playmill.texts import PlaymillError, Text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playmill.engine.state import State

#: The seed of the games that are looked at one by one.
SEED = 1
_ROOM = Text(
    "a number does not fit where it is kept: int8 holds -128 … 127, int16 ±32 thousand, int32 ±2 billion; give that"
    " field a wider type",
    "число не помещается: в int8 входит от -128 до 127, в int16 — ±32 тысячи, в int32 — ±2 миллиарда; возьмите для"
    " этого поля тип пошире",
)
_BEYOND = Text(
    "a place beyond the end of an array; compiled rules would read or write something else there",
    "место за концом массива; скомпилированные правила прочтут или испортят там что-то чужое",
)
_BELOW = Text(
    "places are counted from 0, not from the end; compiled rules would read or write something else there",
    "места считают с начала, от 0, а не с конца; скомпилированные правила прочтут или испортят там что-то чужое",
)


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
class Look:
    """One game that is looked at: which one it is, and how far it has come."""

    game: Game
    config: RuleConfig
    players: int
    number: int
    decision: int = 0
    state: State | None = None

    def demand(self, holds: bool, en: str, ru: str) -> None:
        """Raises unless a promise holds here."""
        if not holds:
            raise self.broken(Text(en, ru))

    def broken(self, promise: Text) -> CheckError:
        """A broken promise with its place."""
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
        """What shows the same game, move by move."""
        words = ["playmill show", shown_path(reference_of(self.game)), f"--seed {SEED} --number {self.number}"]
        words += [f"--players {self.players}"] if self.players != self.game.players[0] else []
        changes = [f"{path}={value}" for path, value in differences(self.config).items()]
        words += ["--set", *changes] if changes and all(" " not in change for change in changes) else []
        return " ".join([*words, "--boards"])

    @contextmanager
    def told(self) -> Iterator[None]:
        """Turns whatever goes wrong in the game's own files into one sentence with its place.

        Places below 0 go wrong, too: what the interpreter would find there, compiled rules would not.
        """
        try:
            with places_from_front():
                yield
        except (CheckError, PlaymillError):
            raise
        except Exception as error:
            place = last_place(error, folder_of(self.game))
            what = _in_words(error)
            if place is None:
                raise self.broken(what) from error
            here = RuleMistakeError(*place, what)
            raise self.broken(here.text) from None


def _in_words(error: Exception) -> Text:
    """What an error of the interpreter means for a game."""
    if isinstance(error, OverflowError) or (isinstance(error, ValueError) and "memoryview" in str(error)):
        return Text(f"{_ROOM.en} ({said(error)})", f"{_ROOM.ru} ({said(error)})")
    if isinstance(error, BelowZeroError):
        return Text(f"{error.told}: {_BELOW.en}", f"{error.told}: {_BELOW.ru}")
    if isinstance(error, IndexError):
        return Text(f"{_BEYOND.en} ({said(error)})", f"{_BEYOND.ru} ({said(error)})")
    return Text(said(error), said(error))


def listed(actions: Sequence[int], most: int = 12) -> str:
    """Actions in a sentence."""
    shown = ", ".join(map(str, actions[:most]))
    return shown + ("…" if len(actions) > most else "") or "–"
