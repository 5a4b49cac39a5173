"""The page of a report."""

from __future__ import annotations

import html
import re
from dataclasses import replace

import pytest

from common.found import game_of
from common.markup import Markup
from common.reports import run_of
from playmill import simulate
from playmill.report.html.page import html_page
from playmill.report.model.tables import METHOD, SEATS_MIXED, Chart, Estimate, RunInfo, Table, rate
from playmill.report.plots.axis import axis_for
from playmill.texts import LANGUAGES, Lang, Text

NASTY = "<script>alert('&\"')</script>"
RUN = run_of(
    game_of("dimensions"),
    ("tactical", "dealer", "dealer"),
    12_345,
    {"mode": "epic", "green_goal": 6, "hand_size": 4},
    playmill="0.1.0",
    requested=20_000,
    seed=42,
    changes={"green_goal": 6},
    workers=2,
    elapsed_s=12.5,
    command="playmill simulate dimensions --games 20000 --set 'name=<b>'",
)
ALIKE = replace(RUN, agents=("random",) * RUN.players)
TABLE = Table(
    "agents",
    Text("Agents", "Агенты"),
    (Text("Agent", "Агент"), Text("Win rate", "Доля побед"), Text("Wins", "Побед")),
    (
        ("tactical", rate(4_321, 12_345), 4_321),
        ("dealer", rate(3_210, 12_345), 3_210),
        ("absent", rate(0, 0), 0),
    ),
    note=Text("Of all games.", "Из всех партий."),
    chart=Chart(0, 1, reference=1 / 3, reference_label=Text("a fair share", "равная доля")),
    percent_columns=frozenset({1}),
)


def page(run: RunInfo = RUN, *tables: Table, lang: Lang = "en") -> Markup:
    """The parsed page of a run."""
    return Markup(html_page(run, tables or (TABLE,), lang))


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_page_loads_nothing(lang: Lang) -> None:
    text = html_page(RUN, (TABLE,), lang)
    assert not re.search(r"https?:|//[a-z]|@import|url\(", text.replace(RUN.command, ""))
    loading = {"script", "link", "img", "iframe", "object", "embed", "audio", "video", "base", "form"}
    parsed = Markup(text)
    assert not loading & {tag for tag, _ in parsed.tags}
    assert not [attrs for _, attrs in parsed.tags if {"src", "href", "xlink:href"} & attrs.keys()]
    assert any("default-src 'none'" in (attrs.get("content") or "") for _, attrs in parsed.tags)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_page_says_its_language_and_speaks_it(lang: Lang) -> None:
    parsed = page(lang=lang)
    assert ("html", {"lang": lang}) in parsed.tags
    assert TABLE.note is not None
    for text in (RUN.title, TABLE.title, *TABLE.columns, TABLE.note, METHOD):
        assert text.of(lang) in parsed.words
    assert ("charset", "utf-8") in parsed.tags[2][1].items()


def test_every_number_is_there() -> None:
    words = page().words
    for number in ("12 345", "42", "12.5 s", "988 games/s", "tactical, dealer × 2", "4 321", "3 210"):
        assert number in words
    assert "35.0 % [34.2, 35.8]" in words
    assert "26.0 % [25.2, 26.8]" in words
    assert "—" in words


def test_every_number_is_there_in_russian() -> None:
    words = page(lang="ru").words
    for number in ("12 345", "12,5 с", "988 партий/с", "35,0 % [34,2; 35,8]", "26,0 % [25,2; 26,8]"):
        assert number in words


def test_the_command_and_the_settings_are_there() -> None:
    parsed = page()
    assert RUN.command in parsed.words
    assert parsed.having("command")
    assert "Changed settings" in parsed.words
    assert "green_goal6" in parsed.words
    assert '"hand_size": 4' in parsed.words
    plain = page(replace(RUN, changes={}))
    assert "Changed settings" not in plain.words
    assert "All as in the rules." in plain.words


def test_only_an_incomplete_run_is_marked() -> None:
    assert not page(ALIKE).having("warning")
    parsed = page(replace(RUN, complete=False))
    assert parsed.having("warning")
    assert "Incomplete: 12 345 of 20 000 games were played." in parsed.words


def test_fallbacks_stand_out() -> None:
    table = Table("fallbacks", Text("Fallbacks", "Замены"), (Text("Agent", "Агент"),), (("bot",),))
    assert [attrs["id"] for attrs in page(ALIKE, TABLE, table).having("warning")] == ["fallbacks"]


def test_nasty_texts_are_only_text() -> None:
    run = replace(
        RUN,
        agents=(NASTY, "dealer", "dealer"),
        command=NASTY,
        changes={NASTY: NASTY},
        config={NASTY: NASTY},
        title=Text(NASTY, NASTY),
        playmill=NASTY,
    )
    table = replace(TABLE, title=Text(NASTY, NASTY), note=Text(NASTY, NASTY), rows=((NASTY, rate(1, 2), 1),))
    table = replace(table, columns=(Text(NASTY, NASTY),) * 3, key=NASTY)
    text = html_page(run, (table,), "en")
    assert "<script" not in text
    parsed = Markup(text)
    assert parsed.words.count(NASTY) >= 8
    assert any(title.startswith(NASTY) for title in parsed.titles)


