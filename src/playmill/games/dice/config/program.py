"""Compiles a match set-up into the record of the rules: content becomes steps, dice become weights."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from playmill.author import Packed, PlaymillError
from playmill.games.dice import constants
from playmill.games.dice.config.record import Numbers
from playmill.games.dice.constants import DICE, PLAYERS, STOP, YES
from playmill.games.dice.scoring import (
    FULL_STRAIGHT_POINTS,
    HIGH_STRAIGHT_POINTS,
    LOW_STRAIGHT_POINTS,
    SINGLE,
    TRIPLE,
)

if TYPE_CHECKING:
    from playmill.games.dice.content import ActiveItem, Die, Modifier, OwnFlag, PassiveItem
    from playmill.games.dice.plain import ShippedDie

Row = tuple[int, int, int, int, int, int, int]
_HOOKS = {"on_roll": constants.ON_ROLL, "on_save": constants.ON_SAVE, "on_pass": constants.ON_PASS}
_RULED_FLAGS = {"bust_shield": constants.SHIELD, "double_next_save": constants.DOUBLE}
_COMPARISONS = {"at_least": constants.AT_LEAST, "at_most": constants.AT_MOST, "exactly": constants.EXACTLY}
_STRAIGHTS = {
    "any": constants.ANY_STRAIGHT,
    "1-5": constants.LOW_STRAIGHT,
    "2-6": constants.HIGH_STRAIGHT,
    "1-6": constants.FULL_STRAIGHT,
}
_WHICH = {
    "chosen": constants.CHOSEN,
    "all": constants.ALL,
    "lowest": constants.LOWEST,
    "highest": constants.HIGHEST,
    "showing": constants.SHOWING,
}
_TURNS = {"+1": constants.UP, "-1": constants.DOWN, "flip": constants.FLIP, "chosen": constants.ASKED}
_SCOPES = {None: constants.BY_EVENT, "thrown": constants.THROWN, "saved": constants.SAVED, "table": constants.TABLE}
#: Conditions that compare one number of the match.
_COMPARED = {
    "dice_rolled": constants.DICE_ROLLED,
    "sum": constants.SUM,
    "roll_number": constants.ROLL_NUMBER,
    "turn_points": constants.TURN_POINTS,
    "own_total": constants.OWN_TOTAL,
    "selection_size": constants.SELECTION_SIZE,
    "selection_points": constants.SELECTION_POINTS,
}


class Placed(NamedTuple):
    """A modifier or item in a match: whose it is (None: the table's), and whether it is switched on."""

    content: Modifier | PassiveItem | ActiveItem
    owner: int | None
    enabled: bool


@dataclass(frozen=True)
class Setup:
    """A match with its content looked up.

    `entries` are all modifiers and items in the order in which they have a say; the number of an entry in this list is
    its number in the record, the log and the statistics. `flags` are content's own, numbered after the two with rules.
    """

    target: int
    max_turns: int
    must_roll: bool
    dice: tuple[tuple[Die | ShippedDie, ...], ...]
    entries: tuple[Placed, ...]
    flags: tuple[OwnFlag, ...]


def packed(setup: Setup) -> Packed:
    """The record of a match."""
    made: Packed = np.zeros(1, Numbers)
    numbers = made[0]
    numbers["target"] = setup.target
    numbers["max_turns"] = setup.max_turns
    numbers["must_roll"] = setup.must_roll
    _pack_dice(numbers, [[die.weights for die in dice] for dice in setup.dice])
    program = _Program(setup.flags)
    for number, entry in enumerate(setup.entries):
        if entry.enabled:
            program.add(numbers, number, entry)
            numbers["content"] = 1
    numbers["plain"] = not numbers["content"] and not numbers["loaded"].any()
    numbers["free"] = not numbers["content"] and not setup.must_roll
    program.pack(numbers)
    return made


class _Program:
    """The steps of all content of a match."""

    def __init__(self, flags: Sequence[OwnFlag]) -> None:
        self._rows: list[Row] = []
        self._profiles: list[tuple[int, ...]] = []
        self._flags = _RULED_FLAGS | {flag.id: place for place, flag in enumerate(flags, len(_RULED_FLAGS))}
        self._lasts = [0] * len(_RULED_FLAGS) + [flag.time for flag in flags]

    def add(self, numbers: Any, number: int, entry: Placed) -> None:
        """Writes the steps of one modifier or item, and who listens to it or can use it."""
        from playmill.games.dice.content import ActiveItem

        content = entry.content
        owners = range(PLAYERS) if entry.owner is None else (entry.owner,)
        data = content.model_dump(mode="json", exclude_none=True)
        effects = data["effect"]
        active = isinstance(content, ActiveItem)
        numbers["start"][number] = self._written(None if active else data.get("condition"), effects)
        for flag in content.asks.flags() if content.asks else ():
            if flag not in _RULED_FLAGS and self._lasts[self._flags[flag]] == 0:
                numbers["asks"][number] |= 1 << self._flags[flag]
        if not active:
            hooks = data["triggers"] if "triggers" in data else [data["trigger"]]
            for player in owners:
                for hook in sorted(_HOOKS[name] for name in hooks):
                    place = numbers["listening"][player, hook]
                    numbers["listeners"][player, hook, place] = number
                    numbers["listening"][player, hook] += 1
            return
        numbers["allowed"][number] = self._written(data.get("activate_condition"), [])
        numbers["active"][number] = 1
        numbers["cooldown"][number] = data["cooldown_turns"] or constants.UNTIL_SAVED
        for player in owners:
            numbers["items"][player, numbers["usable"][player]] = number
            numbers["usable"][player] += 1
        for effect in effects:
            ((kind, what),) = effect.items()
            if isinstance(what, dict) and what.get("dice") == "chosen":
                numbers["chooses"][number] = what.get("count", 1)
                if kind == "set_face":
                    numbers["chosen_face"][number] = _face(what["to"])
            if kind == "set_face" and what["to"] == "chosen":
                numbers["asks_face"][number] = 1

    def pack(self, numbers: Any) -> None:
        """Puts the steps and the weights they give into the record."""
        _check_room("steps", "шагов", len(self._rows), constants.CODE)
        _check_room("sets of weights", "наборов весов", len(self._profiles), constants.PROFILES)
        for place, row in enumerate(self._rows):
            numbers["code"][place] = row
        for place, weights in enumerate(self._profiles):
            numbers["profiles"][place] = np.cumsum(weights)

    def _written(self, condition: Mapping[str, Any] | None, effects: Sequence[Mapping[str, Any]]) -> int:
        """Writes tests and deeds and returns the first step.

        They are put together from the end, so that each step knows where it leads; turned round, all lead forward.
        """
        rows: list[Row] = []
        after = STOP if effects else YES
        for effect in reversed(effects):
            rows.append((*self._deed(effect), after, STOP))
            after = len(rows) - 1
        first = after if condition is None else self._tested(rows, condition, after, STOP)
        base, last = len(self._rows), len(rows) - 1

        def turned(step: int) -> int:
            return step if step < 0 else base + last - step

        self._rows += [(*row[:5], turned(row[5]), turned(row[6])) for row in reversed(rows)]
        return turned(first)

    def _deed(self, effect: Mapping[str, Any]) -> tuple[int, int, int, int, int]:
        """What an effect is as a step: what it does, its three numbers, and of which dice."""
        ((kind, what),) = effect.items()
        return *self._done(kind, what), _SCOPES[what.get("of") if isinstance(what, dict) else None]

    def _done(self, kind: str, what: Any) -> tuple[int, int, int, int]:
        match kind:
            case "add":
                return constants.ADD, 0, 0, what
            case "add_per_die":
                return constants.ADD_PER_DIE, what["face"], 0, what["points"]
            case "percent":
                return constants.PERCENT, 0, 0, round(what * constants.PERCENT_PARTS)
            case "add_to_pass":
                return constants.ADD_TO_PASS, 0, 0, what
            case "multiply_save":
                return constants.MULTIPLY_SAVE, 0, 0, what
            case "set_flag":
                return constants.SET_FLAG, self._flags[what], 0, self._lasts[self._flags[what]]
            case "clear_flag":
                return constants.CLEAR_FLAG, self._flags[what], 0, 0
            case "reroll":
                return constants.REROLL, *_dice(what), 0
            case "lock":
                return constants.LOCK, *_dice(what), 0
            case "set_face":
                return constants.SET_FACE, *_dice(what), _face(what["to"])
            case "set_weights":
                self._profiles.append(tuple(what["weights"]))
                return constants.SET_WEIGHTS, *_dice(what), len(self._profiles) - 1
        raise AssertionError(kind)

    def _tested(self, rows: list[Row], condition: Mapping[str, Any], yes: int, no: int) -> int:
        """Writes a condition that leads to `yes` or `no`; returns its first step."""
        ((kind, what),) = ((key, value) for key, value in condition.items() if key != "of")
        if kind == "all":
            for part in reversed(what):
                yes = self._tested(rows, part, yes, no)
            return yes
        if kind == "any":
            for part in reversed(what):
                no = self._tested(rows, part, yes, no)
            return no
        if kind == "not":
            return self._tested(rows, what, no, yes)
        of = _SCOPES["saved" if kind == "selection_contains" else condition.get("of")]
        rows.append((*self._test(kind, what), of, yes, no))
        return len(rows) - 1

    def _test(self, kind: str, what: Any) -> tuple[int, int, int, int]:
        """What a condition is as a step: what it asks and its three numbers."""
        match kind:
            case "count" | "selection_contains":
                return constants.COUNT, what["face"], *_comparison(what)
            case "of_a_kind":
                return constants.OF_A_KIND, 0, constants.AT_LEAST, what
            case "straight":
                return constants.STRAIGHT, _STRAIGHTS[what], 0, 0
            case "first_roll":
                return constants.FIRST_ROLL, 0, 0, 0
            case "hot_dice":
                return constants.HOT_DICE, 0, 0, 0
            case "scores":
                return constants.SCORES, 0, 0, 0
            case "behind_by":
                return constants.LEAD, 0, constants.AT_MOST, -what
            case "ahead_by":
                return constants.LEAD, 0, constants.AT_LEAST, what
            case "flag":
                return constants.FLAG, self._flags[what], 0, 0
        return _COMPARED[kind], 0, *_comparison(what)


def _check_room(what: str, russian: str, count: int, most: int) -> None:
    if count > most:
        raise PlaymillError(
            f"the content of this match has {count} {what}; expected at most {most}",
            f"в содержании этого матча {russian}: {count}; ожидается: не больше {most}",
        )


def _face(to: int | str) -> int:
    """To which face dice are turned, as a number."""
    return to if isinstance(to, int) else _TURNS[to]


def _dice(what: Mapping[str, Any]) -> tuple[int, int]:
    """Which dice an effect means, and how many or showing what."""
    which = what["dice"]
    return _WHICH[which], what["face"] if which == "showing" else what.get("count", 1)


def _comparison(what: Mapping[str, Any]) -> tuple[int, int]:
    """How a number is compared, and with which; a bare `selection_contains` asks for at least one."""
    for name, comparison in _COMPARISONS.items():
        if what.get(name) is not None:
            return comparison, what[name]
    return constants.AT_LEAST, 1


def _pack_dice(numbers: Any, weights: Sequence[Sequence[Sequence[int]]]) -> None:
    for player, dice in enumerate(weights):
        for position, profile in enumerate(dice):
            numbers["weights"][player, position] = np.cumsum(profile)
            if len(set(profile)) > 1:
                numbers["loaded"][player] |= 1 << position
        bust, best = throw_prospects(tuple(tuple(profile) for profile in dice))
        numbers["bust_chance"][player] = bust
        numbers["mean_best"][player] = best


@lru_cache(maxsize=64)
def throw_prospects(weights: tuple[tuple[int, ...], ...]) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """For each set of dice thrown: the exact chance to bust, and the mean of the best save if it does not."""
    found = [_prospects_of(tuple(weights[i] for i in range(DICE) if dice >> i & 1)) for dice in range(1, 1 << DICE)]
    return (1.0, *(bust for bust, _ in found)), (0.0, *(best for _, best in found))


@lru_cache(maxsize=4096)
def _prospects_of(thrown: tuple[tuple[int, ...], ...]) -> tuple[float, float]:
    """The same for one throw of dice with these weights."""
    chance, *others = (np.array(die) / sum(die) for die in thrown)
    for die in others:
        chance = np.multiply.outer(chance, die).ravel()
    points = best_points(len(thrown))
    scores = float(chance[points > 0].sum())
    return 1.0 - scores, float((chance * points).sum()) / scores if scores > 0 else 0.0


@lru_cache
def best_points(count: int) -> np.ndarray[Any, np.dtype[np.int64]]:
    """The best save of every roll of so many dice, first die slowest; 0 where it busts."""
    shown = one = np.eye(6, dtype=np.int8)  # how often each face is shown, by roll
    for _ in range(count - 1):
        shown = (shown[:, :, None] + one[:, None, :]).reshape(6, -1)
    worth = [
        np.array([TRIPLE[face] << n - 3 if n >= 3 else SINGLE[face] * n for n in range(count + 1)]) for face in range(6)
    ]
    points = sum(worth[face][n] for face, n in enumerate(shown))
    inner = (shown[1:5] > 0).all(axis=0)
    low, high = inner & (shown[0] > 0), inner & (shown[5] > 0)
    points = np.where(low, LOW_STRAIGHT_POINTS, np.where(high, HIGH_STRAIGHT_POINTS, points))
    return np.where(low & high, FULL_STRAIGHT_POINTS, points)
