"""Integer ids of the actions of Influence: the one place that knows their encoding."""

from __future__ import annotations

from playmill.games.influence.constants import CELLS, SIDES

#: Attack from a cell in a direction: the cell times six plus the direction.
ATTACK = 0
END_ATTACK = ATTACK + CELLS * SIDES
#: Put one point on a cell.
PLACE = END_ATTACK + 1
#: Let all points left be placed evenly.
AUTO = PLACE + CELLS
MAX_ACTIONS = AUTO + 1
MAX_LEGAL = CELLS * SIDES + 1
