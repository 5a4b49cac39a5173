"""The pictures of Pig's rules; the text itself is in `rules.en.md` and `rules.ru.md`."""

from __future__ import annotations

from playmill.author.words import Position

PICTURES = {
    "start": Position(),
    "middle": Position(lambda config, s: s["pot"] > 0 and min(s["total"]) > 0, agent="threshold"),
    "end": Position(lambda config, s: s["winner"] >= 0, agent="threshold"),
}
