"""The report in the terminal and the written form of numbers."""

from __future__ import annotations

import io
import random
from dataclasses import replace
from decimal import Decimal

import pytest
from rich.cells import cell_len
from rich.console import Console

from common.found import game_of
from common.reports import run_of
from playmill.report.model.tables import METHOD, SEATS_MIXED, Chart, Estimate, RunInfo, Table, mean, rate
from playmill.report.number_format import cell_parts, counted, decimal, duration, short
from playmill.report.terminal.report_printer import agents_text, print_report, speed_text
from playmill.texts import LANGUAGES, Lang, Text

RUN = run_of(
    game_of("dimensions"),
    ("tactical", "dealer", "dealer"),
    1_234_567,
    {"mode": "epic", "green_goal": 6},
    playmill="0.1.0",
    requested=2_000_000,
    seed=42,
    changes={"green_goal": 6, "anomaly_pool": ["wormhole"]},
    workers=2,
    elapsed_s=12.5,
)
TABLE = Table(
    "factions",
    Text("Factions", "Фракции"),
    (Text("Faction", "Фракция"), Text("Win rate", "Доля побед"), Text("Wins", "Побед"), Text("Cards", "Карт")),
    (
        (Text("Red", "Красные"), rate(333, 1000), 333, Estimate(5.25, 5.2, 5.3, 1000)),
        (Text("Green", "Зелёные"), rate(0, 0), 0, None),
    ),
    note=Text("Of all games.", "Из всех партий."),
    chart=Chart(0, 1, reference=1 / 3),
    percent_columns=frozenset({1}),
)


#: What is compared row by row: estimates of other widths, plain numbers beside one, and plain numbers alone.
ALIKE = Table(
    "compared",
    Text("Compared", "Сравнение"),
    (Text("What", "Что"), Text("A", "A"), Text("B", "B"), Text("B − A", "B − A")),
    (
        ("wide and narrow", Estimate(5.0, 4.0, 6.0, 9), Estimate(5.128, 5.126, 5.13, 9), None),
        ("beside one", 9.0, 8.924, Estimate(-0.076, -0.08, -0.072, 9)),
        ("alone", 34, 22.5, None),
    ),
    alike_columns=frozenset({1, 2, 3}),
)


@pytest.mark.parametrize(("lang", "point"), [("en", "."), ("ru", ",")])
def test_what_is_compared_has_as_many_decimals(lang, point):
    rows = [[cell_parts(ALIKE, row, column, lang)[0] for column in (1, 2, 3)] for row in range(3)]
    wanted = [["5.000", "5.128", "—"], ["9.000", "8.924", "-0.076"], ["34.0", "22.5", "—"]]
    assert rows == [[number.replace(".", point) for number in row] for row in wanted]


@pytest.mark.parametrize(
    ("a", "b", "half", "percent", "wanted"),
    [
        (0.66, 0.64, 0.15, False, ["0.66", "0.64", "-0.02 [-0.17, 0.13]"]),
        # With two decimals 0.65, 0.65 and 0.01; a third one makes them agree.
        (0.6451, 0.6509, 0.15, False, ["0.645", "0.651", "0.006 [-0.144, 0.156]"]),
        (0.5, 0.52, 0.0123, True, ["50.0 %", "52.0 %", "2.0 % [0.8, 3.2]"]),
        (12.0, 31.0, 25.0, False, ["12.0", "31.0", "19.0 [-6.0, 44.0]"]),
    ],
)
def test_a_difference_has_the_decimals_of_its_interval_and_follows_from_both_sides(a, b, half, percent, wanted):
    difference = Estimate(b - a, b - a - half, b - a + half, 100)
    sides = (Estimate(a, a - 2 * half, a + 2 * half, 100), Estimate(b, b - 2 * half, b + 2 * half, 100))
    columns = (Text("A", "A"), Text("B", "B"), Text("B − A", "B − A"))
    shares = frozenset({0, 1, 2}) if percent else frozenset()
    table = Table(
        "t", Text("t", "т"), columns, ((*sides, difference),), None, None, shares, difference_columns=(0, 1, 2)
    )
    texts = [cell_parts(table, 0, column, "en") for column in range(3)]
    shown = [texts[0][0], texts[1][0], " ".join(texts[2])]
    assert [text.replace("\u00a0", " ") for text in shown] == wanted


