"""Explains characters that are no cells of a map: which cell was probably meant."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence

from playmill.author import Text
from playmill.games.influence.maps.hexes import HOLE, STRONG, WEAK

#: The same letters in the other case; look-alikes and the same keys of the Russian layout; other signs for a hole.
MEANT = {
    WEAK: "WшщШЩцЦԝԜвВωѡ8",
    STRONG: "sѕЅыЫсС$5",
    HOLE: "юЮ,·•∙‧。…-_–—#0*xX ",
}
NAMES = {WEAK: Text("weak", "слабая"), STRONG: Text("strong", "сильная"), HOLE: Text("a hole", "дыра")}


def meant_by(sign: str) -> str | None:
    """The cell that a wrong character probably stands for."""
    plain = unicodedata.normalize("NFKC", sign)
    if plain in MEANT:
        return plain
    return next((cell for cell, signs in MEANT.items() if sign in signs or plain in signs), None)


def wrong_sign(sign: str, columns: Sequence[int]) -> Text:
    """That a character is no cell: which, where, which there are, and which may have been meant."""
    shown = _shown(sign)
    where = _where(columns)
    guess = meant_by(sign)
    return Text(
        f"{shown.en} at {where.en}; expected w (weak), S (strong) or . (a hole)"
        + (f'; did you mean "{guess}"?' if guess else ""),
        f"{shown.ru} в {where.ru}; ожидается: w (слабая), S (сильная) или . (дыра)"
        + (f'; может быть, "{guess}"?' if guess else ""),
    )


def _shown(sign: str) -> Text:
    """A character for people: those one cannot tell from ours, or cannot see, with their code."""
    code = f"U+{ord(sign):04X}"
    if not sign.isprintable():
        return Text(f"a character {code}", f"символ {code}")
    if sign.isascii():
        return Text(f'"{sign}"', f'"{sign}"')
    if unicodedata.name(sign, "").startswith("CYRILLIC"):
        return Text(f'"{sign}" (Cyrillic, {code})', f'"{sign}" (кириллица, {code})')
    return Text(f'"{sign}" ({code})', f'"{sign}" ({code})')


def _where(columns: Sequence[int]) -> Text:
    listed = ", ".join(map(str, columns[:8])) + ("…" if len(columns) > 8 else "")
    if len(columns) == 1:
        return Text(f"column {listed}, counted from 0", f"столбце {listed}, считая с 0")
    return Text(f"columns {listed}, counted from 0", f"столбцах {listed}, считая с 0")
