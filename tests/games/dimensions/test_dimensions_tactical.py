"""`tactical` and `strategic`: what they do in made positions, that neither peeks, and how the dealer is beaten."""

from __future__ import annotations

import numpy as np
import pytest
from dimensions_position import SEED, Position, deal, position

from playmill import Game
from playmill.engine.compile.game_kernels import agent_numbers, workspace_type
from playmill.engine.compile.play_kernels import kernels_of
from playmill.engine.lang.record import plain
from playmill.engine.lang.rng import SEATS, AgentRng, seed_agent_rng
from playmill.engine.lang.rule import interpreted
from playmill.engine.run.lookup_tables import NO_LOOKUP_TABLES
from playmill.games.dimensions.actions import FACTIONS
from playmill.games.dimensions.agents import AGENTS

_AGENTS = {name: interpreted(AGENTS[name].choose) for name in ("tactical", "strategic")}
_seed_agent_rng = interpreted(seed_agent_rng)
_PARAMS = plain(np.zeros(1, np.dtype([("value", np.float64, (SEATS, 8))])))[0]
DECK = "R R R R G G G G Y Y Y Y P P P P"


def choose(game: Position, seed: int = SEED, agent: str = "tactical") -> str:
    """What the agent to move chooses."""
    agent_rng = plain(np.zeros(1, AgentRng))[0]
    _seed_agent_rng(agent_rng, seed, 0)
    legal = game.legal_ids()
    before = game.source.copy()
    action = _AGENTS[agent](game.cfg, game.s, game.options, len(legal), agent_rng, _PARAMS)
    assert action in legal
    assert game.source == before, "an agent leaves the state as it was"
    return game.text(action)


def choices(game: Position, agent: str = "tactical") -> set[str]:
    """What it chooses with different luck."""
    return {choose(game, seed, agent) for seed in range(20)}


# It takes its instant win


@pytest.mark.parametrize("active", range(3))
def test_green_puts_the_fifth_card(active: int) -> None:
    entities = "".join("GYP"[(seat - active) % 3] for seat in range(3))
    table = ["Y", "P", "R"]
    table[(active + 1) % 3] = "G G G G"
    hands = ["R R"] * 3
    hands[active] = "G P R"
    game = position("reinforce", entities=entities, active=active, hands=hands, table=table, deck=DECK)
    assert choices(game) == {f"put G {(active + 1) % 3}"}


def test_green_moves_the_fifth_card() -> None:
    game = position("move", hands=["R", "R", "R"], table=["Y Y", "G G G G", "G P"], deck=DECK)
    assert choices(game) == {"move G 2 1"}


def test_green_puts_the_fourth_card_when_a_move_will_bring_the_fifth() -> None:
    game = position("reinforce", hands=["G R Y", "R", "R"], table=["Y Y", "G G G", "G P"], deck=DECK)
    assert choices(game) <= {"put G 1", "put G 2"} and "put G 1" in choices(game)


def test_green_joins_two_squads_by_a_wormhole() -> None:
    game = position("move", hands=["wormhole", "R", "R"], table=["Y Y", "G G G", "G G P"], deck=DECK)
    assert choices(game) <= {"wormhole G 1 2", "wormhole G 2 1"}


def test_yellow_covers_the_last_dimension() -> None:
    game = position("reinforce", entities="YGP", hands=["Y R", "R", "R"], table=["Y Y", "Y Y", "P"], deck=DECK)
    assert choices(game) == {"put Y 2"}
    game = position("move", entities="YGP", hands=["R", "R", "R"], table=["Y Y", "Y Y Y", "P"], deck=DECK)
    assert choices(game) <= {"move Y 0 2", "move Y 1 2"}


def test_blue_makes_the_exact_sum() -> None:
    game = position("reinforce", entities="BGP", hands=["B2 B13 B17", "R", "R"], table=["B11", "B29", ""], deck=DECK)
    assert choices(game) == {"put B13 1"}


def test_blue_takes_away_what_is_too_much() -> None:
    game = position("move", entities="BGP", hands=["R", "R", "R"], table=["B3 B13 B29", "R", "B23"], deck=DECK)
    assert choices(game) <= {"move B3 0 1", "move B3 0 2"}


