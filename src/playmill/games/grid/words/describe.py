"""Title and actions of Grid in words: phrases, short texts (formatted and parsed), fields."""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

import numpy as np

from playmill.author import PlaymillError, Text
from playmill.games.grid.actions import ACTIONS, Action, take_apart
from playmill.games.grid.config import Config, board_windows
from playmill.games.grid.config.identifiers import PATTERN_SHAPES
from playmill.games.grid.constants import JOKERS
from playmill.games.grid.words.event_text import events
from playmill.games.grid.words.names import (
    WINDOW_NAMES,
    cell_name,
    coordinates,
    pattern_name,
    window_kind,
)

TITLE = Text("Grid", "Сетка")
ABOUT = Text(
    "cards are drafted onto boards of one's own; patterns of ranks and colours score and give rewards",
    "карты из драфта ложатся на личные поля, паттерны из рангов и цветов дают очки и награды",
)

#: An action as a phrase: {n} is its number as people count, {cell} a cell, {nth} an open card.
_PHRASES = {
    "place": Text("places the card on cell {cell}", "кладёт карту на клетку {cell}"),
    "pick": Text("picks the {nth} open card", "берёт себе {nth} открытую карту"),
    "pass": Text("passes the {nth} open card to the next player", "передаёт {nth} открытую карту следующему игроку"),
    "resolve": Text("resolves {pattern}: {window}", "разыгрывает {pattern}: {window}"),
    "resolve_none": Text("resolves no pattern", "не разыгрывает ни одного паттерна"),
    "refuse": Text("refuses the reward", "отказывается от награды"),
    "accept": Text("takes the reward", "применяет награду"),
    "self_card": Text("chooses the card on cell {cell}", "выбирает карту на своей клетке {cell}"),
    "self_empty": Text("chooses the free cell {cell}", "выбирает свою свободную клетку {cell}"),
    "opponent": Text("aims at player {n}", "выбирает целью игрока {n}"),
    "opponent_card": Text(
        "chooses the card on the opponent's cell {cell}", "выбирает карту на клетке соперника {cell}"
    ),
    "opponent_empty": Text("chooses the opponent's free cell {cell}", "выбирает свободную клетку соперника {cell}"),
    "discard_ref": Text(
        "chooses card {n} of the discard pile, counted from the bottom", "выбирает {n}-ю снизу карту сброса"
    ),
}
_ORDINALS = (
    Text("first", "первую"),
    Text("second", "вторую"),
    Text("third", "третью"),
    Text("fourth", "четвёртую"),
    Text("fifth", "пятую"),
    Text("sixth", "шестую"),
    Text("seventh", "седьмую"),
    Text("eighth", "восьмую"),
)
#: Short forms by act: {at} is `x,y`.
_FORMS = {
    "place": "place {at}",
    "pick": "pick {n}",
    "pass": "pass {n}",
    "resolve": "resolve {letter} {kind} {at}",
    "resolve_none": "resolve none",
    "refuse": "refuse",
    "accept": "accept",
    "self_card": "take {at}",
    "self_empty": "put {at}",
    "opponent": "at {n}",
    "opponent_card": "take-from {at}",
    "opponent_empty": "put-there {at}",
    "discard_ref": "discard {n}",
}
_ON_CELLS = ("place", "self_card", "self_empty", "opponent_card", "opponent_empty")


def describe(config: Config, action: int) -> Text:
    """An action as a phrase that follows the name of its player."""
    act, number, pattern = _known(config, action)
    phrase = _PHRASES[act]
    cell = cell_name(config, number) if act in _ON_CELLS else ""
    nth = _ORDINALS[number] if act in ("pick", "pass") else Text("", "")
    name = window = Text("", "")
    if act == "resolve":
        name = pattern_name(config, pattern)
        kind, cells = window_kind(config, number)
        first, last = cell_name(config, cells[0]), cell_name(config, cells[-1])
        window = WINDOW_NAMES[kind]
        window = Text(f"{window.en} from {first} to {last}", f"{window.ru} от {first} до {last}")
    return Text(
        phrase.en.format(n=number + 1, cell=cell, nth=nth.en, pattern=name.en, window=window.en),
        phrase.ru.format(n=number + 1, cell=cell, nth=nth.ru, pattern=name.ru, window=window.ru),
    )


