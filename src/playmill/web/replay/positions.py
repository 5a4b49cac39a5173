"""Positions and log of a replay from a viewpoint: a seat, a spectator, or everything open.

While a game goes on there is nothing here but what a spectator sees at its table. Everything is made of `observe_table`
and of copies that went through `concealed`; only of a finished game everything can be open.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from playmill.texts import Lang, PlaymillError, Text
from playmill.web.table.concealed import concealed
from playmill.web.table.history import NOBODY, Moment
from playmill.web.table.observation import Viewer, observe_table, picture_of
from playmill.web.table.state import GameTable
from playmill.web.table.store import UNDO

#: In place of a seat: everything is open.
OPEN = -2
#: The most pictures in one answer.
MOST_AT_ONCE = 40
#: Keys of an observation that concern the whole game.
_KEYS = ("version", "end", "seats", "started", "over", "settings", "changed")

_NOT_YET = Text(
    "until the game is over it can only be seen as everybody sees it",
    "пока партия не окончена, её можно видеть только так, как все",
)


def check_viewpoint(table: GameTable, viewpoint: int | None) -> None:
    """Raises unless a table can be seen from a viewpoint: a seat, OPEN, or None for a spectator."""
    if table.trouble is not None:
        raise PlaymillError(*table.trouble)
    if viewpoint is None:
        return
    if not table.over:
        raise PlaymillError(*_NOT_YET)
    if viewpoint != OPEN and not 0 <= viewpoint < table.facts.players:
        raise PlaymillError(f"there is no seat {viewpoint + 1}", f"места {viewpoint + 1} нет")


def story(table: GameTable, viewpoint: int | None, lang: Lang) -> dict[str, Any]:
    """The log of a game from a viewpoint, and how it ended."""
    check_viewpoint(table, viewpoint)
    seen = observe_table(table, Viewer(None if viewpoint == OPEN else viewpoint), lang)
    steps = [{key: value for key, value in step.items() if key != "picture"} for step in seen["steps"]]
    if viewpoint == OPEN:
        for step, moment in zip(steps, table.moments, strict=False):
            step["lines"] = [line.of(lang) for line in _all_of(table, moment)] or step["lines"]
    return {**{key: seen[key] for key in _KEYS}, "steps": steps}


def pictures(table: GameTable, viewpoint: int | None, lang: Lang, places: Sequence[int]) -> list[dict[str, str]]:
    """The table at some of its moments; where everything is open, with the whole position in words, too."""
    check_viewpoint(table, viewpoint)
    last = table.version
    return [_shown(table, table.moments[place], viewpoint, lang) for place in places if 0 <= place <= last]


def _shown(table: GameTable, moment: Moment, viewpoint: int | None, lang: Lang) -> dict[str, str]:
    assert table.game is not None
    if viewpoint != OPEN:
        known = concealed(table, moment.after, viewpoint)
        return {"picture": picture_of(table, moment, known, viewpoint, [], lang)}
    return {
        "picture": table.game.view(table.config, moment.after, _whose(moment), [], lang),
        "text": table.game.words.position(table.config, moment.after, lang),
    }


def _whose(moment: Moment) -> int | None:
    """The seat for which an open position is drawn: that to move next, at the end that which moved last."""
    turn = int(moment.after["player"])
    return turn if turn >= 0 else moment.seat if moment.seat != NOBODY else None


def _all_of(table: GameTable, moment: Moment) -> list[Text]:
    """The full log of an action."""
    assert table.game is not None
    if moment.seat == NOBODY or moment.action == UNDO:
        return []
    words = table.game.words
    lines: list[Text] = [words.describe(table.config, moment.action)]
    return [*lines, *words.events(table.config, moment.before, moment.after, moment.action)]
