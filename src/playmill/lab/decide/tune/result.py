"""`Tuning`, the result of a tuning: the winner, the smallest change nearly as good, all trials, and its report."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from math import sqrt
from typing import Any

from playmill.engine.config.model import RuleConfig
from playmill.engine.contract.game import Game
from playmill.lab.decide.changeable import Setting, written
from playmill.lab.decide.tune.final_race import LEVEL, Effect, Racer, Validation, squared
from playmill.lab.decide.tune.goals import WORTH, Goal
from playmill.lab.decide.tune.search import Trial
from playmill.lab.decide.tune.space import Space, key
from playmill.lab.runs.figures import ReportFigure
from playmill.lab.runs.resolved_plan import ResolvedPlan
from playmill.report.commands.tune import print_tuning, tuned_tables, tuning_page
from playmill.report.commands.tuning_data import ChangedNumber, Family, GoalAmong, RacerRow, ShownGoal, TuningReport
from playmill.report.commands.tuning_verdict import verdict
from playmill.report.html.page import in_notebook
from playmill.report.model.among import Among
from playmill.report.model.tables import Estimate, RunInfo, Table
from playmill.report.terminal.as_text import as_text
from playmill.stats.estimates import value_and_ends
from playmill.stats.goal_loss import Aim, LossEstimate, Reading, difference, gap, judged, shortfall
from playmill.texts import Lang, Text, user_language

_GAP = Text("gap", "разрыв")
#: A longer command is not offered to be typed.
_LONG = 500
_VALUE = Text("value", "значение")


@dataclass(frozen=True)
class Tuning:
    """A finished tuning. `proofs` are of the rules, the winner and the smallest change, or of a front's members."""

    game: Game
    info: RunInfo
    players: tuple[int, ...]
    resolved: ResolvedPlan
    space: Space
    goals: tuple[Goal, ...]
    aims: tuple[tuple[Aim, ...], ...]
    #: The figures of the goals as the report tells them; what is no figure of a report is not among them.
    figures: Mapping[str, ReportFigure]
    prefixes: tuple[str, ...]
    #: Among whom each table is played, if they differ in the agent.
    whom: tuple[Among, ...]
    trials: tuple[Trial, ...]
    refused: int
    complaint: Text | None
    whole: bool
    runners: tuple[Racer, ...]
    effects: tuple[Effect, ...]
    proofs: tuple[Validation, ...]
    front: bool
    nearly: float
    deals: int
    games: int
    elapsed_s: float
    command: str
    #: Answers of agents that could not be used.
    unused: int = 0
    #: The name of its journal, if it is kept.
    kept: str | None = None

    def __repr__(self) -> str:
        sentence = verdict(self.shown, "en")[0]
        return f"<Tuning of {self.game.name}: {sentence}>"

    def __str__(self) -> str:
        return as_text(lambda console: print_tuning(console, self.shown, user_language()))

    def _repr_html_(self) -> str:
        return in_notebook(self.page(user_language()))

    @property
    def rules(self) -> Validation:
        """The rules as they are, on fresh games."""
        return self.proofs[0]

    @property
    def best(self) -> Validation:
        """The winner on fresh games; the rules if nothing raced better, or if it was a front."""
        return self.proofs[1] if len(self.proofs) > 1 and not self.front else self.rules

    @property
    def smallest(self) -> Validation:
        """The smallest change that is nearly as good; the winner if there is none smaller."""
        return self.proofs[2] if len(self.proofs) > 2 and not self.front else self.best

    @cached_property
    def gain(self) -> LossEstimate:
        """The loss of the winner less that of the rules, on fresh games: below 0 is better."""
        return difference(self.best.judged, self.rules.judged)

    @property
    def better(self) -> bool:
        """Whether fresh games show that the winner is better than the rules."""
        return bool(self.best.setting) and self.gain.below(LEVEL)

    @property
    def changes(self) -> dict[str, Any]:
        """What to change: nothing, if nothing better was found."""
        return dict(self.best.setting) if self.better else {}

    @property
    def config(self) -> RuleConfig:
        """The config of the winner; the rules as they are if nothing better was found."""
        return self.space.configured(self.changes)

    @property
    def agents(self) -> tuple[str, ...]:
        """The agents with the numbers of the winner; as they are if nothing better was found."""
        seats = self.space.numbers.seated(self.changes, self.resolved.seats)
        return tuple(seat.spec or name for name, seat in zip(self.resolved.found, seats, strict=False))

    @property
    def smallest_config(self) -> RuleConfig:
        """The config of the smallest change that is nearly as good."""
        return self.space.configured(self.smallest.setting if self.better else {})

    @cached_property
    def lost(self) -> LossEstimate | None:
        """What the smallest change loses beyond the share it may, on fresh games; None if there is none smaller."""
        if len(self.proofs) < 3 or self.front:
            return None
        whole = squared([aim for aims in self.aims for aim in aims])
        return shortfall(self.smallest.judged, self.best.judged, self.rules.judged, self.nearly, squared=whole)

    @property
    def members(self) -> list[tuple[Validation, bool]]:
        """Of a front: each setting by its first goal, and whether fresh games leave it on the front."""
        if not self.front:
            return []
        losses = [[judged(proof.reading, aims).loss for aims in self.aims] for proof in self.proofs]
        found = []
        for mine, proof in zip(losses, self.proofs, strict=True):
            beaten = any(
                all(other <= one for other, one in zip(theirs, mine, strict=True)) and theirs != mine
                for theirs in losses
            )
            found.append((mine[0], proof, not beaten))
        return [(proof, on) for _, proof, on in sorted(found, key=lambda one: (not one[2], one[0]))]

    @cached_property
    def shown(self) -> TuningReport:
        """It, ready to be printed or made a page."""
        better, small = self.better, self.lost is not None
        compared = ["playmill", "compare", self.resolved.reference, "--players", str(self.players[0])]
        compared += [*self._who_plays(), *self._set(), "--b"]
        rules = {path: value for path, value in self.changes.items() if not self.space.numbers.of_agent(path)}
        compared += [f"{path}={written(value)}" for path, value in rules.items()]
        compared += self.agents if len(rules) < len(self.changes) else ()
        return TuningReport(
            run=self.info,
            players=self.players,
            agents=self.resolved.written,
            whom=self.whom,
            free=tuple(one.written() for one in self.space.free),
            goals=tuple(self._goal(number, better=better, small=small) for number in range(len(self.goals))),
            families=tuple(self._families(better=better, small=small)),
            numbers=tuple(self._numbers(small=small)) if better else (),
            ran=tuple(self._ran()),
            trials=tuple((trial.loss, trial.hopeless) for trial in self.trials),
            so_far=tuple(self._so_far()),
            better=better,
            front=self.front,
            refused=self.refused,
            complaint=self.complaint,
            whole=self.whole,
            nearly=self.nearly,
            nearly_shown=None if self.lost is None else self.lost.below(LEVEL),
            games=self.games,
            deals=self.deals,
            elapsed_s=self.elapsed_s,
            unused=self.unused,
            command=self.command,
            at_bound=self.at_bound,
            of_agents=self.space.of_agents,
            compare=message if better and len(message := shlex.join(compared)) <= _LONG else "",
        )

    def tables(self) -> list[Table]:
        """Returns the goals, the numbers, the figures before and after, and the race."""
        return tuned_tables(self.shown)

    def page(self, lang: Lang) -> str:
        """Returns a page that opens without a network."""
        return tuning_page(self.shown, lang)

    def json(self) -> dict[str, Any]:
        """Returns the JSON form, as it is saved."""
        low, high = self.gain.interval()
        return {
            "meta": {
                "game": self.game.name,
                "players": list(self.players),
                "agents": list(self.info.agents),
                **({"among": [one.agent for one in self.whom]} if self.whom else {}),
                "seed": self.info.seed,
                "free": [one.written() for one in self.space.free],
                "goals": [goal.written() for goal in self.goals],
                "front": self.front,
                "deals": self.deals,
                "games": self.games,
                "trials": len(self.trials),
                "cut_short": sum(trial.hopeless for trial in self.trials),
                "refused": self.refused,
                "whole": self.whole,
                "nearly": self.nearly,
                "elapsed_s": self.elapsed_s,
                "fallbacks": self.unused,
                "command": self.command,
            },
            "results": {
                "better": self.better,
                "at_bound": self.at_bound,
                "agents": list(self.agents),
                "best": dict(self.best.setting),
                "smallest": dict(self.smallest.setting),
                "smallest_is_nearly_as_good": self.shown.nearly_shown,
                "gain": {"value": -self.gain.value, "low": -high, "high": -low},
                "goals": [_saved_goal(goal) for goal in self.shown.goals],
                "figures": {
                    name: [value_and_ends(proof.reading.estimate(name)) for proof in self.proofs]
                    for name in self.rules.reading.names
                },
                "settings": [dict(proof.setting) for proof in self.proofs],
                "effects": {one.path: None if one.share is None else value_and_ends(one.share) for one in self.effects},
                "race": [
                    {
                        "setting": dict(one.setting),
                        "fresh": [value_and_ends(value) for value in one.fresh],
                        "search": [None if value is None else value_and_ends(value) for value in one.search],
                        "deals": one.deals,
                        "out": one.out,
                    }
                    for one in self.shown.ran
                ],
                "trials": [
                    {
                        "setting": dict(trial.setting),
                        "loss": trial.loss,
                        "losses": list(trial.losses),
                        "deals": trial.deals,
                        "cut_short": trial.hopeless,
                    }
                    for trial in self.trials
                ],
            },
        }

    # What of it is shown

    def reported(self, number: int, reading: Reading) -> Estimate:
        """Returns a goal on some deals: one figure itself, or the gap that is left without the noise."""
        goal, aims = self.goals[number], self.aims[number]
        if not self._gap(number):
            return _mean(reading, [aim.names[0] for aim in aims])
        return gap(judged(reading, aims), aims[0].scale / sqrt(goal.weight))

    def reported_at(self, number: int, place: int, reading: Reading) -> Estimate:
        """Returns a goal at one table: one figure itself, or the gap that is left without the noise."""
        aim = self.aims[number][place]
        if aim.kind != "equal":
            return reading.estimate(aim.names[0])
        found = gap(judged(reading, (aim,)), aim.scale / sqrt(aim.weight))
        return replace(found, n=reading.estimate(aim.names[0]).n)

    def reached_at(self, number: int, place: int) -> bool | None:
        """Whether a goal is reached at one table, as `reached` tells it of all."""
        goal, aim = self.goals[number], self.aims[number][place]
        if self.front or goal.kind not in ("equal", "at"):
            return None
        figure = self.reported_at(number, place, (self.best if self.better else self.rules).reading)
        if goal.kind == "equal":
            return figure.low <= aim.scale
        return figure.low - aim.scale <= aim.target <= figure.high + aim.scale

    def _at(self, number: int, *, better: bool, small: bool) -> tuple[GoalAmong, ...]:
        """Returns a goal among each of those it was tuned for."""
        return tuple(
            GoalAmong(
                who,
                self.goals[number].kind == "equal",
                self.reported_at(number, place, self.rules.reading),
                self.reported_at(number, place, self.best.reading) if better else None,
                self.reported_at(number, place, self.smallest.reading) if better and small else None,
                self.reached_at(number, place),
            )
            for place, who in enumerate(self.whom)
        )

    def _gap(self, number: int) -> bool:
        """Returns whether a goal is told as a gap: of one figure at one table the figure itself says more."""
        return self.goals[number].kind == "equal" or (self.goals[number].kind == "at" and len(self.prefixes) > 1)

    def _percent(self, number: int) -> bool:
        """Returns whether a goal is told in percent."""
        aims = self.aims[number]
        if self.goals[number].shares or aims[0].relative:
            return True
        return all(self.rules.reading.most[self.rules.reading.place[name]] is not None for name in aims[0].names)

    def _goal(self, number: int, *, better: bool, small: bool) -> ShownGoal:
        goal = self.goals[number]
        search = next((trial for trial in self.trials if key(trial.setting) == key(self.best.setting)), None)
        searched = self.reported(number, search.reading) if search is not None and search.reading is not None else None
        return ShownGoal(
            goal.text,
            _GAP if self._gap(number) else _VALUE,
            self._percent(number),
            self.reported(number, self.rules.reading),
            self.reported(number, self.best.reading) if better else None,
            self.reported(number, self.smallest.reading) if small else None,
            searched if better else None,
            self.reached(number),
            self._at(number, better=better, small=small),
        )

    def reached(self, number: int) -> bool | None:
        """Whether a goal is reached: fresh games allow that it is met within a point of a share, or one percent.

        None of a goal that has no end, to be as high or as low as can be, and of a front.
        """
        goal, aim = self.goals[number], self.aims[number][0]
        if self.front or goal.kind not in ("equal", "at"):
            return None
        if self.whom:
            return all(self.reached_at(number, place) for place in range(len(self.whom)))
        figure = self.reported(number, (self.best if self.better else self.rules).reading)
        if self._gap(number):
            return figure.low <= aim.scale
        return figure.low - aim.scale <= aim.target <= figure.high + aim.scale

    @property
    def at_bound(self) -> dict[str, Any]:
        """The changed numbers that are the least or the largest of their range."""
        return {one.path: value for one in self.space.free if one.at_bound(value := self.changes.get(one.path))}

    def _families(self, *, better: bool, small: bool) -> list[Family]:
        """Returns the figures of each goal at each table."""
        found = []
        proofs = [self.rules, *([self.best] if better else []), *([self.smallest] if better and small else [])]
        for number, goal in enumerate(self.goals):
            for table, aim in zip(self.prefixes, self.aims[number], strict=True):
                named = goal.text
                if table and self.whom:
                    among = self.whom[self.prefixes.index(table)]
                    named = Text(f"{named.en}, among {among.name.en}", f"{named.ru}, среди {among.name.ru}")
                elif table:
                    players = table.removesuffix("/")
                    named = Text(f"{named.en}, {players} players", f"{named.ru}, игроков: {players}")
                rows = tuple(
                    (called, tuple(proof.reading.estimate(name) for proof in proofs))
                    for name, called in zip(aim.names, self._called(aim.names, table, goal), strict=True)
                )
                percent = self._percent(number) and not aim.relative
                middle = sum(self.rules.reading[name] for name in aim.names) / len(aim.names)
                fair = {"at": aim.target, "equal": middle if percent else None}.get(goal.kind)
                found.append(Family(named, percent, fair, rows))
        return found

    def _called(self, names: Sequence[str], table: str, goal: Goal) -> list[Text]:
        """What the figures of a goal are called beside each other: as in the report, by what tells them apart there."""
        if goal.shares:
            pieces = [name.removeprefix(table + WORTH) for name in names]
            return [Text(f"worth of {piece}", f"ценность {piece}") for piece in pieces]
        found = [self.figures.get(name) for name in names]
        known = [figure for figure in found if figure is not None and figure.title.en != figure.name]
        if len(known) < len(names):
            return [Text(short, short) for short in (_short(name.removeprefix(table), goal) for name in names)]
        labels = [figure.labels for figure in known]
        apart = [place for place, same in enumerate(zip(*labels, strict=False)) if len({*same}) > 1]
        made = [Text.join(row[place] for place in apart) for row in labels]
        return made if len({*made}) == len(made) > 1 else [figure.title for figure in known]

    def _numbers(self, *, small: bool) -> list[ChangedNumber]:
        found = []
        for effect in self.effects:
            rules = self.space.rules[effect.path]
            kept = self.smallest.setting.get(effect.path, rules) if small else self.best.setting[effect.path]
            found.append(ChangedNumber(effect.path, rules, self.best.setting[effect.path], kept, effect.share))
        for path, value in self.smallest.setting.items() if small else ():
            if not any(one.path == path for one in found):
                found.append(ChangedNumber(path, self.space.rules[path], self.space.rules[path], value, None))
        return found

    def _ran(self) -> list[RacerRow]:
        searched = {key(trial.setting): trial for trial in self.trials}

        def said(setting: Setting) -> tuple[Estimate | None, ...]:
            trial = searched.get(key(setting))
            if trial is None or trial.reading is None:
                return (None,) * len(self.goals)
            return tuple(self.reported(number, trial.reading) for number in range(len(self.goals)))

        def fresh(reading: Reading) -> tuple[Estimate, ...]:
            return tuple(self.reported(number, reading) for number in range(len(self.goals)))

        if self.front:
            return [
                RacerRow(proof.setting, said(proof.setting), fresh(proof.reading), 2 * self.deals, not on)
                for proof, on in self.members
            ]
        return [
            RacerRow(one.setting, said(one.setting), fresh(one.reading), one.deals, one.out) for one in self.runners
        ]

    def _so_far(self) -> list[float]:
        """Returns what the search saw of the best so far, if there is one goal."""
        if len(self.goals) > 1:
            return []
        best, top, found = self.trials[0], self.trials[0].deals, []
        for trial in self.trials:
            best = trial if trial.deals == top and trial.loss < best.loss else best
            assert best.reading is not None
            found.append(self.reported(0, best.reading).value)
        return found

    def _who_plays(self) -> list[str]:
        """Returns who plays, as the command line takes it."""
        if not self.whom:
            return ["--agents", *self.resolved.found]
        return ["--levels"] if self.whom[0].level is not None else ["--among", *(one.agent for one in self.whom)]

    def _set(self) -> list[str]:
        own = self.resolved.changes()
        return ["--set", *own] if own else []


def _short(name: str, goal: Goal) -> str:
    """Returns the steps of a figure's name in which it differs from the others of its goal."""
    steps = [
        step for step, wanted in zip(name.split("."), goal.figures.split("."), strict=True) if {"*", "|"} & {*wanted}
    ]
    return ".".join(steps) or name


def _mean(reading: Reading, names: Sequence[str]) -> Estimate:
    """Returns the mean of some figures."""
    if len(names) == 1:
        return reading.estimate(names[0])
    places = [reading.place[name] for name in names]
    values, without = reading.values[places].mean(keepdims=True), reading.without[:, places].mean(axis=1, keepdims=True)
    return Reading(("mean",), values, without, (None,), reading.sizes).estimate("mean")


def _saved_goal(goal: ShownGoal) -> dict[str, Any]:
    saved = {"rules": goal.rules, "best": goal.best, "smallest": goal.smallest, "search": goal.search}
    return {
        "goal": {"en": goal.text.en, "ru": goal.text.ru},
        "told": goal.unit.en,
        "reached": goal.reached,
        **{name: None if value is None else value_and_ends(value) for name, value in saved.items()},
    }
