"""Report of a sweep: tables, plots, terminal output and page."""

from __future__ import annotations

from dataclasses import replace
from math import isnan

from rich.console import Console
from rich.text import Text as RichText

from playmill.lab.decide.sweep.result import ShownFigures, SweepResult, SweptSetting
from playmill.lab.runs.figures import ReportFigure
from playmill.report.commands.compare import verdict_of
from playmill.report.html.page import command_part, fact_list, in_notebook, page_of, plot_section, section, warning
from playmill.report.model.tables import Cell, Estimate, Table
from playmill.report.number_format import counted, decimal, duration, estimate_digits, estimate_parts
from playmill.report.plots import Curve, HeatMap, LinePlot, LinePoint, Plot, PlotRow, RowPlot, Scale
from playmill.report.terminal.as_text import as_text
from playmill.report.terminal.report_printer import agents_text, fits, print_tables, print_title
from playmill.report.terminal.row_layout import print_words
from playmill.texts import LANGUAGES, Lang, Text, user_language

KICKER = Text("Playmill sweep", "Playmill: перебор значений")
_RULES, _NOW = Text("the rules", "правила"), Text("now", "сейчас")
_DEALS = Text("deal|deals", "раздача|раздачи|раздач")
_SETTINGS = Text("setting|settings", "настройка|настройки|настроек")
_FIGURE = Text("figure", "показатель")
_STAR = Text("* really differs from the rules", "* на самом деле отличается от правил")
_STAR_NOW = Text("* really differs from now", "* на самом деле отличается от нынешнего")
_INTERVAL = Text("interval", "интервал")
_DIFFERENCE, _SINCE = Text("against the rules", "против правил"), Text("against now", "против нынешнего")
_REAL = Text("real?", "настоящее?")
#: How wide an interval is drawn in a terminal.
_WIDTH = 24
METHOD = Text(
    "All settings play the same deals with the same luck; intervals (95 %) are over deals. A difference from the rules"
    " is called real if it stands after Holm's correction for looking at all settings and figures: if nothing differs,"
    " anything at all is called real in at most 5 % of sweeps.",
    "Все настройки играют одни и те же раздачи с одной и той же удачей; интервалы (95 %) — по раздачам. Отличие от"
    " правил названо настоящим, если выдерживает поправку Холма на все настройки и показатели: если ничего не"
    " отличается, хоть что-то будет так названо не более чем в 5 % случаев.",
)
#: The same where numbers of agents alone are swept.
METHOD_AGENTS = Text(
    "All settings play the same deals with the same luck; intervals (95 %) are over deals. A difference from what is"
    " now is called real if it stands after Holm's correction for looking at all settings and figures: if nothing"
    " differs, anything at all is called real in at most 5 % of sweeps. The best of many is also the luckiest: tune"
    " judges what it finds on fresh games.",
    "Все настройки играют одни и те же раздачи с одной и той же удачей; интервалы (95 %) — по раздачам. Отличие от"
    " нынешнего названо настоящим, если выдерживает поправку Холма на все настройки и показатели: если ничего не"
    " отличается, хоть что-то будет так названо не более чем в 5 % случаев. Лучшее из многих — ещё и самое везучее:"
    " tune проверяет найденное на новых партиях.",
)


