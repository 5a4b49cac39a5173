"""What an option of Dice leads to: the faces saved, what they score, the risk of the next throw."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from playmill.author import Text
from playmill.games.dice.actions import CONTINUE, PASS
from playmill.games.dice.config import Config
from playmill.games.dice.words.bust_risk import Risk, risk_after
from playmill.games.dice.words.names import Saving, savings, signed

_THROW = Text("throw {}", "бросить {}")
_RISK, _SHIELDED = Text("bust {} %", "провал {} %"), Text("bust {} % (shield)", "провал {} % (щит)")
_TOTAL = Text("total {}", "всего {}")
_WINS = Text("wins!", "победа!")


def brings(config: Config, s: np.void, legal: Sequence[int]) -> dict[int, Text]:
    """The options of a position of which there is more to tell than `describe` can, each with that."""
    found, sentences = {saving.dice: saving for saving in savings(config, s)}, {}
    for action in legal:
        for first, telling in ((CONTINUE, throwing), (PASS, passing)):
            saving = found.get(action - first)
            if saving is not None:
                points, note = telling(config, s, saving)
                sentences[action] = Text.join((f"{' '.join(map(str, saving.faces))}: {points}", note), " · ")
    return sentences


def throwing(config: Config, s: np.void, saving: Saving) -> tuple[str, Text]:
    """What a save brings; how many dice are thrown after it, and how likely that is a bust."""
    return signed(saving.gain), throw_text(risk_after(config, s, saving.dice))


def throw_text(risk: Risk) -> Text:
    """How many dice are thrown and, where it can be told, how likely that is a bust: "throw 3 · bust 8 % (shield)"."""
    note, chance = _THROW.format(risk.dice), risk.chance
    if chance is None:
        return note
    percent = f"{100 * chance:.0f}" if chance >= 0.01 or chance == 0 else "<1"
    return Text.join((note, (_SHIELDED if risk.shielded else _RISK).format(percent)), " · ")


def passing(config: Config, s: np.void, saving: Saving) -> tuple[str, Text]:
    """What a pass banks, and the total then."""
    total = int(s["total"][s["player"]]) + saving.banked
    wins = total >= config.target_score
    return f"+{saving.banked}", _WINS if wins else _TOTAL.format(total)
