"""Default `report`: win rates, returns, draws and length of games."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from playmill.defaults.outcome import LOW_BITS, MOST_RETURNED, PARTS
from playmill.report.files.writing import saved_estimate
from playmill.report.model.histogram import Histogram, quantile_estimate
from playmill.report.model.tables import IN_TURN, Cell, Chart, Estimate, RunInfo, Table, mean, rate, seat_note
from playmill.texts import PlaymillError, Text

_AGENT, _SEAT = Text("Agent", "Агент"), Text("Seat", "Место")
_WIN_RATE, _RETURN = Text("Win rate", "Доля побед"), Text("Mean return", "Средний выигрыш")
_EQUAL = Text("equal:", "поровну:")
_DESCRIBED = ("median", "p10", "p90", "min", "max", "intervals")


def results(counts: Any, run: RunInfo) -> dict[str, Any]:
    """The results of a run as plain numbers."""
    if beyond := int(counts["beyond"]):
        raise PlaymillError(
            f"{run.game}: {beyond} returns lie beyond ±{MOST_RETURNED}, more than the usual report counts, or are no"
            " numbers at all (NaN); count in larger units, or write outcome.py and report.py",
            f"{run.game}: выигрышей за пределами ±{MOST_RETURNED}, больше чем считает обычный отчёт, или вовсе не чисел"
            f" (NaN): {beyond}; считайте в более крупных единицах или напишите outcome.py и report.py",
        )
    games = int(counts["games"])
    agents = {}
    for number, name in enumerate(run.agent_names):
        seats = run.agents.count(name)
        agents[name] = {
            "win_rate": rate(counts["agent_wins"][number], games).over(seats).json(),
            "returns": _returned(counts, "agent", number, games * seats).json(),
        }
    return {
        "games": games,
        "seats": [
            {
                "wins": int(counts["seat_wins"][seat]),
                "win_rate": rate(counts["seat_wins"][seat], games).json(),
                "returns": _returned(counts, "seat", seat, games).json(),
            }
            for seat in range(run.players)
        ],
        "agents": agents,
        "draws": {"games": int(counts["draws"]), "rate": rate(counts["draws"], games).json()},
        "length": _length(counts, games, run.rotations),
        "decisions": int(counts["decisions"]),
    }


def _returned(counts: Any, whose: str, place: int, n: int) -> Estimate:
    squares = (int(counts[f"{whose}_high"][place]) << LOW_BITS) + int(counts[f"{whose}_low"][place])
    return mean(n, counts[f"{whose}_sums"][place], squares).over(PARTS)


def _length(counts: Any, games: int, rotations: int) -> dict[str, Any]:
    """The mean length, and where every length had its place also how lengths are spread."""
    middle = mean(games, counts["decisions"], counts["decision_squares"], least=0).json()
    if counts["lengths"][-1]:
        return {**middle, **dict.fromkeys(_DESCRIBED)}
    spread = Histogram(counts["lengths"][:-1], together=rotations).json()
    return {**middle, **{key: spread[key] for key in _DESCRIBED}}


def sections(results: Mapping[str, Any], run: RunInfo) -> list[Table]:
    """The tables of the report, from results as they are saved."""
    tables = [_seats(results, run), _long(results)]
    return tables if run.rotations == 1 else [_agents(results, run), *tables]


def _agents(results: Mapping[str, Any], run: RunInfo) -> Table:
    rows = tuple(
        (name, *_figures(found, results["games"], results["games"] * run.agents.count(name)))
        for name, found in results["agents"].items()
    )
    title = Text("How often each agent wins", "Как часто побеждает каждый агент")
    return Table("agents", title, (_AGENT, _WIN_RATE, _RETURN), rows, chart=_chart(run), percent_columns=frozenset({1}))


def _seats(results: Mapping[str, Any], run: RunInfo) -> Table:
    rows = tuple(_seat_rows(results, run))
    note = Text("A win is the best return, had by nobody else.", "Победа — лучший выигрыш, которого нет ни у кого ещё.")
    if run.players == 1:
        note = Text("A win is a return of 1 or more.", "Победа — выигрыш не меньше 1.")
    return Table(
        "seats",
        Text("Who wins", "Кто побеждает"),
        (_SEAT, _AGENT, _WIN_RATE, _RETURN),
        rows,
        note=seat_note(run, note),
        chart=_chart(run, 2),
        percent_columns=frozenset({2}),
    )


def _seat_rows(results: Mapping[str, Any], run: RunInfo) -> Iterator[tuple[Cell, ...]]:
    games = results["games"]
    for seat, (agent, found) in enumerate(zip(run.seat_agents, results["seats"], strict=True), 1):
        yield Text(f"Seat {seat}", f"Место {seat}"), agent or IN_TURN, *_figures(found, games, games)
    if results["draws"]["games"]:
        nobody = Text("Nobody", "Никто")
        yield nobody, None, saved_estimate(results["draws"]["rate"]), None


def _figures(found: Mapping[str, Any], games: int, seats: int) -> tuple[Estimate, Estimate]:
    return saved_estimate(found["win_rate"]), saved_estimate(found["returns"])


def _chart(run: RunInfo, estimate: int = 1) -> Chart:
    if run.players == 1:
        return Chart(0, estimate)
    return Chart(0, estimate, reference=1 / run.players, reference_label=_EQUAL)


def _long(results: Mapping[str, Any]) -> Table:
    length = results["length"]
    rows: list[tuple[Cell, ...]] = [(Text("Mean", "В среднем"), saved_estimate(length))]
    if length["median"] is not None and results["games"]:
        rows += [
            (Text("Shortest", "Самая короткая"), length["min"]),
            (Text("Half of them at most", "Половина — не больше"), quantile_estimate(length, "median")),
            (Text("Nine in ten at most", "Девять из десяти — не больше"), quantile_estimate(length, "p90")),
            (Text("Longest", "Самая длинная"), length["max"]),
        ]
    return Table(
        "length",
        Text("How long a game is", "Как долго длится партия"),
        (Text("Game", "Партия"), Text("Decisions", "Решений")),
        tuple(rows),
        note=Text(
            "Decisions with a choice are counted, of all players.", "Считаются решения всех игроков, где есть выбор."
        ),
    )
