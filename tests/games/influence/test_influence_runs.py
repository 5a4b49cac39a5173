"""The report of Influence from games that were really played, against the single games of the run."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from common.reports import check_table
from playmill.engine.contract.game import Game
from playmill.games.influence.outcome import CLASS_NAMES
from playmill.lab.runs.simulate import Simulation, simulate
from playmill.report.html.page import html_page
from playmill.report.model.tables import mean, rate
from playmill.texts import LANGUAGES, Lang

SMALL: Any = {
    "map": {"name": "small", "rows": ["SwwS", "wwww", "SSww", "wSww", "SwwS"], "starts": {"2": [[0, 0], [4, 3]]}}
}
HOLES: Any = {
    "map": {"name": "holes", "rows": ["ww.SwS", "w.wwSw", "SSw.ww", "wwwSw.", ".wSwww", "Sww.wS"]},
    "round_limit": 20,
    "result_rounds": 3,
}
LARGE: Any = {"map": {"name": "large", "rows": ["wwSwwSwwSw", "SwwSwwSwww"] * 5}, "round_limit": 5}


@pytest.fixture(scope="module", params=[(2, SMALL), (4, HOLES), (6, LARGE)], ids=["two", "four", "six"])
def run(request: pytest.FixtureRequest, influence: Game) -> Simulation:
    """Some compiled games."""
    players, config = request.param
    return simulate(influence, players=players, games=300, seed=5, config=config, workers=1)


def test_who_wins_and_how_is_that_of_the_single_games(run: Simulation) -> None:
    made, rows, players = run.results, run.games, run.info.players
    winner, ended, first = (rows[name].to_numpy() for name in ("winner", "ended_by", "first_blood"))
    assert [seat["wins"] for seat in made["wins_by_seat"]] == [int((winner == seat).sum()) for seat in range(players)]
    assert made["draws"]["games"] == int((winner < 0).sum())
    assert {name: found["games"] for name, found in made["ended_by"].items()} == {
        name: int((ended == name).sum()) for name in ("elimination", "limit")
    }
    assert made["first_blood"]["games"] == int((first >= 0).sum())
    assert [seat["games"] for seat in made["first_blood"]["by_seat"]] == [
        int((first == seat).sum()) for seat in range(players)
    ]
    assert made["first_blood"]["wins"] == int(((first >= 0) & (first == winner)).sum())
    assert made["agents"]["random"]["win_rate"]["value"] == pytest.approx((winner >= 0).mean() / players)
    assert made["decisions"] == rows["decisions"].sum()


def test_lengths_and_attacks_are_those_of_the_single_games(run: Simulation) -> None:
    made, rows = run.results, run.games
    rounds, autos = rows["rounds"].to_numpy(), rows["autos"].to_numpy().astype(np.int64)
    assert made["rounds"]["mean"] == pytest.approx(rounds.mean())
    assert made["rounds"]["median"] == np.median(rounds)
    assert made["rounds"]["max"] == rounds.max() <= run.info.config["round_limit"]
    assert made["autos"] == {
        "times": autos.sum(),
        **mean(len(autos), int(autos.sum()), int((autos * autos).sum()), least=0).json(),
    }
    for name in CLASS_NAMES:
        counted, won = (int(rows[f"{what}_{name}"].sum()) for what in ("made", "won"))
        assert made["attacks"][name] == {
            "made": counted,
            "won": won,
            "rate": rate(won, counted).json(),
            "promised": {"minus1": 0.25, "zero": 0.5, "plus1": 0.75, "le_minus2": 0.0}.get(name, 1.0),
        }


def test_time_is_that_of_the_games_that_came_so_far(run: Simulation) -> None:
    made, rows = run.results, run.games
    rounds = rows["rounds"].to_numpy()
    for look in made["over_time"]:
        came = rounds >= look["round"]
        assert look["games"] == came.sum()
        for what in ("cells", "influence"):
            for seat, found in enumerate(look[what]):
                had = rows[f"{what}_at_{look['round']}_{seat}"].to_numpy()
                assert not had[~came].any()
                assert found["value"] == (pytest.approx(had[came].mean()) if came.any() else None)
    for what in ("cells", "influence"):
        for seat, found in enumerate(made["at_the_end"][what]):
            had = rows[f"{what}_{seat}"].to_numpy()
            assert (found["value"], found["n"]) == (pytest.approx(had.mean()), len(had))
            # Let out by three standard deviations of one more game, and where what a seat has is lopsided.
            error = had.std(ddof=1) / np.sqrt(len(had))
            assert 1.96 * error < found["high"] - found["value"] < (1.96 + 6 / np.sqrt(len(had))) * error


def test_sure_attacks_are_sure_and_others_are_as_promised(run: Simulation) -> None:
    for name, found in run.results["attacks"].items():
        error = np.sqrt(found["promised"] * (1 - found["promised"]) / found["made"])
        assert abs(found["rate"]["value"] - found["promised"]) <= 5 * error, name


def test_everybody_starts_with_one_cell(run: Simulation) -> None:
    first = run.results["over_time"][0]
    assert (first["round"], first["games"]) == (1, 300)
    assert [seat["value"] for seat in first["cells"]] == [1] * run.info.players
    assert [seat["value"] for seat in first["influence"]] == [2] * run.info.players


def test_whoever_is_left_owns_what_is_owned(run: Simulation) -> None:
    rows = run.games
    alone = rows.filter(rows["ended_by"] == "elimination")
    for seat in range(run.info.players):
        others = alone.filter(alone["winner"] != seat)
        assert others[f"cells_{seat}"].sum() == others[f"influence_{seat}"].sum() == 0


def test_interpreted_games_give_the_same_results(influence: Game) -> None:
    compiled, interpreted = (
        simulate(influence, players=6, games=5, seed=9, config=LARGE, backend=backend)
        for backend in ("cpu", "interpreted")
    )
    assert compiled.results == interpreted.results


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_run_is_printed_and_made_a_page(run: Simulation, lang: Lang) -> None:
    for table in run.tables():
        check_table(run.info, table, lang, 80)
        assert f'id="{table.key}"' in html_page(run.info, [table], lang)
