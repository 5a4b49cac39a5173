"""A cluster without one: workers in this process that die, are late and answer out of order; the runs are real."""

from __future__ import annotations

import json
import random
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from common.cluster import Task
from common.found import FOLDERS
from playmill import PlaymillError, compare, simulate, simulate_until_sure, sweep, tune
from playmill.lab.decide.worth import worth
from playmill.lab.runs.executors import cluster_task, task_pool
from playmill.lab.runs.executors.task import TaskCall, run_task
from playmill.lab.runs.simulate import How, report_of, resume
from playmill.lab.runs.store import find_run, runs_folder
from playmill.report.files.writing import results_text

CHUNK = 1 << 14
BOT = """
def choose(decision):
    return decision.actions[0] if decision.number % 3 else "no such thing"
"""


def chunks_of(name: str) -> list[dict]:
    return [chunk.json() for chunk in find_run(name).chunks]


def bytes_of(name: str) -> dict[str, bytes]:
    folder = runs_folder() / name
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.glob("*/*") if path.is_file()}


def test_a_cluster_finds_what_one_machine_finds(pig, on):
    here = simulate(pig, games=7 * CHUNK + 100, seed=5)
    link = on()
    there = simulate(pig, games=7 * CHUNK + 100, seed=5, on="ray")
    assert results_text(there.results) == results_text(here.results)
    assert there.games.equals(here.games)
    assert there.seats.equals(here.seats)
    assert there.info.workers == 3
    assert link.left


def test_a_kept_run_has_the_same_bytes_from_a_cluster(pig, on):
    simulate(pig, games=7 * CHUNK + 100, seed=5, keep="here", rows=True)
    on(seed=2)
    simulate(pig, games=7 * CHUNK + 100, seed=5, keep="there", rows=True, on="ray")
    assert chunks_of("there") == chunks_of("here")
    assert bytes_of("there") == bytes_of("here")
    assert [path.name for path in (runs_folder() / "there").glob(".new-*")] == []


def test_files_travel_where_the_folder_cannot_be_seen(pig, on, monkeypatch):
    simulate(pig, games=4 * CHUNK + 100, keep="here", rows=True)
    monkeypatch.setattr("playmill.lab.runs.executors.cluster_task._sees", lambda *_: False)
    monkeypatch.setattr("playmill.lab.runs.store.manifest.FinishedChunk.written", _written_here_only())
    on()
    simulate(pig, games=4 * CHUNK + 100, keep="there", rows=True, on="ray")
    assert bytes_of("there") == bytes_of("here")


def _written_here_only() -> Callable[..., Any]:
    """Only whoever keeps the run writes: workers, whose writes have a mark, are not asked to."""
    from playmill.lab.runs.store.manifest import FinishedChunk

    before = FinishedChunk.written

    def written(self: FinishedChunk, folder: Path, *, mark: str = "") -> FinishedChunk:
        assert not mark
        assert self.unwritten
        return before(self, folder, mark=mark)

    return written


def trouble(seed: int) -> Callable[[Task], str]:
    """Workers that are lost every now and then, but not three times over the same games."""
    chance = random.Random(seed)
    deaths: Counter[int] = Counter()

    def fate(task: Task) -> str:
        if task.first == task.end or chance.random() < 0.6 or deaths[task.first] == 2:
            return "done"
        deaths[task.first] += 1
        return chance.choice(("lost", "played and lost", "node lost"))

    return fate


@pytest.mark.parametrize("seed", range(3))
def test_lost_workers_lose_and_double_nothing(pig, on, seed):
    whole = simulate(pig, games=30 * CHUNK, seed=1, keep="here")
    link = on(seed=seed, fate=trouble(seed))
    there = simulate(pig, games=30 * CHUNK, seed=1, keep="there", on="ray")
    played = [task.first for task in link.tasks if task.first < task.end]
    assert len(played) > len(set(played))
    assert results_text(there.results) == results_text(whole.results)
    assert bytes_of("there") == bytes_of("here")


@pytest.mark.parametrize("rotate", [False, True])
def test_lost_workers_of_a_run_that_is_not_kept(pig, on, rotate):
    how = {"games": 20 * CHUNK, "agents": ("random", "threshold"), "rotate": rotate}
    here = simulate(pig, **how)
    on(fate=trouble(7))
    there = simulate(pig, **how, on="ray")
    assert results_text(there.results) == results_text(here.results)
    assert there.games.equals(here.games)


