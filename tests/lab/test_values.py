"""`playmill learn --what values`: from games of fast agents, then from those of search; killed and resumed, too."""

from __future__ import annotations

import html
import json
import shlex
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from common.float_network import random_values
from common.found import FOLDERS, game_of
from playmill import PlaymillError, State, learn, load_game, simulate
from playmill.agents import experts
from playmill.agents.agent_specs import seats_for
from playmill.agents.networks import Network, network_table
from playmill.cli import main
from playmill.engine.run.rollouts import RolloutAgent
from playmill.lab.learn.rungs import SEARCH
from playmill.lab.learn.searched_play import SearchedPlay
from playmill.lab.learn.self_play import Job, SelfPlay
from playmill.lab.learn.training import inputs_for
from playmill.lab.learn.values import ValueLearner
from playmill.report.commands.learning import CurvePoint, expert_text, learning_page, play_commands, verdict
from playmill.texts import LANGUAGES
from stopping_runs import finish, start, wait_for

KUHN, PIG = str(FOLDERS["kuhn"]), str(FOLDERS["pig"])
#: Seconds of learning.
TINY = {"what": "values", "positions": 1000, "size": 8}
WORDS = ("--what", "values", "--positions", "1000", "--size", "8")


@pytest.fixture(autouse=True)
def home(tmp_path, monkeypatch):
    """A home of its own, and a folder of its own to write to."""
    monkeypatch.setenv("PLAYMILL_HOME", str(tmp_path / "home"))
    monkeypatch.chdir(tmp_path)
    return tmp_path / "home"


@pytest.fixture(scope="module")
def kuhn():
    return game_of("kuhn")


# Positions


def _played(game, count, *, workers, until=0, lapse=0.0):
    seats = [seats_for(game, 2, [name])[0] for name in (game.search.rollout, "random")]
    agents = [RolloutAgent(one.number, one.params) for one in seats]
    jobs = np.zeros(count, Job)
    jobs["seed"], jobs["game"], jobs["until"], jobs["lapse"] = 5, np.arange(count), until, lapse
    return SelfPlay(game, game.config(), 2, agents, workers).positions(jobs, 3)


def test_positions_depend_on_their_games_alone(pig):
    one, two = _played(pig, 200, workers=1), _played(pig, 200, workers=3)
    assert (one.seen == two.seen).all() and (one.paid == two.paid).all()
    assert one.decisions == two.decisions > 2


def test_what_a_game_brought_stands_beside_its_positions(pig):
    """Without lapses the games are those of a run: the same deals, the same agents."""
    found = _played(pig, 30, workers=1)
    run = simulate(pig, games=30, seed=5, agents=[pig.search.rollout])
    assert found.decisions == pytest.approx(run.games["decisions"].mean())
    assert set(np.unique(found.seen[:, -1])) == {0, 1}
    assert (found.paid.sum(axis=1) == found.paid[0].sum()).all()
    first = State(pig, seed=5, number=0, interpreted=True)
    assert found.seen.shape[1] == len(first.observation_tensor()) + 1


def test_positions_come_after_the_lapses(pig):
    """Where everybody chooses at random for 1000 decisions no game is left to keep positions of."""
    assert len(_played(pig, 20, workers=1, until=1000, lapse=1.0).seen) == 0


# Games of search


def _searched(game, count, *, workers=1, believed=0.0, until=6, lapse=0.3, each=4, players=2):
    network = Network(network_table(random_values(game, players, np.random.default_rng(3))), seats=players)
    jobs = np.zeros(count, Job)
    jobs["seed"], jobs["game"], jobs["until"], jobs["lapse"] = 5, np.arange(count), until, lapse
    play = SearchedPlay(game, game.config(), players, workers)
    return play.positions(jobs, each, network, (8.0,), believed=believed)


def test_games_of_search_depend_on_themselves_alone(kuhn):
    one, two = _searched(kuhn, 40), _searched(kuhn, 40, workers=3)
    assert (one.seen == two.seen).all() and (one.paid == two.paid).all() and one.decisions == two.decisions > 1


def test_positions_of_search_are_seen_by_whose_turn_it_is(kuhn):
    found = _searched(kuhn, 60)
    player = kuhn.names.index("player")
    assert (found.seen[:, player] == found.seen[:, -1]).all() and {*found.seen[:, -1]} == {0, 1}
    assert (found.paid.sum(axis=1) == 0).all()


