"""A class of hostile entrants, limits of what one may hand in, and luck that cannot be fished for."""

from __future__ import annotations

import json
import os
from pathlib import Path

import fishing
import hostile_class
import misbehaving as tool
import pytest

from playmill.agents.programs.sandbox import seccomp
from playmill.cli import main
from playmill.lab.contests.bot_folder import RefusedError, copy
from playmill.lab.contests.contest import Contest
from playmill.lab.contests.contest.intake import Intake
from playmill.lab.contests.contest.submissions import SubmissionState, SubmissionStore

pytestmark = [pytest.mark.long, pytest.mark.skipif(not seccomp.known(), reason="the sandbox is Linux's")]


def test_twelve_hostile_entrants_cost_the_honest_ones_nothing() -> None:
    found = hostile_class.main(["--deals", "1", "--files", "2100"])
    assert found.same and found.escaped
    assert found.left == [] and found.killed_beside
    assert found.read == [] and found.got == [] and found.attempts >= 60
    ends = {name: one["state"] for name, one in found.told.items()}
    assert {name for name in hostile_class.TWELVE if ends[name] != "refused"} == {"reader"}
    assert [ends[f"hold-{points}"] for points in hostile_class.HONEST] == ["done"] * 3
    hogs = [one for one in found.bots if "hog" in one]
    immortals = [one for one in found.bots if "process" in one]
    assert hogs and {one["hog"] for one in hogs} == {0}
    assert immortals and {(one["cut"], one["left"]) for one in immortals} == {(False, 0)}
    # Nobody is shown where the contest lies.
    assert not any("submissions/" in one.get("why", {}).get("en", "") for one in found.told.values())


def built(folder: Path, good: tuple[int, ...] = (5, 15), more: str = "") -> Path:
    tool.build(folder, good, [], deals=1, target=12, move=20.0)
    rules = folder / "contest.toml"
    rules.write_text(more + rules.read_text(encoding="utf-8"), encoding="utf-8")
    return folder


def run(folder: Path):
    return Contest(folder, interpreted=True).run()


#: What lies in a folder, and a part of the sentence that refuses it.
ODD = {
    "file link": (lambda at: (at / "x").symlink_to("/etc/passwd"), "x is a link"),
    "folder link": (lambda at: (at / "x").symlink_to("/etc"), "x is a link"),
    "dangling link": (lambda at: (at / "x").symlink_to("nothing"), "x is a link"),
    "link below": (lambda at: ((at / "y").mkdir(), (at / "y" / "x").symlink_to("..")), "x is a link"),
    "hard link": (lambda at: os.link(at / "bot.py", at / "x"), "is a link"),
    "pipe": (lambda at: os.mkfifo(at / "x"), "x is a link, or no file"),
    "not UTF-8": (lambda at: Path(os.fsdecode(os.fsencode(at) + b"/\xff")).touch(), r"the name \udcff is not UTF-8"),
    "control": (lambda at: (at / "a\x1b[2Jb").touch(), r"the name a\x1b[2Jb has characters that cannot be seen"),
    "bidi": (lambda at: (at / "a\u202eb").touch(), r"a\u202eb has characters"),
    "large": (lambda at: os.truncate(_touched(at / "x"), 65 << 20), "more than 64 MB"),
    "deep": (lambda at: at.joinpath(*"x" * 30).mkdir(parents=True), "16 folders in each other"),
    "folders": (lambda at: [(at / f"x{number}").mkdir() for number in range(2100)], "2000 files"),
    "files": (lambda at: [(at / f"x{number}").touch() for number in range(2100)], "2000 files"),
}


def _touched(path: Path) -> Path:
    path.touch()
    return path


