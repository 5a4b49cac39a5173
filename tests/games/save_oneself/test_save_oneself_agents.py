"""What the agent `survivor` does where the best move is plain to see, and how well it does in all."""

from __future__ import annotations

from typing import Any

import pytest
from save_oneself_position import Position, deal, position, text_of

from playmill import Game, load_game
from playmill.engine.compile.game_kernels import agent_numbers
from playmill.engine.lang.rule import interpreted
from playmill.engine.run.backends import Cpu, Interpreted
from playmill.engine.run.match import Match
from playmill.games.save_oneself.agents import AGENTS
from playmill.games.save_oneself.outcome import WINS

_choose = interpreted(AGENTS["survivor"].choose)


@pytest.fixture(scope="module")
def save_oneself() -> Game:
    return load_game("save_oneself")


def advice(game: Position) -> str:
    """What survivor chooses; it must be legal and take neither a list of options nor luck, and leave all as it was."""
    legal = game.legal_ids()
    before = game.source.tobytes()
    action = _choose(game.cfg, game.s, None, len(legal), None, None)
    assert action in legal
    assert game.source.tobytes() == before, "an agent leaves the state as it was"
    return text_of(action)


# Turning over: signals


def test_sos_is_turned_over_while_the_ship_has_still_to_pass_its_row() -> None:
    field = "higher-ground* telescope / water - / rocks map-r"
    assert advice(position(field, turning=True, ship="NE 0,4", island="0,0")) == "turn rocks"
    assert advice(position(field, turning=True, ship="SW 3,-1", island="0,0")) == "turn rocks"


def test_sos_is_turned_over_though_coconuts_need_the_rocks() -> None:
    field = "higher-ground* palm-trees / rocks map-r"
    assert advice(position(field, turning=True, lives=8, ship="NE 0,4", island="0,0")) == "turn rocks"


def test_the_beacon_is_lit_before_a_ship_that_passes_its_column() -> None:
    field = "torch higher-ground* / telescope rocks"
    assert advice(position(field, turning=True, ship="NW -1,0", island="0,0")) == "turn higher-ground"
    # It has passed the column; but sighted, it will pass the row of the rocks.
    assert advice(position(field, turning=True, ship="NW -1,2", island="0,0")) != "turn higher-ground"


def test_the_telescope_is_turned_over_when_sos_lies_at_the_next_shore() -> None:
    field = "sos map-r / telescope water / higher-ground* map-c"
    assert advice(position(field, turning=True, ship="SE 4,1", island="0,0")) == "turn telescope"


def test_a_bottle_on_the_shore_becomes_a_message_while_the_ship_waits() -> None:
    field = "palm-trees rocks / map-r* bottle / map-c -"
    game = position(field, turning=True, lives=12, ship="NE -1,2 waiting", island="0,-2")
    assert "turn palm-trees" in game.legal()
    assert advice(game) == "turn bottle"


# Turning over: lives and chains


def test_lives_are_gained_when_there_is_room_for_them() -> None:
    field = "hook* water map-r"
    assert advice(position(field, turning=True, lives=9)) == "turn hook"
    assert advice(position(field, turning=True, lives=16)) == "skip"


@pytest.mark.parametrize(
    ("field", "first"),
    [
        ("sticks flint vines*", "turn sticks"),
        ("spear flint vines palm-trees*", "turn flint"),
        ("spear torch vines palm-trees rocks*", "turn vines"),
        ("hook water telescope*", "turn hook"),
    ],
)
def test_what_another_card_needs_is_turned_over_last(field: str, first: str) -> None:
    assert advice(position(field, turning=True, lives=9, origin="0,-2")) == first


# Moves with a ship


def test_it_goes_to_higher_ground_in_time_for_sos() -> None:
    field = "higher-ground map-r* map-c / water rocks telescope"
    assert advice(position(field, ship="SW 4,-1", island="0,0")) == "west"


def test_it_takes_the_second_move_to_higher_ground_and_stays_there() -> None:
    sails: dict[str, Any] = {"ship": "SW 2,-1", "island": "-2,0"}
    assert advice(position("higher-ground compass map-r* / water map-c rocks", moves=2, **sails)) == "west"
    second = {"moves": 1, "moved": True, **sails}
    assert advice(position("higher-ground compass* map-r / water map-c rocks", **second)) == "west"
    assert advice(position("higher-ground* compass map-r / water map-c rocks", **second)) == "waive"


