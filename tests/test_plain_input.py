"""Whatever is typed, piped or linked: one sentence and status 2, soon, and nothing in it that a terminal would obey."""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
import time
from pathlib import Path

import pytest

from playmill import PlaymillError, State, simulate
from playmill.cli import main
from playmill.engine.config import json_input as json_text
from playmill.engine.config.model import load_config
from playmill.engine.contract.game import load_game
from playmill.engine.run.batch import Batch
from playmill.games.dimensions.config import Config
from playmill.texts import LONGEST_SENTENCE, one_line

PIG = "examples/pig"
#: Seconds of the processor that an answer may take: what others do on the machine does not count.
SOON = 20


def refused(capsys, *words) -> str:
    """The one sentence of a refusal, in English; the Russian one has been looked at too."""
    told = {}
    for lang in ("en", "ru"):
        start = time.process_time()
        status = main([*map(str, words), "--lang", lang])
        assert time.process_time() - start < SOON
        printed = capsys.readouterr()
        assert (status, printed.out) == (2, ""), printed
        assert printed.err.startswith("playmill: ") and printed.err.count("\n") == 1
        assert printed.err[:-1].isprintable()
        assert len(printed.err) < LONGEST_SENTENCE + 20
        told[lang] = printed.err[len("playmill: ") : -1]
    assert any("а" <= letter <= "я" for letter in told["ru"].lower()), told["ru"]
    return told["en"]


def run(*words, **settings) -> subprocess.CompletedProcess[bytes]:
    """The command in a process of its own."""
    command = [sys.executable, "-m", "playmill", *words]
    env = {**os.environ, "PLAYMILL_LANG": "en", **settings.pop("env", {})}
    env.pop("PYTHONUNBUFFERED", None)  # what waits to be printed as a program ends is part of the question
    given = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **settings}
    return subprocess.run(command, env=env, timeout=300, check=False, **given)


# JSON


JSON = {
    "deep lists": ("[" * 100_000, "is nested too deeply; expected at most 150 levels"),
    "deep and whole": ("[" * 500 + "]" * 500, "is nested too deeply"),
    "deep objects": ('{"a":' * 300 + "1" + "}" * 300, "is nested too deeply"),
    "digits": ('{"hand_size": ' + "9" * 5000 + "}", "the number 99999999999999999999… has 5000 digits"),
    "endless": ('{"hand_size": 1e400}', "hand_size is inf, which is no number of JSON, or too large a one"),
    "no number": ('{"blue_values": [1, NaN]}', "blue_values.1 is nan, which is no number of JSON"),
    "a key twice": ('{"mode": "epic", "mode": "baseline"}', "the key 'mode' is there more than once; expected once"),
    "a deep key twice": ('{"a": [{"b": 1, "b": 2}]}', "the key 'a.0.b' is there more than once"),
    "a terminal's orders": ('{"\\u001b[2J\\u0007": 1}', r"there is no key '\x1b[2J\x07'"),
    "half a character": ('{"\\ud800": 1}', ""),
    "a huge key": (json.dumps({"k" * 1_000_000: 1}), "there is no key 'kkkk"),
    "20,000 keys": (json.dumps({f"k{i}": i for i in range(20_000)}), "there is no key 'k0'"),
    "empty": ("", "is empty; expected JSON"),
    "zeros": ("\0" * 1000, "is not valid JSON"),
}


@pytest.mark.parametrize("case", JSON)
def test_json_that_nobody_means_is_refused_in_a_sentence(capsys, tmp_path, case):
    text, sentence = JSON[case]
    path = tmp_path / "c.json"
    path.write_text(text)
    assert sentence in refused(capsys, "simulate", "dimensions", "--config", path)
    refused(capsys, "replay", path)


@pytest.mark.parametrize("case", ["deep lists", "digits", "endless", "a deep key twice"])
def test_changes_on_the_command_line_are_read_as_strictly(capsys, case):
    refused(capsys, "simulate", "dimensions", "--set", f"hand_size={JSON[case][0]}")


