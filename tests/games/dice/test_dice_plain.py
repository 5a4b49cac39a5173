"""A plain match of Dice knows nothing of the models of content, and is the same match."""

from __future__ import annotations

import subprocess
import sys

import pytest

from playmill.games.dice.config import Config
from playmill.games.dice.content import Content, library
from playmill.games.dice.plain import LISTS, NOTHING, shipped_dice


def test_dice_that_come_with_the_game_are_those_of_the_library():
    assert [*shipped_dice()] == [die.id for die in library().dice]
    for die in library().dice:
        shipped = shipped_dice()[die.id]
        assert (shipped.code, shipped.weights) == (die.code, die.weights)
        assert (shipped.name.text, shipped.desc.text) == (die.name.text, die.desc.text)
        assert (shipped.name.en, shipped.name.ru) == (die.name.en, die.name.ru)


def test_no_content_is_written_as_content_without_anything():
    for mode in ("json", "python"):
        assert NOTHING.model_dump(mode=mode) == Content().model_dump(mode=mode)
    assert all(getattr(NOTHING, kind) == getattr(Content(), kind) for kind in LISTS)
    assert NOTHING.ids() == Content().ids()


@pytest.mark.parametrize("said", [{}, [], Content(), {"dice": []}, {kind: [] for kind in LISTS}])
def test_content_without_anything_is_no_content(said):
    assert Config(content=said) == Config()


def test_a_match_with_an_item_switched_off_is_packed_from_its_models_alike():
    """It is looked up in the library, as every match is that is not plain."""
    models = Config(global_items=[{"id": "bust_shield", "enabled": False}])
    plain = Config().pack(2)[0]
    for name in ("weights", "bust_chance", "mean_best", "plain", "free", "loaded"):
        assert (models.pack(2)[0][name] == plain[name]).all(), name


def test_a_plain_match_builds_no_models_of_content():
    code = """
import sys
from playmill import load_game, simulate
simulate("dice", games=2, backend="interpreted")
assert not [name for name in sys.modules if name.startswith("playmill.games.dice.content")]
assert load_game("dice").content.library().kits and "playmill.games.dice.content.entries" in sys.modules
"""
    subprocess.run([sys.executable, "-c", code], check=True)


def test_a_mistake_in_a_plain_config_is_told_as_ever():
    assert Config.read({"players": [{"dice": ["evil"]}, {}]}).resolved().dice[0][0].code
    with pytest.raises(ValueError, match=r"players\.0\.dice\.0: there is no die .fiar.*fair"):
        Config.read({"players": [{"dice": ["fiar"]}, {}]})
    with pytest.raises(ValueError, match=r"there is no kit .tavrn.*tavern"):
        Config.read({"kit": "tavrn"})
