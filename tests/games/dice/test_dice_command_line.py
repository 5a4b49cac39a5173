"""Dice on the command line: dice and kits picked by name, what they are told of, and what is refused."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from playmill.cli import main
from playmill.games.dice.config import Config
from playmill.games.dice.content import library


def saved(tmp_path: Path, *changes: str) -> dict[str, Any]:
    """The config that a run with these changes saves."""
    path = tmp_path / "run.json"
    words = ["simulate", "dice", "--games", "5", "--agents", "random", "--out", str(path), "--set", *changes]
    assert main(words) == 0
    found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))["meta"]["config"]
    return found


def test_dice_are_picked_by_name(tmp_path: Path) -> None:
    found = saved(tmp_path, "players.0.dice=evil", "players.1.dice=coin, coin,fair,fair,fair,loaded_ones")
    assert [side["dice"] for side in found["players"]] == [
        ["evil"] * 6,
        ["coin", "coin", "fair", "fair", "fair", "loaded_ones"],
    ]


def test_a_kit_is_picked_by_one_word(tmp_path: Path) -> None:
    found = saved(tmp_path, "kit=tavern", "players.1.items=lucky_charm")
    assert found["global_modifiers"] == ["five_groats", "town_tax", "innkeepers_tip"]
    assert [side["items"] for side in found["players"]] == [["bust_shield"], ["lucky_charm"]]
    assert Config.read(found).kit == ""


@pytest.mark.parametrize(
    ("change", "sentences"),
    [
        (
            "players.0.dice=loadedones",
            (
                'players.0.dice.0: there is no die "loadedones"; did you mean "loaded_ones"? Known: fair, loaded_ones,',
                'players.0.dice.0: нет кости "loadedones"; может быть, "loaded_ones"? Есть: fair, loaded_ones,',
            ),
        ),
        (
            "players.0.dice=evil,fair",
            (
                "players.0.dice: 2 dice; expected 6, or one id for all six",
                "players.0.dice: костей: 2; ожидается: 6 или один id на все шесть",
            ),
        ),
        (
            "kit=taverna",
            ('kit: there is no kit "taverna"; did you mean "tavern"? Known: tavern,', 'kit: нет набора "taverna";'),
        ),
        ("kit=5", ("kit is 5; expected a text in quotes", "kit равно 5; ожидается: текст в кавычках")),
    ],
)
def test_what_is_not_known_gets_one_sentence(
    change: str, sentences: tuple[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    for lang, sentence in zip(("en", "ru"), sentences, strict=True):
        assert main(["simulate", "dice", "--games", "5", "--lang", lang, "--set", change]) == 2
        said = capsys.readouterr().err
        assert sentence in said and "Traceback" not in said and said.count("\n") == 1


def test_kits_and_flags_are_listed_with_the_rest(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["content", "dice"]) == 0
    listed = capsys.readouterr().out
    for name in [*(kit.id for kit in library().kits), *(flag.id for flag in library().flags)]:
        assert f" {name} " in listed
    assert main(["content", "dice", "--lang", "ru"]) == 0
    assert "набор" in capsys.readouterr().out


def test_content_with_flags_locks_and_a_kit_is_checked_listed_and_played(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "my.json"
    item = {"type": "active", "cooldown_turns": 1, "desc": "It does.", "notification": "Done"}
    data = {
        "flags": [{"name": "Glow", "lasts": "turn"}],
        "items": [
            {**item, "name": "Lamp", "effect": [{"set_flag": "glow"}, {"lock": {"dice": "lowest"}}]},
            {**item, "name": "Snuffer", "activate_condition": {"flag": "glow"}, "effect": {"clear_flag": "glow"}},
        ],
        "kits": [{"name": "Dusk", "desc": "Lamps for both.", "global_items": ["lamp", "snuffer"]}],
    }
    path.write_text(json.dumps(data), encoding="utf-8")
    assert main(["content", "dice", "--check", str(path)]) == 0
    assert "no mistakes; entries: 4" in capsys.readouterr().out
    assert main(["content", "dice", "--content", str(path)]) == 0
    assert " dusk " in capsys.readouterr().out
    found = saved(tmp_path, f"content={path}", "kit=dusk")
    assert found["global_items"] == ["lamp", "snuffer"]
