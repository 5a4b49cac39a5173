"""Plots of reports: whole SVG in both languages, whatever the numbers, and readable in a browser."""

from __future__ import annotations

from itertools import product
from xml.etree import ElementTree

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from common.effort import share
from common.pages import Page, needs_chromium
from playmill.report.html.page import plot_section
from playmill.report.model.tables import Estimate
from playmill.report.plots import STYLE, Curve, HeatMap, LinePlot, LinePoint, PlotRow, RowPlot, Scale
from playmill.report.plots.axis import axis_over
from playmill.report.plots.base import NARROW, WIDE
from playmill.texts import LANGUAGES, Text

NUMBER = st.floats(-1e6, 1e6, allow_nan=False)


def both(word: str) -> Text:
    return Text(word, f"по-русски {word}")


def about(value: float, half: float) -> Estimate:
    return Estimate(value, value - half, value + half, 100)


def lines(curves: int = 5, points: int = 9) -> LinePlot:
    made = tuple(
        Curve(
            Text(f"Faction {n} & <friends>", f"Фракция {n}"),
            tuple(LinePoint(x, 0.2 + 0.01 * n * x, 0.19 + 0.01 * n * x, 0.21 + 0.01 * n * x) for x in range(points)),
        )
        for n in range(curves)
    )
    strength = Scale(both("strength"), ticks=tuple(range(points)))
    return LinePlot(
        both("Win rates"), strength, Scale(both("win rate"), percent=True), made, reference=0.2,
        reference_label=Text("fair", "поровну"), stripe=(0.18, 0.22), stripe_label=Text("near it", "около того"),
    )  # fmt: skip


def heat(middle: float | None = None) -> HeatMap:
    numbers = tuple(both(str(number)) for number in range(6))
    cells = tuple(
        tuple(None if row == column == 0 else about(row * column, 0.5) for column in range(6)) for row in range(4)
    )
    return HeatMap(
        both("Length"), both("faces"), both("target"), numbers, numbers[:4], cells, Scale(both("turns")), middle, (3, 3)
    )  # fmt: skip


def rows(*, bars: bool = False) -> RowPlot:
    made = tuple(PlotRow(both(f"A rather long name {n}"), (about(0.1 * n, 0.05), about(0.2, 0.01))) for n in range(4))
    return RowPlot(
        both("Worth"), Scale(both("worth"), percent=True), made, (both("before"), both("after")), 0.2,
        Text("fair 20 %", "поровну 20 %"), bars=bars,
    )  # fmt: skip


def drawing(svg: str) -> ElementTree.Element:
    return ElementTree.fromstring(svg)


def texts(svg: str) -> list[str]:
    return [found.text or "" for found in drawing(svg).iter("{http://www.w3.org/2000/svg}text")]


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize(
    "plot", [lines(), heat(), heat(4.0), rows(), rows(bars=True)], ids=lambda plot: type(plot).__name__
)
def test_a_plot_is_a_file_of_its_own_and_speaks_one_language(plot, lang):
    shown = texts(plot.svg(lang))
    assert drawing(plot.svg(lang)).get("aria-label") == plot.title.of(lang)
    spoken = [words for words in shown if any(sign.isalpha() for sign in words)]
    assert spoken
    assert {words[0].isascii() for words in spoken} == {lang == "en"}


def test_a_point_stands_where_its_axis_says():
    found = drawing(lines(curves=1, points=3).svg("en"))
    marks = [mark for mark in found.iter("{http://www.w3.org/2000/svg}circle") if mark.get("class") == "pm-mark"]
    labels = {text.text: text for text in found.iter("{http://www.w3.org/2000/svg}text")}
    assert [float(mark.get("cx", 0)) for mark in marks] == [float(labels[str(x)].get("x", 0)) for x in range(3)]
    fair = next(
        line
        for line in found.iter("{http://www.w3.org/2000/svg}line")
        if line.get("class") == "pm-fair" and line.get("x2") != "24.0"
    )
    assert {mark.get("cy") for mark in marks} == {fair.get("y1")}


def test_the_colour_of_a_cell_tells_how_far_it_is_from_the_middle():
    found = drawing(heat(middle=4.0).svg("en"))
    cells = {}
    for group in found.iter("{http://www.w3.org/2000/svg}g"):
        title, cell = group.find("{*}title"), group.find("{*}rect")
        assert title is not None and cell is not None
        cells[title.text.split(": ")[0]] = (group.get("class"), float(cell.get("fill-opacity", 0)))
    assert cells["target 2, faces 2"] == ("pm-c1", 0.06)
    assert cells["target 3, faces 5"] == ("pm-c1", 1.0)
    assert cells["target 1, faces 1"][0] == "pm-c2"
    assert 0.06 < cells["target 1, faces 1"][1] < 1
    assert "target 0, faces 0" not in cells


