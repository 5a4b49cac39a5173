"""`playmill learn --what chances`: average strategies by counterfactual regrets, which nobody can see through."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from exploit import Tree, by_network

from common.found import FOLDERS, game_of
from playmill import PlaymillError, learn, load_game
from playmill.agents.agent_specs import seats_for
from playmill.lab.learn import regrets
from playmill.lab.learn.regrets import Regrets
from playmill.lab.learn.run import _chosen_what

KUHN, LEDUC, PIG = (str(FOLDERS[name]) for name in ("kuhn", "leduc", "pig"))


@pytest.fixture(autouse=True)
def home(tmp_path, monkeypatch):
    """A home of its own, and a folder of its own to write to."""
    monkeypatch.setenv("PLAYMILL_HOME", str(tmp_path / "home"))
    monkeypatch.chdir(tmp_path)
    return tmp_path / "home"


def average_of(found, tree):
    """An average strategy as chances at the places of a whole game."""
    seen, actions, chances, counts = found.average()
    starts = np.cumsum(counts) - counts
    rows = {one.tobytes(): range(at, at + n) for one, at, n in zip(seen, starts, counts, strict=True)}
    for key, place in tree.places.items():
        assert [actions[k] for k in rows[key[1]]] == place.options
    return {key: [float(chances[k]) for k in rows[key[1]]] for key in tree.places}


def test_regrets_of_kuhn_come_to_its_value():
    kuhn = game_of("kuhn")
    tree, found = Tree(kuhn), Regrets(kuhn, kuhn.config(), 2, 1)
    lost = []
    for count in (1000, 300_000):
        found.play(count)
        lost.append(tree.lost(average_of(found, tree)))
    assert lost[1] < 0.005 < lost[0]
    assert tree.value(average_of(found, tree), 0) == pytest.approx(-1 / 18, abs=0.005)


def test_a_network_of_leduc_loses_less_than_a_tenth_of_a_chip_to_anybody():
    learn(LEDUC, what="chances", save="net.npz", rounds=4)
    tree = Tree(load_game(LEDUC))
    assert tree.lost(by_network(tree, "net.npz")) < 0.1
    with np.load("net.npz") as file:
        assert int(file["mixes"]) == 1 and str(file["made"]).endswith("at 288 places")
    assert seats_for(load_game(LEDUC), 2, ["net:net.npz"])[0].compiled


def test_stopped_between_rounds_it_is_the_same_file(tmp_path, monkeypatch):
    for rounds in (1, 2):
        found = learn(KUHN, what="chances", save="twice.npz", rounds=rounds, size=8)
    assert [point.decisions for point in found.points] == [12, 12], "all of its places were met in the first round"
    monkeypatch.setenv("PLAYMILL_HOME", str(tmp_path / "other"))
    learn(KUHN, what="chances", save="once.npz", rounds=2, size=8)
    assert Path("twice.npz").read_bytes() == Path("once.npz").read_bytes()


def test_the_page_says_how_it_was_learned():
    found = learn(KUHN, save="net.npz", rounds=1, size=8)
    assert found.json()["what"] == "chances" and found.shown.command.count("--what chances") == 1
    for lang, words, counted in (
        ("en", "counterfactual regrets", "Different positions"),
        ("ru", "контрфактические сожаления", "Разных позиций"),
    ):
        page = found.page(lang)
        assert words in page and counted in page and "nan" not in page


def test_a_game_with_too_many_positions_is_told_to_learn_otherwise(monkeypatch):
    monkeypatch.setattr(regrets, "_MOST_PLACES", 8)
    with pytest.raises(PlaymillError) as refused:
        learn(KUHN, what="chances", save="net.npz", rounds=1)
    assert refused.value.text.en.startswith("kuhn is too large to learn chances: there is no room for more than 4")
    assert refused.value.text.ru.startswith("игра kuhn слишком велика, чтобы учить chances: больше чем для 4")


def test_alone_there_is_nobody_to_bluff():
    with pytest.raises(PlaymillError, match="alone there is nobody to bluff"):
        learn("save_oneself", what="chances", save="net.npz", rounds=1)


@pytest.mark.parametrize(
    ("name", "given", "what"),
    [
        ("kuhn", {}, "chances"),
        ("pig", {}, "values"),
        ("kuhn", {"values": (1000, ())}, "values"),
        ("kuhn", {"moves": (64, None, ())}, "moves"),
        ("pig", {"moves": (None, None, ["target=3..5"])}, "moves"),
    ],
)
def test_what_is_learned_if_nobody_says_so(name, given, what):
    assert _chosen_what(game_of(name), None, **{"moves": (None, None, ()), "values": (None, ()), **given}) == what
