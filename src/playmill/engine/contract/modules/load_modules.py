"""Modules of a game: imported, checked, completed by the defaults of the hooks that they leave out."""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from difflib import get_close_matches
from functools import cache, partial
from importlib.util import find_spec
from types import ModuleType, SimpleNamespace
from typing import Any

import numpy as np

from playmill.engine.config.model import RuleConfig
from playmill.engine.contract.agent import SearchPlan
from playmill.engine.contract.hooks import Contract, misspelt
from playmill.engine.contract.invariants import Invariant, check_invariants
from playmill.engine.contract.loading import cannot_load
from playmill.engine.contract.modules import MODULES
from playmill.engine.contract.observed_range import Range, check_declared
from playmill.engine.contract.score_range import check_stated
from playmill.engine.contract.secrets import check_declaration
from playmill.engine.contract.validation import (
    check_bounds_of_default,
    check_default,
    check_numbers,
    validate_modules,
)
from playmill.engine.errors.located import at_name, shown_path
from playmill.engine.lang.module_names import NEEDED
from playmill.texts import PlaymillError, Text, as_text, texts_of

#: Where the games of Playmill itself lie.
SHIPPED = "playmill.games."
#: The module with the default modules of games; imported by name, as games are.
DEFAULTS = "playmill.defaults.modules"
#: Modules of which most commands ask nothing; `view` takes longest to load, with all that pictures are made of.
_ASKED_LATER = (
    *("methods", "content", "trials", "goals", "maps", "canvas"),
    *("rulebook", "choices", "audit", "legend", "levels", "view"),
)

#: Rules that a game has both or none of: options counted, and picked by number, without a list.
COUNTING = ("count_actions", "nth_action")
#: What hidden.py has if it does not declare what is hidden: `HIDDEN`.
SEEING = ("OBSERVATION", "observe", "conceal")


def load_modules(name: str, package: str) -> dict[str, ModuleType]:
    """Loads the modules that a game has, and checks what they say; of a shipped game most when they are asked."""
    shipped = package.startswith(SHIPPED)
    loads = {module: _loaded_later if shipped and module in _ASKED_LATER else _load_module for module in MODULES}
    loaded = {module: load(name, package, module) for module, load in loads.items()}
    modules = {module: found for module, found in loaded.items() if found is not None}
    if not shipped:
        validate_modules(modules, RuleConfig)
    check_default(modules["config"])
    check_bounds_of_default(modules["config"])
    if "hidden" in modules and modules["hidden"].HIDDEN is not None:
        check_declaration(modules["hidden"], modules["rules"])
    return modules


def _load_module(name: str, package: str, module_name: str) -> ModuleType | None:
    try:
        module = importlib.import_module(f"{package}.{module_name}")
    except ModuleNotFoundError as error:
        if error.name not in (package, f"{package}.{module_name}"):
            raise cannot_load(name, package, error) from None
        if module_name not in NEEDED and error.name != package:
            return None
        raise PlaymillError(
            f"the game {name!r} has no {module_name}.py in {package}",
            f"у игры {name!r} нет {module_name}.py в {package}",
        ) from None
    except (Exception, SystemExit) as error:
        raise cannot_load(name, package, error) from None
    known = MODULES[module_name]
    missing = [key for key in (*known.required, *_together(module_name, module)) if not hasattr(module, key)]
    if missing:
        own = [key for key in vars(module) if not key.startswith("_") and key not in known.hooks]
        near = get_close_matches(missing[0], own, 1, 0.75)
        guess = Text(f"; is it {near[0]!r}, misspelt?", f"; может быть, это {near[0]!r}?") if near else Text("", "")
        file = f"{shown_path(module.__file__)}: " if module.__file__ else ""
        empty = Text("; the file is empty", "; файл пуст") if not own else Text("", "")
        raise PlaymillError(
            f"{file}{package}.{module_name} of the game {name!r} lacks {', '.join(missing)}{guess.en or empty.en}",
            f"{file}в {package}.{module_name} игры {name!r} нет {', '.join(missing)}{guess.ru or empty.ru}",
        )
    check_numbers(module_name, module)
    if not package.startswith(SHIPPED) and (wrong := misspelt(known, module)) is not None:
        raise at_name(
            module,
            wrong[0],
            Text(
                f"`{wrong[0]}` is not a hook of {module_name}.py; did you mean `{wrong[1]}`? Otherwise begin its name"
                " with _",
                f"`{wrong[0]}` не входит в {module_name}.py; может быть, `{wrong[1]}`? Если нет, начните имя с _",
            ),
        )
    complete(known, module)
    if module_name == "rules":
        check_stated(module)
    elif module_name == "content":
        module.__dict__["KIND_NAMES"] = texts_of(module.KIND_NAMES)
    elif module_name == "legend":
        module.__dict__["NUMBERING"] = as_text(module.NUMBERING)
    return module


