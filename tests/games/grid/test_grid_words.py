"""Grid in words: how actions are written, what is seen, and that events and positions say what happened."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from grid_scenes import LARGE, SHIPPED, SMALL, games, lively, played, quiet
from grid_stock import STOCK

from playmill.games.grid import constants, words
from playmill.games.grid.actions import (
    ACCEPT,
    FROM_DISCARD,
    MATCH,
    NO_MATCH,
    PASS,
    PICK,
    PLACE,
    PUT_OTHER,
    PUT_SELF,
    REFUSE,
    TAKE_OTHER,
    TAKE_SELF,
    TARGET,
)
from playmill.games.grid.constants import (
    APPLY,
    DRAFT_PASS,
    DRAFT_PICK,
    EXTRA_TURN,
    JOKER,
    MOVE_OTHERS,
    OPPONENT_EMPTY,
    PATTERNS,
    RESOLVE,
    SELF_CARD,
    SELF_EMPTY,
    SKIP_TURN,
    STEAL,
)
from playmill.games.grid.words import names, position_text
from playmill.texts import LANGUAGES, Text

#: Cards of the shipped deck: red, blue and green circles, squares, triangles of rank 1 come first.
RED_CIRCLE_1, RED_SQUARE_1, BLUE_CIRCLE_1, RED_CIRCLE_2 = 1, 2, 4, 16
#: Windows of the shipped board: nine squares, lines of five (rows first), lines of four.
FIRST_SQUARE, FIRST_FIVE, FIRST_FOUR = 0, 9, 19


def test_actions_that_cannot_be_under_a_config_have_no_words() -> None:
    shipped, large, small = (set(STOCK.meaningful(config)) for config in (SHIPPED, LARGE, SMALL))
    assert NO_MATCH in large and NO_MATCH not in shipped
    assert PLACE + 24 in shipped and PLACE + 25 not in shipped and PLACE + 48 in large
    assert PICK + 2 in shipped and PICK + 3 not in shipped
    assert TARGET + 3 in shipped and TARGET + 3 not in small
    assert MATCH + FIRST_SQUARE * PATTERNS + 0 in shipped, "A is a square"
    assert MATCH + FIRST_SQUARE * PATTERNS + 4 not in shipped, "E is a line"
    assert sum(MATCH <= action < NO_MATCH for action in shipped) == 9 * 4 + 10 * 3 + 20 * 3


@pytest.mark.parametrize(
    ("action", "short"),
    [
        (PLACE + 17, "place 2,3"),
        (PICK, "pick 1"),
        (PASS + 2, "pass 3"),
        (MATCH + (FIRST_SQUARE + 1) * PATTERNS + 2, "resolve C square 1,0"),
        (MATCH + (FIRST_FIVE + 2) * PATTERNS + 6, "resolve G row 0,2"),
        (MATCH + (FIRST_FIVE + 5) * PATTERNS + 6, "resolve G column 0,0"),
        (MATCH + (FIRST_FOUR + 5) * PATTERNS + 7, "resolve H row 1,2"),
        (REFUSE, "refuse"),
        (ACCEPT, "accept"),
        (TAKE_SELF + 6, "take 1,1"),
        (PUT_SELF + 4, "put 4,0"),
        (TARGET + 1, "at 2"),
        (TAKE_OTHER + 6, "take-from 1,1"),
        (PUT_OTHER + 20, "put-there 0,4"),
        (FROM_DISCARD + 6, "discard 7"),
    ],
)
def test_text_forms_look_as_documented(action: int, short: str) -> None:
    assert words.to_text(SHIPPED, action) == short
    assert words.to_text(LARGE, NO_MATCH) == "resolve none"


def test_cards_are_named_by_colour_shape_and_rank() -> None:
    assert names.card_name(SHIPPED, RED_CIRCLE_1) == Text("red circle 1", "красный круг 1")
    assert names.card_name(SHIPPED, 90) == Text("purple triangle 6", "фиолетовый треугольник 6")
    assert names.card_name(SHIPPED, JOKER) == Text("a joker", "джокер")
    assert [names.card_key(SHIPPED, BLUE_CIRCLE_1, lang) for lang in LANGUAGES] == ["1B", "1С"]
    assert names.card_key(SHIPPED, JOKER, "en") == "★"
    config = lively(1)
    assert names.card_name(config, 56) == Text("1 of colour 7 and shape 8", "1 цвета 7 и формы 8")
    assert names.card_name(config, 49) == Text("circle 1 of colour 7", "круг 1 цвета 7")
    assert names.card_name(config, 8) == Text("red 1 of shape 8", "красный 1 формы 8")
    assert names.card_key(config, 56, "ru") == "1#7"


def test_fields_of_actions() -> None:
    assert words.fields(SHIPPED, PLACE + 17) == {"act": "place", "x": 2, "y": 3}
    assert words.fields(SHIPPED, PASS + 1) == {"act": "pass", "card": 2}
    assert words.fields(SHIPPED, TARGET + 1) == {"act": "opponent", "player": 2}
    assert words.fields(SHIPPED, FROM_DISCARD) == {"act": "discard_ref", "place": 1}
    match = words.fields(SHIPPED, MATCH + FIRST_FOUR * PATTERNS + 7)
    assert match["pattern"] == "H" and match["vp"] == 7 and match["reward"] == "RWD4"
    assert match["cells"] == [[0, 0], [1, 0], [2, 0], [3, 0]]


def test_a_decision_is_named_by_its_kind() -> None:
    kinds = ["placement", "draft_pick", "draft_pass", "pattern", "reward"] + ["reward_param"] * 6
    assert [words.decision_kind(quiet(kind=kind)) for kind in range(11)] == kinds
    assert list(words.DECISION_NAMES) == kinds[:6]


@pytest.mark.parametrize("lang", LANGUAGES)
def test_what_is_seen_tells_nothing_of_the_order_of_the_deck(lang: Any) -> None:
    for config, (before, _, _, after) in games():
        for s in (before, after):
            data = words.seen(config, s, 0, lang)
            other = s.copy()
            other["deck"][: s["deck_size"]] = s["deck"][: s["deck_size"]][::-1]
            assert json.dumps(data) == json.dumps(words.seen(config, other, 0, lang))


def test_what_is_seen_has_boards_hands_and_the_reward_in_question() -> None:
    s = quiet(kind=SELF_EMPTY, reward=STEAL, pattern=6, pattern_cells=0b11111, target=2, source=5, discard_size=2)
    s["board"][0, [0, 6]], s["hand"][1, 0], s["hand_size"][1] = (RED_CIRCLE_1, JOKER), BLUE_CIRCLE_1, 1
    s["discard"][:2], s["skip"][2] = (RED_CIRCLE_2, JOKER), 1
    data: Any = words.seen(SHIPPED, s, 1, "ru")
    assert data["players"][0]["board"][0] == [{"rank": 1, "color": 1, "shape": 1}, None, None, None, None]
    assert data["players"][0]["board"][1][1] == "joker" and len(data["players"]) == 3
    assert data["players"][1]["hand"] == [{"rank": 1, "color": 2, "shape": 1}]
    assert data["players"][2]["skips_next_turn"] and data["discard"][-1] == "joker"
    assert data["pattern"]["id"] == "G" and data["pattern"]["cells"][4] == [4, 0]
    assert data["reward"]["id"] == "RWD10" and data["reward"]["name"] == "украсть карту соперника"
    assert data["reward"]["choice"] == "choose_self_empty_cell_coord"
    assert data["reward"]["opponent"] == 3 and data["reward"]["source"] == [0, 1]


def test_a_position_has_the_boards_side_by_side() -> None:
    s = quiet(card=RED_CIRCLE_2, vp=(7, 0, 12, 0))
    s["board"][0, [0, 12]] = (BLUE_CIRCLE_1, JOKER)
    lines = words.position(SHIPPED, s, "en").splitlines()
    assert lines[0] == "turn 4 · phase 2: draft · Placement · player 1 decides"
    assert lines[2] == "Open cards: – · To be placed: 2R"
    assert lines[3].split("   ")[0] == "* player 1: 7 VP" and "player 3: 12 VP" in lines[3]
    assert lines[5].startswith("  0 1B ·  ·  ·  ·")
    assert lines[7].startswith("  2 ·  +  ★  +  ·")
    assert "1С" in words.position(SHIPPED, s, "ru") and "решает игрок 1" in words.position(SHIPPED, s, "ru")


def test_every_step_of_many_games_is_told() -> None:
    told = set()
    for config, (before, _, action, after) in games():
        events = words.events(config, before, after, action)
        told |= {re.sub(r"\d+", "#", event.en) for event in events}
        assert not [event for event in events if event.en.startswith("no free cell")], "the shipped rules end the game"
        if after["turns"] != before["turns"]:
            assert any(event.en.startswith(f"turn {after['turns']}: player {after['active'] + 1}") for event in events)
    text = "\n".join(told)
    for part in (
        "scores # VP",
        "earns an extra turn",
        "will skip a turn",
        "skips it",
        ", extra turn",
        "moves from",
        "is stolen from",
        "a joker appears",
        "returns from the discard pile",
        "goes to the discard pile",
        "the pattern is cleared",
        "open cards: ",
        "END#",
    ):
        assert part in text, part


def test_a_draft_names_what_was_picked_passed_and_discarded() -> None:
    before = quiet(kind=DRAFT_PICK, revealed=(RED_CIRCLE_1, RED_SQUARE_1, BLUE_CIRCLE_1, 0, 0, 0, 0, 0))
    after = quiet(kind=DRAFT_PASS)
    assert words.events(SHIPPED, before, after, PICK + 1) == [Text("it is red square 1", "это красный квадрат 1")]
    before = quiet(kind=DRAFT_PASS, passes=1, revealed=(RED_CIRCLE_1, 0, BLUE_CIRCLE_1, 0, 0, 0, 0, 0), active=2)
    after = quiet(discard_size=1, active=2)
    assert words.events(SHIPPED, before, after, PASS + 2) == [
        Text("it is blue circle 1; player 1 gets it", "это синий круг 1; карту получает игрок 1"),
        Text("to the discard pile: red circle 1", "в сброс: красный круг 1"),
    ]


def test_turns_skipped_and_extra_turns_are_told() -> None:
    before, after = quiet(card=RED_CIRCLE_1), quiet(turns=7, active=0, player=0)
    assert [event.en for event in words.events(SHIPPED, before, after, PLACE)][1:] == [
        "turn 5: player 2 skips it",
        "turn 6: player 3 skips it",
        "turn 7: player 1",
    ]
    before, after = quiet(card=RED_CIRCLE_1, extra=1), quiet(turns=5)
    assert words.events(SHIPPED, before, after, PLACE)[1] == Text(
        "turn 5: player 1, extra turn", "ход 5: игрок 1, дополнительный ход"
    )


def test_an_extra_turn_dropped_for_want_of_a_deck_is_told() -> None:
    before = quiet(card=RED_CIRCLE_1, extra=1, deck_size=0)
    assert words.events(SHIPPED, before, quiet(turns=5, active=1, player=1, deck_size=0), PLACE)[1:] == [
        Text("the deck is empty: no extra turn", "колода пуста: дополнительного хода не будет"),
        Text("turn 5: player 2", "ход 5: игрок 2"),
    ]
    granted = SHIPPED.changed(["game.rewards.extra_turn_ignored_if_deck_empty=false"])
    told = words.events(granted, before, quiet(turns=5, deck_size=0), PLACE)
    assert [event.en for event in told[1:]] == ["turn 5: player 1, extra turn"]


def test_points_are_po_in_russian_wherever_they_are_told() -> None:
    for config, (before, _, action, after) in games():
        russian = [event.ru for event in words.events(config, before, after, action)]
        russian += [words.position(config, after, "ru"), words.describe(config, action).ru]
        assert "VP" not in " ".join(russian)
    assert "7 ПО" in words.position(SHIPPED, quiet(vp=(7, 0, 0, 0)), "ru")


def test_a_reward_is_refused_applied_or_impossible() -> None:
    before = quiet(kind=APPLY, pattern_cells=0b1111, reward=SKIP_TURN)
    after = quiet(reward=SKIP_TURN, discard_size=4)
    after["refused"][0, SKIP_TURN] = 1
    assert words.events(SHIPPED, before, after, REFUSE)[0].en == "reward refused: RWD5, the next player skips a turn"
    after["refused"], after["applied"][0, SKIP_TURN] = 0, 1
    assert words.events(SHIPPED, before, after, ACCEPT) == [
        Text("player 2 will skip a turn", "игрок 2 пропустит ход"),
        Text("the pattern is cleared: 4 cards to the discard pile", "паттерн очищен, в сброс уходят 4 карты"),
    ]
    before, after = quiet(kind=APPLY, pattern_cells=15, reward=EXTRA_TURN), quiet(reward=EXTRA_TURN, discard_size=4)
    after["impossible"][0, EXTRA_TURN] = 1
    told = words.events(SHIPPED, before, after, ACCEPT)[0]
    assert told == Text("reward impossible: RWD4, an extra turn", "награда невозможна: RWD4, дополнительный ход")


def test_a_moved_card_is_told_with_both_cells() -> None:
    before = quiet(kind=OPPONENT_EMPTY, reward=MOVE_OTHERS, target=1, source=0, pattern_cells=0b1111)
    before["board"][1, 0] = RED_CIRCLE_1
    told = words.events(SHIPPED, before, quiet(reward=MOVE_OTHERS, discard_size=4), PUT_OTHER + 20)
    assert told[0] == Text(
        "red circle 1 moves from (0, 0) to (0, 4)", "красный круг 1 переходит с клетки (0, 0) на (0, 4)"
    )
    before = quiet(kind=SELF_CARD, reward=0, pattern_cells=0b1111)
    before["board"][0, 2] = JOKER
    told = words.events(SHIPPED, before, quiet(discard_size=4), TAKE_SELF + 2)
    assert [event.en for event in told] == [
        "a joker goes to the discard pile",
        "the pattern is cleared: 3 cards to the discard pile",
    ]


def test_a_mandatory_reward_is_told_together_with_its_pattern() -> None:
    before, after = quiet(kind=RESOLVE), quiet(reward=EXTRA_TURN, discard_size=4, vp=(7, 0, 0, 0))
    after["applied"][0, EXTRA_TURN] = 1
    assert [event.en for event in words.events(SHIPPED, before, after, MATCH + FIRST_FOUR * PATTERNS + 7)] == [
        "pattern H: player 1 scores 7 VP and has 7",
        "player 1 earns an extra turn",
        "the pattern is cleared: 4 cards to the discard pile",
    ]
    assert words.events(LARGE, quiet(kind=RESOLVE), quiet(), NO_MATCH) == []


def test_cards_without_a_free_cell_are_told_in_the_turn_they_are_lost() -> None:
    config = lively(
        1, end_if_no_space_for_mandatory_hand_placement=False, end_if_no_space_for_mandatory_draft_placement=False
    ).changed(["game.grid.width=3", "game.grid.height=3"])
    lost = 0
    for before, _, action, after in played(config, 2, 5).steps:
        told = [event.en for event in words.events(config, before, after, action)]
        lost += sum(line.startswith("no free cell: ") for line in told)
        turn = next((i for i, line in enumerate(told) if line.startswith("turn ")), None)
        for i, line in enumerate(told):
            if turn is not None and line.startswith("no free cell: "):
                mine = before["kind"] == DRAFT_PASS and names.card_name(config, int(before["picked"][0])).en in line
                assert (i < turn) == mine
    assert lost > 0


def test_the_end_says_who_wins_and_why() -> None:
    s = quiet(player=-1, winner=1, end=constants.END2, vp=(7, 21, 0, 0))
    assert position_text.ending(SHIPPED, s) == Text(
        "player 2 wins with 21 VP: END2, no free cell", "побеждает игрок 2, 21 ПО: END2, нет свободной клетки"
    )
    s = quiet(player=-1, end=constants.END1, vp=(7, 0, 7, 0), phase=constants.FROM_HAND, deck_size=2)
    assert position_text.ending(SHIPPED, s) == Text(
        "a tie, players 1 and 3 have 7 VP: END1, the deck is too small for a draft",
        "ничья, у игроков 1 и 3 по 7 ПО: END1, в колоде не хватает карт на драфт",
    )
    s = quiet(player=-1, end=constants.END1, winner=0, deck_size=0)
    assert position_text.ending(SHIPPED, s).en.endswith("END1, the deck is empty")
