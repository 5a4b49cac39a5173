"""Helpers of tests in a real browser."""

from __future__ import annotations

import random
import time
from typing import Any

from web_server import LONGEST

#: An option that can be chosen.
READY = "#options button:not([disabled])"
#: How many lines the log has.
LINES = "document.querySelectorAll('#log > li').length"
#: It is this browser's turn, or the game is over.
TURN = f"Boolean(document.querySelector('{READY}')) || document.getElementById('end')?.hidden === false"


#: How many stops of the Tab key lie between what is in focus and something, at most; less than 0 if it lies before.
_AWAY = """one => {
    const from = document.activeElement, side = from.compareDocumentPosition(one);
    if (from === one) return 0;
    const back = Boolean(side & Node.DOCUMENT_POSITION_PRECEDING), [first, last] = back ? [one, from] : [from, one];
    const stops = [...document.querySelectorAll('a[href], button, input, select, textarea, summary, [tabindex="0"]')];
    const between = stops.filter(stop => stop !== first && stop !== last && stop.getClientRects().length
        && first.compareDocumentPosition(stop) & Node.DOCUMENT_POSITION_FOLLOWING
        && last.compareDocumentPosition(stop) & Node.DOCUMENT_POSITION_PRECEDING);
    return (back ? -1 : 1) * (1 + between.length);}"""


def table_of(made: tuple[str, str]) -> str:
    """The address of a table just made, as its owner opens it."""
    return f"/t/{made[0]}#{made[1]}"


def wait(page: Any, wanted: str) -> None:
    """Waits until something is true in a page; the page itself may evaluate no text, and that is right."""
    end = time.monotonic() + LONGEST
    while not page.evaluate(wanted):
        assert time.monotonic() < end, f"waited in vain for {wanted}: {page.inner_text('body')}"
        page.wait_for_timeout(20)


def press(page: Any, thing: Any) -> None:
    """By keys alone: Tab until it is in focus, and Enter; what lies before it is passed the other way round."""
    for _ in range(200):
        away = thing.evaluate(_AWAY)
        if away == 0:
            page.keyboard.press("Enter")
            return
        for _ in range(max(1, abs(away) // 2)):  # not all of them may be stops: half the way leads past nothing
            page.keyboard.press("Tab" if away > 0 else "Shift+Tab")
    raise AssertionError(f"{thing.evaluate('(one) => one.outerHTML')[:200]} is not reached by keys")


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
