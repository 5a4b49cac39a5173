"""What Influence lends to the tests of every game."""

from __future__ import annotations

import re
from collections.abc import Mapping

from hypothesis import strategies as st
from influence_games import ALONE, ONE_EACH, RUN, SIX, counts_of
from influence_scenes import GAMES, LARGE, SMALL, SWITCHED, TALL, WIDE, played, set_up

from common.reports import Counted
from common.stock import Scene, Stock
from playmill.games.influence.config import Config
from playmill.games.influence.constants import DEFENDING, NOBODY
from playmill.games.influence.words.names import players_of


def scene(made: tuple[Config, object]) -> Scene:
    config, s = made
    return Scene(config, players_of(s), s)


def busiest(config: Config, players: int, phase: int, most: int = 700) -> Scene:
    """The position of a game with the most to click."""
    steps = [step for step in played(config, players, 2, most).steps if step[0]["phase"] == phase]
    return Scene(config, players, max(steps, key=lambda step: len(step[1]))[0])


def positions() -> Mapping[str, Scene]:
    results = (99_999, 88_888, 77_777, 66_666, 55_555, 44_444)
    return {
        "two": scene(set_up("A3 - B2!\n- A2 -")),
        "defence": busiest(SMALL, 2, DEFENDING),
        "six": busiest(SMALL, 6, 0),
        "large": busiest(LARGE, 6, 0),
        "large defence": busiest(LARGE, 4, DEFENDING),
        "wide": busiest(WIDE, 5, 0),
        "tall": busiest(TALL, 3, 0),
        "won": scene(set_up("A3 A2 -", player=NOBODY, winner=0)),
        "limit": scene(set_up("A3 B2 C1 D1\nE2 F2 - -", 6, player=NOBODY, winner=0, ended_by_limit=1, result=results)),
        "hostile": scene(set_up("A3 B2", name="</text><script>" + "W" * 40)),
    }


def means(text: str, short: str) -> bool:
    """Whether both name the same numbers."""
    return re.findall("[0-9]+", short) == [str(int(digits)) for digits in re.findall("[0-9]+", text)]


#: Texts that are no actions, with what is said of them.
WRONG = (
    ("", "actions look like 'a2.3e'", "действия выглядят так: 'a2.3e'"),
    ("attack", "actions look like 'a2.3e'", "действия выглядят так"),
    ("a2e", "actions look like 'a2.3e'", "действия выглядят так"),
    ("a².3e", "actions look like 'a2.3e'", "действия выглядят так"),
    ("a2.3", "directions are e, se, sw, w, nw, ne", "направления: e, se, sw, w, nw, ne"),
    ("a2.3n", "directions are e, se, sw, w, nw, ne", "направления: e, se,"),
    ("+2.3e", "a point goes to a cell, without a direction", "очку нужна клетка, а не направление"),
    ("a9.0e", "rows of the map are 0 … 3, columns 0 … 3", "ряды карты: 0 … 3, столбцы: 0 … 3"),
    ("+0.4", "rows of the map are 0 … 3, columns 0 … 3", "ряды карты: 0 … 3"),
    ("+99999999999999999999.4", "rows of the map are 0 … 3", "ряды карты: 0 … 3"),
    ("+1.1", "1.1 is a hole of the map", "на месте 1.1 в карте дыра"),
    ("a2.3e", "there is no cell east of 2.3", "от 2.3 на восток клетки нет"),
    ("a0.0nw", "there is no cell north-west of 0.0", "от 0.0 на северо-запад клетки нет"),
    ("a1.0e", "there is no cell east of 1.0", "от 1.0 на восток клетки нет"),
)

STOCK = Stock(
    "influence",
    wrong=WRONG,
    files=frozenset({"map"}),
    configs=(LARGE, WIDE, TALL, SWITCHED, SMALL),
    games=lambda: [played(config, players, seed) for seed, (config, players) in enumerate(GAMES)],
    respelt=lambda short: [f"  {' '.join(short.replace('.', ',').upper())} "],
    nearly=st.from_regex(r"[aа+A]? ?[0-9]{0,3}[.,]?[0-9]{0,3}(e|se|sw|w|nw|ne|x|Е)?", fullmatch=True),
    means=means,
    endless=("x" * 1_000_000, "a" + "1" * 1_000_000 + ".1e", "+1." + "1" * 1_000_000),
    latin="hand-made",
    positions=positions,
    drawn=".field",
    sized=".field [font-weight='700'] > text",
    words_over=lambda name, width: 11 if width == 1100 else 10,
    drawn_over=lambda name, width: 8 if width == 1100 else 2.5 if name == "wide" else 8.5,
    runs=lambda: [Counted(run, counts_of(run)) for run in (RUN, ALONE, ONE_EACH, SIX)],
    table_widths=(80, 120),
)
