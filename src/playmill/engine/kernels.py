"""Compiled loops of a game, kept on disk under a name made of their content, so that old rules can never run."""

from __future__ import annotations

import hashlib
import importlib.util
import os
import re
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import cache
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import llvmlite.binding
import numpy as np

from playmill.engine import loops, slots
from playmill.engine.game import Game
from playmill.engine.random_agent import RANDOM
from playmill.engine.record import plain
from playmill.engine.rng import SEATS, Luck, Whims
from playmill.engine.rule import fingerprint, interpreted, is_rule, numba_config, python_function

#: Compiled code of rules that have since changed is deleted after this many days without use.
_KEEP_DAYS = 30
_SLOTS_IMPORT = re.compile(r"from playmill\.engine\.slots import \(.*?\)\n", re.DOTALL)
ROOTS = (
    "play_games",
    "tally_rows",
    "start_game",
    "step_game",
    "list_options",
    "agent_choice",
    "random_choice",
    "count_and_pick",
    "finish_game",
    "see",
    "hide",
    "pay",
    "reset_batch",
    "step_batch",
)
#: Most numbers an agent can be given.
PARAMETERS = 8


@cache
def desk_type(game: Game) -> np.dtype[np.void]:
    """The record one game is played on (see `loops.py`)."""
    legal = np.dtype([("ids", np.int32, (game.max_legal,))])
    return np.dtype(
        [
            ("cfg", game.config().pack(game.players[1]).dtype),
            ("states", game.state, (3,)),
            ("luck", Luck),
            ("guess", Luck),
            ("whims", Whims),
            ("seats", np.int32, (SEATS,)),
            ("agents", np.int32, (SEATS,)),
            ("starts", np.int64, (SEATS,)),
            ("params", np.dtype([("value", np.float64, (SEATS, PARAMETERS))])),
            ("legal", legal),
        ],
        align=True,
    )


def cache_folder() -> Path:
    """Where compiled rules are kept: PLAYMILL_CACHE, else the user's cache folder; a temporary one if unwritable."""
    wanted = os.environ.get("PLAYMILL_CACHE")
    base = os.environ.get("XDG_CACHE_HOME")
    folder = Path(wanted) if wanted else (Path(base) if base else Path.home() / ".cache") / "playmill"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            return folder
    except OSError:
        fallback = Path(tempfile.gettempdir()) / f"playmill-{os.getuid() if hasattr(os, 'getuid') else 'user'}"
        fallback.mkdir(mode=0o700, parents=True, exist_ok=True)
        return fallback


def agent_numbers(game: Game) -> dict[str, int]:
    """The number under which each compiled agent of a game is known to its loops."""
    return {name: number for number, name in enumerate(game.agents)}


@cache
def _inline_deeply() -> None:
    """Lets LLVM put a game's rules into one piece: calls between them cost as much as the rules themselves."""
    llvmlite.binding.set_option("playmill", "-inline-threshold=2000")


@cache
def kernels_of(game: Game) -> Any:
    """The loops of a game, each compiled for the CPU on first use or read from the cache."""
    if numba_config.DISABLE_JIT:
        return interpreted_kernels(game)
    _inline_deeply()
    return _loops_for(game)


@cache
def interpreted_kernels(game: Game) -> Any:
    """The loops of a game run by the Python interpreter: the same names, the same results, no compiler."""
    return by_interpreter(_loops_for(game), ROOTS)


def by_interpreter(module: ModuleType, names: Collection[str]) -> Any:
    """Roots of a generated module as the Python interpreter runs them."""
    return SimpleNamespace(**{name: _on_plain_records(getattr(module, name)) for name in names})


def _on_plain_records(function: Callable[..., Any]) -> Callable[..., Any]:
    twin = interpreted(function)
    return lambda *args: twin(*(plain(arg) if isinstance(arg, np.ndarray) else arg for arg in args))


@cache
def _loops_for(game: Game) -> ModuleType:
    return load_generated(game, "cpu", with_roots(specialised(game, game.agents), ROOTS))


def with_roots(text: str, names: Collection[str]) -> str:
    """The text of a module in which these rules are roots: called from Python, kept on disk."""
    for name in names:
        text = text.replace(f"@rule\ndef {name}(", f"@root\ndef {name}(")
    return re.sub(r"(from playmill\.engine\.rule import .*)\brule\n", r"\1root, rule\n", text, count=1)


