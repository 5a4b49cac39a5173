"""Renders reports as self-contained HTML pages: no network, no script, light and dark, ready to print."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from html import escape
from math import isnan

from playmill.report import plots
from playmill.report.commands.side_by_side import Series, series_agents, series_warnings
from playmill.report.model.among import among_names
from playmill.report.model.tables import METHOD, Chart, Estimate, RunInfo, Table
from playmill.report.number_format import cell_parts, decimal, duration, is_numeric, percentage, short
from playmill.report.plots.axis import Axis, axis_for
from playmill.report.terminal.report_printer import (
    CHANGED,
    DEFAULT_SETTINGS,
    FALLBACKS,
    SETTINGS,
    agents_text,
    method_of,
    setting_text,
    speed_text,
    warning_texts,
)
from playmill.report.terminal.row_layout import SPACE
from playmill.texts import Lang, Text, user_language

_PLAYERS = Text("Players", "Игроков")
_AGENTS = Text("Agents", "Агенты")
_AMONG = Text("Among", "Среди")
_DEALS = Text("Deals, from every seat", "Раздач со всех мест")
_SEED = Text("Seed", "Сид")
_TIME = Text("Time", "Время")
_REPORT = Text("Playmill report", "Отчёт Playmill")
_GAMES_EACH = Text("Games each", "Партий у каждого")

_STYLE = """
:root { color-scheme: light dark; --ink: #1c2430; --soft: #5b6675; --line: #e3e7ec; --faint: #f6f7f9; --paper: #fff;
  --accent: #2456b3; --grid: #e8ecf1; --fair: #c2571a; --warn: #8a4b00; --warn-back: #fff4e0; --warn-line: #f0cf95; }
@media screen and (prefers-color-scheme: dark) { :root { --ink: #e6e9ee; --soft: #a3adba; --line: #2d3540;
  --faint: #10141a; --paper: #171c24; --accent: #7fb0ff; --grid: #2d3540; --fair: #ff9d5c; --warn: #ffcf8a;
  --warn-back: #33260f; --warn-line: #6b4d17; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--faint); color: var(--ink); font: 16px/1.5 system-ui, -apple-system, "Segoe UI",
  Roboto, "Noto Sans", "Liberation Sans", Arial, sans-serif; -webkit-text-size-adjust: 100%; }
main { max-width: 1080px; margin: 0 auto; padding: 40px 24px 56px; display: flex; flex-wrap: wrap; gap: 20px;
  align-items: flex-start; }
main > * { flex: 1 1 100%; min-width: 0; margin: 0; } main > .half { flex-basis: 400px; }
h1 { font-size: 32px; line-height: 1.2; margin: 0; letter-spacing: -0.01em; }
h2 { font-size: 19px; line-height: 1.3; margin: 0 0 12px; }
h2.run { font-size: 26px; border-top: 3px solid var(--line); padding-top: 28px; margin-top: 16px; }
nav a { color: var(--accent); }
.kicker { color: var(--accent); font-size: 14px; font-weight: 600; margin: 0 0 4px; }
.facts { display: flex; flex-wrap: wrap; gap: 1px;
  background: var(--line); border: 1px solid var(--line); border-radius: 10px; overflow: hidden; }
.facts div { background: var(--paper); flex: 1 1 auto; padding: 12px 16px; }
.facts dt { color: var(--soft); font-size: 13px; }
.facts dd { margin: 0; font-size: 16px; font-weight: 600; overflow-wrap: break-word; }
section { background: var(--paper); border: 1px solid var(--line); border-radius: 10px; padding: 22px 24px; }
.warning { background: var(--warn-back); border: 1px solid var(--warn-line); border-radius: 10px; color: var(--warn);
  font-weight: 600; padding: 12px 16px; }
section.warning { color: var(--ink); font-weight: 400; padding: 22px 24px; }
section.warning h2 { color: var(--warn); }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
th, td { padding: 8px 12px; text-align: left; vertical-align: middle; overflow-wrap: break-word; }
tr > :first-child { padding-left: 0; } tr > :last-child { padding-right: 0; }
thead th { color: var(--soft); font-size: 13px; font-weight: 500; vertical-align: bottom; padding-bottom: 6px; }
tbody th { font-weight: 500; }
tbody tr > * { border-top: 1px solid var(--line); }
.number { text-align: right; } .number b, .number .interval { white-space: nowrap; }
.number b { font-weight: 600; }
.interval { color: var(--soft); font-size: 14px; margin-left: 4px; }
.plot { position: relative; width: 26%; min-width: 200px; padding: 0; }
.few .plot { width: 40%; }
.plot svg.row { position: absolute; left: 28px; top: 0; width: calc(100% - 56px); height: 100%; overflow: visible; }
svg text { font-size: 12px; fill: var(--soft); }
svg .grid { stroke: var(--grid); } svg .fair { stroke: var(--fair); stroke-dasharray: 4 3; stroke-width: 1.5; }
svg text.fair { fill: var(--fair); stroke: none; font-weight: 500; }
svg .whisker { stroke: var(--accent); stroke-width: 2; }
svg .dot { fill: var(--accent); }
svg .touch { fill: transparent; }
tfoot td { border-top: 1px solid var(--line); padding-top: 0; padding-bottom: 0; height: 26px; }
.note, footer { color: var(--soft); font-size: 14px; max-width: 90ch; }
.note { margin: 12px 0 0; }
dl.settings { display: grid; grid-template-columns: max-content 1fr; gap: 4px 20px; margin: 0; }
dl.settings dt, dl.settings dd, pre { font: 14px/1.5 ui-monospace, "SF Mono", Menlo, Consolas, "Liberation Mono",
  monospace; }
dl.settings dd { margin: 0; overflow-wrap: anywhere; font-weight: 600; }
pre { background: var(--faint); border: 1px solid var(--line); border-radius: 8px; margin: 0; padding: 12px 14px;
  white-space: pre-wrap; overflow-wrap: anywhere; }
pre.command { user-select: all; -webkit-user-select: all; }
section > p { margin: 0; }
details { margin-top: 14px; } summary { color: var(--accent); cursor: pointer; font-size: 14px; }
details pre { margin-top: 10px; }
footer { padding: 0 4px; } footer p { margin: 0 0 4px; }
@media print, (max-width: 1000px) {
  th, td { padding: 6px 8px; } thead th { overflow-wrap: anywhere; }
  tbody td:not(.number) { min-width: 6.5em; overflow-wrap: anywhere; }
  .plot { min-width: 170px; width: 28%; } .plot svg.row { left: 20px; width: calc(100% - 40px); }
  .ticks text:nth-child(even) { display: none; }
  .number .interval { display: block; margin: 0; line-height: 1.3; }
}
@media screen and (max-width: 700px) {
  main { padding: 24px 12px 32px; gap: 14px; } h1 { font-size: 26px; }
  section, section.warning { padding: 18px 16px; } .facts div { flex-basis: 40%; min-width: 0; }
  .number .interval { display: inline; margin-left: 2px; }
  .stack, .stack tbody, .stack tfoot, .stack thead, .stack thead tr, .stack tfoot tr { display: block; }
  .stack th, .stack td { display: block; border: 0; padding: 0; min-width: 0; }
  .stack thead th:not(.plot), .stack tfoot td:not(.plot) { display: none; }
  .stack tbody tr { display: flex; flex-wrap: wrap; column-gap: 12px; padding: 10px 0;
    border-top: 1px solid var(--line); }
  .stack .number { display: flex; justify-content: space-between; gap: 16px; flex: 1 0 100%; order: 3; }
  .stack .number::before { content: attr(data-name); color: var(--soft); font-size: 14px; }
  .stack td[data-name]:not(.number, :empty)::before { content: attr(data-name) " "; color: var(--soft);
    font-size: 14px; }
  .stack .main { display: block; flex: 0 0 auto; order: 1; margin-left: auto; } .stack .main::before { content: none; }
  .stack .plot, .few .plot { flex: 1 0 100%; order: 2; width: auto; min-width: 0; height: 34px; }
  .stack .plot:empty { display: none; }
  .stack thead .plot { height: 24px; } .stack tfoot .plot { height: 28px; border-top: 1px solid var(--line); }
  .ticks text:nth-child(even) { display: inline; }
  dl.settings { grid-template-columns: 1fr; gap: 0; } dl.settings dd { margin-bottom: 8px; }
}
@media print {
  @page { margin: 14mm; }
  body { background: #fff; font-size: 11pt; print-color-adjust: exact; -webkit-print-color-adjust: exact; }
  main { max-width: none; padding: 0; display: block; } main > * { margin-bottom: 24px; }
  section { border: 0; padding: 0; break-inside: avoid; }
  h2 { break-after: avoid; } details { display: none; }
}
"""


def html_page(run: RunInfo, tables: Iterable[Table], lang: Lang, *, first: Iterable[str] = ()) -> str:
    """Returns the whole page of a report; parts in `first` come before what was run."""
    parts = [*first, *_report(run, tables, lang), _settings(run, lang), command_part(run.command, lang)]
    return page_of(run, parts, lang, method=method_of([run]))


def side_by_side_page(
    series: Series,
    tables: Iterable[Table],
    reports: Iterable[Sequence[Table]],
    lang: Lang,
    *,
    verdicts: Sequence[Text] = (),
) -> str:
    """Returns the whole page of runs side by side: what they share first, then each report."""
    first = series.runs[0]
    shown = (
        (_PLAYERS, str(first.players) if series.by_agents else ", ".join(map(str, series.each))),
        (_GAMES_EACH, " / ".join(dict.fromkeys(decimal(run.requested, 0, lang) for run in series.runs))),
        (_AMONG, among_names(series.among, lang)) if series.by_agents else (_AGENTS, series_agents(series)),
        (_SEED, str(first.seed)),
        (_TIME, duration(series.elapsed_s, lang)),
    )
    parts = [
        fact_list(shown, lang),
        *map(warning, series_warnings(series, lang)),
        contents(series.heads, lang),
        _verdicts(verdicts, lang),
        *(section(table, lang) for table in tables),
        _settings(first, lang),
        command_part(series.command, lang),
    ]
    for place, (run, report, head) in enumerate(zip(series.runs, reports, series.heads, strict=True), 1):
        parts.append(run_heading(place, head, lang))
        parts += [*_report(run, report, lang, prefix=f"run-{place}-", known=True), command_part(run.command, lang)]
    return page_of(first, parts, lang, method=method_of(series.runs))


def _verdicts(verdicts: Sequence[Text], lang: Lang) -> str:
    """Returns what runs side by side say in words; empty if they say nothing."""
    lines = "".join(f"<p><b>{escape(text.of(lang))}</b></p>" for text in verdicts)
    return f"<section>{lines}</section>" if lines else ""


def _report(run: RunInfo, tables: Iterable[Table], lang: Lang, *, prefix: str = "", known: bool = False) -> list[str]:
    """Yields what was run and what was found; the ids of its tables begin with the prefix."""
    warnings = map(warning, warning_texts(run, lang, known=known))
    return [_facts(run, lang), *warnings, *(section(table, lang, prefix) for table in tables)]


def warning(text: str) -> str:
    """Returns a paragraph that stands out."""
    return f'<p class="warning" role="alert">{escape(text)}</p>'


def contents(heads: Iterable[Text], lang: Lang) -> str:
    """Returns links to the reports of the single runs, which have these heads."""
    links = (f'<a href="#run-{place}">{escape(head.of(lang))}</a>' for place, head in enumerate(heads, 1))
    message = Text("Side by side; each report alone:", "Рядом; каждый отчёт отдельно:").of(lang)
    return f'<nav class="note">{escape(message)} {" · ".join(links)}</nav>'


def run_heading(place: int, head: Text, lang: Lang) -> str:
    """Returns the heading of a single run's report, for `contents` to link to."""
    return f'<h2 class="run" id="run-{place}">{escape(head.of(lang))}</h2>'


#: Nothing on a page acts, and nothing is loaded; a server that adds a script of its own has a policy of its own.
POLICY = """<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">"""


def page_of(run: RunInfo, parts: Iterable[str], lang: Lang, *, kicker: Text = _REPORT, method: Text = METHOD) -> str:
    """Returns a page of parts under the title of the game."""
    return titled_page(run.title, parts, lang, kicker=kicker, method=method, playmill=run.playmill)


def titled_page(title: Text, parts: Iterable[str], lang: Lang, *, kicker: Text, method: Text, playmill: str) -> str:
    """Returns a page of parts under a title; method and version of Playmill stand at its foot."""
    over = kicker.of(lang)
    body = "\n".join(
        [
            f'<header><p class="kicker">{escape(over)}</p><h1>{escape(title.of(lang))}</h1></header>',
            *parts,
            f"<footer><p>{escape(method.of(lang))}</p><p>Playmill {escape(playmill)}</p></footer>",
        ]
    )
    return _document(f"{title.of(lang)} — {over}", body, lang)


def sentence_page(message: str, lang: Lang) -> str:
    """Returns a page with one message, where a report would stand."""
    return _document(_REPORT.of(lang), warning(message), lang)


def _document(title: str, body: str, lang: Lang) -> str:
    return f"""<!DOCTYPE html>
<html lang="{lang}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
{POLICY}
<title>{escape(title)}</title>
<style>{_STYLE}{plots.STYLE}</style>
</head>
<body>
<main>
{body}
</main>
</body>
</html>
"""


def in_notebook(page: str) -> str:
    """Returns a page for a notebook, in a frame of its own, so that its style stays inside."""
    return f'<iframe srcdoc="{escape(page)}" sandbox="" width="100%" height="640" style="border: 0"></iframe>'


def table_in_notebook(table: Table) -> str:
    """Returns a table alone, in the colours of the notebook, in the user's language."""
    lang = user_language()
    heads = "".join(
        f'<th scope="col" style="text-align:{_side(table, column)}">{escape(title.of(lang))}</th>'
        for column, title in enumerate(table.columns)
    )
    rows = []
    for row in range(len(table.rows)):
        texts = (" ".join(filter(None, cell_parts(table, row, column, lang))) for column in range(len(table.columns)))
        cells = (
            f'<td style="text-align:{_side(table, column)}">{escape(cell)}</td>' for column, cell in enumerate(texts)
        )
        rows.append(f"<tr>{''.join(cells)}</tr>")
    note = f"<p>{escape(table.note.of(lang))}</p>" if table.note else ""
    title = f'<caption style="text-align:left;font-weight:600">{escape(table.title.of(lang))}</caption>'
    return f"<table>{title}<thead><tr>{heads}</tr></thead><tbody>{''.join(rows)}</tbody></table>{note}"


def _side(table: Table, column: int) -> str:
    return "right" if is_numeric(table, column) else "left"


_FALLBACKS = Text(FALLBACKS.en.capitalize(), FALLBACKS.ru.capitalize())


def _facts(run: RunInfo, lang: Lang) -> str:
    shown = (
        (Text("Games", "Партий"), decimal(run.games, 0, lang)),
        *([(_DEALS, decimal(run.blocks, 0, lang))] if run.rotations > 1 else []),
        (_PLAYERS, str(run.players)),
        (_AGENTS, agents_text(run)),
        (_SEED, str(run.seed)),
        (_TIME, duration(run.elapsed_s, lang)),
        (Text("Speed", "Скорость"), speed_text(run, lang) or "—"),
        *([(_FALLBACKS, decimal(run.extra["fallbacks"], 0, lang))] if "fallbacks" in run.extra else []),
    )
    return fact_list(shown, lang)


def fact_list(facts: Iterable[tuple[Text, str]], lang: Lang) -> str:
    """Returns a row of named facts."""
    items = (f"<div><dt>{escape(name.of(lang))}</dt><dd>{escape(value)}</dd></div>" for name, value in facts)
    return f'<dl class="facts">{"".join(items)}</dl>'


def _settings(run: RunInfo, lang: Lang) -> str:
    if run.changes:
        pairs = (f"<dt>{escape(k)}</dt><dd>{escape(setting_text(v))}</dd>" for k, v in run.changes.items())
        title, shown = CHANGED, f'<dl class="settings">{"".join(pairs)}</dl>'
    else:
        title, shown = SETTINGS, f"<p>{escape(DEFAULT_SETTINGS.of(lang).capitalize())}.</p>"
    every = json.dumps(run.config, ensure_ascii=False, indent=2, default=str)
    summary = Text("All settings", "Все настройки").of(lang)
    details = f"<details><summary>{escape(summary)}</summary><pre>{escape(every)}</pre></details>"
    return f"<section><h2>{escape(title.of(lang))}</h2>{shown}{details}</section>"


def command_part(command: str, lang: Lang) -> str:
    """Returns the section with the command that repeats the run."""
    title = Text("Run it again", "Повторить прогон").of(lang)
    return f'<section><h2>{escape(title)}</h2><pre class="command">{escape(command)}</pre></section>'


def section(table: Table, lang: Lang, prefix: str = "") -> str:
    """Returns a table under its title."""
    note = f'<p class="note">{escape(table.note.of(lang))}</p>' if table.note else ""
    # Short tables stand two in a row where there is room.
    half = table.chart is None and len(table.columns) <= 3
    kind = "warning" if table.key == "fallbacks" else "half" if half else "wide"
    title = f"<h2>{escape(table.title.of(lang))}</h2>"
    return f'<section id="{escape(prefix + table.key)}" class="{kind}">{title}{_table(table, lang)}{note}</section>'


def plot_section(plot: plots.Plot, lang: Lang, key: str, note: Text | None = None) -> str:
    """Returns a plot under its title."""
    title, note_html = plot.title.of(lang), f'<p class="note">{escape(note.of(lang))}</p>' if note else ""
    return f'<section id="{escape(key)}" class="wide"><h2>{escape(title)}</h2>{plot.figure(lang)}{note_html}</section>'


def _table(table: Table, lang: Lang) -> str:
    """Returns the table; the plot of its chart is a column of it, just before the estimates it draws."""
    heads = _heads(table, lang)
    rows = [_cells(table, row, lang) for row in range(len(table.rows))]
    foot = ""
    chart = table.chart
    drawn = [cell for row in table.rows if chart and isinstance(cell := row[chart.estimate], Estimate) and cell.known]
    if chart and drawn:
        axis, at = axis_for(drawn, chart), chart.estimate
        heads.insert(at, f'<th class="plot">{_reference(chart, axis, lang)}</th>')
        for row, cells in enumerate(rows):
            cells.insert(at, f'<td class="plot">{_whisker(table, row, chart, axis, lang)}</td>')
        before, after = f'<td colspan="{at}"></td>', f'<td colspan="{len(table.columns) - at}"></td>'
        foot = f'<tfoot><tr>{before}<td class="plot">{_ticks(axis, lang)}</td>{after}</tr></tfoot>'
    kind = ("few" if len(table.columns) <= 3 else "many") + (" stack" if foot or len(table.columns) > 3 else "")
    body = "\n".join(f"<tr>{''.join(cells)}</tr>" for cells in rows)
    return f'<table class="{kind}"><thead><tr>{"".join(heads)}</tr></thead>\n<tbody>\n{body}\n</tbody>{foot}</table>'


def _heads(table: Table, lang: Lang) -> list[str]:
    return [
        f'<th scope="col"{_class(table, column)}>{escape(title.of(lang))}</th>'
        for column, title in enumerate(table.columns)
    ]


def _cells(table: Table, row: int, lang: Lang) -> list[str]:
    cells = []
    for column, title in enumerate(table.columns):
        value, interval = (escape(part) for part in cell_parts(table, row, column, lang))
        if interval:
            value = f'<b>{value}</b> <span class="interval">{interval}</span>'
        if is_numeric(table, column):
            kind = "number main" if table.chart and column == table.chart.estimate else "number"
            exact = _exact(table.rows[row][column], lang)
            cells.append(f'<td class="{kind}" data-name="{escape(title.of(lang))}"{exact}><span>{value}</span></td>')
        else:
            name = escape(title.of(lang))
            cells.append(f'<th scope="row">{value}</th>' if column == 0 else f'<td data-name="{name}">{value}</td>')
    return cells


def _exact(cell: object, lang: Lang) -> str:
    """Returns attributes with everything known of a number: for tooltips, sorting and copying."""
    if isinstance(cell, Estimate):
        if isnan(cell.value):
            return ""
        n = f"n{SPACE}={SPACE}{decimal(cell.n, 0, lang)}"
        if not cell.known:
            return f' data-value="{float(cell.value)!r}" title="{escape(f"{cell.value:.9g}, {n}")}"'
        tip = f"{cell.value:.9g} [{cell.low:.9g}; {cell.high:.9g}], {n}"
        ends = f'data-low="{float(cell.low)!r}" data-high="{float(cell.high)!r}"'
        return f' data-value="{float(cell.value)!r}" {ends} title="{escape(tip)}"'
    return f' data-value="{float(cell)!r}"' if isinstance(cell, int | float) else ""


def _class(table: Table, column: int) -> str:
    return ' class="number"' if is_numeric(table, column) else ""


def _reference(chart: Chart, axis: Axis, lang: Lang) -> str:
    """Returns the label over the reference line."""
    if chart.reference is None:
        return ""
    value = percentage(chart.reference, 1, lang) if chart.percent else short(chart.reference, lang)
    label = value
    if chart.reference_label:  # that no difference is 0 need not be said
        label = chart.reference_label.of(lang) + (f" {value}" if chart.reference else "")
    share = (chart.reference - axis.low) / (axis.high - axis.low)
    anchor = "start" if share < 0.25 else "end" if share > 0.75 else "middle"
    place = axis.place(chart.reference)
    return (
        f'<svg class="row"><text class="fair" x="{place}" y="100%" dy="-7" text-anchor="{anchor}">'
        f"{escape(label)}</text></svg>"
    )


def _whisker(table: Table, row: int, chart: Chart, axis: Axis, lang: Lang) -> str:
    """Returns one row of the plot; bars too short to see still show as a stroke through the dot."""
    lines = [_upright(axis.place(tick), "grid") for tick in axis.ticks]
    if chart.reference is not None:
        lines.append(_upright(axis.place(chart.reference), "fair"))
    cell = table.rows[row][chart.estimate]
    if not isinstance(cell, Estimate) or not cell.known:
        return f'<svg class="row" aria-hidden="true">{"".join(lines)}</svg>'
    named = [column for column in range(chart.label + 1) if table.rows[row][column] is not None]
    names = [cell_parts(table, row, column, lang)[0] for column in named]
    words = " ".join(cell_parts(table, row, chart.estimate, lang))
    tip = escape(f"{', '.join(names)}: {words}, n{SPACE}={SPACE}{decimal(cell.n, 0, lang)}")
    low, value, high = (axis.place(number) for number in (cell.low, cell.value, cell.high))
    return (
        f'<svg class="row" role="img" aria-label="{tip}"><title>{tip}</title>{"".join(lines)}'
        f'<rect class="touch" width="100%" height="100%"/>'
        f'<line class="whisker" x1="{low}" x2="{high}" y1="50%" y2="50%"/>{_cap(low)}{_cap(high)}'
        f'<circle class="dot" cx="{value}" cy="50%" r="5"/></svg>'
    )


def _upright(place: str, kind: str) -> str:
    return f'<line class="{kind}" x1="{place}" x2="{place}" y1="0" y2="100%"/>'


def _cap(place: str) -> str:
    # A length in percent plus pixels cannot be written in SVG; an inner picture moves the origin instead.
    return f'<svg x="{place}" y="50%" overflow="visible"><line class="whisker" y1="-8" y2="8"/></svg>'


def _ticks(axis: Axis, lang: Lang) -> str:
    labels = (
        f'<text x="{axis.place(tick)}" y="17" text-anchor="middle">{escape(axis.label(tick, lang))}</text>'
        for tick in axis.ticks
    )
    return f'<svg class="row ticks" aria-hidden="true">{"".join(labels)}</svg>'
