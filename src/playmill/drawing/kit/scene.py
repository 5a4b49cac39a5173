"""Who looks at a table, how its things are named and clicked, and which options have found a place."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from typing import Any

from playmill.drawing.kit.parts import Click, Words
from playmill.drawing.scene import Scene
from playmill.drawing.svg import sentence
from playmill.drawing.things import lying, part, refused, whole
from playmill.texts import Text

_UNFIT = re.compile(r"[^\w.-]+")
#: Pieces that stand for each other where they lie together and belong to the same options.
_ALIKE = ("card", "die", "token")


@dataclass(frozen=True)
class TableScene(Scene[Any]):
    """A position as somebody sees it, with what the pictures of all tables need of its game."""

    title: Words
    #: How each seat is called; empty if nobody can tell how many play.
    players: Sequence[Text]
    #: Who is to move, or how the game ended.
    status: Text
    #: An action as a phrase.
    describe: Callable[[int], Words]
    _done: set[int] = field(default_factory=set)
    _named: dict[str, int] = field(default_factory=dict)
    #: Where each of them lies, and what it is.
    _among: dict[str, str] = field(default_factory=dict)

    @property
    def left(self) -> list[int]:
        """The options that nothing was drawn for yet."""
        return [action for action in self.legal if action not in self._done]

    def named(self, kind: str, key: str | int | None, place: str) -> str:
        """The name of a thing: that of its key, or of its place; the second of the same name gets a number."""
        name = place if key is None else key if isinstance(key, str) else f"{kind}-{key}"
        name = _UNFIT.sub("-", name)
        self._named[name] = count = self._named.get(name, 0) + 1
        name = name if count == 1 else f"{name}-{count}"
        if kind in _ALIKE:
            self._among[name] = _UNFIT.sub("-", f"{kind}-{place.rpartition('-')[0]}")
        return name

    def offered(self, click: Click) -> list[int]:
        """The options of the viewer that a click belongs to."""
        return [one for one in ([click] if isinstance(click, int) else click or ()) if one in self.legal]

    def thing(
        self,
        click: Click,
        name: str,
        body: str,
        *,
        seen: str = "",
        why: Words = "",
        origin: str | int | None = None,
        go: bool = False,
        until: Words = "",
    ) -> str:
        """A thing that is an option, a part of some, one that says why it is none, or one that lies there."""
        options, begin = self.offered(click), "" if origin is None else _UNFIT.sub("-", str(origin))
        self._done.update(options)
        if not options:
            reason: AbstractSet[int] | str = self.legal and self.say(why)
            if isinstance(reason, str) and reason:
                return refused(name, reason, body, title=seen, origin=begin)
            return lying(name, body, title=seen, origin=begin)
        if isinstance(click, int):
            described = self.say(self.describe(click))
            return whole(
                click,
                f"{described}. {sentence(seen)}" if seen and seen != described else described,
                body,
                thing=name,
                origin=begin,
            )
        title = seen or self.say(self.describe(options[0]))
        alike = self._among.get(name, "")
        return part(name, options, title, body, go=go, until=self.say(until), origin=begin, alike=alike)
