"""Attempts to reach anything but the tables of kept runs by a question."""

from __future__ import annotations

import hashlib
import shutil
from dataclasses import replace
from pathlib import Path

import duckdb
import polars
import pytest
from sql_runs import GAMES, SEATS, answer, files, told

import playmill
from playmill import Game, PlaymillError, simulate
from playmill.lab.runs.store import all_runs, find_run
from playmill.lab.sql import duckdb_session
from playmill.lab.sql.query import table_names

SECRET = "the secret of the island"


def fingerprint(folder: Path) -> dict[str, str]:
    """Every file below a folder, by what is in it."""
    found = (path for path in sorted(folder.rglob("*")) if path.is_file())
    return {str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest() for path in found}


#: SECRET, GAMES and FOLDER stand for the paths of a file with a secret, of a run's games, and of the folder of both.
ATTACKS = [
    # Reading a file.
    "select * from read_text('SECRET')",
    "select * from read_blob('SECRET')",
    "select * from read_csv('SECRET')",
    "select * from read_csv_auto('SECRET', header = false)",
    "select * from read_json('SECRET')",
    "select * from read_ndjson_objects('SECRET')",
    "select * from sniff_csv('SECRET')",
    "select * from read_parquet('SECRET')",
    "select * from parquet_metadata('SECRET')",
    "select * from parquet_kv_metadata('SECRET')",
    "select * from 'SECRET'",
    'select * from "SECRET"',
    "from 'SECRET.csv'",
    "select * from read_duckdb('SECRET')",
    "select * from mine, lateral (select * from read_text('SECRET'))",
    "select (select content from read_text('SECRET'))",
    "select * from mine where turns in (select size from read_blob('SECRET'))",
    "with recursive t as (select content from read_text('SECRET') union all from t) from t",
    "select * from mine union all by name select content from read_text('SECRET')",
    "select * from mine semi join read_text('SECRET') on true",
    "summarize from read_text('SECRET')",
    "describe select * from read_text('SECRET')",
    "describe 'SECRET'",
    "summarize 'SECRET'",
    "show 'SECRET'",
    "select * from query('select * from read_text(''SECRET'')')",
    "select * from query_table('SECRET')",
    "select * from glob('FOLDER/*')",
    "select * from glob('/etc/*')",
    # Nor the files of a run by their path: what is asked goes through its tables.
    "select * from read_parquet('GAMES')",
    "select * from 'GAMES'",
    # What DuckDB keeps or knows of the machine.
    "select * from duckdb_secrets()",
    "select * from which_secret('s3://a', 's3')",
    "select * from duckdb_settings()",
    "select * from duckdb_extensions()",
    "select * from duckdb_logs()",
    "select * from pragma_database_size()",
    "select getenv('HOME')",
    # Python's own variables and memory.
    "select * from runs_of_the_caller",
    "select * from arrow_scan(1, 2, 3)",
    "select * from pandas_scan(1)",
    "select * from python_map_function(1)",
    # The network.
    "select * from 'https://example.org/a.csv'",
    "select * from read_parquet('s3://a/b.parquet')",
    "load httpfs",
    "install httpfs",
    # Writing.
    "copy (select 1) to 'FOLDER/new.csv'",
    "copy (select 1) to 'GAMES' (format parquet, use_tmp_file false)",
    "copy mine from 'SECRET'",
    "with a as (copy (select 1) to 'GAMES' (format parquet, use_tmp_file false)) select * from a",
    "with a as (copy (select 1) to 'FOLDER/new.csv') select 1",
    "select * from (with a as (copy (select 1) to 'FOLDER/new.csv') from a)",
    "select * from query('with a as (copy (select 1) to ''GAMES'' (use_tmp_file false)) from a')",
    "select * from json_execute_serialized_sql(json_serialize_sql('select 1'))",
    "with a as (insert into runs (name) values ('x') returning *) from a",
    "with a as (delete from runs returning *) from a",
    "insert into runs (name) values ('x')",
    "update runs set name = 'x'",
    "delete from runs",
    "drop table runs",
    "create table x as select 1",
    "create view x as select 1",
    "create macro f() as table select 1",
    "alter table runs rename to x",
    "export database 'FOLDER/new'",
    "import database 'FOLDER'",
    "attach 'FOLDER/new.db'",
    "attach 'SECRET' as s",
    "detach memory",
    "use memory",
    "checkpoint",
    "select * from checkpoint()",
    "vacuum",
    # Settings.
    "set enable_external_access = true",
    "reset lock_configuration",
    "pragma enable_profiling",
    "pragma database_list",
    "call pragma_version()",
    "select * from enable_logging()",
    "select * from enable_profiling()",
    "select * from create_external_resource('x')",
    "set variable x = 1",
    "begin",
    "prepare p as select 1",
    "execute p",
    "explain analyze copy (select 1) to 'FOLDER/new.csv'",
    # More than one.
    "select 1; copy (select 1) to 'FOLDER/new.csv'",
    "select 1); copy (select 1) to 'FOLDER/new.csv'; select * from (select 1",
    "select 1) union all select content from read_text('SECRET') --",
    ".read SECRET",
    ".shell ls",
]


