"""Kept runs on the command line: listed, reported, resumed, extended, merged, removed, and what can go wrong."""

from __future__ import annotations

import csv
import errno
import json
import os
import shlex
import shutil
import signal
import subprocess
import sys
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path

import pytest
from filelock import FileLock

from playmill.cli import main
from playmill.lab.contests.tournament.store import pairings_folder
from playmill.lab.io import progress
from playmill.lab.jobs.job import JobProgress, new_job
from playmill.lab.runs.kept_work import KeptDescription
from playmill.lab.runs.plan import Plan
from playmill.lab.runs.resolved_plan import resolve_plan
from playmill.lab.runs.store import find_run, runs_folder
from playmill.lab.runs.store.manifest import KeptChunk, KeptFile, hash_of
from playmill.lab.runs.store.writer import open_writer

PIG = str(Path(__file__).parent.parent / "examples" / "pig")
CHUNK = 1 << 14
#: So many games that they cannot be over before somebody stops them.
MANY = 64 * CHUNK
BOT = "def choose(decision):\n    return decision.actions[0] if decision.number % 3 else 'no such thing'\n"


def thousands(number: int) -> str:
    """A number as people read it."""
    return f"{number:,}".replace(",", "\u00a0")


@pytest.fixture
def run(capsys):
    """Runs a command; returns its status, what it printed and what it complained about."""

    def run(*words):
        status = main([str(word) for word in words])
        said = capsys.readouterr()
        return status, said.out, said.err

    return run


@pytest.fixture
def refused(run):
    """Runs a command that must fail with one sentence in each language; returns the English one."""

    def refused(*words):
        told = [run(*words, "--lang", lang) for lang in ("en", "ru")]
        for status, out, err in told:
            assert (status, err.count("\n")) == (2, 1), (out, err)
            assert err.startswith("playmill: ")
        assert any("а" <= letter <= "я" for letter in told[1][2].lower())
        return told[0][2].removeprefix("playmill: ").removesuffix("\n")

    return refused


@pytest.fixture
def keep(run):
    """Plays Pig and keeps it under a name."""

    def keep(name, games, *words):
        status, _, err = run("simulate", PIG, "--games", games, "--keep", name, "--quiet", *words)
        assert (status, err) == (0, "")
        return find_run(name)

    return keep


@contextmanager
def interrupted_at(monkeypatch, games):
    """Ctrl-C when so many games are played."""

    @contextmanager
    def bar(total, lang, *, quiet):
        def played(done):
            if done >= games:
                signal.raise_signal(signal.SIGINT)

        yield played, lambda done, total: None

    with monkeypatch.context() as change:
        change.setattr(progress, "games_bar", bar)
        yield


