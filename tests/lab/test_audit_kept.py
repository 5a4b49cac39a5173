"""Kept audits: killed at any moment they go on, on threads and on a cluster, and end as if nothing had happened."""

from __future__ import annotations

import json
import os
import random
import shlex
import signal
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from filelock import FileLock

import playmill.lab.audit.journal as journal_module
from common.cluster import FakeLink, Task
from playmill import PlaymillError
from playmill.cli import main
from playmill.lab.audit import Audit, audit
from playmill.lab.audit.clock import AuditClock
from playmill.lab.audit.journal import FILE, AuditJournal, audits_folder
from playmill.lab.audit.observations import packed, unpacked
from playmill.lab.audit.run import AuditStoppedError
from playmill.lab.audit.runner import WorkRunner, without
from playmill.lab.decide.each_agent.audit_each import audit_each
from playmill.lab.runs.kept_work import kept_works
from stopping_runs import finish, start, wait_for

CONTEST = str(Path(__file__).parent / "contest")
PIG = str(Path(__file__).parents[2] / "examples" / "pig")
#: What each part plays, interpreted: a second or so for all of them.
SIZES = {
    "fairness": 60,
    "luck.all": 40,
    "luck.equal": 20,
    "skill.wise-random": 40,
    "ladder.search25": 3,
    "drama": 2,
    "playouts": 40,
    "choices": 2,
    "thoughts": 30,
    "uses.good": 20,
    "uses.random": 20,
    "without": 2,
    "forbidden": 8,
}
#: The same of Pig, compiled: several seconds.
PIG_SIZES = {
    "fairness": 4000,
    "luck.all": 500,
    "luck.equal": 500,
    "skill.threshold-random": 200,
    "ladder.search25": 30,
    "ladder.search50": 30,
    "drama": 12,
    "playouts": 100,
    "choices": 12,
    "thoughts": 400,
    "uses.good": 300,
    "uses.random": 300,
    "without": 12,
    "forbidden": 100,
}


def audited(**how: Any) -> Audit:
    return audit(CONTEST, **{"sizes": SIZES, "interpreted": True, **how})


def saved(found: Audit) -> dict[str, Any]:
    """All that is saved of an audit but how long it took."""
    data: dict[str, Any] = json.loads(json.dumps(found.json()))
    del data["meta"]["elapsed_s"]
    return data


@pytest.fixture(scope="module")
def whole() -> dict[str, Any]:
    return saved(audited(keep=False))


def journal_file() -> Path:
    (folder,) = audits_folder().iterdir()
    return folder / FILE


class KilledError(BaseException):
    """Ends an audit where it stands, as a signal would that cannot be caught."""


@pytest.fixture
def works(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, int]]:
    """Which numbers of which works were played on threads."""
    played: list[tuple[str, int]] = []
    before = WorkRunner.play

    def play(self: WorkRunner, context: Any, work: Any, arguments: Any, key: str, missing: list[range]) -> Any:
        for one in before(self, context, work, arguments, key, missing):
            played.extend((key, number) for number in one[0])
            yield one

    monkeypatch.setattr(WorkRunner, "play", play)
    return played


def killed_after(monkeypatch: pytest.MonkeyPatch, pieces: int) -> None:
    """Ends the audit after so many pieces are on disk."""
    before, left = AuditJournal.add, [pieces]

    def add(self: AuditJournal, *what: Any) -> None:
        before(self, *what)
        left[0] -= 1
        if not left[0]:
            raise KilledError

    monkeypatch.setattr(AuditJournal, "add", add)


def test_whatever_is_on_disk_is_not_played_again(
    monkeypatch: pytest.MonkeyPatch, works: list[tuple[str, int]], whole: dict[str, Any]
) -> None:
    assert saved(audited(keep=False)) == whole
    numbers = sorted(works)
    works.clear()
    assert not audits_folder().exists()
    for kill in (1, 7, 30, 60):
        with monkeypatch.context() as change:
            killed_after(change, kill)
            with pytest.raises(KilledError):
                audited(keep=True)
    found = audited(keep=True)
    assert saved(found) == whole
    assert sorted(works) == numbers  # each once
    assert found.kept == journal_file().parent.name
    assert found.before > 0
    assert found.anew
    works.clear()
    again = audited(keep=True)
    assert saved(again) == whole
    assert not again.anew
    assert works == []
    assert again.info.elapsed_s == pytest.approx(found.info.elapsed_s, abs=2)


