"""Journal of the tables that newcomers have played, and of the ratings they were given by them.

A line is written when a newcomer is through, before its submission is called done: whoever is killed in between plays
it again, finds every table played, and writes nothing new.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from playmill.report.files.atomic_file import cannot_write, reason_of
from playmill.texts import PlaymillError

FILE = "tables.jsonl"
#: Members of a table, each with its version; a house agent's is 0.
Members = tuple[tuple[str, int], ...]


class PlayedTables:
    """The tables and ratings of a contest's versions."""

    def __init__(self, state: Path) -> None:
        self._path = state / FILE
        self._tables: dict[tuple[int, Members], None] = {}
        #: The rating of each version when it was a newcomer, in logarithms of odds.
        self.ratings: dict[tuple[str, int], float] = {}
        if not self._path.exists():
            return
        data = self._path.read_bytes()
        whole = data.rfind(b"\n") + 1
        if whole < len(data):  # cut short by a kill: never finished, and noted anew with its submission
            os.truncate(self._path, whole)
        for number, line in enumerate(data[:whole].splitlines(), 1):
            try:
                self._take(json.loads(line))
            except (ValueError, KeyError, TypeError, AttributeError):
                raise PlaymillError(
                    f"{self._path} is damaged in line {number}: put it back as it was, or replay everything",
                    f"{self._path} повреждён в строке {number}: верните прежний или переиграйте всё",
                ) from None

    def _take(self, noted: Mapping[str, Any]) -> None:
        self.ratings[str(noted["name"]), int(noted["version"])] = float(noted["rating"])
        for setting, members in noted["tables"]:
            self._tables[int(setting), tuple((str(name), int(version)) for name, version in members)] = None

    def among(self, versions: Mapping[str, int]) -> Iterator[tuple[int, tuple[str, ...]]]:
        """Yields the tables of these versions of these names: the setting, and who sat there."""
        for setting, members in self._tables:
            if all(versions.get(name) == version for name, version in members):
                yield setting, tuple(name for name, _ in members)

    def note(self, name: str, version: int, rating: float, tables: list[tuple[int, Members]]) -> None:
        """Notes what a newcomer has played; when this returns it outlives a crash."""
        if (name, version) in self.ratings:
            return
        noted = {"name": name, "version": version, "rating": rating, "tables": tables}
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            with self._path.open("ab") as file:
                file.write(json.dumps(noted).encode() + b"\n")
                file.flush()
                os.fsync(file.fileno())
        except OSError as error:
            raise cannot_write(self._path, reason_of(error)) from None
        self._take(json.loads(json.dumps(noted)))
