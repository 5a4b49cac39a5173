"""`playmill map influence`: the list, the picture, the checker, the schema, the generator."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

import pytest

from playmill.games.influence.maps import drawn, listing, made, map_command, text_of
from playmill.games.influence.maps.generate import generate
from playmill.games.influence.maps.model import Map, built_in, connected, places, schema
from playmill.texts import Lang, PlaymillError, Text


def options(**given: Any) -> argparse.Namespace:
    plain = {"game": "influence", "schema": False, "check": None}
    absent = ("show", "size", "holes", "strong", "symmetric", "seed", "players", "name", "out")
    return argparse.Namespace(**plain | dict.fromkeys(absent) | given)


def refused(**given: Any) -> Text:
    with pytest.raises(PlaymillError) as caught:
        map_command(options(**given), "en")
    return caught.value.text


@pytest.mark.parametrize("lang", ["en", "ru"])
def test_without_options_it_lists_the_built_in_maps(lang: Lang, capsys: pytest.CaptureFixture[str]) -> None:
    assert map_command(options(), lang) == 0
    lines = capsys.readouterr().out.splitlines()
    assert max(map(len, lines)) <= 80
    rows = lines[[line.strip("─") for line in lines].index("") + 1 :]
    for line, entry in zip(rows, listing(), strict=True):
        starts = ", ".join(map(str, entry.starts)) or ("random" if lang == "en" else "случайные")
        size = f"{entry.size[0]}x{entry.size[1]}"
        wanted = [entry.name, size, str(entry.cells), str(entry.strong), str(entry.holes), starts, entry.about.of(lang)]
        assert line.split() == " ".join(wanted).split()


def test_show_draws_shifted_rows(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "my.json"
    path.write_text(json.dumps({"name": "mine", "rows": ["wS.", "www"], "starts": {"2": [[0, 0], [1, 2]]}}))
    assert map_command(options(show=str(path)), "en") == 0
    assert capsys.readouterr().out.splitlines() == [
        "mine: 2x3, 5 cells (1 strong), 1 hole; starts for 2",
        "     0",
        "  0  w S .",
        "  1   w w w",
        "2 players: [0, 0], [1, 2]",
    ]
    assert map_command(options(show=str(path), players=2), "ru") == 0
    assert capsys.readouterr().out.splitlines() == [
        "mine: 2x3, клеток 5 (сильных 1), дыр 1; старты для 2",
        "     0",
        "  0  1 S .",
        "  1   w w 2",
        "игроков 2: [0, 0], [1, 2]",
    ]


def test_columns_are_numbered_above_even_rows() -> None:
    field = generate(2, 64, holes=0, strong=0)
    rows = ["w" * 10 + "S" + "w" * 24 + "S" + "w" * 28, field.rows[1]]
    header, first, second = drawn(Map(name="x", rows=rows))
    assert header.index("10") == first.index("S") and header.index("35") == first.rindex("S")
    assert second.startswith("  1   w")


def test_show_knows_names_and_starts() -> None:
    assert refused(show="rung").en.startswith('there is no map "rung"; did you mean "ring"? Known: small,')
    assert refused(show="ring", players=4) == Text(
        '"ring" says nothing of where 4 players start; it does for: 2, 3, 6',
        'на карте "ring" нет стартов для 4 игроков; есть для: 2, 3, 6',
    )
    assert refused(show="no.json").en == "cannot read no.json: there is no such file"


def test_schema_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    assert map_command(options(schema=True), "ru") == 0
    assert json.loads(capsys.readouterr().out) == schema()


def test_check_tells_all_mistakes_of_all_files(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    good, bad, torn = (tmp_path / name for name in ("good.json", "bad.json", "torn.json"))
    good.write_text(text_of(built_in()["ring"]), encoding="utf-8")
    bad.write_text('{"name": "", "rows": ["ww", "w"]}')
    torn.write_text('{"name": "torn", "rows": ["w.w"]}')
    assert map_command(options(check=[good, bad, torn]), "en") == 2
    assert capsys.readouterr().out.splitlines() == [
        f"{good}: no mistakes; 11x11, 73 cells (13 strong), 48 holes; starts for 2, 3, 6",
        f'{bad}: name: ""; expected a text of 1 to 60 characters on one line',
        f"{bad}: rows.1: 1 cell; expected 2, like row 0",
        f"{torn}: no mistakes; 1x3, 2 cells (0 strong), 1 hole; random starts",
        f"{torn}: note: the field falls into 2 parts (cells: 1, 1; one holds [0, 2]); players in different parts never "
        "meet",
    ]
    assert map_command(options(check=[torn, good]), "ru") == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == f"{torn}: ошибок нет; 1x3, клеток 2 (сильных 0), дыр 1; старты случайные"
    assert lines[1].startswith(f"{torn}: замечание: поле распадается на части: 2 ")


def test_made_follows_the_options() -> None:
    asked = options(size="10x11", holes="10%", strong="25%", symmetric=2, seed=7, name="Моя карта")
    field = made(asked)
    assert field == generate(10, 11, holes=0.1, strong=0.25, symmetric=2, seed=7, name="Моя карта")
    assert made(options(size="6x7")) == generate(6, 7)
    assert made(options(size="6×7", holes="0.2", players=3)) == generate(6, 7, holes=0.2, players=3)
    assert made(options(size="6X7", holes="12,5 %")) == generate(6, 7, holes=0.125)
    assert made(options(size="6х7", holes="0", strong="1")) == generate(6, 7, holes=0, strong=1)  # a Cyrillic х


def test_a_made_map_is_printed_or_written(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    asked = {"size": "9x9", "symmetric": 6, "seed": 3}
    assert map_command(options(**asked), "en") == 0
    printed = capsys.readouterr().out
    field = Map.model_validate_json(printed)
    assert connected(field.rows) and len(places(field.rows)) == 55
    path = tmp_path / "made.json"
    assert map_command(options(**asked, out=path), "en") == 0
    assert capsys.readouterr().out == f"wrote {path}\n"
    assert path.read_text(encoding="utf-8") == printed
    assert map_command(options(check=[path]), "en") == 0


def test_a_map_file_reads_well() -> None:
    field = Map(name='„Озеро“ "x"', rows=["wS", ".w"], starts={"3": [[0, 0], [0, 1], [1, 1]], "2": [[0, 0], [1, 1]]})
    assert text_of(field) == (
        '{\n  "name": "„Озеро“ \\"x\\"",\n  "rows": [\n    "wS",\n    ".w"\n  ],\n'
        '  "starts": {\n    "2": [[0, 0], [1, 1]],\n    "3": [[0, 0], [0, 1], [1, 1]]\n  }\n}\n'
    )
    assert "starts" not in text_of(built_in()["small"])


@pytest.mark.parametrize(
    ("given", "en", "ru"),
    [
        (
            {"size": "10"},
            "--size 10: expected ROWSxCOLUMNS, such as 10x11",
            "--size 10: нужно РЯДЫxСТОЛБЦЫ, например 10x11",
        ),
        (
            {"size": "5x5", "holes": "10"},
            "--holes 10: expected a share from 0% to 100%, such as 10% or 0.1",
            "--holes 10: нужна доля от 0% до 100%, например 10% или 0.1",
        ),
        (
            {"size": "5x5", "strong": "many"},
            "--strong many: expected a share from 0% to 100%, such as 10% or 0.1",
            "--strong many: нужна доля от 0% до 100%, например 10% или 0.1",
        ),
        (
            {"size": "5x5", "name": ""},
            '--name: ""; expected a text of 1 to 60 characters on one line',
            '--name: ""; ожидается: текст одной строкой, от 1 до 60 символов',
        ),
        (
            {"holes": "10%"},
            "--holes needs --size ROWSxCOLUMNS, such as 10x11",
            "к --holes нужен --size РЯДЫxСТОЛБЦЫ, например 10x11",
        ),
        (
            {"seed": 0, "out": Path("x.json")},
            "--seed needs --size ROWSxCOLUMNS, such as 10x11",
            "к --seed нужен --size РЯДЫxСТОЛБЦЫ, например 10x11",
        ),
        (
            {"show": "small", "strong": "5%"},
            "--strong needs --size ROWSxCOLUMNS, such as 10x11",
            "к --strong нужен --size РЯДЫxСТОЛБЦЫ, например 10x11",
        ),
        (
            {"players": 3},
            "--players needs --size ROWSxCOLUMNS, such as 10x11",
            "к --players нужен --size РЯДЫxСТОЛБЦЫ, например 10x11",
        ),
        ({"size": "99x3"}, "99 rows; expected 1 to 64", "рядов: 99; ожидается: от 1 до 64"),
    ],
)
def test_wrong_options_get_one_sentence(given: dict[str, Any], en: str, ru: str) -> None:
    assert refused(**given) == Text(en, ru)


def test_a_folder_is_no_place_to_write_to_and_a_missing_one_is_made(tmp_path: Path) -> None:
    assert "folder" in refused(size="5x5", out=tmp_path).en
    (tmp_path / "file").write_text("")
    assert "folder" in refused(size="5x5", out=tmp_path / "file" / "my.json").en
    assert map_command(options(size="5x5", out=tmp_path / "no" / "my.json"), "en") == 0
    assert (tmp_path / "no" / "my.json").is_file()