@pytest.mark.parametrize("seed", [0, *(pytest.param(seed, marks=pytest.mark.long) for seed in (1, 2))])
def test_the_clock_of_an_audit_that_goes_on_reads_what_it_read_before(
    monkeypatch: pytest.MonkeyPatch, seed: int
) -> None:
    chance = random.Random(seed)
    for _ in range(3):
        with monkeypatch.context() as change:
            killed_after(change, chance.randrange(1, 60))
            with pytest.raises(KilledError):
                audited(keep=True, sizes=None, minutes=0.03)
    found = audited(keep=True, sizes=None, minutes=0.03)
    again = audited(keep=False, sizes=found.sizes)
    assert saved(again) == saved(found)
    once_more = audited(keep=True, sizes=None, minutes=0.03)
    assert saved(once_more) == saved(found)
    assert [part.thin for part in once_more.parts] == [part.thin for part in found.parts]  # minutes that are advised
    assert not once_more.anew


@pytest.mark.parametrize(
    "damage",
    ["cut", "changed", *(pytest.param(one, marks=pytest.mark.long) for one in ("emptied", "header", "binary"))],
)
def test_what_is_damaged_is_played_again(works: list[tuple[str, int]], whole: dict[str, Any], damage: str) -> None:
    audited(keep=True)
    numbers = len(works)
    path = journal_file()
    lines = path.read_bytes().splitlines(keepends=True)
    if damage == "cut":
        path.write_bytes(b"".join(lines[: len(lines) // 2]) + lines[len(lines) // 2][:-9])
    elif damage == "changed":
        for place in range(5, len(lines), 7):
            middle = len(lines[place]) // 2
            lines[place] = lines[place][:middle] + b"#" + lines[place][middle + 1 :]
        path.write_bytes(b"".join(lines))
    elif damage == "emptied":
        path.write_bytes(b"")
    elif damage == "header":
        path.write_bytes(b"".join([b"{}\n", *lines[1:]]))
    else:
        path.write_bytes(bytes(range(256)) * 40)
    works.clear()
    assert saved(audited(keep=True)) == whole
    assert 0 < len(works) <= numbers
    assert damage != "changed" or len(works) < numbers / 2
    works.clear()
    assert saved(audited(keep=True)) == whole
    assert works == []


def test_another_question_rules_or_version_begin_anew(
    monkeypatch: pytest.MonkeyPatch, works: list[tuple[str, int]]
) -> None:
    only = {"only": ["fairness"], "sizes": {"fairness": 20}, "keep": True}
    audited(**only)
    for other in ({"seed": 1}, {"set": ["luck=0"]}, {"agent": "random"}, {"sizes": {"fairness": 21}}):
        works.clear()
        audited(**only | other)
        assert works
    works.clear()
    audited(**only)
    assert not works
    monkeypatch.setattr(journal_module, "__version__", "0.0.0")
    audited(**only)
    assert works


def test_a_short_audit_is_kept_if_that_is_wanted_and_a_long_one_anyway(monkeypatch: pytest.MonkeyPatch) -> None:
    short = {"only": ["fairness"], "sizes": {"fairness": 20}}
    assert audited(**short).kept is None
    assert not audits_folder().exists()
    monkeypatch.setattr(journal_module, "LONG", 0.0)
    long = audited(**short)
    assert long.kept is not None
    monkeypatch.setattr(journal_module, "LONG", 1e9)
    assert not audited(**short).anew  # kept before, it is found without a word
    assert audited(**short, keep=False).anew


def test_two_at_once_do_not_mix(whole: dict[str, Any]) -> None:
    audited(keep=True)
    held = journal_file().parent
    before = (held / FILE).read_bytes()
    with FileLock(held / "lock"):
        with pytest.raises(PlaymillError, match=f"{held.name} is being played by another process"):
            audited(keep=True)
        alone = audited()
        assert saved(alone) == whole
        assert alone.kept is None
    assert (held / FILE).read_bytes() == before


def test_a_disk_without_room_ends_what_was_to_be_kept_and_nothing_else(
    monkeypatch: pytest.MonkeyPatch, whole: dict[str, Any]
) -> None:
    def full(*_: object) -> None:
        raise OSError(28, os.strerror(28))

    monkeypatch.setattr(journal_module, "make_private", full)
    with pytest.raises(PlaymillError, match="no space left on the disk"):
        audited(keep=True)
    monkeypatch.setattr(journal_module, "LONG", 0.0)
    found = audited()
    assert saved(found) == whole
    assert found.kept is None


def test_told_to_stop_it_says_so_and_goes_on(ctrl_c: None, whole: dict[str, Any]) -> None:
    def told(part: str, share: float) -> None:
        if part == at:
            signal.raise_signal(signal.SIGINT)

    at = "fairness"
    with pytest.raises(AuditStoppedError):
        audited(keep=True, progress=told)
    at = "luck"
    stopped = audited(keep=True, progress=told)
    assert [part.key for part in stopped.parts] == ["fairness", "skill"]
    assert stopped.kept is not None
    assert not stopped.complete
    assert saved(audited(keep=True)) == whole


def test_among_each_of_some_agents_it_goes_on(monkeypatch: pytest.MonkeyPatch, works: list[tuple[str, int]]) -> None:
    how: dict[str, Any] = {"among": ["wise", "random"], "sizes": {"fairness": 40, "luck": 20}, "interpreted": True}
    expected = audit_each(CONTEST, **how, keep=False)
    numbers = len(works)
    works.clear()
    audit(CONTEST, agent="wise", sizes=how["sizes"], interpreted=True, keep=True)
    with monkeypatch.context() as change:
        killed_after(change, 3)  # the first is done, the second is not
        with pytest.raises(KilledError):
            audit_each(CONTEST, **how, keep=True)
    found = audit_each(CONTEST, **how, keep=True)
    assert found.json()["turned"] == expected.json()["turned"]
    assert [saved(one) for one in found.found] == [saved(one) for one in expected.found]
    assert len(works) == numbers


# Real processes


def lines_written() -> int:
    return sum(path.read_bytes().count(b"\n") for path in audits_folder().glob(f"*/{FILE}"))


@pytest.mark.parametrize("by_clock", [True, pytest.param(False, marks=pytest.mark.long)])
def test_a_killed_process_costs_nothing_but_what_it_was_at(tmp_path: Path, by_clock: bool) -> None:
    sizes = ",".join(f"{key}={size}" for key, size in PIG_SIZES.items())
    words = ["audit", PIG, "--seed", "3", *(["--minutes", "0.15"] if by_clock else ["--sizes", sizes])]
    words += ["--keep", "--workers", "2", "--quiet", "--out", "found.json"]
    seen = 0
    for _ in range(4):
        process = start(*words, folder=tmp_path)
        wait_for(lambda seen=seen: lines_written() > seen + 40, process)
        process.kill()
        process.communicate()
        seen = lines_written()
    assert finish(start(*words, folder=tmp_path)) == (0, "")
    found = json.loads((tmp_path / "found.json").read_text(encoding="utf-8"))
    straight = saved(audit(PIG, seed=3, sizes=found["meta"]["sizes"], keep=False))
    del found["meta"]["elapsed_s"]
    assert found == straight
    if not by_clock:
        assert found["meta"]["sizes"] == PIG_SIZES


# On a cluster


def trouble(seed: int) -> Callable[[Task], str]:
    """Workers that are lost every now and then, but not three times over the same numbers."""
    chance = random.Random(seed)
    deaths: Counter[Any] = Counter()

    def fate(task: Task) -> str:
        key = tuple(task.call["arguments"])
        if chance.random() < 0.6 or deaths[key] == 2:
            return "done"
        deaths[key] += 1
        return chance.choice(("lost", "played and lost", "node lost"))

    return fate


@pytest.mark.parametrize("seed", [0, pytest.param(1, marks=pytest.mark.long)])
def test_a_cluster_that_loses_workers_finds_what_one_machine_finds(
    on: Callable[..., FakeLink], whole: dict[str, Any], seed: int
) -> None:
    link = on(seed=seed, fate=trouble(seed))
    found = audited(keep=False, on="ray")
    assert saved(found) == whole
    played = [tuple(task.call["arguments"]) for task in link.tasks]
    assert len(played) > len(set(played)) > 20
    assert link.left
    assert all(isinstance(one, (str, int)) for arguments in played for one in arguments)


def test_an_audit_begun_on_a_cluster_goes_on_here(
    monkeypatch: pytest.MonkeyPatch, on: Callable[..., FakeLink], works: list[tuple[str, int]], whole: dict[str, Any]
) -> None:
    on()
    with monkeypatch.context() as change:
        killed_after(change, 15)
        with pytest.raises(KilledError):
            audited(keep=True, on="ray")
    assert works == []  # nothing was played on threads
    assert saved(audited(keep=True)) == whole
    assert works
    link = on()
    assert saved(audited(keep=True, on="ray")) == whole
    assert not link.tasks
    assert not link.left  # to answer from what is kept, nobody has joined it


def test_a_node_with_other_rules_or_another_version_is_refused(
    on: Callable[..., FakeLink], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("platform.node", lambda: "old-node")
    link = on()
    before = link.submit

    def submit(call: Any, *, gpu: bool) -> Any:
        order = json.loads(call["arguments"][0])
        order["plans"][0]["rules"] = "0" * 64
        return before({**call, "arguments": (json.dumps(order), *call["arguments"][1:])}, gpu=gpu)

    monkeypatch.setattr(link, "submit", submit)
    with pytest.raises(PlaymillError) as caught:
        audited(on="ray")
    assert caught.value.text.en == "node old-node cannot play this audit: the rules or agents of contest have changed"
    assert caught.value.text.ru.startswith("узел old-node не может играть этот аудит: ")
    monkeypatch.setattr(link, "submit", lambda call, *, gpu: before({**call, "versions": {"Playmill": "0"}}, gpu=gpu))
    with pytest.raises(
        PlaymillError, match=r"^node old-node cannot play this audit: it has Playmill .*, and 0 is needed"
    ):
        audited(on="ray")


def test_a_gpu_is_refused_before_anything_is_played(
    works: list[tuple[str, int]], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["audit", CONTEST, "--quick", "--on", "cuda"]) == 2
    error = capsys.readouterr().err
    assert "a GPU does not do" in error
    assert error.count("\n") == 1
    monkeypatch.setenv("PLAYMILL_ON", "cuda")
    with pytest.raises(PlaymillError, match="a GPU does not do"):
        audited()
    assert works == []


# Its parts


def test_a_clock_repeats_its_readings_and_then_goes_on_from_the_last(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [100.0]
    monkeypatch.setattr("time.perf_counter", lambda: now[0])
    read: list[tuple[int, float]] = []
    clock = AuditClock((0.0, 7.0), lambda number, value: read.append((number, value)))
    now[0] += 50
    assert (clock(), clock.repeats) == (0.0, True)
    clock.add(1000)  # within what is repeated nothing counts
    now[0] += 50
    assert (clock(), clock.repeats) == (7.0, False)
    now[0] += 2
    assert clock() == 9.0
    with clock.stopped():
        now[0] += 100
    clock.add(3)
    assert clock() == clock.peek() == 12.0
    assert clock.stopped_for == 100
    assert read == [(2, 9.0), (3, 12.0)]
    done: list[int] = []
    assert AuditClock((1.0, 4.0)).seconds_of(lambda: done.append(1)) == 3.0
    assert not done


def test_numbers_that_are_left() -> None:
    assert without(range(10), []) == [range(10)]
    assert without(range(10), [range(3), range(5, 7)]) == [range(3, 5), range(7, 10)]
    assert without(range(4, 8), [range(4, 8)]) == []


def test_packed_observations_are_plain_numbers_or_known_records() -> None:
    row = np.dtype([("a", np.int8), ("b", np.float64, (2,))], align=True)
    made = {"won": np.arange(6.0).reshape(3, 2), "count": np.arange(3), "rows": np.zeros(3, row)}
    made["rows"]["b"][1] = 7
    found = unpacked(packed(made), {"rows": row})
    assert all((found[name] == made[name]).all() and found[name].dtype == made[name].dtype for name in made)
    for bad in (packed(made)[:-3], b"", packed({"x": np.zeros(1, "S5")}), packed(made)):
        with pytest.raises(ValueError):
            unpacked(bad, {})


def test_a_journal_is_not_made_by_asking_for_help(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["audit", "--help"])
    assert "--on PLACE" in capsys.readouterr().out
    assert not audits_folder().exists()


def test_the_command_that_is_listed_is_the_one_that_goes_on(works: list[tuple[str, int]]) -> None:
    audit_each(
        CONTEST, among=["wise", "random"], minutes=0.001 / 3, only=["luck"], set=["luck=0"], interpreted=True, keep=True
    )
    asked = [work.command or "" for work in kept_works()]
    assert len(asked) == 2
    works.clear()
    for command in asked:
        assert main([*shlex.split(command)[1:], "--quiet"]) == 0
    assert works == []
