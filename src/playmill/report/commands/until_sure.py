"""Report of a run until sure: the verdict in words, the sequence of intervals, and its plot."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from html import escape
from math import isfinite, log
from typing import Any

from rich.console import Console
from rich.text import Text as RichText

from playmill.report.html.page import plot_section, titled_page
from playmill.report.model.common_tables import FAIR, FAIR_SHARE
from playmill.report.model.tables import Estimate
from playmill.report.number_format import counted, decimal, estimate_digits, estimate_parts, percentage, short
from playmill.report.plots import Curve, LinePlot, LinePoint, Scale
from playmill.report.terminal.row_layout import print_words
from playmill.stats.block_jackknife import Path
from playmill.stats.confidence_sequences import SequenceLook
from playmill.texts import Lang, Text, user_language
from playmill.version import __version__

_DEALS = Text("deal|deals", "раздача|раздачи|раздач")
_AFTER = Text("deal|deals", "раздачи|раздач|раздач")
#: Looks that are drawn in the terminal, how wide, and how narrow where there is little room.
_LINES, _WIDTH, _NARROW, _USUAL_ROOM = 8, 48, 12, 80
#: This many times the room that matters is drawn: what was believed before is off the picture.
_ROOM = 6
PROMISE = Text(
    "The verdict is wrong in at most 5 % of such runs, however often it looks: a confidence sequence decides that bets"
    " on deals and holds for any number of them.",
    "Вердикт ошибочен не более чем в 5 % таких прогонов, сколько бы раз ни смотреть: решает доверительная"
    " последовательность, построенная ставками на раздачи; она верна при любом их числе.",
)
NEARLY = Text(
    "The verdict is wrong in about 5 % of such runs at most, however often it looks: a confidence sequence decides that"
    " takes the mean of many deals for normal. It begins after 512 of them, and not before what is rare was seen some"
    " dozens of times; values too rare to have been seen at all are not reckoned with.",
    "Вердикт ошибочен примерно в 5 % таких прогонов или реже, сколько бы раз ни смотреть: решает доверительная"
    " последовательность, для которой среднее многих раздач нормально. Она начинается с 512 раздач и не раньше, чем"
    " редкое встретится несколько десятков раз; то, что так редко, что не встретилось ни разу, не учтено.",
)


class Verdict(StrEnum):
    """Verdict of a sequential question."""

    SAME = "same"
    HIGHER = "higher"
    LOWER = "lower"
    KNOWN = "known"
    OPEN = "not settled"


@dataclass(frozen=True)
class Sure:
    """A question and its answer: the figure that decided, its reference, and the interval at each look.

    Of a comparison the figure is the difference b - a, held against 0. `near` is None where it was only to be known.
    """

    path: Path
    title: Text
    percent: bool
    compared: bool
    near: float | None
    #: What its reference is called, if it is what is fair.
    fair: Text | None
    within: float | None
    verdict: Verdict
    exact: bool
    looks: tuple[SequenceLook, ...]
    #: Deals that were not played now, but remembered; and whether those played now will be.
    before: int = 0
    kept: bool = False

    def __str__(self) -> str:
        return self.text("en")

    def _repr_html_(self) -> str:
        return f"<p>{escape(self.text(user_language()))}</p>{self.plot()._repr_html_()}"

    @property
    def name(self) -> str:
        """The name of the figure."""
        return ".".join(map(str, self.path))

    @property
    def settled(self) -> bool:
        """Whether the question was answered."""
        return self.verdict is not Verdict.OPEN

    @property
    def last(self) -> SequenceLook:
        """What was believed at the end."""
        return self.looks[-1]

    @property
    def zone(self) -> tuple[float, float] | None:
        """Where the figure is as good as what it is held against."""
        if self.near is None:
            return None
        return self.near - (self.within or 0.0), self.near + (self.within or 0.0)

    def json(self) -> dict[str, Any]:
        """Returns the JSON form, as it is saved."""
        last = self.last
        return {
            "figure": self.name,
            "near": None if self.compared else self.near,
            "within": self.within,
            "verdict": str(self.verdict),
            "settled": self.settled,
            "exact": self.exact,
            "deals": last.n,
            "interval": dict(zip(("value", "low", "high"), map(_saved, last[1:]), strict=True)),
            "looks": [[look.n, *map(_saved, look[1:])] for look in self.looks],
        }

    # In words

    def text(self, lang: Lang) -> str:
        """Returns the verdict in one or two sentences."""
        sentence = {
            Verdict.SAME: self._same,
            Verdict.HIGHER: self._higher,
            Verdict.LOWER: self._lower,
            Verdict.KNOWN: self._known,
            Verdict.OPEN: self._open,
        }[self.verdict](lang)
        return f"{sentence} {self.title.of(lang)}: {self.interval(lang)}."

    def interval(self, lang: Lang, look: SequenceLook | None = None) -> str:
        """Returns what is believed of the figure, or of its difference."""
        look = look or self.last
        if not isfinite(look.high - look.low):
            return Text("unknown", "неизвестно").of(lang)
        found = Estimate(look.value, look.low, look.high, max(2, look.n))
        # One digit more than usual: how near an end is to what it is held against must be seen.
        digits = estimate_digits(found, percent=self.percent) + 1
        parts = estimate_parts(found, digits, percent=self.percent, lang=lang)
        return f"{'B − A = ' if self.compared else ''}{' '.join(parts)}"

    def _amount(self, number: float, lang: Lang) -> str:
        return percentage(number, _decimals(100 * number), lang) if self.percent else _plain(number, lang)

    def _near(self, lang: Lang) -> str:
        assert self.near is not None
        value = self._amount(self.near, lang)
        if self.fair is None:
            return value
        if self.fair in (FAIR, FAIR_SHARE):
            return f"{Text('the fair', 'честных').of(lang)} {value}"
        return f"{value} ({self.fair.of(lang).rstrip(':')})"

    def _same(self, lang: Lang) -> str:
        d = self._amount(self.within or 0.0, lang)
        if self.compared:
            return Text(f"The same within ±{d}.", f"Одинаково в пределах ±{d}.").of(lang)
        near = self._near(lang)
        return Text(f"Within ±{d} of {near}.", f"Не дальше ±{d} от {near}.").of(lang)

    def _higher(self, lang: Lang) -> str:
        return self._beyond(lang, Text("higher", "выше"), Text("above", "выше"))

    def _lower(self, lang: Lang) -> str:
        return self._beyond(lang, Text("lower", "ниже"), Text("below", "ниже"))

    def _beyond(self, lang: Lang, way: Text, side: Text) -> str:
        d = self._amount(self.within, lang) if self.within else None
        if self.compared:
            by = Text(f" by at least {d}", f" хотя бы на {d}").of(lang) if d else ""
            return Text(f"B is {way.en}{by}.", f"B {way.ru}{by}.").of(lang)
        near = self._near(lang)
        by = Text(f"more than {d} ", f"больше чем на {d} ").of(lang) if d else ""
        message = Text(f"{by}{side.en} {near}.", f"{by}{side.ru} {near}.").of(lang)
        return message[0].upper() + message[1:]

    def _known(self, lang: Lang) -> str:
        d = self._amount(self.within or 0.0, lang)
        return Text(f"Known within ±{d}.", f"Известно с точностью ±{d}.").of(lang)

    def _open(self, lang: Lang) -> str:
        played = Text(counted(self.last.n, _DEALS, "en"), counted(self.last.n, _AFTER, "ru"))
        message = Text(f"Not settled after {played.en}.", f"После {played.ru} не решено.").of(lang)
        if self.near is not None and self.within and not self.last.low <= self.near <= self.last.high:
            up = self.last.low > self.near
            what = Text("B is", "B") if self.compared else Text("It is", "Показатель")
            way = Text("higher" if up else "lower", "выше" if up else "ниже")
            d = self._amount(self.within, lang)
            message += Text(
                f" {what.en} {way.en}, but it is open whether by {d}.", f" {what.ru} {way.ru}, но на {d} ли — неясно."
            ).of(lang)
        return message

    # In pictures

    def plot(self) -> LinePlot:
        """Returns what was believed as games went on, from when it is worth a look."""
        shown = self._shown()
        d = Text(*(self._amount(self.within or 0.0, lang) for lang in ("en", "ru")))
        curve = Curve(self.title, tuple(LinePoint(look.n, look.value, look.low, look.high) for look in shown))
        return LinePlot(
            Text("What was known as the run went on", "Что было известно по ходу прогона"),
            Scale(Text("deals", "раздачи"), log=True),
            Scale(Text("B − A", "B − A") if self.compared else self.title, percent=self.percent),
            (curve,),
            reference=self.near,
            reference_label=self._reference() if self.near is not None else None,
            stripe=self.zone if self.within else None,
            stripe_label=Text(f"within ±{d.en}", f"в пределах ±{d.ru}") if self.within else None,
        )

    def _reference(self) -> Text:
        if self.compared:
            return Text("no difference", "нет разницы")
        if self.fair is None:
            return Text(*(self._near(lang) for lang in ("en", "ru")))
        return FAIR if self.fair == FAIR_SHARE else self.fair

    def _shown(self) -> Sequence[SequenceLook]:
        """Returns the looks at which not everything was believed; never fewer than the last ones."""
        last = self.last
        room = _ROOM * max(last.high - last.low, 2 * (self.within or 0.0))
        shown = [look for look in self.looks if look.high - look.low <= room] or [last]
        return [look for look in shown if isfinite(look.high - look.low)]

    def lines(self, lang: Lang, room: int = _USUAL_ROOM) -> list[str]:
        """The same for a terminal: some looks, each a line with its interval, no wider than the room."""
        if not (shown := _spread(self._shown(), _LINES)):
            return []
        zone = self.zone
        ends = [end for look in shown for end in (look.low, look.high)] + list(zone or ())
        low, high = min(ends), max(ends)
        wide = max(len(decimal(look.n, 0, lang)) for look in shown)
        drawn = max(_NARROW, min(_WIDTH, room - wide - 2))
        scale = (drawn - 1) / (high - low) if high > low else 0.0
        made = []
        for look in shown:
            signs = [" "] * drawn
            left, middle, right = (round((end - low) * scale) for end in (look.low, look.value, look.high))
            signs[left : right + 1] = ["-"] * (right + 1 - left)
            for edge in {*(zone or ())}:
                signs[round((edge - low) * scale)] = ":"
            signs[left], signs[right], signs[middle] = "[", "]", "o"
            made.append(f"{decimal(look.n, 0, lang):>{wide}}  {''.join(signs)}")
        return made


def print_sure(console: Console, sure: Sure, lang: Lang) -> None:
    """Prints the verdict and how it was reached."""
    style = "bold green" if sure.settled else "bold yellow"
    print_words(console, sure.text(lang), style)
    named = Text("deals", "раздач").of(lang)
    for number, line in enumerate(sure.lines(lang, console.width - len(named) - 4)):
        label = named if number == 0 else ""
        console.print(RichText(f"  {line}  {label}".rstrip(), style="dim"), highlight=False, soft_wrap=True)
    print_words(console, (PROMISE if sure.exact else NEARLY).of(lang), "dim")


def sure_parts(sure: Sure, lang: Lang) -> list[str]:
    """Returns the verdict and the plot, as parts of a page."""
    message = (PROMISE if sure.exact else NEARLY).of(lang)
    return [
        f'<section id="verdict"><h2>{escape(Text("Verdict", "Вердикт").of(lang))}</h2>'
        f'<p><b>{escape(sure.text(lang))}</b></p><p class="note">{escape(message)}</p></section>',
        plot_section(sure.plot(), lang, "sequence"),
    ]


def page_so_far(sure: Sure, title: Text, lang: Lang) -> str:
    """Returns a page of what is known while games are still being played."""
    kicker = Text("Playmill, until sure", "Playmill, пока не станет ясно")
    method = Text(
        "Games are being played; it ends by itself when the question is settled.",
        "Партии играются; всё закончится само, когда вопрос будет решён.",
    )
    return titled_page(title, sure_parts(sure, lang), lang, kicker=kicker, method=method, playmill=__version__)


def _spread(looks: Sequence[SequenceLook], most: int) -> list[SequenceLook]:
    """Returns some of the looks, about equal factors apart, always with the last one."""
    if len(looks) <= most:
        return list(looks)
    first, last = log(looks[0].n), log(looks[-1].n)
    wanted = [first + (last - first) * step / (most - 1) for step in range(most)]
    found = {min(looks, key=lambda look: abs(log(look.n) - place)).n for place in wanted}
    return [look for look in looks if look.n in found]


def _saved(number: float) -> float | None:
    return number if isfinite(number) else None


def _decimals(number: float) -> int:
    return next((digits for digits in range(4) if abs(round(number, digits) - number) < 1e-9), 4)


def _plain(number: float, lang: Lang) -> str:
    return decimal(number, _decimals(number), lang) if _decimals(number) < 4 else short(number, lang)
