"""Heat map: one figure over two numbers."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape

from playmill.report.model.tables import Estimate
from playmill.report.number_format import decimal, percentage
from playmill.report.plots.base import SIZE, Plot, Scale, estimate_text, shortened, words, words_width
from playmill.texts import Lang, Text

#: From this strength on a colour is dark enough (light enough, in the dark) for words in the colour of the page.
_STRONG = 0.55
_FAINTEST, _CELL = 0.06, 40.0


@dataclass(frozen=True)
class HeatMap(Plot):
    """A figure in every cell of a table; colour strength is the distance from the least, or from `middle`.

    `cells` has a row for each of `rows`, from top to bottom; a cell may be missing. Above `middle` the colour is
    another one than below.
    """

    title: Text
    x: Text
    y: Text
    columns: tuple[Text, ...]
    rows: tuple[Text, ...]
    cells: tuple[tuple[Estimate | None, ...], ...]
    value: Scale
    middle: float | None = None
    #: The cell that is framed, as (row, column): the setting that is compared with, or the best one.
    framed: tuple[int, int] | None = None

    def drawn(self, lang: Lang, width: int) -> tuple[float, str]:
        """Returns its height, and all that is drawn."""
        names = [row.of(lang) for row in self.rows]
        left = min(width * 0.3, max(map(words_width, names)) + 14)
        top, right = 34.0, width - 8.0
        room = (right - left) / max(1, len(self.columns))
        digits = self._digits(room)
        shapes = [words(2, 16, self.y.of(lang) + " ↓", kind="pm-title")]
        for number, name in enumerate(names):
            y = top + (number + 0.5) * _CELL + SIZE / 3
            shapes.append(words(left - 8, y, shortened(name, left - 10), "end", "pm-name"))
            shapes += [
                self._cell((number, column), left + column * room, top + number * _CELL, room, digits, lang)
                for column in range(len(self.columns))
            ]
        bottom = top + len(self.rows) * _CELL
        for column, title in enumerate(self.columns):
            label = shortened(title.of(lang), room - 2)
            shapes.append(words(left + (column + 0.5) * room, bottom + 18, label, "middle", "pm-name"))
        shapes.append(words((left + right) / 2, bottom + 40, self.x.of(lang), "middle", "pm-title"))
        if self.framed is not None:
            row, column = self.framed
            shapes.append(
                f'<rect class="pm-edge" x="{left + column * room + 2:.1f}" y="{top + row * _CELL + 2:.1f}"'
                f' width="{room - 4:.1f}" height="{_CELL - 4:.1f}" rx="3"/>'
            )
        return bottom + 50, "".join(shapes)

    def _digits(self, room: float) -> int | None:
        """Returns how many decimals fit into a cell; None if not even a whole number does."""
        values = [cell.value * (100 if self.value.percent else 1) for row in self.cells for cell in row if cell]
        spread = max(values, default=1.0) - min(values, default=0.0)
        wanted = 0 if spread >= 20 else 1 if spread >= 2 or self.value.percent else 2
        widest = max((len(f"{value:,.0f}") for value in values), default=1)
        fits = [
            digits for digits in range(wanted + 1) if words_width("0" * (widest + digits + bool(digits))) < room - 4
        ]
        return max(fits, default=None)

    def _strength(self, value: float) -> tuple[int, float]:
        """Returns the colour of a value, and how strong it is, 0 … 1."""
        values = [cell.value for row in self.cells for cell in row if cell]
        if self.middle is None:
            low, high = min(values), max(values)
            return 1, (value - low) / (high - low) if high > low else 0.5
        furthest = max(abs(one - self.middle) for one in values)
        return 1 if value >= self.middle else 2, abs(value - self.middle) / furthest if furthest else 0.0

    def _cell(self, at: tuple[int, int], x: float, y: float, room: float, digits: int | None, lang: Lang) -> str:
        cell = self.cells[at[0]][at[1]]
        if cell is None:
            return words(x + room / 2, y + _CELL / 2 + SIZE / 3, "—", "middle")
        colour, strength = self._strength(cell.value)
        names = (self.y, self.rows[at[0]], self.x, self.columns[at[1]])
        tip = "{} {}, {} {}: ".format(*(name.of(lang) for name in names)) + estimate_text(cell, self.value, lang)
        shown = ""
        if digits is not None:
            written = decimal(cell.value * (100 if self.value.percent else 1), digits, lang)
            full = percentage(cell.value, digits, lang) if self.value.percent else written
            shown = words(
                x + room / 2, y + _CELL / 2 + SIZE / 3, full if words_width(full) < room - 4 else written, "middle",
                "pm-on" if strength > _STRONG else "pm-name",
            )  # fmt: skip
        opacity = _FAINTEST + (1 - _FAINTEST) * strength
        return (
            f'<g class="pm-c{colour}"><title>{escape(tip)}</title>'
            f'<rect class="pm-cell" x="{x + 1:.1f}" y="{y + 1:.1f}" width="{room - 2:.1f}" height="{_CELL - 2:.1f}"'
            f' rx="3" fill-opacity="{opacity:.3f}"/>{shown}</g>'
        )
