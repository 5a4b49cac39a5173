"""The phases of a turn, the streams of luck and the endings of Battle of Dimensions, by number."""

from __future__ import annotations

BATTLE, REINFORCE, MOVEMENT, ATTACK, RECOVER, TURN_OVER = range(6)

#: What luck is drawn for; each purpose has a stream of its own.
LUCK_FACTIONS, LUCK_ANOMALY, LUCK_SPIRAL, LUCK_FIRST, LUCK_DECK, LUCK_LOSS, LUCK_BIG_BANG, LUCK_LOT = range(8)

NOBODY = -1
#: Where the Captain can be besides a Dimension.
CAPTAIN_ABSENT = -2
CAPTAIN_AVAILABLE = -1

#: How a game ends: by the instant win of a faction (its number), or by counting.
BY_COUNT = 5
#: Which tied faction wins: the one that beats all others, the only one no other beats, or one by lot.
BY_NEIGHBOURS, BY_UNBEATEN, BY_LOT = range(3)
NO_TIE, TIE_BY_SPIRAL, TIE_BY_LOT = range(3)
