"""Ctrl-C, a second one, SIGTERM: what is finished is written, what is not begun is left at once."""

from __future__ import annotations

import json
import signal
import sys
import threading
import time
from contextlib import contextmanager
from pathlib import Path

import pytest

from playmill import simulate
from playmill.cli import main
from playmill.interrupts import interrupt, undisturbed
from playmill.lab.io import progress
from stopping_runs import FOREVER, drafts, finish, finish_silent, start, wait_for

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no signals to send to another process")
PIG = Path(__file__).parent.parent / "examples" / "pig"
ENDLESS = ("--games", 10**9, "--out", "out.json", "--csv", "rows.csv", "--html", "page.html", "--quiet", "--no-keep")


def check_files(folder: Path, game: object, **settings: object) -> dict:
    """All three files are whole and agree with an undisturbed run of as many games."""
    saved = json.loads((folder / "out.json").read_text(encoding="utf-8"))
    games = saved["meta"]["games"]
    assert saved["meta"]["complete"] is False
    assert 0 < games == saved["results"]["games"]
    again = simulate(game, games=games, **settings)
    assert json.loads(json.dumps(again.results)) == saved["results"]
    assert (folder / "rows.csv").read_text(encoding="utf-8") == again.seats.write_csv()
    assert (folder / "page.html").read_text(encoding="utf-8").rstrip().endswith("</html>")
    assert not list(folder.glob(".playmill-*"))
    return saved


@pytest.mark.parametrize(
    ("sent", "backend"),
    [
        ("INT", "cpu"),
        ("TERM", "interpreted"),
        ("INT INT", "interpreted"),
        *(pytest.param(sent, "interpreted", marks=pytest.mark.long) for sent in ("HUP", "TERM INT", "INT INT INT INT")),
    ],
)
def test_a_run_that_is_told_to_stop_writes_what_is_finished(tmp_path, pig, sent, backend):
    process = start("simulate", PIG, *ENDLESS, "--backend", backend, "--workers", 1, folder=tmp_path)
    wait_for(lambda: drafts(tmp_path), process)
    for name in sent.split():
        process.send_signal(signal.Signals[f"SIG{name}"])
        time.sleep(0.01)
    assert finish(process) == (1, "")
    check_files(tmp_path, pig)


def test_ctrl_c_does_not_wait_for_a_slow_decision(tmp_path, pig):
    bot = tmp_path / "bot.py"
    bot.write_text(
        "import pathlib, time\n"
        "def choose(decision):\n"
        "    if decision.number == 40:\n"
        "        pathlib.Path('thinks').touch()\n"
        f"        {FOREVER}\n"
        "    return 'nonsense' if decision.number % 3 == 0 else decision.random.choice(decision.actions)\n"
    )
    process = start("simulate", PIG, "--agents", "bot.py", *ENDLESS, folder=tmp_path)
    wait_for((tmp_path / "thinks").exists, process)
    process.send_signal(signal.SIGINT)
    assert finish_silent(process) == (1, "")
    saved = json.loads((tmp_path / "out.json").read_text())
    assert saved["meta"]["games"] == 40, "the game that was not finished does not count"
    assert {entry["game"] for entry in saved["meta"]["fallback_log"]} <= set(range(0, 40, 3))


#: Another player, who tells when `search` is in the middle of its thoughts.
TELLS = """
from pathlib import Path
from playmill.agents.search.search_agent import Thinker

think, slices = Thinker._slice, []

def told(self, *given):
    done = think(self, *given)
    slices.append(done)
    if len(slices) == 3:
        Path("thinks").touch()
    return done

Thinker._slice = told

def choose(decision):
    return decision.actions[0]
"""


def test_ctrl_c_does_not_wait_for_a_long_search(tmp_path, pig):
    (tmp_path / "bot.py").write_text(TELLS)
    longest = "search:ms=600000"
    process = start("simulate", PIG, "--agents", longest, "bot.py", "--out", "out.json", folder=tmp_path)
    wait_for((tmp_path / "thinks").exists, process)
    process.send_signal(signal.SIGTERM)
    assert finish(process) == (1, "playmill: stopped\n")
    assert {path.name for path in tmp_path.iterdir()} - {"__pycache__"} == {"bot.py", "thinks"}


def test_thinking_in_slices_is_thinking_as_much(pig):
    from playmill import State
    from playmill.agents.search import search_agent

    found = []
    for seconds in (search_agent._LONG_SLICE, 1e-5):
        state = State(pig, players=2, seed=4)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(search_agent, "_LONG_SLICE", seconds)
            thinker = search_agent.Thinker(pig, (777,))
            thinker.new_game()
            assert thinker.think(state.workspace) == 777
            found.append(thinker.weighed(state.workspace))
    assert found[0] == found[1]


def test_a_game_without_an_end_does_not_hold_up_a_second_ctrl_c(ctrl_c, pig, monkeypatch):
    from playmill.engine.run.backends import Cpu

    released = threading.Event()
    play = Cpu.play

    def sometimes_endless(self, first, count):
        if first > 1000:
            released.wait()
        return play(self, first, count)

    def press(done):
        if done > 100:
            signal.raise_signal(signal.SIGINT)

    monkeypatch.setattr(Cpu, "play", sometimes_endless)
    try:
        run = simulate(pig, games=10**9, workers=2, progress=press)
    finally:
        released.set()
    assert not run.info.complete
    monkeypatch.undo()
    assert simulate(pig, games=run.info.games).results == run.results


