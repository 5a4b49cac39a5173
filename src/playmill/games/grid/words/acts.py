"""Acts of Grid: short forms, phrases and fields of all that a player can do."""

from __future__ import annotations

from playmill.author import Text
from playmill.author.words import Act, Action, Acts, Argument
from playmill.games.grid import actions
from playmill.games.grid.config import Config
from playmill.games.grid.config.identifiers import PATTERN_SHAPES
from playmill.games.grid.constants import CELLS, DISCARD, JOKERS, PATTERNS, PLAYERS, REVEAL, WINDOWS
from playmill.games.grid.words.names import (
    REWARD_NAMES,
    WINDOW_NAMES,
    cell_name,
    coordinates,
    pattern_name,
    reward_number,
    window_kind,
    windows,
)

_ORDINALS = tuple(
    map(
        Text,
        ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth"),
        ("первую", "вторую", "третью", "четвёртую", "пятую", "шестую", "седьмую", "восьмую"),
    )
)


def _at(config: Config, cell: int) -> str:
    x, y = coordinates(config, cell)
    return f"{x},{y}"


def _window_form(config: Config, window: int) -> str:
    kind, cells = window_kind(config, window)
    return f"{kind} {_at(config, cells[0])}"


def _window_name(config: Config, window: int) -> Text:
    kind, cells = window_kind(config, window)
    first, last = cell_name(config, cells[0]), cell_name(config, cells[-1])
    return Text("{} from {} to {}", "{} от {} до {}").format(WINDOW_NAMES[kind], first, last)


def _match_fields(config: Config, action: Action) -> dict[str, object]:
    pattern, (kind, cells) = config.patterns[action.pattern], window_kind(config, action.window)
    return {
        "pattern": pattern.id,
        "shape": pattern.shape,
        "vp": pattern.vp,
        "window": kind,
        "reward": pattern.reward.id if pattern.reward else None,
        "cells": [list(coordinates(config, cell)) for cell in cells],
    }


def _match_kinds(config: Config, action: Action) -> dict[str, Text]:
    """That a pattern is resolved, and which reward it brings."""
    kinds, pattern = {"resolve": Text("resolve a pattern", "собрать паттерн")}, config.patterns[action.pattern]
    if pattern.reward:
        name = REWARD_NAMES[reward_number(pattern)]
        kinds[f"reward {pattern.reward.id}"] = Text("reward: {}", "награда: {}").format(name)
    return kinds


def _no_match(config: Config, action: Action) -> Text | None:
    pattern = config.patterns[action.pattern]
    if windows(config)[action.window][0] == PATTERN_SHAPES.index(pattern.shape):
        return None
    return Text("pattern {} has another shape", "у паттерна {} другая форма").format(pattern.id)


def _not_passed(config: Config, action: Action) -> Text | None:
    return None if config.game.draft.pass_next_player else Text("no card is passed on", "карты соседу не передают")


def _not_declined(config: Config, action: Action) -> Text | None:
    must = config.game.patterns.auto_trigger
    return Text("a pattern that is there must be resolved", "найденный паттерн нужно разыграть") if must else None


_CELL = {
    "cell": Argument(
        CELLS,
        _at,
        Text("cells", "клетки"),
        name=cell_name,
        field=lambda config, cell: dict(zip("xy", coordinates(config, cell), strict=True)),
        among=lambda config: range(config.game.grid.width * config.game.grid.height),
    )
}
_OPEN = {
    "card": Argument(
        REVEAL,
        plural=Text("open cards", "открытые карты"),
        name=_ORDINALS,
        field=range(1, REVEAL + 1),
        among=lambda config: range(config.game.draft.reveal),
    )
}
_PLAYER = Argument(
    PLAYERS, plural=Text("players", "игроки"), among=lambda config: range(config.game.players.max_players)
)
_DISCARDED = Argument(
    DISCARD,
    plural=Text("places of the discard pile", "места в сбросе"),
    among=lambda config: range(config.game.deck.total_cards + JOKERS),
)
_WINDOW = Argument(
    WINDOWS,
    _window_form,
    Text("places of patterns", "места паттернов"),
    name=_window_name,
    among=lambda config: range(len(windows(config))),
)
_PATTERN = Argument(
    PATTERNS,
    lambda config, pattern: config.patterns[pattern].id,
    Text("patterns", "паттерны"),
    name=pattern_name,
    among=lambda config: range(len(config.patterns)),
)

