"""What the pictures of all games have in common: who looks at what (`Scene`), the header, the phases, a button."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import Generic, Self, TypeVar

import numpy as np

from playmill.drawing.layout import Part, panel
from playmill.drawing.lettering import clean, width_of
from playmill.drawing.svg import EMBER, FAINT, INK, NIGHT, PANEL, box, label, pill, sentence, text
from playmill.texts import Lang, Text, as_text

ConfigT = TypeVar("ConfigT")

#: A picture of two columns: the width of one, the room beside what stands in it, and the smallest words.
COLUMN, PAD, SMALL = 466, 18, 15.5
ROOM = COLUMN - 2 * PAD

OVER = Text("The game is over", "Партия окончена")
YOU = Text("you", "вы")
_DECIDES = Text("{} decides", "решает {}")
_YOU_DECIDE = Text("{}: your decision", "{}: решаете вы")


@dataclass(frozen=True)
class Scene(Generic[ConfigT]):
    """A position as somebody sees it (None: a spectator), what they can do, in ascending order, and their language."""

    config: ConfigT
    s: np.void
    viewer: int | None
    legal: AbstractSet[int]
    lang: Lang

    @classmethod
    def seen(cls, config: ConfigT, s: np.void, player: int | None, legal: Sequence[int], lang: Lang) -> Self:
        """The scene of a `view`, whose `legal` are those of the player to move: nobody else is offered them."""
        offered = sorted(map(int, legal)) if player is not None and player == s["player"] else ()
        return cls(config, s, player, dict.fromkeys(offered).keys(), lang)

    @property
    def over(self) -> bool:
        """Whether the game is over."""
        return bool(self.s["player"] < 0)

    def say(self, words: Text | str | None, *values: object, **named: object) -> str:
        """Words in the language of the picture, filled in, without characters that would spoil it; None is none."""
        said = as_text(words or "")
        return clean((said.format(*values, **named) if values or named else said).of(self.lang))

    def name(self, who: Text, seat: int) -> str:
        """A player as the head of their part of the table: "Player 2 – you"."""
        return sentence(self.say(who)) + (f" – {self.say(YOU)}" if seat == self.viewer else "")

    def decides(self, who: Text) -> str:
        """Who is to decide: "Player 2 decides", "Player 2: your decision"."""
        return sentence(self.say(_YOU_DECIDE if self.s["player"] == self.viewer else _DECIDES, who))


def header(scene: Scene[ConfigT], title: Text, turn: str, status: str, *, sign: str = "") -> Part:
    """A panel with the title, the turn beside it, and under them who decides or has won.

    In front of that there is room for a `sign` of 28 by 28 around (PAD + 14, 64).
    """
    name, notice = scene.say(title), scene.over or scene.s["player"] == scene.viewer
    # A long title grows smaller beside its turn, which is as small as words may be.
    room = min(ROOM - 150, ROOM - 20 - width_of(turn, SMALL))
    left = PAD + 36 if sign else PAD
    drawn = label(PAD, 37, name, 26, room)
    drawn += text(COLUMN - PAD, 35, turn, SMALL, "end", FAINT) + sign
    ink = EMBER if notice else INK
    return panel(drawn + label(left, 70, status, 18, COLUMN - PAD - left, fill=ink, bold=not scene.over), COLUMN, 92)


def phase_strip(phases: Iterable[tuple[str, bool]], notices: Iterable[str] = ()) -> Part:
    """A panel with the phases of a turn, the present one marked, and what is special about it."""
    pills = [(line, NIGHT if now else PANEL, "#ffffff" if now else FAINT) for line, now in phases]
    pills += [(sentence(line), EMBER, "#ffffff") for line in notices]
    drawn, x, y = "", PAD - 6.0, 11.0
    for line, fill, ink in pills:
        face, wide = pill(x, y, line, fill, ink, SMALL)
        if x + wide > COLUMN - PAD + 6:
            x, y = PAD - 6.0, y + 36
            face, wide = pill(x, y, line, fill, ink, SMALL)
        drawn += face
        x += wide + 5
    return panel(drawn, COLUMN, max(92.0, y + 42))


def button(
    x: float, y: float, width: float, line: str, *, height: float = 42, fill: str = NIGHT, ink: str = "#ffffff"
) -> str:
    """The face of a button with its words, to be made clickable (see `things`)."""
    face = box(x, y, width, height, fill, round(height / 4.2), 'class="face" stroke-width="2"', NIGHT)
    size, base = round(height * 0.405), y + round(height * 0.64)
    return face + label(x + width / 2, base, line, size, width - 12, "middle", ink)
