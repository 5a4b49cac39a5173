"""Networks in files: played by NumPy alone, and refused with a sentence when they do not fit."""

from __future__ import annotations

import numpy as np
import pytest

from common.found import game_of
from playmill import PlaymillError, simulate
from playmill.agents.agent_specs import seats_for
from playmill.agents.network_agent import Net
from playmill.cli import main


def arrays(game, /, **changed):
    """A network of four neurons that knows nothing; what is changed says what it likes."""
    made = {
        "game": game.name,
        "version": game.version,
        "mixes": 0,
        "shift": np.zeros(game.observation, np.float32),
        "scale": np.ones(game.observation, np.float32),
        "weight_0": np.zeros((game.observation, 4), np.float32),
        "bias_0": np.ones(4, np.float32),
        "policy_weight": np.zeros((4, game.actions), np.float32),
        "policy_bias": np.zeros(game.actions, np.float32),
        "value_weight": np.full((4, 1), 0.125, np.float32),
        "value_bias": np.zeros(1, np.float32),
    }
    return made | changed


def saved(folder, game, /, **changed):
    file = folder / "mine.npz"
    np.savez(file, **arrays(game, **changed))
    return f"net:{file}"


def test_it_takes_its_favourite_among_the_options(tmp_path, pig):
    hold = saved(tmp_path, pig, policy_bias=np.array([0.0, 1.0]))
    run = simulate(pig, games=20, seed=1, agents=[hold, "threshold:n=2"])
    same = simulate(pig, games=20, seed=1, agents=["threshold:n=1", "threshold:n=2"])  # holds at once, too
    assert run.games["decisions"].to_list() == same.games["decisions"].to_list()


def test_one_neuron_plays_as_the_line_it_stands_for(tmp_path, pig):
    pot = np.eye(5)[pig.names.index("pot")]
    like = {"weight_0": pot[:, None], "bias_0": np.zeros(1), "shift": 11.5 * pot, "value_weight": [[0]]}
    neuron = saved(tmp_path, pig, **like, policy_weight=[[0, 1]], policy_bias=[0.25, 0])
    run = simulate(pig, games=30, seed=2, agents=[neuron, "threshold:n=20"])

    def holds(decision):
        return int(decision.observation[pig.names.index("pot")] >= 12)

    same = simulate(pig, games=30, seed=2, agents=[holds, "threshold:n=20"])
    assert run.games.equals(same.games)


def test_it_may_draw_by_its_chances(tmp_path):
    kuhn = game_of("kuhn")
    even = saved(tmp_path, kuhn, mixes=1)
    run = simulate(kuhn, games=400, seed=1, agents=[even, even])
    lengths = run.games["decisions"].value_counts().to_dicts()
    assert {row["decisions"] for row in lengths} == {2, 3}
    assert all(row["count"] > 50 for row in lengths)


def test_what_it_expects_comes_with_what_it_advises(pig):
    policy, value = Net(arrays(pig)).evaluate(np.zeros((3, pig.observation)))
    assert policy.shape == (3, 2)
    assert value.tolist() == [0.5, 0.5, 0.5]


def test_a_seat_finds_it_again_from_anywhere_and_knows_its_content(tmp_path, pig, monkeypatch):
    saved(tmp_path, pig)
    monkeypatch.chdir(tmp_path)
    seat = seats_for(pig, 2, ["net:mine.npz"])[0]
    assert (seat.name, seat.spec) == ("net:mine.npz", f"net:{tmp_path / 'mine.npz'}")
    assert seat.code is not None and not seat.compiled


@pytest.mark.parametrize(
    ("changed", "why"),
    [
        ({"game": "chess"}, "it was trained for chess/2, not for pig/2"),
        ({"version": 99}, "it was trained for pig/99, not for pig/2"),
        ({"policy_bias": np.zeros(5)}, "its arrays do not fit the game"),
        ({"policy_bias": np.full(2, np.nan)}, "its arrays do not fit the game"),
        ({"scale": np.zeros(9)}, "its arrays do not fit the game"),
        ({"value_bias": np.array([object()])}, "it is no .npz file of plain arrays"),
    ],
)
def test_what_does_not_fit_is_refused(tmp_path, pig, changed, why):
    with pytest.raises(PlaymillError) as refused:
        seats_for(pig, 2, [saved(tmp_path, pig, **changed)])
    assert refused.value.text.en == f"the network {tmp_path / 'mine.npz'} cannot play: {why}"
    assert refused.value.text.ru.startswith(f"сеть {tmp_path / 'mine.npz'} играть не может: ")


def test_no_file_and_no_network_are_told_apart(tmp_path, pig, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "text.npz").write_text("no arrays")
    np.savez(tmp_path / "part.npz", game="pig", version=2)
    told = {
        "net:none.npz": "there is no file none.npz of a network",
        "net:": "there is no file . of a network",
        "net:text.npz": "the network text.npz cannot play: it is no .npz file of plain arrays",
        "net:part.npz": "the network part.npz cannot play: it lacks mixes",
    }
    from common.found import FOLDERS

    for spec, sentence in told.items():
        assert main(["simulate", str(FOLDERS["pig"]), "--games", "2", "--agents", spec]) == 2
        assert sentence in capsys.readouterr().err
