"""Battle of Dimensions in words: text forms round-trip, both languages speak, hidden things stay hidden."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterator
from functools import cache
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from playmill.engine.record import plain
from playmill.engine.rng import Luck, seed_luck
from playmill.engine.rule import interpreted
from playmill.games.dimensions import hidden, rules, words
from playmill.games.dimensions.actions import (
    ACTIONS,
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
    Action,
    put_together,
)
from playmill.games.dimensions.config import Config
from playmill.texts import LANGUAGES, PlaymillError, Text

EPIC = Config.read({})
BASELINE = Config.read({"mode": "baseline"})
WILD = Config.read({"anomalies_in_deck": 5})
SMALL = Config.read({"cards_per_faction": 3, "blue_values": [7, 7, 999]})
SEVENTEEN = 11
LEGAL = np.dtype([("ids", np.int32, (rules.MAX_LEGAL,))])

Step = tuple[np.void, list[int], int, np.void]


def a(act: str, **parts: int) -> int:
    """The action of an act with its fields."""
    return put_together(Action(act, **parts))


def meaningful(config: Config) -> list[int]:
    """All actions there are under a config."""
    found = []
    for action in range(ACTIONS):
        try:
            words.describe(config, action)
        except PlaymillError:
            continue
        found.append(action)
    return found


@cache
def game(config_text: str, players: int, seed: int) -> list[Step]:
    """A random game, run by the interpreter: each decision with its options, the choice and what came of it."""
    config = Config.model_validate_json(config_text)
    cfg, luck, state = plain(config.pack(players))[0], plain(np.zeros(1, Luck))[0], np.zeros(1, rules.State)
    s, legal, choice = plain(state)[0], plain(np.zeros(1, LEGAL))[0], random.Random(seed)
    interpreted(seed_luck)(luck, seed, 0)
    interpreted(rules.setup)(cfg, s, luck)
    steps = []
    while s.player >= 0:
        options = [legal.ids[i] for i in range(interpreted(rules.legal_actions)(cfg, s, legal))]
        before, action = state[0].copy(), choice.choice(options)
        interpreted(rules.apply_action)(cfg, s, action, luck)
        steps.append((before, options, action, state[0].copy()))
    return steps


def games() -> Iterator[tuple[Config, Step]]:
    """All steps of a few games of different kinds."""
    for config, players, seed in ((EPIC, 3, 1), (WILD, 4, 2), (WILD, 5, 3), (BASELINE, 3, 4)):
        for step in game(config.model_dump_json(), players, seed):
            yield config, step


def quiet(**changes: Any) -> np.void:
    """A state of three players, red, green and blue, at the move of the first one's turn."""
    s: np.void = np.zeros(1, rules.State)[0]
    s["faction"][:3] = (RED, GREEN, BLUE)
    s["owner"] = (0, 1, -1, 2, -1)
    s["spiral"] = range(5)
    s["prey"] = (1, 2, 3, 4, 0)
    s["phase"], s["turns"], s["deck_size"] = rules.MOVEMENT, 4, 9
    s["captain_at"], s["winner"], s["last_taker"] = rules.CAPTAIN_AVAILABLE, rules.NOBODY, rules.NOBODY
    for name, value in changes.items():
        s[name] = value
    return s


def both(text: Text) -> None:
    """Fails unless a text speaks both languages."""
    assert re.search("[A-Za-z]", text.en) and not re.search("[А-Яа-яЁё]", text.en), text
    assert re.search("[А-Яа-яЁё]", text.ru), text


@pytest.mark.parametrize("config", [EPIC, BASELINE, SMALL])
def test_text_form_of_every_action_is_read_back(config: Config) -> None:
    actions = meaningful(config)
    assert len({words.to_text(config, action) for action in actions}) == len(actions)
    for action in actions:
        assert words.parse(config, words.to_text(config, action)) == action
        assert words.parse(config, f"  {words.to_text(config, action).upper()} ") == action


def test_actions_that_cannot_be_under_a_config_have_no_words() -> None:
    epic, baseline = meaningful(EPIC), meaningful(BASELINE)
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


@given(st.one_of(st.text(max_size=70), st.from_regex(r"(play|put|move|attack) [RGYBPaur0-9 >@-]{0,9}", fullmatch=True)))
def test_nonsense_raises_one_sentence_that_quotes_it(text: str) -> None:
    try:
        action = words.parse(EPIC, text)
    except PlaymillError as error:
        assert repr(text) in error.text.en and repr(text) in error.text.ru
        both(Text(error.text.en.replace(repr(text), ""), error.text.ru.replace(repr(text), "")))
    else:
        assert words.to_text(EPIC, action).lower() == " ".join(text.lower().split())


def test_a_very_long_text_is_quoted_in_part() -> None:
    with pytest.raises(PlaymillError) as raised:
        words.parse(EPIC, "x" * 1_000_000)
    assert len(str(raised.value)) < 300


@pytest.mark.parametrize("action", [-1, ACTIONS, PLAY + BLUE])
def test_a_number_that_is_no_action_is_quoted(action: int) -> None:
    for function in (words.describe, words.to_text, words.fields):
        with pytest.raises(PlaymillError, match=str(action)):
            function(EPIC, action)


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


