"""Names of the things of Save Oneself, in English and Russian, and what is read from a state to name them.

A cell has the letter of its column and the number of its row; the first card lies at D4, in Russian Г4.
"""

from __future__ import annotations

import numpy as np

from playmill.author import PlaymillError, Text
from playmill.games.save_oneself import lookups
from playmill.games.save_oneself.actions import EAST, NORTH, SOUTH, WEST
from playmill.games.save_oneself.config import Config, Need
from playmill.games.save_oneself.constants import (
    BY_BEACON,
    BY_MESSAGE,
    BY_SOS,
    CARD_IDS,
    COMPASS,
    FRONT,
    LINES,
    LIT_BEACON,
    MAP_C,
    MAP_R,
    MESSAGE,
    MIRAGE,
    MOVING,
    NO_CARDS,
    NO_LIVES,
    NOBODY,
    PIRATES,
    SEA_SERPENT,
    SHELTER,
    SHIP_GONE,
    SHIP_SIGHTED,
    SIDE_IDS,
    SOS,
    SPEAR,
    STORM,
    STRIDE,
    TORNADO,
)

MOVE_KIND, TURN_KIND = "move", "turn"
DECISION_NAMES = {MOVE_KIND: Text("Move", "Перемещение"), TURN_KIND: Text("Turn over", "Переворот")}

#: By side, the backs of all cards first.
SIDE_NAMES = (
    Text("Vines", "Лианы"),
    Text("Hook", "Крючок"),
    Text("Water", "Вода"),
    Text("Flint", "Кремень"),
    Text("Palm trees", "Пальмы"),
    Text("Sticks", "Ветки"),
    Text("Bottle", "Бутылка"),
    Text("Higher ground", "Возвышенность"),
    Text("Telescope", "Подзорная труба"),
    Text("Rocks", "Камни"),
    Text("Pig", "Кабан"),
    Text("Storm", "Шторм"),
    Text("Mirage", "Мираж"),
    Text("Pirates", "Пираты"),
    Text("Row map", "Карта сокровищ 1/2"),
    Text("Column map", "Карта сокровищ 2/2"),
    Text("Shelter", "Убежище"),
    Text("Fish", "Рыба"),
    Text("Waterfall", "Водопад"),
    Text("Torch", "Факел"),
    Text("Coconuts", "Кокосы"),
    Text("Spear", "Копьё"),
    Text("Message", "Сообщение"),
    Text("Lit beacon", "Костёр"),
    Text("Ship sighted", "Корабль замечен"),
    Text("SOS", "SOS"),
    Text("Meat", "Мясо"),
    Text("Tornado", "Торнадо"),
    Text("Sea serpent", "Морской змей"),
    Text("Compass", "Компас"),
    Text("Rum", "Ром"),
    Text("Treasure", "Сокровище"),
)
#: For words only: pictures draw their own symbols, for not every machine has these.
EMOJI = (
    *("🌿", "🎣", "💧", "⚡", "🌴", "🥢", "🍾", "⛰️", "🔭", "🧱", "🐷", "🌧️", "🌫️", "🏴‍☠️", "👈🗺️👉", "👇🗺️☝️"),
    *("🏠", "🐟", "🌊", "🕯️", "🥥", "🗡️", "📜", "🔥", "🚢", "🆘", "🍽️", "🌪️", "🐍", "🧭", "🥃", "💎"),
)

#: In the order of the moves.
MOVE_LETTERS = ("n", "e", "s", "w")
DIRECTION_NAMES = (Text("north", "север"), Text("east", "восток"), Text("south", "юг"), Text("west", "запад"))
#: By corner, in Russian as after a preposition: its name, the shore along which a ship sails from it, and where to.
CORNER_NAMES = (
    Text("north-east", "северо-восточного"),
    Text("south-east", "юго-восточного"),
    Text("south-west", "юго-западного"),
    Text("north-west", "северо-западного"),
)
SHORES = (
    Text("east", "восточного"),
    Text("south", "южного"),
    Text("west", "западного"),
    Text("north", "северного"),
)
COURSES = tuple(DIRECTION_NAMES[direction] for direction in (SOUTH, WEST, NORTH, EAST))

