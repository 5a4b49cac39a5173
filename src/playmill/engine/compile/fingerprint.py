"""Fingerprints: of compiled code, so that old rules never run, and of a game's rules, so that a run can name them."""

from __future__ import annotations

import ast
import hashlib
import json
import os
import sys
from collections.abc import Callable, Iterable, Iterator
from importlib.util import resolve_name
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any

import llvmlite
import numpy as np

from playmill.engine.compile.disk_cache import DiskCache
from playmill.engine.compile.reachable import ReachableValues, add_code, by_version, layout
from playmill.engine.contract.game import Game
from playmill.engine.kernels import play as loops
from playmill.engine.lang import compiler

#: Where libraries stand that are no part of a game.
_INSTALLED = frozenset({"site-packages", "dist-packages"})
#: How names of files end in which a game may keep what its rules read.
_OF_DATA = (".csv", ".json", ".toml", ".tsv", ".txt", ".yaml", ".yml")
#: How many sources of a package have known imports, and on what these depend beside the source: who parsed it, and how.
_MOST_KNOWN = 1000
_PARSED_AS = hashlib.sha256(f"2 {sys.implementation.cache_tag}".encode()).hexdigest()


def fingerprint(*rules: Callable[..., Any], flags: Iterable[object] = ()) -> str:
    """A hash of all that decides what the compiler makes of these rules: code, constants, called rules, compiler."""
    reach = ReachableValues(compiled=not compiler.is_off())
    for rule in rules:
        reach.follow(rule)
    reach.note(*_compiler(), *flags)
    # Whole modules, too, for what no value tells, such as a decorator.
    for name, module in sorted(reach.modules.items()):
        code = _code(module)
        if code is not None:
            reach.instructions.update(name.encode())
            add_code(reach.instructions, code)
    return hashlib.sha256(reach.values.digest() + reach.instructions.digest()).hexdigest()


def rules_fingerprint(game: Game) -> str:
    """A hash of all that decides how games come out: the same on every machine, with every compiler and Python.

    It covers every value the rules and agents use, the records and the default config as numbers, the source of the
    modules in which rules stand, and of everything of the game that these and its config import, and the files of data
    that these sources name.
    """
    reach = ReachableValues()
    for name, function in sorted(game.rules.items()):
        reach.note(name)
        reach.follow(function)
    for name, agent in sorted(game.agents.items()):
        reach.note(name, agent.honest, agent.lists, sorted((key, one.default) for key, one in agent.parameters.items()))
        reach.follow(agent.choose)
    for record in (game.state, game.outcome, game.tally):
        reach.note(layout(record))
    for players in range(game.players[0], game.players[1] + 1):
        reach.value(game.config().pack(players))
    reach.note(game.name, game.version, game.players, game.observation, game.actions, game.max_legal)
    reach.note(layout(game.notes) if game.notes is not None else "")
    makers = [game.config.__module__, *(agent.knows.__module__ for agent in game.agents.values() if agent.knows)]
    sources = _sources({loops.__name__, *reach.modules, *makers}, game.package)
    for name, source in [*sources, *_data(game.package, [source for _, source in sources])]:
        reach.note(name, hashlib.sha256(source).hexdigest())
    return reach.values.hexdigest()


def checked_fingerprint(game: Game) -> str:
    """A hash of all that decides whether games pass: their rules, and the invariants that are tried in them."""
    made = hashlib.sha256(rules_fingerprint(game).encode())
    for name, source in _sources({f"{game.package}.invariants"}, game.package):
        made.update(name.encode() + hashlib.sha256(source).digest())
    return made.hexdigest()


def _compiler() -> Iterator[object]:
    """Version and settings of the compiler."""
    yield (sys.implementation.cache_tag, compiler.version(), llvmlite.__version__, np.__version__)
    yield sorted(compiler.OPTIONS.items())
    yield compiler.passes()
    yield from compiler.settings()


def _code(module: ModuleType) -> CodeType | None:
    """The code of a whole module, or None if it has no file, is not Python or is not to be had."""
    loader: Any = getattr(module, "__loader__", None)
    spec = getattr(module, "__spec__", None)
    if not getattr(module, "__file__", None):
        return None
    try:
        code = loader.get_code(spec.name if spec is not None else module.__name__)
    except (AttributeError, ImportError, OSError, SyntaxError, ValueError):
        return None
    return code if isinstance(code, CodeType) else None


def _sources(names: Iterable[str], package: str) -> list[tuple[str, bytes]]:
    """The source of these modules and of all the game's own that they import, and those in turn, by name.

    So are modules of its package that are imported only when a function needs them, whether or not one has.
    """
    found: dict[str, bytes] = {}
    known = _KnownImports(package)
    queue = list(names)
    while queue:
        name = queue.pop()
        if name in found:
            continue
        inside: str | None
        if (module := sys.modules.get(name)) is not None:
            found[name], inside, own = _source(module), module.__package__, _is_own(module, package)
        elif (file := _file_of(name, package)) is not None:
            found[name], inside, own = _read(file), name if file.stem == "__init__" else name.rpartition(".")[0], True
        else:
            continue
        if own:
            queue += [other for other in known.of(inside, found[name]) if _is_own_name(other, package)]
    known.save()
    return sorted(found.items())


