"""Validates the modules of a game as they are loaded: types, numbers and signatures, with the line of each error."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from types import ModuleType
from typing import Any

import numpy as np
from pydantic import BaseModel, ValidationError
from pydantic_core import PydanticSerializationError

from playmill.engine.config.model import RefusedConfigError, RuleConfig
from playmill.engine.contract.agent import CompiledAgent
from playmill.engine.contract.modules import MODULES
from playmill.engine.errors.located import at_line, at_name, at_setting
from playmill.engine.lang.module_names import PLAIN
from playmill.engine.lang.rng import SEATS
from playmill.texts import Text

#: Names in modules that are whole numbers from 1 on.
_WHOLE: Mapping[str, tuple[str, ...]] = {
    "rules": ("VERSION", "MAX_PLAYERS", "MIN_PLAYERS", "MAX_ACTIONS", "MAX_LEGAL"),
    "hidden": ("OBSERVATION",),
}
#: The most actions and numbers of an observation: for each there is a place wherever they are listed.
_MOST = 1_000_000
#: The file of settings, in sentences.
_CONFIG = "config.py"


def check_numbers(module_name: str, module: ModuleType) -> None:
    """Raises unless the sizes a module declares are whole numbers of at least 1 that fit a table."""
    for name in _WHOLE.get(module_name, ()):
        value = getattr(module, name, 1)
        if isinstance(value, bool) or not isinstance(value, int | np.integer) or value < 1:
            raise at_name(
                module,
                name,
                Text(
                    f"{name} is {value!r}; it must be a whole number, 1 or more{_remedy(value).en}",
                    f"{name} равно {value!r}, а должно быть целым числом от 1{_remedy(value).ru}",
                ),
            )
    most: int = getattr(module, "MAX_PLAYERS", 1)
    least: int = getattr(module, "MIN_PLAYERS", most)
    if most > SEATS:
        raise at_name(
            module,
            "MAX_PLAYERS",
            Text(
                f"MAX_PLAYERS is {most}, and a table has {SEATS} seats: write {SEATS} or less",
                f"MAX_PLAYERS равно {most}, а мест за столом {SEATS}: напишите не больше {SEATS}",
            ),
        )
    if least > most:
        raise at_name(
            module,
            "MIN_PLAYERS",
            Text(
                f"MIN_PLAYERS is {least} and MAX_PLAYERS is {most}: the least number of players cannot be more than the"
                " most; change one of them",
                f"MIN_PLAYERS равно {least}, а MAX_PLAYERS — {most}: наименьшее число игроков не может быть больше"
                " наибольшего; исправьте одно из них",
            ),
        )
    actions: int = getattr(module, "MAX_ACTIONS", 1)
    options: int = getattr(module, "MAX_LEGAL", 1)
    if options > actions:
        raise at_name(
            module,
            "MAX_LEGAL",
            Text(
                f"MAX_LEGAL is {options} and MAX_ACTIONS is {actions}: no decision has more options than there are"
                " actions; change one of them, or leave MAX_LEGAL out",
                f"MAX_LEGAL равно {options}, а MAX_ACTIONS — {actions}: вариантов в решении не бывает больше, чем"
                " всего действий; исправьте одно из них или уберите MAX_LEGAL",
            ),
        )
    for name in ("MAX_ACTIONS", "OBSERVATION"):
        if (value := getattr(module, name, 1)) > _MOST:
            raise at_name(
                module,
                name,
                Text(
                    f"{name} is {value}, more than the {_MOST} there is room for: number things from 0 on, without"
                    " gaps",
                    f"{name} равно {value}, а места хватит самое большее на {_MOST}: нумеруйте с 0, без пропусков",
                ),
            )


def _remedy(value: Any) -> Text:
    """How a number that is not written as a whole one is written, if that can be told."""
    if isinstance(value, float) and value.is_integer() and value >= 1:
        return Text(f": write {int(value)}, and // to divide", f": напишите {int(value)}, а делите через //")
    if isinstance(value, str) and value.isdecimal() and int(value) >= 1:
        return Text(f": write {int(value)}, without quotes", f": напишите {int(value)}, без кавычек")
    return Text("", "")


def validate_modules(modules: Mapping[str, ModuleType], base: type[BaseModel]) -> None:
    """Raises at the first name in a module whose value has the wrong type; configs derive from `base`."""
    config = modules["config"].Config
    if not (isinstance(config, type) and issubclass(config, base)):
        raise at_name(
            modules["config"],
            "Config",
            Text(
                "the config is a class based on RuleConfig: class Config(RuleConfig), from playmill.author",
                "настройки — класс на основе RuleConfig: class Config(RuleConfig), из playmill.author",
            ),
        )
    _check_state(modules["rules"], secret="hidden" in modules)
    if "agents" in modules:
        _check_agents(modules["agents"])
    for name in ("TITLE", "ABOUT"):
        _check_text(modules["words"], name)
    for name in PLAIN:
        for key, hook in MODULES[name].hooks.items():
            if name in modules and hook.arguments is not None:
                _check_call(modules[name], key, hook.arguments)
    if "view" in modules and modules["view"].view is None and modules["view"].table is None:
        table, view = (f"{key}({MODULES['view'].hooks[key].arguments})" for key in ("table", "view"))
        raise at_line(
            modules["view"],
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
    if "player" in state.names and (state["player"].shape or state["player"].kind != "i"):
        raise at_name(
            rules,
            "State",
            Text(
                f"the field 'player' is the seat to move, and -1 at the end: a single number with a sign, np.int8, and"
                f" not {_type_name(state['player'])}",
                f"поле 'player' — чей ход, а в конце -1: одно число со знаком, np.int8, а не"
                f" {_type_name(state['player'])}",
            ),
        )
    for name in state.names:
        kind = state[name].base
        if kind.kind not in "iufb" and not kind.names:
            raise at_name(
                rules,
                "State",
                Text(
                    f"the field {name!r} is of the type {kind}, and a state is made of numbers: name what it can be by"
                    " numbers, and take np.int8",
                    f"поле {name!r} — типа {kind}, а состояние — это числа: назовите числами то, что в нём бывает, и"
                    " возьмите np.int8",
                ),
            )
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


def _type_name(kind: np.dtype[Any]) -> str:
    """A type of NumPy as a sentence names it."""
    return f"{kind.base} × {' × '.join(map(str, kind.shape))}" if kind.shape else str(kind)


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


def _check_text(words: ModuleType, name: str) -> None:
    given = getattr(words, name)
    texts = given if isinstance(given, Text) else (given,)
    if not all(isinstance(text, str) for text in texts):
        raise at_name(
            words,
            name,
            Text(
                f'{name} is {given!r}; it must be a text: "…", or Text("English", "Russian")',
                f'{name} — это {given!r}, а нужен текст: "…" или Text("по-английски", "по-русски")',
            ),
        )


def _check_call(module: ModuleType, name: str, arguments: str) -> None:
    function = getattr(module, name, None)
    if not inspect.isfunction(function):
        return
    try:
        inspect.signature(function).bind(*filter(None, arguments.split(", ")))
    except TypeError:
        raise at_name(
            module,
            name,
            Text(f"it is called as {name}({arguments})", f"её вызывают так: {name}({arguments})"),
        ) from None


def check_default(module: ModuleType) -> None:
    """Raises unless the default config can be made."""
    try:
        module.Config()
    except ValidationError as error:
        first = error.errors()[0]
        path = ".".join(map(str, first["loc"])) or "Config"
        raise at_setting(
            module.Config,
            path,
            Text(
                f"every setting needs a default, and {path} of config.py has none that will do: {first['msg']}; write"
                " default=…",
                f"у каждой настройки должно быть значение по умолчанию, а {path} в config.py не подходит:"
                f" {first['msg']}; напишите default=…",
            ),
        ) from None


def check_bounds_of_default(module: ModuleType) -> None:
    """Raises unless the default config passes its own validation, which a model does not apply to defaults."""
    config: type[RuleConfig] = module.Config
    try:
        config.read(config().model_dump(mode="json", warnings=False), _CONFIG)
    except RefusedConfigError as error:
        message = Text(*(sentence.removeprefix(f"{_CONFIG}: ") for sentence in error.text))
        raise at_setting(
            config,
            error.mistakes[0].path.partition(".")[0],
            Text(
                f"a default breaks the bounds or the kind of its own setting: {message.en}; change the one or the"
                " other",
                f"значение по умолчанию не подходит к своей же настройке: {message.ru}; исправьте его или её",
            ),
        ) from None
    except PydanticSerializationError as error:
        raise at_name(
            module,
            "Config",
            Text(
                f"a default is nothing that a file may hold ({error}); settings are numbers, switches, texts and lists",
                f"значение по умолчанию нельзя записать в файл ({error}); настройки — числа, переключатели, тексты и"
                " списки",
            ),
        ) from None
