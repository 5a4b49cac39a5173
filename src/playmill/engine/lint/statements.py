"""Lints one rule statement by statement: undefined names, unknown fields, constant indices, forbidden constructs."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Callable
from enum import Enum
from types import FunctionType, ModuleType
from typing import Any

import numpy as np

from playmill.engine.errors.located import RuleMistakeError, did_you_mean
from playmill.engine.lang.rule import is_rule
from playmill.engine.lint.argument_types import ArgumentType, field_of, is_ours, number, of_config
from playmill.engine.lint.forbidden import (
    ARRAYS,
    BUILT,
    DEFAULTS,
    FIXED,
    GLOBAL,
    HALVES,
    IDLE,
    LISTING,
    MAKERS,
    METHODS,
    MODULES,
    NAMED,
    NONE,
    NOT_A_NUMBER,
    OBJECTS,
    OTHER_RNG,
    OTHERWISE,
    PIECES,
    PRINTING,
    REFUSED,
    SAME,
    TEXTS,
    forbidden_call,
    unknown_name,
)
from playmill.texts import Text, near_to

Called = Callable[[Any, list[ArgumentType | None], Any, ast.Call], None]


class RuleLinter:
    """Lints one rule, given the types of its arguments."""

    def __init__(
        self, function: FunctionType, kinds: dict[str, ArgumentType | None], *, compiled: bool, calls: Called
    ) -> None:
        self.function = function
        self._kinds = dict(kinds)
        self._compiled = compiled
        self._calls = calls
        code = function.__code__
        self._own = {*code.co_varnames, *code.co_cellvars, *code.co_freevars}
        #: Arguments that are written into.
        self._given = {name for name, kind in kinds.items() if kind is not None and kind.what in ("record", "array")}

    def mistake(self, node: ast.AST, message: Text) -> RuleMistakeError:
        """An error located at a node of the rule."""
        line = getattr(node, "lineno", self.function.__code__.co_firstlineno)
        return RuleMistakeError(self.function.__code__.co_filename, line, message)

    def read(self, node: ast.FunctionDef) -> None:
        """Lints its defaults and its body."""
        for default in node.args.defaults:
            if not isinstance(default, ast.Constant | ast.Name | ast.UnaryOp | ast.Attribute | ast.BinOp):
                raise self.mistake(default, DEFAULTS)
        for statement in node.body:
            self._statement(statement)

    def _statement(self, node: ast.stmt) -> None:
        self._refuse(node)
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            return  # a docstring
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Compare):
            raise self.mistake(node, IDLE)
        if isinstance(node, ast.Assign | ast.AugAssign | ast.AnnAssign):
            self._assignment(node)
            return
        if isinstance(node, ast.For):
            self._of(node.iter)
            self._forget(node.target)
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.stmt):
                self._statement(child)
            elif isinstance(child, ast.expr) and not (isinstance(node, ast.For) and child in (node.iter, node.target)):
                self._of(child)

    def _assignment(self, node: ast.Assign | ast.AugAssign | ast.AnnAssign) -> None:
        value = self._of(node.value) if node.value is not None else None
        for target in node.targets if isinstance(node, ast.Assign) else [node.target]:
            if isinstance(target, ast.Name):
                if target.id in self._given:
                    raise self.mistake(node, OTHERWISE)
                known = self._kinds.get(target.id, value)
                self._kinds[target.id] = value if known == value else None
                continue
            self._target(target)

    def _target(self, target: ast.expr) -> None:
        """What is written to: a field, a cell, or several of them."""
        if isinstance(target, ast.Tuple):
            for part in target.elts:
                self._target(part)
            return
        if isinstance(target, ast.Name):
            self._kinds[target.id] = None
            return
        written = self._of(target)
        if of_config(self._root(target)):
            raise self.mistake(target, FIXED)
        if self._is_of_module(target):
            raise self.mistake(target, GLOBAL)
        if written is not None and written.what == "array":
            name = ast.unparse(target)
            raise self.mistake(
                target,
                Text(
                    f"{name} is an array: write its cells, `for i in range({written.shape[0]}): {name}[i] = …`",
                    f"{name} — массив: пишите в его ячейки, `for i in range({written.shape[0]}): {name}[i] = …`",
                ),
            )

    def _root(self, node: ast.expr) -> ArgumentType | None:
        root = _stem(node)
        return self._kinds.get(root.id) if isinstance(root, ast.Name) else None

    def _is_of_module(self, node: ast.expr) -> bool:
        root = _stem(node)
        return isinstance(root, ast.Name) and root.id not in self._own

    def _forget(self, target: ast.expr) -> None:
        for part in ast.walk(target):
            if isinstance(part, ast.Name):
                self._kinds[part.id] = None

    def _refuse(self, node: ast.AST) -> None:
        message = REFUSED.get(type(node))
        if message is not None:
            raise self.mistake(node, message)

    def _of(self, node: ast.expr) -> ArgumentType | None:
        """What an expression is; everything in it is read."""
        self._refuse(node)
        if isinstance(node, ast.Name):
            return self._name(node)
        if isinstance(node, ast.Constant):
            return self._constant(node)
        if isinstance(node, ast.Attribute):
            return self._attribute(node)
        if isinstance(node, ast.Subscript):
            return self._cell(node)
        if isinstance(node, ast.Call):
            return self._call(node)
        if isinstance(node, ast.Compare) and any(isinstance(one, ast.Is | ast.IsNot) for one in node.ops):
            raise self.mistake(node, SAME)
        if isinstance(node, ast.NamedExpr):
            self._kinds[node.target.id] = None
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.expr):
                self._of(child)
        return None

    def _constant(self, node: ast.Constant) -> ArgumentType:
        if isinstance(node.value, str | bytes):
            raise self.mistake(node, TEXTS)
        if node.value is None:
            raise self.mistake(node, NONE)
        return number()

    def _name(self, node: ast.Name) -> ArgumentType | None:
        if node.id in self._own:
            return self._kinds.get(node.id)
        value = self._global(node)
        if isinstance(value, list | dict | set):
            kind = type(value).__name__
            raise self.mistake(
                node,
                Text(
                    f"{node.id} is a {kind}; constants that rules use are numbers, tuples of numbers or NumPy arrays",
                    f"{node.id} — {kind}; постоянные для правил — числа, кортежи чисел или массивы NumPy",
                ),
            )
        if isinstance(value, str):
            raise self.mistake(node, TEXTS)
        if isinstance(value, np.ndarray):
            return ArgumentType("array", None, value.shape)
        return None

    def _global(self, node: ast.Name) -> Any:
        space = self.function.__globals__
        if node.id in space:
            return space[node.id]
        if hasattr(builtins, node.id):
            return getattr(builtins, node.id)
        known = [name for name in space if not name.startswith("__")] + sorted(self._own)
        raise self.mistake(node, unknown_name(node.id, known))

    def _attribute(self, node: ast.Attribute) -> ArgumentType | None:
        value = node.value
        if isinstance(value, ast.Name) and value.id not in self._own:
            found = self._global(value)
            if isinstance(found, ModuleType):
                self._of_module(node, found)
                return None
            if isinstance(found, type) and not issubclass(found, int):
                raise self.mistake(node, NAMED if issubclass(found, Enum) else OBJECTS)
        whole = self._of(value)
        if whole is None:
            return None
        if whole.what == "rng" and node.attr not in ("stream", "shuffle_buffer", "bucket", "sorted"):
            raise self.mistake(node, OTHER_RNG)
        if whole.what == "array" and whole.dtype is None and node.attr not in ("shape", "size", "ndim", "T"):
            raise self.mistake(node, METHODS)
        if whole.what != "record" or whole.dtype is None:
            return None
        names = whole.dtype.names or ()
        if node.attr in ("append", "extend", "add") and "ids" in names:
            raise self.mistake(node, LISTING)
        if node.attr not in names:
            more, name = did_you_mean(node.attr, names), whole.name or Text("the record", "в записи")
            raise self.mistake(
                node,
                Text(f"{name.en} has no field {node.attr!r}{more.en}", f"{name.ru} нет поля {node.attr!r}{more.ru}"),
            )
        return field_of(whole, node.attr)

    def _of_module(self, node: ast.Attribute, module: ModuleType) -> None:
        root = module.__name__.partition(".")[0]
        if root in MODULES:
            raise self.mistake(node, MODULES[root])
        if root == "numpy" and (node.attr == "random" or module.__name__ == "numpy.random"):
            raise self.mistake(node, OTHER_RNG)
        if root in ("math", "numpy") and node.attr in ("nan", "NaN"):
            raise self.mistake(node, NOT_A_NUMBER)
        if root == "numpy" and node.attr in MAKERS:
            raise self.mistake(node, ARRAYS)
        if not hasattr(module, node.attr):
            near, name = near_to(node.attr, dir(module)), module.__name__
            raise self.mistake(
                node, Text(f"{name} has no {node.attr!r}{near.en}", f"в {name} нет {node.attr!r}{near.ru}")
            )

    def _cell(self, node: ast.Subscript) -> ArgumentType | None:
        whole = self._of(node.value)
        places = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
        for place in places:
            if isinstance(place, ast.Slice):
                if len(places) > 1:
                    raise self.mistake(node, PIECES)
                return None
            if whole is not None and whole.what == "record" and isinstance(place, ast.Constant):
                self._by_name(node, whole, place.value)
            if isinstance(place, ast.BinOp) and isinstance(place.op, ast.Div):
                raise self.mistake(node, HALVES)
            self._of(place)
        name = ast.unparse(node.value)
        if whole is None:
            self._from_front(node, name, places)
            return None
        if whole.what == "record" and whole.dtype is not None:
            fields = ", ".join(f"{name}.{field}" for field in whole.dtype.names or ())
            raise self.mistake(
                node,
                Text(
                    f"{name} is a record, not an array; it has: {fields}",
                    f"{name} — запись, а не массив; в ней есть: {fields}",
                ),
            )
        if whole.what == "number":
            raise self.mistake(
                node, Text(f"{name} is a single number, not an array", f"{name} — одно число, а не массив")
            )
        if whole.what != "array":
            return None
        if len(places) > len(whole.shape):
            raise self.mistake(
                node,
                Text(
                    f"{name} has {len(whole.shape)} dimensions, and {len(places)} places are given",
                    f"у {name} измерений: {len(whole.shape)}, а мест указано: {len(places)}",
                ),
            )
        self._within(node, name, places, whole.shape)
        if len(places) < len(whole.shape):
            return ArgumentType("array", whole.dtype, whole.shape[len(places) :], whole.name, whole.fixed)
        return ArgumentType("record", whole.dtype, (), whole.name, whole.fixed) if whole.dtype is not None else number()

    def _by_name(self, node: ast.Subscript, whole: ArgumentType, field: object) -> None:
        """A field asked for as in `words.py`, by its name in brackets."""
        if isinstance(field, str) and whole.dtype is not None and field in (whole.dtype.names or ()):
            wanted = f"{ast.unparse(node.value)}.{field}"
            raise self.mistake(
                node,
                Text(
                    f"in rules a field is written with a dot: {wanted}; brackets are for words.py",
                    f"в правилах поле пишут через точку: {wanted}; скобки — для words.py",
                ),
            )

    def _within(self, node: ast.Subscript, name: str, places: list[ast.expr], shape: tuple[int, ...]) -> None:
        """A place that is a constant must be there."""
        for place, most in zip(places, shape, strict=False):
            at = self._value(place)
            if at is not None and not 0 <= at < most:
                raise self.mistake(
                    node,
                    Text(
                        f"there is no place {at} in {name}: they are 0 … {most - 1}, and compiled rules do not notice",
                        f"места {at} в {name} нет: есть 0 … {most - 1}, и скомпилированные правила этого не заметят",
                    ),
                )

    def _from_front(self, node: ast.Subscript, name: str, places: list[ast.expr]) -> None:
        """A place that is a constant is counted from the front; a tuple of the module may be counted from its end."""
        if isinstance(node.value, ast.Name) and isinstance(self.function.__globals__.get(node.value.id), tuple):
            return
        for place in places:
            at = self._value(place)
            if at is not None and at < 0:
                raise self.mistake(
                    node,
                    Text(
                        f"there is no place {at} in {name}: places are counted from 0, and compiled rules read or"
                        f" write something else there; write the place itself, such as {name}[n - {-at}]",
                        f"места {at} в {name} нет: места считают от 0, а скомпилированные правила прочтут или испортят"
                        f" там что-то чужое; укажите само место, например {name}[n - {-at}]",
                    ),
                )

    def _value(self, node: ast.expr) -> int | None:
        """A whole number that stands there, by itself, below 0, or by the name of a constant."""
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
            inner = self._value(node.operand)
            return None if inner is None else -inner
        if isinstance(node, ast.Constant) and type(node.value) is int:
            return node.value
        if isinstance(node, ast.Name) and node.id not in self._own:
            found = self.function.__globals__.get(node.id)
            return found if type(found) is int else None
        return None

    def _call(self, node: ast.Call) -> ArgumentType | None:
        called = self._global(node.func) if isinstance(node.func, ast.Name) and node.func.id not in self._own else None
        if called is print or called is breakpoint:
            if self._compiled:
                raise self.mistake(node, PRINTING)
            self._shown(node)
            return None
        arguments = [self._of(one) for one in node.args]
        for word in node.keywords:
            self._of(word.value)
        if not isinstance(node.func, ast.Name) or node.func.id in self._own:
            self._of(node.func)
            return None
        found = self._global(node.func)
        if node.func.id in BUILT and found is getattr(builtins, node.func.id, None):
            raise self.mistake(node, BUILT[node.func.id])
        if (message := forbidden_call(found)) is not None:
            raise self.mistake(node, message)
        if is_rule(found):
            self._check_arguments(node, found)
            if not node.keywords:
                self._calls(found, arguments, self, node)
        elif isinstance(found, FunctionType) and not is_ours(found):
            name = node.func.id
            raise self.mistake(
                node,
                Text(
                    f"{name} is a plain function, and rules call rules alone: put @rule above it",
                    f"{name} — обычная функция, а правила вызывают только правила: поставьте над ней @rule",
                ),
            )
        return None

    def _shown(self, node: ast.Call) -> None:
        """What an interpreted rule prints may be any Python, texts too; only names and fields must be there."""
        inner = {part.arg for part in ast.walk(node) if isinstance(part, ast.arg)}
        names = [part for part in ast.walk(node) if isinstance(part, ast.Name)]
        inner |= {name.id for name in names if isinstance(name.ctx, ast.Store)}
        for name in names:
            if name.id not in inner and name.id not in self._own:
                self._global(name)
        for part in ast.walk(node):
            if isinstance(part, ast.Attribute) and isinstance(part.value, ast.Name) and part.value.id not in inner:
                whole = self._kinds.get(part.value.id)
                if whole is not None and whole.what == "record":
                    self._attribute(part)

    def _check_arguments(self, node: ast.Call, found: Any) -> None:
        code = getattr(found, "py_func", found).__code__
        given = len(node.args) + len(node.keywords)
        needed = code.co_argcount - len(getattr(found, "py_func", found).__defaults__ or ())
        if any(isinstance(one, ast.Starred) for one in node.args) or needed <= given <= code.co_argcount:
            return
        names = ", ".join(code.co_varnames[: code.co_argcount])
        raise self.mistake(
            node,
            Text(
                f"{code.co_name} is called with {given} arguments; expected {code.co_name}({names})",
                f"{code.co_name} вызвана с аргументами, которых {given}; нужно {code.co_name}({names})",
            ),
        )


def _stem(node: ast.expr) -> ast.expr:
    """That of which something is a field or a place."""
    while isinstance(node, ast.Attribute | ast.Subscript):
        node = node.value
    return node
