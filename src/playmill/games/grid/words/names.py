"""Names of the things of Grid, in English and Russian, and what is read from a state to name them.

Players, open cards and places of the discard pile are numbered from 1 wherever people read them, and in `seen`; cells
are (x, y) from (0, 0), top left, as in the specification. The six questions (`methods.py`) count everything from 0.
"""

from __future__ import annotations

import numpy as np

from playmill.author import Lang, PlaymillError, Text
from playmill.games.grid.config import Config, board_windows, card_fields
from playmill.games.grid.config.identifiers import REWARD_IDS
from playmill.games.grid.config.lists import Pattern
from playmill.games.grid.constants import EMPTY, JOKER, NO_REWARD, NOBODY, SQUARE

COLOUR_LETTERS = {1: Text("R", "К"), 2: Text("B", "С"), 3: Text("G", "З"), 4: Text("Y", "Ж"), 5: Text("P", "Ф")}
#: Russian names of cards are masculine nouns without life: nominative and accusative are the same.
COLOUR_NAMES = {
    1: Text("red", "красный"),
    2: Text("blue", "синий"),
    3: Text("green", "зелёный"),
    4: Text("yellow", "жёлтый"),
    5: Text("purple", "фиолетовый"),
}
SHAPE_NAMES = {
    1: Text("circle", "круг"),
    2: Text("square", "квадрат"),
    3: Text("triangle", "треугольник"),
    4: Text("diamond", "ромб"),
    5: Text("cross", "крест"),
    6: Text("hexagon", "шестиугольник"),
}
JOKER_NAME = Text("a joker", "джокер")
JOKER_SIGN = "★"
DECISION_NAMES = {
    "placement": Text("Placement", "Размещение"),
    "draft_pick": Text("Draft: pick", "Драфт: себе"),
    "draft_pass": Text("Draft: pass", "Драфт: соседу"),
    "pattern": Text("Pattern", "Паттерн"),
    "reward": Text("Reward", "Награда"),
    "reward_param": Text("Reward: choice", "Награда: выбор"),
}
#: What each reward does, in the order of their numbers.
REWARD_NAMES = (
    Text("remove a card of your own", "убрать свою карту"),
    Text("take the top card of the discard pile", "взять верхнюю карту сброса"),
    Text("move a card of your own", "передвинуть свою карту"),
    Text("an extra turn", "дополнительный ход"),
    Text("the next player skips a turn", "следующий игрок пропускает ход"),
    Text("remove an opponent's card", "убрать карту соперника"),
    Text("move an opponent's card", "передвинуть карту соперника"),
    Text("take any card of the discard pile", "взять любую карту из сброса"),
    Text("place a joker", "поставить джокера"),
    Text("steal an opponent's card", "украсть карту соперника"),
)
PHASE_NAMES = (Text("phase 1: hand", "фаза 1: рука"), Text("phase 2: draft", "фаза 2: драфт"))
WINDOW_NAMES = {
    "square": Text("the square", "квадрат"),
    "row": Text("the row", "строка"),
    "column": Text("the column", "столбец"),
}
DECK_WORD = Text("Deck", "Колода")
DISCARD_WORD = Text("Discard pile", "Сброс")
HAND_WORD = Text("Hand", "Рука")
OPEN_WORD = Text("Open cards", "Открытые карты")
TO_PLACE_WORD = Text("To be placed", "Разместить")
SKIPS_WORD = Text("skips a turn", "пропустит ход")
EXTRA_WORD = Text("extra turn", "дополнительный ход")

_KINDS = ("placement", "draft_pick", "draft_pass", "pattern", "reward")


def card_name(config: Config, card: int) -> Text:
    """A card in a sentence: "red circle 3", "a joker"."""
    if card == JOKER:
        return JOKER_NAME
    rank, colour, shape = card_fields(config, card).values()
    hue, form = COLOUR_NAMES.get(colour), SHAPE_NAMES.get(shape)
    head = Text.join([*(word for word in (hue, form) if word), str(rank)], " ")
    rest = [] if hue else [Text(f"colour {colour}", f"цвета {colour}")]
    rest += [] if form else [Text(f"shape {shape}", f"формы {shape}")]
    if not rest:
        return head
    return Text("{} of {}", "{} {}").format(head, Text.join(rest, Text(" and ", " и ")))