def test_battle_keeps_the_card_that_wins_in_the_same_turn() -> None:
    game = position("battle", hands=["G R", "R", "R"], table=["Y", "G G G G", "P"], deck=DECK)
    assert choices(game) == {"play R"}
    game = position("battle", entities="BGP", hands=["B13 B2", "R", "R"], table=["B29", "", ""], deck=DECK)
    assert choices(game) == {"play B2"}


# It breaks a rival's


def test_it_breaks_a_green_squad_that_is_one_move_away() -> None:
    game = position("move", entities="RGP", captain=0, hands=["P", "R", "R"], table=["R", "G G G G", "G"], deck=DECK)
    after = choices(game)
    assert all(text.startswith("move G 1 ") for text in after)


def test_it_attacks_a_green_squad_of_four() -> None:
    game = position(
        "attack", entities="RGP", captain=0, hands=["P", "R", "R"], table=["R P G G G G", "", ""], deck=DECK
    )
    assert choices(game) == {"attack R G"}


def test_black_hole_takes_the_squad_that_would_win() -> None:
    game = position(
        "move", entities="RGP", hands=["black_hole", "R", "R"], table=["R R", "G G G G", "G P P P"], deck=DECK
    )
    assert choices(game) == {"black_hole G 1"}


def test_it_never_puts_a_rivals_winning_card() -> None:
    game = position("reinforce", entities="RGP", captain=0, hands=["G", "R", "R"], table=["", "G G G G", ""], deck=DECK)
    assert "put G 1" not in choices(game)


# Attacks


def test_it_strikes_the_leader() -> None:
    game = position(
        "attack", entities="GYR", captain=2, hands=["P", "R", "R"], table=["G G G Y R", "", "R R R"], deck=DECK
    )
    assert choices(game) == {"attack G R"}


def test_it_never_attacks_its_own_colour() -> None:
    game = position("attack", hands=["P", "R", "R"], spiral="RYGBP", table=["G R R R B2", "", ""], deck=DECK)
    assert any(text.endswith(" G") for text in game.legal())
    assert choices(game) == {"hold"}


def test_purple_makes_auras_even_of_cards_nobody_plays_for() -> None:
    game = position("attack", entities="PGY", hands=["P", "R", "R"], table=["P P R", "", ""], deck=DECK)
    assert choices(game) == {"attack P R"}


def test_others_make_no_auras_for_a_purple_rival() -> None:
    game = position("attack", entities="GYP", hands=["P", "R", "R"], table=["P P R", "", ""], deck=DECK)
    assert choices(game) == {"hold"}


def test_it_brings_a_victim_to_its_own_squad() -> None:
    game = position("move", entities="GYP", hands=["R", "R", "R"], table=["G G", "Y Y Y", "P"], deck=DECK)
    assert choices(game) == {"move Y 1 0"}


# The Captain and the anomalies


def test_red_places_the_captain_early_and_at_home() -> None:
    for hand in ("R G Y P", "G Y P P", "R R R R"):
        game = position("reinforce", entities="GRY", active=1, hands=["R", hand, "R"], table=["G", "", "Y"], deck=DECK)
        assert choices(game) == {"put captain 1"}


def test_time_loop_is_played_unless_the_turn_is_final() -> None:
    game = position("move", hands=["time_loop", "R", "R"], table=["G", "Y Y", "P P"], deck=DECK)
    assert choices(game) == {"time_loop"}
    game = position("move", hands=["time_loop", "R", "R"], table=["G", "Y Y", "P P"], final=True, last_taker=0)
    assert "time_loop" not in choices(game)


def test_big_bang_is_for_who_is_behind_in_the_final_turn() -> None:
    pile = "R R R R R G G G Y Y P P"
    game = position(
        "move", hands=["big_bang", "R", "R"], table=["", "Y Y Y", "P P P"], pile=pile, final=True, last_taker=0
    )
    assert choices(game) == {"big_bang"}
    game = position(
        "move", hands=["big_bang", "R", "R"], table=["G G G G", "Y", "P"], pile=pile, final=True, last_taker=0
    )
    assert "big_bang" not in choices(game)


