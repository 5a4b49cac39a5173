"""Map files of Influence: what they may say, and one sentence in both languages for each mistake."""

from __future__ import annotations

import copy
import json
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from common.effort import share
from playmill.games.influence.config import DEFAULT_MAP, Config
from playmill.games.influence.maps import MOST_LISTED, mistakes, text_of
from playmill.games.influence.maps.checks import mistakes_of, notes_of
from playmill.games.influence.maps.model import Map, built_in, named_map, schema
from playmill.texts import PlaymillError, Text

MISSING = "(left out)"
GOOD: dict[str, Any] = {
    "name": "good",
    "rows": ["wwS.w", "wwwww", "Swwww"],
    "starts": {"2": [[0, 0], [2, 4]], "3": [[0, 1], [1, 1], [2, 0]]},
}
CELLS = Text("; expected w (weak), S (strong) or . (a hole)", "; ожидается: w (слабая), S (сильная) или . (дыра)")
KNOWN = "name, rows, starts"
SHAPE = '{"name": "…", "rows": ["wwS.w", …], "starts": {"2": [[0, 0], [4, 3]]}}'


def edited(changes: dict[str, Any]) -> Any:
    """The good map with values put at, or taken from, JSON paths."""
    data = copy.deepcopy(GOOD)
    for path, value in changes.items():
        steps = path.split(".")
        place: Any = data
        for step in steps[:-1]:
            place = place[int(step) if isinstance(place, list) else step]
        last: Any = int(steps[-1]) if isinstance(place, list) else steps[-1]
        if value is MISSING:
            del place[last]
        else:
            place[last] = value
    return data


def messages_of(data: Any) -> list[Text]:
    return [mistake.message() for mistake in mistakes_of(data)]


def test_a_good_map_has_no_mistakes() -> None:
    assert messages_of(GOOD) == []
    assert messages_of(edited({"starts": MISSING})) == messages_of(edited({"starts": {}})) == []
    assert messages_of(edited({"$schema": "https://example.org/map.json"})) == []


