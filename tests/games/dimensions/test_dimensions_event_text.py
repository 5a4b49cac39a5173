"""Positions and events of Battle of Dimensions in words: everything is told, hidden things stay hidden."""

from __future__ import annotations

import json

from dimensions_steps import EPIC, SEVENTEEN, a, games, quiet

from playmill.games.dimensions import constants
from playmill.games.dimensions.actions import AURA, BANG, BLUE, GREEN, HOLD, LOOP, PLAY, PURPLE, RED, SKIP, YELLOW
from playmill.games.dimensions.rules.cards import ANOMALY_CARD
from playmill.games.dimensions.words import event_text, position_text
from playmill.texts import Text


def test_seen_shows_the_own_hand_and_battle_card() -> None:
    s = quiet(hand_size=(2, 3, 1, 0, 0), hand_anomalies=(2, 0, 0, 0, 0), committed=(SEVENTEEN + 1, 1, 0, 0, 0))
    s["hand"][0, GREEN] = 1
    s["hand"][1, PURPLE] = 3
    seen = position_text.seen(EPIC, s, 0, "ru")
    assert seen["hand"] == ["зелёная", "Кротовая Нора"]
    assert seen["battle_card"] == "синяя 17"
    assert "фиолетовая" not in json.dumps(seen, ensure_ascii=False)
    assert position_text.seen(EPIC, s, 2, "en")["battle_card"] is None
    json.dumps(seen)


def test_position_tells_the_whole_state() -> None:
    s = quiet(captain_at=1, deck_size=2, aura=(0, 0, 2, 0, 0), final=1)
    s["deck"][:2] = (RED, ANOMALY_CARD)
    s["table"][0, SEVENTEEN] = 2
    assert position_text.position(EPIC, s, "en").splitlines() == [
        "turn 4 · Move or anomaly · player 1 (red) decides · final turn",
        "Spiral of Forces: red > green > yellow > blue > purple > red",
        "Deck 2: Quantum Entanglement R",
        "Black Hole: empty",
        "* Dimension 1, player 1 (red): B17×2 | Hand: empty",
        "  Dimension 2, player 2 (green): empty Captain Force | Hand: empty",
        "  Dimension 3, player 3 (blue): empty Auras of Darkness 2 | Hand: empty",
    ]
    assert "Спираль Сил: красные > зелёные" in position_text.position(EPIC, s, "ru")


def test_events_of_whole_games_name_every_turn_and_end_with_the_winner() -> None:
    for config, (before, _, action, after) in games():
        events = event_text.events(config, before, after, action)
        if after["player"] == constants.NOBODY:
            assert events[-1] == position_text.ending(config, after)
            assert f"player {after['owner'][after['winner']] + 1} " in events[-1].en
        if after["turns"] > before["turns"]:
            assert any(f"turn {after['turns']}:" in event.en for event in events)


def test_an_unrevealed_battle_card_is_no_event() -> None:
    for config, (before, _, action, after) in games():
        if before["phase"] == constants.BATTLE and after["committed"].any():
            assert event_text.events(config, before, after, action) == []


def test_the_reveal_names_every_card_and_the_winning_colour() -> None:
    before = quiet(phase=constants.BATTLE, player=2, committed=(RED + 1, 8, 0, 0, 0))
    after = quiet(phase=constants.REINFORCE)
    after["table"][2, GREEN] = 1
    assert event_text.events(EPIC, before, after, PLAY + GREEN) == [
        Text(
            "the battle: red (player 1), blue 5 (player 2), green (player 3) – green wins",
            "битва: красная (игрок 1), синяя 5 (игрок 2), зелёная (игрок 3) – побеждают зелёные",
        )
    ]
    after["table"][2, GREEN] = 0
    assert event_text.events(EPIC, before, after, PLAY + GREEN)[0].en.endswith("– nobody wins")


def test_a_card_lost_in_an_attack_is_named() -> None:
    before, after = quiet(phase=constants.ATTACK, auras=1), quiet(phase=constants.BATTLE, auras=1, turns=4)
    after["hole"][SEVENTEEN] = 1
    told = event_text.events(EPIC, before, after, a("attack", faction=GREEN, target=BLUE))
    assert told == [Text("blue 17 goes to the Black Hole", "синяя 17 уходит в Чёрную Дыру")]
    after["auras"] = 0
    told = event_text.events(EPIC, before, after, a("attack", faction=GREEN, target=AURA))
    assert "Aura of Darkness goes to the Black Hole: it was blue 17" in told[0].en
    after = quiet(phase=constants.BATTLE, auras=2)
    after["aura_cards"][1] = GREEN * 8
    told = event_text.events(EPIC, before, after, a("attack", faction=PURPLE, target=GREEN))
    assert told == [Text("a green card turns into an Aura of Darkness", "зелёная карта становится Аурой Тьмы")]


