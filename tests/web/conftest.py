"""Fixtures: one server for all tests of a file."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from web_server import Site, running

from common.found import GAMES, game_of
from playmill import Game


@pytest.fixture(scope="session")
def games() -> dict[str, Game]:
    return {name: game_of(name) for name in GAMES}


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory, games: dict[str, Game]) -> Iterator[Site]:
    with running(tmp_path_factory.mktemp("site") / "tables.sqlite3", games) as found:
        yield found


@pytest.fixture
def visit(browser: Any, site: Site) -> Iterator[Callable[..., Any]]:
    """Opens pages, each in a browser of its own, that move on at once and must not complain of anything."""
    opened = []

    def visit(path: str, *, url: str = site.url, complaints: bool = True, **how: Any) -> Any:
        context = browser.new_context(**{"viewport": {"width": 1280, "height": 900}, "locale": "en-US", **how})
        context.add_init_script(
            "localStorage.getItem('playmill:speed') || localStorage.setItem('playmill:speed', 'once')"
        )
        page = context.new_page()
        trouble: list[str] = []
        if complaints:
            page.on("console", lambda message: trouble.append(message.text))
            page.on("pageerror", lambda error: trouble.append(str(error)))
        page.on(
            "request", lambda asked: asked.url.startswith((url, "data:", "ws://127.0.0.1")) or trouble.append(asked.url)
        )
        opened.append((context, trouble))
        page.goto(url + path)
        return page

    yield visit
    for context, trouble in opened:
        context.close()
        assert trouble == []
