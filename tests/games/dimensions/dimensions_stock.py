"""What Battle of Dimensions lends to the tests of every game."""

from __future__ import annotations

from dimensions_games import ALONE, BASELINE, RUN, counts
from dimensions_steps import BASELINE as PLAIN
from dimensions_steps import EPIC, played
from hypothesis import strategies as st

from common.reports import Counted
from common.stock import Stock
from playmill.games.dimensions.config import Config

STOCK = Stock(
    "dimensions",
    secret=True,
    configs=(Config.read({"cards_per_faction": 3, "blue_values": [7, 7, 999]}), PLAIN, EPIC),
    games=played,
    nearly=st.from_regex(r"(play|put|move|attack) [RGYBPaur0-9 >@-]{0,9}", fullmatch=True),
    words_over=lambda name, width: 11,
    runs=lambda: [Counted(run, counts()) for run in (RUN, ALONE, BASELINE)],
)
