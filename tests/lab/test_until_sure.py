"""Runs that are played until a question is settled: what decides, when they stop, what they say."""

from __future__ import annotations

import json
import shlex
import signal

import numpy as np
import pytest

from playmill import PlaymillError, compare, simulate, simulate_until_sure
from playmill.cli import main
from playmill.interrupts import Stop
from playmill.lab.decide.until_sure import SequentialQuestion
from playmill.lab.runs.deal_values import DealValues, NoShareError
from playmill.lab.runs.executors import Where
from playmill.lab.runs.figures import described
from playmill.lab.runs.paired_play import PairedSetting, turns
from playmill.lab.runs.resolved_plan import resolve_plan
from playmill.report.commands.until_sure import Sure, Verdict
from playmill.report.model.common_tables import FAIR_SHARE, WITHOUT_DRAWS
from playmill.stats.block_jackknife import figures
from playmill.stats.confidence_sequences import SequenceLook
from playmill.stats.estimates import rate
from playmill.texts import LANGUAGES, Text

PIG = "examples/pig"


def played(game, path, deals=200, **setting):
    """The values of each deal of a figure, and the run."""
    side = PairedSetting(resolve_plan(game, grouped=True, **setting), Where(workers=1), None, Stop(), rows=True)
    found = []
    values = DealValues(side.resolved, path, side.report)
    for turn in turns([side], deals, Stop(), size=lambda first: 50):
        found.append(values.take(turn[0], side.total.counts.total()))
    hits, below = (np.concatenate(some) for some in zip(*found, strict=True))
    return hits, below, side


# What each deal says


def test_a_deal_says_what_its_game_was(pig):
    hits, below, _ = played(pig, ("seats", 0, "win_rate"), agents="threshold")
    rows = simulate(pig, games=200, agents="threshold").games
    assert below.tolist() == [1.0] * 200
    assert hits.tolist() == [float(winner == 0) for winner in rows["winner"]]


def test_a_deal_played_from_every_seat_is_one_observation_of_both_games(pig):
    hits, below, side = played(pig, ("agents", "threshold"), agents=["threshold", "random"], rotate=True)
    assert side.rotations == 2
    assert below.tolist() == [2.0] * 200
    assert hits.sum() == side.results()["agents"]["threshold"]["value"] * 400
    assert set(hits) <= {0.0, 1.0, 2.0}


def test_shares_made_of_several_counts_and_divided_among_seats_are_told(dimensions):
    hits, below, side = played("grid", ("unique_winner_rate",), agents="greedy")
    assert hits.sum() / below.sum() == pytest.approx(side.results()["unique_winner_rate"]["value"])
    path = ("agents", "dealer", "win_rate_per_seat")
    hits, below, side = played(dimensions, path, agents="dealer")
    assert hits.sum() / below.sum() == pytest.approx(side.results()["agents"]["dealer"]["win_rate_per_seat"]["value"])
    assert set(below) == {1.0}


def test_a_ratio_of_two_sums_is_no_share():
    results = simulate("dice", games=64, agents="threshold").results
    path = next(path for path in figures(results) if "per_turn" in str(path))
    with pytest.raises(NoShareError):
        played("dice", path, agents="threshold")


# What is asked


def question(**how):
    return SequentialQuestion("figure", **how)


@pytest.mark.parametrize(
    ("low", "high", "verdict"),
    [
        (-0.01, 0.01, Verdict.SAME),
        (-0.02, 0.02, Verdict.SAME),
        (-0.021, 0.01, Verdict.OPEN),
        (0.021, 0.3, Verdict.HIGHER),
        (0.01, 0.3, Verdict.OPEN),
        (-0.5, -0.03, Verdict.LOWER),
    ],
)
def test_the_verdict_is_where_the_interval_lies(low, high, verdict):
    look = SequenceLook(100, (low + high) / 2, low, high)
    assert question(within=0.02).verdict(look, 0.0) is verdict
    moved = SequenceLook(100, look.value + 0.5, low + 0.5, high + 0.5)
    assert question(within=0.02 + 1e-12).verdict(moved, 0.5) is verdict


def test_without_a_distance_it_asks_which_is_higher():
    assert question().verdict(SequenceLook(9, 0.1, 0.01, 0.2), 0.0) is Verdict.HIGHER
    assert question().verdict(SequenceLook(9, 0.1, -0.001, 0.001), 0.0) is Verdict.OPEN


