"""The attack phase: who may attack whom, empty cells, chances, what a won and a lost fight leave, the last player."""

from __future__ import annotations

import math

import pytest
from influence_position import Position, position

from common.interpreter import new_rng
from common.positions import assert_even, tried
from playmill.engine.lang.rng import below
from playmill.engine.lang.rule import interpreted
from playmill.games.influence import constants, rules
from playmill.games.influence.constants import CLASSES

STRIKE = "attack 0,0 0,1"
CLASS = {-2: "le_minus2", -1: "minus1", 0: "zero", 1: "plus1", 2: "ge_plus2"}


def made_and_won(game: Position) -> dict[str, tuple[int, int]]:
    """The attacks that the statistics have counted, by class."""
    names = (*CLASS.values(), "empty")
    counts = {names[kind]: (game.s.made[kind], game.s.won[kind]) for kind in range(CLASSES)}
    return {name: count for name, count in counts.items() if count != (0, 0)}


# Who may attack


def test_own_cells_of_2_or_more_may_attack_each_neighbour_not_owned() -> None:
    game = position(
        """
        A1 A2 B3
          -  A5 A8!
        .  C2 -!
        """
    )
    assert game.legal() == [
        "attack 0,1 0,2",
        "attack 0,1 1,0",
        "attack 1,1 2,2",
        "attack 1,1 2,1",
        "attack 1,1 1,0",
        "attack 1,1 0,2",
        "attack 1,2 2,2",
        "attack 1,2 0,2",
        "end",
    ]


def test_cell_with_1_cannot_attack() -> None:
    assert position("A1 - A2 - B1").legal() == ["attack 0,2 0,3", "attack 0,2 0,1", "end"]


def test_player_whose_cells_all_hold_1_has_only_end_attack() -> None:
    assert position("A1 A1 - / A1 B1 -").legal() == ["end"]


def test_player_without_a_neighbour_to_take_has_only_end_attack() -> None:
    assert position("A8 A2 A3 . B1").legal() == ["end"]


def test_player_does_not_attack_with_the_cells_of_others() -> None:
    field = "A2 - B2 - C2"
    assert position(field, to_move="A").legal() == ["attack 0,0 0,1", "end"]
    assert position(field, to_move="B").legal() == ["attack 0,2 0,3", "attack 0,2 0,1", "end"]
    assert position(field, to_move="C").legal() == ["attack 0,4 0,3", "end"]


def test_hopeless_attack_is_allowed() -> None:
    assert position("A2 B12!").legal() == [STRIKE, "end"]


# Empty cells


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("A2 -", "A1 A1"),
        ("A3 -", "A1 A2"),
        ("A8 -", "A1 A7"),
        ("A8 -!", "A1 A7!"),
        ("A9! -", "A1! A8"),
        ("A10! -", "A2! A8"),
        ("A11! -", "A3! A8"),
        ("A12! -", "A4! A8"),
        ("A12! -!", "A1! A11!"),
    ],
)
def test_empty_cell_gets_all_but_1_as_far_as_it_has_room(before: str, after: str) -> None:
    game = position(f"{before} . B1").do(STRIKE)
    assert game.field() == f"{after} . B1"
    assert game.asked == "A attacks"


@pytest.mark.parametrize(
    ("before", "after", "weak", "strong"),
    [
        ("A5! -", "A4! A1", 1, 12),
        ("A3 -!", "A2 A1!", 3, 1),
        ("A100! -", "A1! A99", 100, 100),
        ("A100 -!", "A93 A7!", 100, 7),
    ],
)
def test_empty_cell_of_another_capacity(before: str, after: str, weak: int, strong: int) -> None:
    game = position(f"{before} . B1", weak_capacity=weak, strong_capacity=strong).do(STRIKE)
    assert game.field() == f"{after} . B1"


def test_empty_cell_is_always_taken_and_needs_no_luck() -> None:
    game = position("A2 - . B1")
    before = game.streams()
    assert tried(game, 50, Position.field, STRIKE) == {"A1 A1 . B1": 50}
    assert game.do(STRIKE).streams() == before


# Chances


def test_promised_chances_by_class() -> None:
    assert list(position("A1 B1").cfg.chance) == [0, 25, 50, 75, 100, 100]


@pytest.mark.parametrize(
    ("mine", "theirs", "percent"),
    [
        (2, 4, 0),
        (2, 3, 25),
        (3, 3, 50),
        (3, 2, 75),
        (3, 1, 100),
        (2, 12, 0),
        (10, 12, 0),
        (11, 12, 25),
        (12, 12, 50),
        (12, 11, 75),
        (12, 10, 100),
        (12, 1, 100),
        (2, 1, 75),
        (2, 2, 50),
    ],
)
def test_chance_by_the_difference(mine: int, theirs: int, percent: int) -> None:
    game = position(f"A{mine}! B{theirs}! . B1")
    times = 400
    won = tried(game, times, lambda after: after.owner((0, 1)) == 0, STRIKE).get(True, 0)
    chance = percent / 100
    assert abs(won - times * chance) <= 4 * math.sqrt(times * chance * (1 - chance))


