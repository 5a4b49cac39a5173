"""A map being drawn: its text, mistakes, facts and picture, also as JSON for the editor's script."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from html import escape
from itertools import groupby
from typing import Any

from playmill.engine.config.json_input import parsed
from playmill.engine.contract.map_editor import Canvas, Drawing, Easel, is_alike, symmetries_of
from playmill.texts import Lang, PlaymillError, Text, as_text
from playmill.web.lab.map_editor.phrases import DRAW

#: Mistakes that are shown; mending one may mend others.
_SHOWN = 4
#: Margin of the canvas for the numbers of rows and columns, their font size, and the radius of a pin.
_EDGE, _LETTERS, _PIN = 24.0, 12, 11


@dataclass(frozen=True)
class MapDraft:
    """A map as it was drawn or written, with its mistakes; `drawing` is None where a text cannot be drawn."""

    easel: Easel
    text: str
    drawing: Drawing | None
    mistakes: Sequence[Text] = field(default=())

    @classmethod
    def of(cls, easel: Easel, drawing: Drawing) -> MapDraft:
        """The draft of a drawing, valid or not."""
        value = easel.value(drawing)
        return cls(easel, easel.text(value), drawing, list(easel.mistakes(value)))

    @classmethod
    def of_value(cls, easel: Easel, value: Any, text: str = "") -> MapDraft:
        """The draft of a value: drawn if there are no mistakes in it."""
        if mistakes := [as_text(message) for message in easel.mistakes(value)]:
            return cls(easel, text, None, mistakes)
        return cls.of(easel, easel.drawn(value))

    @classmethod
    def of_text(cls, easel: Easel, text: str) -> MapDraft:
        """The draft of a text that was typed, with its mistakes."""
        try:
            value = parsed(text, DRAW["text"].en, wanted=DRAW["wanted"], alone=DRAW["alone"])
        except PlaymillError as error:
            said = Text(error.text.en, error.text.ru.replace(DRAW["text"].en, DRAW["text"].ru, 1))
            return cls(easel, text, None, [said])
        return cls.of_value(easel, value, text)

    def played(self) -> MapDraft:
        """Itself, if it is valid; else raises the first mistake."""
        if self.mistakes:
            raise PlaymillError(*self.mistakes[0])
        return self

    @property
    def value(self) -> Any:
        """The value of the setting; raises the first mistake."""
        drawing = self.played().drawing
        assert drawing is not None
        return self.easel.value(drawing)

    @cached_property
    def canvas(self) -> Canvas:
        """The canvas; the default one where there is no drawing."""
        return self.easel.canvas(*(self.drawing.size if self.drawing else self.easel.usual))

    @property
    def players(self) -> int:
        """The fewest players whose pins are all there; 0 if there are none."""
        pins = self.drawing.pins if self.drawing else {}
        whole = [one.players for one in self.easel.pins if one.players and None not in pins.get(one.key, (None,))]
        return min(whole, default=0)

    @property
    def invites(self) -> bool:
        """Whether its only fault is that nothing is drawn yet: then a hint is shown, no mistake."""
        drawing = self.drawing
        if drawing is None or not drawing.is_empty or not self.mistakes:
            return False
        return all(pin is None for pins in drawing.pins.values() for pin in pins)

    def first_mistakes(self) -> Iterator[Text]:
        """The first mistakes, and how many more there are."""
        yield from self.mistakes[:_SHOWN]
        if (more := len(self.mistakes) - _SHOWN) > 0:
            yield DRAW["more"].format(more)

    def said(self, lang: Lang) -> dict[str, Any]:
        """All data that changes with every stroke, in one language."""
        drawing = self.drawing
        facts = self.easel.facts(drawing) if drawing else ()
        return {
            "text": self.text,
            "invites": self.invites,
            "mistakes": [text.of(lang) for text in self.first_mistakes()],
            "notes": [as_text(note).of(lang) for note in (self.easel.notes(drawing) if drawing else ())],
            "facts": [[fact.name.of(lang), fact.value.of(lang)] for fact in facts],
            "rows": list(self._rows(lang)),
        }

    def whole(self, lang: Lang) -> dict[str, Any]:
        """All data that the editor needs: the same, the drawing, its canvas and its symmetries."""
        found = self.said(lang)
        if self.drawing is None:
            return found
        ways = symmetries_of(self.canvas, self.drawing)
        alike = [one for one in self.canvas.symmetries if one.key in ways and is_alike(self.drawing, ways[one.key])]
        return {
            **found,
            "name": self.drawing.name,
            "size": list(self.drawing.size),
            "kinds": list(self.drawing.kinds),
            "pins": {key: list(pins) for key, pins in self.drawing.pins.items()},
            "places": [[place.row, place.column] for place in self.canvas.places],
            "symmetries": {key: [list(step) for step in way] for key, way in ways.items()},
            "alike": max(alike, key=lambda one: one.order).key if alike else "",
            "svg": self.picture(lang),
        }

    def _rows(self, lang: Lang) -> Iterator[str]:
        """Each row in words."""
        if self.drawing is None:
            return
        marks = zip(self.canvas.places, self.drawing.kinds, strict=True)
        for row, places in groupby(marks, key=lambda mark: mark[0].row):
            spans = []
            for kind, run in groupby(places, key=lambda mark: mark[1]):
                columns = [place.column for place, _ in run]
                span = str(columns[0]) if len(columns) == 1 else f"{columns[0]}–{columns[-1]}"
                spans.append(f"{self.easel.kinds[kind].name.of(lang)} {span}")
            yield f"{DRAW['row'].of(lang).format(row)}: {', '.join(spans)}"

    def picture(self, lang: Lang) -> str:
        """The drawing as SVG, every cell a group of its own, with the pins of the fewest players."""
        canvas, drawing = self.canvas, self.drawing
        if drawing is None:
            return ""
        shown = next((group.key for group in self.easel.pins if group.players == self.players), "")
        pins = {place: number for number, place in enumerate(drawing.pins.get(shown, ()), 1) if place is not None}
        wide, high = canvas.width + _EDGE + 4, canvas.height + _EDGE + 4
        parts = [
            f'<svg xmlns="http://www.w3.org/2000/svg" id="canvas" viewBox="0 0 {wide:.1f} {high:.1f}" role="img" '
            f'aria-label="{escape(DRAW["canvas"].of(lang))}"><g transform="translate({_EDGE} {_EDGE})">'
        ]
        for number, place in enumerate(canvas.places):
            kind, pin = drawing.kinds[number], pins.get(number)
            mark = f' data-pin="{pin}"' if pin else ""
            parts.append(
                f'<g class="spot" data-at="{number}" data-kind="{kind}"{mark} '
                f'transform="translate({place.x:.1f} {place.y:.1f})"><path class="ground" d="{canvas.outline}"/>'
                f'<path class="cell" d="{canvas.outline}" transform="scale({self.easel.kinds[kind].size:g})"/>'
                f'<circle class="pin" r="{_PIN}"/><text class="pin" y="5">{pin or ""}</text></g>'
            )
        parts += self._numbers()
        return "".join([*parts, "</g></svg>"])

    def _numbers(self) -> Iterator[str]:
        """The numbers of rows and columns, at the edges."""
        rows: set[int] = set()
        for place in self.canvas.places:
            if place.row not in rows:
                rows.add(place.row)
                yield f'<text class="edge" x="-8" y="{place.y + 4:.1f}" text-anchor="end">{place.row}</text>'
            if len(rows) == 1:
                yield f'<text class="edge" x="{place.x:.1f}" y="-8" text-anchor="middle">{place.column}</text>'
