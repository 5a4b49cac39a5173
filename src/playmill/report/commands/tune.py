"""Report of `tune`: the winner, what fresh games say of it, and how much each changed number matters."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from html import escape
from typing import Any

from rich.console import Console
from rich.text import Text as RichText

from playmill.report.html.page import command_part, fact_list, page_of, plot_section, section, warning
from playmill.report.model.among import Among, among_names
from playmill.report.model.tables import Cell, Estimate, RunInfo, Table
from playmill.report.number_format import counted, decimal, duration, estimate_digits, estimate_parts, percentage
from playmill.report.plots import Curve, LinePlot, LinePoint, Plot, PlotRow, RowPlot, Scale
from playmill.report.terminal.report_printer import print_tables, print_title, setting_text
from playmill.report.terminal.row_layout import SPACE, print_words
from playmill.texts import LANGUAGES, Lang, Text

RULES, BEST, SMALLEST = Text("rules", "правила"), Text("best", "лучшее"), Text("smallest", "наименьшее")
_SEARCH = Text("search said", "поиск обещал")
_FRESH = Text("fresh games", "новые партии")
_PLAIN = Text("the rules as they are", "правила как есть")
#: In place of the rules where numbers of agents alone are free.
_NOW = Text("now", "сейчас")
_GAMES = Text("game|games", "партия|партии|партий")
_SETTINGS = Text("setting|settings", "настройка|настройки|настроек")
METHOD = Text(
    "All settings of a stage play the same deals; intervals (95 %) are over deals. Gaps are told without the noise,"
    " which alone would make some. The race and the figures that are told are played on luck of their own: the best of"
    " a search is also the luckiest, so what the search said of it is too good.",
    "На каждом этапе все настройки играют одни и те же раздачи; интервалы (95 %) — по раздачам. Разрывы даны за вычетом"
    " шума, который и сам их создаёт. Гонка и итоговые показатели сыграны на своей удаче: лучшее в поиске — ещё и самое"
    " везучее, поэтому обещания поиска завышены.",
)


@dataclass(frozen=True)
class GoalAmong:
    """One goal among some of those it was tuned for, under the rules, the best and the smallest change."""

    who: Among
    #: Whether a gap is told, which should be 0, and not the figure itself.
    gap: bool
    rules: Estimate
    best: Estimate | None = None
    smallest: Estimate | None = None
    reached: bool | None = None


@dataclass(frozen=True)
class ShownGoal:
    """One goal: its value under the rules, the best and the smallest change; `search` is of the best."""

    text: Text
    #: What is told: a gap that should be 0, or the figure itself.
    unit: Text
    percent: bool
    rules: Estimate
    best: Estimate | None = None
    smallest: Estimate | None = None
    search: Estimate | None = None
    #: Whether fresh games allow that it is reached, by the best or, if nothing is better, by the rules.
    reached: bool | None = None
    #: The same among each of those it was tuned for, if there are several.
    among: tuple[GoalAmong, ...] = ()


@dataclass(frozen=True)
class Family:
    """Figures that a goal is about, each under the rules, the best and the smallest change."""

    title: Text
    percent: bool
    reference: float | None
    rows: tuple[tuple[Text, tuple[Estimate | None, ...]], ...]


@dataclass(frozen=True)
class ChangedNumber:
    """A number: its values, and the share of the gain lost if it alone goes back to the rules."""

    path: str
    rules: Any
    best: Any
    smallest: Any
    share: Estimate | None


@dataclass(frozen=True)
class RacerRow:
    """A setting in the race, or of a front: its goals on fresh games, and what the search said of it."""

    setting: Mapping[str, Any]
    search: tuple[Estimate | None, ...]
    fresh: tuple[Estimate, ...]
    deals: int
    out: bool


@dataclass(frozen=True)
class TuningReport:
    """A tuning, ready to be shown."""

    run: RunInfo
    players: tuple[int, ...]
    agents: tuple[str, ...]
    free: tuple[str, ...]
    goals: tuple[ShownGoal, ...]
    families: tuple[Family, ...]
    numbers: tuple[ChangedNumber, ...]
    ran: tuple[RacerRow, ...]
    #: For each trial in its order: what it lost or gained against the rules, and whether it was cut short.
    trials: tuple[tuple[float, bool], ...]
    #: What the search saw of the best so far after each trial, if there is one goal.
    so_far: tuple[float, ...]
    better: bool
    front: bool
    refused: int
    complaint: Text | None
    whole: bool
    nearly: float
    #: Whether fresh games show that the smallest change loses no more than that; None if there is no smaller one.
    nearly_shown: bool | None
    games: int
    deals: int
    elapsed_s: float
    #: Answers of agents that could not be used.
    unused: int
    command: str
    compare: str
    #: Changed numbers that are at an end of their range.
    at_bound: Mapping[str, Any] = field(default_factory=dict)
    #: Whether nothing of the rules was free, but numbers of agents.
    of_agents: bool = False
    #: Those among whom one setting is to do, if there are several.
    whom: tuple[Among, ...] = ()


# In words


def _start(found: TuningReport, rules: Text, agents: Text) -> Text:
    """Returns how a sentence calls what the search began with: the rules, or agents as they are."""
    return agents if found.of_agents else rules


def changes_text(setting: Mapping[str, Any], lang: Lang) -> str:
    """Returns a setting in words."""
    return ", ".join(f"{path} = {setting_text(value)}" for path, value in setting.items()) or _PLAIN.of(lang)


def _both(setting: Mapping[str, Any], plain: Text) -> Text:
    return Text(*(changes_text(setting, lang) for lang in LANGUAGES)) if setting else plain


def _value_text(value: Estimate, *, percent: bool) -> Text:
    digits = estimate_digits(value, percent=percent)
    return Text(*(" ".join(estimate_parts(value, digits, percent=percent, lang=lang)) for lang in LANGUAGES))


def verdict(found: TuningReport, lang: Lang) -> list[str]:
    """Returns the result in a few sentences."""
    if found.front:
        return [_front_text(found, lang)]
    if not found.better:
        return [_missed(found, lang) + _nothing(found, lang)]
    best = {one.path: one.best for one in found.numbers}
    than = _start(found, Text("Better than the rules", "Лучше правил"), Text("Better than now", "Лучше, чем сейчас"))
    first = Text(f"{than.en}: {changes_text(best, lang)}.", f"{than.ru}: {changes_text(best, lang)}.")
    lines = [Text(*(f"{_missed(found, lang)}{first.of(lang)}{_bounds(found, lang)}",) * 2)]
    for goal in found.goals:
        if goal.best is not None:
            before, after = (_value_text(one, percent=goal.percent).of(lang) for one in (goal.rules, goal.best))
            message = Text("", "")
            if goal.search is not None:
                searched = _value_text(goal.search, percent=goal.percent)
                message = Text(f" (the search said {searched.en})", f" (поиск обещал {searched.ru})")
            lines.append(
                Text(
                    f"{goal.text.en}: the {goal.unit.en} was {before}, it is {after} on fresh games{message.en}.",
                    f"{goal.text.ru}: {goal.unit.ru} — было {before}, на новых партиях стало {after}{message.ru}.",
                )
            )
    return [text.of(lang) for text in lines] + [_smallest_text(found, lang)]


def _missed(found: TuningReport, lang: Lang) -> str:
    """Returns the goals that are not reached; empty if all are."""
    goals = "; ".join(_missed_text(goal, lang) for goal in found.goals if goal.reached is False)
    return Text(f"Not reached: {goals}. ", f"Не достигнуто: {goals}. ").of(lang) if goals else ""


def _missed_text(goal: ShownGoal, lang: Lang) -> str:
    """Returns a goal that is not reached, and among whom, if that is not among all."""
    missing = [one.who for one in goal.among if one.reached is False]
    if not missing or len(missing) == len(goal.among):
        return goal.text.of(lang)
    return f"{goal.text.of(lang)} ({Text('among', 'среди').of(lang)} {among_names(missing, lang)})"


def _bounds(found: TuningReport, lang: Lang) -> str:
    """Returns the numbers at the bound of their range; empty if there are none."""
    if not found.at_bound:
        return ""
    message = changes_text(found.at_bound, lang)
    return Text(f" At the bound of its range: {message}.", f" На границе своего диапазона: {message}.").of(lang)


def _smallest_text(found: TuningReport, lang: Lang) -> str:
    kept = {one.path: one.smallest for one in found.numbers if one.smallest != one.rules}
    share = percentage(found.nearly, 0, lang)
    if len(found.numbers) == 1 and found.nearly_shown is None:
        return Text(
            "It is one number, and less of it is not as good.", "Это одно число, и меньшего сдвига не хватит."
        ).of(lang)
    if found.nearly_shown is None:
        return Text(
            f"No smaller change surely keeps all but {share} of the gain.",
            f"Меньшего изменения, которое наверняка теряет не больше {share} выигрыша, не нашлось.",
        ).of(lang)
    changes = changes_text(kept, lang)
    if found.nearly_shown:
        return Text(
            f"The smallest change that is nearly as good: {changes}. It loses less than {share} of the gain.",
            f"Наименьшее изменение, которое почти не хуже: {changes}. Теряется меньше {share} выигрыша.",
        ).of(lang)
    return Text(
        f"The smallest change that seems nearly as good: {changes}; fresh games do not quite show that it loses less"
        f" than {share} of the gain.",
        f"Наименьшее изменение, которое, похоже, почти не хуже: {changes}; но новые партии не вполне подтверждают, что"
        f" теряется меньше {share} выигрыша.",
    ).of(lang)


def _nothing(found: TuningReport, lang: Lang) -> str:
    tried = counted(len(found.trials) - 1, _SETTINGS, lang)
    more = Text("", "")
    if len(found.trials) == 1 and found.complaint is not None:
        more = Text(
            f" The config allowed none of those proposed: {found.complaint.en}.",
            f" Ни одна из предложенных не допускается: {found.complaint.ru}.",
        )
    than = _start(found, Text("the rules", "правил"), Text("now", "нынешнего"))
    return Text(
        f"Nothing better than {than.en} was found among {tried}, as far as fresh games tell.{more.en}",
        f"Ничего лучше {than.ru} не нашлось: перебрано {tried}; так говорят новые партии.{more.ru}",
    ).of(lang)


def _front_text(found: TuningReport, lang: Lang) -> str:
    kept = [one for one in found.ran if not one.out]
    return Text(
        f"{len(kept)} settings of which none is better than another in every goal; the table has them by the first.",
        f"Настроек, из которых ни одна не лучше другой по всем целям сразу: {len(kept)}; в таблице — по первой цели.",
    ).of(lang)


def effort(found: TuningReport, lang: Lang) -> str:
    """Returns what was tried, in one sentence."""
    cut = sum(hopeless for _, hopeless in found.trials)
    start = _start(found, Text("the rules", "правил"), Text("that of now", "нынешней"))
    message = Text(
        f"{len(found.trials) - 1} settings were tried beside {start.en}, {cut} of them cut short as hopeless",
        f"Кроме {start.ru} испытано настроек: {len(found.trials) - 1}, из них безнадёжных, снятых досрочно: {cut}",
    ).of(lang)
    if found.refused:
        message += Text(
            f"; {found.refused} were left out, since the config does not allow them",
            f"; пропущено недопустимых: {found.refused}",
        ).of(lang)
    if found.whole:
        message += Text("; these are all there are", "; других нет").of(lang)
    return f"{message}."


def _unused(found: TuningReport, lang: Lang) -> str:
    """Returns warnings about unusable answers; empty if there were none."""
    if not found.unused:
        return ""
    return Text(
        f"{decimal(found.unused, 0, 'en')} answers of agents could not be used, and a legal action was taken instead.",
        f"Ответов агентов, которые нельзя было использовать: {decimal(found.unused, 0, 'ru')}; вместо них сделан"
        " допустимый ход.",
    ).of(lang)


# As tables and plots


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
    rows: list[tuple[Cell, ...]] = [(_start(found, RULES, _NOW), *(goal.rules for goal in found.goals))]
    if found.better:
        rows.append((BEST, *(goal.best for goal in found.goals)))
        rows.append(
            (Text("what the search said of it", "что о нём обещал поиск"), *(goal.search for goal in found.goals))
        )
    if found.better and found.nearly_shown is not None:
        rows.append((SMALLEST, *(goal.smallest for goal in found.goals)))
    note = Text(
        f"Fresh games: {decimal(2 * found.deals, 0, 'en')} deals that chose nothing.",
        f"Новые партии: {decimal(2 * found.deals, 0, 'ru')} раздач, по которым ничего не выбирали.",
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
    columns = [Text("Number", "Число"), _start(found, RULES, _NOW), BEST, *([SMALLEST] if few else []), _LOST]
    rows: list[tuple[Cell, ...]] = []
    for one in found.numbers:
        values = [one.rules, one.best, *([one.smallest] if few else [])]
        rows.append((one.path, *map(_value, values), one.share))
    note = Text(
        "What is lost of the gain if this number alone goes back to the rules; measured on luck of its own. Numbers"
        " work together, so the shares need not add up to 100 %.",
        "Какая часть выигрыша теряется, если вернуть к правилам только это число; измерено на своей удаче. Числа"
        " действуют вместе, поэтому сумма не обязана быть 100 %.",
    )
    return Table(
        "numbers", Text("Which number matters how much", "Какое число насколько важно"), tuple(columns), tuple(rows),
        note=_start(found, note, _NUMBERS_NOTE_AGENTS), percent_columns=frozenset({len(columns) - 1}),
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
        _start(found, RULES, _NOW),
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
    plain = _start(found, _PLAIN, _NOW)
    for ran in found.ran:
        fate = (_DOMINATED if found.front else _OUT) if ran.out else (_ON if found.front else _IN)
        cells: list[Cell] = [*ran.fresh, *(ran.search if one else ())]
        rows.append((_both(ran.setting, plain), fate, *cells, ran.deals))
    title, note = (_FRONT, None) if found.front else (_RACE, _start(found, _RACE_NOTE, _RACE_NOTE_AGENTS))
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
    if warned := _unused(found, lang):
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
    fine = found.front or (found.better and not _missed(found, lang) and not found.at_bound)
    first = f"<p><b>{escape(sentences[0])}</b></p>" if fine else warning(sentences[0])
    rest = "".join(f"<p>{escape(line)}</p>" for line in (*sentences[1:], effort(found, lang)))
    free = "".join(f"<li>{escape(one)}</li>" for one in found.free)
    title = Text("What could change", "Что можно было менять").of(lang)
    parts = [
        fact_list(facts, lang),
        warning(warned) if (warned := _unused(found, lang)) else "",
        f"<section>{first}{rest}</section>",
        *(plot_section(plot, lang, f"plot-{number}") for number, plot in enumerate(plots(found), 1)),
        *(section(table, lang) for table in tuned_tables(found)),
        f"<section><h2>{escape(title)}</h2><ul>{free}</ul></section>",
        command_part(found.command, lang),
    ]
    return page_of(found.run, parts, lang, kicker=Text("Playmill tuning", "Настройка в Playmill"), method=METHOD)
