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
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from playmill.home import home, make_private
from playmill.lab.runs.finished_games import FinishedGames
from playmill.lab.runs.kept_work import KeptDescription, work_name
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


@dataclass(frozen=True)
class Kept:
    """How `playmill runs` lists what is saved: of what kind it is, the command if it is known, and how many deals."""

    kind: str
    command: str | None
    deals: int


class SavedProgress:
    """Saved progress of one question; `keep` is True, False, or None (saved if long, or if saved before).

    A folder keeps it there instead of beside the kept runs. `within` is the folder, and `begun` the beginning
    (`time.monotonic()`), of a larger question that this one is part of. `listed` describes it.
    """

    def __init__(
        self,
        what: Mapping[str, Any],
        *,
        keep: Keep,
        within: Path | None = None,
        begun: float | None = None,
        listed: Kept | None = None,
    ) -> None:
        self._digest, self.name = _named(what)
        self._folder = (keep if isinstance(keep, Path) else within or questions_folder()) / self.name
        self._keep = True if isinstance(keep, Path) else keep
        self._held = ExitStack()
        self._last = time.monotonic()
        self._begun, self._long_after = self._last, (self._last if begun is None else begun) + LONG
        self._listed = listed if not isinstance(keep, Path) else None
        self._description: KeptDescription | None = None
        self._game = str(what["plans"][0]["game"])
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
        if (listed := self._listed) is not None:
            self._description = KeptDescription(self._folder, kind=listed.kind, game=self._game, command=listed.command)

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

    def note(self, seen: Callable[[], Seen], *, at_once: bool = False, ended: bool = False) -> None:
        """Writes what is seen, if it is time to; raises if it was to be kept and cannot be.

        `ended` says that nothing is left to be played, whatever the number of deals.
        """
        now = time.monotonic()
        if not self.kept and self._keep is None and now > self._long_after:
            with suppress(PlaymillError):  # nobody has asked for it
                self._hold()
        if not self.kept or not (at_once or now - self._last >= max(_PAUSE, _SHARE * self._took)):
            return
        found = seen()
        data = {"question": self._digest, **found, "seconds": round(self.seconds + now - self._begun, 3)}
        try:
            write_through(self._folder / FILE, json.dumps(data, separators=(",", ":")).encode())
        except PlaymillError:
            if self._keep:
                raise
            self.kept = False
        if self._description is not None and self._listed is not None:
            done, wanted = int(found["deals"]), self._listed.deals
            self._description.note(done, wanted, complete=at_once and (done >= wanted or ended))
        self._last = time.monotonic()
        self._took = self._last - now


def _named(what: Mapping[str, Any]) -> tuple[str, str]:
    """Returns the hash of what is asked, and the name of its folder."""
    text = json.dumps({"form": _FORM, **what}, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest(), work_name(str(what["plans"][0]["game"]), text)


class SavedParts:
    """Saved progress of a question about several plans that are played one after another: one folder for all.

    All of them are saved if one is, or if they take long together.
    """

    def __init__(self, plans: Sequence[Mapping[str, Any]], *, keep: Keep, listed: Kept) -> None:
        self._keep, self._listed, self._game = keep, listed, str(plans[0]["game"])
        self._name = _named({"plans": plans})[1]
        self._folder = questions_folder() / self._name
        self._begun = time.monotonic()
        self._held = ExitStack()
        self._description: KeptDescription | None = None
        #: Whether what is played is on disk.
        self.kept = False

    def __enter__(self) -> SavedParts:
        return self

    def __exit__(self, *_: object) -> None:
        self._held.close()

    def part(self, plan: Mapping[str, Any]) -> SavedProgress:
        """Returns the saved progress of one plan."""
        return SavedProgress({"plans": [plan]}, keep=self._keep, within=self._folder, begun=self._begun)

    def note(self, part: SavedProgress, deals: int, *, at_once: bool = False) -> None:
        """Describes how many deals of all plans are played, if it is saved."""
        self.kept = self.kept or part.kept
        if not part.kept or isinstance(self._keep, Path):
            return
        if self._description is None:
            with suppress(PlaymillError):
                self._held.enter_context(RunLock(self._folder, self._name))
            listed = self._listed
            self._description = KeptDescription(self._folder, kind=listed.kind, game=self._game, command=listed.command)
        self._description.note(deals, self._listed.deals, complete=at_once and deals >= self._listed.deals)


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
