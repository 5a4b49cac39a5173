"""Report of a tournament or contest, in the terminal and as a page: the ladder, who beats whom, and every pairing."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from rich.console import Console

from playmill.report.commands.ladder import Ladder, Meeting, PairingSummary
from playmill.report.html.page import command_part, fact_list, page_of, plot_section, section, warning
from playmill.report.model.tables import Cell, Chart, Estimate, Table
from playmill.report.number_format import counted, decimal, duration, percentage
from playmill.report.plots import HeatMap, Scale
from playmill.report.terminal.report_printer import print_tables, print_title
from playmill.report.terminal.row_layout import SPACE, print_words
from playmill.texts import LANGUAGES, Lang, Text

#: Up to this many entrants the terminal has the whole matrix, and every two who met.
_FEW = 10
#: Circles that are told, and names of each group that is not settled; of more only the number.
_CIRCLES, _NAMED = 6, 30
#: The page has a map of who takes how much from whom up to this many entrants.
_MAPPED = 100

_GAMES = Text("game|games", "партия|партии|партий")
_ENTRANTS = Text("entrant|entrants", "участник|участника|участников")
_METHOD = Text(
    "Ratings: Plackett–Luce fitted to all games at once (of two players Bradley–Terry), 95 % intervals by a bootstrap"
    " over deals, each played from every seat. 1500 is the average here; 400 points are odds of ten to one.",
    "Рейтинги: модель Плакетта — Люса по всем партиям сразу (для двоих — Брэдли — Терри), интервалы 95 % — бутстреп по"
    " раздачам, каждая сыграна со всех мест. 1500 — среднее этого соревнования; 400 очков — шансы десять к одному.",
)


# In words


def verdict(found: Ladder, lang: Lang) -> list[str]:
    """Returns the result in a few sentences."""
    lines = [_top(found)]
    groups = found.groups()
    if unsettled := [names for names in groups if not found.are_equal(names)]:
        en, ru = Text.join(map(_some, unsettled), "; ")
        lines.append(Text(f"Not settled, who is the better one among: {en}.", f"Не ясно, кто сильнее среди: {ru}."))
    if equal := [names for names in groups if found.are_equal(names)]:
        en, ru = Text.join(map(_some, equal), "; ")
        lines.append(Text(f"Equal, as nearly as was asked: {en}.", f"Равны с заданной точностью: {ru}."))
    if found.rungs and not groups:
        lines.append(Text("Every place is settled.", "Все места определены."))
    if found.circles:
        shown = "; ".join(" > ".join([*circle, circle[0]]) for circle in found.circles[:_CIRCLES])
        more = len(found.circles) - _CIRCLES
        lines.append(
            Text(
                f"No ladder tells all: in a circle each beats the next: {shown}"
                f"{f' and {more} more' if more > 0 else ''}.",
                f"Лестница говорит не всё: по кругу каждый обыгрывает следующего: {shown}"
                f"{f' и ещё {more}' if more > 0 else ''}.",
            )
        )
    return [text.of(lang) for text in (*lines, *found.notes) if text.en]


def unused(found: Ladder, lang: Lang) -> list[str]:
    """Returns warnings about unusable answers."""
    bad = ", ".join(f"{rung.name} {decimal(rung.unused, 0, lang)}" for rung in found.rungs if rung.unused)
    if not bad:
        return []
    message = Text(
        f"Answers that could not be used, and were replaced by a random choice: {bad}.",
        f"Ответы, которые нельзя было использовать и которые заменены случайным выбором: {bad}.",
    )
    return [message.of(lang)]


def _top(found: Ladder) -> Text:
    if not found.rungs:
        return Text("Nobody is on the ladder.", "На лестнице никого нет.")
    first = found.rungs[0]
    if first.last == 1:
        return Text(f"{first.name} is the strongest.", f"Сильнейший — {first.name}.")
    return Text("", "")


def _some(names: Sequence[str]) -> Text:
    """Returns names in a row, the first ones of many."""
    shown, more = ", ".join(names[:_NAMED]), len(names) - _NAMED
    return Text(f"{shown} and {more} more", f"{shown} и ещё {more}") if more > 0 else Text(shown, shown)


def ladder_tables(found: Ladder, *, every: bool) -> list[Table]:
    """Returns the ladder, the matrix, and the meetings: `every` pair, or the neighbours only if many."""
    tables = [_ladder(found)]
    if found.unrated:
        tables.append(_unrated(found))
    few = len(found.rungs) <= _FEW
    if not every and 2 < len(found.rungs) <= _FEW:
        tables.append(_matrix(found))
    if found.meetings:
        tables.append(_meetings(found, neighbours=not every and not few))
    return tables


def _ladder(found: Ladder) -> Table:
    rows: list[tuple[Cell, ...]] = []
    for rung in found.rungs:
        place = str(rung.first) if rung.first == rung.last else f"{rung.first}–{rung.last}"
        rows.append((place, rung.name, rung.rating, rung.points, rung.games))
    notes = [_PLACES_LOOKED if found.looked else _PLACES]
    if apart := [rung.name for rung in found.rungs if rung.apart]:
        who = ", ".join(apart)
        notes.append(
            Text(
                f"How far these lie from the rest no game tells, since one side won everything: {who}.",
                f"Насколько далеко от остальных отстоят {who}, партии не говорят: одна сторона выиграла всё.",
            )
        )
    return Table(
        "ladder",
        Text("The ladder", "Лестница"),
        (
            Text("place", "место"),
            Text("entrant", "участник"),
            Text("rating", "рейтинг"),
            Text("points taken", "доля очков"),
            Text("games", "партий"),
        ),
        tuple(rows),
        note=Text.join(notes, " "),
        chart=Chart(1, 2, percent=False, reference=1500, reference_label=Text("average", "среднее"), from_zero=False),
        percent_columns=frozenset({3}),
    )


_PLACES = Text(
    "Two places with a dash between them: not settled which. Corrected for looking at every two (Holm): of all that is"
    " called settled, anything at all is wrong in at most 5 % of contests.",
    "Два места через тире: не ясно, какое. С поправкой на то, что сравнивались все пары (Холм): хоть одно из названных"
    " определёнными мест неверно не чаще чем в 5 % соревнований.",
)
_PLACES_LOOKED = Text(
    "Two places with a dash between them: not settled which, or equals. Neighbours are settled by the games they played"
    " against each other; that holds although it was looked at all the time: anything at all is wrong in at most 5 % of"
    " contests. Intervals hold at such a stop, too.",
    "Два места через тире: не ясно, какое, или равные. Соседей различают партии между ними; это верно, хотя смотрели"
    " всё время: хоть что-то неверно не чаще чем в 5 % соревнований. Интервалы тоже верны при такой остановке.",
)


def _unrated(found: Ladder) -> Table:
    return Table(
        "unrated",
        Text("Not on the ladder", "Не на лестнице"),
        (Text("entrant", "участник"), Text("why", "почему")),
        tuple((one.name, one.why) for one in found.unrated),
        note=Text(
            "Games against them count for nobody.",
            "Партии с ними никому не засчитаны.",
        ),
    )


def _shares(found: Ladder) -> dict[tuple[str, str], tuple[Estimate, int | None]]:
    """Returns what each takes from each, from both sides."""
    known: dict[tuple[str, str], tuple[Estimate, int | None]] = {}
    for met in found.meetings:
        share, sign = met.share, met.verdict
        known[met.one, met.other] = share, sign
        turned = Estimate(1 - share.value, 1 - share.high, 1 - share.low, share.n, share.most)
        known[met.other, met.one] = turned, None if sign is None else -sign
    return known


def _matrix(found: Ladder) -> Table:
    known = _shares(found)
    names = [rung.name for rung in found.rungs]
    rows: list[tuple[Cell, ...]] = []
    for name in names:
        cells: list[Cell] = []
        for other in names:
            share, sign = known.get((name, other), (None, None))
            if share is None or not share.n:
                cells.append("· " if name == other else "— ")
            else:
                mark = {1: "▲", -1: "▼"}.get(sign or 0, " ")
                cells.append(Text(*(f"{percentage(share.value, 0, lang)}{mark}" for lang in LANGUAGES)))
        rows.append((name, *cells))
    return Table(
        "matrix",
        Text("Points of the row against the column", "Очки строки против столбца"),
        (Text("entrant", "участник"), *(Text(name, name) for name in names)),
        tuple(rows),
        note=Text("▲ surely beats, ▼ is surely beaten.", "▲ — наверняка обыгрывает, ▼ — наверняка проигрывает."),
        number_columns=frozenset(range(1, len(names) + 1)),
    )


def _meetings(found: Ladder, *, neighbours: bool) -> Table:
    place = {rung.name: number for number, rung in enumerate(found.rungs)}
    shown = []
    for met in found.meetings:
        if met.one not in place or met.other not in place:
            continue
        turned = met
        if place[met.one] > place[met.other]:
            share = Estimate(1 - met.share.value, 1 - met.share.high, 1 - met.share.low, met.share.n, met.share.most)
            sign = None if met.verdict is None else -met.verdict
            turned = Meeting(met.other, met.one, share, met.losses, met.draws, met.wins, sign)
        if not neighbours or place[turned.other] == place[turned.one] + 1:
            shown.append(turned)
    shown.sort(key=lambda met: (place[met.one], place[met.other]))
    rows = tuple(
        (f"{met.one} – {met.other}", met.share, _score(met), met.share.n, _VERDICTS[met.verdict]) for met in shown
    )
    title = Text("Neighbours on the ladder", "Соседи на лестнице") if neighbours else Text("Who met whom", "Кто с кем")
    return Table(
        "meetings",
        title,
        (
            Text("who – against whom", "кто – против кого"),
            Text("points taken", "доля очков"),
            Text("score", "счёт"),
            Text("deals", "раздач"),
            Text("sure?", "точно?"),
        ),
        rows,
        note=None
        if found.size <= 2
        else Text(
            "Of two at one table: who finishes before the other. Games in which both only lost to somebody else say"
            " nothing of them.",
            "О двоих за одним столом: кто финиширует раньше. Партии, где оба проиграли третьему, о них не говорят.",
        ),
        chart=Chart(0, 1, reference=0.5, reference_label=Text("equal", "поровну")),
        percent_columns=frozenset({1}),
    )


def _score(met: Meeting) -> str:
    """Returns games won, drawn and lost; without draws, won and lost."""
    numbers = (met.wins, met.draws, met.losses) if met.draws else (met.wins, met.losses)
    return ":".join(map(str, numbers))


_VERDICTS: dict[int | None, Text] = {
    1: Text("better", "сильнее"),
    -1: Text("worse", "слабее"),
    0: Text("equal", "равны"),
    None: Text("open", "неясно"),
}


def print_ladder(console: Console, found: Ladder, lang: Lang) -> None:
    """Prints the ladder."""
    run = found.run
    head = [
        run.title.of(lang),
        counted(len(found.rungs) + len(found.unrated), _ENTRANTS, lang),
        counted(run.games, _GAMES, lang),
        f"{Text('seed', 'сид').of(lang)}{SPACE}{_seed(run.seed, lang)}",
        duration(run.elapsed_s, lang),
    ]
    print_title(console, head)
    if len(found.settings) > 1:
        message = Text("Settings: ", "Настройки: ").of(lang) + "; ".join(found.settings)
        print_words(console, message, "dim")
    for line in unused(found, lang):
        print_words(console, line, "bold yellow")
    for line in verdict(found, lang):
        print_words(console, line)
    print_tables(console, ladder_tables(found, every=False), lang, method=_METHOD)


def _seed(seed: int | None, lang: Lang) -> str:
    """Returns the seed, if it is public."""
    return str(seed) if seed is not None else Text("a secret so far", "пока секрет").of(lang)


# As a page


def ladder_page(found: Ladder, lang: Lang) -> str:
    """Returns the ladder as a self-contained page."""
    facts = (
        (Text("Entrants", "Участников"), str(len(found.rungs) + len(found.unrated))),
        (Text("Games", "Партий"), decimal(found.run.games, 0, lang)),
        (Text("Players at a table", "Игроков за столом"), str(found.size)),
        *([(Text("Settings", "Настроек"), str(len(found.settings)))] if len(found.settings) > 1 else []),
        (Text("Seed", "Сид"), _seed(found.run.seed, lang)),
        (Text("Time", "Время"), duration(found.run.elapsed_s, lang)),
    )
    verdict_html = "".join(f"<p>{escape(line)}</p>" for line in verdict(found, lang))
    ladder, *rest = ladder_tables(found, every=True)
    parts = [
        fact_list(facts, lang),
        *([] if found.run.complete else [warning(_INCOMPLETE.of(lang))]),
        *map(warning, unused(found, lang)),
        f"<section>{verdict_html}</section>" if verdict_html else "",
        section(ladder, lang),
        *([plot_section(_heat(found), lang, "matrix", _HEAT_NOTE)] if 2 < len(found.rungs) <= _MAPPED else []),
        *(section(table, lang) for table in rest),
        *(section(table, lang) for table in found.more),
        _tables_part(found, lang),
        command_part(found.run.command, lang),
    ]
    return page_of(found.run, parts, lang, kicker=Text("Playmill tournament", "Турнир в Playmill"), method=_METHOD)


_INCOMPLETE = Text(
    "Not all of it was played; the same command goes on from here.",
    "Сыграно не всё; та же команда продолжит с этого места.",
)
_HEAT_NOTE = Text(
    "The share of points that the row takes from the column; who points at a cell sees the interval.",
    "Доля очков, которую строка берёт у столбца; если навести на клетку, виден интервал.",
)


def _heat(found: Ladder) -> HeatMap:
    known = _shares(found)
    names = [rung.name for rung in found.rungs]
    titles = tuple(Text(name, name) for name in names)
    cells = tuple(
        tuple(share if (share := known.get((name, other), (None, None))[0]) and share.n else None for other in names)
        for name in names
    )
    return HeatMap(
        Text("Who takes how much from whom", "Кто у кого сколько берёт"),
        Text("against", "против"),
        Text("entrant", "участник"),
        titles,
        titles,
        cells,
        Scale(Text("points", "очки"), percent=True),
        middle=0.5,
    )


def _tables_part(found: Ladder, lang: Lang) -> str:
    """Returns the section of every pairing: results, and how to see its games."""
    title = Text("Every table, and its games", "Каждый стол и его партии").of(lang)
    parts = "".join(_pairing_part(pairing, found, lang) for pairing in found.pairings)
    note = Text(
        "Any game is re-created on demand: playmill record writes it to a file, which playmill watch shows in the"
        " browser and playmill replay tells in words.",
        "Любая партия воссоздаётся по требованию: playmill record записывает её в файл, playmill watch показывает его в"
        " браузере, playmill replay пересказывает словами.",
    ).of(lang)
    return f'<section id="tables"><h2>{escape(title)}</h2><p class="note">{escape(note)}</p>{parts}</section>'


def _pairing_part(pairing: PairingSummary, found: Ladder, lang: Lang) -> str:
    shares = ", ".join(
        f"{name} {percentage(share.value, 1, lang)}" for name, share in zip(pairing.names, pairing.shares, strict=True)
    )
    setting = f" · {pairing.setting}" if len(found.settings) > 1 else ""
    deals = counted(pairing.deals, Text("deal|deals", "раздача|раздачи|раздач"), lang)
    unused = sum(pairing.unused.values())
    extra = Text(f" · {unused} answers not used", f" · негодных ответов: {unused}").of(lang) if unused else ""
    lines = [f"# {what.of(lang)}\n{command}" for what, command in pairing.replays]
    own = Text("the game's own report of this table", "отчёт самой игры об этом столе").of(lang)
    lines.append(f"# {own}\n{pairing.report}")
    return (
        f"<details><summary>{escape(shares)}{escape(setting)} · {escape(deals)}{escape(extra)}</summary>"
        f"<pre>{escape(chr(10).join(lines))}</pre></details>"
    )
