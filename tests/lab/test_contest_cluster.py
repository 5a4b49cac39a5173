"""Tournaments and contests on a cluster: the same ladder whatever is lost, bots that travel, and who stays at home."""

from __future__ import annotations

import json
import random
import signal
import subprocess
import sys
import zlib
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import misbehaving as tool
import pytest

from common.cluster import Task
from common.found import FOLDERS
from playmill import PlaymillError, load_game, tournament
from playmill.home import home
from playmill.lab.contests import bot_archive
from playmill.lab.contests.bot_archive import BotArchive, packed, unpacked
from playmill.lab.contests.bot_folder import RefusedError
from playmill.lab.contests.contest import Contest
from playmill.lab.contests.tournament import deal_task, pool
from playmill.lab.contests.tournament.pool import LocalPool

PIG = str(FOLDERS["pig"])
AGENT = "def choose(decision):\n    return decision.actions[decision.number % 2]\n"
SHORT: dict[str, Any] = {"deals": 20, "set": ["target=12"], "backend": "interpreted", "keep": False}


def bots(folder: Path, *holds: int) -> list[str]:
    """Bots that hold at so many points, each in a folder of its own."""
    for hold in holds:
        tool.write_bot(folder, f"hold-{hold}", tool.GOOD.format(hold))
    return [f"program:{folder / 'entrants' / f'hold-{hold}'}" for hold in holds]


def trouble(seed: int) -> Callable[[Task], str]:
    """Workers that are lost every now and then, but not three times over the same task."""
    chance, deaths = random.Random(seed), Counter[Any]()

    def fate(task: Task) -> str:
        key = task.call["arguments"][0]
        if chance.random() < 0.6 or deaths[key] == 2:
            return "done"
        deaths[key] += 1
        return chance.choice(("lost", "played and lost", "node lost"))

    return fate


def results(found: Any) -> str:
    return json.dumps(found.json()["results"])


@pytest.mark.parametrize("schedule", [{}, {"rounds": 2}, {"deals": None, "until_settled": True, "games": 900}])
def test_a_cluster_that_loses_workers_comes_to_the_ladder_of_one_machine(on, tmp_path, schedule):
    (tmp_path / "agent.py").write_text(AGENT)
    entrants = [*bots(tmp_path, 3, 9), "random", str(tmp_path / "agent.py"), "search:iterations=4"]
    how = {**SHORT, **schedule}
    here = tournament(PIG, entrants, **how, workers=1)
    link = on(seed=3, fate=trouble(3))
    there = tournament(PIG, entrants, **how, on="ray")
    assert results(there) == results(here)
    assert len(link.tasks) > len({task.call["arguments"][0] for task in link.tasks}), "some were lost and played again"
    assert link.left


def test_what_was_played_there_is_known_here(on, tmp_path, monkeypatch):
    entrants, how = [*bots(tmp_path, 3), "random"], {**SHORT, "keep": tmp_path / "kept"}
    on()
    there = tournament(PIG, entrants, **how, on="ray")
    monkeypatch.setattr("playmill.lab.contests.tournament.event.play_deals", lambda *_: pytest.fail("it is known"))
    assert results(tournament(PIG, entrants, **how)) == results(there)


def test_a_contest_on_a_cluster_refuses_and_rates_as_here(on, tmp_path):
    for place in ("here", "there"):
        tool.build(tmp_path / place, (5, 9), ["crash-at-start"], deals=2, target=12, move=20.0)
    Contest(tmp_path / "here", interpreted=True).run()
    on(fate=trouble(1))
    Contest(tmp_path / "there", interpreted=True, on="ray").run()
    assert tool.results(tmp_path / "there") == tool.results(tmp_path / "here")
    here, there = (tool.submissions(tmp_path / place)["crash-at-start"] for place in ("here", "there"))
    assert there["state"] == "refused"
    assert there["why"] == here["why"], "in the same words, although the bot lay elsewhere"
    kept = {path.relative_to(tmp_path / "here") for path in (tmp_path / "here").rglob("*.stderr.txt")}
    assert kept == {path.relative_to(tmp_path / "there") for path in (tmp_path / "there").rglob("*.stderr.txt")}
    folders = [path.name for path in (home() / "bots").iterdir() if path.is_dir()]
    assert folders == [bot_archive.CACHE], "what a node wrote of stderr is not left behind"


