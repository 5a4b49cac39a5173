"""`playmill sql`: answers in the terminal and in files, the list of tables, and one sentence for each mistake."""

from __future__ import annotations

import csv
import io
import os
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import polars
import pytest
from rich.console import Console
from sql_runs import files

from playmill.cli import main
from playmill.report.terminal.data_frames import print_frame
from stopping_runs import LONGEST, wait_for


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], runs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)

    def command(*words: str) -> tuple[int, str, str]:
        status = main(["sql", *words])
        printed = capsys.readouterr()
        return status, printed.out.replace("\N{NO-BREAK SPACE}", " "), printed.err

    return command


def test_an_answer_is_a_table_with_numbers_to_the_right(run) -> None:
    status, out, err = run(
        "select agent, count(*) as games, 1 / 3 as share from mine_seats group by all order by agent desc"
    )
    assert (status, err) == (0, "")
    assert [line.rstrip() for line in out.splitlines()] == [
        "agent            games   share",
        "──────────────────────────────",
        "threshold:n=20  40 000  0.3333",
        "random          40 000  0.3333",
    ]


def test_numbers_are_written_in_the_language_of_the_user(run) -> None:
    out = run("select 1234.5 as a, 0.5 as b, null as c, true as d, 1e-9 as e", "--lang", "ru")[1]
    assert out.splitlines()[2].split("  ") == ["1 234,5", "0,5", "—", "true", "1,000e-09"]
    assert "1.235e+34" in run("select 12345678901234567890123456789012345.678")[1]


def test_of_many_rows_the_first_are_shown_and_the_rest_counted(run) -> None:
    out = run("select game from mine order by game")[1].splitlines()
    assert [line.strip() for line in out[2:]] == [
        *map(str, range(40)),
        "… and 39 960 rows more",
    ]
    assert run("select game from mine limit 41", "--lang", "ru")[1].splitlines()[-1] == "… и ещё 1 строка"
    assert run("select 1 as x where false")[1].splitlines()[-1] == "no rows"


def test_what_is_not_a_terminal_gets_a_table_as_wide_as_it_is(run) -> None:
    out = run(f"select {', '.join(f'{number} as a_long_name_{number}' for number in range(40))}")[1]
    assert len(out.splitlines()) == 3


def test_in_a_narrow_terminal_rows_stand_one_below_the_other() -> None:
    screen = io.StringIO()
    frame = polars.DataFrame({"first": [1, 2], "a longer title": [0.5, None], "third": ["x" * 10, "[bold]y"]})
    print_frame(Console(file=screen, width=20, force_terminal=True, color_system=None), frame, 0, "en")
    assert [line.rstrip() for line in screen.getvalue().splitlines()] == [
        "first: 1",
        "a longer title: 0.5",
        "third: xxxxxxxxxx",
        "",
        "first: 2",
        "a longer title: —",
        "third: [bold]y",
    ]


def test_an_answer_goes_to_files_whole(run, tmp_path: Path) -> None:
    status, out, err = run("from mine_seats order by game, seat", "--csv", "a.csv", "--parquet", "a.parquet")
    assert (status, err) == (0, "")
    assert out.splitlines() == ["wrote a.csv: 80 000 rows", "wrote a.parquet: 80 000 rows"]
    kept = polars.read_parquet(files("mine", "seats"))
    written = polars.read_parquet("a.parquet")
    assert written.equals(kept.cast(written.schema))
    assert polars.read_csv("a.csv").equals(kept.cast(polars.read_csv("a.csv").schema))
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.csv", "a.parquet"], "nothing is left beside them"


def test_lists_go_into_csv_as_json(run) -> None:
    assert run("select [1, 2] as a, ['x', null] as b, null::int[] as c", "--csv", "a.csv")[0] == 0
    assert list(csv.reader(Path("a.csv").read_text().splitlines())) == [["a", "b", "c"], ["[1, 2]", '["x", null]', ""]]
    assert run("select 1 as a where false", "--csv", "a.csv")[0] == 0
    assert Path("a.csv").read_text() == "a\n"


