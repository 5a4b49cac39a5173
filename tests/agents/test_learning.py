"""The example that learns: its games and what they teach in NumPy alone; how it learns where PyTorch is."""

from __future__ import annotations

import math
import runpy
import sys
from importlib import import_module
from pathlib import Path

import numpy as np
import pytest

from common.float_network import FloatNetwork, trained
from common.found import game_of
from playmill import Batch, PlaymillError
from playmill.agents.agent_specs import seats_for

FOLDER = Path(__file__).parents[2] / "examples" / "learning"
FILES = sorted(FOLDER.glob("*.npz"))


@pytest.fixture
def tables(monkeypatch):
    monkeypatch.syspath_prepend(str(FOLDER))
    return import_module("tables")


@pytest.fixture(scope="module")
def leduc():
    return game_of("leduc")


# Games and what they teach


def test_half_of_the_games_are_against_agents_and_a_quarter_against_the_past(tables, leduc):
    made = tables.Tables(leduc, 80, players=2, against=["plain"], interpreted=True)
    assert (len(made), made.fights.sum()) == (80, 40)
    seen, may, player, past = made.look()
    assert seen.shape == (80, leduc.observation) and may.shape == (80, leduc.actions)
    assert not past[made.fights].any() and not past[:20].any()
    # In every game against the past one seat is the learner's, in as many the first as the second.
    assert past[20:40].tolist() == (player[20:40] != np.repeat([0, 1], 10)).tolist()
    assert set(player[made.fights]) == {0, 1}, "she plays both seats"


def test_only_what_was_got_against_agents_is_the_score(tables, leduc):
    made = tables.Tables(leduc, 16, players=2, against=["plain"], interpreted=True)
    rewards = np.tile([1.0, -1.0], (len(made), 1))
    got = made.won(rewards, np.ones(len(made), bool))
    assert got.tolist() == [1.0] * 4 + [-1.0] * 4


def test_nobody_sits_against_whoever_is_alone(tables):
    with pytest.raises(PlaymillError, match="save_oneself is played alone: there is nobody to play against"):
        tables.Tables(game_of("save_oneself"), 4, players=1, against=["survivor"], interpreted=True)


def test_decisions_learn_what_their_own_player_got(tables):
    # One game: seat 0, seat 1, seat 0, and it ends; then seat 1 begins the next, seat 0 is asked after the last step.
    player = np.array([[0], [1], [0], [1]])
    values = np.array([[0.1], [0.2], [0.3], [0.4]], np.float32)
    rewards = np.zeros((4, 1, 2), np.float32)
    rewards[2, 0] = 1, -1
    ended = np.array([[False], [False], [True], [False]])
    last = (np.array([0]), np.array([0.5], np.float32))
    aims, sure = tables.targets(player, values, rewards, ended, last=last, trust=1.0)
    assert aims[:3, 0].tolist() == [1, -1, 1] and sure[:3].all()
    assert not sure[3, 0], "what becomes of seat 1 nobody knows yet"
    near, _ = tables.targets(player, values, rewards, ended, last=last, trust=0.0)
    assert near[:3, 0].tolist() == pytest.approx([0.3, -1, 1]), "what she expected when she was asked next"
    half, _ = tables.targets(player, values, rewards, ended, last=last, trust=0.5)
    assert half[0, 0] == pytest.approx(0.5 * 0.3 + 0.5 * 1)


def test_marks_stand_at_the_values_that_were_seen(tables, leduc):
    known = tables.survey(tables.Tables(leduc, 32, players=2, interpreted=True), 20, np.random.default_rng(1))
    at = leduc.names.index
    assert known.marks[known.marks[:, 0] == at("player"), 1].tolist() == [1]
    assert known.marks[known.marks[:, 0] == at("rank[table]"), 1].tolist() == [0, 1, 2]
    assert known.scale[at("folded")] == 0, "nobody who decides sees that somebody has folded"
    assert known.usual == pytest.approx(0) and known.spread > 1


def test_a_mark_is_an_input_that_is_on_or_off(pig):
    pot = pig.names.index("pot")
    zeros = {"shift": np.zeros(5), "scale": np.zeros(5), "bias_0": np.zeros(1), "policy_bias": np.zeros(2)}
    weights = {"weight_0": np.eye(7)[:, [5]] + 2 * np.eye(7)[:, [6]], "policy_weight": [[0, 1]], "value_weight": [[1]]}
    net = FloatNetwork(zeros | weights | {"value_bias": [0], "marks": [(pot, 10), (pot, 20)]})
    seen = np.array([9, 10, 20])[:, None] * np.eye(5, dtype=int)[pot]
    assert net.evaluate(seen)[1].tolist() == [0, 1, 3]