def card_key(config: Config, card: int, lang: Lang) -> str:
    """A card in short, by what patterns look at: "3R", "★"; a colour without a name is "3#6"."""
    if card == JOKER:
        return JOKER_SIGN
    rank, colour, _ = card_fields(config, card).values()
    return f"{rank}{colour_letter(colour, lang)}"


def colour_letter(colour: int, lang: Lang) -> str:
    """The letter of a colour; one without a name has its number."""
    return COLOUR_LETTERS[colour].of(lang) if colour in COLOUR_LETTERS else f"#{colour}"


def card_data(config: Config, card: int) -> dict[str, int] | str | None:
    """A card as JSON-able data: its fields, "joker", or null for none."""
    return None if card == EMPTY else "joker" if card == JOKER else card_fields(config, card)


def points(number: int) -> Text:
    """A score: "7 VP"."""
    return Text(f"{number} VP", f"{number} ПО")


def player_name(player: int) -> Text:
    """A player: "player 2"."""
    return Text(f"player {player + 1}", f"игрок {player + 1}")


def cell_name(config: Config, cell: int) -> str:
    """A cell, the same in all languages: "(2, 3)"."""
    x, y = coordinates(config, cell)
    return f"({x}, {y})"


def coordinates(config: Config, cell: int) -> tuple[int, int]:
    """Column and row of a cell."""
    return cell % config.game.grid.width, cell // config.game.grid.width


def windows(config: Config) -> tuple[tuple[int, tuple[int, ...]], ...]:
    """Shape and cells of every window of the board."""
    return board_windows(config.game.grid.width, config.game.grid.height)


def window_kind(config: Config, window: int) -> tuple[str, list[int]]:
    """Whether a window is a square, a row or a column, and its cells."""
    shape, cells = windows(config)[window]
    return ("square" if shape == SQUARE else "row" if cells[1] == cells[0] + 1 else "column"), list(cells)


def pattern_name(config: Config, pattern: int) -> Text:
    """A pattern with its worth: "pattern C (16 VP)"."""
    kept = config.patterns[pattern]
    return Text(f"pattern {kept.id} ({kept.vp} VP)", f"паттерн {kept.id} ({kept.vp} ПО)")


NO_REWARD_NAME = Text("no reward", "без награды")


def reward_number(pattern: Pattern) -> int:
    """The number of the reward that a pattern gives."""
    return NO_REWARD if pattern.reward is None else REWARD_IDS.index(pattern.reward.id)


def reward_name(reward: int) -> Text:
    """A reward with its id: "RWD4, an extra turn"; or that there is none."""
    if reward == NO_REWARD:
        return NO_REWARD_NAME
    return Text.join((REWARD_IDS[reward], REWARD_NAMES[reward]))


def zone_of(config: Config) -> frozenset[int]:
    """The cells of the protected zone."""
    grid = config.game.grid
    size = grid.protected_zone.size
    left, top = (grid.width - size) // 2, (grid.height - size) // 2
    return frozenset(y * grid.width + x for y in range(top, top + size) for x in range(left, left + size))


def next_seat(config: Config, s: np.void, player: int) -> int:
    """The neighbour who is next in turn."""
    step = 1 if config.game.players.turn_direction == "clockwise" else -1
    return (player + step) % players_of(s)


def players_of(s: np.void) -> int:
    """How many play."""
    return int(s["players"])


def hand_of(s: np.void, player: int) -> list[int]:
    """A player's hand in the order received."""
    return [int(card) for card in s["hand"][player, : s["hand_size"][player]]]


def discard_of(s: np.void) -> list[int]:
    """The discard pile, its top last."""
    return [int(card) for card in s["discard"][: s["discard_size"]]]


def resolved_by(config: Config, s: np.void, player: int) -> dict[str, int]:
    """The patterns a player has resolved, by letter, and how often."""
    return {
        pattern.id: int(s["patterns"][player, i])
        for i, pattern in enumerate(config.patterns)
        if s["patterns"][player, i]
    }


def cells_of(bits: int) -> list[int]:
    """The cells of a mask of bits, in reading order."""
    return [cell for cell in range(int(bits).bit_length()) if int(bits) >> cell & 1]


def decision_kind(s: np.void) -> str:
    """Which decision a state waits for; a finished game waits for none, and asking is an error."""
    if s["player"] == NOBODY:
        raise PlaymillError("the game is over and waits for no decision", "игра окончена, решать больше нечего")
    return _KINDS[s["kind"]] if s["kind"] < len(_KINDS) else "reward_param"
