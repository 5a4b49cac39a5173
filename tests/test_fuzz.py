"""The fuzzer: it finds what is wrong, keeps it, knows every command; and a short run of it finds nothing."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest
from fuzzing.agents import ANSWERS, DEEDS, HEADS, agent_source
from fuzzing.case import Case
from fuzzing.judge import Done, verdict
from fuzzing.lines import LONG, parsers
from fuzzing.sources import SOURCES, case_of, kind_of
from fuzzing.values import made, schema_at, spoil, varied, written

pytestmark = pytest.mark.long

ROOT = Path(__file__).parent.parent
FUZZ = [sys.executable, str(ROOT / "tools" / "fuzz.py")]
#: Cases of the short run, and its seed: the same ones each time.
CASES, SEED = 24, 1


def fuzz(*words: str, **env: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*FUZZ, *words], capture_output=True, text=True, check=False, timeout=3600, cwd=ROOT, env={**os.environ, **env}
    )


def test_a_short_run_finds_nothing(tmp_path):
    kinds = [kind for kind in SOURCES if kind not in ("process", "cache")]  # those take seconds each
    length = ("--cases", str(CASES), "--minutes", "600", "--seed", str(SEED))
    done = fuzz(*length, "--only", *kinds, "--out", str(tmp_path))
    assert done.returncode == 0, done.stdout + done.stderr
    assert f"{CASES} cases in " in done.stdout
    assert "traceback 0, hang 0, crash 0; different findings 0" in done.stdout
    assert not list(tmp_path.iterdir())


def test_what_is_found_is_kept_and_can_be_run_again(tmp_path):
    path = tmp_path / "case.json"
    path.write_text(Case("agent", ("simulate", "no such game")).text())
    assert "nothing wrong" in fuzz("--again", str(path)).stdout
    broken = Case("line", ("games",), way="process", damage=(1, "x", 2), files={"a": b"\xff"})
    assert Case.read(broken.text()) == broken


@pytest.mark.parametrize(
    ("done", "kind"),
    [
        (Done(0), ""),
        (Done(2, err="playmill: there is no such thing\n"), ""),
        (Done(0, raised="ValueError at x.py:1"), "traceback"),
        (Done(1, err="Traceback (most recent call last):\n  …\nKeyError: 1\n"), "traceback"),
        (Done(0, err="Exception ignored in: <stdout>\n"), "traceback"),
        (Done(-11), "crash"),
        (Done(120), "status"),
        (Done(2), "words"),
        (Done(2, err="playmill: one\nplaymill: two\n"), "words"),
        (Done(2, err="something is wrong\n"), "words"),
        (Done(2, err="playmill: \x1b[31mred\n"), "words"),
        (Done(2, err="playmill: " + "x" * 5000 + "\n"), "words"),
    ],
)
def test_the_judge_sees_what_is_wrong(tmp_path, done, kind):
    assert verdict(Case("line", ("show", "dice")), done, tmp_path).partition(" ")[0] == kind


@pytest.mark.parametrize(
    ("change", "kind"),
    [
        ("", ""),
        ("results['games'] = 3", "results"),
        ("results['wins'] = [2, 1]", "results"),
        ("results['win_rate'] = {'value': 1.5, 'low': 0.0, 'high': 2.0}", "results"),
        ("results['turns'] = {'value': 3.0, 'low': 4.0, 'high': 5.0}", "results"),
        ("results['mean'] = float('nan')", "results"),
    ],
)
def test_the_judge_adds_up(tmp_path, change, kind):
    results = {"games": 2, "wins": [1, 1], "draws": {"games": 0}}
    exec(change, {"results": results})
    saved = {"meta": {"game": "dice", "games": 2}, "results": results}
    (tmp_path / "out.json").write_text(json.dumps(saved))
    case = Case("config", ("simulate", "dice", "--games", "2", "--out", "out.json"))
    assert verdict(case, Done(0), tmp_path).partition(" ")[0] == kind


def test_a_case_depends_on_its_seed_and_number_alone():
    for number in range(40):
        assert case_of(5, number) == case_of(5, number)
    assert {case_of(5, number).argv for number in range(40)} != {case_of(6, number).argv for number in range(40)}


def test_every_kind_of_case_comes_up():
    assert {kind_of(Random(f"0 {number}")) for number in range(3000)} == set(SOURCES)
    for kind, (source, _) in SOURCES.items():
        assert source(Random(1)).kind == kind


def test_every_command_is_tried():
    tried = {SOURCES["line"][0](Random(number)).argv[0] for number in range(300)}
    assert parsers().keys() <= tried
    assert LONG.keys() <= parsers().keys()


def test_values_follow_a_schema():
    schema = {
        "type": "object",
        "required": ["n", "kind"],
        "properties": {
            "n": {"type": "integer", "minimum": 3, "maximum": 5},
            "kind": {"enum": ["a", "b"]},
            "list": {"type": "array", "items": {"$ref": "#/$defs/part"}, "maxItems": 2},
        },
        "$defs": {"part": {"type": "integer", "minimum": 0, "maximum": 1}},
    }
    for seed in range(200):
        luck = Random(seed)
        found = made(schema, luck)
        assert 3 <= found["n"] <= 5 and found["kind"] in ("a", "b")
        assert all(part in (0, 1) for part in found.get("list", [])) and len(found.get("list", [])) <= 2
        assert isinstance(written(varied(found, schema, luck), luck), bytes)
        assert isinstance(spoil(b"", luck), bytes)
    assert schema_at(schema, ("list", 0))["maximum"] == 1


def test_the_agents_of_the_fuzzer_are_python():
    compiled = 0
    for seed in range(300):
        try:
            compile(agent_source(Random(seed)), "bot.py", "exec")
            compiled += 1
        except (SyntaxError, ValueError):
            pass
    assert compiled > 250
    assert len(set(HEADS)) > 10 and len(set(DEEDS)) > 25 and len(set(ANSWERS)) > 30
