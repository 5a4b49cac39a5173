"""Discovery of games, and the contract."""

from __future__ import annotations

import dataclasses
import shutil
from types import SimpleNamespace

import numpy as np
import pytest

from playmill import PlaymillError, check_game, game_names, load_game
from playmill.engine.check.check_game import CheckError
from playmill.engine.contract.game import game_from_package
from playmill.engine.lang.rng import below
from playmill.engine.lang.rule import rule


def test_games_are_found_by_their_folders():
    assert "dimensions" in game_names()


def test_an_unknown_game_gets_the_known_ones():
    with pytest.raises(PlaymillError, match=r"there is no game 'chess'; known games: .*dimensions"):
        load_game("chess")


def test_a_game_without_a_picture_of_its_own_is_drawn_in_words(pig):
    assert "<svg" in pig.view(pig.config(), np.zeros(1, pig.state)[0], 0, [0, 1], "ru")


@rule
def _unsorted(cfg, s, out):
    out.ids[0] = 1
    out.ids[1] = 0
    return 2 if s.player >= 0 else 0


@rule
def _telltale(cfg, s, player, rng):
    s.pot += 1


@rule
def _without_the_pot(cfg, s, player, out):
    out[0] = s.player
    out[1] = s.turns
    out[2] = s.total[0]
    out[3] = s.total[1]


@rule
def _moves_the_truth(cfg, s, player, rng):
    s.pot += below(rng, 0, 100)


@rule
def _wins_by_guessing(cfg, s, player, rng):
    if s.player < 0:
        s.winner = player


@rule
def _more_with_a_pot(cfg, s, out):
    for action in range(3):
        out.ids[action] = action
    if s.player < 0:
        return 0
    return 3 if s.pot > 8 else 2


@pytest.mark.parametrize(
    ("functions", "promise"),
    [
        ({"legal_actions": _unsorted}, "ascending"),
        ({"conceal": _telltale}, "conceal must keep what player 0 sees"),
        ({"observe": _without_the_pot, "conceal": _moves_the_truth}, "not on the truth"),
        ({"conceal": _wins_by_guessing}, "conceal must keep the returns"),
        ({"observe": _without_the_pot, "legal_actions": _more_with_a_pot}, "observe must tell all"),
    ],
)
def test_a_broken_promise_is_named(pig, functions, promise):
    broken = dataclasses.replace(pig, rules={**pig.rules, **functions}, actions=3, max_legal=3)
    with pytest.raises(CheckError, match=promise):
        check_game(broken, games=1)


def test_a_kind_of_decision_that_nobody_sees_is_a_broken_promise(pig):
    words = SimpleNamespace(**vars(pig.words))
    words.decision_kind = lambda s: "a risk" if s["pot"] > 8 else "a roll"
    broken = dataclasses.replace(pig, rules={**pig.rules, "observe": _without_the_pot}, words=words)
    with pytest.raises(CheckError, match="observe must tell the kind of the decision"):
        check_game(broken, games=1)


def test_a_game_without_a_room_says_which(tmp_path, monkeypatch, pig):
    folder = tmp_path / "halfgame"
    shutil.copytree(pytest.importorskip("pig").__path__[0], folder)
    config = (folder / "config.py").rename(folder / "no_room.py")
    monkeypatch.syspath_prepend(str(tmp_path))
    with pytest.raises(PlaymillError, match=r"the game 'halfgame' has no config\.py"):
        game_from_package("halfgame", "halfgame")
    config.rename(folder / "config.py")
    (folder / "hidden.py").write_text("OBSERVATION = 1\n")
    with pytest.raises(PlaymillError, match="lacks observe, conceal"):
        game_from_package("halfgame", "halfgame")


@pytest.mark.parametrize("players", [0, 2, 6, -1])
def test_a_wrong_number_of_players(dimensions, players):
    with pytest.raises(PlaymillError, match=f"dimensions is played by 3–5 players, not {players}"):
        dimensions.check_players(players)


def test_games_of_other_packages_are_found_by_entry_point(monkeypatch, pig):
    from importlib.metadata import EntryPoint

    from playmill.engine.contract import game as module

    point = EntryPoint(name="oink", value="pig", group="playmill.games")
    monkeypatch.setattr(module, "entry_points", lambda group: [point] if group == "playmill.games" else [])
    assert "oink" in game_names()
    assert load_game("oink").title == pig.title


def test_games_of_other_packages_say_where_they_come_from_and_hide_nobody(monkeypatch, pig, capsys):
    from importlib.metadata import EntryPoint

    from playmill.cli import main
    from playmill.engine.contract import game as module

    points = [EntryPoint(name=name, value=value, group="playmill.games") for name, value in _OTHERS.items()]
    monkeypatch.setattr(module, "entry_points", lambda group: points)
    monkeypatch.setenv("COLUMNS", "200")
    assert main(["games"]) == 0
    told = capsys.readouterr().out
    assert "roll again or hold: a 1 loses the turn [pig]" in told
    assert "the game 'gone' has no config.py in no_such_package [no_such_package]" in told and "dimensions" in told


_OTHERS = {"oink": "pig", "gone": "no_such_package"}


def test_a_game_for_one_is_played_alone():
    with pytest.raises(PlaymillError, match="save_oneself is played alone, not by 2 players") as caught:
        load_game("save_oneself").check_players(2)
    assert caught.value.text.ru == "в save_oneself играет один игрок, а не 2"
