"""The contract of a game: every hook is declared once, has its default, its documentation, and is found if misspelt."""

from __future__ import annotations

import itertools
from pathlib import Path

import pytest

from playmill import load_game
from playmill.engine.contract.modules import MODULES
from playmill.engine.errors.located import RuleMistakeError
from playmill.engine.lang.module_names import NEEDED, PLAIN, RULED
from playmill.starters import begin

_NUMBERS = itertools.count()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The folder of a game that was begun with `playmill new`."""
    name = f"hooked{next(_NUMBERS)}"
    begin(name, "board", "en", tmp_path)
    return tmp_path / name


def test_every_module_is_declared() -> None:
    assert set(MODULES) == {*RULED, *PLAIN}
    assert {name for name, known in MODULES.items() if known.needed} == set(NEEDED)


def test_every_hook_says_what_it_is_in_both_languages() -> None:
    for name, known in MODULES.items():
        assert all(known.about), name
        for key, hook in known.hooks.items():
            assert all(hook.about), (name, key)
            assert hook.required or all(hook.otherwise), (name, key)


def test_a_game_that_leaves_hooks_out_has_them_all(folder: Path) -> None:
    game = load_game(str(folder))
    for name in ("words", "report", "audit"):
        module = getattr(game, name)
        assert [key for key in MODULES[name].hooks if not hasattr(module, key)] == []
    assert game.words.brings is None and game.audit.LENGTH is None and game.report.FIGURES == {}


@pytest.mark.parametrize(
    ("added", "wrong", "meant"),
    [
        ("def witnesed(config, before, after, action, player):\n    return []\n", "witnesed", "witnessed"),
        ("def brngs(config, s, legal):\n    return {}\n", "brngs", "brings"),
        ("DECISION_NAME = {}\n", "DECISION_NAME", "DECISION_NAMES"),
    ],
)
def test_a_misspelt_hook_is_found_as_the_game_is_loaded(folder: Path, added: str, wrong: str, meant: str) -> None:
    words = folder / "words.py"
    lines = len(words.read_text(encoding="utf-8").splitlines())
    words.write_text(words.read_text(encoding="utf-8") + "\n\n" + added, encoding="utf-8")
    with pytest.raises(RuleMistakeError) as caught:
        load_game(str(folder))
    assert caught.value.line == lines + 3
    en, ru = caught.value.text
    assert f"`{wrong}` is not a hook of words.py; did you mean `{meant}`?" in en
    assert f"`{wrong}` не входит в words.py; может быть, `{meant}`?" in ru


def test_functions_of_ones_own_may_have_names_like_hooks(folder: Path) -> None:
    words = folder / "words.py"
    own = "\n\ndef brought():\n    return 1\n\n\ndef bring():\n    return brought()\n\n\nBOTH = (bring, brought)\n"
    words.write_text(words.read_text(encoding="utf-8") + own, encoding="utf-8")
    assert load_game(str(folder)).words.brings is None
