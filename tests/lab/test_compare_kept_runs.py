"""Two kept runs compared: deal by deal where they can be, else as honestly as runs that share no luck can be."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from playmill import PlaymillError, simulate
from playmill.cli import main
from playmill.lab.decide.compare_kept import compare_kept
from playmill.lab.runs.store import find_run
from playmill.stats.estimates import mean, rate
from playmill.stats.unpaired_differences import unpaired

HOW: dict[str, Any] = {"backend": "interpreted", "keep_games": False}
TWO: dict[str, Any] = {"agents": ["threshold", "random"], "rotate": True}


def test_runs_of_the_same_deals_are_taken_deal_by_deal(pig):
    simulate(pig, games=60, keep="a", **TWO, **HOW)
    simulate(pig, games=60, set=["target=40"], keep="b", **TWO, **HOW)
    simulate(pig, games=60, set=["target=40"], keep="c", seed=1, **TWO, **HOW)
    a, b, c = (find_run(name) for name in "abc")
    found, apart = compare_kept(a, b), compare_kept(a, c)
    assert (found.same_luck, apart.same_luck) == (True, False)
    one, other = found.differences["turns"], apart.differences["turns"]
    assert one.value == pytest.approx(found.b.results["turns"]["value"] - found.a.results["turns"]["value"])
    assert one.removed is not None and other.removed is None
    assert "the same deals" in found.page("en") and "на своей удаче" in apart.page("ru")
    assert found.page("en").count("target = 40") == 1


def test_the_command_line_compares_kept_runs(pig, capsys, tmp_path):
    simulate(pig, games=40, keep="first", **HOW)
    simulate(pig, games=20, set=["target=40"], keep="second", seed=2, **HOW)
    assert main(["report", "first", "--against", "second", "--html", str(tmp_path / "page.html")]) == 0
    told = capsys.readouterr().out
    assert (
        "games\u00a040 / 20" in told
        and "A: first — the rules as they are" in told
        and "B: second — target = 40" in told
    )
    assert "second" in (tmp_path / "page.html").read_text(encoding="utf-8")
    for words, said in [
        (["first", "--against", "first"], "play the same games"),
        (["first", "--against", "nobody"], "there is no kept run 'nobody'"),
        (["first", "--against", "second", "--csv", str(tmp_path / "x.csv")], "--csv writes the games of one run"),
    ]:
        assert main(["report", *words]) == 2
        assert said in capsys.readouterr().err


def test_runs_of_two_games_are_not_compared(pig):
    simulate(pig, games=10, keep="pig", **HOW)
    simulate("save_oneself", games=1, keep="other", **HOW)
    with pytest.raises(PlaymillError, match="runs of one game can be compared"):
        compare_kept(find_run("pig"), find_run("other"))


def test_an_interval_of_a_difference_holds_what_it_should():
    luck = np.random.default_rng(5)
    missed, alarms = 0, 0
    for _ in range(400):
        hits = luck.binomial(300, (0.4, 0.55))
        numbers = [luck.poisson(4.0, size) for size in (200, 350)]
        results = [
            {
                "share": rate(hits[side], 300).json(),
                "mean": mean(len(one), one.sum(), (one**2).sum()).json(),
            }
            for side, one in enumerate(numbers)
        ]
        found = unpaired(*results)
        share, steady = found["share",], found["mean",]
        missed += not share.low <= 0.15 <= share.high
        alarms += steady.p < 0.05
    assert 8 <= missed <= 32 and 8 <= alarms <= 32, "about one in twenty of 400"


def test_what_never_varies_and_what_nobody_saw_is_not_tested():
    a = {"same": mean(9, 18, 36).json(), "other": mean(9, 18, 36).json(), "none": rate(0, 0).json()}
    b = {"same": mean(9, 18, 36).json(), "other": mean(9, 27, 81).json(), "none": rate(3, 4).json()}
    found = unpaired(a, b)
    assert not any(one.tested or one.real for one in found.values())
    assert found["none",].json()["a"] is None
    assert found["other",].value == 1
