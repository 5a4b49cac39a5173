"""Checks maps: every mistake as one sentence in both languages, and what is odd but allowed."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from difflib import get_close_matches
from typing import Any, NamedTuple

from playmill.author import Text
from playmill.games.influence.constants import CELLS, PLAYERS
from playmill.games.influence.maps.characters import wrong_sign
from playmill.games.influence.maps.hexes import HOLE, MAX_SIDE, STRONG, WEAK, Place, parts, places

KEYS = ("name", "rows", "starts")
MAX_NAME = 60
MIN_CELLS = 2
#: Numbers of players, as the keys of `starts` write them.
PLAYER_KEYS = tuple(str(number) for number in range(2, PLAYERS + 1))
#: What people write when they mean one of our keys.
MEANT = {
    "title": "name",
    "название": "name",
    "имя": "name",
    "cells": "rows",
    "field": "rows",
    "grid": "rows",
    "map": "rows",
    "ряды": "rows",
    "строки": "rows",
    "positions": "starts",
    "players": "starts",
    "старты": "starts",
}
_SHAPE = '{"name": "…", "rows": ["wwS.w", …], "starts": {"2": [[0, 0], [4, 3]]}}'
_ROWS = Text(
    'a list with a text for each row, such as ["wwS", "w.w"]', 'список, в нём по тексту на ряд, например ["wwS", "w.w"]'
)
_STARTS = Text('an object such as {"2": [[0, 0], [4, 3]]}', 'объект, например {"2": [[0, 0], [4, 3]]}')


class Mistake(NamedTuple):
    """What is wrong at a path of a map; the text tells it without the path."""

    path: str
    text: Text

    def message(self, before: str = "") -> Text:
        """The whole sentence: what comes before the path, the path, what is wrong."""
        start = f"{before}{self.path}: " if self.path else before
        return Text.join((start, self.text), "")


def short(found: object) -> str:
    """What was found, as JSON, cut where it is long."""
    text = json.dumps(found, ensure_ascii=False, default=str).encode("utf-8", "backslashreplace").decode()
    return text if len(text) <= 60 else text[:57] + "…"


def counted(number: int, noun: str) -> str:
    """A number of things, in English."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def suggestion(word: str, known: Sequence[str], meant: Mapping[str, str] | None = None) -> str | None:
    """The known word that a misspelt one probably stands for."""
    plain = word.strip().lower()
    if meant and plain in meant:
        return meant[plain]
    return next(iter(get_close_matches(plain, known, 1, 0.6)), None)


def unknown(noun: Text, word: str, guess: str | None, known: Sequence[str]) -> Text:
    """That a word is not known, which one it may have been meant to be, and which there are."""
    names = ", ".join(known)
    return Text(
        f"there is no {noun.en} {short(word)}; " + (f'did you mean "{guess}"? Known: ' if guess else "known: ") + names,
        f"нет {noun.ru} {short(word)}; " + (f'может быть, "{guess}"? Есть: ' if guess else "есть: ") + names,
    )


def mistakes_of(data: object) -> list[Mistake]:
    """Every mistake of a map in parsed JSON, in the order of the file format; none if it can be played on."""
    if not isinstance(data, Mapping):
        what = Text("a list", "это список") if isinstance(data, list) else Text(short(data), short(data))
        return [Mistake("", Text(f"{what.en}; expected an object: {_SHAPE}", f"{what.ru}; ожидается объект: {_SHAPE}"))]
    found = list(_key_mistakes(data))
    if "name" in data:
        found += _name_mistakes(data["name"])
    rows = data.get("rows")
    if "rows" in data:
        found += _row_mistakes(rows)
    if "starts" in data:
        known = isinstance(rows, list) and all(isinstance(row, str) for row in rows)
        found += _starts_mistakes(data["starts"], rows if known and rows else None)
    return found


def notes_of(rows: Sequence[str]) -> list[Text]:
    """What is allowed on a map but may not be meant."""
    pieces = parts(rows)
    if len(pieces) == 1:
        return []
    sizes = ", ".join(str(len(piece)) for piece in pieces)
    lone = pieces[-1][0]
    return [
        Text(
            f"the field falls into {len(pieces)} parts (cells: {sizes}; one holds [{lone[0]}, {lone[1]}]); players in "
            "different parts never meet",
            f"поле распадается на части: {len(pieces)} (клеток: {sizes}; в одной из них [{lone[0]}, {lone[1]}]); "
            "игроки из разных частей не встретятся",
        )
    ]


