"""The picture of the table of Dice: well-formed, clickable where something is legal, whole without anything else."""

from __future__ import annotations

import re

import numpy as np
import pytest
from dice_scenes import HOPELESS, PLAIN, RICH, content, entry, logged, opening, options, roll_of, table
from dice_stock import full, hostile
from hypothesis import given, settings
from hypothesis import strategies as st

from common.effort import share
from common.language import kept_to
from common.pictures import SVG, composed, offered, readable, refusals, tree
from common.pictures import all_titles as titles
from playmill.drawing.lettering import clean, fit, width_of, wrapped
from playmill.drawing.svg import sentence
from playmill.games.dice import words
from playmill.games.dice.actions import CHOOSE, CONTINUE, PASS, USE
from playmill.games.dice.config import Config
from playmill.games.dice.constants import NOBODY
from playmill.games.dice.rules.effects import BANKED, BUSTED, NOTED, THREW
from playmill.games.dice.rules.options import MAX_ROLLS
from playmill.games.dice.view import WIDTH, view
from playmill.games.dice.view.shapes import COLUMN
from playmill.games.dice.words import event_text, names
from playmill.texts import LANGUAGES, Lang

ALL_ROLLS = st.lists(st.integers(0, 6), min_size=6, max_size=6)


def drawn(config: Config, s: np.void, lang: Lang = "en") -> str:
    """The picture for the player to move."""
    return view(config, s, int(s["player"]), options(config, s), lang)


@given(ALL_ROLLS)
@settings(max_examples=share(40), deadline=None)
def test_exactly_the_legal_actions_can_be_clicked_each_once(faces: list[int]) -> None:
    s = table(faces, points=350)
    for config in (PLAIN, RICH):
        legal = options(config, s)
        assert sorted(offered(drawn(config, s))) == legal


def test_six_ones_offer_all_sixty_three_sets_and_list_each_score_once() -> None:
    svg = drawn(PLAIN, table([1] * 6))
    assert len(offered(svg)) == 2 * 63
    gains = [readable(group) for group in tree(svg).iter(f"{SVG}g") if "data-pick" in group.attrib]
    assert gains == ["+8000", "+4000", "+2000", "+1000", "+200", "+100"], "the best first"


def test_dice_are_parts_of_a_save_and_two_words_end_it() -> None:
    svg = drawn(PLAIN, table([1, 5, 2, 2, 2, 3], points=300))
    found = composed(svg)
    assert found[CONTINUE + 0b011101] == {"die-1", "die-3", "die-4", "die-5", "on"}
    assert found[PASS + 0b000010] == {"die-2", "pass"}
    assert refusals(svg) == {"die-6": "A 3 scores only as one of three alike or in a straight"}
    assert "only" not in str(refusals(view(PLAIN, table([1, 5, 2, 2, 2, 3]), 1, [], "en"))), "to nobody else"


def test_a_button_says_what_the_dice_chosen_would_bring() -> None:
    svg = drawn(PLAIN, table([1, 5, 2, 2, 2, 3], points=300, total=(3500, 0)))
    told = {
        int(action): readable(group)
        for group in tree(svg).iter(f"{SVG}g")
        for action in group.attrib.get("data-for", "").split()
    }
    assert sorted(told) == options(PLAIN, table([1, 5, 2, 2, 2, 3])), "of every save"
    assert told[CONTINUE + 0b011101] == "+300 throw 2 · bust 44 %" and told[PASS + 0b000001] == "+400 total 3900"
    assert told[PASS + 0b011101] == "+600 wins!"
    assert 'data-until="Choose dice that score; every one of them has to count"' in svg


@pytest.mark.parametrize("viewer", [None, 1])
def test_what_the_dice_bring_is_seen_by_all(viewer: int | None) -> None:
    s = table([1, 5, 5, 2, 2, 2])
    assert "+420" in readable(view(RICH, s, viewer, options(RICH, s), "en"))


