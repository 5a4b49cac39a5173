"""Runs by different numbers of players as one report, from tables made by hand."""

from __future__ import annotations

import re
from dataclasses import replace
from io import StringIO

import pytest
from rich.console import Console

from playmill.report.commands.side_by_side import (
    Series,
    compared,
    listed_players,
    missing_text,
    print_side_by_side,
    series_agents,
    series_parts,
)
from playmill.report.html.page import side_by_side_page
from playmill.report.model.tables import SEATS_MIXED, Chart, Estimate, RunInfo, Table, rate
from playmill.report.terminal.row_layout import SPACE
from playmill.texts import LANGUAGES, Lang, Text

NASTY = "<b>&"
FAIR = Text("a fair share:", "равная доля:")
NOTE = Text("A note.", "Примечание.")


def run_of(players: int, *, games: int = 100, agents: tuple[str, ...] = ("random",)) -> RunInfo:
    return RunInfo(
        game="ludo",
        title=Text("Ludo", "Лудо"),
        playmill="0.1.0",
        players=players,
        games=games,
        requested=100,
        seed=7,
        agents=agents * players if len(agents) == 1 else agents[:players],
        config={"goal": 5},
        changes={"goal": 5},
        backend="cpu",
        workers=1,
        complete=games == 100,
        elapsed_s=1.5,
        command=f"playmill simulate ludo --players {players}",
    )


def wins(players: int, *, extra: bool = False) -> Table:
    """How often each seat wins, 10 times its number in 100 games; with a column that not all tables have."""
    rows = [(f"Seat {seat}", rate(10 * seat, 100), 10 * seat, "x") for seat in range(1, players + 1)]
    columns = (Text("Seat", "Место"), Text("Win rate", "Доля побед"), Text("Wins", "Побед"), Text("Kind", "Вид"))
    more = (Text("More", "Ещё"),) if extra else ()
    return Table(
        "wins",
        Text("Who wins", "Кто побеждает"),
        columns + more,
        tuple((*row, *(rate(1, 2),) * extra) for row in rows),
        note=NOTE,
        chart=Chart(0, 1, reference=1 / players, reference_label=FAIR),
        percent_columns=frozenset({1}),
    )


def numbers(key: str, **columns: tuple[float, ...]) -> Table:
    rows = zip(*([f"row {place}" for place in range(2)], *columns.values()), strict=True)
    titles = (Text("What", "Что"), *(Text(name, name) for name in columns))
    return Table(key, Text(key, key), titles, tuple(rows))


RUNS = [run_of(2), run_of(3)]
HEADS = (Text(f"2{SPACE}players", f"2{SPACE}игрока"), Text(f"3{SPACE}players", f"3{SPACE}игрока"))


# The tables


def test_every_figure_has_a_column_a_run_and_rows_are_matched_by_their_words() -> None:
    rates, _ = compared(HEADS, [[wins(2)], [wins(3)]])
    assert (rates.key, rates.title) == ("wins", Text("Who wins", "Кто побеждает"))
    assert rates.columns == (Text("Seat", "Место"), Text("Kind", "Вид"), *HEADS)
    assert rates.rows == (
        ("Seat 1", "x", rate(10, 100), rate(10, 100)),
        ("Seat 2", "x", rate(20, 100), rate(20, 100)),
        ("Seat 3", "x", None, rate(30, 100)),
        (Text("A fair share", "Равная доля"), None, 1 / 2, 1 / 3),
    )
    assert rates.percent_columns == {2, 3}


def test_a_rate_with_a_fair_share_is_told_in_fair_shares_too() -> None:
    _, times = compared(HEADS, [[wins(2)], [wins(3)]])
    assert times.title == Text("Who wins — Win rate ÷ a fair share", "Кто побеждает — Доля побед ÷ равная доля")
    assert (times.key, times.percent_columns) == ("wins-2", frozenset())
    two, three = (estimate for estimate in times.rows[1][2:] if isinstance(estimate, Estimate))
    assert (two.value, three.value) == pytest.approx((0.4, 0.6))
    assert (three.low, three.high, three.n) == pytest.approx((3 * rate(20, 100).low, 3 * rate(20, 100).high, 100))
    assert times.rows[2][2] is None
    assert len(times.rows) == 3