class Sweep(SweepResult):
    """Result of a sweep; shows itself in a notebook."""

    def __str__(self) -> str:
        return as_text(lambda console: print_sweep(console, self, user_language()))

    def _repr_html_(self) -> str:
        return in_notebook(self.page(user_language()))

    def tables(self) -> list[Table]:
        """Returns a table for each figure: the values, the figure, and how it differs from the rules."""
        return [_table(self, number, figure) for number, figure in enumerate(self.figures)]

    def page(self, lang: Lang) -> str:
        """Returns a page that opens without a network."""
        return sweep_page(self, lang)

    def plots(self) -> list[Plot]:
        """Returns lines with bands along one number, rows along words, a heat map for each figure over two."""
        if len(self.overs) == 1:
            return [self._lines(shown) if self.overs[0].numbers else self._rows(shown) for shown in self.shown]
        return [self._heat(figure) for figure in self.figures] if len(self.overs) == 2 else []

    def _lines(self, shown: ShownFigures) -> LinePlot:
        (over,) = self.overs
        curves = []
        for figure in shown.figures:
            points = [
                LinePoint(float(setting.values[0]), found.value, found.low, found.high)
                for setting in self.settings
                if (found := setting.figures.get(figure.name)) is not None and found.known
            ]
            curves.append(Curve(shown.name(figure), tuple(sorted(points))))
        fair = self._fair(shown)
        return LinePlot(
            shown.title,
            Scale(Text(over.path, over.path), ticks=tuple(sorted(map(float, over.values)))),
            Scale(Text("", ""), percent=shown.figures[0].percent),
            tuple(curves),
            reference=fair,
            reference_label=Text("fair", "поровну") if fair is not None else None,
        )

    def _rows(self, shown: ShownFigures) -> RowPlot:
        (over,) = self.overs
        rows = tuple(
            PlotRow(
                Text(over.name(setting.values[0]), over.name(setting.values[0])),
                tuple(_known(setting.figures.get(figure.name)) for figure in shown.figures),
            )
            for setting in self.settings
        )
        series = tuple(shown.name(figure) for figure in shown.figures) if len(shown.figures) > 1 else ()
        scale = Scale(Text("", ""), percent=shown.figures[0].percent)
        return RowPlot(shown.title, scale, rows, series, self._fair(shown))

    def _heat(self, figure: ReportFigure) -> HeatMap:
        down, along = self.overs
        found = [_known(setting.figures.get(figure.name)) for setting in self.settings]
        wide = len(along.values)
        row, column = ([one.is_rules(value) for value in one.values] for one in self.overs)
        return HeatMap(
            figure.title,
            Text(along.path, along.path),
            Text(down.path, down.path),
            tuple(Text(along.name(value), along.name(value)) for value in along.values),
            tuple(Text(down.name(value), down.name(value)) for value in down.values),
            tuple(tuple(found[first : first + wide]) for first in range(0, len(found), wide)),
            Scale(figure.title, percent=figure.percent),
            middle=figure.fair,
            framed=(row.index(True), column.index(True)) if any(row) and any(column) else None,
        )

    def _fair(self, shown: ShownFigures) -> float | None:
        fair = {figure.fair for figure in shown.figures}
        return next(iter(fair)) if len(fair) == 1 else None


def _table(found: Sweep, number: int, figure: ReportFigure) -> Table:
    rows: list[tuple[Cell, ...]] = []
    start = _NOW if found.of_agents else _RULES
    if not any(map(found.is_rules, found.settings)):
        rows.append((start, *("" for _ in found.overs[1:]), found.base.get(figure.name), None, ""))
    for setting in found.settings:
        names: list[Cell] = [one.name(value) for one, value in zip(found.overs, setting.values, strict=True)]
        value, moved = setting.figures.get(figure.name), setting.differences.get(figure.name)
        if moved is None:
            rows.append((*names, value, None, start if found.is_rules(setting) else ""))
        else:
            difference = Estimate(moved.value, moved.low, moved.high, min(moved.n))
            rows.append((*names, value, difference, verdict_of(moved)))
    columns = tuple(Text(one.path, one.path) for one in found.overs)
    at = len(columns)
    return Table(
        f"figure-{number + 1}",
        figure.title,
        (*columns, _FIGURE, _SINCE if found.of_agents else _DIFFERENCE, _REAL),
        tuple(rows),
        percent_columns=frozenset({at, at + 1}) if figure.percent else frozenset(),
    )


def _matrix(found: Sweep, number: int, figure: ReportFigure) -> Table:
    """Returns a terminal table of a figure over two paths: values alone, starred where they really differ."""
    down, along = found.overs
    wide = len(along.values)
    cells = [_starred(setting, figure) for setting in found.settings]
    rows = tuple(
        (down.name(value), *cells[place * wide : (place + 1) * wide]) for place, value in enumerate(down.values)
    )
    names = tuple(Text(along.name(value), along.name(value)) for value in along.values)
    corner = Text(f"{down.path} ↓ {along.path} →", f"{down.path} ↓ {along.path} →")
    numbers, star = frozenset(range(1, wide + 1)), _STAR_NOW if found.of_agents else _STAR
    return Table(f"figure-{number + 1}", figure.title, (corner, *names), rows, note=star, number_columns=numbers)


def _starred(setting: SweptSetting, figure: ReportFigure) -> Cell:
    value, moved = setting.figures.get(figure.name), setting.differences.get(figure.name)
    if value is None or isnan(value.value):
        return None
    digits = estimate_digits(value, percent=figure.percent)
    star = "*" if moved is not None and moved.real else " "
    return Text(*(estimate_parts(value, digits, percent=figure.percent, lang=lang)[0] + star for lang in LANGUAGES))


