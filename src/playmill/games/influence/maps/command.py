"""The command `playmill map`: lists and draws built-in maps, checks files, writes the schema, generates."""

from __future__ import annotations

import argparse
import json
import re
from pathlib import Path
from typing import Any, NamedTuple

from playmill.author import Lang, PlaymillError, Text, one_line
from playmill.author.commands import print_json
from playmill.games.influence.maps.checks import counted, mistakes_of, notes_of, short
from playmill.games.influence.maps.generate import generate
from playmill.games.influence.maps.hexes import STRONG
from playmill.games.influence.maps.model import Map, built_in, load, named_map, places, schema

#: Mistakes that the checker tells of one file; the others are counted.
MOST_LISTED = 20
ABOUT = {
    "small": Text("a short game", "короткая партия"),
    "middle": Text("the default, open land", "основная, открытая"),
    "large": Text("room for six", "простор для шестерых"),
    "hexagon": Text("six sides, a strong middle", "шесть сторон, сильный центр"),
    "ring": Text("a ring road, a strong hub", "кольцо и сильная середина"),
    "islands": Text("five islands and bridges", "пять островов и мосты"),
}
#: Options of the generator besides the size, which they need.
_WISHES = ("holes", "strong", "symmetric", "seed", "name", "out")
_TITLES = (
    Text("map", "карта"),
    Text("size", "размер"),
    Text("cells", "клеток"),
    Text("strong", "сильных"),
    Text("holes", "дыр"),
    Text("starts for", "старты для"),
    Text("about", "какая"),
)
_RANDOM = Text("random", "случайные")


class ListedMap(NamedTuple):
    """A built-in map in a list for people."""

    name: str
    about: Text
    size: tuple[int, int]
    cells: int
    strong: int
    holes: int
    starts: tuple[int, ...]


def listing() -> list[ListedMap]:
    """The built-in maps, the smallest first."""
    return [_entry(made) for made in built_in().values()]


def _entry(made: Map) -> ListedMap:
    size = len(made.rows), len(made.rows[0])
    cells = len(places(made.rows))
    strong = sum(row.count(STRONG) for row in made.rows)
    starts = tuple(sorted(map(int, made.starts)))
    return ListedMap(
        made.name, ABOUT.get(made.name, Text("", "")), size, cells, strong, size[0] * size[1] - cells, starts
    )


def mistakes(path: Path) -> list[Text]:
    """Every mistake of a map file, a line each; after twenty, only how many more there are."""
    try:
        found = mistakes_of(load(path))
    except PlaymillError as error:
        return [error.text]
    messages = [mistake.message(f"{path}: ") for mistake in found[:MOST_LISTED]]
    more = len(found) - len(messages)
    return messages + [Text(f"{path}: and {more} more", f"{path}: и ещё {more}")] * (more > 0)


def text_of(made: Map) -> str:
    """A map as the text of its file: each row on a line of its own, and each number of players."""
    rows = ",\n".join(f"    {json.dumps(row)}" for row in made.rows)
    parts = [f'  "name": {json.dumps(made.name, ensure_ascii=False)}', f'  "rows": [\n{rows}\n  ]']
    if made.starts:
        starts = ",\n".join(f'    "{players}": {json.dumps(found)}' for players, found in sorted(made.starts.items()))
        parts.append(f'  "starts": {{\n{starts}\n  }}')
    return "{\n" + ",\n".join(parts) + "\n}\n"


def drawn(made: Map, players: int | None = None) -> list[str]:
    """A map as lines for the terminal, odd rows shifted, with the starts of that many players as their numbers."""
    signs = {(r, c): cell for r, row in enumerate(made.rows) for c, cell in enumerate(row)}
    for number, (row, column) in enumerate(made.starts.get(str(players), ()), 1):
        signs[row, column] = str(number)
    width = len(made.rows[0])
    header = "".join(f"{column:<10}" for column in range(0, width, 5)).rstrip()
    lines = [f"     {header}"]
    for row in range(len(made.rows)):
        cells = " ".join(signs[row, column] for column in range(width))
        lines.append(f"{row:>3}  {' ' * (row % 2)}{cells}")
    return lines


def made(options: argparse.Namespace) -> Map:
    """The map that the options of the generator ask for."""
    rows, cols = _size(options.size)
    wishes: dict[str, Any] = {key: getattr(options, key) for key in ("symmetric", "seed", "players")}
    wishes |= {key: _share(key, getattr(options, key)) for key in ("holes", "strong")}
    wishes["name"] = _name(options.name)
    return generate(rows, cols, **{key: wish for key, wish in wishes.items() if wish is not None})


def _size(text: str) -> tuple[int, int]:
    found = re.fullmatch(r"\s*(\d{1,4})\s*[xXхХ×*]\s*(\d{1,4})\s*", text)
    if found is None:
        raise PlaymillError(
            f"--size {text}: expected ROWSxCOLUMNS, such as 10x11", f"--size {text}: нужно РЯДЫxСТОЛБЦЫ, например 10x11"
        )
    return int(found[1]), int(found[2])


