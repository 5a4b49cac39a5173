"""Levels of play: who stands for beginners, good players and experts, how much each plays, and what turns over."""

from __future__ import annotations

import json
import re
import shlex
import shutil
from dataclasses import replace
from itertools import count
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from common.found import ROOT
from playmill import (
    Game,
    PlaymillError,
    audit_each,
    compare_each,
    levels,
    load_game,
    simulate,
    sweep_each,
    tune,
)
from playmill.agents.levels import levels_of
from playmill.cli import main
from playmill.lab.decide import levels as decide_levels
from playmill.lab.decide.levels import LevelSizes, in_time, level_sizes, tuning_sizes
from playmill.lab.decide.simulate_each import resolve_each
from playmill.lab.runs.figures import described_figures
from playmill.lab.runs.simulate import How
from playmill.report.commands.each_agent import level_verdicts, turned_sides
from playmill.report.model.among import named
from playmill.report.model.common_tables import FAIR_SHARE, seats_table
from playmill.report.model.tables import Chart, Table, rate
from playmill.stats.goal_loss import Aim, Reading, judged, together
from playmill.texts import Text, speaking

SIZES = (400, 400, 24)
_NUMBERS = count()


def _pig(folder: Path, returned: str) -> str:
    """Writes Pig with levels of its own."""
    place = folder / f"pig_of_level_{next(_NUMBERS)}"
    shutil.copytree(ROOT / "examples" / "pig", place, ignore=shutil.ignore_patterns("__pycache__"))
    (place / "levels.py").write_text(f"def levels(config):\n    return {returned}\n")
    return str(place)


def _written(game: Game) -> list[tuple[str, str]]:
    return [(one.key, one.agent) for one in levels_of(game)]


# Who they are


def test_beginners_play_at_random_good_players_as_search_plays_on_and_experts_search(pig: Game) -> None:
    assert _written(pig) == [("beginners", "random"), ("good", "threshold"), ("experts", "search:iterations=100")]


def test_where_two_levels_would_be_the_same_agent_there_is_one_less() -> None:
    assert _written(load_game("examples/kuhn")) == [("beginners", "random"), ("experts", "search:iterations=100")]


def test_a_game_says_its_own_levels(tmp_path: Path) -> None:
    game = load_game(_pig(tmp_path, '{"good": "threshold:n=25", "experts": f"threshold:n={config.target // 4}"}'))
    assert _written(game)[1:] == [("good", "threshold:n=25")], "of two levels with one agent the first stays"
    assert [one.agent for one in levels_of(game, game.config(target=80))][1:] == ["threshold:n=25", "threshold:n=20"]


@pytest.mark.parametrize(
    ("returned", "told"),
    [
        ('{"masters": "threshold"}', "names a level 'masters'; the levels are beginners, good, experts"),
        ('["threshold"]', "must return agents by level, such as {'good': 'greedy'}"),
        ('{"good": 20}', "must return agents by level"),
        ('{"good": "treshold"}', "has no agent 'treshold'"),
    ],
)
def test_levels_that_cannot_be_get_one_sentence(tmp_path: Path, returned: str, told: str) -> None:
    place = _pig(tmp_path, returned)
    with pytest.raises(PlaymillError, match=re.escape(told)):
        levels(place, minutes=0.01)


def test_experts_of_dice_play_the_solved_game_where_it_is_solved() -> None:
    dice = load_game("dice")
    assert _written(dice)[-1] == ("experts", "optimal")
    armed = dice.config().changed(['players.0.items=["bust_shield"]'])
    assert levels_of(dice, armed)[-1].agent == "search:iterations=100"


def test_where_rules_change_experts_are_those_of_the_rules_that_are_played(tmp_path: Path) -> None:
    place = _pig(tmp_path, '{"experts": "search:iterations=9"} if config.target == 100 else {}')
    assert [one.agent for one in levels_of(load_game(place), changing=True)] == ["random", "threshold", "expert"]
    words = {"compare": ["--b", "target=60"], "sweep": ["--over", "target=60", "--show", "turns"]}
    for command, asked in words.items():
        out = tmp_path / f"{command}.json"
        assert main([command, place, *asked, "--levels", "--games", "4,4,2", "--quiet", "--out", str(out)]) == 0
        assert json.loads(out.read_text())["meta"]["among"][-1] == "expert", command


@pytest.mark.parametrize("name", ["dice", "dimensions", "grid", "influence", "save_oneself"])
def test_every_game_in_the_box_has_three_levels_that_can_play(name: str) -> None:
    game = load_game(name)
    found = levels_of(game)
    assert [one.key for one in found] == ["beginners", "good", "experts"]
    assert len(resolve_each(game, among=found)) == 3


# How much they play


