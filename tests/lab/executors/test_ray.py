"""A real cluster: three nodes of Ray on this machine, and what becomes of a run when one of them, or we, are killed.

Ray is large and no part of the usual tests: `make test-ray` installs it and runs these.
"""

from __future__ import annotations

import importlib.util
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator

import contest_week as week
import misbehaving as tool
import pytest
from nodes import Nodes

from common.found import FOLDERS
from playmill import PlaymillError, audit, compare, simulate, tournament, tune
from playmill.lab.contests.contest import Contest
from playmill.lab.runs.simulate import How, resume
from playmill.lab.runs.store import find_run, runs_folder
from playmill.report.files.writing import results_text
from playmill.texts import Text

pytestmark = pytest.mark.skipif(
    importlib.util.find_spec("ray") is None, reason="Ray is not installed: make test-ray installs it"
)

PIG = str(FOLDERS["pig"])
GAMES = 1_000_000
PLAY = """
import sys
from playmill import simulate
game, games, name, address = sys.argv[1:]
simulate(game, games=int(games), keep=name, on=address, progress=lambda done: print(done, flush=True))
"""

CONTEST = """
import sys
from playmill.lab.contests.contest import Contest
folder, address = sys.argv[1:]
Contest(folder, on=address, telling=lambda words, done, total: print(done, flush=True)).run()
"""


@pytest.fixture(scope="module")
def nodes() -> Iterator[Nodes]:
    with Nodes(1, 1, 1) as found, pytest.MonkeyPatch.context() as patch:
        for name in ("RAY_AUTH_MODE", "RAY_AUTH_TOKEN"):
            patch.setenv(name, found.env[name])
        yield found


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, dict[str, bytes]]:
    """The same run on threads."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PLAYMILL_HOME", str(tmp_path_factory.mktemp("whole")))
        found = simulate(PIG, games=GAMES, keep="whole", rows=True)
        return results_text(found.results), bytes_of("whole")


@pytest.fixture(scope="module")
def counted(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """The files of the same run where single games are not kept."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PLAYMILL_HOME", str(tmp_path_factory.mktemp("counted")))
        simulate(PIG, games=GAMES, keep="counted")
        return bytes_of("counted", "counts")


def bytes_of(name: str, *below: str) -> dict[str, bytes]:
    folder = runs_folder() / name
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for kind in below or ("counts", "rows")
        for path in (folder / kind).iterdir()
    }


def start(name: str, nodes: Nodes, games: int = GAMES) -> subprocess.Popen[str]:
    """A driver in a process of its own, which tells how far it is."""
    words = [sys.executable, "-c", PLAY, PIG, str(games), name, nodes.address]
    return subprocess.Popen(words, env={**os.environ}, stdout=subprocess.PIPE, text=True)


def wait_for(process: subprocess.Popen[str], games: int) -> None:
    assert process.stdout is not None
    for line in process.stdout:
        if int(line) >= games:
            return
    pytest.fail("the run was over too soon")


def test_three_nodes_write_the_bytes_of_threads(nodes, whole):
    there = simulate(PIG, games=GAMES, keep="there", rows=True, on=nodes.address)
    assert there.info.workers == 3
    assert (results_text(there.results), bytes_of("there")) == whole
    assert find_run("there").complete


def test_a_client_from_elsewhere_gets_the_same(nodes, whole, monkeypatch):
    """The address from the environment, and by the door for clients that are no part of the cluster."""
    monkeypatch.setenv("RAY_ADDRESS", f"ray://127.0.0.1:{nodes.client_port}")
    there = simulate(PIG, games=GAMES, on="ray", keep_games=False)
    assert results_text(there.results) == whole[0]


