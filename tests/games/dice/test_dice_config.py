"""The set-up of a match: what it says, what is refused and how, and content that comes with it."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from playmill.engine.config.model import differences, load_config
from playmill.games.dice.config import Config, Side
from playmill.games.dice.content import ActiveItem, library
from playmill.games.dice.content.json_schema import EXAMPLE
from playmill.texts import PlaymillError

ITEMS = [item.id for item in library().items]
MODIFIERS = [modifier.id for modifier in library().modifiers]
KITS = [kit.id for kit in library().kits]
DICE = ", ".join(die.id for die in library().dice)


def test_the_plain_game_is_the_default() -> None:
    config = Config()
    assert (config.target_score, config.max_turns) == (4000, 1000)
    assert config.players == [Side(), Side()]
    setup = config.resolved()
    assert [[die.id for die in dice] for dice in setup.dice] == [["fair"] * 6] * 2
    assert (setup.entries, setup.flags, setup.must_roll) == ((), (), False)
    assert differences(config) == {}


def placed(config: Config) -> list[tuple[str, int | None]]:
    """The ids of a match's modifiers and items, in the order in which they have a say, with their owners."""
    return [(entry.content.id, entry.owner) for entry in config.resolved().entries]


def test_a_config_round_trips() -> None:
    config = Config.read(
        {
            "target_score": 2000,
            "players": [{"dice": ["evil"] * 6}, {"items": ["bust_shield"], "modifiers": ["town_tax"]}],
            "global_modifiers": ["five_groats", "town_tax"],
            "global_items": ["double_next_save"],
            "content": EXAMPLE,
        }
    )
    data = config.model_dump(mode="json")
    assert Config.read(json.loads(json.dumps(data))) == config
    assert Config.read(data).model_dump(mode="json") == data
    setup = config.resolved()
    assert [die.weights for die in setup.dice[0]] == [(1, 3, 3, 3, 1, 3)] * 6
    assert placed(config) == [
        ("five_groats", None),
        ("town_tax", None),
        ("town_tax", 1),
        ("double_next_save", None),
        ("bust_shield", 1),
    ]
    assert isinstance(setup.entries[3].content, ActiveItem)


def test_changes_on_the_command_line() -> None:
    config = Config().changed(["players.0.dice.0=loaded_ones", 'players.0.items=["bust_shield"]', "target_score=500"])
    assert config.players[0].dice == ["loaded_ones", *["fair"] * 5]
    assert config.players[0].items == ["bust_shield"]
    assert differences(config) == {
        "target_score": 500,
        "players": [
            {"dice": ["loaded_ones", *["fair"] * 5], "modifiers": [], "items": ["bust_shield"]},
            {"dice": ["fair"] * 6, "modifiers": [], "items": []},
        ],
    }


