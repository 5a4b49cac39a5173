"""The pages on which a setting of a game is drawn: kept under a name, asked about, and played on.

Everything works with whole pages and the text of the drawing; a browser with scripts asks for the same as JSON while
somebody draws. Whoever can open the server may draw, check and play; the owner may keep, and have work done.
"""

from __future__ import annotations

import json
import secrets
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any
from urllib.parse import quote

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.routing import Route

from playmill.engine.config.json_input import json_of
from playmill.engine.config.model import value_at
from playmill.engine.contract.choices import Choices, offered
from playmill.engine.contract.game import Game
from playmill.engine.contract.map_editor import Easel, easel_of
from playmill.texts import Lang, PlaymillError, Text
from playmill.web.forms import PREFIX
from playmill.web.lab.asking import Asking, usual_agent
from playmill.web.lab.drawing_phrases import CLIENT, DRAW
from playmill.web.lab.phrases import LAB, saying
from playmill.web.lab.rules import SavedRules
from playmill.web.lab.shelf import Shelf
from playmill.web.lab.sketch import Sketch
from playmill.web.lab.works import Works
from playmill.web.owner import Owner
from playmill.web.pages import Pages, data_block, form_of, language
from playmill.web.tables import Tables, Wish

#: What the owner alone may do.
_OWNERS = ("keep", "forget", "simulate", "compare", "audit")
#: How many games, deals and minutes a form proposes: enough to see whether it is fair.
_USUAL = {"games": "10000", "deals": "2000", "minutes": "1"}
#: Where something to begin from comes from.
_LIBRARY, _KEPT = "library:", "kept:"
_SEED_BITS = 31


@dataclass(frozen=True)
class Sent:
    """A form that somebody sent about a drawing."""

    game: Game
    easel: Easel
    form: Mapping[str, list[str]]

    def text(self, name: str, usual: str = "") -> str:
        """What was typed into a field."""
        found = self.form.get(name, [usual])
        return found[-1].strip() if found else usual

    @property
    def act(self) -> str:
        """What is to be done."""
        return self.text("act", "look")

    @property
    def size(self) -> tuple[int, int]:
        """The rows and columns that were typed."""
        wanted = []
        for name in ("rows", "cols"):
            text = self.text(name)
            if not text.isascii() or not text.isdigit() or len(text) > 4:
                raise PlaymillError(
                    f"{text!r}: expected a whole number of {DRAW[_NAMES[name]].en}",
                    f"{text!r}: нужно целое число {DRAW[_NAMES[name]].ru}",
                )
            wanted.append(int(text))
        return wanted[0], wanted[1]

    @property
    def players(self) -> int:
        """How many play."""
        text, (low, high) = self.text("players"), self.game.players
        return min(max(int(text), low), high) if text.isascii() and text.isdigit() and len(text) < 4 else low


_NAMES = {"rows": "rows", "cols": "columns"}


