"""Kept runs to be asked."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from sql_runs import GAMES

from playmill import Game, simulate

AGENTS = ["threshold:n=20", "random"]


@pytest.fixture(scope="session")
def stock(pig: Game, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Runs kept once for all tests: two with their games, one without."""
    folder = tmp_path_factory.mktemp("stock")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PLAYMILL_HOME", str(folder))
        simulate(pig, games=GAMES, seed=7, agents=AGENTS, keep="mine", rows=True)
        simulate(pig, games=GAMES, seed=8, agents=AGENTS, keep="pig-1f2e3d4c5b", rows=True)
        simulate(pig, games=10, seed=9, agents=AGENTS, set=["target=50"], keep="counted")
    return folder


@pytest.fixture
def runs(stock: Path, home: Path) -> Path:
    """The folder of runs, which a test may do with as it likes."""
    shutil.copytree(stock, home, dirs_exist_ok=True)
    return home / "runs"
