"""The command line: what it prints, in both languages, and one sentence for every mistake."""

from __future__ import annotations

import csv
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

import playmill.cli
from playmill.cli import main
from playmill.cli.program import commands


def run(capsys, *words):
    status = main([str(word) for word in words])
    printed = capsys.readouterr()
    return status, printed.out, printed.err


def test_simulate_writes_json_csv_and_a_page(capsys, tmp_path):
    files = {name: tmp_path / f"run.{name}" for name in ("json", "csv", "html")}
    status, out, err = run(
        capsys, "simulate", "dimensions", "--players", 4, "--games", 500, "--seed", 3, "--agents", "dealer",
        "--out", files["json"], "--csv", files["csv"], "--html", files["html"],
    )  # fmt: skip
    assert (status, err) == (0, "")
    assert "How often each faction wins" in out
    saved = json.loads(files["json"].read_text())
    assert saved["meta"]["complete"] is True
    assert saved["meta"]["games"] == 500
    rows = list(csv.DictReader(files["csv"].open()))
    assert len(rows) == 2000
    assert rows[0].keys() >= {"game", "seat", "agent", "faction", "winner", "turns"}
    page = files["html"].read_text()
    assert "<html" in page
    assert sorted(path.name for path in tmp_path.iterdir()) == ["run.csv", "run.html", "run.json"]


@pytest.mark.parametrize("backend", ["cpu", "interpreted"])
def test_results_are_byte_identical_on_every_backend(capsys, tmp_path, backend):
    out = tmp_path / "a.json"
    run(capsys, "simulate", "dimensions", "--games", 60, "--agents", "dealer", "--backend", backend, "--out", out)
    wanted = tmp_path / "b.json"
    run(capsys, "simulate", "dimensions", "--games", 60, "--agents", "dealer", "--workers", 1, "--out", wanted)
    results = [path.read_text().split('"results":')[1] for path in (out, wanted)]
    assert results[0] == results[1]


def test_russian_is_russian(capsys):
    status, out, _ = run(capsys, "simulate", "dimensions", "--games", 50, "--lang", "ru")
    assert status == 0
    assert "Битва Измерений" in out
    assert "Как часто побеждает каждая фракция" in out


def test_games_agents_config_and_schema(capsys):
    assert "dimensions" in run(capsys, "games")[1]
    assert "Битва Измерений" in run(capsys, "games", "--lang", "ru")[1]
    assert "captain=0.3" in run(capsys, "agents", "dimensions")[1]
    assert json.loads(run(capsys, "config", "dimensions")[1])["blue_goal"] == 42
    schema = json.loads(run(capsys, "config", "dimensions", "--schema")[1])
    assert schema["properties"]["hand_size"]["maximum"] == 8
    schema = json.loads(run(capsys, "config", "dimensions", "--schema", "--lang", "ru")[1])
    assert schema["properties"]["hand_size"]["title"] == "Рука"
    for lang, told in (("en", "Cards dealt to"), ("ru", "Сколько карт сдают")):
        listed = " ".join(run(capsys, "config", "dimensions", "--list", "--lang", lang)[1].split())
        assert "hand_size 4 1 … 8" in listed and told in listed


@pytest.mark.parametrize("lang", ["en", "ru"])
def test_show_tells_one_game_move_by_move(capsys, lang):
    status, out, _ = run(capsys, "show", "dimensions", "--seed", 7, "--lang", lang)
    assert status == 0
    assert out.count("\n") > 60
    assert {"en": "Player 1 ", "ru": "Игрок 1 "}[lang] in out
    assert {"en": "wins", "ru": "поб"}[lang] in out.splitlines()[-1]


