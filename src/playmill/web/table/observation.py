"""Observation of a table for one viewer: all data a browser gets is made here, and nothing else reads its state.

A player's picture is drawn from a copy of the game that went through `conceal`, always with the same random stream: of
two games that the player cannot tell apart it makes the same bytes, even for a game whose picture is careless. The log
comes from `witnessed`, where a game says what each player learns of an action. For a game without it that hides
something the log is sparse; one whose `conceal` does nothing hides nothing, and all of it is logged.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np

from playmill.defaults.text_view import draws_text, plain_picture
from playmill.drawing.svg import sentence
from playmill.engine.config.settings import describe_changes
from playmill.engine.contract.game import hides_nothing
from playmill.engine.contract.score_lines import Line
from playmill.texts import Lang, PlaymillError, Text, as_text
from playmill.web.page.phrases import NOTES
from playmill.web.table.author_errors import guarded
from playmill.web.table.concealed import concealed, known_position, trim
from playmill.web.table.history import NOBODY, Moment
from playmill.web.table.state import OVER, GameTable
from playmill.web.table.store import UNDO
from playmill.web.table.text_view import position_text

#: The most missed moments that come with their pictures, so that a browser can animate them.
MOST_PICTURES = 40

_TAKEN_BACK = Text("takes the last decision back", "берёт последнее решение назад")
_DECIDED = Text("has decided", "принимает решение")
_DRAW = Text("nobody has won", "победителя нет")


_OTHERWISE = Text("Not as usual: {}", "Не как обычно: {}")
#: A longer value is left out beside its name.
_SHORT = 24
_HIDDEN = Text("[hidden]", "[скрыто]")


@dataclass(frozen=True)
class Viewer:
    """Who observes a table: the player of a seat, or a spectator; one of them may own the table.

    Several people at one browser hold several `seats`; it shows the observation of one of them, or of a spectator.
    """

    seat: int | None = None
    owner: bool = False
    seats: tuple[int, ...] = ()

    @property
    def held(self) -> tuple[int, ...]:
        """All seats that are played from here."""
        return self.seats or (() if self.seat is None else (self.seat,))


def observe_table(table: GameTable, viewer: Viewer, lang: Lang, since: int = -1, noted: int = 0) -> dict[str, Any]:
    """Returns all that a viewer may know of a table, as JSON-able data.

    Moments after version `since` come one by one; with `-1`, for a browser that has nothing yet, all lines come, and
    the present picture alone. Notes come after number `noted`.
    """
    seat = viewer.seat
    mine = table.turn != NOBODY and table.turn == seat and not table.chairs[seat].agent
    taker = undo_seat(table, viewer)
    refused = table.undo_refused(taker) if taker is not None else None
    return {
        "version": table.version,
        # Until the game begins a seat sees no more than everybody: else one could look into every hand in turn.
        "steps": _guarded(table, [], _steps, seat if table.started else None, lang, since),
        "turn": table.turn,
        "yours": mine,
        "asks": _guarded(table, None, _asks, seat, lang),
        "options": _options(table, lang) if mine else [],
        "undo": {"may": taker is not None and refused is None, "why": refused.of(lang) if refused else None},
        "end": _guarded(table, None, _end, seat, lang),
        "seats": _seats(table, viewer),
        "spectators": table.spectators,
        "notes": _notes(table, lang, 0 if since < 0 else noted),
        "grace": table.grace,
        "you": seat,
        "curtain": _curtain(table, viewer),
        "owner": viewer.owner,
        "started": table.started,
        "over": table.over,
        "trouble": table.trouble.of(lang) if table.trouble else None,
        "settings": _settings(table),
        "changed": _changed(table, lang),
        "hints": table.facts.hints,
        "again": table.again,
        "flaw": next((flaw.of(lang) for flaw in table.flaws.values()), None),
    }


def _guarded(table: GameTable, otherwise: Any, ask: Callable[..., Any], *more: Any) -> Any:
    """Calls a function about a table's game; where the author's code fails, returns `otherwise`."""
    return ask(table, *more) if table.game is None else guarded(table, lambda: ask(table, *more), otherwise)


def observation_text(table: GameTable, viewer: Viewer, lang: Lang, since: int = -1, noted: int = 0) -> str:
    """The same as the JSON text that is sent."""
    return json.dumps({"kind": "seen", **observe_table(table, viewer, lang, since, noted)}, ensure_ascii=False)


def observe_past(
    table: GameTable, viewer: Viewer, lang: Lang, version: int, *, in_words: bool = False
) -> dict[str, Any]:
    """Returns the table just after a moment that is over, as the viewer saw it then; also in words on demand."""
    if table.trouble is not None:
        raise PlaymillError(*table.trouble)
    if not 0 <= version <= table.version:
        raise PlaymillError("there was no such moment", "такого момента не было")
    seat, moment = viewer.seat if table.started else None, table.moments[version]
    words = {"words": position_text(table, moment.after, seat, lang)} if in_words else {}
    return {"version": version, "picture": _picture(table, moment, seat, lang), **words}


def undo_seat(table: GameTable, viewer: Viewer) -> int | None:
    """The seat for which a viewer would undo: at one screen, where nothing is hidden, that of the last decision."""
    last = table.last_decider
    shared = table.game is not None and hides_nothing(table.game) and last in viewer.held
    return last if shared else viewer.seat


def current_viewer(table: GameTable, viewer: Viewer) -> Viewer:
    """The viewer with the seat to show now: where nothing is hidden, that of whoever moves."""
    if len(viewer.held) < 2 or table.game is None or not hides_nothing(table.game) or table.turn not in viewer.held:
        return viewer
    return replace(viewer, seat=table.turn)


def _curtain(table: GameTable, viewer: Viewer) -> int | None:
    """The seat to move of a browser that shows another seat: its player has to confirm before it is shown."""
    awaited = table.turn in viewer.held and table.turn != viewer.seat
    return table.turn if awaited and table.chairs[table.turn].person else None


def _notes(table: GameTable, lang: Lang, noted: int) -> list[dict[str, Any]]:
    """The notes after a number."""
    return [
        {
            "number": note.number,
            "version": note.version,
            "seat": note.seat,
            "who": note.who,
            "line": NOTES[note.what].of(lang),
        }
        for note in table.notes
        if note.number > noted and note.what in NOTES
    ]


def _steps(table: GameTable, seat: int | None, lang: Lang, since: int) -> list[dict[str, Any]]:
    """The moments after a version: who acted, the log lines, and the picture."""
    missed = table.moments[since + 1 :] if -1 <= since <= table.version else table.moments
    fresh = since < 0 or since > table.version
    drawn = missed[-1:] if fresh else missed[-MOST_PICTURES:]
    first = drawn[0].version if drawn else 0
    steps = []
    for moment in missed:
        step: dict[str, Any] = {
            "version": moment.version,
            "seat": moment.seat,
            "lines": [
                line.of(lang) for line in (*_guarded(table, [], log_lines, moment, seat), *_remark(table, moment))
            ],
        }
        if moment.version >= first:
            step["picture"] = _picture(table, moment, seat, lang)
            notices = _guarded(table, [], _asked, "notices", moment, seat, fresh)
            step["notices"] = [sentence(line.of(lang)) for line in notices]
            step["flights"] = _guarded(table, [], _asked, "flights", moment, seat, fresh)
        steps.append(step)
    return steps


def _picture(table: GameTable, moment: Moment, seat: int | None, lang: Lang) -> str:
    """The picture just after a moment for a seat, cached; in the present one that seat's options can be clicked."""
    assert table.game is not None
    now = moment.version == table.version
    legal = table.state.legal_actions() if now and seat is not None and table.turn == seat else []
    drawn, key = table.drawn, (moment.version, seat, lang, bool(legal))
    if key not in drawn:
        trim(drawn)
        drawn[key] = picture_of(table, moment, known_position(table, moment, seat), seat, legal, lang)
    return drawn[key]