def _is_not(path: str, found: object, right: Text) -> Mistake:
    return Mistake(path, Text(f"{short(found)}; expected {right.en}", f"{short(found)}; ожидается: {right.ru}"))


# Keys and the name


def _key_mistakes(data: Mapping[str, Any]) -> Iterator[Mistake]:
    guessed = set()
    for key in getattr(data, "repeated", ()):
        yield Mistake(
            "",
            Text(
                f"the key {short(key)} is there more than once; expected once",
                f"ключ {short(key)} повторяется; ожидается один раз",
            ),
        )
    for key in data:
        if key not in KEYS and key != "$schema":
            guess = suggestion(str(key), KEYS, MEANT)
            guessed.add(guess)
            yield Mistake("", unknown(Text("key", "ключа"), str(key), guess, KEYS))
    for key in ("name", "rows"):
        # A misspelt key is one mistake, not a second one for the key that it was meant to be.
        if key not in data and key not in guessed:
            yield Mistake("", Text(f'the key "{key}" is missing', f'нет ключа "{key}"'))


def _name_mistakes(name: object) -> Iterator[Mistake]:
    right = Text(
        f"a text of 1 to {MAX_NAME} characters on one line", f"текст одной строкой, от 1 до {MAX_NAME} символов"
    )
    if isinstance(name, str) and len(name) > MAX_NAME:
        yield Mistake(
            "name",
            Text(
                f"{len(name)} characters; expected at most {MAX_NAME}",
                f"символов: {len(name)}; ожидается: не больше {MAX_NAME}",
            ),
        )
    elif not isinstance(name, str) or not name.strip() or not name.isprintable():
        yield _is_not("name", name, right)


# Rows


def _row_mistakes(rows: object) -> Iterator[Mistake]:
    if not isinstance(rows, list):
        yield _is_not("rows", rows, _ROWS)
        return
    if not 1 <= len(rows) <= MAX_SIDE:
        yield Mistake(
            "rows",
            Text(
                f"{counted(len(rows), 'row')}; expected 1 to {MAX_SIDE}",
                f"рядов: {len(rows)}; ожидается: от 1 до {MAX_SIDE}",
            ),
        )
    texts = {number: _bare(row) for number, row in enumerate(rows) if isinstance(row, str)}
    width, like = _usual_width(texts)
    if width > MAX_SIDE:
        yield Mistake(
            "rows",
            Text(
                f"{width} columns; expected at most {MAX_SIDE}", f"столбцов: {width}; ожидается: не больше {MAX_SIDE}"
            ),
        )
    right = True
    for number, row in enumerate(rows):
        for mistake in _mistakes_in_row(f"rows.{number}", row, width, like):
            right = False
            yield mistake
    cells = sum(row.count(WEAK) + row.count(STRONG) for row in texts.values())
    if cells > CELLS or (rows and right and cells < MIN_CELLS):
        there = Text(f"{counted(cells, 'cell')} without the holes", f"клеток, не считая дыр: {cells}")
        if cells == 0:
            there = Text("holes only, no cell", "одни дыры, ни одной клетки")
        yield Mistake(
            "rows",
            Text(f"{there.en}; expected {MIN_CELLS} to {CELLS}", f"{there.ru}; ожидается: от {MIN_CELLS} до {CELLS}"),
        )


def _bare(row: str) -> str:
    """A row without the blanks that people put at its ends or between the cells."""
    bare = row.strip()
    return bare[::2] if len(bare) > 2 and not bare[1::2].strip() else bare


def _usual_width(texts: Mapping[int, str]) -> tuple[int, int]:
    """The length that most rows have, the first of equals, and the first row that has it."""
    lengths = Counter(len(row) for row in texts.values() if row)
    width = lengths.most_common(1)[0][0] if lengths else 0
    return width, next((number for number, row in texts.items() if len(row) == width), 0)