def _data(package: str, sources: list[bytes]) -> list[tuple[str, bytes]]:
    """Files of data in a game's package which sources name, or the folder below it in which they lie; in order."""
    root = Path(next(iter(getattr(sys.modules.get(package), "__path__", ())), ""))
    text, named = b"\n".join(sources), []
    for folder, below, files in os.walk(root) if root.name else ():
        below[:] = [name for name in below if name != "__pycache__"]
        place, data = Path(folder), [file for file in files if file.endswith(_OF_DATA)]
        quoted = (f"{quote}{place.name}{quote}".encode() for quote in ("'", '"'))
        whole = bool(data) and place != root and any(name in text for name in quoted)
        for file in data:
            if whole or file.encode() in text:
                named.append((place.joinpath(file).relative_to(root).as_posix(), _read(place / file)))
    return sorted(named)


def _is_own_name(name: str, package: str) -> bool:
    """Whether a name is that of a game's own module, be it loaded or not."""
    module = sys.modules.get(name)
    return _is_own(module, package) if isinstance(module, ModuleType) else _file_of(name, package) is not None


def _file_of(name: str, package: str) -> Path | None:
    """The file of a module of a game's package that is not loaded; None if it is none."""
    root = sys.modules.get(package)
    if root is None or not name.startswith(f"{package}."):
        return None
    place = Path(root.__path__[0]).joinpath(*name.removeprefix(f"{package}.").split("."))
    files = (place.with_name(f"{place.name}.py"), place / "__init__.py")
    return next((file for file in files if file.is_file()), None)


def _is_own(module: ModuleType, package: str) -> bool:
    """Whether a module belongs to a game: neither to a library nor to the engine."""
    name = module.__name__
    if name == package or name.startswith(f"{package}."):
        return True
    if by_version(name) or name.partition(".")[0] == "playmill":
        return False
    return not _INSTALLED.intersection(Path(getattr(module, "__file__", None) or "").parts)


class _KnownImports:
    """What the sources of a package import, on disk by their hashes: to parse them takes longer than all the rest."""

    def __init__(self, package: str) -> None:
        self._disk_cache, self._name = DiskCache("imports", _PARSED_AS), package
        read = self._disk_cache.read(package)
        self._known: dict[str, list[str]] = json.loads(read) if read is not None else {}
        self._used: dict[str, list[str]] = {}

    def of(self, inside: str | None, source: bytes) -> list[str]:
        """Names that a module inside a package imports, whether or not they are modules; later, only the game's."""
        key = hashlib.sha256(f"{inside}\n".encode() + source).hexdigest()
        self._used[key] = self._known[key] if key in self._known else sorted(_imports(inside, source, self._name))
        return self._used[key]

    def save(self) -> None:
        """Saves what was found now, and forgets old sources when there are many."""
        if not self._used.keys() <= self._known.keys():
            old = self._known if len(self._known) < _MOST_KNOWN else {}
            self._disk_cache.write(self._name, json.dumps(old | self._used).encode())


def _imports(inside: str | None, source: bytes, package: str) -> set[str]:
    """Names that a source imports as it is loaded, and those of a package that its functions import."""
    try:
        queue: list[tuple[ast.AST, bool]] = [(ast.parse(source), False)]
    except (SyntaxError, ValueError):
        return set()
    wanted: set[str] = set()
    while queue:
        node, later = queue.pop()
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            base = resolve_name("." * node.level + (node.module or ""), inside)
            names = [base, *(f"{base}.{alias.name}" for alias in node.names)]
        elif isinstance(node, ast.If) and "TYPE_CHECKING" in ast.dump(node.test):
            queue += [(part, later) for part in node.orelse]
            continue
        else:
            later = later or isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda))
            queue += [(part, later) for part in ast.iter_child_nodes(node)]
            continue
        wanted.update(name for name in names if not later or name.startswith(f"{package}."))
    return wanted


def _source(module: ModuleType) -> bytes:
    """The bytes a module was made of, however its lines end; none if it has no file."""
    file = getattr(module, "__file__", None)
    loader: Any = getattr(module, "__loader__", None)
    try:
        return _lines(bytes(loader.get_data(file))) if file else b""
    except (AttributeError, OSError):
        return b""


def _read(file: Path) -> bytes:
    """The bytes of a file, however its lines end."""
    try:
        return _lines(file.read_bytes())
    except OSError:
        return b""


def _lines(source: bytes) -> bytes:
    return source.replace(b"\r\n", b"\n")
