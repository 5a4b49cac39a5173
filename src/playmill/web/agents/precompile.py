"""Compiles what agents need in a background process of low priority, so that no page waits for it.

The first search in a game takes the compiler a minute or two, and the lookup table of an agent is computed for the
config of its table. Both are saved on disk by whoever makes them; the server then finds them there.
"""

from __future__ import annotations

import json
import logging
import os
import subprocess
import sys
import threading
from collections import deque
from collections.abc import Sequence
from contextlib import suppress

from playmill.agents.agent_specs import Seat, seats_for
from playmill.agents.search.search_agent import Thinker, is_compiled
from playmill.engine.config.input_files import sealed
from playmill.engine.config.model import RuleConfig
from playmill.engine.contract.game import Game, load_game, reference_of
from playmill.engine.run.lookup_tables import load_lookup_tables
from playmill.engine.run.state import State
from playmill.interrupts import WORKERS
from playmill.texts import PlaymillError

#: Nice value of the process.
_NICE = 10
#: Tasks that may wait; more are compiled where they are needed, as if there were no such process.
_MOST_WANTED = 50

_log = logging.getLogger("playmill.web")
#: A game and, for the lookup table of an agent, its number and the config as JSON; for a search with a network -1 and
#: what finds it.
_Task = tuple[str, int, str]


class Precompiler:
    """Queue of tasks for the background process, and which are done; with `makes=False` nothing is compiled."""

    def __init__(self, *, makes: bool = True) -> None:
        self._makes = makes
        self._lock = threading.Lock()
        self._ready: set[_Task] = set()
        self._wanted: deque[_Task] = deque()
        self._at_work: threading.Thread | None = None
        self._process: subprocess.Popen[bytes] | None = None
        self._closed = False

    def ready(self, game: Game, seat: Seat, config: RuleConfig) -> bool:
        """Whether an agent can play at once; if not, what it needs is queued."""
        task = _needs(game, seat, config)
        if task is None:
            return True
        with self._lock:
            if task in self._ready:
                return True
            if seat.thinks and is_compiled(game, seat.network is not None):
                self._ready.add(task)
                return True
            if self._makes and not self._closed and task not in self._wanted:
                if len(self._wanted) >= _MOST_WANTED:
                    return True
                self._wanted.append(task)
                if self._at_work is None:
                    self._at_work = threading.Thread(target=self._work, name=f"{WORKERS} warms", daemon=True)
                    self._at_work.start()
        return False

    def _work(self) -> None:
        while True:
            with self._lock:
                if not self._wanted or self._closed:
                    self._at_work = None
                    return
                task = self._wanted[0]
                # Its input ends when this process does, however it ends.
                self._process = subprocess.Popen(command_of(task), stdin=subprocess.PIPE, stdout=subprocess.DEVNULL)
            status = self._process.wait()
            with self._lock:
                self._wanted.popleft()
                # What could not be made there is made where it is needed.
                self._ready.add(task)
                if status and not self._closed:
                    _log.warning("the compiler of %s has ended with status %d", task[0], status)

    def close(self) -> None:
        """Ends the process."""
        with self._lock:
            self._closed = True
            if self._process is not None and self._process.poll() is None:
                self._process.kill()


def _needs(game: Game, seat: Seat, config: RuleConfig) -> _Task | None:
    """The task that has to be done before an agent can play, if any."""
    if seat.thinks:
        return reference_of(game), -1, "" if seat.network is None else seat.spec or ""
    if seat.compiled and seat.table is None and list(game.agents.values())[seat.number].knows:
        return reference_of(game), seat.number, config.model_dump_json()
    return None


def command_of(task: _Task) -> list[str]:
    """The command line of the process for one task."""
    return [sys.executable, "-m", __name__, json.dumps(task)]


def make(task: _Task) -> None:
    """Does one task; when this returns the result is on disk."""
    game = load_game(task[0])
    if task[1] < 0:
        players, seat = _seated(game, task[2]) if task[2] else (game.players[0], None)
        thinker = Thinker(game, (1,), judge=None if seat is None else seat.network)
        thinker.new_game()
        thinker.choose(State(game, players=players, interpreted=True).workspace)
    else:
        with sealed():
            config = game.config.read(json.loads(task[2]))
        load_lookup_tables(game, config, (task[1],))


def _seated(game: Game, spec: str) -> tuple[int, Seat | None]:
    """For how many players an agent is, and its seat; a network may be for some numbers of them only."""
    for players in range(game.players[0], game.players[1] + 1):
        with suppress(PlaymillError):
            return players, seats_for(game, players, [spec])[0]
    return game.players[0], None


def main(words: Sequence[str]) -> int:
    """Entry point of the process: does the task of its one argument, and ends when its input does."""
    threading.Thread(target=_end_with_input, daemon=True).start()
    with suppress(AttributeError, OSError):
        os.nice(_NICE)
    place, number, config = json.loads(words[0])
    make((place, number, config))
    return 0


def _end_with_input() -> None:
    # Not by a buffer of Python's: one that is being read from cannot be closed at the end of the work.
    while os.read(sys.stdin.fileno(), 4096):
        pass
    os._exit(1)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
