"""What an option of Grid leads to: the card of a place, the points and the reward of a pattern."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from playmill.author import Text
from playmill.games.grid.config import Config
from playmill.games.grid.words.acts import ACTS
from playmill.games.grid.words.names import card_name, points, reward_name, reward_number


def brings(config: Config, s: np.void, legal: Sequence[int]) -> dict[int, Text]:
    """The options of a position of which there is more to tell than `describe` can, each with that."""
    return {action: line for action in legal if (line := brings_of(config, s, action)) is not None}


def brings_of(config: Config, s: np.void, action: int) -> Text | None:
    """The same of one action."""
    done = ACTS.decode(action)
    act = done.act
    if act in ("pick", "pass"):
        return card_name(config, int(s["revealed"][done.card]))
    if act in ("self_card", "opponent_card"):
        return card_name(config, int(s["board"][s["active"] if act == "self_card" else s["target"], done.cell]))
    if act == "discard_ref":
        return card_name(config, int(s["discard"][done.place]))
    if act == "resolve":
        found = config.patterns[done.pattern]
        return Text.join([points(found.vp), reward_name(reward_number(found))])
    return reward_name(int(s["reward"])) if act == "accept" else None