def test_every_pair_of_strengths_is_in_the_class_of_its_difference() -> None:
    of = interpreted(rules.attack_class)
    for mine in range(2, 101):
        for theirs in range(1, 101):
            assert list(CLASS)[of(mine, theirs, 1)] == max(-2, min(2, mine - theirs))
    assert of(5, 0, constants.NOBODY) == CLASSES - 1


@pytest.mark.parametrize(("before", "won"), [("A2 B4", False), ("A2 B8", False), ("A3 B1", True), ("A8 B1", True)])
def test_attacks_of_0_and_100_percent_draw_no_luck(before: str, won: bool) -> None:
    game = position(f"{before} . B1")
    streams = game.streams()
    game.do(STRIKE)
    assert (game.owner((0, 1)) == 0) == won
    assert game.streams() == streams


@pytest.mark.parametrize("difference", [-1, 0, 1])
@pytest.mark.parametrize(("to_move", "stream"), [("A", 1), ("B", 2), ("C", 3)])
def test_attack_with_a_chance_draws_from_the_attackers_own_luck(difference: int, to_move: str, stream: int) -> None:
    other = "B" if to_move == "A" else "A"
    game = position(f"{to_move}5 {other}{5 - difference} . A1 B1 C1", to_move=to_move)
    before = game.streams()
    after = game.do(STRIKE).streams()
    assert [number for number in range(len(before)) if before[number] != after[number]] == [stream]


def test_fights_one_after_another_have_luck_of_their_own() -> None:
    game = position("A2 B2 . A2 B2 . B1")
    seen = tried(game, 400, lambda after: (after.owner((0, 1)), after.owner((0, 4))), STRIKE, "attack 0,3 0,4")
    assert_even(seen, [(0, 0), (0, 1), (1, 0), (1, 1)])


@pytest.mark.parametrize(
    ("change", "percent", "before", "after"),
    [
        ("chance_le_minus2", 100, "A2 B4", "A1 A1"),
        ("chance_minus1", 100, "A2 B3", "A1 A1"),
        ("chance_zero", 100, "A3 B3", "A1 A1"),
        ("chance_plus1", 100, "A3 B2", "A1 A1"),
        ("chance_minus1", 0, "A2 B3", "A1 B1"),
        ("chance_zero", 0, "A3 B3", "A1 B1"),
        ("chance_plus1", 0, "A3 B2", "A1 B1"),
        ("chance_ge_plus2", 0, "A4 B2", "A1 B1"),
    ],
)
def test_each_chance_can_be_set_apart(change: str, percent: int, before: str, after: str) -> None:
    game = position(f"{before} . B1", **{change: percent})
    streams = game.streams()
    assert game.do(STRIKE).field() == f"{after} . B1"
    assert game.streams() == streams


@pytest.mark.parametrize("percent", [1, 25, 50, 75, 99])
def test_so_many_of_100_draws_win(percent: int) -> None:
    """The draw itself: 0 to 99, each equally likely; those below the chance win."""
    draw = interpreted(below)
    game = position("A2 B4 . B1", chance_le_minus2=percent)
    seen = set()
    for number in range(600):
        drawn = draw(new_rng(number), constants.FIGHT, 100)
        seen.add(drawn - percent)
        assert (game.again(number).do(STRIKE).owner((0, 1)) == 0) == (drawn < percent)
    assert {-1, 0} <= seen, "both sides of the border were met"


# What a fight leaves


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("A3 B1", "A1 A2"),
        ("A2 B2", "A1 A1"),
        ("A2 B1", "A1 A1"),
        ("A2 B3", "A1 A1"),
        ("A3 B2", "A1 A1"),
        ("A4 B2", "A1 A2"),
        ("A7 B3", "A1 A4"),
        ("A8 B1", "A1 A7"),
        ("A8 B1!", "A1 A7!"),
        ("A9! B1", "A1! A8"),
        ("A10! B1", "A2! A8"),
        ("A12! B1", "A4! A8"),
        ("A12! B2", "A3! A8"),
        ("A12! B3", "A2! A8"),
        ("A12! B4", "A1! A8"),
        ("A12! B5", "A1! A7"),
        ("A12! B1!", "A1! A11!"),
        ("A12! B12!", "A1! A1!"),
        ("A11! B12!", "A1! A1!"),
    ],
)
def test_won_fight_moves_the_difference_at_least_1_and_the_source_keeps_1_and_what_did_not_fit(
    before: str, after: str
) -> None:
    assert position(f"{before} . B1").fight(STRIKE, won=True).field() == f"{after} . B1"


