"""The picture of Save Oneself: well-formed, clickable where something is legal, silent about the deck."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import numpy as np
import pytest
from save_oneself_scenes import DEFAULT, LONG, games, options, set_up

from common.pictures import (
    SVG,
    acts,
    all_titles,
    check_layout,
    group_of,
    offered,
    panel_size,
    parts,
    readable,
    titles,
    tree,
)
from common.work import calls_of
from playmill import State, load_game
from playmill.games.save_oneself import constants
from playmill.games.save_oneself.actions import SKIP, TURN, WAIVE
from playmill.games.save_oneself.config import Config
from playmill.games.save_oneself.constants import CARD_IDS, FRONT, MAP_R, NOBODY, SIDE_IDS
from playmill.games.save_oneself.view import WIDTH, view
from playmill.games.save_oneself.view.scene import BOARD
from playmill.games.save_oneself.view.shapes import FACE_EDGE, PANEL, RED, name_lines
from playmill.games.save_oneself.view.symbols import _COLOURS, _SYMBOLS, symbol
from playmill.games.save_oneself.words import names
from playmill.texts import LANGUAGES, Lang

_EYES = r"[ma][-\d. a]+z"


def field(svg: str) -> ElementTree.Element:
    """The sea and the island."""
    return group_of(svg, "board")


def drawn(s: np.void, lang: Lang = "en", config: Config = DEFAULT) -> str:
    """The picture for the player."""
    return view(config, s, max(0, int(s["player"])), options(config, s), lang)


# What can be clicked


def test_a_step_is_told_with_the_cell_and_what_lies_there() -> None:
    s = set_up("sos telescope*", ship="SW")
    assert titles(drawn(s)) == {
        0: "Goes north: E3, a new card",
        1: "Goes east: F4, a new card",
        3: "Goes west: D4, SOS",
    }
    assert titles(drawn(s, "ru"))[0] == "Идёт на север: Д3, новая карта"
    prints = [
        act for act in acts(drawn(s)) if any("rotate" in g.attrib.get("transform", "") for g in act.iter(f"{SVG}g"))
    ]
    assert len(prints) == 3, "feet on every cell one may walk to"
    assert "Your move Click a neighbouring cell." in readable(drawn(s))


def test_the_rest_of_the_moves_can_be_waived() -> None:
    s = set_up("rocks compass*", moves=1, moved=1, revealed=1)
    assert titles(drawn(s)) == {3: "Goes west: D4, Rocks", WAIVE: "Waives the rest of the moves"}
    assert "Stay here" in readable(drawn(s)) and "Остаться на месте" in readable(drawn(s, "ru"))


def test_cards_that_can_be_turned_are_clicked_and_the_maps_are_one() -> None:
    s = set_up("map-r higher-ground* rocks\n- map-c -", turning=True)
    rocks = TURN + CARD_IDS.index("rocks")
    assert titles(drawn(s)) == {
        rocks: "Turns Rocks into SOS",
        TURN + MAP_R: "Turns Row map and Column map into Rum and Treasure",
        SKIP: "Turns nothing over",
    }
    maps = next(group for group in acts(drawn(s)) if group.attrib["data-a"] == str(TURN + MAP_R))
    assert len([part for part in maps.iter(f"{SVG}rect") if part.attrib.get("class") == "hit"]) == 2
    assert "Turn a card over?" in readable(drawn(s)) and "Перевернуть карту?" in readable(drawn(s, "ru"))


# The deck


def test_a_last_card_that_loses_is_told_of() -> None:
    s, losing = set_up("rocks telescope*"), Config(lose_on_empty_deck=True)
    for lang, told in (("en", "the last card loses, unless it wins"), ("ru", "последняя карта — поражение")):
        assert told in readable(drawn(s, lang, losing))
        assert told not in readable(drawn(s, lang))


def test_the_cards_in_the_deck_are_shown_with_the_corner_to_which_they_bring_a_ship() -> None:
    panel = part_of(drawn(set_up("rocks telescope*")), "Still in the deck")
    assert "Still in the deck 14" in readable(panel)
    shown = [title.text or "" for title in panel.iter(f"{SVG}title")]
    assert len(shown) == 14 and not any(line.startswith(("Rocks", "Telescope")) for line in shown)
    marked = [group for group in panel.iter(f"{SVG}g") if group.find(f"{SVG}title") is not None]
    corners = [group for group in marked if group.find(f"{SVG}path") is not None]
    assert [(group.findtext(f"{SVG}title") or "").split(" ·")[0] for group in corners] == [
        "Vines",
        "Hook",
        "Palm trees",
        "Sticks",
    ]


def part_of(svg: str, words: str) -> ElementTree.Element:
    """The panel with these words."""
    return next(part for part in parts(svg) if words in readable(part))


# The island


def test_every_card_on_the_island_is_drawn_with_its_name() -> None:
    for config, (before, _, _, _) in list(games())[::13]:
        shown = readable(field(view(config, before, None, [], "ru")))
        for card in range(FRONT):
            side = card if before["sides"] >> card & 1 else card + FRONT
            lies = bool(before["sides"] >> side & 1)
            assert not lies or " ".join(name_lines(names.SIDE_NAMES[side].ru)) in shown


def test_rows_and_columns_are_labelled() -> None:
    shown = readable(field(drawn(set_up("rocks telescope*", ship="NW"))))
    assert shown.startswith("D E F G 4 5 6 7 ")
    assert readable(field(drawn(set_up("rocks telescope*"), "ru"))).startswith("В Г Д Е 2 3 4 5 6 ")


def test_lives_and_points_stand_on_the_cards() -> None:
    shown = readable(field(view(DEFAULT, set_up("pig shelter treasure*"), None, [], "en")))
    assert "Pig −2" in shown and "Shelter +2 2" in shown and "Treasure 10" in shown
    for text, full in (("pig telescope*", 1), ("pig spear*", 0), ("storm spear*", 1), ("storm shelter*", 0)):
        paths = field(view(DEFAULT, set_up(text), None, [], "en")).iter(f"{SVG}path")
        assert sum(path.attrib["fill"] == RED for path in paths) == full, "pale where there is protection"


def test_fronts_are_told_from_backs() -> None:
    for text, edges in (("rocks telescope*", 0), ("sos telescope*", 1), ("sos ship-sighted*", 2)):
        rects = field(view(DEFAULT, set_up(text), None, [], "en")).iter(f"{SVG}rect")
        assert sum(rect.attrib.get("stroke") == FACE_EDGE for rect in rects) == edges


def test_the_castaway_stands_on_his_card() -> None:
    spots = []
    for text in ("rocks* telescope", "rocks telescope*"):
        pawn = group_of(drawn(set_up(text)), "pawn")
        spots.append(tuple(map(float, re.findall(r"[\d.]+", pawn[0].attrib["transform"])[:2])))
    (x, y), (right, same) = spots
    assert 120 < right - x < 140 and y == same


def test_the_ship_is_drawn_with_its_course_and_where_it_would_see_a_signal() -> None:
    s = set_up("sos telescope*\nlit-beacon -", ship="SW", ship_at=(3, 2))
    marks = [title.text or "" for title in field(drawn(s)).iter(f"{SVG}title")]
    assert (
        marks.count("SOS: seen by a ship that is here") == marks.count("Lit beacon: seen by a ship that is here") == 2
    )
    assert "In row 4, sails north" in marks
    assert "seen" not in "".join(part for part in marks if part.startswith("Message"))
    s = set_up("rocks message telescope*", ship="NW")
    marks = [title.text or "" for title in field(drawn(s)).iter(f"{SVG}title")]
    assert marks.count("Message: seen by a ship that is here") == 1
    s = set_up("message rocks telescope*", ship="NW")
    assert "Not seen at a corner of the island" in readable(drawn(s)), "no mark, and the panel says why"


def test_the_panel_says_what_the_ship_and_the_signals_need() -> None:
    panel = part_of(drawn(set_up("rocks telescope*")), "The ship")
    assert "No ship yet: Vines, Hook, Palm trees, Sticks can bring one." in readable(panel)
    assert "SOS Turn Rocks over, standing on Higher ground" in readable(panel)
    panel = part_of(drawn(set_up("sos telescope*", ship="NE", waiting=True)), "The ship")
    assert "At the north-east corner, not yet under way, will sail south" in readable(panel)
    assert "SOS Seen from row 4" in readable(panel)
    every = "vines hook palm-trees sticks*"
    assert "No ship will come any more." in readable(drawn(set_up(every)))


# The phases that pass by themselves


def lit(svg: str) -> dict[str, str]:
    """The times of every phase that lights up, by its number and whether its round is even or odd."""
    found = re.findall(r'<g data-thing="phase-(\d)" class="(?:passed|reached) in-(\d)" style="([^"]+)">', svg)
    return {f"{phase}-{parity}": times for phase, parity, times in found}


def sliding(svg: str) -> str:
    """How long the ship slides, and after what time it begins."""
    return re.search(r'data-thing="ship" data-slide="([\d ]+)"', svg)[1]


def test_phases_light_up_one_after_the_other_and_the_ship_slides_for_500_ms_in_its_own() -> None:
    svg = drawn(set_up("sos telescope*", ship="SW", rounds=7))
    life, turn, ship = "--at:0ms;--for:300ms", "--at:300ms;--for:300ms", "--at:600ms;--for:500ms"
    assert lit(svg) == {"0-1": "--for:1100ms", "1-0": life, "2-0": turn, "3-0": ship}
    assert sliding(svg) == "500 600"


def test_before_a_card_is_turned_over_the_phase_of_life_lights_up_and_not_again_after_it() -> None:
    asked = drawn(set_up("higher-ground* telescope", turning=True, rounds=6))
    assert lit(asked) == {"1-0": "--at:0ms;--for:300ms", "2-0": "--for:300ms"}
    after = lit(drawn(set_up("sos telescope*", rounds=7)))
    assert after["1-0"] == lit(asked)["1-0"], "a style that stays does not begin anew"
    assert "1-1" in lit(drawn(set_up("sos telescope*", rounds=8))), "that of the next round does"


def test_nothing_has_passed_at_the_start_nor_between_two_moves() -> None:
    assert lit(drawn(set_up("sos telescope*"))) == {}
    assert lit(drawn(set_up("sos telescope*", rounds=7, moved=1))) == {}


def test_the_phases_of_real_games_are_those_that_passed() -> None:
    """As a round begins all three phases of the last one have passed; before cards are turned over, life alone."""
    seen = set()
    for config, (_, _, _, after) in list(games())[::11]:
        if after["player"] == NOBODY:
            continue
        phases, now = "".join(name[0] for name in sorted(lit(drawn(after, config=config)))), int(after["rounds"])
        wanted = "12" if after["phase"] else "" if after["moved"] or now == 1 else "0123"
        assert phases == wanted
        seen.add(phases)
    assert seen == {"", "12", "0123"}


def test_the_corner_rule_stands_on_the_card_of_the_message() -> None:
    s = set_up("message* rocks", ship="NW")
    for lang, rule, whole in (
        ("en", "not at a corner", "not at a corner of the island"),
        ("ru", "не в углу", "корабль рядом, но не в углу острова"),
    ):
        card = next(part for part in field(drawn(s, lang)).iter() if part.get("data-thing") == "card-6")
        assert rule in "".join(card.itertext()) and whole in "".join(card.itertext())
    other = drawn(set_up("bottle* rocks", ship="NW"))
    assert "not at a corner" not in "".join(field(other).itertext()).replace("not at a corner of", "")


# Numbers and words


def test_lives_score_and_deck_are_numbers() -> None:
    s = set_up("sos telescope* compass", lives=9, rounds=7)
    shown = readable(drawn(s))
    assert (
        "Save Oneself round 7 Move Life Turn over Ship Lives 9 of 16 13 in the deck 1 moves left 14 score now" in shown
    )
    assert "score: cards 5 + lives 9 + placed 0" in shown
    russian = readable(drawn(s, "ru"))
    assert (
        "Спаси себя сам раунд 7 Ход Жизнь Переворот Корабль Жизни 9 из 16 13 в колоде 1 ходы 14 счёт сейчас" in russian
    )


def test_there_is_a_heart_for_each_life_and_a_bar_for_many() -> None:
    status = part_of(drawn(set_up("rocks telescope*", lives=9)), "Lives")
    hearts = [path for path in status.iter(f"{SVG}path") if path.attrib["fill"] in (RED, "#f3e8e2")]
    assert [path.attrib["fill"] == RED for path in hearts] == [True] * 9 + [False] * 7
    many = part_of(drawn(set_up("rocks telescope*", config=LONG), config=LONG), "Lives")
    assert RED not in [path.attrib["fill"] for path in many.iter(f"{SVG}path")] and "40 of 40" in readable(many)


def named(svg: str) -> list[str]:
    """What has a name in a picture."""
    return [group.attrib["data-thing"] for group in tree(svg).iter(f"{SVG}g") if "data-thing" in group.attrib]


def test_what_moves_keeps_its_name_and_what_changes_gets_another() -> None:
    before = named(drawn(set_up("rocks telescope*", lives=9, ship="NE")))
    assert len(before) == len(set(before))
    rocks, telescope = CARD_IDS.index("rocks"), CARD_IDS.index("telescope")
    assert {"castaway", "ship", f"card-{rocks}", f"card-{telescope}"} <= set(before)
    after = named(drawn(set_up("sos telescope*", lives=8, ship="NE")))
    assert {"castaway", "ship", f"card-{rocks}"} <= set(after)
    leaps = {name for name in set(after) - set(before) if not name.startswith("closed")}
    assert leaps == {f"side-{rocks + FRONT}", "lives-8", "heart-8-gone"}


def test_the_phase_of_the_round_is_marked() -> None:
    def marked(svg: str) -> str:
        status = part_of(svg, "Lives")
        shown = [line.text for line in status.iter(f"{SVG}text") if line.attrib["fill"] == "#ffffff"]
        return str(shown[0])

    assert marked(drawn(set_up("rocks telescope*"))) == "Move"
    assert marked(drawn(set_up("map-r higher-ground* rocks\n- map-c -", turning=True))) == "Turn over"


def test_the_castaway_speaks_of_the_card_underfoot() -> None:
    assert "Down here I see leaves with it." in readable(drawn(set_up("rocks telescope*")))
    assert "Снизу в неё видны одни листья." in readable(drawn(set_up("rocks telescope*"), "ru"))
    assert "A bottle that is not empty" in all_titles(drawn(set_up("rum telescope*")))


def test_what_cannot_be_done_says_why() -> None:
    def why(svg: str) -> dict[str, str]:
        groups = tree(svg).iter(f"{SVG}g")
        return {group.attrib["data-thing"]: group.attrib["data-why"] for group in groups if "data-why" in group.attrib}

    hook, far = CARD_IDS.index("hook"), CARD_IDS.index("rocks")
    turning = why(drawn(set_up("hook higher-ground* rocks", turning=True)))
    assert turning[f"card-{hook}"] == "It turns over with Water on the field"
    walking = why(drawn(set_up("rocks hook telescope*")))
    assert walking[f"card-{far}"].startswith("Too far")
    shown = why(drawn(set_up("rocks hook telescope*", revealed=1, moved=1, moves=1)))
    assert "Only one new card a round" in shown.values()


@pytest.mark.parametrize(
    ("ending", "en", "ru"),
    [
        (
            constants.BY_SOS,
            "Saved! The ship sees SOS in its row Score 21",
            "Спасение! С корабля видят SOS в своём ряду Счёт 21",
        ),
        (constants.NO_LIVES, "Lost No lives are left Score 21", "Поражение Жизней не осталось Счёт 21"),
        (constants.SHIP_GONE, "Lost The ship has sailed away Score 21", "Поражение Корабль уплыл Счёт 21"),
    ],
)
def test_a_finished_game_has_a_banner(ending: int, en: str, ru: str) -> None:
    s = set_up("sos telescope*", ship="SW", ship_at=(3, 2), player=NOBODY, ending=ending)
    assert readable(drawn(s)).startswith(en) and readable(drawn(s, "ru")).startswith(ru)
    assert "The game is over" in readable(drawn(s)) and "Your move" not in readable(drawn(s))


def test_all_cards_are_listed_with_both_sides() -> None:
    shown = readable(drawn(set_up("rocks telescope*")))
    for card in range(FRONT):
        assert re.search(f"{names.SIDE_NAMES[card].en} → ?{names.SIDE_NAMES[card + FRONT].en}", shown)
    config = DEFAULT.changed(["cards.vines.front.lives=0", "cards.hook.lives=-3", "compass_moves=5"])
    changed = readable(drawn(set_up("rocks telescope*"), config=config))
    assert "5 moves a round" in changed and "−3 lives at every step onto it" in changed


# The symbols


def test_every_side_has_a_symbol_of_its_own_within_its_sheet() -> None:
    assert set(_SYMBOLS) == set(SIDE_IDS) and len({symbol(side, 0, 0, 64) for side in range(2 * FRONT)}) == 2 * FRONT
    used = set()
    for shapes in _SYMBOLS.values():
        for colour, path in shapes:
            used.add(colour.rstrip("-.0123456789"))
            assert re.fullmatch(r"M[-\d. MmLHVCSAZahvlz]+", path), path
            assert all(0 <= float(number) <= 66 for number in re.findall(r"-?\d*\.?\d+", re.sub(_EYES, "", path))), path
    assert used | {"ink"} == set(_COLOURS), "no colour too many"


def test_there_are_no_emoji_in_the_picture() -> None:
    for config, (before, legal, _, _) in list(games())[::40]:
        assert not re.search("[\u2600-\u27bf\U0001f000-\U0001faff]", view(config, before, 0, legal, "en"))


# The whole picture


def test_everything_lies_within_the_picture_and_apart() -> None:
    for config, (before, legal, _, now) in list(games())[::29]:
        for s, offer in ((before, legal), (now, options(config, now))):
            _check_layout(view(config, s, 0, offer, "ru"), over=bool(s["player"] == NOBODY))


def _check_layout(svg: str, over: bool) -> None:
    panels = [panel_size(part) for part in parts(svg)[1:]]
    assert len(panels) == 6 and all(size is not None and size[0] == PANEL for size in panels)
    check_layout(svg, WIDTH, [(BOARD, BOARD + 96 * over), *panels])


def test_a_picture_is_quick_and_not_too_large() -> None:
    config, (before, legal, _, _) = max(games(), key=lambda found: found[1][0]["placed"])
    svg = view(config, before, 0, legal, "ru")  # what is kept for the next ones is made
    calls = calls_of(lambda: view(config, before, 0, legal, "ru"))
    assert calls < 25_000 and len(svg) < 80_000


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_state_shows_its_picture(lang: Lang) -> None:
    state = State(load_game("save_oneself"), seed=5)
    assert sorted(offered(state.view(0, lang))) == state.legal_actions()
    assert offered(state.view(None, lang)) == [] and tree(state.view(None, lang)).attrib["lang"] == lang
