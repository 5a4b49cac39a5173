"""`playmill record`: plays one game and writes its replay."""

from __future__ import annotations

import argparse
from pathlib import Path

from playmill.cli import options as shared
from playmill.cli.command import Command, Group
from playmill.cli.parser import Parser
from playmill.texts import Lang, Text

_ABOUT = Text("play one game and write it to a file", "сыграть одну партию и записать её в файл")
_PLAYING = Text("playing", "играю")
_RECORDED = Text("recorded {} moves in {}", "записано ходов: {}, файл {}")


def _options(parser: Parser) -> None:
    shared.table(parser)
    shared.which(parser)
    parser.output("--out", Text("where to (default: GAME-SEED-NUMBER.json)", "куда (по умолчанию ИГРА-СИД-НОМЕР.json)"))


def _run(options: argparse.Namespace, lang: Lang) -> int:
    """Plays one game and writes it to a file."""
    from playmill.agents.agent_specs import seats_for
    from playmill.engine.config.input_files import same_folder
    from playmill.lab.io.progress import bar
    from playmill.lab.replays.replay import record
    from playmill.lab.replays.replay_file import save
    from playmill.report.files.writing import claim

    game, config = shared.game_and_config(options)
    players = options.players if options.players is not None else game.players[0]
    game.check_players(players)
    path = options.out or Path(f"{game.name}-{options.seed}-{options.number}.json")
    seats_for(game, players, options.agents, config)
    place = claim({"--out": path})["--out"]
    with same_folder(), bar(_PLAYING.of(lang)) as progress:
        made = record(
            game,
            players=players,
            config=config,
            seed=options.seed,
            agents=options.agents,
            number=options.number,
            progress=progress,
        )
    save(place, made)
    print(_RECORDED.of(lang).format(len(made.moves), path))
    return 0


COMMAND = Command("record", _ABOUT, Group.PLAY, 20, _options, _run)
