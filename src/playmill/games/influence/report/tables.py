"""The tables of a report on Influence, made from its figures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import ceil
from typing import Any

from playmill.author import Text
from playmill.author.report import (
    FEW,
    IN_TURN,
    QUANTILES,
    TOO_FEW,
    Cell,
    Chart,
    RunInfo,
    Table,
    quantile_estimate,
    saved_estimate,
    seat_note,
)
from playmill.games.influence.report.figures import CELLS_TITLE, INFLUENCE_TITLE

CLASS_TITLES = {
    "le_minus2": Text("weaker by 2 or more", "слабее на 2 и больше"),
    "minus1": Text("weaker by 1", "слабее на 1"),
    "zero": Text("equal", "равна"),
    "plus1": Text("stronger by 1", "сильнее на 1"),
    "ge_plus2": Text("stronger by 2 or more", "сильнее на 2 и больше"),
    "empty": Text("target is empty", "цель пуста"),
}

_SEAT = Text("Seat", "Место")
_AGENT = Text("Agent", "Агент")
_WIN_RATE = Text("Win rate", "Доля побед")
_WINS = Text("Wins", "Побед")
_GAMES = Text("Games", "Партий")
_FAIR = Text("fair:", "поровну:")
_WITHOUT_DRAWS = Text("equal, if no draws:", "поровну без ничьих:")


def sections(results: Mapping[str, Any], run: RunInfo) -> list[Table]:
    """The tables of a report, the most telling first, from results as they are saved."""
    return [
        *_winners(results, run),
        _ends(results),
        _length(results),
        _attacks(results),
        _first_blood(results, run),
        _over_time(results, run, "cells", CELLS_TITLE),
        _over_time(results, run, "influence", INFLUENCE_TITLE),
    ]


def _winners(results: Mapping[str, Any], run: RunInfo) -> list[Table]:
    """Who wins, by seat and by agent; by agent first, if no agent has a seat of its own."""
    seats, agents = _wins(results, run), [_agents(results, run)] if len(results["agents"]) > 1 else []
    return [seats, *agents] if run.rotations == 1 else [*agents, seats]


def _seat(number: int) -> Text:
    return Text(f"Seat {number}", f"Место {number}")


def _wins(results: Mapping[str, Any], run: RunInfo) -> Table:
    seats = results["wins_by_seat"]
    return Table(
        "wins",
        Text("Who wins", "Кто побеждает"),
        (_SEAT, _AGENT, _WIN_RATE, _WINS),
        tuple(
            (_seat(number), seat["agent"] or IN_TURN, saved_estimate(seat), seat["wins"])
            for number, seat in enumerate(seats, 1)
        ),
        note=seat_note(
            run,
            Text(
                "Seat 1 has the first turn of a round. A draw is nobody's win.",
                "Место 1 ходит в раунде первым. Ничья — ни для кого не победа.",
            ),
        ),
        chart=Chart(1, 2, reference=1 / len(seats), reference_label=_WITHOUT_DRAWS),
        percent_columns=frozenset({2}),
    )


def _agents(results: Mapping[str, Any], run: RunInfo) -> Table:
    shared = len(results["agents"]) < run.players
    columns: tuple[Text, ...] = (_AGENT, Text("Per seat", "На одно место") if shared else _WIN_RATE, _WINS)
    rows: list[tuple[Cell, ...]] = []
    for name, agent in results["agents"].items():
        win_rate = saved_estimate(agent["win_rate"])
        rows.append((name, win_rate, agent["wins"], *((agent["seats"],) if shared else ())))
    note = None
    if shared:
        columns += (Text("Seats", "Мест"),)
        note = Text(
            "Per seat: games won by any seat of the agent, divided by the number of its seats.",
            "На одно место: партии, выигранные любым местом агента, делённые на число его мест.",
        )
    return Table(
        "agents",
        Text("How often each agent wins", "Как часто побеждает каждый агент"),
        columns,
        tuple(rows),
        note=note,
        chart=Chart(0, 1, reference=1 / run.players, reference_label=_WITHOUT_DRAWS),
        percent_columns=frozenset({1}),
    )


def _ends(results: Mapping[str, Any]) -> Table:
    rows = (
        (Text("One player left", "Остался один игрок"), results["ended_by"]["elimination"]),
        (Text("Round limit, best result wins", "Предел раундов, победа по результату"), results["won_at_limit"]),
        (Text("Round limit, draw", "Предел раундов, ничья"), results["draws"]),
    )
    return Table(
        "ends",
        Text("How games end", "Чем заканчиваются партии"),
        (Text("Ending", "Конец партии"), Text("Share of games", "Доля партий"), _GAMES),
        tuple((title, saved_estimate(found), found["games"]) for title, found in rows),
        note=Text(
            "Result: influence at the start of the turn, added up over the last turns of a player. An equal best"
            " result is a draw.",
            "Результат: влияние на начало хода, сложенное за последние ходы игрока. Если лучший результат сразу у"
            " нескольких, это ничья.",
        ),
        percent_columns=frozenset({1}),
    )


def _length(results: Mapping[str, Any]) -> Table:
    rounds = results["rounds"]
    described = (
        ("std", Text("Rounds: standard deviation", "Раундов: стандартное отклонение")),
        ("median", Text("Rounds: median", "Раундов: медиана")),
        ("p10", Text("Rounds: 10th percentile", "Раундов: 10-й процентиль")),
        ("p90", Text("Rounds: 90th percentile", "Раундов: 90-й процентиль")),
        ("min", Text("Rounds: shortest game", "Раундов: самая короткая партия")),
        ("max", Text("Rounds: longest game", "Раундов: самая длинная партия")),
    )
    return Table(
        "length",
        Text("Length of a game", "Длина партии"),
        (Text("Measure", "Показатель"), Text("Value", "Значение")),
        (
            (
                Text("Rounds: mean", "Раундов: в среднем"),
                saved_estimate(rounds),
            ),
            *((title, quantile_estimate(rounds, key) if key in QUANTILES else rounds[key]) for key, title in described),
            (
                Text("Points left to auto: times per game", "Авторасстановка: в среднем раз за партию"),
                saved_estimate(results["autos"]),
            ),
            (
                Text("Decisions: mean per game", "Решений: в среднем за партию"),
                saved_estimate(results["decisions_per_game"]),
            ),
        ),
        note=Text(
            "All rounds begun count; a choice of one option is no decision.",
            "Считаются все начатые раунды; выбор из одного варианта — не решение.",
        ),
    )


def _attacks(results: Mapping[str, Any]) -> Table:
    return Table(
        "attacks",
        Text("Attacks: promised and won", "Атаки: обещано и вышло"),
        (
            Text("Attacking cell", "Атакующая клетка"),
            Text("Share won", "Доля удачных"),
            Text("Promised", "Обещано"),
            Text("Attacks", "Атак"),
        ),
        tuple(
            (CLASS_TITLES[name], saved_estimate(found["rate"]), found["promised"], found["made"])
            for name, found in results["attacks"].items()
        ),
        note=Text(
            "The attacking cell is compared with its target by influence. Promised: the chance by the rules; about one"
            " interval in twenty misses it by luck alone.",
            "Атакующая клетка сравнивается с целью по влиянию. Обещано: шанс по правилам; примерно один интервал из"
            " двадцати не накрывает его просто случайно.",
        ),
        chart=Chart(0, 1),
        percent_columns=frozenset({1, 2}),
    )


def _first_blood(results: Mapping[str, Any], run: RunInfo) -> Table:
    found = results["first_blood"]
    anyone = (Text("Any seat", "Любое место"), found, None)
    seats = [
        (_seat(number), seat, saved_estimate(whole))
        for number, (seat, whole) in enumerate(zip(found["by_seat"], results["wins_by_seat"], strict=True), 1)
    ]
    return Table(
        "first_blood",
        Text("First blood: does the first capture help?", "Первая кровь: помогает ли первый захват?"),
        (
            Text("Who was first", "Кто первый"),
            _WIN_RATE,
            _GAMES,
            Text("In all games", "Во всех партиях"),
        ),
        tuple(
            (title, saved_estimate(record["win_rate"]), record["games"], whole)
            for title, record, whole in (anyone, *seats)
        ),
        note=seat_note(
            run,
            Text(
                "Of the games in which this seat was the first to take a cell from another player, those it won. In all"
                " games: how often the seat wins anyway.",
                "Из партий, где это место первым отняло клетку у другого игрока, — доля выигранных им. Во всех партиях:"
                " как часто место побеждает вообще.",
            ),
        ),
        chart=Chart(0, 1, reference=found["fair"], reference_label=_FAIR),
        percent_columns=frozenset({1, 3}),
    )


def _margin(found: Sequence[Mapping[str, Any]]) -> Cell:
    """How far the widest of the intervals of some means goes: six of them have no room in a row.

    It is rounded up, so that no mean looks more certain than it is. What was the same in all of many games, as at the
    start, has no interval.
    """
    widest = [
        max(seat["high"] - seat["value"], seat["value"] - seat["low"]) for seat in found if seat["high"] is not None
    ]
    if len(widest) < len(found) and 0 < found[0]["n"] < FEW:
        return TOO_FEW
    return ceil(100 * max(widest)) / 100 if widest else None


def _over_time(results: Mapping[str, Any], run: RunInfo, what: str, title: Text) -> Table:
    """What each seat has as rounds begin, and in the end."""
    looks = [(look["round"], look) for look in results["over_time"] if look["games"]]
    rows: list[tuple[Cell, ...]] = []
    for name, look in (*looks, (Text("End", "Конец"), results["at_the_end"])):
        games, found = look["games"], look[what]
        rows.append((name, games, *(seat["value"] for seat in found), _margin(found)))
    return Table(
        f"{what}_over_time",
        title,
        (
            Text("Round", "Раунд"),
            _GAMES,
            *(Text(f"S{number}", f"М{number}") for number in range(1, len(results["wins_by_seat"]) + 1)),
            Text("Margin", "Погрешность"),
        ),
        tuple(rows),
        note=seat_note(
            run,
            Text(
                "S1, S2, ...: what each seat has on average as the round begins, in the games that came so far; an"
                " eliminated player has 0. Margin: the longest way from a mean of the row to an end of its 95 %"
                " interval; none where all games were alike.",
                "М1, М2, …: сколько в среднем у каждого места на начало раунда в партиях, которые до него дошли; у"
                " выбывшего игрока 0. Погрешность: самое большое в строке расстояние от среднего до конца его"
                " 95-процентного интервала; её нет, если все партии были одинаковы.",
            ),
        ),
    )
