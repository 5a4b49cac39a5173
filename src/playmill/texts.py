"""Texts people read, always in both languages, and the errors made of them."""

from __future__ import annotations

import locale
import os
from typing import Literal, NamedTuple

Lang = Literal["en", "ru"]
LANGUAGES: tuple[Lang, ...] = ("en", "ru")


class Text(NamedTuple):
    """One text in English and in Russian."""

    en: str
    ru: str

    def of(self, lang: Lang) -> str:
        """The text in one language."""
        return self.ru if lang == "ru" else self.en


class PlaymillError(ValueError):
    """A mistake of the caller, told in one sentence; `str(error)` is the English one."""

    def __init__(self, en: str, ru: str) -> None:
        super().__init__(en)
        self.text = Text(en, ru)


def user_language() -> Lang:
    """The language of PLAYMILL_LANG, else of the user's locale, else English."""
    wanted = os.environ.get("PLAYMILL_LANG", "")[:2].lower()
    if wanted in LANGUAGES:
        return wanted
    for variable in ("LC_ALL", "LC_MESSAGES", "LANG"):
        if os.environ.get(variable):
            return "ru" if os.environ[variable].lower().startswith("ru") else "en"
    return "ru" if (locale.getlocale()[0] or "").lower().startswith("ru") else "en"
