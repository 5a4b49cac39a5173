"""A small week of a served contest: handed in by HTTP, killed by SIGKILL, and nothing is lost."""

from __future__ import annotations

import sys

import contest_week as week
import pytest


@pytest.mark.skipif(sys.platform != "linux", reason="bots are held by walls that Linux has")
def test_a_server_that_is_killed_loses_nothing_and_ends_with_the_ladder_of_one_that_was_not(tmp_path, capsys):
    words = ["--entrants", "6", "--submissions", "12", "--kills", "3", "--deals", "1", "--opponents", "3", "--keep"]
    found = week.main([*words, str(tmp_path)])
    told = capsys.readouterr().out
    assert found.same, told
    assert found.kills == 3 and found.lost == [] and found.strangers == [] and found.left == []
    assert sum(found.week.refused.values()) == 2 and len(found.week.acknowledged) == 10
    assert "lost: nothing" in told


def test_no_two_submissions_of_a_week_are_the_same_and_a_third_is_hostile():
    handed = week.Plan(60, 300).all()
    assert len(handed) == 300 and len({data for *_, data in handed}) == 300
    hostile = {name for name, *_ in handed if name.startswith("rogue")}
    assert len(hostile) == 20 and len({name for name, *_ in handed}) == 60
