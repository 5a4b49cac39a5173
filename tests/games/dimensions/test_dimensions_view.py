"""The picture of the table: well-formed, clickable where something is legal, silent about hidden things."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from dimensions_steps import BASELINE, EPIC, SEVENTEEN, a

from common.language import kept_to
from common.pictures import SVG, acts, composed, offered, readable, tree
from playmill.games.dimensions import constants, rules, words
from playmill.games.dimensions.actions import (
    AURA,
    BLUE,
    GREEN,
    HOLD,
    LOOP,
    MOVE_CAPTAIN,
    PLAY,
    PURPLE,
    PUT_CAPTAIN,
    RED,
    SKIP,
    STAY,
    YELLOW,
)
from playmill.games.dimensions.view import WIDTH, view
from playmill.games.dimensions.words import names
from playmill.texts import LANGUAGES, Lang, Text


def table(players: int = 3, **changes: Any) -> np.void:
    """A state in the middle of a game: the first player is red with her Captain in play, on turn and to move."""
    s: np.void = np.zeros(1, rules.State)[0]
    s["faction"][:players] = range(players)
    s["owner"] = [faction if faction < players else -1 for faction in range(5)]
    s["spiral"] = (GREEN, RED, PURPLE, BLUE, YELLOW)
    s["phase"], s["turns"], s["deck_size"] = constants.MOVEMENT, 4, 20
    s["last_taker"], s["winner"], s["captain_at"] = constants.NOBODY, constants.NOBODY, 0
    s["table"][0, [RED, GREEN, SEVENTEEN]] = (2, 1, 2)
    s["squad"][0, [RED, GREEN, BLUE]] = (2, 1, 2)
    s["blue_sum"][0] = 34
    s["aura"][0], s["auras"] = 1, 1
    s["hand"][0, [YELLOW, SEVENTEEN]] = (2, 1)
    s["hand_anomalies"][0] = 1 << 4 | 1 << 1
    s["hand_size"][:players] = 4
    s["hole"][[PURPLE, 8]] = (3, 1)
    for name, value in changes.items():
        s[name] = value
    return s


def options(s: np.void) -> list[int]:
    """Some legal actions of the first player in each phase."""
    if s["phase"] == constants.BATTLE:
        return [PLAY + YELLOW, PLAY + SEVENTEEN]
    if s["phase"] == constants.REINFORCE:
        puts = [a("put", kind=kind, target=to) for kind in (YELLOW, SEVENTEEN) for to in range(3)]
        return [*puts, PUT_CAPTAIN, PUT_CAPTAIN + 1, PUT_CAPTAIN + 2, SKIP]
    if s["phase"] == constants.MOVEMENT:
        moves = [a("move", kind=RED, source=0, target=to) for to in (1, 2)]
        return [STAY, *moves, MOVE_CAPTAIN + 1, a("wormhole", source=0, faction=RED, target=1), LOOP]
    return [HOLD, *(a("attack", faction=RED, target=to) for to in (GREEN, AURA))]


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("phase", range(4))
@pytest.mark.parametrize("players", [3, 4, 5])
def test_exactly_the_legal_actions_can_be_clicked(players: int, phase: int, lang: Lang) -> None:
    s = table(players, phase=phase, captain_at=constants.CAPTAIN_AVAILABLE if phase == constants.REINFORCE else 0)
    svg = view(EPIC, s, 0, options(s), lang)
    assert sorted(offered(svg)) == sorted(options(s))
    assert tree(svg).attrib["viewBox"].startswith(f"0 0 {WIDTH} ")


def things_of(svg: str, action: int) -> set[str]:
    """What is clicked for an action."""
    return composed(svg)[action]


def test_a_card_is_clicked_and_then_where_it_goes() -> None:
    s = table(phase=constants.REINFORCE, captain_at=constants.CAPTAIN_AVAILABLE)
    svg = view(EPIC, s, 0, options(s), "en")
    assert things_of(svg, a("put", kind=YELLOW, target=2)) == {f"hand-{YELLOW}", "dimension-2"}
    assert things_of(svg, a("put_captain", target=1)) == {"captain-card", "dimension-1"}
    s = table()
    svg = view(EPIC, s, 0, options(s), "en")
    assert things_of(svg, a("move", kind=RED, source=0, target=1)) == {f"squad-0-{RED}", "dimension-1"}
    assert things_of(svg, a("move_captain", target=1)) == {"captain", "dimension-1"}
    assert LOOP in [int(act.attrib["data-a"]) for act in acts(svg)], "an anomaly without a target is played at once"


def test_an_anomaly_is_clicked_with_what_it_acts_on() -> None:
    s = table(hand_anomalies=(0b111, 0, 0, 0, 0))
    tunnel = a("wormhole", source=0, faction=RED, target=1)
    moved = a("move", kind=RED, source=0, target=1)
    hole, aura = a("black_hole", source=0, faction=GREEN), a("black_hole", source=0, faction=AURA)
    swap = a("entanglement", faction=RED, target=BLUE)
    svg = view(EPIC, s, 0, [STAY, tunnel, moved, hole, aura, swap], "en")
    assert things_of(svg, tunnel) == {"anomaly-1", f"squad-0-{RED}", "dimension-1"}
    assert things_of(svg, hole) == {"anomaly-2", f"squad-0-{GREEN}"}
    assert things_of(svg, aura) == {"anomaly-2", "auras-0"}
    assert things_of(svg, swap) == {"anomaly-0", f"spiral-{RED}", f"spiral-{BLUE}"}


def test_an_attack_is_a_squad_and_the_swords_of_another() -> None:
    s = table(phase=constants.ATTACK)
    both = [a("attack", faction=one, target=two) for one, two in ((RED, GREEN), (GREEN, RED))]
    svg = view(EPIC, s, 0, [HOLD, *both], "en")
    assert composed(svg)[both[0]] == {f"squad-0-{RED}", f"hit-0-{GREEN}"}
    assert composed(svg)[both[1]] == {f"squad-0-{GREEN}", f"hit-0-{RED}"}


def test_what_cannot_be_played_says_why() -> None:
    def reasons(s: np.void) -> dict[str, str]:
        found = tree(view(EPIC, s, 0, options(s), "en")).iter(f"{SVG}g")
        return {group.attrib["data-thing"]: group.attrib["data-why"] for group in found if "data-why" in group.attrib}

    assert reasons(table(phase=constants.BATTLE))["anomaly-4"].startswith("Anomalies are played in the third phase")
    assert reasons(table())[f"hand-{YELLOW}"].startswith("Cards of the hand are laid in the battle")
    assert reasons(table())["auras-0"] == "Auras cannot be moved"
    assert "it is not larger" in reasons(table(phase=constants.ATTACK))[f"squad-0-{GREEN}"]
    assert reasons(table(player=1)) == {}, "who waits is told no reasons"


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("viewer", [None, 0, 1, 2])
def test_hidden_cards_of_others_leave_no_trace(viewer: int | None, lang: Lang) -> None:
    def with_secrets(kind: int, anomaly: int) -> np.void:
        s = table(phase=constants.BATTLE, player=2)
        for player in range(3):
            if player != viewer:
                s["hand"][player] = 0
                s["hand"][player, kind] = 3
                s["hand_anomalies"][player] = 1 << anomaly
                s["committed"][player] = kind + 1 if player < 2 else 0
        s["deck"][:20] = kind
        return s

    assert view(EPIC, with_secrets(9, 0), viewer, [], lang) == view(EPIC, with_secrets(GREEN, 3), viewer, [], lang)


def test_the_viewer_sees_the_own_battle_card() -> None:
    s = table(phase=constants.BATTLE, player=1, committed=(14 + 1, 0, 0, 0, 0))
    assert "B29" in readable(view(EPIC, s, 0, [], "en"))
    assert "С29" in readable(view(EPIC, s, 0, [], "ru"))
    assert "B29" not in readable(view(EPIC, s, 1, [], "en"))
    assert "B29" not in readable(view(EPIC, s, None, [], "en"))


def test_the_final_turn_and_the_time_loop_are_told_in_each_language() -> None:
    s = table(final=1, loop=1)
    english, russian = (readable(view(EPIC, s, 0, options(s), lang)) for lang in LANGUAGES)
    kept_to(english, "en")
    kept_to(russian, "ru")
    assert "Final turn" in english and "Time Loop" in english
    assert "Финальный ход" in russian and "Временная Петля" in russian and "Капитан" in russian


def test_every_chip_has_a_letter() -> None:
    for lang, letters in zip(LANGUAGES, ("RGYBP", "КЗЖСФ"), strict=True):
        assert set(letters) <= set(readable(view(EPIC, table(5), None, [], lang)).split())


def test_a_finished_game_shows_its_ending() -> None:
    s = table(player=constants.NOBODY, winner=GREEN, end=constants.BY_COUNT, phase=constants.TURN_OVER)
    svg = view(EPIC, s, 0, [], "en")
    assert "Player 2 (green) wins by count" in readable(svg)
    assert offered(svg) == []


def test_the_plain_rules_are_drawn_without_values() -> None:
    s = table()
    s["table"], s["hand"], s["hole"], s["captain_at"] = 0, 0, 0, constants.CAPTAIN_ABSENT
    s["table"][0, BLUE] = s["hand"][0, BLUE] = s["hole"][BLUE] = 2
    drawn = readable(view(BASELINE, s, 0, [STAY], "en"))
    assert "×2" in drawn and "Σ" not in drawn


def test_texts_are_escaped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(words, "describe", lambda config, action: Text("<script>&\"'", "<script>&\"'"))
    monkeypatch.setattr(names, "player_name", lambda s, player: Text("<b>&", "<b>&"))
    svg = view(EPIC, table(), 0, options(table()), "en")
    tree(svg)
    assert "<script" not in svg and "<b>" not in svg and "&lt;script&gt;" in svg


def test_all_five_phases_are_shown() -> None:
    for lang, last in (("en", "5 Recover"), ("ru", "5 Восстановление")):
        s = table()
        shown = readable(view(EPIC, s, 0, options(s), lang))
        assert all(f"{number} " in shown for number in range(1, 6))
        assert last in shown


def test_instant_wins_are_shown_by_their_names() -> None:
    s = table(5)
    for lang, wins in (
        ("en", ("Armour of God 1 / 5", "Spore Planets 0 / 5", "Overmind Σ 34 / 42")),
        ("ru", ("Доспехи Бога 1 / 5", "Планеты-Споры 0 / 5", "Сверхразум Σ 34 / 42")),
    ):
        shown = readable(view(EPIC, s, 0, options(s), lang))
        assert all(win in shown for win in wins), shown
