"""The tables of a report on Battle of Dimensions, made from its figures."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from playmill.author import Text
from playmill.author.report import (
    Chart,
    RunInfo,
    Table,
    quantile_estimate,
    saved_estimate,
    seat_note,
)
from playmill.games.dimensions.report import epic as report_epic
from playmill.games.dimensions.report.figures import (
    ANOMALIES,
    END_TITLES,
    FACTION_TITLES,
    TIE_TITLES,
    TIED_TITLES,
    is_baseline,
)

_FAIR = Text("a fair share", "равная доля")
_WIN_RATE = Text("Win rate", "Доля побед")
_WINS = Text("Wins", "Побед")
_GAMES = Text("Games", "Партий")
_SHARE = Text("Share of games", "Доля партий")
_FACTION = Text("Faction", "Фракция")
_AGENT = Text("Agent", "Агент")


def sections(results: Mapping[str, Any], run: RunInfo) -> list[Table]:
    """The tables of a report, the most telling first, from results as they are saved."""
    fair = 1 / run.players
    tables = [_factions(results, fair), _ends(results, run)]
    if len(run.agent_names) > 1:
        tables += [_agents(results, fair), _agents_by_faction(results, fair)]
    tables.append(_seats(results, run, fair))
    if any(anomaly["games"] for anomaly in results["anomalies"].values()):
        tables.append(_anomalies(results, fair))
    if not is_baseline(run):
        tables += report_epic.tables(results)
    tables += [_length(results), _ties(results)]
    return [*tables, _who_tied(results)] if any(one["games"] for one in results["tied"].values()) else tables


def _fair_chart(*, label: int, estimate: int, fair: float) -> Chart:
    return Chart(label, estimate, reference=fair, reference_label=_FAIR)


def _factions(results: Mapping[str, Any], fair: float) -> Table:
    rows = []
    for name, title in FACTION_TITLES.items():
        faction = results["factions"][name]
        n = faction["participates"]
        win_rate, cards = saved_estimate(faction["win_rate"]), saved_estimate(faction["cards"])
        rows.append((title, win_rate, faction["wins"], n, cards))
    return Table(
        "factions",
        Text("How often each faction wins", "Как часто побеждает каждая фракция"),
        (_FACTION, _WIN_RATE, _WINS, _GAMES, Text("Cards at the end", "Карт в конце")),
        tuple(rows),
        note=Text(
            "Of the games in which the faction takes part. Cards: those on the table that count for it, on average.",
            "Среди партий, в которых фракция участвует. Карты: те на столе, что засчитываются ей, в среднем.",
        ),
        chart=_fair_chart(label=0, estimate=1, fair=fair),
        percent_columns=frozenset({1}),
    )


def _ends(results: Mapping[str, Any], run: RunInfo) -> Table:
    names = ["count"] if is_baseline(run) else list(END_TITLES)
    return Table(
        "ends",
        Text("How games ended", "Чем заканчивались партии"),
        (Text("Ending", "Конец партии"), _SHARE, _GAMES),
        tuple((END_TITLES[name], saved_estimate(results["end_rates"][name]), results["ends"][name]) for name in names),
        chart=Chart(0, 1) if len(names) > 1 else None,
        percent_columns=frozenset({1}),
    )


def _agents(results: Mapping[str, Any], fair: float) -> Table:
    rows = []
    for name, agent in results["agents"].items():
        per_seat = saved_estimate(agent["win_rate_per_seat"])
        rows.append((name, per_seat, agent["seats"], saved_estimate(agent["win_rate"]), agent["wins"]))
    return Table(
        "agents",
        Text("How often each agent wins", "Как часто побеждает каждый агент"),
        (_AGENT, Text("Per seat", "На одно место"), Text("Seats", "Мест"), Text("In all", "Всего"), _WINS),
        tuple(rows),
        note=Text(
            "In all: games won by any seat of the agent. Per seat: that divided by the number of its seats.",
            "Всего: партии, выигранные любым местом агента. На одно место: то же, делённое на число его мест.",
        ),
        chart=_fair_chart(label=0, estimate=1, fair=fair),
        percent_columns=frozenset({1, 3}),
    )


def _agents_by_faction(results: Mapping[str, Any], fair: float) -> Table:
    rows = []
    for faction, title in FACTION_TITLES.items():
        for name, agent in results["agents"].items():
            record = agent["factions"][faction]
            win_rate = saved_estimate(record["win_rate"])
            rows.append((title, name, win_rate, record["wins"], record["participates"]))
    return Table(
        "agents_by_faction",
        Text("Agents by faction", "Агенты по фракциям"),
        (_FACTION, _AGENT, _WIN_RATE, _WINS, _GAMES),
        tuple(rows),
        note=Text(
            "Of the games in which the agent plays the faction.", "Среди партий, в которых агент играет за фракцию."
        ),
        chart=_fair_chart(label=1, estimate=2, fair=fair),
        percent_columns=frozenset({2}),
    )


def _seats(results: Mapping[str, Any], run: RunInfo, fair: float) -> Table:
    titled = [(Text(f"Seat {seat}", f"Место {seat}"), saved) for seat, saved in enumerate(results["seats"], 1)]
    titled.append((Text("First player", "Первый игрок"), results["first_player"]))
    return Table(
        "seats",
        Text("Seats and the first player", "Места и первый игрок"),
        (Text("Who", "Кто"), _WIN_RATE, _WINS),
        tuple((title, saved_estimate(saved["win_rate"]), saved["wins"]) for title, saved in titled),
        note=seat_note(run),
        chart=_fair_chart(label=0, estimate=1, fair=fair),
        percent_columns=frozenset({1}),
    )


def _anomalies(results: Mapping[str, Any], fair: float) -> Table:
    rows = []
    for name, title in ANOMALIES.items():
        anomaly = results["anomalies"][name]
        win_rate = saved_estimate(anomaly["win_rate"])
        rows.append((title, win_rate, saved_estimate(anomaly["share"]), anomaly["played"]))
    return Table(
        "anomalies",
        Text("Anomalies", "Аномалии"),
        (Text("Anomaly", "Аномалия"), _WIN_RATE, _SHARE, Text("Plays", "Розыгрышей")),
        tuple(rows),
        note=Text(
            "Win rate: of the games in which the anomaly was played, those won by someone who played it."
            " Share of games: those in which it was played.",
            "Доля побед: среди партий, где аномалию разыграли, — те, что выиграл кто-то из разыгравших её."
            " Доля партий: те, где её разыграли.",
        ),
        chart=_fair_chart(label=0, estimate=1, fair=fair),
        percent_columns=frozenset({1, 2}),
    )


def _length(results: Mapping[str, Any]) -> Table:
    turns = results["turns"]
    return Table(
        "length",
        Text("Length of a game", "Длина партии"),
        (Text("Measure", "Показатель"), Text("Value", "Значение")),
        (
            (Text("Turns: mean", "Ходов: в среднем"), saved_estimate(turns)),
            (Text("Turns: standard deviation", "Ходов: стандартное отклонение"), turns["std"]),
            (Text("Turns: median", "Ходов: медиана"), quantile_estimate(turns, "median")),
            (Text("Turns: 10th percentile", "Ходов: 10-й процентиль"), quantile_estimate(turns, "p10")),
            (Text("Turns: 90th percentile", "Ходов: 90-й процентиль"), quantile_estimate(turns, "p90")),
            (Text("Turns: shortest game", "Ходов: самая короткая партия"), turns["min"]),
            (Text("Turns: longest game", "Ходов: самая длинная партия"), turns["max"]),
            (
                Text("Decisions: mean per game", "Решений: в среднем за партию"),
                saved_estimate(results["decisions_per_game"]),
            ),
        ),
        note=Text(
            "Extra, final and cut-short turns count as turns; a choice of one option is no decision.",
            "Дополнительные, финальные и прерванные ходы тоже считаются; выбор из одного варианта — не решение.",
        ),
    )


def _ties(results: Mapping[str, Any]) -> Table:
    return Table(
        "ties",
        Text("Ties at the count", "Ничьи при подсчёте"),
        (Text("Broken", "Чем решены"), _SHARE, _GAMES),
        tuple(
            (title, saved_estimate(results["tie_rates"][name]), results["ties"][name])
            for name, title in TIE_TITLES.items()
        ),
        percent_columns=frozenset({1}),
    )


def _who_tied(results: Mapping[str, Any]) -> Table:
    found = sorted(results["tied"].items(), key=lambda one: -one[1]["games"])
    return Table(
        "who_tied",
        Text("Who tied with whom", "Кто с кем сравнялся"),
        (Text("Factions", "Фракции"), _SHARE, _GAMES),
        tuple((TIED_TITLES[name], saved_estimate(one["share"]), one["games"]) for name, one in found if one["games"]),
        note=Text(
            "Both had the highest count, alone or with others.", "У обеих наибольший счёт, одних или вместе с другими."
        ),
        percent_columns=frozenset({1}),
    )
