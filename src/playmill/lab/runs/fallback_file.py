"""Writes every unusable answer of agents and its replacement to a file, one line each, as JSON lines or CSV."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Mapping
from dataclasses import fields
from pathlib import Path
from typing import Any

from playmill.agents.fallbacks import Fallback
from playmill.report.files.atomic_file import AtomicFile
from playmill.texts import PlaymillError


class FallbackFile:
    """Written while games finish and moved into place when complete; CSV if the name ends so, else JSON lines.

    A disk that is full does not end the run: what can be written besides still is, and `finish` tells.
    """

    def __init__(self, path: Path) -> None:
        self._draft = AtomicFile(path)
        self._csv = path.suffix.lower() == ".csv"
        self._trouble: PlaymillError | None = None
        if self._csv:
            self._write(_row([field.name for field in fields(Fallback)]))

    def add(self, entry: Mapping[str, Any]) -> None:
        """Writes one."""
        self._write(_row(entry.values()) if self._csv else json.dumps(entry, ensure_ascii=False) + "\n")

    def _write(self, line: str) -> None:
        if self._trouble is None:
            try:
                self._draft.write(line.encode("utf-8", errors="backslashreplace"))
            except PlaymillError as error:
                self._trouble = error

    def finish(self) -> None:
        """Puts the file in its place, an empty one too: then there were none."""
        if self._trouble is not None:
            raise self._trouble
        self._draft.finish()

    def abandon(self) -> None:
        """Removes what was written."""
        self._draft.abandon()


def _row(cells: Any) -> str:
    line = io.StringIO()
    csv.writer(line, lineterminator="\n").writerow(cells)
    return line.getvalue()
