"""Placeholders for the functions of a game, against which the loops are written.

When a game is compiled, copies of the loops are made in which these are that game's own functions (see
`game_kernels.py`): a module-level call is the only kind the compiler caches and inlines.
"""

from __future__ import annotations

from typing import Any

from playmill.engine.lang.rule import rule


@rule
def setup(cfg: Any, s: Any, rng: Any) -> None:
    """Deals a new game into a record of zeros, up to its first decision."""


@rule
def legal_actions(cfg: Any, s: Any, out: Any) -> int:
    """Writes the legal actions of `s.player` into `out.ids`, ascending, and returns their number."""
    return 0


@rule
def count_actions(cfg: Any, s: Any, out: Any) -> int:
    """The number of legal actions; a game that does not count them by itself lists them for it."""
    return legal_actions(cfg, s, out)


@rule
def nth_action(cfg: Any, s: Any, out: Any, k: int) -> int:
    """Option number k of those just counted; a game that counts by itself has an order of its own."""
    option: int = out.ids[k]
    return option


@rule
def apply_action(cfg: Any, s: Any, action: int, rng: Any) -> None:
    """Does a legal action and runs on to the next decision or the end (`s.player` = -1)."""


@rule
def takes_long(cfg: Any, s: Any, action: int) -> int:
    """0, or the kind of an action that takes long: 1 (a GPU does it while games are dealt) or 2 (by itself)."""
    return 0


@rule
def returns(cfg: Any, s: Any, out: Any) -> None:
    """Writes what the game brought each player."""


@rule
def outcome(cfg: Any, s: Any, row: Any) -> None:
    """Fills the record of a finished game."""


@rule
def tally(row: Any, agents: Any, counts: Any) -> None:
    """Adds a finished game to the running counts; `agents[seat]` is the number of the seat's agent."""


@rule
def observe(cfg: Any, s: Any, player: int, out: Any) -> None:
    """Writes what a player may see."""


@rule
def conceal(cfg: Any, s: Any, player: int, rng: Any) -> None:
    """Deals anew, fairly, what a player cannot know; a SPECTATOR knows what everybody sees, and holds nothing."""


@rule
def lose_notes(legal: Any) -> None:
    """Invalidates the notes of agents beside the list of options; `lose_no_notes` where a game has none."""
    legal.notes.kept = 0


@rule
def lose_no_notes(legal: Any) -> None:
    """Does nothing, for games without notes."""


@rule
def choose(agent: int, match: Any, workspace: Any, lookup: Any, n: int) -> int:
    """The choice of a compiled agent from the n options on the workspace; generated for each game."""
    return 0


@rule
def foresees(agent: int) -> bool:
    """Whether an agent reads streams computed ahead, as `random` may (see `rng.py`); generated for each game."""
    return False


@rule
def suggest(cfg: Any, s: Any, legal: Any, n: int, rng: Any, params: Any) -> int:
    """What the game's heuristic would choose from the n options; generated for each game."""
    return 0


@rule
def standing(cfg: Any, s: Any, out: Any) -> None:
    """Writes how a position stands for each player; a game that does not say is played to its end."""
