"""The tables of `playmill new` in a real browser: light, dark and on a phone, read, clicked, with a cue to click."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from common.pages import Page, needs_chromium
from playmill import State, load_game
from playmill.starters import KINDS, begin
from playmill.texts import Lang

pytestmark = needs_chromium
_ACCENT = {"light": "rgb(200, 116, 26)", "dark": "rgb(240, 160, 75)"}
#: The edges of what can be clicked, and of what cannot.
_EDGES = """() => [...document.querySelectorAll('.face')].map(face =>
    [Boolean(face.closest('[data-a], [data-in]')), getComputedStyle(face).stroke])"""


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    ("width", "lang", "light"), [(1100, "en", "light"), (1100, "ru", "dark"), (380, "ru", "light")]
)
def test_every_position_of_a_new_game_is_read_and_clicked(
    browser: Any, tmp_path: Path, kind: str, width: int, lang: Lang, light: str
) -> None:
    name = f"shown_{kind}_{lang}_{width}"
    begin(name, kind, lang, tmp_path)
    game = load_game(str(tmp_path / name))
    page = Page(browser, tmp_path, width, light)
    for players in {game.players[0], game.players[1]}:
        state = State(game, players=players, seed=3, interpreted=True)
        while not state.is_terminal():
            viewer = state.current_player()
            page.open_picture(state.view(viewer, lang))
            seen = page.look("", "")
            assert seen["outside"] == seen["clashes"] == seen["beyond"] == []
            assert seen["words"] > 9 and seen["wide"] <= width and seen["width"] > width * 0.9
            assert sorted(page.actions()) == state.legal_actions()
            assert page.hidden() == [], "nothing lies over what can be clicked"
            assert page.weak() == [], "words stand out from what they are written on"
            edges = page.page.evaluate(_EDGES)
            assert any(can for can, _ in edges)
            assert all((edge == _ACCENT[light]) is can for can, edge in edges), "a cue before the first click"
            state.apply_action(state.choice_of(0))
        page.open_picture(state.view(None, lang))
        assert page.look("", "")["outside"] == page.weak() == []
    assert page.trouble == []
    page.close()
