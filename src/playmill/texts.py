"""`Text`: bilingual texts; the errors made of them, plural forms, and the user's language."""

from __future__ import annotations

import locale
import os
import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Literal, NamedTuple, SupportsIndex, TypeVar

Lang = Literal["en", "ru"]
Name = TypeVar("Name")
LANGUAGES: tuple[Lang, ...] = ("en", "ru")


class Text(NamedTuple):
    """One text in English and in Russian."""

    en: str
    ru: str

    def of(self, lang: Lang) -> str:
        """The text in one language."""
        return self.ru if lang == "ru" else self.en

    def format(self, *values: object, **named: object) -> Text:
        """Fills in values as `str.format` does, a `Text` in its own language each time.

        After a number stands the form of a noun that goes with it (see `plural`): `{n} {n:card|cards}` in English,
        `{n} {n:карта|карты|карт}` in Russian.
        """
        filled = []
        for place, phrase in enumerate(self):
            inside = {name: _value(value, place) for name, value in named.items()}
            filled.append(phrase.format(*(_value(value, place) for value in values), **inside))
        return Text(*filled)

    @classmethod
    def join(cls, parts: Iterable[Text | str], between: Text | str = ", ") -> Text:
        """Texts in a row, in each language by itself; a string is the same in both."""
        listed, glue = [as_text(part) for part in parts], as_text(between)
        return cls(*(between.join(texts) for between, *texts in zip(glue, *listed, strict=True)))


class _Number(int):
    """A number in a text, which picks the form of a noun where the format has forms."""

    def __format__(self, spec: str) -> str:
        return plural(self, spec) if "|" in spec else super().__format__(spec)


def _value(value: object, place: int) -> object:
    """A value as it stands in the language at a place of LANGUAGES."""
    if isinstance(value, Text):
        return value[place]
    index = None if isinstance(value, bool) else getattr(value, "__index__", None)
    return value if index is None else _Number(index())


def plural(n: SupportsIndex, forms: str) -> str:
    """The form of a noun that goes with a number: of `one|many` as in English, of `один|два|пять` as in Russian."""
    count, words = abs(int(n)), forms.split("|")
    if len(words) < 3:
        return words[0 if count == 1 else -1]
    if count % 10 == 1 and count % 100 != 11:
        return words[0]
    return words[1 if count % 10 in (2, 3, 4) and count % 100 not in (12, 13, 14) else 2]


def as_text(text: Text | str) -> Text:
    """A text in both languages; one that is the same in both may be a plain string."""
    return text if isinstance(text, Text) else Text(text, text)


def texts_of(text: Mapping[Name, Text | str]) -> dict[Name, Text]:
    """Named texts, of which any may be a plain string."""
    return {name: as_text(one) for name, one in text.items()}


def accept_strings(made: object, *fields: str) -> None:
    """Makes texts of plain strings in these fields of a frozen record: a game may speak one language."""
    for name in fields:
        if isinstance(text := getattr(made, name), str):
            object.__setattr__(made, name, as_text(text))


class PlaymillError(ValueError):
    """An error of the caller, in one sentence; `str(error)` is the English one.

    One text stands for both languages, as everywhere in a game that speaks one. Sentences quote what users wrote, so
    they pass through `one_line`.
    """

    def __init__(self, en: str, ru: str | None = None) -> None:
        self.text = Text(one_line(en), one_line(en if ru is None else ru))
        super().__init__(self.text.en)

    @property
    def public(self) -> Text:
        """The same for strangers: without paths of the machine."""
        return Text(*(_PATH.sub(r"\1", text) for text in self.text))


class WrongListError(PlaymillError):
    """A list that cannot answer several decisions at once as it was to; `instead` is the action taken in its place."""

    def __init__(self, instead: int, en: str, ru: str | None = None) -> None:
        super().__init__(en, ru)
        self.instead = instead


#: A path of two steps or more from the root, of which strangers are shown the last step.
_PATH = re.compile(r"(?<![\w.:/])(?:[A-Za-z]:)?[/\\](?:[^\s/\\'\"]+[/\\])+([^\s/\\'\",;:)]*)")

#: The longest word and the longest sentence that is shown whole.
LONGEST_WORD, LONGEST_SENTENCE = 240, 2000


def one_line(text: str) -> str:
    """A text as one line that no terminal obeys: what cannot be seen is escaped, what is too long loses its middle."""
    seen = text if text.isprintable() else "".join(map(_visible, text))
    if len(seen) <= LONGEST_WORD:
        return seen
    return _clipped(" ".join(_clipped(word, LONGEST_WORD) for word in seen.split(" ")), LONGEST_SENTENCE)


def near_to(wrong: str, known: Iterable[str], *, likeness: float = 0.6) -> Text:
    """The end of a sentence on an unknown name: which one may have been meant, or nothing."""
    from difflib import get_close_matches

    near = get_close_matches(wrong, list(known), 1, likeness)
    return Text(f"; did you mean {near[0]!r}?", f"; может быть, {near[0]!r}?") if near else Text("", "")


def _visible(sign: str) -> str:
    return sign if sign.isprintable() or unicodedata.category(sign) == "Zs" else ascii(sign)[1:-1]


def _clipped(text: str, most: int) -> str:
    """At most this many characters: of a longer text the beginning and the end, which tell what it was."""
    return text if len(text) <= most else f"{text[: most * 2 // 3]}…{text[len(text) - most // 3 + 1 :]}"


_asked_for: list[Lang] = []


@contextmanager
def speaking(lang: Lang) -> Iterator[None]:
    """While this lasts the user's language is the one asked for, in every thread."""
    _asked_for.append(lang)
    try:
        yield
    finally:
        _asked_for.pop()


def user_language() -> Lang:
    """The language asked for, else that of PLAYMILL_LANG, else of the user's locale, else English."""
    if _asked_for:
        return _asked_for[-1]
    wanted = os.environ.get("PLAYMILL_LANG", "")[:2].lower()
    if wanted in LANGUAGES:
        return wanted
    for variable in ("LC_ALL", "LC_MESSAGES", "LANG"):
        if os.environ.get(variable):
            return "ru" if os.environ[variable].lower().startswith("ru") else "en"
    return "ru" if (locale.getlocale()[0] or "").lower().startswith("ru") else "en"


def language_of(words: Sequence[str]) -> Lang:
    """The language asked for on a command line, wherever it stands, or the user's."""
    for place, word in enumerate(words):
        value = word.partition("=")[2] if word.startswith("--lang=") else ""
        if word == "--lang" and place + 1 < len(words):
            value = words[place + 1]
        if value in LANGUAGES:
            return value
    return user_language()