def witnessed(config: Config, before: np.void, after: np.void, action: int, player: int | None) -> list[Text]:
    """What anybody is told of an action: a phrase for it, then what it brought about.

    Only the order of the deck is hidden, and no words tell it.
    """
    return [describe(config, action), *events(config, before, after, action)]


def to_text(config: Config, action: int) -> str:
    """The short text form of an action, the same in all languages; `parse` reads it."""
    _known(config, action)
    return _table(_frame(config)).texts[action]


def parse(config: Config, text: str) -> int:
    """The action of a text form; spaces and capitals do not matter, anything else is an error that quotes it."""
    action = _table(_frame(config)).actions.get(_plain(text))
    if action is None:
        quoted = repr(text if len(text) <= 80 else text[:79] + "…")
        raise PlaymillError(
            f"there is no action {quoted}; actions look like 'place 2,3', 'pick 1' or 'resolve H row 0,2'",
            f"действия {quoted} нет; действия выглядят так: 'place 2,3', 'pick 1' или 'resolve H row 0,2'",
        )
    return action


def fields(config: Config, action: int) -> dict[str, object]:
    """An action as JSON-able fields: `act` and what it names: a cell x, y, an open card, a player, a pattern."""
    act, number, pattern = _known(config, action)
    made: dict[str, object] = {"act": act}
    if act in _ON_CELLS:
        made["x"], made["y"] = coordinates(config, number)
    elif act == "resolve":
        kept = config.patterns[pattern]
        kind, cells = window_kind(config, number)
        made |= {"pattern": kept.id, "shape": kept.shape, "vp": kept.vp, "window": kind}
        made["reward"] = kept.reward.id if kept.reward else None
        made["cells"] = [list(coordinates(config, cell)) for cell in cells]
    elif number >= 0:
        made[{"opponent": "player", "discard_ref": "place"}.get(act, "card")] = number + 1
    return made


class _Frame(NamedTuple):
    """What of a config decides which actions there are."""

    width: int
    height: int
    reveal: int
    passes: bool
    may_decline: bool
    players: int
    pile: int
    patterns: tuple[tuple[str, int], ...]


class _Table(NamedTuple):
    """The actions there are: by number, taken apart and as texts; and by text."""

    parts: dict[int, Action]
    texts: dict[int, str]
    actions: dict[str, int]


def _frame(config: Config) -> _Frame:
    game = config.game
    return _Frame(
        game.grid.width,
        game.grid.height,
        game.draft.reveal,
        game.draft.pass_next_player > 0,
        not game.patterns.auto_trigger,
        game.players.max_players,
        game.deck.total_cards + JOKERS,
        tuple((pattern.id, PATTERN_SHAPES.index(pattern.shape)) for pattern in config.patterns),
    )


@cache
def _table(frame: _Frame) -> _Table:
    found = {action: take_apart(action) for action in range(ACTIONS)}
    parts = {action: part for action, part in found.items() if _exists(part, frame)}
    texts = {action: _text_form(part, frame) for action, part in parts.items()}
    return _Table(parts, texts, {_plain(text): action for action, text in texts.items()})


def _exists(part: Action, frame: _Frame) -> bool:
    act, number, pattern = part
    if act == "resolve":
        windows = board_windows(frame.width, frame.height)
        fits = number < len(windows) and pattern < len(frame.patterns)
        return fits and windows[number][0] == frame.patterns[pattern][1]
    if act == "resolve_none":
        return frame.may_decline
    if act == "pass" and not frame.passes:
        return False
    limits = {"pick": frame.reveal, "pass": frame.reveal, "opponent": frame.players, "discard_ref": frame.pile}
    return number < limits.get(act, frame.width * frame.height)


def _text_form(part: Action, frame: _Frame) -> str:
    act, number, pattern = part
    cell, letter, kind = number, "", ""
    if act == "resolve":
        cells = board_windows(frame.width, frame.height)[number][1]
        cell, letter = cells[0], frame.patterns[pattern][0]
        kind = "square" if len(cells) == 9 else "row" if cells[1] == cell + 1 else "column"
    at = f"{cell % frame.width},{cell // frame.width}"
    return _FORMS[act].format(at=at, n=number + 1, letter=letter, kind=kind)


def _plain(text: str) -> str:
    return " ".join(text.lower().split())


def _known(config: Config, action: int) -> Action:
    """An action taken apart; a number that stands for none under this config is an error."""
    parts = _table(_frame(config)).parts
    if action not in parts:
        raise PlaymillError(f"no action has the number {action}", f"действия с номером {action} нет")
    return parts[action]
