"""`sql`: answers queries about kept runs, whose games are tables; nothing else can be read, and nothing written.

Files are kept out of reach three times over: a query is validated before it runs (`query_check.py`), it runs as a
part of ours, where nothing that writes may stand, and DuckDB may open the files of the runs in question only
(`duckdb_session.py`).
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from difflib import get_close_matches
from typing import TYPE_CHECKING, Literal, NamedTuple

import polars

from playmill.engine.config.model import differences
from playmill.engine.contract.game import game_names
from playmill.lab.runs.store.reader import KeptRun, all_runs, run_names, runs_folder
from playmill.lab.sql.duckdb_session import MEMORY, SECONDS, QueryAnswer, Waiting, connected, lay_out, limited, too_much
from playmill.lab.sql.query_check import CheckedQuery, check_query, literal, no_table, not_answered, quoted
from playmill.texts import PlaymillError, Text

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

Kind = Literal["games", "seats"]

#: The table of runs, its columns, and their types in SQL.
RUNS = "runs"
RUN_COLUMNS = {
    "name": "varchar",
    "game": "varchar",
    "players": "bigint",
    "agents": "varchar",
    "rotated": "boolean",
    "seed": "bigint",
    "games": "bigint",
    "requested": "bigint",
    "complete": "boolean",
    "has_rows": "boolean",
    "created": "timestamp",
    "seconds": "double",
    "changes": "varchar",
    "config": "varchar",
}
_KINDS: tuple[Kind, ...] = ("games", "seats")
#: What follows the name of a run in those of its tables; the last one is for people who expect it.
_ENDINGS: tuple[tuple[str, Kind], ...] = (("", "games"), ("_seats", "seats"), ("_games", "games"))
#: The most names a sentence lists.
_MOST_NAMES = 30


class TableOf(NamedTuple):
    """A table of a run: its games, or its games and seats."""

    run: str
    kind: Kind


def sql(query: str, *, seconds: float = SECONDS, memory: int = MEMORY) -> polars.DataFrame:
    """Answers a query about kept runs: each run is a table of its games, `…_seats` of its games and seats.

    A query that takes longer, or needs more bytes of memory, is broken off.
    """
    with asked(query, seconds=seconds, memory=memory) as answer:
        return answer.frame()


@contextmanager
def asked(
    query: str, *, waiting: Waiting | None = None, seconds: float = SECONDS, memory: int = MEMORY
) -> Iterator[QueryAnswer]:
    """Returns the answer to a query; `waiting` is called now and then while it runs."""
    import duckdb

    tables: dict[str, TableOf] = {}
    with connected(memory) as connection, limited(connection, seconds, memory):
        try:
            question = check_query(connection, query)
            tables = _tables_of(question)
            lay_out(connection, {name: _files(_open(table.run), table.kind) for name, table in tables.items()})
            if RUNS in map(str.casefold, question.tables):
                _list_runs(connection)
            yield QueryAnswer(connection, _names() if question.whole else question.text, waiting)
        except duckdb.OutOfMemoryException:
            raise too_much() from None
        except duckdb.InterruptException:
            raise
        except duckdb.Error as error:
            raise _refusal(str(error), tables.values()) from None


class ListedTable(NamedTuple):
    """A table as it is listed, by the name one writes in a query.

    A run whose files are missing or damaged has its trouble in place of columns.
    """

    name: str
    rows: int
    columns: list[str]
    trouble: Text | None = None


def listed_tables() -> list[ListedTable]:
    """Returns all tables: that of the runs, and those of each run that was kept with its games."""
    runs = {run.name: run for run in all_runs()[0]}
    found = [ListedTable(RUNS, len(runs), [*RUN_COLUMNS])]
    for name, (run, kind) in table_names(runs.values()).items():
        rows = runs[run].games * (runs[run].plan.players if kind == "seats" else 1)
        try:
            frame = runs[run].seats_frame() if kind == "seats" else runs[run].games_frame()
            found.append(ListedTable(_written(name), rows, frame.collect_schema().names()))
        except PlaymillError as error:
            found.append(ListedTable(_written(name), rows, [], error.text))
        except polars.exceptions.PolarsError as error:
            found.append(ListedTable(_written(name), rows, [], _damage(run, str(error)).text))
    return found


def table_names(runs: Iterable[KeptRun]) -> dict[str, TableOf]:
    """Returns the table names of runs with rows: the run's name as one word, and `…_seats`.

    Where that means something else, it is the run's own name; a table that cannot be named at all is left out, and so
    is one without a single finished game.
    """
    names = run_names()
    found: dict[str, TableOf] = {}
    for table in (TableOf(run.name, kind) for run in runs if run.has_rows and run.games for kind in _KINDS):
        endings = [ending for ending, kind in _ENDINGS if kind == table.kind]
        forms = (name + ending for name in (_word(table.run), table.run) for ending in endings)
        name = next((form for form in forms if form.casefold() != RUNS and _meant(form, names) == table), None)
        if name is not None:
            found[name] = table
    return found


def _word(name: str) -> str:
    """Returns a name as one word that SQL takes without quotes."""
    word = re.sub(r"\W", "_", name).casefold()
    return f"_{word}" if word[:1].isdigit() else word


def _written(name: str) -> str:
    """Returns a name as one has to write it in a query."""
    return name if name == _word(name) else quoted(name)


def _meant(name: str, runs: Sequence[str]) -> TableOf | None:
    """Returns the table that a name means: the run's own name or that as one word, and an ending.

    SQL does not tell capital letters from small ones, so neither can we.
    """
    for form in (str.casefold, _word):
        for ending, kind in _ENDINGS:
            found = [run for run in runs if form(run) + ending == name.casefold()]
            if len(found) == 1:
                return TableOf(found[0], kind)
    return None


def _tables_of(question: CheckedQuery) -> dict[str, TableOf]:
    """Returns the tables of a query, by the names it has for them."""
    runs = run_names()
    found: dict[str, TableOf] = {}
    for name in sorted(question.tables):
        if name.casefold() == RUNS:
            continue
        table = _meant(name, runs)
        if table is not None:
            found[name] = table
        elif name.casefold() not in question.own:
            raise _unknown(name)
    return found


def _unknown(name: str) -> PlaymillError:
    names = [RUNS, *table_names(all_runs()[0])]
    near = get_close_matches(name.casefold(), names, n=3)
    listed = [*near, *(known for known in names if known not in near)]
    return no_table(name, ", ".join(map(_written, listed[:_MOST_NAMES])) + (", …" if len(listed) > _MOST_NAMES else ""))


def _open(name: str) -> KeptRun:
    return KeptRun.open(runs_folder() / name)


def _files(run: KeptRun, kind: Kind) -> list[str]:
    """Returns the files of a table."""
    paths = [str(path.resolve()) for path in run.files(kind)]
    if not paths:
        raise PlaymillError(
            f"run {run.source} has no finished games yet", f"в прогоне {run.source} ещё нет завершённых партий"
        )
    return paths


def _list_runs(connection: DuckDBPyConnection) -> None:
    """Creates the table of runs."""
    columns = ", ".join(f"{name} {kind}" for name, kind in RUN_COLUMNS.items())
    connection.execute(f"create table {RUNS} ({columns})")
    for run in all_runs()[0]:
        values = [*map(_encoded, _described(run))]
        connection.execute(f"insert into {RUNS} values ({', '.join('?' * len(values))})", values)


def _encoded(value: object) -> object:
    """Returns a text without what UTF-8 cannot encode, such as a file name in other bytes."""
    return value.encode("utf-8", "backslashreplace").decode() if isinstance(value, str) else value


def _described(run: KeptRun) -> list[object]:
    """Returns a run as a row of the table of runs."""
    plan = run.plan
    return [
        run.name,
        plan.game,
        plan.players,
        ", ".join(plan.names),
        plan.rotated,
        plan.seed,
        run.games,
        run.requested,
        run.complete,
        run.has_rows,
        run.about["created"],
        sum(session["seconds"] for session in run.manifest.sessions),
        _changes(run),
        json.dumps(plan.config, ensure_ascii=False),
    ]


def _changes(run: KeptRun) -> str | None:
    """Returns what differs from the rules, as JSON; None if it would need the code of a game that is not ours."""
    if run.plan.game not in game_names():
        return None
    with suppress(PlaymillError):
        return json.dumps(differences(run.game.config.read(run.plan.config)), ensure_ascii=False)
    return None


def _names() -> str:
    """Returns a query for the names of all tables."""
    return f"select unnest([{', '.join(map(literal, (RUNS, *table_names(all_runs()[0]))))}]) as name"


def _refusal(message: str, tables: Iterable[TableOf]) -> PlaymillError:
    """Returns DuckDB's message in one sentence; where it is about a file, whose file that is."""
    lines = [line.strip() for line in message.splitlines() if line.strip()]
    reason = " ".join(lines[:1] + [line for line in lines[1:2] if line.startswith(("Candidate", "Did you mean"))])
    for run, _ in tables:
        if str((runs_folder() / run).resolve()) in message:
            return _damage(run, reason)
    return not_answered(reason)


def _damage(run: str, reason: str) -> PlaymillError:
    """Returns the message about a file of the right length that is damaged."""
    return PlaymillError(
        f"a file of run {run} is damaged, playmill resume {run} plays its games again: {reason}",
        f"файл прогона {run} повреждён, playmill resume {run} сыграет его партии снова: {reason}",
    )
