"""Validates SQL before it runs: one query that only reads tables, no function that could touch a file."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from playmill.texts import PlaymillError

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

#: Functions that may stand in place of a table. All others are refused: some read files, some write them, and some run
#: another query that nobody has looked at.
_HARMLESS = frozenset({"generate_series", "json_each", "json_tree", "range", "unnest"})
#: What a query may be made of; DuckDB 2 also has some that write, inside of WITH.
_READING = frozenset({"CTE_NODE", "RECURSIVE_CTE_NODE", "SELECT_NODE", "SET_OPERATION_NODE"})
_SCHEMAS = ("", "main")


class CheckedQuery(NamedTuple):
    """A validated query, with the tables it names.

    `text` is written anew from what DuckDB understood, so that nothing runs but what was looked at. `tables` are the
    names it reads from, as it writes them; of these `own` are, in small letters, what it calls parts of itself, and
    perhaps tables as well. `whole` says that it asks which tables there are.
    """

    text: str
    tables: frozenset[str]
    own: frozenset[str]
    whole: bool


def check_query(connection: DuckDBPyConnection, query: str) -> CheckedQuery:
    """Validates a query; raises unless it is a single one that does nothing but read tables."""
    try:
        query.encode()
    except UnicodeEncodeError:
        raise PlaymillError("the query is no text in UTF-8", "запрос — не текст в UTF-8") from None
    statements = connection.extract_statements(query)
    if not statements:
        raise PlaymillError("the query is empty", "запрос пуст")
    if len(statements) > 1:
        raise PlaymillError(
            f"one query at a time, and there are {len(statements)}", f"нужен один запрос, а здесь их {len(statements)}"
        )
    if statements[0].type.name == "MULTI":
        raise PlaymillError(
            "a pivot has to name its columns here: pivot … on … in (…)",
            "pivot здесь должен назвать свои столбцы: pivot … on … in (…)",
        )
    if statements[0].type.name != "SELECT":
        raise _not_reading(statements[0].type.name.replace("_", " "))
    try:
        return _looked_through(connection, query)
    except RecursionError:
        raise PlaymillError("the query is nested too deeply", "слишком глубокая вложенность запроса") from None


def _looked_through(connection: DuckDBPyConnection, query: str) -> CheckedQuery:
    written = connection.execute("select json_serialize_sql(?)", [query]).fetchall()[0][0]
    tree = json.loads(written)
    if tree["error"]:
        raise not_answered(tree["error_message"])
    tables: set[str] = set()
    own: set[str] = set()
    shown = False
    for node in _nodes(tree):
        kind = node.get("type")
        if isinstance(kind, str) and kind.endswith("_NODE") and kind not in _READING:
            raise _not_reading(kind.split("_")[0])
        if kind == "TABLE_FUNCTION":
            _check_function(node["function"]["function_name"])
        elif kind == "BASE_TABLE":
            if node["schema_name"].casefold() not in _SCHEMAS or node["catalog_name"]:
                raise no_table(f"{node['schema_name']}.{node['table_name']}")
            tables.add(node["table_name"])
        elif kind == "SHOW_REF" and node["query"] is None:
            if node["show_type"] == "SHOW_SPECIAL":
                shown = True
            else:
                tables.add(node["table_name"])
        own |= {entry["key"].casefold() for entry in node.get("cte_map", {}).get("map", ())}
    text = connection.execute("select json_deserialize_sql(?::json)", [written]).fetchall()[0][0]
    return CheckedQuery(text, frozenset(tables), frozenset(own), shown and not tables)


def _nodes(tree: object) -> Iterator[Mapping[str, Any]]:
    """Yields every object of a JSON tree."""
    left = [tree]
    while left:
        node = left.pop()
        if isinstance(node, dict):
            yield node
            left += node.values()
        elif isinstance(node, list):
            left += node


def _check_function(name: str) -> None:
    if name.casefold() not in _HARMLESS:
        raise PlaymillError(
            f"{name}() is not available here: a question reads the tables of kept runs and nothing else",
            f"функция {name}() здесь недоступна: вопрос читает таблицы сохранённых прогонов и больше ничего",
        )


def _not_reading(what: str) -> PlaymillError:
    return PlaymillError(
        f"{what} cannot be done here: a question only reads (select …, from …, describe …)",
        f"{what} здесь не выполнить: вопрос только читает (select …, from …, describe …)",
    )


def not_answered(reason: str) -> PlaymillError:
    """Returns the error about a query that DuckDB does not understand or cannot carry out."""
    return PlaymillError(f"the query cannot be answered: {reason}", f"на запрос нельзя ответить: {reason}")


def no_table(name: str, known: str = "") -> PlaymillError:
    """Returns the error about an unknown table, with the known ones."""
    there = known or "runs"
    return PlaymillError(f"there is no table {name!r}; there are: {there}", f"таблицы {name!r} нет; есть: {there}")


def quoted(name: str) -> str:
    """Quotes a name for SQL."""
    return '"' + name.replace('"', '""') + '"'


def literal(text: str) -> str:
    """Quotes a text for SQL."""
    return "'" + text.replace("'", "''") + "'"
