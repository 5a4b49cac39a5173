"""The figures of a report on Dice, computed from the tally of its matches."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from playmill.author import PlaymillError, Text
from playmill.author.report import Estimate, RunInfo, counted, decisions_per_game, figure_titles, mean, rate, ratio
from playmill.games.dice.config import Config
from playmill.games.dice.config.program import Setup
from playmill.games.dice.constants import DICE, PLAYERS, SET_FACE
from playmill.games.dice.outcome import BOTH, FIRED, HOT_DICE, LARGEST, MOVED, POINTS, ROLLS, TURNS

#: Whose a modifier, an item or a die is, as it is saved: the table's or a seat's.
GLOBAL = "global"
SEATS = tuple(f"seat_{seat}" for seat in range(PLAYERS))
#: Points of dice are counted in parts of a point, so that any save divides among its dice.
_PARTS = 60
#: Chances that differ by less are the same, added up in another order.
_SAME = 1e-12


def results(counts: np.void, run: RunInfo) -> dict[str, Any]:
    """The results of a run, as they are saved, from the tally of its matches."""
    games, draws = int(counts["games"]), int(counts["draws"])
    if beyond := int(counts["beyond"]):
        raise PlaymillError(
            f"points of dice or content in a match went beyond {LARGEST:,} ({beyond} times), more than can be counted",
            f"очки костей или содержания в партии превысили {LARGEST:,} (раз: {beyond}): столько не сосчитать",
        )
    wins = [int(won) for won in counts["wins"]]
    # Of an agent in both seats a match is one observation: what it did there is counted together.
    sides = {name: BOTH if run.agents.count(name) > 1 else number for number, name in enumerate(run.agent_names)}
    setup, chances = _rules_of(json.dumps(run.config), run.players)
    exact = run.extra.get("known", {}).get("optimal", {}).get("first_wins")
    return {
        "games": games,
        "win_rate": {
            "seats": [rate(won, games).json() for won in wins],
            "agents": {name: _win_rate(counts, side, games).json() for name, side in sides.items()},
        },
        "wins": wins,
        "draws": {**rate(draws, games).json(), "games": draws},
        "turns": counted(counts["turns"], "turns", together=run.rotations).json(),
        "winner_turns": counted(counts["winner_turns"], "turns", together=run.rotations).json(),
        "points_per_turn": _per_turn(counts, POINTS, sides),
        "rolls_per_turn": _per_turn(counts, ROLLS, sides),
        "hot_dice_per_turn": _per_turn(counts, HOT_DICE, sides),
        "bust_rate_by_dice": _bust_rates(counts, chances),
        "effects": _effects(counts, setup),
        "decisions": int(counts["decisions"]),
        "decisions_per_game": decisions_per_game(counts).json(),
        **({} if exact is None else {"exact": {"first_wins": float(exact)}}),
    }


def _whole(halves: Any) -> int:
    """A sum that was kept in two halves."""
    return (int(halves[0]) << 32) + int(halves[1])


def _total(counts: np.void, measure: int, side: int) -> int:
    sums = counts["sums"][:, measure]
    return int(sums.sum() if side == BOTH else sums[side])


def _win_rate(counts: np.void, side: int, games: int) -> Estimate:
    """Of an agent in one seat its rate; of one in both seats the rate of each on average."""
    if side != BOTH:
        return rate(counts["agent_wins"][side], games)
    return rate(counts["agent_wins"].sum(), games).over(PLAYERS)


def _per_turn(counts: np.void, measure: int, sides: Mapping[str, int]) -> dict[str, Any]:
    """How much of something there is in a turn, overall and by agent."""

    def of_side(side: int) -> dict[str, float | int]:
        tops, bottoms = (
            (_total(counts, what, side), _whole(counts["squares"][side, what])) for what in (measure, TURNS)
        )
        return ratio(int(counts["games"]), tops, bottoms, _whole(counts["with_turns"][side, measure])).json()

    return {**of_side(BOTH), "agents": {name: of_side(side) for name, side in sides.items()}}


@lru_cache(maxsize=4)
def _rules_of(config: str, players: int) -> tuple[Setup, dict[int, float]]:
    """What a config sets up, and the exact chances to bust; worked out once, however many figures ask for them."""
    settings = Config.read(json.loads(config))
    return settings.resolved(), _bust_chances(settings, players)


def _bust_rates(counts: np.void, chances: Mapping[int, float]) -> dict[str, Any]:
    """By number of dice thrown: how often nothing scored and, where all such throws are alike, the exact chance."""
    found: dict[str, Any] = {}
    for number in range(1, DICE + 1):
        throws, busts = int(counts["throws"][number - 1]), int(counts["busts"][number - 1])
        exact = {"exact": chances[number]} if number in chances else {}
        found[str(number)] = {**rate(busts, throws).json(), "throws": throws, "busts": busts, **exact}
    return found


def _bust_chances(config: Config, players: int) -> dict[int, float]:
    """The exact chance to bust with so many dice, if it does not matter which dice and whose."""
    numbers = config.pack(players)[0]
    again = any(_throws_again(content) for content, _, _ in config.resolved().entries)
    if again or numbers["profiles"].any() or (numbers["code"]["op"] == SET_FACE).any():
        return {}  # content changes weights on the way, or dice, or throws what would have been a bust again
    found = {}
    for number in range(1, DICE + 1):
        sets = [dice for dice in range(1 << DICE) if dice.bit_count() == number]
        chances = numbers["bust_chance"][:, sets]
        if chances.max() - chances.min() < _SAME:
            found[number] = max(0.0, float(chances[0, 0]))
    return found


def _throws_again(content: Any) -> bool:
    """Whether a modifier or item throws dice again by itself."""
    from playmill.games.dice.content import PassiveItem

    return isinstance(content, PassiveItem) and any(effect.kind == "reroll" for effect in content.effect)


def _kind(content: Any) -> str:
    from playmill.games.dice.content import Modifier

    return "modifier" if isinstance(content, Modifier) else "item"


def _effects(counts: np.void, setup: Setup) -> dict[str, Any]:
    """What each modifier, item and loaded die did, by id."""
    games = int(counts["games"])
    found: dict[str, Any] = {}
    for entry, (content, owner, _) in enumerate(setup.entries):
        fired, moved = int(counts["fired"][entry]), int(counts["moved"][entry])
        fired_squares, moved_squares = (_whole(counts["effect_squares"][what, entry]) for what in (FIRED, MOVED))
        times = mean(games, fired, fired_squares, least=0)
        record = _effect_record(fired, moved, times, mean(games, moved, moved_squares))
        _add_effect(found, content, _kind(content), GLOBAL if owner is None else SEATS[owner], record)
    for seat, dice in enumerate(setup.dice):
        for die in {die.id: die for die in dice if len(set(die.weights)) > 1}.values():
            positions = [position for position in range(DICE) if dice[position].id == die.id]
            _add_effect(found, die, "die", SEATS[seat], _die(counts, games, seat, positions))
    return found


def _die(counts: np.void, games: int, seat: int, positions: Sequence[int]) -> dict[str, Any]:
    """What all dice of a kind did in one seat: how often they were thrown, and their shares of the saves."""
    pairs = [(a * DICE + b, 1 if a == b else 2) for a in positions for b in positions if a <= b]
    thrown, parts = (int(counts[name][seat, positions].sum()) for name in ("die_throws", "die_points"))
    thrown_squares, part_squares = (
        sum(times * _whole(counts[name][seat, pair]) for pair, times in pairs)
        for name in ("die_throw_products", "die_point_products")
    )
    share = mean(games, parts, part_squares, least=0).over(_PARTS)
    return _effect_record(thrown, parts / _PARTS, mean(games, thrown, thrown_squares, least=0), share)


def _effect_record(fired: int, points: float, per_game: Estimate, points_per_game: Estimate) -> dict[str, Any]:
    return {
        "fired": fired,
        "points": points,
        "fired_per_game": per_game.json(),
        "points_per_game": points_per_game.json(),
    }


def _add_effect(found: dict[str, Any], content: Any, kind: str, owner: str, record: Mapping[str, Any]) -> None:
    """Enters what one owner's modifier, item or kind of die did; several owners of the same are added up."""
    if content.id not in found:
        name = {"en": content.name.en, "ru": content.name.ru}
        found[content.id] = {"kind": kind, "name": name, **record, "owners": {owner: record}}
        return
    entry = found[content.id]
    entry["owners"][owner] = record
    entry["fired"] += record["fired"]
    entry["points"] += record["points"]
    for key in ("fired_per_game", "points_per_game"):
        # The ends are added as well: what owners have in common is not counted, so it may be up to the widest.
        entry[key] = _added(entry[key], record[key])


def _added(one: Mapping[str, Any], other: Mapping[str, Any]) -> dict[str, Any]:
    """The sum of two saved estimates of the same matches; unknown where one of them is."""
    ends = {end: None if None in (one[end], other[end]) else one[end] + other[end] for end in ("value", "low", "high")}
    return {**ends, "n": one["n"]}


PER_TURN = {
    "points_per_turn": Text("Points per turn", "Очков за ход"),
    "rolls_per_turn": Text("Rolls per turn", "Бросков за ход"),
    "hot_dice_per_turn": Text("Hot dice per turn", "Горячих костей за ход"),
}
#: What figures are called that stand in no table of some runs.
FIGURES = {**PER_TURN, **figure_titles("{}.agents.*", Text("{}: {{}}", "{}: {{}}"), PER_TURN)}