ACTS = Acts(
    Act(
        actions.PLACE,
        "place {cell}",
        Text("places the card on cell {cell}", "кладёт карту на клетку {cell}"),
        _CELL,
        kind=Text("place a card", "поставить карту"),
    ),
    Act(
        actions.PICK,
        "pick {card}",
        Text("picks the {card} open card", "берёт себе {card} открытую карту"),
        _OPEN,
        kind=Text("pick from the draft", "взять из драфта"),
    ),
    Act(
        actions.PASS,
        "pass {card}",
        Text("passes the {card} open card to the next player", "передаёт {card} открытую карту следующему игроку"),
        _OPEN,
        why_not=_not_passed,
        kind=Text("pass to the neighbour", "отдать соседу"),
    ),
    Act(
        actions.MATCH,
        "resolve {pattern} {window}",
        Text("resolves {pattern}: {window}", "разыгрывает {pattern}: {window}"),
        {"window": _WINDOW, "pattern": _PATTERN},
        fields=_match_fields,
        why_not=_no_match,
        kind=_match_kinds,
    ),
    Act(
        actions.NO_MATCH,
        "resolve none",
        Text("resolves no pattern", "не разыгрывает ни одного паттерна"),
        key="resolve_none",
        why_not=_not_declined,
        kind=Text("leave the pattern", "не собирать паттерн"),
    ),
    Act(
        actions.REFUSE,
        "refuse",
        Text("refuses the reward", "отказывается от награды"),
        kind=Text("refuse the reward", "отказаться от награды"),
    ),
    Act(
        actions.ACCEPT,
        "accept",
        Text("takes the reward", "применяет награду"),
        kind=Text("take the reward", "принять награду"),
    ),
    Act(
        actions.TAKE_SELF,
        "take {cell}",
        Text("chooses the card on cell {cell}", "выбирает карту на своей клетке {cell}"),
        _CELL,
        key="self_card",
        kind=Text("choose one's own card", "выбрать свою карту"),
    ),
    Act(
        actions.PUT_SELF,
        "put {cell}",
        Text("chooses the free cell {cell}", "выбирает свою свободную клетку {cell}"),
        _CELL,
        key="self_empty",
        kind=Text("choose one's own empty cell", "выбрать свою пустую клетку"),
    ),
    Act(
        actions.TARGET,
        "at {player}",
        Text("aims at player {player}", "выбирает целью игрока {player}"),
        {"player": _PLAYER},
        key="opponent",
        kind=Text("choose an opponent", "выбрать соперника"),
    ),
    Act(
        actions.TAKE_OTHER,
        "take-from {cell}",
        Text("chooses the card on the opponent's cell {cell}", "выбирает карту на клетке соперника {cell}"),
        _CELL,
        key="opponent_card",
        kind=Text("choose an opponent's card", "выбрать карту соперника"),
    ),
    Act(
        actions.PUT_OTHER,
        "put-there {cell}",
        Text("chooses the opponent's free cell {cell}", "выбирает свободную клетку соперника {cell}"),
        _CELL,
        key="opponent_empty",
        kind=Text("choose an opponent's empty cell", "выбрать пустую клетку соперника"),
    ),
    Act(
        actions.FROM_DISCARD,
        "discard {place}",
        Text(
            "chooses card {place} of the discard pile, counted from the bottom", "выбирает {place}-ю снизу карту сброса"
        ),
        {"place": _DISCARDED},
        key="discard_ref",
        kind=Text("choose from the discard pile", "выбрать из сброса"),
    ),
    examples=Text("'place 2,3', 'pick 1' or 'resolve H row 0,2'", "'place 2,3', 'pick 1' или 'resolve H row 0,2'"),
)
describe, to_text, parse, fields = ACTS.describe, ACTS.to_text, ACTS.parse, ACTS.fields
