"""Report of `tune` as tables, plots and a page: the winner, what fresh games say of it, what each number matters."""

from __future__ import annotations

from html import escape
from typing import Any

from rich.console import Console
from rich.text import Text as RichText

from playmill.report.commands.tuning_data import Family, ShownGoal, TuningReport
from playmill.report.commands.tuning_verdict import (
    PLAIN,
    both_texts,
    effort,
    missed_goals,
    start_name,
    unused_answers,
    verdict,
)
from playmill.report.html.page import command_part, fact_list, page_of, plot_section, section, warning
from playmill.report.model.among import among_names
from playmill.report.model.tables import Cell, Table
from playmill.report.number_format import counted, decimal, duration
from playmill.report.plots import Curve, LinePlot, LinePoint, Plot, PlotRow, RowPlot, Scale
from playmill.report.terminal.report_printer import print_tables, print_title, setting_text
from playmill.report.terminal.row_layout import SPACE, print_words
from playmill.texts import Lang, Text

RULES, BEST, SMALLEST = Text("rules", "правила"), Text("best", "лучшее"), Text("smallest", "наименьшее")
_SEARCH = Text("search said", "поиск обещал")
_FRESH = Text("fresh games", "новые партии")
#: In place of the rules where numbers of agents alone are free.
_NOW = Text("now", "сейчас")
_GAMES = Text("game|games", "партия|партии|партий")
_DEALS = Text("deal|deals", "раздача|раздачи|раздач")
METHOD = Text(
    "All settings of a stage play the same deals; intervals (95 %) are over deals. Gaps are told without the noise,"
    " which alone would make some. The race and the figures that are told are played on luck of their own: the best of"
    " a search is also the luckiest, so what the search said of it is too good.",
    "На каждом этапе все настройки играют одни и те же раздачи; интервалы (95 %) — по раздачам. Разрывы даны за вычетом"
    " шума, который и сам их создаёт. Гонка и итоговые показатели сыграны на своей удаче: лучшее в поиске — ещё и самое"
    " везучее, поэтому обещания поиска завышены.",
)


def tuned_tables(found: TuningReport) -> list[Table]:
    """Returns the goals, the numbers, the figures before and after, and the race."""
    tables = [_goals(found), *(_among(goal, number, found) for number, goal in enumerate(found.goals) if goal.among)]
    if found.numbers and found.better:
        tables.append(_numbers(found))
    tables += [_family(family, number, found) for number, family in enumerate(found.families)]
    if len(found.ran) > 1:
        tables.append(_race(found))
    return tables


def _goals(found: TuningReport) -> Table:
    """Returns the table of goals: a column a goal."""
    columns = [Text("Setting", "Настройка")]
    columns += [Text.join((goal.text, goal.unit), ": ") for goal in found.goals]
    rows: list[tuple[Cell, ...]] = [(start_name(found, RULES, _NOW), *(goal.rules for goal in found.goals))]
    if found.better:
        rows.append((BEST, *(goal.best for goal in found.goals)))
        rows.append(
            (Text("what the search said of it", "что о нём обещал поиск"), *(goal.search for goal in found.goals))
        )
    if found.better and found.nearly_shown is not None:
        rows.append((SMALLEST, *(goal.smallest for goal in found.goals)))
    note = Text(
        f"Fresh games: {counted(2 * found.deals, _DEALS, 'en')} that chose nothing.",
        f"Новые партии: {counted(2 * found.deals, _DEALS, 'ru')}, по которым ничего не выбирали.",
    )
    shares = frozenset(number for number, goal in enumerate(found.goals, 1) if goal.percent)
    title = Text("The goals on fresh games", "Цели на новых партиях")
    return Table("goals", title, tuple(columns), tuple(rows), note=note, percent_columns=shares)


def _among(goal: ShownGoal, number: int, found: TuningReport) -> Table:
    """Returns the table of one goal among each of those it was tuned for."""
    series, unit = _series(found), _GAP if goal.among[0].gap else _VALUE
    rows: list[tuple[Cell, ...]] = []
    for one in goal.among:
        values = (one.rules, one.best, one.smallest)[: len(series)]
        fate = "" if one.reached is None else _REACHED if one.reached else _NOT_REACHED
        rows.append((one.who.head, *values, fate, one.rules.n))
    columns = (Text("Among", "Среди"), *series, Text("in the end", "в итоге"), Text("deals", "раздач"))
    return Table(
        f"among-{number + 1}", Text.join((goal.text, unit), ": "), columns, tuple(rows),
        percent_columns=frozenset(range(1, len(series) + 1) if goal.percent else ()),
    )  # fmt: skip


