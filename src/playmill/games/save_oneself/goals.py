"""Named goals for tuning Save Oneself."""

from __future__ import annotations

from playmill.author import NamedGoal, Text

GOALS = {
    "win_rate": NamedGoal("win_rate", Text("win rate", "доля побед")),
    "signals": NamedGoal(
        "equal:wins_by.*", Text("all signals win equally often", "все сигналы спасают одинаково часто")
    ),
    "length": NamedGoal("rounds", Text("rounds in a game", "раундов в партии")),
}
