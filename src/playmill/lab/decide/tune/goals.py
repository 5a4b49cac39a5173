"""Goals of a tuning: parses them, and resolves them to aims once the figures are known."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches

from playmill.engine.contract.game import Game
from playmill.engine.contract.goals import NamedGoal
from playmill.stats.goal_loss import POINT, Aim, AimKind, Reading
from playmill.texts import PlaymillError, Text

#: Figures that no report has: what a piece of content is worth, by its id.
WORTH = "worth."
#: What any game may want, in words; it can be called by these also where the game has no name for it.
COMMON = {"equal:seats.*.win_rate": Text("seats win equally often", "места побеждают одинаково часто")}
_KINDS: dict[str, AimKind] = {"equal": "equal", "high": "high", "low": "low"}
_NUMBER = r"[-+]?\d+(?:\.\d+)?"
#: Figures that a mistake lists.
_LISTED = 12
#: A sign of a figure's name; the name of an agent in it may have numbers behind: `agents.threshold:n=20`.
_FIGURES = r"(?:[^=:]|:\w+=[\w.+-]+(?:,\w+=[\w.+-]+)*)"


@dataclass(frozen=True)
class Goal:
    """One goal: figures and what they should be; `figures` is a path of the results.

    In it `*` stands for any step, and `this|that` for either.
    """

    kind: AimKind
    figures: str
    weight: float
    text: Text
    target: float | None = None

    @property
    def pattern(self) -> re.Pattern[str]:
        """Matches the names of its figures."""
        steps = (f"(?:{re.escape(step)})" for step in self.figures.split("."))
        return re.compile(r"\.".join(steps).replace(r"\*", "[^.]+").replace(r"\|", "|"))

    @property
    def shares(self) -> bool:
        """Whether its figures are counted in points whatever they are: a worth is a difference of win rates."""
        return self.figures.startswith(WORTH)

    def written(self) -> str:
        """It as `--goal` takes it."""
        body = f"{self.figures}={self.target!r}" if self.kind == "at" else f"{self.kind}:{self.figures}"
        return body if self.weight == 1 else f"{self.weight:g}*{body}"


def read_goals(game: Game, words: Sequence[str]) -> list[Goal]:
    """Parses goals; raises a message about the first invalid one."""
    if not words:
        known = "; ".join(f"{name}" for name in _named(game))
        raise PlaymillError(
            "no goal is named; for example --goal equal:seats.*.win_rate, turns=20, or high:turns"
            + (f"; {game.name} knows: {known}" if known else ""),
            "цель не названа; например, --goal equal:seats.*.win_rate, turns=20 или high:turns"
            + (f"; {game.name} знает: {known}" if known else ""),
        )
    return [_read(game, word) for word in words]


def resolved_goals(goals: Sequence[Goal], tables: Sequence[str], rules: Reading) -> list[list[Aim]]:
    """Returns the aims of each goal, one for each table, from the figures under the current rules."""
    found = []
    for goal in goals:
        aims = []
        for table in tables:
            names = tuple(
                name
                for name in rules.names
                if name.startswith(table) and goal.pattern.fullmatch(name.removeprefix(table))
            )
            aims.append(_aim(goal, names, rules, 1 / len(tables)))
        found.append(aims)
    return found


def check_figures(goals: Sequence[Goal], names: Sequence[str]) -> None:
    """Raises unless every goal has the figures it needs."""
    for goal in goals:
        found = [name for name in names if goal.pattern.fullmatch(name)]
        if not found:
            close = get_close_matches(goal.figures, names, n=_LISTED, cutoff=0.3) or list(names)[:_LISTED]
            listed = ", ".join(close)
            raise PlaymillError(
                f"--goal {goal.figures}: the report has no such figure; it has, for example: {listed}",
                f"--goal {goal.figures}: такого показателя в отчёте нет; есть, например: {listed}",
            )
        if goal.kind == "equal" and len(found) < 2:
            raise PlaymillError(
                f"--goal equal:{goal.figures}: there is one such figure; it is equal to itself",
                f"--goal equal:{goal.figures}: такой показатель один; сам себе он и так равен",
            )
        if goal.kind != "equal" and len(found) > 1:
            raise PlaymillError(
                f"--goal {goal.figures}: {len(found)} figures are meant ({', '.join(found[:3])} …); name one, or write"
                f" equal:{goal.figures}",
                f"--goal {goal.figures}: под это подходит {len(found)} показателей ({', '.join(found[:3])} …);"
                f" назовите один или напишите equal:{goal.figures}",
            )


def _aim(goal: Goal, names: tuple[str, ...], rules: Reading, share: float) -> Aim:
    places = [rules.place[name] for name in names]
    shares = goal.shares or all(rules.most[place] is not None for place in places)
    weight = goal.weight * share
    if goal.kind == "equal":
        return Aim("equal", names, POINT, relative=not shares, weight=weight)
    now = rules[names[0]]
    target = now if goal.target is None else goal.target
    scale = POINT if shares else POINT * (abs(target) or abs(now) or 1.0)
    return Aim(goal.kind, names, scale, target, weight=weight)


def _named(game: Game) -> Mapping[str, NamedGoal]:
    goals: Mapping[str, NamedGoal] = game.goals.GOALS if game.goals is not None else {}
    return goals


def _read(game: Game, word: str) -> Goal:
    found = re.fullmatch(rf"(?:({_NUMBER})\*)?(?:(\w+):)?({_FIGURES}+?)(?:=({_NUMBER})(%?))?", word.strip())
    if found is None or (found[2] is not None and found[2] not in _KINDS):
        raise _unreadable(game, word)
    weight = float(found[1]) if found[1] else 1.0
    if weight <= 0:
        raise PlaymillError(f"--goal {word}: a weight must be more than 0", f"--goal {word}: вес должен быть больше 0")
    kind, figures, text = found[2], found[3], COMMON.get(f"{found[2]}:{found[3]}", Text(word, word))
    if figures.startswith(WORTH):
        name = word.replace(WORTH, "", 1)
        text = Text(f"worth of {name}", f"ценность {name}")
    target = float(found[4]) / (100 if found[5] else 1) if found[4] else None
    named = _named(game).get(figures)
    if named is not None:
        inner, colon, rest = named.wanted.partition(":")
        text = named.about
        if colon and (kind is not None or target is not None):
            raise PlaymillError(
                f"--goal {word}: {figures} is a whole goal ({named.wanted}); write --goal {figures}",
                f"--goal {word}: {figures} — уже целая цель ({named.wanted}); пишите --goal {figures}",
            )
        kind, figures = (inner, rest) if colon else (kind, named.wanted)
    if kind is not None and target is None:
        return Goal(_KINDS[kind], figures, weight, text)
    if kind is None and target is not None:
        message = f"{found[4]}{found[5]}"
        text = Text.join((text, message), " = ") if named is not None else text
        return Goal("at", figures, weight, text, target)
    raise _unreadable(game, word)


def _unreadable(game: Game, word: str) -> PlaymillError:
    names = ", ".join(_named(game))
    return PlaymillError(
        f"--goal {word}: expected equal:FIGURES, FIGURE=NUMBER, high:FIGURE or low:FIGURE, with WEIGHT* before it if"
        " there are several" + (f"; or a goal of {game.name}: {names}" if names else ""),
        f"--goal {word}: нужно equal:ПОКАЗАТЕЛИ, ПОКАЗАТЕЛЬ=ЧИСЛО, high:ПОКАЗАТЕЛЬ или low:ПОКАЗАТЕЛЬ, а если целей"
        " несколько, впереди может стоять ВЕС*" + (f"; или цель игры {game.name}: {names}" if names else ""),
    )