@pytest.mark.parametrize("name", ODD)
def test_what_cannot_be_taken_is_refused_once_in_one_sentence(tmp_path: Path, name: str) -> None:
    write, words = ODD[name]
    folder = built(tmp_path, good=(5,))
    write(folder / "entrants" / "hold-5")
    contest = Contest(folder, interpreted=True)
    for _ in range(3):
        contest._arrive(careful=True)
    (one,) = SubmissionStore(folder / "state").all
    assert one.state is SubmissionState.REFUSED and one.why is not None and words in one.why.en
    assert one.why.en.isprintable() and one.why.ru.isprintable()
    assert not (folder / "state" / "submissions").exists()
    with pytest.raises(RefusedError):
        copy(folder / "entrants" / "hold-5", tmp_path / "copied")


@pytest.mark.parametrize("name", [b"\xff\xfe", "a\u202eb".encode(), b"a\x1b[31mb", b"a b", "\u3164".encode(), b"a\nb"])
def test_a_folder_with_a_name_that_is_none_is_refused_and_shown_escaped(tmp_path: Path, capsys, name: bytes) -> None:
    folder = built(tmp_path, good=(5,))
    Path(os.fsdecode(os.fsencode(folder / "entrants") + b"/" + name)).mkdir()
    for _ in range(2):
        standing = run(folder)
    states = [one.state for one in standing.submissions]
    assert sorted(states) == ["done", "refused"]
    (odd,) = [one for one in standing.submissions if one.state == "refused"]
    assert odd.name.isprintable()
    for words in (["--status"], ["--status", "--json"], ["--entrant", odd.name]):
        assert main(["contest", str(folder), *words]) == 0
        told = capsys.readouterr()
        assert all(sign.isprintable() or sign == "\n" for sign in told.out + told.err)
    published = (folder / "ladder.json").read_text(encoding="utf-8")
    assert "\u202e" not in published and "\x1b" not in published


def test_a_folder_that_is_a_link_is_no_entrant(tmp_path: Path) -> None:
    folder = built(tmp_path, good=(5,))
    (folder / "entrants" / "copycat").symlink_to("hold-5")
    standing = run(folder)
    assert {one.name: one.state for one in standing.submissions} == {"copycat": "refused", "hold-5": "done"}