def test_a_plan_is_resolved_once_in_a_process_and_others_beside_it(pig, on, monkeypatch):
    met: list[str] = []
    before = cluster_task._PreparedPlan.__init__
    monkeypatch.setattr(
        cluster_task._PreparedPlan, "__init__", lambda self, order: [met.append(order["plan"]), before(self, order)][1]
    )
    on()
    simulate(pig, games=3 * CHUNK, seed=77, on="ray", keep_games=False)
    assert len(met) == 1
    compare(pig, b={"set": {"target": 50}}, games=200, seed=77, on="ray")
    assert len(met) == 3


def test_another_worker_prepares_when_the_first_one_dies(pig, on):
    deaths = iter(["lost", "node lost", "lost"])
    link = on(fate=lambda task: next(deaths, "done"))
    simulate(pig, games=CHUNK, on="ray", keep_games=False)
    assert [task.end for task in link.tasks[:4]] == [0] * 4


def test_workers_that_always_die_are_told(pig, on):
    on(fate=lambda task: "lost")
    with pytest.raises(PlaymillError) as caught:
        simulate(pig, games=CHUNK, on="ray")
    assert caught.value.text.en == "workers die on the cluster before they have played a game: killed"


def test_games_that_kill_every_worker_are_told_and_the_rest_is_safe(pig, on):
    def fate(task: Task) -> str:
        return "lost" if task.first <= 5 * CHUNK < task.end else "done"

    on(fate=fate)
    with pytest.raises(PlaymillError) as caught:
        simulate(pig, games=8 * CHUNK, on="ray", keep="mine")
    told = caught.value.text
    safe = find_run("mine").games
    assert safe > 0
    assert "workers die again and again in games" in told.en
    assert told.en.endswith(f"killed; {safe} games of run mine are safe, playmill resume mine goes on")
    assert told.ru.endswith(f"killed; партий прогона mine сохранено: {safe}, playmill resume mine продолжит")
    ended = resume(find_run("mine"), How())
    assert results_text(ended.results) == results_text(simulate(pig, games=8 * CHUNK).results)


def test_a_cluster_without_a_free_core_is_told(pig, on, monkeypatch):
    link = on(cores=0)
    monkeypatch.setattr(task_pool, "_ASK", 0.0)
    monkeypatch.setattr(task_pool, "_LONELY", 0.0)
    monkeypatch.setattr(link, "ready", lambda tasks, timeout: ())
    with pytest.raises(PlaymillError, match="no node of the cluster has had a free core for 0 seconds"):
        simulate(pig, games=10, on="ray")
    assert link.left


def test_a_cluster_without_its_head_is_given_up_and_what_is_finished_is_safe(pig, on, monkeypatch):
    monkeypatch.setattr(task_pool, "_ASK", 0.0)
    monkeypatch.setattr(task_pool, "_SILENCE", 0.0)
    link = on()

    def lose(done: int) -> None:
        link.there = False

    with pytest.raises(PlaymillError) as caught:
        simulate(pig, games=50 * CHUNK, on="ray", keep="mine", progress=lose)
    safe = find_run("mine").games
    assert safe > 0
    assert caught.value.text.en == (
        f"the head of the cluster does not answer any more; {safe} games of run mine are safe, "
        "playmill resume mine goes on"
    )
    assert caught.value.text.ru.startswith("головной узел кластера больше не отвечает; партий прогона mine сохранено")


def test_a_node_with_other_rules_is_named(pig, on, monkeypatch):
    monkeypatch.setattr("platform.node", lambda: "old-node")
    link = on()
    before = link.submit

    def submit(call: TaskCall, *, gpu: bool) -> Any:
        order, *span = call["arguments"]
        changed = json.loads(order)
        changed["plan"]["rules"] = "0" * 64
        return before({**call, "arguments": (json.dumps(changed), *span)}, gpu=gpu)

    link.submit = submit
    with pytest.raises(PlaymillError) as caught:
        simulate(pig, games=10, on="ray")
    assert caught.value.text.en == "node old-node cannot play this run: the rules or agents of pig have changed"
    assert caught.value.text.ru == "узел old-node не может играть этот прогон: правила или агенты pig изменились"


