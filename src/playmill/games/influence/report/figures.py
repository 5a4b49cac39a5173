"""The figures of a report on Influence, computed from the tally of its games."""

from __future__ import annotations

from typing import Any

import numpy as np

from playmill.author import Text
from playmill.author.report import (
    RunInfo,
    counted,
    decisions_per_game,
    figure_titles,
    mean,
    rate,
    share_of,
    wins_of,
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
        "draws": share_of(draws, games),
        "agents": {name: _agent(counts, number, name, run) for number, name in enumerate(run.agent_names)},
        "rounds": counted(counts["rounds"], "rounds", together=run.rotations).json(),
        "ended_by": {name: share_of(ended, games) for name, ended in ended_by.items()},
        "won_at_limit": share_of(won_at_limit, games),
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
        **wins_of(sum(won), sum(drawn)),
        "fair": 1 / run.players,
        "by_seat": [{"games": games, **wins_of(wins, games)} for games, wins in zip(drawn, won, strict=True)],
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


OVER_TIME = {
    "cells": Text("Cells over time", "Клетки по ходу партии"),
    "influence": Text("Influence over time", "Влияние по ходу партии"),
}
#: What figures are called that stand in no table of some runs.
FIGURES = {
    "ended_by.limit": Text("How games ended: Round limit", "Чем заканчивались партии: Предел раундов"),
    **figure_titles(
        "over_time.{}.{}.*",
        Text("{1}: round {0}, seat {{}}", "{1}: раунд {0}, место {{}}"),
        {look: Text(str(number), str(number)) for look, number in enumerate(CHECKPOINTS)},
        OVER_TIME,
    ),
    **figure_titles("at_the_end.{}.*", Text("{}: end, seat {{}}", "{}: конец, место {{}}"), OVER_TIME),
}
