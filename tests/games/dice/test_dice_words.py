"""Dice in words: text forms round-trip, both languages speak, events and positions say what happened."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from dice_scenes import HOPELESS, PLAIN, RICH, entry, logged, match, matches, opening, roll_of, table
from dice_stock import FACES, STOCK

from playmill.games.dice import words
from playmill.games.dice.actions import CHOOSE, CONTINUE, EVERY_DIE, FACE, PASS, USE
from playmill.games.dice.config import Config
from playmill.games.dice.constants import DOUBLE, DOUBLE_SET, NOBODY, SHIELD
from playmill.games.dice.rules.effects import BANKED, BUSTED, HEATED, LOG, NOTED, SHIELDED, THREW
from playmill.games.dice.words import names, position_text
from playmill.texts import LANGUAGES, PlaymillError, Text

# Actions


def test_actions_that_cannot_be_under_a_config_have_no_words() -> None:
    saves = [CONTINUE + dice for dice in range(1, 64)] + [PASS + dice for dice in range(1, 64)]
    assert STOCK.meaningful(PLAIN) == saves
    small = [CHOOSE + dice for dice in range(1, 64) if dice.bit_count() <= 2]
    assert STOCK.meaningful(RICH) == [*saves, *(USE + place for place in range(4)), *small]


@pytest.mark.parametrize(
    ("short", "action", "en", "ru"),
    [
        (
            "c134",
            CONTINUE + 0b001101,
            "saves dice 1, 3 and 4 and throws the rest",
            "сохраняет кости 1, 3 и 4 и бросает остальные",
        ),
        ("c6", CONTINUE + 0b100000, "saves die 6 and throws the rest", "сохраняет кость 6 и бросает остальные"),
        (
            "c123456",
            CONTINUE + EVERY_DIE,
            "saves all six dice and throws them again",
            "сохраняет все шесть костей и бросает их снова",
        ),
        ("p25", PASS + 0b010010, "saves dice 2 and 5 and passes", "сохраняет кости 2 и 5 и пасует"),
        ("d12", CHOOSE + 0b000011, "chooses dice 1 and 2", "выбирает кости 1 и 2"),
        ("d3", CHOOSE + 0b000100, "chooses die 3", "выбирает кость 3"),
        ("u1", USE, "uses Spilled Ale", "использует «Пролитый эль»"),
        (
            "u2",
            USE + 1,
            "uses item 2 (player 1: Bust Shield, player 2: Nimble Fingers)",
            "использует предмет 2 (игрок 1: Щит от провала, игрок 2: Ловкие пальцы)",
        ),
        ("u4", USE + 3, "uses Lead Weight", "использует «Свинцовый грузик»"),
    ],
)
def test_actions_look_as_documented(short: str, action: int, en: str, ru: str) -> None:
    assert words.to_text(RICH, action) == short and words.parse(RICH, short) == action
    assert words.describe(RICH, action) == Text(en, ru)


def test_dice_may_be_named_in_any_order_and_with_commas() -> None:
    assert words.parse(PLAIN, "c431") == words.parse(PLAIN, "с134") == CONTINUE + 0b001101
    assert words.parse(PLAIN, "Р 2, 1") == PASS + 0b11


def test_the_plain_game_has_no_items_to_name() -> None:
    for text, said in (("u1", "no item of this match can be used"), ("d1", "no item of this match lets one choose")):
        with pytest.raises(PlaymillError, match=said):
            words.parse(PLAIN, text)


def test_fields_of_actions() -> None:
    assert words.fields(RICH, CONTINUE + 0b101) == {"act": "continue", "dice": [1, 3]}
    assert words.fields(RICH, PASS + EVERY_DIE) == {"act": "pass", "dice": [1, 2, 3, 4, 5, 6]}
    assert words.fields(RICH, CHOOSE + 2) == {"act": "choose", "dice": [2]}
    assert words.fields(RICH, USE + 1) == {"act": "use", "item": 2, "ids": ["bust_shield", "nimble_fingers"]}
    assert words.fields(RICH, USE + 3) == {"act": "use", "item": 4, "ids": ["lead_weight", None]}


# Words


def test_points_and_turns_are_counted_with_a_true_minus_sign() -> None:
    assert names.points_word(21) == Text("21 points", "21 очко")
    assert names.points_word(-34) == Text("−34 points", "−34 очка") and names.points_word(-1).en == "−1 point"
    assert names.points_word(50, sign=True) == Text("+50 points", "+50 очков")
    assert names.turns_word(1) == Text("1 turn", "1 ход") and names.turns_word(12).ru == "12 ходов"
    assert [names.dice_genitive(dice) for dice in (4, 6, 63)] == ["кости 3", "костей 2 и 3", "всех шести костей"]


def test_a_decision_is_to_save_or_to_choose() -> None:
    assert words.decision_kind(table([1] * 6)) == "save" and words.decision_kind(table([1] * 6, choosing=3)) == "choose"
    assert list(words.DECISION_NAMES) == ["save", "choose"]


# What a player sees


@pytest.mark.parametrize("lang", LANGUAGES)
def test_what_is_seen_is_plain_data_the_same_for_all(lang: Any) -> None:
    for config, (before, _, _, after) in [*matches()][::4]:
        for s in (before, after):
            data = words.seen(config, s, 0, lang)
            assert json.loads(json.dumps(data)) == data
            other = words.seen(config, s, 1, lang)
            assert {key for key in data if data[key] != other[key]} <= {"player", "items"}


def test_every_selection_is_seen_with_what_it_brings() -> None:
    s = table([1, 5, 0, 5, 3, 0], points=100, total=(500, 0))
    data: Any = words.seen(PLAIN, s, 0, "en")
    assert data["saves"][0] == {"dice": [1, 2, 4], "faces": [1, 5, 5], "points": 200, "turn_points": 300, "banked": 300}
    assert [save["points"] for save in data["saves"]] == [200, 150, 150, 100, 100, 50, 50]
    assert [die["face"] for die in data["dice"]] == [1, 5, None, 5, 3, None]
    assert data["turn_points"] == 100 and data["totals"] == [500, 0] and data["target"] == 4000
    assert data["dice"][0]["weights"] == [1] * 6 and data["decision"] == "save" and data["to_move"] == 1


def test_flags_and_content_count_in_what_a_save_brings() -> None:
    s = table([1, 5, 0, 0, 3, 0], points=100, flags=(2, 0))
    data: Any = words.seen(RICH, s, 0, "en")
    assert data["saves"][0]["points"] == 2 * 150 + 20, "doubled, and the Lucky Charm adds 20 for the one"
    assert data["saves"][0]["banked"] == 420 - 42, "the tax takes a tenth"
    assert data["players"][0]["flags"] == {"bust_shield": False, "double_next_save": True}


def test_items_are_seen_with_their_number_and_cooldown() -> None:
    s = table([1, 5, 1, 1, 3, 2], player=1, rolls=1)
    s["cooldown"][entry(RICH, "nimble_fingers")] = 3
    data: Any = words.seen(RICH, s, 1, "ru")
    items = {item["id"]: item for item in data["players"][1]["items"]}
    assert items["nimble_fingers"]["item"] == 2 and items["nimble_fingers"]["cooldown"] == 3
    assert not items["nimble_fingers"]["ready"] and not items["nimble_fingers"]["usable_now"]
    assert items["double_next_save"]["usable_now"] and not items["jesters_cap"]["active"]
    assert items["double_next_save"]["name"] == "Двойное сохранение"
    assert data["items"][0]["id"] == "spilled_ale" and not data["items"][0]["usable_now"], "three of a kind"
    assert [die["die"] for die in words.seen(RICH, table([1] * 6), 0, "en")["dice"]][:2] == ["loaded_ones", "fair"]


def test_weights_changed_for_a_turn_are_seen() -> None:
    config = Config.read({"players": [{"items": ["lead_weight"]}, {}]})
    s = table([1, 5, 0, 0, 3, 0], changed=0b10011, profile=(1, 1, 0, 0, 1, 0))
    data: Any = words.seen(config, s, 0, "en")
    assert data["dice"][0]["weights"] == [2, 1, 1, 1, 2, 1] and data["dice"][0]["changed"]
    assert data["dice"][2]["weights"] == [1] * 6 and data["players"][0]["weights"][0] == [1] * 6


def test_nothing_can_be_saved_while_dice_are_chosen_or_when_it_is_over() -> None:
    choosing = words.seen(RICH, table([1] * 6, choosing=1 + entry(RICH, "sleight_of_hand")), 0, "en")
    assert choosing["saves"] == [] and choosing["choosing"] == "sleight_of_hand" and choosing["decision"] == "choose"
    over = words.seen(RICH, table([1] * 6, player=NOBODY, winner=1), 0, "en")
    assert over["saves"] == over["dice"] == [] and over["winner"] == 2 and over["decision"] is None


# Events


def sentences_of(config: Config, before: Any, after: Any, action: int) -> list[Text]:
    return words.events(config, before, after, action)


def test_a_face_is_chosen_in_words() -> None:
    config = FACES
    for face in range(1, 7):
        assert words.to_text(config, FACE + face) == f"f{face}" and words.parse(config, f" F {face}") == FACE + face
    assert words.describe(config, FACE + 4) == Text("chooses the face 4", "выбирает грань 4")
    assert words.fields(config, FACE + 4) == {"act": "face", "face": 4}
    with pytest.raises(PlaymillError, match="faces are 1 … 6"):
        words.parse(config, "f12")
    s = table([1, 3, 5, 5, 2, 2], choosing=1, facing=1, chosen=0b110000, pass_delta=300)
    seen = words.seen(config, s, 0, "en")
    assert (seen["decision"], seen["asks"], seen["chosen"], seen["pass_delta"]) == ("choose", "face", [5, 6], 300)
    lines = words.position(config, s, "en").splitlines()
    assert "  on passing +300" in lines and "  a face is chosen for Any Face" in lines


def test_a_save_names_faces_points_and_the_throw() -> None:
    before, roll = table([1, 5, 5, 3, 0, 0], points=200), roll_of([0, 5, 0, 1, 0, 0])
    after = logged(table([0, 5, 0, 1, 0, 0]), (THREW, 0b001010, roll))
    assert sentences_of(PLAIN, before, after, CONTINUE + 0b000101) == [
        Text("saved 1 5: 150 points; 350 in this turn", "сохранено 1 5: 150 очков; за ход 350"),
        Text("throw 2 · bust 44 %", "бросить 2 · провал 44 %"),
        Text("player 1 throws 2 dice: 5 1", "игрок 1 бросает 2 кости: 5 1"),
    ]
    before["flags"][0] = DOUBLE_SET
    assert sentences_of(PLAIN, before, after, CONTINUE + 0b000101)[0] == Text(
        "saved 1 5: 150 points, doubled to 300; 500 in this turn",
        "сохранено 1 5: 150 очков, удвоено до 300; за ход 500",
    )


def test_a_bust_tells_what_is_lost_and_whose_turn_it_is() -> None:
    before = table([1, 5, 5, 3, 0, 0])
    after = table([1, 2, 3, 4, 6, 6], player=1, turns=6)
    after = logged(
        after,
        (THREW, 0b001110, roll_of([0, 2, 3, 4, 0, 0])),
        (BUSTED, 0, 1450),
        (THREW, 1 << 6 | 63, roll_of([1, 2, 3, 4, 6, 6])),
    )
    assert sentences_of(PLAIN, before, after, CONTINUE + 1)[2:] == [
        Text("player 1 throws 3 dice: 2 3 4", "игрок 1 бросает 3 кости: 2 3 4"),
        Text("nothing scores: bust, 1450 points lost", "очков нет: провал, сгорает 1450 очков"),
        Text("turn 6: player 2", "ход 6: игрок 2"),
        Text("player 2 throws 6 dice: 1 2 3 4 6 6", "игрок 2 бросает 6 костей: 1 2 3 4 6 6"),
    ]
    assert position_text.busted(0) == Text("nothing scores: bust", "очков нет: провал")
    assert position_text.busted(52).ru == "очков нет: провал, сгорают 52 очка"
    assert position_text.busted(-50) == Text(
        "nothing scores: bust; the turn had −50 points", "очков нет: провал; за ход было −50 очков"
    )


def test_a_shield_and_hot_dice_are_told() -> None:
    before, six = table([1, 1, 1, 1, 1, 1]), roll_of([2, 2, 3, 4, 6, 6])
    after = logged(
        table([1, 2, 3, 4, 6, 6]), (HEATED, 0, 0), (THREW, 63, six), (SHIELDED, 0, 0), (THREW, 63, roll_of([1] * 6))
    )
    events = sentences_of(PLAIN, before, after, CONTINUE + EVERY_DIE)
    assert events[1] == Text("hot dice: all six are thrown again", "горячие кости: все шесть бросают снова")
    assert events[4] == Text(
        "nothing scores, but the shield cancels the bust: the same dice again",
        "очков нет, но щит отменяет провал: те же кости ещё раз",
    )


def test_content_is_told_by_name_whose_it_is_with_its_note_and_points() -> None:
    before = table([1, 5, 5, 3, 2, 2], points=0)
    after = logged(
        table([2] * 6, player=1, turns=6, total=(220, 0)),
        (NOTED, entry(RICH, "lucky_charm"), 20),
        (NOTED, entry(RICH, "town_tax"), -32),
        (BANKED, 0, 288),
        (THREW, 1 << 6 | 63, roll_of([2] * 6)),
        (NOTED, entry(RICH, "three_bells"), 100),
        (NOTED, entry(RICH, "saints_relic"), 0),
        (NOTED, entry(RICH, "five_groats"), 0),
    )
    after["total"] = (1288, 0)
    assert sentences_of(RICH, before, after, PASS + 1)[1:] == [
        Text(
            "Lucky Charm (player 1): The charm glows (+20 points)",
            "Талисман удачи (игрок 1): Талисман светится (+20 очков)",
        ),
        Text("Town Tax (table): tax −10% (−32 points)", "Городской налог (стол): налог −10% (−32 очка)"),
        Text("player 1 banks 288 points and has 1288", "игрок 1 записывает 288 очков, всего 1288"),
        Text("turn 6: player 2", "ход 6: игрок 2"),
        Text("player 2 throws 6 dice: 2 2 2 2 2 2", "игрок 2 бросает 6 костей: 2 2 2 2 2 2"),
        Text(
            "Three Bells (player 2): three of a kind (+100 points)",
            "Три колокола (игрок 2): три одинаковых (+100 очков)",
        ),
        Text("Saint's Relic (player 2): The saint watches over you", "Мощи святого (игрок 2): Святой хранит вас"),
    ], "content that moves points and moved none is not told"


def test_a_pass_that_brings_nothing_is_told() -> None:
    after = logged(table([1] * 6, player=1, turns=6, total=(300, 0)), (BANKED, 0, 0))
    assert sentences_of(PLAIN, table([1] * 6), after, PASS + 1)[1] == Text(
        "player 1 banks nothing and stays at 300", "игрок 1 ничего не записывает, всего 300"
    )


def test_an_item_asks_for_dice_turns_them_or_throws_them_again() -> None:
    item = entry(RICH, "sleight_of_hand")
    before, asked = table([1, 3, 5, 2, 2, 4]), logged(table([1, 3, 5, 2, 2, 4], choosing=1 + item))
    assert sentences_of(RICH, before, asked, USE + 2) == [
        Text("Sleight of Hand: which die?", "Ловкость рук: какую кость?")
    ]
    turned = logged(table([1, 1, 5, 2, 2, 4]), (NOTED, item, 0))
    assert sentences_of(RICH, asked, turned, CHOOSE + 2) == [
        Text("Sleight of Hand (player 1): It was a one all along", "Ловкость рук (игрок 1): Там всегда была единица"),
        Text("the dice now show 1 1 5 2 2 4", "теперь на костях 1 1 5 2 2 4"),
    ]
    item = entry(RICH, "nimble_fingers")
    before = table([1, 3, 5, 2, 0, 0], player=1)
    asked = logged(table([1, 3, 5, 2, 0, 0], player=1, choosing=1 + item))
    assert sentences_of(RICH, before, asked, USE + 1) == [
        Text("Nimble Fingers: which dice?", "Ловкие пальцы: какие кости?")
    ]
    roll = roll_of([1, 6, 5, 6, 0, 0])
    after = logged(table([1, 6, 5, 6, 0, 0], player=1), (NOTED, item, 0), (THREW, 1 << 6 | 0b1010, roll))
    assert sentences_of(RICH, asked, after, CHOOSE + 0b1010)[1] == Text(
        "player 2 throws 2 dice: 6 6; on the table 1 6 5 6", "игрок 2 бросает 2 кости: 6 6; на столе 1 6 5 6"
    )


def test_an_item_that_found_nothing_to_do_is_told() -> None:
    before, after = table([1] * 6), logged(table([1] * 6))
    assert sentences_of(RICH, before, after, USE + 1) == [
        Text("Bust Shield: nothing happens", "Щит от провала: ничего не происходит")
    ]


def test_weights_changed_are_told() -> None:
    item = entry(RICH, "lead_weight")
    before = table([1, 3, 5, 0, 0, 0])
    after = logged(table([1, 3, 5, 0, 0, 0], changed=0b111, profile=(1, 1, 1, 0, 0, 0)), (NOTED, item, 0))
    assert sentences_of(RICH, before, after, USE + 3)[1] == Text(
        "until the turn ends dice 1, 2 and 3 fall by other weights", "до конца хода веса костей 1, 2 и 3 изменены"
    )
    again = logged(after.copy(), (NOTED, item, 0))
    assert len(sentences_of(RICH, after, again, USE + 3)) == 1, "nothing new"


def test_winning_and_drawing_are_told() -> None:
    over = table([1] * 6, player=NOBODY, winner=0, total=(4150, 2300))
    assert sentences_of(PLAIN, table([1] * 6), logged(over, (BANKED, 0, 900)), PASS + 63)[1:] == [
        Text("player 1 banks 900 points and has 4150", "игрок 1 записывает 900 очков, всего 4150"),
        Text("player 1 wins: 4150 to 2300", "побеждает игрок 1: 4150 : 2300"),
    ]
    over = table([1] * 6, player=NOBODY, turns=1000, total=(3400, 2300))
    lost = logged(over, (THREW, 3, roll_of([2, 3, 0, 0, 0, 0])), (BUSTED, 0, 100))
    assert sentences_of(PLAIN, table([1] * 6, turns=1000), lost, CONTINUE + 60)[-1] == Text(
        "a draw after 1000 turns: 3400 to 2300", "ничья, сыграно 1000 ходов: 3400 : 2300"
    )


def test_a_full_log_says_how_much_it_left_out_and_where_the_match_stands() -> None:
    line = (BUSTED, 0, 0)
    after = logged(table([1, 2, 3, 3, 4, 6], turns=90, player=1), *[line] * (LOG + 9))
    events = sentences_of(PLAIN, table([1] * 6, turns=5), after, CONTINUE + 1)
    assert events[-3:] == [
        Text(
            f"… more happened (9): {LOG} lines of an action are told, all are counted",
            f"… произошло и другое (9): показано строк одного действия: {LOG}, учтены все",
        ),
        Text("turn 90: player 2", "ход 90: игрок 2"),
        Text("on the table: 1 2 3 3 4 6", "на столе: 1 2 3 3 4 6"),
    ]
    assert words.notices(PLAIN, table([1] * 6, turns=5), after, CONTINUE + 1, 0)[-1] == events[-3]
    over = logged(table([2] * 6, turns=100, player=NOBODY), *[line] * LOG)
    assert [event.en for event in sentences_of(PLAIN, table([1] * 6), over, CONTINUE + 1)][-2:] == [
        "turn 53: player 2",
        "a draw after 100 turns: 0 to 0",
    ], "a log that is just full leaves nothing out"


def test_every_step_of_many_matches_is_told() -> None:
    seen: set[str] = set()
    for config, (before, _, action, after) in matches():
        events = words.events(config, before, after, action)
        seen |= {re.sub(r"[\d ]+", "#", event.en) for event in events}
        turn = f"turn {after['turns']}: player {after['player'] + 1}"
        assert (after["turns"] == before["turns"] or after["player"] == NOBODY) != (turn in [e.en for e in events])
    text = "\n".join(seen)
    for part in (
        "banks",
        "bust",
        "wins",
        "hot#dice",
        "saved",
        "doubled",
        "shield#cancels",
        "throws",
        "which#dice?",
        "now#show",
    ):
        assert part in text, part


def test_points_told_add_up_to_the_total() -> None:
    for config, (before, _, action, after) in matches():
        player = before["player"]
        if not PASS <= action < USE or after["noted"] > LOG:
            continue
        banked = next(line for line in names.log_of(after) if line.kind == BANKED)
        saving = next(saving for saving in names.savings(config, before) if saving.dice == action - PASS)
        assert saving.banked == banked.value == after["total"][player] - before["total"][player]


# Positions


def test_a_position_has_the_dice_by_position() -> None:
    s = table([1, 0, 5, 4, 0, 6], points=-50, total=(1250, 300), flags=(3, 0))
    assert words.position(PLAIN, s, "en").splitlines() == [
        "turn 5 · roll 2 · player 1 decides · Save dice",
        "* player 1: 1250 / 4000, bust shield, next save ×2",
        "  player 2: 300 / 4000",
        "  die    1 2 3 4 5 6",
        "  shows  1 · 5 4 · 6",
        "  points of the turn: −50",
    ]
    assert "  очки хода: −50" in words.position(PLAIN, s, "ru").splitlines()


def test_a_position_lists_content_and_what_happened() -> None:
    s = table([1, 0, 5, 4, 0, 6], changed=0b1000, choosing=1 + entry(RICH, "sleight_of_hand"))
    s["cooldown"][entry(RICH, "bust_shield")] = 2
    s["profile"][3] = 1
    s = logged(s, (THREW, 1 << 6 | 63, roll_of([2, 2, 3, 4, 6, 6])), (BUSTED, 1, 0))
    lines = words.position(RICH, s, "ru").splitlines()
    assert lines[0] == "ход 5 · бросок 2 · решает игрок 1 · Выбор костей или грани для предмета"
    assert "  вид    1+       E*     ½" in lines
    assert "  выбираются кости для «Ловкость рук»" in lines
    assert "Модификаторы для обоих игроков: Пять грошей, Городской налог" in lines
    assert next(line for line in lines if line.startswith("Предметы игрока 1")).startswith(
        "Предметы игрока 1: Щит от провала (готово через 2 хода), Ловкость рук (готово), Талисман удачи (пассивно)"
    )
    assert lines[-2:] == ["> игрок 2 бросает 6 костей: 2 2 3 4 6 6", "> очков нет: провал"]


def test_a_finished_position_says_how_it_ended() -> None:
    s = table([1] * 6, player=NOBODY, winner=1, total=(100, 4000))
    assert words.position(PLAIN, s, "en").splitlines()[0] == "player 2 wins: 4000 to 100"


def test_the_flags_are_those_of_the_rules_and_of_the_content() -> None:
    assert [(flag.place, flag.key) for flag in names.match_names(PLAIN).flags] == [
        (SHIELD, "bust_shield"),
        (DOUBLE, "double_next_save"),
    ]
    merry = Config.read({"kit": "drinking_bout"})
    s = table([1, 5, 2, 2, 3, 3], flags=(0b101, 0), flag_turns=((0, 0, 3) + (0,) * 15, (0,) * 18))
    assert words.seen(merry, s, 0, "en")["players"][0]["flags"] == {
        "bust_shield": True,
        "double_next_save": False,
        "merry": 3,
    }
    assert words.position(merry, s, "en").splitlines()[1] == "* player 1: 0 / 4000, bust shield, merry (3 turns)"
    assert words.position(merry, s, "ru").splitlines()[1] == "* игрок 1: 0 / 4000, щит от провала, навеселе (3 хода)"


def test_locked_dice_are_told_and_seen() -> None:
    waxed = Config.read({"players": [{"items": "sealing_wax"}, {}]})
    before = table([1, 5, 2, 2, 3, 3], choosing=1)
    after = logged(table([1, 5, 2, 2, 3, 3], locked=0b000010), (NOTED, 0, 0))
    assert sentences_of(waxed, before, after, CHOOSE + 0b000010) == [
        Text("Sealing Wax (player 1): Sealed", "Сургуч (игрок 1): Запечатано"),
        Text("die 2 is locked until saved or the turn ends", "кость 2: закреплена до сохранения или конца хода"),
    ]
    seen = words.seen(waxed, after, 0, "en")
    assert [die["locked"] for die in seen["dice"]] == [False, True] + [False] * 4
    lines = words.position(waxed, after, "en").splitlines()
    assert [line for line in lines if "locked" in line] == ["  locked    #"]
    later = table([0, 5, 2, 2, 3, 3], locked=0b000010, player=NOBODY, winner=0)
    assert not any("locked" in line.en for line in sentences_of(waxed, after, later, PASS + 1))


def test_what_is_switched_off_says_so() -> None:
    off = {"enabled": False}
    config = Config.read(
        {"global_modifiers": [{"id": "town_tax", **off}], "players": [{"items": [{"id": "bust_shield", **off}]}, {}]}
    )
    s = table([1, 5, 2, 2, 3, 3])
    assert words.position(config, s, "en").splitlines()[-2:] == [
        "Modifiers of both players: Town Tax (switched off)",
        "Items of player 1: Bust Shield (switched off)",
    ]
    assert "Городской налог (выключено)" in words.position(config, s, "ru")
    seen = words.seen(config, s, 0, "en")
    assert seen["modifiers"][0]["enabled"] is False
    assert "item" not in seen["players"][0]["items"][0]


def test_dice_that_never_score_make_a_draw_whose_log_is_cut() -> None:
    assert match(HOPELESS, 3) == []
    s = opening(HOPELESS, 3)
    assert s["player"] == NOBODY and s["noted"] == 200
    lines = words.position(HOPELESS, s, "en").splitlines()
    assert lines[0] == "a draw after 100 turns: 0 to 0" and lines[-1].startswith("> … more happened (152): 48 lines")
    assert lines[3] == "> player 1 throws 6 dice: 2 2 3 3 4 6" and lines[4] == "> nothing scores: bust"


# Notices


def test_everything_that_fires_is_noticed_with_who_what_whose_and_how_much() -> None:
    before = table([1, 5, 5, 3, 2, 2], points=200, flags=(DOUBLE_SET, 0))
    five = entry(RICH, "five_groats")
    lines = (
        (NOTED, five, 25),
        (THREW, 63, roll_of([2] * 6)),
        (BUSTED, 0, 450),
        (THREW, 1 << 6 | 63, 1),
        (NOTED, five, 50),
    )
    after = logged(table([1, 5, 5, 3, 2, 2], player=1, turns=6), *lines)
    notices = words.notices(RICH, before, after, CONTINUE + 1, None)
    assert [line.en.partition(":")[0] for line in notices] == [
        "player 1 – saved 1",
        "player 1 – Five Groats (table)",
        "player 1 – nothing scores",
        "player 2 – Five Groats (table)",
    ]
    assert "doubled to 200" in notices[0].en and "(+25 points)" in notices[1].en and "(+50 очков)" in notices[3].ru


def test_every_event_of_content_busts_and_points_banked_are_noticed() -> None:
    for config, (before, _, action, after) in matches():
        notices = " ".join(line.en for line in words.notices(config, before, after, action, 0))
        for event in words.events(config, before, after, action):
            if "banks" in event.en or ": bust" in event.en or "points)" in event.en:
                assert event.en in notices
