"""Cuts the rules and words of a game out of its sources, with all that they use and nothing else, for a starter kit.

What a function needs is found in the syntax tree of its module: the names that it reads, and where these come from.
Each module of the bundle keeps the statements that are needed, as they were written. NumPy, pydantic and the parts of
the engine that lean on them are replaced by `standins`; what else is not of Python's standard library cannot go along.
"""

from __future__ import annotations

import ast
import importlib
import sys
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property
from importlib.util import resolve_name
from pathlib import Path
from types import ModuleType
from typing import Any, TypeGuard

from playmill.engine.config.model import RuleConfig
from playmill.lab.contests.hosted.kit.snapshot import NotBundledError, snapshot

_STANDINS = Path(__file__).parent / "standins"
#: By module, the stand-in that takes its place.
REPLACED = {
    "numpy": "numpy.py",
    "pydantic": "pydantic.py",
    "pydantic_core": "pydantic.py",
    "typing_extensions": "pydantic.py",
    "playmill.engine.lang.rule": "rule.py",
    "playmill.engine.lang.record": "record.py",
    "playmill.engine.config.model": "model.py",
}
#: Methods of a config that read, check or pack it: that is done before.
_OF_CONFIGS = frozenset({"pack", "read", "changed", "file", "plainest"})
_STORED = """\
def {name}():
    from restored import constant

    return constant("{key}")"""
_EVERYTHING = "*"
#: In place of a name: the module is to be there, whatever is in it.
_PRESENT = "__name__"


class Bundle:
    """Modules cut down to the names that are needed."""

    def __init__(self, package: str) -> None:
        #: The package of the game, which goes along wherever it is installed.
        self._package = package.partition(".")[0]
        self._modules: dict[str, _Source] = {}
        self._queue: list[tuple[str, str]] = []
        #: What functions without arguments that remember their result return, as JSON.
        self.constants: dict[str, Any] = {}
        self._busy = False

    def need(self, module: str, name: str) -> None:
        """Adds a name of a module, and all that it uses."""
        self._queue.append((module, name))
        if self._busy:
            return
        self._busy = True
        while self._queue:
            self._add(*self._queue.pop())
        self._busy = False

    def files(self) -> dict[str, str]:
        """Returns the text of every file by its path, stand-ins included."""
        found: dict[str, str] = {}
        for name, source in self._modules.items():
            for parent in _parents(name):
                found.setdefault(f"{parent.replace('.', '/')}/__init__.py", "")
            path = name.replace(".", "/")
            found[f"{path}/__init__.py" if source.is_package else f"{path}.py"] = source.text()
        for name, file in REPLACED.items():
            for parent in _parents(name):
                found.setdefault(f"{parent.replace('.', '/')}/__init__.py", "")
            found[f"{name.replace('.', '/')}.py"] = (_STANDINS / file).read_text(encoding="utf-8")
        return found

    def _add(self, module: str, name: str) -> None:
        if module in REPLACED or _is_of_python(module):
            return
        if module not in self._modules:
            self._check_can_go_along(module)
            self._modules[module] = _Source(importlib.import_module(module), self)
        for where, what in self._modules[module].take(name):
            self._queue.append((where, what))

    def _check_can_go_along(self, module: str) -> None:
        """Raises for a module of a library that a kit cannot have."""
        file = str(getattr(sys.modules.get(module), "__file__", None) or "")
        if module.partition(".")[0] not in ("playmill", self._package) and ("site-packages" in file or not file):
            raise NotBundledError(f"it imports {module}", f"нужен модуль {module}")


