"""The report of Kuhn poker: chips a game."""

from __future__ import annotations

from typing import Any

from playmill import Text
from playmill.report.model import Chart, Estimate, RunInfo, Table, mean, rate, seat_note

_CHIPS = Text("chips a game", "фишек за партию")


def results(counts: Any, run: RunInfo) -> dict[str, Any]:
    """The results of a run as plain numbers."""
    games = int(counts["games"])
    agents = {
        name: mean(
            int(counts["agent_games"][number]),
            int(counts["agent_chips"][number]),
            int(counts["agent_squares"][number]),
        ).json()
        for number, name in enumerate(run.agent_names)
    }
    return {
        "games": games,
        "seats": [
            {"chips": mean(games, int(chips), int(squares)).json()}
            for chips, squares in zip(counts["chips"], counts["squares"], strict=True)
        ],
        "agents": agents,
        "showdowns": rate(counts["showdowns"], games).json(),
        "decisions": int(counts["decisions"]),
    }


def sections(results: dict[str, Any], run: RunInfo) -> list[Table]:
    """The tables of the report."""
    seats = [(Text(f"Seat {place}", f"Место {place}"), seat["chips"]) for place, seat in enumerate(results["seats"], 1)]
    games = results["games"]
    tables = [_chips("seats", Text("What a seat is worth", "Сколько приносит место"), seats, games, seat_note(run))]
    if run.rotations > 1:
        agents = list(results["agents"].items())
        tables.insert(0, _chips("agents", Text("Which agent earns more", "Кто зарабатывает больше"), agents, games))
    showdowns = Estimate(n=games, **results["showdowns"])
    tables.append(
        Table(
            "showdowns",
            Text("How it ends", "Чем кончается"),
            (Text("end", "конец"), Text("share", "доля")),
            ((Text("cards are shown", "карты открыты"), showdowns),),
            percent_columns=frozenset({1}),
        )
    )
    return tables


def _chips(key: str, title: Text, rows: list[tuple[Any, Any]], games: int, note: Text | None = None) -> Table:
    return Table(
        key,
        title,
        (Text("who", "кто"), _CHIPS),
        tuple((name, Estimate(n=games, **saved)) for name, saved in rows),
        note=note,
        chart=Chart(0, 1, percent=False, reference=0, reference_label=Text("even", "поровну")),
    )
