"""`playmill check`."""

from __future__ import annotations

import argparse

from playmill.cli import options as shared
from playmill.cli.command import Command, Group
from playmill.texts import Lang, PlaymillError, Text

_ABOUT = Text("check that a game keeps the engine's contract", "проверить, что игра выполняет договор движка")


def _run(options: argparse.Namespace, lang: Lang) -> int:
    """Checks every promise of a game."""
    from rich.console import Console

    from playmill.engine.check import CheckError, check_game
    from playmill.engine.game import load_game

    game = load_game(options.game)
    try:
        with Console(stderr=True, highlight=False).status("…") as status:
            check_game(game, progress=status.update)
    except CheckError as error:
        raise PlaymillError(
            f"{game.name} breaks a promise: {error}", f"{game.name} нарушает договор: {error}"
        ) from None
    print(Text(f"{game.name} keeps the contract", f"{game.name} выполняет договор").of(lang))
    return 0


COMMAND = Command("check", _ABOUT, Group.MAKE, 30, shared.game, _run)