MISTAKES: list[tuple[dict[str, Any], list[str], list[str]]] = [
    # rows
    (
        {"rows.1": "wwww"},
        ["rows.1: 4 cells; expected 5, like row 0"],
        ["rows.1: клеток: 4; ожидается: 5, как в ряду 0"],
    ),
    (
        {"rows.0": "wwS", "starts": {}},
        ["rows.0: 3 cells; expected 5, like row 1"],
        ["rows.0: клеток: 3; ожидается: 5, как в ряду 1"],
    ),
    (
        {"rows.1": "wxwx?"},
        [
            f'rows.1: "x" at columns 1, 3, counted from 0{CELLS.en}; did you mean "."?',
            f'rows.1: "?" at column 4, counted from 0{CELLS.en}',
        ],
        [
            f'rows.1: "x" в столбцах 1, 3, считая с 0{CELLS.ru}; может быть, "."?',
            f'rows.1: "?" в столбце 4, считая с 0{CELLS.ru}',
        ],
    ),
    (
        {"rows.2": "SwЅww"},
        [f'rows.2: "Ѕ" (Cyrillic, U+0405) at column 2, counted from 0{CELLS.en}; did you mean "S"?'],
        [f'rows.2: "Ѕ" (кириллица, U+0405) в столбце 2, считая с 0{CELLS.ru}; может быть, "S"?'],
    ),
    (
        {"rows.2": "Sw\u200bww"},
        [f"rows.2: a character U+200B at column 2, counted from 0{CELLS.en}"],
        [f"rows.2: символ U+200B в столбце 2, считая с 0{CELLS.ru}"],
    ),
    (
        {"rows.1": " wwwww"},
        ['rows.1: " wwwww" has blanks; expected the cells alone: "wwwww"'],
        ['rows.1: " wwwww" — с пробелами; ожидаются одни клетки: "wwwww"'],
    ),
    (
        {"rows.2": "S w w w w"},
        ['rows.2: "S w w w w" has blanks; expected the cells alone: "Swwww"'],
        ['rows.2: "S w w w w" — с пробелами; ожидаются одни клетки: "Swwww"'],
    ),
    (
        {"rows.1": "  ", "starts": {}},
        ['rows.1: "  "; expected at least one cell'],
        ['rows.1: "  "; ожидается: хотя бы одна клетка'],
    ),
    (
        {"rows.1": ["w", "w"], "starts": {}},
        ['rows.1: ["w", "w"]; expected a text such as "wwS.w"'],
        ['rows.1: ["w", "w"]; ожидается: текст, например "wwS.w"'],
    ),
    (
        {"rows": "wwS"},
        ['rows: "wwS"; expected a list with a text for each row, such as ["wwS", "w.w"]'],
        ['rows: "wwS"; ожидается: список, в нём по тексту на ряд, например ["wwS", "w.w"]'],
    ),
    ({"rows": [], "starts": {}}, ["rows: 0 rows; expected 1 to 64"], ["rows: рядов: 0; ожидается: от 1 до 64"]),
    (
        {"rows": ["w."] * 65, "starts": {}},
        ["rows: 65 rows; expected 1 to 64"],
        ["rows: рядов: 65; ожидается: от 1 до 64"],
    ),
    (
        {"rows": ["w" * 65] * 2, "starts": {}},
        ["rows: 65 columns; expected at most 64"],
        ["rows: столбцов: 65; ожидается: не больше 64"],
    ),
    (
        {"rows": ["w" * 16] * 16 + ["w" + "." * 15], "starts": {}},
        ["rows: 257 cells without the holes; expected 2 to 256"],
        ["rows: клеток, не считая дыр: 257; ожидается: от 2 до 256"],
    ),
    (
        {"rows": ["..S.", "...."], "starts": {}},
        ["rows: 1 cell without the holes; expected 2 to 256"],
        ["rows: клеток, не считая дыр: 1; ожидается: от 2 до 256"],
    ),
    (
        {"rows": MISSING, "starts": {}},
        ['the key "rows" is missing'],
        ['нет ключа "rows"'],
    ),
    # starts
    (
        {"starts.7": []},
        ['starts: "7" is no number of players; expected "2" to "6"'],
        ['starts: "7" — не число игроков; ожидается: от "2" до "6"'],
    ),
    (
        {"starts.1": [[0, 0]], "starts.two": [], "starts.02": []},
        [f'starts: "{key}" is no number of players; expected "2" to "6"' for key in ("1", "two", "02")],
        [f'starts: "{key}" — не число игроков; ожидается: от "2" до "6"' for key in ("1", "two", "02")],
    ),
    ({"starts.2.1": MISSING}, ["starts.2: 1 place; expected 2"], ["starts.2: мест: 1; ожидается: 2"]),
    (
        {"starts.4": [[0, 0], [0, 1], [0, 2], [1, 0], [1, 1]]},
        ["starts.4: 5 places; expected 4"],
        ["starts.4: мест: 5; ожидается: 4"],
    ),
    (
        {"starts.2.0": [0, 3]},
        ["starts.2.0: [0, 3] is a hole; expected a cell"],
        ["starts.2.0: [0, 3] — дыра; ожидается клетка"],
    ),
    (
        {"starts.3.2": [7, 7], "starts.2.1": [2, -1]},
        [
            "starts.2.1: [2, -1] is outside; expected rows 0 to 2, columns 0 to 4",
            "starts.3.2: [7, 7] is outside; expected rows 0 to 2, columns 0 to 4",
        ],
        [
            "starts.2.1: [2, -1] вне поля; ожидается: ряды от 0 до 2, столбцы от 0 до 4",
            "starts.3.2: [7, 7] вне поля; ожидается: ряды от 0 до 2, столбцы от 0 до 4",
        ],
    ),
    (
        {"starts.2.1": [4, 2]},
        ["starts.2.1: [4, 2] is outside; expected rows 0 to 2, columns 0 to 4; did you mean [2, 4]?"],
        ["starts.2.1: [4, 2] вне поля; ожидается: ряды от 0 до 2, столбцы от 0 до 4; может быть, [2, 4]?"],
    ),
    (
        {"starts.3.2": [0, 1]},
        ["starts.3.2: [0, 1] is number 0 of this list too; expected a cell for each player"],
        ["starts.3.2: [0, 1] — это и номер 0 этого списка; ожидается: у каждого игрока своя клетка"],
    ),
    *[
        (
            {"starts.2.0": wrong},
            [f"starts.2.0: {json.dumps(wrong)}; expected [row, column] such as [0, 3], counted from 0"],
            [f"starts.2.0: {json.dumps(wrong)}; ожидается: [ряд, столбец], например [0, 3], считая с 0"],
        )
        for wrong in ([0], [0, 0, 0], "0,0", {"row": 0}, 5, None, [0.0, 1], [True, 1], ["0", "1"])
    ],
    (
        {"starts.2": "[0, 0]"},
        ['starts.2: "[0, 0]"; expected a list of [row, column]'],
        ['starts.2: "[0, 0]"; ожидается: список из [ряд, столбец]'],
    ),
    (
        {"starts": [[0, 0], [1, 1]]},
        ['starts: [[0, 0], [1, 1]]; expected an object such as {"2": [[0, 0], [4, 3]]}'],
        ['starts: [[0, 0], [1, 1]]; ожидается: объект, например {"2": [[0, 0], [4, 3]]}'],
    ),
    # keys and the name
    (
        {"size": 5},
        [f'there is no key "size"; known: {KNOWN}'],
        [f'нет ключа "size"; есть: {KNOWN}'],
    ),
    (
        {"rows": MISSING, "Rows": ["ww"], "starts": {}},
        [f'there is no key "Rows"; did you mean "rows"? Known: {KNOWN}'],
        [f'нет ключа "Rows"; может быть, "rows"? Есть: {KNOWN}'],
    ),
    (
        {"name": MISSING, "title": "x"},
        [f'there is no key "title"; did you mean "name"? Known: {KNOWN}'],
        [f'нет ключа "title"; может быть, "name"? Есть: {KNOWN}'],
    ),
    ({"name": MISSING}, ['the key "name" is missing'], ['нет ключа "name"']),
    *[
        (
            {"name": wrong},
            [f"name: {json.dumps(wrong)}; expected a text of 1 to 60 characters on one line"],
            [f"name: {json.dumps(wrong)}; ожидается: текст одной строкой, от 1 до 60 символов"],
        )
        for wrong in ("", "  ", "two\nlines", 5, None, ["x"])
    ],
    ({"name": "x" * 61}, ["name: 61 characters; expected at most 60"], ["name: символов: 61; ожидается: не больше 60"]),
]