def test_a_dot_stands_where_its_value_is() -> None:
    parsed = page()
    dots = [float((attrs["cx"] or "").rstrip("%")) for attrs in parsed.having("dot")]
    fair = {float((attrs["x1"] or "").rstrip("%")) for attrs in parsed.having("fair") if "x1" in attrs}
    assert len(dots) == 2
    assert len(fair) == 1
    tactical, dealer = dots
    assert 0 < dealer < fair.pop() < tactical < 100
    # Percent of the axis are in proportion to the values.
    axis = axis_for([rate(4_321, 12_345), rate(3_210, 12_345)], Chart(0, 1, reference=1 / 3))
    assert tactical - dealer == pytest.approx(100 * (4_321 - 3_210) / 12_345 / (axis.high - axis.low), abs=0.01)


def test_tooltips_tell_the_row_and_the_reference_has_its_label() -> None:
    parsed = page()
    assert "tactical: 35.0 % [34.2, 35.8], n = 12 345" in parsed.titles
    assert "a fair share 33.3 %" in parsed.words


def test_a_table_without_observations_has_no_plot() -> None:
    parsed = page(RUN, replace(TABLE, rows=(("absent", rate(0, 0), 0),)))
    assert not parsed.having("plot")
    assert "absent" in parsed.words


def test_a_chart_of_means_is_not_in_percent() -> None:
    table = replace(
        TABLE,
        rows=(("turns", Estimate(17.3, 17.0, 17.6, 99), 1),),
        percent_columns=frozenset(),
        chart=Chart(0, 1, percent=False, reference=18.0),
    )
    words = page(RUN, table).words
    assert "17.3 [17.0, 17.6]" in words
    assert "%" not in words.replace(METHOD.en, "")


@pytest.mark.parametrize(
    "estimates",
    [
        [rate(0, 1), rate(1, 1)],
        [rate(0, 10**9)],
        [rate(10**9, 10**9)],
        [rate(333_333_333, 10**9), rate(333_333_433, 10**9)],
        [rate(1, 10**6), rate(3, 10**6)],
    ],
)
def test_an_axis_of_shares_holds_its_intervals_and_no_impossible_share(estimates: list[Estimate]) -> None:
    axis = axis_for(estimates, Chart(0, 1, reference=1 / 3))
    assert 3 <= len(axis.ticks) <= 8
    assert 0 <= axis.low <= min(estimate.low for estimate in estimates) + 1e-12
    assert max(*(estimate.high for estimate in estimates), 1 / 3) - 1e-12 <= axis.high <= 1 + 1e-12
    assert axis.ticks == tuple(sorted(set(axis.ticks)))


def test_an_axis_of_means_may_go_below_0_and_stand_still() -> None:
    below = axis_for([Estimate(-3.0, -4.0, -2.0, 9)], Chart(0, 1, percent=False))
    assert below.low <= -4 < -2 <= below.high
    still = axis_for([Estimate(0.0, 0.0, 0.0, 9)], Chart(0, 1, percent=False))
    assert still.low < 0 < still.high


def test_an_axis_of_ratings_does_not_begin_at_0() -> None:
    ratings = [Estimate(700.0, 650.0, 750.0, 9), Estimate(2200.0, 2150.0, 2250.0, 9)]
    usual = axis_for(ratings, Chart(0, 1, percent=False, reference=1500))
    axis = axis_for(ratings, Chart(0, 1, percent=False, reference=1500, from_zero=False))
    assert usual.low == 0 < axis.low <= 650
    assert axis.high >= 2250


def test_alike_values_do_not_look_far_apart() -> None:
    axis = axis_for([rate(333_333, 10**6), rate(334_333, 10**6)], Chart(0, 1))
    assert 0.001 / (axis.high - axis.low) < 0.05


def test_ticks_have_the_digits_they_need() -> None:
    axis = axis_for([Estimate(0.3333, 0.333, 0.3336, 9)], Chart(0, 1))
    labels = [axis.label(tick, "en") for tick in axis.ticks]
    assert len(set(labels)) == len(labels)
    for label, tick in zip(labels, axis.ticks, strict=True):
        assert float(label.rstrip("%\u00a0")) == pytest.approx(100 * tick)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_agents_that_keep_their_seats_are_warned_of_once(lang: Lang) -> None:
    mixed = replace(RUN, agents=("tactical", "dealer", "random")[: RUN.players])
    assert html_page(mixed, (TABLE,), lang).count(SEATS_MIXED.of(lang)) == 1
    for run in (ALIKE, replace(mixed, rotations=RUN.players)):
        assert SEATS_MIXED.of(lang) not in html_page(run, (TABLE,), lang)


def test_a_rotated_run_tells_its_deals() -> None:
    text = html_page(replace(RUN, games=12_000, requested=12_000, rotations=3), (TABLE,), "en").replace("\u00a0", " ")
    assert "<dt>Deals, from every seat</dt><dd>4 000</dd>" in text
    assert "95 % intervals over 4 000 deals, each played from every seat" in text


def test_in_a_notebook_a_page_has_a_frame_of_its_own(pig):
    """The style of a report speaks of the whole body: loose in a notebook it would restyle everything there."""
    run = simulate(pig, games=20)
    shown = run._repr_html_()
    assert shown.startswith("<iframe srcdoc=")
    assert shown.count("<") == 2
    assert html.unescape(shown.partition('srcdoc="')[2].partition('" sandbox')[0]) == run.page("en")
