"""Nothing that a command reads is written over: all commands × all their inputs, with their outputs in turn."""

from __future__ import annotations

import argparse
import itertools
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from playmill.cli import main
from playmill.cli.parser import Parser, name, path
from playmill.cli.program import program

PIG = Path(__file__).parents[1] / "examples" / "pig"
REFUSED = "would be written over a file that is read"
#: How words name a file: the word, and the file it would have written over.
FORMS = (
    ("victim.json", "victim.json"),
    ("./victim.json", "victim.json"),
    ("bot.py", "bot.py"),
    ("bot.py:Agent", "bot.py"),
    ("net:victim.json", "victim.json"),
    ("search:net=victim.json,iterations=5", "victim.json"),
    ("program:./bot.py", "bot.py"),
    ("program:python3 bot.py", "bot.py"),
    ("program:move=2:prog", "prog/table.bin"),
    ("program:prog", "prog/bot.py"),
    ("./game", "game/rules.py"),
    ("./game", "game/unused.py"),
    ("run", "run/counts/0.json"),
)


def commands() -> dict[str, Parser]:
    """The parsers of all commands that write files."""
    each = next(one for one in program("en")._actions if isinstance(one, argparse._SubParsersAction))
    return {word: parser for word, parser in each.choices.items() if parser.outputs}


def inputs(parser: Parser) -> Iterator[argparse.Action]:
    """The arguments whose words may name a file that is read."""
    for action in parser._actions:
        others = set(action.option_strings) & {*parser.outputs, "--lang"}
        if action.nargs != 0 and not action.choices and action.type in (None, path, name) and not others:
            yield action


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("victim.json").write_text("{}")
    Path("bot.py").write_text("def choose(decision):\n    return decision.actions[0]\n")
    shutil.copytree(PIG, "game")
    Path("game/unused.py").write_text("MINE = 1\n")
    Path("prog").mkdir()
    shutil.copy("bot.py", "prog/bot.py")
    Path("prog/table.bin").write_text("mine")
    Path("run/counts").mkdir(parents=True)
    for file in ("run/manifest.json", "run/counts/0.json"):
        Path(file).write_text("{}")
    return tmp_path


def contents(folder: Path) -> dict[str, bytes]:
    return {str(path): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.long
def test_all_commands_all_outputs_all_inputs(folder, capsys):
    before = contents(folder)
    tried = held = 0
    turns = itertools.count()
    for command, parser in commands().items():
        needed = [one for one in parser._actions if not one.option_strings and one.nargs not in ("?", "*")]
        for action in inputs(parser):
            for word, victim in FORMS:
                if "program" in word and action.dest in ("file", "run", "runs"):
                    continue
                if not parser.outputs:
                    continue
                # Arguments first: an option that takes many words would take them too.
                words = [command, *(word if one is action else "dice" for one in needed)]
                if action not in needed:
                    words += [action.option_strings[0], word] if action.option_strings else [word]
                words += [parser.outputs[next(turns) % len(parser.outputs)], victim]
                capsys.readouterr()
                tried += 1
                status, told = main(words), capsys.readouterr().err
                assert status == 2, (words, told)
                assert REFUSED in told or "not allowed with" in told or "required" in told, (words, told)
                held += REFUSED in told
    assert contents(folder) == before
    assert tried > 400
    assert held > 0.9 * tried
    print(f"{held} of {tried} refused as written over what is read, the others for another reason")


@pytest.mark.parametrize(
    "words",
    [
        # Read without being named: what an agent imports, what a config names, a run by its name.
        ["simulate", str(PIG), "--games", "4", "--agents", "imports.py", "--out", "helper_simulate.py"],
        ["tournament", str(PIG), "--entrants", "imports.py", "random", "--deals", "2", "--out", "helper_tournament.py"],
        ["simulate", "dice", "--games", "1", "--config", "dice.json", "--out", "content.json"],
        ["report", "mine", "--out", "home/runs/mine/plan.json"],
        ["report", "mine", "--csv", "hard.json"],
        ["resume", "mine", "--html", "home/runs/mine/manifest.json"],
        ["extend", "mine", "--games", "9", "--out", "home/runs/mine/run.json"],
        ["sql", "select 1", "--csv", "home/runs/mine/manifest.json"],
    ],
)
def test_files_that_no_word_names(folder, capsys, monkeypatch, words):
    monkeypatch.setenv("PLAYMILL_HOME", str(folder / "home"))
    monkeypatch.syspath_prepend(folder)
    helper = f"helper_{words[0]}"
    Path(f"{helper}.py").write_text("def first(actions):\n    return actions[0]\n")
    Path("imports.py").write_text(
        f"import {helper}\ndef choose(decision):\n    return {helper}.first(decision.actions)\n"
    )
    Path("content.json").write_text('{"items": []}')
    Path("dice.json").write_text('{"content": ["content.json"]}')
    assert main(["simulate", str(PIG), "--games", "4", "--keep", "mine", "--quiet"]) == 0
    Path("hard.json").hardlink_to("home/runs/mine/plan.json")
    before = contents(folder)
    capsys.readouterr()
    assert main(words) == 2
    assert REFUSED in capsys.readouterr().err
    after = contents(folder)
    assert {key: after.get(key) for key in before} == before


def test_what_one_command_read_the_next_may_write(folder):
    assert main(["simulate", str(PIG), "--games", "4", "--config", "victim.json", "--quiet"]) == 0
    assert main(["simulate", str(PIG), "--games", "4", "--out", "victim.json", "--quiet"]) == 0
