"""Win chances and analysed decisions of games, computed in a background process, one game at a time, bit by bit."""

from __future__ import annotations

import json
import logging
import subprocess
import sys
import threading
import time
from collections import OrderedDict
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any

from playmill.interrupts import WORKERS
from playmill.web.table.history import NOBODY
from playmill.web.table.state import GameTable
from playmill.web.table.store import UNDO

#: Playouts of each position; results that are cached, games that may wait in all, and of one address.
PLAYOUTS, MOST_KEPT, MOST_WAITING, MOST_OF_ONE = 600, 64, 20, 3
#: Seconds after which a game that goes on is computed anew at the soonest, and the most for one game, compiling
#: included.
_PAUSE, _LONGEST = 15.0, 1200.0

_log = logging.getLogger("playmill.web")


@dataclass
class _Forecast:
    """Win chances of one game: up to which moment, and whether they are being computed."""

    version: int
    client: str = ""
    state: str = "waiting"
    course: dict[str, Any] | None = None
    ended: float = field(default=0.0)


class WinChanceService:
    """Computes the win chances of games that are watched; of finished ones, what decisions cost."""

    def __init__(
        self,
        *,
        playouts: int = PLAYOUTS,
        thoughts: int | None = None,
        interpreted: bool = False,
        longest: float = _LONGEST,
    ) -> None:
        self._playouts = playouts
        #: Iterations of the search at a decision, if not as many as usual; 0: decisions are not analysed, as by the
        #: interpreter, which is slow.
        self._thoughts = thoughts if thoughts is not None else 0 if interpreted else None
        self._longest = longest
        self._interpreted = interpreted
        self._known: OrderedDict[str, _Forecast] = OrderedDict()
        self._pool = ThreadPoolExecutor(1, thread_name_prefix=f"{WORKERS} forecasts")
        self._lock = threading.Lock()
        self._running: subprocess.Popen[str] | None = None
        self._closed = False

    def ask(self, table: GameTable, client: str = "") -> dict[str, Any]:
        """Returns the win chances of a table so far; the first call starts the computation.

        Only a few at a time are begun for one client: nobody waits behind all the games that somebody else opens.
        """
        with self._lock:
            found = self._known.get(table.facts.id)
            if found is None or self._is_old(found, table):
                course = found.course if found else None
                begun = [one.client for one in self._known.values() if one.state in ("waiting", "working")]
                if self._closed or len(begun) > MOST_WAITING:
                    return {"state": "busy", "course": course}
                if begun.count(client) >= MOST_OF_ONE:
                    return {"state": "enough", "course": course}
                found = _Forecast(table.version, client, course=course)
                self._known[table.facts.id] = found
                while len(self._known) > MOST_KEPT:
                    self._known.popitem(last=False)
                self._pool.submit(self._work, found, self._question(table))
            self._known.move_to_end(table.facts.id)
            return {"state": found.state, "course": found.course}

    @staticmethod
    def _is_old(found: _Forecast, table: GameTable) -> bool:
        done = found.state in ("done", "failed")
        return done and found.version < table.version and (table.over or time.monotonic() - found.ended > _PAUSE)

    def _question(self, table: GameTable) -> str:
        from playmill.lab.replays import win_chances_process  # what computes them is needed when somebody asks
        from playmill.lab.replays.decision_analysis import NONE, THOUGHTS

        assert table.game is not None
        positions = [moment.after for moment in table.moments]
        # What an expert would do tells what a player knew: nothing for those who look on while the game is played.
        acted = [NONE if moment.seat == NOBODY or moment.action == UNDO else moment.action for moment in table.moments]
        return win_chances_process.asked(
            table.game,
            table.config.model_dump(mode="json"),
            table.facts.players,
            positions,
            actions=acted if table.over else (),
            playouts=self._playouts,
            thoughts=THOUGHTS if self._thoughts is None else self._thoughts,
            interpreted=self._interpreted,
        )

    def _work(self, found: _Forecast, question: str) -> None:
        """Runs the process of one game, and stores its results as they come."""
        command = [sys.executable, "-m", "playmill.lab.replays.win_chances_process"]
        with self._lock:
            if self._closed:
                return
            process = subprocess.Popen(
                command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
            )
            self._running = process
        found.state = "working"
        assert process.stdin and process.stdout
        alarm = threading.Timer(self._longest, process.kill)
        alarm.start()
        try:
            process.stdin.write(question + "\n")
            process.stdin.close()
            for line in process.stdout:
                found.course = json.loads(line)
        except (OSError, ValueError) as error:
            _log.warning("chances: %r", error)
        finally:
            alarm.cancel()
            process.kill()
            status = process.wait()
            process.stdout.close()
        whole = found.course is not None and found.course["share"] >= 1
        found.state, found.ended = "done" if whole else "failed", time.monotonic()
        if not whole and not self._closed:
            _log.warning("chances could not be worked out (status %d)", status)

    def close(self) -> None:
        """Ends the process."""
        with self._lock:
            self._closed = True
            running = self._running
        if running is not None:
            running.kill()
        self._pool.shutdown(wait=False, cancel_futures=True)
