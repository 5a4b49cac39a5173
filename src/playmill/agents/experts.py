"""`expert`: the agent that plays a game best; where its folder has a network for as many players, by that.

The network is the file `expert.npz` in the game's folder: that of an author's game, too. Its array `plays` says how it
is used, `search:iterations=400` or the like; without it the network plays alone, as by `net:FILE`.
"""

from __future__ import annotations

from pathlib import Path

from playmill.agents import networks
from playmill.engine.contract.game import Game, folder_of
from playmill.texts import Text

NAME = "expert"
ABOUT = Text(
    "plays best: search with a network that was trained for this game",
    "играет лучше всех: search с сетью, обученной этой игре",
)
#: The file of the network in a game's folder.
FILE = "expert.npz"
#: Who is the expert where no network was trained.
_SEARCH = "search:iterations=1000"


def has_expert(game: Game, players: int | None = None) -> bool:
    """Whether a network was trained for a game; if so many play."""
    place = _place(game)
    if not place.is_file():
        return False
    seats, _ = networks.read_use(place, FILE)
    return players is None or seats in (0, players)


def expert_spec(game: Game, players: int) -> str:
    """Returns the spec of the agent that plays a game best if so many play."""
    if not has_expert(game, players):
        return _SEARCH
    place = _place(game)
    _, plays = networks.read_use(place, FILE)
    return f"{plays},net={place}" if plays else f"{networks.PREFIX}{place}"


def _place(game: Game) -> Path:
    return folder_of(game) / FILE
