"""How long games are: the same table in every report, and the rows that describe how a number is spread."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from playmill.report.model import Cell, Estimate, Table
from playmill.texts import Text

MEASURE = Text("Measure", "Показатель")
VALUE = Text("Value", "Значение")

Row = tuple[Text, Cell]


def spread_rows(found: Mapping[str, Any], games: int, what: Text, *, least: Text, most: Text) -> tuple[Row, ...]:
    """Mean, deviation and quantiles of a number, as a histogram saves them; without games there are none."""
    named = (
        ("std", Text("standard deviation", "стандартное отклонение")),
        ("median", Text("median", "медиана")),
        ("p10", Text("10th percentile", "10-й процентиль")),
        ("p90", Text("90th percentile", "90-й процентиль")),
        ("min", least),
        ("max", most),
    )

    def title(of: Text) -> Text:
        return Text(f"{what.en}: {of.en}", f"{what.ru}: {of.ru}")

    centre = Estimate(found["mean"], found["low"], found["high"], games)
    rest = ((title(name), found[key] if games else None) for key, name in named)
    return (title(Text("mean", "в среднем")), centre), *rest


def length_table(
    results: Mapping[str, Any],
    found: Mapping[str, Any],
    what: Text,
    *,
    note: Text,
    more: Iterable[Row] = (),
    game: str = "game",
) -> Table:
    """How many turns or rounds (`what`) games had, what else the game counts, and decisions.

    `found` is the saved histogram of that number; `game` is what a game is called in English.
    """
    games = results["games"]
    least = Text(f"shortest {game}", "самая короткая партия")
    most = Text(f"longest {game}", "самая длинная партия")
    decisions: Row = (
        Text(f"Decisions: mean per {game}", "Решений: в среднем за партию"),
        results["decisions"] / games if games else None,
    )
    return Table(
        "length",
        Text(f"Length of a {game}", "Длина партии"),
        (MEASURE, VALUE),
        (*spread_rows(found, games, what, least=least, most=most), *more, decisions),
        note=note,
    )