def _share(key: str, text: str | None) -> float | None:
    if text is None:
        return None
    found = re.fullmatch(r"\s*(\d{1,6}(?:[.,]\d{1,6})?)\s*(%?)\s*", text)
    share = float(found[1].replace(",", ".")) / (100 if found[2] else 1) if found else -1
    if not 0 <= share <= 1:
        raise PlaymillError(
            f"--{key} {text}: expected a share from 0% to 100%, such as 10% or 0.1",
            f"--{key} {text}: нужна доля от 0% до 100%, например 10% или 0.1",
        )
    return share


def _name(name: str | None) -> str | None:
    for mistake in mistakes_of({"name": name, "rows": ["ww"]}) if name is not None else ():
        raise PlaymillError(f"--name: {mistake.text.en}", f"--name: {mistake.text.ru}")
    return name


def map_command(options: argparse.Namespace, lang: Lang) -> int:
    """Prints the schema, checks files (2 if one has mistakes), draws a map, makes one, or lists the built-in ones."""
    if options.size is not None:
        return _make(options, lang)
    _check_no_wishes(options)
    if options.schema:
        print_json(schema())
        return 0
    if options.check:
        return max(_check(path, lang) for path in options.check)
    if options.show is not None:
        return _show(named_map(options.show), options.players, lang)
    return _list(lang)


def _check_no_wishes(options: argparse.Namespace) -> None:
    """Raises if there are wishes for a new map, but no size for it."""
    keys = _WISHES if options.show is not None else (*_WISHES, "players")
    for key in keys:
        if getattr(options, key) is not None:
            raise PlaymillError(
                f"--{key} needs --size ROWSxCOLUMNS, such as 10x11",
                f"к --{key} нужен --size РЯДЫxСТОЛБЦЫ, например 10x11",
            )


def _check(path: Path, lang: Lang) -> int:
    found = mistakes(path)
    for mistake in found:
        print(one_line(mistake.of(lang)))
    if found:
        return 2
    made = Map.read(path)
    print(f"{path}: {Text('no mistakes', 'ошибок нет').of(lang)}; {_summary(made).of(lang)}")
    for note in notes_of(made.rows):
        print(f"{path}: {Text('note', 'замечание').of(lang)}: {note.of(lang)}")
    return 0


def _summary(made: Map) -> Text:
    entry = _entry(made)
    rows, cols = entry.size
    numbers = ", ".join(map(str, entry.starts))
    starts = (
        Text(f"starts for {numbers}", f"старты для {numbers}") if numbers else Text("random starts", "старты случайные")
    )
    cells, holes = counted(entry.cells, "cell"), counted(entry.holes, "hole")
    return Text(
        f"{rows}x{cols}, {cells} ({entry.strong} strong), {holes}; {starts.en}",
        f"{rows}x{cols}, клеток {entry.cells} (сильных {entry.strong}), дыр {entry.holes}; {starts.ru}",
    )


def _show(made: Map, players: int | None, lang: Lang) -> int:
    if players is not None and str(players) not in made.starts:
        known = ", ".join(sorted(made.starts)) or "–"
        raise PlaymillError(
            f"{short(made.name)} says nothing of where {players} players start; it does for: {known}",
            f"на карте {short(made.name)} нет стартов для {players} игроков; есть для: {known}",
        )
    print(f"{made.name}: {_summary(made).of(lang)}")
    for line in drawn(made, players):
        print(line)
    for number, found in sorted(made.starts.items()):
        print(Text(f"{number} players: ", f"игроков {number}: ").of(lang) + ", ".join(map(short, found)))
    return 0


def _make(options: argparse.Namespace, lang: Lang) -> int:
    from playmill.author.commands import claim, write_text

    if options.out is None:
        print(text_of(made(options)), end="")
        return 0
    place = claim({"--out": options.out})["--out"]
    write_text(place, text_of(made(options)))
    print(Text(f"wrote {options.out}", f"записано: {options.out}").of(lang))
    return 0


def _list(lang: Lang) -> int:
    from rich.console import Console

    from playmill.author.commands import Column, print_rows

    columns = [
        Column(
            title.of(lang),
            right=title.en in ("cells", "strong", "holes"),
            broken=title is _TITLES[-1],
            names=title is _TITLES[0],
        )
        for title in _TITLES
    ]
    rows = []
    for entry in listing():
        starts = ", ".join(map(str, entry.starts)) or _RANDOM.of(lang)
        numbers = (entry.cells, entry.strong, entry.holes)
        size = f"{entry.size[0]}x{entry.size[1]}"
        rows.append((entry.name, size, *map(str, numbers), starts, entry.about.of(lang)))
    print_rows(Console(), columns, rows)
    return 0