def test_what_search_expects_is_believed_in_part(kuhn):
    """It expects less than the whole stake, and both expect nothing together."""
    true, half, whole = (_searched(kuhn, 60, believed=part) for part in (0.0, 0.5, 1.0))
    assert (true.seen == half.seen).all()
    assert half.paid == pytest.approx((true.paid + whole.paid) / 2, abs=1e-6)
    assert (whole.paid.sum(axis=1) == 0).all() and len(np.unique(whole.paid)) > len(np.unique(true.paid))


def test_positions_are_kept_from_the_last_random_choice_on(kuhn):
    assert len(_searched(kuhn, 20, until=100, lapse=1.0).seen) == 0
    straight = _searched(kuhn, 20, until=0, each=100)
    assert len(straight.seen) == round(20 * straight.decisions), "all of them, where nobody chooses at random"


# What is learned


def test_values_of_pig_explain_who_wins_and_search_plays_by_them(pig):
    found = learn(PIG, what="values", save="values.npz", rounds=2, positions=20_000, size=16)
    left = [point.unexplained for point in found.points]
    assert left[-1].high < 0.85, "who is ahead by a hundred points wins more often"
    assert found.best == len(left), "the last has learned most"
    assert found.json()["unexplained"] == left[found.best - 1].json()
    assert [point.decisions for point in found.points] == [20_000, 40_000]
    assert set(found.points[0].strengths) == {"threshold"} and not found.points[1].strengths
    assert found.final["random"].edge.low > 0 and set(found.final) == {"random", "threshold", SEARCH}
    run = simulate(pig, games=4, agents=["search:net=values.npz,iterations=10", "random"])
    assert len(run.games) == 4


def test_its_file_in_the_folder_of_a_game_is_the_expert(tmp_path):
    learn(KUHN, save="values.npz", rounds=1, **TINY)
    with np.load("values.npz") as file:
        arrays = {name: file[name] for name in file.files}
    how = str(arrays["how"])
    assert how.startswith("playmill learn kuhn --players 2 --seed 0 --size 8 --what values") and how.endswith(" 1")
    assert "games of random, search:iterations=50; " in str(arrays["made"]) and int(arrays["seats"]) == 2
    folder = tmp_path / "expert_kuhn"
    shutil.copytree(KUHN, folder, ignore=shutil.ignore_patterns("__pycache__"))
    np.savez(folder / experts.FILE, **arrays | {"game": folder.name})
    game = load_game(str(folder))
    assert experts.expert_spec(game, 2).startswith("search:iterations=1000,horizon=0,net=")
    assert json.loads(str(arrays["settings"])) == {}
    seat = seats_for(game, 2, ["expert"])[0]
    assert seat.thinks and seat.network is not None and seat.network.seats == 2


def _pig_with(place: Path, experts: str) -> str:
    """Writes Pig whose module of levels names who its experts are."""
    shutil.copytree(PIG, place, ignore=shutil.ignore_patterns("__pycache__"))
    (place / "levels.py").write_text(f"def levels(config):\n    return {experts}\n")
    return str(place)


def test_the_expert_who_plays_or_teaches_is_that_of_the_rules_that_are_learned(tmp_path):
    game = _pig_with(
        tmp_path / "pig_taught", '{"experts": "search:iterations=20" if config.target == 50 else "threshold"}'
    )
    moves = {"what": "moves", "decisions": 64, "size": 8, "rounds": 1, "save": "moves.npz", "teacher": "expert"}
    with pytest.raises(PlaymillError, match="a teacher is `search`"):
        learn(game, **moves)
    assert "--teacher expert" in learn(game, set=["target=50"], **moves).shown.command
    found = learn(game, save="values.npz", rounds=1, agents="expert", set=["target=50"], **TINY)
    assert found.json()["agents"] == ["threshold", "random", "expert"], "it searches with the network, from round 3 on"


def test_no_file_is_called_the_expert_where_the_game_names_another(tmp_path):
    game = _pig_with(tmp_path / "pig_solved", '{"experts": "threshold"} if config.target == 50 else {}')
    usual, other = (
        learn(game, save="values.npz", rounds=1, set=changes, **TINY)
        for changes in (["faces=8"], ["faces=8", "target=50"])
    )
    said = expert_text(usual.shown)
    assert said is not None
    assert (
        f"Copied to {game}/expert.npz, it is the game's expert by these rules: --players 2 --agents expert --set"
        in (said.en)
    )
    assert "--agents expert --set faces=8 играет с ним" in said.ru
    assert expert_text(other.shown) is None, "by these rules threshold is the expert, whatever lies in the folder"
    assert "expert.npz" not in other.page("en") + str(other)


