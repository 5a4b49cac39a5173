"""A contest as a static site: the ladder and games to watch, in a zip of pages that need no server."""

from __future__ import annotations

import io
import json
import zipfile
from contextlib import suppress
from typing import Any

from markupsafe import Markup

from playmill.texts import LANGUAGES, Lang, PlaymillError
from playmill.web.contest.phrases import saying
from playmill.web.contest.public import worth_a_look
from playmill.web.contest.site import ContestSite
from playmill.web.page.renderer import FOLDER, number_formats, templates
from playmill.web.replay.replay_table import MOST_SECONDS, id_of, read_replay, table_of
from playmill.web.replay.single_page import single_page_replay

#: Games that are rendered as pages of their own, in all and of one entrant; each takes a moment.
_MOST, _OF_ONE = 40, 2


def static_site(site: ContestSite) -> bytes:
    """Returns the zip: `index.html`, `index.ru.html`, the ladder as data, and pages of games."""
    standing = site.view.standing()
    games = _games(site, standing.get("ladder", []))
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        for lang in LANGUAGES:
            archive.writestr("index.html" if lang == "en" else f"index.{lang}.html", _page(site, standing, games, lang))
        public = {key: standing.get(key) for key in ("closed", "ladder", "settled", "meetings")}
        archive.writestr("ladder.json", json.dumps(public, ensure_ascii=False, indent=1))
        for name, _, text in (game for found in games.values() for game in found):
            archive.writestr(f"games/{name}.html", text)
    return made.getvalue()


def _games(site: ContestSite, ladder: list[dict[str, Any]]) -> dict[str, list[tuple[str, dict[str, Any], str]]]:
    """Returns for those on the ladder, from the top, some games: the name of the page, what it is, and the page."""
    known = {site.rules.game.name: site.rules.game}
    ratings = {one["name"]: one["rating"]["value"] for one in ladder}
    found: dict[str, list[tuple[str, dict[str, Any], str]]] = {}
    count = 0
    for rung in ladder:
        mine = found.setdefault(rung["name"], [])
        for table, deal, rotation, rank in worth_a_look(site.view.tables_of(rung["name"]), ratings, _OF_ONE):
            if count >= _MOST:
                return found
            path = site.view.replay(rung["name"], table.place, deal, rotation)
            with suppress(PlaymillError, OSError):
                text = path.read_text(encoding="utf-8") if path is not None else ""
                replay = table_of(read_replay(text, "replay", known), "replay", id_of(text), MOST_SECONDS)
                opponents = ", ".join(name for name, _ in table.opponents)
                # Two who met share their games, and to each of them it ended in a way of its own.
                name = f"{rung['name']}-{table.place}-{deal}-{rotation}"
                what = {"outcome": table.outcome(deal, rotation, rank), "opponents": opponents}
                mine.append((name, what, single_page_replay(replay, "en")))
                count += 1
    return found


def _page(site: ContestSite, standing: dict[str, Any], games: dict[str, Any], lang: Lang) -> str:
    style = "".join((FOLDER / "static" / name).read_text(encoding="utf-8") for name in ("page.css", "lab.css"))
    style = "\n".join(line for line in style.splitlines() if not line.startswith("@font-face"))
    return (
        templates()
        .get_template("contest_static.html")
        .render(
            lang=lang,
            phrase=saying(lang),
            title=site.title,
            game=site.rules.game.title.of(lang),
            ladder=standing.get("ladder", []),
            games=games,
            style=Markup(style),
            **number_formats(lang),
        )
    )
