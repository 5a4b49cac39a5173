"""Games in the open form: what its schema says, what a stranger reads, and that it tells the game that was played."""

from __future__ import annotations

import csv
import io
import json
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from importlib import import_module
from importlib.util import find_spec
from typing import Any

import pytest

from common.found import FOLDERS, ROOT, game_of
from playmill.cli import main
from playmill.lab.replays.open_format import FORM, open_form
from playmill.lab.replays.replay import Replay, play_again, record
from playmill.lab.replays.replay_file import save

SCHEMA = json.loads((ROOT / "docs" / "replay.schema.json").read_text(encoding="utf-8"))
TYPES = {"object": dict, "array": list, "string": str, "integer": int, "number": (int, float), "null": type(None)}
NOTES = {"$schema", "$defs", "title", "description"}


def recorded(name: str, **settings: Any) -> Replay:
    game = game_of(name)
    made = record(game, players=game.players[0], config=game.config(), **settings)
    return replace(made, folder=str(FOLDERS[name]) if name in FOLDERS else None)


FITS: dict[str, Callable[[Any, Any], bool]] = {
    "type": lambda data, wanted: any(
        isinstance(data, TYPES[one]) and not isinstance(data, bool)
        for one in ([wanted] if isinstance(wanted, str) else wanted)
    ),
    "required": lambda data, names: all(name in data for name in names),
    "const": lambda data, value: bool(data == value),
    "enum": lambda data, values: data in values,
    "minimum": lambda data, least: bool(data >= least),
    "maximum": lambda data, most: bool(data <= most),
    "minItems": lambda data, least: len(data) >= least,
}


def misfits(data: Any, schema: Any = SCHEMA, path: str = "") -> list[str]:
    """Where data do not fit the schema, by the keywords that it uses; a stand-in where `jsonschema` is not there."""
    found = []
    for key, value in schema.items():
        if key == "$ref":
            found += misfits(data, SCHEMA["$defs"][value.removeprefix("#/$defs/")], path)
        elif key == "properties":
            for name in value.keys() & data.keys():
                found += misfits(data[name], value[name], f"{path}.{name}")
        elif key == "items":
            for place, one in enumerate(data):
                found += misfits(one, value, f"{path}[{place}]")
        elif key not in NOTES and not FITS[key](data, value):
            return [*found, f"{path}: {key}"]
    return found


@pytest.mark.parametrize("name", ["dice", "save_oneself", "pig"])
def test_the_open_form_fits_its_schema_and_tells_the_game(name):
    replay = recorded(name, seed=2)
    data = json.loads(json.dumps(open_form(replay), allow_nan=False))
    assert misfits(data) == []
    if find_spec("jsonschema"):
        import_module("jsonschema").Draft202012Validator(SCHEMA).validate(data)
    chosen = [(move.player, move.text) for move in replay.moves]
    done = iter((action["player"], action["text"]) for action in data["actions"])
    assert all(move in done for move in chosen)  # in their order, with actions without a choice between them
    assert data["end"]["returns"] == list(replay.returns)
    assert [turn["last"] + 1 for turn in data["turns"][:-1]] == [turn["first"] for turn in data["turns"][1:]]
    assert data["turns"][-1]["last"] == len(data["actions"])
    assert data["turns"][-1]["counting"] == data["end"]["counting"]
    assert data["config"] == replay.config


@pytest.mark.parametrize(
    "change",
    [
        {"open_replay": FORM + 1},
        {"players": []},
        {"seed": "3"},
        {"actions": [{"number": 1}]},
        {"end": {"returns": [True], "winners": [], "position": {"en": "", "ru": ""}, "counting": []}},
    ],
)
def test_the_schema_refuses_what_is_not_of_the_form(change):
    assert misfits({**open_form(recorded("pig", seed=2)), **change})


def test_counts_after_a_turn_are_those_of_the_position_then():
    replay = recorded("pig", seed=5)
    data = open_form(replay)
    totals = [state.record["total"].tolist() for state in play_again(replay, "file")]
    told = [turn["counting"][0]["values"] for turn in data["turns"]]
    assert told[-1] == totals[-1] and all(values in totals for values in told)


def test_a_program_that_knows_nothing_of_playmill_reads_it(tmp_path, capsys):
    file, made = tmp_path / "game.json", tmp_path / "open.json"
    save(file, recorded("pig", seed=2))
    assert main(["replay", str(file), "--game", str(FOLDERS["pig"]), "--json", str(made)]) == 0
    assert capsys.readouterr().out == f"wrote {made}\n"
    script = ROOT / "examples" / "read_replay.py"
    assert "import playmill" not in script.read_text(encoding="utf-8")
    # Isolated, without the packages of the environment: nothing of Playmill can be imported.
    done = subprocess.run(
        [sys.executable, "-I", "-S", str(script), str(made)], capture_output=True, text=True, check=True
    )
    rows = list(csv.DictReader(io.StringIO(done.stdout)))
    end = json.loads(made.read_text(encoding="utf-8"))["end"]["counting"][0]["values"]
    assert [int(rows[-1][f"Points of player {seat}"]) for seat in (1, 2)] == end
    other = subprocess.run([sys.executable, "-I", "-S", str(script), str(file)], capture_output=True, check=False)
    assert other.returncode == 1 and b"not a game in the open form" in other.stderr
