"""What holds in every position of Dice."""

from __future__ import annotations

from playmill.author import Text
from playmill.author.invariants import holds, never_shrinks, within

from .constants import DICE, PLAYERS, PROFILES

INVARIANTS = (
    never_shrinks(Text("banked points stay", "сохранённые очки не пропадают"), "total"),
    within(Text("turns up to their limit", "ходов не больше предела"), "turns", 1, "max_turns"),
    holds(
        Text("whoever has the target score has won", "набравший нужные очки победил"),
        lambda config, s: (max(s["total"]) >= config.target_score) == (s["winner"] >= 0),
    ),
)
#: What learners see of it; sets of dice are bits.
OBSERVED = {
    **{name: name for name in ("player", "turns", "rolls", "points", "choosing", "base", "pass_delta", "total")},
    **dict.fromkeys(("table", "saved", "thrown", "changed", "locked", "chosen"), (0, 2**DICE - 1)),
    "hot": (0, 1),
    "winner": (-1, PLAYERS - 1),
    "facing": "facing",
    "face": (0, 6),
    "profile": (0, PROFILES),
    "flag": (0, 127),
    "cooldown": "cooldown",
}
