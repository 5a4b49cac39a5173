"""The picture of every game: well-formed, clickable where something is legal, whole, silent about hidden things."""

from __future__ import annotations

import re
from collections.abc import Sequence

import pytest

from common.found import SHIPPED
from common.interpreter import concealed
from common.language import kept_to
from common.pictures import SVG, acts, all_titles, composed, offered, pieces, readable, tree
from common.stock import Scene, Stock
from playmill.texts import LANGUAGES, Lang


def test_every_option_of_many_games_can_be_clicked(stock: Stock) -> None:
    for config, players, (before, legal, _, _) in stock.steps(200):
        svg = stock.view(Scene(config, players, before), int(before["player"]), legal, "ru")
        assert {group.attrib["class"] for group in (*acts(svg), *pieces(svg))} == {"act"}
        found = offered(svg)
        assert sorted(set(found) if stock.twice else found) == legal
        if stock.name in SHIPPED:
            each_has_a_title_and_one_button_that_keys_reach(svg, legal)


def each_has_a_title_and_one_button_that_keys_reach(svg: str, legal: Sequence[int]) -> None:
    """Fails unless every option of a picture is named and can be chosen without a mouse."""
    assert all(group.findtext(f"{SVG}title") for group in (*acts(svg), *pieces(svg)))
    buttons = [group for group in acts(svg) if group.attrib.get("role") == "button"]
    assert all(group.attrib["tabindex"] == "0" for group in (*buttons, *pieces(svg)))
    assert sorted([int(group.attrib["data-a"]) for group in buttons] + list(composed(svg))) == legal


def test_options_are_offered_to_the_player_to_move_only(stock: Stock) -> None:
    for config, players, (before, legal, _, now) in stock.steps(60):
        scene = Scene(config, players, before)
        for viewer in (None, *range(players)):
            if viewer != before["player"]:
                svg = stock.view(scene, viewer, legal, "en")
                assert offered(svg) == []
                assert svg == stock.view(scene, viewer, [], "en"), "the same with or without options"
        if now["player"] < 0:
            assert offered(stock.view(Scene(config, players, now), 0, [], "en")) == []


def test_what_cannot_be_had_says_why(stock: Stock) -> None:
    for config, players, (before, legal, _, _) in stock.steps(60):
        svg = stock.view(Scene(config, players, before), int(before["player"]), legal, "ru")
        for group in tree(svg).iter(f"{SVG}g"):
            if "data-why" in group.attrib:
                assert not {"data-a", "data-in"} & set(group.attrib), "what can be had needs no reason"
                kept_to(group.attrib["data-why"], "ru", stock.latin)
                assert group.attrib["data-why"] and group.attrib["tabindex"] == "-1"


@pytest.mark.parametrize("lang", LANGUAGES)
def test_hidden_things_leave_no_trace(stock: Stock, lang: Lang) -> None:
    for number, (config, players, (before, legal, _, _)) in enumerate(stock.steps(40)):
        scene = Scene(config, players, before)
        for player in range(players):
            other = Scene(config, players, concealed(stock.game, config, players, before, player, number))
            shown = legal if player == before["player"] else []
            assert stock.view(scene, player, shown, lang) == stock.view(other, player, shown, lang)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_each_language_is_kept_to(stock: Stock, lang: Lang) -> None:
    for config, players, (before, legal, _, now) in stock.steps(40):
        for s, viewer, shown in ((before, int(before["player"]), legal), (now, None, [])):
            svg = stock.view(Scene(config, players, s), viewer, shown, lang)
            kept_to(f"{readable(svg)} {all_titles(svg)}", lang, stock.latin)


def test_the_picture_needs_nothing_from_outside(stock: Stock) -> None:
    for config, players, (before, legal, _, _) in stock.steps(20):
        svg = stock.view(Scene(config, players, before), int(before["player"]), legal, "en")
        assert re.findall("https?://[^\"' ]+", svg) == ["http://www.w3.org/2000/svg"]
        assert "href" not in svg and "<script" not in svg and "@import" not in svg
        assert set(re.findall(r"url\((.)", svg)) <= {"#"}, "marks of its own may be used"
        assert tree(svg).attrib["viewBox"].startswith("0 0 ")


def test_two_pictures_on_one_page_share_their_style(stock: Stock) -> None:
    pictures = []
    for config, players, (before, legal, _, now) in stock.steps(20):
        pictures.append(stock.view(Scene(config, players, before), int(before["player"]), legal, "en"))
        pictures.append(stock.view(Scene(config, players, now), None, [], "en"))
    styles = {tuple(re.findall("<style>(.*?)</style>", svg)) for svg in pictures}
    assert len(styles) == 1
    marks = {tuple(re.findall(r'<(\w+) [^>]*\bid="', svg)) for svg in pictures}
    assert len(marks) == 1, "what has an id is the same in all"
