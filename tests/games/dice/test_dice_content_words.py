"""Conditions and effects in words, in both languages."""

from __future__ import annotations

import json
from typing import Any

import pytest
from pydantic import TypeAdapter

from playmill.games.dice.content import effect_sentence, effects_sentence, sentence
from playmill.games.dice.content.conditions import Condition
from playmill.games.dice.content.effects import Effect
from playmill.games.dice.content.words import usual_scope
from playmill.texts import Text

CONDITION: TypeAdapter[Any] = TypeAdapter(Condition)
EFFECT: TypeAdapter[Any] = TypeAdapter(Effect)


def condition(data: Any) -> Any:
    return CONDITION.validate_json(json.dumps(data))


CONDITIONS = [
    ({"count": {"face": 6, "at_least": 3}}, "three or more sixes in the roll", "не меньше трёх шестёрок в броске"),
    ({"count": {"face": 1, "at_least": 1}}, "one or more ones in the roll", "хотя бы одна единица в броске"),
    ({"count": {"face": 5, "at_most": 1}}, "at most one five in the roll", "не больше одной пятёрки в броске"),
    ({"count": {"face": 2, "at_most": 0}}, "no twos in the roll", "ни одной двойки в броске"),
    ({"count": {"face": 3, "exactly": 0}}, "no threes in the roll", "ни одной тройки в броске"),
    ({"count": {"face": 4, "exactly": 2}}, "exactly two fours in the roll", "ровно две четвёрки в броске"),
    ({"count": {"face": 6, "exactly": 5}}, "exactly five sixes in the roll", "ровно пять шестёрок в броске"),
    ({"of_a_kind": 4}, "four or more of a kind in the roll", "не меньше четырёх одинаковых в броске"),
    (
        {"of_a_kind": 4, "of": "saved"},
        "four or more of a kind among the saved dice",
        "не меньше четырёх одинаковых в сохранении",
    ),
    ({"straight": "any", "of": "table"}, "a straight on the table", "стрит на столе"),
    ({"straight": "1-6", "of": "saved"}, "a straight 1–6 among the saved dice", "стрит 1–6 в сохранении"),
    (
        {"count": {"face": 5, "exactly": 0}, "of": "table"},
        "no fives on the table",
        "ни одной пятёрки на столе",
    ),
    ({"sum": {"at_most": 9}, "of": "table"}, "a sum of 9 or less on the table", "сумма 9 или меньше на столе"),
    ({"straight": "any"}, "a straight in the roll", "стрит в броске"),
    ({"straight": "2-6"}, "a straight 2–6 in the roll", "стрит 2–6 в броске"),
    ({"dice_rolled": {"at_most": 2}}, "two or fewer dice rolled", "в броске не больше двух костей"),
    ({"dice_rolled": {"exactly": 1}}, "exactly one die rolled", "в броске ровно одна кость"),
    ({"sum": {"at_least": 25}}, "a sum of 25 or more in the roll", "сумма 25 или больше в броске"),
    ({"first_roll": True}, "the first roll of the turn", "первый бросок хода"),
    ({"roll_number": {"at_least": 3}}, "the 3rd roll of the turn or later", "3-й бросок хода или позже"),
    ({"roll_number": {"at_most": 2}}, "the 2nd roll of the turn or earlier", "2-й бросок хода или раньше"),
    ({"roll_number": {"exactly": 11}}, "the 11th roll of the turn", "11-й бросок хода"),
    ({"hot_dice": True}, "a roll of hot dice", "бросок горячих костей"),
    ({"scores": True}, "a roll that scores", "бросок с очками"),
    ({"not": {"scores": True}}, "a roll that scores nothing", "бросок без очков"),
    ({"flag": "merry"}, "the flag “merry”", "есть «merry»"),
    ({"not": {"flag": "merry"}}, "no flag “merry”", "нет «merry»"),
    ({"turn_points": {"at_most": -50}}, "−50 or less turn points", "очков хода −50 или меньше"),
    ({"own_total": {"exactly": 3000}}, "an own total of exactly 3000", "свой счёт ровно 3000"),
    ({"selection_size": {"at_least": 3}}, "three or more dice saved", "в сохранении не меньше трёх костей"),
    (
        {"selection_contains": {"face": 5}},
        "one or more fives among the saved dice",
        "хотя бы одна пятёрка в сохранении",
    ),
    ({"selection_points": {"at_least": 500}}, "a save worth 500 or more", "сохранение на 500 или больше"),
    ({"behind_by": 1}, "1 or more points behind", "отставание не меньше 1 очка"),
    ({"ahead_by": 500}, "500 or more points ahead", "отрыв не меньше 500 очков"),
    ({"flag": "bust_shield"}, "a bust shield", "есть щит от провала"),
    ({"flag": "double_next_save"}, "the next save doubled", "следующее сохранение удвоено"),
    (
        {"all": [{"first_roll": True}, {"any": [{"of_a_kind": 3}, {"straight": "any"}]}]},
        "the first roll of the turn and (three or more of a kind in the roll or a straight in the roll)",
        "первый бросок хода и (не меньше трёх одинаковых в броске или стрит в броске)",
    ),
    ({"any": [{"hot_dice": True}]}, "a roll of hot dice", "бросок горячих костей"),
    ({"not": {"count": {"face": 6, "at_least": 1}}}, "no sixes in the roll", "ни одной шестёрки в броске"),
    (
        {"not": {"count": {"face": 6, "at_most": 2}}},
        "three or more sixes in the roll",
        "не меньше трёх шестёрок в броске",
    ),
    (
        {"not": {"count": {"face": 6, "exactly": 2}}},
        "not exactly two sixes in the roll",
        "не ровно две шестёрки в броске",
    ),
    ({"not": {"count": {"face": 6, "exactly": 0}}}, "one or more sixes in the roll", "хотя бы одна шестёрка в броске"),
    ({"not": {"sum": {"exactly": 7}}}, "a sum of anything but 7 in the roll", "сумма не 7 в броске"),
    ({"not": {"of_a_kind": 3}}, "fewer than three of a kind in the roll", "меньше трёх одинаковых в броске"),
    ({"not": {"straight": "1-5"}}, "no straight 1–5 in the roll", "нет стрита 1–5 в броске"),
    ({"not": {"first_roll": True}}, "not the first roll of the turn", "не первый бросок хода"),
    ({"not": {"hot_dice": True}}, "not a roll of hot dice", "бросок не горячих костей"),
    ({"not": {"roll_number": {"exactly": 2}}}, "not the 2nd roll of the turn", "не 2-й бросок хода"),
    ({"not": {"behind_by": 500}}, "less than 500 points behind", "отставание меньше 500 очков"),
    ({"not": {"flag": "bust_shield"}}, "no bust shield", "нет щита от провала"),
    ({"not": {"flag": "double_next_save"}}, "the next save not doubled", "следующее сохранение не удвоено"),
    (
        {"not": {"all": [{"first_roll": True}, {"of_a_kind": 3}]}},
        "not the first roll of the turn or fewer than three of a kind in the roll",
        "не первый бросок хода или меньше трёх одинаковых в броске",
    ),
]
EFFECTS = [
    ({"add": 100}, "+100 points", "+100 очков"),
    ({"add": -1}, "−1 point", "−1 очко"),
    ({"add": 22}, "+22 points", "+22 очка"),
    ({"add": 12}, "+12 points", "+12 очков"),
    (
        {"add_per_die": {"face": 5, "points": 25}},
        "+25 points for every five in the roll",
        "+25 очков за каждую пятёрку в броске",
    ),
    (
        {"add_per_die": {"face": 1, "points": -20, "of": "saved"}},
        "−20 points for every one among the saved dice",
        "−20 очков за каждую единицу в сохранении",
    ),
    ({"percent": -10}, "−10% of the turn points", "−10% очков хода"),
    ({"multiply_save": 3}, "the points of the save ×3", "очки сохранения ×3"),
    ({"set_flag": "bust_shield"}, "the next bust is cancelled", "следующий провал отменяется"),
    ({"set_flag": "double_next_save"}, "the next save counts double", "следующее сохранение идёт вдвойне"),
    ({"clear_flag": "bust_shield"}, "the bust shield is gone", "щит от провала пропадает"),
    (
        {"clear_flag": "double_next_save"},
        "the next save is not doubled any more",
        "следующее сохранение больше не удвоено",
    ),
    ({"reroll": {"dice": "chosen"}}, "reroll a die of your choice", "перебросить кость на выбор"),
    (
        {"reroll": {"dice": "chosen", "count": 2}},
        "reroll up to two dice of your choice",
        "перебросить до двух костей на выбор",
    ),
    ({"reroll": {"dice": "all"}}, "reroll all dice on the table", "перебросить все кости на столе"),
    ({"reroll": {"dice": "lowest", "count": 2}}, "reroll the two lowest dice", "перебросить две младшие кости"),
    ({"reroll": {"dice": "highest", "count": 5}}, "reroll the five highest dice", "перебросить пять старших костей"),
    ({"reroll": {"dice": "showing", "face": 2}}, "reroll all twos", "перебросить все двойки"),
    ({"set_face": {"dice": "lowest", "to": 1}}, "turn the lowest die to one", "повернуть на единицу младшую кость"),
    (
        {"set_weights": {"dice": "all", "weights": [2, 1, 1, 1, 2, 1]}},
        "load all dice on the table (2:1:1:1:2:1) until the turn ends",
        "утяжелить все кости на столе (2:1:1:1:2:1) до конца хода",
    ),
]


