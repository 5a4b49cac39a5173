"""The figures of a report on Battle of Dimensions, computed from the tally of its games."""

from __future__ import annotations

from itertools import combinations
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
    shares_of,
    wins_of,
)
from playmill.games.dimensions.actions import BLUE, FACTIONS, GREEN, YELLOW
from playmill.games.dimensions.config import ANOMALY_NAMES, FACTION_KEYS
from playmill.games.dimensions.constants import BY_COUNT, TIE_BY_LOT, TIE_BY_SPIRAL
from playmill.games.dimensions.outcome import SETS
from playmill.games.dimensions.report import epic as report_epic
from playmill.games.dimensions.report.epic import FACTION_TITLES
from playmill.games.dimensions.words.names import ANOMALY_TITLES, INSTANT_WINS

#: In their fixed order, by the names they are saved under.
ANOMALIES = dict(zip(ANOMALY_NAMES, ANOMALY_TITLES, strict=True))
END_TITLES = {
    "green": Text("{} (Green)", "{} (зелёные)").format(INSTANT_WINS[GREEN]),
    "yellow": Text("{} (Yellow)", "{} (жёлтые)").format(INSTANT_WINS[YELLOW]),
    "blue": Text("{} (Blue)", "{} (синие)").format(INSTANT_WINS[BLUE]),
    "count": Text("Counting of cards", "Подсчёт карт"),
}
TIE_TITLES = {
    "spiral": Text("By the Spiral", "По Спирали"),
    "lot": Text("By lot", "По жребию"),
}

_PAIRS = {f"{FACTION_KEYS[one]}+{FACTION_KEYS[other]}": (one, other) for one, other in combinations(range(FACTIONS), 2)}
_MANY = "three_or_more"
TIED_TITLES = {
    **{pair: Text.join(FACTION_TITLES[FACTION_KEYS[place]] for place in places) for pair, places in _PAIRS.items()},
    _MANY: Text("Three factions or more", "Три фракции и больше"),
}

#: What figures are called that stand in no table of some runs.
FIGURES = {
    **figure_titles(
        "agents.*.factions.{}.win_rate",
        Text("Win rate of {{}} as {}", "Доля побед агента {{}} за фракцию: {}"),
        FACTION_TITLES,
    ),
    **figure_titles("end_rates.{}", Text("How games ended: {}", "Чем заканчивались партии: {}"), END_TITLES),
}


def results(counts: np.void, run: RunInfo) -> dict[str, Any]:
    """The results of a run, as they are saved, from the tally of its games."""
    games = int(counts["games"])
    ended = (("green", GREEN), ("yellow", YELLOW), ("blue", BLUE), ("count", BY_COUNT))
    ends = {name: int(counts["ends"][end]) for name, end in ended}
    ties = {"spiral": int(counts["ties"][TIE_BY_SPIRAL]), "lot": int(counts["ties"][TIE_BY_LOT])}
    return {
        "games": games,
        "factions": {
            name: {
                **_record(counts["participates"][:, number].sum(), counts["wins"][:, number].sum()),
                "cards": mean(
                    counts["participates"][:, number].sum(),
                    counts["cards"][number],
                    counts["cards_squared"][number],
                    least=0,
                ).json(),
            }
            for number, name in enumerate(FACTION_TITLES)
        },
        "ends": ends,
        "end_rates": shares_of(ends, games),
        "turns": counted(counts["turns"], "turns", together=run.rotations).json(),
        "ties": ties,
        "tie_rates": shares_of(ties, games),
        "tied": _tied(counts, games),
        "anomalies": {
            name: {
                "played": int(counts["anomaly_plays"][number]),
                "games": int(counts["anomaly_games"][number]),
                "share": rate(counts["anomaly_games"][number], games).json(),
                **wins_of(counts["anomaly_wins"][number], counts["anomaly_games"][number]),
            }
            for number, name in enumerate(ANOMALIES)
        },
        "seats": [wins_of(counts["seat_wins"][seat], games) for seat in range(run.players)],
        "first_player": wins_of(counts["first_wins"], games),
        "agents": {
            name: _agent(counts, games, number, run.agents.count(name)) for number, name in enumerate(run.agent_names)
        },
        **({} if is_baseline(run) else {"epic": report_epic.results(counts, run.rotations)}),
        "decisions": int(counts["decisions"]),
        "decisions_per_game": decisions_per_game(counts).json(),
    }


def is_baseline(run: RunInfo) -> bool:
    """Whether there are neither instant wins, nor a Captain, nor Auras: rows of zeros would look like a finding."""
    return run.config.get("mode") == "baseline"


def _tied(counts: np.void, games: int) -> dict[str, Any]:
    """Who tied with whom at the count: every two factions, alone or with others, and ties of three or more."""
    made = {}
    for pair, (one, other) in _PAIRS.items():
        both = [tied for tied in range(SETS) if tied >> one & 1 and tied >> other & 1]
        found = int(counts["tied"][both].sum())
        wins = {FACTION_KEYS[faction]: int(counts["tied_wins"][both, faction].sum()) for faction in (one, other)}
        made[pair] = {"games": found, "share": rate(found, games).json(), "wins": wins}
    many = int(sum(counts["tied"][tied] for tied in range(SETS) if tied.bit_count() > 2))
    return {**made, _MANY: {"games": many, "share": rate(many, games).json()}}


def _record(participates: int, wins: int) -> dict[str, Any]:
    return {"participates": int(participates), **wins_of(wins, participates)}


def _agent(counts: np.void, games: int, number: int, seats: int) -> dict[str, Any]:
    """Of one agent: a game is won if any of its seats wins it."""
    wins = int(counts["wins"][number].sum())
    return {
        "games": games,
        "seats": seats,
        **wins_of(wins, games),
        "win_rate_per_seat": rate(wins, games).over(seats).json(),
        "factions": {
            name: _record(counts["participates"][number, faction], counts["wins"][number, faction])
            for faction, name in enumerate(FACTION_TITLES)
        },
    }
