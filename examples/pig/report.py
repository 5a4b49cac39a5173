"""The report of Pig."""

from __future__ import annotations

from typing import Any

from playmill import Text
from playmill.report.histogram import counted
from playmill.report.model import Chart, Estimate, RunInfo, Table, rate


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
    games, draws = results["games"], results["draws"]
    rows = [
        (Text(f"Seat {place + 1}", f"Место {place + 1}"), Estimate(n=games, **seat["win_rate"]))
        for place, seat in enumerate(results["seats"])
    ]
    if draws["games"]:
        rows.append((Text("Nobody: a draw", "Никто: ничья"), Estimate(n=games, **draws["rate"])))
    return [
        Table(
            "seats",
            Text("Who wins", "Кто выигрывает"),
            (Text("seat", "место"), Text("win rate", "доля побед")),
            tuple(rows),
            chart=Chart(0, 1, reference=0.5, reference_label=Text("fair", "поровну")),
            percent_columns=frozenset({1}),
        )
    ]
