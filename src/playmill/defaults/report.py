"""Default `report`: win rates, returns, draws and length of games."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from playmill.defaults.outcome import LOW_BITS, MOST_RETURNED, PARTS
from playmill.report.model.columns import Column
from playmill.report.model.common_figures import wins_of
from playmill.report.model.common_tables import FAIR_SHARE, WITHOUT_DRAWS, agents_table, length_table, seats_table
from playmill.report.model.histogram import Histogram
from playmill.report.model.tables import Estimate, RunInfo, Table, mean, rate
from playmill.texts import PlaymillError, Text

_RETURN = Column(Text("Mean return", "Средний выигрыш"), "returns")
_DESCRIBED = ("median", "p10", "p90", "min", "max", "intervals")


def results(counts: Any, run: RunInfo) -> dict[str, Any]:
    """The results of a run as plain numbers."""
    if beyond := int(counts["beyond"]):
        raise PlaymillError(
            f"{run.game}: {beyond} returns lie beyond ±{MOST_RETURNED}, more than the usual report counts, or are no"
            " numbers at all (NaN); count in larger units, or write outcome.py and report.py",
            f"{run.game}: выигрышей за пределами ±{MOST_RETURNED}, больше чем считает обычный отчёт, или вовсе не чисел"
            f" (NaN): {beyond}; считайте в более крупных единицах или напишите outcome.py и report.py",
        )
    games = int(counts["games"])
    agents = {}
    for number, name in enumerate(run.agent_names):
        seats = run.agents.count(name)
        agents[name] = {
            "win_rate": rate(counts["agent_wins"][number], games).over(seats).json(),
            "returns": _returned(counts, "agent", number, games * seats).json(),
        }
    return {
        "games": games,
        "seats": [
            {
                **wins_of(counts["seat_wins"][seat], games),
                "returns": _returned(counts, "seat", seat, games).json(),
            }
            for seat in range(run.players)
        ],
        "agents": agents,
        "draws": {"games": int(counts["draws"]), "rate": rate(counts["draws"], games).json()},
        "length": _length(counts, games, run.rotations),
        "decisions": int(counts["decisions"]),
    }


def _returned(counts: Any, whose: str, place: int, n: int) -> Estimate:
    squares = (int(counts[f"{whose}_high"][place]) << LOW_BITS) + int(counts[f"{whose}_low"][place])
    return mean(n, counts[f"{whose}_sums"][place], squares).over(PARTS)


def _length(counts: Any, games: int, rotations: int) -> dict[str, Any]:
    """The mean length, and where every length had its place also how lengths are spread."""
    middle = mean(games, counts["decisions"], counts["decision_squares"], least=0).json()
    if counts["lengths"][-1]:
        return {**middle, **dict.fromkeys(_DESCRIBED)}
    spread = Histogram(counts["lengths"][:-1], together=rotations).json()
    return {**middle, **{key: spread[key] for key in _DESCRIBED}}


def sections(results: Mapping[str, Any], run: RunInfo) -> list[Table]:
    """The tables of the report, from results as they are saved."""
    tables = [_seats(results, run), _length_table(results["length"])]
    return tables if run.rotations == 1 else [agents_table(results["agents"], run, _RETURN), *tables]


def _seats(results: Mapping[str, Any], run: RunInfo) -> Table:
    nobody = (Text("Nobody", "Никто"), None, {"win_rate": results["draws"]["rate"], "returns": None})
    note = Text("A win is the best return, had by nobody else.", "Победа — лучший выигрыш, которого нет ни у кого ещё.")
    if run.players == 1:
        note = Text("A win is a return of 1 or more.", "Победа — выигрыш не меньше 1.")
    others = [nobody] if results["draws"]["games"] else []
    return seats_table(
        results["seats"], run, _RETURN, others=others, note=note, fair=WITHOUT_DRAWS if others else FAIR_SHARE
    )


def _length_table(length: Mapping[str, Any]) -> Table:
    if length["median"] is None:
        length = {key: length[key] for key in ("value", "low", "high", "n")}
    note = Text("Decisions of all players count", "Считаются решения всех игроков")
    return length_table(length, Text("Decisions", "Решений"), note=note)
