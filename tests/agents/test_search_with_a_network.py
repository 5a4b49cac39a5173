"""`search` that thinks with a network: it is read as it is played, asked instead of the heuristic, or refused."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from common.found import FOLDERS, game_of
from playmill import PlaymillError, State, simulate
from playmill.agents.agent_specs import parameters_of, seats_for
from playmill.agents.mixed_match import MixedMatch
from playmill.agents.networks import Network, network_table
from playmill.agents.search.search_agent import Thinker
from playmill.cli import main
from playmill.engine.contract.score_range import Stakes
from playmill.engine.kernels.network import MOST_LAYERS
from playmill.engine.run.match import Match
from playmill.lab.runs.resolved_plan import resolve_plan, with_setting

ROLL, HOLD = 0, 1


def arrays(game, *, likes=ROLL, value=0.5, layers=1):
    """A network that likes one action, and expects the same whatever it sees."""
    made = {
        "game": game.name,
        "version": game.version,
        "mixes": 0,
        "shift": np.zeros(game.observation),
        "scale": np.ones(game.observation),
        "policy_weight": np.zeros((4, game.actions)),
        "policy_bias": np.eye(game.actions)[likes],
        "value_weight": np.zeros((4, 1)),
        "value_bias": np.full(1, value),
    }
    for layer in range(layers):
        made[f"weight_{layer}"] = np.zeros((4 if layer else game.observation, 4))
        made[f"bias_{layer}"] = np.zeros(4)
    return made


def judging(game, **net):
    return Network(network_table(arrays(game, **net)), 1.0)


def thought(game, thoughts, **net):
    """What a thinker without a compiler thinks of the first decision of Pig, with a network."""
    thinker = Thinker(game, (thoughts,), judge=judging(game, **net), interpreted=True)
    state = State(game, seed=3, interpreted=True)
    thinker.think(state.workspace)
    return {option.action: option for option in thinker.weighed(state.workspace)}


def test_the_networks_favourite_is_tried_first(pig):
    assert thought(pig, 1, likes=ROLL)[ROLL].tries == 1
    assert thought(pig, 1, likes=HOLD)[HOLD].tries == 1


def test_what_the_player_to_move_expects_the_other_does_not(pig):
    # After holding it is the other's turn: what is left of one point is for whoever held.
    for value in (0.2, 0.8):
        assert thought(pig, 1, likes=HOLD, value=value)[HOLD].mean == pytest.approx(1 - value, abs=2**-14)


def test_a_game_that_ends_pays_what_it_pays(pig):
    won = pig.config().changed(["target=2"])
    thinker = Thinker(pig, (40,), judge=judging(pig, value=0.0), interpreted=True)
    state = State(pig, config=won, seed=3, interpreted=True)
    state.apply_action(ROLL)
    thinker.think(state.workspace)
    assert max(option.mean for option in thinker.weighed(state.workspace)) == 1.0


def test_with_a_horizon_it_judges_later(pig):
    judge = judging(pig, value=0.2)
    far = Thinker(pig, (20, 0, 10_000), judge=judge, interpreted=True)
    state = State(pig, seed=3, interpreted=True)
    far.think(state.workspace)
    ends = {option.mean * option.tries for option in far.weighed(state.workspace)}
    assert all(total == round(total) for total in ends), "played on to the end, a game pays 0 or 1"


@pytest.mark.parametrize(
    ("horizon", "decisions"), [(1, [10, 17, 14, 15, 19, 22, 22, 18]), (3, [10, 19, 22, 26, 27, 17, 19, 18])]
)
def test_the_same_games_are_played_as_ever(pig, horizon, decisions):
    agent = f"search:net={FOLDERS['pig'].parent / 'learning' / 'pig.npz'},iterations=20,horizon={horizon}"
    match = Match(pig, pig.config().changed(["target=30"]), 2, 7, (-1, -1), (0, 0), ((), ()))
    rows = MixedMatch(match, seats_for(pig, 2, [agent])).play(0, 8).rows
    assert rows["decisions"].tolist() == decisions, "a network is asked a decision sooner, or later"


def test_a_seat_is_found_again_from_anywhere_and_knows_the_file(tmp_path, pig, monkeypatch):
    np.savez(tmp_path / "mine.npz", **arrays(pig))
    monkeypatch.chdir(tmp_path)
    spec = "search:iterations=3,net=mine.npz"
    seat = seats_for(pig, 2, [spec])[0]
    assert (seat.name, seat.params[0], seat.thinks) == (spec, 3, True)
    assert seat.spec == f"search:net={tmp_path / 'mine.npz'},iterations=3"
    run = simulate(pig, games=1, seed=2, agents=[spec, "threshold"], backend="interpreted")
    assert run.games["decisions"][0] > 2

    def code():
        return resolve_plan(pig, agents=[spec, "threshold"]).plan.agents[0].code

    before = code()
    np.savez(tmp_path / "mine.npz", **arrays(pig, value=0.6))
    assert code() != before, "a run is not gone on with when the network has changed"


@pytest.mark.parametrize("name", ["a,b.npz", "iterations=5,horizon=2.npz"])
def test_a_file_may_have_commas_in_its_name(tmp_path, pig, name):
    np.savez(tmp_path / name, **arrays(pig))
    np.savez(tmp_path / name.partition(",")[0], **arrays(pig))
    (seat, other) = seats_for(pig, 2, [f"search:iterations=3,net={tmp_path / name},horizon=7", "search"])
    assert parameters_of(pig, seat) == parameters_of(pig, other) | {"iterations": 3, "horizon": 7}
    assert seats_for(pig, 2, [seat.spec, other.spec])[0].code == seat.code


def test_what_both_get_together_is_that_of_the_rules(tmp_path, pig):
    """A network has learned what one of them gets: the other gets the rest."""
    paid = replace(pig, stakes=lambda config, players: Stakes(0, config.target, config.target))
    np.savez(tmp_path / "mine.npz", **arrays(pig))
    agents = [f"search:net={tmp_path / 'mine.npz'}"]
    resolved = resolve_plan(paid, agents=agents, config={"target": 40})
    assert [seat.network.together for seat in resolved.seats] == [40, 40]
    changed = with_setting(resolved, paid.config().changed(["target=60"]))
    assert [seat.network.together for seat in changed.seats] == [60, 60]
    assert [seat.name for seat in changed.seats] == agents * 2


def test_what_cannot_be_thought_with_is_refused(tmp_path, pig, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    dimensions = game_of("dimensions")
    np.savez("deep.npz", **arrays(pig, layers=MOST_LAYERS + 1))
    np.savez("three.npz", **arrays(dimensions))
    np.savez("beyond.npz", **arrays(pig), marks=[(-1, 0)])
    told = [
        ("pig", "search:net=none.npz", "there is no file none.npz of a network"),
        ("pig", "search:net=", "there is no file . of a network"),
        (
            "pig",
            "search:net",
            "agent search: cannot read 'net'; expected key=value with one of: iterations, ms, horizon,",
        ),
        ("pig", "search:net=deep.npz", "the network deep.npz cannot play: it has more than 8 layers"),
        ("pig", "search:net=beyond.npz", "the network beyond.npz cannot play: its arrays do not fit the game"),
        ("pig", "search:net=three.npz", "the network three.npz cannot play: it was trained for dimensions/"),
        ("pig", "search:net=deep.npz,depth=2", "agent search: cannot read 'depth=2'; expected key=value with one of:"),
        (
            "dimensions",
            "search:net=three.npz",
            "search takes a network in games for one, or for two who always get the same together: dimensions for 3"
            " is none",
        ),
    ]
    for name, spec, sentence in told:
        game = {"pig": pig, "dimensions": dimensions}[name]
        with pytest.raises(PlaymillError) as refused:
            seats_for(game, game.players[0], [spec])
        assert refused.value.text.en.startswith(sentence)
        assert refused.value.text.ru != refused.value.text.en
    assert main(["simulate", "dimensions", "--games", "1", "--agents", "search:net=three.npz"]) == 2
    assert "search takes a network in games for one" in capsys.readouterr().err
