"""Playmill as a Python library: what a type checker, the Tab key and a notebook are told of it."""

from __future__ import annotations

import inspect
import json
import os
import shlex
import subprocess
import sys
from dataclasses import astuple
from pathlib import Path

import polars
import pytest

import playmill
from common.found import PACKAGE
from playmill import Batch, Game, PlaymillError, State, compare, simulate, tournament
from playmill.cli import main
from playmill.report.model.tables import Estimate, Table
from playmill.texts import Text, speaking

ROOT = Path(__file__).parent.parent
EXAMPLES = sorted(path.parent for path in (ROOT / "examples").glob("*/rules.py"))

AGENT = """
import playmill
from playmill import Decision, Option


def choose(decision: Decision) -> Option:
    liked = [option for option in decision.options if option.fields.get("act") == "attack"]
    return liked[0] if liked else decision.random.choice(decision.options)


def won(game: str) -> list[float]:
    state = playmill.State(game, seed=1)
    while not state.is_terminal():
        state.apply_action(state.legal_actions()[0])
    return state.returns()


run: playmill.Simulation = playmill.simulate("pig", games=10, agents=["random", "random"])
"""

MISTAKEN = """
from playmill import Decision


def choose(decision: Decision) -> str:
    return decision.options[0]


def kinds(decision: Decision) -> list[str]:
    return decision.kinds
"""


def test_a_strangers_agent_and_game_type_check(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Mistakes in a stranger's file are found, and there are none in the samples nor in what `playmill new` makes."""
    assert (PACKAGE / "py.typed").exists()
    monkeypatch.chdir(tmp_path)
    for kind in ("board", "cards", "dice", "hidden"):
        assert main(["new", f"my_{kind}", "--like", kind]) == 0
    Path("typed").mkdir()  # the folder that the package lies in may be one of installed things, which mypy refuses
    Path("typed", "playmill").symlink_to(PACKAGE, target_is_directory=True)
    Path("agent.py").write_text(AGENT)
    Path("mistaken.py").write_text(MISTAKEN)
    # Types of other libraries are left out: reading them takes five times as long, and they are not what is asked.
    alone = ["--no-site-packages", "--ignore-missing-imports", "--follow-imports", "silent", "--config-file="]
    files = ["agent.py", "mistaken.py", "my_board", "my_cards", "my_dice", "my_hidden", *map(str, EXAMPLES)]
    checked = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", "--no-error-summary", "--cache-dir", os.devnull, *alone, *files],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "MYPYPATH": "typed"},
    )
    found = [line.split(": ", 2)[0::2] for line in checked.stdout.splitlines() if ": error: " in line]
    assert [place for place, _ in found] == ["mistaken.py:6", "mistaken.py:10", "mistaken.py:10"], checked.stdout
    assert '"Decision" has no attribute "kinds"' in checked.stdout


def test_dir_and_the_tab_key_show_what_there_is_before_it_is_imported() -> None:
    code = "import playmill, sys, rlcompleter; print(*dir(playmill)); print('numba' in sys.modules);"
    code += "found = rlcompleter.Completer(vars()); print(found.complete('playmill.simulate_u', 0))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    names, heavy, completed = done.stdout.splitlines()
    assert set(names.split()) == set(playmill.__all__) == set(playmill._HOMES) | {"__version__"}
    assert heavy == "False"
    assert completed == "playmill.simulate_until_sure("


def test_a_table_shows_itself_in_a_notebook_in_the_users_language() -> None:
    rate = Estimate(0.25, 0.2, 0.3, 100)
    rows = (("<b>", 1234, rate), ("b", 5, None))
    columns = (Text("Who", "Кто"), Text("Games", "Партий"), Text("Rate", "Доля"))
    table = Table("wins", Text("Wins & losses", "Победы"), columns, rows, percent_columns=frozenset({2}))
    assert repr([table]) == "[<Table wins: Wins & losses, 2 rows>]"
    shown = table._repr_html_()
    assert shown is not None
    assert "Wins &amp; losses" in shown
    assert "&lt;b&gt;" in shown
    assert "<b>" not in shown
    assert "25.0" in shown
    assert "color" not in shown  # it takes those of the notebook, dark or light
    with speaking("ru"):
        assert "Партий" in str(table._repr_html_())


def test_a_run_and_its_tables_show_themselves_in_both_languages(pig: Game) -> None:
    run = simulate(pig, games=20, seed=1)
    assert "Playmill report" in run._repr_html_()
    with speaking("ru"):
        assert "Отчёт Playmill" in run._repr_html_()
    assert repr(run) == "<Simulation of pig: 20 games, 2 players, random>"
    assert all("<table>" in str(table._repr_html_()) for table in run.tables())


