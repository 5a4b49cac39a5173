"""What a game says can be won in it, and what its games show of that."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from playmill import load_game
from playmill.engine.check import check_game as check
from playmill.engine.check.decisions import CheckedEnd
from playmill.engine.check.findings import CheckError
from playmill.engine.contract.score_range import USUAL, Stakes, stakes_of
from playmill.engine.errors.located import RuleMistakeError
from playmill.starters import begin


def _told(name: str, more: str, folder: Path, *ends: list[float]) -> list[str]:
    """What a check says of games that came out so, with these lines at the end of the rules."""
    begin(name, "board", "en", folder)
    with (folder / name / "rules.py").open("a", encoding="utf-8") as rules:
        rules.write(more)
    game = load_game(str(folder / name))
    found = check._beyond_stakes(game, game.config(), 2, [CheckedEnd(9, end) for end in ends])
    return [sentence for told in found for sentence in told]


def test_returns_beyond_stakes_that_were_left_out_are_a_doubt(tmp_path: Path) -> None:
    assert _told("staked_a", "", tmp_path, [1.0, -1.0], [0.0, 0.0]) == []
    en, ru = _told("staked_b", "", tmp_path, [1.0, -1.0], [12.0, 0.0])
    assert "`def returns(" in en and "`returns` gave -1 … 12, and without STAKES that is -1 … 1; write" in en
    assert "`returns` дала -1 … 12, а без STAKES это -1 … 1; напишите" in ru


def test_returns_beyond_stakes_that_were_stated_break_a_promise(tmp_path: Path) -> None:
    with pytest.raises(CheckError, match=r"`STAKES = \(0, 2\)`: .* gave 0 … 3, and STAKES allow 0 … 2") as caught:
        _told("staked_c", "STAKES = (0, 2)\n", tmp_path, [0.0, 3.0])
    assert "`returns` дала 0 … 3, а STAKES допускают 0 … 2" in caught.value.text.ru


def test_returns_that_do_not_add_up_to_what_was_stated_break_a_promise(tmp_path: Path) -> None:
    assert _told("staked_d", "STAKES = (0, 1, 1)\n", tmp_path, [0.0, 1.0], [0.5, 0.5]) == []
    with pytest.raises(CheckError, match=r"gave all together 2, and STAKES say that this is always 1") as caught:
        _told("staked_e", "STAKES = (0, 1, 1)\n", tmp_path, [0.0, 1.0], [1.0, 1.0])
    assert "дала всем вместе 2, а по STAKES это всегда 1" in caught.value.text.ru


def test_stakes_of_a_function_are_looked_at_when_it_is_asked(tmp_path: Path) -> None:
    with pytest.raises(CheckError, match=r"`def STAKES\(config, players\):`: STAKES are \(1,\); they must be"):
        _told("staked_f", "def STAKES(config, players):\n    return (1,)\n", tmp_path, [0.0, 0.0])


@pytest.mark.parametrize("stated", [(0, 1), [0, 1], (0, 1, None), (0.0, 1.0, 1), USUAL])
def test_stakes_are_two_numbers_or_three(stated: Any) -> None:
    rules = ModuleType("rules")
    rules.__dict__["STAKES"] = stated
    assert stakes_of(rules, None, 2) == Stakes(*stated)


@pytest.mark.parametrize("stated", [(), (0,), (0, 1, 1, 1), (0, float("nan")), (False, True), "01", None])
def test_anything_else_is_none(stated: Any, tmp_path: Path) -> None:
    rules = ModuleType("rules")
    rules.__file__ = str(tmp_path / "rules.py")
    rules.__dict__["STAKES"] = stated
    with pytest.raises(RuleMistakeError, match="they must be"):
        stakes_of(rules, None, 2)
