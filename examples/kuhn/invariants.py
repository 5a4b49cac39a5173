"""What holds in every position of Kuhn poker."""

from __future__ import annotations

from playmill.author import Text
from playmill.author.invariants import different, never_shrinks

INVARIANTS = (
    different(Text("two different cards are dealt", "сданы две разные карты"), "card"),
    never_shrinks(Text("nobody takes chips back", "никто не забирает фишки"), "paid"),
)
#: What learners see of it: nobody pays more than the ante and a bet.
OBSERVED = {"folded": (-1, 1), "card": (-2, 2), "paid": (0, lambda config, players: config.ante + config.bet)}
LONGEST, OUTCOMES = 3, 3
