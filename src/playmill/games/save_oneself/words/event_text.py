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
        log.add("round {}", "раунд {}", after["rounds"])
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

    def add(self, en: str, ru: str, *values: object) -> None:
        self.sentences.append(Text(en, ru).format(*values))

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
            self.add("no lives ({}): {} is the most", "жизни не прибавились ({}): больше {} не бывает", what, most)
            return
        full = Text(", the most there can be", ", больше не бывает") if gained < given else ""
        self.add("+{} ({}): {} now{}", "+{} ({}): теперь {}{}", lives_word(gained), what, self.lives, full)

    def lose(self, what: Text, lives: int) -> None:
        self.lives = max(0, self.lives - lives)
        left = Text("{} left", "осталось {}").format(self.lives) if self.lives else _NONE_LEFT
        self.add("−{} ({}): {}", "−{} ({}): {}", lives_word(lives), what, left)

    # A move

    def move(self) -> None:
        """The card on the cell entered, or the one revealed there, and what it does."""
        here = int(self.after["here"])
        where, card = cell_name(here), card_at(self.before, here)
        if card is not None:
            self.add("now at {}: {}", "теперь на {}: {}", where, shown_side(side_up(self.before, card)))
            self.enter(card)
        elif self.after["placed"] > self.before["placed"]:
            revealed = next(card for card in lookups.cards_in_deck(self.before) if lookups.lies(self.after, card))
            self.add("revealed at {}: {}", "открыто на {}: {}", where, shown_side(revealed))
            self.reveal(revealed, here)

    def reveal(self, card: int, here: int) -> None:
        self.gain(card)
        if card == MIRAGE:
            self.swap(here)
        if card == PIRATES and self.overturned(PIRATES):
            self.drive_off()
        if self.came:
            corner = int(self.after["ship"])
            self.add(
                "a ship appears {}, bound {}; the island is now fixed: {}",
                "{} появляется корабль, курс на {}; остров теперь определён: {}",
                names.at_corner(corner),
                COURSES[corner],
                names.island_name(self.after),
            )
        under = int(self.after["card"][here])
        if under != card or not (card in (MIRAGE, PIRATES) and self.overturned(card)):
            self.enter(under)
        if self.overturned(STORM):
            self.tornado()

    def swap(self, here: int) -> None:
        """What a mirage does; some other card lies there already, for it was not the first."""
        shown = shown_side(side_up(self.before, int(self.after["card"][here])))
        self.add(
            "the mirage swaps places: {} at {}, {} at {}",
            "мираж меняет карты местами: {} на {}, {} на {}",
            shown,
            cell_name(here),
            shown_side(SEA_SERPENT),
            cell_name(int(self.after["cell"][MIRAGE])),
        )

    def enter(self, card: int) -> None:
        """What a card takes when it is entered, unless its front was up before or there is protection from it."""
        takes = -lives_of(self.config, card)
        if takes <= 0 or is_up(self.before, card + FRONT):
            return
        what, shield = side_name(card), lookups.PROTECTION.get(card)
        if shield is not None and is_up(self.before, shield):
            self.add("{} protects from {}", "{} защищает от карты {}", side_name(shield), what)
        else:
            self.lose(what, takes)

    def tornado(self) -> None:
        shown = shown_side(TORNADO)
        self.add("card {} turns the storm into {}", "{}-я карта превращает шторм в {}", self.after["placed"], shown)
        takes = -lives_of(self.config, TORNADO)
        if takes:
            self.lose(side_name(TORNADO), takes)
        for front, back in ((SHELTER, VINES), (LIT_BEACON, HIGHER_GROUND)):
            if is_up(self.before, front) and is_up(self.after, back):
                self.add("{} turns back into {}", "{} снова {}", side_name(front), side_name(back))

    # Turning over

    def turn_over(self, card: int) -> None:
        """The fronts that came up, with their points and lives."""
        for one in (MAP_R, MAP_C) if card == MAP_R and is_up(self.before, MAP_C) else (card,):
            front = one + FRONT
            turned, worth = Text.join((side_name(one), shown_side(front)), " → "), points_of(self.config, front)
            self.sentences.append(Text.join((turned, points_word(worth))) if worth else turned)
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
        if self.after["turned"] and not self.before["turned"]:
            at = names.at_corner(corner)
            self.add("{}: the ship turns {}", "{}: корабль поворачивает {}", shown_side(SHIP_SIGHTED), at)
        down, right = lookups.STEPS[corner]
        first, last = (row + down, column + right), lookups.ship_place(self.after)
        spot, end = names.ship_spot(self.after, first), names.ship_spot(self.after, last)
        self.add(
            "the ship sails {} along the {} shore: {}",
            "корабль плывёт на {} вдоль {} берега: {}",
            COURSES[corner],
            SHORES[corner],
            spot,
        )
        if last != first:
            more = shown_side(SEA_SERPENT), end
            self.add("{} beside it: one cell more, {}", "рядом {}: ещё на клетку, {}", *more)

    def drive_off(self) -> None:
        self.add(
            "the pirates drive the ship off and leave {}; the island is open again",
            "пираты прогоняют корабль и оставляют {}; границ у острова снова нет",
            shown_side(PIRATES + FRONT),
        )