# Files that come with the example


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_every_file_is_small_and_fits_its_game(file):
    assert file.stat().st_size < 300_000
    game = game_of(file.stem)
    assert seats_for(game, game.players[0], [f"net:{file}"])[0].table is not None


def test_the_file_for_leduc_wins_from_plain(leduc):
    net, won, luck = FloatNetwork(trained("leduc")), [], np.random.default_rng(1)
    for seat in range(2):
        seats = [None if at == seat else seats_for(leduc, 2, ["plain"])[0] for at in range(2)]
        batch = Batch(leduc, 150, seed=7, seats=seats, interpreted=True)
        brought = np.zeros(2)
        while not batch.terminated.all():
            likes = np.where(batch.legal_action_mask, net.evaluate(batch.observations)[0], -np.inf)
            batch.step((likes + luck.gumbel(size=likes.shape)).argmax(axis=1))
            brought += batch.rewards.sum(axis=0)
        won.append(brought[seat] / len(batch))
    assert sum(won) / 2 > 0.3, "0.7 chips a game in the long run"


def test_the_file_for_pig_knows_when_to_hold(pig):
    assert pig.names == ("player", "turns", "pot", "total[0]", "total[1]")
    net = FloatNetwork(trained("pig"))
    policy, value = net.evaluate([[0, 9, 2, 40, 40], [0, 9, 35, 40, 40], [0, 30, 35, 60, 98], [0, 9, 2, 5, 60]])
    assert policy.argmax(axis=1)[:3].tolist() == [0, 1, 0], "rolls; holds; rolls on against one about to win"
    assert 0 < value[3] < value[0] < value[1] < 1


# Learning


def test_without_pytorch_one_sentence_says_what_to_install(monkeypatch, capsys):
    monkeypatch.setitem(sys.modules, "torch", None)
    monkeypatch.syspath_prepend(str(FOLDER))
    for lang, sentence in (("en", "training needs PyTorch"), ("ru", "для обучения нужен PyTorch")):
        monkeypatch.setenv("PLAYMILL_LANG", lang)
        with pytest.raises(SystemExit) as left:
            runpy.run_path(str(FOLDER / "train.py"))
        assert left.value.code == 2
        assert capsys.readouterr().err == f"playmill: {sentence}: pip install 'playmill[torch]'\n"


def test_a_few_rounds_teach_kuhn_and_can_be_gone_on_with(tables, tmp_path, monkeypatch):
    torch = pytest.importorskip("torch")
    train, kuhn = import_module("train"), game_of("kuhn")
    monkeypatch.setattr(train, "SURVEY", 20)
    torch.manual_seed(1)
    given = "kuhn --against random --mixes --games 64 --steps 12 --width 16 --parts 4 --rate 0.005"
    options = train.read([*given.split(), "--save", str(tmp_path / "mine.npz")])
    made = tables.Tables(kuhn, options.games, players=2, against=options.against, interpreted=True)
    learner = train.started(made, options)
    scores = []
    for _ in range(12):
        lesson, score = learner.play()
        learner.learn(lesson, 1.0)
        learner.note(score)
        scores.append(score)
    assert np.mean(scores[-4:]) > np.mean(scores[:4]) + 0.1
    learner.save(options.save)
    assert seats_for(kuhn, 2, [f"net:{options.save}"])[0].player is not None
    seen, may, _, _ = made.look()
    told = learner.playing()(torch.from_numpy(seen), torch.from_numpy(may))[1] * learner.known.spread
    with np.load(options.save) as file:
        played = FloatNetwork({key: file[key] for key in file.files}).evaluate(seen)[1]
    assert np.allclose(told.detach().numpy() + learner.known.usual, played, atol=0.05), "what plays is what learned"
    again = train.started(made, options)
    assert (again.rounds, again.decisions) == (12, learner.decisions)
    # A stretch that won more than any before it becomes the file, one that won less does not.
    before = again.playing().value.bias.item()
    again.rounds = train.STRETCH
    for score, best in ((1.0, 0.5), (-1.0, 0.5), (2.0, 0.75)):
        with torch.no_grad():
            again.network.value.bias.fill_(0.5 if score == 1 else 0.75)
        again.scores = []
        again.note(score)
        assert again.playing().value.bias.item() == best != before
    again.note(math.nan)
    assert again.score == 2, "nothing was played to its end"
    options.width = 8
    with pytest.raises(PlaymillError, match="holds another network, or none: remove it to begin anew"):
        train.started(made, options)
