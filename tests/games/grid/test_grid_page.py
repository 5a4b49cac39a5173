"""The page about Grid names everything there is to name."""

from __future__ import annotations

import re
from dataclasses import fields
from pathlib import Path

import numpy as np

from playmill.games.grid.config.identifiers import BINDINGS
from playmill.games.grid.methods import METHODS, Card, Context, FoundPattern, GridState, Reward
from playmill.games.grid.outcome import Outcome
from playmill.lab.runs.game_frames import seats_frame

PAGE = (Path(__file__).parents[3] / "docs" / "grid.md").read_text(encoding="utf-8")


def rows(head: str) -> dict[str, list[str]]:
    """The rows of the table whose head begins with this cell, by their first cells."""
    (found,) = re.findall(rf"^\| {head} \|.*\n\|[-|]+\n((?:\|.*\n)+)", PAGE, re.MULTILINE)
    cells = [[cell.strip() for cell in line.strip("|").split(" | ")] for line in found.splitlines()]
    return {row[0]: row[1:] for row in cells}


def names(text: str) -> list[str]:
    return re.findall(r"`(\w+)", text)


def test_the_six_methods_are_told() -> None:
    assert [names(cell)[0] for cell in rows("method")] == list(METHODS)


def test_the_keys_of_a_reward_and_who_asks_for_them_are_told() -> None:
    told = {names(key)[0]: cells[0].split(", ") for key, cells in rows("key").items()}
    asked: dict[str, list[str]] = {}
    for reward, binding in BINDINGS.items():
        for choice in binding.agent_choices:
            asked.setdefault(choice.removeprefix("choose_"), []).append(reward)
    assert told == asked


def test_the_fields_of_what_an_agent_is_handed_are_told() -> None:
    told = list(rows("object").values())
    for cells, kind in zip(told, (GridState, Card, FoundPattern, Reward, Context), strict=True):
        assert {field.name for field in fields(kind)} <= set(names(cells[0])), kind


def test_the_columns_of_the_csv_are_told() -> None:
    told: list[str] = []
    for cell in rows("column"):
        found = names(cell)
        if "…" in cell:
            first, last = (name.rpartition("_") for name in found)
            places = "ABCDEFGHIJKL" if last[2] == "L" else [f"RWD{number}" for number in range(1, 11)]
            found = [f"{first[0]}_{place}" for place in places]
        told += found
    assert told == seats_frame(np.zeros(1, Outcome), 0, ["random", "greedy"]).columns