def test_where_games_bring_everybody_the_same_nothing_is_said_to_be_explained(tmp_path):
    place = tmp_path / "pig_for_all"
    shutil.copytree(PIG, place, ignore=shutil.ignore_patterns("__pycache__"))
    rules = (place / "rules.py").read_text()
    returned = "0.5 if s.winner == NOBODY else (1.0 if s.winner == player else 0.0)"
    assert returned in rules
    (place / "rules.py").write_text(rules.replace(returned, "1.0"))
    found = learn(str(place), save="values.npz", rounds=1, **TINY)
    assert "unexplained" not in " ".join(verdict(found.shown, "en"))


def test_who_else_plays_is_another_training(home):
    learn(PIG, save="one.npz", rounds=1, **TINY)
    found = learn(PIG, save="two.npz", rounds=1, agents="threshold:n=12", **TINY)
    assert found.json()["agents"] == ["threshold", "threshold:n=12", "random"]
    assert "--agents threshold:n=12" in found.shown.command
    assert Path("one.npz").read_bytes() != Path("two.npz").read_bytes()
    assert len(list((home / "learning").iterdir())) == 2


def test_where_there_is_a_heuristic_search_plays_if_it_is_named():
    learn(PIG, save="one.npz", rounds=3, **TINY)
    found = learn(PIG, save="two.npz", rounds=3, agents="search:iterations=9", **TINY)
    assert found.json()["agents"] == ["threshold", "random", "search:iterations=9"]
    assert "--agents search:iterations=9" in found.shown.command
    assert [point.decisions for point in found.points] == [1000, 2000, 2250], "a round of search has fewer positions"
    assert Path("one.npz").read_bytes() != Path("two.npz").read_bytes()


def test_killed_in_the_middle_and_resumed_it_is_the_same_file(tmp_path, home, monkeypatch):
    command = ["learn", KUHN, "--rounds", "4", *WORDS]
    process = start(*command, "--save", "killed.npz", "--workers", 2, folder=tmp_path)
    wait_for(lambda: list(home.glob("learning/*/net-0002.npz")), process)
    process.send_signal(signal.SIGKILL)
    assert process.wait() == -signal.SIGKILL
    (first,) = home.glob("learning/*/net-0001.npz")
    before = first.stat().st_mtime_ns
    assert main([*command, "--save", "killed.npz", "--quiet"]) == 0
    assert first.stat().st_mtime_ns == before, "it went on, and did not begin anew"
    monkeypatch.setenv("PLAYMILL_HOME", str(tmp_path / "other"))
    assert main([*command, "--save", "whole.npz", "--workers", "1", "--quiet"]) == 0
    assert Path("killed.npz").read_bytes() == Path("whole.npz").read_bytes()


def test_ctrl_c_keeps_the_rounds_there_are(tmp_path, home):
    process = start("learn", KUHN, "--rounds", 500, "--save", "net.npz", *WORDS, folder=tmp_path)
    wait_for(lambda: list(home.glob("learning/*/net-0002.npz")), process)
    process.send_signal(signal.SIGINT)
    status, said = finish(process)
    assert status == 1 and "the same command goes on from here" in said
    assert seats_for(load_game(KUHN), 2, ["search:net=net.npz"])[0].network is not None


# Training


def _learner(pig, width=8):
    positions = _played(pig, 300, workers=1)
    return ValueLearner(pig, inputs_for(positions.seen, positions.paid), width, 1, 2), positions


def test_gradients_are_those_of_the_error(pig):
    """Beside what the error does when a weight changes a little."""
    learner, positions = _learner(pig)
    luck = np.random.default_rng(2)
    for name, weight in learner._weights.items():
        learner._weights[name] = luck.normal(size=weight.shape) * 0.3
    aims = (positions.paid - learner.inputs.usual) / learner.inputs.spread

    def error():
        return ((learner._head("value", learner._layers(positions.seen)[-1]) - aims) ** 2).mean()

    layers = learner._layers(positions.seen)
    off = (learner._head("value", layers[-1]) - aims) * (2 / aims.size)
    found = learner._gradients(layers, {"value": off})
    assert set(found) == set(learner._weights)
    for name, weight in learner._weights.items():
        place = np.unravel_index(np.abs(found[name]).argmax(), weight.shape)
        ends = []
        for change in (1e-5, -2e-5):
            weight[place] += change
            ends.append(error())
        weight[place] += 1e-5
        assert found[name][place] == pytest.approx((ends[0] - ends[1]) / 2e-5, rel=1e-3), name


def test_a_resumed_learner_draws_what_it_would_have_drawn(pig):
    (one, _), (again, _) = _learner(pig), _learner(pig)
    one._rng.integers(0, 10)  # of 64 random bits half are left over for the next draw
    again.restore(one.saved())
    assert (one._rng.integers(0, 1000, 5) == again._rng.integers(0, 1000, 5)).all()