class DrawingPages:
    """Answers requests about drawings."""

    def __init__(self, tables: Tables, pages: Pages, rules: SavedRules, owner: Owner, works: Works, home: Path) -> None:
        self._tables, self._pages, self._rules, self._owner, self._works = tables, pages, rules, owner, works
        self._kept = Shelf(home / "drawings", Text("drawings", "рисунков"))

    def routes(self) -> list[Route]:
        """The addresses."""
        return [
            Route("/lab/games/{game}/draw", self.page),
            Route("/lab/games/{game}/draw", self.act, methods=["POST"]),
            Route("/lab/games/{game}/drawings/{name}.json", self.file),
        ]

    def _found(self, request: Request) -> tuple[Game, Easel] | None:
        game = self._tables.games.get(request.path_params["game"])
        easel = easel_of(game) if game is not None else None
        return (game, easel) if game is not None and easel is not None else None

    async def page(self, request: Request) -> Response:
        """An empty canvas, or what it is to begin from."""
        found = self._found(request)
        if found is None:
            return self._pages.missing(request)
        sent = Sent(*found, {name: [value] for name, value in request.query_params.items()})
        return await run_in_threadpool(self._opened, request, sent)

    def _opened(self, request: Request, sent: Sent) -> Response:
        error, sketch = None, self._blank(sent.easel, language(request))
        try:
            if "from" in sent.form:
                sketch = Sketch.of_value(sent.easel, self._begun(sent, sent.text("from")))
            elif "rules" in sent.form:
                data = self._rules.data(sent.game, sent.text("rules"))
                sketch = Sketch.of_value(sent.easel, _at(sent.game.config.read(data).model_dump(mode="json"), sent))
            elif "work" in sent.form:
                given = self._works.about(sent.game.name, sent.text("work")).arguments
                config = given.get("config") or given.get("b", {}).get("config") or {}
                sketch = Sketch.of_value(sent.easel, _at(config, sent))
        except PlaymillError as found:
            error = found
        return self._shown(request, sent, sketch, error, fresh=not sent.form)

    def _blank(self, easel: Easel, lang: Lang) -> Sketch:
        return Sketch.of(easel, easel.blank(easel.usual, easel.called.of(lang)))

    async def file(self, request: Request) -> Response:
        """A drawing of a name, as the file that the command line reads."""
        found, name = self._found(request), request.path_params["name"]
        text = await run_in_threadpool(self._kept.text, found[0], name) if found is not None else None
        return self._pages.missing(request) if text is None else _download(text, name)

    async def act(self, request: Request) -> Response:
        """Looks at what was drawn or written, changes it, keeps it, takes it away, asks about it, or plays on it."""
        found = self._found(request)
        if found is None:
            return self._pages.missing(request)
        sent = Sent(*found, await form_of(request))
        if sent.act.partition(":")[0] in _OWNERS and not self._owner.asks(request.headers):
            return self._pages.rendered(request, "sorry", status=403, title=LAB["lab"], sentence=LAB["not_owner"])
        return await run_in_threadpool(self._answer, request, sent)

    def _answer(self, request: Request, sent: Sent) -> Response:
        error, said = None, None
        sketch = self._blank(sent.easel, language(request))
        try:
            sketch = self._sketched(sent)
            act, _, name = sent.act.partition(":")
            if act in _CHANGES:
                sketch = _CHANGES[act](self, sent, sketch)
            elif act == "keep":
                drawing = sketch.drawing
                called = drawing.name if drawing else ""
                told = "kept_over" if called in self._kept.names(sent.game) else "kept_now"
                kept = self._kept.put(sent.game, called, sketch.played().text)
                said = Text(*(text.format(kept) for text in LAB[told]))
            elif act == "forget":
                self._kept.remove(sent.game, name)
            elif act == "take":
                drawing = sketch.played().drawing
                return _download(sketch.text, drawing.name if drawing else sent.game.name)
            elif act == "play":
                table, owner = self._tables.make(self._wish(sent, sketch, ()))
                return RedirectResponse(f"/t/{table}#{owner}", 303)
            elif act in _OWNERS:
                return RedirectResponse(f"/lab/works/{self._ask(sent, sketch, act)}", 303)
        except PlaymillError as found:
            error = found
        if "application/json" in request.headers.get("accept", ""):
            return self._told(sent, sketch, error, language(request))
        return self._shown(request, sent, sketch, error, said)

    def _told(self, sent: Sent, sketch: Sketch, error: PlaymillError | None, lang: Lang) -> Response:
        """The same for a page that is drawn on: all of it where the canvas is another, else what is known."""
        found = sketch.said(lang) if sent.act == "look" else sketch.whole(lang)
        return JSONResponse(found if error is None else {"mistakes": [error.public.of(lang)]})

    def _sketched(self, sent: Sent) -> Sketch:
        """What was drawn, else what was written."""
        if sent.text("drawing"):
            return Sketch.of(sent.easel, sent.easel.received(json_of(sent.text("drawing"), "drawing")))
        text = sent.text(PREFIX + sent.easel.path)
        library = self._library(sent)
        if text in library.by_key:
            return Sketch.of_value(sent.easel, library.by_key[text].value)
        return Sketch.of_text(sent.easel, text)

    def _library(self, sent: Sent) -> Choices:
        """What the game offers at the setting."""
        return offered(sent.game, sent.game.config()).at(sent.easel.path) or Choices([])

    def _begun(self, sent: Sent, key: str) -> Any:
        """The value of something in the library or kept, by its key in a form."""
        library = self._library(sent).by_key
        if (known := key.removeprefix(_LIBRARY)) in library:
            return library[known].value
        text = self._kept.text(sent.game, key.removeprefix(_KEPT))
        if text is None:
            raise PlaymillError(*(told.format(repr(key)) for told in DRAW["missing"]))
        return json_of(text, key.removeprefix(_KEPT))

    def _opening(self, sent: Sent, sketch: Sketch) -> Sketch:
        return Sketch.of_value(sent.easel, self._begun(sent, sent.text("from")))

    def _resized(self, sent: Sent, sketch: Sketch) -> Sketch:
        drawing = sketch.drawing or sent.easel.drawn(sketch.value)
        return Sketch.of(sent.easel, sent.easel.resized(drawing, sent.size))

    def _emptied(self, sent: Sent, sketch: Sketch) -> Sketch:
        name = sketch.drawing.name if sketch.drawing else sent.easel.called.en
        return Sketch.of(sent.easel, sent.easel.blank(sent.size, name))

    def _suggested(self, sent: Sent, sketch: Sketch) -> Sketch:
        if sent.easel.suggest is None:
            return sketch
        made = sent.easel.drawn(sent.easel.suggest(sent.size, sent.text("symmetry"), secrets.randbits(_SEED_BITS)))
        return Sketch.of(sent.easel, replace(made, name=sketch.drawing.name if sketch.drawing else made.name))

    def _wish(self, sent: Sent, sketch: Sketch, seats: tuple[str, ...]) -> Wish:
        """A table or a job with this drawing, by the rules that were chosen."""
        by = sent.text("by")
        rules = json.dumps(self._rules.data(sent.game, by)) if by else ""
        typed = {sent.easel.path: [json.dumps(sketch.value, ensure_ascii=False)]}
        return Wish(sent.game.name, sent.players, seats, typed=typed, file=rules)

    def _ask(self, sent: Sent, sketch: Sketch, kind: str) -> str:
        """Has something found out about a drawing: equals play, and the report says who wins from where."""
        game, easel = sent.game, sent.easel
        wish = self._wish(sent, sketch, (sent.text("agent", usual_agent(game)),) * sent.players)
        fields = {name: [sent.text(name, usual)] for name, usual in _USUAL.items()}
        base = None
        about = {"changes": [[f"{text}: {_name(sketch)}" for text in easel.title]]}
        if kind == "compare":
            other = Sketch.of_value(easel, self._begun(sent, sent.text("against")))
            if other.value == sketch.value:
                raise PlaymillError(*DRAW["same"])
            made = Asking(game, self._tables.minds[game.name], self._rules, self._wish(sent, other, ()), fields)
            base = made.settings.config(sent.players).model_dump(mode="json")
            about["changes"] = [[f"{text}: {_name(other)} → {_name(sketch)}" for text in easel.title]]
        asking = Asking(game, self._tables.minds[game.name], self._rules, wish, fields, base=base)
        told = {**asking.about(kind), **about, "game": game.name, "seats": list(wish.seats)}
        return self._works.ask(kind, asking.reference(), asking.arguments(kind), told).id

    def _shown(
        self,
        request: Request,
        sent: Sent,
        sketch: Sketch,
        error: PlaymillError | None,
        said: Text | None = None,
        *,
        fresh: bool = False,
    ) -> Response:
        """The page with a drawing; a `fresh` one gives way to what was being drawn in this browser."""
        game, easel, lang = sent.game, sent.easel, language(request)
        whole = sketch.whole(lang)
        data = {
            **whole,
            "fresh": fresh,
            "words": {key: text.of(lang) for key, text in CLIENT.items()},
            "kindsOf": [{"key": kind.key, "name": kind.name.of(lang), "size": kind.size} for kind in easel.kinds],
            "groups": [
                {"key": one.key, "name": one.name.of(lang), "count": one.count, "players": one.players}
                for one in easel.pins
            ],
        }
        low, high = game.players
        return self._pages.rendered(
            request,
            "drawing",
            status=200 if error is None else 400,
            lab=saying(lang),
            draw=lambda key, *args: DRAW[key].of(lang).format(*args),
            owner=self._owner.asks(request.headers),
            game=game,
            easel=easel,
            sketch=sketch,
            whole=whole,
            invites=sketch.invites and error is None,
            size=sketch.canvas.size,
            symmetries=sketch.canvas.symmetries,
            players=sent.players if "players" in sent.form else sketch.players or low,
            counts=range(low, high + 1),
            field=PREFIX + easel.path,
            sent=sent,
            usual=_USUAL,
            agent=sent.text("agent", usual_agent(game)),
            minds=list(self._tables.minds[game.name].values()),
            rules=self._rules.names(game),
            library=self._library(sent).among,
            kept=self._kept.names(game),
            trouble=error.public if error is not None and error.public not in sketch.mistakes else None,
            said=said,
            data=data_block(data),
        )


_CHANGES: Mapping[str, Callable[[DrawingPages, Sent, Sketch], Sketch]] = {
    "open": DrawingPages._opening,
    "resize": DrawingPages._resized,
    "blank": DrawingPages._emptied,
    "suggest": DrawingPages._suggested,
}


def _at(config: Any, sent: Sent) -> Any:
    """What stands in a config at the setting that is drawn."""
    try:
        return value_at(config, sent.easel.path)
    except KeyError:
        return None


def _name(sketch: Sketch) -> str:
    return sketch.drawing.name if sketch.drawing else ""


def _download(text: str, name: str) -> Response:
    return Response(
        text,
        media_type="application/json",
        headers={"Content-Disposition": f"attachment; filename*=UTF-8''{quote(name, safe='')}.json"},
    )
