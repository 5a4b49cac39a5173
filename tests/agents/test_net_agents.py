"""Networks in files: played by whole numbers, alike everywhere, and refused with a sentence when they do not fit."""

from __future__ import annotations

import numpy as np
import pytest

from common.float_network import FloatNetwork, trained
from common.found import FOLDERS, game_of
from playmill import Batch, PlaymillError, State, simulate, tournament
from playmill.agents.agent_specs import seats_for
from playmill.agents.networks import network_table
from playmill.cli import main
from playmill.engine.kernels import network, network_cuda
from playmill.engine.lang.record import plain
from playmill.engine.lang.rng import AgentRng, seed_agent_rng
from playmill.engine.lang.rule import Interpreter, interpreted
from playmill.lab.audit.playouts import PlayOuts


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


def outputs(table, seen, run=interpreted):
    """What a network of whole numbers says about an observation: the value, and what it likes, in units."""
    neurons = np.zeros(2 * network.MOST_WIDTH)
    now = run(network.run_layers)(table, seen, neurons)
    count = (len(table) - int(table[network.OUTPUTS])) // (int(table[network.WIDTH]) + 1)
    told = [interpreted(network.output)(table, number, neurons, now) for number in range(count)]
    return np.array(told) * table[network.TO_UNITS]


def test_two_neurons_worked_by_hand(pig):
    # Seen 3 and 4: 0.5 · 3 - 0.25 · 4 + 1.5 = 2 and -1, which is rectified; and from 4 on a mark adds 0.125.
    seen = np.zeros(pig.observation, np.int32)
    seen[:2] = 3, 4
    weight = np.zeros((pig.observation + 2, 2))
    weight[0, 0], weight[1, 0], weight[1, 1], weight[-2, 0], weight[-1, 0] = 0.5, -0.25, -0.25, 0.125, 16
    made = arrays(
        pig,
        weight_0=weight,
        bias_0=np.array([1.5, 0]),
        marks=[(1, 4), (1, 5)],
        policy_weight=np.array([[1, -0.5], [8, 8]]),
        policy_bias=np.array([0, 0.25]),
        value_weight=np.array([[0.25], [64]]),
    )
    assert outputs(network_table(made), seen).tolist() == [2.125 / 4, 2.125, 0.25 - 2.125 / 2]


@pytest.mark.parametrize(
    "thresholds",
    [(), (1,), (3, 4, 6), (-2, 0, 5), (-3,), (2, 2), (-1000, -3, 40, 1 << 19), ((1 << 20) - 3, 1 << 20), (1 << 21,)],
)
@pytest.mark.parametrize("weight", [0.0, 0.25, -1.5])
def test_a_number_adds_what_its_line_and_its_marks_add(pig, thresholds, weight):
    # Multiples of 2^-12 and sums that are not rectified: the floats are exact, too.
    marks = np.array([(1, least) for least in thresholds]).reshape(-1, 2)
    row = np.zeros((pig.observation + len(thresholds), 1))
    row[1], row[pig.observation :, 0] = weight, 0.5 ** np.arange(2, 2 + len(thresholds))
    made = arrays(
        pig,
        marks=marks[::-1],
        weight_0=np.concatenate([row[: pig.observation], row[: pig.observation - 1 : -1]]),
        bias_0=[2000],
        policy_weight=[[1, 0]],
        value_weight=[[0]],
    )
    table, seen = network_table(made), np.zeros(pig.observation, np.int32)
    for value in (-1001, -1000, -999, -4, -3, -2, -1, 0, 1, 2, 3, 4, 5, 6, 7, 39, 40, 41, 1000):
        seen[1] = value
        policy, _ = FloatNetwork(made).evaluate(seen)
        assert outputs(table, seen)[1] == policy[0], value


def test_a_number_beyond_all_that_counts_is_taken_for_the_most_that_does(pig):
    seen = np.zeros(pig.observation, np.int32)
    made = arrays(pig, weight_0=np.eye(pig.observation)[:, :1] / 1024, bias_0=[0], policy_weight=[[1, 0]])
    table = network_table(made | {"value_weight": [[0]]})
    seen[0] = network.MOST_SEEN + 5
    assert outputs(table, seen)[1] == network.MOST_SEEN / 1024