def test_content_from_a_file_becomes_part_of_the_config(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "my.json").write_text(json.dumps(EXAMPLE), encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    config = Config().changed(["content=my.json", "players.1.dice.5=brass_fives", 'global_items=["quick_hands"]'])
    assert config.content.ids() == {"devils_number": "modifiers", "quick_hands": "items", "brass_fives": "dice"}
    assert config.resolved().dice[1][5].weights == (1, 1, 1, 1, 4, 1)
    (tmp_path / "my.json").unlink()
    assert Config.read(config.model_dump(mode="json")) == config
    again = config.changed(["target_score=100"])
    assert again.content == config.content


def test_content_from_several_files(tmp_path: Path) -> None:
    names = []
    for kind in ("modifiers", "items", "dice"):
        path = tmp_path / f"{kind}.json"
        path.write_text(json.dumps({kind: EXAMPLE[kind]}), encoding="utf-8")
        names.append(str(path))
    assert Config.read({"content": names}) == Config.read({"content": EXAMPLE})
    assert Config.read({"content": []}) == Config()
    path = tmp_path / "match.json"
    path.write_text(json.dumps({"content": names, "global_modifiers": ["devils_number"]}), encoding="utf-8")
    config = load_config(Config, path, ['global_items=["quick_hands"]'])
    assert isinstance(config, Config) and placed(config)[0] == ("devils_number", None)


MISTAKES: list[tuple[dict[str, Any], str]] = [
    ({"players": [{}]}, "players: 1 players; expected 2"),
    ({"players": [{}, {}, {}]}, "players: 3 players; expected 2"),
    ({"players": [{"dice": ["fair"] * 5}, {}]}, "players.0.dice: 5 dice; expected 6, or one id for all six"),
    ({"players": [{"dice": "fair, evil"}, {}]}, "players.0.dice: 2 dice; expected 6, or one id for all six"),
    ({"players": [{"dice": []}, {}]}, "players.0.dice: 0 dice; expected 6, or one id for all six"),
    ({"players": [{"dice": 6}, {}]}, "players.0.dice is 6; expected a list"),
    (
        {"players": [{"dice": "Loaded Ones"}, {}]},
        f'players.0.dice.0: there is no die "Loaded Ones"; did you mean "loaded_ones"? Known: {DICE}',
    ),
    ({"hot_dice_must_roll": 1}, "hot_dice_must_roll is 1; expected true or false"),
    (
        {"kit": "taverna"},
        f'kit: there is no kit "taverna"; did you mean "tavern"? Known: {", ".join(KITS)}',
    ),
    ({"kit": 5}, "kit is 5; expected a text in quotes"),
    ({"kit": "tavern", "players": 5}, "players is 5; expected a list"),
    ({"players": [{}, {"dices": []}]}, "there is no key 'players.1.dices'"),
    ({"players": [{"items": 5}, {}]}, "players.0.items is 5; expected a list"),
    (
        {"players": [{"items": "bust_shield,"}, {"items": "evil"}]},
        'players.1.items.0: "evil" is a die; expected an item',
    ),
    (
        {"players": [{"dice": ["fair"] * 5 + ["loaded_one"]}, {}]},
        f'players.0.dice.5: there is no die "loaded_one"; did you mean "loaded_ones"? Known: {DICE}',
    ),
    (
        {"players": [{}, {"items": ["bust_shild"]}]},
        f'players.1.items.0: there is no item "bust_shild"; did you mean "bust_shield"? Known: {", ".join(ITEMS)}',
    ),
    (
        {"global_modifiers": ["karma"]},
        f'global_modifiers.0: there is no modifier "karma"; known: {", ".join(MODIFIERS)}',
    ),
    ({"global_items": ["evil"]}, 'global_items.0: "evil" is a die; expected an item'),
    (
        {"players": [{"modifiers": ["bust_shield"]}, {}]},
        'players.0.modifiers.0: "bust_shield" is an item; expected a modifier',
    ),
    (
        {"global_items": ["bust_shield"] * 2},
        'global_items.1: "bust_shield" is global_items.0 already; expected each once',
    ),
    (
        {
            "global_modifiers": MODIFIERS,
            "global_items": ITEMS,
            "players": [{"items": ["bust_shield"]}, {"items": ["bust_shield"]}],
        },
        f"global_modifiers: {len(MODIFIERS) + len(ITEMS) + 2} modifiers and items in all "
        f"(global_modifiers {len(MODIFIERS)}, global_items {len(ITEMS)}, players.0.items 1, players.1.items 1); "
        "expected at most 32",
    ),
    ({"content": 5}, "content: 5; expected the path of a content file, a list of paths, or an object with content"),
    ({"content": [5]}, "content.0: 5; expected the path of a content file, a list of paths, or an object with content"),
    (
        {"content": None},
        "content: null; expected the path of a content file, a list of paths, or an object with content",
    ),
    ({"content": "/no/such.json"}, "content: cannot read /no/such.json: there is no such file"),
    (
        {"content": {"dice": [{**EXAMPLE["dice"][0], "weights": [1] * 7}]}},
        "content: dice.0.weights has 7 numbers; expected 6",
    ),
    (
        {"content": {"dice": [{**EXAMPLE["dice"][0], "id": "fair"}]}},
        'content: dice.0.id: "fair" is a die that comes with the game; choose another id, such as "fair_2"',
    ),
]


@pytest.mark.parametrize(("data", "sentence"), MISTAKES, ids=[sentence[:60] for _, sentence in MISTAKES])
def test_a_mistake_gets_its_sentence(data: dict[str, Any], sentence: str) -> None:
    with pytest.raises(PlaymillError) as caught:
        Config.read(data, "my.json")
    text = caught.value.text
    assert text.en == f"my.json: {sentence}"
    path = re.match(r"(?:there is no key )?'?([\w.]+)", sentence)
    assert path is not None and path[1] in text.ru
    assert re.search("[а-я]", text.ru) and "\n" not in text.en + text.ru


def test_a_mistake_in_a_content_file_names_the_file(tmp_path: Path) -> None:
    path = tmp_path / "bad.json"
    path.write_text(
        json.dumps({"items": [{**EXAMPLE["items"][0], "activate_condition": {"cuont": 1}}]}), encoding="utf-8"
    )
    with pytest.raises(PlaymillError) as caught:
        Config().changed([f"content={path}"])
    assert str(caught.value).startswith(
        f'--set content={path}: content: {path}: items.0.activate_condition: there is no condition "cuont"; '
        'did you mean "count"? Known: '
    )


def test_a_player_may_have_what_the_table_has() -> None:
    config = Config.read({"global_items": ["bust_shield"], "players": [{"items": ["bust_shield"]}, {}]})
    assert placed(config) == [("bust_shield", None), ("bust_shield", 0)]


def test_the_room_for_content_is_all_there() -> None:
    modifiers = [{**EXAMPLE["modifiers"][0], "id": f"m{n}"} for n in range(33)]
    ids = [entry["id"] for entry in modifiers]
    content = {"modifiers": modifiers}
    assert placed(Config.read({"content": content, "global_modifiers": ids[:32]}))[31] == ("m31", None)
    with pytest.raises(PlaymillError, match="33 modifiers and items in all"):
        Config.read({"content": content, "global_modifiers": ids})


def test_a_player_reaches_sixteen_active_items() -> None:
    items = [{**EXAMPLE["items"][0], "id": f"i{n}"} for n in range(17)]
    ids = [entry["id"] for entry in items]
    fine = {"content": {"items": items}, "global_items": ids[:10], "players": [{"items": ids[:6]}, {"items": ids[:6]}]}
    assert Config.read(fine).players[1].items == ids[:6]
    with pytest.raises(PlaymillError) as caught:
        Config.read({**fine, "players": [{}, {"items": ids[:7]}]}, "my.json")
    assert caught.value.text == (
        "my.json: players.1.items: 17 active items, global_items counted; expected at most 16",
        "my.json: players.1.items: активных предметов вместе с global_items: 17; ожидается: не больше 16",
    )


# Written the easy way


def test_dice_by_one_name_by_a_text_with_commas_or_by_a_list() -> None:
    six = ["loaded_ones", "fair", "fair", "evil", "fair", "coin"]
    easy = Config().changed(["players.0.dice=loaded_ones, fair,fair,evil,fair,coin", "players.1.dice=evil"])
    assert easy.players == [Side(dice=six), Side(dice=["evil"] * 6)]
    assert Config().changed([f"players.0.dice={json.dumps(six)}"]).players[0].dice == six
    assert Config().changed(['players.1.dice=["evil"]']).players[1].dice == ["evil"] * 6
    assert Config.read({"players": [{"dice": "fair"}, {"dice": ", ".join(six)}]}).players[1].dice == six


def test_modifiers_and_items_by_a_text_with_commas() -> None:
    easy = Config().changed(["players.0.items=bust_shield, lucky_charm", "global_modifiers=town_tax", "global_items="])
    assert (easy.players[0].items, easy.global_modifiers) == (["bust_shield", "lucky_charm"], ["town_tax"])
    assert easy.global_items == []


# Switched off


def test_enabled_in_a_match_and_in_a_file() -> None:
    tax = {**EXAMPLE["modifiers"][0], "enabled": False}
    data = {
        "content": {"modifiers": [tax]},
        "global_modifiers": ["devils_number"],
        "players": [
            {"modifiers": [{"id": "devils_number", "enabled": True}]},
            {"items": [{"id": "bust_shield", "enabled": False}, "lucky_charm"]},
        ],
    }
    config = Config.read(data)
    found = [(entry.content.id, entry.enabled) for entry in config.resolved().entries]
    assert found == [("devils_number", False), ("devils_number", True), ("bust_shield", False), ("lucky_charm", True)]
    assert Config.read(config.model_dump(mode="json")) == config


@pytest.mark.parametrize(
    ("listed", "sentence"),
    [
        ([{"id": "bust_shild", "enabled": False}], 'players.0.items.0: there is no item "bust_shild"'),
        (
            [{"id": "bust_shield", "enabled": False}, "bust_shield"],
            'players.0.items.1: "bust_shield" is players.0.items.0',
        ),
        ([{"id": "bust_shield", "enabled": 0}], "players.0.items.0.enabled: 0; expected true or false"),
        ([{"id": "bust_shield"}], 'players.0.items.0: {"id": "bust_shield"}; expected an id in quotes, or an object'),
        ([5], "players.0.items.0: 5; expected an id in quotes, or an object such as"),
    ],
)
def test_mistakes_in_what_is_switched_off(listed: Any, sentence: str) -> None:
    with pytest.raises(PlaymillError) as caught:
        Config.read({"players": [{"items": listed}, {}]}, "my.json")
    assert sentence in str(caught.value)


# Kits


def test_a_kit_fills_what_is_as_by_default_and_the_config_says_all() -> None:
    config = Config().changed(["kit=cheats_evening"])
    assert config.kit == ""
    assert config.players[0] == config.players[1]
    assert config.players[0].dice == ["loaded_ones", "cheats_pride", *["fair"] * 4]
    assert "quick_switch" in config.players[0].items
    assert Config.read(config.model_dump(mode="json")) == config
    emptied = config.changed(["players.0.items=[]"])
    assert (emptied.players[0].items, emptied.players[0].dice) == ([], config.players[0].dice)


def test_a_kit_leaves_what_the_config_says_itself() -> None:
    config = Config.read({"kit": "tavern", "global_modifiers": ["karl"]} | {"global_modifiers": ["three_bells"]})
    assert config.global_modifiers == ["three_bells"]
    assert [side.items for side in config.players] == [["bust_shield"]] * 2
    mine = Config.read({"kit": "master_and_apprentice", "players": [{"dice": "coin"}, {}]})
    assert [side.dice[0] for side in mine.players] == ["coin", "cardinals"]


def test_every_kit_is_a_match() -> None:
    for kit in library().kits:
        config = Config().changed([f"kit={kit.id}"])
        assert config != Config() and config.pack(2)[0]["content"] == 1


def test_a_kit_of_a_content_file(tmp_path: Path) -> None:
    kit = {
        "name": "My evening",
        "desc": "Mine.",
        "players": [{"items": ["quick_hands"]}, {"dice": ["brass_fives"] * 6}],
    }
    path = tmp_path / "my.json"
    path.write_text(json.dumps({**EXAMPLE, "kits": [kit]}), encoding="utf-8")
    config = Config().changed([f"content={path}", "kit=my_evening"])
    assert (config.players[0].items, config.players[1].dice[5]) == (["quick_hands"], "brass_fives")


def test_a_match_speaks_of_sixteen_flags_of_its_own() -> None:
    flags = [{"id": f"f{n}", "name": f"f{n}"} for n in range(17)]
    items = [
        {**EXAMPLE["items"][0], "id": f"i{n}", "effect": [{"set_flag": f"f{2 * n}"}, {"set_flag": f"f{2 * n + 1}"}]}
        for n in range(8)
    ]
    last = {**EXAMPLE["modifiers"][0], "condition": {"not": {"flag": "f16"}}}
    content = {"flags": flags, "items": items, "modifiers": [last]}
    fine = {"content": content, "global_items": [item["id"] for item in items]}
    assert [flag.id for flag in Config.read(fine).resolved().flags] == [f"f{n}" for n in range(16)]
    with pytest.raises(PlaymillError) as caught:
        Config.read({**fine, "global_modifiers": ["devils_number"]}, "my.json")
    assert caught.value.text.en.startswith(
        "my.json: content: the modifiers and items of this match speak of 17 flags of their own (f16, f0, f1,"
    )
    assert "собственных флагах: 17" in caught.value.text.ru