def test_without_a_number_to_be_near_it_asks_how_much_it_is():
    assert question(within=0.1).verdict(SequenceLook(9, 0.5, 0.4, 0.6), None) is Verdict.KNOWN
    assert question(within=0.1).verdict(SequenceLook(9, 0.5, 0.39, 0.6), None) is Verdict.OPEN


def test_fair_is_where_the_report_draws_its_line(pig):
    run = simulate(pig, games=100, agents="threshold")
    figure = described(pig, run.results, run.info, ("seats", 1, "win_rate"))
    assert (figure.fair, figure.percent, figure.title) == (
        0.5,
        True,
        Text("Who wins: Seat 2, threshold", "Кто побеждает: Место 2, threshold"),
    )
    assert figure.shared == ("seats.0.win_rate", "seats.1.win_rate")
    parts = {name: rate(wins, 10) for name, wins in zip(figure.shared, (5, 3), strict=True)}
    assert figure.fair_among(parts) == pytest.approx(0.4), "two of ten were drawn"
    assert figure.fair_among({"seats.0.win_rate": rate(5, 10)}) == 0.5
    turns_ = described(pig, run.results, run.info, ("turns",))
    assert (turns_.fair, turns_.percent, turns_.title.en) == (None, False, "Turns of a game")


# Played


def test_it_stops_when_sure_and_at_the_same_deal_on_any_number_of_threads(pig):
    how = {"near": "fair", "within": 0.1, "agents": "threshold", "seed": 5}
    one, two = (simulate_until_sure(pig, "seats.0.win_rate", workers=workers, **how) for workers in (1, 2))
    assert one.sure.verdict is Verdict.SAME
    assert one.sure.exact
    assert one.results == two.results
    assert one.sure == two.sure
    assert one.info.games == one.sure.last.n < 5000
    assert one.info.complete
    alone = simulate(pig, games=one.info.games, seed=5, agents="threshold").results
    assert one.results["seats"][0]["wins"] == alone["seats"][0]["wins"]


def test_intervals_after_stopping_are_wider_than_those_of_a_run_of_that_size(pig):
    found = simulate_until_sure(pig, "seats.0.win_rate", within=0.1, agents="threshold")
    fixed = simulate(pig, games=found.info.games, agents="threshold").results
    pairs = [(run["turns"], run["seats"][1]["win_rate"]) for run in (found.results, fixed)]
    for got, once in zip(*pairs, strict=True):
        assert got["value"] == once["value"]
        assert got["high"] - got["low"] > 1.3 * (once["high"] - once["low"])
    decided = found.results["seats"][0]["win_rate"]
    assert (decided["low"], decided["high"]) == (found.sure.last.low, found.sure.last.high)


def test_a_mean_decides_after_many_deals(pig):
    found = simulate_until_sure(pig, "turns", near=10, within=2, agents="threshold")
    assert (found.sure.verdict, found.sure.exact) == (Verdict.HIGHER, False)
    assert found.sure.looks[0].n == 512


def test_a_share_that_turns_out_to_be_none_goes_on_as_a_mean(pig, monkeypatch):
    def refuse(self, turn):
        raise NoShareError

    monkeypatch.setattr("playmill.lab.decide.until_sure._Exact.take", refuse)
    found = simulate_until_sure(pig, "seats.0.win_rate", within=0.05, agents="threshold")
    assert (found.sure.verdict, found.sure.exact) == (Verdict.KNOWN, False)
    assert [look.n for look in found.sure.looks[:2]] == [64, 512]


def test_out_of_games_it_is_not_settled(pig):
    found = simulate_until_sure(pig, "turns", near=19.8, within=0.01, agents="threshold", games=300)
    assert (found.sure.verdict, found.info.games, found.info.complete) == (Verdict.OPEN, 300, True)
    found = simulate_until_sure(pig, "seats.0.win_rate", near=0.53, within=0.001, agents="threshold", games=100)
    assert (found.sure.verdict, found.info.games) == (Verdict.OPEN, 100)
    assert "Not settled after 100" in str(found.sure)


def test_out_of_time_it_is_not_settled(pig):
    found = simulate_until_sure(pig, "seats.0.win_rate", within=1e-6, agents="threshold", seconds=0.2)
    assert found.sure.verdict is Verdict.OPEN
    assert found.info.complete


