"""The rules of a game in words, as a page: with the numbers of a table, and pictures of the game itself."""

from __future__ import annotations

import json
from functools import lru_cache

from playmill.engine.config.paths import sealed
from playmill.engine.contract.game import Game
from playmill.lab.replays.rule_pictures import rulebook_page
from playmill.texts import Lang

#: The page brings its own style, and nothing on it acts.
BOOK_POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; frame-ancestors 'none'"


def rules_page(game: Game, config: object, lang: Lang) -> str:
    """The page for the config that a file or a table has; drawn once for all who ask."""
    return _page(game, json.dumps(config, sort_keys=True), lang)


@lru_cache(maxsize=64)
def _page(game: Game, config: str, lang: Lang) -> str:
    with sealed():
        return rulebook_page(game, json.loads(config), lang)