@dataclass
class _Source:
    """The source of a module, and which of its statements are needed."""

    module: ModuleType
    bundle: Bundle
    #: Names that are imported and needed, by statement.
    _aliases: dict[int, set[str]] = field(default_factory=dict)
    _kept: set[int] = field(default_factory=set)
    _taken: set[str] = field(default_factory=set)

    @cached_property
    def _text(self) -> str:
        return Path(str(self.module.__file__)).read_text(encoding="utf-8")

    @cached_property
    def _body(self) -> list[ast.stmt]:
        return ast.parse(self._text).body

    @property
    def is_package(self) -> bool:
        """Whether the module is a package."""
        return hasattr(self.module, "__path__")

    @cached_property
    def _bound(self) -> dict[str, list[int]]:
        """The statements that bind each name, or change what it stands for."""
        found: dict[str, list[int]] = {}
        for number, statement in enumerate(self._body):
            if not _is_for_types(statement):
                for name in _bound_by(statement):
                    found.setdefault(name, []).append(number)
        return found

    def take(self, name: str) -> Iterator[tuple[str, str]]:
        """Keeps what binds a name; yields what that needs of other modules."""
        queue = [*self._bound] if name == _EVERYTHING else [name]
        if queue == [name] and name not in self._bound and name != _PRESENT and not self._is_module(name):
            raise NotBundledError(
                f"{self.module.__name__} has no {name!r} in its source",
                f"в исходном тексте {self.module.__name__} нет {name!r}",
            )
        while queue:
            one = queue.pop()
            if one in self._taken or one not in self._bound:  # a builtin, or a name of a function's own
                continue
            self._taken.add(one)
            for number in self._bound[one]:
                statement = self._body[number]
                if isinstance(statement, (ast.Import, ast.ImportFrom)):
                    self._aliases.setdefault(number, set()).add(one)
                    yield from self._imported(statement, one)
                elif number not in self._kept:
                    self._kept.add(number)
                    if self._is_constant(statement):
                        continue
                    used = _Used(self._cut(statement), self._types_of(statement))
                    queue += used.names
                    for inner in used.imports:
                        for alias in inner.names:
                            yield from self._imported(inner, _name_of(alias))
                    yield from self._of_modules(used)

    def _is_constant(self, statement: ast.stmt) -> bool:
        """Whether a statement is a function of no arguments that remembers its result, and that is a plain value."""
        if not isinstance(statement, ast.FunctionDef) or ast.unparse(statement.args):
            return False
        if not {"cache", "lru_cache"} & {ast.unparse(one).partition("(")[0] for one in statement.decorator_list}:
            return False
        name = self._constant_name(statement)
        with suppress(NotBundledError):
            self.bundle.constants[name] = snapshot(getattr(self.module, statement.name)(), self.bundle.need)
        return name in self.bundle.constants

    def _constant_name(self, statement: ast.FunctionDef) -> str:
        return f"{self.module.__name__}:{statement.name}"

    def _is_stored(self, statement: ast.stmt) -> TypeGuard[ast.FunctionDef]:
        return isinstance(statement, ast.FunctionDef) and self._constant_name(statement) in self.bundle.constants

    def _is_module(self, name: str) -> bool:
        return f"{self.module.__name__}.{name}" in sys.modules

    def _imports(self) -> Iterator[tuple[str, str]]:
        """The names by which this module knows others of ours, and which."""
        for statement in self._body:
            if isinstance(statement, (ast.Import, ast.ImportFrom)):
                for alias in statement.names:
                    home, name = self._home(statement, alias)
                    if name == _EVERYTHING and not _is_of_python(home) and home not in REPLACED:
                        yield _name_of(alias), home

    def _of_modules(self, used: _Used) -> Iterator[tuple[str, str]]:
        """What a statement asks of modules: `names.points`, or the module as a whole."""
        for alias, home in self._imports():
            yield from ((home, attribute) for attribute in used.attributes.get(alias, ()))
            if alias in used.whole:
                yield home, _EVERYTHING

    def _home(self, statement: ast.Import | ast.ImportFrom, alias: ast.alias) -> tuple[str, str]:
        """The module that an import is of, and the name in it; `*` if it is that of a module."""
        if isinstance(statement, ast.Import):
            return alias.name, _EVERYTHING
        package = self.module.__name__ if self.is_package else self.module.__name__.rpartition(".")[0]
        home = resolve_name("." * statement.level + (statement.module or ""), package)
        inner = f"{home}.{alias.name}"
        if isinstance(sys.modules.get(inner), ModuleType) and not _defines(home, alias.name):
            return inner, _EVERYTHING
        return home, alias.name

    def _imported(self, statement: ast.Import | ast.ImportFrom, name: str) -> Iterator[tuple[str, str]]:
        alias = next(one for one in statement.names if _name_of(one) == name)
        home, inside = self._home(statement, alias)
        if inside != _EVERYTHING:
            yield home, inside
        elif not _is_of_python(home) and home not in REPLACED:
            yield home, _PRESENT  # what is asked of it is known by its uses

    def _cut(self, statement: ast.stmt) -> ast.stmt:
        """A statement without the methods that nobody calls here."""
        if not isinstance(statement, ast.ClassDef):
            return statement
        gone = self._gone(statement)
        body = [one for one in statement.body if one not in gone] or [ast.Pass()]
        return ast.ClassDef(statement.name, statement.bases, statement.keywords, body, statement.decorator_list)

    def _gone(self, statement: ast.ClassDef) -> list[ast.stmt]:
        """Methods that validate, and those that read or pack a config."""
        kind = getattr(self.module, statement.name, None)
        is_config = isinstance(kind, type) and issubclass(kind, RuleConfig)
        gone: list[ast.stmt] = []
        for one in statement.body:
            if isinstance(one, ast.FunctionDef):
                words = {
                    name.id
                    for decorator in one.decorator_list
                    for name in ast.walk(decorator)
                    if isinstance(name, ast.Name)
                }
                validates = any(word.endswith(("_validator", "_serializer")) for word in words)
                if validates or (is_config and one.name in _OF_CONFIGS):
                    gone.append(one)
        return gone

    def _types_of(self, statement: ast.stmt) -> set[str]:
        """Names in annotations of a class that come from the standard library: `ClassVar`, `KW_ONLY`."""
        if not isinstance(statement, ast.ClassDef):
            return set()
        named = {
            name.id
            for one in statement.body
            if isinstance(one, ast.AnnAssign)
            for name in ast.walk(one.annotation)
            if isinstance(name, ast.Name)
        }
        found = set()
        for other in self._body:
            if isinstance(other, ast.ImportFrom) and not other.level and _is_of_python(other.module or ""):
                found |= named & {_name_of(alias) for alias in other.names}
        return found

    def text(self) -> str:
        """Returns what is left of the module."""
        lines = self._text.splitlines()
        parts = ["from __future__ import annotations"]
        if ast.get_docstring(ast.Module(self._body, [])):
            parts.insert(0, _segment(lines, self._body[0]))
        for number, statement in enumerate(self._body):
            if number in self._aliases and isinstance(statement, (ast.Import, ast.ImportFrom)):
                wanted = self._aliases[number]
                kept = [alias for alias in statement.names if _name_of(alias) in wanted]
                shown = (
                    ast.Import(kept)
                    if isinstance(statement, ast.Import)
                    else ast.ImportFrom(statement.module, kept, statement.level)
                )
                parts.append(ast.unparse(shown))
            elif number in self._kept and self._is_stored(statement):
                parts.append(_STORED.format(name=statement.name, key=self._constant_name(statement)))
            elif number in self._kept:
                gone = self._gone(statement) if isinstance(statement, ast.ClassDef) else []
                parts.append(_segment(lines, statement, without=gone))
        return "\n\n".join(parts) + "\n"