def test_a_cluster_that_is_gone_refuses_nobody(on, tmp_path):
    tool.build(tmp_path, (5,), [], deals=2, target=12, move=20.0)
    on(fate=lambda task: "lost")
    with pytest.raises(PlaymillError, match=r"^workers die again and again with hold-5, ~1: killed$"):
        Contest(tmp_path, interpreted=True, on="ray").run()
    on()
    Contest(tmp_path, interpreted=True, on="ray").run()
    assert tool.submissions(tmp_path)["hold-5"]["state"] == "done"


def test_a_node_without_the_sandbox_is_named_before_anything_is_played(on, tmp_path, monkeypatch):
    monkeypatch.setattr("platform.node", lambda: "bare-node")
    tried = iter([{"files": "Landlock 7", "network": "seccomp"}])
    monkeypatch.setattr(deal_task, "tried_guarantees", lambda limits: next(tried, {"files": "Landlock 7"}))
    monkeypatch.setattr(deal_task, "play_deals", lambda *_: pytest.fail("played"))
    on(cores=1)
    with pytest.raises(PlaymillError) as caught:
        tournament(PIG, [*bots(tmp_path, 3), "random"], **SHORT, on="ray")
    assert caught.value.text.en == (
        "node bare-node cannot play these tables: its sandbox does not hold: no network, no sockets"
    )


def test_a_node_with_other_rules_is_named(on, monkeypatch):
    monkeypatch.setattr("platform.node", lambda: "old-node")
    link = on()
    before = link.submit

    def submit(call: Any, *, gpu: bool) -> Any:
        order = {**json.loads(call["arguments"][0]), "digest": "0" * 64}
        return before({**call, "arguments": (json.dumps(order),)}, gpu=gpu)

    link.submit = submit
    with pytest.raises(PlaymillError, match=r"^node old-node cannot play these tables: the rules or agents of pig"):
        tournament(PIG, ["random", "threshold"], **SHORT, on="ray")


@pytest.mark.parametrize(
    ("agent", "words"),
    [
        (lambda decision: decision.actions[0], "it was given as an object; name its file, FILE.py"),
        ("search:ms=5", "it thinks by the clock, and nodes differ; give it iterations=N"),
    ],
)
def test_who_cannot_travel_is_told_before_anything_is_played(on, agent, words):
    link = on()
    with pytest.raises(PlaymillError) as caught:
        tournament(PIG, [agent, "random"], **SHORT, on="ray")
    assert f"cannot play on a cluster: {words}" in caught.value.text.en
    assert "не может играть на кластере" in caught.value.text.ru
    assert not link.tasks


def test_a_gpu_plays_no_tournaments():
    with pytest.raises(PlaymillError, match="are played by processors, not by a GPU; play --on threads, or on a"):
        tournament(PIG, ["random", "threshold"], on="cuda")


def test_an_unpacked_bot_is_used_only_as_long_as_it_is_what_it_was(tmp_path):
    tool.write_bot(tmp_path, "one", tool.GOOD.format(5))
    folder = tmp_path / "entrants" / "one"
    (folder / "run.sh").write_text("#!/bin/sh\n")
    (folder / "run.sh").chmod(0o755)
    archive = packed(folder)
    place = unpacked(archive)
    assert packed(place) == archive
    assert (place / "run.sh").stat().st_mode & 0o111
    (place / "bot.py").write_text("print('somebody else')")
    bot_archive._whole.clear()
    assert packed(unpacked(archive)) == archive
    with pytest.raises(PlaymillError, match="the files of a bot have arrived damaged"):
        unpacked(BotArchive("0" * 64, archive.data))
    outside = json.dumps([["../out.py", 0, 1]]).encode()
    payload = len(outside).to_bytes(4, "big") + outside + b"x"
    with pytest.raises(PlaymillError, match="the files of a bot have arrived damaged"):
        unpacked(BotArchive(bot_archive.hashlib.sha256(payload).hexdigest(), zlib.compress(payload)))
    (folder / "link").symlink_to("/etc/passwd")
    with pytest.raises(RefusedError):
        packed(folder)


