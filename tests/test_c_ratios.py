"""Saved ratios to C, and the search for the commit that made rules slower (`tools/c_ratios.py`); nothing is timed."""

from __future__ import annotations

import subprocess
from collections.abc import Mapping
from math import ceil, log2
from pathlib import Path
from typing import Any

import c_ratios
import pytest
from against_c import CASES, case_name
from c_ratios import CHANGES, Before, History, Ratio, Repository, change_of, culprit, first_slower

from playmill.lab.bench.baseline import SpeedChange
from playmill.texts import PlaymillError

CASE = ("dice", 2, "random")


def _history(*saved: tuple[str, float, str, bool]) -> History:
    history = History([])
    for commit, ratio, program, accepted in saved:
        history.add(commit, {"dice": Ratio(ratio, 0.01, program)}, accepted=accepted)
    return history


@pytest.mark.parametrize(
    ("saved", "commit"),
    [
        ([("a", 0.7, "c", False), ("b", 0.6, "c", False)], "a"),
        ([("a", 0.6, "c", False), ("b", 0.7, "c", False)], "b"),
        ([("a", 0.7, "c", False), ("b", 0.6, "c", True), ("d", 0.5, "c", False)], "b"),  # accepted as it is
        ([("a", 0.7, "another c", False), ("b", 0.6, "c", False)], "b"),
        ([("a", 0.6, "c", False), ("elsewhere", 0.7, "c", False)], "a"),
        ([("elsewhere", 0.7, "c", False)], None),
        ([], None),
    ],
)
def test_a_ratio_is_compared_with_the_best_of_its_past(saved: list[tuple[str, float, str, bool]], commit: str) -> None:
    best = _history(*saved).best("dice", "c", lambda one: one != "elsewhere")
    assert (best and best.commit) == commit


def test_a_case_that_was_never_measured_has_no_past() -> None:
    assert _history(("a", 0.7, "c", False)).best("grid", "c", lambda _: True) is None


def test_a_commit_measured_again_is_saved_once() -> None:
    history = _history(("a", 0.7, "c", False), ("b", 0.5, "c", False), ("b", 0.6, "c", False))
    history.add("b", {"grid": Ratio(0.4, 0.01, "g")}, accepted=False)
    assert [(entry["commit"], entry["cases"]["dice"]["ratio"]) for entry in history.entries] == [("a", 0.7), ("b", 0.6)]
    assert {*history.entries[-1]["cases"]} == {"dice", "grid"}


def test_what_is_written_is_read_again(tmp_path: Path) -> None:
    entries = _history(("a", 0.7, "c", True)).entries
    c_ratios.write_machines(tmp_path / "ratios.json", {"one": entries, "other": []})
    assert c_ratios.read_machines(tmp_path / "ratios.json") == {"one": entries, "other": []}
    assert c_ratios.read_machines(tmp_path / "none.json") == {}


@pytest.mark.parametrize(
    ("now", "noise", "is_noise"), [(0.69, 0.0, True), (0.66, 0.0, False), (0.66, 0.1, True), (0.75, 0.0, False)]
)
def test_a_small_difference_is_noise(now: float, noise: float, is_noise: bool) -> None:
    assert change_of(Ratio(now, noise, ""), Ratio(0.7, 0.01, "")).is_noise == is_noise


def test_the_noise_of_a_ratio_is_that_of_most_turns() -> None:
    steady = [0.7, 0.71, 0.69, 0.7, 0.72, 0.7, 0.68]
    disturbed = [*steady[:-1], 0.3]
    assert 0 < c_ratios.noise_of(steady) < 0.03
    assert c_ratios.noise_of(disturbed) < 0.04
    assert c_ratios.noise_of([ratio**4 for ratio in steady]) == pytest.approx(4 * c_ratios.noise_of(steady))
    assert c_ratios.noise_of([0.7, 0.7]) == 0


@pytest.mark.parametrize("count", [1, 2, 3, 8, 13])
def test_the_first_slower_commit_is_found_by_halves(count: int) -> None:
    for slow in range(count):
        asked: list[str] = []

        def is_slower(commit: str, slow: int = slow, asked: list[str] = asked) -> bool:
            asked.append(commit)
            return int(commit) >= slow

        assert first_slower([str(commit) for commit in range(count)], is_slower) == str(slow)
        assert len(asked) <= ceil(log2(count))


