"""The tables of a report on Dice, made from its figures."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from playmill.author import LANGUAGES, Text
from playmill.author.report import (
    FEW,
    IN_TURN,
    QUANTILES,
    Cell,
    Chart,
    RunInfo,
    Table,
    percentage,
    quantile_estimate,
    saved_estimate,
    seat_note,
)
from playmill.games.dice.report.figures import GLOBAL, HOT_DICE_PER_TURN, POINTS_PER_TURN, ROLLS_PER_TURN, SEATS

_SEAT = Text("Seat", "Место")
_SEAT_NAMES = tuple(Text(f"Seat {number}", f"Место {number}") for number in range(1, len(SEATS) + 1))
_OWNERS = {GLOBAL: Text("both", "оба")} | {
    key: Text(name.en.lower(), name.ru.lower()) for key, name in zip(SEATS, _SEAT_NAMES, strict=True)
}
_AGENT = Text("Agent", "Агент")
_WIN_RATE = Text("Win rate", "Доля побед")
_WINS = Text("Wins", "Побед")
_WITHOUT_DRAWS = Text("equal, if no draws:", "поровну без ничьих:")
_WHAT = Text("What and whose", "Что и у кого")
_POINTS_PER_MATCH = Text("Points per match", "Очков за партию")


def sections(results: Mapping[str, Any], run: RunInfo) -> list[Table]:
    """The tables of a report, the most telling first, from results as they are saved."""
    effects = [effect for effect in results["effects"].values() if effect["kind"] != "die"]
    dice = [effect for effect in results["effects"].values() if effect["kind"] == "die"]
    tables = [_wins(results, run)] if run.rotations == 1 else [_agents(results, run), _wins(results, run)]
    if "exact" in results:
        tables.append(_exact(results))
    if results["draws"]["games"]:
        tables.append(_draws(results))
    tables += [_points(results), _throws(results), _busts(results)]
    if effects:
        tables.append(_content(effects, run))
    if dice:
        tables.append(_dice(dice, run))
    return [*tables, _length(results)]


def _agents(results: Mapping[str, Any], run: RunInfo) -> Table:
    rates = results["win_rate"]["agents"]
    return Table(
        "agents",
        Text("How often each agent wins", "Как часто побеждает каждый агент"),
        (_AGENT, _WIN_RATE),
        tuple((name, saved_estimate(found)) for name, found in rates.items()),
        chart=Chart(0, 1, reference=1 / run.players, reference_label=_WITHOUT_DRAWS),
        percent_columns=frozenset({1}),
    )


def _wins(results: Mapping[str, Any], run: RunInfo) -> Table:
    rates, wins = results["win_rate"]["seats"], results["wins"]
    return Table(
        "wins",
        Text("Who wins", "Кто побеждает"),
        (_SEAT, _AGENT, _WIN_RATE, _WINS),
        tuple(
            (_SEAT_NAMES[seat], agent or IN_TURN, saved_estimate(rates[seat]), wins[seat])
            for seat, agent in enumerate(run.seat_agents)
        ),
        note=seat_note(
            run,
            Text(
                "Seat 1 has the first turn. A draw is nobody's win.",
                "Место 1 ходит первым. Ничья — ни для кого не победа.",
            ),
        ),
        chart=Chart(1, 2, reference=1 / run.players, reference_label=_WITHOUT_DRAWS),
        percent_columns=frozenset({2}),
    )


def _exact(results: Mapping[str, Any]) -> Table:
    chance = results["exact"]["first_wins"]
    return Table(
        "exact",
        Text("How much the first turn is worth", "Чего стоит первый ход"),
        (Text("Wins of seat 1", "Победы места 1"), _WIN_RATE),
        (
            (Text("In this run", "В этом прогоне"), saved_estimate(results["win_rate"]["seats"][0])),
            # Known, not measured: so with more decimals than any estimate, and without an interval.
            (
                Text("Optimal play, exact", "Оптимальная игра, точно"),
                Text(*(percentage(chance, 3, lang) for lang in LANGUAGES)),
            ),
        ),
        note=Text(
            "Optimal play, exact: both players play as well as possible, with these dice, without modifiers and items"
            " and with no limit of turns.",
            "Оптимальная игра, точно: оба играют наилучшим образом, с этими костями, без модификаторов и предметов и"
            " без ограничения на число ходов.",
        ),
        percent_columns=frozenset({1}),
    )


def _draws(results: Mapping[str, Any]) -> Table:
    draws = results["draws"]
    return Table(
        "draws",
        Text("Draws", "Ничьи"),
        (Text("Ending", "Конец партии"), Text("Share of matches", "Доля партий"), Text("Matches", "Партий")),
        (
            (
                Text("Draw: no turns left", "Ничья: ходы кончились"),
                saved_estimate(draws),
                draws["games"],
            ),
        ),
        percent_columns=frozenset({1}),
    )


def _by_agent(results: Mapping[str, Any], *keys: str) -> tuple[tuple[Cell, ...], ...]:
    """A row for each agent and, if there are several, one for all turns together."""
    saved = [results[key] for key in keys]
    names = list(saved[0]["agents"])
    rows: list[tuple[str | Text, list[Any]]] = [(name, [found["agents"][name] for found in saved]) for name in names]
    if len(names) > 1:
        rows.append((Text("All turns", "Все ходы"), saved))
    return tuple((name, *(_figure(found) for found in row)) for name, row in rows)


def _figure(saved: Mapping[str, Any]) -> Cell:
    """An estimate; a number that was the same in all of many matches, such as 0, has no interval and stands alone."""
    return saved["value"] if saved["n"] >= FEW and saved["low"] is None else saved_estimate(saved)


def _points(results: Mapping[str, Any]) -> Table:
    return Table(
        "points",
        Text("Points banked per turn", "Очки, записанные за ход"),
        (_AGENT, POINTS_PER_TURN),
        _by_agent(results, "points_per_turn"),
        note=Text(
            "A turn that ends in a bust brings 0; it counts as well.",
            "Ход, который кончился провалом, приносит 0 и тоже учитывается.",
        ),
        chart=Chart(0, 1, percent=False),
    )


def _throws(results: Mapping[str, Any]) -> Table:
    return Table(
        "throws",
        Text("Rolls and hot dice", "Броски и горячие кости"),
        (_AGENT, ROLLS_PER_TURN, HOT_DICE_PER_TURN),
        _by_agent(results, "rolls_per_turn", "hot_dice_per_turn"),
        note=Text(
            "Hot dice: how often all six are banked and the player throws them again.",
            "Горячие кости: сколько раз отложены все шесть, и игрок бросает их снова.",
        ),
    )


def _busts(results: Mapping[str, Any]) -> Table:
    saved = results["bust_rate_by_dice"]
    known = any("exact" in found for found in saved.values())
    columns: tuple[Text, ...] = (
        Text("Dice thrown", "Брошено костей"),
        Text("Bust rate", "Доля провалов"),
        Text("Throws", "Бросков"),
    )
    note = Text(
        "Of throws of all dice on the table, those in which nothing scores, also where a shield saves the turn.",
        "Из бросков всех костей на столе — те, в которых нет очков, даже если ход спас щит.",
    )
    if known:
        columns += (Text("Exactly, %", "Точно, %"),)
        note = Text(
            note.en + " Exactly: the chance for these dice, found by going through all rolls.",
            note.ru + " Точно: вероятность для этих костей, найденная перебором.",
        )
    rows: list[tuple[Cell, ...]] = []
    for number, found in saved.items():
        # As a plain number, since a percentage would have one decimal only.
        exact = (100 * found["exact"] if "exact" in found else None,) if known else ()
        rows.append((number, saved_estimate(found), found["throws"], *exact))
    return Table(
        "busts",
        Text("Busts by number of dice", "Провалы по числу костей"),
        columns,
        tuple(rows),
        note=note,
        chart=Chart(0, 1),
        percent_columns=frozenset({1}),
    )


def _owned(effects: list[Mapping[str, Any]]) -> tuple[tuple[Cell, ...], ...]:
    """A row for each thing and owner."""
    return tuple(
        (
            # In one column, where words can break into lines: beside two intervals there is no room for another.
            Text(f"{effect['name']['en']} ({_OWNERS[owner].en})", f"{effect['name']['ru']} ({_OWNERS[owner].ru})"),
            _figure(record["fired_per_game"]),
            _figure(record["points_per_game"]),
        )
        for effect in effects
        for owner, record in effect["owners"].items()
    )


def _content(effects: list[Mapping[str, Any]], run: RunInfo) -> Table:
    return Table(
        "effects",
        Text("Modifiers and items", "Модификаторы и предметы"),
        (_WHAT, Text("Fired per match", "Сработало за партию"), _POINTS_PER_MATCH),
        _owned(effects),
        note=seat_note(
            run,
            Text(
                "Points: what it adds to the turn at once (below 0: takes away), even if the turn ends in a bust. What"
                " a shield or a new throw brings later is not in them; a doubled save counts for the item that doubled"
                " it.",
                "Очки: сколько сразу прибавляет к очкам хода (меньше 0 — отнимает), даже если ход потом кончится"
                " провалом. То, что позже принесут щит или новый бросок, сюда не входит; удвоение засчитано предмету.",
            ),
        ),
    )


def _dice(dice: list[Mapping[str, Any]], run: RunInfo) -> Table:
    return Table(
        "dice",
        Text("Loaded dice", "Нечестные кости"),
        (_WHAT, Text("Thrown per match", "Брошено за партию"), _POINTS_PER_MATCH),
        _owned(dice),
        note=seat_note(
            run,
            Text(
                "All dice of a kind together. Points: those of a save are shared equally by its dice, even if the turn"
                " ends in a bust.",
                "Все кости одного вида вместе. Очки: каждое сохранение делится поровну между своими костями, даже если"
                " ход потом кончится провалом.",
            ),
        ),
    )


def _length(results: Mapping[str, Any]) -> Table:
    turns, winner = results["turns"], results["winner_turns"]
    described = (
        ("std", Text("Turns: standard deviation", "Ходов: стандартное отклонение")),
        ("median", Text("Turns: median", "Ходов: медиана")),
        ("p10", Text("Turns: 10th percentile", "Ходов: 10-й процентиль")),
        ("p90", Text("Turns: 90th percentile", "Ходов: 90-й процентиль")),
        ("min", Text("Turns: shortest match", "Ходов: самая короткая партия")),
        ("max", Text("Turns: longest match", "Ходов: самая длинная партия")),
    )
    return Table(
        "length",
        Text("Length of a match", "Длина партии"),
        (Text("Measure", "Показатель"), Text("Value", "Значение")),
        (
            (Text("Turns: mean", "Ходов: в среднем"), saved_estimate(turns)),
            *((title, quantile_estimate(turns, key) if key in QUANTILES else turns[key]) for key, title in described),
            (
                Text("Turns of the winner: mean", "Ходов победителя: в среднем"),
                saved_estimate(winner),
            ),
            (Text("Turns of the winner: median", "Ходов победителя: медиана"), quantile_estimate(winner, "median")),
            (
                Text("Decisions: mean per match", "Решений: в среднем за партию"),
                saved_estimate(results["decisions_per_game"]),
            ),
        ),
        note=Text(
            "Turns of both players together; a choice of one option is no decision.",
            "Ходы обоих игроков вместе; выбор из одного варианта — не решение.",
        ),
    )
