"""`playmill bench`: a table of speeds, one of `search`, and a file of both."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from playmill.cli import main

PIG = str(Path(__file__).parents[2] / "examples" / "pig")


@pytest.mark.parametrize(("lang", "title"), [("en", "iterations/s, one core"), ("ru", "партий в уме/с, одно ядро")])
def test_every_agent_and_search_are_measured(tmp_path, capsys, lang, title):
    out = tmp_path / "bench.json"
    assert main(["bench", PIG, "--seconds", "0.02", "--out", str(out), "--lang", lang]) == 0
    printed = capsys.readouterr().out
    assert "threshold" in printed
    assert title in printed
    assert "search:iterations=200" in printed
    saved = json.loads(out.read_text())
    assert {row["agent"] for row in saved["rows"]} == {"random", "threshold"}
    (search,) = saved["search"]
    assert search["game"] == "pig"
    assert search["iterations_per_s"] > 0
