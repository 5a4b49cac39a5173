"""Questions to kept runs in SQL: their games are tables, nothing else can be read, and nothing written.

Files are kept out of reach three times over: a query is looked through before it runs (`allowed.py`), it runs as a
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
from playmill.lab.runs.store.kept import KeptRun, all_runs, run_names, runs_folder
from playmill.lab.sql.allowed import Question, literal, no_table, not_answered, quoted, read_question
from playmill.lab.sql.duckdb_session import MEMORY, SECONDS, Answer, Waiting, connected, lay_out, limited, too_much
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
    """What kept runs answer to a query: each run is a table of its games, `…_seats` of its games and seats.

    A query that takes longer, or needs more bytes of memory, is broken off.
    """
    with asked(query, seconds=seconds, memory=memory) as answer:
        return answer.frame()


@contextmanager
def asked(
    query: str, *, waiting: Waiting | None = None, seconds: float = SECONDS, memory: int = MEMORY
) -> Iterator[Answer]:
    """The answer to a query about kept runs; what `waiting` is told, see there."""
    import duckdb

    tables: dict[str, TableOf] = {}
    with connected(memory) as connection, limited(connection, seconds, memory):
        try:
            question = read_question(connection, query)
            tables = _tables_of(question)
            lay_out(connection, {name: _files(_open(table.run), table.kind) for name, table in tables.items()})
            if RUNS in map(str.casefold, question.tables):
                _list_runs(connection)
            yield Answer(connection, _names() if question.whole else question.text, waiting)
        except duckdb.OutOfMemoryException:
            raise too_much() from None
        except duckdb.InterruptException:
            raise
        except duckdb.Error as error:
            raise _refusal(str(error), tables.values()) from None


class Listed(NamedTuple):
    """A table as it is listed, by the name one writes in a query.

    A run whose files are missing or damaged has its trouble in place of columns.
    """

    name: str
    rows: int
    columns: list[str]
    trouble: Text | None = None


def listed_tables() -> list[Listed]:
    """All tables there are: that of the runs, and those of each run that was kept with its games."""
    runs = {run.name: run for run in all_runs()[0]}
    found = [Listed(RUNS, len(runs), [*RUN_COLUMNS])]
    for name, (run, kind) in table_names(runs.values()).items():
        rows = runs[run].games * (runs[run].plan.players if kind == "seats" else 1)
        try:
            frame = runs[run].seats_frame() if kind == "seats" else runs[run].games_frame()
            found.append(Listed(_written(name), rows, frame.collect_schema().names()))
        except PlaymillError as error:
            found.append(Listed(_written(name), rows, [], error.text))
        except polars.exceptions.PolarsError as error:
            found.append(Listed(_written(name), rows, [], _damage(run, str(error)).text))
    return found


def table_names(runs: Iterable[KeptRun]) -> dict[str, TableOf]:
    """The name under which each table of runs with rows is listed: that of the run as one word, and `…_seats`.

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
    """A name as one word that SQL takes without quotes."""
    word = re.sub(r"\W", "_", name).casefold()
    return f"_{word}" if word[:1].isdigit() else word


def _written(name: str) -> str:
    """A name as one has to write it in a query."""
    return name if name == _word(name) else quoted(name)


def _meant(name: str, runs: Sequence[str]) -> TableOf | None:
    """The table that somebody means who writes a name: the run's own name or that as one word, and an ending.

    SQL does not tell capital letters from small ones, so neither can we.
    """
    for form in (str.casefold, _word):
        for ending, kind in _ENDINGS:
            found = [run for run in runs if form(run) + ending == name.casefold()]
            if len(found) == 1:
                return TableOf(found[0], kind)
    return None


def _tables_of(question: Question) -> dict[str, TableOf]:
    """The tables a question is about, by the names it has for them."""
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
    """The files of a table."""
    paths = [str(path.resolve()) for path in run.files(kind)]
    if not paths:
        raise PlaymillError(
            f"run {run.source} has no finished games yet", f"в прогоне {run.source} ещё нет завершённых партий"
        )
    return paths


def _list_runs(connection: DuckDBPyConnection) -> None:
    """Makes the table of runs."""
    columns = ", ".join(f"{name} {kind}" for name, kind in RUN_COLUMNS.items())
    connection.execute(f"create table {RUNS} ({columns})")
    for run in all_runs()[0]:
        values = [*map(_encoded, _described(run))]
        connection.execute(f"insert into {RUNS} values ({', '.join('?' * len(values))})", values)


def _encoded(value: object) -> object:
    """A text without what UTF-8 cannot write, such as the name of a file in other bytes."""
    return value.encode("utf-8", "backslashreplace").decode() if isinstance(value, str) else value


def _described(run: KeptRun) -> list[object]:
    """A run as a row of the table of runs."""
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
    """What differs from the rules, as JSON; nobody knows without running the code of a game that is not ours."""
    if run.plan.game not in game_names():
        return None
    with suppress(PlaymillError):
        return json.dumps(differences(run.game.config.read(run.plan.config)), ensure_ascii=False)
    return None


def _names() -> str:
    """A query for the names of all tables."""
    return f"select unnest([{', '.join(map(literal, (RUNS, *table_names(all_runs()[0]))))}]) as name"


def _refusal(message: str, tables: Iterable[TableOf]) -> PlaymillError:
    """What DuckDB has to say, in one sentence; where it is about a file, whose file that is."""
    lines = [line.strip() for line in message.splitlines() if line.strip()]
    told = " ".join(lines[:1] + [line for line in lines[1:2] if line.startswith(("Candidate", "Did you mean"))])
    for run, _ in tables:
        if str((runs_folder() / run).resolve()) in message:
            return _damage(run, told)
    return not_answered(told)


def _damage(run: str, told: str) -> PlaymillError:
    """The sentence about a file that is as long as it should be, and still wrong."""
    return PlaymillError(
        f"a file of run {run} is damaged, playmill resume {run} plays its games again: {told}",
        f"файл прогона {run} повреждён, playmill resume {run} сыграет его партии снова: {told}",
    )