WHY = {
    BY_SOS: Text("the ship sees SOS in its row", "с корабля видят SOS в своём ряду"),
    BY_BEACON: Text("the ship sees the lit beacon in its column", "с корабля видят костёр в своём столбце"),
    BY_MESSAGE: Text("the ship picks up the message", "на корабле подобрали сообщение"),
    NO_LIVES: Text("no lives are left", "жизней не осталось"),
    SHIP_GONE: Text("the ship has sailed away", "корабль уплыл"),
    NO_CARDS: Text("no card is left in the deck", "в колоде не осталось карт"),
}

_COLUMNS = Text("ABCDEFG", "АБВГДЕЖ")
_EFFECTS = {
    SHELTER: Text("protects from Storm", "защищает от шторма"),
    SPEAR: Text("protects from Pig", "защищает от кабана"),
    MESSAGE: Text(
        "wins when the ship is beside it, but not at a corner of the island",
        "победа, если корабль рядом, но не в углу острова",
    ),
    LIT_BEACON: Text("wins when the ship is in its column", "победа, если корабль в этом столбце"),
    SOS: Text("wins when the ship is in its row", "победа, если корабль в этом ряду"),
    SHIP_SIGHTED: Text("the ship turns one corner", "корабль огибает один угол"),
    TORNADO: Text("takes Shelter and Lit beacon away", "уносит убежище и гасит костёр"),
    SEA_SERPENT: Text("the ship skips the cell beside it", "корабль проскакивает клетку рядом"),
}
_MIRAGE = Text("swaps places with the farthest card", "меняется местами с самой дальней картой")
_PIRATES = Text("drive off the ship under way", "прогоняют плывущий корабль")
_NEEDS = {
    "ship_waiting": Text("while the ship waits at its corner", "пока корабль ждёт у своего угла"),
    "maps_cross": Text("standing where the maps cross", "стоя на пересечении карт сокровищ"),
}
_BY_ITSELF = {
    MIRAGE: Text("by itself, when revealed", "сама, как только открыта"),
    PIRATES: Text("by itself, when the ship would sail", "сама, когда кораблю пора плыть"),
}


# Cards and sides


def side_name(side: int) -> Text:
    """The name of a side inside a sentence: "Rocks", «Камни»."""
    name = SIDE_NAMES[side]
    return Text(name.en, f"«{name.ru}»")


def shown_side(side: int) -> Text:
    """A side with its emoji: "🧱 Rocks"."""
    return Text.join((EMOJI[side], side_name(side)), " ")


def effect_of(config: Config, side: int) -> Text | None:
    """What a side does beside giving lives and points."""
    if side == COMPASS:
        return Text("{n} {n:move|moves} a round", "{n} {n:ход|хода|ходов} за раунд").format(n=config.compass_moves)
    if side == MIRAGE:
        return _MIRAGE
    return _PIRATES if side == PIRATES else _EFFECTS.get(side)


def effects_of(config: Config, card: int) -> tuple[Text | None, Text | None]:
    """What the two sides of a card do."""
    return effect_of(config, card), effect_of(config, card + FRONT)


def lives_text(config: Config, card: int) -> Text | None:
    """When the back of a card gives or takes lives."""
    lives = lookups.lives_of(config, card)
    count = lives_word(abs(lives))
    if lives > 0:
        return Text("+{} when revealed", "+{}, когда открыта").format(count)
    return Text("−{} at every step onto it", "−{} за каждый шаг на неё").format(count) if lives else None


def needed_for(config: Config, side: int) -> Text | None:
    """What a side is needed for: the fronts that cannot be had without it, now as their needs are in the config."""
    wanted = SIDE_IDS[side]
    cards = [
        card for card, name in enumerate(CARD_IDS) if any(need.side == wanted for need in config.cards[name].needs)
    ]
    if side in (MAP_R, MAP_C):  # the maps turn together
        cards += [MAP_R, MAP_C]
    if not cards:
        return None
    fronts = Text.join(side_name(card + FRONT) for card in dict.fromkeys(cards))
    return Text("needed for {}", "нужна для {n:карты|карт|карт} {}").format(fronts, n=len(cards))


def side_text(config: Config, side: int) -> Text:
    """All that a side is, for pictures: its name, what it gives or takes, its points, what it does, when it turns, and
    what it is needed for."""
    lives, points, effect = lookups.lives_of(config, side), lookups.points_of(config, side), effect_of(config, side)
    parts = [SIDE_NAMES[side]]
    if lives:
        parts.append(Text.join(("+" if lives > 0 else "−", lives_word(abs(lives))), ""))
    if points:
        parts.append(points_word(points))
    if effect is not None:
        parts.append(effect)
    if side < FRONT:
        turns = Text("turns into {}: {}", "переворот в {}: {}")
        parts.append(turns.format(side_name(side + FRONT), need_of(config, side)))
    purpose = needed_for(config, side)
    return Text.join([*parts, purpose] if purpose is not None else parts, " · ")


