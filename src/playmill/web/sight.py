"""What anybody may see: everything a browser is sent about a table is made here, and nothing else reads its state.

A player's picture is drawn from a copy of the game that went through `conceal`, always with the same luck: of two games
she cannot tell apart it makes the same bytes, even for a game whose picture is careless. Words come from `witnessed`,
where a game says what each player is told of an action. A game without it that hides something is told sparingly; one
whose `conceal` does nothing hides nothing, and all of it is told.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np

from playmill.engine.config.settings import told_changes
from playmill.engine.contract.game import hides_nothing
from playmill.engine.contract.score_lines import Line
from playmill.engine.contract.text_view import plain_picture
from playmill.engine.lang.rule import SPECTATOR
from playmill.engine.run.state import State
from playmill.games.svg import sentence
from playmill.texts import Lang, PlaymillError, Text, as_text
from playmill.web.careful import carefully
from playmill.web.gaps import GAP, in_common
from playmill.web.ledger import UNDO
from playmill.web.moments import NOBODY, Moment
from playmill.web.phrases import NOTES
from playmill.web.table import OVER, Table

#: So many of the moments that a browser has missed come with their pictures, so that it can play them out.
MOST_PICTURES = 40
#: So many pictures of a table are remembered: everybody who sees the same gets the same one.
MOST_DRAWN = 24

_OTHER_LUCK = 0x9E3779B97F4A7C15

_TAKEN_BACK = Text("takes the last decision back", "берёт последнее решение назад")
_DECIDED = Text("has decided", "принимает решение")
_DRAW = Text("nobody has won", "победителя нет")


_OTHERWISE = Text("Not as usual: {}", "Не как обычно: {}")
#: A value with more letters than this is not told beside its name.
_SHORT = 24
_HIDDEN = Text("[hidden]", "[скрыто]")
#: So many worlds are told. That something hidden is the same in all of them by chance is rare, and then it is a guess.
_WORLDS = 10


@dataclass(frozen=True)
class Viewer:
    """Somebody at a table: the player of a seat, or a spectator; one of them may own the table.

    Several people at one browser hold several `seats`; it sees with the eyes of one of them, or of nobody.
    """

    seat: int | None = None
    owner: bool = False
    seats: tuple[int, ...] = ()

    @property
    def held(self) -> tuple[int, ...]:
        """All seats that are played from here."""
        return self.seats or (() if self.seat is None else (self.seat,))


def seen_by(table: Table, viewer: Viewer, lang: Lang, since: int = -1, noted: int = 0) -> dict[str, Any]:
    """All that somebody may know of a table, as JSON-able data, in her language.

    Moments after version `since` come one by one; `-1` is for one who has seen nothing: she gets every line, and the
    picture of the present alone. Notes come after number `noted`.
    """
    seat = viewer.seat
    mine = table.turn != NOBODY and table.turn == seat and not table.chairs[seat].agent
    taker = undoer(table, viewer)
    refused = table.undo_refused(taker) if taker is not None else None
    return {
        "version": table.version,
        # Until the game begins a seat sees no more than everybody: else one could look into every hand in turn.
        "steps": _careful(table, [], _steps, seat if table.started else None, lang, since),
        "turn": table.turn,
        "yours": mine,
        "asks": _careful(table, None, _asks, seat, lang),
        "options": _options(table, lang) if mine else [],
        "undo": {"may": taker is not None and refused is None, "why": refused.of(lang) if refused else None},
        "end": _careful(table, None, _end, seat, lang),
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


def _careful(table: Table, otherwise: Any, ask: Callable[..., Any], *more: Any) -> Any:
    """What a game tells or shows; where that fails, what is there instead."""
    return ask(table, *more) if table.game is None else carefully(table, lambda: ask(table, *more), otherwise)


def seen_text(table: Table, viewer: Viewer, lang: Lang, since: int = -1, noted: int = 0) -> str:
    """The same as the JSON text that is sent."""
    return json.dumps({"kind": "seen", **seen_by(table, viewer, lang, since, noted)}, ensure_ascii=False)


def looked_back(table: Table, viewer: Viewer, lang: Lang, version: int, *, in_words: bool = False) -> dict[str, Any]:
    """The table just after a moment that is over, as somebody saw it then; in words, too, if they are wanted."""
    if table.trouble is not None:
        raise PlaymillError(*table.trouble)
    if not 0 <= version <= table.version:
        raise PlaymillError("there was no such moment", "такого момента не было")
    seat, moment = viewer.seat if table.started else None, table.moments[version]
    words = {"words": told_position(table, moment.after, seat, lang)} if in_words else {}
    return {"version": version, "picture": _picture(table, moment, seat, lang), **words}


def undoer(table: Table, viewer: Viewer) -> int | None:
    """The seat somebody would take a decision back for: at one screen, where nothing is hidden, whose it was."""
    last = table.last_decider
    shared = table.game is not None and hides_nothing(table.game) and last in viewer.held
    return last if shared else viewer.seat


def eyes_of(table: Table, viewer: Viewer) -> Viewer:
    """The same people with the eyes that they see with now: where nothing is hidden, those of whoever moves."""
    if len(viewer.held) < 2 or table.game is None or not hides_nothing(table.game) or table.turn not in viewer.held:
        return viewer
    return replace(viewer, seat=table.turn)


def _curtain(table: Table, viewer: Viewer) -> int | None:
    """Whose turn it is at a browser that sees with other eyes: she has to say that it is her."""
    awaited = table.turn in viewer.held and table.turn != viewer.seat
    return table.turn if awaited and table.chairs[table.turn].person else None


def _notes(table: Table, lang: Lang, noted: int) -> list[dict[str, Any]]:
    """What happened besides the game, after a number."""
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


def _steps(table: Table, seat: int | None, lang: Lang, since: int) -> list[dict[str, Any]]:
    """The moments after a version: who acted, what is told of it, and how the table looked then."""
    missed = table.moments[since + 1 :] if -1 <= since <= table.version else table.moments
    fresh = since < 0 or since > table.version
    drawn = missed[-1:] if fresh else missed[-MOST_PICTURES:]
    first = drawn[0].version if drawn else 0
    steps = []
    for moment in missed:
        step: dict[str, Any] = {
            "version": moment.version,
            "seat": moment.seat,
            "lines": [line.of(lang) for line in (*_careful(table, [], told, moment, seat), *_remark(table, moment))],
        }
        if moment.version >= first:
            step["picture"] = _picture(table, moment, seat, lang)
            notices = _careful(table, [], _asked, "notices", moment, seat, fresh)
            step["notices"] = [sentence(line.of(lang)) for line in notices]
            step["flights"] = _careful(table, [], _asked, "flights", moment, seat, fresh)
        steps.append(step)
    return steps


def _picture(table: Table, moment: Moment, seat: int | None, lang: Lang) -> str:
    """The table just after a moment, as somebody sees it; the options of the present are hers to click."""
    assert table.game is not None
    now = moment.version == table.version
    legal = table.state.legal_actions() if now and seat is not None and table.turn == seat else []
    drawn, key = table.drawn, (moment.version, seat, lang, bool(legal))
    if key not in drawn:
        _make_room(drawn)
        drawn[key] = pictured(table, moment, _known(table, moment, seat), seat, legal, lang)
    return drawn[key]


def pictured(table: Table, moment: Moment, known: np.void, seat: int | None, legal: Sequence[int], lang: Lang) -> str:
    """A moment as the game draws it of what is known; one that draws nothing is told, with gaps for what is hidden."""
    assert table.game is not None
    if not table.game.is_plain:
        view, config = table.game.view, table.config
        if (drawn := carefully(table, lambda: view(config, known, seat, legal, lang), "")) != "":
            return drawn
    options = [(action, _described(table, action, lang)) for action in legal]
    told: str = _careful(table, "", told_position, moment.after, seat, lang, _HIDDEN.of(lang))
    return plain_picture(told, options, table.game.words.TITLE.of(lang), lang)


def _described(table: Table, action: int, lang: Lang) -> str:
    """An action in words, or as its number."""
    assert table.game is not None
    describe = table.game.words.describe
    return carefully(table, lambda: str(describe(table.config, action).of(lang)), str(action))


def told_position(table: Table, record: np.void, seat: int | None, lang: Lang, gap: str = GAP) -> str:
    """A position in words as far as somebody may know it.

    A game tells a whole position. So it is asked about several worlds that the reader cannot tell apart, always the
    same ones: what the tellings have in common is known, and where they part there is a gap.
    """
    assert table.game is not None
    worlds = 1 if hides_nothing(table.game) else _WORLDS
    tell = table.game.words.position
    return in_common([tell(table.config, concealed(table, record, seat, luck), lang) for luck in range(worlds)], gap)


def _known(table: Table, moment: Moment, seat: int | None) -> np.void:
    """The position after a moment as somebody may know it, made once for all that is shown of it."""
    key = (moment.version, seat)
    if key not in table.known:
        _make_room(table.known)
        table.known[key] = concealed(table, moment.after, seat)
    return table.known[key]


def _make_room(remembered: dict[Any, Any]) -> None:
    while len(remembered) >= MOST_DRAWN:
        remembered.pop(next(iter(remembered)), None)


def concealed(table: Table, record: np.void, seat: int | None, luck: int = 0) -> np.void:
    """A position as somebody may know it; a spectator knows what everybody sees.

    With other `luck` it is another of the worlds that look the same to her.
    """
    assert table.game is not None
    state = table.state.clone()
    put = np.zeros(1, table.game.state)
    put[0] = record
    state.put_record(put)
    state.desk["guess"]["stream"] = 0
    state.conceal(SPECTATOR if seat is None else seat, luck * _OTHER_LUCK)
    return state.record.copy()


def known_state(table: Table, seat: int) -> State:
    """The game as a seat knows it, to be thought about: a fresh one, with that position and no luck of the true one."""
    assert table.game is not None
    state = State(table.game, players=table.facts.players, config=table.config, interpreted=True)
    put = np.zeros(1, table.game.state)
    put[0] = concealed(table, table.moments[-1].after, seat)
    state.put_record(put)
    return state


def told(table: Table, moment: Moment, seat: int | None) -> list[Text]:
    """What somebody is told of a moment: a phrase that follows the name of whoever acted, then what came of it."""
    assert table.game is not None
    words, action = table.game.words, moment.action
    if action == UNDO and moment.seat != NOBODY:
        return [_TAKEN_BACK]
    if moment.seat == NOBODY:
        return []
    if hasattr(words, "witnessed"):
        found: list[Text] = words.witnessed(table.config, moment.before, moment.after, action, seat)
        return found
    if hides_nothing(table.game):
        return [words.describe(table.config, action), *words.events(table.config, moment.before, moment.after, action)]
    spoken = [words.describe(table.config, action) if moment.seat == seat else _DECIDED]
    return [*spoken, OVER] if moment.after["player"] < 0 else spoken


def _asked(table: Table, what: str, moment: Moment, seat: int | None, fresh: bool) -> list[Any]:
    """What a game tells somebody of a moment by a function of this name, if it has one and she has seen it come."""
    assert table.game is not None
    tell = getattr(table.game.words, what, None)
    if fresh or tell is None or moment.seat == NOBODY or moment.action == UNDO:
        return []
    found: list[Any] = tell(table.config, moment.before, moment.after, moment.action, seat)
    return found


def _remark(table: Table, moment: Moment) -> list[Text]:
    return [table.remarks[moment.version]] if moment.version in table.remarks else []


def _asks(table: Table, seat: int | None, lang: Lang) -> str | None:
    """What kind of decision is awaited, in words, if the game has words for it."""
    if table.turn == NOBODY or table.game is None:
        return None
    known = _known(table, table.moments[-1], seat)
    names = getattr(table.game.words, "DECISION_NAMES", {})
    name = names.get(table.game.words.decision_kind(known))
    return sentence(name.of(lang)) if name else None


def _options(table: Table, lang: Lang) -> list[dict[str, Any]]:
    """The options of the player to move: for her eyes only."""
    assert table.game is not None
    words, config, legal = table.game.words, table.config, table.state.legal_actions()
    brings, found = _careful(table, {}, _brings, legal), []
    for action in legal:
        short = carefully(table, partial(words.to_text, config, action), str(action))
        fields = carefully(table, partial(words.fields, config, action), {"act": str(action)})
        shown = sentence(_described(table, action, lang))
        more = brings[action].of(lang) if action in brings else ""
        found.append({"action": action, "words": shown, "brings": more, "text": short, "fields": fields})
    return found


def _brings(table: Table, legal: Sequence[int]) -> dict[int, Text]:
    """What options come to as far as the player to move may know, if the game has words for it."""
    assert table.game is not None
    tell = getattr(table.game.words, "brings", None)
    if tell is None:
        return {}
    found = tell(table.config, _known(table, table.moments[-1], table.turn), legal)
    return {action: as_text(one) for action, one in found.items()}


def _end(table: Table, seat: int | None, lang: Lang) -> dict[str, Any] | None:
    """Who has won, and why: the last thing told of the game."""
    if not table.over:
        return None
    returns = table.state.returns()
    best = max(returns)
    winners = [player for player, value in enumerate(returns) if value == best]
    if table.facts.players > 1 and len(winners) == table.facts.players:
        winners = []
    lines = told(table, table.moments[-1], seat)
    why = lines[-1] if lines else _DRAW
    return {
        "winners": winners,
        "returns": returns,
        "words": sentence(why.of(lang)),
        "alone": len(returns) == 1,
        "counting": _counting(table, seat, lang),
    }


def _counting(table: Table, seat: int | None, lang: Lang) -> list[dict[str, Any]]:
    """The account of a finished game, line by line, if the game gives one."""
    assert table.game is not None
    if not hasattr(table.game.words, "counting"):
        return []
    lines: list[Line] = table.game.words.counting(table.config, concealed(table, table.moments[-1].after, seat))
    return [{"name": line.name.of(lang), "values": line.values, "kind": line.kind.value} for line in lines]


def _seats(table: Table, viewer: Viewer) -> list[dict[str, Any]]:
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


def _settings(table: Table) -> dict[str, Any]:
    """The numbers of the rules that differ from the usual ones."""
    if table.game is None or table.trouble is not None:
        return {}
    return table.changes


def _changed(table: Table, lang: Lang) -> str | None:
    """The same in words: each by its name, with its value if that is short; None if all is as usual."""
    changes = _settings(table)
    if not changes:
        return None
    told = told_changes(table.config, changes, longest=_SHORT)
    return _OTHERWISE.of(lang).format("; ".join(text.of(lang) for text in told))
