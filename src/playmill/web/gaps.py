"""What several tellings of a position have in common, with gaps where they part."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import takewhile

GAP = "…"


def in_common(tellings: Sequence[str], gap: str = GAP) -> str:
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