def test_it_sits_tight_when_the_ship_will_see_a_signal() -> None:
    """New cards could be pirates, a mirage or a storm."""
    field = "map-r* map-c water message"
    assert advice(position(field, ship="NE -1,4", island="-1,0")) == "east"
    # The ship has passed: now only new cards help.
    assert advice(position(field, ship="NE 0,4", island="-1,0")) in ("north", "south")


def test_it_gives_sos_up_when_the_ship_has_passed() -> None:
    field = "rocks map-r / higher-ground map-c* / water vines"
    assert advice(position(field, ship="SW 1,-1", island="-1,0")) == "west"
    assert advice(position(field, ship="SW -1,-1", island="-1,0")) == "east"


def test_it_walks_round_what_does_harm() -> None:
    sails: dict[str, Any] = {"ship": "NE -1,4", "island": "-1,0"}
    assert advice(position("pig map-r* map-c water / vines rocks flint message", origin="-1,0", **sails)) != "west"
    assert advice(position("map-r* storm / pig map-c", lives=2)) in ("north", "west")


def test_it_does_not_lay_a_deadly_13th_card() -> None:
    field = "map-r* - map-c / rocks storm sticks / flint vines water / hook palm-trees bottle telescope"
    assert position(field, origin="-2,-1").s.placed == 12
    assert advice(position(field, lives=3, origin="-2,-1")) == "south"
    assert advice(position(field, lives=9, origin="-2,-1")) in ("east", "west")


def test_it_does_not_take_the_last_card_if_that_loses() -> None:
    field = (
        "map-r* - water rocks / flint vines sticks hook / pig storm bottle palm-trees / "
        "sea-serpent higher-ground telescope compass"
    )
    assert advice(position(field, lives=9, changes=["lose_on_empty_deck=true"])) == "south"
    assert advice(position(field, lives=9)) == "east"


# Moves for new cards


def test_it_lays_cards_when_nothing_else_helps() -> None:
    assert advice(position("map-r* map-c", ship="NE 1,4", island="0,0")) == "south"


def test_it_goes_where_there_is_room_for_new_cards() -> None:
    field = "map-r* map-c water rocks / flint vines sticks hook / pig storm bottle palm-trees / sea-serpent - - compass"
    assert advice(position(field, ship="NE 4,4", island="0,0", lives=16)) == "east"


@pytest.mark.parametrize("number", range(10))
def test_without_a_ship_it_lays_a_card_in_every_round_in_which_it_can(number: int) -> None:
    game = deal(number)
    while game.s.player >= 0 and game.s.ship < 0:
        can_lay = any(game.again().do(step).s.placed > game.s.placed for step in game.legal() if game.asked == "move")
        placed = game.s.placed
        game.do(advice(game))
        assert game.s.placed > placed or not can_lay


# Every decision of whole games


def matches(game: Game, agent: str, *changes: str, seed: int = 1) -> Match:
    """Games of one agent."""
    return Match(game, game.config().changed(changes), 1, seed, (agent_numbers(game)[agent],), (0,), ((),))


@pytest.mark.parametrize("changes", [(), ("moves=3", "lives=30"), ("cards.pig.corner=NE", "cards.water.lives=-3")])
def test_compiled_and_interpreted_it_plays_the_same_games(save_oneself: Game, changes: tuple[str, ...]) -> None:
    match = matches(save_oneself, "survivor", *changes)
    assert Cpu(match).play(0, 60).rows.tobytes() == Interpreted(match).play(0, 60).rows.tobytes()


@pytest.mark.parametrize("number", range(25))
def test_it_never_looks_into_the_deck(number: int) -> None:
    game = deal(number)
    while game.s.player >= 0:
        chosen = advice(game)
        for other in range(3):
            assert advice(game.again(100 * number + other).conceal()) == chosen
        game.do(chosen)


def win_rate(game: Game, agent: str) -> float:
    rows = Cpu(matches(game, agent, seed=7)).play(0, 2000).rows
    return float((rows["ended_by"] < WINS).mean())


def test_it_is_saved_ten_times_as_often_as_random(save_oneself: Game) -> None:
    assert win_rate(save_oneself, "random") < 0.05
    assert win_rate(save_oneself, "survivor") > 0.38
