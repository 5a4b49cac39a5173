"""Questions that were stopped go on where they were, and come to the same end."""

from __future__ import annotations

import signal
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from playmill import Game, PlaymillError, compare, simulate_until_sure
from playmill.cli import main
from playmill.lab.decide.compare import Comparison
from playmill.lab.runs.paired_play import PairedSetting
from playmill.lab.runs.saved_progress import FILE, questions_folder
from playmill.lab.runs.store.lock import RunLock
from playmill.stats.confidence_sequences import ConfidenceSequence, ObservationSums

PIG = "examples/pig"
SHARE = {"near": "fair", "within": 0.02, "games": 1500}
Asked = Callable[..., Any]


def share(pig: Game, **how: Any) -> Any:
    """A question that bets on deals decide, open after its 1,500 deals."""
    return simulate_until_sure(pig, "seats.0.win_rate", agents="threshold", **{**SHARE, **how})


def mean(pig: Game, **how: Any) -> Any:
    """One that the mean of many deals decides."""
    return simulate_until_sure(pig, "turns", agents="threshold", **{"within": 0.01, "games": 1500, **how})


def difference(pig: Game, **how: Any) -> Any:
    """One about two sides."""
    agents = {"a": {"agents": ["threshold:n=20", "random"]}, "b": {"agents": ["threshold:n=21", "random"]}}
    return compare(pig, **agents, until_sure="agents.threshold:n=20", **{"within": 0.01, "games": 400, **how})


def stopping(deals: int) -> Callable[[int], None]:
    def stop(done: int) -> None:
        if done >= deals:
            signal.raise_signal(signal.SIGINT)

    return stop


def told(found: Any) -> Any:
    return found.results if hasattr(found, "results") else found.json()["results"]


def the_file() -> Path:
    (folder,) = questions_folder().iterdir()
    return folder / FILE


@pytest.mark.parametrize("asked", [share, mean, difference])
def test_stopped_and_asked_again_it_comes_to_the_same_end(pig: Game, asked: Asked, ctrl_c: None) -> None:
    stopped = asked(pig, keep=True, progress=stopping(150))
    assert stopped.sure.kept and not stopped.sure.settled
    again, whole = asked(pig, keep=True), asked(pig)
    assert 0 < again.sure.before == stopped.sure.last.n < again.sure.last.n
    assert told(again) == told(whole)
    assert again.sure.looks == whole.sure.looks and again.sure.verdict == whole.sure.verdict


@pytest.mark.parametrize("asked", [share, mean])
def test_with_more_deals_it_looks_when_one_would_who_had_meant_to(pig: Game, asked: Asked) -> None:
    asked(pig, keep=True, games=950)
    again = asked(pig, keep=True)
    assert 0 < again.sure.before < 950  # the last turn had been cut short
    assert again.sure.looks == asked(pig).sure.looks


def test_what_is_settled_is_answered_without_playing(pig: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    first = share(pig, keep=True, within=0.2)
    assert first.sure.settled
    monkeypatch.setattr(PairedSetting, "play", None)
    again = share(pig, keep=True, within=0.2)
    assert again.sure.verdict == first.sure.verdict and told(again) == told(first)
    assert again.sure.before == first.sure.last.n


def test_another_question_and_fewer_deals_begin_anew(pig: Game) -> None:
    share(pig, keep=True, games=600)
    assert share(pig, keep=True, within=0.03).sure.before == 0
    assert share(pig, keep=True, seed=1).sure.before == 0
    assert share(pig, keep=True, games=100).sure.before == 0


def test_nothing_is_kept_unless_it_is_wanted_or_takes_long(pig: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    share(pig)
    monkeypatch.setattr("playmill.lab.runs.saved_progress.LONG", 1e9)  # however slow the machine is
    assert not share(pig, keep=None).sure.kept and not questions_folder().exists()
    monkeypatch.setattr("playmill.lab.runs.saved_progress.LONG", -1.0)
    assert share(pig, keep=None).sure.kept
    assert share(pig, keep=None).sure.before and not share(pig, keep=False).sure.before


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b'{"question": 1, "deals": 5}'])
def test_a_damaged_file_is_no_memory(pig: Game, content: bytes) -> None:
    share(pig, keep=True, games=600)
    the_file().write_bytes(content)
    again = share(pig, keep=True, games=600)
    assert again.sure.before == 0 and again.sure.last.n == 600


def test_two_do_not_remember_in_one_place(pig: Game) -> None:
    share(pig, keep=True, games=600)
    folder = the_file().parent
    with RunLock(folder, folder.name):
        with pytest.raises(PlaymillError, match="being played by another process"):
            share(pig, keep=True, games=600)
        assert not share(pig, keep=None, games=600).sure.kept  # nobody has asked for it


def test_a_sequence_knows_from_its_sums_what_it_knew_from_its_observations() -> None:
    first, again = ConfidenceSequence(), ConfidenceSequence()
    for place in range(5):
        first.add([0.0, 1.0, 0.5, float(place % 2)], [1.0, 1.0, 0.5, 1.0])
    for n, sums in first.turns:
        again.take(ObservationSums(n, sums))
    assert again.looks == first.looks


def test_the_command_says_what_it_remembers(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["compare", PIG, "--agents", "threshold", "--b", "target=60", "--until-sure", "turns", "--within", "2"]
    assert main([*words, "--keep"]) == 0
    assert capsys.readouterr().out.endswith("kept: the same command answers at once\n")
    assert main(words) == 0
    assert capsys.readouterr().out.endswith("answered from what was kept; nothing was played\n")
    assert main([*words, "--lang", "ru"]) == 0
    assert capsys.readouterr().out.endswith("ответ — из сохранённого; ничего не игралось\n")


def test_a_comparison_of_so_many_deals_is_kept_too(pig: Game) -> None:
    def asked(**how: Any) -> Comparison:
        return compare(pig, b={"set": ["target=60"]}, agents="threshold", **how)

    assert not asked(games=60).remembered
    assert asked(games=60, keep=True).remembered
    told: list[int] = []
    again = asked(games=90, keep=True, progress=told.append)
    assert told == [90], "only what is missing is played"
    assert again.json()["results"] == asked(games=90).json()["results"]
    assert asked(games=90, keep=True, progress=told.append).deals == 90 and told == [90]