def test_runs_with_one_fair_share_are_not_divided_by_it() -> None:
    assert len(compared(HEADS, [[wins(2)], [wins(2)]])) == 1


def test_the_note_stands_once_under_the_last_table_made_of_one() -> None:
    tables = compared(HEADS, [[wins(2, extra=True)], [wins(3, extra=True)]])
    assert [table.title.en for table in tables] == [
        "Who wins — Win rate",
        "Who wins — Win rate ÷ a fair share",
        "Who wins — More",
    ]
    assert [table.note for table in tables] == [None, None, NOTE]
    assert [table.key for table in tables] == ["wins", "wins-2", "wins-3"]


def test_columns_and_tables_that_not_all_runs_have_are_left_to_their_reports() -> None:
    tables = compared(HEADS, [[wins(2, extra=True), numbers("odd", a=(1, 2))], [wins(3)]])
    assert [table.title.en for table in tables] == ["Who wins", "Who wins — Win rate ÷ a fair share"]


def test_counts_are_compared_where_there_are_no_estimates_and_given_numbers_are_not() -> None:
    tables = compared(
        HEADS, [[numbers("plain", points=(5, 6), times=(1, 2))], [numbers("plain", points=(5, 6), times=(1, 3))]]
    )
    assert [(table.title.en, table.rows) for table in tables] == [
        ("plain — times", (("row 0", 1, 1), ("row 1", 2, 3))),
    ]


def test_a_row_that_only_later_runs_have_stands_where_it_stands_there() -> None:
    first, later = numbers("n", a=(1, 2)), numbers("n", a=(1, 2))
    later = replace(later, rows=(later.rows[0], ("between", 9), later.rows[1], ("after", 8)))
    (table,) = compared(HEADS, [[first], [later]])
    assert table.rows == (("row 0", 1, 1), ("between", None, 9), ("row 1", 2, 2), ("after", None, 8))


# In words


def test_numbers_of_players_are_listed() -> None:
    assert listed_players([3], "en") == f"3{SPACE}players"
    assert listed_players([3, 4, 5], "en") == f"3, 4 and 5{SPACE}players"
    assert listed_players([3, 4, 5], "ru") == f"3, 4 и 5{SPACE}игроков"
    assert listed_players([2, 3], "ru") == f"2 и 3{SPACE}игрока"


def series_of(*runs: RunInfo, players: tuple[int, ...] = (2, 3)) -> Series:
    return Series(players, runs, "playmill simulate ludo --players 2 3")


def test_the_head_tells_what_the_runs_have_in_common() -> None:
    series = series_of(*RUNS)
    assert series_parts(series, "en") == [
        "Ludo",
        f"2 and 3{SPACE}players",
        "random",
        f"100{SPACE}games each",
        f"seed{SPACE}7",
        f"3.0{SPACE}s",
    ]
    assert series_parts(series, "ru")[3] == f"по{SPACE}100{SPACE}партий"


def test_agents_are_those_of_the_largest_table() -> None:
    agents = ("strong", "weak", "weak")
    assert (
        series_agents(series_of(run_of(3, agents=agents), run_of(2, agents=agents))) == f"strong, weak{SPACE}×{SPACE}2"
    )


def test_a_stopped_series_says_how_far_it_came() -> None:
    series = series_of(run_of(2), run_of(3, games=40), players=(2, 3, 4))
    assert not series.complete
    assert missing_text(series, "en") == (
        f"Incomplete; games played with 3{SPACE}players: 40 of 100; 4{SPACE}players: none."
    )
    assert missing_text(series, "ru") == (
        f"Прогон не завершён; сыграно партий: 3{SPACE}игрока — 40 из 100; 4{SPACE}игрока — ни одной."
    )
    assert series_of(*RUNS).complete


