"""Checks that the conditions and effects of an entry fit together and fit its trigger.

The checks read parsed JSON and pass over what is malformed, so that a file's other mistakes do not hide these.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from playmill.author import ConfigError, Text
from playmill.games.dice.content.conditions import kinds_in

ON_ROLL, ON_SAVE, ON_PASS = "on_roll", "on_save", "on_pass"
TRIGGERS = (ON_ROLL, ON_SAVE, ON_PASS)
#: Conditions in one entry, and how deep they may stand inside each other.
MOST_CONDITIONS, DEEPEST = 24, 6
#: Effects on the dice of a turn.
OF_THE_TURN = ("set_face", "lock", "set_weights")
#: Conditions that ask for the dice just saved.
SELECTION = ("selection_size", "selection_contains", "selection_points")
_SAVED = Text(
    "asks for saved dice; allowed only with on_save and on_pass",
    "спрашивает о сохранённых костях; можно только с on_save и on_pass",
)
_ROLLED = Text(
    "asks whether a roll scores; allowed only with on_roll alone",
    "спрашивает, есть ли в броске очки; можно только с одним on_roll",
)
_CHOSEN = Text(
    '"chosen", but nobody chooses for a passive item; only active items can have it',
    '"chosen", но для пассивного предмета никто не выбирает; так можно только активным',
)

Misfits = list[tuple[str, Text]]


class MisfitError(ConfigError):
    """An entry of content whose parts do not fit together."""


def misfits(entry: Mapping[str, Any]) -> Misfits:
    """All parts of a modifier or item that do not fit together, by their paths inside it."""
    found: Misfits = []
    events = _events(entry)
    if events is not None:
        found += _repeated(events)
    for key in ("condition", "activate_condition"):
        found += _condition_misfits(entry.get(key), key, events)
    effects = list(_effects(entry))
    for path, kind, value in effects:
        found += _effect_misfits(path, kind, value, events)
    return found + _choice_misfits(effects)


def _events(entry: Mapping[str, Any]) -> list[str] | None:
    """The triggers an entry has, none for an active item; None where that cannot be told."""
    if entry.get("type") == "active":
        return []
    found = entry.get("triggers") if "type" in entry else [entry.get("trigger")]
    if not isinstance(found, list) or not found:
        return None
    known = [event for event in found if event in TRIGGERS]
    return known if len(known) == len(found) else None


def _named(events: list[str]) -> Text:
    names = ", ".join(events)
    return (
        Text(f"this one has {names}", f"здесь {names}") if events else Text("this item is active", "здесь type active")
    )


def _repeated(events: list[str]) -> Misfits:
    return [
        (
            f"triggers.{place}",
            Text(f'"{event}" is there already; expected each once', f'"{event}" уже есть; ожидается по разу'),
        )
        for place, event in enumerate(events)
        if event in events[:place]
    ]


def condition_nodes(data: Any, path: str, depth: int = 1) -> Iterator[tuple[str, str, int]]:
    """Path, kind and depth of every condition in a tree of parsed JSON."""
    kinds = kinds_in(data)
    if len(kinds) != 1:
        return
    kind, inner = kinds[0], data[kinds[0]]
    yield f"{path}.{kind}", kind, depth
    if kind == "not":
        yield from condition_nodes(inner, f"{path}.not", depth + 1)
    elif kind in ("all", "any") and isinstance(inner, list):
        for place, part in enumerate(inner):
            yield from condition_nodes(part, f"{path}.{kind}.{place}", depth + 1)


def _condition_misfits(data: Any, key: str, events: list[str] | None) -> Misfits:
    found: Misfits = []
    nodes = list(condition_nodes(data, key))
    if len(nodes) > MOST_CONDITIONS:
        found.append(
            (
                key,
                Text(
                    f"{len(nodes)} conditions; expected at most {MOST_CONDITIONS}",
                    f"условий: {len(nodes)}; ожидается: не больше {MOST_CONDITIONS}",
                ),
            )
        )
    too_deep = next((path for path, _, depth in nodes if depth > DEEPEST), None)
    if too_deep:
        found.append(
            (
                too_deep,
                Text(
                    f"conditions stand more than {DEEPEST} deep inside each other",
                    f"условия вложены друг в друга больше {DEEPEST} раз",
                ),
            )
        )
    for path, kind, _ in nodes:
        if kind in SELECTION:
            found += _needs_save(path, events)
        elif kind == "scores" and events and events != [ON_ROLL]:
            where = _named(events)
            found.append((path, Text.join((_ROLLED, where), "; ")))
    return found


def _needs_save(path: str, events: list[str] | None) -> Misfits:
    if events is None or (events and ON_ROLL not in events):
        return []
    where = _named(events)
    return [(path, Text.join((_SAVED, where), "; "))]


def _effects(entry: Mapping[str, Any]) -> Iterator[tuple[str, str, Any]]:
    """Path, kind and value of every effect."""
    data = entry.get("effect")
    parts = (
        [(f"effect.{place}", part) for place, part in enumerate(data)] if isinstance(data, list) else [("effect", data)]
    )
    for path, part in parts:
        if isinstance(part, Mapping) and len(part) == 1:
            kind, value = next(iter(part.items()))
            yield f"{path}.{kind}", kind, value


def _effect_misfits(path: str, kind: str, value: Any, events: list[str] | None) -> Misfits:
    fields = _fields(value)
    if not events:
        return []
    found: Misfits = []
    where = _named(events)
    if fields.get("dice") == "chosen":
        found.append((f"{path}.dice", _CHOSEN))
    if kind == "multiply_save" and events != [ON_SAVE]:
        found.append((path, _only(ON_SAVE, where)))
    if kind == "set_face" and fields.get("to") == "chosen":
        found.append((f"{path}.to", _CHOSEN))
    if kind == "reroll" and events != [ON_ROLL]:
        found.append((path, _only(ON_ROLL, where)))
    if kind in OF_THE_TURN and ON_PASS in events:
        found.append(
            (
                path,
                Text(
                    f"lasts until the turn ends, and on_pass ends it; expected on_roll or on_save; {where.en}",
                    f"действует до конца хода, а on_pass его кончает; ожидается on_roll или on_save; {where.ru}",
                ),
            )
        )
    return found


def _fields(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


def _only(event: str, where: Text) -> Text:
    return Text(
        f'a passive item can have it only with "triggers": ["{event}"]; {where.en}',
        f'у пассивного предмета бывает только с "triggers": ["{event}"]; {where.ru}',
    )


def _choice_misfits(effects: list[tuple[str, str, Any]]) -> Misfits:
    """The dice are chosen once per use, so all effects on chosen dice must mean as many."""
    chosen = [
        (path, kind, value.get("count", 1))
        for path, kind, value in effects
        if isinstance(value, Mapping) and value.get("dice") == "chosen"
    ]
    found: Misfits = []
    first, _, many = chosen[0] if chosen else ("", "", 1)
    for path, _, count in chosen[1:]:
        if count != many:
            found.append(
                (
                    f"{path}.count",
                    Text(
                        f"{count}, but {first}.count is {many}; dice are chosen once for all: expected {many}",
                        f"{count}, а {first}.count равно {many}; кости выбирают один раз: ожидается {many}",
                    ),
                )
            )
    asked = [path for path, kind, value in effects if kind == "set_face" and _fields(value).get("to") == "chosen"]
    if len(asked) > 1:
        found.append(
            (
                f"{asked[1]}.to",
                Text(
                    f'"chosen" a second time, after {asked[0]}; one face is chosen for all: expected one such set_face',
                    f'"chosen" второй раз, после {asked[0]}; для предмета выбирают одну грань: ожидается один set_face',
                ),
            )
        )
    turns = [path for path, kind, _ in chosen if kind == "set_face"]
    if len(turns) > 1:
        found.append(
            (
                turns[1],
                Text(
                    f"turns the chosen dice a second time, after {turns[0]}; expected one set_face of them",
                    f"поворачивает выбранные кости второй раз, после {turns[0]}; ожидается один set_face",
                ),
            )
        )
    return found
