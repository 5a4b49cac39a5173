"""Renders a printed report as plain text, for `print(run)` in Python."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from io import StringIO

from rich.console import Console


def as_text(show: Callable[[Console], None]) -> str:
    """Returns what a function prints on a console as wide as the terminal, without colours."""
    written = StringIO()
    show(Console(file=written, width=shutil.get_terminal_size((100, 24)).columns, color_system=None, highlight=False))
    return written.getvalue().rstrip("\n")
