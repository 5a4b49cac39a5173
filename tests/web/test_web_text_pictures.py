"""The picture of a game that draws none: words, buttons, and nothing hidden."""

from __future__ import annotations

import random
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from test_web_observation import in_world, other_world
from test_web_table import laid, play

from common.pages import Page, needs_chromium
from common.pictures import offered, readable, tree
from playmill.defaults.text_view import plain_picture, plain_view
from playmill.texts import LANGUAGES
from playmill.web.table.observation import Viewer, observe_table
from playmill.web.table.state import GameTable


def undrawn(table: GameTable) -> GameTable:
    """The same table of a game without pictures."""
    assert table.game is not None
    table.game = replace(table.game, view=partial(plain_view, table.game.words))
    return table


def shown(table: GameTable, seat: int | None, lang: Any = "en") -> str:
    picture: str = observe_table(table, Viewer(seat), lang)["steps"][-1]["picture"]
    return picture


def test_what_is_hidden_is_called_so_and_nothing_is_invented() -> None:
    table = undrawn(laid("dimensions", seed=3))
    mine = " ".join(readable(shown(table, 1)).split())
    assert mine.count("Hand: [hidden]") == 2, "the hands of the two others"
    assert "Deck 44: [hidden]" in mine and "Hand: R×2 P B7" in mine, "one's own is told"
    assert readable(shown(table, None, "ru")).count("[скрыто]") > 3, "a spectator knows no hand"


def test_worlds_that_look_alike_are_drawn_alike() -> None:
    table, dice = laid("dimensions", seed=1), random.Random(1)
    for number in range(2):
        for seat in (0, 2, None):
            world = other_world(table, seat or 0, 7 + number)
            here, there = (undrawn(in_world(table, state)) for state in (table.state.clone(), world))
            assert shown(here, seat) == shown(there, seat)
        play(table, 3, dice)


def test_every_option_is_a_button_for_whoever_moves() -> None:
    table = undrawn(laid("dimensions", seed=3))
    turn = table.turn
    for lang in LANGUAGES:
        assert offered(shown(table, turn, lang)) == table.state.legal_actions()
    assert offered(shown(table, (turn + 1) % 3)) == []


def test_long_lines_are_broken_and_columns_are_not() -> None:
    columns = f"{'a':<60}b"
    svg = plain_picture("\n".join(("word " * 30, columns, "<&>")), [(7, "does <this> " * 9)], "title", "en")
    lines = [line.text or "" for line in tree(svg).iter("{http://www.w3.org/2000/svg}text")]
    assert columns in lines and "<&>" in lines
    assert max(len(line) for line in lines if line != columns) <= 48


@needs_chromium
def test_it_can_be_read_on_a_phone_in_the_light_and_in_the_dark(browser: Any, tmp_path: Path) -> None:
    table = undrawn(laid("dimensions", seed=3))
    for light in ("light", "dark"):
        page = Page(browser, tmp_path, 360, light)
        page.open_picture(shown(table, table.turn))
        seen = page.look("", "")
        assert seen["outside"] == seen["clashes"] == seen["beyond"] == page.weak() == page.hidden() == []
        assert seen["words"] > 11 and seen["wide"] <= 360
        page.close()
