"""Questions to kept runs in SQL: what their tables are called, what comes back, and what is told instead."""

from __future__ import annotations

import json
import os
import shutil
import signal
import threading
from pathlib import Path

import polars
import pytest
from sql_runs import GAMES, SEATS, answer, files, told

import playmill
from playmill import PlaymillError, simulate
from playmill.lab.runs.store import all_runs, find_run
from playmill.lab.sql import duckdb_session
from playmill.lab.sql.query import asked, listed_tables, sql, table_names

# Tables


def test_a_run_is_a_table_of_its_games_and_one_of_its_seats(runs: Path) -> None:
    assert answer("select count(*), min(game), max(game) from mine") == [(GAMES, 0, GAMES - 1)]
    won = answer("select seat, agent, sum(won), count(*) from mine_seats group by all order by all")
    assert [row[:2] for row in won] == [(0, "threshold:n=20"), (1, "random")]
    assert [row[3] for row in won] == [GAMES, GAMES] and sum(row[2] for row in won) == GAMES
    games = find_run("mine").games_frame().collect()
    assert won[1][2] == games["winner"].sum()


@pytest.mark.parametrize(
    "name",
    [
        "pig_1f2e3d4c5b",
        "PIG_1F2E3D4C5B",
        '"pig-1f2e3d4c5b"',
        "main.mine",
        "pig_1f2e3d4c5b_games",
        '"pig-1f2e3d4c5b_seats"',
    ],
)
def test_a_run_is_called_by_its_name_in_quotes_or_as_one_word(runs: Path, name: str) -> None:
    assert answer(f"select min(game) from {name}") == [(0,)]


def test_a_name_that_could_mean_another_table_is_not_listed(runs: Path) -> None:
    named(runs, "a-b", "a.b", "x", "x_seats", "7days", "Runs")
    names = table_names(all_runs()[0])
    assert [*names] == [
        *("_7days", "_7days_seats", "runs_games", "runs_seats", "a-b", "a-b_seats", "a.b", "a.b_seats"),
        *("x", "x_seats", "x_seats_seats"),
    ]
    assert names["x_seats"] == ("x_seats", "games")
    assert [table.name for table in listed_tables()][5:7] == ['"a-b"', '"a-b_seats"'], "as one has to write it"
    assert told("from a_b").startswith("there is no table 'a_b'; there are: ") and '"a-b"' in told("from a_b")
    for name, table in names.items():
        assert answer(f'select count(*) from "{name}"') == [(SEATS if table.kind == "seats" else GAMES,)]


def named(runs: Path, *names: str) -> None:
    """Leaves nothing but runs of these names, all of them alike."""
    for name in names:
        shutil.copytree(runs / "mine", runs / name)
    for old in ("mine", "pig-1f2e3d4c5b", "counted"):
        shutil.rmtree(runs / old)


def test_the_table_of_runs_tells_what_each_is(runs: Path) -> None:
    found = playmill.sql("select * from runs order by name")
    assert found["name"].to_list() == ["counted", "mine", "pig-1f2e3d4c5b"]
    row = found.row(0, named=True)
    about = find_run("counted").about
    assert row.pop("created").isoformat() == about["created"].removesuffix("+00:00")
    assert row.pop("seconds") >= 0
    assert json.loads(row.pop("config")) == find_run("counted").plan.config
    assert row == {
        "name": "counted",
        "game": "pig",
        "players": 2,
        "agents": "threshold:n=20, random",
        "rotated": False,
        "seed": 9,
        "games": 10,
        "requested": 10,
        "complete": True,
        "has_rows": False,
        "changes": None,
    }


def test_what_differs_from_the_rules_is_told_of_our_own_games(runs: Path) -> None:
    simulate("save_oneself", games=3, set=["lives=12"], keep="short")
    simulate("save_oneself", games=3, keep="usual")
    query = "select name, changes->>'lives' from runs where game = 'save_oneself' order by name"
    assert answer(query) == [("short", "12"), ("usual", None)]