def need_of(config: Config, card: int) -> Text:
    """When a card turns over: "standing on Higher ground"."""
    return Text.join(_need(config, card, need) for need in config.cards[CARD_IDS[card]].needs)


def _need(config: Config, card: int, need: Need) -> Text:
    if need.side is not None:
        side = side_name(SIDE_IDS.index(need.side))
        if need.kind == "up":
            return Text("with {} on the field", "при карте {} на поле").format(side)
        return Text("standing on {}", "стоя на карте {}").format(side)
    if need.kind == "with_map_r":
        return Text("together with {}", "вместе с картой {}").format(side_name(MAP_R))
    if card == STORM:
        return Text(f"by itself, at card {config.tornado_at}", f"сама, на {config.tornado_at}-й карте")
    return _BY_ITSELF[card] if need.kind == "by_itself" else _NEEDS[need.kind]


# Cells and the ship


def row_name(row: int) -> str:
    """The number of a row, nothing for one in which only a ship can be."""
    return str(row + 1) if 0 <= row < LINES else ""


def column_name(column: int) -> Text:
    """The letter of a column, nothing for one in which only a ship can be."""
    return Text(*(letters[column] if 0 <= column < LINES else "" for letters in _COLUMNS))


def cell_name(cell: int) -> Text:
    """A cell by column and row: "D4"."""
    return Text.join((column_name(cell % STRIDE), row_name(cell // STRIDE)), "")


def at_corner(corner: int) -> Text:
    """Where a ship lies at a corner: "at the north-east corner"."""
    return Text("at the {} corner", "у {} угла").format(CORNER_NAMES[corner])


def ship_spot(s: np.void, place: lookups.Place) -> Text:
    """A place of the ship in words: in a row or column of the island, at a corner of it, or gone."""
    rows, columns = lookups.island_lines(s)
    row, column = place
    if row in rows:
        return Text(f"in row {row_name(row)}", f"в ряду {row_name(row)}")
    if column in columns:
        return Text("in column {}", "в столбце {}").format(column_name(column))
    for corner in range(len(CORNER_NAMES)):
        if place == lookups.corner_place(s, corner):
            return at_corner(corner)
    return Text("far out at sea", "далеко в море")


def ship_text(s: np.void) -> Text:
    """Where the ship is and what it will do."""
    corner, spot = int(s["ship"]), ship_spot(s, lookups.ship_place(s))
    if s["ending"] == SHIP_GONE:
        return spot
    doing = Text("sails {}", "плывёт на {}")
    if s["waiting"]:
        doing = Text("not yet under way, will sail {}", "ещё не в пути, поплывёт на {}")
    elif lookups.ship_place(s) == lookups.corner_place(s, lookups.next_corner(corner)):
        turns, corner = lookups.will_turn(s), lookups.next_corner(corner)
        doing = Text("will turn {}", "повернёт на {}") if turns else Text("about to leave", "вот-вот уплывёт")
    return Text.join((spot, doing.format(COURSES[corner])))


def island_name(s: np.void) -> Text:
    """The island by its rows and columns: "rows 2–5, columns C–F"."""
    rows, columns = lookups.island_lines(s)
    ends = row_name(rows[0]), row_name(rows[-1]), column_name(columns[0]), column_name(columns[-1])
    return Text("rows {}–{}, columns {}–{}", "ряды {}–{}, столбцы {}–{}").format(*ends)


# Decisions


def decision_kind(s: np.void) -> str:
    """The kind of the decision that a game waits for."""
    if s["player"] == NOBODY:
        raise PlaymillError("the game is over: nothing is to be decided", "партия окончена: решать больше нечего")
    return MOVE_KIND if s["phase"] == MOVING else TURN_KIND


# Numbers


def lives_word(n: int) -> Text:
    """A number of lives: "1 life", "5 lives"."""
    return Text("{n} {n:life|lives}", "{n} {n:жизнь|жизни|жизней}").format(n=n)


def points_word(n: int) -> Text:
    """A number of points: "1 point", "5 points"."""
    return Text("{n} {n:point|points}", "{n} {n:очко|очка|очков}").format(n=n)
