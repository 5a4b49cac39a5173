"""The same question among each of some agents: side by side, corrected for all, and what turns over."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import pytest

from playmill import Game, PlaymillError, audit_each, compare, compare_each, simulate, simulate_each, sweep_each
from playmill.cli import main
from playmill.lab.decide.each_agent.agents import file_names, renamed
from playmill.lab.decide.each_agent.corrections import corrected_together, turned_differences
from playmill.report.commands.each_agent import SIGNS
from playmill.report.model.among import named
from playmill.stats.differences import Difference, holm
from playmill.texts import Text

AMONG = ["dealer", "tactical"]
DEALS = 3000


@pytest.fixture(scope="module")
def compared(dimensions: Game) -> Any:
    return compare_each(dimensions, among=AMONG, b={"set": ["yellow_goal=6"]}, games=DEALS, seed=1)


# simulate


def test_each_run_is_the_one_that_simulate_plays_and_yellow_turns_over(dimensions: Game) -> None:
    found = simulate_each(dimensions, among=AMONG, games=4000, seed=1)
    assert found.series.each == ("dealer", "tactical")
    for agent in AMONG:
        assert found[agent].results == simulate(dimensions, games=4000, seed=1, agents=agent).results
    assert found.series.command == (
        "playmill simulate dimensions --players 3 --games 4000 --seed 1 --among dealer tactical"
    )
    (turned,) = found.turned
    assert turned.title.en == "How often each faction wins: Yellow — Win rate"
    assert turned.text.en == "above fair among dealer, below it among tactical"
    first, *tables = found.tables()
    assert first.key == "turned"
    seats = next(table for table in tables if table.key == "seats")
    assert [row[-2:].count(None) for row in seats.rows] == [0] * len(seats.rows), "rows of all agents are the same"
    saved = json.loads(json.dumps(found.json()))
    assert (saved["meta"]["players"], saved["meta"]["among"]) == (3, AMONG)
    assert saved["turned"][0]["among"]["tactical"]["high"] < 1 / 3 < saved["turned"][0]["among"]["dealer"]["low"]


def test_nothing_turns_over_where_all_play_alike(pig: Game) -> None:
    found = simulate_each(pig, among=["threshold:n=20", "threshold:n=21"], games=2000)
    assert found.turned == []
    assert found.tables()[0].note is not None


@pytest.mark.parametrize(
    ("settings", "told"),
    [
        ({"among": ["clever", "random"]}, "dimensions has no agent 'clever'"),
        ({"among": ["dealer", "random", "dealer"]}, "--among: dealer is named twice"),
        ({"among": AMONG, "agents": "random"}, "--among and --agents both say who plays; leave out --agents"),
        ({"among": AMONG, "players": [3, 4]}, "--among sets agents side by side; name one number of players"),
    ],
)
def test_mistakes_are_told_before_anything_is_played(dimensions: Game, settings: Any, told: str) -> None:
    with pytest.raises(PlaymillError, match=told):
        simulate_each(dimensions, on_part=lambda which, part: pytest.fail("played"), **settings)


# compare


def test_the_cure_brings_yellow_nearer_to_fair_among_dealers_and_further_from_it_among_tacticians(
    dimensions: Game,
) -> None:
    found = compare_each(dimensions, among=AMONG, b={"set": ["yellow_goal=6"]}, games=16_000, seed=1)
    (turned,) = found.turned
    assert turned.title.en == "How often each faction wins: Yellow — Win rate"
    assert turned.text.en == "nearer to fair among dealer, further from it among tactical"
    assert turned.text.ru == "ближе к честному среди dealer, дальше — среди tactical"


def test_every_difference_is_that_of_compare_corrected_for_all_of_them(dimensions: Game, compared: Any) -> None:
    alone = [
        compare(dimensions, agents=agent, b={"set": ["yellow_goal=6"]}, games=DEALS, seed=1).differences
        for agent in AMONG
    ]
    chances = [one.p for differences in alone for one in differences.values()]
    for one, differences in zip(compared.found, alone, strict=True):
        assert {name: (d.value, d.low, d.high, d.p) for name, d in one.differences.items()} == {
            name: (d.value, d.low, d.high, d.p) for name, d in differences.items()
        }
        assert all(one.differences[name].adjusted >= differences[name].adjusted for name in differences)
    # At least as strict as a correction for all figures of both; asking for distances makes it stricter still.
    every = [one.adjusted for found in compared.found for one in found.differences.values()]
    assert all(found >= least for found, least in zip(every, holm(chances), strict=True))


def test_differences_stand_side_by_side_with_whom_they_are_real_among(compared: Any) -> None:
    turned, real, *every = compared.tables()
    assert (turned.key, real.key) == ("turned", "real")
    wins = next(table for table in every if table.title.en == "How often each faction wins — Win rate, B − A")
    yellow = next(row for row in wins.rows if row[0].en == "Yellow")
    assert [cell.value for cell in yellow[1:3]] == [
        compared[agent].differences["factions.yellow.win_rate"].value for agent in AMONG
    ]
    assert "dealer" in yellow[3].en
    assert compared.command == (
        f"playmill compare dimensions --games {DEALS} --seed 1 --players 3 --among dealer tactical --b yellow_goal=6"
    )


def test_a_real_difference_of_a_figure_that_no_table_has_is_told(pig: Game) -> None:
    found = compare_each(pig, among=["random", "threshold"], b={"set": ["target=50"]}, games=300)
    (row,) = next(table for table in found.tables() if table.key == "real").rows
    assert row[0].en == "Turns of a game" and row[-1].en == "random and threshold"
    assert [cell.value for cell in row[1:3]] == [one.differences["turns"].value for one in found.found]


def test_a_sign_that_is_the_other_way_is_named_if_both_are_real() -> None:
    def found(value: float, p: float) -> Difference:
        return Difference(0.5, 0.5 + value, value, value - 0.01, value + 0.01, p=p, adjusted=p, n=(99, 99))

    def text(*ps: float) -> list[str]:
        every = {(who, "x"): found(value, p) for who, (value, p) in enumerate(zip((0.1, -0.1, 0.2), ps, strict=True))}
        real, near = corrected_together(every, {(0, "x"): (1, 0.2), (1, "x"): (-1, 1e-9)})
        title, signs = Text("Turns", "Ходы"), [near.get((who, "x"), 0) for who in range(3)]
        turned = turned_differences(named("abc"), title, list(real.values()), signs, form=SIGNS, percent=True)
        return [one.text.en for one in turned]

    assert text(1e-9, 1e-9, 1e-9) == ["B − A is above 0 among a and c; among b the sign is the other way"]
    assert text(1e-9, 0.04, 1e-9) == [], "4 % is not sure with two questions left"
    assert text(0.9, 1e-9, 0.9) == []


@pytest.mark.parametrize(
    ("settings", "told"),
    [
        ({"b": {"agents": "random"}}, "--among says who plays on both sides; --b names agents, too"),
        ({}, "the two sides are the same"),
    ],
)
def test_comparisons_that_cannot_be_are_told(dimensions: Game, settings: Any, told: str) -> None:
    with pytest.raises(PlaymillError, match=told):
        compare_each(dimensions, among=AMONG, games=10, **settings)


# sweep and audit


def test_a_sweep_has_a_column_and_a_line_for_each_agent(pig: Game) -> None:
    among = ["threshold:n=10", "threshold:n=30"]
    found = sweep_each(pig, among=among, over="target=40,60", show="seats.*.win_rate", games=300)
    _, first, _ = found.tables()
    assert [column.en for column in first.columns] == ["target", *among, "differs from the rules among"]
    assert [curve.name.en for curve in found.plots()[0].curves] == among
    rows = list(csv.DictReader(found.csv().splitlines()))
    assert [row["among"] for row in rows] == [who for who in among for _ in range(4)]
    assert found.command.endswith("--among threshold:n=10 threshold:n=30 --over target=40,60 --show 'seats.*.win_rate'")
    both = [one.adjusted for sweep in found.found for setting in sweep.settings for one in setting.differences.values()]
    assert len(both) == 2 * 2 * 2


def test_a_swept_seat_is_called_by_all_who_sit_there(pig: Game) -> None:
    found = sweep_each(pig, among=["random", "threshold"], over="target=60", show="seats.0.win_rate", games=10)
    assert found.tables()[1].title.en == "Who wins: Seat 1, random / threshold"
    assert found.tables()[1].title.ru == "Кто побеждает: Место 1, random / threshold"


def test_an_audit_has_its_fairness_among_each(pig: Game) -> None:
    found = audit_each(pig, among=["threshold", "random"], minutes=None, only=["fairness"])
    _, glance, seats, *_ = found.tables()
    assert [part.en for part in glance.columns] == ["part", "threshold", "random"]
    assert [column.en for column in seats.columns] == ["who", "threshold", "random"]
    assert found.command.endswith("--seed 0 --quick --only fairness --among threshold random")


# The commands


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Runs a command in a folder of its own; returns its status and what it printed."""
    monkeypatch.chdir(tmp_path)

    def run(*words: object) -> tuple[int, str, str]:
        status = main([str(word) for word in words])
        printed = capsys.readouterr()
        return status, printed.out.replace("\N{NO-BREAK SPACE}", " "), printed.err

    return run