class _Used(ast.NodeVisitor):
    """What a statement reads: names, attributes of names, and imports inside functions; annotations are not read."""

    def __init__(self, statement: ast.stmt, types: set[str]) -> None:
        self.names: set[str] = set(types)
        self.attributes: dict[str, set[str]] = {}
        self.whole: set[str] = set()
        self.imports: list[ast.Import | ast.ImportFrom] = []
        self.visit(statement)

    def visit_Name(self, node: ast.Name) -> None:
        self.names.add(node.id)
        self.whole.add(node.id)

    def visit_Attribute(self, node: ast.Attribute) -> None:
        if isinstance(node.value, ast.Name):
            self.names.add(node.value.id)
            self.attributes.setdefault(node.value.id, set()).add(node.attr)
        else:
            self.visit(node.value)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        self.visit(node.target)
        if node.value is not None:
            self.visit(node.value)

    def visit_arg(self, node: ast.arg) -> None:
        """An argument's annotation is not read."""

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        for part in (*node.decorator_list, node.args, *node.body):
            self.visit(part)

    def visit_Import(self, node: ast.Import) -> None:
        self.imports.append(node)

    def visit_ImportFrom(self, node: ast.ImportFrom) -> None:
        self.imports.append(node)


def _segment(lines: list[str], statement: ast.stmt, *, without: list[ast.stmt] | None = None) -> str:
    """The lines of a statement as they were written."""
    dropped = {line for one in without or () for line in range(_first(one), int(one.end_lineno or 0) + 1)}
    numbers = range(_first(statement), int(statement.end_lineno or 0) + 1)
    text = "\n".join(lines[number - 1] for number in numbers if number not in dropped)
    is_empty = isinstance(statement, ast.ClassDef) and len(without or ()) == len(statement.body)
    return f"{text}\n    pass" if is_empty else text


def _first(statement: ast.stmt) -> int:
    decorators: list[ast.expr] = getattr(statement, "decorator_list", [])
    return min([statement.lineno, *(one.lineno for one in decorators)])


def _bound_by(statement: ast.stmt) -> set[str]:
    """The names that a statement of a module binds, or whose values it fills."""
    if isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        return {statement.name}
    if isinstance(statement, (ast.Import, ast.ImportFrom)):
        return {_name_of(alias) for alias in statement.names} - {"annotations"}
    found = set()
    for node in ast.walk(statement):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            found.add(node.id)
        elif isinstance(node, (ast.Subscript, ast.Attribute)) and isinstance(node.ctx, ast.Store):
            inner: ast.expr = node
            while isinstance(inner, (ast.Subscript, ast.Attribute)):
                inner = inner.value
            found |= {inner.id} if isinstance(inner, ast.Name) else set()
        elif isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            found.add(node.name)
        elif isinstance(node, (ast.Import, ast.ImportFrom)):
            found |= {_name_of(alias) for alias in node.names}
    return found


def _name_of(alias: ast.alias) -> str:
    """The name that an import binds."""
    return alias.asname or alias.name.partition(".")[0]


def _is_for_types(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.If) and "TYPE_CHECKING" in ast.dump(statement.test)


def _defines(module: str, name: str) -> bool:
    """Whether a package has something else than a module of its own under a name."""
    return not isinstance(getattr(sys.modules.get(module), name, None), (ModuleType, type(None)))


def _is_of_python(module: str) -> bool:
    """Whether a module is of the standard library."""
    return module.partition(".")[0] in sys.stdlib_module_names


def _parents(name: str) -> Iterator[str]:
    steps = name.split(".")
    yield from (".".join(steps[:end]) for end in range(1, len(steps)))