def picture_of(
    table: GameTable, moment: Moment, known: np.void, seat: int | None, legal: Sequence[int], lang: Lang
) -> str:
    """The picture of a moment from a known position; of a game that draws nothing, its text with gaps."""
    assert table.game is not None
    if not draws_text(table.game):
        view, config = table.game.view, table.config
        if (drawn := guarded(table, lambda: view(config, known, seat, legal, lang), "")) != "":
            return drawn
    options = [(action, _described(table, action, lang)) for action in legal]
    text: str = _guarded(table, "", position_text, moment.after, seat, lang, _HIDDEN.of(lang))
    return plain_picture(text, options, table.game.words.TITLE.of(lang), lang)


def _described(table: GameTable, action: int, lang: Lang) -> str:
    """An action in words, or as its number."""
    assert table.game is not None
    describe = table.game.words.describe
    return guarded(table, lambda: str(describe(table.config, action).of(lang)), str(action))


def log_lines(table: GameTable, moment: Moment, seat: int | None) -> list[Text]:
    """The log of a moment for a seat: a phrase that follows the name of whoever acted, then what came of it."""
    assert table.game is not None
    words, action = table.game.words, moment.action
    if action == UNDO and moment.seat != NOBODY:
        return [_TAKEN_BACK]
    if moment.seat == NOBODY:
        return []
    if words.witnessed is not None:
        found: list[Text] = words.witnessed(table.config, moment.before, moment.after, action, seat)
        return found
    if hides_nothing(table.game):
        return [words.describe(table.config, action), *words.events(table.config, moment.before, moment.after, action)]
    spoken = [words.describe(table.config, action) if moment.seat == seat else _DECIDED]
    return [*spoken, OVER] if moment.after["player"] < 0 else spoken


