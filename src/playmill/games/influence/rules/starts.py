"""Start cells: those of the map, or random ones that are far enough from each other."""

from __future__ import annotations

from typing import Any

from playmill.author import below, rule
from playmill.games.influence.constants import SIDES, START

#: How often random cells are drawn anew when some player finds none far enough; after that, cells known to be.
ATTEMPTS = 64


@rule
def draw_starts(cfg: Any, s: Any, rng: Any) -> None:
    """Makes every player the owner of their start cell."""
    turn = 0
    if cfg.fixed == 0:
        for _ in range(ATTEMPTS):
            if _drawn(cfg, s, rng):
                return
        turn = below(rng, START, cfg.players)
    for player in range(cfg.players):
        s.owner[cfg.starts[(player + turn) % cfg.players]] = player + 1


@rule
def _drawn(cfg: Any, s: Any, rng: Any) -> bool:
    """Draws a start for one player after the other; False, and nobody has one, if there is none left for some."""
    left = cfg.cells
    player = 0
    while player < cfg.players and left > 0:
        cell = below(rng, START, cfg.cells)
        while s.owner[cell] != 0 or s.front[cell] != 0:
            cell = below(rng, START, cfg.cells)
        s.owner[cell] = player + 1
        player += 1
        if cfg.min_start_distance > 1:
            left = _mark_near(cfg, s)
    if cfg.min_start_distance > 1:
        for cell in range(cfg.cells):
            s.front[cell] = 0
            if player < cfg.players:
                s.owner[cell] = 0
    return player == cfg.players


@rule
def _mark_near(cfg: Any, s: Any) -> int:
    """Marks the cells too near to a start in `front`, which says nothing yet; returns how many are not."""
    for cell in range(cfg.cells):
        s.front[cell] = 1 if s.owner[cell] != 0 else 0
    for step in range(1, cfg.min_start_distance):
        for cell in range(cfg.cells):
            if s.front[cell] == step:
                for side in range(SIDES):
                    other = cfg.neighbour[cell, side]
                    if other >= 0 and s.front[other] == 0:
                        s.front[other] = step + 1
    left = 0
    for cell in range(cfg.cells):
        left += 1 if s.front[cell] == 0 else 0
    return left