MISTAKES = {
    "unknown game": (["simulate", "chess"], "there is no game 'chess'; known games: dice, dimensions"),
    "unknown agent": (["simulate", "dimensions", "--agents", "clever"], "dimensions has no agent 'clever'"),
    "players": (["simulate", "dimensions", "--players", "7"], "dimensions is played by 3–5 players, not 7"),
    "players twice": (["simulate", "dimensions", "--players", "3", "4", "3"], "players 3 4 3: 3 is named twice"),
    "players one too many": (["simulate", "dimensions", "--players", "4", "6"], "played by 3–5 players, not 6"),
    "players alone": (["simulate", "save_oneself", "--players", "1", "2"], "is played alone, not by 2 players"),
    "players of nothing": (["simulate", "dimensions", "--players"], "--players: expected at least one argument"),
    "players in words": (
        ["simulate", "dimensions", "--players", "3", "four"],
        "argument --players: 'four' is no number of players; dimensions is played by 3–5 players",
    ),
    "agents for several": (
        ["simulate", "dimensions", "--players", "3", "4", "5", "--agents", "random", "dealer", "tactical"],
        "3 agents for 3, 4 and 5 players: name one for all seats, or 5, one for each seat",
    ),
    "several to show": (["show", "dimensions", "--players", "3", "4"], "unrecognized arguments: 4"),
    "broken json": (["simulate", "dimensions", "--config", "{broken}"], "is not valid JSON: "),
    "binary": (["simulate", "dimensions", "--config", "{binary}"], "it is not UTF-8 text"),
    "no file": (["simulate", "dimensions", "--config", "{none}"], "there is no such file"),
    "folder": (["simulate", "dimensions", "--config", "{folder}"], "it is a folder"),
    "a list": (["simulate", "dimensions", "--config", "{list}"], "config is [1]; expected an object"),
    "unknown key": (["simulate", "dimensions", "--config", "{unknown}"], "there is no key 'colour'"),
    "out of range": (["simulate", "dimensions", "--config", "{range}"], "hand_size is 99; expected at most 8"),
    "a text": (["simulate", "dimensions", "--config", "{text}"], 'hand_size is "4"; expected a whole number'),
    "a fraction": (["simulate", "dimensions", "--set", "hand_size=4.5"], "hand_size is 4.5; expected a whole number"),
    "set without =": (["simulate", "dimensions", "--set", "mode"], "expected path=value"),
    "set unknown": (["simulate", "dimensions", "--set", "blue=1"], "config has no 'blue'; it has: mode,"),
    "set wrong": (["simulate", "dimensions", "--set", "mode=epik"], "expected one of 'baseline' or 'epic'"),
    "set deep": (["simulate", "dimensions", "--set", "mode.x=1"], "mode has no 'x'"),
    "contradiction": (["simulate", "dimensions", "--set", "blue_values=[1]"], "1 values for 11 blue cards"),
    "no games": (["simulate", "dimensions", "--games", "-5"], "argument --games: '-5' is no whole number from 1 to"),
    "not a number": (["simulate", "dimensions", "--games", "many"], "argument --games: 'many' is no whole number"),
    "two agents": (["simulate", "dimensions", "--agents", "random", "random"], "2 agents for 3 players"),
    "unwritable": (["simulate", "dimensions", "--out", "/dev/null/x.json"], "is not a folder"),
    "unwritable csv": (["simulate", "dimensions", "--csv", "{folder}"], "cannot write"),
    "no command": ([], "required: COMMAND"),
    "no game": (["show"], "required: GAME"),
    "bad command": (
        ["simulat", "dimensions"],
        "invalid choice: 'simulat'; did you mean 'simulate'? (see: playmill --help)",
    ),
    "no command like it": (["zzz", "dimensions"], "invalid choice: 'zzz' (choose from 'games', "),
    "bad option": (
        ["simulate", "dimensions", "--bogus"],
        "unrecognized arguments: --bogus (see: playmill simulate --help)",
    ),
    "misspelt option": (
        ["simulate", "dimensions", "--agnets", "random"],
        "unrecognized arguments: --agnets random; did you mean '--agents'? (see: playmill simulate --help)",
    ),
    "option called otherwise there": (
        ["tournament", "dimensions", "--agents", "random", "dealer"],
        "unrecognized arguments: --agents random dealer; did you mean '--entrants'? (see: playmill tournament --help)",
    ),
    "option of another": (
        ["audit", "dimensions", "--games", "5"],
        "unrecognized arguments: --games 5",
    ),
    "misspelt agent": (
        ["simulate", "dimensions", "--agents", "tacticl"],
        "dimensions has no agent 'tacticl'; did you mean 'tactical'? it has random, ",
    ),
    "numbers of none": (
        ["simulate", "dimensions", "--agents", "random:n=3"],
        "agent random takes no numbers; write random alone, without ':n=3'",
    ),
    "a file of a game": (["check", __file__], "test_cli.py is a file; a game is a folder: name "),
    "bad language": (["games", "--lang", "fr"], "invalid choice: 'fr'"),
    "no content": (["content", "dimensions"], "dimensions has no content files; its numbers are in: playmill config"),
    "no content to check": (["content", "grid", "--check", "{list}"], "grid has no content files"),
    "content of nothing": (["content", "chess"], "there is no game 'chess'"),
    "content no file": (["content", "dice", "--content", "{none}"], "there is no such file"),
    "content a list": (["content", "dice", "--content", "{list}"], "a list; expected an object"),
    "content two ways": (["content", "dice", "--schema", "--check", "{list}"], "not allowed with argument --schema"),
    "check nothing": (["content", "dice", "--check"], "argument --check: expected at least one argument"),
    "worth of pig": (["worth", "{pig}"], "pig has no content files; its numbers are in: playmill config pig"),
    "worth of dimensions": (["worth", "dimensions"], "dimensions has no content files"),
    "worth of nonsense": (
        ["worth", "dice", "--only", "nonsense"],
        "nothing of that id to try; there is: alms_box, beggars_luck,",
    ),
    "worth of no games": (
        ["worth", "dice", "--only", "evil", "--games", "0"],
        "argument --games: '0' is no whole number from 1 to",
    ),
    "worth no file": (["worth", "dice", "--content", "{none}"], "there is no such file"),
    "worth unwritable": (["worth", "dice", "--csv", "/dev/null/x.csv"], "is not a folder"),
    "worth agent": (["worth", "dice", "--agents", "clever"], "dice has no agent 'clever'; it has random, threshold"),
    "worth setting": (["worth", "dice", "--set", "target=1"], "config has no 'target'; it has: target_score,"),
    "worth workers": (
        ["worth", "dice", "--workers", "0"],
        "argument --workers: '0' is no whole number",
    ),
    "dice content path": (["simulate", "dice", "--set", "content={none}"], "there is no such file"),
    "dice unknown item": (
        ["simulate", "dice", "--set", 'players.0.items=["bust_shild"]'],
        'players.0.items.0: there is no item "bust_shild"; did you mean "bust_shield"?',
    ),
}


