"""Pages of the map editor: a setting of a game is drawn, saved under a name, simulated, and played on.

Everything works with whole pages and the text of the drawing; a browser with scripts asks for the same as JSON while
somebody draws. Whoever can open the server may draw, check and play; the owner may save, and start jobs.
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
from playmill.web.access.owner import Owner
from playmill.web.lab.job_form import JobForm, usual_agent
from playmill.web.lab.job_queue import JobQueue
from playmill.web.lab.map_editor.draft import MapDraft
from playmill.web.lab.map_editor.phrases import CLIENT, DRAW
from playmill.web.lab.phrases import LAB, saying
from playmill.web.live.registry import TableRegistry
from playmill.web.live.setup import TableSetup
from playmill.web.page.renderer import Renderer, data_block
from playmill.web.page.requests import language, read_form
from playmill.web.page.settings_form import PREFIX
from playmill.web.saved.named_files import NamedFiles
from playmill.web.saved.rules import SavedRules

#: What the owner alone may do.
_OWNERS = ("keep", "forget", "simulate", "compare", "audit")
#: Default sizes of jobs: enough to see whether a map is fair.
_USUAL = {"games": "10000", "deals": "2000", "minutes": "1"}
#: Prefixes of keys: of the library of the game, of saved drawings.
_LIBRARY, _KEPT = "library:", "kept:"
_SEED_BITS = 31


@dataclass(frozen=True)
class MapEditorForm:
    """A form that was sent from the map editor."""

    game: Game
    easel: Easel
    form: Mapping[str, list[str]]

    def text(self, name: str, usual: str = "") -> str:
        """The text of a field."""
        found = self.form.get(name, [usual])
        return found[-1].strip() if found else usual

    @property
    def act(self) -> str:
        """The action that was chosen."""
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
        """The number of players."""
        text, (low, high) = self.text("players"), self.game.players
        return min(max(int(text), low), high) if text.isascii() and text.isdigit() and len(text) < 4 else low


_NAMES = {"rows": "rows", "cols": "columns"}


class MapEditorPages:
    """Answers requests of the map editor."""

    def __init__(
        self, tables: TableRegistry, renderer: Renderer, rules: SavedRules, owner: Owner, queue: JobQueue, home: Path
    ) -> None:
        self._tables, self._renderer, self._rules = tables, renderer, rules
        self._owner, self._queue = owner, queue
        self._kept = NamedFiles(home / "drawings", Text("drawings", "рисунков"))

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
        """The editor with an empty canvas, or with the drawing to begin from."""
        found = self._found(request)
        if found is None:
            return self._renderer.missing(request)
        sent = MapEditorForm(*found, {name: [value] for name, value in request.query_params.items()})
        return await run_in_threadpool(self._opened, request, sent)

    def _opened(self, request: Request, sent: MapEditorForm) -> Response:
        error, sketch = None, self._blank(sent.easel, language(request))
        try:
            if "from" in sent.form:
                sketch = MapDraft.of_value(sent.easel, self._begun(sent, sent.text("from")))
            elif "rules" in sent.form:
                data = self._rules.data(sent.game, sent.text("rules"))
                sketch = MapDraft.of_value(sent.easel, _at(sent.game.config.read(data).model_dump(mode="json"), sent))
            elif "work" in sent.form:
                given = self._queue.about(sent.game.name, sent.text("work")).arguments
                config = given.get("config") or given.get("b", {}).get("config") or {}
                sketch = MapDraft.of_value(sent.easel, _at(config, sent))
        except PlaymillError as found:
            error = found
        return self._shown(request, sent, sketch, error, fresh=not sent.form)

    def _blank(self, easel: Easel, lang: Lang) -> MapDraft:
        return MapDraft.of(easel, easel.blank(easel.usual, easel.called.of(lang)))

    async def file(self, request: Request) -> Response:
        """A saved drawing, as the file that the command line reads."""
        found, name = self._found(request), request.path_params["name"]
        text = await run_in_threadpool(self._kept.text, found[0], name) if found is not None else None
        return self._renderer.missing(request) if text is None else _download(text, name)

    async def act(self, request: Request) -> Response:
        """Checks a drawing, changes it, saves it, downloads it, starts a job about it, or creates a table with it."""
        found = self._found(request)
        if found is None:
            return self._renderer.missing(request)
        sent = MapEditorForm(*found, await read_form(request))
        if sent.act.partition(":")[0] in _OWNERS and not self._owner.is_owner(request.headers):
            return self._renderer.error(request, 403, LAB["lab"], LAB["not_owner"])
        return await run_in_threadpool(self._answer, request, sent)

    def _answer(self, request: Request, sent: MapEditorForm) -> Response:
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
                phrase = "kept_over" if called in self._kept.names(sent.game) else "kept_now"
                kept = self._kept.put(sent.game, called, sketch.played().text)
                said = LAB[phrase].format(kept)
            elif act == "forget":
                self._kept.remove(sent.game, name)
            elif act == "take":
                drawing = sketch.played().drawing
                return _download(sketch.text, drawing.name if drawing else sent.game.name)
            elif act == "play":
                table, owner = self._tables.make(self._setup(sent, sketch, ()))
                return RedirectResponse(f"/t/{table}#{owner}", 303)
            elif act in _OWNERS:
                return RedirectResponse(f"/lab/works/{self._ask(sent, sketch, act)}", 303)
        except PlaymillError as found:
            error = found
        if "application/json" in request.headers.get("accept", ""):
            return self._as_json(sent, sketch, error, language(request))
        return self._shown(request, sent, sketch, error, said)

    def _as_json(self, sent: MapEditorForm, sketch: MapDraft, error: PlaymillError | None, lang: Lang) -> Response:
        """The same as JSON for the editor's script: everything where the canvas has changed, else the messages."""
        found = sketch.said(lang) if sent.act == "look" else sketch.whole(lang)
        return JSONResponse(found if error is None else {"mistakes": [error.public.of(lang)]})

    def _sketched(self, sent: MapEditorForm) -> MapDraft:
        """The draft of what was drawn, else of what was written."""
        if sent.text("drawing"):
            return MapDraft.of(sent.easel, sent.easel.received(json_of(sent.text("drawing"), "drawing")))
        text = sent.text(PREFIX + sent.easel.path)
        library = self._library(sent)
        if text in library.by_key:
            return MapDraft.of_value(sent.easel, library.by_key[text].value)
        return MapDraft.of_text(sent.easel, text)

    def _library(self, sent: MapEditorForm) -> Choices:
        """The drawings that the game offers for the setting."""
        return offered(sent.game, sent.game.config()).at(sent.easel.path) or Choices([])

    def _begun(self, sent: MapEditorForm, key: str) -> Any:
        """The value of a drawing from the library or a saved one, by its key in a form."""
        library = self._library(sent).by_key
        if (known := key.removeprefix(_LIBRARY)) in library:
            return library[known].value
        text = self._kept.text(sent.game, key.removeprefix(_KEPT))
        if text is None:
            raise PlaymillError(*DRAW["missing"].format(repr(key)))
        return json_of(text, key.removeprefix(_KEPT))

    def _opening(self, sent: MapEditorForm, sketch: MapDraft) -> MapDraft:
        return MapDraft.of_value(sent.easel, self._begun(sent, sent.text("from")))

    def _resized(self, sent: MapEditorForm, sketch: MapDraft) -> MapDraft:
        drawing = sketch.drawing or sent.easel.drawn(sketch.value)
        return MapDraft.of(sent.easel, sent.easel.resized(drawing, sent.size))

    def _emptied(self, sent: MapEditorForm, sketch: MapDraft) -> MapDraft:
        name = sketch.drawing.name if sketch.drawing else sent.easel.called.en
        return MapDraft.of(sent.easel, sent.easel.blank(sent.size, name))

    def _suggested(self, sent: MapEditorForm, sketch: MapDraft) -> MapDraft:
        if sent.easel.suggest is None:
            return sketch
        made = sent.easel.drawn(sent.easel.suggest(sent.size, sent.text("symmetry"), secrets.randbits(_SEED_BITS)))
        return MapDraft.of(sent.easel, replace(made, name=sketch.drawing.name if sketch.drawing else made.name))

    def _setup(self, sent: MapEditorForm, sketch: MapDraft, seats: tuple[str, ...]) -> TableSetup:
        """The set-up of a table or a job with this drawing, by the rules that were chosen."""
        by = sent.text("by")
        rules = json.dumps(self._rules.data(sent.game, by)) if by else ""
        typed = {sent.easel.path: [json.dumps(sketch.value, ensure_ascii=False)]}
        return TableSetup(sent.game.name, sent.players, seats, typed=typed, file=rules)

    def _ask(self, sent: MapEditorForm, sketch: MapDraft, kind: str) -> str:
        """Starts a job about a drawing: equal agents play, and the report says who wins from where."""
        game, easel = sent.game, sent.easel
        setup = self._setup(sent, sketch, (sent.text("agent", usual_agent(game)),) * sent.players)
        fields = {name: [sent.text(name, usual)] for name, usual in _USUAL.items()}
        base = None
        about = {"changes": [[f"{text}: {_name(sketch)}" for text in easel.title]]}
        if kind == "compare":
            other = MapDraft.of_value(easel, self._begun(sent, sent.text("against")))
            if other.value == sketch.value:
                raise PlaymillError(*DRAW["same"])
            made = JobForm(game, self._tables.agents[game.name], self._rules, self._setup(sent, other, ()), fields)
            base = made.settings.config(sent.players).model_dump(mode="json")
            about["changes"] = [[f"{text}: {_name(other)} → {_name(sketch)}" for text in easel.title]]
        job_form = JobForm(game, self._tables.agents[game.name], self._rules, setup, fields, base=base)
        described = {**job_form.about(kind), **about, "game": game.name, "seats": list(setup.seats)}
        return self._queue.add(kind, job_form.reference(), job_form.arguments(kind), described).id

    def _shown(
        self,
        request: Request,
        sent: MapEditorForm,
        sketch: MapDraft,
        error: PlaymillError | None,
        said: Text | None = None,
        *,
        fresh: bool = False,
    ) -> Response:
        """Renders the editor; a `fresh` drawing gives way to what was being drawn in this browser."""
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
        return self._renderer.page(
            request,
            "drawing",
            status=200 if error is None else 400,
            lab=saying(lang),
            draw=lambda key, *args: DRAW[key].of(lang).format(*args),
            owner=self._owner.is_owner(request.headers),
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
            minds=list(self._tables.agents[game.name].values()),
            rules=self._rules.names(game),
            library=self._library(sent).among,
            kept=self._kept.names(game),
            trouble=error.public if error is not None and error.public not in sketch.mistakes else None,
            said=said,
            data=data_block(data),
        )


_CHANGES: Mapping[str, Callable[[MapEditorPages, MapEditorForm, MapDraft], MapDraft]] = {
    "open": MapEditorPages._opening,
    "resize": MapEditorPages._resized,
    "blank": MapEditorPages._emptied,
    "suggest": MapEditorPages._suggested,
}


def _at(config: Any, sent: MapEditorForm) -> Any:
    """The value of the drawn setting in a config."""
    try:
        return value_at(config, sent.easel.path)
    except KeyError:
        return None


def _name(sketch: MapDraft) -> str:
    return sketch.drawing.name if sketch.drawing else ""


def _download(text: str, name: str) -> Response:
    return Response(
        text,
        media_type="application/json",
        headers={"Content-Disposition": f"attachment; filename*=UTF-8''{quote(name, safe='')}.json"},
    )