def test_an_item_is_used_by_its_name_or_says_why_not() -> None:
    s = table([1, 5, 3, 2, 2, 4], player=1, rolls=1)
    svg = drawn(RICH, s)
    assert USE in offered(svg) and USE + 1 in offered(svg) and USE + 2 in offered(svg)
    assert "Use: Nimble Fingers" in titles(svg) and "Use: Double Next Save" in titles(svg)
    nimble = entry(RICH, "nimble_fingers")
    s["cooldown"][nimble] = 2
    assert refusals(drawn(RICH, s))[f"item-{nimble}"] == "Ready in 2 turns; turns of both players count"
    assert "Готово через 2 хода" in refusals(drawn(RICH, s, "ru"))[f"item-{nimble}"]
    mine = entry(RICH, "sleight_of_hand")
    waiting = refusals(view(RICH, s, 0, [], "en"))
    assert waiting[f"item-{mine}"] == "Items are used in one&#x27;s own turn, after a throw".replace("&#x27;", "'")
    s = table([1, 0, 5, 2, 2, 4], player=1, choosing=1 + nimble)
    assert "First choose the dice for Nimble Fingers" in refusals(drawn(RICH, s)).values()


def test_dice_for_an_item_are_chosen_on_the_table_one_at_once_several_by_a_last_word() -> None:
    s = table([1, 0, 5, 2, 2, 4], choosing=1 + entry(RICH, "sleight_of_hand"))
    svg = drawn(RICH, s)
    assert offered(svg) == [CHOOSE + 4, CHOOSE + 8, CHOOSE + 16, CHOOSE + 32], "the first shows a one already"
    assert composed(svg) == {} and refusals(svg)["die-1"] == "It would not change this die"
    assert "Sleight of Hand: which die?" in readable(svg) and "Click dice on the table" in readable(svg)
    s = table([1, 0, 5, 2, 2, 4], player=1, choosing=1 + entry(RICH, "nimble_fingers"))
    svg = drawn(RICH, s, "ru")
    assert sorted(offered(svg)) == options(RICH, s) and len(offered(svg)) == 5 + 10
    assert composed(svg)[CHOOSE + 0b101] == {"die-1", "die-3", "choose"}
    assert "Ловкие пальцы: какие кости?" in readable(svg)
    s = table([1] * 6, choosing=1 + entry(content(), "i"))
    assert len(offered(drawn(content(), s))) == 63


def test_a_turn_that_has_to_pass_offers_passing_only() -> None:
    s = table([1, 2, 2, 3, 4, 6], rolls=MAX_ROLLS)
    svg = drawn(PLAIN, s)
    assert offered(svg) == [PASS + 1] and refusals(svg)["on"] == f"After {MAX_ROLLS} throws one has to pass"


@pytest.mark.parametrize("lang", LANGUAGES)
def test_each_language_is_kept_to(lang: Lang) -> None:
    s = table([1, 0, 5, 2, 2, 2], flags=(3, 1), hot=1, points=250, total=(1250, 900))
    s["cooldown"][entry(RICH, "lead_weight")] = 2
    s = logged(s, (THREW, 1 << 6 | 63, roll_of([2] * 6)), (BUSTED, 1, 450), (NOTED, entry(RICH, "five_groats"), 25))
    for position in (
        s,
        table([1] * 6, player=NOBODY, winner=0),
        table([1] * 6, choosing=1 + entry(RICH, "bust_shield")),
    ):
        shown = readable(view(RICH, position, 0, [], lang)) + titles(view(RICH, position, 0, [], lang))
        kept_to(shown, lang, r"\bE\b")
    shown = readable(view(RICH, s, 0, options(RICH, s), lang))
    expected = {
        "en": (
            "Save & Continue",
            "Save & Pass",
            "· bust ",
            "shield",
            "hot dice",
            "ready in 2 turns",
            "bust, 450 points lost",
            "set aside",
        ),
        "ru": (
            "Сохранить и бросать",
            "Сохранить и пас",
            "· провал ",
            "щит",
            "горячие кости",
            "готово через 2 хода",
            "провал, сгорает 450 очков",
            "отложены",
        ),
    }
    assert all(part in shown for part in expected[lang])


