"""Matches of Dice made by hand, with content and without, for the tests of its report."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from common import reports
from common.found import game_of
from playmill.engine.lang.record import RecordArray
from playmill.games.dice.config import Config
from playmill.games.dice.outcome import Outcome
from playmill.report.model.tables import RunInfo

GAME = game_of("dice")


def entry(name: str, ru: str, **fields: Any) -> dict[str, Any]:
    """What all content has, and the rest."""
    note = {"en": "Note", "ru": "Заметка"}
    return {"id": name, "name": {"en": name.title(), "ru": ru}, "desc": note, **fields}


NOTE = {"en": "Note", "ru": "Заметка"}
CONTENT = {
    "modifiers": [
        entry("bonus", "Надбавка", trigger="on_roll", effect={"add": 50}, note=NOTE),
        entry("toll", "Пошлина", trigger="on_pass", effect={"add": -20}, note=NOTE),
    ],
    "items": [
        entry("charm", "Оберег", type="passive", triggers=["on_save"], effect={"add": 30}, notification=NOTE),
        entry("nudge", "Толчок", type="active", cooldown_turns=3, effect={"add": 10}, notification=NOTE),
        entry(
            "magnet",
            "Магнит",
            type="active",
            cooldown_turns=3,
            effect={"set_weights": {"dice": "all", "weights": [2, 1, 1, 1, 1, 1]}},
            notification=NOTE,
        ),
    ],
    "dice": [
        entry("ones", "Единицы", code="1+", weights=[5, 1, 1, 1, 1, 1], rarity="rare"),
        entry("sixes", "Шестёрки", code="6+", weights=[1, 1, 1, 1, 1, 2], rarity="rare"),
        entry("twin", "Близнец", code="=", weights=[2, 2, 2, 2, 2, 2], rarity="rare"),
    ],
}
BONUS_OF_ALL, TOLL_OF_1, BONUS_OF_2, CHARM_OF_ALL, NUDGE_OF_1, CHARM_OF_2 = range(6)
RICH = {
    "content": CONTENT,
    "players": [
        {"dice": ["ones", "fair", "ones", "fair", "sixes", "twin"], "modifiers": ["toll"], "items": ["nudge"]},
        {"dice": ["fair", "fair", "fair", "fair", "fair", "ones"], "modifiers": ["bonus"], "items": ["charm"]},
    ],
    "global_modifiers": ["bonus"],
    "global_items": ["charm"],
}


def config(**changes: Any) -> dict[str, Any]:
    """A config as a run has it."""
    return Config.read(changes).model_dump(mode="json")


RUN = reports.run_of(GAME, ("greedy", "random"), 4, config())
ALONE = replace(RUN, agents=("greedy", "greedy"))
RICH_RUN = replace(RUN, config=config(**RICH), extra={"known": {"optimal": {"first_wins": 0.54321}}})


def counted(rows: RecordArray, run: RunInfo = RUN) -> Any:
    """The tally of some rows."""
    return reports.counted(GAME, rows, reports.numbers_of(run))


def matches() -> RecordArray:
    """Four matches: seat 1 won two, seat 2 one, and one was a draw."""
    rows: RecordArray = np.zeros(4, Outcome)
    rows["decisions"] = 10, 20, 30, 41
    rows["winner"] = 0, 1, 0, -1
    rows["turns"] = 7, 10, 9, 12
    rows["seat_turns"] = (4, 3), (5, 5), (5, 4), (6, 6)
    rows["total"] = (4000, 1500), (3000, 4100), (4050, 2000), (3900, 100)
    rows["rolls"] = (9, 8), (12, 11), (13, 9), (20, 11)
    rows["hot_dice"] = (1, 0), (0, 0), (2, 1), (0, 1)
    rows["throws"] = (0, 2, 3, 4, 5, 7), (0, 1, 4, 5, 6, 10), (0, 0, 4, 5, 5, 9), (0, 1, 5, 8, 8, 12)
    rows["busts"] = (0, 1, 1, 0, 0, 0), (0, 1, 2, 1, 0, 0), (0, 0, 1, 1, 0, 1), (0, 0, 2, 1, 1, 0)
    return rows


def rich_matches() -> RecordArray:
    """The same matches with content and loaded dice."""
    rows = matches()
    rows["fired"][:, BONUS_OF_ALL] = 1, 2, 3, 4
    rows["moved"][:, BONUS_OF_ALL] = 50, 100, 150, 200
    rows["fired"][:, TOLL_OF_1] = 4, 3, 5, 6
    rows["moved"][:, TOLL_OF_1] = -80, -60, -100, -120
    rows["fired"][:, BONUS_OF_2] = 0, 2, 0, 0
    rows["moved"][:, BONUS_OF_2] = 0, 100, 0, 0
    rows["fired"][:, NUDGE_OF_1] = 1, 1, 2, 0
    rows["moved"][:, NUDGE_OF_1] = 10, 10, 20, 0
    rows["die_throws"][:, 0] = (5, 0, 6, 0, 7, 0), (4, 0, 4, 0, 5, 0), (8, 0, 9, 0, 9, 0), (3, 0, 1, 0, 2, 0)
    rows["die_throws"][:, 1, 5] = 3, 4, 5, 6
    rows["die_points"][:, 0] = 60 * np.array(
        [(300, 9, 100, 9, 40, 9), (500, 9, 250, 9, 20, 9), (700, 9, 350, 9, 0, 9), (100, 9, 20, 9, 80, 9)]
    )
    rows["die_points"][:, 1, 5] = 6010, 12000, 0, 3000
    return rows
