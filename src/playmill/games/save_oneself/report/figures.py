"""The figures of a report on Save Oneself, computed from the tally of its games."""

from __future__ import annotations

from typing import Any

import numpy as np

from playmill.author import Text
from playmill.author.report import RunInfo, counted, decisions_per_game, mean, rate, share_of, wins_of
from playmill.games.save_oneself.constants import FRONT_IDS
from playmill.games.save_oneself.outcome import ENDINGS, WINS


def results(counts: np.void, run: RunInfo) -> dict[str, Any]:
    """The results of a run, as they are saved, from the tally of its games."""
    games = int(counts["games"])
    ended_by = list(zip(ENDINGS, map(int, counts["ended_by"]), strict=True))
    wins = sum(ended for _, ended in ended_by[:WINS])
    turned = dict(zip(FRONT_IDS, map(int, counts["turned"]), strict=True))
    won = dict(zip(FRONT_IDS, map(int, counts["turned_and_won"]), strict=True))
    return {
        "games": games,
        "agents": {name: {"seats": 1, **wins_of(wins, games)} for name in run.agent_names},
        "win_rate": rate(wins, games).json(),
        "wins_by": {
            name: {**share_of(ended, games), "of_wins": rate(ended, wins).json()} for name, ended in ended_by[:WINS]
        },
        "losses_by": {name: share_of(ended, games) for name, ended in ended_by[WINS:]},
        "score": counted(counts["score"], "score").json(),
        "rounds": counted(counts["rounds"], "rounds").json(),
        "cards_placed": counted(counts["cards_placed"], "cards").json(),
        "turned": {name: share_of(turned[name], games) for name in FRONT_IDS},
        "win_rate_given": {name: {"wins": won[name], **rate(won[name], turned[name]).json()} for name in FRONT_IDS},
        "ships_per_game": counted(counts["ships"], "ships").mean.json(),
        "lives_over_time": _lives_over_time(counts),
        "decisions": int(counts["decisions"]),
        "decisions_per_game": decisions_per_game(counts).json(),
    }


def _lives_over_time(counts: np.void) -> list[dict[str, Any]]:
    """The mean lives as each round began, in the games that came so far; of rounds that none came to it is undefined.

    All of them are told: a share that is shown only where it is not 0 would be too high.
    """
    games = int(counts["games"])
    rounds = zip(*(map(int, counts[name]) for name in ("reached", "lives", "lives_squared")), strict=True)
    return [
        {
            "round": number,
            "games": reached,
            "reached": rate(reached, games).json(),
            **mean(reached, lives, squares, least=0).json(),
        }
        for number, (reached, lives, squares) in enumerate(rounds, 1)
    ]


#: What figures are called that stand in no table of some runs.
FIGURES = {
    "lives_over_time.*": Text("Lives over time: round {}", "Жизни по ходу партии: раунд {}"),
    "lives_over_time.*.reached": Text("Games that came to round {}", "Партии, которые дошли до раунда {}"),
}
