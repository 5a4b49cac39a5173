"""Acts of Save Oneself: short forms, phrases and fields of all that a player can do."""

from __future__ import annotations

from playmill.author import Text
from playmill.author.words import Act, Action, Acts, Argument
from playmill.games.save_oneself.actions import DIRECTIONS, MOVE, SKIP, TURN, WAIVE
from playmill.games.save_oneself.config import Config
from playmill.games.save_oneself.constants import CARD_IDS, CARDS, FIXED_NEEDS, FRONT, FRONT_IDS, MAP_C, MAP_R, SIDE_IDS
from playmill.games.save_oneself.words.names import DIRECTION_NAMES, MOVE_LETTERS, SIDE_NAMES, side_name

#: The cards that a player can choose to turn over.
_TURNED = [card for card in range(CARDS) if CARD_IDS[card] not in FIXED_NEEDS]
#: What is written with or without.
_JOINTS = str.maketrans("", "", "-_")
_SIDES = {side.translate(_JOINTS): number for number, side in enumerate(SIDE_IDS)}


def _read_card(config: Config, text: str) -> int | Text:
    """A card by either of its sides; either map stands for both."""
    side = _SIDES.get(text.translate(_JOINTS))
    if side is None:
        return -1
    card = MAP_R if side % CARDS == MAP_C else side % CARDS
    if card in _TURNED:
        return card
    return Text("{} turns over by itself only", "{} переворачивается только сама собой").format(side_name(card))


def _turn_name(config: Config, card: int) -> Text:
    """A card and what it becomes; the maps turn together."""
    cards = (MAP_R, MAP_C) if card == MAP_R else (card,)
    joint = Text(" and ", " и ")
    back = Text.join((side_name(one) for one in cards), joint)
    front = Text.join((side_name(one + FRONT) for one in cards), joint)
    return Text("{} into {}", "{}: теперь это {}").format(back, front)


def _turn_kinds(config: Config, action: Action) -> dict[str, Text]:
    """That a card is turned over, and which."""
    sides = Text.join((SIDE_NAMES[action.card], SIDE_NAMES[action.card + FRONT]), " → ")
    return {"turn": Text("turn over any card", "перевернуть любую карту"), f"card {CARD_IDS[action.card]}": sides}


_STEP = Argument(len(DIRECTIONS), MOVE_LETTERS, name=DIRECTION_NAMES, field=DIRECTIONS)
_CARD = Argument(
    CARDS,
    CARD_IDS,
    Text("the cards that can be turned over", "карты, которые можно перевернуть"),
    name=_turn_name,
    field=[{"card": card, "into": into} for card, into in zip(CARD_IDS, FRONT_IDS, strict=True)],
    among=lambda config: _TURNED,
    read=_read_card,
)

ACTS = Acts(
    Act(
        MOVE,
        "{direction}",
        Text("goes {direction}", "идёт на {direction}"),
        {"direction": _STEP},
        key="move",
        kind=Text("walk", "ходить"),
    ),
    Act(
        WAIVE,
        "waive",
        Text("waives the rest of the moves", "отказывается от оставшихся ходов"),
        kind=Text("walk no further", "больше не ходить"),
    ),
    Act(TURN, "turn {card}", Text("turns {card}", "переворачивает {card}"), {"card": _CARD}, kind=_turn_kinds),
    Act(
        SKIP,
        "skip",
        Text("turns nothing over", "ничего не переворачивает"),
        kind=Text("turn nothing over", "ничего не переворачивать"),
    ),
    examples=Text(
        "'n', 'e', 's', 'w' (a step north, east, south, west), 'waive' (no more moves), "
        "'turn rocks' (turn a card over), 'skip' (turn nothing over)",
        "'n', 'e', 's', 'w' (шаг на север, восток, юг, запад), 'waive' (больше не ходить), "
        "'turn rocks' (перевернуть карту), 'skip' (ничего не переворачивать)",
    ),
)
describe, to_text, parse, fields = ACTS.describe, ACTS.to_text, ACTS.parse, ACTS.fields
