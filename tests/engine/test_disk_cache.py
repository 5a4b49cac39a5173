"""What is kept on disk heals: damaged, foreign or unreadable files are made anew, with a word and without a crash."""

from __future__ import annotations

import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import pytest

from playmill.engine.compile import disk_cache as keeping
from playmill.engine.compile.disk_cache import DiskCache, cache_folder
from playmill.engine.compile.play_kernels import Compiled
from playmill.engine.lang import compiler
from playmill.engine.run.match import Match, new_workspace

EXAMPLE = Path(__file__).parents[2] / "examples" / "pig"
KEY = "0123456789abcdef" * 4
CONTENT = b"what was computed" * 20


@pytest.fixture(autouse=True)
def cache(tmp_path, monkeypatch):
    """A cache of its own, in which nothing has been said yet."""
    folder = tmp_path / "cache"
    monkeypatch.setenv("PLAYMILL_CACHE", str(folder))
    monkeypatch.setattr(keeping, "_reported", set())
    return folder


@pytest.fixture
def disk_cache():
    return DiskCache("some-thing", KEY)


def only_file(cache: Path) -> Path:
    """The one file of a shelf; what a test before has left compiling may put its own beside it."""
    shelves = ("some-thing-*/*", "pig-*/*")
    (path,) = (path for disk_cache in shelves for path in cache.rglob(disk_cache) if path.is_file())
    return path


def flips(whole: bytes, count: int) -> list[bytes]:
    """The same bytes with one bit changed, at random places."""
    rng = random.Random(5)
    places = [rng.randrange(len(whole)) for _ in range(count)]
    return [whole[:at] + bytes([whole[at] ^ 1 << rng.randrange(8)]) + whole[at + 1 :] for at in places]


def test_what_is_kept_is_read_again(disk_cache, cache):
    assert disk_cache.read("table") is None
    disk_cache.write("table", CONTENT[:50], memoryview(CONTENT)[50:])
    assert disk_cache.read("table") == CONTENT
    assert disk_cache.read("other") is None
    assert only_file(cache).parent.name == f"some-thing-{KEY[:20]}"
    assert only_file(cache).stat().st_mode & 0o777 == 0o600
    assert only_file(cache).parent.stat().st_mode & 0o777 == 0o700


def test_every_changed_byte_is_noticed(disk_cache, cache, capsys):
    disk_cache.write("table", CONTENT)
    path = only_file(cache)
    whole = path.read_bytes()
    cuts = [whole[:length] for length in range(0, len(whole), 7)]
    for content in [*cuts, b"garbage", whole + b"\n", os.urandom(len(whole)), *flips(whole, 500)]:
        path.write_bytes(content)
        assert disk_cache.read("table") is None
    assert capsys.readouterr().err == (
        f"playmill: what was kept in some-thing-{KEY[:20]} is damaged, or not this user's: it is made anew\n"
    )
    disk_cache.write("table", CONTENT)
    assert disk_cache.read("table") == CONTENT


def test_it_is_said_in_the_users_language(disk_cache, cache, capsys, monkeypatch):
    monkeypatch.setenv("PLAYMILL_LANG", "ru")
    disk_cache.write("table", CONTENT)
    only_file(cache).write_bytes(b"")
    disk_cache.read("table")
    assert "повреждено или принадлежит не этому пользователю" in capsys.readouterr().err


def test_a_file_moved_to_another_place_is_not_taken(disk_cache, cache):
    disk_cache.write("table", CONTENT)
    shutil.copy(only_file(cache), only_file(cache).with_name("other"))
    assert disk_cache.read("other") is None
    other = DiskCache("some-thing", KEY[::-1])
    other.write("table", b"")
    shutil.copy(cache / disk_cache.name / "table", cache / other.name / "table")
    assert other.read("table") is None


def in_place_of(path: Path, what: str) -> None:
    path.unlink()
    if what == "folder":
        (path / "inside").mkdir(parents=True)
    elif what == "pipe":
        os.mkfifo(path)
    elif what == "endless file":
        path.symlink_to("/dev/zero")
    elif what == "link":
        path.with_name("real").write_bytes(b"")
        path.symlink_to(path.with_name("real"))
    elif what == "loop":
        path.symlink_to(path)
    elif what == "hole":
        with path.open("wb") as file:
            file.truncate(1 << 40)