def test_a_node_with_another_polars_is_named_where_files_are_kept(pig, on, monkeypatch):
    on()
    monkeypatch.setattr(
        "playmill.lab.runs.executors.cluster.versions", lambda *, rows: {"Polars": "0.1"} if rows else {}
    )
    simulate(pig, games=10, on="ray", keep="counts")
    with pytest.raises(PlaymillError, match=r"^node .* cannot play this run: it has Polars .*, and 0.1 is needed$"):
        simulate(pig, games=10, on="ray", keep="rows", rows=True)


def test_agents_of_files_play_on_a_cluster_and_their_words_come_in_order(pig, on, tmp_path):
    bot = tmp_path / "bot.py"
    bot.write_text(BOT)
    short = {"games": 600, "agents": (str(bot), "random"), "set": ["target=20"]}
    words: list[Any] = []
    here = simulate(pig, on_fallback=words.append, keep_games=False, **short)
    there_words: list[Any] = []
    on()
    there = simulate(pig, on_fallback=there_words.append, keep_games=False, on="ray", **short)
    assert results_text(there.results) == results_text(here.results)
    assert there_words == words != []
    assert there.fallbacks.entries == here.fallbacks.entries
    kept = simulate(pig, keep="mine", on="ray", **short)
    assert kept.fallbacks.entries == here.fallbacks.entries
    assert kept.info.extra["fallback_log"] == here.info.extra["fallback_log"]


def test_search_plays_on_a_cluster(pig, on):
    here = simulate(pig, games=40, agents=("search:iterations=20", "random"))
    on()
    there = simulate(pig, games=40, agents=("search:iterations=20", "random"), on="ray")
    assert results_text(there.results) == results_text(here.results)


def test_a_strict_run_ends_with_the_agents_mistake(pig, on, tmp_path):
    bot = tmp_path / "bot.py"
    bot.write_text(BOT)
    on()
    with pytest.raises(PlaymillError, match=r"^agent .*bot, game \d+, decision"):
        simulate(pig, games=600, agents=(str(bot), "random"), strict=True, on="ray")


def test_an_object_is_not_sent_to_a_cluster(pig, on):
    on()
    with pytest.raises(PlaymillError) as caught:
        simulate(pig, games=10, agents=(lambda decision: decision.actions[0], "random"), on="ray")
    assert "cannot play on a cluster: it was given as an object; name its file, FILE.py" in caught.value.text.en
    assert "не может играть на кластере" in caught.value.text.ru


@pytest.mark.parametrize("keep", [False, "mine"])
def test_ctrl_c_ends_a_run_on_a_cluster_with_what_is_finished(pig, on, ctrl_c, keep):
    def stop(done: int) -> None:
        if done > CHUNK:
            signal.raise_signal(signal.SIGINT)

    on(seed=3)
    stopped = simulate(pig, games=100 * CHUNK, seed=4, progress=stop, on="ray", keep=keep, keep_games=False)
    assert not stopped.info.complete
    assert 0 < stopped.info.games < 100 * CHUNK
    if keep:
        assert results_text(report_of(find_run("mine")).results) == results_text(stopped.results)
        stopped = resume(find_run("mine"), How())
    same = simulate(pig, games=stopped.info.games, seed=4)
    assert results_text(stopped.results) == results_text(same.results)


def test_a_run_begun_here_goes_on_there_and_the_other_way_round(pig, on):
    whole = simulate(pig, games=12 * CHUNK, seed=9, keep="whole")
    simulate(pig, games=3 * CHUNK + 5, seed=9, keep="mine")
    link = on()
    resume(find_run("mine"), How(on="ray"), end=8 * CHUNK)
    assert any(task.first < task.end for task in link.tasks)
    ended = resume(find_run("mine"), How(), end=12 * CHUNK)
    assert results_text(ended.results) == results_text(whole.results)
    assert chunks_of("mine") == chunks_of("whole")
    assert [session.get("on") for session in find_run("mine").manifest.sessions] == [None, "ray", None]


def test_a_run_on_a_cluster_is_kept_unless_that_is_not_wanted(pig, on):
    on()
    assert simulate(pig, games=10, on="ray", keep=None).kept is not None
    assert simulate(pig, games=10, on="ray", keep=False).kept is None


@pytest.mark.parametrize("wrong", ["", "rey", "ray://", "ray://host", "host:port", "http://host:80", "a b:1"])
def test_a_place_that_is_none_is_told(pig, wrong):
    with pytest.raises(PlaymillError) as caught:
        simulate(pig, games=10, on=wrong)
    assert caught.value.text.en == (
        f"cannot play on {wrong!r}; expected threads, cuda, ray, or the address of a Ray cluster: HOST:PORT or "
        "ray://HOST:PORT"
    )