@pytest.mark.parametrize("attack", ATTACKS)
def test_nothing_but_tables_of_runs_can_be_reached(runs: Path, home: Path, attack: str) -> None:
    runs_of_the_caller = polars.DataFrame({"secret": [SECRET]})
    secret = home / "secret.txt"
    secret.write_text(f"{SECRET}\n", encoding="utf-8")
    before = fingerprint(home)
    words = {"SECRET": secret, "GAMES": files("mine")[0], "FOLDER": home}
    for word, path in words.items():
        attack = attack.replace(word, str(path))
    sentence = told(attack)
    assert SECRET not in sentence and len(runs_of_the_caller) == 1
    assert fingerprint(home) == before
    assert answer("select count(*) from mine") == [(GAMES,)]


def serialized(query: str) -> str:
    with duckdb.connect(":memory:") as connection:
        return str(connection.execute("select json_serialize_sql(?)", [query]).fetchall()[0][0])


def test_a_query_that_writes_does_not_come_in_serialized(runs: Path, home: Path) -> None:
    games = files("mine")[0]
    inner = serialized(f"with a as (copy (select 1) to '{games}' (format parquet, use_tmp_file false)) from a")
    before = fingerprint(home)
    assert "json_execute_serialized_sql() is not available here" in told(
        f"select * from mine, json_execute_serialized_sql('{inner.replace(chr(39), chr(39) * 2)}')"
    )
    assert fingerprint(home) == before


@pytest.mark.parametrize(
    "attack",
    [
        "select * from read_text('SECRET')",
        "select * from read_parquet('FOLDER/runs/mine/rows/../../../secret.txt')",
        "select * from 'SECRET'",
        "select * from glob('FOLDER/*')",
        "select * from (with a as (copy (select 1) to 'GAMES' (format parquet, use_tmp_file false)) from a)",
        "copy (select 1) to 'FOLDER/new.csv'",
        "attach 'FOLDER/new.db'",
        "load httpfs",
        "install httpfs",
        "set enable_external_access = true",
        "set lock_configuration = false",
        "set allowed_paths = ['SECRET']",
        "set temp_directory = 'FOLDER'",
        "set log_query_path = 'FOLDER/log'",
        "select * from enable_logging()",
        "select * from secrets_of_the_caller",
    ],
)
def test_duckdb_itself_is_locked_as_well(runs: Path, home: Path, attack: str) -> None:
    secret = home / "secret.txt"
    secret.write_text(f"{SECRET}\n", encoding="utf-8")
    secrets_of_the_caller = polars.DataFrame({"secret": [SECRET]})
    before = fingerprint(home)
    for word, path in {"SECRET": secret, "GAMES": files("mine")[0], "FOLDER": home}.items():
        attack = attack.replace(word, str(path))
    with duckdb_session.connected() as connection:
        duckdb_session.lay_out(connection, {"mine": [*map(str, files("mine"))]})
        with pytest.raises(duckdb.Error):
            connection.execute(attack).fetchall()
        assert connection.execute("select count(*) from mine").fetchall() == [(GAMES,)]
    assert fingerprint(home) == before and len(secrets_of_the_caller) == 1


def test_a_link_out_of_a_run_is_refused(runs: Path, home: Path) -> None:
    file = files("mine")[1]
    file.rename(home / "elsewhere.parquet")
    file.symlink_to(home / "elsewhere.parquet")
    assert told("from mine") == f"run mine: {file.name} is a link that leads out of its folder"
    with pytest.raises(PlaymillError, match="leads out of its folder"):
        find_run("mine").games_frame()


def test_a_run_cannot_name_files_of_others(runs: Path) -> None:
    run = find_run("mine")
    for first, chunk in run.manifest.done.items():
        moved = {kind: replace(file, path=f"../pig-1f2e3d4c5b/{file.path}") for kind, file in chunk.files.items()}
        run.manifest.done[first] = replace(chunk, files=moved)
    run.manifest.write(runs / "mine" / "manifest.json")
    assert told("from mine").startswith("run mine: its manifest.json is damaged")


@pytest.mark.parametrize(
    "name",
    ["it's", 'say "hello"', "x'); drop table runs; --", "[a]*?", "k=v", "Кости", "select", "a b", "a\nb"],
)
def test_runs_of_odd_names_are_asked_like_others(runs: Path, name: str) -> None:
    (runs / "mine").rename(runs / name)
    tables = [(table, kind) for table, (run, kind) in table_names(all_runs()[0]).items() if run == name]
    assert len(tables) == 2
    for table, kind in [*tables, (name, "games"), (f"{name}_seats", "seats")]:
        doubled = table.replace('"', '""')
        assert answer(f'select count(*) from "{doubled}"') == [(SEATS if kind == "seats" else GAMES,)]
    assert answer("select count(*) from runs") == [(3,)]


def test_a_home_of_odd_letters_is_found(runs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home = tmp_path / "it's [my] *home* key=1 ?"
    shutil.copytree(runs.parent, home)
    monkeypatch.setenv("PLAYMILL_HOME", str(home))
    assert answer("select count(*) from mine") == [(GAMES,)]
    assert playmill.sql("from mine limit 1").columns == find_run("mine").games_frame().collect_schema().names()


def test_what_others_have_written_into_a_run_is_text_and_nothing_else(runs: Path, pig: Game) -> None:
    bot = runs.parent / "x'); drop table runs; --.py"
    bot.write_text("def choose(decision):\n    return decision.actions[0]\n")
    simulate(pig, games=5, agents=[str(bot), "random"], keep="odd", rows=True)
    assert answer("select agents like '%drop table runs%' from runs where name = 'odd'") == [(True,)]
    assert answer("select count(*) from odd_seats where agent like '%drop table%'") == [(5,)]
