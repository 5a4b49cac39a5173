"""`worth`: the change in win rate when one side has something, on the same luck as without it."""

from __future__ import annotations

import csv
import json
import signal
from contextlib import contextmanager

import numpy as np
import pytest

from playmill import Game, PlaymillError, load_game, simulate, tune
from playmill.cli import main
from playmill.lab.decide import worth as room
from playmill.lab.decide.worth import worth
from playmill.lab.io import progress
from playmill.lab.jobs import new_job
from playmill.lab.jobs.perform import JobReporter, perform
from playmill.stats.estimates import Z95

GAMES = 400


@pytest.fixture(scope="module")
def dice() -> Game:
    return load_game("dice")


def content_of(game, **lists):
    """Content made for a test, beside the library."""
    return game.config.read({"content": lists}).content


def entry(name, **fields):
    text = {"en": name, "ru": name}
    return {"id": name, "name": text, "desc": text, **fields}


NEVER = entry(
    "never",
    type="passive",
    triggers=["on_save"],
    condition={"own_total": {"at_least": 1_000_000}},
    effect={"multiply_save": 10},
    notification={"en": "Never", "ru": "Никогда"},
)
FREE = entry("free", type="active", cooldown_turns=1, effect={"add": 100}, notification={"en": "Free", "ru": "Даром"})
TWIN = entry("twin", code="=", weights=[7] * 6, rarity="rare")


def paid(run, seat):
    """What each match paid to a seat: 1 for a win, a half for a draw."""
    winner = run.games["winner"].to_numpy()
    return np.where(winner == seat, 1.0, np.where(winner < 0, 0.5, 0.0))


@pytest.mark.parametrize(
    ("name", "count", "have"),
    [
        ("double_next_save", 1, {"items": ["double_next_save"]}),
        ("town_tax", 1, {"modifiers": ["town_tax"]}),
        ("evil", 1, {"dice": ["evil"] + ["fair"] * 5}),
        ("evil", 6, {"dice": ["evil"] * 6}),
    ],
)
@pytest.mark.parametrize("changes", [{}, {"target_score": 1500, "max_turns": 5}], ids=["usual", "draws"])
def test_it_is_what_two_runs_give_by_hand(dice, name, count, have, changes):
    found = next(
        one
        for one in worth(dice, games=GAMES, seed=3, only=[name], config=changes, agents="greedy")
        if one.trial.count == count
    )
    plain = simulate(dice, games=GAMES, seed=3, agents="greedy", config=changes)
    runs = [
        simulate(dice, games=GAMES, seed=3, agents="greedy", config={**changes, "players": sides})
        for sides in ([have, {}], [{}, have])
    ]
    if changes:
        assert plain.results["draws"]["games"] > 0
    with_it = sum(paid(run, seat) for seat, run in enumerate(runs)) / 2
    change = with_it - sum(paid(plain, seat) for seat in (0, 1)) / 2
    for estimate, blocks in ((found.change, change), (found.win_rate, with_it)):
        half = Z95 * blocks.std(ddof=1) / np.sqrt(GAMES)
        assert estimate.value == pytest.approx(blocks.mean(), abs=1e-12)
        # Student's interval, a little wider: it reckons with one more deal.
        assert half < estimate.value - estimate.low < 1.2 * half
        assert half < estimate.high - estimate.value < 1.2 * half
        assert estimate.n == GAMES
    effects = [run.results["effects"][name] for run in runs]
    assert found.fired == pytest.approx(sum(effect["fired"] for effect in effects) / (2 * GAMES))
    assert found.points == pytest.approx(sum(effect["points"] for effect in effects) / (2 * GAMES))


def test_what_never_happens_is_worth_exactly_nothing(dice):
    found = worth(dice, content=content_of(dice, items=[NEVER], dice=[TWIN]), games=200, seed=1)
    assert [(one.trial.id, one.trial.count) for one in found] == [("never", 1), ("twin", 1), ("twin", 6)]
    for one in found:
        # No deal in 200 was changed by it: whichever would be may be so by a whole win.
        assert one.change.value == 0.0
        assert -0.02 < one.change.low < 0.0 < one.change.high < 0.02
        assert (one.fired, one.points) == (0, 0)


