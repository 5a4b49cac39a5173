"""`playmill learn`: killed and resumed it makes the same file; stopped it keeps what there is; what it says is sure."""

from __future__ import annotations

import json
import os
import shutil
import signal
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from common.found import FOLDERS
from playmill import PlaymillError, State, simulate, sweep
from playmill.agents.agent_specs import seats_for
from playmill.agents.networks import RangeTable
from playmill.cli import main
from playmill.interrupts import Stop
from playmill.lab.learn.kept import KeptLearning
from playmill.lab.learn.run import learn
from playmill.lab.learn.rungs import SEARCH, Rungs
from playmill.report.commands.learning import (
    CurvePoint,
    LearningReport,
    Strength,
    curve_plot,
    curve_table,
    final_table,
    learning_page,
    play_commands,
    verdict,
)
from playmill.stats.estimates import Estimate
from playmill.texts import LANGUAGES, Text
from stopping_runs import finish, start, wait_for

KUHN, PIG = str(FOLDERS["kuhn"]), str(FOLDERS["pig"])
#: Seconds of learning.
TINY = {"decisions": 64, "teacher": "search:iterations=20", "size": 8}
WORDS = ("--decisions", 64, "--teacher", "search:iterations=20", "--size", 8)


@pytest.fixture(autouse=True)
def home(tmp_path, monkeypatch):
    """A home of its own, and a folder of its own to write to."""
    monkeypatch.setenv("PLAYMILL_HOME", str(tmp_path / "home"))
    monkeypatch.chdir(tmp_path)
    return tmp_path / "home"


def kept(home: Path) -> Path:
    """The one folder in which something is learned."""
    (found,) = (home / "learning").iterdir()
    return found


# Killed and resumed


def test_killed_in_the_middle_and_resumed_it_is_the_same_file(tmp_path, home, monkeypatch, capsys):
    command = ("learn", KUHN, "--rounds", 4, "--save", "killed.npz", *WORDS)
    process = start(*command, folder=tmp_path)
    wait_for(lambda: list(home.glob("learning/*/net-0002.npz")), process)
    process.send_signal(signal.SIGKILL)
    assert process.wait() == -signal.SIGKILL
    main(["runs", "--json"])
    (listed,) = json.loads(capsys.readouterr().out)
    assert (listed["kind"], listed["game"], listed["complete"]) == ("learn", "kuhn", False)
    assert 0 < listed["done"] < 1000
    first_round = (kept(home) / "net-0001.npz").read_bytes()
    assert main([*map(str, command), "--quiet"]) == 0
    assert (kept(home) / "net-0001.npz").read_bytes() == first_round
    monkeypatch.setenv("PLAYMILL_HOME", str(tmp_path / "other"))
    assert main([*map(str, command[:4]), "--save", "whole.npz", *map(str, WORDS), "--workers", "1", "--quiet"]) == 0
    assert Path("killed.npz").read_bytes() == Path("whole.npz").read_bytes()


def test_ctrl_c_writes_the_best_so_far_and_the_same_command_goes_on(tmp_path, home):
    command = ("learn", KUHN, "--rounds", 500, "--save", "net.npz", "--html", "page.html", *WORDS)
    process = start(*command, folder=tmp_path)
    wait_for(lambda: list(home.glob("learning/*/net-0001.npz")) and Path("page.html").is_file(), process)
    process.send_signal(signal.SIGINT)
    status, said = finish(process)
    assert status == 1
    assert "net.npz holds the network of round " in said and "and the same command goes on from here" in said
    assert seats_for(_kuhn(), 2, ["net:net.npz"])
    assert "Not finished" in Path("page.html").read_text()
    done = len(list(kept(home).glob("net-*.npz")))
    found = learn(KUHN, save="net.npz", rounds=done + 1, **TINY)
    assert [point.round for point in found.points] == list(range(1, done + 2)) and found.complete


def test_what_failed_before_a_round_was_finished_is_not_kept(home):
    def fails(_: float) -> None:
        raise PlaymillError("the disk is full", "диск полон")

    with pytest.raises(PlaymillError, match="the disk is full"):
        learn(KUHN, save="net.npz", rounds=1, progress=fails, **TINY)
    assert not any((home / "learning").iterdir())


def test_fewer_rounds_than_were_learned_are_what_fewer_rounds_make():
    learn(KUHN, save="three.npz", rounds=3, **TINY)
    found = learn(KUHN, save="one.npz", rounds=1, **TINY)
    assert (found.best, len(found.points)) == (1, 1)


