"""Ranges of observations: what games declare is never exceeded, and what exceeds it is told by its name."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from common.found import EXAMPLES, SHIPPED, game_of
from playmill import Batch, PlaymillError
from playmill.adapters.gymnasium import GameEnv, GameVectorEnv
from playmill.engine.contract.observed_range import check_declared, check_within, observed_ranges

#: Numbers of which rules allow any value, such as points that nobody has to stop collecting.
ANY = np.iinfo(np.int32)
#: So that games end within the test.
SHORT = {"influence": {"map": "small", "round_limit": 10}}


@pytest.mark.parametrize("name", [*SHIPPED, *EXAMPLES])
def test_no_observation_of_thousands_of_random_games_leaves_its_range(name):
    game = game_of(name)
    luck, ended = np.random.default_rng(5), 0
    config = game.config(**SHORT.get(name, {}))
    for players in {*game.players}:
        low, high = observed_ranges(game, config, players)
        assert (low <= high).all()
        # Of every number something is known, but for sums that rules leave open.
        unknown = (low == ANY.min) & (high == ANY.max)
        assert unknown.mean() < 0.25
        batch = Batch(game, 128, players=players, config=config, seed=5)
        for _ in range(500):
            check_within(game, batch.observations, low, high)
            over = batch.terminated
            if over.any():
                ended += int(over.sum())
                batch.reset_done()
            mask = batch.legal_action_mask
            batch.step(np.where(mask, luck.random(mask.shape), -1).argmax(axis=1))
    assert ended > 100


def test_ranges_follow_the_config_and_the_number_of_players():
    leduc, dimensions = game_of("leduc"), game_of("dimensions")
    paid = leduc.names.index("paid[0]")
    assert observed_ranges(leduc, leduc.config(), 2)[1][paid] == 13
    assert observed_ranges(leduc, leduc.config(ante=5), 2)[1][paid] == 17
    assert [observed_ranges(dimensions, dimensions.config(), n)[1][0] for n in (3, 5)] == [2, 4]


def test_fields_that_are_shown_lie_within_their_types_and_invariants():
    connect4 = replace(game_of("connect4"), observed={})
    low, high = observed_ranges(connect4, connect4.config(), 2)
    assert (low[0], high[0]) == (-1, 1)
    assert {(low[place], high[place]) for place in range(1, 45)} == {(-128, 127)}
    # A card that is hidden is -2, in whatever range the cards themselves are.
    kuhn = game_of("kuhn")
    low, _ = observed_ranges(kuhn, kuhn.config(), 2)
    assert low[kuhn.names.index("card[1]")] == -2


def test_a_number_beyond_its_range_is_told_by_name():
    leduc = replace(game_of("leduc"), observed={**game_of("leduc").observed, "rank": (-1, 1)})
    with pytest.raises(PlaymillError, match=r"leduc: rank\[[01]\] of an observation is 2, and was declared to lie in"):
        many = GameVectorEnv(leduc, 64, interpreted=True)
        many.reset(seed=1)
    with pytest.raises(PlaymillError, match="correct OBSERVED"):
        env = GameEnv(leduc, interpreted=True)
        for seed in range(20):
            env.reset(seed=seed)


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({"pots": (0, 1)}, "OBSERVED names 'pots', and no number of an observation is called so; did you mean 'pot'"),
        ({"pot": 3}, "expected names of numbers that are seen"),
        ({"pot": "pott"}, "or with the field of State that it shows"),
        ((1, 2), "OBSERVED is (1, 2)"),
    ],
)
def test_ranges_that_cannot_be_read_are_told(given, told):
    with pytest.raises(PlaymillError) as refused:
        check_declared("pig", ("player", "pot", "total[0]"), ("player", "pot"), given)
    assert told in refused.value.text.en
