"""A table for those who do not see it: the position in words, with nothing in it that its reader cannot know."""

from __future__ import annotations

from playmill.texts import Lang
from playmill.web.careful import carefully
from playmill.web.sight import told_position
from playmill.web.table import Table


def position_in_words(table: Table, seat: int | None, lang: Lang) -> str:
    """The present position as far as somebody may know it, a line each."""
    if table.game is None or table.trouble is not None:
        return ""
    after = table.moments[-1].after
    return carefully(table, lambda: told_position(table, after, seat, lang), "")