@pytest.mark.parametrize("name", ["INT", "TERM"])
def test_a_signal_during_imports_gets_a_sentence(tmp_path, name):
    swallows = f"try:\n    {FOREVER}\nexcept BaseException:\n    pass\n"
    (tmp_path / "numpy.py").write_text(f"import pathlib, time\npathlib.Path('importing').touch()\n{swallows}")
    process = start("simulate", "dimensions", "--lang=ru", folder=tmp_path)  # finds modules there first
    wait_for((tmp_path / "importing").exists, process)
    process.send_signal(signal.Signals[f"SIG{name}"])
    assert finish(process) == (1, "playmill: остановлено\n")


def test_what_was_ignored_at_the_start_stays_ignored(tmp_path):
    process = start("simulate", PIG, *ENDLESS, folder=tmp_path, ignored=True)
    wait_for(lambda: drafts(tmp_path), process)
    process.send_signal(signal.SIGINT)
    time.sleep(1)
    assert process.poll() is None
    process.send_signal(signal.SIGTERM)
    assert finish(process)[0] == 1
    assert json.loads((tmp_path / "out.json").read_text())["meta"]["complete"] is False


def test_in_the_programs_of_others_sigterm_stays_theirs(ctrl_c):
    before = signal.getsignal(signal.SIGTERM)
    with interrupt():
        assert signal.getsignal(signal.SIGTERM) is before
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_nothing_to_keep_is_left_at_once(ctrl_c):
    with pytest.raises(KeyboardInterrupt), interrupt():
        signal.raise_signal(signal.SIGINT)


def test_steps_that_belong_together_are_not_torn_apart(ctrl_c):
    steps = []
    with pytest.raises(KeyboardInterrupt), undisturbed():
        signal.raise_signal(signal.SIGINT)
        steps.append("the second step")
    assert steps
    with interrupt() as stop:
        stop.keep()
        with undisturbed():
            signal.raise_signal(signal.SIGINT)
        assert stop() == 1


def test_work_that_would_be_thrown_away_is_broken_off(ctrl_c):
    with interrupt() as stop:
        stop.keep()
        with pytest.raises(KeyboardInterrupt), stop.breaking():
            signal.raise_signal(signal.SIGINT)
        signal.raise_signal(signal.SIGINT)
        assert stop() == 2


@pytest.mark.parametrize("words", [("show",), ("record", "--out", "game.json")])
def test_one_game_is_left_at_once(tmp_path, words):
    (tmp_path / "bot.py").write_text(
        "import pathlib, time\n"
        "def choose(decision):\n"
        "    pathlib.Path('thinks').touch()\n"
        f"    {FOREVER}\n"
        "    return decision.actions[0]\n"
    )
    command, *rest = words
    process = start(command, PIG, "--agents", "bot.py", *rest, folder=tmp_path)
    wait_for((tmp_path / "thinks").exists, process)
    process.send_signal(signal.SIGTERM)
    assert finish_silent(process) == (1, "playmill: stopped\n")
    assert not (tmp_path / "game.json").exists()


def test_a_picture_is_whole_or_absent(ctrl_c, tmp_path, monkeypatch, capsys):
    from playmill.cli import main
    from playmill.lab.replays import animation

    game = tmp_path / "game.json"
    assert main(["record", "dimensions", "--out", str(game)]) == 0
    paint = animation.painter()

    def interrupted(svg, width):
        signal.raise_signal(signal.SIGINT)
        return paint(svg, width)

    monkeypatch.setattr(animation, "painter", lambda: interrupted)
    words = ["replay", str(game), "--svg", str(tmp_path / "strip.svg"), "--gif", str(tmp_path / "film.gif")]
    assert main(words) == 1
    assert capsys.readouterr().err == "playmill: stopped\n"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["game.json"]


def test_bench_ends_with_what_is_measured(ctrl_c, tmp_path, monkeypatch, capsys):
    from playmill.cli import main
    from playmill.lab.bench import speed as bench

    measure = bench.bench
    measured = []

    def stopped_at_the_second(game, agent, *, seconds):
        if measured:
            signal.raise_signal(signal.SIGINT)
        measured.append(agent)
        return measure(game, agent, seconds=seconds)

    monkeypatch.setattr(bench, "bench", stopped_at_the_second)
    out = tmp_path / "bench.json"
    assert main(["bench", "dimensions", "--seconds", "0.05", "--out", str(out)]) == 1
    printed = capsys.readouterr()
    assert printed.err == "playmill: stopped\n"
    assert measured[0] in printed.out
    saved = json.loads(out.read_text(encoding="utf-8"))
    assert saved["complete"] is False
    assert {row["agent"] for row in saved["rows"]} == {measured[0]}


def test_rows_of_games_kept_before_are_all_there_or_not_written(ctrl_c, tmp_path, monkeypatch, capsys):
    """For their rows kept games are played again; who stops that must not get fewer rows than the report tells of."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PLAYMILL_HOME", str(tmp_path / "home"))
    Path("bot.py").write_text("def choose(decision):\n    return decision.options[-1]\n")
    words = ["simulate", str(PIG), "--agents", "bot.py", "random", "--keep", "--workers", "1"]
    assert main([*words, "--games", "400", "--quiet"]) == 0

    @contextmanager
    def pressed(*args, **settings):
        yield (lambda games: signal.raise_signal(signal.SIGINT) if games < 400 else None), None

    monkeypatch.setattr(progress, "games_bar", pressed)
    capsys.readouterr()
    assert main([*words, "--games", "800", "--csv", "rows.csv", "--out", "out.json"]) == 1
    assert "rows.csv is not written: " in capsys.readouterr().err
    assert not Path("rows.csv").exists() and not list(tmp_path.glob(".playmill-*"))
    assert json.loads(Path("out.json").read_text(encoding="utf-8"))["meta"]["games"] == 400
