"""Proposes the next setting to try: Optuna's TPE sampler, fed with each setting's losses relative to the rules."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from functools import partial
from random import Random
from typing import Any

from playmill.lab.decide.changeable import Setting, same
from playmill.lab.decide.tune.space import Free, Space, key

#: Of this many proposals one is the best so far with some of its changes taken back (designers like few changes), and
#: one the best so far with one number moved a little.
_PLAINER, _NEAR = 4, 2
#: How often a setting that was tried already is asked for again before one is drawn at random.
_PATIENCE = 6
_DRAWS = 200


class Proposals:
    """Proposes settings, none twice; deterministic given the same losses."""

    def __init__(self, space: Space, *, trials: int, goals: int, seed: int) -> None:
        self._space = space
        self._rng = Random(seed)
        self._known: dict[str, tuple[float, ...] | None] = {}
        self._every: list[Setting] | None = None
        #: Proposals that are drawn at random before there is anything to learn from.
        self._first = min(10 + 2 * len(space.free), max(4, trials // 3))
        if space.count is not None and space.count <= trials:
            self._every = list(space.everything())
            self._rng.shuffle(self._every)
        else:
            self._study = _study(seed, goals, self._first)
        self._asked: Any = None
        self._turn = 0

    @property
    def whole(self) -> bool:
        """Whether every setting there is will be tried."""
        return self._every is not None

    def next(self, best: Setting) -> Setting | None:
        """Returns a setting that was not proposed before; None if there is none left."""
        self._asked = None
        if self._every is not None:
            while self._every:
                setting = self._every.pop()
                if key(setting) not in self._known:
                    return setting
            return None
        self._turn += 1
        from_best: Setting = best
        if self._turn % _PLAINER == 0:
            from_best = self._space.setting({path: best[path] for path in best if self._rng.random() < 0.5})
        elif self._turn % _PLAINER == _NEAR and self._turn > self._first:
            from_best = self._beside(best)
        if key(from_best) not in self._known:
            return from_best
        return self._proposed() or self._drawn()

    def tell(self, setting: Setting, losses: Sequence[float] | None) -> None:
        """How a setting did, goal by goal; None if the config does not allow it."""
        self._known[key(setting)] = None if losses is None else tuple(losses)
        if self._every is not None:
            return
        if self._asked is not None:
            self._answer(self._asked, losses)
        elif losses is not None and self._space.could_choose(setting):
            self._study.add_trial(self._frozen(setting, losses))
        self._asked = None

    def _beside(self, best: Setting) -> Setting:
        """A setting in which one number, any of them, is a little more or less than in another, or another choice."""
        values = self._space.whole(best)
        one = self._rng.choice([one for one in self._space.free if one.path in values])
        moved = one.near(values[one.path], self._rng)
        return self._space.setting({**self._space.rules, **best, one.path: moved})

    def _proposed(self) -> Setting | None:
        for _ in range(_PATIENCE):
            asked = self._ask()
            setting = self._space.chosen(partial(_suggested, asked))
            if key(setting) not in self._known:
                self._asked = asked
                return setting
            self._answer(asked, self._known[key(setting)])
        return None

    def _drawn(self) -> Setting | None:
        for _ in range(_DRAWS):
            setting = self._space.chosen(lambda one: one.any_value(self._rng))
            if key(setting) not in self._known:
                return setting
        return None

    def _ask(self) -> Any:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return self._study.ask()

    def _answer(self, asked: Any, losses: Sequence[float] | None) -> None:
        from optuna.trial import TrialState

        if losses is None:
            # Optuna takes it for worse than all that were played to the end.
            state = TrialState.PRUNED if len(self._study.directions) == 1 else TrialState.FAIL
            self._study.tell(asked, state=state)
        else:
            self._study.tell(asked, list(losses))

    def _frozen(self, setting: Setting, losses: Sequence[float]) -> Any:
        from optuna.trial import create_trial

        values = self._space.whole(setting)
        free = [one for one in self._space.free if one.path in values]
        return create_trial(
            params={one.path: _inner(one, values[one.path]) for one in free},
            distributions={one.path: _distribution(one) for one in free},
            values=list(losses),
        )


def _study(seed: int, goals: int, first: int) -> Any:
    import optuna

    optuna.logging.set_verbosity(optuna.logging.ERROR)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        sampler = optuna.samplers.TPESampler(
            seed=seed % (1 << 32), n_startup_trials=first, multivariate=True, group=True
        )
    return optuna.create_study(sampler=sampler, directions=["minimize"] * goals)


def _suggested(asked: Any, one: Free) -> Any:
    if one.choices:
        return one.choices[asked.suggest_categorical(one.path, list(range(len(one.choices))))]
    if one.count is not None:
        return one.values()[asked.suggest_int(one.path, 0, one.count - 1)]
    return asked.suggest_float(one.path, one.low, one.high)


def _inner(one: Free, value: Any) -> Any:
    """Returns a value as Optuna knows it: by its index, where values can be counted."""
    if one.count is None:
        return float(value)
    return next(place for place, other in enumerate(one.values()) if same(value, other))


def _distribution(one: Free) -> Any:
    from optuna.distributions import CategoricalDistribution, FloatDistribution, IntDistribution

    if one.choices:
        return CategoricalDistribution(list(range(len(one.choices))))
    return IntDistribution(0, one.count - 1) if one.count is not None else FloatDistribution(one.low, one.high)
