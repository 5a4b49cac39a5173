"""The turn: setup, hand, draft, the two ends, whose turn is next, and who wins."""

from __future__ import annotations

from collections import Counter

import pytest
from grid_position import cards_anywhere, deal, deck_of, off, position, reward_of

FULL = "x x x x x / x x x x x / x x x x x / x x x x x / x x x x x"
ONE_FREE = "x x x x x / x x x x x / x x x x x / x x x x x / x x x x ."
COUNTERCLOCKWISE = ("game.players.turn_direction=counterclockwise", "game.players.next_player_definition=right")
EASY = deck_of([1], 5, 18)


def draft_changes(pick: int, hand_on: int, discard: int) -> tuple[str, ...]:
    return (
        f"game.draft.reveal={pick + hand_on + discard}",
        f"game.draft.pick_self={pick}",
        f"game.draft.pass_next_player={hand_on}",
        f"game.draft.discard={discard}",
    )


# The start


@pytest.mark.parametrize("players", [2, 3, 4])
def test_hands_and_boards_are_empty_at_the_start_and_seat_0_begins(players: int) -> None:
    game = deal(players=players)
    assert (game.s.active, game.s.player, game.s.turns, game.asked) == (0, 0, 1, "pick")
    for seat in range(players):
        assert (game.hand(seat), game.board(seat), game.vp()[seat]) == ([], "", 0)
    assert game.pile() == []


def test_deck_of_90_different_cards_less_the_three_revealed() -> None:
    game = deal()
    assert len(game.deck()) == 87
    assert cards_anywhere(game) == Counter(range(1, 91))
    texts = Counter(game.deck() + game.revealed())
    assert texts == Counter({f"{rank}{colour}": 3 for rank in range(1, 7) for colour in "abcde"})


def test_decks_of_different_games_lie_in_different_orders() -> None:
    assert len({tuple(deal(number).s.deck) for number in range(20)}) == 20
    assert tuple(deal(3).s.deck) == tuple(deal(3).s.deck)


# Phase 1: the hand


def test_hand_cards_are_placed_in_the_order_they_were_received() -> None:
    game = position(place="1a", hands=["3c 2b 6e"])
    placed = []
    while game.asked == "placement":
        placed.append(game.placing)
        game.do(game.legal()[0])
    assert placed == ["1a", "3c", "2b", "6e"]
    assert game.board(0) == "1a 3c 2b 6e ."
    assert game.asked == "pick"


def test_passed_cards_come_to_the_hand_behind_those_already_there() -> None:
    game = position(draft="1a 2b 3c", hands=["", "5e 4d"], active=0)
    game.do("pick 1a", "pass 3c", "place 0,0")
    assert (game.s.active, game.placing) == (1, "5e")
    assert game.hand(1) == ["4d", "3c"]


def test_placement_is_offered_on_each_free_cell_and_nowhere_else() -> None:
    game = position(["x . x . x / x x x x x / . x x x . / x x x x x / x x x . x"], place="3a")
    assert game.legal() == ["place 1,0", "place 3,0", "place 0,2", "place 4,2", "place 3,4"]


def test_player_cannot_stop_before_the_hand_is_empty() -> None:
    game = position(place="1a", hands=["3c 5b"])
    for _ in range(3):
        assert all(option.startswith("place") for option in game.legal())
        game.do(game.legal()[-1])
    assert game.asked == "pick"


def test_hand_without_a_free_cell_is_end2_at_once_and_the_card_stays_in_hand() -> None:
    game = position([ONE_FREE], place="3a", hands=["2b 4d"], vp=[0, 5])
    game.do("place 4,4")
    assert (game.asked, game.s.player) == ("END2", -1)
    assert game.hand(0) == ["2b", "4d"]
    assert game.pile() == []
    assert game.legal() == []
    assert game.s.turns == 1


def test_full_board_at_the_start_of_a_turn_is_end2_if_there_is_a_hand_card() -> None:
    game = position(["", FULL], place="3a", hands=["", "2b"], phase="draft").do("place 0,0")
    assert (game.asked, game.hand(1), game.s.turns) == ("END2", ["2b"], 2)


def test_full_board_without_a_hand_goes_on_to_the_draft() -> None:
    game = position([ONE_FREE], place="3a").do("place 4,4")
    assert game.asked == "pick"


def test_end2_comes_before_end1_when_both_hold() -> None:
    game = position([ONE_FREE], place="3a", hands=["2b"], deck=0).do("place 4,4")
    assert game.asked == "END2"