def test_a_run_prints_as_its_report_and_gives_estimates_and_a_table(pig: Game) -> None:
    run = simulate(pig, games=50, seed=1, set={"target": 40}, agents="threshold")
    assert run.info.changes == {"target": 40}
    assert "Changed settings: target = 40" in str(run) and "Seat 1" in str(run)
    with speaking("ru"):
        assert "Изменённые настройки: target = 40" in str(run)
    won = run["seats.0.win_rate"]
    assert isinstance(won, Estimate) and won.low < won.value < won.high and won.n == 50
    assert run["turns"].value == run.results["turns"]["value"]
    with pytest.raises(PlaymillError, match="turms"):
        _ = run["turms"]
    table = run.metrics()
    assert table.columns == ["name", "value", "low", "high", "n"]
    assert table.row(by_predicate=polars.col("name") == "seats.0.win_rate") == ("seats.0.win_rate", *astuple(won)[:4])


def test_a_comparison_prints_as_its_report_and_gives_differences_and_a_table(pig: Game) -> None:
    found = compare(pig, b={"set": {"target": 50}}, games=40, agents="threshold")
    assert "B: target = 50" in str(found) and "What is really different" in str(found)
    assert found["turns"].real and found["turns"].value < -5
    table = found.metrics()
    assert table.columns == ["name", "a", "b", "value", "low", "high", "p", "real"]
    assert table.filter(polars.col("real"))["name"].to_list() == ["turns"]


@pytest.mark.parametrize(
    "name", ["simulate", "simulate_each", "simulate_until_sure", "compare", "sweep", "tune", "audit", "learn"]
)
def test_functions_list_their_arguments(name: str) -> None:
    """So that help, the Tab key and a type checker know them."""
    given = inspect.signature(getattr(playmill, name)).parameters.values()
    assert all(one.kind not in (one.VAR_KEYWORD, one.VAR_POSITIONAL) for one in given)
    assert {"players", "config", "set", "seed", "workers", "progress"} <= {one.name for one in given}


def test_a_state_is_made_of_its_text_and_a_game_checked_by_its_name(pig: Game) -> None:
    state = State.from_text(pig, "pig/2 winner=-1 turns=9 pot=7 total=95,40", seed=1)
    assert state.to_text() == "pig/2 winner=-1 turns=9 pot=7 total=95,40"
    assert playmill.check_game(str(ROOT / "examples" / "pig"), games=1) == ()
    batch = Batch(pig, 2)
    assert len(batch.observation_names) == pig.observation and batch.game_ids.tolist() == [0, 1]


def test_games_states_and_batches_say_what_they_are(pig: Game) -> None:
    assert repr(pig) == "<Game pig: Pig, 2 players, agents random, threshold>"
    state = State(pig, seed=3, number=4)
    assert repr(state) == "<State of pig: game 4 of seed 3, 0 decisions, player 0 of 2 to move>"
    assert state._repr_svg_().startswith("<svg")
    while not state.is_terminal():
        state.apply_action(state.legal_actions()[0])
    assert repr(state).endswith("decisions, over>")
    assert repr(Batch(pig, 5, seed=2)) == "<Batch of pig: 5 games of seed 2, 0 of them over>"


def test_the_command_of_a_report_works_from_any_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A game and an agent that are files are named so that they are found, wherever one stands."""
    home, elsewhere = tmp_path / "home", tmp_path / "elsewhere"
    home.mkdir()
    elsewhere.mkdir()
    (home / "mine.py").write_text("def choose(decision):\n    return decision.options[-1]\n")
    monkeypatch.chdir(home)
    pig = os.path.relpath(ROOT / "examples" / "pig")
    run = simulate(pig, games=4, seed=1, agents=["mine.py", "random"])
    duel = tournament(pig, ["mine.py", "random"], deals=2, keep=False)
    monkeypatch.chdir(elsewhere)
    for command in (run.info.command, duel.found.run.command):
        words = shlex.split(command)
        assert str(ROOT / "examples" / "pig") in words
        assert any(word.endswith(str(home / "mine.py")) for word in words)
        assert main([*words[1:], "--out", "again.json", "--quiet"]) == 0
    monkeypatch.chdir(home)  # here the agent is called what it was called
    assert main([*shlex.split(run.info.command)[1:], "--out", "again.json", "--quiet"]) == 0
    assert json.loads(Path("again.json").read_text())["results"] == json.loads(json.dumps(run.results))


def test_a_replay_of_a_folders_game_says_what_to_pass(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A file never says where code is loaded from; whoever plays it names the folder, and is told how."""
    monkeypatch.chdir(tmp_path)
    pig = str(ROOT / "examples" / "pig")
    assert main(["record", pig, "--seed", "1", "--out", "game.json"]) == 0
    capsys.readouterr()
    assert main(["replay", "game.json"]) == 2
    said = capsys.readouterr().err
    assert "--game" in said
    assert len(said.strip().splitlines()) == 1
    assert main(["replay", "game.json", "--game", pig]) == 0
