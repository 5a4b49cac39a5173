"""Agents that are programs: found as they are written, asked in JSON lines, out of a game when they fail."""

from __future__ import annotations

import json
import shlex
import shutil
import stat
import sys
from pathlib import Path

import pytest

from playmill import PlaymillError, load_game, simulate
from playmill.agents.agent_specs import seats_for
from playmill.agents.mixed_match import MixedMatch
from playmill.agents.programs.limits import Limits
from playmill.agents.programs.program_agent import BotFailure
from playmill.agents.programs.spec import read_program
from playmill.cli import main
from playmill.engine.run.match import Match

PIG = "examples/pig"
HEAD = """
import json, os, sys, time
def say(**message):
    print(json.dumps(message), flush=True)
def answer(m, index=0):
    say(type="answer", number=m["number"], index=index)
def each():
    for line in sys.stdin:
        m = json.loads(line)
        if m["type"] == "hello":
            say(type="ready", name="Test")
        elif m["type"] == "quit":
            break
        else:
            yield m
"""
HOLD_AT_20 = """
for m in each():
    if m["type"] == "act":
        answer(m, 1 if m["seen"]["pot"] >= 20 else 0)
"""


def bot(folder: Path, body: str, name: str = "bot") -> str:
    """What names a bot of this text."""
    (folder / name).mkdir(exist_ok=True)
    (folder / name / "bot.py").write_text(HEAD + body, encoding="utf-8")
    (folder / name / "bot.toml").write_text(f"run = '{shlex.quote(sys.executable)} -I -S bot.py'\n", encoding="utf-8")
    return f"program:{folder / name}"


def test_a_program_plays_as_the_same_agent_in_python(tmp_path: Path) -> None:
    (tmp_path / "hold.py").write_text(
        "def choose(d):\n    return 'hold' if d.seen['pot'] >= 20 else 'roll'\n", encoding="utf-8"
    )
    runs = [
        simulate(PIG, games=6, agents=[agent, "threshold"], strict=True, rotate=True)
        for agent in (bot(tmp_path, HOLD_AT_20), str(tmp_path / "hold.py"))
    ]
    assert runs[0].results["seats"] == runs[1].results["seats"]


def troubles_of(spec: str, games: int = 2, limits: Limits | None = None) -> tuple[list[BotFailure], int]:
    """What goes wrong when a bot plays Pig against `random`, and how many games were finished."""
    game = load_game(PIG)
    seats = seats_for(game, 2, [read_program(spec, limits), "random"])
    found: list[BotFailure] = []
    assert seats[0].program
    seats[0].program.on_trouble = found.append
    match = Match(game, game.config(target=20), 2, 1, tuple(s.number for s in seats), (0, 1), ((), ()))
    chunk = MixedMatch(match, seats, interpreted=True).play(0, games)
    seats[0].program.close()
    return found, chunk.games


#: Whatever a bot does, in a word of ours and in a part of the sentence.
WAYS = {
    "crash at start": ("1/0", "crash", "ZeroDivisionError"),
    "exit at start": ("sys.exit(0)", "crash", "ended with status 0"),
    "crash later": ("for m in each():\n    if m['number'] == 3: os.abort()\n    answer(m)", "crash", "SIGABRT"),
    "silence": ("time.sleep(60)", "late", "was not ready within 1 s"),
    "endless loop": ("next(each())\nwhile True: pass", "late", "no answer within 0.5 s"),
    "flood without a line": ("while True: sys.stdout.write('x' * 65536)", "flood", "a line longer than 64 kB"),
    "flood of complaints": ("while True: sys.stderr.write('x' * 65536)", "flood", "more than 256 kB in one game"),
    "no words": ("next(each())\nprint('roll', flush=True)\ntime.sleep(60)", "illegal", "a line is one JSON object"),
    "half a line": ("next(each())\nsys.stdout.write('{')\nsys.stdout.flush()\ntime.sleep(60)", "late", "within 0.5 s"),
    "no text": ("next(each())\nos.write(1, b'\\xff\\n')\ntime.sleep(60)", "illegal", "a line is UTF-8"),
    "deep": ("next(each())\nprint('[' * 50_000, flush=True)\ntime.sleep(60)", "illegal", "one JSON object"),
    "no number": ("m = next(each())\nsay(type='answer', number=m['number'], index=float('nan'))", "illegal", "JSON"),
    "true": ("m = next(each())\nanswer(m, True)", "illegal", "index is a whole number from 0 to 1"),
    "not an option": ("m = next(each())\nanswer(m, 2)", "illegal", "index is a whole number from 0 to 1"),
    "huge": ("m = next(each())\nprint('{\"index\":' + '9' * 9999 + '}', flush=True)", "illegal", "one JSON object"),
    "another question": ("m = next(each())\nm['number'] = 7\nanswer(m)", "illegal", "that of the question, 1"),
    "twice": ("for m in each():\n    answer(m)\n    answer(m)", "illegal", "that of the question, 2"),
    "a list": ("m = next(each())\nsay(type='answer', number=m['number'], list=[1])", "illegal", "an index, not a list"),
    "no ready": ("input()\nsay(type='hello')\ntime.sleep(60)", "nonsense", '"ready"'),
}


