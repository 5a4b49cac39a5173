"""The agents: threshold exactly as on the page, greedy and optimal by what they promise, and how they use items."""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import combinations_with_replacement
from random import Random
from typing import Any

import pytest
from dice_naive import followed, selections
from dice_position import (
    DOUBLE,
    EVIL,
    FAIR,
    ONES,
    SHIELD,
    Position,
    active,
    match,
    modifier,
    passive,
    position,
)
from dice_random_content import set_up
from hypothesis import example, given, settings
from hypothesis import strategies as st

from common.effort import share
from playmill import Game, PlaymillError, load_game, simulate
from playmill.engine.lang.rule import interpreted
from playmill.games.dice.agents import solver
from playmill.games.dice.config import Config

SETTINGS: dict[str, Any] = {"deadline": None, "derandomize": True, "database": None}


def threshold(n: int, roll: str, config: Config | None = None, **where: Any) -> str:
    """What threshold(n) does in a position."""
    return position(roll, config, **where).advice("threshold", n)


# threshold(n)


@pytest.mark.parametrize(
    ("roll", "dice"),
    [
        ("112346", "ab"),
        ("115346", "abc"),
        ("222346", "abc"),
        ("222341", "abcf"),
        ("123451", "abcde"),  # a straight with either one, the first of them
        ("213451", "abcde"),
        ("513425", "abcde"),
        ("234526", "abcdf"),  # 2, 3, 4, 5 and 6; the first two
        ("123456", "abcdef"),
        (".1.5..", "bd"),
    ],
)
def test_threshold_takes_the_selection_with_the_highest_score(roll: str, dice: str) -> None:
    assert threshold(10_000, roll).split()[1] == dice


@pytest.mark.parametrize(("points", "act"), [(299, "save"), (300, "pass"), (301, "pass")])
def test_threshold_passes_when_the_turn_points_reach_its_number(points: int, act: str) -> None:
    assert threshold(400, "122346", points=points) == f"{act} a"


@pytest.mark.parametrize(
    ("roll", "option"),
    [
        ("112346", "save ab"),
        ("111346", "save abc"),
        ("1146..", "pass ab"),  # two dice left
        ("1114..", "pass abc"),  # one die left
        ("111...", "save abc"),  # none left: all six are thrown
        ("111222", "save abcdef"),
        ("1.....", "save a"),
        ("1....2", "pass a"),
    ],
)
def test_threshold_passes_with_one_or_two_dice_left(roll: str, option: str) -> None:
    assert threshold(10_000, roll) == option


@pytest.mark.parametrize(("total", "act"), [(3899, "save"), (3900, "pass"), (3901, "pass")])
def test_threshold_passes_at_the_target(total: int, act: str) -> None:
    assert threshold(10_000, "122346", totals=[total, 0]) == f"{act} a"


def test_threshold_looks_at_its_own_total_and_points() -> None:
    assert threshold(10_000, "122346", totals=[3900, 0], player=1) == "save a"
    assert threshold(10_000, "122346", totals=[0, 3700], player=1, points=200) == "pass a"


def test_threshold_passes_when_it_may_not_throw_any_more() -> None:
    assert threshold(10_000, "122346", rolls=1000) == "pass a"


def test_threshold_counts_the_doubling() -> None:
    assert threshold(400, "122346", points=200) == "save a"
    assert threshold(400, "122346", match(theirs=[DOUBLE]), points=200, flags=["double_next_save"]) == "pass a"


def test_threshold_counts_what_items_add_to_a_save() -> None:
    single = match(mine=[passive("it", "on_save", {"add": 200}, {"selection_size": {"exactly": 1}})])
    assert threshold(10_000, "112346", single) == "save a", "300 with one die, 200 with two"
    assert threshold(300, "112346", single) == "pass a"
    assert threshold(301, "112346", single) == "save a"


def test_threshold_takes_fewer_dice_then_the_first_positions_of_equal_scores() -> None:
    single = match(mine=[passive("it", "on_save", {"add": 100}, {"selection_size": {"exactly": 1}})])
    assert threshold(10_000, "211346", single) == "save b", "200 with b, with c, and with both"
    pair = match(mine=[passive("it", "on_save", {"add": -50}, {"selection_size": {"exactly": 2}})])
    assert threshold(10_000, "254416", pair) == "save e", "100 with e and with both"


