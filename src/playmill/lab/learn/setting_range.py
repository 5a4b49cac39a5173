"""Ranges of rules for one network (`--over`): which setting games are dealt with, and what the network sees of it."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import Any

import numpy as np

from playmill.engine.config.model import RuleConfig
from playmill.interrupts import Stop
from playmill.lab.decide.sweep.axes import read_axes
from playmill.lab.learn.labels import Labels, Lesson, label_games
from playmill.lab.runs.evenly_spaced import evenly_spaced
from playmill.texts import PlaymillError

#: Settings of a range at which strength is measured, at most.
_MEASURED = 4


class SettingRange:
    """The settings that one network learns: one config alone, or all whose numbers lie in some ranges."""

    def __init__(self, over: Sequence[str], config: RuleConfig, players: int, seed: int) -> None:
        self._config, self._players, self._seed = config, players, seed
        self._axes = read_axes(over, config) if over else ()
        for axis in self._axes:
            if not axis.numbers or axis.of_agent:
                raise PlaymillError(
                    f"--over {axis.path}: a network sees numbers of the rules, and this is none",
                    f"--over {axis.path}: сеть видит числа правил, а это не число правил",
                )
        #: Settings that were asked for, by their numbers.
        self._made: dict[tuple[Any, ...], RuleConfig | None] = {}
        #: Those at which strength is measured.
        self.measured = self._measured() if self._axes else [config]

    @property
    def words(self) -> list[str]:
        """The ranges as `--over` takes them."""
        return [f"{axis.path}={','.join(map(axis.name, axis.values))}" for axis in self._axes]

    @property
    def arrays(self) -> dict[str, Any]:
        """What the file of the network says of them."""
        return {"over": np.array([axis.path for axis in self._axes])} if self._axes else {}

    def dealt(self, first: int) -> tuple[RuleConfig, tuple[Any, ...]]:
        """Returns the setting with which some games are dealt, by the number of the first, and its numbers."""
        if not self._axes:
            return self._config, ()
        rng = np.random.default_rng([self._seed % 2**63, first, len(self._axes)])
        while True:  # there is a setting that can be played
            numbers = tuple(axis.values[int(rng.integers(len(axis.values)))] for axis in self._axes)
            found = self._setting(numbers)
            if found is not None:
                return found, numbers

    def _measured(self) -> list[RuleConfig]:
        """Returns some settings, evenly spread; raises if none can be played."""
        every = [one for one in product(*(axis.values for axis in self._axes)) if self._setting(one) is not None]
        if not every:
            raise PlaymillError(
                "--over: no setting of these ranges can be played", "--over: ни одну настройку из них сыграть нельзя"
            )
        found = (self._setting(every[place]) for place in evenly_spaced(len(every), _MEASURED))
        return [one for one in found if one is not None]

    def _setting(self, numbers: tuple[Any, ...]) -> RuleConfig | None:
        """Returns the config with these numbers; None if they do not go together."""
        if numbers not in self._made:
            try:
                changes = [f"{axis.path}={axis.name(value)}" for axis, value in zip(self._axes, numbers, strict=True)]
                made = self._config.changed(changes)
                made.pack(self._players)
                self._made[numbers] = made
            except PlaymillError:
                self._made[numbers] = None
        return self._made[numbers]


def label_setting(lesson: Lesson, numbers: tuple[Any, ...], games: range, stop: Stop) -> Labels | None:
    """Plays and labels some games; the numbers of their setting stand behind what is seen. None if it was stopped."""
    labels = label_games(lesson, games, stop)
    if labels is None or not numbers:
        return labels
    kind = np.int32 if all(isinstance(number, int) for number in numbers) else np.float64
    behind = np.tile(np.array(numbers, kind), (len(labels), 1))
    return Labels(**{**labels._asdict(), "seen": np.concatenate([labels.seen, behind], axis=1)})
