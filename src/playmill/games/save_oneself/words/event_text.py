"""Events of Save Oneself in words: what an action brought about, by the states before and after it."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from playmill.author import Text
from playmill.games.save_oneself import lookups
from playmill.games.save_oneself.actions import MOVE, SKIP, TURN, WAIVE
from playmill.games.save_oneself.config import Config
from playmill.games.save_oneself.constants import (
    FRONT,
    HIGHER_GROUND,
    LIT_BEACON,
    MAP_C,
    MAP_R,
    MIRAGE,
    MOVING,
    NOBODY,
    PIRATES,
    SEA_SERPENT,
    SHELTER,
    SHIP_GONE,
    SHIP_SIGHTED,
    STORM,
    TORNADO,
    VINES,
)
from playmill.games.save_oneself.lookups import card_at, has_ship, is_up, lives_of, points_of, side_up
from playmill.games.save_oneself.words import names
from playmill.games.save_oneself.words.names import (
    COURSES,
    SHORES,
    cell_name,
    lives_word,
    points_word,
    shown_side,
    side_name,
)
from playmill.games.save_oneself.words.position_text import ending

_ROUND = Text("the round", "раунд")
_NONE_LEFT = Text("none left", "не осталось ни одной")


def events(config: Config, before: np.void, after: np.void, action: int) -> list[Text]:
    """What an action brought about, in order: a card and what it did, lives, the ship, the next round, the end."""
    log = _EventLog(config, before, after, int(before["lives"]))
    goes_on = bool(after["rounds"] > before["rounds"])
    if MOVE <= action < WAIVE:
        log.move()
    elif TURN <= action < SKIP:
        log.turn_over(action - TURN)
    if before["phase"] == MOVING and (goes_on or after["phase"] != MOVING):
        log.lose(_ROUND, 1)
    ended_at_sea = after["phase"] != MOVING and (lookups.is_won(after) or after["ending"] == SHIP_GONE)
    if goes_on or ended_at_sea:
        log.sail()
    if goes_on:
        log.add(f"round {after['rounds']}", f"раунд {after['rounds']}")
    if after["player"] == NOBODY:
        log.sentences.append(ending(config, after))
    return log.sentences


@dataclass
class _EventLog:
    """What is told of one action so far, and the lives at that point."""

    config: Config
    before: np.void
    after: np.void
    lives: int
    sentences: list[Text] = field(default_factory=list)

    def add(self, en: str, ru: str) -> None:
        self.sentences.append(Text(en, ru))

    def overturned(self, card: int) -> bool:
        """Whether a card was turned over for the first time."""
        return bool((int(self.after["overturned"]) & ~int(self.before["overturned"])) >> card & 1)

    @property
    def came(self) -> bool:
        """Whether a ship came."""
        return bool(self.after["ships"] > self.before["ships"])

    # Lives

    def gain(self, side: int) -> None:
        given, most = lives_of(self.config, side), self.config.lives
        if given <= 0:
            return
        what, gained = side_name(side), min(given, most - self.lives)
        self.lives += gained
        if gained == 0:
            self.add(
                f"no lives ({what.en}): {most} is the most",
                f"жизни не прибавились ({what.ru}): больше {most} не бывает",
            )
            return
        more, full = lives_word(gained), gained < given
        en, ru = (", the most there can be", ", больше не бывает") if full else ("", "")
        self.add(f"+{more.en} ({what.en}): {self.lives} now{en}", f"+{more.ru} ({what.ru}): теперь {self.lives}{ru}")

    def lose(self, what: Text, lives: int) -> None:
        self.lives = max(0, self.lives - lives)
        fewer = lives_word(lives)
        left = Text(f"{self.lives} left", f"осталось {self.lives}") if self.lives else _NONE_LEFT
        self.add(f"−{fewer.en} ({what.en}): {left.en}", f"−{fewer.ru} ({what.ru}): {left.ru}")

    # A move

    def move(self) -> None:
        """The card on the cell entered, or the one revealed there, and what it does."""
        here = int(self.after["here"])
        where, card = cell_name(here), card_at(self.before, here)
        if card is not None:
            shown = shown_side(side_up(self.before, card))
            self.add(f"now at {where.en}: {shown.en}", f"теперь на {where.ru}: {shown.ru}")
            self.enter(card)
        elif self.after["placed"] > self.before["placed"]:
            revealed = next(card for card in lookups.cards_in_deck(self.before) if lookups.lies(self.after, card))
            shown = shown_side(revealed)
            self.add(f"revealed at {where.en}: {shown.en}", f"открыто на {where.ru}: {shown.ru}")
            self.reveal(revealed, here)

    def reveal(self, card: int, here: int) -> None:
        self.gain(card)
        if card == MIRAGE:
            self.swap(here)
        if card == PIRATES and self.overturned(PIRATES):
            self.drive_off()
        if self.came:
            corner, island = int(self.after["ship"]), names.island_name(self.after)
            at, course = names.at_corner(corner), COURSES[corner]
            self.add(
                f"a ship appears {at.en}, bound {course.en}; the island is now fixed: {island.en}",
                f"{at.ru} появляется корабль, курс на {course.ru}; остров теперь определён: {island.ru}",
            )
        under = int(self.after["card"][here])
        if under != card or not (card in (MIRAGE, PIRATES) and self.overturned(card)):
            self.enter(under)
        if self.overturned(STORM):
            self.tornado()

    def swap(self, here: int) -> None:
        """What a mirage does; some other card lies there already, for it was not the first."""
        other, serpent = int(self.after["card"][here]), shown_side(SEA_SERPENT)
        where, there = cell_name(here), cell_name(int(self.after["cell"][MIRAGE]))
        shown = shown_side(side_up(self.before, other))
        self.add(
            f"the mirage swaps places: {shown.en} at {where.en}, {serpent.en} at {there.en}",
            f"мираж меняет карты местами: {shown.ru} на {where.ru}, {serpent.ru} на {there.ru}",
        )

    def enter(self, card: int) -> None:
        """What a card takes when it is entered, unless its front was up before or there is protection from it."""
        takes = -lives_of(self.config, card)
        if takes <= 0 or is_up(self.before, card + FRONT):
            return
        what, shield = side_name(card), lookups.PROTECTION.get(card)
        if shield is not None and is_up(self.before, shield):
            against = side_name(shield)
            self.add(f"{against.en} protects from {what.en}", f"{against.ru} защищает от карты {what.ru}")
        else:
            self.lose(what, takes)

    def tornado(self) -> None:
        shown, number = shown_side(TORNADO), self.after["placed"]
        self.add(f"card {number} turns the storm into {shown.en}", f"{number}-я карта превращает шторм в {shown.ru}")
        takes = -lives_of(self.config, TORNADO)
        if takes:
            self.lose(side_name(TORNADO), takes)
        for front, back in ((SHELTER, VINES), (LIT_BEACON, HIGHER_GROUND)):
            if is_up(self.before, front) and is_up(self.after, back):
                lost, again = side_name(front), side_name(back)
                self.add(f"{lost.en} turns back into {again.en}", f"{lost.ru} снова {again.ru}")

    # Turning over

    def turn_over(self, card: int) -> None:
        """The fronts that came up, with their points and lives."""
        for one in (MAP_R, MAP_C) if card == MAP_R and is_up(self.before, MAP_C) else (card,):
            front = one + FRONT
            old, new, worth = side_name(one), shown_side(front), points_of(self.config, front)
            points = points_word(worth)
            en, ru = (f", {points.en}", f", {points.ru}") if worth else ("", "")
            self.add(f"{old.en} → {new.en}{en}", f"{old.ru} → {new.ru}{ru}")
            self.gain(front)

    # The ship

    def sail(self) -> None:
        """What the ship did at the end of a round."""
        if self.came or (has_ship(self.before) and self.before["waiting"]):
            self.add("the ship stays this once; now it is under way", "в этот раз корабль стоит; теперь он в пути")
        elif has_ship(self.before) and has_ship(self.after):
            self.sail_on()
        elif has_ship(self.before) and lookups.lies(self.before, PIRATES):
            self.drive_off()

    def sail_on(self) -> None:
        corner, (row, column) = int(self.after["ship"]), lookups.ship_place(self.before)
        course, shore = COURSES[corner], SHORES[corner]
        if self.after["turned"] and not self.before["turned"]:
            sighted, at = shown_side(SHIP_SIGHTED), names.at_corner(corner)
            self.add(f"{sighted.en}: the ship turns {at.en}", f"{sighted.ru}: корабль поворачивает {at.ru}")
        down, right = lookups.STEPS[corner]
        first, last = (row + down, column + right), lookups.ship_place(self.after)
        spot, end = names.ship_spot(self.after, first), names.ship_spot(self.after, last)
        self.add(
            f"the ship sails {course.en} along the {shore.en} shore: {spot.en}",
            f"корабль плывёт на {course.ru} вдоль {shore.ru} берега: {spot.ru}",
        )
        if last != first:
            serpent = shown_side(SEA_SERPENT)
            self.add(f"{serpent.en} beside it: one cell more, {end.en}", f"рядом {serpent.ru}: ещё на клетку, {end.ru}")

    def drive_off(self) -> None:
        left = shown_side(PIRATES + FRONT)
        self.add(
            f"the pirates drive the ship off and leave {left.en}; the island is open again",
            f"пираты прогоняют корабль и оставляют {left.ru}; границ у острова снова нет",
        )