def test_threshold_counts_the_pass_effects_toward_the_target() -> None:
    tip = match(mine=[modifier("tip", "on_pass", {"add": 50})])
    assert threshold(10_000, "122346", tip, totals=[3850, 0]) == "pass a"
    assert threshold(10_000, "122346", tip, totals=[3849, 0]) == "save a"
    tax = match(table=[modifier("tax", "on_pass", {"percent": -10})])
    assert threshold(10_000, "122346", tax, totals=[3909, 0]) == "save a"
    assert threshold(10_000, "122346", tax, totals=[3910, 0]) == "pass a"


@pytest.mark.parametrize("trigger", ["on_save", "on_pass"])
def test_threshold_knows_that_a_save_uses_up_the_doubling(trigger: str) -> None:
    config = match(mine=[passive("it", trigger, {"add": 1000}, {"flag": "double_next_save"})])
    where: dict[str, Any] = {"totals": [3700, 0], "flags": ["double_next_save"]}
    assert threshold(10_000, "122346", config, **where) == "save a", "3900 in all"


def test_threshold_does_not_count_the_pass_effects_toward_its_number() -> None:
    tip = match(mine=[modifier("tip", "on_pass", {"add": 500})])
    assert threshold(400, "122346", tip, points=200) == "save a"


NUMBERS = (0, 50, 250, 350, 400, 1000, 1_000_000)


@settings(max_examples=share(40), **SETTINGS)
@given(st.integers(0, 2**32))
def test_threshold_decides_as_the_page_says_in_every_position_of_the_plain_game(seed: int) -> None:
    random = Random(seed)
    dice = [random.choice([FAIR, ONES, EVIL]) for _ in range(2)]
    for game, model in followed(match(dice=dice, target=random.choice([300, 1000, 4000]), max_turns=20), seed):
        if game.won is None:
            n = random.choice(NUMBERS)
            assert game.advice("threshold", n) == model.threshold(n)


@settings(max_examples=share(80), **SETTINGS)
@given(st.integers(0, 2**32))
def test_threshold_decides_as_the_page_says_with_content(seed: int) -> None:
    random = Random(seed)
    for game, model in followed(set_up(random, kinds=("modifier", "passive")), seed):
        if game.won is None:
            n = random.choice(NUMBERS)
            assert game.advice("threshold", n) == model.threshold(n)


# All of them


@settings(max_examples=share(60), **SETTINGS)
@given(st.integers(0, 2**32))
@example(92254)  # an item locks a chosen die before it would turn it
def test_agents_choose_legal_actions_and_leave_the_state_alone(seed: int) -> None:
    """Items are looked at, dice are chosen for them, saves and passes are tried: everything is put back."""
    random = Random(seed)
    for game, model in followed(set_up(random), seed):
        if game.won is None:
            game.advice("greedy")
            n = random.choice(NUMBERS)
            advice = game.advice("threshold", n)
            if advice.startswith(("save", "pass")):
                assert advice == model.threshold(n)


# greedy


def best_scores(weights: tuple[int, ...], count: int) -> Iterator[tuple[int, float]]:
    """The best score of every roll of so many equal dice, 0 for a bust, with its chance."""
    for faces in combinations_with_replacement(range(6), count):
        chance = float(math.factorial(count))
        for face in range(6):
            chance *= (weights[face] / sum(weights)) ** faces.count(face) / math.factorial(faces.count(face))
        yield max(selections("".join(str(face + 1) for face in faces)).values(), default=0), chance


@pytest.mark.parametrize("weights", [FAIR, ONES, EVIL])
def test_greedy_takes_the_highest_mean_of_the_turn_one_throw_ahead(weights: tuple[int, ...]) -> None:
    throws = {count: list(best_scores(weights, count)) for count in range(1, 7)}

    def value(game: Position, option: str) -> float:
        act, dice = option.split()
        points = game.points + selections(game.roll)[dice]
        if act == "pass":
            return points
        left = len(game.roll.replace(".", "")) - len(dice) or 6
        return sum(chance * (points + best) for best, chance in throws[left] if best > 0)

    config = match(dice=(weights, weights), target=100_000, max_turns=25)
    acts = set()
    for seed in range(6):
        for game, _ in followed(config, seed):
            if game.won is None:
                values = {option: value(game, option) for option in game.legal()}
                advice = game.advice("greedy")
                acts.add(advice.split()[0])
                assert values[advice] == pytest.approx(max(values.values()), rel=1e-9)
    assert acts == {"save", "pass"}


def test_greedy_passes_at_the_target() -> None:
    assert position("122346", totals=[3900, 0]).advice("greedy") == "pass a"
    assert position("122346", totals=[3899, 0]).advice("greedy") == "save a"