def test_stopped_by_its_user_it_is_not_settled_and_not_complete(pig):
    def stop(done: int) -> None:
        if done > 100:
            signal.raise_signal(signal.SIGINT)

    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        found = simulate_until_sure(pig, "seats.0.win_rate", within=1e-6, agents="threshold", progress=stop)
        pair = compare(pig, b={"set": ["target=50"]}, until_sure="seats.0.win_rate", within=1e-6, progress=stop)
    finally:
        signal.signal(signal.SIGINT, before)
    assert (found.sure.verdict, found.info.games, found.info.complete) == (Verdict.OPEN, 128, False)
    assert (pair.sure.verdict, pair.deals, pair.complete) == (Verdict.OPEN, 128, False)


def test_a_difference_is_settled_on_the_same_deals(pig):
    sides = {"a": {"agents": ["threshold:n=20", "random"]}, "b": {"agents": ["threshold:n=21", "random"]}}
    found = compare(pig, **sides, until_sure="agents.threshold:n=20", within=0.05, seed=2)
    assert found.sure.verdict is Verdict.SAME
    assert found.sure.exact
    assert found.deals == found.sure.last.n
    decided = found.differences[found.sure.name]
    assert (decided.low, decided.high) == (found.sure.last.low, found.sure.last.high)
    assert decided.value == pytest.approx(found.sure.last.value)
    assert set(found.a.results["agents"]) == {"threshold:n=20", "random"}
    assert found.a.tables() and found.b.tables() and found.tables()
    saved = json.loads(json.dumps(found.json(), allow_nan=False))["results"]["sure"]
    assert (saved["verdict"], saved["figure"], saved["deals"]) == ("same", found.sure.name, found.deals)
    assert len(saved["looks"]) == len(found.sure.looks)


def test_a_real_difference_is_found_and_nothing_but_what_was_asked_is_played(pig):
    found = compare(pig, b={"set": ["target=60"]}, agents="threshold", until_sure="turns", within=2)
    assert (found.sure.verdict, found.deals) == (Verdict.LOWER, 512)
    assert found.differences["turns"].real
    again = shlex.split(found.command)
    assert again[-4:] == ["--until-sure", "turns", "--within", "2"]


# Told


def made(verdict, *, compared=False, near=0.5, within=0.02, fair=None):
    looks = tuple(SequenceLook(100 * 2**n, 0.51, 0.51 - 0.1 / 2**n, 0.51 + 0.1 / 2**n) for n in range(6))
    return Sure(("seats", 0), Text("Seat 1", "Место 1"), True, compared, near, fair, within, verdict, True, looks)


@pytest.mark.parametrize(
    ("sure", "en", "ru"),
    [
        (made(Verdict.SAME), "Within ±2\u00a0% of 50\u00a0%.", "Не дальше ±2\u00a0% от 50\u00a0%."),
        (made(Verdict.SAME, compared=True, near=0.0), "The same within ±2\u00a0%.", "Одинаково в пределах ±2\u00a0%."),
        (
            made(Verdict.HIGHER, fair=FAIR_SHARE),
            "More than 2\u00a0% above the fair 50\u00a0%.",
            "Больше чем на 2\u00a0% выше честных 50\u00a0%.",
        ),
        (
            made(Verdict.LOWER, within=None, fair=WITHOUT_DRAWS),
            "Below 50\u00a0% (equal, if no draws).",
            "Ниже 50\u00a0% (поровну без ничьих).",
        ),
        (made(Verdict.LOWER, compared=True, near=0.0), "B is lower by at least 2\u00a0%.", "B ниже хотя бы на 2"),
        (made(Verdict.LOWER, compared=True, near=0.0, within=None), "B is lower.", "B ниже."),
        (made(Verdict.KNOWN, near=None), "Known within ±2\u00a0%.", "Известно с точностью ±2\u00a0%."),
        (made(Verdict.OPEN), "Not settled after 3\u00a0200\u00a0deals.", "После 3\u00a0200\u00a0раздач не решено."),
        (
            made(Verdict.OPEN, near=0.4),
            "It is higher, but it is open whether by 2\u00a0%.",
            "Показатель выше, но на 2\u00a0% ли — неясно.",
        ),
    ],
)
def test_a_verdict_is_a_sentence_in_both_languages(sure, en, ru):
    assert en in sure.text("en")
    assert ru in sure.text("ru")
    assert "51.00\u00a0% [50.69,\u00a051.31]" in sure.text("en")


