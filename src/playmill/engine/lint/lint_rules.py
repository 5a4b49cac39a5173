"""Lints the rules of a game before they run: common mistakes of authors, each with file and line (see `located.py`).

Nothing is compiled. The source of each rule of the game is followed from the functions of the contract, with what is
known of their arguments: `s` is the state, `cfg` the record of the config, and so on, also where they are handed on.
"""

from __future__ import annotations

import ast
import inspect
from collections.abc import Iterator, Mapping
from functools import lru_cache
from pathlib import Path
from types import FunctionType
from typing import Any

import numpy as np

from playmill.engine.contract.agent import CompiledAgent
from playmill.engine.contract.game import Game, is_shipped
from playmill.engine.contract.modules import MODULES
from playmill.engine.errors.located import RuleMistakeError, at_code
from playmill.engine.lang.module_names import RULED
from playmill.engine.lang.rule import is_rule, python_function
from playmill.engine.lint.argument_types import ArgumentType, array, is_ours, number, record
from playmill.engine.lint.statements import RuleLinter
from playmill.texts import Text

#: The arguments of each function of the contract.
_ARGUMENTS: Mapping[str, tuple[str, ...]] = {
    key: tuple(hook.arguments.split(", "))
    for name in RULED
    for key, hook in MODULES[name].hooks.items()
    if hook.arguments is not None
}
_AGENT = ("cfg", "s", "legal", "n", "rng", "params")
#: What the indices of a field are called, the last of them last.
_PLACES = ("plane", "row", "place")
#: Functions that must return a number on every path.
_ANSWERING = frozenset({"legal_actions", "count_actions", "nth_action", "takes_long"})
_PLAYER = Text(
    'the state needs a field `player`, the seat to move, -1 when the game is over: ("player", np.int8)',
    'состоянию нужно поле `player`: чей ход, -1 в конце партии: ("player", np.int8)',
)


def lint_game(game: Game, *, compiled: bool = True) -> None:
    """Raises at the first mistake found in the source of an author's rules; interpreted ones may print."""
    if not is_shipped(game):
        lint_rules(game, compiled=compiled)


def lint_rules(game: Game, *, compiled: bool = True) -> None:
    """The same for any game; those of the package are linted by tests alone."""
    if "player" not in (game.state.names or ()):
        raise at_code(python_function(game.rules["setup"]).__code__, _PLAYER)
    packed = game.config().pack(game.players[1]).dtype
    kinds = _kinds(game, packed)
    reading = _LintRun(compiled)
    for name, function in game.rules.items():
        reading.begin(name, function, _ARGUMENTS[name], kinds, answers=name in _ANSWERING)
    for name, agent in game.agents.items():
        reading.begin(name, agent.choose, _with_lookup_table(agent), {**kinds, "out": None}, answers=True)
    if game.search.standing is not None:
        reading.begin("standing", game.search.standing, ("cfg", "s", "out"), {**kinds, "out": None}, answers=False)
    for name, rule, arguments in _declared_rules(game):
        reading.begin(name, rule, arguments, kinds, answers=True)
    reading.go_on()


def _declared_rules(game: Game) -> Iterator[tuple[str, Any, tuple[str, ...]]]:
    """The author's rules in a declaration of what is hidden, with their arguments."""
    if game.secrets is None:
        return
    if game.secrets.possible is not None:
        yield "possible", game.secrets.possible, ("cfg", "s", "player")
    for name, secret in game.secrets.fields.items():
        places = _PLACES[-len(game.state[name].shape) :] if game.state[name].shape else ()
        for option, rule, arguments in (
            ("seen_by", secret.seen_by, ("cfg", "s", "player", *places)),
            ("open", secret.open, ("cfg", "s")),
            ("values", secret.values, ("cfg", "s")),
        ):
            if callable(rule):
                yield f"{option} of {name!r}", rule, arguments


def _with_lookup_table(agent: CompiledAgent) -> tuple[str, ...]:
    return (*_AGENT, "known") if agent.knows else _AGENT


def _kinds(game: Game, packed: np.dtype[np.void]) -> dict[str, ArgumentType | None]:
    """The types of the contract's arguments, by name; `out` differs from function to function."""
    legal = game.options
    params = np.dtype([("value", np.float64, (8, 8))])
    return {
        "cfg": record(packed, Text("the record of the config", "в записи настроек"), fixed=True),
        "s": record(game.state, Text("the state", "в состоянии")),
        "rng": ArgumentType("rng"),
        "legal_actions.out": record(legal, Text("the room for options", "в списке вариантов")),
        "count_actions.out": record(legal, Text("the room for options", "в списке вариантов")),
        "nth_action.out": record(legal, Text("the room for options", "в списке вариантов")),
        "legal": record(legal, Text("the room for options", "в списке вариантов")),
        "observe.out": array((game.observation,), number()),
        "returns.out": array((game.players[1],), number()),
        "row": record(game.outcome, Text("Outcome", "в Outcome")),
        "counts": record(game.tally, Text("Tally", "в Tally")),
        "params": record(params, Text("the numbers of an agent", "в числах агента")),
        "action": number(),
        "player": number(),
        "k": number(),
        **{index: number() for index in _PLACES},
        "n": number(),
    }