def test_a_series_among_agents_is_told_by_them() -> None:
    runs = (run_of(2, agents=("weak",)), run_of(2, agents=("strong",), games=40))
    series = Series(("weak", "strong", "best"), runs, "playmill simulate ludo --among weak strong best")
    assert series_parts(series, "en")[1:3] == [f"2{SPACE}players", "among weak, strong and best"]
    assert series_parts(series, "ru")[2] == "среди weak, strong и best"
    assert series.heads == (Text("weak", "weak"), Text("strong", "strong"))
    assert missing_text(series, "en") == "Incomplete; games played among strong: 40 of 100; best: none."


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_terminal_has_them_side_by_side_and_then_each_report(lang: Lang) -> None:
    out, reports = StringIO(), [[wins(2)], [wins(3)]]
    series = series_of(run_of(2), run_of(3, games=40))
    print_side_by_side(Console(file=out, width=100), series, compared(series.heads, reports), reports, lang)
    text = out.getvalue().replace(SPACE, " ")
    assert text.index(HEADS[0].of(lang).replace(SPACE, " ")) < text.index("÷")
    assert text.count(missing_text(series, lang).replace(SPACE, " ")) == 1
    assert text.count("goal = 5") == 3
    rules = [text.index(f"─ {head.of(lang)} ─".replace(SPACE, " ")) for head in HEADS]
    assert text.index("÷") < rules[0] < rules[1]


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_page_has_them_side_by_side_and_then_each_report(lang: Lang) -> None:
    reports = [[replace(wins(2), key=f"wins{NASTY}")], [replace(wins(3), key=f"wins{NASTY}")]]
    series = series_of(run_of(2, agents=(NASTY,)), run_of(3, agents=(NASTY,), games=40))
    page = side_by_side_page(series, compared(series.heads, reports), reports, lang)
    ids = re.findall(r' id="([^"]*)"', page)
    assert len(ids) == len(set(ids)) == 2 + 2 + 2, "tables side by side, headings, tables of each report"
    assert all(f'href="#run-{place}"' in page and f'id="run-{place}"' in page for place in (1, 2))
    assert NASTY not in page
    for command in (series.command, *(run.command for run in series.runs)):
        assert f'<pre class="command">{command}</pre>' in page
    assert page.count('role="alert"') == 2, "the whole, and the run that was stopped"


@pytest.mark.parametrize("lang", LANGUAGES)
def test_agents_that_keep_their_seats_are_warned_of_once_for_all_runs(lang: Lang) -> None:
    runs = tuple(run_of(players, agents=("a", "a", "b", "a")) for players in (2, 3, 4))
    series, reports = Series((2, 3, 4), runs, "playmill simulate ludo"), [[wins(run.players)] for run in runs]
    tables = compared(series.heads, reports)
    out = StringIO()
    print_side_by_side(Console(file=out, width=100), series, tables, reports, lang)
    for text in (out.getvalue(), side_by_side_page(series, tables, reports, lang)):
        assert text.count(SEATS_MIXED.of(lang)) == 1


def test_intervals_of_rotated_runs_are_over_deals() -> None:
    runs = tuple(replace(run_of(players, agents=("a", "b", "b")), rotations=players) for players in (2, 3))
    series, reports = Series((2, 3), runs, "playmill simulate ludo"), [[wins(run.players)] for run in runs]
    out = StringIO()
    print_side_by_side(Console(file=out, width=200), series, compared(series.heads, reports), reports, "en")
    text = out.getvalue().replace(SPACE, " ")
    for over in ("over deals, each", "over 50 deals, each", "over 33 deals, each"):
        assert over in text
    assert "over deals, each" in side_by_side_page(series, compared(series.heads, reports), reports, "en")