def test_agents_in_python_and_search_are_spread_over_the_cores(tmp_path, monkeypatch):
    """One machine: every core has a table, whoever plays; compiled agents alone have threads."""
    (tmp_path / "agent.py").write_text(AGENT)
    monkeypatch.setattr(pool, "START_AFTER", -1.0)
    asked: list[str] = []
    monkeypatch.setattr(pool.PoolProcess, "play", lambda self, task: asked.append(task.pairing.names[0]))
    for agent, spread in ((str(tmp_path / "agent.py"), True), ("search:iterations=2", True), ("threshold", False)):
        asked.clear()
        tournament(PIG, [agent, "random", "banker=threshold:n=5"], **SHORT, workers=2)
        assert bool(asked) == spread, agent


def test_processes_stay_for_the_next_tables_and_end_with_the_pool(monkeypatch):
    monkeypatch.setattr(pool, "START_AFTER", -1.0)
    ended: list[int] = []
    monkeypatch.setattr(pool.PoolProcess, "play", lambda self, task: None)
    monkeypatch.setattr(pool.PoolProcess, "end", lambda self: ended.append(1))
    table = LocalPool(2)
    game = load_game(PIG)
    pairing = deal_task.Pairing(game, PIG, deal_task.RuleSetting("—", game.config(target=12)), (), 1, interpreted=True)
    piece = deal_task.DealResults(None)
    for _ in range(2):
        tasks = [deal_task.PairingTask(pairing, range(1))] * 3
        assert len(list(table.play(tasks, lambda *_: piece, pool.Stop(), kinds={"program"}, count=3))) == 3
        assert not ended
    table.end()
    assert ended == [1]


PLAY = """
import json, sys
from playmill import tournament
from playmill.lab.contests.contest import Contest
what, place, workers = sys.argv[1:]
tell = lambda words, done, total: print(done, flush=True)
if what == "contest":
    Contest(place, workers=int(workers), interpreted=True, telling=tell).run()
else:
    found = tournament(what, [place, "random"], deals=48, set=["target=12"], workers=int(workers),
                       backend="interpreted", progress=tell)
    print(json.dumps(found.json()["results"]))
"""


def start(*words: str) -> subprocess.Popen[str]:
    return subprocess.Popen([sys.executable, "-c", PLAY, *words], stdout=subprocess.PIPE, text=True)


def kill_after(process: subprocess.Popen[str], lines: int) -> None:
    """Kills a process that has told so often how far it is; its children end by themselves."""
    assert process.stdout is not None
    for _ in range(lines):
        assert process.stdout.readline(), "it was over too soon"
    process.send_signal(signal.SIGKILL)
    process.wait()
    process.stdout.close()


@pytest.mark.parametrize("workers", ["1", "2"])
def test_kill_9_in_a_tournament_with_programs_costs_a_piece(tmp_path, monkeypatch, workers):
    bots(tmp_path, 3, 6, 9)
    entrants = str(tmp_path / "entrants")
    for times in (2, 3):
        kill_after(start(PIG, entrants, workers), times)
    ended = start(PIG, entrants, workers).communicate()[0].splitlines()[-1]
    monkeypatch.setenv("PLAYMILL_HOME", str(tmp_path / "whole"))
    whole = start(PIG, entrants, "1").communicate()[0].splitlines()[-1]
    assert ended == whole
    assert tool.left_running(tmp_path) == []


def test_kill_9_in_a_contest_costs_a_piece(tmp_path):
    for place in ("killed", "whole"):
        tool.build(tmp_path / place, (3, 6, 9), [], deals=20, target=12, move=20.0)
    for times in (2, 5):
        kill_after(start("contest", str(tmp_path / "killed"), "2"), times)
    for place in ("killed", "whole"):
        assert start("contest", str(tmp_path / place), "2").wait() == 0
    assert tool.results(tmp_path / "killed") == tool.results(tmp_path / "whole")
    assert tool.left_running(tmp_path) == []
