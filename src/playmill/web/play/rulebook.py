"""Page with the rules of a game in words, for given settings; cached."""

from __future__ import annotations

import json
from functools import lru_cache

from starlette.concurrency import run_in_threadpool
from starlette.responses import HTMLResponse

from playmill.engine.config.input_files import sealed
from playmill.engine.contract.game import Game
from playmill.texts import Lang

#: The page brings its own style, and nothing on it acts.
_POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; frame-ancestors 'none'"


async def rulebook_response(game: Game, config: object, lang: Lang) -> HTMLResponse:
    """The page for the config that a file or a table has; made once for all who ask."""
    text = await run_in_threadpool(_page, game, json.dumps(config, sort_keys=True), lang)
    return HTMLResponse(text, headers={"Content-Security-Policy": _POLICY})


@lru_cache(maxsize=64)
def _page(game: Game, config: str, lang: Lang) -> str:
    from playmill.lab.replays.rulebook import rulebook_page  # and what reads Markdown

    with sealed():
        return rulebook_page(game, json.loads(config), lang)
