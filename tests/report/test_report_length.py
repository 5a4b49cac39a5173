"""The table of lengths that every report has."""

from __future__ import annotations

from playmill.report.histogram import Histogram
from playmill.report.length import length_table, spread_rows
from playmill.report.model import Estimate
from playmill.texts import Text

TURNS = Text("Turns", "Ходов")
NOTE = Text("A note.", "Примечание.")


def test_a_table_of_lengths_tells_the_spread_what_else_is_counted_and_the_decisions() -> None:
    found = Histogram([0, 0, 1, 2, 1]).json()
    more = [(Text("Ships: mean", "Кораблей: в среднем"), 1.5)]
    table = length_table({"games": 4, "decisions": 10}, found, TURNS, note=NOTE, more=more, game="match")
    assert (table.key, table.title, table.note) == ("length", Text("Length of a match", "Длина партии"), NOTE)
    titles, values = zip(*table.rows, strict=True)
    assert titles[0] == Text("Turns: mean", "Ходов: в среднем")
    assert titles[5:7] == (
        Text("Turns: shortest match", "Ходов: самая короткая партия"),
        Text("Turns: longest match", "Ходов: самая длинная партия"),
    )
    assert titles[-2:] == (more[0][0], Text("Decisions: mean per match", "Решений: в среднем за партию"))
    assert isinstance(values[0], Estimate)
    assert (values[0].value, values[0].n, values[2:]) == (3.0, 4, (3.0, 2, 4, 2, 4, 1.5, 2.5))


def test_no_games_have_no_length() -> None:
    found = Histogram([0, 0]).json()
    rows = spread_rows(found, 0, TURNS, least=Text("least", "меньше"), most=Text("most", "больше"))
    assert isinstance(rows[0][1], Estimate)
    assert rows[0][1].n == 0
    assert [value for _, value in rows[1:]] == [None] * 6
    assert length_table({"games": 0, "decisions": 0}, found, TURNS, note=NOTE).rows[-1][1] is None
