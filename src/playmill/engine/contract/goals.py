"""Named goals for `tune`, as a game's module `goals` declares them."""

from __future__ import annotations

from dataclasses import dataclass

from playmill.texts import Text, accept_strings


@dataclass(frozen=True)
class NamedGoal:
    """A goal with a name: `wanted` is a figure of the report, or a whole goal such as `equal:seats.*.win_rate`."""

    wanted: str
    about: Text

    def __post_init__(self) -> None:
        accept_strings(self, "about")
