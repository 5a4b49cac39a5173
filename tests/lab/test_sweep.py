"""`sweep`: figures along numbers of the rules, on common luck."""

from __future__ import annotations

import csv
import json
import shlex
import signal
from io import StringIO

import pytest

from playmill import PlaymillError, simulate, sweep
from playmill.cli import main
from playmill.engine.contract.game import load_game
from playmill.lab.decide.sweep.axes import read_axes
from playmill.report.plots import HeatMap, LinePlot, RowPlot

PIG = "examples/pig"


def values(word, game=PIG):
    return read_axes([word], load_game(game).config())[0].values


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("target=1..9", (1, 2, 3, 4, 5, 6, 7, 8, 9)),
        ("target=10..50/20", (10, 30, 50)),
        ("target=10..49/20", (10, 30)),
        ("target=0.1..0.3/0.1", (0.1, 0.2, 0.3)),
        ("target=5", (5,)),
        ("target=100,50,75", (100, 50, 75)),
        ("target=100|50", (100, 50)),
    ],
)
def test_values_are_ranges_steps_and_lists(word, expected):
    assert values(word) == expected


def test_values_may_be_words():
    assert values("mode=baseline,epic", "dimensions") == ("baseline", "epic")


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["target"], "expected path=1..9"),
        (["=3"], "expected path=1..9"),
        (["goal=1..3"], "the config has no 'goal'"),
        (["target=9..1"], "a high end that is not below it"),
        (["target=1..9/0"], "a step above 0"),
        (["target=5,5"], "5 is named twice"),
        (["target=1..9", "target=3"], "target is named twice"),
        (["target=1..900"], "more than 400 settings"),
        ([], "nothing to go over"),
    ],
)
def test_values_that_cannot_be_read_are_told_in_a_sentence(capsys, words, told):
    over = [part for word in words for part in ("--over", word)]
    assert main(["sweep", PIG, *over, "--show", "turns"]) == 2
    error = capsys.readouterr().err
    assert told in error
    assert error.count("\n") == 1


@pytest.mark.parametrize(
    ("show", "told"),
    [
        (["--show", "turnz"], "--show: there is no figure 'turnz'"),
        (["--show", "*.nothing"], "there is no figure '*.nothing'"),
    ],
)
def test_figures_that_are_not_there_are_told_in_a_sentence(capsys, show, told):
    assert main(["sweep", PIG, "--over", "target=20,30", *show]) == 2
    assert told in capsys.readouterr().err


def test_without_a_figure_all_there_are_are_listed(capsys):
    assert main(["sweep", PIG, "--agents", "threshold", "random"]) == 0
    told = capsys.readouterr().out
    found = simulate(PIG, agents=["threshold", "random"], games=4)
    assert all(figure in told for figure in ("seats.0.win_rate", "agents.threshold", "agents.random", "turns"))
    assert "Turns of a game" in told
    assert "turns" in found.results
    with pytest.raises(PlaymillError, match=r"say what to show: seats\.0\.win_rate"):
        sweep(PIG, over="target=20,30", show=())


def test_a_number_of_an_agent_is_swept_as_if_each_had_been_named():
    agents = ["threshold", "threshold:n=20"]
    found = sweep(PIG, over="agent.threshold.n=10,20,30", show="agents.threshold", agents=agents, games=300)
    assert found.overs[0].rules == 20
    assert found.of_agents
    for setting in found.settings:
        named = f"threshold:n={setting.values[0]:g}"
        if setting.values[0] == 20:
            continue
        alone = simulate(PIG, agents=[named, "threshold:n=20"], games=600, rotate=True)
        assert setting.figures["agents.threshold"].value == alone.results["agents"][named]["value"]
    assert "agent.threshold.n=10,20,30" in found.command