def test_an_answer_can_be_piped_on(runs: Path) -> None:
    command = [sys.executable, "-m", "playmill", "sql", "select game from mine limit 2", "--csv", "/dev/stdout"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, "game\n0\n1\n", "")


def test_no_file_of_a_run_is_written_over(run) -> None:
    before = files("mine")[0].read_bytes()
    status, _, err = run("from mine", "--parquet", str(files("mine")[0]))
    assert status == 2 and "would be written over a file that is read" in err
    assert files("mine")[0].read_bytes() == before


def test_without_a_query_the_tables_and_their_columns_are_listed(run) -> None:
    status, out, _ = run()
    assert status == 0
    lines = [line.rstrip() for line in out.splitlines()]
    assert lines[0] == "runs · 3 rows" and lines[1].startswith("  name, game, players, agents")
    assert lines[3:] == [
        "mine · 40 000 rows",
        "  game, decisions, turns, winner, total_0, total_1",
        "mine_seats · 80 000 rows",
        "  game, seat, agent, decisions, turns, winner, won, total",
        "pig_1f2e3d4c5b · 40 000 rows",
        "  the columns of mine",
        "pig_1f2e3d4c5b_seats · 80 000 rows",
        "  the columns of mine_seats",
    ]


def test_a_damaged_run_is_listed_with_its_damage(run) -> None:
    files("mine")[0].unlink()
    assert "run mine: rows/" in run()[1]


def test_with_no_runs_at_all_it_says_how_to_keep_one(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["sql", "--lang", "ru"]) == 0
    assert "playmill simulate GAME --keep NAME --rows" in " ".join(capsys.readouterr().out.split())


@pytest.mark.parametrize(
    ("words", "en", "ru"),
    [
        (["selec 1"], "the query cannot be answered: Parser Error", "на запрос нельзя ответить: Parser Error"),
        (
            ["from nowhere"],
            "there is no table 'nowhere'; there are: runs, mine",
            "таблицы 'nowhere' нет; есть: runs, mine",
        ),
        (["drop table runs"], "DROP cannot be done here", "DROP здесь не выполнить"),
        (["from read_csv('x')"], "read_csv() is not available here", "функция read_csv() здесь недоступна"),
        (["--csv", "a.csv"], "--csv needs a query to answer", "--csv: нужен запрос"),
        (["select 1", "--csv", "a", "--parquet", "a"], "--csv and --parquet are both", "--csv и --parquet нельзя"),
        (["select 1", "--csv", "/dev/null/a.csv"], "cannot write '/dev/null/a.csv'", "не удаётся записать"),
        (["select", "1"], "unrecognized arguments: 1", "непонятные аргументы: 1"),
    ],
)
def test_each_mistake_gets_one_sentence(run, words: list[str], en: str, ru: str) -> None:
    for lang, sentence in (("en", en), ("ru", ru)):
        status, out, err = run(*words, "--lang", lang)
        assert (status, out, err.count("\n")) == (2, "", 1)
        assert err.startswith(f"playmill: {sentence}")
    assert list(Path().iterdir()) == []


def test_ctrl_c_ends_a_long_question_with_one_sentence(runs: Path) -> None:
    query = "select count(*) from range(100_000_000_000) a, range(1000) b where a.range + b.range = 3"
    words = [sys.executable, "-m", "playmill", "sql", query]
    # A child hears a signal as its parent does, and the suite may have been started in the background.
    before = signal.signal(signal.SIGINT, signal.SIG_DFL)
    try:
        process = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    finally:
        signal.signal(signal.SIGINT, before)
    try:
        wait_for(lambda: _at_work(process.pid), process)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=LONGEST)
    finally:
        process.kill()
    assert (process.returncode, out, err) == (1, "", "playmill: stopped\n")


def _at_work(process: int) -> bool:
    """Whether DuckDB is at it: of the threads besides the first, no other uses the processor for so long."""
    used = 0.0
    for thread in Path(f"/proc/{process}/task").glob("[0-9]*/stat"):
        with suppress(OSError):  # it has ended meanwhile
            fields = thread.read_text().rpartition(")")[2].split()
            used += int(fields[11]) + int(fields[12]) if thread.parent.name != str(process) else 0
    return used / os.sysconf("SC_CLK_TCK") > 0.5