def test_a_part_of_a_query_may_be_called_like_the_table_it_is_made_of(runs: Path) -> None:
    assert answer("with mine as (from mine where game < 3) select count(*) from mine") == [(3,)]
    assert answer("with nothing as (select 1 as a) from nothing") == [(1,)]
    assert answer("select * from (with mine as (select 5 as n) from mine), (select count(*) from mine)") == [(5, GAMES)]


def test_a_query_may_join_runs(runs: Path) -> None:
    query = "select count(*) from mine join pig_1f2e3d4c5b_seats as p using (game) where p.won = 1"
    assert answer(query) == [(GAMES,)]


def test_unknown_tables_are_told_with_those_there_are(runs: Path) -> None:
    sentence = "there is no table 'min'; there are: mine, runs, mine_seats, pig_1f2e3d4c5b, pig_1f2e3d4c5b_seats"
    assert told("select * from min") == sentence
    assert told("select * from information_schema.tables").startswith("there is no table 'information_schema.tables'")
    assert told("select * from duckdb_settings").startswith("there is no table 'duckdb_settings'")


def test_a_run_without_its_games_says_so(runs: Path) -> None:
    for name in ("counted", "counted_seats"):
        assert told(f"from {name}") == "run counted was kept without single games (see --rows)"
    with pytest.raises(PlaymillError, match="kept without single games"):
        find_run("counted").games_frame()


def test_all_tables_are_listed_with_their_columns(runs: Path) -> None:
    listed = listed_tables()
    assert [(table.name, table.rows) for table in listed] == [
        ("runs", 3),
        ("mine", GAMES),
        ("mine_seats", SEATS),
        ("pig_1f2e3d4c5b", GAMES),
        ("pig_1f2e3d4c5b_seats", SEATS),
    ]
    assert listed[2].columns == ["game", "seat", "agent", "decisions", "turns", "winner", "won", "total"]
    assert answer("show tables") == [(table.name,) for table in listed]
    for word in ("describe", "show", "summarize"):
        assert [row[0] for row in answer(f"{word} mine_seats")] == listed[2].columns
    assert playmill.sql("select * from runs").columns == listed[0].columns


def test_polars_reads_the_files_itself(runs: Path) -> None:
    frame = find_run("mine").seats_frame()
    assert isinstance(frame, polars.LazyFrame)
    assert frame.filter(polars.col("won") == 1).select(polars.len()).collect().item() == GAMES
    assert frame.collect_schema()["seat"] == polars.Int8, "small numbers stay small"
    assert find_run("mine").games_frame().select("game").collect()["game"].to_list() == [*range(GAMES)]


def test_a_rotated_run_tells_deals_rotations_and_who_really_sat_there(runs: Path, pig) -> None:
    simulate(pig, games=1000, agents=["threshold:n=20", "random"], rotate=True, keep="turned", rows=True)
    assert answer("select count(*), count(distinct deal), max(rotation) from turned") == [(1000, 500, 1)]
    query = "select rotation, agent, count(*) from turned_seats where seat = 0 group by all order by all"
    assert answer(query) == [(0, "threshold:n=20", 500), (1, "random", 500)]


# Answers


def test_sums_and_counts_are_ordinary_numbers(runs: Path) -> None:
    found = playmill.sql("select sum(turns) s, count(*) n, avg(won) a from mine_seats")
    assert found.schema == {"s": polars.Int64, "n": polars.Int64, "a": polars.Float64}


def test_small_numbers_do_not_overflow_in_a_product(runs: Path) -> None:
    assert answer("select max((seat + 127) * (seat + 127)) from mine_seats") == [(128**2,)]


def test_numbers_too_long_for_64_bits_are_floating_ones(runs: Path) -> None:
    assert answer(f"select sum(10::hugeint * {10**30}), sum(1), {2**127 - 1}, null::hugeint") == [
        (1e31, 1, float(2**127), None)
    ]


def test_whatever_polars_does_not_have_is_text(runs: Path) -> None:
    query = (
        "select interval 3 days a, {'k': 1} b, map {'k': 1} c, union_value(k := 1) d, '101'::bit e, [interval 1 day] f"
    )
    assert answer(query) == [("3 days", "{'k': 1}", "{k=1}", "1", "101", "[1 day]")]