def test_sides_and_difference_agree_as_shown_where_a_few_decimals_can_do_it():
    luck, agree = random.Random(1), 0
    for _ in range(500):
        a, b, half = luck.uniform(0, 20), luck.uniform(0, 20), 10 ** luck.uniform(-3, 1)
        row = (a, b, Estimate(b - a, b - a - half, b - a + half, 100))
        table = Table("t", Text("t", "т"), (Text("c", "к"),) * 3, (row,), difference_columns=(0, 1, 2))
        shown = [Decimal(cell_parts(table, 0, column, "en")[0]) for column in range(3)]
        agree += shown[1] - shown[0] == shown[2]
    assert agree >= 490


def printed(run: RunInfo = RUN, *tables: Table, lang: Lang = "en", width: int = 80) -> str:
    """What a terminal of that width shows, no-break spaces as plain ones."""
    file = io.StringIO()
    print_report(Console(file=file, width=width), run, tables or (TABLE,), lang)
    return file.getvalue().replace("\u00a0", " ")


def cell(value: Estimate | float | None, *, percent: bool = True, lang: Lang = "en") -> str:
    """One cell as it is written."""
    columns = frozenset({0}) if percent else frozenset()
    table = Table("t", Text("t", "т"), (Text("c", "к"),), ((value,),), percent_columns=columns)
    return " ".join(cell_parts(table, 0, 0, lang)).strip().replace("\u00a0", " ")


def test_a_rate_is_a_percentage_with_its_interval() -> None:
    assert cell(Estimate(0.3333, 0.3321, 0.3345, 100)) == "33.3 % [33.2, 33.5]"


def test_russian_numbers_have_commas_and_semicolons() -> None:
    assert cell(Estimate(0.3333, 0.3321, 0.3345, 100), lang="ru") == "33,3 % [33,2; 33,5]"


@pytest.mark.parametrize(
    ("half", "expected"),
    [
        (0.2, "33.3 % [13.3, 53.3]"),
        (0.001, "33.3 % [33.2, 33.4]"),
        (0.0009, "33.33 % [33.24, 33.42]"),
        (0.0001, "33.33 % [33.32, 33.34]"),
        (0.00002, "33.333 % [33.331, 33.335]"),
    ],
)
def test_a_narrow_interval_gets_more_digits(half: float, expected: str) -> None:
    third = 1 / 3
    assert cell(Estimate(third, third - half, third + half, 100)) == expected