def test_the_risk_and_what_a_pass_brings_are_on_the_buttons() -> None:
    shown = readable(drawn(PLAIN, table([1, 5, 5, 2, 3, 3], points=300, total=(3000, 0))))
    assert "throw 3 · bust 28 %" in shown and "+500 total 3500" in shown
    assert "wins!" in readable(drawn(PLAIN, table([1] * 6, total=(3000, 0))))


def test_a_risk_that_is_not_known_is_not_told() -> None:
    config = Config.read({"players": [{"items": ["lead_weight"]}, {}]})
    s = table([1, 5, 3, 0, 0, 0], changed=0b111, profile=(1, 1, 1, 0, 0, 0), rolls=3)
    shown = readable(drawn(config, s))
    assert "bust 67 %" not in shown and "bust 44 %" not in shown and "throw 1" in shown


def test_loaded_dice_have_their_code_and_say_how_they_fall() -> None:
    svg = drawn(RICH, table([1, 0, 5, 2, 2, 2]))
    assert {"1+", "E", "½"} <= set(readable(svg).split())
    ones = "1 · Die 1: Loaded Ones; of its throws 1: 50 %; 2, 3, 4, 5 and 6: 10 % each. "
    assert ones in titles(svg) and "Die 2: Fair Die; all faces fall alike" in titles(svg)
    russian = titles(drawn(RICH, table([1, 0, 5, 2, 2, 2]), "ru"))
    assert "доля бросков: 1 – 50 %; 2, 3, 4, 5 и 6 – по 10 %" in russian
    config = Config.read({"players": [{"items": ["lead_weight"]}, {}]})
    svg = drawn(config, table([1, 5, 3, 0, 0, 0], changed=0b001, profile=(1, 0, 0, 0, 0, 0)))
    assert "F*" in readable(svg) and "2, 3, 4 and 6: 12.5 % each, until the turn ends" in titles(svg)
    crooked = {"id": "crooked", "name": "c", "desc": "d", "code": "c", "weights": [0, 1, 0, 0, 1, 2]}
    config = Config.read({"content": {"dice": [crooked]}, "players": [{"dice": ["crooked"] * 6}, {}]})
    never = event_text.die_text(config, table([2] * 6), 0, 0)
    assert "6: 50 %; 2 and 5: 25 % each; 1, 3 and 4: never" in never.en


def test_dice_that_can_be_saved_are_marked() -> None:
    assert drawn(PLAIN, table([1, 5, 2, 2, 3, 6])).count('class="ring"') == 2
    assert drawn(PLAIN, table([1, 2, 3, 4, 5, 2])).count('class="ring"') == 6, "a straight with either two"
    assert drawn(PLAIN, table([6, 6, 6, 2, 0, 0])).count('class="ring"') == 3


def test_the_busted_throw_of_the_other_player_stays_in_sight() -> None:
    s = table([1, 2, 3, 3, 4, 6], turns=6, rolls=1, player=1)
    bust, now = roll_of([0, 0, 0, 3, 4, 6]), int(s["roll"])
    s = logged(s, (THREW, 0b111000, bust), (BUSTED, 0, 650), (THREW, 1 << 6 | 63, now))
    for viewer in (0, 1, None):
        shown = readable(view(PLAIN, s, viewer, [], "en"))
        assert "Player 1 throws Nothing scores: bust, 650 points lost Player 2 throws" in shown


def test_a_plain_throw_is_not_shown_twice() -> None:
    s = table([1, 2, 3, 3, 4, 6])
    assert "What happened" not in readable(drawn(PLAIN, logged(s, (THREW, 63, int(s["roll"])))))


def test_a_long_log_shows_its_end() -> None:
    lines = [(NOTED, entry(RICH, "three_bells"), points) for points in range(1, 31)]
    shown = readable(drawn(RICH, logged(table([1] * 6), *lines)))
    assert "(+30 points)" in shown and "(+1 point)" not in shown
    assert "… 20 before that: see the log of the table" in shown and "more happened" not in shown
    cut = logged(table([1] * 6), *lines, *lines)
    assert "… more happened (12): 48 lines of an action are told, all are counted" in readable(drawn(RICH, cut))
    assert "учтены все" in readable(drawn(RICH, cut, "ru"))


