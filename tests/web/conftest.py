"""A server that the tests of a file share."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from site_of_tests import Site, running

from common.found import GAMES, game_of
from playmill import Game


@pytest.fixture(scope="session")
def games() -> dict[str, Game]:
    return {name: game_of(name) for name in GAMES}


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory, games: dict[str, Game]) -> Iterator[Site]:
    with running(tmp_path_factory.mktemp("site") / "tables.sqlite3", games) as found:
        yield found
