"""Runs a query in a locked-down DuckDB: in memory, given files only, limits on time and memory."""

from __future__ import annotations

import os
import re
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import polars

from playmill.interrupts import WORKERS
from playmill.lab.sql.query_check import literal, quoted
from playmill.texts import PlaymillError

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

#: Told now and then, after a while, that a query goes on: the share that is done, or None if nobody knows.
Waiting = Callable[[float | None], None]

#: Seconds until one is told that a query goes on, and between looks at it.
_PATIENCE, _LOOK = 2.0, 0.1
#: The name of a table that no run can have, since it is no name of a folder.
_ANSWER = '"/answer"'
#: Types that Polars takes over as they are, and lists of them; all others become text.
_PLAIN = re.compile(
    r"(BOOLEAN|U?(TINY|SMALL|BIG)?INT(EGER)?|FLOAT|DOUBLE|DECIMAL\(\d+,\d+\)|VARCHAR|BLOB|DATE|TIME"
    r'|TIMESTAMP(_S|_MS|_NS| WITH TIME ZONE)?|"NULL")(\[\])*'
)
_SMALL = ("TINYINT", "SMALLINT", "INTEGER")


#: How long a query may take, and how much memory, unless somebody says otherwise.
SECONDS, MEMORY = 60.0, 2 * 2**30


@contextmanager
def connected(memory: int = MEMORY) -> Iterator[DuckDBPyConnection]:
    """Returns a DuckDB in memory, without extensions, secrets, Python's variables or files of its own."""
    import duckdb

    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    connection = duckdb.connect(
        ":memory:",
        config={
            "threads": cores or 1,
            "temp_directory": "",
            "allow_persistent_secrets": False,
            "allow_community_extensions": False,
            "autoinstall_known_extensions": False,
            "autoload_known_extensions": False,
            "python_enable_replacements": False,
        },
    )
    try:
        connection.execute(f"set memory_limit = {literal(_memory(connection, memory))}")
        yield connection
    finally:
        connection.close()


def _memory(connection: DuckDBPyConnection, most: int) -> str:
    """Limits DuckDB to half of what it would take: Polars may need as much again to take an answer over."""
    amount, unit = connection.execute("select current_setting('memory_limit')").fetchall()[0][0].split()
    usual = float(amount) / 2 * 1024 ** (" KMGT".index(unit[0]) if unit != "bytes" else 0)
    return f"{min(int(usual), most)}B"


@contextmanager
def limited(connection: DuckDBPyConnection, seconds: float, memory: int) -> Iterator[None]:
    """Breaks off work after a time, or when the process has grown by more than twice the memory.

    DuckDB's own limit does not count all it takes, and Polars takes an answer over besides.
    """
    start, before = time.monotonic(), _resident()
    over, why = threading.Event(), list[PlaymillError]()

    def watch() -> None:
        while not over.wait(_LOOK):
            if time.monotonic() - start > seconds:
                why.append(_too_long(seconds))
            elif _resident() - before > 2 * memory:
                why.append(too_much())
            if why:
                connection.interrupt()

    watcher = threading.Thread(target=watch, name=f"{WORKERS}-sql-limits", daemon=True)
    watcher.start()
    try:
        yield
    except Exception:
        if why:
            raise why[0] from None
        raise
    finally:
        over.set()
        watcher.join()


def _resident() -> int:
    """Returns the resident memory of this process in bytes; 0 where the system does not say."""
    try:
        return int(Path("/proc/self/statm").read_bytes().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError, IndexError):
        return 0


def _too_long(seconds: float) -> PlaymillError:
    return PlaymillError(
        f"there is no answer after {seconds:g} s; ask for less, or give it more time: --time 10m",
        f"за {seconds:g} с ответа нет; спросите меньше или дайте больше времени: --time 10m",
    )


def too_much() -> PlaymillError:
    """Returns the error about an answer that needs more memory than it may have."""
    return PlaymillError(
        "there is not enough memory for the answer: ask for fewer rows or columns, or for counts and means, or allow "
        "more: --memory 4G",
        "для ответа не хватает памяти: спросите меньше строк или столбцов либо количества и средние, или разрешите "
        "больше: --memory 4G",
    )


