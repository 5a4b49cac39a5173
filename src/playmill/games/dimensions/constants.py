"""Constants of Battle of Dimensions: phases, random streams, places of the Captain and endings, by number."""

from __future__ import annotations

BATTLE, REINFORCE, MOVEMENT, ATTACK, RECOVER, TURN_OVER = range(6)

#: Random streams: each purpose has one of its own.
STREAM_FACTIONS, STREAM_ANOMALY, STREAM_SPIRAL, STREAM_FIRST, STREAM_DECK, STREAM_LOSS, STREAM_BIG_BANG, STREAM_LOT = (
    range(8)
)

NOBODY = -1
#: Where the Captain can be besides a Dimension.
CAPTAIN_ABSENT = -2
CAPTAIN_AVAILABLE = -1

#: How a game ends: by the instant win of a faction (its number), or by counting.
BY_COUNT = 5
#: Which tied faction wins: the one that beats all others, the only one no other beats, or one by lot.
BY_NEIGHBOURS, BY_UNBEATEN, BY_LOT = range(3)
NO_TIE, TIE_BY_SPIRAL, TIE_BY_LOT = range(3)
