"""`playmill sql`: answers a query about kept runs, or lists the tables."""

from __future__ import annotations

import argparse

from playmill.cli import options as shared
from playmill.cli.command import Command, Group
from playmill.cli.parser import Parser, bytes_of
from playmill.texts import Lang, PlaymillError, Text, one_line

_ABOUT = Text("ask kept runs questions in SQL", "задать вопрос сохранённым прогонам на SQL")
_QUERY = Text(
    "a query, in quotes: each run is a table of its games, NAME_seats of its games and seats; without a query, the "
    "tables and their columns are listed",
    "запрос в кавычках: каждый прогон — таблица партий, NAME_seats — таблица партий и мест; без запроса печатаются "
    "таблицы и их столбцы",
)
_TIME = Text(
    "break off after so long (60s by default): 90s, 10m, 2h", "прервать через (60s по умолчанию): 90s, 10m, 2h"
)
_MEMORY = Text("use at most so much memory (2G by default): 512M, 8G", "памяти не больше (по умолчанию 2G): 512M, 8G")
_READING = Text("reading the games", "читаю партии")
_ROWS = Text("row|rows", "строка|строки|строк")
_NO_RUNS = Text(
    "No kept run has its games yet; this keeps one: playmill simulate GAME --keep NAME --rows",
    "Ни одного прогона с партиями ещё нет; сохранить прогон: playmill simulate GAME --keep NAME --rows",
)
_WROTE = Text("wrote {}: {}", "записано: {}, {}")
_ALIKE = Text("the columns of {}", "столбцы — как у {}")
#: The most rows that are shown in the terminal.
_SHOWN = 40


def _options(parser: Parser) -> None:
    parser.option("query", _QUERY, nargs="?", metavar="QUERY")
    parser.output("--csv", Text("write the answer as CSV", "записать ответ в формате CSV"))
    parser.output("--parquet", Text("write the answer as Parquet", "записать ответ в формате Parquet"))

    parser.option("--time", _TIME, default="60s", metavar="T")
    parser.option("--memory", _MEMORY, type=bytes_of, default="2G", metavar="SIZE")


def _run(options: argparse.Namespace, lang: Lang) -> int:
    """Answers a query in the terminal or in files, or lists the tables there are."""
    from rich.console import Console

    from playmill.engine.config.input_files import note_folder
    from playmill.lab.io.progress import waiting_bar
    from playmill.lab.runs.store import runs_folder
    from playmill.lab.sql.query import asked
    from playmill.report.files.atomic_file import stream_of
    from playmill.report.files.writing import claim
    from playmill.report.number_format import counted
    from playmill.report.terminal.data_frames import print_frame, write_csv, write_parquet

    outputs = {"--csv": options.csv, "--parquet": options.parquet}
    writers = {"--csv": write_csv, "--parquet": write_parquet}
    if options.query is None:
        if given := next((name for name, path in outputs.items() if path is not None), None):
            raise PlaymillError(f"{given} needs a query to answer", f"{given}: нужен запрос, на который ответить")
        _list_tables(lang)
        return 0
    note_folder(runs_folder())
    places = claim(outputs)
    limits = {"seconds": shared.seconds(options.time) or 0.0, "memory": options.memory}
    with waiting_bar(_READING.of(lang)) as waiting, asked(options.query, waiting=waiting, **limits) as answer:
        if places:
            whole = answer.frame()
        else:
            rows, more = answer.head(_SHOWN)
    if places:
        for option, path in places.items():
            writers[option](path, whole)
            if stream_of(path) is None:
                print(_WROTE.of(lang).format(outputs[option], counted(len(whole), _ROWS, lang)))
    else:
        print_frame(Console(highlight=False), rows, more, lang)
    return 0


def _list_tables(lang: Lang) -> None:
    """Prints the name of each table, how many rows it has, and its columns."""
    from rich.console import Console
    from rich.padding import Padding
    from rich.text import Text as RichText

    from playmill.lab.sql.query import listed_tables
    from playmill.report.number_format import counted

    console = Console(highlight=False)
    tables = listed_tables()
    shown: dict[tuple[str, ...], str] = {}
    for table in tables:
        console.print(
            RichText.assemble((one_line(table.name), "bold"), " · ", (counted(table.rows, _ROWS, lang), "dim")),
            soft_wrap=True,
        )
        alike = shown.setdefault(tuple(table.columns), table.name)
        if table.trouble is not None:
            about = RichText(table.trouble.of(lang), style="red")
        elif alike != table.name:
            about = RichText(_ALIKE.of(lang).format(one_line(alike)), style="dim")
        else:
            about = RichText(", ".join(_folded(table.columns)))
        console.print(Padding(about, (0, 0, 0, 2)))
    if len(tables) == 1:
        console.print(_NO_RUNS.of(lang))


def _folded(columns: list[str]) -> list[str]:
    """Columns as they are told: of a long series such as `lives_at_1` … `lives_at_40` the first and the last."""
    from itertools import groupby

    names: list[str] = []
    for _, group in groupby(columns, key=lambda name: "".join("0" if sign.isdigit() else sign for sign in name)):
        series = list(group)
        names += [f"{series[0]} … {series[-1]}"] if len(series) > 3 else series
    return names


COMMAND = Command("sql", _ABOUT, Group.RUNS, 90, _options, _run)
