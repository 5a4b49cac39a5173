"""Integer ids of the actions of Dice: the one place that knows their encoding.

A set of dice is a number of six bits, bit i for the die at position i.
"""

from __future__ import annotations

from typing import Any

from playmill.author import rule
from playmill.games.dice.constants import ACTIVE

EVERY_DIE = 63
#: Save this set of dice (1 … 63) and throw the rest.
CONTINUE = 0
#: Save this set of dice and pass.
PASS = 64
#: Use the item at this place of the player's list.
USE = 128
#: Choose these dice (1 … 63) for the item just used.
CHOOSE = 192
#: Choose this face (1 … 6) for the item just used.
FACE = 256
MAX_ACTIONS = FACE + 7
MAX_LEGAL = 2 * 63 + ACTIVE


@rule
def dice_of(action: Any) -> int:
    """The set of dice of a save or a choice."""
    return action & EVERY_DIE
