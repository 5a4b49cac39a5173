"""What every figure promises, in small: `tools/coverage.py` repeats it hundreds of times for every game."""

from __future__ import annotations

import runpy
import subprocess
import sys
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from calibration import program
from calibration.intervals import Covered, coverage
from calibration.lines import Line, covers_too_rarely, errs_too_often, table
from calibration.nulls import null, power
from calibration.pool import Pool, Setting, Shown, figures
from calibration.program import Experiment

from playmill.stats.estimates import rate

DIMENSIONS = Setting("dimensions", ("dealer",))
GRID = Setting("grid", ("random",))
ROTATED = Setting("examples/pig", ("threshold", "random"), rotate=True)
DEALS = 4000
ROOT = Path(__file__).parents[2]


@cache
def pool(setting: Setting) -> Pool:
    return Pool(setting, DEALS, seed=1)


def lines(steps) -> list[Line]:
    return [step for step in steps if isinstance(step, Line)]


@pytest.mark.parametrize("setting", [GRID, ROTATED], ids=lambda setting: setting.name)
def test_every_interval_of_a_short_run_holds_what_is_true(setting):
    (line,) = lines(coverage(pool(setting), 20, 60, np.random.default_rng(1)))
    assert not line.fails, line.told


def test_rules_that_are_the_same_differ_in_nothing():
    found = lines(null(pool(DIMENSIONS), 20, 30, np.random.default_rng(1)))
    assert [line.told for line in found if line.fails] == []


def test_a_change_that_matters_is_found():
    after = Pool(Setting("dimensions", ("dealer",), ("yellow_goal=6",)), DEALS, seed=1)
    compared, _ = lines(power(pool(DIMENSIONS), after, "factions.yellow.win_rate", 600, 5, np.random.default_rng(1)))
    assert compared.details["figures"]["factions.yellow.win_rate"] == 5, compared.told


def test_a_figure_is_found_by_its_form_at_any_depth():
    results = {
        "games": 3,
        "rate": {"value": 0.5, "low": 0.1, "high": 0.9, "n": 4},
        "undefined": {"value": None, "low": None, "high": None, "n": 0},
        "rounds": [{"mean": 2.0, "low": float("nan"), "high": float("nan"), "inside": rate(1, 2).json()}],
    }
    assert figures(results) == {
        "rate": Shown(0.5, 0.1, 0.9, 4, False),
        "undefined": Shown(None, None, None, 0, False),
        "rounds.0": Shown(2.0, None, None, None, False),
        "rounds.0.inside": Shown(0.5, rate(1, 2).low, rate(1, 2).high, 2, True),
    }


def test_what_nobody_can_know_fails():
    shown = {
        "held": Shown(0.4, 0.1, 0.9, 5, True),
        "missed": Shown(0.1, 0.0, 0.3, 5, True),
        "made_up": Shown(0.0, 0.0, 1.0, 0, True),
        "no_width": Shown(0.0, 0.0, 0.0, 5, False),
        "too_few": Shown(0.4, None, None, 1, False),
        "undefined": Shown(None, None, None, 0, True),
    }
    for what, one in shown.items():
        found = Covered("figure", 0.5)
        found.add(one)
        assert found.fails == (what in ("made_up", "no_width"))
        assert found.given == (what in ("held", "missed", "no_width"))
        assert found.held == (what == "held")
        assert what in ("held", "missed") or getattr(found, what) == 1


def test_noise_alone_fails_nothing():
    assert not covers_too_rarely(0, 0)
    assert not covers_too_rarely(265, 300)
    assert covers_too_rarely(255, 300)
    assert not errs_too_often(24, 300)
    assert errs_too_often(30, 300)


def test_the_worst_lines_come_first():
    some = [Line("null", "pig", n, 9, "so", bad, fails) for n, bad, fails in ((1, 0.3, False), (2, 0.1, True))]
    told = table(some).splitlines()
    assert told[0] == "## null: 1 of 2 lines fail"
    assert [line.split(" | ")[2] for line in told[-2:]] == ["2", "1"]


@pytest.mark.parametrize("fails", [False, True])
def test_the_program_says_by_its_exit_status_whether_a_line_fails(fails, monkeypatch, capsys):
    line = Line("null", "pig", 30, 9, "so", 0.5, fails)
    monkeypatch.setattr(program, "experiments", lambda *_: iter([Experiment("one", lambda rng: iter([line]))]))
    monkeypatch.setattr(sys, "argv", ["coverage.py", "--games", "pig"])
    assert program.main("") == fails
    assert ("| FAILS | pig | 30 |" in capsys.readouterr().out) == fails


def test_numba_does_not_take_the_program_for_the_package_of_that_name():
    with pytest.raises(ImportError, match="is a program"):
        runpy.run_path(str(ROOT / "tools/coverage.py"), run_name="coverage")
    done = subprocess.run(
        [sys.executable, "tools/coverage.py", "--help"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0 and "--repetitions" in done.stdout, done.stderr