def _mistakes_in_row(path: str, row: object, width: int, like: int) -> Iterator[Mistake]:
    if not isinstance(row, str):
        yield _is_not(path, row, Text('a text such as "wwS.w"', 'текст, например "wwS.w"'))
        return
    bare = _bare(row)
    if not bare:
        yield _is_not(path, row, Text("at least one cell", "хотя бы одна клетка"))
        return
    if row != bare:
        yield Mistake(
            path,
            Text(
                f"{short(row)} has blanks; expected the cells alone: {short(bare)}",
                f"{short(row)} — с пробелами; ожидаются одни клетки: {short(bare)}",
            ),
        )
    if len(bare) != width:
        yield Mistake(
            path,
            Text(
                f"{counted(len(bare), 'cell')}; expected {width}, like row {like}",
                f"клеток: {len(bare)}; ожидается: {width}, как в ряду {like}",
            ),
        )
    for sign in dict.fromkeys(bare):
        if sign not in (WEAK, STRONG, HOLE):
            yield Mistake(path, wrong_sign(sign, [column for column, other in enumerate(bare) if other == sign]))


# Starts


def _starts_mistakes(starts: object, rows: Sequence[str] | None) -> Iterator[Mistake]:
    if not isinstance(starts, Mapping):
        yield _is_not("starts", starts, _STARTS)
        return
    for key in getattr(starts, "repeated", ()):
        yield Mistake(
            "starts",
            Text(
                f"the key {short(key)} is there more than once; expected once",
                f"ключ {short(key)} повторяется; ожидается один раз",
            ),
        )
    for players, found in starts.items():
        path = f"starts.{players}"
        if players not in PLAYER_KEYS:
            yield Mistake(
                "starts",
                Text(
                    f'{short(players)} is no number of players; expected "2" to "{PLAYERS}"',
                    f'{short(players)} — не число игроков; ожидается: от "2" до "{PLAYERS}"',
                ),
            )
        elif not isinstance(found, list):
            yield _is_not(path, found, Text("a list of [row, column]", "список из [ряд, столбец]"))
        else:
            if len(found) != int(players):
                yield Mistake(
                    path,
                    Text(
                        f"{counted(len(found), 'place')}; expected {players}",
                        f"мест: {len(found)}; ожидается: {players}",
                    ),
                )
            taken: dict[Place, int] = {}
            for number, place in enumerate(found):
                if problem := _place_mistake(place, taken, rows):
                    yield Mistake(f"{path}.{number}", problem)
                else:
                    taken.setdefault(tuple(place), number)


def _place_mistake(place: object, taken: Mapping[Place, int], rows: Sequence[str] | None) -> Text | None:
    shown = short(place)
    numbers = [step for step in place if type(step) is int] if isinstance(place, list) else []
    if len(numbers) != 2 or numbers != place:
        return Text(
            f"{shown}; expected [row, column] such as [0, 3], counted from 0",
            f"{shown}; ожидается: [ряд, столбец], например [0, 3], считая с 0",
        )
    row, column = numbers
    if (other := taken.get((row, column))) is not None:
        return Text(
            f"{shown} is number {other} of this list too; expected a cell for each player",
            f"{shown} — это и номер {other} этого списка; ожидается: у каждого игрока своя клетка",
        )
    if rows is None:
        return None
    if not (0 <= row < len(rows) and 0 <= column < len(rows[row])):
        high = Text(
            f"rows 0 to {len(rows) - 1}, columns 0 to {max(map(len, rows)) - 1}",
            f"ряды от 0 до {len(rows) - 1}, столбцы от 0 до {max(map(len, rows)) - 1}",
        )
        guess = _turned((column, row), rows)
        return Text(
            f"{shown} is outside; expected {high.en}" + (f"; did you mean {guess}?" if guess else ""),
            f"{shown} вне поля; ожидается: {high.ru}" + (f"; может быть, {guess}?" if guess else ""),
        )
    if rows[row][column] == HOLE:
        return Text(f"{shown} is a hole; expected a cell", f"{shown} — дыра; ожидается клетка")
    return None


def _turned(place: Place, rows: Sequence[str]) -> str:
    """The place with row and column exchanged, if that is a cell."""
    return f"[{place[0]}, {place[1]}]" if place in places(rows) else ""
