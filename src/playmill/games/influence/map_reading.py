"""Reading map files, before anyone asks what they mean."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from playmill.author import Text
from playmill.author.content import parsed, text_of

_WANTED, _ALONE = Text("a map", "карта"), Text("one map a file", "одна карта")


def load(path: Path) -> Any:
    """The parsed JSON of a map file; whatever cannot be parsed is a PlaymillError that says why."""
    return parsed(text_of(path), str(path), wanted=_WANTED, alone=_ALONE)
