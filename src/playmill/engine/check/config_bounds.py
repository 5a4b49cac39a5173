"""Checks a config at its bounds: games with each number as small and as large as it may be, and with all of them so.

A number that outgrows its field, or a table that is too short, often shows only there, where nobody plays by default.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from playmill.engine.check.coverage import Coverage
from playmill.engine.check.findings import SEED, CheckedGame
from playmill.engine.config.model import RuleConfig
from playmill.engine.config.settings import Setting, SettingKind, settings_of
from playmill.engine.contract.game import Game
from playmill.engine.run.invalid_actions import no_options
from playmill.engine.run.match import Match
from playmill.engine.run.preflight import PreflightEnd, play_through
from playmill.engine.run.stepper import Steps
from playmill.texts import PlaymillError, Text

#: So many games are played under one config, if there are few configs; one may have so many actions, and all together.
_GAMES, _LONGEST, _ACTIONS = 3, 500, 2_000


@dataclass
class BoundsTried:
    """Counts of what was tried: settings, configs, games."""

    settings: set[str] = field(default_factory=set)
    configs: int = 0
    games: int = 0
    actions: int = 0
    #: Configs for which there was no time.
    left: int = 0

    def summary(self) -> Text:
        """What was tried, as a sentence."""
        more = Text(f", left out for lack of time: {self.left}", f", не успели проверить: {self.left}")
        rest = more if self.left else Text("", "")
        return Text(
            f"settings tried at their bounds, one by one and together: {len(self.settings)} (configs:"
            f" {self.configs}{rest.en}; games: {self.games})",
            f"настройки, проверенные на границах, по одной и вместе: {len(self.settings)} (вариантов:"
            f" {self.configs}{rest.ru}; партий: {self.games})",
        )


def check_bounds(
    game: Game, config: RuleConfig, players: Sequence[int], coverage: Coverage | None = None
) -> BoundsTried:
    """Plays games with settings at their bounds; raises CheckError at the first in which something goes wrong."""
    seen = coverage if coverage is not None else Coverage(game)
    tried = BoundsTried()
    waiting: list[_Trial] = []
    for changes in _bounds(config):
        if changes not in [trial.changes for trial in waiting]:
            waiting.append(_Trial(game, config, changes))
    for number in range(_GAMES):
        for trial in waiting:
            if tried.actions >= _ACTIONS:
                tried.left = sum(one.valid and not one.begun for one in waiting)
                return tried
            trial.play(players[number % len(players)], number, tried, seen)
    return tried


def _bounds(config: RuleConfig) -> Iterator[dict[str, Any]]:
    """What is changed in each config to be tried: all numbers to their largest, to their smallest, then each alone."""
    ends = {one.path: _ends(one) for one in settings_of(config).leaves() if not one.fixed}
    for end in (-1, 0):
        yield {path: found[end] for path, found in ends.items() if found}
    for path, found in ends.items():
        for value in reversed(found):
            yield {path: value}


def _ends(setting: Setting) -> list[Any]:
    """The bounds of a setting at which it does not stand, the smallest first."""
    if setting.kind is SettingKind.SWITCH:
        return [not setting.value]
    ends = [setting.low, setting.high] if setting.kind is SettingKind.NUMBER else []
    return [int(end) if setting.whole else float(end) for end in ends if end is not None and end != setting.value]


class _Trial:
    """One config at some bounds; it may turn out that there is none."""

    def __init__(self, game: Game, config: RuleConfig, changes: dict[str, Any]) -> None:
        self._game, self._base, self.changes = game, config, changes
        self._config: RuleConfig | None = None
        self.valid, self.begun = bool(changes), False

    def play(self, players: int, number: int, tried: BoundsTried, coverage: Coverage) -> None:
        """Plays one game, if there can be any."""
        config = self._made(players)
        if config is None:
            return
        if not self.begun:
            self.begun = True
            tried.configs += 1
            tried.settings.update(self.changes)
        tried.games += 1
        checked = CheckedGame(self._game, config, players, number)

        last = min(tried.actions + _LONGEST, _ACTIONS)

        def enough() -> bool:
            tried.actions += 1
            return tried.actions > last

        with checked.located_errors():
            match = Match(self._game, config, players, SEED, (-1,) * players, (0,) * players, ())
            steps = Steps(match, interpreted=True)

            def observer(before: np.void, options: Sequence[int], action: int, after: np.void) -> None:
                coverage.look_at(config, after)
                coverage.decision(config, options, action)

            came_to = play_through(steps, number, enough, observer)
            coverage.end()
            if came_to is PreflightEnd.STUCK:
                checked.demand(False, *no_options(steps.mover[0]), by="legal_actions")

    def _made(self, players: int) -> RuleConfig | None:
        """The config, None if its numbers contradict each other."""
        if not self.valid:
            return None
        try:
            if self._config is None:
                self._config = self._base.changed([f"{path}={json.dumps(to)}" for path, to in self.changes.items()])
            self._config.pack(players)
        except PlaymillError:
            self.valid = False
            return None
        return self._config
