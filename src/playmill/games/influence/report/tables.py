"""The tables of a report on Influence, made from its figures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import ceil
from typing import Any

from playmill.author import Text
from playmill.author.report import (
    FEW,
    TOO_FEW,
    Cell,
    Column,
    RunInfo,
    Table,
    common,
    saved_estimate,
    table_of,
)
from playmill.games.influence.report.figures import OVER_TIME

CLASS_TITLES = {
    "le_minus2": Text("weaker by 2 or more", "слабее на 2 и больше"),
    "minus1": Text("weaker by 1", "слабее на 1"),
    "zero": Text("equal", "равна"),
    "plus1": Text("stronger by 1", "сильнее на 1"),
    "ge_plus2": Text("stronger by 2 or more", "сильнее на 2 и больше"),
    "empty": Text("target is empty", "цель пуста"),
}


def sections(results: Mapping[str, Any], run: RunInfo) -> list[Table]:
    """The tables of a report, the most telling first, from results as they are saved."""
    return [
        *_winners(results, run),
        _ends(results),
        _length(results),
        _attacks(results),
        _first_blood(results, run),
        *(_over_time(results, run, what, title) for what, title in OVER_TIME.items()),
    ]


def _winners(results: Mapping[str, Any], run: RunInfo) -> list[Table]:
    """Who wins, by seat and by agent; by agent first, if no agent has a seat of its own."""
    seats, agents = _wins(results, run), []
    if len(results["agents"]) > 1:
        agents.append(common.agents_table(results["agents"], run, common.WINS, fair=common.WITHOUT_DRAWS))
    return [seats, *agents] if run.rotations == 1 else [*agents, seats]


def _wins(results: Mapping[str, Any], run: RunInfo) -> Table:
    return common.seats_table(
        [{"win_rate": seat, "wins": seat["wins"]} for seat in results["wins_by_seat"]],
        run,
        common.WINS,
        key="wins",
        note=Text(
            "Seat 1 has the first turn of a round. A draw is nobody's win.",
            "Место 1 ходит в раунде первым. Ничья — ни для кого не победа.",
        ),
        fair=common.WITHOUT_DRAWS,
    )


def _ends(results: Mapping[str, Any]) -> Table:
    return common.endings_table(
        (
            (Text("One player left", "Остался один игрок"), results["ended_by"]["elimination"]),
            (Text("Round limit, best result wins", "Предел раундов, победа по результату"), results["won_at_limit"]),
            (Text("Round limit, draw", "Предел раундов, ничья"), results["draws"]),
        ),
        note=Text(
            "Result: influence at the start of the turn, added up over the last turns of a player. An equal best"
            " result is a draw.",
            "Результат: влияние на начало хода, сложенное за последние ходы игрока. Если лучший результат сразу у"
            " нескольких, это ничья.",
        ),
    )


def _length(results: Mapping[str, Any]) -> Table:
    autos = Text("Points left to auto: times per game", "Авторасстановка: в среднем раз за партию")
    return common.length_table(
        results["rounds"],
        common.ROUNDS,
        (autos, saved_estimate(results["autos"])),
        decisions=results["decisions_per_game"],
        note=Text("All rounds begun count", "Считаются все начатые раунды"),
    )


def _attacks(results: Mapping[str, Any]) -> Table:
    return table_of(
        "attacks",
        Text("Attacks: promised and won", "Атаки: обещано и вышло"),
        (
            Text("Attacking cell", "Атакующая клетка"),
            Column(Text("Share won", "Доля удачных"), "rate", percent=True),
            Column(Text("Promised", "Обещано"), "promised", percent=True),
            Column(Text("Attacks", "Атак"), "made"),
        ),
        ((CLASS_TITLES[name], found) for name, found in results["attacks"].items()),
        note=Text(
            "The attacking cell is compared with its target by influence. Promised: the chance by the rules; about one"
            " interval in twenty misses it by luck alone.",
            "Атакующая клетка сравнивается с целью по влиянию. Обещано: шанс по правилам; примерно один интервал из"
            " двадцати не накрывает его просто случайно.",
        ),
        drawn=True,
    )


def _first_blood(results: Mapping[str, Any], run: RunInfo) -> Table:
    found = results["first_blood"]
    seats = [
        (common.seat_name(number), {**seat, "whole": whole})
        for number, (seat, whole) in enumerate(zip(found["by_seat"], results["wins_by_seat"], strict=True), 1)
    ]
    return table_of(
        "first_blood",
        Text("First blood: does the first capture help?", "Первая кровь: помогает ли первый захват?"),
        (
            Text("Who was first", "Кто первый"),
            common.WIN_RATE,
            common.GAMES,
            Column(Text("In all games", "Во всех партиях"), "whole", percent=True),
        ),
        [(Text("Any seat", "Любое место"), {**found, "whole": None}), *seats],
        note=Text(
            "Of the games in which this seat was the first to take a cell from another player, those it won. In all"
            " games: how often the seat wins anyway.",
            "Из партий, где это место первым отняло клетку у другого игрока, — доля выигранных им. Во всех партиях:"
            " как часто место побеждает вообще.",
        ),
        by_seat=run,
        reference=(found["fair"], common.FAIR_SHARE),
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
    seats = range(1, len(results["wins_by_seat"]) + 1)
    rows = []
    for name, look in (*looks, (Text("End", "Конец"), results["at_the_end"])):
        found = {f"S{number}": seat["value"] for number, seat in zip(seats, look[what], strict=True)}
        rows.append((name, {**found, "games": look["games"], "margin": _margin(look[what])}))
    return table_of(
        f"{what}_over_time",
        title,
        (
            Text("Round", "Раунд"),
            common.GAMES,
            *(Column(Text(f"S{number}", f"М{number}"), f"S{number}") for number in seats),
            Column(Text("Margin", "Погрешность"), "margin"),
        ),
        rows,
        note=Text(
            "S1, S2, ...: what each seat has on average as the round begins, in the games that came so far; an"
            " eliminated player has 0. Margin: the longest way from a mean of the row to an end of its 95 % interval;"
            " none where all games were alike.",
            "М1, М2, …: сколько в среднем у каждого места на начало раунда в партиях, которые до него дошли; у"
            " выбывшего игрока 0. Погрешность: самое большое в строке расстояние от среднего до конца его"
            " 95-процентного интервала; её нет, если все партии были одинаковы.",
        ),
        by_seat=run,
    )