class _LintRun:
    """Walks from rule to rule: each is linted once for each combination of argument types."""

    def __init__(self, compiled: bool) -> None:
        self._compiled = compiled
        self._queue: list[tuple[FunctionType, dict[str, ArgumentType | None], bool, tuple[str, ...]]] = []
        self._met: set[tuple[Any, ...]] = set()

    def begin(
        self,
        name: str,
        function: Any,
        arguments: tuple[str, ...],
        kinds: Mapping[str, ArgumentType | None],
        *,
        answers: bool,
    ) -> None:
        """Queues a function of the contract."""
        plain = python_function(function)
        if not isinstance(plain, FunctionType) or is_ours(plain):
            return
        if not is_rule(function):
            raise at_code(plain.__code__, _undecorated(plain.__name__))
        given = [one.name for one in inspect.signature(plain).parameters.values()]
        if len(given) != len(arguments):
            wanted = f"{plain.__name__}({', '.join(arguments)})"
            raise at_code(
                plain.__code__,
                Text(
                    f"{name} is called with {len(arguments)} arguments, and takes {len(given)}; expected {wanted}",
                    f"у {name} аргументов должно быть {len(arguments)}, а их {len(given)}; нужно {wanted}",
                ),
            )
        if given != list(arguments) and sorted(given) == sorted(arguments):
            raise at_code(
                plain.__code__,
                Text(
                    f"{name} is called with its arguments in another order: ({', '.join(arguments)})",
                    f"аргументы {name} идут в другом порядке: ({', '.join(arguments)})",
                ),
            )
        found = {own: kinds.get(f"{name}.{what}", kinds.get(what)) for own, what in zip(given, arguments, strict=True)}
        self._put(plain, found, answers, ())

    def go_on(self) -> None:
        """Lints all that is queued, and what those rules call."""
        while self._queue:
            plain, kinds, answers, callers = self._queue.pop(0)
            node = _source_of(plain)
            if node is None:
                continue
            used = self._used(node, answers)
            reader = RuleLinter(plain, kinds, compiled=self._compiled, calls=self._called(callers, used))
            reader.read(node)
            if not answers and not callers:
                _check_silent(plain, node)
            if answers and not _always_answers(node.body):
                raise RuleMistakeError(
                    plain.__code__.co_filename,
                    node.body[-1].end_lineno or node.lineno,
                    Text(
                        f"{plain.__name__} may end here without a number; it must return one on every way",
                        f"{plain.__name__} может закончиться здесь без числа; число нужно вернуть в любом случае",
                    ),
                )

    @staticmethod
    def _used(node: ast.FunctionDef, answers: bool) -> set[ast.Call]:
        """The calls in a function whose results are used."""
        idle = {one.value for one in ast.walk(node) if isinstance(one, ast.Expr)}
        if not answers:  # what a function hands on that nobody asks for a number
            idle |= {one.value for one in ast.walk(node) if isinstance(one, ast.Return) and one.value is not None}
        return {one for one in ast.walk(node) if isinstance(one, ast.Call)} - idle

    def _called(self, callers: tuple[str, ...], used: set[ast.Call]) -> Any:
        def called(function: Any, arguments: list[ArgumentType | None], reader: RuleLinter, node: ast.Call) -> None:
            plain = python_function(function)
            own = f"{plain.__module__}.{plain.__qualname__}"
            chain = (*callers, f"{reader.function.__module__}.{reader.function.__qualname__}")
            if own in chain:
                raise reader.mistake(
                    node,
                    Text(
                        f"{plain.__name__} calls itself, at once or by way of others; rules must not: make it a loop",
                        f"{plain.__name__} вызывает сама себя, прямо или через другие; правилам нельзя: сделайте цикл",
                    ),
                )
            if is_ours(plain):
                return
            names = [one.name for one in inspect.signature(plain).parameters.values()]
            self._put(plain, dict(zip(names, arguments, strict=False)), node in used, chain)

        return called

    def _put(
        self, plain: FunctionType, kinds: dict[str, ArgumentType | None], answers: bool, callers: tuple[str, ...]
    ) -> None:
        key = (id(plain), answers, tuple((name, kind) for name, kind in kinds.items()))
        if key not in self._met:
            self._met.add(key)
            self._queue.append((plain, kinds, answers, callers))


def _check_silent(plain: FunctionType, node: ast.FunctionDef) -> None:
    """Raises if a function of the contract without a result returns one; the result of another rule may pass."""
    for one in ast.walk(node):
        if isinstance(one, ast.Return) and one.value is not None and not isinstance(one.value, ast.Call):
            raise RuleMistakeError(
                plain.__code__.co_filename,
                one.lineno,
                Text(
                    f"nobody takes what {plain.__name__} returns: what it does, it writes into its arguments; a bare"
                    " `return` ends it early",
                    f"то, что возвращает {plain.__name__}, никому не нужно: результат она пишет в свои аргументы;"
                    " закончить раньше — просто `return`",
                ),
            )


def _undecorated(name: str) -> Text:
    return Text(
        f"{name} is no rule: put @rule above it (from playmill import rule)",
        f"{name} — не правило: поставьте над ней @rule (from playmill import rule)",
    )


def _always_answers(body: list[ast.stmt]) -> bool:
    """Whether every path of a block ends in `return` with a value; an endless loop does, too."""
    last = body[-1]
    if isinstance(last, ast.Return):
        return last.value is not None
    if isinstance(last, ast.If):
        return bool(last.orelse) and _always_answers(last.body) and _always_answers(last.orelse)
    return isinstance(last, ast.While) and isinstance(last.test, ast.Constant) and bool(last.test.value)


def _source_of(plain: FunctionType) -> ast.FunctionDef | None:
    """The source of a function, or None if it has no file."""
    file = plain.__code__.co_filename
    if not Path(file).is_file():
        return None
    return _functions(file, Path(file).stat().st_mtime_ns).get(plain.__code__.co_firstlineno)


@lru_cache(maxsize=256)
def _functions(file: str, changed: int) -> dict[int, ast.FunctionDef]:
    """The functions of a file by their first lines."""
    tree = ast.parse(Path(file).read_bytes())
    found = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
    return {min([node.lineno, *(one.lineno for one in node.decorator_list)]): node for node in found}
