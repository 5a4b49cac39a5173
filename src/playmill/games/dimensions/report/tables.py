"""The tables of a report on Battle of Dimensions, made from its figures."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from playmill.author import Text
from playmill.author.report import Column, RunInfo, Table, common, table_of
from playmill.games.dimensions.report import epic as report_epic
from playmill.games.dimensions.report.epic import FACTION_TITLES
from playmill.games.dimensions.report.figures import ANOMALIES, END_TITLES, TIE_TITLES, TIED_TITLES, is_baseline

_FACTION = Text("Faction", "Фракция")
_TAKEN_PART = common.GAMES.at("participates")


def sections(results: Mapping[str, Any], run: RunInfo) -> list[Table]:
    """The tables of a report, the most telling first, from results as they are saved."""
    tables = [_factions(results, run), _ends(results, run)]
    if len(run.agent_names) > 1:
        tables += [_agents(results, run), _agents_by_faction(results, run)]
    tables.append(_seats(results, run))
    if any(anomaly["games"] for anomaly in results["anomalies"].values()):
        tables.append(_anomalies(results, run))
    if not is_baseline(run):
        tables += report_epic.tables(results)
    tables += [_length(results), _ties(results)]
    return [*tables, _who_tied(results)] if any(one["games"] for one in results["tied"].values()) else tables


def _factions(results: Mapping[str, Any], run: RunInfo) -> Table:
    return table_of(
        "factions",
        Text("How often each faction wins", "Как часто побеждает каждая фракция"),
        (
            _FACTION,
            common.WIN_RATE,
            common.WINS,
            _TAKEN_PART,
            Column(Text("Cards at the end", "Карт в конце"), "cards"),
        ),
        ((title, results["factions"][name]) for name, title in FACTION_TITLES.items()),
        note=Text(
            "Of the games in which the faction takes part. Cards: those on the table that count for it, on average.",
            "Среди партий, в которых фракция участвует. Карты: те на столе, что засчитываются ей, в среднем.",
        ),
        reference=common.fair_share(run),
    )


def _shared(
    results: Mapping[str, Any], counts: str, rates: str, titles: Mapping[str, Text]
) -> list[tuple[Text, dict[str, Any]]]:
    """Titles with shares of games, which are saved apart from the numbers of games."""
    return [(title, {"games": results[counts][name], **results[rates][name]}) for name, title in titles.items()]


def _ends(results: Mapping[str, Any], run: RunInfo) -> Table:
    titles = {"count": END_TITLES["count"]} if is_baseline(run) else END_TITLES
    return common.endings_table(_shared(results, "ends", "end_rates", titles), drawn=len(titles) > 1)


def _agents(results: Mapping[str, Any], run: RunInfo) -> Table:
    agents = {
        name: {**agent, "win_rate": agent["win_rate_per_seat"], "in_all": agent["win_rate"]}
        for name, agent in results["agents"].items()
    }
    return common.agents_table(agents, run, common.WINS)


def _agents_by_faction(results: Mapping[str, Any], run: RunInfo) -> Table:
    return table_of(
        "agents_by_faction",
        Text("Agents by faction", "Агенты по фракциям"),
        (_FACTION, common.AGENT, common.WIN_RATE, common.WINS, _TAKEN_PART),
        (
            (title, name, agent["factions"][faction])
            for faction, title in FACTION_TITLES.items()
            for name, agent in results["agents"].items()
        ),
        note=Text(
            "Of the games in which the agent plays the faction.", "Среди партий, в которых агент играет за фракцию."
        ),
        reference=common.fair_share(run),
    )


def _seats(results: Mapping[str, Any], run: RunInfo) -> Table:
    seats = [(common.seat_name(number), found) for number, found in enumerate(results["seats"], 1)]
    return table_of(
        "seats",
        Text("Seats and the first player", "Места и первый игрок"),
        (Text("Who", "Кто"), common.WIN_RATE, common.WINS),
        [*seats, (Text("First player", "Первый игрок"), results["first_player"])],
        by_seat=run,
        reference=common.fair_share(run),
    )


def _anomalies(results: Mapping[str, Any], run: RunInfo) -> Table:
    return table_of(
        "anomalies",
        Text("Anomalies", "Аномалии"),
        (
            Text("Anomaly", "Аномалия"),
            common.WIN_RATE,
            common.SHARE.at("share"),
            Column(Text("Plays", "Розыгрышей"), "played"),
        ),
        ((title, results["anomalies"][name]) for name, title in ANOMALIES.items()),
        note=Text(
            "Win rate: of the games in which the anomaly was played, those won by someone who played it."
            " Share of games: those in which it was played.",
            "Доля побед: среди партий, где аномалию разыграли, — те, что выиграл кто-то из разыгравших её."
            " Доля партий: те, где её разыграли.",
        ),
        reference=common.fair_share(run),
    )


def _length(results: Mapping[str, Any]) -> Table:
    return common.length_table(
        results["turns"],
        common.TURNS,
        decisions=results["decisions_per_game"],
        note=Text(
            "Extra, final and cut-short turns count as turns",
            "Дополнительные, финальные и прерванные ходы тоже считаются",
        ),
    )


def _ties(results: Mapping[str, Any]) -> Table:
    title, broken = Text("Ties at the count", "Ничьи при подсчёте"), Text("Broken", "Чем решены")
    return table_of(
        "ties", title, (broken, common.SHARE, common.GAMES), _shared(results, "ties", "tie_rates", TIE_TITLES)
    )


def _who_tied(results: Mapping[str, Any]) -> Table:
    found = sorted(results["tied"].items(), key=lambda one: -one[1]["games"])
    return table_of(
        "who_tied",
        Text("Who tied with whom", "Кто с кем сравнялся"),
        (Text("Factions", "Фракции"), common.SHARE.at("share"), common.GAMES),
        ((TIED_TITLES[name], one) for name, one in found if one["games"]),
        note=Text(
            "Both had the highest count, alone or with others.", "У обеих наибольший счёт, одних или вместе с другими."
        ),
    )