@pytest.mark.parametrize(
    ("lang", "words"),
    [
        ("en", ("simulate", "--games", 300, "--csv", "a.csv")),
        ("ru", ("compare", "--games", 300, "--b", "yellow_goal=6")),
        ("en", ("sweep", "--games", 100, "--over", "yellow_goal=5,6", "--show", "turns", "--csv", "a.csv")),
        ("ru", ("audit", "--quick", "--only", "fairness")),
    ],
)
def test_commands_print_and_write_each_side_by_side(run: Any, tmp_path: Path, words: Any, lang: str) -> None:
    command, *rest = words
    files = ("--out", "a.json", "--html", "a.html")
    status, out, err = run(command, "dimensions", *rest, "--among", *AMONG, *files, "--lang", lang)
    assert (status, err) == (0, "")
    assert ("among dealer and tactical" if lang == "en" else "среди dealer и tactical") in out
    assert ("What turns over with the strength of play" if lang == "en" else "Что переворачивается") in out
    saved = json.loads((tmp_path / "a.json").read_text())
    assert saved["meta"]["among"] == AMONG
    assert len(saved["runs"]) == 2
    assert "turned" in saved
    page = (tmp_path / "a.html").read_text()
    ids = [part.partition('"')[0] for part in page.split(' id="')[1:]]
    assert len(ids) == len(set(ids))
    if "--csv" in words:
        rows = list(csv.DictReader((tmp_path / "a.csv").open()))
        assert {row["agent" if command == "simulate" else "among"] for row in rows} == {*AMONG}


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("simulate", "--agents", "dealer"), "argument --among: not allowed with argument --agents"),
        (("audit", "--agents", "dealer"), "argument --among: not allowed with argument --agents"),
        (("simulate", "--until-sure", "turns"), "--until-sure settles one question; leave out --among"),
        (("compare", "--b", "yellow_goal=6", "--until-sure", "turns"), "--until-sure settles one question"),
        (("compare", "--b", "random"), "--among says who plays on both sides; --b names agents, too"),
    ],
)
def test_what_cannot_go_together_is_told_in_one_sentence(run: Any, words: Any, told: str) -> None:
    command, *rest = words
    status, out, err = run(command, "dimensions", *rest, "--among", *AMONG)
    assert (status, out) == (2, "")
    assert told in err
    assert err.count("\n") == 1


def test_kept_runs_have_the_agent_behind_their_name(run: Any) -> None:
    status, out, _ = run("simulate", "dimensions", "--games", 50, "--among", *AMONG, "--keep", "mine")
    assert status == 0
    assert "mine-dealer" in out
    assert "mine-tactical" in out


def test_agents_become_parts_of_names() -> None:
    assert list(file_names(["search:iterations=500", "bots/mine.py"])) == ["search-iterations-500", "bots-mine.py"]
    assert list(file_names(["a:b", "a=b"])) == ["1", "2"]
    assert renamed("agents.my.py.win_rate", "my.py", "a / b") == "agents.a / b.win_rate"
    assert renamed("agents.dealer_2.win_rate", "dealer", "x") == "agents.dealer_2.win_rate"
