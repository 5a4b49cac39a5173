"""Tries the invariants of a game in the positions of games that are played, and says which one an action breaks."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from itertools import islice

import numpy as np

from playmill.engine.config.model import RuleConfig, differences
from playmill.engine.contract.game import Game, folder_of, reference_of
from playmill.engine.contract.invariants import changes
from playmill.engine.errors.located import interpreter_error, shown_path
from playmill.texts import PlaymillError, Text

#: So many numbers that an action changed are listed.
_LISTED = 8


class BrokenInvariantError(PlaymillError):
    """An invariant that does not hold: its name, the numbers, and the action that broke it; not yet in which game."""

    def __init__(self, sentence: Text, action: int) -> None:
        super().__init__(*sentence)
        #: After how many actions of the game.
        self.action = action

    def at(self, game: int, seed: int, shown: str) -> BrokenInvariantError:
        """The same with its place, and the command that shows the game."""
        sentence = Text(
            f"{self.text.en}; game {game} of seed {seed}, action {self.action}; see it: {shown}",
            f"{self.text.ru}; партия {game} с сидом {seed}, действие {self.action}; посмотреть: {shown}",
        )
        return BrokenInvariantError(sentence, self.action)


class InvariantCheck:
    """Tries every invariant of a game in each position it is shown; raises BrokenInvariantError."""

    def __init__(self, game: Game, config: RuleConfig) -> None:
        self._game, self._config = game, config
        #: Whether there is anything to try: otherwise nobody need copy positions for it.
        self.wanted = bool(game.invariants)
        self._actions = 0

    def begin(self, s: np.void) -> None:
        """Tries the first position of a game."""
        self._actions = 0
        self._check(None, -1, s)

    def step(self, before: np.void, action: int, s: np.void) -> None:
        """Tries the position after an action."""
        self._actions += 1
        self._check(before, action, s)

    def _check(self, before: np.void | None, action: int, s: np.void) -> None:
        for one in self._game.invariants:
            try:
                wrong = one.wrong(self._config, before, s)
            except PlaymillError:
                raise
            except Exception as error:
                located = interpreter_error(error, folder_of(self._game))
                raise located or PlaymillError(*_failed(one.name, error)) from error
            if wrong is not None:
                by = self._broken_by(before, action, s)
                sentence = Text(
                    f"the invariant “{one.name.en}” does not hold: {wrong.en}; {by.en}",
                    f"инвариант «{one.name.ru}» не выполнен: {wrong.ru}; {by.ru}",
                )
                raise BrokenInvariantError(sentence, self._actions)

    def _broken_by(self, before: np.void | None, action: int, s: np.void) -> Text:
        if before is None:
            return Text("so it was dealt by setup", "так раздала setup")
        made = [str(change) for change in islice(changes(before, s), _LISTED + 1)]
        listed = ", ".join(made[:_LISTED]) + (", …" if len(made) > _LISTED else "")
        seat, short = int(before["player"]), self._game.words.to_text(self._config, action)
        return Text(
            f"broken by {short!r} of player {seat}, which changed {listed or 'nothing'}",
            f"нарушен действием {short!r} игрока {seat}, изменилось: {listed or 'ничего'}",
        )


def show_command(
    game: Game, config: RuleConfig, players: int, seed: int, number: int, agents: Sequence[str] = ()
) -> str:
    """The command that shows a game of a run, move by move."""
    words = ["playmill", "show", shown_path(reference_of(game)), "--seed", str(seed), "--number", str(number)]
    words += ["--players", str(players)] if players != game.players[0] else []
    words += ["--agents", *(agents if len({*agents}) > 1 else agents[:1])] if {*agents} - {"random"} else []
    changed = [f"{path}={value}" for path, value in differences(config).items()]
    words += ["--set", *changed] if changed and all(" " not in change for change in changed) else []
    return shlex.join([*words, "--boards"])


def _failed(name: Text, error: Exception) -> Text:
    message = f"{type(error).__name__}: {error}"
    return Text(
        f"the invariant “{name.en}” cannot be tried: {message}", f"инвариант «{name.ru}» не проверить: {message}"
    )
