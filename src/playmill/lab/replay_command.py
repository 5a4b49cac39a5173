"""`playmill record` and `playmill replay`."""

from __future__ import annotations

import argparse
from collections import deque
from pathlib import Path

from playmill.agents.seats import seats_for
from playmill.engine.config import load_config
from playmill.engine.game import load_game
from playmill.engine.workplace import files_in_use, same_folder
from playmill.lab.film import write_gif, write_strip
from playmill.lab.progress import bar
from playmill.lab.replay import record, retold
from playmill.lab.replay_file import load, save
from playmill.lab.show import tell
from playmill.report.files import claim
from playmill.texts import Lang, Text

_RECORDING = Text("playing", "играю")
_DRAWING = Text("drawing", "рисую")
_RECORDED = Text("recorded {} moves in {}", "записано ходов: {}, файл {}")
_FRAMES = Text("wrote {} frames to {}", "записано кадров: {}, файл {}")


def record_command(options: argparse.Namespace, lang: Lang) -> int:
    """Plays one game and writes it to a file."""
    game = load_game(options.game)
    config = load_config(game.config, options.config, options.set)
    players = options.players if options.players is not None else game.players[0]
    game.check_players(players)
    path = options.out or Path(f"{game.name}-{options.seed}-{options.number}.json")
    seats_for(game, players, options.agents)
    place = claim({"--out": path}, files_in_use)["--out"]
    with same_folder(), bar(_RECORDING.of(lang)) as told:
        made = record(
            game,
            players=players,
            config=config,
            seed=options.seed,
            agents=options.agents,
            number=options.number,
            told=told,
        )
    save(place, made)
    print(_RECORDED.of(lang).format(len(made.moves), path))
    return 0


def replay_command(options: argparse.Namespace, lang: Lang) -> int:
    """Checks a recorded game from its first move to its last, and tells it or draws it."""
    replay = load(options.file, options.game)
    source = str(options.file)
    places = claim({"--svg": options.svg, "--gif": options.gif}, files_in_use)
    say = (lambda text: None) if options.quiet else print
    if options.svg is not None:
        say(_FRAMES.of(lang).format(write_strip(places["--svg"], replay, source, lang), options.svg))
    if options.gif is not None:
        with bar(_DRAWING.of(lang)) as told:
            count = write_gif(places["--gif"], replay, source, lang, told)
        say(_FRAMES.of(lang).format(count, options.gif))
    if options.gif is None and options.svg is None:
        moments = retold(replay, source, lang, boards=options.boards or options.step)
        if options.quiet:
            deque(moments, maxlen=0)  # only checked
        else:
            tell(moments, lang, step=options.step)
    return 0
