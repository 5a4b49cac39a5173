"""The agents of Influence: legal, true to what they promise, and better than chance or each other."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest
from influence_naive import Page
from influence_position import SEED, Place, Position, at, config_of, deal, name, position

from playmill import Game, load_game
from playmill.engine.compile.game_kernels import PARAMETERS, agent_numbers
from playmill.engine.lang.record import plain
from playmill.engine.lang.rng import SEATS, AgentRng, seed_agent_rng
from playmill.engine.lang.rule import interpreted
from playmill.engine.run.backends import Cpu
from playmill.engine.run.match import Match
from playmill.games.influence.agents import AGENTS
from playmill.games.influence.constants import ATTACKING

NAMES = ("greedy", "cautious")
ALL = (*NAMES, "calculating")
_CHOOSE = {name: interpreted(AGENTS[name].choose) for name in ALL}
_seed_agent_rng = interpreted(seed_agent_rng)
#: A field of 100 cells, every seventh of them strong.
HUNDRED = ["".join("S" if (10 * row + column) % 7 == 3 else "w" for column in range(10)) for row in range(10)]


@pytest.fixture(scope="module")
def influence() -> Game:
    return load_game("influence")


def advice(agent: str, game: Position, chance: float = 75) -> str:
    """What an agent chooses; it must be legal, without luck, and the state must be as it was."""
    params = np.zeros(1, np.dtype([("value", np.float64, (SEATS, PARAMETERS))]))
    numbers = [chance] if agent == "cautious" else [one.default for one in AGENTS[agent].parameters.values()]
    params["value"][0, game.s.player, : len(numbers)] = numbers
    agent_rng = plain(np.zeros(1, AgentRng))[0]
    _seed_agent_rng(agent_rng, SEED, 0)
    rng = agent_rng._source_.tobytes()
    legal = game.legal_ids()
    before = game.source.tobytes()
    action = _CHOOSE[agent](game.cfg, game.s, game.options, len(legal), agent_rng, plain(params)[0])
    assert action in legal
    assert game.source.tobytes() == before, "an agent leaves the state as it was"
    assert agent_rng._source_.tobytes() == rng, "no luck is drawn"
    return game.text(action)


# greedy attacks


@pytest.mark.parametrize(
    ("field", "option"),
    [
        ("A2 - . B1", "attack 0,0 0,1"),
        ("A3 B1 . B1", "attack 0,0 0,1"),
        ("A4 B2 . B1", "attack 0,0 0,1"),
        ("A3 B2 . B1", "end"),
        ("A3 B3 . B1", "end"),
        ("A2 B4 . B1", "end"),
        ("A1 - . B1", "end"),
        ("A8 B7 A8 - . B1", "attack 0,2 0,3"),
    ],
)
def test_greedy_takes_what_it_can_take_surely_and_nothing_else(field: str, option: str) -> None:
    assert advice("greedy", position(field)) == option


@pytest.mark.parametrize(
    ("field", "option"),
    [
        ("- A5 -! . B1", "attack 0,1 0,2"),
        ("-! A5 - . B1", "attack 0,1 0,0"),
        ("B1 A5 -! . B1", "attack 0,1 0,2"),
        ("- A5 B3! . B1", "attack 0,1 0,2"),
        ("- A5 B4! . B1", "attack 0,1 0,0"),
        ("- A9! - . -! A2 . B1", "attack 0,5 0,4"),
    ],
)
def test_greedy_takes_strong_cells_first(field: str, option: str) -> None:
    assert advice("greedy", position(field)) == option


def test_greedy_takes_enemies_before_empty_cells_of_the_same_kind() -> None:
    assert advice("greedy", position("- A5 B3 . B1")) == "attack 0,1 0,2"
    assert advice("greedy", position("-! A5 B3! . B1")) == "attack 0,1 0,2"


def test_greedy_attacks_with_the_most_influence() -> None:
    assert advice("greedy", position("A3 B1 A5 . B1")) == "attack 0,2 0,1"
    assert advice("greedy", position("A5 B1 A3 . B1")) == "attack 0,0 0,1"


def test_greedy_follows_the_chances_of_the_config() -> None:
    assert advice("greedy", position("A3 B2 . B1", chance_plus1=100)) == "attack 0,0 0,1"
    assert advice("greedy", position("A4 B2 . B1", chance_ge_plus2=99)) == "end"


# cautious attacks


@pytest.mark.parametrize(
    ("field", "option"),
    [
        ("A2 - . B1", "attack 0,0 0,1"),
        ("A3 B1 . B1", "attack 0,0 0,1"),
        ("A3 B2 . B1", "attack 0,0 0,1"),
        ("A3 B3 . B1", "end"),
        ("A3 B4 . B1", "end"),
        ("A2 B4 . B1", "end"),
        ("A1 - . B1", "end"),
    ],
)
def test_cautious_attacks_with_75_percent_or_more(field: str, option: str) -> None:
    assert advice("cautious", position(field)) == option


@pytest.mark.parametrize(
    ("chance", "attacks"), [(100, ()), (76, ()), (75, (1,)), (51, (1,)), (50, (1, 0)), (25, (1, 0, -1))]
)
def test_cautious_may_be_given_another_least_chance(chance: float, attacks: tuple[int, ...]) -> None:
    for difference in (1, 0, -1, -2):
        found = advice("cautious", position(f"A5 B{5 - difference} . B1"), chance)
        assert found == ("attack 0,0 0,1" if difference in attacks else "end")


def test_cautious_leaves_what_it_could_not_hold() -> None:
    """A free cell beside 8 and 7 of the enemy would be lost at once, and so would the cell left with 1."""
    assert advice("cautious", position("B8 A4 - B7")) == "end"
    assert advice("greedy", position("B8 A4 - B7")) == "attack 0,1 0,2"


def test_cautious_prefers_the_cell_it_can_hold() -> None:
    assert advice("cautious", position("- A4 - B5")) == "attack 0,1 0,0"
    assert advice("cautious", position("B5 - A4 -")) == "attack 0,2 0,3"


def test_cautious_does_not_fear_its_own_cells() -> None:
    assert advice("cautious", position("A12! A2 - . B1")) == "attack 0,1 0,2"
    assert advice("cautious", position("- A1 A8 A2 B3").do("end")) == "place 0,3"


# calculating attacks


@pytest.mark.parametrize(
    ("field", "option"),
    [
        ("- A5 B3 . B1", "attack 0,1 0,2"),
        ("A2 - A5 B3", "attack 0,2 0,3"),
    ],
)
def test_calculating_counts_what_an_enemy_loses(field: str, option: str) -> None:
    assert advice("calculating", position(field)) == option


def test_calculating_goes_where_there_is_more_to_take() -> None:
    assert advice("calculating", position("- A4 - - - - . B1")) == "attack 0,1 0,2"
    assert advice("calculating", position("- - - - A4 - . B1")) == "attack 0,4 0,3"


def test_calculating_goes_where_it_can_hold_what_it_takes() -> None:
    assert advice("calculating", position("- A3 - B12!")) == "attack 0,1 0,0"
    assert advice("calculating", position("B12! - A3 -")) == "attack 0,2 0,3"


def test_calculating_wears_down_what_it_cannot_take() -> None:
    """A lost attack costs the defender a point more than the attacker, who keeps 1."""
    assert advice("calculating", position("A5 B8 . B1")) == "attack 0,0 0,1"
    assert advice("greedy", position("A5 B8 . B1")) == "end"


def test_calculating_strengthens_where_the_enemy_outweighs_it_most() -> None:
    assert advice("calculating", position("B2 A1 A1 A1 B8").do("end")) == "place 0,3"
    assert advice("calculating", position("B8 A1 A1 A1 B2").do("end")) == "place 0,1"
    assert advice("calculating", position("A1 A1 . B1").do("end")) == "auto"


# Defence


@pytest.mark.parametrize("agent", NAMES)
@pytest.mark.parametrize(
    ("field", "option"),
    [
        ("A1 A4 -", "place 0,1"),
        ("- A4 A1 A3 -", "place 0,3"),
        ("A1 A1 A8 B1 B1 -", "auto"),
        ("A1 A1 . B1", "auto"),
    ],
)
def test_agents_strengthen_the_border_where_it_is_weakest_and_then_everything(
    agent: str, field: str, option: str
) -> None:
    assert advice(agent, position(field + " . B1").do("end")) == option


def test_cautious_strengthens_where_the_enemy_is_strongest() -> None:
    game = position("- A1 A1 A5 B8").do("end")
    assert advice("cautious", game) == "place 0,3"
    assert advice("greedy", game) == "place 0,1"


@pytest.mark.parametrize("agent", NAMES)
def test_agents_keep_filling_the_border(agent: str) -> None:
    game = position("- A6 A1 A7 - . B1").do("end")
    while game.s.player == 0:
        game.do(advice(agent, game))
    assert game.field() == "- A8 A1 A8 - . B1"


# Every decision of whole games


def border(game: Position, place: Place) -> bool:
    """Whether a cell has a neighbour that its owner does not own."""
    return any(game.owner(other) != game.owner(place) for other in game.around(place).values())


def check_choice(agent: str, game: Position) -> str:
    """What an agent chooses in any position keeps its promise."""
    chosen = advice(agent, game)
    page = Page(game)
    legal = page.legal()
    if game.s.phase == ATTACKING:
        chances = {text: page.chance(*map(at, text.split()[1:])) for text in legal if text != "end"}
        sure = [text for text in chances if chances[text] == 100]
        if agent == "calculating":
            assert chosen in legal
        elif agent == "cautious":
            assert chosen == "end" or chances[chosen] >= 75
        elif not sure:
            assert chosen == "end"
        else:
            best = max(page.capacity[at(text.split()[2])] for text in sure)
            assert chosen in sure
            assert page.capacity[at(chosen.split()[2])] == best
    else:
        edge = [place for place in page.room() if border(game, place)]
        if not edge:
            assert chosen == "auto"
        else:
            assert chosen in [f"place {name(place)}" for place in edge]
            if agent == "greedy":
                assert page.field[at(chosen.split()[1])][1] == min(page.field[place][1] for place in edge)
    return chosen


@pytest.mark.parametrize("players", [2, 3, 6])
@pytest.mark.parametrize("agent", ALL)
def test_agents_keep_their_promises_in_every_position(agent: str, players: int) -> None:
    """The games are steered by the agent and by chance, so that all kinds of positions come about."""
    dice = random.Random(players)
    acts = set()
    for number in range(3):
        game = deal(["wSww.", "w.wSw", "SwwSw", "wwwww"], players, number, round_limit=12)
        while game.s.player >= 0:
            chosen = check_choice(agent, game)
            acts.add(chosen.split()[0])
            game.do(chosen if dice.random() < 0.7 else dice.choice(game.legal()))
    assert acts >= {"attack", "end", "place"}


# How strong


def wins(influence: Game, agents: tuple[str, ...], games: int, **changes: Any) -> list[int]:
    """How many compiled games on 100 cells each seat wins."""
    numbers = agent_numbers(influence)
    params = tuple(tuple(one.default for one in influence.agents[agent].parameters.values()) for agent in agents)
    seats = tuple(numbers[agent] for agent in agents)
    config = config_of(HUNDRED, **changes)
    rows = Cpu(Match(influence, config, len(agents), 1, seats, (0,) * len(agents), params)).play(0, games).rows
    return [int((rows["winner"] == seat).sum()) for seat in range(len(agents))]


def test_calculating_beats_cautious_from_either_seat_more_often_than_cautious_does(influence: Game) -> None:
    """As the first player and as the second, it wins far more than `cautious` does in its place."""
    first = wins(influence, ("calculating", "cautious"), 300)[0] - wins(influence, ("cautious", "cautious"), 300)[0]
    second = wins(influence, ("cautious", "calculating"), 300)[1] - wins(influence, ("cautious", "cautious"), 300)[1]
    assert first >= 30
    assert second >= 30


@pytest.mark.parametrize("agent", ALL)
def test_agent_beats_random_from_either_seat(influence: Game, agent: str) -> None:
    assert wins(influence, (agent, "random"), 300)[0] >= 285
    assert wins(influence, ("random", agent), 300)[1] >= 250


@pytest.mark.parametrize("agent", NAMES)
def test_agent_beats_many_random_players(influence: Game, agent: str) -> None:
    """In the fourth of six seats it wins more than twice as often as random play does there."""
    others = ("random",) * 2
    assert wins(influence, ("random", *others, "random", *others), 300)[3] <= 60
    assert wins(influence, ("random", *others, agent, *others), 300)[3] >= 90
