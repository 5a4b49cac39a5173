"""One game by different numbers of players, in Python and on the command line."""

from __future__ import annotations

import csv
import json
import os
import signal
from contextlib import contextmanager

import numpy as np
import pytest

from playmill import Game, PlaymillError, simulate, simulate_each
from playmill.cli import main
from playmill.engine.run.match import Chunk
from playmill.lab.io import progress
from playmill.lab.runs.game_frames import CsvRows


def test_each_run_is_the_one_that_simulate_plays(dimensions: Game) -> None:
    found = simulate_each(dimensions, players=[5, 3], games=300, seed=4, agents="dealer", set=["green_goal=4"])
    assert [run.info.players for run in found.runs] == [5, 3]
    for players in (3, 5):
        alone = simulate(dimensions, players=players, games=300, seed=4, agents="dealer", set=["green_goal=4"])
        assert found[players].results == alone.results
        assert found[players].games.equals(alone.games)
        assert found[players].info.command == alone.info.command
    with pytest.raises(KeyError):
        _ = found[4]
    assert repr(found) == "<SideBySide of dimensions: 5 and 3 players, 300 games each>"
    assert found.series.command == (
        "playmill simulate dimensions --players 5 3 --games 300 --seed 4 --agents dealer --set green_goal=4"
    )


def test_agents_of_the_largest_table_leave_the_last_ones_out_at_smaller_ones(dimensions: Game) -> None:
    agents = ["tactical", "dealer", "random", "dealer", "random"]
    found = simulate_each(dimensions, players=[3, 5], games=50, agents=agents)
    assert [run.info.agents for run in found.runs] == [tuple(agents[:3]), tuple(agents)]
    assert found.series.command.endswith("--agents tactical dealer random dealer random")


def test_agents_in_python_keep_their_names(dimensions: Game) -> None:
    def first(decision):
        return decision.actions[0]

    found = simulate_each(dimensions, players=[3, 4], games=3, agents=[first])
    assert [run.info.agents for run in found.runs] == [("first",) * 3, ("first",) * 4]
    assert found.series.command.endswith("--agents first")


@pytest.mark.parametrize(
    ("settings", "told"),
    [
        ({"players": []}, "no number of players is named"),
        ({"players": [3, 3]}, "players 3 3: 3 is named twice"),
        ({"players": [3, 6]}, "dimensions is played by 3–5 players, not 6"),
        ({"players": [3, 4], "agents": ["random"] * 3}, "3 agents for 3 and 4 players: name one for all seats, or 4"),
        ({"players": [3, 4], "agents": ["clever"]}, "dimensions has no agent 'clever'"),
        ({"players": [3, 4], "games": 0}, "cannot play 0 games"),
    ],
)
def test_mistakes_are_told_before_anything_is_played(dimensions: Game, settings, told: str) -> None:
    with pytest.raises(PlaymillError, match=told):
        simulate_each(dimensions, on_part=lambda players, part: pytest.fail("played"), **settings)


def test_a_config_that_cannot_seat_so_many_is_refused_before_anything_is_played(influence: Game) -> None:
    tiny = {"map": {"name": "tiny", "rows": ["www"]}}
    with pytest.raises(PlaymillError, match=r'map: "tiny" has 3 cells, too few for 4 players'):
        simulate_each(influence, players=[2, 4], config=tiny, on_part=lambda players, part: pytest.fail("played"))


# The command


@pytest.fixture
def run(capsys, tmp_path, monkeypatch):
    """Runs the command in a folder of its own; returns its status and what it printed."""
    monkeypatch.chdir(tmp_path)

    def run(*words):
        status = main(["simulate", *map(str, words)])
        return status, capsys.readouterr()

    return run


WORDS = ("dimensions", "--games", 200, "--seed", 3, "--agents", "dealer")


