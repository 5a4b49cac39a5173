"""An agent that never answers: there is no time limit, but whoever asks to stop is heard."""

from __future__ import annotations

import json
import signal
import sys

import pytest

from stopping_runs import finish_silent, start, wait_for

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no signals to send to another process")

#: Plays three games at random, then thinks forever; `ready` says when.
ENDLESS = """
from pathlib import Path

def choose(decision):
    if decision.number == 3:
        Path("ready").touch()
        while True:
            pass
    return decision.random.choice(decision.options)
"""
AT_ONCE = ENDLESS.replace("== 3", "== 0")
AT_IMPORT = "from pathlib import Path\nPath('ready').touch()\nwhile True:\n    pass\n"


@pytest.mark.parametrize("sent", ["SIGINT", "SIGTERM"])
def test_a_signal_ends_a_run_whose_agent_never_answers_with_the_games_that_are_finished(tmp_path, sent):
    (tmp_path / "bot.py").write_text(ENDLESS)
    words = [
        "simulate",
        "save_oneself",
        "--games",
        1000,
        "--agents",
        "bot.py",
        "--out",
        "out.json",
        "--quiet",
        "--no-keep",
    ]
    process = start(*words, "--fallbacks", "wrong.jsonl", folder=tmp_path)
    wait_for((tmp_path / "ready").exists, process)
    process.send_signal(signal.Signals[sent])
    assert finish_silent(process) == (1, "")
    saved = json.loads((tmp_path / "out.json").read_text(encoding="utf-8"))
    assert (saved["meta"]["games"], saved["meta"]["complete"]) == (3, False)
    assert (tmp_path / "wrong.jsonl").read_text() == ""
    assert not list(tmp_path.glob(".playmill-*"))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (AT_ONCE, ["simulate", "save_oneself", "--agents", "bot.py", "--quiet"]),
        (AT_IMPORT, ["simulate", "save_oneself", "--agents", "bot.py", "--quiet"]),
        (AT_ONCE, ["show", "save_oneself", "--agents", "bot.py"]),
    ],
)
def test_before_a_game_is_finished_a_signal_ends_it_with_one_word(tmp_path, text, words):
    (tmp_path / "bot.py").write_text(text)
    process = start(*words, folder=tmp_path)
    wait_for((tmp_path / "ready").exists, process)
    process.send_signal(signal.SIGINT)
    assert finish_silent(process) == (1, "playmill: stopped\n")
