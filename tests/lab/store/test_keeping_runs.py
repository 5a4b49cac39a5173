"""Kept runs: killed, cut, doubled, grown — and the same bytes in the end."""

from __future__ import annotations

import errno
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from playmill import PlaymillError, simulate
from playmill.lab.runs.simulate import How, report_of, resume
from playmill.lab.runs.store import all_runs, find_run, runs_folder
from playmill.lab.runs.store.lock import RunLock
from playmill.report.files.writing import results_text

CHUNK = 1 << 14
BOT = """
def choose(decision):
    return decision.actions[0] if decision.number % 3 else "no such thing"
"""


@pytest.fixture(autouse=True)
def _home(tmp_path, monkeypatch):
    monkeypatch.setenv("PLAYMILL_HOME", str(tmp_path / "home"))


def chunks_of(name: str) -> list[dict]:
    return [chunk.json() for chunk in find_run(name).chunks]


def test_a_kept_run_finds_what_one_finds_that_is_not_kept(pig):
    plain = simulate(pig, games=3 * CHUNK + 100, seed=5)
    kept = simulate(pig, games=3 * CHUNK + 100, seed=5, keep=True)
    assert results_text(kept.results) == results_text(plain.results)
    run = find_run(kept.kept)
    assert [(chunk.first, chunk.games) for chunk in run.chunks] == [
        (0, CHUNK),
        (CHUNK, CHUNK),
        (2 * CHUNK, CHUNK),
        (3 * CHUNK, 100),
    ]
    assert run.complete
    assert results_text(report_of(run).results) == results_text(plain.results)


def test_a_run_that_is_there_is_not_played_again(pig, monkeypatch):
    first = simulate(pig, games=CHUNK, keep="mine")
    monkeypatch.setattr("playmill.lab.runs.executors.threads.Threads._play", lambda *_, **__: pytest.fail("played"))
    again = simulate(pig, games=CHUNK, keep="mine")
    assert results_text(again.results) == results_text(first.results)
    assert len(find_run("mine").manifest.sessions) == 1


def test_a_run_grows_to_the_bytes_of_a_longer_one(pig):
    whole = simulate(pig, games=4 * CHUNK, keep="whole", seed=1)
    simulate(pig, games=CHUNK + 77, keep="grown", seed=1)
    grown = resume(find_run("grown"), How(workers=1), end=4 * CHUNK)
    assert results_text(grown.results) == results_text(whole.results)
    assert chunks_of("grown") == chunks_of("whole")
    files = {path.name for path in (runs_folder() / "grown" / "counts").iterdir()}
    assert len(files) == 4


def test_workers_and_backends_write_the_same_bytes(pig):
    simulate(pig, games=2 * CHUNK, keep="one", workers=1)
    simulate(pig, games=2 * CHUNK, keep="three", workers=3)
    assert chunks_of("one") == chunks_of("three")


def stop_at(games: int) -> Callable[[int], None]:
    """Ctrl-C when so many games are played."""

    def stop(done: int) -> None:
        if done >= games:
            signal.raise_signal(signal.SIGINT)

    return stop


def test_a_stopped_run_keeps_what_is_finished_and_goes_on(pig, ctrl_c):
    stopped = simulate(pig, games=40 * CHUNK, keep="mine", workers=1, progress=stop_at(CHUNK + 1))
    assert not stopped.info.complete
    assert stopped.info.games > CHUNK
    assert stopped.info.games == find_run("mine").games
    assert results_text(report_of(find_run("mine")).results) == results_text(stopped.results)
    ended = resume(find_run("mine"), How())
    assert results_text(ended.results) == results_text(simulate(pig, games=40 * CHUNK).results)


def test_a_chunk_stopped_half_way_counts_until_it_is_played_whole(pig, tmp_path, ctrl_c):
    bot = tmp_path / "bot.py"
    bot.write_text(BOT)
    given = {"agents": [str(bot), "random"], "set": ["target=20"]}  # short games
    chunk = 256
    stopped = simulate(pig, games=3 * chunk, keep="mine", progress=stop_at(chunk + 100), **given)
    games = stopped.info.games
    assert chunk + 100 <= games < 2 * chunk
    assert (games, False) == (find_run("mine").games, find_run("mine").complete)
    assert results_text(stopped.results) == results_text(simulate(pig, games=games, **given).results)
    # Stopped sooner, the next session leaves what there is.
    again = resume(find_run("mine"), How(progress=stop_at(chunk + 1)))
    assert again.info.games == games == find_run("mine").games
    assert results_text(again.results) == results_text(stopped.results)
    ended = resume(find_run("mine"), How())
    assert results_text(ended.results) == results_text(simulate(pig, games=3 * chunk, **given).results)
    assert len([*(runs_folder() / "mine" / "counts").iterdir()]) == 3