def test_every_text_speaks_both_languages() -> None:
    for name, value in vars(words).items():
        if name.startswith("_"):
            continue
        texts = value.values() if isinstance(value, dict) else value if isinstance(value, tuple) else (value,)
        for text in [value] if isinstance(value, Text) else texts:
            if isinstance(text, Text):
                both(text)
    for config in (EPIC, BASELINE):
        for action in meaningful(config):
            both(words.describe(config, action))
            assert "{" not in words.describe(config, action).en + words.describe(config, action).ru


def test_fields_are_plain_data() -> None:
    for action in meaningful(EPIC):
        json.dumps(words.fields(EPIC, action))
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
    texts = {json.dumps(words.fields(EPIC, action)) for action in meaningful(EPIC)}
    assert len(texts) == len(meaningful(EPIC))


def test_a_decision_is_named_by_its_phase_and_a_finished_game_has_none() -> None:
    for _, (before, _, _, _) in games():
        assert words.decision_kind(before) == ("battle", "reinforce", "move", "attack")[before["phase"]]
    with pytest.raises(PlaymillError):
        words.decision_kind(quiet(player=-1))
    assert set(words.DECISION_NAMES) == {"battle", "reinforce", "move", "attack"}


def test_seen_does_not_change_when_only_hidden_things_change() -> None:
    conceal, luck = interpreted(hidden.conceal), plain(np.zeros(1, Luck))[0]
    interpreted(seed_luck)(luck, 5, 0)
    changed = 0
    for config, (before, _, _, _) in list(games())[::5]:
        players = words.players_of(before)
        for player in range(players):
            other = np.zeros(1, rules.State)
            other[0] = before
            conceal(plain(config.pack(players))[0], plain(other)[0], player, luck)
            changed += other[0] != before
            for lang in LANGUAGES:
                assert words.seen(config, before, player, lang) == words.seen(config, other[0], player, lang)
    assert changed > 50


def test_seen_shows_the_own_hand_and_battle_card() -> None:
    s = quiet(hand_size=(2, 3, 1, 0, 0), hand_anomalies=(2, 0, 0, 0, 0), committed=(SEVENTEEN + 1, 1, 0, 0, 0))
    s["hand"][0, GREEN] = 1
    s["hand"][1, PURPLE] = 3
    seen = words.seen(EPIC, s, 0, "ru")
    assert seen["hand"] == ["зелёная", "Кротовая Нора"]
    assert seen["battle_card"] == "синяя 17"
    assert "фиолетовая" not in json.dumps(seen, ensure_ascii=False)
    assert words.seen(EPIC, s, 2, "en")["battle_card"] is None
    json.dumps(seen)


def test_position_tells_the_whole_state() -> None:
    s = quiet(captain_at=1, deck_size=2, aura=(0, 0, 2, 0, 0), final=1)
    s["deck"][:2] = (RED, rules.ANOMALY_CARD)
    s["table"][0, SEVENTEEN] = 2
    assert words.position(EPIC, s, "en").splitlines() == [
        "turn 4 · Move or anomaly · player 1 (red) decides · final turn",
        "Spiral of Forces: red > green > yellow > blue > purple > red",
        "Deck 2: Quantum Entanglement R",
        "Black Hole: empty",
        "* Dimension 1, player 1 (red): B17×2 | Hand: empty",
        "  Dimension 2, player 2 (green): empty Captain Force | Hand: empty",
        "  Dimension 3, player 3 (blue): empty Auras of Darkness 2 | Hand: empty",
    ]
    assert "Спираль Сил: красные > зелёные" in words.position(EPIC, s, "ru")


def test_events_of_whole_games_speak_both_languages_and_end_with_the_winner() -> None:
    for config, (before, _, action, after) in games():
        events = words.events(config, before, after, action)
        for event in events:
            both(event)
        if after["player"] == rules.NOBODY:
            assert events[-1] == words.ending(config, after)
            assert f"player {after['owner'][after['winner']] + 1} " in events[-1].en
        if after["turns"] > before["turns"]:
            assert any(f"turn {after['turns']}:" in event.en for event in events)


def test_an_unrevealed_battle_card_is_no_event() -> None:
    for config, (before, _, action, after) in games():
        if before["phase"] == rules.BATTLE and after["committed"].any():
            assert words.events(config, before, after, action) == []


def test_the_reveal_names_every_card_and_the_winning_colour() -> None:
    before = quiet(phase=rules.BATTLE, player=2, committed=(RED + 1, 8, 0, 0, 0))
    after = quiet(phase=rules.REINFORCE)
    after["table"][2, GREEN] = 1
    assert words.events(EPIC, before, after, PLAY + GREEN) == [
        Text(
            "the battle: red (player 1), blue 5 (player 2), green (player 3) – green wins",
            "битва: красная (игрок 1), синяя 5 (игрок 2), зелёная (игрок 3) – побеждают зелёные",
        )
    ]
    after["table"][2, GREEN] = 0
    assert words.events(EPIC, before, after, PLAY + GREEN)[0].en.endswith("– nobody wins")