def test_a_path_is_set_once(capsys):
    said = refused(capsys, "show", "dimensions", "--set", "hand_size=3", "--set", "hand_size=4")
    assert said == "--set: 'hand_size' is given twice; expected once"


@pytest.mark.parametrize(
    ("words", "told", "told_ru"),
    [
        (("compare", "dimensions", "--b", "nothing=3"), "--b nothing: config has", "--b nothing: в config нет"),
        (("compare", "grid", "--a", "nothing=3"), "--a nothing: config has", "--a nothing: в config нет"),
        (("compare", "dimensions", "--b", "=3"), "--b '=3': expected path=value,", "--b '=3': нужно путь=значение,"),
        (
            ("compare", "dimensions", "--a", "hand_size=99", "mode=epic"),
            "--a hand_size=99 mode=epic: hand_size is 99; expected at most 8",
            "--a hand_size=99 mode=epic: hand_size равно 99; ожидается: не больше 8",
        ),
        (
            ("tournament", "dimensions", "--entrants", "random", "dealer", "tactical", "--setting", "nothing=3"),
            "--setting nothing: config has",
            "--setting nothing: в config нет",
        ),
    ],
)
def test_a_mistake_names_the_option_it_came_by(capsys, words, told, told_ru):
    for lang, begins in (("en", told), ("ru", told_ru)):
        assert main([*words, "--lang", lang]) == 2
        said = capsys.readouterr().err
        assert said.startswith(f"playmill: {begins}") and "--set " not in said


def test_thousands_of_changes_do_not_hide_what_is_wrong(capsys):
    changes = [f"blue_values.{i}=1" for i in range(11)] + ["hand_size=99"]
    said = refused(capsys, "show", "dimensions", "--set", *changes, "blue_goal=" + " " * 400 + "1")
    assert said == "--set: hand_size is 99; expected at most 8"


def test_a_hundred_thousand_starts_are_checked_at_once(capsys, tmp_path):
    path = tmp_path / "m.json"
    path.write_text(json.dumps({"name": "x", "rows": ["ww"], "starts": {"2": [[0, 0]] * 100_000}}))
    start = time.process_time()
    assert main(["map", "influence", "--check", str(path)]) == 2
    assert time.process_time() - start < SOON
    assert "and 99980 more" in capsys.readouterr().out


def test_a_map_with_many_keys_given_twice_is_checked_at_once(capsys, tmp_path):
    path = tmp_path / "m.json"
    path.write_text("{" + ",".join(f'"k{i % 10_000}": 1' for i in range(20_000)) + "}")
    start = time.process_time()
    assert main(["map", "influence", "--check", str(path)]) == 2
    assert time.process_time() - start < SOON
    assert capsys.readouterr().out.count("\n") == 21


def test_a_config_from_python_that_is_no_json_gets_a_sentence():
    endless: list[object] = []
    endless.append(endless)
    for data in ({"hand_size": {1, 2}}, {"hand_size": endless}, {"hand_size": float("nan")}, {"hand_size": 10**5000}):
        with pytest.raises(PlaymillError):
            Config.read(data)


# Files


def test_devices_are_not_read(capsys):
    for device in ("/dev/zero", "/dev/full", "/dev/null", "/dev/urandom"):
        assert "it is a device, not a file" in refused(capsys, "simulate", "dimensions", "--config", device)
        assert "it is a device, not a file" in refused(capsys, "replay", device)


def test_a_file_larger_than_anything_meant_is_not_read(capsys, tmp_path):
    path = tmp_path / "large.json"
    with path.open("wb") as file:
        file.truncate(2**40)
    assert "it has more than 16 MiB" in refused(capsys, "simulate", "dimensions", "--config", path)


def test_a_pipe_through_which_nothing_comes_is_given_up(capsys, tmp_path, monkeypatch):
    monkeypatch.setattr(json_text, "PIPE_SECONDS", 0.2)
    path = tmp_path / "pipe"
    os.mkfifo(path)
    assert "nothing came for 0.2 seconds" in refused(capsys, "simulate", "dimensions", "--config", path)
    silent = os.open(path, os.O_RDWR)
    assert "nothing came for 0.2 seconds" in refused(capsys, "simulate", "dimensions", "--config", path)
    os.close(silent)


