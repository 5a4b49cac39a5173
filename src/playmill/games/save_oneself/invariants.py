"""What holds in every position of Save Oneself."""

from __future__ import annotations

from playmill.author import Text
from playmill.author.invariants import different, holds, never_shrinks, within

from .constants import CARDS, CELLS, MOVING, NO_CARDS, NO_SHIP, RUNNING, TURNING

INVARIANTS = (
    within(Text("lives", "жизни"), "lives", 0, "lives"),
    different(Text("every card is in the deck once", "каждая карта в колоде одна"), "deck"),
    never_shrinks(Text("placed cards stay", "выложенные карты остаются"), "placed", "rounds", "ships"),
    holds(
        Text("on every cell of the field lies a card", "на каждой клетке поля лежит карта"),
        lambda config, s: int(s["field"]).bit_count() == s["placed"],
    ),
    holds(
        Text("who has no lives left has lost", "без жизней партия проиграна"),
        lambda config, s: s["lives"] > 0 or s["player"] < 0,
    ),
)
#: What learners see of it; a side is 1 + its number, 0 no card.
OBSERVED = {
    **{name: name for name in ("player", "lives", "moves", "ship_row", "ship_column", "island_north", "island_west")},
    "ending": (RUNNING, NO_CARDS),
    "phase": (MOVING, TURNING),
    **dict.fromkeys(("moved", "revealed", "waiting", "turned"), (0, 1)),
    "here": (0, CELLS - 1),
    "ship": (NO_SHIP, 3),
    "side": (0, 2 * CARDS),
}
OUTCOMES = CELLS