def test_a_killed_driver_is_resumed_to_the_same_bytes(nodes, whole, counted):
    process = start("mine", nodes)
    wait_for(process, GAMES // 3)
    process.kill()
    process.wait()
    run = find_run("mine")
    assert not run.complete
    ended = resume(run, How(on=nodes.address))
    assert (results_text(ended.results), bytes_of("mine", "counts")) == (whole[0], counted)


def test_ctrl_c_ends_a_run_with_what_is_finished(nodes, whole):
    process = start("mine", nodes, 1000 * GAMES)
    wait_for(process, GAMES // 3)
    begun = time.monotonic()
    process.send_signal(signal.SIGINT)
    process.communicate()
    assert process.returncode == 0
    assert time.monotonic() - begun < 30
    run = find_run("mine")
    assert 0 < run.games < GAMES * 1000
    assert not list(run.folder.glob(".new-*"))


def test_a_killed_node_costs_nothing_but_time(nodes, whole):
    number = nodes.add(1)
    process = start("mine", nodes, 4 * GAMES)
    wait_for(process, GAMES // 4)
    assert nodes.kill(number) > 1
    process.communicate()
    assert process.returncode == 0
    here = simulate(PIG, games=4 * GAMES, keep="here")
    assert find_run("mine").complete
    assert bytes_of("mine", "counts") == bytes_of("here", "counts")
    assert here.info.complete


def test_a_comparison_and_a_tuning_do_not_notice_a_killed_node(nodes):
    sides = {"b": {"set": {"target": 60}}, "agents": "threshold", "games": 60_000}
    wishes = {"free": "target:40..60", "goal": "turns=30", "games": 2000, "trials": 6, "keep": False}
    here = compare(PIG, **sides), tune(PIG, **wishes)
    number, killed = nodes.add(1), []

    def kill(done: int) -> None:
        if done > 1000 and not killed:
            killed.append(nodes.kill(number))

    there = compare(PIG, **sides, on=nodes.address, progress=kill), tune(PIG, **wishes, on=nodes.address)
    assert killed
    for one, other in zip(here, there, strict=True):
        assert {**one.json(), "meta": None} == {**other.json(), "meta": None}


def test_an_audit_does_not_notice_a_killed_node(nodes):
    sizes = {"fairness": 3000, "luck": 300, "ladder.search25": 20, "drama": 8, "choices": 6, "without": 6, "uses": 200}
    here = audit(PIG, sizes=sizes, keep=False)
    number, killed = nodes.add(1), []

    def kill(part: str, share: float) -> None:
        if part == "drama" and not killed:
            killed.append(nodes.kill(number))

    there = audit(PIG, sizes=sizes, keep=False, on=nodes.address, progress=kill)
    assert killed
    assert there.json()["results"] == here.json()["results"]
    assert there.json()["verdicts"] == here.json()["verdicts"]


def test_an_agent_of_a_file_plays_on_nodes(nodes, tmp_path):
    bot = tmp_path / "bot.py"
    bot.write_text("def choose(decision):\n    return decision.actions[decision.number % 2]\n")
    here = simulate(PIG, games=1000, agents=(str(bot), "search:iterations=10"))
    there = simulate(PIG, games=1000, agents=(str(bot), "search:iterations=10"), on=nodes.address)
    assert results_text(there.results) == results_text(here.results)


def test_a_file_that_is_not_on_a_node_is_told(nodes, tmp_path, monkeypatch):
    """All nodes are this machine, so the plan is told of a file that is gone when workers look for it."""
    bot = tmp_path / "bot.py"
    bot.write_text("def choose(decision):\n    return decision.actions[0]\n")
    before = simulate(PIG, games=10, agents=(str(bot), "random"), keep="mine", on=nodes.address)
    assert before.info.complete
    from playmill.lab.runs.executors import cluster

    monkeypatch.setattr(cluster, "_specs", lambda resolved: [str(tmp_path / "gone.py"), "random"])
    with pytest.raises(PlaymillError, match=r"^node .* cannot play this run: there is no agent file .*gone.py$"):
        simulate(PIG, games=10, agents=(str(bot), "random"), on=nodes.address)


def test_a_tournament_with_programs_does_not_notice_a_killed_node(nodes, tmp_path):
    tool.build(tmp_path, (3, 6, 9), [], deals=1)
    entrants = [*(f"program:{path}" for path in sorted((tmp_path / "entrants").iterdir())), "search:iterations=10"]
    how = {"deals": 48, "set": ["target=40"], "keep": False}
    here = tournament(PIG, entrants, **how)
    number, killed = nodes.add(1), []

    def kill(words: Text, done: int, total: int) -> None:
        if done > 100 and not killed:
            killed.append(nodes.kill(number))

    there = tournament(PIG, entrants, **how, on=nodes.address, progress=kill)
    assert killed
    assert there.json()["results"] == here.json()["results"]


def test_a_contest_whose_driver_is_killed_goes_on_and_ends_the_same(nodes, tmp_path):
    for place in ("killed", "whole"):
        tool.build(tmp_path / place, (3, 6, 9), [], deals=20, target=20, move=20.0)
    Contest(tmp_path / "whole").run()
    words = [sys.executable, "-c", CONTEST, str(tmp_path / "killed"), nodes.address]
    process = subprocess.Popen(words, env={**os.environ}, stdout=subprocess.PIPE, text=True)
    wait_for(process, 60)
    process.kill()
    process.wait()
    Contest(tmp_path / "killed", on=nodes.address).run()
    assert tool.results(tmp_path / "killed") == tool.results(tmp_path / "whole")


def test_an_address_where_nobody_listens_is_told():
    with pytest.raises(PlaymillError, match=r"^there is no Ray cluster at 127.0.0.1:9: nobody listens there$"):
        simulate(PIG, games=10, on="127.0.0.1:9")


def test_a_contest_that_is_served_plays_on_the_cluster_and_stands_as_on_threads(nodes, tmp_path):
    """Eight submissions, some of them hostile, by HTTP; the server and its player are killed once on the way."""
    plan = week.Plan(4, 8)
    found = {}
    for name, on, kills in (("threads", None, 0), ("cluster", nodes.address, 1)):
        folder = tmp_path / name
        week.build(folder, deals=1, opponents=2)
        server, _ = week.run_week(folder, plan, kills, print, on=on)
        try:
            found[name] = week.outcome(folder, server)
        finally:
            server.stop()
    assert found["cluster"] == found["threads"] and found["threads"]["ladder"]["ladder"]