@pytest.mark.parametrize(("changes", "en", "ru"), MISTAKES, ids=[str(list(case[0].items()))[:60] for case in MISTAKES])
def test_each_mistake_has_its_sentence(changes: dict[str, Any], en: list[str], ru: list[str]) -> None:
    assert messages_of(edited(changes)) == [Text(*both) for both in zip(en, ru, strict=True)]


@pytest.mark.parametrize(
    ("sign", "meant"),
    [
        *zip("WшЩцԝвｗ8", "w" * 8, strict=True),
        *zip("sЅѕыСｓ$", "S" * 7, strict=True),
        *zip("юｘ·-_#0,…", "." * 9, strict=True),
    ],
)
def test_wrong_characters_are_understood(sign: str, meant: str) -> None:
    (mistake,) = mistakes_of({"name": "x", "rows": [f"w{sign}w"]})
    assert mistake.text.en.endswith(f'did you mean "{meant}"?')
    assert mistake.text.ru.endswith(f'может быть, "{meant}"?')


@pytest.mark.parametrize(
    ("data", "found"), [([GOOD], Text("a list", "это список")), (5, Text("5", "5")), (None, Text("null", "null"))]
)
def test_no_object(data: Any, found: Text) -> None:
    assert messages_of(data) == [
        Text(f"{found.en}; expected an object: {SHAPE}", f"{found.ru}; ожидается объект: {SHAPE}")
    ]