def test_pattern_that_clears_cells_saves_from_end2() -> None:
    board = "1a 2a 3a . x / x x x x x / x x x x x / x x x x x / x x x x x"
    game = position([board], place="4a", hands=["6e"]).do("place 3,0", "resolve H row 0,0", "refuse")
    assert (game.asked, game.placing) == ("placement", "6e")
    assert game.legal() == ["place 0,0", "place 1,0", "place 2,0", "place 3,0"]


# Phase 2: the draft


def test_draft_opens_three_cards_from_the_top_of_the_deck() -> None:
    game = position(place="6e", deck="1a 2b 3c 4d").do("place 0,0")
    assert game.revealed() == ["1a", "2b", "3c"]
    assert game.deck() == ["4d"]
    assert game.legal() == ["pick 1a", "pick 2b", "pick 3c"]


@pytest.mark.parametrize(
    ("pick", "hand_on", "left"), [("1a", "2b", "3c"), ("1a", "3c", "2b"), ("2b", "1a", "3c"), ("3c", "2b", "1a")]
)
def test_one_card_is_picked_one_passed_to_the_left_and_one_discarded(pick: str, hand_on: str, left: str) -> None:
    game = position(draft="1a 2b 3c", players=3, pile="6e", deck="4d 5d 6d")
    game.do(f"pick {pick}")
    assert game.legal() == [f"pass {card}" for card in ("1a", "2b", "3c") if card != pick]
    game.do(f"pass {hand_on}")
    assert (game.asked, game.placing, game.s.active) == ("placement", pick, 0)
    assert game.pile() == ["6e", left]
    assert [game.hand(seat) for seat in range(3)] == [[], [hand_on], []]
    game.do("place 2,2")
    assert game.cell(0, "2,2") == pick
    assert (game.s.active, game.placing) == (1, hand_on)


@pytest.mark.parametrize(("players", "active", "left"), [(2, 1, 0), (3, 2, 0), (4, 1, 2), (4, 3, 0)])
def test_left_neighbour_is_the_next_seat_and_has_the_next_turn(players: int, active: int, left: int) -> None:
    game = position(draft="1a 2b 3c", players=players, active=active).do("pick 1a", "pass 2b")
    assert game.hand(left) == ["2b"]
    assert game.do("place 0,0").s.active == left


@pytest.mark.parametrize(("players", "active", "right"), [(2, 1, 0), (3, 0, 2), (4, 1, 0), (4, 0, 3)])
def test_counterclockwise_the_next_player_sits_on_the_right(players: int, active: int, right: int) -> None:
    game = position(draft="1a 2b 3c", players=players, active=active, changes=COUNTERCLOCKWISE)
    assert game.do("pick 1a", "pass 2b").hand(right) == ["2b"]
    assert game.do("place 0,0").s.active == right


def test_every_card_of_the_hand_comes_before_the_draft() -> None:
    game = position(place="1a", hands=["2c"], deck="4d 5d 6d").do("place 0,0")
    assert (game.asked, game.placing, game.revealed()) == ("placement", "2c", [])
    assert game.do("place 1,1").revealed() == ["4d", "5d", "6d"]


@pytest.mark.parametrize(("deck", "asked"), [("1a 2b 3c", "pick"), ("1a 2b", "END1"), ("1a", "END1"), ("", "END1")])
def test_draft_needs_three_cards_in_the_deck_else_end1(deck: str, asked: str) -> None:
    game = position(place="6e", deck=deck).do("place 0,0")
    assert game.asked == asked
    if asked == "END1":
        assert game.deck() == deck.split()
        assert game.legal() == []


def test_picked_card_without_a_free_cell_is_end2_and_stays_in_hand() -> None:
    game = position([FULL], draft="1a 2b 3c", pile="6e", deck=9).do("pick 2b", "pass 3c")
    assert game.asked == "END2"
    assert game.hand(0) == ["2b"]
    assert game.hand(1) == ["3c"], "passing comes before placing"
    assert game.pile() == ["6e", "1a"], "and so does discarding"
    assert game.revealed() == []


def test_pattern_of_the_picked_card_is_resolved_before_the_turn_passes() -> None:
    game = position(["1a 2a 3a"], draft="4a 2b 3c").do("pick 4a", "pass 3c", "place 3,0")
    assert (game.asked, game.s.player) == ("resolve", 0)
    assert game.do("resolve H row 0,0", "refuse").s.active == 1


def test_draft_may_pick_and_pass_more_cards() -> None:
    game = position(draft="1a 2b 3c 4d 5e 6a", changes=draft_changes(2, 2, 2), deck=9)
    game.do("pick 4d", "pick 1a")
    assert game.legal() == ["pass 2b", "pass 3c", "pass 5e", "pass 6a"]
    game.do("pass 6a", "pass 2b")
    assert game.pile() == ["3c", "5e"]
    assert game.hand(1) == ["6a", "2b"]
    assert game.placing == "4d"
    assert game.do("place 0,0").placing == "1a"
    assert game.do("place 1,0").s.active == 1


