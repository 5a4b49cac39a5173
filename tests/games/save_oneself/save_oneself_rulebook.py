"""The clauses of Save Oneself that its rules in words must tell."""

from __future__ import annotations

from common.rulebooks import Checklist, literal
from playmill.games.save_oneself.config import Config
from playmill.games.save_oneself.constants import CARDS
from playmill.games.save_oneself.words.names import SIDE_NAMES, need_of, needed_for
from playmill.games.save_oneself.words.voices import VOICES

_CONFIG = Config()

CHECKLIST = Checklist(
    clauses={
        "16 lives, the maximum": ("16 lives, and never more", "16 жизней, и больше никогда"),
        "sixteen cards": ("sixteen cards are shuffled", "шестнадцать карт перетасованы"),
        "first card": ("first card is revealed under your feet.*costs no move", "первая карта открывается.*не стоит"),
        "back first": (r"enters play with its \*\*back\*\* up", r"входит \*\*тыльной\*\* вверх"),
        "lies on the field": ("this side of it is up right now", "именно эта её сторона сейчас сверху"),
        "moves": ("1 move this round; while Compass.*2 moves", "1 ход; пока на поле лежит «Компас» — 2 хода"),
        "neighbouring cell": ("north, east, south or west", "на север, восток, юг или запад"),
        "one card a round": (
            "if you have not revealed a card yet this round",
            "если в этом раунде вы ещё не открывали",
        ),
        "4 rows and columns": ("4 different rows and 4 different columns", "больше 4 рядов и 4 столбцов"),
        "inside the island": ("cannot leave the island it has fixed", "нельзя выходить за пределы острова"),
        "waive": ("may waive the rest", "от остальных можно отказаться"),
        "lives once": ("gain them now, and only now", "получаете их сейчас, и только сейчас"),
        "mirage": ("Mirage swaps places with the card that is farthest", "«Мираж» меняется местами с самой дальней"),
        "mirage, ties": ("if several are, lots are drawn", "если таких несколько, решает жребий"),
        "pig": ("Pig costs you 2 lives, unless Spear", "«Кабан» отнимает 2 жизни, если на поле не лежит «Копьё»"),
        "storm": ("Storm costs you 2 lives, unless Shelter", "«Шторм» отнимает 2 жизни.*«Убежище»"),
        "every time": ("you pay that every time", "так каждый раз"),
        "tornado": ("card number 13.*3 lives, and no shelter helps", "13-я карта.*3 жизни, и никакое убежище"),
        "tornado turns back": ("Lit beacon back into Higher ground", "«Костёр» — картой «Возвышенность»"),
        "tornado once": ("it comes once only", "один раз за игру"),
        "a life a round": ("you lose 1 life", "вы теряете 1 жизнь"),
        "one card turned": (r"turn over \*\*one\*\* card", r"перевернуть \*\*одну\*\* карту"),
        "maps together": ("turn over together.*1 life in all", "переворачиваются вместе.*1 жизнь"),
        "ship is placed": ("diagonally outside that corner", "наискосок за этим углом"),
        "the island": ("4 by 4 cells that share this corner", "4 на 4 клетки, у которых с картами общий"),
        "NE": ("north-east, south along the east shore", "с северо-востока — на юг вдоль восточного"),
        "SE": ("south-east, west along the south shore", "с юго-востока — на запад вдоль южного"),
        "SW": ("south-west, north along the west shore", "с юго-запада — на север вдоль западного"),
        "NW": ("north-west, east along the north shore", "с северо-запада — на восток вдоль северного"),
        "ship waits": (r"the ship \*\*waits\*\*", r"он \*\*ждёт\*\*"),
        "pirates": ("Pirates lies on the field, the ship flees", "«Пираты», корабль спасается бегством"),
        "pirates at once": ("at once, too, if Pirates is revealed", "сразу, если «Пираты» открылись"),
        "ship sighted": ("Ship sighted lies on the field.*once only", "«Корабль замечен».*только один раз"),
        "serpent": ("Sea serpent is then right beside it", "рядом с ним окажется «Морской змей»"),
        "a new ship": (
            "next card with a ship corner brings a new one",
            "следующая карта с углом корабля приводит новый",
        ),
        "win by SOS": (r"SOS lies on the field, and the ship is in its \*\*row", "«SOS», и корабль в этом .{0,4}ряду"),
        "win by beacon": (r"Lit beacon lies .* in its \*\*column", "«Костёр», и корабль в этом .{0,4}столбце"),
        "win by message": ("Message lies .*not at a corner.*right beside", "«Сообщение», но не в углу.*вплотную"),
        "after a move": ("after each move of yours", "после каждого вашего хода"),
        "no lives": ("no lives.{0,4} left, at whatever moment", "жизней не осталось.{0,4} — когда бы"),
        "ship gone": ("more than one cell beyond the island", "дальше чем на клетку от острова"),
        "no cards": (r"\*\*deck is empty\*\*", r"\*\*колода пуста\*\*"),
        "score": ("points of all fronts.*your lives.*1 point for every 4 cards", "очки всех.*жизни.*каждые 4"),
        "chains break": ("Hook can no longer be turned over", "«Крючок» уже не перевернуть"),
        "deck order is hidden": ("only the order of the deck is hidden", "скрыт только порядок колоды"),
        "mirage alone": ("alone on the field turns over where it lies", "переворачивается на месте"),
        "mirage brings a card": ("gives no lives, brings no ship and drives none off", "не даёт жизней, не приводит"),
        "storm as that card": ("pay for both", "платить придётся дважды"),
        "first signal": ("first of SOS, Lit beacon, Message", "первый по порядку: «SOS», «Костёр», «Сообщение»"),
        "no move": ("no move at all.{0,4} the step is skipped", "идти совсем некуда.{0,4} шаг пропускается"),
        **{f"name of {name.en}": literal(name) for name in SIDE_NAMES},
        **{f"voice of {name.en}": literal(voice) for name, voice in zip(SIDE_NAMES, VOICES, strict=True)},
        **{f"what {SIDE_NAMES[card].en} needs": literal(need_of(_CONFIG, card)) for card in range(CARDS)},
        **{
            f"what {SIDE_NAMES[side].en} is needed for": literal(told)
            for side in range(2 * CARDS)
            if (told := needed_for(_CONFIG, side)) is not None
        },
    },
    typed=frozenset("14"),
    latin=frozenset({"SOS"}),
)
