"""The picture of Influence: well-formed, clickable where something is legal, told apart by every eye, quick."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from influence_scenes import LARGE, SMALL, TALL, WIDE, config_of, game, games, options, set_up

from common.effort import share
from common.pictures import (
    SVG,
    acts,
    check_layout,
    composed,
    group_of,
    offered,
    panel_size,
    parts,
    readable,
    refusals,
    titles,
    tree,
)
from common.work import calls_of
from playmill.drawing.lettering import clean, fit, width_of, wrapped
from playmill.games.influence import words
from playmill.games.influence.actions import AUTO, END_ATTACK, PLACE
from playmill.games.influence.config import Config
from playmill.games.influence.constants import NOBODY, SIDES
from playmill.games.influence.view import WIDTH, view
from playmill.games.influence.view.shapes import (
    BARE,
    DARK,
    EDGES,
    LIGHT,
    STRONG_SIZE,
    WEAK_SIZE,
    field_geometry,
    ink_on,
    luminance,
    promise,
    shade,
)
from playmill.games.influence.words import names
from playmill.texts import LANGUAGES, Lang, PlaymillError

#: How people see (linear red, green, blue): all cones, no green ones, no red ones, no blue ones (Machado 2009).
SIGHTS = {
    "all": np.eye(3),
    "deuteranopia": np.array(
        [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]]
    ),
    "protanopia": np.array(
        [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]]
    ),
    "tritanopia": np.array(
        [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]]
    ),
}


def drawn(config: Config, s: np.void, lang: Lang = "en") -> str:
    """The picture for the player to move."""
    return view(config, s, int(s["player"]), options(config, s), lang)


def hexagons(config: Config, svg: str) -> Iterator[tuple[int, str, str, float]]:
    """The cells that are drawn in the field: number, fill, edge and width."""
    middles = {place: cell for cell, place in enumerate(field_geometry(tuple(config.map.rows)).middles)}
    field = group_of(svg, "field")
    for path in field.iter(f"{SVG}path"):
        fill, edge = path.attrib.get("fill", ""), path.attrib.get("stroke", "")
        if "transform" in path.attrib or (edge not in EDGES and fill != BARE):
            continue
        for outline in path.attrib["d"].split("z")[:-1]:
            x, y, half, high = map(float, re.findall(r"-?[\d.]+", outline)[:4])
            near = min(middles, key=lambda place: (place[0] - x) ** 2 + (place[1] - y - 2 * high) ** 2)
            assert abs(near[0] - x) < 0.11 and abs(near[1] - y - 2 * high) < 0.21
            yield middles[near], fill, edge, 2 * half


def lab(colour: str, sight: str) -> Any:
    """A colour in OKLab, as somebody sees it."""
    parts = np.array([int(colour[place : place + 2], 16) for place in (1, 3, 5)]) / 255
    linear = SIGHTS[sight] @ np.where(parts <= 0.04045, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4)
    cones = np.array(
        [
            [0.4122214708, 0.5363325363, 0.0514459929],
            [0.2119034982, 0.6806995451, 0.1073969566],
            [0.0883024619, 0.2817188376, 0.6299787005],
        ]
    )
    opponents = np.array(
        [
            [0.2104542553, 0.7936177850, -0.0040720468],
            [1.9779984951, -2.4285922050, 0.4505937099],
            [0.0259040371, 0.7827717662, -0.8086757660],
        ]
    )
    return opponents @ np.cbrt(cones @ np.clip(linear, 0, 1))


def nearest(colours: list[str], sight: str) -> float:
    """The smallest distance between two colours; 0.02 is about what can just be seen side by side."""
    seen = [lab(colour, sight) for colour in colours]
    return min(float(np.linalg.norm(one - other)) for one, other in itertools.combinations(seen, 2))


# What can be clicked


@given(
    st.integers(1, 9).flatmap(lambda wide: st.lists(st.text("wS.", min_size=wide, max_size=wide), max_size=9)),
    st.integers(2, 6),
    st.integers(0, 1000),
)
@settings(max_examples=share(40), deadline=None)
def test_exactly_the_legal_actions_of_any_map_can_be_clicked(rows: list[str], players: int, seed: int) -> None:
    try:
        config = config_of(rows)
        steps = game(config, players, seed, most=30)
    except PlaymillError:
        return
    before, legal, _, _ = steps[-1]
    svg = view(config, before, int(before["player"]), legal, "en")
    assert sorted(offered(svg)) == legal
    assert sorted(cell for cell, *_ in hexagons(config, svg)) == list(range(len(names.board_of(config).places)))


def test_only_the_player_to_move_is_told_to_click() -> None:
    config, s = set_up("A3 B2 -")
    assert "Click" in readable(view(config, s, 0, options(config, s), "en"))
    for viewer in (None, 1):
        assert "Click" not in readable(view(config, s, viewer, options(config, s), "en"))


def promised(svg: str) -> dict[int, ElementTree.Element]:
    """What is shown of each attack while one more click makes it."""
    found = [group for group in tree(svg).iter(f"{SVG}g") if "data-for" in group.attrib]
    return {int(group.attrib["data-for"]): group for group in found}


def titles_of(svg: str) -> dict[int, str]:
    return {action: group.findtext(f"{SVG}title") or "" for action, group in promised(svg).items()}


def test_an_attack_tells_its_chance() -> None:
    config, s = set_up("A3 B2 -\n- A2 -\n- C5 C2", 3)
    shown = titles_of(drawn(config, s))
    assert shown[words.parse(config, "a0.0e")] == "0.0 → 0.1: 3 against 2, 75 %"
    assert shown[words.parse(config, "a1.1se")] == "1.1 → 2.2: 2 against 2, 50 %"
    assert shown[words.parse(config, "a1.1sw")] == "1.1 → 2.1: 2 against 5, 0 %"
    assert shown[words.parse(config, "a1.1w")] == "1.1 → 1.0: 2 to an empty cell, 100 %"
    assert titles(drawn(config, s)) == {END_ATTACK: "Ends the attack"}
    assert readable(promised(drawn(config, s))[words.parse(config, "a0.0e")]) == "75%"
    russian = titles_of(drawn(config, s, "ru"))
    assert russian[words.parse(config, "a0.0e")] == "0.0 → 0.1: 3 против 2, 75 %"
    assert russian[words.parse(config, "a1.1w")] == "1.1 → 1.0: 2 на пустую клетку, 100 %"


def test_an_attack_is_a_source_and_a_target() -> None:
    config, s = set_up("A3 B2 -\n- A2 A1\n- C5 C2", 3)
    found = composed(drawn(config, s))
    assert found[words.parse(config, "a0.0e")] == {"cell-0", "cell-1"}
    assert found[words.parse(config, "a1.1sw")] == {"cell-4", "cell-7"}


def test_cells_that_cannot_be_had_say_why() -> None:
    config, s = set_up("A3 A2 A1 - -\nA2 A1 - - B2")
    assert refusals(drawn(config, s)) == {
        "inner": "All cells around it are yours",
        "stays": "An attack takes influence 2 or more: the last 1 stays",
        "far": "Out of reach: no cell of yours with influence 2 or more is next to it",
    }
    config, s = set_up("A8 A3! B2", points=2)
    assert refusals(drawn(config, s)) == {"full": "Full: it holds no more", "others": "Points go to your own cells"}
    assert refusals(view(config, s, 1, [], "en")) == {}, "who does not move is told nothing"


def test_a_peaceful_first_turn_says_why_enemies_are_out_of_reach() -> None:
    config, s = set_up("A3 B2 B1\nB1 B1 -", first_turn_attacks=False)
    said = "In the first turn only empty cells can be taken"
    assert refusals(drawn(config, s)) == {
        "peace": said,
        "far": "Out of reach: no cell of yours with influence 2 or more is next to it",
    }
    s["turns"][0] = 2
    assert "peace" not in refusals(view(config, s, 0, [words.parse(config, "a0.0e"), END_ATTACK], "en"))


def test_a_chance_stands_between_its_cells_and_hides_neither_number() -> None:
    config, s = set_up("- - -\n- A5 -\n- - -\nB1 - -")
    drawing = field_geometry(tuple(config.map.rows))
    attacks = promised(drawn(config, s))
    assert len(attacks) == SIDES
    for action, group in attacks.items():
        source, target = (
            np.array(drawing.middles[cell]) for cell in (action // SIDES, names.target_of(config, action))
        )
        rect = next(group.iter(f"{SVG}rect")).attrib
        x, y, wide, high = (float(rect[name]) for name in ("x", "y", "width", "height"))
        middle = np.array([x + wide / 2, y + high / 2])
        assert np.linalg.norm(middle - (source + target) / 2) < 0.2 * drawing.pitch
        for number in (source, target):
            assert abs(number[0] - middle[0]) > wide / 2 + 0.1 * drawing.pitch or (
                abs(number[1] - middle[1]) > high / 2 + 0.15 * drawing.pitch
            )


def test_chances_are_the_darker_the_better() -> None:
    fills = [luminance(re.findall("#[0-9a-f]{6}", promise(0, 0, 10, chance))[0]) for chance in range(101)]
    assert all(better < worse for worse, better in itertools.pairwise([fills[n] for n in (0, 25, 50, 75, 100)]))
    assert sorted(fills, reverse=True) == fills


def test_in_defence_the_wheel_gives_points() -> None:
    config, s = set_up("A8 A3! B2", points=2)
    cell = next(group for group in acts(drawn(config, s)) if group.attrib["data-a"] == str(PLACE + 1))
    assert cell.attrib["data-more"] == str(PLACE + 1) and cell.attrib["data-thing"] == "cell-1"


def test_in_defence_each_cell_with_room_and_auto_can_be_clicked() -> None:
    config, s = set_up("A8 A3! B2", points=2)
    shown = titles(drawn(config, s))
    assert shown == {PLACE + 1: "0.1: 3 of 12, one more", AUTO: "Places the remaining points automatically"}
    assert titles(drawn(config, s, "ru"))[PLACE + 1] == "0.1: 3 из 12, добавить очко"
    assert "Points left: 2" in readable(drawn(config, s)) and "Осталось очков: 2" in readable(drawn(config, s, "ru"))


def test_who_cannot_attack_is_told_so() -> None:
    config, s = set_up("A1 B2")
    assert offered(drawn(config, s)) == [END_ATTACK] and "No cell can attack." in readable(drawn(config, s))


# Cells


def test_every_cell_is_drawn_with_its_owner_and_influence() -> None:
    for config, (_, _, _, s) in list(games())[::60]:
        svg = view(config, s, None, [], "en")
        most = max(config.weak_capacity, config.strong_capacity)
        found = {cell: (fill, edge) for cell, fill, edge, _ in hexagons(config, svg)}
        for cell in range(len(names.board_of(config).places)):
            owner, held = int(s["owner"][cell]) - 1, int(s["influence"][cell])
            if owner == NOBODY:
                assert found[cell][0] == BARE
            else:
                assert found[cell] == (shade(owner, held, most), EDGES[owner])
        field = group_of(svg, "field")
        groups = [group for group in field.iter(f"{SVG}g") if group.attrib.get("font-weight") == "700"]
        numbers = sorted(int(line.text or "") for group in groups for line in group)
        assert numbers == sorted(int(held) for held in s["influence"] if held)


def test_a_number_stands_in_the_middle_of_its_cell() -> None:
    config, s = set_up("A3 B12! -\n- . A1")
    drawing = field_geometry(tuple(config.map.rows))
    field = group_of(drawn(config, s), "field")
    groups = [group for group in field.iter(f"{SVG}g") if group.attrib.get("font-weight") == "700"]
    spots = {line.text: (float(line.attrib["x"]), float(line.attrib["y"])) for group in groups for line in group}
    for number, cell in (("3", 0), ("12", 1), ("1", 4)):
        (x, y), (left, top) = spots[number], drawing.middles[cell]
        assert abs(x - left) < 0.1 and abs(y - top) < drawing.pitch * 0.15


def test_strong_cells_are_visibly_larger_whoever_owns_them() -> None:
    config, s = set_up("A3 A3! B3 B3!\n- -! C12! C8", 3)
    widths = {cell: width for cell, _, _, width in hexagons(config, drawn(config, s))}
    pairs = ((0, 1), (2, 3), (4, 5), (7, 6))
    assert all(widths[strong] > 1.2 * widths[weak] for weak, strong in pairs)
    assert STRONG_SIZE < 1 and WEAK_SIZE < STRONG_SIZE, "cells do not overlap"


def test_a_cell_is_the_darker_the_more_it_holds() -> None:
    for player, letter in enumerate(names.LETTERS):
        config, s = set_up(" ".join(f"{letter}{held}!" for held in range(1, 13)) + " A1 B1", 6)
        fills = {cell: fill for cell, fill, *_ in hexagons(config, view(config, s, None, [], "en"))}
        lights = [luminance(fills[cell]) for cell in range(12)]
        assert all(darker < lighter * 0.93 for lighter, darker in itertools.pairwise(lights)), player
        assert lights[0] > 0.4 and lights[-1] < 0.13 and lights[0] < luminance(BARE)
        hundred = [luminance(shade(player, held, 100)) for held in range(1, 101)]
        assert sorted(hundred, reverse=True) == hundred and shade(player, 1, 1).startswith("#")


def test_numbers_can_be_read_on_every_shade() -> None:
    for player, held in itertools.product(range(6), range(1, 13)):
        fill = shade(player, held, 12)
        bright, ink = luminance(fill), luminance(ink_on(fill))
        assert (max(bright, ink) + 0.05) / (min(bright, ink) + 0.05) > 3.4
    assert {ink_on(shade(0, 1, 12)), ink_on(shade(0, 12, 12))} == {DARK, LIGHT}


@pytest.mark.parametrize("sight", SIGHTS)
def test_six_owners_are_told_apart_by_every_eye(sight: str) -> None:
    assert nearest(list(EDGES), sight) > 0.12
    for held in range(1, 13):
        assert nearest([shade(player, held, 12) for player in range(6)], sight) > 0.05


def test_owners_are_told_apart_without_any_colour() -> None:
    config, s = set_up("A3 B3 C3 D3 E3 F3", 6)
    svg = view(config, s, None, [], "en")
    field = group_of(svg, "field")
    signs = [path for path in field.iter(f"{SVG}path") if path.attrib.get("stroke") in (DARK, LIGHT)]
    shapes = {re.sub(r"^M[\d.]+ [\d.]+", "", path.attrib["d"]) for path in signs}
    assert len(signs) == len(shapes) == 6


def test_holes_are_nothing() -> None:
    config, s = set_up("A3 . B3\n. - .")
    assert sorted(cell for cell, *_ in hexagons(config, drawn(config, s))) == [0, 1, 2]
    assert drawn(config, s).count("l1 1v2l-1 1-1-1v-2z") == 3


# Words


@pytest.mark.parametrize("lang", LANGUAGES)
def test_each_language_is_kept_to(lang: Lang) -> None:
    other = "[А-Яа-яЁё]" if lang == "en" else "[A-Za-z]"
    positions = [
        set_up("A3 B2 -", 3, name="7"),
        set_up("A3 B2 -", points=1, name="7"),
        set_up("A1 B2", name="7"),
        set_up("A3 A2 -", 2, name="7", player=NOBODY, winner=0),
        set_up("A3 B2 -", 3, name="7", player=NOBODY, winner=NOBODY, ended_by_limit=1),
    ]
    for config, s in positions:
        svg = view(config, s, 0, options(config, s), lang)
        shown = readable(svg) + " ".join(element.text or "" for element in tree(svg).iter(f"{SVG}title"))
        assert not re.search(other, shown), shown


def test_players_are_shown_with_cells_influence_and_result() -> None:
    config, s = set_up("A3 B2 -\nB5! - A1", 3, rounds=7, result=(45, 66, 0, 0, 0, 0))
    shown = readable(view(config, s, 1, [], "en"))
    assert "Round 7 of 100 Player 1 attacks" in shown and "map hand-made" in shown
    assert "Players cells influence result Player 1 2 4 45 Player 2 you 2 7 66 Player 3 out" in shown
    russian = readable(view(config, s, None, [], "ru"))
    assert "Игроки клетки влияние результат Игрок 1 2 4 45 Игрок 2 2 7 66 Игрок 3 вне игры" in russian
    assert "слабая, до 8" in russian and "сильная, до 12" in russian


def test_a_finished_game_shows_its_ending() -> None:
    config, s = set_up("A3 A2 -", player=NOBODY, winner=0, rounds=12)
    svg = view(config, s, 1, [], "en")
    assert "The game is over Player 1 wins The last one on the field, in round 12" in readable(svg)
    assert "Побеждает игрок 1 На поле больше никого нет, раунд 12" in readable(view(config, s, None, [], "ru"))
    config, s = set_up("A3 B2 C1", 3, player=NOBODY, winner=NOBODY, ended_by_limit=1, rounds=100)
    shown = readable(view(config, s, None, [], "en"))
    assert "A draw The best results after 100 rounds are equal (player 1 3, player 2 2, player 3 1)" in shown


@pytest.mark.parametrize("lang", LANGUAGES)
def test_names_of_maps_are_escaped_and_cut(lang: Lang) -> None:
    config, s = set_up("A3 B2 -", name="</text><b>&\"'")
    svg = view(config, s, 0, options(config, s), lang)
    assert "</text><b>" in readable(svg) and "<b>" not in svg
    config, s = set_up("A3 B2 -", name="W" * 60)
    assert "WWW…" in readable(drawn(config, s, lang))


def test_characters_that_a_picture_cannot_hold_are_replaced() -> None:
    config, s = set_up("A3 B2 -")
    config = config.model_copy(update={"map": config.map.model_copy(update={"name": "a\ufffe\u202eb\x00"})})
    svg = drawn(config, s)
    assert not re.search("[\ufffe\u202e\x00]", svg) and "a\ufffd\ufffdb\ufffd" in readable(svg)


@given(st.text(st.characters(exclude_categories=("Cs", "Cc")), max_size=120), st.floats(60, 400))
@settings(max_examples=share(60), deadline=None)
def test_lines_are_cut_and_broken_to_fit(line: str, room: float) -> None:
    assert width_of(fit(line, 13, room), 13) <= room and clean(clean(line)) == clean(line)
    assert all(width_of(part, 13) <= room for part in wrapped(line, 13, room))


# The whole picture


@pytest.mark.parametrize("config", [SMALL, LARGE, WIDE, TALL, config_of(["ww"]), config_of(["w" * 30] * 8)])
@pytest.mark.parametrize("players", [2, 6])
def test_everything_lies_within_the_picture(config: Config, players: int) -> None:
    players = min(players, len(names.board_of(config).places))
    before, legal, _, _ = game(config, players, 3, most=20)[-1]
    svg = view(config, before, int(before["player"]), legal, "ru")
    drawing = field_geometry(tuple(config.map.rows))
    sizes = [panel_size(part) or (drawing.width, drawing.height) for part in parts(svg)]
    assert len(sizes) == 4
    check_layout(svg, WIDTH, sizes)


def test_a_picture_of_256_cells_is_quick() -> None:
    steps = game(LARGE, 6, 2, most=1200)
    before, legal, _, _ = max(steps, key=lambda step: len(step[1]))
    view(LARGE, before, int(before["player"]), legal, "en")  # what is kept for the next ones is made
    calls = calls_of(lambda: view(LARGE, before, int(before["player"]), legal, "en"))
    assert calls < 12_000 and len(legal) > 20
    assert len(view(LARGE, before, None, [], "en")) < 60_000, "a replay holds hundreds of them"