# Strategic: battles with the next reinforcement in mind


@pytest.mark.parametrize(("hand", "spent"), [("G G P", "play P"), ("G G R", "play R")])
def test_strategic_keeps_its_colour_for_the_reinforcement(hand: str, spent: str) -> None:
    game = position("battle", hands=[hand, "R", "R"], table=["G G", "Y Y", "P P"], deck=DECK)
    assert choices(game) == {"play G"}
    assert choices(game, "strategic") == {spent}


def test_strategic_keeps_nothing_for_a_turn_it_will_not_have() -> None:
    hands, table = ["R", "G G R", "R"], ["Y", "G G", "P P"]
    game = position("battle", entities="YGP", active=0, hands=hands, table=table, final=True, last_taker=0)
    assert game.s.player == 0
    game.do("play R")
    assert choose(game, agent="strategic") == choose(game) == "play G"


def test_strategic_acts_like_tactical_where_no_card_of_the_hand_matters() -> None:
    game = position("move", hands=["R", "R", "R"], table=["Y Y", "G G G G", "G P"], deck=DECK)
    assert choices(game, "strategic") == choices(game) == {"move G 2 1"}
    game = position("attack", hands=["P", "R", "R"], spiral="RYGBP", table=["G R R R B2", "", ""], deck=DECK)
    assert choices(game, "strategic") == choices(game) == {"hold"}


# Honesty


@pytest.mark.parametrize("players", [3, 4, 5])
@pytest.mark.parametrize("mode", ["epic", "baseline"])
def test_strategic_does_not_depend_on_what_it_cannot_see(mode: str, players: int) -> None:
    game = deal(7, players=players, mode=mode, anomalies_in_deck=3)
    for decision in range(40):
        if game.s.player < 0:
            break
        options = game.legal_ids()
        text = game.text(options[0])
        if len(options) > 1:
            text = choose(game, decision, "strategic")
            assert choose(game.again(107).conceal(game.s.player), decision, "strategic") == text
        game.do(text)


@pytest.mark.parametrize("players", [3, 4, 5])
@pytest.mark.parametrize("mode", ["epic", "baseline"])
def test_its_choice_does_not_depend_on_what_it_cannot_see(mode: str, players: int) -> None:
    for number in range(3):
        game = deal(number, players=players, mode=mode, anomalies_in_deck=3)
        decisions = 0
        while game.s.player >= 0 and decisions < 60:
            options = game.legal_ids()
            text = game.text(options[0])
            if len(options) > 1:
                text = choose(game, decisions)
                assert choose(game.again(number + 100).conceal(game.s.player), decisions) == text
            game.do(text)
            decisions += 1


# Strength


@pytest.mark.parametrize("players", [3, 4, 5])
@pytest.mark.parametrize("mode", ["epic", "baseline"])
def test_every_faction_wins_far_more_often_than_with_the_dealer(dimensions: Game, mode: str, players: int) -> None:
    games = 4000
    tactical = _win_rates(dimensions, mode, "tactical", players, games)
    dealer = _win_rates(dimensions, mode, "dealer", players, games)
    assert np.all(tactical > 1.6 * dealer)


def _win_rates(game: Game, mode: str, agent: str, players: int, games: int) -> np.ndarray:
    """The win rate of each faction at seat 0 by this agent among dealers."""
    numbers = agent_numbers(game)
    workspace = np.zeros(1, workspace_type(game))
    workspace["cfg"] = game.config(mode=mode).pack(players)
    workspace["seats"][0, :] = numbers["dealer"]
    workspace["seats"][0, 0] = numbers[agent]
    workspace["agents"][0, 1:] = 1
    workspace["params"]["value"][0, :, :2] = 0.3, 0.5
    counts = np.zeros(1, game.tally)
    kernels_of(game).play_games(
        workspace, NO_LOOKUP_TABLES.values, SEED, 0, games, np.zeros(games, game.outcome), counts
    )
    rates: np.ndarray = counts["wins"][0, 0, :FACTIONS] / counts["participates"][0, 0, :FACTIONS]
    return rates
