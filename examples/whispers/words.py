"""Every sentence of Whispers, in both languages."""

from __future__ import annotations

from typing import Any

from playmill.author import Text
from playmill.author.words import Act, Acts, Argument

from .rules import CROWN, DUEL, KEPT, MAX_PLAYERS, SCOUT, SHIELD, SWAP

TITLE = Text("Whispers", "Шёпот")
ABOUT = Text("look at a hand, and keep it to yourself", "загляните в чужую руку и никому не говорите")
#: Names of the cards.
CARDS = (
    Text("scout", "разведчик"),
    Text("duel", "дуэль"),
    Text("shield", "щит"),
    Text("swap", "обмен"),
    Text("crown", "корона"),
)
WHO = Argument(MAX_PLAYERS, plural=Text("players", "игроки"))
ACTS = Acts(
    Act(
        SCOUT * MAX_PLAYERS,
        "scout {who}",
        Text("plays the scout: player {who}", "играет разведчика: игрок {who}"),
        {"who": WHO},
    ),
    Act(
        DUEL * MAX_PLAYERS,
        "duel {who}",
        Text("plays the duel: player {who}", "играет дуэль: игрок {who}"),
        {"who": WHO},
    ),
    Act(
        SHIELD * MAX_PLAYERS,
        "shield {who}",
        Text("plays the shield: player {who}", "играет щит: игрок {who}"),
        {"who": WHO},
    ),
    Act(
        SWAP * MAX_PLAYERS,
        "swap {who}",
        Text("plays the swap: player {who}", "играет обмен: игрок {who}"),
        {"who": WHO},
    ),
    Act(
        CROWN * MAX_PLAYERS,
        "crown {who}",
        Text("plays the crown: player {who} is out", "играет корону: игрок {who} выбывает"),
        {"who": WHO},
    ),
)
describe, to_text, parse, fields = ACTS.describe, ACTS.to_text, ACTS.parse, ACTS.fields
LEARNS = Text("player {who} holds: {card}", "у игрока {who}: {card}")
LEAVES = Text("player {who} is out", "игрок {who} выбывает")


def events(config: Any, before: Any, after: Any, action: int) -> list[Text]:
    """Who is out, and what the reader of the log has learnt: unknown cards are below 0."""
    told = []
    for seat in range(after["players"]):
        card = int(after["hand"][seat, KEPT])
        if after["out"][seat] > before["out"][seat]:
            told.append(LEAVES.format(who=seat + 1))
        elif card >= 0 > before["hand"][seat, KEPT]:
            told.append(LEARNS.format(who=seat + 1, card=CARDS[card]))
    return told
