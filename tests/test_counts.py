"""Counts hold what a config allows: figures of extreme configs against the rows of the same games, in every game."""

from __future__ import annotations

import math
import statistics
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, NamedTuple

import numpy as np
import polars as pl
import pytest

from playmill import simulate
from playmill.agents.agent_specs import seats_for
from playmill.engine.check.check_game import CheckError, check_game
from playmill.engine.contract.game import game_names, load_game
from playmill.engine.lang.histogram import count_in
from playmill.engine.lang.record import plain
from playmill.engine.lang.rule import interpreted
from playmill.lab.runs.game_frames import CsvRows
from playmill.report.model.histogram import counted
from playmill.texts import PlaymillError


class Case(NamedTuple):
    """A config at the end of its ranges, and where its figures and its rows say the same."""

    game: str
    players: int
    agent: str
    games: int
    changes: Sequence[str]
    columns: Mapping[str, str]  # by figure
    least: int  # some value must go beyond this, or the case is not extreme


ONE_RANK = ("game.deck.ranks=[1]", f"game.deck.shapes={list(range(1, 25))}", "game.deck.total_cards=120")
RICH = tuple(f"patterns.{letter}.vp=1000" for letter in "ABCDEFGHIJ")
KIND = tuple(
    change
    for card in ("vines", "hook", "water", "flint", "palm-trees", "sticks", "bottle", "telescope", "rocks")
    for change in (f"cards.{card}.lives=60", f"cards.{card}.front.lives=60", f"cards.{card}.corner=null")
)
CASES = (
    Case("grid", 2, "greedy", 40, (*ONE_RANK, *RICH), {"vp_stats.greedy": "vp", "turns": "turns"}, 9_000),
    Case(
        "grid",
        4,
        "random",
        300,
        (*ONE_RANK, *RICH, "game.draft.discard=0", "game.draft.reveal=2"),
        {"vp_stats.random": "vp", "turns": "turns"},
        4_095,
    ),
    Case("dice", 2, "random", 12, ("target_score=1000000", "max_turns=100000"), {"turns": "turns"}, 2_000),
    Case(
        "influence",
        2,
        "random",
        2,
        (
            "map=small",
            "round_limit=1000",
            "result_rounds=100",
            "weak_capacity=100",
            "strong_capacity=100",
            "chance_zero=0",
            "chance_minus1=0",
            "chance_plus1=0",
            "chance_ge_plus2=0",
        ),
        {"rounds": "rounds"},
        999,
    ),
    Case(
        "save_oneself",
        1,
        "random",
        300,
        ("lives=60", *KIND),
        {"rounds": "rounds", "score": "score", "cards_placed": "cards_placed"},
        60,
    ),
    Case(
        "dimensions",
        3,
        "random",
        300,
        (
            "mode=baseline",
            "cards_per_faction=16",
            "anomalies_in_deck=5",
            "green_goal=99",
            "yellow_goal=99",
            "blue_goal=9999",
        ),
        {"turns": "turns"},
        20,
    ),
)


def test_every_game_has_a_case() -> None:
    assert {case.game for case in CASES} == set(game_names())


@pytest.mark.parametrize("case", CASES, ids=[f"{case.game}-{case.players}" for case in CASES])
def test_figures_of_an_extreme_config_agree_with_its_csv(case: Case, tmp_path: Any) -> None:
    path = tmp_path / "games.csv"
    game = load_game(case.game)
    rows = CsvRows(path, {case.players: [seat.name for seat in seats_for(game, case.players, [case.agent])]})
    run = simulate(
        game,
        players=case.players,
        games=case.games,
        agents=case.agent,
        set=case.changes,
        on_part=partial(rows.add, case.players),
        seed=3,
    )
    rows.finish()
    table = pl.read_csv(path)
    largest = 0
    for figure, column in case.columns.items():
        told: Any = run.results
        for step in figure.split("."):
            told = told[step]
        of_seats = column in (game.outcome.metadata or {})["seats"]
        values = (table if of_seats else table.unique("game"))[column].to_list()
        largest = max(largest, *values)
        assert told["mean"] == pytest.approx(statistics.fmean(values), rel=1e-12), figure
        assert told["median"] == statistics.median(values), figure
        assert told["std"] == pytest.approx(statistics.stdev(values), rel=1e-9), figure
        ranked = sorted(values)
        assert told["p90"] == ranked[math.ceil(0.9 * len(values)) - 1], figure
        assert (told["min"], told["max"]) == (ranked[0], ranked[-1]), figure
    assert largest > case.least


def test_check_finds_a_game_whose_numbers_outgrow_their_place() -> None:
    """Pig with a row that has one byte for the turns, and games that need more."""
    pig = load_game("examples/pig")
    narrow = np.dtype(
        [
            (name, np.int8) if name == "turns" else (name, kind.base, kind.shape)
            for name, (kind, *_) in (pig.outcome.fields or {}).items()
        ],
        align=True,
    )
    with pytest.raises(CheckError, match="a number does not fit where it is kept: int8 holds"):
        check_game(replace(pig, outcome=narrow), config=pig.config(target=1000, faces=2), games=1)


def test_a_number_without_a_place_is_counted_apart_and_refused() -> None:
    places = np.zeros(5, np.int64)
    count = interpreted(count_in)
    for value in (0, 3, 3):
        count(plain(places), value)
    assert places.tolist() == [1, 0, 0, 2, 0]
    assert counted(places, "turns").max == 3
    for value in (4, 1000, -1):
        count(plain(places), value)
    assert places.tolist() == [1, 0, 0, 2, 3]
    with pytest.raises(PlaymillError) as caught:
        counted(places, "turns")
    assert caught.value.text.en == "turns: 3 of 6 values are not among 0 … 3, all that the counts have room for"
    assert caught.value.text.ru == "turns: значений не из 0 … 3, на которые рассчитаны счётчики: 3 из 6"
