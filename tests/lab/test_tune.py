"""`tune`: finds the best numbers where they are known, nothing where there is nothing, and survives being killed."""

from __future__ import annotations

import json
import math
import re
import shlex
from functools import partial
from pathlib import Path

import numpy as np
import pytest
import studies

from playmill import PlaymillError, load_game, simulate, tune
from playmill.agents.agent_specs import seats_for
from playmill.cli import main
from playmill.lab.decide.changeable import Changeable
from playmill.lab.decide.tune.evaluator import Evaluator
from playmill.lab.decide.tune.final_race import LEVEL, FinalRace, as_good
from playmill.lab.decide.tune.goals import read_goals
from playmill.lab.decide.tune.journal import FILE, tunings_folder
from playmill.lab.decide.tune.search import Search, ladder
from playmill.lab.decide.tune.space import Space, key
from playmill.report.commands.tuning_verdict import effort, verdict
from playmill.stats.goal_loss import Aim, Reading, difference
from playmill.texts import LANGUAGES

PIG = "examples/pig"
GROUPS = 16
RUSSIAN = re.compile("[а-яё]")
#: Quick, and enough to find a number of Pig.
QUICK = {"agents": "threshold", "games": 400, "trials": 14}


class Toy:
    """A bench of a game that takes no time: figures are known functions of the setting, and noise by deal and luck."""

    def __init__(self, figures, noise=1.0, seed=0):
        self.figures, self.noise, self.seed, self.games, self.tables = figures, noise, seed, 0, ("",)

    def valid(self, setting):
        if setting.get("target") == 13:
            raise PlaymillError("13 is unlucky", "13 — несчастливое число")

    def read(self, setting, seed_step, deals):
        self.games += deals
        names = tuple(self.figures)
        common = np.random.default_rng([self.seed, seed_step]).normal(0, self.noise, (deals, len(names)))
        own = [self.seed, seed_step, *key(setting).encode()]
        apart = np.random.default_rng(own).normal(0, self.noise / 3, (deals, len(names)))
        means = np.array([figure(setting) for figure in self.figures.values()])
        groups = (means + common + apart).reshape(-1, GROUPS, len(names)).mean(axis=0)
        whole = groups.mean(axis=0)
        without = (groups.sum(axis=0) - groups) / (GROUPS - 1)
        return Reading(names, whole, without, (None,) * len(names), (deals // GROUPS,) * GROUPS)

    def forget(self, setting=None):
        """Nothing is kept."""


def toy_search(pig, figures, aims, *, free, deals=576, trials=40, seed=0, noise=1.0, front=False):
    space, bench = Space(pig.config(), free), Toy(figures, noise, seed)
    search = Search(space, bench, deals=deals, trials=trials, seed=seed, front=front)
    search.run(lambda _: aims, lambda _: False, lambda _: None)
    ending = FinalRace(space, bench, [aim for goal in aims for aim in goal], deals=deals, progress=lambda: None)
    return search, ending


def settled(search, ending):
    """The winner of the race, and whether fresh games show that it is better than the rules: as `tune` does it."""
    best = sorted(search.finished, key=lambda trial: (trial.loss, trial.number))
    finalists = [trial.setting for trial in best if trial.setting][:5]
    winner = ending.race([{}, *finalists])[0].setting if finalists else {}
    if not winner:
        return {}, False
    rules, proof = ending.prove([{}, winner])
    return winner, difference(proof.judged, rules.judged).below(LEVEL)


# Planted answers


def test_the_best_value_of_a_toy_is_found(pig):
    figures = {"gap": lambda one: abs(one.get("target", 100) - 137) / 10}
    for seed in range(5):
        search, ending = toy_search(pig, figures, [[Aim("at", ("gap",), 1.0)]], free=["target:50..250"], seed=seed)
        winner, better = settled(search, ending)
        assert better
        assert abs(winner["target"] - 137) <= 5
        assert any(trial.hopeless for trial in search.trials)
        assert search.trials[0].setting == {} and search.trials[0].loss == 0


def test_two_numbers_of_which_one_matters(pig):
    figures = {"gap": lambda one: abs(one.get("target", 100) - 130) / 10}
    search, ending = toy_search(
        pig, figures, [[Aim("at", ("gap",), 1.0)]], free=["target:50..250", "faces:2..20"], trials=60
    )
    winner = {"target": 130, "faces": 9}
    effects = ending.effects(winner)
    assert effects[0].path == "target"
    assert effects[0].share.low > 0.9
    assert effects[1].share.low <= 0 <= effects[1].share.high
    smallest = ending.smallest(winner, effects, [], 0.2)
    assert smallest.keys() == {"target"}
    assert 124 <= smallest["target"] <= 130, "it may leave a fifth of the gap, and is sure to"
    assert search.best.loss < -7


def test_nothing_is_found_where_there_is_nothing(pig):
    """No number does anything: in at least 95 % of small repetitions it says so."""
    wrong = lucky = 0
    for seed in range(60):
        search, ending = toy_search(
            pig, {"gap": lambda _: 0.5}, [[Aim("at", ("gap",), 1.0)]], free=["target:50..250"],
            deals=144, trials=12, seed=seed,
        )  # fmt: skip
        lucky += search.best.loss < 0
        wrong += settled(search, ending)[1]
    assert wrong <= 3
    assert lucky > 45, "the luckiest of a search looks better than the rules"


def test_a_front_has_both_ends(pig):
    figures = {"a": lambda one: one.get("target", 100) / 10, "b": lambda one: -one.get("target", 100) / 10}
    aims = [[Aim("high", ("a",), 1.0)], [Aim("high", ("b",), 1.0)]]
    search, _ = toy_search(pig, figures, aims, free=["target:50..150"], front=True, noise=0.3)
    targets = [trial.setting.get("target", 100) for trial in search.leading()]
    assert min(targets) < 70 and max(targets) > 130


def test_what_the_config_refuses_is_counted_and_left_out(pig):
    search, _ = toy_search(pig, {"gap": lambda _: 0.0}, [[Aim("at", ("gap",), 1.0)]], free=["target:10..16"], trials=20)
    assert search.refused == 1
    assert search.whole
    assert sorted(trial.setting.get("target", 100) for trial in search.trials) == [10, 11, 12, 14, 15, 16, 100]


# Pig


def test_a_target_length_is_found_in_pig(pig):
    found = tune(pig, free="target:50..200", goal="turns=30", keep=False, **QUICK)
    assert found.better
    assert found.changes == dict(found.best.setting)
    alone = simulate(pig, games=2000, agents="threshold", config=found.config, seed=77)
    assert alone.results["turns"]["value"] == pytest.approx(30, abs=2.5)
    assert found.rules.reading.estimate("turns").high < 22
    (goal,) = found.shown.goals
    assert goal.best is not None and goal.best.low - 2 < 30 < goal.best.high + 2


def test_fresh_games_are_other_games_than_those_of_the_search(pig):
    found = tune(pig, free="target:50..200", goal="turns=30", keep=False, **QUICK)
    trial = next(one for one in found.trials if key(one.setting) == key(found.best.setting))
    assert trial.reading["turns"] != found.best.reading["turns"]
    seen = simulate(pig, games=2 * found.deals, agents="threshold", config=found.config, seed=3)
    assert seen.results["turns"]["value"] == pytest.approx(found.best.reading["turns"], abs=1e-12)


def test_a_goal_out_of_reach_and_a_bound_are_said_in_the_first_line(pig):
    found = tune(pig, free="target:50..120", goal=["turns=30", "low:draws.rate"], keep=False, **QUICK)
    assert found.changes == found.at_bound == {"target": 120}
    assert [goal.reached for goal in found.shown.goals] == [False, None]
    first = verdict(found.shown, "en")[0]
    assert first == (
        "Not reached: turns=30. Better than the rules: target = 120. At the bound of its range: target = 120."
    )
    assert verdict(found.shown, "ru")[0].startswith("Не достигнуто: turns=30. Лучше правил:")
    assert f'role="alert">{first}</p>' in found.page("en")
    saved = found.json()["results"]
    assert (saved["at_bound"], [goal["reached"] for goal in saved["goals"]]) == ({"target": 120}, [False, None])


def test_rules_that_miss_a_goal_say_so_where_nothing_better_is_found(pig):
    found = tune(pig, free="faces:6|7", goal="turns=300", keep=False, games=64, trials=1, agents="threshold")
    assert verdict(found.shown, "en")[0].startswith("Not reached: turns=300. ")
    assert found.at_bound == {}


def test_the_smallest_change_is_never_as_good_as_the_best_in_every_goal(pig):
    replaced = 0
    for seed in (0, 4):
        found = tune(
            pig, free=["target:40..120", "faces:4..8"], goal=["turns=25", "equal:seats.*.win_rate"],
            agents="threshold", games=128, trials=10, seed=seed, keep=False, nearly=0.5,
        )  # fmt: skip
        if found.smallest is not found.best:
            assert not as_good(found.smallest.reading, found.best.reading, found.aims)
        # Where a smaller change was no worse it became the best, and is told of by games that chose nothing.
        raced = found.runners[0].setting if found.runners else {}
        replaced += bool(found.best.setting) and key(found.best.setting) != key(raced)
    assert replaced


def test_cut_off_anywhere_and_resumed_the_trials_are_the_same(pig, home):
    asked = partial(
        tune, pig, free=["target:50..200", "faces:4..9"], goal=["turns=30", "equal:seats.*.win_rate"], **QUICK
    )
    whole = asked()
    (journal,) = tunings_folder().glob(f"*/{FILE}")
    text = journal.read_bytes()
    for end in (len(text) * 2 // 3, text.index(b"\n") + 200, 0):
        journal.write_bytes(text[:end])
        again = asked()
        assert {**again.json()["results"]} == {**whole.json()["results"]}
        assert sorted(_without_times(journal)) == sorted(_without_times(text))


def _without_times(journal):
    text = journal if isinstance(journal, bytes) else journal.read_bytes()
    lines = [json.loads(line) for line in text.splitlines()]
    return [json.dumps({name: value for name, value in line.items() if name != "seconds"}) for line in lines]


def test_a_stopped_tuning_says_how_to_go_on(pig, monkeypatch, capsys):
    reads = 0
    read = Evaluator.read

    def stopping(self, *args):
        nonlocal reads
        reads += 1
        if reads == 6:
            raise KeyboardInterrupt
        return read(self, *args)

    words = [
        "tune",
        "examples/pig",
        *shlex.split("--agents threshold --free target:50..200 --goal turns=30 --games 200 --trials 6"),
    ]
    monkeypatch.setattr(Evaluator, "read", stopping)
    assert main(words) == 1
    assert "the same command goes on" in capsys.readouterr().err
    monkeypatch.setattr(Evaluator, "read", read)
    assert main(words) == 0
    assert "turns=30" in capsys.readouterr().out


def test_a_budget_of_time_ends_the_search(pig):
    found = tune(pig, free="target:50..200", goal="turns=30", seconds=1e-9, **QUICK)
    assert len(found.trials) == 1 and not found.better and found.changes == {}
    again = tune(pig, free="target:50..200", goal="turns=30", seconds=1e-9, **QUICK)
    assert len(again.trials) == 1


@pytest.mark.parametrize("seconds", [0, -1, math.nan])
def test_a_time_that_is_none_is_refused(pig, seconds):
    with pytest.raises(PlaymillError, match="expected a number above 0"):
        tune(pig, free="target:50..200", goal="turns=30", seconds=seconds, **QUICK)


def test_a_budget_of_games_ends_the_search(pig):
    found = tune(pig, free="target:50..200", goal="turns=30", most_games=1500, keep=False, **QUICK)
    assert 1 < len(found.trials) < 14


def test_several_goals_and_a_front_show_themselves_in_both_languages(pig, tmp_path, capsys):
    words = shlex.split(
        "tune examples/pig --agents threshold --free target:60..160/20 faces:5..8"
        " --goal turns=25 '2*equal:seats.*.win_rate' --games 300 --trials 8"
    )
    for lang in LANGUAGES:
        for front in ([], ["--front"]):
            page, saved = tmp_path / f"{lang}{len(front)}.html", tmp_path / f"{lang}{len(front)}.json"
            assert main([*words, *front, "--lang", lang, "--html", str(page), "--out", str(saved)]) == 0
            told = capsys.readouterr().out
            assert "turns=25" in told
            assert {"en": "seats win equally often", "ru": "места побеждают одинаково часто"}[lang] in " ".join(
                told.split()
            )
            assert bool(RUSSIAN.search(told)) == (lang == "ru")
            text = page.read_text(encoding="utf-8")
            assert f'lang="{lang}"' in text and "<svg" in text
            for seat in {"en": ("Seat 1", "Seat 2"), "ru": ("Место 1", "Место 2")}[lang]:
                assert front or (re.search(rf"^{seat} +\d", told, re.M) and f">{seat}<" in text), "as reports do"
            data = json.loads(saved.read_text())
            assert len(data["results"]["trials"]) == data["meta"]["trials"]
            assert data["meta"]["goals"] == ["turns=25.0", "2*equal:seats.*.win_rate"]


def test_the_config_file_is_one_that_can_be_played(pig, tmp_path, capsys):
    best, small = tmp_path / "best.json", tmp_path / "small.json"
    words = "--agents threshold --free target:50..200 --goal turns=30 --games 400 --trials 14 --no-keep"
    written = ["--out-config", str(best), "--out-smallest", str(small)]
    assert main(["tune", "examples/pig", *shlex.split(words), *written]) == 0
    found, less = (pig.config.read(json.loads(path.read_text())).target for path in (best, small))
    assert found == pytest.approx(145, abs=12)
    assert 130 < less <= found
    told = capsys.readouterr().out
    assert f"playmill compare {Path('examples/pig').resolve()}" in told
    command = shlex.split(next(line for line in told.splitlines() if "playmill compare" in line).partition(": ")[2])
    assert main([*command[1:], "--games", "64"]) == 0


def test_a_notebook_shows_the_page(pig):
    found = tune(pig, free="target:50..200", goal="turns=30", keep=False, **QUICK)
    assert found._repr_html_().startswith('<iframe srcdoc="&lt;!DOCTYPE html&gt;')
    assert "target = " in repr(found)


def test_answers_that_could_not_be_used_are_told(pig, tmp_path):
    agent = tmp_path / "rude.py"
    agent.write_text("def choose(decision):\n    return 'no'\n")
    found = tune(pig, free="target:20..21", goal="turns=10", agents=str(agent), games=64, trials=1, keep=False)
    assert found.unused > 0
    assert "answers of agents could not be used" in found.page("en")


def test_a_choice_without_the_figure_is_left_out(pig):
    def lacking(setting):
        if setting:
            raise PlaymillError("the report has no gap with these numbers", "с этими числами в отчёте нет gap")
        return 0.0

    search, _ = toy_search(pig, {"gap": lacking}, [[Aim("at", ("gap",), 1.0)]], free=["target:10..12"], trials=5)
    assert (len(search.trials), search.refused) == (1, 3)


# What may change, and what is wanted


@pytest.mark.parametrize(
    ("word", "values"),
    [
        ("target:50..53", (50, 51, 52, 53)),
        ("target:50..60/5", (50, 55, 60)),
        ("target:50|80|100", (50, 80, 100)),
        ("target:1..10/log", (1, 2, 3, 4, 5, 6, 7, 8, 9, 10)),
    ],
)
def test_a_range_has_these_values(pig, word, values):
    (one,) = Space(pig.config(), [word]).free
    found = one.values()
    assert found == values if "log" not in word else set(found) <= set(values) and found[0] == 1 and found[-1] == 10
    assert one.written() == word


def test_a_number_with_a_condition_is_free_only_there(pig):
    space = Space(pig.config(), ["faces:6|8", "target:50..60?faces=8"])
    assert space.setting({"faces": 6, "target": 55}) == {}
    assert space.setting({"faces": 8, "target": 55}) == {"faces": 8, "target": 55}
    assert space.whole({"faces": 8}) == {"faces": 8, "target": 100}
    assert space.count is None


MISTAKES = [
    ("--goal turns=25", "nothing is free"),
    ("--free target --goal turns=25", "expected path:low..high"),
    ("--free target:9..5 --goal turns=25", "low end below the high one"),
    ("--free target:1.5..5 --goal turns=25", "whole number"),
    ("--free nothing:1..5 --goal turns=25", "no 'nothing'"),
    ("--free target:0..5/log --goal turns=25", "above 0"),
    ("--free target:1..5 target:2..6 --goal turns=25", "twice"),
    ("--free target:50..60?faces=8 faces:6|8 --goal turns=25", "before what depends on it"),
    ("--free target:50..60", "no goal"),
    ("--free target:50..60 --goal turns", "expected equal:FIGURES"),
    ("--free target:50..60 --goal 0*turns=3", "more than 0"),
    ("--free target:50..60 --goal turn=3", "no such figure"),
    ("--free target:50..60 --goal equal:turns", "equal to itself"),
    ("--free target:50..60 --goal seats.*.win_rate=50%", "name one"),
    ("--free target:50..60 --goal worth.sword=0", "no content"),
    ("--free target:50..60 --goal turns=25 --front", "two goals"),
    ("--free target:50..60 --goal turns=25 --time soon", "expected a time"),
    ("--free target:50..60 --goal turns=25 --nearly 200%", "between 0 and 1"),
    ("--free target:50..60 --goal turns=25 --players 2 2", "named twice"),
    ("--free target:50..60 --goal turns=25 draws.rate=0 --front --out-config x.json", "not one config"),
]


@pytest.mark.parametrize(("words", "told"), MISTAKES)
def test_wrong_input_gets_one_sentence(words, told, capsys, tmp_path, monkeypatch):
    assert main(["tune", "examples/pig", *shlex.split(words), "--games", "64", "--trials", "1"]) == 2
    error = capsys.readouterr().err
    assert told in error and error.count("\n") == 1
    assert main(["tune", "examples/pig", *shlex.split(words), "--lang", "ru", "--games", "64", "--trials", "1"]) == 2
    assert RUSSIAN.search(capsys.readouterr().err)


def test_nothing_is_left_of_a_tuning_that_was_refused(pig, home):
    with pytest.raises(PlaymillError, match="no such figure"):
        tune(pig, free="target:5|6", goal="nothing=3", trials=1, games=2, keep=True)
    assert not [*tunings_folder().iterdir()]


def test_one_setting_is_counted_as_one(pig):
    found = tune(pig, free="target:5|6", goal="turns=30", trials=1, games=2)
    english, russian = (f"{verdict(found.shown, lang)} {effort(found.shown, lang)}" for lang in LANGUAGES)
    assert "found among 1 setting," in english and "1 setting was tried" in english
    assert "(перебрано настроек: 1)" in russian


def test_goals_of_a_game_have_names(dimensions):
    factions, length = read_goals(dimensions, ["factions", "0.5*length=12"])
    assert (factions.kind, factions.figures) == ("equal", "factions.*.win_rate")
    assert (length.kind, length.figures, length.target, length.weight) == ("at", "turns", 12.0, 0.5)
    with pytest.raises(PlaymillError, match="whole goal"):
        read_goals(dimensions, ["factions=3"])
    with pytest.raises(PlaymillError, match="a goal of dimensions: factions"):
        read_goals(dimensions, ["fair"])


def test_one_setting_for_several_numbers_of_players(dimensions):
    found = tune(
        dimensions,
        free="hand_size:3..4",
        goal="factions",
        players=[3, 4],
        agents="dealer",
        games=128,
        trials=3,
        keep=False,
    )
    assert {name.partition("/")[0] for name in found.rules.reading.names} == {"3", "4"}
    assert len(found.shown.families) == 2
    for family in found.shown.families:
        assert [name.ru for name, _ in family.rows] == ["Красные", "Зелёные", "Жёлтые", "Синие", "Фиолетовые"]
    assert math.isclose(sum(aim.weight for aim in found.aims[0]), 1.0)


def test_the_ladder_ends_with_all_deals():
    assert ladder(9 * 64) == [64, 192, 576]
    assert ladder(64) == [64]


@pytest.mark.parametrize("name", studies.STUDIES)
def test_the_studies_of_the_page_can_be_asked_for(name, monkeypatch):
    asked = {}
    monkeypatch.setattr(studies, "tune", lambda game, **words: asked.update(game=game, **words))
    studies.STUDIES[name]()
    game = load_game(asked["game"])
    config = game.config.read(asked["config"]) if "config" in asked else game.config()
    space = Space(config, asked["free"])
    for one in space.free:
        space.configured({one.path: one.values()[0]})
        space.configured({one.path: one.values()[-1]})
    assert read_goals(game, [asked["goal"]])


def test_a_number_of_an_agent_is_fitted_and_judged_on_fresh_games():
    settings = {"agents": ["threshold:n=5", "threshold"], "games": 600, "trials": 14, "keep": False}
    found = tune(PIG, free="agent.1.n:5..40", goal="high:agents.threshold:n=5", **settings)
    best = found.changes["agent.1.n"]
    assert found.better
    assert 12 < best <= 40
    assert found.agents == (f"threshold:n={best}", "threshold")
    assert found.config == load_game(PIG).config()
    assert f"--b threshold:n={best} threshold" in found.shown.compare
    assert "rules" not in " ".join([*verdict(found.shown, "en"), effort(found.shown, "en")])
    # The same deals, played by that agent by its whole name: the number is what makes the difference.
    proven = simulate(PIG, agents=[f"threshold:n={best}", "threshold"], seed=3, games=4 * found.deals, rotate=True)
    told = found.best.reading.estimate("agents.threshold:n=5").value
    assert told == pytest.approx(proven.results["agents"][f"threshold:n={best}"]["value"])


@pytest.mark.parametrize(
    ("free", "whole", "values"),
    [("agent.threshold.n:20..22", True, (20, 21, 22)), ("agent.threshold.n:20..21/0.5", False, (20.0, 20.5, 21.0))],
)
def test_a_number_of_an_agent_is_whole_where_its_range_is(free, whole, values):
    pig = load_game(PIG)
    (one,) = Space(Changeable(pig.config(), pig, seats_for(pig, 2, ["threshold"])), [free]).free
    assert (one.whole, one.values()) == (whole, values)


def test_a_config_is_not_written_where_numbers_of_agents_alone_are_free(capsys, tmp_path):
    words = ["--agents", "threshold", "--free", "agent.threshold.n:10..40", "--goal", "turns=30"]
    assert main(["tune", PIG, *words, "--out-config", str(tmp_path / "config.json")]) == 2
    assert "nothing of the rules is free" in capsys.readouterr().err
