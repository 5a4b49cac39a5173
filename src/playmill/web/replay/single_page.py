"""Replay as one self-contained HTML file that needs no server.

Pictures of one game have nearly everything in common: each is a list of pieces from one table, stored as what differs
from the picture before. All of it is compressed, in both languages and for all viewpoints.
"""

from __future__ import annotations

import base64
import gzip
import hashlib
import json
import re
from collections.abc import Callable, Sequence
from itertools import takewhile
from typing import Any

from markupsafe import Markup

from playmill.engine.contract.game import hides_nothing
from playmill.lab.replays.decision_analysis import DecisionAnalysis
from playmill.lab.replays.win_chances import WinChances
from playmill.texts import LANGUAGES, Lang, Text
from playmill.web.page.phrases import CLIENT, PAGE
from playmill.web.page.renderer import FOLDER, templates
from playmill.web.replay.phrases import WATCH, WATCH_KEYS, WATCH_PAGE
from playmill.web.replay.positions import OPEN, pictures, story
from playmill.web.replay.script_bundle import bundle
from playmill.web.table.state import GameTable

#: A picture is cut after every tag.
_PIECES = re.compile(r"(?<=>)")
_FONTS = re.compile(r"^@font-face.*\n", re.MULTILINE)
Progress = Callable[[int, int], None]


def single_page_replay(
    table: GameTable,
    lang: Lang,
    course: WinChances | None = None,
    progress: Progress | None = None,
    *,
    analysis: DecisionAnalysis | None = None,
) -> str:
    """Renders the page of a finished game, in this language first; `progress` gets done and total.

    The analysis of decisions stands below the win chances, where there are any.
    """
    assert table.game is not None
    script = bundle("album")
    style = _FONTS.sub("", "".join(_static(name) for name in ("page.css", "watch.css")))
    content = _content(table, course, analysis, progress)
    pages = {each: _page(table, each) for each in LANGUAGES}
    policy = (
        f"default-src 'none'; script-src 'sha256-{_hash(script)}'; style-src 'sha256-{_hash(style)}'; "
        "img-src data:; base-uri 'none'; form-action 'none'"
    )
    return (
        templates()
        .get_template("album.html")
        .render(
            lang=lang,
            title=table.game.title.of(lang),
            policy=policy,
            no_script=PAGE["no_script"].of(lang),
            style=Markup(style),
            script=Markup(script),
            pages={each: Markup(page) for each, page in pages.items()},
            content=_packed(content),
        )
    )


def _static(name: str) -> str:
    return (FOLDER / "static" / name).read_text(encoding="utf-8")


def _hash(text: str) -> str:
    return base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def _packed(content: Any) -> str:
    """Data as compressed base64; deterministic."""
    text = json.dumps(content, ensure_ascii=False, separators=(",", ":"))
    return base64.b64encode(gzip.compress(text.encode(), mtime=0)).decode()


def _page(table: GameTable, lang: Lang) -> str:
    """The body of the page, in one language."""
    assert table.game is not None
    return (
        templates()
        .get_template("album_page.html")
        .render(
            lang=lang,
            say=lambda key, *args: PAGE[key].of(lang).format(*args),
            of=lambda text: text.of(lang),
            said=WATCH_PAGE,
            watch_keys=WATCH_KEYS,
            files=False,
            title=table.game.title,
        )
    )


def _content(
    table: GameTable, course: WinChances | None, analysis: DecisionAnalysis | None, progress: Progress | None
) -> dict[str, Any]:
    """All data of the page."""
    assert table.game is not None
    seats = list(range(table.facts.players)) if table.facts.players > 1 else []
    viewpoint: list[int | None] = [None] if hides_nothing(table.game) else [None, *seats, OPEN]
    pieces = PieceTable()
    frames: dict[str, dict[str, Any]] = {}
    stories: dict[str, dict[str, Any]] = {}
    texts: dict[str, list[str]] = {}
    done, work = 0, len(LANGUAGES) * len(viewpoint) * len(table.moments)
    for lang in LANGUAGES:
        frames[lang], stories[lang] = {}, {}
        for one in viewpoint:
            shown = []
            for place in range(len(table.moments)):
                shown += pictures(table, one, lang, [place])
                done += 1
                if progress is not None:
                    progress(done, work)
            frames[lang][_name(one)] = pieces.put([found["picture"] for found in shown])
            stories[lang][_name(one)] = story(table, one, lang)
            if one == OPEN:
                texts[lang] = [found["text"] for found in shown]
    words: dict[str, Text] = {**CLIENT, **WATCH}
    return {
        "title": {lang: table.game.title.of(lang) for lang in LANGUAGES},
        "words": {lang: {key: text.of(lang) for key, text in words.items()} for lang in LANGUAGES},
        "eyes": [_name(one) for one in viewpoint],
        "stories": stories,
        "pieces": pieces.pieces,
        "frames": frames,
        "texts": texts,
        "course": {**course.json(), **({"analysis": analysis.json()} if analysis is not None else {})}
        if course is not None
        else None,
    }


def _name(viewpoint: int | None) -> str:
    return "" if viewpoint is None else "open" if viewpoint == OPEN else str(viewpoint)


class PieceTable:
    """Pieces of many pictures, each stored once."""

    def __init__(self) -> None:
        self._places: dict[str, int] = {}

    @property
    def pieces(self) -> list[str]:
        """All pieces, by their number."""
        return list(self._places)

    def put(self, shown: Sequence[str]) -> list[list[int]]:
        """Encodes pictures in their order: how many pieces each has in common with the one before, at its start and at
        its end, and the numbers of those between.
        """
        before: list[int] = []
        made = []
        for picture in shown:
            pieces = [self._places.setdefault(piece, len(self._places)) for piece in _PIECES.split(picture) if piece]
            start = _alike(before, pieces)
            end = _alike(before[start:][::-1], pieces[start:][::-1])
            made.append([start, end, *pieces[start : len(pieces) - end]])
            before = pieces
        return made


def _alike(one: Sequence[int], other: Sequence[int]) -> int:
    """How many pieces two pictures have in common from their start on."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False)))
