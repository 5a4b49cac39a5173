"""What a designer learns from many games of Battle of Dimensions."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations
from typing import Any

import numpy as np

from playmill.author import Text
from playmill.author.report import (
    Chart,
    RunInfo,
    Table,
    counted,
    decisions_per_game,
    mean,
    quantile_estimate,
    rate,
    saved_estimate,
    seat_note,
)
from playmill.games.dimensions import report_epic
from playmill.games.dimensions.actions import BLUE, FACTIONS, GREEN, YELLOW
from playmill.games.dimensions.config import ANOMALY_NAMES, FACTION_KEYS
from playmill.games.dimensions.names import ANOMALY_TITLES, FACTION_NAMES, INSTANT_WINS, join
from playmill.games.dimensions.outcome import SETS
from playmill.games.dimensions.tables import BY_COUNT, TIE_BY_LOT, TIE_BY_SPIRAL

#: The factions and the anomalies in their fixed order, by the names they are saved under.
FACTION_TITLES = {
    key: Text(name.en.capitalize(), name.ru.capitalize()) for key, name in zip(FACTION_KEYS, FACTION_NAMES, strict=True)
}
ANOMALIES = dict(zip(ANOMALY_NAMES, ANOMALY_TITLES, strict=True))
END_TITLES = {
    "green": Text(f"{INSTANT_WINS[GREEN].en} (Green)", f"{INSTANT_WINS[GREEN].ru} (зелёные)"),
    "yellow": Text(f"{INSTANT_WINS[YELLOW].en} (Yellow)", f"{INSTANT_WINS[YELLOW].ru} (жёлтые)"),
    "blue": Text(f"{INSTANT_WINS[BLUE].en} (Blue)", f"{INSTANT_WINS[BLUE].ru} (синие)"),
    "count": Text("Counting of cards", "Подсчёт карт"),
}
TIE_TITLES = {
    "spiral": Text("By the Spiral", "По Спирали"),
    "lot": Text("By lot", "По жребию"),
}

_PAIRS = {f"{FACTION_KEYS[one]}+{FACTION_KEYS[other]}": (one, other) for one, other in combinations(range(FACTIONS), 2)}
_MANY = "three_or_more"
TIED_TITLES = {
    **{pair: join(FACTION_TITLES[FACTION_KEYS[place]] for place in places) for pair, places in _PAIRS.items()},
    _MANY: Text("Three factions or more", "Три фракции и больше"),
}

#: What figures are called that stand in no table of some runs.
FIGURES = {
    "agents.*.win_rate_per_seat": Text("Win rate of {} per seat", "Доля побед агента {} на одно место"),
    **{
        f"agents.*.factions.{key}.win_rate": Text(
            f"Win rate of {{}} as {title.en}", f"Доля побед агента {{}} за фракцию: {title.ru}"
        )
        for key, title in FACTION_TITLES.items()
    },
    **{
        f"end_rates.{key}": Text(f"How games ended: {title.en}", f"Чем заканчивались партии: {title.ru}")
        for key, title in END_TITLES.items()
    },
    **{
        f"anomalies.{key}.{figure}": Text(f"{title.en}: {what.en}", f"{title.ru}: {what.ru}")
        for key, title in ANOMALIES.items()
        for figure, what in (
            ("share", Text("share of games", "доля партий")),
            ("win_rate", Text("win rate", "доля побед")),
        )
    },
    **{
        f"tied.{key}.share": Text(f"Tied at the count: {title.en}", f"Сравнялись при подсчёте: {title.ru}")
        for key, title in TIED_TITLES.items()
    },
    **report_epic.FIGURES,
}

_FAIR = Text("a fair share", "равная доля")
_WIN_RATE = Text("Win rate", "Доля побед")
_WINS = Text("Wins", "Побед")
_GAMES = Text("Games", "Партий")
_SHARE = Text("Share of games", "Доля партий")
_FACTION = Text("Faction", "Фракция")
_AGENT = Text("Agent", "Агент")


def results(counts: np.void, run: RunInfo) -> dict[str, Any]:
    """The results of a run, as they are saved, from the tally of its games."""
    games = int(counts["games"])
    ended = (("green", GREEN), ("yellow", YELLOW), ("blue", BLUE), ("count", BY_COUNT))
    ends = {name: int(counts["ends"][end]) for name, end in ended}
    ties = {"spiral": int(counts["ties"][TIE_BY_SPIRAL]), "lot": int(counts["ties"][TIE_BY_LOT])}
    return {
        "games": games,
        "factions": {
            name: {
                **_record(counts["participates"][:, number].sum(), counts["wins"][:, number].sum()),
                "cards": mean(
                    counts["participates"][:, number].sum(),
                    counts["cards"][number],
                    counts["cards_squared"][number],
                    least=0,
                ).json(),
            }
            for number, name in enumerate(FACTION_TITLES)
        },
        "ends": ends,
        "end_rates": _shares(ends, games),
        "turns": counted(counts["turns"], "turns", together=run.rotations).json(),
        "ties": ties,
        "tie_rates": _shares(ties, games),
        "tied": _tied(counts, games),
        "anomalies": {
            name: {
                "played": int(counts["anomaly_plays"][number]),
                "games": int(counts["anomaly_games"][number]),
                "share": rate(counts["anomaly_games"][number], games).json(),
                **_wins(counts["anomaly_games"][number], counts["anomaly_wins"][number]),
            }
            for number, name in enumerate(ANOMALIES)
        },
        "seats": [_wins(games, counts["seat_wins"][seat]) for seat in range(run.players)],
        "first_player": _wins(games, counts["first_wins"]),
        "agents": {
            name: _agent(counts, games, number, run.agents.count(name)) for number, name in enumerate(run.agent_names)
        },
        **({} if _is_baseline(run) else {"epic": report_epic.results(counts, run.rotations)}),
        "decisions": int(counts["decisions"]),
        "decisions_per_game": decisions_per_game(counts).json(),
    }


def _is_baseline(run: RunInfo) -> bool:
    """Whether there are neither instant wins, nor a Captain, nor Auras: rows of zeros would look like a finding."""
    return run.config.get("mode") == "baseline"


def _tied(counts: np.void, games: int) -> dict[str, Any]:
    """Who tied with whom at the count: every two factions, alone or with others, and ties of three or more."""
    made = {}
    for pair, (one, other) in _PAIRS.items():
        both = [tied for tied in range(SETS) if tied >> one & 1 and tied >> other & 1]
        found = int(counts["tied"][both].sum())
        wins = {FACTION_KEYS[faction]: int(counts["tied_wins"][both, faction].sum()) for faction in (one, other)}
        made[pair] = {"games": found, "share": rate(found, games).json(), "wins": wins}
    many = int(sum(counts["tied"][tied] for tied in range(SETS) if tied.bit_count() > 2))
    return {**made, _MANY: {"games": many, "share": rate(many, games).json()}}


def _wins(games: int, wins: int) -> dict[str, Any]:
    return {"wins": int(wins), "win_rate": rate(wins, games).json()}


def _shares(found: Mapping[str, int], games: int) -> dict[str, Any]:
    return {name: rate(count, games).json() for name, count in found.items()}


def _record(participates: int, wins: int) -> dict[str, Any]:
    return {"participates": int(participates), **_wins(participates, wins)}


def _agent(counts: np.void, games: int, number: int, seats: int) -> dict[str, Any]:
    """Of one agent: a game is won if any of its seats wins it."""
    wins = int(counts["wins"][number].sum())
    return {
        "games": games,
        "seats": seats,
        **_wins(games, wins),
        "win_rate_per_seat": rate(wins, games).over(seats).json(),
        "factions": {
            name: _record(counts["participates"][number, faction], counts["wins"][number, faction])
            for faction, name in enumerate(FACTION_TITLES)
        },
    }


def sections(results: Mapping[str, Any], run: RunInfo) -> list[Table]:
    """The tables of a report, the most telling first, from results as they are saved."""
    fair = 1 / run.players
    tables = [_factions(results, fair), _ends(results, run)]
    if len(run.agent_names) > 1:
        tables += [_agents(results, fair), _agents_by_faction(results, fair)]
    tables.append(_seats(results, run, fair))
    if any(anomaly["games"] for anomaly in results["anomalies"].values()):
        tables.append(_anomalies(results, fair))
    if not _is_baseline(run):
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
    names = ["count"] if _is_baseline(run) else list(END_TITLES)
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
