"""Final stage of a tuning: the best settings race on fresh deals, and the winner is validated on other games.

The stages play different deals. So whoever wins the race was not chosen on the games it is then judged by, and a
number's effect is not read from the games that made it look good.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

from playmill.lab.decide.changeable import Setting
from playmill.lab.decide.tune.evaluator import EFFECTS, GRAIN, PROOF, RACE, Evaluator
from playmill.lab.decide.tune.space import Space, key
from playmill.stats.estimates import Estimate
from playmill.stats.goal_loss import Aim, Judged, Reading, difference, judged, lost_share, shortfall, weigh
from playmill.texts import PlaymillError

#: How often at most a race throws out the setting that is truly best.
RACE_LEVEL = 0.05
#: How surely taking changes back must cost little, and how surely the winner must be better than the rules.
LEVEL = 0.025
_ROUNDS = 3
#: All combinations of changes are looked at up to this many changes; of more, they are taken back one after the other.
_EVERY = 4

ProgressCallback = Callable[[], None]


@dataclass(frozen=True)
class Racer:
    """A setting in the race: its readings on the fresh deals as long as it ran."""

    setting: Setting
    reading: Reading
    judged: Judged
    deals: int
    #: It was surely worse than another.
    out: bool


@dataclass(frozen=True)
class Effect:
    """The effect of one changed number: the share of the gain lost if it alone goes back to the rules.

    None where it cannot go back, or where these games show no gain.
    """

    path: str
    share: Estimate | None


@dataclass(frozen=True)
class Validation:
    """Readings of a setting on games that chose nothing."""

    setting: Setting
    reading: Reading
    judged: Judged


class FinalRace:
    """Plays the race, the effects of single numbers, the smallest change and the validation."""

    def __init__(
        self, space: Space, evaluator: Evaluator, aims: Sequence[Aim], *, deals: int, progress: ProgressCallback
    ) -> None:
        self._space, self._evaluator, self._aims, self._deals, self._progress = space, evaluator, aims, deals, progress
        self._squared = squared(aims)

    def race(self, settings: Sequence[Setting]) -> list[Racer]:
        """Lets settings race, fewer in each round; those still running at the end come first, the best of all first."""
        running, fallen, left = list(settings), list[Racer](), list[Racer]()
        level = RACE_LEVEL / (_ROUNDS * max(1, len(running) - 1))
        for deals in (_rounded(self._deals / 2**step) for step in reversed(range(_ROUNDS))):
            left = [self._run(setting, deals) for setting in running]
            lead = min(left, key=lambda one: one.judged.loss)
            gone = [replace(one, out=True) for one in left if difference(one.judged, lead.judged).above(level)]
            for one in gone:
                self._evaluator.forget(one.setting)
            fallen += gone
            left = [one for one in left if all(one.setting is not other.setting for other in gone)]
            running = [one.setting for one in left]
        self._evaluator.forget()
        left.sort(key=lambda one: one.judged.loss)
        fallen.sort(key=lambda one: (-one.deals, one.judged.loss))
        return left + fallen

    def _run(self, setting: Setting, deals: int) -> Racer:
        reading = self._evaluator.read(setting, RACE, deals)
        self._progress()
        return Racer(setting, reading, judged(reading, self._aims), deals, False)

    def effects(self, best: Setting) -> list[Effect]:
        """Returns what is lost if each changed number alone goes back to the rules, the most important first."""
        rules, whole = (self._judge(setting, EFFECTS, self._deals) for setting in ({}, best))
        gained = rules.loss - whole.loss
        found = []
        for path in best:
            back = self._space.setting({other: value for other, value in best.items() if other != path})
            share = None
            if gained > 0 and self._allowed(back):
                without = self._judge(back, EFFECTS, self._deals)
                lost = (without.loss - whole.loss) / gained
                # What is lost less this share of the gain is 0 on average; its error is the share's.
                rest = weigh([(1.0, without), (lost - 1.0, whole), (-lost, rules)])
                half = rest.reach(LEVEL) / gained
                ends = (whole.loss + part * gained for part in (lost, lost - half, lost + half))
                value, low, high = (lost_share(end, whole.loss, rules.loss, squared=self._squared) for end in ends)
                share = Estimate(value, low, high, self._deals)
                self._evaluator.forget(back)
            found.append(Effect(path, share))
        return sorted(found, key=lambda one: -one.share.value if one.share is not None else 0.0)

    def smallest(self, best: Setting, effects: Sequence[Effect], others: Sequence[Setting], nearly: float) -> Setting:
        """The fewest changes that surely keep all but a share of what the best gains, none larger than it must be.

        Looked at are the best with some of its changes taken back, and `others` that the search came across; then each
        number goes back towards the rules as far as it can. The best itself if nothing less is surely good enough.
        """
        tried: list[tuple[int, float, Setting]] = []
        for setting in self._fewer(best, effects, others):
            if tried and len(setting) > tried[0][0]:
                break
            lost = self._shortfall(setting, best, nearly)
            if lost is not None:
                tried.append((len(setting), lost, setting))
            self._evaluator.forget(setting)
        fewest = min(tried, key=lambda one: one[:2])[2] if tried else best
        found = self._nearer(fewest, best, nearly)
        self._evaluator.forget()
        return best if key(found) == key(best) else found

    def _nearer(self, setting: Setting, best: Setting, nearly: float) -> Setting:
        """The same numbers, each as near to the rules as is surely good enough: halfway, and halfway again."""
        found = dict(setting)
        for one in self._space.free:
            if one.path not in found or one.choices or one.count is None:
                continue
            between = one.between(self._space.rules[one.path], found[one.path])
            low, high = 0, len(between)
            while low < high:
                middle = (low + high) // 2
                tried = self._space.setting({**found, one.path: between[middle]})
                good = self._allowed(tried) and self._shortfall(tried, best, nearly) is not None
                self._evaluator.forget(tried)
                low, high = (low, middle) if good else (middle + 1, high)
            found[one.path] = [*between, found[one.path]][low]
        return self._space.setting(found)

    def _shortfall(self, setting: Setting, best: Setting, nearly: float) -> float | None:
        """What a setting loses beyond what it may; None unless that is surely nothing. A few deals show most."""
        for deals in (_rounded(self._deals / 4), self._deals):
            parts = [self._judge(one, EFFECTS, deals) for one in (setting, best, {})]
            lost = shortfall(parts[0], parts[1], parts[2], nearly, squared=self._squared)
            if lost.above(LEVEL):
                return None
        return lost.value if lost.below(LEVEL) else None

    def prove(self, settings: Sequence[Setting], seed_step: int = PROOF) -> list[Validation]:
        """Plays settings on deals that nothing was chosen by, with twice the deals."""
        found = []
        for setting in settings:
            reading = self._evaluator.read(setting, seed_step, 2 * self._deals)
            self._evaluator.forget(setting)
            self._progress()
            found.append(Validation(setting, reading, judged(reading, self._aims)))
        return found

    def _fewer(self, best: Setting, effects: Sequence[Effect], others: Sequence[Setting]) -> list[Setting]:
        """Settings with fewer changes than the best, the fewest first."""
        found: list[Setting] = []
        if len(best) <= _EVERY:
            for size in range(1, len(best)):
                found += [{path: best[path] for path in paths} for paths in combinations(best, size)]
        else:
            order = [effect.path for effect in effects]
            found += [{path: best[path] for path in best if path in order[:size]} for size in range(1, len(best))]
        found += [setting for setting in others if 0 < len(setting) < len(best)]
        made = {key(one): one for one in map(self._space.setting, found) if one}
        return sorted((one for one in made.values() if self._allowed(one)), key=len)

    def _allowed(self, setting: Setting) -> bool:
        """Returns whether it can be played, and its report has the figures that the goals are about."""
        try:
            self._evaluator.valid(setting)
            self._evaluator.read(setting, EFFECTS, _rounded(self._deals / 4))
        except PlaymillError:
            return False
        return True

    def _judge(self, setting: Setting, seed_step: int, deals: int) -> Judged:
        found = judged(self._evaluator.read(setting, seed_step, deals), self._aims)
        self._progress()
        return found


def as_good(one: Reading, other: Reading, goals: Sequence[Sequence[Aim]]) -> bool:
    """Returns whether one setting is seen to be no worse than another in any of the goals."""
    pairs = ([judged(reading, aims) for reading in (one, other)] for aims in goals)
    return all(mine.loss <= theirs.loss or mine.raw <= theirs.raw for mine, theirs in pairs)


def squared(aims: Sequence[Aim]) -> bool:
    """Returns whether all losses are squares of gaps."""
    return all(aim.kind in ("equal", "at") for aim in aims)


def _rounded(deals: float) -> int:
    return max(1, round(deals / GRAIN)) * GRAIN