def test_won_fight_into_a_small_cell() -> None:
    game = position("A9! B2 . B1", weak_capacity=2).do(STRIKE)
    assert game.field() == "A6! A2 . B1", "7 go, 2 fit"
    assert position("A9! B1 . B1", weak_capacity=1).do(STRIKE).field() == "A8! A1 . B1"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("A2 B2", "A1 B1"),
        ("A2 B1", "A1 B1"),
        ("A3 B2", "A1 B1"),
        ("A2 B3", "A1 B1"),
        ("A8 B8", "A1 B1"),
        ("A2 B4", "A1 B2"),
        ("A2 B5", "A1 B3"),
        ("A2 B8", "A1 B6"),
        ("A6 B8", "A1 B2"),
        ("A3 B12!", "A1 B9!"),
        ("A10! B12!", "A1! B2!"),
        ("A12! B11!", "A1! B1!"),
    ],
)
def test_lost_fight_leaves_1_and_takes_the_attackers_influence_from_the_defender(before: str, after: str) -> None:
    game = position(f"{before} . B1").fight(STRIKE, won=False)
    assert game.field() == f"{after} . B1"
    assert game.asked == "A attacks"


def test_every_pair_of_strengths_leaves_what_the_page_says() -> None:
    """All strengths of a weak and a strong cell against each other, by the formulas of the page."""
    for source in ("", "!"):
        for target, capacity in (("", 8), ("!", 12)):
            for mine in range(2, 13 if source else 9):
                for theirs in range(1, capacity + 1):
                    game = position(f"A{mine}{source} B{theirs}{target} . B1")
                    moved = max(1, mine - theirs)
                    fits = min(moved, capacity)
                    won = f"A{1 + moved - fits}{source} A{fits}{target} . B1"
                    lost = f"A1{source} B{max(1, theirs - mine)}{target} . B1"
                    outcomes = {won} if mine - theirs >= 2 else {lost} if mine - theirs <= -2 else {won, lost}
                    assert game.again(1).do(STRIKE).field() in outcomes
                    if len(outcomes) == 2:
                        assert game.fight(STRIKE, won=True).field() == won
                        assert game.fight(STRIKE, won=False).field() == lost


def test_attack_touches_nothing_but_source_and_target() -> None:
    field = "B2 C3 A4! / - A2 B{} / A5 - C1!"
    for strength, won in ((2, False), (2, True), (4, False)):
        game = position(field.format(strength))
        text = "attack 1,1 1,2"
        after = game.fight(text, won=won) if strength == 2 else game.do(text)
        left = {True: "A1 A1", False: f"A1 B{max(1, strength - 2)}"}[won]
        assert after.field() == f"B2 C3 A4! / - {left} / A5 - C1!"
        assert (after.s.rounds, after.asked) == (1, "A attacks")


# One attack after another


def test_influence_walks_on_and_leaves_1_behind() -> None:
    game = position("A3 - - . B1").do(STRIKE)
    assert game.field() == "A1 A2 - . B1"
    assert game.legal() == ["attack 0,1 0,2", "end"]
    game.do("attack 0,1 0,2")
    assert game.field() == "A1 A1 A1 . B1"
    assert game.legal() == ["end"]


def test_conquered_cell_may_attack_in_the_same_turn() -> None:
    game = position("A8 B2 B2 . B1").do(STRIKE)
    assert game.field() == "A1 A6 B2 . B1"
    assert game.do("attack 0,1 0,2").field() == "A1 A1 A4 . B1"


def test_source_that_kept_2_or_more_may_attack_again() -> None:
    game = position("- A12! - . B1").do("attack 0,1 0,2")
    assert game.legal() == ["attack 0,1 0,0", "end"], "the 8 have nowhere to go"
    assert game.do("attack 0,1 0,0").field() == "A3 A1! A8 . B1"
    game = position("- A10! - . B1").do("attack 0,1 0,2")
    assert game.legal() == ["attack 0,1 0,0", "end"], "2 are enough"
    assert game.do("attack 0,1 0,0").field() == "A1 A1! A8 . B1"


def test_beaten_attacker_is_out_but_another_may_attack_the_same_cell() -> None:
    game = position("A3 B5 A4 . B1").do("attack 0,0 0,1")
    assert game.field() == "A1 B2 A4 . B1"
    assert game.legal() == ["attack 0,2 0,1", "end"]
    assert game.do("attack 0,2 0,1").field() == "A1 A2 A1 . B1"


