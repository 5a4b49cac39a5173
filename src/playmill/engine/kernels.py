"""What of a game is compiled: `loops.py` with the game's own functions in it, kept on disk once compiled."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from functools import cache, partial
from importlib import import_module
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import numpy as np

from playmill.engine import loops, slots
from playmill.engine.agent import RuleFunction
from playmill.engine.endless import watched
from playmill.engine.entries import INLINING, Root
from playmill.engine.fingerprint import fingerprint
from playmill.engine.game import Game, folder_of, is_shipped
from playmill.engine.keeping import Shelf
from playmill.engine.mistakes import of_compiler, of_interpreter
from playmill.engine.random_agent import RANDOM
from playmill.engine.record import plain
from playmill.engine.rng import SEATS, Foreseen, Luck, Whims
from playmill.engine.rule import interpreted
from playmill.engine.sources import module_of_text
from playmill.streams import doing, told_if_long
from playmill.texts import PlaymillError, Text, user_language

_SLOTS_IMPORT = re.compile(r"from playmill\.engine\.slots import \(.*?\)\n", re.DOTALL)
_COMPILING = Text(
    "compiling {} for the first time; this takes up to half a minute, once",
    "компилирую «{}» в первый раз: до полуминуты, и больше не понадобится",
)
_COMPILES = Text("compiling the rules (once)", "компилирую правила (один раз)")
#: Most numbers an agent can be given.
PARAMETERS = 8


@cache
def desk_type(game: Game) -> np.dtype[np.void]:
    """The record one game is played on (see `loops.py`).

    The game being played comes first: a processor finds without further reckoning what is near the beginning.
    """
    return np.dtype(
        [
            ("states", game.state, (3,)),
            ("cfg", game.config().pack(game.players[1]).dtype),
            ("luck", Luck),
            ("guess", Luck),
            ("whims", Whims),
            ("ahead", Foreseen, (SEATS,)),  # the same for `random`, whose next words are foreseen
            ("seats", np.int32, (SEATS,)),
            ("agents", np.int32, (SEATS,)),
            ("starts", np.int64, (SEATS,)),
            ("entries", np.int64, (SEATS,)),  # where the machine code of each seat's agent begins (see `compiled.py`)
            ("params", np.dtype([("value", np.float64, (SEATS, PARAMETERS))])),
            ("slips", np.int64),  # answers of agents that cannot be
            ("slip", np.int64),  # the last of them
            ("legal", game.options),
        ],
        align=True,
    )


@cache
def played_part(game: Game) -> np.dtype[np.void]:
    """The part of a desk that changes while a game is played on it: what else is there, a match can share."""
    desk = desk_type(game)
    kept = [(name, desk[name]) for name in ("luck", "guess", "whims", "legal", "slip", "slips")]
    return np.dtype([("states", game.state, (loops.BLANK,)), *kept], align=True)


def as_played(game: Game, agents: Collection[str]) -> Game:
    """The game without room for notes if all these agents are `random`, which takes none: for thousands of desks."""
    return game if any(game.agents[name] is not RANDOM for name in agents) else _without_notes(game)


@cache
def _without_notes(game: Game) -> Game:
    return replace(game, notes=None)


def agent_numbers(game: Game) -> dict[str, int]:
    """The number under which each compiled agent of a game is known to its loops."""
    return {name: number for number, name in enumerate(game.agents)}


def by_interpreter(game: Game, module: ModuleType, names: Collection[str]) -> Any:
    """Roots of a module generated for a game as the Python interpreter runs them.

    What goes wrong in the game's own files is told in one sentence, with its place.
    """
    return SimpleNamespace(**{name: _on_plain_records(game, getattr(module, name)) for name in names})


def _on_plain_records(game: Game, function: Callable[..., Any]) -> Callable[..., Any]:
    twin = interpreted(function)
    if not is_shipped(game):
        twin = watched(twin, folder_of(game))

    def run_or_tell(*args: Any) -> Any:
        try:
            return twin(*(plain(arg) if isinstance(arg, np.ndarray) else arg for arg in args))
        except PlaymillError:
            raise
        except Exception as error:
            mistake = of_interpreter(error, folder_of(game))
            if mistake is None:
                raise
            raise mistake from error

    return run_or_tell


def with_roots(text: str, names: Collection[str]) -> str:
    """The text of a module in which these rules are roots: called from Python, kept on disk."""
    for name in names:
        text = text.replace(f"@rule\ndef {name}(", f"@root\ndef {name}(")
    asking = "from playmill.engine.rule import "
    return text.replace(asking, f"from playmill.engine.entries import root\n{asking}", 1)


def specialised(
    game: Game,
    agents: Collection[str],
    template: ModuleType = loops,
    *,
    strict: bool = False,
    apart: bool = False,
    foresees: bool = False,
) -> str:
    """The text of `loops.py`, or of another template, in which the slots are the game's own functions.

    Its `choose` knows these agents, and answers with -1 for an agent whose answer is no action of the game; a `strict`
    one does for every answer that is not among the options. If there are others, compiled `apart` (see `compiled.py`),
    it knows their addresses. Where words are foreseen (see `foreseen_below`), `random` takes those.
    """
    numbers = agent_numbers(game)
    branches = []
    foreseeing = [numbers[name] for name in agents if foresees and game.agents[name] is RANDOM]
    for name in agents:
        branches.append(f"    if agent == {numbers[name]}:")
        lines = answering(game, name, f"_agent_{numbers[name]}", "match", foresees=foresees)
        if game.agents[name] is not RANDOM:
            lines.append("return _accepted(match, desk, action)")
        branches += [f"        {line}" for line in lines]
    head = [
        "from playmill.engine.rng import below, foreseen_below, next_word",
        "",
        f"_ACTIONS = {game.actions}",
        "",
        "",
        *CONCEALING,
        "",
        "",
        "@rule",
        "def foresees(agent):",
        f"    return {' or '.join(f'agent == {number}' for number in foreseeing) or False}",
        "",
        "",
    ]
    lines = [*head, *_ACCEPTED, *(_LISTED if strict else _KNOWN), "", "", *_CHOOSE, *branches]
    return fill_slots(template, [*lines, *(_BY_ADDRESS if apart else _NOBODY), ""])


def answering(game: Game, name: str, function: str, match: str, *, foresees: bool = False) -> list[str]:
    """The lines in which an agent, under the name of its function, answers with an `action`; `random` returns it."""
    if game.agents[name] is RANDOM:
        below = "foreseen_below(desk.ahead[{}], n)" if foresees else "below(desk.whims, {}, n)"
        chance = f"k = {below.format('desk.states[0].player')}"
        return [chance, f"return nth_action({match}.cfg, desk.states[0], desk.legal, k)"]
    lines, state = [], "desk.states[0]"
    if reads_list(game, name):
        lines.append(f"legal_actions({match}.cfg, desk.states[0], desk.legal)")
    if not game.agents[name].honest:
        state = "desk.states[1]"
        lines.append(f"_conceal({match}, desk)")
    known = f", pages[{match}.starts[desk.states[0].player] :]" if game.agents[name].knows else ""
    given = f"{match}.cfg, {state}, desk.legal, n, desk.whims, {match}.params{known}"
    return [*lines, f"action = {function}({given})"]


def functions_of(game: Game, agents: Collection[str] = ()) -> dict[str, RuleFunction]:
    """The game's own functions under the names that the loops, and `choose`, call them by."""
    numbers = agent_numbers(game)
    chosen = {f"_agent_{numbers[name]}": game.agents[name].choose for name in agents}
    # A game that does not count its options lists them, and they are picked from the list.
    listing = {"count_actions": game.rules["legal_actions"], "nth_action": slots.nth_action}
    quick = {"takes_long": slots.takes_long}
    losing = {"lose_notes": slots.lose_no_notes if game.notes is None else slots.lose_notes}
    return {**listing, **quick, **losing, **game.rules, **chosen}