def test_names_are_escaped_and_intervals_are_told():
    svg = lines().svg("en")
    assert "Faction 1 &amp; &lt;friends&gt;" in svg
    assert "Faction 1 &amp; &lt;friends&gt;, strength 3: 23.0\u00a0% [22.0,\u00a024.0]" in svg
    assert "23,0\u00a0% [22,0;\u00a024,0]" in lines().svg("ru")
    # What has no interval, as the best of a search so far, is told without one.
    curve = Curve(both("so far"), (LinePoint(0, 37.5, 37.5, 37.5), LinePoint(1, 2.5, 2.5, 2.5)))
    assert ": 37.5</title>" in LinePlot(both("search"), Scale(both("tried")), Scale(both("gap")), (curve,)).svg("en")


def test_many_ticks_are_thinned_until_their_words_fit():
    wide, narrow = (texts(lines(1, 200).svg("en", width=width)) for width in (WIDE, NARROW))
    written = [[int(word) for word in found if word.isdigit()] for found in (wide, narrow)]
    assert len(written[1]) < len(written[0]) < 40
    assert len(written[1]) > 3


def sure() -> LinePlot:
    points = tuple(LinePoint(100.0 * 10 ** (step / 2), 0.0, -1 / 2**step, 1 / 2**step) for step in range(9))
    return LinePlot(both("sure"), Scale(both("games"), log=True), Scale(both("gap")), (Curve(both("d"), points),))


def test_numbers_of_games_stand_on_a_scale_of_factors():
    written = set(texts(sure().svg("en")))
    assert {"100", "1\u00a0000", "10\u00a0000", "100\u00a0000", "1\u00a0000\u00a0000"} <= written


def test_a_notebook_gets_all_it_needs_and_a_page_has_the_style_once():
    assert STYLE in rows()._repr_html_()
    assert "<figcaption>Worth</figcaption>" in rows()._repr_html_()
    assert STYLE not in plot_section(rows(), "en", "worth")
    assert "<h2>Worth</h2>" in plot_section(rows(), "en", "worth")


@settings(deadline=None, max_examples=share(60))
@given(st.lists(st.tuples(NUMBER, NUMBER, NUMBER), max_size=6), st.booleans())
def test_any_numbers_make_a_plot(numbers, percent):
    made = [Estimate(value, min(low, value), max(high, value), 3) for value, low, high in numbers]
    scale = Scale(both("value"), percent=percent)
    curve = Curve(both("curve"), tuple(LinePoint(at, one.value, one.low, one.high) for at, one in enumerate(made)))
    cells = ((*made, None),)
    columns = tuple(both(str(at)) for at in range(len(made) + 1))
    for plot in (
        LinePlot(both("lines"), Scale(both("x")), scale, (curve,)),
        RowPlot(both("rows"), scale, tuple(PlotRow(both("row"), (one,)) for one in made), reference=0.0),
        HeatMap(both("heat"), both("x"), both("y"), columns, (both("0"),), cells, scale, middle=1.0),
    ):
        for width in (WIDE, NARROW):
            svg = plot.svg("en", width=width)
            assert drawing(svg) is not None
            assert "nan" not in svg and "inf" not in svg.replace("-inf", "inf ")


@given(NUMBER, NUMBER, st.booleans(), st.integers(2, 6))
@example(0.0, 5e-324, False, 2)
@example(-1e-310, 1e-310, True, 6)
def test_an_axis_holds_its_ends_with_few_round_ticks(one, other, percent, steps):
    low, high = min(one, other), max(one, other)
    axis = axis_over(low, high, percent=percent, steps=steps)
    slack = 1e-6 * max(1, abs(low), abs(high))
    assert axis.low <= low + slack and axis.high >= high - slack
    assert 2 <= len(axis.ticks) <= steps + 4


@needs_chromium
def test_in_a_browser_words_neither_leave_the_picture_nor_clash_nor_shrink(browser, tmp_path):
    for width, kind in ((1100, "pm-wide"), (360, "pm-narrow")):
        page = Page(browser, tmp_path, width)
        for plot, lang in product((lines(), sure(), heat(), rows()), LANGUAGES):
            shown = page.open(f'<!doctype html><meta charset="utf-8"><style>{STYLE}</style>{plot.figure(lang)}')
            # What is not for this width is not shown: it is taken away, so that one picture is looked at.
            others = f"document.querySelectorAll('svg:not(.{kind})')"
            assert shown.evaluate(f"[...{others}].map(one => getComputedStyle(one).display)") == ["none"]
            shown.evaluate(f"{others}.forEach(one => one.remove())")
            found = page.look("", "")
            assert not found["outside"], (plot, lang)
            assert not found["clashes"], (plot, lang)
            assert found["words"] > 11
            assert found["wide"] <= width
        assert not page.trouble
        page.close()
