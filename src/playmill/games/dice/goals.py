"""Named goals for tuning Dice; what an item is worth is a goal of any game that can try its content."""

from __future__ import annotations

from playmill.author import NamedGoal, Text

GOALS = {
    "seats": NamedGoal("equal:win_rate.seats.*", Text("seats win equally often", "места побеждают одинаково часто")),
    "length": NamedGoal("turns", Text("turns in a match", "ходов в матче")),
}
