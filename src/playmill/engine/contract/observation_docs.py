"""Documentation of observations: a game's module `legend` describes each key of `seen`, for a page and for checks.

A path is written as `players[].hand[]`: `[]` stands for every entry of a list, `{}` for every value of an object whose
keys are names. Whatever `seen` tells must be explained, and be of the kind and in the range that is said.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from playmill.texts import Text, accept_strings

Kind = Literal["whole", "flag", "word", "text", "group"]
#: An end of a range: a number, or what a config makes it.
End = int | Callable[[Any], int] | None


@dataclass(frozen=True)
class Seen:
    """Documentation of a key of `seen`: its meaning, kind and range, and when it is null."""

    about: Text
    kinds: tuple[Kind, ...]
    low: End = None
    high: End = None
    words: tuple[str, ...] = ()
    null: Text | None = None

    def __post_init__(self) -> None:
        accept_strings(self, "about", "null")

    def ends(self, config: Any) -> tuple[int | None, int | None]:
        """The range of its numbers with a config."""
        low, high = (end(config) if callable(end) else end for end in (self.low, self.high))
        return low, high

    def allows(self, value: Any, config: Any) -> bool:
        """Whether a value fits the documentation."""
        if value is None:
            return self.null is not None
        if isinstance(value, bool):
            return "flag" in self.kinds
        if isinstance(value, int):
            low, high = self.ends(config)
            return "whole" in self.kinds and (low is None or value >= low) and (high is None or value <= high)
        if isinstance(value, str):
            return "text" in self.kinds or value in self.words
        return "group" in self.kinds and isinstance(value, (Mapping, list, tuple))


def whole(
    about: Text, low: End = 0, high: End = None, *, null: Text | None = None, words: tuple[str, ...] = ()
) -> Seen:
    """A whole number, or one of a few words in its place."""
    return Seen(about, ("whole", "word") if words else ("whole",), low, high, words, null)


def flag(about: Text, *, null: Text | None = None) -> Seen:
    """True or false."""
    return Seen(about, ("flag",), null=null)


def word(about: Text, *words: str, null: Text | None = None) -> Seen:
    """One of these words."""
    return Seen(about, ("word",), words=words, null=null)


def text(about: Text, *, null: Text | None = None) -> Seen:
    """Words in the language asked for, or a name of the author's."""
    return Seen(about, ("text",), null=null)


def group(about: Text, *, null: Text | None = None, words: tuple[str, ...] = ()) -> Seen:
    """A list or an object, whose parts have paths of their own."""
    return Seen(about, ("group", "word") if words else ("group",), words=words, null=null)


def unexplained(legend: Mapping[str, Seen], seen: Any, config: Any, met: set[str] | None = None) -> Iterator[Text]:
    """What of a `seen` is undocumented, or does not fit its documentation; paths that were met are added to `met`."""
    yield from _walk(legend, "", seen, config, met if met is not None else set())


def _walk(legend: Mapping[str, Seen], path: str, value: Any, config: Any, met: set[str]) -> Iterator[Text]:
    documented = legend.get(path)
    if documented is not None:
        met.add(path)
        if not documented.allows(value, config):
            yield Text(f"{path} is {value!r}", f"{path} — это {value!r}")
    if isinstance(value, Mapping):
        free = any(one.startswith(f"{path}{{}}") for one in legend)
        for key, part in value.items():
            inner = f"{path}{{}}" if free else f"{path}.{key}" if path else str(key)
            yield from _walk(legend, inner, part, config, met)
    elif isinstance(value, (list, tuple)):
        for part in value:
            yield from _walk(legend, f"{path}[]", part, config, met)
    elif documented is None:
        yield Text(f"{path} is not explained", f"{path} не объяснён")
