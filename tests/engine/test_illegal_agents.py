"""Compiled agents whose answer is not among their options: noticed, told in a sentence, and nothing of it is done."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import Any

import pytest

from playmill import CompiledAgent, Game, Parameter, PlaymillError, State, Text, load_game, rule, simulate
from playmill.agents.agent_specs import seats_for
from playmill.agents.mixed_match import MixedMatch
from playmill.engine.check.agent_games import play_agents
from playmill.engine.check.coverage import Coverage
from playmill.engine.check.decisions import check_choices
from playmill.engine.check.findings import CheckedGame, CheckError
from playmill.engine.compile.game_kernels import agent_numbers
from playmill.engine.run.backends import Cpu, Interpreted
from playmill.engine.run.match import Match


@rule
def constant(cfg: Any, s: Any, legal: Any, n: int, rng: Any, params: Any) -> int:
    """Answers with a number, whatever is asked."""
    return int(params.value[s.player, 0])


LIAR = CompiledAgent(
    constant, Text("lies", "врёт"), {"n": Parameter(0, -(10**9), 10**9, Text("answer", "ответ"))}, honest=True
)


@cache
def with_liar(name: str) -> Game:
    """A game in which anybody may sit down who answers with a number."""
    game = load_game(name)
    return replace(game, agents={**game.agents, "liar": LIAR})


def match_of(game: Game, answer: float) -> Match:
    """The liar sits in the last seat."""
    players = game.players[0]
    seats = (*(0,) * (players - 1), agent_numbers(game)["liar"])
    return Match(game, game.config(), players, 1, seats, (0,) * players, (*((),) * (players - 1), (answer,)))


@pytest.mark.parametrize("answer", [7, -1, 10**9])
@pytest.mark.parametrize("backend", [Cpu, Interpreted])
def test_an_answer_that_is_no_action_ends_the_run_strict_or_not(backend: type[Cpu], answer: int) -> None:
    for strict in (False, True):
        with pytest.raises(PlaymillError, match=f"agent liar, game 3, decision .*, seat 2: answered {answer}, which"):
            backend(match_of(with_liar("examples/pig"), answer), strict=strict, rotation=1, rotations=2).play(1, 5)


def test_strict_finds_an_action_that_is_not_legal_now() -> None:
    game = with_liar("save_oneself")
    match = match_of(game, game.actions - 1)
    with pytest.raises(
        PlaymillError, match=rf"agent liar, game 0, decision 1 .* answered {game.actions - 1}, which is"
    ):
        Interpreted(match, strict=True).play(0, 1)


def test_at_a_table_it_is_a_counted_fallback_or_the_end() -> None:
    game = with_liar("examples/pig")
    match = match_of(game, 9)
    seats = seats_for(game, 2, ["random", "liar:n=9"])
    chunk = MixedMatch(match, seats, interpreted=True).play(0, 2)
    assert chunk.games == 2
    with pytest.raises(PlaymillError, match="agent liar:n=9, game 0, decision roll or hold: answered 9"):
        MixedMatch(match, seats, interpreted=True, strict=True).play(0, 2)


def test_the_sentence_of_a_run_names_game_and_answer() -> None:
    with pytest.raises(PlaymillError, match=r"agent liar, game 0, decision 1 .*: answered 2, which is not among its 2"):
        simulate(with_liar("examples/pig"), games=4, agents=["liar:n=2", "random"], strict=True)


def test_check_says_what_it_answered() -> None:
    game = load_game("save_oneself")
    game = replace(game, agents={"liar": LIAR, **game.agents})
    state = State(game, interpreted=True)
    with pytest.raises(CheckError, match=r"the agent liar must choose legal actions \(it answered 0; legal are 1, 2\)"):
        check_choices(CheckedGame(game, game.config(), 1, 0), state, [1, 2])
    with pytest.raises(
        CheckError, match=r"the agent liar must choose legal actions \(agent liar, game 0, decision \d+ "
    ):
        list(play_agents(game, game.config(), 1, games=3, coverage=Coverage(game)))
