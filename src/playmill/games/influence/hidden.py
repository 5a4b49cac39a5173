"""What a player of Influence observes: everything; nothing is hidden."""

from __future__ import annotations

from typing import Any

from playmill.author import rule
from playmill.games.influence.constants import CELLS, PLAYERS

OBSERVATION = 5 + 3 * PLAYERS + 3 * CELLS
#: What each of them is; an owner is 1 + the player.
NAMES = (
    *("player", "phase", "points", "rounds", "round_limit"),
    *(f"{name}[{seat}]" for name in ("result", "turns", "total") for seat in range(PLAYERS)),
    *(f"{name}[{cell}]" for name in ("owner", "influence", "cell_capacity") for cell in range(CELLS)),
)


@rule
def observe(cfg: Any, s: Any, player: int, out: Any) -> None:
    """Whose turn it is, the phase, the round; results; then owner (1 + player), influence and capacity of each cell."""
    out[0] = s.player
    out[1] = s.phase
    out[2] = s.points
    out[3] = s.rounds
    out[4] = cfg.round_limit
    for seat in range(PLAYERS):
        out[5 + seat] = s.result[seat]
        out[5 + PLAYERS + seat] = s.turns[seat]
        out[5 + 2 * PLAYERS + seat] = s.total[seat]
    start = 5 + 3 * PLAYERS
    for cell in range(CELLS):
        out[start + cell] = s.owner[cell]
        out[start + CELLS + cell] = s.influence[cell]
        out[start + 2 * CELLS + cell] = cfg.capacity[cell]


@rule
def conceal(cfg: Any, s: Any, player: int, rng: Any) -> None:
    """There is nothing to guess."""