def test_one_report_holds_all_of_them(run, tmp_path) -> None:
    status, printed = run(*WORDS, "--players", 3, 4, 5, "--out", "a.json", "--csv", "a.csv", "--html", "a.html")
    assert (status, printed.err) == (0, "")
    saved = json.loads((tmp_path / "a.json").read_text())
    assert list(saved) == ["meta", "runs"]
    assert saved["meta"]["players"] == [3, 4, 5]
    assert saved["meta"]["complete"] is True
    assert saved["meta"]["command"] == (
        "playmill simulate dimensions --players 3 4 5 --games 200 --seed 3 --agents dealer"
    )
    rows = list(csv.DictReader((tmp_path / "a.csv").open()))
    assert len(rows) == 200 * (3 + 4 + 5)
    assert {row["players"] for row in rows} == {"3", "4", "5"}
    for players, kept in zip((3, 4, 5), saved["runs"], strict=True):
        assert run(*WORDS, "--players", players, "--quiet", "--out", "one.json", "--csv", "one.csv")[0] == 0
        alone = json.loads((tmp_path / "one.json").read_text())
        assert list(alone) == ["meta", "results"], "one run is saved as ever"
        assert kept["results"] == alone["results"]
        times = {"elapsed_s": 0, "prepared_s": 0}
        assert {**kept["meta"], **times} == {**alone["meta"], **times}
        assert [row for row in rows if row["players"] == str(players)] == list(
            csv.DictReader((tmp_path / "one.csv").open())
        )
    assert "How often each faction wins — Win rate ÷ a fair share" in printed.out.replace("\xa0", " ")
    assert printed.out.count("How games ended") == 1 + 3
    assert 'id="run-3"' in (tmp_path / "a.html").read_text()


def test_rows_of_games_that_do_not_tell_their_players_get_a_column(pig: Game, tmp_path) -> None:
    rows = CsvRows(tmp_path / "a.csv", {1: ["solo"], 2: ["one", "two"]})
    for players in (1, 2):
        rows.add(players, Chunk(5, 1, np.zeros(1, pig.outcome), np.zeros(1, pig.tally)))
    rows.finish()
    found = [(row["players"], row["game"], row["agent"]) for row in csv.DictReader((tmp_path / "a.csv").open())]
    assert found == [("1", "5", "solo"), ("2", "5", "one"), ("2", "5", "two")]


def test_the_first_games_of_each_are_told(run) -> None:
    status, printed = run(*WORDS, "--players", 3, 4, "--trace", 2)
    assert status == 0
    told = printed.out.replace("\N{NO-BREAK SPACE}", " ")
    heads = [line for line in told.splitlines() if line.startswith("=== ")]
    assert heads == [f"=== {players} players, game {number} ===" for players in (3, 4) for number in (0, 1)]


# Ctrl-C


def interrupted_at(games: int):
    """A bar that sends Ctrl-C when more than so many games are played."""

    @contextmanager
    def bar(total, lang, *, quiet):
        sent = []

        def played(done: int) -> None:
            if done > games and not sent:
                sent.append(done)
                os.kill(os.getpid(), signal.SIGINT)

        yield played, lambda done, total: None

    return bar


def test_ctrl_c_keeps_what_is_finished(ctrl_c, run, tmp_path, monkeypatch) -> None:
    games = 200_000
    monkeypatch.setattr(progress, "games_bar", interrupted_at(games))
    words = ("dimensions", "--games", games, "--players", 3, 4, 5, "--workers", 1)
    status, printed = run(*words, "--out", "a.json", "--csv", "a.csv", "--html", "a.html")
    assert status == 1
    saved = json.loads((tmp_path / "a.json").read_text())
    assert saved["meta"]["complete"] is False
    assert saved["meta"]["players"] == [3, 4, 5]
    assert f"--players 3 4 5 --games {games} " in saved["meta"]["command"]
    first, second = saved["runs"]
    assert (first["meta"]["complete"], second["meta"]["complete"]) == (True, False)
    played = second["meta"]["games"]
    assert 0 < played == second["results"]["games"] < games
    assert f"--players 4 --games {played} " in second["meta"]["command"]
    with (tmp_path / "a.csv").open() as rows:
        assert sum(1 for _ in rows) == 3 * games + 4 * played + 1
    told = printed.out.replace("\N{NO-BREAK SPACE}", " ").replace("\n", " ")
    assert "Incomplete; games played with 4 players: " in told
    assert "5 players: none." in told
    assert "5 players: none." in (tmp_path / "a.html").read_text().replace("\N{NO-BREAK SPACE}", " ")
