"""What Dice lends to the tests of every game."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from dice_matches import ALONE, RICH_RUN, RUN, counted, matches, rich_matches
from dice_scenes import PLAIN, RICH, content, entry, logged, played, roll_of, table
from hypothesis import strategies as st

from common.reports import Counted
from common.stock import Scene, Stock
from playmill.games.dice.config import Config
from playmill.games.dice.constants import EFFECTS, NOBODY
from playmill.games.dice.rules.effects import BUSTED, NOTED, SHIELDED, THREW


def hostile() -> Config:
    return content(en="</text><script>&\"'", ru="<b>&\"'")


def full() -> tuple[Config, np.void]:
    """A match with as much content as there can be, in long words."""
    said: Any = {"en": "W" * 40, "ru": "Щ" * 40}
    long: Any = {"en": "W" * 200, "ru": "Щ " * 99 + "Щ"}
    short: Any = {"en": "W" * 60, "ru": "Щ" * 60}
    items = [
        {
            "id": f"item_{n}",
            "name": said,
            "desc": long,
            "type": "active",
            "cooldown_turns": 100,
            "effect": {"add": 10000},
            "notification": short,
        }
        for n in range(16)
    ]
    modifiers = [
        {"id": f"modifier_{n}", "name": said, "desc": long, "trigger": "on_roll", "effect": {"add": 1}, "note": short}
        for n in range(8)
    ]
    config = Config.read(
        {
            "target_score": 1_000_000,
            "content": {"items": items, "modifiers": modifiers},
            "global_items": [item["id"] for item in items[:8]],
            "players": [{"items": [item["id"] for item in items[8:]]}, {"items": [item["id"] for item in items[8:]]}],
            "global_modifiers": [modifier["id"] for modifier in modifiers],
        }
    )
    s = table([1, 5, 1, 5, 1, 5], total=(999_999, 999_998), points=-100_000, turns=99_999, flags=(3, 3), hot=1)
    s["cooldown"][9:] = 100
    return config, logged(s, *[(NOTED, number, -10000) for number in range(24)])


MERRY = Config.read(
    {"kit": "drinking_bout", "global_modifiers": ["merry_company", {"id": "town_tax", "enabled": False}]}
)


#: A player chooses a face, and passing has been promised something.
FACES = Config.read(
    {
        "content": {
            "items": [
                {
                    "id": "any_face",
                    "name": {"en": "Any Face", "ru": "Любая грань"},
                    "desc": {"en": "Turn up to two dice as you like.", "ru": "Поверните до двух костей как угодно."},
                    "type": "active",
                    "cooldown_turns": 0,
                    "effect": {"set_face": {"dice": "chosen", "count": 2, "to": "chosen"}},
                    "notification": {"en": "Turned", "ru": "Повёрнуто"},
                }
            ]
        },
        "global_items": ["any_face", "brides_dowry"],
    }
)


def positions() -> Mapping[str, Scene]:
    busy = table([1, 0, 5, 5, 0, 3], points=350, total=(1250, 3100), flags=(3, 1))
    busy = logged(
        busy,
        (THREW, 1 << 6 | 63, roll_of([2, 2, 3, 4, 6, 6])),
        (SHIELDED, 1, 0),
        (THREW, 1 << 6 | 63, roll_of([2, 2, 3, 4, 6, 3])),
        (BUSTED, 1, 450),
        (THREW, 0b101101, int(busy["roll"])),
        (NOTED, entry(RICH, "five_groats"), 50),
    )
    made = {
        "plain": (PLAIN, table([1, 5, 2, 2, 3, 6])),
        "six ones": (PLAIN, table([1] * 6, points=350, total=(1250, 3100))),
        "ones and fives": (PLAIN, table([1, 5, 1, 5, 1, 5], points=350)),
        "busy": (RICH, busy),
        "locked": (MERRY, table([1, 3, 5, 5, 2, 2], locked=0b000101, flags=(7, 4), points=-50)),
        "two dice": (RICH, table([1, 3, 5, 5, 2, 2], player=1, choosing=1 + entry(RICH, "nimble_fingers"))),
        "one die": (RICH, table([1, 3, 5, 5, 2, 2], choosing=1 + entry(RICH, "sleight_of_hand"))),
        "face": (
            FACES,
            table(
                [1, 3, 5, 5, 2, 2],
                choosing=1,
                facing=1,
                chosen=0b110000,
                pass_delta=300,
                cooldown=[-1] + [0] * (EFFECTS - 1),
            ),
        ),
        "over": (RICH, table([1, 3, 5, 5, 2, 2], player=NOBODY, winner=0, saved=1, total=(4100, 2000))),
        "hostile": (hostile(), table([1, 3, 5, 5, 2, 2], rolls=1)),
        "full": full(),
    }
    return {name: Scene(config, 2, s) for name, (config, s) in made.items()}


def means(text: str, short: str) -> bool:
    """Whether both name the same dice."""
    return set(short[1:]) == {letter for letter in text if letter in "123456"}


def runs() -> list[Counted]:
    """Plain matches, and those with content."""
    rich = [Counted(run, counted(rich_matches(), run)) for run in (RUN, ALONE, RICH_RUN)]
    return [Counted(RUN, counted(matches())), *rich]


#: Texts that are no actions, with what is said of them.
WRONG = (
    ("x1", "actions look like 'c134'", "действия выглядят так"),
    ("", "actions look like 'c134'", "действия выглядят так"),
    ("c", "actions look like 'c134'", "действия выглядят так"),
    ("c¹", "actions look like 'c134'", "действия выглядят так"),
    ("c17", "there is no die 7; dice are 1 … 6", "кости 7 нет"),
    ("p0", "there is no die 0", "кости 0 нет"),
    ("p122", "die 2 is named twice", "кость 2 названа дважды"),
    ("d123", "at most 2 dice can be chosen", "не больше костей, чем 2"),
    ("f3", "no item of this match lets one choose a face", "ни один предмет матча не даёт выбрать грань"),
    ("u9", "the items that can be used are 1 … 4", "предметы, которые можно использовать: 1 … 4"),
    ("u99999999999", "the items that can be used are 1 … 4", "предметы, которые можно использовать: 1 … 4"),
)

STOCK = Stock(
    "dice",
    wrong=WRONG,
    files=frozenset({"content"}),
    configs=(PLAIN, RICH),
    games=played,
    respelt=lambda short: [f"  {short[0].upper()} {', '.join(short[1:])} "],
    nearly=st.from_regex(r"[cpudCPх ]?[0-9, ]{0,9}", fullmatch=True),
    means=means,
    endless=("x" * 1_000_000, "c" + "1" * 1_000_000, "u" + "1" * 1_000_000),
    same=frozenset({"", "×2", "…"}),
    # The codes of dice.
    latin=r"\b[EF]\b",
    positions=positions,
    # Names of nothing but the widest letters need a little more.
    phone=420,
    words_over=lambda name, width: 8.5 if name == "full" else 9.5,
    runs=runs,
    known_tables=frozenset({"exact"}),
    table_widths=(80, 120),
)
