"""What may be seen of a game afterwards: every position of it, with the eyes of a seat, of everybody, or with all open.

While a game goes on there is nothing here but what a spectator sees at its table. Everything is made of `seen_by` and
of copies that went through `concealed`; only of a finished game can all lie open.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from playmill.texts import Lang, PlaymillError, Text
from playmill.web.ledger import UNDO
from playmill.web.moments import NOBODY, Moment
from playmill.web.sight import Viewer, concealed, pictured, seen_by
from playmill.web.table import Table

#: In place of a seat: all lies open.
OPEN = -2
#: A browser is shown so many pictures at a time.
MOST_AT_ONCE = 40
#: What of the present there is to say about a whole game.
_TOLD = ("version", "end", "seats", "started", "over", "settings", "changed")

_NOT_YET = Text(
    "until the game is over it can only be seen as everybody sees it",
    "пока партия не окончена, её можно видеть только так, как все",
)


def check_eyes(table: Table, eyes: int | None) -> None:
    """Raises unless a table can be looked at with these eyes: a seat's, OPEN ones, or None for everybody's."""
    if table.trouble is not None:
        raise PlaymillError(*table.trouble)
    if eyes is None:
        return
    if not table.over:
        raise PlaymillError(*_NOT_YET)
    if eyes != OPEN and not 0 <= eyes < table.facts.players:
        raise PlaymillError(f"there is no seat {eyes + 1}", f"места {eyes + 1} нет")


def story(table: Table, eyes: int | None, lang: Lang) -> dict[str, Any]:
    """A game from its start on, in words: who did what, and how it ended."""
    check_eyes(table, eyes)
    seen = seen_by(table, Viewer(None if eyes == OPEN else eyes), lang)
    steps = [{key: value for key, value in step.items() if key != "picture"} for step in seen["steps"]]
    if eyes == OPEN:
        for step, moment in zip(steps, table.moments, strict=False):
            step["lines"] = [line.of(lang) for line in _all_of(table, moment)] or step["lines"]
    return {**{key: seen[key] for key in _TOLD}, "steps": steps}


def pictures(table: Table, eyes: int | None, lang: Lang, places: Sequence[int]) -> list[dict[str, str]]:
    """The table at some of its moments; where all lies open, with the whole position in words, too."""
    check_eyes(table, eyes)
    last = table.version
    return [_shown(table, table.moments[place], eyes, lang) for place in places if 0 <= place <= last]


def _shown(table: Table, moment: Moment, eyes: int | None, lang: Lang) -> dict[str, str]:
    assert table.game is not None
    if eyes != OPEN:
        known = concealed(table, moment.after, eyes)
        return {"picture": pictured(table, moment, known, eyes, [], lang)}
    return {
        "picture": table.game.view(table.config, moment.after, _whose(moment), [], lang),
        "text": table.game.words.position(table.config, moment.after, lang),
    }


def _whose(moment: Moment) -> int | None:
    """Through whose eyes an open table is drawn: of whoever moves next, in the end of whoever moved last."""
    turn = int(moment.after["player"])
    return turn if turn >= 0 else moment.seat if moment.seat != NOBODY else None


def _all_of(table: Table, moment: Moment) -> list[Text]:
    """Everything there is to tell of an action."""
    assert table.game is not None
    if moment.seat == NOBODY or moment.action == UNDO:
        return []
    words = table.game.words
    told: list[Text] = [words.describe(table.config, moment.action)]
    return [*told, *words.events(table.config, moment.before, moment.after, moment.action)]
