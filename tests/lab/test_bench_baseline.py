"""`playmill bench` beside what was measured before, another checkout, and the neighbours."""

from __future__ import annotations

import io
import json
import sys
import types
from pathlib import Path

import pytest

from playmill import Game, PlaymillError
from playmill.cli import main
from playmill.lab.bench import checkout_process, checkouts, other_libraries
from playmill.lab.bench.baseline import Baseline, SpeedChange, keep, last_kept, read_baseline
from playmill.lab.bench.speed import spread_of

PIG = str(Path(__file__).parents[2] / "examples" / "pig")
ROW = {"game": "pig", "players": 2, "agent": "random", "backend": "cpu", "threads": 1}


def row(speed: float, spread: float = 0.0, **more: object) -> dict[str, object]:
    return {**ROW, "games_per_s": speed, "spread": spread, **more}


def test_slices_that_differ_widen_what_counts_as_noise() -> None:
    assert spread_of([(10, 1.0)] * 10) == 0
    assert spread_of([(10, 1.0)] * 5 + [(20, 1.0)] * 5) > 0
    assert spread_of([(10, 1.0)]) == 0
    steady, shaky = Baseline([row(100)]), Baseline([row(100, 0.2)])
    slower = row(80)
    change, chance = steady.change(slower), shaky.change(slower)
    assert change == SpeedChange(0.8, 0.03)
    assert chance is not None
    assert not change.is_noise
    assert chance.is_noise
    assert steady.change(row(99)).is_noise
    assert steady.change({**slower, "players": 3}) is None


def test_the_last_measurement_of_this_machine_is_kept(home: Path) -> None:
    assert last_kept().change(row(5)) is None
    assert keep([row(100), row(7, agent="threshold")]) is None
    assert keep([row(50)]) is None
    assert last_kept().change(row(100)) == SpeedChange(2.0, 0.03)
    assert last_kept().change(row(7, agent="threshold")) == SpeedChange(1.0, 0.03)
    saved = json.loads((home / "bench.json").read_text())
    (home / "bench.json").write_text(json.dumps({**saved, "machines": {"another one": saved["machines"].popitem()[1]}}))
    assert last_kept().change(row(100)) is None
    (home / "bench.json").write_text("not JSON")
    assert last_kept().change(row(100)) is None
    assert keep([row(1)]) is None


@pytest.mark.parametrize(("lang", "before"), [("en", "× before"), ("ru", "× прежде")])
def test_a_second_bench_says_how_it_compares(home, tmp_path, capsys, lang, before) -> None:
    words = ["bench", PIG, "--seconds", "0.01", "--lang", lang]
    out = str(tmp_path / "first.json")
    assert main([*words, "--no-keep", "--out", out]) == 0
    assert before not in capsys.readouterr().out
    assert not (home / "bench.json").exists()
    assert main([*words, "--reference", out]) == 0
    printed = capsys.readouterr().out
    assert before in printed
    assert "first.json" in printed
    assert (home / "bench.json").exists()


def test_what_is_slower_is_named(home, capsys, monkeypatch) -> None:
    fast = [{**ROW, "games_per_s": 1e12, "decisions_per_s": 1.0, "times_interpreted": 1.0}]
    keep(fast)
    slow = [{**fast[0], "games_per_s": 1e11}]
    monkeypatch.setattr("playmill.lab.bench.speed.bench_all", lambda games, **_: (slow, [], True))
    assert main(["bench", PIG]) == 0
    assert "slower than before: pig random cpu ×1 (0.10)" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("[1]", "is no bench"),
        ('{"rows": []}', "is no bench"),
        ('{"rows": [{"game": "pig"}]}', "is no bench"),
        (json.dumps({"rows": [{**ROW, "games_per_s": "many"}]}), "a speed in it is no number"),
    ],
)
def test_what_is_no_bench_is_said_to_be_none(tmp_path: Path, content: str, said: str) -> None:
    (tmp_path / "bench.json").write_text(content)
    with pytest.raises(PlaymillError, match=said):
        read_baseline(tmp_path / "bench.json")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--against", "nowhere"], "there is no playmill in it"),
        (["--against", ".", "--neighbours"], "a comparison by itself"),
        (["--reference", "nowhere.json"], "nowhere.json"),
    ],
)
def test_wrong_options_are_told_in_a_sentence(capsys, tmp_path, monkeypatch, words, said) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["bench", PIG, *words]) == 2
    error = capsys.readouterr().err
    assert said in error
    assert error.count("\n") == 1