def fill_slots(template: ModuleType, lines: Collection[str]) -> str:
    """The text of a module written against `slots.py` with these lines in place of them: `load_generated` has them."""
    assert template.__file__
    text = Path(template.__file__).read_text(encoding="utf-8")
    made, found = _SLOTS_IMPORT.subn(lambda _: "\n".join(lines), text)
    assert found == 1, f"{template.__name__} must import its slots in one parenthesised statement"
    return made


def reads_list(game: Game, agent: str) -> bool:
    """Whether the options, counted only so far, must be listed for an agent."""
    return "count_actions" in game.rules and game.agents[agent].lists


CONCEALING = (
    "@rule",
    "def _conceal(match, desk):",
    "    player = desk.states[0].player",
    "    desk.states[1] = desk.states[0]",
    "    desk.guess.stream[0] = next_word(desk.whims, player)",
    "    conceal(match.cfg, desk.states[1], player, desk.guess)",
)
_ACCEPTED = ("@rule", "def _accepted(match, desk, action):")
_KNOWN = (
    "    if 0 <= action < _ACTIONS:",
    "        return action",
    "    desk.slip = action",
    "    return -1",
)
_LISTED = (
    "    n = legal_actions(match.cfg, desk.states[0], desk.legal)",
    "    for k in range(n):",
    "        if desk.legal.ids[k] == action:",
    "            return action",
    "    desk.slip = action",
    "    return -1",
)
_BY_ADDRESS = (
    "    player = desk.states[0].player",
    "    action = ask_at(match.entries[player], desk, pages.ctypes.data, pages.shape[0], n)",
    "    return _accepted(match, desk, action)",
)
_NOBODY = ("    return desk.legal.ids[0]",)
_CHOOSE = ("@rule", "def choose(agent, match, desk, pages, n):")


