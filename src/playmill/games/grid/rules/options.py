"""The options of a decision in Grid: listed in ascending order, counted, or picked by number."""

from __future__ import annotations

from typing import Any

from playmill.author import (
    lowest_bit,
    nth_bit,
    nth_bit_of_byte,
    rare,
    rule,
)
from playmill.games.grid import actions as act
from playmill.games.grid import constants
from playmill.games.grid.constants import NOBODY
from playmill.games.grid.patterns.matching import matching_patterns
from playmill.games.grid.patterns.prefilter import STRETCH, changed_windows
from playmill.games.grid.rules.cards import (
    free_cells,
    nth_free_cell,
)


@rule
def legal_actions(cfg: Any, s: Any, out: Any) -> int:
    """Writes the options of the player to move, ascending; returns how many there are."""
    if s.player == NOBODY:
        return 0
    if s.kind == constants.RESOLVE:
        return _match_options(cfg, s, out)
    if s.kind == constants.APPLY:
        out.ids[0] = act.REFUSE
        out.ids[1] = act.ACCEPT
        return 2
    if s.kind == constants.REF:
        for place in range(s.discard_size):
            out.ids[place] = act.FROM_DISCARD + place
        return s.discard_size
    n = 0
    places = free_cells(cfg, s, s.active) if s.kind == constants.PLACEMENT else s.places
    while places != 0:
        out.ids[n] = act.FIRST_OPTION[s.kind] + lowest_bit(places)
        n += 1
        places &= places - 1
    return n


@rule
def count_actions(cfg: Any, s: Any, out: Any) -> int:
    """The number of legal actions."""
    return s.options if s.options > 1 else _list_actions(cfg, s, out)


@rare
def _list_actions(cfg: Any, s: Any, out: Any) -> int:
    """The same: a single place, or all that is listed."""
    return 1 if s.options == 1 else legal_actions(cfg, s, out)


@rule
def nth_action(cfg: Any, s: Any, out: Any, k: int) -> int:
    """Legal action number k; free cells are in no order."""
    if s.kind == constants.PLACEMENT:
        return act.PLACE + nth_free_cell(s, s.active, k)
    if s.kind <= constants.DRAFT_PASS:
        return act.PICK + (s.kind - constants.DRAFT_PICK) * (act.PASS - act.PICK) + nth_bit_of_byte(s.places, k)
    return _nth_of_others(s, out, k)


@rare
def _nth_of_others(s: Any, out: Any, k: int) -> int:
    """The same in all that has to do with patterns."""
    return act.FIRST_OPTION[s.kind] + nth_bit(s.places, k) if s.options != 0 else out.ids[k]


@rule
def _match_options(cfg: Any, s: Any, out: Any) -> int:
    """Every pattern in every window that was found, and none of them where the rules leave it to the player."""
    n = 0
    for first in range(0, cfg.windows, STRETCH):
        windows = changed_windows(cfg, s, s.active, first)
        while windows != 0:
            window = first + lowest_bit(windows)
            windows &= windows - 1
            found = matching_patterns(cfg, s, s.active, window)
            while found != 0:
                out.ids[n] = act.MATCH + window * constants.PATTERNS + lowest_bit(found)
                n += 1
                found &= found - 1
    if cfg.auto_trigger == 0:
        out.ids[n] = act.NO_MATCH
        n += 1
    return n
