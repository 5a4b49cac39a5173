"""Pictures painted from SVG: in our own letters, whatever fonts the machine has."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from common.found import PACKAGE
from playmill import State, game_names, load_game
from playmill.lab.replays.animation import FONTS, painter, picture

HEAD = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 400 60"'
LINES = "Wide Щит ↑→ ★ ♠♥ ½ −2 «ё»"


def painted(line: str, family: str, weight: int = 400) -> bytes:
    letters = f'font-family="{family}" font-weight="{weight}" font-size="24"'
    return bytes(painter()(f'{HEAD}><text x="5" y="40" {letters}>{line}</text></svg>', 400).tobytes())


def has(font: str, letter: str) -> bool:
    """Whether a font draws a letter by more than the box for letters it does not have."""
    from PIL import ImageFont

    drawn = ImageFont.truetype(font, 24)
    return bytes(drawn.getmask(letter)) != bytes(drawn.getmask("\U0010fffd")) or letter.isspace()


def test_words_are_drawn_in_the_letters_that_come_with_us():
    empty = painted("", "sans-serif")
    plain = painted(LINES, "sans-serif")
    assert plain != empty
    for family in ("system-ui, 'Segoe UI', Roboto, 'DejaVu Sans', sans-serif", "DejaVu Serif", "Nobody's Own", "serif"):
        assert painted(LINES, family) == plain, family
    assert painted(LINES, "sans-serif", 700) not in (plain, empty)


def test_the_letters_are_small_and_free():
    assert sum(Path(font).stat().st_size for font in FONTS) < 600_000
    terms = (Path(FONTS[0]).parent / "LICENSE").read_text(encoding="utf-8")
    assert "Permission is hereby granted, free of charge" in terms


@pytest.mark.parametrize("name", game_names())
def test_every_letter_of_a_picture_is_there(name):
    game = load_game(name)
    state = State(game, players=game.players[1], seed=5)
    letters = set()
    for _ in range(12):
        for lang in ("en", "ru"):
            letters |= set("".join(ET.fromstring(picture(state, lang)).itertext()))
        if state.is_terminal():
            break
        state.apply_action(state.legal_actions()[0])
    assert len(letters) > 30
    assert [letter for letter in sorted(letters) for font in FONTS if not has(font, letter)] == []


def test_every_letter_of_our_words_is_there():
    words = PACKAGE.glob("**/words.py")
    letters = set(
        re.findall(r"[а-яёa-z«»—–…×−½°·•≤≥←↑→↓★]", "".join(page.read_text(encoding="utf-8") for page in words))
    )
    assert [letter for letter in sorted(letters) for font in FONTS if not has(font, letter)] == []


@pytest.mark.parametrize("name", game_names())
def test_a_painted_picture_is_in_its_light_colours(name):
    game = load_game(name)
    state = State(game, players=game.players[0], seed=5, interpreted=True)
    image = painter()(picture(state, "en"), 480)
    assert image.getpixel((1, image.height // 2)) == (0xF1, 0xED, 0xE4), "what paints it knows nothing of the dark"
