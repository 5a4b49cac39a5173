"""Influence in words: text forms round-trip, both languages speak, events and positions say what happened."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from influence_scenes import DUEL, LARGE, SMALL, TALL, WIDE, after, config_of, game, games, options, set_up
from influence_stock import STOCK

from common.effort import share
from playmill.games.influence import words
from playmill.games.influence.actions import ATTACK, AUTO, END_ATTACK, PLACE
from playmill.games.influence.config import Config
from playmill.games.influence.constants import NOBODY, SIDES
from playmill.games.influence.maps.model import beside
from playmill.games.influence.view import view
from playmill.games.influence.words import names
from playmill.texts import LANGUAGES, Lang, PlaymillError, Text

MAPS = st.integers(1, 12).flatmap(lambda wide: st.lists(st.text("wS.", min_size=wide, max_size=wide), max_size=12))


def at(config: Config, row: int, column: int) -> int:
    """The number of a cell by its place."""
    return names.board_of(config).numbers[row, column]


def sentences_of(config: Config, s: Any, action: int, number: int = 0) -> list[Text]:
    return words.events(config, s, after(config, s, action, number), action)


# Actions


@given(MAPS)
@settings(max_examples=share(60), deadline=None)
def test_text_forms_of_any_map_are_read_back(rows: list[str]) -> None:
    try:
        config = config_of(rows)
    except PlaymillError:
        return
    cells = names.board_of(config).places
    actions = STOCK.meaningful(config)
    assert [words.parse(config, words.to_text(config, action)) for action in actions] == actions
    attacks = [action for action in actions if action < END_ATTACK]
    assert len(attacks) == sum(place in cells for cell in cells for place in beside(cell))
    assert len(actions) == len(attacks) + len(cells) + 2


def test_actions_that_cannot_be_on_a_map_have_no_words() -> None:
    assert len([action for action in STOCK.meaningful(DUEL) if action < END_ATTACK]) == 18
    assert PLACE + 5 in STOCK.meaningful(DUEL) and PLACE + 6 not in STOCK.meaningful(DUEL)
    for action in (PLACE + 15, ATTACK + 3, ATTACK + SIDES * 15):
        assert action not in STOCK.meaningful(SMALL)


@pytest.mark.parametrize(
    ("short", "en", "ru"),
    [
        ("a2.2e", "attacks cell 2.3 from cell 2.2", "атакует клетку 2.3 с клетки 2.2"),
        ("a2.2se", "attacks cell 3.2 from cell 2.2", "атакует клетку 3.2 с клетки 2.2"),
        ("a2.1sw", "attacks cell 3.0 from cell 2.1", "атакует клетку 3.0 с клетки 2.1"),
        ("a2.2w", "attacks cell 2.1 from cell 2.2", "атакует клетку 2.1 с клетки 2.2"),
        ("a3.2nw", "attacks cell 2.2 from cell 3.2", "атакует клетку 2.2 с клетки 3.2"),
        ("a1.2ne", "attacks cell 0.3 from cell 1.2", "атакует клетку 0.3 с клетки 1.2"),
        ("end", "ends the attack", "заканчивает атаку"),
        ("+1.3", "puts a point on cell 1.3", "добавляет очко на клетку 1.3"),
        ("auto", "places the remaining points automatically", "распределяет оставшиеся очки автоматически"),
    ],
)
def test_actions_look_as_documented(short: str, en: str, ru: str) -> None:
    action = words.parse(SMALL, short)
    assert words.to_text(SMALL, action) == short and words.describe(SMALL, action) == Text(en, ru)


def test_fields_of_actions() -> None:
    assert words.fields(SMALL, words.parse(SMALL, "a2.2se")) == {
        "act": "attack",
        "from": [2, 2],
        "to": [3, 2],
        "direction": "se",
    }
    assert words.fields(SMALL, PLACE + at(SMALL, 2, 3)) == {"act": "place", "cell": [2, 3]}
    assert words.fields(SMALL, END_ATTACK) == {"act": "end"} and words.fields(SMALL, AUTO) == {"act": "auto"}


# Words


def test_a_decision_is_an_attack_or_a_defence() -> None:
    _, s = set_up("A3 B2")
    assert words.decision_kind(s) == "attack"
    s["phase"] = 1
    assert words.decision_kind(s) == "defence" and list(words.DECISION_NAMES) == ["attack", "defence"]


def test_players_who_are_out_are_still_counted() -> None:
    for config, (before, _, _, now) in games():
        assert names.players_of(before) == names.players_of(now), config.map.name
    _, s = set_up("A3 B2 - -", 4)
    assert names.players_of(s) == 4
    s["turns"][3] = 0
    assert names.players_of(s) == 4, "the last one fell before her first turn"


def test_the_chance_is_that_of_the_config() -> None:
    config = config_of(["ww"], chance_le_minus2=1, chance_minus1=2, chance_zero=3, chance_plus1=4, chance_ge_plus2=5)
    assert [names.chance_of(config, mine, 5, 1) for mine in range(2, 10)] == [1, 1, 2, 3, 4, 5, 5, 5]
    assert names.chance_of(config, 2, 0, NOBODY) == 100


# What a player sees


@pytest.mark.parametrize("lang", LANGUAGES)
def test_what_is_seen_is_plain_data_the_same_for_all(lang: Lang) -> None:
    for config, (before, _, _, now) in list(games())[::25]:
        for s in (before, now):
            data, other = (words.seen(config, s, player, lang) for player in (0, 1))
            assert json.loads(json.dumps(data)) == json.loads(json.dumps(other)) | {"player": 1}
            assert {key for key in data if data[key] != other[key]} == {"player"}


def test_the_field_is_seen_by_row_and_column_with_holes() -> None:
    config, s = set_up("A3 .  -!\n-  B12! C1", 3, to_move=1, rounds=7)
    data: Any = words.seen(config, s, 2, "en")
    assert data["owners"] == [[1, None, 0], [0, 2, 3]]
    assert data["influence"] == [[3, None, 0], [0, 12, 1]]
    assert data["capacity"] == [[8, None, 12], [8, 12, 8]]
    assert data["neighbours"][0] == ((("se", 1, 0),), None, (("se", 1, 2), ("sw", 1, 1)))
    assert data["neighbours"][1][1] == (("e", 1, 2), ("w", 1, 0), ("ne", 0, 2))
    assert data["player"] == 3 and data["to_move"] == 2 and data["decision"] == "attack"
    assert data["round"] == 7 and data["round_limit"] == 100 and data["result_rounds"] == 10 and data["points"] == 0
    assert data["chances"] == [0, 25, 50, 75, 100] and data["map"] == "hand-made"
    assert data["players"][1] == {
        "player": 2,
        "on_field": True,
        "cells": 1,
        "influence": 12,
        "result": 12,
        "turns": 1,
    }
    assert data["winner"] is None and data["ended_by"] is None


def test_neighbours_are_those_that_can_be_attacked() -> None:
    for config in (SMALL, WIDE, TALL):
        around: Any = words.seen(config, game(config, 2, 1, most=1)[0][0], 0, "en")["neighbours"]
        for action in [action for action in STOCK.meaningful(config) if action < END_ATTACK]:
            fields: Any = words.fields(config, action)
            row, column = fields["from"]
            assert (fields["direction"], *fields["to"]) in around[row][column]


def test_what_a_bot_changes_does_not_come_back() -> None:
    config, s = set_up("A3 B2")
    data: Any = words.seen(config, s, 0, "en")
    data["owners"][0][0] = data["capacity"][0][0] = data["chances"][0] = 99
    fresh: Any = words.seen(config, s, 0, "en")
    assert fresh["owners"] == [[1, 2]] and fresh["capacity"] == [[8, 8]] and fresh["chances"][0] == 0


def test_the_end_is_seen_with_its_reason() -> None:
    config, s = set_up("A3 A2", player=NOBODY, winner=0)
    data: Any = words.seen(config, s, 1, "en")
    assert data["winner"] == 1 and data["ended_by"] == "elimination" and data["decision"] is data["to_move"] is None
    assert data["players"][1]["on_field"] is False
    config, s = set_up("A3 B2", player=NOBODY, winner=NOBODY, ended_by_limit=1)
    data = words.seen(config, s, 1, "en")
    assert data["winner"] is None and data["ended_by"] == "limit"


# Events


def test_an_empty_cell_that_is_taken_is_told() -> None:
    config, s = set_up("A12! - B2")
    assert sentences_of(config, s, words.parse(config, "a0.0e")) == [
        Text(
            "the empty cell is taken: 8 there now, 4 left at 0.0",
            "пустая клетка занята: теперь на ней 8, на 0.0 осталось 4",
        )
    ]


def test_a_fight_is_told_with_its_numbers_and_chance() -> None:
    config, s = set_up("A2 B2 B1", 2)
    action = words.parse(config, "a0.0e")
    found = {tuple(sentences_of(config, s, action, number)) for number in range(20)}
    assert found == {
        (
            Text(
                "2 against 2 (player 2), chance 50 %: taken; 1 there now, 1 left at 0.0",
                "2 против 2 (игрок 2), шанс 50 %: клетка захвачена; теперь на ней 1, на 0.0 осталось 1",
            ),
        ),
        (
            Text(
                "2 against 2 (player 2), chance 50 %: repelled; 1 left at 0.0, 1 at 0.1",
                "2 против 2 (игрок 2), шанс 50 %: атака отбита; осталось 1 на 0.0 и 1 на 0.1",
            ),
        ),
    }
    config, s = set_up("A2 B5 B1", 2)
    assert sentences_of(config, s, action) == [
        Text(
            "2 against 5 (player 2), chance 0 %: repelled; 1 left at 0.0, 3 at 0.1",
            "2 против 5 (игрок 2), шанс 0 %: атака отбита; осталось 1 на 0.0 и 3 на 0.1",
        )
    ]


def test_who_is_out_is_told_and_the_last_one_wins() -> None:
    config, s = set_up("A5 B1 C1", 3, rounds=4)
    action = words.parse(config, "a0.0e")
    assert sentences_of(config, s, action) == [
        Text(
            "5 against 1 (player 2), chance 100 %: taken; 4 there now, 1 left at 0.0",
            "5 против 1 (игрок 2), шанс 100 %: клетка захвачена; теперь на ней 4, на 0.0 осталось 1",
        ),
        Text("player 2 is out", "игрок 2 выбывает"),
    ]
    s = after(config, s, action)
    assert sentences_of(config, s, words.parse(config, "a0.1e"))[1:] == [
        Text("player 3 is out", "игрок 3 выбывает"),
        Text(
            "player 1 wins: the last one on the field, in round 4",
            "побеждает игрок 1: на поле больше никого нет, раунд 4",
        ),
    ]


def test_the_points_of_a_defence_are_told() -> None:
    config, s = set_up("A2 A1 A1 B2")
    assert sentences_of(config, s, END_ATTACK) == [Text("3 points to place", "нужно распределить 3 очка")]
    config, s = set_up("A8 A7 A8 B2")
    assert sentences_of(config, s, END_ATTACK) == [
        Text("there is room for 1 point only", "места хватает только на 1 очко")
    ]
    config, s = set_up("A8 A8 B2", rounds=3)
    assert sentences_of(config, s, END_ATTACK) == [
        Text("all cells are full: no points to place", "все клетки заполнены: распределять нечего"),
        Text("round 3: the turn of player 2", "раунд 3: ходит игрок 2"),
    ]


def test_a_point_is_told_with_what_the_cell_holds_and_what_is_left() -> None:
    config, s = set_up("A2 A1! B2", points=2)
    assert sentences_of(config, s, PLACE + 1) == [
        Text("0.1 now holds 2 of 12; 1 point left", "на 0.1 теперь 2 из 12; осталось 1 очко")
    ]
    config, s = set_up("A2 A1! B2", points=1, to_move=0, rounds=5)
    assert sentences_of(config, s, PLACE) == [
        Text("0.0 now holds 3 of 8", "на 0.0 теперь 3 из 8"),
        Text("round 5: the turn of player 2", "раунд 5: ходит игрок 2"),
    ]
    config, s = set_up("A2 B1", to_move=1, points=1, rounds=5)
    assert sentences_of(config, s, PLACE + 1)[1] == Text("round 6: the turn of player 1", "раунд 6: ходит игрок 1")


def test_what_auto_did_is_summed_up() -> None:
    config, s = set_up("A7 A1 A2 B2", points=3)
    assert sentences_of(config, s, AUTO)[0] == Text("3 points: +1 on 0.0, 0.1, 0.2", "3 очка: +1 на 0.0, 0.1, 0.2")
    config, s = set_up("A7 A1 A8 B2", points=3)
    assert sentences_of(config, s, AUTO)[0] == Text("3 points: +2 on 0.1; +1 on 0.0", "3 очка: +2 на 0.1; +1 на 0.0")
    config, s = set_up(" ".join(["A1"] * 21) + " B2", points=21)
    assert sentences_of(config, s, AUTO)[0] == Text("21 points: +1 on 21 cells", "21 очко: +1 на 21 клетке")
    config, s = set_up(" ".join(["A1"] * 12) + " B2", points=14)
    assert re.fullmatch(r"14 очков: \+2 на 0\.\d+, 0\.\d+; \+1 на 10 клетках", sentences_of(config, s, AUTO)[0].ru)


def test_the_end_by_limit_names_all_results() -> None:
    config, s = set_up("A2 B3 C1 -", 4, to_move=2, points=1, rounds=21, round_limit=21)
    s["result"] = (30, 41, 12, 99, 0, 0)
    assert sentences_of(config, s, AUTO)[-1] == Text(
        "player 2 wins: the best result after 21 rounds (player 1 30, player 2 41, player 3 12)",
        "побеждает игрок 2: лучший результат после 21 раунда (игрок 1 – 30, игрок 2 – 41, игрок 3 – 12)",
    ), "who is out does not count"
    s["result"] = (41, 41, 12, 0, 0, 0)
    assert sentences_of(config, s, AUTO)[-1] == Text(
        "a draw: the best results after 21 rounds are equal (player 1 41, player 2 41, player 3 12)",
        "ничья: лучшие результаты после 21 раунда равны (игрок 1 – 41, игрок 2 – 41, игрок 3 – 12)",
    )


def test_every_step_of_many_games_is_told() -> None:
    said = set()
    for config, (before, _, action, now) in games():
        events = words.events(config, before, now, action)
        assert events
        said |= {re.sub(r"\d+", "#", event.en) for event in events}
        turned = [event for event in events if event.en.startswith("round ")]
        assert bool(turned) == bool(now["turns"].sum() > before["turns"].sum())
    text = "\n".join(said)
    for part in ("is taken", "repelled", ": taken", "is out", "points to place", "now holds", "+# on", "the last one"):
        assert part in text, part


# The field in letters


def test_a_position_is_the_field_in_letters_and_a_line_for_each_player() -> None:
    config, s = set_up("A3 . -!\n- B11! C1", 4, to_move=1, points=1, rounds=7)
    assert words.position(config, s, "en").splitlines() == [
        "round 7 of 100 · player 2 defends · 1 point left",
        "    0     1     2",
        "0  A3         [ · ]",
        "1      ·   [B11]  C1",
        "· empty, [ ] strong; a cell is row.column",
        "  A player 1: 1 cell, influence 3, result 3",
        "* B player 2: 1 cell, influence 11, result 11",
        "  C player 3: 1 cell, influence 1, result 1",
        "  D player 4: out",
    ]
    russian = words.position(config, s, "ru").splitlines()
    assert russian[0] == "раунд 7 из 100 · игрок 2 обороняется · осталось 1 очко"
    assert russian[4:6] == [
        "· пусто, [ ] сильная; клетка – ряд.столбец",
        "  A игрок 1: 1 клетка, влияние 3, результат 3",
    ]
    assert russian[-1] == "  D игрок 4: вне игры"


@pytest.mark.parametrize("config", [SMALL, LARGE, TALL, WIDE])
def test_every_cell_stands_in_its_place(config: Config) -> None:
    s = game(config, 2, 1, most=40)[-1][3]
    board = names.board_of(config)
    lines = words.position(config, s, "en").splitlines()[2 : 2 + len(board.grid)]
    label = len(str(len(board.grid) - 1)) + 1
    for cell, (row, column) in enumerate(board.places):
        start = label + 3 * (row % 2) + 6 * column
        drawn = lines[row][start : start + 5].ljust(5)
        owner, held = int(s["owner"][cell]), int(s["influence"][cell])
        assert drawn.strip(" []") == (f"{names.LETTERS[owner - 1]}{held}" if owner else "·")
        assert (drawn[0] == "[") == (drawn[4] == "]") == board.strong[cell]


def test_a_finished_game_has_its_ending_in_front() -> None:
    config, s = set_up("A3 A2", player=NOBODY, winner=0, rounds=9)
    assert words.position(config, s, "ru").startswith("побеждает игрок 1: на поле больше никого нет, раунд 9\n")
    assert options(config, s) == []


def test_large_capacities_fit() -> None:
    config, s = set_up("A100! B9 -", strong_capacity=100, weak_capacity=10)
    assert "[A100]" in words.position(config, s, "en") and "B9" in words.position(config, s, "en")


# What is noticed, and what flies


def test_a_fight_is_noticed_with_its_chance_and_its_end() -> None:
    config, s = set_up("A5 B2 -\n- - B3")
    action = words.parse(config, "a0.0e")
    now = after(config, s, action)
    notices = words.notices(config, s, now, action, None)
    assert [line.en for line in notices] == ["player 1: 5 against 2 of player 2, 100 % – taken"]
    assert notices[0].ru == "игрок 1: 5 против 2 (игрок 2), 100 % – захват"
    config, s = set_up("A5 B2")
    now = after(config, s, action)
    assert [line.en for line in words.notices(config, s, now, action, 0)[:2]] == [
        "player 1: 5 against 2 of player 2, 100 % – taken",
        "player 2 is out",
    ]
    assert words.flights(config, s, now, action, 0) == [("n-0", "n-1", "3")]


def test_a_quiet_move_is_not_noticed_and_what_flies_has_its_places_in_the_picture() -> None:
    for config, (before, _, action, now) in list(games())[::25]:
        notices, flights = (tell(config, before, now, action, None) for tell in (words.notices, words.flights))
        if now["player"] >= 0 and (action >= END_ATTACK or before["owner"][names.target_of(config, action)] == 0):
            assert notices == []
        svg = view(config, now, None, [], "en")
        for start, end, signs in flights:
            assert f'data-spot="{start}"' in svg and f'data-spot="{end}"' in svg and signs
        assert bool(flights) == (action != END_ATTACK)
