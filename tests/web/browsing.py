"""What tests in a real browser share."""

from __future__ import annotations

import random
import time
from typing import Any

from site_of_tests import LONGEST

#: An option that can be chosen.
READY = "#options button:not([disabled])"
#: How many lines the log has.
LINES = "document.querySelectorAll('#log > li').length"
#: It is this browser's turn, or the game is over.
TURN = f"Boolean(document.querySelector('{READY}')) || document.getElementById('end')?.hidden === false"


def table_of(made: tuple[str, str]) -> str:
    """The address of a table just made, as its owner opens it."""
    return f"/t/{made[0]}#{made[1]}"


def wait(page: Any, wanted: str) -> None:
    """Waits until something is true in a page; the page itself may evaluate no text, and that is right."""
    end = time.monotonic() + LONGEST
    while not page.evaluate(wanted):
        assert time.monotonic() < end, f"waited in vain for {wanted}: {page.inner_text('body')}"
        page.wait_for_timeout(20)


def play(page: Any, most: int, *, seed: int = 1, by: str = READY) -> int:
    """Clicks until the game is over, or so often; returns how often."""
    dice = random.Random(seed)
    for clicks in range(most):
        wait(page, TURN)
        if page.locator("#end").is_visible():
            return clicks
        things, lines = page.locator(by), page.evaluate(LINES)
        things.nth(dice.randrange(things.count())).click()
        wait(page, f"{LINES} > {lines}")
    return most
