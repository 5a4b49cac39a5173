"""The tables of a report on Grid, made from its figures."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from playmill.author import Text
from playmill.author.report import (
    IN_TURN,
    Cell,
    Chart,
    RunInfo,
    Table,
    quantile_estimate,
    saved_estimate,
    seat_note,
)
from playmill.games.grid.report.figures import FATES

REWARD_TITLES = {
    "RWD1": Text("RWD1 remove own card", "RWD1 убрать свою карту"),
    "RWD2": Text("RWD2 top of discard pile", "RWD2 верхняя из сброса"),
    "RWD3": Text("RWD3 move own card", "RWD3 сдвинуть свою карту"),
    "RWD4": Text("RWD4 extra turn", "RWD4 ещё один ход"),
    "RWD5": Text("RWD5 skip turn", "RWD5 пропуск хода"),
    "RWD6": Text("RWD6 remove opponent's card", "RWD6 убрать чужую карту"),
    "RWD7": Text("RWD7 move opponent's card", "RWD7 сдвинуть чужую карту"),
    "RWD8": Text("RWD8 any of discard pile", "RWD8 любая из сброса"),
    "RWD9": Text("RWD9 joker", "RWD9 джокер"),
    "RWD10": Text("RWD10 steal card", "RWD10 украсть карту"),
}
END_TITLES = {
    "END1": Text("END1: deck too small", "END1: мало карт в колоде"),
    "END2": Text("END2: no free cell", "END2: нет свободной клетки"),
}

_WITHOUT_TIES = Text("equal, if no ties:", "поровну без ничьих:")
_WIN_RATE = Text("Win rate", "Доля побед")
_WINS = Text("Wins", "Побед")
_GAMES = Text("Games", "Партий")
_SHARE = Text("Share of games", "Доля партий")
_AGENT = Text("Agent", "Агент")
_REWARD = Text("Reward", "Награда")
_APPLIED = Text("Applied", "Применена")
_REFUSED = Text("Refused", "Отказов")
_IMPOSSIBLE = Text("Impossible", "Невозможна")
_PATTERN, _ALL = Text("Pattern", "Паттерн"), Text("All", "Все")
_MEAN_VP = Text("Mean VP", "ПО в среднем")


def sections(results: Mapping[str, Any], run: RunInfo) -> list[Table]:
    """The tables of a report, the most telling first, from results as they are saved."""
    return [
        _agents(results, run),
        _vp_by_agent(results),
        _seats(results, run),
        _patterns(results, run),
        _winner_patterns(results, run),
        _rewards(results),
        _winner_rewards(results),
        _ends(results),
        _ties(results),
        _length(results),
    ]


def _wins_chart(*, label: int, estimate: int, run: RunInfo) -> Chart:
    return Chart(label, estimate, reference=1 / run.players, reference_label=_WITHOUT_TIES)


def _agents(results: Mapping[str, Any], run: RunInfo) -> Table:
    shared = len(run.agent_names) < run.players
    columns: tuple[Text, ...] = (_AGENT, Text("Per seat", "На одно место") if shared else _WIN_RATE, _WINS)
    rows: list[tuple[Cell, ...]] = []
    for name, saved in results["winrate"].items():
        agent = results["by_agent"][name]
        seats, whole = agent["seats"], saved_estimate(saved)
        rows.append((name, whole.over(seats), agent["wins"], *((seats, whole) if shared else ())))
    note = Text(
        "A tie is nobody's win, so the rates of all seats add up to 100 % less the ties.",
        "При ничьей не побеждает никто, поэтому доли всех мест в сумме дают 100 % за вычетом ничьих.",
    )
    if shared:
        columns += (Text("Seats", "Мест"), Text("In all", "Всего"))
        note = Text(
            "In all: games won by any seat of the agent. Per seat: that divided by the number of its seats. " + note.en,
            "Всего: партии, выигранные любым местом агента. На одно место: то же, делённое на число его мест. "
            + note.ru,
        )
    return Table(
        "agents",
        Text("How often each agent wins", "Как часто побеждает каждый агент"),
        columns,
        tuple(rows),
        note=note,
        chart=_wins_chart(label=0, estimate=1, run=run),
        percent_columns=frozenset({1, 4} if shared else {1}),
    )


def _vp_by_agent(results: Mapping[str, Any]) -> Table:
    rows: list[tuple[Cell, ...]] = []
    for name, vp in results["vp_stats"].items():
        median, p90 = (quantile_estimate(vp, key) for key in ("median", "p90"))
        rows.append((name, saved_estimate(vp), median, vp["std"], p90, vp["min"], vp["max"]))
    return Table(
        "vp",
        Text("Victory points of each agent", "Победные очки каждого агента"),
        (
            _AGENT,
            _MEAN_VP,
            Text("Median", "Медиана"),
            Text("SD", "СКО"),
            Text("P90", "P90"),
            Text("Min", "Мин."),
            Text("Max", "Макс."),
        ),
        tuple(rows),
        note=Text(
            "VP: victory points at the end of a game; every seat of the agent counts. SD: standard deviation."
            " P90: 90 % of the scores are no higher.",
            "ПО: победные очки в конце партии; учитывается каждое место агента. СКО: стандартное отклонение."
            " P90: 90 % результатов не выше.",
        ),
        chart=Chart(0, 1, percent=False),
    )


def _seats(results: Mapping[str, Any], run: RunInfo) -> Table:
    rows: list[tuple[Cell, ...]] = []
    for number, seat in enumerate(results["by_seat"], 1):
        win_rate, vp = (saved_estimate(seat[key]) for key in ("win_rate", "vp"))
        agent = seat["agent"] or IN_TURN
        rows.append((Text(f"Seat {number}", f"Место {number}"), agent, win_rate, seat["wins"], vp))
    return Table(
        "seats",
        Text("By seat", "По местам"),
        (Text("Seat", "Место"), _AGENT, _WIN_RATE, _WINS, _MEAN_VP),
        tuple(rows),
        note=seat_note(run, Text("Seat 1 has the first turn.", "Место 1 ходит первым.")),
        chart=_wins_chart(label=1, estimate=2, run=run),
        percent_columns=frozenset({2}),
    )


def _patterns(results: Mapping[str, Any], run: RunInfo) -> Table:
    times, vp, rates = results["pattern_counts"], results["total_vp_by_pattern"], results["pattern_rates"]
    points = _points(run)
    rows: list[tuple[Cell, ...]] = [
        (name, points[name], times[name], saved_estimate(rates[name]["per_game"]).times(1000), vp[name])
        for name in sorted(points)
    ]
    everything = saved_estimate(results["patterns_per_game"]).times(1000)
    rows.append((_ALL, None, sum(times.values()), everything, sum(vp.values())))
    return Table(
        "patterns",
        Text("Patterns", "Паттерны"),
        (
            _PATTERN,
            Text("VP", "ПО"),
            Text("Times", "Собрано"),
            Text("Per 1000", "На 1000"),
            Text("Total VP", "Всего ПО"),
        ),
        tuple(rows),
        note=Text(
            "Times: resolved in all games; per 1000: in a thousand games.",
            "Собрано: раз за все партии; на 1000: за тысячу партий.",
        ),
    )


def _winner_patterns(results: Mapping[str, Any], run: RunInfo) -> Table:
    by_winners, vp = results["winner_triggers_by_pattern"], results["winner_vp_by_pattern"]
    rates, points = results["pattern_rates"], _points(run)
    rows: list[tuple[Cell, ...]] = [
        (name, saved_estimate(rates[name]["of_winners_vp"]), by_winners[name], vp[name]) for name in sorted(points)
    ]
    rows.append((_ALL, None, sum(by_winners.values()), sum(vp.values())))
    return Table(
        "winner_patterns",
        Text("Patterns of the winners", "Паттерны победителей"),
        (_PATTERN, Text("Share of their VP", "Доля их ПО"), Text("Times", "Собрано"), Text("Total VP", "Всего ПО")),
        tuple(rows),
        note=Text(
            "Only what the player who won the game resolved. Share: of all VP of the winners, those from this pattern.",
            "Только то, что собрал игрок, который выиграл партию. Доля: какую часть всех своих ПО победители получили"
            " за этот паттерн.",
        ),
        percent_columns=frozenset({1}),
    )


def _points(run: RunInfo) -> dict[str, int]:
    """The VP of each pattern; one that the config leaves out is no finding."""
    return {pattern["id"]: pattern["vp"] for pattern in run.config["patterns"]}


def _rewards(results: Mapping[str, Any]) -> Table:
    rows: list[tuple[Cell, ...]] = []
    for name, title in REWARD_TITLES.items():
        applied, refused, impossible = (results["rewards"][fate][name] for fate in FATES)
        share = saved_estimate(results["reward_rates"][name]["applied"])
        rows.append((title, share, applied, refused, impossible))
    return Table(
        "rewards",
        Text("Rewards", "Награды"),
        (
            _REWARD,
            Text("Share applied", "Доля применений"),
            _APPLIED,
            _REFUSED,
            _IMPOSSIBLE,
        ),
        tuple(rows),
        note=Text(
            "Share applied: of the times the reward was offered. Impossible: accepted, but there was no legal way to"
            " carry it out.",
            "Доля применений: от числа предложений награды. Невозможна: игрок согласился, но выполнить действие было"
            " нельзя.",
        ),
        chart=Chart(0, 1),
        percent_columns=frozenset({1}),
    )


def _winner_rewards(results: Mapping[str, Any]) -> Table:
    rows: list[tuple[Cell, ...]] = []
    for name, title in REWARD_TITLES.items():
        by_winners, refused, impossible = (results["winner_rewards"][fate][name] for fate in FATES)
        share = saved_estimate(results["reward_rates"][name]["by_winners"])
        rows.append((title, share, by_winners, refused, impossible))
    return Table(
        "winner_rewards",
        Text("Rewards of the winners", "Награды победителей"),
        (_REWARD, Text("Share by winners", "Доля победителей"), _APPLIED, _REFUSED, _IMPOSSIBLE),
        tuple(rows),
        note=Text(
            "Only what the player who won the game did. Share by winners: of the times anybody applied the reward.",
            "Только то, что делал игрок, который выиграл партию. Доля победителей: от всех применений награды.",
        ),
        chart=Chart(0, 1),
        percent_columns=frozenset({1}),
    )


def _ends(results: Mapping[str, Any]) -> Table:
    return Table(
        "ends",
        Text("How games ended", "Чем заканчивались партии"),
        (Text("Ending", "Конец партии"), _SHARE, _GAMES),
        tuple(
            (END_TITLES[name], saved_estimate(results["end_rates"][name]), count)
            for name, count in results["end_reasons"].items()
        ),
        percent_columns=frozenset({1}),
    )


def _ties(results: Mapping[str, Any]) -> Table:
    games = results["games"]
    won = sum(agent["wins"] for agent in results["by_agent"].values())
    return Table(
        "ties",
        Text("Wins and ties", "Победы и ничьи"),
        (Text("Result", "Исход"), _SHARE, _GAMES),
        (
            (Text("One winner", "Один победитель"), saved_estimate(results["unique_winner_rate"]), won),
            (Text("Tie", "Ничья"), saved_estimate(results["tie_rate"]), games - won),
        ),
        note=Text("A tie: two or more share the highest VP.", "Ничья: больше всего ПО сразу у нескольких игроков."),
        percent_columns=frozenset({1}),
    )


def _length(results: Mapping[str, Any]) -> Table:
    turns = results["turns"]
    described = (
        ("median", Text("Turns: median", "Ходов: медиана")),
        ("p10", Text("Turns: 10th percentile", "Ходов: 10-й процентиль")),
        ("p90", Text("Turns: 90th percentile", "Ходов: 90-й процентиль")),
    )
    return Table(
        "length",
        Text("Length of a game", "Длина партии"),
        (Text("Measure", "Показатель"), Text("Value", "Значение")),
        (
            (Text("Turns: mean", "Ходов: в среднем"), saved_estimate(turns)),
            (Text("Turns: standard deviation", "Ходов: стандартное отклонение"), turns["std"]),
            *((title, quantile_estimate(turns, key)) for key, title in described),
            (Text("Turns: shortest game", "Ходов: самая короткая партия"), turns["min"]),
            (Text("Turns: longest game", "Ходов: самая длинная партия"), turns["max"]),
            (
                Text("Patterns: mean per game", "Паттернов: в среднем за партию"),
                saved_estimate(results["patterns_per_game"]),
            ),
            (
                Text("Decisions: mean per game", "Решений: в среднем за партию"),
                saved_estimate(results["decisions_per_game"]),
            ),
        ),
        note=Text(
            "Skipped turns and the turn that ends the game count as turns; a choice of one option is no decision.",
            "Пропущенные ходы и ход, на котором партия кончилась, тоже считаются; выбор из одного варианта — не"
            " решение.",
        ),
    )
