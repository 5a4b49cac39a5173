"""The figures of a report on Battle of Dimensions, computed from the tally of its games."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations
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
from playmill.games.dimensions.actions import BLUE, FACTIONS, GREEN, YELLOW
from playmill.games.dimensions.config import ANOMALY_NAMES, FACTION_KEYS
from playmill.games.dimensions.constants import BY_COUNT, TIE_BY_LOT, TIE_BY_SPIRAL
from playmill.games.dimensions.outcome import SETS
from playmill.games.dimensions.report import epic as report_epic
from playmill.games.dimensions.words.names import ANOMALY_TITLES, FACTION_NAMES, INSTANT_WINS, join

#: The factions and the anomalies in their fixed order, by the names they are saved under.
FACTION_TITLES = {
    key: Text(name.en.capitalize(), name.ru.capitalize()) for key, name in zip(FACTION_KEYS, FACTION_NAMES, strict=True)
}
ANOMALIES = dict(zip(ANOMALY_NAMES, ANOMALY_TITLES, strict=True))
END_TITLES = {
    "green": Text(f"{INSTANT_WINS[GREEN].en} (Green)", f"{INSTANT_WINS[GREEN].ru} (зелёные)"),
    "yellow": Text(f"{INSTANT_WINS[YELLOW].en} (Yellow)", f"{INSTANT_WINS[YELLOW].ru} (жёлтые)"),
    "blue": Text(f"{INSTANT_WINS[BLUE].en} (Blue)", f"{INSTANT_WINS[BLUE].ru} (синие)"),
    "count": Text("Counting of cards", "Подсчёт карт"),
}
TIE_TITLES = {
    "spiral": Text("By the Spiral", "По Спирали"),
    "lot": Text("By lot", "По жребию"),
}

_PAIRS = {f"{FACTION_KEYS[one]}+{FACTION_KEYS[other]}": (one, other) for one, other in combinations(range(FACTIONS), 2)}
_MANY = "three_or_more"
TIED_TITLES = {
    **{pair: join(FACTION_TITLES[FACTION_KEYS[place]] for place in places) for pair, places in _PAIRS.items()},
    _MANY: Text("Three factions or more", "Три фракции и больше"),
}

#: What figures are called that stand in no table of some runs.
FIGURES = {
    "agents.*.win_rate_per_seat": Text("Win rate of {} per seat", "Доля побед агента {} на одно место"),
    **{
        f"agents.*.factions.{key}.win_rate": Text(
            f"Win rate of {{}} as {title.en}", f"Доля побед агента {{}} за фракцию: {title.ru}"
        )
        for key, title in FACTION_TITLES.items()
    },
    **{
        f"end_rates.{key}": Text(f"How games ended: {title.en}", f"Чем заканчивались партии: {title.ru}")
        for key, title in END_TITLES.items()
    },
    **{
        f"anomalies.{key}.{figure}": Text(f"{title.en}: {what.en}", f"{title.ru}: {what.ru}")
        for key, title in ANOMALIES.items()
        for figure, what in (
            ("share", Text("share of games", "доля партий")),
            ("win_rate", Text("win rate", "доля побед")),
        )
    },
    **{
        f"tied.{key}.share": Text(f"Tied at the count: {title.en}", f"Сравнялись при подсчёте: {title.ru}")
        for key, title in TIED_TITLES.items()
    },
    **report_epic.FIGURES,
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
        "end_rates": _shares(ends, games),
        "turns": counted(counts["turns"], "turns", together=run.rotations).json(),
        "ties": ties,
        "tie_rates": _shares(ties, games),
        "tied": _tied(counts, games),
        "anomalies": {
            name: {
                "played": int(counts["anomaly_plays"][number]),
                "games": int(counts["anomaly_games"][number]),
                "share": rate(counts["anomaly_games"][number], games).json(),
                **_wins(counts["anomaly_games"][number], counts["anomaly_wins"][number]),
            }
            for number, name in enumerate(ANOMALIES)
        },
        "seats": [_wins(games, counts["seat_wins"][seat]) for seat in range(run.players)],
        "first_player": _wins(games, counts["first_wins"]),
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


def _wins(games: int, wins: int) -> dict[str, Any]:
    return {"wins": int(wins), "win_rate": rate(wins, games).json()}


def _shares(found: Mapping[str, int], games: int) -> dict[str, Any]:
    return {name: rate(count, games).json() for name, count in found.items()}


def _record(participates: int, wins: int) -> dict[str, Any]:
    return {"participates": int(participates), **_wins(participates, wins)}


def _agent(counts: np.void, games: int, number: int, seats: int) -> dict[str, Any]:
    """Of one agent: a game is won if any of its seats wins it."""
    wins = int(counts["wins"][number].sum())
    return {
        "games": games,
        "seats": seats,
        **_wins(games, wins),
        "win_rate_per_seat": rate(wins, games).over(seats).json(),
        "factions": {
            name: _record(counts["participates"][number, faction], counts["wins"][number, faction])
            for faction, name in enumerate(FACTION_TITLES)
        },
    }