def _known(found: Estimate | None) -> Estimate | None:
    """Returns an estimate that can be drawn, else None."""
    return found if found is not None and found.known else None


def drawn(table: Table) -> Table:
    """Returns the table with its intervals drawn in characters, for a terminal."""
    at = next(column for column, title in enumerate(table.columns) if title is _FIGURE)
    cells = [row[at] for row in table.rows]
    ends = [end for cell in cells if isinstance(cell, Estimate) and cell.known for end in (cell.low, cell.high)]
    if not ends or min(ends) == max(ends):
        return table
    low, scale = min(ends), (_WIDTH - 1) / (max(ends) - min(ends))
    rows = tuple(
        (*row[: at + 1], _whisker(cell, low, scale), *row[at + 1 :])
        for row, cell in zip(table.rows, cells, strict=True)
    )
    percent = frozenset(column + (column > at) for column in table.percent_columns)
    titles = (*table.columns[: at + 1], _INTERVAL, *table.columns[at + 1 :])
    return replace(table, columns=titles, rows=rows, percent_columns=percent)


def _whisker(cell: Cell, low: float, scale: float) -> str:
    if not isinstance(cell, Estimate) or not cell.known:
        return ""
    signs = ["."] * _WIDTH
    left, middle, right = (round((end - low) * scale) for end in (cell.low, cell.value, cell.high))
    signs[left : right + 1] = ["-"] * (right + 1 - left)
    signs[left], signs[right], signs[middle] = "[", "]", "o"
    return "".join(signs)


def _head(found: Sweep, lang: Lang) -> list[str]:
    return [
        found.info.title.of(lang),
        agents_text(found.info),
        counted(len(found.settings), _SETTINGS, lang),
        counted(found.deals, _DEALS, lang),
        f"{Text('seed', 'сид').of(lang)}\u00a0{found.info.seed}",
        duration(found.info.elapsed_s, lang),
    ]


def _missing(found: Sweep, lang: Lang) -> str:
    done = sum(bool(setting.figures) for setting in found.settings)
    message = Text(f"Incomplete: {done} of {{}} settings.", f"Не завершено: настроек {done} из {{}}.").of(lang)
    return message.format(len(found.settings))


def print_sweep(console: Console, found: Sweep, lang: Lang) -> None:
    """Prints what was played and a table for each figure."""
    print_title(console, _head(found, lang))
    if not found.complete:
        print_words(console, _missing(found, lang), "bold yellow")
    for path, values in found.named(lang):
        console.print(RichText(f"{path}: {values}"), soft_wrap=True)
    if len(found.overs) == 2:
        tables = [_matrix(found, number, figure) for number, figure in enumerate(found.figures)]
    else:
        # Where there is little room, a picture of the interval is what is missed least.
        pictures = [drawn(table) for table in found.tables()]
        tables = pictures if all(fits(console, table, lang) for table in pictures) else found.tables()
    print_tables(console, tables, lang, method=_method(found))


def sweep_page(found: Sweep, lang: Lang) -> str:
    """Returns the sweep as a self-contained page: plots first."""
    return page_of(found.info, sweep_parts(found, lang), lang, kicker=KICKER, method=_method(found))


def _method(found: Sweep) -> Text:
    return METHOD_AGENTS if found.of_agents else METHOD


def sweep_parts(found: Sweep, lang: Lang, prefix: str = "") -> list[str]:
    """Returns the parts of that page; ids of its plots and tables begin with the prefix."""
    facts = (
        (Text("Deals of each setting", "Раздач у каждой настройки"), decimal(found.deals, 0, lang)),
        (Text("Players", "Игроков"), str(found.info.players)),
        (Text("Agents", "Агенты"), agents_text(found.info)),
        (Text("Seed", "Сид"), str(found.info.seed)),
        (Text("Time", "Время"), duration(found.info.elapsed_s, lang)),
        *((Text(path, path), values) for path, values in found.named(lang)),
    )
    return [
        fact_list(facts, lang),
        "" if found.complete else warning(_missing(found, lang)),
        *(plot_section(plot, lang, f"{prefix}plot-{number}") for number, plot in enumerate(found.plots(), 1)),
        *(section(table, lang, prefix) for table in found.tables()),
        command_part(found.command, lang),
    ]
