"""What Save Oneself lends to the tests of every game."""

from __future__ import annotations

from collections.abc import Mapping

from hypothesis import strategies as st
from save_oneself_games import RUN, counted, games
from save_oneself_scenes import DEFAULT, LONG, options, played, set_up

from common.reports import Counted
from common.stock import Scene, Stock
from playmill.games.save_oneself import constants
from playmill.games.save_oneself.constants import NOBODY, SIDE_IDS

FULL = """
vines hook water flint
palm-trees sticks bottle higher-ground*
telescope rocks pig storm
sea-serpent pirates map-r map-c
"""
TURNED = """
shelter fish waterfall torch
coconuts spear message lit-beacon*
ship-sighted sos meat storm
sea-serpent compass rum treasure
"""


def positions() -> Mapping[str, Scene]:
    kept = [(config, step[0]) for config, _, steps in played() for step in steps]
    made = {
        "first": (DEFAULT, set_up("higher-ground*")),
        "full": (DEFAULT, set_up(FULL, ship="NE")),
        "turning": (DEFAULT, set_up(FULL, ship="SW", waiting=True, turning=True)),
        "turned": (DEFAULT, set_up(TURNED, ship="NW", ship_at=(2, 4))),
        "corner": (DEFAULT, set_up(TURNED, ship="SE", ship_at=(7, 2))),
        "many lives": (LONG, set_up("rocks telescope*", config=LONG, lives=33)),
        "most to click": max(kept, key=lambda found: len(options(*found))),
        "won": (DEFAULT, set_up(TURNED, ship="SW", ship_at=(5, 2), player=NOBODY, ending=constants.BY_BEACON)),
    }
    for corner, at in (("NE", (8, 7)), ("SE", (7, 1)), ("SW", (1, 2)), ("NW", (2, 8))):
        gone = set_up(TURNED, ship=corner, ship_at=at, player=NOBODY, ending=constants.SHIP_GONE)
        made[f"gone {corner}"] = (DEFAULT, gone)
    return {name: Scene(config, 1, s) for name, (config, s) in made.items()}


def runs() -> list[Counted]:
    """The games by hand, and with every card turned in three of them."""
    all_turned = games()
    all_turned["turned"][:3] = 1
    return [Counted(RUN, counted(games())), Counted(RUN, counted(all_turned))]


#: Texts that are no actions, with what is said of them.
WRONG = (
    ("", "actions look like 'n', 'e', 's', 'w'", "действия выглядят так: 'n', 'e', 's', 'w'"),
    ("north", "actions look like", "действия выглядят так"),
    ("rocks", "'turn rocks' (turn a card over)", "'turn rocks' (перевернуть карту)"),
    ("turn", "the cards that can be turned over are vines, hook,", "карты, которые можно перевернуть: vines, hook,"),
    ("turn stone", "the cards that can be turned over are vines, hook,", "карты, которые можно перевернуть: vines,"),
    ("turn storm", "Storm turns over by itself only", "«Шторм» переворачивается только сама собой"),
    ("turn compass", "Pirates turns over by itself only", "«Пираты» переворачивается только сама собой"),
)

STOCK = Stock(
    "save_oneself",
    wrong=WRONG,
    games=played,
    respelt=lambda short: [f"  {' '.join(short.upper())}\n", short.replace("-", " "), short.replace("-", "_")],
    nearly=st.sampled_from(SIDE_IDS).map(lambda side: f"turn {side[1:]}"),
    endless=("x" * 1_000_000, "turn " + "1" * 1_000_000),
    same=frozenset({"", "SOS", "“{}”"}),
    latin="SOS",
    spoken=("names", "words", "story", "tale", "board", "panels", "drawing", "view"),
    secret=True,
    positions=positions,
    drawn=".board",
    stays_within=(".board", ".board > rect"),
    words_over=lambda name, width: 11 if width == 1100 else 10,
    drawn_over=lambda name, width: 11 if width == 1100 else 6.4,
    runs=runs,
    table_widths=(80, 120),
)
