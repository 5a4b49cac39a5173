"""Rendering of the content editor: the whole page, its parts for the script, and the worth of a piece."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from playmill.engine.config.model import RuleConfig
from playmill.engine.contract.game import Game
from playmill.lab.jobs import Job, JobState
from playmill.lab.runs.content import require_content
from playmill.report.number_format import decimal
from playmill.texts import Lang, PlaymillError, Text
from playmill.web.access.owner import Owner
from playmill.web.lab.content.draft import PieceDraft, kinds_of, labels_of
from playmill.web.lab.content.form_values import PREFIX, number_of
from playmill.web.lab.content.phrases import making
from playmill.web.lab.content.saved import SavedContent
from playmill.web.lab.content.worth_jobs import WorthRequest, whiskers
from playmill.web.lab.job_queue import JobQueue
from playmill.web.lab.phrases import saying
from playmill.web.page.renderer import Renderer
from playmill.web.page.requests import language
from playmill.web.saved.named_files import LONGEST
from playmill.web.saved.rules import SavedRules

#: Deals of a worth: as many as on the command line; and the most.
DEALS, MOST_DEALS = 100_000, 10_000_000
#: Sizes that a form offers.
SIZES = (2_000, 20_000, 100_000, 1_000_000)
Form = Mapping[str, Sequence[str]]


class EditorView:
    """Renders the templates of the editor with what they need of the server."""

    def __init__(
        self, renderer: Renderer, rules: SavedRules, kept: SavedContent, owner: Owner, queue: JobQueue
    ) -> None:
        self._renderer, self._rules, self._kept, self._owner, self._queue = renderer, rules, kept, owner, queue

    def is_owner(self, request: Request) -> bool:
        """Whether a request comes from the owner."""
        return self._owner.is_owner(request.headers)

    def worth_parts(
        self, request: Request, job: Job | None, *, right: bool = True, trouble: Text | None = None
    ) -> dict[str, Any]:
        """The rendered worth of a job, or the error in its place."""
        now = self.worth_now(job)
        now = {**now, "state": "failed", "trouble": trouble} if trouble is not None else now
        text = self.text(request, "content_worth", now=now, right=right)
        return {"worth": text, "state": now["state"], "work": job.id if job is not None else ""}

    def worth_now(self, job: Job | None) -> dict[str, Any]:
        """The figures so far, and the progress."""
        if job is None:
            return {"state": "", "found": [], "job": None}
        results, standing, state = job.saved("results.json"), job.standing, job.state
        return {
            "state": state.value if not (state is JobState.WAITING and self._queue.is_running(job)) else "running",
            "found": whiskers(results.get("worth", [])),
            "deals": results.get("games", 0),
            "wanted": job.arguments.get("games", 0),
            "agents": results.get("agents", []),
            "before": self._queue.before(job),
            "done": standing.done,
            "trouble": job.trouble,
            "job": job,
        }

    def text(self, request: Request, name: str, lang: Lang | None = None, **rest: Any) -> str:
        """Renders a template of the editor to text."""
        return bytes(self.render(request, name, lang, **rest).body).decode()

    def render(self, request: Request, name: str, lang: Lang | None = None, **rest: Any) -> Response:
        """Renders a template of the editor."""
        lang = lang or language(request)
        return self._renderer.page(
            request,
            name,
            lang=lang,
            lab=saying(lang),
            make=making(lang),
            prefix=PREFIX,
            owner=self.is_owner(request),
            number=lambda value, digits=0: decimal(value, digits, lang),
            signed=lambda share: _signed(share, lang),
            **rest,
        )

    def config(self, game: Game, name: str) -> RuleConfig:
        """Saved rules, or the default."""
        return game.config.read(self._rules.data(game, name)) if name else game.config()

    def chosen(self, game: Game) -> dict[str, Any]:
        """The pieces to begin with."""
        module = require_content(game)
        listed = module.entries(module.library())
        return {
            "library": [
                (kind, module.KIND_NAMES[kind], [one for one in listed if one.kind == kind]) for kind in kinds_of(game)
            ],
            "kept": self._kept.listed(game),
            "unread": sorted(set(self._kept.names(game)) - {one.name for one in self._kept.listed(game)}),
            "saved": self._rules.names(game),
        }


class EditorRequest:
    """One request of the editor: the draft that was typed, and its answer."""

    def __init__(self, view: EditorView, request: Request, draft: PieceDraft, form: Form) -> None:
        self._view, self.request, self.draft, self.form = view, request, draft, form
        spoken = last(form, "speak")
        self.spoken: Lang | None = "ru" if spoken == "ru" else "en" if spoken == "en" else None
        self.lang: Lang = self.spoken or language(request)
        self.mine = view.is_owner(request)
        self.job: Job | None = None
        self.said: Text | None = None
        self.mistakes: Sequence[Text] = ()
        self.trouble: Text | None = None

    def config(self) -> RuleConfig:
        """The rules under which the piece is tried."""
        return self._view.config(self.draft.game, last(self.form, "rules"))

    def deals(self) -> int:
        """The number of deals; raises if it is invalid."""
        text = last(self.form, "deals") or str(DEALS)
        found = number_of(text)
        if not isinstance(found, int) or not 1 <= found <= MOST_DEALS:
            raise PlaymillError(
                f"{text!r} deals: expected a whole number from 1 to {MOST_DEALS}",
                f"{text!r} раздач: нужно целое число от 1 до {MOST_DEALS}",
            )
        return found

    def wanted(self) -> WorthRequest | None:
        """The request for the worth; None if the piece has none, or has mistakes."""
        if self.draft.flaws or not self.draft.is_tried:
            return None
        return WorthRequest.of(self.draft, self.config(), self.deals())

    def _rest(self) -> dict[str, Any]:
        fields, homeless = self.draft.fields(self.lang)
        return {"draft": self.draft, "fields": fields, "homeless": homeless, "game": self.draft.game}

    def parts(self) -> dict[str, Any]:
        """The parts of the page that depend on the piece, as JSON."""
        view, request = self._view, self.request
        worth = view.worth_parts(request, self.job, right=not self.draft.flaws, trouble=self.trouble)
        return {
            "fields": view.text(request, "content_fields", **self._rest()),
            "told": view.text(request, "content_told", **self._rest()),
            "right": not self.draft.flaws and self.draft.is_tried,
            **worth,
        }

    def _begun_with(self) -> str:
        asked = self.request.query_params
        return next((f"{how}:{asked[how]}" for how in ("from", "kept") if how in asked), "")

    def answer(self, error: PlaymillError | None = None) -> Response:
        """The whole page."""
        game = self.draft.game
        asked = last(self.form, "do").partition(":")[0]
        is_told = asked in ("load", "import") or not self.draft.flaws
        trouble = error.public if error is not None and is_told else None
        return self._view.render(
            self.request,
            "content",
            self.lang,
            status=200 if error is None and not self.mistakes else 400,
            here=f"/lab/games/{game.name}/content",
            now=self._view.worth_now(self.job),
            right=not self.draft.flaws,
            sizes=SIZES,
            deals=last(self.form, "deals") or str(DEALS),
            rules=last(self.form, "rules"),
            called=last(self.form, "called"),
            file=last(self.form, "file"),
            begun=last(self.form, "from") or self._begun_with(),
            longest=LONGEST,
            trouble=trouble,
            said=self.said,
            mistakes=self.mistakes,
            untried=labels_of(game).untried,
            kind_names=require_content(game).KIND_NAMES,
            has_prompt=require_content(game).prompt is not None,
            kinds=[(kind, require_content(game).KIND_NAMES[kind]) for kind in kinds_of(game)],
            **self._view.chosen(game),
            **self._rest(),
        )


def _signed(share: float, lang: Lang) -> str:
    """A change in percentage points, with its sign."""
    text = decimal(abs(100 * share), 1, lang)
    return f"{'−' if share < 0 else '+'}{text}" if float(f"{100 * share:.1f}") else text


def last(form: Form, name: str) -> str:
    """The last value of a field, stripped; empty if there is none."""
    found = form.get(name, ())
    return found[-1].strip() if found else ""
