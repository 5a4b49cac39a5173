"""Networks with a value for each seat, by which `search` judges; and `expert`, who plays by one that lies in a game."""

from __future__ import annotations

import json

import numpy as np
import pytest

from common.float_network import WIDTH, random_values
from common.found import FOLDERS, game_of
from playmill import PlaymillError, load_game, simulate
from playmill.agents import experts
from playmill.agents.agent_specs import parameters_of, seats_for
from playmill.agents.levels import levels_of, strongest
from playmill.agents.networks import network_table, read_use
from playmill.cli import main
from playmill.engine.kernels import network
from playmill.engine.lang.rule import interpreted
from playmill.lab.runs.resolved_plan import resolve_plan, with_setting
from playmill.web.agents.offered import offered_agents


def saved(folder, game, players, **changed):
    np.savez(folder / "mine.npz", **random_values(game, players, np.random.default_rng(3)) | changed)
    return folder / "mine.npz"


def test_every_seat_has_its_value(tmp_path):
    """Whole numbers against the floats they were made from."""
    game = game_of("dimensions")
    arrays = random_values(game, 3, np.random.default_rng(8))
    seen = np.random.default_rng(9).integers(0, 5, game.observation + 1).astype(np.int32)
    told = np.zeros(6)
    interpreted(network.expected_of_all)(network_table(arrays), seen, told)
    marks = np.array(arrays["marks"])
    inputs = np.concatenate([seen * arrays["scale"], seen[marks[:, 0]] >= marks[:, 1]])
    layer = np.maximum(inputs @ arrays["weight_0"] + arrays["bias_0"], 0)
    assert told[:3] == pytest.approx(layer @ arrays["value_weight"] + arrays["value_bias"], abs=1e-3)
    assert not told[3:].any()


@pytest.mark.parametrize(("name", "players"), [("leduc", 2), ("dimensions", 3)])
def test_search_judges_by_it_alike_interpreted_and_compiled(tmp_path, name, players):
    game = game_of(name)
    spec = f"search:net={saved(tmp_path, game, players)},iterations=6,horizon=2"
    agents = [spec, game.search.rollout, "random"][:players]
    runs = [
        simulate(game, games=3, seed=3, players=players, agents=agents, rotate=True, backend=backend)
        for backend in ("interpreted", "cpu")
    ]
    assert runs[0].games.equals(runs[1].games)


@pytest.mark.parametrize(
    ("changed", "why"),
    [
        ({}, "it has values alone; search:net={} takes it"),
        ({"seats": 3}, "its arrays do not fit the game"),
        ({"seats": -1}, "its arrays do not fit the game"),
        ({"value_bias": np.zeros(1)}, "its arrays do not fit the game"),
    ],
)
def test_what_cannot_play_is_refused(tmp_path, pig, changed, why):
    file = saved(tmp_path, pig, 2, **changed)
    with pytest.raises(PlaymillError) as refused:
        seats_for(pig, 2, [f"net:{file}"])
    assert refused.value.text.en == f"the network {file} cannot play: {why.format(file)}"
    assert refused.value.text.ru.startswith(f"сеть {file} играть не может: ")


def test_it_sits_down_with_as_many_as_it_knows(tmp_path):
    game = game_of("dimensions")
    file = saved(tmp_path, game, 3)
    with pytest.raises(PlaymillError) as refused:
        seats_for(game, 4, [f"search:net={file}"])
    assert refused.value.text == (
        f"the network {file} cannot play: it was trained for 3 players",
        f"сеть {file} играть не может: она обучена на 3 игроков",
    )


def test_the_expert_of_dimensions_searches_with_its_network():
    game = load_game("dimensions")
    seat = seats_for(game, 3, ["expert"])[0]
    assert (seat.name, seat.spec, seat.thinks) == ("expert", "expert", True)
    assert seat.network is not None and seat.code is not None
    assert parameters_of(game, seat)["iterations"] == 2000
    assert parameters_of(game, seats_for(game, 3, ["expert:iterations=50"])[0])["iterations"] == 50
    file = experts.folder_of(game) / experts.FILE
    assert file.stat().st_size < 500_000


@pytest.mark.parametrize(
    ("name", "players", "search"),
    [
        ("dimensions", 4, "search:iterations=1000"),
        ("grid", 2, "search:iterations=1000,horizon=30"),
        ("save_oneself", 1, "search:iterations=4000"),
    ],
)
def test_where_no_network_was_trained_the_expert_searches(name, players, search):
    seat = seats_for(load_game(name), players, ["expert"])[0]
    assert seat.name == "expert" and seat.thinks and seat.network is None
    assert seat.params == seats_for(load_game(name), players, [search])[0].params


