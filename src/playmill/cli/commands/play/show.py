"""`playmill show`: plays one game and narrates it."""

from __future__ import annotations

import argparse

from playmill.cli import options as shared
from playmill.cli.command import Command, Group
from playmill.cli.parser import Parser
from playmill.texts import Lang, Text

_ABOUT = Text("tell one game move by move", "одна партия, ход за ходом")


def _options(parser: Parser) -> None:
    shared.table(parser)
    shared.which(parser)
    shared.looked_at(parser)


def _run(options: argparse.Namespace, lang: Lang) -> int:
    """Plays one game of a run and tells it."""
    from playmill.lab.replays.narration import moments, tell

    game, config = shared.game_and_config(options)
    players = options.players if options.players is not None else game.players[0]
    game.check_players(players)
    lines = moments(
        game,
        players=players,
        seed=options.seed,
        agents=options.agents,
        config=config,
        lang=lang,
        number=options.number,
        boards=options.boards or options.step,
    )
    tell(lines, lang, step=options.step)
    return 0


COMMAND = Command("show", _ABOUT, Group.PLAY, 10, _options, _run)
