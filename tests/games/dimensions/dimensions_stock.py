"""What Battle of Dimensions lends to the tests of every game."""

from __future__ import annotations

from dimensions_games import ALONE, BASELINE, RUN, counts
from dimensions_steps import BASELINE as PLAIN
from dimensions_steps import EPIC, played
from hypothesis import strategies as st

from common.reports import Counted
from common.stock import Stock
from playmill.games.dimensions.config import Config

#: Texts that are no actions, with what is said of them.
WRONG = (
    ("", "actions look like 'put G 2'", "действия выглядят так: 'put G 2'"),
    ("putting", "actions look like 'put G 2'", "действия выглядят так"),
    ("put Q 2", "cards are R, G, Y, P, B", "карты: R, G, Y, P, B"),
    ("put G 6", "Dimensions are 1 … 5", "Измерения: 1 … 5"),
    ("move R 2>2", "it must be another Dimension", "нужно другое Измерение"),
    ("entangle R-R", "pairs are R-G, R-Y", "пары: R-G, R-Y"),
    ("attack R>R", "no squad attacks itself", "отряд не атакует сам себя"),
    ("attack P>aura", "purple does not attack Auras", "фиолетовые не атакуют Ауры Тьмы"),
)

STOCK = Stock(
    "dimensions",
    wrong=WRONG,
    secret=True,
    configs=(Config.read({"cards_per_faction": 3, "blue_values": [7, 7, 999]}), PLAIN, EPIC),
    games=played,
    nearly=st.from_regex(r"(play|put|move|attack) [RGYBPaur0-9 >@-]{0,9}", fullmatch=True),
    words_over=lambda name, width: 11,
    runs=lambda: [Counted(run, counts()) for run in (RUN, ALONE, BASELINE)],
)
