"""Store of pairings: one folder each, results of deals appended as soon as they are finished.

A pairing is found by what it is, so that whichever contest asks for it finds what was played before: after a stop, with
more deals, or with other entrants beside.
"""

from __future__ import annotations

import json
import os
import re
from collections import Counter
from dataclasses import replace
from pathlib import Path

import numpy as np

from playmill.home import home, make_private
from playmill.lab.contests.tournament.deal_results import DealResults, Mishap, ProgramUse
from playmill.lab.contests.tournament.entrants import Entrant
from playmill.lab.contests.tournament.pairing import Pairing
from playmill.lab.runs.store.lock import RunLock
from playmill.lab.runs.store.manifest import write_through
from playmill.report.files.atomic_file import cannot_write, reason_of
from playmill.report.files.writing import write_text
from playmill.stats.ratings import Ranks

PIECES, WHAT, GAMES = "pieces.jsonl", "sitting.json", "games"
#: What went wrong that is kept word for word, of every piece; all is counted.
_SHOWN = 20
#: This many bytes of what a program complains of are kept.
_COMPLAINTS = 1 << 16


def pairings_folder() -> Path:
    """Returns the folder of pairings unless a contest has one of its own: beside the kept runs."""
    return home() / "sittings"


class PairingStore:
    """The pairings of a folder; without one nothing is saved.

    Whoever asks for the same pairings again and again has them remembered: no other process may write them then.
    """

    def __init__(self, folder: Path | None, *, remembers: bool = False) -> None:
        self._folder = folder
        self._known: dict[tuple[str, tuple[Entrant, ...]], PairingRecord] | None = {} if remembers else None

    def open(self, pairing: Pairing) -> PairingRecord:
        """Returns the pieces of a pairing."""
        key = pairing.setting.name, pairing.entrants
        if self._known is not None and key in self._known:
            return self._known[key]
        kept = self._folder is not None and all(entrant.kept for entrant in pairing.entrants)
        found = PairingRecord(pairing, self.place(pairing) if kept else None)
        if self._known is not None and kept:
            self._known[key] = found
        return found

    def place(self, pairing: Pairing) -> Path | None:
        """Returns the folder of a pairing."""
        if self._folder is None:
            return None
        game = re.sub(r"[^A-Za-z0-9_]+", "_", pairing.game.name)
        return self._folder / f"{game}-{pairing.digest[:20]}"


