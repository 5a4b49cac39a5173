"""Subprocess of the pool: plays pairings it receives pickled on its input, since Python runs one thread at a time.

What it is to play comes by its input, pickled, one order after the other; what came of it goes back the same way. When
whoever started it is gone its input ends, and it ends with all its bots, whatever it was doing.
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

from playmill.agents.programs.program_agent import write_stderr_to
from playmill.engine.contract.game import as_game
from playmill.interrupts import Stop
from playmill.lab.contests.tournament.entrants import Entrant
from playmill.lab.contests.tournament.pairing import Pairing, RuleSetting
from playmill.lab.contests.tournament.play_deals import DealResults, play_deals

_BOOT = """
import json, sys
sys.path[:] = json.loads(sys.argv.pop(1))
from playmill.lab.contests.tournament.pool_process import main
main()
"""


@dataclass(frozen=True)
class DealOrder:
    """Deals of a pairing, described so that another process can play them."""

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
    def of(cls, pairing: Pairing, deals: range) -> DealOrder:
        """Returns the order to play some deals."""
        config = pairing.setting.config.model_dump(mode="json")
        return cls(
            pairing.named,
            pairing.setting.name,
            config,
            pairing.entrants,
            pairing.contest_seed,
            pairing.interpreted,
            pairing.shown,
            pairing.digest,
            deals,
        )

    def pairing(self) -> Pairing | None:
        """Returns the pairing that is meant, if this process can find the same game, rules and entrants."""
        game = as_game(self.named)
        setting = RuleSetting(self.setting, type(game.config()).read(self.config))
        made = Pairing(game, self.named, setting, self.entrants, self.seed, self.interpreted, self.shown)
        return made if made.digest == self.digest else None


class PoolProcess:
    """Another process that plays; it is started with its first order."""

    def __init__(self, number: int) -> None:
        self._number = number
        self._process: subprocess.Popen[bytes] | None = None
        self._gone = False

    def play(self, pairing: Pairing, deals: range) -> DealResults | None:
        """Returns what came of some deals; None if it could not play them, for whatever reason."""
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
            pickle.dump(DealOrder.of(pairing, deals), self._process.stdin)
            self._process.stdin.flush()
            found = pickle.load(self._process.stdout)
        except (OSError, EOFError, ValueError, pickle.PickleError, AttributeError, TypeError):
            self.end()
            return None
        assert found is None or isinstance(found, DealResults)
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
    write_stderr_to(sys.argv[1])
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what a game prints is no answer
    orders: SimpleQueue[DealOrder] = SimpleQueue()
    threading.Thread(target=_listen, args=(orders,), daemon=True).start()
    while True:
        pickle.dump(_played(orders.get()), answers)
        answers.flush()


def _listen(orders: SimpleQueue[DealOrder]) -> None:
    """Takes orders; at the end of the input everything ends, bots too: each is killed with its parent."""
    try:
        while True:
            orders.put(pickle.load(sys.stdin.buffer))
    finally:
        os._exit(0)


def _played(order: DealOrder) -> DealResults | None:
    try:
        pairing = order.pairing()
        return None if pairing is None else play_deals(pairing, order.deals, Stop(), 1)
    except Exception:  # whoever started this process plays the deals itself, and hears what is wrong
        return None
