"""What holds in every position of Courtiers."""

from playmill.author import Text
from playmill.author.invariants import Pile, cards_conserved, holds, stays, within

INVARIANTS = (
    cards_conserved(
        Text("every card is somewhere", "каждая карта где-то есть"),
        Pile("deck", size="left"),
        Pile("discard", size="discarded"),
        Pile("hand", empty=0),
        Pile("drawn", empty=0),
        cards={1: 5, 2: 4, 3: 4, 4: 3},
    ),
    stays(Text("who is out stays out", "выбывший не возвращается"), "out", 1, each="round"),
    within(Text("tokens", "жетоны"), "tokens", 0, "tokens"),
    holds(
        Text("protection ends with one's own turn", "защита кончается со своим ходом"),
        lambda config, s: s["player"] < 0 or not s["safe"][s["player"]],
    ),
    holds(
        Text("nobody acts who is out", "выбывший не ходит"),
        lambda config, s: s["player"] < 0 or not s["out"][s["player"]],
    ),
)
