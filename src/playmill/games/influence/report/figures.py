"""The figures of a report on Influence, computed from the tally of its games."""

from __future__ import annotations

from typing import Any

import numpy as np

from playmill.author import Text
from playmill.author.report import (
    RunInfo,
    counted,
    decisions_per_game,
    mean,
    rate,
)
from playmill.games.influence.constants import EMPTY
from playmill.games.influence.outcome import CLASS_NAMES, END, ENDINGS
from playmill.games.influence.rules import CHECKPOINTS


def results(counts: np.void, run: RunInfo) -> dict[str, Any]:
    """The results of a run, as they are saved, from the tally of its games."""
    games, draws, autos = (int(counts[name]) for name in ("games", "draws", "autos"))
    ended_by = dict(zip(ENDINGS, map(int, counts["ended_by"]), strict=True))
    won_at_limit = ended_by["limit"] - draws
    return {
        "games": games,
        "wins_by_seat": [
            {"agent": agent, "wins": int(counts["wins"][seat]), **rate(counts["wins"][seat], games).json()}
            for seat, agent in enumerate(run.seat_agents)
        ],
        "draws": {"games": draws, **rate(draws, games).json()},
        "agents": {name: _agent(counts, number, name, run) for number, name in enumerate(run.agent_names)},
        "rounds": counted(counts["rounds"], "rounds", together=run.rotations).json(),
        "ended_by": {name: {"games": ended, **rate(ended, games).json()} for name, ended in ended_by.items()},
        "won_at_limit": {"games": won_at_limit, **rate(won_at_limit, games).json()},
        "attacks": {name: _attacks(counts, kind, name, run) for kind, name in enumerate(CLASS_NAMES)},
        "first_blood": _first_blood(counts, run),
        "over_time": [
            {"round": int(checkpoint), **_look(counts, look, run.players)}
            for look, checkpoint in enumerate(CHECKPOINTS)
            if checkpoint <= run.config["round_limit"]
        ],
        "at_the_end": _look(counts, END, run.players),
        "autos": {"times": autos, **mean(games, autos, counts["autos_squared"], least=0).json()},
        "decisions": int(counts["decisions"]),
        "decisions_per_game": decisions_per_game(counts).json(),
    }


def _agent(counts: np.void, number: int, name: str, run: RunInfo) -> dict[str, Any]:
    """How often an agent wins, for each of its seats: one game has one winner, so its seats are no separate trials."""
    seats, wins = run.agents.count(name), int(counts["agent_wins"][number])
    return {"seats": seats, "wins": wins, "win_rate": rate(wins, counts["games"]).over(seats).json()}


def _attacks(counts: np.void, kind: int, name: str, run: RunInfo) -> dict[str, Any]:
    """The attacks of one class, and the chance that the config promises them."""
    made, won = int(counts["made"][kind]), int(counts["won"][kind])
    percent = 100 if kind == EMPTY else run.config[f"chance_{name}"]
    return {"made": made, "won": won, "rate": rate(won, made).json(), "promised": percent / 100}


def _first_blood(counts: np.void, run: RunInfo) -> dict[str, Any]:
    """How often whoever took the first enemy cell wins, overall and by seat."""
    drawn, won = (list(map(int, counts[name][: run.players])) for name in ("first_blood", "first_blood_wins"))
    return {
        "games": sum(drawn),
        "wins": sum(won),
        "win_rate": rate(sum(won), sum(drawn)).json(),
        "fair": 1 / run.players,
        "by_seat": [
            {"games": games, "wins": wins, "win_rate": rate(wins, games).json()}
            for games, wins in zip(drawn, won, strict=True)
        ],
    }


def _look(counts: np.void, look: int, players: int) -> dict[str, Any]:
    """What each seat had at one look, in the games that came so far; of an eliminated player it is 0."""
    games = int(counts["looks"][look])
    return {"games": games} | {
        what: [
            mean(games, counts[what][look, seat], counts[f"{what}_squared"][look, seat], least=0).json()
            for seat in range(players)
        ]
        for what in ("cells", "influence")
    }


CELLS_TITLE, INFLUENCE_TITLE = (
    Text("Cells over time", "Клетки по ходу партии"),
    Text("Influence over time", "Влияние по ходу партии"),
)
#: What figures are called that stand in no table of some runs.
FIGURES = {
    "ended_by.limit": Text("How games end: Round limit", "Чем заканчиваются партии: Предел раундов"),
    **{
        f"over_time.{look}.{what}.*": Text(
            f"{title.en}: round {number}, seat {{}}", f"{title.ru}: раунд {number}, место {{}}"
        )
        for look, number in enumerate(CHECKPOINTS)
        for what, title in (("cells", CELLS_TITLE), ("influence", INFLUENCE_TITLE))
    },
    **{
        f"at_the_end.{what}.*": Text(f"{title.en}: end, seat {{}}", f"{title.ru}: конец, место {{}}")
        for what, title in (("cells", CELLS_TITLE), ("influence", INFLUENCE_TITLE))
    },
}
