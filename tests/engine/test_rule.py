"""Rules: the interpreter's twin, and a fingerprint that sees every change."""

from __future__ import annotations

import importlib
import sys
import textwrap

import pytest

from playmill.engine.rule import as_int, as_word, fingerprint, interpreted, lowest_bit, rule


def write(folder, **modules):
    for name, text in modules.items():
        (folder / f"{name}.py").write_text(textwrap.dedent(text))


@pytest.fixture
def load(tmp_path, monkeypatch):
    """Writes two modules and imports the first anew."""
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setattr(sys, "dont_write_bytecode", True)

    def load(main: str, helper: str):
        write(tmp_path, fp_main=main, fp_helper=helper)
        for name in ("fp_main", "fp_helper"):
            sys.modules.pop(name, None)
        importlib.invalidate_caches()
        return importlib.import_module("fp_main")

    return load


MAIN = """
from playmill import rule
from fp_helper import bonus, LIMIT
import fp_helper

@rule
def score(x):
    return bonus(x) + LIMIT + fp_helper.EXTRA + 1
"""
HELPER = """
from playmill import rule
LIMIT = 10
EXTRA = 5

@rule
def bonus(x):
    return 2 * x
"""


@pytest.mark.parametrize(
    ("where", "old", "new"),
    [
        ("main", "+ 1", "+ 2"),
        ("helper", "2 * x", "3 * x"),
        ("helper", "LIMIT = 10", "LIMIT = 11"),
        ("helper", "EXTRA = 5", "EXTRA = 6"),
    ],
)
def test_every_change_of_a_rule_changes_its_fingerprint(load, where, old, new):
    before = fingerprint(load(MAIN, HELPER).score)
    main, helper = (MAIN.replace(old, new), HELPER) if where == "main" else (MAIN, HELPER.replace(old, new))
    assert (main, helper) != (MAIN, HELPER)
    assert fingerprint(load(main, helper).score) != before


def test_the_same_rules_have_the_same_fingerprint(load):
    assert fingerprint(load(MAIN, HELPER).score) == fingerprint(load(MAIN, "# a comment\n" + HELPER).score)


def test_the_interpreted_twin_runs_no_compiled_code(load):
    module = load(MAIN, HELPER)
    assert interpreted(module.score)(4) == module.score(4) == 24
    twin = interpreted(module.score)
    assert type(twin.__globals__["bonus"]).__name__ == "function"


@pytest.mark.parametrize("mask", [1, 2, 3, 12, 1 << 40, 7 << 20])
def test_lowest_bit(mask):
    assert interpreted(_lowest)(mask) == _lowest(mask) == next(i for i in range(64) if mask >> i & 1)


@pytest.mark.parametrize("value", [0, 1, -1, 2**63 - 1, -(2**63)])
def test_words_and_integers_round_trip(value):
    assert interpreted(_there_and_back)(value) == _there_and_back(value) == value


@rule
def _lowest(mask):
    return lowest_bit(mask)


@rule
def _there_and_back(value):
    return as_int(as_word(value))