@pytest.mark.parametrize(
    ("rows", "search"),
    [
        (["ww"], "search:iterations=2000,horizon=40"),
        (["w" * 18], "search:iterations=2000,horizon=40"),
        (["w" * 20] * 5, "search:iterations=217,horizon=368"),
    ],
)
def test_the_expert_of_influence_looks_further_ahead_on_a_larger_map(rows, search):
    game = load_game("influence")
    config = game.config().changed([f"map={json.dumps({'name': 'field', 'rows': rows})}"])
    assert experts.expert_spec(game, 2, config) == search
    assert levels_of(game, config)[-1].agent == search
    assert seats_for(game, 2, ["expert"], config)[0].params == seats_for(game, 2, [search])[0].params


def test_the_expert_of_plain_dice_plays_as_it_is_solved():
    dice = load_game("dice")
    assert seats_for(dice, 2, ["expert"])[0].number == seats_for(dice, 2, ["optimal"])[0].number
    content = dice.config().changed(["kit=tavern"])
    seat = seats_for(dice, 2, ["expert"], content)[0]
    assert seat.thinks, "optimal knows nothing of a kit"
    with pytest.raises(PlaymillError):
        simulate(dice, games=1, agents=["optimal"], config=content)
    assert len(simulate(dice, games=1, agents=["expert:iterations=2", "random"], config=content).games) == 1


def test_by_other_rules_the_expert_plays_without_a_network_that_never_saw_them():
    game = load_game("dimensions")
    other = game.config().changed(["yellow_goal=4"])
    assert seats_for(game, 3, ["expert"], game.config())[0].network is not None
    seat = seats_for(game, 3, ["expert"], other)[0]
    assert seat.network is None and parameters_of(game, seat)["iterations"] == 1000
    assert resolve_plan(game, players=3, agents="expert", set=["yellow_goal=4"]).seats[0].network is None
    usual = resolve_plan(game, players=3, agents="expert:iterations=7")
    assert usual.seats[0].network is not None
    changed = with_setting(usual, other)
    assert {(one.network, one.params[0], one.name) for one in changed.seats} == {(None, 7, "expert:iterations=7")}
    assert all(one.network is not None for one in with_setting(changed, game.config()).seats)


@pytest.mark.parametrize(
    ("settings", "over", "covered"),
    [("{}", (), "usual"), ('{"target": 50}', (), "changed"), ("{}", ("target",), "both")],
)
def test_a_file_says_by_which_rules_it_has_learned(tmp_path, pig, settings, over, covered):
    use = read_use(saved(tmp_path, pig, 2, settings=settings, over=np.array(over, str)), "mine.npz")
    for name, config in (("usual", pig.config()), ("changed", pig.config().changed(["target=50"]))):
        assert use.covers(config) == (covered in (name, "both"))


def test_the_expert_is_the_strongest_where_it_is_more_than_the_usual_search(pig):
    dimensions, grid = load_game("dimensions"), load_game("grid")
    assert strongest(dimensions) == levels_of(dimensions)[-1].agent == "expert"
    assert strongest(grid) == levels_of(grid)[-1].agent == "expert", "its search looks further ahead"
    assert strongest(pig) == levels_of(pig)[-1].agent == "search:iterations=100"
    offered = offered_agents(dimensions)["expert"]
    assert (offered.name.en, offered.name.ru) == ("expert", "мастер")
    assert strongest(load_game("dice")) == "expert" and levels_of(load_game("dice"))[-1].agent == "optimal"
    assert "expert" in offered_agents(grid) and "expert" not in offered_agents(pig)


def test_an_author_puts_a_network_into_the_folder(tmp_path, capsys):
    """A policy plays alone; what `plays` says is done with it else."""
    folder = tmp_path / "trained_pig"
    folder.mkdir()
    for file in FOLDERS["pig"].glob("*.py"):
        (folder / file.name).write_bytes(file.read_bytes())
    game = load_game(str(folder))
    assert not experts.has_expert(game)
    policy = {"policy_weight": np.zeros((WIDTH, game.actions)), "policy_bias": np.zeros(game.actions)}
    np.savez(folder / experts.FILE, **random_values(game, 2, np.random.default_rng(1)) | policy)
    assert seats_for(game, 2, ["expert"])[0].compiled
    values = random_values(game, 2, np.random.default_rng(1))
    usual = parameters_of(game, seats_for(game, 2, ["search"])[0])["iterations"]
    for plays, iterations in (("search:iterations=7", 7), ("search", usual)):
        np.savez(folder / experts.FILE, **values | {"plays": plays})
        seat = seats_for(game, 2, ["expert"])[0]
        assert seat.thinks and parameters_of(game, seat)["iterations"] == iterations
    np.savez(folder / experts.FILE, **values | {"plays": "sreach:iterations=7"})
    with pytest.raises(PlaymillError, match="its array `plays` says 'sreach:iterations=7'; expected search:"):
        seats_for(game, 2, ["expert"])
    np.savez(folder / experts.FILE, **values | {"plays": "search:iterations=7"})
    assert main(["agents", str(folder)]) == 0
    assert "expert" in capsys.readouterr().out
    (folder / experts.FILE).write_text("no arrays")
    with pytest.raises(PlaymillError, match=r"expert\.npz cannot play: it is no \.npz file"):
        seats_for(game, 2, ["expert"])