def test_the_sequence_is_drawn_in_the_terminal_and_on_the_page():
    sure = made(Verdict.OPEN)
    lines = sure.lines("en")
    assert len(lines) == 6
    assert all("[" in line and "o" in line for line in lines)
    assert [line.index("o") for line in lines] == [lines[0].index("o")] * 6
    widths = [line.index("]") - line.index("[") for line in lines[:4]]
    assert widths == sorted(widths, reverse=True)
    assert widths[0] > 4 * widths[3]
    for lang in LANGUAGES:
        assert "<polygon" in sure.plot().svg(lang)
    assert "<svg" in sure._repr_html_()


# Command lines


def test_simulate_until_sure_prints_and_writes(capsys, tmp_path):
    out, page = tmp_path / "sure.json", tmp_path / "sure.html"
    words = ["simulate", PIG, "--agents", "threshold", "--until-sure", "seats.0.win_rate", "--near", "fair"]
    assert main([*words, "--within", "10%", "--out", str(out), "--html", str(page)]) == 0
    assert "Within ±10\u00a0% of the fair 50\u00a0%." in capsys.readouterr().out
    saved = json.loads(out.read_text())
    assert saved["results"]["sure"]["verdict"] == "same"
    assert saved["meta"]["looked"]
    again = shlex.split(saved["meta"]["command"])
    assert main([*again[1:], "--out", str(tmp_path / "again.json"), "--quiet"]) == 0
    assert json.loads((tmp_path / "again.json").read_text())["results"] == saved["results"]
    assert 'id="sequence"' in page.read_text() and "The verdict is wrong in at most" in page.read_text()


def test_compare_until_sure_speaks_russian(capsys):
    words = ["compare", PIG, "--agents", "threshold", "--b", "target=60", "--until-sure", "turns", "--within", "2"]
    assert main([*words, "--lang", "ru"]) == 0
    assert "B ниже хотя бы на 2." in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--until-sure", "turnz", "--within", "1"], "there is no figure 'turnz'; there are: turns,"),
        (["--until-sure", "win_rate", "--within", "1"], "'win_rate' may be seats.0.win_rate, seats.1.win_rate"),
        (["--until-sure", "turns"], "sure of what?"),
        (["--until-sure", "turns", "--near", "fair"], "does not say what would be fair for turns"),
        (["--within", "1"], "--within needs --until-sure"),
        (["--until-sure", "turns", "--within", "-1"], "is no number above 0"),
        (["--until-sure", "turns", "--within", "1", "--keep", "mine"], "leave out 'mine' after --keep"),
        (["--until-sure", "turns", "--within", "1", "--backend", "interpreted"], "leave out --backend interpreted"),
        (["--until-sure", "turns", "--within", "1", "--on", "mars"], "cannot play on 'mars'"),
        (["--until-sure", "turns", "--within", "1", "--from", "5"], "leave out --from"),
        (["--until-sure", "turns", "--near", "soon"], "'soon' is no number"),
    ],
)
def test_a_question_that_cannot_be_asked_is_refused_in_a_sentence(capsys, words, told):
    assert main(["simulate", PIG, "--games", "64", *words]) == 2
    error = capsys.readouterr().err
    assert told in error
    assert error.count("\n") == 1


def test_a_figure_that_b_does_not_have_cannot_decide(pig):
    with pytest.raises(PlaymillError, match="report of B has no figure"):
        compare(
            pig, a={"agents": ["threshold", "random"]}, b={"agents": "random"}, until_sure="agents.threshold", games=64
        )


@pytest.mark.parametrize("games", [2, 3])
def test_few_deals_settle_nothing_and_are_told_all_the_same(capsys, tmp_path, games):
    out, page = tmp_path / "few.json", tmp_path / "few.html"
    files = ["--out", str(out), "--html", str(page), "--games", str(games)]
    words = ["compare", PIG, "--agents", "threshold", "--b", "target=60", "--until-sure", "turns", "--within", "1"]
    assert main([*words, *files]) == 0
    assert f"Not settled after {games}\u00a0deals." in capsys.readouterr().out
    assert json.loads(out.read_text())["results"]["sure"]["settled"] is False
    assert main(["compare", PIG, "--b", "target=60", "--games", "1"]) == 2
    assert "1 deal says nothing of the error" in capsys.readouterr().err