@pytest.mark.parametrize("name", ["pig", "leduc", "influence"])
def test_whole_numbers_say_what_the_floats_say(name):
    arrays_of, luck = trained(name), np.random.default_rng(1)
    game, table = game_of(name), network_table(arrays_of)
    usual = arrays_of["shift"] + luck.normal(size=(5, game.observation)) / np.maximum(arrays_of["scale"], 0.1)
    for seen in usual.astype(np.int32):
        policy, value = FloatNetwork(arrays_of).evaluate(seen)
        told = outputs(table, seen)
        assert told[0] == pytest.approx(value, abs=5e-3)
        assert np.abs(told[1:] - policy).max() < 0.01 * max(1.0, np.abs(policy).max())


@pytest.mark.parametrize(
    ("name", "first", "second"), [("pig", 1, 1), ("pig", 24, 8), ("influence", 8, 40), ("influence", 30, 16)]
)
def test_the_gpu_adds_up_the_same_sums(name, first, second):
    game, luck = game_of(name), np.random.default_rng(first)
    on_device = Interpreter({rule: interpreted(other) for rule, other in network_cuda.ON_DEVICE.items()})
    made = guessing(game, luck, mixes=0, width=first, behind=second)
    for seen in luck.integers(-9, 200, (2, game.observation)) * luck.integers(0, 2, (2, game.observation)):
        table = network_table(made)
        assert outputs(table, seen, on_device.twin).tolist() == outputs(table, seen).tolist()


def guessing(game, luck, *, mixes, width=24, behind=8):
    """A network of random weights that plays as if it knew something."""
    marks = [(place, threshold) for place in range(0, game.observation, 3) for threshold in (1, 3)]

    def weights(*shape):
        return (luck.normal(size=shape) / shape[0] ** 0.5).astype(np.float32)

    return arrays(
        game,
        mixes=mixes,
        marks=marks,
        scale=np.full(game.observation, 0.25),
        weight_0=weights(game.observation + len(marks), width),
        bias_0=weights(width),
        weight_1=weights(width, behind),
        bias_1=weights(behind),
        policy_weight=weights(behind, game.actions),
        policy_bias=weights(game.actions),
        value_weight=weights(behind, 1),
    )


@pytest.mark.parametrize("mixes", [0, 1])
@pytest.mark.parametrize("name", ["leduc", "dice", "save_oneself", "dimensions"])
def test_interpreted_and_compiled_play_the_same(tmp_path, name, mixes):
    game, luck = game_of(name), np.random.default_rng(5)
    np.savez(tmp_path / "mine.npz", **guessing(game, luck, mixes=mixes))
    np.savez(tmp_path / "other.npz", **guessing(game, luck, mixes=1 - mixes))
    several = game.players[1] > 1
    agents = (
        [f"net:{tmp_path}/mine.npz", f"net:{tmp_path}/other.npz", "random"] if several else [f"net:{tmp_path}/mine.npz"]
    )
    players = max(game.players[0], min(3, game.players[1]))
    runs = [
        simulate(game, games=6, seed=3, players=players, agents=agents[:players], rotate=several, backend=backend)
        for backend in ("interpreted", "cpu")
    ]
    assert runs[0].games.equals(runs[1].games)


@pytest.mark.parametrize("name", ["dice", "dimensions", "save_oneself"])
def test_whoever_only_takes_hints_plays_as_the_heuristic(tmp_path, name):
    game = game_of(name)
    hinted = saved(tmp_path, game, hint_weight=np.zeros((4, 1)), hint_bias=np.ones(1))
    for backend, games in (("interpreted", 2), ("cpu", 40)):
        runs = [
            simulate(game, games=games, seed=6, agents=[one], backend=backend) for one in (hinted, game.search.rollout)
        ]
        assert runs[0].games.equals(runs[1].games)


def test_a_hint_counts_as_much_as_is_added_to_it(tmp_path):
    """Likes one option by 1, and the other, which the heuristic hints at, by what is added for a hint."""
    game = game_of("dice")
    state = State(game, seed=2, interpreted=True)
    hint = state.clone().choice_of(list(game.agents).index(game.search.rollout))
    other = next(action for action in state.legal_actions() if action != hint)
    for bias, chosen in ((0.99, other), (1.01, hint)):
        likes = {"policy_bias": np.eye(game.actions)[other], "hint_weight": np.zeros((4, 1)), "hint_bias": [bias]}
        seat = seats_for(game, 2, [saved(tmp_path, game, **likes)])[0]
        assert state.clone().choice_of(seat.number, seat.params, seat.table) == chosen