@pytest.mark.parametrize(
    ("agents", "over", "told"),
    [
        (["threshold", "random"], "agent.threshold.x=1,2", "have no 'agent.threshold.x'; they have agent.threshold.n"),
        (["random"], "agent.random.n=1,2", "none of these agents has numbers"),
        (["threshold:n=1", "threshold:n=2"], "agent.threshold.n=1,2", "they have agent.1.n, agent.2.n"),
        (["threshold"], "agent.threshold.n=0..3", "agent.threshold.n cannot be 0; it may be 1 … 1000"),
    ],
)
def test_numbers_that_agents_do_not_have_are_told_in_a_sentence(capsys, agents, over, told):
    assert main(["sweep", PIG, "--agents", *agents, "--over", over, "--show", "turns"]) == 2
    error = capsys.readouterr().err
    assert told in error
    assert error.count("\n") == 1


def test_a_value_the_rules_do_not_allow_is_told_before_anything_is_played(capsys):
    assert main(["sweep", PIG, "--over", "faces=0..3", "--show", "turns", "--games", "1000000000"]) == 2
    assert "--over faces=0: faces is 0; expected at least 2" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--over", "goal=1..3"], "--over goal=1..3: the config has no 'goal'"),
        (["--over", "target=9..1"], "a high end that is not below it"),
        (["--over", "target=1..3", "--csv", "s.csv"], "nothing is played; leave out --csv"),
        (["--out", "s.json", "--lang", "ru"], "ничего не играется; уберите --out"),
    ],
)
def test_without_a_figure_nothing_that_is_wrong_passes(capsys, words, told):
    assert main(["sweep", PIG, *words]) == 2
    said = capsys.readouterr()
    assert told in said.err and said.err.count("\n") == 1 and not said.out


@pytest.fixture(scope="module")
def along():
    return sweep(
        PIG, over="target=60..120/20", show=["seats.*.win_rate", "turns"], games=300, agents="threshold", seed=4
    )


def test_every_setting_is_the_run_it_is_alone(along):
    for setting in along.settings:
        (target,) = setting.values
        alone = simulate(PIG, games=300, agents="threshold", seed=4, set=[f"target={target}"]).results
        assert setting.figures["turns"].value == alone["turns"]["value"]
        assert setting.figures["seats.1.win_rate"].value == alone["seats"][1]["win_rate"]["value"]


def test_differences_are_from_the_rules_and_paired(along):
    rules = next(setting for setting in along.settings if setting.values == (100,))
    assert not rules.differences
    for setting in along.settings:
        for name, one in setting.differences.items():
            assert one.value == pytest.approx(setting.figures[name].value - along.base[name].value)
    longer = along.settings[-1].differences["turns"]
    assert longer.real
    assert longer.high - longer.low < along.base["turns"].high - along.base["turns"].low


def test_what_is_real_is_corrected_for_all_settings_and_figures(along):
    every = [one for setting in along.settings for one in setting.differences.values()]
    assert len(every) == 9
    least = min(every, key=lambda one: one.p)
    assert least.adjusted == pytest.approx(min(1.0, 9 * least.p))


def test_the_rules_are_played_even_if_nobody_asks_for_them():
    found = sweep(PIG, over="target=60,80", show="turns", games=100, agents="threshold")
    assert found.base["turns"].value == simulate(PIG, games=100, agents="threshold").results["turns"]["value"]
    assert [row[0] for row in found.tables()[0].rows][1:] == ["60", "80"]
    assert all(setting.differences for setting in found.settings)


def test_numbers_make_lines_words_rows_and_two_paths_a_heat_map(along):
    assert [type(plot) for plot in along.plots()] == [LinePlot, LinePlot]
    assert [curve.name.en for curve in along.plots()[0].curves] == ["Seat 1, threshold", "Seat 2, threshold"]
    assert along.plots()[0].reference == 0.5
    two = sweep(PIG, over=["target=90..110/10", "faces=5,6"], show="turns", games=64, agents="threshold")
    (heat,) = two.plots()
    assert isinstance(heat, HeatMap)
    assert heat.framed == (1, 1)
    alone = simulate(PIG, games=64, agents="threshold", set=["target=110", "faces=5"]).results
    assert heat.cells[2][0].value == alone["turns"]["value"]
    words = sweep("dimensions", over="mode=baseline,epic", show="turns", games=64, agents="dealer")
    assert isinstance(words.plots()[0], RowPlot)


