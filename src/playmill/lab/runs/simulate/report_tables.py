"""Tables of a run's report: the game's own, one of fallbacks, and one of sandbox guarantees."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from playmill.agents.programs.sandbox.guarantees import HEAD, TITLE, guarantee_rows
from playmill.engine.contract.game import Game
from playmill.report.model.tables import RunInfo, Table
from playmill.texts import Text

#: Fallbacks that the report tells word for word.
_SHOWN_FALLBACKS = 5


def report_tables(game: Game, results: dict[str, Any], info: RunInfo) -> list[Table]:
    """Returns the game's tables, one of the fallbacks if there were any, and one of sandbox guarantees."""
    tables: list[Table] = list(game.report.sections(results, info))
    fallbacks = results["fallbacks"]
    if fallbacks["total"]:
        names = game.words.DECISION_NAMES
        rows: list[tuple[str | Text, int]] = list(fallbacks["by_agent"].items())
        rows += [(names.get(kind, kind), count) for kind, count in fallbacks["by_decision"].items()]
        tables.append(
            Table(
                "fallbacks",
                Text("Answers replaced by a random valid choice", "Ответы, заменённые случайным допустимым выбором"),
                (Text("agent / decision", "агент / решение"), Text("times", "раз")),
                tuple(rows),
            )
        )
        tables.append(_first_fallbacks(info.extra.get("fallback_log", ()), names))
    if guarantees := info.extra.get("walls"):
        tables.append(Table("walls", TITLE, HEAD, tuple(guarantee_rows(guarantees))))
    return tables


def _first_fallbacks(log: Sequence[Mapping[str, Any]], names: Mapping[str, Text]) -> Table:
    """Returns a table of the first fallbacks, word for word."""
    rows = []
    for entry in log[:_SHOWN_FALLBACKS]:
        game, turn, player = entry["game"], entry["turn"], entry["seat"] + 1
        where = Text(
            f"game {game}, " + (f"turn {turn}, " if turn is not None else "") + f"player {player}",
            f"партия {game}, " + (f"ход {turn}, " if turn is not None else "") + f"игрок {player}",
        )
        what = Text(f"{entry['reason']} → {entry['replacement']}", f"{entry['reason_ru']} → {entry['replacement_ru']}")
        rows.append((where, names.get(entry["decision"], entry["decision"]), what))
    return Table(
        "fallback_log",
        Text("The first of these answers", "Первые из этих ответов"),
        (Text("where", "где"), Text("decision", "решение"), Text("why → instead", "почему → вместо этого")),
        tuple(rows),
    )