@pytest.mark.parametrize("what", ["folder", "pipe", "endless file", "link", "loop", "hole"])
def test_something_else_in_place_of_a_file_is_replaced(disk_cache, cache, what, capsys):
    disk_cache.write("table", CONTENT)
    path = only_file(cache)
    in_place_of(path, what)
    assert disk_cache.read("table") is None
    assert "made anew" in capsys.readouterr().err
    disk_cache.write("table", CONTENT)
    assert disk_cache.read("table") == CONTENT
    assert path.is_file() and not path.is_symlink()


@pytest.mark.parametrize("what", ["file", "link", "for everybody", "locked"])
def test_something_else_in_place_of_a_shelf_is_replaced(disk_cache, cache, what, tmp_path):
    disk_cache.write("table", CONTENT)
    folder = cache / disk_cache.name
    if what in ("file", "link"):
        folder.rename(tmp_path / "elsewhere")
        if what == "file":
            folder.write_text("no folder")
        else:
            folder.symlink_to(tmp_path / "elsewhere")
    else:
        folder.chmod(0o777 if what == "for everybody" else 0)
    assert disk_cache.read("table") is None
    disk_cache.write("table", CONTENT)
    assert disk_cache.read("table") == CONTENT
    assert folder.stat().st_mode & 0o777 == 0o700 and not folder.is_symlink()


def test_what_others_can_write_is_not_read(disk_cache, cache):
    disk_cache.write("table", CONTENT)
    only_file(cache).chmod(0o666)
    assert disk_cache.read("table") is None


@pytest.mark.skipif(not hasattr(os, "getuid"), reason="no owners here")
def test_what_another_user_wrote_is_not_read(disk_cache, monkeypatch):
    disk_cache.write("table", CONTENT)
    mine = os.getuid()
    monkeypatch.setattr(os, "getuid", lambda: mine + 1)
    assert disk_cache.read("table") is None


def test_a_shared_folder_has_one_of_this_users_own(disk_cache, cache):
    cache.mkdir()
    cache.chmod(0o777)
    disk_cache.write("table", CONTENT)
    assert disk_cache.read("table") == CONTENT
    assert only_file(cache).parent.parent == cache / f"playmill-{os.getuid()}"
    (cache / f"playmill-{os.getuid()}").chmod(0o777)
    assert cache_folder() != cache / f"playmill-{os.getuid()}"