def test_it_is_saved_as_json_and_csv_and_shown_as_a_page(tmp_path, capsys):
    files = {name: tmp_path / f"sweep.{name}" for name in ("out", "csv", "html")}
    words = [
        "sweep",
        PIG,
        "--agents",
        "threshold",
        "--over",
        "target=90,100",
        "--over",
        "faces=5..6",
        "--show",
        "turns",
    ]
    told = [part for name, path in files.items() for part in (f"--{name}", str(path))]
    assert main([*words, "--games", "64", *told, "--lang", "ru"]) == 0
    printed = capsys.readouterr().out
    assert "4\u00a0настройки" in printed
    assert "* на самом деле отличается от правил" in printed
    saved = json.loads(files["out"].read_text())
    assert saved["results"]["over"] == {"target": [90, 100], "faces": [5, 6]}
    assert saved["results"]["rules"] == {"target": 100, "faces": 6}
    first = saved["results"]["settings"][0]
    assert first["values"] == {"target": 90, "faces": 5}
    assert set(first["differences"]["turns"]) >= {"difference", "real", "adjusted_p"}
    rows = list(csv.DictReader(StringIO(files["csv"].read_text())))
    assert [(row["target"], row["faces"]) for row in rows] == [("90", "5"), ("90", "6"), ("100", "5"), ("100", "6")]
    assert float(rows[0]["value"]) == first["figures"]["turns"]["value"]
    assert "pm-cell" in files["html"].read_text()
    again = shlex.split(saved["meta"]["command"])
    assert main([*again[1:], "--out", str(tmp_path / "again.json"), "--quiet"]) == 0
    assert json.loads((tmp_path / "again.json").read_text())["results"] == saved["results"]


def test_it_shows_itself_in_a_notebook(along):
    assert "&lt;svg" in along._repr_html_()
    assert repr(along) == "<Sweep of pig over target: 4 settings, 300 deals each>"


def test_stopped_early_it_has_the_settings_that_are_finished():
    def stop(done: int) -> None:
        if done >= 200:
            signal.raise_signal(signal.SIGINT)

    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        found = sweep(PIG, over="target=60..90/10", show="turns", games=100, agents="threshold", progress=stop)
    finally:
        signal.signal(signal.SIGINT, before)
    assert not found.complete
    assert [bool(setting.figures) for setting in found.settings] == [True, False, False, False]
    assert len(found.tables()[0].rows) == 5


@pytest.mark.parametrize("games", [0, 1])
def test_deals_that_say_nothing_of_the_error_are_refused(games):
    with pytest.raises(PlaymillError, match=f"{games} deals? says? nothing of the error; at least 2"):
        sweep(PIG, over="target=60", show="turns", games=games)


def test_a_sweep_that_takes_long_is_kept_and_listed_as_one(pig, tmp_path, monkeypatch):
    from playmill.lab.runs.kept_work import kept_works
    from playmill.lab.runs.paired_play import PairedSetting

    monkeypatch.setenv("PLAYMILL_HOME", str(tmp_path / "home"))
    given = {"over": "target=20..40/10", "show": "turns", "games": 100}
    whole = sweep(pig, **given)
    assert not whole.remembered
    monkeypatch.setattr("playmill.lab.runs.saved_progress.LONG", 0.0)
    played, real = [], PairedSetting.play

    def dies(self, first, deals):
        if len(played) == 3:
            raise RuntimeError("power cut")
        played.append(first)
        return real(self, first, deals)

    monkeypatch.setattr(PairedSetting, "play", dies)
    with pytest.raises(RuntimeError, match="power cut"):
        sweep(pig, keep=None, **given)
    (work,) = kept_works()
    assert (work.kind, work.complete, work.total) == ("sweep", False, 400)
    assert work.done > 0
    assert work.command is not None and work.command.startswith("playmill sweep")
    played.clear()
    monkeypatch.setattr(PairedSetting, "play", lambda self, *deals: (played.append(deals), real(self, *deals))[1])
    again = sweep(pig, keep=None, **given)
    assert again.remembered
    assert again.json()["results"] == whole.json()["results"]
    assert len(played) <= 6, "the rules as they are were finished"
    (work,) = kept_works()
    assert work.complete
    work.remove()
    assert not [*kept_works()]