def _together(module_name: str, module: ModuleType) -> tuple[str, ...]:
    """Hooks that a module must have because of others that it has or has not."""
    if module_name == "hidden":
        if not any(hasattr(module, key) for key in ("HIDDEN", *SEEING)):
            return ("HIDDEN",)
        return SEEING if not hasattr(module, "HIDDEN") else SEEING[:1] if hasattr(module, SEEING[1]) else ()
    return COUNTING if module_name == "rules" and any(hasattr(module, key) for key in COUNTING) else ()


class _LoadedLater(ModuleType):
    """A module of a shipped game that is loaded when something of it is asked for."""

    def __init__(self, name: str, package: str, module_name: str) -> None:
        super().__init__(f"{package}.{module_name}")
        self._found = cache(partial(_load_module, name, package, module_name))

    def __getattr__(self, key: str) -> Any:
        return getattr(self._found(), key)


def _loaded_later(name: str, package: str, module_name: str) -> ModuleType | None:
    """A module of a shipped game, if there is one; not loaded yet."""
    there = find_spec(f"{package}.{module_name}") is not None
    return _LoadedLater(name, package, module_name) if there else None


def invariants_of(modules: Mapping[str, ModuleType]) -> tuple[Invariant, ...]:
    """What must hold in every position, by a module that may be left out."""
    if "invariants" not in modules:
        return ()
    check_invariants(modules["invariants"], modules["rules"].State, modules["config"].Config)
    return tuple(modules["invariants"].INVARIANTS)


def observed_ranges(
    name: str, hidden: ModuleType, state: np.dtype[np.void], invariants: ModuleType | None
) -> Mapping[str, Range]:
    """The declared ranges of numbers of an observation."""
    if invariants is None:
        return {}
    return check_declared(name, observation_names(name, hidden), state.names or (), invariants.OBSERVED)


def complete(known: Contract, module: ModuleType) -> None:
    """Gives a module the default of each hook that it leaves out."""
    for key, made in known.defaults(module):
        setattr(module, key, made)


def all_defaults(module: str) -> Any:
    """A module that a game has not, with the default of each of its hooks."""
    return SimpleNamespace(**dict(MODULES[module].defaults(None)))


def observation_names(name: str, hidden: ModuleType) -> tuple[str, ...]:
    """What the numbers of an observation are called, one by one."""
    names = tuple(map(str, hidden.NAMES))
    if len(names) != hidden.OBSERVATION or len(set(names)) != len(names):
        raise PlaymillError(
            f"the game {name!r}: NAMES of hidden.py has {len(set(names))} different names, and OBSERVATION is"
            f" {hidden.OBSERVATION}; each number has a name of its own",
            f"игра {name!r}: в NAMES в hidden.py разных имён {len(set(names))}, а OBSERVATION равно"
            f" {hidden.OBSERVATION}; у каждого числа должно быть своё имя",
        )
    return names


def search_plan(name: str, agents: ModuleType | None) -> SearchPlan:
    """How `search` plays the game out: as its module `agents` says, or at random to the end."""
    plan: SearchPlan = agents.SEARCH if agents else SearchPlan()
    known = ["random", *(key for key, agent in (agents.AGENTS if agents else {}).items() if not agent.knows)]
    if plan.rollout not in known:
        listed = ", ".join(known)
        raise PlaymillError(
            f"the game {name!r}: SEARCH plays on by {plan.rollout!r}; expected one of {listed}",
            f"игра {name!r}: SEARCH доигрывает агентом {plan.rollout!r}; нужен один из: {listed}",
        )
    return plan


def notes_of(name: str, agents: ModuleType | None) -> np.dtype[np.void] | None:
    notes: np.dtype[np.void] | None = agents.NOTES if agents else None
    kept = getattr(notes, "fields", None) or {}
    if notes is not None and ("kept" not in kept or kept["kept"][0].kind not in "iu"):
        raise PlaymillError(
            f"the game {name!r}: NOTES must be a record with a whole number `kept`: 0 where nothing is noted yet",
            f"игра {name!r}: NOTES должно быть записью с целым числом `kept`: 0, пока ничего не записано",
        )
    return notes
