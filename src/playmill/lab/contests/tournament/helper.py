"""A process that plays tables for a contest beside it: programs are asked by one thread, and Python has one at a time.

What it is to play comes by its input, pickled, one order after the other; what came of it goes back the same way. When
whoever hired it is gone its input ends, and it ends with all its bots, whatever it was doing.
"""

from __future__ import annotations

import json
import os
import pickle
import subprocess
import sys
import threading
from contextlib import suppress
from dataclasses import dataclass
from queue import SimpleQueue
from typing import Any

from playmill.agents.programs.player import complain_apart
from playmill.engine.contract.game import as_game
from playmill.lab.contests.tournament.entrants import Entrant
from playmill.lab.contests.tournament.playing import Piece, play_deals
from playmill.lab.contests.tournament.sitting import Setting, Sitting
from playmill.stopping import Stop

_BOOT = """
import json, sys
sys.path[:] = json.loads(sys.argv.pop(1))
from playmill.lab.contests.tournament.helper import main
main()
"""


@dataclass(frozen=True)
class Order:
    """Deals of a sitting, told so that another process can play them."""

    named: str
    setting: str
    config: dict[str, Any]
    entrants: tuple[Entrant, ...]
    seed: int
    interpreted: bool
    shown: int
    digest: str
    deals: range

    @classmethod
    def of(cls, sitting: Sitting, deals: range) -> Order:
        """The order to play some deals."""
        config = sitting.setting.config.model_dump(mode="json")
        return cls(
            sitting.named,
            sitting.setting.name,
            config,
            sitting.entrants,
            sitting.contest_seed,
            sitting.interpreted,
            sitting.shown,
            sitting.digest,
            deals,
        )

    def sitting(self) -> Sitting | None:
        """The sitting that is meant, if this process can find the same game, rules and entrants."""
        game = as_game(self.named)
        setting = Setting(self.setting, type(game.config()).read(self.config))
        made = Sitting(game, self.named, setting, self.entrants, self.seed, self.interpreted, self.shown)
        return made if made.digest == self.digest else None


class Helper:
    """Another process that plays; it is started with its first order."""

    def __init__(self, number: int) -> None:
        self._number = number
        self._process: subprocess.Popen[bytes] | None = None
        self._gone = False

    def play(self, sitting: Sitting, deals: range) -> Piece | None:
        """What came of some deals; None if it could not play them, for whatever reason."""
        if self._gone:
            return None
        try:
            if self._process is None:
                self._process = subprocess.Popen(
                    [sys.executable, "-c", _BOOT, json.dumps(sys.path), str(self._number)],
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    start_new_session=True,
                )
            assert self._process.stdin and self._process.stdout
            pickle.dump(Order.of(sitting, deals), self._process.stdin)
            self._process.stdin.flush()
            found = pickle.load(self._process.stdout)
        except (OSError, EOFError, ValueError, pickle.PickleError, AttributeError, TypeError):
            self.end()
            return None
        assert found is None or isinstance(found, Piece)
        return found

    def end(self) -> None:
        """Ends it, here and now; its bots end with it."""
        self._gone = True
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            for pipe in (self._process.stdin, self._process.stdout):
                with suppress(OSError):
                    if pipe is not None:
                        pipe.close()


def main() -> None:
    """Plays what is ordered until the input ends."""
    complain_apart(sys.argv[1])
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what a game prints is no answer
    orders: SimpleQueue[Order] = SimpleQueue()
    threading.Thread(target=_listen, args=(orders,), daemon=True).start()
    while True:
        pickle.dump(_played(orders.get()), answers)
        answers.flush()


def _listen(orders: SimpleQueue[Order]) -> None:
    """Takes orders; at the end of the input all ends, bots too: each is killed by the system with its parent."""
    try:
        while True:
            orders.put(pickle.load(sys.stdin.buffer))
    finally:
        os._exit(0)


def _played(order: Order) -> Piece | None:
    try:
        sitting = order.sitting()
        return None if sitting is None else play_deals(sitting, order.deals, Stop(), 1)
    except Exception:  # whoever hired this process plays the deals himself, and hears what is wrong
        return None
