"""The position that a picture of Save Oneself shows, for which viewer, with the options of that viewer."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

from playmill.drawing.scene import Scene
from playmill.games.save_oneself import lookups
from playmill.games.save_oneself.config import Config
from playmill.games.save_oneself.constants import NO_LIVES, TURNING

#: The board is a square; its island has four rows and columns of cells around its middle, and sea on every side.
BOARD, PITCH, CARD = 664, 130, 122
#: How far from the middle a ship beside the island is drawn, and one that has sailed away, in cells.
OFFING, HORIZON = 2.19, 2.25
#: The phases of a round that one sees, and for how many milliseconds each is lit as it passes: the ship sails for 500.
MOVE, LIFE, TURN_OVER, SHIP = range(4)


class IslandScene(Scene[Config]):
    """What is drawn, for whom, and what that player can do."""

    @cached_property
    def passed(self) -> Sequence[int]:
        """The phases, by number, that have passed as this picture shows it: life, turning over, the ship."""
        s = self.s
        if s["phase"] == TURNING:
            if not self.over or s["ending"] == NO_LIVES:
                return (LIFE,)
        elif self.over or s["moved"] or s["rounds"] < 2:
            return ()
        return LIFE, TURN_OVER, SHIP

    @cached_property
    def ship(self) -> bool:
        return lookups.has_ship(self.s)

    @cached_property
    def middle(self) -> tuple[float, float]:
        """The row and column in the middle of the picture: that of the island, or of the cards."""
        rows, columns = lookups.island_lines(self.s) if self.ship else lookups.box_lines(self.s)
        return (rows[0] + rows[-1]) / 2, (columns[0] + columns[-1]) / 2

    def at(self, row: float, column: float) -> tuple[float, float]:
        """The middle of a cell in the picture."""
        down, right = row - self.middle[0], column - self.middle[1]
        return BOARD / 2 + _offing(right) * PITCH, BOARD / 2 + _offing(down) * PITCH


def _offing(cells: float) -> float:
    """A distance from the middle; the sea around an island is narrower than its cells."""
    if abs(cells) <= 2:
        return cells
    far = OFFING if abs(cells) < 3 else HORIZON
    return far if cells > 0 else -far