def test_an_interval_that_shows_no_width_is_never_written() -> None:
    for exponent in range(2, 10):
        n = 10**exponent
        _, interval = cell(rate(n // 3, n)).split("[")
        low, high = interval.rstrip("]").split(", ")
        assert low != high


def test_rows_of_a_column_agree_in_digits() -> None:
    rows = ((Estimate(0.5, 0.4991, 0.5009, 9),), (Estimate(0.25, 0.2491, 0.2509, 9),), (Estimate(0.1, 0.0, 0.3, 9),))
    table = Table("t", Text("t", "т"), (Text("c", "к"),), rows, percent_columns=frozenset({0}))
    assert [cell_parts(table, row, 0, "en")[0] for row in range(3)] == [
        "50.00\u00a0%",
        "25.00\u00a0%",
        "10.00\u00a0%",
    ]


def test_nothing_observed_is_a_dash() -> None:
    assert cell(rate(0, 0)) == "—"
    assert cell(None) == "—"


def test_few_observations_say_how_many_they_are() -> None:
    assert cell(Estimate(0.5, 0.1, 0.9, 29)) == "50.0 % [10.0, 90.0] n=29"
    assert cell(Estimate(0.5, 0.1, 0.9, 30)) == "50.0 % [10.0, 90.0]"


def test_an_interval_that_is_not_known_is_not_written() -> None:
    assert cell(mean(1, 7, 49), percent=False) == "7.0 [too few] n=1"
    assert cell(mean(40, 280, 1960), percent=False) == "7.0 [too few]"
    assert cell(mean(1, 7, 49), percent=False, lang="ru") == "7,0 [мало] n=1"


def test_plain_numbers() -> None:
    assert cell(0.25) == "25.0 %"
    assert decimal(1_234_567.891, 1, "en") == "1\u00a0234\u00a0567.9"
    assert decimal(1_234_567.891, 1, "ru") == "1\u00a0234\u00a0567,9"
    assert decimal(-0.01, 1, "en") == "0.0"
    assert [short(value, "en") for value in (17, 17.0, 17.5, 3.998, 2 / 3)] == ["17", "17", "17.5", "4.00", "0.67"]


@pytest.mark.parametrize(
    ("n", "ru"),
    [(1, "партия"), (2, "партии"), (5, "партий"), (11, "партий"), (12, "партий"), (21, "партия"), (104, "партии")],
)
def test_russian_nouns_follow_their_number(n: int, ru: str) -> None:
    assert counted(n, Text("game|games", "партия|партии|партий"), "ru") == f"{n}\u00a0{ru}"


def test_english_nouns_follow_their_number() -> None:
    forms = Text("game|games", "партия|партии|партий")
    assert [counted(n, forms, "en") for n in (0, 1, 2)] == ["0\u00a0games", "1\u00a0game", "2\u00a0games"]


@pytest.mark.parametrize(
    ("seconds", "en"),
    [(0.25, "0.25 s"), (12.34, "12.3 s"), (59.97, "1 min 00 s"), (125, "2 min 05 s"), (7384, "2 h 03 min")],
)
def test_times_are_said_in_fitting_units(seconds: float, en: str) -> None:
    assert duration(seconds, "en").replace("\u00a0", " ") == en


def test_agents_are_grouped_only_side_by_side() -> None:
    assert agents_text(RUN).replace("\u00a0", " ") == "tactical, dealer × 2"
    assert agents_text(replace(RUN, agents=("a", "b", "a"))) == "a, b, a"


def test_no_time_no_speed() -> None:
    assert speed_text(replace(RUN, elapsed_s=0.0), "en") is None


def test_the_header_says_what_was_run() -> None:
    header = " · ".join(printed(width=200).splitlines()[:1])
    assert header == (
        "Battle of Dimensions · 3 players · tactical, dealer × 2 · 1 234 567 games · seed 42 · 12.5 s · 98 765 games/s"
    )


def test_the_header_in_russian() -> None:
    header = printed(lang="ru", width=200).splitlines()[0]
    assert header.startswith(
        "Битва Измерений · 3 игрока · tactical, dealer × 2 · 1 234 567 партий · сид 42 · 12,5 с · "
    )


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_part_is_printed(lang: Lang) -> None:
    text = printed(lang=lang, width=120)
    assert TABLE.note is not None
    for part in (TABLE.title, *TABLE.columns, TABLE.note, METHOD):
        assert part.of(lang) in text
    assert 'green_goal = 6; anomaly_pool = ["wormhole"]' in text
    assert ("33,3 % [30,4; 36,3]" if lang == "ru" else "33.3 % [30.4, 36.3]") in text


def test_only_an_incomplete_run_is_marked() -> None:
    assert "Incomplete" not in printed()
    assert "Incomplete: 1 234 567 of 2 000 000 games were played." in printed(replace(RUN, complete=False))
    assert "сыграно партий 1 234 567 из 2 000 000" in printed(replace(RUN, complete=False), lang="ru")


def test_unchanged_settings_are_said_to_be_so() -> None:
    text = printed(replace(RUN, changes={}))
    assert "Settings: all as in the rules" in text
    assert "Changed settings" not in text


def test_a_very_long_setting_is_cut() -> None:
    text = printed(replace(RUN, changes={"deck": list(range(500)), "goal": 6}), width=1000)
    assert "deck = [0, 1, 2, 3, " in text
    assert "…; goal = 6" in text
    assert "499" not in text


def test_numbers_stand_to_the_right_and_names_to_the_left() -> None:
    wide = replace(TABLE, rows=(*TABLE.rows, (Text("Blue", "Синие"), rate(1, 1000), 1_000_000, None)))
    lines = printed(RUN, wide).splitlines()
    head, red, blue = (next(line for line in lines if line.startswith(word)) for word in ("Faction ", "Red", "Blue"))
    end = head.index("Wins") + len("Wins")
    assert red[:end].endswith("  333")
    assert blue[:end].endswith("1 000 000")


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("width", [40, 60, 80, 120])
def test_no_line_is_too_long_and_no_number_is_lost(width: int, lang: Lang) -> None:
    text = printed(lang=lang, width=width)
    assert max(cell_len(line) for line in text.splitlines()) <= width
    for number in ("33,3 % [30,4; 36,3]", "5,25 [5,20; 5,30]", " 333\n" if width == 40 else " 333 "):
        assert (number if lang == "ru" else number.replace(",", ".").replace(";", ",")) in text


def test_names_in_brackets_are_no_markup() -> None:
    table = replace(TABLE, rows=(("[bold]bot[/bold] :smile:", rate(1, 2), 1, None),))
    text = printed(replace(RUN, agents=("[red]x",) * 3), table)
    assert "[bold]bot[/bold] :smile:" in text
    assert "[red]x × 3" in text


def test_an_empty_table_is_a_dash() -> None:
    assert "Factions\n—\n" in printed(RUN, replace(TABLE, rows=()))


@pytest.mark.parametrize("lang", LANGUAGES)
def test_agents_that_keep_their_seats_are_warned_of_in_one_line(lang: Lang) -> None:
    mixed = replace(RUN, agents=("dealer", "random", "random"))
    assert SEATS_MIXED.of(lang) in printed(mixed, lang=lang).splitlines()
    for run in (replace(RUN, agents=("random",) * 3), replace(mixed, rotations=3)):
        assert SEATS_MIXED.of(lang) not in printed(run, lang=lang)


def test_a_player_alone_shares_no_seat() -> None:
    assert not replace(RUN, players=1, agents=("survivor",)).warnings


@pytest.mark.parametrize(
    ("lang", "games", "method"),
    [
        ("en", 3, "95 % intervals over 1 deal, each played from every seat: Wilson's for rates, Student's for means,"),
        ("en", 9_000, "95 % intervals over 3 000 deals, each played from every seat: Wilson's for rates,"),
        ("ru", 3, "Интервалы 95 % по 1 раздаче, каждая сыграна со всех мест"),
        ("ru", 66, "Интервалы 95 % по 22 раздачам, каждая сыграна со всех мест: Уилсона для долей,"),
    ],
)
def test_intervals_of_a_rotated_run_are_over_deals(lang: Lang, games: int, method: str) -> None:
    text = printed(replace(RUN, games=games, requested=games, rotations=3), lang=lang, width=200)
    assert method in text
    assert METHOD.of(lang) not in text
    assert {"en": "seats rotated", "ru": "места по кругу"}[lang] in text


def test_warnings_are_saved_in_both_languages() -> None:
    mixed = replace(RUN, agents=("dealer", "random", "random"))
    assert mixed.json()["warnings"] == [{"en": SEATS_MIXED.en, "ru": SEATS_MIXED.ru}]
    told = replace(mixed, rotations=3, games=300).json()
    assert (told["rotations"], told["blocks"]) == (3, 100)
    assert "warnings" not in told
