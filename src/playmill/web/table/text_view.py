"""Text view of a position for one seat: what is hidden from it is left out.

A game describes a whole position. So it is asked about several worlds that the reader cannot tell apart: what the texts
have in common is known, and where they differ there is a gap.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import takewhile

import numpy as np

from playmill.engine.contract.game import hides_nothing
from playmill.texts import Lang
from playmill.web.table.author_errors import guarded
from playmill.web.table.concealed import concealed
from playmill.web.table.state import GameTable

GAP = "…"
#: Worlds that are compared. That something hidden is the same in all of them by chance is rare, and then it is a guess.
_WORLDS = 10


def text_view(table: GameTable, seat: int | None, lang: Lang) -> str:
    """The present position as far as somebody may know it, a line each."""
    if table.game is None or table.trouble is not None:
        return ""
    after = table.moments[-1].after
    return guarded(table, lambda: position_text(table, after, seat, lang), "")


def position_text(table: GameTable, record: np.void, seat: int | None, lang: Lang, gap: str = GAP) -> str:
    """Returns a position in words as far as a seat may know it, always from the same worlds."""
    assert table.game is not None
    worlds = 1 if hides_nothing(table.game) else _WORLDS
    tell = table.game.words.position
    return common_text(
        [tell(table.config, concealed(table, record, seat, world), lang) for world in range(worlds)], gap
    )


def common_text(tellings: Sequence[str], gap: str = GAP) -> str:
    """What several tellings of a position have in common, line by line and word by word, with gaps for the rest."""
    if len(set(tellings)) == 1:
        return tellings[0]
    lines = [telling.splitlines() for telling in tellings]
    if len({len(one) for one in lines}) > 1:
        first, last = _ends(lines)
        return "\n".join([*lines[0][:first], gap, *lines[0][len(lines[0]) - last :]])
    return "\n".join(_common_line(alike, gap) for alike in zip(*lines, strict=True))


def _common_line(alike: Sequence[str], gap: str) -> str:
    if len(set(alike)) == 1:
        return alike[0]
    words = [line.split(" ") for line in alike]
    first, last = _ends(words)
    return " ".join([*words[0][:first], gap, *words[0][len(words[0]) - last :]])


def _ends(parts: Sequence[Sequence[str]]) -> tuple[int, int]:
    """How many parts are the same in all of them at the beginning, and at the end; none is counted twice."""
    first = _same(parts)
    return first, _same([part[first:][::-1] for part in parts])


def _same(parts: Sequence[Sequence[str]]) -> int:
    return sum(1 for _ in takewhile(lambda found: len(set(found)) == 1, zip(*parts, strict=False)))