def test_greedy_trusts_its_shield() -> None:
    """With 350 points and three dice to throw; 13 of 18 such throws score, and 92 % of them behind a shield."""
    assert position("1.2.36", points=250).advice("greedy") == "pass a"
    assert position("1.2.36", points=250, flags=["bust_shield"]).advice("greedy") == "save a"


def test_greedy_counts_what_items_add_and_take() -> None:
    single = match(mine=[passive("it", "on_save", {"add": 300}, {"selection_size": {"exactly": 1}})])
    assert position("112346", single).advice("greedy") == "save a"
    tax = match(mine=[modifier("tax", "on_pass", {"percent": -90})])
    assert position("1...46", tax, points=300).advice("greedy") == "save a"
    assert position("1...46", points=300).advice("greedy") == "pass a"


# Items

AGENTS = ("threshold", "greedy")


@pytest.mark.parametrize("agent", AGENTS)
def test_agents_raise_a_shield_as_soon_as_they_can_since_it_lasts(agent: str) -> None:
    config = match(mine=[SHIELD])
    assert position("1..234", config, points=100).advice(agent, 1000) == "use shield"
    assert position("122346", config).advice(agent, 1000) == "use shield", "five dice are safe, but it lasts"
    assert position("1....6", config, points=900).advice(agent) == "use shield", "before a pass, too"
    assert position("1..234", config, points=100, flags=["bust_shield"]).advice(agent, 1000) == "save a"
    assert position("1..234", config, points=100, cooldowns={"shield": 3}).advice(agent, 1000) == "save a"


@pytest.mark.parametrize("agent", AGENTS)
def test_agents_see_no_use_for_a_shield_with_dice_that_always_score(agent: str) -> None:
    config = match(mine=[SHIELD], dice=((1, 0, 0, 0, 1, 0), FAIR))
    assert not position("1.....", config, points=900).advice(agent).startswith("use")


def sale(price: int) -> Config:
    """A match in which the first player may sell her shield."""
    return match(mine=[active("sell", [{"clear_flag": "bust_shield"}, {"add": price}], {"flag": "bust_shield"})])


@pytest.mark.parametrize("agent", AGENTS)
def test_agents_know_what_a_shield_is_worth(agent: str) -> None:
    """They sell it only for clearly more than what it saves; or when that wins at once."""
    shielded: dict[str, Any] = {"flags": ["bust_shield"]}
    assert not position("1....6", sale(250), points=900, **shielded).advice(agent).startswith("use")
    assert position("1....6", sale(600), points=900, **shielded).advice(agent) == "use sell"
    assert position("1....6", sale(250), points=900, totals=[2800, 0], **shielded).advice(agent) == "use sell"
    assert position("1....6", sale(250), points=900, totals=[2700, 0], **shielded).advice(agent) == "pass a"


def test_a_shield_is_worth_more_before_a_risky_throw() -> None:
    """2100 would be at risk in 5 of 18 throws."""
    game = position("1..234", sale(600), points=2000, flags=["bust_shield"])
    assert (game.advice("threshold", 5000), game.advice("threshold", 2000)) == ("save a", "use sell")


@pytest.mark.parametrize("agent", AGENTS)
def test_agents_set_flags_of_content(agent: str) -> None:
    config = match(mine=[active("light", {"set_flag": "spark"})])
    assert position("122346", config).advice(agent) == "use light"
    assert position("122346", config, flags=["spark"], cooldowns={"light": 0}).advice(agent) == "save a"


# Hot dice that must be thrown

MUST = match(must_roll=True)


def test_threshold_throws_hot_dice_that_must_be_thrown() -> None:
    assert threshold(300, "111222") == "pass abcdef"
    assert threshold(300, "111222", MUST) == "save abcdef"
    assert threshold(300, "111222", MUST, totals=[3900, 0]) == "save abcdef", "it takes what brings most, always"
    assert threshold(300, "111222", MUST, rolls=1000) == "pass abcdef"


def test_greedy_knows_that_hot_dice_must_be_thrown() -> None:
    """With 2000 points a throw of six busts in 3 of 100: passing with one die left would be dearer."""
    assert position("....15", points=2000).advice("greedy") == "save ef"
    assert position("....15", MUST, points=2000, totals=[1950, 0]).advice("greedy") == "pass e", "that wins"
    assert position("....15", totals=[3850, 0]).advice("greedy") == "pass ef"
    assert position("....15", MUST, totals=[3850, 0]).advice("greedy") == "save ef", "150 are needed, and thrown for"


