"""What every picture of a game begins with: what is drawn, for whom, in which language, and what can be clicked."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from html import escape
from typing import Generic, Self, TypeVar

import numpy as np

from playmill.engine.config import RuleConfig
from playmill.games.lettering import clean
from playmill.games.svg import sentence
from playmill.texts import Lang, Text

Rules = TypeVar("Rules", bound=RuleConfig)


@dataclass(frozen=True)
class Scene(Generic[Rules]):
    """What is drawn, for whom, and what that player can do."""

    config: Rules
    s: np.void
    viewer: int | None
    legal: tuple[int, ...]
    lang: Lang

    @classmethod
    def seen_by(cls, player: int | None, config: Rules, s: np.void, legal: Iterable[int], lang: Lang) -> Self:
        """What a player sees, or a spectator (None); only the one to move is offered what is legal, ascending."""
        mine = player is not None and player == s["player"]
        return cls(config, s, player, tuple(sorted(map(int, legal))) if mine else (), lang)

    def say(self, words: Text) -> str:
        """Words in the language of the picture, without characters that would spoil it."""
        return clean(words.of(self.lang))


@dataclass(frozen=True)
class Part:
    """A piece of a picture with its size."""

    drawn: str
    width: float
    height: float


def clickable(action: int, line: str, body: str, *, keys: bool = True) -> str:
    """Something drawn, made clickable, mostly by keys too; the line shows when it is pointed at."""
    reached = ' role="button" tabindex="0"' if keys else ""
    return f'<g class="act" data-a="{action}"{reached}><title>{escape(sentence(line))}</title>{body}</g>'


def titled(line: str, body: str) -> str:
    """Something drawn, with words that show when it is pointed at."""
    return f"<g><title>{escape(line)}</title>{body}</g>"