def _asked(table: GameTable, what: str, moment: Moment, seat: int | None, fresh: bool) -> list[Any]:
    """What a game's hook of this name says about a moment; nothing to a browser that has not seen the moment before."""
    assert table.game is not None
    tell = getattr(table.game.words, what)
    if fresh or tell is None or moment.seat == NOBODY or moment.action == UNDO:
        return []
    found: list[Any] = tell(table.config, moment.before, moment.after, moment.action, seat)
    return found


def _remark(table: GameTable, moment: Moment) -> list[Text]:
    return [table.remarks[moment.version]] if moment.version in table.remarks else []


def _asks(table: GameTable, seat: int | None, lang: Lang) -> str | None:
    """The kind of decision that is awaited, in words, if the game has words for it."""
    if table.turn == NOBODY or table.game is None:
        return None
    known = known_position(table, table.moments[-1], seat)
    names = table.game.words.DECISION_NAMES
    name = names.get(table.game.words.decision_kind(known))
    return sentence(name.of(lang)) if name else None


def _options(table: GameTable, lang: Lang) -> list[dict[str, Any]]:
    """The options of the player to move, for that player only."""
    assert table.game is not None
    words, config, legal = table.game.words, table.config, table.state.legal_actions()
    brings, found = _guarded(table, {}, _brings, legal), []
    for action in legal:
        short = guarded(table, partial(words.to_text, config, action), str(action))
        fields = guarded(table, partial(words.fields, config, action), {"act": str(action)})
        shown = sentence(_described(table, action, lang))
        more = brings[action].of(lang) if action in brings else ""
        found.append({"action": action, "words": shown, "brings": more, "text": short, "fields": fields})
    return found


def _brings(table: GameTable, legal: Sequence[int]) -> dict[int, Text]:
    """What options yield as far as the player to move may know, if the game has the hook."""
    assert table.game is not None
    tell = table.game.words.brings
    if tell is None:
        return {}
    found = tell(table.config, known_position(table, table.moments[-1], table.turn), legal)
    return {action: as_text(one) for action, one in found.items()}


def _end(table: GameTable, seat: int | None, lang: Lang) -> dict[str, Any] | None:
    """Who has won and why, if the game is over."""
    if not table.over:
        return None
    returns = table.state.returns()
    best = max(returns)
    winners = [player for player, value in enumerate(returns) if value == best]
    if table.facts.players > 1 and len(winners) == table.facts.players:
        winners = []
    lines = log_lines(table, table.moments[-1], seat)
    why = lines[-1] if lines else _DRAW
    return {
        "winners": winners,
        "returns": returns,
        "words": sentence(why.of(lang)),
        "alone": len(returns) == 1,
        "counting": _counting(table, seat, lang),
    }


def _counting(table: GameTable, seat: int | None, lang: Lang) -> list[dict[str, Any]]:
    """The score sheet of a finished game, line by line, if the game has the hook."""
    assert table.game is not None
    if table.game.words.counting is None:
        return []
    lines: list[Line] = table.game.words.counting(table.config, concealed(table, table.moments[-1].after, seat))
    return [{"name": line.name.of(lang), "values": line.values, "kind": line.kind.value} for line in lines]


def _seats(table: GameTable, viewer: Viewer) -> list[dict[str, Any]]:
    return [
        {
            "seat": number,
            "name": chair.name,
            "agent": chair.agent or None,
            "open": chair.open,
            "here": number in table.present,
            "waits": chair.person and chair.waits,
            "held": bool(chair.token),
            "you": number in viewer.held,
        }
        for number, chair in enumerate(table.chairs)
    ]


def _settings(table: GameTable) -> dict[str, Any]:
    """The settings that differ from the default."""
    if table.game is None or table.trouble is not None:
        return {}
    return table.changes


def _changed(table: GameTable, lang: Lang) -> str | None:
    """The same in words: each by its name, with its value if that is short; None if all are the default."""
    changes = _settings(table)
    if not changes:
        return None
    lines = describe_changes(table.config, changes, longest=_SHORT)
    return _OTHERWISE.of(lang).format("; ".join(text.of(lang) for text in lines))