def test_a_card_lost_in_an_attack_is_named() -> None:
    before, after = quiet(phase=rules.ATTACK, auras=1), quiet(phase=rules.BATTLE, auras=1, turns=4)
    after["hole"][SEVENTEEN] = 1
    told = words.events(EPIC, before, after, a("attack", faction=GREEN, target=BLUE))
    assert told == [Text("blue 17 goes to the Black Hole", "синяя 17 уходит в Чёрную Дыру")]
    after["auras"] = 0
    told = words.events(EPIC, before, after, a("attack", faction=GREEN, target=AURA))
    assert "Aura of Darkness goes to the Black Hole: it was blue 17" in told[0].en
    after = quiet(phase=rules.BATTLE, auras=2)
    after["aura_cards"][1] = GREEN * 8
    told = words.events(EPIC, before, after, a("attack", faction=PURPLE, target=GREEN))
    assert told == [Text("a green card turns into an Aura of Darkness", "зелёная карта становится Аурой Тьмы")]


def test_recovery_the_last_card_and_the_final_turn_are_told() -> None:
    before = quiet(phase=rules.ATTACK, deck_size=3)
    after = quiet(phase=rules.BATTLE, deck_size=0, last_taker=1, turns=5, active=1, player=1, final=1)
    assert [event.en for event in words.events(EPIC, before, after, HOLD)] == [
        "3 cards drawn, 0 left in the deck",
        "player 2 (green) takes the last card of the deck",
        "turn 5: player 2 (green), final turn",
    ]


def test_a_time_loop_and_a_called_off_final_turn_are_told() -> None:
    before = quiet(phase=rules.ATTACK, loop=1)
    after = quiet(phase=rules.BATTLE, turns=5)
    assert [event.ru for event in words.events(EPIC, before, after, HOLD)] == [
        "ход 5: игрок 1 (красные), Временная Петля"
    ]
    before = quiet(phase=rules.ATTACK, last_taker=0, final=1)
    told = words.events(EPIC, before, after, HOLD)
    assert "called off" in told[0].en and told[1].en == "turn 5: player 1 (red)"
    told = words.events(EPIC, quiet(final=1), quiet(final=1, phase=rules.ATTACK), LOOP)
    assert "no effect" in told[0].en


def test_a_big_bang_tells_how_many_cards_came_back() -> None:
    told = words.events(EPIC, quiet(deck_size=9), quiet(deck_size=20, phase=rules.ATTACK), BANG)
    assert told == [Text("the Big Bang returned 11 cards to the deck", "Большой Взрыв вернул в колоду карт: 11")]


def test_a_wormhole_and_a_black_hole_tell_how_many_cards_they_took() -> None:
    before, after = quiet(), quiet(phase=rules.ATTACK)
    before["squad"][0, GREEN] = after["squad"][1, GREEN] = 3
    told = words.events(EPIC, before, after, a("wormhole", faction=GREEN, source=0, target=1))
    assert told == [Text("3 cards went through the Wormhole", "через Кротовую Нору прошло карт: 3")]
    before["hole"][RED], after["hole"][[RED, GREEN]] = 2, (2, 1)
    told = words.events(EPIC, before, after, a("black_hole", faction=GREEN, source=0))
    assert told == [Text("the Black Hole swallowed 1 card", "Чёрная Дыра поглотила карт: 1")]


def test_a_skipped_battle_and_reinforcement_are_told() -> None:
    after = quiet(phase=rules.MOVEMENT, turns=5)
    told = [event.en for event in words.events(EPIC, quiet(phase=rules.ATTACK), after, HOLD)]
    assert told[1:] == ["nobody has a card for the battle", "player 1 (red) has no card to reinforce with"]
    assert words.events(EPIC, quiet(phase=rules.REINFORCE), quiet(), SKIP) == []


def test_the_end_says_who_wins_and_why() -> None:
    s = quiet(player=-1, winner=GREEN, end=GREEN)
    s["squad"][2, GREEN] = 5
    assert "Armour of God, 5 green cards in Dimension 3" in words.ending(EPIC, s).en
    s = quiet(player=-1, winner=BLUE, end=BLUE, blue_sum=(0, 42, 0, 0, 0))
    assert words.ending(EPIC, s).ru.startswith("игрок 3 (синие) побеждает досрочно: Сверхразум")
    s = quiet(player=-1, winner=RED, end=rules.BY_COUNT, tie=rules.TIE_BY_SPIRAL, captain_at=0)
    s["squad"][1, GREEN] = 1
    assert words.ending(EPIC, s).en == (
        "player 1 (red) wins by count: red 1, green 1, blue 0; the tie is broken by the Spiral of Forces"
    )
    s["tie"] = rules.TIE_BY_LOT
    assert words.ending(EPIC, s).ru.endswith("; ничью решил жребий")
    s["faction"][2], s["winner"], s["end"] = YELLOW, YELLOW, YELLOW
    s["owner"] = (0, 1, 2, -1, -1)
    s["squad"][:3, YELLOW] = (1, 3, 1)
    assert "Spore Planets, 5 cards" in words.ending(EPIC, s).en
