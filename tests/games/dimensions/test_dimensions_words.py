"""Actions of Battle of Dimensions in words: text forms round-trip, both languages speak."""

from __future__ import annotations

import pytest
from dimensions_steps import BASELINE, EPIC, SEVENTEEN, a, games
from dimensions_stock import STOCK

from playmill.games.dimensions import words
from playmill.games.dimensions.actions import (
    AURA,
    BANG,
    BLUE,
    GREEN,
    HOLD,
    LOOP,
    MOVE_CAPTAIN,
    PLAY,
    PURPLE,
    PUT,
    PUT_CAPTAIN,
    RED,
    SKIP,
    STAY,
    YELLOW,
)
from playmill.texts import Text


def test_actions_that_cannot_be_under_a_config_have_no_words() -> None:
    epic, baseline = STOCK.meaningful(EPIC), STOCK.meaningful(BASELINE)
    assert PLAY + BLUE not in epic and PLAY + SEVENTEEN in epic
    assert PLAY + BLUE in baseline and PLAY + SEVENTEEN not in baseline
    assert not {SKIP, PUT_CAPTAIN, MOVE_CAPTAIN, a("black_hole", source=0, faction=AURA)} & set(baseline)
    assert a("attack", faction=PURPLE, target=AURA) not in epic
    assert a("attack", faction=RED, target=RED) not in epic
    assert a("move", kind=RED, source=1, target=1) not in epic
    for step_config, (_, options, _, _) in games():
        assert set(options) <= set(epic if step_config.mode == "epic" else baseline)


@pytest.mark.parametrize(
    ("action", "short"),
    [
        (PLAY + SEVENTEEN, "play B17"),
        (PUT + GREEN * 5 + 1, "put G 2"),
        (PUT_CAPTAIN, "captain 1"),
        (SKIP, "skip"),
        (STAY, "stay"),
        (a("move", kind=SEVENTEEN, source=0, target=2), "move B17 1>3"),
        (MOVE_CAPTAIN + 1, "captain>2"),
        (a("entanglement", faction=RED, target=YELLOW), "entangle R-Y"),
        (a("wormhole", faction=GREEN, source=0, target=1), "wormhole G 1>2"),
        (a("black_hole", faction=GREEN, source=0), "blackhole G@1"),
        (a("black_hole", faction=AURA, source=1), "blackhole aura@2"),
        (BANG, "bigbang"),
        (LOOP, "timeloop"),
        (HOLD, "hold"),
        (a("attack", faction=YELLOW, target=RED), "attack Y>R"),
        (a("attack", faction=RED, target=AURA), "attack R>aura"),
    ],
)
def test_text_forms_look_as_documented(action: int, short: str) -> None:
    assert words.to_text(EPIC, action) == short


@pytest.mark.parametrize(
    ("action", "en", "ru"),
    [
        (PLAY + SEVENTEEN, "plays blue 17 into the battle", "выкладывает в битву синюю 17"),
        (PUT + GREEN * 5 + 1, "puts a green card into Dimension 2", "кладёт зелёную карту в Измерение 2"),
        (PUT_CAPTAIN, "places the Captain in Dimension 1", "выкладывает Капитана Силу в Измерение 1"),
        (
            a("move", kind=SEVENTEEN, source=0, target=2),
            "moves blue 17 from Dimension 1 to Dimension 3",
            "перемещает синюю 17 из Измерения 1 в Измерение 3",
        ),
        (STAY, "does nothing", "ничего не делает"),
        (
            a("attack", faction=YELLOW, target=RED),
            "attacks the red squad with the yellow one",
            "атакует красный отряд жёлтым",
        ),
        (
            a("attack", faction=RED, target=AURA),
            "attacks the Auras with the red squad",
            "атакует Ауры Тьмы красным отрядом",
        ),
        (
            a("wormhole", faction=GREEN, source=0, target=1),
            "plays Wormhole: the green squad goes from Dimension 1 to Dimension 2",
            "играет Кротовую Нору: зелёный отряд уходит из Измерения 1 в Измерение 2",
        ),
        (
            a("black_hole", faction=AURA, source=1),
            "plays Black Hole: it swallows the Auras in Dimension 2",
            "играет Чёрную Дыру: она поглощает Ауры Тьмы в Измерении 2",
        ),
        (
            a("entanglement", faction=RED, target=PURPLE),
            "plays Quantum Entanglement: red and purple swap places in the Spiral",
            "играет Квантовую запутанность: красные и фиолетовые меняются местами в Спирали Сил",
        ),
    ],
)
def test_actions_in_words(action: int, en: str, ru: str) -> None:
    assert words.describe(EPIC, action) == Text(en, ru)


def test_fields_of_actions() -> None:
    move = words.fields(EPIC, a("move", kind=SEVENTEEN, source=0, target=2))
    assert move == {"act": "move", "card": "B17", "faction": "blue", "value": 17, "from": 1, "to": 3}
    assert words.fields(EPIC, a("attack", faction=RED, target=AURA)) == {
        "act": "attack",
        "faction": "red",
        "target": "auras",
    }
    assert words.fields(EPIC, a("black_hole", faction=GREEN, source=4)) == {
        "act": "black_hole",
        "target": "green",
        "from": 5,
    }


def test_a_decision_is_named_by_its_phase() -> None:
    for _, (before, _, _, _) in games():
        assert words.decision_kind(before) == ("battle", "reinforce", "move", "attack")[before["phase"]]
    assert set(words.DECISION_NAMES) == {"battle", "reinforce", "move", "attack"}