def test_a_fast_level_leaves_its_time_to_the_slow_ones() -> None:
    # 100 games take the first 0.1 of its 3.3 seconds; the others have 9.9: 4.95 each, and the last what is left.
    assert in_time((1000.0, 100.0, 10.0), 100, 10.0) == (100, 100, 89)
    assert in_time((10.0, 1000.0), 100, 10.0) == (99, 100), "whatever their order"
    assert in_time((0.01,), 100, 10.0) == (16,), "a very slow one plays a few all the same"
    assert in_time((1000.0,), 10**9, 12.345) == (12_000,), "two digits"


def test_the_bar_goes_by_time_not_by_games() -> None:
    sizes = LevelSizes((1000, 10), (1000.0, 10.0))  # a second each
    assert [sizes.share(done) for done in (0, 500, 1000, 1005, 1010)] == [0, 0.25, 0.5, 0.75, 1]


def test_each_level_is_the_run_that_simulate_plays_and_the_command_repeats_it(pig: Game, tmp_path: Path) -> None:
    found = levels(pig, games=SIZES, seed=3)
    assert [run.info.games for run in found.runs] == list(SIZES)
    assert found["threshold"].results == simulate(pig, games=400, seed=3, agents="threshold").results
    assert "--games 400,400,24 --seed 3 --levels" in found.series.command
    assert found.tables()[0].rows[1][:3] == (Text("good players", "хорошие игроки"), "threshold", 400)
    who = next(table for table in found.tables() if table.key == "seats")
    assert [column.ru for column in who.columns] == [
        "Место",
        "новички (random)",
        "хорошие игроки (threshold)",
        "мастера (search:iterations=100)",
    ]
    out = tmp_path / "again.json"
    assert main([*shlex.split(found.series.command)[1:], "--quiet", "--out", str(out)]) == 0
    again = json.loads(out.read_text())
    assert again["meta"]["levels"] == ["beginners", "good", "experts"]
    assert [run["results"] for run in again["runs"]] == [run["results"] for run in found.json()["runs"]]


def test_time_decides_how_many_games_a_level_has(pig: Game) -> None:
    found = levels(pig, games=2000, minutes=0.02)
    sizes = [run.info.games for run in found.runs]
    assert sizes[:2] == [2000, 2000], "hundreds of thousands a second"
    assert 16 <= sizes[2] <= 2000
    assert all(run.info.complete for run in found.runs)


def test_levels_say_before_they_begin_if_they_take_longer_than_asked_for(
    pig: Game, monkeypatch: pytest.MonkeyPatch, capsys: Any, tmp_path: Path
) -> None:
    monkeypatch.setenv("PLAYMILL_HOME", str(tmp_path))
    plans = [*resolve_each(pig, among=levels_of(pig)).values()]
    speeds = {"random": 1e6, "threshold": 1e6, "search:iterations=100": 0.1}
    monkeypatch.setattr(decide_levels, "_rate", lambda resolved, *_: speeds[resolved.found[0]])

    def said() -> str:
        return str(capsys.readouterr().err).replace("\xa0", " ")

    assert level_sizes(plans, 100_000, 1.0, How()).games == (100_000, 100_000, 16)
    assert "about 2 min 40 s, not 1 min 00 s: a slow one plays at least 16 games" in said()
    with speaking("ru"):
        assert level_sizes(plans, 1000, 1.0, How(), each=2).games[-1] == 16
        assert "уровням нужно около 5 мин 20 с, а не 1 мин 00 с: медленный играет хотя бы 16 раздач" in said()
    tuning_sizes(plans, 1000, 100, 5.0, How(keep=False))
    assert "about 8 h 53 min, not 5 min 00 s: a slow one plays at least 64 deals" in said()
    assert level_sizes(plans, 100_000, 3.0, How()).games[-1] == 17, "rounded down: it takes no longer"
    speeds["search:iterations=100"] = 10.0
    assert level_sizes(plans, 100, 0.01, How()).games[-1] == 16, "a moment, and not worth a word"
    assert level_sizes(plans, (9, 9, 9000), 0.1, How()).games == (9, 9, 9000), "as asked for, whatever time that takes"
    assert said() == ""
    with pytest.raises(PlaymillError, match="cannot play for nan minutes; more than 0"):
        level_sizes(plans, 100, float("nan"), How())


# What turns over


def _seats(first: int, n: int) -> list[Table]:
    rows = ((Text("Seat 1", "Место 1"), rate(first, n)), (Text("Seat 2", "Место 2"), rate(n - first, n)))
    chart = Chart(0, 1, reference=0.5, reference_label=FAIR_SHARE)
    columns = (Text("Seat", "Место"), Text("Win rate", "Доля побед"))
    return [Table("seats", Text("Who wins", "Кто побеждает"), columns, rows, chart=chart)]


