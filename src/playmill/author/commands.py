"""What a command of a game prints and writes."""

from __future__ import annotations

from playmill.report.files import claim, write_text
from playmill.report.rows import Column, print_rows
from playmill.streams import print_json

__all__ = [
    "Column",
    "claim",
    "print_json",
    "print_rows",
    "write_text",
]
