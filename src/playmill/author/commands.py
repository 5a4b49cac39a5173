"""For commands of a game: printing and writing files."""

from __future__ import annotations

from playmill.report.files.writing import claim, write_text
from playmill.report.terminal.row_layout import Column, print_rows
from playmill.stdio import print_json

__all__ = [
    "Column",
    "claim",
    "print_json",
    "print_rows",
    "write_text",
]
