"""The account of every finished game: line by line it comes to what the rules say, for every eye."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from common.effort import share
from common.interpreter import concealed, opened, play, rule_of
from common.language import both
from common.stock import Stock, stock_of
from playmill.engine.config.model import RuleConfig
from playmill.engine.contract.score_lines import Line, LineKind
from playmill.engine.lang.record import plain
from playmill.engine.lang.rule import interpreted

#: Where the outcome of a game keeps what its account comes to; what is not there is no total of it.
COMES_TO = {
    "dimensions": "cards",
    "dice": "total",
    "grid": "vp",
    "influence": "result",
    "pig": "total",
    "save_oneself": "score",
}
#: Changes under which random games come to their end soon, and to every kind of end.
SOON = {
    "influence": (["map=small", "round_limit=3"], ["map=small", "round_limit=30", "result_rounds=3"]),
    "dice": (["target_score=600"], ["max_turns=4"]),
    "pig": (["target=20"], ["max_turns=5"]),
}


def account(stock: Stock, config: RuleConfig, s: np.void) -> list[Line]:
    lines: list[Line] = stock.game.words.counting(config, s)
    return lines


def outcome(stock: Stock, config: RuleConfig, players: int, s: np.void) -> Any:
    row = plain(np.zeros(1, stock.game.outcome))[0]
    rule_of(stock.game, "outcome")(plain(config.pack(players))[0], opened(stock.game, s)[1], row)
    return row


def returned(stock: Stock, config: RuleConfig, players: int, s: np.void) -> list[float]:
    out = np.zeros(8)
    interpreted(stock.game.rules["returns"])(plain(config.pack(players))[0], opened(stock.game, s)[1], out)
    return out[:players].tolist()


def ends(stock: Stock) -> Iterator[tuple[RuleConfig, int, np.void]]:
    for config, players, steps in stock.played:
        if steps and steps[-1][3]["player"] < 0:
            yield config, players, steps[-1][3]


def check(stock: Stock, config: RuleConfig, players: int, s: np.void) -> None:
    """Parts come to their totals, totals to the outcome, and the best total has won where totals decide."""
    lines = account(stock, config, s)
    assert all(len(line.values) == players for line in lines)
    sums = [0] * players
    totals = [line for line in lines if line.kind is LineKind.TOTAL]
    assert len(totals) <= 1
    for line in lines:
        if line.kind is LineKind.PART:
            sums = [so_far + (value or 0) for so_far, value in zip(sums, line.values, strict=True)]
        elif line.kind is LineKind.TOTAL and lines[0].kind is LineKind.PART:
            assert sums == [value or 0 for value in line.values], lines
    kept = np.atleast_1d(np.asarray(getattr(outcome(stock, config, players, s), COMES_TO[stock.name])))[:players]
    for line in totals:
        assert [value for value in line.values if value is not None] == [
            int(value) for value, mine in zip(kept, line.values, strict=True) if mine is not None
        ]
        if stock.name in ("grid", "influence"):
            best = max(value for value in line.values if value is not None)
            won = [value == best for value in line.values]
            returns = returned(stock, config, players, s)
            if sum(won) == 1 or stock.name == "grid":
                assert [value > 0 for value in returns] == won
            else:  # an equal best result is a draw of all who are on the field
                assert len({value for value in returns if value > 0}) == 1


@pytest.fixture(params=COMES_TO, scope="module")
def counted(request: pytest.FixtureRequest) -> Stock:
    """A game that has an account."""
    return stock_of(request.param)


def test_games_with_an_account_are_known(stock: Stock) -> None:
    assert (stock.game.words.counting is not None) == (stock.name in COMES_TO)


def test_every_game_of_ours_has_an_account(shipped: Stock) -> None:
    assert shipped.game.words.counting is not None


def test_the_account_comes_to_what_the_rules_say(counted: Stock) -> None:
    found = list(ends(counted))
    assert found
    for config, players, s in found[:60]:
        check(counted, config, players, s)


@given(seed=st.integers(0, 2**31), kind=st.integers(0, 1))
@settings(deadline=None, max_examples=share(12))
def test_the_account_of_any_random_game_comes_to_what_the_rules_say(counted: Stock, seed: int, kind: int) -> None:
    changes = SOON.get(counted.name, ([], []))[kind]
    config = counted.game.config().changed(changes) if changes else counted.game.config()
    low, high = counted.game.players
    players = low + seed % (high - low + 1)
    last = play(counted.game, config, players, seed, most=2_000).steps[-1][3]
    if last["player"] < 0:
        check(counted, config, players, last)


def test_the_account_is_the_same_for_every_eye(counted: Stock) -> None:
    for number, (config, players, s) in enumerate(list(ends(counted))[:20]):
        told = account(counted, config, s)
        for player in range(players):
            assert account(counted, config, concealed(counted.game, config, players, s, player, number)) == told


def test_the_account_is_told_in_both_languages(counted: Stock) -> None:
    for config, _, s in list(ends(counted))[:20]:
        for line in account(counted, config, s):
            if line.name.en != "SOS":
                both(line.name)
            assert line.name.en[0].isupper() and line.name.ru.lstrip("«")[0].isupper(), line.name


def test_at_the_limit_the_results_are_told_turn_by_turn() -> None:
    from common.stock import stock_of

    stock = stock_of("influence")
    config = stock.game.config().changed(["map=small", "round_limit=6", "result_rounds=4"])
    s = play(stock.game, config, 2, 3).steps[-1][3]
    lines = account(stock, config, s)
    assert s["ended_by_limit"] and [line.kind for line in lines[:5]] == [LineKind.PART] * 4 + [LineKind.TOTAL]
    assert lines[0].name.en == "Turn −3" and lines[3].name.ru == "Последний ход"