def test_times_dates_and_lists_are_what_they_are(runs: Path) -> None:
    query = "select timestamptz '2020-01-01 00:00:00+00' a, date '2020-01-01' b, [1, 2] c, null d, true e"
    found = playmill.sql(query)
    assert found.dtypes == [
        polars.Datetime("us", "Etc/UTC"),
        polars.Date,
        polars.List(polars.Int32),
        polars.Null,
        polars.Boolean,
    ]


def test_columns_of_one_name_are_told_apart(runs: Path) -> None:
    found = playmill.sql('select 1 as a, 2 as "A", 3 as a')
    assert found.rows() == [(1, 2, 3)] and len(set(map(str.casefold, found.columns))) == 3


def test_the_order_asked_for_is_kept(runs: Path) -> None:
    games = [row[0] for row in answer("select game from mine order by turns desc, game")]
    turns = find_run("mine").games_frame().collect()["turns"].to_list()
    assert games == sorted(range(GAMES), key=lambda game: (-turns[game], game))


def test_the_first_rows_and_how_many_more(runs: Path) -> None:
    with asked("select game from mine order by game desc") as found:
        rows, more = found.head(2)
        assert rows.rows() == [(GAMES - 1,), (GAMES - 2,)] and more == GAMES - 2
        assert found.head(GAMES)[1] == 0


# Mistakes


@pytest.mark.parametrize(
    ("query", "sentence"),
    [
        ("", "the query is empty"),
        (" -- nothing\n", "the query is empty"),
        ("selct 1", 'the query cannot be answered: Parser Error: syntax error at or near "selct"'),
        ("select 1; select 2", "one query at a time, and there are 2"),
        ("pivot mine on turns", "a pivot has to name its columns here: pivot … on … in (…)"),
        ("select \udcff", "the query is no text in UTF-8"),
        ("select ?", "the query cannot be answered: Invalid Input Error: Values were not provided"),
        ("select 'x'::int", "the query cannot be answered: Conversion Error: Could not convert string 'x' to INT32"),
        (f"select {'(' * 3000}1{')' * 3000}", "the query cannot be answered: Parser Error: Max expression depth"),
    ],
)
def test_a_mistake_is_told_in_one_sentence(runs: Path, query: str, sentence: str) -> None:
    assert told(query).startswith(sentence)


def test_an_unknown_column_is_told_with_those_that_are_near(runs: Path) -> None:
    sentence = told("select winer from mine")
    assert 'Referenced column "winer" not found' in sentence and '"winner"' in sentence and "LINE" not in sentence


def test_one_semicolon_and_comments_do_no_harm(runs: Path) -> None:
    assert answer("select 1 as a -- one\n; -- two") == [(1,)]