@pytest.mark.parametrize("way", WAYS)
def test_a_bot_that_fails_is_out_of_its_game_and_begins_the_next(tmp_path: Path, way: str) -> None:
    body, fault, words = WAYS[way]
    # Only what has to be late is hurried.
    limits = Limits(
        output=256, forfeit=True, **{"start": 1.0} if way == "silence" else {"move": 0.5} if fault == "late" else {}
    )
    played = 1 if fault == "illegal" else 2
    found, games = troubles_of(bot(tmp_path, body), played, limits)
    assert games == played
    assert [(one.game, one.fault, one.lost) for one in found] == [(game, fault, True) for game in range(played)]
    assert words in found[0].reason.en


def test_without_forfeit_a_wrong_answer_costs_one_decision(tmp_path: Path) -> None:
    body = "for m in each():\n    if m['type'] == 'act': answer(m, 9 if m['number'] == 2 else 1)"
    found, _ = troubles_of(bot(tmp_path, body), games=1)
    assert [(one.decision, one.lost) for one in found] == [(2, False)]


def test_strict_names_the_bot_the_game_and_the_answer(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    spec = bot(tmp_path, "for m in each(): answer(m, 5)")
    assert main(["simulate", PIG, "--games", "2", "--agents", spec, "random", "--strict"]) == 2
    told = capsys.readouterr().err
    assert f"agent {spec}, game 0, decision roll or hold: wrote" in told
    assert '"index": 5' in told


def test_complaints_are_kept_up_to_a_cap(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PLAYMILL_HOME", str(tmp_path / "home"))
    body = "sys.stderr.write('y' * 5000 + '\\n')\nsys.stderr.flush()\nfor m in each(): answer(m)"
    troubles_of(bot(tmp_path, body), limits=Limits(stderr=2))
    kept = list((tmp_path / "home" / "bots").glob("*.stderr.txt"))
    assert [file.read_text() for file in kept] == ["y" * 2048]


@pytest.mark.parametrize(
    ("spec", "words"),
    [
        ("program:", "after program: comes a command or a folder"),
        ("program:no-such-thing --fast", "there is no program no-such-thing"),
        ("program:./README.md", "README.md is not a file that can be run"),
        ("program:docs", "the folder holds no bot.toml"),
        ("program:/", "the folder holds more than a bot"),
        ("program:'x", "a quotation mark is open"),
        ("program:move=x:python3", "cannot read the limit 'move=x'"),
        ("program:move=0:python3", "the limit move=0 of a program cannot be"),
        ("program:speed=3:python3", "the limit speed=3 of a program cannot be"),
    ],
)
def test_a_program_that_cannot_be_is_told_at_once(spec: str, words: str) -> None:
    with pytest.raises(PlaymillError, match=words):
        seats_for(load_game(PIG), 2, [spec])


def test_what_finds_a_program_again_names_the_same_program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "my bot"
    file.write_text("#!/bin/sh\n", encoding="utf-8")
    file.chmod(file.stat().st_mode | stat.S_IXUSR)
    monkeypatch.chdir(tmp_path)
    found = read_program("program:move=2,memory=256:'./my bot' --fast")
    assert found.command == (str(file), "--fast")
    assert (found.limits.move, found.limits.memory, found.folder) == (2, 256, tmp_path)
    monkeypatch.chdir("/")
    again = read_program(json.loads(json.dumps(found.spec)))
    assert (again.command, again.limits, again.folder, again.code) == (
        found.command,
        found.limits,
        found.folder,
        found.code,
    )


def test_a_bot_in_a_folder_with_everything_reads_its_own_files_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PLAYMILL_HOME", str(tmp_path / "home"))
    (tmp_path / "bot.py").write_text("", encoding="utf-8")
    found = read_program(f"program:python3 {tmp_path / 'bot.py'}")
    assert tmp_path not in found.readable and tmp_path / "bot.py" in found.readable
    own = tmp_path / "own"
    own.mkdir()
    shutil.move(tmp_path / "bot.py", own)
    assert own in read_program(f"program:python3 {own / 'bot.py'}").readable
    assert read_program(f"program:memory=99:{own}").spec == f"program:memory=99:{own}"


def test_a_word_is_looked_for_before_a_file_that_lies_here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "sh").write_text("#!/bin/sh\n", encoding="utf-8")
    (tmp_path / "sh").chmod(0o755)
    monkeypatch.chdir(tmp_path)
    assert read_program("program:sh -c true").command[0] != str(tmp_path / "sh")
    assert read_program("program:./sh -c true").command[0] == str(tmp_path / "sh")


def test_a_script_that_cannot_be_run_by_itself_is_run_by_its_language(tmp_path: Path) -> None:
    file = tmp_path / "bot.py"
    file.write_text("", encoding="utf-8")
    alone, by_folder = read_program(f"program:{file} --fast"), read_program(f"program:{tmp_path}")
    assert Path(alone.command[0]).name.startswith("python") and alone.command[1:] == (str(file), "--fast")
    assert by_folder.command[1:] == (str(file),)
    file.chmod(0o755)
    assert read_program(f"program:{file}").command[1:] == (str(file),)
    file.write_text("#!/usr/bin/env python3\n", encoding="utf-8")
    assert read_program(f"program:{file}").command == (str(file),)
