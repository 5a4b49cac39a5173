"""What agents need before they can think: compiled by a process of low priority, so that no page waits for it.

The first thought of `search` in a game takes the compiler a minute or two, and what an agent knows by heart is computed
for the config of its table. Both are kept on disk by whoever makes them; the server then finds them there.
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

from playmill.agents.search import Thinker, is_compiled
from playmill.agents.seats import Seat
from playmill.engine.config.model import RuleConfig
from playmill.engine.config.paths import sealed
from playmill.engine.contract.game import Game, load_game, reference_of
from playmill.engine.run.lookup_tables import open_book
from playmill.engine.run.state import State
from playmill.stopping import WORKERS

#: How much less than others the process may have of the processor.
_NICE = 10
#: So many things wait to be made; more are made where they are needed, as if there were no such process.
_MOST_WANTED = 50

_log = logging.getLogger("playmill.web")
#: A game and, for what an agent knows by heart, its number and the config as JSON.
_Task = tuple[str, int, str]


class Warming:
    """Things to be made, one after the other, and what is ready; one that makes nothing knows only what is there."""

    def __init__(self, *, makes: bool = True) -> None:
        self._makes = makes
        self._lock = threading.Lock()
        self._ready: set[_Task] = set()
        self._wanted: deque[_Task] = deque()
        self._at_work: threading.Thread | None = None
        self._process: subprocess.Popen[bytes] | None = None
        self._closed = False

    def ready(self, game: Game, seat: Seat, config: RuleConfig) -> bool:
        """Whether an agent can think at once; if not, what it needs is being made from now on."""
        task = _needs(game, seat, config)
        if task is None:
            return True
        with self._lock:
            if task in self._ready:
                return True
            if seat.thinks and is_compiled(game):
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
        """Ends the work, whatever is at hand."""
        with self._lock:
            self._closed = True
            if self._process is not None and self._process.poll() is None:
                self._process.kill()


def _needs(game: Game, seat: Seat, config: RuleConfig) -> _Task | None:
    """What has to be made before an agent can think, if anything."""
    if seat.thinks:
        return reference_of(game), -1, ""
    if seat.compiled and list(game.agents.values())[seat.number].knows:
        return reference_of(game), seat.number, config.model_dump_json()
    return None


def command_of(task: _Task) -> list[str]:
    """What makes one thing, as a process of its own."""
    return [sys.executable, "-m", __name__, json.dumps(task)]


def make(task: _Task) -> None:
    """Makes one thing; when this returns it is on disk."""
    game = load_game(task[0])
    if task[1] < 0:
        thinker = Thinker(game, (1,))
        thinker.new_game()
        thinker.choose(State(game, players=game.players[0], interpreted=True).desk)
    else:
        with sealed():
            config = game.config.read(json.loads(task[2]))
        open_book(game, config, (task[1],))


def main(words: Sequence[str]) -> int:
    """The process itself: it makes what its one word says, and ends when its input does."""
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