def load_generated(game: Game, flavour: str, text: str, names: Mapping[str, Any]) -> ModuleType:
    """Imports a module from its text, in which these names are already there."""
    content = repr((text, [(name, getattr(thing, "__qualname__", "")) for name, thing in names.items()]))
    name = f"playmill_compiled.{game.name}_{flavour}_{hashlib.sha256(content.encode()).hexdigest()[:20]}"
    return module_of_text(name, text, names)


def keep_roots(
    game: Game,
    flavour: str,
    module: ModuleType,
    names: Collection[str],
    flags: tuple[Any, ...] = (),
    keep: Callable[[Any, Shelf], None] | None = None,
) -> None:
    """Lets roots of a generated module be compiled once, however many processes ask for them: old rules never run.

    Other kinds of roots than those of the processor are told of their shelf by `keep`.
    """
    roots = [getattr(module, name) for name in names]
    shelf = Shelf(f"{game.name}-{flavour}", fingerprint(*roots, flags=(INLINING, *flags)))
    for root in roots:
        if keep is not None:
            keep(root, shelf)
        else:
            assert isinstance(root, Root)
            root.keep(shelf, partial(_told, game))


@contextmanager
def _told(game: Game) -> Iterator[None]:
    """Compiling: whoever waits for it is told, and what it cannot do is said in one sentence, at its place."""
    doing(_COMPILES)
    try:
        with told_if_long(_COMPILING.of(user_language()).format(game.title.of(user_language()))):
            yield
    except (import_module("numba.core.errors").NumbaError, NotImplementedError) as error:
        raise of_compiler(error, folder_of(game)) from None
    except (ValueError, TypeError) as error:  # of an author's rules the compiler may also say so what it cannot do
        if isinstance(error, PlaymillError) or is_shipped(game):
            raise
        raise of_compiler(error, folder_of(game)) from error
