"""What tests in a real browser share."""

from __future__ import annotations

import time
from typing import Any

from site_of_tests import LONGEST

#: An option that can be chosen.
READY = "#options button:not([disabled])"


def table_of(made: tuple[str, str]) -> str:
    """The address of a table just made, as its owner opens it."""
    return f"/t/{made[0]}#{made[1]}"


def wait(page: Any, wanted: str) -> None:
    """Waits until something is true in a page; the page itself may evaluate no text, and that is right."""
    end = time.monotonic() + LONGEST
    while not page.evaluate(wanted):
        assert time.monotonic() < end, f"waited in vain for {wanted}: {page.inner_text('body')}"
        page.wait_for_timeout(20)
