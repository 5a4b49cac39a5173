"""The clauses of Grid that its rules in words must tell."""

from __future__ import annotations

import re

from common.rulebooks import Checklist, literal
from playmill.games.grid.config import Config
from playmill.games.grid.config.identifiers import REWARD_IDS
from playmill.games.grid.config.lists import Pattern
from playmill.games.grid.words.names import REWARD_NAMES, points, reward_name


def _pattern(pattern: Pattern) -> tuple[str, str]:
    """A pattern with its points and its reward."""
    worth, reward = points(pattern.vp), reward_name(REWARD_IDS.index(pattern.reward.id))
    start = rf"\*\*{pattern.id}\.\*\* .{{20,120}}"
    return (
        rf"{start}{worth.en}\. Reward {re.escape(reward.en)}\.",
        rf"{start}{worth.ru}\. Награда {re.escape(reward.ru)}\.",
    )


CHECKLIST = Checklist(
    clauses={
        "board": ("5 by 5 cells", "5 на 5 клеток"),
        "coordinates": (r"\(0, 0\) is the top left", r"левая верхняя — \(0, 0\)"),
        "protected zone": ("protected zone.{0,4}, 3 by 3", "защищённая зона.{0,4}, 3 на 3"),
        "deck": ("90 cards: one of each rank", "90 карт: по одной на каждый ранг"),
        "ranks": (r"1, 2, 3, 4, 5, 6\), each colour", r"1, 2, 3, 4, 5, 6\), цвет"),
        "colours": ("red, blue, green, yellow, purple", "красный, синий, зелёный, жёлтый, фиолетовый"),
        "shapes do not count": ("only rank and colour count", "важны только ранг и цвет"),
        "discard pile": ("its top is the card laid last", "та, что положена последней"),
        "2 to 4": ("for 2–4 players", "игроков 2–4"),
        "start": ("hands are empty, and player 1 begins", "руки пусты, начинает игрок 1"),
        "direction": ("clockwise: next is the neighbour on the left", "по часовой стрелке: следующий — сосед слева"),
        "phase 1": ("phase 1: hand", "фаза 1: рука"),
        "all hand cards": ("all cards of your hand.{0,4} on free cells", "все карты с руки.{0,4} на свободных клетках"),
        "order of hand cards": ("in the order you received them", "в том порядке, в каком они к вам пришли"),
        "no stopping": ("cannot stop before that", "остановиться раньше нельзя"),
        "END2 from hand": (r"at once \(END2\), and the card stays in your hand", r"\(END2\), а карта остаётся на руке"),
        "phase 2": ("phase 2: draft", "фаза 2: драфт"),
        "END1": (r"at least 3 cards; with fewer the game ends at once \(END1\)", r"не меньше 3 карт; .*\(END1\)"),
        "reveal 3": ("turn up the top 3 cards", "верхние карты колоды, всего 3"),
        "pick, pass, discard": (
            "pick 1 card .*pass 1 card .*put 1 card on the discard",
            "себе 1 карту.*передайте 1 карту",
        ),
        "then place": ("place what you picked", "разместите взятое"),
        "END2 from the draft": (
            r"what you picked, the game ends at once \(END2\)",
            r"взятой карты нет свободной.*\(END2\)",
        ),
        "no diagonals": ("never a diagonal: a board has 10 of 5 cells and 20 of 4", "10 линий из 5 клеток и 20 из 4"),
        "squares": ("3 by 3; there are 9", "3 на 3, их 9"),
        "full windows": ("all its cells must be full", "все клетки должны быть заняты"),
        "R1": ("a run.{0,4} .line.: one after the other in steps of one, up or down", "подряд.{0,4} .линия."),
        "R2": ("all equal.{0,4} .line.", "одинаковые.{0,4} .линия."),
        "R3": ("stripes.{0,4} .square.", "полосами.{0,4} .квадрат."),
        "R4": ("a slope.{0,4} .square.: along both sides", "скатом.{0,4} .квадрат.: вдоль обеих сторон"),
        "C1": ("one.{0,4} .line.: all cards have it", "один.{0,4} .линия.: у всех карт один цвет"),
        "C2": ("all different.{0,4} .line.: no colour twice", "все разные.{0,4} .линия.: ни один цвет не"),
        "C3": ("a flag.{0,4} .square.", "флагом.{0,4} .квадрат."),
        "C4": ("a Latin square.{0,4} .square.", "латинским квадратом.{0,4} .квадрат."),
        "auto trigger": ("resolved by itself; you cannot leave it", "срабатывает сам; оставить его"),
        "points": ("you score its points", "вы получаете его очки"),
        "optional": ("may take its reward or refuse it", "применить его награду или отказаться"),
        "cleared": ("go to the discard pile, in reading order", "уходят в сброс в порядке чтения"),
        "several": ("you choose which is first. after it the board is searched anew", "выбираете, какой сначала"),
        "shared cards": ("belong to several patterns", "входить в несколько паттернов"),
        "impossible": ("nothing happens, and nothing is lost", "ничего не происходит, и штрафа нет"),
        "no free cell": ("does nothing without one; the game goes on", "без неё просто не действует; партия"),
        "before clearing": ("before.{0,4} its pattern is cleared", "до.{0,4} очистки паттерна"),
        "any opponent": ("any of the others, not just neighbours", "любой из остальных, не только сосед"),
        "removed cards": ("what you remove goes to the discard pile", "что убрано с поля, уходит в сброс"),
        "zone: touch": ("protected zone cannot be taken, removed or moved", "зоне соперника нельзя красть, убирать"),
        "zone: cross": ("no card may be moved into the protected zone or out", "ни в защищённую зону, ни из неё"),
        "zone: own": ("on your own board you do what you like", "на своём поле вы делаете что хотите"),
        "extra turn": ("an extra turn.{0,4} follows the one", "дополнительный ход.{0,4} следует за тем"),
        "extra turn, no deck": (
            "with no card left in the deck it is impossible",
            "если в колоде нет карт, он невозможен",
        ),
        "extra turn dropped": ("it is dropped, and the next player has her first phase", "он отменяется, и следующий"),
        "one extra turn": (
            "only one follows it; but one extra turn may earn the next",
            "следует только один; но в нём",
        ),
        "skip": (
            "left out whole, both phases. the cards in the hand stay",
            "пропуск обеих фаз. карты на руке остаются",
        ),
        "skip is a flag": ("skips no more than one turn", "всё равно пропустит только один"),
        "joker": ("joker takes a cell like a card. chosen anew for each check", "джокер занимает клетку, как карта"),
        "joker rank": ("any rank", "любой ранг"),
        "joker colour": ("any colour", "любой цвет"),
        "several jokers": ("may stand for different things", "несколько джокеров могут заменять разное"),
        "jokers alone": ("of jokers alone is complete", "из одних джокеров считается собранным"),
        "jokers come back": ("can come back from there", "могут оттуда вернуться"),
        "empty deck": ("empty deck alone does not end the game", "сама по себе пустая колода партию не"),
        "winner": ("the highest score wins", "у кого очков больше всех"),
        "tie": ("it is a tie, and nobody wins", "это ничья, и не победил никто"),
        "hidden": ("hidden is the order of the deck", "скрыт порядок колоды"),
        "own board only": ("on the board of the player whose turn it is", "на поле того, чей ход"),
        "others wait": ("waits until that player next places", "ждёт, пока хозяин поля"),
        "moved cards": ("still cleared with the pattern", "всё равно уходит вместе с ним"),
        "not discarded twice": ("not discarded twice", "второй раз в сброс не попадёт"),
        **{f"reward {key}": literal(name) for key, name in zip(REWARD_IDS, REWARD_NAMES, strict=True)},
        **{f"pattern {pattern.id}": _pattern(pattern) for pattern in Config().patterns},
    },
    typed=frozenset("012345"),
)
