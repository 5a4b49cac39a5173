"""English and Russian, told apart by their letters."""

from __future__ import annotations

import re

from playmill.texts import Lang, Text

CYRILLIC, LATIN = "[А-Яа-яЁё]", "[A-Za-z]"
#: The letters of the other language.
FOREIGN: dict[Lang, str] = {"en": CYRILLIC, "ru": LATIN}


def both(text: Text) -> None:
    """Fails unless a text speaks both languages, English without Russian letters, and leaves nothing to fill in."""
    assert re.search(LATIN, text.en) and not re.search(CYRILLIC, text.en), text
    assert re.search(CYRILLIC, text.ru), text
    assert "{" not in text.en + text.ru, text


def kept_to(line: str, lang: Lang, same: str = "") -> None:
    """Fails if a line has letters of the other language; `same` is a pattern of what is the same in both."""
    rest = re.sub(same, "", line) if same else line
    assert not re.search(FOREIGN[lang], rest), line