def _commit(root: Path, text: str) -> str:
    (root / "src" / "playmill").mkdir(parents=True, exist_ok=True)
    (root / "src" / "playmill" / "__init__.py").write_text(text, encoding="utf-8")
    author = ["-c", "user.name=somebody", "-c", "user.email=somebody@example.org", "-c", "commit.gpgsign=false"]
    for words in (["add", "-A"], [*author, "commit", "-q", "-m", f"says {text}"]):
        subprocess.run(["git", *words], cwd=root, check=True)
    return Repository(root).head


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    root = tmp_path / "checkout"
    root.mkdir()
    subprocess.run(["git", "init", "-q"], cwd=root, check=True)
    return root


def test_commits_and_their_files(repository: Path, tmp_path: Path) -> None:
    one, two, three = (_commit(repository, text) for text in ("1", "2", "3"))
    found = Repository(repository)
    assert found.since(one) == [two, three]
    assert found.since(three) == []
    assert found.has(one)
    assert not found.has("0" * 40)
    assert found.title(two).endswith(" says 2")
    assert (found.package(two, tmp_path) / "playmill" / "__init__.py").read_text(encoding="utf-8") == "2"
    assert not found.is_changed
    (repository / "notes.txt").write_text("no matter", encoding="utf-8")
    assert not found.is_changed
    (repository / "src" / "playmill" / "__init__.py").write_text("4", encoding="utf-8")
    assert found.is_changed
    assert found.since(one) == [two, three, CHANGES]
    assert (found.package(CHANGES, tmp_path) / "playmill" / "__init__.py").read_text(encoding="utf-8") == "4"


class _Process:
    """In place of a process that plays: knows what its checkout says."""

    def __init__(self, source: Path) -> None:
        self.says = (source / "playmill" / "__init__.py").read_text(encoding="utf-8")

    def __enter__(self) -> _Process:
        return self

    def __exit__(self, *_: object) -> None:
        """Ends."""


@pytest.mark.parametrize(
    ("speeds", "made_slower"),
    [
        ([1.0, 0.8, 0.81], "1"),
        ([1.02, 0.98, 0.8], "2"),
        ([0.97, 0.96, 0.7], "2"),  # a little slower is nearer to then
        ([0.8, 0.79, 0.8], "0"),
        ([0.0, 0.8, 0.8], "1"),  # the first cannot play
        ([0.8, 0.8, 0.99], None),  # mended since
        ([0.8, 0.8, 1.5], None),
    ],
)
def test_the_commit_that_made_rules_slower_is_named(
    repository: Path, monkeypatch: pytest.MonkeyPatch, speeds: list[float], made_slower: str | None
) -> None:
    then = _commit(repository, "then")
    commits = [_commit(repository, str(place)) for place in range(len(speeds))]

    def by_turns(what: Mapping[str, Any], one: _Process, other: _Process, seconds: float) -> Any:
        assert other.says == "then"
        assert (what["game"], what["players"], what["agents"]) == CASE
        if not speeds[int(one.says)]:
            raise PlaymillError("cannot play", "не играет")
        return type("Turns", (), {"change": SpeedChange(speeds[int(one.says)], 0.03)})

    monkeypatch.setattr(c_ratios, "CheckoutProcess", _Process)
    monkeypatch.setattr(c_ratios, "play_by_turns", by_turns)
    found = culprit(CASE, then, Repository(repository), 1.0)
    assert (found and found[0]) == (made_slower and commits[int(made_slower)])


def test_nothing_committed_since_made_nothing_slower(repository: Path) -> None:
    assert culprit(CASE, _commit(repository, "then"), Repository(repository), 1.0) is None


def test_the_saved_ratios_are_of_cases_that_are_played() -> None:
    names = {case_name(game, *case) for game, cases in CASES.items() for case in cases}
    machines = c_ratios.read_machines(Path(c_ratios.__file__).with_name("against_c") / "ratios.json")
    assert machines
    for entries in machines.values():
        for entry in entries:
            assert len(entry["commit"]) == 40
            assert {*entry["cases"]} <= names
            for name, saved in entry["cases"].items():
                assert saved["ratio"] > 0
                before = History([entry]).best(name, saved["program"], lambda _: True)
                assert before == Before(entry["commit"], Ratio(saved["ratio"], saved["noise"], saved["program"]))
