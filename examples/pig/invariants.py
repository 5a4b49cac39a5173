"""What holds in every position of Pig."""

from __future__ import annotations

from playmill.author import Text
from playmill.author.invariants import holds, never_shrinks, within

INVARIANTS = (
    within(Text("turns up to their limit", "ходов не больше предела"), "turns", 1, "max_turns"),
    never_shrinks(Text("banked points stay", "сохранённые очки не пропадают"), "total"),
    holds(
        Text("whoever has the goal has won", "набравший цель победил"),
        lambda config, s: (max(s["total"]) >= config.target) == (s["winner"] >= 0),
    ),
)
#: What learners see of it; a pot grows as long as somebody dares.
OBSERVED = {name: name for name in ("player", "turns", "pot", "total")} | {
    "pot": (0, 2**31 - 1),
    "total": (0, 2**31 - 1),
}
OUTCOMES = "faces"