@pytest.fixture
def spare(tmp_path, monkeypatch):
    """A temporary folder of its own, and nowhere else to keep anything."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "tmp"))
    (tmp_path / "tmp").mkdir()
    (tmp_path / "cache").write_text("no folder")
    return tmp_path / "tmp" / f"playmill-{os.getuid()}"


def test_the_temporary_folder_serves_in_need(disk_cache, spare):
    disk_cache.write("table", CONTENT)
    assert disk_cache.read("table") == CONTENT
    assert only_file(spare).parent.parent == spare and spare.stat().st_mode & 0o777 == 0o700


@pytest.mark.parametrize("trap", ["for everybody", "another's", "link", "file"])
def test_a_temporary_folder_that_others_can_write_is_not_used(disk_cache, spare, trap, tmp_path, monkeypatch, capsys):
    if trap == "link":
        (tmp_path / "private").mkdir(mode=0o700)
        spare.symlink_to(tmp_path / "private")
    elif trap == "file":
        spare.write_text("no folder")
    else:
        spare.mkdir(mode=0o700)
    if trap == "for everybody":
        spare.chmod(0o722)
    if trap == "another's":
        mine = os.getuid()
        monkeypatch.setattr(os, "getuid", lambda: mine + 1)
        spare.rename(spare.with_name(f"playmill-{mine + 1}"))
    assert cache_folder() is None
    disk_cache.write("table", CONTENT)
    assert disk_cache.read("table") is None
    assert capsys.readouterr().err == (
        "playmill: what is computed now cannot be kept for the next time (no folder for it can be written)\n"
    )


@pytest.mark.parametrize("home", [None, "/nonexistent", "relative"])
def test_no_home_folder_is_made(monkeypatch, home, spare):
    monkeypatch.delenv("PLAYMILL_CACHE")
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.delenv("HOME", raising=False)
    if home is None:
        monkeypatch.setattr(Path, "home", lambda: (_ for _ in ()).throw(RuntimeError("no home")))
        keeping._wanted.cache_clear()
    else:
        monkeypatch.setenv("HOME", home)
    assert cache_folder() == spare
    assert not Path("/nonexistent").exists()
    keeping._wanted.cache_clear()


def test_a_relative_folder_stays_where_it_was(monkeypatch, tmp_path):
    monkeypatch.setenv("PLAYMILL_CACHE", "here")
    monkeypatch.chdir(tmp_path)
    keeping._wanted.cache_clear()
    before = cache_folder()
    monkeypatch.chdir("/")
    assert cache_folder() == before == tmp_path.resolve() / "here"
    keeping._wanted.cache_clear()


def test_a_full_disk_is_told_and_nothing_is_left(disk_cache, cache, monkeypatch, capsys):
    def full(path, parts):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(keeping, "_put", full)
    disk_cache.write("table", CONTENT)
    assert disk_cache.read("table") is None
    assert capsys.readouterr().err == (
        "playmill: what is computed now cannot be kept for the next time (No space left on device)\n"
    )


def old(path: Path, days: float) -> None:
    then = time.time() - days * 86400
    os.utime(path, (then, then))


def test_what_nobody_used_for_a_month_is_cleared_away(cache, disk_cache):
    DiskCache("used", KEY).write("table", CONTENT)
    DiskCache("unused", KEY).write("table", CONTENT)
    (cache / f".unused-{KEY[:20]}.12").mkdir()
    (cache / f"optimal-{KEY[:20]}.npz").write_text("of an older version")
    (cache / "my-own-thesis").mkdir()
    for path in cache.iterdir():
        old(path, 40)
    assert DiskCache("used", KEY).read("table") == CONTENT
    disk_cache.write("table", CONTENT)
    assert sorted(path.name for path in cache.iterdir()) == ["my-own-thesis", disk_cache.name, f"used-{KEY[:20]}"]


def test_drafts_of_killed_processes_are_cleared_away(cache, disk_cache):
    disk_cache.write("table", CONTENT)
    for name, days in (("killed.part", 3), ("running.part", 0)):
        (cache / disk_cache.name / name).write_bytes(b"")
        old(cache / disk_cache.name / name, days)
    disk_cache.write("table", CONTENT)
    assert sorted(path.name for path in (cache / disk_cache.name).iterdir()) == ["running.part", "table"]


def test_a_shelf_cleared_away_meanwhile_is_set_up_again(cache, disk_cache):
    disk_cache.write("table", CONTENT)
    shutil.rmtree(cache)
    assert disk_cache.read("table") is None
    disk_cache.write("table", CONTENT)
    assert disk_cache.read("table") == CONTENT


def tallied(game):
    """What one root of a game gives, asked anew as a new process would; and whether it had to be compiled."""
    tally = Compiled(game, strict=False).tally_rows
    workspace = new_workspace(Match(game, game.config(), 2, 0, (0, 0), (0, 0), ()))
    counts = np.zeros(1, game.tally)
    tally(workspace, np.zeros(3, game.outcome), counts)
    return counts.tobytes(), tally.compiled > 0


@pytest.mark.skipif(compiler.is_off(), reason="nothing is compiled")
def test_damaged_machine_code_is_never_run(pig, cache, capsys):
    first, compiled = tallied(pig)
    assert compiled and tallied(pig) == (first, False)
    path = only_file(cache)
    whole = path.read_bytes()
    for content in [b"", b"garbage", whole[: len(whole) // 2], whole[:-1], *flips(whole, 8)]:
        path.write_bytes(content)
        assert tallied(pig) == (first, True)
    assert tallied(pig) == (first, False)
    assert capsys.readouterr().err.count("made anew") == 1


@pytest.mark.skipif(compiler.is_off(), reason="nothing is compiled")
def test_whole_code_that_does_not_fit_is_compiled_anew(pig, cache, capsys):
    first, _ = tallied(pig)
    path = only_file(cache)
    DiskCache("pig-cpu", path.parent.name[-20:]).write(path.name, b"whole, but no machine code")
    assert tallied(pig) == (first, True)
    assert "made anew" in capsys.readouterr().err
    assert tallied(pig) == (first, False)


#: Plays the example as a library does, with files no larger than told.
SMALL = """
import resource, sys
from playmill import simulate
limit = int(sys.argv[1])
if limit:
    resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
