"""What every game tells a learner: a name for each number that is seen, and what can be won and lost."""

from __future__ import annotations

import re
from itertools import islice
from random import Random

import pytest

from common.found import EXAMPLES, GAMES, SHIPPED, game_of
from playmill import PlaymillError, State
from playmill.author import UNKNOWN
from playmill.engine.contract.game import game_from_package
from playmill.engine.contract.score_range import Stakes


def played(game, players, seed):
    """A game at random, position by position, to its end."""
    rng, state = Random(seed), State(game, players=players, seed=seed, interpreted=True)
    while not state.is_terminal():
        yield state
        state.apply_action(rng.choice(state.legal_actions()))
    yield state


@pytest.mark.parametrize("name", GAMES)
def test_names_that_are_fields_of_the_state_are_what_is_written_there(name):
    game = game_of(name)
    assert len(game.names) == game.observation == len(set(game.names))
    places = {}
    for place, told in enumerate(game.names):
        found = re.fullmatch(r"(\w+)(?:\[([\d, ]+)\])?", told)
        index = tuple(map(int, found[2].split(", "))) if found and found[2] else ()
        if found and found[1] in game.state.names and len(game.state[found[1]].shape) == len(index):
            places[place] = (found[1], index)
    wrong = dict.fromkeys(places, 0)
    positions = 0
    for state in islice(played(game, game.players[0], 3), 60):
        positions += 1
        seen = state.observation_tensor(max(state.current_player(), 0))
        for place, (field, index) in places.items():
            value = state.record[field][index] if index else state.record[field]
            wrong[place] += int(seen[place]) not in (-1, UNKNOWN, int(value))
    # What is hidden is -1 or UNKNOWN; what is seen otherwise now and then is so for a reason, but nothing is always.
    assert [game.names[place] for place, count in wrong.items() if count == positions] == []
    assert places or name not in (*SHIPPED, *EXAMPLES)


@pytest.mark.parametrize("name", GAMES)
def test_no_game_brings_more_or_less_than_its_stakes(name):
    game = game_of(name)
    players = game.players[1]
    stakes = game.stakes(game.config(), players)
    assert isinstance(stakes, Stakes)
    for seed in range(1 if name in SHIPPED else 3):
        *_, end = played(game, players, seed)
        paid = end.returns()
        assert all(stakes.least <= one <= stakes.most for one in paid)
        assert stakes.together is None or sum(paid) == pytest.approx(stakes.together)


def test_too_few_names_are_refused(monkeypatch):
    pig = game_of("pig")
    monkeypatch.setattr("pig.hidden.NAMES", ("player", "turns", "pot", "total", "total"))
    with pytest.raises(PlaymillError, match=r"NAMES of hidden\.py has 4 different names, and OBSERVATION is 5"):
        game_from_package("pig", pig.package)