def test_the_sentence_says_who_is_too_strong_among_whom(pig: Game) -> None:
    whom = named(["random", "threshold", "search"], levels_of(pig))
    reports = [_seats(6000, 10_000), _seats(5000, 10_000), _seats(40, 100), _seats(400, 1000)]
    first, second = level_verdicts(whom, [reports[0], reports[1], reports[3]])
    assert first.en == "Seat 1 is too strong among beginners and too weak among experts."
    assert first.ru == "Место 1: слишком много побед среди новичков и слишком мало — среди мастеров."
    assert second.en == "Seat 2 is too strong among experts and too weak among beginners."
    assert level_verdicts(whom, [reports[0], reports[1], reports[2]]) == [], "40 of 100 may be half"
    always = level_verdicts(whom, [reports[0], _seats(5220, 10_000), reports[0]])
    assert [one.en for one in always] == [
        "Seat 1 is too strong at every level: measured 2.2 to 10.0 percentage points above fair.",
        "Seat 2 is too weak at every level: measured 2.2 to 10.0 percentage points below fair.",
    ]
    assert always[1].ru == "Место 2: слишком мало побед на всех уровнях, измерено на 2,2–10,0 п. п. меньше честного."
    hardly = [_seats(50_000_000 + more, 100_000_000) for more in (40_000, 42_000)]
    assert (
        level_verdicts(whom[:2], hardly)[0].en
        == "Seat 1 is too strong at every level: measured 0.04 percentage points above fair."
    )
    (turned, _) = turned_sides(named(["a", "b"]), [reports[0], reports[3]])
    assert turned.text.en == "above fair among a, below it among b", "agents that stand for no level"


def test_draws_make_nobody_too_weak(pig: Game) -> None:
    def report(first: int, second: int) -> list[Table]:
        (table,) = _seats(first, 10_000)
        rows = tuple((row[0], rate(wins, 10_000)) for row, wins in zip(table.rows, (first, second), strict=True))
        return [replace(table, rows=rows)]

    whom = named(["random", "threshold"], levels_of(pig)[:2])
    assert level_verdicts(whom, [report(2000, 2000), report(3000, 3000)]) == []
    first, second = level_verdicts(whom, [report(2000, 1500), report(3000, 3500)])
    assert first.en == "Seat 1 is too strong among beginners and too weak among good players."
    assert second.en == "Seat 2 is too strong among good players and too weak among beginners."


def test_a_row_of_draws_is_nobody_who_is_too_weak(pig: Game) -> None:
    """As reports have it that games need not write, and Pig's own."""

    def report(first: int, second: int) -> list[Table]:
        run = simulate(pig, games=1).info
        others = [(Text("Nobody", "Никто"), None, {"win_rate": rate(10_000 - first - second, 10_000).json()})]
        return [seats_table([{"win_rate": rate(wins, 10_000).json()} for wins in (first, second)], run, others=others)]

    whom = named(["random", "threshold"], levels_of(pig)[:2])
    assert level_verdicts(whom, [report(4500, 4500), report(4000, 4000)]) == []
    assert [one.en for one in level_verdicts(whom, [report(5000, 4000), report(4500, 3500)])] == [
        "Seat 1 is too strong at every level: measured 5.0 percentage points above fair.",
        "Seat 2 is too weak at every level: measured 5.0 percentage points below fair.",
    ]
    assert [one.title.en for one in turned_sides(whom, [report(2000, 1000), report(1000, 2000)])] == [
        "Who wins: Seat 1, random",
        "Who wins: Seat 2, random",
    ]
    assert turned_sides(whom, [report(200, 200), report(3000, 3000)]) == [], "most games drawn, and hardly any"
    run = simulate(pig, games=10)
    assert described_figures(pig, run.results, run.info)["draws", "rate"].fair is None, "no share of draws is fair"


# The other questions


def test_compare_and_sweep_at_levels_play_the_deals_of_each(pig: Game) -> None:
    among = levels_of(pig)
    compared = compare_each(pig, among=among, b={"set": ["target=60"]}, games=SIZES)
    assert [one.deals for one in compared.found] == list(SIZES)
    assert compared.tables()[0].columns[3].en == "experts (search:iterations=100)"
    assert "--games 400,400,24" in compared.command and "--levels" in compared.command
    swept = sweep_each(pig, among=among, over="target=60", show="turns", games=SIZES)
    assert [one.deals for one in swept.found] == list(SIZES)
    assert "--levels" in swept.command and "--games 400,400,24" in swept.command
    assert "по" not in swept.page("en")[:50]


