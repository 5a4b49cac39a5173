"""`compare`: two settings on the same luck."""

from __future__ import annotations

import json
import os
import re
import shlex
import signal
import subprocess
import sys
from contextlib import suppress

import pytest

from common.found import FOLDERS
from playmill import PlaymillError, Text, simulate
from playmill.cli import main
from playmill.lab.decide.compare import Comparison, compare

PIG = str(FOLDERS["pig"])


def test_what_each_side_found_is_what_it_finds_alone(pig):
    found = compare(pig, b={"set": ["target=50"]}, games=500, seed=3)
    assert found.a.results["decisions"] == simulate(pig, games=500, seed=3).results["decisions"]
    alone = simulate(pig, games=500, seed=3, set=["target=50"])
    assert found.b.results["decisions"] == alone.results["decisions"]
    assert (found.deals, found.complete) == (500, True)


def test_a_change_that_does_nothing_is_not_called_real(pig):
    found = compare(pig, b={"agents": "threshold:n=20"}, agents="threshold", games=1000)
    assert found.differences
    assert not found.real
    assert all(one.value == 0 for one in found.differences.values())


def test_a_change_that_matters_is_found_and_named(pig):
    found = compare(pig, b={"set": ["target=60"]}, agents="threshold", games=1000)
    told = found.real
    assert any("turns" in name for name in told)
    turns = next(one for name, one in told.items() if "turns" in name)
    assert turns.high < 0
    assert turns.adjusted < 0.05


def test_what_is_real_but_in_no_table_of_the_report_is_told_all_the_same(pig):
    found = compare(pig, b={"set": ["target=60"]}, agents="threshold", games=300)
    first = found.tables()[0]
    told = {str(row[0].en): row[-1] for row in first.rows}
    assert len(told) == len(found.real) and "Turns of a game" in told
    assert told["Turns of a game"].value == found.differences["turns"].value


def test_quantiles_stand_side_by_side_and_have_no_difference(dimensions):
    found = compare(dimensions, b={"set": ["yellow_goal=6"]}, agents="dealer", games=40)
    rows = {row[0].en: row[1:] for table in found.tables() for row in table.rows if isinstance(row[0], Text)}
    a, b, difference, verdict = rows["Turns: median"]
    assert (a.value, b.value) == tuple(side.results["turns"]["median"] for side in (found.a, found.b))
    assert (difference, verdict) == (None, "")
    assert rows["Turns: mean"][2].value == found.differences["turns"].value


def test_few_deals_of_any_game_can_be_compared(influence):
    found = compare(influence, b={"set": ["weak_capacity=9"]}, set=["map=small"], agents="greedy", games=3)
    assert not any(one.tested for one in found.differences.values())
    marks = [row[-1].en for table in found.tables()[1:] for row in table.rows if isinstance(row[-1], Text)]
    assert set(marks) == {"too few to say"}


def test_the_same_luck_makes_differences_sharper(pig):
    found = compare(
        pig, a={"agents": ["threshold:n=20", "random"]}, b={"agents": ["threshold:n=21", "random"]}, games=2000
    )
    assert found.removed > 0.5


def test_agents_that_differ_sit_in_every_seat(pig):
    found = compare(pig, a={"agents": ["threshold", "random"]}, b={"agents": ["threshold:n=5", "random"]}, games=400)
    assert found.a.info.rotations == 2
    assert found.a.info.games == 800
    assert any("threshold → threshold:n=5" in name for name in found.differences)
    fixed = compare(
        pig, a={"agents": ["threshold", "random"]}, b={"agents": ["threshold:n=5", "random"]}, games=400, rotate=False
    )
    assert fixed.a.info.games == 400


def test_one_side_may_have_agents_all_alike(pig):
    found = compare(pig, a={"agents": ["threshold", "random"]}, b={"agents": "random"}, games=300)
    assert (found.a.info.rotations, found.b.info.rotations) == (2, 1)
    assert found.differences


def test_two_sides_that_are_the_same_are_refused(pig):
    with pytest.raises(PlaymillError, match="the two sides are the same"):
        compare(pig, games=10)


def test_stopped_early_both_have_the_same_deals(pig):
    def stop(done: int) -> None:
        if done > 100:
            signal.raise_signal(signal.SIGINT)

    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        found = compare(pig, b={"set": ["target=50"]}, games=10**9, progress=stop)
    finally:
        signal.signal(signal.SIGINT, before)
    assert not found.complete
    assert found.a.info.games == found.b.info.games == found.deals > 100