def test_a_card_shows_the_exact_trigger_and_effect_and_the_length_of_a_cooldown_under_the_words_of_its_author() -> None:
    shown = readable(drawn(RICH, table([1, 5, 2, 2, 3, 3])))
    for said, exactly in (
        ("Passing costs a tenth of the turn's points.", "On passing: −10% of the turn points"),
        ("the same dice are thrown again", "Active, cooldown 6 turns: the next bust is cancelled"),
    ):
        assert said in shown and exactly in shown[shown.index(said) :], (said, exactly)
    russian = readable(drawn(RICH, table([1, 5, 2, 2, 3, 3]), "ru"))
    assert "Активный, перезарядка 6 ходов" in russian and "При пасе: −10% очков хода" in russian


def test_what_the_author_said_exactly_is_not_said_twice() -> None:
    told = "On a roll: +25 points"
    one = {"name": "Fives", "trigger": "on_roll", "effect": {"add": 25}, "note": "5"}
    for desc, times in ((f"{told}.", 1), ("Fives pay.", 1), (told.lower(), 0)):
        config = Config.read(
            {"content": {"modifiers": [{**one, "id": "fives", "desc": desc}]}, "global_modifiers": "fives"}
        )
        assert readable(drawn(config, table([1, 5, 2, 2, 3, 3]))).count(told) == times, desc


def test_a_finished_match_shows_its_ending() -> None:
    s = table([1, 0, 5, 2, 2, 2], player=NOBODY, winner=1, total=(1250, 4100))
    s = logged(s, (BANKED, 1, 900))
    svg = view(RICH, s, 0, [], "en")
    assert "Player 2 wins 4100 to 1250" in readable(svg) and "The match is over" in readable(svg)
    assert "Побеждает игрок 2" in readable(view(RICH, s, None, [], "ru")) and offered(svg) == []
    draw = readable(view(HOPELESS, opening(HOPELESS, 1), None, [], "en"))
    assert "A draw after 100 turns 0 to 0" in draw and "bust" in draw


def test_locked_dice_own_flags_and_what_is_switched_off_are_shown() -> None:
    config = Config.read(
        {
            "kit": "drinking_bout",
            "global_modifiers": ["merry_company", {"id": "town_tax", "enabled": False}],
            "players": [{"items": ["mulled_wine", "sealing_wax"]}, {}],
        }
    )
    s = table([1, 5, 2, 2, 3, 3], locked=0b000001, flags=(0b100, 0), flag_turns=((0, 0, 2) + (0,) * 15, (0,) * 18))
    svg = drawn(config, s)
    assert "merry · 2" in readable(svg) and "switched off" in readable(svg)
    assert "Die 1: Fair Die; all faces fall alike; locked" in titles(svg) and "Merry (2 turns)" in titles(svg)
    russian = view(config, s, 0, options(config, s), "ru")
    assert "навеселе · 2" in readable(russian) and "закреплена" in titles(russian)
    assert "выключено" in readable(russian)


@pytest.mark.parametrize(("switched", "choosing"), [(True, 0), (True, 1), (False, 0)])
def test_the_longest_name_of_an_item_is_told_whole(switched: bool, choosing: int) -> None:
    long = "Широчайшая Ширма Южных Шутов из Жюри ЩЮЖ"
    assert len(long) == 40, "no name may be longer"
    item = {"id": "long", "name": long, "desc": "d", "type": "active", "cooldown_turns": 1, "notification": "n"}
    effect = {"reroll": {"dice": "chosen", "count": 1}}
    listed = [{"id": "long", "enabled": switched}]
    config = Config.read({"content": {"items": [{**item, "effect": effect}]}, "players": [{"items": listed}, {}]})
    svg = drawn(config, table([1, 5, 2, 2, 3, 3], choosing=choosing), lang="ru")
    assert readable(svg).count(long) == 1 + choosing
    assert "…" not in readable(svg)


