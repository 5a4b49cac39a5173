"""Declarations of hooks: names that a module of a game must or may have, with documentation and defaults.

`modules/` declares them, one Protocol a module; loading, validation and the documentation for authors read them here.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache
from types import ModuleType
from typing import Any

from playmill.texts import Text

#: How alike two names are of which one is taken for the other, misspelt.
_ALIKE = 0.8
_NOTHING = Text("", "")


@dataclass(frozen=True)
class Hook:
    """A name of a module: what it is, its arguments if it is a function, and what stands for it if it is left out."""

    about: Text
    #: The arguments of a function, by name; None for a constant.
    arguments: str | None = None
    required: bool = False
    otherwise: Text = _NOTHING
    #: Makes what stands for it, given the module; None where the default module of that name brings it.
    default: Callable[[Any], Any] | None = lambda module: None


@dataclass(frozen=True)
class Contract:
    """A module of a game: what it is for, whether every game needs it, and its hooks by name."""

    name: str
    about: Text
    needed: bool
    hooks: Mapping[str, Hook]

    @property
    def required(self) -> tuple[str, ...]:
        """Names that it must have."""
        return tuple(name for name, hook in self.hooks.items() if hook.required)

    def defaults(self, module: Any) -> Iterator[tuple[str, Any]]:
        """What stands for each hook that a module leaves out, which may depend on the rest of it."""
        for name, hook in self.hooks.items():
            if hook.default is not None and not hook.required and not hasattr(module, name):
                yield name, hook.default(module)


def must(en: str, ru: str, arguments: str | None = None) -> Hook:
    """Declares a name that a module must have."""
    return Hook(Text(en, ru), arguments, required=True)


def may(
    en: str,
    ru: str,
    arguments: str | None = None,
    *,
    otherwise: tuple[str, str] = ("", ""),
    default: Callable[[Any], Any] | None = lambda module: None,
) -> Hook:
    """Declares a name that a module may leave out, what happens otherwise, and what stands for it in memory."""
    return Hook(Text(en, ru), arguments, False, Text(*otherwise), default)


def contract(name: str, protocol: type, about: Text, *, needed: bool = False) -> Contract:
    """Reads the hooks of a module from the annotations of its Protocol, which are no texts: those take long to read."""
    return Contract(name, about, needed, {key: kind.__metadata__[0] for key, kind in protocol.__annotations__.items()})


def misspelt(known: Contract, module: ModuleType) -> tuple[str, str] | None:
    """Returns a public name of a module that is nearly one of its hooks and used nowhere in it, and the hook's name."""
    own = [name for name in vars(module) if not name.startswith("_") and name not in known.hooks]
    for name in own:
        near = get_close_matches(name, [hook for hook in known.hooks if not hasattr(module, hook)], 1, _ALIKE)
        if near and near[0].isupper() == name.isupper() and name in _defined(module) and not _is_used(module, name):
            return name, near[0]
    return None


@cache
def _tree(module: ModuleType) -> ast.Module:
    loader: Any = module.__loader__
    return ast.parse(loader.get_source(module.__name__) or "")


def _defined(module: ModuleType) -> set[str]:
    """Names that a module defines itself, rather than imports."""
    found = set()
    for node in _tree(module).body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            found.add(node.name)
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            found |= {target.id for target in targets if isinstance(target, ast.Name)}
    return found


def _is_used(module: ModuleType, name: str) -> bool:
    return any(
        isinstance(node, ast.Name) and node.id == name and isinstance(node.ctx, ast.Load)
        for node in ast.walk(_tree(module))
    )