#: Plays a run that waits before its end: whenever it is killed, it is in the middle.
PLAY = """
import sys
from playmill import simulate

def wait(done):
    if done > 39 * int(sys.argv[2]) // 40:
        sys.stdin.read()

simulate(sys.argv[1], games=int(sys.argv[2]), keep="killed", seed=3, workers=1, progress=wait)
"""


def test_a_run_killed_again_and_again_ends_with_the_same_bytes(pig, monkeypatch):
    """Real processes, killed for real: thousands of such kills are for tools/kill_runs.py."""
    from common.found import FOLDERS

    games = 40 * CHUNK
    folder = str(FOLDERS["pig"])
    kills = 0
    for wait in (0.0, 0.05, 0.3):
        process = subprocess.Popen([sys.executable, "-c", PLAY, folder, str(games)], stdin=subprocess.PIPE)
        place = runs_folder() / "killed" / "manifest.json"
        while not place.exists() and process.poll() is None:
            time.sleep(0.01)
        time.sleep(wait)
        kills += process.poll() is None
        process.kill()
        process.communicate()
    assert kills == 3
    ended = resume(find_run("killed"), How())
    whole = simulate(pig, games=games, keep="whole", seed=3)
    assert results_text(ended.results) == results_text(whole.results)
    assert chunks_of("killed") == chunks_of("whole")


