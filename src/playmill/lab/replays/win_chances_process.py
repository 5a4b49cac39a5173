"""Subprocess that computes the win chances along a recorded game: JSON on standard input, JSON lines on the output.

`python -m playmill.lab.replays.win_chances_process` reads one JSON object and writes one for each `WinChances` that
becomes known. Compiling and playing on take the processor, not the time of whoever asked.
"""

from __future__ import annotations

import base64
import json
import os
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any

import numpy as np

from playmill.engine.config.input_files import sealed
from playmill.engine.contract.game import Game, load_game, reference_of
from playmill.lab.audit.playouts import PlayOuts
from playmill.lab.replays.win_chances import follow

#: How politely the process works beside others.
_NICE = 10


def asked(
    game: Game,
    config: Mapping[str, Any],
    players: int,
    positions: Sequence[np.void],
    *,
    playouts: int,
    interpreted: bool = False,
) -> str:
    """Returns the request about a game, as one line of JSON."""
    records = np.zeros(len(positions), game.state)
    for place, position in enumerate(positions):
        records[place] = position
    question = {
        "game": reference_of(game),
        "config": config,
        "players": players,
        "positions": base64.b64encode(records.tobytes()).decode(),
        "playouts": playouts,
        "interpreted": interpreted,
    }
    return json.dumps(question)


def main() -> None:
    """Answers the request on standard input."""
    with suppress(AttributeError, OSError):
        os.nice(_NICE)
    question = json.loads(sys.stdin.readline())
    game = load_game(question["game"])
    positions = np.frombuffer(base64.b64decode(question["positions"]), game.state)
    with sealed():
        config = game.config.read(question["config"])
    playing = PlayOuts(game, players=question["players"], config=config, interpreted=question["interpreted"])
    for course in follow(list(positions), playing, playouts=question["playouts"]):
        print(json.dumps(course.json()), flush=True)


if __name__ == "__main__":
    main()
