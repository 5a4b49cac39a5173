"""The picture of every game, looked at in a real browser, on a wide page and on a phone."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from common.pages import Page, needs_chromium
from common.stock import Stock
from playmill.texts import LANGUAGES, Lang

pytestmark = needs_chromium


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("width", [1100, 420])
def test_everything_can_be_read_and_clicked(stock: Stock, browser: Any, tmp_path: Path, lang: Lang, width: int) -> None:
    page = Page(browser, tmp_path, width)
    for name, scene in stock.scenes.items():
        legal = stock.options(scene)
        page.open_picture(stock.view(scene, max(0, int(scene.s["player"])), legal, lang))
        seen = page.look(stock.drawn, stock.sized or stock.drawn)
        assert seen["outside"] == seen["clashes"] == seen["beyond"] == [], name
        assert stock.stays_within is None or not page.spills(*stock.stays_within), name
        assert seen["words"] > stock.words_over(name, width), name
        assert seen["drawn"] > stock.drawn_over(name, width), name
        assert seen["wide"] <= width and seen["width"] > width * 0.9, name
        assert (sorted(set(page.actions())) if stock.twice else sorted(page.actions())) == legal, name
        assert page.hidden() == [], f"{name}: something lies over these"
    assert page.trouble == []
    page.close()
