"""The compile cache never runs old rules, and makes the second start fast."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

EXAMPLE = Path(__file__).parents[2] / "examples" / "pig"
GAMES = 5_000
#: Asked from Python the interpreter plays no games in the meantime: all are played by what was compiled, or kept.
PLAY = f"""
import json
from playmill import simulate
print(json.dumps(simulate("./pig", games={GAMES}, agents="threshold").results))
"""


def player(folder: Path):
    """Plays the example from a copy of its folder, in a new process, with a cache of its own."""
    shutil.copytree(EXAMPLE, folder / "pig", ignore=shutil.ignore_patterns("__pycache__"))
    env = {**os.environ, "PLAYMILL_CACHE": str(folder / "cache"), "PYTHONDONTWRITEBYTECODE": "1"}

    def play():
        done = subprocess.run([sys.executable, "-c", PLAY], cwd=folder, env=env, check=True, stdout=subprocess.PIPE)
        return json.loads(done.stdout)

    return play


@pytest.fixture(scope="module")
def first(tmp_path_factory):
    """A first start, with nothing in the cache: its results, and the cache it leaves."""
    folder = tmp_path_factory.mktemp("first")
    return player(folder)(), folder / "cache"


@pytest.fixture
def run(tmp_path, first):
    """Starts after the first one."""
    shutil.copytree(first[1], tmp_path / "cache")
    return player(tmp_path)


def edit(path: Path, old: str, new: str) -> None:
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new))


@pytest.mark.long
def test_an_edited_number_is_played_at_once(run, tmp_path, first):
    first, _ = first
    assert run() == first
    edit(tmp_path / "pig" / "rules.py", "if face > 1:", "if face > 2:")
    edited = run()
    assert edited["turns"]["value"] > first["turns"]["value"]
    edit(tmp_path / "pig" / "rules.py", "if face > 2:", "if face > 1:")
    assert run() == first


@pytest.mark.long
def test_an_edited_callee_in_another_file_is_played_at_once(run, tmp_path, first):
    first, _ = first
    (tmp_path / "pig" / "numbers.py").write_text("LUCKY = 2\n")
    rules = tmp_path / "pig" / "rules.py"
    edit(
        rules,
        "from playmill.author import below",
        "from pig.numbers import LUCKY\nfrom playmill.author import below",
    )
    edit(rules, "s.pot += face", "s.pot += face * LUCKY")
    doubled = run()
    assert doubled["turns"]["value"] < first["turns"]["value"]
    edit(tmp_path / "pig" / "numbers.py", "2", "1")
    assert run() == first


@pytest.mark.long
def test_the_second_start_compiles_nothing(run, tmp_path):
    compiled = sorted((tmp_path / "cache").glob("pig-cpu-*/play_games-*"))
    assert compiled
    stamps = [path.stat().st_mtime_ns for path in compiled]
    run()
    assert sorted((tmp_path / "cache").glob("pig-cpu-*/play_games-*")) == compiled
    assert [path.stat().st_mtime_ns for path in compiled] == stamps


def test_an_unwritable_cache_is_no_obstacle(tmp_path):
    (tmp_path / "cache").write_text("a file where the folder should be")
    assert player(tmp_path)()["games"] == GAMES


def test_code_is_found_though_the_game_is_loaded_twice(pig):
    """A game changed in memory, as tests and notebooks do, has code of its own."""
    from playmill import simulate

    quiet = replace(pig, rules={**pig.rules, "returns": pig.rules["returns"]}, agents={"random": pig.agents["random"]})
    assert simulate(quiet, games=20).games.equals(simulate(pig, games=20).games)