def test_recovery_the_last_card_and_the_final_turn_are_told() -> None:
    before = quiet(phase=constants.ATTACK, deck_size=3)
    after = quiet(phase=constants.BATTLE, deck_size=0, last_taker=1, turns=5, active=1, player=1, final=1)
    assert [event.en for event in event_text.events(EPIC, before, after, HOLD)] == [
        "3 cards drawn, 0 left in the deck",
        "player 2 (green) takes the last card of the deck",
        "turn 5: player 2 (green), final turn",
    ]


def test_a_time_loop_and_a_called_off_final_turn_are_told() -> None:
    before = quiet(phase=constants.ATTACK, loop=1)
    after = quiet(phase=constants.BATTLE, turns=5)
    assert [event.ru for event in event_text.events(EPIC, before, after, HOLD)] == [
        "ход 5: игрок 1 (красные), Временная Петля"
    ]
    before = quiet(phase=constants.ATTACK, last_taker=0, final=1)
    told = event_text.events(EPIC, before, after, HOLD)
    assert "called off" in told[0].en and told[1].en == "turn 5: player 1 (red)"
    told = event_text.events(EPIC, quiet(final=1), quiet(final=1, phase=constants.ATTACK), LOOP)
    assert "no effect" in told[0].en


def test_a_big_bang_tells_how_many_cards_came_back() -> None:
    told = event_text.events(EPIC, quiet(deck_size=9), quiet(deck_size=20, phase=constants.ATTACK), BANG)
    assert told == [Text("the Big Bang returned 11 cards to the deck", "Большой Взрыв вернул в колоду 11 карт")]


def test_a_wormhole_and_a_black_hole_tell_how_many_cards_they_took() -> None:
    before, after = quiet(), quiet(phase=constants.ATTACK)
    before["squad"][0, GREEN] = after["squad"][1, GREEN] = 3
    told = event_text.events(EPIC, before, after, a("wormhole", faction=GREEN, source=0, target=1))
    assert told == [Text("3 cards went through the Wormhole", "через Кротовую Нору прошли 3 карты")]
    before["hole"][RED], after["hole"][[RED, GREEN]] = 2, (2, 1)
    told = event_text.events(EPIC, before, after, a("black_hole", faction=GREEN, source=0))
    assert told == [Text("the Black Hole swallowed 1 card", "Чёрная Дыра поглотила 1 карту")]


def test_a_skipped_battle_and_reinforcement_are_told() -> None:
    after = quiet(phase=constants.MOVEMENT, turns=5)
    told = [event.en for event in event_text.events(EPIC, quiet(phase=constants.ATTACK), after, HOLD)]
    assert told[1:] == ["nobody has a card for the battle", "player 1 (red) has no card to reinforce with"]
    assert event_text.events(EPIC, quiet(phase=constants.REINFORCE), quiet(), SKIP) == []


def test_the_end_says_who_wins_and_why() -> None:
    s = quiet(player=-1, winner=GREEN, end=GREEN)
    s["squad"][2, GREEN] = 5
    assert "Armour of God, 5 green cards in Dimension 3" in position_text.ending(EPIC, s).en
    s = quiet(player=-1, winner=BLUE, end=BLUE, blue_sum=(0, 42, 0, 0, 0))
    assert position_text.ending(EPIC, s).ru.startswith("игрок 3 (синие) побеждает досрочно: Сверхразум")
    assert "Overmind, blue values sum to 42" in position_text.ending(EPIC, s).en
    s = quiet(player=-1, winner=RED, end=constants.BY_COUNT, tie=constants.TIE_BY_SPIRAL, captain_at=0)
    s["squad"][1, GREEN] = 1
    assert position_text.ending(EPIC, s).en == (
        "player 1 (red) wins by count: red 1, green 1, blue 0; the tie is broken by the Spiral of Forces"
    )
    s["tie"] = constants.TIE_BY_LOT
    assert position_text.ending(EPIC, s).ru.endswith("; ничью решил жребий")
    s["faction"][2], s["winner"], s["end"] = YELLOW, YELLOW, YELLOW
    s["owner"] = (0, 1, 2, -1, -1)
    s["squad"][:3, YELLOW] = (1, 3, 1)
    assert "Spore Planets, 5 cards" in position_text.ending(EPIC, s).en
