"""Saved progress of a sequential question: the deals seen so far, on disk, so that a stopped one resumes.

All that a question remembers are the counts of its deals and a few numbers for each look: one small file, written anew
now and then. It is found by what is asked of which plans, so that the same command goes on, and comes to the same end
as if it had never been stopped; any other begins anew.
"""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any

from playmill.home import home, make_private
from playmill.lab.runs.finished_games import FinishedGames
from playmill.lab.runs.paired_play import PairedSetting
from playmill.lab.runs.store.chunk_files import counted_part, counts_text
from playmill.lab.runs.store.lock import RunLock
from playmill.lab.runs.store.manifest import write_through
from playmill.report.files.atomic_file import cannot_write, reason_of
from playmill.texts import PlaymillError

FILE = "seen.json"
_FORM = 1
#: A question that takes longer than this many seconds is kept, unless the user does not want it.
LONG = 10.0
#: What was seen waits for the disk this many seconds, and this many times as long as the last time it took to write.
_PAUSE, _SHARE = 1.0, 20.0
#: Whether something is kept, and where if not beside the kept runs.
Keep = bool | Path | None
#: What a question remembers, ready to be written.
Seen = Mapping[str, Any]


def questions_folder() -> Path:
    """Returns the folder of saved questions, beside the kept runs."""
    return home() / "questions"


class SavedProgress:
    """Saved progress of one question; `keep` is True, False, or None (saved if long, or if saved before).

    A folder keeps it there instead of beside the kept runs.
    """

    def __init__(self, what: Mapping[str, Any], *, keep: Keep) -> None:
        text = json.dumps({"form": _FORM, **what}, sort_keys=True, separators=(",", ":"))
        self._digest = hashlib.sha256(text.encode()).hexdigest()
        name = "".join(sign if sign.isalnum() else "_" for sign in str(what["plans"][0]["game"]))
        self.name = f"{name}-{self._digest[:10]}"
        self._folder = (keep if isinstance(keep, Path) else questions_folder()) / self.name
        self._keep = True if isinstance(keep, Path) else keep
        self._held = ExitStack()
        self._begun = self._last = time.monotonic()
        self._took = 0.0
        #: Whether what is seen is on disk, or will be.
        self.kept = False
        #: Seconds that were spent on what was seen before.
        self.seconds = 0.0

    def __enter__(self) -> SavedProgress:
        if self._keep:
            self._hold()
        elif self._keep is None and (self._folder / FILE).is_file():
            with suppress(PlaymillError):
                self._hold()
        return self

    def __exit__(self, *_: object) -> None:
        self._held.close()

    def _hold(self) -> None:
        try:
            make_private(self._folder)
        except OSError as error:
            raise cannot_write(self._folder, reason_of(error)) from None
        self._held.enter_context(RunLock(self._folder, self.name))
        self.kept = True

    def recall(self, deals: int) -> Seen | None:
        """Returns what was seen before, if it is whole, and of no more deals than may be played now."""
        if not self.kept:
            return None
        try:
            seen = json.loads((self._folder / FILE).read_bytes())
            if seen["question"] != self._digest or not 0 < seen["deals"] <= deals:
                return None
            self.seconds = float(seen["seconds"])
        except (OSError, ValueError, KeyError, TypeError):
            return None
        found: Seen = seen
        return found

    def note(self, seen: Callable[[], Seen], *, at_once: bool = False) -> None:
        """Writes what is seen, if it is time to; raises if it was to be kept and cannot be."""
        now = time.monotonic()
        if not self.kept and self._keep is None and now - self._begun > LONG:
            with suppress(PlaymillError):  # nobody has asked for it
                self._hold()
        if not self.kept or not (at_once or now - self._last >= max(_PAUSE, _SHARE * self._took)):
            return
        data = {"question": self._digest, **seen(), "seconds": round(self.seconds + now - self._begun, 3)}
        try:
            write_through(self._folder / FILE, json.dumps(data, separators=(",", ":")).encode())
        except PlaymillError:
            if self._keep:
                raise
            self.kept = False
        self._last = time.monotonic()
        self._took = self._last - now


def counted(side: PairedSetting) -> Mapping[str, Any]:
    """Returns the counts of a setting so far as JSON."""
    total = side.total
    part = FinishedGames(0, total.games, total.counts.cells(), None, total.fallbacks)
    found: Mapping[str, Any] = json.loads(counts_text(part))
    return found


def count_again(side: PairedSetting, counts: Mapping[str, Any]) -> None:
    """Restores the counts of a setting that has played nothing."""
    side.total.add(counted_part(counts))


def played_before(memory: SavedProgress, sides: Sequence[PairedSetting], deals: int) -> int:
    """Restores saved progress to settings; returns the number of deals."""
    if (seen := memory.recall(deals)) is None:
        return 0
    for side, counts in zip(sides, seen["sides"], strict=True):
        count_again(side, counts)
    return int(seen["deals"])


def played_so_far(sides: Sequence[PairedSetting]) -> Seen:
    """Returns the progress of paired settings as JSON."""
    return {"deals": int(sides[0].total.blocks.sum()), "sides": [counted(side) for side in sides]}