print(simulate("./pig", games=100, agents="threshold").games.write_csv())
"""


@pytest.fixture
def start(tmp_path):
    """Starts Python in a folder with the example in it."""
    shutil.copytree(EXAMPLE, tmp_path / "pig", ignore=shutil.ignore_patterns("__pycache__"))

    def start(*words):
        pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
        return subprocess.Popen([sys.executable, *words], cwd=tmp_path, **pipes)

    return start


def finished(process):
    """What a process printed, and what it said beside."""
    out, err = process.communicate()
    assert process.returncode == 0, err
    return out, err


@pytest.mark.long
def test_a_run_heals_its_cache(start, cache, monkeypatch):
    first, said = finished(start("-c", SMALL, "0"))
    assert said == ""
    for path in cache.rglob("play_games-*"):
        path.write_bytes(path.read_bytes()[:-1000] + bytes(1000))
    monkeypatch.setenv("PLAYMILL_LANG", "ru")
    again, said = finished(start("-c", SMALL, "0"))
    assert again == first
    assert said.startswith("playmill: сохранённое в pig-cpu-") and said.count("\n") == 1
    assert finished(start("-c", SMALL, "0")) == (first, "")


def kept_code(cache: Path) -> list[Path]:
    """All code that is kept, but not what was seen of the rules (`preflight.py`) or of their imports."""
    others = ("-looked-", "imports-")
    return [path for path in cache.rglob("*") if path.is_file() and not any(one in str(path.parent) for one in others)]


@pytest.mark.long
def test_two_runs_at_once_keep_one_code(start, cache):
    one, two = start("-c", SMALL, "0"), start("-c", SMALL, "0")
    assert finished(one) == finished(two)
    # The loops, and the agent that plays in them.
    assert sorted(path.name.partition("-")[0] for path in kept_code(cache)) == ["answer_at", "play_games"]


@pytest.mark.long
@pytest.mark.skipif(sys.platform == "win32", reason="no limits here")
def test_a_run_goes_on_where_code_cannot_be_kept(start, cache):
    # Python itself would leave a half of what it compiles of a module that is imported for the first time.
    results, said = finished(start("-B", "-c", SMALL, "1000"))
    assert results.count("\n") > 100
    assert said == "playmill: what is computed now cannot be kept for the next time (File too large)\n"
    assert kept_code(cache) == []


def test_settings_that_another_thread_is_importing_are_waited_for():
    code = """
import importlib.machinery, sys, threading, time
class Slow(importlib.machinery.SourceFileLoader):
    def exec_module(self, module):
        begun.set()
        time.sleep(1)
        super().exec_module(module)
class Finder:
    def find_spec(self, name, path=None, target=None):
        spec = importlib.machinery.PathFinder.find_spec(name, path) if name == "numba.core.config" else None
        if spec is not None:
            spec.loader = Slow(name, spec.origin)
        return spec
begun = threading.Event()
sys.meta_path.insert(0, Finder())
from playmill.engine.lang import compiler
other = threading.Thread(target=__import__, args=("numba",))
other.start()
assert begun.wait(60) and not hasattr(sys.modules["numba.core.config"], "DISABLE_JIT")
assert not compiler.is_off() and list(compiler.settings())
other.join()
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
