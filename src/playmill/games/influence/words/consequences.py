"""What an option of Influence leads to: who meets whom with what chance, and what a cell holds."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from playmill.author import Text
from playmill.games.influence.actions import AUTO, END_ATTACK, PLACE
from playmill.games.influence.config import Config
from playmill.games.influence.constants import NOBODY, SIDES
from playmill.games.influence.words.names import capacities, chance_of, player_name, target_of


def brings(config: Config, s: np.void, legal: Sequence[int]) -> dict[int, Text]:
    """The options of a position of which there is more to tell than `describe` can, each with that."""
    most, texts = capacities(config), {}
    for action in legal:
        if action < END_ATTACK:
            texts[action] = _attack(config, s, action)
        elif PLACE <= action < AUTO:
            held, room = int(s["influence"][action - PLACE]), most[action - PLACE]
            texts[action] = Text(f"{held} of {room} there", f"там {held} из {room}")
    return texts


def _attack(config: Config, s: np.void, action: int) -> Text:
    target = target_of(config, action)
    mine, theirs = int(s["influence"][action // SIDES]), int(s["influence"][target])
    defender = int(s["owner"][target]) - 1
    if defender == NOBODY:
        return Text("it is empty", "она пустая")
    against = Text("{} against {}, {}: {} %", "{} против {}, {}: {} %")
    return against.format(mine, theirs, player_name(defender), chance_of(config, mine, theirs, defender))