def specialised(game: Game, agents: Collection[str]) -> str:
    """The text of `loops.py` in which the slots are the game's own functions and `choose` knows these agents."""
    numbers = agent_numbers(game)
    lines, branches = [], []
    for name in agents:
        lines.append(import_line(game.agents[name].choose, f"_agent_{numbers[name]}"))
        branches.append(f"    if agent == {numbers[name]}:")
        if game.agents[name] is RANDOM:
            branches.append("        k = below(desk.whims, desk.states[0].player, n)")
            branches.append("        return nth_action(desk.cfg, desk.states[0], desk.legal, k)")
            continue
        if reads_list(game, name):
            branches.append("        legal_actions(desk.cfg, desk.states[0], desk.legal)")
        state = "desk.states[0]"
        if not game.agents[name].honest:
            state = "desk.states[1]"
            branches.append("        _conceal(desk)")
        known = ", pages[desk.starts[desk.states[0].player] :]" if game.agents[name].knows else ""
        branches.append(
            f"        return _agent_{numbers[name]}(desk.cfg, {state}, desk.legal, n, desk.whims, desk.params{known})"
        )
    lines += ["from playmill.engine.rng import next_word", "", "", *_CONCEAL, "", "", *_CHOOSE, *branches]
    return fill_slots(loops, game, [*lines, "    return desk.legal.ids[0]", ""])


def fill_slots(template: ModuleType, game: Game, lines: Collection[str]) -> str:
    """The text of a module written against `slots.py` in which they are the game's own functions; then more lines."""
    # A game that does not count its options lists them, and they are picked from the list.
    listing = {"count_actions": game.rules["legal_actions"], "nth_action": slots.nth_action}
    rules = [import_line(function, slot) for slot, function in {**listing, **game.rules}.items()]
    assert template.__file__
    text = Path(template.__file__).read_text(encoding="utf-8")
    made, found = _SLOTS_IMPORT.subn("\n".join([*rules, *lines]), text)
    assert found == 1, f"{template.__name__} must import its slots in one parenthesised statement"
    return made


def import_line(function: Callable[..., Any], name: str) -> str:
    """The statement that imports a rule under a name."""
    plain = python_function(function)
    return f"from {plain.__module__} import {plain.__name__} as {name}"


def reads_list(game: Game, agent: str) -> bool:
    """Whether the options, counted only so far, must be listed for an agent."""
    return "count_actions" in game.rules and game.agents[agent].lists


_CONCEAL = (
    "@rule",
    "def _conceal(desk):",
    "    player = desk.states[0].player",
    "    desk.states[1] = desk.states[0]",
    "    desk.guess.stream[0] = next_word(desk.whims, player)",
    "    conceal(desk.cfg, desk.states[1], player, desk.guess)",
)
_CHOOSE = ("@rule", "def choose(agent, desk, pages, n):")


def load_generated(
    game: Game,
    flavour: str,
    text: str,
    names: Mapping[str, Any] | None = None,
    template: ModuleType = loops,
    more: Sequence[Callable[..., Any]] = (),
) -> ModuleType:
    """Imports a module made from a template, from a folder named by the content of everything it is made of."""
    rules = [*game.rules.values(), *(agent.choose for agent in game.agents.values()), *more]
    rules += [value for value in vars(template).values() if is_rule(value)]
    key = hashlib.sha256((text + fingerprint(*rules)).encode()).hexdigest()[:20]
    folder = cache_folder() / f"{game.name}-{flavour}-{key}"
    path = folder / "loops.py"
    if not path.exists():
        _forget_old(folder.parent)
        folder.mkdir(parents=True, exist_ok=True)
        draft = folder / f"loops.{os.getpid()}.tmp"
        draft.write_text(text, encoding="utf-8")
        draft.replace(path)
    else:
        os.utime(folder)
    name = f"playmill_compiled.{game.name}_{flavour}_{key}"
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    module.__dict__.update(names or {})
    spec.loader.exec_module(module)
    return module


def _forget_old(folder: Path) -> None:
    """Deletes compiled code that nobody has used for a month."""
    limit = time.time() - _KEEP_DAYS * 86400
    for old in folder.glob("*-*-*/loops.py"):
        if old.parent.stat().st_mtime < limit:
            shutil.rmtree(old.parent, ignore_errors=True)