_GAP, _VALUE = Text("gap among each", "разрыв у каждых"), Text("value among each", "значение у каждых")
_REACHED, _NOT_REACHED = Text("reached", "достигнуто"), Text("not reached", "не достигнуто")


def _numbers(found: TuningReport) -> Table:
    few = found.nearly_shown is not None
    columns = [Text("Number", "Число"), start_name(found, RULES, _NOW), BEST, *([SMALLEST] if few else []), _LOST]
    rows: list[tuple[Cell, ...]] = []
    for one in found.numbers:
        values = [one.rules, one.best, *([one.smallest] if few else [])]
        # A number that was changed alone has brought all of the gain: nothing was measured.
        lost = one.share.value if one.share is not None and len(found.numbers) == 1 else one.share
        rows.append((one.path, *map(_value, values), lost))
    note = Text(
        "What is lost of the gain if this number alone goes back to the rules; measured on luck of its own. Numbers"
        " work together, so the shares need not add up to 100 %.",
        "Какая часть выигрыша теряется, если вернуть к правилам только это число; измерено на своей удаче. Числа"
        " действуют вместе, поэтому сумма не обязана быть 100 %.",
    )
    return Table(
        "numbers", Text("Which number matters how much", "Какое число насколько важно"), tuple(columns), tuple(rows),
        note=start_name(found, note, _NUMBERS_NOTE_AGENTS), percent_columns=frozenset({len(columns) - 1}),
    )  # fmt: skip


def _value(value: Any) -> Cell:
    """Returns a value of the config as a cell."""
    return value if isinstance(value, (int, float)) and not isinstance(value, bool) else setting_text(value)


_NUMBERS_NOTE_AGENTS = Text(
    "What is lost of the gain if this number alone goes back to what it is now; measured on luck of its own. Numbers"
    " work together, so the shares need not add up to 100 %.",
    "Какая часть выигрыша теряется, если вернуть к нынешнему только это число; измерено на своей удаче. Числа"
    " действуют вместе, поэтому сумма не обязана быть 100 %.",
)
_LOST = Text("lost without it", "потеря без него")


def _series(found: TuningReport) -> list[Text]:
    return [
        start_name(found, RULES, _NOW),
        *([BEST] if found.better else []),
        *([SMALLEST] if found.nearly_shown is not None else []),
    ]


def _family(family: Family, number: int, found: TuningReport) -> Table:
    series = _series(found)
    rows = tuple((name, *values[: len(series)]) for name, values in family.rows)
    return Table(
        f"figures-{number + 1}", family.title, (Text("Figure", "Показатель"), *series), rows,
        percent_columns=frozenset(range(1, len(series) + 1) if family.percent else ()),
    )  # fmt: skip


def _race(found: TuningReport) -> Table:
    """Returns the settings that raced, or those of a front; with one goal also what the search had said of them."""
    one = len(found.goals) == 1
    columns, shares = [Text("Setting", "Настройка"), Text("in the end", "в итоге")], set[int]()
    for goal in found.goals:
        columns += [_FRESH, _SEARCH] if one else [goal.text]
        shares |= {*range(len(columns) - (2 if one else 1), len(columns))} if goal.percent else set()
    columns.append(Text("deals", "раздач"))
    rows: list[tuple[Cell, ...]] = []
    plain = start_name(found, PLAIN, _NOW)
    for ran in found.ran:
        fate = (_DOMINATED if found.front else _OUT) if ran.out else (_ON if found.front else _IN)
        cells: list[Cell] = [*ran.fresh, *(ran.search if one else ())]
        rows.append((both_texts(ran.setting, plain), fate, *cells, ran.deals))
    title, note = (_FRONT, None) if found.front else (_RACE, start_name(found, _RACE_NOTE, _RACE_NOTE_AGENTS))
    return Table("race", title, tuple(columns), tuple(rows), note=note, percent_columns=frozenset(shares))


_OUT, _IN = Text("out", "выбыла"), Text("still in", "осталась")
_DOMINATED, _ON = Text("not on it", "не на нём"), Text("on it", "на нём")
_FRONT = Text("The front on fresh games", "Фронт на новых партиях")
_RACE = Text("The race on fresh luck", "Гонка на новой удаче")
_RACE_NOTE = Text(
    "The best of the search and the rules play the same fresh deals; out is who is surely worse than another. The truly"
    " best one is thrown out in at most 5 % of races.",
    "Лучшее из поиска и правила играют одни и те же новые раздачи; выбывает то, что наверняка хуже другого. Выбросить"
    " на самом деле лучшее гонка может не чаще чем в 5 % случаев.",
)
_RACE_NOTE_AGENTS = Text(
    "The best of the search and what is now play the same fresh deals; out is who is surely worse than another. The"
    " truly best one is thrown out in at most 5 % of races.",
    "Лучшее из поиска и нынешнее играют одни и те же новые раздачи; выбывает то, что наверняка хуже другого. Выбросить"
    " на самом деле лучшее гонка может не чаще чем в 5 % случаев.",
)


