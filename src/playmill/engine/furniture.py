"""What stands in the rooms of an author's game, looked at as they are loaded: each thing of its kind, at its place."""

from __future__ import annotations

import inspect
import re
import sys
from collections.abc import Mapping
from types import ModuleType
from typing import Any

import numpy as np
from pydantic import BaseModel, ValidationError

from playmill.engine.agent import CompiledAgent
from playmill.engine.mistakes import at_line, at_name, at_setting, said
from playmill.texts import Text, near_to

#: How functions of rooms that are never compiled are called.
_CALLED: Mapping[str, Mapping[str, str]] = {
    "words": {
        "describe": "config, action",
        "to_text": "config, action",
        "parse": "config, text",
        "fields": "config, action",
        "decision_kind": "s",
        "seen": "config, s, player, lang",
        "events": "config, before, after, action",
        "position": "config, s, lang",
        "witnessed": "config, before, after, action, player",
        "notices": "config, before, after, action, player",
    },
    "view": {"view": "config, s, player, legal, lang", "table": "config, s, player, lang"},
}
_IMPORT = re.compile(r"cannot import name '(\w+)' from '([\w.]+)'")
_BRACKETS = Text("write @rule, without brackets", "пишите @rule, без скобок")


def check_furniture(rooms: Mapping[str, ModuleType], base: type[BaseModel]) -> None:
    """Raises at the first thing in a room that is of another kind than its name says; configs are based on `base`."""
    config = rooms["config"].Config
    if not (isinstance(config, type) and issubclass(config, base)):
        raise at_name(
            rooms["config"],
            "Config",
            Text(
                "the config is a class based on RuleConfig: class Config(RuleConfig), from playmill.engine.config",
                "настройки — класс на основе RuleConfig: class Config(RuleConfig), из playmill.engine.config",
            ),
        )
    _check_state(rooms["rules"], secret="hidden" in rooms)
    if "agents" in rooms:
        _check_agents(rooms["agents"])
    for room, functions in _CALLED.items():
        for name, arguments in functions.items():
            _check_call(rooms.get(room), name, arguments)
    if "view" in rooms and not any(hasattr(rooms["view"], name) for name in _CALLED["view"]):
        table, view = (f"{name}({_CALLED['view'][name]})" for name in ("table", "view"))
        raise at_line(
            rooms["view"],
            1,
            Text(f"view.py needs a function {table}, or {view}", f"в view.py нужна функция {table} или {view}"),
        )


def _check_state(rules: ModuleType, *, secret: bool) -> None:
    state = rules.State
    if not isinstance(state, np.dtype) or not state.names:
        raise at_name(
            rules,
            "State",
            Text(
                'the state is a record: State = np.dtype([("player", np.int8), …], align=True)',
                'состояние — запись: State = np.dtype([("player", np.int8), …], align=True)',
            ),
        )
    for name in state.names:
        kind = state[name].base
        if not secret and (kind.kind != "i" or kind.itemsize > 4):
            raise at_name(
                rules,
                "State",
                Text(
                    f"there is no hidden.py, and its state has a field {name!r} of the type {kind}; what everybody sees"
                    " by itself are whole numbers: int8, int16 or int32",
                    f"файла hidden.py нет, а в состоянии есть поле {name!r} типа {kind}; само по себе видно всем только"
                    " целое: int8, int16 или int32",
                ),
            )


def _check_agents(agents: ModuleType) -> None:
    made = agents.AGENTS
    if isinstance(made, Mapping) and all(isinstance(agent, CompiledAgent) for agent in made.values()):
        return
    raise at_name(
        agents,
        "AGENTS",
        Text(
            'AGENTS is a dictionary of agents by their names: {"careful": CompiledAgent(careful, "what it does")}',
            'AGENTS — словарь агентов по именам: {"careful": CompiledAgent(careful, "что он делает")}',
        ),
    )


def _check_call(room: ModuleType | None, name: str, arguments: str) -> None:
    function = getattr(room, name, None)
    if room is None or not inspect.isfunction(function):
        return
    try:
        inspect.signature(function).bind(*arguments.split(", "))
    except TypeError:
        raise at_name(
            room,
            name,
            Text(f"it is called as {name}({arguments})", f"её вызывают так: {name}({arguments})"),
        ) from None


def check_default(room: ModuleType) -> None:
    """Raises unless a config can be made of nothing: a game is played as it is, without a file."""
    try:
        room.Config()
    except ValidationError as error:
        first = error.errors()[0]
        path = ".".join(map(str, first["loc"])) or "Config"
        raise at_setting(
            room.Config,
            path,
            Text(
                f"every setting needs a default, and {path} of config.py has none that will do: {first['msg']}; write"
                " default=…",
                f"у каждой настройки должно быть значение по умолчанию, а {path} в config.py не подходит:"
                f" {first['msg']}; напишите default=…",
            ),
        ) from None


def why_not_loaded(error: Exception) -> Text:
    """Why a room cannot be imported, in one line, and what may help."""
    found = _IMPORT.search(str(error)) if isinstance(error, ImportError) else None
    if found is not None:
        near = near_to(found[1], dir(sys.modules.get(found[2], object)))
        return Text(f"ImportError: {found[0]}{near.en}", f"ImportError: {found[0]}{near.ru}")
    told: Any = said(error).partition("\n")[0]
    if "rule() missing 1 required positional argument" in told:
        return Text(f"{_BRACKETS.en} ({told})", f"{_BRACKETS.ru} ({told})")
    return Text(told, told)
