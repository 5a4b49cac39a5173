"""Number of players and winner, as the rules of a game give them."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType
from typing import Any

import numpy as np

from playmill.engine.config.model import RuleConfig
from playmill.engine.lang.record import plain
from playmill.engine.lang.rng import SEATS
from playmill.engine.lang.rule import interpreted, rule
from playmill.engine.run.returns import Paid
from playmill.texts import PlaymillError, Text

PLAYER = tuple(Text(f"player {seat}", f"игрок {seat}") for seat in range(1, SEATS + 1))
_WINS = Text("{} has won", "победил {}")
_DRAW = Text("a draw", "ничья")
_OVER = Text("the game is over", "партия окончена")
_ALONE = (Text("the game is lost", "партия проиграна"), Text("the game is won", "партия выиграна"))


def counted_by_rules(name: str, rules: ModuleType, config: type[RuleConfig]) -> Callable[[Any, Any], int]:
    """A rule `(cfg, s)` for the number of players: a constant, or the field `players` of the config or state."""
    least: int = rules.MIN_PLAYERS
    most: int = rules.MAX_PLAYERS
    if least == most:

        @rule
        def always(cfg: Any, s: Any) -> int:
            return most

        return always
    if "players" in (config().pack(most).dtype.names or ()):

        @rule
        def of_config(cfg: Any, s: Any) -> int:
            players: int = cfg.players
            return players

        return of_config
    if "players" in (rules.State.names or ()):

        @rule
        def of_state(cfg: Any, s: Any) -> int:
            players: int = s.players
            return players

        return of_state
    raise PlaymillError(
        f"the game {name!r} is for {least} to {most} players and has no outcome.py: put the number of players into the"
        " record of the config or of the state, as `players`",
        f"в игре {name!r} от {least} до {most} игроков, а outcome.py нет: положите число игроков в запись настроек или"
        " состояния, в поле `players`",
    )


def players_in(rules: ModuleType, s: np.void) -> int | None:
    """How many play, as far as a state can tell."""
    if rules.MIN_PLAYERS == rules.MAX_PLAYERS:
        most: int = rules.MAX_PLAYERS
        return most
    return int(s["players"]) if "players" in (s.dtype.names or ()) else None


def verdict(rules: ModuleType, config: RuleConfig, s: np.void) -> Text:
    """How a finished game ended, by its returns."""
    players = players_in(rules, s)
    if players is None:
        return _OVER
    record = np.zeros(1, s.dtype)
    record[0] = s
    out = Paid([0.0] * SEATS)
    interpreted(rules.returns)(plain(config.pack(players))[0], plain(record)[0], out)
    paid = np.array(out)
    if players == 1:
        return _ALONE[int(paid[0] >= 1)]
    best = np.flatnonzero(paid[:players] == paid[:players].max())
    if len(best) > 1:
        return _DRAW
    won, gain = _WINS.format(PLAYER[best[0]]), paid[best[0]]
    return won if gain == 1 else Text.join((won, f"{gain:+g}"), ": ")