def test_who_knows_nothing_leaves_everything_unexplained(pig):
    learner, positions = _learner(pig)
    left = learner.unexplained(positions.seen, positions.paid)
    assert left.value == pytest.approx(1, abs=1e-3) and left.n == len(positions.seen)


def test_the_interval_of_what_is_unexplained_is_that_of_the_ratio(pig):
    learner, _ = _learner(pig)
    luck = np.random.default_rng(4)
    seen = np.zeros((2000, pig.observation + 1), np.int32)

    def games():
        one = learner.inputs.usual[0] + luck.normal(size=2000) * luck.choice([0.2, 2.0], 2000) + 0.5
        return np.stack([one, 1 - one], axis=1).astype(np.float32)

    found = [learner.unexplained(seen, games()) for _ in range(150)]
    spread = np.std([one.value for one in found])
    half = np.mean([one.high - one.low for one in found]) / 2
    assert half == pytest.approx(1.96 * spread, rel=0.2)


def test_the_command_trains_by_one_thread_however_many_play():
    """NumPy reads how many threads its products have when it is imported: it must be said before."""
    script = f"""
import os, sys
from playmill.cli import main
os.environ.pop("OPENBLAS_NUM_THREADS", None)
assert "numpy" not in sys.modules
main(["learn", {str(FOLDERS["kuhn"].parent / "nowhere")!r}, "--workers", "3"])
print(os.environ["OPENBLAS_NUM_THREADS"])
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout == "1\n"


# What is asked for wrongly, and what is told


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (
            ["--what", "values", "--teacher", "search:iterations=20"],
            "--teacher is for --what moves, not for --what values",
        ),
        (["--what", "values", "--decisions", "64"], "--decisions is for --what moves"),
        (["--what", "values", "--over", "target=30..50/10"], "--over is for --what moves"),
        (["--what", "moves", "--positions", "5000"], "--positions is for --what values, not for --what moves"),
        (["--what", "moves", "--agents", "threshold"], "--agents is for --what values"),
        (["--what", "chances", "--positions", "5000"], "--positions is for --what values, not for --what chances"),
        (["--decisions", "64", "--positions", "5000"], "--positions is for --what values, not for --what moves"),
        (["--what", "values", "--positions", "3"], "is no whole number from 1000"),
        (["--what", "values", "--agents", "nobody"], "pig has no agent 'nobody'"),
        (
            ["--what", "values", "--agents", "search:ms=5"],
            "of search by iterations with the network that learns; search:ms=5 is neither",
        ),
        (
            ["--what", "values", "--agents", "search:iterations=5", "search:iterations=50"],
            "--agents names search:iterations=5 and search:iterations=50; one search plays in every seat",
        ),
        (["--what", "everything"], "everything"),
    ],
)
def test_what_cannot_be_is_told_in_one_sentence_before_anything_is_played(words, said, home, capsys):
    for lang in LANGUAGES:
        assert main(["learn", PIG, *words, "--lang", lang]) == 2
        told = capsys.readouterr().err
        assert told.count("\n") == 1 and (lang == "ru" or said in told)
    assert not (home / "learning").exists() and not Path("pig.npz").exists()


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ({"what": "all"}, "expected moves, values or chances"),
        ({"what": "values", "positions": 3}, "a round has 3 positions"),
    ],
)
def test_python_is_told_the_same(asked, said):
    with pytest.raises(PlaymillError, match=said):
        learn(PIG, save="values.npz", **asked)


def test_report_and_page_say_how_to_play_with_it(capsys):
    found = learn(PIG, save="values.npz", rounds=5, **TINY)
    assert [bool(point.strengths) for point in found.points] == [True, False, False, False, True]
    point = found.points[0]
    assert CurvePoint.from_json(json.loads(json.dumps(point.json()))) == point
    agent = f"{found.shown.plays},net=values.npz"
    assert agent.startswith("search:iterations=1000,horizon=")
    words = shlex.split(play_commands(found.shown)[0])
    assert main([*words[1:], "--games", "2", "--quiet"]) == 0
    assert verdict(found.shown, "en")[0].startswith("With the network, search:iterations=30,horizon=")
    for lang, copied in (("en", "it is the game's expert"), ("ru", "станет мастером игры")):
        page = learning_page(found.shown, lang)
        assert agent in page and html.escape(copied) in page and f"{PIG}/expert.npz" in page and "nan" not in page
        assert page.count("pm-band") > 2, "two curves"
    assert "unexplained" in str(found) and "expert.npz" in str(found)