def test_what_is_played_is_what_was_copied_and_hashed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Somebody who changes a file between the look and the copy has to wait for the next look."""
    folder = built(tmp_path, good=(5,))
    bot = folder / "entrants" / "hold-5" / "bot.py"
    contest = Contest(folder, interpreted=True)
    (seen,) = contest._intake.folders()
    bot.write_text("raise SystemExit\n", encoding="utf-8")
    assert contest._submissions.take(seen) is None and contest._submissions.all == []
    bot.unlink()
    bot.symlink_to("/etc/passwd")
    assert contest._submissions.take(seen) is None and contest._submissions.all == []
    assert [*(folder / "state" / "submissions").iterdir()] == []
    # A folder that nobody touched is not read again.
    bot.unlink()
    bot.write_text("pass\n", encoding="utf-8")
    (one,) = contest._intake.folders()
    monkeypatch.setattr("playmill.lab.contests.bot_folder._content", lambda *_: pytest.fail("it is known"))
    assert contest._intake.folders() == [one]


def test_hashes_of_submissions_are_those_they_ever_were(tmp_path: Path) -> None:
    """Contests that were begun go on: their luck comes from these."""
    place = tmp_path / "bot"
    (place / "b" / "c").mkdir(parents=True)
    for path, text in (("z.txt", "1"), ("a.py", "2"), ("b/y", "3"), ("b/c/x", "4"), ("__pycache__/no", "5")):
        (place / path).parent.mkdir(exist_ok=True)
        (place / path).write_text(text)
        (place / path).chmod(0o644)
    (place / "a.py").chmod(0o755)
    code = "feab105ccb1c1b88eaf49bd5ebe9eff0f968d818a712e2c72fdcc97677cc23b0"
    assert Intake(tmp_path).look_into("bot").code == code


def test_versions_are_limited_and_the_last_good_one_stays(tmp_path: Path) -> None:
    folder = built(tmp_path, good=(5, 15), more="versions = 3\n")
    run(folder)
    for number in range(6, 12):
        tool.write_bot(folder, "hold-5", tool.GOOD.format(number))
        standing = run(folder)
    mine = [one for one in standing.submissions if one.name == "hold-5"]
    assert [(one.version, one.state) for one in mine] == [(1, "done"), (2, "done"), (3, "done"), (4, "refused")]
    assert mine[-1].why is not None and "takes 3 versions of an entrant" in mine[-1].why.en and mine[-1].present
    assert [one.version for one in mine if one.rated] == [3]
    # What was taken before may come back.
    tool.write_bot(folder, "hold-5", tool.GOOD.format(5))
    standing = run(folder)
    assert [one.version for one in standing.submissions if one.name == "hold-5" and one.rated] == [1]


def test_whoever_had_several_versions_plays_the_final_on_other_deals(tmp_path: Path) -> None:
    folder = built(tmp_path, good=(5, 15, 25))
    run(folder)
    tool.write_bot(folder, "hold-5", tool.GOOD.format(6))
    standing = run(folder)
    assert standing.ladder is not None and "What counts is the final" in standing.ladder.notes[0].en
    before = {pairing["names"][0] + pairing["names"][1]: pairing for pairing in _pairings(folder)}
    rules = folder / "contest.toml"
    rules.write_text("closed = true\n" + rules.read_text(encoding="utf-8"), encoding="utf-8")
    standing = run(folder)
    assert standing.ladder is not None and "played the final on deals of its own: hold-5" in standing.ladder.notes[0].en
    after = {pairing["names"][0] + pairing["names"][1]: pairing for pairing in _pairings(folder)}
    assert {name for name in before if before[name]["seed"] != after[name]["seed"]} == {
        "hold-15hold-5",
        "hold-25hold-5",
    }
    assert before["hold-15hold-25"] == after["hold-15hold-25"]
    assert json.loads((folder / "ladder.json").read_bytes())["contest"]["meta"]["complete"]


def _pairings(folder: Path) -> list[dict]:
    return json.loads((folder / "ladder.json").read_bytes())["contest"]["results"]["pairings"]


def test_the_luckiest_of_ten_equal_versions_gets_its_due_in_the_final() -> None:
    found = fishing.fish(100)
    assert 0 < found.error < 0.01 and abs(found.final - found.due) < 3 * found.error
    assert found.best - found.due > 6 * found.error


def test_a_bot_that_never_starts_is_not_ranked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = built(tmp_path, good=(5, 15))
    place = folder / "entrants" / "nobody"
    place.mkdir()
    (place / "bot.toml").write_text('run = "python3 bot.py a\\u0000b"\n', encoding="utf-8")
    odd = folder / "entrants" / "broken"
    odd.mkdir()
    (odd / "bot").write_bytes(b"\x7fELF nothing")
    (odd / "bot").chmod(0o755)
    standing = run(folder)
    assert {one.name: one.state for one in standing.submissions} == {
        "broken": "refused",
        "hold-15": "done",
        "hold-5": "done",
        "nobody": "refused",
    }
    assert standing.ladder is not None and {rung.name for rung in standing.ladder.rungs} == {"hold-5", "hold-15"}
    why = {one.name: one.why.en for one in standing.submissions if one.why is not None}
    assert "it does not start" in why["broken"] and "control character in 'a\\x00b'" in why["nobody"]
    # Nor is one of which nothing is known, since it was never asked.
    monkeypatch.setattr("playmill.lab.contests.tournament.store.PairingRecord.asked", lambda *_: 0)
    tool.write_bot(folder, "silent", tool.GOOD.format(5))
    (silent,) = [one for one in run(folder).submissions if one.name == "silent"]
    assert silent.state == "refused" and silent.why is not None and "never asked" in silent.why.en