def plots(found: TuningReport) -> list[Plot]:
    """Returns the figures before and after, what each number is good for, and how the search went."""
    made: list[Plot] = []
    series = _series(found)
    for family in found.families:
        rows = tuple(PlotRow(name, values[: len(series)]) for name, values in family.rows)
        made.append(
            RowPlot(
                family.title,
                Scale(Text("", ""), percent=family.percent),
                rows,
                tuple(series),
                family.reference,
                Text("wanted", "цель") if family.reference is not None else None,
            )
        )
    shares = [one for one in found.numbers if one.share is not None]
    if found.better and len(shares) > 1:
        rows = tuple(PlotRow(Text(one.path, one.path), (one.share,)) for one in shares)
        title = Text("What is lost if one number goes back", "Что теряется, если вернуть одно число")
        made.append(RowPlot(title, Scale(Text("of the gain", "от выигрыша"), percent=True), rows, bars=True))
    if len(found.so_far) > 2 and found.goals[0].best is not None:
        goal = found.goals[0]
        points = tuple(LinePoint(number, value, value, value) for number, value in enumerate(found.so_far))
        made.append(
            LinePlot(
                Text("The best so far, as the search saw it", "Лучшее на тот момент, по мнению поиска"),
                Scale(Text("settings tried", "испытано настроек")),
                Scale(goal.unit, percent=goal.percent),
                (Curve(goal.text, points),),
                reference=goal.best.value if goal.best is not None else None,
                reference_label=Text("what fresh games say", "что говорят новые партии"),
                height=220,
            )
        )
    return made


# As a whole


def _players(found: TuningReport) -> str:
    return ", ".join(map(str, found.players))


def print_tuning(console: Console, found: TuningReport, lang: Lang) -> None:
    """Prints the result."""
    head = [
        found.run.title.of(lang),
        *([f"{Text('among', 'среди').of(lang)} {among_names(found.whom, lang)}"] if found.whom else []),
        counted(found.games, _GAMES, lang),
        f"{Text('seed', 'сид').of(lang)}{SPACE}{found.run.seed}",
        duration(found.elapsed_s, lang),
    ]
    print_title(console, head)
    if warned := unused_answers(found, lang):
        print_words(console, warned, "bold yellow")
    for line in verdict(found, lang):
        print_words(console, line)
    print_words(console, effort(found, lang), "dim")
    print_tables(console, tuned_tables(found), lang, method=METHOD)
    if found.compare:
        message = Text("Every other figure, with this change: ", "Все прочие показатели с этим изменением: ").of(lang)
        console.print(RichText(message + found.compare), soft_wrap=True)


def tuning_page(found: TuningReport, lang: Lang) -> str:
    """Returns the tuning as a self-contained page."""
    facts = (
        (Text("Games", "Партий"), decimal(found.games, 0, lang)),
        (Text("Players", "Игроков"), _players(found)),
        (Text("Among", "Среди"), among_names(found.whom, lang))
        if found.whom
        else (Text("Agents", "Агенты"), ", ".join(found.agents)),
        (Text("Seed", "Сид"), str(found.run.seed)),
        (Text("Time", "Время"), duration(found.elapsed_s, lang)),
    )
    sentences = verdict(found, lang)
    fine = found.front or (found.better and not missed_goals(found, lang) and not found.at_bound)
    first = f"<p><b>{escape(sentences[0])}</b></p>" if fine else warning(sentences[0])
    rest = "".join(f"<p>{escape(line)}</p>" for line in (*sentences[1:], effort(found, lang)))
    free = "".join(f"<li>{escape(one)}</li>" for one in found.free)
    title = Text("What could change", "Что можно было менять").of(lang)
    parts = [
        fact_list(facts, lang),
        warning(warned) if (warned := unused_answers(found, lang)) else "",
        f"<section>{first}{rest}</section>",
        *(plot_section(plot, lang, f"plot-{number}") for number, plot in enumerate(plots(found), 1)),
        *(section(table, lang) for table in tuned_tables(found)),
        f"<section><h2>{escape(title)}</h2><ul>{free}</ul></section>",
        command_part(found.command, lang),
    ]
    return page_of(found.run, parts, lang, kicker=Text("Playmill tuning", "Настройка в Playmill"), method=METHOD)
