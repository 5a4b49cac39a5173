"""Choices offered for settings: values to choose among, with names, descriptions and pictures.

A game's optional module `choices` says what may be chosen where; whoever asks for settings, such as the form in the
browser, shows it and knows nothing of the game. A path may have `*` for any step: `players.*.dice`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from playmill.engine.config.model import RuleConfig
from playmill.engine.contract.game import Game
from playmill.texts import Lang, Text, accept_strings, texts_of


@dataclass(frozen=True)
class Choice:
    """One value of a setting: a key for forms, the value itself, and its name, description and picture."""

    key: str
    value: Any
    name: Text
    about: Text | None = None
    picture: Callable[[Lang], str] | None = None

    def __post_init__(self) -> None:
        accept_strings(self, "name", "about")


@dataclass(frozen=True)
class Choices:
    """What may be chosen for a setting: one; for a list any of them, or one for each of this many places.

    What is to be chosen `first` is asked for before all other settings. Where the order of a list matters, it is
    `ordered`, and whoever chooses puts it in order.
    """

    among: Sequence[Choice]
    places: int = 0
    first: bool = False
    ordered: bool = False

    @cached_property
    def by_key(self) -> Mapping[str, Choice]:
        """The choices by their keys."""
        return {choice.key: choice for choice in self.among}


@dataclass(frozen=True)
class Offered:
    """The choices and labels that a game offers for a config."""

    choices: Mapping[str, Choices]
    labels: Mapping[str, Text]

    def at(self, path: str) -> Choices | None:
        """The choices at a path."""
        return next((found for pattern, found in self.choices.items() if _fits(pattern, path)), None)

    def label(self, path: str) -> Text | None:
        """The label of the entry at a path."""
        return self.labels.get(path)


def offered(game: Game, config: RuleConfig) -> Offered:
    """Returns the choices of a game; one without the module `choices` has none."""
    module = game.choices
    if module is None:
        return Offered({}, {})
    labels: Mapping[str, Text | str] = module.labels(config)
    return Offered(module.choices(config), texts_of(labels))


def named(names: Mapping[Any, Text]) -> list[Choice]:
    """Choices that are plain values with names."""
    return [Choice(str(value), value, name) for value, name in names.items()]


def _fits(pattern: str, path: str) -> bool:
    wanted, steps = pattern.split("."), path.split(".")
    return len(wanted) == len(steps) and all(one in ("*", step) for one, step in zip(wanted, steps, strict=True))