def test_a_pipe_is_read_to_its_end():
    code = "import sys, time; sys.stdout.write('{\"hand_'); sys.stdout.flush(); time.sleep(0.3); print('size\": 3}')"
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE) as writer:
        assert writer.stdout is not None
        config = load_config(Config, Path(f"/dev/fd/{writer.stdout.fileno()}"), [])
    assert config.hand_size == 3


def test_a_pipe_without_end_is_given_up(capsys):
    with subprocess.Popen(["cat", "/dev/zero"], stdout=subprocess.PIPE) as writer:
        assert writer.stdout is not None
        path = f"/dev/fd/{writer.stdout.fileno()}"
        with pytest.raises(PlaymillError, match="it has more than 16 MiB"):
            load_config(Config, Path(path), [])
        writer.kill()


@pytest.fixture
def odd(tmp_path, monkeypatch) -> dict[str, str]:
    """Names of files that cannot be read."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "loop").symlink_to("loop")
    return {
        "loop": "loop",
        "inside a loop": "loop/x.json",
        "too long": "x" * 300 + ".json",
        "far too long": "x/" * 3000,
        "a zero": "a\0b",
        "empty": "",
        "not UTF-8": os.fsdecode(b"caf\xe9.json"),
        "orders": "\x1b[31mred\x07.json",
        "lines": "a\nb.json",
    }


ODD = ("loop", "inside a loop", "too long", "far too long", "a zero", "empty", "not UTF-8", "orders", "lines")


@pytest.mark.parametrize("case", ODD)
def test_odd_names_of_files_get_a_sentence(capsys, odd, case):
    name = odd[case]
    refused(capsys, "simulate", "dimensions", "--config", name)
    refused(capsys, "replay", name)
    refused(capsys, "content", "dice", "--content", name)
    refused(capsys, "map", "influence", "--show", f"{name}.json" if name else "x/")
    refused(capsys, "simulate", "influence", "--set", f"map={name}.json")
    refused(capsys, "simulate", "dimensions", "--agents", f"{name}.py")
    if case != "empty":
        refused(capsys, "simulate", f"{name}/game")


def test_a_file_whose_name_is_not_utf8_is_read_and_named(tmp_path):
    path = tmp_path / os.fsdecode(b"caf\xe9.json")
    path.write_text('{"hand_size": 3}')
    out = tmp_path / os.fsdecode(b"out\xff.json")
    done = run("record", PIG, "--out", os.fsencode(out))
    assert (done.returncode, done.stderr) == (0, b"")
    assert out.exists()
    done = run("config", "dimensions", "--config", os.fsencode(path))
    assert done.returncode == 2
    assert b"Traceback" not in done.stderr
    assert load_config(Config, path, []).hand_size == 3


# Numbers


NUMBERS = [
    ("simulate", "dimensions", "--games", "1e400"),
    ("simulate", "dimensions", "--games", "9" * 5000),
    ("simulate", "dimensions", "--games", "1e3000000000"),
    ("simulate", "dimensions", "--games", "nan"),
    ("simulate", "dimensions", "--games", "1.5"),
    ("simulate", "dimensions", "--games", str(2**63)),
    ("simulate", "dimensions", "--games", ""),
    ("simulate", "dimensions", "--trace", "-5"),
    ("simulate", "dimensions", "--trace", "1e9"),
    ("simulate", "dimensions", "--workers", "0"),
    ("simulate", "dimensions", "--workers", "-1"),
    ("simulate", "dimensions", "--workers", "1e9"),
    ("show", "dimensions", "--number", "-1"),
    ("record", "dimensions", "--number", "-1"),
    ("worth", "dice", "--games", "1e15"),
    *((name, "dimensions", "--seed", str(2**63)) for name in ("simulate", "show", "record")),
    *((name, "dimensions", "--seed", str(-(2**64))) for name in ("simulate", "show", "record")),
    *((name, "dimensions", "--number", str(2**63)) for name in ("show", "record")),
    ("worth", "dice", "--seed", str(2**63)),
    ("map", "influence", "--size", "5x5", "--seed", str(2**63)),
]  # fmt: skip


@pytest.mark.parametrize("words", NUMBERS, ids=lambda words: " ".join(words)[:60])
def test_numbers_out_of_range_are_named_with_the_range(capsys, words):
    said = refused(capsys, *words)
    assert said.startswith(f"argument {words[-2]}: ")
    assert " is no whole number from " in said


@pytest.mark.parametrize("text", ["10", "1e1", "1_0", " 10 ", "1.0e1"])
def test_numbers_are_read_as_people_write_them(capsys, text):
    assert main(["simulate", PIG, "--games", text]) == 0
    assert "10\N{NO-BREAK SPACE}games" in capsys.readouterr().out


@pytest.mark.parametrize("players", ["-1", "0", "99", str(2**62)])
def test_the_game_says_how_many_play(capsys, players):
    assert f"dimensions is played by 3–5 players, not {players}" in refused(
        capsys, "show", "dimensions", "--players", players
    )


@pytest.mark.parametrize("players", ["two", "", "2.5", str(2**64)])
def test_a_word_that_is_no_number_of_players_is_answered_with_those_there_are(capsys, players):
    for words in (["simulate", PIG, "--players", "2", players], ["show", "--players", players, PIG]):
        said = refused(capsys, *words)
        assert f"argument --players: {players!r} is no number of players; pig is played by 2 players (see: " in said
        assert f"{players!r} — не число игроков; в pig играют 2 игрока (см. " in refused(capsys, *words, "--lang", "ru")
    assert "is no number of players (see: " in refused(capsys, "show", "nowhere", "--players", players)


def test_players_are_counted_as_russian_counts_them(capsys):
    for game, told in (
        (PIG, "играют 2 игрока, а не 9"),
        ("grid", "играют 2–4 игрока, а не 9"),
        ("dimensions", "играют 3–5 игроков, а не 9"),
    ):
        assert told in refused(capsys, "show", game, "--players", "9", "--lang", "ru")


@pytest.mark.parametrize("seconds", ["nan", "inf", "-1", "0", "1e9"])
def test_bench_wants_a_time_that_ends(capsys, seconds):
    assert "expected 0.001 … 3600" in refused(capsys, "bench", "dimensions", "--seconds", seconds)


def test_seeds_and_numbers_beyond_64_bits_are_refused_from_python():
    for wrong in ({"seed": 2**63}, {"seed": 10**5000}, {"number": -1}, {"number": 2**64}, {"seed": 1.5}):
        with pytest.raises(PlaymillError):
            State(PIG, **wrong)
    with pytest.raises(PlaymillError):
        Batch(PIG, 2, seed=2**63)
    with pytest.raises(PlaymillError):
        Batch(PIG, 2).reset(-1)
    with pytest.raises(PlaymillError):
        simulate(PIG, games=2**63)


def test_a_size_of_memory_is_told_in_one_language(capsys):
    assert "'x' — не размер вроде 512M, 8G" in refused(capsys, "sql", "select 1", "--memory", "x", "--lang", "ru")


# Options


MEANT_FOR_NOTHING = [
    (("simulate", "dimensions", "--trace-out", "t.txt"), "--trace-out needs --trace N"),
    (("content", "dice", "--schema", "--content", "x.json"), "--content is for the list"),
    (("content", "dice", "--check", "x.json", "--content", "x.json"), "--content is for the list"),
    (("simulate", "dimensions", "--config", ""), "'' is not a name of a file"),
    (("simulate", "dimensions", "--out", ""), "'' is not a name of a file"),
    (("simulate", ""), "there is no game ''"),
    (("simulate", "dimensions", "--agents", ""), "no agent ''"),
    (("simulate", "dimensions", "--set", ""), "expected path=value"),
    (("worth", "dice", "--only", ""), "nothing of that id to try"),
]


@pytest.mark.parametrize(("words", "sentence"), MEANT_FOR_NOTHING, ids=lambda words: " ".join(words)[:50])
def test_options_that_would_be_ignored_are_refused(capsys, words, sentence):
    assert sentence in refused(capsys, *words)


# What is printed


def test_a_full_disk_is_told_not_traced():
    with Path("/dev/full").open("wb") as full:
        for words in (["show", PIG], ["--help"]):
            done = run(*words, stdout=full)
            assert done.returncode == 2
            assert done.stderr == b"playmill: cannot print: no space left on the disk\n"
        assert run("simulate", "chess", stderr=full).returncode == 2


def test_a_current_folder_that_is_gone_is_told(tmp_path):
    gone = tmp_path / "gone"
    code = f"import os, sys; os.mkdir({str(gone)!r}); os.chdir({str(gone)!r}); os.rmdir({str(gone)!r});"
    code += "os.execv(sys.executable, [sys.executable, '-m', 'playmill', 'replay', 'game.json'])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=False, timeout=300)
    assert (done.returncode, done.stdout) == (2, b"")
    assert done.stderr == b"playmill: the current folder is not there any more; go to another\n"


def test_closed_outputs_are_no_reason_to_fail():
    code = "import os, sys; os.close(1); os.execv(sys.executable, [sys.executable, '-m', 'playmill', 'games'])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=False, timeout=300)
    assert (done.returncode, done.stderr) == (0, b"")


def test_a_terminal_that_knows_ascii_alone_is_enough(capsys):
    plain = {"PYTHONIOENCODING": "ascii", "LANG": "C", "LC_ALL": "C", "PYTHONUTF8": "0"}
    for words in (["games"], ["simulate", PIG, "--games", "20"], ["show", PIG, "--lang", "en"]):
        done = run(*words, env=plain | {"PLAYMILL_LANG": "ru"})
        assert (done.returncode, done.stderr) == (0, b"")
        assert done.stdout.isascii()
    words = ["content", "dice", "--schema"]
    done = run(*words, env=plain)
    assert (done.returncode, main(words)) == (0, 0)
    assert json.loads(done.stdout) == json.loads(capsys.readouterr().out)


@pytest.mark.parametrize("columns", ["0", "00"])
def test_a_terminal_that_does_not_know_its_width_is_enough(columns):
    assert b"Settings: all as in the rules" in run("simulate", PIG, "--games", "5", env={"COLUMNS": columns}).stdout


def test_a_limit_of_file_sizes_is_a_sentence(tmp_path):
    def limited() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))

    run("record", PIG, "--out", str(tmp_path / "warm.json"))
    done = run("record", PIG, "--out", str(tmp_path / "game.json"), preexec_fn=limited)
    assert done.returncode == 2
    assert done.stderr.startswith(b"playmill: cannot write ") and done.stderr.count(b"\n") == 1
    assert [path.name for path in tmp_path.iterdir()] == ["warm.json"]


def test_sentences_are_one_line_of_letters_and_end():
    assert one_line("a\nb\x1b[31m\u202e\x00") == r"a\nb\x1b[31m\u202e\x00"
    assert one_line("это – “текст” 1\u00a0000") == "это – “текст” 1\u00a0000"
    word = one_line("k" * 10_000)
    assert len(word) <= 240 and "…" in word
    text = one_line("word " * 10_000 + "end")
    assert len(text) <= LONGEST_SENTENCE and text.startswith("word ") and text.endswith("end")
    error = PlaymillError("\x07" * 10_000, "\x9b" * 10_000)
    assert error.text.en.isprintable() and error.text.ru.isprintable() and len(str(error)) < 300


def test_every_game_refuses_the_same_nonsense(capsys, tmp_path):
    path = tmp_path / "c.json"
    path.write_text('{"x": 1, "x": 2}')
    for name in ("dice", "dimensions", "grid", "influence", "save_oneself"):
        with pytest.raises(PlaymillError, match="more than once"):
            load_config(load_game(name).config, path, [])