def test_flags_without_room_stand_under_the_total_and_none_is_cut() -> None:
    names_of = [f"flag number {n} of many" for n in range(16)]
    item = {"name": "i", "desc": "d", "type": "active", "cooldown_turns": 1, "notification": "n"}
    effects = [[{"set_flag": f"f{n}"} for n in range(first, first + 4)] for first in (0, 4, 8, 12)]
    config = Config.read(
        {
            "content": {
                "flags": [{"id": f"f{n}", "name": name} for n, name in enumerate(names_of)],
                "items": [{**item, "id": f"i{n}", "effect": effect} for n, effect in enumerate(effects)],
            },
            "global_items": "i0,i1,i2,i3",
        }
    )
    svg = drawn(config, table([1, 5, 2, 2, 3, 3], flags=((1 << 18) - 1, 0), points=-100_000, total=(999_999, 0)))
    assert all(sentence(name) in titles(svg) and name in readable(svg) for name in names_of)
    assert "…" not in readable(svg)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_names_and_texts_of_content_are_escaped(lang: Lang) -> None:
    config = hostile()
    bad = hostile().resolved().entries[0].content.name.of(lang)
    s = logged(table([1, 5, 2, 2, 3, 3], rolls=1), (THREW, 63, roll_of([1] * 6)), (NOTED, 0, 5))
    for position in (s, table([1] * 6, choosing=2), table([1] * 6, player=NOBODY, winner=0)):
        svg = view(config, position, 0, options(config, position), lang)
        assert bad in readable(svg) and "<script" not in svg and "<b>" not in svg
        assert '<&">' in readable(svg), "the code of the dice"
    assert bad in readable(drawn(config, s, lang)) and bad in titles(drawn(config, s, lang))
    assert bad in words.position(config, s, lang)


@given(st.text(st.characters(exclude_categories=("Cs", "Cc")), min_size=1, max_size=40))
@settings(max_examples=share(60), deadline=None)
def test_any_name_makes_a_picture_that_can_be_read(name: str) -> None:
    line = clean(name)
    assert clean(line) == line
    tree(f"<svg>{line.replace('&', '').replace('<', '')}</svg>")


def test_characters_that_a_picture_cannot_hold_are_replaced() -> None:
    config = content(en="a\ufffeb\u202ec", ru="а\uffffб\u2067в")
    for lang in LANGUAGES:
        svg = drawn(config, table([1] * 6, rolls=1), lang)
        assert not re.search("[\ufffe\uffff\u202e\u2067]", svg) and "\ufffd" in readable(svg)


@given(st.text(st.characters(exclude_categories=("Cs", "Cc")), max_size=200), st.floats(40, 400))
@settings(max_examples=share(60), deadline=None)
def test_lines_are_broken_and_cut_to_fit(line: str, room: float) -> None:
    lines = wrapped(line, 13, room)
    assert all(width_of(part, 13) <= room for part in lines)
    assert "".join(lines).replace(" ", "") == line.replace(" ", "")
    assert width_of(fit(line, 13, room), 13) <= room


@pytest.mark.parametrize("lang", LANGUAGES)
def test_everything_lies_within_the_picture(lang: Lang) -> None:
    config, s = full()
    svg = tree(drawn(config, s, lang))
    assert svg.attrib["viewBox"].startswith(f"0 0 {WIDTH} ")
    width, height = map(float, svg.attrib["viewBox"].split()[2:])
    parts = [group for group in svg.iter(f"{SVG}g") if group.attrib.get("class") == "part"]
    narrow = float(svg.attrib["style"].split("/")[1])
    for part in parts:
        x, y = map(float, re.findall(r"[\d.]+", part.attrib["transform"]))
        down = float(re.findall(r"[\d.]+", part.attrib["style"])[0]) / 2
        for rect in part.iter(f"{SVG}rect"):
            left, top, w, h = (float(rect.attrib[name]) for name in ("x", "y", "width", "height"))
            assert left >= 0 and left + w <= COLUMN and x + left + w <= width
            assert y + top + h <= height and down + top + h <= narrow
    assert sorted(offered(drawn(config, s, lang))) == options(config, s)


def test_the_groups_hold_every_set_once() -> None:
    s = table([1, 5, 1, 5, 1, 5])
    svg = drawn(PLAIN, s)
    saves = [action for action in offered(svg) if action < PASS]
    assert sorted(saves) == [CONTINUE + dice for dice in names.savable_sets(s)]
