"""Reports on disk."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from common.found import game_of
from common.reports import run_of
from playmill.engine.config.input_files import note_file
from playmill.report.files.atomic_file import AtomicFile
from playmill.report.files.writing import check_writable, claim, results_text, write_json, write_text
from playmill.report.model.histogram import saved_estimate
from playmill.report.model.tables import Estimate, rate
from playmill.texts import PlaymillError

RUN = run_of(
    game_of("dimensions"),
    ("агент", "dealer", "dealer"),
    10,
    {"mode": "epic"},
    playmill="0.1.0",
    workers=2,
    elapsed_s=0.5,
)


def test_json_has_meta_and_results_in_the_order_given(tmp_path: Path) -> None:
    path = tmp_path / "run.json"
    write_json(path, RUN, {"b": 1, "a": {"value": 0.5}})
    text = path.read_bytes().decode("utf-8")
    assert json.loads(text) == {"meta": RUN.json(), "results": {"b": 1, "a": {"value": 0.5}}}
    assert "агент" in text
    assert text.index('"b"') < text.index('"a"')
    assert '\n  "results": {\n    "b": 1' in text


def test_the_same_run_writes_the_same_bytes(tmp_path: Path) -> None:
    write_json(tmp_path / "one.json", RUN, {"a": 1 / 3})
    write_json(tmp_path / "two.json", RUN, {"a": 1 / 3})
    assert (tmp_path / "one.json").read_bytes() == (tmp_path / "two.json").read_bytes()


def test_results_text_depends_on_nothing_but_the_results() -> None:
    assert results_text({"a": 1, "b": [1 / 3]}) == results_text({"b": [1 / 3], "a": 1})
    assert results_text({"a": 0.1}) != results_text({"a": 0.1 + 2**-56})
    assert results_text(json.loads(results_text({"a": 1 / 3, "ё": 2}))) == results_text({"a": 1 / 3, "ё": 2})


def test_results_without_a_value_are_refused() -> None:
    with pytest.raises(ValueError, match="not JSON compliant"):
        results_text({"a": float("nan")})


def test_an_estimate_comes_back_from_its_saved_form() -> None:
    assert saved_estimate(rate(3, 9).json()) == rate(3, 9)
    assert isinstance(saved_estimate(rate(3, 9).json()), Estimate)


def test_a_failed_write_leaves_the_old_file_and_no_draft(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "page.html"
    write_text(path, "old")

    def broken(*_: Any) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", broken)
    with pytest.raises(PlaymillError, match="no space left on the disk") as caught:
        write_text(path, "new")
    assert str(path) in str(caught.value)
    assert caught.value.text.ru.endswith("на диске нет места")
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_an_interrupt_leaves_no_draft(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "fsync", interrupted)
    with pytest.raises(KeyboardInterrupt):
        write_text(tmp_path / "page.html", "new")
    assert list(tmp_path.iterdir()) == []


def test_writing_keeps_the_mode_and_honours_the_umask(tmp_path: Path) -> None:
    old, new = tmp_path / "old", tmp_path / "new"
    old.touch()
    old.chmod(0o640)
    before = os.umask(0o022)
    try:
        write_text(old, "text")
        write_text(new, "text")
    finally:
        os.umask(before)
    assert old.stat().st_mode & 0o777 == 0o640
    assert new.stat().st_mode & 0o777 == 0o644


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    (tmp_path / "real").write_text("old")
    (tmp_path / "link").symlink_to("real")
    write_text(tmp_path / "link", "new")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "real").read_text() == "new"


def test_bytes_that_are_no_utf8_are_written_as_json_writes_them(tmp_path: Path) -> None:
    write_text(tmp_path / "a.json", json.dumps({"agent": "\udcff"}, ensure_ascii=False))
    assert json.loads((tmp_path / "a.json").read_text(encoding="utf-8")) == {"agent": "\udcff"}


def test_a_good_path_is_writable_and_nothing_is_left_there(tmp_path: Path) -> None:
    (tmp_path / "old.json").write_text("{}")
    check_writable(tmp_path / "old.json")
    check_writable(tmp_path / "new.json")
    assert [path.name for path in tmp_path.iterdir()] == ["old.json"]


def test_a_missing_folder_is_made(tmp_path: Path) -> None:
    place = tmp_path / "new" / "folder" / "run.json"
    assert claim({"--out": place}) == {"--out": place}
    assert place.parent.is_dir()
    assert not list(place.parent.iterdir())


@pytest.mark.parametrize(
    ("path", "reason"),
    [("folder", "it is a folder"), ("file/run.json", "is not a folder"), ("x" * 300, "the name is too long")],
)
def test_a_path_that_cannot_be_a_file_is_refused(tmp_path: Path, path: str, reason: str) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "file").touch()
    with pytest.raises(PlaymillError, match=reason):
        check_writable(tmp_path / path)


@pytest.mark.skipif(not Path("/dev/null").exists(), reason="needs devices that are files")
def test_a_device_is_written_and_stays_a_device() -> None:
    check_writable(Path("/dev/null"))
    write_text(Path("/dev/null"), "gone")
    assert Path("/dev/null").is_char_device()


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
def test_a_full_device_gets_one_sentence() -> None:
    with pytest.raises(PlaymillError, match="cannot write '/dev/full': no space left on the disk"):
        write_text(Path("/dev/full"), "x" * 100_000)


@pytest.mark.skipif(not Path("/dev/stdout").exists(), reason="needs streams that are files")
def test_the_output_stream_may_be_named(capfd: pytest.CaptureFixture[str]) -> None:
    print("before")
    write_text(Path("/dev/stdout"), "named\n")
    print("after")
    assert capfd.readouterr().out.split() == ["before", "named", "after"]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs pipes that are files")
def test_a_pipe_is_written_and_stays_a_pipe(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    try:
        write_text(pipe, "through")
        assert os.read(reader, 100) == b"through"
    finally:
        os.close(reader)
    assert pipe.is_fifo()


def test_links_in_a_circle_are_refused(tmp_path: Path) -> None:
    (tmp_path / "a").symlink_to("b")
    (tmp_path / "b").symlink_to("a")
    with pytest.raises(PlaymillError, match="its links lead in a circle"):
        check_writable(tmp_path / "a")


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs limits of a process")
def test_a_file_too_large_gets_one_sentence_and_leaves_nothing(tmp_path: Path) -> None:
    import resource

    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (10_000, before[1]))
    try:
        with pytest.raises(PlaymillError, match="larger than is allowed"):
            write_text(tmp_path / "big", "x" * 100_000)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert list(tmp_path.iterdir()) == []


def test_two_outputs_are_two_files(tmp_path: Path) -> None:
    one = tmp_path / "one"
    (tmp_path / "link").symlink_to("one")
    (tmp_path / "folder").mkdir()
    for other in ("one", "./one", "folder/../one", "ONE", "link"):
        with pytest.raises(PlaymillError, match="--out and --csv are both to be written to") as caught:
            claim({"--out": one, "--csv": tmp_path / other})
        assert "назовите два" in caught.value.text.ru
    one.touch()
    os.link(one, tmp_path / "hard")
    with pytest.raises(PlaymillError, match="name two files"):
        claim({"--out": one, "--csv": tmp_path / "hard"})
    assert claim({"--out": one, "--csv": None, "--html": tmp_path / "two"}) == {
        "--out": one,
        "--html": tmp_path / "two",
    }


def test_what_is_read_is_not_written_over(tmp_path: Path) -> None:
    config = tmp_path / "config.json"
    config.write_text("{}")
    note_file(config)
    os.link(config, tmp_path / "hard")
    (tmp_path / "link").symlink_to("config.json")
    for out in ("config.json", "hard", "link"):
        with pytest.raises(PlaymillError, match=r"--out .* would be written over a file that is read: .*config.json"):
            claim({"--out": tmp_path / out})
    assert config.read_text() == "{}"
    claim({"--out": tmp_path / "new"})


def test_places_stay_right_when_the_working_folder_changes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    place = claim({"--out": Path("out.json")})["--out"]
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir("elsewhere")
    write_text(place, "here")
    assert (tmp_path / "out.json").read_text() == "here"


def test_two_drafts_of_one_file_do_not_mix(tmp_path: Path) -> None:
    place = tmp_path / "rows.csv"
    (tmp_path / "rows.csv.part").write_text("somebody's own")
    one, two = AtomicFile(place), AtomicFile(place)
    for turn in range(3):
        one.write(f"one {turn}\n".encode())
        two.write(f"two {turn}\n".encode())
    one.finish()
    assert place.read_text() == "one 0\none 1\none 2\n"
    two.finish()
    assert place.read_text() == "two 0\ntwo 1\ntwo 2\n"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["rows.csv", "rows.csv.part"]


def test_what_a_killed_run_left_is_swept_away_and_nothing_else(tmp_path: Path) -> None:
    left, young = tmp_path / ".playmill-0123.part", tmp_path / ".playmill-4567.part"
    for path in (left, young, tmp_path / "mine.part"):
        path.write_text("half")
    busy = AtomicFile(tmp_path / "other")
    written = next(path for path in tmp_path.glob(".playmill-*") if path not in (left, young))
    for path in (left, written, tmp_path / "mine.part"):
        os.utime(path, (1, 1))
    write_text(tmp_path / "page.html", "whole")
    assert sorted(tmp_path.iterdir()) == sorted([young, written, tmp_path / "mine.part", tmp_path / "page.html"])
    busy.finish()


@pytest.mark.skipif(not Path("/proc/self").exists(), reason="needs a folder where even root can make no file")
def test_a_folder_that_takes_no_files_is_refused() -> None:
    with pytest.raises(PlaymillError, match=r"cannot write '/proc/run\.json'"):
        check_writable(Path("/proc/run.json"))


def test_a_file_that_may_not_be_written_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "kept.json"
    path.touch()
    monkeypatch.setattr(os, "access", lambda *_: False)
    with pytest.raises(PlaymillError, match="permission denied") as caught:
        check_writable(path)
    assert caught.value.text.ru.endswith("нет прав на запись")
