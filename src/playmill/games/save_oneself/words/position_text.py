"""Positions of Save Oneself in words: as text for people, as data, and the chronicle of rounds."""

from __future__ import annotations

import numpy as np

from playmill.author import Lang, Text
from playmill.games.save_oneself import lookups
from playmill.games.save_oneself.config import Config
from playmill.games.save_oneself.constants import BY_SOS, CARD_IDS, CORNERS, NOBODY, SIDE_IDS, STRIDE
from playmill.games.save_oneself.lookups import has_ship, score_of, side_up
from playmill.games.save_oneself.outcome import ENDINGS
from playmill.games.save_oneself.words import names
from playmill.games.save_oneself.words.names import COURSES

_ARROWS = "↓←↑→"
_KEY = Text("[ ] you, · empty", "[ ] вы, · пусто")
_SHIP = Text("ship", "корабль")
_IN_DECK = Text("in the deck", "в колоде")
_HEADLINE = Text(
    "round {} · {} · lives {} of {} · {n} {n:card|cards} in the deck · score {}",
    "раунд {} · {} · жизни: {} из {} · в колоде {n} {n:карта|карты|карт} · счёт {}",
)


# What is seen


def seen(config: Config, s: np.void, player: int, lang: Lang) -> dict[str, object]:
    """What the player sees, and that is everything but the order of the deck, as JSON-able data.

    Rows grow to the south and columns to the east, counted from 0, where the player started. `deck` names the cards
    still to come, in the order in which the rules list them. `island` is the north-western and the south-eastern cell.
    """
    over = bool(s["player"] == NOBODY)
    row, column = lookups.from_start(*divmod(int(s["here"]), STRIDE))
    return {
        "player": player + 1,
        "decision": None if over else names.decision_kind(s),
        "round": int(s["rounds"]),
        "lives": int(s["lives"]),
        "most_lives": config.lives,
        "moves": int(s["moves"]),
        "revealed": bool(s["revealed"]),
        "row": row,
        "column": column,
        "cards": [_card_seen(s, card, lang) for card in lookups.cards_on_field(s)],
        "deck": [CARD_IDS[card] for card in lookups.cards_in_deck(s)],
        "ship": _ship_seen(s) if has_ship(s) else None,
        "score": score_of(config, s).total,
        "won": lookups.is_won(s) if over else None,
        "ended_by": ENDINGS[int(s["ending"]) - BY_SOS] if over else None,
    }


def _card_seen(s: np.void, card: int, lang: Lang) -> dict[str, object]:
    side = side_up(s, card)
    row, column = lookups.from_start(*divmod(int(s["cell"][card]), STRIDE))
    name = names.SIDE_NAMES[side].of(lang)
    return {"card": CARD_IDS[card], "side": SIDE_IDS[side], "name": name, "row": row, "column": column}


def _ship_seen(s: np.void) -> dict[str, object]:
    rows, columns = lookups.island_lines(s)
    row, column = lookups.from_start(*lookups.ship_place(s))
    return {
        "row": row,
        "column": column,
        "corner": CORNERS[s["ship"]],
        "course": COURSES[s["ship"]].en,
        "waiting": bool(s["waiting"]),
        "turned": bool(s["turned"]),
        "island": [lookups.from_start(rows[0], columns[0]), lookups.from_start(rows[-1], columns[-1])],
    }


def chronicle(config: Config, before: np.void, after: np.void) -> dict[str, object] | None:
    """The end of each round, for replays: lives, cards placed, score, and where the ship is."""
    over = after["player"] == NOBODY and before["player"] != NOBODY
    if after["rounds"] == before["rounds"] and not over:
        return None
    ship = lookups.from_start(*lookups.ship_place(after)) if has_ship(after) else None
    return {
        "round": int(before["rounds"]),
        "lives": int(after["lives"]),
        "cards": int(after["placed"]),
        "score": score_of(config, after).total,
        "ship": ship,
    }


# The island in letters


def position(config: Config, s: np.void, lang: Lang) -> str:
    """The island as a table of names, with the ship beside it, under a line of numbers."""
    lines = [headline(config, s).of(lang), *_table(s, lang), _KEY.of(lang)]
    if has_ship(s):
        ship = Text("ship: {}; island: {}", "корабль: {}; остров: {}")
        lines.append(ship.format(names.ship_text(s), names.island_name(s)).of(lang))
    deck = ", ".join(names.SIDE_NAMES[card].of(lang) for card in lookups.cards_in_deck(s))
    if deck:
        lines.append(f"{_IN_DECK.of(lang)}: {deck}")
    return "\n".join(lines)


def _table(s: np.void, lang: Lang) -> list[str]:
    """The smallest part of the field that has all cards, the island and the ship, row by row with its coordinates."""
    rows, columns = lookups.lines_shown(s)
    drawn = {(row, column): _face(s, row, column, lang) for row in rows for column in columns}
    wide = max(map(len, drawn.values())) + 2
    heads = [names.column_name(column).of(lang) for column in columns]
    lines = ["   " + "".join(f"{head:^{wide}}" for head in heads).rstrip()]
    for row in rows:
        cells = "".join(f"{drawn[row, column]:^{wide}}" for column in columns)
        lines.append(f"{names.row_name(row):>2} {cells}".rstrip())
    return lines


def _face(s: np.void, row: int, column: int, lang: Lang) -> str:
    """A place in letters: the name of the card, in brackets where the player stands; or the ship with its course."""
    if has_ship(s) and (row, column) == lookups.ship_place(s):
        return f"{_SHIP.of(lang)} {_ARROWS[s['ship']]}"
    cell = lookups.cell_of(row, column)
    card = None if cell is None else lookups.card_at(s, cell)
    if card is None:
        return "·" if cell is not None and lookups.has_room(s, cell) else ""
    name = names.SIDE_NAMES[side_up(s, card)].of(lang)
    return f"[{name}]" if cell == s["here"] else name


def headline(config: Config, s: np.void) -> Text:
    """Where the game stands, in one line; or how it ended."""
    if s["player"] == NOBODY:
        return ending(config, s)
    left, total = len(lookups.cards_in_deck(s)), score_of(config, s).total
    return _HEADLINE.format(s["rounds"], activity(s), s["lives"], config.lives, total, n=left)


def activity(s: np.void) -> Text:
    """What is to be decided."""
    if names.decision_kind(s) == names.TURN_KIND:
        return Text("turn a card over or skip", "перевернуть карту или пропустить")
    return Text("{n} {n:move|moves} left", "осталось: {n} {n:ход|хода|ходов}").format(n=s["moves"])


def ending(config: Config, s: np.void) -> Text:
    """How a finished game ended, why, and with which score."""
    ended = Text("{}: {}; score {}", "{}: {}; счёт {}")
    return ended.format(verdict(s), names.WHY[int(s["ending"])], score_of(config, s).total)


def verdict(s: np.void) -> Text:
    """Whether a finished game was won."""
    return Text("saved", "спасение") if lookups.is_won(s) else Text("lost", "поражение")
