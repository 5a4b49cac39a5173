"""Named goals for tuning Battle of Dimensions."""

from __future__ import annotations

from playmill.author import NamedGoal, Text

GOALS = {
    "factions": NamedGoal(
        "equal:factions.*.win_rate", Text("factions win equally often", "фракции побеждают одинаково часто")
    ),
    "seats": NamedGoal("equal:seats.*.win_rate", Text("seats win equally often", "места побеждают одинаково часто")),
    "length": NamedGoal("turns", Text("turns in a game", "ходов в партии")),
}
