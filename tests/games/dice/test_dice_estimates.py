"""The figures of Dice: their intervals against resampling, and against single matches that were really played."""

from __future__ import annotations

from io import StringIO
from typing import Any

import numpy as np
import pytest
from rich.console import Console

from playmill.engine.contract.game import game_from_package
from playmill.games.dice.content import library
from playmill.lab.runs.simulate import Simulation, simulate
from playmill.report.html.page import html_page
from playmill.report.model.tables import Estimate, ratio
from playmill.report.terminal.report_printer import print_report
from playmill.stats.critical_values import Z95
from playmill.stats.estimates import undefined
from playmill.texts import LANGUAGES, Lang

Numbers = np.ndarray[Any, np.dtype[np.int64]]
TRUE_RATIO = 250


def drawn(rng: np.random.Generator, n: int) -> tuple[Numbers, Numbers]:
    """Points and turns of n made-up matches: long ones have more points, unevenly; the ratio of their means is 250."""
    turns = rng.integers(4, 25, n)
    points = 200 * turns + 700 + rng.integers(-600, 601, n)
    return points, turns


def estimate(points: Numbers, turns: Numbers) -> Estimate:
    """The ratio of a sample."""
    tops, bottoms = ((int(of.sum()), int((of * of).sum())) for of in (points, turns))
    return ratio(len(points), tops, bottoms, int((points * turns).sum()))


def test_at_least_95_of_100_intervals_hold_the_true_ratio() -> None:
    rng = np.random.default_rng(7)
    found = [estimate(*drawn(rng, 150)) for _ in range(2000)]
    held = sum(one.low <= TRUE_RATIO <= one.high for one in found) / len(found)
    assert 0.94 < held < 0.99


def test_an_interval_is_as_wide_as_resampling_says() -> None:
    rng = np.random.default_rng(11)
    points, turns = drawn(rng, 400)
    again = rng.integers(0, 400, (4000, 400))
    spread = np.std(points[again].sum(axis=1) / turns[again].sum(axis=1))
    found = estimate(points, turns)
    # Each end is let out by what one more match could do, three standard deviations away: 3 / √400 standard errors.
    assert (found.high - found.low) / 2 == pytest.approx((Z95 + 3 / 20) * spread, rel=0.05)
    # Turns that were taken for independent would be another thing.
    assert found.value == pytest.approx(points.sum() / turns.sum())


def test_a_ratio_that_is_the_same_in_all_matches_says_nothing_of_its_error() -> None:
    turns = np.array([3, 50, 7, 12_345])
    found = estimate(7 * turns, turns)
    assert (found.value, found.known, found.n) == (7, False, 4)


def test_one_match_has_no_interval_and_none_no_ratio() -> None:
    one = ratio(1, (700, 490_000), (7, 49), 4900)
    assert (one.value, one.known, one.n) == (100, False, 1)
    assert ratio(0, (0, 0), (0, 0), 0) == undefined()
    # A seat that never had a turn.
    assert ratio(3, (0, 0), (0, 0), 0) == undefined()


PLAIN: dict[str, Any] = {"target_score": 2000}
EVERYTHING: dict[str, Any] = {
    "target_score": 2000,
    "max_turns": 12,
    "players": [
        {
            "dice": ["evil", "evil", "evil", "fair", "loaded_ones", "fair"],
            "modifiers": [modifier.id for modifier in library().modifiers[:8]],
            "items": [item.id for item in library().items[:6]],
        },
        {"items": ["bust_shield"], "modifiers": [library().modifiers[0].id]},
    ],
    "global_modifiers": [modifier.id for modifier in library().modifiers[8:]],
    "global_items": [item.id for item in library().items[9:15]],
}


@pytest.fixture(scope="module", params=[PLAIN, EVERYTHING], ids=["plain", "everything"])
def run(request: pytest.FixtureRequest) -> Simulation:
    """A few matches of threshold against random."""
    game = game_from_package("dice", "playmill.games.dice")
    return simulate(game, games=30, agents=["threshold", "random"], config=request.param, backend="interpreted")


def test_figures_are_those_of_the_single_matches(run: Simulation) -> None:
    made, rows = run.results, run.games
    winner, turns = rows["winner"].to_numpy(), rows["turns"].to_numpy()
    assert made["wins"] == [int((winner == seat).sum()) for seat in range(2)]
    assert made["draws"]["games"] == int((winner < 0).sum())
    assert made["turns"]["mean"] == pytest.approx(turns.mean())
    assert made["turns"]["std"] == pytest.approx(turns.std(ddof=1))
    assert made["turns"]["median"] == np.median(turns)
    own = [rows[f"seat_turns_{seat}"].to_numpy() for seat in range(2)]
    assert (own[0] + own[1] == turns).all()
    last = np.where(winner == 0, own[0], own[1])[winner >= 0]
    assert made["winner_turns"]["mean"] == pytest.approx(last.mean())
    for key, field in (("points", "total"), ("rolls", "rolls"), ("hot_dice", "hot_dice")):
        each = [rows[f"{field}_{seat}"].to_numpy().astype(np.int64) for seat in range(2)]
        found = made[f"{key}_per_turn"]
        assert found["agents"]["threshold"] == estimate(each[0], own[0].astype(np.int64)).json()
        assert found["agents"]["random"] == estimate(each[1], own[1].astype(np.int64)).json()
        assert found["value"] == estimate(each[0] + each[1], turns.astype(np.int64)).value
    for number in range(1, 7):
        told = made["bust_rate_by_dice"][str(number)]
        assert (told["throws"], told["busts"]) == (rows[f"throws_{number}"].sum(), rows[f"busts_{number}"].sum())
    assert made["decisions"] == rows["decisions"].sum()


def test_everything_in_the_match_has_its_row(run: Simulation) -> None:
    effects = run.results["effects"]
    sides = run.info.config["players"]
    listed = {name for side in sides for kind in ("modifiers", "items") for name in side[kind]}
    listed |= {*run.info.config["global_modifiers"], *run.info.config["global_items"]}
    loaded = {name for side in sides for name in side["dice"]} - {"fair"}
    assert set(effects) == listed | loaded
    for name in loaded:
        assert effects[name]["kind"] == "die"
        assert effects[name]["fired"] > 0 < effects[name]["points"]
    assert sum(effect["fired"] for effect in effects.values() if effect["kind"] != "die") == sum(
        run.games[f"fired_{entry}"].sum() for entry in range(32)
    )


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_run_is_printed_and_made_a_page(run: Simulation, lang: Lang) -> None:
    for table in run.tables():
        out = StringIO()
        print_report(Console(file=out, width=80), run.info, [table], lang)
        assert "──" in out.getvalue(), table.key
        assert f'id="{table.key}"' in html_page(run.info, [table], lang)