@pytest.mark.parametrize(("data", "english", "russian"), CONDITIONS)
def test_a_condition_in_words(data: Any, english: str, russian: str) -> None:
    assert sentence(condition(data)) == Text(english, russian)
    assert sentence(condition({"not": {"not": data}})) == Text(english, russian)


@pytest.mark.parametrize(
    ("events", "english", "russian"),
    [
        (["on_roll"], "a straight in the roll", "стрит в броске"),
        (["on_save"], "a straight among the saved dice", "стрит в сохранении"),
        (["on_save", "on_pass"], "a straight among the saved dice", "стрит в сохранении"),
        (["on_roll", "on_pass"], "a straight in the roll or among the saved dice", "стрит в броске или в сохранении"),
        ([], "a straight on the table", "стрит на столе"),
    ],
)
def test_of_which_dice_is_said_by_the_events_where_nothing_else_says_it(
    events: list[str], english: str, russian: str
) -> None:
    assert sentence(condition({"straight": "any"}), usual=usual_scope(events)) == Text(english, russian)


@pytest.mark.parametrize(("data", "english", "russian"), EFFECTS)
def test_an_effect_in_words(data: Any, english: str, russian: str) -> None:
    assert effect_sentence(EFFECT.validate_python(data, strict=False)) == Text(english, russian)


def test_several_effects_in_words() -> None:
    effects = tuple(EFFECT.validate_python(data) for data in ({"add": 50}, {"percent": 10}))
    assert effects_sentence(effects) == Text("+50 points; +10% of the turn points", "+50 очков; +10% очков хода")
