"""What an option of Dice comes to: the faces that are saved, what they score, and what may come of it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from playmill.games.dice.actions import CONTINUE, EVERY_DIE, PASS
from playmill.games.dice.config import Config
from playmill.games.dice.names import Saving, bust_chance, savings, signed
from playmill.texts import Text

_THROW = Text("throw {}", "бросить {}")
_RISK = Text("bust {} %", "провал {} %")
_TOTAL = Text("total {}", "всего {}")
_WINS = Text("wins!", "победа!")


def brings(config: Config, s: np.void, legal: Sequence[int]) -> dict[int, Text]:
    """The options of a position of which there is more to tell than `describe` can, each with that."""
    found, told = {saving.dice: saving for saving in savings(config, s)}, {}
    for action in legal:
        for first, telling in ((CONTINUE, throwing), (PASS, passing)):
            saving = found.get(action - first)
            if saving is not None:
                points, note = telling(config, s, saving)
                head = f"{' '.join(map(str, saving.faces))}: {points}"
                told[action] = Text(f"{head} · {note.en}", f"{head} · {note.ru}")
    return told


def throwing(config: Config, s: np.void, saving: Saving) -> tuple[str, Text]:
    """What a save brings; how many dice are thrown after it, and how likely they bust."""
    left = int(s["table"]) & ~saving.dice
    count = (left & ~int(s["locked"]) if left else EVERY_DIE).bit_count()
    note, chance = Text(_THROW.en.format(count), _THROW.ru.format(count)), bust_chance(config, s, saving.dice)
    if chance is None:
        return signed(saving.gain), note
    percent = f"{100 * chance:.0f}" if chance >= 0.01 or chance == 0 else "<1"
    risk = Text(f"{note.en} · {_RISK.en.format(percent)}", f"{note.ru} · {_RISK.ru.format(percent)}")
    return signed(saving.gain), risk


def passing(config: Config, s: np.void, saving: Saving) -> tuple[str, Text]:
    """What a pass banks, and the total then."""
    total = int(s["total"][s["player"]]) + saving.banked
    wins = total >= config.target_score
    return f"+{saving.banked}", _WINS if wins else Text(_TOTAL.en.format(total), _TOTAL.ru.format(total))
