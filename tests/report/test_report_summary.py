"""Aggregates as CSV: every figure of a run with its interval."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest

from playmill import simulate
from playmill.cli import main
from playmill.report.model.summary_csv import COLUMNS, figures_of, summary_csv
from playmill.stats.block_jackknife import figures


def test_an_estimate_is_one_row_and_its_quantiles_have_theirs() -> None:
    saved = {
        "games": 3,
        "rate": {"value": 0.5, "low": 0.1, "high": 0.9, "n": 4},
        "turns": {
            "mean": 2.0,
            "low": None,
            "high": None,
            "n": 3,
            "median": 2,
            "std": 0.5,
            "intervals": {"median": [1, 3]},
        },
        "seats": [{"wins": 1}, {"wins": 2}],
    }
    assert [tuple(figure) for figure in figures_of(saved)] == [
        ("games", 3, None, None, None),
        ("rate", 0.5, 0.1, 0.9, 4),
        ("turns", 2.0, None, None, 3),
        ("turns.median", 2, 1, 3, 3),
        ("turns.std", 0.5, None, None, None),
        ("seats.0.wins", 1, None, None, None),
        ("seats.1.wins", 2, None, None, None),
    ]


@pytest.mark.parametrize("game", ["grid", "dimensions"])
def test_a_summary_has_every_figure_of_the_json(game: str) -> None:
    run = simulate(game, games=20, seed=1)
    rows = list(csv.DictReader(io.StringIO(summary_csv([(run.info, run.results)]))))
    assert tuple(rows[0]) == COLUMNS
    told = {row["name"]: row for row in rows}
    assert len(told) == len(rows)
    found = list(figures(json.loads(json.dumps(run.results))).items())
    assert len(found) > 20
    for path, estimate in found:
        row = told[".".join(map(str, path))]
        value = estimate["mean"] if "mean" in estimate else estimate["value"]
        assert [row["value"], row["low"], row["high"]] == [
            "" if one is None else str(one) for one in (value, estimate["low"], estimate["high"])
        ]
        assert row["n"] == str(estimate["n"])


def test_several_runs_stand_one_after_another_and_the_folder_is_made(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    place = tmp_path / "new" / "all.csv"
    command = ["simulate", "grid", "--players", "2", "3", "--games", "5", "--quiet", "--summary", str(place)]
    assert main(command) == 0
    rows = list(csv.DictReader(place.open(encoding="utf-8")))
    assert {row["players"] for row in rows} == {"2", "3"}
    assert {row["game"] for row in rows} == {"grid"}
