"""The figures of Dice, from matches made by hand."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from dice_matches import ALONE, CONTENT, GAME, RICH_RUN, RUN, TOLL_OF_1, config, counted, matches, rich_matches

from common.reports import described, exact_mean, mean_of, rotated
from playmill.games.dice.outcome import LARGEST, MAX_TURNS, Tally
from playmill.games.dice.report.figures import results
from playmill.report.model.tables import rate
from playmill.stats.mean_intervals import Moments, mean_interval
from playmill.texts import PlaymillError


@pytest.fixture
def counts() -> Any:
    """The tally of the plain matches."""
    return counted(matches())


@pytest.fixture
def rich() -> Any:
    """The tally of the matches with content."""
    return counted(rich_matches())


def by_hand(tops: Sequence[int], bottoms: Sequence[int]) -> dict[str, Any]:
    """A ratio and its interval from the moments of the delta method, in floats."""
    y, x = np.array(tops, float), np.array(bottoms, float)
    n, value = len(x), y.sum() / x.sum()
    variance = np.var(y - value * x, ddof=1) / n / x.mean() ** 2
    # As if all that were not 0 had been the same, the least lopsided that their squares allow.
    share = y.sum() ** 2 / (y @ y) / n
    same = y @ y / y.sum()
    third = max(0.0, same**3 * share * (1 - share) * (1 - 2 * share)) / n**2 / x.mean() ** 3
    low, high = mean_interval(Moments(value, variance, third, n), n - 1, least=0.0)
    return {"value": pytest.approx(value), "low": pytest.approx(low), "high": pytest.approx(high), "n": n}


def test_results_have_these_keys(counts: np.void) -> None:
    assert set(results(counts, RUN)) == {
        "games",
        "win_rate",
        "wins",
        "draws",
        "turns",
        "winner_turns",
        "points_per_turn",
        "rolls_per_turn",
        "hot_dice_per_turn",
        "bust_rate_by_dice",
        "effects",
        "decisions",
        "decisions_per_game",
    }


def test_a_draw_is_nobodys_win(counts: np.void) -> None:
    made = results(counts, RUN)
    assert made["wins"] == [2, 1]
    assert made["win_rate"]["seats"] == [rate(2, 4).json(), rate(1, 4).json()]
    assert made["win_rate"]["agents"] == {"greedy": rate(2, 4).json(), "random": rate(1, 4).json()}
    assert made["draws"] == {**rate(1, 4).json(), "games": 1}
    assert (made["games"], made["decisions"]) == (4, 101)
    assert made["decisions_per_game"] == mean_of(*matches()["decisions"].tolist(), least=0)


def test_an_agent_in_both_seats_has_the_mean_of_their_rates() -> None:
    whole = rate(3, 4)
    halved = {"value": 3 / 8, "low": whole.low / 2, "high": whole.high / 2, "n": 4}
    assert results(counted(matches(), ALONE), ALONE)["win_rate"]["agents"] == {"greedy": halved}


def test_agents_that_change_seats_are_told_by_what_they_did_in_both() -> None:
    changed = replace(RUN, agents=RUN.agents[::-1])
    made = results(rotated(GAME, matches(), 2), replace(RUN, rotations=2))
    first, second = results(counted(matches()), RUN), results(counted(matches(), changed), changed)
    assert made["wins"] == [4, 2]
    for name in RUN.agent_names:
        assert made["win_rate"]["agents"][name] == rate(3, 8).json()
        for key in ("points_per_turn", "rolls_per_turn", "hot_dice_per_turn"):
            apart = [found[key]["agents"][name]["value"] for found in (first, second)]
            assert min(apart) <= made[key]["agents"][name]["value"] <= max(apart)
            assert made[key]["agents"][name]["value"] == made[key]["value"]


def test_turns_of_a_match_and_of_its_winner_are_described(counts: np.void) -> None:
    made = results(counts, RUN)
    assert made["turns"] == described([7, 10, 9, 12], MAX_TURNS)
    assert [made["turns"][key] for key in ("mean", "median", "p10", "p90")] == [9.5, 9.5, 7, 12]
    won = exact_mean([4, 5, 5], MAX_TURNS)
    assert {key: made["winner_turns"][key] for key in ("mean", "low", "high", "median", "min", "max")} == {
        "mean": pytest.approx(14 / 3),
        "low": won.low,
        "high": won.high,
        "median": 5,
        "min": 4,
        "max": 5,
    }


def test_turns_have_a_place_up_to_the_longest_match_that_a_config_allows() -> None:
    rows = matches()[:2]
    rows["turns"], rows["seat_turns"] = (5000, MAX_TURNS), ((2500, 2500), (50_001, 50_000))
    rows["winner"] = 1, 0
    made = results(counted(rows), RUN)
    assert (made["turns"]["mean"], made["turns"]["median"], made["turns"]["p90"]) == (52_500, 52_500, MAX_TURNS)
    assert made["turns"]["std"] == pytest.approx(np.std([5000, MAX_TURNS], ddof=1))
    assert (made["winner_turns"]["mean"], made["winner_turns"]["max"]) == (26_250.5, 50_001)
    rows["turns"] = 5000, MAX_TURNS + 1
    with pytest.raises(PlaymillError, match="turns: 1 of 2 values are not among 0 … 100000"):
        results(counted(rows), RUN)


def test_numbers_too_large_to_be_squared_are_refused() -> None:
    rows = matches()[:2]
    rows["fired"][0, 0], rows["moved"][0, 0] = 1, -LARGEST
    results(counted(rows), RUN)
    rows["moved"][0, 0] -= 1
    with pytest.raises(PlaymillError, match="beyond 3,000,000,000"):
        results(counted(rows), RUN)
    rows["moved"], rows["die_throws"][1, 0, 3], rows["die_points"][1, 0, 3] = 0, 1, LARGEST + 1
    with pytest.raises(PlaymillError, match="beyond 3,000,000,000"):
        results(counted(rows), RUN)


@pytest.mark.parametrize(
    ("key", "field"), [("points_per_turn", "total"), ("rolls_per_turn", "rolls"), ("hot_dice_per_turn", "hot_dice")]
)
def test_what_a_turn_has_is_a_ratio_of_sums(counts: np.void, key: str, field: str) -> None:
    rows = matches()
    made = results(counts, RUN)[key]
    assert {end: made[end] for end in ("value", "low", "high", "n")} == by_hand(rows[field].sum(axis=1), rows["turns"])
    for seat, name in enumerate(RUN.agents):
        assert made["agents"][name] == by_hand(rows[field][:, seat], rows["seat_turns"][:, seat])
    alone = results(counts, ALONE)[key]
    assert alone["agents"] == {"greedy": {end: made[end] for end in ("value", "low", "high", "n")}}


def test_busts_are_told_by_number_of_dice(counts: np.void) -> None:
    made = results(counts, RUN)["bust_rate_by_dice"]
    assert list(made) == ["1", "2", "3", "4", "5", "6"]
    told = {"throws": 0, "busts": 0, "exact": pytest.approx(4 / 6)}
    assert made["1"] == {"value": None, "low": None, "high": None, "n": 0, **told}
    assert made["3"] == {**rate(6, 16).json(), "throws": 16, "busts": 6, "exact": pytest.approx(60 / 216)}
    assert made["6"] == {**rate(1, 38).json(), "throws": 38, "busts": 1, "exact": pytest.approx(1440 / 6**6)}


def test_the_chance_to_bust_is_told_where_it_does_not_matter_which_dice_are_thrown(counts: np.void) -> None:
    def known(**changes: Any) -> dict[str, float]:
        made = results(counts, replace(RUN, config=config(content=CONTENT, **changes)))["bust_rate_by_dice"]
        return {number: found["exact"] for number, found in made.items() if "exact" in found}

    same = {"dice": ["ones"] * 6}
    assert known(players=[same, same])["1"] == pytest.approx(4 / 10)
    assert list(known(players=[{"dice": ["twin", *["fair"] * 5]}, {}])) == list("123456")
    assert known(players=[same, {}]) == {}
    mixed = {"dice": ["ones", *["fair"] * 5]}
    assert list(known(players=[mixed, {"dice": [*["fair"] * 5, "ones"]}])) == ["6"]
    assert known(global_items=["magnet"]) == {}
    assert list(known(global_items=["nudge"])) == list("123456")


def test_effects_are_told_by_id_and_owner(rich: np.void) -> None:
    made = results(rich, RICH_RUN)["effects"]
    assert list(made) == ["bonus", "toll", "charm", "nudge", "ones", "sixes"]
    assert [made[name]["kind"] for name in made] == ["modifier", "modifier", "item", "item", "die", "die"]
    assert made["toll"] == {
        "kind": "modifier",
        "name": {"en": "Toll", "ru": "Пошлина"},
        "fired": 18,
        "points": -360,
        "fired_per_game": mean_of(4, 3, 5, 6, least=0),
        "points_per_game": mean_of(-80, -60, -100, -120),
        "owners": {
            "seat_0": {
                "fired": 18,
                "points": -360,
                "fired_per_game": mean_of(4, 3, 5, 6, least=0),
                "points_per_game": mean_of(-80, -60, -100, -120),
            }
        },
    }


def test_what_several_have_is_added_up(rich: np.void) -> None:
    bonus = results(rich, RICH_RUN)["effects"]["bonus"]
    assert (bonus["fired"], bonus["points"]) == (12, 600)
    assert {owner: (told["fired"], told["points"]) for owner, told in bonus["owners"].items()} == {
        "global": (10, 500),
        "seat_1": (2, 100),
    }
    per_game = bonus["points_per_game"]
    parts = [told["points_per_game"] for told in bonus["owners"].values()]
    assert per_game == {end: sum(part[end] for part in parts) for end in ("value", "low", "high")} | {"n": 4}
    # Never narrower than the interval of the matches' own sums.
    exact = mean_of(50, 200, 150, 200)
    assert per_game["value"] == exact["value"]
    assert per_game["low"] <= exact["low"] < exact["high"] <= per_game["high"]


def test_what_never_fired_is_listed(rich: np.void) -> None:
    charm = results(rich, RICH_RUN)["effects"]["charm"]
    assert (charm["fired"], charm["points"], list(charm["owners"])) == (0, 0, ["global", "seat_1"])


def test_loaded_dice_of_a_kind_are_told_together(rich: np.void) -> None:
    made = results(rich, RICH_RUN)["effects"]
    ones, sixes = made["ones"], made["sixes"]
    assert ones["owners"]["seat_0"] == {
        "fired": 40,
        "points": 2320.0,
        "fired_per_game": mean_of(11, 8, 17, 4, least=0),
        "points_per_game": pytest.approx(mean_of(400, 750, 1050, 120, least=0)),
    }
    shares = mean_of(6010, 12000, 0, 3000, least=0)
    ends = {end: shares[end] / 60 for end in ("value", "low", "high")}
    assert ones["owners"]["seat_1"]["points_per_game"] == pytest.approx({**ends, "n": 4})
    assert (ones["fired"], ones["points"]) == (58, pytest.approx(2320 + 21010 / 60))
    assert sixes["owners"] == {"seat_0": {key: sixes[key] for key in sixes["owners"]["seat_0"]}}
    assert (sixes["fired"], sixes["points"]) == (23, 140)


def test_the_exact_chance_is_told_if_somebody_knows_it(counts: np.void) -> None:
    assert "exact" not in results(counts, RUN)
    assert results(counts, replace(RUN, extra=RICH_RUN.extra))["exact"] == {"first_wins": 0.54321}


def test_sums_of_long_matches_do_not_overflow() -> None:
    rows = rich_matches()[:1]
    rows["total"], rows["rolls"] = (1_000_000, 999_950), (900_000, 900_000)
    rows["seat_turns"], rows["turns"] = (50_000, 49_999), 99_999
    rows["moved"][:, TOLL_OF_1] = -2_000_000_000
    rows["die_points"][:, 0] = 2_000_000_000
    once, games = counted(rows), 100_000_000
    many = np.zeros(1, Tally)[0]
    for field in Tally.names or ():
        many[field] = once[field] * games
    made = results(many, RICH_RUN)
    # All matches are alike, so that nothing says how far others go: there is no interval.
    toll, ones = (made["effects"][name]["owners"]["seat_0"]["points_per_game"] for name in ("toll", "ones"))
    for found, value in (
        (made["points_per_turn"], 1_999_950 / 99_999),
        (made["rolls_per_turn"], 1_800_000 / 99_999),
        (toll, -2e9),
        (ones, 4e9 / 60),
    ):
        assert (found["value"], found["low"], found["high"], found["n"]) == (pytest.approx(value), None, None, games)


def test_rows_have_columns_for_seats_and_numbers_of_dice() -> None:
    from playmill.lab.runs.game_frames import seats_frame

    frame = seats_frame(rich_matches(), 0, RUN.agents)
    assert frame["total"].to_list() == matches()["total"].ravel().tolist()
    assert frame["die_throws_6"].to_list() == [0, 3, 0, 4, 0, 5, 0, 6]
    assert frame["busts_3"].to_list() == [1, 1, 2, 2, 1, 1, 2, 2]
