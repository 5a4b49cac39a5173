"""`levels_of`: the agents that stand for beginners, good players and experts of a game."""

from __future__ import annotations

from playmill.agents import experts
from playmill.agents.agent_specs import Seat, seats_for
from playmill.agents.search import search_agent
from playmill.engine.config.model import RuleConfig
from playmill.engine.contract.game import Game
from playmill.engine.contract.levels import EXPERTS, NAMES, Level

#: Who plays best where a game has no expert of its own: at some games a second.
_THINKING = f"{search_agent.NAME}:iterations=100"


def levels_of(game: Game, config: RuleConfig | None = None, *, changing: bool = False) -> tuple[Level, ...]:
    """Returns the levels of a game from beginners to experts; where two would be one agent, the first of them.

    What the game's module `levels` does not name is as usual: `random`, the agent `search` plays on by, and the
    strongest there is. Where rules are to be changed, whom it names as an expert by these may be none by others:
    `expert` is, by any.
    """
    usual = {"beginners": "random", "good": game.search.rollout, EXPERTS: strongest(game, config)}
    named = dict(experts.own_levels(game, config or game.config()))
    if changing and experts.NAME not in game.agents:
        named.pop(EXPERTS, None)
    agents = usual | named
    found: dict[str, Level] = {}
    for key in NAMES:
        found.setdefault(agents[key], Level(key, agents[key]))
    return tuple(found.values())


def compiled_expert(game: Game, players: int, config: RuleConfig) -> Seat | None:
    """Returns the strongest agent if it is compiled, and so answers at a glance; None where it has to think."""
    seat = seats_for(game, players, [strongest(game, config)], config)[0]
    return seat if seat.compiled else None


def strongest(game: Game, config: RuleConfig | None = None) -> str:
    """Returns the agent that plays a game best: its `expert`, if it has one of its own, else `search`."""
    return experts.NAME if experts.has_expert(game, config) else _THINKING