def test_draft_may_pass_or_discard_nothing() -> None:
    game = position(draft="1a 2b", changes=draft_changes(1, 0, 1)).do("pick 1a")
    assert (game.placing, game.pile(), game.hand(1)) == ("1a", ["2b"], [])
    game = position(draft="1a 2b", changes=draft_changes(1, 1, 0)).do("pick 1a", "pass 2b")
    assert (game.placing, game.pile(), game.hand(1)) == ("1a", [], ["2b"])


def test_end2_in_a_draft_keeps_all_cards_that_cannot_be_placed() -> None:
    game = position([ONE_FREE], draft="1a 2b 3c 4d 5e", changes=draft_changes(3, 1, 1), deck=9)
    game.do("pick 5e", "pick 4d", "pick 3c", "pass 2b", "place 4,4")
    assert (game.asked, game.hand(0), game.cell(0, "4,4")) == ("END2", ["4d", "3c"], "5e")


# The empty deck


def test_deck_that_becomes_empty_in_a_draft_does_not_end_the_game() -> None:
    game = position(draft="1a 2b 3c", deck="").do("pick 1a", "pass 2b", "place 0,0")
    assert (game.asked, game.s.active, game.placing) == ("placement", 1, "2b")


def test_next_player_places_the_whole_hand_and_then_it_is_end1() -> None:
    game = position(["", "1a 2a 3a"], draft="1a 2b 3c", hands=["", "4a 6d"], deck="")
    game.do("pick 1a", "pass 2b", "place 0,0")
    game.do("place 3,0", "resolve H row 0,0", "refuse")
    assert game.vp() == [0, 7]
    game.do("place 0,4", "place 4,4")
    assert (game.asked, game.s.winner, game.s.turns) == ("END1", 1, 2)
    assert game.board(1).count("6d") == 1


def test_next_player_without_a_hand_ends_the_game_at_once() -> None:
    game = position(place="1a", phase="draft", deck="").do("place 0,0")
    assert (game.asked, game.s.active, game.s.turns) == ("END1", 1, 2)


def test_two_cards_left_are_as_good_as_none_for_the_draft() -> None:
    game = position(place="1a", phase="draft", deck="5e 6e", hands=["", "2b"]).do("place 0,0", "place 0,0")
    assert (game.asked, game.deck()) == ("END1", ["5e", "6e"])


# How many turns


def test_turn_that_ends_the_game_counts() -> None:
    """Thirty drafts of three cards, and the turn that finds the deck empty."""
    game = deal(players=4)
    while game.s.player >= 0:
        game.do_id(game.legal_ids()[-1])
    assert (game.asked, game.s.turns) == ("END1", 31)
    assert game.outcome()["turns"] == 31


def test_turns_count_from_one_and_skipped_ones_count() -> None:
    game = position(place="1a", phase="draft", players=3, skips=[1]).do("place 0,0")
    assert (game.s.active, game.s.turns) == (2, 3)
    game = position(place="1a", phase="draft", players=4, skips=[1, 2]).do("place 0,0")
    assert (game.s.active, game.s.turns) == (3, 4)


def test_extra_turn_counts() -> None:
    game = position(["1a 2a 3a"], place="4a", phase="draft").do("place 3,0", "resolve H row 0,0", "accept")
    assert (game.s.active, game.s.turns, game.asked) == (0, 2, "pick")


# The winner


@pytest.mark.parametrize(
    ("vp", "winner", "returns"),
    [
        ([7, 3], 0, [1, 0]),
        ([3, 7], 1, [0, 1]),
        ([7, 7], -1, [0.5, 0.5]),
        ([0, 0], -1, [0.5, 0.5]),
        ([1, 5, 2], 1, [0, 1, 0]),
        ([5, 1, 5], -1, [0.5, 0, 0.5]),
        ([5, 5, 6], 2, [0, 0, 1]),
        ([6, 5, 5], 0, [1, 0, 0]),
        ([0, 0, 0, 0], -1, [0.25] * 4),
        ([2, 9, 9, 1], -1, [0, 0.5, 0.5, 0]),
        ([2, 9, 8, 9], -1, [0, 0.5, 0, 0.5]),
        ([9, 9, 8, 20], 3, [0, 0, 0, 1]),
    ],
)
def test_unique_highest_score_wins_and_an_equal_one_is_nobodys_win(
    vp: list[int], winner: int, returns: list[float]
) -> None:
    game = position(place="1a", vp=vp, deck=0)
    assert game.s.winner == -1, "nobody has won while the game goes on"
    assert sum(game.returns()) == 0
    game.do("place 0,0")
    assert (game.s.winner, game.returns()) == (winner, returns)
    assert game.outcome()["winner"] == winner