def test_the_most_valuable_comes_first(dice):
    found = worth(dice, games=300, seed=1, only=["town_tax", "bust_shield", "double_next_save", "evil"])
    assert [one.change.value for one in found] == sorted((one.change.value for one in found), reverse=True)
    assert found[0].trial.id == "double_next_save"
    assert found[0].change.low > 0 > found[-1].change.high
    assert (found[-1].trial.id, found[-1].trial.count) == ("evil", 6)


def test_it_does_not_depend_on_the_workers(dice):
    one, other = (worth(dice, games=300, seed=5, only=["lucky_charm"], workers=workers) for workers in (1, 3))
    assert one == other


def test_the_match_around_it_counts(dice):
    """Content of the config stays, what a player has already is left out, and other agents play."""
    own = {"items": [FREE]}
    config = {"content": own, "players": [{"items": ["free"]}, {"items": ["free", "bust_shield"]}]}
    content = content_of(dice, items=[FREE, NEVER])
    found = worth(dice, config=config, content=content, games=100, seed=1)
    assert [one.trial.id for one in found] == ["never"]
    assert found[0].change.value == 0.0
    (tried,) = worth(dice, config=config, games=100, seed=1, only=["lucky_charm"], agents="threshold")
    assert tried.fired > 0
    assert "bust_shield" not in {one.trial.id for one in worth(dice, config=config, games=1, seed=1)}


def test_one_id_for_two_things_is_a_mistake(dice):
    changed = {**FREE, "cooldown_turns": 9}
    with pytest.raises(PlaymillError, match='the id "free" is an item already'):
        worth(dice, config={"content": {"items": [FREE]}}, content=content_of(dice, items=[changed]), games=10)


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (
            {"only": ["nonsense"]},
            "--only nonsense: there is nothing of that id to try; there is: alms_box, beggars_luck,",
        ),
        ({"only": ["fair"]}, "--only fair: there is nothing of that id to try"),
        ({"games": 0}, "cannot play 0 games"),
        ({"agents": ["greedy"] * 3}, "3 agents for 2 players"),
        ({"config": {"target": 1}}, "there is no key 'target'"),
        ({"agents": "optimal", "only": ["bust_shield"], "config": {"target_score": 300}}, "optimal plays without"),
    ],
)
def test_wrong_arguments_get_one_sentence(dice, arguments, sentence):
    with pytest.raises(PlaymillError, match=sentence) as caught:
        worth(dice, **{"games": 10, **arguments})
    assert "\n" not in caught.value.text.en + caught.value.text.ru


def test_a_game_without_content_has_nothing_to_try(pig, dimensions):
    for game in (pig, dimensions):
        with pytest.raises(PlaymillError, match=f"{game.name} has no content files"):
            worth(game)


# The command

THREE = ("double_next_save", "lucky_charm", "town_tax")