def test_it_draws_as_often_as_its_chances_say(pig):
    """Four options that are worth 0, -0.5, -2 and -20: against the softmax, 20,000 draws."""
    table = network_table(
        arrays(pig, mixes=1, policy_weight=np.zeros((4, 4)), policy_bias=np.array([0, -0.5, -2, -20]))
    )
    drawn, rng = interpreted(network.drawn), plain(np.zeros(1, AgentRng))[0]
    interpreted(seed_agent_rng)(rng, 7, 0)
    counts, seen, likes = np.zeros(4), np.zeros(pig.observation, np.int32), np.zeros(4)
    for _ in range(20_000):
        counts[drawn(table, seen, [0, 1, 2, 3], 4, -1, likes, rng, 0)] += 1
    chances = np.exp([0, -0.5, -2, -20])
    chances /= chances.sum()
    assert counts[3] == 0
    assert (((counts - 20_000 * chances) ** 2 / (20_000 * chances))[:3].sum()) < 16, "chi-square with 2 degrees"


def test_it_plays_wherever_compiled_agents_do(tmp_path, monkeypatch):
    """A batch, a tournament, play-outs of an audit and a game that is told: the same agent, the same answers."""
    leduc = game_of("leduc")
    np.savez(tmp_path / "mine.npz", **guessing(leduc, np.random.default_rng(2), mixes=0))
    spec = f"net:{tmp_path}/mine.npz"
    seat, plain_seat = (seats_for(leduc, 2, [one])[0] for one in (spec, "plain"))
    assert seat.compiled and seat.table is not None
    state = State(leduc, seed=4, interpreted=True)
    chosen = state.choice_of(seat.number, seat.params, seat.table)
    assert chosen in state.legal_actions()
    batch = Batch(leduc, 8, seed=4, seats=[seat, plain_seat], interpreted=True)
    assert batch.terminated.all(), "nobody is asked from outside"
    run = tournament(leduc, [f"mine={spec}", "plain"], deals=4, seed=1)
    assert {rung.name for rung in run.ladder} == {"mine", "plain"}
    shares = PlayOuts(leduc, agent=spec, interpreted=True).shares([state.record], range(4))
    assert shares is not None


def test_a_seat_finds_it_again_from_anywhere_and_knows_its_content(tmp_path, pig, monkeypatch):
    saved(tmp_path, pig)
    monkeypatch.chdir(tmp_path)
    seat = seats_for(pig, 2, ["net:mine.npz"])[0]
    assert (seat.name, seat.spec) == ("net:mine.npz", f"net:{tmp_path / 'mine.npz'}")
    assert seat.code is not None and seat.compiled


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize(
    ("changed", "why"),
    [
        ({"game": "chess"}, "it was trained for chess/2, not for pig/2"),
        ({"version": 99}, "it was trained for pig/99, not for pig/2"),
        ({"policy_bias": np.zeros(5)}, "its arrays do not fit the game"),
        ({"policy_bias": np.full(2, np.nan)}, "its arrays do not fit the game"),
        ({"scale": np.zeros(9)}, "its arrays do not fit the game"),
        ({"marks": [3]}, "its arrays do not fit the game"),
        ({"marks": [(9, 1)]}, "its arrays do not fit the game"),
        ({"bias_0": np.zeros(0), "weight_0": np.zeros((5, 0))}, "its arrays do not fit the game"),
        ({"bias_0": np.full(4, 1e15)}, "its weights are too large"),
        ({"scale": np.full(5, 1e300), "weight_0": np.full((5, 4), 1e300)}, "its weights are too large"),
        ({"hint_weight": np.zeros((3, 1)), "hint_bias": np.zeros(1)}, "its arrays do not fit the game"),
        ({"hint_weight": np.zeros((4, 1))}, "its arrays do not fit the game"),
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
    for spec, sentence in told.items():
        assert main(["simulate", str(FOLDERS["pig"]), "--games", "2", "--agents", spec]) == 2
        assert sentence in capsys.readouterr().err