def test_winner_need_not_be_the_player_who_ended_the_game() -> None:
    game = position([ONE_FREE], place="3a", hands=["2b"], vp=[4, 9, 1]).do("place 4,4")
    assert (game.asked, game.s.winner) == ("END2", 1)


def test_points_of_the_last_turn_count() -> None:
    game = position(["1a 2a 3a"], place="4a", vp=[0, 6], deck=0).do("place 3,0", "resolve H row 0,0", "refuse")
    assert (game.asked, game.s.winner, game.vp()) == ("END1", 0, [7, 6])


def test_outcome_tells_points_patterns_and_rewards_by_letter() -> None:
    board = "1a 2a 3a . . / 2b / 2c / 2d"
    game = position([board], place="4a", deck=0, changes=reward_of(H=4)).do("place 3,0", "resolve H row 0,0", "accept")
    row = game.outcome()
    assert (row["ended_by"], row["players"], row["turns"]) == (1, 2, 1)
    assert row["vp"].tolist() == [7, 0, 0, 0]
    assert row["patterns"][0].tolist() == [0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0]
    assert row["impossible"][0].tolist() == [0, 0, 0, 1, 0, 0, 0, 0, 0, 0]
    assert not row["applied"].any()
    assert not row["refused"].any()


# The switches of the ends


HAND_END = "termination.end_if_no_space_for_mandatory_hand_placement"
DRAFT_END = "termination.end_if_no_space_for_mandatory_draft_placement"
PLAY_ON = "termination.deck_empty_allows_phase1_for_next_players"


def test_without_that_end_a_hand_card_without_a_cell_is_discarded_and_the_game_goes_on() -> None:
    game = position([ONE_FREE], place="3a", hands=["2b 4d"], changes=off(HAND_END)).do("place 4,4")
    assert (game.asked, game.s.active) == ("pick", 0)
    assert game.pile() == ["2b", "4d"]
    assert game.hand(0) == []


def test_without_the_hand_end_the_draft_end_still_holds() -> None:
    game = position([ONE_FREE], place="3a", hands=["2b"], deck="1a 2a 3a", changes=off(HAND_END)).do("place 4,4")
    assert game.do("pick 1a", "pass 2a").asked == "END2"


def test_without_that_end_a_picked_card_without_a_cell_is_discarded_and_the_game_goes_on() -> None:
    game = position([FULL], draft="1a 2b 3c", changes=off(DRAFT_END)).do("pick 2b", "pass 3c")
    assert game.pile() == ["1a", "2b"]
    assert (game.asked, game.s.active, game.placing, game.s.turns) == ("placement", 1, "3c", 2)


def test_without_the_draft_end_the_hand_end_still_holds() -> None:
    game = position([ONE_FREE], place="3a", hands=["2b"], changes=off(DRAFT_END)).do("place 4,4")
    assert game.asked == "END2"


def test_without_both_ends_a_game_ends_with_end1() -> None:
    game = deal(1, changes=off(HAND_END, DRAFT_END))
    while game.s.player >= 0:
        game.do_id(game.legal_ids()[0])
    assert (game.asked, game.s.turns) == ("END1", 31)


def test_game_ends_after_the_turn_that_emptied_the_deck_if_that_switch_is_off() -> None:
    game = position(["1a 2a 3a"], draft="4a 2b 3c", deck="", changes=off(PLAY_ON)).do("pick 4a", "pass 2b", "place 3,0")
    assert game.asked == "resolve", "the turn is played to its end"
    game.do("resolve H row 0,0", "refuse")
    assert (game.asked, game.s.turns, game.s.winner, game.hand(1)) == ("END1", 1, 0, ["2b"])


def test_deck_of_one_or_two_cards_does_not_end_that_turn() -> None:
    game = position(place="1a", phase="draft", deck="5e", hands=["", "2b"], changes=off(PLAY_ON)).do("place 0,0")
    assert (game.asked, game.s.active) == ("placement", 1)
    assert game.do("place 0,0").asked == "END1"


def test_easy_games_end_too() -> None:
    for number in range(20):
        game = deal(number, players=2 + number % 3, changes=EASY)
        while game.s.player >= 0:
            game.do_id(game.legal_ids()[number % len(game.legal_ids())])
        assert game.asked in ("END1", "END2")