def test_all_mistakes_are_told_in_the_order_of_the_format() -> None:
    data = edited({"foo": 1, "name": "", "rows.1": "wwww!", "rows.2": "ww", "starts.2.0": [0, 3], "starts.9": []})
    paths = [mistake.path for mistake in mistakes_of(data)]
    assert paths == ["", "name", "rows.1", "rows.2", "starts.2.0", "starts.2.1", "starts"]


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=6),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=8,
)
PATHS = st.sampled_from(
    ["name", "rows", "rows.0", "rows.2", "starts", "starts.2", "starts.2.0", "starts.3", "starts.6"]
)


@given(st.dictionaries(PATHS, JSON | st.text("wS.", max_size=6) | st.lists(st.integers(-1, 5), max_size=3), max_size=1))
@settings(deadline=None, max_examples=share(150))
def test_what_has_no_mistakes_can_be_played_on(changes: dict[str, Any]) -> None:
    data = edited(changes)
    found = mistakes_of(data)
    for mistake in found:
        assert "\n" not in mistake.message().en and re.search("[а-я]", mistake.message().ru)
    if found:
        with pytest.raises(PlaymillError):
            Config.read({"map": data})
    else:
        config = Config.read({"map": data})
        assert config.map.model_dump() == {"starts": {}, **data}
        config.pack(2)


# Files


def file(folder: Path, content: str | bytes) -> Path:
    path = folder / "my.json"
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


BROKEN: list[tuple[str | bytes, str, str]] = [
    (
        '{"name": "x",\n "rows": ["ww", "w',
        "{} is not valid JSON: it breaks off at line 2, column 17; is the end of the file missing?",
        "{} — неправильный JSON: он обрывается в строке 2, столбце 17; нет конца файла?",
    ),
    (
        '{"name": "x", "rows": ["ww",',
        "{} is not valid JSON: it breaks off at line 1, column 29; is the end of the file missing?",
        "{} — неправильный JSON: он обрывается в строке 1, столбце 29; нет конца файла?",
    ),
    (b'{"name": "\xff"}', "cannot read {}: it is not UTF-8 text", "не читается файл {}: это не текст в UTF-8"),
    (" \n", "{} is empty; expected a map", "{} пуст; ожидается карта"),
    (
        '{"name": "x" "rows": []}',
        "{} is not valid JSON: a comma is missing at line 1, column 14",
        "{} — неправильный JSON: не хватает запятой в строке 1, столбце 14",
    ),
    (
        '{"name": "x", "rows": ["ww,\n"ww"]}',
        "{} is not valid JSON: a text without its closing quote at line 1, column 28",
        "{} — неправильный JSON: текст без закрывающей кавычки в строке 1, столбце 28",
    ),
    (
        '{"name": "x", "rows": ["ww"]}\n{}',
        "{} has more after the end of the JSON, at line 2, column 1; expected one map a file",
        "{}: после конца JSON есть что-то ещё, в строке 2, столбце 1; ожидается одна карта",
    ),
    (
        "[" * 100_000,
        "{} is nested too deeply; expected at most 150 levels",
        "{}: слишком глубокая вложенность; ожидается не больше 150 уровней",
    ),
    (
        "1" * 10_000,
        "{}: the number 11111111111111111111… has 10000 digits",
        "{}: в числе 11111111111111111111… цифр: 10000",
    ),
    (
        '{"name": "x", "name": "y", "rows": ["ww"]}',
        '{}: the key "name" is there more than once; expected once',
        '{}: ключ "name" повторяется; ожидается один раз',
    ),
    (
        '{"name": "x", "rows": ["ww"], "starts": {"2": [[0, 0], [0, 1]], "2": [[0, 1], [0, 0]]}}',
        '{}: starts: the key "2" is there more than once; expected once',
        '{}: starts: ключ "2" повторяется; ожидается один раз',
    ),
]