def test_optimal_plays_hot_dice_that_must_be_thrown() -> None:
    """The table's best option among those that there are, also above the target."""
    bound = solver.load((FAIR, FAIR), TARGET, must_roll=True)
    throw_at, turn_at = interpreted(solver.throw_index), interpreted(solver.turn_index)
    levels = TARGET // 50

    def chance(game: Position, option: str) -> float:
        act, dice = option.split()
        mine, other = (game.totals[seat] // 50 for seat in (game.player, 1 - game.player))
        points = (game.points + selections(game.roll)[dice]) // 50
        if act == "pass":
            return (
                1.0
                if mine + points >= levels
                else 1 - bound.table[turn_at(levels, 1 - game.player, other, mine + points)]
            )
        left = len(game.roll.replace(".", "")) - len(dice)
        if mine + points < levels:
            return bound.table[throw_at(levels, game.player, mine, other, points, left or 6)]
        return 1 - 5 / 162 * bound.table[turn_at(levels, 1 - game.player, other, mine)] if not left else 0.0

    above = 0
    for seed in range(40):
        for game, _ in followed(match(target=TARGET, must_roll=True), seed):
            if game.won is None:
                chances = {option: chance(game, option) for option in game.legal()}
                advice = game.advice("optimal", book=bound.table)
                above += advice.startswith("save") and len(advice.split()[1]) == len(game.roll.replace(".", ""))
                assert chances[advice] == pytest.approx(max(chances.values()), abs=1e-12)
    assert above > 10


@pytest.mark.parametrize("agent", AGENTS)
def test_agents_double_a_big_save_and_keep_it_from_a_small_one(agent: str) -> None:
    config = match(mine=[DOUBLE])
    assert position("111346", config).advice(agent) == "use double"
    assert position("111346", config, flags=["double_next_save"]).advice(agent) == "pass abc"
    assert position("122346", config).advice(agent) == "save a"


@pytest.mark.parametrize("agent", AGENTS)
def test_agents_take_points_that_an_item_gives_and_leave_losses(agent: str) -> None:
    assert position("122346", match(mine=[active("gift", {"add": 100})])).advice(agent) == "use gift"
    assert position("122346", match(mine=[active("loss", {"add": -100})])).advice(agent) == "save a"
    share = match(mine=[active("share", {"percent": 50})])
    assert position("122346", share, points=200).advice(agent, 1000) == "use share"
    assert not position("122346", share).advice(agent, 1000).startswith("use"), "half of nothing"


@pytest.mark.parametrize("agent", AGENTS)
def test_agents_turn_the_die_that_brings_most(agent: str) -> None:
    config = match(mine=[active("turn", {"set_face": {"dice": "chosen", "to": 1}})])
    game = position("151346", config)
    assert game.advice(agent) == "use turn"
    assert game.do("use turn").advice(agent) == "choose d", "three ones and the five"


@pytest.mark.parametrize("agent", AGENTS)
def test_agents_throw_the_dice_again_that_bring_nothing(agent: str) -> None:
    config = match(mine=[active("again", {"reroll": {"dice": "chosen", "count": 3}})])
    game = position("111346", config)
    assert game.advice(agent) == "use again"
    assert game.do("use again").advice(agent) == "choose def"


@pytest.mark.parametrize("agent", AGENTS)
def test_agents_do_not_throw_a_good_roll_again(agent: str) -> None:
    config = match(mine=[active("again", {"reroll": {"dice": "all"}})])
    assert position("666346", config).advice(agent, 350) == "pass abcf"
    assert position("522336", config).advice(agent, 1000) == "use again"


@pytest.mark.parametrize("agent", AGENTS)
def test_agents_load_the_dice_before_they_throw_them(agent: str) -> None:
    config = match(mine=[active("load", {"set_weights": {"dice": "all", "weights": [9, 1, 1, 1, 9, 1]}})])
    assert position("122346", config).advice(agent, 1000) == "use load"
    assert position("1....6", config, points=900).advice(agent, 1000) == "pass a"
    worse = match(mine=[active("load", {"set_weights": {"dice": "all", "weights": [1, 9, 9, 9, 1, 9]}})])
    assert position("122346", worse).advice(agent, 1000) == "save a"


@pytest.mark.parametrize(
    "agent",
    [
        "threshold",
        "greedy",
    ],
)
def test_agents_do_not_gamble_with_an_item_when_passing_wins(agent: str) -> None:
    config = match(mine=[active("again", {"reroll": {"dice": "all"}})])
    assert position("122346", config, totals=[3900, 0]).advice(agent) == "pass a"


# optimal

TARGET = 1000


@pytest.fixture(scope="module")
def solution() -> Any:
    return solver.load((FAIR, FAIR), TARGET)


def test_optimal_takes_the_best_option_of_its_table(solution: Any) -> None:
    throw_at, turn_at = interpreted(solver.throw_index), interpreted(solver.turn_index)
    levels = TARGET // 50

    def chance(game: Position, option: str) -> float:
        act, dice = option.split()
        mine, other = (game.totals[seat] // 50 for seat in (game.player, 1 - game.player))
        points = (game.points + selections(game.roll)[dice]) // 50
        if mine + points >= levels:
            return 1.0 if act == "pass" else 0.0
        if act == "pass":
            return 1 - solution.table[turn_at(levels, 1 - game.player, other, mine + points)]
        left = len(game.roll.replace(".", "")) - len(dice) or 6
        return solution.table[throw_at(levels, game.player, mine, other, points, left)]

    acts = set()
    for seed in range(40):
        for game, _ in followed(match(target=TARGET), seed):
            if game.won is None:
                chances = {option: chance(game, option) for option in game.legal()}
                advice = game.advice("optimal", book=solution.table)
                acts.add(advice.split()[0])
                assert chances[advice] == max(chances.values())
    assert acts == {"save", "pass"}


def test_optimal_passes_at_the_target(solution: Any) -> None:
    game = position("122346", match(target=TARGET), totals=[900, 950])
    assert game.advice("optimal", book=solution.table) == "pass a"


def test_optimal_dares_more_when_the_other_is_about_to_win(solution: Any) -> None:
    calm, pressed = ([0, other] for other in (0, 950))
    for totals, option in ((calm, "pass abc"), (pressed, "save abc")):
        game = position("333246", match(target=TARGET), totals=totals, points=300)
        assert game.advice("optimal", book=solution.table) == option


def test_optimal_plays_without_content_and_with_equal_dice_only(dice: Game) -> None:
    with_content = match(mine=[SHIELD])
    with pytest.raises(PlaymillError, match="without modifiers and items only"):
        simulate(dice, config=with_content, agents=["optimal", "random"], games=1)
    with pytest.raises(PlaymillError, match=r"players\.1\.dice are not"):
        simulate(dice, config=match(dice=(ONES, [FAIR] * 5 + [ONES])), agents=["optimal", "random"], games=1)


# How strong they are, by the compiled rules


@pytest.fixture(scope="module")
def dice() -> Game:
    return load_game("dice")


def wins(dice: Game, agents: list[str], games: int = 10_000, **setup: Any) -> int:
    """How many matches the first seat wins."""
    config = match(**{"target": TARGET, **setup})
    run = simulate(dice, config=config, agents=agents, games=games, seed=21, workers=1, keep_games=False)
    return int(run.counts[0]["wins"][0])


@pytest.mark.parametrize("n", [200, 250, 300, 350, 400, 450, 500, 600, 1000])
def test_optimal_beats_every_threshold(dice: Game, n: int) -> None:
    games = 20_000
    names = ["optimal", f"threshold:points={n}"]
    won = wins(dice, names) + games // 2 - wins(dice, names[::-1])
    assert won / games > 0.5 + 1.96 * 0.5 / math.sqrt(games)


def test_the_first_player_wins_as_often_as_the_table_of_optimal_says(dice: Game, solution: Any) -> None:
    games = 40_000
    error = math.sqrt(solution.first_wins * (1 - solution.first_wins) / games)
    assert abs(wins(dice, ["optimal", "optimal"], games) / games - solution.first_wins) < 4 * error


def test_the_first_player_wins_as_often_as_the_table_says_where_hot_dice_must_be_thrown(dice: Game) -> None:
    games, expected = 40_000, solver.load((FAIR, FAIR), TARGET, must_roll=True).first_wins
    error = math.sqrt(expected * (1 - expected) / games)
    assert abs(wins(dice, ["optimal", "optimal"], games, must_roll=True) / games - expected) < 4 * error


@pytest.mark.parametrize("name", ["threshold", "greedy"])
def test_agents_beat_random_play_by_far(dice: Game, name: str) -> None:
    assert wins(dice, ["random", name], 5000) < 1000


@pytest.mark.parametrize("name", ["threshold", "greedy"])
@pytest.mark.parametrize("item", ["bust_shield", "double_next_save"])
def test_items_help_the_agents_that_use_them(dice: Game, name: str, item: str) -> None:
    games = 20_000
    gained = wins(dice, [name, name], games, mine=[item], target=4000) - wins(dice, [name, name], games, target=4000)
    assert gained / games > 4 * math.sqrt(0.5 / games)
