"""The tables of a report on Grid, made from its figures."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from playmill.author import Text
from playmill.author.report import Column, RunInfo, Table, common, saved_estimate, table_of
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
_REWARD, _PATTERN = Text("Reward", "Награда"), Text("Pattern", "Паттерн")
_APPLIED, _REFUSED, _IMPOSSIBLE = (
    Column(Text("Applied", "Применена"), "applied"),
    Column(Text("Refused", "Отказов"), "refused"),
    Column(Text("Impossible", "Невозможна"), "impossible"),
)
_TIMES, _TOTAL = Column(Text("Times", "Собрано"), "times"), Column(Text("Total VP", "Всего ПО"), "vp")
_MEAN_VP = Column(Text("Mean VP", "ПО в среднем"), "vp")


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


def _agents(results: Mapping[str, Any], run: RunInfo) -> Table:
    agents = {}
    for name, saved in results["winrate"].items():
        found, whole = results["by_agent"][name], saved_estimate(saved)
        agents[name] = {"win_rate": whole.over(found["seats"]), "in_all": whole, "wins": found["wins"]}
    return common.agents_table(
        agents,
        run,
        common.WINS,
        note=Text(
            "A tie is nobody's win, so the rates of all seats add up to 100 % less the ties.",
            "При ничьей не побеждает никто, поэтому доли всех мест в сумме дают 100 % за вычетом ничьих.",
        ),
        fair=_WITHOUT_TIES,
    )


def _vp_by_agent(results: Mapping[str, Any]) -> Table:
    return table_of(
        "vp",
        Text("Victory points of each agent", "Победные очки каждого агента"),
        (
            common.AGENT,
            _MEAN_VP.at(""),
            Column(Text("Median", "Медиана"), "median"),
            Column(Text("SD", "СКО"), "std"),
            Column(Text("P90", "P90"), "p90"),
            Column(Text("Min", "Мин."), "min"),
            Column(Text("Max", "Макс."), "max"),
        ),
        results["vp_stats"].items(),
        note=Text(
            "VP: victory points at the end of a game; every seat of the agent counts. SD: standard deviation."
            " P90: 90 % of the scores are no higher.",
            "ПО: победные очки в конце партии; учитывается каждое место агента. СКО: стандартное отклонение."
            " P90: 90 % результатов не выше.",
        ),
        drawn=True,
    )


def _seats(results: Mapping[str, Any], run: RunInfo) -> Table:
    return common.seats_table(
        results["by_seat"],
        run,
        common.WINS,
        _MEAN_VP,
        title=Text("By seat", "По местам"),
        note=Text("Seat 1 has the first turn.", "Место 1 ходит первым."),
        fair=_WITHOUT_TIES,
    )


def _pattern_rows(
    results: Mapping[str, Any], run: RunInfo, counts: str, totals: str
) -> list[tuple[str | Text, dict[str, Any]]]:
    """A row for each pattern, and one for all of them; a pattern that the config leaves out is no finding."""
    times, vp = results[counts], results[totals]
    rows: list[tuple[str | Text, dict[str, Any]]] = []
    for name, worth in sorted((pattern["id"], pattern["vp"]) for pattern in run.config["patterns"]):
        rows.append((name, {**results["pattern_rates"][name], "worth": worth, "times": times[name], "vp": vp[name]}))
    rates = {"per_game": results["patterns_per_game"], "of_winners_vp": None}
    whole = {**rates, "worth": None, "times": sum(times.values()), "vp": sum(vp.values())}
    return [*rows, (Text("All", "Все"), whole)]


def _patterns(results: Mapping[str, Any], run: RunInfo) -> Table:
    return table_of(
        "patterns",
        Text("Patterns", "Паттерны"),
        (
            _PATTERN,
            Column(Text("VP", "ПО"), "worth"),
            _TIMES,
            Column(Text("Per 1000", "На 1000"), lambda found: saved_estimate(found["per_game"]).times(1000)),
            _TOTAL,
        ),
        _pattern_rows(results, run, "pattern_counts", "total_vp_by_pattern"),
        note=Text(
            "Times: resolved in all games; per 1000: in a thousand games.",
            "Собрано: раз за все партии; на 1000: за тысячу партий.",
        ),
    )


def _winner_patterns(results: Mapping[str, Any], run: RunInfo) -> Table:
    return table_of(
        "winner_patterns",
        Text("Patterns of the winners", "Паттерны победителей"),
        (_PATTERN, Column(Text("Share of their VP", "Доля их ПО"), "of_winners_vp", percent=True), _TIMES, _TOTAL),
        _pattern_rows(results, run, "winner_triggers_by_pattern", "winner_vp_by_pattern"),
        note=Text(
            "Only what the player who won the game resolved. Share: of all VP of the winners, those from this pattern.",
            "Только то, что собрал игрок, который выиграл партию. Доля: какую часть всех своих ПО победители получили"
            " за этот паттерн.",
        ),
    )


def _reward_rows(results: Mapping[str, Any], counts: str, share: str) -> list[tuple[Text, dict[str, Any]]]:
    found, rates = results[counts], results["reward_rates"]
    return [
        (title, {"share": rates[name][share], **{fate: found[fate][name] for fate in FATES}})
        for name, title in REWARD_TITLES.items()
    ]


def _rewards(results: Mapping[str, Any]) -> Table:
    share = Column(Text("Share applied", "Доля применений"), "share", percent=True)
    return table_of(
        "rewards",
        Text("Rewards", "Награды"),
        (_REWARD, share, _APPLIED, _REFUSED, _IMPOSSIBLE),
        _reward_rows(results, "rewards", "applied"),
        note=Text(
            "Share applied: of the times the reward was offered. Impossible: accepted, but there was no legal way to"
            " carry it out.",
            "Доля применений: от числа предложений награды. Невозможна: игрок согласился, но выполнить действие было"
            " нельзя.",
        ),
        drawn=True,
    )


def _winner_rewards(results: Mapping[str, Any]) -> Table:
    share = Column(Text("Share by winners", "Доля победителей"), "share", percent=True)
    return table_of(
        "winner_rewards",
        Text("Rewards of the winners", "Награды победителей"),
        (_REWARD, share, _APPLIED, _REFUSED, _IMPOSSIBLE),
        _reward_rows(results, "winner_rewards", "by_winners"),
        note=Text(
            "Only what the player who won the game did. Share by winners: of the times anybody applied the reward.",
            "Только то, что делал игрок, который выиграл партию. Доля победителей: от всех применений награды.",
        ),
        drawn=True,
    )


def _ends(results: Mapping[str, Any]) -> Table:
    return common.endings_table(
        (END_TITLES[name], {"games": count, **results["end_rates"][name]})
        for name, count in results["end_reasons"].items()
    )


def _ties(results: Mapping[str, Any]) -> Table:
    won = sum(agent["wins"] for agent in results["by_agent"].values())
    return table_of(
        "ties",
        Text("Wins and ties", "Победы и ничьи"),
        (Text("Result", "Исход"), common.SHARE, common.GAMES),
        (
            (Text("One winner", "Один победитель"), {**results["unique_winner_rate"], "games": won}),
            (Text("Tie", "Ничья"), {**results["tie_rate"], "games": results["games"] - won}),
        ),
        note=Text("A tie: two or more share the highest VP.", "Ничья: больше всего ПО сразу у нескольких игроков."),
    )


def _length(results: Mapping[str, Any]) -> Table:
    patterns = Text("Patterns: mean per game", "Паттернов: в среднем за партию")
    return common.length_table(
        results["turns"],
        common.TURNS,
        (patterns, saved_estimate(results["patterns_per_game"])),
        decisions=results["decisions_per_game"],
        note=Text(
            "Skipped turns and the turn that ends the game count as turns",
            "Пропущенные ходы и ход, на котором партия кончилась, тоже считаются",
        ),
    )
