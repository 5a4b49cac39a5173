"""Rules: the interpreter's twin, and a fingerprint that sees every change."""

from __future__ import annotations

import importlib
import sys
import textwrap

import numba
import pytest

from playmill.engine.compile.fingerprint import fingerprint
from playmill.engine.lang.compiler import gpu_settings
from playmill.engine.lang.rule import as_int, as_word, bit_count, interpreted, lowest_bit, rare, rule


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


def test_code_for_the_processor_does_not_depend_on_whether_a_card_was_asked_for(load, monkeypatch):
    score = load(MAIN, HELPER).score
    before, of_the_card = fingerprint(score), gpu_settings()
    # What importing the compiler for a card does to the settings of both.
    monkeypatch.setattr(numba.config, "CUDA_DEFAULT_PTX_CC", (99, 0))
    monkeypatch.setattr(numba.config, "CUDA_NEW_SETTING", False, raising=False)
    assert fingerprint(score) == before
    assert gpu_settings() != of_the_card
    monkeypatch.setattr(numba.config, "OPT", 1)
    assert fingerprint(score) != before


def test_the_interpreted_twin_runs_no_compiled_code(load):
    module = load(MAIN, HELPER)
    assert interpreted(module.score)(4) == module.score(4) == 24
    twin = interpreted(module.score)
    assert type(twin.__globals__["bonus"]).__name__ == "function"


def test_the_interpreted_twin_of_a_closure_runs_no_compiled_code():
    def scaled(inner, *, by):
        @rule
        def outer(x, more=1, *, most=100):
            return min(by * inner(x) + more, most)

        return outer

    twin = interpreted(scaled(_often, by=3))
    assert twin(4) == 16 and twin(40) == 100
    held = dict(zip(twin.__code__.co_freevars, (cell.cell_contents for cell in twin.__closure__), strict=True))
    assert type(held["inner"]).__name__ == "function" and held["by"] == 3


@pytest.mark.parametrize("mask", [1, 2, 3, 12, 1 << 40, 7 << 20])
def test_lowest_bit(mask):
    assert interpreted(_lowest)(mask) == _lowest(mask) == next(i for i in range(64) if mask >> i & 1)


@pytest.mark.parametrize("mask", [0, 1, 12, 255, 1 << 40, (1 << 62) - 1])
def test_bit_count(mask):
    assert interpreted(_bits)(mask) == _bits(mask) == bin(mask).count("1")


@pytest.mark.parametrize("x", [0, 1, 5, -3])
def test_a_rare_rule_does_the_same(x):
    assert interpreted(_caller)(x) == _caller(x) == sum(i * i for i in range(x)) + x + 1


@pytest.mark.skipif(bool(numba.config.DISABLE_JIT), reason="nothing is compiled")
def test_a_rare_rule_is_called_and_never_copied_into_its_callers():
    _caller(1)
    (code,) = _caller.inspect_llvm().values()
    called = [line for line in code.splitlines() if " call " in line]
    assert any("_seldom" in line for line in called)
    assert not any("_often" in line for line in called)


def test_an_edited_rare_rule_has_another_fingerprint(load):
    helper = HELPER.replace("from playmill import rule", "from playmill.author import rare")
    helper = helper.replace("@rule", "@rare")
    before = fingerprint(load(MAIN, helper).score)
    assert interpreted(load(MAIN, helper).score)(4) == 24
    assert fingerprint(load(MAIN, helper.replace("2 * x", "3 * x")).score) != before


@pytest.mark.parametrize("value", [0, 1, -1, 2**63 - 1, -(2**63)])
def test_words_and_integers_round_trip(value):
    assert interpreted(_there_and_back)(value) == _there_and_back(value) == value


@rule
def _lowest(mask):
    return lowest_bit(mask)


@rule
def _bits(mask):
    return bit_count(mask)


@rare
def _seldom(x):
    total = 0
    for i in range(x):
        total += i * i
    return total


@rule
def _often(x):
    return x + 1


@rule
def _caller(x):
    return _seldom(x) + _often(x)


@rule
def _there_and_back(value):
    return as_int(as_word(value))
