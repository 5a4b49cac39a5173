"""The figures of a report on Grid, computed from the tally of its games."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from playmill.author import Text
from playmill.author.report import RunInfo, counted, decisions_per_game, mean, rate, ratio, shares_of, wins_of
from playmill.games.grid.config.identifiers import PATTERN_IDS, REWARD_IDS
from playmill.games.grid.constants import END1, END2

#: What became of a reward that was offered.
FATES = ("applied", "refused", "impossible")
#: What is told of scores.
_DESCRIBED = ("n", "mean", "low", "high", "median", "std", "p10", "p90", "min", "max", "intervals")

#: What figures are called that stand in no table of some runs, or in another unit.
FIGURES = {
    "pattern_rates.*.per_game": Text("Pattern {}: times per game", "Паттерн {}: раз за партию"),
    "pattern_rates.*.of_winners_vp": Text("Pattern {}: share of the winners' VP", "Паттерн {}: доля ПО победителей"),
}
#: Patterns of the rules as they are, A to J.
_USUAL = 10


def results(counts: np.void, run: RunInfo) -> dict[str, Any]:
    """The results of a run, as they are saved, from the tally of its games."""
    games, ties = int(counts["games"]), int(counts["ties"])
    agents = list(enumerate(run.agent_names))
    points = {pattern["id"]: int(pattern["vp"]) for pattern in run.config["patterns"]}
    letters = _letters(points)
    patterns = _named(letters, counts["patterns"].sum(axis=0))
    winner_patterns = _named(letters, counts["winner_patterns"])
    rewards = {fate: _named(REWARD_IDS, counts[fate].sum(axis=0)) for fate in FATES}
    winner_rewards = {fate: _named(REWARD_IDS, counts[f"winner_{fate}"]) for fate in FATES}
    ends = {"END1": int(counts["ends"][END1]), "END2": int(counts["ends"][END2])}
    turns = counted(counts["turns"], "turns", together=run.rotations).json()
    return {
        "games": games,
        "winrate": {name: rate(counts["agent_wins"][number], games).json() for number, name in agents},
        "tie_rate": rate(ties, games).json(),
        "unique_winner_rate": rate(games - ties, games).json(),
        "vp_stats": {name: _vp(counts, number, run) for number, name in agents},
        "by_seat": [_seat(counts, games, seat, name) for seat, name in enumerate(run.seat_agents)],
        "pattern_counts": patterns,
        "pattern_rates": _pattern_rates(counts, points),
        "patterns_per_game": counted(counts["resolved"], "patterns").mean.json(),
        "total_vp_by_pattern": _worth(patterns, points),
        "winner_triggers_by_pattern": winner_patterns,
        "winner_vp_by_pattern": _worth(winner_patterns, points),
        "rewards": rewards,
        "reward_rates": _reward_rates(rewards, winner_rewards),
        "winner_rewards": winner_rewards,
        "end_reasons": ends,
        "end_rates": shares_of(ends, games),
        "avg_turns": turns["mean"],
        "turns": turns,
        "by_agent": {name: _agent(counts, number, run.agents.count(name), letters) for number, name in agents},
        "decisions": int(counts["decisions"]),
        "decisions_per_game": decisions_per_game(counts).json(),
    }


def _letters(points: Mapping[str, int]) -> list[str]:
    """The patterns that are told of: those of the rules as they are, left out or not, and those added to them."""
    return [name for name in PATTERN_IDS if name in points or PATTERN_IDS.index(name) < _USUAL]


def _named(names: Sequence[str], counted: Any) -> dict[str, int]:
    """Counts by name; of patterns there may be places for more."""
    return {name: int(count) for name, count in zip(names, counted, strict=False)}


def _worth(times: Mapping[str, int], points: Mapping[str, int]) -> dict[str, int]:
    """The VP patterns brought; a config may leave some of them out."""
    return {name: count * points.get(name, 0) for name, count in times.items()}


def _reward_rates(
    rewards: Mapping[str, Mapping[str, int]], winner_rewards: Mapping[str, Mapping[str, int]]
) -> dict[str, Any]:
    """How often each reward is applied when it is offered, and how often by the winner when it is applied."""
    applied, by_winners = rewards["applied"], winner_rewards["applied"]
    return {
        name: {
            "applied": rate(applied[name], sum(rewards[fate][name] for fate in FATES)).json(),
            "by_winners": rate(by_winners[name], applied[name]).json(),
        }
        for name in REWARD_IDS
    }


def _pattern_rates(counts: np.void, points: Mapping[str, int]) -> dict[str, Any]:
    """How often each pattern is resolved in a game, and what share of the winners' VP it brings."""
    games, won = int(counts["games"]), int(counts["games"] - counts["ties"])
    vp = sum(points.get(name, 0) * int(counts["winner_patterns"][place]) for place, name in enumerate(PATTERN_IDS))
    found: dict[str, Any] = {}
    for name in _letters(points):
        place = PATTERN_IDS.index(name)
        worth = points.get(name, 0)
        tops = (worth * int(counts["winner_patterns"][place]), worth**2 * int(counts["winner_pattern_squares"][place]))
        bottoms = (vp, int(counts["winner_vp_squared"]))
        share = ratio(won, tops, bottoms, worth * int(counts["winner_pattern_vp"][place]), most=1.0)
        times = int(counts["patterns"][:, place].sum())
        found[name] = {
            "per_game": mean(games, times, counts["pattern_squares"][place], least=0).json(),
            "of_winners_vp": share.json(),
        }
    return found


def _vp(counts: np.void, number: int, run: RunInfo) -> dict[str, Any]:
    """The scores of one agent, every seat of every game an observation."""
    together = run.rotations * run.agents.count(run.agent_names[number])
    record = counted(counts["vp"][number], "VP", together=together).json()
    return {key: record[key] for key in _DESCRIBED}


def _seat(counts: np.void, games: int, seat: int, name: str | None) -> dict[str, Any]:
    return {
        "agent": name,
        "vp": mean(games, counts["seat_vp"][seat], counts["seat_vp_squared"][seat], least=0).json(),
        **wins_of(counts["seat_wins"][seat], games),
    }


def _agent(counts: np.void, number: int, seats: int, letters: Sequence[str]) -> dict[str, Any]:
    return {
        "seats": seats,
        "wins": int(counts["agent_wins"][number]),
        "patterns": _named(letters, counts["patterns"][number]),
        "rewards": {fate: _named(REWARD_IDS, counts[fate][number]) for fate in FATES},
    }


def with_fallbacks(results: dict[str, Any]) -> dict[str, Any]:
    """The results with the fallbacks also under the names of the game's specification."""
    record = results["fallbacks"]
    named = {"total": record["total"], "by_agent": record["by_agent"], "by_decision_type": record["by_decision"]}
    return {**results, "fallback": named}
