"""Report of `compare`: real differences first, then every figure with a, b and b - a."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from html import escape
from math import isclose

from rich.console import Console
from rich.text import Text as RichText

from playmill.report.commands.side_by_side import figure_titles, label_columns, rows_of
from playmill.report.commands.until_sure import Sure, print_sure, sure_parts
from playmill.report.html.page import command_part, fact_list, page_of, section, warning
from playmill.report.model.tables import Cell, Chart, Estimate, RunInfo, Table
from playmill.report.number_format import counted, decimal, duration, percentage
from playmill.report.terminal.report_printer import agents_text, print_tables, print_title, setting_text, warning_texts
from playmill.report.terminal.row_layout import SPACE, print_words
from playmill.stats.differences import Difference
from playmill.texts import Lang, Text, plural

A, B = Text("A", "A"), Text("B", "B")
_DIFFERENCE = Text("B − A", "B − A")
_VERDICT = Text("real?", "настоящее?")
REAL, _NOT, _TOO_FEW = Text("yes", "да"), Text("no", "нет"), Text("too few to say", "мало данных")
#: What stands in the place of a difference in tables that say whether it is real.
_MARKS = {1.0: REAL, 0.0: _NOT, -1.0: _TOO_FEW}
#: The interval by which such a number is told from a figure that was not compared.
MARK_ENDS = (-9.0, 8.0)
_WHAT = Text("What differs", "Что отличается")
_DEALS = Text("deal|deals", "раздача|раздачи|раздач")
#: Real differences that are told first; the others are in the tables. While it is played, this many figures are shown.
_SHOWN, _LEADING = 12, 6
_PLAIN = Text("the rules as they are", "правила как есть")
#: So much of the variance is all of it: what is left would be told as thousands of times as many deals.
_ALL = 0.9995
LOOKED = Text(
    "Both sides play the same deals with the same luck, each deal from every seat where agents differ. The run was"
    " stopped by looking at one figure; the intervals (95 %) of all others hold at any such moment, too, as far as the"
    " mean of many deals is normal. A difference is called real after Holm's correction for looking at all figures.",
    "Обе стороны играют одни и те же раздачи с одной и той же удачей, а если агенты разные — с каждого места. Прогон"
    " остановлен по одному показателю; интервалы (95 %) остальных тоже верны в любой такой момент, насколько среднее"
    " многих раздач нормально. Отличие названо настоящим после поправки Холма на то, что показателей много.",
)
SHOWN = Text(
    "Both sides play the same deals with the same luck, each deal from every seat where agents differ. Figures were"
    " shown while it was played: the intervals (95 %) hold at any such moment, as far as the mean of many deals is"
    " normal, and so are wider than at the end. A difference is called real after Holm's correction for looking at all"
    " figures.",
    "Обе стороны играют одни и те же раздачи с одной и той же удачей, а если агенты разные — с каждого места."
    " Показатели были видны по ходу игры: интервалы (95 %) верны в любой такой момент, насколько среднее"
    " многих раздач нормально, и потому шире, чем в конце. Отличие названо настоящим после поправки Холма на то, что"
    " показателей много.",
)
METHOD = Text(
    "Both sides play the same deals with the same luck, each deal from every seat where agents differ; intervals (95 %)"
    " are over deals. A difference is called real if it stands after Holm's correction for looking at all figures: if"
    " nothing differs, anything at all is called real in at most 5 % of comparisons.",
    "Обе стороны играют одни и те же раздачи с одной и той же удачей, а если агенты разные — с каждого места; интервалы"
    " (95 %) — по раздачам. Отличие названо настоящим, если выдерживает поправку Холма на то, что показателей много:"
    " если ничего не отличается, хоть что-то будет так названо не более чем в 5 % сравнений.",
)
KEPT = Text(
    "Both runs played the same deals with the same luck; intervals (95 %) are over deals. A difference is called real"
    " if it stands after Holm's correction for looking at all figures.",
    "Оба прогона сыграли одни и те же раздачи с одной и той же удачей; интервалы (95 %) — по раздачам. Отличие названо"
    " настоящим, если выдерживает поправку Холма на то, что показателей много.",
)
KEPT_APART = Text(
    "The runs are taken as played on luck of their own: the interval (95 %) of a difference is put together from those"
    " of both figures. A difference is called real if it stands after Holm's correction for looking at all figures."
    " playmill compare plays both on the same luck, which shows much smaller differences.",
    "Прогоны считаются сыгранными каждый на своей удаче: интервал (95 %) разницы составлен из интервалов обоих чисел."
    " Отличие названо настоящим, если выдерживает поправку Холма на то, что показателей много. playmill compare играет"
    " оба варианта на одной и той же удаче и видит гораздо меньшие отличия.",
)
_SEED = Text("seed", "сид")
_GAMES_OF = (Text("Games of A", "Партий в A"), Text("Games of B", "Партий в B"))


def mark_of(one: Difference) -> float:
    """Encodes whether a difference is real, is not, or has too little behind it to be tested."""
    return float(one.real) if one.tested else -1.0


def marked(cell: Cell) -> Text | None:
    """Decodes a cell of the tables of marks; None of a figure without one, such as a median."""
    low, high = MARK_ENDS
    if not isinstance(cell, Estimate) or not cell.high > 0 or not isclose(cell.low * high, cell.high * low):
        return None
    # A report may show a figure in another unit, such as per thousand games.
    return _MARKS[float(round(cell.value * high / cell.high))]


def verdict_of(one: Difference) -> Text:
    """Returns the verdict on a difference in a word."""
    return _MARKS[mark_of(one)]


@dataclass(frozen=True)
class FigureDifference:
    """How a figure differs: its name, a, b, and b - a."""

    title: Text
    a: float
    b: float
    difference: Estimate
    percent: bool


@dataclass(frozen=True)
class ComparisonReport:
    """A comparison, ready to be shown: what was played, and the tables of its parts.

    `reports` are the tables of a, of b, and of the differences; `marks` those tables with `mark_of` each difference.
    """

    a: RunInfo
    b: RunInfo
    reports: tuple[Sequence[Table], Sequence[Table], Sequence[Table]]
    marks: Sequence[Table]
    deals: int
    requested: int
    elapsed_s: float
    removed: float | None
    real: tuple[FigureDifference, ...]
    #: How many figures were tested, and how many had too few observations for that.
    tested: int
    untested: int
    command: str
    sure: Sure | None = None
    #: Whether figures were shown while it was played, and it did not come to its end.
    looked: bool = False
    #: The names of the kept runs that are compared, if nothing was played; whether they have the same deals.
    kept: tuple[str, str] | None = None
    same_luck: bool = True

    @property
    def complete(self) -> bool:
        """Whether all deals were played."""
        return self.deals == self.requested


def compared_tables(found: ComparisonReport) -> list[Table]:
    """Returns the table of real differences, then every table with a, b, the difference and its verdict."""
    kept = [{table.key: table for table in report} for report in (*found.reports, found.marks)]
    every: list[Table] = []
    for key in kept[0]:
        if all(key in tables for tables in kept):
            every += _compared([tables[key] for tables in kept])
    return [_real_ones(found.real), *every]


def _compared(tables: Sequence[Table]) -> list[Table]:
    first = tables[0]
    titles = [title for title in figure_titles(first) if all(title in table.columns for table in tables)]
    labels = tuple(first.columns[column] for column in label_columns(first))
    made: list[Table] = []
    for title in titles:
        rows = [_row(row, len(labels)) for row in rows_of(tables, title)]
        if not any(isinstance(row[len(labels) + 2], Estimate) for row in rows):
            continue
        percent = first.columns.index(title) in first.percent_columns
        shares = range(len(labels), len(labels) + 3) if percent else ()
        named = Text.join((first.title, title), " — ")
        made.append(
            Table(
                f"{first.key}-{len(made) + 1}" if made else first.key,
                named if len(titles) > 1 else first.title,
                (*labels, A, B, _DIFFERENCE, _VERDICT),
                tuple(rows),
                percent_columns=frozenset(shares),
                difference_columns=(len(labels), len(labels) + 1, len(labels) + 2),
                chart=Chart(
                    max(0, len(labels) - 1),
                    len(labels) + 2,
                    percent=percent,
                    reference=0.0,
                    reference_label=Text("no difference", "без разницы"),
                ),
            )
        )
    if made and first.note:
        made[-1] = replace(made[-1], note=first.note)
    return made


def _row(row: Sequence[Cell], labels: int) -> tuple[Cell, ...]:
    """Returns labels, a, b, their difference, and whether it is real; None where there is no difference."""
    *left, a, b, difference, mark = row
    verdict = marked(mark)
    if not isinstance(difference, Estimate) or verdict is None:
        return (*left, a, b, None, "")
    return (*left[:labels], a, b, difference, verdict)


def _surest_first(differences: Iterable[FigureDifference]) -> list[tuple[Cell, ...]]:
    """Returns a row for each difference, the one first that is the farthest from 0 for its interval."""
    found: list[tuple[float, tuple[Cell, ...]]] = []
    for one in differences:
        title = Text(f"{one.title.en}, %", f"{one.title.ru}, %") if one.percent else one.title
        moves = one.difference.times(100 if one.percent else 1)
        width = max(one.difference.high - one.difference.low, 1e-300)
        scale = 100 if one.percent else 1
        found.append((abs(one.difference.value) / width, (title, scale * one.a, scale * one.b, moves)))
    found.sort(key=lambda one: -one[0])
    return [row for _, row in found]


def table_so_far(differences: Iterable[FigureDifference], deals: int, requested: int) -> Table:
    """Returns the leading figures while deals are being played; intervals are those of any look."""
    counts = [[decimal(number, 0, lang) for number in (deals, requested)] for lang in ("en", "ru")]
    return Table(
        "so_far",
        Text("So far: {} of {} deals".format(*counts[0]), "Пока: раздач {} из {}".format(*counts[1])),
        (_WHAT, A, B, _DIFFERENCE),
        tuple(_surest_first(differences)[:_LEADING]),
        note=Text("Ctrl-C ends it with what is known by then.", "Ctrl-C закончит тем, что известно к этому моменту."),
        difference_columns=(1, 2, 3),
    )


def _real_ones(real: Iterable[FigureDifference]) -> Table:
    """Returns the differences that are real, the surest first."""
    found = _surest_first(real)
    note: Text | None = None
    if not found:
        note = Text("Nothing, as far as these deals tell.", "Ничего, насколько видно по этим раздачам.")
    elif len(found) > _SHOWN:
        rest = len(found) - _SHOWN
        note = Text(f"The surest ones; {rest} more are in the tables below.", f"Самые надёжные; ещё {rest} — ниже.")
    return Table(
        "real", Text("What is really different", "Что отличается на самом деле"), (_WHAT, A, B, _DIFFERENCE),
        tuple(found[:_SHOWN]), note=note, difference_columns=(1, 2, 3),
    )  # fmt: skip


# In words


def side_text(run: RunInfo, other: RunInfo, lang: Lang) -> str:
    """Returns what one side is, as far as it differs from the other."""
    lines = [
        f"{path} = {setting_text(value)}"
        for path, value in run.changes.items()
        if path not in other.changes or other.changes[path] != value
    ]
    if run.agents != other.agents:
        lines.append(agents_text(run))
    if run.players != other.players:
        lines.append(f"{Text('players', 'игроков').of(lang)}: {run.players}")
    return "; ".join(lines) or _PLAIN.of(lang)


def verdict_text(found: ComparisonReport, lang: Lang) -> str:
    """Returns how many figures are really different, and how much the common deals helped."""
    real = len(found.real)
    message = Text(
        f"{real} of {found.tested} figures are really different.",
        f"На самом деле {plural(real, 'отличается|отличаются|отличаются')} {real} из {found.tested} показателей.",
    ).of(lang)
    if not found.tested:
        message = Text(
            "These are too few deals to call anything different.", "Раздач так мало, что об отличиях судить нельзя."
        ).of(lang)
    elif found.untested:
        message += Text(
            f" Of {found.untested} more there are too few observations to say.",
            f" Ещё о {found.untested} сказать нельзя: мало наблюдений.",
        ).of(lang)
    if found.removed is None:
        return message
    share = percentage(found.removed, 0, lang)
    if found.removed <= 0.005:
        more = Text("Playing on the same luck removed none of the variance.", "Общая удача не убавила разброса.")
    elif found.removed > _ALL:
        more = Text(
            "Playing on the same luck removed all of the variance of the figure in the middle.",
            "Общая удача убрала весь разброс (у показателя посередине).",
        )
    else:
        more = Text(
            f"Playing on the same luck removed {share} of the variance of the figure in the middle:"
            f" that is worth {decimal(1 / (1 - found.removed), 1, lang)} times as many deals.",
            f"Общая удача убрала {share} дисперсии (у показателя посередине): это как если бы раздач было"
            f" в {decimal(1 / (1 - found.removed), 1, lang)} раза больше.",
        )
    return f"{message} {more.of(lang)}"


def _head(found: ComparisonReport, lang: Lang) -> list[str]:
    if found.kept is not None:
        games = " / ".join(decimal(run.games, 0, lang) for run in (found.a, found.b))
        message = f"{Text('games', 'партий').of(lang)}{SPACE}{games}"
        return [found.a.title.of(lang), message, f"{_SEED.of(lang)}{SPACE}{_seeds(found)}"]
    return [
        found.a.title.of(lang),
        counted(found.deals, _DEALS, lang),
        f"{_SEED.of(lang)}{SPACE}{found.a.seed}",
        duration(found.elapsed_s, lang),
    ]


def _seeds(found: ComparisonReport) -> str:
    return " / ".join(str(seed) for seed in dict.fromkeys((found.a.seed, found.b.seed)))


def _sides(found: ComparisonReport, lang: Lang) -> tuple[str, str]:
    """Returns what each side is: its name if it is a kept run, and how it differs from the other."""
    lines = [side_text(*pair, lang) for pair in ((found.a, found.b), (found.b, found.a))]
    names = found.kept or ("", "")
    one, other = (f"{name} — {text}" if name else text for name, text in zip(names, lines, strict=True))
    return one, other


def _warnings(found: ComparisonReport, lang: Lang) -> list[str]:
    """Returns what to know before believing it."""
    if found.kept is None:
        return [] if found.complete else [_missing(found, lang)]
    runs = zip(found.kept, (found.a, found.b), strict=True)
    return [f"{name}: {text}" for name, run in runs for text in warning_texts(run, lang)]


def _missing(found: ComparisonReport, lang: Lang) -> str:
    played, wanted = decimal(found.deals, 0, lang), decimal(found.requested, 0, lang)
    if found.looked:
        return Text(f"So far: {played} of {wanted} deals.", f"Пока: раздач {played} из {wanted}.").of(lang)
    return Text(f"Incomplete: {played} of {wanted} deals.", f"Не завершено: раздач {played} из {wanted}.").of(lang)


def print_comparison(console: Console, found: ComparisonReport, tables: Sequence[Table], lang: Lang) -> None:
    """Prints what was compared and the result."""
    sides = dict(zip("AB", _sides(found, lang), strict=True))
    print_title(console, _head(found, lang))
    for message in _warnings(found, lang):
        print_words(console, message, "bold yellow")
    for name, message in sides.items():
        console.print(RichText(f"{name}: {message}"), soft_wrap=True)
    if found.sure is not None:
        print_sure(console, found.sure, lang)
    print_words(console, verdict_text(found, lang))
    print_tables(console, tables, lang, method=_method(found))


def comparison_page(found: ComparisonReport, tables: Sequence[Table], lang: Lang) -> str:
    """Returns the comparison as a self-contained page."""
    kicker = Text("Playmill comparison", "Сравнение Playmill")
    return page_of(found.a, comparison_parts(found, tables, lang), lang, kicker=kicker, method=_method(found))


def comparison_parts(found: ComparisonReport, tables: Sequence[Table], lang: Lang, prefix: str = "") -> list[str]:
    """Returns the parts of that page; the ids of its tables begin with the prefix."""
    one, other = _sides(found, lang)
    games = [(name, decimal(run.games, 0, lang)) for name, run in zip(_GAMES_OF, (found.a, found.b), strict=True)]
    facts = (
        (A, one),
        (B, other),
        *([(Text("Deals", "Раздач"), decimal(found.deals, 0, lang))] if found.kept is None else games),
        (Text("Seed", "Сид"), _seeds(found)),
        (Text("Time", "Время"), duration(found.elapsed_s, lang)),
    )
    return [
        fact_list(facts, lang),
        *(warning(message) for message in _warnings(found, lang)),
        *(sure_parts(found.sure, lang) if found.sure is not None else ()),
        f"<section><p>{escape(verdict_text(found, lang))}</p></section>",
        *(section(table, lang, prefix) for table in tables),
        command_part(found.command, lang),
    ]


def _method(found: ComparisonReport) -> Text:
    if found.kept is not None:
        return KEPT if found.same_luck else KEPT_APART
    if found.sure is not None:
        return LOOKED
    return SHOWN if found.looked else METHOD
