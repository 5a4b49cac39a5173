"""Jobs of the laboratory at levels of play: every kind of question, and one that goes on plays what it was to play."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from playmill.lab.jobs.job import new_job
from playmill.lab.jobs.perform import JobReporter, perform

_SIZES = {"games": [128, 128, 64], "rates": [1e5, 1e5, 50.0]}
_QUESTIONS: dict[str, dict[str, Any]] = {
    "simulate": {"config": {}, "games": 128},
    "compare": {"a": {"config": {}}, "b": {"config": {"target": 60}}, "games": 128},
    "sweep": {"config": {}, "over": ["target=60"], "show": ["turns"], "games": 128},
    "tune": {"config": {}, "free": ["target:80..120/20"], "goal": ["turns=20"], "games": 128, "trials": 1},
}


@pytest.mark.parametrize("kind", _QUESTIONS)
def test_a_question_is_answered_at_each_level_with_the_games_it_was_to_have(tmp_path: Path, kind: str) -> None:
    job = new_job(tmp_path, kind, "examples/pig", {"players": 2, "levels": 1, **_QUESTIONS[kind]})
    job.save("levels.json", _SIZES)  # as one that was stopped has it
    whole, _ = perform(job, JobReporter(job))
    assert whole
    saved = json.loads((job.folder / "results.json").read_text(encoding="utf-8"))
    assert saved["meta"]["among"] == ["random", "threshold", "search:iterations=100"]
    page = (job.folder / "page.en.html").read_text(encoding="utf-8")
    assert "experts (search:iterations=100)" in page and "good players (threshold)" in page
    if kind == "sweep":
        assert saved["meta"]["deals"] == _SIZES["games"]
    elif kind != "tune":
        assert [run["meta"].get("games", run["meta"].get("deals")) for run in saved["runs"]] == _SIZES["games"]