@contextmanager
def somebody_else_at(run):
    """Another process that plays a run."""
    code = f"from filelock import FileLock; lock = FileLock({str(run.folder / 'lock')!r}); lock.acquire(); "
    code += "print(flush=True); input()"
    holder = subprocess.Popen([sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert holder.stdin and holder.stdout
    holder.stdout.readline()
    try:
        yield
    finally:
        holder.kill()
        holder.wait()
        holder.stdin.close()
        holder.stdout.close()


def results(path):
    return json.loads(Path(path).read_text(encoding="utf-8"))["results"]


def chunks_of(name):
    return [chunk.json() for chunk in find_run(name).chunks]


# What there is


@pytest.mark.parametrize("lang", ["en", "ru"])
def test_a_kept_run_is_named_and_listed(run, lang):
    status, out, _ = run("simulate", PIG, "--games", 500, "--keep", "--seed", 3, "--set", "target=50", "--lang", lang)
    assert status == 0
    name = runs_folder().iterdir().__next__().name
    assert (
        out.splitlines()[-1]
        == {
            "en": f"kept as {name}; its report again: playmill report {name}",
            "ru": f"сохранён как {name}; отчёт ещё раз: playmill report {name}",
        }[lang]
    )
    status, out, err = run("runs", "--lang", lang)
    assert (status, err) == (0, "")
    for part in (name, "pig", "random ×2", {"en": "seed 3", "ru": "сид 3"}[lang], "target=50", "500"):
        assert part in out
    (listed,) = json.loads(run("runs", "--json")[1])
    assert listed["run"] == name
    assert (listed["changes"], listed["games"], listed["complete"], listed["rows"]) == (
        {"target": 50},
        500,
        True,
        False,
    )


def test_a_terminal_too_narrow_for_the_list_cuts_no_number(run, keep, monkeypatch):
    keep("mine", 12_500, "--seed", 3)
    monkeypatch.setenv("COLUMNS", "30")
    status, out, err = run("runs")
    assert (status, err) == (0, "")
    told = out.replace("\u00a0", " ").splitlines()
    assert told[:-2] == [
        "mine",
        "  what: run",
        "  game: pig",
        "  agents, settings: random ×2,",
        "    seed 3",
        "  how far: 12 500",
    ]
    assert told[-1] == "  done: yes"


def test_without_runs_the_list_says_where_they_would_be(run):
    assert run("runs") == (0, f"no runs are kept in {runs_folder()}\n", "")
    assert run("runs", "--json") == (0, "[]\n", "")


def test_a_run_whose_game_is_gone_is_listed(run, keep, refused):
    keep("mine", 10)
    shutil.rmtree(runs_folder().parent / "sources")
    status, out, err = run("runs")
    assert (status, err) == (0, "")
    assert "its game is not found" in out
    assert "name its folder: --game PATH" in refused("report", "mine")
    assert run("report", "mine", "--game", PIG, "--quiet")[0] == 0
    assert run("resume", "mine", "--game", PIG, "--quiet")[0] == 0
    assert run("report", "mine", "--quiet")[0] == 0


def test_a_damaged_run_is_told_beside_the_others_and_can_be_removed(run, keep):
    keep("good", 10)
    bad = keep("bad", 10)
    (bad.folder / "manifest.json").write_text("{")
    status, out, err = run("runs")
    assert (status, err) == (0, "playmill: run bad: its manifest.json is damaged, nothing can be read without it\n")
    assert "good" in out
    assert run("runs", "--remove", "bad") == (0, "removed bad\n", "")
    assert [path.name for path in runs_folder().iterdir()] == ["good"]


@pytest.mark.parametrize(
    ("file", "data", "told"),
    [
        ("plan.json", "{", "run mine: its plan.json is missing or damaged"),
        ("plan.json", "{}", "mine: plan.json has form None; this Playmill reads form 1"),
        ("plan.json", None, "run mine: its plan.json is missing or damaged"),
        ("run.json", "{}", "run mine: its run.json is missing or damaged"),
        ("run.json", None, "run mine: its run.json is missing or damaged"),
        ("manifest.json", "", "run mine: its manifest.json is damaged, nothing can be read without it"),
    ],
)
def test_a_damaged_file_about_the_run_is_told(keep, refused, file, data, told):
    path = keep("mine", 10).folder / file
    path.unlink()
    if data is not None:
        path.write_text(data)
    for words in (["report", "mine"], ["resume", "mine"], ["merge", "mine", "--keep", "all"]):
        assert refused(*words) == told


def test_a_plan_that_was_edited_is_not_that_of_the_run(keep, refused):
    path = keep("mine", 10).folder / "plan.json"
    path.write_text(path.read_text().replace('"seed": 0', '"seed": 1'))
    assert refused("report", "mine") == "run mine: its manifest belongs to another plan"


def test_a_home_that_cannot_be_written_is_told(refused, home):
    (home / "runs").write_text("a file where a folder should be")
    assert refused("simulate", PIG, "--games", 10, "--keep", "mine").startswith("cannot write ")


def test_runs_are_removed_by_name_or_folder(run, keep):
    for name in ("one", "two", "three"):
        keep(name, 10)
    assert run("runs", "--remove", "one", runs_folder() / "two") == (0, "removed one\nremoved two\n", "")
    assert run("runs", "--remove", "three", "--lang", "ru") == (0, "удалён three\n", "")
    assert not [*runs_folder().iterdir()]


def test_nothing_is_removed_if_one_is_not_there(keep, refused):
    keep("mine", 10)
    assert refused("runs", "--remove", "mine", "yours").startswith("there is no kept run 'yours'; there are mine")
    assert find_run("mine").complete


def test_a_run_in_use_is_not_removed(run, keep, refused):
    used = keep("used", 10)
    with somebody_else_at(used):
        assert refused("runs", "--remove", "used").startswith("run used is being played by another process")
        keep("free", 10)
        status, out, err = run("runs", "--remove", "used", "free")
    assert (status, out) == (2, "removed free\n")
    assert "run used is being played" in err
    assert find_run("used").complete


# What else is kept

ASKED = {
    "audit": ("audit", PIG, "--quick", "--only", "fairness", "--keep"),
    "tune": ("tune", PIG, "--free", "target:40..60", "--goal", "turns=30", "--games", 100, "--trials", 2),
    "compare": ("compare", PIG, "--b", "target=50", "--games", 40, "--keep"),
    "tournament": ("tournament", PIG, "--entrants", "random", "threshold", "--deals", 4),
}


@pytest.mark.parametrize("kind", ASKED)
def test_whatever_is_kept_is_listed_shown_again_and_removed(run, refused, kind):
    assert run(*ASKED[kind], "--quiet")[::2] == (0, "")
    (listed,) = (one for one in json.loads(run("runs", "--json")[1]) if one["kind"] == kind)
    assert (listed["game"], listed["complete"]) == ("pig", True)
    assert listed["done"] > 0
    assert listed["bytes"] > 0
    assert listed["created"] <= listed["last"]
    name, command = listed["run"], listed["command"]
    assert Path(listed["folder"]).name == name
    for lang, yes in (("en", "yes"), ("ru", "да")):
        out = run("runs", "--lang", lang)[1]
        assert {name, kind, "pig", yes} <= {*out.split()}
    assert refused("resume", name) == f"{name} is kept by {kind} of pig and is done; this shows it again: {command}"
    # The command that is named is the one that goes on.
    assert run(*shlex.split(command)[1:], "--quiet")[::2] == (0, "")
    assert [one["run"] for one in json.loads(run("runs", "--json")[1]) if one["kind"] == kind] == [name]
    assert run("runs", "--remove", name) == (0, f"removed {name}\n", "")
    assert not Path(listed["folder"]).exists()
    assert kind not in run("runs")[1]
    assert refused("resume", name).startswith(f"there is no kept run '{name}'")


def test_a_misspelt_name_is_told_what_is_kept_whatever_it_is(refused, home):
    folder = home / "audits" / "pig-0123456789"
    folder.mkdir(parents=True)
    KeptDescription(folder, kind="audit", game="pig", command="playmill audit pig")
    for words in (("runs", "--remove"), ("resume",)):
        assert refused(*words, "pig-01234") == "there is no kept run 'pig-01234'; there are pig-0123456789"
        assert "none is kept" not in refused(*words, "quite-another")


def test_what_is_not_done_says_how_far_it_is_and_how_it_goes_on(run, refused, home):
    folder = home / "audits" / "pig-0123456789"
    KeptDescription(folder, kind="audit", game="pig", command="playmill audit pig --seed 3").note(371, 1000)
    assert not folder.exists()  # where nothing is kept, nothing is described
    folder.mkdir(parents=True)
    KeptDescription(folder, kind="audit", game="pig", command="playmill audit pig --seed 3").note(371, 1000)
    out = run("runs")[1]
    assert {"pig-0123456789", "audit", "no", "37"} <= {*out.replace("\u00a0", " ").split()}
    told = "pig-0123456789 is kept by audit of pig; this goes on with it: playmill audit pig --seed 3"
    assert refused("resume", "pig-0123456789") == told
    assert refused("resume", folder) == told
    with FileLock(folder / "lock"):
        assert "is being played by another process" in refused("runs", "--remove", "pig-0123456789")
    assert run("runs", "--remove", folder) == (0, "removed pig-0123456789\n", "")


@pytest.mark.parametrize(
    "about",
    ["", "{", "[]", '{"kind": 7, "game": [], "done": -1, "total": "x", "complete": 3, "created": {}}', "\0" * 99],
)
def test_a_description_that_is_none_is_listed_as_far_as_its_folder_says(run, home, about):
    folder = home / "tunings" / "pig-0123456789"
    folder.mkdir(parents=True)
    (folder / "about.json").write_text(about)
    (folder.parent / "link").symlink_to(home)
    status, out, err = run("runs")
    assert (status, err) == (0, "")
    assert {"pig-0123456789", "tune", "pig"} <= {*out.split()}
    assert "link" not in out
    (listed,) = json.loads(run("runs", "--json")[1])
    assert (listed["complete"], listed["command"], listed["done"]) == (None, None, 0)
    assert run("runs", "--remove", "pig-0123456789")[0] == 0


def test_tables_of_tournaments_are_removed_by_game(run, refused):
    run(*ASKED["tournament"], "--quiet")
    (listed,) = (one for one in json.loads(run("runs", "--json")[1]) if one["kind"] == "pairings")
    assert (listed["run"], listed["done"]) == ("pig-pairings", 1)
    assert refused("resume", "pig-pairings").startswith("pig-pairings are tables of tournaments of pig")
    assert run("runs", "--remove", "pig-pairings") == (0, "removed pig-pairings\n", "")
    assert not [*pairings_folder().iterdir()]


def test_jobs_of_the_laboratory_are_listed_and_left_to_it(run, refused, home):
    job = new_job(home / "jobs", "audit", "dimensions", {})
    job.tell(JobProgress(None, 250, 1000))
    new_job(home / "jobs", "simulate", "dimensions", {})  # plays a kept run, which is listed
    (listed,) = json.loads(run("runs", "--json")[1])
    assert (listed["kind"], listed["run"], listed["command"], listed["complete"]) == (
        "laboratory",
        job.id,
        "audit",
        False,
    )
    assert "25" in run("runs")[1].replace("\u00a0", " ").split()
    assert refused("resume", home / "jobs" / job.id).endswith("it goes on there: playmill serve")
    assert refused("runs", "--remove", home / "jobs" / job.id).endswith("remove it there: playmill serve")
    assert job.folder.exists()


# Its report


def test_the_report_of_a_kept_run_is_that_of_simulate(run, keep, tmp_path):
    words = ("--out", tmp_path / "a.json", "--html", tmp_path / "a.html", "--csv", tmp_path / "a.csv")
    _, plain, _ = run("simulate", PIG, "--games", CHUNK + 99, "--agents", "threshold", "random", *words)
    keep("mine", CHUNK + 99, "--agents", "threshold", "random")
    words = ("--out", tmp_path / "b.json", "--html", tmp_path / "b.html", "--csv", tmp_path / "b.csv")
    status, out, err = run("report", "mine", *words)
    assert (status, err) == (0, "")
    assert results(tmp_path / "a.json") == results(tmp_path / "b.json")
    assert (tmp_path / "a.csv").read_bytes() == (tmp_path / "b.csv").read_bytes()
    assert "<html" in (tmp_path / "b.html").read_text(encoding="utf-8")
    tables = [[line for line in text.splitlines() if "%" in line] for text in (plain, out)]
    assert tables[0] == tables[1] != []
    assert [line for line in out.splitlines() if line.startswith("wrote")] == [
        f"wrote {tmp_path / name}" for name in ("b.json", "b.html", "b.csv")
    ]
    assert run("report", runs_folder() / "mine", "--quiet") == (0, "", "")


@pytest.mark.parametrize("words", [[], ["--rotate"]])
def test_rows_that_were_kept_and_rows_played_again_are_the_same(run, keep, tmp_path, words):
    given = ("--agents", "threshold", "random", *words)
    keep("with", CHUNK + 10, "--rows", *given)
    keep("without", CHUNK + 10, *given)
    for name in ("with", "without"):
        assert run("report", name, "--csv", tmp_path / name, "--quiet") == (0, "", "")
    assert run("simulate", PIG, "--games", CHUNK + 10, "--csv", tmp_path / "plain", "--quiet", *given)[0] == 0
    plain = (tmp_path / "plain").read_bytes()
    assert (tmp_path / "with").read_bytes() == (tmp_path / "without").read_bytes() == plain
    assert len(list(csv.DictReader((tmp_path / "with").open()))) == 2 * (CHUNK + 10)


def test_rows_that_do_not_come_out_as_counted_are_refused(keep, refused, tmp_path):
    kept = keep("mine", 100)
    (path,) = kept.files("counts")
    saved = json.loads(path.read_bytes())
    saved["counts"]["value"][0] += 1
    data = json.dumps(saved, ensure_ascii=False, separators=(",", ":")).encode()
    path.write_bytes(data)
    name = kept.chunks[0].files["counts"].path
    kept.manifest.done[0] = KeptChunk(0, 100, {"counts": KeptFile(name, len(data), hash_of(data))})
    kept.manifest.write(kept.folder / "manifest.json")
    told = refused("report", "mine", "--csv", tmp_path / "rows.csv", "--quiet")
    assert told == "run mine: games 0 … 99, played again, do not come out as they were counted"
    assert not [*tmp_path.glob("rows.csv")]


def test_a_report_is_not_written_over_the_run(keep, refused):
    kept = keep("mine", 10)
    before = (kept.folder / "manifest.json").read_bytes()
    told = refused("report", "mine", "--out", kept.folder / "manifest.json")
    assert "would be written over a file that is read" in told
    assert "would be written over" in refused("resume", "mine", "--html", kept.files("counts")[0])
    assert (kept.folder / "manifest.json").read_bytes() == before


def test_a_run_with_nothing_finished_has_no_report(run, refused, pig):
    resolved = resolve_plan(pig)
    with open_writer(resolved, range(10), name="mine", about={}):
        pass
    assert refused("report", "mine") == "run mine has no finished games yet; playmill resume mine plays them"
    assert run("resume", "mine", "--quiet") == (0, "", "")
    assert find_run("mine").complete


def test_a_kept_run_stopped_before_its_first_game_says_how_to_go_on(run, ctrl_c, monkeypatch):
    def stopped(self, wanted):
        signal.raise_signal(signal.SIGINT)

    with monkeypatch.context() as change:
        change.setattr("playmill.lab.runs.executors.threads.Threads.prepare", stopped)
        for words in (["simulate", PIG, "--games", 10, "--keep", "mine"], ["resume", "mine"]):
            assert run(*words) == (1, "", "playmill: stopped; playmill resume mine goes on\n")
    assert run("resume", "mine", "--quiet") == (0, "", "")


# Stopped, killed, grown


@pytest.mark.parametrize("lang", ["en", "ru"])
def test_a_stopped_run_says_how_to_go_on_and_does(run, ctrl_c, monkeypatch, tmp_path, lang):
    with interrupted_at(monkeypatch, CHUNK + 1):
        status, out, err = run("simulate", PIG, "--games", MANY, "--keep", "mine", "--workers", 1, "--lang", lang)
    assert status == 1
    assert "%" in out
    assert (
        err
        == {
            "en": "playmill: stopped; playmill resume mine goes on\n",
            "ru": "playmill: остановлено; продолжить: playmill resume mine\n",
        }[lang]
    )
    stopped = find_run("mine")
    assert 0 < stopped.games < stopped.requested
    left = run("report", "mine", "--lang", lang)[1].splitlines()[-1]
    played, wanted = thousands(stopped.games), thousands(MANY)
    assert (
        left
        == {
            "en": f"{played} of {wanted} games are finished; playmill resume mine plays the rest",
            "ru": f"сыграно партий: {played} из {wanted}; остальные сыграет playmill resume mine",
        }[lang]
    )
    with interrupted_at(monkeypatch, stopped.games + 1):
        assert run("resume", "mine", "--workers", 1, "--quiet", "--lang", lang)[::2] == (1, err)
    assert run("resume", "mine", "--quiet", "--out", tmp_path / "a.json") == (0, "", "")
    assert run("simulate", PIG, "--games", MANY, "--no-keep", "--quiet", "--out", tmp_path / "b.json")[0] == 0
    assert results(tmp_path / "a.json") == results(tmp_path / "b.json")


def test_a_finished_run_resumed_is_reported_and_not_played(run, keep, monkeypatch):
    keep("mine", 100)
    before = chunks_of("mine")
    monkeypatch.setattr("playmill.lab.runs.executors.threads.Threads._play", lambda *_, **__: pytest.fail("played"))
    status, out, err = run("resume", "mine")
    assert (status, err) == (0, "")
    assert "%" in out
    assert chunks_of("mine") == before


def test_an_extended_run_is_the_longer_run(run, keep, tmp_path):
    keep("long", 2 * CHUNK + 50)
    keep("short", 100)
    status, out, err = run("extend", "short", "--games", 2 * CHUNK + 50, "--out", tmp_path / "short.json")
    assert (status, err) == (0, "")
    assert f"wrote {tmp_path / 'short.json'}" in out
    assert chunks_of("short") == chunks_of("long")
    assert run("report", "long", "--out", tmp_path / "long.json", "--quiet")[0] == 0
    assert results(tmp_path / "short.json") == results(tmp_path / "long.json")


def test_a_run_is_not_extended_to_fewer_games(keep, refused):
    keep("mine", 100)
    assert refused("extend", "mine", "--games", 50) == "run mine already has 100 games; name more than that"
    most = 1_000_000 * 16**4 * CHUNK
    told = f"a kept run of this kind has at most {most} games; without --keep (--no-keep) there is no limit"
    assert refused("extend", "mine", "--games", 2**62) == told
    assert refused("simulate", PIG, "--games", 2**62, "--keep", "large") == told
    assert find_run("mine").requested == 100
    assert refused("extend", "mine").startswith("the following arguments are required: --games")


@pytest.mark.parametrize("spoil", ["cut", "gone"])
def test_damaged_games_are_told_and_played_again(run, keep, refused, spoil):
    kept = keep("mine", CHUNK + 9)
    before = chunks_of("mine")
    path = kept.files("counts")[0]
    data = path.read_bytes()
    path.unlink()
    if spoil == "cut":
        path.write_bytes(data[: len(data) // 2])
    told = refused("report", "mine")
    assert told.endswith(f"is missing or damaged (games 0 … {CHUNK - 1}); playmill resume mine plays them again")
    status, told, err = run("resume", "mine")
    assert (status, err) == (0, "")
    assert f"games played again, since their files were missing or damaged: {thousands(CHUNK)}" in told
    assert run("resume", "mine", "--quiet") == (0, "", "")
    assert chunks_of("mine") == before
    assert path.read_bytes() == data


def test_damaged_rows_are_told(keep, refused, tmp_path):
    kept = keep("mine", 100, "--rows")
    path = kept.files("seats")[0]
    path.write_bytes(path.read_bytes()[:-1] + b"!")
    told = refused("report", "mine", "--csv", tmp_path / "rows.csv", "--quiet")
    assert "is missing or damaged (games 0 … 99); playmill resume mine plays them again" in told
    assert not [*tmp_path.glob("rows.csv")]


def test_a_changed_agent_is_refused_and_reported(run, refused, tmp_path):
    bot = tmp_path / "bot.py"
    bot.write_text(BOT)
    given = ("simulate", PIG, "--agents", bot, "random", "--games", 300, "--keep", "mine", "--quiet")
    assert run(*given)[0] == 0
    bot.write_text(BOT + "# edited\n")
    for command in (
        ["resume", "mine"],
        ["extend", "mine", "--games", 600],
        ["report", "mine", "--csv", tmp_path / "x"],
    ):
        told = refused(*command, "--quiet")
        assert told.startswith("run mine cannot go on: the agent ")
        assert told.endswith("bot has changed")
    status, out, err = run("report", "mine")
    assert (status, err) == (0, "")
    assert out.splitlines()[-1].startswith("as it was counted then; now run mine cannot go on: the agent ")


def test_a_changed_config_is_refused_with_what_changed(keep, refused):
    keep("mine", 10)
    told = refused("simulate", PIG, "--games", 10, "--keep", "mine", "--set", "target=50")
    assert told == "there is another run mine: the config differs at target; choose another name"


def test_a_changed_rule_is_refused(tmp_path):
    import shutil

    folder = tmp_path / "hog"
    shutil.copytree(PIG, folder)
    env = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1"}

    def play(*words):
        command = [sys.executable, "-m", "playmill", *map(str, words)]
        return subprocess.run(command, capture_output=True, text=True, env=env, check=False)

    assert play("simulate", folder, "--games", 20, "--keep", "mine", "--quiet").returncode == 0
    rules = folder / "rules.py"
    text = rules.read_text(encoding="utf-8")
    for edited, told in (
        (text.replace("face > 1", "face > 2"), "the rules or agents of hog have changed"),
        (text.replace("VERSION = 2", "VERSION = 3"), "the rules were of version 2, they are of version 3"),
    ):
        assert edited != text
        rules.write_text(edited, encoding="utf-8")
        done = play("resume", "mine")
        assert (done.returncode, done.stdout) == (2, "")
        assert done.stderr == f"playmill: run mine cannot go on: {told}\n"


def test_two_processes_do_not_play_one_run(keep, refused):
    kept = keep("mine", 10)
    with somebody_else_at(kept):
        for command in (["resume", "mine"], ["extend", "mine", "--games", 20]):
            assert refused(*command) == "run mine is being played by another process; wait for it, or stop it"
        assert refused("simulate", PIG, "--games", 20, "--keep", "mine").startswith("run mine is being played")


def test_a_full_disk_is_told_and_nothing_is_lost(run, keep, monkeypatch):
    real, left = os.fsync, [12]

    def fsync(handle):
        left[0] -= 1
        if left[0] < 0:
            raise OSError(errno.ENOSPC, "full")
        real(handle)

    monkeypatch.setattr("playmill.lab.runs.store.writer._PAUSE", 0.0)
    monkeypatch.setattr("playmill.lab.runs.store.writer._SHARE", 0.0)
    with monkeypatch.context() as change:
        change.setattr(os, "fsync", fsync)
        status, out, err = run("simulate", PIG, "--games", 8 * CHUNK, "--keep", "mine", "--workers", 1)
    safe = find_run("mine").games
    assert (status, out) == (2, "")
    assert safe > 0
    assert err.endswith(f"no space left on the disk; {safe} games of run mine are safe, playmill resume mine goes on\n")
    assert run("resume", "mine", "--quiet") == (0, "", "")
    keep("whole", 8 * CHUNK)
    assert chunks_of("mine") == chunks_of("whole")


def test_a_long_run_that_cannot_be_kept_says_so(run, monkeypatch, home):
    (home / "runs").write_text("a file where a folder should be")
    monkeypatch.setattr("playmill.lab.runs.store.recorder.LONG", 0.0)
    monkeypatch.setattr("playmill.lab.runs.store.recorder._FIRST_LOOK", 0.0)
    status, out, err = run("simulate", PIG, "--games", 2 * CHUNK)
    assert status == 0
    assert "%" in out
    assert err.startswith("playmill: this long run is not kept: cannot write ")
    assert run("simulate", PIG, "--games", 2 * CHUNK, "--no-keep", "--quiet") == (0, "", "")


def test_a_long_run_is_kept_and_says_so(run, monkeypatch):
    monkeypatch.setattr("playmill.lab.runs.store.recorder.LONG", 0.0)
    monkeypatch.setattr("playmill.lab.runs.store.recorder._FIRST_LOOK", 0.0)
    out = run("simulate", PIG, "--games", 2 * CHUNK)[1]
    (name,) = (path.name for path in runs_folder().iterdir())
    assert out.splitlines()[-1].startswith(f"kept as {name}; ")


# Pieces


def test_pieces_played_apart_make_the_whole_run(run, keep, tmp_path):
    keep("whole", 3 * CHUNK + 70)
    edges = (0, CHUNK, 2 * CHUNK, 3 * CHUNK + 70)
    for place, (first, end) in enumerate(pairwise(edges)):
        words = ("--from", first, "--to", end, "--keep", f"piece{place}", "--quiet")
        assert run("simulate", PIG, *words) == (0, "", "")
    status, out, err = run("merge", "piece2", "piece0", runs_folder() / "piece1", "--keep", "all")
    assert (status, err) == (0, "")
    assert out == f"{thousands(3 * CHUNK + 70)} games are kept as all; their report: playmill report all\n"
    assert chunks_of("all") == chunks_of("whole")
    for name in ("whole", "all"):
        assert run("report", name, "--out", tmp_path / name, "--quiet")[0] == 0
    assert results(tmp_path / "whole") == results(tmp_path / "all")


def test_a_gap_between_pieces_is_told_and_played_by_resuming(run, keep):
    keep("whole", 3 * CHUNK)
    keep("start", CHUNK + 5)
    assert run("simulate", PIG, "--from", 2 * CHUNK, "--to", 3 * CHUNK, "--keep", "end", "--quiet")[0] == 0
    out = run("merge", "start", "end", "--keep", "all", "--lang", "ru")[1]
    assert out.splitlines() == [
        f"партий: {thousands(2 * CHUNK + 5)}, сохранено как all; отчёт: playmill report all",
        f"сыграно партий: {thousands(2 * CHUNK + 5)} из {thousands(3 * CHUNK)}; остальные сыграет playmill resume all",
    ]
    assert run("resume", "all", "--quiet") == (0, "", "")
    assert chunks_of("all") == chunks_of("whole")


def test_games_that_two_pieces_have_count_once(run, keep):
    keep("whole", 2 * CHUNK)
    keep("short", 50)
    keep("longer", CHUNK + 7)
    assert run("simulate", PIG, "--from", CHUNK, "--to", 2 * CHUNK, "--keep", "rest", "--quiet")[0] == 0
    assert run("merge", "short", "longer", "rest", "short", "--keep", "all")[0] == 0
    assert chunks_of("all") == chunks_of("whole")


def test_rows_are_merged_where_all_have_them(run, keep, tmp_path):
    keep("whole", 2 * CHUNK, "--rows")
    keep("a", CHUNK, "--rows")
    words = ("simulate", PIG, "--from", CHUNK, "--to", 2 * CHUNK, "--quiet", "--keep")
    assert run(*words, "b", "--rows")[0] == run(*words, "plain")[0] == 0
    assert run("merge", "a", "b", "--keep", "rows")[0] == 0
    assert chunks_of("rows") == chunks_of("whole")
    assert run("merge", "a", "plain", "--keep", "counts")[1].splitlines()[1] == (
        "without single games, since not all of these runs have them"
    )
    assert not find_run("counts").has_rows
    assert [chunk.files.keys() for chunk in find_run("counts").chunks] == [{"counts"}] * 2


def test_pieces_of_different_runs_are_not_merged(keep, refused):
    keep("mine", 10)
    keep("yours", 10, "--seed", 1)
    assert refused("merge", "mine", "yours", "--keep", "all") == (
        "mine and yours are not pieces of one run: the seed was 0, is 1"
    )
    assert refused("merge", "mine", "--keep", "yours") == "there is a run yours already; choose another name"
    assert refused("merge", "mine", "--keep", "../all").startswith("a run cannot be called '../all'")
    assert refused("merge", "mine", "nobody", "--keep", "all").startswith("there is no kept run 'nobody'")
    assert refused("merge", "mine").startswith("the following arguments are required: --keep")
    assert {path.name for path in runs_folder().iterdir()} == {"mine", "yours"}


def test_a_damaged_piece_is_not_merged(keep, refused):
    kept = keep("mine", 10)
    kept.files("counts")[0].write_bytes(b"{}")
    assert "is missing or damaged (games 0 … 9)" in refused("merge", "mine", "--keep", "all")
    assert refused("report", "all").startswith("there is no kept run 'all'")


# Wrong arguments

MISTAKES = {
    "report": (["report", "mien"], "there is no kept run 'mien'; there are mine"),
    "resume": (["resume", "mien"], "there is no kept run 'mien'; there are mine"),
    "extend": (["extend", "mien", "--games", "20"], "there is no kept run 'mien'; there are mine"),
    "path": (["report", "no/such/folder"], "there is no kept run in 'no/such/folder'"),
    "empty": (["report", ""], "there is no kept run ''"),
    "no run": (["report"], "required: RUN"),
    "name": (["simulate", PIG, "--keep", "a/b"], "a run cannot be called 'a/b'"),
    "no name": (["simulate", PIG, "--keep", ""], "argument --keep: '' is not a name"),
    "keep and not": (["simulate", PIG, "--keep", "a", "--no-keep"], "not allowed with argument"),
    "rows alone": (["simulate", PIG, "--rows"], "--rows keeps single games with a kept run; add --keep"),
    "from alone": (["simulate", PIG, "--from", "5"], "--from A needs --to B: games A … B-1 are played"),
    "games and to": (["simulate", PIG, "--games", "5", "--to", "9"], "--games N is --to N"),
    "from no edge": (
        ["simulate", PIG, "--from", "5", "--to", "9"],
        f"this run can be taken up at multiples of {CHUNK} games, such as 0, not at 5",
    ),
    "from after to": (["simulate", PIG, "--from", str(CHUNK), "--to", "9"], "cannot play -16375 games; at least 1"),
    "plan and out": (["simulate", PIG, "--plan", "--out", "x"], "plays nothing; leave out --out"),
    "plan and keep": (["simulate", PIG, "--plan", "--keep", "x"], "plays nothing; leave out --keep"),
    "remove and json": (["runs", "--remove", "mine", "--json"], "not allowed with argument"),
    "remove nothing": (["runs", "--remove"], "argument --remove: expected at least one argument"),
    "out nowhere": (["report", "mine", "--out", "/dev/null/x"], "is not a folder"),
    "two into one": (["report", "mine", "--out", "x", "--html", "x"], "are both to be written to 'x'"),
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_every_mistake_gets_one_sentence(keep, refused, monkeypatch, tmp_path, mistake):
    monkeypatch.chdir(tmp_path)
    keep("mine", 10)
    words, sentence = MISTAKES[mistake]
    assert sentence in refused(*words)
    assert find_run("mine").complete


# Plans and rotations


def test_the_plan_is_printed_and_nothing_is_played(run, monkeypatch, keep):
    monkeypatch.setattr("playmill.lab.runs.executors.threads.Threads._play", lambda *_, **__: pytest.fail("played"))
    status, out, err = run("simulate", PIG, "--agents", "threshold", "random", "--rotate", "--seed", 4, "--plan")
    assert (status, err) == (0, "")
    plan = Plan.from_json(json.loads(out), "here")
    assert (plan.game, plan.rotations, plan.seed, plan.names) == ("pig", 2, 4, ("threshold", "random"))
    plans = json.loads(run("simulate", "dimensions", "--players", 3, 4, "--plan")[1])
    assert [plan["players"] for plan in plans] == [3, 4]
    monkeypatch.undo()


def test_a_rotated_run_tells_every_deal_from_every_seat(run, tmp_path):
    agents = ("threshold", "random")
    words = ("--agents", *agents, "--rotate", "--trace", 4, "--trace-out", tmp_path / "told.txt", "--quiet")
    assert run("simulate", PIG, "--games", 5, *words, "--out", tmp_path / "out.json") == (0, "", "")
    assert results(tmp_path / "out.json")["games"] == 6  # whole deals
    told = (tmp_path / "told.txt").read_text(encoding="utf-8").split("=== game ")[1:]
    for number, text in enumerate(told):
        seated = agents if number % 2 == 0 else agents[::-1]
        shown = run("show", PIG, "--agents", *seated, "--number", number // 2)[1]
        assert text.partition(" ===\n")[2].strip() == shown.strip()
    assert len(told) == 4


def test_several_numbers_of_players_are_kept_under_names_of_their_own(run):
    words = ("--players", 3, 4, "--games", 20, "--keep", "tables")
    out = run("simulate", "dimensions", *words)[1]
    assert [path.name for path in sorted(runs_folder().iterdir())] == ["tables-3", "tables-4"]
    assert out.count("kept as tables-") == 2


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["simulate", "--keep", "dimensions"], "GAME is missing: --keep has taken 'dimensions' for itself"),
        (
            ["simulate", "--agents", "dealer", "dimensions", "--games", "3"],
            "--agents has taken 'dimensions' for itself",
        ),
        (["simulate", "--lang", "ru", "--keep", "pig"], "слово 'pig' взял себе параметр --keep"),
        (["simulate", "--games", "3"], "the following arguments are required: GAME"),
    ],
)
def test_a_word_that_an_option_took_is_told(words, told, capsys):
    assert main(words) == 2
    assert told in capsys.readouterr().err