@pytest.mark.parametrize("spoil", ["cut", "flip", "gone"])
def test_a_damaged_chunk_is_told_and_played_again(pig, spoil):
    whole = simulate(pig, games=3 * CHUNK, keep="mine")
    run = find_run("mine")
    path = run.files("counts")[1]
    data = path.read_bytes()
    if spoil == "gone":
        path.unlink()
    else:
        path.write_bytes(data[: len(data) // 2] if spoil == "cut" else data[:-9] + b"7" + data[-8:])
    with pytest.raises(PlaymillError) as caught:
        report_of(find_run("mine"))
    assert caught.value.text.en == (
        f"run mine: {run.chunks[1].files['counts'].path} is missing or damaged (games {CHUNK} … {2 * CHUNK - 1}); "
        "playmill resume mine plays them again"
    )
    again = resume(find_run("mine"), How())
    assert results_text(again.results) == results_text(whole.results)
    assert path.read_bytes() == data


def test_a_damaged_manifest_is_told(pig):
    simulate(pig, games=10, keep="mine")
    path = runs_folder() / "mine" / "manifest.json"
    whole = path.read_bytes()
    for data in (whole[:50], b"", whole.replace(b'"games":10', b'"games":11'), b"[]", b"null"):
        path.write_bytes(data)
        with pytest.raises(PlaymillError, match=r"run mine: its manifest\.json is damaged"):
            find_run("mine")
    runs, troubles = all_runs()
    assert not runs
    assert len(troubles) == 1


def test_a_manifest_cannot_lead_out_of_the_folder(pig):
    from playmill.lab.runs.store.manifest import Manifest

    simulate(pig, games=10, keep="mine")
    run = find_run("mine")
    chunk = run.chunks[0]
    away = chunk.files["counts"].__class__("../../../etc/passwd", 1, "0")
    run.manifest.done[0] = chunk.__class__(0, 10, {"counts": away})
    run.manifest.write(run.folder / "manifest.json")
    with pytest.raises(PlaymillError, match="is damaged"):
        Manifest.read(run.folder / "manifest.json", "mine")


def test_a_disk_that_fills_up_loses_nothing_that_was_written(pig, monkeypatch):
    real, left = os.fsync, 12

    def fsync(handle: int) -> None:
        nonlocal left
        left -= 1
        if left < 0:
            raise OSError(errno.ENOSPC, "full")
        real(handle)

    monkeypatch.setattr("playmill.lab.runs.store.writer._PAUSE", 0.0)
    monkeypatch.setattr("playmill.lab.runs.store.writer._SHARE", 0.0)
    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", fsync)
        with pytest.raises(PlaymillError) as caught:
            simulate(pig, games=8 * CHUNK, keep="mine", workers=1)
    safe = find_run("mine").games
    assert safe > 0
    assert caught.value.text.en.endswith(
        f"no space left on the disk; {safe} games of run mine are safe, playmill resume mine goes on"
    )
    assert f"сохранено: {safe}" in caught.value.text.ru
    ended = resume(find_run("mine"), How())
    assert results_text(ended.results) == results_text(simulate(pig, games=8 * CHUNK).results)


def test_two_processes_do_not_play_one_run(pig):
    simulate(pig, games=10, keep="mine")
    run = find_run("mine")
    hold = f"from filelock import FileLock; lock = FileLock({str(run.folder / 'lock')!r}); lock.acquire(); "
    words = [sys.executable, "-c", hold + "print(flush=True); input()"]
    holder = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert holder.stdout
    holder.stdout.readline()
    try:
        with pytest.raises(PlaymillError, match="run mine is being played by another process"):
            simulate(pig, games=20, keep="mine")
        with pytest.raises(PlaymillError, match="another process"):
            run.remove()
        assert results_text(report_of(run).results)
    finally:
        holder.kill()
        holder.wait()
        holder.stdin.close()
        holder.stdout.close()
    with RunLock(run.folder, "mine"):
        pass


def test_another_run_of_that_name_is_not_written_over(pig):
    simulate(pig, games=10, keep="mine")
    before = chunks_of("mine")
    with pytest.raises(PlaymillError, match="there is another run mine: the seed was 0, is 1; choose another name"):
        simulate(pig, games=10, seed=1, keep="mine")
    with pytest.raises(PlaymillError, match="run mine already has 10 games, more than 5: playmill report mine"):
        simulate(pig, games=5, keep="mine")
    with pytest.raises(PlaymillError, match="run mine was begun without single games"):
        simulate(pig, games=10, keep="mine", rows=True)
    assert chunks_of("mine") == before


@pytest.mark.parametrize("name", ["", "../mine", "a/b", ".hidden", "-x", "a b", "a\0", "я" * 60, "end."])
def test_a_name_is_letters_and_digits(pig, name):
    with pytest.raises(PlaymillError, match="cannot be called"):
        simulate(pig, games=10, keep=name or "\n")


def test_a_name_may_be_russian(pig):
    assert find_run(simulate(pig, games=10, keep="мой-прогон_2.1").kept).games == 10


def test_an_unknown_run_gets_a_sentence_that_names_those_like_it(pig):
    with pytest.raises(PlaymillError, match=r"there is no kept run 'mine'; none is kept yet"):
        find_run("mine")
    simulate(pig, games=10, keep="mine")
    with pytest.raises(PlaymillError, match=r"there is no kept run 'nine'; there are mine"):
        find_run("nine")
    assert find_run(str(runs_folder() / "mine")).name == "mine"


def test_a_changed_bot_is_refused_with_what_changed(pig, tmp_path):
    bot = tmp_path / "bot.py"
    bot.write_text(BOT)
    simulate(pig, games=300, agents=[str(bot), "random"], keep="mine")
    bot.write_text(BOT + "\n# edited\n")
    with pytest.raises(PlaymillError, match=r"run mine cannot go on: the agent .*bot has changed"):
        resume(find_run("mine"), How(), end=600)
    assert report_of(find_run("mine")).changed is not None


def test_fallbacks_are_kept_with_their_words(pig, tmp_path):
    bot = tmp_path / "bot.py"
    bot.write_text(BOT)
    short = {"agents": [str(bot), "random"], "set": ["target=20"]}
    plain = simulate(pig, games=600, **short)
    simulate(pig, games=300, keep="mine", **short)
    kept = resume(find_run("mine"), How(), end=600)
    assert plain.results["fallbacks"]["total"] > 100
    assert results_text(kept.results) == results_text(plain.results)
    assert kept.info.extra["fallback_log"] == plain.info.extra["fallback_log"]


def test_an_agent_given_as_an_object_cannot_be_kept(pig):
    with pytest.raises(PlaymillError, match="cannot be kept: it was given as an object"):
        simulate(pig, games=10, agents=[lambda decision: decision.actions[0], "random"], keep=True)


def test_a_long_run_is_kept_unasked(pig, monkeypatch):
    monkeypatch.setattr("playmill.lab.runs.store.recorder.LONG", 0.0)
    monkeypatch.setattr("playmill.lab.runs.store.recorder._FIRST_LOOK", 0.0)
    found = simulate(pig, games=3 * CHUNK, keep=None)
    assert found.kept == find_run(found.kept).name
    assert find_run(found.kept).complete
    assert simulate(pig, games=CHUNK, seed=1, keep=False).kept is None


def test_a_short_run_is_not_kept_unasked(pig):
    assert simulate(pig, games=CHUNK, keep=None).kept is None
    assert all_runs() == ([], [])


def test_a_long_run_that_cannot_be_kept_is_played_all_the_same(pig, monkeypatch, tmp_path):
    (tmp_path / "home").write_text("a file where a folder should be")
    monkeypatch.setattr("playmill.lab.runs.store.recorder.LONG", 0.0)
    monkeypatch.setattr("playmill.lab.runs.store.recorder._FIRST_LOOK", 0.0)
    found = simulate(pig, games=2 * CHUNK, keep=None)
    assert found.info.complete
    assert found.kept is None
    assert "cannot write" in str(found.not_kept)
    with pytest.raises(PlaymillError, match="cannot write"):
        simulate(pig, games=10, keep=True)


def test_rotated_runs_are_kept_by_groups_of_deals(pig):
    plain = simulate(pig, games=2 * CHUNK, agents=["threshold", "random"], rotate=True)
    kept = simulate(pig, games=CHUNK, agents=["threshold", "random"], rotate=True, keep="mine")
    assert kept.info.rotations == 2
    grown = resume(find_run("mine"), How(), end=2 * CHUNK)
    assert results_text(grown.results) == results_text(plain.results)


def test_rows_are_kept_where_they_are_asked_for(pig):
    import polars

    simulate(pig, games=CHUNK + 50, keep="mine", rows=True)
    run = find_run("mine")
    games = polars.concat([polars.read_parquet(path) for path in run.files("games")])
    plain = simulate(pig, games=CHUNK + 50)
    assert games.height == CHUNK + 50
    assert games["decisions"].sum() == plain.results["decisions"] if "decisions" in plain.results else True
    assert games.equals(plain.games)
    with pytest.raises(PlaymillError, match="--rows keeps single games with a kept run"):
        simulate(pig, games=10, rows=True)


def test_a_range_of_games_begins_at_the_edge_of_a_chunk(pig):
    part = simulate(pig, first=CHUNK, games=2 * CHUNK, keep="second")
    assert part.info.games == CHUNK
    with pytest.raises(PlaymillError, match=f"taken up at multiples of {CHUNK} games, such as 0, not at 5"):
        simulate(pig, first=5, games=2 * CHUNK)


def test_what_a_killed_writer_left_is_swept_and_nothing_else(pig):
    simulate(pig, games=10, keep="mine")
    folder = runs_folder() / "mine"
    left = [folder / "counts" / ".new-x.json", folder / "counts" / "000000000000099-000000000000100.json"]
    for path in left:
        path.write_text("{")
    note = folder / "my-notes.txt"
    note.write_text("keep me")
    resume(find_run("mine"), How(), end=20)
    assert not any(path.exists() for path in left)
    assert note.exists()


def test_everything_is_there_to_know_who_played(pig):
    simulate(pig, games=10, keep="mine")
    folder = runs_folder() / "mine"
    assert sorted(path.name for path in folder.iterdir()) == [
        "counts",
        "lock",
        "manifest.json",
        "plan.json",
        "rows",
        "run.json",
    ]
    session = json.loads((folder / "manifest.json").read_text())["manifest"]["sessions"][0]
    assert session["command"].startswith("playmill simulate ")
    assert {"playmill", "python", "numba", "machine", "when", "seconds", "games"} <= session.keys()
    assert Path(find_run("mine").about["game"]).is_absolute()
