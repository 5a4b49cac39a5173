"""What commands write: never over what they read, never two things into one file, whatever agents and disks do."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

import pytest

from playmill.cli import main

PIG = str(Path(__file__).parents[2] / "examples" / "pig")
BOT = "def choose(decision):\n    return decision.random.choice(decision.actions)\n"
REFUSED = "would be written over a file that is read"


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A working folder with an agent, a config and a recorded game."""
    monkeypatch.chdir(tmp_path)
    Path("bot.py").write_text(BOT)
    Path("config.json").write_text("{}")
    assert main(["record", PIG, "--out", "game.json"]) == 0
    return tmp_path


def contents(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}


@pytest.mark.parametrize("lang", ["en", "ru"])
@pytest.mark.parametrize(
    "words",
    [
        ["simulate", PIG, "--games", "5", "--config", "config.json", "--out", "config.json"],
        ["simulate", PIG, "--games", "5", "--config", "config.json", "--csv", "./config.json"],
        ["simulate", PIG, "--games", "5", "--agents", "bot.py", "--html", "bot.py"],
        ["simulate", PIG, "--games", "5", "--agents", "bot.py", "--trace", "1", "--trace-out", "bot.py"],
        ["simulate", PIG, "--games", "5", "--out", f"{PIG}/rules.py"],
        ["simulate", PIG, "--games", "5", "--out", "same", "--csv", "same"],
        ["simulate", PIG, "--games", "5", "--out", "same.json", "--trace", "1", "--html", "same.trace.txt"],
        ["record", PIG, "--agents", "bot.py", "--out", "bot.py"],
        ["record", PIG, "--config", "config.json", "--out", "config.json"],
        ["replay", "game.json", "--svg", "game.json"],
        ["replay", "game.json", "--gif", "game.json"],
        ["replay", "game.json", "--gif", "same", "--svg", "./same"],
        ["worth", "dice", "--games", "5", "--config", "config.json", "--out", "config.json"],
        ["worth", "dice", "--games", "5", "--out", "same", "--csv", "same"],
        ["simulate", "influence", "--games", "1", "--set", "map=map.json", "--out", "map.json"],
        ["simulate", "dice", "--games", "1", "--config", "dice.json", "--out", "content.json"],
    ],
)
def test_nothing_is_written_over_by_accident(folder, capsys, words, lang):
    main(["map", "influence", "--size", "4x4", "--seed", "1", "--out", "map.json"])
    Path("content.json").write_text('{"items": []}')
    Path("dice.json").write_text('{"content": ["content.json"]}')
    before = contents(folder)
    rules = Path(PIG, "rules.py").read_bytes()
    capsys.readouterr()
    assert main([*words, "--lang", lang]) == 2
    told = capsys.readouterr().err
    assert told.count("\n") == 1
    if lang == "en":
        assert REFUSED in told or "name two files" in told
    else:
        assert "который читается" in told or "назовите два" in told
    assert contents(folder) == before
    assert Path(PIG, "rules.py").read_bytes() == rules


def test_an_agent_that_changes_the_folder_does_not_move_the_results(folder):
    Path("elsewhere").mkdir()
    Path("mover.py").write_text(f"import os\nos.chdir('elsewhere')\n{BOT}")
    Path("walker.py").write_text(
        "import os\ndef choose(decision):\n    os.chdir('/')\n    return decision.actions[-1]\n"
    )
    words = ["--games", "5", "--out", "out.json", "--csv", "rows.csv", "--html", "page.html", "--trace", "2", "--quiet"]
    assert main(["simulate", PIG, "--agents", "mover.py", "walker.py", *words]) == 0
    assert main(["record", PIG, "--agents", "mover.py", "walker.py", "--out", "moved.json"]) == 0
    assert Path.cwd() == folder
    assert {"out.json", "rows.csv", "page.html", "out.trace.txt", "moved.json"} <= set(contents(folder))
    assert list(Path("elsewhere").iterdir()) == []


@pytest.mark.skipif(sys.platform == "win32", reason="needs limits of a process")
def test_a_disk_that_is_full_for_rows_does_not_cost_the_results(folder, capsys):
    import resource

    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (200_000, before[1]))
    try:
        status = main(["simulate", PIG, "--games", "20000", "--out", "out.json", "--csv", "rows.csv"])
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    told = capsys.readouterr()
    assert status == 2
    assert told.err == f"playmill: cannot write '{folder}/rows.csv': the file would be larger than is allowed\n"
    assert "wrote out.json" in told.out
    assert json.loads(Path("out.json").read_text())["results"]["games"] == 20_000
    assert not Path("rows.csv").exists()
    assert not list(folder.glob(".playmill-*"))


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
def test_a_full_device_gets_a_sentence_and_the_rest_is_written(folder, capsys):
    assert main(["simulate", PIG, "--games", "50", "--out", "/dev/full", "--html", "page.html", "--quiet"]) == 2
    assert capsys.readouterr().err == "playmill: cannot write '/dev/full': no space left on the disk\n"
    assert Path("page.html").exists()


@pytest.mark.skipif(not Path("/dev/stdout").exists(), reason="needs streams that are files")
def test_results_go_down_a_pipe_by_name(folder, capfd):
    assert main(["simulate", PIG, "--games", "50", "--out", "/dev/stdout", "--csv", "/dev/null", "--quiet"]) == 0
    assert json.loads(capfd.readouterr().out)["results"]["games"] == 50


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may write anywhere")
def test_a_folder_that_may_not_be_written_is_told_before_the_run(folder, capsys):
    folder.chmod(0o500)
    try:
        assert main(["simulate", PIG, "--games", "1e9", "--out", "out.json"]) == 2
    finally:
        folder.chmod(0o700)
    assert "cannot write 'out.json': permission denied" in capsys.readouterr().err


def test_a_name_that_no_file_can_have_is_forgotten_with_its_command(folder, capsys):
    Path("out.json").write_text("{}")
    assert main(["simulate", PIG, "--config", "a\0.json"]) == 2
    assert main(["simulate", PIG, "--games", "5", "--out", "out.json", "--quiet"]) == 0
