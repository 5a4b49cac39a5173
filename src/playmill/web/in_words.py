"""A table for those who do not see it: the position in words, with nothing in it that its reader cannot know.

A game tells a whole position. So it is asked about several worlds that the reader cannot tell apart, always the same
ones: what the tellings have in common is known, and where they part there is a gap.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import takewhile

from playmill.texts import Lang
from playmill.web.sight import concealed, hides_nothing
from playmill.web.table import Table

#: So many worlds are told. That something hidden is the same in all of them by chance is rare, and then it is a guess.
_WORLDS = 10
_GAP = "…"


def position_in_words(table: Table, seat: int | None, lang: Lang) -> str:
    """The present position as far as somebody may know it, a line each."""
    if table.game is None or table.trouble is not None:
        return ""
    record = table.moments[-1].after
    worlds = 1 if hides_nothing(table.game) else _WORLDS
    told = [
        table.game.words.position(table.config, concealed(table, record, seat, luck), lang) for luck in range(worlds)
    ]
    return in_common(told)


def in_common(tellings: Sequence[str]) -> str:
    """What several tellings of a position have in common, line by line and word by word, with gaps for the rest."""
    if len(set(tellings)) == 1:
        return tellings[0]
    lines = [telling.splitlines() for telling in tellings]
    if len({len(one) for one in lines}) > 1:
        first, last = _ends(lines)
        return "\n".join([*lines[0][:first], _GAP, *lines[0][len(lines[0]) - last :]])
    return "\n".join(_common_line(alike) for alike in zip(*lines, strict=True))


def _common_line(alike: Sequence[str]) -> str:
    if len(set(alike)) == 1:
        return alike[0]
    words = [line.split(" ") for line in alike]
    first, last = _ends(words)
    return " ".join([*words[0][:first], _GAP, *words[0][len(words[0]) - last :]])


def _ends(parts: Sequence[Sequence[str]]) -> tuple[int, int]:
    """How many parts are the same in all of them at the beginning, and at the end; none is counted twice."""
    first = _same(parts)
    return first, _same([part[first:][::-1] for part in parts])


def _same(parts: Sequence[Sequence[str]]) -> int:
    return sum(1 for _ in takewhile(lambda found: len(set(found)) == 1, zip(*parts, strict=False)))
