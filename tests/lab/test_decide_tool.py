"""What the statistics of deciding promise, in small: `tools/decide.py` measures it with hundreds of repetitions."""

from __future__ import annotations

import decide
import numpy as np

from playmill.lab.decide.until_sure import SequentialQuestion
from playmill.report.commands.until_sure import Verdict


def test_rules_that_are_the_same_are_rarely_called_different():
    assert decide.nothing(12, games=100) <= 2 / 12


def test_a_small_true_change_is_found():
    assert decide.small(3, games=1000) == 1


def test_verdicts_about_a_known_difference_are_right():
    errors = decide.sure(4, budget=3000, deals=1000)
    assert errors == [0.0, 0.0, 0.0, 0.0]


def test_verdicts_about_a_known_mean_are_right():
    assert max(decide.means(10, budget=4000, deals=2000)) <= 0.1


def test_looks_come_after_fixed_numbers_of_deals():
    assert decide.looks(1000) == [*range(64, 705, 64), 774, 851, 936, 1000]
    values = np.full(1000, 0.5)
    assert decide.asked(values, SequentialQuestion("share", 0.1)) == (Verdict.HIGHER, 64)
