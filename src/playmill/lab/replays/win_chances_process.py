"""Subprocess that computes win chances and analyses decisions: JSON on standard input, JSON lines on the output.

`python -m playmill.lab.replays.win_chances_process` reads one JSON object and writes one for each `WinChances` that
becomes known; once they are complete, and the game is over, its decisions are analysed, and what is known of them is in
it as `analysis`. Compiling and playing on take the processor, not the time of whoever asked.
"""

from __future__ import annotations

import base64
import json
import os
import sys
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any

import numpy as np

from playmill.engine.config.input_files import sealed
from playmill.engine.contract.game import Game, load_game, reference_of
from playmill.lab.audit.playouts import PlayOuts
from playmill.lab.replays.decision_analysis import Expert, follow_decisions
from playmill.lab.replays.win_chances import follow

#: How politely the process works beside others.
_NICE = 10
#: Seconds between two lines about decisions: each line has all of them.
_PAUSE = 1.0


def asked(
    game: Game,
    config: Mapping[str, Any],
    players: int,
    positions: Sequence[np.void],
    *,
    actions: Sequence[int] = (),
    playouts: int,
    thoughts: int = 0,
    interpreted: bool = False,
) -> str:
    """Returns the request about a game, as one line of JSON.

    `actions` are what led to each position, -1 where nobody acted; with them, and iterations of a search to think
    (`thoughts`), decisions are analysed, too.
    """
    records = np.zeros(len(positions), game.state)
    for place, position in enumerate(positions):
        records[place] = position
    question = {
        "game": reference_of(game),
        "config": config,
        "players": players,
        "positions": base64.b64encode(records.tobytes()).decode(),
        "actions": [int(action) for action in actions],
        "playouts": playouts,
        "thoughts": thoughts,
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
    players, interpreted = question["players"], question["interpreted"]
    playing = PlayOuts(game, players=players, config=config, interpreted=interpreted)
    course = None
    for course in follow(list(positions), playing, playouts=question["playouts"]):
        print(json.dumps(course.json()), flush=True)
    if course is None or not question["thoughts"] or not question["actions"]:
        return
    expert = Expert(game, players, config, thoughts=question["thoughts"], interpreted=interpreted)
    playing = PlayOuts(game, players=players, config=config, agent=expert.plays_on, interpreted=interpreted)
    sent = 0.0
    for found in follow_decisions(list(positions), question["actions"], playing, expert, playouts=question["playouts"]):
        if found.share >= 1 or time.monotonic() - sent > _PAUSE:
            sent = time.monotonic()
            print(json.dumps({**course.json(), "analysis": found.json()}), flush=True)


if __name__ == "__main__":
    main()
