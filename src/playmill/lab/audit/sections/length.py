"""Length of games and number of decisions in them, for the fairness section of an audit."""

from __future__ import annotations

from typing import Any

import numpy as np

from playmill.lab.audit.context import AuditContext, Numbers
from playmill.report.commands.audit import Finding, span
from playmill.report.model.tables import Table, rate
from playmill.report.number_format import decimal_text, percentage
from playmill.report.plots import Curve, LinePlot, LinePoint, Scale
from playmill.stats.from_observations import average, figure, mean_of, quantile, share_of
from playmill.texts import LANGUAGES, Text, as_text

#: A share of decisions that are none that needs a look.
_FORCED = 0.5
#: Less of them than this is as good as none.
_HARDLY = 0.005
#: Lengths are drawn in this many steps, without the longest games of a hundred; fewer than these are no picture.
_STEPS, _DRAWN, _FEW = 30, 0.99, 4


def length(
    context: AuditContext, rows: Any, notes: Any
) -> tuple[Table, list[Finding], Text, Text, dict[str, Any], LinePlot | None]:
    """Returns the table of lengths and decisions, a few words, a sentence, and a plot."""
    unit = context.game.audit.LENGTH
    field, counted = unit if unit else ("decisions", Text("decisions", "решения"))
    name = as_text(counted)
    each = np.asarray(rows[field], np.float64)
    mean, deviation = average(each), figure(each, lambda found: float(np.std(found)), least=0)
    short, long = quantile(each, 0.05), quantile(each, 0.95)
    decisions = average(notes["decisions"])
    options = mean_of(notes["options"], notes["decisions"])
    forced = share_of(notes["forced"], notes["decisions"] + notes["forced"])
    # A share of all decisions is told in percent among numbers that are none.
    shown = forced.times(100)
    table = Table(
        "length",
        Text("Length and decisions", "Длина и решения"),
        (Text("what", "что"), Text("value", "значение")),
        (
            (Text(f"length, {name.en}", f"длина, {name.ru}"), mean),
            (Text("its spread (standard deviation)", "её разброс (стандартное отклонение)"), deviation),
            (Text("a short game: one in twenty is not longer", "короткая партия: из двадцати одна не длиннее"), short),
            (Text("a long game: one in twenty is longer", "длинная партия: из двадцати одна длиннее"), long),
            (Text("decisions a game", "решений за партию"), decisions),
            (Text("options a decision", "вариантов в решении"), options),
            (Text("turns with nothing to decide, %", "ходы без выбора, %"), shown),
        ),
    )
    findings = []
    command = context.command("show", "--agents", context.player, "--seed", context.seed)
    if forced.low > _FORCED:
        findings.append(
            Finding(
                0.5 * forced.value,
                Text(
                    "{} of what players do is no decision: there is one option only.",
                    "{} того, что делают игроки, — не решения: вариант всего один.",
                ).format(span(forced)),
                command,
            )
        )
    relative = deviation.value / mean.value if mean.value else 0.0
    if relative > 0.5 and len(each) >= 100:
        findings.append(
            Finding(
                min(0.6, relative / 2),
                Text(
                    "Games are of very different length: from {} to {} {}, leaving out the shortest and longest"
                    " twentieth.",
                    "Партии очень разной длины: от {} до {} ({}), не считая по двадцатой с каждого края.",
                ).format(decimal_text(short.value, 0), decimal_text(long.value, 0), name),
                context.simulation(),
            )
        )
    length = decimal_text(mean.value, 1)
    spans = Text("nine of ten from {} to {}", "у девяти из десяти — от {} до {}")
    if short.value == long.value:
        spans = Text("nearly always {}", "почти всегда {}")
    spans = spans.format(decimal_text(short.value, 0), decimal_text(long.value, 0))
    brief = Text("{} {} with {} decisions.", "Длина {} ({}), решений {}.")
    brief = brief.format(length, name, decimal_text(decisions.value, 0))
    nothing = Text("there is always something to decide", "решать есть что в каждом ходе")
    if forced.value >= _HARDLY:
        share = Text(*(percentage(forced.value, 0, lang) for lang in LANGUAGES))
        nothing = Text("in {} of turns there is nothing to decide", "решать нечего в {} ходов").format(share)
    sentence = Text(
        "A game takes {} {}, {}; there are {} decisions with {} options each, and {}.",
        "Длина партии — {} ({}), {}; решений за партию {}, вариантов в каждом {}, {}.",
    ).format(length, name, spans, decimal_text(decisions.value, 1), decimal_text(options.value, 1), nothing)
    results = {
        "length": {
            "unit": name.en,
            "mean": mean.json(),
            "deviation": deviation.json(),
            "short": short.json(),
            "long": long.json(),
        },
        "decisions": decisions.json(),
        "options": options.json(),
        "forced": forced.json(),
    }
    return table, findings, brief, sentence, results, _drawn(each, name)


def _drawn(each: Numbers, unit: Text) -> LinePlot | None:
    """Returns the histogram of lengths; None if there are hardly any different lengths."""
    low, high = int(each.min()), int(np.quantile(each, _DRAWN, method="inverted_cdf"))
    width = max(1, -(-(high - low + 1) // _STEPS))
    starts = range(low, high + 1, width)
    if len(starts) < _FEW:
        return None
    found = [rate(int(((each >= start) & (each < start + width)).sum()), len(each)) for start in starts]
    points = tuple(
        LinePoint(start + (width - 1) / 2, one.value, one.low, one.high)
        for start, one in zip(starts, found, strict=True)
    )
    return LinePlot(
        Text("How long games are", "Сколько длятся партии"),
        Scale(unit),
        Scale(
            Text("share of games", "доля партий")
            if width == 1
            else Text(f"share of games, by {width}", f"доля партий, по {width}"),
            percent=True,
        ),
        (Curve(Text("games", "партии"), points),),
    )