@pytest.mark.parametrize(("content", "en", "ru"), BROKEN, ids=[case[1][:50] for case in BROKEN])
def test_broken_files(tmp_path: Path, content: str | bytes, en: str, ru: str) -> None:
    path = file(tmp_path, content)
    wanted = Text(en.replace("{}", str(path), 1), ru.replace("{}", str(path), 1))
    assert mistakes(path) == [wanted]
    with pytest.raises(PlaymillError) as caught:
        named_map(str(path))
    assert caught.value.text == wanted


@pytest.mark.parametrize("ending", [",]}", ", ]\n}", "],}"])
def test_a_comma_too_many(tmp_path: Path, ending: str) -> None:
    (mistake,) = mistakes(file(tmp_path, '{"name": "x", "rows": ["ww"' + ending))
    assert " is not valid JSON: a comma with nothing after it at line " in mistake.en
    assert "запятая, за которой ничего нет, в строке " in mistake.ru


def test_no_file(tmp_path: Path) -> None:
    path = tmp_path / "no.json"
    assert mistakes(path) == [
        Text(f"cannot read {path}: there is no such file", f"не читается файл {path}: такого файла нет")
    ]
    assert mistakes(tmp_path) == [
        Text(f"cannot read {tmp_path}: it is a folder", f"не читается файл {tmp_path}: это папка")
    ]
    assert mistakes(Path("a\0.json")) == [
        Text("'a\\x00.json' cannot be the name of a file", "'a\\x00.json' не может быть именем файла")
    ]


def test_a_byte_order_mark_is_no_mistake(tmp_path: Path) -> None:
    assert mistakes(file(tmp_path, b"\xef\xbb\xbf" + json.dumps(GOOD).encode())) == []


def test_a_file_names_each_mistake_with_its_path(tmp_path: Path) -> None:
    path = file(tmp_path, json.dumps(edited({"rows.1": "www", "name": 5})))
    assert [text.en for text in mistakes(path)] == [
        f"{path}: name: 5; expected a text of 1 to 60 characters on one line",
        f"{path}: rows.1: 3 cells; expected 5, like row 0",
    ]


def test_after_twenty_mistakes_the_rest_is_counted(tmp_path: Path) -> None:
    path = file(tmp_path, json.dumps({"name": "x", "rows": ["s"] * 25}))
    found = mistakes(path)
    assert len(found) == MOST_LISTED + 1
    assert found[-1] == Text(f"{path}: and 5 more", f"{path}: и ещё 5")


def test_a_field_in_pieces_is_allowed_but_noted() -> None:
    rows = ["ww.w", "w...", "...w"]
    assert messages_of({"name": "x", "rows": rows}) == []
    assert notes_of(rows) == [
        Text(
            "the field falls into 3 parts (cells: 3, 1, 1; one holds [2, 3]); players in different parts never meet",
            "поле распадается на части: 3 (клеток: 3, 1, 1; в одной из них [2, 3]); игроки из разных частей не "
            "встретятся",
        )
    ]
    assert notes_of(["www", ".w."]) == []
    Config.read({"map": {"name": "x", "rows": rows}}).pack(2)


@st.composite
def maps(draw: st.DrawFn) -> Map:
    width = draw(st.integers(1, 8))
    rows = draw(st.lists(st.text("wS.", min_size=width, max_size=width), min_size=1, max_size=8))
    rows[0] = ("ww" + rows[0])[:width]
    rows = rows if width > 1 else ["w", *rows]
    cells = [[r, c] for r, row in enumerate(rows) for c, cell in enumerate(row) if cell != "."]
    mixed = draw(st.permutations(cells))
    numbers = draw(st.sets(st.integers(2, min(6, len(cells))))) if len(cells) > 2 else set()
    name = draw(st.text(min_size=1, max_size=60).filter(lambda text: text.strip() and text.isprintable()))
    return Map(name=name, rows=rows, starts={str(number): mixed[:number] for number in numbers})


