"""Games shared by all tests: compiled once, then read from the cache."""

from __future__ import annotations

from pathlib import Path

import pytest

from playmill import Game, load_game

ROOT = Path(__file__).parent.parent


@pytest.fixture(scope="session")
def dimensions() -> Game:
    return load_game("dimensions")


@pytest.fixture(scope="session")
def influence() -> Game:
    return load_game("influence")


@pytest.fixture(scope="session")
def pig() -> Game:
    return load_game(str(ROOT / "examples" / "pig"))


@pytest.fixture(autouse=True)
def _english(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PLAYMILL_LANG", "en")
