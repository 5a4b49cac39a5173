"""Text in pictures: width of a line, fitting, wrapping, and removal of characters that XML forbids."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

#: Letters that are narrower or wider than others.
_BREADTHS = {
    " ',.IJijl·-/:;\\f|": 0.36,
    '!()[]rt"': 0.43,
    "+<=>×−wыфюM": 0.85,
    "жш%m½Ы": 0.95,
    "@W—…щШ": 1.05,
    "ЖЩЮ": 1.12,
}
#: Characters that XML forbids, and those that turn the direction of what follows.
_UNFIT = re.compile(r"[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]|[\u202a-\u202e\u2066-\u2069]")


def clean(line: str) -> str:
    """A line without characters that a picture cannot hold."""
    return _UNFIT.sub("\ufffd", line)


def width_of(line: str, size: float, bold: bool = False) -> float:
    """About how wide a line is in a wide font."""
    return size * sum(map(_breadth, line)) * (1.11 if bold else 1.0)


@lru_cache(maxsize=1024)
def _breadth(letter: str) -> float:
    """The width of a letter in DejaVu Sans, the widest of the fonts in use, as part of its size."""
    if unicodedata.combining(letter):
        return 0.0
    if unicodedata.east_asian_width(letter) in "WF" or ord(letter) >= 0x1F000:
        return 1.1
    for letters, width in _BREADTHS.items():
        if letter in letters:
            return width
    return 0.76 if letter.isupper() else 0.63


def fit(line: str, size: float, room: float, bold: bool = False) -> str:
    """A line cut with dots where it would be too wide."""
    if width_of(line, size, bold) <= room:
        return line
    while line and width_of(line + "…", size, bold) > room:
        line = line[:-1]
    return line.rstrip() + "…"


def wrapped(line: str, size: float, room: float, bold: bool = False) -> list[str]:
    """A line broken into several that fit; a word too wide for one is broken anywhere."""
    lines, now = [], ""
    for word in line.split(" "):
        tried = f"{now} {word}" if now else word
        if width_of(tried, size, bold) > room:
            lines += [now] if now else []
            tried = word
        while width_of(tried, size, bold) > room:
            cut = next(n for n in range(len(tried), 0, -1) if n == 1 or width_of(tried[:n], size, bold) <= room)
            lines.append(tried[:cut])
            tried = tried[cut:]
        now = tried
    return [*lines, now] if now else lines