class PairingRecord:
    """What is known of one pairing: its deals from the first on, without a gap."""

    def __init__(self, pairing: Pairing, folder: Path | None) -> None:
        self.pairing, self._folder = pairing, folder
        self._parts: list[Ranks] = []
        self.deals = 0
        self.seconds = 0.0
        #: Answers that could not be used, games that a program was out of, and in which it was never asked, by entrant.
        self.unused: Counter[str] = Counter()
        self.failed: Counter[str] = Counter()
        self.idle: Counter[str] = Counter()
        self.mishaps: list[Mishap] = []
        #: What programs used, by entrant.
        self.used: dict[str, ProgramUse] = {}
        self.guarantees: dict[str, str] = {}
        self._whole = 0
        if folder is not None and (folder / PIECES).exists():
            self._read(folder / PIECES)

    @property
    def ranks(self) -> Ranks:
        """Of each deal and game everybody's rank."""
        size = self.pairing.size
        if len(self._parts) != 1:
            empty = np.zeros((0, 1 if self.pairing.solo else self.pairing.games, size), np.uint8)
            self._parts = [np.concatenate([empty, *self._parts])]
        return self._parts[0]

    def add(self, piece: DealResults, seconds: float) -> None:
        """Keeps the next deals: when this returns, they outlive a crash."""
        first = self.deals
        self._take(piece, seconds)
        if self._folder is None:
            return
        short = replace(piece, mishaps=piece.mishaps[:_SHOWN])
        saved = {"first": first, **short.json(), "seconds": round(seconds, 4)}
        line = json.dumps(saved, separators=(",", ":"), allow_nan=False).encode() + b"\n"
        try:
            make_private(self._folder)
            with RunLock(self._folder, self._folder.name):
                # First what goes with the line: what the line does not tell of does not exist.
                self._show(self._folder, piece)
                self._write(self._folder, line, first)
        except OSError as error:
            raise cannot_write(self._folder / PIECES, reason_of(error)) from None

    def _show(self, folder: Path, piece: DealResults) -> None:
        """Writes games as they were played, and adds to what programs complained of."""
        for (deal, rotation), game in piece.games.items():
            (folder / GAMES).mkdir(exist_ok=True)
            write_text(folder / GAMES / f"{deal}-{rotation}.json", game)
        for name, stderr in piece.complaints.items():
            path = folder / f"{self.pairing.names.index(name)}.stderr.txt"
            size = path.stat().st_size if path.exists() else 0
            if stderr and size < _COMPLAINTS:
                with path.open("ab") as file:
                    file.write(stderr[: _COMPLAINTS - size])

    def shown(self) -> list[tuple[int, int, Path]]:
        """Returns the games that were kept as they were played: deal, rotation, and file."""
        if self._folder is None or not (self._folder / GAMES).is_dir():
            return []
        found = []
        for path in (self._folder / GAMES).glob("*-*.json"):
            deal, _, rotation = path.stem.partition("-")
            if deal.isdecimal() and rotation.isdecimal():
                found.append((int(deal), int(rotation), path))
        return sorted(found)

    @property
    def place(self) -> Path | None:
        """The folder it is kept in."""
        return self._folder

    def asked(self, name: str) -> int:
        """Returns games in which a program was asked anything."""
        return self.deals * self.pairing.games - self.idle[name]

    def complaints(self, name: str) -> Path | None:
        """Returns what an entrant wrote to stderr, if anything."""
        if self._folder is None:
            return None
        path = self._folder / f"{self.pairing.names.index(name)}.stderr.txt"
        return path if path.is_file() else None

    def _write(self, folder: Path, line: bytes, first: int) -> None:
        """Writes a line behind the last whole one; a line that was cut short was never finished."""
        if not (folder / WHAT).exists():
            text = json.dumps(self.pairing.identity, ensure_ascii=False, indent=2, allow_nan=False)
            write_through(folder / WHAT, text.encode("utf-8", "backslashreplace") + b"\n")
        path = folder / PIECES
        with path.open("r+b" if path.exists() else "w+b") as file:
            file.seek(self._whole)
            # Somebody else may have played the same deals meanwhile: equal deals, so that one of the lines is enough.
            other = file.readline()
            if other.endswith(b"\n") and _first(other) == first:
                self._whole = file.tell()
                return
            file.truncate(self._whole)
            file.seek(self._whole)
            file.write(line)
            file.flush()
            os.fsync(file.fileno())
            self._whole = file.tell()

    def _take(self, piece: DealResults, seconds: float) -> None:
        self._parts.append(piece.ranks)
        self.deals += len(piece.ranks)
        self.seconds += seconds
        self.unused.update(piece.unused)
        self.failed.update(piece.failed)
        self.idle.update(piece.idle)
        self.mishaps += piece.mishaps[:_SHOWN]
        for name, use in piece.used.items():
            self.used[name] = self.used.get(name, ProgramUse()) + use
        self.guarantees = dict(piece.guarantees) or self.guarantees

    def _read(self, path: Path) -> None:
        for line in path.read_bytes().splitlines(keepends=True):
            if not line.endswith(b"\n") or not self._taken(line):
                return
            self._whole += len(line)

    def _taken(self, line: bytes) -> bool:
        try:
            saved = json.loads(line)
            if saved["first"] != self.deals:
                return False
            self._take(DealResults.from_json(saved, self.pairing), float(saved["seconds"]))
        except (ValueError, KeyError, TypeError):
            return False
        return True


def _first(line: bytes) -> int | None:
    """Returns the first deal of a line."""
    try:
        return int(json.loads(line)["first"])
    except (ValueError, KeyError, TypeError):
        return None