def test_what_to_install_is_told_where_ray_is_missing(pig, monkeypatch):
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(PlaymillError) as caught:
        simulate(pig, games=10, on="ray")
    assert caught.value.text.en == "to play on a cluster Ray is needed: pip install 'playmill[ray]'"
    assert caught.value.text.ru == "чтобы играть на кластере, нужен Ray: pip install 'playmill[ray]'"


def test_ray_is_not_imported_unless_it_is_asked_for():
    play = "playmill.simulate(sys.argv[1], games=10, backend='interpreted')"
    code = f"import sys, playmill; {play}; print('ray' in sys.modules)"
    told = subprocess.run([sys.executable, "-c", code, str(FOLDERS["pig"])], capture_output=True, check=True)
    assert told.stdout.strip() == b"False"


def test_gpus_of_a_cluster_are_asked_for(pig, on):
    link = on()
    with suppress(PlaymillError):  # this machine has none
        simulate(pig, games=10, on="ray", backend="cuda")
    assert link.tasks
    assert all(task.gpu for task in link.tasks)


def test_the_variable_says_where_unless_somebody_else_does(pig, on, monkeypatch):
    link = on()
    monkeypatch.setenv("PLAYMILL_ON", "ray")
    simulate(pig, games=10)
    handed_out = len(link.tasks)
    assert handed_out
    simulate(pig, games=10, on="threads")
    simulate(pig, games=10, backend="interpreted")
    assert len(link.tasks) == handed_out
    monkeypatch.setenv("PLAYMILL_ON", "")
    simulate(pig, games=10)
    assert len(link.tasks) == handed_out
    monkeypatch.setenv("PLAYMILL_ON", "the moon")
    with pytest.raises(PlaymillError, match=r"^PLAYMILL_ON: cannot play on 'the moon'; expected threads, cuda, ray"):
        compare(pig, b={"set": {"target": 50}}, games=10)


QUESTIONS: dict[str, Callable[..., Any]] = {
    "compare": lambda pig, **how: compare(pig, b={"set": {"target": 50}}, agents="threshold", games=3000, **how),
    "compare until sure": lambda pig, **how: compare(
        pig, b={"set": {"target": 90}}, until_sure="turns", within=5, games=20_000, **how
    ),
    "simulate until sure": lambda pig, **how: simulate_until_sure(
        pig, figure="seats.0.win_rate", near="fair", within=0.05, games=20_000, **how
    ),
    "sweep": lambda pig, **how: sweep(pig, over="target=50..70/10", show="turns", games=1000, **how),
    "tune": lambda pig, **how: tune(pig, free="target:40..60", goal="turns=30", games=400, trials=4, keep=False, **how),
}


@pytest.mark.parametrize("question", QUESTIONS)
def test_every_question_is_answered_on_a_cluster_as_here(pig, on, question):
    here = QUESTIONS[question](pig, seed=3)
    link = on(seed=5, fate=trouble(3))
    there = QUESTIONS[question](pig, seed=3, on="ray")
    assert len(link.tasks) > 2
    assert link.left
    assert json.dumps(results_of(there)) == json.dumps(results_of(here))


def results_of(found: Any) -> Any:
    """All that was found, without when and where."""
    saved = found.json() if hasattr(found, "json") else {"results": found.results}
    return {key: value for key, value in saved.items() if key != "meta"}


def test_content_is_tried_on_a_cluster_as_here(on):
    how = {"only": ["five_groats"], "games": 300, "seed": 3}
    here = worth("dice", **how)
    link = on()
    assert worth("dice", **how, on="ray") == here
    assert len(link.tasks) > 2


@pytest.mark.parametrize(
    "name",
    [
        "os:system",
        "playmill:simulate",
        "playmill.lab.runs.executors.cluster_task:FileLock",
        "playmill.lab.runs.executors.cluster_task:cache_folder",
        "playmill.lab.runs.executors.cluster_task:nothing",
        "playmill.lab.runs.executors.cluster_task",
    ],
)
def test_nothing_but_a_function_of_playmill_is_a_task(name):
    answer = run_task({"function": name, "arguments": (), "versions": {}})
    assert answer["refused"][1:] == (f"there is no function {name} of Playmill", f"у Playmill нет функции {name}")