def test_too_large_an_answer_is_told(runs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(duckdb_session, "_memory", lambda connection, most: "64MB")
    sentence = "there is not enough memory for the answer: ask for fewer rows or columns, or for counts and means"
    assert told("select range, hash(range) from range(1_000_000_000)").startswith(sentence)
    assert answer("select count(*) from range(1_000_000)") == [(1_000_000,)]


def test_two_gigabytes_are_used_at_most_and_nothing_is_laid_out_on_the_disk(runs: Path) -> None:
    limit, folder = answer("select current_setting('memory_limit'), current_setting('temp_directory')")[0]
    amount, unit = limit.split()
    assert float(amount) <= {"GiB": 2.0, "MiB": 2048.0}[unit] and folder == ""


@pytest.mark.parametrize(
    "query",
    [
        "select count(*) from range(100_000) a, range(100_000) b, range(1000) c where hash(a.range, c.range) = 1",
        "with recursive r(n) as (select 1 union all select n + 1 from r) select max(n) from r",
        "select a.range from range(10_000_000) a, range(10_000_000) b order by hash(a.range, b.range) limit 1",
    ],
)
def test_a_query_without_end_is_broken_off(runs: Path, query: str) -> None:
    with pytest.raises(PlaymillError, match=r"there is no answer after 0.5 s; .* --time 10m"):
        sql(query, seconds=0.5)
    assert answer("select 1") == [(1,)]


def test_memory_that_duckdb_does_not_count_is_counted(runs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    grown = iter([0, 0, 50 << 20])
    monkeypatch.setattr(duckdb_session, "_resident", lambda: next(grown, 500 << 20))
    with pytest.raises(PlaymillError, match="not enough memory for the answer"):
        sql("select max(hash(a.range, b.range)) from range(1_000_000) a, range(1_000_000) b", memory=100 << 20)


# A missing or damaged file


def test_a_cut_file_is_told_and_the_other_runs_are_answered(runs: Path) -> None:
    cut = files("pig-1f2e3d4c5b")[1]
    cut.write_bytes(cut.read_bytes()[:-100])
    sentence = told("select max(total_0) from pig_1f2e3d4c5b")
    assert sentence.startswith("run pig-1f2e3d4c5b: rows/")
    assert "is missing or damaged (games 16384 … 32767)" in sentence
    assert sentence.endswith("playmill resume pig-1f2e3d4c5b plays them again")
    assert answer("select count(*) from mine") == [(GAMES,)]
    assert answer("select count(*) from pig_1f2e3d4c5b_seats") == [(SEATS,)], "the table of seats is whole"
    assert answer("select count(*) from runs") == [(3,)]
    assert [table.trouble is not None for table in listed_tables()] == [False, False, False, True, False]


@pytest.mark.parametrize("number", [0, 1])
def test_a_file_of_the_right_length_and_the_wrong_bytes_is_told(runs: Path, number: int) -> None:
    broken = files("mine")[number]
    broken.write_bytes(bytes(broken.stat().st_size))
    sentence = told("select max(total_0) from mine")
    assert sentence.startswith("a file of run mine is damaged, playmill resume mine plays its games again: ")
    assert answer("select count(*) from mine_seats") == [(SEATS,)]
    listed_tables()


def test_a_run_whose_manifest_cannot_be_read_says_so_when_it_is_asked(runs: Path) -> None:
    (runs / "mine" / "manifest.json").write_text("{}")
    assert told("from mine").startswith("run mine: its manifest.json is damaged")
    assert answer("select count(*) from runs") == [(2,)]
    assert answer("select count(*) from pig_1f2e3d4c5b") == [(GAMES,)]


def test_a_run_without_a_finished_game_says_so_and_is_not_listed(runs: Path) -> None:
    run = find_run("mine")
    run.manifest.done.clear()
    run.manifest.write(runs / "mine" / "manifest.json")
    assert told("from mine") == "run mine has no finished games yet"
    assert answer("show tables") == [("runs",), ("pig_1f2e3d4c5b",), ("pig_1f2e3d4c5b_seats",)]
    assert answer("select games, complete from runs where name = 'mine'") == [(0, False)]


def test_no_runs_at_all_are_an_empty_table() -> None:
    assert answer("select count(*) from runs") == [(0,)]
    assert told("from mine") == "there is no table 'mine'; there are: runs"


# Patience


ENDLESS = "select count(*) from range(100_000_000_000) a, range(1000) b where a.range + b.range = 3"


def test_a_long_query_tells_that_it_goes_on(runs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(duckdb_session, "_PATIENCE", 0.05)
    heard: list[float | None] = []
    with (
        pytest.raises(KeyboardInterrupt),
        asked(ENDLESS, waiting=lambda done: (heard.append(done), stop(heard))) as found,
    ):
        found.frame()
    assert len(heard) == 3 and all(done is None or 0 <= done <= 1 for done in heard)


def stop(heard: list[float | None]) -> None:
    if len(heard) == 3:
        raise KeyboardInterrupt


@pytest.mark.usefixtures("ctrl_c")
def test_ctrl_c_breaks_a_query_off(runs: Path) -> None:
    over = threading.Event()

    def press() -> None:
        """Ctrl-C once the query is at work."""
        while not any(thread.name.endswith("-sql") for thread in threading.enumerate()):
            if over.wait(0.02):
                return
        os.kill(os.getpid(), signal.SIGINT)

    presser = threading.Thread(target=press)
    presser.start()
    try:
        with pytest.raises(KeyboardInterrupt):
            playmill.sql(ENDLESS)
    finally:
        over.set()
        presser.join()
    assert not [thread for thread in threading.enumerate() if thread.name.endswith("-sql")]