@pytest.fixture
def run(capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")

    def run(*words):
        status = main(["worth", "dice", *map(str, words)])
        said = capsys.readouterr()
        return status, said.out, said.err

    return run


def test_json_and_csv_agree(run, tmp_path):
    out, table = tmp_path / "worth.json", tmp_path / "worth.csv"
    words = ("--games", 200, "--seed", 2, "--only", *THREE, "evil", "--set", "target_score=2000")
    status, told, err = run(*words, "--out", out, "--csv", table)
    assert (status, err) == (0, "")
    saved = json.loads(out.read_text(encoding="utf-8"))
    assert (saved["game"], saved["games"], saved["seed"], saved["agents"]) == ("dice", 200, 2, ["greedy"])
    assert saved["config"]["target_score"] == 2000
    assert saved["complete"] is True
    rows = list(csv.DictReader(table.open(encoding="utf-8")))
    assert len(rows) == len(saved["worth"]) == 5
    for row, one in zip(rows, saved["worth"], strict=True):
        assert (row["kind"], row["id"], int(row["count"])) == (one["kind"], one["id"], one["count"])
        for name in ("change", "win_rate"):
            found = [float(row[key]) for key in (name, f"{name}_low", f"{name}_high")]
            assert found == [one[name][key] for key in ("value", "low", "high")]
        for name in ("fired_per_game", "points_per_game"):
            assert float(row[name]) == one[name]
        assert one["name"]["en"] in told
    assert told.index("Double Next Save") < told.index("Lucky Charm") < told.index("Town Tax")


@pytest.mark.parametrize(
    ("lang", "wanted"),
    [
        ("en", ("What one side gains by it", "Bust Shield", "Evil Die ×6", "modifier", "5 deals")),
        ("ru", ("Что это даёт одной из сторон", "Щит от провала", "Злая кость ×6", "модификатор", "5 раздачах")),
    ],
)
def test_the_whole_library_fits_80_columns(run, lang, wanted):
    status, out, err = run("--games", 5, "--lang", lang)
    assert (status, err) == (0, "")
    assert max(map(len, out.splitlines())) <= 80
    assert [words for words in wanted if words not in out] == []


def test_files_are_tried_with_the_library(run, tmp_path):
    mine = tmp_path / "mine.json"
    mine.write_text(json.dumps({"items": [FREE]}))
    status, out, _ = run("--games", 100, "--content", mine, "--only", "free", "bust_shield")
    assert status == 0
    assert out.index("free") < out.index("Bust Shield")


@contextmanager
def interrupting(monkeypatch, at):
    """Ctrl-C while game number `at` of all runs together is played."""

    @contextmanager
    def bar(label, *, quiet=False):
        def told(done, total):
            if done >= at and not pressed:
                pressed.append(done)
                signal.raise_signal(signal.SIGINT)

        pressed = []
        yield told

    monkeypatch.setattr(progress, "bar", bar)
    yield


@pytest.mark.parametrize(("at", "finished"), [(1, 0), (450, 0), (1000, 1), (1700, 2)])
def test_ctrl_c_ends_with_what_is_finished(ctrl_c, run, monkeypatch, tmp_path, at, finished):
    out = tmp_path / "worth.json"
    words = ("--games", 300, "--seed", 4, "--only", *THREE, "--workers", 1, "--out", out)
    with interrupting(monkeypatch, at):
        status, told, err = run(*words)
    assert (status, err) == (1, "")
    assert f"stopped: {finished} of 3 were tried" in told
    saved = json.loads(out.read_text())
    assert saved["complete"] is False
    assert len(saved["worth"]) == finished
    monkeypatch.undo()
    run(*words)
    whole = json.loads(out.read_text())["worth"]
    assert all(one in whole for one in saved["worth"])


def test_ctrl_c_between_two_runs_is_heard(ctrl_c, monkeypatch, dice):
    played = []

    def and_then_stopped(*args, **options):
        run = simulate(*args, **options)
        played.append(run)
        if len(played) == 4:
            signal.raise_signal(signal.SIGINT)
        return run

    monkeypatch.setattr(room, "simulate", and_then_stopped)
    found = worth(dice, games=50, seed=1, only=THREE)
    assert len(played) == 4
    assert len(found) == 1
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_a_second_ctrl_c_loses_nothing_either(ctrl_c, dice):
    def told(done, total):
        if done > 450:
            signal.raise_signal(signal.SIGINT)

    found = worth(dice, games=100, seed=1, only=THREE, progress=told, workers=1)
    whole = worth(dice, games=100, seed=1, only=THREE)
    assert 1 <= len(found) < len(whole)
    assert all(one in whole for one in found)
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_a_goal_measures_the_worth_that_worth_measures():
    found = tune(
        "dice",
        free="target_score:2000..2001",
        goal="worth.lucky_charm=0",
        agents="greedy",
        games=64,
        trials=1,
        keep=False,
    )
    (alone,) = worth("dice", games=128, seed=3, agents="greedy", only=["lucky_charm"])
    told = found.rules.reading.estimate("worth.lucky_charm")
    assert told.value == pytest.approx(alone.change.value, abs=1e-12)
    assert found.games % 3 == 0


def test_a_goal_for_what_is_not_there_gets_one_sentence():
    with pytest.raises(PlaymillError, match="nothing of that id"):
        tune("dice", free="target_score:2000..3000", goal="worth.no_such_thing=0", games=64, trials=1, keep=False)


def test_what_was_stopped_half_way_is_played_only_where_it_lacks_something(dice):
    both = ["town_tax", "lucky_charm"]
    whole = room.WorthMeasurement(dice, seed=3, only=both)
    assert whole.play(500) and whole.deals == 500
    ahead = room.WorthMeasurement(dice, seed=3, only=both)
    first, second = json.loads(json.dumps(whole.json()))
    ahead.go_on_from([first, ahead.json()[1]])
    assert ahead.deals == 0 and [one.change.n for one in ahead.found()] == [500]
    told = []
    assert ahead.play(500, lambda done, total: told.append(total))
    assert max(told) == 3 * 500, "one trial in two seats, beside the match without it"
    assert [one.json() for one in ahead.found()] == [one.json() for one in whole.found()] and second["deals"] == 500


def test_what_plays_the_same_has_one_key(dice):
    twin = content_of(dice, items=[FREE | {"id": "twin_of_it", "name": {"en": "Else", "ru": "Иное"}}])
    one, other = (content_of(dice, items=[FREE]), twin)
    keys = {room.WorthMeasurement(dice, content=some).key() for some in (one, other)}
    assert len(keys) == 1
    more = content_of(dice, items=[FREE | {"effect": {"add": 101}}])
    assert room.WorthMeasurement(dice, content=more).key() not in keys
    assert room.WorthMeasurement(dice, content=one, seed=1).key() not in keys
    assert room.WorthMeasurement(dice, content=one, config={"target_score": 300}).key() not in keys


def test_a_job_shows_figures_that_narrow_and_goes_on_where_it_was_stopped(dice, tmp_path):
    wanted = {"content": {"items": [FREE]}, "config": {}, "only": ["free"], "games": 16_384}
    job = new_job(tmp_path, "worth", "dice", wanted)
    shown = []

    class Looking(JobReporter):
        def show(self, found):
            super().show(found)
            shown.append(found.found()[0].change)

    assert perform(job, Looking(job)) == (True, {})
    assert job.standing.pages == 1 and "free" in job.page("en") and "Что это даёт" in job.page("ru")
    begun = new_job(tmp_path, "worth", "dice", wanted | {"games": 20_000})
    begun.save("counted.json", job.saved("counted.json"))
    perform(begun, Looking(begun))
    assert [one.n for one in shown] == [16_384, 20_000], "of what was counted nothing is played again"
    assert shown[0].high - shown[0].low > shown[1].high - shown[1].low
    whole = worth(dice, content=content_of(dice, items=[FREE]), games=20_000)
    assert begun.saved("results.json")["worth"] == [one.json() for one in whole]


@pytest.fixture
def kept_home(tmp_path, monkeypatch):
    monkeypatch.setenv("PLAYMILL_HOME", str(tmp_path / "home"))
    monkeypatch.setattr("playmill.lab.runs.saved_progress._PAUSE", 0.0)
    monkeypatch.setattr("playmill.lab.runs.saved_progress._SHARE", 0.0)


@pytest.mark.usefixtures("kept_home")
def test_a_worth_that_died_goes_on_after_the_trials_that_are_counted(dice, monkeypatch):
    given = {"only": ["coin"], "games": 20_000}
    whole = [one.json() for one in worth(dice, **given)]
    monkeypatch.setattr(room, "_RANGE", 1)  # 16,384 deals and the rest
    tried, real = [], room.WorthMeasurement._tried

    def dies(self, at, *rest):
        tried.append(at)
        if len(tried) == 4:
            raise RuntimeError("power cut")
        return real(self, at, *rest)

    monkeypatch.setattr(room.WorthMeasurement, "_tried", dies)
    with pytest.raises(RuntimeError, match="power cut"):
        worth(dice, keep=True, **given)
    assert tried == [0, 1, 0, 1]
    assert [one.json() for one in worth(dice, keep=True, **given)] == whole
    assert tried[4:] == [1]
    assert [one.json() for one in worth(dice, keep=True, **given)] == whole
    assert len(tried) == 5, "what is known is not played again"


@pytest.mark.usefixtures("kept_home")
def test_a_worth_of_which_only_a_part_was_played_is_not_called_whole(capsys, tmp_path, monkeypatch):
    monkeypatch.setattr(room, "_RANGE", 1)
    real = room.WorthMeasurement._range
    monkeypatch.setattr(
        room.WorthMeasurement,
        "_range",
        lambda self, missing, runs, tried: not runs.first and real(self, missing, runs, tried),
    )
    words = ["worth", "dice", "--only", "coin", "--games", "20000", "--keep", "--out", str(tmp_path / "out.json")]
    assert main(words) == 1
    assert "stopped: 0 of 2 were tried" in capsys.readouterr().out
    assert json.loads((tmp_path / "out.json").read_text())["complete"] is False
    monkeypatch.setattr(room.WorthMeasurement, "_range", real)
    assert main(words) == 0
    assert json.loads((tmp_path / "out.json").read_text())["complete"] is True