def lay_out(connection: DuckDBPyConnection, tables: Mapping[str, Sequence[str]]) -> None:
    """Creates tables from Parquet files; from then on DuckDB opens no other file, irrevocably."""
    allowed = sorted({path for paths in tables.values() for path in paths})
    connection.execute(f"set allowed_paths = [{', '.join(map(literal, allowed))}]")
    connection.execute("set enable_external_access = false")
    connection.execute("set lock_configuration = true")
    for name, paths in tables.items():
        source = f"read_parquet([{', '.join(map(literal, paths))}], hive_partitioning = false)"
        columns = connection.execute(f"describe from {source}").fetchall()
        # The product of two small numbers is often no small number.
        wide = (_as(column, "bigint") if kind in _SMALL else quoted(column) for column, kind, *_ in columns)
        connection.execute(f"create or replace view {quoted(name)} as select {', '.join(wide)} from {source}")


def _as(name: str, kind: str) -> str:
    return f"{quoted(name)}::{kind} as {quoted(name)}"


class QueryAnswer:
    """Result of a query. It runs as a subquery of ours, where DuckDB allows nothing that writes."""

    def __init__(self, connection: DuckDBPyConnection, query: str, waiting: Waiting | None) -> None:
        self._connection = connection
        self._query = query
        self._waiting = waiting

    def head(self, count: int) -> tuple[polars.DataFrame, int]:
        """Returns the first n rows, and how many more there are."""
        found = self._fetched(f"select * from ({self._query}) limit {count + 1}")
        if len(found) <= count:
            return found, 0
        whole = self._fetched(f"select count(*) as rows from ({self._query})")
        return found.head(count), int(whole["rows"][0]) - count

    def frame(self) -> polars.DataFrame:
        """Returns all rows."""
        return self._fetched(f"select * from ({self._query})")

    def _fetched(self, query: str) -> polars.DataFrame:
        """The rows of a query. They are counted against DuckDB's share of memory before Polars takes them over."""
        run = self._connection.execute
        _patiently(self._connection, lambda: run(f"create temp table {_ANSWER} as {query}"), self._waiting)
        types = {name: kind for name, kind, *_ in run(f"describe {_ANSWER}").fetchall()}
        columns = ", ".join(self._taken_over(name, kind) for name, kind in types.items())
        made = polars.DataFrame(_Stream(self._connection.sql(f"select {columns} from {_ANSWER}")))
        run(f"drop table {_ANSWER}")
        return made

    def _taken_over(self, name: str, kind: str) -> str:
        """Returns a column of the answer as Polars can take it over."""
        if kind in ("HUGEINT", "UHUGEINT"):
            # DuckDB's sums have 128 bits, whether they need them or not.
            column = quoted(name)
            longer = f"{column} is not null and try_cast({column} as bigint) is null"
            found = self._connection.execute(f"select count(*) from {_ANSWER} where {longer}").fetchall()
            return _as(name, "double" if found[0][0] else "bigint")
        return quoted(name) if _PLAIN.fullmatch(kind) else _as(name, "varchar")


class _Stream:
    """Rows on their way to Polars, which would not release the type of DuckDB's own object before Python ends."""

    def __init__(self, rows: Any) -> None:
        self._rows = rows

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        return self._rows.__arrow_c_stream__(requested_schema)


def _patiently(connection: DuckDBPyConnection, work: Callable[[], object], waiting: Waiting | None) -> None:
    """Does long work that Ctrl-C breaks off, and reports now and then that it goes on."""
    failed: list[BaseException] = []
    # Not whether the thread is alive: Python takes one for dead whose `join` a signal has broken off.
    over = threading.Event()

    def do() -> None:
        try:
            work()
        except BaseException as error:
            failed.append(error)
        finally:
            over.set()

    thread = threading.Thread(target=do, name=f"{WORKERS}-sql", daemon=True)
    try:
        thread.start()
        patience = _PATIENCE
        while not over.wait(patience):
            patience = _LOOK
            if waiting is not None:
                done = connection.query_progress()
                waiting(done / 100 if done >= 0 else None)
    except BaseException:
        while thread.ident is not None and not over.wait(_LOOK):
            connection.interrupt()
        raise
    if failed:
        raise failed[0]
