"""Titles of figures that appear in no table of a report, common to all games.

A report of an author's own may have such names, too, and they go first.
"""

from __future__ import annotations

from playmill.texts import Text

#: By their names, in which * is any step; it stands where {} does.
FIGURES = {
    "agents.*": Text("Win rate of {}", "Доля побед агента {}"),
    "agents.*.win_rate": Text("Win rate of {}", "Доля побед агента {}"),
    "agents.*.win_rate_per_seat": Text("Win rate of {} per seat", "Доля побед агента {} на одно место"),
    "win_rate.agents.*": Text("Win rate of {}", "Доля побед агента {}"),
    "agents.*.returns": Text("Mean return of {}", "Средний выигрыш агента {}"),
    "seats.*.win_rate": Text("Win rate of seat {}", "Доля побед места {}"),
    "seats.*.returns": Text("Mean return of seat {}", "Средний выигрыш места {}"),
    "win_rate": Text("Win rate", "Доля побед"),
    "draws": Text("Draws", "Ничьи"),
    "draws.rate": Text("Draws", "Ничьи"),
    "turns": Text("Turns of a game", "Ходов в партии"),
    "rounds": Text("Rounds of a game", "Раундов в партии"),
    "length": Text("Decisions of a game", "Решений в партии"),
}
