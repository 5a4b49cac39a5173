"""Search stage of a tuning: settings are tried on the same deals; good ones get more, hopeless ones are cut short."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from math import ceil

from playmill.lab.decide.changeable import Setting
from playmill.lab.decide.tune.evaluator import GRAIN, SEARCH, Evaluator
from playmill.lab.decide.tune.proposals import Proposals
from playmill.lab.decide.tune.space import Space
from playmill.stats.goal_loss import Aim, Judged, Reading, difference, judged
from playmill.texts import PlaymillError, Text

#: Each step of the ladder has this many times the deals of the one before.
STEEP = 3
_STEPS = 3
#: How surely a setting must be worse than the best on the same deals to be cut short.
HOPELESS = 0.05
#: This many settings in a row that the config does not allow: there may be none that it does.
_REFUSED = 200


@dataclass
class Trial:
    """One setting of the search: its readings at each step of the ladder, and how far it came."""

    number: int
    setting: Setting
    steps: list[list[Judged]] = field(default_factory=list)
    wholes: list[Judged] = field(default_factory=list)
    #: Its losses less those of the rules on the same deals, as far as it came; and all together.
    losses: tuple[float, ...] = ()
    loss: float = 0.0
    deals: int = 0
    reading: Reading | None = None
    #: Cut short: surely worse than the best. Else it came as far as its rank let it.
    hopeless: bool = False

    @property
    def last(self) -> int:
        """The step it came to."""
        return len(self.wholes) - 1


def ladder(deals: int) -> list[int]:
    """Returns how many deals a setting plays at each step, the last with all of them."""
    steps = [max(1, round(deals / STEEP**step / GRAIN)) * GRAIN for step in reversed(range(_STEPS))]
    return sorted(set(steps))


class Search:
    """Tries settings until the budget is spent; trials[0] is the rules as they are."""

    def __init__(self, space: Space, evaluator: Evaluator, *, deals: int, trials: int, seed: int, front: bool) -> None:
        self._space, self._evaluator, self._front = space, evaluator, front
        self._ladder = ladder(deals)
        self._most = trials
        self._seed = seed
        self.trials: list[Trial] = []
        #: Settings that the config does not allow, and the last complaint.
        self.refused = 0
        self.complaint: Text | None = None
        #: Whether every setting there is was tried.
        self.whole = False

    def run(
        self,
        aims: Callable[[Reading], list[list[Aim]]],
        spent: Callable[[int], bool],
        progress: Callable[[Search], None],
    ) -> None:
        """Searches; `spent` is asked before each trial whether the budget is, `progress` is called after each."""
        start = Trial(0, {})
        readings = [self._evaluator.read({}, SEARCH, deals) for deals in self._ladder]
        self._aims = aims(readings[-1])
        self._evaluator.needed = tuple(name for goal in self._aims for aim in goal for name in aim.names)
        for deals, reading in zip(self._ladder, readings, strict=True):
            self._take(start, deals, reading)
        start.losses, start.loss = (0.0,) * len(self._aims), 0.0
        self.trials.append(start)
        proposals = Proposals(
            self._space, trials=self._most, goals=len(self._aims) if self._front else 1, seed=self._seed
        )
        proposals.tell({}, self._losses_of(start))
        progress(self)
        in_a_row = 0
        while len(self.trials) <= self._most and not spent(len(self.trials)):
            setting = proposals.next(self.best.setting)
            if setting is None:
                self.whole = True
                break
            trial = Trial(len(self.trials), setting)
            try:
                self._evaluator.valid(setting)
                self._climb(trial)
            except PlaymillError as error:
                self.refused += 1
                in_a_row += 1
                self.complaint = error.text
                proposals.tell(setting, None)
                if in_a_row == _REFUSED:
                    break
                continue
            in_a_row = 0
            self._evaluator.forget(setting)
            proposals.tell(setting, self._losses_of(trial))
            self.trials.append(trial)
            progress(self)
        self._evaluator.forget()

    @property
    def aims(self) -> list[list[Aim]]:
        """What the goals ask of the figures."""
        return self._aims

    @property
    def best(self) -> Trial:
        """The best of those that played all deals: the luckiest of them, so do not believe its loss."""
        return min(self.finished, key=lambda trial: (trial.loss, trial.number))

    @property
    def finished(self) -> list[Trial]:
        """The trials that played all deals."""
        return [trial for trial in self.trials if trial.deals == self._ladder[-1]]

    def leading(self) -> list[Trial]:
        """Returns those finished trials that no other is better than in every goal."""
        finished = self.finished
        return [one for one in finished if not any(_dominates(other.losses, one.losses) for other in finished)]

    def _losses_of(self, trial: Trial) -> tuple[float, ...]:
        return trial.losses if self._front else (trial.loss,)

    def _climb(self, trial: Trial) -> None:
        """Plays a trial step by step, as far as it is worth it."""
        for step, deals in enumerate(self._ladder):
            self._take(trial, deals, self._evaluator.read(trial.setting, SEARCH, deals))
            if self._hopeless(trial, step):
                trial.hopeless = True
                return
            if step + 1 < len(self._ladder) and not self._rises(trial, step):
                return

    def _take(self, trial: Trial, deals: int, reading: Reading) -> None:
        trial.steps.append([judged(reading, aims) for aims in self._aims])
        trial.wholes.append(judged(reading, [aim for aims in self._aims for aim in aims]))
        trial.deals, trial.reading = deals, reading
        if self.trials:
            rules = self.trials[0]
            trial.losses = tuple(
                mine.loss - theirs.loss for mine, theirs in zip(trial.steps[-1], rules.steps[trial.last], strict=True)
            )
            trial.loss = trial.wholes[-1].loss - rules.wholes[trial.last].loss

    def _hopeless(self, trial: Trial, step: int) -> bool:
        """Whether it is surely worse than the best so far, on the same deals; on a front, than one in every goal."""
        if not self._front:
            return difference(trial.wholes[step], self.best.wholes[step]).above(HOPELESS)
        return any(
            all(
                difference(mine, theirs).above(HOPELESS)
                for mine, theirs in zip(trial.steps[step], other.steps[step], strict=True)
            )
            for other in self.leading()
        )

    def _rises(self, trial: Trial, step: int) -> bool:
        """Returns whether it is among the best third of all that came to this step."""
        here = [other for other in self.trials if other.last >= step]
        if self._front:
            losses = [self._at(other, step) for other in (*here, trial)]
            ranks = [sum(_dominates(other, one) for other in losses) for one in losses]
            better = sum(rank < ranks[-1] for rank in ranks[:-1])
        else:
            better = sum(other.wholes[step].loss < trial.wholes[step].loss for other in here)
        return better < ceil((len(here) + 1) / STEEP)

    def _at(self, trial: Trial, step: int) -> tuple[float, ...]:
        return tuple(one.loss for one in trial.steps[step])


def _dominates(one: Sequence[float], other: Sequence[float]) -> bool:
    """Returns whether one is nowhere worse, and better somewhere."""
    return all(mine <= theirs for mine, theirs in zip(one, other, strict=True)) and tuple(one) != tuple(other)
