"""Columns and tables that reports of most games have: who wins by seat and by agent, endings, length of a game."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from playmill.report.model.columns import Column, figure_cell, table_of
from playmill.report.model.histogram import saved_estimate
from playmill.report.model.tables import IN_TURN, Cell, RunInfo, Table
from playmill.texts import Text

AGENT, SEAT, ENDING = Text("Agent", "Агент"), Text("Seat", "Место"), Text("Ending", "Конец партии")
WIN_RATE = Column(Text("Win rate", "Доля побед"), "win_rate", percent=True)
WINS = Column(Text("Wins", "Побед"), "wins")
GAMES = Column(Text("Games", "Партий"), "games")
#: Of a record that is itself the share of games.
SHARE = Column(Text("Share of games", "Доля партий"), percent=True)

#: What a line of a chart at an equal part of all wins is called.
FAIR_SHARE = Text("a fair share", "равная доля")
FAIR = Text("fair", "поровну")
WITHOUT_DRAWS = Text("equal, if no draws:", "поровну без ничьих:")

TURNS, ROUNDS = Text("Turns", "Ходов"), Text("Rounds", "Раундов")

_WHO_WINS = Text("Who wins", "Кто побеждает")
_PER_SEAT = Column(Text("Per seat", "На одно место"), "win_rate", percent=True)
_SEATS = Column(Text("Seats", "Мест"), "seats")
_IN_ALL = Column(Text("In all", "Всего"), "in_all", percent=True)
_IN_ALL_NOTE = Text(
    "In all: games won by any seat of the agent. Per seat: that divided by the number of its seats.",
    "Всего: партии, выигранные любым местом агента. На одно место: то же, делённое на число его мест.",
)


def seat_name(number: int) -> Text:
    """Returns what a seat is called; the first is 1."""
    return Text(f"Seat {number}", f"Место {number}")


def fair_share(run: RunInfo, label: Text = FAIR_SHARE) -> tuple[float, Text] | None:
    """Returns an equal part of all wins, as a `reference` for `table_of`; None in a game for one."""
    return (1 / run.players, label) if run.players > 1 else None


def seats_table(
    seats: Sequence[Mapping[str, Any]],
    run: RunInfo,
    *more: Column,
    others: Iterable[tuple[Any, ...]] = (),
    note: Text | None = None,
    key: str = "seats",
    title: Text = _WHO_WINS,
    fair: Text = FAIR_SHARE,
) -> Table:
    """Makes the table of who wins by seat, of a record with `win_rate` for each; `others` are rows below the seats."""
    agents = zip(run.seat_agents, seats, strict=True)
    rows = [(seat_name(number), agent or IN_TURN, found) for number, (agent, found) in enumerate(agents, 1)]
    return table_of(
        key,
        title,
        (SEAT, AGENT, WIN_RATE, *more),
        (*rows, *others),
        note=note,
        by_seat=run,
        drawn=True,
        reference=fair_share(run, fair),
    )


def agents_table(
    agents: Mapping[str, Mapping[str, Any]],
    run: RunInfo,
    *more: Column,
    note: Text | None = None,
    fair: Text = FAIR_SHARE,
) -> Table:
    """Makes the table of how often each agent wins, of a record with `win_rate`, per seat, for each.

    If an agent has several seats, it also tells how many, and how often any of them wins: `in_all` of the record, or
    what follows from the rate per seat.
    """
    columns: tuple[Text | Column, ...] = (AGENT, WIN_RATE, *more)
    rows = agents.items()
    if len(run.agent_names) < run.players:
        columns = (AGENT, _PER_SEAT, *more, _SEATS, _IN_ALL)
        rows = {name: _with_seats(found, run.agents.count(name)) for name, found in rows}.items()
        note = Text.join([_IN_ALL_NOTE, note], " ") if note else _IN_ALL_NOTE
    title = Text("How often each agent wins", "Как часто побеждает каждый агент")
    return table_of("agents", title, columns, rows, note=note, drawn=True, reference=fair_share(run, fair))


def _with_seats(found: Mapping[str, Any], seats: int) -> dict[str, Any]:
    in_all = found["in_all"] if "in_all" in found else saved_estimate(found["win_rate"]).times(seats)
    return {**found, "seats": seats, "in_all": in_all}


def endings_table(
    endings: Iterable[tuple[Text, Mapping[str, Any]]], *, note: Text | None = None, drawn: bool = False
) -> Table:
    """Makes the table of how games ended, of a share of games with `games`, how many, for each ending."""
    title = Text("How games ended", "Чем заканчивались партии")
    return table_of("ends", title, (ENDING, SHARE, GAMES), endings, note=note, drawn=drawn)


def length_table(
    length: Mapping[str, Any],
    unit: Text,
    *more: tuple[Text, Cell],
    decisions: Mapping[str, Any] | None = None,
    note: Text,
    game: str = "game",
) -> Table:
    """Makes the table of the length of a game, of a saved histogram in units such as `TURNS`.

    `more` are rows of the game's own, `decisions` the saved decisions per game. The note also says what a decision is.
    `game` is what English calls a game here.
    """
    least, most = Text(f"shortest {game}", "самая короткая партия"), Text(f"longest {game}", "самая длинная партия")
    rows = [*spread_rows(length, unit, least, most), *more]
    if decisions is not None:
        rows.append((Text(f"Decisions: mean per {game}", "Решений: в среднем за партию"), saved_estimate(decisions)))
    note = Text("{}; a choice of one option is no decision.", "{}; выбор из одного варианта — не решение.").format(note)
    return measures_table("length", Text(f"Length of a {game}", "Длина партии"), rows, note=note)


def measures_table(key: str, title: Text, rows: Iterable[tuple[Text, Cell]], *, note: Text | None = None) -> Table:
    """Makes a table of two columns: what is measured, and its value."""
    return Table(key, title, (Text("Measure", "Показатель"), Text("Value", "Значение")), tuple(rows), note=note)


def spread_rows(found: Mapping[str, Any], what: Text, least: Text, most: Text) -> list[tuple[Text, Cell]]:
    """Makes the rows that tell how a number is spread over the games, of what a saved histogram has."""
    named = {
        "": Text("mean", "в среднем"),
        "std": Text("standard deviation", "стандартное отклонение"),
        "median": Text("median", "медиана"),
        "p10": Text("10th percentile", "10-й процентиль"),
        "p90": Text("90th percentile", "90-й процентиль"),
        "min": least,
        "max": most,
    }
    kept = {key: name for key, name in named.items() if not key or key in found}
    return [(Text.join([what, name], ": "), figure_cell(found, key)) for key, name in kept.items()]
