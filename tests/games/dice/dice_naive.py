"""The rules page once more, in the plainest Python and from its words alone: what the rules are compared with."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from copy import copy
from fractions import Fraction
from functools import cache
from itertools import combinations
from random import Random
from typing import Any

from dice_position import LETTERS, Data, Position, Throw, deal, short

from playmill.games.dice.config import Config
from playmill.games.dice.rules.effects import LOG

STRAIGHTS = {"123456": 1500, "12345": 500, "23456": 750}
MOST_ROLLS = 1000
MOST_POINTS = 1_000_000
UNTIL_SAVED = -1


def worth(faces: Sequence[str]) -> int:
    """What a selection of dice with these faces brings; 0 if it is not valid."""
    return _worth("".join(sorted(faces)))


@cache
def _worth(faces: str) -> int:
    if faces in STRAIGHTS:
        return STRAIGHTS[faces]
    points = 0
    for face in set(faces):
        count = faces.count(face)
        if count >= 3:
            points += (1000 if face == "1" else 100 * int(face)) * 2 ** (count - 3)
        elif face in "15":
            points += (100 if face == "1" else 50) * count
        else:
            return 0
    return points


@cache
def selections(roll: str) -> Mapping[str, int]:
    """All valid selections of a roll by letters, each with its points."""
    places = [place for place, face in enumerate(roll) if face != "."]
    found = {}
    for size in range(1, len(places) + 1):
        for chosen in combinations(places, size):
            points = worth([roll[place] for place in chosen])
            if points:
                found["".join(LETTERS[place] for place in chosen)] = points
    return found


def compares(value: int, what: Mapping[str, int]) -> bool:
    """Whether a value is at least, at most or exactly a number; without a number, whether it is at least 1."""
    if "at_least" in what:
        return value >= what["at_least"]
    if "at_most" in what:
        return value <= what["at_most"]
    return value == what["exactly"] if "exactly" in what else value >= 1


def toward_zero(points: int, percent: float) -> int:
    """So many percent of points, rounded toward zero."""
    share = int(abs(points) * abs(Fraction(str(percent))) / 100)
    return share if (points < 0) == (percent < 0) else -share


class Piece:
    """A modifier or item of a match."""

    def __init__(self, content: Any, owner: int | None, enabled: bool) -> None:
        data = content.model_dump(mode="json", exclude_none=True)
        self.id = short(data["id"])
        self.owner = owner
        self.enabled = enabled
        self.active = data.get("type") == "active"
        self.triggers = [] if self.active else data.get("triggers", [data.get("trigger")])
        self.condition: Data | None = data.get("activate_condition" if self.active else "condition")
        self.effects: list[Data] = data["effect"]
        self.rest = data.get("cooldown_turns", 0)
        self.cooldown = self.fired = self.moved = 0

    def chosen(self) -> tuple[int, int | str]:
        """How many dice the player chooses for it at most, and the face those are turned to (0: none)."""
        many: int = 0
        face: int | str = 0
        for effect in self.effects:
            ((kind, what),) = effect.items()
            if isinstance(what, dict) and what.get("dice") == "chosen":
                many = what.get("count", 1)
                face = what["to"] if kind == "set_face" else face
        return many, face

    def asks_face(self) -> bool:
        """Whether the player chooses a face for it."""
        return any("set_face" in effect and effect["set_face"]["to"] == "chosen" for effect in self.effects)

    def wants(self, condition: Data | None = None, there: bool = True) -> set[str]:
        """The flags that its condition wants to be there."""
        found = set()
        for kind, what in (condition or {}).items():
            if kind == "flag" and there:
                found.add(what)
            for part in what if kind in ("all", "any") else [what] if kind == "not" else []:
                found |= self.wants(part, there if kind != "not" else not there)
        return found


class NaiveMatch:
    """A match by the page; what falls is told to it, throw by throw."""

    def __init__(self, config: Config) -> None:
        setup = config.resolved()
        self.target, self.max_turns = config.target_score, config.max_turns
        self.must_roll = config.hot_dice_must_roll
        self.pieces = [Piece(*entry) for entry in setup.entries]
        self.lasts = {flag.id: flag.time for flag in setup.flags}
        self.dice = [[list(die.weights) for die in dice] for dice in setup.dice]
        self.totals = [0, 0]
        self.flags: list[dict[str, Piece | None]] = [{}, {}]  # by whom they were set
        self.left: list[dict[str, int]] = [{}, {}]  # the turns that those for a time have left
        self.turns = 0
        self.seat_turns, self.seat_rolls, self.seat_hot = [0, 0], [0, 0], [0, 0]
        self.whole_throws, self.whole_busts = [0] * 7, [0] * 7
        self.winner: int | None = None
        self.over = False
        self.choosing: Piece | None = None
        self.facing: str | None = None  # the dice chosen, while a face is
        self.rerolled = set()
        self.selection = ""
        self.save_points = self.pass_delta = 0

    def begin(self, fallen: Iterator[Throw]) -> None:
        """Seat 0 starts."""
        self._begin_turn(0)
        self._roll(LETTERS, fallen)

    # What can be done

    def options(self) -> list[str]:
        """All options."""
        if self.over:
            return []
        if self.choosing:
            if self.facing is not None:
                return [f"face {face}" for face in self._faces(self.choosing, self.facing)]
            return [f"choose {dice}" for dice in self._choices(self.choosing)]
        found = []
        for dice in selections(self.roll):
            left = set(self.table()) - set(dice)
            must_pass = self.rolls >= MOST_ROLLS or (left and left <= self.locked)
            if not must_pass:
                found.append(f"save {dice}")
            if left or not self.must_roll or must_pass:
                found.append(f"pass {dice}")
        return found + [f"use {piece.id}" for piece in self._mine() if self._ready(piece)]

    def _mine(self) -> list[Piece]:
        return [piece for piece in self.pieces if piece.owner in (None, self.player) and piece.enabled]

    def _ready(self, piece: Piece) -> bool:
        if not piece.active or piece.cooldown != 0 or not self.holds(piece.condition, "use"):
            return False
        return bool(self._choices(piece)) if piece.chosen()[0] else self._is_choice(piece, "")

    def _choices(self, piece: Piece) -> list[str]:
        most = piece.chosen()[0]
        found = ["".join(dice) for size in range(1, most + 1) for dice in combinations(self._free(), size)]
        return [dice for dice in found if self._is_choice(piece, dice)]

    def _is_choice(self, piece: Piece, dice: str) -> bool:
        """Whether dice can be chosen, with any face if one is chosen too."""
        if piece.asks_face():
            return bool(self._faces(piece, dice))
        to = piece.chosen()[1]
        return bool(not to or selections(turned(self.roll, dice, to))) and self._would_do(piece, dice)

    def _faces(self, piece: Piece, dice: str) -> list[int]:
        """The faces that can be chosen once the dice are."""
        to = piece.chosen()[1]
        return [
            face
            for face in range(1, 7)
            if (not to or selections(turned(self.roll, dice, face if to == "chosen" else to)))
            and self._would_do(piece, dice, face)
        ]

    def _would_do(self, piece: Piece, chosen: str, face: int = 0) -> bool:
        """Whether anything is done if it is tried on a match just like this one."""
        tried = self._twin()
        same = tried.pieces[self.pieces.index(piece)]
        before = same.fired
        tried._work(same, "use", chosen, face)
        return same.fired > before

    def _twin(self) -> NaiveMatch:
        twin = copy(self)
        twin.totals, twin.weights, twin.locked = list(self.totals), list(self.weights), set(self.locked)
        twin.flags, twin.left = [dict(flags) for flags in self.flags], [dict(left) for left in self.left]
        twin.pieces = [copy(piece) for piece in self.pieces]
        return twin

    def _free(self) -> str:
        """The dice on the table that effects reach: those that are not locked."""
        return "".join(letter for letter in self.table() if letter not in self.locked)

    def table(self) -> str:
        """The dice that are not banked."""
        return "".join(letter for letter, face in zip(LETTERS, self.roll, strict=True) if face != ".")

    # Doing it

    def do(self, option: str, fallen: Iterator[Throw]) -> None:
        """Does one of the options; `fallen` are the throws it leads to."""
        act, what = option.split()
        if act == "use":
            piece = next(piece for piece in self._mine() if piece.id == what and piece.active)
            piece.cooldown = piece.rest or UNTIL_SAVED
            self.choosing = piece
            if not piece.chosen()[0]:
                self._chosen("", fallen)
        elif act == "choose":
            self._chosen(what, fallen)
        elif act == "face":
            assert self.choosing and self.facing is not None
            piece, dice = self.choosing, self.facing
            self.choosing = self.facing = None
            self._use(piece, dice, fallen, int(what))
        else:
            self.save(what)
            if act == "pass":
                self.bank()
                if self.totals[self.player] >= self.target:
                    self.winner, self.over = self.player, True
                elif self._next_turn():
                    self._roll(LETTERS, fallen)
            else:
                self.hot = not self.table()
                self.seat_hot[self.player] += self.hot
                self._roll(self._free() or LETTERS, fallen)

    def _chosen(self, dice: str, fallen: Iterator[Throw]) -> None:
        """Dice are chosen, if any: a face is next, or the item works."""
        assert self.choosing
        if self.choosing.asks_face():
            self.facing = dice
        else:
            piece, self.choosing = self.choosing, None
            self._use(piece, dice, fallen)

    def _shown(self) -> Iterator[tuple[str, str]]:
        return zip(LETTERS, self.roll, strict=True)

    def save(self, dice: str) -> None:
        """The base, doubled if there is the flag, then the items."""
        points = selections(self.roll)[dice]
        if "double_next_save" in self.flags[self.player]:
            doubling = self.flags[self.player].pop("double_next_save")
            if doubling:
                doubling.moved += points
            points *= 2
        self.selection = dice
        self.saved_faces = "".join(face for letter, face in self._shown() if letter in dice)
        self.save_points = points
        self.points += points
        self.roll = "".join("." if letter in dice else face for letter, face in self._shown())
        self.locked -= set(dice)
        for piece in self.pieces:
            piece.cooldown = max(0, piece.cooldown)
        self._hear("on_save")

    def bank(self) -> None:
        """What the turn brought, with what modifiers and items make of it."""
        self._hear("on_pass")
        self.totals[self.player] += max(0, self.points + self.pass_delta)

    def _begin_turn(self, player: int) -> None:
        self.player = player
        self.turns += 1
        self.seat_turns[player] += 1
        self.points = self.pass_delta = self.rolls = 0
        self.hot = False
        self.locked: set[str] = set()
        self.weights = [list(weights) for weights in self.dice[player]]
        for piece in self.pieces:
            piece.cooldown = max(0, piece.cooldown - 1)
        for seat in (0, 1):
            for flag in list(self.left[seat]):
                self.left[seat][flag] -= 1
                if self.left[seat][flag] == 0:
                    self._take(flag, seat)

    def _next_turn(self) -> bool:
        if self.turns == self.max_turns:
            self.over = True
        else:
            self._begin_turn(1 - self.player)
        return not self.over

    def _roll(self, dice: str, fallen: Iterator[Throw]) -> None:
        self.rerolled: set[str] = set()  # the passive items that have thrown since the player decided to
        while True:
            self._fall(dice, next(fallen))
            self.whole_throws[len(dice)] += dice == self.table()
            more = self._hear("on_roll") - self.locked
            if more:
                self.hot = False
                dice = "".join(sorted(more))
                continue
            if selections(self.roll):
                return
            self.whole_busts[len(dice)] += dice == self.table()
            again = "".join(letter for letter in dice if letter not in self.locked)
            if "bust_shield" in self.flags[self.player] and again and self.rolls < MOST_ROLLS:
                self._take("bust_shield", self.player)
                self.hot = False
                dice = again
            else:
                self.points = 0
                self.rerolled = set()
                if not self._next_turn():
                    return
                dice = LETTERS

    def _fall(self, dice: str, throw: Throw) -> None:
        assert (throw.player, throw.dice) == (self.player, dice)
        if dice != LETTERS:
            for place, (letter, face) in enumerate(self._shown()):
                assert letter in dice or throw.roll[place] == face, "only the dice thrown change"
        for place, letter in enumerate(LETTERS):
            assert letter not in dice or self.weights[place][int(throw.roll[place]) - 1] > 0
        self.roll = throw.roll
        self.thrown = dice
        self.rolls += 1
        self.seat_rolls[self.player] += 1

    def _use(self, piece: Piece, chosen: str, fallen: Iterator[Throw], face: int = 0) -> None:
        again = self._work(piece, "use", chosen, face) - self.locked
        if again:
            self.hot = False
            self._roll("".join(sorted(again)), fallen)

    # Content

    def _hear(self, event: str) -> set[str]:
        """Everything that waits for an event; returns the dice to be thrown again."""
        again: set[str] = set()
        for piece in self._mine():
            if event in piece.triggers and self.holds(piece.condition, event):
                again |= self._work(piece, event, "")
        return again

    def _work(self, piece: Piece, event: str, chosen: str, face: int = 0) -> set[str]:
        """Does the effects of a piece; returns the dice to be thrown again."""
        before = self.points + self.pass_delta
        again: set[str] = set()
        done = False
        used = {
            flag: self.flags[self.player].pop(flag)
            for flag in piece.wants(piece.condition)
            if flag in self.flags[self.player] and self.lasts.get(flag) == 0
        }
        for effect in piece.effects:
            ((kind, what),) = effect.items()
            if kind == "reroll" and event == "on_roll" and (piece.id in self.rerolled or self.rolls >= MOST_ROLLS):
                continue
            done |= self._effect(piece, kind, what, event, chosen, again, face)
            done |= kind == "clear_flag" and what in used
        if again:
            self.rerolled = self.rerolled | {piece.id}
        if done:
            piece.fired += 1
            piece.moved += self.points + self.pass_delta - before
        else:
            self.flags[self.player] |= used
        return again

    def _take(self, flag: str, player: int) -> bool:
        """Takes a flag from a player; returns whether it was there."""
        self.left[player].pop(flag, None)
        there = flag in self.flags[player]
        self.flags[player].pop(flag, None)
        return there

    def _set(self, flag: str, piece: Piece) -> bool:
        """Sets a flag, or has it last as long as if it were set now; returns whether that changes anything."""
        turns = self.lasts.get(flag, 0)
        if flag in self.flags[self.player] and turns <= self.left[self.player].get(flag, 0):
            return False
        self.flags[self.player][flag] = piece
        if turns:
            self.left[self.player][flag] = turns
        return True

    def _effect(self, piece: Piece, kind: str, what: Any, event: str, chosen: str, again: set[str], face: int) -> bool:
        """Does one effect; returns whether there was anything to do."""
        if kind == "add":
            self._add(what, event)
        elif kind == "add_to_pass":
            self._add(what, "on_pass")
        elif kind == "add_per_die":
            count = self.looked_at(what.get("of"), event).count(str(what["face"]))
            self._add(what["points"] * count, event)
            return count > 0
        elif kind == "percent":
            share = toward_zero(self.points, what)
            self._add(share, event)
            return share != 0
        elif kind == "multiply_save":
            self._add(self.save_points * (what - 1), event)
            self.save_points = min(self.save_points * what, MOST_POINTS)
        elif kind == "set_flag":
            return self._set(what, piece)
        elif kind == "clear_flag":
            return self._take(what, self.player)
        else:
            return self._change_dice(kind, what, self._meant(what, chosen), event, again, face)
        return True

    def _change_dice(self, kind: str, what: Data, dice: str, event: str, again: set[str], face: int) -> bool:
        if kind == "set_face":
            then = turned(self.roll, dice, face if what["to"] == "chosen" else what["to"])
            if then == self.roll or (event != "on_save" and selections(self.roll) and not selections(then)):
                return False
            self.roll = then
        elif kind == "reroll":
            again |= set(dice)
        elif kind == "lock":
            if event == "on_save" and dice == self._free():
                return False
            self.locked |= set(dice)
        else:
            new = [letter for letter in dice if self.weights[LETTERS.index(letter)] is not what["weights"]]
            for letter in new:
                self.weights[LETTERS.index(letter)] = what["weights"]
            return bool(new)
        return bool(dice)

    def _add(self, points: int, event: str) -> None:
        if event == "on_pass":
            self.pass_delta = max(-MOST_POINTS, min(MOST_POINTS, self.pass_delta + points))
        else:
            self.points = max(-MOST_POINTS, min(MOST_POINTS, self.points + points))

    def _meant(self, what: Data, chosen: str) -> str:
        match what["dice"]:
            case "chosen":
                return "".join(letter for letter in chosen if letter not in self.locked)
            case "all":
                return self._free()
            case "showing":
                return "".join(letter for letter in self._free() if self._face(letter) == str(what["face"]))
        lying = [(self._face(letter), letter) for letter in self._free()]
        lying.sort(key=lambda die: (int(die[0]) * (-1 if what["dice"] == "highest" else 1), die[1]))
        return "".join(sorted(letter for _, letter in lying[: what.get("count", 1)]))

    def _face(self, letter: str) -> str:
        return self.roll[LETTERS.index(letter)]

    def looked_at(self, of: str | None, event: str) -> str:
        """The faces that a condition or effect looks at."""
        usual = {"on_roll": "thrown", "on_save": "saved", "on_pass": "saved", "use": "table"}
        saved = dict(zip(self.selection, self.saved_faces, strict=True)) if event in ("on_save", "on_pass") else {}
        match of or usual[event]:
            case "thrown":
                return "".join(saved[die] if die in saved else self._face(die) for die in self.thrown)
            case "saved":
                return "".join(saved.values())
        return self.roll.replace(".", "")

    def holds(self, condition: Data | None, event: str) -> bool:
        """Whether a condition holds now, for something that waits for an event or is used."""
        if condition is None:
            return True
        ((kind, what),) = ((key, value) for key, value in condition.items() if key != "of")
        lying = self.looked_at(condition.get("of"), event)
        lead = self.totals[self.player] - self.totals[1 - self.player]
        match kind:
            case "all":
                return all(self.holds(part, event) for part in what)
            case "any":
                return any(self.holds(part, event) for part in what)
            case "not":
                return not self.holds(what, event)
            case "count":
                return compares(lying.count(str(what["face"])), what)
            case "of_a_kind":
                return any(lying.count(face) >= what for face in "123456")
            case "straight":
                wanted = ("12345", "23456") if what == "any" else ("".join(map(str, _from_to(what))),)
                return any(set(faces) <= set(lying) for faces in wanted)
            case "dice_rolled":
                return compares(len(self.thrown), what)
            case "sum":
                return compares(sum(map(int, lying)), what)
            case "first_roll":
                return self.rolls == 1
            case "roll_number":
                return compares(self.rolls, what)
            case "hot_dice":
                return self.hot
            case "turn_points":
                return compares(self.points, what)
            case "own_total":
                return compares(self.totals[self.player], what)
            case "behind_by":
                return -lead >= what
            case "ahead_by":
                return lead >= what
            case "selection_size":
                return compares(len(self.selection), what)
            case "selection_contains":
                return compares(self.saved_faces.count(str(what["face"])), what)
            case "selection_points":
                return compares(self.save_points, what)
            case "scores":
                return bool(selections(self.roll))
            case "flag":
                return what in self.flags[self.player]
        raise AssertionError(kind)

    # An agent

    def after(self, dice: str) -> tuple[int, int]:
        """The points of the turn after a save, and the total if it is passed then."""
        tried = self._twin()
        tried.save(dice)
        points = tried.points
        tried.bank()
        return points, tried.totals[self.player]

    def threshold(self, n: int) -> str:
        """The save or pass that threshold(n) makes, whatever items it may use before."""
        after = {dice: self.after(dice) for dice in selections(self.roll)}
        best = min(after, key=lambda dice: (-after[dice][0], len(dice), dice))
        points, total = after[best]
        left = len(set(self._free()) - set(best))
        passes = points >= n or total >= self.target or left in (1, 2)
        wanted = f"{'pass' if passes else 'save'} {best}"
        return wanted if wanted in self.options() else next(o for o in self.options() if o.endswith(f" {best}"))


def _from_to(straight: str) -> range:
    first, last = straight.split("-")
    return range(int(first), int(last) + 1)


def turned(roll: str, dice: str, to: int | str) -> str:
    """A roll with some dice turned: to a face, up, down, or over."""
    ways = {"+1": "234566", "-1": "112345", "flip": "654321"}
    made = [
        shown if letter not in dice else ways[to][int(shown) - 1] if isinstance(to, str) else str(to)
        for letter, shown in zip(LETTERS, roll, strict=True)
    ]
    return "".join(made)


def followed(config: Config, number: int) -> Iterator[tuple[Position, NaiveMatch]]:
    """Plays a match at random, by the rules and by the model of them; yields both before every decision and at the end.

    Now and then an item is used, and more is thrown than passed.
    """
    game, model = deal(config, number=number), NaiveMatch(config)
    model.begin(iter(game.throws()))
    random = Random(number)
    while not model.over:
        yield game, model
        kinds: dict[str, list[str]] = {}
        for option in game.legal():
            kinds.setdefault(option.split()[0], []).append(option)
        kind = random.choices(list(kinds), [{"pass": 1, "save": 3}.get(kind, 2) for kind in kinds])[0]
        option = random.choice(kinds[kind])
        game.do(option)
        if game.s.noted > LOG:
            return  # the log does not tell all throws
        fallen = iter(game.throws())
        model.do(option, fallen)
        assert next(fallen, None) is None, "a throw too many"
    yield game, model
