"""What holds in every position of Leduc poker."""

from __future__ import annotations

from playmill.author import Text
from playmill.author.invariants import different, never_shrinks, within

INVARIANTS = (
    different(Text("three different cards are dealt", "сданы три разные карты"), "card"),
    within(Text("bets of a round", "ставок за круг"), "bets", 0, "bets"),
    within(Text("two rounds", "два круга"), "round", 0, 1),
    never_shrinks(Text("nobody takes chips back", "никто не забирает фишки"), "paid", "round"),
)
#: What learners see of it: in a round there are a check, every bet, and the last word.
OBSERVED = {
    "player": "player",
    "folded": (-1, 1),
    "round": (0, 1),
    "paid": (0, lambda config, players: config.ante + config.bets * (config.first_bet + config.second_bet)),
    "rank": (-1, 2),
    "said": (0, 5),
}
LONGEST, OUTCOMES = (lambda config, players: 2 * (config.bets + 2)), 6
