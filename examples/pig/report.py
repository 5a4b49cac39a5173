"""The report of Pig."""

from __future__ import annotations

from typing import Any

from playmill.author import Text
from playmill.author.report import RunInfo, Table, common, counted, rate, wins_of


def results(counts: Any, run: RunInfo) -> dict[str, Any]:
    """The results of a run as plain numbers."""
    games = int(counts["games"])
    wins = {name: rate(counts["agent_wins"][number], games).json() for number, name in enumerate(run.agent_names)}
    return {
        "games": games,
        "seats": [wins_of(won, games) for won in counts["wins"]],
        "agents": wins,
        "draws": {"games": int(counts["draws"]), "rate": rate(counts["draws"], games).json()},
        "turns": counted(counts["turns"], "turns").mean.json(),
        "decisions": int(counts["decisions"]),
    }


def sections(results: dict[str, Any], run: RunInfo) -> list[Table]:
    """The tables of the report."""
    draws = (Text("Nobody: a draw", "Никто: ничья"), None, {"win_rate": results["draws"]["rate"]})
    seats = common.seats_table(results["seats"], run, others=[draws] if results["draws"]["games"] else [])
    agents = {name: {"win_rate": found} for name, found in results["agents"].items()}
    return [seats] if run.rotations == 1 else [common.agents_table(agents, run), seats]