class _Made:
    """A checkout that needs so many seconds a game, and the other one twice as many."""

    def __init__(self, source: Path) -> None:
        self._cost = 2.0 if source.name == "slow" else 1.0

    def play(self, *, games: int, **_: object) -> tuple[float, str]:
        return self._cost * games / 1000, f"{self._cost}"

    def __enter__(self) -> _Made:
        return self

    def __exit__(self, *_: object) -> None:
        pass


@pytest.mark.parametrize(("lang", "said"), [("en", "other results than there"), ("ru", "итоги не те")])
def test_two_checkouts_are_measured_by_turns(tmp_path, capsys, monkeypatch, lang, said) -> None:
    (tmp_path / "slow" / "playmill").mkdir(parents=True)
    (tmp_path / "slow" / "playmill" / "__init__.py").touch()
    monkeypatch.setattr(checkouts, "CheckoutProcess", _Made)
    out = tmp_path / "against.json"
    words = ["bench", PIG, "--against", str(tmp_path / "slow"), "--out", str(out), "--lang", lang]
    assert main(words) == 0
    printed = capsys.readouterr().out
    assert ("2.000" if lang == "en" else "2,000") in printed
    assert said in printed
    turns = json.loads(out.read_text())["turns"]
    assert [turn["agent"] for turn in turns] == ["random", "threshold"]
    assert not any(turn["within_noise"] or turn["same_results"] for turn in turns)


def test_the_process_of_a_checkout_answers_line_by_line(capsys, monkeypatch) -> None:
    told = {"game": PIG, "players": 2, "agents": "random", "seed": 1, "games": 3}
    monkeypatch.setattr(sys, "stdin", io.StringIO("".join(json.dumps(x) + "\n" for x in (told, {**told, "seed": "x"}))))
    monkeypatch.setattr(sys, "stdout", sys.stdout)
    checkout_process.main()
    good, bad = map(json.loads, capsys.readouterr().out.splitlines())
    assert good["seconds"] >= 0
    assert len(good["results"]) == 16
    assert set(bad) == {"error"}


class _Die:
    """A game of OpenSpiel: chance throws once, then one decision ends it."""

    def __init__(self) -> None:
        self.moves = 0

    def new_initial_state(self) -> _Die:
        return _Die()

    def is_terminal(self) -> bool:
        return self.moves == 2

    def is_chance_node(self) -> bool:
        return self.moves == 0

    def chance_outcomes(self) -> list[tuple[int, float]]:
        return [(0, 0.5), (1, 0.5)]

    def legal_actions(self) -> list[int]:
        return [4, 9]

    def apply_action(self, action: int) -> None:
        assert action in ((0, 1) if self.moves == 0 else (4, 9))
        self.moves += 1


def test_neighbours_play_in_one_run_and_missing_ones_are_named(pig: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyspiel", types.SimpleNamespace(load_game=lambda name: _Die()))
    monkeypatch.setitem(sys.modules, "pettingzoo", None)
    monkeypatch.setattr(other_libraries, "GAMES", (("pig", "pig", "pig_v0"),))
    rows, missing = other_libraries.bench_other_libraries(seconds=0.01, progress=lambda _: None)
    assert [row["runner"].partition(",")[0] for row in rows] == ["Playmill"] * 3 + ["OpenSpiel"]
    assert all(row["games_per_cpu_s"] > 0 for row in rows)
    (sentence,) = missing
    assert sentence.en.startswith("PettingZoo is not installed")
