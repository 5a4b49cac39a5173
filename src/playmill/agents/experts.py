"""`expert`: the agent that plays a game best of those that answer at once.

Where the game's module `levels` names an agent for experts, as one that has solved the game, it is that; else, where
the folder has a network for as many players that has learned these very rules, that; else the `search` that the game's
plan names (`SearchPlan.expert`).

The network is the file `expert.npz` in the game's folder: that of an author's game, too. Its array `plays` says how it
is used, `search:iterations=400` or the like; without it the network plays alone, as by `net:FILE`. Its array `settings`
says by which rules it has learned: as JSON, what differs from the usual ones; without it, by the usual ones.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from playmill.agents import networks
from playmill.engine.config.model import RuleConfig
from playmill.engine.contract.agent import SearchPlan
from playmill.engine.contract.game import Game, folder_of
from playmill.engine.contract.levels import EXPERTS, check_levels
from playmill.texts import Text

NAME = "expert"
ABOUT = Text(
    "plays best: as the game is solved, by search with a network trained for these rules, or by the best search alone",
    "играет лучше всех: по решению игры, поиском с сетью, обученной этим правилам, или лучшим поиском без неё",
)
#: The file of the network in a game's folder.
FILE = "expert.npz"


def has_expert(game: Game, config: RuleConfig | None = None) -> bool:
    """Returns whether the expert of a game by these rules is another agent than the usual `search`."""
    named = EXPERTS in own_levels(game, config or game.config())
    return named or _place(game).is_file() or game.search.expert != SearchPlan().expert


def takes_file(game: Game, config: RuleConfig) -> bool:
    """Returns whether a network in the game's folder is its expert by these rules: the game names no other."""
    return NAME not in game.agents and EXPERTS not in own_levels(game, config)


def expert_spec(game: Game, players: int, config: RuleConfig | None = None) -> str:
    """Returns the spec of the agent that plays a game best with n players by these rules; the usual ones if None."""
    config = config or game.config()
    if named := own_levels(game, config).get(EXPERTS):
        return named
    place = _place(game)
    if not place.is_file():
        return game.search.expert
    use = networks.read_use(place, FILE)
    if use.seats not in (0, players) or not use.covers(config):
        return game.search.expert
    return f"{use.plays}{',' if ':' in use.plays else ':'}net={place}" if use.plays else f"{networks.PREFIX}{place}"


def own_levels(game: Game, config: RuleConfig) -> Mapping[str, str]:
    """Returns the agents by level that the game's module `levels` names."""
    return {} if game.levels is None else check_levels(game.name, game.levels.levels(config))


def _place(game: Game) -> Path:
    return folder_of(game) / FILE
