"""The report of Pig."""

from __future__ import annotations

from typing import Any

from playmill.author import Text
from playmill.author.report import Chart, RunInfo, Table, counted, rate, saved_estimate, seat_note

_AGENT = Text("agent", "агент")


def results(counts: Any, run: RunInfo) -> dict[str, Any]:
    """The results of a run as plain numbers."""
    games = int(counts["games"])
    wins = {name: rate(counts["agent_wins"][number], games).json() for number, name in enumerate(run.agent_names)}
    return {
        "games": games,
        "seats": [{"wins": int(won), "win_rate": rate(won, games).json()} for won in counts["wins"]],
        "agents": wins,
        "draws": {"games": int(counts["draws"]), "rate": rate(counts["draws"], games).json()},
        "turns": counted(counts["turns"], "turns").mean.json(),
        "decisions": int(counts["decisions"]),
    }


def sections(results: dict[str, Any], run: RunInfo) -> list[Table]:
    """The tables of the report."""
    seats = [
        (Text(f"Seat {place}", f"Место {place}"), seat["win_rate"]) for place, seat in enumerate(results["seats"], 1)
    ]
    if results["draws"]["games"]:
        seats.append((Text("Nobody: a draw", "Никто: ничья"), results["draws"]["rate"]))
    tables = [_wins("seats", Text("Who wins", "Кто выигрывает"), Text("seat", "место"), seats, seat_note(run))]
    if run.rotations > 1:
        agents = list(results["agents"].items())
        tables.insert(0, _wins("agents", Text("Which agent wins", "Какой агент выигрывает"), _AGENT, agents))
    return tables


def _wins(key: str, title: Text, who: Text, rows: list[tuple[Any, Any]], note: Text | None = None) -> Table:
    return Table(
        key,
        title,
        (who, Text("win rate", "доля побед")),
        tuple((name, saved_estimate(saved)) for name, saved in rows),
        note=note,
        chart=Chart(0, 1, reference=0.5, reference_label=Text("fair", "поровну")),
        percent_columns=frozenset({1}),
    )
