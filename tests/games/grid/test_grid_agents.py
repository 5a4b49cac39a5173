"""The agents `greedy` and `disruptor`: legal, quick to score, and aimed at the leader."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from grid_position import SEED, Position, deal, deck_of, off, position, reward_of

from playmill.engine.lang.record import plain
from playmill.engine.lang.rng import SEATS, AgentRng, seed_agent_rng
from playmill.engine.lang.rule import interpreted
from playmill.games.grid.agents import AGENTS

NAMES = ("greedy", "disruptor")
_CHOOSE = {name: interpreted(AGENTS[name].choose) for name in NAMES}
_seed_agent_rng = interpreted(seed_agent_rng)
_PARAMS = plain(np.zeros(1, np.dtype([("value", np.float64, (SEATS, 8))])))[0]


def agent_rng(seed: int = SEED) -> Any:
    made = plain(np.zeros(1, AgentRng))[0]
    _seed_agent_rng(made, seed, 0)
    return made


def choose(name: str, game: Position, rng: Any = None) -> int:
    """What an agent chooses; it must be legal, and the state must be as it was."""
    legal = game.legal_ids()
    before = game.source.tobytes()
    action = _CHOOSE[name](game.cfg, game.s, game.options, len(legal), rng or agent_rng(), _PARAMS)
    assert action in legal
    assert game.source.tobytes() == before, "an agent leaves the state as it was"
    return action


def choices(name: str, game: Position) -> set[str]:
    """What it chooses with different luck."""
    return {game.text(choose(name, game, agent_rng(seed))) for seed in range(3)}


# Whole games


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(
    ("players", "changes"),
    [
        (2, deck_of([1], 5, 8)),
        (3, (*deck_of([1, 2], 5, 4), *reward_of(J=10, G=8), *off("game.patterns.auto_trigger"))),
        (4, (*deck_of([1], 5, 10), *reward_of(J=3, G=6))),
    ],
)
def test_agents_choose_legal_actions_and_leave_the_state_alone(
    name: str, players: int, changes: tuple[str, ...]
) -> None:
    game = deal(players=players, changes=changes)
    rng = agent_rng()
    while game.s.player >= 0:
        game.do_id(choose(name, game, rng))
    assert sum(game.vp()) > 0


# Points now


LINES = [
    ("1a 2a 3a", "4a", "place 3,0"),
    (". / 6b / 5b / . / 3b", "4b", "place 0,3"),
    (". . 3a / . . 3b / . . . / . . 3d", "3e", "place 2,2"),
    ("1a 1a 1a / 2b 2b 2b / 3c 3c .", "3c", "place 2,2"),
    ("1a 2b 3c / 2b 3c 4a / 3c . 5b", "4a", "place 1,2"),
]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(("board", "card", "wanted"), LINES)
def test_agent_places_the_card_that_completes_a_pattern(name: str, board: str, card: str, wanted: str) -> None:
    assert choices(name, position([board], place=card)) == {wanted}


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(("board", "card", "wanted"), LINES)
def test_agent_drafts_the_card_that_completes_a_pattern(name: str, board: str, card: str, wanted: str) -> None:
    game = position([board], draft=f"6e {card} 6e")
    assert choices(name, game) == {f"pick {card}"}


@pytest.mark.parametrize("name", NAMES)
def test_agent_completes_the_pattern_that_brings_more(name: str) -> None:
    """A row of five for 8 points, or a row of four for 7."""
    game = position(["1a 2a . 4a 5a / . / . / . 4a 5a 6a"], place="3a")
    assert choices(name, game) == {"place 2,0"}


@pytest.mark.parametrize("name", NAMES)
def test_agent_resolves_the_pattern_that_brings_more(name: str) -> None:
    game = position(["3a 3b 3c 3d"], place="3e").do("place 4,0")
    assert choices(name, game) == {"resolve G row 0,0"}


@pytest.mark.parametrize("name", NAMES)
def test_agent_resolves_rather_than_none(name: str) -> None:
    game = position(["1a 2a 3a"], place="4a", changes=off("game.patterns.auto_trigger")).do("place 3,0")
    assert choices(name, game) == {"resolve H row 0,0"}


@pytest.mark.parametrize("name", NAMES)
def test_agent_takes_rewards(name: str) -> None:
    game = position(["1a 2a 3a"], place="4a").do("place 3,0", "resolve H row 0,0")
    assert choices(name, game) == {"accept"}


#: One free cell is left beside the pattern, and a line waits there for its last card.
WAITING = "1a 2a 3a . x / x x x x x / x x x x x / x x x x x / 1b 2b 3b . x"


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("number", [2, 8, 10])
def test_agent_refuses_a_card_that_would_spoil_its_own_line(name: str, number: int) -> None:
    for card, wanted in (("6e", "refuse"), ("4b", "accept")):
        more: dict[str, Any] = {"boards": [WAITING, card]} if number == 10 else {"boards": [WAITING], "pile": card}
        game = position(place="4a", changes=reward_of(H=number), **more).do("place 3,0", "resolve H row 0,0")
        assert choices(name, game) == {wanted}, card


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(("theirs", "wanted"), [(6, "accept"), (7, "refuse"), (20, "refuse")])
def test_agent_ends_the_game_by_a_reward_only_when_that_wins(name: str, theirs: int, wanted: str) -> None:
    changes = (*reward_of(H=9), *off("game.rewards.reward_placement_failure_does_not_end_game"))
    full = "1a 2a 3a . x / x x x x x / x x x x x / x x x x x / x x x x x"
    game = position([full], place="4a", changes=changes, vp=[0, theirs]).do("place 3,0", "resolve H row 0,0")
    assert choices(name, game) == {wanted}


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(("theirs", "deck", "wanted"), [(6, 2, "accept"), (20, 2, "refuse"), (20, 3, "accept")])
def test_agent_takes_an_extra_turn_that_ends_the_game_only_when_it_leads(
    name: str, theirs: int, deck: int, wanted: str
) -> None:
    game = position(["1a 2a 3a"], place="4a", phase="draft", deck=deck, vp=[0, theirs])
    assert choices(name, game.do("place 3,0", "resolve H row 0,0")) == {wanted}


@pytest.mark.parametrize("name", NAMES)
def test_agent_does_not_clear_an_opponents_line(name: str) -> None:
    """The only card that may be removed stands in the way of its owner."""
    boards = ["1a 2a 3a", ". / 6e 2b 3b 4b ."]
    game = position(boards, place="4a", changes=reward_of(H=6)).do("place 3,0", "resolve H row 0,0")
    assert choices(name, game) == {"refuse"}


@pytest.mark.parametrize("name", NAMES)
def test_agent_moves_its_own_card_where_it_brings_most(name: str) -> None:
    game = position(["1a 2a 3a . . / . / 1b 2b 3b . . / . . . . 4b"], place="4a", changes=reward_of(H=3))
    game.do("place 3,0", "resolve H row 0,0")
    assert choices(name, game) == {"accept"}
    assert choices(name, game.do("accept")) == {"card 4,3"}
    assert choices(name, game.do("card 4,3")) == {"cell 3,2"}


@pytest.mark.parametrize("name", NAMES)
def test_agent_gets_on_with_a_line_begun(name: str) -> None:
    game = position(["1a 2a"], place="3a")
    assert choices(name, game) == {"place 2,0"}


@pytest.mark.parametrize("name", NAMES)
def test_agent_does_not_block_its_own_line(name: str) -> None:
    game = position(["1a 2a 3a . 5a / . / . / ."], place="6e")
    assert "place 3,0" not in choices(name, game)


@pytest.mark.parametrize("name", NAMES)
def test_agent_does_not_pass_the_card_the_neighbour_waits_for(name: str) -> None:
    game = position(["", "1a 2a 3a"], draft="4a 6e 1c").do("pick 1c")
    assert choices(name, game) == {"pass 6e"}


@pytest.mark.parametrize("name", NAMES)
def test_agent_puts_a_joker_where_it_completes_a_pattern(name: str) -> None:
    game = position(["1a 2a 3a . 6e / . / 2b 3b . 5b"], place="4a", changes=reward_of(H=9))
    game.do("place 3,0", "resolve H row 0,0", "accept")
    assert choices(name, game) == {"cell 2,2"}


@pytest.mark.parametrize("name", NAMES)
def test_agent_does_not_build_on_the_cards_that_are_about_to_be_cleared(name: str) -> None:
    """A joker at 4,0 would make a row of five of cards that leave the board; at 2,2 it scores at once."""
    game = position(["1a 2a 3a . . / . / 2b 3b . 5b"], place="4a", changes=reward_of(H=9))
    game.do("place 3,0", "resolve H row 0,0", "accept")
    assert choices(name, game) == {"cell 2,2"}


@pytest.mark.parametrize("name", NAMES)
def test_agent_takes_from_the_discard_pile_what_completes_a_pattern(name: str) -> None:
    game = position(["1a 2a 3a . . / . / 2b 3b . 5b"], place="4a", pile="6e 4b 1d", changes=reward_of(H=8))
    game.do("place 3,0", "resolve H row 0,0", "accept")
    assert choices(name, game) == {"ref 1"}
    assert choices(name, game.do("ref 1")) == {"cell 2,2"}


# Others


LEADER = ["1a 2a 3a", "6e . . . 1d", "6d . . . 1c", "6c . . . 1b"]


@pytest.mark.parametrize("number", [6, 7, 10])
@pytest.mark.parametrize("leader", [1, 2, 3])
def test_disruptor_aims_at_the_leader(number: int, leader: int) -> None:
    vp = [30 if seat == leader else 7 * (seat > 0) for seat in range(4)]
    game = position(LEADER, place="4a", vp=vp, changes=reward_of(H=number))
    game.do("place 3,0", "resolve H row 0,0", "accept")
    assert choices("disruptor", game) == {f"opponent {leader}"}


@pytest.mark.parametrize("number", [6, 10])
def test_disruptor_takes_the_card_that_hurts_most(number: int) -> None:
    game = position(["1a 2a 3a", "2b 3b 4b / . / . / . / . . . . 6e"], place="4a", changes=reward_of(H=number))
    game.do("place 3,0", "resolve H row 0,0", "accept", "opponent 1")
    assert choices("disruptor", game) <= {"their card 0,0", "their card 1,0", "their card 2,0"}


def test_disruptor_does_not_complete_an_opponents_pattern() -> None:
    game = position(["1a 2a 3a", "2b 3b 4b . 6b / . . . . 5b"], place="4a", changes=reward_of(H=7))
    game.do("place 3,0", "resolve H row 0,0", "accept", "opponent 1", "their card 4,1")
    assert "their cell 3,0" not in choices("disruptor", game)


def test_disruptor_spoils_the_line_it_moves_a_card_in() -> None:
    """At 3,0 the card stands in the way of every line through the two others."""
    game = position(["1a 2a 3a", "2b 3b 4b"], place="4a", changes=reward_of(H=7))
    game.do("place 3,0", "resolve H row 0,0", "accept", "opponent 1", "their card 2,0")
    assert choices("disruptor", game) == {"their cell 3,0"}


def test_disruptor_prefers_a_reward_that_hurts_among_equal_points() -> None:
    board = "1a 2a 3a . . / . . . 3b / . . . 2c / . . . 1d"
    changes = (*reward_of(H=1, I=6), "patterns.I.vp=7")
    game = position([board, "6e"], place="4a", changes=changes).do("place 3,0")
    assert choices("disruptor", game) == {"resolve I column 3,0"}


def test_disruptor_still_completes_its_own_pattern_first() -> None:
    game = position(["1a 2a 3a", "2b 3b 4b"], draft="4a 5b 6e", vp=[0, 20])
    assert choices("disruptor", game) == {"pick 4a"}


# How strong


def test_greedy_completes_many_times_the_patterns_of_random_play() -> None:
    """Random play completes about 0.07 patterns a game with two players; two games of greedy show the difference."""
    patterns = 0
    for number in range(2):
        game = deal(number)
        rng = agent_rng(number)
        while game.s.player >= 0:
            game.do_id(choose("greedy", game, rng))
        patterns += sum(game.s.patterns[seat, place] for seat in range(2) for place in range(10))
    assert patterns >= 4
