"""Named goals for tuning Influence."""

from __future__ import annotations

from playmill.author import NamedGoal, Text

GOALS = {
    "seats": NamedGoal("equal:wins_by_seat.*", Text("seats win equally often", "места побеждают одинаково часто")),
    "length": NamedGoal("rounds", Text("rounds in a game", "раундов в партии")),
}