@given(maps())
@settings(deadline=None)
def test_a_map_and_its_text_are_the_same(made: Map) -> None:
    text = text_of(made)
    assert Map.model_validate_json(text) == made
    for row in made.rows:
        assert f'\n    "{row}"' in text
    assert Config.read({"map": json.loads(text)}).map == made


# The config


def refused(*changes: str) -> Text:
    with pytest.raises(PlaymillError) as caught:
        Config().changed(changes)
    return caught.value.text


def test_the_default_is_the_middle_map() -> None:
    assert Config().map == built_in()[DEFAULT_MAP]
    assert DEFAULT_MAP == "middle"


@pytest.mark.parametrize("name", list(built_in()))
def test_a_map_by_name_and_round_trip(name: str) -> None:
    config = Config().changed([f"map={name}"])
    assert config.map == built_in()[name]
    dump = config.model_dump(mode="json")
    assert dump["map"]["rows"] == built_in()[name].rows
    assert Config.read(json.loads(json.dumps(dump))) == config == Config.read({"map": name})


def test_a_map_by_path_becomes_part_of_the_config(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = file(tmp_path, json.dumps(GOOD))
    monkeypatch.chdir(tmp_path)
    config = Config().changed(["map=my.json"])
    assert config == Config().changed([f"map={path}"]) == Config.read({"map": GOOD})
    path.unlink()
    assert Config.read(config.model_dump(mode="json")) == config


def test_parts_of_a_map_can_be_changed() -> None:
    config = Config().changed(["round_limit=5", "map=hexagon", "map.starts={}", "map.name=random"])
    assert config.map.rows == built_in()["hexagon"].rows
    assert (config.map.starts, config.map.name, config.round_limit) == ({}, "random", 5)
    config = config.changed(["map.rows.0=...SSSSSS.."])
    assert config.map.rows[0] == "...SSSSSS.."


def test_an_unknown_name_lists_the_known_ones() -> None:
    known = ", ".join(built_in())
    assert refused("map=smal") == Text(
        f'--set map=smal: map: there is no map "smal"; did you mean "small"? Known: {known}; or a path FILE.json',
        f'--set map=smal: map: нет карты "smal"; может быть, "small"? Есть: {known}; или путь ФАЙЛ.json',
    )
    assert f'there is no map "zzz"; known: {known}; or' in refused("map=zzz").en
    assert 'did you mean "hexagon"?' in refused("map=Hexagon").en


def test_a_built_in_map_is_no_file() -> None:
    assert refused("map=small.json") == Text(
        "--set map=small.json: map: cannot read small.json: there is no such file; the built-in map is called small",
        "--set map=small.json: map: не читается файл small.json: такого файла нет; встроенная карта называется small",
    )


def test_a_mistake_in_a_file_names_it(tmp_path: Path) -> None:
    path = file(tmp_path, json.dumps(edited({"rows.1": "www"})))
    with pytest.raises(PlaymillError) as caught:
        Config.read({"map": str(path)}, "my_config.json")
    assert caught.value.text == Text(
        f"my_config.json: map: {path}: rows.1: 3 cells; expected 5, like row 0",
        f"my_config.json: map: {path}: rows.1: клеток: 3; ожидается: 5, как в ряду 0",
    )


def test_a_mistake_in_an_object_names_its_path() -> None:
    with pytest.raises(PlaymillError) as caught:
        Config.read({"map": edited({"rows.1": "www", "starts.2.0": [9, 9]})}, "my_config.json")
    assert str(caught.value) == "my_config.json: map.rows.1: 3 cells; expected 5, like row 0"
    with pytest.raises(PlaymillError) as caught:
        Config.read({"map": {"rows": ["ww"]}}, "my_config.json")
    assert str(caught.value) == 'my_config.json: map: the key "name" is missing'
    assert refused("map.rows.3=www").en.startswith("--set map.rows.3=www: map.rows.3: 3 cells; expected 11")


@pytest.mark.parametrize("value", ["7", "null", '["ww"]', "true"])
def test_what_is_no_map(value: str) -> None:
    assert refused(f"map={value}") == Text(
        f"--set map={value}: map: {value}; expected the name of a built-in map, a path FILE.json, or a map",
        f"--set map={value}: map: {value}; ожидается: имя встроенной карты, путь ФАЙЛ.json или сама карта",
    )


def test_the_record() -> None:
    numbers = Config.read({"map": GOOD, "strong_capacity": 20}).pack(3)[0]
    assert (numbers["players"], numbers["cells"], numbers["fixed"]) == (3, 14, 1)
    assert numbers["starts"][:3].tolist() == [1, 5, 9]
    assert numbers["capacity"][:14].tolist() == [8, 8, 20, 8, 8, 8, 8, 8, 8, 20, 8, 8, 8, 8]
    assert numbers["neighbour"][0].tolist() == [1, 4, -1, -1, -1, -1]
    assert numbers["neighbour"][4].tolist() == [5, 10, 9, -1, 0, 1]
    assert (numbers["neighbour"][14:] == -1).all()
    assert Config.read({"map": GOOD}).pack(4)[0]["fixed"] == 0


def test_too_few_cells_for_the_players() -> None:
    with pytest.raises(PlaymillError) as caught:
        Config.read({"map": {"name": "x", "rows": ["www"]}}).pack(4)
    assert caught.value.text == Text(
        'map: "x" has 3 cells, too few for 4 players', 'map: на карте "x" клеток: 3; это мало, игроков 4'
    )


# The schema


def fits(node: Any, data: Any) -> bool:
    """Whether data fits a schema, by the keywords that ours uses."""
    types: dict[str, type] = {"object": dict, "array": list, "string": str, "integer": int}
    if not isinstance(data, types[node["type"]]) or isinstance(data, bool):
        return False
    if isinstance(data, str):
        long = node.get("minLength", 0) <= len(data) <= node.get("maxLength", len(data))
        return long and re.search(node.get("pattern", ""), data) is not None
    if isinstance(data, int):
        return bool(node["minimum"] <= data <= node["maximum"])
    if isinstance(data, list):
        unique = not node.get("uniqueItems") or len({str(each) for each in data}) == len(data)
        count = node["minItems"] <= len(data) <= node["maxItems"]
        return unique and count and all(fits(node["items"], each) for each in data)
    assert isinstance(data, dict)
    known = node["properties"]
    return (
        set(data) <= set(known)
        and set(node.get("required", ())) <= set(data)
        and all(fits(known[key], value) for key, value in data.items())
    )


def test_the_schema_agrees_with_the_checker() -> None:
    node = schema()
    assert node["additionalProperties"] is node["properties"]["starts"]["additionalProperties"] is False
    assert fits(node, GOOD) and fits(node, edited({"$schema": "x"}))
    for example in node["examples"]:
        assert fits(node, example) and messages_of(example) == []
    for made in built_in().values():
        assert fits(node, made.model_dump(mode="json"))
    # What only the checker sees: what depends on other parts of the file.
    beyond = ("like row", "without the holes", "is a hole", "did you mean [")
    for changes, en, _ in MISTAKES:
        if not any(part in text for part in beyond for text in en) and changes.get("name") != "two\nlines":
            assert not fits(node, edited(changes)) or "[7, 7]" in str(en) or "[4, 2]" in str(en), changes


def test_every_field_of_the_schema_is_described() -> None:
    assert all("description" in field for field in schema()["properties"].values())
    node = Config.model_json_schema()["properties"]["map"]
    assert [sorted(choice) for choice in node["anyOf"]] == [["$ref"], ["examples", "type"]]