def test_attack_cell_taken_is_no_target_any_more_for_other_own_cells() -> None:
    game = position("A4 - A4 / B1 . .").do("attack 0,0 0,1")
    assert game.legal() == ["attack 0,1 1,0", "end"], "0,0 is down to 1, and 0,2 has own cells and holes about it"
    assert game.field() == "A1 A3 A4 / B1 . ."


def test_cells_beside_a_lost_one_may_attack_it_in_their_own_turn() -> None:
    game = position("B5 B1 A5 / C4 C1 -", to_move="A").do("attack 0,2 0,1", "end", "auto")
    assert (game.field(), game.asked) == ("B5 A5 A2 / C4 C1 -", "B attacks")
    assert game.legal() == ["attack 0,0 0,1", "attack 0,0 1,0", "end"]
    assert game.do("end", "auto").legal() == ["attack 1,0 0,0", "attack 1,0 0,1", "end"]


def test_attack_ends_when_the_player_says_so() -> None:
    game = position("A3 - - . B1")
    assert game.again().do("end").asked == "A places 1"
    assert game.again().do(STRIKE, "end").asked == "A places 2"
    assert game.do(STRIKE, "attack 0,1 0,2").asked == "A attacks", "not by itself"


# The last player on the field


@pytest.mark.parametrize(
    ("to_move", "field", "winner", "returns"), [("A", "A3 B1", "A", [1, 0]), ("B", "B3 A1", "B", [0, 1])]
)
def test_last_player_wins_at_once(to_move: str, field: str, winner: str, returns: list[float]) -> None:
    game = position(f"{field} -", to_move=to_move).do(STRIKE)
    assert game.asked == f"{winner} wins alone"
    assert (game.legal(), game.counted_ids()) == ([], [])
    assert game.returns() == returns
    assert game.field() == f"{winner}1 {winner}2 -", "though 2 could go on"


def test_last_player_wins_by_chance_too_and_a_lost_fight_never_eliminates() -> None:
    game = position("A2 B2")
    assert game.fight(STRIKE, won=True).asked == "A wins alone"
    assert game.fight(STRIKE, won=False).asked == "A attacks"


def test_player_who_lost_the_last_cell_is_out_and_the_attack_goes_on() -> None:
    game = position("A8 B1 C1 C3").do(STRIKE)
    assert (game.field(), game.asked) == ("A1 A7 C1 C3", "A attacks")
    assert game.s.living == 2
    game.do("attack 0,1 0,2")
    assert (game.field(), game.asked) == ("A1 A1 A6 C3", "A attacks"), "she has another cell"
    game.do("attack 0,2 0,3")
    assert (game.field(), game.asked) == ("A1 A1 A1 A3", "A wins alone")
    assert game.returns() == [1, 0, 0]


def test_player_may_be_the_last_after_many_rounds_with_a_worse_result() -> None:
    game = position("A3 B1", rounds=7, round_limit=7, turns=[[2, 3], [90, 1]]).do(STRIKE)
    assert game.asked == "A wins alone"
    row = game.outcome()
    assert (row["winner"], row["ended_by"], row["rounds"]) == (0, 0, 7)


def test_eliminated_players_keep_nothing() -> None:
    game = position("A8 B1 . C1").do(STRIKE)
    assert (game.s.cells[1], game.s.total[1], game.s.capacity[1]) == (0, 0, 0)
    assert not any(game.s.own[1, word] for word in range(8))


# What the statistics are told


def test_attacks_are_counted_by_class_made_and_won() -> None:
    game = position("A8 - . A3 B1 . A2 B5 . B1").do(STRIKE, "attack 0,3 0,4", "attack 0,6 0,7")
    assert made_and_won(game) == {"empty": (1, 1), "ge_plus2": (1, 1), "le_minus2": (1, 0)}
    for difference, kind in ((-1, "minus1"), (0, "zero"), (1, "plus1")):
        for won in (False, True):
            fight = position(f"A5 B{5 - difference} . B1").fight(STRIKE, won=won)
            assert made_and_won(fight) == {kind: (1, int(won))}


def test_first_blood_is_the_first_cell_taken_from_an_enemy() -> None:
    game = position("A4 - B4 B1 . C9! B1 . A1", to_move="A")
    game.do(STRIKE)
    assert game.s.first_blood == constants.NOBODY, "an empty cell is nobody's"
    game = game.fight("attack 0,1 0,2", won=False)
    assert game.s.first_blood == constants.NOBODY, "nor is a lost fight blood"
    game.do("end", "auto", "end", "auto")
    assert game.asked == "C attacks"
    game.do("attack 0,5 0,6")
    assert game.s.first_blood == 2
    game = position("A5 B1 . B3 A1 . B1").do(STRIKE, "end", "auto", "attack 0,3 0,4")
    assert game.s.first_blood == 0, "the first one stays"