def test_an_audit_at_levels_names_them(pig: Game) -> None:
    found = audit_each(pig, among=levels_of(pig)[:2], minutes=None, only=["fairness"], keep=False)
    assert [column.en for column in found.tables()[1].columns[1:]] == ["beginners (random)", "good players (threshold)"]
    assert found.command.endswith("--levels")


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["simulate", "--levels", "--among", "random"], "not allowed with"),
        (["compare", "--levels", "--agents", "random", "--b", "target=60"], "not allowed with"),
        (["simulate", "--minutes", "2"], "--minutes is about how long the levels of --levels play; add --levels"),
        (["compare", "--minutes", "2", "--b", "target=60"], "add --levels"),
        (["simulate", "--games", "10,20"], "2 numbers of games for 1 run (2): name one for all"),
        (
            ["compare", "--levels", "--games", "4", "--b", "random"],
            "--levels says who plays on both sides; --b",
        ),
        (["compare", "--games", "10,20", "--b", "target=60"], "several numbers are for --among or --levels; name one"),
        (["levels", "--games", "10,20"], "2 numbers of games for 3 runs (random, threshold, search:iterations=100)"),
        (["levels", "--games", "0"], "'0' is no whole number from 1"),
        (["simulate", "--levels", "--until-sure", "turns"], "leave out --among and --levels"),
        (["tune", "--levels", "--players", "2", "--free", "agent.threshold.n:10..30", "--goal", "turns=9"], "numbers"),
    ],
)
def test_what_makes_no_sense_gets_one_sentence(words: list[str], told: str, capsys: Any) -> None:
    command, *rest = words
    assert main([command, "examples/pig", *rest]) != 0
    error = capsys.readouterr().err
    assert told in error and "Traceback" not in error and error.count("\n") == 1, error


# Tuning


def _reading(name: str, value: float, spread: float, sizes: tuple[int, ...]) -> Reading:
    without = np.array([[value + spread * (-1) ** place] for place in range(len(sizes))])
    return Reading((name,), np.array([value]), without, (None,), sizes)


def test_tables_of_other_numbers_of_deals_are_judged_together_if_their_groups_are_in_proportion() -> None:
    fast, slow = _reading("turns", 20.0, 0.1, (30, 30)), _reading("turns", 40.0, 0.5, (10, 10))
    both = together([("a/", fast), ("b/", slow)])
    assert both.names == ("a/turns", "b/turns") and both.sizes == (30, 30) and both.deals == (60, 20)
    assert both.estimate("b/turns") == slow.estimate("turns"), "its interval is its own"
    assert Reading.from_json(json.loads(json.dumps(both.json()))).deals == (60, 20)
    # What is lost is the mean of the squares: 10 and 10 percent of 30 away from it, each counted half.
    aims = [Aim("at", (name,), 0.3, 30.0, weight=0.5) for name in both.names]
    assert judged(both, aims).raw == pytest.approx(0.5 * (10 / 0.3) ** 2 + 0.5 * (10 / 0.3) ** 2)
    with pytest.raises(ValueError, match="same deals"):
        together([("a/", fast), ("b/", _reading("turns", 40.0, 0.5, (10, 20)))])


def test_a_tuning_among_several_holds_at_each_and_says_so(pig: Game) -> None:
    settings: dict[str, Any] = {"free": "target:20..200", "trials": 12, "keep": False, "workers": 1}
    among = ["threshold:n=20", "threshold:n=8"]
    found = tune(pig, among=among, goal="turns=30", games=(640, 128), **settings)
    goal = found.shown.goals[0]
    assert [one.who.agent for one in goal.among] == among
    assert [one.rules.n for one in goal.among] == [1280, 256], "twice the deals, of each its own"
    # The fast one's games are shorter: no target makes both 30 turns long, and what is found lies between.
    best = {name: tune(pig, agents=name, goal="turns=30", games=640, **settings).changes["target"] for name in among}
    assert min(best.values()) <= found.changes.get("target", 100) <= max(best.values())
    assert goal.reached is all(one.reached for one in goal.among)
    assert "--among threshold:n=20 threshold:n=8" in found.command and "--games 640,128" in found.command
    table = next(table for table in found.tables() if table.key == "among-1")
    assert [row[0].en for row in table.rows if isinstance(row[0], Text)] == among
    assert found.json()["meta"]["among"] == among


def test_a_tuning_at_levels_stops_and_goes_on_with_the_same_games(pig: Game) -> None:
    settings: dict[str, Any] = {"free": "target:80..120/20", "goal": "turns=20", "trials": 2, "workers": 1}
    among = levels_of(pig)[:2]
    first = tune(pig, among=among, games=(128, 64), **settings)
    again = tune(pig, among=among, games=(128, 64), **settings)
    assert again.json()["results"] == first.json()["results"] and again.games == first.games
    assert first.shown.goals[0].among[0].who.head.en == "beginners (random)"
    with pytest.raises(PlaymillError, match="but not both"):
        tune("dimensions", among=["random", "dealer"], players=[3, 4], free="yellow_goal:4..6", goal="factions")
