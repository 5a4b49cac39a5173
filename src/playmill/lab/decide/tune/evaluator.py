"""Measures settings of a tuning, each with the seed of its stage; saved readings are taken from the journal."""

from __future__ import annotations

import re
import time
from collections.abc import Mapping, Sequence

from playmill.engine.config.model import RuleConfig
from playmill.lab.decide.changeable import Setting
from playmill.lab.decide.tune.goals import WORTH, Goal, check_figures
from playmill.lab.decide.tune.journal import Journal
from playmill.lab.decide.tune.meters import Meter, PlayLimits, ReportMeter, WorthMeter
from playmill.lab.decide.tune.space import Space, key
from playmill.lab.runs.figures import ReportFigure
from playmill.lab.runs.resolved_plan import ResolvedPlan, with_setting
from playmill.stats.goal_loss import Reading, together
from playmill.texts import PlaymillError

#: The seed of each stage, as a step from that of the run: what one has chosen, the next looks at with games of its own.
SEARCH, RACE, EFFECTS, PROOF, AGAIN = range(5)
#: Groups of deals that intervals are taken over: few where much is looked at, more where it counts.
_GROUPS = {SEARCH: 16, RACE: 32, EFFECTS: 32, PROOF: 64, AGAIN: 64}
#: Deals come in multiples of this, so that all groups have as many.
GRAIN = 64
_SEEDS = 1 << 63
_PROBE = 64


class Evaluator:
    """Measures settings at one table or several: one for each number of players, or for each agent in all seats."""

    def __init__(
        self,
        space: Space,
        tables: Mapping[str, ResolvedPlan],
        goals: Sequence[Goal],
        journal: Journal,
        how: PlayLimits,
        shares: Mapping[str, float] | None = None,
    ) -> None:
        """`shares` are the parts of all deals that slow tables play; others play all."""
        self._shares = shares or {}
        self._space, self._tables, self._goals, self._journal, self._how = space, tables, goals, journal, how
        self._meters: dict[tuple[str, int], tuple[list[tuple[str, Meter]], int]] = {}
        self._read: dict[tuple[str, int], int] = {}
        self._counted: set[tuple[str, int, int]] = set()
        #: Figures that every reading must have: a choice may leave some of them out of the report.
        self.needed: tuple[str, ...] = ()
        #: The figures that the goals are about, as the report tells them; known when they are checked.
        self.figures: dict[str, ReportFigure] = {}
        #: Games played for what was read, here or before a stop.
        self.games = 0

    @property
    def tables(self) -> tuple[str, ...]:
        """What the figures of each table begin with."""
        return tuple(self._tables)

    def check(self) -> None:
        """Raises unless the game's report has the figures that the goals are about."""
        goals = [goal for goal in self._goals if not goal.shares]
        for table, resolved in self._tables.items():
            meter = ReportMeter(with_setting(resolved, self._space.config), [re.compile(".*")], 2, self._how)
            if goals:
                meter.play(range(_PROBE))
                check_figures(goals, meter.reading().names)
                found = meter.described([goal.pattern for goal in goals])
                self.figures |= {f"{table}{name}": figure for name, figure in found.items()}
        for goal in self._goals:
            if goal.shares:
                for resolved in self._tables.values():
                    self._worth(resolved, self._space.config, goal, SEARCH)

    def valid(self, setting: Setting) -> RuleConfig:
        """The config of a setting that every table can be played with; raises PlaymillError if there is none."""
        config = self._space.configured(setting)
        for resolved in self._tables.values():
            config.pack(resolved.plan.players)
            self._space.numbers.seated(setting, resolved.seats)
        return config

    def read(self, setting: Setting, seed_step: int, deals: int) -> Reading:
        """Returns the figures of a setting on the first n deals of a stage's seed."""
        name = key(setting)
        known = self._journal.find(name, seed_step, deals)
        if known is not None:
            found, games = known
            if (name, seed_step, deals) not in self._counted:
                self._count(name, seed_step, deals, games)
            return found
        start = time.perf_counter()
        meters, done = self._meters.get((name, seed_step)) or (self._made(setting, seed_step), 0)
        if done > deals:
            meters, done = self._made(setting, seed_step), 0
        before = self._how.unused
        for table, meter in meters:
            if wanted := range(self._deals(table, done), self._deals(table, deals)):
                meter.play(wanted)
        unused = self._how.unused - before
        self._meters[name, seed_step] = meters, deals
        joined = together([(table, meter.reading()) for table, meter in meters])
        self._check(joined)
        # As if nothing had been stopped: what had to be played again does not count twice.
        read = min(deals, self._read.get((name, seed_step), 0))
        games = sum(meter.games * (self._deals(table, deals) - self._deals(table, read)) for table, meter in meters)
        self._count(name, seed_step, deals, games)
        self._journal.add(
            name, seed_step, deals, joined, games=games, unused=unused, seconds=time.perf_counter() - start
        )
        return joined

    def _deals(self, table: str, deals: int) -> int:
        """Returns how many deals a table plays where others play n."""
        share = self._shares.get(table, 1.0)
        return deals if share == 1 or not deals else max(1, round(share * deals / GRAIN)) * GRAIN

    def _count(self, name: str, seed_step: int, deals: int, games: int) -> None:
        self._counted.add((name, seed_step, deals))
        self._read[name, seed_step] = max(deals, self._read.get((name, seed_step), 0))
        self.games += games

    def _check(self, found: Reading) -> None:
        for name in self.needed:
            if name not in found.place:
                raise PlaymillError(
                    f"the report has no {name} with these numbers", f"с этими числами в отчёте нет показателя {name}"
                )

    def forget(self, setting: Setting | None = None) -> None:
        """Lets go of games that are not to be added to: those of one setting, or all."""
        if setting is None:
            self._meters.clear()
            return
        for place in [place for place in self._meters if place[0] == key(setting)]:
            del self._meters[place]

    def _made(self, setting: Setting, seed_step: int) -> list[tuple[str, Meter]]:
        config = self.valid(setting)
        wanted = [goal.pattern for goal in self._goals if not goal.shares]
        made: list[tuple[str, Meter]] = []
        for table, plain in self._tables.items():
            seats = self._space.numbers.seated(setting, plain.seats)
            resolved = with_setting(plain, config, seats=seats)
            if wanted:
                one = with_setting(resolved, config, seed=(resolved.plan.seed + seed_step) % _SEEDS)
                made.append((table, ReportMeter(one, wanted, _GROUPS[seed_step], self._how)))
            made += [(table, self._worth(resolved, config, goal, seed_step)) for goal in self._goals if goal.shares]
        return made

    def _worth(self, resolved: ResolvedPlan, config: RuleConfig, goal: Goal, seed_step: int) -> WorthMeter:
        seed = (resolved.plan.seed + seed_step) % _SEEDS
        name = goal.figures.removeprefix(WORTH)
        return WorthMeter(
            lambda given: with_setting(resolved, given, seed=seed), config, name, _GROUPS[seed_step], self._how
        )