@pytest.fixture
def places(tmp_path):
    texts = {
        "broken": '{"mode": "epic",',
        "list": "[1]",
        "unknown": '{"colour": 3}',
        "range": '{"hand_size": 99}',
        "text": '{"hand_size": "4"}',
    }
    for name, text in texts.items():
        (tmp_path / name).write_text(text)
    (tmp_path / "binary").write_bytes(b"\xff\xfe{")
    (tmp_path / "folder").mkdir()
    pig = Path(__file__).parent.parent / "examples" / "pig"
    return {"pig": str(pig)} | {name: str(tmp_path / name) for name in (*texts, "binary", "folder", "none")}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_every_mistake_gets_one_sentence(capsys, places, mistake):
    words, sentence = MISTAKES[mistake]
    told = []
    for lang in ("en", "ru"):
        given = [word.format(**places) if "{" in word else word for word in words]
        status, out, err = run(capsys, *given, *([] if "--lang" in words or not words else ["--lang", lang]))
        assert (status, out) == (2, "")
        assert err.count("\n") == 1
        assert err.startswith("playmill: ")
        told.append(err)
    assert sentence in told[0]
    if "--lang" not in words and words:
        assert any("а" <= letter <= "я" for letter in told[1].lower())


def test_nothing_is_left_of_a_run_that_failed(capsys, tmp_path):
    bot = tmp_path / "bot.py"
    bot.write_text("def choose(decision):\n    return None\n")
    words = ["simulate", "dimensions", "--games", 5, "--agents", bot, "--strict", "--csv", tmp_path / "rows.csv"]
    status, _, err = run(capsys, *words)
    assert status == 2
    assert "bot, game 0, decision battle: answered None" in err
    assert {path.name for path in tmp_path.iterdir()} - {"__pycache__"} == {"bot.py"}


def test_help_is_fast_and_imports_nothing_heavy():
    code = "import sys; from playmill.cli import main\ntry: main(['--help'])\nexcept SystemExit: pass\n"
    code += (
        "heavy = {'numba', 'numpy', 'polars', 'pydantic', 'rich'} & set(sys.modules); sys.exit(','.join(heavy) or 0)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "simulate" in done.stdout


#: What takes long to import and is needed only by who draws, keeps a run, compiles, or seats a program.
_NOT_AT_A_START = (
    "duckdb filelock llvmlite.binding markdown_it numba playmill.agents.programs.program_agent playmill.drawing.kit"
    " playmill.lab.audit playmill.lab.contests playmill.lab.runs.executors.background_compile polars scipy tomllib"
)
_STARTS = {
    "simulate": "from playmill.cli import main; main(['simulate', 'dimensions', '--games', '200', '--quiet'])",
    "serve": "from playmill.web.server.serve import games_on_offer; games_on_offer()",
}


@pytest.mark.parametrize("command", _STARTS)
def test_a_start_imports_only_what_it_needs(command):
    code = f"{_STARTS[command]}\nimport sys\nprint(*sys.modules.keys() & {_NOT_AT_A_START.split()})"
    for _ in range(2):  # the first time the rules may have to be compiled
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == []


def test_a_command_is_a_file_of_its_name():
    folder = Path(playmill.cli.__file__).with_name("commands")
    files = {path for path in folder.rglob("*.py") if "\nCOMMAND = " in path.read_text(encoding="utf-8")}
    wanted = {folder / command.group.name.lower() / f"{command.name}.py" for command in commands()}
    assert wanted == files, "a command lies in the folder of its group"
    places = [(command.group, command.place) for command in commands()]
    assert len(set(places)) == len(places), "two commands of one group want one place"


@pytest.mark.parametrize("lang", ["en", "ru"])
def test_help_lists_every_command_under_its_group(capsys, lang):
    with pytest.raises(SystemExit):
        main(["--help", "--lang", lang])
    lines = capsys.readouterr().out.splitlines()
    listed = {line.split()[0]: place for place, line in enumerate(lines) if re.match(r"  \w", line)}
    assert [*listed] == [command.name for command in commands()]
    for command in commands():
        title = lines.index(f"{command.group.value.of(lang)}:")
        assert title < listed[command.name]
        assert "" not in lines[title : listed[command.name]]


@pytest.mark.parametrize("command", commands(), ids=lambda command: command.name)
def test_help_of_a_command_is_russian_in_russian(capsys, command):
    with pytest.raises(SystemExit):
        main([command.name, "--help", "--lang", "ru"])
    out = capsys.readouterr().out
    assert out.startswith(f"вызов: playmill {command.name} ")
    assert command.about.ru.split()[0] in out
    for english in ("usage", "options:", "positional", "show this"):
        assert english not in out
