"""The sample bots are built and play; every line to and fro is as the schema has it; authors are told what is wrong."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Mapping
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from playmill import load_game
from playmill.agents.programs.bot_process import BotProcess
from playmill.cli import main
from playmill.lab.contests.bot_check import check_bot

ROOT = Path(__file__).parents[2]
BOTS = ROOT / "examples" / "bots"
SCHEMA = json.loads((ROOT / "docs" / "bots.schema.json").read_text(encoding="utf-8"))
TYPES = {"object": dict, "array": list, "string": str, "integer": int, "number": (int, float), "boolean": bool}
#: Each with its game, what it needs, how it is built, and changes to the config that make for short games.
SAMPLES = {
    "pig_python": ("examples/pig", "python3", "", {"target": 30}),
    "dice_c": ("dice", "cc", "cc -O1 -Wall -Wextra -Werror -o bot bot.c -lm", {"target_score": 1000}),
    "influence_js": ("influence", "node", "", {"map": "small", "round_limit": 3}),
    "pig_rust": ("examples/pig", "rustc", "rustc -O -o bot bot.rs", {"target": 30}),
}


def fits(data: Any, schema: Any) -> bool:
    """Whether data fit the schema, by the keywords that it uses: a stand-in where `jsonschema` is not there."""
    if "$ref" in schema:
        return fits(data, SCHEMA["$defs"][schema["$ref"].removeprefix("#/$defs/")])
    if "oneOf" in schema:
        return sum(fits(data, one) for one in schema["oneOf"]) == 1
    if "type" in schema and (
        not isinstance(data, TYPES[schema["type"]]) or (isinstance(data, bool) and schema["type"] != "boolean")
    ):
        return False
    if data != schema.get("const", data) or data not in schema.get("enum", [data]):
        return False
    if out_of_bounds(data, schema) or not all(name in data for name in schema.get("required", ())):
        return False
    parts = [(data[name], one) for name, one in schema.get("properties", {}).items() if name in data]
    parts += [
        (value, schema["additionalProperties"]) for value in (data.values() if "additionalProperties" in schema else ())
    ]
    parts += [(one, schema["items"]) for one in (data if "items" in schema else ())]
    return all(fits(part, one) for part, one in parts)


def out_of_bounds(data: Any, schema: Any) -> bool:
    """Whether a number or a list is outside of its bounds."""
    return bool(
        ("minimum" in schema and data < schema["minimum"])
        or ("exclusiveMaximum" in schema and data >= schema["exclusiveMaximum"])
        or ("minItems" in schema and len(data) < schema["minItems"])
    )


def is_line(data: Any) -> bool:
    """Whether a line is one of the protocol's, as our judge and, where it is installed, `jsonschema` find."""
    found = fits(data, SCHEMA)
    if find_spec("jsonschema"):
        assert found == import_module("jsonschema").Draft202012Validator(SCHEMA).is_valid(data)
    return found


@pytest.fixture
def said(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """Every line that goes to and fro."""
    lines: list[Any] = []
    write, ask = BotProcess._write, BotProcess.ask

    def writing(self: BotProcess, line: bytes, seconds: float) -> None:
        lines.append(json.loads(line))
        write(self, line, seconds)

    def asking(self: BotProcess, message: Mapping[str, Any], seconds: float) -> tuple[bytes, float]:
        answer = ask(self, message, seconds)
        lines.append(json.loads(answer[0]))
        return answer

    monkeypatch.setattr(BotProcess, "_write", writing)
    monkeypatch.setattr(BotProcess, "ask", asking)
    return lines


@pytest.mark.parametrize("name", SAMPLES)
def test_a_sample_bot_plays_by_the_protocol(name: str, tmp_path: Path, said: list[Any]) -> None:
    game, needs, build, changes = SAMPLES[name]
    if shutil.which(needs) is None or subprocess.run([needs, "--version"], capture_output=True, check=False).returncode:
        pytest.skip(f"{needs} is not here, or does not run")
    folder = tmp_path / name
    shutil.copytree(BOTS / name, folder, ignore=shutil.ignore_patterns("bot"))
    if build:
        subprocess.run(build.split(), cwd=folder, check=True)
    chosen = load_game(game)
    found = check_bot(chosen, str(folder), players=2, config=chosen.config(**changes), games=1)
    assert (found.mishaps, found.games, found.repeats) == ((), 2, True)
    assert found.name
    assert [line for line in said if not is_line(line)] == []
    assert {line["type"] for line in said} == {"hello", "ready", "act", "answer", "over"}


@pytest.mark.parametrize(
    "line",
    [
        {"type": "answer", "number": 1},
        {"type": "answer", "number": 1, "index": True},
        {"type": "answer", "number": 0, "index": 0},
        {"type": "answer", "number": 1, "list": 7},
        {"type": "ready", "name": 5},
        {"type": "bye"},
        [],
    ],
)
def test_the_schema_refuses_what_the_reader_refuses(line: Any) -> None:
    assert not is_line(line)
    assert is_line({"type": "answer", "number": 1, "index": 0, "why": "more may be said"})
    assert is_line({"type": "answer", "number": 1, "list": [[[2, 3], 1]]})


WRONG = """
import json, sys
print("starting", file=sys.stderr)
for line in sys.stdin:
    m = json.loads(line)
    if m["type"] == "hello":
        print('{"type": "ready", "name": "Wrong"}', flush=True)
    elif m["type"] == "act":
        print(json.dumps({"type": "answer", "number": m["number"], "index": 7}), flush=True)
        assert m["number"] < 3, "no idea"
"""


def test_bot_check_tells_each_broken_rule_once(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "bot.py").write_text(WRONG, encoding="utf-8")
    words = ["bot", "check", str(tmp_path), "examples/pig", "--games", "2"]
    assert main(words) == 2
    told = capsys.readouterr()
    assert "Wrong · 2 games of Pig against random" in told.out
    assert told.out.count('it answers with no option: deal 0, seat 1, decision 1: wrote \'{"type": "answer"') == 1
    assert "index is a whole number from 0 to 1 (6 times)" in told.out
    assert "it ends in the middle: deal 0, seat 1, decision 4: ended with status 1: AssertionError: no idea" in told.out
    assert "What it wrote to stderr: " in told.out
    assert told.err.strip() == "playmill: Wrong is not ready"
    assert main([*words, "--lang", "ru"]) == 2
    told = capsys.readouterr()
    assert "отвечает не вариантом из списка: раздача 0, место 1, решение 1: написано" in told.out
    assert "Wrong не готов" in told.err


def test_bot_check_ends_with_ready(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["bot", "check", "python3 examples/bots/pig_python/bot.py", "examples/pig", "--games", "2"]
    assert main([*words, "--set", "target=20"]) == 0
    told = capsys.readouterr().out
    assert "Patience · 2 games of Pig" in told and "median, ms" in told and "The sandbox of programs" in told
    assert told.rstrip().endswith("\nready")
    assert main(["bot", "check", "no-such-bot", "dice"]) == 2
    assert "there is no program no-such-bot" in capsys.readouterr().err