def test_what_is_shown_on_the_way_claims_less_than_the_end(pig, monkeypatch):
    for name in ("_LONG", "_NEXT_LOOK", "_WORTH"):
        monkeypatch.setattr(f"playmill.lab.decide.compare.{name}", 0.0)
    seen: list[Comparison] = []
    found = compare(pig, b={"set": ["target=60"]}, agents="threshold", games=2000, so_far=seen.append)
    assert (
        found.json()["results"]
        == compare(pig, b={"set": ["target=60"]}, agents="threshold", games=2000).json()["results"]
    )
    assert len(seen) > 1
    first = seen[-1]
    assert (first.looked, first.complete, found.looked) == (True, False, False)
    once = compare(pig, b={"set": ["target=60"]}, agents="threshold", games=first.deals)
    wide, narrow = (one["turns"].high - one["turns"].low for one in (first, once))
    assert wide > 1.3 * narrow
    table = first.table_so_far()
    deals = f"{first.deals:,}".replace(",", "\u00a0")
    assert table.title == Text(f"So far: {deals} of 2\u00a0000 deals", f"Пока: раздач {deals} из 2\u00a0000")
    assert "Turns of a game" in {row[0].en for row in table.rows}


def test_whoever_saw_figures_and_stopped_gets_intervals_for_that(pig, ctrl_c, monkeypatch):
    monkeypatch.setattr("playmill.lab.decide.compare._LONG", 0.0)
    seen: list[Comparison] = []

    def look(found: Comparison) -> None:
        seen.append(found)
        signal.raise_signal(signal.SIGINT)

    stopped = compare(pig, b={"set": ["target=60"]}, agents="threshold", games=2000, so_far=look)
    assert stopped.looked and stopped.deals == seen[0].deals < 2000
    assert stopped["turns"] == seen[0]["turns"]
    assert "hold at any such moment" in stopped.page("en") and "So far: 64 of 2\u00a0000 deals." in str(stopped)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there are no terminals like this")
def test_figures_stand_below_the_bar_in_a_terminal_and_nowhere_else(tmp_path):
    """Ctrl-C in the terminal ends it with what is known."""
    words = ["compare", PIG, "--b", "target=60", "--agents", "threshold", "--no-keep", "--games", "100000000"]
    shown = in_terminal(words, until="So far: ")
    assert "B − A" in shown and "Ctrl-C ends it with what is known by then." in shown
    assert "really different" in shown and "hold at any such moment" in shown.replace("\r\n", " ")
    quiet = subprocess.run(
        [sys.executable, "-m", "playmill", *words[:-1], "5000"], capture_output=True, text=True, check=True
    )
    assert quiet.stderr == "" and "So far" not in quiet.stdout


def in_terminal(words: list[str], until: str) -> str:
    """What a command shows in a terminal; Ctrl-C is pressed when it has shown a text."""
    import pty

    process, handle = pty.fork()
    if not process:
        os.environ |= {"COLUMNS": "100", "LINES": "40", "TERM": "xterm"}
        signal.signal(signal.SIGINT, signal.default_int_handler)
        os.execv(sys.executable, [sys.executable, "-m", "playmill", *words])
    shown, pressed = b"", False
    with suppress(OSError):  # nobody is at the other end any more
        while part := os.read(handle, 1 << 16):
            shown += part
            if not pressed and until.encode() in shown:
                pressed = True
                os.write(handle, b"\x03")
    os.close(handle)
    assert os.waitstatus_to_exitcode(os.waitpid(process, 0)[1]) == 1
    return re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", shown.decode())


def test_the_command_prints_writes_and_can_be_repeated(pig, capsys, tmp_path):
    from common.found import FOLDERS

    out, page = tmp_path / "out.json", tmp_path / "page.html"
    words = ["compare", str(FOLDERS["pig"]), "--games", "600", "--agents", "threshold", "--b", "target=60"]
    assert main([*words, "--out", str(out), "--html", str(page)]) == 0
    told = capsys.readouterr().out
    assert "B: target = 60" in told
    assert "What is really different" in told
    saved = json.loads(out.read_text())
    figure = next(iter(saved["results"]["differences"].values()))
    assert {"a", "b", "difference", "real"} <= figure.keys()
    assert figure["difference"].keys() == {"value", "low", "high"}
    assert "Playmill comparison" in page.read_text()
    found = compare(str(FOLDERS["pig"]), b={"set": ["target=60"]}, games=600, agents="threshold")
    assert main([*shlex.split(found.command)[1:], "--out", str(out), "--quiet"]) == 0
    assert json.loads(out.read_text())["results"] == saved["results"]


def test_the_command_in_russian(capsys):
    from common.found import FOLDERS

    assert main(["compare", str(FOLDERS["pig"]), "--games", "200", "--b", "target=60", "--lang", "ru"]) == 0
    told = capsys.readouterr().out
    assert "Что отличается на самом деле" in told
    assert "A: правила как есть" in told


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--b", "target=0"], "target"),
        (["--b", "nobody"], "has no agent 'nobody'"),
        (["--b", "a.json", "b.json"], "are two configs; name one"),
        (["--b", "missing.json"], "missing.json"),
        ([], "the two sides are the same"),
        (["--b", "target=50", "--games", "0"], "no whole number"),
    ],
)
def test_mistakes_get_one_sentence(capsys, words, told):
    from common.found import FOLDERS

    assert main(["compare", str(FOLDERS["pig"]), *words]) == 2
    err = capsys.readouterr().err
    assert told in err
    assert err.count("\n") == 1
