"""Rows in a terminal of any width: nothing is cut, no heading and no name is lost."""

from __future__ import annotations

import io

import pytest
from rich.cells import cell_len
from rich.console import Console
from rich.text import Text as RichText

from playmill.report.model.tables import Table, rate
from playmill.report.terminal.report_printer import print_table
from playmill.report.terminal.row_layout import Column, print_rows, print_words
from playmill.texts import LANGUAGES, Lang, Text

COLUMNS = (
    Column("name", names=True),
    Column("how often it was so", right=True),
    Column("sure?"),
    Column("what it is", broken=True),
)
ROWS = (
    ("first_of_all", "33.3 % [30.4, 36.3]", "yes", "a sentence that is long enough to be broken into lines"),
    ("another", "5.0 %", "", "short"),
)


def printed(columns, rows, width: int) -> list[str]:
    """The lines that a console of that width shows."""
    out = io.StringIO()
    print_rows(Console(file=out, width=width), columns, rows)
    return out.getvalue().splitlines()


def test_with_room_it_is_a_table_without_spaces_at_the_ends() -> None:
    assert printed(COLUMNS, ROWS, 120) == [
        "name           how often it was so   sure?   what it is",
        "─" * 99,
        "first_of_all   33.3 % [30.4, 36.3]   yes     a sentence that is long enough to be broken into lines",
        "another                      5.0 %           short",
    ]


def test_with_little_room_words_go_into_lines_and_titles_stand_above_their_cells() -> None:
    lines = printed(COLUMNS, ROWS, 70)
    assert lines[0].startswith("name ") and set(lines[1]) == {"─"}
    assert [line[45:] for line in lines[2:5]] == ["a sentence that is long", "enough to be broken into", "lines"]


@pytest.mark.parametrize("width", [20, 40])
def test_without_room_every_row_is_a_paragraph_with_its_headings(width: int) -> None:
    lines = printed(COLUMNS, ROWS, width)
    assert lines[0] == "first_of_all" and "another" in lines
    text = " ".join(" ".join(lines).split())
    assert "how often it was so: 33.3 % [30.4, 36.3] sure? yes what it is: a sentence that is long enough" in text
    assert "another how often it was so: 5.0 % what it is: short" in text, "an empty cell is not told"
    assert any("33.3 % [30.4, 36.3]" in line for line in lines), "a number is never broken"


def test_an_interval_stands_below_its_value_before_rows_are_paragraphs() -> None:
    columns = Column("name", names=True), *(Column(title, right=True, folded=True) for title in ("won", "lost"))
    interval = "[0.000001,\u00a00.000019]"
    rows = [("x" * 24, f"0.000002\u00a0% {interval} n=9", f"3.0\u00a0% {interval}"), ("second", "7", "—")]
    assert f"0.000002\u00a0% {interval} n=9   3.0\u00a0% {interval}" in printed(columns, rows, 100)[2]
    lines = printed(columns, rows, 76)
    assert [[cell for cell in line.split(" ") if cell] for line in lines[2:]] == [
        ["x" * 24, "0.000002\u00a0%", "3.0\u00a0%"],
        [interval, interval],
        ["n=9"],
        ["second", "7", "—"],
    ]
    assert {len(line) for line in (*lines[:4], lines[5])} == {76}, "all at the right"
    assert printed(columns, rows, 60)[0] == "x" * 24, "with less room they are"


def test_a_name_that_is_a_number_says_of_what() -> None:
    assert printed((Column("Round", right=True, names=True), Column("x" * 30)), [("3", "y" * 30)], 30)[0] == "Round 3"


def test_a_name_wider_than_the_terminal_stays_whole() -> None:
    assert (
        printed((Column("n", names=True), Column("v")), [("a_name_to_be_copied", "1")], 10)[0] == "a_name_to_be_copied"
    )


def test_rows_without_names_stand_apart() -> None:
    assert printed((Column("a"), Column("b")), [("1" * 9, "2" * 9), ("3" * 9, "4" * 9)], 12) == [
        "a: 111111111",
        "b: 222222222",
        "",
        "a: 333333333",
        "b: 444444444",
    ]


def test_lines_of_one_cell_go_on_further_in() -> None:
    columns = (Column("n", names=True), Column("lines", broken=True))
    lines = printed(columns, [("x", "one=1 that is told at length here\ntwo=2")], 26)
    assert [line[4:] for line in lines[2:]] == ["one=1 that is told at", "  length here", "two=2"]


def test_narrow_columns_are_whole_before_wide_ones_get_more() -> None:
    columns = (Column("n", names=True), Column("short", broken=True), Column("long", broken=True))
    lines = printed(columns, [("x", "two words", "many more words than there is any room for in this line")], 50)
    assert lines[2].startswith("x   two words   many more words")


def test_what_is_dim_stays_dim_in_lines() -> None:
    out = io.StringIO()
    cell = RichText.assemble("plain words ", ("and dim ones", "dim"))
    print_rows(Console(file=out, width=14, force_terminal=True), (Column("c", broken=True),), [(cell,)])
    assert "\x1b[2mand dim ones\x1b[0m" in out.getvalue()


def test_a_sentence_keeps_a_per_cent_with_its_number_and_a_dash_with_its_word() -> None:
    for width in range(8, 40):
        out = io.StringIO()
        print_words(Console(file=out, width=width), "интервалы (95 %) — по раздачам, и так 5 % партий")
        lines = out.getvalue().splitlines()
        assert not any(line.startswith(("%", "—")) for line in lines)
        assert all(cell_len(line) <= max(width, 20) for line in lines)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_verdict_after_the_numbers_and_texts_that_are_numbers_keep_their_headings(lang: Lang) -> None:
    both = Text("against random", "против random")
    table = Table(
        "t",
        Text("Title", "Заголовок"),
        (Text("who", "кто"), Text("share", "доля"), both, Text("sure?", "точно?")),
        (("bot", rate(333, 1000), "94 %", Text("yes", "да")),),
        percent_columns=frozenset({1}),
        number_columns=frozenset({2}),
    )
    out = io.StringIO()
    print_table(Console(file=out, width=30), table, lang)
    told = out.getvalue().splitlines()[2:]
    assert told[0] == "bot" and told[-2:] == [
        f"  {both.of(lang)}: 94 %",
        "  sure? yes" if lang == "en" else "  точно? да",
    ]
