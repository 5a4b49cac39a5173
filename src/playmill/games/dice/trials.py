"""Trials of the content of Dice: one side gets a modifier, an item, one die of a kind, or six of them."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

import numpy as np

from playmill.author import RecordArray
from playmill.author.content import Trial
from playmill.games.dice.config import Config
from playmill.games.dice.constants import DICE, PLAYERS
from playmill.games.dice.content import LISTS, Content, library, merged

#: Who plays unless told otherwise.
AGENT = "greedy"
#: What a win pays; a draw pays half.
PAYOFF = 2


def payoffs(rows: RecordArray, seat: int) -> np.ndarray[Any, np.dtype[np.int64]]:
    """What each match paid to a seat."""
    winner = rows["winner"]
    return np.where(winner == seat, PAYOFF, np.where(winner < 0, PAYOFF // 2, 0)).astype(np.int64)


def trials(config: Config, content: Content, only: Collection[str] = ()) -> list[Trial]:
    """Every modifier, item and die for one player in each seat, or some by their ids; what one has is left out."""
    data = config.model_dump(mode="json")
    data["content"] = merged(config.content, _new(content, library(), config.content)).model_dump(mode="json")
    found = []
    had = {placed.content.id for placed in config.resolved().entries if placed.owner is not None}
    for kind in ("modifiers", "items"):
        for entry in getattr(content, kind):
            if entry.id not in had and (not only or entry.id in only):
                found.append(_trial(data, kind, entry, 1))
    for die in content.dice:
        if only and die.id not in only:
            continue
        for count in (1, DICE):
            if all(list(side.dice[:count]) != [die.id] * count for side in config.players):
                found.append(_trial(data, "dice", die, count))
    return found


def _new(content: Content, *known: Content) -> Content:
    """What of some content is in none of those known already."""
    lists = {
        kind: tuple(one for one in getattr(content, kind) if all(one not in getattr(old, kind) for old in known))
        for kind in LISTS
    }
    return Content(**lists)


def _trial(data: dict[str, Any], kind: str, entry: Any, count: int) -> Trial:
    configs = []
    for seat in range(PLAYERS):
        sides = [dict(side) for side in data["players"]]
        listed = list(sides[seat][kind])
        sides[seat][kind] = [entry.id] * count + listed[count:] if kind == "dice" else [*listed, entry.id]
        configs.append(Config.read({**data, "players": sides}))
    return Trial(kind, entry.id, entry.name.text, count, tuple(configs))