def test_minutes_count_what_was_learned_before(home):
    found = learn(KUHN, save="net.npz", rounds=2, **TINY)
    again = learn(KUHN, save="net.npz", minutes=found.points[-1].seconds / 60, **TINY)
    assert again.points == found.points, "no round more"


@pytest.mark.parametrize("name", ["learner.npz", "net-0001.npz"])
@pytest.mark.parametrize("spoil", [lambda read: read[: len(read) // 2], lambda read: read[:99] + b"?" * 9 + read[108:]])
def test_a_damaged_file_is_learned_anew_and_said_so(home, capsys, name, spoil):
    learn(KUHN, save="net.npz", rounds=2, **TINY)
    whole, file = Path("net.npz").read_bytes(), kept(home) / name
    file.write_bytes(spoil(file.read_bytes()))
    learn(KUHN, save="net.npz", rounds=2, **TINY)
    assert "is damaged, so that all is learned anew" in capsys.readouterr().err
    assert Path("net.npz").read_bytes() == whole


def test_half_of_a_network_gets_a_sentence(capsys):
    learn(KUHN, save="net.npz", rounds=1, **TINY)
    net = Path("net.npz")
    net.write_bytes(net.read_bytes()[: net.stat().st_size // 2])
    assert main(["simulate", KUHN, "--agents", "net:net.npz", "--games", "1"]) == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_a_network_with_a_few_other_bytes_gets_a_sentence(capsys):
    learn(KUHN, save="net.npz", rounds=1, **TINY)
    whole, luck, refused = Path("net.npz").read_bytes(), np.random.default_rng(0), 0
    for _ in range(150):
        changed = bytearray(whole)
        changed[luck.integers(len(whole))] ^= 1 << luck.integers(8)
        Path("net.npz").write_bytes(changed)
        try:
            seats_for(_kuhn(), 2, ["net:net.npz"])
        except PlaymillError as error:
            refused += "cannot play" in str(error)
    assert refused > 50


def test_other_rules_begin_anew_and_it_is_said(tmp_path, capsys):
    game = tmp_path / "mine"
    shutil.copytree(KUHN, game, ignore=shutil.ignore_patterns("__pycache__"))
    process = start("learn", game, "--rounds", 1, *WORDS, folder=tmp_path)
    assert finish(process)[0] == 0 and (tmp_path / "mine.npz").is_file()
    rules = game / "rules.py"
    rules.write_text(rules.read_text() + "\n\nVERSION = 7\n")
    status, said = finish(start("learn", game, "--rounds", 1, *WORDS, folder=tmp_path))
    assert status == 0 and "the rules, or how Playmill learns, have changed since mine-" in said
    assert len(list((tmp_path / "home" / "learning").iterdir())) == 2


def test_another_form_of_what_is_kept_begins_anew_and_it_is_said(capsys, monkeypatch):
    with monkeypatch.context() as before:
        before.setattr("playmill.lab.learn.kept._FORM", 1)
        learn(KUHN, save="net.npz", rounds=1, **TINY)
    learn(KUHN, save="net.npz", rounds=1, **TINY)
    assert "or how Playmill learns, have changed since kuhn-" in capsys.readouterr().err


def test_another_file_of_the_teacher_is_another_training(home):
    learn(KUHN, what="values", save="net.npz", rounds=1, positions=1000, size=8)
    teacher = {**TINY, "teacher": "search:net=net.npz,iterations=20"}
    learn(KUHN, save="moves.npz", rounds=1, **teacher)
    learn(KUHN, what="values", save="net.npz", rounds=2, positions=1000, size=8)
    learn(KUHN, save="moves.npz", rounds=1, **teacher)
    assert len(list((home / "learning").iterdir())) == 3, "that of the values, and one for each of the teachers"


# What is learned


def _kuhn():
    from playmill import load_game

    return load_game(KUHN)


def test_a_learner_beats_random_and_says_how_it_was_made():
    found = learn(KUHN, save="net.npz", rounds=3, **{**TINY, "decisions": 256, "size": 16})
    assert found.final["random"].edge.low > 0, "it gains chips from random, surely"
    with np.load("net.npz") as file:
        how = str(file["how"])
    assert how.startswith("playmill learn kuhn --players 2 --seed 0") and how.endswith(f"--rounds {found.best}")
    decisions = [point.decisions for point in found.points]
    assert decisions == sorted(set(decisions)) and decisions[0] >= 256
    assert set(found.points[0].strengths) == {"random", SEARCH}
    assert set(found.points[1].strengths) == {SEARCH}, "no heuristic: search is who chooses the best"


def test_strength_is_measured_from_every_seat(pig):
    rungs = Rungs(pig, [pig.config()], 2, workers=2)
    for name in ("threshold", "search:iterations=30"):
        seat = rungs.seats[name]
        itself = rungs.strength(seat, name, 40, 1, Stop())
        assert itself is not None
        assert itself.share.value == pytest.approx(0.5), "against itself, from both seats of a deal, half"
    better = rungs.strength(rungs.seats["threshold"], "random", 200, 1, Stop())
    worse = rungs.strength(rungs.seats["random"], "threshold", 200, 1, Stop())
    assert better is not None and worse is not None
    assert better.gain.low > 0 > worse.gain.high
    for one in (better, worse):
        off = [one.share.low - one.gain.low, one.share.high - one.gain.high]
        assert off == pytest.approx([0.5, 0.5]), "one says no more than the other"


def test_alone_strength_is_what_others_win_of_the_same_deals():
    from playmill import load_game

    game = load_game("save_oneself")
    rungs = Rungs(game, [game.config()], 1, workers=2)
    same = rungs.strength(rungs.seats["random"], "random", 50, 1, Stop())
    more = rungs.strength(rungs.seats["survivor"], "random", 200, 1, Stop())
    assert same is not None and more is not None
    assert same.gain.value == 0 and more.gain.low > 0 and more.paid is None


# One network for a range of rules


def over_target(tmp_path: Path) -> str:
    """A network for Pig of one neuron, which sees the target alone: it holds where that is below 70, else it rolls."""
    numbers = 5 + 1
    weight = np.zeros((numbers + 1, 1))
    weight[numbers] = 1  # of the mark: on where the target is at least 70
    np.savez(
        tmp_path / "over.npz", game="pig", version=2, mixes=0, over=np.array(["target"]), marks=[[5, 70]],
        shift=np.zeros(numbers), scale=np.ones(numbers), weight_0=weight, bias_0=[0.0],
        policy_weight=[[1.0, 0.0]], policy_bias=[0.0, 0.5], value_weight=[[0.0]], value_bias=[0.5],
    )  # fmt: skip
    return f"net:{tmp_path / 'over.npz'}"


@pytest.mark.parametrize("interpreted", [False, True])
def test_a_network_over_a_range_sees_the_numbers_of_the_rules(tmp_path, pig, interpreted):
    seat = seats_for(pig, 2, [over_target(tmp_path)])[0]
    chosen = {}
    for target in (40, 69, 70, 100):
        config = pig.config().changed([f"target={target}"])
        state = State(pig, config=config, interpreted=interpreted)
        put = np.zeros(1, pig.state)
        put[0] = state.record
        put["pot"] = 12
        state.put_record(put)
        chosen[target] = state.choice_of(seat.number, seat.params, seat.table)
    assert chosen == {40: 1, 69: 1, 70: 0, 100: 0}


def test_every_command_asks_it_with_the_rules_it_plays(tmp_path, pig):
    """Who always rolls never banks anything; who always holds does so from the first throw on."""
    net = over_target(tmp_path)
    turns = {
        target: simulate(pig, agents=net, set=[f"target={target}", "max_turns=400"], games=50)["turns"].value
        for target in (40, 100)
    }
    assert turns[40] < 60 and turns[100] > 300
    swept = sweep(pig, over=["target=40,100"], show=["turns"], agents=net, set=["max_turns=400"], games=50)
    low, high = (one["figures"]["turns"]["value"] for one in swept.json()["results"]["settings"])
    assert (low, high) == (turns[40], turns[100])


def test_the_table_for_a_setting_is_what_a_network_without_a_range_would_have(pig):
    luck = np.random.default_rng(3)
    numbers, marks = pig.observation + 2, np.array([[0, 1], [5, 50], [6, 3], [6, 9], [2, 10]])
    arrays = {
        "over": np.array(["target", "faces"]), "mixes": 0, "marks": marks,
        "shift": luck.normal(size=numbers), "scale": luck.random(numbers),
        "weight_0": luck.normal(size=(numbers + len(marks), 7)), "bias_0": luck.normal(size=7),
        "policy_weight": luck.normal(size=(7, 2)), "policy_bias": luck.normal(size=2),
        "value_weight": luck.normal(size=(7, 1)), "value_bias": luck.normal(size=1),
    }  # fmt: skip
    found = RangeTable(arrays)._with([60.0, 8.0])
    for seen in luck.integers(0, 20, (20, pig.observation)):
        whole = np.array([*seen, 60, 8])
        inputs = np.concatenate([(whole - arrays["shift"]) * arrays["scale"], whole[marks[:, 0]] >= marks[:, 1]])
        folded = (seen - found["shift"]) * found["scale"]
        rest = seen[found["marks"][:, 0].astype(int)] >= found["marks"][:, 1]
        expected = inputs @ arrays["weight_0"] + arrays["bias_0"]
        assert np.allclose(np.concatenate([folded, rest]) @ found["weight_0"] + found["bias_0"], expected)


def test_a_range_is_learned_and_written_and_search_takes_none(capsys):
    found = learn(PIG, save="net.npz", rounds=2, over="target=30..50/10", **TINY)
    assert found.json()["over"] == ["target=30,40,50"]
    assert play_commands(found.shown)[0].endswith("--set target=40"), "it is tried by rules that it has learned"
    with np.load("net.npz") as file:
        assert file["over"].tolist() == ["target"] and "--over target=30,40,50" in str(file["how"])
        assert len(file["shift"]) == 5 + 1 and (file["scale"][5] > 0), "games were dealt with several targets"
    assert main(["simulate", PIG, "--agents", "net:net.npz", "--games", "20", "--set", "target=40", "--quiet"]) == 0
    capsys.readouterr()
    assert main(["simulate", PIG, "--agents", "search:net=net.npz", "--games", "1"]) == 2
    assert "search takes one that was learned without --over" in capsys.readouterr().err


# What is asked for wrongly


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--size", "3"], "'3' is no whole number from 8 to 512"),
        (["--size", "many"], "'many' is no whole number from 8 to 512"),
        (["--minutes", "0"], "'0' is no number above 0"),
        (["--decisions", "3"], "is no whole number from 64"),
        (["--minutes", "1", "--rounds", "1"], "not allowed with argument"),
        (["--on", "cuda"], "learn uses the cores of this machine and cannot run on cuda"),
        (["--on", "ray"], "learn uses the cores of this machine and cannot run on ray"),
        (["--teacher", "random"], "a teacher is `search` by iterations"),
        (["--teacher", "search:ms=10"], "a teacher is `search` by iterations"),
        (["--players", "5"], "5"),
        (["--set", "nothing=3"], "nothing"),
        (["--save", "."], "it is a folder"),
        (["--over", "nothing=1..3"], "nothing"),
        (["--over", "target=5..1"], "--over target=5..1"),
        (["--over", "agent.threshold.n=1..3"], "agent"),
        (["--save", "same.npz", "--out", "same.npz"], "name two files"),
    ],
)
def test_what_cannot_be_is_told_in_one_sentence_before_anything_is_played(words, said, home, capsys):
    for lang in LANGUAGES:
        assert main(["learn", PIG, *words, "--lang", lang]) == 2
        told = capsys.readouterr().err
        assert told.count("\n") == 1 and (lang == "ru" or said in told)
    assert not (home / "learning").exists() and not Path("pig.npz").exists()


@pytest.mark.parametrize("asked", [{"rounds": 0}, {"rounds": -1}, {"minutes": 0}, {"minutes": float("nan")}])
def test_python_is_told_that_no_time_is_too_little(asked, home):
    with pytest.raises(PlaymillError, match="more than 0 minutes, or at least 1 round"):
        learn(KUHN, save="net.npz", **asked)
    assert not home.exists() and not Path("net.npz").exists()


def test_half_a_neuron_is_refused_from_python_too():
    with pytest.raises(PlaymillError, match=r"a layer has 8\.5 neurons; expected 8 … 512"):
        learn(KUHN, save="net.npz", size=8.5)


@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_that_may_not_be_written_is_told_before(tmp_path, capsys):
    (tmp_path / "closed").mkdir(mode=0o500)
    assert main(["learn", PIG, "--save", "closed/net.npz"]) == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_a_home_that_cannot_be_written_is_told(tmp_path, monkeypatch, capsys):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("PLAYMILL_HOME", str(tmp_path / "file"))
    assert main(["learn", KUHN, "--rounds", "1", *map(str, WORDS)]) == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_where_nobody_ever_chooses_there_is_nothing_to_learn(tmp_path, capsys):
    game = tmp_path / "forced"
    shutil.copytree(PIG, game, ignore=shutil.ignore_patterns("__pycache__"))
    rules = game / "rules.py"
    text = rules.read_text()
    before = "    out.ids[0] = ROLL\n    out.ids[1] = HOLD\n    return 2 if s.pot > 0 else 1\n"
    assert before in text
    rules.write_text(text.replace(before, "    out.ids[0] = HOLD if s.pot > 0 else ROLL\n    return 1\n"))
    assert main(["learn", str(game)]) == 2
    assert "there is nothing to learn in forced: nobody ever has more than one option" in capsys.readouterr().err


def test_two_at_once_are_told_apart(home):
    learn(KUHN, save="net.npz", rounds=1, **TINY)
    what = json.loads((kept(home) / "what.json").read_text())
    del what["form"]
    one = KeptLearning("kuhn", what, "playmill learn kuhn")
    with one, pytest.raises(PlaymillError, match="is being played by another process"):
        learn(KUHN, save="net.npz", rounds=1, **TINY)


# What is told


def told(
    final: dict[str, tuple[float, float]], *, players: int = 2, best: int = 9, paid: bool = False
) -> LearningReport:
    """A report of ten rounds: of each rung the gain and its half-width."""
    strengths = {
        name: Strength(
            Estimate(0.5 + gain, 0.5 + gain - half, 0.5 + gain + half, 400, 1.0),
            Estimate(gain, gain - half, gain + half, 400),
            Estimate(3 * gain, 3 * (gain - half), 3 * (gain + half), 400) if paid else None,
        )
        for name, (gain, half) in final.items()
    }
    points = tuple(CurvePoint(k, 30.0 * k, 100 * k, 400 * k, strengths) for k in range(1, 11))
    return LearningReport(
        title=Text("Toy", "Игрушка"),
        game="toy",
        players=players,
        seed=3,
        size=64,
        teacher="search:iterations=200",
        rungs=tuple(final),
        judge=[*final][-1],
        points=points,
        best=best,
        file="toy.npz",
        command="playmill learn toy",
        final=strengths,
        bytes=12_345,
        changes={"target": 50},
    )


def test_what_is_not_settled_is_not_called_stronger():
    found = told({"random": (0.3, 0.02), "greedy": (0.01, 0.02), "search:iterations=30": (-0.2, 0.05)})
    assert verdict(found, "en")[0] == (
        "The network is stronger than random; neither surely stronger nor surely weaker than greedy; weaker than"
        " search:iterations=30."
    )
    assert "more --minutes" in verdict(found, "en")[-1]
    assert "more --minutes" not in verdict(told({"greedy": (0.1, 0.02)}, best=4), "en")[-1]


@pytest.mark.parametrize("what", ["moves", "values"])
def test_a_report_that_is_not_finished_names_the_round_of_its_file(what):
    found = replace(told({"random": (0.3, 0.02)}, best=4), what=what, final={})
    assert verdict(found, "en") == [
        "Not finished: 10 rounds so far. The file is the network of round 4; the same command goes on."
    ]
    one = replace(found, points=found.points[:1], best=1)
    assert verdict(one, "en")[0].startswith("Not finished: 1 round so far. The file is the network of round 1;")


def test_many_rungs_are_looked_at_so_each_must_be_surer():
    one, many = {"a": (0.02, 0.0199)}, dict.fromkeys("abcde", (0.02, 0.0199))
    assert verdict(told(one), "en")[0] == "The network is stronger than a."
    assert verdict(told(many), "en")[0].startswith("The network is neither surely stronger")


@pytest.mark.parametrize("kind", [{}, {"players": 1}, {"paid": True}], ids=["wins", "alone", "chips"])
def test_a_page_in_both_languages_has_curve_and_commands(kind):
    found = told({"random": (0.3, 0.02), "greedy": (0.1, 0.02)}, **kind)
    for lang in LANGUAGES:
        page = learning_page(found, lang)
        assert page.count("pm-band") > 2 and "net:toy.npz" in page and "target" in page and "nan" not in page
        assert final_table(found).rows[0][0] == "random"
    assert len(curve_plot(found).curves) == 2
    assert len(curve_table(found, most=4).rows) == 4
    assert play_commands(found)[0].endswith("--set target=50")


def test_numbers_are_saved_as_they_are_read():
    found = told({"random": (0.3, 0.02)}, paid=True)
    point = found.points[0]
    assert CurvePoint.from_json(json.loads(json.dumps(point.json()))) == point


def test_the_results_are_written_as_json_and_printed(capsys):
    words = ["--rounds", "1", "--out", "found.json", *map(str, WORDS)]
    assert main(["learn", KUHN, *words]) == 0
    said = capsys.readouterr().out
    assert "The learning curve" in said and "net:kuhn.npz" in said and "wrote kuhn.npz" in said
    saved = json.loads(Path("found.json").read_text())
    assert saved["best_round"] == 1 and saved["complete"] and set(saved["strengths"]) == {"random", SEARCH}
    assert saved["curve"][0]["strengths"]["random"]["share"]["n"] == 500
