"""Jobs: what is wanted as data, done by a process of its own, whatever happens to it."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from playmill import PlaymillError, simulate
from playmill.lab.audit.runner import WorkRunner
from playmill.lab.jobs import KINDS, Job, JobState, new_job
from playmill.lab.jobs.__main__ import UNUSED
from playmill.lab.jobs.job import JobProgress, jobs_in
from playmill.lab.jobs.perform import JobReporter, perform
from playmill.texts import Text

PIG = str(Path(__file__).parent.parent.parent / "examples" / "pig")
SMALL: dict[str, dict[str, Any]] = {
    "simulate": {"games": 40_000, "agents": ["threshold", "random"], "rotate": True},
    "compare": {"games": 500, "agents": ["threshold"], "a": {}, "b": {"set": ["target=40"]}},
    "sweep": {"games": 100, "agents": ["threshold"], "over": ["target=40..60/10"], "show": ["turns"]},
    "tune": {"games": 64, "trials": 2, "agents": ["threshold"], "free": ["target:40..60"], "goal": ["turns=20"]},
    "audit": {"minutes": None, "only": ["fairness"]},
    "tournament": {"entrants": ["random", "threshold"], "deals": 20},
    "sure": {"figure": "turns", "within": 1.0, "near": None, "games": 5000, "agents": ["threshold"]},
}


def test_every_kind_is_known_here_or_has_tests_of_its_own():
    assert {*SMALL, "resume", "worth"} == {*KINDS}


@pytest.mark.parametrize("kind", SMALL)
def test_every_kind_is_done_and_shown_in_both_languages(tmp_path, kind):
    job = new_job(tmp_path, kind, PIG, SMALL[kind])
    whole, result = perform(job, JobReporter(job))
    assert whole
    job.end(result)
    assert job.state is JobState.DONE
    assert '<html lang="en"' in (job.page("en") or "") and '<html lang="ru"' in (job.page("ru") or "")
    assert json.loads((job.folder / "results.json").read_text())
    assert job.standing.pages >= 1


def test_the_figures_of_a_run_are_those_of_the_run(tmp_path, pig):
    job = new_job(tmp_path, "simulate", PIG, SMALL["simulate"])
    _, result = perform(job, JobReporter(job))
    saved = json.loads((job.folder / "results.json").read_text())
    assert saved["results"] == json.loads(json.dumps(simulate(pig, **SMALL["simulate"]).results))
    assert job.standing.pages == 3, "a page each time there are twice as many games: 16384, 32768, 40000"
    assert result == {"run": f"lab-{job.id}"}


@pytest.mark.parametrize("kind", ["compare", "sweep"])
def test_a_comparison_and_a_sweep_go_on_where_they_were_stopped(ctrl_c, tmp_path, monkeypatch, kind):
    whole, stopped = (new_job(tmp_path, kind, PIG, SMALL[kind] | {"games": 100}) for _ in range(2))
    perform(whole, JobReporter(whole))
    usual, told = JobReporter.note, []

    def heard(desk, label, done, total):
        usual(desk, label, done, total)
        told.append(done)
        if total == heard.total and done >= heard.stops:
            signal.raise_signal(signal.SIGINT)

    heard.total, heard.stops = {"compare": (100, 64), "sweep": (400, 164)}[kind]
    with monkeypatch.context() as patch:
        patch.setattr(JobReporter, "note", heard)
        assert perform(stopped, JobReporter(stopped))[0] is False
        seen, heard.stops = max(told), 1000
        told.clear()
        assert perform(stopped, JobReporter(stopped))[0] is True
    assert seen < heard.total and next(filter(None, told)) >= (64 if kind == "compare" else 100)
    one, other = (json.loads((job.folder / "results.json").read_text())["results"] for job in (whole, stopped))
    assert one == other
    stopped.remove()
    assert not stopped.folder.exists(), "what was played goes with the job"


def test_an_audit_goes_on_where_it_was_stopped(ctrl_c, tmp_path, monkeypatch):
    asked = {"minutes": None, "only": ["fairness", "luck"]}
    whole, stopped = (new_job(tmp_path, "audit", PIG, asked) for _ in range(2))
    perform(whole, JobReporter(whole))
    monkeypatch.setattr("playmill.lab.jobs.perform._PAUSE", 0.0)
    usual = JobReporter.note

    def pressed(desk, label, done, total):
        usual(desk, label, done, total)
        if "luck" in label.en:
            signal.raise_signal(signal.SIGINT)

    with monkeypatch.context() as patch:
        patch.setattr(JobReporter, "note", pressed)
        assert perform(stopped, JobReporter(stopped))[0] is False
    played: list[str] = []
    usual_work = WorkRunner.play
    monkeypatch.setattr(WorkRunner, "play", lambda *given: [played.append(given[4]), usual_work(*given)][1])
    assert perform(stopped, JobReporter(stopped))[0] is True
    assert {key.split()[0] for key in played} == {"tables_played"}
    one, other = (json.loads((job.folder / "results.json").read_text())["results"] for job in (whole, stopped))
    assert one == other
    stopped.remove()
    assert not stopped.folder.exists(), "what was played goes with the job"


def test_a_kept_run_goes_on_to_more_games_and_shows_what_was_there(tmp_path, pig):
    how = {"agents": ["threshold"], "config": {"target": 30}}
    simulate(pig, games=20, keep="begun", backend="interpreted", **how)
    job = new_job(tmp_path, "resume", PIG, {"run": "begun", "games": 90})
    whole, result = perform(job, JobReporter(job))
    assert whole and result == {"run": "begun"}
    saved = json.loads((job.folder / "results.json").read_text())
    assert saved["results"] == json.loads(json.dumps(simulate(pig, games=90, **how).results))
    assert job.standing.pages == 5, "20 games as they were and again, 40, 80, 90"


@pytest.mark.parametrize("compared", [False, True])
def test_a_question_that_was_stopped_goes_on_to_the_same_verdict(ctrl_c, tmp_path, monkeypatch, compared):
    asked: dict[str, Any] = {"figure": "seats.0.win_rate", "games": 4000, "agents": ["threshold"]}
    asked |= {"a": {}, "b": {"set": ["target=40"]}, "within": 0.3} if compared else {"near": "fair", "within": 0.08}
    whole = new_job(tmp_path, "sure", PIG, asked)
    assert perform(whole, JobReporter(whole))[0]
    shutil.rmtree(Path(os.environ["PLAYMILL_HOME"]) / "questions")
    stopped = new_job(tmp_path, "sure", PIG, asked)
    usual = JobReporter.note

    def pressed(desk, label, done, total):
        usual(desk, label, done, total)
        if done == 64:
            signal.raise_signal(signal.SIGINT)

    with monkeypatch.context() as patch:
        patch.setattr(JobReporter, "note", pressed)
        assert perform(stopped, JobReporter(stopped))[0] is False
    assert "Not settled after" in (stopped.page("en") or "")
    complete, result = perform(stopped, JobReporter(stopped))
    assert complete and result["verdict"] == "same" and result["told"][1] in (stopped.page("ru") or "")
    one, other = (json.loads((job.folder / "results.json").read_text())["results"] for job in (whole, stopped))
    assert one == other


def test_a_comparison_shows_what_it_knows_on_the_way(tmp_path, monkeypatch):
    monkeypatch.setattr("playmill.lab.decide.compare._LONG", 0.0)
    shown: list[str] = []
    monkeypatch.setattr(Job, "show", lambda self, pages: shown.append(pages["en"]))
    job = new_job(tmp_path, "compare", PIG, SMALL["compare"] | {"games": 400})
    perform(job, JobReporter(job))
    assert job.standing.pages >= 2
    assert "So far: 64 of 400 deals." in shown[0] and "hold at any such moment" in shown[0]
    assert "So far" not in shown[-1] and "hold at any such moment" not in shown[-1]


def test_a_process_that_waits_for_a_job_performs_it_and_ends_with_who_started_it(tmp_path):
    def waiting() -> subprocess.Popen[bytes]:
        return subprocess.Popen([sys.executable, "-m", "playmill.lab.jobs"], stdin=subprocess.PIPE)

    job = new_job(tmp_path, "compare", PIG, SMALL["compare"])
    process, left = waiting(), waiting()
    assert process.stdin is not None and left.stdin is not None
    process.stdin.write(os.fsencode(job.folder) + b"\n")
    process.stdin.flush()
    assert process.wait(120) == 0
    assert job.state is JobState.DONE
    assert (job.folder / "log.txt").read_bytes() == b""
    process.stdin.close()
    left.stdin.close()
    assert left.wait(120) == UNUSED


def test_whoever_asks_to_stop_with_the_last_game_of_a_stage_is_heard(ctrl_c, tmp_path, monkeypatch):
    def pressed(desk, label, done, total):
        if done == 16384:
            signal.raise_signal(signal.SIGINT)

    monkeypatch.setattr(JobReporter, "note", pressed)
    monkeypatch.setattr(JobReporter, "_last", (None, 0, 0), raising=False)
    job = new_job(tmp_path, "simulate", PIG, {"games": 200_000, "agents": ["random"]})
    whole, _ = perform(job, JobReporter(job))
    assert not whole and job.standing.pages == 1


def test_the_state_follows_from_what_is_there(tmp_path):
    job = new_job(tmp_path, "simulate", PIG, {"games": 1})
    assert job.state is JobState.WAITING
    job.stop()
    assert job.state is JobState.STOPPED
    job.go_on()
    assert job.state is JobState.WAITING
    job.fail(Text("no", "нет"))
    assert job.state is JobState.FAILED and job.trouble == Text("no", "нет")
    job.go_on()
    assert job.state is JobState.WAITING and job.trouble is None
    job.end({"run": "x"})
    assert job.state is JobState.DONE and job.result == {"run": "x"}
    job.stop()
    assert job.state is JobState.DONE


def test_what_is_wanted_and_how_far_it_is_are_read_again(tmp_path):
    job = new_job(tmp_path, "tune", "pig", {"free": ["target:1..2"]}, {"changes": ["a=1"]})
    job.tell(JobProgress(Text("playing", "играю"), 3, 9, 1, 2.25))
    [again] = jobs_in(tmp_path)
    assert (again.kind, again.game, again.arguments, again.about) == (job.kind, job.game, job.arguments, job.about)
    assert again.standing == JobProgress(Text("playing", "играю"), 3, 9, 1, 2.2)


def test_a_damaged_job_is_passed_over_and_a_cut_note_is_no_note(tmp_path):
    job = new_job(tmp_path, "simulate", "pig", {"games": 1})
    (job.folder / "now.json").write_text('{"label": ["a')
    assert job.standing == JobProgress()
    (job.folder / "job.json").write_text('{"kind": "sim')
    assert jobs_in(tmp_path) == []
    with pytest.raises(PlaymillError, match="is no job"):
        Job.open(job.folder)


def test_where_nothing_can_be_written_a_job_is_refused_with_a_sentence(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(PlaymillError, match=r"cannot write '.*file/jobs/"):
        new_job(tmp_path / "file" / "jobs", "simulate", "pig", {"games": 1})


def test_removed_it_is_gone(tmp_path):
    job = new_job(tmp_path, "simulate", "pig", {"games": 1})
    job.remove()
    assert jobs_in(tmp_path) == [] and not job.folder.exists()


def _start(job: Job) -> subprocess.Popen[bytes]:
    words = [sys.executable, "-m", "playmill.lab.jobs", str(job.folder)]
    return subprocess.Popen(words, stdin=subprocess.PIPE, stderr=subprocess.PIPE)


def _wait(condition: Any, process: subprocess.Popen[bytes]) -> None:
    """Waits for something that a process does; one that nobody looked at for long may have done all there is to do."""
    end = time.monotonic() + 1200
    while not condition() and process.poll() is None:
        assert time.monotonic() < end
        time.sleep(0.02)


def test_what_was_killed_goes_on_to_the_same_figures(tmp_path, pig):
    """Killed outright, then left by whoever started it, then done: as if nothing had happened."""
    wanted = {"games": 600_000, "agents": ["random"]}
    job = new_job(tmp_path, "simulate", PIG, wanted)
    killed = _start(job)
    _wait(lambda: job.standing.done > 0, killed)
    killed.send_signal(signal.SIGKILL if os.name == "posix" else signal.SIGTERM)
    assert job.state is (JobState.WAITING if killed.wait(1200) else JobState.DONE)
    left = _start(job)
    before = job.standing.pages
    _wait(lambda: job.standing.pages > before, left)
    assert left.stdin is not None
    left.stdin.close()
    assert left.wait(1200) == 1 or job.state is JobState.DONE
    done = _start(job)
    assert done.wait(1200) == 0 and job.state is JobState.DONE
    saved = json.loads((job.folder / "results.json").read_text())
    assert saved["meta"]["complete"] and saved["meta"]["games"] == 600_000
    assert saved["results"] == json.loads(json.dumps(simulate(pig, keep_games=False, **wanted).results))


def test_a_mistake_is_the_end_of_a_job_and_its_sentence_is_kept(tmp_path):
    job = new_job(tmp_path, "compare", PIG, {"games": 10, "agents": ["nobody"], "a": {}, "b": {"set": ["target=9"]}})
    assert _start(job).wait(1200) == 0
    assert job.state is JobState.FAILED
    assert job.trouble is not None and job.trouble.en.startswith("pig has no agent 'nobody'")
    assert job.trouble.ru.startswith("в pig нет агента")
