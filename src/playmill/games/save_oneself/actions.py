"""Integer ids of the actions of Save Oneself: the one place that knows their encoding."""

from __future__ import annotations

from playmill.games.save_oneself.constants import CARDS

#: A step to a neighbouring cell; `MOVE + direction` in the order of `DIRECTIONS`.
MOVE = 0
NORTH, EAST, SOUTH, WEST = range(4)
DIRECTIONS = ("north", "east", "south", "west")
#: The rest of the moves of a round is waived.
WAIVE = MOVE + len(DIRECTIONS)
#: `TURN + card`: a card is turned over. The two maps are one option, that of map-r.
TURN = WAIVE + 1
#: No card is turned over in this round.
SKIP = TURN + CARDS
MAX_ACTIONS = SKIP + 1
#: More than enough for four steps and waiving, or for skipping and twelve cards: three turn by themselves, and the maps
#: are one.
MAX_LEGAL = CARDS
